"""The actions available to players in a match with marbles: making and undoing moves, and showing messages."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from shibumi3d.i18n import _, language
from shibumi3d.match.marbles import marble_events, marble_move
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.move import Move, spell_out_side
from shibumi3d.rules.marbles.wording.glossary import explain_word

from ..actions import MatchActions
from .choices import MoveMenu
from .controller import AmbiguousClick, ClickRefused, MoveMade, Spot, StepUndone
from .interfaces import MarblePage

if TYPE_CHECKING:
    from shibumi3d.match.history import Ply
    from shibumi3d.rules import game
    from shibumi3d.rules.game import Event

    from .playback import Playback


MAX_SEARCHED_CHARACTERS = 48
"""Number of characters at the end of a typed text that are searched for the name of a point."""
ACTION_SIGN_PATTERN = re.compile(r"[A-Z]?[@>]|[x^]")
POINT_PATTERN = re.compile(r"(?:(?<!\w)(\w++)\.)?([a-j]{2}\d+)(?:/\w*)?$")
"""Pattern for a point in lower case at the end of a text, with an optional board name and side."""
MESSAGE_HIDE_DISTANCE_PX = 14
"""Distance that the pointer may move before a message about a spot disappears, in logical pixels."""


class MarbleActions(MatchActions):
    """The actions available to players in a match with marbles."""

    page: MarblePage

    def __init__(self, page: MarblePage, playback: Playback) -> None:
        super().__init__(page, page.controller.history)
        self.playback = playback
        self.model, self.controller, self.marble_scene = page.model, page.controller, page.marble_scene
        self.message = ""
        self.message_spot: Spot | None = None
        self.message_hover_spot: Spot | None = None
        """Spot that was active when the last message without a spot was shown, or None if no spot was active.

        The message is hidden while another spot is active.
        """
        self.message_pointer_position = (0.0, 0.0)
        """Position of the pointer when the last message about a spot was shown."""

    @property
    def is_moving(self) -> bool:
        return self.model.is_revealing or self.marble_scene.is_animating(self.page.animation_time())

    @property
    def is_awaiting_confirmation(self) -> bool:
        return self.controller.unconfirmed_move is not None

    def discard_pending_choice(self) -> None:
        self.step_back()

    def discard_message(self) -> None:
        self.message, self.message_spot = "", None

    def finish_animations(self) -> None:
        self.marble_scene.finish()
        self.page.finish_fades()
        self.end_replay()

    def show_position(self) -> None:
        self.marble_scene.reset(self.model.observation)

    def animate_events(self, events: Sequence[Event]) -> None:
        self.page.pointer.selected_board = None
        self.playback.show_move(marble_events(events))

    def animate_undo(self, undone_plies: Sequence[Ply]) -> None:
        self.playback.animate_undo(undone_plies)

    def replay_from(self, first_ply: int) -> None:
        self.playback.replay_from(first_ply)

    def legal_moves(self) -> Sequence[Move]:
        return self.controller.moves

    def spellings(self, move: game.Move) -> tuple[str, ...]:
        text = spell_out_side(move.text)
        sign = ACTION_SIGN_PATTERN.match(text)
        # The sign of the action may be left out, since the point alone identifies the move.
        return text, text[sign.end() if sign else 0 :], move.text

    def prompt(self) -> str:
        return self.controller.prompt()

    def explain_unmatched(self, typed: str) -> str:
        """Return a sentence that says why ``typed`` isn't a legal move.

        If ``typed`` ends in the name of a point, and no legal move concerns that point alone, the sentence says why
        nothing can be done there.
        """
        state, point_match = self.controller.state, POINT_PATTERN.search(typed[-MAX_SEARCHED_CHARACTERS:])
        if point_match is not None:
            boards = [name.casefold() for name in state.board_names]
            named = (point_match[1] or "").removeprefix("x")  # ``x`` marks a marble that is removed
            board = boards.index(named) if named in boards else self.page.pointer.board
            point = state.pyramid.point_by_name.get(point_match[2].capitalize(), -1)
            if point >= 0 and not any(
                (board, point) == (move.board, move.point) for move in self.controller.moves
            ):
                return self.controller.explain_illegal(Spot(board, point))
        # The point is not the reason why the text is illegal.
        return super().explain_unmatched(typed)

    def reload_moves(self) -> None:
        self.controller.refresh()

    def rotate_shape(self, steps: int) -> None:
        """Rotate the shape under the pointer by ``steps`` orientations, backwards if ``steps`` is negative."""
        self.controller.shapes.rotation += steps
        self.page.refresh()

    def make_move(self, move: game.Move | str, seat: int | None = None) -> Sequence[Event]:
        return self.controller.play(move).events

    def choose_spot(self, spot: Spot, hidden_targets_text: str = "") -> None:
        """Handle a person's choice of a spot on a board.

        If the choice is refused, show ``hidden_targets_text`` or, if that is empty, the reason. On a computer player's
        turn, only say what that player is doing.
        """
        if self.controller.is_computer_turn:
            self.show_message(self.page.computer_players.status_text(), spot)
            return
        before = self.model.match.plies
        try:
            answer = self.controller.click(spot)
        except RuleFailure as problem:
            self.report_rule_failure(problem)
            return
        match answer:
            case MoveMade(events):
                if len(self.model.match.plies) == len(before) and before:
                    # One marble was put back and another was lifted.
                    self.marble_scene.reset(self.model.observation_before(len(before) - 1))
                self.on_move_made(events)
            case StepUndone():
                self.on_undone(before)
            case AmbiguousClick(moves):
                self.ask_which_move(moves, spot)
            case ClickRefused(reason):
                self.marble_scene.shake(spot.board, spot.point, self.page.animation_time())
                self.page.app.sounds.play_rejected()
                self.show_message(hidden_targets_text or reason, spot)
            case _:
                self.page.update()

    def play_move(self, move: game.Move, may_end_turn: bool = False) -> None:
        """Make a move that was chosen off the board, for example with a button.

        If ``may_end_turn`` is true, the move needs no confirmation, even if it ends the turn.
        """
        self.finish_animations()
        self.page.app.root.close_popups()
        try:
            answer = (
                self.controller.play(move) if may_end_turn else self.controller.choose_move(marble_move(move))
            )
        except RuleFailure as problem:
            self.report_rule_failure(problem)
            return
        if isinstance(answer, MoveMade):
            self.on_move_made(answer.events)
        else:
            self.page.update()

    def report_rule_failure(self, problem: RuleFailure) -> None:
        """Clear the selection, and report that the match can't continue from here because its rules have failed."""
        self.controller.refresh()
        self.page.app.show_message(
            _(
                "Your moves so far are safe, but the match can't continue from here: {problem}.",
                problem=problem,
            )
        )

    def show_message(self, message: str, spot: Spot) -> None:
        """Show a message about a spot until the pointer moves away.

        Making a move or moving the keyboard cursor removes it sooner. If ``message`` is empty, the current message is
        removed.
        """
        self.message, self.message_spot = message, spot if message else None
        self.message_pointer_position = self.page.app.root.pointer
        self.page.refresh()

    def hide_message_if_far(self, x: float | None, y: float | None) -> None:
        """Remove a message about a spot if the pointer has moved too far since the message was shown.

        ``x`` and ``y`` are relative to the view. If the pointer has left the view, they are None, and the message is
        removed.
        """
        area = self.page.view.rect
        gone = (
            x is None
            or y is None
            or math.dist((area.x + x, area.y + y), self.message_pointer_position) > MESSAGE_HIDE_DISTANCE_PX
        )
        if self.message_spot is not None and gone:
            self.clear_message()

    def clear_message(self) -> None:
        """Remove the current message, if any."""
        if self.message:
            self.message, self.message_spot = "", None
            self.page.refresh()

    def ask_which_move(self, moves: Sequence[Move], spot: Spot) -> None:
        """Ask which of several moves a click on a spot was meant to make."""
        card = MoveMenu(self.page, self, moves, spot)
        self.page.app.root.open_popup(card, card.popup_rect, focus=card.children[0])

    def explain_word(self, word: str) -> str:
        """Return the explanation of a term used by the game or the program, or an empty string if there is none."""
        return explain_word(
            word, language(), game_terms=self.page.entry.with_variant(self.model.match.game.variant).words
        )

    def move_label(self, move: game.Move) -> str:
        """Return the button text for a move."""
        return self.model.match.game.move_label(
            self.controller.observation, move, language(), self.page.names
        )

    def step_back(self) -> bool:
        """Clear the selection and the unconfirmed move or, if there is neither, undo the last step of this turn.

        Undoing a step that lifted a marble puts the marble back. Returns whether anything was cleared or undone.
        """
        before = self.model.match.plies
        answer = self.controller.cancel()
        if isinstance(answer, StepUndone):
            self.on_undone(before)
        elif answer is not None:
            self.page.update()
        return answer is not None

    def undo_to_step(self, step: int) -> None:
        """Undo steps of this turn until only ``step`` steps are left, or until one can't be undone.

        No step is undone while an earlier position is shown or a computer player is to move.
        """
        if not self.model.is_live:
            return
        self.finish_animations()
        before = self.model.match.plies
        if self.controller.history.undo_to_step(step):
            self.on_undone(before)

    def end_turn(self) -> None:
        """Make the controller's :attr:`~.Controller.finishing_move`, if there is one."""
        done = self.controller.finishing_move
        if done is not None:
            self.play_move(done, may_end_turn=True)

    def pass_turn(self) -> None:
        """Pass if that is legal."""
        passing = self.controller.pass_move
        if passing is not None:
            self.play_move(passing)

    def choose_colour(self, index: int) -> bool:
        """Select a colour in the tray by its index; return whether it was selected.

        Nothing is selected if the tray has only one colour, or none at ``index``.
        """
        if index < len(self.controller.available_colours) and len(self.controller.available_colours) > 1:
            self.controller.choose_colour(self.controller.available_colours[index])
            self.clear_message()
            self.page.refresh()
            return True
        return False
