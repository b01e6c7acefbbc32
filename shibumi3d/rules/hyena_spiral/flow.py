"""Legal moves of Hyena Spiral and their effects."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from shibumi3d.i18n import N_
from shibumi3d.rules import game
from shibumi3d.rules.errors import Unforeseen
from shibumi3d.rules.game import Outcome
from shibumi3d.rules.hyena_spiral import event as ev
from shibumi3d.rules.hyena_spiral.numbers import CHIPS
from shibumi3d.rules.hyena_spiral.state import GONE, Leg, State, Walker

REASONS = {
    "points": {"en": N_("most points")},
    "hunts": {"en": N_("tied on points, more rounds won as the hyena")},
    "shared": {"en": N_("tied on points and on rounds won as the hyena")},
    "drawn": {"en": N_("draw by agreement")},
    "time": {"en": N_("time ran out")},
}
"""Reasons for the end of a match, in all languages."""


@dataclass(frozen=True, slots=True)
class Move(game.Move):
    """A move; ``text`` is the same as ``kind``.

    ====== =================================================================
    throw  throw the chips
    buy    pay ``tabas`` to walk ``steps``
    enter  pay ``tabas`` to step into the well when it is too near for any throw
    go     walk ``steps``, as the last throw allows
    take   take ``tabas`` instead of walking
    pay    pay the fee of ``tabas`` at the well
    ====== =================================================================
    """

    steps: int = 0
    tabas: int = 0


def moves(state: State) -> tuple[Move, ...]:
    """Return the legal moves, or none if the match is over."""
    if state.result is not None:
        return ()
    seat, numbers = state.mover, state.numbers
    times, walker = state.times(seat), state.walkers[state.mover]
    if state.choosing:
        whites = sum(state.chips)
        return (
            Move("go", "go", steps=numbers.steps[whites] * times),
            Move("take", "take", tabas=numbers.tabas[whites] * times),
        )
    throw = Move("throw", "throw")
    due = state.due(seat)
    if due:
        return (Move("pay", "pay", tabas=due),) if walker.tabas >= due else (throw,)
    found = [throw]
    steps, price = numbers.bought * times, numbers.price * times
    if walker.tabas >= price and not state.void(seat, steps):
        found.append(Move("buy", "buy", steps=steps, tabas=price))
    left = state.length - walker.place
    if numbers.exact and walker.leg is Leg.OUT and left < numbers.least * times and walker.tabas >= times:
        found.append(Move("enter", "enter", steps=left, tabas=times))
    return tuple(found)


def chips_of(state: State) -> tuple[bool, ...]:
    """Return the faces that the next throw will show; True means white.

    Raises Unforeseen in a view, which has no seed.
    """
    if state.forced:
        return tuple([chip < state.forced[0] for chip in range(CHIPS)])
    if state.seed is None:
        raise Unforeseen
    bits = Random(f"{state.seed}/{state.draws}").getrandbits(CHIPS)
    return tuple([bool(bits >> chip & 1) for chip in range(CHIPS)])


class Turn:
    """A move in progress: the ``state``, updated as the move is carried out, and the events so far."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.seat = state.mover
        self.events: list[ev.Event] = []

    def play(self, move: Move) -> State:
        """Apply a legal move and return the resulting state.

        Raises Unforeseen for a throw in a view, where the outcome of the throw is unknown.
        """
        if move.kind == "throw":
            if self._throw():
                return self.state
        elif move.kind == "pay":
            self._settle()
        elif move.kind == "take":
            self._gain(move.tabas)
        else:
            if move.tabas:
                self._change(tabas=self._me.tabas - move.tabas)
                self._tell(ev.Bought(move.tabas, move.steps, seat=self.seat))
            self._walk(move.steps)
        self._end()
        return self.state

    @property
    def _me(self) -> Walker:
        return self.state.walkers[self.seat]

    def _tell(self, event: ev.Event) -> None:
        self.events.append(event)

    def _change(self, seat: int = -1, **fields: Any) -> None:
        """Replace fields in the walker of a seat (-1: the seat whose turn it is)."""
        seat = self.seat if seat < 0 else seat
        walkers = list(self.state.walkers)
        walkers[seat] = replace(walkers[seat], **fields)
        self.state = replace(self.state, walkers=tuple(walkers))

    def _throw(self) -> bool:
        """Throw the chips and apply the result.

        Returns True if the player must choose between steps and tabas, in which case the turn continues.
        """
        state, seat = self.state, self.seat
        faces = chips_of(state)
        self._tell(ev.Threw(faces, seat=seat))
        self.state = state = replace(state, chips=faces, draws=state.draws + 1, forced=state.forced[1:])
        whites, times = sum(faces), state.times(seat)
        steps, tabas = state.numbers.steps[whites] * times, state.numbers.tabas[whites] * times
        due = state.due(seat)
        void = bool(due) or state.void(seat, steps)
        if steps and tabas and not void:
            self.state = replace(state, choosing=True)
            return True
        if tabas:
            self._gain(tabas)
            self._settle()
        elif void:
            self._tell(ev.Wasted(steps, due, seat=seat))
        else:
            self._walk(steps)
        return False

    def _gain(self, tabas: int) -> None:
        self._change(tabas=self._me.tabas + tabas)
        self._tell(ev.Gained(tabas, seat=self.seat))

    def _settle(self) -> None:
        """Pay the next fee at the well if one is due and the seat has enough tabas."""
        due, walker = self.state.due(self.seat), self._me
        if due and walker.tabas >= due:
            self._change(tabas=walker.tabas - due, paid=walker.paid + 1)
            self._tell(ev.Paid(due, walker.paid + 1, self.state.fees(self.seat), seat=self.seat))

    def _walk(self, steps: int) -> None:
        """Move the pawn toward the well, or from the well toward the village."""
        state, walker = self.state, self._me
        place = state.reach(self.seat, steps)
        if walker.leg is Leg.OUT:
            self._tell(ev.Walked(walker.place, place, Leg.OUT, seat=self.seat))
            self._change(place=place)
            if place == state.length:
                self._arrive()
            return
        prey = state.prey(self.seat, place)
        if walker.leg is Leg.WELL and walker.hyena:
            self._tell(ev.Departed(seat=self.seat))
            self._eat([seat for seat in prey if state.walkers[seat].leg is not Leg.BACK])
        self._change(place=place, leg=Leg.BACK)
        self._tell(ev.Walked(walker.place, place, Leg.BACK, seat=self.seat))
        self._eat([seat for seat in prey if state.walkers[seat].leg is Leg.BACK])
        if not walker.hyena and not place:
            points = state.numbers.home
            self._change(leg=Leg.HOME, points=walker.points + points)
            self._tell(ev.CameHome(points, seat=self.seat))

    def _arrive(self) -> None:
        """Handle an arrival at the well.

        The first villager there becomes the hyena and returns to the village. Any other arrival pays a fee at once if
        the seat has enough tabas.
        """
        if self.state.hyena is None:
            self._change(leg=Leg.OUT, place=0, hyena=True)
            self._tell(ev.Turned(seat=self.seat))
            return
        self._change(leg=Leg.WELL)
        self._settle()

    def _eat(self, prey: list[int]) -> None:
        for seat in sorted(prey, key=lambda other: -self.state.walkers[other].place):
            walker = self.state.walkers[seat]
            self._change(seat, leg=Leg.EATEN)
            self._tell(ev.Eaten(self.seat, walker.place, walker.leg, seat=seat))

    def _end(self) -> None:
        """End the turn and pass to the next seat, or end the round.

        The round ends when no villager is left on the path.
        """
        state = replace(self.state, choosing=False, turn=self.state.turn + 1)
        self._tell(ev.TurnOver(state.turn, seat=self.seat))
        self.state = state
        if all(walker.hyena or walker.leg in GONE for walker in state.walkers):
            self._end_round()
            return
        seat = (self.seat + 1) % state.seats
        while state.walkers[seat].leg in GONE:
            seat = (seat + 1) % state.seats
        self.state = replace(state, mover=seat)

    def _end_round(self) -> None:
        home, alone, hyena = self.state.numbers.home, self.state.numbers.alone, self.state.hyena
        assert hyena is not None
        came = [walker.leg is Leg.HOME for walker in self.state.walkers]
        points = [home * here for here in came]
        if not any(came):
            points[hyena] = alone
            hunter = self.state.walkers[hyena]
            self._change(hyena, points=hunter.points + alone, hunts=hunter.hunts + 1)
        state = self.state
        self._tell(ev.RoundEnded(state.round, tuple(points)))
        if state.round == state.rounds:
            outcome = outcome_of(state)
            self._tell(ev.MatchOver(outcome.winners, outcome.reason))
            self.state = replace(state, result=outcome)
            return
        starter = (state.starter + 1) % state.seats
        walkers = tuple([Walker(points=walker.points, hunts=walker.hunts) for walker in state.walkers])
        self._tell(ev.RoundBegan(state.round + 1, seat=starter))
        self.state = replace(state, walkers=walkers, mover=starter, starter=starter, round=state.round + 1)


def outcome_of(state: State) -> Outcome:
    """Return the result of a match after its last round.

    The seat with the most points wins. Ties are broken by the number of rounds won as the hyena, and seats that are
    still tied share the win. If all seats are tied, the match is a draw.
    """
    ranks = [(walker.points, walker.hunts) for walker in state.walkers]
    first = max(ranks)
    winners = tuple([seat for seat, rank in enumerate(ranks) if rank == first])
    reason = "points"
    if len(winners) > 1:
        reason = "shared"
    elif sum(points == first[0] for points, _ in ranks) > 1:
        reason = "hunts"
    return ended(state, () if len(winners) == state.seats else winners, reason)


def ended(state: State, winners: tuple[int, ...], reason: str) -> Outcome:
    """Return the result of a match that ends for a reason in :data:`REASONS`."""
    because = REASONS[reason]
    return Outcome(winners, state.scores, because["en"], tuple(because.items()))
