"""One-line notation for turns, used in records and problems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_ESCAPED = re.compile(r"\\(.)")
_MOVE = re.compile(r'"(?:[^"\\]|\\.)*"|seat [0-9]+|[^ "]+')
_TURN = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^,"]|,(?! ))+')


def join_turns(turns: Iterable[Sequence[str]]) -> str:
    """Format turns as one line, separated by commas."""
    return ", ".join(map(join_turn, turns))


def split_turns(line: str) -> tuple[tuple[str, ...], ...]:
    """Parse a line made by :func:`join_turns`. Raises ValueError for any other line."""
    found = []
    place = 0
    while place < len(line):
        match = _TURN.match(line, place)
        if match is None:
            raise ValueError(line)
        found.append(split_turn(match[0]))
        place = match.end() + len(", ")
    if join_turns(found) != line:
        raise ValueError(line)
    return tuple(found)


def join_turn(moves: Sequence[str]) -> str:
    """Format the moves of a turn as one line, separated by spaces."""
    return " ".join(_as_word(move) for move in moves)


def split_turn(line: str) -> tuple[str, ...]:
    """Parse a line made by :func:`join_turn`. Raises ValueError for any other line."""
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


def _as_word(move: str) -> str:
    if _MOVE.fullmatch(move) and not move.startswith('"'):
        return move
    escaped = move.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
