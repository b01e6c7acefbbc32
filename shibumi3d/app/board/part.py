"""Looped section of a replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shibumi3d.match.ply import Ply

BIG = 3
"""Minimum number of falls that makes a turn worth replaying."""


def fall(history: Sequence[Ply]) -> tuple[int, int] | None:
    """Return the turn with the most falls, as the numbers of plies before and after it.

    If several turns have the same number, it is the last of them. Return None if no turn has at least :data:`BIG`
    falls.
    """
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
    """Section of a replay that can be looped.

    ``span`` gives its ends as numbers of plies made, or is None for the whole match. ``on`` says whether it is looped.
    """

    def __init__(self) -> None:
        self.on = False
        self.span: tuple[int, int] | None = None

    def toggle(self) -> None:
        """Turn looping on, or turn it off and select the whole match again."""
        self.on = not self.on
        if not self.on:
            self.span = None

    def mark(self, ply: int, last: int, end: bool) -> None:
        """Set the start of the section to ``ply``, or its end if ``end`` is true; turn looping on.

        ``last`` is the number of plies of the match. If the section would be empty, its other end moves to the start or
        end of the match. If it is empty even then, looping is turned off.
        """
        begin, stop = self.span or (0, last)
        begin, stop = (begin, ply) if end else (ply, stop)
        if begin >= stop:
            begin, stop = (0, ply) if end else (ply, last)
        self.span = (begin, stop) if begin < stop else None
        self.on = self.span is not None

    def between(self, last: int) -> tuple[int, int]:
        """Return the ends of the section to play: those of the loop, or of the whole match."""
        return self.span if self.on and self.span is not None else (0, last)
