"""A choice at the table, and how it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from shibumi3d.rules import game
from shibumi3d.rules.arcanoid.cards import NAMES, NUMBER, SUITS, cards_in, renamed

DOWN = "*"
"""Ends an engagement that is laid face down."""
SHOWN = (*SUITS, "M", "F")
"""What the Hierophant asks for: a suit, the trumps, the Fool."""
MOST = 1 << 14
"""Choices of a kind that are kept once made: playing out meets the same ones again and again."""


@dataclass(frozen=True, slots=True)
class Move(game.Move):
    """A choice: ``cards`` are those it plays, or the one it calls, as a set; ``suits`` the fields it is about; ``who``
    the participant it is about, -1 for none; ``down``: face down; ``word`` what else is chosen.

    Kinds and texts: discard ``-S10``, abdicate ``S:-``, engage ``S:S4+S6`` (``SC:M3+M4`` on two fields, ``S:S4*`` face
    down), reinforce likewise; play ``M13``, ``M12>3``, ``M16>3S``, ``M14>S``, ``M5>T``, ``M11>2``; load ``M7+C8``;
    unload ``M7-``; lift ``M14-``; call ``>S10``; and the words done, yes, no, steal, let, extra, go.
    """

    cards: int = 0
    suits: tuple[int, ...] = ()
    who: int = -1
    down: bool = False
    word: str = ""


@lru_cache(MOST)
def word_move(kind: str, seat: int = -1) -> Move:
    """Return a choice that is one word."""
    return Move(kind, kind, seat=seat)


def discard(card: int) -> Move:
    """Return the choice to discard one card."""
    return Move("discard", f"-{NAMES[card]}", cards=1 << card)


def abdicate(suit: int) -> Move:
    """Return the choice to give a field up."""
    return Move("abdicate", f"{SUITS[suit]}:-", suits=(suit,))


@lru_cache(MOST)
def engage(cards: int, suits: tuple[int, ...], *, down: bool = False, kind: str = "engage") -> Move:
    """Return the choice to lay a set on one or two fields."""
    fields = "".join([SUITS[suit] for suit in suits])
    text = f"{fields}:{'+'.join([NAMES[card] for card in cards_in(cards)])}{DOWN if down else ''}"
    return Move(kind, text, cards=cards, suits=suits, down=down)


@lru_cache(MOST)
def play(card: int, who: int = -1, suit: int = -1, word: str = "") -> Move:
    """Return the choice to play a major for its effect."""
    there = (str(who + 1) if who >= 0 else "") + (SUITS[suit] if suit >= 0 else "") + word
    text = NAMES[card] + (f">{there}" if there else "")
    return Move("play", text, cards=1 << card, suits=(suit,) if suit >= 0 else (), who=who, word=word)


def load(card: int) -> Move:
    """Return the choice to lay a card into the Chariot."""
    return Move("load", f"M7+{NAMES[card]}", cards=1 << card)


def call(card: int) -> Move:
    """Return the choice to call a card."""
    return Move("call", f">{NAMES[card]}", cards=1 << card)


_SET = re.compile(r"([STCD]{1,2}):([0-9A-Z+]+)(\*?)")


def compact(text: str) -> str:
    """Return what was typed as moves are written: no spaces, cards and fields in their order."""
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


def fields_of(move: Any) -> str:
    """Return the letters of the fields that a choice is about."""
    return "".join([SUITS[suit] for suit in move.suits])
