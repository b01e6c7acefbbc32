"""A click passes through the modules in the order given in ``docs/architecture.md``."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from shibumi3d.match.match import Match
from shibumi3d.rules.marbles.game import MarbleGame
from tests.app.hand import Hand
from tests.app.test_table_keyboard_play import ARCANOID, GOLDEN, HYENA, Game, sit
from tests.sources import PACKAGE

GUIDE = Path("docs/architecture.md").read_text(encoding="utf-8")
NAMED_FUNCTION = re.compile(r"`([\w/*]+\.py)` `(\w+)`")
"""Pattern for a module and one of its functions, as they are named in the tables of the guide."""
BELOW = {
    Match.play.__qualname__: {"match", "rules", "catalogue"},
    MarbleGame.apply.__qualname__: {"rules"},
    "Timeline.add": {"scene", "rules"},
    "pick": {"scene"},
    "Renderer.draw": {"render", "scene", "rules"},
}
"""The layers that certain functions may enter during a click: their own layer and layers below it."""

WINDOW_CALLBACKS = {"make_window_texture"}
"""Functions that the window passes to the layers below it.

The renderer calls ``make_window_texture`` when a slow machine makes it draw at another size.
"""


def tables() -> list[list[list[tuple[str, str]]]]:
    """Return the tables with numbered rows in ``docs/architecture.md``.

    Each table is a list of rows, and each row is a list of the functions that it names, as pairs (file, name).
    """
    found: list[list[list[tuple[str, str]]]] = []
    for line in GUIDE.splitlines():
        row = re.match(r"\| (\d+) \|", line)
        if row:
            found += [[]] if row[1] == "1" else []
            found[-1].append(NAMED_FUNCTION.findall(line))
    return found


def assert_documented_order(walk: Walk, steps: list[list[tuple[str, str]]], kind: str = "") -> None:
    """Assert that ``walk`` has recorded calls of the functions in ``steps``, in this order.

    ``steps`` is one of the tables returned by :func:`tables`; each of its rows must name at least one function. Other
    functions may be called in between. ``kind`` replaces ``*`` in the file names.
    """
    at = 0
    for row in steps:
        assert row
        for file, function in row:
            step = (file.replace("*", kind), function)
            assert step in walk.entered[at:], f"{step} is not called after the step before it"
            at = walk.entered.index(step, at) + 1


class Walk:
    """Recorder of calls to the package's functions.

    ``below`` maps the qualified names of some functions to the layers that they may enter. ``entered`` lists all calls
    in order, as pairs (file, function). ``steps`` contains the functions in ``below`` that were called. ``wrong``
    describes the direct and indirect calls from these functions into layers that they may not enter. Calls of
    ``WINDOW_CALLBACKS``, and calls into modules directly in the package's folder, are always allowed.
    """

    def __init__(self, below: Mapping[str, set[str]]) -> None:
        self.below = below
        self.entered: list[tuple[str, str]] = []
        self.wrong: list[str] = []
        self.steps: set[str] = set()
        self._inside: list[str] = []

    def follow(self, what: Callable[[], None]) -> None:
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
            if "/" in module and layer not in self.below[step] and code.co_name not in WINDOW_CALLBACKS:
                self.wrong.append(f"{step} enters {module}: {code.co_qualname}")
        if code.co_qualname in self.below:
            self._inside.append(code.co_qualname)
            self.steps.add(code.co_qualname)


def test_click_calls_the_documented_functions_in_order(hand: Hand) -> None:
    """In Spline+, a click lifts a white marble, and the white marble on top of it falls into its place.

    The documented order is given by the first table in ``docs/architecture.md``. All functions in ``BELOW`` are called,
    and none of them calls into a layer that isn't allowed there.
    """
    play = hand.start("spline-plus")
    hand.choose("Ab2", "Ac2", "Ab3", "Ac3", "Bb2", "Ad4")
    assert hand.moves == ["W@Ab2", "B@Ac2", "W@Ab3", "B@Ac3", "W@Bb2", "B@Ad4"]
    x, y = hand.spot("Ab2")
    hand.wait(1)
    walk = Walk(BELOW)

    def click() -> None:
        # As on a touch screen, no motion precedes the press, so nothing has been picked here yet.
        hand.native.dispatch_event("on_mouse_press", x, 720 - y, 1, 0)
        hand.release(x, y)
        hand.draw()

    walk.follow(click)
    state = play.match.state
    names = state.pyramid.point_by_name
    assert hand.moves[-1] == "^Ab2"
    assert state.filled(0) >> names["Ab2"] & 1  # the marble that fell is there
    assert not state.filled(0) >> names["Bb2"] & 1
    marbles, _ = tables()
    assert len(marbles) == 8
    assert_documented_order(walk, marbles)
    assert walk.steps == set(BELOW)
    assert walk.wrong == []


@pytest.mark.parametrize(
    ("game", "text"), [(HYENA, "throw"), (GOLDEN, "12"), (ARCANOID, "S:S4+S6+S7")], ids=lambda each: each[0]
)
def test_click_at_another_table_calls_the_documented_functions_in_order(
    hand: Hand, game: Game, text: str
) -> None:
    """Only the calls made by the last click of the move are traced."""
    page = sit(hand, game, ("person", "stone"))
    kind = page.match.game.kind.replace("-", "_")
    below = {
        Match.play.__qualname__: {"match", "rules", "catalogue"},
        f"{type(page.match.game).__name__}.apply": {"rules"},
        "Renderer.draw": {"render", "scene", "rules"},
    }
    while page.model.choosing_seat is None:
        hand.wait(0.2)  # the computer players move first
    before_it = page.match.cursor
    picks, last = page.scene.clicks_for(next(move for move in page.model.legal_moves() if move.text == text))
    spots: Any = page.trace_values()["points"]
    *before, final = [*sorted(picks), *([last] if last else [])]
    for key in before:
        hand.click(*spots[key])
    walk = Walk(below)

    def click() -> None:
        hand.press(*spots[final])
        hand.release(*spots[final])
        hand.draw()

    walk.follow(click)
    assert page.match.plies[before_it].move.endswith(text)
    _, others = tables()
    assert len(others) == 8
    assert_documented_order(walk, others, kind)
    assert walk.steps == set(below)
    assert walk.wrong == []


def test_every_documented_module_exists() -> None:
    roots = (PACKAGE, PACKAGE / "rules/marbles", PACKAGE.parent)
    for file in re.findall(r"`((?:\w+/)+\w+\.py)`", GUIDE):
        assert any((root / file).is_file() for root in roots), file
