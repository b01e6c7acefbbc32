"""Solvers for solo and cooperative games, and for two-player games without hidden information.

Solo and cooperative games are searched in their fast form, so the solver works for every game that has one. The outcome
of future random events is not used, unless the caller asks for it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from shibumi3d.i18n import Unusable
from shibumi3d.rules.errors import RuleFailure, Unforeseen
from shibumi3d.rules.game import Game, State
from shibumi3d.rules.search import FastGame
from shibumi3d.search.kinds import search_of

FIRST_TRY = 500
"""Number of moves tried before the search restarts with another move order."""
GROWTH = 1.5
"""Factor by which the permitted number of moves increases with each restart."""
SEED_WORK = 20_000
"""Number of moves tried on one deal before proceeding to the next."""
CHOICE = 1_000
"""Work units that correspond to one tried move in two-player games.

The units are those of :class:`.rules.search.Search`.
"""
MOST_TURNS = 400
"""Maximum number of turns to look ahead in two-player games."""


class _Way(NamedTuple):
    """A move and the position after it; ``won`` is set for a winning move."""

    code: int
    position: Hashable
    won: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known about winning from a state.

    ``won`` is True if ``moves`` (texts, to be applied in order) lead to a win, and False if every line was searched and
    none wins. It is None if neither has been established, because the work limit was reached or, if ``chance`` is set,
    because random events lie ahead. ``tried`` is the number of moves tried.
    """

    won: bool | None
    moves: tuple[str, ...] = ()
    chance: bool = False
    tried: int = 0


@dataclass(frozen=True, slots=True)
class Best:
    """The highest score found, or None if no line to a valid end was found.

    ``proven`` is set if every line was searched, so that no higher score is possible. ``moves`` leads to the score.
    ``chance`` and ``tried`` have the same meaning as in :class:`Verdict`.
    """

    score: int | None
    proven: bool
    moves: tuple[str, ...] = ()
    chance: bool = False
    tried: int = 0


def solve(game: Game, state: State, *, work: int = 200_000, foresee: bool = False) -> Verdict:
    """Return whether all players together can win from ``state``, and how.

    ``work`` is the maximum number of moves tried (about 10,000 a second). A line ends when a marble of unknown colour
    is drawn, unless the order of the deal is known. If ``foresee`` is set, the draw is determined by the seed of the
    state; this proves that a deal can be won, but must not be shown to the players. In games played for a score, every
    finished game is a win; use :func:`greatest` for these.

    Raises ValueError for games in which players compete, and if ``foresee`` is set but the seed of the state is
    unknown.
    """
    if not game.facts(state.seats).solver:
        raise Unusable("{game} is played against others, so no win is certain", game=game.title)
    if state.result is not None:
        return Verdict(len(state.result.winners) == state.seats)
    search = _Search(game, state, work, foresee)
    found = search.run()
    if found:
        return Verdict(True, _texts(game, state, found), tried=search.tried)
    return Verdict(None if search.unknown else False, chance=search.chance, tried=search.tried)


def decided(game: Game, state: State, *, work: int = 200_000) -> tuple[float | None, tuple[str, ...]]:
    """Return the value of a state for the seat to move, and the winning moves.

    The game must be a two-player game without hidden information or chance. The value is the result with best play: 1
    for a win, 0 for a loss and 0.5 for a draw. It is None if it is still unknown after ``work`` moves. Raises
    ValueError for other games and for a match that is over.
    """
    seat = state.to_move
    if seat is None:
        raise Unusable("the match is over")
    search = search_of(game, game.view(state, seat), seat)
    if not search.exact:
        raise Unusable(
            "{game} can't be solved: only solo games, cooperative games and two-player games with "
            "nothing hidden can be",
            game=game.title,
        )
    proving = work * CHOICE // 2
    low, high, winning = search.solved(proving, lambda: False)
    if low < high:
        # Where positions recur, or proof-number search gives no answer, look ahead turn by turn.
        choices = search.forced(MOST_TURNS, work * CHOICE - proving, lambda: False)
        low, high = max(one.low for one in choices), max(one.high for one in choices)
        winning = tuple([one.moves[0] for one in choices if one.low == 1.0])
    worth = low if low == high else None
    return worth, winning if worth == 1 else ()


