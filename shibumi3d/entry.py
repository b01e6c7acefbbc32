"""What every entry point does around its work, with standard streams that may be closed or full, and with Ctrl-C."""

from __future__ import annotations

import _thread
import os
import signal
import sys
from contextlib import redirect_stderr, redirect_stdout, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells count it."""


def run(work: Callable[[], int]) -> int:
    """Return the exit status of ``work``: that alone decides it, not what becomes of the standard streams.

    What ``work`` printed and nobody could read is the one exception: it turns success into failure.
    """
    # While the package loads, Ctrl-C ends the process at once; it does again while Python shuts down.
    abrupt = signal.getsignal(signal.SIGINT) is signal.SIG_DFL
    hook = sys.unraisablehook
    sys.unraisablehook = _interrupting(hook)
    try:
        if abrupt:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        _open_streams()
        with redirect_stdout(_Output(sys.stdout)), redirect_stderr(_Errors(sys.stderr)):
            return _run(work)
    except KeyboardInterrupt:
        # Where it came up in a string that exec() ran, Python would make another status of it: until the next exec().
        exec("pass")
        with suppress(OSError):
            print(file=sys.stderr)
        return INTERRUPTED
    finally:
        if abrupt:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        sys.unraisablehook = hook
        drain(sys.stderr)


def _interrupting(
    hook: Callable[[sys.UnraisableHookArgs], object],
) -> Callable[[sys.UnraisableHookArgs], None]:
    """Return a hook that keeps a Ctrl-C from being lost where Python can't raise it, as while it frees an object."""

    def interrupt(lost: sys.UnraisableHookArgs) -> None:
        if issubclass(lost.exc_type, KeyboardInterrupt):
            # From another thread, so that it comes up after this function, which can't raise it either.
            _thread.start_new_thread(_interrupt, (_thread.get_ident(),))
        else:
            hook(lost)

    return interrupt


def _interrupt(thread: int) -> None:
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(thread, signal.SIGINT)  # ends what the thread waits for as well
    else:
        _thread.interrupt_main()


def _run(work: Callable[[], int]) -> int:
    try:
        status = work()
    except SystemExit as stop:
        if (problem := drain(sys.stdout)) and not stop.code:
            raise SystemExit(_lost(problem)) from None
        raise
    except OSError as problem:
        if drain(sys.stdout) is None:
            raise
        return _lost(problem)
    except BaseException:
        drain(sys.stdout)
        raise
    unwritten = drain(sys.stdout)
    return _lost(unwritten) if unwritten and not status else status


def _lost(problem: Exception) -> int:
    print(getattr(problem, "strerror", None) or problem, file=sys.stderr)
    return 1


def drain(stream: Any) -> Exception | None:
    """Write out what a stream still holds; return why that can't be done.

    It is dropped then. Python would try once more at exit, and make the exit status 120.
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


class _Output:
    """The output. What couldn't be written there is remembered, as not everybody who prints looks."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._problem: OSError | None = None

    def write(self, text: str) -> int:
        """Write ``text``."""
        try:
            self._stream.write(text)
        except OSError as problem:
            self._problem = problem
            raise
        return len(text)

    def flush(self) -> None:
        """Write out what is held back; raises OSError when anything was lost since the beginning."""
        self._stream.flush()
        if self._problem is not None:
            raise self._problem

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Errors(_Output):
    """The error output. Where it takes nothing, what is said there is lost, and the work goes on."""

    def write(self, text: str) -> int:
        """Write ``text``."""
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Write out what is held back."""
        with suppress(OSError):
            self._stream.flush()


def _open_streams() -> None:
    """Make input and output usable, where they are closed or have another alphabet.

    A file, here or in a child process, must not take the place of a stream that is closed, so something else does:
    nothing can be read from it, and errors go nowhere; but output that was to be printed is missed.
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
            stream.reconfigure(errors="replace")  # a terminal without é prints the rest all the same
