"""The program as a user runs it: in its own process, on a real display, with a real pointer and real keys."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match.match import Match
from tests.share import THOROUGH, some

pytestmark = pytest.mark.display
WAIT = 120.0
"""Maximum time in seconds to wait for the program; long, because the machine may be busy."""
Seen = dict[str, Any]


@pytest.fixture(scope="module")
def display(in_ci: bool, needs_gl: None) -> Iterator[str]:
    """Start an X display of 1280 × 720 pixels for this module, and yield its name.

    If Xvfb or xdotool is missing, the tests are skipped; in CI, they fail.
    """
    for program, package in (("Xvfb", "xvfb"), ("xdotool", "xdotool")):
        if shutil.which(program) is None:
            message = f"{program} is missing; install {package}"
            if in_ci:
                pytest.fail(message)
            pytest.skip(message)
    reading, writing = os.pipe()
    # Without -r, a key that a busy machine releases late would be repeated.
    options = ["-screen", "0", "1280x720x24", "-noreset", "-r", "-nolisten", "tcp"]
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), *options],
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
    """The program on an X display, the pointer and keys that control it, and the trace of what it shows."""

    def __init__(self, display: str, place: Path, cache: Path) -> None:
        self.environment = {
            **os.environ,
            "DISPLAY": display,
            "XDG_CONFIG_HOME": str(place / "config"),
            "XDG_DATA_HOME": str(place / "data"),
            "XDG_CACHE_HOME": str(cache),
            "SHIBUMI3D_TRACE": str(place / "trace"),
            "PYGLET_AUDIO": "silent",
        }
        self.start: Sequence[str] = (sys.executable, "-m", "shibumi3d")
        self.trace = place / "trace"
        self.program: subprocess.Popen[bytes] | None = None
        self.errors = place / "errors"

    def set(self, **settings: object) -> None:
        """Write the settings for the next start, replacing any written before.

        By default, stills and animations are off, since they slow down tests. A program started without any settings,
        as for a new user, has both.
        """
        settings = {"stills": False, "motion": "off"} | settings
        place = Path(self.environment["XDG_CONFIG_HOME"]) / "shibumi3d"
        place.mkdir(parents=True, exist_ok=True)
        (place / "settings.json").write_text(json.dumps(settings), "utf-8")

    def open(self, *arguments: str) -> None:
        self.trace.unlink(missing_ok=True)
        with self.errors.open("wb") as errors:
            self.program = subprocess.Popen([*self.start, *arguments], env=self.environment, stderr=errors)
        self.until(lambda seen: True)

    def close(self) -> int:
        assert self.program is not None
        self.do("key", "ctrl+q")
        return self.program.wait(WAIT)

    def do(self, *words: object) -> None:
        subprocess.run(["xdotool", *map(str, words)], env=self.environment, check=True)

    def seen(self) -> Seen:
        """Return what is on the screen according to the last complete line of the trace.

        Return ``{}`` if there is no such line yet.
        """
        if not self.trace.exists():
            return {}
        lines = self.trace.read_text(encoding="utf-8").split("\n")
        seen: Seen = json.loads(lines[-2]) if len(lines) > 1 else {}
        return seen

    def until(self, wanted: Callable[[Seen], object]) -> Seen:
        """Wait until ``wanted`` accepts the last line of the trace, and return that line.

        Raises AssertionError if that takes too long or the program has ended.
        """
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
        for kind in ("points", "entries", "games", "widgets"):
            if name in seen.get(kind, {}):
                x, y = seen[kind][name]
                return [x, y]
        raise AssertionError(f"{name} is not on the screen: {seen}")

    def click(self, name: str, button: int = 1) -> None:
        self.do("mousemove", *self.place(name), "click", button)

    def key(self, *chords: str) -> None:
        self.do("key", *chords)

    def made(self, plies: int) -> Seen:
        return self.until(lambda seen: len(seen.get("plies", [])) == plies)

    def choose(self, name: str, plies: int) -> Seen:
        self.find(name)
        self.click(name)
        return self.made(plies)

    def find(self, name: str) -> None:
        """Turn the view with V, up to four times, until the target ``name`` is visible."""
        for _ in range(4):
            seen = self.seen()
            if name not in seen["hidden"]:
                return
            assert "behind" in seen["widgets"], "the page says that something is hidden"
            self.key("v")
            self.until(lambda now, before=seen: now["points"] != before["points"])

    def play(self, *moves: str) -> Seen:
        """Make the first moves of a match by clicking their points; return what is shown afterwards."""
        for number, move in enumerate(moves, 1):
            seen = self.choose(re.split("[@^>x]", move, maxsplit=1)[1], number)
        assert seen["plies"] == list(moves)
        return seen

    def open_privacy_screen(self) -> None:
        self.until(lambda seen: "hold to look" in seen["widgets"])
        self.do("mousemove", *self.place("hold to look"), "mousedown", 1)
        self.until(lambda seen: "hold to look" not in seen["widgets"])
        self.do("mouseup", 1)

    def carry(self, start: str, end: Sequence[int]) -> None:
        """Drag from ``start`` to the pixel ``end`` in four steps.

        ``start`` is a name that :meth:`place` finds on the screen, such as that of a point or a widget.
        """
        (x, y), (to_x, to_y) = self.place(start), end
        waypoints = [("mousemove", x + (to_x - x) * n // 4, y + (to_y - y) * n // 4) for n in range(1, 5)]
        self.do(
            "mousemove", x, y, "mousedown", 1, *(word for step in waypoints for word in step), "mouseup", 1
        )


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that caches pictures and compiled shaders for all tests of this module."""
    return with_pictures(tmp_path_factory.mktemp("cache"))


