"""Sound cues: which contacts of marbles can be heard, and when.

This module does not determine how they sound.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

Touch: TypeAlias = Literal["set", "slide", "fall", "lift"]

ROLL_OFF_SECONDS = (
    0.06  # how many seconds before the contact a fall is heard, since the marble rolls off its support
)
GROUP_SECONDS = 0.06  # seconds within which sounds count as simultaneous
MAX_VOICES_PER_GROUP = 4  # maximum number of sounds kept in a group; more would only be louder
_REVERSED_TOUCH: dict[Touch, Touch] = {"set": "lift", "fall": "lift", "lift": "set", "slide": "slide"}


class SoundCue(NamedTuple):
    """Sound of a marble of ``colour`` on ``level``, due at ``time`` in seconds.

    ``level`` 0 is the board itself. ``gain`` scales the loudness; for marbles, it is less than 1 after a rebound and
    for sounds that overlap others. If the sound is made by another object, ``object_kind`` is the object's key in
    :data:`OBJECT_TOUCHES`.
    """

    time: float
    kind: Touch
    colour: int
    level: int
    gain: float = 1.0
    object_kind: str = ""


OBJECT_TOUCHES: Mapping[str, tuple[Touch, ...]] = MappingProxyType(
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
    """Contact of a marble with its socket or with the table, from ``start`` to ``end`` in seconds.

    ``level`` is the level of the socket, or 0 on the table. ``gain`` scales the loudness and is less than 1 for the
    contact after a rebound.
    """

    start: float
    end: float
    kind: Touch
    colour: int
    level: int
    gain: float = 1.0

    def reversed(self, time_sum: float) -> Contact:
        """Return the contact as it occurs when the motion is played backwards.

        The kinds "set" and "fall" become "lift", and "lift" becomes "set". ``time_sum`` is the sum of the start and end
        times of the motion.
        """
        return self._replace(
            start=time_sum - self.end, end=time_sum - self.start, kind=_REVERSED_TOUCH[self.kind]
        )


def make_cues(contacts: Sequence[Contact]) -> list[SoundCue]:
    """Return the cues for the contacts, in order of time.

    Contacts of the same gain form a group if their sounds begin within ``GROUP_SECONDS`` of the first one. At most
    ``MAX_VOICES_PER_GROUP`` contacts of a group are kept, and their gains are reduced so that the group is as loud as a
    single sound.
    """
    cues: list[SoundCue] = []
    for gain in {contact.gain for contact in contacts}:
        left = sorted(
            SoundCue(c.start - (ROLL_OFF_SECONDS if c.kind == "fall" else 0.0), c.kind, c.colour, c.level)
            for c in contacts
            if c.gain == gain
        )
        while left:
            end = left[0].time + GROUP_SECONDS
            group = [cue for cue in left if cue.time <= end]
            left = left[len(group) :]
            count = min(len(group), MAX_VOICES_PER_GROUP)
            chosen = (group[i * len(group) // count] for i in range(count))
            cues += [cue._replace(gain=gain / math.sqrt(count)) for cue in chosen]
    return sorted(cues)


def take_due(pending: list[SoundCue], now: float) -> list[SoundCue]:
    """Remove the cues due by ``now`` from ``pending`` and return them."""
    found = [cue for cue in pending if cue.time <= now]
    pending[:] = [cue for cue in pending if cue.time > now]
    return found


def truncate_cues(pending: Sequence[SoundCue]) -> list[SoundCue]:
    """Return what remains of the pending cues when the motion is cut short.

    The result is at most one cue, due immediately: the last landing, played as a marble being set down, or the last cue
    if there is no landing.
    """
    landing = [cue for cue in pending if cue.kind in ("set", "fall")]
    if landing:
        return [landing[-1]._replace(time=-math.inf, kind="set", gain=1.0)]
    return [cue._replace(time=-math.inf, gain=1.0) for cue in pending[-1:]]
