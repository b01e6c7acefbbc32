"""Solvers for solo and cooperative games, and for two-player games without chance or hidden information.

Solo and cooperative games are searched in their fast form, so the solver works for every game that has one. The outcome
of future random events is not used, unless the caller asks for it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from shibumi3d.i18n import InvalidValueError
from shibumi3d.rules.errors import RuleFailure, UnknownOutcomeError
from shibumi3d.rules.game import Game, State
from shibumi3d.rules.search_protocols import FastGame
from shibumi3d.search.heuristics import make_search

FIRST_TRY_MOVES = 500
"""Number of moves tried before the search restarts with another move order."""
RESTART_GROWTH = 1.5
"""Factor by which the permitted number of moves increases with each restart."""
MAX_MOVES_PER_DEAL = 20_000
"""Number of moves tried on one deal before proceeding to the next."""
WORK_PER_MOVE = 1_000
"""Work units that correspond to one tried move in two-player games.

The units are those of :class:`.search_protocols.Search`.
"""
MAX_TURNS = 400
"""Maximum number of turns to look ahead in two-player games."""


class _Successor(NamedTuple):
    """A move and the key of the position after it.

    For a winning move, ``is_win`` is set and ``position`` is an empty tuple.
    """

    code: int
    position: Hashable
    is_win: bool = False


@dataclass(frozen=True, slots=True)
class SolveResult:
    """What is known about winning from a state.

    ``is_winnable`` is True if the moves in ``moves`` lead to a win, and False if every line was searched and none wins.
    It is None if neither has been established; ``needs_chance`` is then set if random events prevented some lines from
    being searched to the end. ``moves_tried`` is the number of moves tried.
    """

    is_winnable: bool | None
    moves: tuple[str, ...] = ()
    needs_chance: bool = False
    moves_tried: int = 0


@dataclass(frozen=True, slots=True)
class BestScore:
    """The highest score found.

    ``score`` is None if no line was found that ends the game without losing it. ``moves`` is the line that leads to the
    score. ``is_proved`` is set if every line was searched, so that no higher score is possible. ``needs_chance`` and
    ``moves_tried`` have the same meaning as in :class:`SolveResult`.
    """

    score: int | None
    is_proved: bool
    moves: tuple[str, ...] = ()
    needs_chance: bool = False
    moves_tried: int = 0


def solve(
    game: Game,
    state: State,
    *,
    max_moves: int = 200_000,
    known_chance: bool = False,
    target_score: int | None = None,
) -> SolveResult:
    """Return whether all players together can win from ``state``, and how.

    ``max_moves`` is the maximum number of moves tried (about 10,000 a second in plain Python). A line is searched only
    until a marble of unknown colour is drawn. If ``known_chance`` is set, however, the seed of the state determines the
    draw, and the search goes on. A win found in this way proves that the deal can be won, but it must not be shown to
    the players.

    In games played for a score, every end that isn't a loss counts as a win. If ``target_score`` is given, the score of
    a win must be at least that high. Use :func:`find_best_score` to find the highest score.

    Raises ValueError for games in which players compete, and if ``known_chance`` is set but the seed of the state is
    unknown.
    """
    if not game.facts(state.seats).solver:
        raise InvalidValueError(
            "{game} has opponents; only solo and cooperative games can be solved in this way", game=game.title
        )
    if state.result is not None:
        won = len(state.result.winners) == state.seats
        return SolveResult(won and (target_score is None or state.result.scores[0] >= target_score))
    search = _SolverSearch(game, state, max_moves, known_chance, target_score=target_score)
    moves = search.run()
    if moves:
        return SolveResult(True, _to_texts(game, state, moves), moves_tried=search.moves_tried)
    return SolveResult(
        None if search.is_incomplete else False,
        needs_chance=search.met_chance,
        moves_tried=search.moves_tried,
    )


def solve_two_player(
    game: Game, state: State, *, max_moves: int = 200_000
) -> tuple[float | None, tuple[str, ...]]:
    """Return the value of a state for the seat to move, and at least one move that wins, if any.

    The game must be a single game between two opponents, without hidden information or chance. The value is the result
    with best play: 1 for a win, 0 for a loss and 0.5 for a draw. It is None if it is still unknown after trying about
    ``max_moves`` moves. No moves are returned unless the value is 1. Raises ValueError for other games and for a match
    that is over.
    """
    seat = state.to_move
    if seat is None:
        raise InvalidValueError("the match is over")
    search = make_search(game, game.observe(state, seat), seat)
    if not search.can_prove:
        raise InvalidValueError(
            "{game} can't be solved: that is only possible for solo games, cooperative games, and two-player "
            "games without chance or hidden information",
            game=game.title,
        )
    proving = max_moves * WORK_PER_MOVE // 2
    low, high, winning = search.solve(proving, lambda: False)
    if low < high:
        # Where positions recur, or proof-number search gives no answer, look ahead turn by turn.
        choices = search.prove_by_lookahead(MAX_TURNS, max_moves * WORK_PER_MOVE - proving, lambda: False)
        low, high = (
            max(evaluation.lower_bound for evaluation in choices),
            max(evaluation.upper_bound for evaluation in choices),
        )
        winning = tuple([evaluation.move_texts[0] for evaluation in choices if evaluation.lower_bound == 1.0])
    value = low if low == high else None
    return value, winning if value == 1 else ()


def find_winnable_seed(
    game: Game, seed: int, *, seats: int = 1, tries: int = 200, max_moves: int = MAX_MOVES_PER_DEAL
) -> int | None:
    """Return the first seed whose deal is proved to be winnable, or None if none is found.

    The search covers ``tries`` consecutive seeds, starting at ``seed``. ``max_moves`` is the maximum number of moves
    tried for each seed. Raises ValueError for games in which players compete.
    """
    for candidate in range(seed, seed + tries):
        if solve(game, game.start(seats, candidate), max_moves=max_moves, known_chance=True).is_winnable:
            return candidate
    return None


def find_best_score(
    game: Game, state: State, *, max_moves: int = 200_000, known_chance: bool = False
) -> BestScore:
    """Return the highest score found in a solo game, trying at most ``max_moves`` moves.

    For ``known_chance``, see :func:`solve`. Raises ValueError for games with several players, and if ``known_chance``
    is set but the seed of the state is unknown.
    """
    if state.seats != 1:
        raise InvalidValueError(
            "{game} has several players, so there is no best score to find", game=game.title
        )
    if state.result is not None:
        return BestScore(state.result.scores[0] if state.result.winners else None, True)
    search = _SolverSearch(game, state, max_moves // 2, known_chance, for_score=True)
    search.run()
    if search.is_incomplete:
        search.max_moves = max_moves
        search.nested_monte_carlo()
    moves = _to_texts(game, state, search.best_line)
    return BestScore(
        search.best_score, not search.is_incomplete, moves, search.met_chance, search.moves_tried
    )


def _score(fast: FastGame) -> int | None:
    """Return the score of a finished solo game, or None if it was lost."""
    result = fast.result()
    assert result is not None
    return fast.scores()[0] if result.winners else None


def _to_texts(game: Game, state: State, codes: list[int]) -> tuple[str, ...]:
    """Return the texts of the moves with the given codes, played one after another from ``state``.

    Since the moves are actually played, an illegal one raises an error here.
    """
    texts = []
    for code in codes:
        texts.append(game.decode_move(state, code).text)
        state, _ = game.apply(state, texts[-1])
    return tuple(texts)


class _SolverSearch:
    """Depth-first search with restarts: if it is slow, it starts again with a random move order.

    No position is searched twice in one attempt. A position that has been fully searched without finding a win stays
    closed after a restart. This is sound even if a game can return to an earlier position: any win that is reached
    after the return can also be reached from the first occurrence. The positions on the current line aren't fully
    searched yet, so they are reopened when an attempt is abandoned.
    """

    def __init__(
        self,
        game: Game,
        state: State,
        max_moves: int,
        known_chance: bool,
        for_score: bool = False,
        target_score: int | None = None,
    ) -> None:
        if known_chance and state.seed is None:
            raise InvalidValueError("the seed of this position is unknown, so chance can't be predicted")
        fast = game.make_fast_game(state.seats)
        if fast is None:
            raise InvalidValueError("{game} can't be searched", game=game.title)
        self.fast = fast
        self.fast.load(state, state.seed or 0, reject_chance=not known_chance)
        self.everyone = (1 << state.seats) - 1
        self.max_moves = max_moves
        self.for_score = for_score
        self.target_score = target_score
        self.moves_tried = 0
        self.closed: set[Hashable] = set()
        self.met_chance = False
        self.is_incomplete = False
        """Whether any line was not searched to the end."""
        self.best_score: int | None = None
        self.best_line: list[int] = []

    def run(self) -> list[int]:
        """Return the moves of a win, or [] if no win was found.

        An empty list means that there is no win, unless ``is_incomplete`` is set. If ``for_score`` is set, the best
        line is recorded instead, and the list is always empty.
        """
        allowed = float(self.max_moves if self.for_score else FIRST_TRY_MOVES)
        tries = 0
        while self.moves_tried < self.max_moves:
            chance = Random(tries) if tries else None
            result = self.depth_first(chance, min(self.moves_tried + int(allowed), self.max_moves))
            if result is not None:
                return result
            allowed *= RESTART_GROWTH
            tries += 1
        self.is_incomplete = True
        return []

    def depth_first(self, chance: Random | None, move_limit: int) -> list[int] | None:
        """Search once, trying moves in the order of the rules or, with ``chance``, in random order.

        Return the moves of a win, [] if the search ended without finding one, or None if it was abandoned because
        ``moves_tried`` reached ``move_limit``.
        """
        path: list[int] = []
        entered: list[Hashable] = []
        open_ways: list[Iterator[_Successor]] = []
        position: Hashable = self.fast.exact_key()
        while True:
            self.closed.add(position)
            entered.append(position)
            successors = self.successors(path)
            if successors and successors[0].is_win:
                self.undo_moves(len(path))
                return [*path, successors[0].code]
            if chance is not None:
                chance.shuffle(successors)
            open_ways.append(iter(successors))
            following = None
            while following is None:
                following = next((w for w in open_ways[-1] if w.position not in self.closed), None)
                if following is None:
                    open_ways.pop()
                    entered.pop()
                    if not open_ways:
                        return []
                    path.pop()
                    self.fast.unmake()
            if self.moves_tried >= move_limit:
                self.closed.difference_update(entered)
                self.undo_moves(len(path))
                return None
            path.append(following.code)
            position = following.position
            self.fast.try_move(following.code)

    def undo_moves(self, count: int) -> None:
        for _ in range(count):
            self.fast.unmake()

    def successors(self, path: list[int]) -> list[_Successor]:
        """Return the moves after ``path`` that lead to unsearched positions, or a single winning move.

        If ``for_score`` is set, no move counts as winning. Instead, a line that ends the game is recorded if its score
        is the highest so far. When ``max_moves`` moves have been tried, the remaining ones are left out and
        ``is_incomplete`` is set.
        """
        found: list[_Successor] = []
        for code in self.candidates():
            if self.moves_tried >= self.max_moves:
                # The remaining moves were not tried, so this position is not fully searched.
                self.is_incomplete = True
                break
            if not self.try_move(code):
                continue
            result = self.fast.result()
            if result is None:
                position = self.fast.exact_key()
                if position not in self.closed:
                    found.append(_Successor(code, position))
            elif self.for_score:
                self.record_score([*path, code])
            elif result.winners == self.everyone and self._reaches_target():
                self.fast.unmake()
                return [_Successor(code, (), is_win=True)]
            self.fast.unmake()
        return found

    def _reaches_target(self) -> bool:
        return self.target_score is None or self.fast.scores()[0] >= self.target_score

    def candidates(self) -> list[int]:
        """Return the pseudo-legal moves of the current position.

        If the rules fail, return no moves and mark the search as incomplete.
        """
        try:
            return self.fast.pseudo_legal_moves()
        except RuleFailure:
            self.is_incomplete = True
            return []

    def try_move(self, code: int) -> bool:
        """Make a move; return False if it is illegal, if its outcome can't be known, or if the rules fail.

        In the last two cases, the search is marked as incomplete.
        """
        self.moves_tried += 1
        try:
            return self.fast.try_move(code)
        except UnknownOutcomeError:
            self.is_incomplete = self.met_chance = True
        except RuleFailure:
            self.is_incomplete = True
        return False

    # ------------------------------------------------------------ best score

    def record_score(self, path: list[int]) -> int | None:
        """Record ``path`` if its final score is the highest so far; return the score, or None if the game was lost."""
        score = _score(self.fast)
        if score is not None and (self.best_score is None or score > self.best_score):
            self.best_score, self.best_line = score, path
        return score

    def nested_monte_carlo(self) -> None:
        """Run nested Monte Carlo search at level 1 (Cazenave 2009) until ``max_moves`` moves have been tried.

        Each attempt plays a game from the start. At each step, it plays one random continuation after every move, and
        then makes the next move of the best continuation that it has found so far. The search ends early if an attempt
        finds no win and a random event has been met whose outcome can't be known.
        """
        number = 0
        while self.moves_tried < self.max_moves:
            chance = Random(number)
            number += 1
            path: list[int] = []
            score: int | None = None
            ahead: list[int] = []
            while self.fast.result() is None:
                for code in self.candidates():
                    if self.moves_tried >= self.max_moves:
                        break
                    if not self.try_move(code):
                        continue
                    reached, ending = self.play_randomly([*path, code], chance)
                    self.undo_moves(len(ending) - len(path))
                    if reached is not None and (score is None or reached > score):
                        score, ahead = reached, ending
                if score is None or self.moves_tried >= self.max_moves:
                    break
                self.try_move(ahead[len(path)])  # legal, since it was played before
                path.append(ahead[len(path)])
            self.undo_moves(len(path))
            if score is None and self.met_chance:
                return
            # This ensures that the search ends even if the start has no legal moves.
            self.moves_tried = min(self.moves_tried + 1, self.max_moves)

    def play_randomly(self, path: list[int], chance: Random) -> tuple[int | None, list[int]]:
        """Extend ``path`` with random moves until the game ends; return the final score and ``path``.

        Stop early if ``max_moves`` moves have been tried, or if no move leads to a position that is new in this
        playout. The score is None in these cases, and if the game was lost. If the score is the highest so far, it is
        recorded with its line. The moves are not undone.
        """
        visited: set[Hashable] = set()
        while self.fast.result() is None:
            codes = self.candidates()
            chance.shuffle(codes)
            for code in codes:
                if self.moves_tried >= self.max_moves:
                    return None, path
                if self.try_move(code):
                    position = self.fast.exact_key()
                    if position not in visited:
                        break
                    self.fast.unmake()
            else:
                return None, path
            path.append(code)
            visited.add(position)
        return self.record_score(path), path
