"""The tables of the pyramid: facts from the rule book for size 4, formulas and plain definitions for other sizes."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from itertools import pairwise

import pytest

from shibumi3d.rules.marbles.bits import count, iter_bits
from shibumi3d.rules.marbles.pyramid import SIDES, Pyramid, get_pyramid
from tests.rules.drawn import names, points

SIZES = range(2, 11)
SMALL = range(2, 6)
FOUR = get_pyramid(4)
Vector = tuple[float, float, float]


def step_vector(pyr: Pyramid, p: int, q: int) -> Vector:
    """Return the vector from ``p`` to ``q``, rounded so that equal vectors compare equal."""
    x, y, z = (round(b - a, 6) for a, b in zip(pyr.centres[p], pyr.centres[q], strict=True))
    return x, y, z


def straight_runs(
    pyr: Pyramid, wanted: Callable[[Vector], bool], key: Callable[[Vector], object]
) -> set[int]:
    """Return the masks of all runs of two or more points.

    A run is a sequence of points. ``wanted`` and ``key`` are called with the vector of a step between two points, as
    returned by :func:`step_vector`. ``wanted`` returns whether a run may contain that step, and all steps of a run must
    have the same ``key``.
    """
    steps = {
        p: [(q, step_vector(pyr, p, q)) for q in range(pyr.point_count) if wanted(step_vector(pyr, p, q))]
        for p in range(pyr.point_count)
    }
    found = set()
    todo = [(q, 1 << p | 1 << q, key(step)) for p in steps for q, step in steps[p]]
    while todo:
        p, run, along = todo.pop()
        found.add(run)
        todo += [(q, run | 1 << q, along) for q, step in steps[p] if key(step) == along]
    return found


def is_contact(step: Vector) -> bool:
    return math.isclose(math.hypot(*step), 1, abs_tol=1e-5)


# Size 4, from the rule book and by hand.


def test_size_four_has_30_points_in_four_levels() -> None:
    assert FOUR.point_count == 30
    assert [count(level) for level in FOUR.levels] == [16, 9, 4, 1]
    assert (FOUR.holes, FOUR.apex, FOUR.all_points) == ((1 << 16) - 1, 1 << 29, (1 << 30) - 1)


def test_points_are_numbered_from_south_west() -> None:
    assert FOUR.point_names[:6] == ("Aa1", "Ab1", "Ac1", "Ad1", "Aa2", "Ab2")
    assert FOUR.point_names[15:18] == ("Ad4", "Ba1", "Bb1")
    assert FOUR.point_names[29] == "Da1"
    assert get_pyramid(10).point_names[99] == "Aj10"
    bc2 = FOUR.point_by_name["Bc2"]
    assert (FOUR.level[bc2], FOUR.file[bc2], FOUR.rank[bc2]) == (1, 2, 1)
    assert FOUR.centres[bc2] == (2.5, 1.5, 1 / math.sqrt(2))


def test_raised_point_rests_on_four_supports() -> None:
    bb2 = FOUR.point_by_name["Bb2"]
    assert names(FOUR, FOUR.supports[bb2]) == "Ab2 Ac2 Ab3 Ac3"
    assert names(FOUR, FOUR.resting[bb2]) == "Ca1 Cb1 Ca2 Cb2"
    assert names(FOUR, FOUR.resting[FOUR.point_by_name["Aa1"]]) == "Ba1"
    assert names(FOUR, FOUR.touching[FOUR.point_by_name["Ba1"]]) == "Aa1 Ab1 Aa2 Ab2 Bb1 Ba2 Ca1"
    assert names(FOUR, FOUR.diagonal[FOUR.point_by_name["Ab1"]]) == "Aa2 Ac2"
    assert FOUR.supports[FOUR.point_by_name["Ad4"]] == 0


def test_size_four_has_96_contacts_of_which_16_cuttable() -> None:
    # 24 + 12 + 4 on the levels and 4 x 14 between them; the pairs on B and C are the overpasses.
    assert len(FOUR.contacts) == 96
    overpasses = [overpass for _, _, overpass in FOUR.contacts if overpass]
    assert len(overpasses) == len(set(overpasses)) == 12 + 4
    contact = (FOUR.point_by_name["Ab2"], FOUR.point_by_name["Ac2"], points(FOUR, "Bb1 Bb2"))
    assert contact in FOUR.contacts


def test_rim_and_level_contacts_cannot_be_cut() -> None:
    rim = [FOUR.west, FOUR.east, FOUR.south, FOUR.north]
    for p, q, overpass in FOUR.contacts:
        if FOUR.level[p] != FOUR.level[q] or any(face >> p & face >> q & 1 for face in rim):
            assert overpass == 0
        else:
            assert count(overpass) == (2 if FOUR.level[p] < 2 else 0)


def points_below_others(pyr: Pyramid) -> int:
    """Return the mask of the points that have a point vertically above them."""
    return sum(1 << p for p in range(pyr.point_count) if pyr.point_above[p] >= 0)


def test_five_points_can_be_hidden() -> None:
    assert names(FOUR, points_below_others(FOUR)) == "Ab2 Ac2 Ab3 Ac3 Bb2"
    assert FOUR.point_names[FOUR.point_above[FOUR.point_by_name["Ab3"]]] == "Ca2"
    assert FOUR.point_names[FOUR.point_below[FOUR.point_by_name["Da1"]]] == "Bb2"
    assert FOUR.point_above[FOUR.point_by_name["Ab1"]] == FOUR.point_below[FOUR.point_by_name["Ab1"]] == -1


def test_faces_have_expected_points() -> None:
    assert names(FOUR, FOUR.west) == "Aa1 Aa2 Aa3 Aa4 Ba1 Ba2 Ba3 Ca1 Ca2 Da1"
    assert names(FOUR, FOUR.east) == "Ad1 Ad2 Ad3 Ad4 Bc1 Bc2 Bc3 Cb1 Cb2 Da1"
    assert names(FOUR, FOUR.south) == "Aa1 Ab1 Ac1 Ad1 Ba1 Bb1 Bc1 Ca1 Cb1 Da1"
    assert names(FOUR, FOUR.north) == "Aa4 Ab4 Ac4 Ad4 Ba3 Bb3 Bc3 Ca2 Cb2 Da1"


def test_size_four_has_24_full_lines() -> None:
    assert [sum(line & level == line for line in FOUR.full_lines) for level in FOUR.levels] == [10, 8, 6, 0]
    assert len(set(FOUR.full_lines)) == 24
    for text in ("Aa3 Ab3 Ac3 Ad3", "Ba3 Bb2 Bc1", "Ca1 Cb2", "Cb1 Cb2"):
        assert points(FOUR, text) in FOUR.full_lines


def test_straight_triples_are_counted_by_visibility() -> None:
    # Rows: 8 x 2 on A and 6 on B. Slopes, in each of 4 directions: two on the ridge, one on each of 3 chains.
    flat = [line for line in FOUR.rows if count(line) == 3]
    inclined = [line for line in FOUR.slopes if count(line) == 3]
    assert (len(flat), len(inclined)) == (22, 20)
    shown = [line for line in flat + inclined if not line & points_below_others(FOUR)]
    board_edges = [line for line in shown if line & FOUR.levels[0] == line]
    b_edges = [line for line in shown if line & FOUR.levels[1] == line]
    to_c = [line for line in shown if line & FOUR.levels[0] and line & FOUR.levels[2]]
    to_d = [line for line in shown if line & FOUR.apex]
    assert [len(shown), len(board_edges), len(b_edges), len(to_c), len(to_d)] == [28, 8, 4, 12, 4]


def test_spyramid_pyramids_are_found() -> None:
    # 9 + 4 + 1 squares of four have a tip above; those of B (4) and C (1) also have one below.
    small = FOUR.placements(points(FOUR, "Aa1 Ab1 Aa2 Ab2 Ba1"))
    tip_up = [copy for copy in small if count(copy & FOUR.levels[FOUR.level[min(iter_bits(copy))]]) == 4]
    assert (len(tip_up), len(small) - len(tip_up)) == (14, 5)
    tips_down = sum(1 << min(iter_bits(copy)) for copy in small if copy not in tip_up)
    assert names(FOUR, tips_down) == "Ab2 Ac2 Ab3 Ac3 Bb2"
    assert len(FOUR.placements(points(FOUR, "Aa1 Ac1 Aa3 Ac3 Ca1"))) == 5
    assert len(FOUR.placements(points(FOUR, "Aa1 Ad1 Aa4 Ad4 Da1"))) == 1
    # Rotated by 45 degrees: around the four inner holes and Bb2; upside down they would need a diamond on C.
    assert len(FOUR.placements(points(FOUR, "Aa2 Ab1 Ac2 Ab3 Ca1"))) == 5


def test_shape_placements_are_counted() -> None:
    assert FOUR.placements(0) == ()
    assert FOUR.placements(points(FOUR, "Bb2")) == tuple(1 << p for p in range(30))
    assert len(FOUR.placements(points(FOUR, "Bb1 Bb2"))) == 40
    assert len(FOUR.placements(points(FOUR, "Ba1 Ab2"))) == 56
    # The bent tetromino has 4 positions in each rectangle of 2 x 3: 24 on A and 8 on B.
    assert len(FOUR.placements(points(FOUR, "Aa1 Ab1 Ab2 Ac2"))) == 32
    # Two neighbours and a point on both: 36 + 16 + 4; two neighbours and a point under both: (12 + 4) x 2.
    assert len(FOUR.placements(points(FOUR, "Aa1 Ab1 Ba1"))) == 56 + 32
    assert FOUR.placements(points(FOUR, "Aa1 Ab1 Ba1")) == FOUR.placements(points(FOUR, "Bb1 Bb2 Ac2"))


def test_half_step_distance_is_measured_in_plan() -> None:
    def steps(a: str, b: str) -> int:
        return FOUR.half_step_distance(FOUR.point_by_name[a], FOUR.point_by_name[b])

    assert steps("Aa1", "Aa1") == steps("Ab2", "Ca1") == 0
    assert steps("Aa1", "Ba1") == steps("Ab1", "Aa1") == 2
    assert steps("Aa1", "Ad1") == steps("Aa1", "Da1") == 6
    assert steps("Ad4", "Aa1") == 12
    assert steps("Bc1", "Aa3") == 5 + 3


def test_next_by_side_leads_away_from_side() -> None:
    def after(side: str, name: str) -> str:
        p = FOUR.next_by_side[SIDES.index(side)][FOUR.point_by_name[name]]
        return FOUR.point_names[p] if p >= 0 else "-"

    assert [after(side, "Bb2") for side in SIDES] == ["Bc2", "Ba2", "Bb3", "Bb1"]
    assert [after(side, "Ca1") for side in SIDES] == ["Cb1", "-", "Ca2", "-"]
    assert [after(side, "Da1") for side in SIDES] == ["-"] * 4


def test_sploof_example_is_a_sight_line() -> None:
    line = points(FOUR, "Ba1 Ca1 Bb2 Ac3")
    assert line in FOUR.sight_lines
    assert line not in FOUR.slopes
    assert points(FOUR, "Ca1 Bb2 Ac3") in FOUR.slopes
    assert FOUR.sight_lines is FOUR.sight_lines


# Every size.


@pytest.mark.parametrize("size", SIZES)
def test_pyramid_counts_follow_formulas(size: int) -> None:
    n, pyr = size, get_pyramid(size)
    flat = 2 * (n - 1) * n * (n + 1) // 3
    inclined = 4 * (n - 1) * n * (2 * n - 1) // 6
    assert (
        pyr.point_count == len(pyr.point_names) == len(set(pyr.point_names)) == n * (n + 1) * (2 * n + 1) // 6
    )
    assert len(pyr.contacts) == flat + inclined
    assert sum(1 for _, _, overpass in pyr.contacts if overpass) == 2 * (n - 2) * (n - 1) * n // 3
    assert sum(map(count, pyr.touching)) == 2 * len(pyr.contacts)
    assert sum(map(count, pyr.supports)) == sum(map(count, pyr.resting)) == inclined
    assert sum(map(count, pyr.diagonal)) == 2 * sum(2 * (w - 1) ** 2 for w in range(1, n + 1))
    faces = pyr.west | pyr.east | pyr.south | pyr.north
    assert points_below_others(pyr) == pyr.all_points & ~faces
    assert count(points_below_others(pyr)) == (n - 2) * (n - 1) * (2 * n - 3) // 6
    assert count(pyr.west) == count(pyr.east) == count(pyr.south) == count(pyr.north) == n * (n + 1) // 2
    assert len(pyr.rows) == len(set(pyr.rows)) == (n * (n + 1) // 2) ** 2 - pyr.point_count
    assert len(pyr.diagonals) == len(set(pyr.diagonals)) == n * n * (n * n - 1) // 6
    assert len(pyr.slopes) == len(set(pyr.slopes)) == n * n * (n * n - 1) // 3
    assert len(pyr.full_lines) == len(set(pyr.full_lines)) == n * n + 3 * n - 4
    assert [count(level) for level in pyr.levels] == [w * w for w in range(n, 0, -1)]


@pytest.mark.parametrize("size", SMALL)
def test_point_relations_match_marble_centres(size: int) -> None:
    pyr = get_pyramid(size)
    contacts = {(p, q): overpass for p, q, overpass in pyr.contacts}
    assert [pyr.point_by_name[name] for name in pyr.point_names] == list(range(pyr.point_count))
    for p in range(pyr.point_count):
        assert pyr.resting_points[p] == tuple(iter_bits(pyr.resting[p]))
        for q in range(pyr.point_count):
            step = step_vector(pyr, p, q)
            x, y, z = step
            assert bool(pyr.touching[p] >> q & 1) == is_contact(step)
            assert (
                bool(pyr.supports[p] >> q & 1)
                == bool(pyr.resting[q] >> p & 1)
                == (is_contact(step) and z < 0)
            )
            assert bool(pyr.diagonal[p] >> q & 1) == (abs(x) == abs(y) == 1 and z == 0)
            assert (
                (pyr.point_above[p] == q)
                == (pyr.point_below[q] == p)
                == (x == y == 0 and z > 0 and pyr.level[q] - pyr.level[p] == 2)
            )
            assert [onward[p] == q for onward in pyr.next_by_side] == [
                step == way for way in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))
            ]
            assert ((p, q) in contacts) == (p < q and is_contact(step))
            if p < q and is_contact(step):
                crossing = [
                    r
                    for r in range(pyr.point_count)
                    if z == 0 and pyr.supports[r] >> p & pyr.supports[r] >> q & 1
                ]
                assert contacts[p, q] == (sum(1 << r for r in crossing) if len(crossing) == 2 else 0)


@pytest.mark.parametrize("size", SMALL)
def test_lines_match_marble_centres(size: int) -> None:
    pyr = get_pyramid(size)
    rows = straight_runs(pyr, lambda v: is_contact(v) and v[2] == 0, lambda v: v)
    diagonals = straight_runs(pyr, lambda v: abs(v[0]) == abs(v[1]) == 1 and v[2] == 0, lambda v: v)
    slopes = straight_runs(pyr, lambda v: is_contact(v) and v[2] != 0, lambda v: v)
    seen_straight = straight_runs(pyr, is_contact, lambda v: v[:2])
    assert set(pyr.rows) == rows
    assert set(pyr.diagonals) == diagonals
    assert set(pyr.slopes) == slopes
    assert set(pyr.sight_lines) == seen_straight
    assert len(pyr.sight_lines) == len(seen_straight)
    # Shorter diagonals also go from edge to edge, but only the two longest go from corner to corner.
    spanning = {run for run in rows | diagonals if count(run) == size - pyr.level[min(iter_bits(run))]}
    assert set(pyr.full_lines) == spanning


def test_size_three_lines_have_expected_points() -> None:
    three = get_pyramid(3)
    assert len(three.rows) == 18 + 4
    diagonals = {names(three, line) for line in three.diagonals if count(line) == 3}
    assert diagonals == {"Aa1 Ab2 Ac3", "Ac1 Ab2 Aa3"}
    ridges = {"Aa1 Ba1 Ca1", "Ac1 Bb1 Ca1", "Aa3 Ba2 Ca1", "Ac3 Bb2 Ca1"}
    assert {names(three, line) for line in three.slopes if count(line) == 3} == ridges
    above_the_diagonal = {
        names(three, line) for line in three.sight_lines if count(line) == 5 and line & points(three, "Aa1")
    }
    assert above_the_diagonal == {"Aa1 Ac3 Ba1 Bb2 Ca1", "Aa1 Ab2 Ac3 Ba1 Bb2"}


@pytest.mark.parametrize("size", SIZES)
def test_pushes_from_each_side_cover_every_level(size: int) -> None:
    pyr = get_pyramid(size)
    edges = [pyr.west, pyr.east, pyr.south, pyr.north]
    for onward, edge in zip(pyr.next_by_side, edges, strict=True):
        walked = 0
        for p in iter_bits(edge):
            line = [p]
            while onward[line[-1]] >= 0:
                line.append(onward[line[-1]])
            assert len(line) == size - pyr.level[p]
            assert all(pyr.touching[a] >> b & 1 for a, b in pairwise(line))
            walked |= sum(1 << q for q in line)
        assert walked == pyr.all_points


@pytest.mark.parametrize("size", [0, 1, 11])
def test_unsupported_board_sizes_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"board size {size}: sizes are 2 to 10"):
        get_pyramid(size)


def test_pyramid_is_cached_by_size() -> None:
    assert get_pyramid(4) is FOUR


def test_bit_helpers_handle_wide_masks() -> None:
    mask = 1 << 384 | 1 << 64 | 1
    assert list(iter_bits(mask)) == [0, 64, 384]
    assert list(iter_bits(0)) == []
    assert (count(mask), count(0)) == (3, 0)


def test_unpickled_pyramid_is_the_cached_one() -> None:
    """States are sent to other processes and back, and must then share the cached pyramid."""
    for size in (2, 4, 10):
        assert pickle.loads(pickle.dumps(get_pyramid(size))) is get_pyramid(size)
