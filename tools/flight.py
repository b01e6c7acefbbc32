"""Measurement of frames in the window: while a marble moves, while the view turns, and at rest."""

from __future__ import annotations

import time
from statistics import median
from typing import NamedTuple

from tools.headless import MOVES, open_headless_window, play

WINDOW_SIZE_PX = (1280, 720)
WARM_UP_MOVES = 2
"""Number of moves before the measurement, during which the renderer chooses its scale."""
REST_FRAMES = 30
"""Number of frames that are measured at rest."""


class FlightCost(NamedTuple):
    """Cost of drawing frames in the window.

    ``cost``, ``turning`` and ``rest`` are the CPU times of a frame in milliseconds: while a marble moves, while the
    view turns and while nothing moves, respectively. ``rate`` is the number of frames per second while a marble moves,
    and ``tier`` the quality tier that the renderer uses.
    """

    cost: float
    turning: float
    rest: float
    rate: float
    tier: str


def measure_flights() -> FlightCost:
    """Measure the cost of drawing frames in a headless window.

    The frames are drawn while marbles move in a match of Spline, while the view turns, and at rest. Each frame is drawn
    as soon as the previous one is finished.
    """
    from shibumi3d.app.host.settings import Settings

    with open_headless_window(Settings(size=WINDOW_SIZE_PX, stills=False)) as (window, page):
        from pyglet import gl  # only now, since its first import decides that there is no screen

        app = window.app

        def draw() -> None:
            """Draw a frame and wait until OpenGL has finished it."""
            window.draw()
            gl.glFinish()

        frame_count, cpu, elapsed = 0, 0.0, 0.0
        for index, move in enumerate(MOVES):
            play(page, move)
            draw()
            cpu_start, start, frames = time.process_time(), time.monotonic(), 0
            while app.is_moving and time.monotonic() - start < 5.0:
                draw()
                frames += 1
            if index >= WARM_UP_MOVES:
                frame_count += frames
                cpu += time.process_time() - cpu_start
                elapsed += time.monotonic() - start
        turning = []
        page.view.turn(1)
        draw()
        while app.is_moving:
            cpu_start = time.process_time()
            draw()
            turning.append(time.process_time() - cpu_start)
        while not app.is_resting:
            window.pyglet_window.dispatch_events()
            window.pyglet.clock.tick()
        rest = []
        for _ in range(REST_FRAMES):
            app.root.dirty = True
            cpu_start = time.process_time()
            draw()
            rest.append(time.process_time() - cpu_start)
        tier = app.board_painter().tier
    return FlightCost(
        1000 * cpu / max(1, frame_count),
        1000 * median(turning),
        1000 * median(rest),
        frame_count / elapsed,
        tier,
    )
