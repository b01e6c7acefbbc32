"""Screen that hides the board while the device is passed to a player with secret information."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shibumi3d.i18n import _, pgettext
from shibumi3d.scene import motion
from shibumi3d.scene.pen import mixed
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, RADIUS, SMALL, TITLE, Style

from ..ui import icons
from ..ui.button import quiet
from ..ui.canvas import Canvas
from ..ui.core import Key, Widget

if TYPE_CHECKING:
    from ..host import Host
    from .parts import MatchTable

PASSED_ON = ("f11", "ctrl+q")
"""Key chords that the window still handles while it is covered: full screen and quit."""
HOLD = 0.6
"""How long the button must be held, in seconds, so that nobody reveals the board by accident."""


class HandoverScreen(Widget):
    """Screen that covers the window until its button, or Space, has been held for a moment."""

    covers = True
    column = 330.0

    def __init__(self, app: Host, seat: int, name: str) -> None:
        super().__init__("curtain")
        self.app, self.seat, self.person = app, seat, name
        self.hold = HoldButton(self)
        self.back = quiet(_("Games"), app.pages.home, "back", _("Back to the games"), name="leave")
        self.back.focusable = False  # Space is reserved for the hold button
        self.add(self.hold, self.back)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.hold.layout(Rect(rect.cx - 110, rect.cy + 60, 220, 44))
        wide = self.back.natural(self.app.canvas)
        self.back.layout(Rect(rect.x + 12, rect.y + 7, wide, 30))

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.page)
        for number in range(7):
            canvas.rule(
                self.rect.x + self.rect.w * (number + 0.5) / 7,
                self.rect.y,
                self.rect.h,
                style.sunk,
                upright=True,
            )
        canvas.text(self.rect.cx, self.rect.cy - 96, "渋", style.brick, "seal", 84, 0.5)
        head = _("Hand over to")
        wide = canvas.width(head, "serif", TITLE - 6) + 34 + canvas.width(self.person, "title", TITLE - 6)
        x, y = self.rect.cx - wide / 2, self.rect.cy + 10
        x += canvas.text(x, y, head, style.soft, "serif", TITLE - 6) + 20
        icons.sign(canvas, self.seat, x, y - 8, style.action, 9)
        canvas.text(x + 16, y, self.person, style.ink, "title", TITLE - 6)
        below = Rect(self.rect.x, self.hold.rect.bottom + 12, self.rect.w, 24)
        keys = (
            _("Or press Space · Esc: back to the games")
            if self.app.settings.calm
            else _("Or hold Space · Esc: back to the games")
        )
        canvas.text_in(below, keys, style.soft, "sans", SMALL, 0.5)

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return True

    def key(self, key: Key) -> bool:
        if key.name == "escape":
            self.app.pages.home()
        elif key.name == "space" and self.hold.since is None:
            self.hold.begin()
        return key.chord not in PASSED_ON

    def key_up(self, key: Key) -> None:
        if key.name == "space":
            self.hold.stop()


class HoldButton(Widget):
    """Button that closes the handover screen once it has been held for :data:`HOLD` seconds."""

    shape = "hand"

    def __init__(self, curtain: HandoverScreen) -> None:
        super().__init__("hold to look")
        self.curtain = curtain
        self.since: float | None = None

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.card, RADIUS)
        if self.since is not None:
            part = min(1.0, (self.curtain.app.clock() - self.since) / HOLD)
            fill = Rect(self.rect.x, self.rect.y, max(2 * RADIUS, self.rect.w * part), self.rect.h)
            canvas.rect(fill, mixed(style.card, style.action, 0.3), RADIUS)
        canvas.frame(self.rect, style.action, RADIUS, 1.5)
        words = pgettext("handover", "Look") if self.curtain.app.settings.calm else _("Hold to look")
        canvas.text_in(self.rect, words, style.ink, "bold", BODY, 0.5)

    def act(self) -> None:
        # Activation without a pointer is never accidental, so the hold isn't cancelled again at once.
        self.begin()

    def begin(self) -> None:
        """Start the hold.

        The board is revealed after :data:`HOLD` seconds, or at once if double clicks are ignored (``calm``).
        """
        hold = 0.0 if self.curtain.app.settings.calm else HOLD
        since = self.since = self.curtain.app.clock()

        def check(again: Callable[[], None]) -> None:
            if self.since != since or self.root is None:
                return
            if self.curtain.app.clock() - since >= hold:
                self.since = None
                self.root.close()
                self.curtain.app.stage.fade_in(motion.CURTAIN, motion.STANDARD)
            else:
                self.refresh()
                self.curtain.app.later(0.03, again)

        def step() -> None:
            check(step)

        step()

    def stop(self) -> None:
        """Cancel the hold."""
        self.since = None
        self.refresh()

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        if button == "left":
            self.begin()
        return button == "left"

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        self.stop()

    def cancel_press(self) -> None:
        self.stop()


def hand_over(page: MatchTable) -> bool:
    """Cover the window if the seat to move may see more than the previous player.

    Returns whether the window is covered now.
    """
    seat = page.session.curtain()
    if seat is None:
        return False
    page.app.root.popup(HandoverScreen(page.app, seat, page.names[seat]), lambda window: window)
    page.app.stage.rustle()
    return True
