"""A recorded session gives the same frames when it is repeated."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from shibumi3d.scene.camera import Camera
    from shibumi3d.scene.frame import Frame
    from tests.app.hand import Hand

Input = tuple[float, str, tuple[object, ...]]
"""Seconds since the start, the name of a window event, and its arguments."""


class Recorder:
    """Recorder that stores the window events of a session and can repeat the session."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        self.inputs: list[Input] = []

    def record(self, play: Callable[[Hand], None], monkeypatch: pytest.MonkeyPatch) -> None:
        begin, send = self.hand.now, self.hand.native.dispatch_event

        def sent(event: str, *values: object) -> object:
            self.inputs.append((self.hand.now - begin, event, values))
            return send(event, *values)

        with monkeypatch.context() as patch:
            patch.setattr(self.hand.native, "dispatch_event", sent)
            play(self.hand)

    def again(self, step: float = 1 / 15) -> list[tuple[Frame, Camera]]:
        """Repeat the session, and return a frame with its camera for every ``step`` seconds."""
        hand, begin, left = self.hand, self.hand.now, list(self.inputs)
        pictures = []
        number = 0
        while left or number * step < self.inputs[-1][0] + 2.0:
            until = number * step
            while left and left[0][0] <= until:
                when, event, values = left.pop(0)
                hand.now = begin + when
                hand.native.dispatch_event(event, *values)
            hand.now = begin + until
            hand.draw()
            due = [what for when, what in hand.waiting if when <= hand.now]
            hand.waiting = [item for item in hand.waiting if item[0] > hand.now]
            for what in due:
                what()
            # Making another frame at the same time doesn't advance anything.
            pictures.append((hand.play.sign_layer.make_frame(hand.now, 1.7), hand.play.view.camera))
            number += 1
        return pictures


def play_session(hand: Hand) -> None:
    """Play a short session of Spline+ with mouse and keys.

    A move is refused, the board is dragged, and a lifted marble makes the one above it drop. Keys are pressed during
    animations, a move is undone, and another is made with the keyboard.
    """
    hand.choose("Ab2", "Ac2", "Ab3", "Ac3", "Bb2")
    hand.click(*hand.spot("Ab2"))
    hand.wait(0.3)
    hand.click(*hand.spot("Ab2"))
    hand.wait(0.2)
    hand.choose("Ad4")
    x, y = hand.spot("Aa4")
    hand.press(30, 560, 1)
    for i in range(1, 6):
        hand.now += 0.02
        hand.native.dispatch_event("on_mouse_drag", 30 + 9 * i, 160, 9, 0, 1, 0)
    hand.release(75, 560)
    hand.wait(0.5)
    hand.choose("Ab2", "Aa1")
    hand.click(*hand.spot("Ac2"))
    hand.wait(0.08)
    hand.key("t")
    hand.wait(0.2)
    hand.key("ctrl+z")
    hand.wait(0.1)
    hand.key("tab")
    hand.key("enter")
    hand.wait(0.4)
    hand.key("b")
    hand.wait(0.6)
    hand.point(x, y)
    hand.wait(0.3)


def test_recorded_session_reproduces_the_same_frames(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder(hand)
    hand.start("spline-plus")
    recorder.record(play_session, monkeypatch)
    moves, end = hand.moves, hand.play.marble_scene.marbles
    runs = []
    for _ in range(2):
        hand.point(5, 715)
        hand.waiting.clear()
        hand.now = 5000.0
        hand.start("spline-plus")
        runs.append(recorder.again())
        assert hand.moves == moves
        assert hand.play.marble_scene.marbles == end
    first, second = runs
    assert len(first) == len(second) > 80
    assert len({frame for frame, _ in first}) > 40
    assert first == second
