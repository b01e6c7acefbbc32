"""Computer players on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli import terminal
from shibumi3d.match.match import Match
from shibumi3d.search.arena import PlayedMatch, play_series, sum_up
from shibumi3d.search.levels import LEVELS
from shibumi3d.search.players import Analysis, Choice, Player, player
from tools.strengths import Page

if TYPE_CHECKING:
    from .conftest import Run


def test_selfplay_between_strengths(run: Run) -> None:
    arguments = ("selfplay", "spline", "--seats", "random,river", "--games", 6, "--iterations", 20, "--json")
    code, out, err = run(*arguments)
    result = json.loads(out)
    assert code == 0
    assert "games/s" in err
    assert result["seats"] == ["random", "river"]
    assert result["games"] == 6
    assert sum(result["wins"]) + result["draws"] == 6
    assert result["wins"][1] > result["wins"][0]
    assert result["interval"][0] <= result["share"] <= result["interval"][1]
    assert run(*arguments).out == out
    assert "stone" in run("selfplay", "splade", "--seats", "1,2,random", "--games", 1, "--iterations", 2).out


@pytest.mark.parametrize(
    ("seats", "message"),
    [("stone,rock", "unknown level 'rock':"), ("stone", "is for 2 players"), ("1,2,3", "is for 2 players")],
)
def test_selfplay_refuses_invalid_seats(run: Run, seats: str, message: str) -> None:
    code, out, err = run("selfplay", "spline", "--seats", seats)
    assert (code, out) == (1, "")
    assert message in err


def test_every_opening_is_played_from_both_seats() -> None:
    game = load_catalogue().get("spline").game()
    players = [player("random", 1), player("random", 2)]
    played = list(play_series(game, players, match_count=4, seed=5, opening_turns=4))
    assert played[0].moves[:4] == played[1].moves[:4]
    assert played[2].moves[:4] == played[3].moves[:4]
    assert played[0].moves[:4] != played[2].moves[:4]
    # After an odd number of turns, the winner is whoever began; players swap seats after each match.
    for number, one in enumerate(played):
        assert one.winners == ((one.turns + 1 + number) % 2,)


def test_wins_are_counted_for_each_player() -> None:
    played = [PlayedMatch((), 1, won, ()) for won in ((0,), (1,), (0,), (0, 1), (), None)]
    found = sum_up(played, 2)
    assert (found.games, found.wins, found.draws, found.unfinished) == (6, (3, 2), 1, 1)
    # Two wins, and half a point each for the shared win, the draw and the unfinished match.
    assert found.share == 3.5 / 6
    assert found.interval[0] < found.share < found.interval[1]


def test_repeating_matches_end_as_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Spyramid, each player's only marble moves in circles; the third occurrence of a position ends the match.

    Both players choose the last legal move in alphabetical order, which lifts a marble whenever that is possible.
    """

    def choose(self: Player, *given: object, moves: list[str], **named: object) -> Choice:
        return Choice(max(moves), Analysis(0, 0, 0.5, ()))

    monkeypatch.setattr(Player, "choose", choose)
    game = load_catalogue().get("spyramid").game()
    players = [player("stone", 1), player("stone", 2)]
    for one in play_series(game, players, match_count=2):
        assert one.winners == ()
        assert len(one.moves) < 100


def save_match(path: Path, *moves: str) -> Path:
    match = Match(load_catalogue().get("spline").game(), ["Ann", "Ben"], 1)
    for move in moves:
        match.play(move)
    match.record().save(path)
    return path


FORCED = ("W@Aa1", "B@Ad1", "W@Aa2", "B@Ad2", "W@Aa3", "B@Ad3")


def test_analyse_reports_a_forced_win(run: Run, tmp_path: Path) -> None:
    """In Spline, a full line wins; Ann (White) is to move and has three marbles in file a.

    Ben (Black) has three marbles in file d. Ann can win at once by completing file a.
    """
    path = save_match(tmp_path / "m.yaml", *FORCED)
    code, out, _ = run("analyse", path)
    assert code == 0
    assert out.splitlines()[0] == "Turn 7: Ann to move, 100% chance of winning, wins in 1 turn."
    assert out.splitlines()[1:3] == ["1 100%  White on Aa4, wins in 1 turn", "        wins"]
    # A turn earlier, Ben has to block. A stored reply proves that this wins, which matters more than what it stops.
    result = json.loads(run("analyse", path, "--at", 5, "--iterations", 300, "--json").out)
    assert (result["turn"], result["seat"]) == (5, 1)
    assert result["turns"][0]["moves"] == ["B@Aa4"]
    assert result["wins_in"] == 0
    assert result["known"] == result["turns"][0]["known"]
    wins = {"key": "why.no-answer", "text": "leaves Ann only losing replies"}
    assert wins in result["turns"][0]["reasons"]
    proved = json.loads(run("analyse", path, "--json").out)["turns"][0]
    assert (proved["known"], proved["low"], proved["high"]) == ("proved", 1, 1)


def test_analyse_explains_why_it_cannot_run(run: Run, tmp_path: Path) -> None:
    path = save_match(tmp_path / "m.yaml", *FORCED, "W@Aa4")
    assert "the match is over at this point: use --at N" in run("analyse", path).err
    assert "there is no turn 9: the saved game ends after turn 7" in run("analyse", path, "--at", 9).err


