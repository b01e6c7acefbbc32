"""Targets behind marbles: the page says how many there are, and a key shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.marbles.pointing import aimed
from shibumi3d.app.pages.play.hidden_targets import HiddenTargets
from shibumi3d.catalogue import catalogue
from tests.marble_games import marble_games
from tests.share import some

if TYPE_CHECKING:
    from .hand import Hand


def met(hand: Hand) -> set[str]:
    """The targets that the pointer can meet somewhere."""
    named = {hand.play.pointing.name_of(spot) for spot in hand.play.control.targets}
    return named & set(hand.play.pointing.places_on_screen())


def test_the_page_says_how_many_targets_are_hidden_and_goes_to_them(hand: Hand) -> None:
    """At the start of this game marbles of all sides may be taken: those of the north are not seen from the south."""
    play = hand.start("spectacular-tumble")
    cue = hand.found("behind", HiddenTargets)
    assert cue.label == "2 hidden – V to look"
    seen = met(hand)
    assert "Bc3" not in seen
    for _ in range(3):
        if not cue.visible:
            break
        hand.push("behind")
        hand.wait(1)
        seen |= met(hand)
    assert seen == {play.pointing.name_of(spot) for spot in play.control.targets}
    assert hand.moves == []


def test_nothing_is_said_where_all_is_seen(hand: Hand) -> None:
    play = hand.start("spline")
    camera = play.view.camera
    assert not play.hidden_targets.visible
    hand.key("v")
    hand.wait(1)
    assert play.view.camera == camera
    assert play.spread is None


def test_what_is_seen_from_nowhere_is_shown_by_the_spread(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = hand.start("spectacular-tumble")
    monkeypatch.setattr(play.hidden_targets, "hidden_from", lambda camera: [True, False])
    hand.key("v")
    hand.wait(1)
    assert play.spread is not None
    assert play.spread.settled


@pytest.mark.parametrize("name", some([entry.id for entry in marble_games()], 22, 2))
def test_every_target_is_seen_at_the_start_or_said_to_be_hidden(hand: Hand, name: str) -> None:
    """What the page does not count as hidden has a place where the pointer meets it."""
    play = hand.start(name, tuple("ABCDEFGH")[: catalogue.load().get(name).players[0]])
    hand.app.root.close_all()
    hand.draw()
    hidden = {play.pointing.name_of(spot) for spot in play.control.targets} - met(hand)
    assert len(hidden) <= play.hidden_targets.hidden
    assert play.hidden_targets.visible == (play.hidden_targets.hidden > 0)
    assert aimed(play.control) >= set(play.control.targets)
