"""How far a match on a table of any kind goes back and on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .session import Session


class Undo:
    """Takes back what persons did, as far as nothing was shown by it that can't be unseen, and plays it again."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def may_undo(self) -> bool:
        """Whether the last move may be taken back: nothing was drawn or shown by it, and it is nobody else's secret."""
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
        """Take back the last move of a person, what computers did since, and answers that were given by themselves;
        nothing at all where one of these can't be. Whether that could be."""
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
        """Take back all that was done after so many moves, or nothing at all where some of it can't be."""
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
        """Play again what was taken back, and what computers did next; whether there was any."""
        match = self.session.match
        with match.saved_once():
            again = match.redo_step()
            while again and match.undone and match.by_computer(match.undone[0].seat):
                match.redo_step()
        return again
