"""Rows of problems are kept short: long matches become positions, and some wrong turns and themes are dropped."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.lab.mining import MAX_ROW_BYTES, PREFERRED_ROW_BYTES, drop_common_themes, make_row
from shibumi3d.rules.game import Game, initial_state
from shibumi3d.search.problems.candidates import Candidate, FoundProblem, Turn, possible_turns, state_after


def play_first_turns(game: Game, turns: int) -> tuple[Any, tuple[Turn, ...]]:
    """Play ``turns`` turns, and return the state reached and the turns.

    Each turn is the first possible one that doesn't end the match.
    """
    state, played = game.start(), list[Turn]()
    for _ in range(turns):
        turn, state = next(way for way in possible_turns(game, state) if way[1].result is None)
        played.append(turn)
    return state, tuple(played)


def make_problem(name: str, turns: int, wrong: int = 0) -> FoundProblem:
    game = load_catalogue().get(name).game()
    state, played = play_first_turns(game, turns)
    turn, there = possible_turns(game, state)[0]
    answer = (possible_turns(game, there) or [(turn, there)])[0][0]
    return FoundProblem("win", Candidate(game, state, played), 1, (turn,), wrong=((turn, answer),) * wrong)


def row_bytes(one: FoundProblem) -> int:
    row = make_row(one, "it", "0")
    return len(row.to_row().encode()) if row else 0


def test_short_match_is_stored_whole() -> None:
    one = make_problem("spline", 4)
    row = make_row(one, "spline", "0", 7)
    assert row is not None
    assert (row.id, row.moves, row.position) == (7, one.candidate.moves, None)


def test_long_match_is_stored_as_position_and_last_turn() -> None:
    one = make_problem("spline", 24, 6)
    row = make_row(one, "spline", "0")
    assert row is not None
    assert row.position is not None
    assert row.moves == one.candidate.moves[-1:]
    assert len(row.to_row().encode()) <= PREFERRED_ROW_BYTES
    there = row.start_state(one.candidate.game)
    assert (there.repetition_key, there.boards) == (
        one.candidate.state.repetition_key,
        one.candidate.state.boards,
    )
    answers = possible_turns(one.candidate.game, there)
    assert [turn for turn, _ in answers] == [
        turn for turn, _ in possible_turns(one.candidate.game, one.candidate.state)
    ]


def test_wrong_turns_are_dropped_to_fit_the_row() -> None:
    rows = [make_row(make_problem("spline", 24, wrong), "spline", "0") for wrong in (0, 3, 30)]
    kept = [len(row.wrong) if row else -1 for row in rows]
    assert kept[:2] == [0, 3]
    assert 3 < kept[2] < 30


def test_match_is_stored_when_no_position_can_express_it() -> None:
    # The board doesn't show which marble was placed last.
    game = load_catalogue().get("spaghetti").game()
    state, _ = play_first_turns(game, 5)
    assert game.position_of(state) is None  # type: ignore[attr-defined]
    row = make_row(make_problem("spaghetti", 20), "spaghetti", "0")
    assert row is not None
    assert row.position is None
    assert row_bytes(make_problem("spaghetti", 22, 60)) <= MAX_ROW_BYTES


def test_position_includes_the_hands() -> None:
    game = load_catalogue().get("spack").game()
    state, _ = game.apply(game.start(), "W@Aa1")
    state, _ = game.apply(state, "R@Aa2")
    at = game.position_of(state)  # type: ignore[attr-defined]
    # Each player started with eight marbles of each colour and has placed one.
    assert at.stocks == {"hand": ("WWWWWWW" + "B" * 8 + "R" * 8, "W" * 8 + "B" * 8 + "RRRRRRR")}
    there = initial_state(game, 2, 0, at)
    assert there.reserves == state.reserves
    assert there.repetition_key == state.repetition_key


def test_themes_common_to_nearly_all_problems_are_dropped() -> None:
    row = make_row(make_problem("spline", 4), "spline", "0")
    assert row is not None
    rows = [replace(row, themes=("fall", "last") if number < 8 else ("fall",)) for number in range(12)]
    # Eight of twelve are two thirds, which is still accepted.
    assert {one.themes for one in drop_common_themes(rows)} == {("last",), ()}
    assert drop_common_themes(rows[:9]) == rows[:9]


def test_state_in_mid_turn_has_no_position() -> None:
    game = load_catalogue().get("spawn").game()
    state, _ = game.apply(game.start(), game.moves(game.start())[0].text)
    assert state.step
    assert game.position_of(state) is None  # type: ignore[attr-defined]
    assert game.position_of(game.start()) is not None  # type: ignore[attr-defined]
    assert state_after(game, game.start(), ()) == game.start()
