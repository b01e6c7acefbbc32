"""Keys and mouse buttons don't stay down if another window receives their release."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from shibumi3d.app.match.privacy_screen import HOLD_SECONDS, PrivacyScreen
from shibumi3d.app.ui.widget import Key
from tests.app.hand import Hand
from tests.app.test_real_window import Desk, Seen, cache, desk, display

__all__ = ["cache", "desk", "display"]

WIDTH = 800
KEY_REPEAT_SECONDS = 1.2
"""Seconds after which a held key has certainly begun to repeat."""


@pytest.fixture
def manager(display: str, desk: Desk) -> Iterator[None]:
    """Run a window manager until the test ends.

    It gives the focus to each new window. When the window with the focus is closed, no window has the focus until
    another one opens.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.app.x11", "manage"],
        env=desk.environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "ready"
    yield
    process.terminate()
    process.wait(10)


def fills_screen(seen: Seen) -> bool:
    return max(x for x, _ in seen["widgets"].values()) > WIDTH


@pytest.mark.display
def test_every_f11_press_counts_under_a_window_manager(desk: Desk, manager: None) -> None:
    desk.set(size=[WIDTH, 600])
    desk.open("play", "spline")
    desk.until(lambda seen: not fills_screen(seen))
    for number in range(5):
        desk.key("F11")
        desk.until(lambda seen, full=number % 2 == 0: fills_screen(seen) == full)
        time.sleep(0.5)
    # A held key counts once.
    desk.do("keydown", "F11")
    time.sleep(KEY_REPEAT_SECONDS)
    desk.do("keyup", "F11")
    desk.until(lambda seen: not fills_screen(seen))
    time.sleep(0.5)
    assert not fills_screen(desk.seen())
    assert desk.close() == 0


@pytest.mark.display
def test_keys_held_during_f11_are_released(desk: Desk, manager: None) -> None:
    desk.set(size=[WIDTH, 600])
    desk.open("play", "spline")
    for button in (1, 3):
        for full in (True, False):
            desk.do("mousemove", *desk.place("Ab2"), "mousedown", button, "key", "F11", "mouseup", button)
            desk.until(lambda seen, full=full: fills_screen(seen) == full)
    time.sleep(0.5)
    assert desk.seen()["plies"] == [], "a press that began in another window is no click"
    desk.do("keydown", "F2", "key", "F11", "keyup", "F2")
    flat = desk.until(fills_screen)["points"]
    time.sleep(0.5)
    desk.key("F2")
    desk.until(lambda seen: seen["points"] != flat)
    assert desk.close() == 0


def test_interrupted_button_press_is_not_a_click(hand: Hand) -> None:
    play = hand.start("spline")
    x, y = hand.spot("Ab2")
    hand.press(x, y)
    hand.app.root.cancel_press()
    hand.release(x, y)
    assert hand.moves == []
    hand.click(x, y)
    assert hand.moves == ["W@Ab2"]
    yaw = play.view.camera.yaw
    hand.point(x, y)
    hand.press(300, 500)
    hand.native.dispatch_event("on_mouse_drag", 400, 220, 100, 0, 1, 0)
    turned = play.view.camera.yaw
    assert turned != yaw
    hand.app.root.cancel_press()
    hand.native.dispatch_event("on_mouse_drag", 500, 220, 100, 0, 1, 0)
    hand.wait(1)
    assert play.view.camera.yaw == turned, "it neither follows the pointer nor glides on"


def test_dragged_marble_returns_if_the_window_loses_focus(hand: Hand) -> None:
    play = hand.start("spook")
    before = play.match.state
    play.view._is_carrying = True
    hand.app.root.pressed = play.view
    hand.app.root.cancel_press()
    assert play.match.state == before
    assert not play.view._is_carrying


@pytest.mark.parametrize("by", ["space", "left"])
def test_held_privacy_screen_stays_if_the_window_loses_focus(hand: Hand, by: str) -> None:
    """If the window loses focus while Space or the button is held, the privacy screen stays.

    The window doesn't receive the release, so the press would seem to last. The table would be revealed later, to
    whoever is looking at the screen by that time.
    """
    from pyglet.window import key

    play = hand.start("spline")
    curtain = PrivacyScreen(hand.app, 1, "Ann")
    hand.app.root.open_popup(curtain, lambda window: window)
    if by == "space":
        hand.native.dispatch_event("on_key_press", key.SPACE, 0)
        hand.native.dispatch_event("on_deactivate")
    else:
        hand.press(curtain.hold_button.rect.cx, curtain.hold_button.rect.cy)
        hand.app.root.cancel_press()
    hand.wait(2 * HOLD_SECONDS)
    assert hand.app.root.popups == [curtain]
    hand.app.root.close_popup()
    assert play.model.is_live


def test_view_shown_while_a_key_is_held_ends_on_focus_loss(hand: Hand) -> None:
    from pyglet.window import key

    hand.start("spline")
    released: list[Key] = []
    hand.app.root.page.on_key_release = released.append  # type: ignore[method-assign]
    hand.native.dispatch_event("on_key_press", key.X, 0)
    hand.native.dispatch_event("on_deactivate")
    assert released == [Key("x")]
    hand.native.dispatch_event("on_activate")
    assert released == [Key("x")]
