"""Heuristics and exact values for Hyena Spiral.

With two seats, the value of every state of a round is known exactly, as a lead in points. Playouts are used with more
seats, and if the well must be reached by exact count. A state of a two-player round is defined by the positions of both
walkers and the tabas that they hold. Value iteration computes all values for a length of the spiral and a set of rules,
as a table over the villager's spot, the hyena's spot and both purses. Tabas beyond :data:`PURSE_LIMITS` are treated as
worthless.
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
from shibumi3d.rules.hyena_spiral.moves import Move, MoveExecution, legal_moves
from shibumi3d.rules.hyena_spiral.state import HyenaRules, Leg, State

Values: TypeAlias = NDArray[np.float32]

PURSE_LIMITS = 16, 32
"""Maximum number of tabas that count, for a villager and for the hyena."""
WHITES_PROBABILITIES = 1 / 8, 3 / 8, 3 / 8, 1 / 8
"""Probabilities that a throw shows 0, 1, 2 and 3 white faces."""
CONVERGENCE_THRESHOLD = 1e-6
"""Maximum change of a value that has converged."""
MAX_SWEEPS = 2_000
"""Maximum number of sweeps of value iteration for a block of states."""

RouteSpot: TypeAlias = tuple[Leg, int, int]
"""Leg, place, and number of fees paid at the well."""


@dataclass(frozen=True, slots=True)
class Route:
    """Route of a villager or of the hyena: its spots, in the order in which they are passed.

    ``step_unit`` is the greatest common divisor of the spiral's length and all possible numbers of steps in a move.
    ``fees`` contains the fees to pay at the well.
    """

    spots: tuple[RouteSpot, ...]
    step_unit: int
    fees: tuple[int, ...]

    def index(self, spot: RouteSpot) -> int:
        """Return the index of a spot; home has the index after the last spot."""
        leg, place, paid = spot
        out = next(i for i, (other, _, _) in enumerate(self.spots) if other is Leg.WELL)
        if leg is Leg.OUT:
            return place // self.step_unit
        if leg is Leg.WELL:
            return out + paid
        return len(self.spots) - place // self.step_unit


def _make_route(length: int, steps: tuple[int, ...], fees: tuple[int, ...]) -> Route:
    unit = math.gcd(length, *steps)
    out = [(Leg.OUT, place, 0) for place in range(0, length, unit)]
    well = [(Leg.WELL, length, paid) for paid in range(len(fees) + 1)]
    back = [(Leg.BACK, place, 0) for place in range(length - unit, 0, -unit)]
    return Route((*out, *well, *back), unit, fees)


def _shift_purse(values: Values, axis: int, tabas: int) -> Values:
    """Return the values that apply if a purse holds ``tabas`` more tabas.

    ``tabas`` can be negative. ``axis`` is the axis of this purse in ``values``. The number of tabas in the purse is
    clipped to its limits.
    """
    size = values.shape[axis]
    return values.take(np.clip(np.arange(size) + tabas, 0, size - 1), axis)


def _can_afford(values: Values, axis: int, min_tabas: int) -> NDArray[np.bool_]:
    """Return a mask of the values for which the purse along ``axis`` holds at least ``min_tabas`` tabas.

    The mask can be broadcast to ``values``.
    """
    shape = [1] * values.ndim
    shape[axis] = values.shape[axis]
    return (np.arange(values.shape[axis]) >= min_tabas).reshape(shape)


class DuelSolver:
    """Solver for the values of a two-player round on a spiral of a given length.

    A value is the expected number of points by which a seat outscores the other in the rest of the round if both play
    well.

    ``race_values`` contains the values for the seat to move, before anybody is the hyena. It is indexed by the place
    and tabas of the seat to move, then by the place and tabas of the other seat. The places are divided by the
    villager's step unit.

    ``villager_turn_values`` and ``hyena_turn_values`` contain the values for the villager after that: the former if the
    villager is to move, the latter if the hyena is. Both are lists with an array for each spot of the villager. The
    arrays are indexed by the hyena's spot, the hyena's tabas and the villager's tabas.

    Raises ValueError if the well must be reached by exact count.
    """

    def __init__(self, length: int, rules: HyenaRules, purses: tuple[int, int] = PURSE_LIMITS) -> None:
        if rules.exact_arrival:
            raise ValueError("values can only be computed if the well need not be reached by exact count")
        self.length, self.rules, self.purse_limits = length, rules, purses
        steps = (*filter(None, rules.steps_by_whites), rules.steps_bought)
        self.villager_route = _make_route(length, steps, rules.villager_fees)
        self.hyena_route = _make_route(
            length, tuple(n * rules.hyena_factor for n in steps), (rules.hyena_fee,)
        )
        self._hyena_destinations_cache: dict[int, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}
        self.villager_turn_values: list[Values] = []
        self.hyena_turn_values: list[Values] = []
        self._solve_hunt()
        self.race_values = self._solve_race()

    # ------------------------------------------------------------ after a hyena has appeared

    def _solve_hunt(self) -> None:
        shape = len(self.hyena_route.spots), self.purse_limits[1] + 1, self.purse_limits[0] + 1
        count = len(self.villager_route.spots)
        home = np.full(shape, self.rules.home_points, dtype=np.float32)
        self.villager_turn_values = [home] * (count + 1)
        self.hyena_turn_values = [home] * (count + 1)
        for spot in range(count - 1, -1, -1):
            walk_values = [
                self._values_after_villager_walk(spot, steps) for steps in self.rules.steps_by_whites
            ]
            bought = self._values_after_villager_walk(spot, self.rules.steps_bought)
            # The values of the next spot are a good initial guess.
            hunted, hunting = self.villager_turn_values[spot + 1], self.hyena_turn_values[spot + 1]
            for _ in range(MAX_SWEEPS):
                after = self._villager_turn_values(spot, hunting, walk_values, bought)
                then = self._hyena_turn_values(spot, after, hunting)
                change = max(np.abs(after - hunted).max(), np.abs(then - hunting).max())
                hunted, hunting = after, then
                if change < CONVERGENCE_THRESHOLD:
                    break
            self.villager_turn_values[spot], self.hyena_turn_values[spot] = hunted, hunting

    def _values_after_villager_walk(self, spot: int, steps: int) -> Values | None:
        """Return the values after the villager walks ``steps`` steps from ``spot``.

        Return None if ``steps`` is 0, or if she is at the well and hasn't paid all fees.
        """
        leg, place, paid = self.villager_route.spots[spot]
        if not steps or (leg is Leg.WELL and paid < len(self.villager_route.fees)):
            return None
        if leg is Leg.OUT:
            if place + steps < self.length:
                return self.hyena_turn_values[self.villager_route.index((Leg.OUT, place + steps, 0))]
            well = self.villager_route.index((Leg.WELL, self.length, 0))
            return self._values_on_arrival(well, 2, self.villager_route.fees[0])
        new_place = max(place - steps, 0)
        return self.hyena_turn_values[self.villager_route.index((Leg.BACK, new_place, 0))]

    def _values_on_arrival(self, well_spot: int, axis: int, fee: int) -> Values:
        """Return the values after the villager arrives at the well, where she pays the first fee if she can.

        At the well, her route has a spot for each number of fees paid; ``well_spot`` is the index of the one with no
        fee paid. ``axis`` is the axis of her purse, and ``fee`` is the first fee.
        """
        owing, paid = self.hyena_turn_values[well_spot], self.hyena_turn_values[well_spot + 1]
        return np.where(_can_afford(owing, axis, fee), _shift_purse(paid, axis, -fee), owing)

    def _villager_turn_values(
        self,
        spot: int,
        hyena_turn_values: Values,
        walk_values: list[Values | None],
        bought_values: Values | None,
    ) -> Values:
        """Return the values when the villager is on ``spot`` and is to move.

        ``hyena_turn_values`` contains the values when she is there and the hyena is to move. For each number of white
        faces, ``walk_values`` contains the values after her walk, or None if she can't walk. ``bought_values`` contains
        the values after a walk that she buys, before the price is deducted.
        """
        numbers = self.rules
        leg, _, paid = self.villager_route.spots[spot]
        shifted = _shift_purse(hyena_turn_values, 2, 1)
        if leg is Leg.WELL and paid < len(self.villager_route.fees):
            fee = self.villager_route.fees[paid]
            onward = _shift_purse(self.hyena_turn_values[spot + 1], 2, -fee)
            can_pay_fee = _can_afford(hyena_turn_values, 2, fee)
            chance = sum(
                p for p, tabas in zip(WHITES_PROBABILITIES, numbers.tabas_by_whites, strict=True) if tabas
            )
            gained = np.where(
                _can_afford(hyena_turn_values, 2, fee - 1),
                _shift_purse(self.hyena_turn_values[spot + 1], 2, 1 - fee),
                shifted,
            )
            return np.where(can_pay_fee, onward, chance * gained + (1 - chance) * hyena_turn_values).astype(
                np.float32
            )
        thrown = np.zeros_like(hyena_turn_values)
        for chance, way, tabas in zip(
            WHITES_PROBABILITIES, walk_values, numbers.tabas_by_whites, strict=True
        ):
            thrown += np.float32(chance) * _better_values(way, shifted if tabas else None, np.maximum)
        assert bought_values is not None
        held = _can_afford(hyena_turn_values, 2, numbers.step_price)
        return np.where(held, np.maximum(thrown, _shift_purse(bought_values, 2, -numbers.step_price)), thrown)

    def _hyena_turn_values(
        self, spot: int, villager_turn_values: Values, hyena_turn_values: Values
    ) -> Values:
        """Return the values when the villager is on ``spot`` and the hyena is to move.

        ``villager_turn_values`` contains the values when the villager is there and is to move. ``hyena_turn_values`` is
        not used.
        """
        numbers, fee = self.rules, self.rules.hyena_fee
        times = numbers.hyena_factor
        shifted = _shift_purse(villager_turn_values, 1, times)
        thrown = np.zeros_like(villager_turn_values)
        for chance, steps, tabas in zip(
            WHITES_PROBABILITIES, numbers.steps_by_whites, numbers.tabas_by_whites, strict=True
        ):
            walk_values = (
                self._values_after_hyena_walk(spot, villager_turn_values, steps * times) if steps else None
            )
            thrown += np.float32(chance) * _better_values(walk_values, shifted if tabas else None, np.minimum)
        bought = _shift_purse(
            self._values_after_hyena_walk(spot, villager_turn_values, numbers.steps_bought * times),
            1,
            -numbers.step_price * times,
        )
        held = _can_afford(villager_turn_values, 1, numbers.step_price * times)
        free = np.where(held, np.minimum(thrown, bought), thrown)
        well = self.hyena_route.index((Leg.WELL, self.length, 0))
        # A hyena that owes its fee pays, or throws for tabas and pays as soon as it can.
        owing, paid = villager_turn_values[well], villager_turn_values[well + 1]
        chance = sum(
            p for p, tabas in zip(WHITES_PROBABILITIES, numbers.tabas_by_whites, strict=True) if tabas
        )
        gained = np.where(
            _can_afford(owing, 0, fee - times),
            _shift_purse(paid, 0, times - fee),
            _shift_purse(owing, 0, times),
        )
        waiting = chance * gained + (1 - chance) * owing
        free[well] = np.where(_can_afford(owing, 0, fee), _shift_purse(paid, 0, -fee), waiting)
        return free

    def _values_after_hyena_walk(self, spot: int, villager_turn_values: Values, steps: int) -> Values:
        """Return the values after the hyena walks ``steps`` steps from each spot of its route.

        The villager is on ``spot``, and ``villager_turn_values`` contains the values if she is to move. On arrival at
        the well, the hyena pays its fee if it can. On its way home, it eats the villager unless she stays ahead of it.
        """
        leg, place, _ = self.villager_route.spots[spot]
        eaten = np.float32(-self.rules.hyena_points)
        goal, lost = self._hyena_destinations(steps)
        result = villager_turn_values[goal]
        well = self.hyena_route.index((Leg.WELL, self.length, 0))
        owing, paid = villager_turn_values[well], villager_turn_values[well + 1]
        fee = self.rules.hyena_fee
        result[goal == well] = np.where(_can_afford(owing, 0, fee), _shift_purse(paid, 0, -fee), owing)
        going_home = lost >= 0
        if leg is Leg.BACK:
            result[going_home & (place >= lost)] = eaten
        else:
            result[going_home] = eaten
        return result

    def _hyena_destinations(self, steps: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the spot and the place that the hyena reaches with ``steps`` steps from each spot.

        The result consists of two arrays, in the order of the hyena's spots. The first contains the spots reached, as
        indices; the last spot also stands for home. The second contains the places reached, or -1 where the walk begins
        on the way to the well.
        """
        if steps in self._hyena_destinations_cache:
            return self._hyena_destinations_cache[steps]
        goal, lost = [], []
        for leg, place, _ in self.hyena_route.spots:
            if leg is Leg.OUT:
                new_place = place + steps
                out = new_place < self.length
                goal.append(
                    self.hyena_route.index((Leg.OUT, new_place, 0) if out else (Leg.WELL, self.length, 0))
                )
                lost.append(-1)
            else:
                new_place = max(place - steps, 0)
                goal.append(
                    min(self.hyena_route.index((Leg.BACK, new_place, 0)), len(self.hyena_route.spots) - 1)
                )
                lost.append(new_place)
        self._hyena_destinations_cache[steps] = np.array(goal), np.array(lost)
        return self._hyena_destinations_cache[steps]

    # ------------------------------------------------------------ before a hyena has appeared

    def _solve_race(self) -> Values:
        unit, most = self.villager_route.step_unit, self.purse_limits[0]
        places = self.length // unit
        # Values of becoming the hyena, by the seat's tabas and the other seat's place and tabas; the other is to move.
        turned = -np.stack([self.villager_turn_values[place][0] for place in range(places)], axis=1)[
            : most + 1
        ]
        values = np.zeros((places, most + 1, places, most + 1), dtype=np.float32)
        for _ in range(MAX_SWEEPS):
            other = -values.transpose(2, 3, 0, 1)
            # Values after a seat's move, with the other to move. The well follows the last place.
            full = np.concatenate([other, np.broadcast_to(turned, (1, *turned.shape))])
            after = self._racer_turn_values(full, places)
            change = float(np.abs(after - values).max())
            values = after
            if change < CONVERGENCE_THRESHOLD:
                break
        return values

    def _racer_turn_values(self, values_after_move: Values, places: int) -> Values:
        numbers, unit = self.rules, self.villager_route.step_unit
        here = np.arange(places)

        def walked(steps: int) -> Values:
            return values_after_move[np.minimum(here + steps // unit, places)]

        shifted = _shift_purse(values_after_move[:places], 1, 1)
        thrown = np.zeros_like(values_after_move[:places])
        for chance, steps, tabas in zip(
            WHITES_PROBABILITIES, numbers.steps_by_whites, numbers.tabas_by_whites, strict=True
        ):
            walk_values = walked(steps) if steps else None
            thrown += np.float32(chance) * _better_values(walk_values, shifted if tabas else None, np.maximum)
        bought = _shift_purse(walked(numbers.steps_bought), 1, -numbers.step_price)
        return np.where(_can_afford(thrown, 1, numbers.step_price), np.maximum(thrown, bought), thrown)

    # ------------------------------------------------------------ evaluation

    def state_value(self, state: State) -> float:
        """Return the value of a state for the seat to move, in a round with two players.

        The value is the expected number of points by which this seat outscores the other in the rest of the round if
        both play well. The state must be at the beginning of a turn, and the round must not be over.
        """
        seat = state.mover
        me, other = state.walkers[seat], state.walkers[1 - seat]
        purse = [min(walker.tabas, self.purse_limits[walker.is_hyena]) for walker in (me, other)]
        unit = self.villager_route.step_unit
        if not me.is_hyena and not other.is_hyena:
            return float(self.race_values[me.place // unit, purse[0], other.place // unit, purse[1]])
        hunter, prey = (me, other) if me.is_hyena else (other, me)
        held = (purse[0], purse[1]) if me.is_hyena else (purse[1], purse[0])
        at = self.hyena_route.index((hunter.leg, hunter.place, hunter.fees_paid)), *held
        spot = self.villager_route.index((prey.leg, prey.place, prey.fees_paid))
        return float(
            -self.hyena_turn_values[spot][at] if me.is_hyena else self.villager_turn_values[spot][at]
        )


def _better_values(first: Values | None, other: Values | None, choose_better: np.ufunc) -> Values:
    """Return the better values of two options, element by element.

    An option that isn't available is None; the values of the other option are then returned. At least one option must
    be available. ``choose_better`` is ``np.maximum`` or ``np.minimum``.
    """
    if first is None or other is None:
        result = other if first is None else first
        assert result is not None
        return result
    best: Values = choose_better(first, other)
    return best


@functools.lru_cache(maxsize=4)
def duel_solver(length: int, rules: HyenaRules) -> DuelSolver:
    """Return the solver for a spiral of ``length`` under ``rules``.

    Solvers are cached, since making one can take about a second. Raises ValueError if the well must be reached by exact
    count.
    """
    return DuelSolver(length, rules)


def move_values(state: State) -> dict[str, float]:
    """Return the values of the moves in a two-player match, by move text.

    Each value is the expected number of points by which the seat to move outscores the other seat in the rest of the
    round, if both play well. The result is empty if the match doesn't have two seats, if the well must be reached by
    exact count, or if the match is over.
    """
    if state.seats != 2 or state.rules.exact_arrival or state.result is not None:
        return {}
    return {move.text: _move_value(state, move) for move in legal_moves(state)}


def _move_value(state: State, move: Move) -> float:
    if move.kind != "throw":
        return _value_after(state, MoveExecution(state).apply_move(move))
    result = 0.0
    for whites, chance in enumerate(WHITES_PROBABILITIES):
        after = MoveExecution(replace(state, preset_throws=(whites,))).apply_move(move)
        if after.is_choosing:
            result += chance * max(
                _value_after(state, MoveExecution(after).apply_move(choice)) for choice in legal_moves(after)
            )
        else:
            result += chance * _value_after(state, after)
    return result


def _value_after(before: State, after: State) -> float:
    """Return the value of the move that leads from ``before`` to ``after``, for the seat that makes it."""
    seat = before.mover
    gained = [now - then for now, then in zip(after.scores, before.scores, strict=True)]
    lead = gained[seat] - gained[1 - seat]
    if after.result is not None or after.round > before.round:
        return float(lead)
    return lead - duel_solver(before.length, before.rules).state_value(after)


# ---------------------------------------------------------------- heuristics, see heuristics.py

PLAYOUT_MOVES = 160
"""Number of moves within which most rounds end, even with five seats on the short spiral."""
POLICY_TEMPERATURE = 0.06
"""Loss in points at which a move is made 1/e times as often as the best move.

Players without randomness always choose the best move.
"""
LEAD_SCALE = 0.4
"""Base scale, in points, of the logistic function that converts a lead into a value.

The scale grows with the number of rounds left.
"""


def move_policy(game: Game, view: State, seat: int) -> dict[str, tuple[float, float]] | None:
    """Return the probability and the value of each move in a two-player match, by move text.

    A value is the chance that ``seat`` wins the match, from 0 to 1. Probabilities and values are derived from the
    moves' exact values in points, which :func:`move_values` returns. Return None if these are not known.
    """
    values = move_values(view)
    if not values:
        return None
    max_value = max(values.values())
    weights = {text: math.exp((value - max_value) / POLICY_TEMPERATURE) for text, value in values.items()}
    total = sum(weights.values())
    return {text: (weights[text] / total, _match_value(view, seat, value)) for text, value in values.items()}


def _match_value(state: State, seat: int, value: float) -> float:
    """Return an estimate of a seat's result in the match, from 0 to 1, based on the current round.

    ``value`` is the expected number of points by which the seat outscores the other in this round. A draw of the match
    counts as 0.5.
    """
    numbers = state.rules
    # The seat ends the round ``most`` points ahead or ``least`` behind. Both are averages until somebody is the hyena.
    most = least = (numbers.hyena_points + numbers.home_points) / 2
    if state.hyena_seat is not None:
        most, least = (
            (numbers.hyena_points, numbers.home_points)
            if state.hyena_seat == seat
            else (numbers.home_points, numbers.hyena_points)
        )
    chance = min(1.0, max(0.0, (value + least) / (most + least)))
    lead = state.scores[seat] - state.scores[1 - seat]
    left = state.rounds - state.round
    return chance * _lead_value(lead + most, left) + (1 - chance) * _lead_value(lead - least, left)


def _lead_value(points: float, rounds_left: int) -> float:
    """Return the chance of winning, from 0 to 1, with a lead of ``points`` and ``rounds_left`` rounds to go.

    The more rounds are left, the less a lead is worth.
    """
    if not rounds_left:
        return 0.5 if points == 0 else float(points > 0)
    return 1 / (1 + math.exp(-points / (LEAD_SCALE + 0.6 * math.sqrt(rounds_left))))


def estimate_values(game: Game, state: State) -> Sequence[float]:
    """Return the value of the current scores for each seat, from 0 to 1.

    The more rounds are left, the less a lead is worth.
    """
    left = state.rounds - state.round + 1
    weights = [math.exp(points / (LEAD_SCALE + 0.6 * math.sqrt(left))) for points in state.scores]
    return [weight / sum(weights) for weight in weights]


def playout_move(game: Game, state: State, seat: int, moves: Sequence[Move], rng: Random) -> Move:
    """Return the move that a simple player would choose.

    Until somebody is the hyena, this player races to the well. After that, it collects tabas until it can pay the fees,
    and then hurries to the well and home. However, a hyena that is still far from the well walks on whenever that is
    free.
    """
    if len(moves) == 1:
        return moves[0]
    open_now = {move.kind: move for move in moves}
    if "enter" in open_now:
        return open_now["enter"]
    walk = _prefers_walking(state, seat, "buy" in open_now)
    if state.is_choosing:
        return open_now["go" if walk else "take"]
    return open_now["buy" if walk and "buy" in open_now else "throw"]


def _prefers_walking(state: State, seat: int, walking_costs_tabas: bool) -> bool:
    """Return whether a simple player would walk on instead of saving tabas.

    ``walking_costs_tabas`` is set if the walk has to be bought.
    """
    walker, numbers = state.walkers[seat], state.rules
    if walker.leg is not Leg.OUT:
        return True
    price = numbers.step_price * state.factor_for(seat) if walking_costs_tabas else 0
    left = state.length - walker.place
    if walker.is_hyena:
        # It is better to collect tabas on the way than to wait for them at the well.
        saved = walker.tabas - price >= numbers.hyena_fee
        return saved or (not walking_costs_tabas and left > numbers.min_throw_steps * numbers.hyena_factor)
    if state.hyena_seat is None:
        return True
    return walker.tabas - price >= sum(numbers.villager_fees)
