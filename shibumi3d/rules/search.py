"""The interfaces between a game and the computer players: searches, and a fast form of a match.

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
    bounds on the value; where they are equal, the value is proved, and the match ends after ``turns`` turns, this one
    included (0 if that number is unknown).
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
    """A search from one moment of a match, limited to what one seat may know."""

    @property
    def whole(self) -> Any:
        """A full state that is consistent with the view: hidden information is filled in."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The texts of the moves available now."""

    def offer(self, moves: Sequence[str]) -> None:
        """Tell the search that exactly these moves are legal for the seat.

        Where legality depends on hidden information, the view alone cannot say so.
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
        """Run simulations; return False if ``stop`` returned True or nothing is left to find."""

    def trust(self, part: float) -> None:
        """Use the evaluation that the game has learned, if it has one.

        ``part`` scales its weight: from 0 (ignore it) to 1 (the weight that was measured to work best).
        """

    def choices(self) -> list[Considered]:
        """Return the evaluated moves, most visited first."""

    def turns(self, most: int = 3) -> list[Considered]:
        """Return up to ``most`` evaluated whole turns, most visited first."""

    def forced(self, turns: int, work: int, stop: Callable[[], bool]) -> list[Considered]:
        """Return the moves with the bounds that can be proved by looking ahead ``turns`` turns.

        The proof costs at most ``work``. A forced win, the shortest, is returned alone; the list is empty where nothing
        can be proved.
        """

    def solved(self, work: int, stop: Callable[[], bool]) -> tuple[float, float, tuple[str, ...]]:
        """Return proved bounds on the value of the position, from 0 to 1, and the moves that secure the lower bound.

        The proof costs at most ``work``.
        """

    @property
    def settled(self) -> bool:
        """Whether there is a stored proof of who wins the game.

        Positions that it does not cover are then easier to prove as well, so proofs deserve more of the time.
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
        """Return every whole turn that can be played now, with proved bounds on its value for the seat.

        Turns that lead to the same position are listed once. ``work`` limits the cost for each turn. With ``within``,
        only results decided within that many turns of both players are considered. With ``own``, only wins in at most
        that many turns of the seat, this one included, are considered.

        The method stops when ``enough`` turns are proved to win (0: never). With ``sure``, it also stops at the first
        turn that can be neither proved nor refuted as a win; the remaining turns then keep the bounds 0 and 1. The list
        is empty where nothing can be proved or where there are too many turns.
        """

    def wins_within(self, turns: int, work: int, stop: Callable[[], bool]) -> int:
        """Return the least number of turns in which the seat can force a win, whoever moves next.

        Turns of both players count. Return 0 if there is no such win within ``turns``, -1 if ``work`` did not suffice
        to tell.
        """

    def own_turns(self, most: int, work: int, stop: Callable[[], bool]) -> int:
        """Return the least number of its own turns in which the seat can force a win, whoever moves next.

        Return 0 if the opponent loses before the seat has a turn, ``most`` + 1 if there is no win in at most ``most``
        turns, and -1 if ``work`` did not suffice to tell.
        """

    def same(self, other: Any) -> bool:
        """Return whether another view is equivalent for the rest of the match, up to symmetry."""

    def unlike(self, other: Any) -> int:
        """Return the number of points on which another view differs, under the symmetry that makes them most alike."""

    def loses(self, move: str, turns: int, work: int, stop: Callable[[], bool]) -> bool:
        """Return whether a move is proved to lose within ``turns`` turns, at a cost of at most ``work``."""

    def turns_left(self, most: int) -> int:
        """Estimate how many turns remain; return ``most`` if there are more or if the number cannot be estimated."""

    def comes_back(self, move: str) -> int:
        """Return how many times the position after a move has already occurred in the match."""

    def guess(self, tries: int, stop: Callable[[], bool]) -> str:
        """Return the text of a move, chosen by guessing the hidden information ``tries`` times."""


class End(Protocol):
    """The result of a match, as a search sees it."""

    @property
    def winners(self) -> int:
        """The seats that won, as a bit mask."""


class FastGame(Protocol):
    """A match in a form made for search: moves are numbers, and every move can be taken back.

    It emits no events and stores nothing that only a display needs. In a series, the seats are those of the current
    game.
    """

    @property
    def seat(self) -> int:
        """The seat to move."""

    def load(self, state: Any, seed: int = 0, careful: bool = False) -> None:
        """Set up a state and forget all moves made before.

        ``seed`` is the random seed. With ``careful``, Unforeseen is raised where chance would decide.
        """

    def choices(self) -> list[int]:
        """Return the legal moves in a fixed order; an empty list if the match is over."""

    def make(self, code: int) -> None:
        """Make one of the moves from :meth:`choices`."""

    def candidates(self) -> list[int]:
        """Return pseudo-legal moves: all legal moves, and perhaps some that :meth:`attempt` refuses."""

    def attempt(self, code: int) -> bool:
        """Make one of the moves from :meth:`candidates`; return False and change nothing if it is illegal.

        Raises RuleFailure or Unforeseen; nothing has changed then either.
        """

    def unmake(self) -> None:
        """Take back the last move."""

    def sample(self) -> int:
        """Return a random legal move; -1 if the match is over."""

    def playout(self, limit: int = 2_000) -> int:
        """Play at random to the end, restore the position, and return the winners as a bit mask of seats.

        Return -1 if the match was not over after ``limit`` turns.
        """

    def playouts(self, number: int, limit: int = 2_000) -> list[int]:
        """Play ``number`` random matches from here and return how often each seat won.

        The last entry is the number of matches that were not over after ``limit`` turns.
        """

    def key(self) -> int:
        """Return a hash of the position.

        Positions from which the rest of the match is the same have the same hash; collisions are very rare.
        """

    def exact_key(self) -> Hashable:
        """Return everything on which the rest of the match depends, so that equal keys mean equal positions.

        Unlike :meth:`key`, it has no collisions.
        """

    def result(self) -> End | None:
        """Return the result of the match, or None while it goes on."""

    def scores(self) -> tuple[int, ...]:
        """Return the current score of each seat."""
