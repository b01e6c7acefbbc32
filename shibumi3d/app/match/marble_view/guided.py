"""Guided matches with marbles: first steps, exercises, mistakes, problems, and test matches of a game being written."""

from __future__ import annotations

import importlib.resources
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.i18n import N_, _, ngettext
from shibumi3d.match.history import PERSON
from shibumi3d.match.match import Match
from shibumi3d.match.problem_session import ProblemSession
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.registry import DEFAULT_KIND
from shibumi3d.scene.marbles.signs import Ghost, Sign
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL_TEXT_PX, Style
from shibumi3d.search.engine_client import EngineClient, EngineFailure, Progress
from shibumi3d.search.levels import LEVELS
from shibumi3d.search.players import Analysis, Choice
from shibumi3d.search.replies import Reply
from shibumi3d.search.worker import Answer

from ....match.copies import replay_with_rules
from ...host.courses import ProblemCourse
from ...host.player_setup import (
    displayed_player_count,
    human_names,
    lesson_match,
    name_players,
    player_type_title,
)
from ...host.window_page import WindowPage
from ...ui.canvas import Canvas
from ...ui.dropdown import Dropdown
from ...ui.label import Label
from ...ui.widget import Key
from ..guided import ExercisePage, GuidedMatchPage
from ..mistakes import MistakesPage
from ..problem import ProblemPageBase
from .boards import crossed_out_signs
from .computers import MarbleComputerPlayers
from .hints import MarbleHints
from .page import MarbleMatchPage

if TYPE_CHECKING:
    from shibumi3d.rules.game import Game, State

    from ...host import Host
    from ...ui.text_editor import TextEditor


GUIDE_TEXTS = {
    "turn": N_("Drag the board to rotate it, or press [ or ]."),
    "place": N_("White goes first. Each mark shows where a marble can go: click one."),
    "lift": N_(
        "Now lift a white marble that has at most one marble on top, then click where to put it. "
        "Any marble on top drops into the gap."
    ),
    "undo": N_("You can undo any turn. Press Undo or Ctrl+Z."),
}

GUIDE_STEPS = ("turn", "place", "lift", "undo")
"""Steps of the guide, in order; each is a key of :data:`GUIDE_TEXTS`."""
MIN_ROTATION_DEGREES = 8.0
"""Minimum change of the camera's yaw or pitch, in degrees, that counts as turning the board."""
REPLY_DELAY_SECONDS = 0.9


def load_guide_match(app: Host) -> tuple[Match, Entry]:
    """Return a new match for the guide, and the entry of its game."""
    with importlib.resources.as_file(importlib.resources.files(__package__) / "first.yaml") as file:
        entry = app.catalogue.open(Path(file))
    assert entry.example is not None
    return lesson_match(entry, entry.example), entry


