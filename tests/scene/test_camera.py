from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from shibumi3d.scene.camera import (
    HOME_CAMERA,
    HOME_DISTANCE_FACTOR,
    TOP_CAMERA,
    WHEEL_STEP_FACTOR,
    Camera,
    make_home_camera,
)
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z as SURFACE
from shibumi3d.scene.marbles.layout import TABLE_Z, Array, half_side, make_layout

CAMERAS = some.builds(
    Camera,
    some.floats(-720, 720),
    some.floats(-100, 200),
    some.floats(0.1, 5),
)


@given(CAMERAS, some.floats(-3000, 3000), some.floats(-3000, 3000), some.floats(-50, 50))
def test_camera_stays_within_its_limits(camera: Camera, dx: float, dy: float, steps: float) -> None:
    for view in (camera, camera.orbit(dx, dy), camera.zoomed(steps), camera.rotated(dx, dy)):
        assert 20 <= view.pitch <= 90
        assert 0.7 <= view.zoom <= 1.8
        assert -180 <= view.yaw < 180
        assert view.target == camera.target


@given(CAMERAS, some.floats(-50, 50))
def test_one_wheel_event_zooms_by_8_percent_at_most(camera: Camera, steps: float) -> None:
    change = camera.zoomed(steps).zoom / camera.zoom
    assert 1 / WHEEL_STEP_FACTOR - 1e-9 <= change <= WHEEL_STEP_FACTOR + 1e-9


@given(CAMERAS, some.sampled_from([0.6, 1.0, 16 / 9, 2.4]))
def test_camera_never_rolls_or_loses_the_board(camera: Camera, aspect: float) -> None:
    right, up, back = camera.axes()
    assert right[2] == 0.0
    assert up[2] >= -1e-12
    assert np.allclose([right @ up, up @ back, back @ right], 0)
    pixels, depth = camera.project(np.array([[0.0, 0.0, SURFACE]]), 100 * aspect, 100)
    assert depth[0] > 0
    assert 0 < pixels[0][0] < 100 * aspect
    assert 0 < pixels[0][1] < 100
    assert camera.eye(aspect)[2] > SURFACE


@given(CAMERAS, some.tuples(some.floats(-3, 3), some.floats(-3, 3), some.floats(-1, 3)))
def test_pixel_ray_passes_through_the_projected_point(
    camera: Camera, point: tuple[float, float, float]
) -> None:
    at = np.array(point)
    pixels, depth = camera.project(at[None], 1280, 720)
    origin, direction = camera.ray(float(pixels[0][0]), float(pixels[0][1]), 1280, 720)
    assert np.linalg.norm(direction) == pytest.approx(1)
    along = float((at - origin) @ direction)
    assert np.linalg.norm(origin + along * direction - at) < 1e-6
    assert along >= depth[0] - 1e-9


@pytest.mark.parametrize("size", range(2, 11))
@pytest.mark.parametrize("aspect", [4 / 3, 16 / 9, 21 / 9, 0.8])
def test_home_and_top_views_show_everything_with_margins(size: int, aspect: float) -> None:
    half = half_side(size)
    slab = [(x, y, z) for x in (-half, half) for y in (-half, half) for z in (SURFACE, TABLE_Z)]
    crown = [(x, y, z + 0.5) for x, y, z in make_layout((size,)).points[0]]
    for camera in (make_home_camera((size,)), make_home_camera((size,)).from_above()):
        pixels, _ = camera.project(np.array(slab + crown), 720 * aspect, 720)
        assert pixels.min() > 720 * 0.03
        assert (pixels < np.array([720 * aspect, 720]) - 720 * 0.03).all()


@pytest.mark.parametrize("boards", [2, 3])
def test_home_view_shows_a_row_of_boards(boards: int) -> None:
    points = np.vstack(make_layout((4,) * boards).points)
    pixels, _ = make_home_camera((4,) * boards).project(points, 1280, 720)
    assert (pixels > 20).all()
    assert (pixels < (1260, 700)).all()


