"""Measurement of stills in the window: how long input waits while one is rendered.

It also counts the frames drawn afterwards, of which there should be none.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from tools.headless import MOVES, open_headless_window, play

if TYPE_CHECKING:
    from shibumi3d.app.platform.window import ProgramWindow

WINDOW_SIZES_PX = ((1280, 720), (1920, 1080))
IDLE_SECONDS = 5.0
"""Seconds after a still during which drawn frames are counted."""
START_TIMEOUT_SECONDS, STILL_TIMEOUT_SECONDS = 5.0, 60.0
"""Timeouts for a still to begin and to be finished, in seconds."""


class StillTimes(NamedTuple):
    """Times measured while stills are rendered in a window of ``size`` (in pixels).

    ``longest`` is the longest time that input waits while stills are rendered. ``step`` is the median time of a step of
    the event loop while stills are rendered, and ``whole`` the mean time for a still. These three are in milliseconds
    of CPU time, or None if no still was begun in time. ``idle`` is the number of frames drawn within
    :data:`IDLE_SECONDS` seconds after the last still.
    """

    size: tuple[int, int]
    longest: float | None
    step: float | None
    whole: float | None
    idle: int


def measure_stills() -> Iterator[StillTimes]:
    """Measure how long stills of a position of Spline take, and yield the result for each window size.

    Each still shows the position from a different side. The smallest size comes twice; its first result is for the very
    first still, for which the driver must compile shaders.
    """
    from shibumi3d.app.host.settings import Settings

    # A headless window can't become larger than it was when it was created.
    with open_headless_window(Settings(size=WINDOW_SIZES_PX[-1], motion="off", stills=True)) as (
        window,
        page,
    ):
        for move in MOVES:
            play(page, move)
        for index, size in enumerate((WINDOW_SIZES_PX[0], *WINDOW_SIZES_PX)):
            window.app.resize(*size)
            stills = []
            for _ in range(3 if index else 1):
                page.view.turn(1)
                window.schedule_draw()
                stills.append(_measure_steps(window))
            yield summarize(size, stills, _count_idle_frames(window))


def summarize(size: tuple[int, int], stills: Sequence[Sequence[float]], idle: int) -> StillTimes:
    """Summarize the times measured for stills in a window of ``size`` (in pixels).

    ``stills`` holds, for each still, the CPU times of its steps in milliseconds. A still without steps was never begun
    and is left out; if no stills remain, the times are None. ``idle`` is the number of frames drawn after the last
    still.
    """
    started = [steps for steps in stills if steps]
    if not started:
        return StillTimes(size, None, None, None, idle)
    all_steps = [step for steps in started for step in steps]
    return StillTimes(size, max(all_steps), median(all_steps), sum(all_steps) / len(started), idle)


def _run_event_loop_step(window: ProgramWindow) -> float:
    """Run one step of the event loop and return its CPU time in milliseconds."""
    cpu_start = time.process_time()
    window.pyglet_window.dispatch_events()
    window.pyglet.clock.tick()
    return 1000 * (time.process_time() - cpu_start)


def _measure_steps(window: ProgramWindow) -> list[float]:
    """Render a still, and return the CPU time of each step of the event loop while it is rendered.

    The times are in milliseconds. The list is empty if no still begins within :data:`START_TIMEOUT_SECONDS`. It is
    incomplete if the still isn't finished within :data:`STILL_TIMEOUT_SECONDS`.
    """
    stills, step_times = window.app.board_painter().stills, list[float]()
    start = time.monotonic()
    while time.monotonic() - start < (STILL_TIMEOUT_SECONDS if step_times else START_TIMEOUT_SECONDS):
        was_rendering = stills.is_rendering
        milliseconds = _run_event_loop_step(window)
        if was_rendering or stills.is_rendering:
            step_times.append(milliseconds)
        elif step_times and stills.is_settled:
            break
        else:
            time.sleep(0.002)
    return step_times


def _count_idle_frames(window: ProgramWindow) -> int:
    """Run the event loop for :data:`IDLE_SECONDS` seconds without input, and count the frames drawn."""
    drawn, flip = 0, window.pyglet_window.flip

    def count() -> None:
        nonlocal drawn
        drawn += 1
        flip()

    window.pyglet_window.flip = count
    end = time.monotonic() + IDLE_SECONDS
    while time.monotonic() < end:
        _run_event_loop_step(window)
        time.sleep(0.01)
    window.pyglet_window.flip = flip
    return drawn
