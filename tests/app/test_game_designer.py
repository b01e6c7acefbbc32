"""The game designer: editing text, completions, the live board and the draft."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import Any, ClassVar

import pytest
from PIL import Image

from shibumi3d.app.host.dialogs import MessageCard
from shibumi3d.app.match.marble_view.guided import SandboxPage
from shibumi3d.app.pages.game_designer import job_panels, text_checker
from shibumi3d.app.pages.game_designer.completion import (
    colour_pieces,
    continuing_keys,
    defined_names,
    find_completions,
    is_in_key,
)
from shibumi3d.app.pages.game_designer.draft import GameFiles, file_name_for, title_in_text
from shibumi3d.app.pages.game_designer.mechanisms import EntryList, MechanismsForm
from shibumi3d.app.pages.game_designer.page import GameDesignerPage, ShareGameCard
from shibumi3d.app.ui.button import Button
from shibumi3d.app.ui.canvas import Canvas
from shibumi3d.app.ui.dropdown import Dropdown
from shibumi3d.app.ui.text_buffer import TextBuffer
from shibumi3d.app.ui.text_editor import LINE_HEIGHT_PX, TextEditor
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.sharing import encode_game, is_shared_line
from shibumi3d.lab.jobs import GameText
from shibumi3d.lab.training import NOTHING_NEW, TrainingResult
from shibumi3d.match.store import games_folder
from shibumi3d.paths import launch_command
from shibumi3d.scene.rect import Rect
from shibumi3d.search.arena import SeriesResult, SprtResult
from shibumi3d.search.game_quality import GameQuality, Proportion
from shibumi3d.search.worker import Answer, WorkerDied, WorkerTimeout
from tests.app.at_once import AtOnce
from tests.app.hand import Hand
from tests.app.writing import written

# The text


def test_typing_inserts_at_the_caret_and_undo_removes_words() -> None:
    writing = TextBuffer("turn:\n  - place: own")
    writing.move_to((1, 99))
    for letter in "er":
        writing.insert(letter)
    assert (writing.lines[1], writing.caret) == ("  - place: owner", (1, 16))
    assert writing.undo()
    assert writing.lines[1] == "  - place: own"
    assert not writing.undo()
    assert writing.redo()
    assert writing.text == "turn:\n  - place: owner"


def test_new_line_keeps_the_indentation_and_indents_after_a_key() -> None:
    deep = {"turn:": 2, "  - place: own": 2, "  - choose:": 6, "    lose: mover": 4, "": 0, "  -": 4}
    for line, spaces in deep.items():
        writing = TextBuffer(line)
        writing.move_to((0, 99))
        writing.insert_line_break()
        assert writing.lines == [line, " " * spaces], line


def test_new_line_in_a_list_entry_aligns_with_its_first_key() -> None:
    deep = {
        "  - when: stuck": 4,
        "- when: not empty": 2,
        "- when:": 4,
        "  - as_soon_as: filled": 4,
        "  - if: hand": 4,
        "    - by: everyone": 6,
        "  - - if: hand": 6,
        "  - place: own": 2,
        "    win: me": 4,
    }
    for line, spaces in deep.items():
        writing = TextBuffer(line, continuing_keys=continuing_keys())
        writing.move_to((0, 99))
        writing.insert_line_break()
        assert writing.lines == [line, " " * spaces], line


def test_selection_cut_and_paste_across_lines() -> None:
    writing = TextBuffer("one\ntwo\nthree")
    writing.move_to((0, 1))
    writing.move_by_lines(1, select=True)
    assert writing.selected_text == "ne\nt"
    writing.insert("X\r\n\tY\x00")
    assert writing.lines == ["oX", "  Ywo", "three"]
    assert writing.cut() == "  Ywo\n"
    assert writing.lines == ["oX", "three"]
    writing.select_all()
    writing.backspace()
    assert writing.lines == [""]
    writing.undo()
    assert writing.lines == ["oX", "three"]


def test_tab_indents_and_unindents_selected_lines() -> None:
    writing = TextBuffer("a\n\n  b")
    writing.select_all()
    writing.indent(1)
    assert writing.lines == ["  a", "", "    b"]
    writing.indent(-1)
    writing.indent(-1)
    assert writing.lines == ["a", "", "b"]
    writing.move_to((2, 1))
    writing.indent(1)
    assert writing.lines[2] == "b "


def test_caret_moves_by_words_and_keeps_its_column() -> None:
    writing = TextBuffer("place: own\nx\nscore: goal")
    writing.move_to((0, 7))
    writing.move_by_lines(1)
    assert writing.caret == (1, 1)
    writing.move_by_lines(1)
    assert writing.caret == (2, 7)
    writing.move_by_word(-1)
    assert writing.caret == (2, 5)
    writing.move_by_word(-1)
    writing.move_by_word(-1)
    assert writing.caret == (1, 1)
    writing.move_by(1)
    assert writing.caret == (2, 0)
    writing.select_word()
    assert writing.selected_text == "score"


def test_backspace_unindents_and_joins_lines() -> None:
    writing = TextBuffer("a\n    b")
    writing.move_to((1, 4))
    writing.backspace()
    assert writing.lines == ["a", "  b"]
    writing.backspace()
    writing.backspace()
    assert (writing.lines, writing.caret) == (["ab"], (0, 1))
    writing.delete()
    assert writing.lines == ["a"]


def test_text_longer_than_a_game_file_may_be_is_refused() -> None:
    writing = TextBuffer("abc", max_length=5)
    assert not writing.insert("def")
    assert writing.text == "abc"
    writing.select_all()
    assert writing.insert("defgh")
    assert writing.text == "defgh"


# Words


def completions(text: str, asked: bool = False) -> list[str]:
    writing = TextBuffer(text)
    writing.move_to((len(writing.lines) - 1, 999))
    return [offer.word for offer in find_completions(writing, asked)[1]]


def test_completion_offers_keys_before_a_colon_and_words_after_it() -> None:
    assert completions("turn:\n  - pl")[:2] == ["place", "players"]
    assert completions("  - place: play") == ["players", "playable"]
    assert completions("  - place: own & sup") == ["supports"]
    assert {"at", "as"} <= set(completions("  - {place: own, a"))
    assert "place" in completions("  - ", asked=True)
    assert completions("  - ") == []
    assert completions("# pl") == []


def test_completion_offers_the_games_own_names_first() -> None:
    text = "stocks:\n  bag: {holds: 1}\ndefine:\n  gain: 1\n  near(p): 2\nturn:\n  - score: "
    assert defined_names(text) == ["bag", "gain", "near"]
    assert completions(f"{text}ga") == ["gain"]
    assert completions(f"{text}ne") == ["near", "next"]


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("pl", True),
        ("  - pl", True),
        ("  - {pl", True),
        ("  - {place: ow", False),
        ("place: {p for p", False),
    ],
)
def test_completion_offers_the_keys_allowed_at_the_caret(line: str, key: bool) -> None:
    assert is_in_key(line, len(line)) is key


def test_syntax_highlighting_by_kind_of_word() -> None:
    assert list(colour_pieces("place: own & x # y")) == [
        ("place", "action"),
        (": own & ", "ink"),
        ("x", "secondary_ink"),
        (" ", "ink"),
        ("# y", "secondary_ink"),
    ]
    assert list(colour_pieces("à l'été")) == [
        ("à", "secondary_ink"),
        (" ", "ink"),
        ("l", "secondary_ink"),
        ("'", "ink"),
        ("été", "secondary_ink"),
    ]


# Files


def test_file_name_is_derived_from_the_title(tmp_path: Path) -> None:
    assert file_name_for("Épée & Co., 2nd") == "epee-co-2nd"
    assert file_name_for("渋") == "game"
    assert title_in_text("players: 2\ntitle: 'My game' # draft\n") == "My game"
    assert title_in_text("turn: x") == ""
    shelf = GameFiles(tmp_path / "games", tmp_path / "draft.json")
    assert shelf.free_name("Spline", {"spline"}) == "spline-2"
    shelf.write("spline-2", "title: Spline")
    assert shelf.free_name("Spline", {"spline"}) == "spline-3"
    assert shelf.read(shelf.path_of("spline-2")) == "title: Spline\n"


@pytest.mark.parametrize(
    "kept",
    [
        "",
        "[]",
        '{"name": 3',
        '{"name": "../x", "text": ""}',
        '{"text": "' + "x" * 300_000 + '"}',
        "[" * 99_999,
    ],
)
def test_invalid_draft_is_ignored(tmp_path: Path, kept: str) -> None:
    (tmp_path / "draft.json").write_text(kept, "utf-8")
    assert GameFiles(tmp_path, tmp_path / "draft.json").load_draft() is None


def test_lone_surrogates_in_a_draft_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "draft.json").write_text('{"name": "", "text": "title: \\ud800", "saved": ""}', "utf-8")
    assert GameFiles(tmp_path, tmp_path / "draft.json").load_draft() == ("", "title: ?", "")


# The page


@pytest.fixture
def desk(hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hand:
    monkeypatch.setattr(text_checker, "Worker", AtOnce)
    hand.app.catalogue = load_catalogue(tmp_path / "games")
    return hand


class FailingWorker:
    """Worker stand-in that fails with the errors in ``answers``, one after another, and then succeeds.

    ``asked`` counts the calls. All instances share ``answers`` and ``asked``.
    """

    answers: ClassVar[list[Exception | None]] = []
    """The errors of successive calls; ``None`` stands for a call that succeeds."""
    asked = 0

    def __init__(self, limit: float | None = None) -> None:
        self._inner = AtOnce()

    def submit(self, name: str, *args: Any) -> None:
        FailingWorker.asked += 1
        self._inner.submit(name, *args)

    def poll(self) -> Answer | None:
        answer = self._inner.poll()
        error = FailingWorker.answers.pop(0) if FailingWorker.answers else None
        return Answer(error=error) if error is not None else answer

    def close(self) -> None: ...


@pytest.mark.parametrize(
    ("errors", "words"),
    [
        ([WorkerTimeout("it took too long")], "Checking this game took too long; perhaps it is too complex."),
        (
            [WorkerDied("the worker process ended unexpectedly")] * 2,
            "the worker process ended unexpectedly",
        ),
    ],
)
def test_abandoned_check_is_repeated_on_save(
    hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, errors: list[Exception], words: str
) -> None:
    monkeypatch.setattr(text_checker, "Worker", FailingWorker)
    monkeypatch.setattr(FailingWorker, "answers", list(errors))
    hand.app.catalogue = load_catalogue(tmp_path / "games")
    hand.key("ctrl+d")
    hand.wait(1)
    assert words.casefold() in hand.page(GameDesignerPage).status_label.caption.casefold()
    hand.key("ctrl+s")
    hand.wait(1)
    assert list((tmp_path / "games").iterdir())


def test_failed_check_is_not_reported_as_an_error_in_the_text(
    hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    timeout = WorkerTimeout("it took too long")
    monkeypatch.setattr(text_checker, "Worker", FailingWorker)
    monkeypatch.setattr(FailingWorker, "answers", [timeout] * 3)
    hand.app.catalogue = load_catalogue(tmp_path / "games")
    hand.key("ctrl+d")
    hand.wait(1)
    reason = "Checking this game took too long; perhaps it is too complex."
    assert hand.page(GameDesignerPage).status_label.caption == f"{reason} To try again, save the game."
    hand.key("f5")
    hand.wait(1)
    assert hand.dismiss_message() == reason
    hand.key("ctrl+s")
    hand.wait(1)
    assert hand.dismiss_message() == f"The game wasn't saved. {reason}"


def test_check_is_repeated_if_its_process_dies(
    hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_checker, "Worker", FailingWorker)
    monkeypatch.setattr(FailingWorker, "answers", [WorkerDied("the worker process ended unexpectedly")])
    hand.app.catalogue = load_catalogue(tmp_path / "games")
    hand.key("ctrl+d")
    hand.wait(1)
    assert hand.page(GameDesignerPage).status_label.caption == "No errors · 2 players · unsaved changes"


def test_game_can_be_written_tested_saved_and_found_by_keyboard(
    desk: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.key("ctrl+d")
    desk.wait(1)
    assert desk.page(GameDesignerPage).status_label.caption == "No errors · 2 players · unsaved changes"
    board = desk.page(GameDesignerPage).view.shown_state
    assert board is not None
    desk.key("ctrl+a")
    desk.type("title: Straight on")
    desk.key("enter")
    desk.type("turn: {plce: own}")
    desk.key("enter")
    desk.wait(1)
    assert desk.page(GameDesignerPage).editor.diagnostics[0].line == 1
    assert "place" in desk.page(GameDesignerPage).editor.diagnostics[0].text
    assert desk.page(GameDesignerPage).status_label.caption.startswith(
        "1 error. The board shows the last valid version."
    )
    assert desk.page(GameDesignerPage).view.shown_state is board, (
        "a text with mistakes keeps the last good board"
    )
    assert desk.app.is_resting
    desk.key("up")
    for _ in range(9):
        desk.key("right")
    desk.key("delete")
    desk.key("delete")
    desk.type("a")
    assert [offer.word for offer in desk.page(GameDesignerPage).editor.completions] == ["place", "players"]
    desk.key("tab")
    assert desk.page(GameDesignerPage).editor.buffer.lines[1] == "turn: {place: own}"
    desk.key("ctrl+end")
    desk.type("end: [{when: any(l <= own for l in full_lines), win: me}]")
    desk.key("enter")
    desk.wait(1)
    assert desk.page(GameDesignerPage).editor.diagnostics == ()
    assert desk.page(GameDesignerPage).view.shown_state is not board
    desk.key("ctrl+s")
    desk.wait(1)
    file = tmp_path / "games" / "straight-on.yaml"
    assert file.read_text("utf-8").startswith("title: Straight on\nturn: {place: own}\n")
    assert desk.page(GameDesignerPage).status_label.caption.endswith("· saved")
    desk.key("f5")
    desk.wait(1)
    assert isinstance(desk.app.current_page, SandboxPage)
    desk.choose("Ab2")
    assert desk.moves == ["W@Ab2"]
    assert not list(tmp_path.rglob("matches/*.yaml")), "a trial is not kept"
    desk.push("back")
    desk.wait(1)
    assert desk.page(GameDesignerPage).draft.text.startswith("title: Straight on")
    desk.key("escape")
    desk.key("escape")
    assert desk.app.current_page.page_name == "home"
    assert desk.app.catalogue.find("straight-on") is not None
    # The game's length is unknown.
    desk.type("straight on")
    desk.wait(0.5)
    texts = written(monkeypatch, desk.draw).texts
    assert "2 players" in texts
    assert not [text for text in texts if text.endswith(" min")]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("title: N\nturn: {<<}\nend: [<<: ]\n", "Line 2: Merge keys ('<<') can't be used here."),
        ("title: N\nturn: {plcae: own}\n", "Line 2: Unknown verb 'plcae', did you mean 'place'?"),
        ("title: N\nextends: n\n", "Line 2: Extends: there is no game 'n'"),
        ("", "Line 1: The file is empty."),
    ],
)
def test_game_that_would_not_load_again_is_not_saved(
    desk: Hand, tmp_path: Path, text: str, problem: str
) -> None:
    desk.push("design")
    desk.page(GameDesignerPage).draft.import_text(text)
    desk.key("ctrl+s")
    desk.wait(1)
    assert not list(tmp_path.rglob("games/*.yaml"))
    message = desk.floating(MessageCard).message_label.caption
    assert message.startswith("The game can't be saved until this error is fixed. ")
    assert problem in message
    assert desk.page(GameDesignerPage).draft.text.rstrip() == text.rstrip(), "nothing is lost"
    assert desk.page(GameDesignerPage).draft.file_name == ""


def test_draft_is_kept_while_away_from_the_page(desk: Hand) -> None:
    desk.push("design")
    desk.wait(1)
    desk.found("editor", TextEditor)
    desk.type("# later ")
    desk.push("back")
    desk.push("design")
    desk.wait(1)
    assert desk.page(GameDesignerPage).draft.text.startswith("# later title: My game")
    desk.page(GameDesignerPage).start_new()
    assert "later" not in desk.page(GameDesignerPage).draft.text
    desk.key("ctrl+z")
    assert "later" in desk.page(GameDesignerPage).draft.text


def test_undo_brings_back_a_game_with_its_file(desk: Hand, tmp_path: Path) -> None:
    texts = {name: f"title: {name}\nturn: {{place: own}}\n" for name in ("first", "second")}
    (tmp_path / "games").mkdir()
    for name, text in texts.items():
        (tmp_path / "games" / f"{name}.yaml").write_text(text, "utf-8")
    desk.app.pages.show_game_designer()
    draft = desk.page(GameDesignerPage).draft
    draft.open("first")
    desk.found("editor", TextEditor)
    desk.type("# more")
    desk.key("enter")
    draft.open("second")
    assert (draft.file_name, draft.text) == ("second", draft.saved_text)
    desk.key("ctrl+z")
    assert (draft.file_name, draft.saved_text) == ("first", texts["first"])
    assert draft.text == f"# more\n{texts['first']}"
    desk.key("ctrl+s")
    desk.wait(1)
    for name, text in texts.items():
        more = "# more\n" if name == "first" else ""
        assert (tmp_path / "games" / f"{name}.yaml").read_text("utf-8") == more + text
    assert draft.text == draft.saved_text
    desk.key("ctrl+y")
    assert draft.file_name == "second"


def test_undo_of_changes_before_the_first_save_keeps_the_file(desk: Hand, tmp_path: Path) -> None:
    desk.app.pages.show_game_designer()
    desk.found("editor", TextEditor)
    desk.type("# more")
    desk.key("enter")
    desk.key("ctrl+s")
    desk.wait(1)
    draft = desk.page(GameDesignerPage).draft
    assert draft.file_name == "my-game"
    desk.key("ctrl+z")
    assert (draft.file_name, draft.text == draft.saved_text) == ("my-game", False)
    desk.key("ctrl+s")
    desk.wait(1)
    assert [path.name for path in tmp_path.rglob("*.yaml")] == ["my-game.yaml"]


def test_own_game_can_be_played_exported_shared_and_imported(desk: Hand, tmp_path: Path) -> None:
    desk.app.catalogue = load_catalogue(games_folder())
    lines: list[str] = []
    desk.app.services.write_clipboard, desk.app.services.read_clipboard = lines.append, lambda: lines[-1]
    desk.key("ctrl+d")
    desk.wait(1)
    desk.key("ctrl+a")
    desk.type("title: Round trip")
    for line in ("turn: {place: own}", "end: [{when: any(l <= own for l in full_lines), win: me}]"):
        desk.key("enter")
        desk.type(line)
    desk.key("escape")
    desk.key("ctrl+s")
    desk.wait(1)
    made = desk.page(GameDesignerPage).draft.text
    # Play a match against the computer to its end.
    entry = desk.app.catalogue.find("round-trip")
    assert entry is not None
    desk.app.matches.start(entry, ["Ann", "pebble"], 4, "", 1, player_types=["person", "pebble"])
    match = desk.play.match
    end = time.monotonic() + 300  # far more than it takes, even on a busy machine
    while match.state.to_move is not None and time.monotonic() < end:
        if match.state.to_move == 0:
            desk.key("/")
            desk.type(match.legal_moves()[0].text)
            desk.key("enter")
        desk.wait(0.3)
        time.sleep(0.01)
    assert match.state.to_move is None
    assert {ply.seat for ply in match.plies} == {0, 1}
    # Export it with the command line.
    (kept,) = (tmp_path / "matches").glob("[!.]*round-trip*")
    assert "result:" in kept.read_text("utf-8")
    arguments = [
        "export",
        kept,
        "--gif",
        tmp_path / "round.gif",
        "--size",
        "160x90",
        "--to",
        "2",
        "--speed",
        "4",
    ]
    subprocess.run([*launch_command(), *map(str, arguments)], check=True, timeout=300, capture_output=True)
    with Image.open(tmp_path / "round.gif") as film:
        assert film.size == (160, 90)
        assert getattr(film, "n_frames", 1) > 2
    # Share the game.
    desk.app.pages.show_home()
    desk.app.pages.show_game_designer()
    desk.wait(1)
    desk.key("escape")
    desk.key("ctrl+e")
    desk.push("copy line")
    assert is_shared_line(lines[-1])
    desk.key("escape")
    # Import it as another user, who has neither the game nor the draft.
    desk.app.catalogue = load_catalogue(tmp_path / "others")
    desk.app.services.config_folder = tmp_path / "elsewhere"
    desk.app.pages.show_home()
    desk.key("ctrl+v")
    desk.wait(1)
    assert desk.page(GameDesignerPage).draft.text == made
    assert desk.page(GameDesignerPage).status_label.caption == "No errors · 2 players · unsaved changes"
    assert desk.app.catalogue.find("round-trip") is None
    desk.push("save game")
    assert (tmp_path / "others" / "round-trip.yaml").read_text("utf-8") == f"{made}\n"
    assert desk.app.catalogue.find("round-trip") is not None


def test_text_too_long_for_the_editor_is_refused_with_a_message(desk: Hand) -> None:
    desk.app.services.read_clipboard = lambda: "x" * 300_000
    desk.key("ctrl+d")
    desk.wait(1)
    before = desk.page(GameDesignerPage).draft.text
    desk.key("ctrl+v")
    assert desk.page(GameDesignerPage).draft.text == before
    assert desk.floating(MessageCard).message_label.caption == "The text on the clipboard is too long."


def test_damaged_shared_line_is_refused_and_changes_nothing(desk: Hand) -> None:
    desk.app.services.read_clipboard = lambda: encode_game("title: x\n")[:-3]
    desk.key("ctrl+d")
    desk.wait(1)
    before = desk.page(GameDesignerPage).draft.text
    desk.push("share")
    desk.push("take in")
    card = desk.floating(ShareGameCard)
    assert (card.note, card.is_error) == (
        "The text is incomplete or has been changed; copy all of it again.",
        True,
    )
    desk.key("escape")
    assert desk.page(GameDesignerPage).draft.text == before
    desk.app.pages.show_home()
    desk.key("ctrl+v")
    assert (
        desk.floating(MessageCard).message_label.caption
        == "The text is incomplete or has been changed; copy all of it again."
    )


def test_completions_leave_the_message_about_their_line_visible(
    desk: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.key("ctrl+d")
    desk.wait(1)
    editor = desk.page(GameDesignerPage).editor
    desk.key("ctrl+a")
    desk.type("title: Straight on")
    desk.key("enter")
    desk.type("turn: {: own}")
    for _ in range(6):
        desk.key("left")
    desk.type("pla")
    desk.wait(1)
    assert [offer.word for offer in editor.completions]
    line = editor.buffer.caret[0]
    assert any(remark.line == line for remark in editor.diagnostics)
    boxes: list[Rect] = []
    monkeypatch.setattr(Canvas, "shadow", lambda canvas, rect, *look: boxes.append(rect))
    editor.refresh()
    desk.draw()
    notes = len(editor._rows.notes[line])
    message_top = editor.rect.y + 7 - editor.offset + editor._rows.top(line) + LINE_HEIGHT_PX
    (box,) = [box for box in boxes if editor.rect.contains(box.cx, box.cy)]
    assert box.y >= message_top + notes * LINE_HEIGHT_PX or box.bottom <= message_top


def test_evaluation_of_a_game_is_shown_beside_its_text(desk: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_panels, "Worker", AtOnce)
    desk.key("ctrl+d")
    desk.wait(1)
    desk.page(GameDesignerPage).playtest_panel.games_wanted = 10
    desk.key("f6")
    assert desk.page(GameDesignerPage).playtest_panel.is_running
    button = desk.page(GameDesignerPage).playtest_panel.button
    assert (button.label, button.tooltip) == ("Stop", "Stop and keep the results so far  F6")
    desk.wait(1)
    judged = desk.page(GameDesignerPage).playtest_panel
    assert not judged.is_running
    assert (button.label, button.tooltip) == ("Playtest", "Let the computer play 500 games  F6")
    statistics = dict(judged.statistics())
    assert statistics["Turns per game"] == "30 (30–30)"
    assert statistics["Seat 2's score"].startswith("100%")
    assert judged.hints()[0].startswith("One seat wins too often")
    assert judged.rect.bottom <= 720


@pytest.mark.parametrize("height", [480, 560])
def test_playtest_results_are_not_cut_off_in_a_low_window(
    desk: Hand, monkeypatch: pytest.MonkeyPatch, height: int
) -> None:
    """The results fit below the board in a window 560 pixels high, but not in one 480 pixels high.

    A long hint makes the results tall. At a height of 480 pixels, they would leave too little space for the board. The
    board is therefore hidden, and the results take its place.
    """
    monkeypatch.setattr(job_panels, "Worker", AtOnce)
    monkeypatch.setattr(
        job_panels.PlaytestPanel, "hints", lambda panel: ["Make it shorter, or longer. " * 14]
    )
    desk.app.resize(853, height)
    desk.key("ctrl+d")
    desk.wait(1)
    page = desk.page(GameDesignerPage)
    page.playtest_panel.games_wanted = 10
    desk.key("f6")
    desk.wait(1)
    desk.draw()
    panel = page.playtest_panel
    assert panel.rect.h >= panel.preferred_height(desk.app.canvas, panel.rect.w)
    assert panel.rect.bottom <= height
    assert page.view.visible == (height > 500)


def test_training_in_the_designer_improves_the_top_level(
    desk: Hand, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A stand-in replaces the training itself, which the tests of the lab cover."""
    monkeypatch.setattr(job_panels, "Worker", AtOnce)
    found: list[str] = []

    def taught(table: GameText, store: Path, seconds: float, most: int, folder: str) -> TrainingResult:
        assert folder == str(desk.page(GameDesignerPage).draft.library)
        found.append(table.text)
        won = SeriesResult(40, (29, 11), 0, 0, 0.74, (0.61, 0.82))
        return TrainingResult(table, "what it knows", won, SprtResult(True, 3.0, 40))

    monkeypatch.setattr("shibumi3d.lab.training.train_in_worker", taught)
    desk.key("ctrl+d")
    desk.wait(1)
    desk.key("ctrl+l")
    desk.wait(1)
    assert found, desk.page(GameDesignerPage).status_label.caption
    assert not desk.page(GameDesignerPage).training_panel.is_running
    assert desk.page(GameDesignerPage).training_panel.sentences() == [
        "Training finished. Sky scored 74% (61–82%) in 40 games against its earlier self. From now on, it uses what it "
        "has learned."
    ]
    (kept,) = desk.page(GameDesignerPage).draft.library.iterdir()
    assert kept.read_text("utf-8") == "what it knows"
    desk.page(GameDesignerPage).draft.run_when_valid(lambda entry: found.append(entry.learned_folder))
    desk.wait(1)
    assert found[-1] == str(kept.parent)


