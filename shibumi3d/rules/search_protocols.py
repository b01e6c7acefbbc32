"""Interfaces between a game and the computer players: a search, and a form of a match made for searching."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class MoveEvaluation:
    """Evaluation of a move, or of the moves of a whole turn, for the seat that makes it.

    ``mean_value`` is the average result of ``visits`` simulations, from 0 (lost) to 1 (won). In an evaluation that
    comes from a proof, it is the lower bound instead. ``lower_bound`` and ``upper_bound`` are proved bounds on the
    value. If they are equal, the value is proved, and the match ends after ``turns_to_end`` turns, counting this one;
    if ``turns_to_end`` is 0, that number is unknown.
    """

    move_texts: tuple[str, ...]
    visits: int
    mean_value: float
    lower_bound: float = 0.0
    upper_bound: float = 1.0
    turns_to_end: int = 0

    @property
    def is_proved(self) -> bool:
        """Whether the exact value is proved."""
        return self.lower_bound == self.upper_bound


class Search(Protocol):
    """A search from one position of a match, using only what one seat may know."""

    @property
    def sampled_state(self) -> Any:
        """A full state that is consistent with the view."""

    @property
    def move_texts(self) -> tuple[str, ...]:
        """The texts of the legal moves that are searched."""

    def restrict_moves(self, moves: Sequence[str]) -> None:
        """Restrict the search to ``moves``, the texts of the moves that are known to be legal.

        This is needed if legality depends on hidden information, because the view alone then does not determine the
        legal moves.
        """

    @property
    def is_simultaneous(self) -> bool:
        """Whether the searching seat and others move at the same time without seeing each other's moves."""

    @property
    def can_prove(self) -> bool:
        """Whether wins and losses can be proved.

        They can be proved only in a single game between two opponents, without chance or secrets.
        """

    @property
    def prefers_sampling(self) -> bool:
        """Whether moves should be chosen by :meth:`sample_move` rather than :meth:`run_simulations`.

        This is the case if so much is hidden that sampling finds better moves.
        """

    def run_simulations(self, simulations: int, should_stop: Callable[[], bool]) -> bool:
        """Run up to ``simulations`` more simulations.

        Return False if ``should_stop`` returned True or if further simulations cannot change the result, and True
        otherwise.
        """

    def set_learned_weight(self, weight_share: float) -> None:
        """Use the evaluation that was learned for the game, if there is one.

        ``weight_share`` scales its weight from 0 (ignore it) to 1 (the weight that was found to work best). This method
        must be called before the first call of :meth:`run_simulations`.
        """

    def ranked_moves(self) -> list[MoveEvaluation]:
        """Return the evaluations of the moves that the search knows, most visited first.

        The list can include moves that have not been visited yet; their mean value is 0.
        """

    def ranked_turns(self, max_count: int = 3) -> list[MoveEvaluation]:
        """Return up to ``max_count`` turns with their evaluations, most visited first.

        A turn may be incomplete: it contains only the moves that the search has reached.
        """

    def prove_by_lookahead(
        self, max_turns: int, max_work: int, should_stop: Callable[[], bool]
    ) -> list[MoveEvaluation]:
        """Look up to ``max_turns`` turns ahead, and return the moves with proved bounds on their values.

        At most ``max_work`` units of work are done. If a forced win is found, only the move that wins fastest is
        returned. The list is empty if wins and losses can't be proved (see :attr:`can_prove`).
        """

    def solve(self, max_work: int, should_stop: Callable[[], bool]) -> tuple[float, float, tuple[str, ...]]:
        """Return proved bounds on the position's value, and moves that secure the lower bound.

        The value is from 0 (the seat loses) to 1 (it wins). If nothing is proved, the bounds are 0 and 1, and there are
        no moves. At most ``max_work`` units of work are done. The search stops early when ``should_stop`` returns True,
        but if there is a stored proof, part of the work is done in any case.
        """

    @property
    def has_stored_proof(self) -> bool:
        """Whether there is a stored proof of who wins the game.

        If there is, more of the search time should be spent on proofs, because the stored proof makes even positions
        that it does not cover easier to prove.
        """

    def prove_turns(
        self,
        max_work: int,
        should_stop: Callable[[], bool],
        *,
        max_turns: int = 0,
        max_own_turns: int = 0,
        stop_after_wins: int = 0,
        stop_at_unproved: bool = False,
    ) -> list[MoveEvaluation]:
        """Return every whole turn that can be played now, with proved bounds on its value.

        Values are from the point of view of the seat to move. Of the turns that lead to the same position, only one is
        listed. Draws are looked for only if no turn is proved to win. ``max_work`` limits the work for each proof, that
        is, for one turn and one result. If ``max_turns`` is given, only results reached within that many turns count;
        the turns of both players are counted, including this one. If ``max_own_turns`` is given, only wins within that
        many of the seat's own turns, including this one, count.

        The search stops early when ``should_stop`` returns True or when ``stop_after_wins`` turns are proved to win (0:
        no limit). If ``stop_at_unproved`` is set, it also stops at the first turn for which a result can be neither
        proved nor disproved. The remaining turns keep the bounds known so far, initially 0 and 1. The list is empty if
        the search can't prove results, or if there are too many turns.
        """

    def turns_to_win(self, max_turns: int, max_work: int, should_stop: Callable[[], bool]) -> int:
        """Return the minimum number of turns in which the search's seat can force a win.

        The turns of both players count, whichever of them is to move. Return 0 if there is no win within ``max_turns``
        turns. Return -1 if this can't be decided because ``max_work`` is used up, ``should_stop`` returned True, or
        wins can't be proved in this game.
        """

    def own_turns_to_win(self, max_turns: int, max_work: int, should_stop: Callable[[], bool]) -> int:
        """Return the minimum number of the seat's own turns in which it can force a win.

        Either seat may be to move. Return 0 if the opponent loses before the seat has a turn, ``max_turns`` + 1 if the
        seat can't force a win within ``max_turns`` of its own turns, and -1 if this is undecided, either for one of the
        reasons given in :meth:`turns_to_win` or because the opponent can take too many turns between the seat's own.
        """

    def is_equivalent(self, other: Any) -> bool:
        """Return whether the view ``other`` is known to be equivalent to the searched one for the rest of the match.

        Views that differ only by a symmetry are equivalent.
        """

    def is_similar(self, other: Any) -> bool:
        """Return whether the view ``other`` matches the searched view, up to an approximate symmetry.

        Only the marbles on the boards and the player to move are compared. Proofs must not rely on the result, because
        such a symmetry fails in rare cases.
        """

    def distance_to(self, other: Any) -> int:
        """Return the number of points at which ``other`` differs from the search's view.

        ``other`` is compared in its most similar orientation. If the difference can't be measured, return a large
        number.
        """

    def is_proved_loss(
        self, move: str, max_turns: int, max_work: int, should_stop: Callable[[], bool]
    ) -> bool:
        """Return whether ``move`` can be proved to lose within ``max_turns`` turns.

        The turns of both players count, including the turn of ``move``. The search for a proof does at most
        ``max_work`` units of work, and ends early if ``should_stop`` returns True.
        """

    def estimate_turns_left(self, max_turns: int) -> int:
        """Estimate how many turns are left.

        The estimate is at most ``max_turns``. If no estimate is possible, return ``max_turns``.
        """

    def count_repetitions(self, move: str) -> int:
        """Return how many times the position after ``move`` has already occurred at the start of a turn.

        Return 0 if repetitions aren't tracked, if the move doesn't end the turn, or if it ends the match.
        """

    def sample_move(self, sample_count: int, should_stop: Callable[[], bool]) -> str:
        """Return the text of the move that does best on average over samples of the hidden information.

        At most ``sample_count`` samples are drawn. If samples can't be drawn or evaluated, the move is random.
        """


