"""What stands on boards of marbles in words, for those who do not see them: no pixels, only what may be seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from shibumi3d.i18n import _, language, ngettext
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.position import pinned
from shibumi3d.rules.marbles.pyramid import Pyramid, pyramid
from shibumi3d.rules.marbles.wording.naming import board_name, colour_name
from shibumi3d.rules.wording import capital

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.state import State

Marbles = Mapping[tuple[int, int], int]
"""Colours by board and point."""


def level_of(state: State, board: int, point: int, names: Sequence[str]) -> str:
    """Return how the level of a point is called, with its board's name where there are several."""
    level = _("level {letter}", letter="ABCDEFGHIJ"[pyramid(state.size).level[point]])
    several = len(state.board_names) > 1
    return f"{capital(board_name(state, board, language(), names))}, {level}" if several else level


class Told:
    """Tells of the ``marbles`` that are seen. ``moves`` says whether any that are on boards may be moved or taken."""

    def __init__(self, size: int, marbles: Marbles, moves: bool) -> None:
        self.pyramid: Pyramid = pyramid(size)
        self.marbles = marbles
        self.filled: dict[int, int] = {}
        for board, point in marbles:
            self.filled[board] = self.filled.get(board, 0) | 1 << point
        self.fixed = {board: pinned(self.pyramid, filled) for board, filled in self.filled.items() if moves}

    def holes(self, board: int) -> set[tuple[int, int]]:
        """Return the empty places of a board on which a marble would rest, on the table or on four marbles."""
        filled, table = self.filled.get(board, 0), self.pyramid
        return {
            (board, point)
            for point in bits(table.all & ~filled)
            if not table.level[point] or not table.supports[point] & ~filled
        }

    def colour(self, board: int, point: int) -> str:
        """Return the colour of what stands at a point, or that nothing does."""
        colour = self.marbles.get((board, point))
        return _("empty") if colour is None else colour_name(colour, language())

    def words(self, board: int, point: int) -> list[str]:
        """Return what stands at a point: its colour, what it carries, and whether it can be moved."""
        found = [self.colour(board, point)]
        if (board, point) in self.marbles:
            carried = (self.filled[board] & self.pyramid.resting[point]).bit_count()
            found += [ngettext("supports {n}", "supports {n}", carried)] if carried else []
            found += [_("can't be moved")] if self.fixed.get(board, 0) >> point & 1 else []
        return found

    def row(self, board: int, level: int, rank: int) -> str:
        """Return a row of a level, from west to east."""
        return _(
            "row {number}: {told}", number=rank + 1, told=self._line(board, level, self.pyramid.rank, rank)
        )

    def lines(self, board: int, point: int) -> tuple[str, str]:
        """Return the row and the column of a level that go through a point, from west to east and south to north."""
        table = self.pyramid
        level, file = table.level[point], table.file[point]
        told = self._line(board, level, table.file, file)
        return (
            self.row(board, level, table.rank[point]),
            _("column {letter}: {told}", letter=chr(ord("a") + file), told=told),
        )

    def _line(self, board: int, level: int, of: Sequence[int], number: int) -> str:
        points = (point for point in bits(self.pyramid.levels[level]) if of[point] == number)
        return ", ".join(self.colour(board, point) for point in points)


def boards_told(state: State, names: Sequence[str], moves: bool, at: str = "") -> Iterator[str]:
    """Yield what stands on the boards of a state, as whoever asks may see it: every level on which anything stands, row
    by row; or only the level of a letter, or the point, that ``at`` names.
    """
    marbles = {
        (board, point): colour
        for board in range(len(state.board_names))
        for colour, mask in enumerate(state.cells(board))
        for point in bits(mask)
    }
    told = Told(state.size, marbles, moves)
    table = told.pyramid
    for board in range(len(state.board_names)):
        for level, mask in enumerate(table.levels):
            filled = bool(told.filled.get(board, 0) & mask)
            letter = "ABCDEFGHIJ"[level]
            points = [
                point
                for point in bits(mask)
                if at.lower() in (table.names[point].lower(), state.point_name(point, board).lower())
            ]
            if (not points and at.upper() != letter) if at else (level and not filled):
                continue
            heading = capital(level_of(state, board, next(iter(bits(mask))), names))
            if points:
                name = ", ".join([table.names[points[0]], *told.words(board, points[0])])
                lines = map(capital, told.lines(board, points[0]))
                yield _("{level}: {told}", level=heading, told=". ".join([name, *lines]))
            elif not filled:
                yield _("{level}: {told}", level=heading, told=_("nothing"))
            else:
                rows = (told.row(board, level, rank) for rank in range(state.size - level))
                yield _("{level}: {told}", level=heading, told="; ".join(rows))
