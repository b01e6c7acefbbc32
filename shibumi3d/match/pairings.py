"""Pairings of tournaments: round robin by Berger tables, Swiss rounds, and seeded knockout brackets.

The round robin follows the Berger tables in the FIDE Handbook (C.05, annex 1). Swiss rounds follow the basic rules of
C.04.1: nobody meets the same opponent twice, players meet others with the same or nearly the same points, the bye goes
to a player who hasn't had one, and everybody begins about equally often. Each round is the pairing with the lowest cost
among all possible ones. The procedure of the Dutch system (C.04.3) isn't used, since it pays off only with more
players.

Players are numbered from 0 in the order of their seeding. A pair lists them in seat order: the first one begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

Pair = tuple[int, ...]
"""Players of a match in seat order: a single one for a bye, none for a knockout pair in which nobody is left."""

COST_BASE = 10**6
"""Ratio between the weights of successive criteria of a Swiss pairing.

It is so large that one criterion, even summed over all pairs, never outweighs the next more important one.
"""


def round_robin_rounds(player_count: int, *, is_double: bool = False) -> list[list[Pair]]:
    """Return the pairs of each round of a tournament in which everybody meets everybody.

    With an odd number of players, a different player sits out each round and is in none of its pairs. If ``is_double``
    is set, all rounds are played again with seats swapped.
    """
    count = player_count + player_count % 2
    circle, last = count - 1, count - 1
    rounds = []
    for number in range(circle):
        # The last player stays, and the others move around the circle by half of it.
        first = number * (count // 2) % circle
        pairs: list[Pair] = [(last, first) if number % 2 else (first, last)]
        pairs += [((first + step) % circle, (first - step) % circle) for step in range(1, count // 2)]
        rounds.append([pair for pair in pairs if max(pair) < player_count])
    if is_double:
        rounds += [[pair[::-1] for pair in pairs] for pairs in rounds]
    return rounds


@dataclass(frozen=True, slots=True)
class Contender:
    """A player, with the information on which the pairings depend.

    ``opponents`` holds the numbers of the player's opponents so far, even in forfeited matches. ``has_had_bye`` is also
    set if the player has won a match because the opponent withdrew. ``seats`` holds the seat that the player took in
    each match so far, except byes and forfeits: 0 if the player began, otherwise 1.
    """

    number: int
    points: float
    opponents: frozenset[int] = frozenset()
    has_had_bye: bool = False
    seats: tuple[int, ...] = ()


def pair_swiss(players: Sequence[Contender]) -> list[Pair]:
    """Return the pairs of the next Swiss round, best players first; a bye comes last.

    The criteria, from the most to the least important: nobody meets the same opponent twice; nobody has a second bye;
    the bye goes to a player with few points; nobody takes the same seat three times running, or plays three more
    matches in one seat than in the other; opponents have similar points; in each pair, exactly one player is due to
    begin; the upper half of a group with equal points meets its lower half in order.
    """
    ranked = sorted(players, key=lambda player: (-player.points, player.number))
    group_size = {player.points: sum(each.points == player.points for each in ranked) for player in ranked}

    @cache
    def cost(one: int, two: int) -> int:
        upper, lower = ranked[one], ranked[two]
        middle = group_size[upper.points] // 2
        criteria = (
            lower.number in upper.opponents,
            0,
            0,
            _absolute_begin_preference(upper) == _absolute_begin_preference(lower) != 0,
            round(4 * (upper.points - lower.points) ** 2),
            _begin_preference(upper) * _begin_preference(lower) > 0,
            (two - one - middle) ** 2,
        )
        return _combine(criteria)

    @cache
    def bye_cost(one: int) -> int:
        player = ranked[one]
        return _combine((0, player.has_had_bye, round(2 * player.points), 0, 0, 0, len(ranked) - one))

    @cache
    def best(free: int, may_rest: bool) -> tuple[int, tuple[Pair, ...]]:
        """Return the lowest cost of pairing the players in the bit set ``free``, and the pairs with that cost.

        The pairs hold indices into ``ranked``. ``may_rest`` must be set if the number of players is odd; one of them
        then has a bye, which is a pair with a single index.
        """
        if not free:
            return 0, ()
        one = (free & -free).bit_length() - 1
        rest = free & ~(1 << one)
        found = []
        if may_rest:
            more, pairs = best(rest, False)
            found.append((bye_cost(one) + more, (*pairs, (one,))))
        for two in range(one + 1, len(ranked)):
            if rest >> two & 1:
                more, pairs = best(rest & ~(1 << two), may_rest)
                found.append((cost(one, two) + more, ((one, two), *pairs)))
        return min(found, default=(COST_BASE**8, ()))

    _cost, pairs = best((1 << len(ranked)) - 1, bool(len(ranked) % 2))
    numbered = [tuple(ranked[index] for index in pair) for pair in pairs]
    matches = [seat_pair(*pair, board) for board, pair in enumerate(numbered) if len(pair) == 2]
    return matches + [(pair[0].number,) for pair in numbered if len(pair) == 1]


def _combine(criteria: Sequence[float]) -> int:
    """Combine ``criteria``, the most important first, into one number.

    Each criterion outweighs all later ones together, provided that the values are less than :data:`COST_BASE`.
    """
    total = 0
    for value in criteria:
        total = total * COST_BASE + int(value)
    return total


def _surplus_of_begins(player: Contender) -> int:
    """Return how often the player began a match, minus how often an opponent did.

    Byes and forfeits don't count.
    """
    return sum(1 if seat == 0 else -1 for seat in player.seats)


def _begin_preference(player: Contender) -> int:
    """Return 1 if the player should begin next, -1 if the opponent should, and 0 before the first match.

    Byes and forfeits don't count as matches.
    """
    more = _surplus_of_begins(player)
    if more:
        return -1 if more > 0 else 1
    return (1 if player.seats[-1] else -1) if player.seats else 0


def _absolute_begin_preference(player: Contender) -> int:
    """Return 1 if the player must begin, -1 if the player must not begin, and 0 if either is allowed."""
    is_same_twice = len(player.seats) > 1 and player.seats[-1] == player.seats[-2]
    return _begin_preference(player) if abs(_surplus_of_begins(player)) > 1 or is_same_twice else 0


def seat_pair(upper: Contender, lower: Contender, board: int) -> Pair:
    """Return the numbers of ``upper`` and ``lower`` in seat order.

    The player with the stronger claim to begin comes first. If the claims are equal, the upper player begins, unless
    that player began in the previous match. Before the first match, nobody has a claim, and the upper player begins if
    ``board`` is even. ``board`` is the number of the pair in its round, counted from 0.
    """
    pair = upper.number, lower.number
    for claim in (_absolute_begin_preference, _lack_of_begins, _begin_preference):
        if claim(upper) != claim(lower):
            return pair if claim(upper) > claim(lower) else pair[::-1]
    if upper.seats:  # equal claims: the upper player begins, unless that player began last time
        return pair if upper.seats[-1] else pair[::-1]
    return pair if board % 2 == 0 else pair[::-1]


def _lack_of_begins(player: Contender) -> int:
    return -_surplus_of_begins(player)


def knockout_bracket(player_count: int) -> list[Pair]:
    """Return the first round of a knockout in the order of the bracket.

    The players are numbered from 0, best first. The winners of neighbouring pairs meet in the next round. The best two
    can meet only in the final, the best four only in the semi-finals or later, and so on. If the number of players
    isn't a power of two, the best ones have a bye: each of them is alone in a pair.
    """
    order = [0]
    while len(order) < player_count:
        order = [seed for one in order for seed in (one, 2 * len(order) - 1 - one)]
    pairs = [order[index : index + 2] for index in range(0, len(order), 2)]
    return [tuple(sorted(seed for seed in pair if seed < player_count)) for pair in pairs]


def pair_knockout(winners: Sequence[int | None]) -> list[Pair]:
    """Return the pairs of the next round of a knockout, in the order of the bracket.

    ``winners`` are the winners of the previous round in the same order. None stands for a pair from which nobody
    advances. The winner of the neighbouring pair then has a bye. If there is no such winner either, the new pair is
    empty.
    """
    pairs = [winners[index : index + 2] for index in range(0, len(winners), 2)]
    return [tuple(winner for winner in pair if winner is not None) for pair in pairs]
