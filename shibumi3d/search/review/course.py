"""The match under review, with what is known about its turns so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.game import Game
from shibumi3d.rules.search import Considered
from shibumi3d.search.review.moments import Made, Moment, Worth

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


class Course:
    """A match under review, with its states, its turns and the results so far."""

    def __init__(
        self, game: Game, first: Any, history: Sequence[Made], seed: int, stop: Callable[[], bool]
    ) -> None:
        self.game, self.history, self.seed, self.stop = game, history, seed, stop
        self.states = [first, *[made.state for made in history]]
        self.facts = game.facts(first.seats)
        self.hides = self.facts.secrets or self.facts.chance or self.facts.simultaneous
        self.moments = list(self._moments())
        self.sure: dict[int, Worth] = {}
        """Proved values for the seat to move, by number of moves made."""
        self.lost: dict[int, frozenset[tuple[str, ...]]] = {}
        """Beginnings of turns that are proved to lose, by number of moves made."""
        self.proved: dict[int, dict[str, Any]] = {}
        """Proved field values of each turn, by its index in ``moments``."""

    def _moments(self) -> Iterator[Moment]:
        """Yield the units to be judged.

        These are whole turns, or single moves where chance or hidden information may affect the course of a turn.
        """
        begun = 0
        for n, made in enumerate(self.history):
            after = self.history[n + 1] if n + 1 < len(self.history) else None
            same = after is not None and (after.seat, after.turn) == (made.seat, made.turn)
            if same and not self.hides and self.text(n) and self.text(n + 1):
                continue
            yield Moment(begun, n + 1, made.turn, made.seat)
            begun = n + 1

    def text(self, n: int) -> str:
        """Return move ``n`` as its seat made it.

        The text is empty for an action that is not a move of the game, such as a draw claim.
        """
        made, before = self.history[n], self.states[n]
        text = made.move.removeprefix(f"{made.seat + 1}:")
        try:
            self.game.parse(before, text, made.seat)
        except (IllegalMove, ValueError):
            return ""
        return text

    def made(self, state: State, seat: int, texts: Sequence[str]) -> Any:
        """Return the state after the given moves of a turn.

        Raises IllegalMove if one of them is illegal.
        """
        for text in texts:
            state, _ = self.game.apply(state, self.game.parse(state, text, seat))
        return state

    def past(self, n: int, seat: int) -> list[Any]:
        """Return the seat's views at the start of earlier turns, for games in which positions recur."""
        if not self.facts.recurs:
            return []
        return [self.game.view(state, seat) for state in self.states[:n] if not state.step]

    def chance(self, n: int) -> int:
        """Return the random seed for simulations from the position after ``n`` moves."""
        return Random(f"{self.seed}/{n}").getrandbits(30)

    def put(self, place: int, **found: Any) -> None:
        """Record results for a turn; proved results take precedence over estimates."""
        self.moments[place] = replace(self.moments[place], **{**found, **self.proved.get(place, {})})


def ended(state: State, seat: int) -> Worth:
    """Return the value of a finished match for a seat."""
    winners = state.result.winners
    worth = 1.0 / state.seats if not winners else 1.0 / len(winners) if seat in winners else 0.0
    return Worth(worth, worth, worth)


def begins(turn: Sequence[str], ways: frozenset[tuple[str, ...]]) -> bool:
    """Return whether a turn begins with one of the given sequences of moves."""
    return any(tuple(turn[: len(way)]) == way for way in ways)


def order(one: Considered) -> tuple[float, float, float]:
    """Return a sort key for moves: wins, then moves without a proved result, then losses.

    The shortest wins, the most visited moves and the longest losses come first in their groups.
    """
    if one.proved and one.low == 1.0:
        return 0.0, one.turns, -one.visits
    if one.proved and one.high == 0.0:
        return 2.0, -one.turns, -one.visits
    return 1.0, -one.visits, -one.mean
