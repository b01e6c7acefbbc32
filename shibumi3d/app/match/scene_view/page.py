"""Match page for tables drawn by a TableScene, with its keys, animated example, exercises and accessible elements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, language, localize
from shibumi3d.match.history import Ply
from shibumi3d.match.match import Match
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene import camera
from shibumi3d.scene.camera import Camera, make_home_camera_for_hull
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.layout import Vector
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.registry import make_scene
from shibumi3d.scene.style import SMALL_TEXT_PX, Style
from shibumi3d.scene.table_scene import Spot, TableHighlights, TableScene, ViewDirection
from shibumi3d.wording import describe_ply

from ...host import shortcuts
from ...host.board_view import BoardView
from ...host.camera_controls import CameraControls, fit_camera_to_scene
from ...ui.accessibility import BoardElement
from ...ui.button import Button, layout_row, shrink_to_fit
from ...ui.canvas import Canvas
from ...ui.widget import InertWidget, Key, Widget
from ..accessibility import scene_elements
from ..game_preview import RulesExample
from ..guided import ExercisePage
from ..mistakes import MistakesPage
from ..model import MatchModel
from ..page import TOP_BAR_HEIGHT_PX, MatchPage
from ..players import ComputerPlayers
from ..shortcuts import MatchShortcuts
from ..side_panel import SidePanel
from .actions import SceneActions
from .hints import SceneEvaluationBar, SceneHints
from .input import ScenePointer
from .lists import (
    MAX_FINAL_SUMMARY_LINES,
    MAX_SUMMARY_LINES,
    ChoiceList,
    EventSummary,
    ScenePlayedMoves,
    SeatCards,
)
from .message_line import MessageLine
from .plan import ScenePlan
from .spots import SpotSelection

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from shibumi3d.rules.game import State
    from shibumi3d.scene.pen import Colour

    from ...host import Host


class SceneExample(RulesExample):
    """Animated example that shows each position of a lesson from the point of view of the seat to move."""

    scene: TableScene

    def _make_scene(self, initial_state: State) -> None:
        assert self.match is not None
        self.scene = make_scene(self.match.game, len(self.match.seats))

    def _observe(self, state: State) -> tuple[State, int]:
        assert self.match is not None
        seat = state.mover if state.to_move is None else state.to_move
        return self.match.game.observe(state, seat), seat

    def _show_state(self, state: State) -> None:
        self.scene.reset(*self._observe(state))

    def _animate_ply(self, ply: Ply, now: float) -> float:
        assert self.match is not None
        seen, seat = self._observe(ply.state)
        try:
            self.scene.play(self.match.game.observe_events(ply.state, ply.events, seat), now, seen, seat)
        except LookupError:
            self.scene.reset(seen, seat)
        return now

    def _is_animating(self, now: float) -> bool:
        self.scene.speed, self.scene.reduce_motion = self.app.settings.motion, self.app.settings.reduced
        self.scene.take_cues(now)  # discard the sounds, since examples are silent
        return self.scene.is_animating(now)

    def _make_frame(self, now: float, aspect: float) -> tuple[Frame, Camera]:
        assert self.match is not None
        last = self.match.plies[self.moves_shown - 1].events if self.moves_shown else ()
        frame = self.scene.frame(now, self.app.settings.board_theme, TableHighlights(last_events=tuple(last)))
        return frame, camera.make_home_camera_for_hull(self.scene.hull, self.scene.view_direction, aspect)

    def _describe_ply(self, index: int) -> str:
        assert self.match is not None
        return describe_ply(self.match, self.match.plies, index, self.match.plies[index].events)


def list_board_elements(page: SceneMatchPage) -> list[BoardElement]:
    """Return screen reader elements for all spots that have a description."""

    def where(spot: Spot) -> tuple[float, float]:
        x, y = page.pointer.spot_position(spot)
        return page.view.rect.x + x, page.view.rect.y + y

    def press(key: str) -> Callable[[], object] | None:
        return (lambda: page.pointer.click_spot(key)) if key in page.selection.open_spots else None

    hint, numbers = page.advice.hinted_spots(), dict(page.advice.ranked_spots())

    def marked(key: str) -> list[str]:
        words = [_("selected")] if key in page.selection.picks else []
        words += [_("marked")] if key in hint else []
        return (
            [*words, _("number {number} of the best moves", number=numbers[key])] if key in numbers else words
        )

    return scene_elements(
        page.match.game, page.model.observation, page.scene, page.names, where, press, marked
    )


MIN_WIDTH_FRACTION = 0.72
"""Minimum width of the table beside the cards, as a fraction of its width without them."""


def project_hull(camera: Camera, hull: Sequence[Vector], view_rect: Rect) -> list[tuple[float, float]]:
    """Return the corners of a table's convex hull in a view, clockwise on the screen.

    The corners are in window coordinates. ``hull`` contains points of the table in world coordinates, and ``view_rect``
    is the rectangle of the view.
    """
    pixels = camera.project(np.array(hull), view_rect.w, view_rect.h)[0]
    places = sorted((float(x) + view_rect.x, float(y) + view_rect.y) for x, y in pixels)
    result: list[tuple[float, float]] = []
    for way in (places, places[::-1]):
        start = len(result)
        for place in way:
            while len(result) > start + 1 and _cross_product(result[-2], result[-1], place) <= 0:
                result.pop()
            result.append(place)
        result.pop()
    return result


def _cross_product(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def overlaps_polygon(rect: Rect, polygon: Sequence[tuple[float, float]]) -> bool:
    """Return whether a rectangle and a convex polygon overlap.

    The polygon's corners must be in clockwise order on the screen, like those from :func:`project_hull`. If the two
    only touch, they don't overlap.
    """
    box = [(rect.x, rect.y), (rect.right, rect.y), (rect.right, rect.bottom), (rect.x, rect.bottom)]
    for shape, other in ((box, polygon), (polygon, box)):
        for number, a in enumerate(shape):
            b = shape[(number + 1) % len(shape)]
            if all(_cross_product(a, b, point) <= 0 for point in other):
                return False
    return True


def has_room(
    camera: Camera, hull: tuple[Vector, ...], eye: ViewDirection, view_rect: Rect, overlays: Iterable[Rect]
) -> bool:
    """Return whether the table is clear of all ``overlays`` and large enough.

    ``camera``, ``hull`` and ``view_rect`` have the same meaning as in :func:`project_hull`. The table's width must be
    at least :data:`MIN_WIDTH_FRACTION` times its width in a view without overlays, seen from the direction ``eye``.
    """
    corners = project_hull(camera, hull, view_rect)
    if any(overlaps_polygon(place, corners) for place in overlays):
        return False
    return _polygon_width(corners) >= MIN_WIDTH_FRACTION * _unobstructed_width(
        hull, eye, view_rect.w, view_rect.h
    )


@lru_cache(maxsize=64)
def _unobstructed_width(hull: tuple[Vector, ...], eye: ViewDirection, width: float, height: float) -> float:
    return _polygon_width(
        project_hull(make_home_camera_for_hull(hull, eye, width / height), hull, Rect(0, 0, width, height))
    )


def _polygon_width(corners: Sequence[tuple[float, float]]) -> float:
    return max(x for x, _ in corners) - min(x for x, _ in corners)


BOTTOM_BAR_HEIGHT_PX, SIDE_PANEL_WIDTH_PX = 52, 300
NARROW_TABLE_HEIGHT_PX = 240.0
"""Height of the table in a narrow window, where the list of moves is below it, in logical pixels."""
NARROW_CHOICES_HEIGHT_PX = 150.0
"""Height of the list of moves in a narrow window, in logical pixels."""
CURSOR_MARGIN_PX = 24.0
"""Margin around the keyboard cursor when it is scrolled into view, in logical pixels."""
MIN_MOVE_LIST_HEIGHT_PX = 120.0
"""Minimum height left for the moves played or the rules below the list of legal moves, in logical pixels."""
MAX_FLOATING_HEIGHT_FRACTION = 0.5
"""Maximum height of a floating list of moves, as a fraction of the space over the table."""
MAX_FLOATING_WIDTH_FRACTION = 0.33
"""Maximum width of a floating list of moves, as a fraction of the table's width.

