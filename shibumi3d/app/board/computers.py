"""Computers at any table: they think beside the window, are hurried, stopped and go on, and play match after match
where nobody else does. What a table shows of them is its own."""

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
    pass

PAUSE = 0.5
"""Seconds for which nothing has moved before a computer plays; at the least."""
TICK = 0.05
"""Seconds between two looks at who thinks."""
SECONDS = 5.0
"""The most that is thought about one choice: strengths say how often they look, so this matters on slow machines."""
OBEYS = 0.4
"""For so many seconds it is seen to that a process which was stopped obeys."""
SECRET = 2.0
"""Seconds after which computers answer what is asked of hands nobody else sees: always as many, or twice as many and so
on where thinking took longer, so that the time tells nothing of the hand."""
SPARE = 0.6
"""Seconds of these that are not for thinking."""


class Acting(Protocol):
    """What makes moves."""

    @property
    def moving(self) -> bool:
        """Whether something on the table moves."""

    def make(self, move: Any, seat: int | None = None) -> Sequence[Any]:
        """Make a move and return what happened."""

    def made(self, events: Sequence[Any]) -> None:
        """Show a move that was made."""


class Seated(MatchTable, Protocol):
    """A match in which computers play."""

    @property
    def doing(self) -> Acting:
        """What makes moves."""

    @property
    def computers(self) -> Computers:
        """The seats that computers play."""


class Computers:
    """The seats of a match that computers play. Only what such a seat may know goes to the process that thinks. Those
    that are asked at the same time think one after the other, and answer when all have thought."""

    def __init__(self, page: Seated) -> None:
        self.table = page
        self.alone = not page.session.persons
        """Whether nobody but computers plays."""
        self.thinker: Thinker | None = None
        self.halted = False
        """Whether they were told to stop, or to pause where they play alone."""
        self.choices: dict[int, Choice] = {}
        """What those asked now have chosen."""
        self._state: Any = None
        """What is thought about, or was."""
        self._asked: int | None = None
        """The seat that thinks now."""
        self._still: float | None = None
        """Since when nothing moves."""
        self._ready: float | None = None
        """For how long nothing had moved when all had thought."""
        self._obeys = 0.0
        self._ticking = False
        self._second = -1
        """The second of thinking that was drawn last."""
        stop = _("Pause") if self.alone else _("Stop")
        self.now = Button(_("Move now"), self._hurry, name="move now")
        self.stop = Button(stop, self.halt, name="stop thinking")
        self.on = Button(_("Continue"), self.go_on, kind="main", name="go on thinking")
        self.watching = Watching(page)
        self.buttons = (self.now, self.stop, self.on, *self.watching.buttons)

    # What a table says

    @property
    def pause(self) -> float:
        """Seconds for which nothing has moved before the next choice is made."""
        return PAUSE

    def shows(self, seat: int, choice: Choice) -> bool:
        """Whether it is still being shown what that seat is about to do."""
        return False

    def moved(self) -> None:
        """Something moves, or hides the table: what was shown of the choices is no longer."""

    # The same at all tables

    @property
    def seats(self) -> Sequence[int]:
        """The seats asked now that computers play, each once."""
        return self.table.session.computers

    @property
    def live(self) -> bool:
        """Whether the match is shown as it is now, and somebody may choose something."""
        return self.table.session.asking

    @property
    def hasty(self) -> bool:
        """Whether they may be hurried: nobody is where time must tell nothing."""
        return not self.table.session.telltale

    def limit(self) -> float:
        """The most seconds that are thought about a choice, apart from clocks."""
        session = self.table.session
        return (SECRET - SPARE) / len(session.computers) if session.telltale else SECONDS

    def thinking_line(self, seat: int) -> str:
        """For how long that seat thinks; empty when it does not."""
        if seat not in self.seats or self.halted or not self.table.session.live or not self.seconds:
            return ""
        return _("{n} s", int(self.seconds))

    def busy_line(self) -> str:
        """Who is to move, and whether it thinks."""
        seat = self.table.session.thinking
        assert seat is not None
        return (
            _("{who} to move – paused.", who=self.table.names[seat])
            if self.halted
            else _("{who} is thinking.", who=self.table.names[seat])
        )

    def pause_watching(self) -> None:
        """Somebody goes back in a match of computers: it waits there."""
        if self.alone and not self.halted:
            self.halt()

    @property
    def seconds(self) -> float:
        """For how long it has been thought."""
        return self.thinker.seconds if self.thinker is not None else 0.0

    def update(self) -> None:
        """The match is elsewhere, or something else of it is shown."""
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
        """The page is left."""
        self.forget()
        if self.thinker is not None:
            self.thinker.close()
            self.thinker = None

    def halt(self) -> None:
        """They think no more until they are told to go on."""
        self.halted = True
        self.forget()
        self.table.update()

    def go_on(self) -> None:
        """They think again."""
        self.halted = False
        self.table.update()
        self.watching.next_soon()

    def give_up(self, problem: Message) -> None:
        """Says that a computer can't choose, and why; they stop, and whoever is there may let them go on."""
        self.halt()
        self.table.app.tell(localize(problem))

    def forget(self) -> None:
        """Nothing is thought about any more."""
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
            self.thinker.poll()  # it sees to it that the process obeys
        self._tick_soon()

    def _refresh(self) -> None:
        """Has a picture made of how it goes on: while one thinks and no bead runs, of each second."""
        second, self._second = self._second, int(self.seconds) if self._asked is not None else -1
        if second != self._second or second < 0 or not self.table.app.settings.reduced:
            self.table.refresh()

    def _think(self, seats: Sequence[int]) -> None:
        """Goes on by a moment: asks the next, hears what is chosen, shows and makes it."""
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
        """Shows what is chosen and makes it, each when it is time; nothing has moved for ``still`` seconds. Raises
        IllegalMove or RuleFailure where that can't be made."""
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
            # What another has answered just now may leave nothing to answer, or something else.
            if match.state.ask is None or seat not in match.state.ask.seats:
                continue
            rather, text = self._rather(choices[seat]), choices[seat].move
            if rather:
                doing.made(doing.make(rather))
            elif seat == seats[0] or any(text == move.text for move in match.game.moves(match.state, seat)):
                doing.made(doing.make(text, seat))
                self._say_why(seat, choices[seat])

    def _rather(self, choice: Choice) -> str:
        """What is done beyond the rules in place of a choice; empty where that is nothing."""
        match = self.table.match
        # A draw is better than going on for ever, and than a match that is not going well.
        if self.table.session.facts.recurs and may_claim_draw(match):
            return CLAIM if self.alone or choice.analysis.mean < 0.5 else ""
        # Whoever would rather have begun takes that seat.
        return SWAP if may_swap(match) and choice.analysis.mean < 0.5 else ""

    def _ask(self, seat: int) -> None:
        """Lets it be thought about the choice that is open to that seat now."""
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
        """Whether they say why they played so: never where that could speak of what others may not know."""
        return self.table.app.settings.reasons and not self.table.session.facts.secrets

    def _say_why(self, seat: int, choice: Choice) -> None:
        """Says in one line why a seat has played so, where that is wanted and a reason was found."""
        if self._says and choice.reasons:
            why = "; ".join(localize(reason) for reason in choice.reasons)
            self.table.remark(_("{who}: {why}.", who=self.table.names[seat], why=why))
