"""Side panel of a match page, which slides in and out; it has tabs for the moves, the rules and the openings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from shibumi3d.scene import motion
from shibumi3d.scene.rect import Rect

from ..ui.button import Button, layout_row
from ..ui.canvas import Canvas
from ..ui.panel import Panel
from ..ui.prose import FormattedText
from .players import MatchPageInterface

if TYPE_CHECKING:
    from ..ui.choice import Choice, Tabs
    from .game_preview import RulesExample
    from .openings import OpeningsPanel


MAX_EXAMPLE_HEIGHT_FRACTION = 0.6
"""Maximum height of the example, as a fraction of the space for the example and the rules."""
LESSON_CHOICE_HEIGHT_PX = 30.0
"""Height of the row for choosing between the example and the tips."""
MAX_PICTURE_HEIGHT_FRACTION = 0.4
"""Maximum height of the picture of a first turn, as a fraction of the space for the picture and the openings."""
MIN_BUTTON_SPACE_PX = 100
"""Minimum height that must be left below the example to show the exercise button."""


RULES_TAB, OPENINGS_TAB = 1, 2
"""Indices of the tabs for the rules and the opening statistics; the first tab is for the moves."""


def layout_openings(page: SidePanelOwner, area: Rect, canvas: Canvas) -> None:
    """Lay out the openings tab of the side panel within ``area``.

    The tab consists of the picture of a first turn, if any, and the opening statistics below it.
    """
    wide = area.w - 16
    high = page.example.preferred_height(canvas, wide, area.h * MAX_PICTURE_HEIGHT_FRACTION)
    page.example.visible = high > 0
    if high:
        shown, area = area.cut_top(high, 4)
        page.example.layout(Rect(shown.x, shown.y, wide, high))
        page.side_panel_background.unpainted_area = page.example.picture_rect
    page.openings.layout(area)


def layout_rules(page: SidePanelOwner, area: Rect | None, canvas: Canvas) -> None:
    """Lay out the rules tab of the side panel within ``area``, or hide its content if ``area`` is None.

    From top to bottom, the tab consists of the choice between the example and the tips, the picture of the chosen one,
    the exercise button and the rules. The first three are hidden if there is no room for them. The picture is also
    hidden if there is nothing to show, the choice if there is no picture or only one option, and the button if the game
    has no exercise. On guided pages, the choice and the button are always hidden.
    """
    page.rules_text.visible = area is not None
    page.example.visible = page.exercise_button.visible = page.lesson_choice.visible = False
    page.side_panel_background.unpainted_area = None
    if area is None:
        return
    wide = area.w - 16
    has_choice = len(page.lesson_choice.options) > 1 and page.instruction_strip is None
    room = area.h - (LESSON_CHOICE_HEIGHT_PX + 8 if has_choice else 0)
    high = page.example.preferred_height(canvas, wide, room * MAX_EXAMPLE_HEIGHT_FRACTION)
    page.example.visible = high > 0
    page.lesson_choice.visible = has_choice and high > 0
    if page.lesson_choice.visible:
        line, area = area.cut_top(LESSON_CHOICE_HEIGHT_PX, 8)
        page.lesson_choice.layout(Rect(line.x, line.y, wide, line.h))
    if high:
        shown, area = area.cut_top(high, 8)
        page.example.layout(Rect(shown.x, shown.y, wide, high))
        page.side_panel_background.unpainted_area = page.example.picture_rect
    tried = (
        page.entry.with_variant(page.match.game.variant).exercise is not None
        and page.instruction_strip is None
    )
    page.exercise_button.visible = tried and area.h > MIN_BUTTON_SPACE_PX
    if page.exercise_button.visible:
        line, area = area.cut_top(32, 12)
        layout_row(line, [page.exercise_button], canvas)
    page.rules_text.layout(area)


OPEN_BY_DEFAULT_WIDTH_PX = 1500.0
"""Minimum width of the match area at which the panel opens by default."""
TABS_HEIGHT_PX = 40.0
"""Height of the row of tabs."""


class SidePanelOwner(MatchPageInterface, Protocol):
    """Match page with a side panel."""

    side_panel_button: Button
    tabs: Tabs
    side_panel_background: Panel
    exercise_button: Button
    rules_text: FormattedText
    lesson_choice: Choice
    """Choice of what the picture above the rules shows: the example or a tip."""

    def match_area(self, page_rect: Rect) -> Rect:
        """Return the part of the page that is available to the match."""

    @property
    def example(self) -> RulesExample:
        """Animated picture above the rules or the openings."""

    @property
    def openings(self) -> OpeningsPanel:
        """Panel with the opening statistics."""


class SidePanel:
    """Controller that opens, closes and lays out the side panel.

    The panel is ``max_width`` wide, but takes up at most the fraction ``max_width_fraction`` of the match area's width.
    """

    def __init__(self, page: SidePanelOwner, max_width: float, max_width_fraction: float) -> None:
        self.page, self.max_width, self.max_width_fraction = page, max_width, max_width_fraction
        self.is_open = page.app.settings.panel
        self.is_opened_by_user = False
        """Whether the panel was opened by hand."""
        self._hidden_fraction = 0.0
        """Fraction of the panel that is outside the window, from 0 to 1."""
        self._slide: tuple[float, float, float] | None = None
        """Start time of the slide, and :attr:`_hidden_fraction` at its start and its end; None at rest."""

    @property
    def is_expanded(self) -> bool:
        """Whether the panel is open or opening."""
        return self._slide[2] == 0.0 if self._slide is not None else self.page.side_panel_background.visible

    @property
    def is_requested(self) -> bool:
        """Whether the panel is open because the user opened it, or is sliding in or out."""
        return (self.is_open and self.is_opened_by_user) or self._slide is not None

    def _opens_by_default(self, area: Rect) -> bool:
        return area.w >= OPEN_BY_DEFAULT_WIDTH_PX

    def reserved_width(self, area: Rect) -> float:
        """Return the width to reserve for the panel in ``area``, or 0 if it is hidden or being closed.

        The panel's button is updated to match.
        """
        is_shown = (
            not self.page.is_zen_mode
            and self.is_open
            and (self._opens_by_default(area) or self.is_opened_by_user)
        )
        self.page.side_panel_button.is_on = is_shown
        if self._slide is None:
            self._hidden_fraction = 0.0 if is_shown else 1.0
        return self._full_width(area) if is_shown else 0.0

    def _full_width(self, area: Rect) -> float:
        return min(self.max_width, area.w * self.max_width_fraction)

    def layout_panel(self, match_area: Rect, top: float, bottom: float) -> Rect:
        """Lay out the panel at the right edge of ``match_area``; return its rectangle.

        The panel extends from ``top`` to ``bottom``. While it slides, part of it is outside the window.
        """
        page, wide = self.page, self._full_width(match_area)
        is_visible = self._hidden_fraction < 1.0 and not page.is_zen_mode
        page.side_panel_background.visible = page.tabs.visible = is_visible
        area = Rect(match_area.right - (1 - self._hidden_fraction) * wide, top, wide, bottom - top)
        page.side_panel_background.layout(area)
        return area

    def layout_pages(self, area: Rect) -> None:
        """Lay out the tabs within ``area``, with the moves, the rules or the openings below them."""
        page, there = self.page, self.page.side_panel_background.visible
        tabs, inner = area.cut_top(TABS_HEIGHT_PX)
        page.tabs.layout(tabs)
        page.move_list.visible = there and page.tabs.selected_index == 0
        if there:
            page.move_list.layout(Rect(inner.x, inner.y + 6, inner.w - 4, inner.h - 12))
        tab = page.tabs.selected_index if there else -1
        beside = Rect(inner.x + 20, inner.y + 12, inner.w - 24, inner.h - 20)
        layout_rules(page, beside if tab == RULES_TAB else None, page.app.canvas)
        page.openings.visible = tab == OPENINGS_TAB
        if page.openings.visible:
            layout_openings(page, beside, page.app.canvas)

    def toggle(self) -> None:
        """Open or close the panel.

        The new state is saved in the settings only if the match area is wide enough for the panel to open by default.
        """
        page, showing = self.page, self.is_expanded
        self.is_open, self.is_opened_by_user = not showing, not showing
        if self._opens_by_default(page.match_area(page.rect)):
            page.app.change_settings(panel=self.is_open)
        self._slide = page.app.clock(), self._hidden_fraction, 1.0 if showing else 0.0
        page.app.relayout()
        page.refresh()

    def animate(self, now: float) -> bool:
        """Advance the sliding animation; return whether the panel was sliding."""
        if self._slide is None:
            return False
        start, before, goal = self._slide
        length = self.page.app.settings.animation_seconds(motion.PANEL_MS)
        progress = motion.EASE_STANDARD((now - start) / length) if length > 0 else 1.0
        self._hidden_fraction = before + (goal - before) * progress
        if progress >= 1.0:
            self._slide = None
            self.page.app.relayout()
        else:
            self.page.layout(self.page.rect)
        return True

    def show_rules(self) -> None:
        """Show the rules in the panel, or the moves if the rules are already shown."""
        tabs = self.page.tabs
        if self.is_expanded and tabs.selected_index == RULES_TAB:
            tabs.select(0)
            return
        if not self.is_expanded:
            self.toggle()
        tabs.select(RULES_TAB)

    def copy_state_from(self, other: SidePanel) -> None:
        """Copy from another page's panel whether it is open and whether the user opened it."""
        self.is_open, self.is_opened_by_user = other.is_open, other.is_opened_by_user
