"""Golden Spiral without jokers: values and strategies that are known by other means."""

from __future__ import annotations

import pytest

import shibumi3d
from shibumi3d.search.golden_spiral_solver import ClashSolver, solve_matrix_game


def clashes() -> ClashSolver:
    return ClashSolver(shibumi3d.game("golden-spiral").rules)


def test_solver_matches_a_hand_solved_matrix() -> None:
    """Matching pennies: the row player gets 2 for two heads, 1 for two tails, and -1 otherwise.

    If the row player shows heads with probability p, the value is 3p - 1 against heads and 1 - 2p against tails. These
    two values are equal at p = 2/5, where the value is 1/5. Since the matrix is symmetric, the column player's best
    strategy is the same.
    """
    value, mine, theirs = solve_matrix_game([[2, -1], [-1, 1]])
    assert value == pytest.approx(1 / 5)
    assert mine == pytest.approx([2 / 5, 3 / 5])
    assert theirs == pytest.approx([2 / 5, 3 / 5])


def test_dominant_row_is_always_chosen() -> None:
    assert solve_matrix_game([[1, 2, 3], [0, 1, 2]]) == (1, [1, 0], [1, 0, 0])


def test_opening_mix_matches_the_design() -> None:
    """The optimal first number is 5, 6 or 10, with probabilities of about 20%, 51% and 29%.

    The solver plays Golden Spiral without jokers. In a clash, each seat secretly sets a number; ``mix`` lists the
    probabilities of the numbers 1, 2 and so on. Both seats begin with 13 Gold and no Spiral. As neither has an
    advantage, the value of the start is 0.
    """
    game = clashes()
    mix = game.optimal_strategy((13, 0, 13, 0))
    assert mix[4] == pytest.approx(0.20, abs=0.02)
    assert mix[5] == pytest.approx(0.51, abs=0.02)
    assert mix[9] == pytest.approx(0.29, abs=0.02)
    assert sum(mix) == pytest.approx(1)
    assert game.value((13, 0, 13, 0)) == 0
    # There are 3,812 positions: these and the two final ones.
    assert game.count_solved() + 2 == 3812


def test_no_answer_beats_the_opening_mix() -> None:
    game = clashes()
    mix = game.optimal_strategy((13, 0, 13, 0))
    for answer in range(1, 13):
        gain = 0.0
        for number, often in enumerate(mix, 1):
            after = game.position_after((13, 0, 13, 0), number, answer)
            gain += often * (after if isinstance(after, float) else game.value(after))
        assert gain > -1e-6


@pytest.mark.parametrize(
    ("position", "value"),
    [
        # Seat 0 has one Gold and so is in Default; if both are, the one with more Spiral wins.
        ((1, 5, 4, 0), -1.0),
        ((1, 5, 1, 4), 1.0),
        ((1, 4, 1, 4), 0.0),
        ((2, 0, 1, 9), 1.0),
        ((1, 9, 2, 0), -1.0),
        # With two Gold each and no Spiral, both can only set 1, for ever.
        ((2, 0, 2, 0), 0.0),
        # Three Gold against two: the other can only set 1, so setting 2 leaves it with one Gold.
        ((3, 0, 2, 0), 1.0),
    ],
)
def test_simple_positions_have_hand_computed_values(
    position: tuple[int, int, int, int], value: float
) -> None:
    """A position consists of the Gold and Spiral medals of the first seat, then those of the second.

    The medals are those at the start of a clash. The value is 1 if the first seat wins, -1 if it loses and 0 if neither
    seat wins. In a clash, each player sets a number that is lower than their number of Gold medals. The player with the
    higher number turns that many Gold over to Spiral, and the other player loses as many Gold as the numbers differ;
    equal numbers change nothing. Then the player with less Gold turns up to two Spiral medals back to Gold, and the
    other player turns back one; if they are tied, each turns back one. A player who now has fewer than two Gold is in
    Default and loses; if both are in Default, the one with more Spiral wins.

    From (3, 0, 2, 0), the second seat can only set 1. If the first seat sets 2, this leaves (1, 2, 1, 0). The first
    seat then turns one medal back and has 2 Gold, while the other, which has no Spiral medal, is in Default.
    """
    assert clashes().value(position) == pytest.approx(value, abs=1e-4)


def test_swapping_seats_negates_the_value() -> None:
    game = clashes()
    for position in ((8, 5, 11, 0), (4, 3, 6, 1), (10, 0, 7, 4)):
        assert game.value(position) == pytest.approx(-game.value((*position[2:], *position[:2])))
