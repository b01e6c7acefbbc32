"""What clashes and jokers do to medals and stars in Golden Spiral, and previews of these effects.

The functions never change the state; they change only a :class:`MedalCounts`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from shibumi3d.rules.game import Event
from shibumi3d.rules.golden_spiral.events import Cause, MedalsMoved, MedalsTurned, StarsMoved
from shibumi3d.rules.golden_spiral.state import DISCARD, ClashResult, Joker, MedalRules, State


@dataclass(frozen=True, slots=True)
class DefaultReason:
    """Reason why a seat is in Default.

    ``rule`` is the key of the rule that was broken, such as "too high". The seat needed ``needed`` Gold medals but had
    only ``available``. If ``rule`` is "price spiral", the numbers refer to Spiral medals instead.
    """

    seat: int
    rule: str
    needed: int
    available: int


def clash_start_faults(rules: MedalRules, gold: Sequence[int]) -> tuple[DefaultReason, ...]:
    """Return the reasons for Default at the start of a clash, one for each seat without a legal number.

    ``gold`` is the Gold of each seat. A seat without a legal number is in Default before either seat sets a number.
    """
    return tuple(
        DefaultReason(seat, "no number", 2, have)
        for seat, have in enumerate(gold)
        if not rules.legal_numbers(have)
    )


def resolve_clash(
    rules: MedalRules, gold: Sequence[int], numbers: Sequence[int]
) -> tuple[ClashResult | None, tuple[DefaultReason, ...]]:
    """Return the result of a clash in which the seats set ``numbers``, and the reasons for any Default.

    There is one reason for each seat in Default. ``gold`` is the Gold of each seat. A seat whose number isn't legal for
    its own Gold (see :meth:`.MedalRules.legal_numbers`) is in Default before anything is paid. The seat with the lower
    number loses as much Gold as the difference between the numbers, and is in Default if it has less. The result is
    None if the numbers are equal or a seat is in Default.
    """
    faults = tuple(
        DefaultReason(seat, "too high", number + 1, have)
        for seat, (number, have) in enumerate(zip(numbers, gold, strict=True))
        if number not in rules.legal_numbers(have)
    )
    if faults or numbers[0] == numbers[1]:
        return None, faults
    high = 0 if numbers[0] > numbers[1] else 1
    low = 1 - high
    difference = numbers[high] - numbers[low]
    if difference > gold[low]:
        return None, (DefaultReason(low, "difference", difference, gold[low]),)
    return ClashResult(high, numbers[high], low, difference), ()


def lowest_safe_number(rules: MedalRules, gold: int, opponent_gold: int) -> int:
    """Return the lowest number with which a seat's Gold covers any possible loss in a clash.

    ``gold`` is the seat's Gold, and ``opponent_gold`` is the opponent's. The number can be too high for the seat to
    set.
    """
    return max(1, max(rules.legal_numbers(opponent_gold), default=1) - gold)


class MedalCounts:
    """Mutable counts of both seats' medals and stars, and of the medals in the discard.

    The methods record their changes in ``events``.
    """

    def __init__(self, state: State) -> None:
        self.gold = list(state.gold)
        self.spiral = list(state.spiral)
        self.stars = list(state.stars)
        self.discard = state.discarded_medals
        self.events: list[Event] = []

    def total(self, seat: int) -> int:
        """Return the number of medals of a seat, Gold and Spiral together."""
        return self.gold[seat] + self.spiral[seat]

    def turn_medals(self, seat: int, gold: int, spiral: int, cause: Cause) -> None:
        """Turn ``gold`` Gold medals of a seat to Spiral and, at the same time, ``spiral`` Spiral medals to Gold.

        The seat must have at least ``gold`` Gold medals and ``spiral`` Spiral medals.
        """
        assert gold <= self.gold[seat]
        assert spiral <= self.spiral[seat]
        self.gold[seat] += spiral - gold
        self.spiral[seat] += gold - spiral
        if gold or spiral:
            self.events.append(MedalsTurned(gold, spiral, cause, seat=seat))

    def move_medals(self, source: int, target: int, gold: int, spiral: int, cause: Cause) -> None:
        """Move medals between two seats, or between a seat and the discard.

        ``gold`` and ``spiral`` are the numbers of Gold and Spiral medals to move; if fewer are available, only those
        move. The discard doesn't distinguish sides: of the medals taken from it, the first ``gold`` show Gold, and the
        others Spiral.
        """
        if source == DISCARD:
            gold = min(gold, self.discard)
            spiral = min(spiral, self.discard - gold)
            self.discard -= gold + spiral
        else:
            gold, spiral = min(gold, self.gold[source]), min(spiral, self.spiral[source])
            self.gold[source] -= gold
            self.spiral[source] -= spiral
        if target == DISCARD:
            self.discard += gold + spiral
        else:
            self.gold[target] += gold
            self.spiral[target] += spiral
        if gold or spiral:
            self.events.append(MedalsMoved(source, target, gold, spiral, cause))

    def move_stars(self, seat: int, source: int, count: int) -> None:
        """Move ``count`` stars to ``seat`` from ``source``, which must have that many."""
        self.stars[source] -= count
        self.stars[seat] += count
        if count:
            self.events.append(StarsMoved(source, count, seat=seat))


EFFECTS_ALLOWING_UNDO = ("restock", "reinforce")
"""Effects of the first speaker's joker after which the second speaker may still undo the clash."""