In a small window, a wide table wouldn't fit beside a wider list.
"""
MIN_FLOATING_HEIGHT_PX = 112.0
"""Height to which a floating list of moves may always grow if there is room, in logical pixels.

It is enough for three moves without details.
"""
FLOATING_CARD_PADDING_PX = 12.0
"""Extra height of the summary if it floats on a card, in logical pixels."""
MESSAGE_HEIGHT_PX = 50.0
"""Height reserved below a floating list of moves for a message of two lines, in logical pixels."""
MAX_CHOICES_FRACTION_WITH_RULES = 0.3
"""Maximum height of the list of moves while the rules or openings are shown, as a fraction of the side panel."""


class SceneMatchPage(MatchPage):
    """Match page for games without marbles.

    It contains the table, the seats, the legal moves, the moves played, and the rules.
    """

    shortcuts = shortcuts.TABLE_SHORTCUTS
    has_narrow_layout = True
    actions: SceneActions
    advice: SceneHints
    shortcut_handler: SceneShortcuts
    move_list: ScenePlayedMoves

    def __init__(self, app: Host, match: Match, entry: Entry) -> None:
        super().__init__(app, match, entry)
        self.model = MatchModel(match)
        self.scene = make_scene(match.game, len(match.seats))
        self.selection = SpotSelection()
        self.computer_players = ComputerPlayers(self)
        self.message = ""
        self.choices = ChoiceList(self)
        self.pointer, self.actions = ScenePointer(self, self.choices), SceneActions(self)
        self.shortcut_handler = SceneShortcuts(self)
        self.side_panel = SidePanel(self, SIDE_PANEL_WIDTH_PX, 0.36)
        self.create_widgets(15)
        self.advice = SceneHints(self, self.scene, self.selection, self.choices.scroll_to_move)
        self.view = BoardView(
            app,
            (4,),
            self.pointer.make_frame,
            on_click=self.pointer.on_click,
            on_cancel=lambda x, y: self.pointer.drop_picks(),
            on_point=self.pointer.on_point,
            name="table",
        )
        self.view.home_camera = self.view.camera = camera.make_home_camera_for_hull(
            self.scene.hull, self.scene.view_direction
        )
        self.view.top_camera = camera.make_home_camera_for_hull(
            self.scene.hull, self.scene.view_direction, from_above=True
        )
        self.view.find_target = self.pointer.spot_at
        self.camera_controls = CameraControls(self)
        self.plan = self.flat_view = ScenePlan(self, self.pointer)
        self.seat_cards = SeatCards(self)
        self.message_line = MessageLine()
        self.evaluation_bar, self.spot_markers = SceneEvaluationBar(self.advice), SpotMarkers(self)
        self.summary = EventSummary(self)
        self._largest_floating_rects: tuple[Rect, dict[Widget, Rect]] = (Rect(0, 0, 0, 0), {})
        """Area of the table, and the largest area that each floating panel has covered on it."""
        self.move_list = ScenePlayedMoves(self)
        self.example = SceneExample(app, entry, self.initial_lesson())
        self.enable_explanations(self.rules_text, self.example.caption, self.status_line)
        self.confirm_button = Button(
            _("End turn"), self.actions.confirm, kind="main", name="end turn", tip=_("Ctrl+Enter")
        )
        self.announcement_sources = (
            self.describe_picks,
            lambda: self.message_line.message,
            lambda: self.summary.summary_text,
            self.status_line.sentence,
        )
        self.add(
            self.view,
            self.plan,
            self.spot_markers,
            self.seat_cards,
            self.message_line,
            self.bottom_bar,
            self.result_bar,
        )
        # The order of the widgets is the tab order: what can be done now comes first.
        self.add(
            self.confirm_button,
            self.special_move_button,
            self.return_button,
            self.play_from_here_button,
            *self.computer_players.buttons,
        )
        self.add(self.undo_button, self.redo_button, self.advice.hint_button, self.advice.analysis_button)
        self.add(self.replay_turn_button, self.previous_button, self.next_button)
        self.add_top_bar()
        self.add(
            self.side_panel_button,
            self.side_panel_background,
            self.evaluation_bar,
            self.summary,
            self.choices,
            self.tabs,
            self.move_list,
            self.lesson_choice,
            self.example,
            self.exercise_button,
            self.rules_text,
            self.openings,
        )
        self.add(self.explanation_tooltip)
        self.scene.reset(self.model.observation, self.model.perspective_seat)
        self.update()

    def project(self, points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        view, plan = self.view, self.plan
        if plan.visible:
            return plan.project(points), np.full(len(points), plan.pixels_per_unit)
        pixels, depth = view.camera.project(points, view.rect.w, view.rect.h)
        return pixels, view.camera.projected_radius(1.0, depth, view.rect.h)

    # State and updates

    def update(self) -> None:
        """Update everything that depends on the state, and schedule any forced move.

        Picks and an unconfirmed move are kept as long as the legal moves stay the same.
        """
        model = self.model
        try:
            moves = model.legal_moves()
        except RuleFailure as problem:
            moves, self.message = (), capitalize_first(localize(problem))
        self.clocks.update()
        # Keep picks while the legal moves stay the same: a hint may arrive, or another seat may move, in between.
        row = self.choices.current_row, self.choices.offset
        if self.selection.set_moves(moves, self.scene.clicks_for):
            row = -1, 0.0
            self.actions.unconfirmed_move, self.pointer.hovered_spot = None, ""
        self.confirm_button.visible = self.actions.is_awaiting_confirmation
        self.pointer.update_choices()
        self.choices.restore_position(*row)
        self.move_list.update(self.model.cursor)
        self.summary.update()
        self.update_widgets()
        self.relayout()
        self.actions.schedule_forced_move()
        self.refresh()

    def refresh(self) -> None:
        self.pointer.scene_input.invalidate()
        super().refresh()

    def show_note(self, sentence: str) -> None:
        """Show ``sentence`` in the message line."""
        self.message = sentence
        self.message_line.set_message(sentence)
        self.refresh()

    def animate(self, now: float) -> bool:
        self.scene.speed = self.computer_players.series_controls.motion_setting(self.app.settings.motion)
        self.scene.reduce_motion = self.app.settings.reduced
        self.scene.language = language()
        for cue in self.scene.take_cues(now):
            self.app.sounds.play_marble(cue)
        moving = self.scene.is_animating(now)
        if moving:
            self.pointer.scene_input.invalidate()
        else:
            self.actions.end_replay()
        if self.is_end_sound_pending and not moving:
            self.is_end_sound_pending = False
            self.app.sounds.play_match_end()
        shown = self.example.animate(now)
        slides = self.side_panel.animate(now)
        return self.view.animate(now) or moving or shown or slides

    def step_by(self, steps: int) -> None:
        self.actions.look_by(steps)

    # Layout

    def narrow_layout_height(self, width: float) -> float:
        return (
            TOP_BAR_HEIGHT_PX
            + NARROW_TABLE_HEIGHT_PX
            + self._height_below_table(width)
            + BOTTOM_BAR_HEIGHT_PX
        )

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas, wide = self.app.canvas, self.side_panel.reserved_width(rect)
        for widget in (self.back_button, *self.top_bar_buttons(), self.seat_cards):
            widget.visible = not self.is_zen_mode
        canvas.scale = self.app.scale
        under = self._height_below_table(rect.w) if self.is_narrow else 0.0
        bar, _, table = self.layout_frame(rect, BOTTOM_BAR_HEIGHT_PX + under, wide, is_bar_full_width=True)
        below, bar = bar.cut_top(under)
        scene = rect if self.is_zen_mode else table
        self.view.layout(scene)
        self.plan.layout(table)
        side = self.side_panel.layout_panel(rect, self.top_bar.rect.bottom, self.bottom_bar.rect.y)
        self.summary.is_floating = not (self.is_narrow or wide > 0)
        if self.is_narrow:
            self._layout_below_table(below)
            self.side_panel.layout_pages(side)
        elif wide > 0:
            self._layout_side_panel(side)
        else:
            self.side_panel.layout_pages(side.inset(4, 6))
        if self.is_zen_mode:
            cards = Rect(table.x, table.y, 0.0, 0.0)
            self._layout_beside_cards(table, cards)
        else:
            cards = self.seat_cards.layout_cards(
                table, canvas, lambda covered: self._has_room(table, covered)
            )
        bottom = 40.0
        if self.result_bar.visible and self.is_narrow:
            self.result_bar.place_in_view(canvas, below, below.inset(10, 0), is_over_table=False)
        elif self.result_bar.visible:
            bottom = table.bottom - self.result_bar.rect.y + 8
        self.message_line.visible = not self.result_bar.visible
        self._layout_bottom_bar(bar.inset(8, 0), canvas)
        self.spot_markers.layout(scene)
        self._fit_camera(scene, cards)
        left, above = (table.x, cards.bottom) if cards.right > table.cx else (cards.right, table.y)
        free = Rect(left, above, table.right - left, table.bottom - bottom - above)
        self.plan.fit_into(free.inset(14, 10))

    def _height_below_table(self, width: float) -> float:
        """Return the height of everything between the table and the bottom bar in a narrow window.

        In between are the summary and the analysis, if they are shown, and the list of moves to choose from or, if the
        match is over, the result. ``width`` is the width of the page in logical pixels.
        """
        summary_height = 0.0 if self.is_zen_mode else self.summary.fit_height(self.app.canvas, width - 36)
        advised = self.advice.is_analysing and self.advice.is_allowed and not self.is_zen_mode
        most = NARROW_CHOICES_HEIGHT_PX
        if self.result_bar.visible:  # the result replaces the list of moves
            most = max(most, self.result_bar.preferred_size(self.app.canvas, width - 20)[1] + 12)
        return (
            most
            + 12
            + (summary_height + 6 if summary_height else 0)
            + (self.evaluation_bar.preferred_height() + 6 if advised else 0)
        )

    def _layout_below_table(self, below: Rect) -> None:
        inner = below.inset(10, 6)
        summary_height = 0.0 if self.is_zen_mode else self.summary.fit_height(self.app.canvas, inner.w - 16)
        self.summary.visible = bool(summary_height)
        head, inner = inner.cut_top(summary_height, 6 if summary_height else 0)
        self.summary.layout(head.inset(8, 0))
        self.evaluation_bar.visible = (
            self.advice.is_analysing and self.advice.is_allowed and not self.is_zen_mode
        )
        if self.evaluation_bar.visible:
            head, inner = inner.cut_top(self.evaluation_bar.preferred_height(), 6)
            self.evaluation_bar.layout(head)
        self.choices.visible = bool(self.choices.labels)
        self.choices.layout(inner)

    def _layout_side_panel(self, side: Rect) -> None:
        """Lay out the expanded side panel: the summary, the evaluation bar, the choices and the tabs."""
        inner = self._layout_above_choices(side.inset(4, 6))
        most = MAX_CHOICES_FRACTION_WITH_RULES if self.tabs.selected_index else 0.6
        self.choices.visible = bool(self.choices.labels)
        share = (
            min(self.choices.content_height + 8, side.h * most, inner.h - MIN_MOVE_LIST_HEIGHT_PX)
            if self.choices.visible
            else 0.0
        )
        upper, inner = inner.cut_top(share, 6 if self.choices.visible else 0)
        self.choices.layout(upper)
        self.side_panel.layout_pages(inner)

    def _layout_beside_cards(self, table: Rect, cards: Rect) -> None:
        """Lay out the message line and, in a wide window, the result and the floating widgets over the table.

        ``cards`` is the area of the seats' cards. The floating widgets are the summary, the evaluation bar and the
        choices. They are laid out only if the side panel is collapsed, and the result only if it is shown.
        """
        foot = self._layout_message_line(table, cards)
        if self.is_narrow:
            return
        if self.result_bar.visible:
            self.result_bar.place_in_view(self.app.canvas, table, foot.inset(10, 0))
        if not self.summary.is_floating:
            return
        free = table.inset(10, 10)
        wide = min(SIDE_PANEL_WIDTH_PX, table.w * MAX_FLOATING_WIDTH_FRACTION)
        inner = Rect(free.right - wide, free.y, wide, free.h - MESSAGE_HEIGHT_PX)
        if self.result_bar.visible and inner.intersection(self.result_bar.rect.inset(-6, -6)).w > 0:
            end = min(inner.bottom, self.result_bar.rect.y - 6)
            inner = Rect(inner.x, inner.y, inner.w, max(0.0, end - inner.y))
        inner = self._layout_above_choices(inner)
        most = max(inner.h * MAX_FLOATING_HEIGHT_FRACTION, min(inner.h, MIN_FLOATING_HEIGHT_PX))
        self.choices.visible = bool(self.choices.labels)
        self.choices.layout(inner.cut_bottom(min(self.choices.content_height + 8, most))[0])

    def _layout_above_choices(self, area: Rect) -> Rect:
        """Lay out the summary and the evaluation bar at the top of ``area``; return the rest of it."""
        max_lines = MAX_SUMMARY_LINES if self.choices.labels else MAX_FINAL_SUMMARY_LINES
        is_floating, height = self.summary.is_floating, 0.0
        if is_floating or not self.tabs.selected_index:
            height = self.summary.fit_height(self.app.canvas, area.w - 16, max_lines)
        if height and is_floating:
            height = min(height + FLOATING_CARD_PADDING_PX, area.h)
        head, area = area.cut_top(height, 6 if height else 0)
        self.summary.layout(head if is_floating else head.inset(8, 0))
        self.summary.visible = bool(height) and not self.is_zen_mode
        self.evaluation_bar.visible = (
            self.advice.is_analysing and self.advice.is_allowed and not self.is_zen_mode
        )
        if self.evaluation_bar.visible:
            head, area = area.cut_top(self.evaluation_bar.preferred_height(), 6)
            self.evaluation_bar.layout(head.inset(4, 0))
        return area

    def _layout_bottom_bar(self, bar: Rect, canvas: Canvas) -> None:
        """Lay out the bottom bar.

        The buttons for undo, redo, hints, analysis and earlier positions are on the left, and all others are on the
        right. In zen mode, only the undo button is on the left.

        If space is short, the buttons on the left show only their icons. If that isn't enough, the button that leads
        back to the current position also shows only its icon. Next, the buttons for earlier positions are left out, and
        then those for hints and analysis, since keyboard shortcuts and the list of moves serve the same purpose.
        """
        ends = [
            *self.computer_players.buttons,
            self.special_move_button,
            self.confirm_button,
            self.play_from_here_button,
            self.return_button,
        ]
        looking = (self.replay_turn_button, self.previous_button, self.next_button)
        advice = (self.advice.hint_button, self.advice.analysis_button)
        back = [self.undo_button, self.redo_button, *advice, *looking]
        for is_bare, left_out in ((False, ()), (True, ()), (True, looking), (True, (*advice, *looking))):
            self.return_button.is_icon_only = is_bare
            room = bar.w - layout_row(bar, ends, canvas, align=1.0) - 12
            for button in back:
                button.visible = button is self.undo_button or not (self.is_zen_mode or button in left_out)
            shrink_to_fit(back, canvas, min(bar.w * 0.5, room))
            if layout_row(bar, back, canvas) <= room:
                break

    def _layout_message_line(self, table: Rect, cards: Rect) -> Rect:
        """Lay out the message line; return the part of ``table`` to the right of ``cards``.

        If ``cards`` reach beyond the middle of ``table``, all of ``table`` is returned. The message line is at the
        bottom of the area returned.
        """
        foot = table if cards.right > table.cx else table.cut_left(cards.right - table.x)[1]
        self.message_line.layout(Rect(foot.x + 10, table.bottom - 40, foot.w - 20, 32))
        return foot

    def _has_room(self, table: Rect, cards: Rect) -> bool:
        """Lay out everything beside ``cards`` and fit the camera; return whether the table has enough room.

        ``cards`` is the area of the seats' cards. If ``table`` is less than 8 pixels wide or high, the camera isn't
        fitted, and the result is True.
        """
        self._layout_beside_cards(table, cards)
        if table.w < 8 or table.h < 8:
            return True
        self._fit_camera(table, cards)
        return has_room(
            self.view.home_camera,
            self.scene.final_hull if self.result_bar.visible else self.scene.hull,
            self.scene.view_direction,
            table,
            self.seat_cards.card_rects,
        )

    def _fit_camera(self, table: Rect, cards: Rect) -> None:
        """Fit the home view and the top view to the table, keeping it clear of the cards and other panels."""
        right = table.right if cards.right > table.cx else cards.right
        beside = Rect(table.x, table.y, right - table.x, min(table.h, cards.bottom + 10 - table.y))
        bar, foot = self.result_bar, self.message_line.rect
        top = min(foot.y, bar.rect.y) if bar.visible and not self.is_narrow else foot.y
        foot = Rect(foot.x, top, table.right - foot.x, table.bottom - top)
        panels = [beside]
        if not (self.side_panel.is_expanded or self.is_narrow):
            panels += self._floating_rects(table)
            if self.evaluation_bar.visible:
                panels.append(self.evaluation_bar.rect)
        fit_camera_to_scene(self.view, self.scene, panels, foot, is_over=self.result_bar.visible)

    def _floating_rects(self, table: Rect) -> list[Rect]:
        """Return the areas of the table to keep clear for the summary and the list of moves.

        Each area contains every place that the summary or the list has covered since the table got its current size. It
        has room for at least two lines or two moves. This way, the camera doesn't zoom in and out from turn to turn.
        """
        if self._largest_floating_rects[0] != table:
            self._largest_floating_rects = table, {}
        most = self._largest_floating_rects[1]
        for each in (self.summary, self.choices):
            if each.visible:
                most[each] = each.rect.union(most.get(each, each.rect))
        if self.summary in most:
            # Reserve room for two lines from the start, since the summary will need them sooner or later.
            rect = most[self.summary]
            most[self.summary] = Rect(
                rect.x, rect.y, rect.w, max(rect.h, self.summary.two_line_height + FLOATING_CARD_PADDING_PX)
            )
        if self.choices in most:
            # Likewise, reserve room for two moves.
            rows = most[self.choices]
            high = max(rows.h, 2 * self.choices.row_height + 8)
            most[self.choices] = Rect(rows.x, rows.bottom - high, rows.w, high)
        return list(most.values())

    def on_show(self) -> None:
        super().on_show()
        self.scene.reset(self.model.observation, self.model.perspective_seat)
        self.update()

    def active_spot_key(self) -> str:
        return self.pointer.hovered_spot

    def cursor_rect(self) -> Rect | None:
        key = self.pointer.hovered_spot
        if not key or self.view.hovered or self.plan.hovered:
            return None
        x, y = self.pointer.spot_position(self.scene.spots()[key])
        return Rect(
            self.view.rect.x + x - CURSOR_MARGIN_PX,
            self.view.rect.y + y - CURSOR_MARGIN_PX,
            2 * CURSOR_MARGIN_PX,
            2 * CURSOR_MARGIN_PX,
        )

    def board_elements(self) -> list[BoardElement]:
        return list_board_elements(self)

    def describe_picks(self) -> str:
        """Return a description of the picks of an incomplete move, or "" if there are none."""
        game, view, picks = self.match.game, self.model.observation, self.selection.picks
        lines = [
            game.describe_spot(view, key, language(), self.names)
            for key in self.scene.spots()
            if key in picks
        ]
        names = [line.partition(":")[0].strip() for line in lines if line]
        return _("Chosen: {things}", things=", ".join(names)) if names else ""

    def trace_values(self) -> Mapping[str, object]:
        spots = {}
        for key, spot in self.scene.spots().items():
            x, y = self.pointer.spot_position(spot)
            spots[key] = self.app.to_window_pixels(self.view.rect.x + x, self.view.rect.y + y)
        return {
            "status": self.status_line.sentence(),
            "points": spots,
            "targets": sorted(self.selection.open_spots),
            "choices": self.choices.labels,
            "message": self.message_line.message,
            "story": self.summary.summary_text,
            "cursor": self.pointer.hovered_spot,
            "rows": self.choices.visible_row_positions(),
            "plies": self.match.cursor,
            "over": self.result_bar.describe_result() if self.match.state.to_move is None else "",
            "game": self.entry.id,
        }


class SpotMarkers(InertWidget):
    """Overlay that shows the ranks of the best moves, and marks a mistake with crosses.

    Both the ranks and the crosses are drawn at the spots of the moves. Nothing is drawn while the table is animated.
    """

    def __init__(self, page: SceneMatchPage) -> None:
        super().__init__("numbers")
        self.page = page
        self.find_crossed_spots: Callable[[], Iterable[str]] = tuple
        """Callback that returns the keys of the spots to cross out."""

    def paint(self, canvas: Canvas, style: Style) -> None:
        page = self.page
        if page.scene.is_animating(page.animation_time()):
            return
        spots = page.scene.spots()
        for key in self.find_crossed_spots():
            if key in spots:
                place = self._paint_disc(canvas, style, spots[key], style.warning)
                canvas.text_in(place, "×", style.warning, "bold", SMALL_TEXT_PX + 4, 0.5)
        for key, number in page.advice.ranked_spots():
            place = self._paint_disc(canvas, style, spots[key], style.action)
            canvas.text_in(place, str(number), style.ink, "bold", SMALL_TEXT_PX, 0.5)

    def _paint_disc(self, canvas: Canvas, style: Style, spot: Spot, colour: Colour) -> Rect:
        """Draw a disc at a spot; return its bounding rectangle."""
        x, y = self.page.pointer.spot_position(spot)
        x, y = self.page.view.rect.x + x, self.page.view.rect.y + y
        canvas.disc(x, y, 10, style.card)
        canvas.ring(x, y, 10, colour, 1.5)
        return Rect(x - 10, y - 10, 20, 20)


class SceneShortcuts(MatchShortcuts):
    """Keyboard shortcuts for the cursor, the list of moves and the view."""

    page: SceneMatchPage

    def page_bindings(self) -> Mapping[str, Callable[[], object]]:
        page = self.page
        return {
            "tab": lambda: page.pointer.move_cursor(1),
            "shift+tab": lambda: page.pointer.move_cursor(-1),
            "down": lambda: page.pointer.move_list_selection(1),
            "up": lambda: page.pointer.move_list_selection(-1),
            "ctrl+enter": page.actions.confirm,
            "t": self.toggle_top_view,
            "enter": self._on_enter,
            "escape": self._on_escape,
        }

    def on_key(self, key: Key) -> bool:
        # In a lesson, the guided page handles Esc by leaving the page.
        if key.chord == "escape" and self.page.instruction_strip is not None and not self._can_step_back():
            return False
        return super().on_key(key)

    def on_unbound_key(self, key: Key) -> bool:
        """Choose the listed move that ``key`` selects or, if there is none, pass the key to the camera controls.

        Returns whether the key was used.
        """
        move = self.page.choices.move_for_key(key.chord)
        if move is not None:
            self.page.actions.choose_move(move)
            return True
        return self.page.camera_controls.on_key(key)

    def _on_enter(self) -> None:
        page = self.page
        if page.actions.unconfirmed_move is not None:
            page.actions.confirm()
        elif page.pointer.hovered_spot:
            page.pointer.click_spot(page.pointer.hovered_spot)
        elif 0 <= page.choices.current_row < len(page.choices.moves):
            page.actions.choose_move(page.choices.moves[page.choices.current_row])
        elif page.model.response_seats:
            page.actions.let_seat_respond(-1)

    def _can_step_back(self) -> bool:
        """Return whether Esc would do something other than leave the match."""
        page = self.page
        picked = page.selection.picks or page.selection.ambiguous_moves
        waits = page.actions.unconfirmed_move is not None
        return bool(picked) or waits or not page.model.is_live or self.page.is_zen_mode

    def _on_escape(self) -> None:
        """Cancel a choice, return to the current position, leave zen mode or leave the match.

        Only the first of these actions that applies is carried out. An unconfirmed move is cancelled before any picks.
        """
        page = self.page
        if page.actions.unconfirmed_move is not None:
            page.actions.discard_pending_choice()
        elif page.selection.picks or page.selection.ambiguous_moves:
            page.pointer.drop_picks()
        elif not page.model.is_live:
            page.actions.view_ply(None)
        elif self.page.is_zen_mode:
            self.toggle_zen_mode()
        else:
            page.leave_match()

    def toggle_top_view(self) -> None:
        """Move the camera to the top view or, if it is there already, to the initial view.

        If the flat drawing is shown, the 3D view replaces it.
        """
        if self.page.flat_view.visible:
            self.page.toggle_flat_view()
        view = self.page.view
        view.animate_to(view.home_camera if view.target_camera == view.top_camera else view.top_camera)


class SceneExercisePage(ExercisePage, SceneMatchPage):
    """Exercise page for a game without marbles."""


class SceneMistakesPage(MistakesPage, SceneMatchPage):
    """Page that asks the user to correct the mistakes made in a game without marbles."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.spot_markers.find_crossed_spots = self.crossed_spots

    def crossed_spots(self) -> list[str]:
        """Return the keys of the spots to cross out.

        These are the spots of the first move of the turn that was played in the match. There are none if the user isn't
        being asked for a better turn or has already tried a move.
        """
        mistake = self.current_mistake
        if mistake is None or self.phase != "ask" or self.match.plies:
            return []
        move = self.advice.find_move(self.played_match.plies[mistake.start].move)
        if move is None:
            return []
        clicks = self.scene.clicks_for(move)
        return sorted((clicks.picks | {clicks.last_spot}) & self.scene.spots().keys())
