"""Events of Arcanoid, complete enough to be animated and described without comparing states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shibumi3d.rules.game import Event

UNKNOWN = -1
"""Placeholder for a card that the viewer may not know."""


@dataclass(frozen=True, slots=True)
class CardEvent(Event):
    """An event of Arcanoid.

    ``who`` is the participant who acted or was affected, and ``other`` a second participant, or -1. ``cards`` are the
    cards involved, with UNKNOWN for hidden ones, and ``suits`` are the fields. The meaning of ``number`` and ``word``
    depends on the type of event. ``seen`` is a bit mask of the seats that may know the cards; the bit after the last
    seat stands for the public. -1 means everyone.
    """

    who: int = -1
    cards: tuple[int, ...] = ()
    suits: tuple[int, ...] = ()
    other: int = -1
    number: int = 0
    word: str = ""
    seen: int = -1


class _Chance(CardEvent):
    """An event that depends on chance or reveals cards, so that previews and undo can't go past it."""

    __slots__ = ()
    foreseen: ClassVar[bool] = False
    seals: ClassVar[bool] = True


class Dealt(_Chance):
    """Round ``number`` began: all hands were dealt, and ``who`` has the first turn."""

    __slots__ = ()


class Drawn(_Chance):
    """Cards were drawn from the stock by ``who``, or for the shared pool (-1).

    ``word`` says where the cards went: "hand", "slots" (open cards) or "pool".
    """

    __slots__ = ()


class LookedAt(_Chance):
    """``who`` looked at cards that were drawn before a vote and remained face down until it ended."""

    __slots__ = ()


class Discarded(CardEvent):
    """Cards of ``who`` (-1: cards that belong to nobody) went to the discard pile."""

    __slots__ = ()


class Engaged(CardEvent):
    """``who`` engaged cards on ``suits``.

    ``word`` is "down" if the cards are face down, "more" if they reinforce an ace, else "".
    """

    __slots__ = ()


class Abdicated(CardEvent):
    """``who`` gave up ``suits``.

    ``word`` is "world" or "judgement" if that card forced it, else "".
    """

    __slots__ = ()


class Played(CardEvent):
    """``who`` played a major for its effect, possibly on ``other`` or ``suits``.

    ``word`` is "stays" if the card remains in play, or what the Hierophant asks for, else "".
    """

    __slots__ = ()


class Loaded(CardEvent):
    """``who`` put cards into the Chariot."""

    __slots__ = ()


class Hands(_Chance):
    """``who`` looked at the hand of ``other``, which holds ``cards``."""

    __slots__ = ()


class Opened(_Chance):
    """``who`` revealed cards to everyone.

    ``word`` says which cards were asked for: the letter of a suit, "M" (trumps), "F" (the Fool), or "all" for a whole
    hand.
    """

    __slots__ = ()


class Called(_Chance):
    """``who`` called a card, which ``other`` had and gave up (-1: nobody had it)."""

    __slots__ = ()


class Stolen(_Chance):
    """``who`` used the Fool to take what ``other`` had engaged on ``suits``."""

    __slots__ = ()


class Spoilt(_Chance):
    """``who`` lost the Fool in an attempt to steal the cards of ``other`` on ``suits``.

    These cards can't be stolen.
    """

    __slots__ = ()


class Razed(CardEvent):
    """``who`` removed the forces of ``other`` from ``suits``.

    ``word`` is "half" if they were half of a couple and the other half remains on its field, else "".
    """

    __slots__ = ()


class Voted(CardEvent):
    """A seat voted on a new stock: yes (``number`` 1) or no (0)."""

    __slots__ = ()


class Renewed(_Chance):
    """The discard pile, ``number`` cards, was shuffled into a new stock."""

    __slots__ = ()


class Died(CardEvent):
    """The stock was closed, so nobody draws cards for the rest of this round."""

    __slots__ = ()


class Withdrawn(CardEvent):
    """A major that ``who`` had in play was removed from play."""

    __slots__ = ()


class Left(CardEvent):
    """``who`` has finished on all four fields and left the round."""

    __slots__ = ()


class Raised(CardEvent):
    """A demon, ``who``, joined the round.

    ``other`` is the participant who played the Devil; ``seat`` owns the demon and plays for it.
    """

    __slots__ = ()


class ExtraTurn(CardEvent):
    """``who`` takes an extra turn, after which ``number`` are left."""

    __slots__ = ()


class RoundDone(_Chance):
    """Round ``number`` ended. ``cards`` are the face-down forces, which are now revealed."""

    __slots__ = ()


class FieldWon(_Chance):
    """``who`` won ``suits`` for the seat ``other`` (-1: no seat).

    ``word`` is the rule that decided the field, as returned by :func:`.sets.ranked`.
    """

    __slots__ = ()


class TurnDone(CardEvent):
    """The turn of ``who`` is over."""

    __slots__ = ()
    foreseen: ClassVar[bool] = False


class MatchDone(_Chance):
    """The match is over."""

    __slots__ = ()
