"""The sixteen worked examples of Hyena Spiral, on 80 places, with results worked out by hand.

Throws are given by the number of white faces. Three of the examples use odd places, which can't be reached: 71, 5
and 3 are 70, 6 and 4 here.
"""

from __future__ import annotations

import pytest

from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.hyena_spiral import events as ev
from shibumi3d.rules.hyena_spiral.state import Leg, State
from tests.tables.spiral import spiral

GAME = spiral()


def play_moves(
    seats: list[str], moves: str, throws: str = "", mover: int = 0
) -> tuple[State, list[ev.Event]]:
    state = GAME.position(seats, to_move=mover, stocks={"throws": throws})
    all_events: list[ev.Event] = []
    for move in moves.split():
        state, events = GAME.apply(state, move)
        all_events += events
    return state, all_events


def first_walker_after(seats: list[str], moves: str, throws: str = "") -> tuple[Leg, int, int]:
    walker = play_moves(seats, moves, throws)[0].walkers[0]
    return walker.leg, walker.place, walker.tabas


def test_example_1_two_white_faces_move_four_steps() -> None:
    assert first_walker_after(["out 0", "out 0"], "throw", "2") == (Leg.OUT, 4, 0)


def test_example_2_one_white_face_earns_a_taba() -> None:
    assert first_walker_after(["out 10, 1 taba", "out 0"], "throw", "1") == (Leg.OUT, 10, 2)


def test_example_3_no_white_face_offers_a_choice() -> None:
    seats = ["out 10, 1 taba", "out 0"]
    state, _ = play_moves(seats, "throw", "0")
    assert [move.text for move in GAME.moves(state)] == ["go", "take"]
    assert (state.to_move, state.turn) == (0, 0)
    assert first_walker_after(seats, "throw take", "0") == (Leg.OUT, 10, 2)
    assert first_walker_after(seats, "throw go", "0") == (Leg.OUT, 22, 1)


def test_example_4_twelve_steps_are_bought_without_a_throw() -> None:
    state, events = play_moves(["out 30, 3 tabas", "out 0"], "buy")
    assert (state.walkers[0].place, state.walkers[0].tabas) == (42, 1)
    assert not any(isinstance(event, ev.Threw) for event in events)
    assert state.to_move == 1


def test_example_5_first_at_the_well_becomes_the_hyena() -> None:
    state, events = play_moves(["out 76, 3 tabas", "out 0"], "throw", "3")
    hyena = state.walkers[0]
    assert (hyena.is_hyena, hyena.leg, hyena.place, hyena.tabas) == (True, Leg.OUT, 0, 3)
    assert ev.BecameHyena(seat=0) in events
    assert state.to_move == 1


def test_example_6_hyena_earns_and_moves_double() -> None:
    seats = ["hyena out 0, 3 tabas", "out 0"]
    assert first_walker_after(seats, "throw", "1") == (Leg.OUT, 0, 5)
    assert first_walker_after(seats, "throw", "2") == (Leg.OUT, 8, 3)
    assert first_walker_after(seats, "throw go", "0") == (Leg.OUT, 24, 3)
    assert first_walker_after(seats, "throw take", "0") == (Leg.OUT, 0, 5)


def test_example_7_villager_pays_each_fee_when_able() -> None:
    seats = ["out 78, 3 tabas", "hyena out 0"]
    state, events = play_moves(seats, "throw", "2 1 1 1")
    here = state.walkers[0]
    assert (here.leg, here.place, here.fees_paid, here.tabas) == (Leg.WELL, 80, 1, 1)
    assert ev.Paid(2, 1, 2, seat=0) in events
    state, _ = GAME.apply(state, "throw")
    assert [move.text for move in GAME.moves(state)] == ["throw"]
    state, events2 = GAME.apply(state, "throw")
    assert (state.walkers[0].fees_paid, state.walkers[0].tabas) == (2, 0)
    assert ev.Paid(2, 2, 2, seat=0) in events2
    assert state.to_move == 1
    state, _ = GAME.apply(state, "throw")
    assert [move.text for move in GAME.moves(state)] == ["throw"]
    assert not state.fee_due(0)


