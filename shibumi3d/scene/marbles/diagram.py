"""Flat diagrams of a board with its levels side by side, as in the rule book.

They can be drawn with any :class:`.Pen`, so the window and printed pages share the same drawing code.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene import palette
from shibumi3d.scene.pen import Colour, Pen, mix_colours, multiply_alpha, rgba
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BLACK, UNKNOWN_MARBLE_FILL, Style

BOTTOM_RIM, UPPER_RIM = 0.16, 0.44
"""Margins around the points of a level, in cells: for level A, and for the levels above it.

The upper levels need a wider margin because the marbles below them are drawn too.
"""
LABEL_SPACE, TITLE_SPACE, LEVEL_GAP = 0.44, 0.5, 0.1
"""Space for file and rank labels, for the title, and between levels, in cells."""
MARBLE_RADIUS = 0.42
"""Radius of a marble, in cells."""
MIN_FONT_SIZE_PX = 11
"""Minimum font size of level names in the window, in logical pixels."""
FEWER_LINES_FACTOR = 0.88
"""Factor that favours layouts with fewer lines.

A layout with more lines is chosen only if its cell size, multiplied by this factor, exceeds the cell size of the best
layout with fewer lines.
"""

EDGE_COLOUR, LEGAL_COLOUR, LAST_MOVE_COLOUR, WINNING_COLOUR, STOP_COLOUR = (
    rgba(palette.MARK_COLOURS[name]) for name in ("edge", "legal", "last", "win", "stop")
)


@dataclass(frozen=True)
class Diagram:
    """Layout of the levels of one board.

    ``cell_size`` is the side length of the square around each point. ``backgrounds`` contains one rectangle for each
    level.
    """

    size: int
    cell_size: float
    backgrounds: tuple[Rect, ...]

    def point_centre(self, point: int) -> tuple[float, float]:
        """Return the centre of a point; north is up."""
        pyr = get_pyramid(self.size)
        level = pyr.level[point]
        ground, rim = self.backgrounds[level], _rim_width(level) * self.cell_size
        x = ground.x + rim + (pyr.file[point] + 0.5) * self.cell_size
        return x, ground.bottom - rim - (pyr.rank[point] + 0.5) * self.cell_size


def _rim_width(level: int) -> float:
    return UPPER_RIM if level else BOTTOM_RIM


def _level_side(size: int, level: int) -> float:
    """Return the side length of a level's background, in cells."""
    return size - level + 2 * _rim_width(level)


def _line_breaks(count: int, lines: int) -> Iterator[tuple[range, ...]]:
    """Yield each way to divide ``count`` levels among ``lines`` lines, as one range of levels for each line."""
    if lines == 1:
        yield (range(count),)
        return
    for last in range(lines - 1, count):
        for rest in _line_breaks(last, lines - 1):
            yield (*rest, range(last, count))


@lru_cache(maxsize=256)
def arrange_levels(size: int, width: float, height: float) -> Diagram:
    """Return a diagram of a board of ``size`` in the area from (0, 0) to (``width``, ``height``).

    The levels are arranged in centred rows or columns. A layout with more rows or columns is chosen only if it makes
    the cells clearly larger; see :data:`FEWER_LINES_FACTOR`. The cell size is at least 1, even if the diagram is then
    larger than the area.
    """
    best: tuple[float, tuple[range, ...], bool] | None = None
    for number in range(1, size + 1):
        found: tuple[float, tuple[range, ...], bool] | None = None
        for lines in _line_breaks(size, number):
            for upright in (False, True):
                w, h = _layout_size(size, lines, upright)
                cell = min(width / w, height / h)
                if found is None or cell > found[0]:
                    found = cell, lines, upright
        if found is not None and (best is None or found[0] * FEWER_LINES_FACTOR > best[0]):
            best = found
    assert best is not None
    cell, lines, upright = max(best[0], 1.0), best[1], best[2]
    w, h = _layout_size(size, lines, upright)
    grounds: list[Rect] = []
    along = ((height / cell) - h) / 2 if not upright else ((width / cell) - w) / 2
    for line in lines:
        thick = _level_side(size, line[0]) + LABEL_SPACE + (0.0 if upright else TITLE_SPACE)
        extents = [
            _level_side(size, level) + LABEL_SPACE + (TITLE_SPACE if upright else 0.0) for level in line
        ]
        whole = sum(extents) + LEVEL_GAP * (len(line) - 1)
        at = ((height if upright else width) / cell - whole) / 2
        for level, extent in zip(line, extents, strict=True):
            side = _level_side(size, level)
            if upright:
                x = along + LABEL_SPACE + (_level_side(size, line[0]) - side) / 2
                y = at + TITLE_SPACE
            else:
                x = at + LABEL_SPACE
                y = along + TITLE_SPACE + (_level_side(size, line[0]) - side) / 2
            grounds.append(Rect(x * cell, y * cell, side * cell, side * cell))
            at += extent + LEVEL_GAP
        along += thick + LEVEL_GAP
    return Diagram(size, cell, tuple(grounds))


