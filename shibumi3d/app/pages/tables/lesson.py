"""Lessons at tables of other kinds than marbles: one move that shows a rule at work, and choices that were better."""

from __future__ import annotations

from ...board.finding import TurnFinder
from ...board.taught import Tried
from .screen import TablePlay


class TableTrial(Tried, TablePlay):
    """Asks for the one move of a lesson at such a table."""


class TableFind(TurnFinder, TablePlay):
    """Asks for better choices of a match at such a table."""
