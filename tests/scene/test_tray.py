from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from shibumi3d.scene.camera import make_home_camera
from shibumi3d.scene.frame import Piece
from shibumi3d.scene.marbles.layout import (
    BOX_HINGE_DISTANCE,
    DISH_MARBLE_Z,
    RADIUS,
    TRAY_MARBLE_Z,
    half_side,
    make_layout,
)
from shibumi3d.scene.marbles.table_objects import (
    BAG_RADIUS,
    DISH_RADIUS,
    Heap,
    TableObjects,
    arrange_objects,
    interleave_colours,
)

BOX = tuple(Heap("box", -1, colour) for colour in range(3))


def hands(seat: int) -> tuple[Heap, ...]:
    return tuple(Heap("hand", seat, colour) for colour in range(3))


PLANS = {
    "shared": TableObjects((4,), BOX, has_dish=True),
    "both": TableObjects((4,), hands(0), hands(1), (Heap("discard", -1, -1),), box_count=2),
    "all": TableObjects(
        (3,), (*hands(0), *BOX), hands(1), (Heap("lost", -1, -1), Heap("spent", -1, -1)), True, True, 10
    ),
    "bag": TableObjects((4,), has_dish=True, has_bag=True),
    "mine": TableObjects((10,), (), hands(-2), has_dish=True, box_count=3),
    "rows": TableObjects((4, 4, 4), BOX, hands(-2), has_dish=True),
    "taken": TableObjects((4,), spent=(Heap("box", 0, -1), Heap("box", 1, -1))),
    "alone": TableObjects((4,), spent=(Heap("box", -1, -1), Heap("lost", -1, -1)), has_dish=True),
}


def footprints(plan: TableObjects) -> list[tuple[float, float, float, float]]:
    """Return the areas (west, south, east, north) of all objects on the table except marbles."""
    table = arrange_objects(plan)
    found = [(x - half_side(s), y - half_side(s), x + half_side(s), y + half_side(s))
             for s, (x, y) in zip(plan.sizes, make_layout(plan.sizes).origins, strict=True)]  # fmt: skip
    found += [
        (p.x - p.half_size[0], p.y - p.half_size[1], p.x + p.half_size[0], p.y + p.half_size[1])
        for p in table.trays
    ]
    for at, half in [
        (table.dish_position, DISH_RADIUS),
        (table.bag_position, BAG_RADIUS),
        *[(box, BOX_HINGE_DISTANCE) for box in table.box_positions],
    ]:
        if at is not None:
            found.append((at[0] - half, at[1] - half, at[0] + half, at[1] + half))
    return found


@pytest.mark.parametrize("name", PLANS)
def test_trays_and_boards_do_not_overlap(name: str) -> None:
    table = arrange_objects(PLANS[name])
    for a, b in itertools.combinations(footprints(PLANS[name]), 2):
        assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]
    places = [place for row in table.heaps.values() for place in row.positions]
    for one, other in itertools.combinations(
        [*places, *([table.dish_position] if table.dish_position else [])], 2
    ):
        assert math.dist(one, other) >= 2 * RADIUS - 1e-9
    for x, y, z in places:
        inside = [
            f
            for f in footprints(PLANS[name])
            if f[0] < x + RADIUS and f[2] > x - RADIUS and f[1] < y + RADIUS and f[3] > y - RADIUS
        ]
        # Each marble lies on a single tray, or on marbles there, and not over its edge.
        assert z >= TRAY_MARBLE_Z
        ((west, south, east, north),) = inside
        assert west < x - RADIUS < x + RADIUS < east
        assert south < y - RADIUS < y + RADIUS < north


@pytest.mark.parametrize("name", PLANS)
def test_trays_clear_boards_and_hold_full_size_marbles(name: str) -> None:
    boards = len(PLANS[name].sizes)
    for a, b in itertools.product(footprints(PLANS[name])[:boards], footprints(PLANS[name])[boards:]):
        assert max(b[0] - a[2], a[0] - b[2], b[1] - a[3], a[1] - b[3]) > 0.4
    table = arrange_objects(PLANS[name])
    lying = table.heap_balls(dict.fromkeys(table.heaps, (0,) * 4))
    assert {ball.radius for ball in lying} <= {RADIUS}


