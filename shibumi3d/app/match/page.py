"""Base class of the pages on which a match is played: the widgets around the table, and the keys."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from shibumi3d import wording
from shibumi3d.catalogue.schema import Entry
from shibumi3d.catalogue.shown_problems import tip_lesson
from shibumi3d.i18n import _
from shibumi3d.match.match import Match
from shibumi3d.scene.rect import Rect
from shibumi3d.wording import describe_ply, game_title, term_meanings

from ..host.page import Page
from ..host.settings_card import SoundButton, ThemeButton
from ..host.solo import ladder_of
from ..host.tournaments import tournament_on_screen
from ..host.window_page import MIN_NARROW_PAGE_PX
from ..ui.accessibility import join_sentences
from ..ui.button import Button, layout_row, quiet_button
from ..ui.choice import Choice, Tabs
from ..ui.panel import Panel
from ..ui.prose import ExplainedSentence, ExplanationTooltip, FormattedText
from ..ui.widget import Key, Widget
from .actions import SpecialMoves
from .clock import MatchClocks
from .dialogs import open_save_dialog
from .messages import MatchAnswers, StatusLine
from .openings import OpeningsPanel
from .result_bar import ResultBar
from .side_panel import OPENINGS_TAB, RULES_TAB

if TYPE_CHECKING:
    from pathlib import Path

    from shibumi3d.catalogue.lessons import Lesson
    from shibumi3d.rules.game import Event, State

    from ..host import Host
    from ..host.board_view import BoardView
    from ..host.camera_controls import CameraControls
    from .actions import MatchActions
    from .game_preview import RulesExample
    from .hints import HintsAndAnalysis
    from .instruction_strip import InstructionStrip
    from .model import MatchModel
    from .move_list import MoveList
    from .players import ComputerPlayers
    from .shortcuts import MatchShortcuts
    from .side_panel import SidePanel


TOP_BAR_HEIGHT_PX = 44.0
OPENINGS_FONT_SIZE_PX = 14
"""Font size of the text below the opening statistics, in pixels."""


class MatchPage(Page):
    """Base class of pages on which a match is played.

    A subclass creates the parts that depend on its kind of table, such as ``model`` and ``actions``, and then calls
    :meth:`create_widgets`.
    """

    page_name = "play"
    match: Match
    entry: Entry
    names: list[str]
    is_zen_mode = False
    """Whether everything that isn't needed to play, such as the bars and the side panel, is hidden."""
    side_panel: SidePanel
    view: BoardView
    flat_view: Widget
    """Flat drawing of the table, which can replace the 3D view."""
    camera_controls: CameraControls
    save_file_name = ""
    """Name of the file in which the match is saved; empty if there is none."""
    is_end_sound_pending = False
    """Whether the match is over but its final sound hasn't been played yet.

    The sound is played once nothing moves.
    """
    is_lesson = False
    """Whether this is a lesson or problem, whose match is not saved."""
    instruction_strip: InstructionStrip | None = None
    """Instruction strip of a lesson or problem, or None."""
    example: RulesExample
    model: MatchModel
    actions: MatchActions
    computer_players: ComputerPlayers
    advice: HintsAndAnalysis
    shortcut_handler: MatchShortcuts
    move_list: MoveList

    def __init__(self, app: Host, match: Match, entry: Entry) -> None:
        Page.__init__(self, app)
        self.match, self.entry = match, entry
        self.names = match.names

    def animation_time(self) -> float:
        """Return the current time of the table's animations, in seconds."""
        return self.app.clock()

    def update(self) -> None:
        """Update the page after the state has changed."""
        raise NotImplementedError

    def clear_refutation(self) -> bool:
        """Undo a refuted turn that is still shown, and the reply to it.

        Returns whether anything was undone. Does nothing unless a subclass overrides it.
        """
        return False

    @property
    def board_widget(self) -> Widget | None:
        return self.flat_view if self.flat_view.visible else super().board_widget

    def heading(self) -> str:
        return game_title(self.entry)

    def announcement(self) -> str:
        """Return a description of the page for screen readers.

        It includes the task of a lesson or problem, what happened, what the player must do and, once the match is over,
        who won and why.
        """
        ended = self.model.is_live and self.match.state.result is not None
        return join_sentences(
            [
                self.instruction_strip.instruction_text.plain_text
                if self.instruction_strip is not None
                else "",
                super().announcement(),
                self.result_bar.describe_result() if ended else "",
            ]
        )

    def describe_turn(self, state: State, seat: int, events: Sequence[Event]) -> str:
        """Return a description of a turn, or "" if the notation of its moves is clear enough.

        The turn was made by ``seat``, caused ``events`` and led to ``state``.
        """
        return ""

    def describe_move(self, ply: int) -> str:
        """Return a sentence that says who made the move with index ``ply`` and what the move did.

        In games with marbles, the sentence covers the turn up to and including that move. The caller must make sure
        that the viewer may know the move.
        """
        plies, model = self.match.plies, self.model
        did = describe_ply(self.match, plies, ply, model.observe_events(plies[ply].events))
        return _("{who}: {did}", who=self.names[plies[ply].seat], did=did)

    def active_spot_key(self) -> str:
        """Return the key of the item under the pointer or the keyboard cursor, or an empty string if there is none."""
        raise NotImplementedError

    def show_note(self, sentence: str) -> None:
        """Show a message that isn't about a particular place on the table."""
        raise NotImplementedError

    def step_by(self, steps: int) -> None:
        """Show the position ``steps`` steps later, or earlier if ``steps`` is negative.

        A step is a move or, in games with marbles, a whole turn.
        """
        raise NotImplementedError

    def select_tab(self, tab: int) -> None:
        """Select a tab of the side panel.

        ``tab`` is 0 for the moves, :data:`RULES_TAB` for the rules or :data:`OPENINGS_TAB` for the openings.
        """
        self.tabs.selected_index = tab
        self.move_list.visible, self.rules_text.visible = tab == 0, tab == 1
        self.openings.visible = tab == OPENINGS_TAB
        self.example.visible = self.exercise_button.visible = self.lesson_choice.visible = False
        if tab == OPENINGS_TAB:
            self.openings.on_opened()
        elif tab == RULES_TAB and self.openings.rows:
            self._select_lesson(self.lesson_choice.selected_index)
        if self.rect.w:
            self.layout(self.rect)
        self.refresh()

    def match_area(self, page_rect: Rect) -> Rect:
        """Return the part of the page that is available to the match."""
        return page_rect

    def create_widgets(self, rules_font_size: int) -> None:
        """Create the widgets around the table.

        ``rules_font_size`` is the font size of the rules in pixels.
        """
        app, actions = self.app, self.actions
        self.special_moves = SpecialMoves(self, actions)
        self.clocks = MatchClocks(
            self, self.match, self.special_moves.running_clock_seat, self.special_moves.lose_on_time
        )
        self.top_bar, self.bottom_bar, self.side_panel_background = (
            Panel("page", "bottom"),
            Panel("page", "top"),
            Panel("page", "left"),
        )
        label, tip = _("Games"), _("Back to the games")
        if app.pages.path_row is not None:
            label, tip = _("Learn"), _("Back to the first ten games")
        elif self.returns_to_ladder:
            label, tip = _("Deals"), _("Back to the deals")
        elif self.tournament_path is not None:
            label, tip = _("Tournament"), _("Back to the tournament")
        self.back_button = quiet_button(label, self.leave_match, "back", tip, name="back")
        self.theme_button = ThemeButton(app)
        self.sound_button = SoundButton(app)
        self.settings_button = quiet_button(
            "", app.pages.show_settings, "settings", _("Settings"), name="settings"
        )
        self.rules_button = quiet_button(
            "", self.side_panel.show_rules, "book", _("Rules  F1"), name="rules button"
        )
        self.side_panel_button = quiet_button(
            "", self.side_panel.toggle, "panel", _("Moves and rules  Ctrl+B"), name="panel"
        )
        self.save_button = quiet_button(
            "", lambda: open_save_dialog(self), "save", _("Save  Ctrl+S"), name="save"
        )
        self.undo_button = quiet_button(_("Undo"), actions.undo, "undo", _("Undo  Ctrl+Z"), name="undo")
        self.redo_button = quiet_button(_("Redo"), actions.redo, "redo", _("Redo  Ctrl+Y"), name="redo")
        self.previous_button = quiet_button(
            "", lambda: self.step_by(-1), "step-back", _("Previous move  comma"), name="look back"
        )
        self.next_button = quiet_button(
            "", lambda: self.step_by(1), "step", _("Next move  full stop"), name="look on"
        )
        self.replay_turn_button = quiet_button(
            "", actions.replay_last_turn, "again", _("Replay last turn  B"), name="again"
        )
        self.special_move_button = Button("", self.special_moves.make_available_move, name="claim a draw")
        self.return_button = Button(
            _("Back to current position"),
            lambda: actions.view_ply(None),
            icon="last",
            kind="main",
            name="return",
            tip=_("Back to current position  Ctrl+End"),
        )
        self.play_from_here_button = Button(
            _("Play from here"),
            actions.continue_from_here,
            name="play from here",
            tip=_("Undo everything after this"),
        )
        self.status_line = StatusLine(self)
        self.spoken_answers = MatchAnswers(self, self.status_line)
        self.result_bar = ResultBar(self)
        rules = wording.variant_rules(self.match.game.meta, self.entry)
        self.rules_text = FormattedText(rules, rules_font_size, name="rules")
        self.openings = OpeningsPanel(
            app, self.match, self.entry, lambda: self.example, OPENINGS_FONT_SIZE_PX
        )
        tabs = (_("Moves"), _("Rules"), *([_("Openings")] if self.openings.rows else []))
        self.tabs = Tabs(tabs, 0, self.select_tab, name="tabs")
        self.exercise_button = Button(
            _("Try it"),
            lambda: app.pages.show_exercise(self.match, self.entry),
            name="try it",
            tip=_("Try the rules in a short exercise: find one move"),
        )
        form = self.entry.with_variant(self.match.game.variant)
        examples = [_("Example")] if form.example is not None else []
        tips = [_("Tip {n}", n=number + 1) for number in range(len(form.tips))]
        self.lesson_choice = Choice([*examples, *tips], 0, self._select_lesson, name="lessons")
        self.lesson_choice.accessible_name = _("Example and tips")
        self.explanation_tooltip = ExplanationTooltip()

    def initial_lesson(self) -> Lesson | None:
        """Return the lesson that the picture above the rules shows first, or None if there is none."""
        return self._lesson_at(0) if self.lesson_choice.options else None

    def _lesson_at(self, index: int) -> Lesson | None:
        """Return the lesson for the option ``index`` of :attr:`lesson_choice`.

        The lesson is the example or a tip. Returns None if the tip can't be shown.
        """
        form = self.entry.with_variant(self.match.game.variant)
        if form.example is not None and index == 0:
            return form.example
        try:
            return tip_lesson(form.id, form.tips[index - (form.example is not None)])
        except ValueError:
            return None

    def _select_lesson(self, index: int) -> None:
        """Show the example or tip chosen in :attr:`lesson_choice` above the rules.

        ``index`` is the index of the chosen option. If the game has neither an example nor tips, or if the tip can't be
        shown, the picture is cleared.
        """
        form = self.entry.with_variant(self.match.game.variant)
        if not self.lesson_choice.options:
            self.example.show_lesson(None, "")
            return
        is_example = form.example is not None and index == 0
        self.example.show_lesson(
            self._lesson_at(index), "" if is_example else self.lesson_choice.options[index]
        )
        self.app.relayout()

    def add_top_bar(self) -> None:
        """Add the widgets of the top bar to the page, in tab order."""
        self.add(
            self.top_bar,
            self.back_button,
            self.status_line,
            self.rules_button,
            self.theme_button,
            self.sound_button,
            self.settings_button,
            self.save_button,
        )

    def enable_explanations(self, *texts: FormattedText | ExplainedSentence) -> None:
        """Enable explanations of the game's terms in ``texts``."""
        for text in texts:
            text.explain_words, text.on_word_hover = self._explain_words, self.explanation_tooltip.set_word

    def _explain_words(self, words: Sequence[str]) -> list[str]:
        return term_meanings(self.entry, self.match.game.variant, words)

    def update_widgets(self) -> None:
        """Update the computer players, the advice and the widgets around the table after the state has changed."""
        model, match = self.model, self.match
        self.names[:] = match.names
        self.special_moves.update_button(self.special_move_button)
        self.return_button.visible = self.play_from_here_button.visible = not model.is_live
        self.undo_button.enabled = match.cursor > match.undo_limit and model.is_live
        self.replay_turn_button.enabled = match.cursor > 0
        self.redo_button.enabled = bool(match.undone) and model.is_live
        self.previous_button.enabled, self.next_button.enabled = model.cursor > 0, not model.is_live
        self.result_bar.visible = (
            model.can_choose and match.state.to_move is None and self.instruction_strip is None
        )
        self.computer_players.update()
        self.advice.update()

    def on_key(self, key: Key) -> bool:
        return self.shortcut_handler.on_key(key)

    def on_key_release(self, key: Key) -> None:
        self.shortcut_handler.on_key_release(key)

    def toggle_flat_view(self) -> None:
        """Switch between the flat drawing and the 3D view."""
        self.flat_view.visible = not self.flat_view.visible
        self.view.visible = not self.flat_view.visible
        self.layout(self.rect)
        self.refresh()

    def min_size_for(self, window_width: float) -> tuple[float, float]:
        # A single column is enough unless moves and rules are shown beside the table.
        if not self.has_narrow_layout or window_width >= self.min_size[0] or self.side_panel.is_requested:
            return self.min_size
        canvas, window_width = self.app.canvas, max(window_width, MIN_NARROW_PAGE_PX[0])
        canvas.scale = self.app.scale
        strip = (
            self.instruction_strip.stacked_height(canvas, window_width)
            if self.instruction_strip is not None
            else 0.0
        )
        return MIN_NARROW_PAGE_PX[0], strip + self.narrow_layout_height(window_width)

    def narrow_layout_height(self, width: float) -> float:
        """Return the height that the page needs in a single column of the given width.

        The height doesn't include the instruction strip of a lesson or problem.
        """
        raise NotImplementedError

    def top_bar_buttons(self) -> Sequence[Button]:
        """Return the buttons at the right end of the top bar, from right to left.

        On a narrow page, the theme and sound buttons are left out. As a side effect, these two buttons are hidden on a
        narrow page and in zen mode, and shown otherwise.
        """
        # Theme and sound can also be changed in the settings.
        spare, is_narrow = (self.sound_button, self.theme_button), self.is_narrow
        for button in spare:
            button.visible = not (is_narrow or self.is_zen_mode)
        # The first button, in the corner, opens and closes the side panel below it.
        every = (self.side_panel_button, self.settings_button, *spare, self.rules_button, self.save_button)
        return [button for button in every if not (is_narrow and button in spare)]

    def layout_frame(
        self,
        rect: Rect,
        bottom_bar_height: float,
        side_panel_width: float,
        *,
        is_bar_full_width: bool = False,
    ) -> tuple[Rect, Rect, Rect]:
        """Lay out the frame; return the rectangles of the bottom bar, the side panel and the table.

        The frame consists of the top bar, the bottom bar and, if the page has one, the instruction strip below the top
        bar. The bottom bar lies beside the side panel, or under it if ``is_bar_full_width`` is true.
        """
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        top, rest = rect.cut_top(TOP_BAR_HEIGHT_PX)
        self.top_bar.layout(top)
        self.back_button.is_icon_only = self.is_narrow
        layout_row(Rect(top.x + 8, top.y, 120, top.h), [self.back_button], canvas)
        x, y = top.right - 44, top.cy - 16
        for number, button in enumerate(self.top_bar_buttons()):
            button.layout(Rect(x - 36 * number, y, 32, 32))
        begin = self.back_button.rect.right + 10
        self.status_line.layout(Rect(begin, top.y, self.save_button.rect.x - 12 - begin, top.h))
        if is_bar_full_width:
            foot, rest = rest.cut_bottom(bottom_bar_height)
            beside, table = rest.cut_right(side_panel_width)
        else:
            beside, rest = rest.cut_right(side_panel_width)
            foot, table = rest.cut_bottom(bottom_bar_height)
        if self.instruction_strip is not None:
            self.instruction_strip.is_stacked = self.is_narrow
            strip, table = table.cut_top(self.instruction_strip.preferred_height(canvas, table.w))
            self.instruction_strip.layout_within(strip, canvas)
        self.bottom_bar.layout(foot)
        # In zen mode, what is left of the bars floats over the table.
        self.top_bar.visible = self.bottom_bar.visible = not self.is_zen_mode
        self.undo_button.kind = "plain" if self.is_zen_mode else "quiet"
        return foot, beside, table

    def copy_view_from(self, previous: MatchPage) -> None:
        """Copy the view and other state of the page from ``previous``.

        The view comprises the camera and the choice between the 3D view and the flat drawing. The other state includes
        the last viewer, the state of the side panel, whether analysis is on, and whether the computer players are
        paused. ``previous`` shows the same match, or a match that this page's match replaces. The position being viewed
        is copied only if the match is the same.
        """
        self.model.last_viewer = previous.model.last_viewer
        if previous.match is self.match:
            self.model.viewed_ply = previous.model.viewed_ply
        self.computer_players.is_paused = previous.computer_players.is_paused
        self.advice.is_analysing = previous.advice.is_analysing
        self.view.home_camera, self.view.camera = previous.view.home_camera, previous.view.camera
        self.side_panel.copy_state_from(previous.side_panel)
        self.flat_view.visible, self.view.visible = previous.flat_view.visible, previous.view.visible

    def rebuild(self) -> MatchPage:
        page = type(self)(self.app, self.match, self.entry)
        page.copy_view_from(self)
        page.update()
        return page

    def on_show(self) -> None:
        path = self.app.matches.current_path
        self.save_file_name = path.name if path is not None else ""
        self.camera_controls.restore_camera(self.save_file_name)
        self.actions.cover_if_needed()

    @property
    def returns_to_ladder(self) -> bool:
        """Whether the match is a solo game with a ladder.

        If so, *Back* leads to the ladder, unless it leads to the learning page.
        """
        return len(self.match.seats) == 1 and bool(ladder_of(self.entry.id))

    @cached_property
    def tournament_path(self) -> Path | None:
        """File of the tournament to which the match belongs, or None if it belongs to none."""
        tournament = tournament_on_screen(self.app)
        return tournament.path if tournament is not None else None

    def leave_match(self) -> None:
        """Show the page to which *Back* leads: the learning page, a ladder, a tournament or the home page.

        The match has already been saved.
        """
        pages = self.app.pages
        if pages.path_row is not None:
            pages.show_learning(pages.path_row)
        elif self.returns_to_ladder:
            pages.show_ladder(self.entry)
        elif self.tournament_path is not None:
            pages.show_tournament(self.tournament_path)
        else:
            pages.show_home()

    def on_leave(self) -> None:
        self.clocks.close()
        self.save_camera()
        self.actions.finish_animations()
        self.computer_players.close()
        self.advice.close()

    def save_camera(self) -> None:
        """Save the camera position for the match, if the match has a file."""
        self.camera_controls.save_camera(self.save_file_name)

    def render_insets(self, now: float) -> None:
        self.example.render_picture(now)
