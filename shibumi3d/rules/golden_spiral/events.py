"""Events of The Golden Spiral, each complete enough to be animated.

Seats are numbered from 0. As a source or target, -1 stands for the discard.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from shibumi3d.rules.game import Event

Cause = Literal["clash", "joker", "price", "back", "undo"]


@dataclass(frozen=True, slots=True)
class NumberSet(Event):
    """``seat`` set ``number`` behind its screen. Nobody else observes this event."""

    number: int


@dataclass(frozen=True, slots=True)
class NumbersRevealed(Event):
    """Both screens fold away and reveal the numbers on the dice."""

    can_be_previewed: ClassVar[bool] = False
    blocks_undo: ClassVar[bool] = True
    ends_secrecy: ClassVar[bool] = True

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MedalsTurned(Event):
    """``seat`` turned ``gold`` medals from Gold to Spiral and, at the same time, ``spiral`` medals back to Gold.

    ``cause`` says why.
    """

    gold: int
    spiral: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class MedalsMoved(Event):
    """Medals moved from ``source`` to ``target``, each of which is a seat, or -1 for the discard.

    ``gold`` and ``spiral`` are the numbers of Gold and Spiral medals that moved. ``cause`` says why they moved.
    """

    source: int
    target: int
    gold: int
    spiral: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class StarsSpent(Event):
    """``seat`` spent ``number`` stars to announce the joker with the id ``joker``."""

    joker: str
    number: int


@dataclass(frozen=True, slots=True)
class StarsMoved(Event):
    """``number`` stars moved from seat ``source`` to ``seat``."""

    source: int
    number: int


@dataclass(frozen=True, slots=True)
class JokerUsed(Event):
    """A joker that ``seat`` announced takes effect; ``joker`` is its id."""

    joker: str


@dataclass(frozen=True, slots=True)
class JokerPassed(Event):
    """``seat`` announced no joker; ``could_announce`` is set if it could have announced one."""

    could_announce: bool


@dataclass(frozen=True, slots=True)
class FirstSpeakerChosen(Event):
    """``seat`` speaks first in the strategy phase."""

    can_be_previewed: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class SecondClashStarted(Event):
    """A joker of ``seat`` starts a second clash in the same Spiral."""

    can_be_previewed: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class DefaultDeclared(Event):
    """``seat`` is in Default, because it needed ``needed`` medals but had only ``available``.

    ``rule`` names the rule; it is a key of ``DEFAULT_TEXTS`` in :mod:`.text`.
    """

    rule: str
    needed: int
    available: int


@dataclass(frozen=True, slots=True)
class SpiralEnded(Event):
    """Spiral ``number``, counted from 1, is over."""

    can_be_previewed: ClassVar[bool] = False

    number: int


@dataclass(frozen=True, slots=True)
class MatchEnded(Event):
    """The match is over; ``winners`` is empty for a draw. ``reason`` is in English."""

    can_be_previewed: ClassVar[bool] = False

    winners: tuple[int, ...]
    reason: str
