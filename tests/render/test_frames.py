"""A few pictures, kept in tests/frames. After a wanted change draw them anew and look at them:

FRAMES=write pytest tests/render/test_frames.py
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from shibumi3d.render.png import png
from shibumi3d.render.shot import Studio
from shibumi3d.rules.bits import bits
from shibumi3d.rules.position import playable
from shibumi3d.rules.pyramid import pyramid
from shibumi3d.scene.camera import Camera, home
from shibumi3d.scene.frame import Ball, Frame
from shibumi3d.scene.layout import TABLE
from shibumi3d.scene.palette import theme
from shibumi3d.scene.stage import Ghost, Sign, SignKind, Stage

FRAMES = Path(__file__).resolve().parent.parent / "frames"
WIDTH, HEIGHT = 400, 225
AT = pyramid(4).index


def middle() -> tuple[Frame, Camera]:
    """In the middle of a game by day: legal points, the last move, a ghost."""
    made, camera = Stage((4,)), home((4,))
    names = "Aa1 Ab1 Ac1 Aa2 Ab2 Ac2 Ad2 Aa3 Ab3 Ac3 Ac4 Ba1 Bb1"
    made.queue.reset({(0, AT[name]): (i * 2) % 3 for i, name in enumerate(names.split())})
    filled = sum(1 << point for _, point in made.marbles)
    signs = [Sign(SignKind.LEGAL, 0, point) for point in bits(playable(pyramid(4), filled))]
    signs.append(Sign(SignKind.LAST, 0, AT["Bb1"]))
    return made.frame(0.0, camera, theme(), signs=signs, ghosts=[Ghost(0, AT["Bb2"], 1)]), camera


def full() -> tuple[Frame, Camera]:
    """A full pyramid by night, won, seen from the side, with marbles set aside."""
    made, camera = Stage((4,)), home((4,)).turned(70, -8)
    made.queue.reset({(0, point): point * 7 % 3 for point in range(30)})
    signs = [Sign(SignKind.WIN, 0, AT[name]) for name in ("Ad1", "Bc1", "Cb1", "Da1")]
    tray = [Ball(4.2, -1.5 + i, TABLE + 0.5, i % 3) for i in range(4)]
    return made.frame(0.0, camera, theme("night"), signs=signs, extra=tray), camera


def clear() -> tuple[Frame, Camera]:
    """Two boards in the preset for colour-blind eyes, signs of all kinds."""
    made, camera = Stage((4, 3)), home((4, 3))
    made.queue.reset({(board, point): point % 3 for board in (0, 1) for point in range(12 - 4 * board)})
    points = ((SignKind.LIFTABLE, 4), (SignKind.FELL, 5), (SignKind.PINNED, 1), (SignKind.DOOMED, 7))
    signs = [Sign(kind, 0, point) for kind, point in points]
    signs += [Sign(SignKind.ACTIVE, 1), Sign(SignKind.ENTRY, 1, 3, side=0), Sign(SignKind.CURSOR, 1, 8)]
    return made.frame(0.0, camera, theme("day", "clear"), signs=signs), camera


def signs() -> tuple[Frame, Camera]:
    """On rush by day: what a move would do, what may not be done, ways in; and a covered board."""
    made, camera = Stage((4, 4)), home((4, 4))
    made.queue.reset({(0, point): point * 7 % 3 for point in range(20)})
    said = [
        Sign(SignKind.STACKED, 0, AT["Ca1"], to=AT["Ad1"]),
        Sign(SignKind.REPLACED, 0, AT["Ad2"]),
        Sign(SignKind.DYED, 0, AT["Ad1"], (1,)),
        Sign(SignKind.LOCKED, 0, AT["Bc3"]),
        Sign(SignKind.LOCKED, 0, AT["Bb2"], (2,)),
        Sign(SignKind.DOOMED, 0, AT["Ba1"]),
        Sign(SignKind.ENTRY, 0, AT["Ba1"], side=0),
        Sign(SignKind.ENTRY, 0, AT["Bc3"], side=1, strong=True),
        Sign(SignKind.CUT, 0, AT["Ab1"], to=AT["Ac1"]),
        Sign(SignKind.CLOTH, 1),
    ]
    return made.frame(0.0, camera, theme(board="tatami"), signs=said, ghosts=[Ghost(0, AT["Ca1"], 2)]), camera


@pytest.mark.parametrize("scene", [middle, full, clear, signs], ids=lambda scene: scene.__name__)
def test_frames(low: Studio, scene: object, tmp_path: Path) -> None:
    frame, camera = scene()  # type: ignore[operator]
    name = f"{scene.__name__}.png"  # type: ignore[attr-defined]
    picture = low.pixels(frame, camera, WIDTH, HEIGHT)
    if os.environ.get("FRAMES") == "write":
        (FRAMES / name).write_bytes(png(picture))
    kept = np.asarray(Image.open(FRAMES / name).convert("RGB"))
    difference = np.abs(kept.astype(int) - picture)
    (tmp_path / name).write_bytes(png(picture))
    close = difference.mean() < 1.0 and (difference > 12).mean() < 0.02
    assert close, f"{FRAMES / name} and {tmp_path / name} differ by {difference.mean():.2f} of 255"
