"""Gamepad input, and the window title for speech tools."""

from __future__ import annotations

from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.app.platform.gamepad import GamepadHandlers
from shibumi3d.app.platform.window_title import PROGRAM_TITLE, WindowTitle
from tests.app.hand import Hand


def pad_of(hand: Hand) -> GamepadHandlers:
    return GamepadHandlers(hand.window.press_key)  # type: ignore[attr-defined]


def test_stick_push_is_one_step_until_released() -> None:
    pressed: list[str] = []
    pad = GamepadHandlers(lambda key: pressed.append(key.chord))
    for x, y in ((0.3, 0.0), (0.7, 0.1), (0.9, 0.2), (0.5, 0.0), (0.8, 0.0), (0.1, 0.0), (0.0, -0.8)):
        pad.on_stick_motion(None, "leftstick", (x, y))
    assert pressed == ["right", "down"]
    for value in (0.2, 0.9, 1.0, 0.1, 0.8):
        pad.on_trigger_motion(None, "righttrigger", value)
    assert pressed[2:] == ["]", "]"]
    pad.on_button_press(None, "leftshoulder")
    pad.on_button_press(None, "nothing known")
    assert pressed[4:] == ["ctrl+z"]


def test_match_can_be_played_with_a_gamepad(hand: Hand) -> None:
    pad = pad_of(hand)
    games = hand.app.current_page.game_grid  # type: ignore[attr-defined]
    first = games.current_row
    pad.on_dpad_motion(None, (1, 0))
    pad.on_dpad_motion(None, (0, 0))
    assert games.current_row == first + 1
    hand.start("spline")
    pad.on_button_press(None, "x")
    first = hand.play.pointer.active_spot
    assert first is not None
    pad.on_button_press(None, "a")
    hand.wait(1)
    assert len(hand.moves) == 1
    pad.on_button_press(None, "leftshoulder")
    assert hand.moves == []
    camera = hand.play.view.target_camera
    pad.on_trigger_motion(None, "lefttrigger", 1.0)
    assert hand.play.view.target_camera != camera


def test_window_title_announces_events_if_enabled(hand: Hand) -> None:
    titles: list[str] = []
    before = hand.window.title  # type: ignore[attr-defined]
    hand.window.title = WindowTitle(titles.append)  # type: ignore[attr-defined]
    try:
        hand.start("spline")
        hand.choose("Aa1")
        assert not titles
        hand.app.change_settings(spoken=True)
        hand.wait(1)
        assert titles[-1].startswith("Aiko: white on Aa1")
        assert "Ben to move" in titles[-1]
        hand.app.change_settings(spoken=False)
        hand.wait(1)
        assert titles[-1] == PROGRAM_TITLE
        # The spoken title is reset when its page closes.
        for leave, page in (("escape", "Games"), ("ctrl+o", "Saved games")):
            hand.start("spline")
            hand.choose("Aa1")
            hand.app.change_settings(spoken=True)
            hand.wait(1)
            assert titles[-1] != PROGRAM_TITLE
            hand.key(leave)
            hand.draw()
            assert titles[-1] == PROGRAM_TITLE
            hand.wait(1)
            assert titles[-1] == f"{page} – {PROGRAM_TITLE}"
            hand.app.change_settings(spoken=False)
        hand.start("spline")
        hand.choose("Aa1")
        hand.app.change_settings(spoken=True)
        hand.wait(1)
        hand.app.show_page(ReplayPage(hand.app, hand.play.match, hand.play.entry))
        hand.draw()
        assert titles[-1] == PROGRAM_TITLE
        # Nothing behind the privacy screen is spoken.
        hand.app.change_settings(spoken=True)
        hand.start("spagyric")
        hand.wait(1)
        assert hand.app.root.popups
        assert titles[-1].startswith("Pass to") or "Aiko" in titles[-1]
        assert "to move" not in titles[-1]
        # The title begins with the focused control.
        hand.app.root.close_popups()
        hand.app.pages.show_home()
        hand.key("tab")
        hand.wait(1)
        assert titles[-1] == f"Search games – Games – {PROGRAM_TITLE}"
    finally:
        hand.window.title = before  # type: ignore[attr-defined]
