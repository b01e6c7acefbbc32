"""The program as a person meets it: its own process, a real display, a real pointer and real keys."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.display
WAIT = 60.0
Seen = dict[str, Any]


@pytest.fixture(scope="module")
def display(in_ci: bool, needs_gl: None) -> Iterator[str]:
    """A display of 1280 by 720, started for these tests alone."""
    for program, package in (("Xvfb", "xvfb"), ("xdotool", "xdotool")):
        if shutil.which(program) is None:
            message = f"{program} is missing; install {package}"
            if in_ci:
                pytest.fail(message)
            pytest.skip(message)
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x720x24", "-noreset", "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as stream:
        number = stream.readline().strip()
    assert number, "Xvfb did not start"
    yield f":{number}"
    server.terminate()
    server.wait(10)


class Desk:
    """The program on a display, a pointer, and what the program says that it shows."""

    def __init__(self, display: str, place: Path) -> None:
        self.environment = {
            **os.environ,
            "DISPLAY": display,
            "XDG_CONFIG_HOME": str(place / "config"),
            "XDG_DATA_HOME": str(place / "data"),
            "SHIBUMI3D_TRACE": str(place / "trace"),
        }
        self.trace = place / "trace"
        self.program: subprocess.Popen[bytes] | None = None
        self.errors = place / "errors"

    def open(self, *arguments: str) -> None:
        self.trace.unlink(missing_ok=True)
        with self.errors.open("wb") as errors:
            self.program = subprocess.Popen(
                [sys.executable, "-m", "shibumi3d", *arguments], env=self.environment, stderr=errors
            )
        self.until(lambda seen: True)

    def close(self) -> int:
        assert self.program is not None
        self.do("key", "ctrl+q")
        return self.program.wait(WAIT)

    def do(self, *words: object) -> None:
        subprocess.run(["xdotool", *map(str, words)], env=self.environment, check=True)

    def seen(self) -> Seen:
        """What is on the screen now: the last line of the trace."""
        if not self.trace.exists():
            return {}
        lines = self.trace.read_text(encoding="utf-8").split("\n")
        seen: Seen = json.loads(lines[-2]) if len(lines) > 1 else {}
        return seen

    def until(self, wanted: Callable[[Seen], object]) -> Seen:
        """Waits until the picture is at rest and as wanted."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            seen = self.seen()
            if seen and wanted(seen):
                return seen
            assert self.program is None or self.program.poll() is None, self.errors.read_text()
            time.sleep(0.05)
        raise AssertionError(f"the screen stayed at {self.seen()}")

    def place(self, name: str) -> list[int]:
        seen = self.seen()
        for kind in ("points", "games", "widgets"):
            if name in seen.get(kind, {}):
                x, y = seen[kind][name]
                return [x, y]
        raise AssertionError(f"{name} is not on the screen: {seen}")

    def click(self, name: str, button: int = 1) -> None:
        self.do("mousemove", *self.place(name), "click", button)

    def choose(self, name: str, plies: int) -> Seen:
        """Clicks a point and waits until the match has that many moves."""
        self.click(name)
        return self.until(lambda seen: len(seen.get("plies", [])) == plies)


@pytest.fixture
def desk(display: str, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(display, tmp_path)
    yield desk
    if desk.program is not None and desk.program.poll() is None:
        desk.program.kill()
        desk.program.wait(10)


def test_a_whole_game_from_the_first_page_to_its_end(desk: Desk) -> None:
    desk.open()
    desk.do("mousemove", *desk.place("search"), "click", 1, "type", "spline")
    desk.until(lambda seen: set(seen.get("games", ())) == {"spline", "spline-plus"})
    desk.click("spline")
    desk.until(lambda seen: seen["chosen"] == "spline")
    desk.click("play")
    desk.until(lambda seen: seen["screen"] == "play")
    assert desk.seen()["game"] == "spline"
    for number, point in enumerate(("Aa1", "Ab1", "Ac2", "Ab2", "Ac3", "Ab3", "Ad4", "Ab4"), 1):
        seen = desk.choose(point, number)
    assert seen["over"] == "Player 2 wins: full line"
    assert desk.close() == 0
    assert desk.errors.read_text() == ""
    (kept,) = (desk.trace.parent / "data").rglob("*.yaml")
    assert "result: {winners: [2]" in kept.read_text()


def test_a_move_of_two_clicks_is_cancelled_with_the_right_button(desk: Desk) -> None:
    desk.open("play", "spline-plus")
    for number, point in enumerate(("Ab2", "Ac2", "Ab3", "Ac3", "Bb2", "Ad4", "Ab2"), 1):
        seen = desk.choose(point, number)
    assert seen["plies"][-1] == "^Ab2"
    desk.do("mousemove", *desk.place("Ac4"), "click", 3)
    desk.until(lambda seen: len(seen["plies"]) == 6)
    desk.choose("Ab2", 7)
    seen = desk.choose("Aa1", 8)
    assert seen["plies"][-2:] == ["^Ab2", ">Aa1"]
    desk.do("key", "ctrl+z")
    seen = desk.until(lambda seen: len(seen["plies"]) == 6)
    assert seen["status"].startswith("Player 1 to move")
    desk.do("key", "ctrl+shift+z")
    desk.until(lambda seen: len(seen["plies"]) == 8)


def test_a_match_survives_being_killed(desk: Desk) -> None:
    desk.open("play", "spline")
    desk.choose("Ab2", 1)
    desk.choose("Ac3", 2)
    assert desk.program is not None
    desk.program.kill()
    desk.program.wait(10)
    desk.open()
    desk.click("continue")
    seen = desk.until(lambda seen: seen["screen"] == "play")
    assert seen["plies"] == ["W@Ab2", "B@Ac3"]


def test_a_drag_turns_the_board_and_nothing_is_played(desk: Desk) -> None:
    desk.open("play", "spline")
    x, y = desk.place("Ab2")
    before = desk.seen()["points"]
    desk.do(
        "mousemove", x, y, "mousedown", 1, "mousemove", x + 60, y, "mousemove", x + 90, y + 5, "mouseup", 1
    )
    seen = desk.until(lambda seen: seen["points"] != before)
    assert seen["plies"] == []


def test_the_machine_is_quiet_when_nothing_happens(desk: Desk) -> None:
    desk.open("play", "spline")
    assert desk.program is not None
    number = desk.program.pid
    time.sleep(1)

    def used() -> float:
        fields = Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    if not Path("/proc/self/stat").exists():
        pytest.skip("the time used is read from /proc")
    before = used()
    time.sleep(3)
    assert used() - before < 0.1


def test_without_a_display_one_sentence_says_what_to_do(tmp_path: Path) -> None:
    program = "from shibumi3d.app.main import run; run()"
    environment = {
        **os.environ,
        "DISPLAY": ":7999",
        "XDG_CONFIG_HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
    }
    environment.pop("PYGLET_HEADLESS", None)
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    last = done.stderr.strip().splitlines()[-1]
    assert last == (
        "shibumi3d.app.window.NoDisplay: No window can be opened here: there is no display. "
        "Play in the terminal with --text."
    )


def test_the_window_has_its_title_and_fills_the_screen_when_asked(desk: Desk) -> None:
    desk.open("play", "spline")
    found = subprocess.run(
        ["xdotool", "search", "--onlyvisible", "--name", "^Shibumi 3D$"],
        env=desk.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(found.stdout.split()) == 1
    desk.do("key", "f11")
    desk.choose("Ab2", 1)
    desk.do("key", "f11")
    desk.choose("Ac2", 2)
    assert desk.close() == 0
