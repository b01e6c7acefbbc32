"""Pointer, mouse wheel, keys and camera."""

from __future__ import annotations

import json
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.host import settings
from shibumi3d.app.host.settings import Settings
from shibumi3d.app.host.settings_card import SettingsCard
from shibumi3d.app.match.dialogs import GoToTurnCard
from shibumi3d.app.platform import keyboard
from shibumi3d.app.ui.choice import Choice

if TYPE_CHECKING:
    from shibumi3d.scene.pen import Colour
    from shibumi3d.scene.rect import Rect
    from tests.app.hand import Hand


def test_views_are_stored_for_each_game(hand: Hand) -> None:
    play = hand.start("spline")
    hand.key("alt+2")
    assert play.actions.message == "View 2 is empty. Press Shift+Alt+2 to save the current view."
    hand.key("]")
    hand.wait(1)
    hand.key("+".join(("alt", "shift", "2")))
    assert play.message_line.current_message() == ("View 2 saved.", True)
    stored = play.view.camera
    hand.key("0")
    hand.wait(1)
    hand.start("spline", size=6)
    hand.app.settings = settings.load_settings(hand.app.services.config_folder).settings
    hand.key("alt+2")
    hand.wait(1)
    camera = hand.play.view.camera
    assert (camera.yaw, camera.pitch) == pytest.approx((stored.yaw, stored.pitch), abs=0.01)
    assert camera.target == hand.play.view.home_camera.target
    hand.start("splice")
    hand.key("alt+2")
    assert "is empty." in hand.play.actions.message


def test_invalid_stored_view_is_rejected(hand: Hand) -> None:
    hand.app.change_settings(views={"spline": ((1.0, 2.0, 3.0),)})
    file = hand.app.services.config_folder / "settings.json"
    assert settings.load_settings(hand.app.services.config_folder).settings.views == {
        "spline": ((1.0, 2.0, 3.0), None, None, None)
    }
    for bad in (
        {"spline": [[1, 2]]},
        {"spline": [["x", 2, 3]]},
        {"spline": 3},
        [1],
        {"a": [[1, 2, float("inf")]]},
    ):
        file.write_text(json.dumps({"views": bad}))
        loaded = settings.load_settings(hand.app.services.config_folder)
        assert loaded.settings == Settings()
        assert loaded.notice


def test_side_view_and_opposite_side_shortcuts(hand: Hand) -> None:
    play = hand.start("spline")
    home = play.view.camera
    hand.key("o")
    hand.wait(1)
    assert abs(play.view.camera.yaw - home.yaw) == pytest.approx(180)
    assert (play.view.camera.pitch, play.view.camera.zoom) == (home.pitch, home.zoom)
    for key, yaw in (("left", -90), ("right", 90), ("down", 0), ("up", -180)):
        hand.key(f"alt+{key}")
        hand.wait(1)
        assert play.view.camera.yaw == pytest.approx(yaw)


def test_alt_wheel_and_sideways_wheel_rotate_the_board(hand: Hand) -> None:
    from pyglet.window import key

    play = hand.start("spline")
    zoom, yaw = play.view.camera.zoom, play.view.camera.yaw
    hand.native.dispatch_event("on_key_press", key.LALT, 0)
    hand.native.dispatch_event("on_mouse_scroll", 500, 360, 0, 1)
    assert (play.view.camera.zoom, play.view.camera.yaw) == (zoom, yaw + 4)
    hand.native.dispatch_event("on_key_release", key.LALT, key.MOD_ALT)
    hand.native.dispatch_event("on_mouse_scroll", 500, 360, 50, 0)
    assert (play.view.camera.zoom, play.view.camera.yaw) == (zoom, yaw + 12)
    for _ in range(40):
        hand.native.dispatch_event("on_mouse_scroll", 500, 360, 0, -1)
    assert play.view.camera.zoom == 1.8
    for _ in range(40):
        hand.native.dispatch_event("on_mouse_scroll", 500, 360, 0, 1)
    assert play.view.camera.zoom == 0.7
    assert hand.moves == []


def test_double_click_resets_the_view_only_on_the_table(hand: Hand) -> None:
    play = hand.start("spline")
    home = play.view.camera
    hand.key("]")
    hand.wait(1)
    turned = play.view.camera
    hand.click(30, 600)
    assert play.view.camera == turned
    hand.now += 0.1
    hand.click(30, 600)
    hand.wait(1)
    assert play.view.camera == home


def test_click_needs_press_and_release_on_the_same_target(hand: Hand) -> None:
    """The button is pressed on one hole and released on the next, after a movement too short to count as a drag."""
    play = hand.start("spline", size=10)
    view = play.view
    (x0, y0), (x1, y1) = hand.spot("Ae5"), hand.spot("Af5")
    steps = [(x0 + (x1 - x0) * i / 200, y0 + (y1 - y0) * i / 200) for i in range(201)]
    meant = [play.pointer.find_target(x - view.rect.x, y - view.rect.y) for x, y in steps]
    border = next(i for i in range(200) if meant[i] != meant[i + 1])
    one, other = steps[border], steps[border + 1]
    hand.press(*one)
    hand.release(*other)
    assert hand.moves == []
    hand.press(*one)
    hand.release(*one)
    assert len(hand.moves) == 1


