"""Descriptions of boards of marbles, for players who can't see them.

They contain only what the viewer may know.
"""

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
"""Colour of each marble, by (board, point)."""


def level_of(state: State, board: int, point: int, names: Sequence[str]) -> str:
    """Return the name of a point's level, after the name of its board if there are several boards."""
    level = _("level {letter}", letter="ABCDEFGHIJ"[pyramid(state.size).level[point]])
    several = len(state.board_names) > 1
    return f"{capital(board_name(state, board, language(), names))}, {level}" if several else level


class Told:
    """Descriptions of boards of size ``size`` with the visible ``marbles``.

    If ``moves`` is set, marbles on the boards can be moved or taken in this game, and pinned marbles are described as
    such.
    """

    def __init__(self, size: int, marbles: Marbles, moves: bool) -> None:
        self.pyramid: Pyramid = pyramid(size)
        self.marbles = marbles
        self.filled: dict[int, int] = {}
        for board, point in marbles:
            self.filled[board] = self.filled.get(board, 0) | 1 << point
        self.fixed = {board: pinned(self.pyramid, filled) for board, filled in self.filled.items() if moves}

    def holes(self, board: int) -> set[tuple[int, int]]:
        """Return the holes of a board on which a marble can be placed, as (board, point) pairs.

        These are the empty points on the table or on top of four marbles.
        """
        filled, table = self.filled.get(board, 0), self.pyramid
        return {
            (board, point)
            for point in bits(table.all & ~filled)
            if not table.level[point] or not table.supports[point] & ~filled
        }

    def colour(self, board: int, point: int) -> str:
        """Return the name of the colour of the marble on a point, or the word for "empty"."""
        colour = self.marbles.get((board, point))
        return _("empty") if colour is None else colour_name(colour, language())

    def words(self, board: int, point: int) -> list[str]:
        """Describe a point: its marble's colour, how many it supports, and whether it is pinned."""
        found = [self.colour(board, point)]
        if (board, point) in self.marbles:
            carried = (self.filled[board] & self.pyramid.resting[point]).bit_count()
            found += [ngettext("carries {n}", "carries {n}", carried)] if carried else []
            found += [_("can't be moved")] if self.fixed.get(board, 0) >> point & 1 else []
        return found

    def row(self, board: int, level: int, rank: int) -> str:
        """Return a description of one row of a level, read from west to east."""
        return _(
            "row {number}: {told}", number=rank + 1, told=self._line(board, level, self.pyramid.rank, rank)
        )

    def lines(self, board: int, point: int) -> tuple[str, str]:
        """Return descriptions of the row and the column through a point, within its level.

        Rows are read from west to east, columns from south to north.
        """
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
    """Yield descriptions of the boards of ``state``, one for each level.

    ``state`` must be a view that contains only what the listener may know. Levels above the lowest are skipped if they
    are empty. ``at``, the letter of a level or the name of a point, limits the output to that level, or to that point
    and the lines through it.
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