UnmetCondition = tuple[str, dict[str, object]]
"""Reason why a joker can't be announced.

It consists of a key of :data:`.text.PHRASES` and values from which :func:`.text.explain_unmet_condition` fills in the
placeholders of the phrase.
"""


class Amount(NamedTuple):
    """An amount that can be chosen for a joker; ``text`` is its notation in moves.

    For the effect "choose", ``gold`` and ``spiral`` are the numbers of Gold and Spiral medals to take; at least one of
    them is 0. For any other effect, only ``gold`` is used: it is the number of Gold medals to discard ("destroy"), of
    Spiral medals to give ("swap") or of stars to take ("thieve"), or 0 if the effect requires no choice.
    """

    text: str
    gold: int
    spiral: int = 0

    @property
    def number(self) -> int:
        """Number of medals or stars."""
        return self.gold + self.spiral


def _check_undoable(rules: MedalRules, state: State, seat: int) -> UnmetCondition | None:
    before = state.announced_jokers[0] if state.announced_jokers else ""
    if before and rules.joker_by_id(before).do not in EFFECTS_ALLOWING_UNDO:
        return "after", {"joker": before}
    return None


def _check_room(rules: MedalRules, state: State, seat: int) -> UnmetCondition | None:
    if state.total_medals(seat) >= rules.medals:
        return "no room", {"n": state.total_medals(seat)}
    return None if state.discarded_medals else ("no discard", {})


def _check_booty(rules: MedalRules, state: State, seat: int) -> UnmetCondition | None:
    return None if state.total_medals(1 - seat) else ("no booty", {})


def _check_swap(rules: MedalRules, state: State, seat: int) -> UnmetCondition | None:
    if not state.spiral[seat]:
        return "no spiral", {}
    return None if state.gold[1 - seat] else ("no gold there", {})


def _check_fewer(rules: MedalRules, state: State, seat: int) -> UnmetCondition | None:
    own_total, other = state.total_medals(seat), state.total_medals(1 - seat)
    return None if own_total < other else ("not fewer", {"mine": own_total, "other": other})


def _check_even(rules: MedalRules, state: State, seat: int) -> UnmetCondition | None:
    gold, spiral = state.gold[seat], state.spiral[seat]
    return None if gold == spiral else ("uneven", {"gold": gold, "spiral": spiral})


def _check_thief(rules: MedalRules, state: State, seat: int) -> UnmetCondition | None:
    if not state.spiral[seat]:
        return "no spiral", {}
    return None if state.stars[1 - seat] else ("no stars there", {})


def _check_spiral(rules: MedalRules, state: State, seat: int) -> UnmetCondition | None:
    return None if state.spiral[seat] else ("no spiral", {})


CONDITION_CHECKS: dict[str, Callable[[MedalRules, State, int], UnmetCondition | None]] = {
    "always": lambda table, state, me: None,
    "undoable": _check_undoable,
    "room": _check_room,
    "booty": _check_booty,
    "swap": _check_swap,
    "fewer": _check_fewer,
    "even": _check_even,
    "thief": _check_thief,
    "spiral": _check_spiral,
}
"""Checks of the conditions for announcing a joker, by name. Each returns None if its condition is met.

========== =================================================================================
always     no condition
undoable   no joker was announced before, or only one whose effect is in :data:`EFFECTS_ALLOWING_UNDO`
room       the seat has fewer medals than at the start, and the discard is not empty
booty      the opponent has a medal
swap       the seat has a Spiral medal, and the opponent has Gold
fewer      the seat has fewer medals in total than the opponent
even       the seat has as many Gold as Spiral medals
thief      the seat has a Spiral medal, and the opponent has stars
spiral     the seat has a Spiral medal
========== =================================================================================
"""


