from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.position import playable
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.scene.camera import HOME, TOP, Camera, home
from shibumi3d.scene.marbles.layout import RADIUS, layout
from shibumi3d.scene.marbles.layout import TOP as SURFACE
from shibumi3d.scene.picking import LEAST, Target, nearest_sphere, pick, pick_all, pick_marble

SIZE = (1280.0, 720.0)
SIZES = range(2, 11)
WINDOWS = [SIZE, (1920.0, 1080.0), (800.0, 900.0), (640.0, 400.0), (3440.0, 1440.0)]


class View(NamedTuple):
    """From where a board is looked at, and in what picture."""

    yaw: float
    pitch: float
    zoom: float
    window: tuple[float, float]
    scale: float

    def camera(self, size: int) -> Camera:
        return replace(home((size,)), yaw=self.yaw, pitch=self.pitch, zoom=self.zoom)


def views() -> list[View]:
    """Twenty: from straight above, from a corner as low as may be, the others by chance."""
    chance = Random(5)
    found = [View(0.0, 90.0, 1.0, SIZE, 1.0), View(45.0, 20.0, 0.7, SIZE, 1.0)]
    while len(found) < 20:
        yaw, pitch, zoom = (chance.uniform(*span) for span in ((-180, 180), (20, 90), (0.7, 1.8)))
        found.append(View(yaw, pitch, zoom, chance.choice(WINDOWS), chance.choice((1.0, 1.5, 2.0))))
    return found


@pytest.mark.parametrize("size", SIZES)
def test_every_point_alone_is_picked_at_its_own_place(size: int) -> None:
    points = layout((size,)).points[0]
    for view in views():
        camera = view.camera(size)
        for at, (x, y) in zip(points, camera.project(points, *view.window)[0], strict=True):
            target = Target((float(at[0]), float(at[1]), float(at[2])), 0.2)
            assert pick(camera, *view.window, x, y, [target], view.scale) == 0


@pytest.mark.parametrize("size", SIZES)
def test_among_all_points_the_one_pointed_at_is_picked_unless_another_lies_on_the_same_pixel(
    size: int,
) -> None:
    points = layout((size,)).points[0]
    targets = [Target((float(x), float(y), float(z)), 0.2) for x, y, z in points]
    for view in views():
        camera = view.camera(size)
        pixels, depth = camera.project(points, *view.window)
        for i, (x, y) in enumerate(pixels):
            found = pick_all(camera, *view.window, x, y, targets, view.scale)
            assert i in found
            if found[0] != i:
                assert np.linalg.norm(pixels[found[0]] - pixels[i]) < 0.5 * view.scale
                assert depth[found[0]] <= depth[i]


@pytest.mark.parametrize("size", SIZES)
def test_every_legal_point_is_picked_among_all_that_are_legal_at_the_time(size: int) -> None:
    """A pyramid that grows by chance to the top, with the targets of the window: holes below, seats above."""
    pyr, plan, chance = pyramid(size), layout((size,)), Random(size)
    filled, tried = 0, set()
    while filled != pyr.all:
        legal = list(bits(playable(pyr, filled)))
        tried.update(legal)
        targets = [
            Target((x, y, SURFACE), 0.42) if pyr.level[p] == 0 else Target((x, y, z))
            for p in legal
            for x, y, z in [plan.place(0, p)]
        ]
        view = chance.choice(views())
        camera = view.camera(size)
        pixels, _ = camera.project(np.array([target.at for target in targets]), *view.window)
        for i, (x, y) in enumerate(pixels):
            assert pick(camera, *view.window, x, y, targets, view.scale) == i
        filled |= 1 << chance.choice(legal)
    assert len(tried) == pyr.count


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
