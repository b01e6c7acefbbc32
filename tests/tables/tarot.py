"""Moments of a round of cards, drawn as text for tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from shibumi3d.rules.arcanoid.cards import ALL, MINOR, NUMBER, SUITS, cards_in, mask_of
from shibumi3d.rules.arcanoid.game import CardGame
from shibumi3d.rules.arcanoid.state import (
    ABDICATED,
    DISCARD,
    FIELD,
    FORCES,
    HAND,
    POOL,
    RESERVE,
    SLOTS,
    STOCK,
    TABLE,
    Stand,
    State,
    place,
)
from shibumi3d.rules.arcanoid.table import CardRules

VARIANTS: dict[str, dict[str, Any]] = {
    "dresden": {},
    "nassau": {"temperance": "hard"},
    "koblenz": {"temperance": "hard", "secret": 1},
    "mainz": {"temperance": "hard", "ace": "plain"},
    "malta": {"temperance": "hard", "ace": "plain", "magician": "secret"},
    "worms": {"temperance": "hard", "ace": "foothold"},
    "gaza": {"temperance": "hard", "ace": "plain", "dummies": 1},
}


def game(variant: str = "dresden", **more: Any) -> CardGame:
    """The game of a variant."""
    return CardGame("cards", "Cards", CardRules(**(VARIANTS[variant] | more)), (2, 10))


def cards(text: str) -> int:
    """The set that a text names, as in ``S10 CJ M21``."""
    return mask_of(NUMBER[name] for name in text.split())


def names(mask: int) -> set[str]:
    """The names of the cards of a set."""
    every = list(NUMBER)
    return {every[card] for card in cards_in(mask)}


def position(
    played: CardGame,
    seats: int = 3,
    *,
    hands: Mapping[int, str] | None = None,
    fields: Mapping[str, str] | None = None,
    stock: str = "",
    only: int | None = None,
    pool: str = "",
    slots: Mapping[int, str] | None = None,
    reserve: Mapping[int, str] | None = None,
    table: str = "",
    discard: str | None = None,
    to_move: int = 1,
    **more: Any,
) -> State:
    """A moment of a round: whoever is ``to_move`` (numbers from 1) is asked for a turn.

    ``hands`` are filled up to six with minor cards that are named nowhere. ``fields`` are as in ``{"1S": "S4 S6"}``,
    "-" for an abdication, ``{"1SC": "M3 M4"}`` for a couple on two, "?" first where the cards lie face down. ``stock``
    is drawn first, in its order; ``only`` is how many cards the stock holds, all others lie on the discard pile.
    """
    state = played.start(seats, seed=5, deal={"first": str(to_move)})
    at = [0] * len(state.at)
    people = state.participants
    known = [0] * (seats + 1)
    stands = [Stand()] * (4 * people)
    seq = 0
    public = 0
    for name, text in (fields or {}).items():
        letters = name.lstrip("0123456789")
        who, suits = int(name[: -len(letters)]) - 1, [SUITS.index(letter) for letter in letters]
        seq += 1
        if text == "-":
            stands[who * 4 + suits[0]] = Stand(ABDICATED, seq)
            continue
        down = text.startswith("?")
        laid = cards(text.lstrip("? "))
        at[place(who, FIELD, suits[0])] |= laid
        stands[who * 4 + suits[0]] = Stand(FORCES, seq, down)
        for suit in suits[1:]:
            stands[who * 4 + suit] = Stand(FORCES, seq, down, suits[0])
        if down:
            known[who] |= laid
        else:
            public |= laid
    for here, text in ((POOL, pool), (TABLE, table)):
        at[here] |= cards(text)
        public |= at[here]
    for which, given in ((SLOTS, slots), (RESERVE, reserve)):
        for number, text in (given or {}).items():
            at[place(number - 1, which)] |= cards(text)
            public |= cards(text)
    at[DISCARD] = cards(discard or "")
    for number, text in (hands or {}).items():
        at[place(number - 1, HAND)] = cards(text)
    forced = tuple(NUMBER[name] for name in stock.split())
    used = mask_of(forced)
    for here in at:
        assert not used & here, "a card is named twice"
        used |= here
    filler = cards_in(MINOR & ~used)
    out = more.get("out", 0)
    for who in range(people):
        here = place(who, HAND)
        while (
            at[here].bit_count() < played.table.hand
            and not out >> who & 1
            and who + 1 not in (more.get("short") or ())
        ):
            at[here] |= 1 << filler.pop()
        if who < seats:
            known[who] |= at[here]
    left = ALL
    for here in at:
        left &= ~here
    rest = [*forced, *(card for card in cards_in(left) if card not in forced)]
    inside = rest if only is None else rest[:only]
    at[STOCK] = mask_of(inside)
    at[DISCARD] |= left & ~at[STOCK]
    more.pop("short", None)
    touched = 0
    for index, stand in enumerate(stands):
        touched |= (stand.kind != 0) << index % 4
    values: dict[str, Any] = {
        "at": tuple(at),
        "count": tuple(here.bit_count() for here in at),
        "known": tuple(each | public for each in known),
        "stands": tuple(stands),
        "queues": tuple(
            tuple(cards_in(at[place(who, HAND)])) for who in range(seats, seats + played.table.dummies)
        ),
        "forced": forced,
        "seq": seq,
        "touched": touched,
    }
    return replace(state, **(values | more))
