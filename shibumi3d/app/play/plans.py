"""The levels drawn flat: beside the board a strip, and as the main view a plan that the whole game is played on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.pyramid import Pyramid, pyramid
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind

from ..board import flat, over
from ..controller import Spot
from ..text import say
from ..ui.canvas import Canvas, faded, mixed
from ..ui.core import Key, Widget
from ..ui.marble import marble
from ..ui.rect import Rect
from ..ui.style import RADIUS, SMALL, Style

if TYPE_CHECKING:
    from .screen import Play

CELL, GAP, EDGE, LABEL, HEAD = 18.0, 8.0, 8.0, 14.0, 20.0
WHOLE = 5
"""Boards up to this size show all levels in the strip; larger ones three of them."""
NAMED = 16.0
"""The least side of a point's square beside which files and ranks are named."""
WAYS = ((-1, 0), (1, 0), (0, 1), (0, -1))
"""Steps on the screen toward west, east, south and north."""


class Grid(Widget):
    """Points of levels drawn as squares side by side. A click there is a click on the point."""

    def __init__(self, screen: Play, name: str) -> None:
        super().__init__(name)
        self.screen = screen
        self._pressed: Spot | None = None

    @property
    def pyramid(self) -> Pyramid:
        """The points drawn."""
        return pyramid(self.screen.state.size)

    def shown(self) -> list[Spot]:
        """The points drawn, board by board."""
        raise NotImplementedError

    def spot(self, spot: Spot) -> tuple[float, float]:
        """The middle of a point."""
        raise NotImplementedError

    @property
    def cell(self) -> float:
        """The side of the square of a point."""
        raise NotImplementedError

    def spot_at(self, x: float, y: float) -> Spot | None:
        """The point at a place of the window."""
        half = self.cell / 2
        for spot in self.shown():
            px, py = self.spot(spot)
            if abs(px - x) <= half and abs(py - y) <= half:
                return spot
        return None

    def paint_points(self, canvas: Canvas, style: Style, signs: list[Sign], ghosts: list[Ghost]) -> None:
        """Paints all points with what stands there and what may be done."""
        screen, cell = self.screen, self.cell
        targets = {spot[:2] for spot in screen.control.targets} if screen.session.asking else set()
        entries = [spot for spot in screen.control.targets if spot.side >= 0 and screen.session.asking]
        if screen.app.settings.marks == "off":
            targets, entries = set(), []
        covered = screen.covered()
        last = set(screen.last_turn.landed())
        active = screen.pointing.active
        kinds: dict[tuple[int, int], set[SignKind]] = {}
        for sign in signs:
            kinds.setdefault((sign.board, sign.point), set()).add(sign.kind)
        ghost_at = {(ghost.board, ghost.point): ghost for ghost in ghosts}
        for spot in self.shown():
            if spot.board in covered:
                continue
            at, (x, y) = (spot.board, spot.point), self.spot(spot)
            here = kinds.get(at, set())
            standing = screen.stage.marbles.get(at)
            if standing is not None:
                faint = SignKind.DOOMED in here
                marble(canvas, style, x, y, cell * 0.4, standing, 0.35 if faint else 1.0)
                if at in last:
                    canvas.ring(x, y, cell * 0.5, style.amber, 1.5 if cell < 30 else 3)
                if SignKind.WIN in here:
                    canvas.ring(x, y, cell * 0.46, style.brick, 2.5)
                if SignKind.FELL in here:
                    low, half = y + cell * 0.42, cell * 0.14
                    canvas.polygon(x, low, [(-half, -half), (half, -half), (0, half)], style.amber)
                if at in targets:
                    canvas.disc(x, y, cell * 0.12, mixed(style.action, style.card, 0.2))
                if faint:
                    for turn in (-1, 1):
                        size = cell * 0.3
                        over.line(
                            canvas, (x - size, y - size * turn), (x + size, y + size * turn), style.brick
                        )
            elif at in targets:
                canvas.ring(x, y, cell * 0.34, style.action, 1.5)
            else:
                canvas.disc(x, y, max(1.0, cell * 0.07), style.faint)
            if at in ghost_at:
                marble(canvas, style, x, y, cell * 0.36, ghost_at[at].colour, 0.55)
            if SignKind.HINT in here:
                canvas.ring(x, y, cell * 0.48, style.amber, 2)
            if SignKind.ORIGIN in here:
                canvas.ring(x, y, cell * 0.3, style.soft, 1)
            if active is not None and active[:2] == at:
                canvas.frame(Rect(x - cell / 2, y - cell / 2, cell, cell), style.action, 3, 1.5)
        shown = {spot[:2] for spot in self.shown() if spot.board not in covered}
        for sign in signs:
            if (sign.board, sign.point) in shown:
                place = self.spot(Spot(sign.board, sign.point))
                if sign.kind in flat.LINES and (sign.board, sign.to) in shown:
                    flat.join(canvas, style, sign, place, self.spot(Spot(sign.board, sign.to)), cell)
                flat.paint(canvas, style, sign, place, cell)
        for entry in entries:
            if entry.board in covered or entry not in self.entries_shown(entries):
                continue
            x, y = self.spot(Spot(entry.board, entry.point))
            dx, dy = WAYS[entry.side]
            strong = active is not None and active == entry
            size = cell * (0.2 if strong else 0.14)
            px, py = x + dx * cell * 0.42, y + dy * cell * 0.42
            # It points inward.
            tip = (-dx * size, -dy * size)
            left, right = (
                (dx * size - dy * size, dy * size + dx * size),
                (dx * size + dy * size, dy * size - dx * size),
            )
            loop = [tip, left, right]
            area = (left[0] - tip[0]) * (right[1] - tip[1]) - (right[0] - tip[0]) * (left[1] - tip[1])
            canvas.polygon(px, py, loop if area > 0 else loop[::-1], style.action)

    def entries_shown(self, entries: list[Spot]) -> set[Spot]:
        """Those of the ways in that lie on the points drawn."""
        points = {spot[:2] for spot in self.shown()}
        return {entry for entry in entries if entry[:2] in points}

    def move(self, x: float, y: float) -> None:
        spot = self.spot_at(x, y)
        at = None if spot is None else spot[:2]
        self.shape = "hand" if any(target[:2] == at for target in self.screen.control.targets) else ""
        self.screen.pointing.point_out(spot)

    def leave(self) -> None:
        self.screen.pointing.point_out(None)

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        self._pressed = self.spot_at(x, y)
        return button in ("left", "right")

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        spot = self.spot_at(x, y) if self.rect.holds(x, y) else None
        if spot != self._pressed:
            return
        if button == "right":
            self.screen.pointing.cancelled_at(spot)
        elif spot is not None:
            self.screen.pointing.clicked_spot(spot)