def find_seed(
    game: Game, seed: int, *, seats: int = 1, tries: int = 200, work: int = SEED_WORK
) -> int | None:
    """Return the first seed whose deal can be won, or None.

    The search covers ``tries`` seeds, beginning with ``seed``.

    ``work`` is the maximum number of moves tried for each seed.
    """
    for candidate in range(seed, seed + tries):
        if solve(game, game.start(seats, candidate), work=work, foresee=True).won:
            return candidate
    return None


def greatest(game: Game, state: State, *, work: int = 200_000, foresee: bool = False) -> Best:
    """Return the highest score found in a solo game, trying at most ``work`` moves.

    Raises ValueError for games with several players.
    """
    if state.seats != 1:
        raise Unusable(
            "{game} is played by several players, so there is no best score to find", game=game.title
        )
    if state.result is not None:
        return Best(state.result.scores[0] if state.result.winners else None, True)
    search = _Search(game, state, work // 2, foresee, for_score=True)
    search.run()
    if search.unknown:
        search.limit = work
        search.climb()
    moves = _texts(game, state, search.best_way)
    return Best(search.best_score, not search.unknown, moves, search.chance, search.tried)


def _score(fast: FastGame) -> int | None:
    """Return the score of a finished solo game, or None if it was lost."""
    result = fast.result()
    assert result is not None
    return fast.scores()[0] if result.winners else None


def _texts(game: Game, state: State, codes: list[int]) -> tuple[str, ...]:
    """Return moves as texts.

    The moves are also played, so that an illegal one raises an error here.
    """
    found = []
    for code in codes:
        found.append(game.move_of(state, code).text)
        state, _ = game.apply(state, found[-1])
    return tuple(found)


class _Search:
    """Depth-first search that visits no position twice, with randomized restarts if it takes long.

    Fully searched positions without a win stay closed across restarts. This is sound even if a game can return to an
    earlier position: any win that is reached after the return can also be reached from the first occurrence, and the
    positions on the current line are reopened when a try is abandoned.
    """

    def __init__(self, game: Game, state: State, limit: int, foresee: bool, for_score: bool = False) -> None:
        if foresee and state.seed is None:
            raise Unusable("the seed of this position is unknown, so chance can't be predicted")
        fast = game.fast(state.seats)
        if fast is None:
            raise Unusable("{game} can't be searched", game=game.title)
        self.fast = fast
        self.fast.load(state, state.seed or 0, careful=not foresee)
        self.everyone = (1 << state.seats) - 1
        self.limit = limit
        self.for_score = for_score
        self.tried = 0
        self.closed: set[Hashable] = set()
        self.chance = False
        self.unknown = False
        """Whether any line was not searched to the end."""
        self.best_score: int | None = None
        self.best_way: list[int] = []

    def run(self) -> list[int]:
        """Return the moves of a win, or [] if none was found.

        If none was found and ``unknown`` is not set, there is no win.
        """
        allowed = float(self.limit if self.for_score else FIRST_TRY)
        number = 0
        while self.tried < self.limit:
            chance = Random(number) if number else None
            found = self.depth_first(chance, min(self.tried + int(allowed), self.limit))
            if found is not None:
                return found
            allowed *= GROWTH
            number += 1
        self.unknown = True
        return []

    def depth_first(self, chance: Random | None, until: int) -> list[int] | None:
        """Search once, trying moves in the order of the rules or in a random one.

        Return the moves of a win, [] if there is no win, or None if the search was abandoned at ``until`` moves.
        """
        way: list[int] = []
        entered: list[Hashable] = []
        open_ways: list[Iterator[_Way]] = []
        position: Hashable = self.fast.exact_key()
        while True:
            self.closed.add(position)
            entered.append(position)
            ways = self.follow(way)
            if ways and ways[0].won:
                self.take_back(len(way))
                return [*way, ways[0].code]
            if chance is not None:
                chance.shuffle(ways)
            open_ways.append(iter(ways))
            following = None
            while following is None:
                following = next((w for w in open_ways[-1] if w.position not in self.closed), None)
                if following is None:
                    open_ways.pop()
                    entered.pop()
                    if not open_ways:
                        return []
                    way.pop()
                    self.fast.unmake()
            if self.tried >= until:
                self.closed.difference_update(entered)
                self.take_back(len(way))
                return None
            way.append(following.code)
            position = following.position
            self.fast.attempt(following.code)

    def take_back(self, number: int) -> None:
        """Take back ``number`` moves."""
        for _ in range(number):
            self.fast.unmake()

    def follow(self, way: list[int]) -> list[_Way]:
        """Return the moves after ``way`` that lead to unsearched positions, or a single winning move."""
        found: list[_Way] = []
        for code in self.candidates():
            if self.tried >= self.limit:
                # The remaining moves were not tried, so this position is not fully searched.
                self.unknown = True
                break
            if not self.attempted(code):
                continue
            result = self.fast.result()
            if result is None:
                position = self.fast.exact_key()
                if position not in self.closed:
                    found.append(_Way(code, position))
            elif self.for_score:
                self.note([*way, code])
            elif result.winners == self.everyone:
                self.fast.unmake()
                return [_Way(code, (), won=True)]
            self.fast.unmake()
        return found

    def candidates(self) -> list[int]:
        """Return the moves to try now."""
        try:
            return self.fast.candidates()
        except RuleFailure:
            self.unknown = True
            return []

    def attempted(self, code: int) -> bool:
        """Make a move; return False if it is illegal or its outcome can't be known."""
        self.tried += 1
        try:
            return self.fast.attempt(code)
        except Unforeseen:
            self.unknown = self.chance = True
        except RuleFailure:
            self.unknown = True
        return False

    # ------------------------------------------------------------ greatest score

    def note(self, way: list[int]) -> int | None:
        """Record the current line if its final score is the highest so far; return the score."""
        score = _score(self.fast)
        if score is not None and (self.best_score is None or score > self.best_score):
            self.best_score, self.best_way = score, way
        return score

    def climb(self) -> None:
        """Use the remaining work for nested Monte Carlo search at level 1 (Cazenave 2009).

        At each step, play one random continuation after every move, and make the next move of the best continuation
        found so far.
        """
        number = 0
        while self.tried < self.limit:
            chance = Random(number)
            number += 1
            way: list[int] = []
            score: int | None = None
            ahead: list[int] = []
            while self.fast.result() is None:
                for code in self.candidates():
                    if self.tried >= self.limit:
                        break
                    if not self.attempted(code):
                        continue
                    reached, ending = self.at_random([*way, code], chance)
                    self.take_back(len(ending) - len(way))
                    if reached is not None and (score is None or reached > score):
                        score, ahead = reached, ending
                if score is None or self.tried >= self.limit:
                    break
                self.attempted(ahead[len(way)])  # legal, since it was played before
                way.append(ahead[len(way)])
            self.take_back(len(way))
            if score is None and self.chance:
                return
            self.tried = min(
                self.tried + 1, self.limit
            )  # ensures termination if the start has no legal moves

    def at_random(self, way: list[int], chance: Random) -> tuple[int | None, list[int]]:
        """Continue at random after ``way``; return the final score and all moves.

        The score is None if the game was lost or not finished.
        """
        seen: set[Hashable] = set()
        while self.fast.result() is None:
            codes = self.candidates()
            chance.shuffle(codes)
            for code in codes:
                if self.tried >= self.limit:
                    return None, way
                if self.attempted(code):
                    position = self.fast.exact_key()
                    if position not in seen:
                        break
                    self.fast.unmake()
            else:
                return None, way
            way.append(code)
            seen.add(position)
        return self.note(way), way
