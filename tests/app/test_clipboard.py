"""Copying to and from other programs on a real display, including programs that behave badly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from shibumi3d.app.platform.x11_selections import TRANSFER_SECONDS
from shibumi3d.app.shell.clipboard import MAX_TEXT_BYTES, Clipboard, ClipboardError
from tests.app.test_real_window import Desk, cache, desk, display
from tests.share import THOROUGH

__all__ = ["cache", "desk", "display"]

SILENT = "The program you copied from isn't responding."
NO_TEXT = "The clipboard doesn't contain text."
NOT_UTF8 = "The text on the clipboard can't be read: it isn't valid UTF-8."
TOO_LONG = "The text on the clipboard is too long."


def services(write: Callable[[str], None], read: Callable[[], object]) -> Any:
    return SimpleNamespace(write_clipboard=write, read_clipboard=read)


class Bench:
    """The program's clipboard and the programs it exchanges text with, each in its own process."""

    def __init__(self, display: str) -> None:
        self.environment = {**os.environ, "DISPLAY": display}
        self.processes: list[subprocess.Popen[str]] = []
        self.program = self.start("program")

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.app.x11", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=self.environment,
            text=True,
        )
        self.processes.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return process

    def owner(self, mode: str) -> subprocess.Popen[str]:
        return self.start("own", mode)

    def do(self, what: str) -> tuple[Any, list[str], float]:
        """Send a command to the program's clipboard; return its result, the messages shown and the seconds it took."""
        assert self.program.stdin is not None
        assert self.program.stdout is not None
        self.program.stdin.write(f"{what}\n")
        self.program.stdin.flush()
        found, output, took = json.loads(self.program.stdout.readline())
        return found, output, took

    def take(self, form: str) -> Any:
        """Return what another program gets if it requests the clipboard in the format ``form``.

        This is a list of the type, the data (decoded as Latin-1) and the number of pieces in which the data came. If
        the data is a list of formats, only their sorted names are returned; if the request is refused, None.
        """
        done = subprocess.run(
            [sys.executable, "-m", "tests.app.x11", "take", form],
            stdout=subprocess.PIPE,
            env=self.environment,
            text=True,
            timeout=60,
            check=True,
        )
        return json.loads(done.stdout)

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.communicate()


@pytest.fixture
def bench(display: str) -> Iterator[Bench]:
    bench = Bench(display)
    yield bench
    bench.close()


@pytest.mark.display
def test_empty_clipboard_is_reported(bench: Bench) -> None:
    assert bench.do("read")[:2] == ("", [])


@pytest.mark.display
@pytest.mark.parametrize(
    ("mode", "text", "expected"),
    [
        ("text", "Zoë 弈 🙂", []),
        ("latin", "Zoë", []),
        ("compound", "Zoë αβ", []),
        ("mime", "Zoë", []),
        ("zero", "Zoe", []),
        ("empty", "", []),
        ("untold", "Zoë 弈 🙂", []),
        ("large", "".join(f"line {n} é\n" for n in range(60_000)), []),
        ("broken", "", [NOT_UTF8]),
        ("picture", "", [NO_TEXT]),
        ("odd", "", [NO_TEXT]),
        ("huge", "", [TOO_LONG]),
        ("silent", "", [SILENT]),
        ("stuck", "", [SILENT]),
        ("dead", "", [SILENT]),
    ],
)
def test_text_copied_by_other_programs_is_read(
    bench: Bench, mode: str, text: str, expected: list[str]
) -> None:
    bench.owner(mode)
    assert bench.do("read")[:2] == (text, expected)
    # The next owner's text is read as usual.
    bench.owner("latin")
    assert bench.do("read")[:2] == ("Zoë", [])


@pytest.mark.display
def test_late_clipboard_reply_is_discarded(bench: Bench) -> None:
    assert TRANSFER_SECONDS < 1
    owner = bench.owner("late")
    assert bench.do("read")[:2] == ("", [SILENT])
    assert bench.do("read")[:2] == ("second", [])
    assert owner.poll() is None


