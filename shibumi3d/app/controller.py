"""From clicks to moves: what may be clicked now, what a click would do, and the doing. It knows no pixels.

There is one door: whatever is chosen goes to :meth:`Match.play`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.match.match import Match
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles import sentences
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.rules.marbles.texts import text

from . import secrets

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.state import State

ON_BOARD = ("place", "enter", "take", "lift", "set")
COLOURED = ("place", "enter")
FEW = 8
"""How many numbers may each have a button; more are chosen on a slip."""

ANSWER = 1 / 300
"""What giving an answer that is the only one takes besides the rules, as a part of what a choice may take."""


class Spot(NamedTuple):
    """A place to click: a point, or with a ``side`` the way in over that side."""

    board: int
    point: int
    side: int = -1


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


class Refused(NamedTuple):
    """The click means nothing; ``reason`` is a sentence."""

    reason: str


Outline = tuple[tuple[float, ...], ...]
"""Where the points of a shape lie, counted from the first."""


def _outline(move: Move, size: int) -> Outline:
    places = [pyramid(size).xyz[point] for point in bits(move.value)]
    return tuple(tuple(round(a - b, 3) for a, b in zip(at, places[0], strict=True)) for at in places)


Answer = Played | Undone | Several | Picked | Refused


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
        self.wanted: int | None = None
        self.picked = 0
        self.picked_board = 0
        self.answers_itself = True
        """Whether a step with one answer is taken as answered."""
        self.turned = 0
        """How often the shape shown was turned."""
        self._previews: dict[Move, Preview] = {}
        self.refresh()

    @property
    def state(self) -> State:
        """The state at the cursor of the match."""
        state: State = self.match.state
        return state

    def refresh(self) -> None:
        """Reads the choices anew: after every change of the match."""
        self.stopped = ""
        state = self.state
        seat = state.to_move
        self.seen: State = state if seat is None else self.match.game.view(state, seat)
        """The state as the one to move may know it."""
        self.covered = secrets.covered(state, seat)
        try:
            self.moves: tuple[Move, ...] = self.match.moves()
        except RuleFailure as problem:
            self.moves, self.stopped = (), str(problem)
        self.picked = self.turned = 0
        self._previews.clear()
        self._shapes: dict[Move, tuple[int, ...]] | None = None
        self.tray = tuple(sorted({m.colour for m in self.moves if m.kind in COLOURED}))
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
        self.wanted = colour
        self._sort()
        return True

    def _sort(self) -> None:
        """Sorts the moves by where they are clicked."""
        colour = self.colour
        self.spots: dict[Spot, list[Move]] = {}
        self.others: list[Move] = []
        for move in self.moves:
            if move.kind in ON_BOARD:
                if move.kind in COLOURED and move.colour != colour:
                    continue
                spot = Spot(move.board, move.point, move.side if move.kind == "enter" else -1)
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
                if move.kind in COLOURED and move.colour != colour:
                    spot = Spot(move.board, move.point, move.side if move.kind == "enter" else -1)
                    if spot not in self.spots:
                        self.spots.setdefault(spot, [])

    @property
    def targets(self) -> tuple[Spot, ...]:
        """Everything on the boards that a click can do something with, in the order of the points."""
        return tuple(sorted(spot for spot, moves in self.spots.items() if moves))

    def colours_at(self, spot: Spot) -> tuple[int, ...]:
        """The colours that may be set down there, whichever is chosen now."""
        found = {m.colour for m in self.moves if m.kind in COLOURED and (m.board, m.point) == spot[:2]}
        return tuple(sorted(found))

    def source(self, colour: int) -> str:
        """The stock that a marble of that colour would come from; empty when that is not known before."""
        move = next((m for m in self.moves if m.kind in COLOURED and m.colour == colour), None)
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
        return next((m for m in self.moves if m.kind == "done"), self._complete())

    def done_ends(self) -> bool:
        """Whether :attr:`done` ends the turn, and not only a part of it that may be left out."""
        move = self.done
        return move is not None and sentences.ends_turn(self.match.game, self.seen, move)

    @property
    def passing(self) -> Move | None:
        """The move that passes, if that is legal."""
        return next((m for m in self.moves if m.kind == "pass"), None)

    def shapes(self) -> dict[Move, tuple[int, ...]]:
        """Of numbers that stand for sets of points to be chosen next: the points of one such set."""
        numbers = [move for move in self.moves if move.kind == "number"]
        if not 0 < len(numbers) <= FEW or len(numbers) < len([m for m in self.moves if m.kind != "pass"]):
            return {}
        if self._shapes is None:
            self._shapes = {}
            for move in numbers:
                try:
                    after, _ = self.match.game.apply(self.state, move)
                    sets = [m for m in self.match.game.moves(after) if m.kind == "points"]
                except RuleFailure:
                    sets = []
                if not sets:
                    self._shapes = {}
                    break
                # A set low on the board shows best what it looks like.
                lowest = min(sets, key=lambda m: (sum(bits(m.value)), m.value))
                self._shapes[move] = tuple(bits(lowest.value))
        return self._shapes

    def ask(self) -> str:
        """What the person is asked for."""
        if self.stopped:
            return "the rules stop here"
        if self.shapes():
            return text("en", "ask shape")
        return self.match.game.ask_line(self.seen, moves=self.moves)

    def sets_at(self, spot: Spot) -> list[Move]:
        """The sets of points that a click there leads on to, the smallest and most compact first."""
        return [move for move in self.spots.get(spot, []) if move.kind == "points"]

    def preview(self, spot: Spot) -> Preview | None:
        """What a click there would do, or for a set of points, what the set shown would do.

        None when it does nothing or is not decided by one click.
        """
        moves = self.spots.get(spot, [])
        sets = self.sets_at(spot)
        shown = self.laid(spot)
        if shown is not None:
            moves = [shown]
        elif sets and len(sets) == len(moves):
            moves = [sets[self.turned % len(sets)]]
        return self.foresee(moves[0]) if len(moves) == 1 else None

    def turns(self) -> list[Outline]:
        """The outlines of all shapes that may be laid on free points, each way they may be turned."""
        found = {_outline(move, self.seen.size) for move in self.moves if self._lays(move)}
        return sorted(found)

    def laid(self, spot: Spot) -> Move | None:
        """The shape that a click there lays: turned as it is now, or where that has no room, as it comes next.

        Of several that lie there the one that begins there, or sooner than the others.
        """
        shapes = [move for move in self.sets_at(spot) if self._lays(move)]
        turns = self.turns() if shapes else []
        for step in range(len(turns)):
            outline = turns[(self.turned + step) % len(turns)]
            fitting = [move for move in shapes if _outline(move, self.seen.size) == outline]
            if fitting:
                return min(fitting, key=lambda move: list(bits(move.value)).index(spot.point))
        return None

    def _lays(self, move: Move) -> bool:
        """Whether a move sets marbles on several free points at once."""
        several = move.kind == "points" and move.value.bit_count() > 1
        return several and not move.value & self.seen.filled(move.board)

    def foresee(self, move: Move) -> Preview:
        """What ``move`` would do, as far as the one to move can know it."""
        found = self._previews.get(move)
        if found is None:
            game = self.match.game
            events = game.foresee(self.seen, move).events
            found = self._previews[move] = Preview(move, events, game.foretell(self.seen, move))
        return found

    def foretell(self, spot: Spot) -> str:
        """What a click there means, in words; empty when it does nothing."""
        moves = self.spots.get(spot, [])
        marbles = all(m.kind == "points" and not m.value & ~self.seen.filled(m.board) for m in moves)
        preview = None if marbles and len(moves) > 1 else self.preview(spot)
        if preview is not None:
            return preview.text
        return sentences.foretell_several(self.match.game, self.seen, moves, spot[:2]) if moves else ""

    def choices_at(self, spot: Spot) -> int:
        """In so many ways the shape that is shown there may be turned; 0: no shape is."""
        return len(self.turns()) if self.laid(spot) is not None else 0

    # Doing

    def play(self, move: Move) -> Played:
        """Makes a move."""
        events = self.match.play(move)
        self.refresh()
        return Played(events)

    def click(self, spot: Spot) -> Answer:
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
        shown = self.laid(spot)
        if shown is not None:
            return self.play(shown)
        if any(move.kind == "points" for move in moves):
            return self._pick(spot)
        if len(moves) == 1:
            return self.play(moves[0])
        if moves:
            return Several(tuple(moves))
        return Refused(self.reason(spot))

    def reason(self, spot: Spot) -> str:
        """Why nothing can be done there."""
        name = self.state.point_name(spot.point, spot.board)
        return self.match.game.why_not(self.seen, [name], moves=self.moves)

    def cancel(self) -> Undone | Picked | None:
        """Takes back the last step of an unfinished turn, or the marbles picked so far."""
        if self.picked:
            self.picked = 0
            self._sort()
            return Picked()
        if self.state.step and not self.sealed() and self.match.undo_step():
            self._past_forced()
            self.refresh()
            return Undone()
        return None

    def forced(self) -> Move | None:
        """The one answer that a step of an unfinished turn has, if it is not the last of the turn.

        It may be given for the person: it decides nothing, ends nothing and shows nothing.
        """
        state = self.state
        if len(self.moves) != 1 or not state.step or self.picked:
            return None
        move = self.moves[0]
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

        It stops when that has taken as long as a choice may take: then :meth:`forced` still has an answer. Raises
        RuleFailure when the rules fail on the way; what was answered before stands.
        """
        begun, left = self.match.cursor, 1.0
        with self.match.saved_once():
            while left > 0 and (move := self.forced()) is not None:
                left -= self.match.game.effort + ANSWER
                self.play(move)
                left -= self.match.game.effort
        return self.match.cursor != begun

    def _past_forced(self) -> None:
        """Goes on back over steps that were answered by themselves, if that takes no longer than a choice may."""
        left = 1.0
        with self.match.saved_once():
            while self.answers_itself and self.state.step and not self.sealed() and left > 0:
                if len(self.match.moves()) != 1 or not self.match.undo_step():
                    return
                left -= self.match.game.effort + ANSWER

    def back_to(self, step: int) -> bool:
        """Goes back within the turn until ``step`` steps of it are done."""
        before = self.match.cursor
        seat = self.state.to_move
        with self.match.saved_once():
            while self.seen.step > step and self.state.to_move == seat and not self.sealed():
                if not self.match.undo_step():
                    break
                self.seen = self.state if seat is None else self.match.game.view(self.state, seat)
        self.refresh()
        return self.match.cursor != before

    def _change(self, spot: Spot) -> Answer:
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

    def _pick(self, spot: Spot) -> Answer:
        """Adds a marble to the choice of several, or takes it away."""
        self.picked_board = spot.board
        self.picked ^= 1 << spot.point
        self._sort()
        open_ = self._open()
        if self.picked and len(open_) == 1:
            return self.play(open_[0])
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

    # History

    def sealed(self) -> bool:
        """Whether the last turn, or step of this one, let something be seen that can't be unseen.

        What another seat chose in secret can't be taken back either.
        """
        plies = self.match.plies
        if plies and len(plies) - 1 in secrets.masked(self.match, plies, self.state.to_move):
            return True
        turn = plies[-1:]
        if not self.state.step:
            turn = tuple(ply for ply in plies if ply.turn == plies[-1].turn)
        return any(isinstance(event, ev.Drew | ev.Revealed) for ply in turn for event in ply.events)

    def undo(self) -> bool:
        """Takes back a step of an unfinished turn, else the last turn; never across a draw or a secret opened."""
        if self.sealed():
            return False
        gone = self.match.undo_step() if self.state.step else self.match.undo_turn()
        if gone:
            self._past_forced()
        self.refresh()
        return gone

    def redo(self) -> bool:
        """Plays again what was taken back: the rest of an unfinished turn step by step, else a whole turn."""
        back = self.match.redo_step() if self.state.step else self.match.redo_turn()
        self.refresh()
        return back
