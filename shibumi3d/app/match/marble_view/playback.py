"""Playback of a match with marbles: animations, the card that reveals choices, replays, and steps between turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shibumi3d.i18n import _
from shibumi3d.match.marbles import events_of
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.scene.marbles.scene import marbles_by_cell
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, Style

from ... import secret_reveals
from ...secret_reveals import Reveal, SecretChoice
from ...ui import icons
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.icons import draw_marble
from ...ui.panel import Panel
from ...ui.widget import Key
from ..privacy_screen import PASSED_KEYS
from .interfaces import MarblePage

if TYPE_CHECKING:
    from collections.abc import Callable

    from shibumi3d.match.history import Ply
    from shibumi3d.rules.game import State

    from .boards import LastTurnSigns


REVEAL_SECONDS = 3.0
"""Time in seconds after which the card with revealed choices closes if there are only computer players.

It applies at normal speed. If the boxes are still closed by then, the card stays for as long again.
"""
CHOICE_HEIGHT_PX, CHOICE_GAP_PX = 32.0, 6.0
"""Height of the field for a choice, and gap between fields, in logical pixels."""


class RevealCard(Panel):
    """Card that shows what each seat chose in secret, and a sentence about the outcome.

    Both are hidden until the boxes that contain the choices are open.
    """

    def __init__(self, page: MarblePage, reveal: Reveal, on_close: Callable[[], None]) -> None:
        super().__init__("card", is_floating=True, name="opening")
        self.page, self.reveal, self._on_close = page, reveal, on_close
        self.continue_button = Button(_("Continue"), self._continue, kind="main", name="go on")
        self.add(self.continue_button)

    @property
    def is_open(self) -> bool:
        """Whether the boxes that contain the choices are open."""
        return self.page.model.first_covered_choice is None

    def popup_rect(self, window: Rect) -> Rect:
        """Return the rectangle of the card: at the bottom of ``window``, horizontally centred on the bottom bar."""
        area = self.page.bottom_bar.rect
        wide = min(620.0, area.w - 28)
        high = self._choice_rects(wide)[-1][1].bottom + 8 + 44 + 10
        return Rect(area.cx - wide / 2, window.bottom - high - 8, wide, high)

    def schedule_close(self) -> None:
        """Close the card after a while if there are only computer players.

        If the computer players are paused when the time is up, the card stays open. Otherwise, if the boxes are still
        shut, the wait starts again.
        """
        computers = self.page.computer_players
        if not computers.are_all_computers:
            return

        def closes() -> None:
            if self.root is None or computers.is_paused:
                return
            if self.is_open:
                self.root.close_popup()
            else:
                self.schedule_close()

        self.page.app.schedule(REVEAL_SECONDS / computers.series_controls.speed_factor, closes)

    def _choice_rects(self, width: float) -> list[tuple[SecretChoice, Rect]]:
        """Return each choice with the rectangle of its field, relative to the card's top left corner."""
        canvas, x, y, found = self.page.app.canvas, 14.0, 14.0, []
        for choice in self.reveal.choices:
            long = 20 + 22 + canvas.text_width(self.page.names[choice.seat], "bold", BODY_TEXT_PX) + 10
            for colour, text in choice.parts:
                long += (20 if colour >= 0 else 0) + canvas.text_width(text, "sans", BODY_TEXT_PX) + 8
            long = min(long, width - 28)
            if x + long > width - 14 and x > 14:
                x, y = 14.0, y + CHOICE_HEIGHT_PX + CHOICE_GAP_PX
            found.append((choice, Rect(x, y, long, CHOICE_HEIGHT_PX)))
            x += long + CHOICE_GAP_PX
        return found

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.continue_button.layout(Rect(rect.right - 14 - 96, rect.bottom - 10 - 38, 96, 32))

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        for choice, field in self._choice_rects(self.rect.w):
            self._paint_choice(canvas, style, choice, field.moved(self.rect.x, self.rect.y))
        left = self.rect.x + 16
        place = Rect(left, self.rect.bottom - 10 - 44, self.continue_button.rect.x - 12 - left, 44)
        words = self.reveal.sentence if self.is_open else _("Everyone has chosen.")
        canvas.text_fit(place, words, style.ink if self.is_open else style.secondary_ink, "title", 18)

    def _paint_choice(self, canvas: Canvas, style: Style, choice: SecretChoice, rect: Rect) -> None:
        canvas.rect(rect, style.recessed, CORNER_RADIUS_PX)
        icons.draw_seat_symbol(canvas, choice.seat, rect.x + 16, rect.cy, style.action, 7)
        x = rect.x + 30
        space = Rect(x, rect.y, rect.right - x, rect.h)
        x += canvas.text_in(space, self.page.names[choice.seat], style.ink, "bold", BODY_TEXT_PX) + 10
        for colour, text in choice.parts if self.is_open else ():
            if colour >= 0:
                draw_marble(canvas, style, x + 7, rect.cy, 7, colour)
                x += 20
            space = Rect(x, rect.y, rect.right - x, rect.h)
            x += canvas.text_in(space, text, style.ink, "sans", BODY_TEXT_PX) + 8

    def _open_at_once(self) -> bool:
        """Open the boxes immediately if they are still shut; return whether they were shut."""
        shut = not self.is_open
        if shut:
            self.page.marble_scene.finish()
            self.refresh()
        return shut

    def _continue(self) -> None:
        if not self._open_at_once() and self.root is not None:
            self.root.close_popup()

    def on_key(self, key: Key) -> bool:
        if key.name in ("escape", "enter", "space"):
            self._continue()
        return key.chord not in PASSED_KEYS

    def on_click_outside(self) -> bool:
        return not self._open_at_once()

    def on_close(self) -> None:
        self._on_close()


