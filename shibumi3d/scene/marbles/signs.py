"""Signs on points of the boards, ghosts of marbles, and the signs that show how a match ended.

At the end of a match, the winning marbles are highlighted, the marbles compared with them are counted, and all others
are dimmed.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.deciding_marbles import find_deciding_marbles
from shibumi3d.rules.marbles.state import State
from shibumi3d.scene.marbles.actors import Cell
from shibumi3d.scene.marbles.layout import HOLE_RADIUS

BEAD_RADIUS = 0.24  # radius of the bead in the socket of a legal point above level A
RING_RADIUS = HOLE_RADIUS + 0.06  # radius of the ring around the hole of a legal point
ENTRY_HALF_LENGTH = 0.17  # half the length of the chevron in front of a row
STRONG_STROKE_PX = 3.0  # line width of marks that must be noticed at once
GHOST_RADIUS = 0.38  # radius of a ghost in its socket; smaller than a marble
GHOST_ALPHA = 0.45


class SignKind(Enum):
    """Meaning of a sign; :mod:`.sign_painter` determines how it is drawn."""

    LEGAL = "legal"  # can be chosen; ``colours`` are its possible colours, if there are several
    LAST = "last"  # the last move ended here
    FALLEN = "fell"  # just fell
    LIFTABLE = "liftable"
    HOVER = "hover"  # outline under the pointer; if highlighted, the marble can be lifted and rises slightly
    ORIGIN = "origin"  # the lifted marble came from here
    PINNED = "pinned"  # supports two or more marbles
    LOADED = "loaded"  # supports one marble
    DOOMED = "doomed"  # would be captured or removed
    WIN = "win"  # part of the winning shape, which is traced with a line
    DECISIVE = "lit"  # decided who won, but is not traced
    COUNTED = "counted"  # was counted and compared with the winner's marbles
    UNDECIDED = "even"  # nothing on the board was decisive, and nobody won
    DECIDED_BESIDE = "beside"  # nothing on the board was decisive; the winning marbles are beside it
    HINT = "hint"
    CURSOR = "cursor"  # the keyboard cursor
    STACKED = (
        "stacked"  # a marble would be stacked here because of the point ``target_point`` (-1: no cause shown)
    )
    REPLACED = "replaced"  # the marble would be exchanged for another
    RECOLOURED = "dyed"  # the marble would take the first of ``colours``
    LOCKED = "locked"  # no marble may be put here; with ``colours``, only one of the first colour
    ENTRY = "entry"  # a marble may enter here from ``side``
    LINE = "thread"  # a line to ``target_point``
    TRAIL = "trail"  # path with an arrow to ``target_point``: thin for a fall, dotted for a push
    HAND_MOVE = "way"  # the marble was moved by hand to ``target_point``
    NUMBER = "number"  # ``number``: its place in the order of events, or in a count
    LINKED = "linked"  # connected to ``target_point``
    CUT = "cut"  # touches ``target_point``, but two marbles pass over the contact
    ACTIVE_BOARD = "active"  # the board in use, if there are several
    COVERED_BOARD = "cloth"  # the board is covered, and nothing on it is shown


class Sign(NamedTuple):
    """Sign on ``point`` of ``board``, or on the whole board.

    ``is_highlighted`` is set, for example, while the pointer or the keyboard cursor is on the sign. ``alpha`` is the
    sign's opacity. The comments in :class:`SignKind` say which of the other fields a kind of sign uses.
    """

    kind: SignKind
    board: int
    point: int = 0
    colours: tuple[int, ...] = ()
    side: int = -1
    target_point: int = -1
    is_highlighted: bool = False
    number: int = 0
    alpha: float = 1.0


DRAWN_FIRST = frozenset((SignKind.LINE, SignKind.LINKED, SignKind.TRAIL, SignKind.HAND_MOVE, SignKind.CUT))
"""Kinds of signs that are drawn before all others."""


class Ghost(NamedTuple):
    """Translucent marble that shows where a marble would land."""

    board: int
    point: int
    colour: int
    alpha: float = GHOST_ALPHA


HIGHLIGHT_KINDS = (SignKind.WIN, SignKind.DECISIVE)
"""Kinds of signs that highlight the marbles that decided the match."""


def make_ending_signs(
    state: State, last_cells: Iterable[Cell] = (), marbles_beside_boards: bool = False
) -> list[Sign]:
    """Return the signs that show how the match ended, or none while it is in progress.

    If nothing on the boards was decisive, there are three cases. If nobody won, the signs outline the boards. If
    somebody won and ``marbles_beside_boards`` is set, the signs say that marbles beside the boards were decisive.
    Otherwise, they highlight the marbles on ``last_cells``, the cells where marbles were last set down.
    """
    result = state.result
    if result is None:
        return []
    parts = find_deciding_marbles(state)
    boards = range(len(state.board_names))
    if not parts:
        if result.winners and marbles_beside_boards:
            return [Sign(SignKind.DECIDED_BESIDE, board) for board in boards]
        if result.winners:
            return [Sign(SignKind.DECISIVE, *seat) for seat in last_cells]
        return [Sign(SignKind.UNDECIDED, board) for board in boards]
    signs: list[Sign] = []
    together = sum(part.has_won for part in parts) < 2
    for part in parts:
        if not part.has_won and result.winners and not part.is_counted:
            continue  # dim what cannot be counted by eye
        joined = part.is_connected and together
        kind = (
            SignKind.COUNTED
            if not part.has_won and result.winners
            else SignKind.WIN
            if joined
            else SignKind.DECISIVE
        )
        seats = [(board, point) for board in boards for point in iter_bits(part.marbles[board])]
        signs += [Sign(kind, *seat) for seat in seats]
        if part.is_counted and len(seats) > 1:
            signs += [
                Sign(SignKind.NUMBER, *seat, is_highlighted=kind is SignKind.COUNTED, number=number)
                for number, seat in enumerate(seats, 1)
            ]
    # Several winners may share the same marbles.
    return list(dict.fromkeys(signs))
