"""Hints in several stages, analysis of positions, and the card on which all players agree to an analysis.

Hints and analysis are computed in a separate process, which receives only what the player being helped may know.
Subclasses of :class:`HintsAndAnalysis` display them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from shibumi3d.i18n import Message, _, localize
from shibumi3d.rules.search_protocols import MoveEvaluation
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, Style
from shibumi3d.search.engine_client import EngineClient, EngineFailure, Progress
from shibumi3d.search.levels import LEVELS
from shibumi3d.search.players import EQUAL_VALUE_TOLERANCE, Analysis, Budget, Choice

from ...match import visibility
from ..ui import icons
from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.panel import Card
from .players import MatchPageInterface

if TYPE_CHECKING:
    from shibumi3d.rules.game import Move, State


PLAYER_ROW_HEIGHT_PX = 40.0
"""Height of each player's line, in logical pixels."""


class AnalysisConsentCard(Card):
    """Card with an Agree button for each player who must agree to the analysis.

    Pressing a button switches it on or off. Once all buttons are on, the card closes and calls ``on_agreed``.
    """

    def __init__(self, names: Sequence[str], seats: Sequence[int], on_agreed: Callable[[], None]) -> None:
        """Create a card with a button for each of ``seats``.

        ``seats`` are the seats that must agree, and ``names`` holds the names of all seats.
        """
        super().__init__(_("Analysis"))
        self.names, self.seats, self.on_agreed = names, seats, on_agreed
        self.agree_buttons = [
            Button(_("Agree"), partial(self._toggle_agreement, number), name=f"agree {seat + 1}")
            for number, seat in enumerate(self.seats)
        ]
        self.add(*self.agree_buttons)

    def popup_rect(self, window: Rect) -> Rect:
        """Return the card's rectangle, in the middle of the window."""
        return window.centred(
            min(440.0, window.w - 24),
            min(104 + PLAYER_ROW_HEIGHT_PX * len(self.agree_buttons), window.h - 24),
        )

    def _toggle_agreement(self, index: int) -> None:
        self.agree_buttons[index].is_on = not self.agree_buttons[index].is_on
        if all(button.is_on for button in self.agree_buttons) and self.root is not None:
            self.root.close_popup()
            self.on_agreed()
        self.refresh()

    def _row_rects(self) -> list[Rect]:
        top = self.rect.y + 92
        return [
            Rect(self.rect.x + 24, top + PLAYER_ROW_HEIGHT_PX * n, self.rect.w - 48, 34)
            for n in range(len(self.agree_buttons))
        ]

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        for button, line in zip(self.agree_buttons, self._row_rects(), strict=True):
            button.layout(line.cut_right(120)[0])

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        place = Rect(self.rect.x + 24, self.rect.y + 54, self.rect.w - 48, 30)
        canvas.text_fit(
            place,
            _("The analysis is shown once everyone agrees."),
            style.secondary_ink,
            "sans",
            BODY_TEXT_PX,
        )
        for seat, line in zip(self.seats, self._row_rects(), strict=True):
            icons.draw_seat_symbol(canvas, seat, line.x + 8, line.cy, style.action, 7)
            space = Rect(line.x + 26, line.y, line.w - 150, line.h)
            canvas.text_fit(space, self.names[seat], style.ink, "bold", BODY_TEXT_PX)


ANALYSIS_PLAYER = LEVELS[-1].name
"""Computer player that computes hints and analysis.

It is the strongest level, which also uses the certificates of solved games.
"""
ANALYSIS_BUDGET = Budget(iterations=LEVELS[-1].iterations, seconds=3.0)
"""Search budget for a hint or an analysis."""
POLL_SECONDS = 0.1
"""Interval between polls of the search process, in seconds."""
LAST_HINT_STAGE = 3
"""Last stage of a hint, which plays the move.

Stage 1 shows where to move, and stage 2 which move to make.
"""


