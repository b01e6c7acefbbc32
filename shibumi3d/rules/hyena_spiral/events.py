"""Events of Hyena Spiral."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shibumi3d.rules import game
from shibumi3d.rules.hyena_spiral.state import Leg


@dataclass(frozen=True, slots=True)
class Threw(game.Event):
    """``seat`` threw the chips; ``faces`` tells for each chip whether it shows white."""

    can_be_previewed: ClassVar[bool] = False
    blocks_undo: ClassVar[bool] = True

    faces: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Gained(game.Event):
    """``seat`` took ``tabas`` from the bank."""

    tabas: int


@dataclass(frozen=True, slots=True)
class Bought(game.Event):
    """``seat`` paid ``tabas`` to the bank for ``steps``."""

    tabas: int
    steps: int


@dataclass(frozen=True, slots=True)
class Walked(game.Event):
    """The pawn of ``seat`` walked from ``from_place`` to ``to_place``, on the way out or back (``leg``)."""

    from_place: int
    to_place: int
    leg: Leg


@dataclass(frozen=True, slots=True)
class StepsLost(game.Event):
    """``seat`` lost the ``steps`` steps of a throw.

    If ``fee`` is not 0, the seat was at the well and its next fee, of that many tabas, was still unpaid. If ``fee`` is
    0, the steps would have gone past a well that must be reached by exact count.
    """

    steps: int
    fee: int


@dataclass(frozen=True, slots=True)
class Paid(game.Event):
    """``seat`` paid ``tabas`` at the well.

    ``payment_number`` is the number of this payment, from 1 to ``payment_count``.
    """

    tabas: int
    payment_number: int
    payment_count: int


@dataclass(frozen=True, slots=True)
class BecameHyena(game.Event):
    """``seat`` was the first in this round to reach the well, and became the hyena.

    The seat's villager is removed from the board, and the hyena starts from the village.
    """


@dataclass(frozen=True, slots=True)
class LeftWell(game.Event):
    """``seat``, the hyena, left the well for the village."""


@dataclass(frozen=True, slots=True)
class Eaten(game.Event):
    """The hyena of seat ``hyena_seat`` ate the villager of ``seat``, who was at ``place`` on ``leg``."""

    hyena_seat: int
    place: int
    leg: Leg


@dataclass(frozen=True, slots=True)
class CameHome(game.Event):
    """The villager of ``seat`` came home with water and scored ``points`` points."""

    points: int


@dataclass(frozen=True, slots=True)
class TurnEnded(game.Event):
    """``seat`` completed turn number ``turn_number`` of the match, counted from 1."""

    can_be_previewed: ClassVar[bool] = False

    turn_number: int


@dataclass(frozen=True, slots=True)
class RoundEnded(game.Event):
    """Round ``round_number``, counted from 1, ended because no villager was left on the path.

    ``points`` is what each seat scored in the round.
    """

    can_be_previewed: ClassVar[bool] = False

    round_number: int
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundStarted(game.Event):
    """Round ``round_number``, counted from 1, began: all pawns are in the village, and no seat has any tabas.

    ``seat`` takes the first turn.
    """

    can_be_previewed: ClassVar[bool] = False

    round_number: int


@dataclass(frozen=True, slots=True)
class MatchEnded(game.Event):
    """The match ended.

    ``winners`` is empty for a draw; several winners share the win. ``reason`` is in English.
    """

    can_be_previewed: ClassVar[bool] = False

    winners: tuple[int, ...]
    reason: str


Event = (
    Threw
    | Gained
    | Bought
    | Walked
    | StepsLost
    | Paid
    | BecameHyena
    | LeftWell
    | Eaten
    | CameHome
    | TurnEnded
    | RoundEnded
    | RoundStarted
    | MatchEnded
)
