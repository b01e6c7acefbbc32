"""Actions of a person in a match with marbles: making and undoing moves, and showing messages."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from shibumi3d.i18n import _, language
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.move import Move, spelled
from shibumi3d.rules.marbles.wording.glossary import explain

from ...board.doing import Doing
from ...marbles import controller
from ...marbles.controller import Refused, Several, Spot, Undone
from .answers import Offer
from .parts import Boarded

if TYPE_CHECKING:
    from shibumi3d.match.ply import Ply
    from shibumi3d.rules.game import Event

    from .playback import Playback


LONGEST = 48
"""Number of characters at the end of a typed text that are searched for the name of a point."""
SIGN = re.compile(r"[A-Z]?[@>]|[x^]")
PLACE = re.compile(r"(?:(?<!\w)(\w++)\.)?([a-j]{2}\d+)(?:/\w*)?$")
"""Pattern for a point in lower case, with an optional board name, at the end of a text."""
NEAR = 14
"""Distance that the pointer may move before a message about a place disappears, in logical pixels."""


class Chosen(Boarded, Protocol):
    """Interface of the page that :class:`MarbleDoing` uses."""

    def end_fades(self) -> None:
        """Finish all fades at once."""


class MarbleDoing(Doing):
    """Actions of a person in a match with marbles."""

    def __init__(self, page: Chosen, playback: Playback) -> None:
        super().__init__(page, page.control.history)
        self.playback = playback
        self.page, self.session, self.control, self.stage = page, page.session, page.control, page.stage
        self.note = ""
        self.note_at: Spot | None = None
        self.note_over: Spot | None = None
        """Spot pointed at when a message about no particular place was shown, or None.

        The message stays until the pointer is on another spot.
        """
        self.said_at = (0.0, 0.0)
        """Position of the pointer when the last message about a place was shown."""

    @property
    def moving(self) -> bool:
        return self.session.opening or self.stage.busy(self.page.now())

    @property
    def waits(self) -> bool:
        return self.control.pending is not None

    def forget(self) -> None:
        self.step_back()

    def quiet(self) -> None:
        self.note, self.note_at = "", None

    def skip(self) -> None:
        self.stage.finish()
        self.page.end_fades()
        self.end_replay()

    def reset(self) -> None:
        self.stage.reset(self.session.view)

    def show(self, events: Sequence[Event]) -> None:
        self.page.pointing.looked = None
        self.playback.happened(events)

    def back(self, gone: Sequence[Ply]) -> None:
        self.playback.rewound(gone)

    def show_again(self, first: int) -> None:
        self.playback.show_again(first)

    def open_moves(self) -> Sequence[Move]:
        return self.control.moves

    def spellings(self, move: Move) -> tuple[str, ...]:
        text = spelled(move.text)
        sign = SIGN.match(text)
        # The sign of the action may be left out, since the point alone identifies the move.
        return text, text[sign.end() if sign else 0 :], move.text

    def ask(self) -> str:
        return self.control.ask()

    def why_not_typed(self, words: str) -> str:
        """Return why the typed ``words`` are not a legal move.

        If they end in a point that no legal move names, the reason is the same as for a click on that point.
        """
        state, found = self.control.state, PLACE.search(words[-LONGEST:])
        if found is not None:
            boards = [name.casefold() for name in state.board_names]
            named = (found[1] or "").removeprefix("x")  # ``x`` marks a marble that is removed
            board = boards.index(named) if named in boards else self.page.pointing.board
            point = state.pyramid.index.get(found[2].capitalize(), -1)
            if point >= 0 and not any(
                (board, point) == (move.board, move.point) for move in self.control.moves
            ):
                return self.control.reason(Spot(board, point))
        # The point is not the reason why the text is illegal.
        return super().why_not_typed(words)

    def read(self) -> None:
        self.control.refresh()

    def make(self, move: Move, seat: int | None = None) -> Sequence[Any]:
        return self.control.play(move).events

    def choose(self, spot: Spot) -> None:
        """Handle a person's choice of a spot on a board."""
        if self.control.away:
            self.say(self.page.computers.busy_line(), spot)
            return
        before = self.session.match.plies
        try:
            answer = self.control.click(spot)
        except RuleFailure as problem:
            self.stopped(problem)
            return
        match answer:
            case controller.Played(events):
                if len(self.session.match.plies) == len(before) and before:
                    # One marble was put back and another was lifted.
                    self.stage.reset(self.session.view_before(len(before) - 1))
                self.made(events)
            case Undone():
                self.taken_back(before)
            case Several(moves):
                self.offer(moves, spot)
            case Refused(reason):
                self.stage.shake(spot.board, spot.point, self.page.now())
                self.page.app.sounds.tap()
                self.say(reason, spot)
            case _:
                self.page.update()

    def play_move(self, move: Move, ends: bool = False) -> None:
        """Make the move of a button. If ``ends`` is set, it may end the turn without confirmation."""
        self.skip()
        self.page.app.root.close_all()
        try:
            answer = self.control.play(move) if ends else self.control.choose(move)
        except RuleFailure as problem:
            self.stopped(problem)
            return
        if isinstance(answer, controller.Played):
            self.made(answer.events)
        else:
            self.page.update()

    def stopped(self, problem: RuleFailure) -> None:
        """Report that the rules can't continue from here; the match is unchanged."""
        self.control.refresh()
        self.page.app.tell(
            _("Nothing is lost, but this game's rules can't continue from here: {problem}", problem=problem)
        )

    def say(self, sentence: str, spot: Spot) -> None:
        """Show a message about a place until the next input, or until the pointer moves away."""
        self.note, self.note_at = sentence, spot if sentence else None
        self.said_at = self.page.app.root.pointer
        self.page.refresh()

    def move_on(self, x: float | None, y: float | None) -> None:
        """Remove a message about a place if the pointer has moved away from that place.

        ``x`` and ``y`` are relative to the view; they are None if the pointer has left it.
        """
        area = self.page.view.rect
        gone = x is None or y is None or math.dist((area.x + x, area.y + y), self.said_at) > NEAR
        if self.note_at is not None and gone:
            self.forget_note()

    def forget_note(self) -> None:
        """Remove the current message, if any."""
        if self.note:
            self.note, self.note_at = "", None
            self.page.refresh()

    def offer(self, moves: Sequence[Move], spot: Spot) -> None:
        """Ask which of several moves a click on a place means."""
        card = Offer(self.page, self, moves, spot)
        self.page.app.root.popup(card, card.place, focus=card.children[0])

    def meaning_of(self, word: str) -> str:
        """Return the explanation of a term used by the game or the program, or an empty string."""
        return explain(word, language(), own=self.page.entry.form(self.session.match.game.variant).words)

    def say_choice(self, move: Move) -> str:
        """Return the text for a move on its button."""
        return self.session.match.game.say(self.control.view, move, language(), self.page.names)

    def step_back(self) -> bool:
        """Put back the marble in hand, or undo the last step; return whether either was possible."""
        before = self.session.match.plies
        answer = self.control.cancel()
        if isinstance(answer, Undone):
            self.taken_back(before)
        elif answer is not None:
            self.page.update()
        return answer is not None

    def back_to(self, step: int) -> None:
        """Undo steps of this turn until only the first ``step`` of them remain."""
        if not self.session.live:
            return
        self.skip()
        before = self.session.match.plies
        if self.control.history.back_to(step):
            self.taken_back(before)

    def finish_turn(self) -> None:
        """End the turn if that is legal."""
        done = self.control.done
        if done is not None:
            self.play_move(done, ends=True)

    def pass_now(self) -> None:
        """Pass if that is legal."""
        passing = self.control.passing
        if passing is not None:
            self.play_move(passing)

    def choose_colour(self, number: int) -> bool:
        """Select colour ``number`` in the tray, from 0; return whether there was a choice."""
        if number < len(self.control.tray) and len(self.control.tray) > 1:
            self.control.choose_colour(self.control.tray[number])
            self.forget_note()
            self.page.refresh()
            return True
        return False
