"""From clicks to moves: what may be clicked now, what a click would do, and the doing. It knows no pixels.

There is one door: whatever is chosen goes to :meth:`Match.play`.
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
    """A move was made."""

    events: tuple[ev.Event, ...]


class Undone(NamedTuple):
    """The last step was taken back: the marble in hand is back where it was."""


class Several(NamedTuple):
    """The click can mean any of these."""

    moves: tuple[Move, ...]


class Picked(NamedTuple):
    """The click is part of a choice of several marbles that is not complete."""


class Waiting(NamedTuple):
    """The choice would end the turn, and waits until that is said."""


class Refused(NamedTuple):
    """The click means nothing; ``reason`` is a sentence."""

    reason: str


ClickResult = Played | Undone | Several | Picked | Waiting | Refused
"""What came of a click."""


@dataclass(frozen=True)
class Preview:
    """What a click would do: the move and what would happen in this turn."""

    move: Move
    events: tuple[ev.Event, ...]
    text: str


class Controller:
    """The choices of the person to move in ``match``."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.ends_by_hand: Callable[[], bool] = lambda: False
        """Whether no turn ends before that is said: :meth:`choose`."""
        self.pending: Move | None = None
        """The choice that waits for the end of the turn."""
        self.wanted: int | None = None
        self.picked = 0
        self.picked_board = 0
        self.shapes = Shapes(self)
        self.history = History(self)
        self.spent = 0.0
        """What the choice made last took, as a part of what one may take."""
        self._previews: dict[Move, Preview] = {}
        self.refresh()

    @property
    def names(self) -> list[str]:
        """Return what the players are called, by seats."""
        return self.match.names

    @property
    def state(self) -> State:
        """The state at the cursor of the match."""
        state: State = self.match.state
        return state

    def refresh(self) -> None:
        """Reads the choices anew: after every change of the match."""
        self.pending = None
        self.stopped: Message | None = None
        state = self.state
        seat = state.to_move
        self.away = self.match.by_computer(seat)
        """Whether a computer is to move, so that nobody at the screen may choose, nor see what may be chosen."""
        viewer = secrets.ALL if self.away else seat
        self.view: State = secrets.view_of(self.match.game, state, viewer)
        """The state as the one to move may know it; as all may, while a computer is to move."""
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
        """The colour that a marble set down will have; None when no colour is asked for."""
        if not self.tray:
            return None
        if self.wanted in self.tray:
            return self.wanted
        seat = self.state.to_move
        owned = self.state.owned(seat) if seat is not None else ()
        return next((c for c in owned if c in self.tray), self.tray[0])

    def choose_colour(self, colour: int) -> bool:
        """Takes a colour from the tray."""
        if colour not in self.tray:
            return False
        self.wanted, self.pending = colour, None
        self._sort()
        return True

    def _sort(self) -> None:
        """Sorts the moves by where they are clicked."""
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
            # The first marble of a set may also be meant alone.
            alone = self.picked.bit_length() - 1
            self.others += [
                m
                for m in self.moves
                if m.kind in ("take", "lift") and (m.board, m.point) == (self.picked_board, alone)
            ]
        # A colour that may not go to a point does not hide that another may.
        if len(self.tray) > 1:
            for move in self.moves:
                if move.coloured and move.colour != colour:
                    spot = Spot(move.board, move.point, move.side)
                    if spot not in self.spots:
                        self.spots.setdefault(spot, [])
        self.targets: tuple[Spot, ...] = tuple(sorted(spot for spot, moves in self.spots.items() if moves))
        """Everything on the boards that a click can do something with, in the order of the points."""

    def colours_at(self, spot: Spot) -> tuple[int, ...]:
        """The colours that may be set down there, whichever is chosen now."""
        found = {m.colour for m in self.moves if m.coloured and (m.board, m.point) == spot[:2]}
        return tuple(sorted(found))

    def source(self, colour: int) -> str:
        """The stock that a marble of that colour would come from; empty when that is not known before."""
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
        """The move that ends the turn here, if that is legal."""
        if self.pending is not None:
            return self.pending
        return next((m for m in self.moves if m.kind == "done"), self._complete())

    def done_ends(self) -> bool:
        """Whether :attr:`done` ends the turn, and not only a part of it that may be left out."""
        move = self.done
        return move is not None and sentences.ends_turn(self.match.game, self.view, move)

    @property
    def passing(self) -> Move | None:
        """The move that passes, if that is legal."""
        return next((m for m in self.moves if m.kind == "pass"), None)

    def ask(self) -> str:
        """What the person is asked for."""
        if self.stopped:
            return _("the rules can't continue from here")
        if self.shapes.by_number():
            return translate(language(), "choose a shape")
        return self.match.game.ask_line(self.view, language(), self.names, self.moves)

    def sets_at(self, spot: Spot) -> list[Move]:
        """The sets of points that a click there leads on to, the smallest and most compact first."""
        return [move for move in self.spots.get(spot, []) if move.kind == "points"]

    def preview(self, spot: Spot) -> Preview | None:
        """What a click there would do, or for a set of points, what the set shown would do.

        None when it does nothing or is not decided by one click.
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
        """What is shown before it is done: of the choice that waits, else of a click on ``spot``."""
        if self.pending is not None:
            return self.foresee(self.pending)
        return self.preview(spot) if spot is not None else None

    def foresee(self, move: Move) -> Preview:
        """What ``move`` would do, as far as the one to move can know it."""
        found = self._previews.get(move)
        if found is None:
            game = self.match.game
            events = game.foresee(self.view, move).events
            found = self._previews[move] = Preview(
                move, events, game.foretell(self.view, move, language(), self.names)
            )
        return found

    def foretell(self, spot: Spot) -> str:
        """What a click there means, in words; empty when it does nothing."""
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

    # Doing

    def play(self, move: Move | str) -> Played:
        """Makes a move."""
        game = self.match.game
        events = self.match.play(move)
        self.spent = game.effort
        self.refresh()
        self.spent += game.effort
        return Played(events)

    def choose(self, move: Move) -> Played | Waiting:
        """Makes a move, or lets it wait where it would end a turn that is ended by hand.

        To end a turn with a move of its own, or to pass, says so already.
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
        """A click on a place of a board."""
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
        """Why nothing can be done there."""
        name = self.state.point_name(spot.point, spot.board)
        return self.match.game.why_not(self.view, [name], language(), self.names, self.moves)

    def cancel(self) -> Undone | Picked | None:
        """Takes back the last step of an unfinished turn, or the marbles picked so far."""
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
        """Another marble is clicked while one is in hand: that one is put back and this one lifted."""
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
        """Adds a marble to the choice of several, or takes it away."""
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
        """The set picked so far, if it may be taken as it is."""
        if not self.picked:
            return None
        return next((m for m in self._open() if m.value == self.picked), None)
