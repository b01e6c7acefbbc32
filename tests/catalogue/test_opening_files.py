"""Opening statistics: how files are read, confidence intervals, and their display with the rules."""

from __future__ import annotations

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.notation import format_turn
from shibumi3d.catalogue.openings import (
    FOLDER,
    FirstTurn,
    OpeningStatistics,
    load_openings,
    parse_openings,
)
from shibumi3d.catalogue.problems import games_with_file, rules_hash
from shibumi3d.rules.errors import GameFileError
from shibumi3d.wording import about_openings, describe_opening_matches

STATISTICS = OpeningStatistics(
    "abc",
    "pebble",
    8,
    1,
    (
        FirstTurn(("W@Aa1",), (("W@Aa4",), ("W@Ad1", "done")), 100, (20, 20), 60),
        FirstTurn(("W@Ab1", "done"), (), 263, (81, 0), 182),
    ),
)


def test_statistics_survive_a_file() -> None:
    assert parse_openings(STATISTICS.to_yaml().encode(), "openings") == STATISTICS
    assert "matches: 363\n" in STATISTICS.to_yaml()


def test_interval_is_that_of_wilson() -> None:
    # Expected values: Wilson's interval (1927) for 81 of 263, as published by Newcombe (1998).
    low, high = STATISTICS.turns[1].win_interval(0)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


@pytest.mark.parametrize(
    "wrong",
    [
        "turns: []",
        "turns: [{turn: A, matches: 5, wins: [1, 2], draws: 0}, B]",
        "turns: [{also: A, matches: 5, wins: [1, 2], draws: 0}]",
        "colour: red",
        "turns: [{turn: A}]",
    ],
)
def test_invalid_file_is_reported(wrong: str) -> None:
    header = 'rules: "a"\nstrength: pebble\nsimulations: 8\nseed: 1\nmatches: 1\n'
    with pytest.raises(GameFileError):
        parse_openings(f"{header}{wrong}\n".encode(), "openings")


def test_row_shows_its_interval_and_draws() -> None:
    assert "363 matches" in about_openings(STATISTICS)
    assert describe_opening_matches(STATISTICS.turns[1]) == "26% to 37% · 263 matches, 182 draws"


def test_equivalent_turns_share_a_row() -> None:
    assert STATISTICS.find_row(("W@Ad1", "done")) is STATISTICS.turns[0]
    assert STATISTICS.find_row(("W@Ab1", "done")) is STATISTICS.turns[1]
    assert STATISTICS.find_row(("W@Ab2",)) is None


@pytest.mark.parametrize("name", games_with_file(FOLDER))
def test_built_in_first_turns_can_be_played(name: str) -> None:
    entry, statistics = load_catalogue().get(name), load_openings(name)
    assert statistics is not None
    assert statistics.rules == rules_hash(entry)
    game = entry.game()
    for row in statistics.turns:
        for turn in (row.turn, *row.also):
            first = state = game.start(len(row.wins))
            for move in turn:
                state, _ = game.apply(state, move)
            assert state.result is not None or state.turn > first.turn, format_turn(turn)
        assert row.draws <= row.matches
        assert max(row.wins) <= row.matches
