"""Twelve pictures, a thirtieth of a second apart, of each thing that moves: ``python -m tools.strips --out DIR``.

A moment is the first turn, of moves at random, that brings what is wanted; its pictures are spread over all of it where
that is longer, and the gap is then printed.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shibumi3d import files
from shibumi3d.app.host.settings import Settings, save
from shibumi3d.app.pages.play.screen import Play
from shibumi3d.app.pages.tables.screen import TablePlay
from shibumi3d.app.program.window import Window
from shibumi3d.catalogue import catalogue
from shibumi3d.match.store import Store
from shibumi3d.render.png import png
from tools.pages import PEOPLE, Sitter, Size

PICTURES, ACROSS, RATE, HALF = 12, 4, 30, 2
"""How many pictures, how many in a row, how many a second at most, and how much smaller each is."""
SIZE = Size(1280, 720)
MOST = 400
"""Moves after which a moment is no longer looked for."""


class Moment(NamedTuple):
    """A game, and the event that is wanted of it, so many times in one move."""

    game: str
    event: str
    times: int = 1


MOMENTS = {
    "take": Moment("spectacular-tumble", "Removed"),
    "fall": Moment("spectacular-tumble", "Dropped", 3),
    "lift": Moment("spline-plus", "Dropped"),
    "push": Moment("splush", "Pushed"),
    "enter": Moment("splush", "Entered"),
    "capture": Moment("spargo", "Removed", 5),
    "tray": Moment("spline", "Placed"),
    "card": Moment("arcanoid", "Engaged"),
    "die": Moment("golden-spiral", "NumbersShown"),
    "chip": Moment("hyena-spiral", "Threw"),
}


def found(sitter: Sitter, moment: Moment, seed: int = 1) -> tuple[Any, int] | None:
    """Begins a match, and plays until a move brings the moment: that move and its seat; None if none does."""
    entry = sitter.app.catalogue.get(moment.game)
    sitter.app.matches.start(entry, list(PEOPLE[: entry.players[0]]), entry.size, "", seed)
    page, chance = sitter.app.screen, random.Random(seed)
    assert isinstance(page, Play | TablePlay)
    match = page.match
    for _ in range(MOST):
        ask = match.state.ask
        if ask is None:
            return None
        moves = match.game.moves(match.state, ask.seats[0])
        for move in chance.sample(moves, min(len(moves), 12)):
            _, events = match.game.apply(match.state, move)
            if Counter(type(event).__name__ for event in events)[moment.event] >= moment.times:
                page.doing.jumped()
                sitter.app.root.close_all()
                return move, ask.seats[0]
        match.play(chance.choice(moves), ask.seats[0])
    return None


def strip(sitter: Sitter, move: Any) -> tuple[bytes, float]:
    """What is seen while ``move`` is made, and the seconds from picture to picture."""
    page = sitter.app.screen
    assert isinstance(page, Play | TablePlay)
    sitter.rest()
    page.doing.made(page.doing.make(move))
    begin, gap = sitter.now, 1 / RATE
    taken: list[NDArray[np.uint8]] = []
    while not taken or (sitter.app.moving and len(taken) < 400):
        sitter.now = begin + len(taken) * gap
        sitter.app.root.dirty = True
        sitter.window.draw()
        taken.append(sitter.app.canvas.read(page.view.rect)[::HALF, ::HALF])
    every = max(1, -(-len(taken) // PICTURES))
    chosen = taken[::every][:PICTURES]
    chosen += [chosen[-1]] * (PICTURES - len(chosen))
    rows = [np.hstack(chosen[row : row + ACROSS]) for row in range(0, PICTURES, ACROSS)]
    return png(np.vstack(rows), small=True), every * gap


def main(arguments: Sequence[str] | None = None) -> None:
    """Draws the strips."""
    parser = argparse.ArgumentParser(prog="python -m tools.strips", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the folder to write to")
    parser.add_argument("--only", nargs="+", choices=tuple(MOMENTS), default=tuple(MOMENTS), help="these")
    parser.add_argument("--look", nargs="+", choices=("day", "night"), default=("day", "night"), help="so")
    args = parser.parse_args(arguments)
    os.environ.update(PYGLET_HEADLESS="true", PYGLET_AUDIO="silent")
    files.make_folder(args.out)
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        save(folder / "config", Settings(size=(SIZE.width, SIZE.height), stills=False))
        window = Window(
            catalogue.load(), Store(folder / "matches"), folder / "config", cache=args.out / ".cache"
        )
        window.native.dispatch_events()
        sitter = Sitter(window, folder)
        for look in args.look:
            sitter.take(SIZE, "en", look)
            for name in args.only:
                move = found(sitter, MOMENTS[name])
                if move is None:
                    print(f"{name}: no move at random brings it")
                    continue
                drawn, gap = strip(sitter, move[0])
                files.write(args.out / f"{name}-{look}.png", drawn)
                print(f"{name} {look}: {move[0]}, a picture every {1000 * gap:.0f} ms")
        window.close()


if __name__ == "__main__":
    main()
