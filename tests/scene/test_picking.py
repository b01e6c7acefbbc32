from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.position import playable_points
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene import picking
from shibumi3d.scene.camera import HOME_CAMERA, TOP_CAMERA, Camera, make_home_camera
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z as SURFACE
from shibumi3d.scene.marbles.layout import RADIUS, make_layout
from shibumi3d.scene.picking import (
    AMBIGUITY_RADIUS_PX,
    CLICK_TOLERANCE_PX,
    PickableObject,
    PickShape,
    pick,
    pick_many,
    targets_near,
)

SIZE = (1280.0, 720.0)
SIZES = range(2, 11)
WINDOWS = [SIZE, (1920.0, 1080.0), (800.0, 900.0), (640.0, 400.0), (3440.0, 1440.0)]


class View(NamedTuple):
    """Direction and zoom of a camera, and the size and scale of the window in which a board is seen."""

    yaw: float
    pitch: float
    zoom: float
    window: tuple[float, float]
    scale: float

    def camera(self, size: int) -> Camera:
        return replace(make_home_camera((size,)), yaw=self.yaw, pitch=self.pitch, zoom=self.zoom)


def views() -> list[View]:
    """Return twenty views: one from straight above, one from a corner at the lowest angle, and 18 random ones."""
    chance = Random(5)
    found = [View(0.0, 90.0, 1.0, SIZE, 1.0), View(45.0, 20.0, 0.7, SIZE, 1.0)]
    while len(found) < 20:
        yaw, pitch, zoom = (chance.uniform(*span) for span in ((-180, 180), (20, 90), (0.7, 1.8)))
        found.append(View(yaw, pitch, zoom, chance.choice(WINDOWS), chance.choice((1.0, 1.5, 2.0))))
    return found


def hole(size: int, point: int, aim: bool = True) -> PickableObject:
    """Return the hole at a point of level A as a disc with the radius of its ring.

    If ``aim`` is set, the hole is a target.
    """
    x, y, _ = make_layout((size,)).point_position(0, point)
    return PickableObject((x, y, SURFACE), 0.37, PickShape.HORIZONTAL_DISC, aim)


def bead(size: int, point: int) -> PickableObject:
    return PickableObject(make_layout((size,)).point_position(0, point), 0.2)


def marble(size: int, point: int, aim: bool = False) -> PickableObject:
    return PickableObject(make_layout((size,)).point_position(0, point), is_target=aim)


def centre_pixel(camera: Camera, thing: PickableObject) -> tuple[float, float]:
    """Return the pixel at the centre of an object, in a picture of 1280 by 720."""
    x, y = camera.project(np.array([thing.position]), *SIZE)[0][0]
    return float(x), float(y)


@pytest.mark.parametrize("size", SIZES)
def test_every_single_point_is_picked_at_its_projection(size: int) -> None:
    points = make_layout((size,)).points[0]
    for view in views():
        camera = view.camera(size)
        places, _ = camera.project(points, *view.window)
        for point, place in enumerate(places):
            found = pick_many(camera, *view.window, place[None], [bead(size, point)], scale=view.scale)
            assert found.tolist() == [0]


@pytest.mark.parametrize("size", SIZES)
def test_pointed_bead_is_picked_unless_covered(size: int) -> None:
    points = make_layout((size,)).points[0]
    beads = [bead(size, point) for point in range(len(points))]
    for view in views():
        camera = view.camera(size)
        pixels, depth = camera.project(points, *view.window)
        found = pick_many(camera, *view.window, pixels, beads, scale=view.scale)
        radius = camera.projected_radius(0.2, depth, view.window[1])
        for i, other in enumerate(found):
            assert other >= 0
            if other != i:
                assert depth[other] < depth[i]
                # A sphere away from the middle of the picture is seen a little longer than wide.
                assert np.linalg.norm(pixels[other] - pixels[i]) < 1.15 * radius[other]


