"""The jokers: what an announcement needs, what may be chosen when one is carried out, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from shibumi3d.rules.golden_spiral.medals import Medals
from shibumi3d.rules.golden_spiral.state import DISCARD, Clashed, State
from shibumi3d.rules.golden_spiral.table import Joker, Tableau

HARMLESS = ("restock", "reinforce")
"""What the first speaker may have announced for the second still to undo the clash."""

Unmet = tuple[str, dict[str, object]]
"""Why something can't be announced: the key of a sentence and its gaps."""


class Amount(NamedTuple):
    """What is taken or given: as text, and in Gold and Spiral."""

    text: str
    gold: int
    spiral: int = 0

    @property
    def number(self) -> int:
        """How many medals."""
        return self.gold + self.spiral


def _undoable(table: Tableau, state: State, me: int) -> Unmet | None:
    before = state.spoken[0] if state.spoken else ""
    if before and table.joker(before).do not in HARMLESS:
        return "after", {"joker": before}
    return None


def _room(table: Tableau, state: State, me: int) -> Unmet | None:
    if state.total(me) >= table.medals:
        return "no room", {"n": state.total(me)}
    return None if state.discard else ("no discard", {})


def _booty(table: Tableau, state: State, me: int) -> Unmet | None:
    return None if state.total(1 - me) else ("no booty", {})


def _swap(table: Tableau, state: State, me: int) -> Unmet | None:
    if not state.spiral[me]:
        return "no spiral", {}
    return None if state.gold[1 - me] else ("no gold there", {})


def _fewer(table: Tableau, state: State, me: int) -> Unmet | None:
    mine, other = state.total(me), state.total(1 - me)
    return None if mine < other else ("not fewer", {"mine": mine, "other": other})


def _even(table: Tableau, state: State, me: int) -> Unmet | None:
    gold, spiral = state.gold[me], state.spiral[me]
    return None if gold == spiral else ("uneven", {"gold": gold, "spiral": spiral})


def _thief(table: Tableau, state: State, me: int) -> Unmet | None:
    if not state.spiral[me]:
        return "no spiral", {}
    return None if state.stars[1 - me] else ("no stars there", {})


def _spiral(table: Tableau, state: State, me: int) -> Unmet | None:
    return None if state.spiral[me] else ("no spiral", {})


WHEN: dict[str, Callable[[Tableau, State, int], Unmet | None]] = {
    "always": lambda table, state, me: None,
    "undoable": _undoable,
    "room": _room,
    "booty": _booty,
    "swap": _swap,
    "fewer": _fewer,
    "even": _even,
    "thief": _thief,
    "spiral": _spiral,
}
"""What an announcement may need.

========== =================================================================================
always     nothing
undoable   the other seat has announced nothing, or what touches only its own medals
room       fewer medals than one began with, and some in the discard
booty      the other seat has a medal
swap       an own Spiral medal, and Gold at the other seat
fewer      fewer medals in total than the other seat
even       as many Gold as Spiral medals
thief      an own Spiral medal, and stars at the other seat
spiral     an own Spiral medal
========== =================================================================================
"""


def unmet(table: Tableau, state: State, seat: int, joker: Joker) -> Unmet | None:
    """Return why ``seat`` may not announce a joker now; None when it may, whether it can pay the price or not."""
    if state.stars[seat] < joker.stars:
        return "few stars", {"n": joker.stars, "have": state.stars[seat]}
    if len(state.spoken) == 1 and state.spoken[0] and table.joker(state.spoken[0]).do == "undo":
        return "no more", {"joker": state.spoken[0]}
    return WHEN[joker.when](table, state, seat)


def open_jokers(table: Tableau, state: State, seat: int) -> tuple[Joker, ...]:
    """Return the jokers that ``seat`` may announce now."""
    return tuple(joker for joker in table.jokers if unmet(table, state, seat, joker) is None)


def amounts(joker: Joker, medals: Medals | State, me: int) -> tuple[Amount, ...]:
    """Return what may be chosen when a joker is carried out, as far as it is there; one alone needs no question."""
    op = 1 - me
    if joker.do == "choose":
        found = [Amount("0", 0)]
        found += [Amount(f"{n}S", 0, n) for n in range(1, min(joker.take.spiral, medals.spiral[op]) + 1)]
        found += [Amount(f"{n}G", n) for n in range(1, min(joker.take.gold, medals.gold[op]) + 1)]
        return tuple(found)
    most = 0
    if joker.do == "destroy":
        most = min(joker.take.gold, medals.gold[op])
    elif joker.do == "thieve":
        most = min(joker.take.gold, medals.stars[op])
    elif joker.do == "swap" and medals.gold[op]:
        most = min(joker.back.spiral, medals.spiral[me])
        if joker.take.gold == joker.back.spiral:
            most = min(most, medals.gold[op])
    return tuple(Amount(str(n), n) for n in range(most + 1))


def use(table: Tableau, joker: Joker, medals: Medals, me: int, amount: Amount, clash: Clashed | None) -> None:
    """Carry out a joker of ``me``, by what it does:

    ========= ==========================================================================================
    undo      the last clash is taken back, as far as the discard holds what was lost
    restock   so many medals come from the discard, no more in total than one began with
    choose    Gold or Spiral medals of the other seat are taken: one of both ``take``
    destroy   Gold of the other seat goes to the discard
    swap      own Spiral medals go to the other seat, each for as much of its Gold
    take      Gold and Spiral of the other seat, and ``back`` from the discard
    thieve    stars of the other seat's pile
    flip      all own medals turn
    ========= ==========================================================================================

    A clash anew and turning all back have their place in :mod:`.flow` instead.
    """
    op = 1 - me
    if joker.do == "undo" and clash is not None:
        medals.turn(clash.high, 0, min(clash.number, medals.spiral[clash.high]), "undo")
        medals.move(DISCARD, clash.low, clash.difference, 0, "undo")
    elif joker.do == "restock":
        room = max(0, table.medals - medals.total(me))
        medals.move(DISCARD, me, min(joker.take.gold, room), 0, "joker")
    elif joker.do == "choose":
        medals.move(op, me, amount.gold, amount.spiral, "joker")
    elif joker.do == "destroy":
        medals.move(op, DISCARD, amount.number, 0, "joker")
    elif joker.do == "swap":
        # As much Gold as was there before comes for the medals that are given.
        medals.move(me, op, 0, amount.number, "joker")
        medals.move(op, me, amount.number * (joker.take.gold // joker.back.spiral), 0, "joker")
    elif joker.do == "take":
        medals.move(op, me, joker.take.gold, joker.take.spiral, "joker")
        medals.move(DISCARD, me, joker.back.gold, joker.back.spiral, "joker")
    elif joker.do == "thieve":
        medals.thieve(me, op, amount.number)
    elif joker.do == "flip":
        medals.turn(me, medals.gold[me], medals.spiral[me], "joker")


def pay(joker: Joker, medals: Medals, me: int) -> bool:
    """Pay a joker to the discard; return False, with nothing paid, where the medals are not there."""
    if medals.gold[me] < joker.price.gold or medals.spiral[me] < joker.price.spiral:
        return False
    medals.move(me, DISCARD, joker.price.gold, joker.price.spiral, "price")
    return True
