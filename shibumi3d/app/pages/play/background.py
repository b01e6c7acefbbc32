"""What goes on beside the match: reading a game file that is edited, finding out whether the match is lost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.rules.marbles.state import State
from shibumi3d.search.solver import Verdict
from shibumi3d.search.worker import Answer

from .parts import Table

if TYPE_CHECKING:
    pass


WATCH = 0.7
"""Seconds between two looks at a game file that may be edited."""
SOLVING = 60_000
"""How many choices are tried to find out whether a position can still be won."""


class Background:
    """What goes on beside the match: reading a game file that is edited, finding out whether the match is lost."""

    def __init__(self, page: Table) -> None:
        self.page, self.session, self.control, self.stage = page, page.session, page.control, page.stage
        self.lost = False
        """Whether it is told that the match can't be won any more from the position shown."""

    def begin(self) -> None:
        """The page is shown: its file is watched, if the game has one of its own and this is no lesson."""
        file = self.page.app.matches.file_of(self.page.entry)
        if file is not None and not self.page.taught:
            self.watch(file, _stamp(file))

    def watch(self, file: Path, stamp: object) -> None:
        """Reads the rules anew whenever their file is saved."""

        def look() -> None:
            if not self.page.on_window:
                return
            now = _stamp(file)
            if now in (None, stamp):
                self.watch(file, stamp)
                return
            told = self.page.app.matches.reread(self.session.match, self.page.entry, file)
            if isinstance(told, str):
                self.page.doing.note, self.page.doing.note_at = told, None
                self.page.refresh()
                self.watch(file, now)

        self.page.app.later(WATCH, look)

    def ask_whether_lost(self) -> None:
        """Has it found out whether those who play together can still win from the position shown.

        It is told only where that is wished, or when the match is over.
        """
        state = self.session.state
        wanted = self.page.app.settings.verdicts or self.session.match.state.to_move is None
        if self._asked_of is not None and self._asked_of[0] is state and self._asked_of[1] == wanted:
            return
        asked = self._asked_of = (state, wanted)
        self.lost = False
        if not wanted or state.to_move is None or self.page.facts.solver != "win":
            return

        def told(answer: Answer) -> None:
            verdict = answer.value
            if answer.error is None and isinstance(verdict, Verdict) and self._asked_of is asked:
                self.lost = verdict.won is False
                self.page.refresh()

        self.page.app.solver.ask(told, "solve", self.session.match.game, state, work=SOLVING, wait=0.8)

    _asked_of: tuple[State, bool] | None = None
    """The position that was last asked about, and whether what comes of it is told."""


def _stamp(file: Path) -> tuple[int, int] | None:
    """What changes when a file is saved; None while it is not there."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
