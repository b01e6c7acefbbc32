"""A full disk: stored data stays intact, the problem is reported, and saving resumes once there is room.

The full disk is simulated by a limit on file sizes, which the system enforces in the same way.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from shibumi3d.catalogue import catalogue
from shibumi3d.export import encoder
from shibumi3d.files import ABANDONED_AFTER_SECONDS, TEMP_FILE_PREFIX, delete_abandoned
from shibumi3d.match.match import Match
from shibumi3d.match.record import load
from shibumi3d.match.results import ResultStore
from shibumi3d.match.store import MatchStore
from tests.app.hand import Hand
from tests.match.test_result_store import WON

resource = pytest.importorskip("resource", reason="limits of files are known on Unix")
PICTURES = [(np.full((64, 64, 3), shade, np.uint8), 1) for shade in range(0, 250, 25)]
BEFORE = b"what was there before"


@contextmanager
def limit_file_sizes(most: int = 0) -> Iterator[None]:
    """Limit the size of files to ``most`` bytes within the block.

    Meanwhile, neither this process nor its children write bytecode, because Python would leave truncated files behind.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)
        patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_bytecode_files_are_never_truncated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cut_off_one.py").write_text("ONE = 'x' * 100")
    (tmp_path / "cut_off_two.py").write_text("TWO = 'x' * 100")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.syspath_prepend(tmp_path)
    with limit_file_sizes(64):
        import_module("cut_off_one")
        subprocess.run([sys.executable, "-c", "import cut_off_two"], cwd=tmp_path, check=True)
    assert not (tmp_path / "__pycache__").exists()


def test_match_survives_a_full_disk_and_is_saved_later(tmp_path: Path) -> None:
    match = Match(catalogue.load_catalogue().get("spline").game(), ["Ann", "Ben"], 1)
    path = MatchStore(tmp_path).save_new(match, datetime(2026, 3, 1))
    match.play("W@Aa1")
    with limit_file_sizes(16):
        match.play("B@Ab1")
        match.play("W@Aa2")
    assert str(match.autosave_problem).startswith("couldn't save the game: ")
    assert load(path).turns == (("W@Aa1",),)
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".part"] == []
    match.play("B@Ab2")
    assert match.autosave_problem is None
    assert len(load(path).turns) == 4


def test_window_reports_a_full_disk_and_plays_on(hand: Hand) -> None:
    hand.start("spline")
    hand.choose("Aa1")
    with limit_file_sizes(16):
        hand.choose("Ab1")
        assert hand.play.message_line.current_message()[0].startswith("Couldn't save the game: ")
    hand.choose("Aa2")
    assert "saved" not in hand.play.message_line.current_message()[0]
    kept = hand.app.matches.current_path
    assert kept is not None
    assert len(load(kept).turns) == 3


def test_full_disk_leaves_stored_results_intact(tmp_path: Path) -> None:
    results = ResultStore(tmp_path / "results.sqlite")
    assert results.add(WON)
    with limit_file_sizes(64):  # no room for the journal of a change either
        assert not results.add(replace(WON, key="2"))
    mishap = results.take_problem()
    assert mishap is not None
    assert mishap.kind == "refused"
    assert results.load() == (WON,), "the earlier results are intact, and nothing was set aside"
    assert results.add(replace(WON, key="b"))
    assert [each.key for each in results.load()] == [WON.key, "b"]


@pytest.mark.parametrize("kind", ["gif", "mp4"])
def test_failed_film_export_keeps_the_previous_file(tmp_path: Path, kind: str) -> None:
    out = tmp_path / f"film.{kind}"
    out.write_bytes(BEFORE)
    samples = [picture for picture, _ in PICTURES[::5]]
    with limit_file_sizes(64), pytest.raises(OSError, match=r"can't be written|too large|larger than"):
        encoder.encode_film(out, kind, PICTURES, 10, samples)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {out.name: BEFORE}
    encoder.encode_film(out, kind, PICTURES, 10, samples)
    assert out.read_bytes() != BEFORE


def test_leftovers_of_a_killed_film_export_are_deleted(tmp_path: Path) -> None:
    old, young, other = (
        tmp_path / name for name in (f"{TEMP_FILE_PREFIX}film-old", f"{TEMP_FILE_PREFIX}film-young", "old")
    )
    for left in (old, young, other):
        left.mkdir()
        (left / "film.gif").write_bytes(b"half")
    for left in (old, other):
        os.utime(left, (0, left.stat().st_mtime - ABANDONED_AFTER_SECONDS - 60))
    delete_abandoned(tmp_path)
    assert not old.exists()
    assert young.exists(), "another program may still be using it"
    assert other.exists()
