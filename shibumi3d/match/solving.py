"""A problem that somebody solves: a match of its own, what of it was tried, and whether a turn was right.

What stands in the row of the problem is known at once; of any other turn somebody has to prove what is answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shibumi3d.match.match import Match
from shibumi3d.match.ply import PERSON
from shibumi3d.match.tries import FAILED, HINTED, SHOWN, SOLVED
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.identity import identity

if TYPE_CHECKING:
    from shibumi3d.catalogue.problems import ProvedProblem, Turn
    from shibumi3d.rules.game import Game

RIGHT, WRONG, DONE, OPEN, LATE = "right", "wrong", "done", "open", "late"
"""Of a turn: it goes on as asked; it does not; all that was asked is done; it has to be proved; it wins, but not in so
few turns as the first one has to."""
OTHER = "sky"
"""The kind of the seats at which nobody solves: what they do is looked up, so it says nothing."""


def match_at(problem: ProvedProblem, game: Game, names: Sequence[str], kinds: Sequence[str] = ()) -> Match:
    """Return a match of ``game`` that stands at a problem. Raises IllegalMove where its moves are not those of
    ``game``, ValueError where its position can't stand."""
    match = Match(game, names, problem.seed, kinds=kinds, position=problem.position)
    for turn in problem.moves:
        for move in turn:
            match.play(move)
    return match