def with_pictures(cache: Path) -> Path:
    """Create links in ``cache`` to the pictures and textures cached by other tests, and return ``cache``."""
    for name in ("grains", "pictures"):
        shared = Path(os.environ["MESA_SHADER_CACHE_DIR"]).with_name(name).absolute()
        shared.mkdir(parents=True, exist_ok=True)
        place = cache / "shibumi3d" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(shared)
    return cache


@pytest.fixture
def desk(display: str, tmp_path: Path, cache: Path) -> Iterator[Desk]:
    desk = Desk(display, tmp_path, cache)
    desk.set()
    yield desk
    if desk.program is not None and desk.program.poll() is None:
        desk.program.kill()
        desk.program.wait(10)


def test_key_released_late_is_not_repeated(desk: Desk) -> None:
    """The display's key repeat is off, so a key that is held for 1.5 seconds is typed only once.

    On a busy machine, the display may handle the release of a key long after its press. After the single ``f``, the
    search field contains ``sploof``. The list of games looked the same before the ``f``, so ``spl`` is then typed in
    front, with which no game is found. After ``spl`` has been deleted again, Sploof is found.
    """
    desk.open()
    desk.do("mousemove", *desk.place("search"), "click", 1, "type", "sploo")
    desk.until(lambda seen: set(seen["games"]) == {"sploof"})
    desk.do("keydown", "f", "sleep", 1.5, "keyup", "f", "key", "Home", "type", "spl")
    desk.until(lambda seen: seen["found"] == 0)
    desk.do("key", "BackSpace", "key", "BackSpace", "key", "BackSpace")
    desk.until(lambda seen: set(seen["games"]) == {"sploof"})


