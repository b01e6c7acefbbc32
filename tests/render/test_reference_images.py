"""Small reference images of everything that can be drawn, stored in tests/frames.

After an intended change, write new images for those that differ, and look at them:

FRAMES=write python -m pytest tests/render/test_reference_images.py

For each image that differs, tests/out receives the reference, the new image and eight times their difference.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from shibumi3d.render.png import encode_png
from shibumi3d.render.screenshot import OffscreenRenderer
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.event import Dropped, Event, Lifted, Moved, Recoloured
from shibumi3d.rules.marbles.position import playable_points
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene import palette
from shibumi3d.scene.camera import Camera, make_home_camera
from shibumi3d.scene.frame import Ball, Frame, Piece
from shibumi3d.scene.marbles.exploded_view import ExplodedView, exploded_view_camera, make_exploded_view
from shibumi3d.scene.marbles.layout import (
    BOX_HINGE_DISTANCE,
    BOX_HINGE_HEIGHT,
    BOX_MARBLE_Z,
    DISH_MARBLE_Z,
    TABLE_Z,
    TRAY_MARBLE_Z,
)
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.scene.palette import Theme, make_theme

TESTS = Path(__file__).resolve().parent.parent
KEPT, OUT = TESTS / "frames", TESTS / "out"
SMALL, SIGNED = (192, 108), (336, 189)
SCALE = 0.6
"""Physical pixels per logical pixel, which gives signs the same size relative to marbles as in a window."""
BLOCK = 3
"""Side in pixels of the square blocks whose mean colours are compared."""
MOST_UNLIKE = 24.0
AT = get_pyramid(4).point_by_name
Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class Scene:
    stage: MarbleScene
    camera: Camera
    theme: Theme = field(default_factory=make_theme)
    signs: tuple[Sign, ...] = ()
    ghosts: tuple[Ghost, ...] = ()
    extra: tuple[Ball, ...] = ()
    pieces: tuple[Piece, ...] = ()
    spread: ExplodedView | None = None
    now: float = 0.0
    tier: str = "low"

    def frame(self) -> Frame:
        return self.stage.frame(
            self.now,
            self.camera,
            self.theme,
            signs=self.signs,
            ghosts=self.ghosts,
            extra_balls=self.extra,
            pieces=self.pieces,
            exploded_view=self.spread,
        )

    def pixels(self, studio: OffscreenRenderer) -> Pixels:
        return studio.render(self.frame(), self.camera, *(SIGNED if self.signs else SMALL), SCALE)


def board(names: str, sizes: Sequence[int] = (4,)) -> MarbleScene:
    """Return a scene with white, black and red marbles in turn on the named points of the first board.

    ``names`` holds the names of the points, separated by spaces, and ``sizes`` the sizes of the boards.
    """
    made = MarbleScene(sizes)
    index = get_pyramid(sizes[0]).point_by_name
    made.timeline.reset({(0, index[name]): i % 3 for i, name in enumerate(names.split())})
    return made


def grown(size: int, count: int) -> MarbleScene:
    """Return a scene in which the first ``count`` points of a board are filled."""
    made = MarbleScene((size,))
    made.timeline.reset({(0, point): point * 7 % 3 for point in range(count)})
    return made


MIDDLE = "Aa1 Ac1 Ab1 Aa2 Ab2 Ac2 Ad2 Aa3 Ab3 Ac3 Ac4 Ba1 Bb1"


def middle(tier: str = "low", colours: Theme | None = None) -> Scene:
    """Return a scene in the middle of a game, with marbles beside the board."""
    tray = tuple(Ball(4.2, -1.5 + i, TABLE_Z + 0.5, i % 3) for i in range(4))
    camera = make_home_camera((4,))
    return Scene(board(MIDDLE), camera, colours or make_theme(), extra=tray, tier=tier)


def choices() -> Scene:
    """Return a scene with a ghost and several kinds of signs.

    There are signs for legal and locked points, the last move, the pointer, the keyboard cursor and a hint.
    """
    made = board(MIDDLE)
    filled = sum(1 << point for _, point in made.marbles)
    signs = [Sign(SignKind.LEGAL, 0, point) for point in iter_bits(playable_points(get_pyramid(4), filled))]
    signs[0] = signs[0]._replace(colours=(0, 1, 2))
    signs += [
        Sign(SignKind.LAST, 0, AT["Bb1"]),
        Sign(SignKind.CURSOR, 0, AT["Bb2"]),
        Sign(SignKind.HOVER, 0, AT["Ac1"]),
        Sign(SignKind.HINT, 0, AT["Ad2"]),
        Sign(SignKind.LOCKED, 0, AT["Ad4"]),
        Sign(SignKind.LOCKED, 0, AT["Ad3"], (2,)),
    ]
    signs = [s for s in signs if s.kind is not SignKind.LEGAL or s.point not in (AT["Ad3"], AT["Ad4"])]
    return Scene(made, make_home_camera((4,)), signs=tuple(signs), ghosts=(Ghost(0, AT["Bb2"], 1),))


def lifting() -> Scene:
    """Return a scene with signs about lifted, supporting and fallen marbles.

    There are signs for a liftable marble, for a marble that supports one other and one that supports several, for a
    lifted marble's origin and for a fallen marble. A line leads from a supporting marble to one that rests on it, and
    an arrow shows the path of the fall.
    """
    signs = (
        Sign(SignKind.LIFTABLE, 0, AT["Ad2"]),
        Sign(SignKind.LOADED, 0, AT["Ac1"]),
        Sign(SignKind.PINNED, 0, AT["Ab1"]),
        Sign(SignKind.LINE, 0, AT["Ab1"], target_point=AT["Ba1"]),
        Sign(SignKind.ORIGIN, 0, AT["Ad1"]),
        Sign(SignKind.FALLEN, 0, AT["Ba1"]),
        Sign(SignKind.TRAIL, 0, AT["Ca1"], target_point=AT["Ba1"]),
    )
    return Scene(board(MIDDLE), make_home_camera((4,)), make_theme("night"), signs)


def coming() -> Scene:
    """Return a scene with a preview of a move's effects, and signs where marbles can be pushed in."""
    signs = (
        Sign(SignKind.STACKED, 0, AT["Ca1"], target_point=AT["Ad1"]),
        Sign(SignKind.REPLACED, 0, AT["Ad1"]),
        Sign(SignKind.RECOLOURED, 0, AT["Ac1"], (1,)),
        Sign(SignKind.DOOMED, 0, AT["Ba1"]),
        Sign(SignKind.ENTRY, 0, AT["Aa1"], side=0),
        Sign(SignKind.ENTRY, 0, AT["Ab1"], side=2, is_highlighted=True),
    )
    return Scene(
        grown(4, 20), make_home_camera((4,)), make_theme(board="tatami"), signs, (Ghost(0, AT["Ca1"], 2),)
    )


