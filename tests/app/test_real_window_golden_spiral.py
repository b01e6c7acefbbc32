"""A whole match of Golden Spiral with a real pointer: secret numbers, privacy screens, the move list and the end."""

from __future__ import annotations

import pytest

from tests.app.test_real_window import Desk, cache, desk, display

pytestmark = pytest.mark.display
__all__ = ["cache", "desk", "display"]


def choice_row(desk: Desk, label: str) -> tuple[float, float]:
    x, y = desk.until(lambda seen: label in seen["rows"])["rows"][label]
    return x, y


def wait_for_plies(desk: Desk, plies: int) -> None:
    desk.until(lambda seen: seen.get("plies") == plies)


def test_match_of_four_choices(desk: Desk) -> None:
    """Aiko sets 12, Ben sets 3, and Ben wins with a Second Clash.

    Aiko's number is higher, so 12 of her 13 Gold medals turn to Spiral. A number must be lower than the player's number
    of Gold medals. With one Gold, Aiko has no number to set in the Second Clash. She is therefore in Default and loses.
    """
    desk.set(motion="fast", stills=False, language="en")
    desk.open("play", "golden-spiral", "--seats", "Aiko,Ben")
    desk.open_privacy_screen()
    desk.until(lambda seen: "number 12" in seen.get("targets", ()))
    desk.do("mousemove", *desk.place("number 12"))
    texts = desk.until(lambda seen: seen["message"])["message"]
    assert texts.startswith("Set 12 – against 1: Aiko 1 Gold, 12 Spiral; Ben 2 Gold")
    desk.do("click", 1)
    wait_for_plies(desk, 1)
    desk.open_privacy_screen()
    desk.until(lambda seen: "number 3" in seen.get("targets", ()))
    desk.do("mousemove", *desk.place("number 13"), "click", 1)
    desk.until(
        lambda seen: seen["message"].startswith("13 is too high: with 13 Gold, you can set at most 12")
    )
    desk.click("number 3")
    wait_for_plies(desk, 2)
    desk.do("mousemove", *choice_row(desk, "Pass"), "click", 1)
    wait_for_plies(desk, 3)
    desk.do("mousemove", *choice_row(desk, "Second Clash"))
    desk.until(lambda seen: "Default" in seen["message"])
    desk.do("click", 1)
    wait_for_plies(desk, 4)
    seen = desk.until(lambda seen: "Ben" in seen["over"] and "Default" in seen["over"])
    assert seen["choices"] == []
    assert desk.close() == 0
    assert desk.errors.read_text() == ""
