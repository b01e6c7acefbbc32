"""The moves of Arcanoid and their notation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from shibumi3d.rules import game
from shibumi3d.rules.arcanoid.cards import NAMES, NUMBER, SUITS, cards_in, renamed

DOWN = "*"
"""Suffix of an engagement with its cards face down."""
SHOWN = (*SUITS, "M", "F")
"""What a player can ask for with the Hierophant: a suit, trumps (``M``) or the Fool (``F``)."""
MOST = 1 << 14
"""Maximum size of each cache of moves.

Moves are cached because playouts create the same ones repeatedly.
"""


@dataclass(frozen=True, slots=True)
class Move(game.Move):
    """A move of Arcanoid.

    ``cards`` is the mask of the cards that are played, or of the card that is called. ``suits`` are the fields
    affected, and ``who`` is the participant affected, or -1. ``down`` is set if the cards are laid face down. ``word``
    is any other choice, such as the suit asked for with the Hierophant.

    The notation depends on the kind. Discard: ``-S10``. Abdicate (give up a field): ``S:-``. Engage: ``S:S4+S6``, on
    two fields ``SC:M3+M4``, face down ``S:S4*``. Reinforce: like engage. Play: ``M13``, ``M12>3``, ``M16>3S``,
    ``M14>S``, ``M5>T`` or ``M11>2``. Load: ``M7+C8``. Unload: ``M7-``. Lift (remove Temperance): ``M14-``. Call:
    ``>S10``. All other kinds are written as a word: done, yes, no, steal, let, extra, go.
    """

    cards: int = 0
    suits: tuple[int, ...] = ()
    who: int = -1
    down: bool = False
    word: str = ""


@lru_cache(MOST)
def word_move(kind: str, seat: int = -1) -> Move:
    """Return a move whose notation is a single word, such as ``done``."""
    return Move(kind, kind, seat=seat)


def discard(card: int) -> Move:
    """Return the move that discards a card."""
    return Move("discard", f"-{NAMES[card]}", cards=1 << card)


def abdicate(suit: int) -> Move:
    """Return the move that gives up a field."""
    return Move("abdicate", f"{SUITS[suit]}:-", suits=(suit,))


@lru_cache(MOST)
def engage(cards: int, suits: tuple[int, ...], *, down: bool = False, kind: str = "engage") -> Move:
    """Return the move that engages a set on one or two fields, or reinforces an ace on its field."""
    fields = "".join([SUITS[suit] for suit in suits])
    text = f"{fields}:{'+'.join([NAMES[card] for card in cards_in(cards)])}{DOWN if down else ''}"
    return Move(kind, text, cards=cards, suits=suits, down=down)


@lru_cache(MOST)
def play(card: int, who: int = -1, suit: int = -1, word: str = "") -> Move:
    """Return the move that plays a major for its effect."""
    there = (str(who + 1) if who >= 0 else "") + (SUITS[suit] if suit >= 0 else "") + word
    text = NAMES[card] + (f">{there}" if there else "")
    return Move("play", text, cards=1 << card, suits=(suit,) if suit >= 0 else (), who=who, word=word)


def load(card: int) -> Move:
    """Return the move that puts a card into the Chariot."""
    return Move("load", f"M7+{NAMES[card]}", cards=1 << card)


def call(card: int) -> Move:
    """Return the move that calls a card."""
    return Move("call", f">{NAMES[card]}", cards=1 << card)


_SET = re.compile(r"([STCD]{1,2}):([0-9A-Z+]+)(\*?)")


def compact(text: str) -> str:
    """Convert typed text to the notation of moves: no spaces, and cards and fields sorted."""
    plain = "".join(text.split())
    if plain.casefold() in ("done", "yes", "no", "steal", "let", "extra", "go"):
        return plain.casefold()
    plain = renamed(plain.upper())
    match = _SET.fullmatch(plain)
    if match is None:
        return plain
    names = match[2].split("+")
    if any(name not in NUMBER for name in names):
        return plain
    cards = "+".join(sorted(names, key=NUMBER.__getitem__))
    return f"{''.join(sorted(match[1], key=SUITS.index))}:{cards}{match[3]}"
