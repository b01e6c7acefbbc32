"""Previews of moves, computed without changing the state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shibumi3d.rules.golden_spiral import jokers
from shibumi3d.rules.golden_spiral.clash import barred, clash
from shibumi3d.rules.golden_spiral.medals import Medals
from shibumi3d.rules.golden_spiral.state import DISCARD, State
from shibumi3d.rules.golden_spiral.table import Joker, Tableau


@dataclass(frozen=True, slots=True)
class Counts:
    """Medals and stars of both seats after a move.

    ``default`` is the seat that the move puts in Default, or -1. If ``clash`` is set, a second clash comes next, and
    the counts are those before it.
    """

    gold: tuple[int, ...]
    spiral: tuple[int, ...]
    stars: tuple[int, ...]
    default: int = -1
    clash: bool = False


def of_numbers(table: Tableau, state: State, numbers: Sequence[int]) -> Counts | None:
    """Preview a clash between one number of each seat; return None if they are equal."""
    result, faults = clash(table, state.gold, numbers)
    medals = Medals(state)
    if faults:
        return _seen(medals, faults[0].seat)
    if result is None:
        return None
    medals.turn(result.high, result.number, 0, "clash")
    medals.move(result.low, DISCARD, result.difference, 0, "clash")
    return _seen(medals)


def of_joker(table: Tableau, state: State, seat: int, joker: Joker) -> Counts:
    """Preview a joker that ``seat`` may announce, including its price.

    Any joker announced earlier takes effect first, except a reinforcement by the opponent. The preview assumes that the
    other seat announces no more jokers. If several amounts are possible, it uses the last one. It ends at a second
    clash.
    """
    medals = Medals(state)
    medals.stars[seat] -= joker.stars
    said = [(state.speaker(number), id) for number, id in enumerate(state.spoken) if id]
    for who, each in (*[(who, table.joker(id)) for who, id in said], (seat, joker)):
        if each.do == "reinforce":
            if who == seat:
                medals.turn(who, 0, medals.spiral[who], "back")
        elif each.do == "clash":
            # The numbers are unknown, but a seat that has no legal number is in Default for certain.
            faults = barred(table, medals.gold)
            return _seen(medals, faults[0].seat if len(faults) == 1 else -1, True)
        else:
            jokers.use(table, each, medals, who, jokers.amounts(each, medals, who)[-1], state.clash)
        if (each.do != "reinforce" or who == seat) and not jokers.pay(each, medals, who):
            return _seen(medals, who)
    return _seen(medals)


def of_amount(table: Tableau, state: State, amount: jokers.Amount) -> Counts:
    """Preview the current joker, including its price, if its owner chooses this amount."""
    seat = state.speaker(state.used)
    joker = table.joker(state.spoken[state.used])
    medals = Medals(state)
    jokers.use(table, joker, medals, seat, amount, state.clash)
    return _seen(medals, -1 if jokers.pay(joker, medals, seat) else seat)


def of_turning(table: Tableau, state: State, seat: int, number: int) -> Counts:
    """Preview turning ``number`` Spiral medals of a seat back to Gold."""
    medals = Medals(state)
    medals.turn(seat, 0, number, "back")
    return _seen(medals)


def _seen(medals: Medals, default: int = -1, clash: bool = False) -> Counts:
    return Counts(tuple(medals.gold), tuple(medals.spiral), tuple(medals.stars), default, clash)
