"""``shibumi3d solve``: its text, JSON and exit codes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import shibumi3d
from shibumi3d.match.record import parse_turn
from tests.share import THOROUGH

if TYPE_CHECKING:
    from .conftest import Run


def test_won_puzzle_prints_a_winning_line(run: Run) -> None:
    code, out, err = run("solve", "spoff", "--seed", 3)
    assert (code, err) == (0, "")
    *turns, last = out.splitlines()
    assert last.startswith("Won. ")
    game = shibumi3d.game("spoff")
    state = game.start(seed=3)
    for number, line in enumerate(turns, 1):
        head, _, moves = line.strip().partition(" ")
        assert head == str(number)
        for move in parse_turn(moves):
            state, _ = game.apply(state, move)
    assert state.result is not None
    assert state.result.winners == (0,)


def test_lost_puzzle_is_reported(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "stuck.yaml"
    path.write_text(
        "title: Dull\nplayers: 1\nsizes: [2]\nturn: {place: white}\n"
        "end: [{when: red, win: me}, {when: stuck, lose: me}]\n"
    )
    code, out, _ = run("solve", path)
    assert code == 1
    assert out.startswith("Lost: no win is possible. ")


def test_unknown_result_is_reported(run: Run) -> None:
    code, out, _ = run("solve", "spalone")
    assert (code, out[:28]) == (2, "Unknown: the result depends ")
    code, out, _ = run("solve", "spoff", "--work", 10)
    assert code == 2
    assert out.startswith("Unknown: the search reached its limit. 10 moves tried in ")
    assert "1 move tried in " in run("solve", "spoff", "--work", 1).out
    assert run("solve", "spruit").code == 2


def test_json_output(run: Run) -> None:
    code, out, _ = run("solve", "spin", "--variant", "easy", "--seed", 5, "--json")
    result = json.loads(out)
    assert code == 0
    assert (result["game"], result["variant"], result["seed"], result["won"]) == ("spin", "easy", 5, True)
    assert result["moves"][0] == "W@Aa1"


def test_highest_score_is_reported(run: Run) -> None:
    code, out, _ = run("solve", "spuzzle", "--size", 3, "--variant", "two colours", "--work", 30_000)
    assert code == 0
    assert "Score 9, the highest possible. " in out
    code, out, _ = run("solve", "spuzzle", "--work", 2_000, "--json")
    result = json.loads(out)
    assert code == 2
    assert result["score"] < 27
    assert result["proven"] is False


def test_unsolvable_kinds_of_games_are_refused(run: Run) -> None:
    for name in ("spagyric", "spurn"):
        code, out, err = run("solve", name)
        assert (code, out) == (1, "")
        assert (
            "can't be solved: that is only possible for solo games, cooperative games, and two-player games "
            "without chance or hidden information"
        ) in err


def test_two_player_games_are_solved_by_search_or_certificate(run: Run) -> None:
    """Spline on a 3×3 board is solved by search, and Splice by its certificate.

    The exit code is 0 if the first player wins, 1 if the first player can't win, and 2 if the result is unknown. With a
    work limit of 1, Spree isn't solved, but Splice is. The proofs themselves are checked by the tests of computer
    players and of certificates.
    """
    code, out, _ = run("solve", "spline", "--size", 3, "--json")
    result = json.loads(out)
    assert (code, result["worth"]) == (0, 1)
    assert result["moves"]
    assert run("solve", "spline", "--size", 3).out.startswith(
        f"The first player wins with {result['moves'][0]}."
    )
    code, out, _ = run("solve", "spree", "--work", 1)
    assert code == 2
    assert out.startswith("Unknown")
    code, out, _ = run("solve", "splice", "--work", 1)
    assert code == 1
    assert out.startswith("The second player wins. ")


@THOROUGH
def test_documented_small_board_results_are_proved(run: Run) -> None:
    """The solver confirms the results in docs/solved.md for 3×3 boards; Special Cake isn't tested here.

    Splice is a draw, and in the other six games one player wins. The proofs themselves are checked by the tests of
    computer players.
    """
    page = (Path(__file__).resolve().parents[2] / "docs" / "solved.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| 3×3 \| the (\w+) player ", page, re.MULTILINE)
    assert len(rows) == 6
    assert "Neither player can force a win" in run("solve", "splice", "--size", 3).out
    for game, winner in rows:
        assert f"The {winner} player wins" in run("solve", game, "--size", 3).out
