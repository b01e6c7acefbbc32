"""A match played with the pointer and the keyboard through window events."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from shibumi3d.app.host.dialogs import MessageCard
from shibumi3d.app.match.dialogs import SaveDialog
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.match.privacy_screen import PrivacyScreen
from shibumi3d.app.match.replay import MarbleReplayView
from shibumi3d.app.match.result_bar import ButtonMenu
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.app.ui.button import Button
from shibumi3d.app.ui.panel import Panel
from shibumi3d.match.match import Match
from shibumi3d.scene import motion
from shibumi3d.scene.frame import MarkKind
from shibumi3d.scene.marbles.scene import marbles_by_cell
from shibumi3d.scene.marbles.signs import SignKind
from tests.share import some

if TYPE_CHECKING:
    from tests.app.hand import Hand

WHITE_LINE = ("Aa1", "Ab1", "Aa2", "Ab2", "Aa3", "Ab3", "Aa4")


def shown_marbles(hand: Hand) -> dict[tuple[int, int], int]:
    return hand.play.marble_scene.marbles


def test_finished_game_shows_the_winner(hand: Hand) -> None:
    play = hand.start("spline")
    assert play.status_line.sentence() == "Aiko to move – choose a point"
    hand.choose(*WHITE_LINE)
    assert hand.moves == ["W@Aa1", "B@Ab1", "W@Aa2", "B@Ab2", "W@Aa3", "B@Ab3", "W@Aa4"]
    assert play.result_bar.visible
    assert play.result_bar.describe_result() == "Aiko wins: full line"
    won = {sign.point for sign in play.static_signs() if sign.kind is SignKind.WIN}
    assert won == {0, 4, 8, 12}
    assert hand.app.store.find_unfinished() is None
    hand.push("rematch")
    assert hand.moves == []
    assert hand.play.names == ["Aiko", "Ben"]


def test_solo_games_offer_play_again_instead_of_rematch(hand: Hand) -> None:
    assert hand.start("spline").result_bar.rematch_button.label == "Rematch"
    assert hand.start("spuzzle", ("Aiko",)).result_bar.rematch_button.label == "Play again"


def test_rematch_can_swap_seats(hand: Hand) -> None:
    hand.start("spline")
    hand.choose(*WHITE_LINE)
    hand.push("swap seats")
    assert hand.moves == []
    assert hand.play.names == ["Ben", "Aiko"]


def test_last_turn_shows_score_changes(hand: Hand) -> None:
    play = hand.start("splastwo")
    assert play.model.score_changes == (0, 0)
    # The player who completes a level scores one point.
    while play.match.state.scores == (0, 0):
        hand.play.actions.play_move(play.controller.moves[0])
    gain = play.model.score_changes
    assert sorted(gain) == [0, 1]
    assert gain == play.match.state.scores


@pytest.mark.smooth
@pytest.mark.parametrize("scale", [100, 150])
def test_screenshot_of_the_board_is_saved(hand: Hand, tmp_path: Path, scale: int) -> None:
    hand.app.change_settings(scale=scale)
    play = hand.start("spline")
    hand.choose("Ab2")
    hand.app.services.pictures_folder = tmp_path / "pictures"
    hand.key("ctrl+shift+c")
    hand.wait(0.3)
    (file,) = hand.app.services.pictures_folder.iterdir()
    assert file.name.startswith("Spline 20")
    assert file.name in hand.floating(MessageCard).message_label.caption
    picture = np.asarray(Image.open(file).convert("RGB"))
    area = play.view.rect
    assert picture.shape == (round(area.h * scale / 100), round(area.w * scale / 100), 3)
    # The click position of the white marble is where it is drawn.
    x, y = play.view.to_window(play.marble_scene.marble_position(0, 5))
    at = picture[round((y - area.y) * scale / 100), round((x - area.x) * scale / 100)]
    assert at.min() > 150


def test_screenshot_save_failure_is_reported(hand: Hand, tmp_path: Path) -> None:
    hand.start("spline")
    (tmp_path / "file").write_text("")
    hand.app.services.pictures_folder = tmp_path / "file" / "pictures"
    hand.key("ctrl+shift+c")
    hand.wait(0.3)
    assert hand.floating(MessageCard).message_label.caption.startswith("Couldn't save the screenshot: ")


def test_review_replays_the_match_and_returns(hand: Hand) -> None:
    hand.start("spline")
    hand.choose(*WHITE_LINE)
    hand.push("more")
    hand.push("review")
    replay = hand.page(ReplayPage)
    hand.push("run")
    hand.wait(20)
    assert replay.at_ply == 7
    assert not replay.playback.is_playing
    hand.key("left")
    hand.wait(1)
    stand = replay.replay_view
    assert isinstance(stand, MarbleReplayView)
    assert stand.marble_scene.marbles == marbles_by_cell(replay.history[5].state)
    assert replay.caption() == "Turn 6 – Ben: black on Ab3"
    hand.push("back")
    assert hand.moves[-1] == "W@Aa4"


def test_frames_are_drawn_only_after_changes(hand: Hand) -> None:
    hand.start("spline")
    hand.wait(3)
    assert hand.app.is_resting
    hand.point(*hand.spot("Ab2"))
    assert not hand.app.is_resting
    hand.wait(1)
    assert hand.app.is_resting


@pytest.mark.smooth
def test_hovering_shows_a_ghost_marble_and_the_point_name(hand: Hand) -> None:
    play = hand.start("spline")
    hand.point(*hand.spot("Ab2"))
    hand.wait(0.2)
    frame = play.sign_layer.make_frame(hand.now, 1.7)
    ghosts = [ball for ball in frame.balls if 0 < ball.alpha < 1]
    assert len(ghosts) == 1
    # A ghost is smaller than a marble, so it rests deeper in the hole.
    at = play.marble_scene.marble_position(0, 5)
    assert ghosts[0].position[:2] == pytest.approx(at[:2])
    assert at[2] - 0.5 < ghosts[0].position[2] < at[2]
    assert play.message_line.current_message() == ("Ab2 – ends the turn", False)
    hand.point(5, 715)
    hand.draw()
    hand.wait(0.15)
    assert not [ball for ball in play.sign_layer.make_frame(hand.now, 1.7).balls if ball.alpha < 1]


def test_only_legal_points_are_marked(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose("Ab2")
    legal = {s.point for s in play.sign_layer.choice_signs() if s.kind is SignKind.LEGAL}
    assert legal == set(range(16)) - {5}
    hand.key("l")
    assert play.sign_layer.choice_signs() == []
    hand.point(*hand.spot("Aa1"))
    assert [s.point for s in play.sign_layer.choice_signs()] == [0]


def test_refused_click_gives_a_reason_and_changes_nothing(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose("Ab2")
    before = play.match.state
    hand.choose("Ab2")
    assert play.actions.message == "There is already a white marble on Ab2."
    assert play.match.state is before
    hand.choose("Aa1")
    assert play.actions.message == ""


def test_click_during_an_animation_counts(hand: Hand) -> None:
    hand.start("spline")
    hand.click(*hand.spot("Aa1"))
    hand.draw()
    assert hand.play.marble_scene.is_animating(hand.now)
    hand.click(*hand.spot("Ab1"))
    assert hand.moves == ["W@Aa1", "B@Ab1"]


def test_drag_rotates_the_board_without_a_click(hand: Hand) -> None:
    play = hand.start("spline")
    yaw = play.view.camera.yaw
    x, y = hand.spot("Ab2")
    hand.drag((x, y), (x + 40, y))
    assert hand.moves == []
    assert play.view.camera.yaw != yaw
    hand.drag((x, y), (x + 40, y), button=4)
    assert hand.moves == []
    x, y = hand.spot("Ab2")
    hand.drag((x, y), (x + 4, y))
    assert hand.moves == ["W@Ab2"]


@pytest.mark.parametrize("pause", some([1 / 60, 0.1, 0.4], 1, 1), ids=["quick", "slow", "very-slow"])
def test_board_glide_is_independent_of_the_frame_rate(hand: Hand, pause: float) -> None:
    """The pointer moves 200 pixels a second, and all motion events since the last frame arrive at once."""
    view = hand.start("spline").view
    hand.press(300, 500)
    x, pictures = 300.0, round(0.8 / pause)
    for _ in range(pictures):
        hand.now += pause
        for _ in range(8):
            x += 200 * pause / 8
            hand.native.dispatch_event("on_mouse_drag", round(x), 220, 200 * pause / 8, 0, 1, 0)
        hand.draw()
    yaw = view.camera.yaw
    hand.release(x, 500)
    for _ in range(round(2 / pause)):
        hand.now += pause
        hand.draw()
    # The speed halves every 90 ms, so the glide is at most 200 · 0.09 / ln 2 = 26 pixels or 9 degrees. It is less, as
    # the speed has to build up first, and the glide stops before the speed is zero.
    assert 3 < yaw - view.camera.yaw <= 9.2


def test_wheel_zooms_gradually_without_playing(hand: Hand) -> None:
    play = hand.start("spline")
    zoom = play.view.camera.zoom
    hand.native.dispatch_event("on_mouse_scroll", 500, 360, 0, 9)
    assert 0.9 < play.view.camera.zoom / zoom < 1
    assert hand.moves == []


def test_two_clicks_move_a_marble_and_lifts_can_be_cancelled(hand: Hand) -> None:
    play = hand.start("spline-plus")
    hand.choose("Ab2", "Ac2", "Ab3", "Ac3", "Bb2", "Ad4", "Ab2")
    assert hand.moves[-1] == "^Ab2"
    assert play.status_line.sentence() == "Aiko to move – choose where it goes"
    hand.click(500, 500, button=4)
    hand.wait(1)
    assert hand.moves[-1] == "B@Ad4"
    assert shown_marbles(hand) == marbles_by_cell(play.match.state)
    hand.choose("Ab2")
    hand.key("escape")
    hand.wait(1)
    assert hand.moves[-1] == "B@Ad4"
    hand.choose("Ab3")
    assert hand.moves[-1] == "^Ab3"
    hand.choose("Ab3")
    assert hand.moves[-1] == "B@Ad4"
    hand.choose("Ab3", "Aa1")
    assert hand.moves[-2:] == ["^Ab3", ">Aa1"]
    assert shown_marbles(hand) == marbles_by_cell(play.match.state)


def test_clicking_another_marble_lifts_that_one(hand: Hand) -> None:
    play = hand.start("spline-plus")
    hand.choose("Ab2", "Ad4", "Aa4", "Ad1", "Ab2", "Aa4")
    assert hand.moves[-1] == "^Aa4"
    assert len(hand.moves) == 5
    assert shown_marbles(hand) == marbles_by_cell(play.match.state)
    assert play.marble_scene.held is not None


def test_undo_reverts_steps_then_turns_and_redo_restores_them(hand: Hand) -> None:
    play = hand.start("spline-plus")
    hand.choose("Ab2", "Ad4", "Ab2")
    hand.key("ctrl+z")
    hand.wait(1)
    assert hand.moves == ["W@Ab2", "B@Ad4"]
    hand.key("ctrl+z")
    hand.key("ctrl+z")
    hand.wait(2)
    assert hand.moves == []
    assert shown_marbles(hand) == {}
    hand.key("ctrl+y")
    hand.key("ctrl+shift+z")
    hand.wait(2)
    assert hand.moves == ["W@Ab2", "B@Ad4"]
    assert shown_marbles(hand) == marbles_by_cell(play.match.state)
    hand.push("undo")
    hand.wait(1)
    assert hand.moves == ["W@Ab2"]
    hand.push("redo")
    hand.wait(1)
    assert hand.moves == ["W@Ab2", "B@Ad4"]


def test_game_is_playable_by_keyboard_alone(hand: Hand) -> None:
    play = hand.start("spline")
    hand.key("tab")
    assert play.pointer.cursor is not None
    for _ in range(7):
        hand.key("home" if len(hand.moves) % 2 == 0 else "end")
        hand.key("enter")
        hand.wait(1)
    assert len(hand.moves) == 7
    assert play.match.state.to_move is None
    hand.key("ctrl+z")
    hand.key("tab")
    hand.key("right")
    at = play.pointer.cursor
    hand.key("left")
    assert play.pointer.cursor != at
    hand.point(500, 300)
    assert play.pointer.cursor is None


def test_viewing_earlier_turns_changes_nothing(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose("Aa1", "Ab1", "Aa2")
    hand.key(",")
    hand.key(",")
    assert play.model.viewed_ply == 1
    assert shown_marbles(hand) == {(0, 0): 0}
    hand.choose("Ad4")
    assert play.model.viewed_ply is None
    assert hand.moves == ["W@Aa1", "B@Ab1", "W@Aa2"]
    assert len(shown_marbles(hand)) == 3


def test_last_turn_can_be_replayed(hand: Hand) -> None:
    hand.start("spline-plus")
    hand.choose("Ab2", "Ad4", "Ab2", "Aa1")
    hand.wait(3)
    hand.key("b")
    hand.draw()
    # The replay is at a quarter of the normal speed.
    assert (
        hand.play.marble_scene.timeline.end_time - hand.now
        > 4 * (motion.CARRY_MS_RANGE[0] + motion.SET_DOWN_MS) / 1000
    )
    hand.wait(9)
    assert shown_marbles(hand) == marbles_by_cell(hand.play.match.state)


def test_view_keys_select_named_views(hand: Hand) -> None:
    play = hand.start("spline")
    home = play.view.camera
    hand.key("t")
    hand.wait(1)
    assert play.view.camera.pitch == 90
    hand.key("0")
    hand.wait(1)
    assert play.view.camera == home
    hand.key("]")
    hand.key("]")
    hand.wait(1)
    assert abs(play.view.camera.yaw - home.yaw) == pytest.approx(180)
    hand.choose("Ab2")
    assert hand.moves == ["W@Ab2"]


@pytest.mark.parametrize("yaw", range(-180, 180, 45))
@pytest.mark.parametrize("pitch", [25, 45, 90])
def test_every_hole_is_clickable_from_any_camera_angle(hand: Hand, yaw: int, pitch: int) -> None:
    from dataclasses import replace

    play = hand.start("spline")
    play.view.camera = replace(play.view.camera, yaw=yaw, pitch=pitch)
    for name in ("Aa1", "Ad4", "Ab3", "Ac1"):
        x, y = hand.spot(name)
        found = play.pointer.spot_at(x - play.view.rect.x, y - play.view.rect.y)
        assert found is not None
        assert play.marble_scene.sizes == (4,)
        assert play.match.game.moves(play.match.state)[found.point].text == f"W@{name}"


def test_rules_open_beside_the_board_without_blocking_play(hand: Hand) -> None:
    play = hand.start("spline")
    hand.key("f1")
    hand.wait(0.5)
    assert play.rules_text.visible
    assert play.rules_text.markup.startswith("## Goal")
    hand.choose("Aa1")
    assert hand.moves == ["W@Aa1"]
    x = play.side_panel_background.rect.x
    hand.key("ctrl+b")
    assert play.view.rect.right == 1280
    hand.draw()
    hand.now += 0.06
    hand.draw()
    assert x < play.side_panel_background.rect.x < 1280
    hand.wait(0.3)
    assert not play.side_panel_background.visible
    hand.key("ctrl+b")
    hand.wait(0.3)
    assert play.side_panel_background.rect.x == x


def test_continued_match_resumes_in_mid_turn(hand: Hand) -> None:
    hand.start("spline-plus", names=("Aiko", "Zoë Šťastná"))
    hand.choose("Ab2", "Ad4", "Ab2")
    hand.app.pages.show_home()
    hand.draw()
    hand.push("continue")
    assert hand.moves == ["W@Ab2", "B@Ad4", "^Ab2"]
    assert hand.play.marble_scene.held is not None
    assert hand.play.names[1] == "Zoë Šťastná"
    hand.choose("Ac3")
    assert hand.app.store.list_files()[0].record == hand.play.match.record()


def test_match_is_saved_at_the_chosen_path(hand: Hand, tmp_path: Path) -> None:
    play = hand.start("spline")
    hand.choose("Ab2")
    hand.key("ctrl+s")
    hand.draw()
    path = tmp_path / "my game.yaml"
    hand.key("ctrl+a")
    hand.type(str(path))
    hand.key("enter")
    assert "W@Ab2" in path.read_text()
    assert not hand.app.root.popups
    hand.key("ctrl+s")
    card = hand.floating(SaveDialog)
    card.path_field.set_value(str(tmp_path / "no" / "such.yaml"))
    card.save_match()
    assert card.problem.startswith("Couldn't save the file: ")
    assert play.match.cursor == 1


def test_point_names_follow_the_pyramid(hand: Hand) -> None:
    play = hand.start("spline", size=3)
    assert set(play.point_pixels()) == {
        *(f"A{f}{r}" for f in "abc" for r in "123"),
        *(f"B{f}{r}" for f in "ab" for r in "12"),
        "Ca1",
    }


def hold_to_look(hand: Hand) -> None:
    curtain = hand.floating(PrivacyScreen)
    x, y = hand.app.to_window_pixels(curtain.hold_button.rect.cx, curtain.hold_button.rect.cy)
    hand.press(x, y)
    hand.wait(1)
    hand.release(x, y)


def test_privacy_screen_appears_between_players_with_secrets(hand: Hand) -> None:
    play = hand.start("spagyric")
    assert hand.floating(PrivacyScreen).player_name == "Aiko"
    hand.click(640, 440)
    hand.key("tab")
    hand.key("enter")
    assert hand.app.root.popups
    hold_to_look(hand)
    assert not hand.app.root.popups
    hand.push("answer B!")
    curtain = hand.floating(PrivacyScreen)
    assert (curtain.player_name, curtain.seat) == ("Ben", 1)
    hand.app.resize(1280, 720)
    assert hand.app.root.popups == [curtain]
    ours = [dict(shown) for name, shown in play.seat_cards[0].visible_stocks() if name == "fist"]
    assert ours == [{}]
    hold_to_look(hand)
    assert play.status_line.sentence().startswith("Ben to move")


def test_card_of_a_solo_game_leaves_out_a_stock_that_the_setup_emptied(hand: Hand) -> None:
    entry = hand.app.catalogue.get("spoff")
    page = MarbleMatchPage(hand.app, Match(entry.game(), ["Ann"], 3), entry)
    hand.app.show_page(page)
    assert page.seat_cards[0].visible_stocks() == []


def test_games_without_secrets_have_no_privacy_screen(hand: Hand) -> None:
    hand.start("spline")
    hand.choose("Aa1")
    assert not hand.app.root.popups


def test_colour_is_chosen_from_the_table_marbles(hand: Hand) -> None:
    play = hand.start("splice")
    assert not play.tray.visible
    hand.key("2")
    hand.choose("Ab2")
    assert hand.moves == ["R@Ab2"]
    hand.click(*hand.marble("box", 2))
    assert play.table_contents(play.animation_time()).dish_colour == 2
    hand.click(*hand.marble("box", 1))
    assert play.table_contents(play.animation_time()).dish_colour == 1
    hand.choose("Ac3")
    assert hand.moves == ["R@Ab2", "B@Ac3"]


def test_tray_appears_only_where_table_marbles_are_hidden(hand: Hand) -> None:
    play = hand.start("splice")
    for chord in ("f2", "z"):
        hand.key(chord)
        hand.draw()
        assert play.tray.visible
        field = play.tray._field_rect(1)
        hand.click(*hand.app.to_window_pixels(field.cx, field.cy))
        assert play.controller.next_colour == 2
        hand.key("1")
        hand.key(chord)
        hand.draw()
        assert not play.tray.visible
    for _ in range(6):
        hand.key("plus")
        hand.wait(0.2)
    # Zoomed in so far, not all marbles are in the picture.
    assert play.tray.visible
    hand.key("0")
    hand.wait(1)
    assert not play.tray.visible


def test_marble_enters_from_a_side(hand: Hand) -> None:
    play = hand.start("splush")
    spot = next(spot for spot in play.controller.targets if spot.side == 0 and spot.point == 16)
    hand.click(*play.view.to_window(play.pointer.sign_position(spot)))
    hand.wait(2)
    assert hand.moves == ["W>Ba1/W"]
    assert hand.play.marble_scene.marbles == marbles_by_cell(play.match.state)


def test_page_fits_a_narrow_window_with_large_text(hand: Hand) -> None:
    hand.start("spline")
    hand.app.change_settings(scale=150)
    assert not hand.play.side_panel_background.visible
    hand.draw()
    hand.choose("Ab2")
    assert hand.moves == ["W@Ab2"]
    inside = hand.play.rect
    for widget in hand.play.walk():
        if widget.name and widget.rect.w:
            assert widget.rect.right <= inside.right + 1, widget.name
            assert widget.rect.bottom <= inside.bottom + 1, widget.name
    hand.app.change_settings(scale=100)


def test_chance_outcome_cannot_be_undone(hand: Hand) -> None:
    play = hand.start("spalone", names=("Aiko",))
    hand.choose("Aa1")
    assert play.status_line.sentence() == "Choose a point"
    hand.key("ctrl+z")
    assert len(hand.moves) == 1
    assert play.message_line.current_message() == (
        "This can't be undone: something was drawn or revealed.",
        True,
    )


def test_rule_failure_leaves_the_match_page(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    from shibumi3d.rules.errors import RuleFailure

    play = hand.start("spline")
    hand.choose("Aa1")

    def fail(move: object) -> None:
        raise RuleFailure("a stock can't hold less than nothing")

    monkeypatch.setattr(play.match, "play", fail)
    hand.choose("Ab1")
    assert "a stock can't hold less than nothing" in hand.floating(MessageCard).message_label.caption
    assert hand.moves == ["W@Aa1"]
    hand.key("enter")
    assert not hand.app.root.popups


def test_level_strip_shows_and_plays_every_point(hand: Hand) -> None:
    play = hand.start("spline-plus")
    hand.choose("Ab2", "Ac2", "Ab3", "Ac3")
    index = play.match.state.pyramid.point_by_name
    for point in range(30):
        x, y = play.level_strip.point_position(point)
        assert play.level_strip.rect.contains(x, y)
        assert play.level_strip.spot_at(x, y) == (0, point, -1)
    x, y = play.level_strip.point_position(index["Bb2"])
    hand.point(x, y)
    assert play.message_line.current_message() == ("Bb2 – ends the turn", False)
    hand.click(x, y)
    hand.wait(1)
    assert hand.moves[-1] == "W@Bb2"
    hand.click(*play.level_strip.point_position(index["Ab2"]))
    assert play.actions.message == "Ab2 belongs to Aiko."


def test_level_strip_asks_for_the_entry_side(hand: Hand) -> None:
    play = hand.start("splush")
    hand.click(*play.level_strip.point_position(16))
    hand.wait(1)
    assert hand.moves == ["W>Ba1/W"]
    hand.click(*play.level_strip.point_position(16))
    labels = [b.label for b in hand.floating(Panel).children if isinstance(b, Button)]
    assert labels == ["Enter from the west", "Enter from the south", "Cancel"]
    hand.key("enter")
    hand.wait(1)
    assert hand.moves == ["W>Ba1/W", "B>Ba1/W"]


def test_any_key_closes_the_shortcuts_card(hand: Hand) -> None:
    hand.start("spline")
    hand.key("?")
    assert hand.app.root.popups
    hand.draw()
    hand.key("t")
    assert not hand.app.root.popups


def test_replay_loops_over_a_selected_range(hand: Hand) -> None:
    """Of eight moves, the third to the fifth are repeated: the positions after moves 2 to 5 recur."""
    hand.start("spline")
    for point in ("Aa1", "Aa2", "Ab1", "Ab2", "Ac1", "Ac2", "Ba1", "Ad2"):
        hand.click(*hand.spot(point))
        hand.wait(3)
    hand.app.show_page(ReplayPage(hand.app, hand.play.match, hand.play.entry))
    page = hand.page(ReplayPage)
    page.go_to(5)
    hand.key("o")
    assert (page.playback.loop_range.playing_range(8), page.playback.loop_range.is_on) == ((0, 5), True)
    page.go_to(2)
    hand.key("i")
    assert page.playback.loop_range.playing_range(8) == (2, 5)
    hand.key("space")
    seen = [page.at_ply]
    while len(seen) < 9:
        hand.wait(0.1)
        seen += [page.at_ply] if page.at_ply != seen[-1] else []
    assert seen[seen.index(3) :][:7] == [3, 4, 5, 2, 3, 4, 5]
    # An end before the start moves the start. Without the loop, the whole match is played.
    hand.key("space")
    page.go_to(1)
    hand.key("o")
    assert page.playback.loop_range.playing_range(8) == (0, 1)
    hand.key("l")
    assert page.playback.loop_range.playing_range(8) == (0, 8)


def test_replay_can_be_scrubbed_looped_and_played_from(hand: Hand) -> None:
    hand.start("spline")
    hand.choose(*WHITE_LINE)
    hand.push("more")
    hand.push("review")
    replay = hand.page(ReplayPage)
    stand = replay.replay_view
    assert isinstance(stand, MarbleReplayView)
    line = replay.timeline.rect
    hand.drag((line.x + 12, line.cy), (line.x + 10 + (line.w - 20) * 4 / 7, line.cy))
    assert replay.at_ply == 4
    hand.drag((line.x + 10 + (line.w - 20) * 4 / 7, line.cy), (line.x + 10 + (line.w - 20) * 5 / 7, line.cy))
    replay._scrub(4)
    assert stand.marble_scene.is_animating(replay.current_playback_time())
    hand.now += 0.121
    assert not stand.marble_scene.is_animating(replay.current_playback_time())
    hand.wait(1)
    assert replay.at_ply == 4
    assert stand.marble_scene.marbles == marbles_by_cell(stand.state)
    hand.key("up")
    assert replay.playback.speed == 2
    hand.push("loop")
    hand.key("space")
    hand.wait(30)
    assert replay.playback.is_playing
    hand.key("space")
    hand.key("home")
    hand.key("right")
    hand.key("right")
    hand.push("play from here")
    assert hand.moves == ["W@Aa1", "B@Ab1"]
    hand.choose("Ad4")
    assert hand.moves[-1] == "W@Ad4"
    assert len(hand.app.store.list_files()) == 2


def test_refused_marble_shakes_and_rendering_comes_to_rest(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose("Ab2")
    hand.wait(1)
    (stands,) = hand.balls
    hand.click(*hand.spot("Ab2"))
    hand.now += 0.03
    (swings,) = hand.balls
    assert 0.005 < abs(swings.x - stands.x) < 0.031
    assert [sign.point for sign in play.sign_layer.choice_signs()] == [p for p in range(16) if p != 5]
    hand.wait(1)
    assert hand.balls == [stands]
    assert hand.app.is_resting


def test_collapsing_the_levels_restores_the_view(hand: Hand) -> None:
    play = hand.start("spline")
    for _ in range(8):
        hand.key("-")
    before = play.view.camera
    hand.key("x", held=True)
    hand.wait(1)
    assert play.exploded_layout is not None
    assert play.exploded_layout.is_complete
    assert play.view.camera.pitch == 90
    hand.push("spread")
    hand.wait(1)
    assert play.exploded_layout is None
    assert play.view.camera == before
    hand.push("spread")
    hand.now += 0.21
    play.animate(hand.now)
    # After half of the time, curve S is near its end.
    assert play.exploded_layout is not None
    assert 0.7 < play.exploded_layout.progress < 0.95
    hand.app.change_settings(reduced=True)
    play.animate(hand.now)
    assert play.exploded_layout.is_complete


def test_signs_stay_during_animation_unless_they_change(hand: Hand) -> None:
    play = hand.start("spline")

    def rings() -> int:
        return sum(mark.kind is MarkKind.RING for mark in play.sign_layer.make_frame(hand.now, 1.7).marks)

    hand.draw()
    hand.point(5, 715)
    assert rings() == 16
    hand.click(*hand.spot("Ab2"))
    hand.point(5, 715)
    hand.now += 0.05
    assert play.marble_scene.timeline.is_animating(play.animation_time())
    assert rings() == 15, "all points but the one that was taken may still be chosen"
    hand.wait(2)
    # A point on a new platform is a new target, shown after the marble that completes the platform has landed.
    hand.choose("Ac2", "Ab3")
    hand.click(*hand.spot("Ac3"))
    hand.now += 0.05
    assert play.marble_scene.timeline.is_animating(play.animation_time())
    beads = [ball for ball in play.sign_layer.make_frame(hand.now, 1.7).balls if ball.bead]
    assert beads == []
    hand.wait(2)
    assert len([ball for ball in play.sign_layer.make_frame(hand.now, 1.7).balls if ball.bead]) == 1


def test_turn_waits_for_confirmation_when_enabled(hand: Hand) -> None:
    hand.app.change_settings(confirm=True)
    play = hand.start("spline")
    hand.choose("Aa1")
    assert hand.moves == []
    assert play.end_turn_button.visible
    assert play.message_line.current_message()[0].endswith("Enter confirms, Esc cancels.")
    hand.choose("Aa1")
    assert hand.moves == [], "a second click says nothing more"
    hand.key("escape")
    assert not play.end_turn_button.visible
    hand.choose("Aa1", "Ab2")
    hand.key("enter")
    hand.wait(1.2)
    assert hand.moves == ["W@Ab2"], "what was chosen last"
    hand.choose("Ab3")
    hand.key("ctrl+z")
    hand.key("ctrl+enter")
    assert hand.moves == ["W@Ab2"], "undo takes back what waits"
    hand.choose("Ab3")
    hand.push("end turn")
    hand.wait(1.2)
    assert hand.moves == ["W@Ab2", "B@Ab3"]
    hand.key("tab")
    hand.key("enter")
    hand.key("enter")
    assert len(hand.moves) == 3, "by keys alone too"


def test_escape_closes_modes_then_returns_home(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose("Aa1")
    hand.key("z")
    hand.key("tab")  # puts the cursor on the board
    assert play.is_zen_mode
    assert play.pointer.cursor
    hand.key("escape")
    hand.key("escape")
    assert not play.is_zen_mode
    assert not play.pointer.cursor
    assert hand.app.current_page is play
    hand.key("escape")
    assert hand.app.current_page.page_name == "home"
    assert hand.app.matches.unfinished, "the match is kept"
    assert play.model.match.plies[0].move == "W@Aa1"


def test_result_menu_is_reachable_by_keyboard(hand: Hand) -> None:
    page = hand.start("spline")
    hand.choose(*WHITE_LINE)
    hand.push("more")
    card = hand.floating(ButtonMenu)
    assert [button.name for button in card.buttons] == ["review", "postcard"]
    hand.key("down")
    hand.key("down")
    hand.key("up")
    assert hand.app.root.focus is card.buttons[1]
    hand.key("escape")
    assert not hand.app.root.popups
    assert hand.app.current_page is page
    hand.push("more")
    hand.key("enter")
    assert not hand.app.root.popups
    assert isinstance(hand.app.current_page, ReplayPage)
