"""What a page shows, as a value: made when something has changed, read by all that draws it."""

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
    """A value that is made when it is asked for, and made anew once one of the things it follows from is another."""

    def __init__(self, make: Callable[[], T], follows: Callable[[], tuple[object, ...]]) -> None:
        self._make, self._follows = make, follows
        self._kept: tuple[tuple[object, ...], T] | None = None

    def drop(self) -> None:
        """Have it made anew, whatever it follows from."""
        self._kept = None

    def get(self) -> T:
        """Return the value."""
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
    """What is shown of a match of marbles.

    With these ``settings`` the ``state`` is shown, and ``view`` of it is what whoever looks may know, after the
    moves ``passed``, of which those with numbers in ``hidden`` may not be read.

    ``covered`` boards lie under a cloth; ``board`` is the one in use. The table is seen from the seat ``sitting``, at
    which somebody is ``asking`` to be shown what may be chosen. ``marbles`` stand there when nothing moves any more,
    those at ``landed`` since the last turn; ``steady`` signs stand whatever is chosen.
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
