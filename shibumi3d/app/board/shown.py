"""Snapshot of what a page shows, rebuilt after each change and shared by everything that draws it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from shibumi3d.match.ply import Ply
    from shibumi3d.rules.marbles.state import State
    from shibumi3d.scene.marbles.signs import Sign

    from ..host.settings import Settings

T = TypeVar("T")


class Kept(Generic[T]):
    """A cached value, which ``make`` rebuilds when a dependency changes.

    ``follows`` returns the dependencies, which are compared by identity.
    """

    def __init__(self, make: Callable[[], T], follows: Callable[[], tuple[object, ...]]) -> None:
        self._make, self._follows = make, follows
        self._kept: tuple[tuple[object, ...], T] | None = None

    def drop(self) -> None:
        """Discard the value, so that the next access rebuilds it."""
        self._kept = None

    def get(self) -> T:
        """Return the value, after rebuilding it if necessary."""
        follows = self._follows()
        if self._kept is not None:
            for one, other in zip(follows, self._kept[0], strict=True):
                if one is not other:
                    break
            else:
                return self._kept[1]
        made = self._make()
        self._kept = follows, made
        return made


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """Snapshot of a position in a match of marbles, as a page shows it.

    ``state`` is the state shown, and ``view`` is the same state limited to what the viewer may know. ``passed`` holds
    the moves that led to the state, and ``hidden`` the indexes of the moves that are hidden from the viewer.

    ``covered`` holds the indexes of covered boards, and ``board`` is the index of the current board. The table is shown
    from the side of the seat ``sitting``. If ``asking`` is set, somebody may make a choice now.

    ``marbles`` maps (board, point) to the colour of the marble that is there once nothing moves. ``landed`` lists the
    places filled in the last turn. ``steady`` holds the signs that don't depend on the selection.
    """

    settings: Settings
    state: State
    view: State
    passed: Sequence[Ply]
    hidden: frozenset[int]
    covered: frozenset[int]
    board: int
    sitting: int
    asking: bool
    marbles: Mapping[tuple[int, int], int]
    landed: tuple[tuple[int, int], ...]
    steady: tuple[Sign, ...]
