"""What a match takes along when it goes on, is copied or is listed: the view, its variations, why it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.app.pages.home.kept import SavedGames
from shibumi3d.catalogue.catalogue import load
from shibumi3d.i18n import decimal

if TYPE_CHECKING:
    from tests.app.hand import Hand


def test_a_match_goes_on_seen_from_where_it_was_and_copied_with_its_variations(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose("Aa1", "Ab1")
    hand.key("]")
    hand.wait(0.5)
    hand.choose("Ac1")
    seen = play.view.goal
    assert seen != play.view.home
    hand.key("ctrl+z")
    hand.choose("Ad4")
    board: list[str] = []
    hand.app.copy = board.append
    hand.key("ctrl+c")
    assert "variations:" in board[0]
    hand.app.pages.home()
    hand.app.matches.resume()
    again = hand.play.view.goal
    assert (round(again.yaw), round(again.pitch)) == (round(seen.yaw), round(seen.pitch))
    hand.start("spline")
    assert hand.play.view.goal == hand.play.view.home, "another match is seen as at the start"


def test_why_a_game_ended_is_said_in_the_language_in_use(hand: Hand) -> None:
    assert load().get("spline").phrase("full line", "fr") == "ligne complète"
    assert load().get("spline").phrase("no such thing", "fr") == ""
    hand.app.pages.kept()
    hand.app.change(language="fr")
    french = hand.app.screen
    assert isinstance(french, SavedGames)
    spline = hand.app.catalogue.find("spline")
    assert french._reason("full line", spline) == "ligne complète"
    assert french._reason("time ran out", None) == "temps écoulé"
    assert decimal(0.25) == "0,25"
    hand.app.change(language="en")
    assert decimal(0.25) == "0.25"
