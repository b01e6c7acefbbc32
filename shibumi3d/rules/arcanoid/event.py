"""What happens at the table, complete enough to draw and to tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shibumi3d.rules.game import Event

UNKNOWN = -1
"""Stands for a card that whoever looks may not know."""


@dataclass(frozen=True, slots=True)
class CardEvent(Event):
    """One thing that happened.

    ``who`` is the participant that did it, or to whom it happened; ``other`` another one; ``cards`` the cards it is
    about, UNKNOWN for hidden ones; ``suits`` the fields; ``number`` and ``word`` whatever else there is. ``seen`` is
    the set of seats that may know the cards, with a bit beyond the last seat for everybody.
    """

    who: int = -1
    cards: tuple[int, ...] = ()
    suits: tuple[int, ...] = ()
    other: int = -1
    number: int = 0
    word: str = ""
    seen: int = -1


class _Chance(CardEvent):
    """What chance or a reveal decided."""

    __slots__ = ()
    foreseen: ClassVar[bool] = False
    seals: ClassVar[bool] = True


class Dealt(_Chance):
    """A round began: ``number`` is which, ``who`` begins; six cards each lie in hands."""

    __slots__ = ()


class Drawn(_Chance):
    """Cards came from the stock to ``who`` (-1: the pool); ``word`` is hand, slots or pool."""

    __slots__ = ()


class LookedAt(_Chance):
    """``who`` looks at the cards drawn before a vote."""

    __slots__ = ()


class Discarded(CardEvent):
    """Cards of ``who`` (-1: of the table) went face down to the discard pile."""

    __slots__ = ()


class Engaged(CardEvent):
    """``who`` laid cards on ``suits``; ``word`` is "down" where they lie face down, "more" where an ace lay there."""

    __slots__ = ()


class Abdicated(CardEvent):
    """``who`` gave ``suits`` up; ``word`` is "world" or "judgement" where that was forced."""

    __slots__ = ()


class Played(CardEvent):
    """``who`` showed a major for its effect, on ``other`` or on ``suits``; ``word`` is "stays" where it stays."""

    __slots__ = ()


class Loaded(CardEvent):
    """``who`` laid cards into the Chariot."""

    __slots__ = ()


class Hands(_Chance):
    """``who`` looked at the hand of ``other``: these ``cards``."""

    __slots__ = ()


class Opened(_Chance):
    """``who`` showed cards to all; ``word`` is what was asked for."""

    __slots__ = ()


class Called(_Chance):
    """``who`` called a card; ``other`` had it, -1: nobody."""

    __slots__ = ()


class Stolen(_Chance):
    """``who`` took with the Fool what ``other`` had laid on ``suits``."""

    __slots__ = ()


class Spoilt(_Chance):
    """``who`` lost the Fool: what ``other`` had laid on ``suits`` can't be stolen."""

    __slots__ = ()


class Razed(CardEvent):
    """``who`` took the forces of ``other`` off ``suits``; ``word`` is "half" where a couple still stands elsewhere."""

    __slots__ = ()


class Voted(CardEvent):
    """A seat said yes (``number`` 1) or no to a new stock."""

    __slots__ = ()


class Renewed(_Chance):
    """The ``number`` discarded cards were shuffled into a new stock."""

    __slots__ = ()


class Died(CardEvent):
    """The stock is never renewed any more in this round."""

    __slots__ = ()


class Withdrawn(CardEvent):
    """A major of ``who`` left the table."""

    __slots__ = ()


class Left(CardEvent):
    """``who`` has all four fields and left the round."""

    __slots__ = ()


class Raised(CardEvent):
    """A demon joined: ``who``, played by the seat ``other``."""

    __slots__ = ()


class ExtraTurn(CardEvent):
    """``who`` plays an extra turn; ``number`` are left."""

    __slots__ = ()


class RoundDone(_Chance):
    """Round ``number`` ended: ``cards`` are hidden forces that are shown now."""

    __slots__ = ()


class FieldWon(_Chance):
    """``who`` won ``suits``, for the seat ``other`` (-1: nobody); ``word`` is the rule that decided."""

    __slots__ = ()


class TurnDone(CardEvent):
    """A turn of ``who`` is over."""

    __slots__ = ()
    foreseen: ClassVar[bool] = False


class MatchDone(_Chance):
    """The match is over."""

    __slots__ = ()
