"""An exception in an event handler is shown and logged, and the page stays usable."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from shibumi3d.app.host.dialogs import MessageCard
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.shell import crash_reporting
from shibumi3d.app.shell.crash_reporting import (
    FAILURE_RESET_SECONDS,
    MAX_REPEATED_FAILURES,
    FailureCounter,
    start_log,
)
from tests.app.hand import Hand


class Broken(Exception):
    """An unexpected error."""


def raise_broken(*given: object, **named: object) -> None:
    raise Broken("the cat sat on it")


@pytest.fixture
def fresh_window(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> Hand:
    """The program with no failures recorded and pyglet's exit disabled."""
    monkeypatch.setattr(hand.window, "_failures", FailureCounter(time.monotonic))
    monkeypatch.setattr(hand.window, "_fatal_error", None)
    monkeypatch.setattr(hand.window.pyglet.app, "exit", lambda: None)  # type: ignore[attr-defined]
    return hand


def press_key(hand: Hand) -> None:
    hand.key("x")


def type_text(hand: Hand) -> None:
    hand.type("x")


def move_pointer(hand: Hand) -> None:
    hand.point(300, 300)


def scroll_wheel(hand: Hand) -> None:
    hand.native.dispatch_event("on_mouse_scroll", 300, 300, 0, 1)


def run_scheduled(hand: Hand) -> None:
    hand.window._run_scheduled(raise_broken)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("what", "where"),
    [
        (press_key, "key_press"),
        (type_text, "type_text"),
        (move_pointer, "mouse_move"),
        (scroll_wheel, "mouse_scroll"),
        (run_scheduled, "size"),
    ],
)
def test_handler_error_is_reported_and_the_page_stays(
    fresh_window: Hand, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
    what: Callable[[Hand], None], where: str,
) -> None:  # fmt: skip
    play = fresh_window.start("spline")
    fresh_window.choose("Aa1")
    with monkeypatch.context() as patch, caplog.at_level(logging.ERROR, "shibumi3d"):
        if where != "size":
            patch.setattr(fresh_window.app.root, where, raise_broken)
        what(fresh_window)
    assert fresh_window.app.current_page is play
    assert fresh_window.moves == ["W@Aa1"]
    assert "Broken: the cat sat on it" in fresh_window.floating(MessageCard).message_label.caption
    (record,) = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[0] is Broken
    fresh_window.key("enter")
    assert not fresh_window.app.root.popups


def test_page_that_cannot_be_drawn_is_left_before_the_program_ends(
    fresh_window: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = fresh_window.start("spline")
    monkeypatch.setattr(fresh_window.app, "draw", raise_broken)
    fresh_window.draw()
    assert fresh_window.app.current_page is play
    fresh_window.draw()
    assert isinstance(fresh_window.app.current_page, HomePage)
    for _ in range(MAX_REPEATED_FAILURES - 3):
        fresh_window.draw()
    with pytest.raises(Broken):
        fresh_window.draw()


def test_occasional_errors_do_not_end_the_program(
    fresh_window: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Errors with enough time between them don't add up, and the same message isn't shown twice at once."""
    now = [0.0]
    monkeypatch.setattr(
        crash_reporting.FailureCounter, "log_failure", _later(now, crash_reporting.FailureCounter.log_failure)
    )
    monkeypatch.setattr(fresh_window.window, "_failures", FailureCounter(lambda: now[0]))
    play = fresh_window.start("spline")
    monkeypatch.setattr(fresh_window.app.root, "key_press", raise_broken)
    for _ in range(MAX_REPEATED_FAILURES + 2):
        fresh_window.key("x")
    assert fresh_window.app.current_page is play
    assert len(fresh_window.app.root.popups) == 1


def _later(
    now: list[float], log_failure: Callable[[FailureCounter, Exception, float], int]
) -> Callable[[FailureCounter, Exception, float], int]:
    """Return a version of ``log_failure`` that treats each failure as coming long after the previous one.

    ``now`` is a list whose only item is the current time, in seconds. At each failure, this time is advanced by one
    second more than ``FAILURE_RESET_SECONDS``, and then passed to ``log_failure`` instead of the time given by the
    caller.
    """

    def log_later(self: FailureCounter, problem: Exception, started_at: float) -> int:
        now[0] += FAILURE_RESET_SECONDS + 1
        return log_failure(self, problem, now[0])

    return log_later


def test_repeated_errors_are_counted_and_reset_by_another() -> None:
    counted = FailureCounter(lambda: 10.0)

    def log(problem: type[Exception], started_at: float) -> int:
        try:
            raise problem
        except Exception as raised:
            times = counted.log_failure(raised, started_at)
            counted.mark_reported()
            return times

    assert [log(Broken, 10.0), log(Broken, 10.5), log(Broken, 10 + FAILURE_RESET_SECONDS)] == [1, 2, 1]
    assert [log(Broken, 10.0), log(ValueError, 10.0), log(Broken, 10.0)] == [2, 1, 1]


def test_log_contains_the_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crash_reporting, "log", logging.Logger("another"))
    path = start_log(tmp_path / "state")
    assert path == tmp_path / "state" / "errors.log"
    try:
        raise_broken()
    except Broken as problem:
        FailureCounter(lambda: 0.0).log_failure(problem, 0.0)
    log = path.read_text("utf-8")
    assert "the cat sat on it" in log
    assert "test_crash_reporting.py" in log
    (tmp_path / "file").write_text("")
    assert start_log(tmp_path / "file" / "below") is None
