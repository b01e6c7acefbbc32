"""The games of marbles: what tests of the engine, of the board and of its page go through."""

from __future__ import annotations

from shibumi3d.catalogue.catalogue import load
from shibumi3d.catalogue.schema import Entry
from shibumi3d.rules.kinds import USUAL


def marble_games() -> tuple[Entry, ...]:
    """Those of the catalogue, by title."""
    return tuple(entry for entry in load() if entry.kind == USUAL)
