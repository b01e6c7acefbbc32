"""Play and use the whole program as a screen reader does: only through AT-SPI, without keys, pointer or pixels."""

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
from itertools import dropwhile
from pathlib import Path
from typing import Any

import pytest

from tests.app.test_real_window import WAIT, display, with_pictures  # noqa: F401  # a fixture
from tests.share import THOROUGH, some

pytestmark = pytest.mark.display
LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
SYSTEM = "/usr/bin/python3"
"""The Python for which Debian installs pyatspi."""
Row = tuple[int, str, str, list[str]]


class AccessibleProgram:
    """The program in its own D-Bus session, read and controlled through AT-SPI."""

    def __init__(self, screen: str, place: Path) -> None:
        self._running: list[subprocess.Popen[str]] = []
        # The bus sockets are created here: their paths must be short and without spaces.
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
            # Without animations, not even while the computer thinks.
            json.dumps({"stills": False, "motion": "off", "reduced": True, "language": "en"})
        )
        self._start(sys.executable, "-m", "shibumi3d")
        self._errors = (place / "atspi.log").open("w+")
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self._errors}
        self.reader = self._start(SYSTEM, str(Path(__file__).with_name("atspi.py")), **pipes)
        assert self._line() == "ready"

    def _start(self, *command: str, **more: Any) -> subprocess.Popen[str]:
        more.setdefault("stderr", subprocess.DEVNULL)
        process = subprocess.Popen(command, env=self._env, text=True, **more)
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
        assert self.reader.stdin is not None
        self.reader.stdin.write(json.dumps(what) + "\n")
        self.reader.stdin.flush()
        found = json.loads(self._line())
        assert not (isinstance(found, dict) and "error" in found), found["error"]
        return found

    def _line(self) -> str:
        """Return the next answer from the AT-SPI client; fail if the program hangs or the client has ended."""
        assert self.reader.stdout is not None
        assert select.select([self.reader.stdout], [], [], WAIT)[0], "the program does not answer"
        line = self.reader.stdout.readline().strip()
        if not line:
            status = self.reader.wait(WAIT)
            self._errors.seek(0)
            pytest.fail(f"the AT-SPI client ended with status {status}: {self._errors.read()}")
        return line

    def rows(self) -> list[Row]:
        return [tuple(row) for row in self.ask(do="tree")]

    def until(self, what: Callable[[list[Row]], Any], seconds: float = WAIT) -> Any:
        end = time.monotonic() + seconds
        while True:
            rows = self.rows()
            found = what(rows)
            if found:
                return found
            assert time.monotonic() < end, "\n".join(map(str, rows))
            time.sleep(0.3)  # reading the whole tree takes the program time too

    def press(self, name: str) -> None:
        """Wait for the control called ``name``, and press it.

        If no control has exactly this name, the first one whose name begins with ``name`` is pressed.
        """
        self.until(
            lambda rows: (
                any(row[2].startswith(name) and "click" in row[3] for row in rows)
                and self.ask(do="press", name=name)
            )
        )

    def close(self) -> None:
        for process in reversed(self._running):
            process.terminate()
        for process in self._running:
            process.wait(WAIT)
        self._errors.close()
        self._sockets.cleanup()


@pytest.fixture(scope="module")
def program(
    display: str,  # noqa: F811
    tmp_path_factory: pytest.TempPathFactory,
    in_ci: bool,
) -> Iterator[AccessibleProgram]:
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
    reader = AccessibleProgram(display, tmp_path_factory.mktemp("screen_reader"))
    try:
        yield reader
    finally:
        reader.close()


@pytest.fixture
def reader(program: AccessibleProgram) -> AccessibleProgram:
    """The program, started once for this module, showing the home page."""
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        names = {row[2] for row in program.rows()}
        if "Search games" in names:
            return program
        # The computer may move in between, so that a button that was read no longer exists; then try again.
        back_buttons = [name for name in sorted(names) if name.startswith("Back to ")]
        for name in ("Hold to show the table", "Games", "Deals", *back_buttons, "Continue", "Close"):
            if name in names:
                program.ask(do="press", name=name)
                break
        time.sleep(0.3)
    raise AssertionError("no way back to the games")


