"""Handling of unexpected exceptions: a log, and detection of repeated failures."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path

from shibumi3d import files
from shibumi3d.i18n import FileError

MAX_REPEATED_FAILURES = 5
"""Number of identical consecutive failures after which the program gives up."""
FAILURE_RESET_SECONDS = 1.0
"""Maximum gap between consecutive failures, in seconds; after a longer gap, counting starts again."""
MAX_LOG_BYTES = 256 * 1024
"""Log size at which a new log is started, in bytes; the previous log is kept."""
log = logging.getLogger("shibumi3d")


def start_log(folder: Path) -> Path | None:
    """Log errors to a file in ``folder`` and to stderr.

    Return the path of the file, or None if it can't be written.
    """
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)] if sys.stderr is not None else []
    path = folder / "errors.log"
    try:
        files.make_folder(folder)
        if os.path.exists(path) and not os.path.isfile(path):
            raise FileError("it is not a file")  # opening a pipe would block
        handlers.append(RotatingFileHandler(path, maxBytes=MAX_LOG_BYTES, backupCount=1, encoding="utf-8"))
        written: Path | None = path
    except OSError:
        written = None
    for handler in handlers:
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        log.addHandler(handler)
    log.propagate = False
    return written


class FailureCounter:
    """Counter of identical consecutive failures.

    ``clock()`` returns the time in seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last_failure: tuple[object, ...] = ()
        self._last_reported_at = 0.0
        self._count = 0

    def log_failure(self, error: Exception, began: float) -> int:
        """Log an exception; return how many identical exceptions there have been in a row.

        Exceptions are identical if they have the same type and were raised at the same line. ``began`` is the time at
        which the handler that failed was called. The count starts again if ``began`` is at least
        :data:`FAILURE_RESET_SECONDS` after the last call of :meth:`mark_reported`.
        """
        locations = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
        failure = (type(error), *locations[-1:])
        in_a_row = failure == self._last_failure and began - self._last_reported_at < FAILURE_RESET_SECONDS
        self._count = self._count + 1 if in_a_row else 1
        self._last_failure = failure
        log.error(repr(error), exc_info=error)
        return self._count

    def mark_reported(self) -> None:
        """Record that the last failure has been reported to the user.

        The interval until the next failure is measured from this moment, so that the time spent reporting doesn't
        count.
        """
        self._last_reported_at = self._clock()
