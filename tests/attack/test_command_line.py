"""The command line with closed or full streams and with absurd input never prints a traceback."""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from textwrap import indent
from time import process_time
from typing import TYPE_CHECKING

import pytest

from shibumi3d.cli.main import make_parser
from shibumi3d.match.match import Match
from shibumi3d.match.store import MatchStore
from tests.typed_lines import make_reader
from tests.yardstick import in_time

if TYPE_CHECKING:
    from tests.cli.conftest import Run

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs sh and /dev/full")

ENDLESS = """\
title: Endless
vars: {n: 0}
turn:
  - pick: Aa1
  - repeat: {let: {n: n + 1}}
end: [{when: stuck, lose: me}]
"""
"""Rules that can be loaded, but fail in the first turn."""


PROGRAMS = {"shibumi3d": "-m shibumi3d", "build-native": "-m shibumi3d.build_native"}
"""The arguments with which Python starts each program."""
UNBUFFERED = pytest.mark.parametrize("unbuffered", ["", "1"])
"""Runs a test with buffered and with unbuffered output, since failed writes are noticed at different times."""


def shell(line: str, unbuffered: str = "") -> subprocess.CompletedProcess[str]:
    """Run a shell command that begins with one of the :data:`PROGRAMS`.

    ``unbuffered`` is the value of the environment variable PYTHONUNBUFFERED.
    """
    for name, arguments in PROGRAMS.items():
        line = line.replace(name, f"'{sys.executable}' {arguments}") if line.startswith(name) else line
    return subprocess.run(
        ["sh", "-c", line],
        capture_output=True,
        text=True,
        encoding="utf-8",
        input="",
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        check=False,
    )


@linux
@UNBUFFERED
class TestStreams:
    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("shibumi3d list >&-", "shibumi3d: Bad file descriptor"),
            ("shibumi3d list >/dev/full", "shibumi3d: the disk is full"),
            ("shibumi3d --help >/dev/full", "shibumi3d: the disk is full"),
            ("shibumi3d --version >/dev/full", "shibumi3d: the disk is full"),
            ("shibumi3d play spline --text >/dev/full", "shibumi3d: the disk is full"),
            ("build-native --help >/dev/full", "No space left on device"),
            ("build-native --help >&-", "Bad file descriptor"),
        ],
    )
    def test_lost_output_is_reported(self, line: str, message: str, unbuffered: str) -> None:
        done = shell(line, unbuffered)
        assert (done.returncode, done.stderr) == (1, f"{message}\n")

    @pytest.mark.parametrize(
        ("line", "code"),
        [
            ("shibumi3d list 2>&-", 0),
            ("shibumi3d selfplay spline --games 1 2>/dev/full", 0),
            ("shibumi3d play nosuch 2>&-", 1),
            ("shibumi3d play nosuch 2>/dev/full", 1),
            ("shibumi3d play nosuch <&- >&- 2>&-", 1),
            ("shibumi3d list >/dev/full 2>/dev/full", 1),
            ("shibumi3d --nosuch 2>/dev/full", 2),
            ("shibumi3d --nosuch >/dev/full 2>/dev/full", 2),
            ("build-native --remove --into x 2>/dev/full", 2),
            ("build-native --help 2>/dev/full", 0),
            ("build-native --help <&- >&- 2>&-", 1),
        ],
    )
    def test_unprintable_errors_keep_the_exit_code(self, line: str, code: int, unbuffered: str) -> None:
        done = shell(line, unbuffered)
        assert (done.returncode, done.stderr) == (code, "")

    def test_closed_input_counts_as_ended(self, unbuffered: str) -> None:
        done = shell("shibumi3d play spline --text <&-", unbuffered)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.endswith("Player 1 > \n")

    def test_opened_files_never_replace_closed_streams(self, tmp_path: Path, unbuffered: str) -> None:
        out = tmp_path / "out.md"
        out.write_text("<!-- games -->\n<!-- end -->\n")
        done = shell(f"shibumi3d list --markdown '{out}' <&- >&- 2>&-", unbuffered)
        assert done.returncode == 0
        assert out.read_text(encoding="utf-8").startswith("<!-- games -->\n| | game |")


