"""Features of all tables, with or without marbles: clocks, confirmed turns, a remembered camera and variations."""

from __future__ import annotations

import pytest

from shibumi3d.app.host.match_settings import DEFAULT_MATCH_SETTINGS, MatchSettings
from shibumi3d.app.host.settings import Settings
from shibumi3d.app.match.clock import TimeUpDialog
from shibumi3d.app.match.scene_view.page import SceneMatchPage
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.record import load as load_record
from tests.app.hand import Hand
from tests.app.test_computer_players import Scripted
from tests.app.writing import written

THROWS = "1 1 2 3 1 1 2"


def start_match(
    hand: Hand, terms: MatchSettings = DEFAULT_MATCH_SETTINGS, throws: str = THROWS
) -> SceneMatchPage:
    chance, options = {"throws": throws, "starter": "1"}, {"length": 48, "rounds": 1}
    game = load_catalogue().get("hyena-spiral")
    hand.app.change_settings(motion="fast")
    hand.app.matches.start(game, ["Aiko", "Ben"], 0, "", 1, chance, options=options, settings=terms)
    # Only the tests of the renderer need to draw the table.
    hand.page(SceneMatchPage).toggle_flat_view()
    hand.draw()
    return hand.page(SceneMatchPage)


def test_clocks_end_a_match_only_on_request(hand: Hand) -> None:
    page = start_match(hand, terms=MatchSettings(TimeLimit(60, 5)))
    clock = page.match.clock
    assert clock is not None
    hand.wait(10)
    assert 49.9 <= clock.seconds_left[0] <= 50.3
    assert page.clocks.time_text(0) in ("0:50", "0:51")
    assert clock.seconds_left[1] == 60
    page.actions.play_move(page.choices.moves[0])
    hand.wait(14)
    assert 54 <= clock.seconds_left[0] <= 55.3, "five seconds more for the turn"
    assert clock.seconds_left[1] < 50
    path = hand.app.matches.current_path
    assert path is not None
    assert load_record(path).seconds_left[1] < 60, "the time used is saved even if nobody moves"
    hand.wait(50)
    card = hand.floating(TimeUpDialog)
    assert "Ben" in card.question_label.caption
    hand.push("end on time")
    hand.wait(0.5)
    result = page.match.state.result
    assert result is not None
    assert (result.winners, result.reason) == ((0,), "time ran out")


def test_card_game_can_be_lost_on_time() -> None:
    game = load_catalogue().get("arcanoid").game()
    state = game.start(3, 1)
    after, events = game.lose_on_time(state, 1)
    assert after.to_move is None
    assert after.result.winners == (0, 2)
    assert events


def test_choice_waits_for_confirmation_when_enabled(hand: Hand) -> None:
    page = start_match(hand)
    hand.app.change_settings(confirm=True)
    page = hand.page(SceneMatchPage)
    hand.key("1")
    assert page.match.cursor == 0
    assert page.confirm_button.visible
    assert "Enter confirms" in page.message_line.message
    hand.key("escape")
    assert not page.confirm_button.visible
    hand.key("1")
    hand.key("enter")
    hand.wait(1.5)
    assert page.match.cursor == 1
    x, y = page.pointer.spot_position(page.scene.spots()["bowl"])
    x, y = hand.app.to_window_pixels(page.plan.rect.x + x, page.plan.rect.y + y)
    hand.click(x, y)
    hand.push("end turn")
    hand.wait(1.5)
    assert page.match.cursor == 2
    assert not page.confirm_button.visible
    assert Settings().confirm is False, "by default, turns need no confirmation"


def test_camera_is_restored_with_a_resumed_match(hand: Hand) -> None:
    page = start_match(hand)
    home = page.view.home_camera
    hand.key("]")
    hand.key("plus")
    hand.wait(1)
    seen = page.view.camera
    assert (seen.yaw, seen.zoom) != (home.yaw, home.zoom)
    hand.key("1")
    hand.wait(1.5)
    hand.app.pages.show_home()
    hand.wait(0.5)
    hand.app.matches.resume_unfinished()
    hand.wait(1)
    now = hand.page(SceneMatchPage).view.camera
    assert (now.yaw, now.zoom) == (round(seen.yaw, 2), round(seen.zoom, 3))
    hand.key("0")
    hand.wait(1)
    assert hand.page(SceneMatchPage).view.camera == hand.page(SceneMatchPage).view.home_camera


