"""Undo and redo in a match, for tables of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .session import Session


class Undo:
    """Undo and redo of moves made by people.

    Undo stops at moves that drew something at random or revealed something, since players can't forget what they saw.
    """

    def __init__(self, session: Session) -> None:
        self.session = session

    def may_undo(self) -> bool:
        """Return whether the last move may be undone.

        It may not if it is one of the first ``floor`` moves of the match, if it drew or revealed something, or if it
        was a private choice of a person other than the viewer.
        """
        match = self.session.match
        if match.cursor <= match.floor:
            return False
        ply = match.plies[-1]
        before = match.plies[-2].state if match.cursor > 1 else match.first
        if any(event.seals for event in ply.events):
            return False
        hidden = before.ask is not None and before.ask.sight != "open" and self.session.facts.secrets
        return not hidden or len(self.session.persons) < 2 or ply.seat == self.session.viewer

    def undo(self) -> bool:
        """Undo the last move of a person and all moves after it; return whether this was possible.

        The moves after it were made by computers, or were forced and played automatically. If one of them can't be
        undone, nothing is undone. In a match without people, undo the last move.
        """
        match = self.session.match
        begun = match.cursor
        every = len(self.session.persons) == 0
        with match.saved_once():
            while self.may_undo():
                seat = match.plies[-1].seat
                match.undo_step()
                if every or not (match.by_computer(seat) or self.session.forced()):
                    return True
            match.goto(begun)
        return False

    def undo_to(self, cursor: int) -> bool:
        """Undo all moves after the first ``cursor`` moves; return whether any were undone.

        If one of them can't be undone, nothing is undone.
        """
        match = self.session.match
        begun = match.cursor
        with match.saved_once():
            while match.cursor > cursor:
                if not self.may_undo():
                    match.goto(begun)
                    return False
                match.undo_step()
        return match.cursor != begun

    def redo(self) -> bool:
        """Redo a move and the computers' moves that follow it; return whether there was a move."""
        match = self.session.match
        with match.saved_once():
            again = match.redo_step()
            while again and match.undone and match.by_computer(match.undone[0].seat):
                match.redo_step()
        return again
