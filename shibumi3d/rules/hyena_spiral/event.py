"""What happens at the spiral: the events of a move, in the order in which they happen. Seats count from 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shibumi3d.rules import game
from shibumi3d.rules.hyena_spiral.state import Leg


@dataclass(frozen=True, slots=True)
class Threw(game.Event):
    """``seat`` threw the chips; each of ``faces`` is True where white lies up."""

    foreseen: ClassVar[bool] = False
    seals: ClassVar[bool] = True

    faces: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Gained(game.Event):
    """``seat`` took so many ``tabas`` from the bank."""

    tabas: int


@dataclass(frozen=True, slots=True)
class Bought(game.Event):
    """``seat`` paid ``tabas`` into the bank for ``steps``."""

    tabas: int
    steps: int


@dataclass(frozen=True, slots=True)
class Walked(game.Event):
    """The pawn of ``seat``, now on ``leg``, went from place ``origin`` to ``place``."""

    origin: int
    place: int
    leg: Leg


@dataclass(frozen=True, slots=True)
class Wasted(game.Event):
    """So many ``steps`` came to nothing: a fee is due (``fee`` tabas), or (0) the well is nearer than that."""

    steps: int
    fee: int


@dataclass(frozen=True, slots=True)
class Paid(game.Event):
    """``seat`` laid ``tabas`` down at the well: payment number ``number`` of ``of``."""

    tabas: int
    number: int
    of: int


@dataclass(frozen=True, slots=True)
class Turned(game.Event):
    """``seat``, first at the well, became the hyena: its villager leaves, the hyena stands in the village."""


@dataclass(frozen=True, slots=True)
class Departed(game.Event):
    """The hyena of ``seat`` left the well for the village."""


@dataclass(frozen=True, slots=True)
class Eaten(game.Event):
    """The villager of ``seat`` was eaten on ``place`` of her way ``leg`` by the hyena of seat ``by``."""

    by: int
    place: int
    leg: Leg


@dataclass(frozen=True, slots=True)
class CameHome(game.Event):
    """The villager of ``seat`` is home with her water, for so many ``points``."""

    points: int


@dataclass(frozen=True, slots=True)
class TurnOver(game.Event):
    """``seat`` completed turn number ``turn`` (from 1)."""

    foreseen: ClassVar[bool] = False

    turn: int


@dataclass(frozen=True, slots=True)
class RoundEnded(game.Event):
    """No villager is on the way any more. ``points`` are what each seat made in round ``number`` (from 1)."""

    foreseen: ClassVar[bool] = False

    number: int
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundBegan(game.Event):
    """Round ``number`` began: all are in the village again, without tabas, and ``seat`` starts."""

    foreseen: ClassVar[bool] = False

    number: int


@dataclass(frozen=True, slots=True)
class MatchOver(game.Event):
    """The match is over: ``winners`` (none: a draw; several: they share the win) and why."""

    foreseen: ClassVar[bool] = False

    winners: tuple[int, ...]
    reason: str


Event = (
    Threw
    | Gained
    | Bought
    | Walked
    | Wasted
    | Paid
    | Turned
    | Departed
    | Eaten
    | CameHome
    | TurnOver
    | RoundEnded
    | RoundBegan
    | MatchOver
)
