"""What went wrong in the program itself: it is kept in the log, and what comes again and again is told apart."""

from __future__ import annotations

import logging
import os
import sys
import time
import traceback
from collections.abc import Callable
from functools import wraps
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, Protocol

from shibumi3d import files
from shibumi3d.i18n import NoFile

AGAIN = 5
"""So many times in a row nobody can use what goes wrong."""
PAUSE = 1.0
"""Seconds after which what goes wrong once more is no longer in a row."""
LARGE = 256 * 1024
"""Bytes after which the log is begun anew; the one before is kept."""
log = logging.getLogger("shibumi3d")


class Surviving(Protocol):
    """What goes on after something went wrong in it."""

    @property
    def survive(self) -> Callable[[Exception, float], None]:
        """What is told of it, and of when it began."""


def living(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Make of a method a handler whose page says what goes wrong in it: only what comes again and again closes the
    window."""

    @wraps(handler)
    def handle(self: Surviving, *args: Any, **named: Any) -> Any:
        began = time.monotonic()
        try:
            return handler(self, *args, **named)
        except Exception as problem:
            self.survive(problem, began)
            return True

    return handle


def keep_log(folder: Path) -> Path | None:
    """Keeps what goes wrong in a file in ``folder``, and says it to who started the program.

    Returns the file, None where there can be none.
    """
    kept: list[logging.Handler] = [logging.StreamHandler(sys.stderr)] if sys.stderr is not None else []
    path = folder / "errors.log"
    try:
        files.make_folder(folder)
        if os.path.exists(path) and not os.path.isfile(path):
            raise NoFile("it is not a file")  # a pipe would be waited for
        kept.append(RotatingFileHandler(path, maxBytes=LARGE, backupCount=1, encoding="utf-8"))
        written: Path | None = path
    except OSError:
        written = None
    for handler in kept:
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        log.addHandler(handler)
    log.propagate = False
    return written


class Mishaps:
    """Counts what goes wrong in a row. ``clock()`` tells the time in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last: tuple[object, ...] = ()
        self._ended = 0.0
        self._count = 0

    def met(self, problem: Exception, began: float) -> int:
        """Writes down what went wrong in something that began at a time; returns how often the same has by now."""
        places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(problem.__traceback__)]
        what = (type(problem), *places[-1:])
        in_a_row = what == self._last and began - self._ended < PAUSE
        self._count = self._count + 1 if in_a_row else 1
        self._last = what
        log.error(repr(problem), exc_info=problem)
        return self._count

    def said(self) -> None:
        """What was met last was said, however long that took: what comes soon after is in a row with it."""
        self._ended = self._clock()
