"""Every move of every game can be made with clicks, and a click makes only the intended move."""

from __future__ import annotations

import random

import pytest

import shibumi3d
from shibumi3d import wording
from shibumi3d.app.match.marble_view.controller import (
    AmbiguousClick,
    ClickRefused,
    Controller,
    MoveMade,
    SelectionChanged,
    Spot,
    StepUndone,
)
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.move import Move
from tests.marble_games import marble_games

ENTRIES = {entry.id: entry for entry in marble_games()}


def make_controller(name: str, *moves: str) -> Controller:
    match = Match(shibumi3d.game(name), ["Aiko", "Ben"], 1)
    for move in moves:
        match.play(move)
    return Controller(match)


def make_move_with_clicks(control: Controller, move: Move) -> None:
    before = control.match.cursor
    if move.kind in ("done", "pass"):
        chosen = control.finishing_move if move.kind == "done" else control.pass_move
        assert chosen == move
        control.play(move)
    elif (
        move in [control.shapes.placing_move(spot) for spot in control.targets]
        or control.shapes.orientations()
    ):
        # A shape is rotated until it fits the move, and then placed with one click on its first point.
        spot = Spot(move.board, next(iter_bits(move.value)))
        for _ in control.shapes.orientations():
            if control.shapes.placing_move(spot) == move:
                break
            control.shapes.rotation += 1
        assert control.shapes.placing_move(spot) == move
        preview = control.preview_click(spot)
        assert preview is not None
        assert preview.move == move
        assert isinstance(control.click(spot), MoveMade)
    elif move.kind == "points":
        for point in iter_bits(move.value):
            if control.match.cursor > before:
                break
            control.click(Spot(move.board, point))
        if control.match.cursor == before:
            assert control.finishing_move is not None
            control.play(control.finishing_move)
    elif move.point >= 0:
        if len(control.available_colours) > 1 and move.colour >= 0:
            assert control.choose_colour(move.colour)
        spot = Spot(move.board, move.point, move.side)
        assert spot in control.targets
        answer = control.click(spot)
        if isinstance(answer, AmbiguousClick):
            assert move in answer.moves
            control.play(move)
        elif isinstance(answer, SelectionChanged):
            assert move in control.other_moves
            control.play(move)
        else:
            assert isinstance(answer, MoveMade)
    else:
        assert move in control.other_moves
        control.play(move)
    assert control.match.cursor == before + 1
    assert control.match.plies[-1].move == move.text


@pytest.mark.parametrize("name", ENTRIES)
def test_every_move_can_be_made_with_clicks(name: str) -> None:
    entry = ENTRIES[name]
    chance = random.Random(name)
    for seats in {entry.players[0], entry.players[1]}:
        match = Match(entry.game(), [f"Player {n + 1}" for n in range(seats)], 7)
        control = Controller(match)
        for _ in range(40):
            if not control.moves:
                break
            assert control.prompt()
            for spot in control.targets[:3]:
                preview = control.preview_click(spot)
                assert preview is None or control.describe_outcome(preview.move)
            move = chance.choice(control.moves)
            make_move_with_clicks(control, move)
            assert wording.move_tokens(move.text)


def test_colour_is_asked_only_if_several_are_legal() -> None:
    control = make_controller("spline")
    assert control.available_colours == (0,)
    assert control.prompt() == "choose a point"
    control = make_controller("splice")
    assert len(control.available_colours) > 1
    assert control.prompt() == "choose a colour and a point"
    assert control.next_colour == 0
    assert control.choose_colour(2)
    control.click(Spot(0, 0))
    assert control.match.plies[-1].move == "R@Aa1"


def test_refused_click_names_the_marble_in_the_way() -> None:
    control = make_controller(
        "spline-plus", "W@Ab2", "B@Ac2", "W@Ab3", "B@Ac3", "W@Bb2", "B@Ab1", "W@Ac1", "B@Bb1"
    )
    names = control.match.state.pyramid.point_by_name
    assert control.click(Spot(0, names["Ab2"])) == ClickRefused("Ab2 is pinned: it carries Bb1 and Bb2.")
    assert control.click(Spot(0, names["Ba1"])) == ClickRefused(
        "Ba1 needs four marbles below: Aa1 and Aa2 are empty."
    )


def test_clicking_the_origin_cancels_a_lift() -> None:
    control = make_controller("spline-plus", "W@Ab2", "B@Ad4")
    at = Spot(0, control.match.state.pyramid.point_by_name["Ab2"])
    assert isinstance(control.click(at), MoveMade)
    assert control.match.state.held is not None
    assert control.click(at) == StepUndone()
    assert control.match.state.held is None
    assert control.cancel() is None


def test_preview_says_which_marbles_fall() -> None:
    control = make_controller("spline-plus", "W@Ab2", "B@Ac2", "W@Ab3", "B@Ac3", "W@Bb2", "B@Ad4")
    preview = control.preview_click(Spot(0, control.match.state.pyramid.point_by_name["Ab2"]))
    assert preview is not None
    assert control.describe_outcome(preview.move) == "Lift Ab2 – Bb2 drops to Ab2"


def test_preview_does_not_reveal_chance() -> None:
    control = make_solo_controller("spalone")
    preview = control.preview_click(control.targets[0])
    assert preview is not None
    assert [type(event).__name__ for event in preview.events] == ["Placed"]


def make_solo_controller(name: str) -> Controller:
    return Controller(Match(shibumi3d.game(name), ["Aiko"], 1))


@pytest.mark.parametrize(
    ("move", "shown"),
    [
        ("W@Ab2", [(0, "Ab2")]),
        ("R@left.Ab2", [(2, "left.Ab2")]),
        ("xAb2", [(-1, "takes Ab2")]),
        ("^Ab2", [(-1, "Ab2 to")]),
        (">Bb2", [(-1, "Bb2")]),
        ("W>Ba2/W", [(0, "Ba2 from west")]),
        ("B!", [(1, "given")]),
        ("Ab2+Ab3", [(-1, "Ab2+Ab3")]),
        ("pass", [(-1, "pass")]),
    ],
)
def test_moves_in_the_list_can_be_chosen(move: str, shown: list[tuple[int, str]]) -> None:
    assert wording.move_tokens(move) == shown
