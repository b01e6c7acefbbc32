"""Interfaces between a game and the computer players: searches, and a fast form of a match.

Like :mod:`.game`, this module knows nothing about marbles. Seats are counted from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Considered:
    """Evaluation of a move, or of the moves of a whole turn, for the seat that makes it.

    ``mean`` is the average result of ``visits`` simulations, from 0 (lost) to 1 (won). ``low`` and ``high`` are proved
    bounds on the value. If they are equal, the value is proved, and the match ends after ``turns`` turns, counting this
    one; if ``turns`` is 0, that number is unknown.
    """

    moves: tuple[str, ...]
    visits: int
    mean: float
    low: float = 0.0
    high: float = 1.0
    turns: int = 0

    @property
    def proved(self) -> bool:
        """Whether the exact value is proved."""
        return self.low == self.high


class Search(Protocol):
    """A search from one position of a match, using only what one seat may know."""

    @property
    def whole(self) -> Any:
        """A full state that is consistent with the view, with hidden information filled in."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The texts of the legal moves."""

    def offer(self, moves: Sequence[str]) -> None:
        """Restrict the seat's legal moves to ``moves``.

        This is needed if legality depends on hidden information, since the view alone then does not determine the legal
        moves.
        """

    @property
    def simultaneous(self) -> bool:
        """Whether other seats move at the same time without seeing each other's moves."""

    @property
    def exact(self) -> bool:
        """Whether wins and losses can be proved: two seats, perfect information and no chance."""

    @property
    def guesses(self) -> bool:
        """Whether so much is hidden that :meth:`guess` plays better than :meth:`grow`."""

    def grow(self, iterations: int, stop: Callable[[], bool]) -> bool:
        """Run simulations.

        Return False if ``stop`` returned True or if further simulations cannot change the result.
        """

    def trust(self, part: float) -> None:
        """Use the evaluation that the game has learned, if there is one.

        ``part`` scales its weight from 0 (ignore it) to 1 (the weight that was measured to work best).
        """

    def choices(self) -> list[Considered]:
        """Return the legal moves with their evaluations, most visited first."""

    def turns(self, most: int = 3) -> list[Considered]:
        """Return up to ``most`` whole turns with their evaluations, most visited first."""

    def forced(self, turns: int, work: int, stop: Callable[[], bool]) -> list[Considered]:
        """Return the moves with the bounds that can be proved by looking ahead ``turns`` turns.

        The proof costs at most ``work``. If there is a forced win, only the shortest one is returned. The list is empty
        if nothing can be proved.
        """

    def solved(self, work: int, stop: Callable[[], bool]) -> tuple[float, float, tuple[str, ...]]:
        """Return proved bounds on the position's value, and the moves that secure the lower bound.

        The bounds are from 0 to 1. The proof costs at most ``work``.
        """

    @property
    def settled(self) -> bool:
        """Whether there is a stored proof of who wins the game.

        If there is, proofs deserve more of the time, because even positions that the stored proof does not cover are
        easier to prove.
        """

    def worths(
        self,
        work: int,
        stop: Callable[[], bool],
        *,
        within: int = 0,
        own: int = 0,
        enough: int = 0,
        sure: bool = False,
    ) -> list[Considered]:
        """Return every whole turn that can be played now, with proved bounds on its value.

        Values are from the seat's point of view. Turns that lead to the same position are listed once. ``work`` limits
        the cost for each turn. If ``within`` is given, only results decided within that many turns of both players
        count. If ``own`` is given, only wins in at most that many of the seat's own turns, including this one, count.

        The method stops when ``enough`` turns are proved to win (0: never). If ``sure`` is set, it also stops at the
        first turn that can be neither proved nor refuted as a win; the remaining turns then have the bounds 0 and 1.
        The list is empty if nothing can be proved or if there are too many turns.
        """

    def wins_within(self, turns: int, work: int, stop: Callable[[], bool]) -> int:
        """Return the minimum number of turns in which the seat can force a win.

        Either seat may be to move, and the turns of both players count. Return 0 if there is no win within ``turns``
        turns, and -1 if ``work`` is not enough to decide.
        """

    def own_turns(self, most: int, work: int, stop: Callable[[], bool]) -> int:
        """Return the minimum number of its own turns in which the seat can force a win.

        Either seat may be to move. Return 0 if the opponent loses before the seat has a turn, ``most`` + 1 if there is
        no win in at most ``most`` turns, and -1 if ``work`` is not enough to decide.
        """

    def same(self, other: Any) -> bool:
        """Return whether another view is equivalent for the rest of the match, up to symmetry."""

    def unlike(self, other: Any) -> int:
        """Return on how many points another view differs.

        The view is compared in its most similar orientation.
        """

    def loses(self, move: str, turns: int, work: int, stop: Callable[[], bool]) -> bool:
        """Return whether a move is proved to lose within ``turns`` turns.

        The proof costs at most ``work``.
        """

    def turns_left(self, most: int) -> int:
        """Estimate how many turns are left.

        Return at most ``most``; return ``most`` if no estimate is possible.
        """

    def comes_back(self, move: str) -> int:
        """Return how many times the position after a move has already occurred in the match."""

    def guess(self, tries: int, stop: Callable[[], bool]) -> str:
        """Return the text of the move that does best over ``tries`` samples of the hidden information."""


class End(Protocol):
    """The result of a match, as far as a search needs it."""

    @property
    def winners(self) -> int:
        """The winning seats as a bit mask."""


class FastGame(Protocol):
    """A match in a form made for search, in which moves are numbers and can be taken back.

    It emits no events and stores nothing that is needed only for display. In a series, seats are those of the current
    game.
    """

    @property
    def seat(self) -> int:
        """The seat to move."""

    def load(self, state: Any, seed: int = 0, reject_chance: bool = False) -> None:
        """Set up a state and forget all earlier moves.

        ``seed`` is the random seed. If ``reject_chance`` is set, Unforeseen is raised at any event that depends on
        chance.
        """

    def choices(self) -> list[int]:
        """Return the legal moves in a fixed order, or an empty list if the match is over."""

    def make(self, code: int) -> None:
        """Make one of the moves from :meth:`choices`."""

    def candidates(self) -> list[int]:
        """Return pseudo-legal moves: all legal moves, and possibly some that :meth:`attempt` rejects."""

    def attempt(self, code: int) -> bool:
        """Make one of the moves from :meth:`candidates`; return False if it is illegal.

        May raise RuleFailure or Unforeseen. If the move is not made, the position is unchanged.
        """

    def unmake(self) -> None:
        """Take back the last move."""

    def sample(self) -> int:
        """Return a random legal move, or -1 if the match is over."""

    def playout(self, limit: int = 2_000) -> int:
        """Play random moves to the end of the match; return the winning seats as a bit mask.

        Return -1 if the match was not over after ``limit`` turns. The position is restored.
        """

    def playouts(self, count: int, limit: int = 2_000) -> list[int]:
        """Play ``count`` random matches from the current position; return how often each seat won.

        The last entry is the number of matches that were not over after ``limit`` turns.
        """

    def key(self) -> int:
        """Return a hash of the position.

        Positions that are equivalent for the rest of the match have the same hash; collisions are very rare.
        """

    def exact_key(self) -> Hashable:
        """Return everything on which the rest of the match depends.

        Unlike :meth:`key`, it has no collisions: equal keys mean equal positions.
        """

    def result(self) -> End | None:
        """Return the result of the match, or None while it is in progress."""

    def scores(self) -> tuple[int, ...]:
        """Return the current score of each seat."""
