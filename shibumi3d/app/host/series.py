"""Matches of computers that follow one another: how many, how fast, and who won them."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.i18n import _, ngettext
from shibumi3d.match.match import Match

SPEEDS = (1, 2, 4, 8)
"""How many times faster than at a table of people."""
MATCHES = (1, 5, 20, 100)
"""How many matches are played one after the other."""


class Series:
    """Matches between the same computers, who sit one seat on in every further one. ``names`` are who they are, in
    the order of the seats of the first."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.shift = 0
        """By how many seats they sit further on now."""
        self.wanted = MATCHES[0]
        self.speed = SPEEDS[0]
        self.matches = 0
        self.wins = [0] * len(names)
        """Alone or together with others."""
        self.draws = 0
        self._last: Match | None = None

    def at(self, seat: int) -> int:
        """Return who sits on ``seat``, as a place in ``names``."""
        return (seat - self.shift) % len(self.names)

    def note(self, match: Match) -> None:
        """Note a match that is over, once: its end may be gone back from and come again."""
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
        """Whether another match is to come."""
        return self.matches < self.wanted

    def rows(self) -> list[tuple[str, str, str]]:
        """Return the table of results: a name, what it won and its share of all matches; the last row are the draws."""
        won = [*zip(self.names, self.wins, strict=True)]
        found = [(name, ngettext("{n} win", "{n} wins", wins), self._share(wins)) for name, wins in won]
        return [*found, ("", ngettext("{n} draw", "{n} draws", self.draws), self._share(self.draws))]

    def _share(self, number: int) -> str:
        return _("{percent}%", percent=round(100 * number / self.matches)) if self.matches else ""
