"""Mirror play: measures whether it pays to copy the opponent's moves on the other side of the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from shibumi3d.lab.jobs import AMONG_PLAYERS, GameText, Row, cut, row_of
from shibumi3d.search.arena import match
from shibumi3d.search.judge import looking
from shibumi3d.search.players import Analysis, Choice, Player

if TYPE_CHECKING:
    from shibumi3d.rules.game import Move, State


@runtime_checkable
class Copied(Protocol):
    """A game in which a move can be copied on the other side of the board."""

    def copied(self, move: Move, moves: Iterable[Move]) -> Any:
        """Return the move among ``moves`` that copies another seat's ``move``, or None.

        The copy is the same move after a half turn of the board, in the copying seat's colour if possible.
        """


@dataclass(frozen=True, slots=True)
class Copying:
    """Job that plays matches in which the second player copies the first.

    They are matches ``first`` to ``first + count - 1``. Where no copy is possible, the second player searches with
    ``ways`` simulations, as the first player always does.
    """

    kind: ClassVar[str] = "copying"
    table: GameText
    ways: int
    seed: int = 0
    first: int = 0
    count: int = 20

    def rows(self) -> list[Row]:
        """Play the matches and return a row for each.

        ``chosen`` is the number of moves by the second seat, and ``copied`` is the number of copies among them.
        """
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
        """Split the job into parts and yield them; the split doesn't depend on the number of workers."""
        yield from cut(self, AMONG_PLAYERS)


def can_copy(table: GameText) -> bool:
    """Return whether mirror play is possible, i.e. the game has two seats and supports copying."""
    return table.seats == 2 and isinstance(table.game(), Copied)


_made: list[Any] = []
"""Moves of the first seat's last turn that have not been copied yet.

The list is global because a match creates its own copies of the players.
"""
_counted: list[bool] = []
"""For each move of the second seat, whether it was a copy."""


class _Leading(Player):
    """The first player, whose moves the second player copies."""

    def choose(self, game: Any, view: State, *args: Any, **options: Any) -> Choice:
        chosen = super().choose(game, view, *args, **options)
        if view.step == 0:
            _made.clear()
        _made.extend(move for move in game.moves(view, options.get("seat")) if move.text == chosen.move)
        return chosen


class _Copy(Player):
    """The second player, which copies the moves of the first player's turn one by one."""

    def choose(self, game: Any, view: State, *args: Any, **options: Any) -> Choice:
        twin = game.copied(_made.pop(0), game.moves(view, options.get("seat"))) if _made else None
        _counted.append(twin is not None)
        if twin is None:
            return super().choose(game, view, *args, **options)
        return Choice(twin.text, Analysis(1, 0, 0.5))