def test_whole_match_from_the_home_page_to_its_end(desk: Desk) -> None:
    """The program is started without settings, as after installation.

    The match is a game of Spline between two people, played with the mouse. Four marbles in a row win, so player 2 wins
    with the line from Ab1 to Ab4.
    """
    shutil.rmtree(desk.environment["XDG_CONFIG_HOME"])
    desk.open()
    assert "show guide" in desk.seen()["widgets"], "the first start offers the first steps"
    desk.key("Escape")
    desk.until(lambda seen: "show guide" not in seen["widgets"])
    desk.do("mousemove", *desk.place("search"), "click", 1, "type", "spline")
    desk.until(lambda seen: set(seen.get("games", ())) == {"spline", "spline-plus"})
    desk.click("spline")
    desk.until(lambda seen: seen["chosen"] == "spline")
    desk.click("who 2")
    desk.until(lambda seen: "kind person" in seen["widgets"])
    desk.click("kind person")
    desk.until(lambda seen: "kind person" not in seen["widgets"])
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


@THOROUGH
def test_right_button_cancels_a_two_click_move(desk: Desk) -> None:
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


@pytest.mark.parametrize(
    ("game", "points", "place", "played", "note"),
    some(
        [
            ("spline-plus", ("Ab2", "Ab3", "Ac3", "Ac2", "Bb2"), (656, 262), ["^Ab3"], ""),
            ("spline", ("Ab2", "Ab3", "Ac2"), (656, 262), ["W@Ab2", "B@Ab3", "W@Ac2"], "Ab3"),
            ("spectacular-tumble", (), (670, 145), [], "Da1"),
        ],
        1,
    ),
)
def test_click_on_a_marble_selects_that_marble(
    desk: Desk, game: str, points: tuple[str, ...], place: tuple[int, int], played: list[str], note: str
) -> None:
    """Behind each marble that is clicked lies another marble, or a hole that is a legal target.

    First, the test clicks ``points`` to set up the position. Then it clicks the pixel ``place``. After that click, the
    last moves of the match must be ``played``; if ``played`` is empty, no move may have been made at all. If the
    clicked marble can't be chosen, ``note`` is its point, which a message to the player must name.
    """
    desk.open("play", game)
    for number, point in enumerate(points, 1):
        desk.choose(point, number)
    desk.do("mousemove", *place, "click", 1)
    seen = desk.until(lambda seen: seen["note"] or len(seen["plies"]) > len(points))
    assert note in seen["note"]
    assert seen["plies"][-len(played) :] == played if played else seen["plies"] == []


SPIGHT = ("^Ad4", ">Bc2", "^Aa2", ">Ba3", "^Ab4", ">Aa2", "^Ac2", ">Ba1")
"""Knight's moves after which all visible white marbles are connected."""


def test_match_with_drags_and_clicks(desk: Desk) -> None:
    desk.open("play", "spight")
    for number in range(0, len(SPIGHT), 4):
        start, end = (move[1:] for move in SPIGHT[number : number + 2])
        desk.find(start)
        desk.carry(start, desk.place(end))
        seen = desk.made(number + 2)
        assert seen["plies"] == list(SPIGHT[: number + 2])
        desk.choose(SPIGHT[number + 2][1:], number + 3)
        seen = desk.choose(SPIGHT[number + 3][1:], number + 4)
    assert seen["plies"] == list(SPIGHT)
    assert seen["over"] == "Player 1 wins: all visible marbles in one group"


@THOROUGH
def test_marble_dropped_on_an_illegal_point_returns(desk: Desk) -> None:
    desk.open("play", "spight")
    apex = desk.place("Da1")
    desk.carry("Ad4", (100, 500))
    # Another marble can be moved only after this one has returned.
    desk.choose("Aa1", 1)
    desk.click("Aa1")
    desk.made(0)
    seen = desk.play("^Ad4", ">Bc2")
    assert seen["points"]["Da1"] == apex, "a carried marble does not turn the board"


@THOROUGH
def test_match_with_marbles_entered_from_the_sides(desk: Desk) -> None:
    desk.open("play", "splush")
    assert desk.seen()["entries"].keys() >= {"Ba1/W", "Bb1/S", "Bc1/E", "Bb3/N"}
    moves = ("xAc1", "W>Ba2/W", "xAc2", "B>Ba2/W", "xAa3", "W>Bb3/N", "xAc4", "B>Bc2/E", "W>Ba1/W")
    seen = desk.play(*moves)
    assert seen["over"] == "Player 1 wins: all visible marbles in one group"


