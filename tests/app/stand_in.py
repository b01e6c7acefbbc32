"""Minimal stand-in for the host, to test parts of pages without the program."""

from __future__ import annotations

from collections.abc import Callable

from shibumi3d.app.host.settings import Settings


class StandIn:
    """Host whose settings and clock are controlled by the test.

    Scheduled calls are made in :meth:`wait` once they are due.
    """

    def __init__(self, **settings: object) -> None:
        self.settings, self.now = Settings(language="en").with_changes(**settings), 0.0
        self.messages: list[str] = []
        self._due: list[tuple[float, Callable[[], None]]] = []
        self.show_message = self.messages.append

    def clock(self) -> float:
        return self.now

    def schedule(self, seconds: float, what: Callable[[], None]) -> None:
        self._due.append((self.now + seconds, what))

    def wait(self, seconds: float) -> None:
        self.now += seconds
        due = [each for each in self._due if each[0] <= self.now]
        self._due = [each for each in self._due if each[0] > self.now]
        for _, what in due:
            what()
