"""Lessons with marbles: one move that shows a rule at work, and turns that were better."""

from __future__ import annotations

from shibumi3d.scene.marbles.signs import Ghost, Sign

from ...board.finding import TurnFinder
from ...board.last_turn import struck
from ...board.taught import Tried
from .screen import Play


class Trial(Tried, Play):
    """Asks for the one move of a lesson with marbles."""


class Find(TurnFinder, Play):
    """Asks for better turns of a match of marbles."""

    def lit(self) -> tuple[list[Sign], list[Ghost]]:
        """Return what was played, crossed out, until something is tried; then what is shown on every page."""
        one = self.one
        if one is None or self.phase != "ask" or self.match.plies:
            return super().lit()
        return struck(self.whole.plies[one.at : one.until])