def press_card(reader: AccessibleProgram, title: str) -> None:
    """Wait until the card of the game called ``title`` is available, and press it.

    A card is recognized by its accessible name, in which the title of the game is followed by the number of players. If
    the card is the first in a group, the name of the group comes before the title.
    """
    pattern = re.compile(rf"(?:[\w ]+\. )?{title}\. (?:\d|solo)")
    reader.press(reader.until(lambda rows: [row[2] for row in rows if pattern.match(row[2])])[0])


def press_card_to_start(reader: AccessibleProgram, title: str) -> None:
    """Press the card of a game, and then *Play* unless the card has started a match.

    The card of a game that is already selected starts a match.
    """
    press_card(reader, title)
    time.sleep(2)
    if not names_starting_with(reader.rows(), "Next turn, shortcut "):
        reader.press("Play")


POINT = re.compile(r"[A-D][a-d]\d, ")


def points(rows: list[Row]) -> list[str]:
    return [name for _, _, name, acts in rows if POINT.match(name) and "click" in acts]


def test_spline_match_is_played_to_the_end(reader: AccessibleProgram) -> None:
    """Start a match against the computer from the home page, and choose the first free point until somebody has won."""
    press_card_to_start(reader, "Spline")

    def next_choices(rows: list[Row]) -> list[str]:
        return [name for _, _, name, _ in rows if name.startswith("Rematch")] or points(rows)

    for _ in range(30):
        choice = reader.until(next_choices)[0]
        if not POINT.match(choice):
            break
        reader.press(choice)
        reader.until(lambda rows, choice=choice: choice not in points(rows))
    assert choice.startswith("Rematch")
    # The marbles on the board are exposed with their colours.
    names = [name for _, _, name, _ in reader.rows()]
    assert sum(", white" in name for name in names) >= 3
    assert sum(", black" in name for name in names) >= 3


def names_starting_with(rows: list[Row], begin: str) -> list[str]:
    return [row[2] for row in rows if row[2].startswith(begin)]


@THOROUGH
def test_puzzle_is_played_to_the_end_with_a_hint(reader: AccessibleProgram) -> None:
    """In Spuzzle on the smallest board, the first move follows the hint.

    Every later move takes the last free point in the list.
    """
    reader.press("Spuzzle. ")
    reader.until(
        lambda rows: names_starting_with(rows, "Spuzzle. N") and "3" in names_starting_with(rows, "3")
    )
    reader.press("3")
    reader.press("Play")
    reader.press("Hint")
    near = reader.until(lambda rows: [name for name in points(rows) if ", marked" in name])
    reader.press("Hint")
    sentence = re.compile(r"(White|Black|Red) on (A[abc]\d)\b[^C]*\.")
    colour, point = reader.until(
        lambda rows: [found.groups() for row in rows if (found := sentence.fullmatch(row[2]))]
    )[0]
    assert point in [name[:3] for name in near]
    assert [name[:3] for name in points(reader.rows()) if ", marked" in name] == [point]
    reader.press(colour)
    reader.until(lambda rows: names_starting_with(rows, f"{colour}, selected"))
    reader.press(f"{point}, ")
    reader.until(lambda rows: names_starting_with(rows, f"{point}, {colour.lower()}"))
    assert any("1 hint" in row[2] for row in reader.rows())

    def next_choices(rows: list[Row]) -> list[str]:
        return names_starting_with(rows, "Play again") or points(rows)

    for _ in range(14):
        choice = reader.until(next_choices)[-1]
        if not POINT.match(choice):
            break
        reader.press(choice)
        reader.until(lambda rows, choice=choice: choice not in points(rows))
    rows = reader.until(lambda rows: rows if names_starting_with(rows, "Play again") else None)
    stand = [row for row in rows if re.match(r"[ABC][abc]\d, (white|black|red)", row[2])]
    assert any(f" {len(stand)} of 14 points" in row[2] for row in rows)