def test_review_marks_a_missed_win(run: Run, tmp_path: Path) -> None:
    """In Spline, a full line wins; Ann plays elsewhere instead of completing file a.

    Ben then wins by completing file d.
    """
    path = save_match(tmp_path / "m.yaml", *FORCED, "W@Ab1", "B@Ad4")
    code, out, _ = run("review", path, "--tries", 50)
    assert code == 0
    lines = out.splitlines()
    assert lines[6] == "  7 Ann  White on Ab1 ??  ■ 100% → 0%  better: White on Aa4 (missed a win in 1 turn)"
    assert lines[7] == "  8 Ben  Black on Ad4  ■ 100%"
    result = json.loads(run("review", path, "--tries", 50, "--json").out)
    assert result["turns"][6]["best"] == {"value": 1.0, "proved": True}
    assert result["turns"][6]["better"] == ["W@Aa4"]
    assert [each["name"] for each in result["seats"]] == ["Ann", "Ben"]
    assert [turn["loss"] for turn in result["turns"][6:]] == [100.0, 0.0]


def test_review_refuses_an_unfinished_match(run: Run, tmp_path: Path) -> None:
    assert "not over" in run("review", save_match(tmp_path / "m.yaml", *FORCED)).err


def test_person_plays_a_computer_in_the_terminal() -> None:
    """The computer player replies immediately, and its move is printed.

    The command ``undo`` takes back the computer player's reply and the person's move before it. The person then makes
    another move, so the computer player replies twice in all.
    """
    match = Match(load_catalogue().get("spline").game(), ["me", "stone"], 1)
    said: list[str] = []
    lines = ["W@Ab2", "undo", "W@Ab3", "quit"]

    def ask(prompt: str) -> str:
        said.append(prompt)
        assert prompt == "me > "
        return lines.pop(0)

    terminal.play(match, ask, said.append, {1: player("stone", 3)})
    assert [ply.seat for ply in match.plies] == [0, 1]
    assert match.plies[0].move == "W@Ab3"
    assert sum(line.startswith("stone: black on ") for line in said) == 2


def test_secret_choice_of_a_computer_is_not_printed() -> None:
    match = Match(load_catalogue().get("spagyric").game(), ["me", "stone"], 1)
    said: list[str] = []
    texts: list[str] = []

    def ask(prompt: str) -> str:
        texts.append(prompt)
        if len(match.plies) > 8:
            raise EOFError
        return match.legal_moves()[0].text

    terminal.play(match, ask, said.append, {1: player("pebble", 3)})
    hidden = [line for line in said if line.startswith("stone: ")]
    assert hidden
    assert all(prompt == "me > " for prompt in texts)


def test_strengths_page_update_keeps_other_content(tmp_path: Path) -> None:
    """New measurements fill only their own cells; other games and other sections of the page are kept."""
    path = tmp_path / "page.md"
    page = Page(path)
    page.note("Spline", "stone", sum_up([PlayedMatch((), 1, (0,), ())] * 4, 2))
    page.write(["pebble", "stone"])
    below = "\n## Against lot\n\n| game | share |\n| --- | --- |\n| Spava | 90% |\n"
    path.write_text(path.read_text() + below)
    page = Page(path)
    assert sorted(page.rows) == ["Spline"]
    page.note("Span", "pebble", sum_up([PlayedMatch((), 1, (1,), ())] * 4, 2))
    page.note("Span", "stone", sum_up([PlayedMatch((), 1, (1,), ())] * 4, 2))
    page.write(["pebble", "stone"])
    text = path.read_text()
    assert text.endswith(below)
    assert "| Spline |  | 100%" in text
    # Pebble's result is not counted, because its opponent plays at random.
    assert "Of the 2 pairings of two\nlevels in the table, 1 reach" in text
    assert "In 1 of the 2 pairings, the stronger level scores less than 65%: stone in Span." in text


def test_strengths_page_can_be_reread() -> None:
    """The page is read before it is updated, to keep the rows of games that aren't measured again."""
    page = Page(Path(__file__).resolve().parents[2] / "docs" / "measurements" / "strengths.md")
    assert {"Spline", "Spargo"} <= set(page.rows)
    assert set(page.rows["Spline"]) == {one.name for one in LEVELS}


def test_workers_and_store_give_the_same_output(run: Run, tmp_path: Path) -> None:
    line = ("selfplay", "spline", "--size", 3, "--games", 251, "--json")
    alone = run(*line)
    assert alone.err.endswith(" games/s\n")
    shared = run(*line, "--workers", 2, "--store", tmp_path / "rows.db")
    assert shared.out == alone.out
    again = run(*line, "--store", tmp_path / "rows.db")
    assert (again.out, again.err) == (alone.out, ""), "nothing was played"


def test_invalid_store_or_scheduler_is_named(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "letter"
    file.write_text("not a database, but a letter of some length" * 9)
    code, out, err = run("judge", "spline", "--games", 1, "--store", file)
    assert (code, out) == (1, "")
    assert err.startswith(f"shibumi3d: {file} ")
    assert file.read_text().startswith("not a database")
