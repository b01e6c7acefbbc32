"""Computer players in a match, and the controls for series of matches between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import Message, _, localize, ngettext
from shibumi3d.match.special_moves import CLAIM, SWAP, can_claim_draw, can_swap
from shibumi3d.rules.errors import IllegalMove, RuleFailure
from shibumi3d.search.engine_client import EngineClient, EngineFailure
from shibumi3d.search.players import Budget, Choice

from ..host.match_series import SERIES_LENGTHS, SPEED_FACTORS, MatchSeries
from ..ui.button import Button

if TYPE_CHECKING:
    from pathlib import Path

    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.match.match import Match
    from shibumi3d.rules.game import Event, Move, State
    from shibumi3d.scene.rect import Rect

    from ..host import Host
    from ..ui.accessibility import BoardElement
    from .clock import MatchClocks
    from .instruction_strip import InstructionStrip
    from .model import MatchModel
    from .move_list import MoveList

BETWEEN_MATCHES_SECONDS = 3.0
"""Pause between the end of a match and the start of the next, in seconds at normal speed."""


class ActionsInterface(Protocol):
    """The actions available to people and computer players in a match; see :class:`.MatchActions`."""

    @property
    def is_moving(self) -> bool:
        """Whether anything on the table is moving, or secret choices are being revealed."""

    @property
    def is_replaying(self) -> bool:
        """Whether the last turn is being replayed."""

    def make_move(self, move: Move | str, seat: int | None = None) -> Sequence[Event]:
        """Make a move, as :meth:`.Match.play` does, and return its events."""

    def on_move_made(self, events: Sequence[Event]) -> None:
        """Show one or more moves that have just been made and caused ``events``.

        If the match is over, also record its result, except in a lesson or problem.
        """

    def play_move(self, move: Move) -> None:
        """Make a move on behalf of the person to move."""

    def legal_moves(self) -> Sequence[Move]:
        """Return the legal moves that a person can choose from now, if any."""

    def spellings(self, move: Move) -> tuple[str, ...]:
        """Return the ways in which a move can be typed, with the preferred spelling first."""

    def prompt(self) -> str:
        """Return an uncapitalized phrase that says what the person to move must do."""

    def explain_unmatched(self, typed: str) -> str:
        """Return a sentence that says why no move starts with ``typed``."""

    def view_ply(self, ply: int | None) -> None:
        """Show the position after ``ply`` moves, or the current position if ``ply`` is None."""

    def switch_to_variation(self, variation: int) -> None:
        """Switch to the variation with index ``variation``, and continue the match from the variation's end."""

    def finish_animations(self) -> None:
        """Finish all animations immediately."""

    def discard_message(self) -> None:
        """Hide the latest message."""

    def cover_if_needed(self) -> bool:
        """Cover the window if the next person may see something that the previous one may not.

        Returns whether the window was covered.
        """


class MatchPageInterface(Protocol):
    """Interface through which the parts of a match page use the page."""

    app: Host
    match: Match
    entry: Entry
    names: list[str]
    rect: Rect
    is_zen_mode: bool
    """Whether everything that isn't needed to play, such as the bars and the side panel, is hidden."""
    instruction_strip: InstructionStrip | None
    """Instruction strip of a lesson or problem, or None."""
    is_end_sound_pending: bool
    """Whether the match is over but its final sound hasn't been played yet.

    The sound is played once nothing moves.
    """
    clocks: MatchClocks

    @property
    def model(self) -> MatchModel:
        """The match, and what the viewer may know of it."""

    @property
    def actions(self) -> ActionsInterface:
        """The actions available to people and computer players in the match."""

    @property
    def computer_players(self) -> ComputerPlayers:
        """Computer players of this match."""

    @property
    def move_list(self) -> MoveList:
        """List of the turns played."""

    @property
    def tournament_path(self) -> Path | None:
        """File of the tournament to which the match belongs, or None if it belongs to none."""

    @property
    def is_current(self) -> bool:
        """Whether the window shows this page."""

    def animation_time(self) -> float:
        """Return the current time of the table's animations, in seconds."""

    def update(self) -> None:
        """Update the page after the state has changed."""

    def refresh(self) -> None:
        """Request a redraw."""

    def layout(self, rect: Rect) -> None:
        """Lay out the page within ``rect``."""

    def clear_refutation(self) -> bool:
        """Undo a refuted turn that is still shown, and the reply to it.

        Returns whether anything was undone.
        """

    def show_note(self, sentence: str) -> None:
        """Show a message that isn't about a particular place on the table."""

    def save_camera(self) -> None:
        """Save the camera position for the match, if the match has a file."""

    def describe_move(self, ply: int) -> str:
        """Return a sentence that says who made the move with index ``ply`` and what the move did.

        In games with marbles, the sentence covers the turn up to and including that move. The caller must make sure
        that the viewer may know the move.
        """

    def active_spot_key(self) -> str:
        """Return the key of the item under the pointer or the keyboard cursor, or an empty string if there is none."""

    def board_elements(self) -> Sequence[BoardElement]:
        """Return the accessible elements of the boards or the table, for screen readers."""


