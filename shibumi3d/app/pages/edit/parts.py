"""Widgets of the position editor: the tray of tools, and the card for marbles beside the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shibumi3d.i18n import _, language
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.wording.naming import word
from shibumi3d.rules.wording import capital
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, RADIUS, Style

from ...marbles.counts import Counts
from ...ui import icons
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.drop import Drop
from ...ui.marble import marble
from ...ui.panel import Card

if TYPE_CHECKING:
    from .draft import Bench

MOST = 99
"""Maximum number of marbles of one colour in a stock."""
ROW = 40.0
TAKE = len(COLOURS)
"""Index of the tool that removes marbles, in the tray."""


class Swatch(Button):
    """A button in the tray that selects a colour or the tool for removing marbles."""

    def __init__(self, number: int, chosen: Callable[[int], None]) -> None:
        self.number = number
        if number == TAKE:
            tip, name = _("Remove  {number}", number=number + 1), "take-away"
        else:
            colour = word(COLOURS[number], language())
            tip, name = _("{colour}  {number}", colour=capital(colour), number=number + 1), COLOURS[number]
        super().__init__("", lambda: chosen(number), kind="quiet", tip=tip, name=name)

    def natural(self, canvas: Canvas) -> float:
        return 40.0

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        x, y = self.rect.cx, self.rect.cy
        if self.number == TAKE:
            icons.draw(canvas, "minus", round(x), round(y), style.ink)
        else:
            marble(canvas, style, x, y, 11, self.number)
        if self.on:
            canvas.frame(self.rect, style.action, RADIUS, 2)


class StocksCard(Card):
    """Card for editing the marbles beside the board.

    If each seat has its own marbles, the card shows the marbles of one seat at a time.
    """

    def __init__(self, bench: Bench, refused: Callable[[str], None], close: Callable[[], None]) -> None:
        super().__init__(_("Off the board"))
        self.bench, self._refused = bench, refused
        self.seat = bench.draft.to_move
        self.done = Button(_("Close"), close, kind="quiet", name="close")
        self.whose: Drop | None = None
        self.rows: list[tuple[str, Counts]] = []
        self._build()

    @property
    def high(self) -> float:
        """Preferred height."""
        return 84 + ROW * (len(self.rows) + (self.whose is not None))

    def _build(self) -> None:
        self.clear()
        self.rows = []
        names = self.bench.names
        several = any(holders > 1 for _, _, holders in self.bench.stocks)
        if several:
            told = [_("{who}'s marbles", who=name) for name in names]
            self.whose = Drop(told, self.seat, self._turn_to, name="whose", usual=self.seat)
            self.add(self.whose)
        for stock, holder, holders in self.bench.stocks:
            if holder in (0 if holders == 1 else self.seat,):
                given = self.bench.counts(stock, holder)
                counts = Counts(given, self._counted(stock, holder), name=stock, least=0, most=MOST)
                self.rows.append((capital(word(stock, language())), counts))
                self.add(counts)
        self.add(self.done)

    def _turn_to(self, seat: int) -> None:
        self.seat = seat
        self._build()
        self.layout(self.rect)

    def _counted(self, stock: str, holder: int) -> Callable[[tuple[int, ...]], None]:
        def counted(numbers: tuple[int, ...]) -> None:
            before = self.bench.counts(stock, holder)
            for colour, (was, now) in enumerate(zip(before, numbers, strict=True)):
                if was != now:
                    self._refused(self.bench.count(stock, holder, colour, now))
            for title, row in self.rows:
                if row.name == stock and title:
                    row.counts = self.bench.counts(stock, holder)

        return counted

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.done.layout(Rect(rect.right - 104, rect.y + 16, 88, 32))
        area = rect.inset(24, 16)
        _, area = area.cut_top(44)
        if self.whose is not None:
            line, area = area.cut_top(32, ROW - 32)
            self.whose.layout(line.cut_left(min(240.0, line.w))[0])
        for _unused, counts in self.rows:
            line, area = area.cut_top(34, ROW - 34)
            counts.layout(line.cut_right(min(3 * Counts.LEAST, line.w - 76))[0])

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        for title, counts in self.rows:
            left = self.rect.x + 24
            place = Rect(left, counts.rect.y, counts.rect.x - left - 8, counts.rect.h)
            canvas.text_fit(place, title, style.soft, "sans", BODY - 1)
