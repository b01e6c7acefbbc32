"""Matches for lessons."""

from __future__ import annotations

from shibumi3d.catalogue.lessons import Lesson
from shibumi3d.catalogue.schema import Entry
from shibumi3d.match.match import Match

from .seating import people


def staged(entry: Entry, lesson: Lesson) -> Match:
    """Return a match between people at the position of ``lesson``, after its lead-in moves.

    Raises CatalogueError, GameFileError, RuleFailure or ValueError if the game file is invalid.
    """
    game = entry.game(size=lesson.size or entry.size, variant=lesson.variant or None)
    state = lesson.begin(game)
    for move in lesson.lead:
        state, _ = game.apply(state, move)
    return Match(game, people((), state.seats), state=state)
