"""Background tasks of the page: reload an edited game file, and find out whether the match is lost."""

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
"""Interval between checks of a game file for changes, in seconds."""
SOLVING = 60_000
"""Maximum number of moves that the solver tries to decide whether a position can still be won."""


class Background:
    """Background tasks of the page."""

    def __init__(self, page: Table) -> None:
        self.page, self.session, self.control, self.stage = page, page.session, page.control, page.stage
        self.lost = False
        """Whether to say that the match can't be won any more from the position shown."""

    def begin(self) -> None:
        """Start watching the game's file; called when the page is shown.

        Built-in games have no file to watch, and lessons are not watched.
        """
        file = self.page.app.matches.file_of(self.page.entry)
        if file is not None and not self.page.taught:
            self.watch(file, _stamp(file))

    def watch(self, file: Path, stamp: object) -> None:
        """Check the file every :data:`WATCH` seconds, and reload the rules when it has changed.

        ``stamp`` is the result of :func:`_stamp` for the rules in use. Reloading opens a new page. If it fails, the
        reason is shown, the match keeps its rules, and watching continues.
        """

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
        """Ask the solver whether the players of a solo or cooperative game can still win.

        The answer applies to the position shown, and is stored in ``lost``. The solver is asked only once per position,
        and only if the user wants such verdicts or the match is over.
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
    """Position that the solver was last asked about, and whether its verdict may be shown."""


def _stamp(file: Path) -> tuple[int, int] | None:
    """Return the modification time (in ns) and the size of a file, or None if it can't be read."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
