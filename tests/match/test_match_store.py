"""The folder of matches: naming, finding the match to resume, and leaving other files alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from shibumi3d import files
from shibumi3d.catalogue.catalogue import load_catalogue as catalogue
from shibumi3d.match import record
from shibumi3d.match.match import Match
from shibumi3d.match.store import MatchStore, games_folder, matches_folder

NOON = datetime(2026, 3, 1, 12, 0, 5)
LINE = ["W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2", "W@Ad1"]


def new_match(store: MatchStore, *moves: str) -> Path:
    match = Match(catalogue().get("spline").game(), ["Ann", "Ben"])
    path = store.save_new(match, NOON)
    for move in moves:
        match.play(move)
    return path


def test_match_files_are_named_by_time_and_game(tmp_path: Path) -> None:
    store = MatchStore(tmp_path / "new" / "folder")
    assert new_match(store, "W@Aa1").name == "2026-03-01 12-00-05 spline.yaml"
    assert new_match(store, "W@Aa1").name == "2026-03-01 12-00-05 spline 2.yaml"
    assert len(list(store.folder.glob("*.yaml"))) == 2


def test_match_without_move_leaves_no_file(tmp_path: Path) -> None:
    store = MatchStore(tmp_path)
    new_match(store)
    assert store.list_files() == ()


def test_old_partial_files_are_removed(tmp_path: Path) -> None:
    for name, age in ((".a.yaml.x.part", 3), (".b.yaml.y.part", 0), ("c.part", 9)):
        (tmp_path / name).write_text("x")
        moment = NOON.timestamp() - age * 24 * 3600
        os.utime(tmp_path / name, (moment, moment))
    store = MatchStore(tmp_path)
    new_match(store)
    store.release()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".b.yaml.y.part", "c.part"]


def test_deleted_match_can_be_restored(tmp_path: Path) -> None:
    store = MatchStore(tmp_path)
    first, second = new_match(store, "W@Aa1"), new_match(store, *LINE)
    before = first.read_bytes(), first.stat().st_mtime_ns
    store.release()
    gone = store.delete(first, NOON)
    assert gone is not None
    assert [saved.path for saved in store.list_files()] == [second]
    store.restore(gone, first)
    assert (first.read_bytes(), first.stat().st_mtime_ns) == before
    assert {saved.path for saved in store.list_files()} == {first, second}
    # If another file has taken the old name, nothing is overwritten.
    gone = store.delete(first, NOON)
    assert gone is not None
    first.write_text("another")
    with pytest.raises(FileExistsError):
        store.restore(gone, first)
    assert (first.read_text(), gone.read_bytes()) == ("another", before[0])
    for hours, there in ((23, True), (25, False)):
        store.save_new(Match(catalogue().get("spline").game(), ["Ann", "Ben"]), NOON + timedelta(hours=hours))
        assert gone.exists() == there


def test_match_open_in_another_program_is_not_deleted(tmp_path: Path) -> None:
    store, other = MatchStore(tmp_path), MatchStore(tmp_path)
    path = new_match(store, "W@Aa1")
    assert other.delete(path, NOON) is None
    assert path.exists()


def test_latest_unfinished_match_is_found(tmp_path: Path) -> None:
    store = MatchStore(tmp_path)
    assert store.find_unfinished() is None
    ages = {new_match(store, "W@Aa1"): 30, new_match(store, "W@Ab1"): 20, new_match(store, *LINE): 10}
    for path, age in ages.items():
        os.utime(path, (time.time() - age, time.time() - age))
    assert [saved.record.turns[0] if saved.record else None for saved in store.list_files()] == [
        ("W@Aa1",),
        ("W@Ab1",),
        ("W@Aa1",),
    ]
    found = store.find_unfinished()
    assert found is not None
    assert found.record is not None
    assert found.record.turns == (("W@Ab1",),)


def test_unreadable_match_file_is_listed_and_unchanged(tmp_path: Path) -> None:
    store = MatchStore(tmp_path)
    contents = {
        "a.yaml": b"my diary",
        "b.yaml": b"shibumi3d: 9\n",
        "c.yaml": b"shibumi3d: 1\ngame: [",
        "d.txt": b"x",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    assert sorted(
        str(saved.problem).removeprefix(f"{tmp_path}/").split(":")[0] for saved in store.list_files()
    ) == [
        "a.yaml is not a saved Shibumi 3D game",
        "b.yaml was written by a newer version of Shibumi 3D (format 9; this version reads formats up to 2)",
        "c.yaml has an error on line 3",
    ]
    assert store.find_unfinished() is None
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == contents


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the folder is that of Linux")
def test_data_folders_follow_xdg_data_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert matches_folder() == tmp_path / "shibumi3d" / "matches"
    assert games_folder() == tmp_path / "shibumi3d" / "games"


KILLED = """
import sys
from datetime import datetime, timedelta
from pathlib import Path
import shibumi3d
from shibumi3d.match.match import Match
from shibumi3d.match.store import MatchStore

