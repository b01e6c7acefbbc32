"""What happened: the events of a move, in the order in which they happen.

Animation, sound, the move list and the text line read these and nothing else. Points and seats are indices from 0,
``colour`` is an index into :data:`~shibumi3d.rules.marbles.colour.COLOURS`, ``board`` into ``State.board_names``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shibumi3d.rules import game


@dataclass(frozen=True, slots=True)
class Placed(game.Event):
    """A marble came from ``stock`` on to ``point`` (by a person or by a rule)."""

    board: int
    point: int
    colour: int
    stock: str


@dataclass(frozen=True, slots=True)
class Removed(game.Event):
    """A marble left ``point`` for ``stock``."""

    board: int
    point: int
    colour: int
    stock: str


@dataclass(frozen=True, slots=True)
class Captured(game.Event):
    """A marble was taken by the marble set down on its ``point``; it went to ``stock``."""

    board: int
    point: int
    colour: int
    stock: str


@dataclass(frozen=True, slots=True)
class Lifted(game.Event):
    """A marble was taken in hand from ``point``; drops follow as events of their own."""

    board: int
    point: int
    colour: int


@dataclass(frozen=True, slots=True)
class Moved(game.Event):
    """The marble in hand, lifted from ``origin``, was set down on ``point``."""

    board: int
    origin: int
    point: int
    colour: int


@dataclass(frozen=True, slots=True)
class Dropped(game.Event):
    """A marble fell from ``origin`` into the place left at ``point``, one level below."""

    falls: ClassVar[bool] = True

    board: int
    origin: int
    point: int
    colour: int


@dataclass(frozen=True, slots=True)
class Entered(game.Event):
    """A marble came from ``stock`` over the edge ``side`` (index into ``pyramid.SIDES``) on to ``point``."""

    board: int
    point: int
    side: int
    colour: int
    stock: str


@dataclass(frozen=True, slots=True)
class Pushed(game.Event):
    """A marble was pushed from ``origin`` one point on, to ``point`` of the same level."""

    board: int
    origin: int
    point: int
    colour: int


@dataclass(frozen=True, slots=True)
class SideDropped(game.Event):
    """A pushed marble found a support missing and fell from ``origin`` to ``point``, one level down."""

    falls: ClassVar[bool] = True

    board: int
    origin: int
    point: int
    colour: int


@dataclass(frozen=True, slots=True)
class Recoloured(game.Event):
    """The marble on ``point`` was exchanged: ``before`` became ``after``."""

    board: int
    point: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Drew(game.Event):
    """``seat`` drew a marble by chance from ``source`` into ``stock`` (colour -1: unknown to the viewer)."""

    foreseen: ClassVar[bool] = False
    seals: ClassVar[bool] = True

    seat: int
    colour: int
    source: str
    stock: str


@dataclass(frozen=True, slots=True)
class Given(game.Event):
    """A marble went from the stock ``source`` of ``seat`` to ``stock`` of seat ``receiver`` (-1: a shared stock)."""

    seat: int
    colour: int
    source: str
    stock: str
    receiver: int


@dataclass(frozen=True, slots=True)
class Chose(game.Event):
    """``seat`` picked something that moves no marble; ``text`` is the move as written."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class Scored(game.Event):
    """``seat`` gained ``points`` (may be negative)."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Passed(game.Event):
    """``seat`` passed."""

    seat: int


@dataclass(frozen=True, slots=True)
class Revealed(game.Event):
    """Choices made in secret by ``seats`` are open now."""

    foreseen: ClassVar[bool] = False
    seals: ClassVar[bool] = True
    reveals: ClassVar[bool] = True

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnEnded(game.Event):
    """``seat`` completed turn number ``turn`` (from 1)."""

    foreseen: ClassVar[bool] = False

    seat: int
    turn: int


@dataclass(frozen=True, slots=True)
class GameStarted(game.Event):
    """A further game of a series begins: the boards are set up anew. ``number`` counts from 1."""

    foreseen: ClassVar[bool] = False

    number: int


@dataclass(frozen=True, slots=True)
class Ended(game.Event):
    """The match is over: ``winners`` (none: a draw; several: they share the win) and why."""

    foreseen: ClassVar[bool] = False

    winners: tuple[int, ...]
    reason: str


Event = (
    Placed
    | Removed
    | Captured
    | Lifted
    | Moved
    | Dropped
    | Entered
    | Pushed
    | SideDropped
    | Recoloured
    | Drew
    | Given
    | Chose
    | Scored
    | Passed
    | Revealed
    | TurnEnded
    | GameStarted
    | Ended
)
