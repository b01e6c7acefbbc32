"""Page on which a problem is solved: task, refutations, playing the solution, and the text of the instruction strip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, language, ngettext, pgettext
from shibumi3d.match.attempts import FAILED, HINTED, MIN_RATED_PROBLEMS, SOLVED
from shibumi3d.match.history import PERSON, Ply
from shibumi3d.match.problem_session import (
    CORRECT,
    DONE,
    TOO_SLOW,
    UNDECIDED,
    WRONG,
    ProblemSession,
    match_at_problem,
)
from shibumi3d.match.sharing import ProblemResult
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.wording import capitalize_first, describe_result
from shibumi3d.search.levels import LEVELS
from shibumi3d.search.players import Analysis, Choice
from shibumi3d.search.replies import Reply
from shibumi3d.search.worker import Answer
from shibumi3d.wording import (
    PROBLEM_FAILURE_TEXTS,
    PROBLEM_OUTCOME_TEXTS,
    PROBLEM_TASK_TEXTS,
    THEME_TEXTS,
    format_date,
)

from ..host.courses import ProblemCourse, StreakCourse
from ..host.player_setup import human_names, name_players
from ..ui.button import Button
from ..ui.widget import Key
from .guided import TRY_AGAIN_KEYS, GuidedMatchPage
from .sharing import ProblemShareCard

if TYPE_CHECKING:
    from shibumi3d.catalogue.problems import ProvedProblem, Turn
    from shibumi3d.rules.game import Game, State


MOVE_PAUSE_SECONDS = 0.5
"""Delay between the end of all motion and the next move, in seconds."""
POLL_SECONDS = 0.1
"""Interval at which to check whether anything is moving, in seconds."""


class SolutionPlayer:
    """Part of a problem page that plays the solution move by move."""

    def __init__(self, page: ProblemPageBase) -> None:
        self.page = page
        self._is_scheduled = False

    def schedule_next_move(self) -> None:
        """Play the next move of the solution once nothing has moved for :data:`MOVE_PAUSE_SECONDS`.

        The remaining moves of the turn follow in the same way. Nothing is played once the solution is no longer being
        shown.
        """
        if not self._is_scheduled:
            self._is_scheduled = True
            self.page.app.schedule(POLL_SECONDS, lambda: self._play_next_when_still(None))

    def _play_next_when_still(self, rest_start: float | None) -> None:
        page = self.page
        task = page.problem_session
        if not page.is_current or not page.is_showing_solution or not task.is_turn_incomplete():
            self._is_scheduled = False
            return
        now = page.app.clock()
        rest_start = (
            None
            if page.actions.is_moving or not page.model.is_live
            else now
            if rest_start is None
            else rest_start
        )
        if rest_start is None or now - rest_start < MOVE_PAUSE_SECONDS:
            page.app.schedule(POLL_SECONDS, lambda: self._play_next_when_still(rest_start))
            return
        text = task.next_move()
        if not text:
            self._request_reply()
            return
        self._is_scheduled = False
        self._make_move(text)

    def _make_move(self, text: str) -> None:
        page = self.page
        try:
            page.actions.on_move_made(page.actions.make_move(text))
        except RuleFailure as problem:
            page.is_showing_solution = False
            page.app.show_message(
                _(
                    "Your moves so far are safe, but the match can't continue from here: {problem}.",
                    problem=problem,
                )
            )
            return
        if page.problem_session.is_turn_incomplete() and page.match.state.to_move is not None:
            self.schedule_next_move()

    def _request_reply(self) -> None:
        """Find the next move in a background process, and then play it.

        This is needed when the stored solution doesn't contain the move. No move is played if none is found or if the
        state has changed in the meantime.
        """
        page = self.page
        state = page.match.state

        def on_answer(answer: Answer) -> None:
            self._is_scheduled = False
            if page.match.state is state and isinstance(answer.value, Reply):
                self._make_move(answer.value.turn[0])

        page.app.solver.submit(on_answer, "replies.find_reply", page.match.game, state)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Judgement of a turn.

    ``verdict`` is one of the constants in :mod:`shibumi3d.match.problem_session`. ``reply`` holds the moves of the
    reply to show, if any. ``turns_needed`` is the number of turns that the player still needs to win, or None if it
    isn't proved.
    """

    verdict: str
    reply: Turn = ()
    turns_needed: int | None = None


