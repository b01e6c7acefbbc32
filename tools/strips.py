"""Strips of twelve frames of each animation: ``python -m tools.strips --out DIR``.

Random moves are played until one shows the animation. Frames are a thirtieth of a second apart; if the animation
takes longer than twelve frames, they are spread over all of it. The interval is printed.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shibumi3d import files
from shibumi3d.app.host.settings import Settings, save_settings
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.match.scene_view.page import SceneMatchPage
from shibumi3d.app.platform.window import ProgramWindow
from shibumi3d.catalogue import catalogue
from shibumi3d.match.store import MatchStore
from shibumi3d.render.png import encode_png
from shibumi3d.rules.game import Move
from tools.pages import PLAYER_NAMES, Sitter, Size

PICTURES, ACROSS, RATE, HALF = 12, 4, 30, 2
"""Number of frames, frames per row, maximum frames per second, and downscaling factor."""
SIZE = Size(1280, 720)
MAX_MOVES = 400
"""Maximum number of random moves that are played to find an animation."""


class Moment(NamedTuple):
    """Animation to draw: a move in ``game`` with at least ``times`` events of the class named ``event``."""

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


def find_move(sitter: Sitter, moment: Moment, seed: int = 1) -> tuple[Move, int] | None:
    """Play random moves in a new match until a move would show the animation of ``moment``.

    Return that move, which isn't played, and its seat, or None if no such move is found.
    """
    entry = sitter.app.catalogue.get(moment.game)
    sitter.app.matches.start(entry, list(PLAYER_NAMES[: entry.players[0]]), entry.size, "", seed)
    page, chance = sitter.app.current_page, random.Random(seed)
    assert isinstance(page, MarbleMatchPage | SceneMatchPage)
    match = page.match
    for _ in range(MAX_MOVES):
        decision = match.state.decision
        if decision is None:
            return None
        moves = match.game.moves(match.state, decision.seats[0])
        for move in chance.sample(moves, min(len(moves), 12)):
            _, events = match.game.apply(match.state, move)
            if Counter(type(event).__name__ for event in events)[moment.event] >= moment.times:
                page.actions.show_without_animation()
                sitter.app.root.close_popups()
                return move, decision.seats[0]
        match.play(chance.choice(moves), decision.seats[0])
    return None


def draw_strip(sitter: Sitter, move: Move) -> tuple[bytes, float]:
    """Play ``move``; return a PNG picture of its animation, and the seconds from one frame to the next.

    The picture has room for :data:`PICTURES` frames, evenly spaced in time. If there are fewer, the last one is
    repeated.
    """
    page = sitter.app.current_page
    assert isinstance(page, MarbleMatchPage | SceneMatchPage)
    sitter.rest()
    page.actions.on_move_made(page.actions.make_move(move))
    begin, frame_seconds = sitter.now, 1 / RATE
    frames: list[NDArray[np.uint8]] = []
    while not frames or (sitter.app.is_moving and len(frames) < 400):
        sitter.now = begin + len(frames) * frame_seconds
        sitter.app.root.dirty = True
        sitter.window.draw()
        frames.append(sitter.app.canvas.read_pixels(page.view.rect)[::HALF, ::HALF])
    frame_step = max(1, -(-len(frames) // PICTURES))
    chosen = frames[::frame_step][:PICTURES]
    chosen += [chosen[-1]] * (PICTURES - len(chosen))
    rows = [np.hstack(chosen[row : row + ACROSS]) for row in range(0, PICTURES, ACROSS)]
    return encode_png(np.vstack(rows), reduce_size=True), frame_step * frame_seconds


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the strips selected on the command line, write them as PNG files and print the time between frames."""
    parser = argparse.ArgumentParser(prog="python -m tools.strips", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for the pictures")
    parser.add_argument(
        "--only", nargs="+", choices=tuple(MOMENTS), default=tuple(MOMENTS), help="draw only these animations"
    )
    parser.add_argument(
        "--look",
        nargs="+",
        choices=("day", "night"),
        default=("day", "night"),
        help="by day, by night, or both (default: both)",
    )
    args = parser.parse_args(arguments)
    os.environ.update(PYGLET_HEADLESS="true", PYGLET_AUDIO="silent")
    files.make_folder(args.out)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        save_settings(folder / "config", Settings(size=(SIZE.width, SIZE.height), stills=False))
        window = ProgramWindow(
            catalogue.load_catalogue(),
            MatchStore(folder / "matches"),
            folder / "config",
            cache=args.out / ".cache",
        )
        window.pyglet_window.dispatch_events()
        sitter = Sitter(window, folder)
        for look in args.look:
            sitter.take(SIZE, "en", look)
            for name in args.only:
                move = find_move(sitter, MOMENTS[name])
                if move is None:
                    print(f"{name}: no random move shows it")
                    continue
                picture, frame_seconds = draw_strip(sitter, move[0])
                files.write(args.out / f"{name}-{look}.png", picture)
                print(f"{name} {look}: {move[0]}, one frame every {1000 * frame_seconds:.0f} ms")
        window.close()


if __name__ == "__main__":
    main()
