"""The results of reading the user's own games are cached, so only changed files are read again."""

from __future__ import annotations

import os
from pathlib import Path
from time import process_time

import pytest

from shibumi3d import files
from shibumi3d.catalogue import catalogue, own_games_cache
from shibumi3d.catalogue.catalogue import Catalogue, load_catalogue
from shibumi3d.catalogue.schema import Entry
from shibumi3d.rules.errors import GameFileError

LINE = (
    "title: {}\nsizes: [3]\nsummary: {{en: Short., fr: Bref.}}\nbest: {{3: 5}}\n"
    "turn: {{place: own}}\nend: [{{when: any(l <= own for l in full_lines), win: me}}]\n"
    "variants: {{tall: {{label: {{en: Tall, fr: haute}}, sizes: [5]}}}}\n"
)


class Disk:
    """A folder of games with a cache.

    ``opened`` returns the names of the game files that were read since its last call.
    """

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder, self.cache = folder, cache
        self._read: list[str] = []
        self._files_read = files.read

    def read(self, path: Path, most: int) -> bytes:
        if path.parent == self.folder and path.exists():
            self._read.append(path.stem)
        return self._files_read(path, most)

    def opened(self) -> list[str]:
        found, self._read = sorted(self._read), []
        return found

    def write(self, name: str, text: str) -> None:
        (self.folder / f"{name}.yaml").write_text(text, encoding="utf-8")

    def load(self) -> Catalogue:
        return load_catalogue(self.folder, self.cache)


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    (tmp_path / "games").mkdir()
    found = Disk(tmp_path / "games", tmp_path / "cache" / "deep")
    found.write("one", LINE.format("One"))
    found.write("long", "title: Longer\nextends: one\nminutes: 7\n")
    found.write("tarot", "title: Tarot\nextends: arcanoid\n")
    found.write("wrong", "title: Wrong\nturn: {plcae: own}\nend: []\n")
    found.write("orphan", "title: Orphan\nextends: parent\n")
    monkeypatch.setattr(files, "read", found.read)
    return found


def plain(entry: Entry) -> dict[str, object]:
    return {name: repr(value) for name, value in entry.meta.items()}


def test_unchanged_files_are_not_reread(disk: Disk) -> None:
    first = disk.load()
    assert set(disk.opened()) == {"one", "long", "tarot", "wrong", "orphan"}
    again = disk.load()
    assert disk.opened() == []
    assert [entry.id for entry in again] == [entry.id for entry in first]
    assert again.problems == first.problems
    assert {"wrong", "orphan"} <= again.problems.keys()
    long, tarot = again.get("longer"), again.get("tarot")
    assert (long.minutes, long.sizes, dict(long.best), dict(long.summary)) == (
        7,
        (3,),
        {3: 5},
        {"en": "Short.", "fr": "Bref."},
    )
    assert [option.name for option in tarot.options] == ["rounds", "dummies"]
    assert disk.opened() == []
    assert str(long.game().moves(long.game().start())[0]) == "W@Aa1"
    assert disk.opened() == ["long", "one"], "it is read when it is played, once"
    assert all(plain(again.get(entry.id)) == plain(entry) for entry in first if entry.own)
    assert again.get("one") == first.get("one")


def test_changed_file_and_its_children_are_reread(disk: Disk) -> None:
    games = disk.load()
    disk.opened()
    disk.write("one", LINE.format("Uno"))
    games = games.with_user_games(disk.folder)
    assert set(disk.opened()) == {"one", "long"}
    assert games.get("uno").id == "one"
    disk.write("parent", LINE.format("Parent"))
    games = games.with_user_games(disk.folder)
    assert set(disk.opened()) == {"parent", "orphan"}
    assert games.get("orphan").sizes == (3,)
    (disk.folder / "one.yaml").unlink()
    assert "long" in games.with_user_games(disk.folder).problems
    assert disk.opened() == ["long"]
    assert disk.load().find("one") is None
    assert disk.opened() == [], "that is remembered too"


def test_changed_file_of_equal_size_and_time_is_reread(disk: Disk) -> None:
    disk.load()
    disk.opened()
    path = disk.folder / "one.yaml"
    about = path.stat()
    files.write(path, LINE.format("Two"))
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert disk.load().get("two").id == "one"


@pytest.mark.parametrize(
    "harm", ["cut", "changed", "no text", "a folder", "another program", "another folder"]
)
def test_invalid_cache_is_ignored(disk: Disk, harm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [entry.id for entry in disk.load()]
    disk.opened()
    file = disk.cache / own_games_cache.CACHE_FILE
    data = file.read_bytes()
    if harm == "a folder":
        file.unlink()
        file.mkdir()
    elif harm == "another program":
        monkeypatch.setattr(own_games_cache, "_source_files", lambda: [disk.folder])
    elif harm == "another folder":
        data = data.replace(b'"folder":"', b'"folder":"/elsewhere')
        file.write_bytes(data)
    else:
        harmed = {"cut": data[:-30], "changed": data.replace(b"Longer", b"Lunger"), "no text": b"\xff\0"}
        file.write_bytes(harmed[harm])
    assert [entry.id for entry in disk.load()] == expected
    assert set(disk.opened()) == {"one", "long", "tarot", "wrong", "orphan"}


def test_deleted_file_affects_only_its_game(disk: Disk) -> None:
    disk.load()
    games = disk.load()
    (disk.folder / "tarot.yaml").unlink()
    disk.write("one", "{<<}")
    for name in ("tarot", "one"):
        entry = games.get(name)
        assert (entry.rules, entry.example, entry.find_translation("x", "fr")) == ({}, None, "")
        with pytest.raises(GameFileError):
            entry.game()
    assert len(games) == len(disk.load()) + 3


def test_failed_reading_is_retried(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(catalogue, "_compile", full)
        assert disk.load().find("one") is None
    assert disk.load().get("one").own


def test_nothing_is_written_without_a_cache_folder(disk: Disk) -> None:
    games = load_catalogue(disk.folder)
    disk.opened()
    games = games.with_user_games(disk.folder)
    assert disk.opened() == []
    assert not disk.cache.exists()
    assert games.get("one").own


def test_unwritable_cache_falls_back_to_reading(disk: Disk) -> None:
    disk.cache.parent.write_text("in the way")
    assert disk.load().get("one").own
    assert disk.load().get("one").own


def test_cached_loading_is_much_faster(disk: Disk) -> None:
    for number in range(300):
        disk.write(f"g-{number}", LINE.format(f"G {number}"))
    spent = []
    for _ in range(4):
        started_at = process_time()
        assert len(disk.load()) > 300
        spent.append(process_time() - started_at)
    # The minimum is used because garbage collection may slow down any of the runs.
    assert min(spent[1:]) < spent[0] / 4
    assert catalogue.load_catalogue() is load_catalogue()
