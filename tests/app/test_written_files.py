"""Files written by the window: names made from titles, and symbolic links, which stay in place."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from shibumi3d.app.host import settings
from shibumi3d.app.host.desktop import new_picture_path
from shibumi3d.app.pages.game_designer.draft import GameFiles, file_name_for
from shibumi3d.app.shell import crash_reporting
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match.match import Match
from shibumi3d.match.record import load as load_record
from shibumi3d.match.store import MatchStore
from tests.app.hand import Hand

unix = pytest.mark.skipif(sys.platform == "win32", reason="links are a privilege there")
TITLES = ("Either/Or", "../x", "/tmp/Slip", "C:\\x", "a:b", "CON", "...", "", "x" * 300, "日" * 300, "a\0b")


@pytest.mark.parametrize("title", TITLES)
def test_screenshot_is_saved_in_the_pictures_folder(tmp_path: Path, title: str) -> None:
    folder = tmp_path / "pictures"
    for _ in range(2):
        file = new_picture_path(folder, title, "png")
        assert file.resolve().parent == folder.resolve()
        assert not file.exists()
        file.write_bytes(b"x")
    assert len(list(folder.iterdir())) == 2
    assert [file.name for file in tmp_path.iterdir()] == ["pictures"]


def test_screenshot_of_a_game_whose_title_is_a_path_stays_in_its_folder(hand: Hand, tmp_path: Path) -> None:
    hand.app.services.pictures_folder = tmp_path / "pictures"
    hand.start("spline")
    for title in ("Either/Or", str(tmp_path / "Slip")):
        hand.app.save_screenshot(title, hand.play.view.rect)
        hand.draw()
    names = sorted(file.name for file in hand.app.services.pictures_folder.iterdir())
    assert len(names) == 2
    assert any(name.startswith("Either-Or 2") for name in names)
    assert all(name.endswith(".png") for name in names)
    assert not list(tmp_path.glob("Slip*"))


def test_own_game_file_avoids_device_names() -> None:
    for title, name in (
        ("CON", "con-1"),
        ("Nul!", "nul-1"),
        ("com1", "com1-1"),
        ("Either/Or", "either-or"),
        ("../..", "game"),
        ("日本", "game"),
    ):
        assert file_name_for(title) == name
        assert file_name_for(name) == name, "a valid name stays the same"


@unix
class TestLinks:
    def test_settings_are_written_through_links(self, tmp_path: Path) -> None:
        """If the settings file is a dangling link, the target is created when the settings are saved.

        If the target is damaged, it is renamed in its own folder when the settings are loaded, and the link is kept.
        """
        folder, there = tmp_path / "config", tmp_path / "dotfiles.json"
        folder.mkdir()
        link = folder / "settings.json"
        link.symlink_to(there)
        assert settings.load_settings(folder).is_first_start
        for scale in (150, 125):
            assert settings.save_settings(folder, replace(settings.Settings(), scale=scale)) == ""
            assert settings.load_settings(folder).settings.scale == scale
            assert link.is_symlink()
        there.write_text("{")
        assert "settings.json.unreadable" in settings.load_settings(folder).notice
        assert (tmp_path / "settings.json.unreadable").read_text() == "{"
        assert settings.save_settings(folder, settings.Settings()) == ""
        assert link.is_symlink()
        assert settings.load_settings(folder).notice == ""

    def test_earlier_damaged_settings_are_not_overwritten(self, tmp_path: Path) -> None:
        for text in ("{", "["):
            (tmp_path / "settings.json").write_text(text)
            settings.load_settings(tmp_path)
        assert [(tmp_path / f"settings.json.unreadable{end}").read_text() for end in ("", "-2")] == ["{", "["]

    @pytest.mark.parametrize("dangles", [False, True])
    def test_records_are_written_through_links(self, tmp_path: Path, dangles: bool) -> None:
        match = Match(load_catalogue().get("spline").game(), ["Ann", "Ben"])
        there, link = tmp_path / "there.yaml", tmp_path / "link.yaml"
        link.symlink_to("there.yaml")
        if not dangles:
            match.record().save(there)
        match.start_autosave(link)
        match.play("W@Aa1")
        assert match.autosave_problem is None
        assert link.is_symlink()
        assert load_record(there).turns == (("W@Aa1",),)

    def test_match_store_behind_a_dangling_link_is_created(self, tmp_path: Path) -> None:
        (tmp_path / "matches").symlink_to(tmp_path / "disk" / "matches")
        store = MatchStore(tmp_path / "matches")
        match = Match(load_catalogue().get("spline").game(), ["Ann", "Ben"])
        store.save_new(match, datetime(2026, 3, 1))
        match.play("W@Aa1")
        assert len(store.list_files()) == len(os.listdir(tmp_path / "disk" / "matches")) - 1 == 1
        store.release()

    def test_pipe_in_place_of_the_log_is_not_opened(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "errors.log")
        before = list(crash_reporting.log.handlers)
        try:
            assert crash_reporting.start_log(tmp_path) is None
        finally:
            crash_reporting.log.handlers[:] = before

    def test_drafts_and_own_games_are_written_through_links(self, tmp_path: Path) -> None:
        shelf = GameFiles(tmp_path / "games", tmp_path / "draft.json")
        (tmp_path / "draft.json").symlink_to("real draft")
        shelf.save_draft("a", "text", "saved")
        assert shelf.load_draft() == ("a", "text", "saved")
        (tmp_path / "games").mkdir()
        (tmp_path / "games" / "mine.yaml").symlink_to(tmp_path / "real game")
        assert shelf.free_name("Mine", ()) == "mine-2", "a name is taken even if its link dangles"
        shelf.write("mine", "title: Mine")
        assert (tmp_path / "real game").read_text() == "title: Mine\n"
        assert (tmp_path / "games" / "mine.yaml").is_symlink()
        assert (tmp_path / "draft.json").is_symlink()
        for name in ("../x", "a/b", "/x"):
            with pytest.raises(OSError, match="outside"):
                shelf.write(name, "x")