CHILD = """
import subprocess, sys
from shibumi3d import entry

def work():
    look = "import os; [os.fstat(number) for number in range(3)]"
    return subprocess.run([sys.executable, "-c", look]).returncode

sys.exit(entry.run_entry_point(work))
"""


@linux
def test_child_processes_always_have_three_streams() -> None:
    """A program that is started with closed standard streams gives its child processes three open ones.

    If a standard stream were closed in a child, the first file that the child opens would take its place.
    """
    line = f"exec '{sys.executable}' -c '{CHILD}' <&- >&- 2>&-"
    assert subprocess.run(["sh", "-c", line], check=False).returncode == 0


PRINTER = "import sys; from shibumi3d import entry; sys.exit(entry.run_entry_point(lambda: print(1)))"


@linux
@UNBUFFERED
def test_output_failure_during_work_is_reported(unbuffered: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -c '{PRINTER}' >/dev/full"],
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "No space left on device\n")


STOPPED_AT = """
import atexit, os, signal, sys


def stop():
    os.kill(os.getpid(), signal.SIGINT)


class Stopper:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            stop()


if {module!r} == "exit":
    atexit.register(stop)
sys.meta_path.insert(0, Stopper())
"""
"""Source of a sitecustomize module, which Python runs before any program.

It simulates Ctrl-C when ``module`` is imported or, if ``module`` is "exit", when the program ends.
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="Ctrl-C is a signal")
@pytest.mark.parametrize("module", ["shibumi3d.native", "shibumi3d.paths", "shibumi3d.entry", "exit"])
@pytest.mark.parametrize(
    "program",
    [
        [str(Path(sys.executable).with_name("shibumi3d")), "list"],
        [sys.executable, "-m", "shibumi3d", "list"],
        [sys.executable, "-m", "shibumi3d.build_native", "--help"],
    ],
    ids=lambda words: words[-2],
)
def test_ctrl_c_before_and_after_all_work(tmp_path: Path, program: list[str], module: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(STOPPED_AT.format(module=module))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


INTERRUPTED = """
import os, signal, sys


class Stopper:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            os.kill(os.getpid(), signal.SIGINT)


sys.meta_path.insert(0, Stopper())
for name in ("argparse", "importlib.metadata"):
    sys.modules.pop(name, None)
sys.argv[1:] = ["list"]
from shibumi3d.cli.main import main

sys.exit(main())
"""


@pytest.mark.parametrize("module", ["argparse", "shibumi3d.cli.common", "yaml", "shibumi3d.cli.list"])
def test_ctrl_c_during_startup(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(module=module)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "\n")


def test_ctrl_c_during_play() -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "shibumi3d", "play", "spline", "--text"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert "level A" in child.stdout.readline()
    child.send_signal(signal.SIGINT)
    _, err = child.communicate()
    assert (child.returncode, err) == (130, "\n")


WHILE_FREED = """
def generate():
    try:
        yield
    finally:
        os.kill(os.getpid(), signal.SIGINT)

waiting = generate()
next(waiting)
del waiting
"""
MISSED = (
    """
send = signal.pthread_kill
sent = []

def miss_first(thread, number):
    sent.append(number)
    if len(sent) > 1:
        send(thread, number)

signal.pthread_kill = miss_first
"""
    + WHILE_FREED
)
IN_A_STRING = "exec('os.kill(os.getpid(), signal.SIGINT)')"
INTERRUPTED_AT = """
import os, signal, sys, time
from shibumi3d import entry

def work():
{moment}
    time.sleep(60)
    return 0

