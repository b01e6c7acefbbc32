"""Learned weights: the features of a state that have weights, the values that follow from these, and learning."""

from __future__ import annotations

from math import exp
from typing import Any
from zlib import crc32

import pytest

import shibumi3d
from shibumi3d.i18n import InvalidValueError
from shibumi3d.rules.marbles.engine.learned_evaluation import (
    EYE_CLASSES,
    FREEDOM_CLASSES,
    MAX_GROUP_SIZE,
    UPPER_FREEDOM_CLASSES,
)
from shibumi3d.rules.marbles.engines import get_engine
from shibumi3d.rules.marbles.search import learning
from shibumi3d.rules.marbles.search.symmetry import find_approximate_symmetries

ONE = 65_536
"""A weight of 1, in the unit in which weights are stored."""
WHITE, BLACK = 2, 3
"""Offsets, from the first weight of a point, of the weights for a marble of the first and second colour there."""


def weights_of(name: str, seats: int = 2, **form: object) -> tuple[object, ...]:
    game = shibumi3d.game(name, **form)
    fast = game.make_fast_game(seats)
    fast.load(game.start(seats))
    return game, fast, learning.create_weights(game, fast.machine, seats)


def test_untrained_weights_value_every_moment_evenly() -> None:
    for name, seats in (("spline", 2), ("spurn", 3)):
        _, fast, weights = weights_of(name, seats)
        weights.find_active(fast.machine)
        weights.compute_shares()
        assert [share.value for share in weights.shares] == [1 / seats] * seats


def test_symmetric_corners_share_a_weight() -> None:
    """All weights are zero except that of a white marble in a corner, which is 1.

    With a white marble in any corner, White's value is 1 / (1 + 1/e).
    """
    game, fast, weights = weights_of("spline")
    boards, _ = learning.get_features(game, 2)
    points = [piece for piece in boards[0] if piece.other_point < 0 and not piece.mask]
    assert len({piece.first_weight for piece in points[:16]}) == 3  # corners, edges and the middle of level A
    numbers = [0] * len(weights.weights)
    numbers[points[0].first_weight + WHITE] = ONE
    weights.set_weights(numbers)
    for at, worth in (("Aa1", 1.0), ("Ad1", 1.0), ("Ad4", 1.0), ("Ab1", 0.0), ("Ab2", 0.0)):
        state, _ = game.apply(game.start(2), f"W@{at}")
        fast.load(state)
        weights.find_active(fast.machine)
        weights.compute_shares()
        assert weights.shares[0].value == pytest.approx(1 / (1 + exp(-worth)))
        assert weights.shares[0].value + weights.shares[1].value == 1.0


def test_owned_sides_reduce_board_symmetries() -> None:
    """In Sponnect, each player owns two opposite sides, so only four of a square's symmetries remain.

    These are the identity, the half turn, and the reflections that swap two opposite sides. Quarter turns and diagonal
    reflections would swap the players' sides.
    """
    assert len(find_approximate_symmetries(shibumi3d.game("spline"), 2)) == 8
    assert len(find_approximate_symmetries(shibumi3d.game("sponnect"), 2)) == 4


def test_line_weights_count_marbles() -> None:
    """The weight of two white marbles and a black one in an edge row is 1; all other weights are zero.

    Rank 1 of level A is an edge row, and contains these marbles only after the fourth move. White's value is then 1 /
    (1 + 1/e); before, it is 1/2.
    """
    game, fast, weights = weights_of("spline")
    boards, _ = learning.get_features(game, 2)
    row = next(piece for piece in boards[0] if piece.point < 0 and piece.mask == 0b1111)
    numbers = [0] * len(weights.weights)
    numbers[row.first_weight + 2 * 5 + 1] = ONE
    weights.set_weights(numbers)
    state = game.start(2)
    worths = []
    for move in ("W@Aa1", "B@Ac2", "W@Ab1", "B@Ac1"):
        state, _ = game.apply(state, move)
        fast.load(state)
        weights.find_active(fast.machine)
        weights.compute_shares()
        worths.append(weights.shares[0].value)
    assert worths[:3] == [0.5] * 3
    assert worths[3] == pytest.approx(1 / (1 + exp(-1)))


