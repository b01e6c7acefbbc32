"""The folder of matches: naming, finding the one to continue, leaving strange files alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import pytest

from shibumi3d.catalogue.catalogue import load as catalogue
from shibumi3d.match import record
from shibumi3d.match.match import Match
from shibumi3d.match.store import Store, default_folder, games_folder

NOON = datetime(2026, 3, 1, 12, 0, 5)
LINE = ["W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2", "W@Ad1"]


def new(store: Store, *moves: str) -> Path:
    match = Match(catalogue().get("spline").game(), ["Ann", "Ben"])
    path = store.keep(match, NOON)
    for move in moves:
        match.play(move)
    return path


def test_files_are_named_by_time_and_game(tmp_path: Path) -> None:
    store = Store(tmp_path / "new" / "folder")
    assert new(store, "W@Aa1").name == "2026-03-01 12-00-05 spline.yaml"
    assert new(store, "W@Aa1").name == "2026-03-01 12-00-05 spline 2.yaml"
    assert len(list(store.folder.iterdir())) == 2


def test_a_match_without_a_move_leaves_no_file(tmp_path: Path) -> None:
    store = Store(tmp_path)
    new(store)
    assert store.saved() == ()


def test_what_a_killed_program_left_is_swept_up_in_time(tmp_path: Path) -> None:
    for name, age in ((".a.yaml.x.part", 3), (".b.yaml.y.part", 0), ("c.part", 9)):
        (tmp_path / name).write_text("x")
        moment = NOON.timestamp() - age * 24 * 3600
        os.utime(tmp_path / name, (moment, moment))
    new(Store(tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == [".b.yaml.y.part", "c.part"]


def test_the_last_unfinished_match_is_the_one_to_continue(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.unfinished() is None
    ages = {new(store, "W@Aa1"): 30, new(store, "W@Ab1"): 20, new(store, *LINE): 10}
    for path, age in ages.items():
        os.utime(path, (time.time() - age, time.time() - age))
    assert [saved.record.turns[0] if saved.record else None for saved in store.saved()] == [
        ("W@Aa1",),
        ("W@Ab1",),
        ("W@Aa1",),
    ]
    found = store.unfinished()
    assert found is not None
    assert found.record is not None
    assert found.record.turns == (("W@Ab1",),)


def test_what_can_t_be_read_is_named_and_left_alone(tmp_path: Path) -> None:
    store = Store(tmp_path)
    contents = {
        "a.yaml": b"my diary",
        "b.yaml": b"shibumi3d: 9\n",
        "c.yaml": b"shibumi3d: 1\ngame: [",
        "d.txt": b"x",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    assert sorted(saved.problem.removeprefix(f"{tmp_path}/").split(":")[0] for saved in store.saved()) == [
        "a.yaml is not a Shibumi 3D record",
        "b.yaml was written by a newer version of Shibumi 3D (format 9; this one reads up to 1)",
        "c.yaml is broken at line 3",
    ]
    assert store.unfinished() is None
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == contents


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the folder is that of Linux")
def test_the_folder_is_the_user_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "shibumi3d" / "matches"
    assert games_folder() == tmp_path / "shibumi3d" / "games"


KILLED = """
import sys
from datetime import datetime
from pathlib import Path
import shibumi3d
from shibumi3d.match.match import Match
from shibumi3d.match.store import Store

match = Match(shibumi3d.game("spline-plus"), ["Ann", "Ben"])
Store(Path(sys.argv[1])).keep(match, datetime.now())
for move in ["W@Aa1", "B@Ab1", "^Aa1"]:
    match.play(move)
print("played", flush=True)
while True:
    match.undo_step()
    match.redo_step()
"""


def test_a_killed_program_loses_nothing(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "played\n"
    time.sleep(0.05)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    found = Store(tmp_path).unfinished()
    assert found is not None
    assert found.record is not None
    match = Match.from_record(found.record, catalogue().get("spline-plus").game())
    assert [ply.move for ply in (*match.plies, *match.undone)] == ["W@Aa1", "B@Ab1", "^Aa1"]
    assert record.load(found.path) == found.record
