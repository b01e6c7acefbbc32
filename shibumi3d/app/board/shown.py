"""Snapshot of what a page shows, built once after each change and read by everything that draws it."""

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
    """A cached value, rebuilt by ``make`` when a dependency changes.

    ``follows`` returns the dependencies, which are compared by identity.
    """

    def __init__(self, make: Callable[[], T], follows: Callable[[], tuple[object, ...]]) -> None:
        self._make, self._follows = make, follows
        self._kept: tuple[tuple[object, ...], T] | None = None

    def drop(self) -> None:
        """Discard the value, so that it is rebuilt on the next access."""
        self._kept = None

    def get(self) -> T:
        """Return the value, rebuilding it if necessary."""
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
    """Snapshot of one moment of a match of marbles, as a page shows it.

    ``state`` is the state shown, and ``view`` what the viewer may know of it. ``passed`` are the moves that led to it;
    those with indexes in ``hidden`` are hidden from the viewer.

    ``covered`` holds the indexes of the boards that are covered, and ``board`` that of the board in use. The table is
    shown from the side of seat ``sitting``. ``asking`` is whether someone may make a choice now.

    ``marbles`` gives the colour of each marble once nothing moves, by board and point; ``landed`` lists the places that
    were filled in the last turn. ``steady`` are the signs that don't depend on what is selected.
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
