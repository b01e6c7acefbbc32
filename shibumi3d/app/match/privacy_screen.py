"""Screen that hides the board while the device is passed to a player with secret information."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shibumi3d.i18n import _
from shibumi3d.scene import motion
from shibumi3d.scene.pen import mix_colours
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, SMALL_TEXT_PX, TITLE_PX, Style

from ..ui import icons
from ..ui.button import quiet_button
from ..ui.canvas import Canvas
from ..ui.widget import Key, Widget

if TYPE_CHECKING:
    from ..host import Host
    from .players import MatchPageInterface


PASSED_KEYS = ("f11", "ctrl+q")
"""Key chords that the window still handles while it is covered: full screen and quit."""
HOLD_SECONDS = 0.6
"""How long the button must be held, in seconds, so that nobody reveals the board by accident."""


class PrivacyScreen(Widget):
    """Screen that covers the window until its button, or Space, has been held for a moment.

    If the user has chosen to ignore double clicks (setting ``calm``), a press is enough. The user can also go back to
    the games instead.
    """

    covers_page = True
    max_column_height = 330.0

    def __init__(self, app: Host, seat: int, player_name: str) -> None:
        super().__init__("curtain")
        self.app, self.seat, self.player_name = app, seat, player_name
        self.hold_button = HoldToLookButton(self)
        self.back_button = quiet_button(
            _("Games"), app.pages.show_home, "back", _("Back to the games"), name="leave"
        )
        self.back_button.focusable = False  # Space is reserved for the hold button
        self.add(self.hold_button, self.back_button)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        width = self.hold_button.preferred_width(self.app.canvas)
        self.hold_button.layout(Rect(rect.cx - width / 2, rect.cy + 60, width, 44))
        wide = self.back_button.preferred_width(self.app.canvas)
        self.back_button.layout(Rect(rect.x + 12, rect.y + 7, wide, 30))

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.page)
        for number in range(7):
            canvas.hairline(
                self.rect.x + self.rect.w * (number + 0.5) / 7,
                self.rect.y,
                self.rect.h,
                style.recessed,
                vertical=True,
            )
        canvas.text(self.rect.cx, self.rect.cy - 96, "渋", style.warning, "seal", 84, 0.5)
        head = _("Hand over to")
        wide = (
            canvas.text_width(head, "serif", TITLE_PX - 6)
            + 34
            + canvas.text_width(self.player_name, "title", TITLE_PX - 6)
        )
        x, y = self.rect.cx - wide / 2, self.rect.cy + 10
        x += canvas.text(x, y, head, style.secondary_ink, "serif", TITLE_PX - 6) + 20
        icons.draw_seat_symbol(canvas, self.seat, x, y - 8, style.action, 9)
        canvas.text(x + 16, y, self.player_name, style.ink, "title", TITLE_PX - 6)
        below = Rect(self.rect.x, self.hold_button.rect.bottom + 12, self.rect.w, 24)
        keys = (
            _("Or press Space. Esc goes back to the games.")
            if self.app.settings.calm
            else _("Or hold Space. Esc goes back to the games.")
        )
        canvas.text_in(below, keys, style.secondary_ink, "sans", SMALL_TEXT_PX, 0.5)

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        return True

    def on_key(self, key: Key) -> bool:
        if key.name == "escape":
            self.app.pages.show_home()
        elif key.name == "space" and self.hold_button.hold_start is None:
            self.hold_button.start_hold()
        return key.chord not in PASSED_KEYS

    def on_key_release(self, key: Key) -> None:
        if key.name == "space":
            self.hold_button.cancel_hold()


class HoldToLookButton(Widget):
    """Button that closes the privacy screen once it has been held for :data:`HOLD_SECONDS`.

    If the user has chosen to ignore double clicks (setting ``calm``), a press is enough. A screen reader can't hold the
    button, so after a press by a screen reader, the privacy screen closes by itself when the same time has passed.
    """

    cursor_shape = "hand"

    def __init__(self, privacy_screen: PrivacyScreen) -> None:
        super().__init__("hold to look")
        self.privacy_screen = privacy_screen
        self.hold_start: float | None = None

    @property
    def label(self) -> str:
        return _("Show the table") if self.privacy_screen.app.settings.calm else _("Hold to show the table")

    def preferred_width(self, canvas: Canvas) -> float:
        """Return the width that fits the whole label, but at least 220 logical pixels."""
        return max(220.0, canvas.text_width(self.label, "bold", BODY_TEXT_PX) + 32)

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.card, CORNER_RADIUS_PX)
        if self.hold_start is not None:
            fraction = min(1.0, (self.privacy_screen.app.clock() - self.hold_start) / HOLD_SECONDS)
            fill = Rect(
                self.rect.x, self.rect.y, max(2 * CORNER_RADIUS_PX, self.rect.w * fraction), self.rect.h
            )
            canvas.rect(fill, mix_colours(style.card, style.action, 0.3), CORNER_RADIUS_PX)
        canvas.outline(self.rect, style.action, CORNER_RADIUS_PX, 1.5)
        canvas.text_in(self.rect, self.label, style.ink, "bold", BODY_TEXT_PX, 0.5)

    def activate(self) -> None:
        # Without a pointer, no release cancels the hold, but such an activation is never accidental.
        self.start_hold()

    def start_hold(self) -> None:
        """Reveal the board after :data:`HOLD_SECONDS`, unless the hold is cancelled first.

        If the user has chosen to ignore double clicks (setting ``calm``), reveal it immediately.
        """
        hold = 0.0 if self.privacy_screen.app.settings.calm else HOLD_SECONDS
        since = self.hold_start = self.privacy_screen.app.clock()

        def check(again: Callable[[], None]) -> None:
            if self.hold_start != since or self.root is None:
                return
            if self.privacy_screen.app.clock() - since >= hold:
                self.hold_start = None
                self.root.close_popup()
                self.privacy_screen.app.fade_in(motion.PRIVACY_SCREEN_OPEN_MS, motion.EASE_STANDARD)
            else:
                self.refresh()
                self.privacy_screen.app.schedule(0.03, again)

        def step() -> None:
            check(step)

        step()

    def cancel_hold(self) -> None:
        self.hold_start = None
        self.refresh()

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        if button == "left":
            self.start_hold()
        return button == "left"

    def on_release(self, x: float, y: float, button: str, key: Key) -> None:
        self.cancel_hold()

    def cancel_press(self) -> None:
        self.cancel_hold()


def cover_for_next_player(page: MatchPageInterface) -> bool:
    """Cover the window if the next person to choose may see something that the previous one may not.

    Returns whether the window was covered.
    """
    seat = page.model.begin_private_choice()
    if seat is None:
        return False
    page.app.root.open_popup(PrivacyScreen(page.app, seat, page.names[seat]), lambda window: window)
    page.app.play_page_sound()
    return True
