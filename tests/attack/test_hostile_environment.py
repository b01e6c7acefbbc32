"""Hostile environments: unwritable folders, files of unexpected kinds, and other running windows."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.host import settings
from shibumi3d.app.match.dialogs import SaveDialog
from shibumi3d.app.pages.home.saved_games import SavedGamesPage
from shibumi3d.match.store import MatchStore

if TYPE_CHECKING:
    from tests.app.hand import Hand

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")

PROC = Path("/proc")
"""An existing folder in which nobody can create files, not even root."""


class TestSettings:
    @pytest.mark.parametrize(
        "content",
        [
            b"[" * 100_000,
            b'{"views": {"spline": [' + b"[" * 100_000,
            b"9" * 100_000,
            b'{"names": ["' + b"x" * (2 << 20) + b'"]}',
            b"\xff\xfe{}",
            b"",
        ],
        ids=[
            "lists",
            "lists inside",
            "digits",
            "large",
            "UTF-16",
            "empty",
        ],
    )
    def test_unreadable_settings_file_is_set_aside(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "settings.json").write_bytes(content)
        loaded = settings.load_settings(tmp_path)
        assert loaded.settings == settings.Settings()
        assert loaded.notice.startswith("Couldn't read the settings, so the defaults will be used.")
        assert (tmp_path / "settings.json.unreadable").read_bytes() == content

    @pytest.mark.parametrize(
        ("content", "name"),
        [
            (b'{"scale": ' + b"9" * 5000 + b"}", "scale"),
            (b'{"views": {"spline": [[1, 2, ' + b"9" * 400 + b"]]}}", "views"),
            (b'{"eye": [1]}', "eye"),
            (b'{"views": {"spline": 3}}', "views"),
        ],
        ids=["a number", "no float", "eye", "views"],
    )
    def test_invalid_setting_gets_its_default(self, tmp_path: Path, content: bytes, name: str) -> None:
        (tmp_path / "settings.json").write_bytes(content)
        loaded = settings.load_settings(tmp_path)
        assert loaded.settings == settings.Settings()
        assert loaded.notice == (
            f"Couldn't read some settings in {tmp_path / 'settings.json'}: {name}. Their defaults will be used."
        )

    def test_invalid_language_is_ignored(self, tmp_path: Path) -> None:
        (tmp_path / "settings.json").write_text('{"language": []}')
        assert settings.stored_language(tmp_path) == ""
        assert settings.load_settings(tmp_path).settings == settings.Settings()

    def test_pipe_instead_of_settings_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "settings.json")
        assert settings.load_settings(tmp_path).notice.startswith(
            "Couldn't read the settings, so the defaults will be used."
        )

    def test_surrogates_in_names_are_replaced_when_saved(self, tmp_path: Path) -> None:
        (tmp_path / "settings.json").write_text('{"names": ["A\\ud800"]}')
        loaded = settings.load_settings(tmp_path)
        assert settings.save_settings(tmp_path, loaded.settings.with_changes(theme="night")) == ""
        assert settings.load_settings(tmp_path).settings.names == ("A?",)

    def test_settings_folder_below_a_file_is_reported(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")
        place = tmp_path / "file" / "config"
        assert settings.load_settings(place).settings == settings.Settings()
        assert settings.save_settings(place, settings.Settings()) == (
            "Couldn't save the settings: part of the path is not a folder."
        )

    @linux
    def test_unwritable_settings_folder_is_reported(self) -> None:
        assert settings.load_settings(PROC).settings == settings.Settings()
        assert settings.save_settings(PROC, settings.Settings()).startswith("Couldn't save the settings: ")


@linux
def test_game_is_playable_when_nothing_can_be_saved(hand: Hand) -> None:
    hand.app.services.config_folder, hand.app.store = PROC, MatchStore(PROC)
    hand.app.pages.show_home()
    hand.start("spline")
    hand.wait(0.2)
    assert hand.dismiss_message().startswith("Couldn't save the settings: ")
    hand.choose("Ab2", "Ac2")
    assert hand.moves == ["W@Ab2", "B@Ac2"]
    assert hand.play.message_line.current_message()[0].startswith("Couldn't save the game: ")
    hand.app.pages.show_home()
    hand.app.change_settings(theme="night")
    hand.wait(0.2)
    assert hand.app.root.popups == []  # already reported


def test_settings_problem_is_reported_once_on_screen(hand: Hand, tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text("[" * 100_000)
    hand.app.show_warning(settings.load_settings(tmp_path).notice)
    hand.wait(0.2)
    assert hand.dismiss_message() == (
        "Couldn't read the settings, so the defaults will be used. The old file was saved as settings.json.unreadable."
    )
    assert settings.load_settings(tmp_path).notice == ""


class TestTwoWindows:
    """Tests of whether a match continues in its own file or in a copy.

    A second store for the same folder stands in for a second window of the program.
    """

    def test_second_window_is_told_and_opens_a_copy(self, hand: Hand) -> None:
        other = MatchStore(hand.app.store.folder)
        hand.start("spline")
        hand.choose("Ab2", "Ac2")
        first = hand.app.matches.current_path
        assert first is not None
        assert not other.claim(first)
        hand.app.pages.show_home()
        assert other.claim(first)
        before = first.read_bytes()
        hand.push("continue")
        assert (
            hand.dismiss_message()
            == "This game is already open in another window, so you are playing a copy of it."
        )
        assert hand.moves == ["W@Ab2", "B@Ac2"]
        hand.choose("Ab3")
        assert first.read_bytes() == before
        copy = hand.app.matches.current_path
        assert copy not in (None, first)
        assert [
            saved.record.turns for saved in other.list_files() if saved.record and saved.path == copy
        ] == [(("W@Ab2",), ("B@Ac2",), ("W@Ab3",))]

    def test_closed_match_is_reopened_in_the_same_file(self, hand: Hand) -> None:
        hand.start("spline")
        hand.choose("Ab2")
        first = hand.app.matches.current_path
        hand.app.pages.show_saved_games()
        hand.push("open")
        assert hand.app.root.popups == []
        assert hand.app.matches.current_path == first
        assert MatchStore(hand.app.store.folder).claim(first) is False  # type: ignore[arg-type]

    def test_match_from_another_folder_is_played_in_a_copy(self, hand: Hand, tmp_path: Path) -> None:
        hand.start("spline")
        hand.choose("Ab2")
        mine = tmp_path / "mine.yaml"
        hand.play.match.record().save(mine)
        before = mine.read_bytes()
        hand.app.matches.open_file(mine)
        hand.choose("Ac2")
        assert mine.read_bytes() == before
        found = hand.app.store.find_unfinished()
        assert found is not None
        assert found.record is not None
        assert found.record.turns == (("W@Ab2",), ("B@Ac2",))


TYPED = ["~nosuchuser/x", "9" * 5000, "x" * 300, "/" + "x/" * 3000, "/dev/zero", "/", "~"]
"""Paths that can't lead to a saved game, however they are interpreted."""


