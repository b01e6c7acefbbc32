"""Demo on the idle start page: the selected game plays itself until there is user input."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import CatalogueError
from shibumi3d.match.match import Match
from shibumi3d.rules.errors import GameFileError, IllegalMove, RuleFailure
from shibumi3d.search.engine_client import EngineClient, EngineFailure
from shibumi3d.search.players import Choice

from ...host.desktop import is_on_battery

if TYPE_CHECKING:
    from ...host.match_setup import MatchSetupForm
    from ...host.page import Page
    from ...match.game_preview import GamePreview


IDLE_SECONDS = 60.0
"""Seconds without input before a demo starts."""
TICK_SECONDS = 0.1
"""Interval between updates of the demo, in seconds."""
MOVE_PAUSE_SECONDS = 0.9
"""Seconds between the end of an animation and the next move."""
END_SECONDS = 6.0
"""Seconds for which the final position remains visible."""
MAX_DEMO_MOVES = 90
"""Maximum number of moves in a demo, because some games may never end."""
DEMO_LEVEL = "stone"


class IdleDemo:
    """Demo that plays a game after :data:`IDLE_SECONDS` seconds without user input.

    It plays a single match of the game in ``setup``, and doesn't start again until there has been input. The match is
    neither saved nor included in statistics. No demo starts on battery power, or if the settings reduce motion or turn
    off demos or animations.
    """

    def __init__(self, page: Page, view: GamePreview, setup: MatchSetupForm) -> None:
        self.page, self.app, self.view, self.setup = page, page.app, view, setup
        self.match: Match | None = None
        """Match of the demo, or None if no demo is running."""
        self._engine: EngineClient | None = None
        self._thinking_seat: int | None = None
        """Seat whose move is being chosen or about to be made, or None."""
        self._chosen_move = ""
        self._last_input = 0.0
        """Clock time of the last input."""
        self._last_motion = 0.0
        """Clock time of the latest motion or move."""
        self._is_timer_set = False

    def on_input(self) -> None:
        """End the demo, if one is running, and restart the idle timer.

        Call this on any input and when the page appears.
        """
        self._last_input = self.app.clock()
        if self.match is not None:
            self.stop()
        if not self._is_timer_set and self._is_enabled():
            self._set_timer(IDLE_SECONDS)

    def stop(self) -> None:
        """End the demo and restore the picture that was shown before it."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None
        if self.match is not None:
            self.match = self._thinking_seat = None
            self.view.end_demo()

    # Start

    def _is_enabled(self) -> bool:
        settings = self.app.settings
        return settings.attract and settings.motion != "off" and not settings.reduced

    def _set_timer(self, seconds: float) -> None:
        self._is_timer_set = True
        self.app.schedule(seconds, self._on_timer)

    def _on_timer(self) -> None:
        """Start the demo if there has been no input for :data:`IDLE_SECONDS` seconds.

        If the demo can't start yet, restart the timer. If the page isn't shown or the settings rule out demos, do
        nothing.
        """
        self._is_timer_set = False
        if not self.page.is_current or not self._is_enabled():
            return
        left = self._last_input + IDLE_SECONDS - self.app.clock()
        free = self.view.visible and not (
            self.app.root.popups or self.app.is_in_background or self.app.gallery.is_busy
        )
        if left > 0.01:
            self._set_timer(left)
        elif not free or is_on_battery():
            self._set_timer(IDLE_SECONDS)
        else:
            self._start()

    def _start(self) -> None:
        setup = self.setup
        if setup.entry is None:
            return
        try:
            game = setup.entry.game(size=setup.size, variant=setup.variant)
            self.match = Match(game, [""] * setup.seats, random.randrange(1_000_000))
            self.view.start_demo(self.match)
        except (CatalogueError, GameFileError, RuleFailure, ValueError):
            self.stop()
            return
        self._thinking_seat, self._chosen_move, self._last_motion = None, "", self.app.clock()
        self.app.schedule(TICK_SECONDS, self._tick)

    # Demo

    def _tick(self) -> None:
        match, now = self.match, self.app.clock()
        if match is None:
            return
        if not self.page.is_current or not self.view.visible:
            self.stop()
            return
        if self.view.is_animating(now):
            self._last_motion = now
        try:
            going = self._advance(match, now)
        except (IllegalMove, RuleFailure):
            going = False
        if going:
            self.app.schedule(TICK_SECONDS, self._tick)
        else:
            self.stop()

    def _advance(self, match: Match, now: float) -> bool:
        """Request or make the next move; return False if the engine fails or the demo and its final pause are over."""
        ask = match.state.decision
        if ask is None or match.cursor >= MAX_DEMO_MOVES:
            return now < self._last_motion + END_SECONDS
        if self._thinking_seat is None:
            self._thinking_seat = ask.seats[0]
            self._engine = self._engine or EngineClient()
            view = match.game.observe(match.state, self._thinking_seat)
            seed = match.seed + self._thinking_seat
            self._engine.request_move(match.game, view, DEMO_LEVEL, seat=self._thinking_seat, seed=seed)
        answer = self._engine.poll() if self._engine is not None and not self._chosen_move else None
        if isinstance(answer, Choice):
            self._chosen_move = answer.move
        elif isinstance(answer, EngineFailure) and not answer.is_restarting:
            return False
        if self._chosen_move and now >= self._last_motion + MOVE_PAUSE_SECONDS:
            self.view.animate_demo_move(match, match.play(self._chosen_move, self._thinking_seat), now)
            self._thinking_seat, self._chosen_move, self._last_motion = None, "", now
        return True
