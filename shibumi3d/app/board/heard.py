"""What stands on boards and lies on tables, as those are told who do not see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.rules.marbles.wording.naming import board_name, colour_name
from shibumi3d.rules.wording import capital
from shibumi3d.scene.rect import Rect

from ..text import language, say
from ..ui.tree import Thing

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.state import State
    from shibumi3d.scene.marbles.stage import Stage
    from shibumi3d.scene.table import Spot, TableScene

    from ..host.view import View

HALF = 14.0
"""Half the side of the square, in logical pixels, in which something is said to lie."""


def about(x: float, y: float, half: float = HALF) -> Rect:
    """Return the square about a place, with half its side."""
    return Rect(x - half, y - half, 2 * half, 2 * half)


def level_of(state: State, board: int, point: int, names: Sequence[str]) -> str:
    """Return how the level of a point is called, with its board's name where there are several."""
    level = say("heard.level-of", letter="ABCDEFGHIJ"[pyramid(state.size).level[point]])
    several = len(state.board_names) > 1
    return f"{capital(board_name(state, board, language(), names))}, {level}" if several else level


def marbles_told(stage: Stage, state: State, view: View, names: Sequence[str]) -> list[Thing]:
    """Return the marbles that are seen on boards, by boards and levels, lowest first."""
    level = pyramid(state.size).level
    found = []
    for (board, point), colour in sorted(
        stage.marbles.items(), key=lambda at: (at[0][0], level[at[0][1]], at[0][1])
    ):
        words = f"{pyramid(state.size).names[point]}, {colour_name(colour, language())}"
        place = about(*view.on_screen(stage.anchor(board, point)))
        key = state.point_name(point, board)
        found.append(Thing(key, words, place, group=level_of(state, board, point, names)))
    return found


def things_told(
    game: Any,
    seen: Any,
    scene: TableScene,
    names: Sequence[str],
    where: Callable[[Spot], tuple[float, float]],
    press: Callable[[str], Callable[[], object] | None] = lambda key: None,
) -> list[Thing]:
    """Return what of a table has a name, in the order in which its scene tells it.

    ``where`` tells where in the window a spot is seen, ``press`` what a click on the one of a key does.
    """
    found = []
    for key, spot in scene.spots().items():
        line = game.thing_line(seen, key, language(), names)
        if line:
            found.append(Thing(key, capital(line), about(*where(spot)), press(key)))
    return found
