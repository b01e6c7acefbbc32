"""Common wrapper for all entry points, which handles Ctrl-C and closed or full standard streams."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import time
from contextlib import redirect_stderr, redirect_stdout, suppress
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

INTERRUPTED_STATUS = 130
"""Exit status after Ctrl-C, following the shell convention."""


def run_entry_point(main: Callable[[], int]) -> int:
    """Run ``main`` and return its exit status, or :data:`INTERRUPTED_STATUS` after Ctrl-C.

    Problems with the standard streams don't affect the status, except that success becomes failure if output was lost.
    """
    # Ctrl-C ends the process at once while the package loads, and again while Python shuts down.
    abrupt = signal.getsignal(signal.SIGINT) is signal.SIG_DFL
    hook = sys.unraisablehook
    sys.unraisablehook = _redelivering_interrupts(hook)
    try:
        if abrupt:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        _open_streams()
        with redirect_stdout(_RememberingOutput(sys.stdout)), redirect_stderr(_ForgivingErrors(sys.stderr)):
            return _run_and_flush(main)
    except KeyboardInterrupt:
        # If Ctrl-C was raised in a string that exec() ran, Python would use a different exit status until the next
        # exec().
        exec("pass")
        with suppress(OSError):
            print(file=sys.stderr)
        return INTERRUPTED_STATUS
    finally:
        if abrupt:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        sys.unraisablehook = hook
        flush_or_discard(sys.stderr)


def _redelivering_interrupts(
    hook: Callable[[sys.UnraisableHookArgs], object],
) -> Callable[[sys.UnraisableHookArgs], None]:
    """Return a replacement for ``sys.unraisablehook`` that sends Ctrl-C again if it was lost.

    Python can't raise KeyboardInterrupt out of some code, such as ``__del__``, and calls the hook instead. Other
    exceptions are passed on to ``hook``.
    """

    def interrupt(lost: sys.UnraisableHookArgs) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            hook(lost)
            return
        handler = signal.getsignal(signal.SIGINT)
        delivered: list[bool] = []

        def deliver(number: int, frame: FrameType | None) -> None:
            # Python can't raise it in this function either, so the signal is sent again.
            if frame is not None and frame.f_code is interrupt.__code__:
                return
            delivered.append(True)
            signal.signal(signal.SIGINT, handler)
            if callable(handler):
                handler(number, frame)

        signal.signal(signal.SIGINT, deliver)
        _thread.start_new_thread(_send_interrupts, (_thread.get_ident(), delivered))

    return interrupt


def _send_interrupts(thread: int, delivered: list[bool]) -> None:
    """Send Ctrl-C to ``thread`` until ``delivered`` is no longer empty.

    Sending it once isn't enough, because a signal that arrives just before a blocking call doesn't interrupt that call.
    """
    while not delivered:
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(thread, signal.SIGINT)
        else:
            _thread.interrupt_main()
        time.sleep(0.01)


def _run_and_flush(main: Callable[[], int]) -> int:
    try:
        status = main()
    except SystemExit as stop:
        if (problem := flush_or_discard(sys.stdout)) and not stop.code:
            raise SystemExit(_report_lost_output(problem)) from None
        raise
    except OSError as problem:
        if flush_or_discard(sys.stdout) is None:
            raise
        return _report_lost_output(problem)
    except BaseException:
        flush_or_discard(sys.stdout)
        raise
    unwritten = flush_or_discard(sys.stdout)
    return _report_lost_output(unwritten) if unwritten and not status else status


def _report_lost_output(problem: Exception) -> int:
    print(getattr(problem, "strerror", None) or problem, file=sys.stderr)
    return 1


def flush_or_discard(stream: TextIO) -> Exception | None:
    """Flush a stream, and return the error if that fails, else None.

    After an error, the remaining output is discarded, so that Python doesn't try again at exit and set the exit status
    to 120.
    """
    try:
        stream.flush()
    except (OSError, ValueError) as problem:
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
        return problem
    return None


class _RememberingOutput:
    """Wrapper of standard output that remembers write errors, because callers of ``print`` may ignore them."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._problem: OSError | None = None

    def write(self, text: str) -> int:
        try:
            self._stream.write(text)
        except OSError as problem:
            self._problem = problem
            raise
        return len(text)

    def flush(self) -> None:
        """Flush the stream; raise OSError if any earlier write failed."""
        self._stream.flush()
        if self._problem is not None:
            raise self._problem

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _ForgivingErrors(_RememberingOutput):
    """Wrapper of standard error that ignores write errors."""

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


def _open_streams() -> None:
    """Make the standard streams usable if they are closed or have a limited encoding.

    A closed stream is replaced, so that no file opened later gets its descriptor. The replacement for standard input is
    empty, and the one for standard error discards all text. Writing to the replacement for standard output fails, so
    that the program reports the lost output as an error. Characters that the encoding of an output stream doesn't
    support are replaced.
    """
    for number, (name, way) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        stream = getattr(sys, name)
        if stream is None:
            with suppress(OSError):
                os.fstat(number)
                continue
            os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            os.set_inheritable(number, True)
            setattr(sys, name, open(number, way, encoding="utf-8", closefd=False))  # noqa: SIM115  # for good
        elif name != "stdin" and hasattr(stream, "reconfigure"):
            # An unsupported character such as é must not stop the output.
            stream.reconfigure(errors="replace")