@pytest.mark.parametrize(
    ("game", "choice"),
    some([("The Golden Spiral", "Set 3, shortcut 3"), ("Hyena Spiral", "Throw, shortcut 1")], 1),
)
def test_turn_is_played_at_another_table(reader: AccessibleProgram, game: str, choice: str) -> None:
    reader.press(f"{game}. ")
    reader.until(
        lambda rows: names_starting_with(rows, f"{game}. 2") and "Play" in names_starting_with(rows, "Play")
    )
    reader.press("Play")
    reader.press("Moves and rules")

    def move_rows(rows: list[Row]) -> list[Row]:
        return rows[next((n for n, row in enumerate(rows) if row[1:3] == ("list box", "Moves")), len(rows)) :]

    def ready(rows: list[Row]) -> tuple[str, list[Row]] | None:
        names = [row[2] for row in rows if re.fullmatch(choice, row[2])]
        return (names[0], move_rows(rows)) if names else None

    name, before = reader.until(ready)
    reader.press(name)
    reader.until(lambda rows: len(move_rows(rows)) > len(before))


def test_arcanoid_turn_is_played_from_card_to_pile(reader: AccessibleProgram) -> None:
    """The player discards a card by pressing it and the pile, and then the computer moves.

    If the computer goes first, the cards become clickable once it has moved.
    """
    press_card(reader, "Arcanoid")
    reader.until(lambda rows: names_starting_with(rows, "Arcanoid. "))
    reader.press("Play")
    reader.press("Moves and rules")

    def rows_below(rows: list[Row], role: str, name: str) -> list[Row]:
        at = next((n for n, row in enumerate(rows) if row[1:3] == (role, name)), len(rows) - 1)
        end = (n for n, row in enumerate(rows) if n > at and row[0] <= rows[at][0])
        return rows[at + 1 : next(end, len(rows))]

    def ready(rows: list[Row]) -> list[str]:
        """Return the names of the clickable items on the table, cards in hand first.

        If the program asks whether to play the Fool, decline and return [] instead.
        """
        lets = names_starting_with(rows_below(rows, "list box", "Choices"), "Let it go")
        if lets:  # the computer has engaged, and the Fool is in our hand
            reader.press(lets[0])
            return []
        return [row[2] for row in rows_below(rows, "panel", "Table") if "click" in row[3]]

    # A press has no effect while the computer's move arrives, so it is repeated.
    for again in (True, True, False):
        card = reader.until(ready)[0]
        reader.press(card)
        with suppress(AssertionError) if again else nullcontext():
            reader.until(lambda rows: names_starting_with(rows, f"{card}, selected"), 10.0)  # noqa: B023  # called at once
            break
    name = re.match(r"[\w ]+\w", card.replace("The ", "the "))
    assert name is not None
    reader.press("Discard pile: ")

    def moves_after_discard(rows: list[Row]) -> list[str]:
        """Return the numbered rows that follow the player's discard in the move list.

        The discard itself has no number if the player first had to answer whether to play the Fool.
        """
        moves = [row[2] for row in rows_below(rows, "list box", "Moves")]
        later = dropwhile(lambda move: not re.match(rf"(\d+\. )?Discard {name[0]}(: |$)", move), moves)
        return [move for move in list(later)[1:] if re.match(r"\d+\. ", move)]

    reader.until(moves_after_discard)
    reader.until(lambda rows: "click" in next(row for row in rows if row[2].startswith("Undo, "))[3])


@THOROUGH
def test_problem_is_solved_after_a_wrong_turn(reader: AccessibleProgram) -> None:
    reader.press("Problems")
    reader.press(reader.until(lambda rows: [row[2] for row in rows if row[2].endswith(". Spline")])[0])
    reader.press("Solve")
    wins = reader.until(lambda rows: [name for name in points(rows) if "wins" in name])
    reader.press(next(name for name in points(reader.rows()) if name not in wins))
    reader.press("Try again")
    reader.until(lambda rows: wins[0] in points(rows))
    reader.press(wins[0])
    reader.until(lambda rows: names_starting_with(rows, "Next"))
    reader.until(lambda rows: not names_starting_with(rows, "Show solution"))


