"""Computer players in a match, for tables of any kind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from shibumi3d.i18n import Message, _, localize
from shibumi3d.match.outside_moves import CLAIM, SWAP, may_claim_draw, may_swap
from shibumi3d.rules.errors import IllegalMove, RuleFailure
from shibumi3d.search.players import Budget, Choice
from shibumi3d.search.thinker import Thinker, Trouble

from ..ui.button import Button
from .parts import MatchTable
from .watching import Watching

if TYPE_CHECKING:
    from shibumi3d.rules.game import Event, Move, State

PAUSE = 0.5
"""Minimum time between the end of all motion and a computer's move, in seconds."""
TICK = 0.05
"""Interval between polls of the search process, in seconds."""
SECONDS = 5.0
"""Time limit for one choice, in seconds.

The number of simulations determines the strength of a level, so the time limit matters only on slow machines.
"""
OBEYS = 0.4
"""Time for which a process is polled after being told to stop, in seconds.

This makes sure that it really stops.
"""
SECRET = 2.0
"""Fixed delay before a computer's move, in seconds, if its thinking time could reveal a hidden hand.

If a computer takes longer, it answers after the next multiple of this time, so that the delay says nothing about the
hand.
"""
SPARE = 0.6
"""Part of :data:`SECRET` that is reserved for everything except the search, in seconds."""


class Acting(Protocol):
    """Object that makes moves on the table."""

    @property
    def moving(self) -> bool:
        """Whether anything on the table is moving."""

    def make(self, move: Move, seat: int | None = None) -> Sequence[Any]:
        """Make a move and return its events."""

    def made(self, events: Sequence[Event]) -> None:
        """Show a move that has been made."""


class Seated(MatchTable, Protocol):
    """Match page with computer players."""

    @property
    def doing(self) -> Acting:
        """Object that makes moves on the table."""

    @property
    def computers(self) -> Computers:
        """Computer players of this match."""


