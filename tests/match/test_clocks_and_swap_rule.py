"""Clocks and the swap rule in matches and records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from shibumi3d.catalogue import catalogue
from shibumi3d.match.clock import Clock, TimeLimit, format_clock
from shibumi3d.match.copies import replay_with_rules
from shibumi3d.match.match import Match
from shibumi3d.match.record import RecordError, parse
from shibumi3d.match.special_moves import SWAP, TIME_UP, allows_swap_rule, can_swap
from shibumi3d.rules.errors import IllegalMove

if TYPE_CHECKING:
    from shibumi3d.rules.game import Game


@pytest.fixture(scope="module")
def spline() -> Game:
    return catalogue.load_catalogue().get("spline").game(size=3)


def test_time_limit_parses_and_formats() -> None:
    assert TimeLimit.parse("") is None
    assert TimeLimit.parse("10+5") == TimeLimit(600, 5)
    assert TimeLimit.parse("3") == TimeLimit(180)
    assert TimeLimit.parse("30s") == TimeLimit(30, is_per_turn=True)
    assert [str(TimeLimit.parse(text)) for text in ("10+5", "3", "30s", "90s")] == ["10+5", "3", "30s", "90s"]
    for limit in (TimeLimit(90), TimeLimit(5, 3), TimeLimit(86_399, 86_400), TimeLimit(90, is_per_turn=True)):
        assert TimeLimit.parse(str(limit)) == limit
    assert str(TimeLimit(90, 5)) == "1:30+5"
    for wrong in (
        "0",
        "0s",
        "0:00",
        "1:60",
        "1:5",
        "1440:01",
        "1441",
        "x",
        "5+",
        "-3",
        "1e3",
        "9999999999999",
    ):
        with pytest.raises(ValueError, match="is not a time control:"):
            TimeLimit.parse(wrong)
    assert [format_clock(each) for each in (0, 0.2, 59.1, 600, 3723)] == [
        "0:00",
        "0:01",
        "1:00",
        "10:00",
        "1:02:03",
    ]


def test_clock_deducts_time_once_per_turn() -> None:
    clock = Clock(TimeLimit(10, 3), 2)
    assert not clock.deduct(0, 4)
    clock.end_turn(0, 0, 1)
    assert clock.seconds_left == [9, 10], "three seconds more for the turn"
    clock.end_turn(0, 0, 1)
    assert clock.seconds_left == [9, 10], "the same turn again brings nothing"
    assert clock.deduct(1, 12)
    assert not clock.deduct(1, 1), "it runs out once"
    clock.end_turn(1, 1, 0)
    assert clock.seconds_left == [9, 0], "who may go on without time stays so"
    each = Clock(TimeLimit(20, is_per_turn=True), 2)
    each.deduct(0, 19.5)
    each.end_turn(0, 0, 1)
    each.end_turn(1, 1, 0)
    assert each.seconds_left == [20, 20]


def test_undo_restores_no_clock_time(spline: Game) -> None:
    match = Match(spline, ["Ann", "Ben"], time_limit=TimeLimit(60, 5))
    assert match.clock is not None
    match.clock.deduct(0, 20)
    match.play("W@Aa1")
    assert match.clock.seconds_left == [45, 60]
    match.undo_turn()
    match.play("W@Ab1")
    assert match.clock.seconds_left == [45, 60]
    match.clock.deduct(1, 1.5)
    text = match.record(include_undone=True).to_text()
    assert text.startswith("shibumi3d: 2\n")
    assert 'clock: {pace: "10+5", left: [45, 59]}'.replace("10", "1") in text
    again = Match.from_record(parse(text), spline)
    assert again.clock is not None
    assert (again.clock.time_limit, again.clock.seconds_left) == (TimeLimit(60, 5), [45, 59])
    assert again.record(include_undone=True).to_text() == text


def test_match_is_lost_only_when_clock_expires(spline: Game) -> None:
    match = Match(spline, ["Ann", "Ben"], time_limit=TimeLimit(60))
    match.play("W@Aa1")
    with pytest.raises(IllegalMove, match="nobody has run out of time"):
        match.play(TIME_UP)
    assert match.clock is not None
    assert match.clock.deduct(1, 61)
    match.play(TIME_UP)
    result = match.state.result
    assert (result.winners, result.reason, match.state.to_move) == ((0,), "time ran out", None)
    text = match.record().to_text()
    again = Match.from_record(parse(text), spline)
    assert again.state.result.winners == (0,)
    again.undo_turn()
    assert again.state.to_move == 1, "an end on time can be taken back"
    with pytest.raises(IllegalMove):
        Match(spline, ["Ann", "Ben"]).play(TIME_UP)
    for old, new in (("[60, 0]", "[60]"), ("[60, 0]", "[60, -1]"), ('"1"', "soon")):
        with pytest.raises(RecordError, match="clock"):
            parse(text.replace(old, new))


def test_record_without_clock_or_swap_is_unchanged(spline: Game) -> None:
    match = Match(spline, ["Ann", "Ben"], 3)
    match.play("W@Aa1")
    assert match.record().to_text() == (
        "shibumi3d: 1\ngame: spline\nsize: 3\nseats: [Ann, Ben]\nseed: 3\nmoves:\n  - W@Aa1\n"
    )


def test_second_seat_can_swap_after_first_turn(spline: Game) -> None:
    match = Match(spline, ["Ann", "Ben"], has_swap_rule=True, player_types=["person", "stone"])
    with pytest.raises(IllegalMove):
        match.play(SWAP)
    match.play("W@Aa1")
    assert can_swap(match)
    board = str(match.state)
    match.play(SWAP)
    assert [seat.name for seat in match.seats] == ["Ben", "Ann"]
    assert match.player_types == ("stone", "person")
    assert (str(match.state), match.state.to_move) == (board, 1), "Ann is to move, for the second seat"
    assert not can_swap(match)
    match.play("B@Ab1")
    text = match.record(include_undone=True).to_text()
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
    assert not can_swap(again)
    assert [seat.name for seat in again.seats] == ["Ann", "Ben"]
    assert again.count_repetitions() == 1


def test_replay_under_changed_rules_keeps_the_times_of_swapped_players() -> None:
    entry = catalogue.load_catalogue().get("spline")
    match = Match(entry.game(size=3), ["Ann", "Ben"], has_swap_rule=True, time_limit=TimeLimit(600))
    match.play("W@Aa1")
    match.play(SWAP)
    assert match.clock is not None
    match.clock.deduct(0, 50.0)
    again, problem = replay_with_rules(match, entry)
    assert not problem
    assert [seat.name for seat in again.seats] == ["Ben", "Ann"]
    assert again.clock is not None
    assert again.clock.seconds_left == match.clock.seconds_left == [550.0, 600.0]
    again.clock.deduct(0, 50.0)
    assert match.clock.seconds_left == [550.0, 600.0], "each match has its own clock"


def test_swap_rule_excludes_secret_and_chance_games() -> None:
    games = catalogue.load_catalogue()
    allowed = {
        name: allows_swap_rule(games.get(name).game().facts(2), 2)
        for name in ("spline", "spight", "springe", "hyena-spiral", "spree")
        if name in {entry.id for entry in games}
    }
    assert allowed["spline"]
    assert not allowed["springe"], "choices are made in secret"
    assert not allowed["hyena-spiral"], "chips are thrown"
    assert not allows_swap_rule(games.get("spline").game().facts(2), 1)


def test_swapping_seats_swaps_remaining_time(spline: Game) -> None:
    match = Match(spline, ["Ann", "Ben"], has_swap_rule=True, time_limit=TimeLimit(60))
    assert match.clock is not None
    match.clock.deduct(0, 15)
    match.play("W@Aa1")
    match.play(SWAP)
    assert match.clock.seconds_left == [60, 45]
    again = Match.from_record(parse(match.record().to_text()), spline)
    assert again.clock is not None
    assert again.clock.seconds_left == [60, 45]
    again.undo_turn()
    assert again.clock.seconds_left == [45, 60]
