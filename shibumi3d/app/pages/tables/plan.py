"""Flat drawing of the table; the whole match can be played on it instead of in the 3D view."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from shibumi3d.scene.frame import Card, Mark, MarkKind
from shibumi3d.scene.glyphs import FIELD, GLYPHS, Stroke, strokes
from shibumi3d.scene.palette import MARKS
from shibumi3d.scene.pen import rgb
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style

from ...ui.canvas import Canvas
from ...ui.core import Key, Widget
from .parts import Table

if TYPE_CHECKING:
    from .pointer import Pointer

PEN = 1.75
"""Width of the strokes drawn by :meth:`.Canvas.drawing`, in units of the glyph's field."""
LINE = 1.25
"""Width of a card's outline, in logical pixels."""


class Flat(Table, Protocol):
    """Interface of a table page with a flat drawing."""

    pointer: Pointer


class TablePlan(Widget):
    """The table viewed from straight above, without lighting or perspective."""

    def __init__(self, page: Flat) -> None:
        super().__init__("flat plan")
        self.page = page
        self.visible = False
        self.unit = 1.0
        """Logical pixels per unit of the table."""
        self._zero = (0.0, 0.0)
        self._pressed = ""

    # Geometry

    def fit(self, free: Rect) -> None:
        """Scale and position the drawing so that the whole table fits into ``free``."""
        hull = self.page.scene.hull
        west, east = (pick(x for x, _, _ in hull) for pick in (min, max))
        south, north = (pick(y for _, y, _ in hull) for pick in (min, max))
        self.unit = max(1.0, min(free.w / (east - west), free.h / (north - south)))
        x, y = free.cx - (west + east) / 2 * self.unit, free.cy + (south + north) / 2 * self.unit
        self._zero = x - self.rect.x, y - self.rect.y

    def project(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Project world coordinates (n, 3) to logical pixels (n, 2) within this widget."""
        return np.array(self._zero) + places[:, :2] * (self.unit, -self.unit)

    # Pointer

    def move(self, x: float, y: float) -> None:
        self.page.pointer.pointed(x - self.rect.x, y - self.rect.y)
        self.shape = "hand" if self.page.pointer.spot in self.page.picking.open else ""

    def leave(self) -> None:
        self.page.pointer.pointed(None, None)

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        self._pressed = self.page.pointer.spot_at(x - self.rect.x, y - self.rect.y)
        return button in ("left", "right")

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        if button == "right":
            self.page.pointer.drop()
        elif self.page.pointer.spot_at(x - self.rect.x, y - self.rect.y) == self._pressed:
            self.page.pointer.clicked(x - self.rect.x, y - self.rect.y)

    # Drawing

    def paint(self, canvas: Canvas, style: Style) -> None:
        frame = self.page.pointer.plan(self.page.now())
        for card in frame.cards:
            self._card(canvas, card)
        for mark in frame.marks:
            self._mark(canvas, style, mark)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        """Convert a point on the table to window coordinates."""
        return self.rect.x + self._zero[0] + x * self.unit, self.rect.y + self._zero[1] - y * self.unit

    def _card(self, canvas: Canvas, card: Card) -> None:
        x, y = self._at(*card.at[:2])
        wide, high = card.half[0] * self.unit, card.half[1] * self.unit
        least = min(wide, high)
        if card.paper:
            paper = rgb(card.paper, card.alpha)
            edge = rgb(card.edge, card.alpha) if card.edge else None
            if card.round >= 1.0 and abs(wide - high) < 0.5:
                canvas.disc(x, y, wide, paper)
                if edge:
                    canvas.ring(x, y, wide, edge, LINE)
            elif card.turn:
                c, s = math.cos(card.turn), math.sin(card.turn)
                corners = ((-wide, -high), (wide, -high), (wide, high), (-wide, high))
                canvas.polygon(x, y, [(a * c + b * s, b * c - a * s) for a, b in corners], edge or paper)
            else:
                box = Rect(x - wide, y - high, 2 * wide, 2 * high)
                canvas.rect(box, paper, card.round * least)
                if edge:
                    canvas.frame(box, edge, card.round * least, LINE)
        elif card.edge:
            box = Rect(x - wide, y - high, 2 * wide, 2 * high)
            canvas.frame(box, rgb(card.edge, card.alpha), card.round * least, LINE)
        if card.glyph:
            self._glyph(canvas, card, x, y, 2 * least * card.part)

    def _glyph(self, canvas: Canvas, card: Card, x: float, y: float, size: float) -> None:
        ink = rgb(card.ink, card.alpha)
        lines, dots = _picture(card.glyph, card.pen)
        if lines:
            canvas.drawing(x, y, size, lines, FIELD * PEN / card.pen, ink)
        for dx, dy, radius in dots:
            unit = size / FIELD
            canvas.disc(
                x + (dx - FIELD / 2) * unit, y + (dy - FIELD / 2) * unit, max(1.0, radius * unit), ink
            )

    def _mark(self, canvas: Canvas, style: Style, mark: Mark) -> None:
        """Draw a mark: a ring, an arc, a number or a cross, light with a dark outline."""
        x, y = self._at(*mark.at[:2])
        dark, light = rgb(MARKS["edge"], mark.alpha), rgb(mark.colour, mark.alpha)
        if mark.kind is MarkKind.NUMBER:
            size = mark.size + 2
            canvas.disc(x, y, size + 1, dark)
            canvas.disc(x, y, size, light)
            place = Rect(x - size, y - size, 2 * size, 2 * size)
            canvas.text_in(place, str(mark.number), rgb(MARKS["edge"]), "bold", round(size * 1.3), 0.5)
            return
        size = 2 * mark.size * self.unit
        for wide, colour in ((mark.width + 2.0, dark), (mark.width, light)):
            pen = wide * FIELD / max(size, 1.0)
            if mark.kind is MarkKind.CROSS:
                canvas.drawing(x, y, size, _picture("cross", pen)[0], FIELD * PEN / pen, colour)
            elif mark.kind is MarkKind.RING and mark.part < 1.0:
                canvas.drawing(x, y, size, (_arc(mark.begin, mark.part, pen),), FIELD * PEN / pen, colour)
            elif mark.kind is MarkKind.RING:
                canvas.ring(x, y, size / 2 + wide / 2, colour, wide)


@functools.lru_cache(maxsize=1024)
def _picture(glyph: str, pen: float) -> tuple[tuple[Stroke, ...], tuple[tuple[float, float, float], ...]]:
    """Return the strokes and the dots of a glyph, with strokes scaled for a pen width.

    On the glyph's field of 24 units, the strokes would be :data:`PEN` units wide. To make them ``pen`` units wide,
    their coordinates are multiplied by ``PEN / pen``; they must be drawn in a field enlarged by the same factor. The
    dots are not scaled.
    """
    lines, dots = strokes(GLYPHS[glyph])
    grown = PEN / pen
    return tuple(tuple((x * grown, y * grown) for x, y in line) for line in lines), tuple(dots)


@functools.lru_cache(maxsize=256)
def _arc(begin: float, part: float, pen: float) -> Stroke:
    """Return an arc of the circle inscribed in the field, scaled as in :func:`_picture`.

    ``begin`` and ``part`` are measured in turns, clockwise from the top.
    """
    grown, middle = PEN / pen, FIELD / 2
    steps = max(4, math.ceil(48 * part))
    turns = [math.tau * (begin + part * k / steps) for k in range(steps + 1)]
    return tuple(
        (grown * middle * (1 + math.sin(turn)), grown * middle * (1 - math.cos(turn))) for turn in turns
    )
