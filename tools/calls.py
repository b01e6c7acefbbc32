"""Counts what a picture costs in calls of Python: the same on every machine, however busy."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from random import Random
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.headless import headless

if TYPE_CHECKING:
    from shibumi3d.app.program.app import App

SIZE = (1280, 720)
GAMES = {"spline": 12, "arcanoid": 12, "hyena-spiral": 12, "golden-spiral": 5}
"""One of each kind of table, and how many moves are played by lot before its pictures are counted."""
REST, MOTION = 2500, 4500
"""What a picture may cost in which nothing moves, and one in which something does."""
STEP = 0.1
LONGEST = 1000
"""Pictures in which a motion has ended, or never does."""
Calls = Counter[CodeType]
"""How often each function was called."""


class Pictures(NamedTuple):
    """The calls of a picture in which nothing moves, of one in which a move is on its way, and of telling a screen
    reader what the page shows, which a picture does while a reader listens."""

    rest: Calls
    motion: Calls
    told: Calls


def counted(action: Callable[[], object]) -> Calls:
    """Return how often each function of Python is called by ``action``."""
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


def pictures(app: App, draw: Callable[[], None], game: str) -> Pictures:
    """Play some moves of ``game`` in the window of ``app``, and count what its pictures cost; ``draw`` draws one."""
    from shibumi3d.app.program.reader import Reader

    now, before = [app.clock()], app.clock
    app.clock = lambda: now[0]
    entry, chance = app.catalogue.get(game), Random(1)
    names = [f"Seat {number + 1}" for number in range(max(2, entry.players[0]))]
    app.matches.start(entry, names, entry.size, "", 1)
    page: Any = app.screen
    page.session.taught = lambda: True  # no curtain falls

    def settle() -> None:
        for _ in range(LONGEST):
            app.root.close_all()
            now[0] += 1.0
            draw()
            if not app.moving:
                return
        raise RuntimeError(f"{game} does not come to rest")

    def play() -> None:
        page.doing.play_move(chance.choice(page.session.moves()))
        app.root.close_all()

    for _ in range(GAMES[game]):
        settle()
        play()
    settle()
    app.root.dirty = True
    rest = counted(draw)
    reader = Reader(app, lambda: None)
    reader.tree()
    told = counted(reader.tree)
    play()
    for _ in range(2):
        draw()
        now[0] += STEP
    if not app.moving:
        raise RuntimeError(f"the move of {game} that is looked at moves nothing")
    motion = counted(draw)
    app.clock = before
    return Pictures(rest, motion, told)


def every() -> dict[str, Pictures]:
    """Count the pictures of a game of each kind, in a window without a display."""
    from shibumi3d.app.host.settings import Settings

    with headless(Settings(size=SIZE, stills=False, language="en")) as (window, _):
        return {game: pictures(window.app, window.draw, game) for game in GAMES}


def main() -> None:
    """Print the functions that are called most, of the games named."""
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
