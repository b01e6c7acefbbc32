"""Record of a newly found problem."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal

from shibumi3d.search.problems.candidates import Candidate, Turn


@dataclass(frozen=True, slots=True)
class Finding:
    """A newly found problem.

    The fields are described at :class:`shibumi3d.catalogue.problems.ProvedProblem`.
    """

    kind: Literal["win", "hold", "once"]
    spot: Candidate = field(repr=False)
    n: int
    line: tuple[Turn, ...]
    also: tuple[Turn, ...] = ()
    wrong: tuple[tuple[Turn, Turn], ...] = ()
    surprise: int = 0
    themes: tuple[str, ...] = ()
    rating: int = 0
    work: int = 0
    slip: bool = False

    @property
    def key(self) -> Turn:
        """The solution: the only turn that achieves the goal."""
        return self.line[0]

    def told(self) -> dict[str, Any]:
        """Return the problem as a row of a file, with its fields under the names used there."""
        own = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "spot"}
        return {"moves": self.spot.moves, "seed": self.spot.seed, **own}


def tier(finding: Finding) -> str:
    """Return the difficulty of a problem: "easy", "middling" or "hard"."""
    if finding.n >= 4 or finding.surprise >= 1_000:
        return "hard"
    return "easy" if finding.n <= 2 and finding.surprise <= 100 else "middling"
