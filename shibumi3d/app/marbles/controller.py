"""Translation of clicks into moves: what can be clicked, what a click would do, and doing it.

The controller works with spots on the board rather than pixels. Every move is made through :meth:`Match.play`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.i18n import Message, _, language, translate
from shibumi3d.match.match import Match
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.wording import sentences

from . import secrets
from .history import History
from .shapes import Shapes
from .spots import Spot as Spot

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.state import State


class Played(NamedTuple):
    """Result of a click that made a move."""

    events: tuple[ev.Event, ...]


class Undone(NamedTuple):
    """Result of a click that undid the last step, i.e. put the held marble back."""


class Several(NamedTuple):
    """Result of a click that could mean any of several ``moves``."""

    moves: tuple[Move, ...]


class Picked(NamedTuple):
    """Result of a click that changed a selection of several marbles without completing it."""


class Waiting(NamedTuple):
    """Result of a click on a move that would end the turn and therefore waits for confirmation."""


class Refused(NamedTuple):
    """Result of a click that does nothing; ``reason`` is a sentence that says why."""

    reason: str


ClickResult = Played | Undone | Several | Picked | Waiting | Refused
"""Result of a click."""


@dataclass(frozen=True)
class Preview:
    """A move, the events that it would cause within this turn, and a description of it."""

    move: Move
    events: tuple[ev.Event, ...]
    text: str


class Controller:
    """The legal choices of the person to move in ``match``, and the actions that make them."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.ends_by_hand: Callable[[], bool] = lambda: False
        """Whether turns must be ended explicitly; see :meth:`choose`."""
        self.pending: Move | None = None
        """Move that would end the turn and waits for confirmation."""
        self.wanted: int | None = None
        self.picked = 0
        self.picked_board = 0
        self.shapes = Shapes(self)
        self.history = History(self)
        self.spent = 0.0
        """Cost of the last choice, as a fraction of the budget of a choice."""
        self._previews: dict[Move, Preview] = {}
        self.refresh()

    @property
    def names(self) -> list[str]:
        """Names of the players, by seat."""
        return self.match.names

    @property
    def state(self) -> State:
        """State at the cursor of the match."""
        state: State = self.match.state
        return state

    def refresh(self) -> None:
        """Recompute the legal choices; call this after every change of the match."""
        self.pending = None
        self.stopped: Message | None = None
        state = self.state
        seat = state.to_move
        self.away = self.match.by_computer(seat)
        """Whether a computer is to move, so that nobody at the screen may choose or see the choices."""
        viewer = secrets.ALL if self.away else seat
        self.view: State = secrets.view_of(self.match.game, state, viewer)
        """State as the seat to move may know it; while a computer is to move, as everyone may know it."""
        self.covered = secrets.covered(state, viewer)
        try:
            self.moves: tuple[Move, ...] = () if self.away else self.match.moves()
        except RuleFailure as problem:
            self.moves, self.stopped = (), problem.message
        self.picked = 0
        self._previews.clear()
        self.shapes.begin()
        self.tray = tuple(sorted({m.colour for m in self.moves if m.coloured}))
        self._sort()

    @property
    def colour(self) -> int | None:
        """Colour of the next marble to be placed, or None if no colour needs to be chosen."""
        if not self.tray:
            return None
        if self.wanted in self.tray:
            return self.wanted
        seat = self.state.to_move
        owned = self.state.owned(seat) if seat is not None else ()
        return next((c for c in owned if c in self.tray), self.tray[0])

    def choose_colour(self, colour: int) -> bool:
        """Choose a colour from the tray; return whether that colour is available."""
        if colour not in self.tray:
            return False
        self.wanted, self.pending = colour, None
        self._sort()
        return True

    def _sort(self) -> None:
        """Group the legal moves by the spot that must be clicked to make them."""
        colour = self.colour
        self.spots: dict[Spot, list[Move]] = {}
        self.others: list[Move] = []
        for move in self.moves:
            if move.on_point:
                if move.coloured and move.colour != colour:
                    continue
                spot = Spot(move.board, move.point, move.side)
                self.spots.setdefault(spot, []).append(move)
            elif move.kind == "points":
                if self.picked and (
                    move.board != self.picked_board or move.value & self.picked != self.picked
                ):
                    continue
                for point in bits(move.value & ~self.picked):
                    self.spots.setdefault(Spot(move.board, point), []).append(move)
            elif move.kind not in ("done", "pass"):
                self.others.append(move)
        if self.picked.bit_count() == 1:
            # The first marble of a set can also be taken or lifted on its own.
            alone = self.picked.bit_length() - 1
            self.others += [
                m
                for m in self.moves
                if m.kind in ("take", "lift") and (m.board, m.point) == (self.picked_board, alone)
            ]
        # Also keep spots where only marbles of another colour may be placed, but list no moves for them.
        if len(self.tray) > 1:
            for move in self.moves:
                if move.coloured and move.colour != colour:
                    spot = Spot(move.board, move.point, move.side)
                    if spot not in self.spots:
                        self.spots.setdefault(spot, [])
        self.targets: tuple[Spot, ...] = tuple(sorted(spot for spot, moves in self.spots.items() if moves))
        """Spots where a click does something, in the order of the points."""

    def colours_at(self, spot: Spot) -> tuple[int, ...]:
        """Return the colours that may be placed on ``spot``, whichever colour is chosen now."""
        found = {m.colour for m in self.moves if m.coloured and (m.board, m.point) == spot[:2]}
        return tuple(sorted(found))

    def source(self, colour: int) -> str:
        """Return the stock from which a marble of ``colour`` would be taken, or "" if it isn't known."""
        move = next((m for m in self.moves if m.coloured and m.colour == colour), None)
        if move is None:
            return ""
        try:
            events = self.foresee(move).events
        except RuleFailure:
            return ""
        return next((e.stock for e in events if isinstance(e, ev.Placed | ev.Entered)), "")

    @property
    def done(self) -> Move | None:
        """Move that would now end the turn or an optional part of it, or None.

        This is the pending move, if there is one. Otherwise, it is the move that ends the turn or the part. If there is
        no such move, it is the move with the selected marbles, provided that they are a complete set.
        """
        if self.pending is not None:
            return self.pending
        return next((m for m in self.moves if m.kind == "done"), self._complete())

    def done_ends(self) -> bool:
        """Return whether :attr:`done` ends the whole turn rather than just an optional part of it."""
        move = self.done
        return move is not None and sentences.ends_turn(self.match.game, self.view, move)

    @property
    def passing(self) -> Move | None:
        """Move that passes, or None if passing is not allowed."""
        return next((m for m in self.moves if m.kind == "pass"), None)

    def ask(self) -> str:
        """Return a sentence that tells the player what to choose."""
        if self.stopped:
            return _("the rules can't continue from here")
        if self.shapes.by_number():
            return translate(language(), "choose a shape")
        return self.match.game.ask_line(self.view, language(), self.names, self.moves)

    def sets_at(self, spot: Spot) -> list[Move]:
        """Return the moves with a set of points that a click on ``spot`` could select."""
        return [move for move in self.spots.get(spot, []) if move.kind == "points"]

    def preview(self, spot: Spot) -> Preview | None:
        """Return a preview of a click on ``spot``, or of the set of points shown there.

        Returns None if the click would do nothing or could mean several moves.
        """
        moves = self.spots.get(spot, [])
        sets = self.sets_at(spot)
        shown = self.shapes.laid(spot)
        if shown is not None:
            moves = [shown]
        elif sets and len(sets) == len(moves):
            moves = [sets[self.shapes.turned % len(sets)]]
        return self.foresee(moves[0]) if len(moves) == 1 else None

    def shown(self, spot: Spot | None) -> Preview | None:
        """Return the preview to show: that of the pending move, or else that of a click on ``spot``."""
        if self.pending is not None:
            return self.foresee(self.pending)
        return self.preview(spot) if spot is not None else None

    def foresee(self, move: Move) -> Preview:
        """Return a preview of ``move``, based only on what the seat to move may know."""
        found = self._previews.get(move)
        if found is None:
            game = self.match.game
            events = game.foresee(self.view, move).events
            found = self._previews[move] = Preview(
                move, events, game.foretell(self.view, move, language(), self.names)
            )
        return found

    def foretell(self, spot: Spot) -> str:
        """Return a description of what a click on ``spot`` would do; empty if it would do nothing."""
        moves = self.spots.get(spot, [])
        marbles = all(m.kind == "points" and not m.value & ~self.view.filled(m.board) for m in moves)
        preview = None if marbles and len(moves) > 1 else self.preview(spot)
        if preview is not None:
            return preview.text
        return (
            sentences.foretell_several(self.match.game, self.view, moves, spot[:2], language(), self.names)
            if moves
            else ""
        )

    # Actions

    def play(self, move: Move | str) -> Played:
        """Make a move."""
        game = self.match.game
        events = self.match.play(move)
        self.spent = game.effort
        self.refresh()
        self.spent += game.effort
        return Played(events)

    def choose(self, move: Move) -> Played | Waiting:
        """Make a move, or keep it pending if it would end a turn that must be ended explicitly.

        Passing and the move that ends the turn are explicit already, so they are made at once.
        """
        if (
            self.ends_by_hand()
            and move.kind not in ("done", "pass")
            and sentences.ends_turn(self.match.game, self.view, move)
        ):
            self.pending = move
            return Waiting()
        return self.play(move)

    def click(self, spot: Spot) -> ClickResult:
        """Handle a click on ``spot``."""
        held = self.state.held
        if held is not None and (held[2], held[1]) == spot[:2] and not self.spots.get(spot):
            answer = self.cancel()
            return Refused("") if answer is None else answer
        moves = self.spots.get(spot, [])
        if not moves and held is not None:
            return self._change(spot)
        if self.picked and spot.board == self.picked_board and self.picked >> spot.point & 1:
            return self._pick(spot)
        shown = self.shapes.laid(spot)
        if shown is not None:
            return self.choose(shown)
        if any(move.kind == "points" for move in moves):
            return self._pick(spot)
        if len(moves) == 1:
            return self.choose(moves[0])
        if moves:
            return Several(tuple(moves))
        return Refused(self.reason(spot))

    def reason(self, spot: Spot) -> str:
        """Return a sentence that says why nothing can be done on ``spot``."""
        name = self.state.point_name(spot.point, spot.board)
        return self.match.game.why_not(self.view, [name], language(), self.names, self.moves)

    def cancel(self) -> Undone | Picked | None:
        """Undo the last step of an unfinished turn, or clear the selection or the pending move.

        Returns None if there is nothing to undo or it can't be undone.
        """
        if self.away:
            return None
        if self.picked or self.pending is not None:
            self.picked, self.pending = 0, None
            self._sort()
            return Picked()
        if self.state.step and not self.history.sealed() and self.match.undo_step():
            self.history.past_forced()
            self.refresh()
            return Undone()
        return None

    def _change(self, spot: Spot) -> ClickResult:
        """Put the held marble back, and lift the marble on ``spot`` instead."""
        refusal = Refused(self.reason(spot))
        if not self.state.filled(spot.board) >> spot.point & 1 or not self.match.undo_step():
            return refusal
        self.refresh()
        lift = [m for m in self.spots.get(spot, []) if m.kind == "lift"]
        if lift:
            return self.play(lift[0])
        self.match.redo_step()
        self.refresh()
        return refusal

    def _pick(self, spot: Spot) -> ClickResult:
        """Add a marble to the selection, or remove it.

        If the selection now fits only one set, choose the move with that set.
        """
        self.pending = None
        self.picked_board = spot.board
        self.picked ^= 1 << spot.point
        self._sort()
        open_ = self._open()
        if self.picked and len(open_) == 1:
            return self.choose(open_[0])
        return Picked()

    def _open(self) -> list[Move]:
        return [
            m
            for m in self.moves
            if m.kind == "points" and m.board == self.picked_board and m.value & self.picked == self.picked
        ]

    def _complete(self) -> Move | None:
        """Return the move that takes exactly the marbles selected, or None."""
        if not self.picked:
            return None
        return next((m for m in self._open() if m.value == self.picked), None)