def linked() -> Scene:
    """Return a scene of two boards: an active one with intact and cut connections, and one under a privacy cover."""
    made = MarbleScene((4, 3))
    white = ("Ab1", "Ac2", "Ab2", "Bb1", "Aa2", "Ac1")
    black = ("Aa1", "Ba1")
    made.timeline.reset({(0, AT[name]): int(name in black) for name in (*white, *black)})
    signs = (*made.connection_signs(), Sign(SignKind.ACTIVE_BOARD, 0), Sign(SignKind.COVERED_BOARD, 1))
    return Scene(made, make_home_camera((4, 3)), make_theme("day", "clear"), signs)


def played() -> Scene:
    """Return a scene with signs for the last turn: two numbered marbles, and an arc to the one that was moved."""
    numbers = tuple(Sign(SignKind.NUMBER, 0, AT[name], number=i) for i, name in enumerate(("Ac4", "Bb1"), 1))
    signs = (Sign(SignKind.HAND_MOVE, 0, AT["Ad1"], target_point=AT["Ac4"]), *numbers)
    return Scene(board(MIDDLE), make_home_camera((4,)), make_theme("night"), signs)


def lying() -> Scene:
    """Return a scene with objects beside a board: a tray, a dish, a bag and two boxes.

    There are marbles in the tray, in the dish and in both boxes. One box is closed, and the lid of the other is partly
    open.
    """
    places = [(-6.2 + 1.02 * i, 1.02 * j - 2.1, TRAY_MARBLE_Z, i) for i in range(3) for j in range(3 - i)]
    places += [(-4.2, 1.7, DISH_MARBLE_Z, 2), (4.2, 1.0, BOX_MARBLE_Z, 1), (4.2, -1.0, BOX_MARBLE_Z, 0)]
    marbles = [Ball(*place) for place in places]
    lid = TABLE_Z + BOX_HINGE_HEIGHT
    pieces = (
        Piece("tray", -5.18, -1.08, half_size=(1.62, 1.62)),
        Piece("dish", -4.2, 1.7),
        Piece("bag", 4.2, -2.6),
        Piece("box", 4.2, 1.0, yaw=math.pi),
        Piece("lid", 4.2, 1.0 + BOX_HINGE_DISTANCE, lid, yaw=math.pi, tilt=1.2),
        Piece("box", 4.2, -1.0),
        Piece("lid", 4.2, -1.0 - BOX_HINGE_DISTANCE, lid),
    )
    camera = replace(make_home_camera((4,)), zoom=1.4)
    return Scene(board(MIDDLE), camera, extra=tuple(marbles), pieces=pieces)


