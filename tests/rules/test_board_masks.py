"""The masks, groups and keys of boards agree with plain definitions."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

import pytest

import shibumi3d
from shibumi3d.rules.marbles.engine.board import Board, Word, count_bits, points_by_table_index, table_index
from shibumi3d.rules.marbles.engine.lookahead import MAX_KEY, mix_words
from shibumi3d.rules.marbles.engines import get_engine
from shibumi3d.rules.marbles.pyramid import get_pyramid


@pytest.mark.parametrize("seed", range(20))
def test_playable_points_are_empty_and_supported(seed: int) -> None:
    """The playable points stay correct while marbles are placed and removed anywhere, even unsupported.

    A point is playable if it is empty and there is a marble on every point that supports it. The expected points are
    computed from this definition each time.
    """
    chance = Random(seed)
    table = get_pyramid(4)
    board = Board(0, table, 3, 3)
    colours: dict[int, int] = {}
    for _ in range(200):
        point = chance.randrange(table.point_count)
        if point in colours:
            board.remove(board.cells[point], colours.pop(point))
        else:
            colours[point] = chance.randrange(3)
            board.put(board.cells[point], colours[point])
        filled = sum(1 << point for point in colours)
        playable = {
            p
            for p in range(table.point_count)
            if p not in colours
            and all(q in colours for q in range(table.point_count) if table.supports[p] >> q & 1)
        }
        assert board.filled == filled
        assert {p for p in range(table.point_count) if board.playable >> p & 1} == playable


def test_bit_count_is_exact_for_all_densities() -> None:
    """In compiled code, bits are counted by sums of neighbouring bits, where off-by-one errors are easy to make."""
    chance = Random(1)
    masks = [(1 << n) - 1 for n in range(63)] + [chance.getrandbits(62) for _ in range(200)]
    assert [count_bits(mask) for mask in masks] == [bin(mask).count("1") for mask in masks]


@pytest.mark.parametrize("number", [14, 30, 55, 62])
def test_every_point_has_unique_table_index(number: int) -> None:
    """Looking up the table index of a point gives that point.

    The first three numbers of points are those of boards of sizes 3, 4 and 5. The last, 62, is the maximum for a set in
    one machine word.
    """
    row = points_by_table_index(number)
    assert [row[table_index(1 << point)] for point in range(number)] == list(range(number))


def test_position_keys_differ_for_different_values() -> None:
    """Keys are sums, but each of these tuples of values must have a different key.

    Some tuples contain the same values in a different order. Others contain values with equal sums, large values or
    negative values. Words with the value 0 add nothing to a key.
    """
    words = [Word(0) for _ in range(4)]
    for place, word in enumerate(words):
        word.salt = 0x9E3779B97F4A7C15 * (place + 3) & MAX_KEY | 1

    def key(*values: int) -> int:
        for word, value in zip(words, values, strict=True):
            word.value = value
        return mix_words(77, words)

    rows = [(0, 0, 0, 0), (3, 5, 0, 0), (5, 3, 0, 0), (4, 4, 0, 0), (0, 0, 3, 5), (-1, 0, 0, 0), (0, -1, 0, 0),
            (1, 0, 0, 0), (1 << 54, 0, 0, 0), (1 << 55, 0, 0, 0), (1 << 60, 0, 0, 0)]  # fmt: skip
    keys = [key(*values) for values in rows]
    assert len(set(keys)) == len(rows)
    assert all(0 <= found <= MAX_KEY for found in keys)
    assert keys == [key(*values) for values in rows]
    assert mix_words(77, words[:2]) == mix_words(77, [*words[:2], Word(0), Word(0)])


@pytest.mark.parametrize("size", [6, 7])
@pytest.mark.parametrize("seed", range(3))
def test_large_boards_match_plain_computation(size: int, seed: int) -> None:
    """Groups, pinned marbles and supports on large boards are the same as if computed point by point.

    The boards have 91 and 140 points. A set of that many points needs two and three machine words, respectively. A
    contact is cut while both marbles of an overpass above it are present; visible groups leave out cut contacts, full
    groups don't. A marble is pinned while it supports two or more others.
    """
    chance = Random(seed)
    table = get_pyramid(size)
    made: Any = import_module(get_engine(size).__name__.replace("interface", "board"))  # type: ignore[attr-defined]
    board = made.Board(0, table, 3, 3)
    filled: set[int] = set()
    for turn in range(400):
        # Usually build upwards, so that all levels have marbles.
        point = chance.choice(
            [
                p
                for p in range(table.point_count)
                if p in filled or table.supports[p] & _set(filled) == table.supports[p]
            ]
        )
        if point in filled:
            if chance.random() < 0.8 or any(p in filled for p in table.resting_points[point]):
                continue
            filled.discard(point)
            board.remove(board.cells[point], 0)
        else:
            filled.add(point)
            board.put(board.cells[point], 0)
        if turn % 10:
            continue
        cut = {frozenset((a, b)) for a, b, over in table.contacts if over and over & _set(filled) == over}
        among = {p for p in range(table.point_count) if chance.random() < 0.7} & filled
        for visibly, group in ((True, board.find_visible_group), (False, board.find_full_group)):
            for start in chance.sample(sorted(filled), min(4, len(filled))):
                found, todo = {start}, [start]
                while todo:
                    here = todo.pop()
                    for there in among - found:
                        if table.touching[here] >> there & 1 and not (
                            visibly and frozenset((here, there)) in cut
                        ):
                            found.add(there)
                            todo.append(there)
                assert group(1 << start, _set(among - {start})) == _set(found)
        below = [q for p in filled for q in range(table.point_count) if table.supports[p] >> q & 1]
        assert board.find_pinned() == _set({q for q in below if below.count(q) > 1})
        chosen = {p for p in among if chance.random() < 0.5}
        assert board.supports_of(_set(chosen)) == _set(
            {q for p in chosen for q in range(table.point_count) if table.supports[p] >> q & 1}
        )
    assert max(filled) > 62
    assert cut


@pytest.mark.parametrize("size", [4, 6, 7])
def test_sets_have_as_many_points_as_the_board(size: int) -> None:
    """Masks of points, and their negatives, are stored without loss, even on large boards.

    Boards of sizes 6 and 7 have 91 and 140 points, more than a 64-bit integer has bits. The points of a mask are
    counted correctly, and its highest and its ``n``-th point are the right ones.
    """
    count = get_pyramid(size).point_count
    made: Any = import_module(get_engine(size).__name__.replace("interface", "board"))  # type: ignore[attr-defined]
    chance = Random(size)
    for _ in range(200):
        points = {point for point in range(count) if chance.random() < 0.5} | {chance.randrange(count)}
        assert made.Word(_set(points)).value == _set(points)
        assert made.Word(-_set(points)).value == -_set(points)
        assert made.count_bits(_set(points)) == len(points)
        assert made.highest_bit(_set(points)) == max(points)
        n = chance.randrange(len(points))
        assert made.nth_point(_set(points), n) == sorted(points)[n]
    assert made.highest_bit(0) == -1


@pytest.mark.parametrize("size", [6, 7])
def test_playouts_keep_contacts_of_large_boards_up_to_date(size: int) -> None:
    table = get_pyramid(size)
    game = shibumi3d.game("spargo", variant="margo", size=size)
    fast = game.make_fast_game(seed=1)
    fast.load(game.start())
    (board,) = fast.machine.boards
    for _ in range(3):
        fast.playout()
        uncut = list(table.touching)
        for a, b, over in table.contacts:
            if over and over & board.filled == over:
                uncut[a] &= ~(1 << b)
                uncut[b] &= ~(1 << a)
        assert [cell.uncut_contacts for cell in board.cells] == uncut


def _set(points: set[int]) -> int:
    return sum(1 << point for point in points)
