"""Commands import only what they use: ``--version`` doesn't load the renderer."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "numpy",
    "pyrr",
    "moderngl",
    "pyglet",
    "sqlite3",
    "urllib.request",
    "http.client",
    "ssl",
    "xml.sax",
    "multiprocessing",
    "asyncio",
    "PIL",
    "imageio_ffmpeg",
    "openskill",
    "mypy",
    "setuptools",
}
"""Modules that are slow to load, and so must be loaded only where they are used."""

LINES = (
    "--version",
    "list",
    "list --json",
    "rules spline",
    "check --help",
    "perft spline 1",
    "selfplay spline --games 1",
    "solve --help",
    "analyse --help",
    "review --help",
    "replay --help",
    "shot --help",
    "export --help",
    "play spline --text",
)


@pytest.mark.parametrize("line", ["--version", "list"])
def test_rendering_modules_are_imported_only_when_needed(line: str) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "shibumi3d", line],
        capture_output=True,
        text=True,
        check=True,
    )
    imported = {each.rpartition("|")[2].strip() for each in done.stderr.splitlines()}
    assert "shibumi3d.cli.main" in imported
    assert not {name for name in imported if name.startswith("shibumi3d.export")}


@pytest.mark.parametrize("line", LINES)
def test_command_imports_only_its_own_modules(line: str) -> None:
    code = (
        "import sys\n"
        "from shibumi3d.cli.main import main\n"
        "try:\n"
        "    main(sys.argv[1:])\n"
        "except SystemExit:\n"
        "    pass\n"
        f"print('loaded', *sorted({HEAVY!r} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *line.split()],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=True,
    )
    *said, loaded = done.stdout.splitlines()
    assert said, done.stderr
    assert loaded == "loaded"
