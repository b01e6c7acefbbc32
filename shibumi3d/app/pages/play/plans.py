"""Flat plans of the levels: a strip beside the boards, and a main view for playing a whole game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _, pgettext
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.pyramid import Pyramid, pyramid
from shibumi3d.scene.marbles import diagram
from shibumi3d.scene.marbles.diagram import Diagram
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.scene.pen import faded
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, RADIUS, SMALL, Style

from ...board import flat, over
from ...marbles.controller import Spot
from ...ui.canvas import Canvas
from ...ui.core import Key, Widget
from .parts import Table

if TYPE_CHECKING:
    from ...board.shown import Shown
    from .parts import Signing

CELL, GAP, EDGE, LABEL, HEAD = 18.0, 8.0, 8.0, 14.0, 20.0
WHOLE = 5
"""Largest board size for which the strip shows all levels; for larger boards it shows three."""
WAYS = ((-1, 0), (1, 0), (0, 1), (0, -1))
"""Unit vectors on the screen for west, east, south and north."""


class Planned(Table, Protocol):
    """Interface of the page that the plans use."""

    @property
    def sight(self) -> Shown:
        """The match as the viewer may see it."""

    @property
    def signs(self) -> Signing:
        """Signs drawn over the boards."""


class Grid(Widget):
    """Points of one or more levels, drawn as squares; a click on a square is a click on its point."""

    def __init__(self, screen: Planned, name: str) -> None:
        super().__init__(name)
        self.screen = screen
        self._pressed: Spot | None = None

    @property
    def pyramid(self) -> Pyramid:
        """Geometry of the boards."""
        return pyramid(self.screen.match.first.size)

    def shown(self) -> list[Spot]:
        """Return the points drawn, board by board."""
        raise NotImplementedError

    def spot(self, spot: Spot) -> tuple[float, float]:
        """Return the position of a point's centre in the window, in logical pixels."""
        raise NotImplementedError

    def places(self) -> dict[tuple[int, int], tuple[float, float]]:
        """Return the centres of all points drawn, by board and point, in drawing order."""
        raise NotImplementedError

    @property
    def cell(self) -> float:
        """Side length of a point's square, in logical pixels."""
        raise NotImplementedError

    def spot_at(self, x: float, y: float) -> Spot | None:
        """Return the point at a position in the window, or None."""
        half = self.cell / 2
        for at, (px, py) in self.places().items():
            if abs(px - x) <= half and abs(py - y) <= half:
                return Spot(*at)
        return None

    def paint_points(self, canvas: Canvas, style: Style, signs: list[Sign], ghosts: list[Ghost]) -> None:
        """Paint all points with their marbles and targets, and with the given signs and ghosts."""
        screen, cell, sight = self.screen, self.cell, self.screen.sight
        targets = {spot[:2] for spot in screen.control.targets} if sight.asking else set()
        entries = [spot for spot in screen.control.targets if spot.side >= 0 and sight.asking]
        if screen.app.settings.marks == "off":
            targets, entries = set(), []
        covered, last, standing_at = sight.covered, sight.landed, sight.marbles
        active = screen.pointing.active
        kinds: dict[tuple[int, int], set[SignKind]] = {}
        for sign in signs:
            kinds.setdefault((sign.board, sign.point), set()).add(sign.kind)
        ghost_at = {(ghost.board, ghost.point): ghost for ghost in ghosts}
        split = len(screen.control.tray) > 1 and screen.control.wanted is None
        thick = max(1.5, cell * 0.05)
        places = self.places()
        for at, (x, y) in places.items():
            if at[0] in covered:
                continue
            here = kinds.get(at, ())
            standing = standing_at.get(at)
            if standing is not None:
                doomed = SignKind.DOOMED in here
                diagram.stone(canvas, style, x, y, cell, standing, 0.35 if doomed else 1.0)
                if at in last:
                    diagram.halo(canvas, x, y, cell * 0.49, diagram.LAST, thick)
                if SignKind.WIN in here or SignKind.LIT in here:
                    diagram.halo(canvas, x, y, cell * 0.46, diagram.WIN, thick * 1.6)
                if SignKind.COUNTED in here:
                    diagram.halo(canvas, x, y, cell * 0.46, diagram.LEGAL, thick)
                if SignKind.FELL in here:
                    low, half = y + cell * 0.42, cell * 0.14
                    canvas.polygon(x, low, [(-half, -half), (half, -half), (0, half)], diagram.LAST)
                if at in targets:
                    canvas.disc(x, y, cell * 0.16, diagram.EDGE)
                    canvas.disc(x, y, cell * 0.12, diagram.LEGAL)
                if doomed:
                    size = cell * 0.3
                    for turn in (-1, 1):
                        ends = (x - size, y - size * turn), (x + size, y + size * turn)
                        flat.thread(canvas, *ends, diagram.STOP, cell)
            elif at in targets:
                diagram.halo(canvas, x, y, cell * 0.32, diagram.LEGAL, thick)
                colours = screen.control.colours_at(Spot(*at)) if split and cell >= flat.LEGIBLE else ()
                for number, colour in enumerate(colours if len(colours) > 1 else ()):
                    aside = (number - (len(colours) - 1) / 2) * cell * 0.17
                    canvas.disc(x + aside, y, cell * 0.09, diagram.EDGE)
                    canvas.disc(x + aside, y, cell * 0.07, style.marbles[colour])
            else:
                diagram.hole(canvas, x, y, cell * 0.7)
            if at in ghost_at:
                diagram.stone(canvas, style, x, y, cell * 0.9, ghost_at[at].colour, 0.6)
            if SignKind.HINT in here:
                diagram.halo(canvas, x, y, cell * 0.48, diagram.LAST, thick)
            if SignKind.ORIGIN in here:
                diagram.halo(canvas, x, y, cell * 0.3, style.card, max(1.0, cell * 0.02))
            if active is not None and active[:2] == at:
                box = Rect(x - cell / 2, y - cell / 2, cell, cell)
                canvas.frame(box.inset(-1), diagram.EDGE, 4, thick + 2)
                canvas.frame(box, diagram.LEGAL, 3, thick)
        for sign in signs:
            if (sign.board, sign.point) in places and sign.board not in covered:
                place = places[sign.board, sign.point]
                if sign.kind in flat.LINES and (sign.board, sign.to) in places:
                    flat.join(canvas, style, sign, place, places[sign.board, sign.to], cell)
                flat.paint(canvas, style, sign, place, cell)
        for entry in entries:
            if entry.board in covered or entry[:2] not in places:
                continue
            x, y = places[entry[:2]]
            dx, dy = WAYS[entry.side]
            strong = active is not None and active == entry
            size = cell * (0.2 if strong else 0.14)
            px, py = x + dx * cell * 0.42, y + dy * cell * 0.42
            # The arrow points inward.
            tip = (-dx * size, -dy * size)
            left, right = (
                (dx * size - dy * size, dy * size + dx * size),
                (dx * size + dy * size, dy * size - dx * size),
            )
            loop = [tip, left, right]
            area = (left[0] - tip[0]) * (right[1] - tip[1]) - (right[0] - tip[0]) * (left[1] - tip[1])
            loop = loop if area > 0 else loop[::-1]
            canvas.polygon(px, py, [(1.3 * dx, 1.3 * dy) for dx, dy in loop], diagram.EDGE)
            canvas.polygon(px, py, loop, diagram.LEGAL)

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
    """Strip of small plans for one board: a grid for each level, the highest on top, north up.

    For a large board it shows three levels, which are selected with the letters at the top.
    """

    steady = True

    def __init__(self, screen: Planned) -> None:
        super().__init__(screen, "plans")
        self.middle = 1

    @property
    def levels(self) -> range:
        """Levels that are drawn."""
        size = self.pyramid.size
        if size <= WHOLE:
            return range(size)
        middle = max(1, min(size - 2, self.middle))
        return range(middle - 1, middle + 2)

    @property
    def head(self) -> float:
        """Height of the row of letters for selecting levels, or 0 if there is none."""
        return HEAD if self.pyramid.size > WHOLE else 0.0

    def follow(self, point: int) -> None:
        """Show the level of ``point`` in the strip."""
        level = self.pyramid.level[point]
        if level not in self.levels:
            self.middle = level
            self.refresh()

    def natural(self, height: float) -> tuple[float, float]:
        """Return the preferred width and height, with a height of at most ``height``."""
        size, levels = self.pyramid.size, self.levels
        rows = sum(size - level for level in levels) if size <= WHOLE else 3 * size - 3
        gaps = 2 * EDGE + GAP * (len(levels) - 1) + self.head
        cell = min(CELL, (height - gaps) / rows)
        return 2 * EDGE + LABEL + size * cell, gaps + rows * cell

    @property
    def cell(self) -> float:
        return (self.rect.w - 2 * EDGE - LABEL) / self.pyramid.size

    def shown(self) -> list[Spot]:
        return [Spot(*at) for at in self.places()]

    def places(self) -> dict[tuple[int, int], tuple[float, float]]:
        pyr, board = self.pyramid, self.screen.sight.board
        return {
            (board, point): place
            for level in self.levels
            for point, place in self._on_level(level, bits(pyr.levels[level])).items()
        }

    def _on_level(self, level: int, points: Iterable[int]) -> dict[int, tuple[float, float]]:
        """Return the centres of the points on one level."""
        pyr, cell = self.pyramid, self.cell
        width = pyr.size - level
        higher = [pyr.size - k for k in self.levels if k > level]
        above = self.head + sum(higher) * cell + GAP * len(higher)
        left = self.rect.x + EDGE + LABEL + (pyr.size - width) * cell / 2
        top = self.rect.y + EDGE + above
        return {
            p: (left + (pyr.file[p] + 0.5) * cell, top + (width - pyr.rank[p] - 0.5) * cell) for p in points
        }

    def place(self, point: int) -> tuple[float, float]:
        """Return the position of the centre of a point on the board that is drawn."""
        return self._on_level(self.pyramid.level[point], (point,))[point]

    def spot(self, spot: Spot) -> tuple[float, float]:
        return self.place(spot.point)

    def _letter(self, level: int) -> Rect:
        wide = (self.rect.w - 8) / self.pyramid.size
        return Rect(self.rect.x + 4 + wide * level, self.rect.y + 4, wide, HEAD - 2)

    def content(self) -> object:
        screen, shown = self.screen, self.screen.sight
        control, signs = screen.control, screen.signs.flat_signs()
        what = shown.board, shown.marbles, shown.covered, shown.landed, shown.asking, self.middle
        return (
            *what,
            signs,
            control.moves,
            control.targets,
            control.wanted,
            screen.pointing.active,
            screen.app.settings.marks,
        )

    def voice(self) -> str:
        """Return an empty string, since screen readers get the points from the boards."""
        return ""

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
            x = self.place((pyr.levels[level] & -pyr.levels[level]).bit_length() - 1)[0]
            side = (pyr.size - level) * cell
            canvas.rect(Rect(x - cell / 2, y - cell / 2, side, side).inset(-1), style.ground, 3)
        if self.screen.sight.board in self.screen.sight.covered:
            canvas.text_in(self.rect, _("cloth"), style.soft, "italic", SMALL, 0.5)
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
    """Plan of all levels of all boards, as large as possible; the main view in flat mode."""

    def __init__(self, screen: Planned) -> None:
        super().__init__(screen, "flat plan")
        self.visible = False

    def shown(self) -> list[Spot]:
        pyr = self.pyramid
        boards = range(len(self.screen.state.board_names))
        return [Spot(board, point) for board in boards for point in range(pyr.count)]

    def places(self) -> dict[tuple[int, int], tuple[float, float]]:
        points = range(self.pyramid.count)
        return {
            (board, point): drawn.spot(point) for board, drawn in enumerate(self.diagrams) for point in points
        }

    @property
    def diagrams(self) -> tuple[Diagram, ...]:
        """Plans of the boards, in the number of columns that makes the marbles largest."""
        return diagram.side_by_side(self.rect, self.pyramid.size, len(self.screen.state.board_names))

    @property
    def cell(self) -> float:
        return self.diagrams[0].cell

    def spot(self, spot: Spot) -> tuple[float, float]:
        return self.diagrams[spot.board].spot(spot.point)

    def paint(self, canvas: Canvas, style: Style) -> None:
        screen = self.screen
        several = len(screen.state.board_names) > 1
        sight = screen.sight
        covered = sight.covered
        for board, drawn in enumerate(self.diagrams):
            standing = {} if board in covered else self.standing(board)
            title = over.title(screen, board)[0] if several else ""
            diagram.grounds(
                canvas,
                style,
                drawn,
                standing,
                lambda letter: pgettext("level", "level {letter}", letter=letter),
                title,
                several and board == sight.board,
            )
            if board in covered:
                canvas.rect(drawn.grounds[0], faded(style.card, 0.92), RADIUS)
                canvas.text_in(drawn.grounds[0], _("under a cloth"), style.soft, "italic", BODY, 0.5)
        self.paint_points(canvas, style, *screen.signs.flat_signs())

    def standing(self, board: int) -> dict[int, int]:
        """Return the marbles on a board, as a mapping from points to colours."""
        return {point: colour for (on, point), colour in self.screen.sight.marbles.items() if on == board}