def values_after(name: str, moves: str, indices: list[int], **form: object) -> list[float]:
    """Return White's value, from 0 to 1, after each of ``moves``, a string of moves separated by spaces.

    The weights at ``indices`` are set to one, all others to zero. ``form`` is passed to :func:`shibumi3d.game`.
    """
    game, fast, weights = weights_of(name, **form)
    numbers = [0] * len(weights.weights)
    for index in indices:
        numbers[index] = ONE
    weights.set_weights(numbers)
    state, shares = game.start(2), []
    for move in moves.split():
        state, _ = game.apply(state, move)
        fast.load(state)
        weights.find_active(fast.machine)
        weights.compute_shares()
        shares.append(weights.shares[0].value)
    return shares


def group_weight(colour: int, chooser: int, size: int, freedoms: int, eyes: int) -> int:
    """Return the index of the weight of a group in Spargo, for the first stage of a match.

    ``colour`` is the number of the group's colour, and ``chooser`` the seat that must choose. ``size`` is the number of
    marbles in the group (4: four or more), ``freedoms`` the number of its freedoms on the lowest level (5: five or
    more), and ``eyes`` the number of eyes next to it (2: two or more).
    """
    _, _, weights = weights_of("spargo")
    width = FREEDOM_CLASSES * EYE_CLASSES + UPPER_FREEDOM_CLASSES
    row = (
        weights.group_offset + ((chooser * weights.colour_count + colour) * MAX_GROUP_SIZE + size - 1) * width
    )
    return row + freedoms * EYE_CLASSES + eyes


def test_groups_count_size_freedoms_and_chooser() -> None:
    """A group of the only kind that has a weight raises White's value from 1/2 to 1 / (1 + 1/e).

    A kind of group is determined by its colour, size, freedoms and eyes, and by the seat that must choose. Three kinds
    are tested: a single black marble with one freedom (Black to choose), a white pair with four freedoms (White to
    choose), and a single white marble with two freedoms, one of which is an eye (Black to choose). The freedoms of a
    group are the playable points that touch it.
    """
    one = 1 / (1 + exp(-1))
    last_freedom = group_weight(1, 1, 1, 1, 0)
    assert values_after("spargo", "W@Ac3 B@Aa1 W@Ab1 B@Ad4", [last_freedom]) == [0.5, 0.5, one, 0.5]
    pair = group_weight(0, 0, 2, 4, 0)
    assert values_after("spargo", "W@Aa2 B@Ad4 W@Ab2 B@Ad1", [pair])[3] == 0.5, "five freedoms"
    assert values_after("spargo", "W@Aa2 B@Ab1 W@Ab2 B@Ad1", [pair])[3] == one
    eye = group_weight(0, 1, 1, 2, 1)
    assert values_after("spargo", "W@Ab1 B@Ad1 W@Aa2 B@Ad4 W@Ac4", [eye])[2:] == [0.5, 0.5, 0.5]
    assert values_after("spargo", "W@Ab1 B@Ac1 W@Aa2", [eye])[2] == one


def test_marbles_count_by_the_freedoms_of_their_group() -> None:
    """A white marble adds 1/2 if its group has four freedoms and no eyes; all other weights are zero.

    The freedoms of a group are the playable points that touch it. A pair with four freedoms therefore adds 1, and so do
    two single marbles with four freedoms each. A pair with five freedoms adds nothing. If the sum is x, White's value
    is 1 / (1 + exp(-x)). Feature versions before 3 have no weights of this kind.
    """
    game, fast, weights = weights_of("spargo")
    per_marble = (
        weights.marble_offset + 4 * EYE_CLASSES
    )  # first stage, White to choose, white marbles, no eyes
    numbers = [0] * len(weights.weights)
    numbers[per_marble] = ONE // 2
    weights.set_weights(numbers)
    for moves, expected in (
        ("W@Aa2 B@Ab1 W@Ab2 B@Ad1", 1.0),  # a pair with the freedoms Aa1, Aa3, Ab3 and Ac2
        ("W@Aa2 B@Ad4 W@Ab2 B@Ad1", 0.0),  # the same pair with five freedoms
        ("W@Ab2 B@Ad4 W@Ac3 B@Ad1", 1.0),  # two single marbles with four freedoms each
    ):
        state = game.start(2)
        for move in moves.split():
            state, _ = game.apply(state, move)
        fast.load(state)
        weights.find_active(fast.machine)
        weights.compute_shares()
        assert weights.shares[0].value == pytest.approx(1 / (1 + exp(-expected))), moves
    before = learning.create_weights(game, fast.machine, 2, 2)
    assert len(weights.weights) - len(before.weights) == 3 * 2 * 3 * FREEDOM_CLASSES * EYE_CLASSES