class Computers:
    """Computer players of a match.

    The search process receives only what the choosing seat may know. If several computers must choose at the same time,
    they search one after the other, and their choices are played once all of them have chosen.
    """

    def __init__(self, page: Seated) -> None:
        self.table = page
        self.alone = not page.session.persons
        """Whether all players are computers."""
        self.thinker: Thinker | None = None
        self.halted = False
        """Whether the computers are stopped, or paused if only computers play."""
        self.choices: dict[int, Choice] = {}
        """Choices found for :attr:`_state` so far, by seat."""
        self._state: State = None
        """State for which choices are sought, or None."""
        self._asked: int | None = None
        """Seat that is thinking, or None."""
        self._still: float | None = None
        """Clock time at which everything came to rest, or None while something moves."""
        self._ready: float | None = None
        """Seconds without motion at the time all choices were known, or None."""
        self._obeys = 0.0
        self._ticking = False
        self._second = -1
        """Whole second of thinking time shown last, or -1."""
        stop = _("Pause") if self.alone else _("Stop")
        self.now = Button(_("Move now"), self._hurry, name="move now")
        self.stop = Button(stop, self.halt, name="stop thinking")
        self.on = Button(_("Continue"), self.go_on, kind="main", name="go on thinking")
        self.watching = Watching(page)
        self.buttons = (self.now, self.stop, self.on, *self.watching.buttons)

    # Overridden by some table kinds

    @property
    def pause(self) -> float:
        """Minimum time between the end of all motion and the next choice, in seconds."""
        return PAUSE

    def shows(self, seat: int, choice: Choice) -> bool:
        """Return whether the table is still showing a preview of what a seat is about to do."""
        return False

    def moved(self) -> None:
        """Remove the preview of a choice, because something is moving or covers the table."""

    # Common to all tables

    @property
    def seats(self) -> Sequence[int]:
        """Computer seats that must choose now, each listed once."""
        return self.table.session.computers

    @property
    def live(self) -> bool:
        """Whether the current position is shown and choices may be made."""
        return self.table.session.asking

    @property
    def hasty(self) -> bool:
        """Whether the user may tell the computers to move now.

        This isn't allowed if the timing of an answer could reveal hidden information.
        """
        return not self.table.session.telltale

    def limit(self) -> float:
        """Return the time limit for one choice in seconds, ignoring the clocks of the match."""
        session = self.table.session
        return (SECRET - SPARE) / len(session.computers) if session.telltale else SECONDS

    def thinking_line(self, seat: int) -> str:
        """Return how long a seat has been thinking, e.g. ``5 s``; empty if it isn't thinking."""
        if seat not in self.seats or self.halted or not self.table.session.live or not self.seconds:
            return ""
        return _("{n} s", int(self.seconds))

    def busy_line(self) -> str:
        """Return a sentence that says which computer is thinking or has been stopped.

        Call this only if a computer is to move.
        """
        seat = self.table.session.thinking
        assert seat is not None
        return (
            _("{who} to move – paused.", who=self.table.names[seat])
            if self.halted
            else _("{who} is thinking.", who=self.table.names[seat])
        )

    def pause_watching(self) -> None:
        """Pause a match between computers because an earlier position is shown."""
        if self.alone and not self.halted:
            self.halt()

    @property
    def seconds(self) -> float:
        """Time spent thinking about the pending choice so far, in seconds; 0 if there is none."""
        return self.thinker.seconds if self.thinker is not None else 0.0

    def update(self) -> None:
        """Update the buttons and continue thinking, after a change of the match or the position shown."""
        asked = bool(self.seats)
        if not asked and not self.alone:
            self.halted = False
        if self._state is not None and self._state is not self.table.match.state:
            self.forget()
        going = (asked or self.watching.between) and self.live
        self.now.visible = asked and self.live and not self.halted and self.hasty
        self.stop.visible = going and not self.halted
        self.on.visible = going and self.halted
        self._tick_soon()

    def close(self) -> None:
        """Stop the search and end its process. Called when the page is left."""
        self.forget()
        if self.thinker is not None:
            self.thinker.close()
            self.thinker = None

    def halt(self) -> None:
        """Stop the computers until :meth:`go_on` is called."""
        self.halted = True
        self.forget()
        self.table.update()

    def go_on(self) -> None:
        """Let the computers continue."""
        self.halted = False
        self.table.update()
        self.watching.next_soon()

    def give_up(self, problem: Message) -> None:
        """Stop the computers and show why a computer couldn't choose. The user can let them continue."""
        self.halt()
        self.table.app.tell(localize(problem))

    def forget(self) -> None:
        """Cancel the search and discard the choices made so far."""
        self._state = self._asked = self._still = None
        self.choices, self._ready = {}, None
        self.moved()
        if self.thinker is not None and self.thinker.busy:
            self.thinker.stop()
            self._obeys = self.table.app.clock() + OBEYS

    def _hurry(self) -> None:
        if self.thinker is not None:
            self.thinker.now()

    def _tick_soon(self) -> None:
        wanted = bool(self.seats) and not self.halted
        if not self._ticking and (wanted or self._obeys > self.table.app.clock()):
            self._ticking = True
            self.table.app.later(TICK, self._tick)

    def _tick(self) -> None:
        self._ticking = False
        shown: object = self.table.app.stage.screen
        if shown is not self.table:
            return
        seats = self.seats
        if seats and not self.halted:
            self._think(seats)
            self._refresh()
        elif self.thinker is not None:
            self.thinker.poll()  # make sure that a stopped process really stops
        self._tick_soon()

    def _refresh(self) -> None:
        """Redraw if the thinking indicator has changed.

        With reduced motion, it changes only once a second.
        """
        second, self._second = self._second, int(self.seconds) if self._asked is not None else -1
        if second != self._second or second < 0 or not self.table.app.settings.reduced:
            self.table.refresh()

    def _think(self, seats: Sequence[int]) -> None:
        """Start or poll a search, and play the choices once all of them are known."""
        state = self.table.match.state
        if self._state is not state:
            self.forget()
            self._state = state
        if self._asked is None and len(self.choices) < len(seats):
            self._ask(next(seat for seat in seats if seat not in self.choices))
        found = self.thinker.poll() if self.thinker is not None else None
        if isinstance(found, Choice) and self._asked is not None:
            self.choices[self._asked], self._asked = found, None
        elif isinstance(found, Trouble):
            if not found.again:
                self.give_up(found.sentence)
                return
            self.table.app.warn(_("The computer player stopped unexpectedly and was restarted."))
        now = self.table.app.clock()
        covered = any(widget.covers for widget in self.table.app.root.floats)
        if self.table.doing.moving or not self.live or covered:
            self._still = self._ready = None
            self.moved()
            return
        if self._still is None:
            self._still = now
        if len(self.choices) == len(seats):
            try:
                self._answer(seats, now - self._still)
            except (IllegalMove, RuleFailure) as problem:
                self.give_up(Message("{problem}.", problem=problem))

    def _answer(self, seats: Sequence[int], still: float) -> None:
        """Show and play the choices once they are due.

        ``still`` is the time since anything last moved, in seconds. Raises IllegalMove or RuleFailure if a choice can't
        be played.
        """
        if self._ready is None:
            self._ready = still
        wait = self.pause
        if self.table.session.telltale:
            wait = SECRET * max(1, math.ceil(self._ready / SECRET))
        if still < wait / self.watching.speed or self.shows(seats[0], self.choices[seats[0]]):
            return
        match, choices, doing = self.table.match, self.choices, self.table.doing
        self.forget()
        for seat in seats:
            # Another seat's answer may have ended the choice or changed it.
            if match.state.ask is None or seat not in match.state.ask.seats:
                continue
            rather, text = self._rather(choices[seat]), choices[seat].move
            if rather:
                doing.made(doing.make(rather))
            elif seat == seats[0] or any(text == move.text for move in match.game.moves(match.state, seat)):
                doing.made(doing.make(text, seat))
                self._say_why(seat, choices[seat])

    def _rather(self, choice: Choice) -> str:
        """Return the claim or swap that a computer prefers to its chosen move, or an empty string."""
        match = self.table.match
        # Claim a draw in a match between computers, which might never end, or if the position is worse than even.
        if self.table.session.facts.recurs and may_claim_draw(match):
            return CLAIM if self.alone or choice.analysis.mean < 0.5 else ""
        # The second seat takes over the first one if its own chances are below even.
        return SWAP if may_swap(match) and choice.analysis.mean < 0.5 else ""

    def _ask(self, seat: int) -> None:
        """Start a search for the choice of a seat."""
        match = self.table.match
        game, state, clock = match.game, match.state, match.clock
        self.thinker = self.thinker or Thinker()
        self._asked = seat
        limit = self.limit()
        self.thinker.ask(
            game,
            game.view(state, seat),
            match.seats[seat].kind,
            seat=seat,
            seed=match.seed + seat,
            budget=Budget(seconds=limit if clock is None else min(limit, clock.allowance(seat))),
            past=self.table.session.past(seat),
            moves=[move.text for move in game.moves(state, seat)],
            names=self.table.names if self._says else None,
        )

    @property
    def _says(self) -> bool:
        """Whether computers explain their moves.

        They never do in games with hidden information, which an explanation could reveal.
        """
        return self.table.app.settings.reasons and not self.table.session.facts.secrets

    def _say_why(self, seat: int, choice: Choice) -> None:
        """Show a one-line reason for a seat's move, if explanations are on and a reason was found."""
        if self._says and choice.reasons:
            why = "; ".join(localize(reason) for reason in choice.reasons)
            self.table.remark(_("{who}: {why}.", who=self.table.names[seat], why=why))
