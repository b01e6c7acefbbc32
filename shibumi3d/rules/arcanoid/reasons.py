"""Reasons for a move that follow from the rules alone, such as being the strongest on a field.

Only face-up forces are compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from shibumi3d.i18n import P_, Message
from shibumi3d.rules.arcanoid.cards import CHARIOT, COURTS, SUIT_SIZE
from shibumi3d.rules.arcanoid.move import Move
from shibumi3d.rules.arcanoid.sets import strength_of
from shibumi3d.rules.arcanoid.state import FORCES, OPEN, State

WHY_CARDS_TEXTS = {
    "strongest": P_("why.cards.strongest", "is the strongest so far {on}"),
    "last": P_(
        "why.cards.last", "is the strongest {on}, where everyone else has already engaged cards or given up"
    ),
    "useless": P_("why.cards.useless", "discards a card that fits no open field"),
}
WHY_ON_TEXTS = {
    "0": P_("why.on.0", "on swords"),
    "1": P_("why.on.1", "on staves"),
    "2": P_("why.on.2", "on cups"),
    "3": P_("why.on.3", "on coins"),
}


def grounds(view: State, move: Move) -> Iterator[Message]:
    """Yield the reasons for a move by the participant whose turn it is."""
    name, who = view.tasks[-1][:2]
    if name != "turn" or not isinstance(who, int):
        return
    if move.kind == "engage" and not move.down:
        cards = move.cards & ~(1 << CHARIOT)
        for suit in move.suits:
            if found := _against(view, who, cards, suit):
                yield Message(WHY_CARDS_TEXTS[found], on=Message(WHY_ON_TEXTS[f"{suit}"]))
    elif (
        move.kind == "discard"
        and move.cards & COURTS  # court cards are only ever engaged on the field of their suit
        and view.stand(who, (move.cards.bit_length() - 1) // SUIT_SIZE).kind != OPEN
    ):
        yield Message(P_("why.cards.useless", "discards a card that fits no open field"))


def _against(view: State, who: int, cards: int, suit: int) -> str:
    """Return "last" or "strongest" if the cards beat all forces on a field, else "".

    The result is "last" if nobody else can still engage on the field. If there are face-down cards on it, the result is
    always "".
    """
    others = [other for other in range(view.participants) if other != who]
    stands = [view.stand(other, suit) for other in others]
    if any(stand.kind == FORCES and stand.down for stand in stands):
        return ""
    mine = strength_of(cards, suit, view.rules)
    there = [
        strength_of(view.forces(other, suit), suit, view.rules)
        for other in others
        if view.stand(other, suit).kind == FORCES
    ]
    if any(theirs > mine for theirs in there):
        return ""
    if all(stand.kind != OPEN for stand in stands):
        return "last"
    return "strongest" if there else ""
