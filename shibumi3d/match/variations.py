"""What was played in a match instead of what stands: whole histories, each told by where it leaves the one that
stands."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.match.ply import Ply

LINES = 100
"""The most variations that are kept of a match."""

Line = tuple[Ply, ...]
"""A whole history, from the first move."""


class Variations:
    """The histories that were left for another one. What begins another line, or the one that stands, is none."""

    def __init__(self) -> None:
        self._lines: list[Line] = []

    def keep(self, line: Line) -> None:
        """Keep a history, unless one that is kept goes further; the oldest is given up for it where there are
        :data:`LINES`."""
        kept = [each for each in self._lines if common(each, line) < len(each)]
        if all(common(line, each) < len(line) for each in kept):
            kept.append(line)
        self._lines = kept[-LINES:]

    def apart(self, history: Sequence[Ply]) -> tuple[tuple[int, Line], ...]:
        """Return after how many moves of ``history`` each leaves it, and its own moves from there."""
        found = []
        for line in self._lines:
            after = common(line, history)
            if after < len(line):
                found.append((after, line[after:]))
        return tuple(found)

    def forget(self, history: Sequence[Ply]) -> None:
        """Forget what ``history`` begins with: what is played again move by move is a variation no longer."""
        self._lines = [line for line in self._lines if common(line, history) < len(line)]

    def drop(self, line: Line) -> None:
        """Forget this very history."""
        self._lines = [each for each in self._lines if each != line]


def common(line: Sequence[Ply], other: Sequence[Ply]) -> int:
    """Return how many moves two histories begin with alike."""
    pairs = zip(line, other, strict=False)
    return next(
        (n for n, (a, b) in enumerate(pairs) if (a.move, a.seat, a.turn) != (b.move, b.seat, b.turn)),
        min(len(line), len(other)),
    )
