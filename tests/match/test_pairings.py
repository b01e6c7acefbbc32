"""Pairings of tournaments: Berger tables, Swiss rounds, and knockout brackets."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from shibumi3d.match.pairings import (
    Contender,
    Pair,
    knockout_bracket,
    pair_knockout,
    pair_swiss,
    round_robin_rounds,
    seat_pair,
)


def count_from_one(rounds: list[list[Pair]]) -> list[list[tuple[int, ...]]]:
    return [[tuple(player + 1 for player in pair) for pair in pairs] for pairs in rounds]


# These are the tables of the FIDE Handbook, C.05, annex 1. With five players, whoever meets number 6 has a bye.
BERGER_4 = [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]]
BERGER_6 = [
    [(1, 6), (2, 5), (3, 4)],
    [(6, 4), (5, 3), (1, 2)],
    [(2, 6), (3, 1), (4, 5)],
    [(6, 5), (1, 4), (2, 3)],
    [(3, 6), (4, 2), (5, 1)],
]


@pytest.mark.parametrize(
    ("count", "table"),
    [(4, BERGER_4), (6, BERGER_6), (5, [[pair for pair in pairs if 6 not in pair] for pairs in BERGER_6])],
)
def test_round_robin_follows_the_published_tables(count: int, table: list[list[tuple[int, int]]]) -> None:
    assert count_from_one(round_robin_rounds(count)) == table


@pytest.mark.parametrize("count", range(3, 17))
def test_everybody_meets_everybody_once_with_balanced_seats(count: int) -> None:
    rounds = round_robin_rounds(count)
    assert len(rounds) == count - 1 + count % 2
    pairings = [tuple(sorted(pair)) for pairs in rounds for pair in pairs]
    assert sorted(pairings) == sorted(combinations(range(count), 2))
    for pairs in rounds:
        busy = [player for pair in pairs for player in pair]
        assert len(busy) == len(set(busy)) == count - count % 2
    first_counts = Counter(pair[0] for pairs in rounds for pair in pairs)
    assert max(first_counts.values()) - min(first_counts.values()) <= 1


def test_second_half_of_a_double_round_robin_swaps_seats() -> None:
    rounds = round_robin_rounds(5, is_double=True)
    assert rounds[5:] == [[(two, one) for one, two in pairs] for pairs in rounds[:5]]


def test_first_swiss_round_pairs_the_upper_half_with_the_lower() -> None:
    pairs = pair_swiss([Contender(number, 0.0) for number in range(6)])
    assert pairs == [(0, 3), (4, 1), (2, 5)]


def test_swiss_bye_goes_to_the_last_who_has_had_none() -> None:
    def players(*with_bye: int) -> list[Contender]:
        return [Contender(number, 0.0, has_had_bye=number in with_bye) for number in range(5)]

    assert pair_swiss(players())[-1] == (4,)
    assert pair_swiss(players(4, 3))[-1] == (2,)
    assert len(pair_swiss(players(0, 1, 2, 3, 4))[-1]) == 1  # a second bye is inevitable


def test_second_swiss_round_pairs_equal_points_and_swaps_seats() -> None:
    # In the first round, 0 beat 2 and 3 beat 1. 0 and 3 sat first.
    players = [
        Contender(0, 1.0, frozenset({2}), seats=(0,)),
        Contender(1, 0.0, frozenset({3}), seats=(1,)),
        Contender(2, 0.0, frozenset({0}), seats=(1,)),
        Contender(3, 1.0, frozenset({1}), seats=(0,)),
    ]
    # Both winners sat first in round 1, so 0, who ranks higher, now sits second. Of the losers, who both sat second,
    # 1 now sits first.
    assert pair_swiss(players) == [(3, 0), (1, 2)]


@pytest.mark.parametrize("count", [*range(3, 17)])
def test_swiss_players_never_meet_twice_nor_rest_twice(count: int) -> None:
    chance = random.Random(count)
    points, seats, rested = [0.0] * count, [()] * count, [False] * count
    pairings: set[frozenset[int]] = set()
    for _ in range((count - 1).bit_length()):
        pairs = pair_swiss(
            [
                Contender(
                    number,
                    points[number],
                    frozenset(other for pair in pairings if number in pair for other in pair - {number}),
                    rested[number],
                    seats[number],
                )
                for number in range(count)
            ]
        )
        assert sorted(player for pair in pairs for player in pair) == list(range(count))
        for pair in pairs:
            if len(pair) == 1:
                assert not rested[pair[0]]
                rested[pair[0]] = True
                points[pair[0]] += 1
                continue
            assert frozenset(pair) not in pairings
            pairings.add(frozenset(pair))
            gained = chance.choice((0.0, 0.5, 1.0))
            for seat, player in enumerate(pair):
                points[player] += gained if seat == 0 else 1 - gained
                seats[player] = (*seats[player], seat)
    for taken in seats:
        assert abs(taken.count(0) - taken.count(1)) <= 2
        assert all(len(set(taken[index : index + 3])) > 1 for index in range(len(taken) - 2))


def test_player_who_has_begun_less_often_begins() -> None:
    often, seldom = Contender(0, 0.0, seats=(0, 0)), Contender(1, 0.0, seats=(0, 1))
    assert seat_pair(often, seldom, 0) == (1, 0)
    assert seat_pair(Contender(0, 0.0), Contender(1, 0.0), 1) == (1, 0)


@pytest.mark.parametrize(
    ("count", "bracket"),
    [
        (3, [(1,), (2, 3)]),
        (5, [(1,), (4, 5), (2,), (3,)]),
        (6, [(1,), (4, 5), (2,), (3, 6)]),
        (16, [(1, 16), (8, 9), (4, 13), (5, 12), (2, 15), (7, 10), (3, 14), (6, 11)]),
    ],
)
def test_bracket_keeps_the_best_apart_and_gives_them_the_byes(
    count: int, bracket: list[tuple[int, ...]]
) -> None:
    assert count_from_one([knockout_bracket(count)])[0] == bracket


def test_winners_of_neighbours_meet_next() -> None:
    assert pair_knockout([0, 3, 1, 2]) == [(0, 3), (1, 2)]
    assert pair_knockout([0, None, None, None]) == [(0,), ()]
