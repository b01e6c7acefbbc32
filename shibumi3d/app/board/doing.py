"""What is done at a table of any kind: moves made, taken back and made again, looking back. How a table shows it is its
own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from shibumi3d.i18n import _, language
from shibumi3d.rules.wording import capital

from .handover import hand_over
from .parts import MatchTable

if TYPE_CHECKING:
    from shibumi3d.match.ply import Ply

    from .watching import Watching


class Sitting(Protocol):
    """The seats that computers play."""

    watching: Watching

    @property
    def seconds(self) -> float:
        """For how long one thinks."""

    def pause_watching(self) -> None:
        """Wait where computers play alone."""


class Played(MatchTable, Protocol):
    """A match in which moves are made."""

    @property
    def computers(self) -> Sitting:
        """The seats that computers play."""


class Undoing(Protocol):
    """How far a table lets people go back and on."""

    def undo(self) -> bool:
        """Take back what a person did last; whether that could be."""

    def undo_to(self, cursor: int) -> bool:
        """Take back all that was done after so many moves; whether that could be."""

    def redo(self) -> bool:
        """Play again what was taken back; whether there was any."""


class Doing:
    """What persons and computers do in a match."""

    replaying = False
    """Whether the last turn is shown again."""

    def __init__(self, page: Played, past: Undoing) -> None:
        self._page, self._past = page, past

    # What a table says

    @property
    def moving(self) -> bool:
        """Whether something on the table moves, or all look at what was opened."""
        raise NotImplementedError

    @property
    def waits(self) -> bool:
        """Whether a choice waits until it is confirmed."""
        raise NotImplementedError

    def forget(self) -> None:
        """Drop the choice that waits."""
        raise NotImplementedError

    def quiet(self) -> None:
        """Let be answered what was said last."""
        raise NotImplementedError

    def skip(self) -> None:
        """Finish what moves: input never waits."""
        raise NotImplementedError

    def reset(self) -> None:
        """Show the table as it is at the moment looked at, nothing moving."""
        raise NotImplementedError

    def show(self, events: Sequence[Any]) -> None:
        """Show what was just made, behind a curtain where one falls, and the page after it."""
        raise NotImplementedError

    def back(self, gone: Sequence[Ply]) -> None:
        """Show how moves are taken back, the first of them first, and the page after it."""
        raise NotImplementedError

    def looked(self, before: int) -> None:
        """Show the moment that is looked at; ``before`` it was that after so many moves."""
        self.jumped()

    def show_again(self, first: int) -> None:
        """Show slowly how the moves from number ``first`` on were made."""
        raise NotImplementedError

    def play_move(self, move: Any) -> None:
        """Make a move of the person asked."""
        raise NotImplementedError

    def open_moves(self) -> Sequence[Any]:
        """Return the choices of the person asked."""
        return self._page.session.moves()

    def spellings(self, move: Any) -> tuple[str, ...]:
        """Return how a move may be typed, as many ways for each; the first is shown."""
        return (move.text,)

    def ask(self) -> str:
        """Return what the person asked is asked for."""
        session = self._page.session
        return session.match.game.ask_line(session.own_view(), language(), self._page.names)

    def why_not_typed(self, words: str) -> str:
        """Return why no move begins with ``words``: else that something is asked for."""
        return _("{text}.", text=capital(self.ask()))

    def read(self) -> None:
        """Read the choices anew: the match went elsewhere."""

    def make(self, move: Any, seat: int | None = None) -> Sequence[Any]:
        """Make a move and return what happened."""
        events = self._page.session.match.play(move, seat)
        self.read()
        return events

    # The same at all tables

    def made(self, events: Sequence[Any]) -> None:
        """Show a move that was made."""
        page = self._page
        self.quiet()
        page.keep_eye()
        page.ending = page.session.match.state.to_move is None
        if page.ending and page.coach is None:
            page.app.matches.ended(page.session.match)
            page.computers.watching.ended()
        self.show(events)

    def taken_back(self, before: Sequence[Ply]) -> None:
        """Show that of the moves ``before`` those after the cursor were taken back."""
        page = self._page
        self.quiet()
        page.ending, page.session.looking = False, None
        self.back(page.session.match.undone[: len(before) - page.session.match.cursor])

    def curtain(self) -> bool:
        """Cover the window when the one asked may know what others may not; whether it does."""
        return hand_over(self._page)

    def jumped(self) -> None:
        """Show the table as it is at the moment looked at, and the page after it."""
        self.curtain()
        self.reset()
        self._page.update()

    def undo_now(self) -> None:
        """Take back what a person did last."""
        self.skip()
        if self._page.resume():
            return
        if self.waits:
            self.forget()
            return
        before = self._page.session.match.plies
        self._page.computers.pause_watching()
        if self._past.undo():
            self.taken_back(before)
        elif before:
            self._page.remark(_("This can't be undone: something was drawn or revealed."))

    def redo_now(self) -> None:
        """Play again what was taken back."""
        self.skip()
        self._go_on(self._past.redo)

    def replay_last(self) -> None:
        """Show the last turn once more, slowly."""
        session = self._page.session
        if session.match.plies and session.live:
            self.skip()
            self.replaying = True
            self.show_again(session.turn_start())
            self._page.refresh()

    def end_replay(self) -> None:
        """Show the table as it is, if the last turn was shown again."""
        if self.replaying:
            self.replaying = False
            self.reset()

    def go_on_here(self) -> None:
        """Take back all that came after the moment that is looked at; what was played stays in the list."""
        page, here = self._page, self._page.session.looking
        if here is None:
            return
        self.skip()
        page.computers.pause_watching()
        page.app.matches.part(page.session.match)
        if self._past.undo_to(here):
            page.session.looking, page.ending = None, False
            self.jumped()
            page.remark(_("Play continues from here. Later moves stay in the list."))
        else:
            page.remark(_("This can't be undone: something was drawn or revealed."))

    def _go_on(self, further: Callable[[], bool]) -> None:
        """Look at the match as it is now, and show the moves that ``further`` plays again, if it does."""
        match = self._page.session.match
        if not self._page.session.live:
            self._page.session.looking = None
            self.reset()
        before = match.cursor
        if further():
            self.made([event for ply in match.plies[before:] for event in ply.events])

    def look(self, ply: int | None) -> None:
        """Show the table after so many moves; None: as it is now. What was taken back up to there is played again."""
        session, match = self._page.session, self._page.session.match
        self.skip()
        if ply is not None and ply > match.cursor:
            there = ply

            def further() -> bool:
                match.goto(there)
                self.read()
                return True

            self._go_on(further)
            return
        before = session.cursor
        session.looking = None if ply is None or ply >= match.cursor else max(0, ply)
        self.quiet()
        self.looked(before)

    def take(self, variation: int) -> None:
        """Go on with what was done before something else was done instead."""
        page = self._page
        self.skip()
        page.computers.pause_watching()
        page.app.matches.part(page.session.match)
        page.session.match.take(variation)
        self.read()
        page.session.looking = None
        self.jumped()
        page.remark(_("Switched to this variation. The other line stays in the list."))
