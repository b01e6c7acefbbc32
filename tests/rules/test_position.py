"""Positions: drawn examples, exhaustive checks for sizes 2 to 4, and comparisons with plain definitions."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.pyramid import SIDES, Pyramid, get_pyramid
from tests.rules import pushed_marbles
from tests.rules.drawn import board, drawn, names, points
from tests.rules.pushed_marbles import EntryPath

FOUR = get_pyramid(4)
WEST, EAST, SOUTH, NORTH = range(4)
Arc = tuple[int, int]

# Ba1 W, Bb1 R, Ba2 W, Bb2 B and Ca1 R lie on nine marbles.
PILE = """
    . . . . | . . . | . .
    W W W . | W B . | R .
    W W W . | W R .
    W W W .
    """
# Two black pairs, a red one under the overpass Bb1–Bb2; the row of holes north of them is empty.
CROSSING = """
    . . . . | . . .
    . B B . | . W .
    . R R . | . W .
    . B B .
    """


def arcs(pyr: Pyramid, text: str) -> tuple[Arc, ...]:
    """Return the arcs in a text such as ``"Bb1-Bc1 Ba1-Bb1"``, as pairs (from, to) of point numbers."""
    pairs = [arc.split("-") for arc in text.split()]
    return tuple((pyr.point_by_name[a], pyr.point_by_name[b]) for a, b in pairs)


def entry(picture: str, point: str, side: int) -> EntryPath | None:
    pyr, filled, _ = drawn(picture)
    return pushed_marbles.find_entry_path(pyr, filled, pyr.point_by_name[point], side)


def entry_with(text: str, side_drop: str = "") -> EntryPath:
    """Return an EntryPath on a board of size 4.

    ``text`` describes its pushes and ``side_drop`` its side drop, if any, in the notation of :func:`arcs`, such as
    ``"Bb1-Bc1"``.
    """
    return EntryPath(arcs(FOUR, text), arcs(FOUR, side_drop)[0] if side_drop else None)


def apply_steps(filled: int, steps: tuple[Arc, ...]) -> int:
    """Return the mask ``filled`` after ``steps``; assert that each of them moves a marble to an empty point."""
    for p, q in steps:
        assert filled >> p & 1
        assert not filled >> q & 1
        filled ^= 1 << p | 1 << q
    return filled


# What may be played and taken, what is seen.


def test_empty_board_is_playable_in_every_hole() -> None:
    assert position.playable_points(FOUR, 0) == FOUR.holes
    assert (
        position.free_marbles(FOUR, 0)
        == pushed_marbles.movable_marbles(FOUR, 0)
        == position.visible_marbles(FOUR, 0)
        == 0
    )


def test_full_level_is_playable_and_full_pyramid_is_not() -> None:
    assert names(FOUR, position.playable_points(FOUR, FOUR.holes)) == "Ba1 Bb1 Bc1 Ba2 Bb2 Bc2 Ba3 Bb3 Bc3"
    assert position.playable_points(FOUR, FOUR.all_points ^ FOUR.apex) == FOUR.apex
    assert position.playable_points(FOUR, FOUR.all_points) == 0


def test_drawn_pile_of_fourteen_marbles_is_classified() -> None:
    pyr, filled, _ = drawn(PILE)
    assert names(pyr, position.playable_points(pyr, filled)) == "Ad1 Ad2 Ad3 Aa4 Ab4 Ac4 Ad4"
    assert names(pyr, position.free_marbles(pyr, filled)) == "Ca1"
    assert names(pyr, position.pinned_marbles(pyr, filled)) == "Ab1 Aa2 Ab2 Ac2 Ab3"
    assert names(pyr, pushed_marbles.movable_marbles(pyr, filled)) == "Aa1 Ac1 Aa3 Ac3 Ba1 Bb1 Ba2 Bb2 Ca1"
    assert names(pyr, position.hidden_marbles(pyr, filled)) == "Ab2"
    assert position.visible_marbles(pyr, filled) == filled & ~points(pyr, "Ab2")
    assert position.unsupported_marbles(pyr, filled) == 0


def test_marble_without_support_floats() -> None:
    assert names(FOUR, position.unsupported_marbles(FOUR, points(FOUR, "Aa1 Ab1 Aa2 Ba1 Ca1"))) == "Ba1 Ca1"


def test_drops_follow_a_straight_diagonal() -> None:
    pyr, filled, _ = drawn(PILE)
    assert pushed_marbles.drop_chain(pyr, filled, pyr.point_by_name["Aa1"]) == arcs(pyr, "Ba1-Aa1 Ca1-Ba1")
    assert pushed_marbles.drop_chain(pyr, filled, pyr.point_by_name["Ac3"]) == arcs(pyr, "Bb2-Ac3 Ca1-Bb2")
    assert pushed_marbles.drop_chain(pyr, filled, pyr.point_by_name["Bb1"]) == arcs(pyr, "Ca1-Bb1")
    assert pushed_marbles.drop_chain(pyr, filled, pyr.point_by_name["Ca1"]) == ()


def test_pinned_marbles_cannot_be_taken() -> None:
    pyr, filled, _ = drawn(PILE)
    with pytest.raises(ValueError, match="the marble on Ab1 is pinned"):
        pushed_marbles.drop_chain(pyr, filled, pyr.point_by_name["Ab1"])
    with pytest.raises(ValueError, match="there is no marble on Ad4"):
        pushed_marbles.drop_chain(pyr, filled, pyr.point_by_name["Ad4"])


# Connections.


def test_overpass_cuts_the_underpass() -> None:
    pyr, filled, (white, black, red) = drawn(CROSSING)
    assert position.cut_contacts(pyr, filled) == arcs(pyr, "Ab2-Ac2")
    assert [names(pyr, group) for group in position.visible_groups(pyr, filled, red)] == ["Ab2", "Ac2"]
    assert position.visible_groups(pyr, filled, white) == (white,)
    # A single marble over a contact doesn't cut it.
    assert [names(pyr, group) for group in position.visible_groups(pyr, filled, black)] == [
        "Ab1 Ac1",
        "Ab3 Ac3",
    ]
    # Contacts between levels are never cut.
    assert position.visible_groups(pyr, filled, filled) == (filled,)


def test_hidden_marbles_have_no_groups() -> None:
    pyr, filled, (white, _, _) = drawn(PILE)
    # Ba1–Bb1, Bb1–Bb2, Bb2–Ba2 and Ba2–Ba1 only cut contacts of the hidden Ab2.
    assert position.visible_groups(pyr, filled, white) == (white & ~points(pyr, "Ab2"),)


def test_full_pyramid_shows_25_marbles() -> None:
    shown = position.visible_marbles(FOUR, FOUR.all_points)
    assert names(FOUR, FOUR.all_points & ~shown) == "Ab2 Ac2 Ab3 Ac3 Bb2"
    # All contacts that can be cut are cut, and each belongs to a hidden marble.
    cut = position.cut_contacts(FOUR, FOUR.all_points)
    assert len(cut) == 16
    assert all((1 << p | 1 << q) & ~shown for p, q in cut)


@pytest.mark.parametrize(
    ("picture", "length"),
    [
        ("B . . B \n . . . . \n . . . . \n . . . .", 0),
        ("W . . W \n . . . . \n W . . . \n W . . .", 2),
        # The longest branch of a cross is three; a ring counts completely.
        (". W . . \n W W W . \n . W . . \n . . . .", 3),
        ("W W W . \n W . W . \n W W W . \n . . . .", 8),
        # The same ring with a tail at its corner.
        ("W W W W \n W B W . \n W W W . \n . . . W", 9),
        # The contact Ab2–Ac2 is cut, but the path over Bb1 remains.
        ("B W W B | . . . \n B W W B | . W . \n B W W B | . W . \n B B B B", 8),
        # The red contact is cut.
        ("B B B B | . B . \n B R R B | . B . \n B R B B | . . . \n B B B B", 2),
    ],
)
def test_longest_path_length_matches_drawing(picture: str, length: int) -> None:
    pyr, filled, (white, _, red) = drawn(picture)
    assert position.longest_path_length(pyr, filled, white | red) == length


def test_longest_path_of_full_pyramid_visits_visible_marbles() -> None:
    assert position.longest_path_length(FOUR, FOUR.all_points, FOUR.all_points) == 25


# Entries.

# There are three marbles in the south row of B; Ad1 carries only Bc1.
SPLUSH = """
    B W B W | . . .
    W B W B | . . .
    B W B W | W B B
    W B B W
    """


def test_splush_worked_example_is_reproduced() -> None:
    # From the rule book: White takes the marble in the lower right corner, and the black marble falls into its place.
    # This leaves two marbles in the lower line; White's entry pushes them one to the right, so that one ends above
    # the marble that just fell.
    pyr, filled, _ = drawn(SPLUSH)
    assert pushed_marbles.find_entry_path(pyr, filled, pyr.point_by_name["Ba1"], WEST) is None
    corner = pyr.point_by_name["Ad1"]
    assert pushed_marbles.movable_marbles(pyr, filled) >> corner & 1
    drops = pushed_marbles.drop_chain(pyr, filled, corner)
    assert drops == arcs(pyr, "Bc1-Ad1")
    filled = apply_steps(filled ^ 1 << corner, drops)
    assert pushed_marbles.find_entry_path(pyr, filled, pyr.point_by_name["Ba1"], WEST) == entry_with(
        "Bb1-Bc1 Ba1-Bb1"
    )
    after = apply_steps(filled, arcs(pyr, "Bb1-Bc1 Ba1-Bb1")) | points(pyr, "Ba1")
    assert names(pyr, after & pyr.levels[1]) == "Ba1 Bb1 Bc1"
    assert position.unsupported_marbles(pyr, after) == 0


BOARD = "W W W W | . . . \n W W W W | . . . \n W W W W | . . . \n W W W W"


def test_entry_onto_empty_edge_point_pushes_nothing() -> None:
    assert entry(BOARD, "Ba1", WEST) == entry(BOARD, "Ba1", SOUTH) == entry_with("")
    assert entry(BOARD, "Bb3", NORTH) == entry(BOARD, "Bc2", EAST) == entry_with("")


def test_entry_is_possible_only_from_its_own_edge() -> None:
    assert entry(BOARD, "Ba1", EAST) is entry(BOARD, "Ba1", NORTH) is None
    assert entry(BOARD, "Bb1", WEST) is entry(BOARD, "Bb2", SOUTH) is None
    assert entry(BOARD, "Aa1", WEST) is None
    # There is no complete platform.
    assert entry(BOARD, "Ca1", WEST) is None
    assert entry(CROSSING, "Ba1", WEST) is None


def test_entry_pushes_unbroken_line_from_any_side() -> None:
    line = "W W W W | . . . \n W W W W | B B . \n W W W W | . . . \n W W W W"
    assert entry(line, "Ba2", WEST) == entry_with("Bb2-Bc2 Ba2-Bb2")
    assert entry(line, "Bc2", EAST) == entry_with("")
    assert entry(line, "Bb1", SOUTH) == entry_with("")
    assert entry(line, "Ba2", EAST) is None
    gap = "W W W W | . B . \n W W W W | . . . \n W W W W | . B . \n W W W W"
    assert entry(gap, "Bb1", SOUTH) == entry_with("Bb1-Bb2")
    assert entry(gap, "Bb3", NORTH) == entry_with("Bb3-Bb2")


def test_entry_never_pushes_marble_off_board() -> None:
    full_row = "W W W W | . . . \n W W W W | B B B \n W W W W | . . . \n W W W W"
    assert entry(full_row, "Ba2", WEST) is entry(full_row, "Bc2", EAST) is None
    assert all(
        pushed_marbles.find_entry_path(FOUR, FOUR.all_points, FOUR.point_by_name["Da1"], side) is None
        for side in range(4)
    )
    assert pushed_marbles.find_entry_path(
        FOUR, FOUR.all_points ^ FOUR.apex, FOUR.point_by_name["Da1"], NORTH
    ) == entry_with("")


def test_entry_cannot_push_carrying_marbles() -> None:
    carrying = "W W W W | . . . | . . \n W W W W | B B . | R . \n W W W W | B B . \n W W W W"
    assert entry(carrying, "Ba1", WEST) is entry(carrying, "Ba2", WEST) is None
    assert entry(carrying, "Bb1", SOUTH) is None
    # A marble beside the line may carry another.
    assert entry(carrying, "Ba3", WEST) == entry_with("")
    beside = "W W W W | B . . | . . \n W W W W | B B . | R . \n W W W W | B B . \n W W W W"
    assert entry(beside, "Ba3", WEST) == entry_with("Ba3-Bb3")
    assert entry(beside, "Ca1", WEST) is None
    assert entry(beside, "Ca1", SOUTH) == entry_with("Ca1-Ca2", "Ca2-Bb3")


def test_pushed_marble_drops_into_single_missing_support() -> None:
    hole = "W W W W | . . . \n W W W W | . . . \n W W W W | B B . \n W W W ."
    assert entry(hole, "Ba1", WEST) == entry_with("Bb1-Bc1 Ba1-Bb1", "Bc1-Ad1")
    # The same hole, reached from the other direction by a line along the east face.
    north = "W W W W | . . B \n W W W W | . . B \n W W W W | . . . \n W W W ."
    assert entry(north, "Bc3", NORTH) == entry_with("Bc2-Bc1 Bc3-Bc2", "Bc1-Ad1")
    # An inner hole, under the row along the north face.
    under = "W W W W | B . . \n W W . W | . . . \n W W W W | . . . \n W W W W"
    assert entry(under, "Ba3", WEST) == entry_with("Ba3-Bb3", "Bb3-Ac3")


def test_push_over_two_missing_supports_is_refused() -> None:
    two = "W W W W | . . . \n W W W W | . . . \n W W W . | B B . \n W W W ."
    assert entry(two, "Ba1", WEST) is None
    assert entry(two, "Bb1", SOUTH) == entry_with("Bb1-Bb2")


C_LINE = """
    W W W W | . . . | . .
    W W W W | B B B | R .
    W W W W | B B {}
    W W W {}
    """


def test_side_drop_falls_one_level_only() -> None:
    assert entry(C_LINE.format("B", "W"), "Ca1", WEST) == entry_with("Ca1-Cb1")
    # Bc1 is empty and playable, so the marble falls from C to B.
    assert entry(C_LINE.format(".", "W"), "Ca1", WEST) == entry_with("Ca1-Cb1", "Cb1-Bc1")
    # Bc1 lacks a support, so the marble would fall two levels.
    assert entry(C_LINE.format(".", "."), "Ca1", WEST) is None
    # Northward, two supports are missing: Ba3 and Bb3.
    assert entry(C_LINE.format("B", "W"), "Ca1", SOUTH) is None


def test_entry_pushes_and_drops_on_size_six() -> None:
    six = """
        WWWWWW | .....
        WWWWWW | .....
        WWWWWW | WWWW.
        WWWWW. | .....
        WWWWWW | .....
        WWWWWW
        """
    pyr, filled, _ = drawn(six)
    steps = arcs(pyr, "Bd3-Be3 Bc3-Bd3 Bb3-Bc3 Ba3-Bb3")
    assert pushed_marbles.find_entry_path(pyr, filled, pyr.point_by_name["Ba3"], WEST) == EntryPath(
        steps, arcs(pyr, "Be3-Af3")[0]
    )


# Board texts.


def test_board_text_formats_and_parses() -> None:
    empty = "....,....,....,..../...,...,.../..,../."
    assert position.format_board(FOUR, (0, 0, 0)) == empty
    assert position.parse_board(empty) == (4, (0, 0, 0))
    assert board(CROSSING) == "....,.BB.,.RR.,.BB./...,.W.,.W./..,../."
    size, (white, black, red) = position.parse_board("BWBW,WBWB,BWBW,WBWB/...,...,.../..,../.")
    assert (size, red) == (4, 0)
    assert names(FOUR, white) == "Aa1 Ac1 Ab2 Ad2 Aa3 Ac3 Ab4 Ad4"
    assert white | black == FOUR.holes


def test_board_text_lists_north_row_first() -> None:
    assert position.parse_board(".R,W./.") == (2, (1, 0, 1 << 3))
    three = get_pyramid(3)
    cells = (three.point_by_name["Ab1"], three.point_by_name["Ac2"], three.point_by_name["Aa3"])
    text = position.format_board(three, [1 << p for p in cells])
    assert text == "R..,..B,.W./..,../."


@pytest.mark.parametrize("size", range(2, 11))
def test_board_texts_round_trip(size: int) -> None:
    pyr = get_pyramid(size)
    for _, cells in random_play(pyr, seed=size, turns=30 + 3 * pyr.point_count):
        assert position.parse_board(position.format_board(pyr, cells)) == (size, cells)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a board has 2 to 10 levels separated by '/', but this text has 1"),
        ("/".join(["."] * 11), "a board has 2 to 10 levels separated by '/', but this text has 11"),
        ("..,../.,.", "level B: expected 1 rank, but found 2 in '.,.'"),
        ("..../.", "level A: expected 2 ranks, but found 1 in '....'"),
        ("..,.../.", "level A, rank 1: expected 2 cells, but found 3 in '...'"),
        ("...,..,.../..,../.", "level A, rank 2: expected 3 cells, but found 2 in '..'"),
        ("..,.w/.", "Ab1: 'w' is not one of W B R ."),
        ("WW,WW/?", "Ba1: '?' is not one of W B R ."),
        ("WW,WW/ ", "Ba1: ' ' is not one of W B R ."),
        ("W.,W./B", "Ba1: the marble has no support at Ab1 Ab2"),
    ],
)
def test_invalid_board_text_is_explained(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        position.parse_board(text)
    assert str(error.value) == message


# All positions at rest on sizes 2 to 4.


def stable_sets(pyr: Pyramid) -> list[int]:
    """Return, for each position at rest, the mask of its filled points; colours are ignored.

    In each position, some of the holes are filled, then some of the points of the next level that rest on four filled
    points, and so on upwards. Any level may also be empty.
    """
    found = []

    def grow(filled: int, level: int, k: int) -> None:
        found.append(filled)
        if k == pyr.size - 1:
            return
        platforms = sum(
            1 << p for p in iter_bits(pyr.levels[k + 1]) if pyr.supports[p] & level == pyr.supports[p]
        )
        chosen = platforms
        while chosen:
            grow(filled | chosen, chosen, k + 1)
            chosen = (chosen - 1) & platforms

    for holes in range(pyr.holes + 1):
        grow(holes, holes, 0)
    return found


@pytest.fixture(scope="module")
def stable_four() -> list[int]:
    return stable_sets(FOUR)


def test_stable_position_counts(stable_four: list[int]) -> None:
    assert len(stable_four) == len(set(stable_four)) == 141_120
    assert len(stable_sets(get_pyramid(3))) == 690
    # By hand: 16 sets of four holes, and one more with a marble on all four.
    assert len(stable_sets(get_pyramid(2))) == 17


def test_drop_is_always_one_unambiguous_chain(stable_four: list[int]) -> None:
    # When a marble that carries one is taken, at most one marble is falling at any moment; it lacks one support, the
    # place just left. In the end, all marbles are at rest.
    chains = 0
    supports = FOUR.supports
    for filled in stable_four:
        free = position.free_marbles(FOUR, filled)
        assert position.unsupported_marbles(FOUR, filled) == 0
        for p in iter_bits(pushed_marbles.movable_marbles(FOUR, filled) & ~free):
            chain = []
            now = filled ^ 1 << p
            while air := position.unsupported_marbles(FOUR, now):
                q = air.bit_length() - 1
                assert air == 1 << q
                gap = supports[q] & ~now
                now ^= air | gap
                assert gap == 1 << p
                chain.append((q, p))
                p = q
            assert pushed_marbles.drop_chain(FOUR, filled, chain[0][1]) == tuple(chain)
            chains += 1
    assert chains > len(stable_four)


def test_drop_keeps_its_direction(stable_four: list[int]) -> None:
    for filled in stable_four[::50]:
        for p in iter_bits(pushed_marbles.movable_marbles(FOUR, filled)):
            chain = pushed_marbles.drop_chain(FOUR, filled, p)
            ways = {(FOUR.file[q] - FOUR.file[r], FOUR.rank[q] - FOUR.rank[r]) for q, r in chain}
            assert len(ways) <= 1
            assert all(FOUR.level[q] == FOUR.level[r] + 1 for q, r in chain)


@pytest.mark.parametrize("size", [2, 3])
def test_entries_leave_stable_positions(size: int) -> None:
    pyr = get_pyramid(size)
    for filled in stable_sets(pyr):
        for p in range(pyr.point_count):
            for side in range(len(SIDES)):
                check_push(pyr, filled, p, side)


def check_push(pyr: Pyramid, filled: int, p: int, side: int) -> None:
    """Assert that ``find_entry_path`` and :func:`plain_entry` agree on an entry at ``p`` from a side.

    ``filled`` is the mask of points with marbles, and ``side`` an index into ``SIDES``. If the entry is legal, the
    pushed marbles must leave ``p`` empty, and every marble must be supported once the new one is at ``p``.
    """
    found = pushed_marbles.find_entry_path(pyr, filled, p, side)
    assert found == plain_entry(pyr, filled, p, side)
    if found is not None:
        after = apply_steps(filled, found.pushed + ((found.side_drop,) if found.side_drop else ()))
        assert not after >> p & 1
        assert position.unsupported_marbles(pyr, after | 1 << p) == 0


# Plain definitions, compared on random play.


def random_play(pyr: Pyramid, seed: int, turns: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield, after each of ``turns`` random moves, the filled points and the points of each colour.

    They are given as a mask of all filled points and a tuple of three masks, one for each colour. A move usually places
    a marble on a playable point. About one time in five, and whenever no point is playable, it removes a movable marble
    instead, and marbles above it drop. ``seed`` determines the moves.
    """
    chance = random.Random(seed)
    cells = [0, 0, 0]
    for _ in range(turns):
        filled = cells[0] | cells[1] | cells[2]
        playable = list(iter_bits(position.playable_points(pyr, filled)))
        if not playable or (filled and chance.random() < 0.2):
            p = chance.choice(list(iter_bits(pushed_marbles.movable_marbles(pyr, filled))))
            steps = pushed_marbles.drop_chain(pyr, filled, p)
            cells = [mask & ~(1 << p) for mask in cells]
            for origin, target in steps:
                cells = [mask ^ (1 << origin | 1 << target) if mask >> origin & 1 else mask for mask in cells]
        else:
            cells[chance.randrange(3)] |= 1 << chance.choice(playable)
        yield cells[0] | cells[1] | cells[2], tuple(cells)


