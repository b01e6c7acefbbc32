"""From clicks to moves on any table: what is picked, what a further click may mean, what it does. No pixels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from shibumi3d.scene.table import Clicks


class Meant(NamedTuple):
    """What a click came to: a move to make, several between which to choose, or only a change of what is picked."""

    move: Any = None
    several: tuple[Any, ...] = ()
    changed: bool = False


class Picking:
    """The moves open now as clicks; :meth:`begin` gives it others."""

    def __init__(self) -> None:
        self.ways: list[tuple[Any, Clicks]] = []
        self.picks: frozenset[str] = frozenset()
        self.slip: tuple[Any, ...] = ()
        """Moves between which a click left open which is meant."""

    def begin(self, moves: Sequence[Any], way: Callable[[Any], Clicks]) -> bool:
        """Take the moves that are open now, and return whether they are others than before: then nothing is picked."""
        ways = [(move, way(move)) for move in moves]
        if ways == self.ways:
            return False
        self.ways = ways
        self.picks, self.slip = frozenset(), ()
        return True

    def close(self) -> None:
        """No move is open, and nothing is picked, until others begin."""
        self.ways, self.picks, self.slip = [], frozenset(), ()

    @property
    def moves(self) -> list[Any]:
        """The moves that hold all that is picked; of a slip those on it."""
        if self.slip:
            return list(self.slip)
        return [move for move, way in self.ways if self.picks <= way.picks]

    @property
    def open(self) -> frozenset[str]:
        """The spots that a further click may mean."""
        found: set[str] = set()
        for _, way in self.ways:
            if self.picks <= way.picks:
                found |= way.picks - self.picks
                if self.picks == way.picks and way.last:
                    found.add(way.last)
        return frozenset(found)

    def drop(self) -> bool:
        """Nothing is picked any more; False where nothing was."""
        had = bool(self.picks or self.slip)
        self.picks, self.slip = frozenset(), ()
        return had

    def would(self, key: str) -> Any:
        """The move that a click on a spot would make; None where it makes none, or one of several."""
        ends = self._ends(key)
        return ends[0] if len(ends) == 1 and not self._further(key) else None

    def click(self, key: str) -> Meant:
        """Somebody clicks a spot."""
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
