"""Actions in a match at tables other than marbles: playing, confirming, undoing, looking back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from shibumi3d.i18n import language, localize
from shibumi3d.match.ply import Ply
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.wording import capital

from ...board.doing import Doing
from ...board.undoing import Undo
from ...board.who import Answerer
from .parts import Table

if TYPE_CHECKING:
    from shibumi3d.rules.game import Event, Move

    from ...ui.button import Button

FORCED = 0.5
"""Delay before a question with only one possible answer is answered automatically, in seconds."""


class Played(Table, Protocol):
    """Interface of a table page on which moves are made."""

    confirm: Button
    """Button that confirms the pending move."""


class TableDoing(Doing):
    """Actions of persons and computers in the match on the page."""

    def __init__(self, page: Played) -> None:
        super().__init__(page, Undo(page.session))
        self.page = page

    waiting: Any = None
    """Move that was chosen but not yet confirmed, or None."""

    @property
    def moving(self) -> bool:
        return self.page.scene.busy(self.page.now())

    @property
    def waits(self) -> bool:
        return self.waiting is not None

    def forget(self) -> None:
        self.let_go()
        self.page.update()
        self.page.pointer.looked()

    def let_go(self) -> None:
        """Drop the picks and the unconfirmed move."""
        self.waiting = None
        self.page.picking.close()

    def quiet(self) -> None:
        self.page.note = ""

    def skip(self) -> None:
        self.page.scene.finish()
        self.end_replay()

    def reset(self) -> None:
        self.page.scene.finish()
        self.page.scene.reset(self.page.session.view, self.page.session.sitting)

    def show(self, events: Sequence[Event]) -> None:
        session, scene = self.page.session, self.page.scene
        if self.curtain():
            self.reset()
        else:
            try:
                scene.play(session.as_seen(events), self.page.now(), session.view, session.sitting)
            except LookupError:
                scene.reset(session.view, session.sitting)
        self.page.update()
        self.page.pointer.looked()

    def back(self, gone: Sequence[Ply]) -> None:
        page, session = self.page, self.page.session
        self.let_go()
        page.scene.finish()
        if not gone or self.curtain():
            self.reset()
        else:
            try:
                page.scene.back(session.moves_as_seen(gone), page.now(), session.view, session.sitting)
            except LookupError:
                page.scene.reset(session.view, session.sitting)
        page.update()
        page.pointer.looked()

    def show_again(self, first: int) -> None:
        session, scene = self.page.session, self.page.scene
        plies = session.match.plies[first:]
        scene.reset(session.view_before(first), session.sitting)
        speed, scene.speed = scene.speed, "again"
        try:
            scene.play(session.moves_as_seen(plies), self.page.now(), session.view, session.sitting)
        except LookupError:
            self.reset()
        scene.speed = speed

    def spellings(self, move: Move) -> tuple[str, ...]:
        session = self.page.session
        return move.text, session.match.game.say(session.own_view(), move, language(), self.page.names)

    def looked(self, before: int) -> None:
        """Show the selected position; ``before`` is the number of moves shown until now.

        A step of a single move is animated.
        """
        session, plies = self.page.session, self.page.match.plies
        if session.cursor == before - 1:
            self.back([plies[session.cursor]])
        elif session.cursor == before + 1:
            self.show(plies[before].events)
        else:
            self.jumped()

    def jumped(self) -> None:
        super().jumped()
        self.page.pointer.looked()

    def choose(self, move: Move) -> None:
        """Make a move; if the settings require confirmation, wait for that first.

        An :class:`.Answerer` is passed on to :meth:`press`.
        """
        page = self.page
        if isinstance(move, Answerer):
            self.press(move.seat)
            return
        if not page.app.settings.confirm or page.coach is not None or move == self.waiting:
            self.play_move(move)
            return
        self.waiting, page.confirm.visible = move, True
        page.layout(page.rect)
        page.pointer.looked()

    def press(self, seat: int) -> None:
        """Let ``seat``, one of the seats asked, look at its hand and answer.

        If ``seat`` is -1, no seat wants to answer, and each gives the default answer.
        """
        match, session = self.page.match, self.page.session
        if not session.window or not session.live:
            return
        session.looker = None  # the table has been visible to everybody in the meantime
        self.let_go()
        if seat >= 0:
            session.answers(seat)
            self.jumped()
            return
        ask, events = match.state.ask, list[Any]()
        with match.saved_once():
            for each in ask.seats:
                now = match.state.ask
                if now is not None and now.kind == ask.kind and each in now.seats:
                    events += match.play(ask.default, each)
        self.made(events)

    def confirm(self) -> None:
        """Make the move that waits for confirmation, if there is one."""
        if self.waiting is not None:
            self.play_move(self.waiting)

    def play_move(self, move: Move) -> None:
        seat = self.page.session.asked
        if seat is None or not self.page.session.live:
            return
        self.page.pointer.leave(seat)
        self.let_go()
        try:
            self.made(self.make(move, seat))
        except RuleFailure as problem:
            self.page.note = capital(localize(problem))
            self.page.update()

    def answer_itself(self) -> None:
        """If an open question has only one possible answer, schedule that answer.

        It is postponed while something moves or a card is open, and discarded if the match has moved on by then.
        """
        state, move = self.page.match.state, self.page.session.forced()
        if move is None or not self.page.picking.ways:
            return

        def answer() -> None:
            shown: object = self.page.app.stage.screen
            if shown is self.page and self.page.match.state is state and self.page.session.live:
                if self.page.scene.busy(self.page.now()) or self.page.app.root.floats:
                    self.page.app.later(FORCED, answer)
                else:
                    self.play_move(move)

        self.page.app.later(FORCED, answer)

    def look_by(self, by: int) -> None:
        """Show the position ``by`` moves later, or earlier if ``by`` is negative."""
        self.look(self.page.session.cursor + by)
