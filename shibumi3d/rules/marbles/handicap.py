"""Handicaps: extra or missing marbles in the initial stock of a seat.

The marbles come from the box or go into it. As text, ``1+W,2-RR`` gives the first seat an extra white marble and takes
two red ones from the second. In memory, a handicap has one number for each colour that the seat starts with, in the
order of the colours. Since the colours themselves aren't stored, a handicap can follow its player to a seat with other
colours. A match record stores it only as part of the deal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from shibumi3d.i18n import Unusable
from shibumi3d.rules.game import Deal, Facts
from shibumi3d.rules.marbles.colour import LETTERS
from shibumi3d.rules.marbles.facts import MarbleFacts, StockFacts

Handicap: TypeAlias = tuple[tuple[int, ...], ...]
"""For each seat, the number of extra marbles of each colour that it starts with; negative if fewer."""

BOX = "box"
_PART = re.compile(r"([1-9][0-9]?)([+-])([A-Z]{1,64})")


def stock(facts: Facts | None) -> StockFacts | None:
    """Return the stock that a handicap changes, or None if the game allows no handicap.

    Every seat must have such a stock. The stock must be visible to all seats, not drawn from at random, used after the
    setup, and not empty at the start.
    """
    if not isinstance(facts, MarbleFacts) or facts.secrets or facts.series or BOX in facts.drawn_from:
        return None
    for each in facts.stocks:
        if (
            each.each
            and each.supplies
            and not each.drawn
            and len(each.begins) > 1
            and all(map(any, each.begins))
        ):
            return each
    return None


def held(begins: Sequence[int]) -> list[int]:
    """Return the colours that a stock initially contains."""
    return [colour for colour, number in enumerate(begins) if number]


def level(facts: Facts | None) -> Handicap:
    """Return the handicap that changes nothing; it is empty if the game allows no handicap."""
    found = stock(facts)
    return tuple([(0,) * len(held(begins)) for begins in found.begins]) if found is not None else ()


def deal(handicap: Handicap, facts: Facts | None) -> dict[str, str | tuple[str, ...]]:
    """Return the deal with this handicap for :meth:`Game.start`, empty if the handicap changes nothing.

    Raises ValueError if the game allows no handicap, if a seat would have a negative number of marbles of a colour, or
    if the box doesn't contain enough.
    """
    if not any(map(any, handicap)):
        return {}
    found = stock(facts)
    if found is None or tuple(map(len, handicap)) != tuple(map(len, level(facts))):
        raise Unusable("this game can't be played with a marble handicap")
    assert isinstance(facts, MarbleFacts)
    box = facts.stock(BOX)
    left = list(box.begins[0]) if box is not None else [0] * len(LETTERS)
    counts = [list(begins) for begins in found.begins]
    for have, more in zip(counts, handicap, strict=True):
        for colour, number in zip(held(have), more, strict=True):
            have[colour] += number
            left[colour] -= number
    if min(map(min, counts)) < 0:
        raise Unusable("the handicap takes away more marbles than a player has")
    if min(left) < 0:
        raise Unusable("there aren't enough marbles in the box for this handicap")
    given: dict[str, str | tuple[str, ...]] = {found.name: tuple([_letters(have) for have in counts])}
    if box is not None and tuple(left) != tuple(box.begins[0]):
        given[BOX] = _letters(left)
    return given


def of_deal(dealt: Deal, facts: Facts | None) -> Handicap:
    """Return the handicap contained in a deal."""
    found = stock(facts)
    if found is None or found.name not in dealt or isinstance(dealt[found.name], str):
        return level(facts)
    return tuple(
        [
            tuple([letters.count(LETTERS[colour]) - begins[colour] for colour in held(begins)])
            for begins, letters in zip(found.begins, dealt[found.name], strict=True)
        ]
    )


def read(text: str, facts: Facts | None) -> Handicap:
    """Parse a handicap.

    Raises ValueError if the text is malformed or the game can't have this handicap.
    """
    found = stock(facts)
    if not text.strip():
        return level(facts)
    if found is None:
        raise Unusable("this game can't be played with a marble handicap")
    counts = [dict.fromkeys(held(begins), 0) for begins in found.begins]
    for part in text.split(","):
        match = _PART.fullmatch(part.strip().upper())
        if match is None or int(match[1]) > len(counts):
            raise Unusable("'{text}' is not a handicap: write it as in 1+W,2-B", text=text)
        have = counts[int(match[1]) - 1]
        for letter in match[3]:
            colour = LETTERS.find(letter)
            if colour not in have:
                raise Unusable(
                    "player {number} has no '{letter}' marbles at the start", number=match[1], letter=letter
                )
            have[colour] += 1 if match[2] == "+" else -1
    handicap = tuple([tuple(have.values()) for have in counts])
    deal(handicap, facts)
    return handicap


def written(handicap: Handicap, facts: Facts | None) -> str:
    """Return the handicap as text that :func:`read` accepts, or "" if it changes nothing."""
    found = stock(facts)
    parts = []
    for seat, more in enumerate(handicap if found is not None else ()):
        assert found is not None
        for sign, way in (("+", 1), ("-", -1)):
            letters = "".join(
                LETTERS[colour] * max(0, way * number)
                for colour, number in zip(held(found.begins[seat]), more, strict=True)
            )
            parts += [f"{seat + 1}{sign}{letters}"] if letters else []
    return ",".join(parts)


def _letters(counts: Sequence[int]) -> str:
    return "".join(letter * number for letter, number in zip(LETTERS, counts, strict=False))