def plain_entry(pyr: Pyramid, filled: int, point: int, side: int) -> EntryPath | None:
    """Return what happens when a marble enters at ``point`` from a side, or None if that is illegal.

    ``side`` is an index into ``SIDES``, and ``filled`` the mask of points with marbles. The result is computed from
    coordinates, to check ``find_entry_path``.
    """
    at = {(pyr.level[p], pyr.file[p], pyr.rank[p]): p for p in range(pyr.point_count)}
    marbles = set(iter_bits(filled))
    dx, dy = ((1, 0), (-1, 0), (0, 1), (0, -1))[side]
    k, i, j = pyr.level[point], pyr.file[point], pyr.rank[point]

    def missing(p: int) -> list[int]:
        return [q for q in iter_bits(pyr.supports[p]) if q not in marbles]

    if k == 0 or (k, i - dx, j - dy) in at or missing(point):
        return None
    line: list[int] = []
    while at.get((k, i, j)) in marbles:
        line.append(at[k, i, j])
        i, j = i + dx, j + dy
    if any(r in marbles for p in line for r in pyr.resting_points[p]):
        return None
    if not line:
        return EntryPath((), None)
    if (k, i, j) not in at:
        return None
    head = at[k, i, j]
    pushed = tuple(zip(reversed(line), [head, *reversed(line[1:])], strict=True))
    gaps = missing(head)
    if not gaps:
        return EntryPath(pushed, None)
    return EntryPath(pushed, (head, gaps[0])) if len(gaps) == 1 and not missing(gaps[0]) else None