class GuidePage(GuidedMatchPage, MarbleMatchPage):
    """Page that teaches how to rotate the board, place and lift marbles, and undo turns."""

    page_name = "guide"

    def __init__(self, app: Host, return_to: WindowPage | None = None) -> None:
        match, entry = load_guide_match(app)
        self.completed_steps: set[str] = set()
        self._is_reply_scheduled = False
        super().__init__(app, match, entry, return_to)
        self._initial_angles = (self.view.target_camera.yaw, self.view.target_camera.pitch)

    @property
    def next_step(self) -> str:
        """Next step to be done; empty once all are done."""
        return next((step for step in GUIDE_STEPS if step not in self.completed_steps), "")

    def update_instruction(self) -> None:
        number = GUIDE_STEPS.index(self.next_step) if self.next_step else len(GUIDE_STEPS)
        if not self.next_step:
            self.show_instruction(
                _(
                    "That's all you need to know. F1 shows a game's rules, H gives a hint, and ? lists the "
                    "keyboard shortcuts."
                ),
                _("Choose a game"),
                number,
                len(GUIDE_STEPS),
            )
        else:
            go = _("Next") if self.next_step == "turn" else ""
            self.show_instruction(_(GUIDE_TEXTS[self.next_step]), go, number, len(GUIDE_STEPS))

    def rebuild(self) -> GuidePage:
        page = GuidePage(self.app, self.return_to)
        page.completed_steps = set(self.completed_steps)
        page.update_instruction()
        return page

    def on_main_button(self) -> None:
        if self.next_step:
            self.completed_steps.add(self.next_step)
            self.update_instruction()
        else:
            self.app.pages.show_home()

    def leave_page(self) -> None:
        self.app.change_settings(guided=True)
        super().leave_page()

    def update(self) -> None:
        self._mark_completed_steps()
        super().update()
        self._schedule_reply()

    def _mark_completed_steps(self) -> None:
        if any(isinstance(event, ev.Placed) for ply in self.match.plies[-1:] for event in ply.events):
            self.completed_steps |= {"turn", "place"}
        if any(isinstance(event, ev.Moved) for ply in self.match.plies[-1:] for event in ply.events):
            self.completed_steps |= {"turn", "place", "lift"}
        if self.match.undone and "lift" in self.completed_steps:
            self.completed_steps.add("undo")
        if not self.next_step and not self.app.settings.guided:
            self.app.change_settings(guided=True)

    def _schedule_reply(self) -> None:
        """If it is the opponent's turn, place a marble for the opponent after :data:`REPLY_DELAY_SECONDS`.

        If the user has undone the opponent's move, undo the user's preceding move instead of replying to it again.
        """
        if self.match.state.to_move != 1 or self._is_reply_scheduled:
            return
        self._is_reply_scheduled = True

        def now() -> None:
            self._is_reply_scheduled = False
            if self.app.current_page is not self or self.match.state.to_move != 1 or not self.model.is_live:
                return
            if self.match.undone:
                self.actions.undo()
                return
            placing = [move for move in self.match.legal_moves() if move.kind == "place"]
            if placing:
                self.actions.play_move(placing[-1])

        self.app.schedule(REPLY_DELAY_SECONDS, now)

    def animate(self, now: float) -> bool:
        moving = super().animate(now)
        yaw, pitch = (
            self.view.camera.yaw - self._initial_angles[0],
            self.view.camera.pitch - self._initial_angles[1],
        )
        if self.next_step == "turn" and max(abs(yaw), abs(pitch)) > MIN_ROTATION_DEGREES:
            self.completed_steps.add("turn")
            self.update_instruction()
        return moving


class MarbleExercisePage(ExercisePage, MarbleMatchPage):
    """Page for an exercise with marbles."""


class MarbleMistakesPage(MistakesPage, MarbleMatchPage):
    """Page that asks the user to improve on turns played in a match with marbles."""

    def overlay_signs(self) -> tuple[list[Sign], list[Ghost]]:
        """Return signs and ghosts that cross out the turn to be improved.

        Once the user has moved, or if no turn is asked for, return the usual signs and ghosts.
        """
        mistake = self.current_mistake
        if mistake is None or self.phase != "ask" or self.match.plies:
            return super().overlay_signs()
        return crossed_out_signs(self.played_match.plies[mistake.start : mistake.end])


class ProblemPage(ProblemPageBase, MarbleMatchPage):
    """Match page for solving a problem of a marble game."""

    def __init__(
        self,
        app: Host,
        entry: Entry,
        solving: ProblemSession,
        course: ProblemCourse,
        return_to: WindowPage | None = None,
    ) -> None:
        self.set_problem(solving, course)
        super().__init__(app, solving.match, entry, return_to)
        self.move_list.strikes_undone = True

    def make_computers(self) -> MarbleComputerPlayers:
        return ProblemOpponent(self)

    def make_advice(self) -> MarbleHints:
        return ProblemHints(self)

    def rebuild(self) -> ProblemPage:
        page = ProblemPage(self.app, self.entry, self.problem_session, self.course, self.return_to)
        page.copy_state_from(self)
        page.update()
        return page


