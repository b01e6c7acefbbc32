"""What a strong player of secret numbers and medals knows: jokers looked at to the end of the Spiral, the position
there as it is worth without jokers, and numbers mixed as the matrix of both seats' numbers says.

Weak strengths play ways on out by lot instead, and judge the end of a Spiral by counting.
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
from shibumi3d.search.clashes import Clashes
from shibumi3d.search.matrix import solved

KNOWN_FROM = 300
"""From the third strength on all this is reckoned with."""
HORIZON = 12
STAR = 0.06
"""What a star more than the other seat is worth, as a part of a win."""
LIKELY = 1
"""Announcements of the first speaker to which the answers are looked at, while numbers are compared."""
SHARP = 0.03
"""How much less a choice may be worth to be made a third as often."""
SEATS = (0, 1)


@cache
def _clashes(table: Tableau) -> Clashes:
    return Clashes(table)


class Reckoner:
    """What moments are worth to seat 0, from -1 (lost) to 1 (won), where both seats choose best from what is looked at.

    ``wide``: how many announcements of the first speaker are looked at together with their answers.
    """

    def __init__(self, table: Tableau, wide: int) -> None:
        self.table = table
        self.wide = wide
        self.clashes = _clashes(table)

    def worth(self, state: State) -> float:
        """Return what a moment is worth to seat 0, from -1 (lost) to 1 (won)."""
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
        """A position at which numbers are set: as without jokers, and what the stars are worth besides. In a second
        clash what is to be paid for it is paid already."""
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
        """Return the moment after the seat that is asked announced a joker, or passed."""
        flow = Flow(self.table, state)
        flow.announce(state.asked[0], joker)
        return flow.after()

    def turned_back(self, state: State, number: int) -> State:
        """Return the moment after the seat that is asked turned so many medals back."""
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
        """Return every announcement of the second speaker, "" for none, each with what it is worth."""
        open_now = ["", *[joker.id for joker in jokers.open_jokers(self.table, state, state.asked[0])]]
        return [(id, self.worth(self.announced(state, id))) for id in open_now]

    def first(self, state: State, wide: int) -> list[tuple[str, float]]:
        """Return the announcements of the first speaker that are best if the other passes, and a pass, each with
        what it is worth against the best answer.
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
        """Return for each number of a seat how often it is set where both set theirs best, and what it is worth
        then.
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
        _, often, answers = solved(gains)
        worth = [sum(a * gain for a, gain in zip(answers, row, strict=True)) for row in gains]
        return list(zip(often, worth, strict=True))


def known(game: Game, view: State, seat: int) -> dict[str, tuple[float, float]] | None:
    """Return how often each of the moves open to ``seat`` should be made, and what it is worth."""
    assert isinstance(game, MedalGame)
    table = game.table
    if view.question == "bid":
        if not table.jokers or (not any(view.stars) and view.first < 0):
            here, there = seat, 1 - seat
            at = (view.gold[here], view.spiral[here], view.gold[there], view.spiral[there])
            clashes = _clashes(table)
            worth = _share(clashes.value(at))
            return {str(n): (often, worth) for n, often in enumerate(clashes.mix(at), 1)}
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
    """From -1 to 1, as from 0 to 1."""
    return (value + 1) / 2


def estimate(game: Game, state: State) -> Sequence[float]:
    """Return what the counts are worth to each seat: Gold most, then stars, then Spiral; little Gold is dangerous."""
    sums = [
        gold + 0.6 * spiral + 0.8 * stars - (3 if gold <= 3 else 0)
        for gold, spiral, stars in zip(state.gold, state.spiral, state.stars, strict=True)
    ]
    first = 1 / (1 + math.exp(-(sums[0] - sums[1]) / 6))
    return first, 1 - first


def likely(game: Game, state: State, seat: int, choices: Sequence[Move], chance: Random) -> Move:
    """Return what a plain player does: turn back all that may be, take most, announce a joker seldom, set any
    number.
    """
    if state.question in ("reinforce", "amount"):
        return choices[-1]
    if state.question == "joker" and chance.random() < 0.7:
        return choices[-1]
    return chance.choice(choices)
