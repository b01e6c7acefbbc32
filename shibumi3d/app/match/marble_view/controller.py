"""Translation of clicks into moves: what can be clicked, what a click would do, shapes of several points, and undo.

The controller works with spots on the board rather than pixels. Every move is made through :meth:`.Match.play`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.i18n import Message, _, language, translate
from shibumi3d.match.marbles import marble_events, marble_moves, marble_state
from shibumi3d.match.match import Match
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.rules.marbles.wording import sentences

from ....match import visibility

if TYPE_CHECKING:
    from shibumi3d.rules import game
    from shibumi3d.rules.marbles.state import State


FORCED_MOVE_EFFORT = 1 / 300
"""Cost of playing or undoing a forced move, as a fraction of the work budget of one choice.

The cost of evaluating the rules is counted separately.
"""


class History:
    """Undo, redo and forced moves in a match with marbles."""

    def __init__(self, controller: Controller) -> None:
        self.controller, self.match = controller, controller.match
        self.plays_forced_moves = True
        """Whether forced moves are played, and undone, automatically."""

    def forced_move(self) -> Move | None:
        """Return the only legal move if it continues the turn and may be played automatically, otherwise None.

        The turn must already have begun, and no points may be selected. The move must not be ``done`` or ``pass``, end
        the turn, draw a marble at random or reveal anything.
        """
        state = self.controller.state
        if len(self.controller.moves) != 1 or not state.step or self.controller.selected_points:
            return None
        move = self.controller.moves[0]
        if move.kind in ("done", "pass"):
            return None
        try:
            after, events = self.match.game.apply(state, move)
        except RuleFailure:
            return None  # reported when the person makes the move
        if not all(event.can_be_previewed for event in events) or after.to_move != state.to_move:
            return None
        return move

    def play_forced_moves(self) -> bool:
        """Play forced moves one after the other; return whether any were played.

        Playing stops early if these moves and the preceding choice have used up the work budget of one choice;
        :meth:`forced_move` then still returns a move. Raises RuleFailure if the rules fail; the moves made before that
        are kept.
        """
        start_cursor, budget = self.match.cursor, 1.0 - self.controller.last_effort
        self.controller.last_effort = 0.0
        with self.match.save_once():
            while budget > 0 and (move := self.forced_move()) is not None:
                budget -= self.match.game.effort + FORCED_MOVE_EFFORT
                self.controller.play(move)
                budget -= self.match.game.effort
        return self.match.cursor != start_cursor

    def undo_forced_moves(self) -> None:
        """Undo steps of the current turn while only one move is legal.

        Stops early if a step can't be undone, or once the work budget of one choice has been used up. Does nothing
        unless :attr:`plays_forced_moves` is set.
        """
        budget = 1.0
        with self.match.save_once():
            while (
                self.plays_forced_moves
                and self.controller.state.step
                and not self.find_obstacle()
                and budget > 0
            ):
                if len(self.match.legal_moves()) != 1 or not self.match.undo_step():
                    return
                budget -= self.match.game.effort + FORCED_MOVE_EFFORT

    def undo_to_step(self, step: int) -> bool:
        """Undo moves of the current turn until ``step`` steps are left or a move can't be undone.

        Returns whether any were undone. Does nothing on a computer player's turn.
        """
        if self.controller.is_computer_turn:
            return False
        before = self.match.cursor
        seat = self.controller.state.to_move
        with self.match.save_once():
            while (
                self.controller.observation.step > step
                and self.controller.state.to_move == seat
                and not self.find_obstacle()
            ):
                if not self.match.undo_step():
                    break
                self.controller.observation = visibility.observe(self.match.game, self.controller.state, seat)
        self.controller.refresh()
        return self.match.cursor != before

    def find_obstacle(self) -> str:
        """Return why undoing the last step or turn is forbidden, or "" if it isn't.

        If a turn is unfinished, only its last step is checked; otherwise, the whole last turn. The result is "secret"
        if the last move was a secret choice of another seat, and "revealed" if the step or turn drew a marble at random
        or revealed a secret.
        """
        plies = self.match.plies
        if plies and len(plies) - 1 in visibility.hidden_plies(
            self.match, plies, self.controller.state.to_move
        ):
            return "secret"
        turn = plies[-1:]
        if not self.controller.state.step:
            turn = tuple(ply for ply in plies if ply.turn == plies[-1].turn)
        if any(isinstance(event, ev.Drew | ev.Revealed) for ply in turn for event in ply.events):
            return "revealed"
        return ""

    def undo(self) -> str:
        """Undo the last step of an unfinished turn, or else the last turn.

        Unless all seats are computers, further moves are undone until it is a person's turn. If any of these moves
        can't be undone, nothing is undone; otherwise, :meth:`undo_forced_moves` is called at the end.

        Returns "" if moves were undone. Otherwise, returns the reason given by :meth:`find_obstacle`, or "start" if no
        person has made a move that could be undone.
        """
        start_cursor = self.match.cursor
        with self.match.save_once():
            while not (obstacle := self._undo_last(within_turn=bool(self.controller.state.step))):
                if self._is_persons_turn():
                    self.undo_forced_moves()
                    break
            else:
                self.match.go_to(start_cursor)
        self.controller.refresh()
        return obstacle

    def undo_to(self, ply: int) -> str:
        """Undo everything after the first ``ply`` moves, or nothing if one of the later moves can't be undone.

        Returns "" if everything was undone; otherwise, returns a reason as :meth:`undo` does.
        """
        start_cursor, obstacle = self.match.cursor, ""
        with self.match.save_once():
            while self.match.cursor > ply and not obstacle:
                within = self.controller.state.step or self.match.plies[ply].turn == self.match.plies[-1].turn
                obstacle = self._undo_last(within_turn=bool(within))
            if obstacle:
                self.match.go_to(start_cursor)
        self.controller.refresh()
        return obstacle

    def _undo_last(self, *, within_turn: bool) -> str:
        """Undo the last turn, or only the last move if ``within_turn`` is set.

        Returns "" on success. Otherwise, returns the reason given by :meth:`find_obstacle`, or "start" if there is no
        move that could be undone.
        """
        obstacle = self.find_obstacle()
        if not obstacle and not (self.match.undo_step() if within_turn else self.match.undo_turn()):
            return "start"
        return obstacle

    def _is_persons_turn(self) -> bool:
        """Return whether no computer is to move, or all seats are computers."""
        match = self.match
        return not match.is_computer_seat(match.state.to_move) or all(
            seat.is_computer for seat in match.seats
        )

    def redo(self) -> bool:
        """Redo a step if a person's turn is unfinished, otherwise a turn; return whether anything was redone.

        Moves that computer players made afterwards are redone as well.
        """
        step = self.controller.state.step and not self.controller.is_computer_turn
        with self.match.save_once():
            is_redone = self.match.redo_step() if step else self.match.redo_turn()
            while is_redone and not self._is_persons_turn() and self.match.redo_turn():
                pass
        self.controller.refresh()
        return is_redone


class Spot(NamedTuple):
    """Clickable spot: a point or, if ``side`` isn't -1, the side from which a marble enters that point."""

    board: int
    point: int
    side: int = -1


