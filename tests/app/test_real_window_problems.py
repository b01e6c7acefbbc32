"""A problem solved with a real pointer: a wrong turn is refuted and undone, and the right one solves the problem."""

from __future__ import annotations

import pytest

from shibumi3d.catalogue.problems import load_problems
from tests.app.test_real_window import Desk, cache, desk, display

pytestmark = pytest.mark.display
__all__ = ["cache", "desk", "display"]


def test_wrong_turn_and_then_the_solution(desk: Desk) -> None:
    one = next(each for each in load_problems("spline") if each.n == 1 and each.wrong)
    (wrong, _), (key,), before = one.wrong[0], one.solution, sum(map(len, one.moves))
    desk.set(motion="fast", language="en")
    desk.open("problems", "play", "spline", str(one.id))
    asked = desk.until(lambda seen: seen.get("targets"))["task"]
    assert asked.endswith("to move and win in 1 turn.")
    desk.find(wrong[0].partition("@")[2])
    desk.click(wrong[0].partition("@")[2])
    # The wrong turn and its refutation stay until the player acts. After that, they can be stepped through.
    refuted = desk.until(lambda seen: ". The reply – " in seen.get("task", ""))
    assert len(refuted["plies"]) == before + 2
    desk.key("Return")
    seen = desk.until(lambda seen: seen["wrong"] == [wrong[0]] and len(seen["plies"]) == before)
    assert "redo" in seen["widgets"]
    task_text = seen["task"]
    assert task_text.startswith("That's not it. ")
    assert asked.endswith(task_text.removeprefix("That's not it. "))
    # A marble stands before the middle of the solution's hole: look from another side.
    points = seen["points"]
    desk.key("bracketleft")
    desk.until(lambda now: now["points"] != points)
    desk.find(key.partition("@")[2])
    desk.click(key.partition("@")[2])
    seen = desk.until(lambda seen: len(seen["plies"]) == before + 1 and "Themes" in seen["task"])
    assert seen["plies"][-1] == key
    assert "Themes: wins at once" in seen["task"]
    assert desk.close() == 0
    assert desk.errors.read_text() == ""