def test_variation_is_listed_and_can_be_resumed(hand: Hand) -> None:
    page = start_match(hand, throws="1 1 1 1 2 1")
    hand.key("ctrl+b")
    for kind in ("throw",) * 4 + ("buy",):
        page.actions.play_move(next(move for move in page.selection.moves if move.kind == kind))
        page.scene.finish()
    hand.key("ctrl+z")
    assert page.move_list.rows == [0, 1, 2, 3, 4], "what may be played again stays in the list"
    hand.wait(1)
    row = page.move_list.row_rect(4)
    hand.click(row.x + 90, row.cy)
    assert page.match.cursor == 5, "a click plays it again"
    hand.key("ctrl+z")
    page.actions.play_move(next(move for move in page.selection.moves if move.kind == "throw"))
    hand.wait(1.5)
    assert page.move_list.rows == [0, 1, 2, 3, 4, -1]
    assert page.move_list.describe_variation(0) == "Buy 12 steps: to space 12"
    row = page.move_list.row_rect(5)
    hand.click(row.x + 90, row.cy)
    hand.wait(0.5)
    assert [ply.move for ply in page.match.plies[4:]] == ["buy"]
    assert page.move_list.describe_variation(0).startswith("Throw")
    assert page.model.is_live


def test_nothing_is_cut_off_in_a_small_window(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("Ann", "Benedikt", "Player 3", "Dan", "Eva", "Fay", "Gus", "Hal", "Ira", "Jon")
    hand.app.change_settings(language="fr")
    for game, seats in (("arcanoid", 2), ("arcanoid", 10), ("hyena-spiral", 5), ("golden-spiral", 2)):
        hand.app.matches.start(load_catalogue().get(game), list(names[:seats]), 0, "", 1)
        hand.app.root.close_popups()
        hand.page(SceneMatchPage).toggle_flat_view()
        for size in ((640, 480), (1280, 720)):
            hand.app.resize(*size)
            drawn_texts = written(monkeypatch, hand.draw)
            assert not drawn_texts.cut, (game, seats, size)
            assert not drawn_texts.overprinted(), (game, seats, size)


def test_summary_is_readable_without_the_side_panel(hand: Hand) -> None:
    page = start_match(hand, throws="1 1 1 1 2 1")
    page.actions.play_move(page.selection.moves[0])
    hand.wait(1.5)
    assert not page.side_panel_background.visible
    assert page.view.rect.right == page.rect.right
    assert page.summary.summary_text
    assert page.summary.visible
    hand.app.resize(1500, 800)
    assert page.side_panel_background.visible
    assert page.summary.rect.x >= page.side_panel_background.rect.x


def test_computers_can_be_paused_and_resumed(hand: Hand) -> None:
    hand.app.change_settings(motion="off")
    game = load_catalogue().get("hyena-spiral")
    chance = {"throws": THROWS, "starter": "1"}
    hand.app.matches.start(game, ["Aiko", "Pebble"], 0, "", 1, chance, player_types=("person", "pebble"))
    page = hand.page(SceneMatchPage)
    page.toggle_flat_view()
    scripted = page.computer_players.engine = Scripted()
    page.actions.play_move(page.choices.moves[0])
    assert page.computer_players.pause_button.visible
    assert page.computer_players.move_now_button.visible
    hand.push("stop thinking")
    hand.wait(3)
    assert page.match.cursor == 1
    assert "paused" in page.status_line.sentence()
    scripted.script = ["throw"]
    hand.push("go on thinking")
    hand.wait(3)
    assert page.match.cursor == 2
    assert not page.computer_players.pause_button.visible
