"""Accessible descriptions of the boards and tables, for screen readers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from shibumi3d.i18n import language
from shibumi3d.rules.wording import capital
from shibumi3d.scene.rect import Rect

from ..marbles.heard import Told, level_of
from ..ui.tree import Thing

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.state import State
    from shibumi3d.scene.marbles.stage import Stage
    from shibumi3d.scene.table import Spot, TableScene

    from ..host.view import View

HALF = 14.0
"""Half the side length of the square reported as an item's position, in logical pixels."""


def about(x: float, y: float, half: float = HALF) -> Rect:
    """Return the square with centre (x, y) and side length ``2 * half``."""
    return Rect(x - half, y - half, 2 * half, 2 * half)


def marbles_told(
    stage: Stage,
    state: State,
    view: View,
    names: Sequence[str],
    moves: bool,
    covered: frozenset[int] = frozenset(),
) -> list[Thing]:
    """Return the marbles, and the empty holes that can take a marble, by board, level and point.

    Levels are listed from the lowest up. If ``moves`` is true, marbles on the boards can be moved or taken in this
    game, and pinned marbles are described as such. Holes of ``covered`` boards are left out.
    """
    told = Told(state.size, stage.marbles, moves)
    level = told.pyramid.level
    found = []
    seen = set(stage.marbles).union(
        *[told.holes(board) for board in range(len(state.board_names)) if board not in covered]
    )
    for board, point in sorted(seen, key=lambda at: (at[0], level[at[1]], at[1])):
        words = ", ".join([told.pyramid.names[point], *told.words(board, point)])
        place = about(*view.on_screen(stage.anchor(board, point)))
        key, group = state.point_name(point, board), level_of(state, board, point, names)
        lines, stands = told.lines(board, point), (board, point) in stage.marbles
        found.append(Thing(key, words, place, group=group, stands=stands, lines=lines))
    return found


def things_told(
    game: Any,
    seen: Any,
    scene: TableScene,
    names: Sequence[str],
    where: Callable[[Spot], tuple[float, float]],
    press: Callable[[str], Callable[[], object] | None] = lambda key: None,
    marked: Callable[[str], Sequence[str]] = lambda key: (),
) -> list[Thing]:
    """Return the items on a table that have a description, in the order of the scene's spots.

    ``where`` returns the position of a spot in the window. Given the key of an item, ``press`` returns the action of a
    click on it, and ``marked`` returns descriptions of its marks.
    """
    found = []
    for key, spot in scene.spots().items():
        line = game.thing_line(seen, key, language(), names)
        if line:
            name = ", ".join([capital(line), *marked(key)])
            found.append(Thing(key, name, about(*where(spot)), press(key)))
    return found
