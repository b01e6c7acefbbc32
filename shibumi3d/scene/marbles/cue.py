"""Moments at which something is to be heard: what touches what, and when. Nothing here knows a sound."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

Touch: TypeAlias = Literal["set", "slide", "fall", "lift"]

ROLL = 0.06  # a fall is heard this long before its contact: the marble rolls off its support
TOGETHER = 0.06  # what begins within this time is heard as one
VOICES = 4  # as many are told apart in it; more would only be louder
_TAKEN_BACK: dict[Touch, Touch] = {"set": "lift", "fall": "lift", "lift": "set", "slide": "slide"}


class Cue(NamedTuple):
    """At ``time`` a marble of ``colour`` does what ``kind`` says on ``level`` (0: on the board itself).

    ``gain`` is the part of its loudness that is its own: less than 1 when others are heard with it. ``thing`` is what
    is heard where it is no marble: a key of :data:`THINGS`.
    """

    time: float
    kind: Touch
    colour: int
    level: int
    gain: float = 1.0
    thing: str = ""


THINGS: Mapping[str, tuple[Touch, ...]] = MappingProxyType(
    {
        "chip": ("set",),
        "taba": ("set",),
        "pawn": ("set", "fall"),
        "medal": ("set",),
        "die": ("set",),
        "card": ("set", "slide"),
    }
)
"""What lies on tables of other kinds, and what is heard of it."""


class Contact(NamedTuple):
    """A marble touches, or is touched by, its seat from ``start`` to ``end`` seconds."""

    start: float
    end: float
    kind: Touch
    colour: int
    level: int

    def mirrored(self, mirror: float) -> Contact:
        """Return the contact taken back: what was set is lifted, ``mirror`` being the sum of first and last moment."""
        return self._replace(start=mirror - self.end, end=mirror - self.start, kind=_TAKEN_BACK[self.kind])


def grouped(contacts: Sequence[Contact]) -> list[Cue]:
    """Return the sounds of the contacts in order of time; many at once are as loud together as one alone."""
    left = sorted(
        Cue(c.start - (ROLL if c.kind == "fall" else 0.0), c.kind, c.colour, c.level) for c in contacts
    )
    heard: list[Cue] = []
    while left:
        end = left[0].time + TOGETHER
        group = [cue for cue in left if cue.time <= end]
        left = left[len(group) :]
        count = min(len(group), VOICES)
        chosen = (group[i * len(group) // count] for i in range(count))
        heard += [cue._replace(gain=1.0 / math.sqrt(count)) for cue in chosen]
    return heard


def due(pending: list[Cue], now: float) -> list[Cue]:
    """Return the cues due by ``now``, and remove them from those pending."""
    found = [cue for cue in pending if cue.time <= now]
    pending[:] = [cue for cue in pending if cue.time > now]
    return found


def cut_short(pending: Sequence[Cue]) -> list[Cue]:
    """Return what is left of cues when the motion is ended at once: one, due already; a marble set if one was to
    land.
    """
    landing = [cue for cue in pending if cue.kind in ("set", "fall")]
    if landing:
        return [landing[-1]._replace(time=-math.inf, kind="set", gain=1.0)]
    return [cue._replace(time=-math.inf, gain=1.0) for cue in pending[-1:]]
