"""Computers at the table: they show where they play, and play step by step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from shibumi3d.match.beyond import CLAIM, SWAP, may_swap
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.state import State
from shibumi3d.scene.frame import Mark
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.search.players import Choice

from ...board import computers
from ...marbles import secrets
from ...marbles.controller import Preview
from ...text import say
from .parts import Table
from .taking import ring
from .watching import Watching

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry

    from ...marbles.table import Shown, Tabletop
    from .parts import Showing, Signing

STEP = 0.12
"""Seconds from the end of a step of a turn, its motion included, until a computer takes the next."""
LIGHT = 0.22
"""Seconds for which the place a marble comes from, then also the one it goes to, is lit before it moves."""


class Seated(Table, Protocol):
    """A match in which computers sit."""

    entry: Entry
    tabletop: Tabletop

    def update(self) -> None:
        """Make anew what follows from the state."""

    @property
    def on_window(self) -> bool:
        """Whether the window shows this page."""

    @property
    def sitting(self) -> int:
        """The seat from which the table is seen."""

    def lying(self, time: float) -> Shown:
        """Return what lies on the table at a time of the stage."""

    @property
    def playback(self) -> Showing:
        """What shows what happened."""

    @property
    def signs(self) -> Signing:
        """What is drawn over the boards."""

    @property
    def computers(self) -> Computers:
        """The seats that computers play."""


class Computers(computers.Computers):
    """The seats of the match that computers play, and what they do between two matches."""

    def __init__(self, page: Seated) -> None:
        self.page, self.session, self.control, self.stage = page, page.session, page.control, page.stage
        self.alone = not page.session.persons
        """Whether nobody but computers plays."""
        self._lit: float | None = None
        """Since when the choice is shown."""
        self._shown: tuple[list[Sign], list[Ghost], list[Mark]] = [], [], []
        super().__init__(page, say("computer.pause" if self.alone else "computer.stop"))
        self.watching = Watching(page)
        self.buttons = (self.now, self.stop, self.on, *self.watching.buttons)

    @property
    def to_move(self) -> int | None:
        """The seat to move, if a computer plays it."""
        seat = self.session.match.state.to_move
        return seat if self.session.match.by_computer(seat) else None

    @property
    def seats(self) -> Sequence[int]:
        return () if self.to_move is None else (self.to_move,)

    @property
    def live(self) -> bool:
        return self.session.asking

    @property
    def moving(self) -> bool:
        return self.stage.busy(self.page.now())

    @property
    def between(self) -> bool:
        return self.watching.between

    @property
    def lasting(self) -> bool:
        return self.alone

    def past(self, seat: int) -> Iterable[State]:
        return self.session.past(seat)

    def thinking_line(self, seat: int) -> str:
        """For how long that seat thinks; empty when it does not."""
        if seat != self.to_move or self.halted or not self.session.live or not self.seconds:
            return ""
        return say("computer.seconds", int(self.seconds))

    def busy_line(self) -> str:
        """Who is to move, and whether it thinks."""
        seat = self.to_move
        assert seat is not None
        return say("computer.stopped" if self.halted else "computer.thinks", who=self.page.names[seat])

    def pause_watching(self) -> None:
        """Somebody goes back in a match of computers: it waits there."""
        if self.alone and not self.halted:
            self.halt()

    def go_on(self) -> None:
        super().go_on()
        self.watching.next_soon()

    # What goes on

    def moved(self) -> None:
        self._lit = None
        self._shown = [], [], []

    def answer(self, seats: Sequence[int], still: float) -> None:
        now, state = self.page.app.clock(), self.session.match.state
        (seat,) = seats
        choice = self.choices[seat]
        if still < (STEP if state.step else computers.PAUSE) / self.watching.speed:
            return
        if self._lit is None:
            self._lit = now
            self._shown = self._light(seat, choice.move)
        places = 2 if self._shown[1] else 1 if self._shown[0] else 0
        if now - self._lit >= LIGHT * places / self.watching.speed:
            self._play(choice)

    def _play(self, choice: Choice) -> None:
        match = self.session.match
        # A draw is better than going on for ever, and than a match that is not going well.
        behind = choice.analysis.mean < 0.5
        claims = self.page.facts.recurs and (self.alone or behind)
        self.forget()
        claims = claims and match.may_claim_draw()
        # Whoever would rather have begun takes that seat.
        swaps = behind and may_swap(match)
        played = self.control.play(CLAIM if claims else SWAP if swaps else choice.move)
        self.page.playback.happened(played.events)

    # What is seen of it

    def lit(self) -> tuple[list[Sign], list[Ghost]]:
        """What of the choice is shown before the marble moves: where it comes from, then also where it goes."""
        if self._lit is None or not self.session.live:
            return [], []
        signs, ghosts, _ = self._shown
        early = self.page.app.clock() - self._lit < LIGHT and bool(ghosts)
        if not early:
            return signs, ghosts
        goals = {(ghost.board, ghost.point) for ghost in ghosts}
        return [s for s in signs if (s.board, s.point) not in goals and s.kind is SignKind.HOVER], []

    def marks(self) -> list[Mark]:
        """The ring about the marble on the table that is taken."""
        return self._shown[2] if self._lit is not None and self.session.live else []

    def _light(self, seat: int, text: str) -> tuple[list[Sign], list[Ghost], list[Mark]]:
        """What is to be shown of a choice: no more than who looks may know."""
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
        known = tuple(secrets.told(game, state, self.session.viewer, events))
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
            heap = table.heap(placed.stock, seat, placed.colour, page.sitting)
            if heap is not None and page.lying(page.now()).heaps.get(heap):
                marks.append(ring(table.lay.rows[heap].places[0], 1.0, 3.0))
        return signs, ghosts, marks
