"""Check a game's text in a worker process, which returns the errors or a sample position.

Checking an unfinished text may take arbitrarily long, so it must not block the window.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.catalogue.catalogue import Catalogue, load_catalogue
from shibumi3d.catalogue.schema import Entry
from shibumi3d.rules.source import Problem
from shibumi3d.search.worker import Worker, WorkerDied

from ...host.player_setup import displayed_player_count
from ...host.services import Scheduler
from ...match.game_preview import random_position

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


POLL_SECONDS = 0.05
"""Interval between checks for an answer, in seconds."""
CHECK_DELAY_SECONDS = 0.25
"""Delay between the last change to the text and checking it, in seconds."""
MAX_CHECK_CPU_SECONDS = 12.0
"""CPU time after which a check is abandoned, in seconds."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Result of checking ``text``, with the game's ``entry`` and the ``problems`` found.

    ``entry`` is None if the game couldn't be read. ``state`` is from the middle of a random match; it is None if the
    text has errors or no match can be played.
    """

    text: str
    entry: Entry | None = None
    problems: tuple[Problem, ...] = ()
    state: State | None = None

    @property
    def is_valid(self) -> bool:
        return self.entry is not None and not self.problems


@cache
def _builtin_catalogue() -> Catalogue:
    return load_catalogue()


def check_text(text: str, path: Path) -> CheckResult:
    """Check ``text`` as if it were the content of the file ``path``.

    A game named by ``extends`` is looked up among the built-in games, then in the folder of ``path``.
    """
    entry, problems = _builtin_catalogue().check_text(text.encode("utf-8"), path)
    if entry is None or problems:
        return CheckResult(text, entry, problems)
    return CheckResult(text, entry, (), random_position(entry, entry.size, "", displayed_player_count(entry)))


class TextChecker:
    """Background checker for the text of a game.

    A check starts shortly after the last change to the text. ``on_result`` is called with the result, or with the
    exception that prevented it. Texts are checked one at a time. Of the texts submitted during a check, only the latest
    is checked, once the running check has finished or exceeded its time limit. If the worker process dies during a
    check, the text is checked a second time.
    """

    def __init__(self, schedule: Scheduler, on_result: Callable[[CheckResult | Exception], None]) -> None:
        self._schedule, self._on_result = schedule, on_result
        self._worker: Worker | None = None
        self._next_request: tuple[str, Path] | None = None
        self._current_request: tuple[str, Path] | None = None
        self._is_second_try = False
        """Whether the current text is being checked for the second time."""
        self._request_number = 0
        self._is_polling = False

    @property
    def is_busy(self) -> bool:
        """Whether a call to ``on_result`` is pending."""
        return self._next_request is not None or self._is_polling

    def check(self, text: str, path: Path, immediately: bool = False) -> None:
        """Check ``text`` after :data:`CHECK_DELAY_SECONDS` seconds, unless another text is submitted before then.

        If ``immediately`` is true, skip this delay. ``path`` is the file in which the text would be saved.
        """
        self._next_request = text, path
        self._request_number += 1
        request_number = self._request_number

        def begin() -> None:
            if request_number == self._request_number:
                self._start_check()

        if immediately:
            begin()
        else:
            self._schedule(CHECK_DELAY_SECONDS, begin)

    def close(self) -> None:
        """End the worker process. ``on_result`` is not called for pending texts."""
        self._request_number += 1
        self._next_request = None
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def _start_check(self) -> None:
        if self._is_polling or self._next_request is None:
            return  # _poll() starts the check once the current one has finished
        self._current_request, self._next_request = self._next_request, None
        self._is_second_try = False
        self._submit(*self._current_request)
        self._is_polling = True
        self._schedule(POLL_SECONDS, self._poll)

    def _submit(self, text: str, path: Path) -> None:
        self._worker = self._worker or Worker(MAX_CHECK_CPU_SECONDS)
        self._worker.submit("shibumi3d.app.pages.game_designer.text_checker.check_text", text, path)

    def _poll(self) -> None:
        if self._worker is None:
            self._is_polling = False
            return
        answer = self._worker.poll()
        if (
            answer is not None
            and isinstance(answer.error, WorkerDied)
            and not self._is_second_try
            and self._current_request
        ):
            self._is_second_try, answer = True, None
            self._submit(*self._current_request)
        if answer is None:
            self._schedule(POLL_SECONDS, self._poll)
            return
        self._is_polling = False
        error = answer.error
        self._on_result(error if isinstance(error, Exception) else answer.value)
        if self._next_request is not None:
            self._start_check()
