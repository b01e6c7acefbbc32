"""Counts of the Python calls made for a frame of the window, and during a click that makes a move.

Unlike times, these numbers are the same on every machine, however busy it is.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.headless import open_headless_window

if TYPE_CHECKING:
    from shibumi3d.app.application import Application

WINDOW_SIZE_PX = (1280, 720)
GAMES = {"spline": 12, "arcanoid": 12, "hyena-spiral": 12, "golden-spiral": 5}
"""Games to measure, one of each table kind, with the number of random moves to play before measuring."""
MAX_CALLS_AT_REST, MAX_CALLS_IN_MOTION = 2000, 2600
"""Maximum number of calls for a frame without motion, and for one with motion."""
CLICK_CALLS, CLICK_FILE_CHANGES, CLICK_CALLS_UP = 2200, 700, 0
"""Goals for a click that makes a move: calls, calls into another file, and calls into a higher layer."""
# At present, the calls into a higher layer are to event handlers, to methods that a higher layer overrides, and to the
# application's clock and scale. None of them needs an import.
MAX_CLICK_CALLS, MAX_CLICK_CALLS_UP = 2300, 20
"""Current limits for a click that makes a move: calls, and calls into a higher layer."""
STEP_SECONDS = 0.1
MAX_FRAMES = 1000
"""Number of frames after which a motion that hasn't ended is assumed never to end."""
Calls = Counter[CodeType]
"""Number of calls to each function."""


class FrameCalls(NamedTuple):
    """Calls counted in one game.

    ``rest`` counts the calls for a frame in which nothing moves, and ``motion`` those for a frame during a move.
    ``description`` counts the calls for describing the page to a screen reader. While a screen reader is connected, the
    page is described after each frame in which nothing moves.
    """

    rest: Calls
    motion: Calls
    description: Calls


class Click(NamedTuple):
    """Counts of the Python calls during a click that makes a move.

    ``calls`` counts the calls to each function. ``file_changes`` is the number of calls from one file of the program to
    another. ``calls_up`` counts, by caller and callee, the calls into a file in a higher layer (see
    :func:`find_layers`).
    """

    calls: Calls
    file_changes: int
    calls_up: Counter[tuple[CodeType, CodeType]]


def find_layers() -> dict[Path, tuple[int, int]]:
    """Map each file to two layer numbers: one in the whole package, and one within ``app/``.

    The first is the layer of the package in ``shibumi3d/`` that contains the file. The second is the layer of the
    package in ``app/`` that contains it; for files outside ``app/``, it is 0. Layers are numbered from 0, the lowest. A
    module directly in ``shibumi3d/`` or ``app/`` counts as a package of its own. If it is named ``__init__`` or
    ``__main__``, its number in that folder is 0.
    """
    from tests.layers import package_imports, sort_into_layers
    from tests.sources import FILES, PACKAGE

    def numbered(folder: Path) -> dict[str, int]:
        layers = reversed(sort_into_layers(package_imports(folder)))
        return {name: number for number, names in enumerate(layers) for name in names}

    package, window = numbered(PACKAGE), numbered(PACKAGE / "app")
    found = {}
    for file in FILES:
        parts = file.relative_to(PACKAGE).with_suffix("").parts
        inside = window.get(parts[1], 0) if parts[0] == "app" else 0
        found[file] = package.get(parts[0], 0), inside
    return found


def count_click(app: Application, draw: Callable[[], None], dispatch: Callable[..., object]) -> Click:
    """Start a match of Spline and count the calls during a click that makes a move.

    The pointer is already on the point to click. The calls are counted from the press of the mouse button to its
    release, and no frame is drawn in between. ``draw`` draws a frame, and ``dispatch`` sends an event to the window.
    Raises RuntimeError if the click makes no move.
    """
    layers = {str(file): layer for file, layer in find_layers().items()}
    app.matches.start(app.catalogue.get("spline"), ["A", "B"], 4, "", 1)
    app.root.close_popups()
    page: Any = app.current_page
    now, clock = [app.clock()], app.services.clock
    app.services.clock = lambda: now[0]
    for _ in range(MAX_FRAMES):
        app.root.close_popups()
        now[0] += 1.0
        draw()
        if not app.is_moving:
            break
    x, y = page.point_pixels()[page.pointer.spot_name(page.controller.targets[0])]
    place = x, app.size[1] - y
    dispatch("on_mouse_motion", *place, 0, 0)
    edges: Counter[tuple[CodeType, CodeType]] = Counter()

    def met(frame: FrameType, event: str, arg: object) -> None:
        if event == "call" and frame.f_back:
            edges[frame.f_back.f_code, frame.f_code] += 1

    plies, before = len(page.model.match.plies), sys.getprofile()
    sys.setprofile(met)
    try:
        dispatch("on_mouse_press", *place, 1, 0)
        dispatch("on_mouse_release", *place, 1, 0)
    finally:
        sys.setprofile(before)
        app.services.clock = clock
    if len(page.model.match.plies) == plies:
        raise RuntimeError("the measured click makes no move")
    calls: Calls = Counter()
    changes, up = 0, Counter[tuple[CodeType, CodeType]]()
    for (caller, called), times in edges.items():
        calls[called] += times
        here, there = caller.co_filename, called.co_filename
        if here in layers and there in layers and here != there:
            changes += times
            if layers[there] > layers[here]:
                up[caller, called] += times
    return Click(calls, changes, up)