class HintsAndAnalysis:
    """Hints for the person to move, and analysis of the position.

    After the match, earlier positions can be analysed too. There is one subclass for the marble view and one for the
    scene view.
    """

    def __init__(self, page: MatchPageInterface, stage_one_message: str, tooltip: str) -> None:
        """Create the buttons for hints and analysis.

        ``stage_one_message`` is the sentence for the first stage of a hint, and ``tooltip`` is shown for the hint
        button.
        """
        self.page, self._stage_one_message = page, stage_one_message
        self.engine: EngineClient | None = None
        self.is_analysing = False
        """Whether the analysis is turned on."""
        self.hint_stage = 0
        """Number of hint stages requested, from 0 to :data:`LAST_HINT_STAGE`."""
        self.best_choice: Choice | None = None
        """Best choice found so far for the analysed position, or None."""
        self.is_complete = False
        """Whether :attr:`best_choice` is final."""
        self._analysed_state: State | None = None
        self._is_only_move = False
        """Whether :attr:`best_choice` is the only legal move and therefore wasn't analysed."""
        self._is_polling = False
        self._is_hint_hidden = False  # whether a hint must wait until the current position is shown again
        self.hint_button = Button(
            _("Hint"), self.advance_hint, icon="hint", kind="quiet", tip=tooltip, name="hint"
        )
        self.analysis_button = Button(
            _("Analysis"),
            self.toggle_analysis,
            icon="analysis",
            kind="quiet",
            tip=_("Evaluation and best moves  A"),
            name="analysis",
        )

    # Overridden by each subclass

    def legal_moves(self) -> Sequence[Move]:
        """Return the legal moves of the seat being helped.

        When an earlier position of a finished match is shown, these are the moves of the seat that was to move there.
        """
        if self.is_reviewing:
            return self.page.match.game.moves(self.analysed_state)
        return self.page.model.legal_moves()

    def finish_animations(self) -> None:
        """Finish all animations on the table before a hint is shown.

        The default implementation does nothing.
        """

    def play_best_move(self, move: Move) -> None:
        """Play ``move``, which is the best move."""
        raise NotImplementedError

    def marks_places_for(self, move: Move) -> bool:
        """Return whether the first stage of the hint marks places on the table for this move.

        If not, the move is chosen from a list rather than on the table.
        """
        raise NotImplementedError

    def on_hint_shown(self) -> None:
        """Update the widgets that show the hint, such as a list of choices.

        This is called after each stage of the hint. By default, it does nothing.
        """

    def describe_move(self, move: Move) -> str:
        """Return a description of a move, without a full stop."""
        raise NotImplementedError

    def name_move(self, move: Move) -> str:
        """Return the sentence that names ``move`` in the second stage of a hint."""
        raise NotImplementedError

    # Common to all tables

    @property
    def helped_seat(self) -> int | None:
        """Seat of the person who may be given help now, or None.

        In a game with hidden information, the best move could reveal secrets of the seat to move. While the screen
        shows only what everybody may know, this is therefore None if that seat knows more.
        """
        model, match = self.page.model, self.page.match
        if model.choosing_seat is None or not model.can_choose or model.needs_privacy_screen:
            return None
        everybody = model.facts.has_secrets and model.viewer == visibility.ALL_SEATS
        if everybody and model.chooser_observation() != match.game.observe(match.state, None):
            return None
        return model.choosing_seat

    @property
    def hint_counts(self) -> list[int]:
        """Number of hints given to each seat in this match; all stages of a hint count as one hint."""
        return self.page.match.hints

    @property
    def analysed_state(self) -> State:
        """State to analyse: the state shown if the match is over, otherwise the current state."""
        model, state = self.page.model, self.page.match.state
        return model.state if state.to_move is None else state

    @property
    def is_reviewing(self) -> bool:
        """Whether the match is over and an earlier state is shown."""
        return self.analysed_state is not self.page.match.state

    @property
    def is_allowed(self) -> bool:
        """Whether the analysis may be shown now.

        This is the case if somebody may be given help, or if an earlier position of a finished match is shown.
        """
        return self.helped_seat is not None or self.is_reviewing

    @property
    def _has_single_move(self) -> bool:
        return len(self.legal_moves()) == 1

    def update(self) -> None:
        """Update the buttons, the hint and the analysis after the match or the state shown has changed."""
        state = self.analysed_state
        if self._analysed_state is not None and self._analysed_state is not state:
            self.cancel()
        self.hint_button.enabled = self.helped_seat is not None
        self.analysis_button.enabled = state.to_move is not None
        self.analysis_button.is_on = self.is_analysing
        if self.is_analysing and self.is_allowed:
            self._start_search()
        if self._is_hint_hidden and self.page.model.is_live:
            self._show_hint()

    def close(self) -> None:
        """Stop the search and end its process.

        This is called when the page is left.
        """
        self.cancel()
        if self.engine is not None:
            self.engine.close()
            self.engine = None

    def cancel(self) -> None:
        """Cancel the search, and discard the hint and the result of the analysis.

        If the analysis is turned on, it stays on.
        """
        self._analysed_state, self._is_only_move, self._is_hint_hidden = None, False, False
        self.hint_stage, self.is_complete, self.best_choice = 0, False, None
        if self.engine is not None and self.engine.is_busy:
            self.engine.cancel()

    def advance_hint(self) -> None:
        """Advance the hint by one stage: show where to move, show which move to make, or play the move.

        Does nothing if nobody may be given help. While the current stage is still being computed, this only finishes
        the animations. Only the first stage counts as a hint. If there is just one legal move, the first stage is
        skipped and no hint is counted.
        """
        seat = self.helped_seat
        if seat is None:
            return
        self.finish_animations()
        if self.hint_stage and not (self.is_complete and self.best_choice):
            return  # the current stage is still being computed
        self.hint_stage += 1
        if self.hint_stage == 1 and self._has_single_move:
            # The only legal move gives nothing away, so no hint is counted. The next press plays the move.
            self.hint_stage = LAST_HINT_STAGE - 1
        elif self.hint_stage == 1:
            # All stages of a hint count as one.
            with self.page.match.save_once():
                self.hint_counts[seat] += 1
        self._start_search()
        self._show_hint()

    def toggle_analysis(self) -> None:
        """Turn the analysis on or off.

        If several people are playing, all of them must agree before it is turned on, unless the match is over.
        """
        if self.is_analysing:
            self.is_analysing = False
        elif len(self.page.model.human_seats) > 1 and self.page.match.state.to_move is not None:
            card = AnalysisConsentCard(self.page.names, self.page.model.human_seats, self._start_analysis)
            self.page.app.root.open_popup(card, card.popup_rect, focus=card.agree_buttons[0])
            return
        else:
            self.is_analysing = True
        self.page.update()

    def _start_analysis(self) -> None:
        self.is_analysing = True
        self.page.update()

    def _start_search(self) -> None:
        match, state = self.page.match, self.analysed_state
        seat = state.to_move if self.is_reviewing else self.helped_seat
        if seat is None or (self._analysed_state is state and not (self._is_only_move and self.is_analysing)):
            self._schedule_poll()
            return
        self._analysed_state, self._is_only_move = state, self._has_single_move and not self.is_analysing
        if self._is_only_move:
            self.best_choice, self.is_complete = (
                Choice(self.legal_moves()[0].text, Analysis(seat, 0, 0.5)),
                True,
            )
        else:
            self.best_choice, self.is_complete = None, False
            if self.engine is None:
                self.engine = EngineClient()
            self.engine.request_move(
                match.game,
                match.game.observe(state, seat),
                ANALYSIS_PLAYER,
                seat=seat,
                seed=match.seed,
                budget=ANALYSIS_BUDGET,
                past=[] if self.is_reviewing else self.page.model.past_observations(seat),
                moves=[move.text for move in match.game.moves(state, seat)],
                names=self.page.names,
            )
        self._schedule_poll()

    def _schedule_poll(self) -> None:
        if not self._is_polling and self._analysed_state is not None and not self.is_complete:
            self._is_polling = True
            self.page.app.schedule(POLL_SECONDS, self._poll)

    def _poll(self) -> None:
        self._is_polling = False
        shown: object = self.page.app.current_page
        if shown is not self.page or self.engine is None:
            return
        answer = self.engine.poll()
        if self._analysed_state is self.analysed_state:
            if isinstance(answer, Choice):
                self.best_choice, self.is_complete = answer, True
                self._show_hint()
            elif isinstance(answer, Progress):
                self.best_choice = answer.choice
                self.page.refresh()
            elif isinstance(answer, EngineFailure) and not answer.is_restarting:
                self._show_error(answer.message)
        self._schedule_poll()

    def _show_error(self, message: Message) -> None:
        if self.hint_stage and self.helped_seat is not None and not self._has_single_move:
            # Clear the message that a search is running, and don't count a hint that was never given.
            self.page.show_note("")
            with self.page.match.save_once():
                self.hint_counts[self.helped_seat] -= 1
        self.cancel()
        self.is_analysing = False
        self.page.app.show_message(_("Couldn't analyse the position. {problem}", problem=message))
        self.page.update()

    def near_best_turns(self) -> list[MoveEvaluation]:
        """Return the turns that are as good as the best one, or nearly so.

        The mean value of such a turn is at most :data:`.EQUAL_VALUE_TOLERANCE` below that of the best turn, and its
        upper bound is not below the lower bound of the best turn. The list is empty if there is no analysis yet.
        """
        turns = self.best_choice.analysis.turns if self.best_choice is not None else ()
        return [
            turn
            for turn in turns
            if turn.mean_value >= turns[0].mean_value - EQUAL_VALUE_TOLERANCE
            and turn.upper_bound >= turns[0].lower_bound
        ]

    def find_move(self, text: str) -> Move | None:
        """Return the legal move with the notation ``text``, or None if there is none."""
        return next((move for move in self.legal_moves() if move.text == text), None)

    def describe_turn(self, move_texts: Sequence[str]) -> str:
        """Return a description of what a turn consisting of the moves ``move_texts`` would do.

        The default is an empty string, for tables where the notation of a move is clear enough.
        """
        return ""

    def best_move(self) -> Move | None:
        """Return the hinted move, or None if no hint was requested, found or allowed."""
        if not self.hint_stage or not self.is_complete or self.best_choice is None or not self.is_allowed:
            return None
        return self.find_move(self.best_choice.move)

    def describe_reasons(self) -> str:
        """Return a description of why the best move is good, or an empty string if no reason was found."""
        return "; ".join(self.reason_texts())

    def reason_texts(self) -> list[str]:
        """Return the reasons why the best move is good, as predicates such as "wins"."""
        reasons = self.best_choice.reasons if self.best_choice is not None else ()
        return [localize(reason) for reason in reasons]

    def _show_hint(self) -> None:
        """Show the current stage of the hint; in the last stage, play the best move.

        In a solo match or a game with a solver, the last stage also records that the solution has been shown. If no
        hint was requested, name the best move once the analysis is complete and has found reasons for it. While an
        earlier position of an unfinished match is shown, wait until the current one is shown again.
        """
        self._is_hint_hidden = not (self.page.model.is_live or self.is_reviewing)
        if self._is_hint_hidden:
            return
        if not self.hint_stage:
            best = (
                self.find_move(self.best_choice.move)
                if self.is_complete and self.best_choice is not None
                else None
            )
            if best is not None and self.describe_reasons():
                self.page.show_note(self.name_move(best))
            self.page.refresh()
            return
        if not (self.is_complete and self.best_choice is not None):
            self.page.show_note(_("Analysing…"))
            return
        move = self.find_move(self.best_choice.move)
        if move is None:
            return
        if self.hint_stage == LAST_HINT_STAGE:
            match = self.page.match
            if len(match.seats) == 1 or match.game.facts(len(match.seats)).solver:
                with match.save_once():
                    self.page.app.matches.mark_solution_shown(match)
            self.play_best_move(move)
        elif self._is_only_move:
            self.page.show_note(
                _("There is only one choice. {told}.", told=capitalize_first(self.describe_move(move)))
            )
        elif self.hint_stage == 1:
            self.page.show_note(
                self._stage_one_message
                if self.marks_places_for(move)
                else _("The best move is one of the listed choices.")
            )
        else:
            self.page.show_note(self.name_move(move))
        self.on_hint_shown()
