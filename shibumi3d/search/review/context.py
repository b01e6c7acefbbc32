"""The match under review, with what is known about its turns so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.game import Game
from shibumi3d.search.review.results import ReviewMove, TurnReview, ValueBounds

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


class ReviewContext:
    """A match under review, with its states, its turns and the results so far."""

    def __init__(
        self,
        game: Game,
        initial_state: State,
        history: Sequence[ReviewMove],
        seed: int,
        should_stop: Callable[[], bool],
    ) -> None:
        self.game, self.history, self.seed, self.should_stop = game, history, seed, should_stop
        self.states = [initial_state, *[made.state for made in history]]
        self.facts = game.facts(initial_state.seats)
        self.has_uncertainty = (
            self.facts.has_secrets or self.facts.has_chance or self.facts.has_simultaneous_moves
        )
        self.turns = list(self._split_moments())
        self.proved_values: dict[int, ValueBounds] = {}
        """Proved bounds on the value for the seat to move, by number of moves made."""
        self.losing_turns: dict[int, frozenset[tuple[str, ...]]] = {}
        """Beginnings of turns that are proved to lose, by number of moves made."""
        self.proved_fields: dict[int, dict[str, object]] = {}
        """Proved values for fields of the turn reviews, by index in ``turns``."""

    def _split_moments(self) -> Iterator[TurnReview]:
        """Yield an empty review for each part of the match that is judged on its own.

        The parts are whole turns, or single moves in games with chance, hidden information or simultaneous moves. An
        action that is not a move of the game, such as a draw claim, is always a part of its own.
        """
        first_move = 0
        for n, made in enumerate(self.history):
            after = self.history[n + 1] if n + 1 < len(self.history) else None
            same = after is not None and (after.seat, after.turn) == (made.seat, made.turn)
            if same and not self.has_uncertainty and self.move_text(n) and self.move_text(n + 1):
                continue
            yield TurnReview(first_move, n + 1, made.turn, made.seat)
            first_move = n + 1

    def move_text(self, n: int) -> str:
        """Return the text of move ``n``, without a seat prefix.

        The text is empty for an action that is not a move of the game, such as a draw claim.
        """
        made, before = self.history[n], self.states[n]
        text = made.move.removeprefix(f"{made.seat + 1}:")
        try:
            self.game.parse(before, text, made.seat)
        except (IllegalMove, ValueError):
            return ""
        return text

    def state_after(self, state: State, seat: int, texts: Sequence[str]) -> State:
        """Return the state after the given moves of a turn.

        Raises IllegalMove if one of them is illegal.
        """
        for text in texts:
            state, _ = self.game.apply(state, self.game.parse(state, text, seat))
        return state

    def past_views(self, n: int, seat: int) -> list[State]:
        """Return the seat's view at the start of each turn before move ``n``.

        The list is empty in games in which positions cannot recur.
        """
        if not self.facts.positions_may_repeat:
            return []
        return [self.game.observe(state, seat) for state in self.states[:n] if not state.step]

    def seed_at(self, n: int) -> int:
        """Return the random seed for simulations from the position after ``n`` moves."""
        return Random(f"{self.seed}/{n}").getrandbits(30)

    def record(self, index: int, **fields: Any) -> None:
        """Set fields of the turn at ``index`` in ``turns``; proved results take precedence over estimates."""
        self.turns[index] = replace(self.turns[index], **{**fields, **self.proved_fields.get(index, {})})


def final_value(state: State, seat: int) -> ValueBounds:
    """Return the value of a finished match for a seat.

    A shared win is split equally among the winners, and a draw among all seats. A common loss and a solo game without a
    winner are worth 0.
    """
    assert state.result is not None
    winners = state.result.winners
    if winners:
        value = 1.0 / len(winners) if seat in winners else 0.0
    else:
        value = 0.0 if state.seats == 1 or state.result.is_common_loss else 1.0 / state.seats
    return ValueBounds(value, value, value)


def starts_with_any(turn: Sequence[str], sequences: frozenset[tuple[str, ...]]) -> bool:
    """Return whether a turn begins with one of the given sequences of moves."""
    return any(tuple(turn[: len(sequence)]) == sequence for sequence in sequences)
