"""Match pages with an instruction strip, for lessons and exercises. Their matches are not saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from shibumi3d.catalogue.lessons import Lesson
from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.i18n import _, language, localize_texts
from shibumi3d.match.match import Match
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.game import match_state_key
from shibumi3d.rules.wording import capitalize_first, describe_result
from shibumi3d.wording import describe_ply

from ..host.player_setup import lesson_match
from ..host.window_page import WindowPage, back_button_label
from ..ui.widget import Key
from .instruction_strip import InstructionStrip
from .page import MatchPage

if TYPE_CHECKING:
    from ..host import Host


TAKE_BACK_SECONDS = 1.4
"""Time for which a wrong move stays visible before it is taken back, in seconds."""
SHOWN_MOVE_SECONDS = 1.4
"""Time between the moves of a turn that is shown, in seconds."""

TRY_AGAIN_KEYS = ("enter", "space")
"""Keys that take back a refuted turn."""


class GuidedMatchPage(MatchPage):
    """Match page with an :class:`.InstructionStrip`.

    Leaving the page leads back to ``return_to``, or to the home page if that is None.
    """

    is_lesson = True
    can_skip = True
    """Whether the strip has a "Skip" button until all steps are done."""
    return_to: WindowPage | None = None

    def __init__(self, app: Host, match: Match, entry: Entry, return_to: WindowPage | None = None) -> None:
        self.return_to = return_to
        super().__init__(app, match, entry)
        self.add_instruction_strip()

    def add_instruction_strip(self) -> None:
        """Add the instruction strip, make *Back* leave the lesson, and disable saving."""
        self.instruction_strip = InstructionStrip(self.on_main_button, self.leave_page)
        self.model.in_lesson = True
        self.enable_explanations(self.instruction_strip.instruction_text)
        self.children.remove(self.explanation_tooltip)
        self.add(self.instruction_strip, self.explanation_tooltip)  # word explanations go on top
        self.back_button.label, self.back_button.tooltip, self.back_button.on_click = (
            _("Back"),
            "",
            self.leave_page,
        )
        self.back_button.accessible_name = back_button_label(self.return_to)
        self.save_button.enabled = False
        self.update_instruction()

    def update_instruction(self) -> None:
        """Update the instruction after the state has changed. Does nothing by default."""

    def on_main_button(self) -> None:
        """Handle a press of the main button of the instruction strip. Does nothing by default."""

    def leave_page(self) -> None:
        """Show :attr:`return_to` or, if it is None, the home page."""
        if self.return_to is None:
            self.app.pages.show_home()
        else:
            self.app.show_page(self.return_to.rebuild())

    def show_instruction(
        self, text: str, main_label: str = "", done_steps: int = 0, total_steps: int = 0
    ) -> None:
        """Show ``text`` in the instruction strip, and ``main_label`` on its main button.

        The main button is hidden if ``main_label`` is empty. There are ``total_steps`` progress beads, of which
        ``done_steps`` are filled. If :attr:`can_skip` is true and not all beads are filled, the strip also has a "Skip"
        button, which leaves the page.
        """
        assert self.instruction_strip is not None
        skips = self.can_skip and bool(total_steps) and done_steps < total_steps
        self.instruction_strip.show_instruction(
            text, main_label, _("Skip  Esc") if skips else "", done_steps, total_steps
        )
        self.relayout()

    def show_end(self, text: str, done_steps: int = 0, total_steps: int = 0) -> None:
        """Show ``text`` as the last instruction, with a main button labelled "Done".

        ``done_steps`` and ``total_steps`` are as in :meth:`show_instruction`.
        """
        self.show_instruction(text, _("Done"), done_steps, total_steps)

    def update(self) -> None:
        super().update()
        if self.instruction_strip is not None:
            self.update_instruction()

    def on_key(self, key: Key) -> bool:
        if super().on_key(key):
            return True
        if key.chord == "escape":
            self.leave_page()
            return True
        return False


Exercise = tuple[Entry, Lesson]
"""A game, and one of its lessons that asks for a turn."""
ExercisePageFactory = Callable[["Host", Entry, Lesson, WindowPage | None], "ExercisePage"]
"""Factory for the page on which an exercise is solved; its last argument is the page to return to."""


def open_exercise(
    app: Host, entry: Entry, variant: str, return_to: WindowPage, make_page: ExercisePageFactory
) -> None:
    """Open the exercise of a variant, if there is one.

    Leaving the exercise leads back to ``return_to``. Shows an error message if the exercise can't start.
    """
    lesson = entry.with_variant(variant).exercise
    if lesson is not None:
        _show_exercise(app, lambda: make_page(app, entry, lesson, return_to))


def open_exercise_sequence(
    app: Host,
    exercises: Sequence[Exercise],
    index: int,
    return_to: WindowPage | None,
    make_page: ExercisePageFactory,
    on_complete: Callable[[], None] | None = None,
) -> None:
    """Open the exercise at ``index`` in a sequence.

    Leaving the exercise leads back to ``return_to``, or to the home page if that is None. ``on_complete`` is called
    when the turn of the last exercise has been found or shown. Shows an error message if the exercise can't start.
    """

    def make() -> ExercisePage:
        page = make_page(app, *exercises[index], return_to)
        page.join_sequence(exercises, index, on_complete)
        return page

    _show_exercise(app, make)


def _show_exercise(app: Host, make_page: Callable[[], ExercisePage]) -> None:
    try:
        page = make_page()
    except (CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
        app.show_message(_("Couldn't start this game: {problem}.", problem=problem))
    else:
        app.show_page(page)


class ExercisePage(GuidedMatchPage):
    """Page on which the player must find the turn that a lesson asks for.

    Any other legal turn stays visible for a moment and is then taken back. If the lesson is part of a sequence of
    exercises, the page can also show the correct turn.
    """

    page_name = "trial"
    lesson: Lesson
    wrong_move_text = ""
    """Description of the latest wrong turn; empty if there was none."""
    _is_taking_back = False
    _shown_moves = 0
    """Number of moves of the lesson that the page has made to show the correct turn."""
    _is_showing = False
    sequence: Sequence[Exercise] = ()
    """Exercises of the sequence that the lesson belongs to; empty if it stands alone."""
    sequence_index = 0
    _on_complete: Callable[[], None] | None = None
    """Function to call once the sequence is complete, or None."""

    def __init__(self, app: Host, entry: Entry, lesson: Lesson, return_to: WindowPage | None = None) -> None:
        self.lesson = lesson
        match = lesson_match(entry, lesson)
        state = match.state
        for move in lesson.moves:
            state, _unused = match.game.apply(state, move)
        self._goal = match_state_key(state)
        super().__init__(app, match, entry, return_to)

    def join_sequence(
        self, exercises: Sequence[Exercise], index: int, on_complete: Callable[[], None] | None = None
    ) -> None:
        """Record that the lesson is the exercise at ``index`` in the sequence ``exercises``.

        ``on_complete`` is called when the turn of the last exercise has been found or shown.
        """
        self.sequence, self.sequence_index, self._on_complete = exercises, index, on_complete
        self.update_instruction()

    def describe_first_turn(self) -> str:
        """Return a description of the turn played, limited to as many moves as the correct turn has.

        At least one move must have been played.
        """
        plies = self.match.plies[: len(self.lesson.moves)]
        events = [event for ply in plies for event in ply.events]
        description = capitalize_first(self.describe_turn(plies[-1].state, plies[-1].seat, events))
        return description or describe_ply(self.match, self.match.plies, 0, self.match.plies[0].events)

    @property
    def is_solved(self) -> bool:
        """Whether the state after the correct turn has been reached, by whatever moves."""
        return any(match_state_key(ply.state) == self._goal for ply in self.match.plies)

    @property
    def is_wrong(self) -> bool:
        """Whether the player has played a wrong turn.

        This is the case if the turn has ended, or has at least as many moves as the correct turn, without reaching the
        state after the correct turn.
        """
        plies, first = self.match.plies, self.match.initial_state
        if not plies or self.is_solved:
            return False
        last = plies[-1].state
        has_ended = last.result is not None or (last.to_move, last.turn) != (first.to_move, first.turn)
        return has_ended or len(plies) >= len(self.lesson.moves)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.match.state.to_move is None

    @property
    def is_last(self) -> bool:
        """Whether no exercise follows."""
        return self.sequence_index + 1 >= len(self.sequence)

    def describe_end(self) -> str:
        """Return a description of how the game ended."""
        counted = self.model.facts.score_unit
        return describe_result(self.match.state, language(), self.names, score_unit=counted)

    def task_text(self) -> str:
        """Return the text that says what the lesson asks for."""
        text = localize_texts(self.lesson.comments[0])
        return _("{tip} Find the best move.", tip=text) if self.sequence else text

    def update_instruction(self) -> None:
        beads = (self.sequence_index + self.is_solved, len(self.sequence))
        if self.is_solved:
            move = self.describe_first_turn()
            message = _("{told}.", told=move)
            if self.is_over:
                message = _("{told}. {end}.", told=move, end=self.describe_end())
            if not self._shown_moves:
                message = _("Correct! {text}", text=message)
            if self.sequence and self.is_last:
                self.show_end(message, *beads)
            else:
                self.show_instruction(message, _("Next") if self.sequence else _("Play it again"), *beads)
            return
        text = self.task_text()
        if self.wrong_move_text:
            # Another turn may be good, too: a tip only says that its turn is better than one that ignores it.
            text = (
                _(
                    "{told} – legal, but not the turn this exercise is looking for. {asked}",
                    told=self.wrong_move_text,
                    asked=text,
                )
                if self.sequence
                else _(
                    "{told} – legal, but not the right move here. {asked}",
                    told=self.wrong_move_text,
                    asked=text,
                )
            )
        self.show_instruction(text, _("Show solution") if self.sequence else "", *beads)

    def on_main_button(self) -> None:
        if not self.sequence:
            self.app.show_page(self.rebuild())
        elif self.is_solved and self.is_last:
            self.leave_page()
        elif self.is_solved:
            self.app.pages.show_exercises(
                self.sequence, self.sequence_index + 1, self.return_to, self._on_complete
            )
        elif not self._is_showing:
            self._is_showing, self._shown_moves = True, 0
            self._take_back()
            self._show_next_move()

    def _show_next_move(self) -> None:
        if self.app.current_page is not self or self.is_solved or self._shown_moves >= len(self.lesson.moves):
            self._is_showing = False
            return
        text = self.lesson.moves[self._shown_moves]
        self._shown_moves += 1
        self.actions.play_move(self.match.game.parse(self.match.state, text))
        self.app.schedule(SHOWN_MOVE_SECONDS, self._show_next_move)

    def rebuild(self) -> ExercisePage:
        page = type(self)(self.app, self.entry, self.lesson, self.return_to)
        if self.sequence:
            page.join_sequence(self.sequence, self.sequence_index, self._on_complete)
        return page

    def update(self) -> None:
        if self.is_wrong and not self._is_taking_back and not self._is_showing:
            self.wrong_move_text, self._is_taking_back = self.describe_first_turn(), True
            self.app.schedule(TAKE_BACK_SECONDS, self._take_back)
        if self.is_solved and self.is_last and self._on_complete is not None:
            self._on_complete()
            self._on_complete = None
        super().update()

    def _take_back(self) -> None:
        """Take back all moves played, unless they have solved the exercise or another page is shown."""
        self._is_taking_back = False
        if self.app.current_page is self and self.match.plies and not self.is_solved:
            before = self.match.plies
            self.actions.finish_animations()
            self.match.go_to(0)
            self.actions.reload_moves()
            self.actions.on_undone(before)
