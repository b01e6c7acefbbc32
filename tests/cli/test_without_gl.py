"""Only the window needs pyglet, and only pictures need OpenGL; everything else runs without them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.yardstick import in_time

BLOCKED = """
import sys


class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked}:
            raise ImportError(f"{{name}} is blocked")
        return None


sys.meta_path.insert(0, Blocker())
sys.argv[1:] = {arguments}
from shibumi3d.cli.main import main

sys.exit(main())
"""


def run_blocked(
    *arguments: str, libraries: tuple[str, ...], text: str = ""
) -> subprocess.CompletedProcess[str]:
    code = BLOCKED.format(blocked=set(libraries), arguments=list(arguments))
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        input=text,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["list"],
        ["list", "--json"],
        ["rules", "spline"],
        ["check"],
        ["perft", "spline", "2"],
        ["selfplay", "spline", "--games", "2"],
        ["play", "spline", "--text"],
        ["--help"],
        ["shot", "--help"],
    ],
    ids=" ".join,
)
def test_commands_run_without_graphics_libraries(arguments: list[str]) -> None:
    libraries = ("pyglet", "moderngl", "glcontext", "OpenGL", "pyrr", "numpy")
    done = run_blocked(*arguments, libraries=libraries, text="quit\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_missing_window_libraries_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":99")
    done = run_blocked("play", "spline", libraries=("pyglet", "moderngl", "numpy"))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "the window needs a library that is not installed" in done.stderr
    assert "sudo apt-get install -y libgl1 libegl1 libfontconfig1" in done.stderr


def test_importing_the_package_loads_no_heavy_modules() -> None:
    code = "import sys, shibumi3d; print(sorted({'yaml', 'pyglet', 'numpy', 'moderngl'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_closed_output_pipe_causes_no_error() -> None:
    command = f"'{sys.executable}' -m shibumi3d list --json | head -1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout == "[\n"
    assert done.stderr == ""


def test_list_command_is_fast() -> None:
    """CPU time is measured, since it depends less on the load of the machine than elapsed time does."""
    times = []
    for _ in range(3):
        before = os.times()
        subprocess.run([sys.executable, "-m", "shibumi3d", "list"], stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        times.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    assert in_time(min(times), 0.4)


def test_commands_work_from_any_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "shibumi3d", "rules", "spline"]
    done = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("# Spline")
