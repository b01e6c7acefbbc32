"""Steps back and on in a match, as far as people may go; and steps that answer themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.move import Move

from . import secrets

if TYPE_CHECKING:
    from shibumi3d.match.match import Match
    from shibumi3d.rules.marbles.state import State

ANSWER = 1 / 300
"""What giving an answer that is the only one takes besides the rules, as a part of what a choice may take."""


class Choosing(Protocol):
    """The choices of the person to move."""

    match: Match
    view: State
    """The state as the one to move may know it."""
    moves: tuple[Move, ...]
    picked: int
    """The points chosen so far of several."""
    away: bool
    """Whether a computer is to move."""
    spent: float
    """What the choice made last took, as a part of what one may take."""

    @property
    def state(self) -> State:
        """The state at the cursor of the match."""

    def play(self, move: Move) -> object:
        """Make a move."""

    def refresh(self) -> None:
        """Read the choices anew."""


class History:
    """What was done in the match of a person who chooses, taken back and done again."""

    def __init__(self, control: Choosing) -> None:
        self.control, self.match = control, control.match
        self.answers_itself = True
        """Whether a step with one answer is taken as answered."""

    def forced(self) -> Move | None:
        """The one answer that a step of an unfinished turn has, if it is not the last of the turn.

        It may be given for the person: it decides nothing, ends nothing and shows nothing.
        """
        state = self.control.state
        if len(self.control.moves) != 1 or not state.step or self.control.picked:
            return None
        move = self.control.moves[0]
        if move.kind in ("done", "pass"):
            return None
        try:
            after, events = self.match.game.apply(state, move)
        except RuleFailure:
            return None  # said when the person makes it
        if not all(event.foreseen for event in events) or after.to_move != state.to_move:
            return None
        return move

    def answer_forced(self) -> bool:
        """Gives the answers to steps that have one, one after the other; whether there were any.

        It stops when that has taken, with the choice before, as long as one may take: then :meth:`forced` still has an
        answer. Raises RuleFailure when the rules fail on the way; what was answered before stands.
        """
        begun, left = self.match.cursor, 1.0 - self.control.spent
        self.control.spent = 0.0
        with self.match.saved_once():
            while left > 0 and (move := self.forced()) is not None:
                left -= self.match.game.effort + ANSWER
                self.control.play(move)
                left -= self.match.game.effort
        return self.match.cursor != begun

    def past_forced(self) -> None:
        """Goes on back over steps that were answered by themselves, if that takes no longer than a choice may."""
        left = 1.0
        with self.match.saved_once():
            while self.answers_itself and self.control.state.step and not self.sealed() and left > 0:
                if len(self.match.moves()) != 1 or not self.match.undo_step():
                    return
                left -= self.match.game.effort + ANSWER

    def back_to(self, step: int) -> bool:
        """Goes back within the turn until ``step`` steps of it are done."""
        if self.control.away:
            return False
        before = self.match.cursor
        seat = self.control.state.to_move
        with self.match.saved_once():
            while self.control.view.step > step and self.control.state.to_move == seat and not self.sealed():
                if not self.match.undo_step():
                    break
                self.control.view = (
                    self.control.state if seat is None else self.match.game.view(self.control.state, seat)
                )
        self.control.refresh()
        return self.match.cursor != before

    def sealed(self) -> bool:
        """Whether the last turn, or step of this one, let something be seen that can't be unseen.

        What another seat chose in secret can't be taken back either.
        """
        plies = self.match.plies
        if plies and len(plies) - 1 in secrets.masked(self.match, plies, self.control.state.to_move):
            return True
        turn = plies[-1:]
        if not self.control.state.step:
            turn = tuple(ply for ply in plies if ply.turn == plies[-1].turn)
        return any(isinstance(event, ev.Drew | ev.Revealed) for ply in turn for event in ply.events)

    def undo(self) -> bool:
        """Takes back a step of an unfinished turn, else the last turn; never across a draw or a secret opened.

        What computers did since a person chose is taken back with it.
        """
        begun = self.match.cursor
        with self.match.saved_once():
            while True:
                gone = not self.sealed() and (
                    self.match.undo_step() if self.control.state.step else self.match.undo_turn()
                )
                if not gone or self._persons_turn():
                    break
            if gone:
                self.past_forced()
            else:
                self.match.goto(begun)
        self.control.refresh()
        return gone

    def undo_to(self, cursor: int) -> bool:
        """Takes back all that was done after so many moves, or nothing at all where some of it can't be."""
        begun = self.match.cursor
        with self.match.saved_once():
            while self.match.cursor > cursor:
                within = self.control.state.step or self.match.plies[cursor].turn == self.match.plies[-1].turn
                if self.sealed() or not (self.match.undo_step() if within else self.match.undo_turn()):
                    self.match.goto(begun)
                    break
        self.control.refresh()
        return self.match.cursor != begun

    def _persons_turn(self) -> bool:
        """Whether a person is to move, where persons play at all."""
        match = self.match
        return not match.by_computer(match.state.to_move) or all(seat.computer for seat in match.seats)

    def redo(self) -> bool:
        """Plays again what was taken back: the rest of an unfinished turn step by step, else a whole turn; and what
        computers did next."""
        step = self.control.state.step and not self.control.away
        with self.match.saved_once():
            back = self.match.redo_step() if step else self.match.redo_turn()
            while back and not self._persons_turn() and self.match.redo_turn():
                pass
        self.control.refresh()
        return back
