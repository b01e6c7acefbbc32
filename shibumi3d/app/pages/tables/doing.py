"""What is done at a table of any kind: choices that wait or are made, questions before all, moments shown."""

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
    from ...ui.button import Button

FORCED = 0.5
"""Seconds before a question that has one answer answers itself."""


class Played(Table, Protocol):
    """A table at which moves are made."""

    confirm: Button
    """Makes the move that waits."""


class TableDoing(Doing):
    """What persons and computers do at the page."""

    def __init__(self, page: Played) -> None:
        super().__init__(page, Undo(page.session))
        self.page = page

    waiting: Any = None
    """The move that was chosen and waits until it is confirmed."""

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
        """Nothing is begun any more: no pick, no move that waits."""
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

    def show(self, events: Sequence[Any]) -> None:
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

    def spellings(self, move: Any) -> tuple[str, ...]:
        session = self.page.session
        return move.text, session.match.game.say(session.own_view(), move, language(), self.page.names)

    def looked(self, before: int) -> None:
        """Show the moment: one move on is seen as it was made, one back as it is taken back."""
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

    def choose(self, move: Any) -> None:
        """Make the move of the person asked, or let it wait where turns are ended by hand."""
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
        """Where all are asked, a seat says that it looks and answers, or (-1) everybody that nobody does."""
        match, session = self.page.match, self.page.session
        if not session.window or not session.live:
            return
        session.looker = None  # all have looked meanwhile
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
        """Makes the move that waits."""
        if self.waiting is not None:
            self.play_move(self.waiting)

    def play_move(self, move: Any) -> None:
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
        """A question before everybody with one answer is answered after a moment."""
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
        """Looks a move back or on."""
        self.look(self.page.session.cursor + by)
