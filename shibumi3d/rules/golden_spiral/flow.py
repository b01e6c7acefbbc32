"""The course of a Spiral: clash, strategy, jokers, reinforcement and final check.

:class:`Flow` applies a move and everything that automatically follows it, up to the next decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shibumi3d.i18n import translate
from shibumi3d.rules.game import Event, Outcome
from shibumi3d.rules.golden_spiral import events as ev
from shibumi3d.rules.golden_spiral import jokers
from shibumi3d.rules.golden_spiral.clash import Fault, barred, clash
from shibumi3d.rules.golden_spiral.jokers import Amount
from shibumi3d.rules.golden_spiral.medals import Medals
from shibumi3d.rules.golden_spiral.state import CLASH, JOKERS, REINFORCE, STRATEGY, Clashed, Question, State
from shibumi3d.rules.golden_spiral.table import Tableau
from shibumi3d.rules.golden_spiral.words import PHRASES, both

SEATS = (0, 1)
NOTHING = Amount("0", 0)


class Flow:
    """A move being carried out, up to the next decision or the end of the match.

    The state passed in is not modified. Call :meth:`bid`, :meth:`announce`, :meth:`amount` or :meth:`turn_back` once,
    then read the results from :meth:`after` and :attr:`events`.
    """

    def __init__(self, table: Tableau, state: State) -> None:
        self.table = table
        self.state = state
        self.medals = Medals(state)

    @property
    def events(self) -> list[Event]:
        """Events so far, in order."""
        return self.medals.events

    def after(self) -> State:
        """Return the resulting state, with the current medals and stars."""
        m = self.medals
        return replace(
            self.state,
            gold=tuple(m.gold),
            spiral=tuple(m.spiral),
            stars=tuple(m.stars),
            discard=m.discard,
        )

    def _ask(self, question: Question, seats: tuple[int, ...], phase: int) -> None:
        self.state = replace(self.state, question=question, asked=seats, phase=phase)

    def _answered(self) -> None:
        self.state = replace(self.state, step=self.state.step + 1)

    # ------------------------------------------------------------ answers

    def bid(self, seat: int, number: int) -> None:
        """Set a seat's number, and resolve the clash once both numbers are set."""
        self._answered()
        bids = tuple(number if each == seat else bid for each, bid in enumerate(self.state.bids))
        self.events.append(ev.NumberSet(number, seat=seat))
        self.state = replace(self.state, bids=bids)
        waiting = tuple(each for each in SEATS if not bids[each])
        if waiting:
            self._ask("bid", waiting, CLASH)
            return
        self.state = replace(self.state, bids=(0, 0), numbers=bids)
        self.events.append(ev.NumbersShown(bids))
        again = self.state.first >= 0
        result, faults = clash(self.table, self.medals.gold, bids)
        if faults:
            self._default(faults)
            return
        if result is not None:
            self.medals.turn(result.high, result.number, 0, "clash")
            self.medals.move(result.low, -1, result.difference, 0, "clash")
        if again:
            self._pay()
            return
        self.state = replace(self.state, clash=result)
        if result is None or not self.table.jokers:
            self._reinforce()
        else:
            self._strategy(result)

    def announce(self, seat: int, joker: str) -> None:
        """Announce a joker for a seat; "" passes."""
        self._answered()
        self._said(seat, joker, True)

    def amount(self, amount: Amount) -> None:
        """Carry out the current joker with the amount that its owner chose."""
        self._answered()
        self._use(amount)

    def turn_back(self, seat: int, number: int) -> None:
        """Turn ``number`` Spiral medals of a seat back to Gold."""
        self._answered()
        self.medals.turn(seat, 0, number, "back")
        self._next_reinforcement()

    # ------------------------------------------------------------ clash and strategy

    def open_clash(self) -> None:
        """Ask both seats to set a number.

        If a seat has no legal number, it is in Default and nobody is asked.
        """
        faults = barred(self.table, self.medals.gold)
        if faults:
            self._default(faults)
        else:
            self._ask("bid", SEATS, CLASH)

    def _strategy(self, result: Clashed) -> None:
        """Start the strategy phase by asking the first speaker.

        The seat with less Gold speaks first. If Gold is tied, it is the seat with fewer medals. If those are tied too,
        nobody speaks and the reinforcement follows.
        """
        m = self.medals
        order = sorted(SEATS, key=lambda seat: (m.gold[seat], m.total(seat)))
        if m.gold[0] == m.gold[1] and m.total(0) == m.total(1):
            self._reinforce()
            return
        self.state = replace(self.state, first=order[0])
        self.events.append(ev.SpeaksFirst(seat=order[0]))
        self._speak()

    def _speak(self) -> None:
        """Ask the next speaker to announce a joker, or carry out the jokers once both have spoken.

        A seat that can't announce any joker passes automatically.
        """
        number = len(self.state.spoken)
        if number == len(SEATS):
            self._next_joker()
            return
        seat = self.state.speaker(number)
        if jokers.open_jokers(self.table, self.after(), seat):
            self._ask("joker", (seat,), STRATEGY)
        else:
            self._said(seat, "", False)

    def _said(self, seat: int, joker: str, able: bool) -> None:
        self.state = replace(self.state, spoken=(*self.state.spoken, joker))
        if joker:
            stars = self.table.joker(joker).stars
            self.medals.stars[seat] -= stars
            laid = tuple(n + (stars if each == seat else 0) for each, n in enumerate(self.state.laid))
            self.state = replace(self.state, laid=laid)
            self.events.append(ev.StarsLaid(joker, stars, seat=seat))
        else:
            self.events.append(ev.NothingAnnounced(able, seat=seat))
        self._speak()

    def _next_joker(self) -> None:
        """Carry out the remaining jokers in the order in which they were announced.

        Stop at a joker that requires a decision, i.e. an amount, or numbers for a second clash. Jokers with the effect
        "reinforce" take effect during the reinforcement, which starts when no other joker remains.
        """
        used = self.state.used
        if used == len(self.state.spoken):
            self._reinforce()
            return
        id, seat = self.state.spoken[used], self.state.speaker(used)
        do = self.table.joker(id).do if id else ""
        if do in ("", "reinforce"):
            self.state = replace(self.state, used=used + 1)
            self._next_joker()
        elif do == "clash":
            self.events.append(ev.JokerUsed(id, seat=seat))
            self.events.append(ev.ClashOpened(seat=seat))
            self.open_clash()
        else:
            offered = jokers.amounts(self.table.joker(id), self.after(), seat)
            if len(offered) > 1:
                self._ask("amount", (seat,), JOKERS)
            else:
                self._use(offered[0])

    def _use(self, amount: Amount) -> None:
        seat = self.state.speaker(self.state.used)
        joker = self.table.joker(self.state.spoken[self.state.used])
        self.events.append(ev.JokerUsed(joker.id, seat=seat))
        jokers.use(self.table, joker, self.medals, seat, amount, self.state.clash)
        self._pay()

    def _pay(self) -> None:
        """Pay for the joker that has just taken effect, and carry out the next one."""
        used = self.state.used
        if self._paid(self.state.speaker(used), self.state.spoken[used]):
            self.state = replace(self.state, used=used + 1)
            self._next_joker()

    def _paid(self, seat: int, id: str) -> bool:
        joker = self.table.joker(id)
        if jokers.pay(joker, self.medals, seat):
            return True
        gold = self.medals.gold[seat] < joker.price.gold
        need = joker.price.gold if gold else joker.price.spiral
        have = self.medals.gold[seat] if gold else self.medals.spiral[seat]
        self._default((Fault(seat, "price" if gold else "price spiral", need, have),))
        return False

    # ------------------------------------------------------------ reinforcement and check

    def _reinforce(self) -> None:
        """Start the reinforcement: determine the order of the seats and how much each may turn back.

        The seat with less Gold goes first. If Gold is tied, it is the seat with fewer medals, then the seat with the
        lower number. The allowances depend on the Gold at this moment and don't change afterwards.
        """
        m, table = self.medals, self.table
        order = sorted(SEATS, key=lambda seat: (m.gold[seat], m.total(seat), seat))
        full = [
            self.state.speaker(number) for number, id in enumerate(self.state.spoken) if self._turns_all(id)
        ]
        if len(full) == len(SEATS):
            # Both pay for this joker when it takes effect, and jokers are paid in the order of announcement.
            order = full
        allowance = tuple(
            table.equal
            if m.gold[0] == m.gold[1]
            else table.fewer
            if m.gold[seat] < m.gold[1 - seat]
            else table.more
            for seat in SEATS
        )
        self.state = replace(self.state, waiting=tuple(order), allowance=allowance)
        self._next_reinforcement(first=True)

    def _turns_all(self, id: str) -> bool:
        return bool(id) and self.table.joker(id).do == "reinforce"

    def _next_reinforcement(self, first: bool = False) -> None:
        waiting = self.state.waiting if first else self.state.waiting[1:]
        self.state = replace(self.state, waiting=waiting)
        if not waiting:
            self._check()
            return
        seat, m = waiting[0], self.medals
        said = [id for number, id in enumerate(self.state.spoken) if self.state.speaker(number) == seat]
        if said and self._turns_all(said[0]):
            self.events.append(ev.JokerUsed(said[0], seat=seat))
            m.turn(seat, 0, m.spiral[seat], "back")
            if self._paid(seat, said[0]):
                self._next_reinforcement()
        elif min(self.state.allowance[seat], m.spiral[seat]):
            self._ask("reinforce", (seat,), REINFORCE)
        else:
            self._next_reinforcement()

    def _check(self) -> None:
        """End the Spiral, and start the next one unless the match is over.

        A seat with fewer than two Gold medals is in Default. After the last Spiral, the seat with more Gold wins, then
        the seat with more medals; if both are tied, the match is a draw.
        """
        number = self.state.turn + 1
        self.events.append(ev.SpiralEnded(number))
        faults = tuple(
            Fault(seat, "check", 2, gold) for seat, gold in enumerate(self.medals.gold) if gold < 2
        )
        if faults:
            self._default(faults)
        elif number >= self.table.limit:
            m = self.medals
            worth = [(m.gold[seat], m.total(seat)) for seat in SEATS]
            winners = () if worth[0] == worth[1] else (0,) if worth[0] > worth[1] else (1,)
            self._end(winners, "limit", n=number)
        else:
            self.state = replace(
                self.state,
                laid=(0, 0),
                bids=(0, 0),
                clash=None,
                first=-1,
                spoken=(),
                used=0,
                waiting=(),
                allowance=(0, 0),
                turn=number,
                step=0,
            )
            self.open_clash()

    # ------------------------------------------------------------ end of the match

    def _default(self, faults: Sequence[Fault]) -> None:
        """End the match because of Default.

        A seat in Default loses. If both seats are in Default, the seat with more Spiral medals wins; if they have
        equally many, the match is a draw.
        """
        for fault in faults:
            self.events.append(ev.InDefault(fault.why, fault.need, fault.have, seat=fault.seat))
        if len(faults) == 1:
            self._end((1 - faults[0].seat,), faults[0].why, need=faults[0].need, have=faults[0].have)
            return
        spiral = self.medals.spiral
        if spiral[0] == spiral[1]:
            self._end((), "both alike", n=spiral[0])
        else:
            self._end((0 if spiral[0] > spiral[1] else 1,), "both", n=max(spiral), m=min(spiral))

    def _end(self, winners: tuple[int, ...], why: str, **gaps: int) -> None:
        reason = f"end {why}"
        english = translate("en", PHRASES[reason], **gaps)
        self.events.append(ev.MatchEnded(winners, english))
        outcome = Outcome(winners, (0, 0), english, both(reason, **gaps))
        self.state = replace(self.state, result=outcome, question="", asked=(), turn=self.state.turn + 1)
