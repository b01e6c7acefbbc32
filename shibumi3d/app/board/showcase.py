"""Preview of the selected game on the home page: its table in the middle of a random match."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import TYPE_CHECKING, Any

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.kinds import USUAL
from shibumi3d.rules.marbles.state import State
from shibumi3d.scene import camera as cameras
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.kinds import scene
from shibumi3d.scene.marbles.signs import Sign, SignKind
from shibumi3d.scene.marbles.stage import Stage
from shibumi3d.scene.table import NOTHING, Pointed, TableScene

from ..host.view import View
from .last_turn import landed

if TYPE_CHECKING:
    from shibumi3d.match.match import Match
    from shibumi3d.rules.game import Event

    from ..host import Host

PART = 0.6
"""Fraction of the random match that has been played at the position shown."""
MOST = 60
"""Maximum number of random moves, since random play may never end some games."""
PAUSE = 0.12
"""Delay in seconds before the preview changes, which keeps scrolling through the list smooth."""


def example(entry: Entry, size: int, variant: str, seats: int) -> State | None:
    """Return a state from the middle of a random match, or None if the rules fail.

    The random seed is fixed, so the result is always the same. For tables of marbles, the state is at the start of a
    turn if possible. For others, it is limited to what a spectator may know.
    """
    try:
        game = entry.game(size=size, variant=variant)
        states: list[State] = [game.start(seats, 1)]
        chance = Random(1)
        while len(states) <= MOST and (moves := game.moves(states[-1])):
            states.append(game.apply(states[-1], chance.choice(moves))[0])
    except (CatalogueError, GameFileError, RuleFailure, ValueError):
        return None
    shown = states[: round(PART * (len(states) - 1)) + 1]
    if entry.kind != USUAL:
        seen: State = game.view(shown[-1], None)
        return seen
    # At step 0 no marble is in hand.
    return next((state for state in reversed(shown) if not state.step), shown[-1])


class Showcase(View):
    """Preview of a game, which the user can rotate by dragging."""

    def __init__(self, app: Host) -> None:
        self.stage = Stage((4,))
        super().__init__(
            app,
            self.stage.sizes,
            self._frame,
            clicked=lambda x, y: False,
            cancelled=lambda x, y: None,
            pointed=lambda x, y: None,
            name="showcase",
        )
        self.shown: State | None = None
        self.table: TableScene | None = None
        """Scene of a table without marbles, or None."""
        self._wanted: tuple[Entry, int, str, int] | None = None
        self._before: State | None = None
        """State shown before the demo match."""
        self._last: tuple[Any, ...] = ()
        """Events of the last move of the demo match."""

    def show(self, entry: Entry, size: int, variant: str, seats: int) -> None:
        """Show another game after a short pause."""
        wanted = (entry, size, variant, seats)
        if wanted == self._wanted:
            return
        self._wanted = wanted

        def now() -> None:
            if self._wanted is wanted and self.app.stage.screen.view is self:
                self._change(example(*wanted))

        self.app.later(PAUSE, now)

    def _change(self, state: State | None) -> None:
        self.shown = state
        self.table = None
        entry, size, variant, seats = self._wanted or (None, 0, "", 0)
        if state is not None and entry is not None and entry.kind != USUAL:
            self.table = scene(entry.game(size=size, variant=variant), seats)
            self.table.reset(state, state.mover)
            self.camera = self.home = cameras.home_of(self.table.hull, self.table.eye, self.aspect)
            self.refresh()
            return
        if state is not None:
            sizes = (state.size,) * len(state.board_names)
            if sizes != self.stage.sizes or self.camera.hull:
                self.stage = Stage(sizes)
                self.camera = self.home = cameras.home(sizes)
            self.stage.reset(state)
        self.refresh()

    # Demo match

    def begin(self, match: Match) -> None:
        """Show the start of a demo match.

        On tables without marbles, only what a spectator may know is shown.
        """
        self._before, self._last = self.shown, ()
        self._change(match.game.view(match.state, None) if self.table is not None else match.state)

    def follow(self, match: Match, events: Iterable[Event], now: float) -> None:
        """Animate the last move of the demo match, given its events."""
        events = tuple(events)
        settings = self.app.settings
        if self.table is not None:
            seen = match.game.view(match.state, None)
            self.table.speed, self.table.reduced = settings.motion, settings.reduced
            self._last = match.game.as_seen_by(match.state, events, None)
            try:
                self.table.play(self._last, now, seen, 0)
            except LookupError:
                self.table.reset(seen, 0)
        else:
            self._last = events
            self.stage.queue.speed, self.stage.queue.reduced = settings.motion, settings.reduced
            try:
                self.stage.play(events, now)
            except LookupError:
                self.stage.reset(match.state)
        self.refresh()

    def end(self) -> None:
        """Show what was shown before the demo match."""
        self._last = ()
        self._change(self._before)

    def busy(self, now: float) -> bool:
        """Return whether anything is moving at ``now``."""
        if self.table is not None:
            self.table.cues(now)  # discard the sounds
            return self.table.busy(now)
        return self.stage.busy(now)

    def animate(self, now: float) -> bool:
        moving = super().animate(now)
        return self.busy(now) or moving

    def _frame(self, now: float, aspect: float) -> Frame:
        colours = self.app.settings.colours
        if self.table is not None:
            return self.table.frame(now, colours, Pointed(last=self._last) if self._last else NOTHING)
        signs = [] if self.busy(now) else [Sign(SignKind.LAST, *seat) for seat in landed(self._last)]
        return self.stage.frame(now, self.camera, colours, signs=signs, aspect=aspect)
