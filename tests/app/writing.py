"""Record the texts of a frame: each line with its rectangle, and each text that was truncated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

import pytest

from shibumi3d.app.ui.canvas import Canvas
from shibumi3d.app.ui.widget import Widget
from shibumi3d.scene.pen import CAP_HEIGHT_EM, Colour
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style

T = TypeVar("T")


class Line(NamedTuple):
    """Line of text that was drawn, and where.

    ``place`` is its rectangle in logical pixels, from the baseline to the top of its capitals, without any part that is
    clipped. ``by`` is the type and the name of the widget that drew the text, or "" if no widget did. ``layer``
    distinguishes the page from the popups above it, each of which has a layer of its own.
    """

    text: str
    place: Rect
    by: str
    layer: int

    def __str__(self) -> str:
        return f"{self.by}: {self.text!r}"


class Writing:
    """Texts recorded while a frame was drawn.

    ``lines`` contains the visible lines of text, and ``cut`` describes each text that was truncated. The page and each
    popup above it are layers of their own; :meth:`overprinted` reports only overlaps within a layer. During the
    recording, ``layer`` is the number of the current layer, and ``painting`` is the stack of the widgets that are being
    drawn.
    """

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.cut: list[str] = []
        self.painting: list[Widget] = []
        self.layer = 0

    def painter(self) -> str:
        if not self.painting:
            return ""
        widget = self.painting[-1]
        return f"{type(widget).__name__} {widget.name}".strip()

    @property
    def texts(self) -> list[str]:
        return [line.text for line in self.lines]

    def overprinted(self) -> list[str]:
        placed = [(line, line.place) for line in self.lines]
        return [f"{one} and {other}" for one, other in crossing(placed) if one.layer == other.layer]


def crossing(placed: Iterable[tuple[T, Rect]]) -> Iterator[tuple[T, T]]:
    """Yield the pairs of items whose rectangles overlap by more than a pixel in both directions."""
    open_: list[tuple[T, Rect]] = []
    for one, rect in sorted(placed, key=lambda pair: pair[1].y):
        open_ = [(other, its) for other, its in open_ if its.bottom > rect.y + 1]
        for other, its in open_:
            common = its.intersection(rect)
            if min(common.w, common.h) > 1:
                yield other, one
        open_.append((one, rect))


def written(patch: pytest.MonkeyPatch, draw: Callable[[], None]) -> Writing:
    found = Writing()
    text, cut, paint = Canvas.text, Canvas.truncate, Widget.draw

    def noted(
        self: Canvas,
        x: float,
        y: float,
        words: str,
        colour: Colour,
        face: str = "sans",
        size: float = 15,
        align: float = 0,
    ) -> float:
        wide = text(self, x, y, words, colour, face, size, align)
        place = Rect(x - wide * align, y - size * CAP_HEIGHT_EM, wide, size * CAP_HEIGHT_EM).intersection(
            self._clip_stack[-1]
        )
        if words.strip() and place.w > 0 and place.h > 0:
            by = found.painter()
            found.lines.append(Line(words, place, by, found.layer))
        return wide

    def watched(self: Canvas, words: str, face: str, size: float, width: float) -> str:
        left = cut(self, words, face, size, width)
        if left != words:
            by = found.painter()
            found.cut.append(f"{by}: {words!r} to {left!r}")
        return left

    def painted(self: Widget, canvas: Canvas, style: Style) -> None:
        found.layer += self.parent is None
        if self.root is not None:
            self.root.paint_cache.clear()
        found.painting.append(self)
        paint(self, canvas, style)
        found.painting.pop()

    with patch.context() as during:
        during.setattr(Canvas, "text", noted)
        during.setattr(Canvas, "truncate", watched)
        during.setattr(Widget, "draw", painted)
        draw()
    return found