def plain_groups(marbles: set[int], links: set[frozenset[int]]) -> set[frozenset[int]]:
    """Return the groups of marbles joined by links, found by merging groups link by link."""
    found = {p: frozenset([p]) for p in marbles}
    for link in links:
        if link <= marbles:
            merged = frozenset().union(*(found[p] for p in link))
            found.update(dict.fromkeys(merged, merged))
    return set(found.values())


def plain_longest(marbles: set[int], links: set[frozenset[int]]) -> int:
    """Return the number of marbles on the longest path along links, found by trying all paths."""

    def extend(p: int, used: set[int]) -> int:
        after = [q for q in marbles - used if frozenset((p, q)) in links]
        return 1 + max((extend(q, used | {q}) for q in after), default=0)

    return max((extend(p, {p}) for p in marbles), default=0)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(3))
def test_positions_match_plain_definitions(size: int, seed: int) -> None:
    pyr = get_pyramid(size)
    everywhere = range(pyr.point_count)
    for filled, cells in random_play(pyr, seed, turns=2 * pyr.point_count + 20):
        marbles = set(iter_bits(filled))
        carries = {p: sum(r in marbles for r in pyr.resting_points[p]) for p in marbles}
        hidden = {p for p in marbles if pyr.point_above[p] in marbles}
        playable = {p for p in everywhere if p not in marbles and set(iter_bits(pyr.supports[p])) <= marbles}
        assert set(iter_bits(position.playable_points(pyr, filled))) == playable
        assert set(iter_bits(position.free_marbles(pyr, filled))) == {p for p in marbles if carries[p] == 0}
        assert set(iter_bits(position.pinned_marbles(pyr, filled))) == {p for p in marbles if carries[p] >= 2}
        assert set(iter_bits(pushed_marbles.movable_marbles(pyr, filled))) == {
            p for p in marbles if carries[p] <= 1
        }
        assert set(iter_bits(position.hidden_marbles(pyr, filled))) == hidden
        assert set(iter_bits(position.visible_marbles(pyr, filled))) == marbles - hidden

        touching = {frozenset((p, q)) for p in marbles for q in marbles if pyr.touching[p] >> q & 1}
        cut = set()
        for p, q in map(sorted, touching):
            above = [r for r in pyr.resting_points[p] if r in pyr.resting_points[q]]
            if pyr.level[p] == pyr.level[q] and len(above) == 2 and marbles.issuperset(above):
                cut.add((p, q))
        assert set(position.cut_contacts(pyr, filled)) == cut
        shown = {link for link in touching if not link & hidden} - {frozenset(pair) for pair in cut}
        for mask in cells:
            own = set(iter_bits(mask))
            groups = {frozenset(iter_bits(group)) for group in position.visible_groups(pyr, filled, mask)}
            assert groups == plain_groups(own - hidden, shown)
            # Trying all paths of a large group would take too long.
            if max(map(len, groups), default=0) <= 8:
                assert position.longest_path_length(pyr, filled, mask) == plain_longest(own - hidden, shown)
        for p in everywhere:
            for side in range(len(SIDES)):
                check_push(pyr, filled, p, side)


def test_large_board_matches_plain_definitions() -> None:
    pyr = get_pyramid(10)
    history = list(random_play(pyr, seed=1, turns=700))
    assert all(position.unsupported_marbles(pyr, filled) == 0 for filled, _ in history)
    filled, cells = history[-1]
    contacts = [(p, q) for p, q, _ in pyr.contacts if filled >> p & filled >> q & 1]
    shown = position.visible_marbles(pyr, filled)
    links = {frozenset(pair) for pair in set(contacts) - set(position.cut_contacts(pyr, filled))}
    links = {link for link in links if all(shown >> p & 1 for p in link)}
    for mask in cells:
        groups = {frozenset(iter_bits(group)) for group in position.visible_groups(pyr, filled, mask)}
        assert groups == plain_groups(set(iter_bits(mask & shown)), links)
