"""Automatic solver for solo and cooperative games; it plays the solution on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.i18n import _, localize
from shibumi3d.rules.marbles.state import State
from shibumi3d.rules.wording import capital
from shibumi3d.search.solver import Best, Verdict
from shibumi3d.search.worker import Answer

from ...board.result import WORK
from ...host.solver import unsolved
from ...ui.button import Button
from .parts import Table

if TYPE_CHECKING:
    pass

PAUSE, STEP = 0.5, 0.15
"""Seconds between the end of all motion and the next move.

The first applies at the start of a turn, the second to later steps of a turn.
"""
TICK = 0.05


class Solution:
    """Solver that finds a winning line, or the highest score, and plays it move by move.

    Each move played counts as a hint and can be undone. The match records that its solution was shown. :attr:`button`
    starts and stops the solver.
    """

    def __init__(self, page: Table) -> None:
        self.page, self.session = page, page.session
        self.button = Button("", self.toggle, icon="play", kind="quiet", name="solve")
        self._asked: State | None = None
        """State from which the solver is searching, or None."""
        self._way: list[str] = []
        """Moves still to be played."""
        self._from: State | None = None
        """State in which the next of these moves is to be played, or None."""
        self._still: float | None = None
        """Clock time at which everything came to rest, or None."""
        self._ticking = False

    @property
    def offered(self) -> bool:
        """Whether the solver is available.

        The game must have a solver and no random draws, and all seats must be played by persons. The match must be
        unfinished and not part of a lesson.
        """
        match = self.session.match
        return (
            bool(self.page.facts.solver and not self.page.facts.draws)
            and len(self.session.persons) == len(match.seats)
            and match.state.to_move is not None
            and not self.page.taught
        )

    @property
    def going(self) -> bool:
        """Whether a solution is being searched for or played."""
        return self._asked is not None or bool(self._way)

    def update(self) -> None:
        """Update the button; stop if anything but the solver has changed the match."""
        if self.going and self.session.match.state is not (self._asked or self._from):
            self.stop()
        self.button.visible = self.offered
        self.button.enabled = self.session.asking
        self.button.on = self.going
        self.button.label = _("Stop") if self.going else _("Solve")
        self.button.tip = (
            _("Stop and play on yourself  Shift+H")
            if self.going
            else _("Find the solution and play it out  Shift+H")
        )

    def toggle(self) -> None:
        """Start or stop the solver."""
        if self.going:
            self.stop()
            self.page.remark("")
        elif self.offered and self.session.asking:
            self._ask()
        self.page.update()

    def stop(self) -> None:
        """Cancel the search and discard the remaining moves."""
        if self._asked is not None:
            self.page.app.solver.stop()
        self._asked = self._from = self._still = None
        self._way = []

    def _ask(self) -> None:
        match = self.session.match
        self.page.doing.skip()
        asked = self._asked = match.state

        def answered(answer: Answer) -> None:
            if self._asked is asked:
                self._asked = None
                self._told(answer)
                self.page.update()

        self.page.remark(_("Looking for a solution…"))
        name = "solve" if self.page.facts.solver == "win" else "greatest"
        self.page.app.solver.ask(answered, name, match.game, asked, work=WORK)

    def _told(self, answer: Answer) -> None:
        found = answer.value
        if answer.error is not None or not isinstance(found, Verdict | Best):
            self.page.remark(_("{text}.", text=capital(localize(answer.error or ""))))
        elif found.moves:
            self._way, self._from = list(found.moves), self.session.match.state
            self.page.remark(_("Best score found: {n}.", n=found.score) if isinstance(found, Best) else "")
            self._tick_soon()
        else:
            self.page.remark(unsolved(found))

    def _tick_soon(self) -> None:
        if not self._ticking:
            self._ticking = True
            self.page.app.later(TICK, self._tick)

    def _tick(self) -> None:
        self._ticking = False
        if not self._way or not self.page.on_window:
            return
        now, state = self.page.app.clock(), self.session.match.state
        covered = any(widget.covers for widget in self.page.app.root.floats)
        if self.page.stage.busy(self.page.now()) or not self.session.asking or covered:
            self._still = None
        elif self._still is None:
            self._still = now
        elif now - self._still >= (STEP if state.step else PAUSE):
            self._play()
        self._tick_soon()

    def _play(self) -> None:
        """Play the next move of the solution and count it as a hint."""
        match, advice = self.session.match, self.page.advice
        text, self._still = self._way.pop(0), None
        move = next(move for move in match.moves() if move.text == text)
        seat = match.state.to_move
        assert seat is not None
        self._from = None
        way, self._way = self._way, []
        with match.saved_once():
            advice.hints[seat] += 1
            self.page.app.matches.was_shown(match)
            self.page.doing.play_move(move, ends=True)
        self._way, self._from = way, match.state
        self.page.update()
