"""Every game has a golden playthrough and a perft table, and still matches them."""

from __future__ import annotations

import pytest

import shibumi3d
from shibumi3d.rules.marbles.perft import count_by_move, count_by_turn
from tests.games.goldens import HERE, depths, golden_game, golden_names, perft_table, playthrough
from tests.marble_games import thinned

GAMES = golden_names()


@pytest.mark.parametrize("name", GAMES)
def test_playthrough_matches_the_golden_file(name: str) -> None:
    expected = (HERE / "playthroughs" / f"{name}.txt").read_text(encoding="utf-8")
    assert playthrough(golden_game(name)) == expected


@pytest.mark.parametrize("name", thinned(GAMES, 12, 2))
def test_perft_matches_the_golden_file(name: str) -> None:
    expected = (HERE / "perft" / f"{name}.txt").read_text(encoding="utf-8")
    assert perft_table(golden_game(name), *depths(expected)) == expected


def test_no_golden_file_is_left_over() -> None:
    for folder in ("playthroughs", "perft"):
        assert {path.stem for path in (HERE / folder).glob("*.txt")} == set(GAMES)


def test_spline_perft_matches_hand_calculation() -> None:
    """The numbers of move sequences, up to five moves long, are worked out by hand.

    The first four marbles must go into the 16 holes, because a point of level B needs four marbles below it. This gives
    16·15·14·13 = 43,680 sequences. The ones that fill a 2×2 block (9 blocks, 24 orders each) leave 13 playable points,
    and the others leave 12. There are therefore 43,680·12 + 9·24 = 524,376 sequences of five moves.
    """
    state = shibumi3d.game("spline").start()
    assert count_by_move(state, 4) == [16, 240, 3360, 43680]
    assert count_by_turn(state, 3) == [16, 240, 3360]
    assert 43680 * 12 + 9 * 24 == 524376
    assert count_by_move(state, 5)[-1] == 524376