def glass() -> Scene:
    """Return a scene with marbles of glass and other materials.

    If the driver can't draw transparent glass, the glass is opaque.
    """
    made = MarbleScene((4,))
    made.timeline.reset({(0, point): (3, 0, 4, 1, 5, 2)[point % 6] for point in range(21)})
    return Scene(made, make_home_camera((4,)), tier="high")


def won() -> Scene:
    """Return a scene with a full pyramid and signs for winning, decisive and counted marbles.

    It is drawn in the night theme, with the camera rotated to the side.
    """
    kinds = {SignKind.WIN: "Ad1 Bc1 Cb1 Da1", SignKind.DECISIVE: "Ad2", SignKind.COUNTED: "Ad3 Ad4"}
    signs = tuple(Sign(kind, 0, AT[name]) for kind, names in kinds.items() for name in names.split())
    return Scene(grown(4, 30), make_home_camera((4,)).rotated(70, -8), make_theme("night"), signs)


def many() -> Scene:
    """Return a scene with an undecided board and so many legal points that dots mark them instead of rings."""
    signs = (*(Sign(SignKind.LEGAL, 0, point) for point in range(64)), Sign(SignKind.UNDECIDED, 0))
    return Scene(MarbleScene((8,)), make_home_camera((8,)), make_theme(board="slate"), signs)


def beside() -> Scene:
    """Return a scene with a board whose colours are dimmed because the winning marbles are beside it."""
    return Scene(
        grown(2, 5), make_home_camera((2,)), make_theme("night"), (Sign(SignKind.DECIDED_BESIDE, 0),)
    )


def midway(now: float) -> Scene:
    """Return a scene at the fraction ``now`` of a turn's animation.

    In this turn, a marble is carried, the one above it falls, and another is recoloured.
    """
    made = board(MIDDLE)
    events: list[Event] = [
        Recoloured(0, AT["Ad2"], 0, 2),
        Lifted(0, AT["Ac2"], made.marbles[0, AT["Ac2"]]),
        Dropped(0, AT["Bb1"], AT["Ac2"], made.marbles[0, AT["Bb1"]]),
        Moved(0, AT["Ac2"], AT["Ad4"], made.marbles[0, AT["Ac2"]]),
    ]
    made.play(events, 0.0)
    return Scene(made, make_home_camera((4,)), now=made.timeline.end_time * now)


def apart() -> Scene:
    """Return a scene with a full pyramid in the exploded view."""
    spread = make_exploded_view((4,), 180.0, 100.0)
    return Scene(grown(4, 30), exploded_view_camera(spread, *SMALL, (6.0, 4.0, 186.0, 104.0)), spread=spread)


SCENES: dict[str, Callable[[], Scene]] = {
    **{f"tier-{tier}": lambda tier=tier: middle(tier) for tier in ("low", "medium", "high")},
    **{
        f"{name}-{tone}": lambda name=name, tone=tone: middle(colours=make_theme(tone, board=name))
        for name in palette.BOARD_COLOURS
        for tone in palette.INTERFACE_COLOURS
        if (name, tone) != ("keyaki", "day")  # the same as tier-low
    },
    **{
        f"clear-{tone}": lambda tone=tone: middle(colours=make_theme(tone, "clear"))
        for tone in palette.INTERFACE_COLOURS
    },
    "signs-choices": choices,
    "signs-lifting": lifting,
    "signs-coming": coming,
    "signs-linked": linked,
    "signs-played": played,
    "signs-won": won,
    "signs-many": many,
    "signs-beside": beside,
    "midway-dye": lambda: midway(0.1),
    "midway-move": lambda: midway(0.7),
    "spread": apart,
    "table": lying,
    "glass": glass,
    "above": lambda: replace(middle(), camera=make_home_camera((4,)).from_above()),
    "size-2": lambda: Scene(grown(2, 5), make_home_camera((2,))),
    "size-8": lambda: Scene(grown(8, 204), make_home_camera((8,)), make_theme("night")),
}