class _ScriptedEngine(EngineClient):
    """Stand-in for the engine process; it returns the problem's replies once they are known."""

    def __init__(self, page: ProblemPage) -> None:
        super().__init__()
        self._page, self._seat = page, -1

    @property
    def is_busy(self) -> bool:
        return self._seat >= 0

    @property
    def elapsed_seconds(self) -> float:
        return 0.0

    def request_move(
        self, game: Game, view: State, strength: str | int, *, seat: int | None = None, **more: object
    ) -> None:
        self._seat = -1 if seat is None else seat

    def poll(self) -> Progress | Choice | EngineFailure | None:
        choice = self._page.reply_choice(self._seat) if self.is_busy else None
        if choice is not None:
            self._seat = -1
        return choice

    def hurry(self) -> None: ...

    def cancel(self) -> None:
        self._seat = -1


class ProblemOpponent(MarbleComputerPlayers):
    """Opponent that plays the replies in a problem.

    Like other computer players in games with marbles, it previews its moves.
    """

    def __init__(self, page: ProblemPage) -> None:
        self._problem = page
        super().__init__(page)
        self.engine = _ScriptedEngine(page)

    @property
    def choosing_seats(self) -> Sequence[int]:
        # Until a reply is known, no seat counts as a computer's, since a thinking computer causes continuous redrawing.
        return super().choosing_seats if self._problem.next_reply_move() else ()

    def status_text(self) -> str:
        if self._problem.must_guess_first:
            return _("First say whether there is a win.")
        return _("{who} is replying.", who=self._problem.names[self.model.first_choosing_computer or 0])

    def update(self) -> None:
        super().update()
        for button in self.buttons:
            button.visible = False


class ProblemHints(MarbleHints):
    """Hints for solving a problem.

    The hints are given in stages. Analysis can't be turned on.
    """

    def __init__(self, page: ProblemPage) -> None:
        self._problem = page
        super().__init__(page)
        self.hint_button.tooltip = _("Hint: see where to play, then see the move, then play it  H")
        self.optional_buttons = (self.hint_button,)
        self.buttons = (self.hint_button, self.analysis_button, self.auto_solver.button)
        self.analysis_button.visible = False

    def toggle_analysis(self) -> None:
        self.page.show_note(_("Analysis is off while you solve a problem."))

    def update(self) -> None:
        super().update()
        problem = self._problem
        self.hint_button.enabled = self.hint_button.enabled and not (
            problem.is_finished or problem.must_guess_first or problem.is_showing_solution
        )

    def advance_hint(self) -> None:
        if (
            self.helped_seat is not None
            and (self.best_choice is not None or not self.hint_stage)
            and self._problem.request_hint()
        ):
            super().advance_hint()

    def _start_search(self) -> None:
        match, seat = self.model.match, self.helped_seat
        state = match.state
        if self._analysed_state is state or seat is None:
            return
        self._analysed_state, self.best_choice, self.is_complete = state, None, False
        text = self._problem.problem_session.next_move()
        if text:
            self._set_found(seat, text)
            return

        def on_answer(answer: Answer) -> None:
            if self._analysed_state is state and isinstance(answer.value, Reply):
                self._set_found(seat, answer.value.turn[0])
                self._show_hint()

        self.page.app.solver.submit(on_answer, "replies.find_reply", match.game, state)

    def _set_found(self, seat: int, text: str) -> None:
        self.best_choice, self.is_complete = Choice(text, Analysis(seat, 0, 1.0)), True


MIN_SPLIT_WIDTH_PX = 1000
"""Minimum window width at which the text is shown beside the board, in logical pixels."""
TEXT_WIDTH_FRACTION = 0.42
"""Fraction of the window width that the text takes up."""
ReturnCallback = Callable[[], None]


