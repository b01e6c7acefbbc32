"""Solver queries, which run in a worker process so that the window never blocks."""

from __future__ import annotations

from collections.abc import Callable

from shibumi3d.i18n import _
from shibumi3d.search.solver import BestScore, SolveResult
from shibumi3d.search.worker import Answer, Worker

from .services import Scheduler

POLL_SECONDS = 0.15
"""Interval between checks for an answer, in seconds."""


class BackgroundSolver:
    """Runs one query at a time. A new query cancels the previous one, whose callback isn't called."""

    def __init__(self, schedule: Scheduler) -> None:
        self._schedule = schedule
        self._worker: Worker | None = None
        self._query_number = 0

    def submit(
        self,
        on_answer: Callable[[Answer], None],
        name: str,
        *args: object,
        delay_seconds: float = 0.0,
        **options: object,
    ) -> None:
        """Run a function of :mod:`shibumi3d.search`, and pass its answer to ``on_answer``.

        ``name`` is a function in the module ``solver``, or includes the name of another module, e.g.
        ``replies.find_reply``. The function starts after ``delay_seconds`` seconds.
        """
        self._query_number += 1
        number = self._query_number

        def look() -> None:
            if number != self._query_number or self._worker is None:
                return
            answer = self._worker.poll()
            if answer is None:
                self._schedule(POLL_SECONDS, look)
            else:
                on_answer(answer)

        def begin() -> None:
            if number != self._query_number:
                return
            if self._worker is None:
                self._worker = Worker()
            where = name if "." in name else f"solver.{name}"
            self._worker.submit(f"shibumi3d.search.{where}", *args, **options)
            self._schedule(POLL_SECONDS, look)

        if self._worker is not None and self._worker.is_busy:
            self._worker.cancel()
        if delay_seconds:
            self._schedule(delay_seconds, begin)
        else:
            begin()

    def cancel(self) -> None:
        """Cancel the current query without calling its callback."""
        self._query_number += 1
        if self._worker is not None:
            self._worker.cancel()

    def close(self) -> None:
        """End the worker process."""
        self._query_number += 1
        if self._worker is not None:
            self._worker.close()
            self._worker = None


def explain_unsolved(answer: SolveResult | BestScore) -> str:
    """Return the message to show if a search found no win.

    The message gives the reason: the result depends on chance, there is no win, or the search was too large to finish.
    """
    if answer.needs_chance:
        return _("Chance still plays a part, so nothing is certain here.")
    sure = answer.is_winnable is False if isinstance(answer, SolveResult) else answer.is_proved
    return (
        _("There is no way to win from here.")
        if sure
        else _("No solution found: there are too many possibilities to try.")
    )
