"""Measurement of stills in the window: how long input waits while one is rendered.

It also counts the frames drawn afterwards, of which there should be none.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from tools.headless import MOVES, headless, play

if TYPE_CHECKING:
    from shibumi3d.app.platform.window import ProgramWindow

SIZES = ((1280, 720), (1920, 1080))
REST = 5.0
"""Seconds after a still during which drawn frames are counted."""
SOON, PATIENCE = 5.0, 60.0
"""Seconds of waiting for a still to begin, and for it to be finished, before giving up."""


class Settling(NamedTuple):
    """Result for a window of ``size``, in milliseconds of CPU time.

    ``longest`` is the longest time that input waits while stills are rendered, ``step`` the median of all steps of the
    event loop in that time, and ``whole`` the mean time for a still. ``idle`` is the number of frames drawn in the
    seconds after the last still.
    """

    size: tuple[int, int]
    longest: float
    step: float
    whole: float
    idle: int


def settling() -> Iterator[Settling]:
    """Yield the results for each window size, with a position of Spline seen from different sides.

    The first result is for the first still of all, for which the driver compiles its shaders.
    """
    from shibumi3d.app.host.settings import Settings

    # A headless window can't become larger than it was when it was created.
    with headless(Settings(size=SIZES[-1], motion="off", stills=True)) as (window, page):
        for move in MOVES:
            play(page, move)
        for number, size in enumerate((SIZES[0], *SIZES)):
            window.app.resize(*size)
            stills = []
            for _ in range(3 if number else 1):
                page.view.turn(1)
                window.schedule_draw()
                stills.append(_steps(window))
            every = [step for steps in stills for step in steps] or [0.0]
            yield Settling(size, max(every), median(every), sum(every) / len(stills), _pictures(window))


def _turn(window: ProgramWindow) -> float:
    """Run one step of the event loop and return its CPU time in milliseconds."""
    spent = time.process_time()
    window.pyglet_window.dispatch_events()
    window.pyglet.clock.tick()
    return 1000 * (time.process_time() - spent)


def _steps(window: ProgramWindow) -> list[float]:
    """Render a still and return the time of each step of the event loop, in milliseconds."""
    stills, found = window.app.board_painter().stills, list[float]()
    begun = time.monotonic()
    while time.monotonic() - begun < (PATIENCE if found else SOON):
        before = stills.is_rendering
        spent = _turn(window)
        if before or stills.is_rendering:
            found.append(spent)
        elif found and stills.is_settled:
            break
        else:
            time.sleep(0.002)
    return found


def _pictures(window: ProgramWindow) -> int:
    """Return the number of frames drawn in :data:`REST` seconds in which nothing happens."""
    drawn, flip = 0, window.pyglet_window.flip

    def count() -> None:
        nonlocal drawn
        drawn += 1
        flip()

    window.pyglet_window.flip = count
    until = time.monotonic() + REST
    while time.monotonic() < until:
        _turn(window)
        time.sleep(0.01)
    window.pyglet_window.flip = flip
    return drawn
