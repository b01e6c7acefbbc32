"""Tables other than marbles as a person meets them: whole matches with a real pointer on a real display."""

from __future__ import annotations

import pytest

from tests.app.test_mouse import Desk, Seen, desk, display

__all__ = ["desk", "display"]

pytestmark = pytest.mark.display


def ended(seen: Seen) -> bool:
    return (
        not seen["targets"] and not seen["choices"] and ("win" in seen["status"] or "draw" in seen["status"])
    )


def test_a_whole_match_on_the_spiral(desk: Desk) -> None:
    """Chips are thrown by a click on their bowl, steps bought by one on the tabas, and gone by one on the place."""
    desk.set(motion="off")
    desk.open("play", "hyena-spiral", "--option", "length=48", "--option", "rounds=1", "--seed", "5")
    seen = desk.until(lambda now: now.get("screen") == "play" and now["targets"])
    clicked = set()
    while not ended(seen):
        targets = seen["targets"]
        dishes = [key for key in targets if key.startswith("tabas")]
        places = [key for key in targets if key.startswith(("place", "well"))]
        # Whoever may choose goes; whoever may buy does so every other time.
        key = places[0] if places else dishes[0] if dishes and seen["plies"] % 2 else "bowl"
        clicked.add(key.split()[0])
        desk.click(key)
        desk.do("mousemove", 5, 715)
        before = seen["plies"]
        # A fee is paid by itself.
        seen = desk.until(lambda now, before=before: now["plies"] > before and (now["targets"] or ended(now)))
    assert {"bowl", "tabas", "place"} <= clicked
    assert desk.close() == 0
    assert desk.errors.read_text() == ""
    (kept,) = (desk.trace.parent / "data").rglob("*.yaml")
    assert "result:" in kept.read_text()