class Plans(Grid):
    """One small grid a level of one board, the highest on top, north up.

    Of a large board it shows three levels; the letters above them choose which.
    """

    def __init__(self, screen: Play) -> None:
        super().__init__(screen, "plans")
        self.middle = 1

    @property
    def levels(self) -> range:
        """The levels drawn."""
        size = self.pyramid.size
        if size <= WHOLE:
            return range(size)
        middle = max(1, min(size - 2, self.middle))
        return range(middle - 1, middle + 2)

    @property
    def head(self) -> float:
        """The height of the letters that choose the levels."""
        return HEAD if self.pyramid.size > WHOLE else 0.0

    def follow(self, point: int) -> None:
        """Brings the level of ``point`` into the strip."""
        level = self.pyramid.level[point]
        if level not in self.levels:
            self.middle = level
            self.refresh()

    def natural(self, height: float) -> tuple[float, float]:
        """Width and height, at most ``height`` tall."""
        size, levels = self.pyramid.size, self.levels
        rows = sum(size - level for level in levels) if size <= WHOLE else 3 * size - 3
        gaps = 2 * EDGE + GAP * (len(levels) - 1) + self.head
        cell = min(CELL, (height - gaps) / rows)
        return 2 * EDGE + LABEL + size * cell, gaps + rows * cell

    @property
    def cell(self) -> float:
        return (self.rect.w - 2 * EDGE - LABEL) / self.pyramid.size

    def shown(self) -> list[Spot]:
        levels = self.pyramid.levels
        return [Spot(self.screen.board, p) for level in self.levels for p in bits(levels[level])]

    def place(self, point: int) -> tuple[float, float]:
        """The middle of a point of the board drawn."""
        pyr, cell = self.pyramid, self.cell
        level = pyr.level[point]
        width = pyr.size - level
        higher = [pyr.size - k for k in self.levels if k > level]
        above = self.head + sum(higher) * cell + GAP * len(higher)
        left = self.rect.x + EDGE + LABEL + (pyr.size - width) * cell / 2
        x = left + (pyr.file[point] + 0.5) * cell
        return x, self.rect.y + EDGE + above + (width - pyr.rank[point] - 0.5) * cell

    def spot(self, spot: Spot) -> tuple[float, float]:
        return self.place(spot.point)

    def _letter(self, level: int) -> Rect:
        wide = (self.rect.w - 8) / self.pyramid.size
        return Rect(self.rect.x + 4 + wide * level, self.rect.y + 4, wide, HEAD - 2)

    def paint(self, canvas: Canvas, style: Style) -> None:
        pyr, cell = self.pyramid, self.cell
        canvas.rect(self.rect, faded(style.card, 0.88), RADIUS)
        canvas.frame(self.rect, style.hairline, RADIUS)
        if self.head:
            for level in range(pyr.size):
                on = level in self.levels
                if on:
                    canvas.rect(self._letter(level), style.sunk, 3)
                ink = style.ink if on else style.soft
                canvas.text_in(self._letter(level), chr(65 + level), ink, "sans", SMALL - 1, 0.5)
        for level in self.levels:
            y = self.place(pyr.levels[level].bit_length() - 1)[1]
            place = Rect(self.rect.x + 6, y - cell / 2, LABEL, cell)
            canvas.text_in(place, chr(65 + level), style.soft, "sans", min(SMALL - 1, round(cell)), 0)
        if self.screen.board in self.screen.covered():
            canvas.text_in(self.rect, say("cloth"), style.soft, "italic", SMALL, 0.5)
        self.paint_points(canvas, style, *self.screen.signs.flat_signs())

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        if self.head and y < self.rect.y + EDGE + self.head:
            for level in range(self.pyramid.size):
                if self._letter(level).holds(x, y):
                    self.middle = level
                    self.refresh()
            return
        super().release(x, y, button, key)


