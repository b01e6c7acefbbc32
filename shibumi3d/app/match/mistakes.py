"""*Learn from your mistakes*: find better turns in positions before mistakes, and save the positions as problems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from shibumi3d.catalogue.problems import ProvedProblem, rules_hash
from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, localize, ngettext, pgettext
from shibumi3d.match.history import Ply, moves_by_turn
from shibumi3d.match.match import Match
from shibumi3d.match.special_moves import is_swapped, names_at_ply
from shibumi3d.rules.game import match_state_key
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.search.problems.candidates import Candidate, FoundProblem
from shibumi3d.search.review.results import (
    GOOD_TURN_MAX_LOSS,
    Review,
    ReviewMove,
    TurnEvaluation,
    TurnReview,
    ValueBounds,
)
from shibumi3d.search.worker import Answer

from ...match.copies import copy_up_to
from ..host.solver import BackgroundSolver
from ..host.window_page import WindowPage
from ..ui.button import Button
from ..ui.widget import Key
from .guided import TAKE_BACK_SECONDS, TRY_AGAIN_KEYS, GuidedMatchPage
from .review import MatchReviewer, describe_turn_texts, value_percent

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

    from ..host import Host


SEED_LIMIT = 10**9
"""Exclusive upper limit for the seeds of matches, set by the format of problem files."""


def can_become_problem(match: Match, entry: Entry, turn: TurnReview) -> bool:
    """Return whether the position before a turn is a candidate for a problem.

    The turn must be a proved mistake in a match with at least two seats, and it must be possible to reproduce the match
    from its moves and its seed alone. The match must therefore have the standard start, variant, options and board
    size, a seed that the format of problem files allows, and neither a deal nor a swap of seats.
    """
    facts = match.game.facts(len(match.seats))
    has_default_options = all(
        match.options[option.name] == option.default_for(len(match.seats))
        for option in facts.options
        if option.name in match.options
    )
    is_standard = match.position is None and not match.deal and not match.game.variant and has_default_options
    is_reproducible = match.game.size == entry.size and 0 <= match.seed < SEED_LIMIT
    is_solo = len(match.seats) == 1
    return (
        bool(turn.lost_result) and is_standard and is_reproducible and not is_solo and not is_swapped(match)
    )


def make_candidate(match: Match, turn: TurnReview, turn_starts: Iterable[int]) -> Candidate:
    """Return the position before a turn, as a candidate for a problem.

    ``turn_starts`` lists, for each turn of ``match``, the number of moves made before it.
    """
    earlier_starts = [at for at in turn_starts if at < turn.start]
    return Candidate(
        match.game,
        match.state_after(turn.start),
        moves_by_turn(match.plies[: turn.start]),
        match.state_after(earlier_starts[-1]) if earlier_starts else None,
        match.seed if match.game.facts(len(match.seats)).has_chance else 0,
    )


def to_saved_problem(finding: FoundProblem, entry: Entry) -> ProvedProblem:
    """Convert a newly found problem to the form in which problems are saved.

    The ID is only a placeholder; saving the problem gives it its own.
    """
    return ProvedProblem(game=entry.id, id=1, rules=rules_hash(entry), **finding.to_row())


MAX_MISTAKES = 3
"""Maximum number of mistakes to correct."""
LINE_MOVE_SECONDS = 0.9
"""Time in seconds between two moves of the line that follows a wrong turn in a solo game."""
REVIEW_TIMEOUT_SECONDS = 12.0
"""Time in seconds after which the review is used even if it is unfinished."""


MistakesPageFactory = Callable[["Host", Match, Entry, WindowPage | None, Review | None], WindowPage]
"""Factory for the page on which mistakes are corrected.

