"""The wheel holds everything: installed elsewhere, without the checkout, it finds its games."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parent.parent
DATA = ("games", "shaders", "models")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built with the tools of this environment, so that no network is needed."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


def files_of(folder: Path) -> set[str]:
    return {
        path.relative_to(ROOT).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in (".so", ".pyd")
    }


def test_one_wheel_for_all_systems(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")


def test_what_is_in_it(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    assert {name.partition("/")[0] for name in names} == {
        "shibumi3d",
        f"{'-'.join(wheel.stem.split('-')[:2])}.dist-info",
    }
    missing = files_of(ROOT / "shibumi3d") - names
    assert not missing
    for kind in DATA:
        missing = {f"shibumi3d/_data/{name}" for name in files_of(ROOT / kind)} - names
        assert not missing


def test_installed_elsewhere_it_lists_and_plays_its_games(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "venv"
    venv.create(home, with_pip=True)  # brings its own pip along; environments made by uv have none
    folder = home / ("Scripts" if os.name == "nt" else "bin")
    python = folder / ("python.exe" if os.name == "nt" else "python")
    (site,) = [p for p in home.rglob("site-packages") if p.is_dir()]
    # The libraries are those of this environment; it has no part in finding the package, whose link to the checkout
    # is not followed from there.
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    (site / "libraries.pth").write_text("\n".join(libraries) + "\n", encoding="utf-8")
    install = [
        str(python),
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--no-index",
        "--disable-pip-version-check",
        "--quiet",
    ]
    done = subprocess.run([*install, str(wheel)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

    def run(*arguments: str) -> str:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        command = [str(folder / "shibumi3d"), *arguments]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=tmp_path,
            env=environment,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    code = "import shibumi3d; print(shibumi3d.__file__)"
    where = subprocess.run(
        [str(python), "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert Path(where.stdout.strip()).is_relative_to(home)
    code = "from shibumi3d.app import sounds; print(sounds.data('bowl-1')[:4])"
    heard = subprocess.run(
        [str(python), "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert heard.stdout.strip() == "b'RIFF'"
    games = {
        Path(name).stem for name in ZipFile(wheel).namelist() if name.startswith("shibumi3d/_data/games/")
    }
    listed = run("list").splitlines()
    assert {line.split()[0] for line in listed[1:]} == games
    assert run("check") == f"{len(games)} games checked: no mistakes\n"
    assert "16" in run("perft", "spline", "1")
