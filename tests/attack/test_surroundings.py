"""Whatever lies around the program: folders that take nothing, settings and files that are none, other windows."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app import settings
from shibumi3d.app.screens.settings import Notice
from shibumi3d.match.store import Store

if TYPE_CHECKING:
    from tests.app.hand import Hand

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")

PROC = Path("/proc")
"""A folder that is there and takes no file from anybody, not even from root."""


def told(hand: Hand) -> str:
    """The sentence that lies over the page, which is closed."""
    notice = hand.floating(Notice)
    hand.key("enter")
    return notice.words.words


class TestSettings:
    @pytest.mark.parametrize(
        "content",
        [
            b"[" * 100_000,
            b'{"views": {"spline": [' + b"[" * 100_000,
            b"9" * 100_000,
            b'{"scale": ' + b"9" * 5000 + b"}",
            b'{"views": {"spline": [[1, 2, ' + b"9" * 400 + b"]]}}",
            b'{"names": ["' + b"x" * (2 << 20) + b'"]}',
            b"\xff\xfe{}",
            b"",
        ],
        ids=["lists", "lists inside", "digits", "a number", "no float", "large", "UTF-16", "empty"],
    )
    def test_a_file_that_holds_none_is_kept_aside(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "settings.json").write_bytes(content)
        loaded = settings.load(tmp_path)
        assert loaded.settings == settings.Settings()
        assert loaded.notice.startswith("The settings could not be read; the usual ones are used.")
        assert (tmp_path / "settings.json.unreadable").read_bytes() == content

    def test_a_pipe_in_its_place_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "settings.json")
        assert settings.load(tmp_path).notice.startswith("The settings could not be read")

    def test_halves_of_characters_are_kept_as_far_as_a_file_can(self, tmp_path: Path) -> None:
        (tmp_path / "settings.json").write_text('{"names": ["A\\ud800"]}')
        loaded = settings.load(tmp_path)
        assert settings.save(tmp_path, loaded.settings.with_(theme="night")) == ""
        assert settings.load(tmp_path).settings.names == ("A?",)

    def test_a_folder_below_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")
        place = tmp_path / "file" / "config"
        assert settings.load(place).settings == settings.Settings()
        assert settings.save(place, settings.Settings()) == "The settings could not be kept: Not a directory."

    @linux
    def test_a_folder_that_takes_nothing(self) -> None:
        assert settings.load(PROC).settings == settings.Settings()
        assert settings.save(PROC, settings.Settings()).startswith("The settings could not be kept: ")


@linux
def test_a_game_is_played_where_nothing_can_be_kept(hand: Hand) -> None:
    hand.app.config, hand.app.store = PROC, Store(PROC)
    hand.app.show_home()
    hand.start("spline")
    hand.wait(0.2)
    assert told(hand).startswith("The settings could not be kept: ")
    hand.choose("Ab2", "Ac2")
    assert hand.moves == ["W@Ab2", "B@Ac2"]
    assert hand.play.hint.sentence()[0].startswith("The match could not be saved: ")
    hand.app.show_home()
    hand.app.change(theme="night")
    hand.wait(0.2)
    assert hand.app.root.floats == []  # it was said


def test_what_was_wrong_with_the_settings_is_said_once_on_the_screen(hand: Hand, tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text("[" * 100_000)
    hand.app.warn(settings.load(tmp_path).notice)
    hand.wait(0.2)
    assert told(hand) == (
        "The settings could not be read; the usual ones are used. The file is kept as settings.json.unreadable."
    )
    assert settings.load(tmp_path).notice == ""
