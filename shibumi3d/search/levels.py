"""How strong a computer plays: five strengths, from a small stone to the sky.

A strength is a number of iterations a choice and some noise, so it plays alike on a slow machine and a fast one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shibumi3d.sayings import Unusable

RANDOM = "random"
"""The name of who draws every move by lot."""
PERSON = "person"
"""What stands where no computer plays."""


@dataclass(frozen=True, slots=True)
class Level:
    """A strength.

    ``iterations`` is how many ways on are looked at for a choice. ``warmth`` is how often less is taken for better: a
    choice is drawn by its visits to the power 1 / warmth, 0 takes the most visited. ``slips`` is the part of turns
    played by lot. ``sees``: what may be spent on proving what can be forced, as rules count work (25 to 50 ns in plain
    Python), 0 for who never looks; ``patient``: given a time instead of iterations, it uses all of it.
    """

    number: int
    title: Mapping[str, str]
    character: Mapping[str, str]
    iterations: int
    warmth: float = 0.0
    slips: float = 0.0
    sees: int = 0
    patient: bool = False

    @property
    def name(self) -> str:
        """The name by which it is called in commands and records."""
        return self.title["en"].lower()


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
        slips=0.02,
        sees=60_000,
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
    ),
    Level(
        5,
        {"en": "Sky", "fr": "Ciel"},
        {"en": "Sees far and takes its time.", "fr": "Voit loin et prend son temps."},
        8_000,
        sees=16_000_000,
        patient=True,
    ),
)
"""The strengths, the weakest first."""


def kind_of(name: str) -> str:
    """Return who plays a seat called so: a strength where that is its name, :data:`RANDOM`, else "person"."""
    if name.strip().isdecimal():
        return PERSON
    try:
        return RANDOM if name.strip().casefold() == RANDOM else level(name).name
    except ValueError:
        return PERSON


def level(name: str | int) -> Level:
    """Return the strength called so, or with that number from 1.

    Raises ValueError with a sentence when there is none.
    """
    text = str(name).strip().casefold()
    for one in LEVELS:
        if text in (str(one.number), *(title.casefold() for title in one.title.values())):
            return one
    names = ", ".join(one.name for one in LEVELS)
    raise Unusable("strength.unknown", name=name, known=names, most=len(LEVELS), random=RANDOM)
