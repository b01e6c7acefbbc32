"""Problem solving in the terminal: one line of input per move; wrong turns are refuted and undone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from shibumi3d.app.host.courses import GameCourse
from shibumi3d.app.host.problems import ProblemLibrary
from shibumi3d.app.match.problem import explain_failure, format_duration, resume_attempt
from shibumi3d.cli.terminal import english_command, format_choices, run_line
from shibumi3d.i18n import P_, _, language
from shibumi3d.match.attempts import HINTED, SOLVED
from shibumi3d.match.problem_session import CORRECT, DONE, TOO_SLOW, UNDECIDED, ProblemSession
from shibumi3d.rules.marbles.move import spell_out_side
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.search.replies import find_reply
from shibumi3d.wording import (
    PROBLEM_OUTCOME_TEXTS,
    PROBLEM_TASK_TEXTS,
    THEME_TEXTS,
    describe_played_turn,
    describe_player_turn,
    describe_result,
)

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry


COMMAND_PROBLEM_TEXTS = {
    "hint": P_("command", "hint"),
    "show": P_("command", "show"),
    "next": P_("command", "next"),
    "back": P_("command", "back"),
    "undo": P_("command", "undo"),
    "help": P_("command", "help"),
    "quit": P_("command", "quit"),
}

QUIT_COMMANDS = ("quit", "q", "exit")


def play_problems(
    entry: Entry,
    problems: ProblemLibrary,
    number: int,
    ask: Callable[[str], str],
    say: Callable[[str], None],
    now: Callable[[], float] = time.monotonic,
) -> None:
    """Let the player solve the problems of a game one by one, starting with problem ``number``.

    The number 0 stands for the problem at which the player left off or, failing that, the easiest unsolved one (the
    easiest of all if every problem has been solved). ``ask`` prints a prompt and returns a line; it raises EOFError at
    the end of the input. ``say`` prints its argument, and ``now`` returns the time in seconds.
    """
    course = GameCourse(problems, entry.id, f"{entry.id}#{number}" if number else "")
    while course.current_name and (problem := problems.find(course.current_name)) is not None:
        say(_("{game}, problem {number}", game=entry.title, number=problem.id))
        one = _ProblemDialog(resume_attempt(entry, problem, course), course, ask, say, now)
        try:
            if not one.run():
                return
        except EOFError:
            one.save_progress()
            say("")
            return


class _ProblemDialog:
    """Dialog in which the player solves one problem."""

    def __init__(
        self,
        session: ProblemSession,
        course: GameCourse,
        ask: Callable[[str], str],
        say: Callable[[str], None],
        now: Callable[[], float],
    ) -> None:
        self.session, self.course, self.ask, self.say, self.now = session, course, ask, say, now
        self.match = session.match
        self.last_saved = now()

    @property
    def solver_name(self) -> str:
        return self.match.seats[self.session.seat].name

    def save_progress(self) -> None:
        moment = self.now()
        self.session.seconds += moment - self.last_saved
        self.last_saved = moment
        self.course.save_progress(self.session.to_json())

    def run(self) -> bool:
        """Read input until the player finishes or leaves the problem; return whether to play the next one."""
        shown = None
        while True:
            if shown is not self.match.state:
                self._print_position()
                shown = self.match.state
            line = self.ask(f"{self.solver_name} > ").strip()
            word = english_command(line, COMMAND_PROBLEM_TEXTS) or line
            if word in QUIT_COMMANDS:
                self.save_progress()
                return False
            if word == "next":
                self.save_progress()
                self.course.advance()
                return True
            if word in ("help", "?", ""):
                self.say(
                    _(
                        "Type a move or its number. 'hint' suggests a move, 'show' plays the solution, 'next' "
                        "goes to the next problem, 'quit' leaves."
                    )
                )
            elif word in ("undo", "back"):
                self.match.undo_step()
            elif word == "hint":
                self._give_hint()
            elif word == "show":
                self._show_solution()
                return self._finish()
            else:
                if message := run_line(self.match, line):
                    self.say(message)
                if not self.session.is_turn_incomplete() and self._answer_turn():
                    return self._finish()

    def _print_position(self) -> None:
        state = self.match.state
        view = self.match.game.observe(state, state.to_move)
        names = self.match.names
        for text in self.match.game.table_lines(view, language(), names):
            self.say(text)
        kind = self.session.problem.kind
        self.say(_(PROBLEM_TASK_TEXTS[kind], self.session.turns_left, who=self.solver_name))
        for text in format_choices([spell_out_side(move.text) for move in self.match.legal_moves()]):
            self.say(text)

    def _describe_moves(self, start: int) -> str:
        """Return a description of the moves made so far, beginning with the one at index ``start``."""
        plies = self.match.plies
        runs = groupby(range(start, len(plies)), lambda at: (plies[at].seat, plies[at].turn))
        descriptions = [
            describe_played_turn(self.match, plies, list(run), lambda ply: ply.events) for _, run in runs
        ]
        return " – ".join(descriptions)

    def _play_turn(self, moves: Sequence[str]) -> str:
        """Play the moves of a turn and return their description."""
        start = self.match.cursor
        for move in moves:
            self.match.play(move)
        return self._describe_moves(start)

    def _answer_turn(self) -> bool:
        """Judge the turn just made, and return whether the problem is now finished.

        After a wrong turn, or a correct one that doesn't finish the problem, any reply is played. The turn and the
        reply are undone unless the turn was correct. A turn that is too slow or can't be judged is undone without a
        reply.
        """
        task, match = self.session, self.match
        verdict, answer, turns = task.verdict(), task.stored_reply(), None
        over = match.state.to_move is None or verdict == DONE or task.problem.kind == "once"
        if not over and (verdict == UNDECIDED or not answer):
            found = find_reply(match.game, match.state)
            verdict = task.verdict_from_proof(found.value, found.turns) if verdict == UNDECIDED else verdict
            answer, turns = found.turn, found.turns
        if verdict == DONE:
            return True
        turn, did = task.own_moves(), capitalize_first(self._describe_moves(match.undo_limit))
        if verdict == TOO_SLOW:
            self.say(_("{turn}. That wins too, but takes longer.", turn=did))
            match.go_to(match.undo_limit)
            return False
        if verdict == UNDECIDED:
            self.say(
                _(
                    "{turn}. The computer can't tell whether that still wins, so it doesn't count as a mistake.",
                    turn=did,
                )
            )
            match.go_to(match.undo_limit)
            return False
        replied = self._play_turn(answer) if answer else ""
        if verdict == CORRECT:
            self.say(_("Correct! The reply – {answer}.", answer=replied))
            if task.won_by_reply():
                return True
            task.begin_next_turn(turns)
        else:
            why = explain_failure(task, match.names)
            message = _("{turn}. The reply – {answer}. {why}", turn=did, answer=replied, why=why)
            self.say(message if replied else _("{turn}. {why}", turn=did, why=why))
            task.record_wrong_turn(turn)
            match.go_to(match.undo_limit)
        self.save_progress()
        return False

    def _give_hint(self) -> None:
        move = self.session.next_move() or find_reply(self.match.game, self.match.state).turn[0]
        self.session.hints += 1
        self.say(
            _(
                "Try {move}. A solution found with a hint counts only half towards your rating.",
                move=spell_out_side(move),
            )
        )
        self.save_progress()

    def _show_solution(self) -> None:
        """Take back the moves of the current turn, then play and print the rest of the solution, with the replies.

        Also record in the session that the solution was shown.
        """
        task, match = self.session, self.match
        task.is_solution_shown = True
        match.go_to(match.undo_limit)
        mine = True
        while match.state.to_move is not None and not (mine and task.turns_left <= 0):
            turn = (task.expected_turn if mine else task.stored_reply()) or find_reply(
                match.game, match.state
            ).turn
            start = match.cursor
            for move in turn:
                match.play(move)
            indexes = range(start, match.cursor)
            self.say(describe_player_turn(match, match.plies, indexes, lambda ply: ply.events))
            if task.verdict() == DONE and mine:
                break
            if not mine:
                task.begin_next_turn()
            mine = not mine

    def _finish(self) -> bool:
        """Record and print the result, and select the next problem.

        Returns whether the user wants to go on to it, or False if there is none.
        """
        task, course = self.session, self.course
        task.seconds += self.now() - self.last_saved
        if line := describe_result(self.match):
            self.say(line)
        self.say(_(PROBLEM_OUTCOME_TEXTS[task.outcome], task.turns_tried, time=format_duration(task.seconds)))
        if task.problem.themes:
            themes = ", ".join(_(THEME_TEXTS[theme]) for theme in task.problem.themes)
            self.say(_("Themes: {themes}.", themes=themes))
        course.problems.add_attempt(
            course.current_name,
            task.problem.rating,
            course.mode,
            task.outcome,
            task.turns_tried,
            task.seconds,
        )
        if (rating := course.problems.rating()) is not None:
            self.say(_("Your rating: {value} ± {give}.", value=rating.value, give=rating.margin))
        course.record_result(task.outcome in (SOLVED, HINTED))
        course.delete_progress()
        course.advance()
        if not course.current_name:
            return False
        line = self.ask(_("Press Enter for the next problem, or type q to quit > ")).strip()
        return (english_command(line, COMMAND_PROBLEM_TEXTS) or line) not in QUIT_COMMANDS
