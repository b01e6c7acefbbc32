"""Playback controls at the bottom of the replay page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.i18n import _
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL, Style

from ...board.band import HIGH, Band
from ...board.running import Running
from ...host.settings_card import SoundButton
from ...ui.button import Button, quiet, row
from ...ui.canvas import Canvas
from ...ui.core import Widget
from ...ui.slider import Slider

if TYPE_CHECKING:
    from ...host import Host

BAR = 72.0
"""Height of the controls if they fit on one line, in logical pixels."""
LINES = (56.0, 40.0, 44.0)
"""Heights of the three lines of controls in a window with one column, in logical pixels.

From top to bottom: the timeline, the step buttons, and the buttons that are otherwise at the top of the page.
"""
NARROW = 320
"""Minimum width of a timeline with which the evaluation graph is aligned, in logical pixels.

If the timeline is shorter, the graph is as wide as the page.
"""


class Acts(NamedTuple):
    """Actions of the playback controls.

    ``go`` jumps to the position after a number of moves, ``step`` moves forward or back by a number of moves, and
    ``scrub`` jumps to a stop of the timeline. ``export`` opens the export card, and ``lay_out`` opens the position
    editor.
    """

    go: Callable[[int], None]
    step: Callable[[int], None]
    scrub: Callable[[int], None]
    export: Callable[[], None]
    lay_out: Callable[[], None]


class Foot:
    """Playback controls with the evaluation graph above them; ``most`` is the number of moves."""

    def __init__(self, app: Host, running: Running, band: Band, acts: Acts, most: int) -> None:
        self.running, self.band, self.most = running, band, most
        self.first = quiet("", lambda: acts.go(0), "first", _("First  Home"), name="first")
        self.less = quiet("", lambda: acts.step(-1), "step-back", _("Back  ←"), name="step back")
        self.run = Button("", running.toggle, icon="play", kind="plain", tip=_("Play  Space"), name="run")
        self.more = quiet("", lambda: acts.step(1), "step", _("Forward  →"), name="step")
        self.last = quiet("", lambda: acts.go(most), "last", _("Last  End"), name="last")
        self.less.heard, self.more.heard = _("One move back  ←"), _("One move forward  →")
        self.line = Slider(acts.scrub, name="line")
        self.pace = quiet("", running.faster, "", _("Speed  ↑ ↓"), name="speed")
        self.round = Button(_("Loop"), running.loop, icon="loop", kind="quiet", name="loop")
        self.lead = quiet(
            "", band.toggle, "analysis", _("Review: evaluation and better moves  A"), name="who stood better"
        )
        self.film = quiet("", acts.export, "save", _("Export  Ctrl+E"), name="export")
        self.edit = quiet("", acts.lay_out, "marbles", _("Edit position  E"), name="lay out")
        self.sounding = SoundButton(app)
        self.steps = [self.first, self.less, self.run, self.more, self.last]
        self.deeds = [self.round, self.lead, self.film, self.edit, self.sounding]

    @property
    def widgets(self) -> Sequence[Widget]:
        """All widgets, in tab order."""
        steps = self.first, self.less, self.run, self.more, self.edit, self.film, self.last, self.line
        return *steps, self.pace, self.round, self.lead, self.sounding, self.band

    def tell(self, at: int, tall: frozenset[int]) -> None:
        """Update the controls for the position after ``at`` moves.

        Moves in ``tall`` are notable and get a tall tick on the timeline.
        """
        self.line.part = self.running.part.span
        self.line.fill(self.most, at, tall)
        self.first.enabled = self.less.enabled = at > 0
        self.last.enabled = self.more.enabled = at < self.most
        self.running.tell(self.run, self.pace)
        self.round.on = self.running.part.on

    def high(self, narrow: bool) -> float:
        """Return the height, including the graph.

        ``narrow`` must be true if the page has only one column.
        """
        return (sum(LINES) if narrow else BAR) + (HIGH if self.band.on else 0.0)

    def layout(self, bar: Rect, canvas: Canvas, narrow: bool, beside: Sequence[Button]) -> None:
        """Lay out the controls in ``bar``.

        If there is only one column, this includes the buttons ``beside``, which are otherwise at the top of the page.
        """
        self.round.bare = narrow
        if narrow:
            self._lay_lines(bar, canvas, beside)
        else:
            self._lay_line(bar, canvas)

    def _lay_lines(self, bar: Rect, canvas: Canvas, beside: Sequence[Button]) -> None:
        """Lay out the controls on three lines, for a page with one column."""
        time, steps, _ = LINES
        graph, bar = bar.cut_top(bar.h - sum(LINES))
        line, bar = bar.inset(14, 0).cut_top(time)
        taken = row(Rect(line.x, line.y - 6, line.w, line.h), [self.pace], canvas, align=1)
        self.line.layout(Rect(line.x, line.cy - 22, line.w - taken - 8, 36))
        slide = self.line.rect
        self.band.layout(Rect(slide.x + 10, graph.y + 4, slide.w - 20, HIGH))
        line, deeds = bar.cut_top(steps)
        row(line, self.steps, canvas, gap=4)
        row(line, self.deeds, canvas, gap=4, align=1)
        row(deeds, beside, canvas, align=1)

    def _lay_line(self, bar: Rect, canvas: Canvas) -> None:
        """Lay out the controls on a single line."""
        graph, bar = bar.cut_top(bar.h - BAR)
        line = bar.inset(14, 0)
        wide = row(line, self.steps, canvas, gap=4)
        right = row(line, [self.pace, *self.deeds], canvas, gap=4, align=1)
        self.line.layout(Rect(line.x + wide + 14, line.cy - 18, line.w - wide - right - 28, 36))
        slide = self.line.rect
        under = Rect(slide.x + 10, graph.y + 4, slide.w - 20, HIGH)
        self.band.layout(under if slide.w >= NARROW else Rect(line.x, graph.y + 4, line.w, HIGH))

    def draw(self, canvas: Canvas, style: Style, at: int) -> None:
        """Draw the number of moves shown so far, below the timeline."""
        place = Rect(self.line.rect.x + 10, self.line.rect.bottom - 2, self.line.rect.w - 20, 16)
        canvas.text_in(
            place, _("step {number} of {most}", number=at, most=self.most), style.soft, "sans", SMALL, 0.5
        )