MAX_NUMBER_BUTTONS = 8
"""Maximum number of values offered as buttons. If there are more, a number field is shown."""

RelativeOutline = tuple[tuple[float, ...], ...]
"""Positions of the points of a shape, relative to its first point."""


def _relative_outline(move: Move, size: int) -> RelativeOutline:
    places = [get_pyramid(size).centres[point] for point in iter_bits(move.value)]
    return tuple(tuple(round(a - b, 3) for a, b in zip(at, places[0], strict=True)) for at in places)


class ShapePlacement:
    """The shapes that the player to move can choose from, and the rotation of the shape shown."""

    def __init__(self, controller: Controller) -> None:
        self.controller = controller
        self.reset()

    def reset(self) -> None:
        """Reset the rotation and discard the example shapes.

        Call this whenever the legal choices change.
        """
        self.rotation = 0
        """Number of steps by which the shape shown has been rotated; negative if it has been rotated back."""
        self._examples: dict[Move, tuple[int, ...]] | None = None

    def examples_by_number(self) -> dict[Move, tuple[int, ...]]:
        """Return an example set of points for each number that the player can choose.

        This works only if the player must choose one of at most :data:`MAX_NUMBER_BUTTONS` numbers or pass, and each
        number leads to a choice of sets of points. Otherwise, or if the rules fail or the work budget of one choice
        runs out, the dict is empty.
        """
        numbers = [move for move in self.controller.moves if move.kind == "number"]
        others = [move for move in self.controller.moves if move.kind not in ("number", "pass")]
        if not 0 < len(numbers) <= MAX_NUMBER_BUTTONS or others:
            return {}
        if self._examples is None:
            self._examples, game = {}, self.controller.match.game
            left = 1.0
            for move in numbers:
                sets: list[Move] = []
                try:
                    if left > 0:
                        after, _ = game.apply(self.controller.state, move)
                        left -= game.effort
                        sets = [m for m in marble_moves(game.moves(after)) if m.kind == "points"]
                        left -= game.effort
                except RuleFailure:
                    sets = []
                if not sets:
                    self._examples = {}
                    break
                # A set low on the board shows the shape most clearly.
                lowest = min(sets, key=lambda m: (sum(iter_bits(m.value)), m.value))
                self._examples[move] = tuple(iter_bits(lowest.value))
        return self._examples

    def orientations(self) -> list[RelativeOutline]:
        """Return the outlines of all legal shapes, in every orientation that fits somewhere."""
        found = {
            _relative_outline(move, self.controller.observation.size)
            for move in self.controller.moves
            if self.is_shape_move(move)
        }
        return sorted(found)

    def placing_move(self, spot: Spot) -> Move | None:
        """Return the move with which a click on ``spot`` places a shape, or None if no shape fits there.

        The shape keeps the current orientation if it fits there; otherwise, it gets the next orientation that fits. If
        several moves are possible with this orientation, return the one that has ``spot`` earliest among its points.
        """
        shapes = [move for move in self.controller.point_set_moves(spot) if self.is_shape_move(move)]
        turns = self.orientations() if shapes else []
        for step in range(len(turns)):
            outline = turns[(self.rotation + step) % len(turns)]
            fitting = [
                move
                for move in shapes
                if _relative_outline(move, self.controller.observation.size) == outline
            ]
            if fitting:
                return min(fitting, key=lambda move: list(iter_bits(move.value)).index(spot.point))
        return None

    def is_shape_move(self, move: Move) -> bool:
        """Return whether a move chooses a set of several points, all of them empty."""
        several = move.kind == "points" and move.value.bit_count() > 1
        return several and not move.value & self.controller.observation.filled(move.board)

    def orientation_count_at(self, spot: Spot) -> int:
        """Return the number of outlines to rotate through, or 0 if no shape fits at ``spot``."""
        return len(self.orientations()) if self.placing_move(spot) is not None else 0


