"""Heuristics for a strong player of Golden Spiral.

Jokers are searched to the end of the Spiral; the position reached is valued as if there were no jokers. Numbers are
chosen at random, with the probabilities that are optimal in the matrix game of both seats' numbers. Weak levels use
random playouts instead, and count the medals and stars when a playout is cut off.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from random import Random

from shibumi3d.rules.game import Game
from shibumi3d.rules.golden_spiral.effects import announceable_jokers, possible_amounts
from shibumi3d.rules.golden_spiral.flow import MoveExecution
from shibumi3d.rules.golden_spiral.game import MedalGame
from shibumi3d.rules.golden_spiral.state import MedalRules, Move, State
from shibumi3d.search.golden_spiral_solver import ClashSolver, solve_matrix_game

MIN_SIMULATIONS_FOR_POLICY = 300
"""Minimum number of simulations at which :func:`move_policy` is used; level 3 runs this many."""
PLAYOUT_MOVES = 12
STAR_VALUE = 0.06
"""Value of a lead of one star, on a scale on which a win is 1."""
ANNOUNCEMENTS_SEARCHED = 1
"""Maximum number of the first speaker's announcements for which replies are searched when numbers are compared."""
POLICY_TEMPERATURE = 0.03
"""Loss of value at which a move is made 1/e times as often as the best move."""


@cache
def _clash_solver(rules: MedalRules) -> ClashSolver:
    return ClashSolver(rules)


class EquilibriumSolver:
    """Solver for the equilibrium values of states, from -1 (lost for seat 0) to 1 (won for seat 0).

    For the first speaker, it searches a pass and at most ``max_announcements`` announcements, each with all replies.
    """

    def __init__(self, rules: MedalRules, max_announcements: int) -> None:
        self.rules = rules
        self.max_announcements = max_announcements
        self.clash_solver = _clash_solver(rules)

    def state_value(self, state: State) -> float:
        """Return the value of a state for seat 0, from -1 (lost) to 1 (won)."""
        if state.result is not None:
            winners = state.result.winners
            return 0.0 if not winners else 1.0 if winners[0] == 0 else -1.0
        if state.decision_kind == "bid":
            return self._position_value(state)
        seat = state.deciding_seats[0]
        if state.decision_kind == "reinforce":
            return self.state_value(
                self.after_turning_back(state, min(state.turn_back_limits[seat], state.spiral[seat]))
            )
        if state.decision_kind == "amount":
            return self._best(seat, [self.state_value(after) for after in self._states_after_amounts(state)])
        if not state.announced_jokers:
            return self._best(
                seat, [value for _, value in self.first_speaker_values(state, self.max_announcements)]
            )
        return self._best(seat, [value for _, value in self.second_speaker_values(state)])

    def _position_value(self, state: State) -> float:
        """Return the value, for seat 0, of a position in which numbers are chosen.

        It combines the value that the medals have in the game without jokers with the value of a lead in stars. The
        Gold that announced but unused jokers cost is subtracted first; their price in Spiral is ignored. The result is
        limited to the range from -0.99 to 0.99.
        """
        gold = list(state.gold)
        for number in range(state.jokers_done, len(state.announced_jokers)):
            if state.announced_jokers[number]:
                gold[state.speaking_seat(number)] -= self.rules.joker_by_id(
                    state.announced_jokers[number]
                ).price.gold
        value = self.clash_solver.value((gold[0], state.spiral[0], gold[1], state.spiral[1]))
        left = state.stars[0] - state.stars[1]
        return max(-0.99, min(0.99, value * 0.9 + STAR_VALUE * left))

    @staticmethod
    def _best(seat: int, values: Sequence[float]) -> float:
        return max(values) if seat == 0 else min(values)

    def after_announcement(self, state: State, joker: str) -> State:
        """Return the state after the seat to move announces a joker.

        If ``joker`` is empty, the seat passes.
        """
        flow = MoveExecution(self.rules, state)
        flow.announce_joker(state.deciding_seats[0], joker)
        return flow.resulting_state()

    def after_turning_back(self, state: State, count: int) -> State:
        """Return the state after the seat to move has turned back ``count`` medals."""
        flow = MoveExecution(self.rules, state)
        flow.turn_back(state.deciding_seats[0], count)
        return flow.resulting_state()

    def _states_after_amounts(self, state: State) -> list[State]:
        result = []
        joker = self.rules.joker_by_id(state.announced_jokers[state.jokers_done])
        for amount in possible_amounts(joker, state, state.speaking_seat(state.jokers_done)):
            flow = MoveExecution(self.rules, state)
            flow.choose_amount(amount)
            result.append(flow.resulting_state())
        return result

    def second_speaker_values(self, state: State) -> list[tuple[str, float]]:
        """Return the second speaker's possible announcements, each with its value for seat 0.

        An empty string means that the second speaker announces nothing.
        """
        open_now = [
            "",
            *[joker.id for joker in announceable_jokers(self.rules, state, state.deciding_seats[0])],
        ]
        return [(id, self.state_value(self.after_announcement(state, id))) for id in open_now]

    def first_speaker_values(self, state: State, max_announcements: int) -> list[tuple[str, float]]:
        """Return the first speaker's possible announcements with their values for seat 0.

        An empty string stands for a pass, which is always included. Each value assumes the best reply. If the first
        speaker can announce more than ``max_announcements`` jokers, only the best ones are included,
        ``max_announcements`` in number. They are ranked by their values if the other seat passes.
        """
        seat = state.deciding_seats[0]
        open_now = ["", *[joker.id for joker in announceable_jokers(self.rules, state, seat)]]
        afters = {id: self.after_announcement(state, id) for id in open_now}
        if len(open_now) > max_announcements + 1:
            alone = {
                id: self.state_value(
                    self.after_announcement(after, "") if after.decision_kind == "joker" else after
                )
                for id, after in afters.items()
            }
            order = sorted(open_now[1:], key=lambda id: alone[id], reverse=seat == 0)
            open_now = ["", *order[:max_announcements]]
        return [(id, self.state_value(afters[id])) for id in open_now]

    def mixed_strategy(self, state: State, seat: int) -> list[tuple[float, float]]:
        """Return, for each number that ``seat`` can play, the probability of playing it and its value for that seat.

        Both seats are assumed to play optimal mixed strategies.
        """
        own_numbers, other_numbers = (self.rules.legal_numbers(state.gold[each]) for each in (seat, 1 - seat))
        again = state.first_speaker >= 0
        gains = []
        for number in own_numbers:
            row = []
            for other in other_numbers:
                flow = MoveExecution(self.rules, state)
                flow.set_number(seat, number)
                flow.set_number(1 - seat, other)
                after = flow.resulting_state()
                value = (
                    self._position_value(after)
                    if again and after.decision_kind == "bid"
                    else self.state_value(after)
                )
                row.append(value if seat == 0 else -value)
            gains.append(row)
        _, probabilities, answers = solve_matrix_game(gains)
        expected_gains = [sum(a * gain for a, gain in zip(answers, row, strict=True)) for row in gains]
        return list(zip(probabilities, expected_gains, strict=True))


