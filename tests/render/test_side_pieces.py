"""Dishes, bags, boxes, trays and the marbles in them: what is visible is what rays hit first."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from shibumi3d.render.arrays.pieces import bounds, make_shadow_blocks, model_matrix
from shibumi3d.render.models import load_model
from shibumi3d.render.screenshot import OffscreenRenderer
from shibumi3d.scene.camera import Camera, make_home_camera
from shibumi3d.scene.frame import Ball, Board, Frame, Piece
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z as SURFACE
from shibumi3d.scene.marbles.layout import (
    BOX_HINGE_DISTANCE,
    BOX_HINGE_HEIGHT,
    BOX_MARBLE_Z,
    DISH_MARBLE_Z,
    RADIUS,
    TABLE_Z,
    TRAY_MARBLE_Z,
    half_side,
)
from shibumi3d.scene.marbles.table_objects import DISH_RADIUS
from shibumi3d.scene.palette import make_theme
from tests.share import THOROUGH

WIDTH, HEIGHT = 640, 360
BOARD = Board(4, 0.0, 0.0)
WIDE = replace(make_home_camera((4,)), zoom=1.3)
RED = 2


def lid(box: Piece, tilt: float = 0.0) -> Piece:
    east, north = BOX_HINGE_DISTANCE * math.sin(box.yaw), -BOX_HINGE_DISTANCE * math.cos(box.yaw)
    return Piece("lid", box.x + east, box.y + north, TABLE_Z + BOX_HINGE_HEIGHT, box.yaw, tilt)


def frame(*pieces: Piece, balls: tuple[Ball, ...] = (), tone: str = "day") -> Frame:
    return Frame(make_theme(tone, board="slate"), (BOARD,), balls, (), pieces)


def draw(studio: OffscreenRenderer, shown: Frame, camera: Camera = WIDE) -> NDArray[np.float64]:
    return studio.render(shown, camera, WIDTH, HEIGHT).astype(np.float64)


def pixel_at(camera: Camera, x: float, y: float, z: float) -> tuple[int, int]:
    across, down = camera.project(np.array([(x, y, z)]), WIDTH, HEIGHT)[0][0]
    return round(float(down)), round(float(across))


def is_red(pixels: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return, for each pixel, whether it is red.

    This includes places where a red marble reflects the window, but not the slate of the board or the linen of the
    tablecloth. ``pixels`` holds RGB values from 0 to 255 along its last axis.
    """
    result: NDArray[np.bool_] = pixels[..., 0] > 1.2 * pixels[..., 1] + 2
    return result


def triangles(pieces: tuple[Piece, ...]) -> NDArray[np.float64]:
    """Return the triangles (n, 3, 3) of the pieces in world coordinates, computed without the renderer."""
    found = []
    for piece in pieces:
        at = load_model(piece.model)[:, :3].astype(np.float64)
        at[:, :2] += np.sign(at[:, :2]) * (np.array(piece.half_size) - 1.0)
        c, s = math.cos(piece.tilt), math.sin(piece.tilt)
        at[:, 1], at[:, 2] = c * at[:, 1] - s * at[:, 2], s * at[:, 1] + c * at[:, 2]
        c, s = math.cos(piece.yaw), math.sin(piece.yaw)
        at[:, 0], at[:, 1] = c * at[:, 0] - s * at[:, 1], s * at[:, 0] + c * at[:, 1]
        found.append((at + np.array([piece.x, piece.y, piece.z])).reshape(-1, 3, 3))
    return np.concatenate(found)


