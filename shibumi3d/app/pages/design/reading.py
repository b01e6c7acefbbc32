"""Reads the text of a game in a process of its own: what is wrong with it, and a position from its middle.

A text that is being written may be anything, and checking it may take long: the window must not wait for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from shibumi3d.catalogue.catalogue import Catalogue, load
from shibumi3d.catalogue.schema import Entry
from shibumi3d.rules.source import Problem
from shibumi3d.search.worker import Worker, WorkerDied

from ...board.seating import shown_with
from ...board.showcase import example

POLL = 0.05
"""Seconds between two looks whether there is an answer."""
PAUSE = 0.25
"""Seconds without a change after which the text is read."""
PATIENCE = 12.0
"""Seconds of the processor's time after which a text is given up that can't be read to its end."""
Later = Callable[[float, Callable[[], None]], None]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found in a text. ``state`` is a position of the game, None where there is no game or it can't begin."""

    text: str
    entry: Entry | None = None
    problems: tuple[Problem, ...] = ()
    state: Any = None

    @property
    def good(self) -> bool:
        """Whether it can be played."""
        return self.entry is not None and not self.problems


@cache
def _games() -> Catalogue:
    return load()


def read(text: str, path: Path) -> Reading:
    """Reads ``text`` as if it stood in a file at ``path``, beside which the games lie that it may extend."""
    entry, problems = _games().study(text.encode("utf-8"), path)
    if entry is None or problems:
        return Reading(text, entry, problems)
    return Reading(text, entry, (), example(entry, entry.size, "", shown_with(entry)))


class Reader:
    """Reads what is written, a moment after it was; ``then`` is given what was found, or why nothing was.

    One text is read at a time: what is written meanwhile is read when that is done, or when it takes too long. Where
    the process ends by itself, the text is read once more.
    """

    def __init__(self, later: Later, then: Callable[[Reading | Exception], None]) -> None:
        self._later, self._then = later, then
        self._worker: Worker | None = None
        self._wanted: tuple[str, Path] | None = None
        self._asked: tuple[str, Path] | None = None
        self._again = False
        """Whether what is being read is read for the second time."""
        self._number = 0
        self._looking = False

    @property
    def busy(self) -> bool:
        """Whether something is still to be told."""
        return self._wanted is not None or self._looking

    def read(self, text: str, path: Path, at_once: bool = False) -> None:
        """Reads ``text``, which would stand at ``path``, when nothing else is asked for a moment."""
        self._wanted = text, path
        self._number += 1
        number = self._number

        def begin() -> None:
            if number == self._number:
                self._begin()

        if at_once:
            begin()
        else:
            self._later(PAUSE, begin)

    def close(self) -> None:
        """Ends the process; what was asked is never told."""
        self._number += 1
        self._wanted = None
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def _begin(self) -> None:
        if self._looking or self._wanted is None:
            return  # it is taken up when the text before is done
        self._asked, self._wanted = self._wanted, None
        self._again = False
        self._submit(*self._asked)
        self._looking = True
        self._later(POLL, self._look)

    def _submit(self, text: str, path: Path) -> None:
        self._worker = self._worker or Worker(PATIENCE)
        self._worker.submit("shibumi3d.app.pages.design.reading.read", text, path)

    def _look(self) -> None:
        if self._worker is None:
            self._looking = False
            return
        answer = self._worker.poll()
        if answer is not None and isinstance(answer.error, WorkerDied) and not self._again and self._asked:
            self._again, answer = True, None
            self._submit(*self._asked)
        if answer is None:
            self._later(POLL, self._look)
            return
        self._looking = False
        error = answer.error
        self._then(error if isinstance(error, Exception) else answer.value)
        if self._wanted is not None:
            self._begin()
