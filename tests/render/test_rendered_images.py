"""What an image must show with any driver: colours, shadows, shapes, and agreement with picking."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import OrderedDict
from dataclasses import replace
from itertools import product
from typing import Any, TypeAlias
from zlib import compress, decompress

import numpy as np
import pytest
from numpy.typing import NDArray

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.paths import cache_folder
from shibumi3d.render import lighting, materials
from shibumi3d.render.lighting import WINDOW_DIRECTION
from shibumi3d.render.passes import solids
from shibumi3d.render.passes.marbles import MarblePass
from shibumi3d.render.screenshot import NoGraphicsError, OffscreenRenderer, take_screenshot
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene import palette
from shibumi3d.scene.camera import (
    HOME_CAMERA,
    MAX_DISTANCE_FACTOR,
    MAX_HORIZONTAL_SHIFT,
    PITCH_RANGE_DEGREES,
    TOP_CAMERA,
    ZOOM_RANGE,
    Camera,
    make_home_camera,
    make_home_camera_for_hull,
)
from shibumi3d.scene.frame import Card, Frame
from shibumi3d.scene.glyphs import GLYPHS
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z as SURFACE
from shibumi3d.scene.marbles.layout import TABLE_Z, half_side
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.scene.palette import Theme, make_theme, rgb
from shibumi3d.scene.picking import PickableObject, pick
from shibumi3d.scene.registry import make_scene
from tests.share import THOROUGH, crossed
from tools.pictures import busy

Pixels: TypeAlias = NDArray[np.float64]

WIDTH, HEIGHT = 640, 360
AT = get_pyramid(4).point_by_name
CAMERAS = [
    HOME_CAMERA,
    TOP_CAMERA,
    HOME_CAMERA.rotated(90),
    HOME_CAMERA.rotated(180, 10),
    Camera(yaw=60, pitch=20),
]
THEMES = [make_theme(), make_theme("night"), make_theme("day", "clear")]


def scene_with_marbles(marbles: dict[str, int]) -> MarbleScene:
    made = MarbleScene((4,))
    made.timeline.reset({(0, AT[name]): colour for name, colour in marbles.items()})
    return made


def full_scene(size: int = 4) -> MarbleScene:
    made = MarbleScene((size,))
    made.timeline.reset({(0, p): (p * 7 + p // 5) % 3 for p in range(get_pyramid(size).point_count)})
    return made


def draw(
    studio: OffscreenRenderer,
    made: MarbleScene,
    camera: Camera = HOME_CAMERA,
    colours: Theme | None = None,
    **more: Any,
) -> Pixels:
    frame = made.frame(0.0, camera, colours or make_theme(), **more)
    return studio.render(frame, camera, WIDTH, HEIGHT).astype(np.float64)


def pixel_at(camera: Camera, at: tuple[float, float, float]) -> tuple[int, int]:
    x, y = camera.project(np.array([at]), WIDTH, HEIGHT)[0][0]
    return round(float(y)), round(float(x))


def marble_colour(pixel: Pixels) -> int:
    """Return 2 if a pixel is clearly red; otherwise, return 0 (white) or 1 (black), depending on its brightness."""
    red, green, blue = pixel
    if red > 1.6 * max(green, blue) and red > 40:
        return 2
    return 0 if pixel.mean() > 60 else 1


def marble_at(made: MarbleScene, camera: Camera, x: int, y: int) -> tuple[int, int] | None:
    """Return the board and point of the marble that is picked at a pixel, or ``None`` if there is none."""
    standing = made.resting_marbles()
    found = pick(
        camera, WIDTH, HEIGHT, x + 0.5, y + 0.5, [PickableObject(at, is_target=False) for _, at in standing]
    )
    return None if found is None else standing[found][0]


@pytest.mark.parametrize("colours", THEMES, ids=lambda colours: f"{colours.tone}-{colours.board}")
@pytest.mark.parametrize("camera", CAMERAS)
def test_marbles_show_their_colour_where_projected(
    low: OffscreenRenderer, camera: Camera, colours: Theme
) -> None:
    colours = Theme(colours.tone, colours.board, colours.marbles)  # no printed signs
    made = full_scene()
    picture = draw(low, made, camera, colours)
    seen = 0
    for (board, point), at in made.resting_marbles():
        y, x = pixel_at(camera, at)
        around = {marble_at(made, camera, x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        if around == {(board, point)}:
            seen += 1
            assert marble_colour(picture[y, x]) == made.marbles[board, point], (
                point,
                picture[y, x],
            )
    assert seen >= 10


@pytest.mark.parametrize("camera", CAMERAS)
def test_picking_agrees_with_picture(low: OffscreenRenderer, camera: Camera) -> None:
    """Where a marble is picked, the picture differs from that of the empty board.

    It may stay the same only where a black marble is picked and the picture is black. Of 400 random pixels, the test
    checks those that lie well inside a marble: the same marble is picked at the pixel and at all eight neighbours.
    """
    made = full_scene()
    chance = np.random.default_rng(2)
    picture = draw(low, made, camera)
    empty = draw(low, scene_with_marbles({}), camera)
    changed = np.abs(picture - empty).max(axis=2) > 6
    picked = 0
    for x, y in chance.integers((0, 0), (WIDTH, HEIGHT), (400, 2)):
        around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        picks = {marble_at(made, camera, px, py) for px, py in around}
        if len(picks) == 1 and (only := picks.pop()) is not None:
            picked += 1
            assert changed[y, x] or made.marbles[only] == marble_colour(picture[y, x]) == 1
    assert picked > 20


def test_empty_board_and_table_match_palette(low: OffscreenRenderer) -> None:
    picture = draw(low, scene_with_marbles({}), TOP_CAMERA)
    for colour, box in (
        (palette.BOARD_COLOURS["keyaki"], [(-0.2, -0.2), (0.2, 0.2)]),
        (palette.DAY_COLOURS["table"], [(-4.6, -1.0), (-3.9, 1.0)]),
    ):
        (top, left), (bottom, right) = (
            pixel_at(TOP_CAMERA, (box[0][0], box[1][1], SURFACE)),
            pixel_at(TOP_CAMERA, (box[1][0], box[0][1], SURFACE)),
        )
        mean = picture[top : bottom + 1, left : right + 1].mean(axis=(0, 1)) / 255
        assert np.abs(mean - rgb(colour)).max() < 0.08, mean


@pytest.mark.parametrize("tone", ["day", "night"])
def test_marbles_cast_contact_shadows(low: OffscreenRenderer, tone: str) -> None:
    with_marble, without = (
        draw(low, scene_with_marbles(m), colours=make_theme(tone)) for m in ({"Ab2": 0}, {})
    )
    x, y, _ = scene_with_marbles({}).marble_position(0, AT["Ab2"])
    # The near spot is on the side away from the window, which is in the west.
    near = pixel_at(HOME_CAMERA, (x + 0.62, y - 0.05, SURFACE))
    far = pixel_at(HOME_CAMERA, (x + 0.5, y - 2.0, SURFACE))
    assert with_marble[near].mean() < 0.72 * without[near].mean()
    assert with_marble[far].mean() > 0.95 * without[far].mean()


def test_ghost_is_translucent_with_weaker_shadow(low: OffscreenRenderer) -> None:
    x, y, _ = scene_with_marbles({}).marble_position(0, AT["Ab2"])
    near = pixel_at(HOME_CAMERA, (x + 0.62, y - 0.05, SURFACE))
    solid, ghost, empty = (
        draw(low, scene_with_marbles({"Ab2": 0})),
        draw(low, scene_with_marbles({}), ghosts=[Ghost(0, AT["Ab2"], 0)]),
        draw(low, scene_with_marbles({})),
    )
    middle = pixel_at(HOME_CAMERA, scene_with_marbles({}).marble_position(0, AT["Ab2"]))
    for at in (near, middle):
        low_, high = sorted((solid[at].mean(), empty[at].mean()))
        assert low_ + 3 < ghost[at].mean() < high - 3


def test_black_marble_has_one_highlight_and_lighter_rim(
    low: OffscreenRenderer,
) -> None:
    camera = HOME_CAMERA.zoomed(1).zoomed(1).zoomed(1).zoomed(1)
    picture = draw(low, scene_with_marbles({"Ab2": 1}), camera)
    y, x = pixel_at(camera, scene_with_marbles({}).marble_position(0, AT["Ab2"]))
    radius = int(camera.projected_radius(0.5, np.array([camera.distance(WIDTH / HEIGHT)]), HEIGHT)[0])
    disc = picture[y - radius : y + radius + 1, x - radius : x + radius + 1].mean(axis=2)
    away = np.hypot(*np.mgrid[-radius : radius + 1, -radius : radius + 1])
    bright = (disc > 70) & (away < 0.85 * radius)
    rows, columns = np.nonzero(bright)
    assert 4 < len(rows) < 0.05 * disc.size
    # The highlight is a single spot at the upper left.
    assert rows.mean() < radius
    assert columns.mean() < radius
    assert np.ptp(rows) < 0.6 * radius
    assert np.ptp(columns) < 0.6 * radius
    middle = disc[away < 0.3 * radius].mean()
    ring = disc[(away > 0.86 * radius) & (away < 0.95 * radius)]
    assert np.percentile(ring[: len(ring) // 2], 75) > middle + 4


def test_levels_are_distinguishable_in_grey(low: OffscreenRenderer) -> None:
    """In a pyramid of one colour, there is a dark edge between each level and the one below."""
    made = MarbleScene((4,))
    made.timeline.reset({(0, p): 0 for p in range(30)})
    grey = draw(low, made).mean(axis=2)
    for upper, lower in (("Da1", "Ca1"), ("Ca1", "Ba1"), ("Ba1", "Aa1")):
        (y0, x0), (y1, x1) = (
            pixel_at(HOME_CAMERA, made.marble_position(0, AT[upper])),
            pixel_at(HOME_CAMERA, made.marble_position(0, AT[lower])),
        )
        line = [grey[round(y0 + (y1 - y0) * t), round(x0 + (x1 - x0) * t)] for t in np.linspace(0, 1, 60)]
        assert min(line) < 0.72 * min(line[0], line[-1])


def test_last_move_is_marked(low: OffscreenRenderer) -> None:
    plain = draw(low, full_scene())
    marked = draw(low, full_scene(), signs=[Sign(SignKind.LAST, 0, AT["Da1"])])
    changed = np.abs(plain - marked).max(axis=2) > 40
    rows, columns = np.nonzero(changed)
    y, x = pixel_at(HOME_CAMERA, full_scene().marble_position(0, AT["Da1"]))
    assert 40 < len(rows) < 900
    assert abs((rows.min() + rows.max()) / 2 - y) < 4
    assert abs((columns.min() + columns.max()) / 2 - x) < 4


def test_marks_are_hidden_only_by_marbles_in_front(low: OffscreenRenderer) -> None:
    made = scene_with_marbles({"Ac2": 0, "Ac3": 0})
    signs = [Sign(SignKind.LAST, 0, AT["Ac3"])]
    camera = HOME_CAMERA.rotated(-HOME_CAMERA.yaw, -12)
    gold = np.abs(draw(low, made, camera, signs=signs) - draw(low, made, camera)).max(axis=2) > 40
    rows, _ = np.nonzero(gold)
    y, _ = pixel_at(camera, made.marble_position(0, AT["Ac3"]))
    assert (rows < y).sum() > 2 * (rows > y).sum()


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_marks_keep_size_in_logical_pixels(low: OffscreenRenderer, scale: float) -> None:
    camera = TOP_CAMERA
    made = MarbleScene((6,))
    camera = make_home_camera((6,)).from_above()
    signs = [Sign(SignKind.LEGAL, 0, p) for p in range(36)]
    plain = low.render(made.frame(0, camera, make_theme()), camera, WIDTH, HEIGHT, scale).astype(float)
    dots = low.render(made.frame(0, camera, make_theme(), signs=signs), camera, WIDTH, HEIGHT, scale).astype(
        float
    )
    area = (np.abs(plain - dots).max(axis=2) > 60).sum() / 36
    # Five pixels wide, with a dark edge of one.
    assert np.sqrt(area * 4 / np.pi) == pytest.approx(6 * scale, abs=1.5 * scale)


def test_half_scale_rendering_looks_the_same(low: OffscreenRenderer) -> None:
    made = full_scene()
    fine = draw(low, made)
    low.renderer.scale_control.fix_scale(0.5)
    try:
        coarse = draw(low, made)
    finally:
        low.renderer.scale_control.fix_scale(1.0)
    assert np.abs(fine - coarse).mean() < 4.0


def test_rendering_stays_inside_framebuffer_region(low: OffscreenRenderer) -> None:
    texture = low.ctx.texture((300, 200), 3)
    target = low.ctx.framebuffer([texture])
    target.clear(0.0, 0.0, 1.0)
    low.renderer.draw(
        full_scene().frame(0, HOME_CAMERA, make_theme()), HOME_CAMERA, target, 160, 90, origin=(100, 50)
    )
    data = np.frombuffer(target.read(components=3), dtype=np.uint8).reshape(200, 300, 3)
    blue = (data == (0, 0, 255)).all(axis=2)
    assert not blue[50:140, 100:260].any()
    blue[50:140, 100:260] = True
    assert blue.all()
    assert target.viewport == (0, 0, 300, 200)
    draw(low, scene_with_marbles({}))  # binds another framebuffer, since a bound one may not be released
    target.release()
    texture.release()


@pytest.mark.parametrize("size", [2, 3, 7, 10])
@pytest.mark.parametrize("tone", ["day", "night"])
def test_all_board_sizes_render_apex_colour(low: OffscreenRenderer, size: int, tone: str) -> None:
    made, camera = full_scene(size), make_home_camera((size,))
    picture = draw(low, made, camera, make_theme(tone))
    apex = pixel_at(camera, made.marble_position(0, get_pyramid(size).point_count - 1))
    assert marble_colour(picture[apex]) == made.marbles[0, get_pyramid(size).point_count - 1]


@pytest.mark.parametrize("board", sorted(palette.BOARD_COLOURS))
def test_all_board_materials_match_palette(low: OffscreenRenderer, board: str) -> None:
    picture = draw(low, scene_with_marbles({}), TOP_CAMERA, make_theme(board=board))
    y, x = pixel_at(TOP_CAMERA, (0.0, 0.0, SURFACE))
    mean = picture[y - 3 : y + 4, x - 3 : x + 4].mean(axis=(0, 1)) / 255
    assert np.abs(mean - rgb(palette.BOARD_COLOURS[board])).max() < 0.12


def test_two_boards_render_their_marbles(low: OffscreenRenderer) -> None:
    made, camera = MarbleScene((4, 4)), make_home_camera((4, 4))
    made.timeline.reset({(0, 0): 2, (1, 15): 2})
    picture = draw(low, made, camera)
    for seat in ((0, 0), (1, 15)):
        assert marble_colour(picture[pixel_at(camera, made.marble_position(*seat))]) == 2


def test_privacy_cover_hides_whole_board(low: OffscreenRenderer) -> None:
    camera = make_home_camera((4, 4))
    made, bare = MarbleScene((4, 4)), MarbleScene((4, 4))
    made.timeline.reset({(1, p): p % 3 for p in range(30)})
    covered, empty, open_ = (
        draw(low, one, camera, signs=signs)
        for one, signs in (
            (made, [Sign(SignKind.COVERED_BOARD, 1)]),
            (bare, [Sign(SignKind.COVERED_BOARD, 1)]),
            (made, []),
        )
    )
    assert np.array_equal(covered, empty)
    at = pixel_at(camera, (*made.layout.origins[1], SURFACE + 0.24))
    assert covered[at].min() > 150
    assert np.abs(covered - open_).max() > 100


SIGNED = {"Aa1": 0, "Ac1": 1, "Aa3": 2, "Ac3": -1}
"""Points at which signs are tested, with the colours of their marbles; -1 is an empty point."""
SIGNS = (
    *(SignKind.LEGAL, SignKind.DOOMED, SignKind.TRAIL, SignKind.STACKED, SignKind.REPLACED),
    *(SignKind.RECOLOURED, SignKind.LOCKED, SignKind.ENTRY),
)


@pytest.mark.parametrize(("board", "tone"), crossed(sorted(palette.BOARD_COLOURS), ("day", "night")))
def test_signs_contrast_on_every_marble_and_board(low: OffscreenRenderer, board: str, tone: str) -> None:
    """Part of each sign has a contrast of at least 3:1 with what it covers, from the front and from above."""
    made = scene_with_marbles({name: colour for name, colour in SIGNED.items() if colour >= 0})
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    for camera in (HOME_CAMERA, TOP_CAMERA):
        back = camera.axes()[2]
        for kind in SIGNS:
            signs = [sign_at(kind, AT[name]) for name in SIGNED]
            frame = made.frame(0.0, camera, make_theme(tone, board=board), signs=signs)
            signed, plain = (
                light(low.render(one, camera, WIDTH, HEIGHT)) for one in (frame, replace(frame, marks=()))
            )
            has_contrast = (
                np.maximum((signed + 0.05) / (plain + 0.05), (plain + 0.05) / (signed + 0.05)) >= 3.0
            )
            for name in SIGNED:
                at = made.marble_position(0, AT[name])
                if kind is SignKind.ENTRY:
                    at = made.entry_position(0, AT[name], 1, toward_camera=back)
                y, x = pixel_at(camera, at)
                wide = float(
                    camera.projected_radius(0.6, camera.project(np.array([at]), WIDTH, HEIGHT)[1], HEIGHT)[0]
                )
                here = np.hypot(rows - y, columns - x) < wide
                assert has_contrast[here].sum() >= 12, (camera, kind, name)


def sign_at(kind: SignKind, point: int) -> Sign:
    """Return a sign of ``kind`` at a point; a trail leads from Bb2 to that point.

    For ``RECOLOURED``, the new colour is 1, black. For ``ENTRY``, the marble enters from side 1.
    """
    if kind is SignKind.TRAIL:
        return Sign(kind, 0, AT["Bb2"], target_point=point)
    return Sign(kind, 0, point, (1,) if kind is SignKind.RECOLOURED else (), side=1)


def light(picture: NDArray[np.uint8]) -> Pixels:
    """Return the relative luminance of each pixel, from 0 to 1."""
    part = picture / 255.0
    bright = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    result: Pixels = bright @ np.array(palette.LUMINANCE_WEIGHTS)
    return result


@pytest.mark.parametrize("board", sorted(palette.BOARD_COLOURS))
def test_raised_point_bead_contrasts_with_every_marble(low: OffscreenRenderer, board: str) -> None:
    for colour in range(3):
        made = scene_with_marbles(dict.fromkeys(("Aa1", "Ab1", "Aa2", "Ab2"), colour))
        for camera in (HOME_CAMERA, TOP_CAMERA):
            frame = made.frame(
                0.0, camera, make_theme(board=board), signs=[Sign(SignKind.LEGAL, 0, AT["Ba1"])]
            )
            bare = replace(frame, marks=(), balls=frame.balls[:-1])
            signed, plain = (light(low.render(one, camera, WIDTH, HEIGHT)) for one in (frame, bare))
            has_contrast = (
                np.maximum((signed + 0.05) / (plain + 0.05), (plain + 0.05) / (signed + 0.05)) >= 3.0
            )
            assert has_contrast.sum() >= 24, (camera, colour)


@pytest.mark.parametrize(
    "tier", ["low", *(pytest.param(tier, marks=THOROUGH) for tier in ("medium", "high"))]
)
def test_rendering_leaves_no_gl_error(needs_gl: None, tier: str) -> None:
    """There is no error if the caller releases the framebuffer after drawing, as when a window is resized."""
    with OffscreenRenderer(tier) as studio, studio.ctx:
        for i, board in enumerate(palette.BOARD_COLOURS):
            made, camera = MarbleScene((4, 3)), make_home_camera((4, 3))
            made.timeline.reset({(0, p): p % 6 for p in range(5 + i)})
            signs = [Sign(kind, 0, p, (1,), side=0, target_point=p + 1) for p, kind in enumerate(SignKind)]
            signs = [s._replace(board=1, point=0) if s.kind is SignKind.COVERED_BOARD else s for s in signs]
            texture = studio.ctx.texture((160 + i, 90), 4)
            target = studio.ctx.framebuffer([texture])
            assert studio.ctx.error == "GL_NO_ERROR"
            frame = made.frame(0.0, camera, make_theme("night" if i % 2 else "day", board=board), signs=signs)
            studio.renderer.draw(frame, camera, target, 160 + i, 90)
            assert studio.ctx.error == "GL_NO_ERROR"
            target.release()
            texture.release()


def test_printed_sign_rolls_with_its_marble(low: OffscreenRenderer) -> None:
    frame = scene_with_marbles({"Ab2": 2}).frame(0.0, HOME_CAMERA, make_theme(signs="strong"))

    def rolled(part: float) -> Pixels:
        ball = frame.balls[0]._replace(roll=(0.6, 0.8, 2.5 * part, 2.5 * (1.0 - part)))
        return low.render(replace(frame, balls=(ball,)), HOME_CAMERA, WIDTH, HEIGHT).astype(np.float64)

    rest = low.render(frame, HOME_CAMERA, WIDTH, HEIGHT).astype(np.float64)
    assert np.array_equal(rolled(0.0), rest)
    assert np.array_equal(rolled(1.0), rest)
    for part in (0.1, 0.3, 0.7, 0.9):
        assert np.abs(rolled(part) - rest).sum() > 20_000


def test_signs_are_printed_on_marbles(low: OffscreenRenderer) -> None:
    plain, signed = (
        draw(low, scene_with_marbles({"Ab1": 1}), colours=Theme(signs=signs)) for signs in ("off", "strong")
    )
    at = pixel_at(HOME_CAMERA, scene_with_marbles({}).marble_position(0, AT["Ab1"]))
    assert signed[at].mean() > plain[at].mean() + 60


def test_medium_and_high_tiers_look_like_low(
    low: OffscreenRenderer, medium: OffscreenRenderer, high: OffscreenRenderer
) -> None:
    made = full_scene()
    with low.ctx:
        one = draw(low, made)
    for finer in (medium, high):
        with finer.ctx:
            other = draw(finer, made)
        assert np.abs(one - other).mean() < 2.5


def disc(picture: Pixels, camera: Camera, at: tuple[float, float, float], part: float = 0.8) -> Pixels:
    """Return the pixels in the middle of the marble at ``at``, as an array of shape (n, 3).

    They lie within ``part`` times the marble's radius of its centre.
    """
    y, x = pixel_at(camera, at)
    depth = camera.project(np.array([at]), WIDTH, HEIGHT)[1]
    radius = part * float(camera.projected_radius(0.5, depth, HEIGHT)[0])
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    inside: Pixels = picture[np.hypot(rows - y, columns - x) < radius]
    return inside


GLASS = (3, 4, 5)


@pytest.mark.parametrize("colour", GLASS)
def test_glass_is_transparent_only_in_high_tier(
    low: OffscreenRenderer, high: OffscreenRenderer, colour: int
) -> None:
    made, behind = scene_with_marbles({"Ab2": colour}), {"Ac2": 0, "Ac3": 0, "Ab3": 0, "Ad3": 0}
    at = made.marble_position(0, AT["Ab2"])
    changes = []
    for studio in (low, high):
        with studio.ctx:
            alone, before_white = (
                disc(draw(studio, one), HOME_CAMERA, at, 0.5)
                for one in (made, scene_with_marbles({"Ab2": colour, **behind}))
            )
            changes.append(np.abs(alone - before_white).mean())
    assert changes[0] < 3
    assert changes[1] > 3 * changes[0] + 3


@pytest.mark.parametrize(("board", "tone"), crossed(sorted(palette.BOARD_COLOURS), ("day", "night")))
def test_glass_keeps_colour_on_every_board(high: OffscreenRenderer, board: str, tone: str) -> None:
    made = scene_with_marbles({"Aa1": 3, "Ab1": 4, "Ac1": 5, "Ab2": 3, "Ac2": 4, "Ad2": 5})
    picture = draw(high, made, colours=make_theme(tone, board=board))
    for (_, point), at in made.resting_marbles():
        red, green, blue = np.median(disc(picture, HOME_CAMERA, at, 0.7), axis=0)
        colour = made.marbles[0, point]
        if colour == 3:
            # The light of the lamp contains less blue.
            least = 1.25 if tone == "day" else 1.15
            assert blue > least * green > least * red
        elif colour == 4:
            assert red > green > 1.5 * blue
        else:
            assert green > 1.5 * red
            assert green > blue > 1.2 * red


def test_glass_casts_coloured_light(high: OffscreenRenderer) -> None:
    x, y, _ = scene_with_marbles({}).marble_position(0, AT["Ab2"])
    # The spot is the centre of the shadow, seen from above.
    clay, blue, yellow = (
        draw(high, scene_with_marbles({"Ab2": colour}), TOP_CAMERA)[
            pixel_at(TOP_CAMERA, (x + 0.58, y - 0.02, SURFACE))
        ]
        for colour in (2, 3, 4)
    )
    assert blue.mean() > clay.mean() + 5
    assert yellow.mean() > clay.mean() + 5
    assert blue[2] / blue[0] > 1.3 * yellow[2] / yellow[0]


def test_gold_glows_only_in_high_tier(medium: OffscreenRenderer, high: OffscreenRenderer) -> None:
    made = full_scene()
    at = made.marble_position(0, AT["Da1"])
    y, x = pixel_at(HOME_CAMERA, at)
    radius = float(
        HOME_CAMERA.projected_radius(0.5, HOME_CAMERA.project(np.array([at]), WIDTH, HEIGHT)[1], HEIGHT)[0]
    )
    row = round(y - 1.22 * radius)
    brighter = []
    for studio in (medium, high):
        with studio.ctx:
            plain, won = (
                draw(studio, made, colours=make_theme("night"), signs=signs)[row, x].mean()
                for signs in ([], [Sign(SignKind.WIN, 0, AT["Da1"])])
            )
            brighter.append(won - plain)
    assert abs(brighter[0]) < 2
    assert 6 < brighter[1] < 60


@pytest.mark.parametrize("tier", ["low", "medium", "high"])
def test_white_marble_reflects_red_neighbour(request: pytest.FixtureRequest, tier: str) -> None:
    studio: OffscreenRenderer = request.getfixturevalue(tier)
    with studio.ctx:
        alone, beside = (
            draw(studio, scene_with_marbles(m)) for m in ({"Ab2": 0}, {"Ab2": 0, "Ab3": 2, "Ac2": 2})
        )
    x, y, z = scene_with_marbles({}).marble_position(0, AT["Ab2"])
    # The spot is on the near side of the white marble, to the right; light from red marbles contains less green and
    # blue.
    at = pixel_at(HOME_CAMERA, (x + 0.30, y - 0.32, z + 0.20))
    one, other = alone[at], beside[at]
    assert other[0] / other[2] > 1.02 * one[0] / one[2]


def test_marbles_reflect_each_other_only_in_high_tier(
    low: OffscreenRenderer, high: OffscreenRenderer
) -> None:
    """In the high tier, part of a black marble sharply reflects the white marble in front of it."""
    x, y, z = scene_with_marbles({}).marble_position(0, AT["Ab2"])
    found = []
    for studio in (low, high):
        with studio.ctx:
            alone, beside = (
                disc(draw(studio, scene_with_marbles(m)), HOME_CAMERA, (x, y, z), 0.85)
                for m in ({"Ab2": 1}, {"Ab2": 1, "Aa1": 0})
            )
        found.append(np.abs(beside - alone).max(axis=1))
    # Some pixels change much more than by the diffuse light of the white marble alone, but most hardly change.
    assert found[1].max() > 2.0 * found[0].max()
    assert np.median(found[1]) < 6


def test_lacquer_reflects_marbles_only_in_high_tier(low: OffscreenRenderer, high: OffscreenRenderer) -> None:
    """In the high tier, a red marble reddens the lacquer more than in the low tier.

    The lacquer is examined where the marble's mirror image appears. The image is as far below the surface as the
    marble's centre is above it.
    """
    x, y, z = scene_with_marbles({}).marble_position(0, AT["Ab2"])
    below = x, y, 2 * SURFACE - z
    redder = []
    for studio in (low, high):
        with studio.ctx:
            empty, one = (
                disc(
                    draw(studio, scene_with_marbles(m), colours=make_theme(board="kuro")),
                    HOME_CAMERA,
                    below,
                    0.3,
                )
                for m in ({}, {"Ab2": 2})
            )
        redder.append(float(((one - empty) @ (1.0, 0.0, -1.0)).mean()))
    assert redder[1] > redder[0] + 2, redder


def test_daylight_colour_changes_but_brightness_does_not(
    low: OffscreenRenderer,
) -> None:
    frame = full_scene().frame(0.0, HOME_CAMERA, make_theme())
    morning, noon, evening = (
        low.render(replace(frame, theme=replace(make_theme(), time_of_day=hour)), HOME_CAMERA, 240, 135)[
            :30, :60
        ].mean(axis=(0, 1))
        for hour in (-1.0, 0.0, 1.0)
    )
    assert morning[0] < noon[0] - 2 < evening[0] - 4
    assert morning[2] > noon[2] + 2 > evening[2] + 4
    weights = np.array(palette.LUMINANCE_WEIGHTS)
    assert abs(float((evening - morning) @ weights)) < 2.5
    # Neither the light of the lamp nor the clear colours depend on the time of day.
    for kept in (make_theme("night"), make_theme("day", "clear")):
        assert lighting.room_light(replace(kept, time_of_day=1.0)) == lighting.room_light(kept)


@pytest.mark.parametrize("tier", ["low", "high"])
def test_background_fades_without_banding(request: pytest.FixtureRequest, tier: str) -> None:
    studio: OffscreenRenderer = request.getfixturevalue(tier)
    shown = replace(full_scene().frame(0.0, HOME_CAMERA, make_theme("night")), balls=())
    far = replace(make_home_camera((4,)).rotated(0, -20), zoom=1.8, distance_factor=1.5)
    back = studio.render(shown, far, 256, 144)[:16, :128, 1]
    # The area spans only about two steps of brightness, which would be visible as wide bands without dithering.
    assert np.ptp(back) <= 3
    blocks = back.reshape(2, 8, 16, 8).swapaxes(1, 2).reshape(32, 64)
    assert (np.ptp(blocks, axis=1) == 0).mean() < 0.2


def empty_table(game: str, aspect: float, tone: str) -> tuple[Frame, Camera]:
    """Return a frame with an empty table, and a camera that shows it.

    The camera is the initial one of ``game``. For ``"marbles"``, it is that of a board of size 4, moved as far away as
    possible. ``aspect`` is the width of the picture divided by its height. ``tone`` is "day" or "night".
    """
    if game == "marbles":
        home = replace(make_home_camera((4,), aspect), distance_factor=MAX_DISTANCE_FACTOR)
        return Frame(make_theme(tone), ()), home
    entry = next(entry for entry in load_catalogue() if entry.id == game)
    shown = make_scene(entry.game(), entry.players[1])
    return Frame(make_theme(tone), ()), make_home_camera_for_hull(shown.hull, shown.view_direction, aspect)


@pytest.mark.parametrize("aspect", [16 / 9, 9 / 16])
@pytest.mark.parametrize("tone", ["day", "night"])
@pytest.mark.parametrize("game", ["marbles", "hyena-spiral", "golden-spiral", "arcanoid"])
def test_the_table_fades_without_an_edge(
    low: OffscreenRenderer, monkeypatch: pytest.MonkeyPatch, game: str, tone: str, aspect: float
) -> None:
    """The brightness of the empty table changes smoothly, without an edge.

    The table is viewed from eight sides, at the lowest pitch and the greatest distance. The picture is centred, or
    shifted as far as possible in one of two directions. The texture of the cloth is left out. At an edge, neighbouring
    pixels would differ in brightness much more than they do two pixels before the edge or two pixels after it. Here, no
    difference exceeds the larger of the differences at those two places by 3.5 of 255 levels or more.
    """
    plain = low.ctx.texture((1, 1), 3, bytes([170] * 3))
    monkeypatch.setattr(materials.MaterialTextures, "tablecloth_texture", lambda *_: plain)
    frame, home = empty_table(game, aspect, tone)
    farthest = replace(home, pitch=PITCH_RANGE_DEGREES[0], zoom=ZOOM_RANGE[1])
    for yaw, shift in product(range(0, 360, 45), [(0.0, 0.0), (MAX_HORIZONTAL_SHIFT, -0.4), (0.0, 0.4)]):
        camera = replace(farthest.rotated(yaw), shift=shift)
        picture = low.render(frame, camera, *((256, 144) if aspect > 1 else (144, 256))).astype(float)
        for axis in (0, 1):
            step = np.abs(np.diff(np.moveaxis(picture.mean(axis=2), axis, 0), axis=0))
            assert (step[2:-2] - np.maximum(step[4:], step[:-4])).max() < 3.5, camera
    plain.release()


@pytest.mark.parametrize("side", [-1, 1])
def test_the_grain_runs_around_the_corners_of_a_board_without_a_seam(
    medium: OffscreenRenderer, side: int
) -> None:
    half = half_side(4)
    corner = side * half, -half, SURFACE - 0.3
    camera = replace(HOME_CAMERA, yaw=45.0 * side, pitch=20.0, zoom=0.7, target=corner)
    picture = draw(medium, scene_with_marbles({}), camera).mean(axis=2)
    # The means of columns of pixels across the middle of the rounded corner, below the bevel, change smoothly.
    depth = half - 0.3 * (1 - np.sqrt(0.5))
    top, bottom = (pixel_at(camera, (side * depth, -depth, SURFACE - down)) for down in (0.15, 0.45))
    columns = picture[top[0] : bottom[0], top[1] - 6 : top[1] + 7].mean(axis=0)
    assert np.abs(np.diff(columns)).max() < 5.0


@pytest.mark.parametrize("tone", ["day", "night"])
def test_the_pattern_of_the_cloth_repeats_only_with_its_texture(low: OffscreenRenderer, tone: str) -> None:
    texture = low.renderer._table_pass._materials.tablecloth_texture(tone)
    pattern = np.frombuffer(texture.read(), dtype=np.uint8).reshape(texture.height, texture.width, 3)[..., 1]
    # Means of 4 x 4 texels remove the weave, and subtracting rows and columns removes the boards of a wooden table.
    even = pattern.reshape(texture.height // 4, 4, texture.width // 4, 4).mean(axis=(1, 3))
    even = even - even.mean(axis=0) - even.mean(axis=1, keepdims=True) + even.mean()
    power = np.abs(np.fft.fft2(even)) ** 2
    alike = np.fft.ifft2(power).real / power.mean()
    for part in (2, 4):
        shift = len(even) // part
        assert max(alike[shift, 0], alike[0, shift], alike[shift, shift]) < 0.4


@pytest.mark.parametrize("turn", [(0, 0), (100, -25), (200, 40)])
@pytest.mark.parametrize("tier", ["low", "medium"])
def test_depth_prepass_does_not_change_picture(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tier: str, turn: tuple[int, int]
) -> None:
    studio: OffscreenRenderer = request.getfixturevalue(tier)
    frame, camera = busy(), make_home_camera((4,)).rotated(*turn)
    drawn = studio.render(frame, camera, 240, 135)
    monkeypatch.setattr(MarblePass, "draw_depth", lambda *_: None)
    assert np.array_equal(drawn, studio.render(frame, camera, 240, 135))


def test_table_light_fades_away_from_window(low: OffscreenRenderer) -> None:
    for tone, least in (("day", 1.05), ("night", 1.5)):
        picture = draw(low, scene_with_marbles({}), TOP_CAMERA, make_theme(tone))
        y, x = pixel_at(TOP_CAMERA, (-3.2, 0.5, TABLE_Z))
        near, far = picture[y - 8 : y + 9, x - 8 : x + 9].mean(), picture[-20:, -60:].mean()
        assert near > least * far, tone


def test_lamp_light_is_neutral_for_clear_colours(low: OffscreenRenderer) -> None:
    """A white marble is yellowish in the light of the lamp, but white with the clear colours."""
    seen = []
    for colours in (make_theme("night"), make_theme("night", "clear")):
        plain = replace(colours, signs="off")
        seen.append(
            np.median(
                disc(
                    draw(low, scene_with_marbles({"Ab2": 0}), colours=plain),
                    HOME_CAMERA,
                    scene_with_marbles({}).marble_position(0, AT["Ab2"]),
                ),
                axis=0,
            )
        )
    assert seen[0][0] > 1.15 * seen[0][2]
    assert seen[1][0] < 1.05 * seen[1][2]


def test_table_lights_lower_sides_of_board(low: OffscreenRenderer) -> None:
    """A side facing away from the window is lit by the pale table, so it is brighter at the bottom."""
    half = half_side(4)
    camera = HOME_CAMERA.rotated(40)
    picture = draw(low, scene_with_marbles({}), camera, make_theme(board="slate")).mean(axis=2)
    turn = np.radians(HOME_CAMERA.yaw)
    assert WINDOW_DIRECTION @ (np.cos(turn), np.sin(turn), 0.0) < 0
    foot, edge = (picture[pixel_at(camera, (half, -0.5, TABLE_Z + height))] for height in (0.05, 0.42))
    assert foot > edge + 4


def test_shadows_update_when_marbles_move(low: OffscreenRenderer) -> None:
    """After marbles have moved, a renderer draws the same picture and shadows as a new renderer.

    First, one marble is moved in steps; then all marbles are moved and put back. Colour values may differ by up to 4 of
    255.
    """
    made = full_scene()
    frame = made.frame(0.0, HOME_CAMERA, make_theme())
    last = frame.balls[-1]
    for lifted in range(4):
        other = replace(
            frame, balls=(*frame.balls[:-1], last._replace(x=last.x + 0.8 * lifted, z=last.z - 0.4 * lifted))
        )
        shown = low.render(other, HOME_CAMERA, WIDTH, HEIGHT).astype(int)
    swept = replace(frame, balls=tuple(ball._replace(y=ball.y - 0.3) for ball in frame.balls))
    low.render(swept, HOME_CAMERA, WIDTH, HEIGHT)
    again = low.render(other, HOME_CAMERA, WIDTH, HEIGHT).astype(int)
    with OffscreenRenderer("low") as fresh, fresh.ctx:
        fresh.renderer.scale_control.fix_scale(1.0)
        first = fresh.render(other, HOME_CAMERA, WIDTH, HEIGHT).astype(int)
    assert np.abs(shown - first).max() <= 4
    assert np.abs(again - first).max() <= 4


def test_glyphs_stay_right_after_the_atlas_is_full(needs_gl: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solids, "ATLAS_ROWS", 1)  # room for 16 glyphs
    names = [name for name in sorted(GLYPHS) if GLYPHS[name]][:30]
    frames = [
        Frame(
            make_theme(),
            (),
            cards=tuple(
                Card(
                    (place % 5 - 2.0, place // 5 - 1.0, TABLE_Z + 0.1),
                    (0.45, 0.45),
                    "#FFFFFF",
                    "#000000",
                    name,
                )
                for place, name in enumerate(names[first : first + 10])
            ),
        )
        for first in (0, 10, 20, 0)
    ]
    with OffscreenRenderer("low") as fresh, fresh.ctx:
        fresh.renderer.scale_control.fix_scale(1.0)
        shown = [fresh.render(frame, HOME_CAMERA, WIDTH, HEIGHT).astype(int) for frame in frames]
    assert np.abs(shown[0] - shown[1]).max() > 50
    assert np.abs(shown[0] - shown[3]).max() <= 4


def test_cached_textures_match_freshly_baked_ones(needs_gl: None, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: OrderedDict[tuple[object, ...], list[bytes]] = OrderedDict()
    monkeypatch.setattr(materials, "_memory_cache", kept)
    monkeypatch.setattr(materials, "MAX_TEXTURES_IN_MEMORY", 3)
    # At this low angle, the smallest mipmaps of the grain are used.
    frame, low = full_scene().frame(0.0, HOME_CAMERA, make_theme()), replace(HOME_CAMERA, pitch=12.0)
    shown = [take_screenshot(frame, low, 160, 90, tier="low") for _ in range(2)]
    assert shown[0] == shown[1]
    # A board needs textures for its top, its sides and the cloth; the cache keeps the three that were used last.
    assert len(kept) == 3
    assert next(len(pictures) for pictures in kept.values()) > 8


def test_texture_cache_is_reused_after_restart(needs_gl: None, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    bake = materials.MaterialTextures._bake
    monkeypatch.setattr(
        materials.MaterialTextures, "_bake", lambda *given: (done.append(given), bake(*given))
    )
    monkeypatch.setattr(materials, "cache_folder", cache_folder)
    frame = full_scene().frame(0.0, HOME_CAMERA, make_theme())

    def start() -> tuple[bytes, int]:
        monkeypatch.setattr(materials, "_memory_cache", OrderedDict())
        done.clear()
        return take_screenshot(frame, HOME_CAMERA, 160, 90, tier="low"), len(done)

    folder = cache_folder() / "grains"
    first, work = start()
    assert work > 2
    assert start() == (first, 0)
    # Files that are truncated, damaged or too long are replaced by newly baked textures.
    whole = {file: file.read_bytes() for file in folder.iterdir()}
    spoilt = (lambda data: data[:-9], lambda data: b"no", lambda data: compress(decompress(data) + b"1"))
    assert len(whole) == len(spoilt)
    for (file, data), spoil in zip(whole.items(), spoilt, strict=True):
        file.write_bytes(spoil(data))
    assert start() == (first, work)
    assert {file: file.read_bytes() for file in folder.iterdir()} == whole
    # The files that were used longest ago are deleted.
    monkeypatch.setattr(materials, "MAX_CACHE_FILES", len(whole) + 1)
    for number in range(3):
        (folder / f"{number}.z").write_bytes(b"")
        os.utime(folder / f"{number}.z", (number, number))
    next(iter(whole)).unlink()
    assert start()[0] == first
    assert {file.name for file in folder.iterdir()} == {file.name for file in whole} | {"2.z"}
    # If the folder can't be created, nothing is cached, and no error is raised.
    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)
    assert start() == (first, work)


def test_screenshot_needs_no_display(needs_gl: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    frame = full_scene().frame(0.0, HOME_CAMERA, make_theme())
    day = take_screenshot(frame, HOME_CAMERA, 160, 90, tier="low")
    assert day.startswith(b"\x89PNG")
    assert day == take_screenshot(frame, HOME_CAMERA, 160, 90, tier="low")
    assert day != take_screenshot(frame, HOME_CAMERA, 160, 90, make_theme("night"), tier="low")


def test_missing_graphics_driver_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise Exception("libGL.so not loaded")

    monkeypatch.setattr("moderngl.create_context", refuse)
    with pytest.raises(NoGraphicsError, match=r"^No 3D graphics driver \(OpenGL 3\.3\) was found\.$"):
        take_screenshot(full_scene().frame(0.0, HOME_CAMERA, make_theme()), HOME_CAMERA, 16, 9)


def test_importing_screenshot_loads_no_window_library() -> None:
    code = (
        "import sys, os; os.environ.pop('DISPLAY', None); "
        "import shibumi3d.render.screenshot, shibumi3d.scene.marbles.scene; "
        "print('pyglet' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


def test_recolouring_shader_is_compiled_in_advance(low: OffscreenRenderer) -> None:
    """The first recoloured marble doesn't have to wait for its shader to be compiled."""
    made = scene_with_marbles({"Aa1": 0, "Ab1": 1})
    made.can_recolour = True
    draw(low, made)
    before = list(low.renderer.compiled_programs)
    frame = made.frame(0.0, HOME_CAMERA, make_theme())
    dyed = replace(
        frame, balls=tuple(ball._replace(new_colour=2, recoloured_fraction=0.5) for ball in frame.balls)
    )
    assert ("ball", ("RECOLOUR",)) in before
    assert not np.array_equal(
        low.render(dyed, HOME_CAMERA, WIDTH, HEIGHT), low.render(frame, HOME_CAMERA, WIDTH, HEIGHT)
    )
    assert low.renderer.compiled_programs == before
