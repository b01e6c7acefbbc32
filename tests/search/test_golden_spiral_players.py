"""Computer players in Golden Spiral: what they must notice, and that higher levels win more."""

from __future__ import annotations

from collections import Counter

import pytest

import shibumi3d
from shibumi3d.search.arena import play_series, sum_up
from shibumi3d.search.golden_spiral import move_policy
from shibumi3d.search.players import player
from tests.share import THOROUGH

GAME = shibumi3d.game("golden-spiral")
PLAIN = shibumi3d.game("golden-spiral", variant="without jokers")


def state_after(*moves: str) -> object:
    state = GAME.start(2)
    for move in moves:
        state, _ = GAME.apply(state, move)
    return state


def best_move(state: object) -> str:
    policy = move_policy(GAME, GAME.observe(state, state.to_move), state.to_move)
    return max(policy, key=lambda text: policy[text][0])


def test_winning_second_clash_is_chosen() -> None:
    """Example 6 of the rules: the other seat has one Gold medal, so it can't set a number."""
    assert best_move(state_after("12", "3", "pass")) == "second-clash"


def test_first_speaker_foresees_the_second_clash() -> None:
    """After 12 against 3, seat 0 speaks first with 1 Gold and 12 Spiral; passing loses."""
    state = state_after("12", "3")
    policy = move_policy(GAME, GAME.observe(state, 0), 0)
    assert policy["pass"][1] == 0.0
    assert max(worth for _, worth in policy.values()) > 0.3


def test_medals_are_turned_back_to_avoid_default() -> None:
    """After 7 against 5 and two passes, seat 0 has 6 Gold and 7 Spiral, and may turn up to two medals back."""
    state = state_after("7", "5", "pass", "pass")
    assert best_move(state) == "2"


def test_without_jokers_the_solved_mix_is_used() -> None:
    policy = move_policy(PLAIN, PLAIN.observe(PLAIN.start(2), 1), 1)
    often = {int(text): part for text, (part, _) in policy.items() if part > 0.001}
    assert often.keys() == {5, 6, 10}
    assert often[6] == pytest.approx(0.51, abs=0.02)


def test_chosen_numbers_follow_the_mix() -> None:
    """A strong player is unpredictable: 60 seeds lead to the three optimal opening numbers and no others."""
    view = PLAIN.observe(PLAIN.start(2), 0)
    drawn = Counter(player("mountain", seed).choose(PLAIN, view).move for seed in range(60))
    assert drawn.keys() == {"5", "6", "10"}
    assert drawn["6"] == max(drawn.values())


def test_hidden_number_does_not_affect_the_choice() -> None:
    chosen = set()
    for number in ("1", "12"):
        state = state_after(number)
        chosen.add(player("pebble", 3).choose(GAME, GAME.observe(state, 1), seat=1).move)
    assert len(chosen) == 1


@THOROUGH
def test_stronger_level_wins_more_games() -> None:
    """River wins more than 1.5 times as many games as pebble.

    They play without jokers, so that choices are fast.
    """
    fought = list(
        play_series(PLAIN, [player("river", 1), player("pebble", 2)], match_count=20, seed=5, opening_turns=0)
    )
    result = sum_up(fought, 2)
    assert result.unfinished == 0
    assert result.wins[0] > 1.5 * result.wins[1]
