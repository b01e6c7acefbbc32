"""Undo and redo for people at the screen, and automatic playing of forced moves."""

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
"""Cost of playing a forced move, as a fraction of the budget of one choice.

It doesn't include the cost of evaluating the rules.
"""


class Choosing(Protocol):
    """The part of the controller that :class:`History` uses."""

    match: Match
    view: State
    """State, limited to what the seat to move may know."""
    moves: tuple[Move, ...]
    picked: int
    """Points selected for a set so far, as a mask."""
    away: bool
    """Whether a computer is to move."""
    spent: float
    """Cost of the last choice, as a fraction of the budget of one choice."""

    @property
    def state(self) -> State:
        """State at the cursor of the match."""

    def play(self, move: Move) -> object:
        """Make a move."""

    def refresh(self) -> None:
        """Recompute the legal choices."""


class History:
    """Undo and redo in a match with a person at the screen."""

    def __init__(self, control: Choosing) -> None:
        self.control, self.match = control, control.match
        self.answers_itself = True
        """Whether forced moves are played, and undone, automatically."""

    def forced(self) -> Move | None:
        """Return the only legal move within an unfinished turn, or None.

        The move may be played automatically, because it leaves nothing to decide, doesn't end the turn and reveals
        nothing.
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
            return None  # reported when the person makes the move
        if not all(event.foreseen for event in events) or after.to_move != state.to_move:
            return None
        return move

    def answer_forced(self) -> bool:
        """Play forced moves one after the other; return whether there were any.

        Playing stops early if these moves and the preceding choice have used up the budget of one choice;
        :meth:`forced` then still returns a move. Raises RuleFailure if the rules fail; the moves made before that are
        kept.
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
        """Undo moves that were played automatically, within the budget of one choice."""
        left = 1.0
        with self.match.saved_once():
            while self.answers_itself and self.control.state.step and not self.sealed() and left > 0:
                if len(self.match.moves()) != 1 or not self.match.undo_step():
                    return
                left -= self.match.game.effort + ANSWER

    def back_to(self, step: int) -> bool:
        """Undo moves of the current turn until ``step`` steps are left.

        Returns whether any were undone.
        """
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
        """Return whether the last turn, or the last step of the current one, must not be undone.

        Undoing is forbidden if the turn or step drew a marble at random, revealed a secret, or was a secret choice of
        another seat.
        """
        plies = self.match.plies
        if plies and len(plies) - 1 in secrets.masked(self.match, plies, self.control.state.to_move):
            return True
        turn = plies[-1:]
        if not self.control.state.step:
            turn = tuple(ply for ply in plies if ply.turn == plies[-1].turn)
        return any(isinstance(event, ev.Drew | ev.Revealed) for ply in turn for event in ply.events)

    def undo(self) -> bool:
        """Undo the last step of an unfinished turn, or else the last turn.

        Returns whether anything was undone. Moves that computers have made since a person last chose are undone as
        well. If a random draw or a revealed secret is among the moves, nothing is undone.
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
        """Undo all moves after the first ``cursor``, or none if one of them can't be undone.

        Returns whether any were undone.
        """
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
        """Return whether the seat to move isn't a computer, or all seats are computers."""
        match = self.match
        return not match.by_computer(match.state.to_move) or all(seat.computer for seat in match.seats)

    def redo(self) -> bool:
        """Redo a step of an unfinished turn, or else a turn; return whether anything was redone.

        Moves that computers made after it are redone as well.
        """
        step = self.control.state.step and not self.control.away
        with self.match.saved_once():
            back = self.match.redo_step() if step else self.match.redo_turn()
            while back and not self._persons_turn() and self.match.redo_turn():
                pass
        self.control.refresh()
        return back
