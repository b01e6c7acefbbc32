"""Fixed encodings of moves and observations as numbers, e.g. for machine learning."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from shibumi3d.i18n import InvalidValueError
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.engine.rules import COLOUR, POINTS, SEAT, Rules
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.notation import choice_text, encode_move
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.rules.marbles.state import State

FULL_STOCK_MARBLES: Final = 16.0
"""Number of marbles in a stock that is encoded as 1.0."""


def list_all_choices(rules: Rules, title: str) -> tuple[str, ...]:
    """Return the texts of all conceivable choices in a game, without duplicates.

    The order depends only on the rules. The list includes choices that are never legal, because it combines every point
    with every colour. Raises InvalidValueError, naming the ``title`` of the game, if players choose shapes or numbers,
    since these can't be listed.
    """
    for step in rules.program:
        if (
            step.op == "Pick"
            and step.choice_kind not in (COLOUR, SEAT)
            and not (step.choice_kind == POINTS and not step.terms[1])
        ):
            raise InvalidValueError(
                "the moves of {game} can't be numbered: players choose shapes or numbers that "
                "can't be listed in advance",
                game=title,
            )
    return tuple(dict.fromkeys(_choice_texts(rules)))


def _choice_texts(rules: Rules) -> Iterator[str]:
    done = {(step.op, step.choice_kind) for step in rules.program}
    ops = {op for op, _ in done}
    points, colours = range(rules.pyramid.point_count), range(rules.colour_count)
    for board in range(len(rules.board_names)):
        if "Place" in ops:
            for point in points:
                yield from (
                    _encode_and_format(rules, "place", board=board, point=point, colour=c) for c in colours
                )
        for op, kind in (("Take", "take"), ("Lift", "lift"), ("SetDown", "set")):
            if op in ops:
                yield from (_encode_and_format(rules, kind, board=board, point=point) for point in points)
        if "Enter" in ops:
            for colour in colours:
                for point, side in _entry_points(rules):
                    yield _encode_and_format(
                        rules, "enter", board=board, point=point, colour=colour, side=side
                    )
        if ("Pick", POINTS) in done:
            yield from (
                _encode_and_format(rules, "points", board=board, value=1 << point) for point in points
            )
    if ("Pick", COLOUR) in done:
        yield from (_encode_and_format(rules, "colour", colour=colour) for colour in colours)
    if ("Pick", SEAT) in done:
        yield from (_encode_and_format(rules, "seat", value=seat) for seat in range(rules.seats))
    if "Give" in ops:
        yield from (_encode_and_format(rules, "give", colour=colour) for colour in colours)
    if "Choose" in ops:
        yield from rules.labels
    yield from ("done", "pass")


def _entry_points(rules: Rules) -> Iterator[tuple[int, int]]:
    """Yield each point and side at which a marble can enter over an edge of an upper level."""
    pyramid = rules.pyramid
    for point in iter_bits(pyramid.all_points & ~pyramid.holes):
        for side in range(4):
            # A marble enters at a point that has no neighbour on that side of its level.
            if pyramid.next_by_side[side ^ 1][point] < 0:
                yield point, side


def _encode_and_format(rules: Rules, kind: str, *, board: int = 0, **fields: Any) -> str:
    return choice_text(rules, encode_move(rules, Move(kind, "", board=board, **fields)), board)


@cache
def _padded_levels(size: int) -> tuple[tuple[int, ...], ...]:
    """Return the points of each level, row by row, padded with -1 to a full square.

    Levels above the first fill the south-west corner.
    """
    pyramid = get_pyramid(size)
    places = {(pyramid.level[p], pyramid.rank[p], pyramid.file[p]): p for p in range(pyramid.point_count)}
    return tuple(tuple(places.get((k, n // size, n % size), -1) for n in range(size**2)) for k in range(size))


def encode_observation(view: State, seat: int) -> tuple[tuple[int, ...], list[float]]:
    """Return the observation of a seat as a tensor of shape (P, S, S), where S is the size of the board.

    The result is the shape and the values in row-major order.

    Rows are counted from the south, columns from the west. Levels above the first fill the south-west corner of their
    planes. The P planes are, in this order:

    - for each board, level and colour (white, black, red): 1 at every marble of that colour
    - for each board and level: 1 at the point from which the marble in hand was picked up
    - for each colour: 1 everywhere if the marble in hand has this colour
    - for each stock (each seat's separately) and each colour: everywhere, the number of marbles divided by
      :data:`FULL_STOCK_MARBLES`, or -1 if the seat may not know all of the stock's contents
    - for each seat, starting with the observing one: 1 everywhere if it is to move
    - everywhere, the index of the phase
    """
    size, levels = view.size, _padded_levels(view.size)
    result: list[list[float]] = []

    def points(mask: int, level: tuple[int, ...]) -> None:
        result.append([float(p >= 0 and mask >> p & 1) for p in level])

    def number(value: float) -> None:
        result.append([float(value)] * size**2)

    held = view.held
    boards = range(len(view.board_names))
    for board in boards:
        cells = view.cells(board)
        for level in levels:
            for colour in range(len(COLOURS)):
                points(cells[colour], level)
    for board in boards:
        for level in levels:
            points(1 << held[1] if held is not None and held[2] == board and held[1] >= 0 else 0, level)
    for colour in range(len(COLOURS)):
        number(held is not None and held[0] == colour)
    for holders in view.reserves.values():
        for counts in holders:
            for name in COLOURS:
                number(-1 if "unknown" in counts else counts.get(name, 0) / FULL_STOCK_MARBLES)
    for other in range(view.seats):
        number(view.to_move == (seat + other) % view.seats)
    number(view.phase)
    return (len(result), size, size), [value for plane in result for value in plane]