match = Match(shibumi3d.game("spline-plus"), ["Ann", "Ben"])
MatchStore(Path(sys.argv[1])).save_new(match, datetime.now())
for move in ["W@Aa1", "B@Ab1", "^Aa1"]:
    match.play(move)
print("played", flush=True)
while True:
    match.undo_step()
    match.redo_step()
"""


def test_killed_program_keeps_saved_match(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "played\n"
    time.sleep(0.05)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    found = MatchStore(tmp_path).find_unfinished()
    assert found is not None
    assert found.record is not None
    match = Match.from_record(found.record, catalogue().get("spline-plus").game())
    assert [ply.move for ply in (*match.plies, *match.undone)] == ["W@Aa1", "B@Ab1", "^Aa1"]
    assert record.load(found.path) == found.record


class TestStrangeFiles:
    """Listing of the matches in a folder that also contains links, pipes, folders or large files.

    Listing doesn't block, and its cost is low: files that are too large aren't opened, unchanged files aren't read
    again, and each listing reads only a limited amount.
    """

    def test_links_pipes_and_folders_are_listed_as_unreadable(self, tmp_path: Path) -> None:
        store = MatchStore(tmp_path)
        (tmp_path / "dangling.yaml").symlink_to(tmp_path / "nothing")
        (tmp_path / "loop.yaml").symlink_to("loop.yaml")
        (tmp_path / "folder.yaml").mkdir()
        os.mkfifo(tmp_path / "pipe.yaml")
        reasons = {
            saved.path.name: str(saved.problem).partition(" can't be read: ")[2]
            for saved in store.list_files()
        }
        assert reasons == {
            "dangling.yaml": "no such file or folder",
            "loop.yaml": "Too many levels of symbolic links",
            "folder.yaml": "it is not a file",
            "pipe.yaml": "it is not a file",
        }
        assert store.find_unfinished() is None
        for name in reasons:
            with pytest.raises(record.RecordError, match="can't be read"):
                record.load(tmp_path / name)

    def test_file_deleted_during_listing_is_skipped(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store = MatchStore(tmp_path)
        names = ["gone.yaml", new_match(store, "W@Aa1").name]
        monkeypatch.setattr(os, "listdir", lambda path: names)
        assert [saved.record is not None for saved in store.list_files()] == [True]

    def test_file_in_place_of_the_folder_is_empty(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")
        assert MatchStore(tmp_path / "file").list_files() == ()
        assert MatchStore(tmp_path / "file" / "below").list_files() == ()

    def test_oversized_file_is_not_opened(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "a.yaml").write_bytes(b"shibumi3d: 1\n" + b"x" * (4 << 20))
        monkeypatch.setattr(files, "read", None)
        (saved,) = MatchStore(tmp_path).list_files()
        assert str(saved.problem) == f"{tmp_path / 'a.yaml'} is larger than 1024 KB"

    def test_only_changed_files_are_read_again(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        store, opened = MatchStore(tmp_path), []
        read = files.read

        def counted(path: Path, most: int) -> bytes:
            opened.append(path)
            return read(path, most)

        path = new_match(store, "W@Aa1")
        (tmp_path / "b.yaml").write_text("no record")
        monkeypatch.setattr(files, "read", counted)
        assert store.list_files() == store.list_files()
        assert len(opened) == 2
        os.utime(path, ns=(1, 1))
        store.list_files()
        assert opened[2:] == [path]

    def test_each_listing_reads_a_limited_amount(self, tmp_path: Path) -> None:
        for number in range(5):
            (tmp_path / f"{number}.yaml").write_bytes(b"# " + b"x" * 10_000)
            os.utime(tmp_path / f"{number}.yaml", (number, number))
        store = MatchStore(tmp_path)
        # Files are read until more than 20,000 bytes have been read: two of 10,002 bytes at a time, the newest first.
        for read in ("43", "4321", "43210"):
            saved = store.list_files(20_000)
            assert [one.path.stem for one in saved] == ["4", "3", "2", "1", "0"]
            assert "".join(one.path.stem for one in saved if not one.is_unread) == read

    def test_listing_is_cached_for_the_next_program(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder, cache = tmp_path / "matches", tmp_path / "cache"
        store, opened, read = MatchStore(folder, cache), [], files.read

        def counted(path: Path, most: int) -> bytes:
            if path.parent == folder:
                opened.append(path.name)
            return read(path, most)

        path = new_match(store, "W@Aa1")
        new_match(store, *LINE)
        (folder / "b.yaml").write_text("no record")
        before = store.list_files()
        monkeypatch.setattr(files, "read", counted)
        assert MatchStore(folder, cache).list_files() == before
        assert opened == []
        found = MatchStore(folder, cache).find_unfinished()
        assert found is not None
        assert (found.path, found.record) == (path, record.load(path))
        assert opened == [path.name] * 2, "once for its record, and once for this test"
        (folder / "b.yaml").write_text("none either")
        opened.clear()
        assert MatchStore(folder, cache).list_files() != before
        assert opened == ["b.yaml"]
        (cache / "kept-games.json").write_bytes(b"x" * 99)
        assert len(MatchStore(folder, cache).list_files()) == 3
        assert len(opened) == 4

    def test_listing_continues_without_listing_the_folder_again(self, tmp_path: Path) -> None:
        for number in range(4):
            (tmp_path / f"{number}.yaml").write_bytes(b"# " + b"x" * 10_000)
            os.utime(tmp_path / f"{number}.yaml", (number, number))
        store = MatchStore(tmp_path)
        listed = store.list_files(10_000)
        (tmp_path / "1.yaml").unlink()
        (tmp_path / "9.yaml").write_bytes(b"x")
        listed = store.read_more(listed, 20_000)
        assert [(one.path.stem, one.is_unread) for one in listed] == [
            ("3", False),
            ("2", False),
            ("0", False),
        ]
        assert store.read_more(listed, 1) == listed


class TestTwoPrograms:
    """Tests of two programs that use the same files, each through its own store."""

    def test_matches_begun_in_the_same_second_get_different_files(self, tmp_path: Path) -> None:
        one, other = MatchStore(tmp_path), MatchStore(tmp_path)
        games = [Match(catalogue().get("spline").game(), ["Ann", "Ben"]) for _ in range(4)]
        paths = [
            store.save_new(game, NOON) for store, game in zip((one, other, one, other), games, strict=True)
        ]
        assert len(set(paths)) == 4
        for number, game in enumerate(games):
            game.play(f"W@A{'abcd'[number]}1")
        turns = [
            saved.record.turns for saved in MatchStore(tmp_path).list_files() if saved.record is not None
        ]
        assert sorted(turns) == [(("W@Aa1",),), (("W@Ab1",),), (("W@Ac1",),), (("W@Ad1",),)]

    def test_match_is_claimed_by_one_program_only(self, tmp_path: Path) -> None:
        one, other = MatchStore(tmp_path), MatchStore(tmp_path)
        path = new_match(one, "W@Aa1")
        assert one.claim(path)
        assert not other.claim(path)
        one.release(path)
        assert other.claim(path)
        assert not one.claim(path)
        other.release()
        assert sorted(p.name for p in tmp_path.iterdir()) == [path.name]

    def test_killed_program_loses_its_claims(self, tmp_path: Path) -> None:
        child = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        assert child.stdout.readline() == "played\n"
        store = MatchStore(tmp_path)
        (path,) = tmp_path.glob("*.yaml")
        assert not store.claim(path)
        child.kill()
        child.wait()
        child.stdout.close()
        assert (tmp_path / f".{path.name}.lock").exists()
        assert store.claim(path)
        store.release()

    def test_leftover_locks_are_deleted(self, tmp_path: Path) -> None:
        one, other = MatchStore(tmp_path), MatchStore(tmp_path)
        held = new_match(one)
        (tmp_path / ".old.yaml.lock").touch()
        new_match(other)
        assert not (tmp_path / ".old.yaml.lock").exists()
        assert (tmp_path / f".{held.name}.lock").exists()


def test_temporarily_unreadable_file_keeps_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = new_match(MatchStore(tmp_path), "W@Aa1")

    def refused(*_: object) -> bytes:
        raise PermissionError("not now")

    monkeypatch.setattr(files, "read", refused)
    (found,) = MatchStore(tmp_path).list_files()
    assert found.problem is not None
    assert found.modified_at == pytest.approx(path.stat().st_mtime)
