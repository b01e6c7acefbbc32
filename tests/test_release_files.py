"""The packages made by ``make release`` can be installed into an empty environment, and the program then works.

The files for software stores are valid.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import shibumi3d

ROOT = Path(__file__).resolve().parent.parent
MADE = os.environ.get("SHIBUMI3D_RELEASE", "")
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not MADE, reason="'make release' makes what is tried here"),
]


def pieces() -> list[Path]:
    return sorted(path for path in Path(MADE).glob("shibumi3d-*") if path.suffix == ".whl" or is_sdist(path))


def is_sdist(path: Path) -> bool:
    return path.name == f"shibumi3d-{shibumi3d.__version__}.tar.gz"


def test_release_contains_every_file() -> None:
    names = [path.name for path in pieces()]
    assert sum(name.endswith("-py3-none-any.whl") for name in names) == 1
    assert f"shibumi3d-{shibumi3d.__version__}.tar.gz" in names
    (native,) = (name for name in names if name.endswith(".whl") and "-none-any" not in name)
    assert sys.platform != "linux" or "manylinux" in native


@pytest.mark.parametrize("piece", pieces(), ids=lambda path: path.name)
def test_release_installs_and_plays(piece: Path, tmp_path: Path) -> None:
    home = tmp_path / "venv"
    venv.create(home, with_pip=True)
    folder = home / ("Scripts" if os.name == "nt" else "bin")
    hidden = ("PYTHON", "SHIBUMI3D", "VIRTUAL_ENV")
    known = {key: value for key, value in os.environ.items() if not key.startswith(hidden)}
    constraint_file = str(ROOT / "constraints.txt")
    known |= {"PIP_CONSTRAINT": constraint_file, "PIP_BUILD_CONSTRAINT": constraint_file}

    def run(*command: str, said: str = "") -> str:
        done = subprocess.run(
            [str(folder / command[0]), *command[1:]],
            cwd=tmp_path,
            env=known,
            input=said,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(piece))
    native = piece.suffix == ".whl" and "-none-any" not in piece.name
    kind = "native" if native else "pure Python"
    assert run("shibumi3d", "--version") == f"Shibumi 3D {shibumi3d.__version__} ({kind})\n"
    assert run("shibumi3d", "check").endswith("games checked: no errors\n")
    played = run("shibumi3d", "selfplay", "spline", "--games", "1", "--seats", "pebble,pebble")
    assert re.search(r"^games +1$", played, re.MULTILINE)
    line = "W@Aa1 B@Ab1 W@Ba1 quit".replace(" ", "\n")
    assert "Ann" in run("shibumi3d", "play", "spline", "--text", "--seats", "Ann,Ben", said=f"{line}\n")


@pytest.mark.skipif(sys.platform != "linux", reason="software stores are Linux's")
@pytest.mark.parametrize(
    ("tool", "package", "options", "pattern"),
    [
        ("appstreamcli", "appstream", ["validate", "--no-net"], "metainfo/*.metainfo.xml"),
        ("desktop-file-validate", "desktop-file-utils", [], "applications/*.desktop"),
    ],
)
def test_files_for_software_stores_are_valid(
    tmp_path: Path, tool: str, package: str, options: list[str], pattern: str
) -> None:
    program = shutil.which(tool)
    if program is None:
        message = f"{tool} is missing: apt-get install {package}"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    subprocess.run(
        [sys.executable, "-m", "shibumi3d", "install-desktop", "--package", str(tmp_path)],
        check=True,
        cwd=ROOT,
    )
    (path,) = tmp_path.glob(pattern)
    done = subprocess.run([program, *options, str(path)], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stdout.strip() or "successful" in done.stdout