def test_click_picks_again_only_after_a_change(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    play = hand.start("spline")
    asked: list[tuple[float, float]] = []
    pick = play.view.pick
    monkeypatch.setattr(play.view, "pick", lambda x, y, *rest: asked.append((x, y)) or pick(x, y, *rest))
    x, y = hand.spot("Ab2")
    asked.clear()
    hand.press(x, y)
    hand.release(x, y)
    assert len(hand.moves) == len(asked) == 1
    hand.wait(1)
    hand.press(x, y)
    assert len(asked) == 2, "another marble lies there now"


@pytest.mark.parametrize(("button", "held"), [(4, ""), (2, ""), (1, "shift")])
def test_other_drags_always_rotate_the_view(hand: Hand, button: int, held: str) -> None:
    from pyglet.window import key

    play = hand.start("spline-plus")
    hand.choose("Ab2", "Ac2")
    x, y = hand.spot("Ab2")
    yaw = play.view.camera.yaw
    hand.drag((x, y), (x + 50, y), button, key.MOD_SHIFT if held else 0)
    assert play.view.camera.yaw == pytest.approx(yaw - 50 * 0.35)
    assert len(hand.moves) == 2


def test_dragging_marbles_can_be_disabled(hand: Hand) -> None:
    play = hand.start("spline-plus")
    hand.choose("Ab2", "Ac2")
    hand.drag(hand.spot("Ab2"), hand.spot("Ad4"))
    assert hand.moves[-2:] == ["^Ab2", ">Ad4"]
    hand.wait(2)
    hand.app.change_settings(carry=False)
    yaw = play.view.camera.yaw
    hand.drag(hand.spot("Ac2"), hand.spot("Aa1"))
    assert len(hand.moves) == 4
    assert play.view.camera.yaw != yaw


def test_right_click_on_the_plan_explains_the_point(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose("Ab2")
    hand.key("f2")
    hand.draw()
    x, y = play.flat_view.spot_position(play.controller.targets[0])
    hand.click(x, y, button=4)
    assert play.actions.message == "Aa1 – ends the turn."
    x, y = play.flat_view.spot_position(play.controller.targets[0]._replace(point=5))
    hand.click(x, y, button=4)
    assert play.actions.message == "There is already a white marble on Ab2."
    assert hand.moves == ["W@Ab2"]


def test_go_to_turn_shortcut(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose("Ab2", "Ac2", "Ab3")
    hand.key("g")
    card = hand.floating(GoToTurnCard)
    assert card.field.value == ""
    hand.key("4")
    assert card.feedback() == ("There is no such turn.", False)
    hand.key("enter")
    assert hand.app.root.popups
    hand.key("backspace")
    hand.key("2")
    hand.key("enter")
    assert not hand.app.root.popups
    assert play.status_line.sentence() == "After turn 2"
    hand.key("g")
    hand.key("0")
    hand.key("enter")
    assert play.status_line.sentence() == "Before the first turn"
    hand.key("g")
    hand.key("3")
    hand.key("enter")
    assert play.model.is_live


def test_single_key_shortcuts_can_be_disabled(hand: Hand) -> None:
    play = hand.start("splice")
    hand.app.change_settings(single=False)
    home = play.view.camera
    for key in ("t", "2", "x", "b", ",", "]"):
        hand.key(key)
    hand.wait(1)
    assert (play.view.camera, play.exploded_layout, play.controller.next_colour) == (home, None, 0)
    hand.key("ctrl+t")
    hand.wait(1)
    assert play.view.camera.pitch == 90
    hand.key("ctrl+2")
    assert play.controller.next_colour == play.controller.available_colours[1] != 0
    # Ctrl+Z is undo, so the command of Z is on Alt+Z.
    hand.key("ctrl+z")
    assert not play.is_zen_mode
    hand.key("alt+z")
    assert play.is_zen_mode
    hand.key("alt+z")
    hand.key("tab")
    hand.key("enter")
    assert len(hand.moves) == 1
    hand.key("alt+,")
    assert not play.model.is_live
    hand.key("escape")
    assert play.model.is_live


def test_settings_are_reachable_in_a_low_window_with_large_text(hand: Hand) -> None:
    hand.start("spline")
    hand.app.change_settings(scale=150)
    hand.app.pages.show_settings()
    for number in range(len(SettingsCard.TABS)):
        hand.floating(SettingsCard).tabs.select(number)
        card = hand.floating(SettingsCard)
        assert card.tab == number
        rects = [*(choice.rect for _, choice in card.rows), card.done_button.rect]
        for one, other in combinations(rects, 2):
            is_beside = one.right <= other.x + 1 or other.right <= one.x + 1
            assert is_beside or one.bottom <= other.y + 1 or other.bottom <= one.y + 1
        assert all(choice.rect.h >= 22 for _, choice in card.rows)
        assert card.done_button.rect.bottom <= 480
    hand.app.change_settings(scale=100)


def test_board_style_and_marble_signs_can_be_chosen(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose("Ab2")
    hand.app.pages.show_settings()
    hand.floating(SettingsCard).tabs.select(1)
    hand.found("board", Choice).select(2)
    hand.found("signs on marbles", Choice).select(1)
    frame = play.sign_layer.make_frame(play.app.clock(), 1.7)
    assert (frame.theme.board, frame.theme.signs) == ("slate", "subtle")
    hand.found("board", Choice).select(0)
    hand.found("signs on marbles", Choice).select(0)
    hand.found("marbles", Choice).select(1)
    frame = play.sign_layer.make_frame(play.app.clock(), 1.7)
    assert (frame.theme.board, frame.theme.signs) == ("slate", "strong")


def test_page_fades_in_unless_there_is_input(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    veils: list[float] = []
    paper = hand.app.root.style.page[:3]

    def rect(area: Rect, colour: Colour, radius: float = 0) -> None:
        if (area.w, area.h) == hand.app.root.size and colour[:3] == paper:
            veils.append(colour[3])

    hand.start("spline")
    hand.wait(1)
    monkeypatch.setattr(hand.app.canvas, "rect", rect)
    hand.app.show_page(hand.app.current_page)
    for _ in range(4):
        hand.draw()
        hand.now += 0.1
    assert veils[0] == 1.0
    assert veils == sorted(veils, reverse=True)
    # The fade takes 280 milliseconds, and is fast at first.
    assert len(veils) == 3
    assert veils[2] < 0.1
    hand.wait(1)
    assert hand.app.is_resting
    hand.app.show_page(hand.app.current_page)
    veils.clear()
    hand.key("t")
    hand.draw()
    assert veils == []


def test_step_indicator_shows_required_and_optional_steps(hand: Hand) -> None:
    play = hand.start("spight")
    while {move.kind for move in play.controller.moves} != {"lift"}:
        hand.key("tab")
        hand.key("enter")
        hand.wait(1)
    assert (play.step_indicator.required_count, play.step_indicator.is_optional) == (1, False)
    hand.key("tab")
    hand.key("enter")
    hand.wait(1)
    assert (play.step_indicator.done_count, play.step_indicator.required_count) == (1, 0)
    play = hand.start("spirit")
    assert play.step_indicator.is_optional


@pytest.mark.parametrize(
    ("symbol", "held", "chord"),
    [
        ("POUND", "MOD_SHIFT MOD_ALT", "alt+shift+3"),
        ("user_key 12", "MOD_SHIFT MOD_ALT", "alt+shift+3"),
        ("user_key 23", "MOD_SHIFT", "shift+tab"),
        ("COLON", "MOD_SHIFT", "shift+;"),
        ("QUESTION", "MOD_SHIFT", "shift+?"),
        ("POUND", "MOD_SHIFT", "shift+pound"),
    ],
)
def test_shifted_keys_are_recognised(symbol: str, held: str, chord: str) -> None:
    """On X11, a key pressed with Shift is recognised by the character it produces or by its key code.

    Pyglet names such a key after the character, for example POUND for the key 3 of a British keyboard. If it has no
    name for the character, it gives the key code as a ``user_key``. With Shift and Alt, POUND counts as the digit 3,
    because Alt+Shift with a digit stores a view of the camera. With Shift alone, it keeps the name "pound".
    """
    from pyglet.window import key

    name, *code = symbol.split()
    number = key.user_key(int(code[0])) if code else getattr(key, name)
    assert keyboard.to_key(key, number, sum(getattr(key, word) for word in held.split())).chord == chord


def test_key_released_after_shift_can_be_pressed_again(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """On X11, some keys have one name while Shift is held and another when they are released without it.

    So pyglet may believe that a key is still down after its release, and ignore further presses of the key. Here, Tab
    was pressed with Shift, and got the name ``user_key(23)``.
    """
    from pyglet.window import key

    hand.start("spline")
    down = {key.user_key(23)}
    monkeypatch.setattr(hand.window, "_pyglet_pressed_keys", down)
    hand.native.dispatch_event("on_key_release", key.TAB, 0)
    assert down == set()
    down |= {key.LALT, key.TAB}
    hand.native.dispatch_event("on_key_release", key.LALT, 0)
    assert key.TAB in down, "a release under the same name forgets no other key"
    hand.native.dispatch_event("on_deactivate")
    assert down == set(), "keys may be released while the window is inactive"


def test_alt_release_is_recognised_under_any_name(hand: Hand) -> None:
    from pyglet.window import key

    play = hand.start("spline")
    hand.native.dispatch_event("on_key_press", key.LALT, 0)
    hand.native.dispatch_event("on_key_release", key.LMETA, key.MOD_SHIFT)
    yaw = play.view.camera.yaw
    hand.native.dispatch_event("on_mouse_scroll", 500, 360, 0, 1)
    assert play.view.camera.yaw == yaw
