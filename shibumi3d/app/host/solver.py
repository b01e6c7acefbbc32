"""Asks the solver in a process of its own, so that the window never waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shibumi3d.i18n import _
from shibumi3d.search.solver import Best, Verdict
from shibumi3d.search.worker import Answer, Worker

Later = Callable[[float, Callable[[], None]], None]
POLL = 0.15
"""Seconds between two looks whether there is an answer."""


class BackgroundSolver:
    """One question at a time: a new one takes the place of the one before, whose answer then never comes."""

    def __init__(self, later: Later) -> None:
        self._later = later
        self._worker: Worker | None = None
        self._number = 0

    def ask(
        self, then: Callable[[Answer], None], name: str, *args: Any, wait: float = 0.0, **options: Any
    ) -> None:
        """Run the function ``name`` of the solver, or of the module of the search that it begins with, after ``wait``
        seconds, and give its answer to ``then``.
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
        """Give up what was asked: no answer comes."""
        self._number += 1
        if self._worker is not None:
            self._worker.cancel()

    def close(self) -> None:
        """End the process."""
        self._number += 1
        if self._worker is not None:
            self._worker.close()
            self._worker = None


def unsolved(found: Verdict | Best) -> str:
    """Return what is said where no way was found: nobody knows what is drawn, there is none, or there is too much to
    try.
    """
    if found.chance:
        return _("Chance still plays a part, so nothing is certain here.")
    sure = found.won is False if isinstance(found, Verdict) else found.proven
    return (
        _("There is no way to win from here.")
        if sure
        else _("No solution found: there are too many possibilities to try.")
    )