@pytest.mark.parametrize("size", SIZES)
def test_every_legal_point_can_be_picked_from_above(size: int) -> None:
    """In a pyramid that grows at random, seen from above, every playable point is picked at its centre."""
    pyr, chance = get_pyramid(size), Random(size)
    filled, tried = 0, set()
    camera = make_home_camera((size,)).from_above()
    while filled != pyr.all_points:
        legal = list(iter_bits(playable_points(pyr, filled)))
        tried.update(legal)
        aims = [hole(size, p) if pyr.level[p] == 0 else bead(size, p) for p in legal]
        things = [*aims, *(marble(size, p) for p in iter_bits(filled))]
        pixels, _ = camera.project(np.array([aim.position for aim in aims]), *SIZE)
        assert pick_many(camera, *SIZE, pixels, things).tolist() == list(range(len(aims)))
        filled |= 1 << chance.choice(legal)
    assert len(tried) == pyr.point_count


def test_marble_hides_targets_behind_it() -> None:
    """Seen from straight above, Ca1 covers Ab2, two levels below."""
    over_it, under = (
        marble(4, get_pyramid(4).point_by_name["Ca1"]),
        hole(4, get_pyramid(4).point_by_name["Ab2"]),
    )
    x, y = centre_pixel(TOP_CAMERA, over_it)
    radius = float(
        TOP_CAMERA.projected_radius(
            0.49, TOP_CAMERA.project(np.array([over_it.position]), *SIZE)[1], SIZE[1]
        )[0]
    )
    inside = [
        (dx, dy)
        for dx in range(-60, 61, 6)
        for dy in range(-60, 61, 6)
        if dx * dx + dy * dy < radius * radius
    ]
    assert len(inside) > 100
    assert {pick(TOP_CAMERA, *SIZE, x + dx, y + dy, [under, over_it]) for dx, dy in inside} == {1}
    assert {pick(TOP_CAMERA, *SIZE, x + dx, y + dy, [under]) for dx, dy in inside} == {0, None}


def test_hole_is_pickable_beside_but_not_through_a_marble() -> None:
    low = replace(HOME_CAMERA, yaw=0.0, pitch=20.0)
    near, far = hole(4, 5), hole(4, 9)
    between = marble(4, 5)
    x, y = centre_pixel(low, far)
    # The marble on Ab2 stands before Ab3.
    assert pick(low, *SIZE, x, y, [far]) == 0
    assert pick(low, *SIZE, x, y, [far, between]) == 1
    assert pick(low, *SIZE, *centre_pixel(low, near), [far, near]) == 1


def test_nearest_object_at_a_pixel_is_picked() -> None:
    low, high = PickableObject((0.0, 0.0, 0.0)), PickableObject((0.0, 0.0, 1.4))
    assert pick(TOP_CAMERA, *SIZE, *centre_pixel(TOP_CAMERA, low), [low, high]) == 1
    assert pick(TOP_CAMERA, *SIZE, *centre_pixel(TOP_CAMERA, low), [low]) == 0


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_isolated_target_accepts_clicks_within_16_pixels(scale: float) -> None:
    far = Camera(zoom=1.8)
    target = PickableObject((0.0, 0.0, 0.0), 0.01)
    x, y = centre_pixel(far, target)
    assert pick(far, *SIZE, x + CLICK_TOLERANCE_PX * scale - 0.5, y, [target], scale=scale) == 0
    assert pick(far, *SIZE, x + CLICK_TOLERANCE_PX * scale + 0.5, y, [target], scale=scale) is None
    assert (
        pick(
            far,
            *SIZE,
            x + CLICK_TOLERANCE_PX * scale - 0.5,
            y,
            [target._replace(is_target=False)],
            scale=scale,
        )
        is None
    )