ANNOUNCEMENT_SECONDS = 2.5
"""Seconds for which the start of a phase or game is announced."""


class Playback:
    """Part of a match page that animates moves, reveals secret choices, replays turns, and steps between turns."""

    def __init__(self, page: MarblePage, last_turn: LastTurnSigns) -> None:
        self.page, self.model, self.controller, self.marble_scene = (
            page,
            page.model,
            page.controller,
            page.marble_scene,
        )
        self._last_turn = last_turn

    def show_move(self, events: Sequence[ev.Event]) -> None:
        """Show the move just made, which caused ``events``; then make forced moves if the user wants them made.

        This also announces a phase or game that the move began. The privacy screen covers the window if it is needed
        for the next person. If the move reveals secret choices, the choices are first shown to everybody; see
        :meth:`show_reveal`. The forced moves then follow in :meth:`continue_after_reveal`.
        """
        if self.model.match.cursor > 1:
            self.announce(self.model.match.plies[-2].state)
        if secret_reveals.includes_reveal(events):
            self.model.reveal = secret_reveals.public_reveal(
                self.model.match, self.model.match.plies, self.page.names
            )
        if self.model.reveal is not None:
            self.show_reveal(self.model.reveal)
            return
        self.animate_events(events, self.page.actions.cover_if_needed())
        self._play_forced_moves()

    def show_reveal(self, reveal: secret_reveals.Reveal) -> None:
        """Show everybody the secret choices and their outcome, before the privacy screen can cover the window."""
        plies = self.model.match.plies[reveal.first_ply :]
        self.marble_scene.reset(self.model.observation_before(reveal.first_ply))
        events = events_of(plies)
        self.animate_events(secret_reveals.hide_given_colours(self.model.observe_events(events)), False)
        self.page.update()
        card = RevealCard(self.page, reveal, self.continue_after_reveal)
        self.page.app.root.open_popup(card, card.popup_rect, focus=card.continue_button)
        card.schedule_close()

    def continue_after_reveal(self) -> None:
        """End the reveal and continue the match.

        The privacy screen covers the window first if it is needed. Does nothing if there is no reveal or the page isn't
        the current one.
        """
        if self.model.reveal is None or not self.page.is_current:
            return
        self.model.reveal = None
        self.page.actions.finish_animations()
        self.page.actions.cover_if_needed()
        if self.marble_scene.marbles != marbles_by_cell(self.model.observation):
            self.marble_scene.reset(self.model.observation)
        self._play_forced_moves()
        self.page.computer_players.series_controls.schedule_next_match()

    def _play_forced_moves(self) -> None:
        """Make forced moves if the user wants them made automatically, and update the page."""
        if self.page.app.settings.answers:
            start_cursor = self.model.match.cursor
            try:
                self.controller.history.play_forced_moves()
            except RuleFailure as problem:
                self.page.actions.report_rule_failure(problem)
            plies = self.model.match.plies[start_cursor:]
            if plies:
                self.page.actions.discard_message()
                self.animate_events(events_of(plies), False)
                self.announce(self.model.match.plies[start_cursor - 1].state)
                if self.controller.history.forced_move() is not None:
                    # There may be more forced moves than can be computed within one frame.
                    self.page.app.schedule(0.0, self._play_more_forced_moves)
        self.page.update()

    def _play_more_forced_moves(self) -> None:
        """Make further forced moves, if the page shows the current position and no popup is open.

        Does nothing if the user has left the page.
        """
        if self.page.is_current and self.model.is_live and not self.page.app.root.popups:
            self._play_forced_moves()

    def announce(self, before: State) -> None:
        """Announce the current phase or game if it began after the state ``before`` and the match isn't over."""
        now = self.model.match.state
        text = ""
        if now.to_move is not None and now.game_number != before.game_number:
            text = _("Game {number} begins", number=now.game_number)
        elif now.to_move is not None and now.phase != before.phase and before.phase >= 0:
            text = _("Phase {number} begins", number=now.phase + 1)
        if text:
            banner = self.page.banner_text = text

            def gone() -> None:
                if self.page.banner_text is banner:
                    self.page.banner_text = ""
                    self.page.refresh()

            self.page.app.schedule(ANNOUNCEMENT_SECONDS, gone)

    def animate_events(self, events: Sequence[ev.Event], was_covered: bool) -> None:
        """Animate what the viewer may know of ``events``, or only show the position after them.

        Nothing is animated in the exploded view, or if the privacy screen has covered the window (``was_covered``).
        """
        seen, known = self.model.observation, self.model.observe_events(events)
        if not was_covered and known:
            self.page.set_stock_positions(self.model.match.plies, known)
            try:
                self.marble_scene.play(known, self.page.animation_time())
            except LookupError:
                self.marble_scene.reset(seen)
            self._last_turn.show_trails(known)
            if self.page.exploded_layout is not None:
                # The exploded view can't animate marbles from level to level.
                self.marble_scene.finish()
        # When the viewer changes, more may change on the board than the events account for.
        if self.marble_scene.marbles != marbles_by_cell(seen):
            self.marble_scene.reset(seen)

    def animate_undo(self, undone_plies: Sequence[Ply]) -> None:
        """Animate the undoing of ``undone_plies``.

        The plies are in the order in which they were made. If the window must be covered, or the animation isn't
        possible, only the result is shown.
        """
        events = self.model.observe_events(events_of(undone_plies))
        seen = self.model.observation
        if self.page.actions.cover_if_needed():
            self.marble_scene.reset(seen)
        else:
            if undone_plies:
                self.page.set_stock_positions((*self.model.match.plies, undone_plies[0]), events)
            try:
                self.marble_scene.rewind(events, self.page.animation_time(), seen)
            except LookupError:
                self.marble_scene.reset(seen)
        self.page.update()

    def look_by(self, turns: int) -> None:
        """Show the position ``turns`` turns later, or earlier if ``turns`` is negative.

        This never goes beyond the start of the match or its current position.
        """
        here = self.model.match.cursor if self.model.viewed_ply is None else self.model.viewed_ply
        ends = [
            0,
            *(last for _, _, _, last in self.page.move_list.turns if last <= self.model.match.cursor),
        ]
        if ends[-1] != self.model.match.cursor:
            ends.append(self.model.match.cursor)
        place = max(i for i, end in enumerate(ends) if end <= here)
        goal = ends[max(0, min(len(ends) - 1, place + turns))]
        self.page.actions.view_ply(goal)

    def replay_from(self, first_ply: int) -> None:
        """Replay the moves in slow motion, starting with the one at index ``first_ply``.

        If the moves can't be animated, the position after them is shown at once.
        """
        plies = self.model.match.plies
        events = events_of(plies[first_ply:])
        known = self.model.observe_events(events)
        self.marble_scene.reset(self.model.observation_before(first_ply))
        self.page.set_stock_positions(plies, events)
        speed, self.marble_scene.timeline.speed = self.marble_scene.timeline.speed, "again"
        try:
            self.marble_scene.play(known, self.page.animation_time())
        except LookupError:
            self.marble_scene.reset(self.model.observation)
        self.marble_scene.timeline.speed = speed
