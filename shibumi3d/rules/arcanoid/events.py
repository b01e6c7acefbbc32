"""Events of Arcanoid, complete enough to be animated and described without comparing states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shibumi3d.rules.game import Event

UNKNOWN_CARD = -1
"""Placeholder for a card that the viewer may not know."""


@dataclass(frozen=True, slots=True)
class CardEvent(Event):
    """An event of Arcanoid.

    ``participant`` is the participant who acted or was affected, and ``other_participant`` is a second one. Each is -1
    if there is none. ``cards`` are the cards involved, with UNKNOWN_CARD for hidden ones, and ``suits`` are the suits
    of the fields involved. The meaning of ``number`` and ``word`` depends on the type of event. ``seen_by`` is a bit
    mask of the seats that know the cards, or -1 for everyone. The bit after the last seat stands for the public.
    """

    participant: int = -1
    cards: tuple[int, ...] = ()
    suits: tuple[int, ...] = ()
    other_participant: int = -1
    number: int = 0
    word: str = ""
    seen_by: int = -1


class _RevealingEvent(CardEvent):
    """An event that a preview can't show and that prevents its move from being undone.

    It depends on chance or reveals cards, or it belongs to the end of a round or of the match.
    """

    __slots__ = ()
    can_be_previewed: ClassVar[bool] = False
    blocks_undo: ClassVar[bool] = True


class Dealt(_RevealingEvent):
    """Round ``number`` began: all hands were dealt, and ``participant`` has the first turn."""

    __slots__ = ()


class Drawn(_RevealingEvent):
    """A card was drawn from the stock by ``participant`` or, if that is -1, for the shared pool.

    ``word`` says where the card went: "hand", "slots" (open cards) or "pool".
    """

    __slots__ = ()


class LookedAt(_RevealingEvent):
    """``participant`` looked at cards that had been drawn before a vote and kept face down until the vote ended."""

    __slots__ = ()


class Discarded(CardEvent):
    """Cards went to the discard pile; they belonged to ``participant``, or to nobody if it is -1."""

    __slots__ = ()


class Engaged(CardEvent):
    """``participant`` engaged cards on ``suits``.

    ``word`` is "down" if the cards are face down, "more" if they reinforce an ace, else "".
    """

    __slots__ = ()


class Abdicated(CardEvent):
    """``participant`` gave up its fields of ``suits``.

    ``word`` is "world" or "judgement" if the card of that name forced this, else "".
    """

    __slots__ = ()


class Played(CardEvent):
    """``participant`` played a major for its effect, possibly on ``other_participant`` or ``suits``.

    ``word`` is "stays" if the card isn't discarded. For the Hierophant, it is what was asked for: the letter of a suit,
    "M" (trumps) or "F" (the Fool). Otherwise, it is "".
    """

    __slots__ = ()


class Loaded(CardEvent):
    """``participant`` put cards into the Chariot.

    ``cards`` includes the Chariot itself if it was laid out with them.
    """

    __slots__ = ()


class HandSeen(_RevealingEvent):
    """``participant`` looked at the hand of ``other_participant``, which holds ``cards``."""

    __slots__ = ()


class CardsRevealed(_RevealingEvent):
    """``participant`` revealed to everyone the cards that ``word`` specifies.

    ``word`` is the letter of a suit, "M" (trumps), "F" (the Fool), or "all" (the whole hand). ``cards`` is empty if
    ``participant`` held none of them.
    """

    __slots__ = ()


class Called(_RevealingEvent):
    """``participant`` called a card.

    ``other_participant`` is the one who handed it over, or -1 if no other participant had it in hand or among their
    open cards.
    """

    __slots__ = ()


class Stolen(_RevealingEvent):
    """``participant`` used the Fool to take cards that ``other_participant`` had engaged on ``suits``."""

    __slots__ = ()


class StealFailed(_RevealingEvent):
    """``participant`` couldn't steal what ``other_participant`` had engaged on ``suits``, and lost the Fool.

    Some sets of cards, such as couples, can't be stolen.
    """

    __slots__ = ()


class ForcesRemoved(CardEvent):
    """``participant`` removed the forces of ``other_participant`` from a field, which is open again.

    ``suits`` contains only this field. ``word`` is "half" if the forces were half of a couple split over two fields. In
    that case, ``cards`` contains the cards of the couple, which are then on the field of the other half. Otherwise,
    ``word`` is "", and ``cards`` are discarded.
    """

    __slots__ = ()


class Voted(CardEvent):
    """``participant`` voted on a new stock; ``number`` is 1 for yes and 0 for no."""

    __slots__ = ()


class StockRenewed(_RevealingEvent):
    """The ``number`` cards of the discard pile were shuffled into a new stock."""

    __slots__ = ()


class StockClosed(CardEvent):
    """The stock was closed, so nobody draws cards for the rest of this round."""

    __slots__ = ()


class Withdrawn(CardEvent):
    """A major that was in play was put on the discard pile; ``cards`` contains only this card.

    ``participant`` is the one who played the card or, for the Devil, the demon that has left the round. For Temperance,
    ``suits`` contains the suit that the card blocked; otherwise, it is empty.
    """

    __slots__ = ()


class RoundLeft(CardEvent):
    """``participant`` left the round, because none of its fields is open any more.

    A field is open until cards are engaged on it or it is given up.
    """

    __slots__ = ()


class DemonJoined(CardEvent):
    """A demon, ``participant``, joined the round.

    ``other_participant`` is the participant who played the Devil; ``seat`` owns the demon and plays for it.
    """

    __slots__ = ()


class ExtraTurn(CardEvent):
    """``participant`` takes an extra turn, after which ``number`` extra turns are left."""

    __slots__ = ()


class RoundEnded(_RevealingEvent):
    """Round ``number`` ended, and ``cards``, the face-down forces, were revealed."""

    __slots__ = ()


class FieldWon(_RevealingEvent):
    """``participant`` won a field.

    ``other_participant`` is the seat that plays for ``participant``, or -1 if ``participant`` is an Automaton.
    ``suits`` contains only this field. ``word`` is the rule that decided the field, as returned by
    :func:`.moves.field_winner`.
    """

    __slots__ = ()


class TurnEnded(CardEvent):
    """The turn of ``participant`` is over."""

    __slots__ = ()
    can_be_previewed: ClassVar[bool] = False


class MatchEnded(_RevealingEvent):
    """The match is over."""

    __slots__ = ()