def test_neighbours_are_counted_around_a_point() -> None:
    """Only one pattern has a weight: Ab2 is empty, with two white neighbours and a black one on level A.

    The third move completes this pattern and the fourth keeps it, so White's value rises from 1/2 to 1 / (1 + 1/e).
    Feature version 1 has no patterns of a point and its neighbours.
    """
    game = shibumi3d.game("spline")
    boards, _ = learning.get_features(game, 2)
    point = game.start(2)._rules.pyramid.point_by_name["Ab2"]
    around = next(
        piece for piece in boards[0] if piece.point == point and piece.mask and piece.mask >> point == 0b10010
    )
    weight = around.first_weight + 25 * 1 + 2 * 5 + 1
    shares = values_after("spline", "W@Ab1 B@Aa2 W@Ab3 B@Ad4", [weight])
    assert shares == [0.5, 0.5, 1 / (1 + exp(-1)), 1 / (1 + exp(-1))]
    plain, _ = learning.get_features(game, 2, feature_version=1)
    assert around not in plain[0]


def test_lesson_adjusts_every_active_weight() -> None:
    """A weight rises by 0.05 each time it is active: the learning rate, 0.1, times the error, 1 - 1/2.

    Untrained weights estimate White's chance of winning at 1/2, and the target is 1. Weights are stored in units of
    1/65,536; in these units, 0.05 is rounded down to 3,276. A weight that symmetric points share may be active for
    several of them, and then rises several times. After the lesson, White's chance is estimated at more than 0.99.
    """
    _, fast, weights = weights_of("spline")
    weights.find_active(fast.machine)
    weights.adjust(0, 1.0, 0.1)
    moved = {number for number in weights.weight_values() if number}
    assert len([number for number in weights.weight_values() if number]) > 3
    assert all(number % 3_276 == 0 for number in moved)
    weights.find_active(fast.machine)
    weights.compute_shares()
    assert weights.shares[0].value > 0.99


def test_learning_is_deterministic_in_both_engine_modes() -> None:
    """The checksum of the learned weights was computed in plain Python; the compiled engine must match it."""
    game = shibumi3d.game("spline", size=3)
    once = learning.run_lesson(game, 2, [], 0, 60)
    assert once == learning.run_lesson(game, 2, [], 0, 60)
    assert once != learning.run_lesson(game, 2, [], 0, 60, seed=1)
    assert once != learning.run_lesson(game, 2, [], 1, 60)
    assert crc32(repr(once).encode()) == DIGEST
    further = learning.run_lesson(game, 2, once, 1, 60)
    assert sum(number != 0 for number in further) > sum(number != 0 for number in once)


DIGEST = 1_565_233_613


def test_larger_boards_learn_from_fewer_matches() -> None:
    found = [learning.count_course_matches(shibumi3d.game("spline", size=size), 2) for size in (4, 5, 6)]
    assert found[0] == learning.MAX_MATCHES
    assert found[0] > found[1] > found[2] > 100
    assert found == [
        learning.count_course_matches(shibumi3d.game("spline", size=size), 2) for size in (4, 5, 6)
    ]


def test_learned_weights_prefer_completing_a_line() -> None:
    """On Spline's 3 × 3 board, a full line of three marbles on the lowest level wins.

    White has two of the three marbles in rank 1. After learning, White's search completes that line.
    """
    game, fast, weights = weights_of("spline", size=3)
    weights.set_weights(learning.run_lesson(game, 2, [], 0, 120))
    state = game.start(2)
    for move in ("W@Aa1", "B@Ac3", "W@Ab1", "B@Ab3"):
        state, _ = game.apply(state, move)
    fast.load(state)
    for minimax_share in (0.0, 0.5):
        fast.load(state)
        tree = get_engine(3).SearchTree(fast.machine, False, False, 0, 1.0, 40, False)
        tree.use_weights(weights, 1.0, 0.3, minimax_share)
        tree.run(60)
        code = tree.choice_statistics(0)[0][0]
        assert game.decode_move(state, code).text == "W@Ac1"


