"""Match clocks in the window. They run while somebody may choose, and stop while a dialog is open."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from shibumi3d.i18n import _
from shibumi3d.match.clock import shown
from shibumi3d.match.record import RecordError
from shibumi3d.scene.rect import Rect

from ..ui.button import Button
from ..ui.label import Text
from ..ui.panel import Card, middle

if TYPE_CHECKING:
    from shibumi3d.match.match import Match

    from ..host import Host
    from ..host.page import Page

TICK = 0.2
"""Interval between updates of the clocks, in seconds."""
SHORT = 10.0
"""Remaining time, in seconds, at which a clock is highlighted and starts to tick audibly."""
KEEP = 10.0
"""Maximum interval between saves of the elapsed time while nobody moves, in seconds."""


class Timing:
    """The clocks of the match on a page.

    ``choosing`` returns the seat whose clock runs, or None if no clock runs. ``ended`` is called to end the match if a
    seat has run out of time and the user chooses not to continue.
    """

    def __init__(
        self, page: Page, match: Match, choosing: Callable[[], int | None], ended: Callable[[], None]
    ) -> None:
        self.page, self.match, self.choosing, self.ended = page, match, choosing, ended
        self._seat: int | None = None
        """Seat whose clock has been running since the last check, or None."""
        self._looked = self._kept = page.app.clock()
        self._ticking = False

    @property
    def app(self) -> Host:
        """The application."""
        return self.page.app

    def line(self, seat: int) -> str:
        """Return the time that a seat has left, e.g. ``9:58``; empty if the match has no clocks."""
        clock = self.match.clock
        return shown(clock.left[seat]) if clock is not None else ""

    def short(self, seat: int) -> bool:
        """Return whether a seat has little time left, in a match that isn't over."""
        clock = self.match.clock
        return clock is not None and clock.left[seat] <= SHORT and self.match.state.to_move is not None

    def update(self) -> None:
        """Charge the elapsed time to the seat whose clock was running, and schedule the next update.

        Call this when the match changes and when the page is opened.
        """
        if self.match.clock is None or self.match.state.to_move is None:
            return
        self._look()
        if not self._ticking:
            self._ticking = True
            self.app.later(TICK, self._tick)

    def _tick(self) -> None:
        self._ticking = False
        if self.page.on_window:
            self.update()

    def _look(self) -> None:
        clock, now, seat = self.match.clock, self.app.clock(), self._seat
        passed, self._looked = now - self._looked, now
        self._seat = None if not self.page.on_window or self.app.root.floats else self.choosing()
        if clock is None or seat is None:
            return
        before = self.line(seat)
        out = clock.spend(seat, passed)
        if self.line(seat) != before:
            self.page.refresh()
            if self.short(seat) and not out:
                self.app.sounds.tick()
        if now - self._kept >= KEEP:
            self.keep()
        if out and seat == self.match.state.to_move and self.page.on_window:
            card = TimeUp(self, self.match.seats[seat].name)
            self.app.root.popup(card, card.place, focus=card.on)

    def keep(self) -> None:
        """Save the elapsed time to the file of the match, if there is one."""
        self._kept = self.app.clock()
        path = self.app.matches.kept
        if self.match.clock is not None and path is not None and os.path.exists(path):
            with suppress(OSError, RecordError):
                self.match.autosave(path)

    def close(self) -> None:
        """Charge and save the elapsed time, because the page is being left."""
        if self.match.clock is not None and self.match.state.to_move is not None:
            self._look()
            self.keep()


WIDE, HIGH = 500, 166
"""Size of the dialog, except in a narrow window."""


class TimeUp(Card):
    """Dialog that asks whether to end the match because a seat has run out of time.

    If it is closed without an answer, the match continues.
    """

    def __init__(self, timing: Timing, who: str) -> None:
        super().__init__(_("Time is up"))
        self.timing = timing
        self.words = Text(
            _("{who} has run out of time. End the game, or keep playing anyway?", who=who),
            "serif",
            17,
            lines=2,
        )
        self.on = Button(_("Continue"), timing.app.root.close, kind="main", name="go on without time")
        self.end = Button(_("End the game"), self._end, name="end on time")
        self.add(self.words, self.on, self.end)

    def place(self, window: Rect) -> Rect:
        """Return the dialog's rectangle, centred in the window and one line taller in a narrow one."""
        self.words.lines = 2 if window.w > WIDE else 3
        return middle(WIDE, HIGH + 23 * (self.words.lines - 2))(window)

    def _end(self) -> None:
        self.timing.app.root.close()
        self.timing.ended()

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        area = rect.inset(24, 18)
        buttons, area = area.cut_bottom(34, 8)
        self.words.layout(area.cut_top(38)[1])
        canvas = self.timing.app.canvas
        canvas.scale = self.timing.app.scale
        right = buttons.right
        for button in (self.on, self.end):
            wide = max(96.0, button.natural(canvas))
            button.layout(Rect(right - wide, buttons.y, wide, buttons.h))
            right -= wide + 10