class SeriesControls:
    """Controls for watching matches between computer players: the speed, and the number of matches in a row.

    The controls are hidden if a person plays.
    """

    def __init__(self, page: MatchPageInterface) -> None:
        self.page, matches = page, page.app.matches
        self.are_all_computers = not page.model.human_seats
        if matches.series is None or not self.are_all_computers:
            matches.series = MatchSeries(page.match.names)
        self.series = matches.series
        self.speed_button = Button(
            "", self._next_speed, kind="quiet", tip=_("How fast the computers play"), name="speed"
        )
        self.length_button = Button(
            "",
            self._next_length,
            kind="quiet",
            tip=_("Number of matches in a row; seats rotate after each one"),
            name="how many",
        )
        self.buttons = (self.speed_button, self.length_button)
        for button in self.buttons:
            button.visible = self.are_all_computers
        if page.tournament_path is not None:
            self.length_button.visible = False  # the tournament decides what is played next
        self._update_labels()

    def _update_labels(self) -> None:
        self.speed_button.label = _("Speed ×{speed}", speed=self.series.speed)
        self.length_button.label = ngettext("{n} match", "{n} matches", self.series.target_matches)

    def _next_speed(self) -> None:
        self.series.speed = _next_value(SPEED_FACTORS, self.series.speed)
        self._on_change()

    def _next_length(self) -> None:
        self.series.target_matches = _next_value(SERIES_LENGTHS, self.series.target_matches)
        self._on_change()
        if self.is_match_over:
            self.schedule_next_match()

    def _on_change(self) -> None:
        self._update_labels()
        self.page.update()

    @property
    def speed_factor(self) -> float:
        """Factor by which play is sped up; 1 if a person plays."""
        return float(self.series.speed) if self.are_all_computers else 1.0

    def motion_setting(self, setting: str) -> str:
        """Return the animation speed to use, a key of :data:`shibumi3d.scene.motion.SPEED_FACTORS`.

        ``setting`` is the speed chosen in the settings. If play is sped up, the animations are fast or, from four times
        the normal speed, off. Animations that are off in the settings stay off.
        """
        if self.speed_factor >= 4:
            return "off"
        return "fast" if self.speed_factor > 1 and setting != "off" else setting

    @property
    def is_match_over(self) -> bool:
        """Whether only computer players play and the current match is over."""
        return self.are_all_computers and self.page.match.state.to_move is None

    @property
    def is_between_matches(self) -> bool:
        """Whether only computer players play, the match is over, and the series has matches left.

        Pausing play doesn't change this.
        """
        return self.is_match_over and self.series.has_matches_left

    def record_match(self) -> None:
        """If only computer players play, count the finished match and schedule the next one, if any."""
        if self.are_all_computers:
            self.series.record_match(self.page.match)
            self.schedule_next_match()

    def schedule_next_match(self) -> None:
        """Schedule the next match of the series, if the current match is over and another follows."""
        if self.is_between_matches:
            self.page.app.schedule(BETWEEN_MATCHES_SECONDS / self.speed_factor, self._start_next_match)

    def _start_next_match(self) -> None:
        page = self.page
        if (
            page.is_current
            and self.is_between_matches
            and page.model.can_choose
            and not page.computer_players.is_paused
        ):
            page.app.matches.rematch(page.match, page.entry, 1)


def _next_value(values: Sequence[int], value: int) -> int:
    """Return the value after ``value`` in ``values``, wrapping around at the end."""
    return values[(values.index(value) + 1) % len(values)]


