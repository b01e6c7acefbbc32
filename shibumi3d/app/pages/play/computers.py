"""Computer players for matches with marbles.

They make the moves of a turn one at a time, and highlight each move before making it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.scene.frame import Mark
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.search.players import Choice

from ...board.computers import PAUSE, Computers, Seated
from ...marbles import secrets
from ...marbles.controller import Preview
from .parts import Boarded
from .taking import ring

if TYPE_CHECKING:
    pass

STEP = 0.12
"""Seconds that a computer waits before each further step of its turn, after all animation has ended."""
LIGHT = 0.22
"""Seconds for which a marble's origin, and then its destination, is highlighted before it moves."""


class MarbleComputers(Computers):
    """Computer players that highlight a marble's origin and destination before moving it."""

    def __init__(self, page: Boarded, board: Seated) -> None:
        self.page, self.session, self.stage = page, page.session, page.stage
        self._lit: float | None = None
        """Clock time at which the choice was first highlighted, or None."""
        self._shown: tuple[list[Sign], list[Ghost], list[Mark]] = [], [], []
        super().__init__(board)

    @property
    def pause(self) -> float:
        return STEP if self.session.match.state.step else PAUSE

    def moved(self) -> None:
        self._lit = None
        self._shown = [], [], []

    def shows(self, seat: int, choice: Choice) -> bool:
        now = self.page.app.clock()
        if self._lit is None:
            self._lit = now
            self._shown = self._light(seat, choice.move)
        places = 2 if self._shown[1] else 1 if self._shown[0] else 0
        return now - self._lit < LIGHT * places / self.watching.speed

    # Display

    def lit(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts for the pending move.

        For the first :data:`LIGHT` seconds they show only the marble's origin, then also its destination.
        """
        if self._lit is None or not self.session.live:
            return [], []
        signs, ghosts, _ = self._shown
        early = self.page.app.clock() - self._lit < LIGHT and bool(ghosts)
        if not early:
            return signs, ghosts
        goals = {(ghost.board, ghost.point) for ghost in ghosts}
        return [s for s in signs if (s.board, s.point) not in goals and s.kind is SignKind.HOVER], []

    def marks(self) -> list[Mark]:
        """Return the rings around the marble that is about to be taken from the table."""
        return self._shown[2] if self._lit is not None and self.session.live else []

    def _light(self, seat: int, text: str) -> tuple[list[Sign], list[Ghost], list[Mark]]:
        """Return the signs, ghosts and rings that preview the move ``text`` of a seat.

        All are empty unless the viewer may know the whole effect of the move.
        """
        match, page = self.session.match, self.page
        game, state = match.game, match.state
        if state.in_secret:
            return [], [], []
        seen = game.view(state, seat)
        try:
            move = next(move for move in game.moves(seen) if move.text == text)
            events = game.foresee(seen, move).events
        except (RuleFailure, StopIteration):
            return [], [], []
        known = tuple(secrets.as_seen_by(game, state, self.session.viewer, events))
        if known != tuple(events):
            return [], [], []
        signs, ghosts = page.signs.foreseen(Preview(move, known, ""))
        if state.held is not None:
            signs.append(Sign(SignKind.HOVER, state.held[2], state.held[1], strong=True))
        signs += [Sign(SignKind.HINT, ghost.board, ghost.point) for ghost in ghosts[:1]]
        marks = []
        placed = next((event for event in known if isinstance(event, ev.Placed | ev.Entered)), None)
        if placed is not None:
            table = page.tabletop
            heap = table.heap(placed.stock, seat, placed.colour, page.session.sitting)
            if heap is not None and page.lying(page.now()).heaps.get(heap):
                marks.append(ring(table.lay.rows[heap].places[0], 1.0, 3.0))
        return signs, ghosts, marks
