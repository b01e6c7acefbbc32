"""Problem solving in the terminal: one line of input per move; wrong turns are refuted and undone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from shibumi3d.app.board.posed import begun
from shibumi3d.app.board.posed_words import lasted, reason
from shibumi3d.app.host.courses import OfGame
from shibumi3d.app.host.problems import Problems
from shibumi3d.app.marbles.turns import turn_spoken
from shibumi3d.app.wording import PROBLEM_CAME_TEXTS, PROBLEM_TASK_TEXTS, THEME_TEXTS
from shibumi3d.cli.text import choice_lines, english_command, result_line, typed
from shibumi3d.i18n import P_, _, language
from shibumi3d.match.solving import DONE, LATE, OPEN, RIGHT, Solving
from shibumi3d.match.tries import HINTED, SOLVED
from shibumi3d.rules.marbles.move import spelled
from shibumi3d.rules.wording import capital
from shibumi3d.search.replies import reply

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

LEAVE = ("quit", "q", "exit")


def play(
    entry: Entry,
    problems: Problems,
    number: int,
    ask: Callable[[str], str],
    say: Callable[[str], None],
    now: Callable[[], float] = time.monotonic,
) -> None:
    """Let the player solve the problems of a game one by one, starting with problem ``number``.

    The number 0 stands for the first unsolved problem. ``ask`` raises EOFError when there is no more input.
    """
    course = OfGame(problems, entry.id, f"{entry.id}#{number}" if number else "")
    while course.at and (problem := problems.find(course.at)) is not None:
        say(_("{game}, problem {number}", game=entry.title, number=problem.id))
        one = _One(begun(entry, problem, course), course, ask, say, now)
        try:
            if not one.solve():
                return
        except EOFError:
            one.keep()
            say("")
            return


class _One:
    """A session with one problem, until it is finished or the player leaves it."""

    def __init__(
        self,
        solving: Solving,
        course: OfGame,
        ask: Callable[[str], str],
        say: Callable[[str], None],
        now: Callable[[], float],
    ) -> None:
        self.task, self.course, self.ask, self.say, self.now = solving, course, ask, say, now
        self.match = solving.match
        self.since = now()

    @property
    def who(self) -> str:
        return self.match.seats[self.task.seat].name

    def keep(self) -> None:
        """Save the progress and the time spent."""
        moment = self.now()
        self.task.seconds += moment - self.since
        self.since = moment
        self.course.leave(self.task.told())

    def solve(self) -> bool:
        """Read input until the problem is finished; return whether to continue with the next one."""
        shown = None
        while True:
            if shown is not self.match.state:
                self._show()
                shown = self.match.state
            line = self.ask(f"{self.who} > ").strip()
            word = english_command(line, COMMAND_PROBLEM_TEXTS) or line
            if word in LEAVE:
                self.keep()
                return False
            if word == "next":
                self.keep()
                self.course.go_on()
                return True
            if word in ("help", "?", ""):
                self.say(
                    _(
                        'Type a move or its number. "hint" suggests a move, "show" plays the solution, "next" '
                        'goes to another problem, "quit" leaves.'
                    )
                )
            elif word in ("undo", "back"):
                self.match.undo_step()
            elif word == "hint":
                self._hint()
            elif word == "show":
                self._answer()
                return self._ended()
            else:
                if told := typed(self.match, line):
                    self.say(told)
                if not self.task.within() and self._judge():
                    return self._ended()

    def _show(self) -> None:
        state = self.match.state
        view = self.match.game.view(state, state.to_move)
        names = self.match.names
        for text in self.match.game.lines(view, language(), names):
            self.say(text)
        kind = self.task.problem.kind
        self.say(_(PROBLEM_TASK_TEXTS[kind], self.task.left, who=self.who))
        for text in choice_lines([spelled(move.text) for move in self.match.moves()]):
            self.say(text)

    def _told(self, begin: int) -> str:
        """Describe the moves made since move number ``begin``."""
        plies = self.match.plies
        runs = groupby(range(begin, len(plies)), lambda at: (plies[at].seat, plies[at].turn))
        told = [turn_spoken(self.match, plies, list(run), lambda ply: ply.events) for _, run in runs]
        return " – ".join(told)

    def _play(self, moves: Sequence[str]) -> str:
        """Play the moves of a turn and return their description."""
        begin = self.match.cursor
        for move in moves:
            self.match.play(move)
        return self._told(begin)

    def _judge(self) -> bool:
        """Reply to the turn just made, or undo it if it was wrong.

        Returns whether the problem is finished.
        """
        task, match = self.task, self.match
        verdict, answer, turns = task.verdict(), task.answer(), None
        over = match.state.to_move is None or verdict == DONE or task.problem.kind == "once"
        if not over and (verdict == OPEN or not answer):
            found = reply(match.game, match.state)
            verdict = task.judged(found.worth, found.turns) if verdict == OPEN else verdict
            answer, turns = found.turn, found.turns
        if verdict == DONE:
            return True
        turn, did = task.first_turn(), capital(self._told(match.floor))
        if verdict == LATE:
            self.say(_("{turn}. That wins too, but takes longer.", turn=did))
            match.goto(match.floor)
            return False
        replied = self._play(answer) if answer else ""
        if verdict == RIGHT:
            self.say(_("Correct! Then {answer}.", answer=replied))
            if task.lost_by_answer():
                return True
            task.go_on(turns)
        else:
            why = reason(task, match.names)
            told = _("{turn}. Then {answer}. {why}", turn=did, answer=replied, why=why)
            self.say(told if replied else _("{turn}. {why}", turn=did, why=why))
            task.note_wrong(turn)
            match.goto(match.floor)
        self.keep()
        return False

    def _hint(self) -> None:
        move = self.task.next_move() or reply(self.match.game, self.match.state).turn[0]
        self.task.hints += 1
        self.say(_("Try {move}. A hint halves the rating gain.", move=spelled(move)))
        self.keep()

    def _answer(self) -> None:
        """Play the rest of the solution."""
        task, match = self.task, self.match
        task.shown = True
        match.goto(match.floor)
        mine = True
        while match.state.to_move is not None and not (mine and task.left <= 0):
            turn = (task.due if mine else task.answer()) or reply(match.game, match.state).turn
            who = match.seats[match.state.to_move].name
            self.say(f"{who}: {self._play(turn)}")
            if task.verdict() == DONE and mine:
                break
            if not mine:
                task.go_on()
            mine = not mine

    def _ended(self) -> bool:
        """Record and print the result; return whether to continue with the next problem."""
        task, course = self.task, self.course
        task.seconds += self.now() - self.since
        if line := result_line(self.match):
            self.say(line)
        self.say(_(PROBLEM_CAME_TEXTS[task.came], task.tries, time=lasted(task.seconds)))
        if task.problem.themes:
            themes = ", ".join(_(THEME_TEXTS[theme]) for theme in task.problem.themes)
            self.say(_("Themes: {themes}.", themes=themes))
        course.problems.add(course.at, task.problem.rating, course.mode, task.came, task.tries, task.seconds)
        if (rating := course.problems.rating()) is not None:
            self.say(_("Rating: {value} ± {give}.", value=rating.value, give=rating.give))
        course.ended(task.came in (SOLVED, HINTED))
        course.forget()
        course.go_on()
        if not course.at:
            return False
        line = self.ask(_("Press Enter for the next problem, or type q to quit > ")).strip()
        return (english_command(line, COMMAND_PROBLEM_TEXTS) or line) not in LEAVE
