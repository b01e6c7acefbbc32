"""Events of marble games; the events of a move are listed in the order in which they happen.

Animations, sounds, the move list and the status line are based on events alone. Points and seats are indices from 0,
``colour`` is an index into :data:`~shibumi3d.rules.marbles.colours.COLOURS`, and ``board`` is an index into
``State.board_names``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shibumi3d.rules import game


@dataclass(frozen=True, slots=True)
class Placed(game.Event):
    """A player or a rule placed a marble from ``stock`` on ``point``."""

    board: int
    point: int
    colour: int
    stock: str


@dataclass(frozen=True, slots=True)
class Removed(game.Event):
    """A marble was removed from ``point`` and put into ``stock``."""

    board: int
    point: int
    colour: int
    stock: str


@dataclass(frozen=True, slots=True)
class Captured(game.Event):
    """The marble on ``point`` was replaced by the capturing marble and put into ``stock``."""

    board: int
    point: int
    colour: int
    stock: str


@dataclass(frozen=True, slots=True)
class Lifted(game.Event):
    """A marble was picked up from ``point``.

    Drops that this causes are separate events.
    """

    board: int
    point: int
    colour: int


@dataclass(frozen=True, slots=True)
class Moved(game.Event):
    """The lifted marble was set down on ``point``; it had been lifted from ``origin``."""

    board: int
    origin: int
    point: int
    colour: int


@dataclass(frozen=True, slots=True)
class Dropped(game.Event):
    """A marble dropped from ``origin`` into the gap at ``point``, one level below."""

    includes_fall: ClassVar[bool] = True

    board: int
    origin: int
    point: int
    colour: int


@dataclass(frozen=True, slots=True)
class Entered(game.Event):
    """A marble from ``stock`` entered at ``point`` from ``side``.

    ``side`` is an index into ``pyramid.SIDES``.
    """

    board: int
    point: int
    side: int
    colour: int
    stock: str


@dataclass(frozen=True, slots=True)
class Pushed(game.Event):
    """A marble was pushed from ``origin`` to the adjacent ``point`` on the same level."""

    board: int
    origin: int
    point: int
    colour: int


@dataclass(frozen=True, slots=True)
class SideDropped(game.Event):
    """A pushed marble fell from ``origin`` to ``point``, the only empty one of its four supporting points.

    ``origin`` is the point to which the marble had been pushed. ``point`` is one level down.
    """

    includes_fall: ClassVar[bool] = True

    board: int
    origin: int
    point: int
    colour: int


@dataclass(frozen=True, slots=True)
class Recoloured(game.Event):
    """The marble on ``point``, of colour ``before``, was exchanged for one of colour ``after``."""

    board: int
    point: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Drew(game.Event):
    """``seat`` drew a random marble from ``source`` and put it into ``stock``.

    ``colour`` is -1 if the viewer may not know it.
    """

    can_be_previewed: ClassVar[bool] = False
    blocks_undo: ClassVar[bool] = True

    seat: int
    colour: int
    source: str
    stock: str


@dataclass(frozen=True, slots=True)
class Given(game.Event):
    """A marble went from the stock ``source`` to the stock ``stock`` of ``receiver`` while ``seat`` was acting.

    ``receiver`` is -1 for a shared stock, and ``colour`` is -1 if it is hidden from the viewer.
    """

    seat: int
    colour: int
    source: str
    stock: str
    receiver: int


@dataclass(frozen=True, slots=True)
class Chose(game.Event):
    """``seat`` picked a value or a labelled branch; ``text`` is the text of the move."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class Scored(game.Event):
    """``seat`` gained ``points``, which may be negative."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Passed(game.Event):
    """``seat`` passed its turn."""

    seat: int


@dataclass(frozen=True, slots=True)
class Revealed(game.Event):
    """The secret choices of ``seats`` were revealed."""

    can_be_previewed: ClassVar[bool] = False
    blocks_undo: ClassVar[bool] = True
    ends_secrecy: ClassVar[bool] = True

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnEnded(game.Event):
    """``seat`` completed turn number ``turn``, counted from 1."""

    can_be_previewed: ClassVar[bool] = False

    seat: int
    turn: int


@dataclass(frozen=True, slots=True)
class GameStarted(game.Event):
    """A new game of a series started, with the boards set up anew.

    ``number`` is the number of the game in the series, counted from 1. There is no such event for the first game.
    """

    can_be_previewed: ClassVar[bool] = False

    number: int


@dataclass(frozen=True, slots=True)
class Ended(game.Event):
    """The match ended.

    ``winners`` is empty if the match is a draw or everybody lost, as in a lost solo game; several winners share the
    win. ``reason`` says in English why the match ended.
    """

    can_be_previewed: ClassVar[bool] = False

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
