"""Status line on the start page that reports progress while the engine is being compiled.

If compiling requires the user's consent, the line has a button to start it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d import native
from shibumi3d.i18n import Message, _, verbatim
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL

from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.label import Text

if TYPE_CHECKING:
    from ...host.page import Page

TICK = 1.0
"""Interval between updates, in seconds."""
PATIENCE = 20
"""Number of updates without a report from a build after which the line stops updating."""


class Learning:
    """Status line that shows the progress of compiling the engine.

    A failure is reported only once, and stays visible until the page is left.
    """

    told: Message | None = None
    """Failure that was already reported, or None. Shared by all instances."""
    asked: tuple[int, ...] | None = None
    """Value of :func:`native.stamp` at the start of the last build; None once its outcome is known."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.line = Text("", "italic", SMALL, "soft", name="learning")
        self.button = Button(_("Compile engine"), self._ask, size=SMALL, name="compile")
        self.button.visible = False
        self._watching = False
        self._silent = 0

    def watch(self) -> None:
        """Start updating the line; called when the page appears or a build has been started."""
        self._silent = 0
        if native.watched() and not self._watching:
            self._look()

    def place(self, rect: Rect, canvas: Canvas) -> Rect:
        """Lay out the line at the bottom edge unless it is empty; return the remaining area."""
        self.line.visible = bool(self.line.words)
        if not self.line.visible:
            return rect
        row, rest = rect.cut_bottom(32 if self.button.visible else 28)
        row = row.inset(18, 4)
        if self.button.visible:
            wide = min(row.w, canvas.width(self.line.words, self.line.face, self.line.size) + 12)
            self.button.layout(Rect(row.x + wide, row.y, self.button.natural(canvas), row.h))
            row = Rect(row.x, row.y, wide, row.h)
        self.line.layout(row)
        return rest

    def _look(self) -> None:
        self._watching = self.page.on_window
        if not self._watching:
            self._say("")
            return
        progress = native.progress()
        if progress is None:
            self._silent += 1
            self._wait()
        elif progress.stopped is None:
            self._silent = 0
            Learning.told, Learning.asked = None, Learning.asked or native.stamp()
            self._say(_("Compiling the engine… {n}%", n=round(100 * progress.share)))
        elif Learning.told != progress.stopped:
            Learning.told, Learning.asked = progress.stopped, None
            if native.offer is None:
                self._say(
                    _(
                        "Couldn't compile the engine ({problem}). Shibumi 3D will try again at the next start.",
                        problem=progress.stopped,
                    )
                )
            else:
                self._say(
                    _("Couldn't compile the engine ({problem}).", problem=progress.stopped),
                    offered=True,
                )
        else:
            self._silent += 1
        if self._silent < PATIENCE:
            self.page.app.later(TICK, self._look)
        else:
            self._watching = False

    def _wait(self) -> None:
        """Update the line while no build reports progress.

        There may be no build, or a build that is just starting or already finished.
        """
        if native.offer is None:
            self._say("")
        elif Learning.asked is None or self._silent == PATIENCE:
            Learning.asked = None
            self._say(_("Make the computer players stronger:"), offered=True)
        elif Learning.asked == native.stamp():
            self._say(_("Compiling the engine… {n}%", n=0))
        else:
            native.offer = Learning.asked = None
            record = native.read()
            refused = record.failed if record is not None else ""
            self._say(
                _("Couldn't compile the engine ({problem}).", problem=verbatim(refused)) if refused else ""
            )

    def _ask(self) -> None:
        if native.offer is not None and native.offer():
            Learning.told, Learning.asked = None, native.stamp()
            self._say(_("Compiling the engine… {n}%", n=0))
            self.watch()

    def _say(self, words: str, offered: bool = False) -> None:
        was = self.line.visible, self.button.visible
        self.line.say(words)
        self.button.visible = offered
        if was != (bool(words), offered) and self.page.rect.w:
            self.page.layout(self.page.rect)