def format_duration(seconds: float) -> str:
    """Format a duration as minutes and seconds, e.g. ``2:05``."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


def task_text(page: ProblemPageBase) -> str:
    """Return the task as a sentence."""
    if page.must_guess_first:
        return _("{who} to move: is there a forced win?", who=page.names[page.match.state.to_move or 0])
    kind = page.problem_session.problem.kind
    return _(PROBLEM_TASK_TEXTS[kind], page.problem_session.turns_left, who=page.solver_name)


def instruction_text(page: ProblemPageBase) -> str:
    """Return the text of the instruction strip."""
    is_incomplete = page.problem_session.is_turn_incomplete()
    judgement = None if is_incomplete else page.judgements.get(page.problem_session.own_moves())
    if (
        page.is_finished
        and not page.is_showing_solution
        and (page.shows_solution_end or (is_incomplete and not page.is_exploring))
    ):
        return _summarize_attempt(page)
    if page.is_finished and page.is_refutation_shown and not page.is_exploring and judgement is not None:
        return f"{_summarize_attempt(page)} {_describe_refutation(page)}"  # in a streak, a wrong turn ends the problem
    if page.is_showing_solution:
        return _("This is the solution.")
    if page.pending_turn is not None:
        return _("Checking your move…")
    if judgement is not None and judgement.verdict == TOO_SLOW:
        return _(
            "{turn}. That wins too, but takes longer.",
            turn=page.describe_plies(page.match.plies[page.match.undo_limit :]),
        )
    if judgement is not None and judgement.verdict == UNDECIDED:
        return _(
            "{turn}. The computer can't tell whether that still wins, so it doesn't count as a mistake.",
            turn=page.describe_plies(page.match.plies[page.match.undo_limit :]),
        )
    if judgement is not None and judgement.verdict == WRONG:
        return _describe_refutation(page)
    if page.is_finished:
        if is_incomplete:
            return _("Try any move to see why it fails.")
        return (
            _("This move is the solution: it doesn't fail. Try another one.")
            if page.is_exploring
            else _("Correct!")
        )
    if page.is_solution_cost_known and page.course.problems.stores_attempts and is_incomplete:
        return _("Showing the solution counts as a miss. Press again to show it.")
    if page.refuted_turn:
        return _("That's not it. {task}", task=task_text(page))
    first = (
        page.match.cursor == page.problem_session.start_cursor
        and page.problem_session.problem.slip
        and not page.must_guess_first
    )
    if first and page.match.cursor:
        slip = page.describe_plies([ply for ply in page.match.plies if ply.turn == page.match.plies[-1].turn])
        return _("{slip}. That was a mistake. {task}", slip=slip, task=task_text(page))
    return task_text(page)


def _describe_refutation(page: ProblemPageBase) -> str:
    """Return sentences that describe the wrong turn played and any reply, and explain why the turn is wrong."""
    plies = page.match.plies[page.match.undo_limit :]
    own = [ply for ply in plies if ply.turn == plies[0].turn]
    other = [ply for ply in plies if ply.turn != plies[0].turn]
    if not other:
        return _(
            "{turn}. {why}",
            turn=page.describe_plies(own),
            why=explain_failure(page.problem_session, page.names),
        )
    return _(
        "{turn}. The reply – {answer}. {why}",
        turn=page.describe_plies(own),
        answer=page.describe_plies(other),
        why=explain_failure(page.problem_session, page.names),
    )


def explain_failure(session: ProblemSession, names: Sequence[str]) -> str:
    """Return a sentence that says why a turn is wrong: how the game ended, or which goal the turn misses."""
    state = session.match.state
    if session.problem.kind != "once" and state.to_move is None:
        return _("{text}.", text=describe_result(state, language(), names))
    return _(PROBLEM_FAILURE_TEXTS[session.problem.kind], session.turns_left)


def _summarize_attempt(page: ProblemPageBase) -> str:
    """Return a summary of the attempt: results, time, themes, state of the streak, and rating."""
    task, problems = page.problem_session, page.course.problems
    parts = []
    if page.guess_and_truth is not None:
        guess, truth = page.guess_and_truth
        parts.append(_("Correct!") if guess == truth else _("No."))
        parts.append(_("There is a win.") if truth else _("There is no win."))
    elif isinstance(page.course, StreakCourse) and task.wrong_turns and not task.is_solution_shown:
        parts.append(_("Missed."))
        if page.can_explore:
            parts.append(_("Press “Why not…?” to try other moves and see why they fail."))
    else:
        time = format_duration(task.seconds)
        parts.append(_(PROBLEM_OUTCOME_TEXTS[task.outcome], task.turns_tried, time=time))
    other = problems.challenge_result(page.problem_name)
    if other is not None and other.outcome:
        result = _(PROBLEM_OUTCOME_TEXTS[other.outcome], other.tries, time=format_duration(other.seconds))
        parts.append(_("{name}: {result}", name=other.name, result=result))
    if task.problem.themes:
        themes = ", ".join(_(THEME_TEXTS[theme]) for theme in task.problem.themes)
        parts.append(_("Themes: {themes}.", themes=themes))
    day = page.course.day
    if day is not None and day != problems.today():
        parts.append(_("This was a daily problem for {date}.", date=format_date(day)))
    if isinstance(page.course, StreakCourse):
        course = page.course
        if course.is_over:
            parts.append(
                ngettext(
                    "The streak is over: {n} solved.", "The streak is over: {n} solved.", course.solved_count
                )
            )
        else:
            parts.append(
                ngettext(
                    "{n} solved in this streak, {missed} missed.",
                    "{n} solved in this streak, {missed} missed.",
                    course.solved_count,
                    missed=course.missed_count,
                )
            )
    if page.guess_and_truth is not None:
        return " ".join(parts)
    rating = problems.rating()
    if rating is not None:
        parts.append(_("Your rating: {value} ± {give}.", value=rating.value, give=rating.margin))
    elif problems.stores_attempts:
        parts.append(
            ngettext(
                "You get a rating after trying {n} problem.",
                "You get a rating after trying {n} problems.",
                MIN_RATED_PROBLEMS,
            )
        )
    return " ".join(parts)


COPIED_ATTRIBUTES = (
    "problem_name",
    "is_finished",
    "must_guess_first",
    "is_showing_solution",
    "shows_solution_end",
    "is_exploring",
    "starts_after_solution",
    "guess_and_truth",
    "judgements",
    "refuted_turn",
    "is_refutation_shown",
    "_is_hint_cost_known",
    "is_solution_cost_known",
)
"""Attributes that a page copies from the page that it replaces."""


def default_seat_names(game: Game, state: State) -> list[str]:
    """Return names for seats without players.

    Each seat gets the first phrase that describes it, usually its colour. If a seat has no such phrase, or two seats
    have the same one, all seats get the default names of players instead.
    """
    names = [
        "".join(game.describe_seat(game.observe(state, seat), seat, language())[:1])
        for seat in range(state.seats)
    ]
    return names if all(names) and len({*names}) == len(names) else human_names((), state.seats)


def new_attempt(entry: Entry, problem: ProvedProblem) -> ProblemSession:
    """Return a new attempt at a problem, at its starting position.

    Raises CatalogueError, GameFileError, RuleFailure, IllegalMove or ValueError if the problem doesn't match the
    current rules of its game.
    """
    game = entry.game(variant=problem.variant or None)
    start = problem.start_state(game)
    return ProblemSession(problem, game, default_seat_names(game, start), start)


def resume_attempt(entry: Entry, problem: ProvedProblem, course: ProblemCourse) -> ProblemSession:
    """Return the attempt at the current problem of a course, continuing from any saved progress.

    Raises the same errors as :func:`new_attempt`.
    """
    attempt = new_attempt(entry, problem)
    attempt.restore(course.saved_attempt())
    return attempt


class ProblemPageBase(GuidedMatchPage):
    """Base class of pages on which the player solves a problem.

    ``problem_session`` is the attempt at the problem, and ``course`` determines which problem comes next.
    """

    page_name = "problem"
    can_skip = False
    problem_session: ProblemSession
    course: ProblemCourse
    problem_name: str
    """Name of the problem; the course may already have advanced to the next one."""

    def set_problem(self, problem_session: ProblemSession, course: ProblemCourse) -> None:
        """Set the attempt and the course, and initialize the page's state.

        Call this before ``__init__``. If the problem starts after the winning turn, that turn is played.
        """
        self.problem_session, self.course = problem_session, course
        self.problem_name = course.current_name
        self.is_finished = False
        """Whether the problem is over, so that nothing counts any more."""
        self._locked = course.asks_whether_winnable
        self.is_showing_solution = False
        """Whether the program is playing the solution."""
        self.shows_solution_end = False
        """Whether the end of the solution is left on the board."""
        self.is_exploring = False
        """Whether turns are tried only to see why they fail."""
        self.starts_after_solution = (
            self._locked and problem_session.problem.n > 1 and _asks_after_solution(course.current_name)
        )
        """Whether the problem starts after the winning turn, so that the seat to move can't win."""
        self.guess_and_truth: tuple[bool, bool] | None = None
        """Player's guess about whether there is a win, and the truth; None until the player has answered."""
        self.judgements: dict[Turn, Judgement] = {}
        """Judgements of the turns tried from the current position."""
        self.refuted_turn: Turn = ()
        """Turn that was refuted most recently; empty if there is none."""
        self.pending_turn: Turn | None = None
        """Turn being judged in the background, or None."""
        self._refuted = False
        self.demonstration = SolutionPlayer(self)
        self._is_hint_cost_known = self.is_solution_cost_known = False
        """Whether the player has been warned that a hint, or the solution, affects the rating."""
        self._timing_start: float | None = None
        """Clock time up to which solving time has been counted; None while the page isn't shown."""
        if self.starts_after_solution:
            for move in problem_session.problem.solution:
                problem_session.match.play(move)
            # Start the page as for other problems, so that nothing gives away which case this is.
            problem_session.match.undo_limit = problem_session.match.cursor

    @property
    def must_guess_first(self) -> bool:
        """Whether the player must first say whether there is a win."""
        return self._locked

    @must_guess_first.setter
    def must_guess_first(self, locked: bool) -> None:
        self._locked = locked
        self.model.suspended = locked or self._refuted

    @property
    def is_refutation_shown(self) -> bool:
        """Whether the turn just tried and any reply to it stay on the board until the player acts."""
        return self._refuted

    @is_refutation_shown.setter
    def is_refutation_shown(self, refuted: bool) -> None:
        self._refuted = refuted
        self.model.suspended = self._locked or refuted

    def add_instruction_strip(self) -> None:
        self.model.suspended = self._locked
        self.win_button = Button(
            _("There is a win"), lambda: self._submit_guess(True), kind="main", name="there is"
        )
        self.no_win_button = Button(
            _("There is no win"), lambda: self._submit_guess(False), kind="main", name="there is none"
        )
        self.solution_button = Button(
            _("Show solution"), self.show_solution, kind="quiet", name="show the answer"
        )
        self.explore_button = Button(
            _("Why not…?"),
            self.explore_failures,
            name="why not",
            tip=_("Try any move to see why it fails"),
        )
        self.play_on_button = Button(
            _("Play as a match"),
            self.play_against_computer,
            name="play on",
            tip=_("Play against the computer from the starting position of this problem"),
        )
        super().add_instruction_strip()
        self.save_button.icon, self.save_button.tooltip = "export", _("Share or export this problem  Ctrl+E")
        self.save_button.on_click, self.save_button.enabled = self.open_share_card, self.can_be_shared
        assert self.instruction_strip is not None
        self.instruction_strip.add_buttons(
            (
                self.win_button,
                self.no_win_button,
                self.solution_button,
                self.explore_button,
                self.play_on_button,
            )
        )
        self.update_instruction()

    @property
    def can_be_shared(self) -> bool:
        """Whether the problem can be shared; it can't if the task is to say whether there is a win."""
        return not self.course.asks_whether_winnable

    @property
    def can_explore(self) -> bool:
        """Whether the player can try out other turns once the problem is over.

        This isn't possible if the task is to win at once.
        """
        return self.problem_session.problem.kind != "once"

    @property
    def own_result(self) -> ProblemResult:
        """Player's name and, once the problem is finished, the player's result, to be included in a link."""
        task, name = self.problem_session, human_names(self.app.settings.names, 1)[0]
        if not self.is_finished:
            return ProblemResult(name)
        return ProblemResult(name, task.outcome, task.turns_tried, round(task.seconds))

    def open_share_card(self) -> None:
        if self.can_be_shared:
            ProblemShareCard(self.app, self.problem_session.problem, self.own_result).open()

    def describe_plies(self, plies: Sequence[Ply]) -> str:
        """Return a description of the moves of a single turn, or their notation if that is clear enough."""
        events = [event for ply in plies for event in ply.events]
        description = self.describe_turn(plies[-1].state, plies[0].seat, events)
        return capitalize_first(description or " ".join(ply.move for ply in plies))

    @property
    def solver_name(self) -> str:
        """Name of the seat that must find the solution."""
        return self.names[self.problem_session.seat]

    def update_instruction(self) -> None:
        over = self.is_finished
        self.win_button.visible = self.no_win_button.visible = self.must_guess_first
        self.solution_button.visible = not (over or self.must_guess_first or self.is_showing_solution)
        self.explore_button.visible = over and not self.is_showing_solution and self.can_explore
        self.play_on_button.visible = over and not self.is_showing_solution
        text, can_leave = instruction_text(self), over and not self.is_showing_solution
        beads = self.course.solved_steps, self.course.total_steps
        if self._can_retry:
            self.show_instruction(text, _("Try again"), *beads)
        elif can_leave and not self.course.current_name:
            self.show_end(text, *beads)
        else:
            self.show_instruction(text, pgettext("problem", "Next") if can_leave else "", *beads)

    @property
    def _can_retry(self) -> bool:
        """Whether the main button takes back a refuted turn, so that the player can try again."""
        return self.is_refutation_shown and (not self.is_finished or self.is_exploring)

    def trace_values(self) -> Mapping[str, object]:
        wrong = [" ".join(turn) for turn in self.problem_session.wrong_turns]
        return {**super().trace_values(), "task": instruction_text(self), "wrong": wrong}

    # Judging turns

    def update(self) -> None:
        super().update()
        if self.instruction_strip is not None:
            self.play_from_here_button.visible = False
            self._judge_position()
            self.computer_players.update()  # the reply may only just have become known

    def _judge_position(self) -> None:
        task, state = self.problem_session, self.match.state
        if task.is_turn_incomplete():
            self.is_refutation_shown = False
        if not self.model.is_live or task.is_turn_incomplete():
            return
        turn = task.own_moves()
        judgement = self.judgements.get(turn)
        is_replied = task.is_reply_complete()
        if judgement is None and not is_replied and self.pending_turn != turn:
            judgement = self._judge_turn(turn)
        if judgement is None:
            if is_replied:
                self._keep_refutation()
            return
        if judgement.verdict == DONE or (judgement.verdict == CORRECT and task.won_by_reply()):
            self._finish_solution()
        elif judgement.verdict != CORRECT or self._is_free_play:
            if judgement.verdict == CORRECT or is_replied or not judgement.reply or state.to_move is None:
                self._keep_refutation()
        elif is_replied:
            task.begin_next_turn(judgement.turns_needed)
            self.judgements, self.refuted_turn = {}, ()
            self._save_progress()
            self.update_instruction()
            if self.is_showing_solution:
                self.demonstration.schedule_next_move()

    @property
    def _is_free_play(self) -> bool:
        """Whether the problem is finished and turns may be tried out."""
        return self.is_finished and not self.is_showing_solution

    def _judge_turn(self, turn: Turn) -> Judgement | None:
        """Store and return the judgement of the turn just made.

        If the verdict isn't known yet, or a reply is needed that isn't known, a background process finds it, and None
        is returned. Until the player has said whether there is a win, every turn is judged wrong, and a note tells the
        player to answer that question first.
        """
        task = self.problem_session
        if self.must_guess_first:
            self.show_note(_("First say whether there is a win."))
            return self._store_judgement(turn, Judgement(WRONG))
        verdict, answer = task.verdict(), task.stored_reply()
        over = self.match.state.to_move is None or verdict == DONE or task.problem.kind == "once"
        if verdict == UNDECIDED or (verdict in (CORRECT, WRONG) and not answer and not over):
            self._request_reply(turn, verdict)
            return None
        return self._store_judgement(turn, Judgement(verdict, answer))

    def _request_reply(self, turn: Turn, verdict: str) -> None:
        """Have a background process find the reply to the turn just made, then store the turn's judgement.

        If ``verdict`` is ``UNDECIDED``, :meth:`.ProblemSession.verdict_from_proof` then decides it from the value of
        the reply. The answer is ignored if the match has changed in the meantime.
        """
        self.pending_turn = turn
        state = self.match.state

        def on_answer(answer: Answer) -> None:
            if self.pending_turn != turn or self.match.state is not state:
                return
            self.pending_turn = None
            if isinstance(answer.value, Reply):
                reply = answer.value
                known = (
                    self.problem_session.verdict_from_proof(reply.value, reply.turns)
                    if verdict == UNDECIDED
                    else verdict
                )
                is_answered = known not in (TOO_SLOW, UNDECIDED)
                self._store_judgement(turn, Judgement(known, reply.turn if is_answered else (), reply.turns))
            else:
                self._store_judgement(turn, Judgement(verdict))
            self.update()

        self.app.solver.submit(on_answer, "replies.find_reply", self.match.game, state)
        self.update_instruction()

    def _store_judgement(self, turn: Turn, judgement: Judgement) -> Judgement:
        """Store the judgement of a turn, update the instruction and return the judgement.

        A wrong turn is also shown as refuted, unless the player must first say whether there is a win. It counts as a
        failed try only while the player is looking for the solution.
        """
        self.judgements[turn], self.is_solution_cost_known = judgement, False
        if judgement.verdict == WRONG and not self.must_guess_first:
            self.refuted_turn = turn
            self.app.sounds.play_rejected()
            if (
                not self.is_finished
                and not self.is_showing_solution
                and self.problem_session.record_wrong_turn(turn)
            ):
                self._save_progress()
        self.update_instruction()
        return judgement

    def next_reply_move(self) -> str:
        """Return the next move of the reply to the player's turn, or "" if no reply is to be played now."""
        task = self.problem_session
        if task.is_turn_incomplete() or self.must_guess_first or not self.model.is_live:
            return ""
        judgement = self.judgements.get(task.own_moves())
        if (
            judgement is None
            or judgement.verdict == DONE
            or (judgement.verdict == CORRECT and self._is_free_play)
        ):
            return ""
        plies = self.match.plies[self.match.undo_limit :]
        reply_count = sum(ply.turn != plies[0].turn for ply in plies)
        return judgement.reply[reply_count] if reply_count < len(judgement.reply) else ""

    def _keep_refutation(self) -> None:
        """Leave the turn just tried and any reply to it on the table until the player acts.

        In a streak, a wrong turn ends the problem.
        """
        if self.is_refutation_shown:
            return
        self.is_refutation_shown = True
        if (
            isinstance(self.course, StreakCourse)
            and self.problem_session.wrong_turns
            and not self.is_finished
        ):
            self._record_result()
        self.update_instruction()
        self.refresh()

    def clear_refutation(self) -> bool:
        if not self.is_refutation_shown:
            return False
        self._undo_refuted_turn()
        return True

    def on_key(self, key: Key) -> bool:
        if self.is_refutation_shown and key.chord in TRY_AGAIN_KEYS:
            self.clear_refutation()
            return True
        if key.chord in ("ctrl+e", "ctrl+s"):
            self.open_share_card()
            return True
        return super().on_key(key)

    def _undo_refuted_turn(self) -> None:
        """Return to the last position in which the player had to find a turn."""
        before, self.is_refutation_shown = self.match.plies, False
        if len(before) > self.match.undo_limit:
            self.actions.finish_animations()
            self.match.go_to(self.match.undo_limit)
            self.actions.reload_moves()
            self.actions.on_undone(before)
        self.update_instruction()

    # End of the problem

    def _finish_solution(self) -> None:
        """Finish the problem, or the demonstration of its solution, after the last turn.

        If the problem was already finished and the player has only tried out a correct line, the line stays on the
        table until the player acts.
        """
        if not self.is_finished or self.is_showing_solution:
            self.is_showing_solution, self.shows_solution_end = False, True
            if not self.is_finished:
                self._record_result()
            self.update_instruction()
        elif not self.shows_solution_end:
            self._keep_refutation()

    def _record_result(self, outcome: str = "") -> None:
        """Record the result of the attempt, delete its saved progress, and select the next problem.

        If ``outcome`` is empty, the outcome of the session is recorded. If there is a next problem, the new state of
        the course is saved.
        """
        self._add_solving_time()
        self.is_finished, task, course = True, self.problem_session, self.course
        outcome = outcome or task.outcome
        name, rated = course.current_name, task.problem.rating
        course.problems.add_attempt(
            name, rated, course.mode, outcome, task.turns_tried, task.seconds, course.day
        )
        course.record_result(outcome in (SOLVED, HINTED))
        course.delete_progress()
        course.advance()
        if course.current_name:
            course.save_progress({})
        self.update()

    def _submit_guess(self, claims_win: bool) -> None:
        """Record the player's guess about whether there is a win, and play the solution."""
        if not self.must_guess_first:
            return
        truth = not self.starts_after_solution
        self.must_guess_first, self.is_showing_solution, self.guess_and_truth = (
            False,
            True,
            (claims_win, truth),
        )
        self.match.undo_limit = self.problem_session.start_cursor
        self._record_result(SOLVED if claims_win == truth else FAILED)
        if self.problem_session.is_turn_incomplete():
            self.demonstration.schedule_next_move()
        self.update()

    # Hints and solution

    def request_hint(self) -> bool:
        """Return whether a hint may be given now; if so, count it and save the progress.

        If attempts are recorded and no hint has been given yet, the first call only warns that a hint affects the
        rating, and returns False.
        """
        if self.is_finished or self.must_guess_first or self.is_showing_solution:
            return False
        if (
            not self._is_hint_cost_known
            and self.course.problems.stores_attempts
            and not self.problem_session.hints
        ):
            self._is_hint_cost_known = True
            self.show_note(
                _("With a hint, a solution counts only half towards your rating. Press H again for the hint.")
            )
            return False
        self.problem_session.hints += 1
        self._save_progress()
        return True

    def show_solution(self) -> None:
        """Play the solution.

        If attempts are recorded, the first call only warns that the problem will count as missed, and the next call
        plays the solution. After each try, the warning is given again. Does nothing if the problem is finished, if the
        solution is already being shown, or if the player must first say whether there is a win.
        """
        if self.is_finished or self.must_guess_first or self.is_showing_solution:
            return
        if self.course.problems.stores_attempts and not self.is_solution_cost_known:
            self.is_solution_cost_known = True
            self.update_instruction()
            return
        self.problem_session.is_solution_shown = self.is_showing_solution = True
        self._save_progress()
        self._undo_refuted_turn()
        self.demonstration.schedule_next_move()
        self.update_instruction()

    # After the problem

    def on_main_button(self) -> None:
        if self._can_retry:
            self.clear_refutation()
        elif self.is_finished and self.course.current_name:
            self.app.pages.show_problem(self.course, self.return_to)
        elif self.is_finished:
            self.leave_page()

    def leave_page(self) -> None:
        if self.return_to is not None:
            super().leave_page()
        else:
            self.app.pages.show_problems()

    def explore_failures(self) -> None:
        """Return to the starting position, where the player can try turns to see why they fail.

        Does nothing unless the problem is finished.
        """
        if not self.is_finished:
            return
        before = self.match.plies
        self.actions.finish_animations()
        (
            self.is_showing_solution,
            self.shows_solution_end,
            self.is_refutation_shown,
            self.is_exploring,
            self.judgements,
        ) = False, False, False, True, {}
        self.problem_session.restart()
        self.actions.reload_moves()
        self.actions.on_undone(before)
        self.update_instruction()

    def play_against_computer(self) -> None:
        """Start a match against the computer from the starting position of the problem."""
        problem, game, seat = self.problem_session.problem, self.match.game, self.problem_session.seat
        last = self.app.settings.seats.get(self.entry.id, ())
        other = next((kind for kind in last if kind != PERSON), LEVELS[1].name)
        kinds = [PERSON if each == seat else other for each in range(len(self.match.seats))]
        names = name_players(human_names(self.app.settings.names, len(kinds)), kinds)
        self.app.matches.play(match_at_problem(problem, game, names, kinds), self.entry)

    # Saving and restoring

    def on_show(self) -> None:
        super().on_show()
        self._timing_start = self.app.clock()
        self._judge_position()
        if self.is_showing_solution:
            self.demonstration.schedule_next_move()

    def on_leave(self) -> None:
        super().on_leave()
        self._save_progress()
        self._timing_start = None

    def _add_solving_time(self) -> None:
        now = self.app.clock()
        if self._timing_start is not None and not self.is_finished:
            self.problem_session.seconds += max(0.0, now - self._timing_start)
        self._timing_start = now

    def _save_progress(self) -> None:
        if not self.is_finished and not self.must_guess_first:
            self._add_solving_time()
            self.course.save_progress(self.problem_session.to_json())

    def copy_state_from(self, previous: ProblemPageBase) -> None:
        """Copy the progress and the view from ``previous``, an earlier page for the same problem."""
        for name in COPIED_ATTRIBUTES:
            setattr(self, name, getattr(previous, name))
        self.copy_view_from(previous)

    def reply_choice(self, seat: int) -> Choice | None:
        """Return the next move of the reply, as a choice of the computer player at ``seat``.

        Returns None if no reply is to be played now.
        """
        text = self.next_reply_move()
        return Choice(text, Analysis(seat, 0, 0.5)) if text else None


def _asks_after_solution(problem_name: str) -> bool:
    """Return whether to ask about the position after the solution rather than the one before it.

    This is used for problems that ask whether there is a win. The result depends on a hash of the problem's name, and
    is true for about half of the problems.
    """
    return bool(blake2b(problem_name.encode(), digest_size=1).digest()[0] & 1)