@pytest.mark.display
def test_other_programs_can_paste_copied_text(bench: Bench) -> None:
    bench.do('write "Zo\\u00eb \\u5f08"')
    zoe = "Zoë 弈".encode().decode("latin-1")
    assert bench.take("UTF8_STRING") == ["UTF8_STRING", zoe, 1]
    assert bench.take("text/plain;charset=utf-8") == ["text/plain;charset=utf-8", zoe, 1]
    assert bench.take("STRING") is None
    assert bench.take("image/png") is None
    assert {"TARGETS", "UTF8_STRING"} <= set(bench.take("TARGETS"))
    assert "STRING" not in bench.take("TARGETS")
    bench.do('write "Zo\\u00eb"')
    assert bench.take("STRING") == ["STRING", "Zoë", 1]
    assert bench.do("read")[:2] == ("Zoë", [])
    bench.owner("mime")
    assert bench.do("read")[:2] == ("Zoë", [])


@pytest.mark.display
def test_large_texts_are_transferred_incrementally(bench: Bench) -> None:
    bench.do("write LARGE")
    kind, data, pieces = bench.take("UTF8_STRING")
    assert kind == "UTF8_STRING"
    assert data.encode("latin-1").decode() == "".join(f"line {n} é\n" for n in range(60_000))
    assert pieces > 10


def raises(problem: Exception) -> Callable[[], str]:
    def read() -> str:
        raise problem

    return read


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        (lambda: "ab\ud800", NOT_UTF8),
        (lambda: None, NO_TEXT),
        (lambda: b"ab", NO_TEXT),
        (lambda: "x" * (MAX_TEXT_BYTES + 1), TOO_LONG),
        (raises(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no")), NOT_UTF8),
        (raises(OSError("no")), "Copy and paste aren't available here."),
        (raises(NotImplementedError()), "Copy and paste aren't available here."),
        (raises(ClipboardError(SILENT)), SILENT),
    ],
)
def test_clipboard_content_is_validated_on_every_platform(read: Callable[[], Any], expected: str) -> None:
    shown_messages: list[str] = []
    assert Clipboard(services(lambda text: None, read), shown_messages.append).paste() == ""
    assert shown_messages == [expected]


def test_copy_failure_is_reported() -> None:
    shown_messages: list[str] = []

    def write(text: str) -> None:
        raise ClipboardError("Couldn't copy: the system didn't allow it.")

    assert not Clipboard(services(write, str), shown_messages.append).copy("x")
    assert shown_messages == ["Couldn't copy: the system didn't allow it."]
    assert Clipboard(services(lambda text: None, str), shown_messages.append).copy("")


@THOROUGH
@pytest.mark.display
def test_window_survives_any_clipboard_content(desk: Desk) -> None:
    owners: list[subprocess.Popen[str]] = []

    def own(mode: str) -> None:
        owner = subprocess.Popen(
            [sys.executable, "-m", "tests.app.x11", "own", mode],
            stdout=subprocess.PIPE,
            env=desk.environment,
            text=True,
        )
        owners.append(owner)
        assert owner.stdout is not None
        assert owner.stdout.readline() == "ready\n"

    desk.open("play", "spline")
    desk.choose("Aa1", 1)
    for mode in ("silent", "broken", "stuck", "huge", "picture", "large"):
        own(mode)
        desk.key("ctrl+v")
        desk.until(lambda seen: "go on" in seen["widgets"])
        desk.key("Return")
        desk.until(lambda seen: "go on" not in seen["widgets"])
    desk.choose("Ab1", 2)
    # Text copied in the window can be pasted elsewhere and in the window.
    desk.key("ctrl+c")
    desk.until(lambda seen: seen["note"])
    desk.do("keydown", "ctrl", "keydown", "z")
    desk.until(lambda seen: not seen["plies"])
    desk.do("keyup", "z", "keyup", "ctrl")
    desk.key("ctrl+v")
    desk.made(2)
    assert desk.close() == 0
    assert desk.errors.read_text() == ""
    for owner in owners:
        owner.kill()
        owner.communicate()