def move_policy(game: Game, view: State, seat: int) -> dict[str, tuple[float, float]] | None:
    """Return the probability and the value of each legal move for ``seat``, by move text.

    Values are from 0 to 1. When a number is chosen, jokers are left out of account if the rules have none, or if
    neither seat has stars in the first clash of a Spiral. Every number, even one that is never played, then has the
    value of the position.
    """
    assert isinstance(game, MedalGame)
    rules = game.rules
    if view.decision_kind == "bid":
        if not rules.jokers or (not any(view.stars) and view.first_speaker < 0):
            own_seat, other_seat = seat, 1 - seat
            at = (view.gold[own_seat], view.spiral[own_seat], view.gold[other_seat], view.spiral[other_seat])
            clashes = _clash_solver(rules)
            worth = _to_unit_range(clashes.value(at))
            return {str(n): (often, worth) for n, often in enumerate(clashes.optimal_strategy(at), 1)}
        mixed = EquilibriumSolver(rules, ANNOUNCEMENTS_SEARCHED).mixed_strategy(view, seat)
        return {str(n): (often, _to_unit_range(worth)) for n, (often, worth) in enumerate(mixed, 1)}
    solver = EquilibriumSolver(rules, 99)
    moves = game.moves(view, seat)
    values = {
        move.text: solver.state_value(game.apply(view, move)[0]) * (1 if seat == 0 else -1) for move in moves
    }
    max_value = max(values.values())
    weights = {text: math.exp((value - max_value) / POLICY_TEMPERATURE) for text, value in values.items()}
    total = sum(weights.values())
    return {text: (weights[text] / total, _to_unit_range(value)) for text, value in values.items()}


def _to_unit_range(value: float) -> float:
    """Map a value from the range -1 to 1 to the range 0 to 1."""
    return (value + 1) / 2


def estimate_values(game: Game, state: State) -> Sequence[float]:
    """Return a value for each seat, from 0 to 1, based on the medals and stars of both seats.

    Gold counts most, then stars, then Spiral. A seat with little Gold is at risk, which lowers its value.
    """
    sums = [
        gold + 0.6 * spiral + 0.8 * stars - (3 if gold <= 3 else 0)
        for gold, spiral, stars in zip(state.gold, state.spiral, state.stars, strict=True)
    ]
    first = 1 / (1 + math.exp(-(sums[0] - sums[1]) / 6))
    return first, 1 - first


def playout_move(game: Game, state: State, seat: int, moves: Sequence[Move], rng: Random) -> Move:
    """Return the move of a simple player.

    This player turns back as many medals as possible, chooses the highest amounts, usually passes instead of announcing
    a joker, and plays random numbers.
    """
    if state.decision_kind in ("reinforce", "amount"):
        return moves[-1]
    if state.decision_kind == "joker" and rng.random() < 0.7:
        return moves[-1]
    return rng.choice(moves)
