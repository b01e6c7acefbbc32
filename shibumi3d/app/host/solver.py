"""Solver queries, which run in a worker process so that the window never blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shibumi3d.i18n import _
from shibumi3d.search.solver import Best, Verdict
from shibumi3d.search.worker import Answer, Worker

Later = Callable[[float, Callable[[], None]], None]
POLL = 0.15
"""Interval between checks for an answer, in seconds."""


class BackgroundSolver:
    """Runs one query at a time. A new query cancels the previous one, whose callback isn't called."""

    def __init__(self, later: Later) -> None:
        self._later = later
        self._worker: Worker | None = None
        self._number = 0

    def ask(
        self, then: Callable[[Answer], None], name: str, *args: Any, wait: float = 0.0, **options: Any
    ) -> None:
        """Run a function of :mod:`shibumi3d.search`, and pass its answer to ``then``.

        ``name`` is a function in the module ``solver``, or includes the name of another module, e.g. ``replies.reply``.
        The function starts after ``wait`` seconds.
        """
        self._number += 1
        number = self._number

        def look() -> None:
            if number != self._number or self._worker is None:
                return
            answer = self._worker.poll()
            if answer is None:
                self._later(POLL, look)
            else:
                then(answer)

        def begin() -> None:
            if number != self._number:
                return
            if self._worker is None:
                self._worker = Worker()
            where = name if "." in name else f"solver.{name}"
            self._worker.submit(f"shibumi3d.search.{where}", *args, **options)
            self._later(POLL, look)

        if self._worker is not None and self._worker.busy:
            self._worker.cancel()
        if wait:
            self._later(wait, begin)
        else:
            begin()

    def stop(self) -> None:
        """Cancel the current query without calling its callback."""
        self._number += 1
        if self._worker is not None:
            self._worker.cancel()

    def close(self) -> None:
        """End the worker process."""
        self._number += 1
        if self._worker is not None:
            self._worker.close()
            self._worker = None


def unsolved(found: Verdict | Best) -> str:
    """Return the message to show if a search found no win.

    The message gives the reason: the result depends on chance, there is no win, or the search was too large to finish.
    """
    if found.chance:
        return _("Chance still plays a part, so nothing is certain here.")
    sure = found.won is False if isinstance(found, Verdict) else found.proven
    return (
        _("There is no way to win from here.")
        if sure
        else _("No solution found: there are too many possibilities to try.")
    )
