"""Flights of marbles in the window, measured: how many pictures are drawn while one moves, and what each costs."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

SIZE = (1280, 720)
MOVES = ("W@Aa1", "B@Ad4", "W@Ab2", "B@Ac3", "W@Aa4", "B@Ad1")
WARM = 2
"""Flights before those that are measured: the picture finds its scale."""


class Flights(NamedTuple):
    """``cost`` is the CPU time of a picture in ms, ``rate`` how many were drawn a second, ``tier`` the driver's."""

    cost: float
    rate: float
    tier: str


def flights() -> Flights:
    """Plays the first moves of Spline in a window without a display, each picture drawn as soon as the last is."""
    os.environ.update(PYGLET_HEADLESS="true", PYGLET_AUDIO="silent")
    from shibumi3d.app.play.screen import Play
    from shibumi3d.app.settings import Settings, save
    from shibumi3d.app.window import Window
    from shibumi3d.catalogue import catalogue
    from shibumi3d.match.store import Store

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        save(folder / "config", Settings(size=SIZE, stills=False))
        window = Window(
            catalogue.load(), Store(folder / "matches"), folder / "config", cache=folder / "cache"
        )
        window.native.dispatch_events()
        app = window.app
        app.resize(*SIZE)
        app.matches.start(app.catalogue.get("spline"), ["A", "B"], 4, "", 1)
        app.root.close_all()
        page = app.screen
        assert isinstance(page, Play)
        pictures, cpu, passed = 0, 0.0, 0.0
        for number, move in enumerate(MOVES):
            page.doing.play_move(next(each for each in page.control.moves if str(each) == move))
            window.draw()
            spent, begun, drawn = time.process_time(), time.monotonic(), 0
            while app.moving and time.monotonic() - begun < 5.0:
                window.draw()
                drawn += 1
            if number >= WARM:
                pictures += drawn
                cpu += time.process_time() - spent
                passed += time.monotonic() - begun
        tier = app.painter().tier
        window.close()
    return Flights(1000 * cpu / max(1, pictures), pictures / passed, tier)
