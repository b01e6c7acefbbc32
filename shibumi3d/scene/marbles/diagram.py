"""Flat diagrams of a board with its levels side by side, as in the rule book.

They can be drawn with any :class:`.Pen`, so the window and printed pages share the same drawing code.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.scene import palette
from shibumi3d.scene.pen import Colour, Pen, faded, mixed, rgb
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import DARK, UNKNOWN, Style

RIM, UNDER = 0.16, 0.44
"""Margins around the points of a level, in cells: for level A, and for the levels above it.

The upper levels need a wider margin because the marbles below them are drawn too.
"""
LETTERS, TITLE, GAP = 0.44, 0.5, 0.1
"""Space for file and rank labels, for the title, and between levels, in cells."""
STONE = 0.42
"""Radius of a marble, in cells."""
SMALLEST = 11
"""Minimum font size in the window, in logical pixels."""
ONE_LINE = 0.88
"""Factor that favours layouts with fewer lines.

A layout with more lines is chosen only if its cell size, multiplied by this factor, exceeds the cell size of the best
layout with fewer lines.
"""

EDGE, LEGAL, LAST, WIN, STOP = (rgb(palette.MARKS[name]) for name in ("edge", "legal", "last", "win", "stop"))


@dataclass(frozen=True)
class Diagram:
    """Layout of the levels of one board.

    ``cell`` is the side of the square around each point. ``grounds`` contains one rectangle for each level.
    """

    size: int
    cell: float
    grounds: tuple[Rect, ...]

    def spot(self, point: int) -> tuple[float, float]:
        """Return the centre of a point; north is up."""
        pyr = pyramid(self.size)
        level = pyr.level[point]
        ground, rim = self.grounds[level], _rim(level) * self.cell
        x = ground.x + rim + (pyr.file[point] + 0.5) * self.cell
        return x, ground.bottom - rim - (pyr.rank[point] + 0.5) * self.cell


def _rim(level: int) -> float:
    return UNDER if level else RIM


def _side(size: int, level: int) -> float:
    """Return the side of a level's background, in cells."""
    return size - level + 2 * _rim(level)


def _broken(count: int, lines: int) -> Iterator[tuple[range, ...]]:
    """Yield all ways to divide ``count`` levels among ``lines`` lines, keeping their order."""
    if lines == 1:
        yield (range(count),)
        return
    for last in range(lines - 1, count):
        for rest in _broken(last, lines - 1):
            yield (*rest, range(last, count))


@lru_cache(maxsize=256)
def arranged(size: int, wide: float, high: float) -> Diagram:
    """Return the largest diagram of a board that fits into the given size, placed at (0, 0).

    The levels are divided into lines that run from left to right or from top to bottom, and each line is centred.
    """
    best: tuple[float, tuple[range, ...], bool] | None = None
    for number in range(1, size + 1):
        found: tuple[float, tuple[range, ...], bool] | None = None
        for lines in _broken(size, number):
            for upright in (False, True):
                w, h = _extent(size, lines, upright)
                cell = min(wide / w, high / h)
                if found is None or cell > found[0]:
                    found = cell, lines, upright
        if found is not None and (best is None or found[0] * ONE_LINE > best[0]):
            best = found
    assert best is not None
    cell, lines, upright = max(best[0], 1.0), best[1], best[2]
    w, h = _extent(size, lines, upright)
    grounds: list[Rect] = []
    along = ((high / cell) - h) / 2 if not upright else ((wide / cell) - w) / 2
    for line in lines:
        thick = _side(size, line[0]) + LETTERS + (0.0 if upright else TITLE)
        extents = [_side(size, level) + LETTERS + (TITLE if upright else 0.0) for level in line]
        whole = sum(extents) + GAP * (len(line) - 1)
        at = ((high if upright else wide) / cell - whole) / 2
        for level, extent in zip(line, extents, strict=True):
            side = _side(size, level)
            if upright:
                x = along + LETTERS + (_side(size, line[0]) - side) / 2
                y = at + TITLE
            else:
                x = at + LETTERS
                y = along + TITLE + (_side(size, line[0]) - side) / 2
            grounds.append(Rect(x * cell, y * cell, side * cell, side * cell))
            at += extent + GAP
        along += thick + GAP
    return Diagram(size, cell, tuple(grounds))


