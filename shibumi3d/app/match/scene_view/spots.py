"""Conversion of clicks on spots to moves: picks, open spots, and the effect of a click."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.scene.table_scene import Clicks

if TYPE_CHECKING:
    from shibumi3d.rules.game import Move


class ClickResult(NamedTuple):
    """Effect of a click: the move to make, several moves to choose from, or only a change of picks.

    If the click had no effect, all fields have their default values.
    """

    move: Move | None = None
    candidates: tuple[Move, ...] = ()
    picks_changed: bool = False


class SpotSelection:
    """Spots picked so far, and the legal moves, each with the clicks that make it."""

    def __init__(self) -> None:
        self.click_paths: list[tuple[Move, Clicks]] = []
        self.picks: frozenset[str] = frozenset()
        self.ambiguous_moves: tuple[Move, ...] = ()
        """Candidate moves of the last click if it was ambiguous; otherwise empty."""

    def set_moves(self, moves: Sequence[Move], clicks_for: Callable[[Move], Clicks]) -> bool:
        """Set the legal moves; return whether they or their clicks have changed.

        If so, all picks are dropped. ``clicks_for`` returns the clicks that make a move.
        """
        ways = [(move, clicks_for(move)) for move in moves]
        if ways == self.click_paths:
            return False
        self.click_paths = ways
        self.picks, self.ambiguous_moves = frozenset(), ()
        return True

    def clear(self) -> None:
        """Remove all moves and picks."""
        self.click_paths, self.picks, self.ambiguous_moves = [], frozenset(), ()

    @property
    def moves(self) -> list[Move]:
        """Legal moves that are consistent with the clicks so far.

        These are the moves whose clicks include all picks. After an ambiguous click, they are only the moves that the
        click completes or leads to.
        """
        if self.ambiguous_moves:
            return list(self.ambiguous_moves)
        return [move for move, way in self.click_paths if self.picks <= way.picks]

    @property
    def open_spots(self) -> frozenset[str]:
        """Keys of the spots on which a click would add a pick or complete a move."""
        result: set[str] = set()
        for _, way in self.click_paths:
            if self.picks <= way.picks:
                result |= way.picks - self.picks
                if self.picks == way.picks and way.last_spot:
                    result.add(way.last_spot)
        return frozenset(result)

    def drop_picks(self) -> bool:
        """Drop all picks and the candidates of an ambiguous click; return whether there were any."""
        had = bool(self.picks or self.ambiguous_moves)
        self.picks, self.ambiguous_moves = frozenset(), ()
        return had

    def move_at(self, key: str) -> Move | None:
        """Return the move that a click on the spot ``key`` would make.

        Return None if the click would make no move or would be ambiguous.
        """
        ends = self._completed_moves(key)
        return ends[0] if len(ends) == 1 and not self._can_pick(key) else None

    def click(self, key: str) -> ClickResult:
        """Handle a click on the spot ``key``; return its effect.

        If the spot is already picked, it is unpicked. If the click can only add a pick, the spot is picked. If the
        click can only complete one move, the result contains that move, which the caller must make. If it can do both,
        or if it completes several moves, the result contains all moves that it completes or leads to, as candidates. A
        click that can do neither has no effect.

        In every case, the candidates of an earlier click are dropped.
        """
        self.ambiguous_moves = ()
        if key in self.picks:
            self.picks -= {key}
            return ClickResult(picks_changed=True)
        ends = self._completed_moves(key)
        if self._can_pick(key) and not ends:
            self.picks |= {key}
            return ClickResult(picks_changed=True)
        if len(ends) == 1 and not self._can_pick(key):
            return ClickResult(move=ends[0])
        if ends:
            further = [move for move, way in self.click_paths if self.picks | {key} <= way.picks]
            self.ambiguous_moves = (*ends, *[move for move in further if move not in ends])
            return ClickResult(candidates=self.ambiguous_moves, picks_changed=True)
        return ClickResult()

    def _completed_moves(self, key: str) -> list[Move]:
        return [move for move, way in self.click_paths if way.last_spot == key and way.picks == self.picks]

    def _can_pick(self, key: str) -> bool:
        return any(key in way.picks and self.picks <= way.picks for _, way in self.click_paths)
