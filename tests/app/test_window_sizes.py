"""Windows of every size work, including those that are too small for any page."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable

import numpy as np
import pytest

from shibumi3d.app.host.window_page import MIN_NARROW_PAGE_PX, WindowPage
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.scene.camera import Camera
from tests.app.hand import Hand
from tests.app.test_real_window import Desk, cache, desk, display

__all__ = ["cache", "desk", "display"]

SIZES = ((1, 1), (1600, 1), (1, 900), (50, 40), (119, 89), (0, 0))


def start_match(hand: Hand, game: str) -> None:
    entry = load_catalogue().get(game)
    hand.app.matches.start(entry, ["Aiko", "Ben"], entry.size, "", 1)


PAGES: dict[str, Callable[[Hand], object]] = {
    "home": lambda hand: hand.app.pages.show_home(),
    "settings": lambda hand: hand.app.pages.show_settings(),
    "guide": lambda hand: hand.app.pages.show_tutorial(),
    "marbles": lambda hand: hand.start("spline"),
    "two boards": lambda hand: hand.start("spair"),
    "dice": lambda hand: start_match(hand, "hyena-spiral"),
    "cards": lambda hand: start_match(hand, "arcanoid"),
    "medals": lambda hand: start_match(hand, "golden-spiral"),
    "design": lambda hand: hand.key("ctrl+d"),
}


@pytest.mark.parametrize("page", PAGES)
def test_pages_survive_every_window_size(hand: Hand, monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    wrong: list[Exception] = []
    monkeypatch.setattr(hand.app, "report_failure", lambda problem, again: wrong.append(problem))
    PAGES[page](hand)
    hand.draw()
    for size in SIZES:
        hand.app.resize(*size)
        hand.draw()
        hand.point(0, 0)
        hand.draw()
        assert not wrong, size
    hand.app.resize(1280, 720)
    hand.draw()
    assert hand.app.root.size == (1280, 720)


def test_very_large_window_is_drawn(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong: list[Exception] = []
    monkeypatch.setattr(hand.app, "report_failure", lambda problem, again: wrong.append(problem))
    hand.start("spline")
    hand.app.resize(8000, 6000)
    hand.draw()
    assert not wrong


def test_page_layout_never_goes_below_the_minimum_size(hand: Hand) -> None:
    for size in SIZES:
        hand.app.resize(*size)
        assert hand.app.root.size[0] >= MIN_NARROW_PAGE_PX[0]
        assert hand.app.root.size[1] >= WindowPage.min_size[1]


@pytest.mark.parametrize("size", [(0, 0), (1, 0), (0, 1), (1, 1), (8000, 1), (1, 6000)])
def test_camera_projects_at_any_image_size(size: tuple[int, int]) -> None:
    camera = Camera()
    places, depths = camera.project(np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]), *size)
    assert np.isfinite(places).all()
    assert np.isfinite(depths).all()
    assert np.isfinite(camera.ray(0, 0, *size)[1]).all()
    assert np.isfinite(camera.matrices(0.0)[1]).all()


@pytest.mark.display
def test_window_survives_shrinking_and_enlarging(desk: Desk) -> None:
    desk.open("play", "spline")
    desk.choose("Aa1", 1)
    window = subprocess.run(
        ["xdotool", "search", "--onlyvisible", "--name", "Shibumi"],
        env=desk.environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout.split()[0]
    for size in ((1, 1), (300, 1), (100, 80), (1280, 720)):
        desk.do("windowsize", "--sync", window, *size)
    desk.do("mousemove", 640, 5)
    desk.until(lambda seen: max(x for x, _ in seen["widgets"].values()) > 1000)
    # The view may still be adjusting to the larger window, so wait until the point no longer moves.
    places = [desk.place("Ab1")]
    while len(places) < 2 or places[-1] != places[-2]:
        time.sleep(1)
        places.append(desk.place("Ab1"))
    desk.choose("Ab1", 2)
    assert desk.close() == 0
    assert desk.errors.read_text() == ""
