"""Demo on the idle start page: the selected game plays itself until there is user input."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Protocol

from shibumi3d.catalogue.schema import CatalogueError
from shibumi3d.match.match import Match
from shibumi3d.rules.errors import GameFileError, IllegalMove, RuleFailure
from shibumi3d.search.players import Choice
from shibumi3d.search.thinker import Thinker, Trouble

from ...host.power import on_battery

if TYPE_CHECKING:
    from ...board.showcase import Showcase
    from ...host import Host
    from .form import StartPanel

IDLE = 60.0
"""Seconds without input before a demo starts."""
TICK = 0.1
"""Interval between updates of the demo, in seconds."""
PAUSE = 0.9
"""Seconds between the end of an animation and the next move."""
END = 6.0
"""Seconds for which the final position remains visible."""
MOST = 90
"""Maximum number of moves in a demo, because some games may never end."""
STRENGTH = "stone"


class Showing(Protocol):
    """Interface of a page that can show a demo."""

    app: Host
    start: StartPanel
    """Panel with the selected game and its settings."""
    view: Showcase

    @property
    def on_window(self) -> bool:
        """Whether the window shows this page."""


class Attract:
    """Demo that plays one match, then waits for user input before it may start again.

    The match is neither saved nor included in statistics. No demo starts if demos or animations are turned off in the
    settings, or while the computer runs on battery.
    """

    def __init__(self, page: Showing) -> None:
        self.page, self.app = page, page.app
        self.match: Match | None = None
        """Match of the demo, or None if no demo is running."""
        self._thinker: Thinker | None = None
        self._seat: int | None = None
        """Seat that is thinking, or None."""
        self._choice = ""
        self._last = 0.0
        """Clock time of the last input."""
        self._still = 0.0
        """Clock time of the latest motion or move."""
        self._armed = False

    def stir(self) -> None:
        """End the demo and restart the idle timer; called on input and when the page appears."""
        self._last = self.app.clock()
        if self.match is not None:
            self.stop()
        if not self._armed and self._wished():
            self._arm(IDLE)

    def stop(self) -> None:
        """End the demo and restore the picture that was shown before it."""
        if self._thinker is not None:
            self._thinker.close()
            self._thinker = None
        if self.match is not None:
            self.match = self._seat = None
            self.page.view.end()

    # Start

    def _wished(self) -> bool:
        settings = self.app.settings
        return settings.attract and settings.motion != "off" and not settings.reduced

    def _arm(self, seconds: float) -> None:
        self._armed = True
        self.app.later(seconds, self._due)

    def _due(self) -> None:
        """Start the demo if there was no input for :data:`IDLE` seconds; otherwise restart the timer."""
        self._armed = False
        if not self.page.on_window or not self._wished():
            return
        left = self._last + IDLE - self.app.clock()
        free = self.page.view.visible and not (
            self.app.root.floats or self.app.stage.away or self.app.gallery.busy
        )
        if left > 0.01:
            self._arm(left)
        elif not free or on_battery():
            self._arm(IDLE)
        else:
            self._begin()

    def _begin(self) -> None:
        start = self.page.start
        if start.chosen.entry is None:
            return
        try:
            game = start.chosen.entry.game(size=start.chosen.size, variant=start.chosen.variant)
            self.match = Match(game, [""] * start.chosen.seats, random.randrange(1_000_000))
            self.page.view.begin(self.match)
        except (CatalogueError, GameFileError, RuleFailure, ValueError):
            self.stop()
            return
        self._seat, self._choice, self._still = None, "", self.app.clock()
        self.app.later(TICK, self._tick)

    # Demo

    def _tick(self) -> None:
        match, now = self.match, self.app.clock()
        if match is None:
            return
        if not self.page.on_window or not self.page.view.visible:
            self.stop()
            return
        if self.page.view.busy(now):
            self._still = now
        try:
            going = self._go_on(match, now)
        except (IllegalMove, RuleFailure):
            going = False
        if going:
            self.app.later(TICK, self._tick)
        else:
            self.stop()

    def _go_on(self, match: Match, now: float) -> bool:
        """Compute or make the next move; return False once the demo and its final pause are over."""
        ask = match.state.ask
        if ask is None or match.cursor >= MOST:
            return now < self._still + END
        if self._seat is None:
            self._seat = ask.seats[0]
            self._thinker = self._thinker or Thinker()
            view = match.game.view(match.state, self._seat)
            seed = match.seed + self._seat
            self._thinker.ask(match.game, view, STRENGTH, seat=self._seat, seed=seed)
        answer = self._thinker.poll() if self._thinker is not None and not self._choice else None
        if isinstance(answer, Choice):
            self._choice = answer.move
        elif isinstance(answer, Trouble) and not answer.again:
            return False
        if self._choice and now >= self._still + PAUSE:
            self.page.view.follow(match, match.play(self._choice, self._seat), now)
            self._seat, self._choice, self._still = None, "", now
        return True
