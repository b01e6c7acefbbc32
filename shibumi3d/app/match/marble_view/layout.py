"""Layout of a match page with marbles for any window size, and the widgets that it arranges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.marbles.layout import Vector
from shibumi3d.scene.rect import Rect

from ...ui.button import layout_row, shrink_to_fit
from ...ui.canvas import Canvas
from ..evaluation import EVALUATION_BAR_HEIGHT_PX
from ..result_bar import CARD_BOTTOM_MARGIN_PX
from .controller import Spot
from .interfaces import MarblePage

if TYPE_CHECKING:
    from ...ui.button import Button
    from ...ui.panel import Panel
    from ..evaluation import EvaluationBar
    from ..result_bar import ResultBar
    from ..side_panel import SidePanel
    from .board_views import ExplodedViewControl, FlatPlan, HiddenTargetsButton, LevelStrip
    from .boards import BoardOverlay
    from .choices import ChoicePanel, ColourTray, StepIndicator
    from .hints import MarbleHints
    from .input import BoardPointer, TableMarbles
    from .messages import MessageLine, PointLabel
    from .seat_cards import SeatCard


class LayoutOwner(MarblePage, Protocol):
    """Interface through which :class:`PageLayout` uses the page."""

    flat_view: FlatPlan
    table_marbles: TableMarbles
    exploded_view: ExplodedViewControl
    advice: MarbleHints
    pointer: BoardPointer
    back_button: Button
    top_bar: Panel
    side_panel: SidePanel
    bottom_bar: Panel
    toolbar: Panel
    step_indicator: StepIndicator
    end_turn_button: Button
    pass_button: Button
    special_move_button: Button
    rotate_shape_button: Button
    message_line: MessageLine
    return_button: Button
    play_from_here_button: Button
    undo_button: Button
    redo_button: Button
    replay_turn_button: Button
    view_buttons: list[Button]
    previous_button: Button
    next_button: Button
    board_overlay: BoardOverlay
    seat_cards: list[SeatCard]
    tray: ColourTray
    choice_panel: ChoicePanel
    level_strip: LevelStrip
    hidden_targets_button: HiddenTargetsButton
    evaluation_bar: EvaluationBar
    point_label: PointLabel
    result_bar: ResultBar

    @property
    def is_narrow(self) -> bool:
        """Whether the page has room for only one column."""

    def match_area(self, page_rect: Rect) -> Rect:
        """Return the part of the page that is available to the match."""

    def top_bar_buttons(self) -> Sequence[Button]:
        """Return the buttons at the right end of the header."""

    def layout_frame(
        self, rect: Rect, bottom_bar_height: float, side_panel_width: float
    ) -> tuple[Rect, Rect, Rect]:
        """Lay out the header and the footer; return the rectangles of the footer, the side panel and the table.

        The footer is ``bottom_bar_height`` pixels high, and the side panel ``side_panel_width`` pixels wide.
        """


FOOTER_HEIGHT_PX, TOOLBAR_HEIGHT_PX = 52, 40
MIN_MESSAGE_WIDTH_PX = 200
"""Minimum width reserved for the message line in the footer, in logical pixels."""
NARROW_PAGE_WIDTH_PX = 900
"""Page width below which the cards of more than two players shrink to one line each."""
WIDE_VIEW_WIDTH_PX = 700
"""View width up to which cards may take up only part of the view's height, to leave room for the board."""
MAX_CARD_HEIGHT_FRACTION = 0.25
"""Limit on the height of a card, as a fraction of the view's height.

If there are at most two cards and one of them is taller, they shrink to one line each.
"""
LINE_HEIGHT_PX, MIN_LINE_HEIGHT_PX = 38.0, 28.0
"""Usual height of a single-line card, and its minimum height in a view that is taller than it is wide."""
MAX_COLUMN_HEIGHT_FRACTION = 0.45
"""Limit on the height of a column of single-line cards in a view that is taller than it is wide.

It is given as a fraction of the view's height.
"""
PANEL_ROUNDING_PX = 32
MIN_PLAN_ENLARGEMENT = 1.2
"""Factor by which the marbles must grow for the flat plan to be placed beside the tray rather than above it."""
POINT_CLEARANCE_RADIUS = 0.3
"""Radius around the centre of a point that the choice panel should not cover, in world units.

A marble has a radius of 0.5.
"""


