"""Random draws of marbles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.rules.errors import RuleFailure, Unforeseen
from shibumi3d.rules.marbles.engine.workspace import Machine

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


def draw_from(m: Machine, stock: M) -> M:
    """Draw a marble from a stock and return its colour.

    If the deal specifies an order for the stock, the next marble in that order is drawn. Otherwise, the marble is
    random. Raises RuleFailure if the stock is empty or does not contain the specified marble. In a careful machine,
    raises Unforeseen if the draw would be random.
    """
    row = m.stocks[stock]
    for i, (index, order) in enumerate(m.orders):
        if index == stock and order:
            colour: M = m.rules.letters.index(order[0])
            m.orders = (*m.orders[:i], (index, order[1:]), *m.orders[i + 1 :])
            if row[colour].v <= 0:
                name = m.rules.names[colour]
                raise RuleFailure("the given order draws a {colour} marble, but none is left", colour=name)
            m.supply(stock, colour, -1)
            return colour
    total: M = 0
    kinds: M = 0
    for word in row:
        total += word.v
        if word.v:
            kinds += 1
    unknown = row[m.colours].v
    if m.careful and (kinds != 1 or unknown):
        raise Unforeseen
    total -= unknown
    if total <= 0:
        raise RuleFailure("there is nothing left to draw")
    at: M = 0
    if m.rolling:
        at = m.below(total)
    else:
        m.draws += 1
        counter: int = m.draws
        most: int = total
        at = scrambled(m.seed, counter) % most
    colour = 0
    while at >= row[colour].v:
        at -= row[colour].v
        colour += 1
    m.supply(stock, colour, -1)
    return colour


def scrambled(seed: int, counter: int) -> int:
    """Return a 64-bit pseudorandom number that is the same on every machine.

    ``seed`` and ``counter`` are mixed by two rounds of the SplitMix64 finalizer (Steele et al. 2014).
    """
    mask = (1 << 64) - 1
    x = (seed * 0x9E3779B97F4A7C15 + counter * 0xD1B54A32D192ED03 + 0x632BE59BD9B4E019) & mask
    for _ in range(2):
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & mask
        x = (x ^ x >> 27) * 0x94D049BB133111EB & mask
        x ^= x >> 31
    return x
