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
    """Example 6 of the rules: a clash of 12 against 3 has left seat 0 with one Gold medal.

    A number must be lower than the player's own number of Gold medals, so seat 0 can't set one. A player who can't set
    a number is in Default and loses. Seat 1 therefore wins by announcing a second clash.
    """
    assert best_move(state_after("12", "3", "pass")) == "second-clash"


def test_first_speaker_foresees_the_second_clash() -> None:
    """After a clash of 12 against 3, seat 0 speaks first, and it loses if it passes.

    Seat 0 has 1 Gold and 12 Spiral. Seat 1 would answer with a Second Clash, in which both seats must set numbers lower
    than their own Gold. Seat 0 has no such number, and a seat that can't set a number is in Default and loses. Some
    jokers avert this, so the best choice has a value of more than 0.3, where 1 is a win.
    """
    state = state_after("12", "3")
    policy = move_policy(GAME, GAME.observe(state, 0), 0)
    assert policy["pass"][1] == 0.0
    assert max(worth for _, worth in policy.values()) > 0.3


def test_medals_are_turned_back_to_avoid_default() -> None:
    """After 7 against 5 and two passes, seat 0 turns back as many medals as it may, which is two.

    Seat 0 set the higher number, 7, and therefore turned 7 of its 13 Gold medals over to Spiral. It has 6 Gold left,
    less than the other seat, and may turn up to two Spiral medals back to Gold. A seat with too little Gold to set a
    number or to pay is in Default and loses.
    """
    state = state_after("7", "5", "pass", "pass")
    assert best_move(state) == "2"


def test_without_jokers_the_solved_mix_is_used() -> None:
    policy = move_policy(PLAIN, PLAIN.observe(PLAIN.start(2), 1), 1)
    often = {int(text): part for text, (part, _) in policy.items() if part > 0.001}
    assert often.keys() == {5, 6, 10}
    assert often[6] == pytest.approx(0.51, abs=0.02)


def test_chosen_numbers_follow_the_mix() -> None:
    """A strong player opens at random, as the optimal strategy requires.

    Without jokers, this strategy sets 5, 6 or 10, and 6 about half of the time. The test asks the player with 60
    different seeds: it chooses each of these numbers at least once, 6 most often, and no other number.
    """
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
