"""Comparison of the turn that a tip recommends with the turn that ignores it."""

from __future__ import annotations

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.shown_problems import tip_lesson
from shibumi3d.catalogue.tips import lesson_state
from shibumi3d.search.tips import measure_tip
from tests.rules.inline import inline

GUESS = """
    players: 2
    seats: none
    stocks: {hand: {each: {white: 1, black: 1}, see: me}, fist: {each: {}}}
    turn:
      - {by: everyone, secret: true, do: {give: colours(hand), from: hand, to: fist}}
    end:
      - {when: fist(seat(1)) & white and fist(seat(2)) & white, win: seat(2)}
      - {when: fist(seat(1)) & black and fist(seat(2)) & black, win: seat(2)}
      - {when: fist(seat(1)), win: seat(1)}
    """


def test_winning_turn_is_proved_to_be_better() -> None:
    game = load_catalogue().get("spline").game()
    state = game.position("WWW.,BBB.,....,..../...,...,.../..,../.")  # type: ignore[attr-defined]
    # White completes the first rank; if it doesn't, Black completes the second.
    margin = measure_tip(game, state, ["W@Ad4"], ["W@Aa1"], 50)
    assert (margin.points, margin.is_proved, margin.is_enough) == (100.0, True, True)
    turned = measure_tip(game, state, ["W@Aa1"], ["W@Ad4"], 50)
    assert (turned.points, turned.is_proved, turned.is_enough) == (-100.0, False, False)


def test_equivalent_turns_make_no_tip() -> None:
    game = load_catalogue().get("span").game()
    margin = measure_tip(game, game.start(), ["W@Aa1"], ["W@Ad4"], 50)  # opposite corners
    assert not margin.is_proved
    assert abs(margin.points) < 15


def test_turn_of_several_moves_is_measured_as_a_whole() -> None:
    entry = load_catalogue().get("sp-dancers")
    lesson = tip_lesson(entry.id, entry.tips[1])
    game = entry.game()
    state = lesson_state(game, lesson)
    assert len(lesson.moves) == 2
    margin = measure_tip(game, state, lesson.moves, ["W@Ac4", "B@Bc3"], 50)
    assert margin.is_proved


def test_turn_that_loses_a_solo_game_is_worth_nothing() -> None:
    game = load_catalogue().get("spruit").game()
    state = game.start(1, 50)
    for move in ["R@Bc3", "W>Bc3/N", "B>Bc3/E", "B>Bb3/N", "B>Bc3/N"]:
        state, _ = game.apply(state, move)
    # The white marble that enters from the north is isolated, which loses at once.
    margin = measure_tip(game, state, ["W>Bc3/E"], ["W>Bb3/N"], continuations=4)
    assert margin.ignored.value == 0.0
    assert margin.followed.value > 0.0


def test_turn_that_ends_a_score_game_is_judged_by_its_score() -> None:
    game = load_catalogue().get("spuzzle").game(size=3)
    state = game.position("WWR,BRW,RWR/RB,../.")  # type: ignore[attr-defined]
    # Either marble can still be placed; the black one leaves no place for another.
    margin = measure_tip(game, state, ["W@Ba1"], ["B@Ba1"])
    assert (margin.is_for_score, margin.is_proved, margin.points) == (True, True, 100.0)
    turned = measure_tip(game, state, ["B@Ba1"], ["W@Ba1"])
    assert (turned.is_proved, turned.points) == (False, -100.0)


@pytest.mark.parametrize(("first", "other"), [("W!", "B!"), ("B!", "W!")])
def test_choice_made_in_secret_is_answered_without_knowing_it(first: str, other: str) -> None:
    """The second player doesn't know the first player's secret choice, so neither choice is better.

    In this game, each player secretly chooses a white or a black marble. The second player wins if both marbles have
    the same colour; otherwise, the first player wins. A second player who knew the first player's choice would always
    win. Without that knowledge, nothing is proved, each choice is worth about 0.5 to the first player, and the margin
    between them is small.
    """
    game = inline(GUESS)
    margin = measure_tip(game, game.start(2), [first], [other], continuations=60)
    assert not margin.is_proved
    assert abs(margin.points) < 40
    assert 0.2 < margin.followed.value < 0.8
