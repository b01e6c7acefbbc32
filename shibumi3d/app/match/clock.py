"""Match clocks in the window. They run while somebody may choose, and stop while a dialog is open."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from shibumi3d.i18n import _
from shibumi3d.match.clock import format_clock
from shibumi3d.match.record import RecordError
from shibumi3d.scene.rect import Rect

from ..ui.button import Button
from ..ui.label import Label
from ..ui.panel import Card, centred_placement

if TYPE_CHECKING:
    from shibumi3d.match.match import Match

    from ..host import Host
    from ..host.page import Page


CLOCK_UPDATE_SECONDS = 0.2
"""Interval between updates of the clocks, in seconds."""
LOW_TIME_SECONDS = 10.0
"""Remaining time, in seconds, at which a clock is highlighted and starts to tick audibly."""
CLOCK_SAVE_SECONDS = 10.0
"""Maximum interval between saves of the elapsed time while nobody moves, in seconds."""


class MatchClocks:
    """The clocks of the match on a page.

    ``get_running_seat`` returns the seat whose clock runs, or None if no clock runs. ``on_time_up`` is called to end
    the match if a seat has run out of time and the user chooses not to continue.
    """

    def __init__(
        self,
        page: Page,
        match: Match,
        get_running_seat: Callable[[], int | None],
        on_time_up: Callable[[], None],
    ) -> None:
        self.page, self.match, self.get_running_seat, self.on_time_up = (
            page,
            match,
            get_running_seat,
            on_time_up,
        )
        self._running_seat: int | None = None
        """Seat whose clock has been running since the last check, or None."""
        self._last_update = self._last_save = page.app.clock()
        self._is_update_scheduled = False

    @property
    def app(self) -> Host:
        return self.page.app

    def time_text(self, seat: int) -> str:
        """Return the time that a seat has left, e.g. ``9:58``, or "" if the match has no clocks."""
        clock = self.match.clock
        return format_clock(clock.seconds_left[seat]) if clock is not None else ""

    def is_time_low(self, seat: int) -> bool:
        """Return whether a seat has at most :data:`LOW_TIME_SECONDS` left in a match that isn't over."""
        clock = self.match.clock
        return (
            clock is not None
            and clock.seconds_left[seat] <= LOW_TIME_SECONDS
            and self.match.state.to_move is not None
        )

    def update(self) -> None:
        """Charge the elapsed time to the seat whose clock was running, and schedule the next update.

        Does nothing if the match has no clocks or is over. Call this when the match changes and when the page is
        opened.
        """
        if self.match.clock is None or self.match.state.to_move is None:
            return
        self._charge_time()
        if not self._is_update_scheduled:
            self._is_update_scheduled = True
            self.app.schedule(CLOCK_UPDATE_SECONDS, self._update_if_current)

    def _update_if_current(self) -> None:
        self._is_update_scheduled = False
        if self.page.is_current:
            self.update()

    def _charge_time(self) -> None:
        clock, now, seat = self.match.clock, self.app.clock(), self._running_seat
        passed, self._last_update = now - self._last_update, now
        self._running_seat = (
            None if not self.page.is_current or self.app.root.popups else self.get_running_seat()
        )
        if clock is None or seat is None:
            return
        before = self.time_text(seat)
        out = clock.deduct(seat, passed)
        if self.time_text(seat) != before:
            self.page.refresh()
            if self.is_time_low(seat) and not out:
                self.app.sounds.play_clock_tick()
        if now - self._last_save >= CLOCK_SAVE_SECONDS:
            self.save_time()
        if out and seat == self.match.state.to_move and self.page.is_current:
            card = TimeUpDialog(self, self.match.seats[seat].name)
            self.app.root.open_popup(card, card.popup_rect, focus=card.continue_button)

    def save_time(self) -> None:
        """Save the elapsed time to the file of the match, if the match has a clock and a file.

        Errors are ignored.
        """
        self._last_save = self.app.clock()
        path = self.app.matches.current_path
        if self.match.clock is not None and path is not None and os.path.exists(path):
            with suppress(OSError, RecordError):
                self.match.start_autosave(path)

    def close(self) -> None:
        """Charge the elapsed time to the seat whose clock was running, and save it.

        Does nothing if the match has no clocks or is over. Call this when the page is left.
        """
        if self.match.clock is not None and self.match.state.to_move is not None:
            self._charge_time()
            self.save_time()


TIME_UP_DIALOG_WIDTH_PX, TIME_UP_DIALOG_HEIGHT_PX = 500, 166
"""Width and height of the dialog, in logical pixels; in a narrow window, it is taller."""


class TimeUpDialog(Card):
    """Dialog that asks whether to end the match because a seat has run out of time.

    If it is closed without an answer, the match continues.
    """

    def __init__(self, clocks: MatchClocks, player_name: str) -> None:
        super().__init__(_("Time is up"))
        self.clocks = clocks
        self.question_label = Label(
            _("{who} has run out of time. End the game, or keep playing anyway?", who=player_name),
            "serif",
            17,
            max_lines=2,
        )
        self.continue_button = Button(
            _("Keep playing"), clocks.app.root.close_popup, kind="main", name="go on without time"
        )
        self.end_button = Button(_("End the game"), self._end_game, name="end on time")
        self.add(self.question_label, self.continue_button, self.end_button)

    def popup_rect(self, window: Rect) -> Rect:
        """Return the dialog's rectangle, centred in the window.

        In a narrow window, the dialog is taller and allows three lines for the question instead of two.
        """
        self.question_label.max_lines = 2 if window.w > TIME_UP_DIALOG_WIDTH_PX else 3
        return centred_placement(
            TIME_UP_DIALOG_WIDTH_PX, TIME_UP_DIALOG_HEIGHT_PX + 23 * (self.question_label.max_lines - 2)
        )(window)

    def _end_game(self) -> None:
        self.clocks.app.root.close_popup()
        self.clocks.on_time_up()

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        area = rect.inset(24, 18)
        buttons, area = area.cut_bottom(34, 8)
        self.question_label.layout(area.cut_top(38)[1])
        canvas = self.clocks.app.canvas
        canvas.scale = self.clocks.app.scale
        right = buttons.right
        for button in (self.continue_button, self.end_button):
            width = max(96.0, button.preferred_width(canvas))
            button.layout(Rect(right - width, buttons.y, width, buttons.h))
            right -= width + 10
