"""What a search asks of a game, and what it finds: the half of the contract that only computers need.

As in :mod:`.game`, nothing here knows marbles. Seats are counted from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Considered:
    """A choice, or the choices of a whole turn, as a search judges it for the seat that chooses.

    ``mean`` is what came of it in ``visits`` tries, from 0 (lost) to 1 (won). Between ``low`` and ``high`` lies what
    it is worth for sure; where they are equal that is proved, and the end comes after ``turns`` turns, this included.
    """

    moves: tuple[str, ...]
    visits: int
    mean: float
    low: float = 0.0
    high: float = 1.0
    turns: int = 0

    @property
    def proved(self) -> bool:
        """Whether it is known for sure what it is worth."""
        return self.low == self.high


class Search(Protocol):
    """A search from one moment, as one seat may know it."""

    @property
    def whole(self) -> Any:
        """A whole state that looks like the view."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The choices open now, as texts."""

    def offer(self, moves: Sequence[str]) -> None:
        """Take it as known that these texts are open to the seat: where secrets decide that, the view does not tell."""

    @property
    def simultaneous(self) -> bool:
        """Whether others choose at the same time, none knowing of the others."""

    @property
    def exact(self) -> bool:
        """Whether wins and losses can be proved: two seats that see all, and no chance."""

    @property
    def guesses(self) -> bool:
        """Whether so much is hidden that :meth:`guess` finds more than :meth:`grow`."""

    def grow(self, iterations: int, stop: Callable[[], bool]) -> bool:
        """Look at that many ways to go on; return False when ``stop`` said so, or nothing is left to be found."""

    def trust(self, part: float) -> None:
        """Judge by what the game has learned, where it has: ``part`` of as much as is best, from 0 to 1."""

    def choices(self) -> list[Considered]:
        """Return what was found of the choices open now, the one looked at most first."""

    def turns(self, most: int = 3) -> list[Considered]:
        """Return what was found of whole turns, the one looked at most first."""

    def forced(self, turns: int, work: int, stop: Callable[[], bool]) -> list[Considered]:
        """Return what is proved of the choices within so many turns, at a cost of ``work``; a win comes alone."""

    def solved(self, work: int, stop: Callable[[], bool]) -> tuple[float, float, tuple[str, ...]]:
        """Return between what the moment is worth for sure, from 0 to 1, and the choices known to keep the most of
        it.

        That is what is proved at a cost of ``work``.
        """

    @property
    def settled(self) -> bool:
        """Whether a proof is kept of who wins the game, so that proofs are worth more time off its way too."""

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
        """Return every whole turn that can be played now, with what it is worth to the seat for sure.

        Of turns that lead to one position there is one. ``work`` may be spent on each. ``within``: only what is
        decided in so many turns of both is looked for. ``own``: only what wins in at most so many turns of the seat,
        this one included, is looked for. It ends when ``enough`` turns are known to win (0: never) or, if it
        must be ``sure``, when it can't be told of one whether it does; of the others nothing is told then.
        Returns nothing where nothing can be proved, or where there are too many turns.
        """

    def wins_within(self, turns: int, work: int, stop: Callable[[], bool]) -> int:
        """Return in how few turns the seat can force a win, whoever is to move; 0 where none is found in ``turns``,
        -1 where the ``work`` did not suffice to tell. Turns of both count.
        """

    def own_turns(self, most: int, work: int, stop: Callable[[], bool]) -> int:
        """Return in how few turns of its own the seat can force a win, whoever is to move.

        It is 0 where the other one loses before the seat has a turn, ``most`` + 1 where more than ``most`` are
        needed, or where there is no such win, and -1 where the ``work`` did not suffice to tell.
        """

    def same(self, other: Any) -> bool:
        """Return whether another view differs from this one in nothing that matters to the rest of the match: turned,
        it may be the same."""

    def unlike(self, other: Any) -> int:
        """Return on how many points something else lies than in another view, turned so that it is most alike."""

    def loses(self, move: str, turns: int, work: int, stop: Callable[[], bool]) -> bool:
        """Return whether a choice is proved to lose within so many turns, at a cost of ``work``."""

    def turns_left(self, most: int) -> int:
        """Return about how many turns are still to come; ``most`` where there are more, or where nobody can know."""

    def comes_back(self, move: str) -> int:
        """Return how often what a choice leads to has stood before in the match."""

    def guess(self, tries: int, stop: Callable[[], bool]) -> str:
        """Return the text of a choice, made by so many guesses of what is hidden."""


class End(Protocol):
    """How a match ended, as a search sees it."""

    @property
    def winners(self) -> int:
        """The seats that won, as a set."""


class FastGame(Protocol):
    """One match in motion, for search: choices are numbers, and everything that is made can be taken back.

    It tells no events and keeps nothing that only people want to see. Seats are those of the running game of a
    series.
    """

    @property
    def seat(self) -> int:
        """Who chooses next."""

    def load(self, state: Any, seed: int = 0, careful: bool = False) -> None:
        """Set the game to a state; nothing made before can be taken back any more.

        ``seed`` is that of chance; ``careful``: where chance would decide, Unforeseen is raised instead.
        """

    def choices(self) -> list[int]:
        """Return the choices open now, in a fixed order; none when the match is over."""

    def make(self, code: int) -> None:
        """Carry out one of the :meth:`choices`."""

    def candidates(self) -> list[int]:
        """Return choices among which are all that are open now; some may be refused by :meth:`attempt`."""

    def attempt(self, code: int) -> bool:
        """Carry out one of the :meth:`candidates`; return False, with nothing done, where that is not possible.

        Raises RuleFailure or Unforeseen, with nothing done either.
        """

    def unmake(self) -> None:
        """Take back the choice made last."""

    def sample(self) -> int:
        """Return one of the choices at random; -1 when the match is over."""

    def playout(self, limit: int = 2_000) -> int:
        """Play at random to the end and go back to where it began; return the winners as a set of seats.

        It is -1 when the match was not over after ``limit`` turns.
        """

    def playouts(self, number: int, limit: int = 2_000) -> list[int]:
        """Play that many matches at random from here; return how often each seat won, and how many were not over."""

    def key(self) -> int:
        """Return a number for the position: equal where the rest of the match is equal, and hardly ever elsewhere."""

    def exact_key(self) -> Hashable:
        """Return all that the rest of the match depends on: equal exactly where :meth:`key` ought to be."""

    def result(self) -> End | None:
        """Return how the match ended, or None while it goes on."""

    def scores(self) -> tuple[int, ...]:
        """Return the score of every seat now."""
