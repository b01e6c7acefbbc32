"""Descriptions of finished matches, based on facts about their games and made without replaying them."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.i18n import language
from shibumi3d.rules.ending import scored
from shibumi3d.rules.errors import GameFileError
from shibumi3d.rules.game import Facts


class Counted:
    """Cache of game facts, for describing finished matches.

    The facts include what a solo game's score counts, and the reasons for which all players lose together.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], Facts | None] = {}

    def of(self, entry: Entry | None) -> str:
        """Return the unit of a solo game's score, or an empty string if the game has none."""
        facts = self._facts(entry, 1) if entry is not None and entry.players[0] == 1 else None
        return facts.counted if facts is not None else ""

    def told(self, entry: Entry | None, scores: Sequence[int]) -> str:
        """Return a solo match's score with its unit, or an empty string if the game has none."""
        what = self.of(entry) if scores else ""
        return scored(scores[0], what, language()) if what else ""

    def lost(
        self, entry: Entry | None, winners: Sequence[object], seats: int, reason: str | None = None
    ) -> bool:
        """Return whether a match without ``winners`` was lost by all seats together.

        If ``reason`` is None, return whether all seats can lose together in this game.
        """
        facts = self._facts(entry, seats) if entry is not None and seats > 1 and not winners else None
        return facts is not None and (bool(facts.lost_by) if reason is None else reason in facts.lost_by)

    def _facts(self, entry: Entry, seats: int) -> Facts | None:
        key = entry.id, seats
        if key not in self._known:
            try:
                self._known[key] = entry.game().facts(seats)
            except (CatalogueError, GameFileError, ValueError):
                self._known[key] = None
        return self._known[key]
