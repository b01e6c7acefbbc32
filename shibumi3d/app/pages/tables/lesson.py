"""Lesson pages for tables other than marbles: find a move that illustrates a rule, or fix mistakes."""

from __future__ import annotations

from typing import Any

from ...board.finding import TurnFinder
from ...board.taught import Tried
from .screen import TablePlay


class TableTrial(Tried, TablePlay):
    """Page of a lesson that asks for a single move, at a table other than marbles."""


class TableFind(TurnFinder, TablePlay):
    """Page that asks for improvements on the moves played, at a table other than marbles."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.discs.crossed = self.crossed

    def crossed(self) -> list[str]:
        """Return the keys of the spots to cross out.

        These are the spots of the move played in the match. Once the user has tried a move, there are none.
        """
        one = self.one
        if one is None or self.phase != "ask" or self.match.plies:
            return []
        move = self.advice.move(self.whole.plies[one.at].move)
        if move is None:
            return []
        way = self.scene.way(move)
        return sorted((way.picks | {way.last}) & self.scene.spots().keys())
