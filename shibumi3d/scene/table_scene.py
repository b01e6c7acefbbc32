"""Interface between a table of any kind and the pages that show it.

The scene class of a table kind is registered in :mod:`.registry`. Scenes use neither pixels nor OpenGL, and contain no
sentences: the texts on the screen come from the rules (:meth:`.Game.move_label`, ``describe_outcome``,
``describe_decision``, ``describe_seat``).

A *spot* is anything that can be clicked. Its key is chosen by the scene, e.g. ``"bowl"``, ``"hand 3"`` or ``"pile"``.
:class:`Clicks` describes a move as clicks: a set of picks, in any order, and a last click. The page considers the moves
whose picks include all spots picked so far. Once all picks of a move have been made, a click on its last spot makes the
move. If a click could mean several moves, the page offers a button for each of them. A move without spots is
``Clicks()`` and can only be made with its button. Every move has a button, so the first version of a scene needs no
spots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from shibumi3d.rules.game import Event
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.layout import Vector
from shibumi3d.scene.palette import Theme
from shibumi3d.scene.sound_cues import SoundCue


class Spot(NamedTuple):
    """Clickable object, such as a place, a card, a pile or a plaque.

    ``position`` is its centre and ``radius`` the distance within which a click selects it, both in world units. For a
    horizontal rectangle, ``half_size`` is half its width and height, ``yaw`` is its rotation in radians, and ``radius``
    is not used.
    """

    position: Vector
    radius: float = 0.5
    half_size: tuple[float, float] = (0.0, 0.0)
    yaw: float = 0.0


class Clicks(NamedTuple):
    """Move described as clicks on spots, which are given by their keys.

    The spots in ``picks`` are clicked first, in any order; a click on ``last_spot`` then makes the move. If
    ``last_spot`` is empty, the move can only be made with its button.
    """

    picks: frozenset[str] = frozenset()
    last_spot: str = ""


class ViewDirection(NamedTuple):
    """Initial direction of the camera: its yaw and pitch in degrees, as in :class:`.Camera`."""

    yaw: float = 0.0
    pitch: float = 54.0


@dataclass(frozen=True, slots=True)
class TableHighlights:
    """Selection and highlights to show on a table.

    Spots are given by their keys. ``focused`` is the spot under the pointer or the keyboard cursor, or "" if there is
    none. ``picks`` contains the spots already picked, and ``clickable`` the spots that can be clicked next. ``preview``
    contains the events that a click would certainly cause. ``last_events`` contains the events of the last turn,
    ``hint`` the spots of a hint, and ``new_spots`` the spots that have appeared since the viewer's last move.
    """

    focused: str = ""
    picks: frozenset[str] = frozenset()
    clickable: frozenset[str] = frozenset()
    preview: tuple[Event, ...] = ()
    last_events: tuple[Event, ...] = ()
    hint: frozenset[str] = frozenset()
    new_spots: frozenset[str] = frozenset()


NO_HIGHLIGHTS = TableHighlights()


class TableScene(Protocol):
    """Scene of one match on a table.

    ``observation`` is the state as visible to the viewer, and ``perspective_seat`` the seat from which the table is
    seen. Times are in seconds on the page's clock. ``speed`` is a key of :data:`.SPEED_FACTORS`. If ``reduce_motion``
    is set, objects fade for at most 100 ms instead of moving. ``language`` is a language code, for the letters printed
    on objects.
    """

    speed: str
    reduce_motion: bool
    language: str

    @property
    def hull(self) -> tuple[Vector, ...]:
        """Corners of the region that the initial view must show."""

    @property
    def final_hull(self) -> tuple[Vector, ...]:
        """Corners of the region that the initial view must show once the match is over."""

    @property
    def view_direction(self) -> ViewDirection:
        """Initial direction of the camera."""

    def reset(self, observation: Any, perspective_seat: int) -> None:
        """Show ``observation`` and stop all motion."""

    def play(self, events: Iterable[Any], now: float, observation: Any, perspective_seat: int) -> None:
        """Animate ``events``, which lead from the current positions to ``observation``.

        The animation starts after the current motion ends.
        """

    def rewind(self, events: Iterable[Any], now: float, observation: Any, perspective_seat: int) -> None:
        """Animate an undo: move the objects back to their places in ``observation``, the state before ``events``.

        The objects move along the paths of ``events`` in reverse, or straight back.
        """

    def finish(self) -> None:
        """End all motion now and put everything in its final position."""

    def is_animating(self, now: float) -> bool:
        """Return whether anything is still moving at ``now``."""

    def take_cues(self, now: float) -> Sequence[SoundCue]:
        """Return the sound cues that have become due since the last call."""

    def spots(self) -> Mapping[str, Spot]:
        """Return the spots by key, in Tab order, at their positions once all motion has ended."""

    def clicks_for(self, move: Any) -> Clicks:
        """Return the clicks that make ``move``, which must be legal."""

    def frame(self, now: float, theme: Theme, highlights: TableHighlights) -> Frame:
        """Return the frame at ``now``."""

    def top_view(self, now: float, theme: Theme, highlights: TableHighlights) -> Frame:
        """Return a flat drawing of the table at ``now``, as a frame made only of cards and marks.

        :func:`.make_top_view` makes such frames.
        """
