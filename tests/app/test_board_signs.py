"""Signs for the last turn and for the effect of a click, in the 3D view and on the flat plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.match.marble_view import board_views
from shibumi3d.rules.marbles.move import Move
from shibumi3d.scene import motion
from shibumi3d.scene.frame import MarkKind
from shibumi3d.scene.marbles.signs import GHOST_ALPHA, Sign, SignKind

if TYPE_CHECKING:
    from shibumi3d.app.match.marble_view.page import MarbleMatchPage
    from tests.app.hand import Hand


def signs_of_kind(signs: list[Sign], kind: SignKind) -> list[Sign]:
    return [sign for sign in signs if sign.kind is kind]


def numbers(play: MarbleMatchPage, signs: list[Sign]) -> dict[str, int]:
    names = play.match.state.pyramid.point_names
    return {names[sign.point]: sign.number for sign in signs_of_kind(signs, SignKind.NUMBER)}


def test_move_arc_shows_the_origin_until_the_next_turn(hand: Hand) -> None:
    play = hand.start("spline-plus")
    index = play.match.state.pyramid.point_by_name
    hand.choose("Ab2", "Ac2", "Ab3", "Ac3", "Bb2", "Ad4")
    assert not signs_of_kind(play.static_signs(), SignKind.HAND_MOVE)
    hand.choose("Ab2", "Aa1")
    hand_move = Sign(SignKind.HAND_MOVE, 0, index["Ab2"], target_point=index["Aa1"])
    assert signs_of_kind(play.static_signs(), SignKind.HAND_MOVE) == [hand_move]
    assert hand_move in play.sign_layer.plan_signs()[0]
    # The marble that fell wasn't placed by a player, so it has no number.
    assert numbers(play, play.static_signs()) == {}
    hand.choose("Ac2")
    assert play.match.state.step == 1
    assert signs_of_kind(play.static_signs(), SignKind.HAND_MOVE) == []
    hand.key("escape")
    hand.wait(1)
    assert signs_of_kind(play.static_signs(), SignKind.HAND_MOVE) == [hand_move]
    hand.choose("Ad1")
    hand.key(",")
    assert signs_of_kind(play.static_signs(), SignKind.HAND_MOVE) == [hand_move]


def test_reduced_motion_numbers_the_falls(hand: Hand) -> None:
    play = hand.start("spline-plus")
    hand.choose("Ab2", "Ac2", "Ab3", "Ac3", "Bb2", "Ad4", "Ab2", "Aa1")
    assert numbers(play, play.static_signs()) == {}
    hand.app.change_settings(reduced=True)
    assert numbers(play, play.static_signs()) == {"Ab2": 1, "Aa1": 2}


def test_several_marbles_of_one_turn_are_numbered(hand: Hand) -> None:
    play = hand.start("spaiji")
    hand.key("1")
    hand.choose("Aa1")
    assert numbers(play, play.static_signs()) == {}
    while play.match.state.step:
        hand.key("home")
        hand.key("enter")
        hand.wait(1)
    placed = [move.split("@")[1] for move in hand.moves]
    assert len(placed) > 1
    assert numbers(play, play.static_signs()) == {name: i for i, name in enumerate(placed, 1)}
    hand.key("home")
    hand.key("enter")
    hand.wait(1)
    assert numbers(play, play.static_signs()) == {}


def test_preview_numbers_a_chain_of_falls(hand: Hand) -> None:
    """In Spline+, if Aa1 is lifted, Ba1 falls into its place, and Ca1, which rested on Ba1, falls too."""
    play = hand.start("spline-plus")
    hand.choose("Aa1", "Ab1", "Aa2", "Ab2", "Ac1", "Ac2", "Aa3", "Ab3", "Ac3", "Ad4")
    hand.choose("Ba1", "Bb1", "Ba2", "Bb2")
    hand.choose("Ad1", "Ca1")
    chains = []
    for move in play.controller.moves:
        if move.kind == "lift":
            signs, ghosts = play.sign_layer.preview_signs(play.controller.preview_move(move))
            trails = [sign for sign in signs if sign.kind is SignKind.TRAIL]
            order = [sign.point for sign in signs_of_kind(signs, SignKind.NUMBER)]
            assert order == ([trail.target_point for trail in trails] if len(trails) > 1 else [])
            assert all(sign.is_highlighted for sign in signs_of_kind(signs, SignKind.NUMBER))
            assert len(ghosts) == len(trails)
            assert bool(signs_of_kind(signs, SignKind.LOADED)) == bool(trails)
            chains.append(len(trails))
    assert max(chains) == 2


def test_fall_trail_is_drawn_after_the_animation(hand: Hand) -> None:
    """In Spline+, Ba1 rests on four marbles, and drops into Aa1 when the marble there is lifted."""
    play = hand.start("spline-plus")
    hand.choose("Aa1", "Ab1", "Aa2", "Ab2", "Ad4", "Ba1")
    hand.click(*hand.spot("Aa1"))
    assert play.marble_scene.timeline.is_animating(play.animation_time())
    assert signs_of_kind(play.static_signs(), SignKind.TRAIL) == []
    hand.wait(3)
    assert [
        play.match.state.pyramid.point_names[s.target_point]
        for s in signs_of_kind(play.static_signs(), SignKind.TRAIL)
    ] == ["Aa1"]


def test_automatically_stacked_marbles_are_numbered(hand: Hand) -> None:
    play = hand.start("spinimax", names=("Aiko", "Ben", "Cleo"))
    most = 0
    while play.match.state.to_move is not None and len(hand.moves) < 60 and most < 2:
        best = max(play.controller.moves, key=lambda move: len(_stacked(play, move)))
        stacked = _stacked(play, best)
        signs, _ = play.sign_layer.preview_signs(play.controller.preview_move(best))
        order = [(sign.board, sign.point) for sign in signs_of_kind(signs, SignKind.NUMBER)]
        assert order == (stacked if len(stacked) > 1 else [])
        most = max(most, len(stacked))
        play.actions.play_move(best)
    assert most >= 2
    hand.wait(2)
    assert len(signs_of_kind(play.static_signs(), SignKind.NUMBER)) == most + 1


def _stacked(play: MarbleMatchPage, move: Move) -> list[tuple[int, int]]:
    signs, _ = play.sign_layer.preview_signs(play.controller.preview_move(move))
    return [(sign.board, sign.point) for sign in signs_of_kind(signs, SignKind.STACKED)]


LATER_KINDS = (
    SignKind.NUMBER,
    SignKind.HOVER,
    SignKind.PINNED,
    SignKind.LOADED,
    SignKind.RECOLOURED,
    SignKind.REPLACED,
)


def test_plan_view_has_a_distinct_shape_for_each_sign(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    canvas, style = hand.app.canvas, hand.app.root.style
    shapes: list[object] = []
    monkeypatch.setattr(canvas, "_add_mesh", lambda shape, x, y, colour: shapes.append((shape, x, y)))
    seen = set()
    for kind in (*LATER_KINDS, *board_views.CONNECTING_SIGNS):
        shapes.clear()
        sign = Sign(kind, 0, 5, (1,), target_point=6, number=2)
        board_views.paint_sign(canvas, style, sign, (100.0, 100.0), 40.0)
        if kind in board_views.CONNECTING_SIGNS:
            board_views.paint_connecting_sign(canvas, style, sign, (100.0, 100.0), (160.0, 120.0), 40.0)
        assert shapes, kind
        seen.add(repr(shapes))
    # Threads and connections look the same: a line.
    assert len(seen) == len((*LATER_KINDS, *board_views.CONNECTING_SIGNS)) - 1


def test_unreadably_small_numbers_are_omitted(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    shapes: list[object] = []
    monkeypatch.setattr(hand.app.canvas, "_add_mesh", lambda *shape: shapes.append(shape))
    number = Sign(SignKind.NUMBER, 0, 5, number=2)
    board_views.paint_sign(hand.app.canvas, hand.app.root.style, number, (100.0, 100.0), 18.0)
    assert not shapes


def test_ghost_marble_fades_and_rendering_comes_to_rest(hand: Hand) -> None:
    play = hand.start("spline")

    def alphas() -> list[float]:
        return [ball.alpha for ball in hand.balls]

    hand.point(*hand.spot("Ab2"))
    hand.draw()
    hand.now += 0.045
    assert alphas() == [pytest.approx(GHOST_ALPHA / 2)]
    assert play.is_fading()
    hand.now += 0.046
    assert alphas() == [pytest.approx(GHOST_ALPHA)]
    assert not play.is_fading()
    hand.point(*hand.spot("Ac3"))
    assert len(alphas()) == 1
    hand.now += 0.03
    assert alphas() == [pytest.approx(GHOST_ALPHA * 2 / 3), pytest.approx(GHOST_ALPHA / 3)]
    hand.wait(1)
    assert hand.app.is_resting
    hand.app.change_settings(motion="off")
    hand.point(*hand.spot("Ab2"))
    assert alphas() == [GHOST_ALPHA]


@pytest.mark.smooth
def test_liftable_marble_rises_slightly_on_hover(hand: Hand) -> None:
    play = hand.start("spline-plus")
    hand.choose("Ab2", "Ac2")
    hand.point(5, 715)
    hand.wait(1)
    before = hand.balls
    hand.point(*hand.spot("Ab2"))
    hand.wait(0.2)
    after = hand.balls
    assert play.view.cursor_shape == "hand"
    up = play.view.camera.axes()[1]
    moved = [
        tuple(a - b for a, b in zip(x.position, y.position, strict=True))
        for x, y in zip(after, before, strict=True)
    ]
    assert moved == [pytest.approx(tuple(up * motion.HOVER_RISE)), (0.0, 0.0, 0.0)]


def test_hovering_a_marble_shows_its_supports(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose("Ab2", "Ac2", "Ab3", "Ac3", "Bb2")
    index = play.match.state.pyramid.point_by_name
    hand.key("l")
    hand.key("t")
    hand.wait(1)
    hand.point(*hand.spot("Bb2"))
    hand.wait(0.3)
    assert play.pointer.hovered_marble == (0, index["Bb2"])
    assert [s.kind for s in play.sign_layer.marble_signs(0, index["Bb2"])] == [SignKind.HOVER]
    hand.wait(0.2)
    threads = signs_of_kind(play.sign_layer.marble_signs(0, index["Bb2"]), SignKind.LINE)
    assert {sign.target_point for sign in threads} == {index[name] for name in ("Ab2", "Ac2", "Ab3", "Ac3")}
    hand.point(5, 715)
    hand.wait(0.5)
    assert play.pointer.rested_marble is None


def test_last_marble_ring_appears_after_landing(hand: Hand) -> None:
    play = hand.start("spline")

    def rings() -> list[float]:
        return [m.alpha for m in play.sign_layer.make_frame(hand.now, 1.7).marks if m.kind is MarkKind.CIRCLE]

    hand.click(*hand.spot("Ab2"))
    hand.point(5, 715)
    hand.draw()
    assert rings() == []
    hand.now = play.marble_scene.timeline.end_time
    assert rings() == []
    hand.now += 0.06
    assert rings() == [pytest.approx(0.5)]
    hand.now += 0.07
    assert rings() == [1.0]
