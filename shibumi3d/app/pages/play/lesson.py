"""Lessons with marbles: find the move that illustrates a rule, or improve a turn of an earlier match."""

from __future__ import annotations

from shibumi3d.scene.marbles.signs import Ghost, Sign

from ...board.finding import TurnFinder
from ...board.last_turn import struck
from ...board.taught import Tried
from .screen import Play


class Trial(Tried, Play):
    """Lesson page with marbles that asks for a single move."""


class Find(TurnFinder, Play):
    """Page that asks for improvements on turns played in a match with marbles."""

    def lit(self) -> tuple[list[Sign], list[Ghost]]:
        """Return signs that cross out the turn played in the match, until the user tries another turn.

        After that, return the usual signs and ghosts.
        """
        one = self.one
        if one is None or self.phase != "ask" or self.match.plies:
            return super().lit()
        return struck(self.whole.plies[one.at : one.until])
