"""Interfaces between a game and the computer players: a search, and a form of a match made for searching."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class MoveEvaluation:
    """Evaluation of a move, or of the moves of a whole turn, for the seat that makes it.

    ``mean_value`` is the average result of ``visits`` simulations, from 0 (lost) to 1 (won). In an evaluation that
    comes from a proof, it is the lower bound instead; with neither simulations nor a proof, it is only a placeholder.
    ``lower_bound`` and ``upper_bound`` are proved bounds on the value. If they are equal, the value is proved. In the
    proved line of play, the match then ends after ``turns_to_end`` turns, counting this one; 0 means that this number
    is unknown.
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
        """Whether the searching seat and others are known to move without seeing each other's moves.

        The value is False if the view doesn't show whether they do. In marble games, no view of a match in progress
        shows this.
        """

    @property
    def can_prove(self) -> bool:
        """Whether wins and losses can be proved.

        They can be proved only in a single game between two opponents, without secrets and without chance after the
        setup. If the setup involves chance, it must be over.
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

        The seat for which the search was made must be the one to move. The bounds of a move about which nothing is
        proved are 0 and 1. At most ``max_work`` units of work are done, and the search stops early if ``should_stop``
        returns True. If a forced win is found, only one move is returned: one that wins in the fewest turns. The list
        is empty if wins and losses can't be proved (see :attr:`can_prove`).
        """

    def solve(self, max_work: int, should_stop: Callable[[], bool]) -> tuple[float, float, tuple[str, ...]]:
        """Return proved bounds on the position's value, and moves that secure the lower bound.

        The seat for which the search was made must be the one to move. The value is from 0 (the seat loses) to 1 (it
        wins). If nothing is proved, the bounds are 0 and 1. Each of the moves secures the lower bound by itself, but
        there may be others that do. No moves are returned if the lower bound is 0. At most ``max_work`` units of work
        are done. The search stops early when ``should_stop`` returns True, but if there is a stored proof, part of the
        work is done in any case.
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
        """Return the whole turns that can be played now, with proved bounds on their values.

        The seat for which the search was made must be the one to move; values are from its point of view. If several
        turns lead to the same position, only one of them is listed. Draws are looked for only if no turn is proved to
        win and ``max_own_turns`` isn't given. ``max_work`` limits the work for each proof, that is, for one turn and
        one result. If ``max_turns`` is given, only results reached within that many turns count; the turns of both
        players are counted, including this one. If ``max_own_turns`` is given, ``max_turns`` is ignored, and only wins
        within that many of the seat's own turns, including this one, count.

        The search stops early when ``should_stop`` returns True or when ``stop_after_wins`` turns are proved to win (0:
        no limit). If ``stop_at_unproved`` is set, it also stops at the first turn for which a result can be neither
        proved nor disproved. The remaining turns keep the bounds known so far, initially 0 and 1. The list is empty if
        the search can't prove results, or if there are too many turns. It is also empty if positions may repeat and
        neither ``max_turns`` nor ``max_own_turns`` is given.
        """

    def turns_to_win(self, max_turns: int, max_work: int, should_stop: Callable[[], bool]) -> int:
        """Return the minimum number of turns in which the search's seat can force a win.

        The turns of both players count, whichever of them is to move. Return 0 if there is no win within ``max_turns``
        turns. Return -1 if this can't be decided because ``max_work`` is used up, ``should_stop`` returned True, or
        wins can't be proved in this game.
        """

    def own_turns_to_win(self, max_turns: int, max_work: int, should_stop: Callable[[], bool]) -> int:
        """Return the minimum number of the seat's own turns in which it can force a win.

        Either seat may be to move; if the seat's turn is in progress, it counts as one of the turns. Return 0 if the
        opponent is forced to lose before the seat has a turn. Return ``max_turns`` + 1 if the seat can't force a win
        within ``max_turns`` of its own turns. Return -1 if this is undecided, either for one of the reasons given in
        :meth:`turns_to_win` or because the opponent can take too many turns.
        """

    def is_equivalent(self, other: Any) -> bool:
        """Return whether ``other`` is known to be equivalent to the searched view for the rest of the match.

        Views that differ only by a symmetry of the rules can be equivalent. False means only that no equivalence is
        known.
        """

    def is_similar(self, other: Any) -> bool:
        """Return whether the view ``other`` matches the searched view, up to an approximate symmetry.

        Only the marbles on the boards and the player to move are compared. An approximate symmetry is a rotation or
        reflection that preserves the legal moves and their results except in rare cases, so proofs must not rely on the
        result.
        """

    def distance_to(self, other: Any) -> int:
        """Return the number of points at which the view ``other`` differs from the search's view.

        ``other`` is rotated or mirrored so that it differs as little as possible. If the difference can't be measured,
        return a large number.
        """

    def is_proved_loss(
        self, move: str, max_turns: int, max_work: int, should_stop: Callable[[], bool]
    ) -> bool:
        """Return whether a search of ``max_turns`` turns proves that ``move`` loses.

        The turns of both players count, including the turn of ``move``. Results of earlier, deeper searches may be used
        as well, so the loss itself can take more turns. The search does at most ``max_work`` units of work, and ends
        early if ``should_stop`` returns True. The result is False if there is no proof by then, or if losses can't be
        proved (see :attr:`can_prove`).
        """

    def estimate_turns_left(self, max_turns: int) -> int:
        """Estimate how many turns are left.

        Turns are counted only up to ``max_turns``, except that turns without a choice that follow immediately may be
        counted as well. If no estimate is possible, return ``max_turns``.
        """

    def count_repetitions(self, move: str) -> int:
        """Return how many times the position after ``move`` has already occurred at the start of a turn.

        Return 0 if repetitions aren't tracked, if the move doesn't end the turn, or if it ends the match.
        """

    def sample_move(self, sample_count: int, should_stop: Callable[[], bool]) -> str:
        """Return the text of the move that does best on average over samples of the hidden information.

        At most ``sample_count`` samples are drawn, and fewer if ``should_stop`` returns True. If there are many moves,
        only a random selection of them may be compared. The move is random if samples can't be drawn or evaluated, or
        if sampling doesn't apply, for example because nothing is hidden from the seat.
        """


class SearchResult(Protocol):
    """The part of a match's result that a search needs."""

    @property
    def winners(self) -> int:
        """The winners as a bit mask: of seats or, after a series that was played to its end, of players."""


