"""Signs about points of the boards: what each says, and marbles to come."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from shibumi3d.scene.marbles.layout import HOLE

BEAD = 0.24  # radius of the bead that lies in the seat of a raised legal point
RING = HOLE + 0.06  # of the ring around the hole of one on the board
ENTRY = 0.17  # half the length of the chevron of a way in
STRONG = 3.0  # of those that must be found at once
GHOST = 0.38  # radius of a marble to come: it lies in its seat, smaller than those that are there
GHOST_ALPHA = 0.45


class SignKind(Enum):
    """What a sign says about a point; how it is drawn is decided here."""

    LEGAL = "legal"  # may be chosen; ``colours`` when several are open
    LAST = "last"  # the last move ended here
    FELL = "fell"  # just fell
    LIFTABLE = "liftable"
    HOVER = (
        "hover"  # thin outline of the marble under the pointer; strong: it may be lifted, and rises a little
    )
    ORIGIN = "origin"  # the lifted marble came from here
    PINNED = "pinned"  # holds up two or more
    LOADED = "loaded"  # holds up one
    DOOMED = "doomed"  # would be captured or removed
    WIN = "win"  # belongs to the winning shape, which is traced
    LIT = "lit"  # was decisive for who won, by itself
    COUNTED = "counted"  # was compared with what won
    EVEN = "even"  # nothing of the board was decisive: the match was won by nobody
    BESIDE = "beside"  # nothing of the board was decisive: what won lies beside it
    HINT = "hint"
    CURSOR = "cursor"  # the keyboard's place
    STACKED = (
        "stacked"  # a marble would be stacked here, caused by the point ``to`` (-1: by nothing to be shown)
    )
    REPLACED = "replaced"  # the marble would be exchanged for another
    DYED = "dyed"  # the marble would take the first of ``colours``
    LOCKED = "locked"  # nothing may be put here, or, with ``colours``, only the first of these
    ENTRY = "entry"  # a marble may enter here over ``side``
    THREAD = "thread"  # a line to the point ``to``
    TRAIL = "trail"  # a dotted line, with an arrow, to the point ``to``
    WAY = "way"  # the marble went by hand to the point ``to``
    NUMBER = "number"  # ``number`` in the order of what happened, or would happen
    LINKED = "linked"  # connected with the point ``to``
    CUT = "cut"  # touches the point ``to``, but two marbles pass over the contact
    ACTIVE = "active"  # the board in use, of several
    CLOTH = "cloth"  # the board is covered: nothing of it is shown


class Sign(NamedTuple):
    """A sign on ``point`` of ``board``; ``strong`` when the pointer or the keys are on it.

    ``alpha`` is how much of it is to be seen.
    """

    kind: SignKind
    board: int
    point: int = 0
    colours: tuple[int, ...] = ()
    side: int = -1
    to: int = -1
    strong: bool = False
    number: int = 0
    alpha: float = 1.0


UNDER = frozenset((SignKind.THREAD, SignKind.LINKED, SignKind.TRAIL, SignKind.WAY, SignKind.CUT))
"""Signs drawn before all others."""


class Ghost(NamedTuple):
    """A see-through marble where one would land."""

    board: int
    point: int
    colour: int
    alpha: float = GHOST_ALPHA