def max_block_difference(kept: Pixels, drawn: Pixels) -> float:
    """Return the greatest difference between the mean colours of the same block in two pictures.

    The means are compared in each colour channel, and the difference is from 0 to 255. Blocks are squares with sides of
    :data:`BLOCK` pixels; incomplete ones at the right and bottom edges are ignored. Means are compared because edges
    may move slightly.
    """
    height, width = (side // BLOCK * BLOCK for side in kept.shape[:2])
    apart = (kept.astype(float) - drawn)[:height, :width]
    blocks = apart.reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK, 3).mean(axis=(1, 3))
    return float(np.abs(blocks).max())


def look_alike(kept: Pixels, drawn: Pixels) -> bool:
    """Return whether two pictures look the same apart from slight differences, such as those between drivers."""
    return np.abs(kept.astype(int) - drawn).mean() < 2.0 and max_block_difference(kept, drawn) < MOST_UNLIKE


def packed_png(picture: Pixels) -> bytes:
    """Reduce a picture to six bits per colour channel and return it as a PNG file."""
    stream = BytesIO()
    Image.fromarray(picture // 4 * 4 + 2).save(stream, "png", optimize=True)
    return stream.getvalue()


def drawn(scene: Scene, low: OffscreenRenderer) -> Pixels:
    if scene.tier == "low":
        return scene.pixels(low)
    with OffscreenRenderer(scene.tier) as studio, studio.ctx:
        studio.renderer.scale_control.fix_scale(1.0)
        return scene.pixels(studio)


@pytest.mark.parametrize("name", SCENES)
def test_picture_matches_reference_image(low: OffscreenRenderer, name: str) -> None:
    picture = drawn(SCENES[name](), low)
    path = KEPT / f"{name}.png"
    writing = os.environ.get("FRAMES") == "write"
    if writing and not path.exists():
        path.write_bytes(packed_png(picture))
    kept = np.asarray(Image.open(path).convert("RGB"))
    if writing and (kept.shape != picture.shape or not look_alike(kept, picture)):
        path.write_bytes(packed_png(picture))
    elif not look_alike(kept, picture):
        OUT.mkdir(exist_ok=True)
        difference = np.abs(kept.astype(int) - picture)
        both = np.hstack([kept, picture, np.minimum(difference * 8, 255).astype(np.uint8)])
        (OUT / path.name).write_bytes(encode_png(both))
        apart = f"{difference.mean():.2f}, a block by {max_block_difference(kept, picture):.0f} of 255"
        pytest.fail(f"{path.name} differs by {apart}; see {OUT / path.name}")


def test_every_sign_kind_is_pictured() -> None:
    shown = {sign.kind for make in SCENES.values() for sign in make().signs}
    assert shown == set(SignKind), "a new kind needs a picture"


@pytest.mark.parametrize("name", [name for name in SCENES if name.startswith("signs-")])
def test_missing_sign_changes_picture(low: OffscreenRenderer, name: str) -> None:
    scene = SCENES[name]()
    whole = scene.pixels(low)
    for kind in {sign.kind for sign in scene.signs}:
        signs = tuple(sign for sign in scene.signs if sign.kind is not kind)
        without = replace(scene, signs=signs)
        picture = low.render(without.frame(), scene.camera, *SIGNED, SCALE)
        assert max_block_difference(whole, picture) > 1.5 * MOST_UNLIKE, kind


def test_every_reference_image_has_a_scene() -> None:
    assert {path.stem for path in KEPT.glob("*.png")} == set(SCENES)


def test_reference_images_are_small() -> None:
    sizes = [path.stat().st_size for path in KEPT.glob("*.png")]
    assert max(sizes) <= 60_000
    assert sum(sizes) <= 650_000