class MoveMade(NamedTuple):
    """Result of a click or another choice that made a move."""

    events: tuple[ev.Event, ...]


class StepUndone(NamedTuple):
    """Result of a click or a cancellation that undid the last step, such as lifting a marble."""


class AmbiguousClick(NamedTuple):
    """Result of a click that could mean any of several ``moves``."""

    moves: tuple[Move, ...]


class SelectionChanged(NamedTuple):
    """Result of a click or a cancellation that only changed the selection or discarded the pending move."""


class ConfirmationPending(NamedTuple):
    """Result of a click whose move would end the turn and therefore waits for confirmation."""


class ClickRefused(NamedTuple):
    """Result of a click that does nothing; ``reason`` is a sentence that says why, or an empty string."""

    reason: str


ClickResult = MoveMade | StepUndone | AmbiguousClick | SelectionChanged | ConfirmationPending | ClickRefused


@dataclass(frozen=True)
class Preview:
    """A move, and the events that it is certain to cause within its turn."""

    move: Move
    events: tuple[ev.Event, ...]


class Controller:
    """Controller that offers the legal choices of the person to move in ``match`` and carries them out."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.requires_end_turn: Callable[[], bool] = lambda: False
        """Callback that returns whether turns must be ended explicitly; see :meth:`choose_move`."""
        self.unconfirmed_move: Move | None = None
        """Move that would end the turn and waits for confirmation, or None."""
        self.chosen_colour: int | None = None
        self.selected_points = 0
        self.selected_board = 0
        self.shapes = ShapePlacement(self)
        self.history = History(self)
        self.last_effort = 0.0
        """Cost of the last choice, as a fraction of the work budget of one choice."""
        self._previews: dict[Move, Preview] = {}
        self._outcome_texts: dict[Move, str] = {}
        self.refresh()

    @property
    def names(self) -> list[str]:
        """Names of the players, by seat."""
        return self.match.names

    @property
    def state(self) -> State:
        """State at the cursor of the match."""
        return marble_state(self.match.state)

    def refresh(self) -> None:
        """Clear the selection and the pending move, and recompute the observation and the legal choices.

        Call this after every change to the match.
        """
        self.unconfirmed_move = None
        self.rule_failure: Message | None = None
        state = self.state
        seat = state.to_move
        self.is_computer_turn = self.match.is_computer_seat(seat)
        """Whether a computer player is to move, so that nobody at the screen may choose or see the choices."""
        viewer = visibility.ALL_SEATS if self.is_computer_turn else seat
        self.observation = visibility.observe(self.match.game, state, viewer)
        """State, limited to what the seat to move may know.

        On a computer player's turn, it is limited to what everybody may know.
        """
        self.covered_boards = visibility.covered_boards(state, viewer)
        try:
            self.moves: tuple[Move, ...] = (
                () if self.is_computer_turn else marble_moves(self.match.legal_moves())
            )
        except RuleFailure as problem:
            self.moves, self.rule_failure = (), problem.message
        self.selected_points = 0
        self._previews.clear()
        self._outcome_texts.clear()
        self.shapes.reset()
        self._placements = [move for move in self.moves if move.places_colour]
        self.available_colours = tuple(sorted({move.colour for move in self._placements}))
        self._group_moves()

    def _find_next_colour(self) -> int | None:
        if not self.available_colours:
            return None
        if self.chosen_colour in self.available_colours:
            return self.chosen_colour
        seat = self.state.to_move
        owned = self.state.owned_colours(seat) if seat is not None else ()
        return next((c for c in owned if c in self.available_colours), self.available_colours[0])

    def choose_colour(self, colour: int) -> bool:
        """Choose ``colour`` for the next marble and discard the pending move, if ``colour`` is available.

        Returns whether it is available.
        """
        if colour not in self.available_colours:
            return False
        self.chosen_colour, self.unconfirmed_move = colour, None
        self._group_moves()
        return True

    def _group_moves(self) -> None:
        """Group the legal moves by the spots that can be clicked to make them.

        A set of points that includes the selected ones is listed at each of its other points. Placements of another
        colour than :attr:`next_colour` are left out; a spot where only these are possible gets an empty list. Moves
        without a spot go into :attr:`other_moves`, except for ``done`` and ``pass`` moves.
        """
        self.next_colour = colour = self._find_next_colour()
        """Colour of the next marble to be placed, or None if no marble can be placed now."""
        self.moves_by_spot: dict[Spot, list[Move]] = {}
        self.other_moves: list[Move] = []
        for move in self.moves:
            if move.is_on_single_point:
                if move.places_colour and move.colour != colour:
                    continue
                spot = Spot(move.board, move.point, move.side)
                self.moves_by_spot.setdefault(spot, []).append(move)
            elif move.kind == "points":
                if self.selected_points and (
                    move.board != self.selected_board
                    or move.value & self.selected_points != self.selected_points
                ):
                    continue
                for point in iter_bits(move.value & ~self.selected_points):
                    self.moves_by_spot.setdefault(Spot(move.board, point), []).append(move)
            elif move.kind not in ("done", "pass"):
                self.other_moves.append(move)
        if self.selected_points.bit_count() == 1:
            # The first marble of a set can also be taken or lifted on its own.
            alone = self.selected_points.bit_length() - 1
            self.other_moves += [
                m
                for m in self.moves
                if m.kind in ("take", "lift") and (m.board, m.point) == (self.selected_board, alone)
            ]
        # Also keep spots where only marbles of another colour may be placed, but list no moves for them.
        if len(self.available_colours) > 1:
            for move in self._placements:
                if move.colour != colour:
                    spot = Spot(move.board, move.point, move.side)
                    if spot not in self.moves_by_spot:
                        self.moves_by_spot.setdefault(spot, [])
        self.targets: tuple[Spot, ...] = tuple(
            sorted(spot for spot, moves in self.moves_by_spot.items() if moves)
        )
        """Spots where a click makes a move or selects a point, sorted by board, point and side."""

    def colours_at(self, spot: Spot) -> tuple[int, ...]:
        """Return the colours that may be placed on the point of ``spot``, regardless of the selected colour."""
        colours = {m.colour for m in self._placements if (m.board, m.point) == spot[:2]}
        return tuple(sorted(colours))

    def source_stock(self, colour: int) -> str:
        """Return the name of the stock from which a marble of ``colour`` would be taken.

        Returns an empty string if no marble of this colour can be placed, or if the stock isn't known.
        """
        move = next((m for m in self._placements if m.colour == colour), None)
        if move is None:
            return ""
        try:
            events = self.preview_move(move).events
        except RuleFailure:
            return ""
        return next((e.stock for e in events if isinstance(e, ev.Placed | ev.Entered)), "")

    @property
    def finishing_move(self) -> Move | None:
        """Move that confirms or finishes what the player has chosen so far, or None.

        This is the pending move, if there is one, or else a legal ``done`` move, which ends the turn or an optional
        part of it. If there is neither, it is the move with exactly the selected points.
        """
        if self.unconfirmed_move is not None:
            return self.unconfirmed_move
        return next((m for m in self.moves if m.kind == "done"), self._exact_set())

    def finishing_move_ends_turn(self) -> bool:
        """Return whether there is a :attr:`finishing_move` that ends the turn.

        A move also counts if it leaves the next choice to another seat, or if its effect on the turn is unknown.
        """
        move = self.finishing_move
        return move is not None and sentences.ends_turn(self.match.game, self.observation, move)

    @property
    def pass_move(self) -> Move | None:
        """Move that passes, or None if passing is not allowed."""
        return next((m for m in self.moves if m.kind == "pass"), None)

    def prompt(self) -> str:
        """Return an uncapitalized phrase that tells the player what to choose, or that the match can't continue."""
        if self.rule_failure:
            return _("the match can't continue from here")
        if self.shapes.examples_by_number():
            return translate(language(), "choose a shape")
        return self.match.game.describe_decision(self.observation, language(), self.names, self.moves)

    def point_set_moves(self, spot: Spot) -> list[Move]:
        """Return the moves that choose a set of points including ``spot`` and all points selected so far.

        The list is empty if ``spot`` itself is already selected.
        """
        return [move for move in self.moves_by_spot.get(spot, []) if move.kind == "points"]

    def preview_click(self, spot: Spot) -> Preview | None:
        """Return a preview of a click on ``spot``, or None if it would do nothing or could mean several moves.

        If a shape can be placed there, preview it in its current orientation or, failing that, in the next one that
        fits. Otherwise, if all possible moves choose sets of points, preview the set that the player has rotated to.
        """
        moves = self.moves_by_spot.get(spot, [])
        sets = self.point_set_moves(spot)
        shown = self.shapes.placing_move(spot)
        if shown is not None:
            moves = [shown]
        elif sets and len(sets) == len(moves):
            moves = [sets[self.shapes.rotation % len(sets)]]
        return self.preview_move(moves[0]) if len(moves) == 1 else None

    def visible_preview(self, spot: Spot | None) -> Preview | None:
        """Return a preview of the pending move or, if there is none, of a click on ``spot``.

        Returns None if there is nothing to preview.
        """
        if self.unconfirmed_move is not None:
            return self.preview_move(self.unconfirmed_move)
        return self.preview_click(spot) if spot is not None else None

    def preview_move(self, move: Move) -> Preview:
        """Return a preview of ``move``, based only on what the seat to move may know."""
        preview = self._previews.get(move)
        if preview is None:
            events = self.match.game.preview(self.observation, move).events
            preview = self._previews[move] = Preview(move, events)
        return preview

    def describe_outcome(self, move: Move) -> str:
        """Return a description of what ``move`` would do, based only on what the seat to move may know."""
        text = self._outcome_texts.get(move)
        if text is None:
            text = self._outcome_texts[move] = self.match.game.describe_outcome(
                self.observation, move, language(), self.names
            )
        return text

    def describe_click(self, spot: Spot) -> str:
        """Return a description of what a click on ``spot`` would do, or "" if no move can be chosen there."""
        moves = self.moves_by_spot.get(spot, [])
        marbles = all(m.kind == "points" and not m.value & ~self.observation.filled(m.board) for m in moves)
        preview = None if marbles and len(moves) > 1 else self.preview_click(spot)
        if preview is not None:
            return self.describe_outcome(preview.move)
        return (
            sentences.describe_choices_at(
                self.match.game, self.observation, moves, spot[:2], language(), self.names
            )
            if moves
            else ""
        )

    # Actions

    def play(self, move: game.Move | str) -> MoveMade:
        """Make a move, given as an object or as text, and recompute the legal choices."""
        events = self.match.play(move)
        self.last_effort = self.match.game.effort
        self.refresh()
        self.last_effort += self.match.game.effort
        return MoveMade(marble_events(events))

    def choose_move(self, move: Move) -> MoveMade | ConfirmationPending:
        """Make a move, or keep it pending if it would end a turn that must be ended explicitly.

        Passing and the ``done`` move are explicit, so they are made immediately.
        """
        if (
            self.requires_end_turn()
            and move.kind not in ("done", "pass")
            and sentences.ends_turn(self.match.game, self.observation, move)
        ):
            self.unconfirmed_move = move
            return ConfirmationPending()
        return self.play(move)

    def click(self, spot: Spot) -> ClickResult:
        """Handle a click on ``spot``, and return its result."""
        held = self.state.held
        if held is not None and (held[2], held[1]) == spot[:2] and not self.moves_by_spot.get(spot):
            answer = self.cancel()
            return ClickRefused("") if answer is None else answer
        moves = self.moves_by_spot.get(spot, [])
        if not moves and held is not None:
            return self._switch_held_marble(spot)
        if (
            self.selected_points
            and spot.board == self.selected_board
            and self.selected_points >> spot.point & 1
        ):
            return self._toggle_selection(spot)
        shown = self.shapes.placing_move(spot)
        if shown is not None:
            return self.choose_move(shown)
        if any(move.kind == "points" for move in moves):
            return self._toggle_selection(spot)
        if len(moves) == 1:
            return self.choose_move(moves[0])
        if moves:
            return AmbiguousClick(tuple(moves))
        return ClickRefused(self.explain_illegal(spot))

    def explain_illegal(self, spot: Spot) -> str:
        """Return a sentence that says why nothing can be done at ``spot``, or what must be chosen instead."""
        name = self.state.point_name(spot.point, spot.board)
        return self.match.game.explain_illegal(self.observation, [name], language(), self.names, self.moves)

    def cancel(self) -> StepUndone | SelectionChanged | None:
        """Clear the selection and the pending move or, if there is neither, undo the last step of the current turn.

        After undoing, :meth:`.History.undo_forced_moves` is called. On a computer player's turn, or if nothing can be
        cleared or undone, do nothing and return None.
        """
        if self.is_computer_turn:
            return None
        if self.selected_points or self.unconfirmed_move is not None:
            self.selected_points, self.unconfirmed_move = 0, None
            self._group_moves()
            return SelectionChanged()
        if self.state.step and not self.history.find_obstacle() and self.match.undo_step():
            self.history.undo_forced_moves()
            self.refresh()
            return StepUndone()
        return None

    def _switch_held_marble(self, spot: Spot) -> ClickResult:
        """Put the held marble back and lift the marble on ``spot`` instead, if that is legal.

        Otherwise, nothing changes, and the result is a :class:`ClickRefused` with the reason.
        """
        refusal = ClickRefused(self.explain_illegal(spot))
        if not self.state.filled(spot.board) >> spot.point & 1 or not self.match.undo_step():
            return refusal
        self.refresh()
        lift = [m for m in self.moves_by_spot.get(spot, []) if m.kind == "lift"]
        if lift:
            return self.play(lift[0])
        self.match.redo_step()
        self.refresh()
        return refusal

    def _toggle_selection(self, spot: Spot) -> ClickResult:
        """Add a point to the selection or, if it is already selected, remove it.

        If any points are selected and exactly one of the legal sets of points contains them all, choose that set.
        """
        self.unconfirmed_move = None
        self.selected_board = spot.board
        self.selected_points ^= 1 << spot.point
        self._group_moves()
        open_ = self._matching_sets()
        if self.selected_points and len(open_) == 1:
            return self.choose_move(open_[0])
        return SelectionChanged()

    def _matching_sets(self) -> list[Move]:
        return [
            m
            for m in self.moves
            if m.kind == "points"
            and m.board == self.selected_board
            and m.value & self.selected_points == self.selected_points
        ]

    def _exact_set(self) -> Move | None:
        """Return the move that chooses exactly the selected points, or None if there is none."""
        if not self.selected_points:
            return None
        return next((m for m in self._matching_sets() if m.value == self.selected_points), None)
