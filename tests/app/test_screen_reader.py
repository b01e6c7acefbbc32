"""The program as a screen reader uses it: only through AT-SPI, without keys, pointer or pixels."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.app.test_real_window import WAIT, display, with_pictures  # noqa: F401  # a fixture
from tests.share import THOROUGH, some

pytestmark = pytest.mark.display
LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
SYSTEM = "/usr/bin/python3"
"""The Python that has pyatspi, as Debian installs it."""
Row = tuple[int, str, str, list[str]]


class Heard:
    """The program in a session of its own, and what is read of it."""

    def __init__(self, screen: str, place: Path) -> None:
        self._running: list[subprocess.Popen[str]] = []
        # The sockets of the buses lie there, and no path of theirs may be long or have a space.
        self._sockets = tempfile.TemporaryDirectory(dir="/tmp")
        self._env = {
            **os.environ,
            "DISPLAY": screen,
            "HOME": str(place),
            "TMPDIR": self._sockets.name,
            "XDG_RUNTIME_DIR": self._sockets.name,
            **{f"XDG_{name}_HOME": str(place / name) for name in ("CONFIG", "DATA", "CACHE")},
            "PYGLET_AUDIO": "silent",
        }
        bus = self._start("dbus-daemon", "--session", "--nofork", "--print-address", stdout=subprocess.PIPE)
        assert bus.stdout is not None
        self._env["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        with_pictures(place / "CACHE")
        self._start(LAUNCHER, "--launch-immediately")
        for name in ("IsEnabled", "ScreenReaderEnabled"):
            self._switch(name)
        folder = place / "CONFIG" / "shibumi3d"
        folder.mkdir(parents=True)
        (folder / "settings.json").write_text(
            # No bead runs while a computer thinks: nobody looks.
            json.dumps({"stills": False, "motion": "off", "reduced": True, "language": "en"})
        )
        self._start(sys.executable, "-m", "shibumi3d")
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.reader = self._start(SYSTEM, str(Path(__file__).with_name("atspi.py")), **pipes)
        assert self._line() == "ready"

    def _start(self, *command: str, **more: Any) -> subprocess.Popen[str]:
        process = subprocess.Popen(command, env=self._env, text=True, stderr=subprocess.DEVNULL, **more)
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
        self.reader.stdin.write(json.dumps(what) + "\n")
        self.reader.stdin.flush()
        return json.loads(self._line())

    def _line(self) -> str:
        """The next answer of the reader: it has none where the program hangs."""
        assert self.reader.stdout is not None
        assert select.select([self.reader.stdout], [], [], WAIT)[0], "the program does not answer"
        return self.reader.stdout.readline().strip()

    def rows(self) -> list[Row]:
        """All that is told now."""
        return [tuple(row) for row in self.ask(do="tree")]

    def until(self, what: Callable[[list[Row]], Any], seconds: float = WAIT) -> Any:
        """Read until something is there, and return it."""
        end = time.monotonic() + seconds
        while True:
            rows = self.rows()
            found = what(rows)
            if found:
                return found
            assert time.monotonic() < end, "\n".join(map(str, rows))
            time.sleep(0.3)  # to read it all takes the program time too

    def press(self, name: str) -> None:
        """Press what is called so, as soon as it is there."""
        self.until(
            lambda rows: (
                any(row[2].startswith(name) and "click" in row[3] for row in rows)
                and self.ask(do="press", name=name)
            )
        )

    def close(self) -> None:
        """End all of it."""
        for process in reversed(self._running):
            process.terminate()
        for process in self._running:
            process.wait(WAIT)
        self._sockets.cleanup()


@pytest.fixture(scope="module")
def program(display: str, tmp_path_factory: pytest.TempPathFactory, in_ci: bool) -> Iterator[Heard]:  # noqa: F811
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
    reader = Heard(display, tmp_path_factory.mktemp("heard"))
    try:
        yield reader
    finally:
        reader.close()


@pytest.fixture
def heard(program: Heard) -> Heard:
    """The program, started once for all these tests, on its first page."""
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        names = {row[2] for row in program.rows()}
        if "Search games" in names:
            return program
        # A computer may play meanwhile, and what was read be gone: then it is looked for again.
        ways = [name for name in sorted(names) if name.startswith("Back to ")]
        for name in ("Hold to look", "Games", *ways, "Continue", "Close"):
            if name in names:
                program.ask(do="press", name=name)
                break
        time.sleep(0.3)
    raise AssertionError("no way back to the games")


def press_card(heard: Heard, title: str) -> None:
    """Press the card of a game, wherever it is listed; the first card below a heading is called after both."""
    pattern = re.compile(rf"(?:[\w ]+\. )?{title}\. (?:\d|solo)")
    heard.press(heard.until(lambda rows: [row[2] for row in rows if pattern.match(row[2])])[0])


def begin(heard: Heard, title: str) -> None:
    """Press the card of a game, which starts a match if it is selected already, and else *Play*."""
    press_card(heard, title)
    time.sleep(2)
    if not named(heard.rows(), "Next move, key "):
        heard.press("Play")


POINT = re.compile(r"[A-D][a-d]\d, ")


def points(rows: list[Row]) -> list[str]:
    """The points that may be chosen, as they are called."""
    return [name for _, _, name, acts in rows if POINT.match(name) and "click" in acts]


def test_spline_match_is_played_to_the_end(heard: Heard) -> None:
    """A match against a computer, from the first page on: whatever is free is taken, until somebody has won."""
    begin(heard, "Spline")

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


def named(rows: list[Row], begin: str) -> list[str]:
    """What is called so, from the beginning on."""
    return [row[2] for row in rows if row[2].startswith(begin)]


@THOROUGH
def test_puzzle_is_played_to_the_end_with_a_hint(heard: Heard) -> None:
    """On the smallest board: the first move as the hint tells it, then whatever is free, of any colour."""
    heard.press("Spuzzle. ")
    heard.until(lambda rows: named(rows, "Spuzzle. N") and "3" in named(rows, "3"))
    heard.press("3")
    heard.press("Play")
    heard.press("Hint")
    near = heard.until(lambda rows: [name for name in points(rows) if ", marked" in name])
    heard.press("Hint")
    sentence = re.compile(r"(White|Black|Red) on (A[abc]\d) [^C]*\.")
    colour, point = heard.until(
        lambda rows: [found.groups() for row in rows if (found := sentence.fullmatch(row[2]))]
    )[0]
    assert point in [name[:3] for name in near]
    assert [name[:3] for name in points(heard.rows()) if ", marked" in name] == [point]
    heard.press(colour)
    heard.until(lambda rows: named(rows, f"{colour}, selected"))
    heard.press(f"{point}, ")
    heard.until(lambda rows: named(rows, f"{point}, {colour.lower()}"))
    assert any("1 hint" in row[2] for row in heard.rows())

    def asked(rows: list[Row]) -> list[str]:
        """What may be chosen; once it is over, what comes then."""
        return named(rows, "Play again") or points(rows)

    for _ in range(14):
        choice = heard.until(asked)[-1]
        if not POINT.match(choice):
            break
        heard.press(choice)
        heard.until(lambda rows, choice=choice: choice not in points(rows))
    rows = heard.until(lambda rows: rows if named(rows, "Play again") else None)
    stand = [row for row in rows if re.match(r"[ABC][abc]\d, (white|black|red)", row[2])]
    assert any(f" {len(stand)} of 14 points" in row[2] for row in rows)


@pytest.mark.parametrize(
    ("game", "choice"),
    some([("The Golden Spiral", "Set 3, key 3"), ("Hyena Spiral", "Throw, key 1")], 1),
)
def test_turn_is_played_at_another_table(heard: Heard, game: str, choice: str) -> None:
    heard.press(f"{game}. ")
    heard.until(lambda rows: named(rows, f"{game}. 2") and "Play" in named(rows, "Play"))
    heard.press("Play")
    heard.press("Moves and rules")

    def made(rows: list[Row]) -> list[Row]:
        """The moves that were made, as the list of them tells them."""
        return rows[next((n for n, row in enumerate(rows) if row[1:3] == ("list box", "Moves")), len(rows)) :]

    def ready(rows: list[Row]) -> tuple[str, list[Row]] | None:
        names = [row[2] for row in rows if re.fullmatch(choice, row[2])]
        return (names[0], made(rows)) if names else None

    name, before = heard.until(ready)
    heard.press(name)
    heard.until(lambda rows: len(made(rows)) > len(before))


def test_arcanoid_turn_is_played_from_card_to_pile(heard: Heard) -> None:
    """Whoever begins: cards that could not be chosen while the computer played can be then. The computer answers."""
    press_card(heard, "Arcanoid")
    heard.until(lambda rows: named(rows, "Arcanoid. "))
    heard.press("Play")
    heard.press("Moves and rules")

    def within(rows: list[Row], role: str, name: str) -> list[Row]:
        """What lies in something."""
        at = next((n for n, row in enumerate(rows) if row[1:3] == (role, name)), len(rows) - 1)
        end = (n for n, row in enumerate(rows) if n > at and row[0] <= rows[at][0])
        return rows[at + 1 : next(end, len(rows))]

    def ready(rows: list[Row]) -> list[str]:
        """What may be clicked on the table, the cards of the hand first."""
        lets = named(within(rows, "list box", "Choices"), "Let it go")
        if lets:  # the computer began by engaging, and the Fool is on hand
            heard.press(lets[0])
            return []
        return [row[2] for row in within(rows, "panel", "Table") if "click" in row[3]]

    # What is pressed while the computer's answer comes is no choice: then it is pressed again.
    for again in (True, True, False):
        card = heard.until(ready)[0]
        heard.press(card)
        with suppress(AssertionError) if again else nullcontext():
            heard.until(lambda rows: named(rows, f"{card}, selected"), 10.0)  # noqa: B023  # called at once
            break
    name = re.match(r"[\w ]+\w", card.replace("The ", "the "))
    assert name is not None
    heard.press("Discard pile: ")
    moves = heard.until(
        lambda rows: [
            row[2]
            for row in within(rows, "list box", "Moves")
            if re.match(rf"\d+\. Discard {name[0]}(: |$)", row[2])
        ]
    )
    number = int(moves[0].partition(".")[0])
    heard.until(lambda rows: named(within(rows, "list box", "Moves"), f"{number + 1}. "))
    heard.until(lambda rows: "click" in next(row for row in rows if row[2].startswith("Undo, "))[3])


@THOROUGH
def test_problem_is_solved_after_a_wrong_turn(heard: Heard) -> None:
    heard.press("Problems")
    heard.press(heard.until(lambda rows: [row[2] for row in rows if row[2].endswith(". Spline")])[0])
    heard.press("Solve")
    wins = heard.until(lambda rows: [name for name in points(rows) if "wins" in name])
    heard.press(next(name for name in points(heard.rows()) if name not in wins))
    heard.until(lambda rows: named(rows, "That's not it."))
    heard.until(lambda rows: wins[0] in points(rows))
    heard.press(wins[0])
    heard.until(lambda rows: named(rows, "Next"))
    assert not named(heard.rows(), "Show solution")


def test_text_caret_and_selection_are_exposed(heard: Heard) -> None:
    """The caret's moves are told, and a reader moves it and selects."""
    heard.press("Design a game")
    heard.until(lambda rows: named(rows, "Game text"))

    def text() -> Any:
        return heard.ask(do="text", name="Game text")

    words, caret, selected = text()
    assert words.startswith("title: My game\nplayers: 2\n")
    assert (caret, selected) == (0, [])
    assert heard.ask(do="focus", name="Game text")
    heard.ask(do="carets")
    assert heard.ask(do="select", name="Game text", first="15", last="15")
    heard.until(lambda rows: named(rows, "Game text 2:1"))
    assert text()[1:] == [15, []]
    assert heard.ask(do="carets") == [15]
    assert heard.ask(do="select", name="Game text", first="7", last="17")
    heard.until(lambda rows: named(rows, "Game text 2:3"))
    assert text()[1:] == [17, [[7, 17]]]
    assert heard.ask(do="carets") == [17]


