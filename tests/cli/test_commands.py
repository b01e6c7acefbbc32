"""Commands that only print: their output, and the one-line error and exit code when they fail."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import shibumi3d
from shibumi3d import native
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli.main import COMMANDS
from shibumi3d.match.match import Match
from shibumi3d.match.store import games_folder

if TYPE_CHECKING:
    from .conftest import Run

LINE = ["W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2", "W@Ad1"]


def save_match(path: Path, moves: list[str] = LINE, name: str = "spline") -> Path:
    match = Match(load_catalogue().get(name).game(), ["Ann", "Ben"], 7)
    for move in moves:
        match.play(move)
    match.record().save(path)
    return path


class TestHelp:
    def test_program_help_lists_every_command(self, run: Run) -> None:
        code, out, _ = run("--help")
        assert code == 0
        for name in COMMANDS:
            # The description of a long name is on the next line.
            assert re.search(rf"^    {name}\s", out, re.MULTILINE)

    @pytest.mark.parametrize("name", COMMANDS)
    def test_every_command_has_help(self, run: Run, name: str) -> None:
        code, out, _ = run(name, "--help")
        assert code == 0
        assert out.startswith(f"usage: shibumi3d {name}")

    def test_version_option_shows_version_and_engine(self, run: Run) -> None:
        assert run("--version") == (0, f"Shibumi 3D {shibumi3d.__version__} ({native.status})\n", "")

    @pytest.mark.parametrize(
        "arguments", [["nonsense"], ["play", "--nonsense"], ["perft", "spline"], ["perft", "spline", "0"]]
    )
    def test_wrong_usage_exits_with_2(self, run: Run, arguments: list[str]) -> None:
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert "error: " in err


class TestList:
    def test_list_prints_a_table(self, run: Run) -> None:
        code, out, err = run("list")
        assert (code, err) == (0, "")
        lines = out.splitlines()
        assert lines[0].split() == ["name", "title", "players", "minutes", "kind", "by"]
        assert len(lines) == 1 + len(load_catalogue())
        assert ["spline-plus", "Spline+", "2", "10", "alignment"] in [line.split()[:5] for line in lines]
        assert run("--list").out == out

    def test_list_prints_json(self, run: Run) -> None:
        games = {game["id"]: game for game in json.loads(run("list", "--json").out)}
        assert games["spline"]["title"] == "Spline"
        assert games["spline"]["players"] == [2, 2]
        assert set(games["spline"]["rules"]) == {"en", "fr"}

    def test_list_includes_own_games_and_reports_invalid_files(self, run: Run) -> None:
        folder = games_folder()
        folder.mkdir(parents=True)
        (folder / "bad.yaml").write_text("title: Bad\nturn: {plcae: own}\nend: [{when: stuck, lose: me}]\n")
        (folder / "good.yaml").write_text("title: Good\nturn: {place: own}\nend: [{when: stuck, lose: me}]\n")
        code, out, err = run("list")
        assert (code, err) == (1, "")
        lines = out.splitlines()
        assert len(lines) == 1 + len(load_catalogue()) + 1 + 3
        assert lines[-3:] == [
            "",
            "Skipped because their files have errors: bad",
            f"  {folder / 'bad.yaml'}:2:8: unknown verb 'plcae', did you mean 'place'?",
        ]
        games = {game["id"]: game for game in json.loads(run("list", "--json").out)}
        assert (games["good"]["own"], games["good"]["problems"]) == (True, [])
        assert games["spline"]["own"] is False
        assert games["bad"]["problems"] == [lines[-1].strip()]
        assert "Good" not in run("list", "--markdown").out
        assert run("check").out.splitlines()[-1] == f"{len(load_catalogue()) + 2} games checked: 1 error"
        assert run("perft", "good", "1").code == 0
        assert run("perft", "bad", "1").err == f"shibumi3d: the game file has errors\n{lines[-1].strip()}\n"


class TestRules:
    def test_rules_are_printed_in_english(self, run: Run) -> None:
        code, out, _ = run("rules", "spline")
        entry = load_catalogue().get("spline")
        assert code == 0
        assert out.startswith(
            "# Spline\nNéstor Romeral Andrés, 2011 · Shibumi rule book, p. 19 · players: 2 · 5 min\n"
        )
        assert entry.rules["en"] in out

    def test_rules_are_printed_in_french(self, run: Run) -> None:
        code, out, _ = run("rules", "Spline", "--lang", "fr")
        assert code == 0
        assert load_catalogue().get("spline").rules["fr"] in out

    def test_unknown_game_gets_a_suggestion(self, run: Run) -> None:
        assert run("rules", "spline-plsu") == (
            1,
            "",
            "shibumi3d: there is no game 'spline-plsu', did you mean 'spline-plus'?\n",
        )

    def test_game_without_rules_text_is_reported(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "x.yaml").write_text("title: X\nturn: {place: own}\n")
        assert run("rules", tmp_path / "x.yaml").err == "shibumi3d: X has no rules text\n"

    def test_missing_language_falls_back_to_english(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "x.yaml").write_text("title: X\nrules: {en: Place.}\n")
        assert "Place." in run("rules", tmp_path / "x.yaml", "--lang", "fr").out


class TestCheck:
    def test_catalogue_has_no_errors(self, run: Run) -> None:
        assert run("check") == (0, f"{len(load_catalogue())} games checked: no errors\n", "")

    def test_files_are_checked_with_their_errors(self, run: Run, tmp_path: Path) -> None:
        good, bad, none = tmp_path / "good.yaml", tmp_path / "bad.yaml", tmp_path / "none.yaml"
        good.write_text("title: Good\nturn: {place: own}\n")
        bad.write_text("title: Bad\nyaer: 3\nturn: {plcae: own}\n")
        assert run("check", good) == (0, "1 game checked: no errors\n", "")
        code, out, _ = run("check", good, bad, none)
        assert code == 1
        assert out.splitlines() == [
            f"{bad}:2:1: unknown key: 'yaer', did you mean 'year'?",
            f"{bad}:3:8: unknown verb 'plcae', did you mean 'place'?",
            f"{none}:1:1: can't be read: no such file or folder",
            "3 games checked: 3 errors",
        ]


class TestPerft:
    def test_perft_counts_moves_and_turns(self, run: Run) -> None:
        code, out, _ = run("perft", "spline", 3)
        assert code == 0
        assert [line.split() for line in out.splitlines()[1:4]] == [
            ["1", "16", "16"],
            ["2", "240", "240"],
            ["3", "3360", "3360"],
        ]

    def test_counts_differ_where_turns_have_several_moves(self, run: Run) -> None:
        found = json.loads(run("perft", "spline-plus", 3, "--json").out)
        # In turn 3, a marble is placed on one of 14 holes, or White's only marble is lifted and moved to one of 14.
        assert found["moves"][:2] == [16, 16 * 15]
        assert found["moves"][2] == 16 * 15 * (14 + 1)
        assert found["turns"][2] == 16 * 15 * (14 + 14)

    def test_perft_can_count_only_moves_or_turns(self, run: Run) -> None:
        assert set(json.loads(run("perft", "spline", 2, "--by", "turn", "--json").out)) >= {"turns"}
        assert "moves" not in json.loads(run("perft", "spline", 2, "--by", "turn", "--json").out)
        assert "turns" not in json.loads(run("perft", "spline", 2, "--by", "move", "--json").out)

    def test_perft_accepts_other_board_sizes(self, run: Run) -> None:
        assert json.loads(run("perft", "spline", 2, "--size", 3, "--json").out)["moves"] == [9, 72]
        assert run("perft", "spline", 2, "--size", 9).err.startswith(
            "shibumi3d: Spline can't be played on a board of size 9"
        )


class TestSelfplay:
    def test_same_seed_plays_the_same_games(self, run: Run) -> None:
        first = run("selfplay", "spline", "--games", 20, "--seed", 3, "--json").out
        assert run("selfplay", "spline", "--games", 20, "--seed", 3, "--json").out == first
        other = json.loads(run("selfplay", "spline", "--games", 20, "--seed", 4, "--json").out)
        found = json.loads(first)
        assert found["digest"] != other["digest"]
        assert found["games"] == 20
        assert sum(found["wins"]) + found["draws"] + found["unfinished"] == 20

    @pytest.mark.parametrize("name", ["spline-plus", "spalone", "spuzzle"])
    def test_selfplay_finishes_every_kind_of_game(self, run: Run, name: str) -> None:
        code, out, _ = run("selfplay", name, "--games", 3, "--json")
        assert code == 0
        assert json.loads(out)["unfinished"] == 0

    def test_selfplay_prints_text(self, run: Run) -> None:
        code, out, err = run("selfplay", "span", "--games", 2)
        assert code == 0
        assert "games      2\n" in out
        assert err.endswith("games/s\n")

    def test_unsupported_number_of_players_is_refused(self, run: Run) -> None:
        message = "shibumi3d: Spline is for 2 players, not for 3\n"
        assert run("selfplay", "spline", "--players", 3) == (1, "", message)


class TestReplay:
    def test_replay_prints_every_turn(self, run: Run, tmp_path: Path) -> None:
        code, out, _ = run("replay", save_match(tmp_path / "m.yaml"), "--text")
        assert code == 0
        assert out.startswith("Spline, size 4: Ann, Ben\n\nturn 1, Ann: white on Aa1\n")
        assert " 1 W W W W     1 . . .     1 . .      1 .\n" in out
        assert out.endswith("Ann wins (full line).\n")

    def test_replay_of_a_game_without_boards_names_no_size(self, run: Run, tmp_path: Path) -> None:
        match = Match(load_catalogue().get("golden-spiral").game(), ["Ann", "Ben"], 3)
        (tmp_path / "m.yaml").write_text(match.record().to_text())
        out = run("replay", tmp_path / "m.yaml", "--text").out
        assert out.startswith("The Golden Spiral: Ann, Ben\n")

    def test_unfinished_match_is_replayed_as_such(self, run: Run, tmp_path: Path) -> None:
        assert run("replay", save_match(tmp_path / "m.yaml", LINE[:2]), "--text").out.endswith(
            "Not finished.\n"
        )

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("my diary", "{path} is not a saved Shibumi 3D game"),
            (
                "shibumi3d: 7\n",
                "{path} was written by a newer version of Shibumi 3D (format 7; this version reads formats up to 2)",
            ),
            (
                "shibumi3d: 1\ngame: spline-plsu\nsize: 4\nseats: [A, B]\nseed: 1\nmoves: []\n",
                "there is no game 'spline-plsu', did you mean 'spline-plus'?",
            ),
            (
                "shibumi3d: 1\ngame: spline\nsize: 4\nseats: [A, B]\nseed: 1\nmoves: [W@Aa1, W@Aa1]\n",
                "the saved game can't be replayed: in turn 2, 'W@Aa1' is not possible now",
            ),
        ],
    )
    def test_invalid_record_is_refused_and_left_unchanged(
        self, run: Run, tmp_path: Path, content: str, message: str
    ) -> None:
        path = tmp_path / "m.yaml"
        path.write_text(content)
        assert run("replay", path, "--text") == (1, "", f"shibumi3d: {message.format(path=path)}\n")
        assert path.read_text() == content
        assert run("replay", path) == (
            1,
            "",
            f"shibumi3d: {message.format(path=path)}\n",
        )

    def test_missing_record_is_reported(self, run: Run, tmp_path: Path) -> None:
        assert run("replay", tmp_path / "x.yaml", "--text").err.endswith(
            "can't be read: no such file or folder\n"
        )


class TestNoDisplay:
    @pytest.fixture(autouse=True)
    def _none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.platform", "linux")
        monkeypatch.delenv("DISPLAY", raising=False)
        monkeypatch.delenv("PYGLET_HEADLESS", raising=False)

    @pytest.mark.parametrize(
        ("arguments", "text"),
        [
            ([], "shibumi3d play spline --text"),
            (["play", "span"], "shibumi3d play span --text"),
            (["--game", "span", "--seed", "3"], "shibumi3d play span --text"),
        ],
    )
    def test_missing_display_is_reported_with_the_terminal_command(
        self, run: Run, arguments: list[str], text: str
    ) -> None:
        message = f"shibumi3d: can't open a window: there is no display; in the terminal, use: {text}\n"
        assert run(*arguments) == (1, "", message)

    def test_replay_without_display_names_the_terminal_command(self, run: Run, tmp_path: Path) -> None:
        path = save_match(tmp_path / "m.yaml")
        for arguments in (["replay", path], ["--open", path]):
            assert run(*arguments).err.endswith(f"in the terminal, use: shibumi3d replay {path} --text\n")

    def test_unknown_game_is_reported_before_the_missing_display(self, run: Run) -> None:
        assert (
            run("play", "spline-plsu").err
            == "shibumi3d: there is no game 'spline-plsu', did you mean 'spline-plus'?\n"
        )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seed", "3"], "--seed can only be used with --game"),
        (["--export", "x.png"], "--export can only be used with --game or --open"),
        (["--list", "--game", "spline"], "--list and --game can't be used together"),
        (["--open", "match.json", "--text"], "--open and --text can't be used together"),
        (["--game", "spline", "--text", "--export", "a.png"], "--text and --export can't be used together"),
        (["--list", "--export", "a.png"], "--list and --export can't be used together"),
    ],
)
def test_invalid_short_forms_are_refused(run: Run, arguments: list[str], message: str) -> None:
    code, _, err = run(*arguments)
    assert code == 2
    assert err.endswith(f"error: {message}\n")


TUTORIAL = Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "09-words-for-people.yaml"


class TestGameFileArguments:
    """Every command that takes the name of a game also takes the path of a game file."""

    @pytest.mark.parametrize(
        "arguments",
        [
            ("check", TUTORIAL),
            ("rules", TUTORIAL, "--lang", "fr"),
            ("perft", TUTORIAL, 2, "--size", 5),
            ("selfplay", TUTORIAL, "--games", 2, "--variant", "long"),
        ],
    )
    def test_commands_accept_the_path_of_a_game_file(self, run: Run, arguments: tuple[object, ...]) -> None:
        code, out, _ = run(*arguments)
        assert code == 0
        assert out

    def test_game_file_may_have_another_extension(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "mine.txt"
        path.write_text("title: Mine\nturn: {place: own}\nend: [{when: stuck, lose: me}]\n")
        assert run("perft", path, 1).code == 0
        assert run("perft", tmp_path / "none", 1).err == (
            f"shibumi3d: {tmp_path / 'none'} can't be read: no such file or folder\n"
        )
        assert run("perft", tmp_path, 1).err == f"shibumi3d: {tmp_path} can't be read: it is not a file\n"


def test_shared_link_of_a_saved_match_can_be_replayed(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_text(
        "shibumi3d: 1\ngame: spline\nsize: 4\nseats: [Ann, Ben]\nseed: 1\nmoves:\n  - W@Aa1\n  - B@Ab1\n",
        "utf-8",
    )
    link = run("share", str(path)).out.strip()
    assert link.startswith("shibumi3d:match:1:")
    replayed = run("replay", link, "--text")
    assert replayed.code == 0
    assert replayed.out == run("replay", str(path), "--text").out
    assert run("replay", path.as_uri(), "--text").out == replayed.out
    assert run("replay", link[:-4], "--text").code == 1
    challenge = run("share", str(path), "--challenge")
    assert (challenge.code, challenge.err) == (1, "shibumi3d: only a finished solo game can be a challenge\n")
