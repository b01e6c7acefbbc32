"""Monte Carlo search for any table kind, by random matches from states consistent with a seat's view.

It relies only on the interface of games. Every simulation determinizes the hidden information with ``sample_hidden``.
The first move of a simulation is chosen by UCB1 (Auer, Cesa-Bianchi & Fischer 2002), without building a tree. If
several seats move at the same time without seeing each other's moves, regret matching (Hart & Mas-Colell 2000) finds a
mixed strategy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt
from random import Random
from typing import TYPE_CHECKING, Any

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.game import Game, by_seat
from shibumi3d.rules.search import Considered

if TYPE_CHECKING:
    from shibumi3d.rules.game import Move, State

HORIZON = 60
"""Number of moves after which a playout is cut off and the state is evaluated."""
LESS = 0.75
"""Exponent that reduces the number of simulations: if a level allows n, only n to this power are run.

A simulation through the general interface takes far longer than a simulation in a dedicated engine.
"""
CURIOSITY = 0.6
"""Exploration constant of UCB1."""
ROUNDS = 4_000
"""Number of iterations of regret matching."""


class Rollouts:
    """Search for ``seat`` from ``view``.

    ``seed`` is the random seed. ``helps`` is a module with heuristics; see :mod:`.kinds`.
    """

    def __init__(self, game: Game, view: State, seat: int, seed: int = 0, helps: Any = None) -> None:
        self.game = game
        self.view = view
        self.seat = seat
        self.helps = helps
        self.iterations = 0
        self.chance = Random(seed)
        self._whole = game.sample_hidden(view, seat, self.chance)
        self._moves = [by_seat(move, seat, self._whole) for move in game.moves(self._whole, seat)]
        self.looked = self._worth_looking()
        self._tries = {move.text: _Tries() for move in self.looked}
        ask = self._whole.ask
        self.asked: tuple[int, ...] = ask.seats if ask is not None and ask.sight == "hidden" else ()
        self._secret = _Secret(self) if len(self.asked) > 1 and seat in self.asked else None

    def _worth_looking(self) -> list[Any]:
        """Return the moves to search: the moves selected by the heuristics, or else all moves."""
        candidates = getattr(self.helps, "candidates", None)
        found = list(candidates(self.game, self.view, self.seat, self._moves)) if candidates else []
        kept = {move.text for move in found}
        return [move for move in self._moves if move.text in kept] or self._moves

    @property
    def whole(self) -> State:
        """A full state that is consistent with the view."""
        return self._whole

    @property
    def moves(self) -> tuple[str, ...]:
        """The texts of the moves that are searched."""
        return tuple(move.text for move in self.looked)

    def offer(self, moves: Sequence[str]) -> None:
        """Search only ``moves``, the texts of moves known to be legal.

        The restriction is ignored if it would leave no moves to search.
        """
        self.looked = [move for move in self.looked if move.text in moves] or self.looked

    @property
    def simultaneous(self) -> bool:
        """Whether other seats move at the same time without seeing each other's moves."""
        return self._secret is not None

    @property
    def exact(self) -> bool:
        """Whether wins and losses can be proved; always False, since playouts prove nothing."""
        return False

    @property
    def guesses(self) -> bool:
        """Whether :meth:`guess` plays better than :meth:`grow`; always False."""
        return False

    def grow(self, iterations: int, stop: Callable[[], bool]) -> bool:
        """Run as many simulations as :data:`LESS` allows, stopping early if ``stop`` returns True.

        If the heuristics know the value of each move, these values are used instead of simulations. Always returns
        False, because further calls would not improve the result.
        """
        known = getattr(self.helps, "known", None)
        deep = iterations >= getattr(self.helps, "KNOWN_FROM", 0)
        told = known(self.game, self.view, self.seat) if known and deep else None
        if told:
            for text, found in told.items():
                often, worth = found if isinstance(found, tuple) else (found, 0.0)
                if text in self._tries:
                    visits = max(1, round(1_000 * often)) if often > 0 else 0
                    self._tries[text].visits = visits
                    self._tries[text].sum = visits * worth
            return False
        for _ in range(max(1, round(iterations**LESS))):
            whole = self._whole
            if self.iterations:
                whole = self.game.sample_hidden(self.view, self.seat, self.chance)
            self.iterations += 1
            if self._secret is not None:
                self._secret.look(whole)
            else:
                self._look(whole)
            if stop():
                break
        if self._secret is not None:
            self._secret.settle(self._tries)
        return False

    def _look(self, whole: State) -> None:
        """Run one simulation, beginning with the move that has the highest upper confidence bound."""
        total = 1 + sum(one.visits for one in self._tries.values())
        move = max(self.looked, key=lambda move: self._tries[move.text].wish(total))
        self._tries[move.text].add(self.played_out(whole, [move])[self.seat])

    def played_out(self, state: State, moves: Sequence[Move]) -> Sequence[float]:
        """Make ``moves`` and continue at random; return the result for each seat, from 0 to 1."""
        game, chance = self.game, self.chance
        likely = getattr(self.helps, "likely", None)
        try:
            for move in moves:
                state, _ = game.apply(state, move)
            for _ in range(getattr(self.helps, "HORIZON", HORIZON)):
                if state.to_move is None:
                    break
                seat = state.to_move
                open_now = game.moves(state, seat)
                move = likely(game, state, seat, open_now, chance) if likely else chance.choice(open_now)
                state, _ = game.apply(state, by_seat(move, seat, state))
        except RuleFailure:
            return [0.5] * state.seats
        return self.worth(state)

    def worth(self, state: State) -> Sequence[float]:
        """Return the value of a state for each seat, from 0 to 1."""
        outcome = self.game.outcome(state)
        if outcome is not None:
            share = 1 / len(outcome.winners) if outcome.winners else 1 / state.seats
            return [
                share if seat in outcome.winners or not outcome.winners else 0.0
                for seat in range(state.seats)
            ]
        estimate = getattr(self.helps, "estimate", None)
        if estimate is not None:
            found: Sequence[float] = estimate(self.game, state)
            return found
        sums = [
            score + (state.totals[seat] if state.totals else 0) for seat, score in enumerate(state.scores)
        ]
        return [_lead(sums, seat) for seat in range(state.seats)]

    def choices(self) -> list[Considered]:
        """Return the moves with their evaluations, most visited first."""
        found = [Considered((text,), one.visits, one.mean) for text, one in self._tries.items() if one.visits]
        return sorted(found, key=lambda one: (-one.visits, -one.mean))

    def turns(self, most: int = 3) -> list[Considered]:
        """Return up to ``most`` of the best moves, each as a turn of its own.

        Whole turns are not searched.
        """
        return self.choices()[:most]

    def forced(self, turns: int, work: int, stop: Callable[[], bool]) -> list[Considered]:
        """Return an empty list, since playouts prove nothing."""
        return []

    def solved(self, work: int, stop: Callable[[], bool]) -> tuple[float, float, tuple[str, ...]]:
        """Return the bounds 0 and 1 and no moves, since playouts prove nothing."""
        return 0.0, 1.0, ()

    @property
    def settled(self) -> bool:
        """Whether there is a stored proof of who wins the game; always False."""
        return False

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
        """Return an empty list, since playouts prove nothing."""
        return []

    def wins_within(self, turns: int, work: int, stop: Callable[[], bool]) -> int:
        """Return -1, since playouts prove nothing."""
        return -1

    def own_turns(self, most: int, work: int, stop: Callable[[], bool]) -> int:
        """Return -1, since playouts prove nothing."""
        return -1

    def same(self, other: Any) -> bool:
        """Return False, since this search cannot determine what matters for the rest of the match."""
        return False

    def unlike(self, other: Any) -> int:
        """Return 0 if the positions are equal, and 1,000 otherwise.

        This search cannot measure how different two positions are.
        """
        return 0 if self.view.standing == other.standing else 1_000

    def loses(self, move: str, turns: int, work: int, stop: Callable[[], bool]) -> bool:
        """Return False, since playouts prove nothing."""
        return False

    def turns_left(self, most: int) -> int:
        """Return ``most``, since the number of turns left is not estimated."""
        return most

    def comes_back(self, move: str) -> int:
        """Return 0, since recurring positions are not tracked."""
        return 0

    def trust(self, part: float) -> None:
        """Do nothing, since there is no learned evaluation for these tables."""

    def guess(self, tries: int, stop: Callable[[], bool]) -> str:
        """Return the text of a random move."""
        return self.chance.choice(self.moves)


