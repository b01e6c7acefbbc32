"""Jokers: when they can be announced, the amounts to choose from, their effects and their prices."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from shibumi3d.rules.golden_spiral.medals import Medals
from shibumi3d.rules.golden_spiral.state import DISCARD, Clashed, State
from shibumi3d.rules.golden_spiral.table import Joker, Tableau

HARMLESS = ("restock", "reinforce")
"""Effects of the first speaker's joker after which the second speaker may still undo the clash."""

Unmet = tuple[str, dict[str, object]]
"""Reason why a joker can't be announced.

It consists of a key of :data:`.words.PHRASES` and the values for its placeholders.
"""


class Amount(NamedTuple):
    """An amount that may be chosen for a joker; ``text`` is its notation in moves.

    For the effect "choose", ``gold`` and ``spiral`` are the medals to take. For any other effect, ``gold`` is the
    number of medals or stars to move, whichever side the medals show.
    """

    text: str
    gold: int
    spiral: int = 0

    @property
    def number(self) -> int:
        """Number of medals or stars."""
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
"""Conditions for announcing a joker, by name. Each returns None if it is met.

========== =================================================================================
always     no condition
undoable   nothing was announced before, or a joker whose effect is in :data:`HARMLESS`
room       fewer medals than at the start, and the discard is not empty
booty      the opponent has a medal
swap       a Spiral medal of one's own, and the opponent has Gold
fewer      fewer medals in total than the opponent
even       as many Gold as Spiral medals
thief      a Spiral medal of one's own, and the opponent has stars
spiral     a Spiral medal of one's own
========== =================================================================================
"""


def unmet(table: Tableau, state: State, seat: int, joker: Joker) -> Unmet | None:
    """Return why ``seat`` may not announce a joker now, or None if it may.

    The price in medals is not checked here, because it is due only after the joker has taken effect.
    """
    if state.stars[seat] < joker.stars:
        return "few stars", {"n": joker.stars, "have": state.stars[seat]}
    if len(state.spoken) == 1 and state.spoken[0] and table.joker(state.spoken[0]).do == "undo":
        return "no more", {"joker": state.spoken[0]}
    return WHEN[joker.when](table, state, seat)


def open_jokers(table: Tableau, state: State, seat: int) -> tuple[Joker, ...]:
    """Return the jokers that ``seat`` may announce now."""
    return tuple(joker for joker in table.jokers if unmet(table, state, seat, joker) is None)


def amounts(joker: Joker, medals: Medals | State, me: int) -> tuple[Amount, ...]:
    """Return the amounts from which ``me`` may choose when carrying out a joker.

    They are limited to what is available. If there is only one amount, it need not be chosen.
    """
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
    """Carry out the effect of a joker of seat ``me``.

    ========= ==========================================================================================
    undo      turn the winner's medals back, and return what the loser lost from the discard
    restock   take Gold from the discard, up to as many medals in total as at the start
    choose    take either Gold or Spiral medals from the opponent
    destroy   move Gold of the opponent to the discard
    swap      give Spiral medals to the opponent and take the same number of Gold medals
    take      take Gold and Spiral from the opponent, and ``back`` from the discard
    thieve    take stars from the opponent
    flip      turn over all one's own medals
    ========= ==========================================================================================

    If fewer medals or stars are available than an effect calls for, only those are moved. The effects "clash" and
    "reinforce" are implemented in :mod:`.flow`.
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
        # The medals given show Spiral when they arrive, so they don't add to the Gold that can be taken.
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
    """Pay the price of a joker to the discard, and return whether ``me`` had enough medals.

    If not, nothing is paid.
    """
    if medals.gold[me] < joker.price.gold or medals.spiral[me] < joker.price.spiral:
        return False
    medals.move(me, DISCARD, joker.price.gold, joker.price.spiral, "price")
    return True
