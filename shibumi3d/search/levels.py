"""Levels of computer players, numbered from 1 (Pebble) to 5 (Sky).

A level consists of a number of simulations for each move and some noise, so it plays equally well on slow and fast
machines. Levels between two whole numbers are interpolated and have no names of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from shibumi3d.i18n import LANGUAGES, N_, Unusable, decimal, translate

RANDOM = "random"
"""Name of the player that makes random moves."""
PERSON = "person"
"""Player type of a human player."""
FITS = "fits"
"""Prefix of the names of adaptive levels, such as ``fits 1.5``.

Without a number, it stands for the level that suits the player.
"""
CLOSE = "close"
"""Prefix of the names of levels that try to keep the match close."""


@dataclass(frozen=True, slots=True)
class Level:
    """A level of play.

    ``iterations`` is the number of simulations for each move. ``warmth`` is the temperature: a move is drawn with
    probability proportional to its visits to the power of 1 / ``warmth``, and 0 selects the most visited move.
    ``slips`` is the fraction of turns played at random. ``sees`` is the work that may be spent on proving forced wins
    and losses, in the units of the rules (25 to 50 ns in plain Python); 0 means that nothing is proved. ``heeds`` is
    the fraction of turns in which such proofs are attempted.

    If ``patient`` is set, the player uses all of a time limit that is given instead of a number of simulations. If
    ``ends`` is set, it never misses a win available this turn. If ``close`` is set, it tries to keep the match even.
    ``knows`` scales the weight of the learned evaluation, from 0 (ignore it) to 1 (the weight measured to work best).
    """

    number: float
    title: str
    character: str
    iterations: int
    warmth: float = 0.0
    slips: float = 0.0
    sees: int = 0
    heeds: float = 1.0
    patient: bool = False
    ends: bool = False
    close: bool = False
    knows: float = 0.0

    def called(self, lang: str) -> str:
        """Return the title in a language.

        For a level between two whole numbers, it is the title of the lower one, followed by the number.
        """
        title = translate(lang, self.title)
        return f"{title} {decimal(self.number, lang)}" if self.number % 1 and not self.close else title

    @property
    def name(self) -> str:
        """Name used in commands and records."""
        plain = f"{self.number:g}" if self.number % 1 else self.title.lower()
        return f"{FITS} {self.number:g}" if self.ends else f"{CLOSE} {self.number:g}" if self.close else plain


LEVELS = (
    Level(
        1,
        N_("Pebble"),
        N_("Plays on a whim and often misses things."),
        30,
        warmth=0.8,
        slips=0.18,
        sees=60_000,
        heeds=0.35,
    ),
    Level(
        2,
        N_("Stone"),
        N_("Sees what is close and slips up now and then."),
        100,
        warmth=0.3,
        slips=0.03,
        sees=60_000,
        heeds=0.88,
    ),
    Level(
        3,
        N_("River"),
        N_("Finds its way and takes what is offered."),
        300,
        warmth=0.1,
        sees=1_000_000,
    ),
    Level(
        4,
        N_("Mountain"),
        N_("Stands firm and is rarely surprised."),
        1_200,
        sees=4_000_000,
        knows=0.05,
    ),
    Level(
        5,
        N_("Sky"),
        N_("Sees far ahead and takes its time."),
        8_000,
        sees=16_000_000,
        patient=True,
        knows=1.0,
    ),
)
"""The named levels, weakest first."""

GRAIN = Level(
    0,
    N_("Grain of sand"),
    N_("Plays almost at random."),
    8,
    warmth=1.5,
    slips=0.7,
    sees=60_000,
    heeds=0.0,
)
"""Level 0, below the weakest named level.

