"""What happens on the table, each thing complete enough to draw it. Seats count from 0; -1 is the discard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from shibumi3d.rules.game import Event

Cause = Literal["clash", "joker", "price", "back", "undo"]


@dataclass(frozen=True, slots=True)
class NumberSet(Event):
    """``seat`` set a number behind its screen; -1: hidden from who looks."""

    number: int


@dataclass(frozen=True, slots=True)
class NumbersShown(Event):
    """Both screens fold away and the dice show their numbers."""

    foreseen: ClassVar[bool] = False
    seals: ClassVar[bool] = True
    reveals: ClassVar[bool] = True

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MedalsTurned(Event):
    """So many ``gold`` medals of ``seat`` turn to Spiral and, at the same time, so many ``spiral`` ones to Gold."""

    gold: int
    spiral: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class MedalsMoved(Event):
    """So many medals go from ``source`` to ``target``, and show these sides there."""

    source: int
    target: int
    gold: int
    spiral: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class StarsLaid(Event):
    """``seat`` lays so many stars down to announce a joker."""

    joker: str
    number: int


@dataclass(frozen=True, slots=True)
class StarsMoved(Event):
    """So many stars go from ``source`` to ``seat``."""

    source: int
    number: int


@dataclass(frozen=True, slots=True)
class JokerUsed(Event):
    """A joker of ``seat`` is carried out now."""

    joker: str


@dataclass(frozen=True, slots=True)
class NothingAnnounced(Event):
    """``seat`` announces no joker. ``able``: it could have."""

    able: bool


@dataclass(frozen=True, slots=True)
class SpeaksFirst(Event):
    """``seat`` has the first word in the Strategy."""

    foreseen: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class ClashOpened(Event):
    """Numbers are set anew in the same Spiral, because ``seat`` wants it."""

    foreseen: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class InDefault(Event):
    """``seat`` is in Default: it needed ``need`` and had ``have``. ``why`` is the rule, see :data:`.words.REASONS`."""

    why: str
    need: int
    have: int


@dataclass(frozen=True, slots=True)
class SpiralEnded(Event):
    """Spiral ``number`` (from 1) is over."""

    foreseen: ClassVar[bool] = False

    number: int


@dataclass(frozen=True, slots=True)
class MatchEnded(Event):
    """The match is over: ``winners`` (none: a draw), and why."""

    foreseen: ClassVar[bool] = False

    winners: tuple[int, ...]
    reason: str