@pytest.mark.parametrize("words", TYPED, ids=lambda words: repr(words[:10]))
def test_invalid_path_is_answered_with_a_message(hand: Hand, words: str) -> None:
    hand.app.pages.show_saved_games()
    screen = hand.page(SavedGamesPage)
    screen.path_field.value = words
    screen._open_path()
    assert re.search(r"(can't be read|Couldn't open \S*): [\w ,'().]+\.$", hand.dismiss_message())
    hand.start("spline")
    hand.choose("Ab2")
    card = SaveDialog(hand.play)
    card.path_field.value = words
    card.save_match()
    assert re.search(r"^Couldn't save the file: |^/\S* was not overwritten: ", card.problem)


def test_folder_of_unusual_files_is_listed(hand: Hand) -> None:
    folder = hand.app.store.folder
    hand.start("spline")
    hand.choose("Ab2")
    (folder / "dangling.yaml").symlink_to(folder / "nothing")
    (folder / "loop.yaml").symlink_to("loop.yaml")
    os.mkfifo(folder / "pipe.yaml")
    (folder / "large.yaml").write_bytes(b"x" * (4 << 20))
    (folder / "old.yaml").write_text("no record")
    os.utime(folder / "old.yaml", (1, 1))
    hand.app.pages.show_saved_games()
    hand.wait(1)
    screen = hand.page(SavedGamesPage)
    assert len(screen.files) == 6
    for row, file in enumerate(screen.files):
        screen._open_row(row)
        if file.problem:
            assert hand.dismiss_message() == f"{file.problem}."
        else:
            assert hand.moves == ["W@Ab2"]
            hand.app.pages.show_saved_games()
            screen = hand.app.current_page