@THOROUGH
def test_solo_puzzle_to_its_solution(desk: Desk) -> None:
    desk.open("play", "spalone", "--size", "3", "--seed", "1")
    moves = "B@Aa2 R@Aa1 W@Ab1 B@Ab2 W@Aa3 W@Ac2 R@Ac3 B@Ba1 R@Ac1 R@Ab3 B@Ba2 R@Bb2 W@Bb1 B@Ca1"
    seen = desk.play(*moves.split())
    assert seen["over"].endswith("pyramid complete")


@THOROUGH
def test_match_in_the_plan_view(desk: Desk) -> None:
    desk.open("play", "spline", "--size", "3")
    round_ = desk.seen()["points"]
    desk.key("F2")
    seen = desk.until(lambda seen: seen["points"] != round_)
    xs, ys = zip(*(seen["points"][name] for name in ("Aa1", "Ab1", "Ac1")), strict=True)
    assert len(set(ys)) == 1
    # The distances are equal, up to rounding.
    assert abs(xs[0] - 2 * xs[1] + xs[2]) <= 1
    assert xs[1] - xs[0] > 20
    seen = desk.play("W@Ab3", "B@Ac2", "W@Ab1", "B@Ac3", "W@Ab2")
    assert seen["over"] == "Player 1 wins: full line"


@THOROUGH
def test_match_at_150_percent(desk: Desk) -> None:
    desk.set(scale=150, seats={"spline": ["person", "person"]})
    desk.open()
    desk.do("mousemove", *desk.place("search"), "click", 1, "type", "spline")
    desk.until(lambda seen: seen["found"] == 2)
    desk.click("spline")
    desk.until(lambda seen: seen["chosen"] == "spline")
    desk.click("play")
    seen = desk.until(lambda seen: seen["screen"] == "play")
    for name, (x, y) in {**seen["widgets"], **seen["points"]}.items():
        assert 0 < x < 1280, name
        assert 0 < y < 720, name
    moves = "W@Aa1 B@Ab2 W@Aa2 B@Ac2 W@Ab3 B@Ac3 W@Bb2 B@Ab1 W@Aa3 B@Ac1 W@Aa4"
    seen = desk.play(*moves.split())
    assert seen["over"] == "Player 1 wins: full line"
    desk.click("rematch")
    desk.made(0)


@THOROUGH
def test_match_by_keyboard(desk: Desk) -> None:
    """A match of Spline is started, played and saved with the keyboard alone.

    The pointer stays in a corner throughout. Player 1 wins with four marbles in a row on level A, from Aa1 to Aa4.
    """
    desk.do("mousemove", 1279, 719)
    desk.set(seats={"spline": ["person", "person"]})
    desk.open()
    desk.do("type", "spline")
    desk.until(lambda seen: seen.get("found") == 2)
    desk.key("Down", "Up", "Return")
    desk.until(lambda seen: seen["screen"] == "play" and seen["game"] == "spline")
    desk.key("Tab")
    desk.until(lambda seen: seen["cursor"] == "Aa1")
    desk.key("Return")
    desk.made(1)

    def at(name: str, number: int) -> Seen:
        targets = desk.seen()["targets"]
        here = desk.seen()["cursor"]
        begin = targets.index(here) + 1 if here in targets else 0
        desk.key(*["Tab"] * ((targets.index(name) - begin) % len(targets) + 1))
        desk.until(lambda seen: seen["cursor"] == name)
        desk.key("Return")
        return desk.made(number)

    at("Ac2", 2)
    desk.key("Home")
    desk.until(lambda seen: seen["cursor"] == "Ab1")
    desk.key("Right")
    desk.until(lambda seen: seen["cursor"] == "Ac1")
    desk.key("ctrl+z")
    desk.made(1)
    desk.key("F2")
    desk.key("Home")
    desk.until(lambda seen: seen["cursor"] == "Ab1")
    desk.key("Right", "Right", "Up")
    seen = desk.until(lambda seen: seen["cursor"] == "Ad2")
    desk.key("space")
    desk.made(2)
    desk.key("F2")
    for number, name in enumerate(("Aa2", "Ad3", "Aa3"), 3):
        at(name, number)
    desk.key("slash")
    desk.until(lambda seen: "typed move" in seen["widgets"])
    desk.do("type", "ad1")
    desk.key("Return")
    desk.made(6)
    desk.key("ctrl+s")
    desk.until(lambda seen: "path" in seen["widgets"])
    kept = desk.trace.parent / "kept.yaml"
    desk.key("ctrl+a")
    desk.do("type", str(kept))
    desk.key("Return")
    desk.until(lambda seen: "path" not in seen["widgets"])
    assert "Aa3" in kept.read_text()
    seen = at("Aa4", 7)
    assert seen["over"] == "Player 1 wins: full line"
    assert desk.close() == 0
    assert desk.errors.read_text() == ""


