"""Sets of points that are placed as one shape: where each fits, and how it is rotated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import pyramid

if TYPE_CHECKING:
    from shibumi3d.match.match import Match
    from shibumi3d.rules.marbles.state import State

    from .spots import Spot

FEW = 8
"""Maximum number of values offered as buttons. If there are more, a number field is shown."""

Outline = tuple[tuple[float, ...], ...]
"""Positions of the points of a shape, relative to its first point."""


def _outline(move: Move, size: int) -> Outline:
    places = [pyramid(size).xyz[point] for point in bits(move.value)]
    return tuple(tuple(round(a - b, 3) for a, b in zip(at, places[0], strict=True)) for at in places)


class Laying(Protocol):
    """The part of the controller that :class:`Shapes` uses."""

    match: Match
    view: State
    """State, limited to what the seat to move may know."""
    moves: tuple[Move, ...]

    @property
    def state(self) -> State:
        """State at the cursor of the match."""

    def sets_at(self, spot: Spot) -> list[Move]:
        """Return the sets of points that a click on ``spot`` could select."""


class Shapes:
    """The shapes that the player to move can choose from, and the rotation of the shape shown."""

    def __init__(self, control: Laying) -> None:
        self.control = control
        self.begin()

    def begin(self) -> None:
        """Reset the rotation. Call this whenever the legal choices change."""
        self.turned = 0
        """Number of times the shape shown has been rotated."""
        self._numbers: dict[Move, tuple[int, ...]] | None = None

    def by_number(self) -> dict[Move, tuple[int, ...]]:
        """Return an example set of points for each number that the player can choose.

        This works only if the player must choose one of at most :data:`FEW` numbers, and each of them leads to a choice
        of sets of points. Otherwise, or if finding the sets would exceed the budget of one choice, the dict is empty.
        """
        numbers = [move for move in self.control.moves if move.kind == "number"]
        others = [move for move in self.control.moves if move.kind not in ("number", "pass")]
        if not 0 < len(numbers) <= FEW or others:
            return {}
        if self._numbers is None:
            self._numbers, game = {}, self.control.match.game
            left = 1.0
            for move in numbers:
                sets: list[Move] = []
                try:
                    if left > 0:
                        after, _ = game.apply(self.control.state, move)
                        left -= game.effort
                        sets = [m for m in game.moves(after) if m.kind == "points"]
                        left -= game.effort
                except RuleFailure:
                    sets = []
                if not sets:
                    self._numbers = {}
                    break
                # A set low on the board shows the shape most clearly.
                lowest = min(sets, key=lambda m: (sum(bits(m.value)), m.value))
                self._numbers[move] = tuple(bits(lowest.value))
        return self._numbers

    def turns(self) -> list[Outline]:
        """Return the outlines of all legal shapes, in every orientation that fits somewhere."""
        found = {_outline(move, self.control.view.size) for move in self.control.moves if self.lays(move)}
        return sorted(found)

    def laid(self, spot: Spot) -> Move | None:
        """Return the move that places a shape with a click on ``spot``, or None.

        The shape has the current orientation or, if that doesn't fit there, the next orientation that does. If several
        moves fit, return the move that has ``spot`` earliest among its points.
        """
        shapes = [move for move in self.control.sets_at(spot) if self.lays(move)]
        turns = self.turns() if shapes else []
        for step in range(len(turns)):
            outline = turns[(self.turned + step) % len(turns)]
            fitting = [move for move in shapes if _outline(move, self.control.view.size) == outline]
            if fitting:
                return min(fitting, key=lambda move: list(bits(move.value)).index(spot.point))
        return None

    def lays(self, move: Move) -> bool:
        """Return whether a move places marbles on several free points at once."""
        several = move.kind == "points" and move.value.bit_count() > 1
        return several and not move.value & self.control.view.filled(move.board)

    def choices_at(self, spot: Spot) -> int:
        """Return the number of outlines to rotate through at ``spot``; 0 if no shape fits there."""
        return len(self.turns()) if self.laid(spot) is not None else 0
