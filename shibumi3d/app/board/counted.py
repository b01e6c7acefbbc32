"""What the scores of those who play alone count."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.rules.ending import scored
from shibumi3d.rules.errors import GameFileError

from ..text import language


class Counted:
    """What the score of each game counts where one plays alone for the highest, read once a page."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def of(self, entry: Entry | None) -> str:
        """What it counts; empty elsewhere."""
        if entry is None or entry.players[0] > 1:
            return ""
        if entry.id not in self._known:
            self._known[entry.id] = _counted(entry)
        return self._known[entry.id]

    def told(self, entry: Entry | None, scores: Sequence[int]) -> str:
        """The score of one who played alone for it, in words; empty elsewhere."""
        what = self.of(entry) if scores else ""
        return scored(scores[0], what, language()) if what else ""


def _counted(entry: Entry) -> str:
    try:
        facts = entry.game().facts(1)
    except (CatalogueError, GameFileError, ValueError):
        return ""
    return facts.counted
