"""Computer players in a match with marbles; they preview each move before they make it."""

from __future__ import annotations

from shibumi3d.match.marbles import marble_moves, marble_state
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.scene.frame import Mark
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.search.players import Choice

from ....match import visibility
from ..players import MOVE_PAUSE_SECONDS, ComputerPlayers
from .controller import Preview
from .input import make_ring
from .interfaces import MarblePage

STEP_PAUSE_SECONDS = 0.12
"""Seconds that a computer player waits before each further step of its turn, after all animation has ended."""
HIGHLIGHT_SECONDS = 0.22
"""Seconds, at normal speed, for which a marble's origin, and then its destination, is highlighted before it moves."""


class MarbleComputerPlayers(ComputerPlayers):
    """Computer players that highlight a marble's origin and destination before moving it."""

    page: MarblePage

    def __init__(self, page: MarblePage) -> None:
        self.model, self.marble_scene = page.model, page.marble_scene
        self._preview_start: float | None = None
        """Clock time at which the preview of the current choice started, or None if it hasn't started."""
        self._preview: tuple[list[Sign], list[Ghost], list[Mark]] = [], [], []
        super().__init__(page)

    @property
    def pause_seconds(self) -> float:
        return STEP_PAUSE_SECONDS if self.model.match.state.step else MOVE_PAUSE_SECONDS

    def clear_preview(self) -> None:
        self._preview_start = None
        self._preview = [], [], []

    def is_previewing(self, seat: int, choice: Choice) -> bool:
        now = self.page.app.clock()
        if self._preview_start is None:
            self._preview_start = now
            self._preview = self._make_preview(seat, choice.move)
        places = 2 if self._preview[1] else 1 if self._preview[0] else 0
        return now - self._preview_start < HIGHLIGHT_SECONDS * places / self.series_controls.speed_factor

    # Display

    def pending_move_signs(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts that preview a computer player's next move.

        If the move puts a marble on a point, the first half of the preview shows only where the marble comes from. The
        second half also shows its destination. Both lists are empty if no move is being previewed or an earlier
        position is shown.
        """
        if self._preview_start is None or not self.model.is_live:
            return [], []
        signs, ghosts, _ = self._preview
        elapsed_seconds = self.page.app.clock() - self._preview_start
        if not ghosts or elapsed_seconds >= HIGHLIGHT_SECONDS / self.series_controls.speed_factor:
            return signs, ghosts
        goals = {(ghost.board, ghost.point) for ghost in ghosts}
        return [s for s in signs if (s.board, s.point) not in goals and s.kind is SignKind.HOVER], []

    def pending_move_rings(self) -> list[Mark]:
        """Return a list with a ring around the marble that is about to be taken from the table.

        The list is empty if there is no such marble or an earlier position is shown.
        """
        return self._preview[2] if self._preview_start is not None and self.model.is_live else []

    def _make_preview(self, seat: int, move_text: str) -> tuple[list[Sign], list[Ghost], list[Mark]]:
        """Return the signs, ghosts and rings that preview the move ``move_text`` by ``seat``.

        All three lists are empty during a block of secret choices. They are also empty if the move isn't known to be
        legal, or if any effect that it is certain to have must stay hidden from the viewer.
        """
        match, page = self.model.match, self.page
        game, state = match.game, marble_state(match.state)
        if state.is_in_secret_block:
            return [], [], []
        seen = game.observe(state, seat)
        try:
            move = next(move for move in marble_moves(game.moves(seen)) if move.text == move_text)
            events = game.preview(seen, move).events
        except (RuleFailure, StopIteration):
            return [], [], []
        known = tuple(visibility.observe_events(game, state, self.model.viewer, events))
        if known != tuple(events):
            return [], [], []
        signs, ghosts = page.sign_layer.preview_signs(Preview(move, known))
        if state.held is not None:
            signs.append(Sign(SignKind.HOVER, state.held[2], state.held[1], is_highlighted=True))
        signs += [Sign(SignKind.HINT, ghost.board, ghost.point) for ghost in ghosts[:1]]
        marks = []
        placed = next((event for event in known if isinstance(event, ev.Placed | ev.Entered)), None)
        if placed is not None:
            table = page.tabletop
            heap = table.find_heap(placed.stock, seat, placed.colour, page.model.perspective_seat)
            if heap is not None and page.table_contents(page.animation_time()).heaps.get(heap):
                marks.append(make_ring(table.layout.heaps[heap].positions[0], 1.0, 3.0))
        return signs, ghosts, marks
