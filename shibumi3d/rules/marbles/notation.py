"""Choices as text: the one grammar in which moves are written in records and typed by people."""

from __future__ import annotations

from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.colour import COLOURS, LETTERS
from shibumi3d.rules.marbles.engine.rules import (
    COLOUR,
    DONE,
    ENTER,
    GIVE,
    LABEL,
    LIFT,
    NUMBER,
    PLACE,
    POINTS,
    SEAT,
    SET,
    TAKE,
    Rules,
    number_code,
    number_of,
)
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import SIDES


def text_of(rules: Rules, code: int, board: int) -> str:
    """A choice as written (see :class:`~shibumi3d.rules.marbles.move.Move`); ``board`` is the one spoken of."""
    return move_fields(rules, code, board)[1]


def move_fields(rules: Rules, code: int, board: int) -> tuple[str, str, int, int, int, int, int, str]:
    """kind, text, board, point, colour, side, value and label of a choice."""
    kind, payload = code & 15, code >> 4
    if kind == PLACE:
        colour, point, board = payload & 7, payload >> 3 & 511, payload >> 12
        return (
            "place",
            f"{LETTERS[colour]}@{point_name(rules, point, board)}",
            board,
            point,
            colour,
            -1,
            0,
            "",
        )
    if kind in (TAKE, LIFT, SET):
        point, board = payload >> 3 & 511, payload >> 12
        name = ("take", "lift", "set")[kind - TAKE]
        return name, "x^>"[kind - TAKE] + point_name(rules, point, board), board, point, -1, -1, 0, ""
    if kind == ENTER:
        side, colour, point, board = payload & 3, payload >> 2 & 7, payload >> 5 & 511, payload >> 14
        text = f"{LETTERS[colour]}>{point_name(rules, point, board)}/{SIDES[side][0].upper()}"
        return "enter", text, board, point, colour, side, 0, ""
    if kind == POINTS:
        board, payload = payload & 15, payload >> 4
        text = "+".join(point_name(rules, p, board) for p in bits(payload)) or "none"
        single = payload.bit_length() - 1 if payload.bit_count() == 1 else -1
        return "points", text, board, single, -1, -1, payload, ""
    if kind == COLOUR:
        return "colour", COLOURS[payload], board, -1, payload, -1, 0, ""
    if kind == SEAT:
        return "seat", f"seat {payload + 1}", board, -1, -1, -1, payload, ""
    if kind == NUMBER:
        number = number_of(payload)
        return "number", str(number), board, -1, -1, -1, number, ""
    if kind == GIVE:
        return "give", f"{LETTERS[payload]}!", board, -1, payload, -1, 0, ""
    if kind == LABEL:
        return "label", rules.labels[payload], board, -1, -1, -1, 0, rules.labels[payload]
    name = "done" if kind == DONE else "pass"
    return name, name, board, -1, -1, -1, 0, ""


def points_of(code: int) -> int:
    """The points that a choice names, as a set; none when it names no point."""
    kind, payload = code & 15, code >> 4
    if kind in (PLACE, TAKE, LIFT, SET):
        return 1 << (payload >> 3 & 511)
    if kind == ENTER:
        return 1 << (payload >> 5 & 511)
    return payload >> 4 if kind == POINTS else 0


KINDS = (
    "place", "take", "lift", "set", "enter", "points", "colour", "seat", "number", "give", "label", "done", "pass",
)  # fmt: skip
"""The kinds of moves, in the order of the kinds of choice."""


def code_of(rules: Rules, move: Move) -> int:
    """The choice that a move is: what :func:`move_fields` read backwards."""
    place = (move.board << 9 | move.point) << 3
    if move.kind == "place":
        payload = place | move.colour
    elif move.kind == "enter":
        payload = (place | move.colour) << 2 | move.side
    elif move.kind == "points":
        payload = move.value << 4 | move.board
    elif move.kind == "number":
        payload = number_code(move.value)
    elif move.kind == "label":
        payload = rules.labels.index(move.label)
    else:
        payload = {
            "seat": move.value,
            "colour": move.colour,
            "give": move.colour,
            "done": 0,
            "pass": 0,
        }.get(move.kind, place)
    return payload << 4 | KINDS.index(move.kind)


def point_name(rules: Rules, point: int, board: int) -> str:
    """A point's name, with its board's where there are several."""
    name = rules.pyramid.names[point]
    return f"{rules.board_names[board]}.{name}" if len(rules.board_names) > 1 else name


def place_of(rules: Rules, name: str) -> tuple[int, int] | None:
    """The board and the point that :func:`point_name` calls so; None for any other text."""
    title, _, point = name.rpartition(".")
    board = rules.board_names.index(title) if title in rules.board_names else 0 if not title else -1
    found = rules.pyramid.index.get(point, -1)
    return (board, found) if board >= 0 and found >= 0 else None
