"""Replay page with playback controls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, language
from shibumi3d.match.match import Match
from shibumi3d.rules.wording import describe_result
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, HEADING_PX, SMALL_TEXT_PX, Style
from shibumi3d.wording import caption_turn, game_title

from ...match import visibility
from ...match.copies import continue_with, copy_up_to
from ..host import shortcuts
from ..host.camera_controls import CameraControls
from ..host.page import Page
from ..host.settings_card import SoundButton
from ..host.solver import find_solution
from ..host.window_page import MIN_NARROW_PAGE_PX, back_button_label
from ..match.evaluation import (
    AXIS_WIDTH_PX,
    EVALUATION_GRAPH_HEIGHT_PX,
    LOW_EVALUATION_GRAPH_HEIGHT_PX,
    EvaluationGraph,
)
from ..match.export import ExportCard
from ..match.messages import PositionAnswers
from ..match.replay import MAX_SOUND_SPEED, Playback, PositionPreview, find_notable_plies, make_replay_view
from ..match.review import MatchReviewer
from ..match.solo_graph import SoloGraph
from ..ui.accessibility import BoardElement
from ..ui.button import Button, layout_row, quiet_button
from ..ui.canvas import Canvas
from ..ui.panel import Panel
from ..ui.slider import Slider
from ..ui.widget import Key, Widget

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

    from ..host import Host
    from ..host.board_view import BoardView
    from ..host.window_page import WindowPage


MIN_SUMMARY_WIDTH_PX = 90.0
"""Minimum width of the line with the players and the result; with less room, it is left out."""
CAPTION_HEIGHT_PX = 26.0
"""Height of the line that describes the last move, above all controls, in logical pixels."""
CONTROLS_HEIGHT_PX = 72.0
"""Height of the controls below the caption if they fit on one line, in logical pixels."""
NARROW_LINE_HEIGHTS_PX = (56.0, 40.0, 44.0)
"""Heights of the three lines of controls in a window with one column, in logical pixels.

From top to bottom: the timeline, the step buttons, and the buttons that are otherwise at the top of the page.
"""
MIN_TALL_PAGE_PX = 560.0
"""Minimum height of a page on which the evaluation graph has its full height, in logical pixels."""
MIN_GRAPH_ALIGNED_WIDTH_PX = 320
"""Minimum width of a timeline with which the evaluation graph is aligned, in logical pixels.

