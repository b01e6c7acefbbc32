"""Layout of the rules beside the table: an example, a button for the exercise, and the text."""

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
"""Maximum fraction of the height that the example may take."""
LOW = 100
"""Minimum height that must be left below the example to show the exercise button."""


class Ruled(Protocol):
    """Page that shows the rules of a game."""

    entry: Entry
    match: Match
    side: Panel
    trial: Button
    rules: Prose

    @property
    def coach(self) -> Coach | None:
        """Instruction strip of a lesson, or None. No exercise is offered during a lesson."""

    @property
    def example(self) -> Example:
        """Animated example above the rules."""


def lay_rules(page: Ruled, area: Rect | None, canvas: Canvas) -> None:
    """Lay out the example, the exercise button and the rules within ``area``, from top to bottom.

    The example and the button are hidden if there is no room for them. If ``area`` is None, everything is hidden.
    """
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