def test_home_view_looks_north_from_the_south() -> None:
    south, north, east = (
        HOME_CAMERA.project(np.array([at]), 1280, 720)[0][0] for at in ((0, -2, 0), (0, 2, 0), (2, 0, 0))
    )
    assert north[1] < south[1]
    assert east[0] > 640


def test_top_view_is_an_aligned_plan() -> None:
    pixels, _ = TOP_CAMERA.project(make_layout((4,)).points[0][:16], 1000, 1000)
    assert np.allclose(pixels[0:4, 1], pixels[0, 1])
    assert np.allclose(pixels[0:16:4, 0], pixels[0, 0])
    assert pixels[12, 1] < pixels[0, 1]
    assert pixels[3, 0] > pixels[0, 0]


def test_dragging_right_moves_the_front_of_the_table_right() -> None:
    front: Array = np.array([[0.0, -2.0, SURFACE]])
    before, after = (
        HOME_CAMERA.project(front, 1280, 720)[0],
        HOME_CAMERA.orbit(20, 0).project(front, 1280, 720)[0],
    )
    assert after[0][0] > before[0][0]
    assert HOME_CAMERA.orbit(0, 20).pitch > HOME_CAMERA.pitch


def test_interpolation_takes_the_shortest_path_and_arrives_exactly() -> None:
    start, end = replace(HOME_CAMERA, yaw=170.0), replace(HOME_CAMERA, yaw=-170.0, pitch=60.0, zoom=1.5)
    assert start.interpolate(end, 0.5).yaw == pytest.approx(-180)
    assert start.interpolate(end, 0.0) == start
    assert start.interpolate(end, 1.0) is end


def test_side_views_look_from_their_side() -> None:
    for index, (x, y) in enumerate(((-1, 0), (1, 0), (0, -1), (0, 1))):
        eye = HOME_CAMERA.from_side(index).eye(1.5)
        assert math.hypot(eye[0], eye[1]) == pytest.approx(float(eye[0]) * x + float(eye[1]) * y)


@pytest.mark.parametrize("boards", [1, 2, 3])
@pytest.mark.parametrize("size", [4, 6])
@pytest.mark.parametrize(("width", "height"), [(1000, 585), (1280, 720), (860, 600)])
def test_home_view_keeps_objects_clear_of_panels(boards: int, size: int, width: int, height: int) -> None:
    sizes, plan, half = (size,) * boards, make_layout((size,) * boards), half_side(size)
    west = plan.origins[0][0] - half
    tray = tuple(
        (west - 0.3 - x, y, z) for x in (0, 2.4) for y in (-1.5, 2.5) for z in (TABLE_Z, TABLE_Z + 1.1)
    )
    pixels = [(0, 0, 200, 80), (width - 200, 0, width, 80), (width - 120, height - 240, width, height)]
    panels = [(x0 / width, y0 / height, x1 / width, y1 / height) for x0, y0, x1, y1 in pixels]
    board = boards - 1
    camera = make_home_camera(sizes, width / height, (tray,), panels, board=board)
    # Of several boards, which would all be small together, only the one in use has to be visible.
    targets = [np.array(tray)] if boards == 1 else []
    for x, _ in plan.origins[board:]:
        slab = [(x + sx * half, sy * half, z) for sx in (-1, 1) for sy in (-1, 1) for z in (SURFACE, TABLE_Z)]
        targets.append(np.array(slab))
    targets += [points[-1:] + np.array([0, 0, 0.5]) for points in plan.points[board:]]
    for thing in targets:
        at, _ = camera.project(thing, width, height)
        assert at.min() > 0.015 * height
        assert (at < (width - 0.015 * height, height - 0.015 * height)).all()
        for x0, y0, x1, y1 in pixels:
            inside = (at[:, 0] > x0) & (at[:, 0] < x1) & (at[:, 1] > y0) & (at[:, 1] < y1)
            assert not inside.any()
    assert HOME_DISTANCE_FACTOR <= camera.distance_factor <= 1.75
    assert make_home_camera(sizes, width / height) == make_home_camera(sizes)
    assert bool(camera.board_focus) is (boards > 1) or boards == 2