class Solving:
    """``problem`` in a match of ``game``, with ``names`` at its seats. Whoever solves it is a person.

    ``start`` is the state at which the problem stands, where that is known already.
    """

    def __init__(
        self, problem: ProvedProblem, game: Game, names: Sequence[str] = (), start: Any = None
    ) -> None:
        """Raises IllegalMove where the moves of the problem are not those of ``game``."""
        self.problem, self.game = problem, game
        start = problem.begin(game) if start is None else start
        if start.to_move is None:
            raise IllegalMove("the match is over")
        self.seat: int = start.to_move
        seats = start.seats
        kinds = [PERSON if seat == self.seat else OTHER for seat in range(seats)]
        self.match = match_at(problem, game, list(names) or [str(seat + 1) for seat in range(seats)], kinds)
        self.begun = self.match.cursor
        self.match.floor = self.begun
        self._path = [start]
        """States along the stored line: the start, then the state after each turn."""
        self._own = [0]
        """For each state in ``_path``, the number of the solver's turns before it."""
        for turn in problem.line:
            self._own.append(self._own[-1] + (start.to_move == self.seat))
            for move in turn:
                start, _ = game.apply(start, move)
            self._path.append(start)
        self.left = problem.n
        """Number of turns in which the solver should reach the goal, as far as known."""
        self.due = problem.key
        """Turn that the stored line has where the solver is to move, or () off that line."""
        self.wrong: list[Turn] = []
        """Wrong turns that were tried, without duplicates."""
        self.hints = 0
        self.shown = False
        self.seconds = 0.0

    @property
    def came(self) -> str:
        """What has come of it so far, or would, if it were done now."""
        if self.shown:
            return SHOWN
        return FAILED if self.wrong else HINTED if self.hints else SOLVED

    @property
    def tries(self) -> int:
        """How many turns were tried where one was asked for, the right one among them."""
        return len(self.wrong) + 1

    @property
    def at(self) -> int | None:
        """How many turns of the line were played; None where something else was."""
        here = identity(self.match.state)
        return next((n for n, there in enumerate(self._path) if identity(there) == here), None)

    def turn(self) -> Turn:
        """Return the moves made since the match stood where it is asked for a turn."""
        return tuple(ply.move for ply in self.match.plies[self.match.floor :])

    def first_turn(self) -> Turn:
        """Return those of the one who solves."""
        plies = self.match.plies[self.match.floor :]
        return tuple(ply.move for ply in plies if ply.turn == plies[0].turn)

    def within(self) -> bool:
        """Return whether a turn of the one who solves is asked for, or begun and not ended."""
        state, plies = self.match.state, self.match.plies[self.match.floor :]
        return not plies or (state.to_move is not None and state.turn == plies[0].turn)

    def answered(self) -> bool:
        """Return whether the turn was answered, so that whoever solves is to move again, or all is over."""
        state, plies = self.match.state, self.match.plies[self.match.floor :]
        over = state.to_move is None
        return bool(plies) and plies[-1].turn > plies[0].turn and (over or state.to_move == self.seat)

    def verdict(self) -> str:
        """Return what is known of the turn just made: :data:`RIGHT`, :data:`WRONG`, :data:`DONE` or :data:`OPEN`."""
        outcome = self.game.outcome(self.match.state)
        hold = self.problem.kind == "hold"
        if outcome is not None:
            good = self.seat in outcome.winners or (hold and not outcome.winners)
            return DONE if good else WRONG
        if self.problem.kind == "once":
            return WRONG
        if self.at is not None:
            return DONE if self.at == len(self._path) - 1 else RIGHT
        if self.match.floor == self.begun and self.first_turn() in self.problem.also:
            return RIGHT if len(self._path) > 2 else DONE
        if self.match.floor == self.begun and self.problem.answer_to(self.first_turn()):
            return WRONG
        return OPEN

    def lost_by_answer(self) -> bool:
        """Return whether the answer ends it as asked: whoever answers had nothing but to lose by it."""
        return self.answered() and self.match.state.to_move is None and self.verdict() == DONE

    def judged(self, worth: float | None, turns: int | None = None) -> str:
        """Return what the turn was, once it is known what the match is ``worth`` to the one who answers, and how many
        more ``turns`` of the one who solves it takes then; None: that could not be proved."""
        if self.problem.kind == "hold":
            return WRONG if worth == 1 else DONE
        if worth != 0:
            return WRONG
        late = self.match.floor == self.begun and turns is not None and 1 + turns > self.problem.n
        return LATE if late else RIGHT

    def answer(self) -> Turn:
        """Return what the row of the problem answers to the turn just made; empty where it says nothing."""
        number = self.at
        if number is not None and number < len(self.problem.line):
            return self.problem.line[number]
        if not self.turn():
            return ()
        return self.problem.answer_to(self.first_turn()) if self.match.floor == self.begun else ()

    def next_move(self) -> str:
        """Return the move that the row of the problem has whoever solves make now; empty where it says nothing."""
        made = self.turn()
        return self.due[len(made)] if len(made) < len(self.due) and self.due[: len(made)] == made else ""

    def go_on(self, turns: int | None = None) -> None:
        """Go on: the turn was right, and answered. ``turns`` of the one who solves are proved to be left, None where
        nobody knows.
        """
        self.match.floor = self.match.cursor
        self.due = self.answer()
        if self.at is not None:
            self.left = self.problem.n - self._own[self.at]
        else:
            self.left = max(1, self.left - 1 if turns is None else turns)

    def note_wrong(self, turn: Turn) -> bool:
        """Note a turn that was not right; return whether it is a new one."""
        new = turn not in self.wrong
        if new:
            self.wrong.append(turn)
        return new

    def again(self) -> None:
        """Go back to where the problem begins."""
        self.match.floor = self.begun
        self.match.goto(self.begun)
        self.left, self.due = self.problem.n, self.problem.key

    # What is kept of it

    def told(self) -> dict[str, Any]:
        """Return what is to be kept, so that somebody may go on later."""
        return {
            "moves": [ply.move for ply in self.match.plies[self.begun : self.match.floor]],
            "wrong": [list(turn) for turn in self.wrong],
            "hints": self.hints,
            "shown": self.shown,
            "seconds": round(self.seconds, 1),
        }

    def take_up(self, told: Mapping[str, Any]) -> None:
        """Go on from what was kept; what can't be read is left out."""
        wrong, hints, seconds = told.get("wrong"), told.get("hints"), told.get("seconds")
        if isinstance(wrong, list):
            turns = [tuple(map(str, turn)) for turn in wrong if isinstance(turn, list) and turn]
            self.wrong = list(dict.fromkeys(turns))[:100]
        self.hints = hints if isinstance(hints, int) and 0 <= hints < 1000 else 0
        self.shown = told.get("shown") is True
        self.seconds = float(seconds) if isinstance(seconds, int | float) and 0 <= seconds < 10**7 else 0.0
        moves = told.get("moves")
        try:
            for move in moves if isinstance(moves, list) else ():
                self.match.play(str(move))
            if self.match.state.to_move != self.seat or self.match.state.step:
                raise IllegalMove("the match is over")
        except IllegalMove:
            self.again()
        else:
            if self.match.cursor > self.begun:
                own = {ply.turn for ply in self.match.plies[self.begun :] if ply.seat == self.seat}
                self.go_on()
                self.left = max(1, self.problem.n - len(own))
