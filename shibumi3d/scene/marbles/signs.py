"""Signs on points of the boards, and ghosts of marbles that would be placed there."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from shibumi3d.scene.marbles.layout import HOLE

BEAD = 0.24  # radius of the bead in the socket of a legal point above level A
RING = HOLE + 0.06  # radius of the ring around the hole of a legal point
ENTRY = 0.17  # half the length of the chevron in front of a row
STRONG = 3.0  # line width of marks that must be noticed at once
GHOST = 0.38  # radius of a ghost in its socket; smaller than a marble
GHOST_ALPHA = 0.45


class SignKind(Enum):
    """Meaning of a sign; :mod:`.marks` determines how it is drawn."""

    LEGAL = "legal"  # can be chosen; ``colours`` if there is a choice of several
    LAST = "last"  # the last move ended here
    FELL = "fell"  # just fell
    LIFTABLE = "liftable"
    HOVER = "hover"  # thin outline under the pointer; strong: the marble can be lifted, and rises slightly
    ORIGIN = "origin"  # the lifted marble came from here
    PINNED = "pinned"  # supports two or more marbles
    LOADED = "loaded"  # supports one marble
    DOOMED = "doomed"  # would be captured or removed
    WIN = "win"  # part of the winning shape, which is traced with a line
    LIT = "lit"  # decided who won, but is not traced
    COUNTED = "counted"  # was counted and compared with the winner's marbles
    EVEN = "even"  # nothing on the board was decisive, and nobody won
    BESIDE = "beside"  # nothing on the board was decisive; the winning marbles are beside it
    HINT = "hint"
    CURSOR = "cursor"  # the keyboard cursor
    STACKED = "stacked"  # a marble would be stacked here because of the point ``to`` (-1: no cause shown)
    REPLACED = "replaced"  # the marble would be exchanged for another
    DYED = "dyed"  # the marble would take the first of ``colours``
    LOCKED = "locked"  # no marble may be put here; with ``colours``, only one of the first colour
    ENTRY = "entry"  # a marble may enter here over ``side``
    THREAD = "thread"  # a line to ``to``
    TRAIL = "trail"  # path with an arrow to ``to``: thin for a fall, dotted for a push
    WAY = "way"  # the marble was moved by hand to ``to``
    NUMBER = "number"  # ``number``: its place in the order of events, or in a count
    LINKED = "linked"  # connected to ``to``
    CUT = "cut"  # touches ``to``, but two marbles pass over the contact
    ACTIVE = "active"  # the board in use, if there are several
    CLOTH = "cloth"  # the board is covered, and nothing on it is shown


class Sign(NamedTuple):
    """Sign on ``point`` of ``board``.

    ``strong`` highlights the sign, for example under the pointer or the keyboard cursor. ``alpha`` is its opacity.
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
"""Kinds of signs that are drawn before all others."""


class Ghost(NamedTuple):
    """Translucent marble that shows where a marble would land."""

    board: int
    point: int
    colour: int
    alpha: float = GHOST_ALPHA