def count_calls(action: Callable[[], object]) -> Calls:
    """Return how often each Python function is called while ``action`` runs.

    Resuming a generator also counts as a call. Only calls in the current thread are counted.
    """
    calls: Calls = Counter()

    def on_profile_event(frame: FrameType, event: str, arg: object) -> None:
        if event == "call":
            calls[frame.f_code] += 1

    before = sys.getprofile()
    sys.setprofile(on_profile_event)
    try:
        action()
    finally:
        sys.setprofile(before)
    return calls


def measure_game(app: Application, draw: Callable[[], None], game: str) -> FrameCalls:
    """Play some moves of ``game`` in the window of ``app`` and return counts of function calls.

    Calls of Python functions are counted while a frame at rest is drawn, while the page is described for a screen
    reader, and while a frame is drawn during a move. ``draw`` draws a frame. Raises RuntimeError if a motion never
    ends, or if nothing moves after the last move.
    """
    from shibumi3d.app.platform.screen_reader import ScreenReader

    now, before = [app.clock()], app.services.clock
    app.services.clock = lambda: now[0]
    entry, chance = app.catalogue.get(game), Random(1)
    names = [f"Seat {seat + 1}" for seat in range(max(2, entry.players[0]))]
    app.matches.start(entry, names, entry.size, "", 1)
    page: Any = app.current_page
    page.model.in_lesson = True  # so that no curtain hides the position

    def settle() -> None:
        for _ in range(MAX_FRAMES):
            app.root.close_popups()
            now[0] += 1.0
            draw()
            if not app.is_moving:
                return
        raise RuntimeError(f"{game} never comes to rest")

    def play() -> None:
        page.actions.play_move(chance.choice(page.model.legal_moves()))
        app.root.close_popups()

    for _ in range(GAMES[game]):
        settle()
        play()
    settle()
    app.root.dirty = True
    rest = count_calls(draw)
    reader = ScreenReader(app, lambda: None)
    reader.build_tree()
    description = count_calls(reader.build_tree)
    play()
    for _ in range(2):
        draw()
        now[0] += STEP_SECONDS
    if not app.is_moving:
        raise RuntimeError(f"nothing moves in the measured move of {game}")
    motion = count_calls(draw)
    app.services.clock = before
    return FrameCalls(rest, motion, description)


def measure_games() -> dict[str, FrameCalls]:
    """Return the call counts for each of :data:`GAMES`, measured in a headless window."""
    from shibumi3d.app.host.settings import Settings

    with open_headless_window(Settings(size=WINDOW_SIZE_PX, stills=False, language="en")) as (window, _):
        return {game: measure_game(window.app, window.draw, game) for game in GAMES}


def count_headless_click() -> Click:
    """Return the calls during a click that makes a move, counted in a headless window."""
    from shibumi3d.app.host.settings import Settings

    with open_headless_window(Settings(size=WINDOW_SIZE_PX, stills=False, language="en")) as (window, _):
        # Handle events at once, as while pyglet's own loop runs.
        window.pyglet_window.dispatch_events()
        type(window.pyglet_window)._enable_event_queue = False
        try:
            return count_click(window.app, window.draw, window.pyglet_window.dispatch_event)
        finally:
            type(window.pyglet_window)._enable_event_queue = True  # otherwise, no other window can be opened


def print_click(click: Click) -> None:
    """Print a click's call counts, the 40 functions called most often, and all calls into a higher layer."""
    print(
        f"click that moves: {click.calls.total()} calls, {click.file_changes} into another file, "
        f"{click.calls_up.total()} up a layer"
    )
    for code, times in click.calls.most_common(40):
        print(f"{times:8} {describe_code(code)}")
    print("up a layer:")
    for (caller, called), times in click.calls_up.most_common():
        print(f"{times:8} {describe_code(caller)} -> {describe_code(called)}")


def describe_code(code: CodeType) -> str:
    """Return the name of a function with its file and line."""
    return f"{code.co_qualname} ({'/'.join(code.co_filename.split('/')[-3:])}:{code.co_firstlineno})"


def main() -> None:
    """Print how many calls each measured action makes, and the 40 functions that it calls most often.

    The command-line arguments are names of games in :data:`GAMES`, or ``click``; other names are ignored. For each
    game, three actions are measured: drawing a frame at rest, drawing a frame during a move, and describing the page to
    a screen reader. For ``click``, the action is a click that makes a move in Spline; its calls into higher layers are
    printed too. Without arguments, everything is measured.
    """
    wanted = sys.argv[1:]
    if not wanted or "click" in wanted:
        print_click(count_headless_click())
    if wanted == ["click"]:
        return
    for game, frame_calls in measure_games().items():
        if wanted and game not in wanted:
            continue
        for name, calls in frame_calls._asdict().items():
            print(f"{game}, {name}: {calls.total()}")
            for code, times in calls.most_common(40):
                print(f"{times:8} {describe_code(code)}")


if __name__ == "__main__":
    main()
