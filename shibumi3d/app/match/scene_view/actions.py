"""Actions in a match on a table drawn by a TableScene: playing, confirming, undoing, and viewing earlier positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shibumi3d.i18n import language, localize
from shibumi3d.match.history import Ply
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.wording import capitalize_first

from ..actions import MatchActions, UndoHistory
from ..model import ResponderChoice
from .interfaces import ScenePage

if TYPE_CHECKING:
    from shibumi3d.rules.game import Event, Move


FORCED_MOVE_DELAY_SECONDS = 0.5
"""Delay before a question is answered automatically if only the default answer is legal, in seconds."""


class SceneActions(MatchActions):
    """The actions available to people and computer players in the match on the page."""

    page: ScenePage

    def __init__(self, page: ScenePage) -> None:
        super().__init__(page, UndoHistory(page.model))

    unconfirmed_move: Move | None = None
    """Move that was chosen but not yet confirmed, or None."""

    @property
    def is_moving(self) -> bool:
        return self.page.scene.is_animating(self.page.animation_time())

    @property
    def is_awaiting_confirmation(self) -> bool:
        return self.unconfirmed_move is not None

    def discard_pending_choice(self) -> None:
        self.drop_picks()
        self.page.update()
        self.page.pointer.update_message()

    def drop_picks(self) -> None:
        """Drop the picks and the unconfirmed move; the page's next update loads the legal moves again."""
        self.unconfirmed_move = None
        self.page.selection.clear()

    def discard_message(self) -> None:
        self.page.message = ""

    def finish_animations(self) -> None:
        self.page.scene.finish()
        self.end_replay()

    def show_position(self) -> None:
        self.page.scene.finish()
        self.page.scene.reset(self.page.model.observation, self.page.model.perspective_seat)

    def animate_events(self, events: Sequence[Event]) -> None:
        model, scene = self.page.model, self.page.scene
        if self.cover_if_needed():
            self.show_position()
        else:
            try:
                scene.play(
                    model.observe_events(events),
                    self.page.animation_time(),
                    model.observation,
                    model.perspective_seat,
                )
            except LookupError:
                scene.reset(model.observation, model.perspective_seat)
        self.page.update()
        self.page.pointer.update_message()

    def animate_undo(self, undone_plies: Sequence[Ply]) -> None:
        page, model = self.page, self.page.model
        self.drop_picks()
        page.scene.finish()
        if not undone_plies or self.cover_if_needed():
            self.show_position()
        else:
            try:
                page.scene.rewind(
                    model.observe_plies(undone_plies),
                    page.animation_time(),
                    model.observation,
                    model.perspective_seat,
                )
            except LookupError:
                page.scene.reset(model.observation, model.perspective_seat)
        page.update()
        page.pointer.update_message()

    def replay_from(self, first_ply: int) -> None:
        model, scene = self.page.model, self.page.scene
        plies = model.match.plies[first_ply:]
        scene.reset(model.observation_before(first_ply), model.perspective_seat)
        speed, scene.speed = scene.speed, "again"
        try:
            scene.play(
                model.observe_plies(plies),
                self.page.animation_time(),
                model.observation,
                model.perspective_seat,
            )
        except LookupError:
            self.show_position()
        scene.speed = speed

    def spellings(self, move: Move) -> tuple[str, ...]:
        model = self.page.model
        return move.text, model.match.game.move_label(
            model.chooser_observation(), move, language(), self.page.names
        )

    def show_viewed_position(self, previous_ply: int) -> None:
        """Switch from the position after ``previous_ply`` moves to the position being viewed.

        If the two are one move apart, the move or its undoing is animated.
        """
        model, plies = self.page.model, self.page.match.plies
        if model.cursor == previous_ply - 1:
            self.animate_undo([plies[model.cursor]])
        elif model.cursor == previous_ply + 1:
            self.animate_events(plies[previous_ply].events)
        else:
            self.show_without_animation()

    def show_without_animation(self) -> None:
        super().show_without_animation()
        self.page.pointer.update_message()

    def choose_move(self, move: Move | ResponderChoice) -> None:
        """Make a move, or await its confirmation if the settings require it.

        Choosing the move that awaits confirmation confirms it. Guided pages don't ask for confirmation. For a
        :class:`.ResponderChoice`, :meth:`let_seat_respond` is called instead.
        """
        page = self.page
        if isinstance(move, ResponderChoice):
            self.let_seat_respond(move.seat)
            return
        if (
            not page.app.settings.confirm
            or page.instruction_strip is not None
            or move == self.unconfirmed_move
        ):
            self.play_move(move)
            return
        self.unconfirmed_move, page.confirm_button.visible = move, True
        page.layout(page.rect)
        page.pointer.update_message()

    def let_seat_respond(self, seat: int) -> None:
        """Let ``seat`` look at its hand and respond.

        ``seat`` is one of the seats that are asked for a response. If it is -1, all of them give the default answer.
        Nothing happens if no seat is being asked or an earlier position is shown.
        """
        match, model = self.page.match, self.page.model
        if not model.response_seats or not model.is_live:
            return
        model.last_viewer = None  # the table has been visible to everybody in the meantime
        self.drop_picks()
        if seat >= 0:
            model.set_responder(seat)
            self.show_without_animation()
            return
        ask = match.state.decision
        events: list[Event] = []
        assert ask is not None
        with match.save_once():
            for each in ask.seats:
                now = match.state.decision
                if now is not None and now.kind == ask.kind and each in now.seats:
                    events += match.play(ask.default, each)
        self.on_move_made(events)

    def confirm(self) -> None:
        """Make the move that waits for confirmation, if there is one."""
        if self.unconfirmed_move is not None:
            self.play_move(self.unconfirmed_move)

    def play_move(self, move: Move) -> None:
        seat = self.page.model.choosing_seat
        if seat is None or not self.page.model.is_live:
            return
        self.page.pointer.record_spots(seat)
        self.drop_picks()
        try:
            self.on_move_made(self.make_move(move, seat))
        except RuleFailure as problem:
            self.page.message = capitalize_first(localize(problem))
            self.page.update()

    def schedule_forced_move(self) -> None:
        """Schedule the default answer to the pending decision if no other answer is legal.

        This applies only to decisions that a person makes in front of everybody. The answer is postponed while
        something moves or a popup is open. It is discarded if the match has moved on, or if another page or an earlier
        position is shown when the answer is due.
        """
        state, move = self.page.match.state, self.page.model.automatic_move()
        if move is None or not self.page.selection.click_paths:
            return

        def answer() -> None:
            shown: object = self.page.app.current_page
            if shown is self.page and self.page.match.state is state and self.page.model.is_live:
                if self.page.scene.is_animating(self.page.animation_time()) or self.page.app.root.popups:
                    self.page.app.schedule(FORCED_MOVE_DELAY_SECONDS, answer)
                else:
                    self.play_move(move)

        self.page.app.schedule(FORCED_MOVE_DELAY_SECONDS, answer)

    def look_by(self, plies: int) -> None:
        """Show the position ``plies`` moves later, or earlier if ``plies`` is negative."""
        self.view_ply(self.page.model.cursor + plies)
