"""The 78 cards of a tarot deck: numbers, names, and sets of cards as bit masks.

Card ``suit * 14 + rank`` is a minor card. Ranks 0 to 9 are ace to ten, followed by knave, knight, queen and king. The
suits are swords, staves, cups and coins, in this order. Card ``56 + n`` is the major with the number n.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

SUIT_LETTERS = "STCD"
"""Letters of the suits: swords, staves (``T``), cups and coins (``D``)."""
RANK_NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "H", "Q", "K")
SUIT_SIZE = 14
ACE, TEN, KNAVE, KNIGHT, QUEEN, KING = 0, 9, 10, 11, 12, 13
"""Ranks of these cards, as indices into :data:`RANK_NAMES`."""
MINOR_COUNT = 56
CARD_COUNT = 78
ALL_CARDS = (1 << CARD_COUNT) - 1
CARD_NAMES = (
    *(suit + rank for suit in SUIT_LETTERS for rank in RANK_NAMES),
    *(f"M{number}" for number in range(CARD_COUNT - MINOR_COUNT)),
)
"""Names of all cards by number, such as ``S10``, ``CJ`` or ``M21``."""
CARD_BY_NAME = {name: card for card, name in enumerate(CARD_NAMES)}
_OLD_KNAVE_PATTERN = re.compile(r"(?<![A-Z0-9])([STCD])N(?![A-Z0-9])")
(
    FOOL, MAGICIAN, HIGH_PRIESTESS, EMPRESS, EMPEROR, HIEROPHANT, LOVERS, CHARIOT, JUSTICE, HERMIT, WHEEL_OF_FORTUNE,
    STRENGTH, HANGED_MAN, DEATH, TEMPERANCE, DEVIL, TOWER, STARS, MOON, SUN, JUDGEMENT, WORLD,
) = range(MINOR_COUNT, CARD_COUNT)  # fmt: skip

MINOR_CARDS = (1 << MINOR_COUNT) - 1
MAJOR_CARDS = ALL_CARDS & ~MINOR_CARDS
TRUMPS = MAJOR_CARDS & ~(1 << FOOL)
SUIT_CARDS = tuple(((1 << SUIT_SIZE) - 1) << SUIT_SIZE * suit for suit in range(4))
"""Mask of each suit's minor cards."""
NUMBER_CARDS = sum(0b1111111111 << SUIT_SIZE * suit for suit in range(4))
"""Mask of the cards from ace to ten in all suits."""
ACES = sum(1 << SUIT_SIZE * suit for suit in range(4))
COURT_CARDS = MINOR_CARDS & ~NUMBER_CARDS
_CARDS_BY_BYTE = [
    [[8 * nth + bit for bit in range(8) if byte >> bit & 1] for byte in range(256)] for nth in range(10)
]


def modernize_card_names(text: str) -> str:
    """Return ``text`` with old names of knaves, such as ``SN``, replaced by current ones, such as ``SJ``.

    ``text`` must be in upper case.
    """
    return _OLD_KNAVE_PATTERN.sub(r"\1J", text)


def cards_in(mask: int) -> list[int]:
    """Return the cards in a mask in ascending order."""
    return [
        card
        for nth, byte in enumerate(mask.to_bytes(10, "little"))
        if byte
        for card in _CARDS_BY_BYTE[nth][byte]
    ]


def mask_of(cards: Iterable[int]) -> int:
    """Return the bit mask of some cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def card_names(mask: int) -> str:
    """Return the names of the cards in a mask, in ascending order, joined by ``+``."""
    return "+".join([CARD_NAMES[card] for card in cards_in(mask)])


def card_points(card: int) -> int:
    """Return the points of a number card: 1 for an ace, 2 for a two, and so on up to 10."""
    return card % SUIT_SIZE + 1


def minor_card(suit: int, rank: int) -> int:
    """Return the minor card with this suit and rank."""
    return suit * SUIT_SIZE + rank
