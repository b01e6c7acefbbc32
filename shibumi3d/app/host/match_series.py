"""A series of matches between computer players: its length, its speed and its results."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.i18n import format_percent, ngettext
from shibumi3d.match.match import Match

SPEED_FACTORS = (1, 2, 4, 8)
"""Available speeds, as multiples of the normal speed."""
SERIES_LENGTHS = (1, 5, 20, 100)
"""Available lengths of a series, in matches."""


class MatchSeries:
    """A series of matches between the same computer players, whose seats rotate by one after each match.

    ``names`` lists the players in the seat order of the first match.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.rotation = 0
        """Number of seats by which the players have been rotated."""
        self.target_matches = SERIES_LENGTHS[0]
        self.speed = SPEED_FACTORS[0]
        self.matches_played = 0
        self.wins = [0] * len(names)
        """Number of wins of each player, including shared ones."""
        self.draws = 0
        self._last_match: Match | None = None

    def player_at(self, seat: int) -> int:
        """Return the player in ``seat`` in the current match, as an index into ``names``."""
        return (seat - self.rotation) % len(self.names)

    def record_match(self, match: Match) -> None:
        """Count a match and its result if the match is over.

        The same match isn't counted twice, even if its end is undone and reached again.
        """
        outcome = match.game.outcome(match.state)
        if outcome is None or match is self._last_match:
            return
        self._last_match = match
        self.matches_played += 1
        self.draws += not outcome.winners
        for seat in outcome.winners:
            self.wins[self.player_at(seat)] += 1

    @property
    def has_matches_left(self) -> bool:
        return self.matches_played < self.target_matches

    def result_rows(self) -> list[tuple[str, str, str]]:
        """Return the rows of the table of results, with draws last.

        Each row consists of a name (empty for draws), the number of wins or draws, and their share of all matches. The
        share is empty before the first match has been played.
        """
        won = [*zip(self.names, self.wins, strict=True)]
        rows = [(name, ngettext("{n} win", "{n} wins", wins), self._format_share(wins)) for name, wins in won]
        return [*rows, ("", ngettext("{n} draw", "{n} draws", self.draws), self._format_share(self.draws))]

    def _format_share(self, count: int) -> str:
        return format_percent(count / self.matches_played) if self.matches_played else ""
