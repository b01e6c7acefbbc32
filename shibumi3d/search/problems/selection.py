"""Selection of the problems for a set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from shibumi3d.search.kinds import search_of
from shibumi3d.search.problems.finding import Finding, tier

APART = 3
"""Minimum number of points on which two problems of a set must differ."""
SHARES = {"easy": 10, "middling": 12, "hard": 8}
"""Number of problems of each difficulty in a set."""
ONE_THEME = 12
"""Maximum number of problems with the same theme."""


class Selection:
    """The problems of a set under construction.

    Each problem must be new and meet the condition ``fits``. The number of problems is limited for each theme and for
    each difficulty.
    """

    def __init__(self, fits: Callable[[Finding], bool], kept: Sequence[Finding] = ()) -> None:
        self.fits = fits
        self.kept = list(kept)
        self.spare: list[Finding] = []
        """Problems that are good enough but exceed the limit for their difficulty or theme."""

    def is_new(self, finding: Finding) -> bool:
        """Return whether a position differs enough from all others, in every orientation of the board."""
        game, seat = finding.spot.game, finding.spot.seat
        view = game.view(finding.spot.state, seat)
        search = search_of(game, view, seat)
        everybody = (*self.kept, *self.spare)
        return all(search.unlike(game.view(one.spot.state, one.spot.seat)) >= APART for one in everybody)

    def take(self, finding: Finding) -> bool:
        """Add a problem if it is new and there is room; return whether it was kept.

        If a limit on themes or difficulties is reached, the problem may be kept as a spare.
        """
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
        """Whether the set is complete."""
        return len(self.kept) >= sum(SHARES.values())

    def chosen(self) -> list[Finding]:
        """Return the problems, easiest first.

        Spares are used to fill the set.
        """
        left = max(0, sum(SHARES.values()) - len(self.kept))
        return sorted([*self.kept, *self.spare[:left]], key=lambda one: (one.n, one.rating))
