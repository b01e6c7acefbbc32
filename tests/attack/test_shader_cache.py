"""A disk too full for what libraries write: the driver's shader cache, and Python's bytecode."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from shibumi3d.cli import main
from shibumi3d.i18n import _
from shibumi3d.render.shader_cache import DISABLE_VARIABLES, MAX_INDEX_BYTES, disable_cache_if_disk_full

resource = pytest.importorskip("resource", reason="limits of files are known on Unix")
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Mesa's cache is one of Linux")
SHOT = [sys.executable, "-m", "shibumi3d", "--lang", "en", "shot", "spline", "--size", "160x90", "--out"]
MOUNT = 'mount -t tmpfs -o size=100k none "$1" && shift && exec "$@"'


@pytest.fixture(autouse=True)
def without_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*DISABLE_VARIABLES, "MESA_SHADER_CACHE_DIR", "MESA_GLSL_CACHE_DIR", "XDG_CACHE_HOME"):
        # Set each first, so that monkeypatch restores it after the test.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


def minimal_environment(cache: Path) -> dict[str, str]:
    """Return an environment with only what the program needs.

    ``cache`` is both the home folder and the cache folder.
    """
    names = ("PATH", "SHIBUMI3D_NATIVE", "LIBGL_ALWAYS_SOFTWARE", "LANG")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    return {**kept, "HOME": str(cache), "XDG_CACHE_HOME": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_INDEX_BYTES // 2, MAX_INDEX_BYTES // 2))


@pytest.mark.parametrize("variable", ["HOME", "XDG_CACHE_HOME", "MESA_SHADER_CACHE_DIR"])
def test_full_disk_disables_the_cache_once(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, str(tmp_path / "caches"))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_INDEX_BYTES // 2, hard))
    try:
        full = disable_cache_if_disk_full()
        again = disable_cache_if_disk_full()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert full is not None
    assert tmp_path in full.parents
    assert again is None, "the warning is given once"
    assert os.environ["MESA_SHADER_CACHE_DISABLE"] == "true"
    assert list(tmp_path.iterdir()) == []


def test_sparse_cache_index_is_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    index = tmp_path / "mesa_shader_cache" / "index"
    index.parent.mkdir()
    with index.open("wb") as stream:
        stream.truncate(1_310_728)
    assert disable_cache_if_disk_full() is None
    assert index.stat().st_size == 1_310_728
    assert index.stat().st_blocks * 512 >= 1_310_728
    assert not os.environ.get("MESA_SHADER_CACHE_DISABLE")


def test_unwritable_cache_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/none")
    assert disable_cache_if_disk_full() is None
    assert "MESA_SHADER_CACHE_DISABLE" not in os.environ


def test_picture_is_drawn_without_the_cache_and_a_warning(needs_gl: None, tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    cache = tmp_path / "caches"
    cache.mkdir()
    done = subprocess.run(
        [*SHOT, str(out)],
        env=minimal_environment(cache),
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=False,
    )
    said = _(
        (
            "The disk is full, so the graphics driver can't save its cache in {path}. Starting will "
            "take longer until you free some space."
        ),
        path=cache / "mesa_shader_cache",
    )
    assert (done.returncode, done.stderr.strip()) == (0, said)
    assert out.stat().st_size > 1000


@pytest.mark.parametrize("command", ["shot", "export"])
def test_full_disk_causes_no_bus_error(needs_gl: None, tmp_path: Path, command: str) -> None:
    """On a full disk, the program gives a warning and draws without Mesa's shader cache.

    Mesa maps a cache file into memory, so a write to this file on a full disk would end the program with a bus error.
    Here, the cache folder is on a disk of 100 KB, which is too small for the file and visible only to the program.
    Mounting the disk may need root. If the disk can't be mounted, the test is skipped.
    """
    cache = tmp_path / "caches"
    cache.mkdir()
    own = ["unshare", "--mount"] if os.getuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
    inside = [*own, "sh", "-c", MOUNT, "sh", str(cache)]
    if shutil.which("unshare") is None or subprocess.run([*inside, "true"], capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    out = tmp_path / "out.png"
    words = [*SHOT, str(out)]
    if command == "export":
        from shibumi3d.catalogue.catalogue import load_catalogue
        from shibumi3d.match.match import Match

        match = Match(load_catalogue().get("spline").game(), ["Ann", "Ben"], 1)
        match.play("W@Ab2")
        match.record().save(tmp_path / "match.yaml")
        words = [*SHOT[:5], "export", str(tmp_path / "match.yaml"), "--size", "160x90", "--png", str(out)]
    done = subprocess.run(
        [*inside, *words], env=minimal_environment(cache), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.strip() == _(
        (
            "The disk is full, so the graphics driver can't save its cache in {path}. Starting will "
            "take longer until you free some space."
        ),
        path=cache / "mesa_shader_cache",
    )
    assert out.stat().st_size > 1000


@pytest.mark.parametrize(("free", "writes"), [(0, False), (2**30, True)])
def test_no_bytecode_is_written_on_a_full_disk(
    free: int, writes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Disk:
        f_bavail, f_frsize = free // 512, 512

    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "")
    monkeypatch.setattr(os, "statvfs", lambda path: Disk)
    main.main(["--version"], lambda arguments: 0)
    assert sys.dont_write_bytecode is not writes
    assert (os.environ["PYTHONDONTWRITEBYTECODE"] == "1") is not writes