def test_training_that_finds_nothing_new_says_so(desk: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_panels, "Worker", AtOnce)
    monkeypatch.setattr(
        "shibumi3d.lab.training.train_in_worker",
        lambda table, *args: TrainingResult(table, reason=NOTHING_NEW),
    )
    desk.key("ctrl+d")
    desk.wait(1)
    desk.key("ctrl+l")
    desk.wait(1)
    assert desk.page(GameDesignerPage).training_panel.sentences() == [
        "Training found nothing new for Sky to learn."
    ]


def test_playtest_of_a_solo_game_speaks_of_solving(desk: Hand) -> None:
    desk.push("design")
    panel = desk.page(GameDesignerPage).playtest_panel
    share = Proportion(0.5, 0.4, 0.6)
    panel.result = GameQuality(5, 5, (9.0, 8, 10), (share,), 0.0, 0.0, 0.0, 4.0, share, ())
    assert [label for label, _ in panel.statistics()][1::3] == ["Solved", "Solved by stronger player"]
    assert panel.hints() == ["The playtest found nothing to improve."]


def test_action_before_the_check_waits_for_the_current_text(desk: Hand, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "own.yaml").write_text("title: Own\nplayers: 3\nturn: {place: own}\n", "utf-8")
    desk.app.pages.show_home()
    desk.app.pages.show_game_designer(desk.app.catalogue.find("own"))
    desk.key("f5")
    desk.wait(1)
    assert isinstance(desk.app.current_page, SandboxPage)
    assert len(desk.play.match.seats) == 3
    desk.push("back")
    desk.type("x: ")
    desk.key("f5")
    desk.wait(1)
    assert desk.floating(MessageCard).message_label.caption.startswith("Fix the errors in the text first")
    assert desk.page(GameDesignerPage).draft.file_name == "own"


