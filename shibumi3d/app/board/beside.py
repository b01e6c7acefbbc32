"""What stands beside the table where the rules are read: example, button to try, rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from shibumi3d.scene.rect import Rect

from ..ui.button import Button, row
from ..ui.canvas import Canvas
from ..ui.panel import Panel
from ..ui.prose import Prose

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.match.match import Match

    from .coach import Coach
    from .example import Example

SHARE = 0.55
"""The most that the example takes of the height that it shares with the rules."""
LOW = 100
"""Where the rules have less than this, there is no button beside them."""


class Ruled(Protocol):
    """A page that shows rules."""

    entry: Entry
    match: Match
    side: Panel
    trial: Button
    rules: Prose

    @property
    def coach(self) -> Coach | None:
        """The strip of a lesson, on which none is offered."""

    @property
    def example(self) -> Example:
        """The example above the rules."""


def lay_rules(page: Ruled, area: Rect | None, canvas: Canvas) -> None:
    """Puts the example above the rules, and below it the button to try, where there is room for them; None: they are
    not shown."""
    page.rules.visible = area is not None
    page.example.visible = page.trial.visible = False
    page.side.hole = None
    if area is None:
        return
    wide = area.w - 16
    high = page.example.natural(canvas, wide, area.h * SHARE)
    page.example.visible = high > 0
    if high:
        shown, area = area.cut_top(high, 8)
        page.example.layout(Rect(shown.x, shown.y, wide, high))
        page.side.hole = page.example.picture
    tried = page.entry.form(page.match.game.variant).trial is not None and page.coach is None
    page.trial.visible = tried and area.h > LOW
    if page.trial.visible:
        line, area = area.cut_top(32, 12)
        row(line, [page.trial], canvas)
    page.rules.layout(area)
