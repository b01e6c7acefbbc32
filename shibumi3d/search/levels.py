"""How strong a computer plays: a number from 1 to 5, whose whole steps have names, from a small stone to the sky.

A strength is a number of iterations a choice and some noise, so it plays alike on a slow machine and a fast one.
Between two whole steps all of that lies on a line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from shibumi3d.sayings import Unusable

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
    title: Mapping[str, str]
    character: Mapping[str, str]
    iterations: int
    warmth: float = 0.0
    slips: float = 0.0
    sees: int = 0
    heeds: float = 1.0
    patient: bool = False
    ends: bool = False
    close: bool = False
    knows: float = 0.0

    @property
    def name(self) -> str:
        """The name by which it is called in commands and records."""
        plain = f"{self.number:g}" if self.number % 1 else self.title["en"].lower()
        return f"{FITS} {self.number:g}" if self.ends else f"{CLOSE} {self.number:g}" if self.close else plain


LEVELS = (
    Level(
        1,
        {"en": "Pebble", "fr": "Caillou"},
        {
            "en": "Plays on a whim and often looks away.",
            "fr": "Joue au gré de l'envie et regarde souvent ailleurs.",
        },
        30,
        warmth=0.8,
        slips=0.18,
        sees=60_000,
        heeds=0.35,
    ),
    Level(
        2,
        {"en": "Stone", "fr": "Pierre"},
        {
            "en": "Sees what is near and slips now and then.",
            "fr": "Voit ce qui est proche et se trompe parfois.",
        },
        100,
        warmth=0.3,
        slips=0.03,
        sees=60_000,
        heeds=0.88,
    ),
    Level(
        3,
        {"en": "River", "fr": "Rivière"},
        {
            "en": "Finds its way and takes what is offered.",
            "fr": "Trouve son chemin et prend ce qui s'offre.",
        },
        300,
        warmth=0.1,
        sees=1_000_000,
    ),
    Level(
        4,
        {"en": "Mountain", "fr": "Montagne"},
        {"en": "Stands firm and is rarely surprised.", "fr": "Tient bon et se laisse rarement surprendre."},
        1_200,
        sees=4_000_000,
        knows=0.05,
    ),
    Level(
        5,
        {"en": "Sky", "fr": "Ciel"},
        {"en": "Sees far and takes its time.", "fr": "Voit loin et prend son temps."},
        8_000,
        sees=16_000_000,
        patient=True,
        knows=1.0,
    ),
)
"""The strengths, the weakest first."""

GRAIN = Level(
    0,
    {"en": "Grain of sand", "fr": "Grain de sable"},
    {"en": "Plays to have played.", "fr": "Joue pour avoir joué."},
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
_HALVES = {"en": "{} and a half", "fr": "{} et demie"}
_HALF = {"en": "Half a pebble", "fr": "Demi-caillou"}
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
        _titles(low, number),
        low.character,
        _mean(low.iterations, high.iterations, part),
        low.warmth + (high.warmth - low.warmth) * part,
        low.slips + (high.slips - low.slips) * part,
        _mean(low.sees, high.sees, part),
        low.heeds + (high.heeds - low.heeds) * part,
        knows=low.knows * (high.knows / low.knows) ** part if low.knows else high.knows * part,
    )


def _titles(low: Level, number: float) -> dict[str, str]:
    """What the strength of that number is called, above ``low`` and below the next."""
    if number == 0.5:
        return _HALF
    titles = {
        lang: _HALVES[lang].format(title) if number % 1 == 0.5 else f"{title} {_written(number, lang)}"
        for lang, title in low.title.items()
    }
    if number == 1.5:
        titles["fr"] = titles["fr"].removesuffix("e")  # the only one that is no feminine word
    return titles


def _written(number: float, lang: str) -> str:
    """A number with its fraction, as a language writes it."""
    return f"{number:g}".replace(".", ",") if lang == "fr" else f"{number:g}"


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
    whole = [one for one in LEVELS if text in (title.casefold() for title in one.title.values())]
    halves = [fitting(0), fitting(0.5), *[between(n + 0.5) for n in range(1, len(LEVELS))]]
    half = [one for one in halves if text in (title.casefold() for title in one.title.values())]
    if whole or half:
        return (whole or half)[0]
    raise _unknown(name)


_MIST = {"en": "Mist", "fr": "Brume"}
_EVEN = {
    "en": "Plays for a close match, whoever is there.",
    "fr": "Joue pour un match serré, avec n'importe qui.",
}


def _unknown(name: object) -> Unusable:
    """What is raised where there is no such strength."""
    names = ", ".join(one.name for one in LEVELS)
    return Unusable("strength.unknown", name=name, known=names, most=len(LEVELS), random=RANDOM)
