"""An attempt at a problem: its match, the turns tried, and verdicts on them.

Some verdicts and replies are stored with the problem. For any other turn, the caller has to find the best reply and
prove its value.
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
"""Verdicts on a turn of the solver.

The turn continues the solution, fails, or achieves the task; or it can't be judged without a proof. ``LATE`` is a first
turn that wins, but takes more turns than the task allows.
"""
OTHER = "sky"
"""Player type of the other seats. The level is arbitrary, since their replies are looked up or proved."""


def match_at(problem: ProvedProblem, game: Game, names: Sequence[str], kinds: Sequence[str] = ()) -> Match:
    """Return a match of ``game`` at the start of a problem.

    ``names`` are the names of the players, and ``kinds`` their player types. Raises IllegalMove if a move that leads to
    the problem is not legal in ``game``, and ValueError if the position is not valid.
    """
    match = Match(game, names, problem.seed, kinds=kinds, position=problem.position)
    for turn in problem.moves:
        for move in turn:
            match.play(move)
    return match


class Solving:
    """A person's attempt to solve ``problem``, in a match of ``game``.

    ``names`` are the names of the players by seat. ``start`` is the state in which the problem begins, if the caller
    has it already. Raises IllegalMove if the moves of the problem are not legal in ``game``.
    """

    def __init__(
        self, problem: ProvedProblem, game: Game, names: Sequence[str] = (), start: Any = None
    ) -> None:
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
        """Number of turns in which the solver can still achieve the task, as far as known."""
        self.due = problem.key
        """The solver's next turn in the stored line, or () off that line."""
        self.wrong: list[Turn] = []
        """Wrong turns that were tried, without duplicates."""
        self.hints = 0
        self.shown = False
        self.seconds = 0.0

    @property
    def came(self) -> str:
        """Outcome of the attempt if it ended now, as one of :data:`.tries.CAME`."""
        if self.shown:
            return SHOWN
        return FAILED if self.wrong else HINTED if self.hints else SOLVED

    @property
    def tries(self) -> int:
        """Number of turns tried, including the correct one."""
        return len(self.wrong) + 1

    @property
    def at(self) -> int | None:
        """Number of turns of the stored line that have been played, or None after leaving the line."""
        here = identity(self.match.state)
        return next((n for n, there in enumerate(self._path) if identity(there) == here), None)

    def turn(self) -> Turn:
        """Return all moves since the solver's turn began, including any reply."""
        return tuple(ply.move for ply in self.match.plies[self.match.floor :])

    def first_turn(self) -> Turn:
        """Return the moves of :meth:`turn` that the solver made, without the reply."""
        plies = self.match.plies[self.match.floor :]
        return tuple(ply.move for ply in plies if ply.turn == plies[0].turn)

    def within(self) -> bool:
        """Return whether the solver has not yet completed the current turn."""
        state, plies = self.match.state, self.match.plies[self.match.floor :]
        return not plies or (state.to_move is not None and state.turn == plies[0].turn)

    def answered(self) -> bool:
        """Return whether the reply is complete, so that the solver is to move or the match is over."""
        state, plies = self.match.state, self.match.plies[self.match.floor :]
        over = state.to_move is None
        return bool(plies) and plies[-1].turn > plies[0].turn and (over or state.to_move == self.seat)

    def verdict(self) -> str:
        """Return the verdict on the turn just made, without a new proof.

        It is :data:`RIGHT`, :data:`WRONG` or :data:`DONE`, or :data:`OPEN` if a proof is needed.
        """
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
        """Return whether the reply ended the match, with the task achieved.

        This happens if every reply loses at once.
        """
        return self.answered() and self.match.state.to_move is None and self.verdict() == DONE

    def judged(self, worth: float | None, turns: int | None = None) -> str:
        """Return the verdict on the turn just made, according to a proof.

        ``worth`` is the proved value of the match for the seat that replies, from 0 to 1, or None if there is no proof.
        ``turns`` is the number of further turns that the solver needs to win, or None if that is unknown. A turn
        without a proof counts as wrong, except in problems of kind ``hold``.
        """
        if self.problem.kind == "hold":
            return WRONG if worth == 1 else DONE
        if worth != 0:
            return WRONG
        late = self.match.floor == self.begun and turns is not None and 1 + turns > self.problem.n
        return LATE if late else RIGHT

    def answer(self) -> Turn:
        """Return the stored reply to the turn just made, or an empty turn if there is none.

        It is the next turn of the stored line, or the refutation of a wrong first turn.
        """
        number = self.at
        if number is not None and number < len(self.problem.line):
            return self.problem.line[number]
        if not self.turn():
            return ()
        return self.problem.answer_to(self.first_turn()) if self.match.floor == self.begun else ()

    def next_move(self) -> str:
        """Return the solver's next move in the stored line, or "" after leaving the line."""
        made = self.turn()
        return self.due[len(made)] if len(made) < len(self.due) and self.due[: len(made)] == made else ""

    def go_on(self, turns: int | None = None) -> None:
        """Accept the solver's turn and the reply, and begin the solver's next turn.

        ``turns`` is the number of turns that the solver needs from here, if proved.
        """
        self.match.floor = self.match.cursor
        self.due = self.answer()
        if self.at is not None:
            self.left = self.problem.n - self._own[self.at]
        else:
            self.left = max(1, self.left - 1 if turns is None else turns)

    def note_wrong(self, turn: Turn) -> bool:
        """Record a wrong turn, and return whether it is tried for the first time."""
        new = turn not in self.wrong
        if new:
            self.wrong.append(turn)
        return new

    def again(self) -> None:
        """Return to the start of the problem."""
        self.match.floor = self.begun
        self.match.goto(self.begun)
        self.left, self.due = self.problem.n, self.problem.key

    # Saved progress

    def told(self) -> dict[str, Any]:
        """Return the progress as JSON-compatible data, so that it can be saved."""
        return {
            "moves": [ply.move for ply in self.match.plies[self.begun : self.match.floor]],
            "wrong": [list(turn) for turn in self.wrong],
            "hints": self.hints,
            "shown": self.shown,
            "seconds": round(self.seconds, 1),
        }

    def take_up(self, told: Mapping[str, Any]) -> None:
        """Restore saved progress, ignoring any invalid parts."""
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
