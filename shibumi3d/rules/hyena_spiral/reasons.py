"""Reasons for a move in Hyena Spiral that follow from the rules and the odds of the next throw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import comb

from shibumi3d.i18n import P_, Message, Plural
from shibumi3d.rules.hyena_spiral import event as ev
from shibumi3d.rules.hyena_spiral.flow import Move, Turn, moves
from shibumi3d.rules.hyena_spiral.numbers import CHIPS
from shibumi3d.rules.hyena_spiral.state import GONE, Leg, State

WHY_SPIRAL_TEXTS = {
    "turns-by": P_("why.spiral.turns-by", "becomes the hyena in {n} out of {of} throws"),
    "home-by": P_("why.spiral.home-by", "comes home in {n} out of {of} throws"),
    "eats-by": P_("why.spiral.eats-by", "eats a villager in {n} out of {of} throws"),
}

THROWS = 1 << CHIPS
"""Number of possible throws, all equally likely."""


def grounds(view: State, move: Move, seat: int) -> Iterator[Message]:
    """Yield the reasons for a move of the seat whose turn it is."""
    if move.kind == "throw":
        for what, event in (("turns", ev.Turned), ("home", ev.CameHome), ("eats", ev.Eaten)):
            if n := _by_throwing(view, seat, event):
                yield Message(WHY_SPIRAL_TEXTS[f"{what}-by"], n=n, of=THROWS)
        return
    turn = Turn(view)
    after = turn.play(move)
    if any(isinstance(event, ev.Turned) for event in turn.events):
        yield Message(P_("why.spiral.turns", "becomes the hyena"))
    if eaten := sum(isinstance(event, ev.Eaten) for event in turn.events):
        yield Message(Plural(P_("why.spiral.eats", "eats {n} villager"), "eats {n} villagers"), n=eaten)
    if after.result is not None or after.round > view.round or view.hyena is None:
        return
    if view.hyena == seat:
        near = reach(after, seat)
        if near > reach(view, seat):
            yield Message(
                P_("why.spiral.near", "gets close enough to eat a villager in {n} out of {of} throws"),
                n=near,
                of=THROWS,
            )
        return
    if after.walkers[seat].leg in GONE:
        return
    if reach(view, view.hyena, seat) and not reach(after, view.hyena, seat):
        yield Message(P_("why.spiral.safe", "gets out of reach of the hyena's next turn"))
    if _owed(view, seat) > view.walkers[seat].tabas and 0 < _owed(after, seat) <= after.walkers[seat].tabas:
        yield Message(P_("why.spiral.fees", "has enough tabas to pay at the well"))


def reach(state: State, hyena: int, villager: int = -1) -> int:
    """Return how many of all possible throws would let the hyena eat a villager if it moved now.

    ``hyena`` and ``villager`` are seats; if ``villager`` is -1, any villager counts. The result is :data:`THROWS` if
    the hyena can eat the villager by buying steps; otherwise it is 0 if the hyena may not throw.
    """
    here = replace(state, mover=hyena, choosing=False, chips=())
    ways = {move.kind: move for move in moves(here)}
    if "buy" in ways:
        turn = Turn(here)
        turn.play(ways["buy"])
        if _meant(turn.events, ev.Eaten, villager):
            return THROWS
    return _by_throwing(here, hyena, ev.Eaten, villager) if "throw" in ways else 0


def _by_throwing(state: State, seat: int, event: type[ev.Event], whom: int = -1) -> int:
    """Return how many of all possible throws by ``seat`` cause an event of the given type.

    If a throw leaves a choice, the seat is assumed to walk. ``whom`` is the seat that the event must concern (-1: any
    seat).
    """
    found = 0
    for whites in range(CHIPS + 1):
        turn = Turn(replace(state, mover=seat, forced=(whites,)))
        after = turn.play(Move("throw", "throw"))
        told = turn.events
        if after.choosing:
            walk = Turn(after)
            walk.play(next(move for move in moves(after) if move.kind == "go"))
            told = [*told, *walk.events]
        if _meant(told, event, whom):
            found += comb(CHIPS, whites)
    return found


def _meant(events: list[ev.Event], kind: type[ev.Event], whom: int) -> bool:
    return any(isinstance(event, kind) and whom in (-1, event.seat) for event in events)


def _owed(state: State, seat: int) -> int:
    """Return the tabas that a villager still has to pay at the well."""
    walker = state.walkers[seat]
    return sum(state.numbers.fees[walker.paid :]) if walker.leg in (Leg.OUT, Leg.WELL) else 0