class _Tries:
    """Statistics of the simulations that began with one move."""

    __slots__ = ("sum", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.sum = 0.0

    @property
    def mean(self) -> float:
        return self.sum / self.visits if self.visits else 0.5

    def add(self, value: float) -> None:
        self.visits += 1
        self.sum += value

    def wish(self, total: int) -> float:
        """Return the upper confidence bound (UCB1); it is infinite for a move that was never tried."""
        return self.mean + CURIOSITY * sqrt(log(total) / self.visits) if self.visits else float("inf")


class _Secret:
    """A search for positions in which several seats answer without seeing each other's answers.

    It records the seat's results for each combination of its own answer and the answers of all other seats. Regret
    matching then determines how often each answer should be given in equilibrium.
    """

    def __init__(self, search: Rollouts) -> None:
        self.search = search
        self.seats = search.asked
        self.answers: dict[int, list[Any]] = {}
        self.tries: dict[tuple[str, ...], list[float]] = {}
        """For each combination of answers: the number of simulations, then the sum of results of each seat asked."""

    def _open_to(self, whole: State, seat: int) -> list[Any]:
        """Return the answers available to a seat.

        They may depend on the sampled hidden information, so ``answers`` collects them over all simulations.
        """
        search = self.search
        found = search.looked if seat == search.seat else list(search.game.moves(whole, seat))
        known = self.answers.setdefault(seat, [])
        texts = {move.text for move in known}
        known += [move for move in found if move.text not in texts]
        return found

    def look(self, whole: State) -> None:
        """Run one simulation that begins with a random answer of each seat."""
        search = self.search
        chance = search.chance
        made = [by_seat(chance.choice(self._open_to(whole, seat)), seat, whole) for seat in self.seats]
        state = whole
        values = search.played_out(state, made)
        known = self.tries.setdefault(tuple(move.text for move in made), [0.0] * (1 + len(self.seats)))
        known[0] += 1
        for place, seat in enumerate(self.seats, 1):
            known[place] += values[seat]

    def settle(self, found: dict[str, _Tries]) -> None:
        """Store in ``found`` how often each of the seat's answers should be given."""
        me = self.seats.index(self.search.seat)
        mine = [move.text for move in self.search.looked]
        others = sorted({answer[:me] + answer[me + 1 :] for answer in self.tries})
        gain, loss = self._table(me, mine, others)
        often = _matched(gain, loss)
        total = max(1.0, sum(tries[0] for tries in self.tries.values()))
        for row, text in enumerate(mine):
            found[text].visits = round(total * often[row])
            found[text].sum = found[text].visits * (sum(gain[row]) / len(others) if others else 0.5)

    def _table(
        self, me: int, mine: list[str], others: list[tuple[str, ...]]
    ) -> tuple[list[list[float]], list[list[float]]]:
        """Return the payoff matrices of the seat and, averaged, of the other seats.

        Cells with few or no simulations are filled in from the averages of their row and column.
        """
        rows, columns = {text: i for i, text in enumerate(mine)}, {texts: i for i, texts in enumerate(others)}
        counts = [[0.0] * len(others) for _ in mine]
        gains = [[0.0] * len(others) for _ in mine]
        for answer, tries in self.tries.items():
            i, j = rows[answer[me]], columns[answer[:me] + answer[me + 1 :]]
            counts[i][j] += tries[0]
            gains[i][j] += tries[1 + me]
        every = sum(map(sum, counts)) or 1.0
        middle = sum(map(sum, gains)) / every
        row_means = [_mean(gains[i], counts[i], middle) for i in range(len(mine))]
        column_means = [
            _mean([row[j] for row in gains], [row[j] for row in counts], middle) for j in range(len(others))
        ]
        for i in range(len(mine)):
            for j in range(len(others)):
                expected = row_means[i] + column_means[j] - middle
                gains[i][j] = (gains[i][j] + expected) / (counts[i][j] + 1)
        return gains, [[1 - value for value in row] for row in gains]


def _matched(gain: list[list[float]], loss: list[list[float]]) -> list[float]:
    """Return the row player's average strategy after regret matching.

    ``gain`` contains the payoffs to the row player, ``loss`` the payoffs to the column player. Negative regrets are set
    to 0 in every iteration (regret matching+, Tammelin 2014). In zero-sum games, the average strategies converge to an
    equilibrium.
    """
    rows, columns = len(gain), len(gain[0]) if gain else 0
    if not columns:
        return [1 / rows] * rows
    by_column = [list(column) for column in zip(*loss, strict=True)]
    regrets, other_regrets = [0.0] * rows, [0.0] * columns
    often = [0.0] * rows
    for _ in range(max(200, ROUNDS * 169 // max(169, rows * columns))):
        mine, theirs = _by_regret(regrets), _by_regret(other_regrets)
        worth = [sum(p * value for p, value in zip(theirs, row, strict=True) if p) for row in gain]
        other_worth = [
            sum(p * value for p, value in zip(mine, column, strict=True) if p) for column in by_column
        ]
        mean = sum(p * value for p, value in zip(mine, worth, strict=True))
        other_mean = sum(p * value for p, value in zip(theirs, other_worth, strict=True))
        for i in range(rows):
            regrets[i] = max(0.0, regrets[i] + worth[i] - mean)
            often[i] += mine[i]
        for j in range(columns):
            other_regrets[j] = max(0.0, other_regrets[j] + other_worth[j] - other_mean)
    total = sum(often)
    return [one / total for one in often]


def _by_regret(regrets: list[float]) -> list[float]:
    total = sum(regrets)
    return [one / total for one in regrets] if total > 0 else [1 / len(regrets)] * len(regrets)


def _mean(sums: list[float], counts: list[float], usual: float) -> float:
    total = sum(counts)
    return sum(sums) / total if total else usual


def _lead(sums: Sequence[int], seat: int) -> float:
    """Return an estimate of the value of a lead (or a deficit) while the match is in progress."""
    best = max((score for other, score in enumerate(sums) if other != seat), default=0)
    return 0.5 + 0.45 * (sums[seat] - best) / (abs(sums[seat]) + abs(best) + 1)
