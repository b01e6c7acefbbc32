"""Choices and what is seen as numbers, for programs that know nothing else: in fixed orders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.engine.rules import (
    COLOUR,
    DONE,
    ENTER,
    GIVE,
    LABEL,
    LIFT,
    PASS,
    PLACE,
    POINTS,
    SEAT,
    SET,
    TAKE,
    Rules,
)
from shibumi3d.rules.marbles.notation import text_of
from shibumi3d.rules.marbles.state import State
from shibumi3d.sayings import Unusable


def every_choice(rules: Rules, title: str) -> tuple[str, ...]:
    """Return the texts of all choices that rules may offer, each once, in an order that rests on the rules alone.

    Some of them may never be open: a point is listed with each colour. Raises Unusable, with the ``title`` of the game,
    where shapes or numbers are chosen: of these there is no fixed list.
    """
    for step in rules.code:
        if (
            step.op == "Pick"
            and step.kind not in (COLOUR, SEAT)
            and not (step.kind == POINTS and not step.terms[1])
        ):
            raise Unusable("research.sets", game=title)
    return tuple(dict.fromkeys(_texts(rules)))


def _texts(rules: Rules) -> Iterator[str]:
    done = {(step.op, step.kind) for step in rules.code}
    ops = {op for op, _ in done}
    points = range(rules.pyramid.count)
    for board in range(len(rules.board_names)):
        heads = [(board << 9 | point) << 3 for point in points]
        if "Place" in ops:
            yield from (_text(rules, PLACE, head | c, board) for head in heads for c in range(rules.colours))
        for op, kind in (("Take", TAKE), ("Lift", LIFT), ("SetDown", SET)):
            if op in ops:
                yield from (_text(rules, kind, head, board) for head in heads)
        if "Enter" in ops:
            for colour in range(rules.colours):
                for point, side in _entries(rules):
                    yield _text(rules, ENTER, (heads[point] | colour) << 2 | side, board)
        if ("Pick", POINTS) in done:
            yield from (_text(rules, POINTS, 1 << point << 4 | board, board) for point in points)
    if ("Pick", COLOUR) in done:
        yield from (_text(rules, COLOUR, colour, 0) for colour in range(rules.colours))
    if ("Pick", SEAT) in done:
        yield from (_text(rules, SEAT, seat, 0) for seat in range(rules.seats))
    if "Give" in ops:
        yield from (_text(rules, GIVE, colour, 0) for colour in range(rules.colours))
    if "Choose" in ops:
        yield from (_text(rules, LABEL, label, 0) for label in range(len(rules.labels)))
    yield _text(rules, DONE, 0, 0)
    yield _text(rules, PASS, 0, 0)


def _entries(rules: Rules) -> Iterator[tuple[int, int]]:
    """Every point above the holes that can be reached over the edge of its level, with each side it is reached from."""
    pyramid = rules.pyramid
    for point in bits(pyramid.all & ~pyramid.holes):
        for side in range(4):
            # Who enters from a side goes on away from it; behind the point there is none.
            if pyramid.onward[side ^ 1][point] < 0:
                yield point, side


def _text(rules: Rules, kind: int, payload: int, board: int) -> str:
    return text_of(rules, payload << 4 | kind, board)


FULL: Final = 16.0
"""So many marbles in a stock are told as 1."""


def figures(view: State, seat: int) -> tuple[tuple[int, ...], list[float]]:
    """Return what a seat sees as planes of a board, row by row: the shape (P, S, S) and the numbers in a row.

    Rows count from the south, columns from the west. The P planes are, in this order, for each board, each of its S
    levels (those above the first fill the corner at the south-west) and each of the colours white, black, red: 1 where
    such a marble stands; for each board and level: 1 where the marble in hand was taken up; for each colour: 1 all
    over if the marble in hand has it; for each stock, each of its holders and each colour: all over the number of its
    marbles in sixteenths, -1 for one that may not be known; for each seat, the one that looks first: 1 all over if it
    is to move; last the number of the phase, all over.
    """
    table, size = view.pyramid, view.size
    places = {(table.level[p], table.rank[p], table.file[p]): p for p in range(table.count)}
    squares = [[places.get((k, n // size, n % size), -1) for n in range(size**2)] for k in range(size)]
    found: list[list[float]] = []

    def points(mask: int) -> None:
        found.extend([float(p >= 0 and mask >> p & 1) for p in level] for level in squares)

    def number(value: float) -> None:
        found.append([float(value)] * size**2)

    held = view.held
    boards = range(len(view.board_names))
    for board in boards:
        cells = view.cells(board)
        for level in squares:
            found.extend([float(p >= 0 and cells[c] >> p & 1) for p in level] for c in range(len(COLOURS)))
    for board in boards:
        points(1 << held[1] if held is not None and held[2] == board and held[1] >= 0 else 0)
    for colour in range(len(COLOURS)):
        number(held is not None and held[0] == colour)
    for holders in view.reserves.values():
        for counts in holders:
            for name in COLOURS:
                number(-1 if "unknown" in counts else counts.get(name, 0) / FULL)
    for other in range(view.seats):
        number(view.to_move == (seat + other) % view.seats)
    number(view.phase)
    return (len(found), size, size), [value for plane in found for value in plane]