class CheckedText(Protocol):
    """Result of checking a text."""

    @property
    def text(self) -> str:
        """Text that was checked."""

    @property
    def entry(self) -> Entry | None:
        """Game that the text defines, or None if it doesn't define one."""


class DraftInterface(Protocol):
    """Interface through which :class:`SandboxPage` uses the draft of a game that is being written."""

    editor: TextEditor
    on_change: Callable[[], None]
    """Function that is called when the text, its file or the result of checking it has changed."""

    @property
    def text(self) -> str:
        """Current text."""

    @property
    def last_valid(self) -> CheckedText | None:
        """Result of the latest check that found no errors in the text, or None if there hasn't been one."""

    @property
    def is_checked(self) -> bool:
        """Whether the current text is the one that was checked last."""

    def check_now(self) -> None:
        """Check the text immediately, without the usual delay."""

    def status(self) -> tuple[str, str]:
        """Return a short description of the text's status, and the name of the colour to show it in."""

    def save(self) -> None:
        """Save the text as one of the user's own games."""

    def close(self) -> None:
        """Autosave the draft and stop checking it. Called when the page is left."""


OPPONENT_TYPES = (PERSON, *[one.name for one in LEVELS])
"""Player types available for the seats other than the first."""


class SandboxPage(GuidedMatchPage, MarbleMatchPage):
    """Page for a test match of a game being written.

    The match isn't saved. After each change that leaves the game's text valid, the match continues with the new rules,
    or starts again if they don't allow its moves.
    """

    page_name = "trying"
    has_narrow_layout = False

    def __init__(
        self, app: Host, match: Match, entry: Entry, draft: DraftInterface, on_return: ReturnCallback
    ) -> None:
        self.draft, self.on_return = draft, on_return
        self.played_text: CheckedText | None = draft.last_valid
        """Checked text whose rules are in use, or None if no text has been valid yet."""
        self.status_label = Label("", "sans", SMALL_TEXT_PX, "secondary_ink", name="status")
        kind = match.player_types[-1]
        self.opponent_dropdown = Dropdown(
            [
                ngettext(
                    "Other player: {who}",
                    "Other players: {who}",
                    len(match.seats) - 1,
                    who=player_type_title(each),
                )
                for each in OPPONENT_TYPES
            ],
            OPPONENT_TYPES.index(kind),
            lambda number: open_sandbox(app, self.entry, draft, on_return, OPPONENT_TYPES[number]),
            name="against",
        )
        self.opponent_dropdown.visible = len(match.seats) > 1
        super().__init__(app, match, entry)
        self.add(self.opponent_dropdown, self.status_label, draft.editor)

    def update_instruction(self) -> None:
        self.show_instruction(_("This is a test game and won't be saved."), _("Start over"))

    def on_main_button(self) -> None:
        open_sandbox(self.app, self.entry, self.draft, self.on_return, self.opponent_type)

    def leave_page(self) -> None:
        self.on_return()

    @property
    def opponent_type(self) -> str:
        """Player type of all seats but the first."""
        return OPPONENT_TYPES[self.opponent_dropdown.selected_index]

    def on_show(self) -> None:
        super().on_show()
        self.draft.on_change = self._on_draft_change
        self._on_draft_change()
        if not self.draft.is_checked:
            self.draft.check_now()

    def on_leave(self) -> None:
        super().on_leave()
        self.draft.close()

    def rebuild(self) -> SandboxPage:
        page = SandboxPage(self.app, self.match, self.entry, self.draft, self.on_return)
        page.copy_view_from(self)
        return page

    def _on_draft_change(self) -> None:
        """Show the status of the draft; if its rules have changed and are valid, continue the match with them."""
        self.status_label.set_caption(*self.draft.status())
        good = self.draft.last_valid
        if good is not None and good is not self.played_text and good.text == self.draft.text:
            if self.played_text is None or good.text != self.played_text.text:
                self._continue_with_rules(good)
            else:
                self.played_text = good
        self.refresh()

    def _continue_with_rules(self, checked_text: CheckedText) -> None:
        """Continue with the new rules, or start again if they don't allow the moves made so far.

        Does nothing if ``checked_text`` doesn't define a game played with marbles.
        """
        entry = checked_text.entry
        if entry is None or entry.kind != DEFAULT_KIND:
            return
        self.played_text = checked_text
        try:
            match, problem = replay_with_rules(self.match, entry)
        except (CatalogueError, GameFileError, RuleFailure, ValueError):
            match, problem = None, "-"
        if match is None or problem:
            new_match = start_test_match(self.app, entry, self.opponent_type)
            if new_match is None:
                return
            match = new_match
        page = SandboxPage(self.app, match, entry, self.draft, self.on_return)
        page.copy_view_from(self)
        page.show_note(
            _("The moves don't fit the new rules. Starting over.")
            if problem
            else _("Rules reloaded. Your moves still stand.")
        )
        self.app.show_page(page, silent=True)

    def _split(self, rect: Rect) -> tuple[Rect, Rect]:
        """Return the areas for the text and for the match.

        The text area also holds the selection of opponents. In a window narrower than :data:`MIN_SPLIT_WIDTH_PX`, it
        has no room for anything else.
        """
        return (
            rect.cut_left(rect.w * TEXT_WIDTH_FRACTION) if rect.w >= MIN_SPLIT_WIDTH_PX else rect.cut_top(46)
        )

    def match_area(self, page_rect: Rect) -> Rect:
        return self._split(page_rect)[1]

    def layout(self, rect: Rect) -> None:
        editor = self.draft.editor
        editor.visible = self.status_label.visible = rect.w >= MIN_SPLIT_WIDTH_PX
        self.text_area, _ = self._split(rect)
        line, text = self.text_area.inset(14, 7).cut_top(32, 8)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        self.opponent_dropdown.layout(
            Rect(line.x, line.y, min(line.w, self.opponent_dropdown.preferred_width(canvas) + 12), line.h)
        )
        stands, text = text.cut_bottom(24, 6)
        editor.layout(text)
        self.status_label.layout(stands)
        super().layout(rect)

    text_area = Rect()
    """Area beside or above the match, for the text and the selection of opponents."""

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        canvas.rect(self.text_area, style.page)

    def on_key(self, key: Key) -> bool:
        if key.chord == "f5":
            self.on_main_button()
        elif key.chord == "ctrl+s":
            self.draft.save()
        else:
            return super().on_key(key)
        return True


