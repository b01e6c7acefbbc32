"""Actions on a match, for tables of any kind: moves, undo and redo, and showing earlier positions.

Each table kind defines how they are displayed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from shibumi3d.i18n import _, language
from shibumi3d.rules.wording import capital

from .handover import hand_over
from .parts import MatchTable

if TYPE_CHECKING:
    from shibumi3d.match.ply import Ply
    from shibumi3d.rules.game import Event, Move

    from .watching import Watching


class Sitting(Protocol):
    """Computer players of a match."""

    watching: Watching

    @property
    def seconds(self) -> float:
        """Time spent thinking about the pending choice so far, in seconds; 0 if there is none."""

    def pause_watching(self) -> None:
        """Pause a match between computers."""


class Played(MatchTable, Protocol):
    """Match page on which moves are made."""

    @property
    def computers(self) -> Sitting:
        """Computer players of this match."""


class Undoing(Protocol):
    """Undo and redo on a table."""

    def undo(self) -> bool:
        """Undo the last move of a person; return whether that was possible."""

    def undo_to(self, cursor: int) -> bool:
        """Undo everything after the first ``cursor`` moves; return whether this was possible."""

    def redo(self) -> bool:
        """Redo the moves that were undone last; return whether there were any."""


class Doing:
    """Actions of people and computers in a match. Each table kind has its own subclass."""

    replaying = False
    """Whether the last turn is being replayed."""

    def __init__(self, page: Played, past: Undoing) -> None:
        self._page, self._past = page, past

    # Overridden by each table kind

    @property
    def moving(self) -> bool:
        """Whether anything on the table is moving, or secret choices are being revealed."""
        raise NotImplementedError

    @property
    def waits(self) -> bool:
        """Whether a choice is waiting to be confirmed."""
        raise NotImplementedError

    def forget(self) -> None:
        """Discard the choice that is waiting to be confirmed."""
        raise NotImplementedError

    def quiet(self) -> None:
        """Hide the latest message."""
        raise NotImplementedError

    def skip(self) -> None:
        """Finish all animations, so that input never has to wait."""
        raise NotImplementedError

    def reset(self) -> None:
        """Show the selected position, without animation."""
        raise NotImplementedError

    def show(self, events: Sequence[Event]) -> None:
        """Animate the events of a move, covering the window first if necessary, and update the page."""
        raise NotImplementedError

    def back(self, gone: Sequence[Ply]) -> None:
        """Animate undoing the moves ``gone``, and update the page.

        The moves are in the order in which they were played.
        """
        raise NotImplementedError

    def looked(self, before: int) -> None:
        """Show the selected position; ``before`` is the number of moves that were shown previously."""
        self.jumped()

    def show_again(self, first: int) -> None:
        """Replay the moves from index ``first`` on, slowly."""
        raise NotImplementedError

    def play_move(self, move: Move) -> None:
        """Make a move of the person to move."""
        raise NotImplementedError

    def open_moves(self) -> Sequence[Move]:
        """Return the legal moves of the person to move."""
        return self._page.session.moves()

    def spellings(self, move: Move) -> tuple[str, ...]:
        """Return the ways in which a move may be typed, with the preferred spelling first.

        All moves have the same number of spellings.
        """
        return (move.text,)

    def ask(self) -> str:
        """Return a sentence that says what the person to move must do."""
        session = self._page.session
        return session.match.game.ask_line(session.own_view(), language(), self._page.names)

    def why_not_typed(self, words: str) -> str:
        """Return a sentence that says why no move starts with ``words``.

        By default, it says what the person to move must do.
        """
        return _("{text}.", text=capital(self.ask()))

    def read(self) -> None:
        """Reload the legal moves after a change of the match."""

    def make(self, move: Move, seat: int | None = None) -> Sequence[Any]:
        """Make a move and return its events."""
        events = self._page.session.match.play(move, seat)
        self.read()
        return events

    # Common to all tables

    def made(self, events: Sequence[Event]) -> None:
        """Show a move that has been made; if it ended the match, record the end."""
        page = self._page
        self.quiet()
        page.keep_eye()
        page.ending = page.session.match.state.to_move is None
        if page.ending and page.coach is None:
            page.app.matches.ended(page.session.match)
            page.computers.watching.ended()
        self.show(events)

    def taken_back(self, before: Sequence[Ply]) -> None:
        """Animate undoing moves; ``before`` holds all moves made until then, including undone ones."""
        page = self._page
        self.quiet()
        page.ending, page.session.looking = False, None
        self.back(page.session.match.undone[: len(before) - page.session.match.cursor])

    def curtain(self) -> bool:
        """Cover the window if the next person may see more than the last.

        Returns whether the window was covered.
        """
        return hand_over(self._page)

    def jumped(self) -> None:
        """Show the selected position without animation, and update the page."""
        self.curtain()
        self.reset()
        self._page.update()

    def undo_now(self) -> None:
        """Undo the last action of a person.

        If a refuted move is still on the table, or a choice is waiting to be confirmed, undo only that.
        """
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
        """Redo the moves that were undone last."""
        self.skip()
        self._go_on(self._past.redo)

    def replay_last(self) -> None:
        """Replay the last turn, slowly."""
        session = self._page.session
        if session.match.plies and session.live:
            self.skip()
            self.replaying = True
            self.show_again(session.turn_start())
            self._page.refresh()

    def end_replay(self) -> None:
        """Stop replaying the last turn, and show the current position."""
        if self.replaying:
            self.replaying = False
            self.reset()

    def go_on_here(self) -> None:
        """Continue from the position being viewed, undoing all later moves.

        They remain in the move list as a variation.
        """
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
        """Show the current position, call ``further``, and animate any moves that it redoes.

        ``further`` returns whether it redid any moves.
        """
        match = self._page.session.match
        if not self._page.session.live:
            self._page.session.looking = None
            self.reset()
        before = match.cursor
        if further():
            self.made([event for ply in match.plies[before:] for event in ply.events])

    def look(self, ply: int | None) -> None:
        """Show the position after ``ply`` moves, or the current position if ``ply`` is None.

        If some of these moves have been undone, they are redone.
        """
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
        """Switch to a variation and continue from its end."""
        page = self._page
        self.skip()
        page.computers.pause_watching()
        page.app.matches.part(page.session.match)
        page.session.match.take(variation)
        self.read()
        page.session.looking = None
        self.jumped()
        page.remark(_("Switched to this variation. The other line stays in the list."))