class Flat(Grid):
    """All levels of all boards side by side, as large as the place allows: the main view when seen flat."""

    def __init__(self, screen: Play) -> None:
        super().__init__(screen, "flat plan")
        self.visible = False

    def shown(self) -> list[Spot]:
        pyr = self.pyramid
        boards = range(len(self.screen.state.board_names))
        return [Spot(board, point) for board in boards for point in range(pyr.count)]

    def _lines(self) -> list[list[int]]:
        """The levels in the lines that a board takes: one line, or two for a large board alone."""
        size = self.pyramid.size
        if size <= WHOLE or len(self.screen.state.board_names) > 1:
            return [list(range(size))]
        return [list(range((size + 2) // 3)), list(range((size + 2) // 3, size))]

    def _columns(self) -> tuple[int, float]:
        """In how many columns the boards stand, and the side of a point's square: as large as can be."""
        size, lines = self.pyramid.size, self._lines()
        boards = len(self.screen.state.board_names)
        widest = max(sum(size - level for level in line) + 1.3 * len(line) for line in lines)
        tallest = sum(size - line[0] + 1.6 for line in lines)
        cells = [
            min(self.rect.w / (widest * count), self.rect.h / (tallest * math.ceil(boards / count)))
            for count in range(1, boards + 1)
        ]
        best = max(range(boards), key=lambda i: cells[i])
        return best + 1, max(6.0, min(64.0, cells[best]))

    @property
    def cell(self) -> float:
        return self._columns()[1]

    def spot(self, spot: Spot) -> tuple[float, float]:
        pyr, lines = self.pyramid, self._lines()
        columns, cell = self._columns()
        row, column = divmod(spot.board, columns)
        rows = math.ceil(len(self.screen.state.board_names) / columns)
        tall = sum(pyr.size - line[0] + 1.6 for line in lines)
        level = pyr.level[spot.point]
        number = next(i for i, line in enumerate(lines) if level in line)
        line = lines[number]
        wide = sum(pyr.size - k for k in line) + 1.3 * len(line)
        left = self.rect.x + self.rect.w * (column + 0.5) / columns - wide * cell / 2
        left += sum(pyr.size - k + 1.3 for k in line if k < level) * cell + 0.9 * cell
        top = self.rect.cy - tall * cell * rows / 2 + tall * cell * row
        top += sum(pyr.size - done[0] + 1.6 for done in lines[:number]) * cell + 0.8 * cell
        foot = top + (pyr.size - line[0]) * cell
        return left + (pyr.file[spot.point] + 0.5) * cell, foot - (pyr.rank[spot.point] + 0.5) * cell

    def paint(self, canvas: Canvas, style: Style) -> None:
        screen, pyr, cell = self.screen, self.pyramid, self.cell
        several = len(screen.state.board_names) > 1
        covered = screen.covered()
        small = max(9, min(SMALL, round(cell * 0.4)))
        for board in range(len(screen.state.board_names)):
            for level in range(pyr.size):
                points = list(bits(pyr.levels[level]))
                x0, y0 = self.spot(Spot(board, points[0]))
                x1, y1 = self.spot(Spot(board, points[-1]))
                box = Rect(x0 - cell / 2, y1 - cell / 2, x1 - x0 + cell, y0 - y1 + cell)
                canvas.rect(box, style.card if board not in covered else style.sunk, 4)
                here = several and board == screen.board
                canvas.frame(box, style.action if here else style.hairline, 4, 2 if here else 1)
                head = say("level", letter=chr(65 + level))
                if several and not level:
                    head = f"{over.title(screen, board)[0]} · {chr(65 + level)}"
                place = Rect(box.x, box.y - cell * 0.62, max(box.w, 80), cell * 0.6)
                if canvas.width(head, "sans", small) > place.w:
                    head = chr(65 + level)
                canvas.text_in(place, head, style.soft, "sans", small)
                for number in range(pyr.size - level if cell >= NAMED else 0):
                    down = Rect(box.x + number * cell, box.bottom, cell, cell * 0.5)
                    canvas.text_in(down, chr(97 + number), style.soft, "sans", small - 1, 0.5)
                    beside = Rect(box.x - cell * 0.6, box.bottom - (number + 1) * cell, cell * 0.5, cell)
                    canvas.text_in(beside, str(number + 1), style.soft, "sans", small - 1, 0.5)
                if board in covered and not level:
                    canvas.text_in(box, say("under-a-cloth"), style.soft, "italic", small + 2, 0.5)
                if level and board not in covered:
                    with canvas.clip(box):
                        self._below(canvas, style, board, points)
        self.paint_points(canvas, style, *screen.signs.flat_signs())

    def _below(self, canvas: Canvas, style: Style, board: int, points: list[int]) -> None:
        """Thin circles for the marbles that hold up the points of a level."""
        pyr, cell = self.pyramid, self.cell
        under = {
            (point, below)
            for point in points
            for below in bits(pyr.supports[point])
            if (board, below) in self.screen.stage.marbles
        }
        drawn: set[int] = set()
        for point, below in sorted(under):
            if below not in drawn:
                drawn.add(below)
                x, y = self.spot(Spot(board, point))
                dx = (pyr.file[below] - pyr.file[point] - 0.5) * cell
                dy = (pyr.rank[below] - pyr.rank[point] - 0.5) * cell
                canvas.ring(x + dx, y - dy, cell * 0.38, faded(style.hairline, 0.8), 1)