def _layout_size(size: int, lines: Sequence[range], is_vertical: bool) -> tuple[float, float]:
    """Return the width and height of a layout, in cells.

    ``lines`` contains the levels in each column if ``is_vertical`` is set, otherwise those in each row.
    """
    beside = TITLE_SPACE if is_vertical else 0.0
    along = max(
        sum(_level_side(size, level) + LABEL_SPACE + beside + LEVEL_GAP for level in line) - LEVEL_GAP
        for line in lines
    )
    across = (
        sum(_level_side(size, line[0]) + LABEL_SPACE + (TITLE_SPACE - beside) + LEVEL_GAP for line in lines)
        - LEVEL_GAP
    )
    return (across, along) if is_vertical else (along, across)


def fit_diagram(size: int, area: Rect) -> Diagram:
    """Return a diagram of a board of ``size`` in ``area``; see :func:`arrange_levels`."""
    diagram = arrange_levels(size, area.w, area.h)
    return Diagram(
        size, diagram.cell_size, tuple(ground.moved(area.x, area.y) for ground in diagram.backgrounds)
    )


@lru_cache(maxsize=8)
def fit_diagrams(area: Rect, size: int, boards: int) -> tuple[Diagram, ...]:
    """Return the diagrams of several boards of one size, laid out in a grid that fills ``area``.

    The number of columns is chosen to make the marbles as large as possible.
    """
    best: tuple[Diagram, ...] = ()
    for columns in range(1, boards + 1):
        wide, high = area.w / columns, area.h / math.ceil(boards / columns)
        rooms = [
            Rect(area.x + i % columns * wide, area.y + i // columns * high, wide, high).inset(4)
            for i in range(boards)
        ]
        found = tuple(fit_diagram(size, each) for each in rooms)
        best = found if not best or found[0].cell_size > best[0].cell_size else best
    return best


def draw_level_backgrounds(
    pen: Pen,
    style: Style,
    diagram: Diagram,
    marbles: Mapping[int, int],
    level_name: Callable[[str], str],
    title: str = "",
    is_active: bool = False,
    min_font_size: int = MIN_FONT_SIZE_PX,
) -> None:
    """Draw the background of each level with its name, coordinates and the marbles of the level below.

    ``marbles`` maps points to colours. ``level_name`` maps the letter of a level to its name. ``title`` is the name of
    the board, or "" if it has none. If ``is_active`` is set, the board is highlighted as the one in use.
    ``min_font_size`` is the minimum font size of the names, in the pen's units. The labels of files and ranks are one
    unit smaller than the names; they are left out if they do not fit.
    """
    pyr, cell = get_pyramid(diagram.size), diagram.cell_size
    small = max(min_font_size, min(14, round(cell * 0.3)))
    for level, ground in enumerate(diagram.backgrounds):
        pen.rect(ground, style.diagram_ground, cell * 0.12)
        pen.outline(
            ground.inset(-3) if is_active else ground,
            style.action if is_active else EDGE_COLOUR,
            cell * 0.12,
            2 if is_active else 1,
        )
        head = f"{title} · {chr(65 + level)}" if title and not level else level_name(chr(65 + level))
        place = Rect(ground.x, ground.y - cell * TITLE_SPACE, ground.w, cell * TITLE_SPACE)
        head = head if pen.text_width(head, "sans", small) <= place.w else chr(65 + level)
        # On a level with a single point, the letter may be wider than the background.
        place = Rect(place.x, place.y, max(place.w, pen.text_width(head, "sans", small) + 1), place.h)
        pen.text_in(place, head, style.secondary_ink, "sans", small)
        rim = _rim_width(level) * cell
        for number in range(diagram.size - level if cell * LABEL_SPACE > 0.62 * small else 0):
            down = Rect(ground.x + rim + number * cell, ground.bottom, cell, cell * LABEL_SPACE)
            pen.text_in(down, chr(97 + number), style.secondary_ink, "sans", small - 1, 0.5)
            up = ground.bottom - rim - (number + 1) * cell
            beside = Rect(ground.x - cell * LABEL_SPACE, up, cell * LABEL_SPACE, cell)
            pen.text_in(beside, str(number + 1), style.secondary_ink, "sans", small - 1, 0.5)
        for below in iter_bits(pyr.levels[level - 1]) if level else ():
            if below in marbles:
                x = ground.x + rim + pyr.file[below] * cell
                y = ground.bottom - rim - pyr.rank[below] * cell
                pen.disc(
                    x, y, cell * MARBLE_RADIUS, multiply_alpha(_marble_fill(style, marbles[below]), 0.22)
                )
                pen.ring(x, y, cell * MARBLE_RADIUS, multiply_alpha(EDGE_COLOUR, 0.4), max(0.6, cell * 0.015))


def draw_position(
    pen: Pen,
    style: Style,
    diagram: Diagram,
    marbles: Mapping[int, int],
    level_name: Callable[[str], str],
    title: str,
    last_points: Collection[int],
) -> None:
    """Draw a board with its marbles, and mark the marbles on ``last_points``.

    These are the points of the marbles placed or moved in the last turn. The other arguments are those of
    :func:`draw_level_backgrounds`.
    """
    draw_level_backgrounds(pen, style, diagram, marbles, level_name, title, min_font_size=5)
    for point in range(get_pyramid(diagram.size).point_count):
        x, y = diagram.point_centre(point)
        if point not in marbles:
            draw_hole(pen, x, y, diagram.cell_size * 0.7)
            continue
        draw_marble(pen, style, x, y, diagram.cell_size, marbles[point])
        if point in last_points:
            draw_ring(pen, x, y, diagram.cell_size * 0.49, LAST_MOVE_COLOUR, diagram.cell_size * 0.05)


def draw_hole(pen: Pen, x: float, y: float, cell: float) -> None:
    """Draw an empty hole centred on (x, y), in a cell whose side length is ``cell``."""
    pen.disc(x, y, max(1.0, cell * 0.13), multiply_alpha(EDGE_COLOUR, 0.45))


def _marble_fill(style: Style, colour: int) -> Colour:
    return style.marbles[colour] if 0 <= colour < len(style.marbles) else UNKNOWN_MARBLE_FILL


def draw_marble(
    pen: Pen, style: Style, x: float, y: float, cell: float, colour: int, alpha: float = 1.0
) -> None:
    """Draw a marble centred on (x, y), in a cell whose side length is ``cell``.

    An opaque marble has a shadow and, if the style shows signs, the sign of its colour.
    """
    fill, radius = _marble_fill(style, colour), cell * MARBLE_RADIUS
    if alpha == 1.0:
        pen.disc(x + radius * 0.06, y + radius * 0.1, radius * 1.04, multiply_alpha(EDGE_COLOUR, 0.3))
    pen.disc(x, y, radius, multiply_alpha(fill, alpha))
    pen.ring(x, y, radius, multiply_alpha(mix_colours(fill, BLACK, 0.65), alpha), max(0.8, cell * 0.03))
    if style.sign_strength and alpha == 1.0 and 0 <= colour < len(style.marbles):
        _draw_colour_sign(
            pen, colour, x, y, radius * 0.35, multiply_alpha(style.marble_ink(colour), style.sign_strength)
        )


def _draw_colour_sign(pen: Pen, colour: int, x: float, y: float, size: float, ink: Colour) -> None:
    """Draw the sign printed on marbles of the given colour.

    White (colour 0) has no sign. Colours 1 to 5 (black, red, blue, yellow and turquoise) have a dot, bars, a cross, a
    triangle and a wave, respectively.
    """
    match colour:
        case 1:
            pen.disc(x, y, size * 0.7, ink)
        case 2:
            for i in (-1, 0, 1):
                pen.rect(Rect(x - size, y + (i * 0.75 - 0.15) * size, 2 * size, 0.3 * size), ink)
        case 3:
            for way in (-1, 1):
                draw_line(pen, (x - size, y - way * size), (x + size, y + way * size), ink, size * 0.35)
        case 4:
            pen.polygon(x, y, [(0, -size), (size, 0.8 * size), (-size, 0.8 * size)], ink)
        case 5:
            places = [(x + size * t / 3, y + size * 0.5 * math.sin(t)) for t in (-3, -1.6, 0, 1.6, 3)]
            for one, other in pairwise(places):
                draw_line(pen, one, other, ink, size * 0.3)


def draw_line(
    pen: Pen, start: tuple[float, float], end: tuple[float, float], colour: Colour, width: float = 1.2
) -> None:
    """Draw a straight line as a thin rectangle, since a pen can't draw lines."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    long = math.hypot(dx, dy)
    if long < 1e-3:
        return
    nx, ny = -dy / long * width / 2, dx / long * width / 2
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    corners = [(-dx / 2 + nx, -dy / 2 + ny), (-dx / 2 - nx, -dy / 2 - ny), (dx / 2 - nx, dy / 2 - ny)]
    pen.polygon(x, y, [*corners, (dx / 2 + nx, dy / 2 + ny)], colour)


def draw_ring(pen: Pen, x: float, y: float, radius: float, colour: Colour, width: float) -> None:
    """Draw a ring with dark edges, visible on marbles as well as on the background."""
    pen.ring(x, y, radius + width * 0.35, multiply_alpha(EDGE_COLOUR, 0.85 * colour[3]), width * 1.7)
    pen.ring(x, y, radius, colour, width)