MOVE_PAUSE_SECONDS = 0.5
"""Minimum time between the end of all motion and a computer player's move, in seconds at normal speed."""
POLL_SECONDS = 0.05
"""Interval between polls of the search process, in seconds."""
MAX_CHOICE_SECONDS = 5.0
"""Time limit for one choice, in seconds.

Levels that use their full time (:attr:`.Level.uses_full_time`) search until then. The strength of the others is given
by their number of simulations, so the limit only matters on slow machines.
"""
CANCEL_POLL_SECONDS = 0.4
"""Time for which a process is polled after being told to stop, in seconds.

This makes sure that it really stops.
"""
HIDDEN_CHOICE_SECONDS = 2.0
"""Fixed delay before a computer player's move, in seconds, if its thinking time could reveal a hidden hand.

If the player takes longer, the move is made after the next multiple of this time, so that the delay says nothing about
the hand.
"""
HIDDEN_CHOICE_OVERHEAD_SECONDS = 0.6
"""Part of :data:`HIDDEN_CHOICE_SECONDS` that is reserved for everything except the search, in seconds."""


class ComputerPlayers:
    """Part of a match page that makes the moves of the computer players.

    The search process receives only what the choosing seat may know. If several computer players must choose at the
    same time, they search one after the other. Their choices are played after all of them have chosen.
    """

    def __init__(self, page: MatchPageInterface) -> None:
        self.page = page
        self.are_all_computers = not page.model.human_seats
        self.engine: EngineClient | None = None
        self.is_paused = False
        """Whether the computer players are paused.

        The pause ends when :meth:`resume_thinking` is called or, if a person plays, once no computer player has to
        choose.
        """
        self.choices: dict[int, Choice] = {}
        """Choices found for :attr:`_state` so far, by seat."""
        self._state: State | None = None
        """State for which choices are sought, or None."""
        self._thinking_seat: int | None = None
        self._rest_start: float | None = None
        """Clock time at which everything came to rest, or None while something moves."""
        self._ready_seconds: float | None = None
        """Seconds for which nothing had moved when the last choice became known, or None before that."""
        self._cancel_poll_end = 0.0
        self._is_polling = False
        self._shown_second = -1
        """Thinking time last shown, in whole seconds, or -1 if none was shown."""
        stop = _("Pause") if self.are_all_computers else _("Stop")
        self.move_now_button = Button(_("Move now"), self._move_now, name="move now")
        self.pause_button = Button(stop, self.pause_thinking, name="stop thinking")
        self.continue_button = Button(_("Continue"), self.resume_thinking, kind="main", name="go on thinking")
        self.series_controls = SeriesControls(page)
        self.buttons = (
            self.move_now_button,
            self.pause_button,
            self.continue_button,
            *self.series_controls.buttons,
        )

    # Overridden by some subclasses

    @property
    def pause_seconds(self) -> float:
        """Minimum time between the end of all motion and a computer player's move, in seconds at normal speed."""
        return MOVE_PAUSE_SECONDS

    def is_previewing(self, seat: int, choice: Choice) -> bool:
        """Return whether the choice of ``seat`` must still be previewed before it is played.

        By default, there is no preview and the result is False. In subclasses with previews, the first call starts one.
        """
        return False

    def clear_preview(self) -> None:
        """Remove the preview of a choice."""

    # Common to all tables

    @property
    def choosing_seats(self) -> Sequence[int]:
        """Computer seats that must choose now, each listed once."""
        return self.page.model.choosing_computers

    @property
    def can_choose(self) -> bool:
        """Whether choices are accepted now: the current state is shown, and choices aren't suspended."""
        return self.page.model.can_choose

    @property
    def can_move_now(self) -> bool:
        """Whether the user may tell the computer players to move now.

        This isn't allowed if a computer player's thinking time could reveal its private information.
        """
        return not self.page.model.timing_leaks_secrets

    def time_limit(self) -> float:
        """Return the time limit in seconds for one choice, ignoring the clocks of the match."""
        model = self.page.model
        return (
            (HIDDEN_CHOICE_SECONDS - HIDDEN_CHOICE_OVERHEAD_SECONDS) / len(model.choosing_computers)
            if model.timing_leaks_secrets
            else MAX_CHOICE_SECONDS
        )

    def thinking_time_text(self, seat: int) -> str:
        """Return how long a seat has been thinking, e.g. ``5 s``.

        Returns an empty string if the seat isn't thinking, or while an earlier position is shown.
        """
        if (
            seat not in self.choosing_seats
            or self.is_paused
            or not self.page.model.is_live
            or not self.thinking_seconds
        ):
            return ""
        return _("{n} s", int(self.thinking_seconds))

    def status_text(self) -> str:
        """Return a sentence that says which computer player is thinking or paused.

        Call this only if a computer player is to move.
        """
        seat = self.page.model.first_choosing_computer
        assert seat is not None
        return (
            _("{who} to move – paused.", who=self.page.names[seat])
            if self.is_paused
            else _("{who} is thinking.", who=self.page.names[seat])
        )

    def pause_if_unattended(self) -> None:
        """Pause the computer players if every seat is played by a computer.

        This is called before the user undoes moves, continues from an earlier position or switches to another
        variation.
        """
        if self.are_all_computers and not self.is_paused:
            self.pause_thinking()

    @property
    def thinking_seconds(self) -> float:
        """Seconds spent thinking about the pending choice so far; 0 if no choice is pending."""
        return self.engine.elapsed_seconds if self.engine is not None else 0.0

    def update(self) -> None:
        """Update the buttons and the search after the match or the position shown has changed.

        Cancels the search if it was started for another state. Ends a pause if a person plays and no computer player
        must choose.
        """
        asked = bool(self.choosing_seats)
        if not asked and not self.are_all_computers:
            self.is_paused = False
        if self._state is not None and self._state is not self.page.match.state:
            self.cancel_search()
        going = (asked or self.series_controls.is_between_matches) and self.can_choose
        self.move_now_button.visible = asked and self.can_choose and not self.is_paused and self.can_move_now
        self.pause_button.visible = going and not self.is_paused
        self.continue_button.visible = going and self.is_paused
        self._schedule_poll()

    def close(self) -> None:
        """Stop the search and end its process.

        This is called when the page is left.
        """
        self.cancel_search()
        if self.engine is not None:
            self.engine.close()
            self.engine = None

    def pause_thinking(self) -> None:
        """Pause the computer players and cancel their search; see :attr:`is_paused`."""
        self.is_paused = True
        self.cancel_search()
        self.page.update()

    def resume_thinking(self) -> None:
        self.is_paused = False
        self.page.update()
        self.series_controls.schedule_next_match()

    def stop_with_error(self, problem: Message) -> None:
        """Pause the computer players, and show why one of them couldn't choose a move.

        The user can resume play.
        """
        self.pause_thinking()
        self.page.app.show_message(localize(problem))

    def cancel_search(self) -> None:
        """Cancel the search, discard the choices made so far and remove the preview of a choice."""
        self._state = self._thinking_seat = self._rest_start = None
        self.choices, self._ready_seconds = {}, None
        self.clear_preview()
        if self.engine is not None and self.engine.is_busy:
            self.engine.cancel()
            self._cancel_poll_end = self.page.app.clock() + CANCEL_POLL_SECONDS

    def _move_now(self) -> None:
        if self.engine is not None:
            self.engine.hurry()

    def _schedule_poll(self) -> None:
        wanted = bool(self.choosing_seats) and not self.is_paused
        if not self._is_polling and (wanted or self._cancel_poll_end > self.page.app.clock()):
            self._is_polling = True
            self.page.app.schedule(POLL_SECONDS, self._poll)

    def _poll(self) -> None:
        self._is_polling = False
        shown: object = self.page.app.current_page
        if shown is not self.page:
            return
        seats = self.choosing_seats
        if seats and not self.is_paused:
            self._search_and_play(seats)
            self._refresh_indicator()
        elif self.engine is not None:
            self.engine.poll()  # make sure that a stopped process really stops
        self._schedule_poll()

    def _refresh_indicator(self) -> None:
        """Redraw if the thinking indicator may have changed.

        With reduced motion, it changes only once a second.
        """
        second, self._shown_second = (
            self._shown_second,
            int(self.thinking_seconds) if self._thinking_seat is not None else -1,
        )
        if second != self._shown_second or second < 0 or not self.page.app.settings.reduced:
            self.page.refresh()

    def _search_and_play(self, seats: Sequence[int]) -> None:
        """Start or poll a search for the choices of ``seats``, and play them when all of them are known.

        Nothing is played while anything moves, while choices aren't accepted, or while an overlay covers the page. If
        the search fails or a chosen move can't be made, the computer players are paused and the reason is shown. If the
        worker process stops and is restarted, only a warning is shown.
        """
        state = self.page.match.state
        if self._state is not state:
            self.cancel_search()
            self._state = state
        if self._thinking_seat is None and len(self.choices) < len(seats):
            self._start_search(next(seat for seat in seats if seat not in self.choices))
        answer = self.engine.poll() if self.engine is not None else None
        if isinstance(answer, Choice) and self._thinking_seat is not None:
            self.choices[self._thinking_seat], self._thinking_seat = answer, None
        elif isinstance(answer, EngineFailure):
            if not answer.is_restarting:
                self.stop_with_error(answer.message)
                return
            self.page.app.show_warning(_("The computer player stopped unexpectedly and was restarted."))
        now = self.page.app.clock()
        covered = any(widget.covers_page for widget in self.page.app.root.popups)
        if self.page.actions.is_moving or not self.can_choose or covered:
            self._rest_start = self._ready_seconds = None
            self.clear_preview()
            return
        if self._rest_start is None:
            self._rest_start = now
        if len(self.choices) == len(seats):
            try:
                self._play_choices(seats, now - self._rest_start)
            except (IllegalMove, RuleFailure) as problem:
                self.stop_with_error(
                    Message("The computer player couldn't move: {problem}.", problem=problem)
                )

    def _play_choices(self, seats: Sequence[int], rest_seconds: float) -> None:
        """Play the choices of ``seats``, if they are due.

        If the first choice has a preview, it is shown before anything is played. ``rest_seconds`` is the time since
        anything last moved. A choice that another seat's move has just made impossible is skipped. Raises IllegalMove
        or RuleFailure if any other choice can't be played.
        """
        if self._ready_seconds is None:
            self._ready_seconds = rest_seconds
        wait = self.pause_seconds
        if self.page.model.timing_leaks_secrets:
            wait = HIDDEN_CHOICE_SECONDS * max(1, math.ceil(self._ready_seconds / HIDDEN_CHOICE_SECONDS))
        if rest_seconds < wait / self.series_controls.speed_factor or self.is_previewing(
            seats[0], self.choices[seats[0]]
        ):
            return
        match, choices, actions = self.page.match, self.choices, self.page.actions
        self.cancel_search()
        for seat in seats:
            # Another seat's answer may have ended the choice or changed it.
            if match.state.decision is None or seat not in match.state.decision.seats:
                continue
            special_move, text = self._preferred_special_move(choices[seat]), choices[seat].move
            if special_move:
                actions.on_move_made(actions.make_move(special_move))
            elif seat == seats[0] or any(text == move.text for move in match.game.moves(match.state, seat)):
                actions.on_move_made(actions.make_move(text, seat))
                self._show_explanation(seat, choices[seat])

    def _preferred_special_move(self, choice: Choice) -> str:
        """Return the claim or swap that a computer player prefers to its chosen move, or an empty string."""
        match = self.page.match
        # Claim a draw in a match between computers, which might never end, or if the position is worse than even.
        if self.page.model.facts.positions_may_repeat and can_claim_draw(match):
            return CLAIM if self.are_all_computers or choice.analysis.mean < 0.5 else ""
        # The second seat takes over the first one if its own chances are below even.
        return SWAP if can_swap(match) and choice.analysis.mean < 0.5 else ""

    def _start_search(self, seat: int) -> None:
        match = self.page.match
        game, state, clock = match.game, match.state, match.clock
        self.engine = self.engine or EngineClient()
        self._thinking_seat = seat
        limit = self.time_limit()
        self.engine.request_move(
            game,
            game.observe(state, seat),
            match.seats[seat].player_type,
            seat=seat,
            seed=match.seed + seat,
            budget=Budget(seconds=limit if clock is None else min(limit, clock.thinking_seconds(seat))),
            past=self.page.model.past_observations(seat),
            moves=[move.text for move in game.moves(state, seat)],
            names=self.page.names if self._explains_moves else None,
        )

    @property
    def _explains_moves(self) -> bool:
        """Whether computer players explain their moves.

        They never do in games with hidden information, which an explanation could reveal.
        """
        return self.page.app.settings.reasons and not self.page.model.facts.has_secrets

    def _show_explanation(self, seat: int, choice: Choice) -> None:
        if self._explains_moves and choice.reasons:
            why = "; ".join(localize(reason) for reason in choice.reasons)
            self.page.show_note(_("{who}: {why}.", who=self.page.names[seat], why=why))
