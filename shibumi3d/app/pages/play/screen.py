"""Page for playing a match with marbles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, language, pgettext
from shibumi3d.match.match import Match
from shibumi3d.match.outside_moves import last_turn
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.scene.frame import Mark
from shibumi3d.scene.marbles.signs import Ghost, Sign
from shibumi3d.scene.marbles.spread import Spread
from shibumi3d.scene.marbles.tray import Heap
from shibumi3d.scene.rect import Rect

from ...board.example import Example
from ...board.match_page import MatchPage
from ...board.moves import MoveList
from ...board.over import Over
from ...board.screen import BoardScreen
from ...board.side import Side
from ...board.standing import Standing
from ...host import sheet
from ...host.view import View
from ...marbles.controller import Controller
from ...marbles.table import Tabletop
from ...ui.button import Button
from ...ui.panel import Panel
from ...ui.tree import Thing
from .advice import Advice
from .answers import Answers
from .background import Background
from .commands import MarbleCommands
from .computers import MarbleComputers
from .doing import MarbleDoing
from .hidden_targets import HiddenTargets
from .hint import Hint
from .places import Places
from .plans import Flat, Plans
from .playback import Playback
from .pointing import Pointing
from .seats import SeatCard
from .session import MarbleSession
from .signs import Signs
from .spreading import Spreading
from .steps import StepIndicator
from .tag import Tag
from .taking import Taking
from .things import things
from .tray import Tray

if TYPE_CHECKING:
    from shibumi3d.rules.game import Event, State

    from ...host import Host

LOW = 400.0
"""Height of the page in a narrow window, in logical pixels; low enough to show the whole table.

