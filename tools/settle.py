"""Stills in the window, measured: how long input may wait while one is drawn, and that nothing is drawn afterwards."""

from __future__ import annotations

import time
from collections.abc import Iterator
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from tools.headless import MOVES, headless, play

if TYPE_CHECKING:
    from shibumi3d.app.program.window import Window

SIZES = ((1280, 720), (1920, 1080))
REST = 5.0
"""Seconds after a still in which pictures are counted."""
SOON, PATIENCE = 5.0, 60.0
"""Seconds after which a still is given up, before it was begun and while it is drawn."""


class Settling(NamedTuple):
    """What a window of a ``size`` takes, in ms of CPU time: ``longest`` is the time in which input waits while stills
    are drawn, ``step`` the middle one of all steps, ``whole`` a still. ``idle`` is how many pictures are drawn in the
    seconds after one."""

    size: tuple[int, int]
    longest: float
    step: float
    whole: float
    idle: int


def settling() -> Iterator[Settling]:
    """Lets a position of Spline settle in a window without a display, from each of its four sides.

    The first is what the first still of all takes, for which the driver makes its programs.
    """
    from shibumi3d.app.host.settings import Settings

    # The window is never larger than when it was made.
    with headless(Settings(size=SIZES[-1], motion="off", stills=True)) as (window, page):
        for move in MOVES:
            play(page, move)
        for number, size in enumerate((SIZES[0], *SIZES)):
            window.app.resize(*size)
            stills = []
            for _ in range(3 if number else 1):
                page.view.turn(1)
                window.wake()
                stills.append(_steps(window))
            every = [step for steps in stills for step in steps] or [0.0]
            yield Settling(size, max(every), median(every), sum(every) / len(stills), _pictures(window))


def _turn(window: Window) -> float:
    """Handles input and calls what is due, once; how long that takes."""
    spent = time.process_time()
    window.native.dispatch_events()
    window.pyglet.clock.tick()
    return 1000 * (time.process_time() - spent)


def _steps(window: Window) -> list[float]:
    """How long each time takes in which no input is handled, while a still is drawn."""
    stills, found = window.app.painter().stills, list[float]()
    begun = time.monotonic()
    while time.monotonic() - begun < (PATIENCE if found else SOON):
        before = stills.drawing
        spent = _turn(window)
        if before or stills.drawing:
            found.append(spent)
        elif found and stills.settled:
            break
        else:
            time.sleep(0.002)
    return found


def _pictures(window: Window) -> int:
    """How many pictures are drawn while nothing happens."""
    drawn, flip = 0, window.native.flip

    def count() -> None:
        nonlocal drawn
        drawn += 1
        flip()

    window.native.flip = count
    until = time.monotonic() + REST
    while time.monotonic() < until:
        _turn(window)
        time.sleep(0.01)
    window.native.flip = flip
    return drawn
