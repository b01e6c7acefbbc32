"""The page on which a match on a table of any kind is played, and shown again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from shibumi3d.catalogue.schema import Entry
from shibumi3d.match.match import Match
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.wording import capital
from shibumi3d.scene import camera as cameras
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.kinds import scene

from ...board.beside import lay_rules
from ...board.coach import Coach
from ...board.meanings import meanings
from ...board.running import HEARD, Running
from ...board.session import Session
from ...board.timing import Timing
from ...board.view_commands import ViewCommands
from ...host import sheet
from ...host.page import Page
from ...host.settings_card import SoundButton
from ...host.toggles import toggle_theme
from ...host.view import View
from ...text import language, local, say, titled, told
from ...ui.button import Button, narrowed, row
from ...ui.canvas import Canvas
from ...ui.choice import Tabs
from ...ui.core import Key
from ...ui.panel import Panel
from ...ui.prose import Explained, Prose
from ...ui.rect import Rect
from ...ui.slider import Slider
from ...ui.style import HEADING, Style
from ..play.status import LEAST_SENTENCE
from .advice import Numbers, TableAdvice, TableStanding
from .cards import Headline, SeatList, Telling
from .commands import TableCommands
from .computers import Computers
from .doing import TableDoing
from .example import TableExample
from .lists import ChoiceList, Log
from .plan import TablePlan
from .pointer import Pointer
from .pointing import Picking

if TYPE_CHECKING:
    from ...host import Host

TOP, BAR, SIDE = 44, 48, 300
READING = 0.3
"""The most that the choices take of the side while rules are read."""


class TablePlay(Page):
    """Table, seats, choices, moves and rules."""

    title = "play"
    keys = sheet.TABLE
    view: View
    entitled = True
    """Whether the name of the game stands at the top."""
    kept_as = ""
    """The name of the file in which the match is kept."""
    coach: Coach | None = None
    """The strip of a lesson."""

    def __init__(self, app: Host, match: Match, entry: Entry) -> None:
        super().__init__(app)
        self.match, self.entry = match, entry
        self.names = [seat.name for seat in match.seats]
        self.session = Session(match)
        self.session.taught = lambda: self.coach is not None
        self.scene = scene(match.game, len(match.seats))
        self.picking = Picking()
        self.computers = Computers(self)
        self.note = ""
        self.pointer, self.doing = Pointer(self), TableDoing(self)
        self.commands = TableCommands(self)
        self.timing = Timing(self, match, self.doing.choosing, self.doing.lose_on_time)
        self.running = Running(
            self,
            lambda: self.session.cursor,
            lambda: match.cursor,
            self.doing.look,
            self.doing.look_by,
        )
        self.advice = TableAdvice(self)
        self.view = View(
            app,
            (4,),
            self.pointer.picture,
            clicked=self.pointer.clicked,
            cancelled=lambda x, y: self.pointer.drop(),
            pointed=self.pointer.pointed,
            name="table",
        )
        self.view.home = self.view.camera = cameras.home_of(self.scene.hull, self.scene.eye)
        self.view.above = cameras.home_of(self.scene.hull, self.scene.eye, above=True)
        self.view.meant = self.pointer.spot_at
        self.view_commands = ViewCommands(self)
        self.plan = TablePlan(self)
        self.top, self.bar, self.side = Panel("page", "bottom"), Panel("page", "top"), Panel("page", "left")
        self.back = self._button(say("games"), app.pages.home, "back", say("play.games"), name="back")
        self.status = Headline("status")
        self.theme = self._button("", lambda: toggle_theme(app), "theme", say("theme.tip"), name="theme")
        self.sounding = SoundButton(app)
        self.gear = self._button("", app.pages.settings, "settings", say("settings"), name="settings")
        self.save = self._button("", self.commands.save, "save", say("play.save"), name="save")
        self.seats = SeatList(self)
        self.telling = Telling()
        self.standing, self.numbers = TableStanding(self), Numbers(self)
        self.choices = ChoiceList(self)
        self.tabs = Tabs((say("play.moves"), say("play.rules-page")), 0, self._tab, name="tabs")
        self.log = Log(self)
        rules = match.game.meta["rules"] if match.game.meta else entry.rules
        self.rules = Prose(local(rules), 15, name="rules")
        self.example = TableExample(app, entry, entry.form(match.game.variant).example)
        self.explained = Explained()
        for prose in (self.rules, self.example.words, self.status):
            prose.explain = lambda words: meanings(entry, match.game.variant, words)
            prose.met = self.explained.point
        self.trial = Button(say("trial.try"), self._try, name="try it", tip=say("trial.try.tip"))
        self.undo = self._button(
            say("play.undo"), self.doing.take_back, "undo", say("play.undo.tip"), name="undo"
        )
        self.redo = self._button(
            say("play.redo"), self.doing.play_again, "redo", say("play.redo.tip"), name="redo"
        )
        self.less = self._button(
            "", lambda: self.doing.look_by(-1), "step-back", say("play.back"), name="look back"
        )
        self.more = self._button("", lambda: self.doing.look_by(1), "step", say("play.on"), name="look on")
        self.run = self._button("", self.running.toggle, "play", say("replay.play"), name="run")
        self.pace = self._button("", self.running.faster, "", say("replay.speed"), name="speed")
        self.line = Slider(self.doing.scrub, name="line")
        self.confirm = Button(
            say("play.end"), self.doing.confirm, kind="main", name="end turn", tip=say("play.end.tip")
        )
        self.return_ = Button(
            say("play.return"),
            lambda: self.doing.look(None),
            kind="main",
            name="return",
            tip=say("play.return.tip"),
        )
        self.rematch = Button(
            say("result.rematch"), lambda: app.matches.rematch(match, entry), kind="main", name="rematch"
        )
        self.sayings = (lambda: self.telling.words, self.sentence)
        self.add(self.view, self.plan, self.numbers, self.seats, self.telling)
        # In this order the focus goes: first to what may be done now.
        self.add(self.bar, self.confirm, self.return_, self.rematch, *self.computers.buttons)
        self.add(self.undo, self.redo, self.advice.hint, self.advice.watch)
        self.add(self.less, self.run, self.more, self.pace, self.line)
        self.add(self.top, self.back, self.status, self.save, self.theme, self.sounding, self.gear)
        self.add(
            self.side, self.standing, self.choices, self.tabs, self.log, self.example, self.trial, self.rules
        )
        self.add(self.explained)
        self.scene.reset(self.session.seen(), self.session.sitting)
        self.update()

    @staticmethod
    def _button(label: str, action: Callable[[], None], icon: str, tip: str, *, name: str) -> Button:
        return Button(label, action, icon=icon, kind="quiet", tip=tip, name=name)

    # What is shown

    def update(self) -> None:
        """Everything that follows from the state is made anew."""
        session = self.session
        try:
            moves = session.moves()
        except RuleFailure as problem:
            moves, self.note = (), capital(told(problem))
        self.timing.update()
        self.names[:] = [seat.name for seat in self.match.seats]
        self.doing.waiting, self.confirm.visible = None, False
        self.picking.begin(moves, self.scene.way)
        self.pointer.spot = ""
        self.pointer.offer()
        self.log.update()
        self.line.fill(self.match.cursor, session.cursor)
        over = self.match.state.to_move is None
        self.undo.enabled = session.live and self.match.cursor > 0
        self.redo.enabled = session.live and bool(self.match.undone)
        self.less.enabled, self.more.enabled = session.cursor > 0, not session.live
        self.run.enabled = self.match.cursor > 0
        self.running.tell(self.run, self.pace)
        self.pace.visible = not session.live
        self.return_.visible = not session.live
        self.rematch.visible = over and session.live and self.coach is None
        self.computers.update()
        self.status.say(self.sentence())
        self.advice.update()
        if self.rect.w:
            self.layout(self.rect)
        self.doing.answer_itself()
        self.refresh()

    def sentence(self) -> str:
        """The sentence at the top: whose turn it is and what is asked for, or how it ended."""
        session, state = self.session, self.match.state
        if not session.live:
            ply = session.cursor
            return (
                say("status.after", turn=self.match.plies[ply - 1].turn + 1) if ply else say("status.first")
            )
        if state.to_move is None:
            return sentences.ending(state, language(), self.names)
        if session.window:
            everybody = self.match.game.view(state, None)
            return capital(self.match.game.ask_line(everybody, language(), self.names))
        seat = session.asked
        if seat is None:
            thinking = session.thinking if session.thinking is not None else state.to_move
            halted, who = self.computers.halted, self.names[thinking]
            return say("computer.stopped" if halted else "computer.thinks", who=who).removesuffix(".")
        asked = self.match.game.ask_line(session.own(), language(), self.names)
        told = say("status.to-move", who=self.names[seat], asked=asked)
        if 0 <= state.phase < len(session.facts.phases):
            told += say("status.phase", phase=local(session.facts.phases[state.phase]))
        return told

    def remark(self, sentence: str) -> None:
        """Says something at the foot of the table."""
        self.note = sentence
        self.telling.say(sentence)
        self.refresh()

    def animate(self, now: float) -> bool:
        self.scene.speed = self.app.settings.motion
        self.scene.reduced = self.app.settings.reduced
        self.scene.language = language()
        time = self.running.time(now)
        for cue in self.scene.cues(time):
            if self.running.speed <= HEARD:
                self.app.sounds.touch(cue)
        moving = self.scene.busy(time)
        runs = self.running.animate(now, moving)
        if not (runs or moving):
            self.running.at_pace(1.0)
        shown = self.example.animate(now)
        return self.view.animate(now) or moving or runs or shown

    def now(self) -> float:
        """The time on the table at this moment."""
        return self.running.time(self.app.clock())

    def render_beside(self, now: float) -> None:
        self.example.render(now)

    def key(self, key: Key) -> bool:
        return self.commands.key(key)

    def toggle_rules(self) -> None:
        """Shows the rules, or the moves again."""
        self._tab(1 - self.tabs.chosen)

    def _tab(self, number: int) -> None:
        self.tabs.chosen = number
        if self.rect.w:
            self.layout(self.rect)
        self.refresh()

    def _try(self) -> None:
        self.app.pages.lesson(self.match, self.entry)

    # The page

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        top, rest = rect.cut_top(TOP)
        bar, rest = rest.cut_bottom(BAR)
        side, table = rest.cut_right(min(SIDE, rect.w * 0.36))
        if self.coach is not None:
            strip, table = table.cut_top(self.coach.natural(canvas, table.w))
            self.coach.lay(strip, canvas)
        for panel, place in ((self.top, top), (self.bar, bar), (self.side, side)):
            panel.layout(place)
        self.view.layout(table)
        self.plan.layout(table)
        left = row(top.inset(8, 0), [self.back], canvas)
        right = row(top.inset(8, 0), [self.save, self.theme, self.sounding, self.gear], canvas, align=1.0)
        wide = canvas.width(titled(self.entry), "title", HEADING - 2) + 24
        begin, end = top.x + left + 16, top.right - right - 16
        # The sentence says more than the name.
        self.entitled = end - begin - wide >= LEAST_SENTENCE
        begin += wide if self.entitled else 0
        self.status.layout(Rect(begin, top.y, end - begin, top.h))
        cards = self.seats.lay(table, canvas)
        foot = table if cards.right > table.cx else table.cut_left(cards.right - table.x)[1]
        self.telling.layout(Rect(foot.x + 10, table.bottom - 40, foot.w - 20, 32))
        many = len(self.choices.labels)
        share = min(34.0 * many + 8, side.h * (READING if self.tabs.chosen else 0.6)) if many else 0.0
        inner = side.inset(4, 6)
        self.standing.visible = self.advice.analysing and self.advice.may
        if self.standing.visible:
            head, inner = inner.cut_top(self.standing.natural(), 6)
            self.standing.layout(head.inset(4, 0))
        upper, lower = inner.cut_top(share, 6 if many else 0)
        self.choices.visible = bool(many)
        self.choices.layout(upper)
        tabs, lower = lower.cut_top(32, 4)
        self.tabs.layout(tabs)
        self.log.visible = not self.tabs.chosen
        self.log.layout(lower)
        lay_rules(self, lower.inset(8, 0) if self.tabs.chosen else None, canvas)
        back = [self.undo, self.redo, self.advice.hint, self.advice.watch, self.less, self.run, self.more]
        narrowed(back, canvas, bar.w * 0.5)
        used = row(bar.inset(8, 0), back, canvas)
        ends = [*self.computers.buttons, self.pace, self.confirm, self.return_, self.rematch]
        done = row(bar.inset(8, 0), ends, canvas, align=1.0)
        begin = bar.x + used + 20
        self.line.layout(Rect(begin, bar.y + 8, max(0.0, bar.right - done - 24 - begin), bar.h - 16))
        self.numbers.layout(table)
        self._fit(table, cards)
        left, above = (table.x, cards.bottom) if cards.right > table.cx else (cards.right, table.y)
        free = Rect(left, above, table.right - left, table.bottom - 40 - above)
        self.plan.fit(free.inset(14, 10))

    def _fit(self, table: Rect, cards: Rect) -> None:
        """The view at the start shows all that lies there beside the cards."""
        if table.w < 8 or table.h < 8:
            return
        right = 1.0 if cards.right > table.cx else (cards.right - table.x) / table.w
        part = (0.0, 0.0, right, min(1.0, (cards.bottom + 10 - table.y) / table.h))
        foot = (
            (self.telling.rect.x - table.x) / table.w,
            (self.telling.rect.y - table.y) / table.h,
            1.0,
            1.0,
        )
        was, aspect = (self.view.home, self.view.above), table.w / table.h
        self.view.home, self.view.above = self._seen(aspect, part, foot), self._seen(aspect, part, foot, True)
        if self.view.camera in was:
            self.view.camera = self.view.above if self.view.camera == was[1] else self.view.home

    def _seen(self, aspect: float, part: cameras.Panel, foot: cameras.Panel, above: bool = False) -> Camera:
        """The whole table beside the cards; the sentence at the foot covers nothing of it either."""
        hull, eye, table = self.scene.hull, self.scene.eye, self.view.rect
        view = cameras.home_of(hull, eye, aspect, [part], above=above)
        feet = view.project(np.array(hull), table.w, table.h)[0][:, 1]
        if feet.max() > foot[1] * table.h:
            view = cameras.home_of(hull, eye, aspect, [part, foot], above=above)
        return view

    def paint(self, canvas: Canvas, style: Style) -> None:
        pass

    def draw(self, canvas: Canvas, style: Style) -> None:
        super().draw(canvas, style)
        if not self.entitled:
            return
        place = Rect(self.back.rect.right + 12, self.top.rect.y, self.top.rect.w, self.top.rect.h)
        canvas.text_in(place, titled(self.entry), style.ink, "title", HEADING - 2)

    def shown(self) -> None:
        self.kept_as = self.app.matches.kept.name if self.app.matches.kept is not None else ""
        self.view_commands.restore_eye(self.kept_as)
        self.doing.curtain()
        self.scene.reset(self.session.seen(), self.session.sitting)
        self.update()

    def renewed(self) -> TablePlay:
        page = TablePlay(self.app, self.match, self.entry)
        page.plan.visible, page.view.visible = self.plan.visible, self.view.visible
        page.session.looker, page.session.looking = self.session.looker, self.session.looking
        page.advice.analysing = self.advice.analysing
        page.update()
        return page

    def leave_screen(self) -> None:
        self.timing.close()
        self.view_commands.keep_eye(self.kept_as)
        self.scene.finish()
        self.computers.close()
        self.advice.close()

    def trace(self) -> Mapping[str, object]:
        spots = {}
        for key, spot in self.scene.spots().items():
            x, y = self.pointer.on_screen(spot)
            spots[key] = self.app.pixels(self.view.rect.x + x, self.view.rect.y + y)
        return {
            "status": self.status.words,
            "points": spots,
            "targets": sorted(self.picking.open),
            "choices": self.choices.labels,
            "told": self.telling.words,
            "cursor": self.pointer.spot,
            "rows": self.choices.on_screen(),
            "plies": self.match.cursor,
            "over": self.status.words if self.match.state.to_move is None else "",
            "game": self.entry.id,
        }
