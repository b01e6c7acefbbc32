"""Accessible descriptions of boards and tables, for screen readers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from shibumi3d.i18n import language
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.rect import Rect

from ..board_descriptions import BoardDescriber, level_name
from ..ui.accessibility import BoardElement

if TYPE_CHECKING:
    from shibumi3d.rules.game import Game
    from shibumi3d.rules.game import State as GameState
    from shibumi3d.rules.marbles.state import State
    from shibumi3d.scene.marbles.scene import MarbleScene
    from shibumi3d.scene.table_scene import Spot, TableScene

    from ..host.board_view import BoardView


ELEMENT_HALF_SIZE_PX = 14.0
"""Half the side length of the square reported as an item's position, in logical pixels."""


def square_around(x: float, y: float, half_size: float = ELEMENT_HALF_SIZE_PX) -> Rect:
    """Return the square with centre (x, y) and side length ``2 * half_size``."""
    return Rect(x - half_size, y - half_size, 2 * half_size, 2 * half_size)


def board_elements(
    marble_scene: MarbleScene,
    state: State,
    view: BoardView,
    names: Sequence[str],
    marbles_can_move: bool,
    covered_boards: frozenset[int] = frozenset(),
) -> list[BoardElement]:
    """Return elements for all marbles and the empty points that can take one, sorted by board, level and point.

    Levels are listed from the lowest up. Set ``marbles_can_move`` if marbles on the boards can be moved or taken in
    this game; pinned marbles are then described as such. Empty points on the boards in ``covered_boards`` are left out.
    ``names`` are the players' names.
    """
    describer = BoardDescriber(state.size, marble_scene.marbles, marbles_can_move)
    level = describer.geometry.level
    elements = []
    cells = set(marble_scene.marbles).union(
        *[
            describer.placeable_points(board)
            for board in range(len(state.board_names))
            if board not in covered_boards
        ]
    )
    for board, point in sorted(cells, key=lambda at: (at[0], level[at[1]], at[1])):
        description = ", ".join(
            [describer.geometry.point_names[point], *describer.describe_point(board, point)]
        )
        rect = square_around(*view.to_window(marble_scene.marble_position(board, point)))
        key, group = state.point_name(point, board), level_name(state, board, point, names)
        line_texts, is_object = describer.describe_lines(board, point), (board, point) in marble_scene.marbles
        elements.append(
            BoardElement(key, description, rect, group=group, is_object=is_object, line_texts=line_texts)
        )
    return elements


def scene_elements(
    game: Game,
    observation: GameState,
    scene: TableScene,
    names: Sequence[str],
    spot_position: Callable[[Spot], tuple[float, float]],
    click_action: Callable[[str], Callable[[], object] | None] = lambda key: None,
    describe_marks: Callable[[str], Sequence[str]] = lambda key: (),
) -> list[BoardElement]:
    """Return elements for screen readers, one for each item on a table, in the order of the scene's spots.

    Items without a description are left out. ``spot_position`` returns the position of a spot in the window.
    ``click_action`` returns the function that a click on the item with the given key calls, or None. ``describe_marks``
    returns descriptions of the marks on the item with the given key.
    """
    elements = []
    for key, spot in scene.spots().items():
        line = game.describe_spot(observation, key, language(), names)
        if line:
            name = ", ".join([capitalize_first(line), *describe_marks(key)])
            elements.append(BoardElement(key, name, square_around(*spot_position(spot)), click_action(key)))
    return elements
