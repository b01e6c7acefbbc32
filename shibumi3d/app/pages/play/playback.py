"""Playback of a match: animations, reveals, navigation between turns, and replaying the last turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.state import State
from shibumi3d.scene.marbles.stage import marbles_of

from ...marbles import reveals
from .opening import Opening
from .parts import Boarded

if TYPE_CHECKING:
    from shibumi3d.match.ply import Ply

    from ...board.last_turn import LastTurn
    from ...board.moves import MoveList
    from ...ui.panel import Panel


ANNOUNCED = 2.5
"""Seconds for which the start of a phase or game is announced."""


class Shown(Boarded, Protocol):
    """Interface of the page that :class:`Playback` uses."""

    bar: Panel
    moves: MoveList

    def set_table(self, passed: Sequence[Ply], events: Sequence[ev.Event]) -> None:
        """Set the positions on the table between which marbles move when ``events`` are animated.

        Call this before animating the events, which belong to the last of the moves ``passed``.
        """


class Playback:
    """Playback of moves and other events in a match with marbles."""

    def __init__(self, page: Shown, last_turn: LastTurn) -> None:
        self.page, self.session, self.control, self.stage = page, page.session, page.control, page.stage
        self._last_turn = last_turn

    def happened(self, events: Sequence[ev.Event]) -> None:
        """Show a move that was made.

        If it reveals secret choices, first show them to everybody with :meth:`open`.
        """
        if self.session.match.cursor > 1:
            self.announce(self.session.match.plies[-2].state)
        if reveals.revealed(events):
            self.session.reveal = reveals.common(
                self.session.match, self.session.match.plies, self.page.names
            )
        if self.session.reveal is not None:
            self.open(self.session.reveal)
            return
        self.show_motion(events, self.page.doing.curtain())
        self._follow()

    def open(self, reveal: reveals.Reveal) -> None:
        """Show secret choices and their outcome to everybody, before any curtain closes."""
        plies = self.session.match.plies[reveal.first :]
        self.stage.reset(self.session.view_before(reveal.first))
        events = [event for ply in plies for event in ply.events]
        self.show_motion(reveals.hushed(self.session.as_seen(events)), False)
        self.page.update()
        card = Opening(self.page, reveal, self.go_on)
        self.page.app.root.popup(card, card.place, focus=card.go_on)
        card.pass_by()

    def go_on(self) -> None:
        """Continue the match after a reveal; the curtain may close before the next person looks."""
        if self.session.reveal is None or not self.page.on_window:
            return
        self.session.reveal = None
        self.page.doing.skip()
        self.page.doing.curtain()
        if self.stage.marbles != marbles_of(self.session.view):
            self.stage.reset(self.session.view)
        self._follow()
        self.page.computers.watching.next_soon()

    def _follow(self) -> None:
        """Update the page, and make forced moves if the user wants them made automatically."""
        if self.page.app.settings.answers:
            begun = self.session.match.cursor
            try:
                self.control.history.answer_forced()
            except RuleFailure as problem:
                self.page.doing.stopped(problem)
            plies = self.session.match.plies[begun:]
            if plies:
                self.page.doing.quiet()
                self.show_motion([event for ply in plies for event in ply.events], False)
                self.announce(self.session.match.plies[begun - 1].state)
                if self.control.history.forced() is not None:
                    # There may be more forced moves than can be computed within one frame.
                    self.page.app.later(0.0, self._follow_on)
        self.page.update()

    def _follow_on(self) -> None:
        """Make further forced moves, unless the user has done something in the meantime."""
        if self.page.on_window and self.session.live and not self.page.app.root.floats:
            self._follow()

    def announce(self, before: State) -> None:
        """Announce the current phase or game if it began after the state ``before``."""
        now = self.session.match.state
        text = ""
        if now.to_move is not None and now.game_number != before.game_number:
            text = _("Game {number} begins", number=now.game_number)
        elif now.to_move is not None and now.phase != before.phase and before.phase >= 0:
            text = _("Phase {number} begins", number=now.phase + 1)
        if text:
            told = self.page.announced = text

            def gone() -> None:
                if self.page.announced is told:
                    self.page.announced = ""
                    self.page.refresh()

            self.page.app.later(ANNOUNCED, gone)

    def show_motion(self, events: Sequence[ev.Event], covered: bool) -> None:
        """Animate ``events``, or show only their result if a curtain ``covered`` the window."""
        seen, known = self.session.view, self.session.as_seen(events)
        if not covered and known:
            self.page.set_table(self.session.match.plies, known)
            try:
                self.stage.play(known, self.page.now())
            except LookupError:
                self.stage.reset(seen)
            self._last_turn.leave_trails(known)
            if self.page.spread is not None:
                # The exploded view can't animate marbles from level to level.
                self.stage.finish()
        # When the viewer changes, more may change on the board than the events account for.
        if self.stage.marbles != marbles_of(seen):
            self.stage.reset(seen)

    def rewound(self, gone: Sequence[Ply]) -> None:
        """Animate the undoing of the moves ``gone``, given in the order in which they were made."""
        events = self.session.as_seen([event for ply in gone for event in ply.events])
        seen = self.session.view
        if self.page.doing.curtain():
            self.stage.reset(seen)
        else:
            if gone:
                self.page.set_table((*self.session.match.plies, gone[0]), events)
            try:
                self.stage.rewind(events, self.page.now(), seen)
            except LookupError:
                self.stage.reset(seen)
        self.page.update()

    def look_by(self, turns: int) -> None:
        """Show the position ``turns`` turns later, or earlier if ``turns`` is negative."""
        here = self.session.match.cursor if self.session.looking is None else self.session.looking
        ends = [0, *(last for _, _, _, last in self.page.moves.turns if last <= self.session.match.cursor)]
        if ends[-1] != self.session.match.cursor:
            ends.append(self.session.match.cursor)
        place = max(i for i, end in enumerate(ends) if end <= here)
        goal = ends[max(0, min(len(ends) - 1, place + turns))]
        self.page.doing.look(goal)

    def show_again(self, first: int) -> None:
        """Replay the moves from number ``first`` on in slow motion."""
        plies = self.session.match.plies
        events = self.session.as_seen([event for ply in plies[first:] for event in ply.events])
        self.stage.reset(self.session.view_before(first))
        self.page.set_table(plies, [event for ply in plies[first:] for event in ply.events])
        speed, self.stage.queue.speed = self.stage.queue.speed, "again"
        try:
            self.stage.play(events, self.page.now())
        except LookupError:
            self.stage.reset(self.session.view)
        self.stage.queue.speed = speed
