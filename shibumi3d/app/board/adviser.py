"""Help at any table: hints in stages, and analysis. What a table shows of them is its own.

Both are thought in a process of their own, from what the seat asked may know and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shibumi3d.i18n import Message, _, localize
from shibumi3d.rules.search import Considered
from shibumi3d.rules.wording import capital
from shibumi3d.search.levels import LEVELS
from shibumi3d.search.players import NEAR, Analysis, Budget, Choice
from shibumi3d.search.thinker import Progress, Thinker, Trouble

from ..marbles import secrets
from ..ui.button import Button
from .agreeing import Agreeing
from .parts import MatchTable

if TYPE_CHECKING:
    pass

ADVISER = LEVELS[-1].name
"""Who advises: the strongest, who knows certificates of solved games too."""
BUDGET = Budget(iterations=LEVELS[-1].iterations, seconds=3.0)
"""What is thought about a hint or an analysis."""
TICK = 0.1
"""Seconds between two looks at how far that is."""
LAST = 3
"""The stage of a hint that makes the move; before it, it shows where, then the move itself."""


class Adviser:
    """Hints and analysis for the person asked."""

    def __init__(self, page: MatchTable, marked: str, tip: str) -> None:
        """``marked`` is said of the places of the first stage, ``tip`` of the button for hints."""
        self.table, self._marked = page, marked
        self.thinker: Thinker | None = None
        self.analysing = False
        """Whether it is shown who stands better."""
        self.stage = 0
        """How much of a hint is asked for."""
        self.found: Choice | None = None
        """What is thought of the position shown."""
        self.complete = False
        """Whether that is the last word."""
        self._asked: Any = None
        self._unthought = False
        """Whether what is found is the only choice there is."""
        self._ticking = False
        self.hint = Button(_("Hint"), self.more, icon="hint", kind="quiet", tip=tip, name="hint")
        self.watch = Button(
            _("Analysis"),
            self.toggle,
            icon="analysis",
            kind="quiet",
            tip=_("Evaluation and best moves  A"),
            name="analysis",
        )

    # What a table says

    def open_moves(self) -> Sequence[Any]:
        """The choices open to the seat that may be helped, or that was to move where all is over."""
        if self.looks_back:
            return self.table.match.game.moves(self.about)
        return self.table.session.moves()

    def settle(self) -> None:
        """Ends what moves, before a hint is shown."""

    def make(self, move: Any) -> None:
        """Makes the move that is best."""
        raise NotImplementedError

    def marked(self, move: Any) -> bool:
        """Whether the first stage marks places for that move; it is one of the answers else."""
        raise NotImplementedError

    def told(self) -> None:
        """A hint was told: shows what it speaks of besides, where a table does."""

    def plain(self, move: Any) -> str:
        """A move in words, without a full stop."""
        raise NotImplementedError

    def named(self, move: Any) -> str:
        """The second stage in words."""
        raise NotImplementedError

    # The same at all tables

    @property
    def seat(self) -> int | None:
        """The seat of a person who may be helped now; None for none. Where all look, a seat's own things must not
        speak through what is best."""
        session, match = self.table.session, self.table.match
        if session.asked is None or not session.asking or session.covered:
            return None
        everybody = session.facts.secrets and session.viewer == secrets.ALL
        if everybody and session.own_view() != match.game.view(match.state, None):
            return None
        return session.asked

    @property
    def hints(self) -> list[int]:
        """How many hints each seat was given in this match, however much of each it asked for."""
        return self.table.match.hints

    @property
    def about(self) -> Any:
        """The state that is thought about: of a match that is over the one looked at, else the one it has come to."""
        session, state = self.table.session, self.table.match.state
        return session.state if state.to_move is None else state

    @property
    def looks_back(self) -> bool:
        """Whether a moment is thought about that is past, of a match that is over."""
        return self.about is not self.table.match.state

    @property
    def may(self) -> bool:
        """Whether it may be shown who stands better: to a person who may be helped, and to all when all is over."""
        return self.seat is not None or self.looks_back

    @property
    def _alone(self) -> bool:
        """Whether there is one choice alone."""
        return len(self.open_moves()) == 1

    def update(self) -> None:
        """The match is elsewhere, or something else of it is shown."""
        state = self.about
        if self._asked is not None and self._asked is not state:
            self.forget()
        self.hint.enabled = self.seat is not None
        self.watch.enabled = state.to_move is not None
        self.watch.on = self.analysing
        if self.analysing and self.may:
            self._ask()

    def close(self) -> None:
        """The page is left."""
        self.forget()
        if self.thinker is not None:
            self.thinker.close()
            self.thinker = None

    def forget(self) -> None:
        """Nothing is asked any more."""
        self._asked, self._unthought = None, False
        self.stage, self.complete, self.found = 0, False, None
        if self.thinker is not None and self.thinker.busy:
            self.thinker.stop()

    def more(self) -> None:
        """Shows more of what is best here: where, which one, the move itself."""
        seat = self.seat
        if seat is None:
            return
        self.settle()
        if self.stage and not (self.complete and self.found):
            return  # what was asked for is not known yet
        self.stage += 1
        if self.stage == 1 and self._alone:
            # Nothing is found out, so there is no hint to count; pressed again it is made.
            self.stage = LAST - 1
        elif self.stage == 1:
            # What is asked of one and the same hint is one hint.
            with self.table.match.saved_once():
                self.hints[seat] += 1
        self._ask()
        self._tell()

    def toggle(self) -> None:
        """Shows who stands better, or no longer; where several persons play, if all agree."""
        if self.analysing:
            self.analysing = False
        elif len(self.table.session.persons) > 1 and self.table.match.state.to_move is not None:
            card = Agreeing(self.table.names, self.table.session.persons, self._begin)
            self.table.app.root.popup(card, card.place, focus=card.seats[0])
            return
        else:
            self.analysing = True
        self.table.update()

    def _begin(self) -> None:
        self.analysing = True
        self.table.update()

    def _ask(self) -> None:
        match, state = self.table.match, self.about
        seat = state.to_move if self.looks_back else self.seat
        if seat is None or (self._asked is state and not (self._unthought and self.analysing)):
            self._tick_soon()
            return
        self._asked, self._unthought = state, self._alone and not self.analysing
        if self._unthought:
            self.found, self.complete = Choice(self.open_moves()[0].text, Analysis(seat, 0, 0.5)), True
        else:
            self.found, self.complete = None, False
            if self.thinker is None:
                self.thinker = Thinker()
            self.thinker.ask(
                match.game,
                match.game.view(state, seat),
                ADVISER,
                seat=seat,
                seed=match.seed,
                budget=BUDGET,
                past=[] if self.looks_back else self.table.session.past(seat),
                moves=[move.text for move in match.game.moves(state, seat)],
                names=self.table.names,
            )
        self._tick_soon()

    def _tick_soon(self) -> None:
        if not self._ticking and self._asked is not None and not self.complete:
            self._ticking = True
            self.table.app.later(TICK, self._tick)

    def _tick(self) -> None:
        self._ticking = False
        shown: object = self.table.app.stage.screen
        if shown is not self.table or self.thinker is None:
            return
        answer = self.thinker.poll()
        if self._asked is self.about:
            if isinstance(answer, Choice):
                self.found, self.complete = answer, True
                self._tell()
            elif isinstance(answer, Progress):
                self.found = answer.choice
                self.table.refresh()
            elif isinstance(answer, Trouble) and not answer.again:
                self._give_up(answer.sentence)
        self._tick_soon()

    def _give_up(self, problem: Message) -> None:
        if self.stage and self.seat is not None and not self._alone:
            # Nobody looks any more, and a hint that never came is none.
            self.table.remark("")
            with self.table.match.saved_once():
                self.hints[self.seat] -= 1
        self.forget()
        self.analysing = False
        self.table.app.tell(_("No hint: {problem}", problem=problem))
        self.table.update()

    def near(self) -> list[Considered]:
        """The turns that are as good as the best, or nearly so."""
        turns = self.found.analysis.turns if self.found is not None else ()
        return [turn for turn in turns if turn.mean >= turns[0].mean - NEAR and turn.high >= turns[0].low]

    def move(self, text: str) -> Any:
        """The open move of that text, or None."""
        return next((move for move in self.open_moves() if move.text == text), None)

    def described(self, texts: Sequence[str]) -> str:
        """Return what the choices of a turn would do, in words; "" where the choices say as much themselves."""
        return ""

    def best(self) -> Any:
        """The move that a hint speaks of now; None while there is none."""
        if not self.stage or not self.complete or self.found is None or not self.may:
            return None
        return self.move(self.found.move)

    def reasons(self) -> str:
        """Why the best move is good, in words; "" where nothing was found."""
        found = self.found.reasons if self.found is not None else ()
        return "; ".join(localize(each) for each in found)

    def _tell(self) -> None:
        """Says what the hint shows now; the last stage makes the move."""
        if not self.stage:
            best = self.move(self.found.move) if self.complete and self.found is not None else None
            if best is not None and self.reasons():
                self.table.remark(self.named(best))
            self.table.refresh()
            return
        if not (self.complete and self.found is not None):
            self.table.remark(_("Analysing…"))
            return
        move = self.move(self.found.move)
        if move is None:
            return
        if self.stage == LAST:
            match = self.table.match
            if len(match.seats) == 1 or match.game.facts(len(match.seats)).solver:
                with match.saved_once():
                    self.table.app.matches.was_shown(match)
            self.make(move)
        elif self._unthought:
            self.table.remark(_("There is only one choice. {told}.", told=capital(self.plain(move))))
        elif self.stage == 1:
            self.table.remark(
                self._marked if self.marked(move) else _("The best move is one of the listed choices.")
            )
        else:
            self.table.remark(self.named(move))
        self.told()
