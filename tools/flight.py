"""Measurement of marbles that move in the window: the frame rate, and the cost of a frame."""

from __future__ import annotations

import time
from typing import NamedTuple

from tools.headless import MOVES, open_headless_window, play

WINDOW_SIZE_PX = (1280, 720)
WARM_UP_MOVES = 2
"""Number of moves before the measurement, during which the renderer chooses its scale."""


class FlightCost(NamedTuple):
    """Result of a measurement.

    ``cost`` is the CPU time of a frame in milliseconds, ``rate`` the number of frames per second, and ``tier`` the
    quality tier that the renderer uses.
    """

    cost: float
    rate: float
    tier: str


def measure_flights() -> FlightCost:
    """Play the first moves of Spline in a headless window and measure their frames.

    Each frame is drawn as soon as the previous one is finished.
    """
    from shibumi3d.app.host.settings import Settings

    with open_headless_window(Settings(size=WINDOW_SIZE_PX, stills=False)) as (window, page):
        app = window.app
        frame_count, cpu, elapsed = 0, 0.0, 0.0
        for index, move in enumerate(MOVES):
            play(page, move)
            window.draw()
            cpu_start, start, frames = time.process_time(), time.monotonic(), 0
            while app.is_moving and time.monotonic() - start < 5.0:
                window.draw()
                frames += 1
            if index >= WARM_UP_MOVES:
                frame_count += frames
                cpu += time.process_time() - cpu_start
                elapsed += time.monotonic() - start
        tier = app.board_painter().tier
    return FlightCost(1000 * cpu / max(1, frame_count), frame_count / elapsed, tier)
