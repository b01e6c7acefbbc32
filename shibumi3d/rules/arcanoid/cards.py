"""The 78 cards of a tarot deck: numbers, names, and sets of cards as bit masks.

Card ``suit * 14 + rank`` is a minor card. Ranks 0 to 9 are ace to ten, followed by knave, knight, queen and king. The
suits are swords, staves, cups and coins, in this order. Card ``56 + n`` is the major with the number n.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

SUITS = "STCD"
"""Letters of the suits: swords, staves (``T``), cups and coins (``D``)."""
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "H", "Q", "K")
SUIT_SIZE = 14
ACE, TEN, KNAVE, KNIGHT, QUEEN, KING = 0, 9, 10, 11, 12, 13
"""Ranks that the code refers to by name."""
MINORS = 56
CARDS = 78
ALL = (1 << CARDS) - 1
NAMES = (
    *(suit + rank for suit in SUITS for rank in RANKS),
    *(f"M{number}" for number in range(CARDS - MINORS)),
)
"""Names of all cards by number, such as ``S10``, ``CJ`` or ``M21``."""
NUMBER = {name: card for card, name in enumerate(NAMES)}
_OLD_KNAVE = re.compile(r"(?<![A-Z0-9])([STCD])N(?![A-Z0-9])")
(
    FOOL, MAGICIAN, PRIESTESS, EMPRESS, EMPEROR, HIEROPHANT, LOVERS, CHARIOT, JUSTICE, HERMIT, WHEEL,
    STRENGTH, HANGED, DEATH, TEMPERANCE, DEVIL, TOWER, STARS, MOON, SUN, JUDGEMENT, WORLD,
) = range(MINORS, CARDS)  # fmt: skip

MINOR = (1 << MINORS) - 1
MAJOR = ALL & ~MINOR
TRUMPS = MAJOR & ~(1 << FOOL)
SUIT = tuple(((1 << SUIT_SIZE) - 1) << SUIT_SIZE * suit for suit in range(4))
"""Masks of the minor cards of each suit."""
NUMERIC = sum(0b1111111111 << SUIT_SIZE * suit for suit in range(4))
"""Mask of the cards from ace to ten in all suits."""
ACES = sum(1 << SUIT_SIZE * suit for suit in range(4))
COURTS = MINOR & ~NUMERIC
_IN_BYTE = [
    [[8 * nth + bit for bit in range(8) if byte >> bit & 1] for byte in range(256)] for nth in range(10)
]


def renamed(text: str) -> str:
    """Return ``text``, in upper case, with old names of knaves such as ``SN`` changed to ``SJ``."""
    return _OLD_KNAVE.sub(r"\1J", text)


def cards_in(mask: int) -> list[int]:
    """Return the cards in a mask in ascending order."""
    return [
        card for nth, byte in enumerate(mask.to_bytes(10, "little")) if byte for card in _IN_BYTE[nth][byte]
    ]


def mask_of(cards: Iterable[int]) -> int:
    """Return the bit mask of these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def names_of(mask: int) -> str:
    """Return the names of the cards in a mask, in ascending order, joined by ``+``."""
    return "+".join([NAMES[card] for card in cards_in(mask)])


def points(card: int) -> int:
    """Return the points of a number card, from 1 for the ace to 10."""
    return card % SUIT_SIZE + 1


def minor(suit: int, rank: int) -> int:
    """Return the minor card with this suit and rank."""
    return suit * SUIT_SIZE + rank
