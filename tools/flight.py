"""Measurement of marbles that move in the window: the frame rate, and the cost of a frame."""

from __future__ import annotations

import time
from typing import NamedTuple

from tools.headless import MOVES, headless, play

SIZE = (1280, 720)
WARM = 2
"""Number of moves before the measurement, in which the renderer chooses its scale."""


class Flights(NamedTuple):
    """Result of a measurement.

    ``cost`` is the CPU time of a frame in milliseconds, ``rate`` the number of frames per second, and ``tier`` the
    quality tier that the renderer uses.
    """

    cost: float
    rate: float
    tier: str


def flights() -> Flights:
    """Play the first moves of Spline in a headless window and measure their frames.

    Each frame is drawn as soon as the previous one is finished.
    """
    from shibumi3d.app.host.settings import Settings

    with headless(Settings(size=SIZE, stills=False)) as (window, page):
        app = window.app
        pictures, cpu, passed = 0, 0.0, 0.0
        for number, move in enumerate(MOVES):
            play(page, move)
            window.draw()
            spent, begun, drawn = time.process_time(), time.monotonic(), 0
            while app.is_moving and time.monotonic() - begun < 5.0:
                window.draw()
                drawn += 1
            if number >= WARM:
                pictures += drawn
                cpu += time.process_time() - spent
                passed += time.monotonic() - begun
        tier = app.board_painter().tier
    return Flights(1000 * cpu / max(1, pictures), pictures / passed, tier)
