"""Handling of unexpected exceptions: a log, and detection of repeated failures."""

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
"""Number of identical consecutive failures after which the program gives up."""
PAUSE = 1.0
"""Maximum gap between consecutive failures, in seconds; after a longer gap, counting starts again."""
LARGE = 256 * 1024
"""Log size at which a new log is started, in bytes; the previous log is kept."""
log = logging.getLogger("shibumi3d")


class Surviving(Protocol):
    """Interface of an object whose event handlers survive exceptions."""

    @property
    def survive(self) -> Callable[[Exception, float], None]:
        """Function to call with an exception and the time at which the failed handler was called."""


def living(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap an event handler so that exceptions are passed to ``self.survive`` instead of being raised.

    After an exception, the handler returns True. Repeated failures still end the program, because ``survive`` then
    raises the exception again.
    """

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
    """Log errors to a file in ``folder`` and to stderr.

    Return the path of the file, or None if it can't be written.
    """
    kept: list[logging.Handler] = [logging.StreamHandler(sys.stderr)] if sys.stderr is not None else []
    path = folder / "errors.log"
    try:
        files.make_folder(folder)
        if os.path.exists(path) and not os.path.isfile(path):
            raise NoFile("it is not a file")  # opening a pipe would block
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
    """Counter of identical consecutive failures; ``clock()`` returns the time in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last: tuple[object, ...] = ()
        self._ended = 0.0
        self._count = 0

    def met(self, problem: Exception, began: float) -> int:
        """Log an exception; return how many identical exceptions there have been in a row.

        ``began`` is the time at which the failed handler was called.
        """
        places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(problem.__traceback__)]
        what = (type(problem), *places[-1:])
        in_a_row = what == self._last and began - self._ended < PAUSE
        self._count = self._count + 1 if in_a_row else 1
        self._last = what
        log.error(repr(problem), exc_info=problem)
        return self._count

    def said(self) -> None:
        """Record that the last failure has been reported to the user.

        The interval until the next failure is measured from now on, so that the time taken by the report doesn't count.
        """
        self._ended = self._clock()
