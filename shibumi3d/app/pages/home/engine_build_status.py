"""Status line on the start page that reports progress while the engine is being compiled.

If compiling requires the user's consent, the line has a button that starts the compilation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d import native
from shibumi3d.i18n import Message, _, untranslated
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL_TEXT_PX

from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.label import Label

if TYPE_CHECKING:
    from ...host.page import Page


TICK_SECONDS = 1.0
"""Interval between updates, in seconds."""
MAX_SILENT_TICKS = 20
"""Number of updates without a report from a build after which the line stops updating."""


class EngineBuildStatus:
    """Status line that shows the progress of compiling the engine.

    If compiling requires the user's consent, a button starts it. A failure is reported only once, and the report stays
    visible until the page is left or a new build starts.
    """

    reported_failure: Message | None = None
    """Failure that was already reported, or None. Shared by all instances."""
    started_stamp: tuple[int, ...] | None = None
    """Value of :func:`.record_times` when the current build was started or first seen; None if there is no build."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.label = Label("", "italic", SMALL_TEXT_PX, "secondary_ink", name="learning")
        self.button = Button(_("Compile engine"), self._start_build, size=SMALL_TEXT_PX, name="compile")
        self.button.visible = False
        self._is_watching = False
        self._silent_ticks = 0

    def start_watching(self) -> None:
        """Start updating the status line if background builds are allowed.

        This method is called when the page appears and after a build is started.
        """
        self._silent_ticks = 0
        if native.allows_background_build() and not self._is_watching:
            self._update()

    def layout(self, rect: Rect, canvas: Canvas) -> Rect:
        """Lay out the line at the bottom edge unless it is empty; return the remaining area."""
        self.label.visible = bool(self.label.caption)
        if not self.label.visible:
            return rect
        row, rest = rect.cut_bottom(32 if self.button.visible else 28)
        row = row.inset(18, 4)
        if self.button.visible:
            wide = min(row.w, canvas.text_width(self.label.caption, self.label.font, self.label.size) + 12)
            self.button.layout(Rect(row.x + wide, row.y, self.button.preferred_width(canvas), row.h))
            row = Rect(row.x, row.y, wide, row.h)
        self.label.layout(row)
        return rest

    def _update(self) -> None:
        self._is_watching = self.page.is_current
        if not self._is_watching:
            self._show("")
            return
        progress = native.read_progress()
        if progress is None:
            self._silent_ticks += 1
            self._update_without_report()
        elif progress.stop_reason is None:
            self._silent_ticks = 0
            EngineBuildStatus.reported_failure, EngineBuildStatus.started_stamp = (
                None,
                EngineBuildStatus.started_stamp or native.record_times(),
            )
            self._show(_("Compiling the engine… {n}%", n=round(100 * progress.share)))
        elif EngineBuildStatus.reported_failure != progress.stop_reason:
            EngineBuildStatus.reported_failure, EngineBuildStatus.started_stamp = progress.stop_reason, None
            if native.start_offered_build is None:
                self._show(
                    _(
                        "Couldn't compile the engine ({problem}). Shibumi 3D will try again the next time it starts.",
                        problem=progress.stop_reason,
                    )
                )
            else:
                self._show(
                    _("Couldn't compile the engine ({problem}).", problem=progress.stop_reason),
                    offer_build=True,
                )
        else:
            self._silent_ticks += 1
        if self._silent_ticks < MAX_SILENT_TICKS:
            self.page.app.schedule(TICK_SECONDS, self._update)
        else:
            self._is_watching = False

    def _update_without_report(self) -> None:
        """Update the line while no build reports progress.

        There may be no build, or a build that is just starting or already finished.
        """
        if native.start_offered_build is None:
            self._show("")
        elif EngineBuildStatus.started_stamp is None or self._silent_ticks == MAX_SILENT_TICKS:
            EngineBuildStatus.started_stamp = None
            self._show(_("Make the computer players stronger:"), offer_build=True)
        elif EngineBuildStatus.started_stamp == native.record_times():
            self._show(_("Compiling the engine… {n}%", n=0))
        else:
            native.start_offered_build = EngineBuildStatus.started_stamp = None
            record = native.read_record()
            refused = record.failure if record is not None else ""
            self._show(
                _("Couldn't compile the engine ({problem}).", problem=untranslated(refused))
                if refused
                else ""
            )
            self._silent_ticks = MAX_SILENT_TICKS  # so that the next update doesn't hide the failure

    def _start_build(self) -> None:
        if native.start_offered_build is not None and native.start_offered_build():
            EngineBuildStatus.reported_failure, EngineBuildStatus.started_stamp = None, native.record_times()
            self._show(_("Compiling the engine… {n}%", n=0))
            self.start_watching()

    def _show(self, text: str, offer_build: bool = False) -> None:
        was = self.label.visible, self.button.visible
        self.label.set_caption(text)
        self.button.visible = offer_build
        if was != (bool(text), offer_build) and self.page.rect.w:
            self.page.layout(self.page.rect)
