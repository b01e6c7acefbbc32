"""What a page shows of a match of marbles, as a value: made once for a picture, read by all that draws it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shibumi3d.match.ply import Ply
    from shibumi3d.rules.marbles.state import State
    from shibumi3d.scene.marbles.signs import Sign

    from ..host.settings import Settings


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """With these ``settings`` the ``state`` is shown, and ``view`` of it is what whoever looks may know, after the
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
