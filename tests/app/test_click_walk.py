"""A click is followed through the modules of the package, against the table of ``docs/architecture.md``."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from shibumi3d.match.match import Match
from shibumi3d.rules.marbles.game import RuleGame
from tests.app.hand import Hand
from tests.sources import PACKAGE

GUIDE = Path("docs/architecture.md").read_text(encoding="utf-8")
DOOR = re.compile(r"`([\w/]+\.py)` `(\w+)`")
"""A module and the function in it through which a click comes in, as the table names them."""
BELOW = {
    Match.play.__qualname__: {"match", "rules", "catalogue"},
    RuleGame.apply.__qualname__: {"rules"},
    "Queue.add": {"scene", "rules"},
    "pick": {"scene"},
    "Renderer.draw": {"render", "scene", "rules"},
}
"""What may be entered from within a step of the walk: only layers below it."""


def table() -> list[list[tuple[str, str]]]:
    """The doors of each row of the table, in order."""
    rows = [line for line in GUIDE.splitlines() if re.match(r"\| \d+ \|", line)]
    return [DOOR.findall(row) for row in rows]


class Walk:
    """Records which functions of the package are entered, and from within which."""

    def __init__(self) -> None:
        self.entered: list[tuple[str, str]] = []
        self.wrong: list[str] = []
        self.steps: set[str] = set()
        self._inside: list[str] = []

    def follow(self, what: Callable[[], None]) -> None:
        """Calls ``what`` and records."""
        sys.setprofile(self._event)
        try:
            what()
        finally:
            sys.setprofile(None)

    def _event(self, frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if event not in ("call", "return") or not code.co_filename.startswith(str(PACKAGE)):
            return
        module = Path(code.co_filename).relative_to(PACKAGE).as_posix()
        if event == "return":
            if self._inside and self._inside[-1] == code.co_qualname:
                self._inside.pop()
            return
        self.entered.append((module, code.co_name))
        layer = module.split("/")[0]
        for step in self._inside:
            if "/" in module and layer not in BELOW[step]:
                self.wrong.append(f"{step} enters {module}: {code.co_qualname}")
        if code.co_qualname in BELOW:
            self._inside.append(code.co_qualname)
            self.steps.add(code.co_qualname)


def test_a_click_passes_through_the_doors_of_the_guide_in_their_order(hand: Hand) -> None:
    """Spline+, a white marble that carries another on four: it is lifted, and the other falls into its hole."""
    play = hand.start("spline-plus")
    hand.choose("Ab2", "Ac2", "Ab3", "Ac3", "Bb2", "Ad4")
    assert hand.moves == ["W@Ab2", "B@Ac2", "W@Ab3", "B@Ac3", "W@Bb2", "B@Ad4"]
    x, y = hand.spot("Ab2")
    hand.point(x, y)
    hand.wait(1)
    walk = Walk()

    def click() -> None:
        hand.press(x, y)
        hand.release(x, y)
        hand.draw()

    walk.follow(click)
    state = play.match.state
    names = state.pyramid.index
    assert hand.moves[-1] == "^Ab2"
    assert state.filled(0) >> names["Ab2"] & 1  # what fell lies there
    assert not state.filled(0) >> names["Bb2"] & 1
    assert len(table()) == 8
    at = 0
    for row in table():
        assert row
        for door in row:
            assert door in walk.entered[at:], f"{door} is not entered after the door before it"
            at = walk.entered.index(door, at) + 1
    assert walk.steps == set(BELOW)
    assert walk.wrong == []


def test_every_module_of_the_guide_is_there() -> None:
    roots = (PACKAGE, PACKAGE / "rules/marbles", PACKAGE.parent)
    for file in re.findall(r"`((?:\w+/)+\w+\.py)`", GUIDE):
        assert any((root / file).is_file() for root in roots), file
