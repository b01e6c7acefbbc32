"""The status line says what a click would do, for every clickable spot of every game."""

from __future__ import annotations

from random import Random

import pytest

import shibumi3d
from shibumi3d.app.match.marble_view.controller import Controller, Spot
from shibumi3d.match.match import Match
from tests.games.test_move_predictions import certain_events, has_hidden_information, missing_effects
from tests.marble_games import marble_games
from tests.share import some


@pytest.mark.parametrize("name", some([entry.id for entry in marble_games()], 33))
def test_no_hover_description_only_names_a_point(name: str) -> None:
    game = shibumi3d.game(name)
    seats = game.players[0]
    match = Match(game, [f"Player {number + 1}" for number in range(seats)], 11)
    rng = Random(name)
    control = Controller(match)
    wrong = set()
    for _ in range(80):
        if not control.moves:
            break
        for colour in control.available_colours or (-1,):
            control.choose_colour(colour)
            targets = control.targets
            for spot in rng.sample(targets, min(4, len(targets))):
                line = control.describe_click(spot)
                moves = control.moves_by_spot[spot]
                if len(moves) != 1:
                    if "choose" not in line and " – " not in line:
                        wrong.add(line)
                    continue
                _, events = game.apply(match.state, moves[0])
                lacking = missing_effects(
                    line, certain_events(events), not has_hidden_information(game, match.state), spot.point
                )
                if lacking:
                    wrong.add(f"{moves[0]}: '{line}' lacks {', '.join(lacking)}")
        match.play(rng.choice(control.moves))
        control.refresh()
    assert not wrong


def make_controller(name: str, *moves: str) -> Controller:
    match = Match(shibumi3d.game(name), ["Aiko", "Ben"][: shibumi3d.game(name).players[0]], 1)
    for move in moves:
        match.play(move)
    return Controller(match)


def spot_named(control: Controller, name: str) -> Spot:
    return Spot(0, control.match.state.pyramid.point_by_name[name])


def test_hover_description_announces_a_winning_line() -> None:
    """In Spline, four white marbles in a row on level A, from edge to edge, win (rule book, p. 19)."""
    control = make_controller("spline", "W@Ad1", "B@Aa1", "W@Ad3", "B@Aa2", "W@Ad4", "B@Ab1")
    assert control.describe_click(spot_named(control, "Ad2")) == "Ad2 – wins: full line, Ad1–Ad4"
    assert control.describe_click(spot_named(control, "Ac1")) == "Ac1 – ends the turn"


def test_hover_description_gives_the_points_of_every_seat() -> None:
    """In Sprite, a black marble scores a point for each red one it touches when placed (rule book, p. 64)."""
    control = make_controller("sprite", "W@Aa1", "W@Ad4", "R@Ad1")
    control.choose_colour(1)
    # Black on Ac1 touches the red of Ad1.
    assert control.describe_click(spot_named(control, "Ac1")).startswith("Ac1 – score: +1")


def test_ambiguous_click_is_described_as_such() -> None:
    """In Special Cake, a marble may be taken alone, or as the first of a line."""
    control = make_controller("special-cake")
    while control.match.state.phase == 0:
        control.play(control.moves[0])
    assert control.describe_click(spot_named(control, "Da1")) == "Da1 – take it or choose more marbles"


def test_hover_description_names_both_marbles_that_change_colour() -> None:
    """In Spin, a new marble and one of another colour that it touches both take the third colour.

    The red marble just placed on Ab1 touches the white one on Aa1. A click on Aa1 therefore turns both of them black
    (rule book, p. 76).
    """
    control = make_controller("spin", "W@Aa1", "R@Ab1")
    assert control.describe_click(spot_named(control, "Aa1")) == "Aa1 – Aa1 and Ab1 turn black, ends the turn"
