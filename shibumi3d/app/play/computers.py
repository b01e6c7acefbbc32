"""Computers at the table: they think beside the window, show where they play, and play step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.match.beyond import CLAIM, SWAP, may_swap
from shibumi3d.rules.errors import IllegalMove, RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.state import State
from shibumi3d.scene.frame import Mark
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.search.players import Budget, Choice
from shibumi3d.search.thinker import Thinker, Trouble

from .. import secrets
from ..controller import Preview
from ..text import say
from ..ui.button import Button
from .taking import ring
from .watching import Watching

if TYPE_CHECKING:
    from .screen import Play

PAUSE = 0.5
"""Seconds from the end of a turn, its motion included, until a computer begins its own; at the least."""
STEP = 0.12
"""The same between two steps of one turn."""
LIGHT = 0.22
"""Seconds for which the place a marble comes from, then also the one it goes to, is lit before it moves."""
TICK = 0.05
"""Seconds between two looks at who thinks."""
SECONDS = 5.0
"""The most that is thought about one choice: strengths say how often they look, so this matters on slow machines."""
OBEYS = 0.4
"""For so many seconds it is seen to that a process which was stopped obeys."""


class Computers:
    """The seats of the match that computers play. Only what such a seat may know goes to the process that thinks."""

    def __init__(self, page: Play) -> None:
        self.page, self.session, self.control, self.stage = page, page.session, page.control, page.stage
        self.thinker: Thinker | None = None
        self.halted = False
        """Whether they were told to stop, or to pause where they play alone."""
        self.alone = not page.session.persons
        """Whether nobody but computers plays."""
        self.watching = Watching(page)
        self._asked: State | None = None
        """What is being thought about, or was."""
        self._choice: Choice | None = None
        self._still: float | None = None
        """Since when nothing moves."""
        self._lit: float | None = None
        """Since when the choice is shown."""
        self._shown: tuple[list[Sign], list[Ghost], list[Mark]] = [], [], []
        self._obeys = 0.0
        self._ticking = False
        self.now = Button(say("computer.now"), self._hurry, name="move now")
        self.stop = Button(
            say("computer.pause" if self.alone else "computer.stop"), self._stop, name="stop thinking"
        )
        self.on = Button(say("computer.on"), self._go_on, kind="main", name="go on thinking")
        self.buttons = (self.now, self.stop, self.on, *self.watching.buttons)

    @property
    def to_move(self) -> int | None:
        """The seat to move, if a computer plays it."""
        seat = self.session.match.state.to_move
        return seat if self.session.match.by_computer(seat) else None

    @property
    def seconds(self) -> float:
        """For how long it has been thought."""
        return self.thinker.seconds if self.thinker is not None else 0.0

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

    def update(self) -> None:
        """The match is elsewhere, or something else of it is shown."""
        seat = self.to_move
        if seat is None and not self.alone:
            self.halted = False
        state = self.session.match.state
        if self._asked is not None and self._asked is not state:
            self._forget()
        asking = seat is not None and self.session.asking
        going = asking or (self.watching.between and self.session.asking)
        self.now.visible = asking and not self.halted
        self.stop.visible = going and not self.halted
        self.on.visible = going and self.halted
        self._tick_soon()

    def pause_watching(self) -> None:
        """Somebody goes back in a match of computers: it waits there."""
        if self.alone and not self.halted:
            self._stop()

    def close(self) -> None:
        """The page is left."""
        self._forget()
        if self.thinker is not None:
            self.thinker.close()
            self.thinker = None

    # Buttons

    def _hurry(self) -> None:
        if self.thinker is not None:
            self.thinker.now()

    def _stop(self) -> None:
        self.halted = True
        self._forget()
        self.page.update()

    def _go_on(self) -> None:
        self.halted = False
        self.page.update()
        self.watching.next_soon()

    # What goes on

    def _forget(self) -> None:
        self._asked = self._choice = self._lit = None
        self._shown = [], [], []
        if self.thinker is not None and self.thinker.busy:
            self.thinker.stop()
            self._obeys = self.page.app.clock() + OBEYS

    def _tick_soon(self) -> None:
        wanted = self.to_move is not None and not self.halted
        if not self._ticking and (wanted or self._obeys > self.page.app.clock()):
            self._ticking = True
            self.page.app.later(TICK, self._tick)

    def _tick(self) -> None:
        self._ticking = False
        if self.page.app.screen is not self.page:
            return
        answer = self.thinker.poll() if self.thinker is not None else None
        seat = self.to_move
        if seat is not None and not self.halted:
            if self._asked is not self.session.match.state:
                self._ask(seat)
            elif isinstance(answer, Choice):
                self._choice = answer
            elif isinstance(answer, Trouble):
                self._trouble(answer)
            self._show(seat)
            self.page.refresh()
        self._tick_soon()

    def _ask(self, seat: int) -> None:
        """Lets it be thought about the choice that is open now."""
        match = self.session.match
        game, state = match.game, match.state
        if self.thinker is None:
            self.thinker = Thinker()
        self._choice = self._lit = None
        self._asked = state
        try:
            self.thinker.ask(
                game,
                game.view(state, seat),
                match.seats[seat].kind,
                seat=seat,
                seed=match.seed + seat,
                budget=Budget(seconds=self._budget(seat)),
                past=self.session.past(seat) if self.page.facts.recurs else [],
                moves=[move.text for move in game.moves(state)],
            )
        except OSError as problem:
            self._give_up(str(problem.strerror or problem))

    def _budget(self, seat: int) -> float:
        """The seconds that may be thought: where there are clocks, so few that the time lasts."""
        clock = self.session.match.clock
        return SECONDS if clock is None else min(SECONDS, clock.allowance(seat))

    def _trouble(self, trouble: Trouble) -> None:
        if trouble.again:
            self.page.app.warn(say("computer.anew"))
        else:
            self._give_up(trouble.sentence)

    def _give_up(self, problem: str) -> None:
        self._stop()
        self.page.app.tell(say("computer.gone", problem=problem))

    def _show(self, seat: int) -> None:
        """Shows the choice when it is time, and then makes it."""
        now, state = self.page.app.clock(), self.session.match.state
        covered = any(widget.covers for widget in self.page.app.root.floats)
        if self.stage.busy(self.page.now()) or not self.session.asking or covered:
            self._still = self._lit = None
            return
        if self._still is None:
            self._still = now
        pause = (STEP if state.step else PAUSE) / self.watching.speed
        if self._choice is None or now - self._still < pause:
            return
        if self._lit is None:
            self._lit = now
            self._shown = self._light(seat, self._choice.move)
        places = 2 if self._shown[1] else 1 if self._shown[0] else 0
        if now - self._lit >= LIGHT * places / self.watching.speed:
            self._play(self._choice)

    def _play(self, choice: Choice) -> None:
        match = self.session.match
        # A draw is better than going on for ever, and than a match that is not going well.
        behind = choice.analysis.mean < 0.5
        claims = self.page.facts.recurs and (self.alone or behind)
        self._asked = self._choice = self._still = self._lit = None
        self._shown = [], [], []
        try:
            claims = claims and match.may_claim_draw()
            # Whoever would rather have begun takes that seat.
            swaps = behind and may_swap(match)
            played = self.control.play(CLAIM if claims else SWAP if swaps else choice.move)
        except (IllegalMove, RuleFailure) as problem:
            self._give_up(f"{problem}.")
        else:
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
