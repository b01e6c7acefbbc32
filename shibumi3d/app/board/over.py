"""Overlay of the board view: names of boards, numbers of marbles, and labels on hidden boards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _, language
from shibumi3d.rules.marbles.wording.naming import word
from shibumi3d.rules.wording import capital
from shibumi3d.scene.marbles.layout import BOX_HALF, BOX_HEIGHT, TOP, half_side
from shibumi3d.scene.marbles.plaque import plaque
from shibumi3d.scene.marbles.spread import Spread
from shibumi3d.scene.pen import faded
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL, Style

from ..ui import icons
from ..ui.canvas import Canvas
from ..ui.core import Still

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.state import State
    from shibumi3d.scene.marbles.stage import Stage

    from ..host.view import View
    from .boards import Boards

ASIDE = (0.0, 24.0, -24.0, 48.0, 72.0, 96.0, 120.0, 144.0, 168.0)
"""Horizontal offsets, in pixels, that are tried if the usual place of a board's name is occupied."""
SEAT = re.compile(r"seat(\d+)")
OFF = 40.0
"""Maximum distance in pixels by which a plaque may be moved up if its usual place is occupied."""


class Named(Protocol):
    """Page with boards that have names."""

    names: list[str]

    @property
    def state(self) -> State:
        """State shown."""


class Looked(Protocol):
    """Page with a view of boards."""

    view: View
    stage: Stage

    @property
    def spread(self) -> Spread | None:
        """Positions of the levels in the exploded view, or None if it is off."""


def title(screen: Named, board: int) -> tuple[str, int]:
    """Return the display name of a board, and the seat that owns it or -1."""
    name = screen.state.board_names[board]
    found = SEAT.fullmatch(name)
    if found is not None and int(found[1]) <= len(screen.names):
        seat = int(found[1]) - 1
        return screen.names[seat], seat
    return capital(word(name, language())), -1


def board_at(screen: Looked, x: float, y: float) -> int:
    """Return the index of the board at a position in the view, or -1 if there is none."""
    view = screen.view
    origin, way = view.camera.ray(x, y, view.rect.w, view.rect.h)
    if way[2] >= 0:
        return -1
    east, north = (origin + way * ((TOP - origin[2]) / way[2]))[:2]
    return screen.stage.board_at(float(east), float(north), screen.spread)


