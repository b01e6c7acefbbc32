"""The part of a replay that runs round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shibumi3d.match.ply import Ply

BIG = 3
"""The fewest falls that are worth seeing again."""


def fall(history: Sequence[Ply]) -> tuple[int, int] | None:
    """Between which plies lies the turn with most falls, of equals the last; None where few ever fell in one."""
    drops: Counter[int] = Counter()
    for ply in history:
        drops[ply.turn] += sum(event.falls for event in ply.events)
    most = max(drops.values(), default=0)
    if most < BIG:
        return None
    turn = max(turn for turn, count in drops.items() if count == most)
    plies = [number for number, ply in enumerate(history) if ply.turn == turn]
    return plies[0], plies[-1] + 1


class Part:
    """``span`` is its first and its last ply, None for all that there are; ``on`` whether it runs round at all."""

    def __init__(self) -> None:
        self.on = False
        self.span: tuple[int, int] | None = None

    def toggle(self) -> None:
        """Runs round, or not any more; then the part is all."""
        self.on = not self.on
        if not self.on:
            self.span = None

    def mark(self, ply: int, last: int, end: bool) -> None:
        """Begins or ends at ``ply``, of ``last``; where nothing would be left of it, the other end gives way."""
        begin, stop = self.span or (0, last)
        begin, stop = (begin, ply) if end else (ply, stop)
        if begin >= stop:
            begin, stop = (0, ply) if end else (ply, last)
        self.span = (begin, stop) if begin < stop else None
        self.on = self.span is not None

    def between(self, last: int) -> tuple[int, int]:
        """The plies between which it runs, of ``last``."""
        return self.span if self.on and self.span is not None else (0, last)
