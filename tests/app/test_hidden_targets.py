"""Targets behind marbles: the page shows how many there are, and a key reveals them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.match.marble_view.board_views import HiddenTargetsButton
from shibumi3d.app.match.marble_view.controller import Spot
from shibumi3d.app.match.marble_view.picking_targets import clickable_spots
from shibumi3d.catalogue import catalogue
from tests.marble_games import marble_games
from tests.share import some

if TYPE_CHECKING:
    from .hand import Hand


def hittable_targets(hand: Hand) -> set[str]:
    named = {hand.play.pointer.spot_name(spot) for spot in hand.play.controller.targets}
    return named & set(hand.play.pointer.click_positions())


def test_hidden_targets_are_counted_and_can_be_shown(hand: Hand) -> None:
    """At the start of Spectacular Tumble, 12 marbles on levels A to C are targets; two, including Ad4, are hidden."""
    play = hand.start("spectacular-tumble")
    assert len(play.controller.targets) == 12
    cue = hand.found("behind", HiddenTargetsButton)
    assert cue.label == "2 hidden – V to show"
    seen = hittable_targets(hand)
    assert "Ad4" not in seen
    for _ in range(3):
        if not cue.visible:
            break
        hand.push("behind")
        hand.wait(1)
        seen |= hittable_targets(hand)
    assert seen == {play.pointer.spot_name(spot) for spot in play.controller.targets}
    assert hand.moves == []


def test_click_on_a_marble_in_the_way_says_how_to_see_behind_it(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = hand.start("spline")
    hand.choose("Ab2", "Ac3")
    hidden: set[str] = set()
    monkeypatch.setattr(
        play.hidden_targets_button,
        "find_hidden",
        lambda camera: [play.pointer.spot_name(spot) in hidden for spot in play.controller.targets],
    )

    def answer() -> str:
        hand.click(*hand.spot("Ab2"))
        return play.actions.message

    refused = "There is already a white marble on Ab2."
    assert answer() == refused
    hidden.add("Ad4")  # far from the marble, with other points visible
    assert answer() == refused
    hidden.update(play.pointer.spot_name(spot) for spot in play.controller.targets)
    assert answer() == "14 points that you can choose are hidden behind marbles: press V to see them."
    hidden.intersection_update({"Ab3"})
    (behind,) = (spot for spot in play.controller.targets if play.pointer.spot_name(spot) == "Ab3")
    front = play.pointer.spot_position
    (clicked,) = (
        Spot(0, point) for point, name in enumerate(play.state.pyramid.point_names) if name == "Ab2"
    )
    monkeypatch.setattr(
        play.pointer, "spot_position", lambda spot: front(clicked if spot == behind else spot)
    )
    assert answer() == "1 point that you can choose is hidden behind marbles: press V to see it."
    assert len(hand.moves) == 2


def test_button_for_hidden_targets_leaves_a_bag_beside_a_low_board_uncovered(hand: Hand) -> None:
    hand.app.resize(640, 360)
    play = hand.start("spalone", ("Aiko",))
    button = play.hidden_targets_button
    for _ in range(30):
        hand.draw()
        if button.visible:
            break
        play.actions.play_move(play.controller.moves[0])
    assert button.visible
    (card,) = play.seat_cards
    assert button.rect.x > card.rect.right
    assert button.rect.y == card.rect.y


def test_no_message_if_all_targets_are_visible(hand: Hand) -> None:
    play = hand.start("spline")
    camera = play.view.camera
    assert not play.hidden_targets_button.visible
    hand.key("v")
    hand.wait(1)
    assert play.view.camera == camera
    assert play.exploded_layout is None


def test_targets_hidden_from_every_angle_are_shown_in_the_exploded_view(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = hand.start("spectacular-tumble")
    monkeypatch.setattr(play.hidden_targets_button, "find_hidden", lambda camera: [True, False])
    hand.key("v")
    hand.wait(1)
    assert play.exploded_layout is not None
    assert play.exploded_layout.is_complete


@pytest.mark.parametrize("name", some([entry.id for entry in marble_games()], 22, 2))
def test_every_initial_target_is_visible_or_counted_as_hidden(hand: Hand, name: str) -> None:
    play = hand.start(name, tuple("ABCDEFGH")[: catalogue.load_catalogue().get(name).players[0]])
    hand.app.root.close_popups()
    hand.draw()
    hidden = {play.pointer.spot_name(spot) for spot in play.controller.targets} - hittable_targets(hand)
    assert len(hidden) <= play.hidden_targets_button.hidden_count
    assert play.hidden_targets_button.visible == (play.hidden_targets_button.hidden_count > 0)
    assert clickable_spots(play.controller) >= set(play.controller.targets)
