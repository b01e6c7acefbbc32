"""Hovering over a spot and clicking it query the rules no more than necessary."""

from __future__ import annotations

import pytest

import shibumi3d
from shibumi3d.app.match.marble_view.controller import Controller, Spot
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles.engines import Runner
from shibumi3d.rules.marbles.pyramid import get_pyramid


@pytest.fixture
def engine_queries(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A list to which each query adds the state that it loads into the engine."""
    found: list[object] = []
    stand = Runner.load

    def counted(self: Runner, at: object, seed: int | None) -> object:
        found.append(at)
        return stand(self, at, seed)

    monkeypatch.setattr(Runner, "load", counted)
    return found


def test_hovering_queries_the_engine_once_and_clicking_twice(engine_queries: list[object]) -> None:
    control = Controller(Match(shibumi3d.game("spline"), ["Ann", "Ben"], 1))
    spot = Spot(0, get_pyramid(4).point_by_name["Ab2"])
    engine_queries.clear()
    for _ in range(3):
        assert control.describe_click(spot) == "Ab2 – ends the turn"
        assert control.preview_click(spot) is not None
    # The result of one query is used for the signs, the description and the button.
    assert len(engine_queries) == 1
    engine_queries.clear()
    control.click(spot)
    control.history.play_forced_moves()
    # One query makes the move, and one finds the next legal moves.
    assert len(engine_queries) == 2
