from __future__ import annotations

import itertools
import math

import pytest

from shibumi3d.scene.frame import Piece
from shibumi3d.scene.marbles.layout import (
    BOX_HALF,
    DISH_SEAT,
    LYING,
    RADIUS,
    TABLE,
    TRAY_SEAT,
    half_side,
    layout,
)
from shibumi3d.scene.marbles.tray import BAG, DISH, Heap, Plan, lay, mixed

BOX = tuple(Heap("box", -1, colour) for colour in range(3))


def hands(seat: int) -> tuple[Heap, ...]:
    return tuple(Heap("hand", seat, colour) for colour in range(3))


PLANS = {
    "shared": Plan((4,), BOX, dish=True),
    "both": Plan((4,), hands(0), hands(1), (Heap("discard", -1, -1),), boxes=2),
    "all": Plan(
        (3,), (*hands(0), *BOX), hands(1), (Heap("lost", -1, -1), Heap("spent", -1, -1)), True, True, 10
    ),
    "bag": Plan((4,), dish=True, bag=True),
    "mine": Plan((10,), (), hands(-2), dish=True, boxes=3),
    "rows": Plan((4, 4, 4), BOX, hands(-2), dish=True),
}


def footprints(plan: Plan) -> list[tuple[float, float, float, float]]:
    """What stands on the table but for marbles: west, south, east and north."""
    table = lay(plan)
    found = [(x - half_side(s), y - half_side(s), x + half_side(s), y + half_side(s))
             for s, (x, y) in zip(plan.sizes, layout(plan.sizes).origins, strict=True)]  # fmt: skip
    found += [(p.x - p.size[0], p.y - p.size[1], p.x + p.size[0], p.y + p.size[1]) for p in table.trays]
    for at, half in [(table.dish, DISH), (table.bag, BAG), *[(box, BOX_HALF) for box in table.boxes]]:
        if at is not None:
            found.append((at[0] - half, at[1] - half, at[0] + half, at[1] + half))
    return found


@pytest.mark.parametrize("name", PLANS)
def test_nothing_overlaps(name: str) -> None:
    table = lay(PLANS[name])
    for a, b in itertools.combinations(footprints(PLANS[name]), 2):
        assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]
    places = [place for row in table.rows.values() for place in row.places]
    for one, other in itertools.combinations([*places, *([table.dish] if table.dish else [])], 2):
        assert math.dist(one, other) >= 2 * LYING
    spent = {place for heap, row in table.rows.items() if heap in PLANS[name].spent for place in row.places}
    for x, y, z in places:
        inside = [
            f
            for f in footprints(PLANS[name])
            if f[0] < x + LYING and f[2] > x - LYING and f[1] < y + LYING and f[3] > y - LYING
        ]
        if (x, y, z) in spent:
            assert (z, inside) == (TABLE + LYING, [])
        else:
            # It lies on its tray alone, and not over the edge.
            assert z == TRAY_SEAT
            ((west, south, east, north),) = inside
            assert west < x - LYING < x + LYING < east
            assert south < y - LYING < y + LYING < north


@pytest.mark.parametrize("name", PLANS)
def test_nothing_touches_a_board_and_marbles_beside_it_are_smaller(name: str) -> None:
    boards = len(PLANS[name].sizes)
    for a, b in itertools.product(footprints(PLANS[name])[:boards], footprints(PLANS[name])[boards:]):
        assert max(b[0] - a[2], a[0] - b[2], b[1] - a[3], a[1] - b[3]) > 0.4
    table = lay(PLANS[name])
    lying = table.lying(dict.fromkeys(table.rows, (0,) * 4))
    assert {ball.radius for ball in lying} <= {LYING}
    assert LYING < 0.8 * RADIUS
    # One on its way is as large as it is at either end of it.
    plan = layout(PLANS[name].sizes)
    assert {round(plan.radius(*ball.at[:2]), 9) for ball in lying} <= {LYING}
    assert plan.radius(*plan.place(0, 0)[:2]) == RADIUS


def test_columns_run_along_the_edge_and_many_heaps_lie_short() -> None:
    rows = lay(PLANS["shared"]).rows
    white, black, red = (rows[heap] for heap in BOX)
    assert [len(row.places) for row in (white, black, red)] == [4, 4, 4]
    # From left to right as the keys 1 2 3 name them, the foremost nearest to the eye.
    assert white.places[0][0] < black.places[0][0] < red.places[0][0] < -half_side(4)
    assert [place[0] for place in red.places] == [red.places[0][0]] * 4
    assert [place[1] for place in red.places] == sorted(place[1] for place in red.places)
    short = lay(PLANS["both"]).rows
    assert {len(short[heap].places) for heap in (*hands(0), *hands(1))} == {2}
    # The first marble of each row lies next to the board.
    assert short[hands(0)[0]].places[0][0] > short[hands(0)[0]].places[1][0]
    assert short[hands(1)[0]].places[0][0] < short[hands(1)[0]].places[1][0]


def test_no_more_than_thirty_marbles_lie_about_a_board() -> None:
    for plan in PLANS.values():
        table = lay(plan)
        full = dict.fromkeys(table.rows, (0,) * 16)
        assert len(table.lying(full, 1)) <= 30


def test_the_number_stands_on_the_rim_before_its_row() -> None:
    table = lay(PLANS["shared"])
    (rack,) = table.trays
    for heap in BOX:
        x, y, z = table.rows[heap].number
        assert x == table.rows[heap].places[0][0]
        assert y == rack.y - rack.size[1]
        assert TABLE < z < TRAY_SEAT
    # Where rows lie across, beside them.
    row = lay(PLANS["both"]).rows[hands(0)[0]]
    assert row.number[0] < min(x for x, _, _ in row.places)
    assert row.number[1] == row.places[0][1]


def test_marbles_lie_as_they_are_shown() -> None:
    table = lay(PLANS["shared"])
    balls = table.lying({BOX[0]: (0, 0), BOX[2]: (-1,)}, dish=1)
    assert [(ball.colour, ball.at) for ball in balls] == [
        (0, table.rows[BOX[0]].places[0]),
        (0, table.rows[BOX[0]].places[1]),
        (-1, table.rows[BOX[2]].places[0]),
        (1, table.dish),
    ]
    assert table.dish is not None
    assert table.dish[2] == DISH_SEAT
    assert len({(ball.tint, ball.turn) for ball in balls}) == 4


def test_all_lids_lift_together() -> None:
    table = lay(PLANS["both"])

    def lids(how: float) -> list[Piece]:
        return [piece for piece in table.pieces({0: how, 1: how}) if piece.model == "lid"]

    assert not [piece for piece in table.pieces() if piece.model in ("box", "lid")]
    assert [lid.tilt for lid in lids(0.0)] == [0.0, 0.0]
    assert lids(0.5)[0].tilt == lids(0.5)[1].tilt == pytest.approx(lids(1.0)[0].tilt / 2)
    assert lids(1.0)[0].tilt > math.pi / 2
    (shut,) = (piece for piece in table.pieces({1: 0.0}) if piece.model == "lid")
    assert (shut.x, shut.tilt) == (lids(0.0)[1].x, 0.0)
    (ball,) = table.inside({1: 2})
    assert (ball.colour, ball.at[:2]) == (2, table.boxes[1][:2])


def test_of_a_mixed_heap_one_of_each_colour_is_seen_first() -> None:
    assert mixed({0: 5, 1: 0, 2: 1}, 4) == (0, 2, 0, 0)
    assert mixed({2: 1}, 4) == (2,)
    assert mixed({}, 4) == ()
