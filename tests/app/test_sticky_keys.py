"""Sticky keys: a latched modifier counts although no key is held down."""

from __future__ import annotations

import ctypes
import math

import pytest

from tests.app.test_real_window import Desk, Seen, cache, desk, display

__all__ = ["cache", "desk", "display"]
pytestmark = pytest.mark.display
CORE, SHIFT, CTRL, ALT = 0x100, 1, 4, 8
"""X11's number for the core keyboard, and the bits of the modifiers."""


def latch(display: str, bits: int) -> None:
    """Latch the modifiers in the mask ``bits``, as sticky keys do when a modifier is pressed and released.

    ``display`` is the name of the X display.
    """
    x = ctypes.CDLL("libX11.so.6")
    x.XOpenDisplay.restype = ctypes.c_void_p
    server = ctypes.c_void_p(x.XOpenDisplay(display.encode()))
    assert x.XkbLatchModifiers(server, CORE, bits, bits)
    x.XSync(server, 0)
    x.XCloseDisplay(server)


def board_size(seen: Seen) -> float:
    """Return the product of the diagonals of the lowest level, in square pixels.

    This product shows how large the board is on the screen.
    """
    points = seen["points"]
    return math.dist(points["Aa1"], points["Ad4"]) * math.dist(points["Ad1"], points["Aa4"])


def test_latched_alt_makes_the_wheel_rotate_the_boards(desk: Desk) -> None:
    """Without a modifier, the wheel zooms."""
    desk.open("play", "spline")
    desk.do("mousemove", *desk.place("Ab2"))
    begin = desk.seen()
    desk.do("click", 4)
    near = desk.until(lambda seen: seen["points"] != begin["points"])
    assert board_size(near) > 1.03 * board_size(begin)
    latch(desk.environment["DISPLAY"], ALT)
    desk.do("click", 4)
    turned = desk.until(lambda seen: seen["points"] != near["points"])
    assert board_size(turned) == pytest.approx(board_size(near), rel=0.03)
    assert math.dist(turned["points"]["Aa1"], near["points"]["Aa1"]) > 5


def test_latched_shift_prevents_the_next_click_from_choosing(desk: Desk) -> None:
    """With Shift, a click controls the camera.

    The latch lasts for one click, so the second click chooses a point.
    """
    desk.open("play", "spline")
    latch(desk.environment["DISPLAY"], SHIFT)
    desk.click("Ab2")
    desk.click("Ac3")
    assert desk.until(lambda seen: seen["plies"])["plies"] == ["W@Ac3"]


def test_latched_ctrl_makes_the_wheel_rotate_a_shape_once(desk: Desk) -> None:
    """With Ctrl, the wheel rotates the shape, so that the same click places it differently.

    The latch lasts for one step of the wheel, so the next step controls the camera again.
    """
    desk.open("play", "spetris")
    desk.click("answer 0")
    desk.made(1)
    desk.click("Ab2")
    first = desk.made(2)
    desk.key("ctrl+z")
    desk.made(0)
    desk.click("answer 0")
    desk.made(1)
    desk.do("mousemove", *desk.place("Ab2"))
    latch(desk.environment["DISPLAY"], CTRL)
    desk.do("click", 4)
    desk.click("Ab2")
    turned = desk.made(2)
    assert turned["plies"] != first["plies"]
    assert turned["points"]["Ad1"] == first["points"]["Ad1"], "the camera doesn't move"
    desk.do("click", 4)
    assert desk.until(lambda seen: seen["points"]["Ad1"] != turned["points"]["Ad1"])


def test_latched_shift_selects_text_in_a_field(desk: Desk) -> None:
    """With the caret at the start, a Shift-click to the right of the text selects all of it.

    So the text typed next replaces it. Shift is latched rather than held down.
    """
    desk.open()
    x, y = desk.place("search")
    desk.do("mousemove", x, y, "click", 1, "type", "splinesploof")
    desk.until(lambda seen: seen["found"] == 0)
    desk.key("Home")
    latch(desk.environment["DISPLAY"], SHIFT)
    desk.do("click", 1)
    desk.do("type", "splo")
    desk.until(lambda seen: set(seen["games"]) == {"sploof"})
