"""The exploded view: on every board and in every window, marbles don't overlap or become too small."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene.camera import Camera, make_home_camera
from shibumi3d.scene.marbles.exploded_view import ExplodedView, exploded_view_camera, make_exploded_view
from shibumi3d.scene.marbles.layout import make_layout
from shibumi3d.scene.marbles.scene import MarbleScene

VIEWS = [(1000.0, 584.0), (1280.0, 584.0), (900.0, 464.0), (700.0, 384.0), (1640.0, 944.0), (3160.0, 1304.0)]
"""Sizes of the board view in windows of 1280 x 720 (with and without the panel), 900 x 600, 700 x 520, 1920 x 1080 and
3440 x 1440."""
HIGH = [(800.0, 764.0), (640.0, 900.0), (620.0, 464.0)]


def make_view(size: int, view: tuple[float, float]) -> tuple[ExplodedView, Camera, MarbleScene]:
    """Return the exploded view, camera and scene of a board of the given size.

    ``view`` is the width and height of the board view in pixels. The exploded view leaves 8 pixels free at each edge of
    the board view.
    """
    free = (8.0, 8.0, view[0] - 8.0, view[1] - 8.0)
    spread = make_exploded_view((size,), free[2] - free[0], free[3] - free[1])
    return spread, exploded_view_camera(spread, *view, free), MarbleScene((size,))


@pytest.mark.parametrize("size", range(2, 11))
@pytest.mark.parametrize("view", VIEWS + HIGH)
def test_exploded_view_shows_no_marble_covering_another(size: int, view: tuple[float, float]) -> None:
    """The angle between any two marbles, as seen from the camera, exceeds the sum of their angular radii."""
    spread, camera, stage = make_view(size, view)
    centres = np.array(
        [stage.marble_position(0, point, spread) for point in range(get_pyramid(size).point_count)]
    )
    to = centres - camera.eye(view[0] / view[1])
    away = np.linalg.norm(to, axis=1)
    wide = np.arcsin(spread.radius / away)
    between = np.arccos(np.clip((to / away[:, None]) @ (to / away[:, None]).T, -1.0, 1.0))
    np.fill_diagonal(between, math.pi)
    assert (between > wide[:, None] + wide[None, :]).all()


@pytest.mark.parametrize("size", range(2, 11))
@pytest.mark.parametrize("view", VIEWS)
def test_exploded_marbles_keep_60_percent_of_their_size(size: int, view: tuple[float, float]) -> None:
    spread, camera, stage = make_view(size, view)
    start = make_home_camera((size,), view[0] / view[1])

    def radii(eye: Camera, radius: float, at: list[tuple[float, float, float]]) -> np.ndarray:
        _, depth = eye.project(np.array(at), *view)
        return np.asarray(eye.projected_radius(radius, depth, view[1]))

    points = range(get_pyramid(size).point_count)
    before = radii(start, 0.5, [stage.marble_position(0, point) for point in points])
    apart = radii(camera, spread.radius, [stage.marble_position(0, point, spread) for point in points])
    assert (apart >= 0.6 * before).all(), float((apart / before).min())


@pytest.mark.parametrize("size", range(2, 11))
@pytest.mark.parametrize("view", HIGH)
def test_square_and_tall_windows_average_60_percent_size(size: int, view: tuple[float, float]) -> None:
    """In the exploded view, marbles keep at least 60% of their average initial size (59% on boards of size 10).

    On boards up to size 8, they are also at least 60% as large as the nearest marbles in the initial view. On larger
    boards, the levels have too many marbles for that.
    """
    spread, camera, stage = make_view(size, view)
    start = make_home_camera((size,), view[0] / view[1])
    _, depth = start.project(make_layout((size,)).points[0], *view)
    before = float(start.projected_radius(0.5, depth, view[1]).mean())
    _, far = camera.project(np.array([stage.marble_position(0, 0, spread)]), *view)
    apart = float(camera.projected_radius(spread.radius, far, view[1])[0])
    assert apart >= (0.6 if size < 10 else 0.59) * before
    if size <= 8:
        assert apart >= 0.6 * float(start.projected_radius(0.5, depth, view[1]).max())


@pytest.mark.parametrize("size", range(2, 11))
@pytest.mark.parametrize("view", VIEWS + HIGH)
def test_level_boards_fit_the_free_area_without_overlap(size: int, view: tuple[float, float]) -> None:
    free = (120.0, 60.0, view[0] - 8.0, view[1] - 30.0)
    spread = make_exploded_view((size,), free[2] - free[0], free[3] - free[1])
    camera, stage = exploded_view_camera(spread, *view, free), MarbleScene((size,))
    boards = [board for _, _, board in spread.level_boards()]
    assert sorted(board.size for board in boards) == list(range(1, size + 1))
    for one, other in itertools.combinations(boards, 2):
        assert max(abs(one.x - other.x), abs(one.y - other.y)) > one.half_side + other.half_side
    corners = np.array(
        [
            (board.x + i * board.half_side, board.y + j * board.half_side, 0.0)
            for board in boards
            for i in (-1, 1)
            for j in (-1, 1)
        ]
    )
    pixels, _ = camera.project(corners, *view)
    assert (pixels > np.array(free[:2]) - 1e-6).all()
    assert (pixels < np.array(free[2:]) + 1e-6).all()
    # The boards fill the area in one direction.
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    assert max((high - low) / (free[2] - free[0], free[3] - free[1])) > 0.97
    # Each point lies on the board of its level.
    for point in range(get_pyramid(size).point_count):
        x, y, z = stage.marble_position(0, point, spread)
        board = boards[get_pyramid(size).level[point]]
        assert max(abs(x - board.x), abs(y - board.y)) == pytest.approx(
            max(
                abs(v - (board.size - 1) / 2)
                for v in (get_pyramid(size).file[point], get_pyramid(size).rank[point])
            )
        )
        assert z == pytest.approx(0.0)


def test_levels_form_a_row_or_column_by_shape() -> None:
    wide, high = make_exploded_view((4,), 1600.0, 400.0), make_exploded_view((4,), 400.0, 1600.0)
    xs, ys = zip(*wide.level_centres[0], strict=True)
    assert list(xs) == sorted(xs)
    assert len(set(ys)) == 1
    xs, ys = zip(*high.level_centres[0], strict=True)
    assert list(ys) == sorted(ys, reverse=True)
    assert len(set(xs)) == 1


def test_level_arrangement_is_the_same_from_every_side() -> None:
    for turn in range(4):
        spread = make_exploded_view((4,), 1000.0, 500.0, turn)
        camera = exploded_view_camera(spread, 1000.0, 500.0, (0.0, 0.0, 1000.0, 500.0))
        middles, _ = camera.project(
            np.array([(x, y, 0.0) for x, y in spread.level_centres[0]]), 1000.0, 500.0
        )
        first = make_exploded_view((4,), 1000.0, 500.0)
        expected, _ = exploded_view_camera(first, 1000.0, 500.0, (0.0, 0.0, 1000.0, 500.0)).project(
            np.array([(x, y, 0.0) for x, y in first.level_centres[0]]), 1000.0, 500.0
        )
        assert np.allclose(middles, expected)
        assert camera.yaw == pytest.approx((90 * turn + 180) % 360 - 180)


@pytest.mark.parametrize("sizes", [(4, 4), (4, 4, 4), (4, 4, 4, 4), (4, 3)])
def test_levels_of_each_board_stay_together(sizes: tuple[int, ...]) -> None:
    spread = make_exploded_view(sizes, 1000.0, 560.0)
    boxes = []
    for number in range(len(sizes)):
        boards_of_level = [board for of, _, board in spread.level_boards() if of == number]
        xs = [board.x + i * board.half_side for board in boards_of_level for i in (-1, 1)]
        ys = [board.y + i * board.half_side for board in boards_of_level for i in (-1, 1)]
        boxes.append((min(xs), max(xs), min(ys), max(ys)))
    for one, other in itertools.combinations(boxes, 2):
        assert one[1] < other[0] or other[1] < one[0] or one[3] < other[2] or other[3] < one[2]


def test_level_boards_appear_as_they_find_room() -> None:
    spread = make_exploded_view((4,), 1000.0, 585.0)
    counts = [len(replace(spread, progress=part).level_boards()) for part in (0.0, 0.3, 0.6, 1.0)]
    assert counts == sorted(counts)
    assert counts[-1] == 4
    assert spread.level_offset(0, 3)[2] == pytest.approx(-3 * math.sqrt(0.5))
    assert replace(spread, progress=0.0).level_offset(0, 3) == (0.0, 0.0, 0.0)
    assert [board.size for _, _, board in spread.level_boards({0})] == [4], (
        "nothing of a covered board is shown"
    )
