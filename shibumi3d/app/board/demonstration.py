"""Demonstration of a problem's solution, played move by move on the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.search.replies import Reply
from shibumi3d.search.worker import Answer

from .parts import MatchTable

if TYPE_CHECKING:
    from shibumi3d.match.solving import Solving

    from .doing import Doing

BETWEEN = 0.5
"""Delay between the end of all motion and the next move, in seconds."""
LOOK = 0.1
"""Interval at which to check whether anything is moving, in seconds."""


class Shown(MatchTable, Protocol):
    """Page that can play the solution of its problem."""

    solving: Solving
    showing: bool
    """Whether the solution is being played."""

    @property
    def doing(self) -> Doing:
        """Object that makes moves on the table."""


class Demonstration:
    """Plays the solution of a problem move by move."""

    def __init__(self, page: Shown) -> None:
        self.page = page
        self._ticking = False

    def soon(self) -> None:
        """Play the next move of the solution once nothing has moved for a short time."""
        if not self._ticking:
            self._ticking = True
            self.page.app.later(LOOK, lambda: self._next(None))

    def _next(self, since: float | None) -> None:
        page = self.page
        task = page.solving
        if not page.on_window or not page.showing or not task.within():
            self._ticking = False
            return
        now = page.app.clock()
        since = None if page.doing.moving or not page.session.live else now if since is None else since
        if since is None or now - since < BETWEEN:
            page.app.later(LOOK, lambda: self._next(since))
            return
        text = task.next_move()
        if not text:
            self._ask_way()
            return
        self._ticking = False
        self._make(text)

    def _make(self, text: str) -> None:
        """Play a move of the solution and schedule the next one."""
        page = self.page
        try:
            page.doing.made(page.doing.make(text))
        except RuleFailure as problem:
            page.showing = False
            page.app.tell(
                _(
                    "Nothing is lost, but this game's rules can't continue from here: {problem}",
                    problem=problem,
                )
            )
            return
        if page.solving.within() and page.match.state.to_move is not None:
            self.soon()

    def _ask_way(self) -> None:
        """Ask the solver for a move, because the position is no longer part of the saved solution."""
        page = self.page
        state = page.match.state

        def heard(found: Answer) -> None:
            self._ticking = False
            if page.match.state is state and isinstance(found.value, Reply):
                self._make(found.value.turn[0])

        page.app.solver.ask(heard, "replies.reply", page.match.game, state)
