"""Mirror play: does it win to do what the other one did, on the other side of the board?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

from shibumi3d.lab.jobs import AMONG_PLAYERS, GameText, Row, cut, row_of
from shibumi3d.search.arena import match
from shibumi3d.search.judge import looking
from shibumi3d.search.players import Analysis, Choice, Player


@runtime_checkable
class Copied(Protocol):
    """A game in which a choice can be copied on the other side of the board, besides being a game."""

    def copied(self, move: Any, moves: Iterable[Any]) -> Any:
        """Return which of ``moves`` does the same as another seat's ``move`` after half a turn of the board, in the
        colour of the other seat if that can be; None where none does."""


@dataclass(frozen=True, slots=True)
class Copying:
    """Matches ``first`` to ``first + count`` for two, in which the second seat copies the first one's turns where it
    can, and else looks at as many ``ways`` as that."""

    kind: ClassVar[str] = "copying"
    table: GameText
    ways: int
    seed: int = 0
    first: int = 0
    count: int = 20

    def rows(self) -> list[Row]:
        """Play, and return a row for each match; ``copied`` is how many of the ``chosen`` choices were copies."""
        found = []
        for number in range(self.first, self.first + self.count):
            seated = [
                _Leading(looking(self.ways), self.seed * 1000),
                _Copy(looking(self.ways), self.seed * 1000 + 1),
            ]
            _made.clear()
            _counted.clear()
            one = match(self.table.game(), seated, f"{self.seed}/c{number}", 0, None)
            found.append(row_of(number, one) | {"copied": sum(_counted), "chosen": len(_counted)})
        return found

    def jobs(self) -> Iterator[Copying]:
        """Yield the parts in which it is done: the same ones for any number of workers."""
        yield from cut(self, AMONG_PLAYERS)


def can_copy(table: GameText) -> bool:
    """Return whether there is anything to copy, and somebody who does."""
    return table.seats == 2 and isinstance(table.game(), Copied)


_made: list[Any] = []
"""What the first seat did in its last turn: a match makes its players anew."""
_counted: list[bool] = []
"""Of each choice of the second seat whether it was a copy."""


class _Leading(Player):
    """Is copied."""

    def choose(self, game: Any, view: Any, *args: Any, **options: Any) -> Choice:
        chosen = super().choose(game, view, *args, **options)
        if view.step == 0:
            _made.clear()
        _made.extend(move for move in game.moves(view, options.get("seat")) if move.text == chosen.move)
        return chosen


class _Copy(Player):
    """Copies, one choice of a turn after the other."""

    def choose(self, game: Any, view: Any, *args: Any, **options: Any) -> Choice:
        twin = game.copied(_made.pop(0), game.moves(view, options.get("seat"))) if _made else None
        _counted.append(twin is not None)
        if twin is None:
            return super().choose(game, view, *args, **options)
        return Choice(twin.text, Analysis(1, 0, 0.5))
