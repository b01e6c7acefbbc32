"""Which of the problems that were found make a set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from shibumi3d.search.kinds import search_of
from shibumi3d.search.problems.finding import Finding, tier

APART = 3
"""Points on which a problem must differ from every other."""
SHARES = {"easy": 10, "middling": 12, "hard": 8}
"""How many problems of each tier a set has."""
ONE_THEME = 12
"""How many of them may have one theme."""


class Selection:
    """The problems of a set that is being made: those that are new, of one theme and one match not too many, and of
    each tier as many as it has places for; ``fits`` says whether one can be written."""

    def __init__(self, fits: Callable[[Finding], bool], kept: Sequence[Finding] = ()) -> None:
        self.fits = fits
        self.kept = list(kept)
        self.spare: list[Finding] = []
        """Those for which their tier has no place any more."""

    def is_new(self, finding: Finding) -> bool:
        """Return whether a position differs enough from every other, however the board is turned."""
        game, seat = finding.spot.game, finding.spot.seat
        view = game.view(finding.spot.state, seat)
        search = search_of(game, view, seat)
        everybody = (*self.kept, *self.spare)
        return all(search.unlike(game.view(one.spot.state, one.spot.seat)) >= APART for one in everybody)

    def take(self, finding: Finding) -> bool:
        """Keep a problem if it is new and has a place; return whether it was kept, perhaps as a spare one."""
        if not (self.fits(finding) and self.is_new(finding)):
            return False
        tiers = Counter(map(tier, self.kept))
        of_theme = Counter(theme for one in self.kept for theme in one.themes)
        place = tiers[tier(finding)] < SHARES[tier(finding)]
        if place and all(of_theme[theme] < ONE_THEME for theme in finding.themes):
            self.kept.append(finding)
        elif len(self.spare) < sum(SHARES.values()):
            self.spare.append(finding)
        else:
            return False
        return True

    @property
    def full(self) -> bool:
        """Whether every tier has all its problems."""
        return len(self.kept) >= sum(SHARES.values())

    def chosen(self) -> list[Finding]:
        """Return the problems, the easiest first; places that stayed empty are filled with spare ones."""
        left = max(0, sum(SHARES.values()) - len(self.kept))
        return sorted([*self.kept, *self.spare[:left]], key=lambda one: (one.n, one.rating))