Widgets below the table are not included.
"""


class Play(MatchPage, BoardScreen):
    """Page for a match with marbles: boards, players, choices, moves and rules."""

    keys = sheet.PLAY
    columned = True
    session: MarbleSession
    doing: MarbleDoing
    computers: MarbleComputers
    advice: Advice
    commands: MarbleCommands
    flat: Flat
    moves: MoveList

    def take_over(self, before: MatchPage) -> None:
        super().take_over(before)
        if isinstance(before, Play):
            self.pointing.used = before.pointing.used

    def __init__(self, app: Host, match: Match, entry: Entry) -> None:
        self.session = MarbleSession(match)
        BoardScreen.__init__(self, app, match, entry, self.session)
        self.session.still_shut = lambda: self.stage.queue.opening(self.now()) < 1.0
        self.folding = Side(self, 280.0, 0.5)
        self.places = Places(self, self, self, self)
        self.playback = Playback(self, self.last_turn)
        self.doing = MarbleDoing(self, self.playback)
        self.background = Background(self)
        self.commands = MarbleCommands(self, self)
        self.taking = Taking(self)
        self.computers = self.make_computers()
        self.advice = self.make_advice()
        self.spreading = Spreading(self)
        self.surround(16)
        self.cards = [SeatCard(self, seat) for seat in range(len(match.seats))]
        self.tray = Tray(self)
        self.answers = Answers(self)
        self.tag = Tag(self)
        self.hidden_targets = HiddenTargets(self)
        self.standing = Standing(self)
        self.plans = Plans(self)
        self.over = Over(self)
        self.flat = Flat(self)
        self.step_indicator = StepIndicator(self)
        self.end_turn = Button(
            _("End turn"), self.doing.finish_turn, kind="main", name="end turn", tip=_("Ctrl+Enter")
        )
        self.pass_turn = Button(_("Pass"), self.doing.pass_now, name="pass", tip=_("P"))
        self.hint = Hint(self)
        self.sayings = (lambda: self.hint.sentence()[0], lambda: self.status.sentence())
        self.turn_it = Button(
            pgettext("play", "Rotate"),
            lambda: self.commands.turn_shape(1),
            name="turn shape",
            tip=_("Rotate the shape  ;"),
        )
        self.tools = Panel("page")
        self.eye = [*self.view_commands.buttons(), *self.commands.view_buttons()]
        form = entry.form(match.game.variant)
        self.example = Example(app, entry, form.example)
        self.moves = MoveList(self, self.doing.look, self.doing.take, self.explained.point)
        self.explain(self.rules, self.example.words, self.status, self.hint)
        self.add(
            self.view,
            self.over,
            self.flat,
            *self.cards,
            self.tray,
            self.answers,
            self.plans,
            self.hidden_targets,
            self.standing,
            self.tag,
            self.bar,
            self.result_bar,
        )
        # Tab visits the widgets in this order: those for the current turn come first, and those that leave the match
        # last.
        self.add(
            self.tools,
            self.step_indicator,
            self.end_turn,
            self.pass_turn,
            self.claim,
            self.turn_it,
            self.hint,
            self.return_,
            self.from_here,
            *self.computers.buttons,
            *self.advice.buttons,
        )
        self.add(self.undo, self.redo, self.again, *self.eye, self.look_back, self.look_on)
        self.add(self.top, self.back, self.status, self.book, self.theme, self.sounding, self.gear, self.save)
        self.add(
            self.handle,
            self.side,
            self.tabs,
            self.moves,
            self.example,
            self.trial,
            self.rules,
            self.explained,
        )
        self.turn_to(0)
        self.update()

    def column_high(self, wide: float) -> float:
        return LOW + self.places.under(wide, self.app.canvas)

    def make_computers(self) -> MarbleComputers:
        """Create the part that makes the computer players' moves."""
        return MarbleComputers(self, self)

    def make_advice(self) -> Advice:
        """Create the part for hints and analysis."""
        return Advice(self)

    def make_view(self) -> View:
        self.control = Controller(self.match)
        self.control.history.answers_itself = self.app.settings.answers
        self.control.ends_by_hand = lambda: self.app.settings.confirm and not self.taught
        self.pointing = Pointing(self)
        self.signs = Signs(self)
        view = View(
            self.app,
            self.stage.sizes,
            self.signs.picture,
            clicked=self.pointing.clicked,
            cancelled=self.pointing.cancelled,
            pointed=self.pointing.pointed,
        )
        view.grab, view.dropped = self.pointing.grab, self.pointing.dropped
        view.meant, view.wheeled = self.pointing.meant, self.pointing.wheeled
        view.spun = lambda quarters: self.spreading.turn(quarters)
        return view

    def in_dish(self) -> Heap | None:
        colour = self.control.colour
        if colour is None or self.doing.replaying or not self.session.asking:
            return None
        return self.taking.heap_of(colour)

    @property
    def spread(self) -> Spread | None:  # type: ignore[override]
        return self.spreading.spread

    @property
    def board(self) -> int:
        return self.pointing.board

    def update(self) -> None:
        """Update everything that depends on the state of the match."""
        self._sight.drop()
        self.timing.update()
        self.pointing.hover = self.pointing.hover_marble = self.taking.hover = None
        if len(self.control.tray) > 1 and not self.tabletop.plan.dish:
            self.tabletop = Tabletop(self.match.first, self.facts, dish=True)
        self.pointing.cursor = self.pointing.cursor if self.pointing.cursor in self.control.targets else None
        self.background.ask_whether_lost()
        done, passing = self.control.done, self.control.passing
        self.end_turn.visible = self.session.asking and done is not None
        if done is not None:
            if done.kind == "points":
                self.end_turn.label = _("Confirm")
            else:
                self.end_turn.label = _("End turn") if self.control.done_ends() else _("Continue")
        self.pass_turn.visible = self.session.asking and passing is not None
        self.turn_it.visible = self.session.live and len(self.control.shapes.turns()) > 1
        self.tray.visible = self.places.tray_needed()
        self.answers.fill(self.control.others if self.session.asking else [])
        self.update_frame()
        self.moves.update(self.session.cursor)
        self.lay_anew()
        self.refresh()

    def shown(self) -> None:
        super().shown()
        self.background.begin()
        self.computers.update()

    def leave_screen(self) -> None:
        super().leave_screen()
        self.app.solver.stop()

    def look_by(self, by: int) -> None:
        self.playback.look_by(by)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.places.layout(rect)

    def remark(self, sentence: str) -> None:
        self.doing.note, self.doing.note_at, self.doing.note_over = sentence, None, self.pointing.active
        self.refresh()

    def animate(self, now: float) -> bool:
        moving = super().animate(now)
        self.stage.queue.speed = self.computers.watching.motion(self.stage.queue.speed)
        self.background.ask_whether_lost()
        moving = self.folding.animate(now) or moving
        if self.places.looked_down != (self.view.goal == self.view.above):
            self.places.layout(self.rect)
        self.hidden_targets.update()
        if not moving and self.places.clear_advice():
            self.refresh()
        moving = self.example.animate(now) or moving
        if self.places.tray_needed() != self.tray.visible:
            self.tray.visible = not self.tray.visible
            self.places.layout(self.rect)
        moving = self.spreading.animate(now) or moving
        if not self.stage.busy(self.time(now)):
            self.doing.end_replay()
        return moving

    def lit(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts for a computer's pending move, or for hints and analysis.

        While it is a computer's turn, they are for its pending move.
        """
        return self.computers.lit() if self.control.away else self.advice.signs()

    def rings(self) -> list[Mark]:
        """Return the rings around marbles on the table."""
        return [*self.taking.marks(), *self.computers.marks()]

    def panels(self) -> list[Rect]:
        shown = (*self.cards, self.plans, self.tray, self.answers, self.result_bar)
        return [widget.rect for widget in shown if widget.visible]

    def words(self, state: State, seat: int, events: Sequence[Event]) -> str:
        return sentences.told(state, seat, events, language(), self.names)

    def lay_out(self) -> None:
        if not self.taught:  # the position of a lesson can't be edited
            super().lay_out()

    def told_of(self, number: int) -> str:
        plies = self.match.plies[: number + 1]
        turn = [plies[each] for each in last_turn(plies) if not self.session.masked(each)]
        events = self.session.as_seen([event for ply in turn for event in ply.events])
        return sentences.told(self.session.view, plies[-1].seat, events, language(), self.names)

    def pointed_at(self) -> str:
        active = self.pointing.active
        return self.pointing.name_of(active) if active is not None else ""

    def marked(self) -> Rect | None:
        cursor = self.pointing.cursor
        if cursor is None:
            return None
        x, y, radius = *self.pointing.where(cursor), self.pointing.radius(cursor)
        return Rect(x - radius, y - radius, 2 * radius, 2 * radius)

    def things(self) -> list[Thing]:
        return things(self)

    def points_on_screen(self) -> dict[str, list[int]]:
        if not self.flat.visible:
            points = super().points_on_screen()
            return {**points, **{k: v for k, v in self.pointing.places_on_screen().items() if k in points}}
        return {
            self.pointing.name_of(spot): self.app.pixels(*self.flat.spot(spot)) for spot in self.flat.shown()
        }

    def trace(self) -> Mapping[str, object]:
        return self.signs.trace()
