"""Clocks and the swap of seats: what a match does with them, and how they stand in records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from shibumi3d.catalogue import catalogue
from shibumi3d.match.clock import Clock, TimeLimit, shown
from shibumi3d.match.match import Match
from shibumi3d.match.outside_moves import SWAP, TIME_UP, may_swap, swappable
from shibumi3d.match.record import RecordError, parse
from shibumi3d.rules.errors import IllegalMove

if TYPE_CHECKING:
    from shibumi3d.rules.game import Game


@pytest.fixture(scope="module")
def spline() -> Game:
    return catalogue.load().get("spline").game(size=3)


def test_a_pace_is_read_and_written_alike() -> None:
    assert TimeLimit.read("") is None
    assert TimeLimit.read("10+5") == TimeLimit(600, 5)
    assert TimeLimit.read("3") == TimeLimit(180)
    assert TimeLimit.read("30s") == TimeLimit(30, each_turn=True)
    assert [str(TimeLimit.read(text)) for text in ("10+5", "3", "30s", "90s")] == ["10+5", "3", "30s", "90s"]
    for wrong in ("0", "0s", "1441", "x", "5+", "-3", "1e3", "9999999999999"):
        with pytest.raises(ValueError, match="is not a clock:"):
            TimeLimit.read(wrong)
    assert [shown(each) for each in (0, 0.2, 59.1, 600, 3723)] == ["0:00", "0:01", "1:00", "10:00", "1:02:03"]


def test_time_passes_once_and_does_not_come_back() -> None:
    clock = Clock(TimeLimit(10, 3), 2)
    assert not clock.spend(0, 4)
    clock.went(0, 0, 1)
    assert clock.left == [9, 10], "three seconds more for the turn"
    clock.went(0, 0, 1)
    assert clock.left == [9, 10], "the same turn again brings nothing"
    assert clock.spend(1, 12)
    assert not clock.spend(1, 1), "it runs out once"
    clock.went(1, 1, 0)
    assert clock.left == [9, 0], "who may go on without time stays so"
    each = Clock(TimeLimit(20, each_turn=True), 2)
    each.spend(0, 19.5)
    each.went(0, 0, 1)
    each.went(1, 1, 0)
    assert each.left == [20, 20]


def test_undo_gives_no_time_back(spline: Game) -> None:
    match = Match(spline, ["Ann", "Ben"], pace=TimeLimit(60, 5))
    assert match.clock is not None
    match.clock.spend(0, 20)
    match.play("W@Aa1")
    assert match.clock.left == [45, 60]
    match.undo_turn()
    match.play("W@Ab1")
    assert match.clock.left == [45, 60]
    match.clock.spend(1, 1.5)
    text = match.record(undone=True).text()
    assert text.startswith("shibumi3d: 2\n")
    assert 'clock: {pace: "10+5", left: [45, 59]}'.replace("10", "1") in text
    again = Match.from_record(parse(text), spline)
    assert again.clock is not None
    assert (again.clock.pace, again.clock.left) == (TimeLimit(60, 5), [45, 59])
    assert again.record(undone=True).text() == text


def test_a_match_is_lost_by_the_clock_alone(spline: Game) -> None:
    match = Match(spline, ["Ann", "Ben"], pace=TimeLimit(60))
    match.play("W@Aa1")
    with pytest.raises(IllegalMove, match="nobody has run out of time"):
        match.play(TIME_UP)
    assert match.clock is not None
    assert match.clock.spend(1, 61)
    match.play(TIME_UP)
    result = match.state.result
    assert (result.winners, result.reason, match.state.to_move) == ((0,), "time ran out", None)
    text = match.record().text()
    again = Match.from_record(parse(text), spline)
    assert again.state.result.winners == (0,)
    again.undo_turn()
    assert again.state.to_move == 1, "an end on time can be taken back"
    with pytest.raises(IllegalMove):
        Match(spline, ["Ann", "Ben"]).play(TIME_UP)
    for old, new in (("[60, 0]", "[60]"), ("[60, 0]", "[60, -1]"), ('"1"', "soon")):
        with pytest.raises(RecordError, match="clock"):
            parse(text.replace(old, new))


def test_a_match_without_clock_or_swap_keeps_its_record(spline: Game) -> None:
    match = Match(spline, ["Ann", "Ben"], 3)
    match.play("W@Aa1")
    assert match.record().text() == (
        "shibumi3d: 1\ngame: spline\nsize: 3\nseats: [Ann, Ben]\nseed: 3\nmoves:\n  - W@Aa1\n"
    )


def test_the_second_seat_may_take_over_the_first_turn(spline: Game) -> None:
    match = Match(spline, ["Ann", "Ben"], swap=True, kinds=["person", "stone"])
    with pytest.raises(IllegalMove):
        match.play(SWAP)
    match.play("W@Aa1")
    assert may_swap(match)
    board = str(match.state)
    match.play(SWAP)
    assert [seat.name for seat in match.seats] == ["Ben", "Ann"]
    assert match.kinds == ("stone", "person")
    assert (str(match.state), match.state.to_move) == (board, 1), "Ann is to move, for the second seat"
    assert not may_swap(match)
    match.play("B@Ab1")
    text = match.record(undone=True).text()
    assert "seats: [Ann, Ben]\nplayers: [person, stone]\n" in text
    assert "swap: true\n" in text
    assert "  - swap-seats B@Ab1\n" in text
    again = Match.from_record(parse(text), spline)
    assert [seat.name for seat in again.seats] == ["Ben", "Ann"]
    again.undo_turn()
    assert [seat.name for seat in again.seats] == ["Ben", "Ann"], "only Ann's turn is taken back"
    again.undo_turn()
    assert [seat.name for seat in again.seats] == ["Ann", "Ben"]
    again.redo_turn()
    assert [seat.name for seat in again.seats] == ["Ben", "Ann"]
    again.undo_turn()
    again.play("B@Ac1")
    assert not may_swap(again)
    assert [seat.name for seat in again.seats] == ["Ann", "Ben"]
    assert again.times_stood() == 1


def test_where_seats_may_be_swapped() -> None:
    games = catalogue.load()
    allowed = {
        name: swappable(games.get(name).game().facts(2), 2)
        for name in ("spline", "spight", "springe", "hyena-spiral", "spree")
        if name in {entry.id for entry in games}
    }
    assert allowed["spline"]
    assert not allowed["springe"], "choices are made in secret"
    assert not allowed["hyena-spiral"], "chips are thrown"
    assert not swappable(games.get("spline").game().facts(2), 1)


def test_who_swaps_takes_their_time_along(spline: Game) -> None:
    match = Match(spline, ["Ann", "Ben"], swap=True, pace=TimeLimit(60))
    assert match.clock is not None
    match.clock.spend(0, 15)
    match.play("W@Aa1")
    match.play(SWAP)
    assert match.clock.left == [60, 45]
    again = Match.from_record(parse(match.record().text()), spline)
    assert again.clock is not None
    assert again.clock.left == [60, 45]
    again.undo_turn()
    assert again.clock.left == [45, 60]
