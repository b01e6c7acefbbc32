"""The wheel is complete: installed elsewhere, without the checkout, it finds its games.

If there is a C compiler, the wheel also contains the compiled engine and is specific to one system; otherwise, it
works on all systems.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from shibumi3d import build_native, native

ROOT = Path(__file__).resolve().parent.parent
DATA = ("games", "shaders", "models")


def build_distribution(
    folder: Path, checkout: Path = ROOT, kind: str = "wheel", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Build a distribution in ``folder``, and return the finished process, which may have failed.

    The installed build tools are used, so that no network is needed. ``kind`` is "wheel" or "sdist". ``environment``
    holds additional environment variables; ``SHIBUMI3D_NATIVE`` isn't inherited from this process.
    """
    command = [
        sys.executable,
        "-m",
        "build",
        f"--{kind}",
        "--no-isolation",
        "--outdir",
        str(folder),
        str(checkout),
    ]
    known = {key: value for key, value in os.environ.items() if key != native.ENGINE_VARIABLE}
    return subprocess.run(command, env={**known, **environment}, capture_output=True, text=True, check=False)


def only_file(folder: Path, done: subprocess.CompletedProcess[str]) -> Path:
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module", params=["pure", pytest.param("native", marks=pytest.mark.thorough)])
def wheel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, in_ci: bool) -> Path:
    """A wheel without the compiled engine and, in thorough runs, another one with it."""
    folder = tmp_path_factory.mktemp("wheel")
    if request.param == "pure":
        return only_file(folder, build_distribution(folder, SHIBUMI3D_NATIVE="no"))
    if lacking := build_native.missing_tools():
        (pytest.fail if in_ci else pytest.skip)(lacking)
    return only_file(folder, build_distribution(folder, SHIBUMI3D_NATIVE="yes"))


def copy_sources(folder: Path) -> Path:
    """Create a folder in ``folder``, copy the files needed to build a wheel into it, and return its path.

    Compiled modules are left out.
    """
    checkout = folder / "checkout"
    checkout.mkdir()
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, checkout)
    for name in ("shibumi3d", *DATA):
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__", "_native"))
    return checkout


def is_native(wheel: Path) -> bool:
    return not wheel.name.endswith("-py3-none-any.whl")


def files_of(folder: Path) -> set[str]:
    return {
        path.relative_to(ROOT).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not {"__pycache__", "_native"} & set(path.parts)
    }


def test_wheel_contains_all_package_files(wheel: Path) -> None:
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


def test_native_wheel_is_platform_specific_and_pure_universal(wheel: Path) -> None:
    """The tags in the name of a wheel say whether it contains compiled modules."""
    python, abi, system = wheel.stem.split("-")[2:]
    compiled = {name for name in ZipFile(wheel).namelist() if "/_native/" in name}
    if is_native(wheel):
        assert (python, abi) == (f"cp{sys.version_info[0]}{sys.version_info[1]}",) * 2
        assert system not in ("", "any")
        libraries = {
            f"{name}{native.EXTENSION_SUFFIX}"
            for name in (native.LIBRARY, *(twins.library for twins in native.TWINS))
        }
        records = {native.RECORD_NAME, *(twins.record_name for twins in native.TWINS)}
        assert {name.rpartition("/")[2] for name in compiled} == libraries | records
    else:
        assert (python, abi, system) == ("py3", "none", "any")
        assert not compiled


def test_wheel_built_without_a_compiler_is_universal(tmp_path: Path) -> None:
    """Without a compiler on ``PATH``, the wheel contains no compiled engine.

    Building with ``SHIBUMI3D_NATIVE=yes`` then fails.
    """
    checkout = copy_sources(tmp_path)
    assert not is_native(
        only_file(tmp_path / "wheel", build_distribution(tmp_path / "wheel", checkout, PATH=str(tmp_path)))
    )
    done = build_distribution(tmp_path / "native", checkout, PATH=str(tmp_path), SHIBUMI3D_NATIVE="yes")
    assert done.returncode != 0
    assert "no C compiler was found" in done.stdout + done.stderr


def test_source_archive_contains_the_sources(tmp_path: Path) -> None:
    path = only_file(tmp_path / "sdist", build_distribution(tmp_path / "sdist", kind="sdist"))
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert not {name for name in names if "_native" in Path(name).parts or name.endswith((".so", ".pyd"))}
    sources = {
        name for name in files_of(ROOT / "shibumi3d") if not name.endswith(".mo")
    }  # compiled by the build
    needed = sources | {"pyproject.toml", "hatch_build.py", "README.md"}
    for kind in DATA:
        needed |= files_of(ROOT / kind)
    assert not needed - names


def test_installed_wheel_lists_and_plays_its_games(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "venv"
    venv.create(home, with_pip=True)  # environments made by uv have no pip
    folder = home / ("Scripts" if os.name == "nt" else "bin")
    python = folder / ("python.exe" if os.name == "nt" else "python")
    (site,) = [p for p in home.rglob("site-packages") if p.is_dir()]
    # The libraries of this environment are used, but not its link to the checkout: .pth files aren't followed there.
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
        environment = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith("PYTHON") and key != native.ENGINE_VARIABLE
        }
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
    code = "from shibumi3d.assets import sounds; print(sounds.sound_data('bowl-1')[:4])"
    heard = subprocess.run(
        [str(python), "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert heard.stdout.strip() == "b'RIFF'"
    games = {
        Path(name).stem
        for name in ZipFile(wheel).namelist()
        if Path(name).parent.as_posix() == "shibumi3d/_data/games"
    }
    listed = run("list").splitlines()
    assert {line.split()[0] for line in listed[1:]} == games
    assert run("check") == f"{len(games)} games checked: no errors\n"
    assert "16" in run("perft", "spline", "1")
    assert run("--version").rstrip().endswith("(native)" if is_native(wheel) else "(pure Python)")
