from __future__ import annotations

import itertools

import numpy as np
import pytest

from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.scene.marbles import layout as lay
from shibumi3d.scene.marbles.layout import layout, place


@pytest.mark.parametrize("size", range(2, 11))
def test_marbles_that_touch_are_one_apart_and_none_are_nearer(size: int) -> None:
    points = layout((size,)).points[0]
    assert points.shape == (pyramid(size).count, 3)
    assert np.allclose(points[:, :2].mean(axis=0), 0)
    apart = np.linalg.norm(points[:, None] - points[None], axis=2) + 9 * np.eye(len(points))
    assert apart.min() == pytest.approx(1.0)
    for p, q, _ in pyramid(size).contacts:
        assert apart[p, q] == pytest.approx(1.0)


def test_level_a_lies_at_zero_and_rests_on_the_rims_of_the_holes() -> None:
    points = layout((4,)).points[0]
    assert (points[:16, 2] == 0).all()
    assert np.hypot(lay.TOP, lay.HOLE) == pytest.approx(lay.RADIUS)
    # The hollow is deep enough for the marble: it hangs on the rim.
    depth = lay.DISH - np.sqrt(lay.DISH**2 - lay.HOLE**2)
    assert lay.TOP - depth < -lay.RADIUS


def test_x_is_east_and_y_north() -> None:
    index = pyramid(4).index
    aa1, ad1, aa4 = (place([4], 0, index[name]) for name in ("Aa1", "Ad1", "Aa4"))
    assert ad1[0] > aa1[0]
    assert ad1[1] == aa1[1]
    assert aa4[1] > aa1[1]
    assert aa4[0] == aa1[0]


def test_boards_stand_side_by_side_without_touching() -> None:
    plan = layout((4, 3, 5))
    edges = [
        (x - lay.half_side(size), x + lay.half_side(size))
        for size, (x, _) in zip(plan.sizes, plan.origins, strict=True)
    ]
    for (_, east), (west, _) in itertools.pairwise(edges):
        assert west - east == pytest.approx(lay.GAP)
    assert edges[0][0] == pytest.approx(-edges[-1][1])
    assert place([4, 3, 5], 1, 0)[0] == pytest.approx(plan.origins[1][0] - 1)


def test_no_boards_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one board"):
        layout(())
