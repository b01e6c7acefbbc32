"""One-line notation for turns and positions, used in records and problem files.

``W...,....,..B.,..../...,...,.../..,../. 2`` is a board with the second seat to move in the first phase. If the line
ends with ``2 3``, the match is in the third phase. A further ``hand=WWB|R`` gives the marbles in the hands of two
seats.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from shibumi3d.rules.game import Position


def format_position(position: Position) -> str:
    """Format a position as one line."""
    stocks = (
        f"{name}={letters if isinstance(letters, str) else '|'.join(letters)}"
        for name, letters in position.stocks.items()
    )
    phase = [str(position.phase + 1)] if position.phase or position.stocks else []
    return " ".join((*position.boards, str(position.to_move + 1), *phase, *stocks))


def parse_position(line: str) -> Position:
    """Parse a line made by :func:`format_position`.

    Raises ValueError for any other line.
    """
    words = line.split(" ")
    at = next((place for place, word in enumerate(words) if word.isdecimal()), 0)
    rest = words[at + 1 :]
    if not at or (rest and not rest[0].isdecimal()):
        raise ValueError(line)
    phase = int(rest.pop(0)) if rest else 1
    stocks: dict[str, str | tuple[str, ...]] = {}
    for word in rest:
        name, sign, letters = word.partition("=")
        if not name or not sign or name in stocks:
            raise ValueError(line)
        stocks[name] = tuple(letters.split("|"))
    position = Position(tuple(words[:at]), int(words[at]) - 1, phase - 1, stocks)
    if min(position.to_move, position.phase) < 0 or format_position(position) != line:
        raise ValueError(line)
    return position


_ESCAPED = re.compile(r"\\(.)")
_MOVE = re.compile(r'"(?:[^"\\]|\\.)*"|seat [0-9]+|[^ "]+')
_TURN = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^,"]|,(?! ))+')


def format_turns(turns: Iterable[Sequence[str]]) -> str:
    """Format turns as one line, separated by commas."""
    return ", ".join(map(format_turn, turns))


def parse_turns(line: str) -> tuple[tuple[str, ...], ...]:
    """Parse a line made by :func:`format_turns`. Raises ValueError for any other line."""
    found = []
    place = 0
    while place < len(line):
        match = _TURN.match(line, place)
        if match is None:
            raise ValueError(line)
        found.append(parse_turn(match[0]))
        place = match.end() + len(", ")
    if format_turns(found) != line:
        raise ValueError(line)
    return tuple(found)


def format_turn(moves: Sequence[str]) -> str:
    """Format a turn as one line: its moves, separated by spaces and quoted where necessary."""
    return " ".join(_quote_move(move) for move in moves)


def parse_turn(line: str) -> tuple[str, ...]:
    """Return the moves of a turn from a line made by :func:`format_turn`.

    Raises ValueError if the line is empty or invalid.
    """
    words: list[str] = []
    place = 0
    while place < len(line):
        match = _MOVE.match(line, place)
        if match is None or line[match.end() : match.end() + 1] not in ("", " "):
            raise ValueError(line)
        word = match[0]
        words.append(_ESCAPED.sub(r"\1", word[1:-1]) if word.startswith('"') else word)
        place = match.end() + 1
    if not words:
        raise ValueError(line)
    return tuple(words)


def _quote_move(move: str) -> str:
    if _MOVE.fullmatch(move) and not move.startswith('"'):
        return move
    escaped = move.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