def test_playtest_follows_changes_of_the_text(desk: Hand) -> None:
    desk.key("ctrl+d")
    desk.wait(1)
    desk.key("f5")
    desk.wait(1)
    desk.choose("Ab2")
    editor = desk.found("editor", TextEditor)
    assert editor.rect.right <= desk.play.view.rect.x
    desk.click(*desk.app.to_window_pixels(editor.rect.cx, editor.rect.cy))
    desk.key("ctrl+home")
    desk.type("# hap")  # letters are typed, although they would be shortcuts on the board
    desk.key("enter")
    desk.wait(1)
    assert desk.moves == ["W@Ab2"], "the same rules: the match goes on"
    assert desk.play.actions.message == "Rules reloaded. Your moves still stand."
    assert desk.app.root.focus is desk.found("editor", TextEditor), "one can write on"
    desk.key("ctrl+a")
    desk.type("title: My game")
    desk.key("enter")
    desk.type("turn: {place: own, at: Aa1}")
    desk.key("enter")
    desk.type("end: [{when: stuck, lose: mover}]")
    desk.wait(1)
    assert desk.play.match.plies == ()
    assert desk.play.actions.message == "The moves don't fit the new rules. Starting over."
    assert [move.text for move in desk.play.match.legal_moves()] == ["W@Aa1"]
    desk.push("back")
    desk.wait(1)
    assert desk.page(GameDesignerPage).draft.text.startswith("title: My game\nturn: {place: own, at: Aa1}")
    before = []
    for _ in range(40):
        desk.key("ctrl+z")
        before.append(desk.page(GameDesignerPage).draft.text)
    assert any(text.startswith("# hap\ntitle: My game\nplayers: 2") for text in before), "undo goes on here"


