"""Events of Arcanoid, complete enough to be animated and described without comparing states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shibumi3d.rules.game import Event

UNKNOWN = -1
"""Placeholder for a card whose identity the viewer may not know."""


@dataclass(frozen=True, slots=True)
class CardEvent(Event):
    """An event of Arcanoid.

    ``who`` is the participant who acted or was affected, and ``other`` a second participant, or -1. ``cards`` are the
    cards involved, UNKNOWN where hidden; ``suits`` are the fields. The meaning of ``number`` and ``word`` depends on
    the type of event. ``seen`` is the set of seats that may know the cards, as bits; the bit after the last seat stands
    for everybody, and -1 is the full set.
    """

    who: int = -1
    cards: tuple[int, ...] = ()
    suits: tuple[int, ...] = ()
    other: int = -1
    number: int = 0
    word: str = ""
    seen: int = -1


class _Chance(CardEvent):
    """An event that is decided by chance or reveals cards, so that previews and undo stop at it."""

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
    """``who`` looked at cards that were drawn before a vote and remained unseen until it ended."""

    __slots__ = ()


class Discarded(CardEvent):
    """Cards of ``who`` (-1: cards that belong to nobody) went to the discard pile."""

    __slots__ = ()


class Engaged(CardEvent):
    """``who`` engaged cards on ``suits``.

    ``word`` is "down" if they lie face down, "more" if they reinforce an ace, else "".
    """

    __slots__ = ()


class Abdicated(CardEvent):
    """``who`` gave up ``suits``.

    ``word`` is "world" or "judgement" if that card forced it, else "".
    """

    __slots__ = ()


class Played(CardEvent):
    """``who`` played a major for its effect, possibly on ``other`` or ``suits``.

    ``word`` is "stays" if the card stays in play, or what the Hierophant asks for, else "".
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

    ``word`` is what was asked for: a suit's letter, "M" (trumps), "F" (the Fool), or "all" for a whole hand.
    """

    __slots__ = ()


class Called(_Chance):
    """``who`` called a card, and ``other`` (-1: nobody) had it."""

    __slots__ = ()


class Stolen(_Chance):
    """``who`` used the Fool to take what ``other`` had engaged on ``suits``."""

    __slots__ = ()


class Spoilt(_Chance):
    """``who`` lost the Fool because what ``other`` engaged on ``suits`` can't be stolen."""

    __slots__ = ()


class Razed(CardEvent):
    """``who`` removed the forces of ``other`` from ``suits``.

    ``word`` is "half" if they were half of a couple whose other half stays on its field, else "".
    """

    __slots__ = ()


class Voted(CardEvent):
    """A seat voted on a new stock: yes (``number`` 1) or no (0)."""

    __slots__ = ()


class Renewed(_Chance):
    """The discard pile, ``number`` cards, was shuffled into a new stock."""

    __slots__ = ()


class Died(CardEvent):
    """The stock was closed: nobody draws again in this round."""

    __slots__ = ()


class Withdrawn(CardEvent):
    """A major of ``who`` left play."""

    __slots__ = ()


class Left(CardEvent):
    """``who`` is done with all four fields and left the round."""

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
    """Round ``number`` ended; ``cards`` are the face-down forces, which are revealed now."""

    __slots__ = ()


class FieldWon(_Chance):
    """``who`` won ``suits`` for the seat ``other`` (-1: for no seat).

    ``word`` is the rule that decided, as returned by :func:`.sets.ranked`.
    """

    __slots__ = ()


class TurnDone(CardEvent):
    """A turn of ``who`` is over."""

    __slots__ = ()
    foreseen: ClassVar[bool] = False


class MatchDone(_Chance):
    """The match is over."""

    __slots__ = ()