The last two arguments are the page to return to and the results of the match's review so far; either may be None.
"""


class MistakesPage(GuidedMatchPage):
    """Page that shows the positions before the worst mistakes, one by one, and asks for better turns.

    A background process evaluates the player's tries. A turn is refuted on the board if it lowers the chance of winning
    by at least :data:`.GOOD_TURN_MAX_LOSS` percentage points or, in a game played for a score, loses any points. Both
    the turn and its refutation stay there until the player acts.
    """

    page_name = "find"
    can_skip = False
    played_match: Match
    reviewer: MatchReviewer
    mistakes: list[TurnReview]
    """Mistakes to correct, worst first."""
    index: int
    corrected_count: int
    _phase = "ask"
    message = ""
    """Latest message about a try, the best turn or saving the problem; empty if there is none."""
    _is_save_requested = False
    """Whether the player has asked to save the current mistake as a problem."""

    def __init__(
        self,
        app: Host,
        played_match: Match,
        entry: Entry,
        return_to: WindowPage | None,
        review: Review | None = None,
        index: int = 0,
        corrected_count: int = 0,
    ) -> None:
        self.played_match, self.index, self.corrected_count = played_match, index, corrected_count
        self.reviewer = MatchReviewer(
            played_match,
            app.schedule,
            self._on_review_progress,
            app.reviews,
            app.results.solo.lead_of(played_match),
        )
        if review is not None:
            self.reviewer.review = review
        self.mistakes = self.reviewer.human_mistakes()[:MAX_MISTAKES] if self.reviewer.is_complete else []
        self._solver = BackgroundSolver(app.schedule)
        super().__init__(app, self._match_at_mistake(), entry, return_to)

    def _match_at_mistake(self) -> Match:
        """Return a match that starts at the position to show.

        This is the position before the current mistake. If there is no current mistake, for example because the match
        hasn't been reviewed yet, it is the final position.
        """
        whole = self.played_match
        if self.current_mistake is None:
            return Match(whole.game, whole.names, whole.seed, state=whole.state)
        return Match(
            whole.game,
            names_at_ply(whole, self.current_mistake.start),
            whole.seed,
            state=self.played_match.state_after(self.current_mistake.start),
        )

    def add_instruction_strip(self) -> None:
        self.extra_button = Button("", self.show_next_mistake, name="other")
        self.save_problem_button = Button(
            _("Save as problem"),
            self.save_as_problem,
            kind="quiet",
            tip=_("Add this position to your problems, if it has exactly one solution"),
            name="keep as a problem",
        )
        self.save_problem_button.visible = False
        super().add_instruction_strip()
        assert self.instruction_strip is not None
        self.instruction_strip.add_buttons((self.save_problem_button, self.extra_button))
        self.update()

    @property
    def phase(self) -> str:
        """Current phase: "ask", "judge", "wrong", "refuted", "right" or "shown".

        In "ask", the player looks for a better turn, and in "judge", the turn tried is evaluated. After a wrong turn,
        the phase is "wrong" until the refutation is played, and then "refuted" until the player acts. The last phase is
        "right" if the player has found a good turn, and "shown" if the best turn has been shown.
        """
        return self._phase

    @phase.setter
    def phase(self, phase: str) -> None:
        self._phase = phase
        self.model.suspended = phase in ("wrong", "refuted")

    def make_page_for(self, index: int, corrected_count: int, review: Review | None) -> MistakesPage:
        """Return a new page of this kind for the mistake at ``index``, keeping the camera of this page.

        ``corrected_count`` is the number of mistakes corrected so far. ``review`` is the match's review so far, or None
        if there is none.
        """
        page = type(self)(
            self.app, self.played_match, self.entry, self.return_to, review, index, corrected_count
        )
        page.view.home_camera, page.view.camera = self.view.home_camera, self.view.camera
        return page

    def rebuild(self) -> MistakesPage:
        return self.make_page_for(self.index, self.corrected_count, self.reviewer.review)

    @property
    def current_mistake(self) -> TurnReview | None:
        """Mistake to correct now, or None if no mistakes are known or all have been shown."""
        return self.mistakes[self.index] if self.index < len(self.mistakes) else None

    def _describe_played(self, mistake: TurnReview) -> str:
        plies = self.played_match.plies[mistake.start : mistake.end]
        events = [event for ply in plies for event in ply.events]
        texts = [ply.move.removeprefix(f"{mistake.seat + 1}:") for ply in plies]
        names = names_at_ply(self.played_match, mistake.start)
        description = self.describe_turn(plies[-1].state, mistake.seat, events)
        return description or describe_turn_texts(
            self.played_match, self.played_match.state_after(mistake.start), mistake.seat, texts, names
        )

    def on_show(self) -> None:
        super().on_show()
        if not self.reviewer.is_complete:
            self.reviewer.start()
            self.app.schedule(REVIEW_TIMEOUT_SECONDS, self._end_review)

    def _end_review(self) -> None:
        """Ask the review to finish soon.

        If it is running but has no results yet, the request is postponed until it has some.
        """
        if self.reviewer.is_running and self.reviewer.review is None:
            self.app.schedule(1.0, self._end_review)
        else:
            self.reviewer.hurry()

    def on_leave(self) -> None:
        self.reviewer.close()
        self._solver.close()
        super().on_leave()

    def _on_review_progress(self) -> None:
        """Show the progress of the review or, when it is finished, its results."""
        if not self.is_current:
            return
        if self.reviewer.is_running:
            self.update_instruction()
        elif self.reviewer.review is not None:
            self.app.show_page(self.make_page_for(0, 0, self.reviewer.review))

    def update_instruction(self) -> None:
        mistake, review = self.current_mistake, self.reviewer.review
        self._set_extra_button()
        if not self.reviewer.is_complete:
            self.show_instruction(
                _(
                    "Analysing the match: {part}%.",
                    part=round(100 * review.progress) if review is not None else 0,
                )
            )
        elif mistake is None:
            judged = review is not None and any(each.played_value is not None for each in review.turns)
            if self.mistakes:
                text = _(
                    "Better moves found: {number} of {most}.",
                    number=self.corrected_count,
                    most=len(self.mistakes),
                )
            elif judged:
                text = _("You made no big mistakes.")
            else:
                text = _("The computer can't evaluate the moves in this match.")
            self.show_end(text)
        else:
            self._instruct_about(mistake)

    def _instruct_about(self, mistake: TurnReview) -> None:
        number, most = self.index, len(self.mistakes)
        over = self.phase in ("right", "shown")
        self.save_problem_button.visible = (
            over
            and not self._is_save_requested
            and can_become_problem(self.played_match, self.entry, mistake)
        )
        if over:
            label = _("Play from here") if self._continues_correct_turn else _("Play from before the mistake")
            self._set_extra_button(label, self.play_from_mistake)
            self.show_instruction(self.message, _("Next  N"), number + 1, most)
            return
        if self.phase == "refuted":
            self._set_extra_button(_("Show best move  S"), self.show_best_turn)
            self.show_instruction(self.message, _("Try again"), number, most)
            return
        self._set_extra_button(_("Next  N"), self.show_next_mistake)
        asked = _(
            "Turn {turn} – {told}. There was a better move.",
            turn=mistake.turn + 1,
            told=self._describe_played(mistake),
        )
        self.show_instruction(self.message or asked, _("Show best move  S"), number, most)

    def _set_extra_button(self, label: str = "", on_click: Callable[[], None] | None = None) -> None:
        self.extra_button.label, self.extra_button.visible = label, bool(label)
        self.extra_button.on_click = on_click or self.show_next_mistake

    def on_main_button(self) -> None:
        if self.current_mistake is None:
            self.leave_page()
        elif self.phase in ("right", "shown"):
            self.show_next_mistake()
        elif not self.clear_refutation():
            self.show_best_turn()

    def show_next_mistake(self) -> None:
        if self.current_mistake is not None:
            self.app.show_page(self.make_page_for(self.index + 1, self.corrected_count, self.reviewer.review))

    @property
    def _continues_correct_turn(self) -> bool:
        """Whether :meth:`play_from_mistake` keeps the turn that the player has found.

        It keeps a turn only if the turn is correct and the game is a solo game.
        """
        return self.phase == "right" and len(self.names) == 1

    def play_from_mistake(self) -> None:
        """Start a match from the position before the mistake.

        In a solo game, if the player has found a correct turn, the match starts after that turn, and the review counts
        as a hint.
        """
        if self.current_mistake is None:
            return
        match = copy_up_to(self.played_match, self.current_mistake.start)
        if self._continues_correct_turn:
            match.hints[0] += 1  # the review was a hint
            for ply in self.match.plies:
                match.play(ply.move)
        self.app.matches.play(match, self.entry)

    def save_as_problem(self) -> None:
        """Save the position before the current mistake as a problem if its solution is proved to be unique.

        A background process searches for the proof. Only the first call for a mistake has an effect.
        """
        mistake = self.current_mistake
        if mistake is None or self._is_save_requested:
            return

        def on_answer(answer: Answer) -> None:
            if not self.is_current:
                return
            found = answer.value
            if not found:
                self.message = _(
                    "Not saved: the computer couldn't prove that only one of several plausible moves is right."
                )
            elif self.app.results.problems.save_own(to_saved_problem(found, self.entry)):
                self.message = _("Saved to your problems.")
            else:
                self.message = _("The problem couldn't be saved.")
            self.update()

        self._is_save_requested, self.message = True, _("Checking that there is only one solution…")
        turn_starts = [each.start for each in self.reviewer.review.turns] if self.reviewer.review else []
        self._solver.submit(
            on_answer,
            "problems.requirements.find_problem",
            make_candidate(self.played_match, mistake, turn_starts),
        )
        self.update()

    def show_best_turn(self) -> None:
        """Play the best turn from the position before the mistake, and explain why it is better than the mistake."""
        mistake = self.current_mistake
        if mistake is None:
            return
        self._solver.cancel()
        self._return_to_start()
        self.phase = "shown"
        self.message = _(
            "{told}. {why}.",
            told=self.reviewer.describe_best_turn(mistake),
            why=_explain_improvement(mistake, mistake.best_value, len(self.names) == 1),
        )
        self._make_moves(mistake.best_turn)
        self.update()

    def _make_moves(self, move_texts: Sequence[str]) -> None:
        """Make the moves given in ``move_texts`` on the board, stopping at the first illegal one."""
        for text in move_texts:
            move = next((move for move in self.match.legal_moves() if move.text == text), None)
            if move is None:
                return
            self.actions.on_move_made(self.actions.make_move(move))

    # Turns that are tried

    def update(self) -> None:
        super().update()
        mistake = self.current_mistake
        if (
            mistake is not None
            and self.phase == "ask"
            and self.match.plies
            and self._is_turn_complete(mistake)
        ):
            self._evaluate_try(mistake)

    def _is_turn_complete(self, mistake: TurnReview) -> bool:
        """Return whether the player has completed the turn or single move that was asked for.

        A single move is enough in games with secrets or chance if both the mistake and the best turn are one move long.
        """
        state, first = self.match.state, self.match.initial_state
        single = (
            mistake.end - mistake.start == len(mistake.best_turn) == 1
            and self.model.facts.has_secrets | self.model.facts.has_chance
        )
        return bool(single) or state.to_move != mistake.seat or state.turn != first.turn

    def _evaluate_try(self, mistake: TurnReview) -> None:
        """Evaluate the player's turn, then accept or refute it.

        The review already contains the values of the best turn and of the turn played in the match. Any other turn is
        evaluated in a background process. In a solo game, the turn played in the match is also evaluated there, unless
        that turn ended the match. If the evaluation fails, the error is shown and the player's turn is taken back.
        """
        self.phase, self.message = "judge", _("Checking…")
        reached = self.match.state
        if (
            match_state_key(reached) == match_state_key(self.played_match.state_after(mistake.end))
            and mistake.played_value is not None
            and (len(self.names) > 1 or reached.to_move is None)
        ):
            answer = []
            for ply in self.played_match.plies[mistake.end :]:
                if ply.turn != self.played_match.plies[mistake.end].turn:
                    break
                answer.append(ply.move)
            self._show_evaluation(mistake, TurnEvaluation(mistake.played_value, tuple(answer)))
            return
        texts = [ply.move for ply in self.match.plies]
        if mistake.best_value is not None and tuple(texts) == mistake.best_turn:
            self._show_evaluation(mistake, TurnEvaluation(mistake.best_value))
            return
        moves = [ReviewMove(ply.seat, ply.turn, ply.move, ply.state) for ply in self.played_match.plies]

        def on_answer(answer: Answer) -> None:
            if not self.is_current:
                return
            if isinstance(answer.value, TurnEvaluation):
                self._show_evaluation(mistake, answer.value)
            else:
                self.phase, self.message = (
                    "ask",
                    _("{text}.", text=capitalize_first(localize(answer.error or ""))),
                )
                self._return_to_start()
                self.update()

        self._solver.submit(
            on_answer,
            "review.reviewer.evaluate_turn_in_worker",
            self.played_match.game,
            self.played_match.initial_state,
            moves,
            mistake,
            texts,
        )
        self.update_instruction()

    def _show_evaluation(self, mistake: TurnReview, evaluation: TurnEvaluation) -> None:
        """Accept the player's turn if it is good enough; otherwise, schedule its refutation."""
        assert mistake.best_value is not None
        tried = self.describe_try()
        lost = 100 * (mistake.best_value.value - evaluation.value.value)
        if lost < GOOD_TURN_MAX_LOSS if not mistake.is_scored else not lost:
            self.corrected_count += 1
            self.phase, self.message = (
                "right",
                _(
                    "Correct! {told}. {why}.",
                    told=tried,
                    why=_explain_improvement(mistake, evaluation.value, len(self.names) == 1),
                ),
            )
            self.update()
            return
        self.phase = "wrong"
        before = len(self.match.plies)
        self.app.schedule(TAKE_BACK_SECONDS, lambda: self._play_refutation(evaluation, tried, before))
        self.update_instruction()

    def _play_refutation(self, evaluation: TurnEvaluation, description: str, ply_count: int) -> None:
        """Play the refutation of a turn, if there is one, and show why the turn is wrong.

        ``description`` describes the turn, which ended after ``ply_count`` moves. The turn and its refutation stay on
        the table until the player acts. Nothing happens if the player has acted since the turn or has left the page.
        """
        if not self.is_current or self.phase != "wrong" or len(self.match.plies) != ply_count:
            return
        state, mistake = self.match.state, self.current_mistake
        is_solo = len(self.names) == 1
        why = _explain_failure(mistake, evaluation, is_solo) if mistake is not None else ""
        if is_solo and evaluation.reply:
            shown = _describe_shown_line(evaluation)
            self.message = _("{told}. {why}. {shown}", told=description, why=why, shown=shown)
            self.phase = "refuted"
            self._play_line(evaluation.reply)
            self.update()
            return
        self._make_moves(evaluation.reply)
        answer = self._describe_plies(state, self.match.plies[ply_count:])
        self.message = (
            _(
                "{told}. The reply – {answer}. {why}. Try something else.",
                told=description,
                answer=answer,
                why=why,
            )
            if answer
            else _("{told}. {why}. Try something else.", told=description, answer=answer, why=why)
        )
        self.phase = "refuted"
        self.update()

    def _play_line(self, move_texts: Sequence[str]) -> None:
        """Play the moves ``move_texts`` one by one until the player acts.

        The moves are the line shown after a wrong turn in a solo game.
        """
        if not (self.is_current and self.phase == "refuted" and move_texts):
            return
        self._make_moves(move_texts[:1])
        shown = self.match.state

        def play_next() -> None:
            if self.match.state is shown:
                self._play_line(move_texts[1:])

        self.app.schedule(LINE_MOVE_SECONDS, play_next)

    def clear_refutation(self) -> bool:
        if self.phase != "refuted":
            return False
        self._return_to_start()
        self.phase = "ask"
        self.update()
        return True

    def _return_to_start(self) -> None:
        """Go back to the position before the mistake."""
        before = self.match.plies
        if before:
            self.actions.finish_animations()
            self.match.go_to(0)
            self.actions.reload_moves()
            self.actions.on_undone(before)

    def describe_try(self) -> str:
        """Return a description of the turn that the player has tried, or an empty string if no move was made."""
        return self._describe_plies(self.match.initial_state, self.match.plies)

    def _describe_plies(self, state: State, plies: Sequence[Ply]) -> str:
        if not plies:
            return ""
        events = [event for ply in plies for event in ply.events]
        description = self.describe_turn(plies[-1].state, plies[0].seat, events)
        return description or describe_turn_texts(
            self.match, state, plies[0].seat, [ply.move for ply in plies], self.names
        )

    def on_key(self, key: Key) -> bool:
        if key.chord in TRY_AGAIN_KEYS and self.clear_refutation():
            return True
        if key.chord in ("n", "s") and self.current_mistake is not None:
            if key.chord == "n":
                self.show_next_mistake()
            elif self.phase not in ("right", "shown"):
                self.show_best_turn()
            return True
        return super().on_key(key)