def test_example_8_payment_takes_the_whole_turn() -> None:
    seats = ["well, 1 paid, 4 tabas", "hyena out 0"]
    state = GAME.position(seats, stocks={"throws": "1"})
    assert [move.text for move in GAME.moves(state)] == ["pay"]
    assert state.decision is not None
    assert state.decision.default == "pay"
    state, events = GAME.apply(state, "pay")
    assert (state.walkers[0].fees_paid, state.walkers[0].tabas, state.to_move) == (2, 2, 1)
    assert not any(isinstance(event, ev.Threw) for event in events)
    state, _ = GAME.apply(state, "throw")
    state, _ = GAME.apply(state, "buy")
    here = state.walkers[0]
    assert (here.leg, here.place, here.tabas) == (Leg.BACK, 68, 0)


def test_example_9_due_fee_makes_steps_void() -> None:
    state, events = play_moves(["well", "hyena out 0"], "throw", "3")
    here = state.walkers[0]
    assert (here.leg, here.fees_paid, here.tabas) == (Leg.WELL, 0, 0)
    assert ev.StepsLost(6, 2, seat=0) in events
    assert state.to_move == 1


def test_example_10_hyena_pays_with_its_last_tabas() -> None:
    state, _ = play_moves(["hyena well, 9 tabas", "out 40"], "throw", "1")
    hyena = state.walkers[0]
    assert (hyena.leg, hyena.fees_paid, hyena.tabas) == (Leg.WELL, 1, 1)
    assert state.to_move == 1


HUNT = ["hyena well, 1 paid", "out 40", "well, 2 paid", "back 72", "back 70"]


def test_example_11_departing_hyena_eats_villagers_in_reach() -> None:
    state, events = play_moves(HUNT, "throw", "2")
    assert [walker.leg for walker in state.walkers[1:]] == [Leg.EATEN, Leg.EATEN, Leg.EATEN, Leg.BACK]
    assert (state.walkers[0].leg, state.walkers[0].place) == (Leg.BACK, 72)
    eaten = [(event.seat, event.place, event.leg) for event in events if isinstance(event, ev.Eaten)]
    assert sorted(eaten) == [(1, 40, Leg.OUT), (2, 80, Leg.WELL), (3, 72, Leg.BACK)]
    assert state.to_move == 4


def test_example_12_earning_tabas_is_not_a_departure() -> None:
    state, events = play_moves(HUNT, "throw", "1")
    assert state.walkers[0].tabas == 2
    assert state.walkers[0].leg is Leg.WELL
    assert not any(isinstance(event, ev.Eaten | ev.LeftWell) for event in events)


def test_example_13_reaching_home_needs_no_exact_throw() -> None:
    state, events = play_moves(["back 6", "hyena out 0", "out 4"], "throw", "3")
    assert (state.walkers[0].leg, state.scores) == (Leg.HOME, (1, 0, 0))
    assert ev.CameHome(1, seat=0) in events


def test_example_14_villager_at_home_denies_hyena_points() -> None:
    state, events = play_moves(["hyena back 20", "home, 1 point", "back 4"], "throw go", "0")
    assert ev.Eaten(0, 4, Leg.BACK, seat=2) in events
    assert ev.RoundEnded(1, (0, 1, 0)) in events
    assert state.scores == (0, 1, 0)
    assert state.round == 2


def test_example_15_hyena_scores_two_if_nobody_got_home() -> None:
    state, events = play_moves(["hyena back 20", "back 12", "eaten"], "throw", "2")
    assert ev.RoundEnded(1, (2, 0, 0)) in events
    assert state.scores == (2, 0, 0)


def test_example_16_hyena_pays_on_arrival_at_the_well() -> None:
    state, _ = play_moves(["hyena out 72, 12 tabas", "out 40"], "throw", "2")
    hyena = state.walkers[0]
    assert (hyena.leg, hyena.place, hyena.fees_paid, hyena.tabas) == (Leg.WELL, 80, 1, 2)
    assert not state.fee_due(0)


def test_unavailable_moves_are_refused() -> None:
    state = GAME.position(["out 30, 1 taba", "out 0"])
    for text in ("buy", "go", "take", "pay", "enter", "", "Throw"):
        with pytest.raises(IllegalMove):
            GAME.apply(state, text)