def test_tray_columns_run_along_the_board_edge() -> None:
    rows = arrange_objects(PLANS["shared"]).heaps
    white, black, red = (rows[heap] for heap in BOX)
    assert [len(row.positions) for row in (white, black, red)] == [2, 2, 2]
    # The columns are in the order of the keys 1, 2 and 3; the first marble of each is nearest to the viewer.
    assert white.positions[0][0] < black.positions[0][0] < red.positions[0][0] < -half_side(4)
    assert [place[0] for place in red.positions] == [red.positions[0][0]] * 2
    assert [place[1] for place in red.positions] == sorted(place[1] for place in red.positions)
    short = arrange_objects(PLANS["both"]).heaps
    assert {len(short[heap].positions) for heap in (*hands(0), *hands(1))} == {2}
    # The first marble of each row lies next to the board.
    assert short[hands(0)[0]].positions[0][0] > short[hands(0)[0]].positions[1][0]
    assert short[hands(1)[0]].positions[0][0] < short[hands(1)[0]].positions[1][0]


def test_trays_hold_at_most_thirty_marbles() -> None:
    for plan in PLANS.values():
        table = arrange_objects(plan)
        full = {heap: (0,) * 16 for heap in table.heaps if heap not in plan.spent}
        assert len(table.heap_balls(full, 1)) <= 30


def test_heap_count_label_lines_up_with_its_row() -> None:
    table = arrange_objects(PLANS["shared"])
    (rack,) = table.trays
    for heap in BOX:
        x, y, z = table.heaps[heap].label_position
        assert (x, z) == (table.heaps[heap].positions[0][0], TRAY_MARBLE_Z)
        assert y < rack.y - rack.half_size[1]
    # If the rows run across, the labels are beside them.
    row = arrange_objects(PLANS["both"]).heaps[hands(0)[0]]
    assert row.label_position[0] < min(x for x, _, _ in row.positions)
    assert row.label_position[1] == row.positions[0][1]


@pytest.mark.parametrize("plan", ["shared", "both"])
def test_heap_count_label_lines_up_from_every_side(plan: str) -> None:
    table = arrange_objects(PLANS[plan])
    home = make_home_camera((4,), 16 / 9, table.outlines)
    for yaw, pitch in itertools.product(range(-180, 180, 15), (25, 36, 60, 90)):
        camera = replace(home, yaw=yaw, pitch=pitch)
        for heap, row in table.heaps.items():
            if heap in PLANS[plan].spent:  # they lie in no row
                continue
            label = camera.project(np.array([row.label_position]), 1280, 720)[0][0]
            off = {}
            for other in (each for each in table.heaps if each[:2] == heap[:2]):
                first, *_, last = camera.project(np.array(table.heaps[other].positions), 1280, 720)[0]
                (dx, dy), (x, y) = last - first, label - first
                off[other] = abs(dx * y - dy * x) / math.hypot(dx, dy)
            assert off.pop(heap) < 0.5, (yaw, pitch)
            assert min(off.values(), default=99) > 12, (yaw, pitch)


def test_heap_balls_are_at_their_tray_positions() -> None:
    table = arrange_objects(PLANS["shared"])
    balls = table.heap_balls({BOX[0]: (0, 0), BOX[2]: (-1,)}, dish_colour=1)
    assert [(ball.colour, ball.position) for ball in balls] == [
        (0, table.heaps[BOX[0]].positions[0]),
        (0, table.heaps[BOX[0]].positions[1]),
        (-1, table.heaps[BOX[2]].positions[0]),
        (1, table.dish_position),
    ]
    assert table.dish_position is not None
    assert table.dish_position[2] == DISH_MARBLE_Z
    assert len({(ball.tint, ball.rotation) for ball in balls}) == 4


def test_box_lids_open_together() -> None:
    table = arrange_objects(PLANS["both"])

    def lids(how: float) -> list[Piece]:
        return [piece for piece in table.make_pieces({0: how, 1: how}) if piece.model == "lid"]

    assert not [piece for piece in table.make_pieces() if piece.model in ("box", "lid")]
    assert [lid.tilt for lid in lids(0.0)] == [0.0, 0.0]
    assert lids(0.5)[0].tilt == lids(0.5)[1].tilt == pytest.approx(lids(1.0)[0].tilt / 2)
    assert lids(1.0)[0].tilt > math.pi / 2
    (shut,) = (piece for piece in table.make_pieces({1: 0.0}) if piece.model == "lid")
    assert (shut.x, shut.tilt) == (lids(0.0)[1].x, 0.0)
    (ball,) = table.box_balls({1: 2})
    assert (ball.colour, ball.position[:2]) == (2, table.box_positions[1][:2])


def test_mixed_heap_shows_one_of_each_colour_first() -> None:
    assert interleave_colours({0: 5, 1: 0, 2: 1}, 4) == (0, 2, 0, 0)
    assert interleave_colours({2: 1}, 4) == (2,)
    assert interleave_colours({}, 4) == ()
