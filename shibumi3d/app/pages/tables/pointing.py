"""Conversion of clicks on spots to moves: picks, open spots, and the effect of a click.

The module works with keys of spots and doesn't use screen coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from shibumi3d.scene.table import Clicks

if TYPE_CHECKING:
    from shibumi3d.rules.game import Move


class Meant(NamedTuple):
    """Effect of a click: the move to make, several moves to choose from, or only a change of picks."""

    move: Move = None
    several: tuple[Any, ...] = ()
    changed: bool = False


class Picking:
    """Picks made so far, and the legal moves represented as sequences of clicks."""

    def __init__(self) -> None:
        self.ways: list[tuple[Any, Clicks]] = []
        self.picks: frozenset[str] = frozenset()
        self.slip: tuple[Any, ...] = ()
        """Candidate moves of the last click if it was ambiguous; otherwise empty."""

    def begin(self, moves: Sequence[Move], way: Callable[[Any], Clicks]) -> bool:
        """Set the legal moves; return whether they have changed.

        If so, all picks are dropped.
        """
        ways = [(move, way(move)) for move in moves]
        if ways == self.ways:
            return False
        self.ways = ways
        self.picks, self.slip = frozenset(), ()
        return True

    def close(self) -> None:
        """Remove all moves and picks."""
        self.ways, self.picks, self.slip = [], frozenset(), ()

    @property
    def moves(self) -> list[Move]:
        """Moves that include all picks, or the candidates if the last click was ambiguous."""
        if self.slip:
            return list(self.slip)
        return [move for move, way in self.ways if self.picks <= way.picks]

    @property
    def open(self) -> frozenset[str]:
        """Keys of the spots on which another click could have an effect."""
        found: set[str] = set()
        for _, way in self.ways:
            if self.picks <= way.picks:
                found |= way.picks - self.picks
                if self.picks == way.picks and way.last:
                    found.add(way.last)
        return frozenset(found)

    def drop(self) -> bool:
        """Drop all picks; return False if there were none."""
        had = bool(self.picks or self.slip)
        self.picks, self.slip = frozenset(), ()
        return had

    def would(self, key: str) -> Any:
        """Return the move that a click on a spot would make.

        Return None if the click would make no move or would be ambiguous.
        """
        ends = self._ends(key)
        return ends[0] if len(ends) == 1 and not self._further(key) else None

    def click(self, key: str) -> Meant:
        """Handle a click on the spot ``key``.

        If the spot is picked, it is unpicked. Otherwise the click makes the only move that it completes, or adds a
        pick. If it could do both, or if it completes several moves, all moves in question are offered as a choice.
        """
        self.slip = ()
        if key in self.picks:
            self.picks -= {key}
            return Meant(changed=True)
        ends = self._ends(key)
        if self._further(key) and not ends:
            self.picks |= {key}
            return Meant(changed=True)
        if len(ends) == 1 and not self._further(key):
            return Meant(move=ends[0])
        if ends:
            further = [move for move, way in self.ways if self.picks | {key} <= way.picks]
            self.slip = (*ends, *[move for move in further if move not in ends])
            return Meant(several=self.slip, changed=True)
        return Meant()

    def _ends(self, key: str) -> list[Any]:
        return [move for move, way in self.ways if way.last == key and way.picks == self.picks]

    def _further(self, key: str) -> bool:
        return any(key in way.picks and self.picks <= way.picks for _, way in self.ways)
