"""The course of a Spiral: clash, strategy, jokers, reinforcement and final check.

:class:`MoveExecution` applies a move and everything that automatically follows it, up to the next decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shibumi3d.i18n import translate
from shibumi3d.rules.game import Event, Outcome
from shibumi3d.rules.golden_spiral import events as ev
from shibumi3d.rules.golden_spiral.effects import (
    Amount,
    DefaultReason,
    MedalCounts,
    announceable_jokers,
    apply_effect,
    clash_start_faults,
    pay_price,
    possible_amounts,
    resolve_clash,
)
from shibumi3d.rules.golden_spiral.state import (
    CLASH_PHASE,
    JOKER_PHASE,
    REINFORCEMENT_PHASE,
    STRATEGY_PHASE,
    ClashResult,
    DecisionKind,
    MedalRules,
    State,
)
from shibumi3d.rules.golden_spiral.text import PHRASES, translate_to_all

SEATS = (0, 1)


class MoveExecution:
    """Execution of a move and of what follows from it, up to the next decision or the end of the match.

    The state passed in is not modified. Call :meth:`set_number`, :meth:`announce_joker`, :meth:`choose_amount` or
    :meth:`turn_back` once, then read the results from :meth:`resulting_state` and :attr:`events`.
    """

    def __init__(self, rules: MedalRules, state: State) -> None:
        self.table = rules
        self.state = state
        self.medals = MedalCounts(state)

    @property
    def events(self) -> list[Event]:
        """Events so far, in order."""
        return self.medals.events

    def resulting_state(self) -> State:
        """Return the state reached so far, with the current medals and stars."""
        m = self.medals
        return replace(
            self.state,
            gold=tuple(m.gold),
            spiral=tuple(m.spiral),
            stars=tuple(m.stars),
            discarded_medals=m.discard,
        )

    def _set_decision(self, decision_kind: DecisionKind, seats: tuple[int, ...], phase: int) -> None:
        self.state = replace(self.state, decision_kind=decision_kind, deciding_seats=seats, phase=phase)

    def _count_answer(self) -> None:
        self.state = replace(self.state, step=self.state.step + 1)

    # ------------------------------------------------------------ answers

    def set_number(self, seat: int, number: int) -> None:
        """Set a seat's number; if both numbers are now set, reveal them and resolve the clash."""
        self._count_answer()
        bids = tuple(number if each == seat else bid for each, bid in enumerate(self.state.secret_numbers))
        self.events.append(ev.NumberSet(number, seat=seat))
        self.state = replace(self.state, secret_numbers=bids)
        waiting = tuple(each for each in SEATS if not bids[each])
        if waiting:
            self._set_decision("bid", waiting, CLASH_PHASE)
            return
        self.state = replace(self.state, secret_numbers=(0, 0), shown_numbers=bids)
        self.events.append(ev.NumbersRevealed(bids))
        again = self.state.first_speaker >= 0
        result, faults = resolve_clash(self.table, self.medals.gold, bids)
        if faults:
            self._end_by_default(faults)
            return
        if result is not None:
            self.medals.turn_medals(result.winner, result.winning_number, 0, "clash")
            self.medals.move_medals(result.loser, -1, result.difference, 0, "clash")
        if again:
            self._pay_for_joker()
            return
        self.state = replace(self.state, clash_result=result)
        if result is None or not self.table.jokers:
            self._start_reinforcement()
        else:
            self._start_strategy(result)

    def announce_joker(self, seat: int, joker: str) -> None:
        """Announce the joker with the id ``joker`` for a seat, or pass if ``joker`` is ""."""
        self._count_answer()
        self._record_announcement(seat, joker, True)

    def choose_amount(self, amount: Amount) -> None:
        """Carry out the current joker with the amount that its owner chose."""
        self._count_answer()
        self._execute_joker(amount)

    def turn_back(self, seat: int, count: int) -> None:
        """Turn ``count`` Spiral medals of a seat back to Gold, and continue the reinforcement."""
        self._count_answer()
        self.medals.turn_medals(seat, 0, count, "back")
        self._continue_reinforcement()

    # ------------------------------------------------------------ clash and strategy

    def start_clash(self) -> None:
        """Ask both seats to set a number.

        If a seat has no legal number, it is in Default: the match ends, and nobody is asked.
        """
        faults = clash_start_faults(self.table, self.medals.gold)
        if faults:
            self._end_by_default(faults)
        else:
            self._set_decision("bid", SEATS, CLASH_PHASE)

    def _start_strategy(self, result: ClashResult) -> None:
        """Start the strategy phase by asking the first speaker.

        The seat with less Gold speaks first. If the seats have equal Gold, the one with fewer medals does. If they have
        equally many medals, too, nobody speaks and the reinforcement follows.
        """
        m = self.medals
        order = sorted(SEATS, key=lambda seat: (m.gold[seat], m.total(seat)))
        if m.gold[0] == m.gold[1] and m.total(0) == m.total(1):
            self._start_reinforcement()
            return
        self.state = replace(self.state, first_speaker=order[0])
        self.events.append(ev.FirstSpeakerChosen(seat=order[0]))
        self._ask_next_speaker()

    def _ask_next_speaker(self) -> None:
        """Ask the next speaker to announce a joker, or carry out the jokers if both seats have spoken.

        A seat that can't announce any joker passes automatically.
        """
        number = len(self.state.announced_jokers)
        if number == len(SEATS):
            self._execute_next_joker()
            return
        seat = self.state.speaking_seat(number)
        if announceable_jokers(self.table, self.resulting_state(), seat):
            self._set_decision("joker", (seat,), STRATEGY_PHASE)
        else:
            self._record_announcement(seat, "", False)

    def _record_announcement(self, seat: int, joker: str, could_announce: bool) -> None:
        self.state = replace(self.state, announced_jokers=(*self.state.announced_jokers, joker))
        if joker:
            stars = self.table.joker_by_id(joker).stars
            self.medals.stars[seat] -= stars
            laid = tuple(n + (stars if each == seat else 0) for each, n in enumerate(self.state.spent_stars))
            self.state = replace(self.state, spent_stars=laid)
            self.events.append(ev.StarsSpent(joker, stars, seat=seat))
        else:
            self.events.append(ev.JokerPassed(could_announce, seat=seat))
        self._ask_next_speaker()

    def _execute_next_joker(self) -> None:
        """Carry out the remaining jokers in the order in which they were announced.

        Stop at a joker that requires a decision: an amount, if several are possible, or the numbers for a second clash.
        Also stop if a seat is in Default, which ends the match. Jokers with the effect "reinforce" take effect during
        the reinforcement, which starts when no other joker remains.
        """
        used = self.state.jokers_done
        if used == len(self.state.announced_jokers):
            self._start_reinforcement()
            return
        id, seat = self.state.announced_jokers[used], self.state.speaking_seat(used)
        do = self.table.joker_by_id(id).do if id else ""
        if do in ("", "reinforce"):
            self.state = replace(self.state, jokers_done=used + 1)
            self._execute_next_joker()
        elif do == "clash":
            self.events.append(ev.JokerUsed(id, seat=seat))
            self.events.append(ev.SecondClashStarted(seat=seat))
            self.start_clash()
        else:
            offered = possible_amounts(self.table.joker_by_id(id), self.resulting_state(), seat)
            if len(offered) > 1:
                self._set_decision("amount", (seat,), JOKER_PHASE)
            else:
                self._execute_joker(offered[0])

    def _execute_joker(self, amount: Amount) -> None:
        seat = self.state.speaking_seat(self.state.jokers_done)
        joker = self.table.joker_by_id(self.state.announced_jokers[self.state.jokers_done])
        self.events.append(ev.JokerUsed(joker.id, seat=seat))
        apply_effect(self.table, joker, self.medals, seat, amount, self.state.clash_result)
        self._pay_for_joker()

    def _pay_for_joker(self) -> None:
        """Pay for the joker that has just taken effect, and carry out the remaining jokers.

        If the seat that announced the joker can't pay, that seat is in Default and the match ends.
        """
        used = self.state.jokers_done
        if self._try_to_pay(self.state.speaking_seat(used), self.state.announced_jokers[used]):
            self.state = replace(self.state, jokers_done=used + 1)
            self._execute_next_joker()

    def _try_to_pay(self, seat: int, id: str) -> bool:
        joker = self.table.joker_by_id(id)
        if pay_price(joker, self.medals, seat):
            return True
        gold = self.medals.gold[seat] < joker.price.gold
        need = joker.price.gold if gold else joker.price.spiral
        have = self.medals.gold[seat] if gold else self.medals.spiral[seat]
        self._end_by_default((DefaultReason(seat, "price" if gold else "price spiral", need, have),))
        return False

    # ------------------------------------------------------------ reinforcement and check

    def _start_reinforcement(self) -> None:
        """Start the reinforcement: determine the order of the seats and how many medals each may turn back.

        The seat with less Gold goes first. If the seats have equal Gold, the one with fewer medals goes first. If they
        have equally many medals, too, seat 0 goes first. If both announced a joker with the effect "reinforce",
        however, they go in the order of announcement. How many medals a seat may turn back depends on whether it has
        less Gold than the other seat, equal Gold or more Gold. This limit is set now and doesn't change during the
        reinforcement.
        """
        m, table = self.medals, self.table
        order = sorted(SEATS, key=lambda seat: (m.gold[seat], m.total(seat), seat))
        full = [
            self.state.speaking_seat(number)
            for number, id in enumerate(self.state.announced_jokers)
            if self._reinforces_fully(id)
        ]
        if len(full) == len(SEATS):
            # Both pay for this joker when it takes effect, and jokers are paid in the order of announcement.
            order = full
        allowance = tuple(
            table.turn_back_with_equal_gold
            if m.gold[0] == m.gold[1]
            else table.turn_back_with_less_gold
            if m.gold[seat] < m.gold[1 - seat]
            else table.turn_back_with_more_gold
            for seat in SEATS
        )
        self.state = replace(self.state, seats_to_reinforce=tuple(order), turn_back_limits=allowance)
        self._continue_reinforcement(is_first=True)

    def _reinforces_fully(self, id: str) -> bool:
        return bool(id) and self.table.joker_by_id(id).do == "reinforce"

    def _continue_reinforcement(self, is_first: bool = False) -> None:
        waiting = self.state.seats_to_reinforce if is_first else self.state.seats_to_reinforce[1:]
        self.state = replace(self.state, seats_to_reinforce=waiting)
        if not waiting:
            self._end_spiral()
            return
        seat, m = waiting[0], self.medals
        joker_ids = [
            id
            for number, id in enumerate(self.state.announced_jokers)
            if self.state.speaking_seat(number) == seat
        ]
        if joker_ids and self._reinforces_fully(joker_ids[0]):
            self.events.append(ev.JokerUsed(joker_ids[0], seat=seat))
            m.turn_medals(seat, 0, m.spiral[seat], "back")
            if self._try_to_pay(seat, joker_ids[0]):
                self._continue_reinforcement()
        elif min(self.state.turn_back_limits[seat], m.spiral[seat]):
            self._set_decision("reinforce", (seat,), REINFORCEMENT_PHASE)
        else:
            self._continue_reinforcement()

    def _end_spiral(self) -> None:
        """End the Spiral, and start the next one unless the match is over.

        A seat with fewer than two Gold medals is in Default, which ends the match. After the last Spiral, the seat with
        more Gold wins or, if that is tied, the seat with more medals; if both are tied, the match is a draw.
        """
        number = self.state.turn + 1
        self.events.append(ev.SpiralEnded(number))
        faults = tuple(
            DefaultReason(seat, "check", 2, gold) for seat, gold in enumerate(self.medals.gold) if gold < 2
        )
        if faults:
            self._end_by_default(faults)
        elif number >= self.table.max_spirals:
            m = self.medals
            rankings = [(m.gold[seat], m.total(seat)) for seat in SEATS]
            winners = () if rankings[0] == rankings[1] else (0,) if rankings[0] > rankings[1] else (1,)
            self._end_match(winners, "limit", n=number)
        else:
            self.state = replace(
                self.state,
                spent_stars=(0, 0),
                secret_numbers=(0, 0),
                clash_result=None,
                first_speaker=-1,
                announced_jokers=(),
                jokers_done=0,
                seats_to_reinforce=(),
                turn_back_limits=(0, 0),
                turn=number,
                step=0,
            )
            self.start_clash()

    # ------------------------------------------------------------ end of the match

    def _end_by_default(self, faults: Sequence[DefaultReason]) -> None:
        """End the match because of Default.

        If one seat is in Default, it loses. If both are, the seat with more Spiral medals wins; if they have the
        same number, the match is a draw.
        """
        for fault in faults:
            self.events.append(ev.DefaultDeclared(fault.rule, fault.needed, fault.available, seat=fault.seat))
        if len(faults) == 1:
            self._end_match(
                (1 - faults[0].seat,), faults[0].rule, need=faults[0].needed, have=faults[0].available
            )
            return
        spiral = self.medals.spiral
        if spiral[0] == spiral[1]:
            self._end_match((), "both alike", n=spiral[0])
        else:
            self._end_match((0 if spiral[0] > spiral[1] else 1,), "both", n=max(spiral), m=min(spiral))

    def _end_match(self, winners: tuple[int, ...], reason_key: str, **values: int) -> None:
        reason = f"end {reason_key}"
        english = translate("en", PHRASES[reason], **values)
        self.events.append(ev.MatchEnded(winners, english))
        outcome = Outcome(winners, (0, 0), english, translate_to_all(reason, **values))
        self.state = replace(
            self.state, result=outcome, decision_kind="", deciding_seats=(), turn=self.state.turn + 1
        )
