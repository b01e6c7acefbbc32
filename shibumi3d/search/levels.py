"""How strong a computer plays: a number from 1 to 5, whose whole steps have names, from a small stone to the sky.

A strength is a number of iterations a choice and some noise, so it plays alike on a slow machine and a fast one.
Between two whole steps all of that lies on a line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from shibumi3d.i18n import LANGUAGES, N_, Unusable, decimal, translate

RANDOM = "random"
"""The name of who draws every move by lot."""
PERSON = "person"
"""What stands where no computer plays."""
FITS = "fits"
"""How a strength is called that was found to fit somebody, before its number, as in ``fits 1.5``; alone it stands for
whoever fits the person who plays."""
CLOSE = "close"
"""How a strength is called that keeps matches close, before its number."""


@dataclass(frozen=True, slots=True)
class Level:
    """A strength.

    ``iterations`` is how many ways on are looked at for a choice. ``warmth`` is how often less is taken for better: a
    choice is drawn by its visits to the power 1 / warmth, 0 takes the most visited. ``slips`` is the part of turns
    played by lot. ``sees``: what may be spent on proving what can be forced, as rules count work (25 to 50 ns in plain
    Python), 0 for who never looks, and ``heeds`` the part of turns in which it does; ``patient``: given a time instead
    of iterations, it uses all of it. ``ends``: a win at hand is never let go. ``close``: it plays for an even match.
    ``knows``: how far it judges by what the game has learned, as far as was measured to be best, from 0 to 1.
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
        """Return its title in a language: that of the whole level below, with its number where it lies between two."""
        title = translate(lang, self.title)
        return f"{title} {decimal(self.number, lang)}" if self.number % 1 and not self.close else title

    @property
    def name(self) -> str:
        """The name by which it is called in commands and records."""
        plain = f"{self.number:g}" if self.number % 1 else self.title.lower()
        return f"{FITS} {self.number:g}" if self.ends else f"{CLOSE} {self.number:g}" if self.close else plain


LEVELS = (
    Level(
        1,
        N_("Pebble"),
        N_("Plays on a whim and often looks away."),
        30,
        warmth=0.8,
        slips=0.18,
        sees=60_000,
        heeds=0.35,
    ),
    Level(
        2,
        N_("Stone"),
        N_("Sees what is near and slips now and then."),
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
        N_("Sees far and takes its time."),
        8_000,
        sees=16_000_000,
        patient=True,
        knows=1.0,
    ),
)
"""The strengths, the weakest first."""

GRAIN = Level(
    0,
    N_("Grain of sand"),
    N_("Plays to have played."),
    8,
    warmth=1.5,
    slips=0.7,
    sees=60_000,
    heeds=0.0,
)
"""What lies under the weakest: only who fits somebody comes down so far, as it never lets a win at hand go."""


FIRST_FIT, STEP = 1.5, 0.5
"""The number of the strength that fits somebody of whom nothing is known, and how far it moves from match to match."""
CLOSE_AT = 3
"""The number of a strength that keeps matches close, where none is given."""
OLD_TITLES = (
    "half a pebble", "pebble and a half", "stone and a half", "river and a half", "mountain and a half",
    "demi-caillou", "caillou et demi", "pierre et demie", "rivière et demie", "montagne et demie",
)  # fmt: skip
"""Titles that versions before 0.2 gave the levels 0.5, 1.5 … 4.5; old records have them as names of seats."""
_NUMBER = re.compile(r"(?:(fits|close) +)?(\d(?:[.,]\d{1,2})?)")


def between(number: float) -> Level:
    """Return the strength of that number, from 1 to 5: a whole one has a name, any other lies on the line between two.

    Raises ValueError for other numbers.
    """
    return _on_the_line(round(number, 2), 1)


@cache
def _on_the_line(number: float, least: int) -> Level:
    """The strength of a number from ``least`` to 5. Raises ValueError for other numbers."""
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
    """The number that far on the way from one to the other, by factors."""
    factor: float = (high / low) ** part
    return round(low * factor)


def fitting(number: float) -> Level:
    """Return the strength of that number, from 0 to 5, as it plays with somebody whom it fits: it lets no win at hand
    go.

    Raises ValueError for other numbers.
    """
    return replace(_on_the_line(round(number, 2), 0), ends=True)


def fits(kind: str) -> bool:
    """Return whether who plays a seat was found to fit somebody, or is still to be."""
    return kind.partition(" ")[0] == FITS


def moved(number: float, gained: float) -> float:
    """Return the number of the strength that fits next, after a match against ``number``: ``gained`` is 1 for a win
    of the person, a half for a draw, 0 for a loss.
    """
    return max(0.0, min(float(len(LEVELS)), number + STEP * (2 * gained - 1)))


def kind_of(name: str) -> str:
    """Return who plays a seat called so: a strength where that is its name, :data:`RANDOM`, :data:`FITS`, else
    "person". Whatever was stored, the program can play with the result."""
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
    """Return whether ``kind`` is known as it stands: a person, or a computer of a strength that there is."""
    return kind == PERSON or kind_of(kind) != PERSON


def fit_of(kind: str) -> float | None:
    """Return the number of an adaptive strength; None for any other kind, and for a number out of range."""
    known = kind_of(kind)
    return level(known).number if fits(known) and known != FITS else None


def level(name: str | int) -> Level:
    """Return the strength called so, or with that number from 1 to 5, which may lie between two, as 1.5.

    Before the number ``fits`` (then from 0) or ``close`` may stand; alone, ``close`` is of middle strength. Raises
    ValueError with a sentence when there is none.
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
_EVEN = N_("Plays for a close match, whoever is there.")


def _unknown(name: object) -> Unusable:
    """What is raised where there is no such strength."""
    names = ", ".join(one.name for one in LEVELS)
    return Unusable(
        "there is no strength '{name}', only {known} (or 1 to {most}) and {random}",
        name=name,
        known=names,
        most=len(LEVELS),
        random=RANDOM,
    )
