"""Playing in the terminal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli import terminal
from shibumi3d.match import record
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.match import Match
from shibumi3d.match.store import MatchStore, games_folder
from shibumi3d.rules.marbles.wording.terminal_text import draw_board
from shibumi3d.wording import describe_result
from tests.typed_lines import make_reader

if TYPE_CHECKING:
    from .conftest import Run

LINE = ["W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2", "W@Ad1"]


def play_new_match(*lines: str, name: str = "spline") -> tuple[Match, str]:
    return play_lines(
        Match(load_catalogue().get(name).game(), ["Ann", "Ben"][: load_catalogue().get(name).players[0]], 7),
        *lines,
    )


def play_lines(match: Match, *lines: str) -> tuple[Match, str]:
    said: list[str] = []
    terminal.play(match, make_reader(list(lines), said.append), said.append)
    return match, "\n".join(said)


def test_board_is_drawn_with_levels_side_by_side() -> None:
    assert draw_board("....,.WB.,.BW.,R.../...,...,W../..,../.") == [
        "level A       level B     level C    level D",
        " 4 . . . .",
        " 3 . W B .     3 . . .",
        " 2 . B W .     2 . . .     2 . .",
        " 1 R . . .     1 W . .     1 . .      1 .",
        "   a b c d       a b c       a b        a",
    ]


def test_whole_game_is_played() -> None:
    match, said = play_new_match(*LINE, "quit")
    assert match.game.outcome(match.state) is not None
    assert "Ann wins (full line)." in said
    assert "turn 1: Ann (White · a full line) to move" in said
    assert "turn 2: Ben (Black · a full line) to move" in said


def test_puzzles_end_as_lost_or_with_a_score() -> None:
    _, said = play_new_match(*["1"] * 30, name="spuzzle")
    assert "Done, score " in said
    assert "(no colour can be placed any more)." in said
    match = Match(load_catalogue().get("spalone").game(), ["Ann"], deal={"bag": "WWWWWWWWWWBBBBBBR"})
    for move in [*(f"W@{p}" for p in ("Aa1", "Ab1", "Aa2", "Ab2", "Ba1")), "W@Ac1"]:
        match.play(move)
    assert describe_result(match) == ""


def test_moves_can_be_chosen_by_number() -> None:
    match, _ = play_new_match("2", "1")
    assert [ply.move for ply in match.plies] == ["W@Ab1", "B@Aa1"]


def test_steps_of_a_turn_are_shown() -> None:
    match, said = play_new_match("W@Aa1", "B@Ab1", "^Aa1", name="spline-plus")
    assert match.cursor == 3
    assert "in hand: white from Aa1\nturn 3, step 2: Ann (White · a full line) to move" in said


def test_undo_and_redo() -> None:
    match, said = play_new_match(*LINE[:3], "undo", "undo", "redo", "back", "forward", "forward", "forward")
    assert match.cursor == 3
    assert said.count("There is nothing to redo.") == 1
    _, said = play_new_match("undo", "back")
    assert said.count("There is nothing to undo.") == 2


SEALED = "This can't be undone: something was drawn or revealed."


@pytest.mark.parametrize(
    ("throws", "lines", "left", "refused"),
    [
        # A throw can't be undone; the choice after it can, but only back to the throw.
        ("0 2", ["throw", "undo"], 1, 1),
        ("0 2", ["throw", "take", "back", "undo"], 1, 1),
        ("0 2", ["throw", "take", "undo"], 2, 1),
        # Buying steps involves no chance and can be undone: 1 taba each, then the first seat buys 12 steps for 2.
        ("1 1 1 1", ["throw"] * 4 + ["buy", "undo", "undo"], 4, 1),
    ],
)
def test_undo_stops_at_chance(throws: str, lines: list[str], left: int, refused: int) -> None:
    game = load_catalogue().get("hyena-spiral").game()
    match = Match(game, ["Ann", "Ben"], 7, deal={"throws": throws, "starter": "1"})
    _, said = play_lines(match, *lines)
    assert (match.cursor, said.count(SEALED)) == (left, refused)


def test_other_seat_cannot_undo_a_secret_choice() -> None:
    match, said = play_new_match("7", "", "undo", name="golden-spiral")
    assert match.cursor == 1
    assert "This can't be undone: it was another player's secret choice." in said


def test_impossible_input_is_refused_and_changes_nothing() -> None:
    match, said = play_new_match("W@Aa9", "99", "0")
    assert match.cursor == 0
    assert "'W@Aa9' is not possible now." in said
    assert "'99' is not possible now." in said


@pytest.mark.parametrize("command", ["explain", "EXPLAIN", "tell", "dire"])
def test_explain_command_describes_the_effect_of_a_move(command: str) -> None:
    """The command also works in capitals and under its former names, "tell" and the French "dire".

    In Spline, a full line wins. White, who is to move, has three marbles in rank 1 and can complete it on Ad1. The
    second choice in the list is Ad2, Aa1 is occupied, and "nothing" isn't a move.
    """
    typed = [f"{command} {what}" for what in ("W@Ad1", "2", "Aa1", "nothing")]
    match, said = play_new_match(*LINE[:6], *typed)
    assert match.cursor == 6
    assert "Ad1 – wins: full line, Aa1–Ad1." in said
    assert "Ad2 – ends the turn." in said
    assert "There is already a white marble on Aa1." in said
    assert "'nothing' is not possible now." in said
    assert "Ann (White · a full line) to move – choose a point" in said


def test_illegal_move_gets_a_reason() -> None:
    _, said = play_new_match("W@Aa1", "B@Aa1", "Ba1", "W@Bd9")
    assert "There is already a white marble on Aa1." in said
    assert "Ba1 needs four marbles below: Ab1, Aa2 and Ab2 are empty." in said
    assert "'W@Bd9' is not possible now." in said
    _, said = play_new_match("W@left.Aa1", "right.Aa1", "W@left.Ab1", name="spair")
    assert "'right.Aa1' could mean: B@right.Aa1, R@right.Aa1" in said
    assert "Ab1 on the left board isn't allowed: you're playing on the right board now." in said


def test_w_means_white_and_west_is_spelled_out() -> None:
    match, said = play_new_match("W>Ba2/west", "B>Bc2/E", "moves", name="splush")
    assert [ply.move for ply in match.plies] == ["W>Ba2/W", "B>Bc2/E"]
    assert "W>Ba1/west" in said
    assert "Ann: white enters Ba2 from the west" in said
    assert "/W" not in said


def test_moves_command_lists_the_turns() -> None:
    _, said = play_new_match("moves", *LINE[:2], "moves")
    assert "No turn has been played yet." in said
    assert "  1  Ann: white on Aa1\n  2  Ben: black on Aa2" in said


def test_help_lists_the_commands() -> None:
    _, said = play_new_match("help", "", "?")
    assert said.count("undo, redo") == 3


def test_commands_are_case_insensitive() -> None:
    match, said = play_new_match("W@Aa1", "UNDO", "Moves", "Quit")
    assert match.cursor == 0
    assert "No turn has been played yet." in said


def test_unknown_input_points_to_the_help() -> None:
    _, said = play_new_match("castle")
    assert "'castle' is not possible now. Type 'help' for a list of commands." in said


def test_hint_finds_a_win_and_is_counted() -> None:
    match, said = play_new_match(*LINE[:-1], "hint")
    assert "Ad1 – wins: full line, Aa1–Ad1." in said
    assert match.hints == [1, 0]
    assert match.cursor == 6


def test_input_may_end_at_the_privacy_prompt() -> None:
    _, said = play_new_match(name="spagyric")
    assert said.endswith("Only Ann should look now. Press Enter.\n")


def test_secret_choices_are_printed_when_revealed() -> None:
    _, said = play_new_match("", "W!", "", "B!", name="spagyric")
    assert "Ann: white\nBen: black\n" in said
    _, said = play_new_match("", "W!", "", "W!", name="spagyric")
    assert "Ann: white\nBen: white\n" in said


def test_point_alone_is_accepted_when_unambiguous() -> None:
    match, _ = play_new_match("Aa1", "Aa2")
    assert [ply.move for ply in match.plies] == ["W@Aa1", "B@Aa2"]
    # In Splice, a point by itself is ambiguous, because either colour may be placed.
    match, said = play_new_match("Aa1", name="splice")
    assert match.plies == ()
    assert "'Aa1' could mean: " in said


def test_rules_command_prints_the_rules() -> None:
    _, said = play_new_match("rules")
    assert load_catalogue().get("spline").rules["en"].strip() in said


def test_save_command_writes_the_match(tmp_path: Path) -> None:
    path = tmp_path / "my game.yaml"
    match, said = play_new_match(*LINE[:2], f"save {path}", f"save {tmp_path}/no/where.yaml")
    assert record.load(path) == match.record()
    assert f"Saved as {path}." in said
    assert re.search(r"Couldn't save .+: no such file or folder\.", said)
    (tmp_path / "diary").write_text("my diary")
    _, said = play_new_match(f"save {tmp_path}/diary")
    assert "was not overwritten" in said
    assert (tmp_path / "diary").read_text() == "my diary"


def test_bag_contents_are_hidden() -> None:
    _, said = play_new_match(name="spalone")
    assert "bag: 29 unknown" in said
    assert "hand: 1 " in said


def test_choices_are_printed_in_columns() -> None:
    assert terminal.format_choices(["a", "b", "c", "d", "e"], 20) == ["  1 a    3 c    5 e", "  2 b    4 d"]
    assert terminal.format_choices(["a" * 30], 20) == ["  1 " + "a" * 30]
    assert terminal.format_choices([], 20) == []


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    waiting: list[str] = []
    monkeypatch.setattr("shibumi3d.cli.play.read_line", make_reader(waiting, str))
    return waiting


class TestCommand:
    def test_match_can_be_resumed(self, run: Run, answers: list[str]) -> None:
        answers += ["W@Aa1", "B@Ab1"]
        code, out, _ = run("play", "spline", "--text", "--seats", "Ann,Ben", "--seed", 5)
        assert code == 0
        assert "turn 3: Ann (White · a full line) to move" in out
        found = MatchStore().find_unfinished()
        assert found is not None
        assert found.record is not None
        assert (found.record.turns, found.record.seed) == ((("W@Aa1",), ("B@Ab1",)), 5)
        answers += ["W@Ac1"]
        code, out, _ = run("play", "--resume", "--text")
        assert code == 0
        assert [len(saved.record.turns) for saved in MatchStore().list_files() if saved.record] == [3]

    def test_player_names_come_from_the_seats_option(self, run: Run, answers: list[str]) -> None:
        assert "Player 1 (White · a full line) to move" in run("play", "spline", "--text").out
        assert "Player 1 (White · a full line) to move" in run("play", "spline", "--text", "--seats", 2).out
        assert (
            "Zoë (White · a full line) to move" in run("play", "spline", "--text", "--seats", "Zoë, Bo").out
        )
        assert run("play", "spline", "--text", "--seats", "A,B,C").err == (
            "shibumi3d: Spline is for 2 players, not for 3\n"
        )
        assert (
            run("play", "spline", "--text", "--seats", "A,").err == "shibumi3d: a name is missing in 'A,'\n"
        )
        assert not answers

    def test_computers_are_named_by_level_and_me_by_number(self, run: Run, answers: list[str]) -> None:
        answers += ["W@Aa1"]
        out = run("play", "spline", "--text", "--seats", "me,pebble").out
        assert "Player 1 (White · a full line) to move" in out
        assert "\nPebble: black on " in out
        seats = "--seats", "pebble,me"
        assert run("--lang", "fr", "play", "spline", "--text", *seats).out.startswith("Caillou: blanche en ")

    def test_game_file_can_be_played(self, run: Run, answers: list[str], tmp_path: Path) -> None:
        path = tmp_path / "mine.yaml"
        path.write_text("title: Mine\nextends: spline\nsizes: [3]\n")
        assert "level C" in run("play", path, "--text").out
        assert "level D" not in run("play", path, "--text").out
        path.write_text("title: Mine\nturn: {plcae: own}\n")
        code, out, err = run("play", path, "--text")
        assert (code, out) == (1, "")
        assert (
            err
            == f"shibumi3d: the game file has errors\n{path}:2:8: unknown verb 'plcae', did you mean 'place'?\n"
        )
        assert not answers

    def test_match_of_an_outside_game_file_is_saved(
        self, run: Run, answers: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        path = tmp_path / "My game.yaml"
        path.write_text("title: Mine\nextends: spline\nsizes: [3]\n")
        answers += ["W@Aa1", f"save {tmp_path / 'kept.yaml'}"]
        assert run("play", "My game.yaml", "--text").code == 0
        text = (tmp_path / "kept.yaml").read_text(encoding="utf-8")
        assert f'game: my-game\nfile: "{path}"\nsize: 3\n' in text
        answers += ["B@Ab1"]
        assert run("play", "--resume", "--text").code == 0
        assert run("replay", tmp_path / "kept.yaml", "--text").out.startswith("Mine, size 3")
        path.write_text("title: Mine\nsizes: [3]\nturn: {plcae: own}\n")
        code, _, err = run("replay", tmp_path / "kept.yaml", "--text")
        assert (code, err.splitlines()[0]) == (1, "shibumi3d: the game file has errors")
        path.unlink()
        for command in (["play", "--resume", "--text"], ["replay", tmp_path / "kept.yaml", "--text"]):
            assert run(*command) == (1, "", f"shibumi3d: the game file {path} no longer exists\n")

    def test_match_of_an_own_game_is_saved_by_its_id(self, run: Run, answers: list[str]) -> None:
        games_folder().mkdir(parents=True)
        (games_folder() / "mine.yaml").write_text("title: Mine\nextends: spline\n")
        for name in ("mine", games_folder() / "mine.yaml"):
            answers += ["W@Aa1"]
            assert run("play", name, "--text").code == 0
            found = MatchStore().find_unfinished()
            assert found is not None
            assert found.record is not None
            assert (found.record.game, found.record.file) == ("mine", "")
        answers += ["B@Ab1"]
        assert "turn 3" in run("play", "--resume", "--text").out

    def test_resume_without_a_match_is_refused(self, run: Run) -> None:
        assert run("play", "--resume", "--text").err == "shibumi3d: there is no unfinished match\n"
        assert run("play", "--resume").err.startswith("shibumi3d: --resume can only be used with --text")

    def test_swap_rule_follows_the_recommendation_of_the_game(self, run: Run, answers: list[str]) -> None:
        def played_with(*arguments: str) -> str:
            answers[:] = ["W@Aa1"]
            return run("play", "sponnect", "--text", *arguments).out

        offer = "Type 'swap-seats'"
        note = "The swap rule applies, as recommended for this game. To play without it, add --no-swap."
        variant = ("--variant", "no first pass")
        assert [text in played_with() for text in (offer, note)] == [False, False]
        assert [text in played_with("--swap") for text in (offer, note)] == [True, False]
        assert [text in played_with(*variant) for text in (offer, note)] == [True, True]
        assert [text in played_with(*variant, "--swap") for text in (offer, note)] == [True, False]
        assert [text in played_with(*variant, "--no-swap") for text in (offer, note)] == [False, False]
        assert "swap rule recommended" in run("rules", "sponnect", *variant).out
        assert "swap rule recommended" not in run("rules", "sponnect").out

    def test_play_without_a_game_is_refused(self, run: Run) -> None:
        assert run("play", "--text").err.startswith("shibumi3d: which game? 'shibumi3d list' shows them")


def test_clocks_and_seat_swap_in_the_terminal() -> None:
    times = iter([0.0, 5.0, 10.0, 12.0, 20.0, 85.0, 90.0, 91.0])
    match = Match(
        load_catalogue().get("spline").game(),
        ["Ann", "Ben"],
        7,
        has_swap_rule=True,
        time_limit=TimeLimit(60, 2),
    )
    said: list[str] = []
    waiting = ["W@Aa1", "swap-seats", "B@Ab1", "end", "quit"]

    def ask(prompt: str) -> str:
        said.append(prompt)
        return waiting.pop(0)

    terminal.play(match, ask, said.append, now=lambda: next(times))
    output = "\n".join(said)
    assert "time left: Ann 1:00, Ben 1:00" in output
    assert "time left: Ann 0:57, Ben 1:00\n" in output, "five seconds taken, two given"
    assert "Type 'swap-seats' to swap seats and take over the other player's first turn." in output
    assert "Ann > " in said[said.index("Ben > ") :], "Ann sits at the second seat now"
    assert "Ann has run out of time. Type 'end' to end the match, or press Enter to keep playing: " in said
    assert "Ben wins (time ran out)." in output
    assert [ply.move for ply in match.plies] == ["W@Aa1", "swap-seats", "time-up"]


def test_invalid_match_settings_are_refused(run: Run) -> None:
    answer = run("play", "springe", "--text", "--swap")
    assert answer.code == 1
    assert "Springe can't be played with the swap rule" in answer.err
    assert "is not a time control:" in run("play", "spline", "--text", "--clock", "soon").err
    assert (
        "there aren't enough marbles in the supply" in run("play", "spred", "--text", "--handicap", "1+R").err
    )
    assert "4 black" in run("play", "sploof", "--seats", "Ann,Ben", "--text", "--handicap", "2+BB").out


def test_turns_name_the_player_seated_at_the_time() -> None:
    match = Match(load_catalogue().get("spline").game(), ["Ann", "Ben"], has_swap_rule=True)
    for move in ("W@Aa1", "swap-seats", "B@Ab1", "W@Ac1"):
        match.play(move)
    assert list(terminal.format_turns(match, None)) == [
        "  1  Ann: white on Aa1",
        "  2  Ben: swaps seats",
        "  2  Ann: black on Ab1",
        "  3  Ben: white on Ac1",
    ]


def test_here_command_describes_boards_rank_by_rank() -> None:
    _, said = play_new_match(*LINE[:4], "W@Ba1", "here", "here Ba1", "here c", "here Zz9", "clocks", "quit")
    rows = "rank 1: white, white, empty, empty; rank 2: black, black, empty, empty"
    empty = "empty, empty, empty, empty"
    assert f"Level A: {rows}; rank 3: {empty}; rank 4: {empty}" in said
    assert "Level B: rank 1: white, empty, empty; rank 2: " in said
    assert "Level B: Ba1, white. Rank 1: white, empty, empty. File a: white, empty, empty" in said
    assert "Level C: empty" in said
    assert "'Zz9' is not possible now." in said
    assert "Ben to move – choose a point" in said
