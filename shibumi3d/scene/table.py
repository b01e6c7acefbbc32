"""Interface between a table of any kind and the pages that show it.

Each table kind has one scene class in ``scene/X``, registered in :mod:`.kinds`. Scenes use neither pixels nor OpenGL,
and contain no sentences: the texts on the screen come from the rules (``say``, ``foretell``, ``ask_line``,
``own_line``).

A *spot* is anything that can be clicked. Its key is chosen by the scene, e.g. ``"bowl"``, ``"hand 3"`` or ``"pile"``. A
*way* describes a move as clicks: a set of picks, in any order, and a last click. The page considers the moves whose
picks include all spots picked so far. Once all picks of a move have been made, a click on its last spot makes the move.
If a click could mean several moves, the page offers a button for each of them. A move without spots is ``Clicks()`` and
can only be made with its button. Every move has a button, so the first version of a scene needs no spots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.cue import Cue
from shibumi3d.scene.marbles.layout import Vector
from shibumi3d.scene.palette import Theme


class Spot(NamedTuple):
    """Clickable object, such as a place, a card, a pile or a plaque.

    ``at`` is its centre and ``radius`` the distance within which a click selects it, both in world units. For a
    horizontal rectangle, ``half`` is half its width and height, ``turn`` is its rotation in radians, and ``radius`` is
    not used.
    """

    at: Vector
    radius: float = 0.5
    half: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0


class Clicks(NamedTuple):
    """Move described as clicks on spots, which are given by their keys.

    The spots in ``picks`` are clicked first, in any order; a click on ``last`` then makes the move. If ``last`` is
    empty, the move can only be made with its button.
    """

    picks: frozenset[str] = frozenset()
    last: str = ""


class Eye(NamedTuple):
    """Initial direction of the camera, in degrees as in :class:`.camera.Camera`."""

    yaw: float = 0.0
    pitch: float = 54.0


@dataclass(frozen=True, slots=True)
class Pointed:
    """Selection and highlights to show on a table.

    ``spot`` is the spot under the pointer or the keyboard cursor. ``picks`` contains the spots already picked, and
    ``open`` the spots that can be clicked next. ``preview`` contains the events of the move that a click would make, as
    far as they can be foreseen. ``last`` contains the events of the last turn, ``hint`` the spots of a hint, and
    ``new`` the spots that have appeared since the seat's last choice.
    """

    spot: str = ""
    picks: frozenset[str] = frozenset()
    open: frozenset[str] = frozenset()
    preview: tuple[Any, ...] = ()
    last: tuple[Any, ...] = ()
    hint: frozenset[str] = frozenset()
    new: frozenset[str] = frozenset()


NOTHING = Pointed()


class TableScene(Protocol):
    """Scene of one match on a table.

    ``view`` is the state as visible to the viewer, and ``sitting`` the seat from which the table is seen. Times are in
    seconds on the page's clock. ``speed`` is a key of :data:`.motion.SPEEDS`; if ``reduced`` is set, objects fade for
    100 ms instead of moving. ``language`` is a language code, for the letters printed on objects.
    """

    speed: str
    reduced: bool
    language: str

    @property
    def hull(self) -> tuple[Vector, ...]:
        """Corners of everything that the initial view must show."""

    @property
    def eye(self) -> Eye:
        """Initial direction of the camera."""

    def reset(self, view: Any, sitting: int) -> None:
        """Show ``view`` and stop all motion."""

    def play(self, events: Iterable[Any], now: float, view: Any, sitting: int) -> None:
        """Animate ``events``, which lead from the current positions to ``view``.

        The animation starts after the current motion ends.
        """

    def back(self, events: Iterable[Any], now: float, view: Any, sitting: int) -> None:
        """Animate an undo: move objects back to ``view``, the state before ``events``.

        The objects move along the paths of ``events`` in reverse, or straight back.
        """

    def finish(self) -> None:
        """End all motion now and put everything in its final position."""

    def busy(self, now: float) -> bool:
        """Return whether anything is still moving."""

    def cues(self, now: float) -> Sequence[Cue]:
        """Return the sound cues that have become due since the last call.

        The ``thing`` of a cue is the object that makes the sound.
        """

    def spots(self) -> Mapping[str, Spot]:
        """Return the spots by key, in Tab order, at their positions once all motion has ended."""

    def way(self, move: Any) -> Clicks:
        """Return a legal move as clicks."""

    def frame(self, now: float, theme: Theme, pointed: Pointed) -> Frame:
        """Return the frame at ``now``."""

    def plan(self, now: float, theme: Theme, pointed: Pointed) -> Frame:
        """Return a flat drawing of the table at ``now``, as a frame made only of cards and marks.

        :func:`.flat.flat` makes such frames.
        """
