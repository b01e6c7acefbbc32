"""The script that sets up a checkout reports its steps, and CI runs the tests in a clean environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs sh")

PYTHON = f"""\
#!/bin/sh
case "$1 $2" in
    "-m venv") mkdir -p .venv/bin; cp "$0" .venv/bin/python;;
    "-m pip") [ -z "$NO_NETWORK" ];;
    *) exec '{sys.executable}' "$@";;
esac
"""
"""A stand-in for Python, whose pip installs nothing."""


def script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the setup scripts of a checkout.

    The folder ``bin`` beside it contains stand-ins for Python and ``dpkg-query``. The latter reports every package as
    installed.
    """
    folder = tmp_path / "a checkout"
    shutil.copytree(ROOT / ".ci", folder / ".ci")
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, folder)
        os.utime(folder / name, (1, 1))
    script(tmp_path / "bin/dpkg-query", "#!/bin/sh\nprintf 'install ok installed'\n")
    script(tmp_path / "bin/python3", PYTHON)
    return folder


def set_up(checkout: Path, purpose: str = "run", **environment: str) -> subprocess.CompletedProcess[str]:
    bin_path = f"{checkout.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [".ci/setup", str(checkout.parent / "bin/python3"), purpose],
        cwd=checkout,
        env={**os.environ, "PATH": bin_path, "CI": "", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_only_the_first_setup_reports_its_steps(checkout: Path) -> None:
    done = set_up(checkout)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines() == [
        "Setting up Shibumi 3D. This takes a minute or two, the first time only.",
        "Creating .venv",
        "Downloading and installing packages",
        "Adding support for screen readers",
        "Ready.",
    ]
    again = set_up(checkout)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")


def test_changed_packages_are_updated(checkout: Path) -> None:
    set_up(checkout, "test")
    os.utime(checkout / "constraints.txt")
    os.utime(checkout / ".venv/ready-test", (1, 1))
    first, *_ = set_up(checkout, "test").stderr.splitlines()
    assert first == "Updating the packages of Shibumi 3D. This takes a minute or two."


def test_failed_setup_starts_over(checkout: Path) -> None:
    assert set_up(checkout, "test", NO_NETWORK="1").returncode == 1
    done = set_up(checkout, "test")
    assert done.returncode == 0
    assert done.stderr.startswith("Setting up Shibumi 3D.")


def test_ci_runs_tests_in_a_clean_environment(checkout: Path, tmp_path: Path) -> None:
    """Only the setup script sees the whole environment, which it may need to reach package servers."""
    script(checkout / ".ci/setup", f"#!/bin/sh\nenv > '{tmp_path}/setup'\n")
    script(tmp_path / "bin/make", f"#!/bin/sh\nenv > '{tmp_path}/make'\necho \"$@\"\n")
    given = {
        "HOME": "/a home",
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PIP_CERT": "/cert.pem",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "tr_TR.UTF-8",
        "DISPLAY": ":7",
    }
    done = subprocess.run(
        ["bash", ".ci/run"], cwd=checkout, env=given, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "test\n", "")

    def seen(by: str) -> dict[str, str]:
        lines = (tmp_path / by).read_text(encoding="utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines)

    assert seen("setup").items() >= {**given, "CI": "true"}.items()
    of_shells = {"PWD", "OLDPWD", "SHLVL", "_"}
    assert {name: value for name, value in seen("make").items() if name not in of_shells} == {
        "HOME": given["HOME"],
        "PATH": given["PATH"],
        "CI": "true",
    }