class SearchResult(Protocol):
    """The part of a match's result that a search needs."""

    @property
    def winners(self) -> int:
        """The winning seats as a bit mask."""


class FastGame(Protocol):
    """A match in a form made for search, in which moves are numbers and can be taken back.

    It emits no events and stores nothing that is needed only for display. In a series, seats are those of the current
    game.
    """

    @property
    def seat_to_move(self) -> int:
        """The seat to move."""

    def load(self, state: Any, seed: int = 0, reject_chance: bool = False) -> None:
        """Set up a state and forget all earlier moves.

        ``seed`` is the random seed. If ``reject_chance`` is set, UnknownOutcomeError is raised at any event that
        depends on chance.
        """

    def choices(self) -> list[int]:
        """Return the legal moves in a fixed order, or an empty list if the match is over."""

    def make(self, move_code: int) -> None:
        """Play one of the moves from :meth:`choices`."""

    def pseudo_legal_moves(self) -> list[int]:
        """Return pseudo-legal moves: all legal moves, and possibly some that turn out to be illegal."""

    def try_move(self, move_code: int) -> bool:
        """Play one of the moves from :meth:`pseudo_legal_moves`; return whether it could be played.

        Even if this returns True, it may be impossible to complete the turn. The position is unchanged if this returns
        False or raises RuleFailure or UnknownOutcomeError.
        """

    def unmake(self) -> None:
        """Take back the last move."""

    def random_move(self) -> int:
        """Return a random legal move, or -1 if the match is over."""

    def playout(self, max_turns: int = 2_000) -> int:
        """Play random moves to the end of the match; return the winning seats as a bit mask.

        Return -1 if the match was not over after ``max_turns`` turns. The position is restored.
        """

    def playouts(self, count: int, max_turns: int = 2_000) -> list[int]:
        """Play ``count`` random matches from the current position; return how often each seat won.

        A shared win counts for each winner. The last entry is the number of matches that were not over after
        ``max_turns`` turns. The position is restored.
        """

    def position_hash(self) -> int:
        """Return a hash of everything, apart from chance, on which the rest of the match depends.

        Collisions are very rare.
        """

    def exact_key(self) -> Hashable:
        """Return a key made of everything, apart from chance, on which the rest of the match depends.

        Unlike :meth:`position_hash`, it has no collisions.
        """

    def result(self) -> SearchResult | None:
        """Return the result of the match, or None while it is in progress."""

    def scores(self) -> tuple[int, ...]:
        """Return the current or final score of each seat."""
