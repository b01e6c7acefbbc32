"""Heuristics and exact values for Hyena Spiral.

With two seats, the value of every state of a round is known exactly, as a lead in points. With more seats, playouts are
used. A state of a two-player round is defined by the positions of both walkers and the tabas that they hold. Value
iteration computes all values once for each length of the spiral, as a table over the villager's spot, the hyena's spot
and both purses. Tabas beyond :data:`PURSES` are treated as worthless.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from shibumi3d.rules.game import Game
from shibumi3d.rules.hyena_spiral.flow import Move, Turn, moves
from shibumi3d.rules.hyena_spiral.numbers import Numbers
from shibumi3d.rules.hyena_spiral.state import Leg, State

Values: TypeAlias = NDArray[np.float32]

PURSES = 16, 32
"""Maximum number of tabas that count, for a villager and for the hyena."""
CHANCES = 1 / 8, 3 / 8, 3 / 8, 1 / 8
"""Probabilities that a throw shows 0 to 3 white faces."""
SETTLED = 1e-6
"""Maximum change of a value that has converged."""
SWEEPS = 2_000
"""Maximum number of sweeps of value iteration for a block of states."""

Spot: TypeAlias = tuple[Leg, int, int]
"""Leg, place, and number of fees paid at the well."""


@dataclass(frozen=True, slots=True)
class _Track:
    """Spots of a villager or of the hyena, in the order in which they are passed.

    ``unit`` is a common divisor of the length and all numbers of steps. ``fees`` contains the fees to pay at the well.
    """

    spots: tuple[Spot, ...]
    unit: int
    fees: tuple[int, ...]

    def index(self, spot: Spot) -> int:
        """Return the index of a spot; home has the index after the last spot."""
        leg, place, paid = spot
        out = next(i for i, (other, _, _) in enumerate(self.spots) if other is Leg.WELL)
        if leg is Leg.OUT:
            return place // self.unit
        if leg is Leg.WELL:
            return out + paid
        return len(self.spots) - place // self.unit


def _track(length: int, steps: tuple[int, ...], fees: tuple[int, ...]) -> _Track:
    unit = math.gcd(length, *steps)
    out = [(Leg.OUT, place, 0) for place in range(0, length, unit)]
    well = [(Leg.WELL, length, paid) for paid in range(len(fees) + 1)]
    back = [(Leg.BACK, place, 0) for place in range(length - unit, 0, -unit)]
    return _Track((*out, *well, *back), unit, fees)


def _shifted(values: Values, axis: int, by: int) -> Values:
    """Return the values for a purse with ``by`` more tabas, or fewer if negative.

    The number of tabas is clipped to the size of the purse.
    """
    size = values.shape[axis]
    return values.take(np.clip(np.arange(size) + by, 0, size - 1), axis)


def _holding(values: Values, axis: int, least: int) -> NDArray[np.bool_]:
    """Return a mask of the values for which the purse along ``axis`` holds at least ``least`` tabas.

    The mask can be broadcast to ``values``.
    """
    shape = [1] * values.ndim
    shape[axis] = values.shape[axis]
    return (np.arange(values.shape[axis]) >= least).reshape(shape)


class Duel:
    """Values of a two-player round on a spiral of a given length.

    ``begun`` contains the values, for the seat to move, before anybody is the hyena. It is indexed by the place and
    tabas of the seat to move, then by those of the other seat.

    ``hunted[spot]`` and ``hunting[spot]`` contain the villager's values when she is on a spot: ``hunted`` if she is to
    move, ``hunting`` if the hyena is to move. They are indexed by the hyena's spot, the hyena's tabas and her own
    tabas.
    """

    def __init__(self, length: int, numbers: Numbers, purses: tuple[int, int] = PURSES) -> None:
        if numbers.exact:
            raise ValueError("values are worked out for wells that need not be reached exactly")
        self.length, self.numbers, self.purses = length, numbers, purses
        steps = (*filter(None, numbers.steps), numbers.bought)
        self.villager = _track(length, steps, numbers.fees)
        self.hyena = _track(length, tuple(n * numbers.times for n in steps), (numbers.hyena_fee,))
        self._ways: dict[int, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}
        self.hunted: list[Values] = []
        self.hunting: list[Values] = []
        self._solve_hunt()
        self.begun = self._solve_race()

    # ------------------------------------------------------------ after a hyena has appeared

    def _solve_hunt(self) -> None:
        shape = len(self.hyena.spots), self.purses[1] + 1, self.purses[0] + 1
        count = len(self.villager.spots)
        home = np.full(shape, self.numbers.home, dtype=np.float32)
        self.hunted = [home] * (count + 1)
        self.hunting = [home] * (count + 1)
        for spot in range(count - 1, -1, -1):
            ways = [self._villager_to(spot, steps) for steps in self.numbers.steps]
            bought = self._villager_to(spot, self.numbers.bought)
            # The values of the next spot are a good initial guess.
            hunted, hunting = self.hunted[spot + 1], self.hunting[spot + 1]
            for _ in range(SWEEPS):
                after = self._villager_chooses(spot, hunting, ways, bought)
                then = self._hyena_chooses(spot, after, hunting)
                change = max(np.abs(after - hunted).max(), np.abs(then - hunting).max())
                hunted, hunting = after, then
                if change < SETTLED:
                    break
            self.hunted[spot], self.hunting[spot] = hunted, hunting

    def _villager_to(self, spot: int, steps: int) -> Values | None:
        """Return the values after the villager walks ``steps`` from a spot, or None if she may not walk."""
        leg, place, paid = self.villager.spots[spot]
        if not steps or (leg is Leg.WELL and paid < len(self.villager.fees)):
            return None
        if leg is Leg.OUT:
            if place + steps < self.length:
                return self.hunting[self.villager.index((Leg.OUT, place + steps, 0))]
            well = self.villager.index((Leg.WELL, self.length, 0))
            return self._paying(well, 2, self.villager.fees[0])
        there = max(place - steps, 0)
        return self.hunting[self.villager.index((Leg.BACK, there, 0))]

    def _paying(self, well: int, axis: int, fee: int) -> Values:
        """Return the values of arriving at the well, where the first fee is paid if possible."""
        owing, paid = self.hunting[well], self.hunting[well + 1]
        return np.where(_holding(owing, axis, fee), _shifted(paid, axis, -fee), owing)

    def _villager_chooses(
        self, spot: int, hunting: Values, ways: list[Values | None], bought: Values | None
    ) -> Values:
        """Return the values of a spot if the villager is to move.

        ``hunting`` contains the values of that spot if the hyena is to move.
        """
        numbers = self.numbers
        leg, _, paid = self.villager.spots[spot]
        more = _shifted(hunting, 2, 1)
        if leg is Leg.WELL and paid < len(self.villager.fees):
            fee = self.villager.fees[paid]
            onward = _shifted(self.hunting[spot + 1], 2, -fee)
            rich = _holding(hunting, 2, fee)
            chance = sum(p for p, tabas in zip(CHANCES, numbers.tabas, strict=True) if tabas)
            gained = np.where(
                _holding(hunting, 2, fee - 1), _shifted(self.hunting[spot + 1], 2, 1 - fee), more
            )
            return np.where(rich, onward, chance * gained + (1 - chance) * hunting).astype(np.float32)
        thrown = np.zeros_like(hunting)
        for chance, way, tabas in zip(CHANCES, ways, numbers.tabas, strict=True):
            thrown += np.float32(chance) * _best(way, more if tabas else None, np.maximum)
        assert bought is not None
        held = _holding(hunting, 2, numbers.price)
        return np.where(held, np.maximum(thrown, _shifted(bought, 2, -numbers.price)), thrown)

    def _hyena_chooses(self, spot: int, hunted: Values, hunting: Values) -> Values:
        """Return the villager's values for one of her spots if the hyena is to move."""
        numbers, fee = self.numbers, self.numbers.hyena_fee
        times = numbers.times
        more = _shifted(hunted, 1, times)
        thrown = np.zeros_like(hunted)
        for chance, steps, tabas in zip(CHANCES, numbers.steps, numbers.tabas, strict=True):
            way = self._hyena_to(spot, hunted, steps * times) if steps else None
            thrown += np.float32(chance) * _best(way, more if tabas else None, np.minimum)
        bought = _shifted(self._hyena_to(spot, hunted, numbers.bought * times), 1, -numbers.price * times)
        held = _holding(hunted, 1, numbers.price * times)
        free = np.where(held, np.minimum(thrown, bought), thrown)
        well = self.hyena.index((Leg.WELL, self.length, 0))
        # If it owes a fee, it pays, or throws for tabas and pays as soon as it can.
        owing, paid = hunted[well], hunted[well + 1]
        chance = sum(p for p, tabas in zip(CHANCES, numbers.tabas, strict=True) if tabas)
        gained = np.where(
            _holding(owing, 0, fee - times), _shifted(paid, 0, times - fee), _shifted(owing, 0, times)
        )
        waiting = chance * gained + (1 - chance) * owing
        free[well] = np.where(_holding(owing, 0, fee), _shifted(paid, 0, -fee), waiting)
        return free

    def _hyena_to(self, spot: int, hunted: Values, steps: int) -> Values:
        """Return the values after the hyena walks ``steps`` from each of its spots."""
        leg, place, _ = self.villager.spots[spot]
        eaten = np.float32(-self.numbers.alone)
        goal, lost = self._hyena_ways(steps)
        made = hunted[goal]
        well = self.hyena.index((Leg.WELL, self.length, 0))
        owing, paid = hunted[well], hunted[well + 1]
        fee = self.numbers.hyena_fee
        made[goal == well] = np.where(_holding(owing, 0, fee), _shifted(paid, 0, -fee), owing)
        going_home = lost >= 0
        if leg is Leg.BACK:
            made[going_home & (place >= lost)] = eaten
        else:
            made[going_home] = eaten
        return made

    def _hyena_ways(self, steps: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return, for each spot of the hyena, where ``steps`` lead, as a spot and as a place.

        The place is -1 if the hyena is not yet on the way home.
        """
        if steps in self._ways:
            return self._ways[steps]
        goal, lost = [], []
        for leg, place, _ in self.hyena.spots:
            if leg is Leg.OUT:
                there = place + steps
                out = there < self.length
                goal.append(self.hyena.index((Leg.OUT, there, 0) if out else (Leg.WELL, self.length, 0)))
                lost.append(-1)
            else:
                there = max(place - steps, 0)
                goal.append(min(self.hyena.index((Leg.BACK, there, 0)), len(self.hyena.spots) - 1))
                lost.append(there)
        self._ways[steps] = np.array(goal), np.array(lost)
        return self._ways[steps]

    # ------------------------------------------------------------ before a hyena has appeared

    def _solve_race(self) -> Values:
        unit, most = self.villager.unit, self.purses[0]
        places = self.length // unit
        # The value of becoming the hyena, by own tabas and the other's place and tabas; the other is to move.
        turned = -np.stack([self.hunted[place][0] for place in range(places)], axis=1)[: most + 1]
        values = np.zeros((places, most + 1, places, most + 1), dtype=np.float32)
        for _ in range(SWEEPS):
            other = -values.transpose(2, 3, 0, 1)
            # Values after a seat's move, with the other to move. The well follows the last place.
            full = np.concatenate([other, np.broadcast_to(turned, (1, *turned.shape))])
            after = self._racer_chooses(full, places)
            change = float(np.abs(after - values).max())
            values = after
            if change < SETTLED:
                break
        return values

    def _racer_chooses(self, full: Values, places: int) -> Values:
        numbers, unit = self.numbers, self.villager.unit
        here = np.arange(places)

        def walked(steps: int) -> Values:
            return full[np.minimum(here + steps // unit, places)]

        more = _shifted(full[:places], 1, 1)
        thrown = np.zeros_like(full[:places])
        for chance, steps, tabas in zip(CHANCES, numbers.steps, numbers.tabas, strict=True):
            way = walked(steps) if steps else None
            thrown += np.float32(chance) * _best(way, more if tabas else None, np.maximum)
        bought = _shifted(walked(numbers.bought), 1, -numbers.price)
        return np.where(_holding(thrown, 1, numbers.price), np.maximum(thrown, bought), thrown)

    # ------------------------------------------------------------ evaluation

    def worth(self, state: State) -> float:
        """Return the value of a state for the seat to move.

        The value is the number of points by which this seat outscores the other in the rest of the round if both play
        well. The state must be at the beginning of a turn, with at least one seat still on its way.
        """
        seat = state.mover
        me, other = state.walkers[seat], state.walkers[1 - seat]
        purse = [min(walker.tabas, self.purses[walker.hyena]) for walker in (me, other)]
        unit = self.villager.unit
        if not me.hyena and not other.hyena:
            return float(self.begun[me.place // unit, purse[0], other.place // unit, purse[1]])
        hunter, prey = (me, other) if me.hyena else (other, me)
        held = (purse[0], purse[1]) if me.hyena else (purse[1], purse[0])
        at = self.hyena.index((hunter.leg, hunter.place, hunter.paid)), *held
        spot = self.villager.index((prey.leg, prey.place, prey.paid))
        return float(-self.hunting[spot][at] if me.hyena else self.hunted[spot][at])


def _best(one: Values | None, other: Values | None, better: np.ufunc) -> Values:
    """Return the better of the options available."""
    if one is None or other is None:
        found = other if one is None else one
        assert found is not None
        return found
    best: Values = better(one, other)
    return best


@functools.lru_cache(maxsize=4)
def duel(length: int, numbers: Numbers) -> Duel:
    """Return the values for a spiral of ``length``.

    The first call for a length takes seconds.
    """
    return Duel(length, numbers)


def values(state: State) -> dict[str, float]:
    """Return the value of each move in a two-player match, by its text.

    The value is the number of points by which the seat to move outscores the other seat in the rest of the round. The
    result is empty if no values are known: with more than two seats, or if the well must be reached exactly.
    """
    if state.seats != 2 or state.numbers.exact or state.result is not None:
        return {}
    return {move.text: _of(state, move) for move in moves(state)}


def _of(state: State, move: Move) -> float:
    if move.kind != "throw":
        return _after(state, Turn(state).play(move))
    found = 0.0
    for whites, chance in enumerate(CHANCES):
        after = Turn(replace(state, forced=(whites,))).play(move)
        if after.choosing:
            found += chance * max(_after(state, Turn(after).play(choice)) for choice in moves(after))
        else:
            found += chance * _after(state, after)
    return found


def _after(before: State, after: State) -> float:
    """Return the value of a state for the seat that made the move leading to it."""
    seat = before.mover
    gained = [now - then for now, then in zip(after.scores, before.scores, strict=True)]
    lead = gained[seat] - gained[1 - seat]
    if after.result is not None or after.round > before.round:
        return float(lead)
    return lead - duel(before.length, before.numbers).worth(after)


# ---------------------------------------------------------------- heuristics, see heuristics.py

HORIZON = 160
"""Number of moves within which most rounds end, even with five seats on the short spiral."""
SPREAD = 0.06
"""Loss in points for which a move is made 1/e times as often as the best move.

Players without randomness always choose the best move.
"""
SURE = 0.4
"""Base scale, in points, of the logistic function that converts a lead into a value.

The scale grows with the number of rounds left.
"""


def known(game: Game, view: State, seat: int) -> dict[str, tuple[float, float]] | None:
    """Return how often each move in a two-player round should be made, and its value, by its text.

    Both are derived from the exact values. Return None if the exact values are not known.
    """
    found = values(view)
    if not found:
        return None
    most = max(found.values())
    often = {text: math.exp((value - most) / SPREAD) for text, value in found.items()}
    total = sum(often.values())
    return {text: (often[text] / total, _share(view, seat, value)) for text, value in found.items()}


def _share(state: State, seat: int, value: float) -> float:
    """Return the value for the match, from 0 to 1, of a lead to be gained in this round.

    ``value`` is the expected number of points by which the seat outscores the other in the round.
    """
    numbers = state.numbers
    # A round ends in one of two ways. Before anybody is the hyena, both are equally good for either seat.
    most = least = (numbers.alone + numbers.home) / 2
    if state.hyena is not None:
        most, least = (numbers.alone, numbers.home) if state.hyena == seat else (numbers.home, numbers.alone)
    chance = min(1.0, max(0.0, (value + least) / (most + least)))
    lead = state.scores[seat] - state.scores[1 - seat]
    left = state.rounds - state.round
    return chance * _lead(lead + most, left) + (1 - chance) * _lead(lead - least, left)


def _lead(points: float, left: int) -> float:
    """Return the value of a lead of ``points`` with ``left`` rounds to go.

    The more rounds are left, the less a lead is worth.
    """
    if not left:
        return 0.5 if points == 0 else float(points > 0)
    return 1 / (1 + math.exp(-points / (SURE + 0.6 * math.sqrt(left))))


def estimate(game: Game, state: State) -> Sequence[float]:
    """Return the value of the current scores for each seat.

    The more rounds are left, the less a lead is worth.
    """
    left = state.rounds - state.round + 1
    weights = [math.exp(points / (SURE + 0.6 * math.sqrt(left))) for points in state.scores]
    return [weight / sum(weights) for weight in weights]


def likely(game: Game, state: State, seat: int, choices: Sequence[Move], chance: Random) -> Move:
    """Return the move of a simple player.

    This player races to the well while it is free, saves for the fees otherwise, and hurries home.
    """
    if len(choices) == 1:
        return choices[0]
    open_now = {move.kind: move for move in choices}
    if "enter" in open_now:
        return open_now["enter"]
    walk = _hurries(state, seat, "buy" in open_now)
    if state.choosing:
        return open_now["go" if walk else "take"]
    return open_now["buy" if walk and "buy" in open_now else "throw"]


def _hurries(state: State, seat: int, buys: bool) -> bool:
    """Return whether a seat that could save tabas walks on instead.

    ``buys`` is set if walking would cost tabas.
    """
    walker, numbers = state.walkers[seat], state.numbers
    if walker.leg is not Leg.OUT:
        return True
    price = numbers.price * state.times(seat) if buys else 0
    left = state.length - walker.place
    if walker.hyena:
        # It is better to collect tabas on the way than to wait for them at the well.
        saved = walker.tabas - price >= numbers.hyena_fee
        return saved or (not buys and left > numbers.least * numbers.times)
    if state.hyena is None:
        return True
    return walker.tabas - price >= sum(numbers.fees)
