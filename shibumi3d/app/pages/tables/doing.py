"""What is done at a table of any kind: moves made and taken back, curtains, looking back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from shibumi3d.match.beyond import TIME_UP
from shibumi3d.match.ply import Ply
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.wording import capital

from ...board.handover import hand_over
from ...board.session import Answerer
from ...text import say, told
from .parts import Table

if TYPE_CHECKING:
    from ...board.coach import Coach
    from ...board.running import Running
    from ...board.view_commands import ViewCommands
    from ...ui.button import Button
    from ...ui.rect import Rect
    from .parts import Looking

FORCED = 0.5
"""Seconds before a question that has one answer answers itself."""
HURRY = 8.0
"""How many times faster things move while the handle of the line is moved."""


class Played(Table, Protocol):
    """A table at which moves are made."""

    running: Running
    view_commands: ViewCommands
    confirm: Button
    """Makes the move that waits."""
    coach: Coach | None
    """The strip of a lesson."""
    kept_as: str
    """The name of the file in which the match is kept."""
    rect: Rect

    @property
    def on_window(self) -> bool:
        """Whether the window shows this page."""

    @property
    def pointer(self) -> Looking:
        """What follows the pointer and the cursor."""

    def layout(self, rect: Rect) -> None:
        """Put everything into a rectangle."""


class TableDoing:
    """What persons and computers at the page do."""

    def __init__(self, page: Played) -> None:
        self.page = page

    waiting: Any = None
    """The move that was chosen and waits until it is confirmed."""

    def choose(self, move: Any) -> None:
        """The person asked chose a move: it is made, or waits where turns are ended by hand."""
        page = self.page
        if isinstance(move, Answerer):
            self.press(move.seat)
            return
        if not page.app.settings.confirm or page.coach is not None or move == self.waiting:
            self.play(move)
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
            self.play(self.waiting)

    def forget(self) -> None:
        """The move that waits is not made."""
        self.waiting = None
        self.page.update()
        self.page.pointer.looked()

    def choosing(self) -> int | None:
        """The seat that chooses now and whose clock runs: not while things are on their way to where they belong."""
        page, session = self.page, self.page.session
        if page.scene.busy(page.now()):
            return None
        return session.thinking if session.thinking is not None else session.asked

    def lose_on_time(self) -> None:
        """The match ends because the time of the one to move is up."""
        self.page.session.looking = None
        self.made(self.page.match.play(TIME_UP))

    def play(self, move: Any) -> None:
        """Makes a move for the person asked."""
        seat = self.page.session.asked
        if seat is None or not self.page.session.live:
            return
        self.page.pointer.leave(seat)
        try:
            self.made(self.page.match.play(move, seat))
        except RuleFailure as problem:
            self.page.note = capital(told(problem))
            self.page.update()

    def made(self, events: Sequence[Any]) -> None:
        """A move was made: it is shown, behind a curtain where one falls."""
        self.page.note = ""
        self.page.view_commands.keep_eye(self.page.kept_as)
        if self.page.match.state.to_move is None and self.page.coach is None:
            self.page.app.matches.ended(self.page.match)
            self.page.app.sounds.bowl()
        self._show(events)

    def _show(self, events: Sequence[Any]) -> None:
        if self.curtain():
            self.page.scene.reset(self.page.session.seen(), self.page.session.sitting)
        else:
            self._move(events)
        self.page.update()
        self.page.pointer.looked()

    def _move(self, events: Sequence[Any]) -> None:
        """Moves things as ``events`` say, to what is shown now."""
        session, scene = self.page.session, self.page.scene
        try:
            scene.play(session.known(events), self.page.now(), session.seen(), session.sitting)
        except LookupError:
            scene.reset(session.seen(), session.sitting)

    def curtain(self) -> bool:
        """Covers the window when the one asked may know what others may not; whether it does."""
        return hand_over(self.page)

    def answer_itself(self) -> None:
        """A question before everybody with one answer is answered after a moment."""
        state, move = self.page.match.state, self.page.session.forced()
        if move is None or not self.page.picking.ways:
            return

        def answer() -> None:
            if self.page.on_window and self.page.match.state is state and self.page.session.live:
                if self.page.scene.busy(self.page.now()) or self.page.app.root.floats:
                    self.page.app.later(FORCED, answer)
                else:
                    self.play(move)

        self.page.app.later(FORCED, answer)

    def take_back(self) -> None:
        """Takes the last move of a person back."""
        gone = self.page.session.undo()
        self.page.note = "" if gone or not self.page.match.cursor else say("note.sealed")
        self._back(gone[::-1])

    def _back(self, gone: Sequence[Ply]) -> None:
        """Shows how moves are taken back, the first of them first."""
        page, session = self.page, self.page.session
        page.scene.finish()
        if not gone or self.curtain():
            self.jumped()
            return
        try:
            page.scene.back(session.told(gone), page.now(), session.seen(), session.sitting)
        except LookupError:
            page.scene.reset(session.seen(), session.sitting)
        page.update()
        page.pointer.looked()

    def play_again(self) -> None:
        """Plays again what was taken back, and what computers did next: seen as it was made."""
        match, ends = self.page.match, self.page.match.cursor
        if match.undone:
            ends += 1
            while ends - match.cursor < len(match.undone) and match.by_computer(
                match.undone[ends - match.cursor].seat
            ):
                ends += 1
        self._play_on(ends)

    def _play_on(self, ply: int) -> None:
        """Plays again what was taken back, up to so many moves."""
        match, session, begun = self.page.match, self.page.session, self.page.match.cursor
        live, session.looking = session.live, None
        match.goto(ply)
        self.page.scene.finish()
        if match.cursor == begun or not live:
            self.jumped()
        else:
            self._show([event for made in match.plies[begun:] for event in made.events])

    def take(self, variation: int) -> None:
        """Goes on with what was done before something else was done instead."""
        self.page.app.matches.part(self.page.match)
        self.page.match.take(variation)
        self.page.session.looking = None
        self.jumped()
        self.page.remark(say("note.variation"))

    def look(self, ply: int | None) -> None:
        """Shows the table after so many moves; None: as it is now. One move on is seen as it was made, one back as it
        is taken back."""
        page, session, match = self.page, self.page.session, self.page.match
        if ply is not None and ply > match.cursor:
            self._play_on(ply)
            return
        before = session.cursor
        session.looking = None if ply is None or ply >= match.cursor else max(0, ply)
        page.running.pass_time()
        if session.cursor == before - 1:
            self._back([match.plies[session.cursor]])
        elif session.cursor != before + 1:
            self.jumped()
        else:
            page.scene.finish()
            self._show(match.plies[before].events)

    def scrub(self, ply: int) -> None:
        """The handle of the line was moved: what moves hurries after it."""
        self.page.running.on = False
        self.look(ply)
        self.page.running.pass_time(HURRY)

    def look_by(self, by: int) -> None:
        """Looks a move back or on."""
        self.look(self.page.session.cursor + by)

    def jumped(self) -> None:
        """Shows the table as it is now, nothing moving."""
        self.curtain()
        self.page.scene.finish()
        self.page.scene.reset(self.page.session.seen(), self.page.session.sitting)
        self.page.update()
        self.page.pointer.looked()
