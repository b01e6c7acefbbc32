"""Flat drawing of the table, on which a whole match can be played without the 3D view."""

from __future__ import annotations

import functools
import itertools
import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from shibumi3d.scene.frame import Card, Mark, MarkKind
from shibumi3d.scene.glyphs import GLYPH_GRID_SIZE, GLYPHS, Stroke, parse_path
from shibumi3d.scene.palette import MARK_COLOURS
from shibumi3d.scene.pen import rgba
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style

from ...ui.canvas import Canvas
from ...ui.widget import Key, Widget
from .interfaces import ScenePage

if TYPE_CHECKING:
    from .input import ScenePointer


CANVAS_STROKE_WIDTH = 1.75
"""Width of the strokes drawn by :meth:`.Canvas.strokes`, in units of the glyph's field."""
OUTLINE_WIDTH_PX = 1.25
"""Width of a card's outline, in logical pixels."""


class ScenePlan(Widget):
    """Flat drawing of the table, viewed from straight above, without lighting or perspective."""

    def __init__(self, page: ScenePage, pointer: ScenePointer) -> None:
        super().__init__("flat plan")
        self.page, self._pointer = page, pointer
        self.visible = False
        self.pixels_per_unit = 1.0
        """Logical pixels per unit of the table."""
        self._origin = (0.0, 0.0)
        self._pressed_spot = ""

    # Geometry

    def fit_into(self, rect: Rect) -> None:
        """Scale and position the drawing so that the whole table fits into ``rect``.

        The scale is at least one logical pixel per world unit, even if the table is then too large for ``rect``.
        """
        hull = self.page.scene.hull
        west, east = (pick(x for x, _, _ in hull) for pick in (min, max))
        south, north = (pick(y for _, y, _ in hull) for pick in (min, max))
        self.pixels_per_unit = max(1.0, min(rect.w / (east - west), rect.h / (north - south)))
        x, y = (
            rect.cx - (west + east) / 2 * self.pixels_per_unit,
            rect.cy + (south + north) / 2 * self.pixels_per_unit,
        )
        self._origin = x - self.rect.x, y - self.rect.y

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Project world coordinates (n, 3) to logical pixels (n, 2) within this widget."""
        return np.array(self._origin) + points[:, :2] * (self.pixels_per_unit, -self.pixels_per_unit)

    # Pointer

    def on_pointer_move(self, x: float, y: float) -> None:
        self._pointer.on_point(x - self.rect.x, y - self.rect.y)
        self.cursor_shape = "hand" if self._pointer.hovered_spot in self.page.selection.open_spots else ""

    def on_pointer_leave(self) -> None:
        self._pointer.on_point(None, None)

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        self._pressed_spot = self._pointer.spot_at(x - self.rect.x, y - self.rect.y)
        return button in ("left", "right")

    def on_release(self, x: float, y: float, button: str, key: Key) -> None:
        if button == "right":
            self._pointer.drop_picks()
        elif self._pointer.spot_at(x - self.rect.x, y - self.rect.y) == self._pressed_spot:
            self._pointer.on_click(x - self.rect.x, y - self.rect.y)

    # Drawing

    def paint(self, canvas: Canvas, style: Style) -> None:
        frame = self._pointer.make_flat_frame(self.page.animation_time())
        for card in frame.cards:
            self._paint_card(canvas, card)
        for mark in frame.marks:
            self._paint_mark(canvas, style, mark)

    def _to_window(self, x: float, y: float) -> tuple[float, float]:
        """Convert a point on the table to window coordinates."""
        return self.rect.x + self._origin[0] + x * self.pixels_per_unit, self.rect.y + self._origin[
            1
        ] - y * self.pixels_per_unit

    def _paint_card(self, canvas: Canvas, card: Card) -> None:
        x, y = self._to_window(*card.position[:2])
        wide, high = card.half_size[0] * self.pixels_per_unit, card.half_size[1] * self.pixels_per_unit
        least = min(wide, high)
        if card.fill:
            paper = rgba(card.fill, card.alpha)
            edge = rgba(card.outline, card.alpha) if card.outline else None
            if card.corner_rounding >= 1.0 and abs(wide - high) < 0.5:
                canvas.disc(x, y, wide, paper)
                if edge:
                    canvas.ring(x, y, wide, edge, OUTLINE_WIDTH_PX)
            elif card.yaw:
                for inset, ink in ((0.0, edge or paper), (OUTLINE_WIDTH_PX if edge else 0.0, paper)):
                    canvas.polygon(x, y, _turned_rectangle(wide - inset, high - inset, card.yaw), ink)
            else:
                box = Rect(x - wide, y - high, 2 * wide, 2 * high)
                canvas.rect(box, paper, card.corner_rounding * least)
                if edge:
                    canvas.outline(box, edge, card.corner_rounding * least, OUTLINE_WIDTH_PX)
        elif card.outline:
            box = Rect(x - wide, y - high, 2 * wide, 2 * high)
            canvas.outline(
                box, rgba(card.outline, card.alpha), card.corner_rounding * least, OUTLINE_WIDTH_PX
            )
        if card.glyph:
            self._paint_glyph(canvas, card, x, y, 2 * least * card.glyph_scale)

    def _paint_glyph(self, canvas: Canvas, card: Card, x: float, y: float, size: float) -> None:
        ink = rgba(card.ink, card.alpha)
        lines, dots = _glyph_strokes(card.glyph, card.stroke_width, card.yaw)
        if lines:
            canvas.strokes(x, y, size, lines, GLYPH_GRID_SIZE * CANVAS_STROKE_WIDTH / card.stroke_width, ink)
        for dx, dy, radius in dots:
            unit = size / GLYPH_GRID_SIZE
            canvas.disc(
                x + (dx - GLYPH_GRID_SIZE / 2) * unit,
                y + (dy - GLYPH_GRID_SIZE / 2) * unit,
                max(1.0, radius * unit),
                ink,
            )

    def _paint_mark(self, canvas: Canvas, style: Style, mark: Mark) -> None:
        """Draw a ring, an arc, a number or a hatched circle, with a dark edge; ignore other marks.

        A hatched circle is drawn as a cross.
        """
        x, y = self._to_window(*mark.position[:2])
        dark, light = rgba(MARK_COLOURS["edge"], mark.alpha), rgba(mark.colour, mark.alpha)
        if mark.kind is MarkKind.NUMBER:
            size = mark.size + 2
            canvas.disc(x, y, size + 1, dark)
            canvas.disc(x, y, size, light)
            place = Rect(x - size, y - size, 2 * size, 2 * size)
            canvas.text_in(
                place, str(mark.number), rgba(MARK_COLOURS["edge"]), "bold", round(size * 1.3), 0.5
            )
            return
        size = 2 * mark.size * self.pixels_per_unit
        for wide, colour in ((mark.stroke_width + 2.0, dark), (mark.stroke_width, light)):
            pen = wide * GLYPH_GRID_SIZE / max(size, 1.0)
            if mark.kind is MarkKind.HATCHED_CIRCLE:
                canvas.strokes(
                    x,
                    y,
                    size,
                    _glyph_strokes("cross", pen)[0],
                    GLYPH_GRID_SIZE * CANVAS_STROKE_WIDTH / pen,
                    colour,
                )
            elif mark.kind is MarkKind.RING and mark.sector_fraction < 1.0:
                canvas.strokes(
                    x,
                    y,
                    size,
                    (_arc_stroke(mark.sector_start, mark.sector_fraction, pen),),
                    GLYPH_GRID_SIZE * CANVAS_STROKE_WIDTH / pen,
                    colour,
                )
            elif mark.kind is MarkKind.RING:
                canvas.ring(x, y, size / 2 + wide / 2, colour, wide)


def _turned_rectangle(half_width: float, half_height: float, yaw: float) -> list[tuple[float, float]]:
    """Return the corners of a rectangle rotated by ``yaw`` radians, relative to its centre.

    The y axis points down. A positive ``yaw`` rotates the rectangle counter-clockwise on the screen.
    """
    c, s = math.cos(yaw), math.sin(yaw)
    corners = ((-half_width, -half_height), (half_width, -half_height), (half_width, half_height))
    return [(a * c + b * s, b * c - a * s) for a, b in (*corners, (-half_width, half_height))]


@functools.lru_cache(maxsize=1024)
def _glyph_strokes(
    glyph: str, pen_width: float, yaw: float = 0.0
) -> tuple[tuple[Stroke, ...], tuple[tuple[float, float, float], ...]]:
    """Return the strokes and the dots of a glyph, rotated counter-clockwise by ``yaw`` radians.

    The strokes are scaled so that they appear ``pen_width`` units wide on the glyph's field of 24 units.
    :meth:`.Canvas.strokes` always draws strokes :data:`CANVAS_STROKE_WIDTH` units wide, so their coordinates are
    multiplied by ``CANVAS_STROKE_WIDTH / pen_width``. The caller must enlarge the field by the same factor. The dots
    are not scaled.
    """
    lines, dots = parse_path(GLYPHS[glyph])
    grown, middle = CANVAS_STROKE_WIDTH / pen_width, GLYPH_GRID_SIZE / 2
    c, s = math.cos(yaw), math.sin(yaw)

    def turned(x: float, y: float) -> tuple[float, float]:
        x, y = x - middle, y - middle
        return middle + c * x + s * y, middle + c * y - s * x

    return (
        tuple(tuple((x * grown, y * grown) for x, y in itertools.starmap(turned, line)) for line in lines),
        tuple((*turned(x, y), radius) for x, y, radius in dots),
    )


@functools.lru_cache(maxsize=256)
def _arc_stroke(start: float, fraction: float, pen_width: float) -> Stroke:
    """Return an arc of the circle inscribed in a glyph's field.

    The arc is scaled like the strokes of :func:`_glyph_strokes`. It begins ``start`` full turns clockwise from the top,
    and extends clockwise by ``fraction`` of a full turn.
    """
    grown, middle = CANVAS_STROKE_WIDTH / pen_width, GLYPH_GRID_SIZE / 2
    steps = max(4, math.ceil(48 * fraction))
    turns = [math.tau * (start + fraction * k / steps) for k in range(steps + 1)]
    return tuple(
        (grown * middle * (1 + math.sin(turn)), grown * middle * (1 - math.cos(turn))) for turn in turns
    )