def _extent(size: int, lines: Sequence[range], upright: bool) -> tuple[float, float]:
    """Return the width and height of a layout in cells."""
    beside = TITLE if upright else 0.0
    along = max(sum(_side(size, level) + LETTERS + beside + GAP for level in line) - GAP for line in lines)
    across = sum(_side(size, line[0]) + LETTERS + (TITLE - beside) + GAP for line in lines) - GAP
    return (across, along) if upright else (along, across)


def within(size: int, room: Rect) -> Diagram:
    """Return the largest diagram of a board that fits into ``room``."""
    diagram = arranged(size, room.w, room.h)
    return Diagram(size, diagram.cell, tuple(ground.moved(room.x, room.y) for ground in diagram.grounds))


@lru_cache(maxsize=8)
def side_by_side(room: Rect, size: int, boards: int) -> tuple[Diagram, ...]:
    """Return the diagrams of several boards of one size, laid out in a grid that fills ``room``.

    The number of columns is chosen to make the marbles as large as possible.
    """
    best: tuple[Diagram, ...] = ()
    for columns in range(1, boards + 1):
        wide, high = room.w / columns, room.h / math.ceil(boards / columns)
        rooms = [
            Rect(room.x + i % columns * wide, room.y + i // columns * high, wide, high).inset(4)
            for i in range(boards)
        ]
        found = tuple(within(size, each) for each in rooms)
        best = found if not best or found[0].cell > best[0].cell else best
    return best


def grounds(
    pen: Pen,
    style: Style,
    diagram: Diagram,
    marbles: Mapping[int, int],
    named: Callable[[str], str],
    title: str = "",
    here: bool = False,
    least: int = SMALLEST,
) -> None:
    """Draw the backgrounds of all levels, with names, coordinates and the marbles one level below.

    ``named`` maps the letter of a level to its name, ``title`` is the name of the board, and ``here`` highlights the
    board in use. ``least`` is the minimum font size. File and rank labels are left out if they do not fit.
    """
    pyr, cell = pyramid(diagram.size), diagram.cell
    small = max(least, min(14, round(cell * 0.3)))
    for level, ground in enumerate(diagram.grounds):
        pen.rect(ground, style.ground, cell * 0.12)
        pen.frame(
            ground.inset(-3) if here else ground,
            style.action if here else EDGE,
            cell * 0.12,
            2 if here else 1,
        )
        head = f"{title} · {chr(65 + level)}" if title and not level else named(chr(65 + level))
        place = Rect(ground.x, ground.y - cell * TITLE, ground.w, cell * TITLE)
        head = head if pen.width(head, "sans", small) <= place.w else chr(65 + level)
        # On a level with a single point the letter may be wider than the ground.
        place = Rect(place.x, place.y, max(place.w, pen.width(head, "sans", small) + 1), place.h)
        pen.text_in(place, head, style.soft, "sans", small)
        rim = _rim(level) * cell
        for number in range(diagram.size - level if cell * LETTERS > 0.62 * small else 0):
            down = Rect(ground.x + rim + number * cell, ground.bottom, cell, cell * LETTERS)
            pen.text_in(down, chr(97 + number), style.soft, "sans", small - 1, 0.5)
            up = ground.bottom - rim - (number + 1) * cell
            beside = Rect(ground.x - cell * LETTERS, up, cell * LETTERS, cell)
            pen.text_in(beside, str(number + 1), style.soft, "sans", small - 1, 0.5)
        for below in bits(pyr.levels[level - 1]) if level else ():
            if below in marbles:
                x = ground.x + rim + pyr.file[below] * cell
                y = ground.bottom - rim - pyr.rank[below] * cell
                pen.disc(x, y, cell * STONE, faded(_fill(style, marbles[below]), 0.22))
                pen.ring(x, y, cell * STONE, faded(EDGE, 0.4), max(0.6, cell * 0.015))


def position(
    pen: Pen,
    style: Style,
    diagram: Diagram,
    marbles: Mapping[int, int],
    named: Callable[[str], str],
    title: str,
    last: Collection[int],
) -> None:
    """Draw a board with its marbles, and mark the marbles moved by the last turn.

    ``last`` contains their points.
    """
    grounds(pen, style, diagram, marbles, named, title, least=5)
    for point in range(pyramid(diagram.size).count):
        x, y = diagram.spot(point)
        if point not in marbles:
            hole(pen, x, y, diagram.cell * 0.7)
            continue
        stone(pen, style, x, y, diagram.cell, marbles[point])
        if point in last:
            halo(pen, x, y, diagram.cell * 0.49, LAST, diagram.cell * 0.05)


def hole(pen: Pen, x: float, y: float, cell: float) -> None:
    """Draw an empty hole."""
    pen.disc(x, y, max(1.0, cell * 0.13), faded(EDGE, 0.45))


def _fill(style: Style, colour: int) -> Colour:
    return style.marbles[colour] if 0 <= colour < len(style.marbles) else UNKNOWN


def stone(pen: Pen, style: Style, x: float, y: float, cell: float, colour: int, alpha: float = 1.0) -> None:
    """Draw a marble centred on (x, y), with the sign of its colour if the style shows signs."""
    fill, radius = _fill(style, colour), cell * STONE
    if alpha == 1.0:
        pen.disc(x + radius * 0.06, y + radius * 0.1, radius * 1.04, faded(EDGE, 0.3))
    pen.disc(x, y, radius, faded(fill, alpha))
    pen.ring(x, y, radius, faded(mixed(fill, DARK, 0.65), alpha), max(0.8, cell * 0.03))
    if style.signs and alpha == 1.0 and 0 <= colour < len(style.marbles):
        _print(pen, colour, x, y, radius * 0.35, faded(style.ink_on(colour), style.signs))


def _print(pen: Pen, colour: int, x: float, y: float, size: float, ink: Colour) -> None:
    """Draw the sign printed on marbles of a colour.

    White has none, black a dot, red bars, blue a cross, yellow a triangle, and the next colour a wave.
    """
    match colour:
        case 1:
            pen.disc(x, y, size * 0.7, ink)
        case 2:
            for i in (-1, 0, 1):
                pen.rect(Rect(x - size, y + (i * 0.75 - 0.15) * size, 2 * size, 0.3 * size), ink)
        case 3:
            for way in (-1, 1):
                stroke(pen, (x - size, y - way * size), (x + size, y + way * size), ink, size * 0.35)
        case 4:
            pen.polygon(x, y, [(0, -size), (size, 0.8 * size), (-size, 0.8 * size)], ink)
        case 5:
            places = [(x + size * t / 3, y + size * 0.5 * math.sin(t)) for t in (-3, -1.6, 0, 1.6, 3)]
            for one, other in pairwise(places):
                stroke(pen, one, other, ink, size * 0.3)


def stroke(
    pen: Pen, start: tuple[float, float], end: tuple[float, float], colour: Colour, width: float = 1.2
) -> None:
    """Draw a straight line."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    long = math.hypot(dx, dy)
    if long < 1e-3:
        return
    nx, ny = -dy / long * width / 2, dx / long * width / 2
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    corners = [(-dx / 2 + nx, -dy / 2 + ny), (-dx / 2 - nx, -dy / 2 - ny), (dx / 2 - nx, dy / 2 - ny)]
    pen.polygon(x, y, [*corners, (dx / 2 + nx, dy / 2 + ny)], colour)


def halo(pen: Pen, x: float, y: float, radius: float, colour: Colour, width: float) -> None:
    """Draw a ring with dark edges, visible on marbles as well as on the background."""
    pen.ring(x, y, radius + width * 0.35, faded(EDGE, 0.85 * colour[3]), width * 1.7)
    pen.ring(x, y, radius, colour, width)