def minimax_tree(weights: Any) -> Any:
    """Return a search tree for the start of Spline on a 3 × 3 board, with a minimax share of one half.

    Its leaves are evaluated by ``weights`` alone. Each tree has its own machine, with the same seed.
    """
    _, fast, _ = weights_of("spline", size=3)
    tree = get_engine(3).SearchTree(fast.machine, False, False, 0, 1.0, 40, False)
    tree.use_weights(weights, 1.0, 0.3, 0.5)
    return tree


def test_children_are_evaluated_together_and_counted() -> None:
    """The first iteration evaluates all nine choices in the start position, and counts as nine iterations.

    The result doesn't depend on how the iterations are divided among calls.
    """
    _, _, weights = weights_of("spline", size=3)
    assert isinstance(weights, get_engine(3).Weights)
    weights.set_weights([number % 997 * 40 for number in range(len(weights.weights))])
    tree = minimax_tree(weights)
    assert tree.run(1)
    assert tree.iterations == 9
    assert [visits for _, visits, *_ in tree.choice_statistics(0)] == [1] * 9
    for number in (1, 2, 3, 4, 90):
        assert tree.run(number)
    at_once = minimax_tree(weights)
    assert at_once.run(101)
    assert at_once.iterations == tree.iterations >= 101
    assert at_once.choice_statistics(0) == tree.choice_statistics(0)


def test_minimax_search_proves_the_same_winner() -> None:
    """White wins Spline on a 3 × 3 board; the search proves this even if all weights are zero.

    The search stops before 100,000 iterations because both bounds on White's value have reached 2, which stands for a
    win. At least one first move then has the same bounds.
    """
    _, _, weights = weights_of("spline", size=3)
    tree = minimax_tree(weights)
    assert not tree.run(100_000)
    assert (tree.root.low, tree.root.high) == (2, 2)
    best = tree.choice_statistics(0)
    assert {(low, high) for _, _, _, low, high, _ in best} & {(2, 2)}


@pytest.mark.parametrize(
    ("name", "seats", "why"),
    [
        ("splink", 2, "a match is a series of games, and training only handles a single game"),
        ("spagyric", 2, "too much depends on hidden information, and training only sees the board"),
        ("spalone", 1, "there is no opponent to practise against"),
    ],
)
def test_games_that_cannot_learn_are_refused(name: str, seats: int, why: str) -> None:
    game = shibumi3d.game(name)
    with pytest.raises(InvalidValueError) as raised:
        learning.run_lesson(game, seats, [], 0, 1)
    assert raised.value.message.text == why


@pytest.mark.parametrize(
    ("name", "seats", "what"),
    [
        ("spurn", 3, "three seats"),
        ("spoker", 2, "chance"),
        ("spair", 2, "several boards"),
        ("sphlying-marbles", 3, "a deal"),
    ],
)
def test_learned_shares_sum_to_one_for_each_game(name: str, seats: int, what: str) -> None:
    """Learned weights predict each seat's share of a win, and these shares add up to one.

    The weights come from a lesson of four matches, which gives the same weights each time. With two seats, one set of
    weights serves both; with more, each seat has its own set.
    """
    game, fast, weights = weights_of(name, seats)
    numbers = learning.run_lesson(game, seats, [], 0, 4)
    assert numbers == learning.run_lesson(game, seats, [], 0, 4)
    part = len(numbers) // (1 if seats == 2 else seats)
    assert all(any(numbers[at : at + part]) for at in range(0, len(numbers), part))
    weights.set_weights(numbers)
    weights.find_active(fast.machine)
    weights.compute_shares()
    assert sum(share.value for share in weights.shares) == pytest.approx(1)
    assert len({share.value for share in weights.shares}) > 1
    boards, _ = learning.get_features(game, seats)
    assert len(boards) == (2 if what == "several boards" else 1)
    first = {piece.first_weight for piece in boards[0]}
    assert not any(first & {piece.first_weight for piece in board} for board in boards[1:])


def test_weights_of_another_game_are_refused() -> None:
    _, _, weights = weights_of("spline")
    with pytest.raises(InvalidValueError, match="2 weights"):
        weights.set_weights([0, 1])
