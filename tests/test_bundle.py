"""A bundle of the whole program, copied elsewhere, runs without Python and without a checkout.

Building a bundle takes a minute of CPU time, so this is left to ``make release`` and ``make thorough``. What goes into
a bundle is checked without building one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from shibumi3d import build_bundle
from shibumi3d.catalogue.catalogue import load_catalogue
from tests.app.test_real_window import Desk, cache, desk, display

__all__ = ["cache", "desk", "display"]


def test_bundle_contains_needed_modules_and_data(tmp_path: Path) -> None:
    words = build_bundle.pyinstaller_arguments(tmp_path, tmp_path)
    pairs = list(pairwise(words))
    left_out = {value for option, value in pairs if option == "--exclude-module"}
    assert {"fontTools", "imageio_ffmpeg", "mypy"} <= left_out
    assert "--onedir" in words
    hidden = {value for option, value in pairs if option == "--hidden-import"}
    assert {"copy", "statistics", *build_bundle.mypyc_runtime_modules("openskill")} <= hidden
    put = {value.rpartition(":")[2] for option, value in pairs if option == "--add-data"}
    assert {"shibumi3d/_data/games", "shibumi3d/_data/shaders", "shibumi3d/_data/models"} <= put


def test_bundle_includes_ffmpeg_on_request(tmp_path: Path) -> None:
    words = build_bundle.pyinstaller_arguments(tmp_path, tmp_path, with_ffmpeg=True)
    assert ("--collect-data", "imageio_ffmpeg") in pairwise(words)
    assert ("--exclude-module", "imageio_ffmpeg") not in pairwise(words)


def test_driver_libraries_are_removed_from_the_bundle(tmp_path: Path) -> None:
    inner = tmp_path / "_internal"
    inner.mkdir()
    for name in ("libstdc++.so.6", "libgcc_s.so.1", "libstdc++.so.6.0.30", "libpython3.11.so.1.0"):
        (inner / name).touch()
    build_bundle.delete_system_libraries(tmp_path)
    assert [path.name for path in inner.iterdir()] == ["libpython3.11.so.1.0"]


def test_archive_contains_the_bundle_folder(tmp_path: Path) -> None:
    folder = tmp_path / "shibumi3d"
    folder.mkdir()
    (folder / "shibumi3d").write_text("#!/bin/sh\n")
    (folder / "shibumi3d").chmod(0o755)
    path = build_bundle.write_archive(folder)
    assert path.name.startswith(f"shibumi3d-{build_bundle.__version__}-")
    with tarfile.open(path) as archive:
        assert archive.getmember("shibumi3d/shibumi3d").mode & 0o111
    assert build_bundle.size_bytes(folder) == len("#!/bin/sh\n")


@pytest.mark.parametrize(
    ("missing", "arguments", "extra"),
    [("PyInstaller", [], "bundle"), ("imageio_ffmpeg", ["--with-film"], "film")],
)
def test_missing_build_tool_names_the_extra_to_install(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    missing: str,
    arguments: list[str],
    extra: str,
) -> None:
    monkeypatch.setattr(
        build_bundle.importlib.util, "find_spec", lambda name: None if name == missing else object()
    )
    assert build_bundle.main(arguments) == 2
    assert f"pip install 'shibumi3d[{extra}]'" in capsys.readouterr().err


@pytest.fixture(scope="module")
def bundle(in_ci: bool, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The path of the program in the bundle that ``make release`` has built, or else in a new bundle.

    If PyInstaller is needed but missing, the tests are skipped; in CI, they fail.
    """
    if made := os.environ.get("SHIBUMI3D_RELEASE"):
        (archive,) = (path for path in Path(made).glob("shibumi3d-*-linux-*.tar.gz"))
        folder = tmp_path_factory.mktemp("bundle")
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="tar")
        return folder / "shibumi3d" / "shibumi3d"
    if not find_spec("PyInstaller"):
        (pytest.fail if in_ci else pytest.skip)("PyInstaller is not installed")
    folder = tmp_path_factory.mktemp("bundle")
    assert build_bundle.main(["--out", str(folder)]) == 0
    return folder / "shibumi3d" / "shibumi3d"


def run(command: list[str], place: Path) -> tuple[str, float]:
    """Run a command in a minimal environment; return its output and the CPU seconds it took.

    ``place`` is its working folder and home folder. Assert that the command succeeds.
    """
    known = ["HOME=" + str(place), f"PATH={os.defpath}", "SHIBUMI3D_NATIVE=no", "LC_ALL=C.UTF-8"]
    if "MESA_SHADER_CACHE_DIR" in os.environ:
        known.append("MESA_SHADER_CACHE_DIR=" + os.environ["MESA_SHADER_CACHE_DIR"])
    before = os.times()
    done = subprocess.run(
        ["env", "-i", *known, *command],
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    after = os.times()
    assert done.returncode == 0, done.stdout + done.stderr
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return done.stdout, spent


@pytest.mark.thorough
def test_bundle_starts_and_contains_all_games(bundle: Path, tmp_path: Path) -> None:
    checked, _ = run([str(bundle), "check"], tmp_path)
    assert checked == f"{len(list(load_catalogue()))} games checked: no errors\n"
    assert "Spline" in run([str(bundle), "--lang", "fr", "rules", "spline"], tmp_path)[0]


@pytest.mark.thorough
def test_bundle_starts_about_as_fast_as_a_checkout(bundle: Path, tmp_path: Path) -> None:
    """The bundle takes less than one second longer than the checkout, in CPU time.

    The fastest of three runs counts, because CPU times grow on a busy machine.
    """
    for words in (["--version"], ["list"]):
        here = min(run([sys.executable, "-m", "shibumi3d", *words], tmp_path)[1] for _ in range(3))
        there = min(run([str(bundle), *words], tmp_path)[1] for _ in range(3))
        assert there < here + 1


@pytest.mark.thorough
def test_bundle_contains_no_libraries_that_block_drivers(bundle: Path) -> None:
    names = {path.name for path in bundle.parent.rglob("*")}
    assert not {name for name in names if name.startswith(("libstdc++.so", "libgcc_s.so"))}
    assert not {name for name in names if "fontTools" in name or name.startswith("ffmpeg")}
    assert not (bundle.parent / "_internal/fontTools").exists()


@pytest.mark.thorough
def test_bundle_renders_a_picture(bundle: Path, tmp_path: Path, needs_gl: None) -> None:
    """The bundle contains the shaders and models, and its libraries find the system's OpenGL."""
    run([str(bundle), "shot", "spline", "--at", "6", "--size", "160x90", "--out", "a.png"], tmp_path)
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size == (160, 90)
        assert len(picture.convert("RGB").getcolors(160 * 90) or ()) > 1000


@pytest.mark.thorough
@pytest.mark.display
def test_bundled_window_runs_computer_players_in_worker_processes(bundle: Path, desk: Desk) -> None:
    """Computer players run in spawned processes, which start the bundle again.

    In such a process, the bundle must run the worker instead of opening another window.
    """
    desk.start = [str(bundle)]
    desk.open("play", "spline", "--size", "3", "--seats", "pebble,pebble")
    desk.made(2)
    assert desk.close() == 0
