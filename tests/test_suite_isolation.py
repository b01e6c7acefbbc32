"""What tests leave behind is noticed, and all tests run in the same environment everywhere."""

from __future__ import annotations

import json
import os
import py_compile
import signal
import subprocess
import sys
from importlib.util import MAGIC_NUMBER
from pathlib import Path

import pytest

from tests.leftovers import Snapshot

ROOT = Path(__file__).resolve().parent.parent
TEST = """
from pathlib import Path

def test_that_breaks_something():
    Path({path!r}).write_bytes({data!r})
"""


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    root, installation = tmp_path / "root", tmp_path / "installation"
    for folder in (root / "package/__pycache__", installation / "lib"):
        folder.mkdir(parents=True)
    (installation / "lib/one.py").write_text("ONE = 1")
    (installation / "lib/two.py").write_text("TWO = 2")
    return Snapshot(root, installation)


def test_new_complete_bytecode_is_allowed(snapshot: Snapshot) -> None:
    assert snapshot.installation is not None
    py_compile.compile(str(snapshot.installation / "lib/one.py"))
    assert snapshot.damage() == []


@pytest.mark.parametrize("size", [0, 15, 16, 64, -1])
@pytest.mark.parametrize("folder", ["root/package", "installation/lib"])
def test_truncated_bytecode_is_detected(snapshot: Snapshot, tmp_path: Path, folder: str, size: int) -> None:
    source = tmp_path / "source.py"
    source.write_text("TEXT = 'a text that is no name'\ndef function(): return [1, 2.5]\n" * 9)
    path = tmp_path / folder / "__pycache__/source.pyc"
    py_compile.compile(str(source), str(path))
    path.write_bytes(path.read_bytes()[:size])
    assert snapshot.damage() == [f"{path} is broken bytecode"]


def test_new_missing_and_changed_files_are_detected(snapshot: Snapshot) -> None:
    assert snapshot.installation is not None
    lib = snapshot.installation / "lib"
    (lib / "one.py").write_text("ONE = 100")
    (lib / "two.py").unlink()
    (lib / "log.txt").touch()
    assert snapshot.damage() == [
        f"{lib}/log.txt is new",
        f"{lib}/one.py is changed",
        f"{lib}/two.py is gone",
    ]


def test_partial_bytecode_of_a_killed_process_is_removed(snapshot: Snapshot, tmp_path: Path) -> None:
    left = tmp_path / "root/package/__pycache__/one.cpython-311.pyc.140234"
    left.write_bytes(b"half")
    assert snapshot.damage() == []
    assert not left.exists()


def test_git_reports_new_files_in_a_checkout(snapshot: Snapshot) -> None:
    subprocess.run(["git", "init", "-q"], cwd=snapshot.root, check=True)
    (snapshot.root / "package/left.txt").touch()
    assert snapshot.edits() == ["?? package/left.txt"]


@pytest.mark.parametrize("processes", [0, 2])
@pytest.mark.parametrize(
    ("data", "code"), [(MAGIC_NUMBER.ljust(64, b"\0"), 1), (None, 0)], ids=["broken", "nothing"]
)
def test_run_that_damages_files_fails(tmp_path: Path, processes: int, data: bytes | None, code: int) -> None:
    """The suite's own hooks notice broken bytecode, in one process and in several."""
    path = ROOT / "tests/__pycache__" / f"left-{processes}-{os.getpid()}.pyc"
    test = tmp_path / "test_left.py"
    test.write_text(TEST.format(path=str(path), data=data or b"") if data else "def test_nothing(): pass")
    try:
        done = subprocess.run(
            [
                *(
                    sys.executable,
                    "-m",
                    "pytest",
                    "-q",
                    "-p",
                    "tests.conftest",
                    f"--numprocesses={processes}",
                ),
                *(f"--rootdir={ROOT}", f"--override-ini=cache_dir={tmp_path}", str(test)),
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        path.unlink(missing_ok=True)
    assert done.returncode == code, done.stdout + done.stderr
    assert (f"{path} is broken bytecode" in done.stdout) == bool(code)
    assert ("1 passed, 1 error" in done.stdout) == bool(code)


SURROUNDINGS = """
import json, os, signal, sys
from tests import surroundings

surroundings.settle()
look = "import json, os, signal; print(json.dumps([dict(os.environ), os.umask(0), str(signal.getsignal(2))]))"
os.execv(sys.executable, [sys.executable, "-c", look])
"""


@pytest.mark.skipif(os.name != "posix", reason="needs sh")
def test_programs_see_the_same_environment_however_tests_start() -> None:
    odd = {
        "LANG": "tr_TR.UTF-8",
        "LC_NUMERIC": "fr_FR",
        "PYTHONUNBUFFERED": "1",
        "DISPLAY": ":9",
        "TZ": "Asia/Tokyo",
    }
    found = []
    for environment, umask, ignored in (({}, 0o022, False), (odd, 0o077, True)):
        before = signal.signal(signal.SIGINT, signal.SIG_IGN) if ignored else None
        try:
            done = subprocess.run(
                [sys.executable, "-c", SURROUNDINGS],
                cwd=ROOT,
                env={"HOME": "/", "PATH": os.environ["PATH"], "TERM": "dumb", **environment},
                umask=umask,
                capture_output=True,
                check=True,
            )
        finally:
            if before is not None:
                signal.signal(signal.SIGINT, before)
        found.append(json.loads(done.stdout))
    assert found[0] == found[1]
    assert found[0][1] == 0o022
    assert "default_int_handler" in found[0][2]
