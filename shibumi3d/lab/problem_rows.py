"""Problems as rows of a file, which are kept short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shibumi3d.catalogue.problems import ProvedProblem
from shibumi3d.rules.game import Position, Redrawable
from shibumi3d.search.problems.candidates import after
from shibumi3d.search.problems.finding import Finding

BYTES = 300
"""Preferred maximum size of a row in bytes."""
MOST_BYTES = 800
"""Maximum size in bytes of a row that doesn't fit into :data:`BYTES`.

Such a row usually contains the whole match, of up to fifty turns, because its position can't be defined otherwise.
"""
LARGE = 10
"""Minimum number of problems in a large set; very common themes are dropped from large sets."""


def problem_row(one: Finding, game: str, rules: str, number: int = 99) -> ProvedProblem | None:
    """Return a problem as row number ``number`` of a set, or None if it would be too long.

    The row contains the whole match if it fits. Otherwise it contains the position before the last turn, and that turn.
    It also contains as many wrong turns as fit.
    """
    whole = ProvedProblem(game=game, id=number, rules=rules, **one.told())
    if _bytes(whole) <= BYTES:
        return whole
    begun = _position(one)
    short = whole if begun is None else replace(whole, position=begun, moves=one.spot.moves[-1:])
    limits = (MOST_BYTES,) if begun is None else (BYTES, MOST_BYTES)
    return next((row for most in limits for row in _ever_fewer(short) if _bytes(row) <= most), None)


def telling(rows: Sequence[ProvedProblem]) -> list[ProvedProblem]:
    """Return the rows of a set without their uninformative themes.

    In a large set, a theme is uninformative if more than two thirds of the problems have it.
    """
    having = Counter(theme for row in rows for theme in row.themes)
    known = {theme for theme, number in having.items() if len(rows) < LARGE or 3 * number <= 2 * len(rows)}
    return [replace(row, themes=tuple(theme for theme in row.themes if theme in known)) for row in rows]


def _ever_fewer(row: ProvedProblem) -> Iterator[ProvedProblem]:
    """Yield a row with all its wrong turns, then with one fewer each time, down to none."""
    for wrong in range(len(row.wrong), -1, -1):
        yield replace(row, wrong=row.wrong[:wrong])


def _bytes(row: ProvedProblem) -> int:
    return len(row.row().encode())


def _position(one: Finding) -> Position | None:
    """Return the position before the last turn that led to a problem.

    Returns None if the position does not determine the state.
    """
    game, state = one.spot.game, one.spot.game.start(one.spot.state.seats, one.spot.seed)
    if not isinstance(game, Redrawable) or not one.spot.moves:
        return None
    for turn in one.spot.moves[:-1]:
        state = after(game, state, turn)
    return game.position_of(state)