class PageLayout:
    """Layout of a match page with marbles: the table, the header, the footer, and the widgets over the boards."""

    def __init__(self, page: LayoutOwner) -> None:
        self.page, self.model, self.controller, self.marble_scene = (
            page,
            page.model,
            page.controller,
            page.marble_scene,
        )

    def layout(self, rect: Rect) -> None:
        """Show or hide the widgets of the match, and lay them out.

        ``rect`` is the rectangle of the page. The widgets are laid out in the part of it that is available to the
        match.
        """
        rect, canvas, folding = self.page.match_area(rect), self.page.app.canvas, self.page.side_panel
        for widget in (
            self.page.back_button,
            *self.page.top_bar_buttons(),
            *self.page.seat_cards,
            *self.page.view_buttons,
        ):
            widget.visible = not self.page.is_zen_mode
        for widget in (
            self.page.toolbar,
            self.page.replay_turn_button,
            self.page.previous_button,
            self.page.next_button,
        ):
            widget.visible = not self.page.is_zen_mode
        # The position of a lesson can't be edited.
        self.page.view_buttons[-1].visible = not (self.page.is_zen_mode or self.page.is_lesson)
        foot = FOOTER_HEIGHT_PX if self.page.is_zen_mode else FOOTER_HEIGHT_PX + TOOLBAR_HEIGHT_PX
        under = self.height_below_table(rect.w, canvas) if self.page.is_narrow else 0.0
        bottom, _, area = self.page.layout_frame(rect, foot + under, folding.reserved_width(rect))
        below, bottom = bottom.cut_top(under)
        folding.layout_pages(folding.layout_panel(rect, self.page.top_bar.rect.bottom, rect.bottom))
        line, tools = bottom.cut_top(FOOTER_HEIGHT_PX)
        self.page.toolbar.layout(tools)
        self._layout_footer(line.inset(14, 0), canvas)
        left = tools.inset(10, 0)
        looking = (self.page.replay_turn_button, self.page.previous_button, self.page.next_button)
        if not shrink_to_fit(self.page.view_buttons, canvas, left.w - 112, gap=2):
            # The move list offers the same navigation.
            for button in looking:
                button.visible = False
        layout_row(left, self.page.view_buttons, canvas, gap=2)
        self.page.next_button.layout(Rect(tools.right - 46, tools.cy - 18, 32, 32))
        self.page.previous_button.layout(Rect(tools.right - 80, tools.cy - 18, 32, 32))
        self.page.replay_turn_button.layout(Rect(tools.right - 114, tools.cy - 18, 32, 32))
        self.page.view.layout(area)
        self._layout_overlays(area, canvas)
        if self.page.is_zen_mode:
            self.page.view.layout(rect)
            self.page.board_overlay.layout(rect)
        if under:
            if self.page.evaluation_bar.visible:
                card, below = below.inset(10, 0).cut_top(EVALUATION_BAR_HEIGHT_PX, CARD_BOTTOM_MARGIN_PX)
                self.page.evaluation_bar.layout(card)
            if self.page.result_bar.visible:
                self.page.result_bar.place_in_view(canvas, below, below.inset(10, 0), is_over_table=False)

    def height_below_table(self, width: float, canvas: Canvas) -> float:
        """Return the height needed for widgets below the table if there is only one column.

        These widgets are the evaluation bar and the result of the match. ``width`` is the width of the column.
        """
        shown = self.page.result_bar
        advised = EVALUATION_BAR_HEIGHT_PX + CARD_BOTTOM_MARGIN_PX if self._is_evaluation_bar_shown() else 0.0
        return advised + (
            shown.preferred_size(canvas, width - 20)[1] + 2 * CARD_BOTTOM_MARGIN_PX if shown.visible else 0.0
        )

    def _is_evaluation_bar_shown(self) -> bool:
        return self.page.advice.is_analysing and self.page.advice.is_allowed and not self.page.is_zen_mode

    def _layout_footer(self, rect: Rect, canvas: Canvas) -> None:
        ends = (
            self.page.end_turn_button,
            self.page.pass_button,
            self.page.special_move_button,
            self.page.rotate_shape_button,
            self.page.return_button,
            self.page.play_from_here_button,
            *self.page.computer_players.buttons,
        )
        buttons = [b for b in ends if b.visible]
        advice = self.page.advice
        back = [
            *advice.optional_buttons,
            advice.auto_solver.button,
            self.page.undo_button,
            self.page.redo_button,
        ]

        self.page.step_indicator.set_available_width(rect.w)

        def leave_room_for_message() -> bool:
            """Hide button labels if the message needs the space; return whether there is then enough space for it."""
            for bare in (False, True):
                self.page.return_button.is_icon_only = bare
                taken = (
                    sum(button.preferred_width(canvas) + 8 for button in buttons)
                    + self.page.step_indicator.preferred_width()
                    + 26
                )
                if shrink_to_fit(back, canvas, rect.w - taken - MIN_MESSAGE_WIDTH_PX, gap=4):
                    return True
            return False

        for button in (*advice.optional_buttons, self.page.redo_button):
            button.visible = not self.page.is_zen_mode
        if not leave_room_for_message():
            # The message matters more than the buttons for advice, which also have shortcuts.
            for button in advice.optional_buttons:
                button.visible = False
            leave_room_for_message()
        wide = layout_row(Rect(rect.x, rect.y, rect.w, rect.h), back, canvas, gap=4, align=1)
        rect = Rect(rect.x, rect.y, rect.w - wide - 12, rect.h)
        beads, rect = rect.cut_left(self.page.step_indicator.preferred_width(), 12)
        self.page.step_indicator.layout(beads)
        wide = layout_row(rect, buttons, canvas, gap=8)
        self.page.message_line.layout(
            Rect(rect.x + wide + (14 if wide else 0), rect.y, rect.w - wide - 14, rect.h)
        )

    def _layout_overlays(self, area: Rect, canvas: Canvas) -> None:
        inner = area.inset(14)
        few = len(self.page.seat_cards) <= 2 or self.page.is_zen_mode
        y = [inner.y, inner.y]
        for card in self.page.seat_cards:
            card.shows_goal = True
        highs = [card.preferred_height() for card in self.page.seat_cards]
        max_height = inner.h if area.w > WIDE_VIEW_WIDTH_PX else inner.h / 2
        column = max(highs) * 4 if few else sum(highs) + 6 * len(highs)
        if column > max_height:
            for card in self.page.seat_cards:
                card.shows_goal = False
            highs = [card.preferred_height() for card in self.page.seat_cards]
        narrow = self.page.match_area(self.page.rect).w < NARROW_PAGE_WIDTH_PX
        longest = inner.h if area.w > WIDE_VIEW_WIDTH_PX else 0.75 * inner.h
        lined = not few and (narrow or sum(highs) + 6 * len(highs) > longest)
        lined = lined or (few and max(highs) > MAX_CARD_HEIGHT_FRACTION * inner.h)
        if lined:
            high = min(LINE_HEIGHT_PX, (inner.h + 6) / len(highs) - 6)
            if area.h > area.w:
                # What lies around the boards needs the room below the cards.
                most = (MAX_COLUMN_HEIGHT_FRACTION * inner.h + 6) / len(highs) - 6
                high = min(high, max(MIN_LINE_HEIGHT_PX, most))
            highs = [high] * len(highs)
        for card, high in zip(self.page.seat_cards, highs, strict=True):
            card.is_single_line = lined
            column = card.seat % 2 if few else 0
            wide = max(other.preferred_width(few) for other in (self.page.seat_cards if not few else [card]))
            most = inner.w if len(self.page.seat_cards) == 1 else (inner.w - 8) / 2
            wide = min(wide, most if few else max(110.0, 0.36 * inner.w))
            x = inner.right - wide if column else inner.x
            card.layout(Rect(x, y[column], wide, high))
            y[column] += high + 6
        # Widgets that come and go must not cover a long column of cards.
        beside = not few and y[0] > inner.bottom - 110
        end = max(card.rect.right for card in self.page.seat_cards) - inner.x
        free = inner.cut_left(end, 12)[1] if beside else inner
        self.page.tray.layout_in(free, canvas)
        self.page.point_label.layout(area)
        self.page.board_overlay.layout(area)
        if self.page.result_bar.visible and not self.page.is_narrow:
            self._layout_result(inner, canvas)
        low = max(y) if few else inner.y
        cards = [card.rect for card in self.page.seat_cards if card.visible]
        self.page.evaluation_bar.visible = self._is_evaluation_bar_shown()
        advised = self.page.evaluation_bar.visible and not self.page.is_narrow
        above = max(120.0, low - inner.y) if few else low - inner.y
        if advised:
            self.page.evaluation_bar.place_at_right(inner, cards)
            above = max(above, self.page.evaluation_bar.rect.bottom + 6 - inner.y)
        wide, high = self.page.level_strip.preferred_size(inner.h - above)
        self.page.level_strip.visible = _has_room_for_strip(inner) and not (
            self.page.flat_view.visible or self.page.is_zen_mode or self.page.exploded_view.is_on
        )
        self.page.level_strip.layout(Rect(inner.right - wide, inner.bottom - high, wide, high))
        strip = wide + 12 if self.page.level_strip.visible else 0.0
        panels = [
            _round_up(widget.rect)
            for widget in (*self.page.seat_cards, self.page.level_strip)
            if widget.visible
        ]
        if advised:
            panels.append(self.page.evaluation_bar.rect)
        self._evaluation_bar_rects = self._evaluation_bar_candidates(free, strip) if advised else []
        self._layout_choice_panel(free, strip, panels, canvas)
        if advised:
            cards.append(self.page.evaluation_bar.rect)
        self.page.hidden_targets_button.layout_beside_cards(inner, cards, canvas)
        self._has_had_footer_widgets = (
            self._has_had_footer_widgets or self.page.tray.visible or self.page.choice_panel.visible
        )
        foot = 96.0 if self._has_had_footer_widgets else 0.0
        if self.page.result_bar.visible and not self.page.is_narrow:
            foot = self.page.result_bar.rect.h + 8
        head = low - inner.y + (2 if few else 0)
        left = 0.0 if few else max(card.rect.right for card in self.page.seat_cards) - inner.x + 12
        right = self.page.evaluation_bar.rect.w + 12 if advised else 0.0
        self._layout_flat_plan(
            Rect(inner.x + left, inner.y + head, inner.w - left - right, inner.h - head), foot
        )
        over = (
            *self.page.seat_cards,
            self.page.tray,
            self.page.choice_panel,
            self.page.result_bar,
        )
        over = (*over, self.page.evaluation_bar) if advised else over
        self.page.exploded_view.layout_levels(area, tuple(widget.rect for widget in over if widget.visible))

    def _evaluation_bar_candidates(self, area: Rect, strip_width: float) -> list[Rect]:
        """Return rectangles for the evaluation bar: the usual place, then three at the bottom of ``area``.

        ``strip_width`` is the width of the strip of levels at the right of ``area``.
        """
        head = self.page.evaluation_bar.rect
        wide = min(head.w, area.w - strip_width)
        xs = (head.x, area.x, area.right - strip_width - wide)
        return [head, *[Rect(x, area.bottom - head.h, wide, head.h) for x in xs]]

    def uncover_advised_marbles(self) -> bool:
        """Move the evaluation bar to uncover the marbles that it refers to; return whether it was moved.

        If it covers any of these marbles, it moves to the place where it covers the smallest area of them. Among
        equally good places, it moves to the one where it covers the smallest area of other widgets.
        """
        card, pointer = self.page.evaluation_bar, self.page.pointer
        if not (card.visible and self._evaluation_bar_rects):
            return False
        spoken = []
        for sign in self.page.advice.make_signs()[0]:
            spot = Spot(sign.board, sign.point)
            (x, y), radius = pointer.spot_position(spot), pointer.spot_radius(spot)
            spoken.append(Rect(x - radius, y - radius, 2 * radius, 2 * radius))
        others = (
            *self.page.seat_cards,
            self.page.level_strip,
            self.page.choice_panel,
            self.page.tray,
        )
        shown = [widget.rect for widget in (*others, self.page.result_bar) if widget.visible]

        def covered_areas(rect: Rect) -> tuple[float, float]:
            return _overlap_area(rect, spoken), _overlap_area(rect, shown)

        if not covered_areas(card.rect)[0]:
            return False
        best = min(self._evaluation_bar_rects, key=covered_areas)
        if best == card.rect:
            return False
        card.layout(best)
        return True

    _evaluation_bar_rects: Sequence[Rect] = ()
    """Rectangles that the evaluation bar may occupy."""

    def _layout_flat_plan(self, area: Rect, footer_height: float) -> None:
        """Lay out the flat plan above the space for the tray, or beside the tray if the plan is much larger there.

        The lowest ``footer_height`` pixels of ``area`` are for the tray, the choice panel or the result. If the choice
        panel has ever been shown, or the result is visible, the plan is never beside the tray. Space that the tray has
        taken stays reserved, so that the plan doesn't move between turns.
        """
        flat, tray = self.page.flat_view, self.page.tray
        if tray.visible:
            self._max_tray_width = max(self._max_tray_width, tray.rect.right - area.x)
        self._has_had_choices = self._has_had_choices or self.page.choice_panel.visible
        flat.layout(Rect(area.x, area.y, area.w, area.h - footer_height))
        if self._max_tray_width and not (self._has_had_choices or self.page.result_bar.visible):
            above, cell = flat.rect, flat.cell_size
            flat.layout(area.cut_left(self._max_tray_width, 12)[1])
            if flat.cell_size < MIN_PLAN_ENLARGEMENT * cell:
                flat.layout(above)

    def _layout_result(self, area: Rect, canvas: Canvas) -> None:
        """Lay out the result card at the bottom, beside any column of seat cards and any strip of levels."""
        few = len(self.page.seat_cards) <= 2
        strip = (
            self.page.level_strip.preferred_size(area.h)[0] + 12
            if _has_room_for_strip(area) and not self.page.flat_view.visible
            else 0.0
        )
        left = 0.0 if few else self.page.seat_cards[0].rect.right - area.x + 12
        free = Rect(area.x + left, area.y, area.w - left - strip, area.h)
        self.page.result_bar.place_in_view(canvas, self.page.view.rect, free)

    def _layout_choice_panel(
        self, area: Rect, strip_width: float, panels: Sequence[Rect], canvas: Canvas
    ) -> None:
        """Fit the boards into the view, and lay out the choice panel where it covers least.

        ``panels`` are the rectangles that the boards should avoid, and ``strip_width`` is the width of the strip of
        levels at the right of ``area``. Once the choice panel has been shown, its space stays reserved, so that the
        boards don't move between steps. If the choice panel would cover too much, the camera moves back. This method
        also decides whether the dish of marbles is shown.
        """
        view, around = self.page.view, () if self.page.is_zen_mode else self.page.tabletop.layout.outlines
        left = self.page.tray.rect.right + 12 if self.page.tray.visible else area.x
        right = area.right - strip_width
        max_size = self._max_choice_panel_size if self._max_choice_panel_size[0] == area else (area, 0.0, 0.0)
        wide, high = (
            self.page.choice_panel.preferred_size(canvas, right - left)
            if self.page.choice_panel.visible
            else (0.0, 0.0)
        )
        self._max_choice_panel_size = max_size = area, max(wide, max_size[1]), max(high, max_size[2])

        def places(width: float, height: float) -> list[Rect]:
            middle = max(left, min(area.cx - width / 2, right - width))
            found = [Rect(x, area.bottom - height, width, height) for x in (middle, right - width, left)]
            return [*found, Rect(area.cx - width / 2, area.y, width, height)]

        def covered_areas(rect: Rect) -> tuple[float, float]:
            """Return how much of the seat cards ``rect`` covers, and how much of the points and objects."""
            cards = [rect.intersection(card.rect) for card in self.page.seat_cards]
            common = [rect.intersection(item) for item in objects]
            return sum(part.w * part.h for part in cards), sum(part.w * part.h for part in common)

        board, first, foot = self.page.pointer.camera_board, 0, []
        if max_size[2]:
            # The camera usually has to move back for a panel below the middle, but not for one in the right corner.
            at_foot = [_round_up(place) for place in places(*max_size[1:])[:2]]
            first = view.best_panel_place(around, panels, at_foot, board)
            foot = [at_foot[first]]
        if self.page.result_bar.visible and not self.page.is_narrow:
            foot = [*foot, self.page.result_bar.rect]
        hold = len(self.marble_scene.sizes) > 1 and self.model.match.state.step > 0
        view.fit(around, panels, transient_panels=foot, board=board, keep_panels=hold)
        self.are_side_objects_visible = all(self._is_in_view(corners) for corners in around)
        if not self.are_side_objects_visible and self.page.tray.visible:
            view.fit(
                around,
                [*panels, self.page.tray.rect],
                transient_panels=foot,
                board=board,
                keep_panels=hold,
            )
        # If the dish of marbles would be partly out of view, show the tray instead.
        table = self.page.tabletop
        table.is_dish_shown = (
            self.are_side_objects_visible or not self.page.tray.visible or bool(table.hand_stocks)
        )
        self.is_laid_out_for_top_view = view.target_camera == view.top_camera
        if not self.page.choice_panel.visible:
            return
        bare = self.page.flat_view.visible or self.page.is_zen_mode
        camera = view.top_camera if self.is_laid_out_for_top_view else view.home_camera
        objects = [] if bare else self._project_table_objects(camera)
        found = places(wide, high)
        self.page.choice_panel.layout(min([found[first], *found], key=covered_areas))

    def _is_in_view(self, corners: Sequence[Vector]) -> bool:
        """Return whether an object on the table, given by its corners, is entirely visible.

        The top view is checked if it is the current view, otherwise the home view.
        """
        view = self.page.view
        camera = view.top_camera if view.target_camera == view.top_camera else view.home_camera
        at, _ = camera.project(np.array(corners), view.rect.w, view.rect.h)
        return bool((at >= 0).all() and (at <= (view.rect.w, view.rect.h)).all())

    def _project_table_objects(self, camera: Camera) -> list[Rect]:
        """Return the window rectangles of all points and of the objects on the table, as seen from ``camera``.

        They are in logical pixels. The rectangle of a point encloses a sphere of :data:`POINT_CLEARANCE_RADIUS`.
        """
        view, marble_scene = self.page.view, self.marble_scene
        points = [
            [marble_scene.marble_position(board, point) for point in range(get_pyramid(size).point_count)]
            for board, size in enumerate(marble_scene.sizes)
        ]
        found = []
        for corners in self.page.tabletop.layout.outlines:
            at, _ = camera.project(np.array(corners), view.rect.w, view.rect.h)
            (x0, y0), (x1, y1) = at.min(0), at.max(0)
            found.append(Rect(view.rect.x + x0, view.rect.y + y0, x1 - x0, y1 - y0))
        for places in points:
            at, depth = camera.project(np.array(places), view.rect.w, view.rect.h)
            for (x, y), radius in zip(
                at, camera.projected_radius(POINT_CLEARANCE_RADIUS, depth, view.rect.h), strict=True
            ):
                found.append(Rect(view.rect.x + x - radius, view.rect.y + y - radius, 2 * radius, 2 * radius))
        return found

    _max_choice_panel_size: tuple[Rect, float, float] = (Rect(), 0.0, 0.0)
    """Area of the layout, and the maximum width and height of the choice panel so far in that area."""

    _has_had_footer_widgets = _has_had_choices = False
    """Whether the tray or the choice panel has ever been visible, and whether the choice panel itself has."""

    _max_tray_width = 0.0
    are_side_objects_visible = True
    """Whether all objects beside the boards are visible.

    The top view is checked if it is the current view, otherwise the home view.
    """

    is_laid_out_for_top_view = False
    """Whether the choice panel was last laid out for the top view."""

    def is_tray_needed(self) -> bool:
        """Return whether the tray of colours must be shown.

        The tray is needed while some of the marbles on the table can't be seen or clicked, but only if the person to
        move has a choice of colours or must place a marble that was drawn or chosen earlier.
        """
        asked = len(self.controller.available_colours) > 1 or self.page.tray.holds_drawn_marble()
        if not self.model.can_choose or self.model.match.state.to_move is None or not asked:
            return False
        return (
            self.page.flat_view.visible
            or self.page.is_zen_mode
            or self.page.exploded_view.is_on
            or not self.are_side_objects_visible
            or self.page.table_marbles.is_out_of_reach()
        )


def _overlap_area(rect: Rect, others: Sequence[Rect]) -> float:
    return sum(part.w * part.h for part in (rect.intersection(other) for other in others))


def _has_room_for_strip(area: Rect) -> bool:
    return area.h > 300 and area.w > 620


def _round_up(rect: Rect) -> Rect:
    """Return ``rect`` with its right and bottom edges moved out to multiples of :data:`PANEL_ROUNDING_PX`.

    This way, the boards usually stay in place when a card grows or shrinks by a line.
    """
    right, bottom = (
        math.ceil(end / PANEL_ROUNDING_PX) * PANEL_ROUNDING_PX for end in (rect.right, rect.bottom)
    )
    return Rect(rect.x, rect.y, right - rect.x, bottom - rect.y)