def test_target_tolerance_does_not_overlap_a_marble() -> None:
    """A pixel just beyond the edge of a small bead selects the marble behind it, not the bead.

    A target can be selected by pixels up to 16 pixels from its centre, but not by pixels that hit another object first.
    The bead's radius is more than 4 pixels smaller than this tolerance.
    """
    camera = replace(make_home_camera((10,)), zoom=1.8)
    seat, supports = (
        get_pyramid(10).point_by_name["Be5"],
        [get_pyramid(10).point_by_name[name] for name in ("Ae5", "Af5", "Ae6", "Af6")],
    )
    things = [bead(10, seat), *(marble(10, point) for point in supports)]
    x, y = centre_pixel(camera, things[0])
    _, depth = camera.project(np.array([things[0].position]), *SIZE)
    radius = float(camera.projected_radius(0.2, depth, SIZE[1])[0])
    assert radius < CLICK_TOLERANCE_PX - 4
    # From the middle of the bead towards that of the marble behind it, on the left.
    way = np.array(centre_pixel(camera, things[3])) - (x, y)
    way /= np.linalg.norm(way)
    found = [
        pick(camera, *SIZE, x + way[0] * i, y + way[1] * i, things) for i in range(round(CLICK_TOLERANCE_PX))
    ]
    assert set(found[: round(radius)]) == {0}
    assert set(found[round(radius) + 2 :]) <= {3, 4}


def test_covered_target_is_picked_only_on_its_visible_mark() -> None:
    """Seen from above, a marble covers the centre and the west half of a hole.

    A click at the centre picks the marble. Farther east, where the hole is visible, a click picks the hole up to the
    edge of its ring, 0.37 from the centre, and nothing beyond. Then the marble is removed, and the radius of the hole
    is reduced to 0.1. Now a click picks the hole if it is within the click tolerance of the centre, but not if it is
    just outside the old ring.
    """
    half = hole(4, 5)
    x, y, _ = half.position
    blocking = PickableObject((x - 0.4, y, 1.0), is_target=False)
    x, y = centre_pixel(TOP_CAMERA, half)
    ring = float(
        TOP_CAMERA.projected_radius(0.37, TOP_CAMERA.project(np.array([half.position]), *SIZE)[1], SIZE[1])[0]
    )
    found = [pick(TOP_CAMERA, *SIZE, x + i, y, [half, blocking]) for i in range(round(ring) + 12)]
    assert found[0] == 1
    assert found[round(ring) - 1] == 0
    assert found.index(0) > 2
    assert set(found[round(ring) + 2 :]) == {None}
    assert pick(TOP_CAMERA, *SIZE, x + ring + 2, y, [half._replace(radius=0.1)]) is None
    assert pick(TOP_CAMERA, *SIZE, x + CLICK_TOLERANCE_PX - 1, y, [half._replace(radius=0.1)]) == 0


def test_object_behind_a_board_is_not_picked() -> None:
    """The board hides a marble that lies on the table behind it."""
    low = replace(HOME_CAMERA, yaw=0.0, pitch=20.0)
    behind = PickableObject((0.0, 2.9, SURFACE - 0.9), is_target=False)
    x, y = centre_pixel(low, behind)
    assert pick(low, *SIZE, x, y, [behind]) == 0
    assert pick(low, *SIZE, x, y, [behind], [(0.0, 0.0, 2.58)]) is None


def test_chevrons_keep_their_screen_size() -> None:
    sign = PickableObject((0.0, 0.0, 0.0), 0.17, PickShape.FACING_DISC, radius_range_px=(11.0, 18.0))
    blocked = PickableObject((0.0, 0.0, -4.0), 3.0, is_target=False)
    for zoom in (0.7, 1.8):
        camera = Camera(zoom=zoom)
        x, y = centre_pixel(camera, sign)
        radius = next(i for i in range(60) if pick(camera, *SIZE, x + i, y, [sign, blocked]) != 0)
        assert 11 <= radius <= 19


