"""Preview of a position in a replay, shown while the pointer is over the timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.match.ply import Ply
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.state import State
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import RADIUS, SMALL, Style

from ..ui.canvas import Canvas
from ..ui.card import paint_card
from ..ui.core import Still

if TYPE_CHECKING:
    from .stand import Retold

SIZE = (240.0, 150.0)
"""Width and height of the picture, in logical pixels."""
WIDE = 520.0
"""Maximum width of the preview in logical pixels, used if its caption is wider than the picture."""
REACH = 18.0
"""Maximum distance that the preview may extend below the board view, in logical pixels."""
LINE = 26.0
NOTABLE = (ev.Dropped, ev.SideDropped, ev.Captured, ev.Removed)
"""Events that give a move a tall tick on the timeline: a marble falls or is removed."""


def notable(first: State, history: tuple[Ply, ...]) -> frozenset[int]:
    """Return the numbers of the notable moves, counted from 1.

    A move is notable if a marble fell, was captured or was removed, or if the lead changed.
    """
    found, leading = set(), _leaders(first)
    for number, ply in enumerate(history, 1):
        now = _leaders(ply.state)
        if now != leading or any(isinstance(event, NOTABLE) for event in ply.events):
            found.add(number)
        leading = now
    return frozenset(found)


def _leaders(state: State) -> frozenset[int]:
    scores = state.scores
    return frozenset(seat for seat, score in enumerate(scores) if score == max(scores))


class Glance(Still):
    """Preview above the timeline: a picture of the position under the pointer, and its last move.

    A background process draws the picture, so that the board stays responsive. Until the picture is ready, only the
    caption is shown.
    """

    def __init__(self, screen: Retold) -> None:
        super().__init__("glance")
        self.screen = screen
        self.stop: int | None = None
        """Number of moves played in the position previewed, or None."""

    def point(self, stop: int | None) -> None:
        """Preview the position after ``stop`` moves; if ``stop`` is None, hide the preview."""
        if stop != self.stop:
            self.stop = stop
            self.refresh()

    def paint(self, canvas: Canvas, style: Style) -> None:
        screen, stop = self.screen, self.stop
        if stop is None or not 0 <= stop <= len(screen.history):
            return
        gallery = screen.app.gallery
        picture = gallery.moment(screen.told, stop, screen.entry) if stop != screen.at_ply else None
        high = LINE + (SIZE[1] if picture is not None else 0.0)
        line, area = screen.line, self.rect
        words = screen.caption(stop)
        wide = min(max(SIZE[0], canvas.width(words, "sans", SMALL) + 24), WIDE, area.w - 16)
        x = min(max(line.x_of(stop) - wide / 2, area.x + 8), area.right - wide - 8)
        box = Rect(x, min(line.rect.y, area.bottom + REACH) - high - 8, wide, high)
        paint_card(canvas, style, box)
        foot = box
        if picture is not None:
            field, foot = box.cut_top(SIZE[1])
            field = Rect(field.cx - SIZE[0] / 2, field.y, SIZE[0], field.h)
            canvas.picture(field.inset(4), picture, RADIUS - 2)
        canvas.text_fit(foot.inset(10, 0), words, style.ink, "sans", SMALL)
