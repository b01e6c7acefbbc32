"""Continued matches keep their view and variations; in the list of saved games, the reason for the end is localized."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.app.pages.home.saved_games import SavedGamesPage
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.i18n import format_decimal

if TYPE_CHECKING:
    from tests.app.hand import Hand


def test_continued_match_keeps_its_view_and_variations(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose("Aa1", "Ab1")
    hand.key("]")
    hand.wait(0.5)
    hand.choose("Ac1")
    seen = play.view.target_camera
    assert seen != play.view.home_camera
    hand.key("ctrl+z")
    hand.choose("Ad4")
    board: list[str] = []
    hand.app.services.write_clipboard = board.append
    hand.key("ctrl+c")
    assert "variations:" in board[0]
    hand.app.pages.show_home()
    hand.app.matches.resume_unfinished()
    again = hand.play.view.target_camera
    assert (round(again.yaw), round(again.pitch)) == (round(seen.yaw), round(seen.pitch))
    hand.key("ctrl+c")
    assert len(board) == 2
    assert "variations:" in board[1]
    hand.start("spline")
    assert hand.play.view.target_camera == hand.play.view.home_camera, "another match is seen as at the start"


def test_reason_for_the_end_is_localized(hand: Hand) -> None:
    assert load_catalogue().get("spline").find_translation("full line", "fr") == "ligne complète"
    assert load_catalogue().get("spline").find_translation("no such thing", "fr") == ""
    hand.app.pages.show_saved_games()
    hand.app.change_settings(language="fr")
    french = hand.page(SavedGamesPage)
    spline = hand.app.catalogue.find("spline")
    assert french._translate_reason("full line", spline, 2) == "ligne complète"
    assert french._translate_reason("time ran out", None, 2) == "temps écoulé"
    assert format_decimal(0.25) == "0,25"
    hand.app.change_settings(language="en")
    assert format_decimal(0.25) == "0.25"
