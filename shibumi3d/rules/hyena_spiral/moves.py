"""The legal moves of Hyena Spiral and their effects."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from shibumi3d.i18n import N_
from shibumi3d.rules import game
from shibumi3d.rules.errors import UnknownOutcomeError
from shibumi3d.rules.game import Outcome
from shibumi3d.rules.hyena_spiral import events as ev
from shibumi3d.rules.hyena_spiral.state import CHIP_COUNT, FINISHED_LEGS, Leg, State, Walker

END_REASONS = {
    "points": {"en": N_("most points")},
    "hunts": {"en": N_("tied on points; more rounds won as the hyena")},
    "shared": {"en": N_("tied on points and on rounds won as the hyena")},
    "drawn": {"en": N_("draw by agreement")},
    "time": {"en": N_("time ran out")},
}
"""Reasons for the end of a match, in English; they are translated where they are shown."""


@dataclass(frozen=True, slots=True)
class Move(game.Move):
    """Move in Hyena Spiral.

    ``text`` is the same as ``kind``, which is one of these:

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


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return the legal moves of the seat to move, or () if the match is over."""
    if state.result is not None:
        return ()
    seat, numbers = state.mover, state.rules
    times, walker = state.factor_for(seat), state.walkers[state.mover]
    if state.is_choosing:
        whites = sum(state.last_throw)
        return (
            Move("go", "go", steps=numbers.steps_by_whites[whites] * times),
            Move("take", "take", tabas=numbers.tabas_by_whites[whites] * times),
        )
    throw = Move("throw", "throw")
    due = state.fee_due(seat)
    if due:
        return (Move("pay", "pay", tabas=due),) if walker.tabas >= due else (throw,)
    moves = [throw]
    steps, price = numbers.steps_bought * times, numbers.step_price * times
    if walker.tabas >= price and not state.overshoots_well(seat, steps):
        moves.append(Move("buy", "buy", steps=steps, tabas=price))
    left = state.length - walker.place
    if (
        numbers.exact_arrival
        and walker.leg is Leg.OUT
        and left < numbers.min_throw_steps * times
        and walker.tabas >= times
    ):
        moves.append(Move("enter", "enter", steps=left, tabas=times))
    return tuple(moves)


def next_throw(state: State) -> tuple[bool, ...]:
    """Return the faces that the next throw will show; True means white.

    If there are preset throws, the first of them is returned; otherwise, the seed determines the faces. Raises
    UnknownOutcomeError if there is neither a preset throw nor a seed, as in a view.
    """
    if state.preset_throws:
        return tuple([chip < state.preset_throws[0] for chip in range(CHIP_COUNT)])
    if state.seed is None:
        raise UnknownOutcomeError
    bits = Random(f"{state.seed}/{state.throws_made}").getrandbits(CHIP_COUNT)
    return tuple([bool(bits >> chip & 1) for chip in range(CHIP_COUNT)])


class MoveExecution:
    """Execution of a move.

    ``state`` is the state reached so far, and ``events`` lists what has happened.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.seat = state.mover
        self.events: list[ev.Event] = []

    def apply_move(self, move: Move) -> State:
        """Apply a legal move and return the resulting state.

        The turn ends unless the move is a throw that leaves a choice. Raises UnknownOutcomeError for a throw in a view,
        where the outcome of the throw is unknown.
        """
        if move.kind == "throw":
            if self._throw_chips():
                return self.state
        elif move.kind == "pay":
            self._pay_due_fee()
        elif move.kind == "take":
            self._gain_tabas(move.tabas)
        else:
            if move.tabas:
                self._update_walker(tabas=self._own_walker.tabas - move.tabas)
                self.events.append(ev.Bought(move.tabas, move.steps, seat=self.seat))
            self._move_pawn(move.steps)
        self._end_turn()
        return self.state

    @property
    def _own_walker(self) -> Walker:
        return self.state.walkers[self.seat]

    def _update_walker(self, seat: int = -1, **fields: Any) -> None:
        """Replace fields in the walker of a seat (-1: the seat whose turn it is)."""
        seat = self.seat if seat < 0 else seat
        walkers = list(self.state.walkers)
        walkers[seat] = replace(walkers[seat], **fields)
        self.state = replace(self.state, walkers=tuple(walkers))

    def _throw_chips(self) -> bool:
        """Throw the chips and apply the result.

        Returns True if the player must choose between steps and tabas, in which case the turn continues. Raises
        UnknownOutcomeError if there is neither a preset throw nor a seed, as in a view.
        """
        state, seat = self.state, self.seat
        faces = next_throw(state)
        self.events.append(ev.Threw(faces, seat=seat))
        self.state = state = replace(
            state, last_throw=faces, throws_made=state.throws_made + 1, preset_throws=state.preset_throws[1:]
        )
        whites, times = sum(faces), state.factor_for(seat)
        steps, tabas = (
            state.rules.steps_by_whites[whites] * times,
            state.rules.tabas_by_whites[whites] * times,
        )
        due = state.fee_due(seat)
        loses_steps = bool(due) or state.overshoots_well(seat, steps)
        if steps and tabas and not loses_steps:
            self.state = replace(state, is_choosing=True)
            return True
        if tabas:
            self._gain_tabas(tabas)
            self._pay_due_fee()
        elif loses_steps:
            self.events.append(ev.StepsLost(steps, due, seat=seat))
        else:
            self._move_pawn(steps)
        return False

    def _gain_tabas(self, tabas: int) -> None:
        self._update_walker(tabas=self._own_walker.tabas + tabas)
        self.events.append(ev.Gained(tabas, seat=self.seat))

    def _pay_due_fee(self) -> None:
        """Pay the next fee at the well if one is due and the seat has enough tabas."""
        due, walker = self.state.fee_due(self.seat), self._own_walker
        if due and walker.tabas >= due:
            self._update_walker(tabas=walker.tabas - due, fees_paid=walker.fees_paid + 1)
            self.events.append(
                ev.Paid(due, walker.fees_paid + 1, self.state.fee_count(self.seat), seat=self.seat)
            )

    def _move_pawn(self, steps: int) -> None:
        """Move the acting seat's pawn by up to ``steps`` spaces towards the well, or back towards the village.

        Also handle an arrival at the well, a villager's return to the village, and any villagers that are eaten.
        """
        state, walker = self.state, self._own_walker
        place = state.place_after(self.seat, steps)
        if walker.leg is Leg.OUT:
            self.events.append(ev.Walked(walker.place, place, Leg.OUT, seat=self.seat))
            self._update_walker(place=place)
            if place == state.length:
                self._arrive_at_well()
            return
        eaten_seats = state.villagers_eaten(self.seat, place)
        if walker.leg is Leg.WELL and walker.is_hyena:
            self.events.append(ev.LeftWell(seat=self.seat))
            self._eat_villagers([seat for seat in eaten_seats if state.walkers[seat].leg is not Leg.BACK])
        self._update_walker(place=place, leg=Leg.BACK)
        self.events.append(ev.Walked(walker.place, place, Leg.BACK, seat=self.seat))
        self._eat_villagers([seat for seat in eaten_seats if state.walkers[seat].leg is Leg.BACK])
        if not walker.is_hyena and not place:
            points = state.rules.home_points
            self._update_walker(leg=Leg.HOME, points=walker.points + points)
            self.events.append(ev.CameHome(points, seat=self.seat))

    def _arrive_at_well(self) -> None:
        """Handle an arrival at the well.

        The first villager to arrive in a round becomes the hyena and starts again from the village. At any later
        arrival, including that of the hyena itself, the seat immediately pays a fee if it has enough tabas.
        """
        if self.state.hyena_seat is None:
            self._update_walker(leg=Leg.OUT, place=0, is_hyena=True)
            self.events.append(ev.BecameHyena(seat=self.seat))
            return
        self._update_walker(leg=Leg.WELL)
        self._pay_due_fee()

    def _eat_villagers(self, prey: list[int]) -> None:
        for seat in sorted(prey, key=lambda other: -self.state.walkers[other].place):
            walker = self.state.walkers[seat]
            self._update_walker(seat, leg=Leg.EATEN)
            self.events.append(ev.Eaten(self.seat, walker.place, walker.leg, seat=seat))

    def _end_turn(self) -> None:
        """End the turn, and begin that of the next seat still in the round, or end the round.

        Seats whose villagers are home or eaten are skipped. The round ends when all villagers are home or eaten.
        """
        state = replace(self.state, is_choosing=False, turn=self.state.turn + 1)
        self.events.append(ev.TurnEnded(state.turn, seat=self.seat))
        self.state = state
        if all(walker.is_hyena or walker.leg in FINISHED_LEGS for walker in state.walkers):
            self._end_round()
            return
        seat = (self.seat + 1) % state.seats
        while state.walkers[seat].leg in FINISHED_LEGS:
            seat = (seat + 1) % state.seats
        self.state = replace(state, mover=seat)

    def _end_round(self) -> None:
        home, alone, hyena = (
            self.state.rules.home_points,
            self.state.rules.hyena_points,
            self.state.hyena_seat,
        )
        assert hyena is not None
        came = [walker.leg is Leg.HOME for walker in self.state.walkers]
        points = [home * here for here in came]
        if not any(came):
            points[hyena] = alone
            hunter = self.state.walkers[hyena]
            self._update_walker(hyena, points=hunter.points + alone, hyena_wins=hunter.hyena_wins + 1)
        state = self.state
        self.events.append(ev.RoundEnded(state.round, tuple(points)))
        if state.round == state.rounds:
            outcome = final_outcome(state)
            self.events.append(ev.MatchEnded(outcome.winners, outcome.reason))
            self.state = replace(state, result=outcome)
            return
        starter = (state.first_seat + 1) % state.seats
        walkers = tuple(
            [Walker(points=walker.points, hyena_wins=walker.hyena_wins) for walker in state.walkers]
        )
        self.events.append(ev.RoundStarted(state.round + 1, seat=starter))
        self.state = replace(state, walkers=walkers, mover=starter, first_seat=starter, round=state.round + 1)


def final_outcome(state: State) -> Outcome:
    """Return the result of a match after its last round.

    The seat with the most points wins. Ties are broken by the number of rounds won as the hyena, and seats that are
    still tied share the win. If these are all the seats, the match is a draw instead.
    """
    ranks = [(walker.points, walker.hyena_wins) for walker in state.walkers]
    first = max(ranks)
    winners = tuple([seat for seat, rank in enumerate(ranks) if rank == first])
    reason = "points"
    if len(winners) > 1:
        reason = "shared"
    elif sum(points == first[0] for points, _ in ranks) > 1:
        reason = "hunts"
    return make_outcome(state, () if len(winners) == state.seats else winners, reason)


def make_outcome(state: State, winners: tuple[int, ...], reason: str) -> Outcome:
    """Return the result of a match that ends for a reason in :data:`END_REASONS`."""
    because = END_REASONS[reason]
    return Outcome(winners, state.scores, because["en"], tuple(because.items()))
