"""Undo and redo in a match, for tables of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .session import Session


class Undo:
    """Undo and redo of the moves of humans.

    Undo stops at moves that drew or revealed something that can't be unseen.
    """

    def __init__(self, session: Session) -> None:
        self.session = session

    def may_undo(self) -> bool:
        """Return whether the last move may be undone.

        It may not if it is one of the match's first ``floor`` moves, if it drew or revealed something, or if it was a
        private choice of a human other than the viewer.
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
        """Undo the last move of a human, and all moves since; return whether that was possible.

        The moves since are those of computers, and answers that were played automatically. If one of them can't be
        undone, nothing is. In a match without humans, undo the last move.
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
        """Undo all moves after the first ``cursor``, or none if one of them can't be undone.

        Return whether any were undone.
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
        """Redo a move, and the moves of computers that follow it; return whether there was one."""
        match = self.session.match
        with match.saved_once():
            again = match.redo_step()
            while again and match.undone and match.by_computer(match.undone[0].seat):
                match.redo_step()
        return again
