"""Scene of an empty table, for table kinds that have no scene of their own.

Every move is made with a button.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from shibumi3d.rules.game import Game
from shibumi3d.scene.flat import flat
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.cue import Cue
from shibumi3d.scene.marbles.layout import TABLE, Vector
from shibumi3d.scene.palette import Theme
from shibumi3d.scene.table import Clicks, Eye, Pointed, Spot


class BareScene:
    """Scene that shows only an empty table; it can serve as a starting point for a new scene."""

    hull: tuple[Vector, ...] = (
        (-4.0, -3.0, TABLE),
        (4.0, -3.0, TABLE),
        (4.0, 3.0, TABLE),
        (-4.0, 3.0, TABLE),
    )
    eye = Eye()

    def __init__(self, game: Game, seats: int) -> None:
        self.game = game
        self.seats = seats
        self.speed = "normal"
        self.reduced = False
        self.language = "en"

    def reset(self, view: Any, sitting: int) -> None:
        """Do nothing, since the table looks the same in every state."""

    def play(self, events: Iterable[Any], now: float, view: Any, sitting: int) -> None:
        """Call :meth:`reset`, since nothing is animated."""
        self.reset(view, sitting)

    def back(self, events: Iterable[Any], now: float, view: Any, sitting: int) -> None:
        """Call :meth:`reset`, since nothing is animated."""
        self.reset(view, sitting)

    def finish(self) -> None:
        """Do nothing, since nothing ever moves."""

    def busy(self, now: float) -> bool:
        """Return False, since nothing ever moves."""
        return False

    def cues(self, now: float) -> Sequence[Cue]:
        """Return no sounds."""
        return ()

    def spots(self) -> Mapping[str, Spot]:
        """Return no spots, since nothing can be clicked."""
        return {}

    def way(self, move: Any) -> Clicks:
        """Return no clicks, since moves are made with buttons."""
        return Clicks()

    def frame(self, now: float, theme: Theme, pointed: Pointed) -> Frame:
        """Return a frame with the empty table."""
        return Frame(theme, ())

    def plan(self, now: float, theme: Theme, pointed: Pointed) -> Frame:
        """Return the same empty frame as a flat plan."""
        return flat(self.frame(now, theme, pointed))
