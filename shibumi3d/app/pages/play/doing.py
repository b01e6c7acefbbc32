"""What a person does with the match: choosing, taking back, and what is said of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from shibumi3d.match.beyond import CLAIM, SWAP, TIME_UP, may_swap
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.wording.glossary import explain

from ...marbles.controller import Played, Refused, Several, Spot, Undone
from ...text import language, say
from ...ui.button import Button
from .answers import ChoiceButton, Offer

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.rules.marbles.facts import MarbleFacts
    from shibumi3d.scene.marbles.stage import Stage

    from ...host import Host
    from ...host.view import View
    from ...marbles.controller import Controller
    from .parts import Aiming, Showing, Sitting
    from .session import MarbleSession


NEAR = 14
"""So far the pointer may stray, in logical pixels, from where it was when something was said about a place."""


class Chosen(Protocol):
    """A match in which a person chooses."""

    app: Host
    names: list[str]
    facts: MarbleFacts
    session: MarbleSession
    control: Controller
    stage: Stage
    entry: Entry
    view: View
    ending: bool
    """Whether the match is over as soon as the marbles lie still."""
    end_turn: Button
    pass_turn: Button

    def now(self) -> float:
        """Return the time of the stage at this moment."""

    def refresh(self) -> None:
        """Ask for a new picture."""

    @property
    def pointing(self) -> Aiming:
        """The pointer and the cursor of the keys."""

    def update(self) -> None:
        """Make anew what follows from the state."""

    def remark(self, sentence: str) -> None:
        """Say something that belongs to no place of the board."""

    def end_fades(self) -> None:
        """Let what comes or leaves be there or gone at once."""

    @property
    def computers(self) -> Sitting:
        """The seats that computers play."""

    @property
    def playback(self) -> Showing:
        """What shows what happened."""


class Doing:
    """What a person does with the match: choosing, taking back, and what is said of it."""

    def __init__(self, page: Chosen) -> None:
        self.page, self.session, self.control, self.stage = page, page.session, page.control, page.stage
        self.note = ""
        self.note_at: Spot | None = None
        self.note_over: Spot | None = None
        """What was pointed at when something was said that is about no place: it is read until that is left."""
        self.said_at = (0.0, 0.0)
        """Where the pointer was when that was said."""

    def skip(self) -> None:
        """What moves is finished: input never waits."""
        self.stage.finish()
        self.page.end_fades()
        if self.page.playback.replaying:
            self.page.playback.replaying = False
            self.stage.reset(self.session.seen())

    def choose(self, spot: Spot) -> None:
        """The person chose a place."""
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
            case Played(events):
                if len(self.session.match.plies) == len(before) and before:
                    # One marble was put back and another lifted.
                    self.stage.reset(self.session.seen_before(len(before) - 1))
                self.page.playback.happened(events)
            case Undone():
                self.page.playback.rewound(before)
            case Several(moves):
                self.offer(moves, spot)
            case Refused(reason):
                self.stage.shake(spot.board, spot.point, self.page.now())
                self.page.app.sounds.tap()
                self.say(reason, spot)
            case _:
                self.page.update()

    def play_move(self, move: Move, ends: bool = False) -> None:
        """The person chose a move on a button; with ``ends`` it is said that the turn may end with it."""
        self.skip()
        self.page.app.root.close_all()
        try:
            answer = self.control.play(move) if ends else self.control.choose(move)
        except RuleFailure as problem:
            self.stopped(problem)
            return
        if isinstance(answer, Played):
            self.page.playback.happened(answer.events)
        else:
            self.page.update()

    def stopped(self, problem: RuleFailure) -> None:
        """The rules of the game can't go on from here: the match is kept as it was."""
        self.control.refresh()
        self.page.app.tell(say("match.stops", problem=problem))

    def say(self, sentence: str, spot: Spot) -> None:
        """Says something about a place, until the next input or until the pointer moves on."""
        self.note, self.note_at = sentence, spot if sentence else None
        self.said_at = self.page.app.root.pointer
        self.page.refresh()

    def move_on(self, x: float | None, y: float | None) -> None:
        """The pointer is elsewhere: what was said about a place is not said any longer."""
        area = self.page.view.rect
        gone = x is None or y is None or math.dist((area.x + x, area.y + y), self.said_at) > NEAR
        if self.note_at is not None and gone:
            self.forget_note()

    def forget_note(self) -> None:
        """The sentence said last is answered."""
        if self.note:
            self.note, self.note_at = "", None
            self.page.refresh()

    def offer(self, moves: Sequence[Move], spot: Spot) -> None:
        """Asks which of several moves was meant."""
        card = Offer(self.page, self, moves, spot)
        self.page.app.root.popup(card, card.place, focus=card.children[0])

    def meaning_of(self, word: str) -> str:
        """What a word means that this game or the program calls something by; empty when it explains itself."""
        return explain(word, language(), own=self.page.entry.form(self.session.match.game.variant).words)

    def say_choice(self, move: Move) -> str:
        """A choice as a button says it."""
        return self.session.match.game.say(self.control.seen, move, language(), self.page.names)

    def button_choice(self) -> Move | None:
        """The choice that the button under the pointer makes."""
        button = self.page.app.root.hover
        if isinstance(button, ChoiceButton):
            return button.choice
        if button is self.page.end_turn:
            return self.control.done
        return self.control.passing if button is self.page.pass_turn else None

    def chosen(self, move: Move) -> Callable[[], None]:
        """What a button does that makes ``move``."""
        return lambda: self.play_move(move)

    def step_back(self) -> bool:
        """Puts back the marble in hand, or takes back what this turn did last."""
        before = self.session.match.plies
        answer = self.control.cancel()
        if isinstance(answer, Undone):
            self.page.playback.rewound(before)
        elif answer is not None:
            self.page.update()
        return answer is not None

    def back_to(self, step: int) -> None:
        """Goes back within the turn until ``step`` steps of it are done."""
        if not self.session.live:
            return
        self.skip()
        before = self.session.match.plies
        if self.control.history.back_to(step):
            self.page.playback.rewound(before)

    def undo_now(self) -> None:
        """Takes back a step of this turn, or the last turn."""
        self.skip()
        if self.control.pending is not None:
            self.step_back()
            return
        before = self.session.match.plies
        self.page.computers.pause_watching()
        if self.control.history.undo():
            self.page.playback.rewound(before)
        elif before:
            self.note, self.note_at = say("note.sealed"), None
            self.page.refresh()

    def go_on_here(self) -> None:
        """Takes back all that came after the moment that is looked at; what was played stays in the list."""
        here = self.session.looking
        if here is None:
            return
        self.skip()
        self.page.computers.pause_watching()
        self.page.app.matches.part(self.session.match)
        if self.control.history.undo_to(here):
            self.session.looking, self.page.ending = None, False
            self.page.playback.hand_over()
            self.stage.reset(self.session.seen())
            self.page.update()
            self.page.remark(say("note.from-here"))
        else:
            self.page.remark(say("note.sealed"))

    def redo_now(self) -> None:
        """Plays again what was taken back."""
        self.skip()
        before = self.session.match.cursor
        if self.control.history.redo():
            self.page.playback.happened(
                [event for ply in self.session.match.plies[before:] for event in ply.events]
            )

    def finish_turn(self) -> None:
        """Ends the turn where that is legal."""
        done = self.control.done
        if done is not None:
            self.play_move(done, ends=True)

    def beyond(self) -> str:
        """What the person to move may do beyond the rules of the game; empty where that is nothing."""
        match = self.session.match
        if not self.session.asking or self.control.away:
            return ""
        if may_swap(match):
            return SWAP
        return CLAIM if self.page.facts.recurs and match.may_claim_draw() else ""

    def offer_beyond(self, button: Button) -> None:
        """Lets a button offer it, where there is anything."""
        offered = self.beyond()
        button.visible = bool(offered)
        if offered:
            swaps = offered == SWAP
            button.label = say("play.swap" if swaps else "play.claim")
            button.tip = say("play.swap.tip" if swaps else "play.claim.tip")

    def go_beyond(self) -> None:
        """Does it: claims a draw, or swaps the seats."""
        offered = self.beyond()
        if offered:
            self.skip()
            self.page.playback.happened(self.control.play(offered).events)

    def choosing(self) -> int | None:
        """The seat that chooses now and whose clock runs: not while marbles are on their way to where they belong."""
        seat: int | None = self.session.match.state.to_move
        if self.session.opening or self.stage.busy(self.page.now()):
            return None
        computers = self.page.computers
        return seat if not self.session.match.by_computer(seat) or computers.seconds else None

    def lose_on_time(self) -> None:
        """The match ends because the time of the one to move is up."""
        self.skip()
        self.session.looking = None
        self.page.playback.happened(self.control.play(TIME_UP).events)

    def pass_now(self) -> None:
        """Passes where that is legal."""
        passing = self.control.passing
        if passing is not None:
            self.play_move(passing)

    def choose_colour(self, number: int) -> bool:
        """Takes the colour at place ``number`` of the tray."""
        if number < len(self.control.tray) and len(self.control.tray) > 1:
            self.control.choose_colour(self.control.tray[number])
            self.forget_note()
            self.page.refresh()
            return True
        return False
