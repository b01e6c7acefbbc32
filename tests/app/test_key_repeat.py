"""Keys that are held down."""

from __future__ import annotations

import pytest

from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.platform.keyboard import FIRST_REPEAT_SECONDS, REPEAT_SECONDS, KeyRepeat
from shibumi3d.app.ui.widget import Key
from tests.app.hand import Hand


class Clock:
    """Simulated clock that makes the scheduled calls of a :class:`KeyRepeat` and records the repeated keys."""

    def __init__(self) -> None:
        self.now = 0.0
        self.due: list[tuple[float, object]] = []
        self.pressed: list[tuple[float, str]] = []
        self.holding = KeyRepeat(
            lambda delay, what: self.due.append((self.now + delay, what)),
            lambda key: self.pressed.append((round(self.now, 6), key.chord)),
        )

    def until(self, end: float) -> None:
        while ready := [each for each in self.due if each[0] <= end]:
            first = min(ready, key=lambda each: each[0])
            self.due.remove(first)
            self.now = first[0]
            first[1]()  # type: ignore[operator]
        self.now = end


@pytest.mark.parametrize(
    ("key", "writing", "again"),
    [
        (Key("z", ctrl=True), False, True),
        (Key("z", ctrl=True, shift=True), True, True),
        (Key("y", ctrl=True), False, True),
        (Key("left", shift=True), True, True),
        (Key("right", ctrl=True), True, True),
        (Key("backspace", ctrl=True), True, True),
        (Key("pagedown"), True, True),
        # The system itself repeats the key.
        (Key("left"), True, False),
        # A command of the page, not a step.
        (Key("right", ctrl=True), False, False),
        (Key("z"), False, False),
        (Key("v", ctrl=True), True, False),
        (Key("enter"), True, False),
        (Key("f11"), False, False),
        (Key("left", shift=True, alt=True), True, False),
    ],
)
def test_only_some_keys_repeat(key: Key, writing: bool, again: bool) -> None:
    clock = Clock()
    clock.holding.begin(key, writing)
    clock.until(FIRST_REPEAT_SECONDS + 2.5 * REPEAT_SECONDS)
    times = (
        [
            FIRST_REPEAT_SECONDS,
            FIRST_REPEAT_SECONDS + REPEAT_SECONDS,
            FIRST_REPEAT_SECONDS + 2 * REPEAT_SECONDS,
        ]
        if again
        else []
    )
    assert clock.pressed == [(pytest.approx(when), key.chord) for when in times]


def test_release_or_another_key_ends_the_repetition() -> None:
    clock = Clock()
    clock.holding.begin(Key("z", ctrl=True), False)
    clock.until(FIRST_REPEAT_SECONDS + REPEAT_SECONDS / 2)
    clock.holding.end()
    clock.until(10)
    clock.holding.begin(Key("z", ctrl=True), False)
    clock.holding.begin(Key("a"), False)
    clock.until(20)
    assert [chord for _, chord in clock.pressed] == ["ctrl+z"]


def test_holding_ctrl_z_undoes_turn_after_turn(hand: Hand) -> None:
    hand.start("spline")
    hand.choose("Aa1", "Ab1", "Ac1", "Ad1", "Aa2", "Ab2")
    hand.step = REPEAT_SECONDS
    hand.key("ctrl+z", held=True)
    assert len(hand.moves) == 5
    hand.wait(FIRST_REPEAT_SECONDS + REPEAT_SECONDS * 2.5)
    left = len(hand.moves)
    assert left == 3
    hand.native.dispatch_event("on_deactivate")
    hand.wait(2)
    assert len(hand.moves) == left
    hand.key("ctrl+y", held=True)
    hand.wait(2)
    assert len(hand.moves) == 6
    hand.native.dispatch_event("on_key_release", ord("y"), 0)


def test_holding_ctrl_z_undoes_text_changes(hand: Hand) -> None:
    home = hand.page(HomePage)
    hand.push("search")
    hand.type("one two three four")
    hand.key("ctrl+z", held=True)
    assert home.search_field.value == "one two three "
    hand.wait(3)
    assert home.search_field.value == ""
    hand.native.dispatch_event("on_key_release", ord("z"), 0)
