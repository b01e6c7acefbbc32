"""Heuristics for a strong player of Golden Spiral.

Jokers are searched to the end of the Spiral; the position reached is valued as if there were no jokers. Numbers are
chosen at random, with the probabilities that solve the matrix game of both seats' numbers. Weak levels use random
playouts instead, and count medals and stars at the end of a Spiral.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from random import Random

from shibumi3d.rules.game import Game
from shibumi3d.rules.golden_spiral import jokers
from shibumi3d.rules.golden_spiral.flow import Flow
from shibumi3d.rules.golden_spiral.game import MedalGame
from shibumi3d.rules.golden_spiral.state import Move, State
from shibumi3d.rules.golden_spiral.table import Tableau
from shibumi3d.search.golden_spiral_solver import ClashSolver, solve_matrix_game

KNOWN_FROM = 300
"""Number of simulations from which a level uses :func:`known`; this is the number of level 3."""
HORIZON = 12
STAR = 0.06
"""Value of a lead of one star, on a scale on which a win is 1."""
LIKELY = 1
"""Number of announcements of the first speaker for which replies are searched to compare numbers."""
SHARP = 0.03
"""Loss of value for which a move is made 1/e times as often as the best move."""
SEATS = (0, 1)


@cache
def _clashes(table: Tableau) -> ClashSolver:
    return ClashSolver(table)


class Reckoner:
    """Equilibrium values of states for seat 0, from -1 (lost) to 1 (won).

    Only some moves are searched. ``wide`` is the number of the first speaker's announcements that are searched together
    with the replies to them.
    """

    def __init__(self, table: Tableau, wide: int) -> None:
        self.table = table
        self.wide = wide
        self.clashes = _clashes(table)

    def worth(self, state: State) -> float:
        """Return the value of a state for seat 0, from -1 (lost) to 1 (won)."""
        if state.result is not None:
            winners = state.result.winners
            return 0.0 if not winners else 1.0 if winners[0] == 0 else -1.0
        if state.question == "bid":
            return self._position(state)
        seat = state.asked[0]
        if state.question == "reinforce":
            return self.worth(self.turned_back(state, min(state.allowance[seat], state.spiral[seat])))
        if state.question == "amount":
            return self._best(seat, [self.worth(after) for after in self._amounts(state)])
        if not state.spoken:
            return self._best(seat, [value for _, value in self.first(state, self.wide)])
        return self._best(seat, [value for _, value in self.second(state)])

    def _position(self, state: State) -> float:
        """Return the value of a position in which numbers are chosen.

        This is the value without jokers, plus the value of the stars. Jokers that are announced but not yet used are
        treated as paid.
        """
        gold = list(state.gold)
        for number in range(state.used, len(state.spoken)):
            if state.spoken[number]:
                gold[state.speaker(number)] -= self.table.joker(state.spoken[number]).price.gold
        value = self.clashes.value((gold[0], state.spiral[0], gold[1], state.spiral[1]))
        left = state.stars[0] - state.stars[1]
        return max(-0.99, min(0.99, value * 0.9 + STAR * left))

    @staticmethod
    def _best(seat: int, values: Sequence[float]) -> float:
        return max(values) if seat == 0 else min(values)

    def announced(self, state: State, joker: str) -> State:
        """Return the state after the seat to move announces a joker.

        If ``joker`` is empty, the seat passes.
        """
        flow = Flow(self.table, state)
        flow.announce(state.asked[0], joker)
        return flow.after()

    def turned_back(self, state: State, number: int) -> State:
        """Return the state after the seat to move turns ``number`` medals back."""
        flow = Flow(self.table, state)
        flow.turn_back(state.asked[0], number)
        return flow.after()

    def _amounts(self, state: State) -> list[State]:
        found = []
        joker = self.table.joker(state.spoken[state.used])
        for amount in jokers.amounts(joker, state, state.speaker(state.used)):
            flow = Flow(self.table, state)
            flow.amount(amount)
            found.append(flow.after())
        return found

    def second(self, state: State) -> list[tuple[str, float]]:
        """Return the second speaker's announcements with their values.

        An empty string means that the second speaker announces nothing.
        """
        open_now = ["", *[joker.id for joker in jokers.open_jokers(self.table, state, state.asked[0])]]
        return [(id, self.worth(self.announced(state, id))) for id in open_now]

    def first(self, state: State, wide: int) -> list[tuple[str, float]]:
        """Return the first speaker's best announcements and a pass, with their values.

        Each is valued against the best reply. If there are more than ``wide`` announcements, only the best are
        considered, judged by their values if the other seat passes.
        """
        seat = state.asked[0]
        open_now = ["", *[joker.id for joker in jokers.open_jokers(self.table, state, seat)]]
        afters = {id: self.announced(state, id) for id in open_now}
        if len(open_now) > wide + 1:
            alone = {
                id: self.worth(self.announced(after, "") if after.question == "joker" else after)
                for id, after in afters.items()
            }
            order = sorted(open_now[1:], key=lambda id: alone[id], reverse=seat == 0)
            open_now = ["", *order[:wide]]
        return [(id, self.worth(afters[id])) for id in open_now]

    def mixed(self, state: State, seat: int) -> list[tuple[float, float]]:
        """Return, for each number of a seat, the probability of playing it and the value of doing so.

        Both seats are assumed to play optimal mixed strategies.
        """
        mine, theirs = (self.table.legal(state.gold[each]) for each in (seat, 1 - seat))
        again = state.first >= 0
        gains = []
        for number in mine:
            row = []
            for other in theirs:
                flow = Flow(self.table, state)
                flow.bid(seat, number)
                flow.bid(1 - seat, other)
                after = flow.after()
                value = self._position(after) if again and after.question == "bid" else self.worth(after)
                row.append(value if seat == 0 else -value)
            gains.append(row)
        _, often, answers = solve_matrix_game(gains)
        worth = [sum(a * gain for a, gain in zip(answers, row, strict=True)) for row in gains]
        return list(zip(often, worth, strict=True))


def known(game: Game, view: State, seat: int) -> dict[str, tuple[float, float]] | None:
    """Return how often each legal move of ``seat`` should be made, and its value."""
    assert isinstance(game, MedalGame)
    table = game.table
    if view.question == "bid":
        if not table.jokers or (not any(view.stars) and view.first < 0):
            here, there = seat, 1 - seat
            at = (view.gold[here], view.spiral[here], view.gold[there], view.spiral[there])
            clashes = _clashes(table)
            worth = _share(clashes.value(at))
            return {str(n): (often, worth) for n, often in enumerate(clashes.optimal_strategy(at), 1)}
        mixed = Reckoner(table, LIKELY).mixed(view, seat)
        return {str(n): (often, _share(worth)) for n, (often, worth) in enumerate(mixed, 1)}
    reckoner = Reckoner(table, 99)
    moves = game.moves(view, seat)
    values = {
        move.text: reckoner.worth(game.apply(view, move)[0]) * (1 if seat == 0 else -1) for move in moves
    }
    most = max(values.values())
    weights = {text: math.exp((value - most) / SHARP) for text, value in values.items()}
    total = sum(weights.values())
    return {text: (weights[text] / total, _share(value)) for text, value in values.items()}


def _share(value: float) -> float:
    """Map a value from the range -1 to 1 to the range 0 to 1."""
    return (value + 1) / 2


def estimate(game: Game, state: State) -> Sequence[float]:
    """Return the value of the medal counts for each seat.

    Gold counts most, then stars, then Spiral. A seat with little Gold is at risk, which lowers its value.
    """
    sums = [
        gold + 0.6 * spiral + 0.8 * stars - (3 if gold <= 3 else 0)
        for gold, spiral, stars in zip(state.gold, state.spiral, state.stars, strict=True)
    ]
    first = 1 / (1 + math.exp(-(sums[0] - sums[1]) / 6))
    return first, 1 - first


def likely(game: Game, state: State, seat: int, choices: Sequence[Move], chance: Random) -> Move:
    """Return the move of a simple player.

    This player turns back as many medals as possible, chooses the highest amounts, rarely announces a joker, and plays
    random numbers.
    """
    if state.question in ("reinforce", "amount"):
        return choices[-1]
    if state.question == "joker" and chance.random() < 0.7:
        return choices[-1]
    return chance.choice(choices)
