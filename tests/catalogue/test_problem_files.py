"""Problem sets: written sets can be read back, invalid ones are refused, and outdated ones are skipped."""

from __future__ import annotations

import pickle
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from shibumi3d import paths
from shibumi3d.catalogue import problems
from shibumi3d.catalogue.catalogue import Catalogue, load_catalogue
from shibumi3d.catalogue.notation import format_position, format_turns, parse_position, parse_turns
from shibumi3d.catalogue.problems import (
    ProvedProblem,
    count_problems,
    format_problem_file,
    games_with_problems,
    load_problem_set,
    load_problems,
    load_ratings,
    parse_problem_file,
    rules_hash,
)
from shibumi3d.rules.errors import GameFileError
from shibumi3d.rules.game import Position

ROW = '{id: 1, moves: "W@Aa1, B@Ab1", kind: win, n: 2, line: "W@Ac1, B@Ad1, W@Ba1"}'


def read(row: str, game: str = "spline") -> tuple[ProvedProblem, ...]:
    return parse_problem_file(f"rules: abc\nproblems:\n  - {row}\n".encode(), "set.yaml", game)


def test_problem_row_round_trips() -> None:
    given = ProvedProblem(
        game="spree",
        id=7,
        kind="hold",
        moves=(("^Aa1", ">Ac2"), ("swap, or not",), ("seat 2", 'say "a"')),
        n=1,
        line=(("B@Ab1",),),
        also=(("B@Ab2",), ("B@Ab3", "done")),
        wrong=((("W@Ad1",), ("B@Ac1", "done")),),
        surprise=300,
        themes=("double", "draw"),
        rating=1500,
        work=12,
        slip=True,
        seed=3,
        seats=3,
        variant="long",
        rules="0e1234567890",
    )
    assert parse_problem_file(format_problem_file(given.rules, [given]).encode(), "set.yaml", "spree") == (
        given,
    )
    alone = f"problems:\n  - {given.to_row(include_game=True)}\n"
    assert parse_problem_file(alone.encode(), "own.yaml") == (given,)
    assert pickle.loads(pickle.dumps(given)) == given
    assert given.refutation_of(("W@Ad1",)) == ("B@Ac1", "done")
    assert given.refutation_of(("W@Ad2",)) == ()


def test_problem_can_start_from_a_position() -> None:
    row = '{id: 1, position: "....,....,....,WWW./...,...,.../..,../. 2", moves: B@Aa4, n: 1, line: W@Ad1}'
    (found,) = read(row)
    assert found.kind == "win"
    assert found.to_row() == row[:-1] + ", rating: 0, work: 0}"
    game = load_catalogue().get("spline").game()
    state = found.start_state(game)
    assert state.boards == ("B...,....,....,WWW./...,...,.../..,../.",)
    assert state.to_move == 0
    assert game.apply(state, "W@Ad1")[0].result.winners == (0,)


@pytest.mark.parametrize(
    "position",
    [
        Position(("W...,....,....,..../...,...,.../..,../.",), 1),
        Position(("...,...,.../..,../.", "...,...,..W/..,../."), 2, 1),
        Position(("W.,../.",), 0, 0, {"hand": ("WWB", "R"), "bag": ("",)}),
    ],
)
def test_position_round_trips_through_text(position: Position) -> None:
    assert parse_position(format_position(position)) == position


@pytest.mark.parametrize(
    "line", ["", "W.,../.", "1", "W.,../. 0", "W.,../. 1 hand=W", "W.,../. 1 1 W", "W.,../. x"]
)
def test_invalid_position_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(line)}$"):
        parse_position(line)


@pytest.mark.parametrize("line", ["W@Aa1 ", ', "W@Aa1"', "W@Aa1,  B@Ab1", '"W@Aa1'])
def test_invalid_turns_are_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"@A"):
        parse_turns(line)


def test_turns_with_commas_and_spaces_round_trip() -> None:
    turns = (("a,b", "c, d"), ("e",))
    assert format_turns(turns) == 'a,b "c, d", e'
    assert parse_turns(format_turns(turns)) == turns


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("{id: 1}", "a problem needs the key 'n'"),
        ("7", "expected a problem"),
        (ROW.replace("kind: win", "kind: draw"), "draw"),
        (ROW.replace("n: 2", "n: many"), "n: expected"),
        (ROW.replace("id: 1", "id: 0"), "id: expected"),
        (ROW.replace("n: 2,", "n: 2, wrong: [a],"), "wrong: expected turns with the reply to each"),
        (ROW.replace("n: 2,", "n: 2, themes: [magic],"), "unknown theme 'magic'"),
        (ROW.replace("n: 2,", "n: 2, position: W,"), "position: expected boards"),
        (ROW.replace("n: 2,", "n: 2, slip: maybe,"), "slip: expected true or false"),
        (ROW.replace("n: 2,", "n: 2, colour: red,"), "unknown key: 'colour';"),
        (ROW.replace('"W@Ac1, B@Ad1, W@Ba1"', '"W@Ac1, "'), "line: expected turns"),
        (ROW.replace('"W@Ac1, B@Ad1, W@Ba1"', '""'), "a problem needs the key 'line'"),
    ],
)
def test_invalid_row_gives_a_located_error(row: str, said: str) -> None:
    with pytest.raises(GameFileError) as caught:
        read(row)
    assert "set.yaml:3:" in str(caught.value)
    assert said in str(caught.value)


