"""Levels of computer players, numbered from 1 (Pebble) to 5 (Sky).

A level consists of a number of simulations for each move and some noise, so it plays equally well on slow and fast
machines unless it reaches a time limit. Levels between two whole numbers are interpolated and have no names of their
own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from shibumi3d.i18n import LANGUAGES, N_, InvalidValueError, format_decimal, translate

RANDOM = "random"
"""Name of the player that makes random moves."""
PERSON = "person"
"""Player type of a human player."""
ADAPTIVE = "fits"
"""Prefix of the names of adaptive levels, such as ``fits 1.5``.

Without a number, it stands for the level that suits the player.
"""
CLOSE_MATCH = "close"
"""Prefix of the names of levels that try to keep the match close."""


@dataclass(frozen=True, slots=True)
class Level:
    """A level of play.

    ``iterations`` is the number of simulations for each move. A move is drawn with probability proportional to its
    visits to the power of 1 / ``temperature``; a temperature of 0 selects the most visited move. ``blunder_rate`` is
    the fraction of turns played at random. ``search_work`` is the work that may be spent on proving forced wins and
    losses, in the units of the rules; 0 means that nothing is proved. ``lookahead_rate`` is the fraction of turns in
    which such proofs are attempted.

    If ``uses_full_time`` is set and only a time limit is given, the player ignores ``iterations`` and uses the whole
    time. If ``finishes_wins`` is set, the player wins in its current turn whenever a short search proves that it can.
    If ``keeps_match_close`` is set, the player tries to keep the match even. ``learned_weight`` scales the weight of
    the learned evaluation, from 0 (ignore it) to 1 (the weight measured to work best).
    """

    number: float
    title: str
    description: str
    iterations: int
    temperature: float = 0.0
    blunder_rate: float = 0.0
    search_work: int = 0
    lookahead_rate: float = 1.0
    uses_full_time: bool = False
    finishes_wins: bool = False
    keeps_match_close: bool = False
    learned_weight: float = 0.0

    def localize_title(self, lang: str) -> str:
        """Return the title in a language.

        A level between two whole numbers has the title of the lower one, followed by its own number. Levels that keep
        the match close have the same title at any strength.
        """
        title = translate(lang, self.title)
        return (
            f"{title} {format_decimal(self.number, lang)}"
            if self.number % 1 and not self.keeps_match_close
            else title
        )

    @property
    def name(self) -> str:
        """Name used in commands and records."""
        plain = f"{self.number:g}" if self.number % 1 else self.title.lower()
        return (
            f"{ADAPTIVE} {self.number:g}"
            if self.finishes_wins
            else f"{CLOSE_MATCH} {self.number:g}"
            if self.keeps_match_close
            else plain
        )


LEVELS = (
    Level(
        1,
        N_("Pebble"),
        N_("plays on a whim and often misses things"),
        30,
        temperature=0.8,
        blunder_rate=0.18,
        search_work=60_000,
        lookahead_rate=0.35,
    ),
    Level(
        2,
        N_("Stone"),
        N_("sees what is close and slips up now and then"),
        100,
        temperature=0.3,
        blunder_rate=0.03,
        search_work=60_000,
        lookahead_rate=0.88,
    ),
    Level(
        3,
        N_("River"),
        N_("finds its way and takes what is offered"),
        300,
        temperature=0.1,
        search_work=1_000_000,
    ),
    Level(
        4,
        N_("Mountain"),
        N_("stands firm and is rarely surprised"),
        1_200,
        search_work=4_000_000,
        learned_weight=0.05,
    ),
    Level(
        5,
        N_("Sky"),
        N_("sees far ahead and takes its time"),
        8_000,
        search_work=16_000_000,
        uses_full_time=True,
        learned_weight=1.0,
    ),
)
"""The named levels, weakest first."""

LEVEL_ZERO = Level(
    0,
    N_("Grain of sand"),
    N_("plays almost at random"),
    8,
    temperature=1.5,
    blunder_rate=0.7,
    search_work=60_000,
    lookahead_rate=0.0,
)
"""Level 0, below the weakest named level.

