"""The page on which a match is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.match.match import Match
from shibumi3d.match.ply import Ply
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.state import State
from shibumi3d.scene.marbles.spread import Spread
from shibumi3d.scene.marbles.tray import Heap

from ...board.coach import Coach
from ...board.example import Example
from ...board.meanings import meanings
from ...board.moves import MoveList
from ...board.over import Over
from ...board.screen import BoardScreen
from ...board.standing import Standing
from ...board.timing import Timing
from ...host import sheet
from ...host.settings_card import SoundButton
from ...host.toggles import toggle_theme
from ...host.view import View
from ...marbles import words
from ...marbles.controller import Controller
from ...marbles.table import Tabletop
from ...text import say
from ...ui.button import Button, quiet
from ...ui.canvas import Canvas
from ...ui.choice import Tabs
from ...ui.core import Key
from ...ui.panel import Panel
from ...ui.prose import Explained, Prose
from ...ui.rect import Rect
from ...ui.style import Style
from .advice import Advice
from .answers import Answers
from .background import Background
from .behind import Behind
from .commands import Commands
from .computers import Computers
from .doing import Doing
from .hint import Hint
from .places import Places
from .plans import Flat, Plans
from .playback import Playback
from .pointing import Pointing
from .result import ResultBar
from .seats import SeatCard
from .session import MarbleSession
from .signs import Signs
from .spreading import Spreading
from .status import Status
from .steps import StepIndicator
from .tag import Tag
from .taking import Taking
from .tray import Tray

if TYPE_CHECKING:
    from ...host import Host


class Play(BoardScreen):
    """Board, players, choices, moves and rules."""

    title = "play"

    keys = sheet.PLAY
    taught = False
    """Whether it is a lesson, which tells of a turn when it is played."""
    coach: Coach | None = None
    """What says on the pages of lessons what to do."""

    def __init__(self, app: Host, match: Match, entry: Entry) -> None:
        self.session = MarbleSession(match)
        self.session.taught = lambda: self.coach is not None
        super().__init__(app, match, entry)
        self.session.still_shut = lambda: self.stage.queue.opening(self.now()) < 1.0
        self.places = Places(self, self, self, self)
        self.playback = Playback(self, self.last_turn)
        self.doing = Doing(self)
        self.background = Background(self)
        self.commands = Commands(self, self)
        self.taking = Taking(self)
        self.computers = Computers(self)
        self.advice = Advice(self)
        self.spreading = Spreading(self)
        self.timing = Timing(self, match, self.doing.choosing, self.doing.lose_on_time)
        self.top = Panel("page", "bottom")
        self.back = Button(
            say("games"), app.pages.home, icon="back", kind="quiet", tip=say("play.games"), name="back"
        )
        self.status = Status(self)
        self.book = Button(
            "", self.places.show_rules, icon="book", kind="quiet", tip=say("play.rules"), name="rules button"
        )
        self.theme = Button(
            "", lambda: toggle_theme(app), icon="theme", kind="quiet", tip=say("theme.tip"), name="theme"
        )
        self.sounding = SoundButton(app)
        self.gear = Button(
            "", app.pages.settings, icon="settings", kind="quiet", tip=say("settings"), name="settings"
        )
        self.handle = Button(
            "", self.places.toggle_panel, icon="panel", kind="quiet", tip=say("play.panel"), name="panel"
        )
        self.save = Button(
            "", self.commands.ask_save, icon="save", kind="quiet", tip=say("play.save"), name="save"
        )
        self.cards = [SeatCard(self, seat) for seat in range(len(match.seats))]
        self.tray = Tray(self)
        self.answers = Answers(self)
        self.tag = Tag(self)
        self.behind = Behind(self)
        self.standing = Standing(self)
        self.plans = Plans(self)
        self.over = Over(self)
        self.flat = Flat(self)
        self.result_bar = ResultBar(self)
        self.bar = Panel("page", "top")
        self.step_indicator = StepIndicator(self)
        self.end_turn = Button(
            say("play.end"), self.doing.finish_turn, kind="main", name="end turn", tip=say("play.end.tip")
        )
        self.pass_turn = Button(say("play.pass"), self.doing.pass_now, name="pass", tip=say("play.pass.tip"))
        self.claim = Button("", self.doing.go_beyond, name="claim a draw")
        self.hint = Hint(self)
        self.sayings = (lambda: self.hint.sentence()[0], lambda: self.status.sentence())
        self.undo = quiet(say("play.undo"), self.doing.undo_now, "undo", say("play.undo.tip"), name="undo")
        self.redo = quiet(say("play.redo"), self.doing.redo_now, "redo", say("play.redo.tip"), name="redo")
        self.again = Button(
            "", self.playback.replay_last, icon="again", kind="quiet", tip=say("play.again"), name="again"
        )
        self.turn_it = Button(
            say("play.turn"), lambda: self.commands.turn_shape(1), name="turn shape", tip=say("play.turn.tip")
        )
        self.return_ = Button(
            say("play.return"),
            lambda: self.playback.look(None),
            kind="main",
            name="return",
            tip=say("play.return.tip"),
        )
        self.from_here = Button(
            say("replay.play-from"),
            self.doing.go_on_here,
            name="play from here",
            tip=say("play.from-here.tip"),
        )
        self.tools = Panel("page")
        self.eye = [*self.view_commands.buttons(), *self.commands.view_buttons()]
        look_by = self.playback.look_by
        self.look_back = quiet("", lambda: look_by(-1), "step-back", say("play.back"), name="look back")
        self.look_on = quiet("", lambda: look_by(1), "step", say("play.on"), name="look on")
        self.side = Panel("page", "left")
        self.tabs = Tabs((say("play.moves"), say("play.rules-page")), 0, self.places.tab, name="tabs")
        rules = match.game.meta
        self.rules = Prose(words.text_of(rules, "rules", entry), 16, name="rules")
        form = entry.form(match.game.variant)
        self.example = Example(app, entry, form.example)
        self.trial = Button(say("trial.try"), self._try, name="try it", tip=say("trial.try.tip"))
        self.explained = Explained()
        self.moves = MoveList(self, self.playback.look_at, self.playback.take, self.explained.point)
        for prose in (self.rules, self.example.words, self.status, self.hint):
            prose.explain, prose.met = self._explain_words, self.explained.point
        self.add(
            self.view,
            self.over,
            self.flat,
            *self.cards,
            self.tray,
            self.answers,
            self.plans,
            self.behind,
            self.standing,
            self.tag,
            self.result_bar,
        )
        # In this order the focus goes: first to what may be done now, and last to what leaves the match.
        self.add(
            self.bar,
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
        self.places.tab(0)
        self.update()

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

    @property
    def state(self) -> State:
        state: State = self.session.state
        return state

    def passed(self) -> Sequence[Ply]:
        return self.session.passed()

    @property
    def bare(self) -> bool:  # type: ignore[override]
        return self.commands.zen

    @property
    def sitting(self) -> int:
        return self.session.sitting

    def in_dish(self) -> Heap | None:
        colour = self.control.colour
        if colour is None or self.playback.replaying or not self.session.asking:
            return None
        return self.taking.heap_of(colour)

    @property
    def opening(self) -> bool:  # type: ignore[override]
        return self.session.opening

    @property
    def spread(self) -> Spread | None:  # type: ignore[override]
        return self.spreading.spread

    def seen(self) -> State:
        seen: State = self.session.seen()
        return seen

    def masked(self, ply: int) -> bool:
        return self.session.masked(ply)

    def covered(self) -> frozenset[int]:
        return self.session.cloths

    def all_know(self, events: Sequence[ev.Event]) -> Sequence[ev.Event]:
        return self.session.all_know(events)

    @property
    def board(self) -> int:
        return self.pointing.board

    def update(self) -> None:
        """Everything that follows from the state is made anew."""
        state = self.match.state
        self.timing.update()
        self.names[:] = [seat.name for seat in self.match.seats]
        self.pointing.hover = self.pointing.hover_marble = self.taking.hover = None
        if len(self.control.tray) > 1 and not self.tabletop.plan.dish:
            self.tabletop = Tabletop(self.match.first, self.facts, dish=True)
        self.pointing.cursor = self.pointing.cursor if self.pointing.cursor in self.control.targets else None
        over = state.to_move is None
        self.background.ask_whether_lost()
        done, passing = self.control.done, self.control.passing
        self.end_turn.visible = self.session.asking and done is not None
        if done is not None:
            ends = "play.end" if self.control.done_ends() else "go-on"
            self.end_turn.label = say("play.take" if done.kind == "points" else ends)
        self.pass_turn.visible = self.session.asking and passing is not None
        self.doing.offer_beyond(self.claim)
        self.turn_it.visible = self.session.live and len(self.control.shapes.turns()) > 1
        self.return_.visible = self.from_here.visible = not self.session.live
        self.undo.enabled = self.match.cursor > 0 and self.session.live
        self.redo.enabled = bool(self.match.undone) and self.session.live
        self.again.enabled = self.look_back.enabled = self.match.cursor > 0
        self.look_on.enabled = not self.session.live
        self.tray.visible = self.places.tray_needed()
        self.answers.fill(self.control.others if self.session.asking else [])
        self.result_bar.visible = self.session.asking and over and self.coach is None
        self.computers.update()
        self.advice.update()
        self.moves.update(
            self.match.plies, self.match.cursor if self.session.looking is None else self.session.looking
        )
        if self.rect.w:
            self.places.layout(self.rect)
        self.refresh()

    def renewed(self) -> Play:
        page = Play(self.app, self.match, self.entry)
        page.background.take_over(self)
        page.session.looking = self.session.looking
        page.update()
        return page

    def shown(self) -> None:
        self.playback.hand_over()
        self.kept_as = self.app.matches.kept.name if self.app.matches.kept is not None else ""
        self.view_commands.restore_eye(self.kept_as)
        self.background.begin()
        self.computers.update()

    def leave_screen(self) -> None:
        self.timing.close()
        self.keep_eye()
        self.stage.finish()
        self.app.solver.stop()
        self.computers.close()
        self.advice.close()

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.places.layout(rect)

    def paint(self, canvas: Canvas, style: Style) -> None:
        pass

    def remark(self, sentence: str) -> None:
        self.doing.note, self.doing.note_at, self.doing.note_over = sentence, None, self.pointing.active
        self.refresh()

    def render_beside(self, now: float) -> None:
        self.example.render(now)

    def _try(self) -> None:
        self.app.pages.lesson(self.match, self.entry)

    def _explain_words(self, words: Sequence[str]) -> list[str]:
        return meanings(self.entry, self.match.game.variant, words)

    def animate(self, now: float) -> bool:
        moving = super().animate(now)
        self.stage.queue.speed = self.computers.watching.motion(self.stage.queue.speed)
        self.background.ask_whether_lost()
        if self.places.slid is not None:
            self.places.slide(now)
            moving = True
        if self.places.looked_down != (self.view.goal == self.view.above):
            self.places.layout(self.rect)
        self.behind.update()
        moving = self.example.animate(now) or moving
        if self.places.tray_needed() != self.tray.visible:
            self.tray.visible = not self.tray.visible
            self.places.layout(self.rect)
        moving = self.spreading.animate(now) or moving
        if self.playback.replaying and not self.stage.busy(self.time(now)):
            self.playback.replaying = False
            self.stage.reset(self.session.seen())
        return moving

    def key(self, key: Key) -> bool:
        return self.commands.key(key)

    def key_up(self, key: Key) -> None:
        self.commands.key_up(key)

    def panels(self) -> list[Rect]:
        shown = (*self.cards, self.plans, self.tray, self.answers, self.result_bar)
        return [widget.rect for widget in shown if widget.visible]

    def points_on_screen(self) -> dict[str, list[int]]:
        if not self.flat.visible:
            points = super().points_on_screen()
            return {**points, **{k: v for k, v in self.pointing.places_on_screen().items() if k in points}}
        return {
            self.pointing.name_of(spot): self.app.pixels(*self.flat.spot(spot)) for spot in self.flat.shown()
        }

    def trace(self) -> Mapping[str, object]:
        return self.signs.trace()