def meets_marble_first(shown: Frame, camera: Camera, pixels: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return, for each of the ``pixels`` (n, 2), whether its ray hits a marble before any piece or the board."""
    faces = triangles(shown.pieces)
    a, ab, ac = faces[:, 0], faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0]
    half, found = half_side(BOARD.size), []
    for x, y in pixels + 0.5:
        origin, way = camera.ray(float(x), float(y), WIDTH, HEIGHT)
        across = np.cross(way, ac)
        size = np.einsum("ij,ij->i", ab, across)
        size[np.abs(size) < 1e-12] = np.inf
        to = origin - a
        u = np.einsum("ij,ij->i", to, across) / size
        turned = np.cross(to, ab)
        v, t = turned @ way / size, np.einsum("ij,ij->i", ac, turned) / size
        nearest = t[(u >= 0) & (v >= 0) & (u + v <= 1)].min(initial=np.inf)
        low, high = np.array([-half, -half, TABLE_Z]), np.array([half, half, SURFACE])
        ends = np.sort([(low - origin) / way, (high - origin) / way], axis=0)
        if ends[0].max() < ends[1].min():
            nearest = min(nearest, float(ends[0].max()))
        first_hit = np.inf
        for ball in shown.balls:
            to_ball = np.array(ball.position) - origin
            along = float(to_ball @ way)
            inside = ball.radius**2 - (float(to_ball @ to_ball) - along**2)
            first_hit = min(first_hit, along - math.sqrt(inside)) if inside > 0 else first_hit
        found.append(first_hit < nearest)
    return np.array(found)


def full_frame() -> Frame:
    """Return a frame with a dish, a bag, boxes and trays around the board; all but the bag hold red marbles.

    Another red marble is on its way from the dish to the board.
    """
    boxes = (
        Piece("box", 4.0, 1.5, yaw=2.9),
        Piece("box", 4.1, -1.4, yaw=0.3),
        Piece("box", 3.9, -3.6, yaw=1.0),
    )
    trays = (
        Piece("tray", 0.0, -3.7, half_size=(2.4, 0.62)),
        Piece("tray", -0.2, 3.7, yaw=0.1, half_size=(2.0, 0.7)),
    )
    pieces = (Piece("dish", -4.0, 0.6), Piece("bag", -4.2, -2.0, yaw=0.5), *boxes, *trays)
    pieces += (lid(boxes[0], 1.85), lid(boxes[1]), lid(boxes[2], 0.7))
    balls = [Ball(box.x, box.y, BOX_MARBLE_Z, RED, RADIUS) for box in boxes] + [
        Ball(-4.0, 0.6, DISH_MARBLE_Z, RED, RADIUS)
    ]
    balls += [Ball(x, -3.7, TRAY_MARBLE_Z, RED, RADIUS) for x in (-1.8, -0.6, 1.7)] + [
        Ball(0.3, 3.7, TRAY_MARBLE_Z, RED, RADIUS)
    ]
    # This marble is on its way from the dish to the board.
    balls.append(Ball(-3.2, 0.4, 1.1, RED))
    return frame(*pieces, balls=tuple(balls))


@pytest.mark.parametrize("turn", range(12))
def test_occlusion_matches_ray_casting(low: OffscreenRenderer, turn: int) -> None:
    shown = full_frame()
    camera = replace(WIDE, yaw=30.0 * turn + 7, pitch=(20.0, 36.0, 60.0, 90.0)[turn % 4])
    chance = np.random.default_rng(turn)
    # Most pixels are chosen near marbles, where errors are likely.
    centres = camera.project(np.array([ball.position for ball in shown.balls]), WIDTH, HEIGHT)[0]
    pixels = (np.repeat(centres, 25, axis=0) + chance.normal(0.0, 16.0, (25 * len(centres), 2))).astype(
        np.int64
    )
    inside = (pixels >= 2).all(axis=1) & (pixels[:, 0] < WIDTH - 2) & (pixels[:, 1] < HEIGHT - 2)
    pixels = pixels[inside]
    step = np.array([(0, 0), (2, 0), (-2, 0), (0, 2), (0, -2)])
    seen = meets_marble_first(shown, camera, (pixels[:, None] + step).reshape(-1, 2)).reshape(-1, len(step))
    sure = (seen == seen[:, :1]).all(axis=1)
    red = is_red(draw(low, shown, camera)[pixels[:, 1], pixels[:, 0]])
    wrong = pixels[sure & (red != seen[:, 0])]
    assert len(wrong) == 0, wrong.tolist()
    assert (sure & seen[:, 0]).sum() > 25
    assert (sure & ~seen[:, 0]).sum() > 25


@pytest.mark.parametrize("tone", ["day", "night"])
def test_side_pieces_appear_at_their_positions(low: OffscreenRenderer, tone: str) -> None:
    for piece, height in (
        (Piece("dish", -4.0, 0.0), 0.06),
        (Piece("bag", -4.0, -1.0), 0.65),
        (Piece("tray", 0.0, -3.7, half_size=(2.4, 0.6)), 0.07),
        (lid(Piece("box", 4.0, 0.0), 0.0)._replace(x=4.0, y=0.0), 0.29),
    ):
        with_it, without = (draw(low, frame(*lying, tone=tone)) for lying in ((piece,), ()))
        middle = (bounds(piece)[0] + bounds(piece)[1]) / 2
        y, x = pixel_at(WIDE, float(middle[0]), float(middle[1]), piece.z + height)
        assert np.abs(with_it[y, x] - without[y, x]).max() > 10, piece.model


@pytest.mark.parametrize("side", range(4))
def test_board_occludes_only_pieces_behind(low: OffscreenRenderer, side: int) -> None:
    camera = replace(WIDE, yaw=90.0 * side + 10, pitch=20.0)
    turn, half = math.radians(90.0 * side), half_side(BOARD.size)

    def at(away: float, z: float) -> tuple[float, float, float]:
        return away * math.sin(turn), -away * math.cos(turn), z

    far, near = (Piece("bag", *at(away, TABLE_Z)) for away in (-half - 1.0, half + 0.9))
    behind, before = (
        pixel_at(camera, *place) for place in (at(0.15 - half, SURFACE), at(half + 0.9, TABLE_Z + 1.0))
    )
    wood = [draw(low, replace(frame(piece), theme=make_theme()), camera) for piece in (far, near)]
    # The bag's cloth is bluish, and the board's wood is reddish.
    assert wood[0][behind][0] > 1.3 * wood[0][behind][2]
    assert wood[1][before][0] < wood[1][before][2]


def test_marble_is_visible_only_in_open_box(low: OffscreenRenderer) -> None:
    box = Piece("box", 4.0, 0.0, yaw=math.pi)
    ball = Ball(4.0, 0.0, BOX_MARBLE_Z, RED, RADIUS)
    for pitch in (20.0, 36.0, 60.0, 90.0):
        camera = replace(WIDE, pitch=pitch)
        y, x = pixel_at(camera, 4.0, 0.0, BOX_MARBLE_Z + 0.4)
        assert is_red(draw(low, frame(box, lid(box, 1.8), balls=(ball,)), camera)[y, x])
        closed = draw(low, frame(box, lid(box), balls=(ball,)), camera)
        empty = draw(low, frame(box, lid(box)), camera)
        near = slice(y - 45, y + 45), slice(x - 45, x + 45)
        # The marble may still cast its own shadow within that of the box.
        assert np.abs(closed[near] - empty[near]).max() < 16
        assert not is_red(closed[near]).any()


def test_box_front_hides_lower_part_of_marble(low: OffscreenRenderer) -> None:
    box, ball = Piece("box", 4.0, 0.0), Ball(4.0, 0.0, BOX_MARBLE_Z, RED, RADIUS)
    y, x = pixel_at(WIDE, 4.0, -0.45, BOX_MARBLE_Z - 0.1)
    alone, boxed = (draw(low, frame(*lying, balls=(ball,))) for lying in ((), (box,)))
    assert is_red(alone[y, x])
    assert not is_red(boxed[y, x])


@pytest.mark.parametrize("name", ["dish", "bag", "box", "tray"])
def test_side_pieces_cast_shadows_away_from_window(low: OffscreenRenderer, name: str) -> None:
    """In the initial view, a piece darkens the table more on the right, where its shadow is, than on the left."""
    yaw = math.radians(WIDE.yaw)
    piece = Piece(name, 0.0, -4.2, yaw=yaw)
    with_it, without = (draw(low, frame(*lying)).mean(axis=2) for lying in ((piece,), ()))
    reach = {"dish": 1.03, "bag": 0.97, "box": 0.76, "tray": 1.03}[name]
    darker = []
    for side in (1.0, -1.0):
        y, x = pixel_at(WIDE, side * reach * math.cos(yaw), -4.2 + side * reach * math.sin(yaw), TABLE_Z)
        darker.append(float(without[y, x] - with_it[y, x]))
    assert darker[0] > max(8.0, darker[1] + 4.0)


def test_marbles_cast_shadows_on_trays(low: OffscreenRenderer) -> None:
    tray, ball = (
        Piece("tray", 0.0, -3.7, half_size=(2.4, 0.62)),
        Ball(-1.0, -3.7, TRAY_MARBLE_Z, RED, RADIUS),
    )
    lit, dark = (draw(low, frame(tray, balls=balls)).mean(axis=2) for balls in ((), (ball,)))
    y, x = pixel_at(WIDE, -0.55, -3.74, TABLE_Z + 0.1)
    assert dark[y, x] < lit[y, x] - 20


def test_side_pieces_fade_with_alpha(low: OffscreenRenderer) -> None:
    y, x = pixel_at(WIDE, -4.0, 0.0, TABLE_Z + 0.08)
    solid, half, gone = (
        draw(low, frame(Piece("dish", -4.0, 0.0, alpha=alpha)))[y, x].mean() for alpha in (1.0, 0.5, 0.0)
    )
    assert solid + 5 < half < gone - 5
    ball = Ball(-4.0, 1.5, TRAY_MARBLE_Z, RED, RADIUS)
    behind = frame(Piece("bag", -4.0, 0.0, alpha=0.0), balls=(ball,))
    assert np.abs(draw(low, behind) - draw(low, replace(behind, pieces=()))).max() < 10


def test_low_and_medium_tiers_draw_pieces_alike(low: OffscreenRenderer, medium: OffscreenRenderer) -> None:
    shown = full_frame()
    with low.ctx:
        one = draw(low, shown)
    with medium.ctx:
        other = draw(medium, shown)
    assert np.abs(one - other).mean() < 2.5


def test_shadow_blocks_match_piece_shape() -> None:
    dish, box, bag = make_shadow_blocks(
        [Piece("dish", 1.0, 2.0), Piece("box", 0.0, 0.0, yaw=0.5), Piece("bag", 0, 0)]
    )
    assert dish[:2] == pytest.approx((1.0, 2.0))
    assert dish[4:7] == pytest.approx((DISH_RADIUS,) * 3, abs=0.02)
    assert dish[8:10] == pytest.approx((0.0, 0.22), abs=0.01)
    assert box[2:4] == pytest.approx((math.cos(0.5), math.sin(0.5)))
    assert box[4:6] == pytest.approx((BOX_HINGE_DISTANCE, BOX_HINGE_DISTANCE))
    assert box[6] == pytest.approx(0.2, abs=0.03)
    assert box[7] == 0.0
    assert bag[7] > 0.3  # narrower at the top


def test_the_shadow_of_a_hut_shows_its_roof_over_its_wall() -> None:
    """In shadow computations, the hut consists of three blocks, one for each third of its height of 1.3.

    The lowest block contains only the wall and its door; the wall has radius 0.38 at the ground. The middle block is
    the widest, since it contains the lower edge of the roof. The roof ends in a point, so the highest block is narrower
    at its top. The hut stands 0.52 above the table.
    """
    low, middle, high = make_shadow_blocks([Piece("hut", 1.0, 2.0, TABLE_Z + 0.52, yaw=0.5)])
    assert [tuple(block[:2]) for block in (low, middle, high)] == [pytest.approx((1.0, 2.0), abs=0.05)] * 3
    assert low[4] < 0.41
    assert middle[4] > low[4] + 0.05
    assert high[4] < middle[4]
    assert high[7] > 0.1, "narrower at its top"
    assert low[8] == pytest.approx(0.52)
    assert low[9] == pytest.approx(middle[8])
    assert middle[9] == pytest.approx(high[8])
    assert high[9] == pytest.approx(0.52 + 1.3, abs=0.01)


def test_lid_rotates_about_its_hinge() -> None:
    box = Piece("box", 2.0, -1.0, yaw=0.7)
    closed, open_ = lid(box), lid(box, math.pi / 2)
    hinge = (closed.x, closed.y, closed.z)
    for piece in (closed, open_):
        assert (np.array([0.0, 0.0, 0.0, 1.0]) @ model_matrix(piece))[:3] == pytest.approx(hinge)
    far = np.array([0.0, 2 * BOX_HINGE_DISTANCE, 0.0, 1.0])
    across = 2 * BOX_HINGE_DISTANCE * np.array([-math.sin(0.7), math.cos(0.7), 0.0])
    assert (far @ model_matrix(closed))[:3] == pytest.approx(hinge + across)
    assert (far @ model_matrix(open_))[:3] == pytest.approx(hinge + np.array([0, 0, 2 * BOX_HINGE_DISTANCE]))
    assert bounds(open_)[1][2] > TABLE_Z + BOX_HINGE_HEIGHT + 2 * BOX_HINGE_DISTANCE - 0.05


@pytest.mark.parametrize("tier", ["low", pytest.param("medium", marks=THOROUGH), "high"])
def test_drawing_pieces_leaves_no_gl_error(needs_gl: None, tier: str) -> None:
    with OffscreenRenderer(tier) as studio, studio.ctx:
        for shown in (full_frame(), frame(), frame(Piece("lid", -4.0, 0.0, tilt=1.0, alpha=0.5))):
            studio.render(shown, WIDE, 160, 90)
            assert studio.ctx.error == "GL_NO_ERROR"