Only adaptive levels are this weak, and even they never miss a win available this turn.
"""


INITIAL_ADAPTIVE_LEVEL, ADAPTIVE_STEP = 1.5, 0.5
"""Adaptive level of a new player, and the amount by which it rises after a win or falls after a loss."""
DEFAULT_CLOSE_LEVEL = 3
"""Default level of a player that keeps the match close."""
OLD_TITLES = (
    "half a pebble", "pebble and a half", "stone and a half", "river and a half", "mountain and a half",
    "demi-caillou", "caillou et demi", "pierre et demie", "rivière et demie", "montagne et demie",
)  # fmt: skip
"""Titles of levels 0.5, 1.5 … 4.5 before version 0.2, used as player names in old records."""
_NUMBER = re.compile(r"(?:(fits|close) +)?(\d(?:[.,]\d{1,2})?)")


def interpolated_level(strength: float) -> Level:
    """Return the level of a given strength, from 1 to 5.

    The strength is first rounded to two decimal places. A whole number gives a named level, any other number an
    interpolated one. Raises ValueError for numbers out of range.
    """
    return _interpolate(round(strength, 2), 1)


@cache
def _interpolate(strength: float, minimum: int) -> Level:
    if not minimum <= strength <= len(LEVELS):
        raise _unknown_level_error(f"{strength:g}")
    steps = (LEVEL_ZERO, *LEVELS)
    low = steps[int(strength)]
    fraction = strength % 1
    if not fraction:
        return low
    high = steps[int(strength) + 1]
    return Level(
        strength,
        low.title,
        low.description,
        _geometric_mean(low.iterations, high.iterations, fraction),
        low.temperature + (high.temperature - low.temperature) * fraction,
        low.blunder_rate + (high.blunder_rate - low.blunder_rate) * fraction,
        _geometric_mean(low.search_work, high.search_work, fraction),
        low.lookahead_rate + (high.lookahead_rate - low.lookahead_rate) * fraction,
        learned_weight=low.learned_weight * (high.learned_weight / low.learned_weight) ** fraction
        if low.learned_weight
        else high.learned_weight * fraction,
    )


def _geometric_mean(low: int, high: int, fraction: float) -> int:
    """Return the geometric interpolation between two numbers, from ``low`` at fraction 0 to ``high`` at fraction 1."""
    factor: float = (high / low) ** fraction
    return round(low * factor)


def adaptive_level(strength: float) -> Level:
    """Return the adaptive level of a given strength, from 0 to 5.

    A player of this level takes a win in its current turn if a short search proves one. Raises ValueError if the
    strength is out of range.
    """
    return replace(_interpolate(round(strength, 2), 0), finishes_wins=True)


def is_adaptive(player_type: str) -> bool:
    """Return whether a player type is an adaptive level, with or without a number."""
    return player_type.partition(" ")[0] == ADAPTIVE


def next_adaptive_level(strength: float, result: float) -> float:
    """Return the new strength of the adaptive level after a match.

    ``strength`` is its strength in the match. ``result`` is the person's result: 1 for a win, 0.5 for a draw, 0 for a
    loss.
    """
    return max(0.0, min(float(len(LEVELS)), strength + ADAPTIVE_STEP * (2 * result - 1)))


def player_type_of(name: str) -> str:
    """Return the player type that a seat's name stands for.

    :data:`RANDOM` and :data:`ADAPTIVE` stand for themselves. Any other name that :func:`find_level` accepts, except a
    whole number, stands for the level's name as used in commands. All remaining names stand for "person". Every stored
    name therefore stands for a valid player type.
    """
    text = name.strip().casefold()
    if text.isdecimal():
        return PERSON
    if text in (ADAPTIVE, RANDOM):
        return text
    try:
        return find_level(name).name
    except ValueError:
        return PERSON


def is_player_type(player_type: str) -> bool:
    """Return whether ``player_type`` is "person", "random" or the name of a level.

    Whole numbers don't count as names.
    """
    return player_type == PERSON or player_type_of(player_type) != PERSON


def adaptive_level_of(player_type: str) -> float | None:
    """Return the number of an adaptive level.

    Return None for any other player type, for an adaptive level without a number, and for numbers out of range.
    """
    known = player_type_of(player_type)
    return find_level(known).number if is_adaptive(known) and known != ADAPTIVE else None


def find_level(name: str | int) -> Level:
    """Return the level with the given name, in any language, or with the given number from 1 to 5, such as 1.5.

    The prefix "fits" selects an adaptive level, numbered from 0 to 5. The prefix "close" selects a level that keeps the
    match close. Without a number, "fits" selects the level of a new player, and "close" the middle level. The names in
    :data:`OLD_TITLES` are also accepted. Raises ValueError with a readable message if there is no such level.
    """
    text = str(name).strip().casefold()
    text = {
        CLOSE_MATCH: f"{CLOSE_MATCH} {DEFAULT_CLOSE_LEVEL}",
        ADAPTIVE: f"{ADAPTIVE} {INITIAL_ADAPTIVE_LEVEL}",
    }.get(text, text)
    numbered = _NUMBER.fullmatch(text)
    if numbered is not None:
        number = float(numbered[2].replace(",", "."))
        if numbered[1] == ADAPTIVE and number <= len(LEVELS):
            return adaptive_level(number)
        if 1 <= number <= len(LEVELS):
            level = interpolated_level(number)
            return (
                replace(level, keeps_match_close=True, title=_CLOSE_TITLE, description=_CLOSE_DESCRIPTION)
                if numbered[1]
                else level
            )
    for lang in LANGUAGES:
        for level in LEVELS:
            if text == translate(lang, level.title).casefold():
                return level
        if text == translate(lang, LEVEL_ZERO.title).casefold():
            return adaptive_level(0)
    if text in OLD_TITLES:
        half = OLD_TITLES.index(text) % len(LEVELS) + 0.5
        return interpolated_level(half) if half > 1 else adaptive_level(half)
    raise _unknown_level_error(name)


_CLOSE_TITLE = N_("Mist")
_CLOSE_DESCRIPTION = N_("keeps the match close, whoever the opponent is")


def _unknown_level_error(name: object) -> InvalidValueError:
    names = ", ".join(level.name for level in LEVELS)
    return InvalidValueError(
        "unknown level '{name}': choose {known}, a number from 1 to {most}, or {random}",
        name=name,
        known=names,
        most=len(LEVELS),
        random=RANDOM,
    )