def test_fields_of_the_form_can_be_read_in_a_low_window(desk: Hand) -> None:
    desk.app.pages.show_game_designer()
    desk.key("f2")
    desk.app.resize(640, 360)
    desk.draw()
    form = next(widget for widget in desk.app.root.page.walk() if isinstance(widget, MechanismsForm))
    for section in range(3):
        form.section_tabs.select(section)
        for row in range(len(form.terms)):
            form.term_list.select_row(row)
            desk.draw()
            assert min(field.rect.h for field in form.fields.values()) >= 18, form.terms[row].name
    desk.app.resize(1280, 720)
    desk.draw()
    assert form.help_label.visible


def test_form_describes_steps_and_words_in_sentences(desk: Hand) -> None:
    desk.app.pages.show_game_designer()
    desk.key("f2")
    form = next(widget for widget in desk.app.root.page.walk() if isinstance(widget, MechanismsForm))
    for section in range(4):
        form.section_tabs.select(section)
        for row in range(len(form.terms)):
            form.term_list.select_row(row)
            text = form.help_label.caption
            assert (text[:1], text[-1:]) == (text[:1].upper(), "."), text
            assert not text.endswith(".."), text


def test_steps_can_be_removed_and_moved_in_the_form(desk: Hand) -> None:
    desk.key("ctrl+d")
    desk.wait(1)
    desk.key("ctrl+a")
    desk.type("title: My game")
    for line in ("turn: [{place: own}, {score: 2}, {score: 3}]", "end: [{when: stuck, lose: mover}]"):
        desk.key("enter")
        desk.type(line)
    desk.key("escape")
    desk.key("f2")
    desk.draw()
    steps = desk.found("steps", EntryList)
    assert steps.entries == ["{place: own}", "{score: 2}", "{score: 3}"]
    assert not desk.found("remove step", Button).enabled
    row = steps.row_rect(1)
    desk.click(*desk.app.to_window_pixels(row.cx, row.cy))
    desk.push("step later")
    assert steps.entries == ["{place: own}", "{score: 3}", "{score: 2}"]
    desk.key("delete")
    assert desk.page(GameDesignerPage).draft.text.split("\n")[1:4] == [
        "turn:",
        "  - {place: own}",
        "  - {score: 3}",
    ]
    assert steps.row_count == 2
    desk.key("alt+up")
    desk.push("remove step")
    assert steps.entries == ["{place: own}"]
    desk.wait(1)
    assert desk.page(GameDesignerPage).status_label.caption.startswith("No errors")
    desk.key("ctrl+z")
    assert steps.entries == ["{score: 3}", "{place: own}"], "what the text takes back is seen in the form"


