"""Sound cues: which contacts of marbles can be heard, and when.

This module does not determine what the sounds are like.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

Touch: TypeAlias = Literal["set", "slide", "fall", "lift"]

ROLL = 0.06  # seconds by which a fall sounds before the contact, since the marble rolls off its support
TOGETHER = 0.06  # seconds within which sounds count as simultaneous
VOICES = 4  # most sounds kept in a group; more would only be louder
_TAKEN_BACK: dict[Touch, Touch] = {"set": "lift", "fall": "lift", "lift": "set", "slide": "slide"}


class Cue(NamedTuple):
    """Sound of a marble of ``colour`` on ``level``, due at ``time`` in seconds.

    ``level`` 0 is the board itself. ``gain`` scales the loudness and is less than 1 for sounds that overlap others. If
    the sound is made by another object, ``thing`` is the object's key in :data:`THINGS`.
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
"""Objects on other kinds of table, each with the kinds of touch for which it has a sound."""


class Contact(NamedTuple):
    """Contact of a marble with its socket, from ``start`` to ``end`` in seconds."""

    start: float
    end: float
    kind: Touch
    colour: int
    level: int

    def mirrored(self, mirror: float) -> Contact:
        """Return the contact as it occurs when the motion is played backwards.

        Setting a marble down becomes lifting it, and vice versa. ``mirror`` is the sum of the start and end times of
        the motion.
        """
        return self._replace(start=mirror - self.end, end=mirror - self.start, kind=_TAKEN_BACK[self.kind])


def grouped(contacts: Sequence[Contact]) -> list[Cue]:
    """Return the cues for the contacts, in order of time.

    Contacts that begin within ``TOGETHER`` seconds form a group; at most ``VOICES`` contacts of a group are kept. Their
    gains are reduced so that a group is as loud as a single sound.
    """
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
    """Remove the cues due by ``now`` from ``pending`` and return them."""
    found = [cue for cue in pending if cue.time <= now]
    pending[:] = [cue for cue in pending if cue.time > now]
    return found


def cut_short(pending: Sequence[Cue]) -> list[Cue]:
    """Return what remains of the pending cues when the motion is ended at once.

    The result is at most one cue, due immediately: the last landing, played as a marble being set down, or the last cue
    if there is no landing.
    """
    landing = [cue for cue in pending if cue.kind in ("set", "fall")]
    if landing:
        return [landing[-1]._replace(time=-math.inf, kind="set", gain=1.0)]
    return [cue._replace(time=-math.inf, gain=1.0) for cue in pending[-1:]]