def test_text_caret_and_selection_are_exposed(reader: AccessibleProgram) -> None:
    """A screen reader is notified when the caret moves, and can move the caret and select text."""
    reader.press("Design a game")
    reader.until(lambda rows: names_starting_with(rows, "Game text"))

    def text() -> Any:
        return reader.ask(do="text", name="Game text")

    words, caret, selected = text()
    assert words.startswith("title: My game\nplayers: 2\n")
    assert (caret, selected) == (0, [])
    assert reader.ask(do="focus", name="Game text")
    reader.ask(do="carets")
    assert reader.ask(do="select", name="Game text", first="15", last="15")
    reader.until(lambda rows: names_starting_with(rows, "Game text 2:1"))
    assert text()[1:] == [15, []]
    assert reader.ask(do="carets") == [15]
    assert reader.ask(do="select", name="Game text", first="7", last="17")
    reader.until(lambda rows: names_starting_with(rows, "Game text 2:3"))
    assert text()[1:] == [17, [[7, 17]]]
    assert reader.ask(do="carets") == [17]


GAME = "title: Heard\nplayers: 2\nturn:\n- place: own\n", "end:\n- when: stuck\n", "lose: mover"
"""Text of a game, in the parts in which it is typed. The editor indents automatically, and a Backspace before the
second part removes the indentation."""


@THOROUGH
def test_game_is_written_and_tested(reader: AccessibleProgram) -> None:
    """AccessKit can't set text under X11, so the text is typed through the AT-SPI registry."""
    reader.press("Design a game")
    reader.until(lambda rows: names_starting_with(rows, "Game text"))
    assert reader.ask(do="focus", name="Game text")
    reader.ask(do="ctrl", key="a")
    reader.ask(do="type", text=GAME[0])
    reader.ask(do="type", text="\b" + GAME[1])
    reader.ask(do="type", text=GAME[2])
    reader.until(lambda rows: names_starting_with(rows, "Heard") and names_starting_with(rows, "No errors"))
    reader.press("Play")
    choice = reader.until(points)[0]
    reader.press(choice)
    reader.until(lambda rows: choice not in points(rows))


def test_buttons_and_switches_expose_their_states(reader: AccessibleProgram) -> None:
    """*Next turn* is disabled at the start of a match, and the sound button is pressed while sound is on."""
    assert "pressed" not in reader.ask(do="states", name="Night theme")
    press_card_to_start(reader, "Spline")
    reader.until(lambda rows: names_starting_with(rows, "Next turn, shortcut "))
    assert not {"enabled", "sensitive"} & set(reader.ask(do="states", name="Next turn, shortcut "))
    assert {"enabled", "sensitive"} <= set(reader.ask(do="states", name="Rules, shortcut "))
    on = reader.ask(do="states", name="Sound, shortcut ")
    reader.press("Sound, shortcut ")
    reader.until(lambda rows: reader.ask(do="states", name="Sound, shortcut ") != on)
    assert {"pressed", "checked"} & set(on)
    assert not {"pressed", "checked"} & set(reader.ask(do="states", name="Sound, shortcut "))
    reader.press("Sound, shortcut ")


def test_privacy_screen_protects_secrets_in_springe(reader: AccessibleProgram) -> None:
    """The privacy screen reveals only the name of the player to move until it is opened.

    After player 2 has opened it, the screen reader still reads player 1's secret choices as hidden.
    """
    reader.press("Springe. ")
    reader.until(lambda rows: names_starting_with(rows, "Springe. Nathan Morse"))
    reader.press("Seat 2: adapts to me")
    reader.press("Human")
    reader.press("Play")

    def look(who: str) -> None:
        rows = reader.until(
            lambda rows: (
                rows
                if names_starting_with(rows, "Hold to show the table") and names_starting_with(rows, who)
                else None
            )
        )
        assert [row[2] for row in rows if "click" in row[3]] == ["Hold to show the table", "Games"]
        reader.press("Hold to show the table")

    look("Player 1")
    reader.press("White to the left")
    reader.press("White to the right")
    look("Player 2")
    seats = reader.until(lambda rows: names_starting_with(rows, "Player 1: "))
    assert "left: hidden · right: hidden" in seats[0]
    reader.until(lambda rows: any("click" in row[3] and row[2].startswith("Left") for row in rows))
