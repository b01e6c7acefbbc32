"""Sets of points that are laid as one shape: where it may lie, and which way it is turned."""

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
"""How many numbers may each have a button; more are chosen on a slip."""

Outline = tuple[tuple[float, ...], ...]
"""Where the points of a shape lie, counted from the first."""


def _outline(move: Move, size: int) -> Outline:
    places = [pyramid(size).xyz[point] for point in bits(move.value)]
    return tuple(tuple(round(a - b, 3) for a, b in zip(at, places[0], strict=True)) for at in places)


class Laying(Protocol):
    """The choices among which there are shapes."""

    match: Match
    view: State
    """The state as the one to move may know it."""
    moves: tuple[Move, ...]

    @property
    def state(self) -> State:
        """The state at the cursor of the match."""

    def sets_at(self, spot: Spot) -> list[Move]:
        """Return the sets of points that a click there leads on to."""


class Shapes:
    """The shapes among the choices of the person to move."""

    def __init__(self, control: Laying) -> None:
        self.control = control
        self.begin()

    def begin(self) -> None:
        """The choices are others: nothing is turned yet."""
        self.turned = 0
        """How often the shape shown was turned."""
        self._numbers: dict[Move, tuple[int, ...]] | None = None

    def by_number(self) -> dict[Move, tuple[int, ...]]:
        """Of numbers that stand for sets of points to be chosen next: the points of one such set."""
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
                # A set low on the board shows best what it looks like.
                lowest = min(sets, key=lambda m: (sum(bits(m.value)), m.value))
                self._numbers[move] = tuple(bits(lowest.value))
        return self._numbers

    def turns(self) -> list[Outline]:
        """The outlines of all shapes that may be laid on free points, each way they may be turned."""
        found = {_outline(move, self.control.view.size) for move in self.control.moves if self.lays(move)}
        return sorted(found)

    def laid(self, spot: Spot) -> Move | None:
        """The shape that a click there lays: turned as it is now, or where that has no room, as it comes next.

        Of several that lie there the one that begins there, or sooner than the others.
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
        """Whether a move sets marbles on several free points at once."""
        several = move.kind == "points" and move.value.bit_count() > 1
        return several and not move.value & self.control.view.filled(move.board)

    def choices_at(self, spot: Spot) -> int:
        """In so many ways the shape that is shown there may be turned; 0: no shape is."""
        return len(self.turns()) if self.laid(spot) is not None else 0
