"""Handicaps: extra or missing marbles in the initial stock of a seat.

The marbles come from the box or go into it. As text, ``1+W,2-RR`` gives the first seat an extra white marble and takes
two red ones from the second. In memory, a handicap has, for each seat, one number for each colour that the seat starts
with, in the order of the colours. Since the colours themselves aren't stored, a handicap can follow its player to a
seat with other colours. A match record stores it only as part of the deal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from shibumi3d.i18n import InvalidValueError
from shibumi3d.rules.game import Deal, Facts
from shibumi3d.rules.marbles.colours import COLOUR_LETTERS
from shibumi3d.rules.marbles.facts import MarbleFacts, StockFacts

Handicap: TypeAlias = tuple[tuple[int, ...], ...]
"""For each seat, the number of extra marbles (if negative, of missing ones) of each colour in its initial stock."""

BOX = "box"
_PART_PATTERN = re.compile(r"([1-9][0-9]?)([+-])([A-Z]{1,64})")


def handicap_stock(facts: Facts | None) -> StockFacts | None:
    """Return the stock that a handicap changes, or None if the game allows no handicap.

    It is the first stock that meets these conditions: each seat has its own, which isn't empty at the start; marbles
    can be taken from it after the setup; and it is never drawn from at random. Solo games, series and games with hidden
    information allow no handicap, and neither do games in which marbles are drawn at random from the box.
    """
    if (
        not isinstance(facts, MarbleFacts)
        or facts.has_secrets
        or facts.is_series
        or BOX in facts.dealable_names
    ):
        return None
    for stock in facts.stocks:
        if (
            stock.is_per_seat
            and stock.is_used_in_play
            and not stock.is_drawn_from
            and len(stock.initial_contents) > 1
            and all(map(any, stock.initial_contents))
        ):
            return stock
    return None


def colours_in(initial_contents: Sequence[int]) -> list[int]:
    """Return the colours that a stock initially contains."""
    return [colour for colour, number in enumerate(initial_contents) if number]


def zero_handicap(facts: Facts | None) -> Handicap:
    """Return the handicap that changes nothing, or () if the game allows no handicap."""
    stock = handicap_stock(facts)
    return (
        tuple([(0,) * len(colours_in(begins)) for begins in stock.initial_contents])
        if stock is not None
        else ()
    )


def make_deal(handicap: Handicap, facts: Facts | None) -> dict[str, str | tuple[str, ...]]:
    """Return a handicap as a deal for :meth:`Game.start`, or {} if the handicap changes nothing.

    Raises ValueError if the game allows no such handicap, if a seat would have a negative number of marbles of a
    colour, or if the box doesn't contain enough marbles.
    """
    if not any(map(any, handicap)):
        return {}
    stock = handicap_stock(facts)
    if stock is None or tuple(map(len, handicap)) != tuple(map(len, zero_handicap(facts))):
        raise InvalidValueError("this game can't be played with a marble handicap")
    assert isinstance(facts, MarbleFacts)
    box = facts.stock(BOX)
    left = list(box.initial_contents[0]) if box is not None else [0] * len(COLOUR_LETTERS)
    counts = [list(begins) for begins in stock.initial_contents]
    for have, change in zip(counts, handicap, strict=True):
        for colour, number in zip(colours_in(have), change, strict=True):
            have[colour] += number
            left[colour] -= number
    if min(map(min, counts)) < 0:
        raise InvalidValueError("the handicap takes away more marbles than a player has")
    if min(left) < 0:
        raise InvalidValueError("there aren't enough marbles in the supply for this handicap")
    deal: dict[str, str | tuple[str, ...]] = {stock.name: tuple([_format_contents(have) for have in counts])}
    if box is not None and tuple(left) != tuple(box.initial_contents[0]):
        deal[BOX] = _format_contents(left)
    return deal


def handicap_from_deal(deal: Deal, facts: Facts | None) -> Handicap:
    """Return the handicap that a deal contains, or the zero handicap if it contains none.

    A deal that gives a single string for the stocks of all seats counts as one without a handicap. If the game allows
    no handicap, the result is ().
    """
    stock = handicap_stock(facts)
    if stock is None or stock.name not in deal or isinstance(deal[stock.name], str):
        return zero_handicap(facts)
    return tuple(
        [
            tuple([letters.count(COLOUR_LETTERS[colour]) - begins[colour] for colour in colours_in(begins)])
            for begins, letters in zip(stock.initial_contents, deal[stock.name], strict=True)
        ]
    )


def parse_handicap(text: str, facts: Facts | None) -> Handicap:
    """Return the handicap that a text such as ``1+W,2-RR`` describes.

    An empty text describes the zero handicap. Raises ValueError if the text is malformed or the game can't have this
    handicap.
    """
    stock = handicap_stock(facts)
    if not text.strip():
        return zero_handicap(facts)
    if stock is None:
        raise InvalidValueError("this game can't be played with a marble handicap")
    counts = [dict.fromkeys(colours_in(begins), 0) for begins in stock.initial_contents]
    for part in text.split(","):
        match = _PART_PATTERN.fullmatch(part.strip().upper())
        if match is None or int(match[1]) > len(counts):
            raise InvalidValueError("'{text}' is not a handicap: write one like 1+W,2-B", text=text)
        have = counts[int(match[1]) - 1]
        for letter in match[3]:
            colour = COLOUR_LETTERS.find(letter)
            if colour not in have:
                raise InvalidValueError(
                    "player {number} has no '{letter}' marbles at the start", number=match[1], letter=letter
                )
            have[colour] += 1 if match[2] == "+" else -1
    handicap = tuple([tuple(have.values()) for have in counts])
    make_deal(handicap, facts)
    return handicap


def format_handicap(handicap: Handicap, facts: Facts | None) -> str:
    """Return a handicap as text that :func:`parse_handicap` accepts.

    The text is empty if the handicap changes nothing or the game allows no handicap.
    """
    stock = handicap_stock(facts)
    parts = []
    for seat, change in enumerate(handicap if stock is not None else ()):
        assert stock is not None
        for sign, direction in (("+", 1), ("-", -1)):
            letters = "".join(
                COLOUR_LETTERS[colour] * max(0, direction * number)
                for colour, number in zip(colours_in(stock.initial_contents[seat]), change, strict=True)
            )
            parts += [f"{seat + 1}{sign}{letters}"] if letters else []
    return ",".join(parts)


def _format_contents(counts: Sequence[int]) -> str:
    return "".join(letter * number for letter, number in zip(COLOUR_LETTERS, counts, strict=False))
