"""Count of the Python calls for a frame of the window.

Unlike times, these numbers are the same on every machine, however busy it is.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from random import Random
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.headless import headless

if TYPE_CHECKING:
    from shibumi3d.app.application import Application

SIZE = (1280, 720)
GAMES = {"spline": 12, "arcanoid": 12, "hyena-spiral": 12, "golden-spiral": 5}
"""Games to measure, one of each table kind, with the number of random moves played before."""
REST, MOTION = 2000, 2600
"""Maximum number of calls for a frame without motion, and for one with motion."""
STEP = 0.1
LONGEST = 1000
"""Number of frames after which a motion that hasn't ended is assumed never to end."""
Calls = Counter[CodeType]
"""Number of calls of each function."""


class Pictures(NamedTuple):
    """Calls of one game.

    ``rest`` is a frame in which nothing moves, ``motion`` a frame during a move. ``told`` is the description of the
    page for a screen reader, which is updated with each frame while a screen reader is running.
    """

    rest: Calls
    motion: Calls
    told: Calls


def counted(action: Callable[[], object]) -> Calls:
    """Return how often ``action`` calls each Python function."""
    calls: Calls = Counter()

    def met(frame: FrameType, event: str, arg: object) -> None:
        if event == "call":
            calls[frame.f_code] += 1

    before = sys.getprofile()
    sys.setprofile(met)
    try:
        action()
    finally:
        sys.setprofile(before)
    return calls


def pictures(app: Application, draw: Callable[[], None], game: str) -> Pictures:
    """Play some moves of ``game`` in the window of ``app`` and count the calls.

    ``draw`` draws a frame. Raises RuntimeError if a motion never ends, or if the last move causes none.
    """
    from shibumi3d.app.platform.screen_reader import ScreenReader

    now, before = [app.clock()], app.services.clock
    app.services.clock = lambda: now[0]
    entry, chance = app.catalogue.get(game), Random(1)
    names = [f"Seat {number + 1}" for number in range(max(2, entry.players[0]))]
    app.matches.start(entry, names, entry.size, "", 1)
    page: Any = app.current_page
    page.model.in_lesson = True  # so that no curtain hides the position

    def settle() -> None:
        for _ in range(LONGEST):
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
    rest = counted(draw)
    reader = ScreenReader(app, lambda: None)
    reader.build_tree()
    told = counted(reader.build_tree)
    play()
    for _ in range(2):
        draw()
        now[0] += STEP
    if not app.is_moving:
        raise RuntimeError(f"nothing moves in the measured move of {game}")
    motion = counted(draw)
    app.services.clock = before
    return Pictures(rest, motion, told)


def every() -> dict[str, Pictures]:
    """Return the calls of each of :data:`GAMES`, counted in a headless window."""
    from shibumi3d.app.host.settings import Settings

    with headless(Settings(size=SIZE, stills=False, language="en")) as (window, _):
        return {game: pictures(window.app, window.draw, game) for game in GAMES}


def main() -> None:
    """Print the functions called most, for the games given as arguments or for all."""
    wanted = sys.argv[1:]
    for game, found in every().items():
        if wanted and game not in wanted:
            continue
        for name, calls in found._asdict().items():
            print(f"{game}, {name}: {calls.total()}")
            for code, times in calls.most_common(40):
                place = f"{'/'.join(code.co_filename.split('/')[-3:])}:{code.co_firstlineno}"
                print(f"{times:8} {code.co_qualname} ({place})")


if __name__ == "__main__":
    main()
