"""Lessons with marbles: one move that shows a rule at work, and turns that were better."""

from __future__ import annotations

from ...board.finding import TurnFinder
from ...board.taught import Tried
from .screen import Play


class Trial(Tried, Play):
    """Asks for the one move of a lesson with marbles."""


class Find(TurnFinder, Play):
    """Asks for better turns of a match of marbles."""