@THOROUGH
def test_wheel_zooms_within_limits_and_makes_no_move(desk: Desk) -> None:
    desk.open("play", "spline")
    desk.choose("Ab2", 1)
    desk.choose("Ac3", 2)
    desk.key("t")
    wide = desk.until(lambda seen: abs(seen["points"]["Aa1"][1] - seen["points"]["Ad1"][1]) <= 1)

    def width(seen: Seen) -> int:
        return int(seen["points"]["Ad1"][0] - seen["points"]["Aa1"][0])

    def turn_wheel(button: int, times: int) -> Seen:
        """Turn the wheel by ``times`` notches and return what is then shown.

        ``button`` is 4 to turn the wheel up, or 5 to turn it down. The card for typing a move is opened and closed to
        make sure that all wheel events have been handled.
        """
        desk.do("click", "--repeat", times, "--delay", 5, button)
        desk.key("slash")
        desk.until(lambda seen: "typed move" in seen["widgets"])
        desk.key("Escape")
        return desk.until(lambda seen: "typed move" not in seen["widgets"])

    desk.do("mousemove", *desk.place("Ab2"))
    near = turn_wheel(4, 1)
    assert 1.04 < width(near) / width(wide) < 1.12
    nearest = turn_wheel(4, 30)
    assert turn_wheel(4, 5)["points"] == nearest["points"]
    farthest = turn_wheel(5, 60)
    assert turn_wheel(5, 5)["points"] == farthest["points"]
    # The zoom goes from 0.7 to 1.8; the rest is perspective.
    assert 2.2 < width(nearest) / width(farthest) < 3.2
    assert farthest["plies"] == ["W@Ab2", "B@Ac3"]


def test_match_survives_a_killed_program(desk: Desk) -> None:
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


def test_idle_program_uses_no_cpu(desk: Desk) -> None:
    desk.set(stills=True, size=[700, 500])
    desk.open("play", "spline")
    assert desk.program is not None
    number = desk.program.pid
    desk.choose("Ab2", 1)  # plays the sound of a marble
    time.sleep(2)

    def used() -> float:
        fields = Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    if not Path("/proc/self/stat").exists():
        pytest.skip("the time used is read from /proc")
    # After the still has been rendered once, the program does nothing.
    for _ in range(60):
        before = used()
        time.sleep(1)
        if used() - before < 0.02:
            break
    before = used()
    time.sleep(3)
    assert used() - before < 0.1


def test_missing_display_is_reported_in_one_sentence(tmp_path: Path) -> None:
    program = "from shibumi3d.app.main import run_window; run_window()"
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
        "shibumi3d.app.platform.pyglet_window.NoDisplayError: Can't open a window: there is no display. Play in "
        "the terminal with --text."
    )


