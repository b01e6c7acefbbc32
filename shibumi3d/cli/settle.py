"""Stills in the window, measured: how long input may wait while one is drawn, and that nothing is drawn afterwards."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from shibumi3d.app.window import Window

SIZES = ((1280, 720), (1920, 1080))
MOVES = ("W@Aa1", "B@Ad4", "W@Ab2", "B@Ac3", "W@Aa4", "B@Ad1")
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
    os.environ.update(PYGLET_HEADLESS="true", PYGLET_AUDIO="silent")
    from shibumi3d.app.play.screen import Play
    from shibumi3d.app.settings import Settings, save
    from shibumi3d.app.window import Window
    from shibumi3d.catalogue import catalogue
    from shibumi3d.match.store import Store

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # The window is never larger than when it was made.
        save(folder / "config", Settings(size=SIZES[-1], motion="off", stills=True))
        window = Window(
            catalogue.load(), Store(folder / "matches"), folder / "config", cache=folder / "cache"
        )
        window.native.dispatch_events()
        app = window.app
        app.matches.start(app.catalogue.get("spline"), ["A", "B"], 4, "", 1)
        app.root.close_all()
        page = app.screen
        assert isinstance(page, Play)
        for move in MOVES:
            page.doing.play_move(next(each for each in page.control.moves if str(each) == move))
        for number, size in enumerate((SIZES[0], *SIZES)):
            app.resize(*size)
            stills = []
            for _ in range(3 if number else 1):
                page.view.turn(1)
                window.wake()
                stills.append(_steps(window))
            every = [step for steps in stills for step in steps] or [0.0]
            yield Settling(size, max(every), median(every), sum(every) / len(stills), _pictures(window))
        window.close()


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
