"""Descriptions of boards of marbles, for players who can't see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from shibumi3d.i18n import _, language, ngettext
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.position import pinned_marbles
from shibumi3d.rules.marbles.pyramid import Pyramid, get_pyramid
from shibumi3d.rules.marbles.wording.names import board_name, colour_name
from shibumi3d.rules.wording import capitalize_first

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.state import State


MarbleColours = Mapping[tuple[int, int], int]
"""Colour of each marble, by (board, point)."""


def level_name(state: State, board: int, point: int, names: Sequence[str]) -> str:
    """Return the name of a point's level, preceded by the name of its board if there are several boards.

    ``names`` are the names of the players.
    """
    level = _("level {letter}", letter="ABCDEFGHIJ"[get_pyramid(state.size).level[point]])
    several = len(state.board_names) > 1
    return f"{capitalize_first(board_name(state, board, language(), names))}, {level}" if several else level


class BoardDescriber:
    """Object that describes boards in words.

    ``size`` is the size of the boards, and ``marbles`` are the visible marbles on them. Set ``marbles_can_move`` if
    marbles on the boards can be moved or taken during the game; pinned marbles are then described as such.
    """

    def __init__(self, size: int, marbles: MarbleColours, marbles_can_move: bool) -> None:
        self.geometry: Pyramid = get_pyramid(size)
        self.marbles = marbles
        self.filled_points: dict[int, int] = {}
        for board, point in marbles:
            self.filled_points[board] = self.filled_points.get(board, 0) | 1 << point
        self.pinned_points = {
            board: pinned_marbles(self.geometry, filled)
            for board, filled in self.filled_points.items()
            if marbles_can_move
        }

    def placeable_points(self, board: int) -> set[tuple[int, int]]:
        """Return the points of a board on which a marble can be placed, as (board, point) pairs.

        These are the empty points of the lowest level and those on top of four marbles.
        """
        filled, table = self.filled_points.get(board, 0), self.geometry
        return {
            (board, point)
            for point in iter_bits(table.all_points & ~filled)
            if not table.level[point] or not table.supports[point] & ~filled
        }

    def colour_text(self, board: int, point: int) -> str:
        """Return the name of the colour of the marble on a point, or "empty", in the current language."""
        colour = self.marbles.get((board, point))
        return _("empty") if colour is None else colour_name(colour, language())

    def describe_point(self, board: int, point: int) -> list[str]:
        """Return phrases that describe a point, beginning with "empty" or the colour of its marble.

        If other marbles rest on the marble, the next phrase says how many. If the marble is pinned and marbles can be
        moved in the game, the last phrase says that it can't be moved.
        """
        descriptions = [self.colour_text(board, point)]
        if (board, point) in self.marbles:
            carried = (self.filled_points[board] & self.geometry.resting[point]).bit_count()
            descriptions += (
                [ngettext("carries {n} marble", "carries {n} marbles", carried)] if carried else []
            )
            descriptions += [_("can't be moved")] if self.pinned_points.get(board, 0) >> point & 1 else []
        return descriptions

    def describe_row(self, board: int, level: int, rank: int) -> str:
        """Return a description of one row of a level, from west to east.

        ``rank`` is the number of the row, counted from 0 in the south.
        """
        return _(
            "rank {number}: {told}",
            number=rank + 1,
            told=self._describe_line(board, level, self.geometry.rank, rank),
        )

    def describe_lines(self, board: int, point: int) -> tuple[str, str]:
        """Return descriptions of the row and the column through a point, within its level.

        Rows are read from west to east, columns from south to north.
        """
        geometry = self.geometry
        level, file = geometry.level[point], geometry.file[point]
        column = self._describe_line(board, level, geometry.file, file)
        return (
            self.describe_row(board, level, geometry.rank[point]),
            _("file {letter}: {told}", letter=chr(ord("a") + file), told=column),
        )

    def _describe_line(self, board: int, level: int, line_by_point: Sequence[int], line: int) -> str:
        points = (point for point in iter_bits(self.geometry.levels[level]) if line_by_point[point] == line)
        return ", ".join(self.colour_text(board, point) for point in points)


def describe_boards(
    state: State, names: Sequence[str], marbles_can_move: bool, level_or_point: str = ""
) -> Iterator[str]:
    """Yield descriptions of the boards of ``state``, level by level.

    ``state`` must be a view that contains only what the listener may know, and ``names`` are the names of the players.
    ``level_or_point`` is the letter of a level or the name of a point, in upper or lower case; it limits the output to
    that level, or to that point and the lines through it. If it is empty, all levels are described except empty ones
    above the lowest. If ``marbles_can_move`` is true, the description of a point says whether its marble is pinned.
    """
    marbles = {
        (board, point): colour
        for board in range(len(state.board_names))
        for colour, mask in enumerate(state.cells(board))
        for point in iter_bits(mask)
    }
    describer = BoardDescriber(state.size, marbles, marbles_can_move)
    table = describer.geometry
    for board in range(len(state.board_names)):
        for level, mask in enumerate(table.levels):
            filled = bool(describer.filled_points.get(board, 0) & mask)
            letter = "ABCDEFGHIJ"[level]
            points = [
                point
                for point in iter_bits(mask)
                if level_or_point.lower()
                in (table.point_names[point].lower(), state.point_name(point, board).lower())
            ]
            if (
                (not points and level_or_point.upper() != letter)
                if level_or_point
                else (level and not filled)
            ):
                continue
            heading = capitalize_first(level_name(state, board, next(iter(iter_bits(mask))), names))
            if points:
                name = ", ".join([table.point_names[points[0]], *describer.describe_point(board, points[0])])
                lines = map(capitalize_first, describer.describe_lines(board, points[0]))
                yield _("{level}: {told}", level=heading, told=". ".join([name, *lines]))
            elif not filled:
                yield _("{level}: {told}", level=heading, told=_("empty"))
            else:
                rows = (describer.describe_row(board, level, rank) for rank in range(state.size - level))
                yield _("{level}: {told}", level=heading, told="; ".join(rows))