def _explain_failure(mistake: TurnReview, evaluation: TurnEvaluation, is_solo: bool = False) -> str:
    """Return an explanation of why the player's turn is worse than the best turn."""
    assert mistake.best_value is not None
    value = evaluation.value
    if is_solo and value.is_proved:
        return _explain_solo_failure(mistake, evaluation.moves_tried)
    if value.is_proved and value.value == 0.0:
        return _("That's a forced loss")
    if value.is_proved and value.value == 0.5:
        return _("That only draws")
    return _(
        "The chance of winning is {tried}% instead of {best}%",
        tried=value_percent(value),
        best=value_percent(mistake.best_value),
    )


def _explain_solo_failure(mistake: TurnReview, moves_tried: int) -> str:
    """Return a text that says what can no longer be achieved after a wrong turn in a solo game.

    ``moves_tried`` is the number of moves tried in the proof, or 0 if the match itself shows that the turn is wrong.
    """
    if mistake.is_scored:
        text = _("A score of {best} is no longer possible", best=mistake.best_score)
    else:
        text = _("There is no way to win any more")
    if not moves_tried:
        return text
    return ngettext(
        "{text} (proved by trying {n} move)", "{text} (proved by trying {n} moves)", moves_tried, text=text
    )


def _describe_shown_line(evaluation: TurnEvaluation) -> str:
    """Return a sentence about the moves that are shown after a wrong turn in a solo game."""
    if evaluation.best_score is not None:
        return _("The best you can score is {n}, as shown.", n=evaluation.best_score)
    return _("The board shows one way the game can end.")


def _explain_improvement(mistake: TurnReview, value: ValueBounds | None, is_solo: bool = False) -> str:
    """Return an explanation of why a turn with the given value is better than the turn played in the match."""
    assert value is not None
    assert mistake.played_value is not None
    if mistake.is_scored:
        return _("It keeps a score of {best} within reach", best=mistake.best_score)
    if is_solo and value.is_proved:
        return _("It keeps a win within reach")
    if value.is_proved and value.value == 1.0:
        return (
            ngettext("It wins at once", "It wins in {n} turns", mistake.wins_in)
            if mistake.wins_in and value is mistake.best_value
            else pgettext("find", "It's a forced win")
        )
    if value.is_proved and value.value == 0.5:
        return _("It holds the draw")
    return _(
        "The chance of winning is {best}% instead of {played}%",
        best=value_percent(value),
        played=value_percent(mistake.played_value),
    )
