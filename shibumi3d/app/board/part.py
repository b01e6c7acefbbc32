"""Section of a replay that is played in a loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shibumi3d.match.ply import Ply

BIG = 3
"""Minimum number of falling marbles that makes a turn worth replaying."""


def fall(history: Sequence[Ply]) -> tuple[int, int] | None:
    """Return the turn in which the most marbles fell, as the numbers of plies before and after it.

    If there are several such turns, return the last of them. If fewer than :data:`BIG` marbles fell in every turn,
    return None.
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

    ``span`` holds the numbers of plies made at the section's start and end, or is None for the whole match. ``on`` is
    set if looping is on.
    """

    def __init__(self) -> None:
        self.on = False
        self.span: tuple[int, int] | None = None

    def toggle(self) -> None:
        """Turn looping on, or turn it off and select the whole match."""
        self.on = not self.on
        if not self.on:
            self.span = None

    def mark(self, ply: int, last: int, end: bool) -> None:
        """Set the start of the section to ``ply``, or its end if ``end`` is true, and turn looping on.

        ``last`` is the number of plies of the match. If the section would be empty, its other end is reset to the start
        or end of the match. If it is still empty, looping is turned off.
        """
        begin, stop = self.span or (0, last)
        begin, stop = (begin, ply) if end else (ply, stop)
        if begin >= stop:
            begin, stop = (0, ply) if end else (ply, last)
        self.span = (begin, stop) if begin < stop else None
        self.on = self.span is not None

    def between(self, last: int) -> tuple[int, int]:
        """Return the start and end of the part to play: the looped section, or the whole match."""
        return self.span if self.on and self.span is not None else (0, last)
