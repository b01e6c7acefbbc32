"""The picture of a match, without a window."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from shibumi3d.app import secrets
from shibumi3d.app.table import Tabletop
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.event import Dropped, Entered, Event, Moved, Placed, Pushed, SideDropped
from shibumi3d.rules.marbles.facts import marble_facts
from shibumi3d.scene.camera import Camera, home
from shibumi3d.scene.frame import Ball, Frame, Piece
from shibumi3d.scene.marbles.signs import Sign, SignKind
from shibumi3d.scene.marbles.stage import Stage
from shibumi3d.scene.palette import Theme, theme

if TYPE_CHECKING:
    from shibumi3d.match.match import Match
    from shibumi3d.rules.marbles.state import State


def frame_of(
    match: Match,
    width: int,
    height: int,
    *,
    colours: Theme | None = None,
    above: bool = False,
    choices: bool = False,
    table: bool = False,
) -> tuple[Frame, Camera]:
    """The board at the cursor of ``match``, its last turn marked, and the view of it.

    ``colours`` are the usual ones unless given. ``above`` looks straight down. ``choices`` marks what may be chosen
    now on the boards. ``table`` shows the marbles beside them. Of a match that is not over nothing is drawn that is
    not known to all.
    """
    viewer = secrets.public_viewer(match)
    state = secrets.seen(match.game, match.state, viewer)
    covered = secrets.covered(match.state, viewer)
    sizes = [state.size] * len(state.board_names)
    tabletop = Tabletop(match.first, marble_facts(match.game, len(match.seats))) if table else None
    camera = home(sizes, width / height, tabletop.lay.around if tabletop else ())
    camera = camera.top() if above else camera
    stage = Stage(sizes, "off")
    stage.reset(state)
    signs = [Sign(SignKind.LAST, board, point) for board, point in last_points(match, state)]
    outcome = state.result
    if outcome is not None:
        for board, shape in enumerate(outcome.shape):
            signs += [Sign(SignKind.WIN, board, point) for point in bits(shape)]
    if choices:
        open_: dict[tuple[int, int], tuple[int, ...]] = {}
        for move in match.moves():
            if move.board in covered:
                continue
            seat = (move.board, move.point)
            if move.kind == "enter":
                signs.append(Sign(SignKind.ENTRY, *seat, side=move.side))
            elif move.point >= 0:
                open_[seat] = (*open_.get(seat, ()), move.colour)
        signs += [Sign(SignKind.LEGAL, *seat, colours=several) for seat, several in open_.items()]
    balls: tuple[Ball, ...] = ()
    pieces: tuple[Piece, ...] = ()
    if tabletop:
        shown = tabletop.show(state, state.to_move or 0, {}, None)
        balls, pieces = shown.balls, shown.pieces
    return stage.frame(
        0.0,
        camera,
        colours or theme(),
        signs=signs,
        extra=balls,
        pieces=pieces,
        aspect=width / height,
    ), camera


def last_points(match: Match, state: State) -> set[tuple[int, int]]:
    """Board and point of the marbles that the last turn brought to where they are, as ``state`` shows them."""
    plies = match.plies
    turn = [event for ply in plies if ply.turn == plies[-1].turn for event in ply.events]
    filled = [state.filled(board) for board in range(len(state.board_names))]
    return {(board, point) for board, point in _arrived(turn) if filled[board] >> point & 1}


def _arrived(events: Iterable[Event]) -> set[tuple[int, int]]:
    places: set[tuple[int, int]] = set()
    for event in events:
        if isinstance(event, Placed | Moved | Entered):
            places.add((event.board, event.point))
        elif isinstance(event, Dropped | Pushed | SideDropped) and (event.board, event.origin) in places:
            places.discard((event.board, event.origin))
            places.add((event.board, event.point))
    return places
