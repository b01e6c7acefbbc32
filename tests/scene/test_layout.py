from __future__ import annotations

import itertools

import numpy as np
import pytest

from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene.marbles import layout
from shibumi3d.scene.marbles.layout import make_layout


@pytest.mark.parametrize("size", range(2, 11))
def test_touching_marbles_are_exactly_one_unit_apart(size: int) -> None:
    points = make_layout((size,)).points[0]
    assert points.shape == (get_pyramid(size).point_count, 3)
    assert np.allclose(points[:, :2].mean(axis=0), 0)
    apart = np.linalg.norm(points[:, None] - points[None], axis=2) + 9 * np.eye(len(points))
    assert apart.min() == pytest.approx(1.0)
    for p, q, _ in get_pyramid(size).contacts:
        assert apart[p, q] == pytest.approx(1.0)


def test_level_a_rests_on_hole_rims_at_zero() -> None:
    points = make_layout((4,)).points[0]
    assert (points[:16, 2] == 0).all()
    assert np.hypot(layout.BOARD_TOP_Z, layout.HOLE_RADIUS) == pytest.approx(layout.RADIUS)
    # The hollow is deep enough for the marble, which rests on the rim.
    depth = layout.HOLE_SPHERE_RADIUS - np.sqrt(layout.HOLE_SPHERE_RADIUS**2 - layout.HOLE_RADIUS**2)
    assert layout.BOARD_TOP_Z - depth < -layout.RADIUS


def test_x_points_east_and_y_north() -> None:
    index = get_pyramid(4).point_by_name
    aa1, ad1, aa4 = (make_layout((4,)).point_position(0, index[name]) for name in ("Aa1", "Ad1", "Aa4"))
    assert ad1[0] > aa1[0]
    assert ad1[1] == aa1[1]
    assert aa4[1] > aa1[1]
    assert aa4[0] == aa1[0]


def test_boards_stand_side_by_side_without_touching() -> None:
    plan = make_layout((4, 3, 5))
    edges = [
        (x - layout.half_side(size), x + layout.half_side(size))
        for size, (x, _) in zip(plan.sizes, plan.origins, strict=True)
    ]
    for (_, east), (west, _) in itertools.pairwise(edges):
        assert west - east == pytest.approx(layout.BOARD_GAP)
    assert edges[0][0] == pytest.approx(-edges[-1][1])
    assert plan.point_position(1, 0)[0] == pytest.approx(plan.origins[1][0] - 1)


def test_layout_without_boards_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one board"):
        make_layout(())