def start_test_match(app: Host, entry: Entry, opponent_type: str) -> Match | None:
    """Return a new match with a person in seat 0 and players of type ``opponent_type`` in all other seats.

    If the game can't be started, tell the user why and return None.
    """
    try:
        seats = displayed_player_count(entry)
        kinds = [PERSON, *[opponent_type] * (seats - 1)]
        return Match(
            entry.game(size=entry.size),
            name_players(human_names((), seats), kinds),
            seed=0,
            player_types=kinds,
        )
    except (CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
        app.show_message(_("Couldn't start this game: {problem}.", problem=problem))
        return None


def open_sandbox(
    app: Host, entry: Entry, draft: DraftInterface, on_return: ReturnCallback, opponent_type: str = PERSON
) -> None:
    """Start a test match of ``entry`` in which players of type ``opponent_type`` take all seats but the first.

    If the game can't be started, tell the user why. Leaving the test match calls ``on_return``, which returns to the
    draft. A game that isn't played with marbles is shown on its ordinary match page, without the editor, and
    ``on_return`` is never called.
    """
    match = start_test_match(app, entry, opponent_type)
    if match is not None:
        app.matches.release_current()
        if entry.kind == DEFAULT_KIND:
            app.show_page(SandboxPage(app, match, entry, draft, on_return))
        else:
            app.pages.show_match(match, entry)
