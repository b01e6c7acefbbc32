"""Section of a match that is replayed in a loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shibumi3d.match.history import Ply

MIN_NOTABLE_FALL = 3
"""Minimum number of falling marbles that makes a turn worth replaying."""


def find_biggest_fall(history: Sequence[Ply]) -> tuple[int, int] | None:
    """Return the turn with the most falls of marbles, as a half-open range of ply indices.

    A marble that falls twice counts twice. If several turns have the most falls, return the last of them. Return None
    if even that turn has fewer than :data:`MIN_NOTABLE_FALL` falls.
    """
    drops: Counter[int] = Counter()
    for ply in history:
        drops[ply.turn] += sum(event.includes_fall for event in ply.events)
    most = max(drops.values(), default=0)
    if most < MIN_NOTABLE_FALL:
        return None
    turn = max(turn for turn, count in drops.items() if count == most)
    plies = [number for number, ply in enumerate(history) if ply.turn == turn]
    return plies[0], plies[-1] + 1


class LoopRange:
    """Section of a replay that can be looped.

    ``ply_range`` is the section as a half-open range of ply indices, or None for the whole match. ``is_on`` says
    whether looping is on.
    """

    def __init__(self) -> None:
        self.is_on = False
        self.ply_range: tuple[int, int] | None = None

    def toggle(self) -> None:
        """Turn looping on, or turn it off and select the whole match."""
        self.is_on = not self.is_on
        if not self.is_on:
            self.ply_range = None

    def set_end(self, ply: int, ply_count: int, is_end: bool) -> None:
        """Set the start of the looped section to ``ply``, or its end if ``is_end`` is set, and turn looping on.

        If the section would be empty, its other boundary is moved outwards to the start or end of the match. If it
        would still be empty, the whole match is selected, and looping is turned off. ``ply_count`` is the number of
        plies of the match.
        """
        begin, stop = self.ply_range or (0, ply_count)
        begin, stop = (begin, ply) if is_end else (ply, stop)
        if begin >= stop:
            begin, stop = (0, ply) if is_end else (ply, ply_count)
        self.ply_range = (begin, stop) if begin < stop else None
        self.is_on = self.ply_range is not None

    def playing_range(self, ply_count: int) -> tuple[int, int]:
        """Return the half-open range of ply indices to play.

        It is the looped section if looping is on, and otherwise the whole match.
        """
        return self.ply_range if self.is_on and self.ply_range is not None else (0, ply_count)
