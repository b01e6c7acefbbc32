"""Selection of the problems for a set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from shibumi3d.search.heuristics import make_search
from shibumi3d.search.problems.candidates import FoundProblem, difficulty

MIN_DIFFERING_POINTS = 3
"""Minimum number of points on which two problems of a set must differ."""
PROBLEMS_PER_DIFFICULTY = {"easy": 10, "middling": 12, "hard": 8}
"""Number of problems of each difficulty in a set."""
MAX_PROBLEMS_PER_THEME = 12
"""Maximum number of problems with the same theme."""


class ProblemSelection:
    """The problems selected so far for a set.

    Each problem must be new and meet the condition ``is_acceptable``. The number of problems is limited for each theme
    and for each difficulty.
    """

    def __init__(
        self, is_acceptable: Callable[[FoundProblem], bool], selected: Sequence[FoundProblem] = ()
    ) -> None:
        self.is_acceptable = is_acceptable
        self.selected = list(selected)
        self.spares: list[FoundProblem] = []
        """Problems that are good enough but exceed the limit for their difficulty or theme."""

    def is_new(self, finding: FoundProblem) -> bool:
        """Return whether a problem differs from all selected problems and spares at enough points.

        At least :data:`MIN_DIFFERING_POINTS` points must differ, however the boards are rotated or mirrored.
        """
        game, seat = finding.candidate.game, finding.candidate.seat
        view = game.observe(finding.candidate.state, seat)
        search = make_search(game, view, seat)
        all_problems = (*self.selected, *self.spares)
        return all(
            search.distance_to(game.observe(problem.candidate.state, problem.candidate.seat))
            >= MIN_DIFFERING_POINTS
            for problem in all_problems
        )

    def add(self, finding: FoundProblem) -> bool:
        """Add a problem if it is acceptable and new; return whether it was added.

        If the limit for its difficulty or for one of its themes has been reached, the problem is added as a spare. It
        is rejected if there are already as many spares as a complete set has problems.
        """
        if not (self.is_acceptable(finding) and self.is_new(finding)):
            return False
        counts_by_difficulty = Counter(map(difficulty, self.selected))
        of_theme = Counter(theme for problem in self.selected for theme in problem.themes)
        place = counts_by_difficulty[difficulty(finding)] < PROBLEMS_PER_DIFFICULTY[difficulty(finding)]
        if place and all(of_theme[theme] < MAX_PROBLEMS_PER_THEME for theme in finding.themes):
            self.selected.append(finding)
        elif len(self.spares) < sum(PROBLEMS_PER_DIFFICULTY.values()):
            self.spares.append(finding)
        else:
            return False
        return True

    @property
    def is_complete(self) -> bool:
        """Whether the target number of problems has been selected, not counting spares."""
        return len(self.selected) >= sum(PROBLEMS_PER_DIFFICULTY.values())

    def sorted_problems(self) -> list[FoundProblem]:
        """Return the problems, sorted by the number of turns to find and then by rating, lowest first.

        If fewer problems are selected than a set needs, spares are included.
        """
        left = max(0, sum(PROBLEMS_PER_DIFFICULTY.values()) - len(self.selected))
        return sorted([*self.selected, *self.spares[:left]], key=lambda problem: (problem.n, problem.rating))