def unmet_condition(rules: MedalRules, state: State, seat: int, joker: Joker) -> UnmetCondition | None:
    """Return why ``seat`` may not announce a joker now, or None if it may.

    The price in medals is not checked here, because it is due only after the joker has taken effect.
    """
    if state.stars[seat] < joker.stars:
        return "few stars", {"n": joker.stars, "have": state.stars[seat]}
    if (
        len(state.announced_jokers) == 1
        and state.announced_jokers[0]
        and rules.joker_by_id(state.announced_jokers[0]).do == "undo"
    ):
        return "no more", {"joker": state.announced_jokers[0]}
    return CONDITION_CHECKS[joker.when](rules, state, seat)


def announceable_jokers(rules: MedalRules, state: State, seat: int) -> tuple[Joker, ...]:
    """Return the jokers that ``seat`` may announce, in the order of the rules.

    ``seat`` must be the next to speak in ``state``; this isn't checked. For the conditions, see
    :func:`unmet_condition`.
    """
    return tuple(joker for joker in rules.jokers if unmet_condition(rules, state, seat, joker) is None)


def possible_amounts(joker: Joker, medals: MedalCounts | State, seat: int) -> tuple[Amount, ...]:
    """Return the amounts from which ``seat`` may choose when carrying out a joker.

    An amount is never more than the joker allows, nor more than the seats have according to ``medals``. The amount 0
    always comes first. If the effect requires no choice or if nothing is available, 0 is the only amount, and the seat
    isn't asked.
    """
    op = 1 - seat
    if joker.do == "choose":
        amounts = [Amount("0", 0)]
        amounts += [Amount(f"{n}S", 0, n) for n in range(1, min(joker.take.spiral, medals.spiral[op]) + 1)]
        amounts += [Amount(f"{n}G", n) for n in range(1, min(joker.take.gold, medals.gold[op]) + 1)]
        return tuple(amounts)
    max_count = 0
    if joker.do == "destroy":
        max_count = min(joker.take.gold, medals.gold[op])
    elif joker.do == "thieve":
        max_count = min(joker.take.gold, medals.stars[op])
    elif joker.do == "swap" and medals.gold[op]:
        max_count = min(joker.back.spiral, medals.spiral[seat])
        if joker.take.gold == joker.back.spiral:
            max_count = min(max_count, medals.gold[op])
    return tuple(Amount(str(n), n) for n in range(max_count + 1))


