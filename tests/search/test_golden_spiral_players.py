"""Computer players in Golden Spiral: what they must see, and that more thinking wins."""

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


def after(*moves: str) -> object:
    state = GAME.start(2)
    for move in moves:
        state, _ = GAME.apply(state, move)
    return state


def best(state: object) -> str:
    told = move_policy(GAME, GAME.observe(state, state.to_move), state.to_move)
    return max(told, key=lambda text: told[text][0])


def test_winning_second_clash_is_chosen() -> None:
    """Example 6: the other seat has one Gold, so it can set nothing."""
    assert best(after("12", "3", "pass")) == "second-clash"


def test_first_speaker_foresees_the_second_clash() -> None:
    """After 12 against 3 seat 0 speaks first with 1/12: whoever passes there has lost."""
    state = after("12", "3")
    told = move_policy(GAME, GAME.observe(state, 0), 0)
    assert told["pass"][1] == 0.0
    assert max(worth for _, worth in told.values()) > 0.3


def test_medals_are_turned_back_to_avoid_default() -> None:
    """3 against 2 with 4 and 5 Gold leaves seat 0 one Gold and three Spiral: to turn none back is Default."""
    state = after("7", "5", "pass", "pass")
    assert best(state) == "2"


def test_without_jokers_the_solved_mix_is_used() -> None:
    told = move_policy(PLAIN, PLAIN.observe(PLAIN.start(2), 1), 1)
    often = {int(text): part for text, (part, _) in told.items() if part > 0.001}
    assert often.keys() == {5, 6, 10}
    assert often[6] == pytest.approx(0.51, abs=0.02)


def test_chosen_numbers_follow_the_mix() -> None:
    """A strong player can't be read: of 60 openings of as many seeds the three numbers come up, none else."""
    view = PLAIN.observe(PLAIN.start(2), 0)
    drawn = Counter(player("mountain", seed).choose(PLAIN, view).move for seed in range(60))
    assert drawn.keys() == {"5", "6", "10"}
    assert drawn["6"] == max(drawn.values())


def test_hidden_number_does_not_affect_the_choice() -> None:
    """The computer in seat 1 thinks on its view: the same, whatever seat 0 has set."""
    chosen = set()
    for number in ("1", "12"):
        state = after(number)
        chosen.add(player("pebble", 3).choose(GAME, GAME.observe(state, 1), seat=1).move)
    assert len(chosen) == 1


@THOROUGH
def test_stronger_level_wins_more_games() -> None:
    """The third strength against the first, without jokers, where thinking is quick: it should win by far."""
    fought = list(
        play_series(PLAIN, [player("river", 1), player("pebble", 2)], match_count=20, seed=5, opening_turns=0)
    )
    result = sum_up(fought, 2)
    assert result.unfinished == 0
    assert result.wins[0] > 1.5 * result.wins[1]
