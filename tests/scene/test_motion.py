from __future__ import annotations

import math

import numpy as np
import pytest

from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.position import playable_points
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene import motion
from shibumi3d.scene.camera import make_home_camera
from shibumi3d.scene.marbles.layout import make_layout
from shibumi3d.scene.marbles.timeline import Timeline


@pytest.mark.parametrize("curve", [motion.EASE_STANDARD, motion.EASE_OUT, motion.EASE_IN, motion.ease_fall])
def test_easing_curves_rise_monotonically_from_0_to_1(curve: motion.Easing) -> None:
    values = [curve(t / 100) for t in range(101)]
    assert values[0] == 0.0
    assert values[-1] == 1.0
    assert values == sorted(values)


def test_cubic_bezier_matches_its_definition() -> None:
    linear = motion.cubic_bezier(1 / 3, 1 / 3, 2 / 3, 2 / 3)
    assert linear(0.3) == pytest.approx(0.3, abs=1e-5)
    assert motion.EASE_OUT(0.2) > 0.5 > motion.EASE_IN(0.5)


@pytest.mark.parametrize("way", [(0.5, 0.5), (-0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)])
def test_dropping_marble_rolls_along_its_two_neighbours(way: tuple[float, float]) -> None:
    path = motion.roll_down_path((way[0], way[1], math.sqrt(0.5)), (0.0, 0.0, 0.0))
    assert path(0.0) == pytest.approx((*way, math.sqrt(0.5)))
    assert path(1.0) == (0.0, 0.0, 0.0)
    heights = [path(t / 50)[2] for t in range(51)]
    assert heights == sorted(heights, reverse=True)
    for t in range(51):
        for beside in ((2 * way[0], 0.0, 0.0), (0.0, 2 * way[1], 0.0)):
            assert math.dist(path(t / 50), beside) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("size", [3, 4, 6])
def test_carry_path_clears_the_pyramid(size: int) -> None:
    """A carried marble passes at least half a diameter above the marbles that it crosses.

    In the first and the last fifth of its path, it may be lower. Nowhere on its path does it overlap another marble.
    """
    pyr, points = get_pyramid(size), make_layout((size,)).points[0]
    above = np.array([0.0, 0.0, motion.LIFT_HEIGHT])
    times = np.linspace(0, 1, 33)
    for height in range(size):
        filled = sum(pyr.levels[: height + 1])
        carries = [
            motion.CarryPath(tuple(points[start] + above), tuple(points[end] + above), rest, (0.6, -0.8))
            for start in iter_bits(pyr.levels[min(height, size - 1)])
            if (rest := [tuple(points[p]) for p in iter_bits(filled & ~(1 << start))])
            for end in list(iter_bits(playable_points(pyr, filled & ~(1 << start)) & ~(1 << start)))[:6]
        ]
        motion.choose_carry_paths(carries)
        for carry in carries:
            assert carry(0.0) == pytest.approx(carry.start)
            assert carry(1.0) == pytest.approx(carry.end)
            off = np.array(carry.obstacles) - np.array([carry(float(t)) for t in times])[:, None]
            assert np.linalg.norm(off, axis=2).min() > 1 - 1e-6
            crossed = np.hypot(off[..., 0], off[..., 1]) < 0.5
            crossed[(times < 0.2) | (times > 0.8)] = False
            assert (-off[..., 2][crossed] >= 1 + motion.CLEARANCE - 1e-5).all()


def test_batched_carry_paths_match_individual_ones() -> None:
    points = [(float(x), float(y), 0.0) for x in range(4) for y in range(4)]
    trips = [((0.0, 0.0, 0.6), (3.0, 3.0, 0.6)), ((3.0, 0.0, 0.6), (-4.0, 0.0, 0.2))]
    together = [
        motion.CarryPath(start, end, points[:16:step], (0.0, -1.0))
        for (start, end) in trips
        for step in (1, 3)
    ]
    motion.choose_carry_paths(together)
    for carry in together:
        alone = motion.CarryPath(carry.start, carry.end, carry.obstacles, carry.toward_camera)
        motion.choose_carry_paths([alone])
        assert (alone.bow, alone.rise) == (carry.bow, carry.rise)


def test_carry_path_passes_in_front_of_obstacles() -> None:
    """A marble is carried past a tower on the side towards the camera, or over the top of the tower."""
    tower = [(0.0, 0.0, 0.7 * level) for level in range(6)]
    behind = motion.CarryPath((-3.0, 0.5, 0.0), (3.0, 0.5, 0.0), tower, (0.0, -1.0))
    motion.choose_carry_paths([behind])
    assert behind.bow > 0.0 or behind.rise > 4.0


def test_longer_carry_takes_longer() -> None:
    near, far = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), ((0.0, 0.0, 0.0), (9.0, 0.0, 0.0))
    assert (
        motion.CARRY_MS_RANGE[0] < motion.carry_ms(*near) < motion.carry_ms(*far) == motion.CARRY_MS_RANGE[1]
    )


def test_carry_from_the_far_side_stays_in_the_picture() -> None:
    """A path without a bow would leave the picture at the top; the chosen one bows towards the camera.

    Both paths rise equally high over the other marbles.
    """
    plan, eye = make_layout((4,)), make_home_camera([4], 1.6)
    start = plan.point_position(0, 13)
    above = start[0], start[1], start[2] + motion.LIFT_HEIGHT
    others = [plan.point_position(0, point) for point in range(25) if point != 13]
    queue = Timeline((4,))
    queue.set_camera(eye, 1.6)
    way = queue.cast.make_carry_path(above, (-5.0, -1.0, 0.1), others)
    anyhow = motion.CarryPath(above, (-5.0, -1.0, 0.1), others, way.toward_camera)
    motion.choose_carry_paths([way, anyhow])

    def highest(carried: motion.CarryPath) -> float:
        places = np.array([carried(step / 50) for step in range(51)]) + np.array([0.0, 0.0, 0.4])
        return float(eye.project(places, 160.0, 100.0)[0][:, 1].min())

    assert highest(anyhow) < 0.0 < highest(way)
