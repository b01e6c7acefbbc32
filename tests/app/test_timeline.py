"""The timeline of a replay: tall ticks, and the preview under the pointer."""

from __future__ import annotations

from pathlib import Path

import pytest

from shibumi3d.app.match.replay import PositionPreview, find_notable_plies
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.app.ui.slider import Slider
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match.match import Match
from tests.app.hand import Hand

DROP = ("W@Ab2", "B@Ab3", "W@Ac3", "B@Ac2", "W@Bb2", "B@Ad4", "^Ab2", ">Aa1")
"""Moves of Spline+. The last two carry the marble from Ab2 to Aa1, so that the marble on Bb2 drops."""


def test_timeline_ticks_are_taller_at_falls() -> None:
    match = Match(load_catalogue().get("spline-plus").game(), ["Ann", "Ben"])
    for move in DROP:
        match.play(move)
    fell = [
        n for n, ply in enumerate(match.plies, 1) if any(type(e).__name__ == "Dropped" for e in ply.events)
    ]
    assert len(fell) == 1
    assert find_notable_plies(match.initial_state, match.plies) == set(fell)


def test_hovering_the_timeline_previews_the_position(
    hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match(load_catalogue().get("spline").game(), ["Ann", "Ben"])
    for move in ("W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2", "W@Ad1"):
        match.play(move)
    asked: list[int] = []
    monkeypatch.setattr(
        hand.app.gallery, "position_picture", lambda positions, plies, entry: asked.append(plies)
    )
    page = ReplayPage(hand.app, match, load_catalogue().get("spline"))
    hand.app.show_page(page)
    hand.draw()
    line = hand.found("line", Slider)
    glance = hand.found("glance", PositionPreview)
    hand.point(*hand.app.to_window_pixels(line.x_of(3), line.rect.cy))
    hand.draw()
    assert glance.previewed_ply == 3
    assert asked == [3]
    assert page.caption(3) == "Turn 3 – Ann: white on Ab1"
    assert page.at_ply == 0, "a preview doesn't change the position"
    hand.point(*hand.app.to_window_pixels(640, 200))
    hand.draw()
    assert glance.previewed_ply is None
    hand.click(*hand.app.to_window_pixels(line.x_of(5), line.rect.cy))
    assert page.at_ply == 5