class Over(Still):
    """Overlay drawn on the board view, which takes no input."""

    def __init__(self, screen: Boards) -> None:
        super().__init__()
        self.screen = screen
        self.taken: list[Rect] = []
        """Areas covered by panels and by labels placed so far."""

    def voice(self) -> str:
        """Return the current announcement for screen readers.

        The objects beside the boards are described separately, for each seat.
        """
        return self.screen.announced

    def take(self, box: Rect) -> bool:
        """Reserve a rectangle for a label if it is free; return whether it was free."""
        common = [box.overlap(other) for other in self.taken]
        free = not any(part.w > 1 and part.h > 1 for part in common)
        if free:
            self.taken.append(box)
        return free

    def near(self, box: Rect) -> Rect | None:
        """Reserve the rectangle, or a free one just above whatever occupies it, and return the result.

        Returns None if the rectangle would have to be moved by more than :data:`OFF` pixels.
        """
        if self.take(box):
            return box
        for other in self.taken:
            part, above = box.overlap(other), box.moved(0.0, other.y - 2 - box.bottom)
            if part.w > 1 and part.h > 1 and box.y - above.y <= OFF and self.take(above):
                return above
        return None

    def paint(self, canvas: Canvas, style: Style) -> None:
        screen = self.screen
        if screen.announced:
            wide = canvas.width(screen.announced, "title", 18) + 48
            box = Rect(self.rect.cx - wide / 2, self.rect.y + 18, wide, 40)
            canvas.shadow(box, style.shadow)
            canvas.rect(box, style.card, 6)
            canvas.frame(box, style.action, 6, 1.5)
            canvas.text_in(box, screen.announced, style.ink, "title", 18, 0.5)
        if not screen.view.visible:
            return
        self.taken = screen.panels()
        with canvas.clip(screen.view.rect):
            several = len(screen.stage.sizes) > 1
            shown = screen.sight
            hidden = shown.covered
            for board in range(len(screen.stage.sizes)):
                if board in hidden:
                    self._cloth(canvas, style, board)
                if several and screen.spread is None:
                    self._title(canvas, style, board, board == shown.board)
            if not screen.bare and screen.spread is None:
                self._boxes(canvas, style)
                self._numbers(canvas, style)
            if screen.spread is not None and screen.spread.settled:
                self._levels(canvas, style, screen.spread)

    def _corners(self, board: int, height: float, part: float = 1.0) -> list[tuple[float, float]]:
        x, y = self.screen.stage.middle(board, self.screen.spread)
        half = half_side(self.screen.stage.sizes[board]) * part
        ways = ((-1, -1), (-1, 1), (1, 1), (1, -1))
        return self.screen.view.all_on_screen([(x + half * i, y + half * j, height) for i, j in ways])

    def _cloth(self, canvas: Canvas, style: Style, board: int) -> None:
        """Draw a label saying that a board is hidden."""
        corners = self._corners(board, TOP, 1.0)
        x, y = (sum(p[0] for p in corners) / 4, sum(p[1] for p in corners) / 4)
        text = _("under a cloth")
        wide = canvas.width(text, "sans", SMALL) + 16
        box = Rect(x - wide / 2, y - 12, wide, 24)
        self.taken.append(box)
        canvas.rect(box, faded(style.card, 0.9), 5)
        canvas.text_in(box, text, style.soft, "sans", SMALL, 0.5)

    def _title(self, canvas: Canvas, style: Style, board: int, here: bool) -> None:
        """Draw the name of a board below the edge nearest to the viewer."""
        corners = self._corners(board, TOP, 1.0)
        edges = list(zip(corners, [*corners[1:], corners[0]], strict=True))
        edges.sort(key=lambda edge: -edge[0][1] - edge[1][1])
        text, seat = title(self.screen, board)
        sign = 20 if seat >= 0 else 0
        wide = canvas.width(text, "bold" if here else "sans", 14) + 16 + sign
        places = [
            Rect((ax + bx) / 2 - wide / 2 + aside, (ay + by) / 2 + 14, wide, 24)
            for aside in ASIDE
            for (ax, ay), (bx, by) in edges
        ]
        area = self.screen.view.rect.inset(2)
        places = [place for place in places if place.overlap(area) == place]
        box = next((place for place in places if self.take(place)), None)
        if box is None:
            # There is no room for the name, or the board is out of view.
            return
        canvas.rect(box, faded(style.card, 0.9), 5)
        if here:
            canvas.frame(box, style.action, 5, 1.5)
        if seat >= 0:
            icons.sign(canvas, seat, box.x + 14, box.cy, style.action, 6)
        place = Rect(box.x + 8 + sign, box.y, box.w - 14 - sign, box.h)
        canvas.text_in(place, text, style.ink, "bold" if here else "sans", 14)

    def _numbers(self, canvas: Canvas, style: Style) -> None:
        """Draw the number of marbles in each heap, on a wooden plaque at the rim of the tray."""
        numbers = self.screen.lying(self.screen.now()).numbers
        places = self.screen.view.all_on_screen([at for at, _ in numbers])
        look = plaque(self.screen.app.settings.colours)
        for (x, y), (_unused, number) in zip(places, numbers, strict=True):
            told = "?" if number < 0 else str(number)
            wide = max(20.0, canvas.width(told, "bold", SMALL) + 8)
            box = self.near(Rect(x - wide / 2, y - 9, wide, 18))
            if box is None:
                continue
            canvas.rect(box, look.edge, 3)
            canvas.rect(Rect(box.x, box.y, box.w, box.h - 2), look.wood, 3)
            canvas.text_in(box, told, faded(look.ink, 1.0 if number else 0.6), "bold", SMALL, 0.5)

    def _boxes(self, canvas: Canvas, style: Style) -> None:
        """Draw the owner's symbol at each box, and the name of the box if each seat has several."""
        screen, table = self.screen, self.screen.tabletop
        slots = list(screen.boxes(screen.sight.passed, screen.now()))
        feet = [table.lay.boxes[table.box(*slot)] for slot in slots]
        fronts = [(x, y - BOX_HALF, z + BOX_HEIGHT / 2) for x, y, z in feet]
        for (seat, stock), (x, y) in zip(slots, screen.view.all_on_screen(fronts), strict=True):
            name = word(stock, language()) if len(table.secret) > 1 else ""
            wide = 22 + (canvas.width(name, "sans", SMALL) + 6 if name else 0)
            places = [
                Rect(x - wide / 2 + dx, y - 11 + dy, wide, 22) for dx, dy in ((0, 0), (0, -22), (16, 22))
            ]
            box = next((place for place in places if self.take(place)), None)
            if box is None:
                continue
            canvas.rect(box, faded(style.card, 0.9), 5)
            icons.sign(canvas, seat, box.x + 11, box.cy, style.action, 5)
            canvas.text_in(Rect(box.x + 20, box.y, wide - 18, 22), name, style.ink, "sans", SMALL)

    def _levels(self, canvas: Canvas, style: Style, spread: Spread) -> None:
        """Draw the letter of each level of the exploded view on a corner of its board.

        If there are several boards, the first level of each board also shows the board's name.
        """
        several = len(spread.sizes) > 1
        for board, level, lies in spread.lying(self.screen.seen.cloths):
            half = lies.half - 0.1
            corners = [(lies.x + half * i, lies.y + half * j, TOP) for i in (-1, 1) for j in (-1, 1)]
            x, y = min(self.screen.view.all_on_screen(corners), key=sum)
            text = chr(ord("A") + level)
            if several and not level:
                text = f"{title(self.screen, board)[0]}  {text}"
            wide = max(18.0, canvas.width(text, "bold", 12) + 11)
            canvas.rect(Rect(x - 9, y - 9, wide, 18), faded(style.card, 0.85), 9)
            canvas.text_in(Rect(x - 9, y - 9, wide, 18), text, style.ink, "bold", 12, 0.5)
