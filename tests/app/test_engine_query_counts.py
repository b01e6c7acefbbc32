"""The window never asks the rules for too much at once: no query takes longer than a single choice may."""

from __future__ import annotations

import pytest

import shibumi3d
from shibumi3d.app.match.marble_view.controller import Controller, Spot
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles.engines import Runner
from shibumi3d.rules.marbles.pyramid import get_pyramid


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The moments at which the engine was stood, one a question."""
    found: list[object] = []
    stand = Runner.load

    def counted(self: Runner, at: object, seed: int | None) -> object:
        found.append(at)
        return stand(self, at, seed)

    monkeypatch.setattr(Runner, "load", counted)
    return found


def test_hovering_queries_the_engine_once_and_clicking_twice(asked: list[object]) -> None:
    control = Controller(Match(shibumi3d.game("spline"), ["Ann", "Ben"], 1))
    spot = Spot(0, get_pyramid(4).point_by_name["Ab2"])
    asked.clear()
    for _ in range(3):
        assert control.describe_click(spot) == "Ab2 – ends the turn"
        assert control.preview_click(spot) is not None
    # What comes of it serves the signs, the words and the button.
    assert len(asked) == 1
    asked.clear()
    control.click(spot)
    control.history.play_forced_moves()
    # To make the choice, and to find what may be chosen next.
    assert len(asked) == 2
