"""Handling of unexpected exceptions: a log, and detection of failures that repeat."""

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
"""Number of identical failures in a row after which the program gives up."""
PAUSE = 1.0
"""Seconds after which a failure no longer counts as in a row with the last."""
LARGE = 256 * 1024
"""Size in bytes at which a new log is started; the previous one is kept."""
log = logging.getLogger("shibumi3d")


class Surviving(Protocol):
    """Object whose handlers survive exceptions."""

    @property
    def survive(self) -> Callable[[Exception, float], None]:
        """Function to call with an exception and with the time at which the failing handler began."""


def living(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap an event handler so that exceptions are passed to ``self.survive`` and not raised.

    After an exception, the handler returns True. Failures that repeat still end the program, because ``survive`` then
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

    Returns the path of the file, or None if it can't be written.
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
    """Counter of identical failures in a row; ``clock()`` returns the time in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last: tuple[object, ...] = ()
        self._ended = 0.0
        self._count = 0

    def met(self, problem: Exception, began: float) -> int:
        """Log an exception; return how many identical ones in a row there have been.

        ``began`` is the time at which the failing handler was called.
        """
        places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(problem.__traceback__)]
        what = (type(problem), *places[-1:])
        in_a_row = what == self._last and began - self._ended < PAUSE
        self._count = self._count + 1 if in_a_row else 1
        self._last = what
        log.error(repr(problem), exc_info=problem)
        return self._count

    def said(self) -> None:
        """Note that the last failure has been reported.

        A failure soon after this counts as in a row with it, however long the report took.
        """
        self._ended = self._clock()