def test_window_has_a_title_rotates_by_drag_and_goes_full_screen(desk: Desk) -> None:
    desk.open("play", "spline")
    x, y = desk.place("Ab2")
    before = desk.seen()["points"]
    small_drag = ("mousemove", x + 60, y, "mousemove", x + 90, y + 5)
    desk.do("mousemove", x, y, "mousedown", 1, *small_drag, "mouseup", 1)
    seen = desk.until(lambda seen: seen["points"] != before)
    assert seen["plies"] == []
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


def test_unsupported_opengl_version_is_reported(display: str, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "DISPLAY": display,
        "MESA_GL_VERSION_OVERRIDE": "2.1",
        "XDG_CONFIG_HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
    }
    environment.pop("PYGLET_HEADLESS", None)
    command = [sys.executable, "-m", "shibumi3d", "play", "spline"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        1,
        (
            "shibumi3d: Can't open a window: the display doesn't support OpenGL 3.3. Play in the "
            "terminal with --text. Run: shibumi3d play spline --text\n"
        ),
    )


@THOROUGH
def test_secret_choices_are_revealed_to_both_players(desk: Desk) -> None:
    desk.open("play", "spagyric")
    desk.open_privacy_screen()
    desk.click("answer W!")
    desk.open_privacy_screen()
    desk.click("answer B!")
    seen = desk.until(lambda seen: "go on" in seen["widgets"])
    assert seen["status"] == "Everyone has chosen"
    assert seen["plies"] == ["W!", "B!"]
    assert not [name for name in seen["widgets"] if name.startswith("answer")]
    desk.click("go on")
    desk.open_privacy_screen()
    seen = desk.choose("Ab2", 3)
    assert seen["plies"] == ["W!", "B!", "W@Ab2"]


@THOROUGH
def test_computers_play_each_other_and_people(desk: Desk) -> None:
    desk.open("play", "spline", "--size", "3", "--seats", "pebble,pebble")
    desk.until(lambda seen: seen["plies"] and "stop thinking" in seen["widgets"])
    desk.click("stop thinking")
    paused = desk.until(lambda seen: "go on thinking" in seen["widgets"])
    x, y = paused["points"]["Ab2"]
    desk.do("mousemove", x, y, "mousedown", 3, "mousemove", x + 60, y, "mousemove", x + 90, y, "mouseup", 3)
    turned = desk.until(lambda seen: seen["points"] != paused["points"])
    assert turned["plies"] == paused["plies"]
    desk.click("go on thinking")
    over = desk.until(lambda seen: seen["over"])
    assert over["plies"][: len(paused["plies"])] == paused["plies"]
    assert over["over"].startswith(("Pebble wins", "Pebble 2 wins", "pebble wins", "A draw"))
    assert desk.close() == 0
    desk.open("play", "spline", "--size", "3", "--seats", "me,pebble")
    seen = desk.choose("Ab2", 2)
    assert seen["plies"][0] == "W@Ab2"
    assert seen["plies"][1].startswith("B@")
    desk.key("ctrl+z")
    desk.made(0)
    assert desk.close() == 0
    assert desk.errors.read_text() == ""


def test_window_larger_than_the_screen_is_shrunk(desk: Desk) -> None:
    desk.set(size=[1800, 1100])
    desk.open()
    seen = desk.until(lambda seen: "settings" in seen["widgets"])
    places = [desk.place(name) for name in seen["widgets"]]
    assert places
    assert all(0 <= x < 1280 and 0 <= y < 720 for x, y in places)


