"""Lessons at tables of other kinds than marbles: one move that shows a rule at work, and choices that were better."""

from __future__ import annotations

from typing import Any

from ...board.finding import TurnFinder
from ...board.taught import Tried
from .screen import TablePlay


class TableTrial(Tried, TablePlay):
    """Asks for the one move of a lesson at such a table."""


class TableFind(TurnFinder, TablePlay):
    """Asks for better choices of a match at such a table."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.discs.crossed = self.crossed

    def crossed(self) -> list[str]:
        """Return the spots of what was played, until something is tried: that much is chosen there."""
        one = self.one
        if one is None or self.phase != "ask" or self.match.plies:
            return []
        move = self.advice.move(self.whole.plies[one.at].move)
        if move is None:
            return []
        way = self.scene.way(move)
        return sorted((way.picks | {way.last}) & self.scene.spots().keys())
