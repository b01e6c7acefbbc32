"""A series of matches between computer players: its length, its speed and its results."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.i18n import ngettext, percent
from shibumi3d.match.match import Match

SPEEDS = (1, 2, 4, 8)
"""Available speeds, as multiples of the speed of matches between people."""
MATCHES = (1, 5, 20, 100)
"""Available lengths of a series, in matches."""


class Series:
    """A series of matches between the same computers, whose seats rotate by one after each match.

    ``names`` lists the players in the seat order of the first match.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.shift = 0
        """Number of seats by which the players are rotated now."""
        self.wanted = MATCHES[0]
        self.speed = SPEEDS[0]
        self.matches = 0
        self.wins = [0] * len(names)
        """Wins of each player, including shared ones."""
        self.draws = 0
        self._last: Match | None = None

    def at(self, seat: int) -> int:
        """Return who plays ``seat`` in the current match, as an index into ``names``."""
        return (seat - self.shift) % len(self.names)

    def note(self, match: Match) -> None:
        """Count a match if it is over.

        Each match is counted only once, even if its end is undone and reached again.
        """
        outcome = match.game.outcome(match.state)
        if outcome is None or match is self._last:
            return
        self._last = match
        self.matches += 1
        self.draws += not outcome.winners
        for seat in outcome.winners:
            self.wins[self.at(seat)] += 1

    @property
    def goes_on(self) -> bool:
        """Whether any matches are left to play."""
        return self.matches < self.wanted

    def rows(self) -> list[tuple[str, str, str]]:
        """Return the rows of the table of results, with draws last.

        Each row has a name, which is empty for draws, the number of wins or draws, and their share of all matches.
        """
        won = [*zip(self.names, self.wins, strict=True)]
        found = [(name, ngettext("{n} win", "{n} wins", wins), self._share(wins)) for name, wins in won]
        return [*found, ("", ngettext("{n} draw", "{n} draws", self.draws), self._share(self.draws))]

    def _share(self, number: int) -> str:
        return percent(number / self.matches) if self.matches else ""
