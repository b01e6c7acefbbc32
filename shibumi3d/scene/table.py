"""What a table of any kind is to those who show it: where things lie, what can be clicked, how a move is clicked.

The scene of a kind is one class with this interface in ``scene/X``, named in :mod:`.kinds`. It knows no pixels, no GL
and no words: what is written on the screen comes from the rules (``say``, ``foretell``, ``ask_line``, ``own_line``).

A *spot* is anything that can be clicked; its key is the scene's own ("bowl", "hand 3", "pile"). A *way* is a move as
clicks: all its picks in any order, then its last. The page keeps the moves whose ways hold all that is picked; a click
on the last of one whose picks are complete makes it. Where one click could mean several moves, the page asks with a
button each. A move without a spot of its own is ``Clicks()``: it has its button only. Every move has one, so a scene
may begin without any spots.
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
    """Something that can be clicked: a place, a card, a pile, a plaque.

    ``at`` is its middle in the world; ``radius`` how far about it a click still means it, in units of the world. A
    rectangle that lies level has half its sides in ``half``, turned by ``turn`` radians, and no radius.
    """

    at: Vector
    radius: float = 0.5
    half: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0


class Clicks(NamedTuple):
    """A move as clicks: the keys of its picks, in any order, then the spot that does it ("": only by its button)."""

    picks: frozenset[str] = frozenset()
    last: str = ""


class Eye(NamedTuple):
    """The view at the start: degrees as :class:`.camera.Camera` counts them."""

    yaw: float = 0.0
    pitch: float = 54.0


@dataclass(frozen=True, slots=True)
class Pointed:
    """What the person at the screen points at.

    ``spot`` is under the pointer or the cursor, ``picks`` are picked already, ``open`` those that a further click
    may mean. ``preview`` are the events of the move that a click would make, as far as they can be foreseen.
    ``last`` are the events of the last turn, ``hint`` the spots of a hint, ``new`` those that were not there when the
    seat made its last choice.
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
    """One match on a table. ``view`` is a state as somebody may know it, ``sitting`` the seat from which one looks.

    Times are seconds of the page's clock. ``speed`` is a key of :data:`.motion.SPEEDS`; with ``reduced`` motion things
    fade in 100 ms where they go. ``language`` is a code, for the letters that stand on things.
    """

    speed: str
    reduced: bool
    language: str

    @property
    def hull(self) -> tuple[Vector, ...]:
        """The corners of all that the view at the start must show."""

    @property
    def eye(self) -> Eye:
        """From where it is seen at the start."""

    def reset(self, view: Any, sitting: int) -> None:
        """Show ``view`` with nothing moving."""

    def play(self, events: Iterable[Any], now: float, view: Any, sitting: int) -> None:
        """Move things as ``events`` say, from how they lie to ``view``, after what still runs."""

    def back(self, events: Iterable[Any], now: float, view: Any, sitting: int) -> None:
        """Move things back to ``view`` the way ``events`` brought them from there, or straight."""

    def finish(self) -> None:
        """End all motion now: put everything where it was going."""

    def busy(self, now: float) -> bool:
        """Return whether something still moves."""

    def cues(self, now: float) -> Sequence[Cue]:
        """Return the sounds since the last call, each with the thing that is heard."""

    def spots(self) -> Mapping[str, Spot]:
        """Return all that can be clicked as things lie when nothing moves any more, by key, in the order of Tab."""

    def way(self, move: Any) -> Clicks:
        """Return a move that is open now, as clicks."""

    def frame(self, now: float, theme: Theme, pointed: Pointed) -> Frame:
        """Return the picture at the time ``now``."""

    def plan(self, now: float, theme: Theme, pointed: Pointed) -> Frame:
        """Return the picture at the time ``now`` drawn flat: cards and marks alone, as :func:`.flat.flat` makes
        them.
        """
