"""The notation in which match records store moves and players type them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.colours import COLOUR_LETTERS, COLOURS
from shibumi3d.rules.marbles.engine.rules import Rules, decode_number, encode_number
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import SIDES

ChoiceFields = tuple[str, str, int, int, int, int, int, str]
"""The kind, text, board, point, colour, side, value and label of a choice."""


class ChoiceKind(NamedTuple):
    """A kind of choice, with conversions between the payload of its code and the fields of a move."""

    name: str
    decode: Callable[[Rules, int, int], ChoiceFields]
    """Function that decodes a choice, given the rules, the code without its kind, and the current board."""
    encode: Callable[[Rules, Move], int]
    points: Callable[[int], int] = lambda payload: 0
    """Function that returns the set of points to which a choice refers, given the code without its kind."""


def choice_text(rules: Rules, code: int, board: int) -> str:
    """Return the notation of a choice (see :class:`~shibumi3d.rules.marbles.move.Move`).

    ``board`` is the index of the current board.
    """
    return decode_choice(rules, code, board)[1]


def decode_choice(rules: Rules, code: int, board: int) -> ChoiceFields:
    """Return the kind, text, board, point, colour, side, value and label of a choice.

    ``board`` is the index of the current board. It is returned for kinds of choices that involve no points, such as the
    choice of a colour. The point is -1 unless the choice refers to exactly one point. A colour or side that doesn't
    apply is -1, a value that doesn't apply is 0, and a label that doesn't apply is "".
    """
    return CHOICE_KINDS[code & 15].decode(rules, code >> 4, board)


def choice_points(code: int) -> int:
    """Return a mask of the points that a choice refers to, or 0 if there are none."""
    return CHOICE_KINDS[code & 15].points(code >> 4)


def encode_move(rules: Rules, move: Move) -> int:
    """Return the code of a move; this is the inverse of :func:`decode_choice`."""
    number = kind_number(move.kind)
    return CHOICE_KINDS[number].encode(rules, move) << 4 | number


def kind_number(name: str) -> int:
    """Return the number that stands for the kind ``name`` in the code of a choice."""
    return next(number for number, kind in enumerate(CHOICE_KINDS) if kind.name == name)


# ---------------------------------------------------------------- kinds of choices


def _encode_point(rules: Rules, move: Move) -> int:
    """Encode the board, point and colour of a move; the colour takes the low three bits."""
    return (move.board << 9 | move.point) << 3 | max(move.colour, 0)


def _decode_place(rules: Rules, payload: int, board: int) -> ChoiceFields:
    colour, point, board = payload & 7, payload >> 3 & 511, payload >> 12
    return (
        "place",
        f"{COLOUR_LETTERS[colour]}@{point_notation(rules, point, board)}",
        board,
        point,
        colour,
        -1,
        0,
        "",
    )


def single_point_kind(name: str, sign: str) -> ChoiceKind:
    """Return the choice kind called ``name``, whose choices are written as ``sign`` followed by a single point."""

    def read(rules: Rules, payload: int, board: int) -> ChoiceFields:
        point, board = payload >> 3 & 511, payload >> 12
        return name, sign + point_notation(rules, point, board), board, point, -1, -1, 0, ""

    return ChoiceKind(name, read, _encode_point, _payload_point)


def _payload_point(payload: int) -> int:
    return 1 << (payload >> 3 & 511)


def _decode_enter(rules: Rules, payload: int, board: int) -> ChoiceFields:
    side, colour, point, board = payload & 3, payload >> 2 & 7, payload >> 5 & 511, payload >> 14
    text = f"{COLOUR_LETTERS[colour]}>{point_notation(rules, point, board)}/{SIDES[side][0].upper()}"
    return "enter", text, board, point, colour, side, 0, ""


def _decode_points(rules: Rules, payload: int, board: int) -> ChoiceFields:
    board, points = payload & 15, payload >> 4
    text = "+".join(point_notation(rules, p, board) for p in iter_bits(points)) or "none"
    single = points.bit_length() - 1 if points.bit_count() == 1 else -1
    return "points", text, board, single, -1, -1, points, ""


def _decode_colour(rules: Rules, payload: int, board: int) -> ChoiceFields:
    return "colour", COLOURS[payload], board, -1, payload, -1, 0, ""


def _decode_seat(rules: Rules, payload: int, board: int) -> ChoiceFields:
    return "seat", f"seat {payload + 1}", board, -1, -1, -1, payload, ""


def _decode_number(rules: Rules, payload: int, board: int) -> ChoiceFields:
    number = decode_number(payload)
    return "number", str(number), board, -1, -1, -1, number, ""


def _decode_give(rules: Rules, payload: int, board: int) -> ChoiceFields:
    return "give", f"{COLOUR_LETTERS[payload]}!", board, -1, payload, -1, 0, ""


def _decode_label(rules: Rules, payload: int, board: int) -> ChoiceFields:
    return "label", rules.labels[payload], board, -1, -1, -1, 0, rules.labels[payload]


def _name_only_kind(name: str) -> ChoiceKind:
    """Return the choice kind called ``name``, whose choices are written as this name alone.

    Such a choice has no point, colour or number.
    """
    return ChoiceKind(
        name, lambda rules, payload, board: (name, name, board, -1, -1, -1, 0, ""), lambda rules, move: 0
    )


CHOICE_KINDS: list[ChoiceKind] = [
    ChoiceKind("place", _decode_place, _encode_point, _payload_point),
    single_point_kind("take", "x"),
    single_point_kind("lift", "^"),
    single_point_kind("set", ">"),
    ChoiceKind(
        "enter",
        _decode_enter,
        lambda rules, move: _encode_point(rules, move) << 2 | move.side,
        lambda payload: 1 << (payload >> 5 & 511),
    ),
    ChoiceKind(
        "points",
        _decode_points,
        lambda rules, move: move.value << 4 | move.board,
        lambda payload: payload >> 4,
    ),
    ChoiceKind("colour", _decode_colour, lambda rules, move: move.colour),
    ChoiceKind("seat", _decode_seat, lambda rules, move: move.value),
    ChoiceKind("number", _decode_number, lambda rules, move: encode_number(move.value)),
    ChoiceKind("give", _decode_give, lambda rules, move: move.colour),
    ChoiceKind("label", _decode_label, lambda rules, move: rules.labels.index(move.label)),
    _name_only_kind("done"),
    _name_only_kind("pass"),
]
"""The kinds of choices, in the order of the engine's constants ``PLACE`` to ``PASS``."""


def point_notation(rules: Rules, point: int, board: int) -> str:
    """Return the name of a point, preceded by the name of its board if there are several boards."""
    name = rules.pyramid.point_names[point]
    return f"{rules.board_names[board]}.{name}" if len(rules.board_names) > 1 else name


def parse_point(rules: Rules, name: str) -> tuple[int, int] | None:
    """Return the board and the point that ``name`` refers to, or None if it isn't the name of a point.

    The format is that of :func:`point_notation`. If ``name`` doesn't include a board, the point is on the first board.
    """
    title, _, point = name.rpartition(".")
    board = rules.board_names.index(title) if title in rules.board_names else 0 if not title else -1
    point_index = rules.pyramid.point_by_name.get(point, -1)
    return (board, point_index) if board >= 0 and point_index >= 0 else None