def test_playtest_against_a_computer(desk: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.key("ctrl+d")
    desk.wait(1)
    desk.key("f5")
    desk.wait(1)
    against = desk.found("against", Dropdown)
    assert against.options[:2] == ("Other player: Human", "Other player: Pebble")
    against.select(1)
    desk.wait(0.5)
    assert desk.play.match.player_types == ("person", "pebble")
    assert desk.play.names == ["Player 1", "Pebble"]
    desk.choose("Ab2")
    assert list(desk.play.computer_players.choosing_seats) == [1]
    desk.push("coach go")
    assert desk.play.match.player_types == ("person", "pebble"), "once more means against the same"
    desk.app.resize(900, 600)
    desk.draw()
    assert not isinstance(desk.app.root.find("editor"), TextEditor)
    assert desk.found("against", Dropdown).rect.bottom <= desk.play.view.rect.y


def test_keys_go_to_the_text_after_escape(desk: Hand) -> None:
    desk.key("ctrl+d")
    desk.wait(1)
    editor = desk.page(GameDesignerPage).editor
    desk.key("escape")
    assert not editor.focused
    desk.key("ctrl+end")
    assert editor.focused
    assert editor.buffer.caret == (len(editor.buffer.lines) - 1, len(editor.buffer.lines[-1]))
    desk.key("escape")
    desk.key("ctrl+home")
    desk.type("x")
    assert editor.buffer.lines[0].startswith("x")
    desk.key("escape")
    desk.key("backspace")
    assert not editor.buffer.lines[0].startswith("x")