def test_problem_file_must_be_a_list_with_unique_numbers() -> None:
    with pytest.raises(GameFileError, match="expected a list of problems"):
        parse_problem_file(b"rules: abc\nproblems: none\n", "set.yaml", "spline")
    with pytest.raises(GameFileError, match="two problems have the number 1"):
        parse_problem_file(f"rules: abc\nproblems: [{ROW}, {ROW}]\n".encode(), "set.yaml", "spline")
    with pytest.raises(GameFileError, match="needs the key 'game'"):
        read(ROW, "")


def test_problem_set_for_changed_rules_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = tmp_path / "games"
    (games / "problems").mkdir(parents=True)
    text = (paths.catalogue_folder() / "spline.yaml").read_text(encoding="utf-8")
    (games / "spline.yaml").write_text(text, encoding="utf-8")
    hashed = rules_hash(Catalogue(games).get("spline"))
    (games / "problems" / "spline.yaml").write_text(f"rules: '{hashed}'\nproblems: [{ROW}]\n")
    monkeypatch.setattr(problems.paths, "catalogue_folder", lambda: games)
    monkeypatch.setattr(problems, "load_catalogue", lambda: Catalogue(games))
    for ask in (load_problem_set, games_with_problems, load_ratings):
        ask.cache_clear()
    try:
        assert [problem.id for problem in load_problems("spline")] == [1]
        assert games_with_problems() == ("spline",)
        # A change that only concerns texts doesn't invalidate the problems.
        (games / "spline.yaml").write_text(text.replace("en: full line", "en: a line"), encoding="utf-8")
        load_problem_set.cache_clear()
        assert load_problems("spline")
        (games / "spline.yaml").write_text(text.replace("win: me", "lose: me"), encoding="utf-8")
        load_problem_set.cache_clear()
        assert load_problems("spline") == ()
        assert str(load_problem_set("spline").unavailable_reason) == (
            "the rules of Spline have changed since its problems were verified, so the problems can't be used"
        )
    finally:
        for ask in (load_problem_set, games_with_problems, load_ratings):
            ask.cache_clear()


def test_problems_folder_is_not_a_game() -> None:
    assert load_catalogue().find("problems") is None
    assert load_problems("no-such-game") == ()
    assert count_problems("no-such-game") == 0


def test_every_problem_set_can_be_read() -> None:
    assert len(games_with_problems()) >= 30
    for name in games_with_problems():
        found = load_problems(name)
        assert found
        assert len(found) == count_problems(name)
        for problem in found:
            row = len(problem.to_row().encode())
            # Rows may be longer if they contain all moves of a match instead of a position, or a win in more than
            # three turns.
            assert row <= 300 or (row <= 800 and (problem.position is None or problem.n > 3))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.thorough if place % 9 else ())
        for place, name in enumerate(games_with_problems())
    ],
)
def test_problems_are_playable_to_the_end(name: str) -> None:
    check_problems(name, load_problems(name)[::7])


def check_problems(name: str, found: Sequence[ProvedProblem]) -> None:
    """Assert that each problem's moves are legal and that its solution wins in the stated number of turns.

    ``name`` is the id of the game. The moves are those that lead to the problem, those of its solution, and those of
    the wrong turns with their refutations; the turns in ``also`` aren't played. Only the solver's own turns are
    counted. In a ``hold`` problem, the solution must have the stated number of turns, but it doesn't have to win.
    """
    game = load_catalogue().get(name).game()
    for problem in found:
        state = problem.start_state(game)
        seat = state.to_move
        turns = 0
        for turn in problem.line:
            turns += state.to_move == seat
            for move in turn:
                state, _ = game.apply(state, move)
        assert turns == problem.n
        if problem.kind != "hold":
            assert state.result is not None
            assert state.result.winners == (seat,)
        for wrong, answer in problem.wrong:
            state = problem.start_state(game)
            for move in (*wrong, *answer):
                state, _ = game.apply(state, move)