Only adaptive levels are this weak, and even they never miss a win available this turn.
"""


FIRST_FIT, STEP = 1.5, 0.5
"""Adaptive level of a new player, and the amount by which it changes after each match."""
CLOSE_AT = 3
"""Default level of a player that keeps the match close."""
OLD_TITLES = (
    "half a pebble", "pebble and a half", "stone and a half", "river and a half", "mountain and a half",
    "demi-caillou", "caillou et demi", "pierre et demie", "rivière et demie", "montagne et demie",
)  # fmt: skip
"""Titles of levels 0.5, 1.5 … 4.5 before version 0.2, used as player names in old records."""
_NUMBER = re.compile(r"(?:(fits|close) +)?(\d(?:[.,]\d{1,2})?)")


def between(number: float) -> Level:
    """Return the level with a number from 1 to 5.

    A whole number gives a named level, any other number an interpolated one. Raises ValueError for numbers out of
    range.
    """
    return _on_the_line(round(number, 2), 1)


@cache
def _on_the_line(number: float, least: int) -> Level:
    """Return the level with a number from ``least`` to 5.

    Raises ValueError for other numbers.
    """
    if not least <= number <= len(LEVELS):
        raise _unknown(f"{number:g}")
    steps = (GRAIN, *LEVELS)
    low = steps[int(number)]
    part = number % 1
    if not part:
        return low
    high = steps[int(number) + 1]
    return Level(
        number,
        low.title,
        low.character,
        _mean(low.iterations, high.iterations, part),
        low.warmth + (high.warmth - low.warmth) * part,
        low.slips + (high.slips - low.slips) * part,
        _mean(low.sees, high.sees, part),
        low.heeds + (high.heeds - low.heeds) * part,
        knows=low.knows * (high.knows / low.knows) ** part if low.knows else high.knows * part,
    )


def _mean(low: int, high: int, part: float) -> int:
    """Return the geometric interpolation between two numbers."""
    factor: float = (high / low) ** part
    return round(low * factor)


def fitting(number: float) -> Level:
    """Return the adaptive level with a number from 0 to 5.

    It never misses a win available this turn. Raises ValueError for other numbers.
    """
    return replace(_on_the_line(round(number, 2), 0), ends=True)


def fits(kind: str) -> bool:
    """Return whether a player type is an adaptive level, with or without a number."""
    return kind.partition(" ")[0] == FITS


def moved(number: float, gained: float) -> float:
    """Return the number of the adaptive level to use after a match against level ``number``.

    ``gained`` is the person's result: 1 for a win, 0.5 for a draw, 0 for a loss.
    """
    return max(0.0, min(float(len(LEVELS)), number + STEP * (2 * gained - 1)))


def kind_of(name: str) -> str:
    """Return the player type that corresponds to the name of a seat.

    If the name is that of a level, :data:`RANDOM` or :data:`FITS`, it is also the player type; for any other name, the
    player type is "person". Every stored name therefore gives a valid player type.
    """
    text = name.strip().casefold()
    if text.isdecimal():
        return PERSON
    if text in (FITS, RANDOM):
        return text
    try:
        return level(name).name
    except ValueError:
        return PERSON


def is_kind(kind: str) -> bool:
    """Return whether ``kind`` is a player type: a person, or a computer at an existing level."""
    return kind == PERSON or kind_of(kind) != PERSON


def fit_of(kind: str) -> float | None:
    """Return the number of an adaptive level.

    Return None for any other player type, and for numbers out of range.
    """
    known = kind_of(kind)
    return level(known).number if fits(known) and known != FITS else None


def level(name: str | int) -> Level:
    """Return the level with a name or a number from 1 to 5, such as 1.5.

    The number may follow ``fits``, in which case it may be from 0 to 5, or ``close``. Without a number, ``close``
    stands for the middle level. Raises ValueError with a readable message if there is no such level.
    """
    text = str(name).strip().casefold()
    text = {CLOSE: f"{CLOSE} {CLOSE_AT}", FITS: f"{FITS} {FIRST_FIT}"}.get(text, text)
    numbered = _NUMBER.fullmatch(text)
    if numbered is not None:
        number = float(numbered[2].replace(",", "."))
        if numbered[1] == FITS and number <= len(LEVELS):
            return fitting(number)
        if 1 <= number <= len(LEVELS):
            found = between(number)
            return replace(found, close=True, title=_MIST, character=_EVEN) if numbered[1] else found
    for lang in LANGUAGES:
        for one in LEVELS:
            if text == translate(lang, one.title).casefold():
                return one
        if text == translate(lang, GRAIN.title).casefold():
            return fitting(0)
    if text in OLD_TITLES:
        half = OLD_TITLES.index(text) % len(LEVELS) + 0.5
        return between(half) if half > 1 else fitting(half)
    raise _unknown(name)


_MIST = N_("Mist")
_EVEN = N_("Keeps the match close, whoever the opponent is.")


def _unknown(name: object) -> Unusable:
    """Return the exception to raise for an unknown level."""
    names = ", ".join(one.name for one in LEVELS)
    return Unusable(
        "unknown strength '{name}': choose {known} (or 1 to {most}), or {random}",
        name=name,
        known=names,
        most=len(LEVELS),
        random=RANDOM,
    )
