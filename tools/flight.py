"""Flights of marbles in the window, measured: how many pictures are drawn while one moves, and what each costs."""

from __future__ import annotations

import time
from typing import NamedTuple

from tools.headless import MOVES, headless, play

SIZE = (1280, 720)
WARM = 2
"""Flights before those that are measured: the picture finds its scale."""


class Flights(NamedTuple):
    """``cost`` is the CPU time of a picture in ms, ``rate`` how many were drawn a second, ``tier`` the driver's."""

    cost: float
    rate: float
    tier: str


def flights() -> Flights:
    """Plays the first moves of Spline in a window without a display, each picture drawn as soon as the last is."""
    from shibumi3d.app.host.settings import Settings

    with headless(Settings(size=SIZE, stills=False)) as (window, page):
        app = window.app
        pictures, cpu, passed = 0, 0.0, 0.0
        for number, move in enumerate(MOVES):
            play(page, move)
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
    return Flights(1000 * cpu / max(1, pictures), pictures / passed, tier)
