"""Hints in several stages, and analysis of positions, for tables of any kind.

Both are computed in a separate process, which receives only what the player being helped may know. Subclasses display
them.
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
    from shibumi3d.rules.game import Move

ADVISER = LEVELS[-1].name
"""Computer player that computes hints and analysis.

It is the strongest level, which also uses the certificates of solved games.
"""
BUDGET = Budget(iterations=LEVELS[-1].iterations, seconds=3.0)
"""Search budget for a hint or an analysis."""
TICK = 0.1
"""Interval between polls of the search process, in seconds."""
LAST = 3
"""Last stage of a hint, which plays the move.

Stage 1 shows where to move, and stage 2 which move to make.
"""


class Adviser:
    """Hints and analysis for the person to move. Each table kind has its own subclass."""

    def __init__(self, page: MatchTable, marked: str, tip: str) -> None:
        """Create the buttons for hints and analysis.

        ``marked`` is the sentence for the first stage of a hint, ``tip`` the tooltip of the hint button.
        """
        self.table, self._marked = page, marked
        self.thinker: Thinker | None = None
        self.analysing = False
        """Whether the analysis is shown."""
        self.stage = 0
        """Number of hint stages requested, from 0 to :data:`LAST`."""
        self.found: Choice | None = None
        """Best choice found for the position shown, or None."""
        self.complete = False
        """Whether :attr:`found` is final."""
        self._asked: Any = None
        self._unthought = False
        """Whether :attr:`found` is the only open move, which was not analysed."""
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

    # Overridden by each table kind

    def open_moves(self) -> Sequence[Move]:
        """Return the legal moves of the seat being helped.

        When an earlier position of a finished match is shown, these are the moves of the seat that was to move there.
        """
        if self.looks_back:
            return self.table.match.game.moves(self.about)
        return self.table.session.moves()

    def settle(self) -> None:
        """Finish all animations on the table before a hint is shown."""

    def make(self, move: Move) -> None:
        """Play ``move``, the best move."""
        raise NotImplementedError

    def marked(self, move: Move) -> bool:
        """Return whether the first stage of the hint marks places on the table for this move.

        If not, the move is chosen from a list rather than on the table.
        """
        raise NotImplementedError

    def told(self) -> None:
        """Update other parts of the table that show the hint; called after each stage."""

    def plain(self, move: Move) -> str:
        """Return a description of a move, without a full stop."""
        raise NotImplementedError

    def named(self, move: Move) -> str:
        """Return the sentence for the second stage of a hint, which names the move."""
        raise NotImplementedError

    # Common to all tables

    @property
    def seat(self) -> int | None:
        """Seat of the person who may be given help now, or None.

        In a game with hidden information, the screen may show only what everybody may know. If the seat to move knows
        more than that, it gets no help, since the best move could reveal its secrets.
        """
        session, match = self.table.session, self.table.match
        if session.asked is None or not session.asking or session.covered:
            return None
        everybody = session.facts.secrets and session.viewer == secrets.ALL
        if everybody and session.own_view() != match.game.view(match.state, None):
            return None
        return session.asked

    @property
    def hints(self) -> list[int]:
        """Number of hints given to each seat in this match; all stages of a hint count as one hint."""
        return self.table.match.hints

    @property
    def about(self) -> Any:
        """State to analyse: the state shown if the match is over, otherwise the current state."""
        session, state = self.table.session, self.table.match.state
        return session.state if state.to_move is None else state

    @property
    def looks_back(self) -> bool:
        """Whether the match is over and an earlier state is being analysed."""
        return self.about is not self.table.match.state

    @property
    def may(self) -> bool:
        """Whether the analysis may be shown now.

        It may if somebody may be given help, or if an earlier position of a finished match is shown.
        """
        return self.seat is not None or self.looks_back

    @property
    def _alone(self) -> bool:
        """Whether there is only one legal move."""
        return len(self.open_moves()) == 1

    def update(self) -> None:
        """Update the buttons and the analysis after a change of the match or of the state shown."""
        state = self.about
        if self._asked is not None and self._asked is not state:
            self.forget()
        self.hint.enabled = self.seat is not None
        self.watch.enabled = state.to_move is not None
        self.watch.on = self.analysing
        if self.analysing and self.may:
            self._ask()

    def close(self) -> None:
        """Stop the search and end its process. Called when the page is left."""
        self.forget()
        if self.thinker is not None:
            self.thinker.close()
            self.thinker = None

    def forget(self) -> None:
        """Cancel the search, and discard the hint and the analysis."""
        self._asked, self._unthought = None, False
        self.stage, self.complete, self.found = 0, False, None
        if self.thinker is not None and self.thinker.busy:
            self.thinker.stop()

    def more(self) -> None:
        """Advance the hint: show where to move, then which move to make, then play the move.

        Does nothing while the current stage is still being computed. Only the first stage counts as a hint, and none is
        counted if there is just one legal move.
        """
        seat = self.seat
        if seat is None:
            return
        self.settle()
        if self.stage and not (self.complete and self.found):
            return  # the current stage is still being computed
        self.stage += 1
        if self.stage == 1 and self._alone:
            # The only legal move gives nothing away, so no hint is counted. The next press plays the move.
            self.stage = LAST - 1
        elif self.stage == 1:
            # All stages of a hint count as one.
            with self.table.match.saved_once():
                self.hints[seat] += 1
        self._ask()
        self._tell()

    def toggle(self) -> None:
        """Turn the analysis on or off.

        If several people are playing, all of them must agree to turn it on.
        """
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
            # Clear the message that a search is running, and don't count a hint that was never given.
            self.table.remark("")
            with self.table.match.saved_once():
                self.hints[self.seat] -= 1
        self.forget()
        self.analysing = False
        self.table.app.tell(_("No hint: {problem}", problem=problem))
        self.table.update()

    def near(self) -> list[Considered]:
        """Return the turns that are as good as the best one, or nearly so.

        The mean value of such a turn is at most :data:`.players.NEAR` below that of the best turn, and its upper bound
        is not below the lower bound of the best turn.
        """
        turns = self.found.analysis.turns if self.found is not None else ()
        return [turn for turn in turns if turn.mean >= turns[0].mean - NEAR and turn.high >= turns[0].low]

    def move(self, text: str) -> Any:
        """Return the legal move with this notation, or None."""
        return next((move for move in self.open_moves() if move.text == text), None)

    def described(self, texts: Sequence[str]) -> str:
        """Return a description of what the moves of a turn would do.

        The default is an empty string, for tables where the notation of a move is clear enough.
        """
        return ""

    def best(self) -> Any:
        """Return the best move found, or None if the search has found none yet."""
        if not self.stage or not self.complete or self.found is None or not self.may:
            return None
        return self.move(self.found.move)

    def reasons(self) -> str:
        """Return a description of why the best move is good; empty if no reason was found."""
        found = self.found.reasons if self.found is not None else ()
        return "; ".join(localize(each) for each in found)

    def _tell(self) -> None:
        """Show the current stage of the hint; in the last stage, play the move.

        If no hint was requested, name the best move once the analysis is complete and has found reasons for it.
        """
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