def test_picking_without_objects_returns_nothing() -> None:
    assert pick(HOME_CAMERA, *SIZE, 1, 1, []) is None
    assert pick_many(HOME_CAMERA, *SIZE, np.array([[1.0, 1.0]] * 3), []).tolist() == [-1, -1, -1]
    assert targets_near(HOME_CAMERA, *SIZE, 1, 1, []) == []


def test_targets_near_pointer_are_sorted_nearest_first() -> None:
    low, high = PickableObject((0.0, 0.0, 0.0)), PickableObject((0.0, 0.0, 1.4))
    x, y = centre_pixel(TOP_CAMERA, low)
    assert targets_near(TOP_CAMERA, *SIZE, x, y, [low, high]) == [1, 0]
    assert targets_near(TOP_CAMERA, *SIZE, x, y, [low, high._replace(is_target=False)]) == [0]
    assert targets_near(TOP_CAMERA, *SIZE, x + AMBIGUITY_RADIUS_PX + 1, y, [low]) == []


def test_nearest_marble_under_pointer_is_picked() -> None:
    plan = make_layout((4,))
    marbles = [marble(4, p) for p in range(30)]
    for p in bits_of_faces():
        found = pick(HOME_CAMERA, *SIZE, *centre_pixel(HOME_CAMERA, marbles[p]), marbles)
        assert found is not None
        eye = HOME_CAMERA.eye(SIZE[0] / SIZE[1])
        assert np.linalg.norm(plan.points[0][found] - eye) <= np.linalg.norm(plan.points[0][p] - eye)
    assert pick(HOME_CAMERA, *SIZE, 3, 3, marbles) is None


def bits_of_faces() -> list[int]:
    faces = get_pyramid(4).south | get_pyramid(4).west
    return [p for p in range(30) if faces >> p & 1]


def test_sphere_behind_the_camera_is_not_picked() -> None:
    eye, way = HOME_CAMERA.eye(SIZE[0] / SIZE[1]), HOME_CAMERA.axes()[2]
    x, y, z = eye + way * 3.0
    behind = PickableObject((float(x), float(y), float(z)), is_target=False)
    assert pick(HOME_CAMERA, *SIZE, 640, 360, [behind]) is None


def test_points_on_adjacent_boards_are_picked() -> None:
    plan, camera = make_layout((4, 4)), make_home_camera((4, 4))
    seats = [(board, p) for board in (0, 1) for p in range(16)]
    marbles = [PickableObject(plan.point_position(*seat), is_target=False) for seat in seats]
    for number, seat in enumerate(seats):
        if seat[1] in (0, 3):
            assert pick(camera, *SIZE, *centre_pixel(camera, marbles[number]), marbles) == number
    assert plan.points[1][:, 0].min() - plan.points[0][:, 0].max() > 2 * RADIUS


def test_objects_are_projected_once_while_only_the_pointer_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    projected: list[int] = []
    prepare = picking._ProjectedObjects.__init__
    monkeypatch.setattr(
        picking._ProjectedObjects,
        "__init__",
        lambda self, camera, width, height, objects, *rest: (
            projected.append(len(objects)),
            prepare(self, camera, width, height, objects, *rest),
        )[1],
    )
    camera = make_home_camera((4,))
    # No other test has these.
    objects = [picking.PickableObject((0.125 * i, 0.0, 0.5)) for i in range(7)]
    for x in range(300, 900, 50):
        picking.pick(camera, 1280, 720, x, 360, list(objects), [(0.0, 0.0, 2.0)])
    assert projected == [7]
    picking.pick(camera.zoomed(1), 1280, 720, 600, 360, objects, [(0.0, 0.0, 2.0)])
    picking.pick(camera, 1280, 720, 600, 360, objects[1:], [(0.0, 0.0, 2.0)])
    picking.pick(camera, 1280, 720, 600, 360, objects, [(0.0, 0.0, 1.0)])
    assert projected == [7, 7, 6, 7]
