from __future__ import annotations

import numpy as np
import pytest

from shibumi3d.rules.pyramid import pyramid
from shibumi3d.scene.camera import HOME, TOP, Camera, home
from shibumi3d.scene.layout import RADIUS, layout
from shibumi3d.scene.picking import LEAST, Target, nearest_sphere, pick, pick_all, pick_marble

SIZE = (1280.0, 720.0)
CAMERAS = [
    HOME,
    TOP,
    HOME.turned(90),
    HOME.turned(200, -10),
    HOME.turned(-60, 30),
    Camera(yaw=10, pitch=20, zoom=0.7),
    Camera(yaw=-120, pitch=50, zoom=1.8),
]


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("size", [2, 4, 6])
def test_every_point_alone_is_picked_at_its_own_place(camera: Camera, size: int) -> None:
    for at in layout((size,)).points[0]:
        target = Target((float(at[0]), float(at[1]), float(at[2])), 0.2)
        (x, y), *_ = camera.project(at[None], *SIZE)[0]
        assert pick(camera, *SIZE, x, y, [target]) == 0


@pytest.mark.parametrize("camera", CAMERAS)
def test_among_all_points_the_one_pointed_at_is_picked_unless_another_lies_on_the_same_pixel(
    camera: Camera,
) -> None:
    points = layout((4,)).points[0]
    targets = [Target((float(x), float(y), float(z)), 0.2) for x, y, z in points]
    pixels, depth = camera.project(points, *SIZE)
    for i, (x, y) in enumerate(pixels):
        found = pick(camera, *SIZE, x, y, targets)
        assert found is not None
        if found != i:
            assert np.linalg.norm(pixels[found] - pixels[i]) < 0.5
            assert depth[found] <= depth[i]
        assert i in pick_all(camera, *SIZE, x, y, targets)


def test_marbles_that_are_no_target_do_not_block() -> None:
    apex, hole = layout((4,)).points[0][29], layout((4,)).points[0][5]
    x, y = TOP.project(hole[None], *SIZE)[0][0]
    assert pick(TOP, *SIZE, x, y, [Target(tuple(hole), 0.2)]) == 0
    assert pick_all(TOP, *SIZE, x, y, [Target(tuple(apex), 2.0), Target(tuple(hole), 0.2)]) == (1, 0)


def test_of_targets_on_one_pixel_the_nearer_to_the_eye_comes_first() -> None:
    low, high = (0.0, 0.0, 0.0), (0.0, 0.0, 1.4)
    x, y = TOP.project(np.array([low]), *SIZE)[0][0]
    assert pick_all(TOP, *SIZE, x, y, [Target(low), Target(high)]) == (1, 0)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_small_targets_are_16_pixels_around(scale: float) -> None:
    far = Camera(zoom=1.8)
    target = Target((0.0, 0.0, 0.0), 0.01)
    x, y = far.project(np.zeros((1, 3)), *SIZE)[0][0]
    assert pick(far, *SIZE, x + LEAST * scale - 0.5, y, [target], scale) == 0
    assert pick(far, *SIZE, x + LEAST * scale + 0.5, y, [target], scale) is None


def test_nothing_is_picked_from_nothing() -> None:
    assert pick(HOME, *SIZE, 1, 1, []) is None
    assert pick_marble(HOME, *SIZE, 1, 1, []) is None
    assert nearest_sphere(np.zeros(3), np.array([0.0, 0.0, 1.0]), np.zeros((0, 3))) is None


def test_the_marble_under_the_pointer_is_the_nearest_one() -> None:
    plan = layout((4,))
    marbles = [((0, p), plan.place(0, p)) for p in range(30)]
    for p in bits_of_faces():
        x, y = HOME.project(plan.points[0][p][None], *SIZE)[0][0]
        found = pick_marble(HOME, *SIZE, x, y, marbles)
        assert found is not None
        eye = HOME.eye(SIZE[0] / SIZE[1])
        assert np.linalg.norm(plan.points[0][found[1]] - eye) <= np.linalg.norm(plan.points[0][p] - eye)
    assert pick_marble(HOME, *SIZE, 3, 3, marbles) is None


def bits_of_faces() -> list[int]:
    faces = pyramid(4).south | pyramid(4).west
    return [p for p in range(30) if faces >> p & 1]


def test_a_sphere_behind_the_eye_is_not_met() -> None:
    ahead = np.array([0.0, 0.0, 1.0])
    assert nearest_sphere(np.zeros(3), ahead, np.array([[0.0, 0.0, -3.0], [0.0, 0.2, 5.0]])) == 1


def test_points_of_boards_side_by_side() -> None:
    plan, camera = layout((4, 4)), home((4, 4))
    marbles = [((board, p), plan.place(board, p)) for board in (0, 1) for p in range(16)]
    for seat, at in marbles:
        if seat[1] in (0, 3):
            x, y = camera.project(np.array([at]), *SIZE)[0][0]
            assert pick_marble(camera, *SIZE, x, y, marbles) == seat
    assert plan.points[1][:, 0].min() - plan.points[0][:, 0].max() > 2 * RADIUS
