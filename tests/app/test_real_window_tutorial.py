"""The ten steps of the tutorial in the game designer, with a real pointer and real keys."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.app.test_real_window import Desk, Seen, cache, desk, display
from tests.share import THOROUGH

pytestmark = pytest.mark.display
__all__ = ["cache", "desk", "display"]
STEPS = sorted(Path("docs/tutorial").glob("*.yaml"))


def step_lines(path: Path) -> list[str]:
    """Return the lines of a tutorial step without its ``summary``, its ``rules`` and its French texts.

    French can't be typed on the keyboard of this display. The tenth step refers to the ninth as
    ``09-words-for-people``; this name is replaced with ``spry``, the name under which the test saves the ninth step.
    """
    text = re.sub(r"^(summary|rules):\n(?: .*\n|\n)+", "", path.read_text("utf-8"), flags=re.MULTILINE)
    text = re.sub(r", fr: [^}]*", "", text).replace("09-words-for-people", "spry")
    return text.rstrip("\n").split("\n")


def write(desk: Desk, lines: list[str]) -> Seen:
    """Replace the editor's text by typing ``lines``, and wait until the program has checked the new text.

    The editor must have the focus. Return the line of the trace that describes the screen after the check. Raises
    AssertionError if the program takes too long or has ended.
    """
    desk.key("ctrl+a")
    for number, line in enumerate(lines):
        # The editor indents a new line automatically; that is replaced.
        before = ["key", "Return", "key", "shift+Home"] if number else []
        if line:
            desk.do(*before, "type", "--delay", "1", "--", line)
        else:
            desk.do(*before, "key", "Delete")
    return desk.until(lambda seen: seen.get("text") == "\n".join(lines) and seen["read"])


@THOROUGH
def test_all_ten_steps_of_the_tutorial(desk: Desk) -> None:
    desk.set(motion="off", stills=False, guided=True, size=[800, 600])
    desk.open()
    desk.click("design")
    desk.until(lambda seen: seen["screen"] == "design" and seen["read"])
    desk.click("editor")
    for number, step in enumerate(STEPS[:9], 1):
        if number == 3:
            # Use the form to add a scoring step to the game of the previous tutorial step.
            lines = step_lines(STEPS[1])
            lines.remove("score: sum(count(supports(p) & enemy) for p in own)")
            write(desk, lines)
            desk.key("F2")
            desk.until(lambda seen: "verbs" in seen["widgets"])
            desk.click("score")
            desk.until(lambda seen: "field score" in seen["widgets"])
            desk.click("field score")
            desk.key("ctrl+a")
            desk.do("type", "--delay", "1", "--", "count(supports(placed) & enemy)")
            desk.click("add step")
            seen = desk.until(
                lambda seen: "- score: count(supports(placed) & enemy)" in seen["text"] and seen["read"]
            )
            assert seen["good"], seen["mistakes"]
            desk.key("F2", "F2")  # skip the board
            desk.until(lambda seen: "editor" in seen["widgets"])
            desk.click("editor")
            continue
        seen = write(desk, step_lines(step))
        assert seen["good"], (step.name, seen["mistakes"])
    desk.click("save game")
    desk.until(lambda seen: seen["file"] == "spry")
    desk.click("new game")
    desk.click("editor")
    seen = write(desk, step_lines(STEPS[9]))
    assert seen["good"], seen["mistakes"]
    assert "3 players" in seen["status"]
    desk.click("save game")
    desk.until(lambda seen: seen["file"] == "spry-for-three")
    desk.click("try")
    desk.until(lambda seen: seen["screen"] == "trying")
    desk.choose("Aa1", 1)
    desk.click("back")
    desk.until(lambda seen: seen["screen"] == "design" and seen["read"])
    desk.click("back")
    seen = desk.until(lambda seen: seen["screen"] == "home")
    desk.click("search")
    desk.do("type", "spry")
    desk.until(lambda seen: set(seen.get("games", ())) == {"spry", "spry-for-three"})
    assert desk.close() == 0
    assert desk.errors.read_text() == ""
