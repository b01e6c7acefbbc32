"""Side panel of a match page, with tabs for moves and rules; it slides in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from shibumi3d.scene import motion
from shibumi3d.scene.rect import Rect

from .beside import Ruled, lay_rules

if TYPE_CHECKING:
    from ..host import Host
    from ..ui.button import Button
    from ..ui.choice import Tabs
    from .moves import Moves

ROOMY = 1500.0
"""Minimum width of the match area at which the panel opens by default."""
TABS = 40.0
"""Height of the row of tabs."""


class Sided(Ruled, Protocol):
    """Page with a side panel."""

    app: Host
    handle: Button
    tabs: Tabs
    rect: Rect
    bare: bool
    """Whether only the table is shown."""

    @property
    def moves(self) -> Moves:
        """List of moves."""

    def room(self, rect: Rect) -> Rect:
        """Return the part of the page that is available to the match."""

    def layout(self, rect: Rect) -> None:
        """Lay out the page within ``rect``."""

    def refresh(self) -> None:
        """Request a new frame."""


class Side:
    """State and position of the side panel.

    The panel is at most ``widest`` wide and takes up at most the fraction ``share`` of the width of the match area.
    """

    def __init__(self, page: Sided, widest: float, share: float) -> None:
        self.page, self.widest, self.share = page, widest, share
        self.open = page.app.settings.panel
        self.asked = False
        """Whether the panel was opened by hand."""
        self._away = 0.0
        """Fraction of the panel that is outside the window, from 0 to 1."""
        self._slid: tuple[float, float, float] | None = None
        """Start time of the slide, and :attr:`_away` at its start and its end; None at rest."""

    @property
    def unfolded(self) -> bool:
        """Whether the panel is open or opening."""
        return self._slid[2] == 0.0 if self._slid is not None else self.page.side.visible

    @property
    def called(self) -> bool:
        """Whether the user has opened the panel by hand, or it is sliding in or out."""
        return (self.open and self.asked) or self._slid is not None

    def _itself(self, room: Rect) -> bool:
        """Return whether the panel opens by default at the current width."""
        return room.w >= ROOMY

    def width(self, room: Rect) -> float:
        """Return how much of the width of ``room`` the panel takes up; 0 if it is closed."""
        there = not self.page.bare and self.open and (self._itself(room) or self.asked)
        self.page.handle.on = there
        if self._slid is None:
            self._away = 0.0 if there else 1.0
        return self._wide(room) if there else 0.0

    def _wide(self, room: Rect) -> float:
        return min(self.widest, room.w * self.share)

    def lay(self, room: Rect, top: float, bottom: float) -> Rect:
        """Lay out the panel at the right of ``room``; return its rectangle.

        The panel extends from ``top`` to ``bottom``. While it slides, part of it is outside the window.
        """
        page, wide = self.page, self._wide(room)
        there = self._away < 1.0 and not page.bare
        page.side.visible = page.tabs.visible = there
        area = Rect(room.right - (1 - self._away) * wide, top, wide, bottom - top)
        page.side.layout(area)
        return area

    def lay_pages(self, area: Rect) -> None:
        """Lay out the tabs within ``area``, with the list of moves or the rules below them."""
        page, there = self.page, self.page.side.visible
        tabs, inner = area.cut_top(TABS)
        page.tabs.layout(tabs)
        page.moves.visible = there and page.tabs.chosen == 0
        if there:
            page.moves.layout(Rect(inner.x, inner.y + 6, inner.w - 4, inner.h - 12))
        reading = there and page.tabs.chosen == 1
        beside = Rect(inner.x + 20, inner.y + 12, inner.w - 24, inner.h - 20) if reading else None
        lay_rules(page, beside, page.app.canvas)

    def toggle(self) -> None:
        """Open or close the panel.

        At widths where it opens by default, the choice is saved in the settings.
        """
        page, showing = self.page, self.unfolded
        self.open, self.asked = not showing, not showing
        if self._itself(page.room(page.rect)):
            page.app.change(panel=self.open)
        self._slid = page.app.clock(), self._away, 1.0 if showing else 0.0
        page.app.stage.refit()
        page.refresh()

    def animate(self, now: float) -> bool:
        """Advance the sliding animation; return whether the panel was sliding."""
        if self._slid is None:
            return False
        start, before, goal = self._slid
        length = self.page.app.settings.travel(motion.PANEL)
        part = motion.STANDARD((now - start) / length) if length > 0 else 1.0
        self._away = before + (goal - before) * part
        if part >= 1.0:
            self._slid = None
            self.page.app.stage.refit()
        else:
            self.page.layout(self.page.rect)
        return True

    def show_rules(self) -> None:
        """Show the rules in the panel, or the moves if the rules are already shown."""
        tabs = self.page.tabs
        if self.unfolded and tabs.chosen == 1:
            tabs.choose(0)
            return
        if not self.unfolded:
            self.toggle()
        tabs.choose(1)

    def like(self, before: Side) -> None:
        """Copy the open or closed state of another page's panel."""
        self.open, self.asked = before.open, before.asked
