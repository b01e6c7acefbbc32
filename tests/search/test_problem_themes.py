"""Themes of problems, on positions worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.problems import THEMES
from shibumi3d.search.problems.candidates import Candidate
from shibumi3d.search.problems.themes import THEME_TESTS, find_themes, pass_turn

EMPTY = "/...,...,.../..,../."
# White has three marbles in rank 1, Black three in rank 4.
RACE = "BBB.,....,....,WWW."
# White has two open rows of three, which end at Ad1 and Aa4.
TWICE = "....,W...,W.B.,WWW."
# White has two marbles in a file and two in a rank that cross at Aa1; whoever plays there gets or stops both.
CROSS = "....,W...,W.B.,.WW."
# The last three marbles of a cake; the line Aa1–Aa2 has two colours.
CAKE = "....,....,B...,WW.."


def make_candidate(game: str, board: str, to_move: int = 0, **more: Any) -> Candidate:
    on = load_catalogue().get(game).game()
    return Candidate(on, on.position(board + EMPTY, to_move=to_move, **more), ())  # type: ignore[attr-defined]


def themes_of(at: Candidate, *line: str, kind: str = "win", lost_at_once: int = 0) -> tuple[str, ...]:
    return find_themes(at, kind, [tuple(turn.split()) for turn in line], lost_at_once, 9)


def test_every_theme_has_a_test() -> None:
    assert tuple(THEME_TESTS) == THEMES


def test_immediate_win_and_saved_draw_themes() -> None:
    assert themes_of(make_candidate("spline", RACE), "W@Ad1") == ("at-once",)
    assert themes_of(make_candidate("spline", CROSS), "W@Aa1", kind="hold") == ("draw",)


def test_double_threat_and_block_themes() -> None:
    # If the reply stops neither row, there are two ways to win.
    assert themes_of(make_candidate("spline", CROSS), "W@Aa1", "B@Ac3", "W@Aa4") == ("double",)
    # Black stops one row, so the other wins.
    assert themes_of(make_candidate("spline", CROSS), "W@Aa1", "B@Ad1", "W@Aa4", lost_at_once=5) == ("block",)
    assert themes_of(make_candidate("spline", CROSS), "W@Aa1", "B@Ad1", "W@Aa4", lost_at_once=4) == ()


def test_skippable_turn_is_quiet() -> None:
    # In TWICE, Black can stop only one of the two rows; in CROSS, one marble stops both.
    assert "quiet" in themes_of(make_candidate("spline", TWICE), "W@Ab2", "B@Ad1", "W@Aa4")
    assert "quiet" not in themes_of(make_candidate("spline", CROSS), "W@Aa1", "B@Ad1", "W@Aa4")


def test_zugzwang_theme_is_detected() -> None:
    # White leaves one marble, which Black has to eat. If Black could pass, White would have to.
    cake = themes_of(make_candidate("special-cake", CAKE, phase=1), "Aa1+Aa2 xAa1 xAa2", "xAb1")
    assert "zugzwang" in cake
    assert "quiet" not in cake
    # With a threat on the board, Black would lose even if it could pass.
    assert "zugzwang" not in themes_of(make_candidate("spline", CROSS), "W@Aa1", "B@Ad1", "W@Aa4")


def test_sacrifice_theme_is_detected() -> None:
    assert "sacrifice" in themes_of(
        make_candidate("special-cake", CAKE, phase=1), "Aa1+Aa2 xAa1 xAa2", "xAb1"
    )
    # Black's marble stays on the board; the one eaten is White's.
    assert "sacrifice" not in themes_of(make_candidate("special-cake", CAKE, 1, phase=1), "xAb1")


@pytest.mark.parametrize(
    ("platform", "climbs"), [("BW..,BB..", True), ("BW..,BW..", False), ("WW..,WB..", False)]
)
def test_climb_theme_needs_mostly_marbles_below(platform: str, climbs: bool) -> None:
    found = themes_of(make_candidate("spline", f"....,....,{platform}"), "W@Ba1", "B@Ad4", "W@Ad1")
    assert ("climb" in found) is climbs


def test_fall_theme_is_detected() -> None:
    game = load_catalogue().get("spline-plus").game()
    board = "WW.W,....,WB..,BB../...,...,W../..,../."
    at = Candidate(game, game.position(board), ())  # type: ignore[attr-defined]
    assert themes_of(at, "^Aa2 >Ac4") == ("at-once", "fall")


@pytest.mark.parametrize(("hand", "is_last"), [("W", True), ("WW", False)])
def test_last_marble_theme_is_detected(hand: str, is_last: bool) -> None:
    at = make_candidate("spack", "....,....,....,....", stocks={"hand": [hand, "RRR"]})
    assert ("last" in themes_of(at, "W@Aa1", kind="hold")) is is_last


def test_turn_can_be_passed_only_in_plain_positions() -> None:
    at = make_candidate("spline", RACE)
    other = pass_turn(at.game, at.state)
    assert (other.to_move, other.boards) == (1, at.state.boards)
    over, _ = at.game.apply(at.state, "W@Ad1")
    assert pass_turn(at.game, over) is None
    # The board doesn't show which marble was placed last.
    game = load_catalogue().get("spaghetti").game()
    state, _ = game.apply(game.start(), "B@Ab2")
    state, _ = game.apply(state, "R@Ab3")
    assert pass_turn(game, state) is None