@pytest.mark.parametrize("aspect", [0.8, 1.2, 1.6, 4.0])
def test_two_board_view_brings_the_active_board_nearer(aspect: float) -> None:
    panels = [(0.0, 0.0, 0.1, 0.1)]
    for board in (0, 1):
        view = make_home_camera((4, 4), aspect, (), panels, board=board)
        middles = []
        for points in make_layout((4, 4)).points:
            pixels, off = view.project(points, 1000 * aspect, 1000)
            assert pixels.min() > 0
            assert (pixels < (1000 * aspect, 1000)).all()
            middles.append(off.mean())
        assert middles[board] < middles[1 - board] - 1.0
    with pytest.raises(ValueError, match="no board 2"):
        make_home_camera((4, 4), 1.6, board=2)


def test_focused_board_appears_as_large_as_alone() -> None:
    """With several boards, a board in focus appears about as large as if it were the only one.

    If all six boards of this test were in view, each would be small.
    """
    panels = [(0.0, 0.0, 0.2, 0.2)]
    only, first = (
        make_home_camera((4,), 1.7, (), panels),
        make_home_camera((4,) * 6, 1.7, (), panels, board=0),
    )
    widths = []
    for camera in (only, first):
        x, y = make_layout(camera.sizes).origins[0]
        half = half_side(4)
        slab = [(x + i * half, y + j * half, SURFACE) for i in (-1, 1) for j in (-1, 1)]
        widths.append(float(np.ptp(camera.project(np.array(slab), 1.7, 1.0)[0][:, 0])))
    # The camera may be a step or two farther away if that brings the board nearer to the middle.
    assert widths[1] == pytest.approx(widths[0], rel=0.05)
    assert (first.yaw, first.pitch) == (only.yaw, only.pitch)


def test_side_objects_shift_the_boards_away() -> None:
    west = tuple((x, y, TABLE_Z) for x in (-6.0, -3.0) for y in (-1.5, 2.5))
    east = tuple((-x, y, z) for x, y, z in west)
    assert make_home_camera((4,), 1.7, (west,)).shift[0] > 0.05
    assert make_home_camera((4,), 1.7, (east,)).shift[0] < 0


def test_camera_shift_moves_the_picture_centre() -> None:
    camera = replace(HOME_CAMERA, shift=(-0.3, -0.1))
    at, _ = camera.project(np.array([camera.target]), 1000, 500)
    assert at[0] == pytest.approx((350, 275))
    origin, direction = camera.ray(350, 275, 1000, 500)
    to = np.array(camera.target) - origin
    assert np.allclose(to / np.linalg.norm(to), direction)


@pytest.mark.parametrize("board", [0, 2])
def test_focusing_one_of_several_boards_zooms_in(board: int) -> None:
    start = make_home_camera((4, 4, 4), 1.7)
    near = start.focused_on(board)
    assert near.distance(1.7) < 0.65 * start.distance(1.7)
    points = make_layout((4, 4, 4)).points[board]
    for camera in (near, near.rotated(90.0), near.from_above()):
        pixels, _ = camera.project(points, 1700, 1000)
        assert pixels.min() > 0
        assert (pixels < (1700, 1000)).all()
    # On the way there, the camera makes no jump.
    distances = [start.interpolate(near, part / 20).distance(1.7) for part in range(21)]
    assert max(abs(a - b) for a, b in itertools.pairwise(distances)) < 0.2 * start.distance(1.7)


@given(CAMERAS)
def test_rotating_a_board_keeps_it_in_view(camera: Camera) -> None:
    camera = replace(camera, target=HOME_CAMERA.target, zoom=1.0, pitch=max(camera.pitch, 30.0))
    half = half_side(4) - 0.09
    slab = [(x, y, z) for x in (-half, half) for y in (-half, half) for z in (SURFACE, TABLE_Z)]
    apex = tuple(make_layout((4,)).points[0][-1])
    pixels, _ = camera.project(np.array([*slab, apex]), 1280, 720)
    assert pixels.min() > 0
    assert (pixels < (1280, 720)).all()
