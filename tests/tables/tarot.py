"""Arcanoid states given as text, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from shibumi3d.rules.arcanoid.cards import (
    ALL_CARDS,
    CARD_BY_NAME,
    MINOR_CARDS,
    SUIT_LETTERS,
    cards_in,
    mask_of,
)
from shibumi3d.rules.arcanoid.game import CardGame
from shibumi3d.rules.arcanoid.state import (
    ABDICATED,
    CHARIOT_CARDS,
    DISCARD_PILE,
    ENGAGED,
    FIELD,
    HAND,
    IN_PLAY,
    OPEN_CARDS,
    POOL,
    STOCK,
    CardRules,
    FieldStatus,
    State,
    place_index,
)

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
    return CardGame("cards", "Cards", CardRules(**(VARIANTS[variant] | more)), (2, 10))


def cards(text: str) -> int:
    """Return the mask of the cards named in a text such as ``S10 CJ M21``."""
    return mask_of(CARD_BY_NAME[name] for name in text.split())


def names(mask: int) -> set[str]:
    every = list(CARD_BY_NAME)
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
    """Return a state of the game ``played`` in which the seat ``to_move`` has to take a turn.

    Seats are counted from 1, and cards are named as in :func:`cards`. ``hands`` maps seats to cards. Each hand is
    filled to its usual size with minor cards that aren't used elsewhere, unless its player has left the round or its
    seat is in ``short``, a further keyword argument. ``fields`` maps fields to their cards. The key of a field is the
    number of the seat and the letter of the suit, as in ``{"1S": "S4 S6"}``. For a couple on two fields, the key has
    the letters of both suits, as in ``{"1SC": "M3 M4"}``. "-" instead of cards stands for an abdication, and "?" before
    the cards means that they are face down. ``stock`` lists the cards that are drawn first, in order. ``only`` limits
    the number of cards in the stock; the other unused cards are then on the discard pile.

    ``slots`` maps seats to their open cards, and ``reserve`` maps seats to their Chariot and the cards with it.
    ``pool`` lists the open cards for everyone, ``table`` the majors in play, and ``discard`` the discard pile. ``more``
    has further values of the state and, if needed, ``short``.
    """
    state = played.start(seats, seed=5, deal={"first": str(to_move)})
    at = [0] * len(state.cards_at)
    people = state.participants
    known = [0] * (seats + 1)
    stands = [FieldStatus()] * (4 * people)
    seq = 0
    public = 0
    for name, text in (fields or {}).items():
        letters = name.lstrip("0123456789")
        who, suits = int(name[: -len(letters)]) - 1, [SUIT_LETTERS.index(letter) for letter in letters]
        seq += 1
        if text == "-":
            stands[who * 4 + suits[0]] = FieldStatus(ABDICATED, seq)
            continue
        down = text.startswith("?")
        laid = cards(text.lstrip("? "))
        at[place_index(who, FIELD, suits[0])] |= laid
        stands[who * 4 + suits[0]] = FieldStatus(ENGAGED, seq, down)
        for suit in suits[1:]:
            stands[who * 4 + suit] = FieldStatus(ENGAGED, seq, down, suits[0])
        if down:
            known[who] |= laid
        else:
            public |= laid
    for here, text in ((POOL, pool), (IN_PLAY, table)):
        at[here] |= cards(text)
        public |= at[here]
    for which, given in ((OPEN_CARDS, slots), (CHARIOT_CARDS, reserve)):
        for number, text in (given or {}).items():
            at[place_index(number - 1, which)] |= cards(text)
            public |= cards(text)
    at[DISCARD_PILE] = cards(discard or "")
    for number, text in (hands or {}).items():
        at[place_index(number - 1, HAND)] = cards(text)
    forced = tuple(CARD_BY_NAME[name] for name in stock.split())
    used = mask_of(forced)
    for here in at:
        assert not used & here, "a card is named twice"
        used |= here
    filler = cards_in(MINOR_CARDS & ~used)
    out = more.get("left_round", 0)
    for who in range(people):
        here = place_index(who, HAND)
        while (
            at[here].bit_count() < played.rules.hand
            and not out >> who & 1
            and who + 1 not in (more.get("short") or ())
        ):
            at[here] |= 1 << filler.pop()
        if who < seats:
            known[who] |= at[here]
    left = ALL_CARDS
    for here in at:
        left &= ~here
    rest = [*forced, *(card for card in cards_in(left) if card not in forced)]
    inside = rest if only is None else rest[:only]
    at[STOCK] = mask_of(inside)
    at[DISCARD_PILE] |= left & ~at[STOCK]
    more.pop("short", None)
    touched = 0
    for index, stand in enumerate(stands):
        touched |= (stand.kind != 0) << index % 4
    values: dict[str, Any] = {
        "cards_at": tuple(at),
        "counts_at": tuple(here.bit_count() for here in at),
        "known_cards": tuple(each | public for each in known),
        "field_statuses": tuple(stands),
        "automaton_hands": tuple(
            tuple(cards_in(at[place_index(who, HAND)])) for who in range(seats, seats + played.rules.dummies)
        ),
        "preset_draws": forced,
        "last_sequence_number": seq,
        "touched_suits": touched,
    }
    return replace(state, **(values | more))


def play_moves(of: CardGame, state: State, *texts: str) -> State:
    for text in texts:
        state, _ = of.apply(state, text)
    return state


def decline_thefts(of: CardGame, state: State) -> State:
    """Let every seat that may steal with the Fool decline, and return the resulting state."""
    while state.tasks[-1][0] == "fool":
        state, _ = of.apply(state, "let")
    return state
