"""One-line notation for positions: the boards, the seat to move, the phase and the stocks.

``W...,....,..B.,..../...,...,.../..,../. 2`` is a board with the second seat to move in the first phase. With `` 2 3``
at the end, the match is in the third phase. A further ``hand=WWB|R`` gives the marbles in the hands of two seats.
"""

from __future__ import annotations

from shibumi3d.rules.game import Position


def join_position(position: Position) -> str:
    """Format a position as one line."""
    stocks = (
        f"{name}={letters if isinstance(letters, str) else '|'.join(letters)}"
        for name, letters in position.stocks.items()
    )
    phase = [str(position.phase + 1)] if position.phase or position.stocks else []
    return " ".join((*position.boards, str(position.to_move + 1), *phase, *stocks))


def split_position(line: str) -> Position:
    """Parse a line made by :func:`join_position`. Raises ValueError for any other line."""
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
    found = Position(tuple(words[:at]), int(words[at]) - 1, phase - 1, stocks)
    if min(found.to_move, found.phase) < 0 or join_position(found) != line:
        raise ValueError(line)
    return found