sys.exit(entry.run_entry_point(work))
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="Ctrl-C is a signal")
@pytest.mark.parametrize(
    "moment", [WHILE_FREED, MISSED, IN_A_STRING], ids=["while freed", "missed", "in a string"]
)
def test_no_ctrl_c_is_lost(moment: str) -> None:
    """Ctrl-C must end the program even at moments when Python would lose it or mishandle it.

    Python ignores exceptions raised while an object is freed. A signal that arrives just before a blocking call doesn't
    interrupt it. After an interrupt within exec(), Python ends as if the interrupt had not been caught.
    """
    code = INTERRUPTED_AT.format(moment=indent(moment, "    "))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=50, check=False
    )
    assert (done.returncode, done.stderr) == (130, "\n")


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines that are typed in the terminal; each test adds its own to this list."""
    waiting: list[str] = []
    monkeypatch.setattr("shibumi3d.cli.play.read_line", make_reader(waiting, print))
    return waiting


BAD = "\x1b[2J\x07\r\x9b31m\u202e\x7f"
"""Control characters that clear the screen, ring the bell, overwrite the line, and turn text red and right-to-left."""
CONTROL = re.compile(r"[^\n\t -~\xa0-\u2027\u202f-\u2065\u2070-\uffff\U00010000-\U0010ffff]")


class TestControlCharacters:
    """Control characters from any source are escaped: they could move the cursor of the terminal, or worse."""

    @pytest.mark.parametrize(
        "arguments",
        [
            ["perft", BAD, 1],
            [f"--{BAD}"],
            [BAD],
            ["perft", "spline", BAD],
            ["perft", "spline", 1, "--variant", BAD],
            ["replay", f"/{BAD}"],
            ["play", "spline", "--text", "--seats", f"{BAD},Ben,Cleo"],
        ],
    )
    def test_arguments_are_escaped(self, run: Run, arguments: list[object]) -> None:
        code, out, err = run(*arguments)
        assert code in (1, 2)
        assert not CONTROL.search(out + err)

    def test_typed_lines_are_escaped(self, run: Run, typed: list[str]) -> None:
        typed += [BAD, f"save {BAD}/x", f"save {BAD}\0", "quit"]
        code, out, err = run("play", "spline", "--text", "--seats", f"Ann{BAD},Ben")
        assert (code, err) == (0, "")
        assert not CONTROL.search(out)
        assert "'\\x1b[2J\\x07" in out

    def test_texts_from_files_are_escaped(self, run: Run, tmp_path: Path) -> None:
        game, record = tmp_path / f"{BAD}.yaml", tmp_path / "match.yaml"
        game.write_text(
            'title: "T\\e[31m"\nboards: {names: [b]}\nturn: {place: own}\nend: [{when: stuck, lose: me}]\n'
        )
        for arguments in (["check", game], ["rules", game], ["perft", game, 1], ["play", game, "--text"]):
            _, out, err = run(*arguments)
            assert not CONTROL.search(out + err)
        from shibumi3d.catalogue.catalogue import load_catalogue

        Match(load_catalogue().get("spline").game(), [f"Ann{BAD}", "Ben"]).record().save(record)
        code, out, _ = run("replay", record, "--text")
        assert code == 0
        assert not CONTROL.search(out)


LONG = "x" * 100_000
DIGITS = "9" * 5000


class TestLongInput:
    @pytest.mark.parametrize(
        "arguments",
        [
            ["play", LONG],
            [LONG],
            [f"--{LONG}"],
            ["rules", "spline", "--lang", LONG],
            ["rules", "spline", "--variant", LONG],
            ["perft", "spline", DIGITS],
            ["perft", "spline", "9" * 18],
            ["perft", "spline", 1, "--size", DIGITS],
            ["perft", "spline", 1, "--seed", DIGITS],
            ["perft", "spline", 1, "--seed", "9" * 19],
            ["perft", "spline", 1, "--players", DIGITS],
            ["play", "spline", "--text", "--seats", DIGITS],
            ["replay", LONG],
            ["shot", "spline", "--size", f"{DIGITS}x{DIGITS}", "--out", "x.png"],
        ],
        ids=lambda words: " ".join(str(word)[:10] for word in words),
    )
    def test_long_arguments_give_short_errors_quickly(self, run: Run, arguments: list[object]) -> None:
        started_at = process_time()
        code, out, err = run(*arguments)
        assert code in (1, 2)
        assert out == ""
        assert 10 < len(err) < 2500  # some errors follow the usage
        assert in_time(process_time() - started_at, 3)

    def test_long_typed_lines_give_short_errors(self, run: Run, typed: list[str]) -> None:
        typed += [LONG, DIGITS, f"save {LONG}", "save ~nosuchuser/x", "save a\0b", "quit"]
        started_at = process_time()
        code, out, err = run("play", "spline", "--text")
        assert (code, err) == (0, "")
        assert len(out) < 6000
        assert "the file name is too long" in out
        assert "Couldn't save ~nosuchuser/x: there is no such home folder." in out
        assert "Couldn't save a\\x00b: a path can't contain null characters." in out
        assert in_time(process_time() - started_at, 6)

    def test_long_names_in_files_give_short_errors(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "long.yaml"
        for text in (
            f"title: x\nturn: {{{LONG}: own}}\n",
            f"{LONG}: x\n",
            f"shibumi3d: 1\n{LONG}: 1\n",
            f"shibumi3d: 1\ngame: x\nsize: 4\nseats: [A]\nseed: 1\nmoves: ['\"{LONG}']\n",
        ):
            path.write_text(text)
            for command in (["check", path], ["replay", path, "--text"], ["perft", path, 1]):
                code, out, err = run(*command)
                assert code == 1
                assert len(out + err) < 3000


def options() -> list[tuple[str, str]]:
    """Return (command, option) for each option that takes exactly one value."""
    commands = next(a for a in make_parser()._actions if isinstance(a, argparse._SubParsersAction)).choices
    return [
        (name, action.option_strings[0])
        for name, command in commands.items()
        for action in command._actions
        if action.option_strings and action.nargs is None
    ]


@pytest.mark.parametrize(("command", "option"), options())
def test_option_value_of_two_dashes_is_rejected(run: Run, command: str, option: str) -> None:
    code, _, err = run(command, f"{option}=--")
    assert code == 2
    assert f"{option}: expected one argument" in err


class TestCommands:
    def test_rule_failure_is_reported_by_every_command(
        self, run: Run, tmp_path: Path, typed: list[str]
    ) -> None:
        path = tmp_path / "endless.yaml"
        path.write_text(ENDLESS)
        assert run("check", path).code == 0
        for command in (["perft", path, 2], ["selfplay", path, "--games", 1]):
            code, _, err = run(*command)
            assert code == 1
            assert f"a 'repeat' never ends ({path}, line 5)" in err or command[0] == "perft"
        typed += ["Aa1", "quit"]
        code, out, err = run("play", path, "--text")
        assert (code, err) == (0, "")
        assert f"a 'repeat' never ends ({path}, line 5)." in out

    def test_markdown_list_refuses_a_binary_file(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "x"
        path.write_bytes(b"\xff\xfe<!-- games -->\n<!-- end -->")
        assert run("list", "--markdown", path) == (1, "", f"shibumi3d: {path} is not a UTF-8 text file\n")
        assert path.read_bytes() == b"\xff\xfe<!-- games -->\n<!-- end -->"

    @linux
    def test_terminal_play_continues_when_nothing_can_be_saved(
        self, run: Run, typed: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", "/proc")
        typed += ["W@Aa1", "quit"]
        code, out, err = run("play", "spline", "--text")
        assert (code, err) == (0, "")
        assert out.startswith("Couldn't save the game: ")
        assert out.rstrip().endswith("Player 2 >")

    def test_deleted_match_folder_is_reported_during_play(
        self, run: Run, typed: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        keep = MatchStore.save_new

        def kept(store: MatchStore, match: Match, now: object) -> Path:
            path = keep(store, match, now)  # type: ignore[arg-type]
            store.release()
            store.folder.rmdir()
            return path

        monkeypatch.setattr(MatchStore, "save_new", kept)
        typed += ["W@Aa1", "B@Ab1", "quit"]
        code, out, err = run("play", "spline", "--text")
        assert (code, err) == (0, "")
        assert out.count("Couldn't save the game: no such file or folder.") == 1
        assert out.rstrip().endswith("Player 1 >")

    def test_match_open_elsewhere_is_resumed_as_a_copy(self, run: Run, typed: list[str]) -> None:
        typed += ["W@Aa1", "quit"]
        run("play", "spline", "--text")
        other = MatchStore()
        (first,) = other.list_files()
        assert other.claim(first.path)
        typed += ["B@Ab1", "quit"]
        _, out, _ = run("play", "--resume", "--text")
        assert "This game is already open in another window, so you are playing a copy of it." in out
        turns = {saved.path: saved.record.turns for saved in MatchStore().list_files() if saved.record}
        assert turns.pop(first.path) == (("W@Aa1",),)
        assert list(turns.values()) == [(("W@Aa1",), ("B@Ab1",))]
