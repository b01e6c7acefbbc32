"""One file of the whole program, copied to a folder of its own: it runs there without Python and without a checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from PIL import Image

from shibumi3d import build_bundle
from shibumi3d.catalogue.catalogue import load
from tests.app.test_mouse import Desk, cache, desk, display

pytestmark = pytest.mark.slow
__all__ = ["cache", "desk", "display"]


@pytest.fixture(scope="module")
def bundle(in_ci: bool, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Takes a minute of CPU to be made, so once."""
    if not find_spec("PyInstaller"):
        (pytest.fail if in_ci else pytest.skip)("PyInstaller is not installed")
    folder = tmp_path_factory.mktemp("bundle")
    assert build_bundle.main(["--out", str(folder)]) == 0
    (found,) = folder.iterdir()
    return found


def run(bundle: Path, place: Path, *arguments: str) -> str:
    """What it prints where nothing of this environment is known: no search paths, no variables of Python."""
    known = {"HOME": str(place), "PATH": os.defpath, "SHIBUMI3D_NATIVE": "no", "LC_ALL": "C.UTF-8"}
    if "MESA_SHADER_CACHE_DIR" in os.environ:
        known["MESA_SHADER_CACHE_DIR"] = os.environ["MESA_SHADER_CACHE_DIR"]
    done = subprocess.run(
        [str(bundle), *arguments], cwd=place, env=known, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_starts_and_holds_all_games(bundle: Path, tmp_path: Path) -> None:
    assert run(bundle, tmp_path, "check") == f"{len(list(load()))} games checked: no mistakes\n"
    assert "Spline" in run(bundle, tmp_path, "--lang", "fr", "rules", "spline")


def test_it_draws(bundle: Path, tmp_path: Path, needs_gl: None) -> None:
    """Shaders and models are in it, and the libraries find the system's OpenGL."""
    run(bundle, tmp_path, "shot", "spline", "--at", "6", "--size", "160x90", "--out", "a.png")
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size == (160, 90)
        assert len(picture.convert("RGB").getcolors(160 * 90) or ()) > 1000


@pytest.mark.display
def test_its_window_opens_and_its_computer_players_have_processes(bundle: Path, desk: Desk) -> None:
    """The window asks a spawned process for moves: a bundle has to begin there, not open itself again."""
    desk.start = [str(bundle)]
    desk.open("play", "spline", "--size", "3", "--seats", "pebble,pebble")
    desk.made(2)
    assert desk.close() == 0


def test_without_pyinstaller_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "PyInstaller", None)
    monkeypatch.setattr(build_bundle.importlib.util, "find_spec", lambda name: None)
    assert build_bundle.main([]) == 2
    assert "pip install 'shibumi3d[bundle]'" in capsys.readouterr().err
