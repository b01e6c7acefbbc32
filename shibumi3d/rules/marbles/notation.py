"""The notation in which match records store moves and players type them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.colour import COLOURS, LETTERS
from shibumi3d.rules.marbles.engine.rules import Rules, number_code, number_of
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import SIDES

Fields = tuple[str, str, int, int, int, int, int, str]
"""The kind, text, board, point, colour, side, value and label of a choice."""


class ChoiceKind(NamedTuple):
    """A kind of choice, with conversions between the payload of its code and the fields of a move."""

    name: str
    read: Callable[[Rules, int, int], Fields]
    """Decodes a choice, given the rules, the code without its kind, and the current board."""
    write: Callable[[Rules, Move], int]
    points: Callable[[int], int] = lambda payload: 0
    """Returns the set of points that a choice refers to."""


def text_of(rules: Rules, code: int, board: int) -> str:
    """Return the notation of a choice (see :class:`~shibumi3d.rules.marbles.move.Move`).

    ``board`` is the current board.
    """
    return move_fields(rules, code, board)[1]


def move_fields(rules: Rules, code: int, board: int) -> Fields:
    """Return the kind, text, board, point, colour, side, value and label of a choice.

    ``board`` is the current board.
    """
    return KINDS[code & 15].read(rules, code >> 4, board)


def points_of(code: int) -> int:
    """Return a mask of the points that a choice refers to, or 0 if there are none."""
    return KINDS[code & 15].points(code >> 4)


def code_of(rules: Rules, move: Move) -> int:
    """Return the code of a move; this is the inverse of :func:`move_fields`."""
    number = kind_number(move.kind)
    return KINDS[number].write(rules, move) << 4 | number


def kind_number(name: str) -> int:
    """Return the number that represents a kind of choice in codes."""
    return next(number for number, kind in enumerate(KINDS) if kind.name == name)


# ---------------------------------------------------------------- kinds of choices


def _at_point(rules: Rules, move: Move) -> int:
    """Encode the board and point of a move, leaving the low three bits free for its colour."""
    return (move.board << 9 | move.point) << 3 | max(move.colour, 0)


def _read_place(rules: Rules, payload: int, board: int) -> Fields:
    colour, point, board = payload & 7, payload >> 3 & 511, payload >> 12
    return "place", f"{LETTERS[colour]}@{point_name(rules, point, board)}", board, point, colour, -1, 0, ""


def at_point(name: str, sign: str) -> ChoiceKind:
    """Return a kind of choice that refers to one point, written as a sign followed by the point."""

    def read(rules: Rules, payload: int, board: int) -> Fields:
        point, board = payload >> 3 & 511, payload >> 12
        return name, sign + point_name(rules, point, board), board, point, -1, -1, 0, ""

    return ChoiceKind(name, read, _at_point, _one)


def _one(payload: int) -> int:
    return 1 << (payload >> 3 & 511)


def _read_enter(rules: Rules, payload: int, board: int) -> Fields:
    side, colour, point, board = payload & 3, payload >> 2 & 7, payload >> 5 & 511, payload >> 14
    text = f"{LETTERS[colour]}>{point_name(rules, point, board)}/{SIDES[side][0].upper()}"
    return "enter", text, board, point, colour, side, 0, ""


def _read_points(rules: Rules, payload: int, board: int) -> Fields:
    board, points = payload & 15, payload >> 4
    text = "+".join(point_name(rules, p, board) for p in bits(points)) or "none"
    single = points.bit_length() - 1 if points.bit_count() == 1 else -1
    return "points", text, board, single, -1, -1, points, ""


def _read_colour(rules: Rules, payload: int, board: int) -> Fields:
    return "colour", COLOURS[payload], board, -1, payload, -1, 0, ""


def _read_seat(rules: Rules, payload: int, board: int) -> Fields:
    return "seat", f"seat {payload + 1}", board, -1, -1, -1, payload, ""


def _read_number(rules: Rules, payload: int, board: int) -> Fields:
    number = number_of(payload)
    return "number", str(number), board, -1, -1, -1, number, ""


def _read_give(rules: Rules, payload: int, board: int) -> Fields:
    return "give", f"{LETTERS[payload]}!", board, -1, payload, -1, 0, ""


def _read_label(rules: Rules, payload: int, board: int) -> Fields:
    return "label", rules.labels[payload], board, -1, -1, -1, 0, rules.labels[payload]


def _bare(name: str) -> ChoiceKind:
    """Return a kind of choice that consists of its name alone, without a point, colour or number."""
    return ChoiceKind(
        name, lambda rules, payload, board: (name, name, board, -1, -1, -1, 0, ""), lambda rules, move: 0
    )


KINDS: list[ChoiceKind] = [
    ChoiceKind("place", _read_place, _at_point, _one),
    at_point("take", "x"),
    at_point("lift", "^"),
    at_point("set", ">"),
    ChoiceKind(
        "enter",
        _read_enter,
        lambda rules, move: _at_point(rules, move) << 2 | move.side,
        lambda payload: 1 << (payload >> 5 & 511),
    ),
    ChoiceKind(
        "points", _read_points, lambda rules, move: move.value << 4 | move.board, lambda payload: payload >> 4
    ),
    ChoiceKind("colour", _read_colour, lambda rules, move: move.colour),
    ChoiceKind("seat", _read_seat, lambda rules, move: move.value),
    ChoiceKind("number", _read_number, lambda rules, move: number_code(move.value)),
    ChoiceKind("give", _read_give, lambda rules, move: move.colour),
    ChoiceKind("label", _read_label, lambda rules, move: rules.labels.index(move.label)),
    _bare("done"),
    _bare("pass"),
]
"""The kinds of choices, in the order of the engine's constants ``PLACE`` to ``PASS``."""


def point_name(rules: Rules, point: int, board: int) -> str:
    """Return the name of a point, preceded by that of its board if there are several."""
    name = rules.pyramid.names[point]
    return f"{rules.board_names[board]}.{name}" if len(rules.board_names) > 1 else name


def place_of(rules: Rules, name: str) -> tuple[int, int] | None:
    """Return the board and point named by a text from :func:`point_name`, or None for other texts."""
    title, _, point = name.rpartition(".")
    board = rules.board_names.index(title) if title in rules.board_names else 0 if not title else -1
    found = rules.pyramid.index.get(point, -1)
    return (board, found) if board >= 0 and found >= 0 else None