class FastGame(Protocol):
    """A match in a form made for search, in which moves are numbers and can be taken back.

    It emits no events and stores nothing that is needed only for display. In a series, a seat number means the seat in
    the current game. Once the series has been played to its end, the winners and scores refer to players instead.
    """

    @property
    def seat_to_move(self) -> int:
        """The seat that must make the next choice; it has no meaning if the match is over."""

    def load(self, state: Any, seed: int = 0, reject_chance: bool = False) -> None:
        """Set up a state and forget all earlier moves.

        ``seed`` is the random seed. If ``reject_chance`` is set, a move whose outcome depends on chance raises
        UnknownOutcomeError when it is made.
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

        The mask is 0 if no seat wins. Return -1 if the match isn't over after ``max_turns`` more turns. The position is
        restored. If a rule fails, however, RuleFailure is raised and the position is not restored.
        """

    def playouts(self, count: int, max_turns: int = 2_000) -> list[int]:
        """Play ``count`` random matches from the current position; return how often each seat won.

        A shared win counts for each winner. The result has one number for each seat, followed by the number of matches
        that were not over after ``max_turns`` turns. The position is restored. If a rule fails, however, RuleFailure is
        raised and the position is not restored.
        """

    def position_hash(self) -> int:
        """Return a hash of the position, which serves to recognize positions that occur again.

        Apart from chance, the hash covers nearly everything on which the rest of the current game depends. In a series,
        the totals from earlier games are not included. Collisions are very rare.
        """

    def exact_key(self) -> Hashable:
        """Return a key made of everything, apart from chance, on which the rest of the match depends.

        Unlike :meth:`position_hash`, it has no collisions.
        """

    def result(self) -> SearchResult | None:
        """Return the result of the match, or None while it is in progress."""

    def scores(self) -> tuple[int, ...]:
        """Return the current or final score of each seat.

        Once a series is over, the result contains each player's total instead.
        """
