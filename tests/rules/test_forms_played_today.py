"""Forms of games that are played online: their start positions, and numbers of turns worked out by hand."""

from __future__ import annotations

import pytest

import shibumi3d
from shibumi3d.rules.marbles.perft import count_by_turn


def levels_of(board: str) -> list[list[str]]:
    """Return the levels of a board text, each as the list of its rows from south to north."""
    return [level.split(",")[::-1] for level in board.split("/")]


def count_small_pyramids(board: str, colour: str) -> int:
    """Return how many marbles of a colour rest on four marbles of that colour."""
    levels = levels_of(board)
    return sum(
        all(
            cell == colour
            for cell in (
                levels[k][j][i],
                levels[k - 1][j][i],
                levels[k - 1][j][i + 1],
                levels[k - 1][j + 1][i],
                levels[k - 1][j + 1][i + 1],
            )
        )
        for k in range(1, len(levels))
        for j in range(len(levels[k]))
        for i in range(len(levels[k]))
    )


@pytest.mark.parametrize(("size", "red", "black"), [(3, 7, 6), (4, 15, 14), (5, 27, 27)])
def test_spook_starts_at_random_but_evenly(size: int, red: int, black: int) -> None:
    game = shibumi3d.game("spook", variant="random start", size=size)
    boards = set()
    pyramids = set()
    for seed in range(20):
        board = game.start(seed=seed).boards[0]
        boards.add(board)
        assert (board.count("R"), board.count("B")) == (red, black)
        assert levels_of(board)[-1] == ["W"]
        assert {"R", "B"} == set("".join(levels_of(board)[-2]))
        pyramids.add(count_small_pyramids(board, "R"))
        assert count_small_pyramids(board, "R") == count_small_pyramids(board, "B")
    assert len(boards) > 15
    assert len(pyramids) > 1 or size == 3


def test_sploof_full_board_counts_match_hand_calculation() -> None:
    """With 16 platforms to fill and 25 red marbles to take, Sploof has 41 first turns.

    After a marble is placed, 15 platforms are left. All 25 red marbles can still be taken, even those under the placed
    marble, because a red marble is pinned only if it carries two or more others. After a red marble is taken, its hole
    can be filled, 24 red marbles remain, and the platforms that rested on it are gone: 1 for each of the 4 marbles in a
    corner, 2 for each of the 12 at an edge, and 4 for each of the 9 inside.
    """
    state = shibumi3d.game("sploof", variant="full board").start()
    second = 16 * (15 + 25) + 4 * (15 + 1 + 24) + 12 * (14 + 1 + 24) + 9 * (12 + 1 + 24)
    assert count_by_turn(state, 2) == [41, second]
    assert {name: [sum(counts.values()) for counts in stock] for name, stock in state.reserves.items()} == {
        "box": [52],
        "reserve": [2, 2],
    }


def test_sponnect_first_turn_is_a_placement() -> None:
    """In the variant "no first pass", the first turn fills one of the 12 holes at the edge.

    Red marbles fill the four holes in the middle and the point on top of them, so no other point is playable. In this
    variant, the first turn can't be a pass. The second turn fills one of the other 11 holes or is a pass.
    """
    state = shibumi3d.game("sponnect", variant="no first pass").start()
    assert count_by_turn(state, 2) == [12, 12 * (11 + 1)]


@pytest.mark.parametrize("variant", ["margo", "margo superko"])
def test_margo_is_played_on_large_boards(variant: str) -> None:
    """The first two marbles can go into any empty hole.

    In Margo, a group must be directly beside an empty hole. Even a marble in a corner has two neighbouring holes, and
    the other marble can fill only one of them.
    """
    for size in (7, 9):
        game = shibumi3d.game("spargo", variant=variant, size=size)
        assert game.title == "Margo"
        assert count_by_turn(game.start(), 1) == [size**2]
    middle, _ = game.apply(game.start(), "W@Aa1")
    assert count_by_turn(middle, 1) == [9**2 - 1]


def test_usual_forms_stay_those_of_the_rule_book() -> None:
    usual = {name: shibumi3d.game(name) for name in ("spargo", "sploof", "spook", "sponnect")}
    assert {name: (game.size, game.variant) for name, game in usual.items()} == dict.fromkeys(usual, (4, ""))
    assert shibumi3d.game("spargo", variant="margo").size == 6
    assert not any(game.meta and game.meta["recommended"] for game in usual.values())
