"""Scene of an empty table, for table kinds that have no scene of their own.

Every move is made with a button.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from shibumi3d.rules.game import Event, Game, Move, State
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.layout import TABLE_Z, Vector
from shibumi3d.scene.palette import Theme
from shibumi3d.scene.sound_cues import SoundCue
from shibumi3d.scene.table_scene import Clicks, Spot, TableHighlights, ViewDirection
from shibumi3d.scene.top_view import make_top_view


class EmptyTableScene:
    """Scene that shows only an empty table.

    It can serve as a starting point for a new scene.
    """

    hull: tuple[Vector, ...] = (
        (-4.0, -3.0, TABLE_Z),
        (4.0, -3.0, TABLE_Z),
        (4.0, 3.0, TABLE_Z),
        (-4.0, 3.0, TABLE_Z),
    )
    final_hull = hull
    view_direction = ViewDirection()

    def __init__(self, game: Game, seats: int) -> None:
        self.game = game
        self.seats = seats
        self.speed = "normal"
        self.reduce_motion = False
        self.language = "en"

    def reset(self, observation: State, perspective_seat: int) -> None:
        """Do nothing, since the table looks the same in every state."""

    def play(self, events: Iterable[Event], now: float, observation: State, perspective_seat: int) -> None:
        """Call :meth:`reset`, since nothing is animated."""
        self.reset(observation, perspective_seat)

    def rewind(self, events: Iterable[Event], now: float, observation: State, perspective_seat: int) -> None:
        """Call :meth:`reset`, since nothing is animated."""
        self.reset(observation, perspective_seat)

    def finish(self) -> None:
        """Do nothing, since nothing ever moves."""

    def is_animating(self, now: float) -> bool:
        """Return False, since nothing ever moves."""
        return False

    def take_cues(self, now: float) -> Sequence[SoundCue]:
        """Return no sounds."""
        return ()

    def spots(self) -> Mapping[str, Spot]:
        """Return no spots, since nothing can be clicked."""
        return {}

    def clicks_for(self, move: Move) -> Clicks:
        """Return no clicks, since moves are made with buttons."""
        return Clicks()

    def frame(self, now: float, theme: Theme, highlights: TableHighlights) -> Frame:
        """Return a frame with the empty table."""
        return Frame(theme, ())

    def top_view(self, now: float, theme: Theme, highlights: TableHighlights) -> Frame:
        """Return the empty table as a frame seen from above."""
        return make_top_view(self.frame(now, theme, highlights))