GAME = "title: Heard\nplayers: 2\nturn:\n- place: own\n", "end:\n- when: stuck\n", "lose: mover"
"""As it is typed: the editor goes in by itself, and a key before each part but the first takes it out."""


@THOROUGH
def test_game_is_written_and_tested(heard: Heard) -> None:
    """AccessKit lets no reader set a text under X11, so the registry of AT-SPI types it, as it does for readers."""
    heard.press("Design a game")
    heard.until(lambda rows: named(rows, "Game text"))
    assert heard.ask(do="focus", name="Game text")
    heard.ask(do="ctrl", key="a")
    heard.ask(do="type", text=GAME[0])
    heard.ask(do="type", text="\b" + GAME[1])
    heard.ask(do="type", text=GAME[2])
    heard.until(lambda rows: named(rows, "Heard") and named(rows, "No errors"))
    heard.press("Play")
    choice = heard.until(points)[0]
    heard.press(choice)
    heard.until(lambda rows: choice not in points(rows))


def test_buttons_and_switches_expose_their_states(heard: Heard) -> None:
    """The states that AT-SPI has: of a match that has just begun nothing can be taken back."""
    assert "pressed" not in heard.ask(do="states", name="Night theme")
    begin(heard, "Spline")
    heard.until(lambda rows: named(rows, "Next move, key "))
    assert not {"enabled", "sensitive"} & set(heard.ask(do="states", name="Next move, key "))
    assert {"enabled", "sensitive"} <= set(heard.ask(do="states", name="Rules, key "))
    on = heard.ask(do="states", name="Sound, key ")
    heard.press("Sound, key ")
    heard.until(lambda rows: heard.ask(do="states", name="Sound, key ") != on)
    assert {"pressed", "checked"} & set(on)
    assert not {"pressed", "checked"} & set(heard.ask(do="states", name="Sound, key "))
    heard.press("Sound, key ")


def test_privacy_screen_protects_secrets_in_springe(heard: Heard) -> None:
    """Before the curtain is opened nothing is told but whose turn it is; the one who has it does not see what was
    chosen in secret."""
    heard.press("Springe. ")
    heard.until(lambda rows: named(rows, "Springe. Nathan Morse"))
    heard.press("Seat 2: adapts to me")
    heard.press("Human")
    heard.press("Play")

    def look(who: str) -> None:
        rows = heard.until(lambda rows: rows if named(rows, "Hold to look") and named(rows, who) else None)
        assert [row[2] for row in rows if "click" in row[3]] == ["Hold to look", "Games"]
        heard.press("Hold to look")

    look("Player 1")
    heard.press("White to the left")
    heard.press("White to the right")
    look("Player 2")
    seats = heard.until(lambda rows: named(rows, "Player 1: "))
    assert "left: hidden · right: hidden" in seats[0]
    heard.until(lambda rows: any("click" in row[3] and row[2].startswith("Left") for row in rows))
