"""An attempt at a problem: its match, the turns tried, and verdicts on them.

Some verdicts and replies are stored with the problem. For any other turn, the caller has to find the best reply and
prove its value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shibumi3d.match.attempts import FAILED, HINTED, SHOWN, SOLVED
from shibumi3d.match.history import PERSON
from shibumi3d.match.match import Match
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.game import match_state_key

if TYPE_CHECKING:
    from shibumi3d.catalogue.problems import ProvedProblem, Turn
    from shibumi3d.rules.game import Game, State


CORRECT, WRONG, DONE, UNDECIDED, TOO_SLOW = "right", "wrong", "done", "open", "late"
"""Verdicts on a turn of the solver.

``CORRECT``: the turn continues a solution. ``WRONG``: it fails the task. ``DONE``: it accomplishes the task.
``UNDECIDED``: it can't be judged without a proof. ``TOO_SLOW``: it is a first turn that wins, but not within the number
of turns that the task allows.
"""
OPPONENT_TYPE = "sky"
"""Player type of the other seats. The level is arbitrary, since their replies are looked up or proved."""


def match_at_problem(
    problem: ProvedProblem, game: Game, names: Sequence[str], player_types: Sequence[str] = ()
) -> Match:
    """Return a match of ``game`` at the start of a problem.

    ``names`` and ``player_types`` are given by seat. Raises IllegalMove if a move that leads to the problem is not
    legal in ``game``, and ValueError if the position is not valid.
    """
    match = Match(game, names, problem.seed, player_types=player_types, position=problem.position)
    for turn in problem.moves:
        for move in turn:
            match.play(move)
    return match


class ProblemSession:
    """A person's attempt to solve ``problem``, in a match of ``game``.

    ``names`` are the names of the players by seat; by default, they are numbers from 1. ``start`` is the state in which
    the problem begins, if the caller has it already. Raises IllegalMove if the moves of the problem are not legal in
    ``game``, or if the match is already over, and ValueError if the position is not valid.
    """

    def __init__(
        self, problem: ProvedProblem, game: Game, names: Sequence[str] = (), start: State | None = None
    ) -> None:
        self.problem, self.game = problem, game
        start = problem.start_state(game) if start is None else start
        if start.to_move is None:
            raise IllegalMove("the match is over")
        self.seat: int = start.to_move
        seats = start.seats
        kinds = [PERSON if seat == self.seat else OPPONENT_TYPE for seat in range(seats)]
        self.match = match_at_problem(
            problem, game, list(names) or [str(seat + 1) for seat in range(seats)], kinds
        )
        self.start_cursor = self.match.cursor
        self.match.undo_limit = self.start_cursor
        self._line_states = [start]
        """States along the stored line: the start, then the state after each turn."""
        self._own_turns_before = [0]
        """For each state in ``_line_states``, the number of the solver's turns before it."""
        for turn in problem.line:
            self._own_turns_before.append(self._own_turns_before[-1] + (start.to_move == self.seat))
            for move in turn:
                start, _ = game.apply(start, move)
            self._line_states.append(start)
        self.turns_left = problem.n
        """Number of turns within which the solver can still accomplish the task, as far as known."""
        self.expected_turn = problem.solution
        """The solver's next turn in the stored line, or () if there is none."""
        self.wrong_turns: list[Turn] = []
        """Wrong turns that were tried, without duplicates."""
        self.hints = 0
        self.is_solution_shown = False
        self.seconds = 0.0

    @property
    def outcome(self) -> str:
        """Outcome of the attempt (one of :data:`.attempts.OUTCOMES`), assuming that the problem is solved now."""
        if self.is_solution_shown:
            return SHOWN
        return FAILED if self.wrong_turns else HINTED if self.hints else SOLVED

    @property
    def turns_tried(self) -> int:
        """Number of different turns tried, counting the correct one even if it hasn't been found yet."""
        return len(self.wrong_turns) + 1

    @property
    def line_index(self) -> int | None:
        """Number of turns of the stored line that have been played.

        It is None in the middle of a turn, and in any state that doesn't occur in the line.
        """
        current_key = match_state_key(self.match.state)
        return next(
            (
                n
                for n, line_state in enumerate(self._line_states)
                if match_state_key(line_state) == current_key
            ),
            None,
        )

    def moves_of_turn(self) -> Turn:
        """Return all moves made since the solver's turn began, including any reply by the opponents."""
        return tuple(ply.move for ply in self.match.plies[self.match.undo_limit :])

    def own_moves(self) -> Turn:
        """Return the moves made in the solver's current turn, without any reply by the opponents."""
        plies = self.match.plies[self.match.undo_limit :]
        return tuple(ply.move for ply in plies if ply.turn == plies[0].turn)

    def is_turn_incomplete(self) -> bool:
        """Return whether the solver has not yet completed the current turn."""
        state, plies = self.match.state, self.match.plies[self.match.undo_limit :]
        return not plies or (state.to_move is not None and state.turn == plies[0].turn)

    def is_reply_complete(self) -> bool:
        """Return whether the reply to the solver's turn is complete.

        A reply is complete once the solver is to move again or the match is over. If the solver's own turn ended the
        match, there is no reply, and the result is False.
        """
        state, plies = self.match.state, self.match.plies[self.match.undo_limit :]
        over = state.to_move is None
        return bool(plies) and plies[-1].turn > plies[0].turn and (over or state.to_move == self.seat)

    def verdict(self) -> str:
        """Return the verdict on the turn just made, without a new proof.

        It is :data:`CORRECT`, :data:`WRONG` or :data:`DONE`, or :data:`UNDECIDED` if a proof is needed.
        """
        outcome = self.game.outcome(self.match.state)
        hold = self.problem.kind == "hold"
        if outcome is not None:
            good = self.seat in outcome.winners or (hold and not outcome.winners)
            return DONE if good else WRONG
        if self.problem.kind == "once":
            return WRONG
        if self.line_index is not None:
            return DONE if self.line_index == len(self._line_states) - 1 else CORRECT
        if self.match.undo_limit == self.start_cursor and self.own_moves() in self.problem.also:
            return CORRECT if len(self._line_states) > 2 else DONE
        if self.match.undo_limit == self.start_cursor and self.problem.refutation_of(self.own_moves()):
            return WRONG
        return UNDECIDED

    def won_by_reply(self) -> bool:
        """Return whether the reply ended the match and thereby accomplished the task.

        This happens, for example, if every reply loses immediately.
        """
        return self.is_reply_complete() and self.match.state.to_move is None and self.verdict() == DONE

    def verdict_from_proof(self, value: float | None, turn_count: int | None = None) -> str:
        """Return the verdict on the turn just made, according to a proof.

        ``value`` is the proved value of the match for the seat that replies, from 0 to 1, or None if there is no proof.
        ``turn_count`` is the number of further turns that the solver needs to win, or None if that is unknown.

        In problems of kind ``hold``, a turn that is proved to lose is :data:`WRONG`, and any other turn is
        :data:`DONE`. In other problems, a turn that is proved to win is :data:`CORRECT`, or :data:`TOO_SLOW` if it is
        the first turn and the win takes more turns than the task allows. Any other turn is :data:`WRONG`, but a turn
        after the first is :data:`UNDECIDED` if there is no proof. A first turn without a proof counts as wrong: when
        the problem was made, every first turn except the solution and its equivalents was proved to fail the task.
        """
        is_first_turn = self.match.undo_limit == self.start_cursor
        if self.problem.kind == "hold":
            return WRONG if value == 1 else DONE
        if value is None and not is_first_turn:
            return UNDECIDED
        if value != 0:
            return WRONG
        late = is_first_turn and turn_count is not None and 1 + turn_count > self.problem.n
        return TOO_SLOW if late else CORRECT

    def stored_reply(self) -> Turn:
        """Return the stored reply to the turn just made, or an empty turn if there is none.

        In a state on the stored line, the result is the next turn of the line. If an opponent makes that turn, the
        turns after it are included, until the solver is to move or the match is over. If the solver makes it, the
        result is that turn alone. After a wrong first turn, the result is the stored refutation.
        """
        number = self.line_index
        if number is not None and number < len(self.problem.line):
            end = number + 1
            while self._line_states[number].to_move != self.seat and self._line_states[end].to_move not in (
                None,
                self.seat,
            ):
                end += 1
            return tuple(move for turn in self.problem.line[number:end] for move in turn)
        if not self.moves_of_turn():
            return ()
        return (
            self.problem.refutation_of(self.own_moves()) if self.match.undo_limit == self.start_cursor else ()
        )

    def next_move(self) -> str:
        """Return the solver's next move in the stored line, or "" if the turn is complete or isn't in the line."""
        made = self.moves_of_turn()
        return (
            self.expected_turn[len(made)]
            if len(made) < len(self.expected_turn) and self.expected_turn[: len(made)] == made
            else ""
        )

    def begin_next_turn(self, turn_count: int | None = None) -> None:
        """Accept the solver's turn and the reply, and begin the solver's next turn.

        This also updates ``turns_left``. On the stored line, the new value follows from the line, and ``turn_count`` is
        ignored. Off the line, the new value is ``turn_count``, the number of turns that the solver is proved to need
        from here; if ``turn_count`` is None, ``turns_left`` is reduced by one instead. Off the line, ``turns_left`` is
        never set below 1.
        """
        self.match.undo_limit = self.match.cursor
        self.expected_turn = self.stored_reply()
        if self.line_index is not None:
            self.turns_left = self.problem.n - self._own_turns_before[self.line_index]
        else:
            self.turns_left = max(1, self.turns_left - 1 if turn_count is None else turn_count)

    def record_wrong_turn(self, turn: Turn) -> bool:
        """Record a wrong turn, unless it is already recorded; return whether it is new."""
        new = turn not in self.wrong_turns
        if new:
            self.wrong_turns.append(turn)
        return new

    def restart(self) -> None:
        """Go back to the start of the problem, keeping the hints, the wrong turns and the time spent."""
        self.match.undo_limit = self.start_cursor
        self.match.go_to(self.start_cursor)
        self.turns_left, self.expected_turn = self.problem.n, self.problem.solution

    # Saved progress

    def to_json(self) -> dict[str, object]:
        """Return the progress as JSON-compatible data, so that it can be saved.

        Moves made since the solver's current turn began are not included.
        """
        return {
            "moves": [ply.move for ply in self.match.plies[self.start_cursor : self.match.undo_limit]],
            "wrong": [list(turn) for turn in self.wrong_turns],
            "hints": self.hints,
            "shown": self.is_solution_shown,
            "seconds": round(self.seconds, 1),
        }

    def restore(self, progress: Mapping[str, object]) -> None:
        """Restore saved progress, ignoring any invalid parts.

        If the moves are invalid, all of them are dropped and the problem starts again.
        """
        wrong, hints, seconds = progress.get("wrong"), progress.get("hints"), progress.get("seconds")
        if isinstance(wrong, list):
            turns = [tuple(map(str, turn)) for turn in wrong if isinstance(turn, list) and turn]
            self.wrong_turns = list(dict.fromkeys(turns))[:100]
        self.hints = hints if isinstance(hints, int) and 0 <= hints < 1000 else 0
        self.is_solution_shown = progress.get("shown") is True
        self.seconds = float(seconds) if isinstance(seconds, int | float) and 0 <= seconds < 10**7 else 0.0
        moves = progress.get("moves")
        try:
            for move in moves if isinstance(moves, list) else ():
                self.match.play(str(move))
            if self.match.state.to_move != self.seat or self.match.state.step:
                raise IllegalMove("the match is over")
        except IllegalMove:
            self.restart()
        else:
            if self.match.cursor > self.start_cursor:
                own = {ply.turn for ply in self.match.plies[self.start_cursor :] if ply.seat == self.seat}
                self.begin_next_turn()
                self.turns_left = max(1, self.problem.n - len(own))