If the timeline is shorter, the graph is as wide as the page.
"""


class ReplayActions(NamedTuple):
    """Actions of the playback controls.

    ``go_to`` jumps to the position after a number of moves, ``step_by`` goes one move forward (1) or back (-1), and
    ``scrub`` goes to a stop of the timeline. ``export`` opens the export card, and ``edit_position`` opens the
    position editor.
    """

    go_to: Callable[[int], None]
    step_by: Callable[[int], None]
    scrub: Callable[[int], None]
    export: Callable[[], None]
    edit_position: Callable[[], None]


class PlaybackControls:
    """Playback controls for a match with ``move_count`` moves, and the evaluation graph above them."""

    def __init__(
        self,
        app: Host,
        playback: Playback,
        evaluation_graph: EvaluationGraph,
        actions: ReplayActions,
        move_count: int,
    ) -> None:
        self.playback, self.evaluation_graph, self.move_count = playback, evaluation_graph, move_count
        self.caption_rect = Rect(0, 0, 0, 0)
        """Area of the caption, above all other controls."""
        self.first_button = quiet_button(
            "", lambda: actions.go_to(0), "first", _("Go to start  Home"), name="first"
        )
        self.back_button = quiet_button(
            "", lambda: actions.step_by(-1), "step-back", _("Back  ←"), name="step back"
        )
        self.play_button = Button(
            "", playback.toggle, icon="play", kind="plain", tip=_("Play  Space"), name="run"
        )
        self.forward_button = quiet_button(
            "", lambda: actions.step_by(1), "step", _("Forward  →"), name="step"
        )
        self.last_button = quiet_button(
            "", lambda: actions.go_to(move_count), "last", _("Go to end  End"), name="last"
        )
        self.back_button.accessible_name, self.forward_button.accessible_name = (
            _("One move back  ←"),
            _("One move forward  →"),
        )
        self.timeline = Slider(actions.scrub, name="line")
        self.speed_button = quiet_button("", playback.next_speed, "", _("Speed  ↑ ↓"), name="speed")
        self.loop_button = Button(_("Loop"), playback.toggle_loop, icon="loop", kind="quiet", name="loop")
        self.review_button = quiet_button(
            "",
            evaluation_graph.toggle,
            "analysis",
            _("Review: evaluation and better moves  A"),
            name="who stood better",
        )
        self.export_button = quiet_button("", actions.export, "export", _("Export  Ctrl+E"), name="export")
        self.edit_button = quiet_button(
            "", actions.edit_position, "marbles", _("Edit position  E"), name="lay out"
        )
        self.sound_button = SoundButton(app)
        self.step_buttons = [
            self.first_button,
            self.back_button,
            self.play_button,
            self.forward_button,
            self.last_button,
        ]
        self.action_buttons = [
            self.loop_button,
            self.review_button,
            self.export_button,
            self.edit_button,
            self.sound_button,
        ]

    @property
    def widgets(self) -> Sequence[Widget]:
        """All widgets, in tab order."""
        steps = (
            self.first_button,
            self.back_button,
            self.play_button,
            self.forward_button,
            self.edit_button,
            self.export_button,
            self.last_button,
            self.timeline,
        )
        return (
            *steps,
            self.speed_button,
            self.loop_button,
            self.review_button,
            self.sound_button,
            self.evaluation_graph,
        )

    def update(self, ply: int, notable_plies: frozenset[int]) -> None:
        """Update the controls for the position after ``ply`` moves.

        The moves in ``notable_plies`` get tall ticks on the timeline.
        """
        self.timeline.highlighted_range = self.playback.loop_range.ply_range
        self.timeline.set_stops(self.move_count, ply, notable_plies)
        self.first_button.enabled = self.back_button.enabled = ply > 0
        self.last_button.enabled = self.forward_button.enabled = ply < self.move_count
        self.playback.update_buttons(self.play_button, self.speed_button)
        self.loop_button.is_on = self.playback.loop_range.is_on

    def height(self, page_height: float, narrow: bool) -> float:
        """Return the height of the controls, including the caption and, if shown, the graph.

        ``page_height`` is the height of the page, and ``narrow`` says whether the page has only one column.
        """
        low = page_height < MIN_TALL_PAGE_PX
        self._graph_height = LOW_EVALUATION_GRAPH_HEIGHT_PX if low else EVALUATION_GRAPH_HEIGHT_PX
        return (
            CAPTION_HEIGHT_PX
            + (sum(NARROW_LINE_HEIGHTS_PX) if narrow else CONTROLS_HEIGHT_PX)
            + (self._graph_height if self.evaluation_graph.is_on else 0.0)
        )

    _graph_height = EVALUATION_GRAPH_HEIGHT_PX

    def layout(self, bar: Rect, canvas: Canvas, narrow: bool, top_buttons: Sequence[Button]) -> None:
        """Lay out the controls in ``bar``.

        Set ``narrow`` if the page has only one column; ``bar`` then also holds ``top_buttons``, which are otherwise at
        the top of the page.
        """
        self.loop_button.is_icon_only = narrow
        self.caption_rect, bar = bar.cut_top(CAPTION_HEIGHT_PX)
        if narrow:
            self._layout_lines(bar, canvas, top_buttons)
        else:
            self._layout_line(bar, canvas)

    def _layout_lines(self, bar: Rect, canvas: Canvas, beside: Sequence[Button]) -> None:
        """Lay out the controls for a page with one column.

        Below the graph, there are two lines of controls and a line with the buttons in ``beside``.
        """
        time, steps, _ = NARROW_LINE_HEIGHTS_PX
        graph, bar = bar.cut_top(bar.h - sum(NARROW_LINE_HEIGHTS_PX))
        line, bar = bar.inset(14, 0).cut_top(time)
        button_width = layout_row(
            Rect(line.x, line.y - 6, line.w, line.h), [self.speed_button], canvas, align=1
        )
        self.timeline.layout(Rect(line.x, line.cy - 22, line.w - button_width - 8, 36))
        timeline_rect = self.timeline.rect
        self.evaluation_graph.has_axis = False
        self.evaluation_graph.layout(
            Rect(timeline_rect.x + 10, graph.y + 4, timeline_rect.w - 20, self._graph_height)
        )
        line, actions_rect = bar.cut_top(steps)
        layout_row(line, self.step_buttons, canvas, gap=4)
        layout_row(line, self.action_buttons, canvas, gap=4, align=1)
        layout_row(actions_rect, beside, canvas, align=1)

    def _layout_line(self, bar: Rect, canvas: Canvas) -> None:
        graph, bar = bar.cut_top(bar.h - CONTROLS_HEIGHT_PX)
        line = bar.inset(14, 0)
        wide = layout_row(line, self.step_buttons, canvas, gap=4)
        right = layout_row(line, [self.speed_button, *self.action_buttons], canvas, gap=4, align=1)
        self.timeline.layout(Rect(line.x + wide + 14, line.cy - 18, line.w - wide - right - 28, 36))
        timeline_rect = self.timeline.rect
        graph_rect = Rect(line.x, graph.y + 4, line.w, self._graph_height)
        if timeline_rect.w >= MIN_GRAPH_ALIGNED_WIDTH_PX:
            # The axis is to the left of the timeline.
            graph_rect = Rect(
                timeline_rect.x + 10 - AXIS_WIDTH_PX,
                graph_rect.y,
                timeline_rect.w - 20 + AXIS_WIDTH_PX,
                graph_rect.h,
            )
        self.evaluation_graph.has_axis = True
        self.evaluation_graph.layout(graph_rect)

    def draw(self, canvas: Canvas, style: Style, ply: int, caption: str) -> None:
        """Draw ``caption`` above the timeline, and ``ply`` and the total number of moves below the timeline."""
        line = self.caption_rect
        left = self.timeline.rect.x + 10
        canvas.text_fit(
            Rect(left, line.y + 4, line.right - left - 14, line.h - 4),
            caption,
            style.ink,
            "sans",
            BODY_TEXT_PX,
        )
        place = Rect(self.timeline.rect.x + 10, self.timeline.rect.bottom - 2, self.timeline.rect.w - 20, 16)
        canvas.text_in(
            place,
            _("move {number} of {most}", number=ply, most=self.move_count),
            style.secondary_ink,
            "sans",
            SMALL_TEXT_PX,
            0.5,
        )


TOP_BAR_HEIGHT_PX = 44
MIN_NARROW_HEIGHT_PX = 450.0
"""Minimum height of a page with one column, without the evaluation graph, in logical pixels."""
LOOP_SPEED = 0.5
"""Playback speed at which :func:`loop_moves` repeats moves; normal speed is 1."""


class ReplayPage(Page):
    """Page that replays a match without changing it.

    :attr:`at_ply` is the number of moves shown.
    """

    page_name = "replay"
    has_narrow_layout = True
    view: BoardView

    def __init__(self, app: Host, match: Match, entry: Entry) -> None:
        super().__init__(app)
        self.match, self.entry = match, entry
        self.names = match.names
        self.at_ply = 0
        self.history = match.plies
        self.notable_plies = find_notable_plies(match.initial_state, match.plies)
        """Numbers of the moves at which a marble fell, was captured or was removed, or the lead changed."""
        self.record_text = match.record().to_text()
        self.counted_unit = match.game.facts(len(match.seats)).score_unit
        self.playback = Playback(
            self, lambda: self.at_ply, lambda: len(self.history), lambda ply: self.go_to(ply), self.step_by
        )
        self.viewer = visibility.public_viewer(match)
        self.replay_view = make_replay_view(self)
        self.view = self.replay_view.view
        self.view_commands = CameraControls(self, self.replay_view.shortcuts)
        self.questions = PositionAnswers(self)
        self.message = ""
        """Message shown instead of the caption until another position is shown."""
        self.announcement_sources = (lambda: self.message or self.caption(),)
        self.top_bar, self.bottom_bar = Panel("page", "bottom"), Panel("page", "top")
        self.back_button = Button(_("Back"), self.go_back, icon="back", kind="quiet", name="back")
        self.play_from_here_button = Button(
            _("Play from here"), self.play_from_here, kind="plain", name="play from here"
        )
        self.position_preview = PositionPreview(self)
        self.reviewer = MatchReviewer(
            match, app.schedule, lambda: self.update(), app.reviews, app.results.solo.lead_of(match)
        )
        self.evaluation_graph = (
            SoloGraph(self, self.reviewer, app.results.solo.best_score(match, entry))
            if len(match.seats) == 1
            else EvaluationGraph(self, self.reviewer)
        )
        acts = ReplayActions(self.go_to, self.step_by, self._scrub, self.show_export_card, self.edit_position)
        self.controls = PlaybackControls(app, self.playback, self.evaluation_graph, acts, len(self.history))
        self.timeline = self.controls.timeline
        self.timeline.on_hover = self.position_preview.preview_ply
        self.mistakes_button = Button(
            _("Learn from your mistakes"),
            self.open_mistakes,
            kind="plain",
            tip=_("Find better moves for up to three of your turns"),
            name="find the turn",
        )
        self.controls.review_button.visible = self.mistakes_button.visible = (
            self.evaluation_graph.is_available
        )
        self.way_button = Button(
            _("Show solution"),
            self.show_solution,
            kind="plain",
            tip=_("How to win or reach the best score from the position shown"),
            name="show the way",
        )
        self.way_button.visible = self.mistakes_button.visible and len(match.seats) == 1
        self.controls.edit_button.visible = self.replay_view.can_edit_position
        self.return_to: WindowPage | None = None
        """Page to return to, or None for the page of the match."""
        self.played_on: date | None = None
        """Date on which a saved match was played, or None if it is unknown or the match has just been played."""
        self.unfinished_file: Path | None = None
        """File of an unfinished match that was opened as a replay, or None.

        Leaving the page resumes that match.
        """
        self.export_card: ExportCard | None = None
        self.shortcuts = [
            line
            for line in shortcuts.REPLAY_SHORTCUTS
            if self.replay_view.can_edit_position or line != "edit"
        ]
        self.add(
            self.view,
            self.replay_view.overlay,
            self.top_bar,
            self.bottom_bar,
            self.back_button,
            self.way_button,
            self.mistakes_button,
            self.play_from_here_button,
        )
        self.add(*self.controls.widgets, self.position_preview)
        self.update()

    def playback_time(self, now: float) -> float:
        return self.playback.playback_time(now)

    def current_playback_time(self) -> float:
        return self.playback_time(self.app.clock())

    @property
    def plays_sounds(self) -> bool:
        return self.playback.speed <= MAX_SOUND_SPEED

    def show_note(self, sentence: str) -> None:
        """Show ``sentence`` in place of the caption, until the position changes."""
        self.message = sentence
        self.refresh()

    @property
    def state(self) -> State:
        """Match state after the moves shown so far, including hidden information."""
        return self.match.state_after(self.at_ply)

    # Navigation

    def update(self) -> None:
        self.controls.update(self.at_ply, self.notable_plies)
        if self.controls.review_button.is_on != self.evaluation_graph.is_on:
            self.controls.review_button.is_on = self.evaluation_graph.is_on
            self.relayout()
        self.refresh()

    def go_to(self, ply: int) -> None:
        """Show the position after ``ply`` moves, without animation.

        ``ply`` is clamped to the range from 0 to the number of moves in the match.
        """
        self.replay_view.finish_animations()
        self.replay_view.is_end_sound_pending = False
        self.at_ply = max(0, min(len(self.history), ply))
        self.replay_view.show_position()
        self.message = ""
        self.update()

    def step_by(self, direction: int) -> None:
        """Go one move forward, or one move back if ``direction`` is negative, with animation."""
        replay_view, ply = self.replay_view, self.at_ply
        replay_view.finish_animations()
        replay_view.is_end_sound_pending = (
            direction > 0 and ply + 1 == len(self.history) and self.history[-1].state.to_move is None
        )
        if direction > 0 and ply < len(self.history):
            self.at_ply += 1
            replay_view.animate_ply(self.history[ply])
        elif direction < 0 and ply:
            self.at_ply -= 1
            replay_view.animate_undo(self.history[ply - 1])
        self.message = ""
        self.update()

    def _scrub(self, stop: int) -> None:
        self.playback.is_playing = False
        if abs(stop - self.at_ply) == 1:
            self.step_by(stop - self.at_ply)
            self.replay_view.is_end_sound_pending = False
            self.playback.set_clock_rate(self.replay_view.scrub_speed_factor(self.playback.speed))
        else:
            self.go_to(stop)

    def animate(self, now: float) -> bool:
        moving = self.replay_view.animate(now)
        if not moving and self.playback.is_sped_up:
            self.playback.set_clock_rate()
        return self.playback.animate(now, self.replay_view.is_animating(self.playback_time(now))) or moving

    def is_fading(self) -> bool:
        return self.replay_view.is_fading()

    def board_elements(self) -> Sequence[BoardElement]:
        return self.replay_view.board_elements()

    def active_spot_key(self) -> str:
        """Return an empty string, since the page has no cursor."""
        return ""

    def heading(self) -> str:
        return game_title(self.entry)

    def rebuild(self) -> ReplayPage:
        page = ReplayPage(self.app, self.match, self.entry)
        page.view.home_camera, page.view.camera = self.view.home_camera, self.view.camera
        page.return_to, page.played_on, page.unfinished_file = (
            self.return_to,
            self.played_on,
            self.unfinished_file,
        )
        page.reviewer.review = self.reviewer.review
        page.go_to(self.at_ply)
        if self.evaluation_graph.is_on:
            page.evaluation_graph.toggle()
        return page

    def on_show(self) -> None:
        super().on_show()
        page = game_title(self.entry)
        self.back_button.accessible_name = (
            back_button_label(self.return_to)
            if self.return_to is not None
            else _("Back to {page}", page=page)
        )

    def on_leave(self) -> None:
        self.reviewer.close()
        self.app.gallery.cancel_pending()
        if self.export_card is not None:
            self.export_card.stop_export()
        super().on_leave()

    def go_back(self) -> None:
        """Go back to the page from which the replay was opened.

        If there is none, open the match in :attr:`unfinished_file`; if that is None, show the match page with the final
        position.
        """
        if self.return_to is not None:
            self.app.show_page(self.return_to.rebuild())
            return
        if self.unfinished_file is not None:
            self.app.matches.open_file(self.unfinished_file)
            return
        self.match.go_to(len(self.history))
        self.app.pages.show_match(self.match, self.entry)

    def edit_position(self) -> None:
        """Open the position editor with the position at the start of the turn in progress.

        If the match is over at this point, the editor shows the final position. Does nothing if there is no position
        editor for this kind of table.
        """
        if self.replay_view.can_edit_position:
            self.app.pages.edit_position(self.match, self.at_ply, self.entry)

    def show_export_card(self, export_format: str = "") -> None:
        """Open a new export card, or reopen the one that shows the progress of a running export.

        If ``export_format`` isn't empty, that format is selected in a new card.
        """
        card = self.export_card
        if card is None or card.process is None:
            card = self.export_card = ExportCard(self, self.played_on, export_format)
        self.app.root.open_popup(card, card.popup_rect, focus=card.export_button)

    def play_from_here(self) -> None:
        """Start a new match that begins with the moves up to the position shown."""
        new_match = copy_up_to(self.match, self.at_ply)
        self.app.matches.play(new_match, self.entry)

    def go_to_next_mistake(self) -> None:
        """Turn on the review and jump to the position before the next mistake, if any.

        After the last mistake, the search starts again at the first. A jump pauses playback.
        """
        if not self.evaluation_graph.is_on:
            self.evaluation_graph.toggle()
        ply = self.evaluation_graph.next_mistake_ply()
        if ply is not None:
            self.playback.is_playing = False
            self.go_to(ply)

    def open_mistakes(self) -> None:
        """Open the page on which the player looks for better moves than those played."""
        self.app.pages.show_mistakes(self.match, self.entry, self, self.reviewer.review)

    def show_solution(self) -> None:
        """Look for a win or the best score from the position shown.

        If a solution is found, its moves are played in a new replay. Otherwise, a note gives the reason. Does nothing
        if the button that shows the solution is hidden.
        """
        ply = self.at_ply

        def on_found(moves: Sequence[str]) -> None:
            if not self.is_current:
                return
            continued_match = continue_with(self.match, ply, moves)
            self.app.matches.mark_solution_shown(continued_match)
            self.app.pages.show_replay(continued_match, self.entry, self)
            page = self.app.current_page
            if isinstance(page, ReplayPage):
                page.go_to(ply)
                page.playback.toggle()

        def show_note(text: str) -> None:
            self.message = text
            self.update()

        if self.way_button.visible:
            find_solution(self.app.solver, self.match, ply, on_found, show_note)

    # Layout

    def min_size_for(self, window_width: float) -> tuple[float, float]:
        if window_width >= self.min_size[0]:
            return self.min_size
        return MIN_NARROW_PAGE_PX[0], MIN_NARROW_HEIGHT_PX + (
            EVALUATION_GRAPH_HEIGHT_PX if self.evaluation_graph.is_on else 0.0
        )

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas, narrow = self.app.canvas, self.is_narrow
        canvas.scale = self.app.scale
        top, rest = rect.cut_top(TOP_BAR_HEIGHT_PX)
        self.top_bar.layout(top)
        self.back_button.is_icon_only = narrow
        layout_row(Rect(top.x + 8, top.y, 120, top.h), [self.back_button], canvas)
        bar, rest = rest.cut_bottom(self.controls.height(rect.h, narrow))
        self.bottom_bar.layout(bar)
        buttons = [self.way_button, self.mistakes_button, self.play_from_here_button]
        self.controls.layout(bar, canvas, narrow, buttons)
        if not narrow:
            layout_row(Rect(top.x, top.y, top.w - 14, top.h), buttons, canvas, align=1)
        self.view.layout(rest)
        self.replay_view.overlay.layout(rest)
        self.position_preview.layout(rest)
        self.replay_view.fit_view()

    def paint(self, canvas: Canvas, style: Style) -> None:
        pass

    def draw(self, canvas: Canvas, style: Style) -> None:
        super().draw(canvas, style)
        result = self.history[-1].state.result if self.history else None
        left = self.back_button.rect.right + 10
        wide = canvas.text_in(
            Rect(left, 0, 260, TOP_BAR_HEIGHT_PX), game_title(self.entry), style.ink, "title", HEADING_PX - 2
        )
        about = " – ".join(self.names)
        if result is not None:
            end, is_solution_shown = self.history[-1].state, self.match.is_solution_shown
            text = describe_result(
                end, language(), self.names, score_unit=self.counted_unit, solution_shown=is_solution_shown
            )
            about += f" · {text}"
        if self.evaluation_graph.is_on:
            about = self.reviewer.describe_accuracies() or about
        row = (self.way_button, self.mistakes_button, self.play_from_here_button)
        buttons = next(button for button in row if button.visible)
        right = self.top_bar.rect.right if self.is_narrow else buttons.rect.x
        space = Rect(left + wide + 20, 0, right - left - wide - 40, TOP_BAR_HEIGHT_PX)
        if space.w >= MIN_SUMMARY_WIDTH_PX:
            canvas.text_fit(space, about, style.secondary_ink, "sans", BODY_TEXT_PX)
        is_previewing = self.position_preview.previewed_ply is not None  # the preview has its own caption
        caption = "" if is_previewing else self.message or self.caption()
        self.controls.draw(canvas, style, self.at_ply, caption)

    def caption(self, ply: int | None = None) -> str:
        """Return a description of move number ``ply``, by default the last move shown; 0 stands for the start.

        If the review is on and has a verdict on the turn that ends with this move, the verdict is included.
        """
        ply = self.at_ply if ply is None else ply
        if not ply:
            return _("Before the first move")
        turn_number, description = self.history[ply - 1].turn + 1, self.replay_view.describe_ply(ply - 1)
        line = caption_turn(turn_number, description)
        thought = self.reviewer.turn_ending_at(ply) if self.evaluation_graph.is_on else None
        return (
            line
            if thought is None
            else _("{line}.  {thought}", line=line, thought=self.reviewer.describe_judgement(thought))
        )

    # Keys

    def on_key(self, key: Key) -> bool:
        actions: Mapping[str, Callable[[], object]] = {
            "space": self.playback.toggle,
            "left": lambda: self.step_by(-1),
            "right": lambda: self.step_by(1),
            ",": lambda: self.step_by(-1),
            ".": lambda: self.step_by(1),
            "home": lambda: self.go_to(0),
            "end": lambda: self.go_to(len(self.history)),
            "up": lambda: self.playback.change_speed(1),
            "down": lambda: self.playback.change_speed(-1),
            "l": self.playback.toggle_loop,
            "i": lambda: self.playback.set_loop_end(False),
            "o": lambda: self.playback.set_loop_end(True),
            "a": self.evaluation_graph.toggle,
            "n": self.go_to_next_mistake,
            "e": self.edit_position,
            "ctrl+e": self.show_export_card,
            **self.questions.bindings(),
            "escape": self.go_back,
            "ctrl+o": self.app.pages.show_saved_games,
            "ctrl+n": self.app.pages.show_home,
        }
        return self.handle_shortcut(key, actions, self.view_commands.on_key)

    def trace_values(self) -> Mapping[str, object]:
        return {
            "at": self.at_ply,
            "of": len(self.history),
            "caption": self.caption(),
            "running": self.playback.is_playing,
            "looped": list(self.playback.loop_range.playing_range(len(self.history))),
        }


def loop_moves(page: ReplayPage, ply_range: tuple[int, int]) -> None:
    """Play the moves in ``ply_range`` again and again, in slow motion."""
    page.playback.loop_range.ply_range, page.playback.loop_range.is_on = ply_range, True
    page.playback.set_speed(LOOP_SPEED)
    page.go_to(ply_range[0])
    page.playback.toggle()
