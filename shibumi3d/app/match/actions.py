"""Actions on a match, at tables of any kind: moves, undo and redo, earlier positions, and special moves.

Subclasses of :class:`MatchActions` display them. Special moves are draw claims, seat swaps and losses on time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import N_, _, language
from shibumi3d.match.special_moves import CLAIM, SWAP, TIME_UP, can_claim_draw, can_swap
from shibumi3d.rules.wording import capitalize_first

from .players import MatchPageInterface
from .privacy_screen import cover_for_next_player

if TYPE_CHECKING:
    from shibumi3d.match.history import Ply
    from shibumi3d.rules.game import Event, Move

    from ..ui.button import Button
    from .model import MatchModel


UNDO_OBSTACLE_TEXTS = {
    "start": N_("There is nothing of yours to undo."),
    "revealed": N_("This can't be undone: something was drawn or revealed."),
    "secret": N_("This can't be undone: it was another player's secret choice."),
}


class UndoInterface(Protocol):
    """Interface for undoing and redoing moves in a match.

    :meth:`undo` and :meth:`undo_to` return "" if they succeed. Otherwise, they return the reason as a key of
    :data:`UNDO_OBSTACLE_TEXTS`.
    """

    def undo(self) -> str:
        """Undo a person's last move or turn, and all moves after it.

        Returns "" if something was undone. Otherwise, returns the reason as a key of :data:`UNDO_OBSTACLE_TEXTS`.
        """

    def undo_to(self, ply: int) -> str:
        """Undo moves until ``ply`` moves are left; if a move on the way can't be undone, undo nothing.

        Returns "" if everything was undone. Otherwise, returns the reason as a key of :data:`UNDO_OBSTACLE_TEXTS`.
        """

    def redo(self) -> bool:
        """Redo the move or turn that was undone most recently; return whether there was one."""


class MatchActions:
    """The actions available to people and computer players in a match.

    There is one subclass for the marble view and one for the scene view.
    """

    is_replaying = False
    """Whether the last turn is being replayed."""

    def __init__(self, page: MatchPageInterface, undo_history: UndoInterface) -> None:
        self.page, self._undo_history = page, undo_history

    # Overridden by each subclass

    @property
    def is_moving(self) -> bool:
        """Whether anything on the table is moving, or secret choices are being revealed."""
        raise NotImplementedError

    @property
    def is_awaiting_confirmation(self) -> bool:
        """Whether a choice is waiting to be confirmed."""
        raise NotImplementedError

    def discard_pending_choice(self) -> None:
        """Discard the choice that is waiting to be confirmed."""
        raise NotImplementedError

    def discard_message(self) -> None:
        """Hide the latest message."""
        raise NotImplementedError

    def finish_animations(self) -> None:
        """Finish all animations immediately, so that input never has to wait."""
        raise NotImplementedError

    def show_position(self) -> None:
        """Show the position being viewed, without animation."""
        raise NotImplementedError

    def animate_events(self, events: Sequence[Event]) -> None:
        """Animate the events of a move, and update the page.

        If the privacy screen must cover the window, show the new position without animation.
        """
        raise NotImplementedError

    def animate_undo(self, undone_plies: Sequence[Ply]) -> None:
        """Animate the undoing of ``undone_plies``, and update the page.

        The plies are in the order in which they were played.
        """
        raise NotImplementedError

    def show_viewed_position(self, previous_ply: int) -> None:
        """Show the position being viewed.

        ``previous_ply`` is the number of moves that led to the position shown before.
        """
        self.show_without_animation()

    def replay_from(self, first_ply: int) -> None:
        """Slowly replay the moves, starting with the one at index ``first_ply``."""
        raise NotImplementedError

    def play_move(self, move: Move) -> None:
        """Make a move for the person whose turn it is."""
        raise NotImplementedError

    def legal_moves(self) -> Sequence[Move]:
        """Return the legal moves of the person who must choose now.

        The result is empty if no person must choose now.
        """
        return self.page.model.legal_moves()

    def spellings(self, move: Move) -> tuple[str, ...]:
        """Return the ways in which a move can be typed, with the preferred spelling first.

        All moves have the same number of spellings.
        """
        return (move.text,)

    def prompt(self) -> str:
        """Return an uncapitalized phrase that says what the person to move must do."""
        model = self.page.model
        return model.match.game.describe_decision(model.chooser_observation(), language(), self.page.names)

    def explain_unmatched(self, typed: str) -> str:
        """Return a sentence that says why no move starts with ``typed``.

        By default, it says that there is no such move, and what the person to move must do.
        """
        return _(
            "No move starts with “{typed}”. {prompt}.", typed=typed, prompt=capitalize_first(self.prompt())
        )

    def reload_moves(self) -> None:
        """Reload the legal moves after the match has changed."""

    def make_move(self, move: Move | str, seat: int | None = None) -> Sequence[Event]:
        """Make a move with :meth:`.Match.play`, reload the legal moves, and return the events of the move."""
        events = self.page.model.match.play(move, seat)
        self.reload_moves()
        return events

    # Common to all tables

    def on_move_made(self, events: Sequence[Event]) -> None:
        """Show one or more moves that have been made, given their ``events``.

        Also hide the latest message and save the camera position. If the match is over, record the result, unless the
        page has an instruction strip, as in a lesson, a problem or a test match.
        """
        page = self.page
        self.discard_message()
        page.save_camera()
        page.is_end_sound_pending = page.model.match.state.to_move is None
        if page.is_end_sound_pending and page.instruction_strip is None:
            page.app.matches.record_result(page.model.match)
            page.computer_players.series_controls.record_match()
        self.animate_events(events)

    def on_undone(self, previous_plies: Sequence[Ply]) -> None:
        """Discard the message, show the current position, and animate an undo.

        ``previous_plies`` are the plies that the match had before the undo.
        """
        page = self.page
        self.discard_message()
        page.is_end_sound_pending, page.model.viewed_ply = False, None
        self.animate_undo(page.model.match.undone[: len(previous_plies) - page.model.match.cursor])

    def cover_if_needed(self) -> bool:
        """Cover the window if the next person may see something that the previous one may not.

        Returns whether the window was covered.
        """
        return cover_for_next_player(self.page)

    def show_without_animation(self) -> None:
        """Show the position being viewed, without animation, and update the page.

        Calls :meth:`cover_if_needed` first.
        """
        self.cover_if_needed()
        self.show_position()
        self.page.update()

    def undo(self) -> None:
        """Undo a person's last action.

        If a refuted move is still on the table, or a choice is waiting to be confirmed, undo only that. If the action
        can't be undone, a note says why.
        """
        self.finish_animations()
        if self.page.clear_refutation():
            return
        if self.is_awaiting_confirmation:
            self.discard_pending_choice()
            return
        match = self.page.model.match
        before = match.plies
        self.page.computer_players.pause_if_unattended()
        obstacle = self._undo_history.undo()
        if not obstacle:
            self.on_undone(before)
        elif len(before) > match.undo_limit:
            self.page.show_note(_(UNDO_OBSTACLE_TEXTS[obstacle]))

    def redo(self) -> None:
        """Redo the move or turn that was undone most recently."""
        self.finish_animations()
        self._redo_and_animate(self._undo_history.redo)

    def replay_last_turn(self) -> None:
        """Slowly replay the last turn, unless an earlier position is being viewed."""
        model = self.page.model
        if model.match.plies and model.is_live:
            self.finish_animations()
            self.is_replaying = True
            self.replay_from(model.last_turn_start())
            self.page.refresh()

    def end_replay(self) -> None:
        """If the last turn is being replayed, stop the replay and show the current position."""
        if self.is_replaying:
            self.is_replaying = False
            self.show_position()

    def continue_from_here(self) -> None:
        """Continue from the position being viewed, undoing all later moves.

        They remain in the move list as a variation. If they can't be undone, a note says why.
        """
        page, here = self.page, self.page.model.viewed_ply
        if here is None:
            return
        if here < page.model.match.undo_limit:
            page.show_note(_("You can't play from here: this is before the starting position."))
            return
        self.finish_animations()
        page.computer_players.pause_if_unattended()
        page.app.matches.prepare_continuation(page.model.match)
        obstacle = self._undo_history.undo_to(here)
        if obstacle:
            page.show_note(_(UNDO_OBSTACLE_TEXTS[obstacle]))
        else:
            page.model.viewed_ply, page.is_end_sound_pending = None, False
            self.show_without_animation()
            page.show_note(_("Play continues from here. Later moves stay in the list."))

    def _redo_and_animate(self, redo: Callable[[], bool]) -> None:
        """Show the current position, call ``redo``, and animate any moves that it redoes.

        ``redo`` returns whether it redid any moves.
        """
        match = self.page.model.match
        if not self.page.model.is_live:
            self.page.model.viewed_ply = None
            self.show_position()
        before = match.cursor
        if redo():
            self.on_move_made([event for ply in match.plies[before:] for event in ply.events])

    def view_ply(self, ply: int | None) -> None:
        """Show the position after ``ply`` moves, or the current position if ``ply`` is None.

        If some of these moves have been undone, they are redone.
        """
        model, match = self.page.model, self.page.model.match
        self.finish_animations()
        if ply is not None and ply > match.cursor:
            there = ply

            def further() -> bool:
                match.go_to(there)
                self.reload_moves()
                return True

            self._redo_and_animate(further)
            return
        before = model.cursor
        model.viewed_ply = None if ply is None or ply >= match.cursor else max(0, ply)
        self.discard_message()
        self.show_viewed_position(before)

    def switch_to_variation(self, variation: int) -> None:
        """Switch to the variation with index ``variation``, and continue from its end."""
        page = self.page
        self.finish_animations()
        page.computer_players.pause_if_unattended()
        page.app.matches.prepare_continuation(page.model.match)
        page.model.match.switch_to_variation(variation)
        self.reload_moves()
        page.model.viewed_ply = None
        self.show_without_animation()
        page.show_note(_("Switched to this variation. The other line stays in the list."))


class SpecialMoves:
    """Special moves: claiming a draw, swapping seats and losing on time.

    This class also determines whose clock is running.
    """

    def __init__(self, page: MatchPageInterface, actions: MatchActions) -> None:
        self._page, self._actions = page, actions

    def available_move(self) -> str:
        """Return the special move that the person to move may make: :data:`.SWAP`, :data:`.CLAIM`, or "" if none."""
        model, match = self._page.model, self._page.model.match
        if model.choosing_seat is None or not model.can_choose:
            return ""
        if can_swap(match):
            return SWAP
        return CLAIM if model.facts.positions_may_repeat and can_claim_draw(match) else ""

    def update_button(self, button: Button) -> None:
        """Set up a button for the special move that is available now, or hide the button if there is none."""
        move = self.available_move()
        button.visible = bool(move)
        if move:
            swaps = move == SWAP
            button.label = _("Swap seats") if swaps else _("Claim a draw")
            button.tooltip = (
                _("Take over your opponent's seat and first turn  S")
                if swaps
                else _("This position has occurred three times  S")
            )

    def make_available_move(self) -> None:
        """Make the special move that is available now, if any."""
        move = self.available_move()
        if move:
            self._actions.finish_animations()
            self._actions.on_move_made(self._actions.make_move(move))

    def running_clock_seat(self) -> int | None:
        """Return the seat whose clock is running, or None if no clock is running.

        No clock runs while the table is in motion, or while a computer player that must move hasn't started thinking.
        """
        model = self._page.model
        if self._actions.is_moving:
            return None
        thinking = model.first_choosing_computer
        if thinking is not None:
            return thinking if self._page.computer_players.thinking_seconds else None
        return model.choosing_seat

    def lose_on_time(self) -> None:
        """End the match because the seat to move is out of time."""
        self._actions.finish_animations()
        self._page.model.viewed_ply = None
        self._actions.on_move_made(self._actions.make_move(TIME_UP))


class UndoHistory:
    """Undo and redo of moves made by people.

    Moves that drew something at random or revealed something can't be undone, since players can't forget what they saw.
    """

    def __init__(self, model: MatchModel) -> None:
        self.model = model

    def find_obstacle(self) -> str:
        """Return why the last move can't be undone, as a key of :data:`UNDO_OBSTACLE_TEXTS`, or "" if it can.

        It can't be undone if there is none, if it is one of the first ``undo_limit`` moves of the match, or if it drew
        or revealed something. If several people are playing, a private choice by anyone but the viewer can't be undone
        either.
        """
        match = self.model.match
        if match.cursor <= match.undo_limit:
            return "start"
        ply = match.plies[-1]
        before = match.plies[-2].state if match.cursor > 1 else match.initial_state
        if any(event.blocks_undo for event in ply.events):
            return "revealed"
        hidden = (
            before.decision is not None
            and before.decision.visibility != "open"
            and self.model.facts.has_secrets
        )
        if hidden and len(self.model.human_seats) > 1 and ply.seat != self.model.viewer:
            return "secret"
        return ""

    def undo(self) -> str:
        """Undo a person's last move and all moves after it; return the obstacle, or "" if they were undone.

        The later moves were made by computer players, or were forced and played automatically. If a move can't be
        undone, nothing is undone, and the obstacle is returned as a key of :data:`UNDO_OBSTACLE_TEXTS`. In a match
        without people, undo the last move.
        """
        match = self.model.match
        start_cursor = match.cursor
        undoes_all = len(self.model.human_seats) == 0
        with match.save_once():
            while not (obstacle := self.find_obstacle()):
                seat = match.plies[-1].seat
                match.undo_step()
                if undoes_all or not (match.is_computer_seat(seat) or self.model.automatic_move()):
                    break
            else:
                match.go_to(start_cursor)
        return obstacle

    def undo_to(self, ply: int) -> str:
        """Undo moves until ``ply`` moves are left; if a move on the way can't be undone, undo nothing.

        Returns "" if everything was undone. Otherwise, returns the reason as a key of :data:`UNDO_OBSTACLE_TEXTS`.
        """
        match = self.model.match
        start_cursor = match.cursor
        with match.save_once():
            while match.cursor > ply:
                obstacle = self.find_obstacle()
                if obstacle:
                    match.go_to(start_cursor)
                    return obstacle
                match.undo_step()
        return ""

    def redo(self) -> bool:
        """Redo a move and the computer players' moves that follow it; return whether there was a move to redo."""
        match = self.model.match
        with match.save_once():
            is_redone = match.redo_step()
            while is_redone and match.undone and match.is_computer_seat(match.undone[0].seat):
                match.redo_step()
        return is_redone
