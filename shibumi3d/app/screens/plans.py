"""The levels drawn flat beside the board: the way to see and play every point whatever stands before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.rules.pyramid import Pyramid, pyramid

from ..controller import Spot
from ..ui.canvas import Canvas, faded
from ..ui.core import Key, Widget
from ..ui.rect import Rect
from ..ui.style import RADIUS, SMALL, Style
from .board import marble

if TYPE_CHECKING:
    from .play import Play

CELL, GAP, EDGE, LABEL = 18.0, 8.0, 8.0, 14.0


class Plans(Widget):
    """One small grid a level, the highest on top, north up. A click there is a click on the point."""

    def __init__(self, screen: Play) -> None:
        super().__init__("plans")
        self.screen = screen

    @property
    def pyramid(self) -> Pyramid:
        """The points drawn."""
        return pyramid(self.screen.state.size)

    @property
    def board(self) -> int:
        """The board drawn: where the pointer is, else where something can be done."""
        active = self.screen.active
        if active is not None:
            return active.board
        return next((spot.board for spot in self.screen.control.targets), 0)

    def natural(self, height: float) -> tuple[float, float]:
        """Width and height, at most ``height`` tall."""
        size = self.pyramid.size
        rows = size * (size + 1) / 2
        cell = min(CELL, (height - 2 * EDGE - GAP * (size - 1)) / rows)
        return 2 * EDGE + LABEL + size * cell, 2 * EDGE + GAP * (size - 1) + rows * cell

    @property
    def cell(self) -> float:
        """The side of the square of a point."""
        return (self.rect.w - 2 * EDGE - LABEL) / self.pyramid.size

    def place(self, point: int) -> tuple[float, float]:
        """The middle of a point."""
        pyr, cell = self.pyramid, self.cell
        level = pyr.level[point]
        width = pyr.size - level
        # Above it lie the higher levels, of 1, 2, … rows.
        above = width * (width - 1) / 2 * cell + GAP * (width - 1)
        left = self.rect.x + EDGE + LABEL + (pyr.size - width) * cell / 2
        x = left + (pyr.file[point] + 0.5) * cell
        return x, self.rect.y + EDGE + above + (width - pyr.rank[point] - 0.5) * cell

    def spot_at(self, x: float, y: float) -> Spot | None:
        """The point at a place of the window."""
        half = self.cell / 2
        for point in range(self.pyramid.count):
            px, py = self.place(point)
            if abs(px - x) <= half and abs(py - y) <= half:
                return Spot(self.board, point)
        return None

    def paint(self, canvas: Canvas, style: Style) -> None:
        screen, pyr, cell, board = self.screen, self.pyramid, self.cell, self.board
        canvas.rect(self.rect, faded(style.card, 0.88), RADIUS)
        canvas.frame(self.rect, style.hairline, RADIUS)
        colours = {point: colour for (b, point), colour in screen.stage.marbles.items() if b == board}
        targets = {spot.point for spot in screen.control.targets if spot.board == board and screen.live}
        last = {point for b, point in screen.last_landed() if b == board}
        active = screen.active
        for level in range(pyr.size):
            first = pyr.levels[level].bit_length() - 1
            y = self.place(first)[1]
            place = Rect(self.rect.x + 6, y - cell / 2, LABEL, cell)
            canvas.text_in(place, chr(ord("A") + level), style.soft, "sans", min(SMALL - 1, round(cell)), 0)
        for point in range(pyr.count):
            x, y = self.place(point)
            if point in colours:
                marble(canvas, style, x, y, cell * 0.4, colours[point])
                if point in last:
                    canvas.ring(x, y, cell * 0.5, style.amber, 1.5)
                if point in targets:
                    canvas.disc(x, y, cell * 0.12, style.action)
            elif point in targets:
                canvas.ring(x, y, cell * 0.34, style.action, 1.5)
            else:
                canvas.disc(x, y, max(1.0, cell * 0.07), style.faint)
            if active is not None and (active.board, active.point) == (board, point):
                canvas.frame(Rect(x - cell / 2, y - cell / 2, cell, cell), style.action, 3, 1.5)

    def move(self, x: float, y: float) -> None:
        spot = self.spot_at(x, y)
        self.shape = "hand" if spot in self.screen.control.targets else ""
        self.screen.point_out(spot)

    def leave(self) -> None:
        self.screen.point_out(None)

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button in ("left", "right")

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        spot = self.spot_at(x, y) if self.rect.holds(x, y) else None
        if button == "right":
            self.screen.step_back()
        elif spot is not None:
            self.screen.clicked_spot(spot)
