"""Checking of a game's text in a worker process, which returns its errors and a sample position.

Checking an unfinished text may take arbitrarily long, so it must not block the window.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.catalogue.catalogue import Catalogue, load
from shibumi3d.catalogue.schema import Entry
from shibumi3d.rules.source import Problem
from shibumi3d.search.worker import Worker, WorkerDied

from ...board.seating import shown_with
from ...board.showcase import example

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

POLL = 0.05
"""Interval between checks for an answer, in seconds."""
PAUSE = 0.25
"""Delay between the last change to the text and checking it, in seconds."""
PATIENCE = 12.0
"""CPU time after which a check is abandoned, in seconds."""
Later = Callable[[float, Callable[[], None]], None]


@dataclass(frozen=True, slots=True)
class Reading:
    """Result of checking a text.

    ``state`` is a position from the middle of a random match, or None if the text has errors or no match can be played.
    """

    text: str
    entry: Entry | None = None
    problems: tuple[Problem, ...] = ()
    state: State = None

    @property
    def good(self) -> bool:
        """Whether the text is a valid game."""
        return self.entry is not None and not self.problems


@cache
def _games() -> Catalogue:
    return load()


def read(text: str, path: Path) -> Reading:
    """Check ``text`` as if it were the content of the file ``path``.

    The game may extend built-in games and games in the same folder.
    """
    entry, problems = _games().study(text.encode("utf-8"), path)
    if entry is None or problems:
        return Reading(text, entry, problems)
    return Reading(text, entry, (), example(entry, entry.size, "", shown_with(entry)))


class Reader:
    """Background checks of a text, each made shortly after the text has changed.

    ``then`` is called with the result, or with the exception that prevented it. Texts are checked one at a time. Of the
    texts submitted during a check, only the latest is checked, once the running check has finished or exceeded its time
    limit. If the process dies, the text is checked a second time.
    """

    def __init__(self, later: Later, then: Callable[[Reading | Exception], None]) -> None:
        self._later, self._then = later, then
        self._worker: Worker | None = None
        self._wanted: tuple[str, Path] | None = None
        self._asked: tuple[str, Path] | None = None
        self._again = False
        """Whether the current text is being checked for the second time."""
        self._number = 0
        self._looking = False

    @property
    def busy(self) -> bool:
        """Whether a call of ``then`` is pending."""
        return self._wanted is not None or self._looking

    def read(self, text: str, path: Path, at_once: bool = False) -> None:
        """Check ``text`` once no new text has been submitted for :data:`PAUSE` seconds.

        If ``at_once`` is true, check it now. ``path`` is the file in which the text would be saved.
        """
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
        """End the process. ``then`` is not called for a pending text."""
        self._number += 1
        self._wanted = None
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def _begin(self) -> None:
        if self._looking or self._wanted is None:
            return  # _look() checks it when the current check has finished
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
