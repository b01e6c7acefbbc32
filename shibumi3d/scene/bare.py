"""An empty table: for a kind whose things nobody has laid out yet. All moves are buttons."""

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
    """Nothing but the table; a good class to begin a scene with."""

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
        """Show the bare table, whatever is ``view``."""

    def play(self, events: Iterable[Any], now: float, view: Any, sitting: int) -> None:
        """Move nothing."""
        self.reset(view, sitting)

    def back(self, events: Iterable[Any], now: float, view: Any, sitting: int) -> None:
        """Move nothing."""
        self.reset(view, sitting)

    def finish(self) -> None:
        """Do nothing: there is no motion to end."""

    def busy(self, now: float) -> bool:
        """Return False: nothing moves."""
        return False

    def cues(self, now: float) -> Sequence[Cue]:
        """Return no sounds."""
        return ()

    def spots(self) -> Mapping[str, Spot]:
        """Return nothing: no thing can be clicked."""
        return {}

    def way(self, move: Any) -> Clicks:
        """Return no clicks: every move is a button only."""
        return Clicks()

    def frame(self, now: float, theme: Theme, pointed: Pointed) -> Frame:
        """Return the picture of the bare table."""
        return Frame(theme, ())

    def plan(self, now: float, theme: Theme, pointed: Pointed) -> Frame:
        """Return the picture of the bare table drawn flat."""
        return flat(self.frame(now, theme, pointed))
