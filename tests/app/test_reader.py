"""The program as a screen reader has it: read and pressed through AT-SPI alone, without keys, pointer or pixels."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.app.test_mouse import WAIT, display  # noqa: F401  # a fixture

pytestmark = pytest.mark.display
LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
SYSTEM = "/usr/bin/python3"
"""The Python that has pyatspi, as Debian installs it."""
Row = tuple[int, str, str, list[str]]


class Heard:
    """The program in a session of its own, and what is read of it."""

    def __init__(self, screen: str, place: Path) -> None:
        self._running: list[subprocess.Popen[str]] = []
        bus = self._start("dbus-daemon", "--session", "--nofork", "--print-address", stdout=subprocess.PIPE)
        assert bus.stdout is not None
        self._env = {
            **os.environ,
            "DISPLAY": screen,
            "DBUS_SESSION_BUS_ADDRESS": bus.stdout.readline().strip(),
            **{f"XDG_{name}_HOME": str(place / name) for name in ("CONFIG", "DATA", "CACHE")},
            "PYGLET_AUDIO": "silent",
        }
        self._start(LAUNCHER, "--launch-immediately")
        for name in ("IsEnabled", "ScreenReaderEnabled"):
            self._switch(name)
        folder = place / "CONFIG" / "shibumi3d"
        folder.mkdir(parents=True)
        (folder / "settings.json").write_text(
            json.dumps({"stills": False, "motion": "off", "language": "en"})
        )
        self._start(sys.executable, "-m", "shibumi3d")
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.reader = self._start(SYSTEM, str(Path(__file__).with_name("atspi.py")), **pipes)
        assert self.reader.stdout is not None
        assert self.reader.stdout.readline().strip() == "ready"

    def _start(self, *command: str, **more: Any) -> subprocess.Popen[str]:
        env = getattr(self, "_env", None)
        process = subprocess.Popen(command, env=env, text=True, stderr=subprocess.DEVNULL, **more)
        self._running.append(process)
        return process

    def _switch(self, name: str) -> None:
        command = ["dbus-send", "--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus"]
        command += ["org.freedesktop.DBus.Properties.Set", "string:org.a11y.Status", f"string:{name}"]
        end = time.monotonic() + WAIT
        while subprocess.run(
            [*command, "variant:boolean:true"], env=self._env, capture_output=True
        ).returncode:
            assert time.monotonic() < end, "no bus for readers"
            time.sleep(0.1)

    def ask(self, **what: str) -> Any:
        """Ask the reader."""
        assert self.reader.stdin is not None
        assert self.reader.stdout is not None
        self.reader.stdin.write(json.dumps(what) + "\n")
        self.reader.stdin.flush()
        return json.loads(self.reader.stdout.readline())

    def rows(self) -> list[Row]:
        """All that is told now."""
        return [tuple(row) for row in self.ask(do="tree")]

    def until(self, what: Callable[[list[Row]], Any]) -> Any:
        """Read until something is there, and return it."""
        end = time.monotonic() + WAIT
        while True:
            rows = self.rows()
            found = what(rows)
            if found:
                return found
            assert time.monotonic() < end, rows
            time.sleep(0.3)  # to read it all takes the program time too

    def press(self, name: str) -> None:
        """Press what is called so, as soon as it is there."""
        self.until(lambda rows: any(row[2].startswith(name) and "click" in row[3] for row in rows))
        assert self.ask(do="press", name=name)

    def close(self) -> None:
        """End all of it."""
        for process in reversed(self._running):
            process.terminate()
        for process in self._running:
            process.wait(WAIT)


@pytest.fixture
def heard(display: str, tmp_path: Path, in_ci: bool) -> Iterator[Heard]:  # noqa: F811
    found = subprocess.run([SYSTEM, "-c", "import pyatspi"], capture_output=True, check=False).returncode == 0
    try:
        import accesskit  # noqa: F401
    except ImportError:
        found = False
    if not (found and os.path.exists(LAUNCHER) and shutil.which("dbus-daemon")):
        message = "AT-SPI is missing; install at-spi2-core, python3-pyatspi, gir1.2-atspi-2.0 and dbus"
        if in_ci:
            pytest.fail(message)
        pytest.skip(message)
    reader = Heard(display, tmp_path)
    yield reader
    reader.close()


POINT = re.compile(r"[A-D][a-d]\d, ")


def points(rows: list[Row]) -> list[str]:
    """The points that may be chosen, as they are called."""
    return [name for _, _, name, acts in rows if POINT.match(name) and "click" in acts]


def test_a_match_of_spline_is_played_to_its_end(heard: Heard) -> None:
    """A match against a computer, from the first page on: whatever is free is taken, until somebody has won."""
    heard.press("Spline, ")
    heard.press("Play")

    def asked(rows: list[Row]) -> list[str]:
        """What may be chosen; once it is over, what comes then."""
        return [name for _, _, name, _ in rows if name.startswith("Rematch")] or points(rows)

    for _ in range(30):
        choice = heard.until(asked)[0]
        if not POINT.match(choice):
            break
        heard.press(choice)
        heard.until(lambda rows, choice=choice: choice not in points(rows))
    assert choice.startswith("Rematch")
    # What was played can be read off the board.
    names = [name for _, _, name, _ in heard.rows()]
    assert sum(", white" in name for name in names) >= 3
    assert sum(", black" in name for name in names) >= 3


def test_a_puzzle_is_played_with_a_colour_and_a_hint(heard: Heard) -> None:
    heard.press("Spuzzle, ")
    heard.press("Play")
    heard.press("Red")
    heard.until(lambda rows: any(row[2] == "Red, chosen" for row in rows))
    heard.press("Ab2, ")
    heard.until(lambda rows: any(row[2] == "Ab2, red" for row in rows))
    heard.press("Hint")
    heard.until(lambda rows: any("1 hint" in row[2] for row in rows))
