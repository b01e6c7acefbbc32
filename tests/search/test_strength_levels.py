"""Levels by number: values between two levels are interpolated; names, old settings and records stay valid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest

import shibumi3d
from shibumi3d.app.host.player_setup import (
    adaptive_level_for,
    default_opponent_type,
    resolve_adaptive,
    resolve_players,
)
from shibumi3d.match.results import FinishedMatch
from shibumi3d.rules.search_protocols import MoveEvaluation
from shibumi3d.search import players
from shibumi3d.search.arena import play_match, play_series, sum_up
from shibumi3d.search.levels import (
    LEVELS,
    PERSON,
    Level,
    adaptive_level,
    find_level,
    interpolated_level,
    player_type_of,
)
from shibumi3d.search.players import Player, player
from tests.marble_games import slow_in_plain_python
from tests.share import THOROUGH

TEN = ("spline", "splice", "spree", "spargo", "span", "sponnect", "spava", "spout", "spire", "sprite")


def test_whole_levels_have_names() -> None:
    assert (
        [find_level(number) for number in range(1, 6)]
        == list(LEVELS)
        == [find_level(one.name) for one in LEVELS]
    )
    assert [find_level(f"{number}.0") for number in range(1, 6)] == list(LEVELS)
    assert [one.name for one in LEVELS] == ["pebble", "stone", "river", "mountain", "sky"]


@pytest.mark.parametrize("low", range(5))
def test_fractional_levels_interpolate_settings(low: int) -> None:
    one, half, quarter, other = (find_level(f"fits {low + part:g}") for part in (0, 0.5, 0.25, 1))
    for name in ("iterations", "search_work", "lookahead_rate", "temperature", "blunder_rate"):
        row = [getattr(each, name) for each in (one, quarter, half, other)]
        assert row in (sorted(row), sorted(row, reverse=True)), name
    assert one.iterations < quarter.iterations < half.iterations < other.iterations


@pytest.mark.parametrize(
    "name",
    ["1.5", "2.25", "4.5", "fits 0", "fits 0.5", "fits 1", "fits 2.5", "close 3", "random", "fits", "sky"],
)
def test_level_is_found_by_its_own_name(name: str) -> None:
    assert player_type_of(name) == name
    if name != "random":
        assert find_level(find_level(name).name) == find_level(name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Pebble and a half", "1.5"),
        ("Caillou et demi", "1.5"),
        ("Pierre et demie", "2.5"),
        ("1,5", "1.5"),
        ("Half a pebble", "fits 0.5"),
        ("Grain de sable", "fits 0"),
    ],
)
def test_titles_of_all_versions_resolve_to_their_level(name: str, expected: str) -> None:
    assert find_level(name).name == player_type_of(name) == expected


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("1.5", {"en": "Pebble 1.5", "fr": "Caillou 1,5"}),
        ("1.25", {"en": "Pebble 1.25", "fr": "Caillou 1,25"}),
        ("2.75", {"en": "Stone 2.75", "fr": "Pierre 2,75"}),
        ("fits 0.25", {"en": "Grain of sand 0.25", "fr": "Grain de sable 0,25"}),
    ],
)
def test_fractional_level_title_includes_its_number(name: str, titles: dict[str, str]) -> None:
    assert {lang: find_level(name).localize_title(lang) for lang in titles} == titles


@pytest.mark.parametrize("name", ["Ann", "3", "0.5", "5.5", "fits 9", "fitsy", "close 0", "1.234", ""])
def test_unknown_strength_counts_as_a_person(name: str) -> None:
    assert player_type_of(name) == PERSON


def level_shares(games: Sequence[str], number: int) -> list[float]:
    """Return how well level 1.5 does against level 1, and level 2 against level 1.5, in each game.

    For each game, the list contains two shares of the points, from 0 to 1: that of level 1.5, then that of level 2.
    Each share is measured in ``number`` matches.
    """
    found = []
    for name in games:
        game = shibumi3d.game(name)
        for low, high in (("1", "1.5"), ("1.5", "2")):
            fought = list(play_series(game, [player(high, 1), player(low, 2)], match_count=number))
            found.append(sum_up(fought, 2).share)
    return found


@slow_in_plain_python
def test_level_between_pebble_and_stone_beats_pebble() -> None:
    low, high = level_shares(["spline"], 16)
    assert low > 0.5
    assert high > 0.5


@THOROUGH
@slow_in_plain_python
def test_steps_from_pebble_to_stone_are_gradual() -> None:
    """Level 1.5 clearly beats level 1 (pebble), and level 2 (stone) clearly beats level 1.5.

    Neither step is too large: in the long run, the higher level wins at most 80% of the points. In 150 matches, chance
    rarely adds more than seven percentage points to this share, so anything below 87% is accepted. The share must also
    be above 55%, so that the step is noticeable.
    """
    assert all(0.55 < share < 0.87 for share in level_shares(["spline", "splice", "spree"], 150))


# Adaptive level


def finished_matches(*played: tuple[str, str, int]) -> list[FinishedMatch]:
    """Return a finished match for each tuple (player's name, kind of opponent, winning seat) in ``played``."""
    return [
        FinishedMatch(
            str(n),
            datetime(2026, 1, 1, tzinfo=UTC),
            "spline",
            "",
            4,
            (who, "x"),
            (PERSON, kind),
            (won,),
            (),
            9,
        )
        for n, (who, kind, won) in enumerate(played)
    ]


def test_adaptive_level_follows_wins_and_losses() -> None:
    assert adaptive_level_for([], "Ann") == 1.5
    assert adaptive_level_for(finished_matches(("Ann", "fits 1.5", 0)), "Ann") == 2.0
    assert adaptive_level_for(finished_matches(("Ann", "fits 1.5", 0), ("Ann", "fits 2", 1)), "Ann") == 1.5
    assert adaptive_level_for(finished_matches(("Ann", "fits 5", 0)), "Ann") == 5.0
    assert adaptive_level_for(finished_matches(("Ann", "fits 1", 1)), "Ann") == 0.5
    assert adaptive_level_for(finished_matches(("Ann", "fits 0", 1)), "Ann") == 0.0
    assert (
        adaptive_level_for(
            finished_matches(("Ann", "fits 3", 0), ("Ann", "river", 1), ("Ben", "fits 1", 1)), "Ann"
        )
        == 3.5
    )


def test_adaptive_opponent_is_seated_at_its_current_level() -> None:
    matches = finished_matches(("Ann", "fits 2", 0))
    assert resolve_adaptive(["person", "fits"], ["Ann", "x"], matches) == ["person", "fits 2.5"]
    assert resolve_players(["Ann", "x"], ["person", "fits"], matches) == (
        ["Ann", "Stone 2.5"],
        ["person", "fits 2.5"],
    )
    assert resolve_players(["Ann", "Bo"], ["person", "stone"], matches) == (
        ["Ann", "Bo"],
        ["person", "stone"],
    )


@pytest.mark.parametrize(
    ("seats", "played", "expected"),
    [
        ({}, (), "fits"),
        ({"a": ("person", "river")}, ("a",), "river"),
        ({"a": ("stone", "person")}, ("a",), "stone"),
        ({"a": ("person", "person")}, ("a",), "person"),
        ({"a": ("person",), "b": ("person", "sky")}, ("a", "b"), "sky"),
        ({"a": ("sky", "sky"), "b": ("person", "fits 2")}, ("a", "b"), "fits"),
    ],
)
def test_default_opponent_carries_over_between_games(
    seats: dict[str, tuple[str, ...]], played: tuple[str, ...], expected: str
) -> None:
    assert default_opponent_type(seats, played) == expected


def test_adaptive_player_never_misses_an_immediate_win() -> None:
    game: Any = shibumi3d.game("spline")
    state = game.position("....,W..B,W..B,W..B/...,...,.../..,../.", to_move=0)
    chosen = {Player(adaptive_level(1), seed).choose(game, state).move for seed in range(12)}
    assert chosen == {"W@Aa4"}
    assert len({Player(interpolated_level(1), seed).choose(game, state).move for seed in range(12)}) > 1


def share_against_adaptive_level(name: str, strength: str, before: int, number: int) -> float:
    """Return the share of points that a level wins against the adaptive level.

    ``strength`` is the name of the level, and ``name`` the id of the game. The two play ``before`` matches that don't
    count, and then ``number`` matches that do. The adaptive level adapts to all earlier matches, counted or not.
    """
    game, played = shibumi3d.game(name), list[FinishedMatch]()
    for n in range(before + number):
        against = adaptive_level(adaptive_level_for(played, "Ann"))
        seated = [player(strength, n), Player(against, n)]
        first = n % 2
        fought = play_match(game, seated[::-1] if first else seated, f"{name}/{n}", 2, None)
        (one,) = finished_matches(("Ann", against.name, 0))
        played.append(replace(one, winners=tuple((seat - first) % 2 for seat in fought.winners or ())))
    return sum(one.points for one in played[before:]) / number


def test_adaptive_level_converges_to_even_results() -> None:
    chance = Random("fits")
    for true in (0.5, 2.0, 3.5):
        played: list[FinishedMatch] = []
        wins = 0
        for _ in range(400):
            number = adaptive_level_for(played, "Ann")
            won = chance.random() < 1 / (1 + 10 ** (number - true))
            played = finished_matches(("Ann", f"fits {number:g}", 0 if won else 1))
            wins += won
        assert abs(wins / 400 - 0.5) < 0.05


@THOROUGH
@slow_in_plain_python
@pytest.mark.parametrize("strength", ["1", "2"])
def test_adaptive_player_wins_about_half_in_ten_games(strength: str) -> None:
    shares = [share_against_adaptive_level(name, strength, 20, 20) for name in TEN]
    assert abs(sum(shares) / len(shares) - 0.5) < 0.08


# Levels that keep the match close


def test_close_match_player_prefers_even_moves_and_certain_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = [
        MoveEvaluation(("a",), 100, 0.9),
        MoveEvaluation(("b",), 40, 0.55),
        MoveEvaluation(("c",), 2, 0.5),
    ]
    thought = players._MoveChoice.__new__(players._MoveChoice)
    thought.level, thought.chance = find_level("close"), Random(1)
    thought.search_work, thought.should_stop = 0, players.never_stop  # type: ignore[method-assign]
    thought.search = type(
        "",
        (),
        {"count_repetitions": lambda *_: 0, "is_simultaneous": False, "is_proved_loss": lambda *_: False},
    )()
    assert thought.pick_move(seen) == "b"
    assert thought.pick_move([MoveEvaluation(("w",), 1, 1.0, 1.0, 1.0, 1), *seen]) == "w"
    assert isinstance(thought.level, Level)
