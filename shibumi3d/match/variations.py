"""Variations of a match: alternative lines that were played and then replaced.

Each line is stored as a whole history, and shown from the move where it differs from the current history.
"""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.match.ply import Ply

LINES = 100
"""Maximum number of variations of a match."""

Line = tuple[Ply, ...]
"""A whole history, starting with the first move."""


class Variations:
    """Alternative lines of a match.

    A line isn't a variation if another line or the current history begins with it.
    """

    def __init__(self) -> None:
        self._lines: list[Line] = []

    def keep(self, line: Line) -> None:
        """Add a line, unless a stored line begins with it.

        Stored lines with which the new line begins are removed. If there are more than :data:`LINES`, the oldest line
        is removed.
        """
        kept = [each for each in self._lines if common(each, line) < len(each)]
        if all(common(line, each) < len(line) for each in kept):
            kept.append(line)
        self._lines = kept[-LINES:]

    def apart(self, history: Sequence[Ply]) -> tuple[tuple[int, Line], ...]:
        """Return, for each line, the number of moves shared with ``history`` and its other moves."""
        found = []
        for line in self._lines:
            after = common(line, history)
            if after < len(line):
                found.append((after, line[after:]))
        return tuple(found)

    def forget(self, history: Sequence[Ply]) -> None:
        """Remove the lines with which ``history`` begins, since they are no longer variations."""
        self._lines = [line for line in self._lines if common(line, history) < len(line)]

    def drop(self, line: Line) -> None:
        """Remove ``line``."""
        self._lines = [each for each in self._lines if each != line]


def common(line: Sequence[Ply], other: Sequence[Ply]) -> int:
    """Return how many moves two histories share at their beginning."""
    pairs = zip(line, other, strict=False)
    return next(
        (n for n, (a, b) in enumerate(pairs) if (a.move, a.seat, a.turn) != (b.move, b.seat, b.turn)),
        min(len(line), len(other)),
    )
