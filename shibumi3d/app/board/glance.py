"""A look at any moment of a match shown again, while the pointer is on its line."""

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
"""Of the picture, in logical pixels."""
WIDE = 520.0
"""The most that its words take."""
REACH = 18.0
"""So far it reaches down over the edge of the board's picture."""
LINE = 26.0
NOTABLE = (ev.Dropped, ev.SideDropped, ev.Captured, ev.Removed)
"""What makes a tick tall: something fell, or was taken away."""


def notable(first: State, history: tuple[Ply, ...]) -> frozenset[int]:
    """After how many moves something fell, was captured, or others led than before."""
    found, leading = set(), _leaders(first)
    for number, ply in enumerate(history, 1):
        now = _leaders(ply.state)
        if now != leading or any(isinstance(event, NOTABLE) for event in ply.events):
            found.add(number)
        leading = now
    return frozenset(found)


def _leaders(state: State) -> frozenset[int]:
    """The seats with the highest score."""
    scores = state.scores
    return frozenset(seat for seat, score in enumerate(scores) if score == max(scores))


class Glance(Still):
    """The picture of the moment that the pointer is on, above it, and what was done there.

    It is drawn in a process of its own and kept, so that the board goes on meanwhile; until it is there, the words
    stand alone.
    """

    def __init__(self, screen: Retold) -> None:
        super().__init__("glance")
        self.screen = screen
        self.stop: int | None = None
        """After how many moves the moment is that is looked at."""

    def point(self, stop: int | None) -> None:
        """The pointer is on another stop of the line, or on none."""
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