def apply_effect(
    rules: MedalRules, joker: Joker, medals: MedalCounts, seat: int, amount: Amount, clash: ClashResult | None
) -> None:
    """Carry out the effect of a joker of ``seat``.

    ``amount`` is the amount chosen for the joker, and ``clash`` the result of the clash that "undo" reverses.

    ========= ==========================================================================================
    undo      turn the winner's medals back, and return to the loser what it lost to the discard
    restock   take Gold from the discard, but not beyond the number of medals at the start
    choose    take either Gold or Spiral medals from the opponent
    destroy   move Gold of the opponent to the discard
    swap      give Spiral medals to the opponent and take a fixed number of Gold medals for each
    take      take Gold and Spiral from the opponent, and ``back`` from the discard
    thieve    take stars from the opponent
    flip      turn over all medals of ``seat``
    ========= ==========================================================================================

    If fewer medals are available than an effect calls for, only those are moved. For "thieve", the opponent must have
    the stars to be taken. The effects "clash" and "reinforce" are implemented in :mod:`.flow`.
    """
    op = 1 - seat
    if joker.do == "undo" and clash is not None:
        medals.turn_medals(clash.winner, 0, min(clash.winning_number, medals.spiral[clash.winner]), "undo")
        medals.move_medals(DISCARD, clash.loser, clash.difference, 0, "undo")
    elif joker.do == "restock":
        room = max(0, rules.medals - medals.total(seat))
        medals.move_medals(DISCARD, seat, min(joker.take.gold, room), 0, "joker")
    elif joker.do == "choose":
        medals.move_medals(op, seat, amount.gold, amount.spiral, "joker")
    elif joker.do == "destroy":
        medals.move_medals(op, DISCARD, amount.number, 0, "joker")
    elif joker.do == "swap":
        # The medals given show Spiral when they arrive, so they don't add to the Gold that can be taken.
        medals.move_medals(seat, op, 0, amount.number, "joker")
        medals.move_medals(op, seat, amount.number * (joker.take.gold // joker.back.spiral), 0, "joker")
    elif joker.do == "take":
        medals.move_medals(op, seat, joker.take.gold, joker.take.spiral, "joker")
        medals.move_medals(DISCARD, seat, joker.back.gold, joker.back.spiral, "joker")
    elif joker.do == "thieve":
        medals.move_stars(seat, op, amount.number)
    elif joker.do == "flip":
        medals.turn_medals(seat, medals.gold[seat], medals.spiral[seat], "joker")


def pay_price(joker: Joker, medals: MedalCounts, seat: int) -> bool:
    """Pay the price of a joker to the discard, and return whether ``seat`` had enough medals.

    If not, nothing is paid.
    """
    if medals.gold[seat] < joker.price.gold or medals.spiral[seat] < joker.price.spiral:
        return False
    medals.move_medals(seat, DISCARD, joker.price.gold, joker.price.spiral, "price")
    return True


@dataclass(frozen=True, slots=True)
class CountsPreview:
    """Medals and stars of both seats after a move or a clash.

    ``defaulting_seat`` is the seat that a clash or the price of a joker puts in Default. It is -1 if there is none, or
    if a second clash puts both seats in Default. Default at the end of the Spiral isn't foreseen. If
    ``is_before_clash`` is set, a second clash comes next, and the counts are those before it.
    """

    gold: tuple[int, ...]
    spiral: tuple[int, ...]
    stars: tuple[int, ...]
    defaulting_seat: int = -1
    is_before_clash: bool = False


def preview_clash(rules: MedalRules, state: State, numbers: Sequence[int]) -> CountsPreview | None:
    """Preview a clash in which the seats set ``numbers``; return None if nothing happens.

    Nothing happens if both numbers are legal and equal.
    """
    result, faults = resolve_clash(rules, state.gold, numbers)
    medals = MedalCounts(state)
    if faults:
        return _make_preview(medals, faults[0].seat)
    if result is None:
        return None
    medals.turn_medals(result.winner, result.winning_number, 0, "clash")
    medals.move_medals(result.loser, DISCARD, result.difference, 0, "clash")
    return _make_preview(medals)


def preview_joker(rules: MedalRules, state: State, seat: int, joker: Joker) -> CountsPreview:
    """Preview the effect and the price of a joker that ``seat`` may announce.

    The stars that the seat spends on the joker are deducted. Any joker announced earlier takes effect and is paid for
    first, except an opponent's joker with the effect "reinforce", which is left out. The preview assumes that the other
    seat announces no more jokers. If several amounts are possible for a joker, the last one returned by
    :func:`possible_amounts` is used. The preview ends at a second clash, or when a seat can't pay the price of a joker.
    """
    medals = MedalCounts(state)
    medals.stars[seat] -= joker.stars
    announced_jokers = [
        (state.speaking_seat(number), id) for number, id in enumerate(state.announced_jokers) if id
    ]
    for owner, announced_joker in (
        *[(owner, rules.joker_by_id(id)) for owner, id in announced_jokers],
        (seat, joker),
    ):
        if announced_joker.do == "reinforce":
            if owner == seat:
                medals.turn_medals(owner, 0, medals.spiral[owner], "back")
        elif announced_joker.do == "clash":
            # The numbers are unknown, but a seat that has no legal number is in Default for certain.
            faults = clash_start_faults(rules, medals.gold)
            return _make_preview(medals, faults[0].seat if len(faults) == 1 else -1, True)
        else:
            apply_effect(
                rules,
                announced_joker,
                medals,
                owner,
                possible_amounts(announced_joker, medals, owner)[-1],
                state.clash_result,
            )
        if (announced_joker.do != "reinforce" or owner == seat) and not pay_price(
            announced_joker, medals, owner
        ):
            return _make_preview(medals, owner)
    return _make_preview(medals)


def preview_amount(rules: MedalRules, state: State, amount: Amount) -> CountsPreview:
    """Preview the effect and the price of the current joker if its owner chooses ``amount``."""
    seat = state.speaking_seat(state.jokers_done)
    joker = rules.joker_by_id(state.announced_jokers[state.jokers_done])
    medals = MedalCounts(state)
    apply_effect(rules, joker, medals, seat, amount, state.clash_result)
    return _make_preview(medals, -1 if pay_price(joker, medals, seat) else seat)


def preview_turning_back(rules: MedalRules, state: State, seat: int, count: int) -> CountsPreview:
    """Preview turning ``count`` Spiral medals of a seat back to Gold.

    The seat must have at least ``count`` Spiral medals.
    """
    medals = MedalCounts(state)
    medals.turn_medals(seat, 0, count, "back")
    return _make_preview(medals)


def _make_preview(
    medals: MedalCounts, defaulting_seat: int = -1, is_before_clash: bool = False
) -> CountsPreview:
    return CountsPreview(
        tuple(medals.gold), tuple(medals.spiral), tuple(medals.stars), defaulting_seat, is_before_clash
    )
