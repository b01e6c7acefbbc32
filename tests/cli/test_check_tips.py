"""``shibumi3d check --tips`` reports whether the turn of each tip is clearly better than the alternative."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run

GAME = """\
title: Line
turn: {place: own}
end: [{when: any(l <= own for l in full_lines), win: me}]
tips:
  - say: {en: Look for lines., fr: Cherchez les lignes.}
    start: "WWW.,BBB.,....,..../...,...,.../..,../."
    turn: TURN
    instead: INSTEAD
"""


def write_game(folder: Path, turn: str, instead: str) -> Path:
    file = folder / "line.yaml"
    file.write_text(GAME.replace("TURN", turn).replace("INSTEAD", instead), encoding="utf-8")
    return file


def test_better_turn_is_proved(run: Run, tmp_path: Path) -> None:
    file = write_game(tmp_path, "W@Ad4", "W@Aa1")
    code, out, _ = run("check", "--tips", file)
    assert out.splitlines() == [
        "1 game checked: no errors",
        "Line, tip 1: proved",
        "1 tip measured, 0 with no clear advantage",
    ]
    assert code == 0


def test_turn_that_is_no_better_is_an_error(run: Run, tmp_path: Path) -> None:
    file = write_game(tmp_path, "W@Aa1", "W@Ad1")
    code, out, _ = run("check", "--tips", file)
    assert out.splitlines()[1:] == [
        "Line, tip 1: 0% chance of winning instead of 0%",
        "1 tip measured, 1 with no clear advantage",
    ]
    assert code == 1


def test_tips_are_measured_only_on_request(run: Run, tmp_path: Path) -> None:
    file = write_game(tmp_path, "W@Aa1", "W@Ad1")
    assert run("check", file)[0] == 0