def test_first_steps_an_example_and_a_language_change(desk: Desk) -> None:
    desk.set(language="en")
    desk.open()
    desk.click("guide")
    desk.until(lambda seen: seen["screen"] == "guide")
    desk.carry("board", (700, 300))  # drag to turn the view
    time.sleep(1)  # until the view is at rest
    desk.choose("Aa4", 1)
    desk.made(2)
    desk.find("Ab1")
    desk.choose("Ab1", 3)
    desk.find("Ad2")
    desk.click("Ad2")
    desk.made(5)  # the other seat has moved
    desk.key("ctrl+z")
    desk.made(2)
    desk.click("coach go")
    desk.until(lambda seen: seen["screen"] == "home")
    assert desk.close() == 0
    assert '"guided": true' in (desk.trace.parent / "config/shibumi3d/settings.json").read_text()
    desk.open("--lang", "fr", "play", "spline")
    assert desk.seen()["status"] == "À Joueur 1 de jouer – choisir un point"
    desk.key("F1")
    desk.until(lambda seen: "example" in seen["widgets"])
    desk.click("try it")
    desk.until(lambda seen: seen["screen"] == "trial")
    desk.choose("Ab3", 1)
    desk.key("Escape")
    seen = desk.until(lambda seen: seen["screen"] == "play")
    assert seen["plies"] == []
    assert desk.close() == 0
    assert desk.errors.read_text() == ""


@THOROUGH
def test_position_can_be_edited_with_the_mouse_and_played(desk: Desk) -> None:
    desk.open("play", "spline")
    desk.click("lay out")
    desk.until(lambda seen: seen["screen"] == "edit")
    for colour, point, row in (
        ("red", "Ab2", ".R..,...."),
        ("black", "Ad1", ".R..,...B"),
        ("white", "Ab2", ".W..,...B"),
    ):
        desk.click(colour)
        desk.until(lambda seen, colour=colour: seen["chosen"] == colour)
        desk.click(point)
        desk.until(lambda seen, row=row: seen["boards"] == [f"....,....,{row}/...,...,.../..,../."])
    desk.click("Ad1", 3)
    desk.until(lambda seen: seen["boards"] == ["....,....,.W..,..../...,...,.../..,../."])
    desk.click("undo")
    desk.until(lambda seen: seen["boards"] == ["....,....,.W..,...B/...,...,.../..,../."])
    (kept,) = (desk.trace.parent / "data").rglob("*.yaml")
    assert 'position: {boards: ["....,....,.W..,...B/...,...,.../..,../."]}' in kept.read_text()
    desk.click("play position")
    desk.until(lambda seen: seen["screen"] == "play")
    desk.choose("Ac3", 1)
    assert desk.close() == 0
    assert kept.read_text().endswith("moves:\n  - W@Ac3\n")


@THOROUGH
def test_film_of_a_finished_match(desk: Desk) -> None:
    entry = load_catalogue().get("spline")
    match = Match(entry.game(size=3), ["Ann", "Ben"], 1)
    for point in ("Aa1", "Ab1", "Aa2", "Ab2", "Aa3"):
        match.play(f"{'WB'[match.cursor % 2]}@{point}")
    file = desk.trace.parent / "over.yaml"
    match.record().save(file)
    desk.environment["XDG_PICTURES_DIR"] = str(desk.trace.parent / "pictures")
    desk.open(str(file))
    desk.until(lambda seen: seen["screen"] == "replay")
    desk.click("export")
    desk.until(lambda seen: "make" in seen["widgets"])
    # From the focused button to the format (GIF), past the range to the size (small), and to the speed (four times).
    desk.key("Tab", "Right", "Tab", "Tab", "Left", "Tab", "Right", "Right")
    desk.click("make")
    folder = desk.trace.parent / "pictures" / "Shibumi 3D"
    desk.until(lambda seen: seen["widgets"].get("make") and any(folder.glob("*.gif")))
    (film,) = folder.iterdir()
    with Image.open(film) as pictures:
        assert pictures.size == (640, 360)
        count = getattr(pictures, "n_frames", 1)
    # At 20 frames per second, each of six pauses of 0.7 s / 4 has three or four frames, each of five falls of less than
    # 1 s / 4 has one to five, and the last picture is held for 3 s.
    assert 6 * 3 + 5 + 60 <= count <= 6 * 4 + 5 * 5 + 60
    assert desk.close() == 0
    assert desk.errors.read_text() == ""
