"""Match page for all kinds of table except those with marbles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, language, localize
from shibumi3d.match.match import Match
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.wording import capital
from shibumi3d.scene import camera as cameras
from shibumi3d.scene.kinds import scene
from shibumi3d.scene.rect import Rect

from ...board.computers import Computers
from ...board.fitting import fit_scene
from ...board.match_page import TOP, MatchPage
from ...board.session import Session
from ...board.side import Side
from ...board.view_commands import ViewCommands
from ...host import sheet
from ...host.view import View
from ...ui.button import Button, narrowed, row
from ...ui.canvas import Canvas
from ...ui.core import Widget
from ...ui.tree import Thing
from .advice import Discs, TableAdvice, TableStanding
from .cards import SeatList
from .commands import TableCommands
from .doing import TableDoing
from .example import TableExample
from .lists import ChoiceList, Log
from .plan import TablePlan
from .pointer import Pointer
from .pointing import Picking
from .room import roomy
from .story import Story
from .telling import Telling
from .things import things

if TYPE_CHECKING:
    from ...host import Host

BAR, SIDE = 52, 300
TABLE = 240.0
"""Height of the table in a narrow window, where the list of moves is below it, in logical pixels."""
CHOICES = 150.0
"""Height of the list of moves in a narrow window, in logical pixels."""
MARK = 24.0
"""Margin around the keyboard cursor when it is scrolled into view, in logical pixels."""
LEAST_LOG = 120.0
"""Minimum height of the log and the rules below the list of legal moves, in logical pixels."""
FLOATING = 0.5
"""Maximum height of a floating list of moves, as a fraction of the space over the table."""
NARROW = 0.33
"""Maximum width of a floating list of moves, as a fraction of the table's width.

In a small window, a wide table wouldn't fit beside a wider list.
"""
LEAST_CHOICES = 112.0
"""Minimum height of a floating list of moves, with room for three of them, in logical pixels."""
CARD = 12.0
"""Extra height of the summary if it floats on a card, in logical pixels."""
TOLD = 50.0
"""Height reserved below a floating list of moves for two lines of status text, in logical pixels."""
READING = 0.3
"""Maximum height of the list of moves while rules are shown, as a fraction of the side panel."""


class TablePlay(MatchPage):
    """Match page with the table, the seats, the legal moves, the moves played, and the rules."""

    keys = sheet.TABLE
    columned = True
    doing: TableDoing
    advice: TableAdvice
    commands: TableCommands
    moves: Log

    def __init__(self, app: Host, match: Match, entry: Entry) -> None:
        super().__init__(app, match, entry)
        self.session = Session(match)
        self.scene = scene(match.game, len(match.seats))
        self.picking = Picking()
        self.computers = Computers(self)
        self.note = ""
        self.pointer, self.doing = Pointer(self), TableDoing(self)
        self.commands = TableCommands(self, self)
        self.folding = Side(self, SIDE, 0.36)
        self.surround(15)
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
        self.plan = self.flat = TablePlan(self)
        self.seats = SeatList(self)
        self.telling = Telling()
        self.standing, self.discs = TableStanding(self), Discs(self)
        self.story, self.choices = Story(self), ChoiceList(self)
        self._most: tuple[Rect, dict[Widget, Rect]] = (Rect(0, 0, 0, 0), {})
        """Area of the table, and the largest area that each floating panel has covered on it."""
        self.moves = Log(self)
        self.example = TableExample(app, entry, entry.form(match.game.variant).example)
        self.explain(self.rules, self.example.words, self.status)
        self.confirm = Button(
            _("End turn"), self.doing.confirm, kind="main", name="end turn", tip=_("Ctrl+Enter")
        )
        self.sayings = (
            self.picked,
            lambda: self.telling.words,
            lambda: self.story.words,
            self.status.sentence,
        )
        self.add(self.view, self.plan, self.discs, self.seats, self.telling, self.bar, self.result_bar)
        # The order of the widgets is the tab order: what can be done now comes first.
        self.add(self.confirm, self.claim, self.return_, self.from_here, *self.computers.buttons)
        self.add(self.undo, self.redo, self.advice.hint, self.advice.watch)
        self.add(self.again, self.look_back, self.look_on)
        self.add(self.top, self.back, self.status, self.book, self.theme, self.sounding, self.gear, self.save)
        self.add(
            self.handle,
            self.side,
            self.standing,
            self.story,
            self.choices,
            self.tabs,
            self.moves,
            self.example,
            self.trial,
            self.rules,
        )
        self.add(self.explained)
        self.scene.reset(self.session.view, self.session.sitting)
        self.update()

    # State and updates

    def update(self) -> None:
        """Update everything that depends on the state.

        Picks and an unconfirmed move are kept as long as the legal moves stay the same.
        """
        session = self.session
        try:
            moves = session.moves()
        except RuleFailure as problem:
            moves, self.note = (), capital(localize(problem))
        self.timing.update()
        # Keep picks while the legal moves stay the same: a hint may arrive, or another seat may move, in between.
        row = self.choices.current, self.choices.offset
        if self.picking.begin(moves, self.scene.way):
            row = -1, 0.0
            self.doing.waiting, self.pointer.spot = None, ""
        self.confirm.visible = self.doing.waits
        self.pointer.offer()
        self.choices.stand(*row)
        self.moves.update(self.session.cursor)
        self.story.update()
        self.update_frame()
        self.lay_anew()
        self.doing.answer_itself()
        self.refresh()

    def refresh(self) -> None:
        self.pointer.seen.drop()
        super().refresh()

    def remark(self, sentence: str) -> None:
        """Show ``sentence`` in the status line."""
        self.note = sentence
        self.telling.say(sentence)
        self.refresh()

    def animate(self, now: float) -> bool:
        self.scene.speed = self.computers.watching.motion(self.app.settings.motion)
        self.scene.reduced = self.app.settings.reduced
        self.scene.language = language()
        for cue in self.scene.cues(now):
            self.app.sounds.touch(cue)
        moving = self.scene.busy(now)
        if moving:
            self.pointer.seen.drop()
        else:
            self.doing.end_replay()
        if self.ending and not moving:
            self.ending = False
            self.app.sounds.bowl()
        shown = self.example.animate(now)
        slides = self.folding.animate(now)
        return self.view.animate(now) or moving or shown or slides

    def look_by(self, by: int) -> None:
        self.doing.look_by(by)

    # Layout

    def column_high(self, wide: float) -> float:
        return TOP + TABLE + self._under(wide) + BAR

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas, wide = self.app.canvas, self.folding.width(rect)
        for widget in (self.back, *self.corner(), self.seats):
            widget.visible = not self.bare
        canvas.scale = self.app.scale
        under = self._under(rect.w) if self.narrow else 0.0
        bar, _, table = self.lay_frame(rect, BAR + under, wide, below=True)
        below, bar = bar.cut_top(under)
        self.view.layout(table)
        self.plan.layout(table)
        side = self.folding.lay(rect, self.top.rect.bottom, self.bar.rect.y)
        if self.narrow:
            self._lay_under(below)
            self.folding.lay_pages(side)
        else:
            self._lay_side(side, table, wide > 0)
        cards = self.seats.lay(table, canvas, lambda covered: self._roomy(table, covered))
        if self.bare:
            cards = Rect(table.x, table.y, 0.0, 0.0)
        foot = self._lay_foot(table, cards)
        bottom = 40.0
        if self.result_bar.visible and self.narrow:
            self.result_bar.stand(canvas, below, below.inset(10, 0))
        elif self.result_bar.visible:
            self.result_bar.stand(canvas, table, foot.inset(10, 0))
            bottom = table.bottom - self.result_bar.rect.y + 8
        self.telling.visible = not self.result_bar.visible
        self._lay_bar(bar.inset(8, 0), canvas)
        self.discs.layout(table)
        self._fit(table, cards)
        left, above = (table.x, cards.bottom) if cards.right > table.cx else (cards.right, table.y)
        free = Rect(left, above, table.right - left, table.bottom - bottom - above)
        self.plan.fit(free.inset(14, 10))

    def _under(self, wide: float) -> float:
        """Return the height of everything below the table in one column ``wide`` pixels wide.

        This consists of the summary, the analysis, and the list of moves or the result.
        """
        told = 0.0 if self.bare else self.story.natural(self.app.canvas, wide - 36)
        advised = self.advice.analysing and self.advice.may and not self.bare
        most = CHOICES
        if self.result_bar.visible:  # the result replaces the list of moves
            most = max(most, self.result_bar.natural(self.app.canvas, wide - 20)[1] + 12)
        return most + 12 + (told + 6 if told else 0) + (self.standing.natural() + 6 if advised else 0)

    def _lay_under(self, below: Rect) -> None:
        """Lay out the summary, the analysis and the list of moves below the table."""
        inner = below.inset(10, 6)
        told = 0.0 if self.bare else self.story.natural(self.app.canvas, inner.w - 16)
        self.story.floating, self.story.visible = False, bool(told)
        head, inner = inner.cut_top(told, 6 if told else 0)
        self.story.layout(head.inset(8, 0))
        self.standing.visible = self.advice.analysing and self.advice.may and not self.bare
        if self.standing.visible:
            head, inner = inner.cut_top(self.standing.natural(), 6)
            self.standing.layout(head)
        self.choices.visible = bool(self.choices.labels)
        self.choices.layout(inner)

    def _lay_side(self, side: Rect, table: Rect, there: bool) -> None:
        """Lay out the summary, the analysis and the list of moves in the side panel.

        If the panel is collapsed (``there`` is false), they float over the table.
        """
        canvas, many = self.app.canvas, len(self.choices.labels)
        advised = self.advice.analysing and self.advice.may
        inner = side.inset(4, 6)
        if not there:
            free = table.inset(10, 10)
            wide = min(SIDE, table.w * NARROW)
            inner = Rect(free.right - wide, free.y, wide, free.h - TOLD)
        told = 0.0 if self.tabs.chosen and there else self.story.natural(canvas, inner.w - 16)
        self.story.floating = not there
        if told and not there:
            told += CARD
        head, inner = inner.cut_top(told, 6 if told else 0)
        self.story.layout(head if self.story.floating else head.inset(8, 0))
        self.story.visible = bool(told) and not self.bare
        self.standing.visible = advised and not self.bare
        if self.standing.visible:
            head, inner = inner.cut_top(self.standing.natural(), 6)
            self.standing.layout(head.inset(4, 0))
        self.choices.visible = bool(many)
        most = READING if self.tabs.chosen else 0.6
        if there:
            share = min(self.choices.height + 8, side.h * most, inner.h - LEAST_LOG) if many else 0.0
            upper, inner = inner.cut_top(share, 6 if many else 0)
            self.choices.layout(upper)
        else:
            most = max(inner.h * FLOATING, min(inner.h, LEAST_CHOICES))
            self.choices.layout(inner.cut_bottom(min(self.choices.height + 8, most))[0])
        self.folding.lay_pages(inner)

    def _lay_bar(self, bar: Rect, canvas: Canvas) -> None:
        """Lay out the bottom bar.

        Buttons that make moves are on the right, all others on the left. If space is short, the buttons for looking
        back and for hints are left out, since the list of moves and keyboard shortcuts do the same.
        """
        ends = [*self.computers.buttons, self.claim, self.confirm, self.from_here, self.return_]
        room = bar.w - row(bar, ends, canvas, align=1.0) - 12
        looking = (self.again, self.look_back, self.look_on)
        advice = (self.advice.hint, self.advice.watch)
        back = [self.undo, self.redo, *advice, *looking]
        for left_out in (looking if self.bare else (), looking, (*advice, *looking)):
            for button in back:
                button.visible = button not in left_out
            narrowed(back, canvas, min(bar.w * 0.5, room))
            if row(bar, back, canvas) <= room:
                break

    def _lay_foot(self, table: Rect, cards: Rect) -> Rect:
        """Lay out the status line beside ``cards``; return the area available for it."""
        foot = table if cards.right > table.cx else table.cut_left(cards.right - table.x)[1]
        self.telling.layout(Rect(foot.x + 10, table.bottom - 40, foot.w - 20, 32))
        return foot

    def _roomy(self, table: Rect, cards: Rect) -> bool:
        """Return whether the table has enough room beside ``cards``, the area of the seats' cards."""
        if table.w < 8 or table.h < 8:
            return True
        self._lay_foot(table, cards)
        self._fit(table, cards)
        return roomy(self.view.home, self.scene.hull, self.scene.eye, table, self.seats.places)

    def _fit(self, table: Rect, cards: Rect) -> None:
        """Fit the initial view to the whole table, clear of the cards and other panels."""
        right = table.right if cards.right > table.cx else cards.right
        beside = Rect(table.x, table.y, right - table.x, min(table.h, cards.bottom + 10 - table.y))
        bar, foot = self.result_bar, self.telling.rect
        top = min(foot.y, bar.rect.y) if bar.visible and not self.narrow else foot.y
        foot = Rect(foot.x, top, table.right - foot.x, table.bottom - top)
        panels = [beside]
        if not (self.folding.unfolded or self.narrow):
            panels += self._covered(table)
            if self.standing.visible:
                panels.append(self.standing.rect)
        fit_scene(self.view, self.scene, panels, foot)

    def _covered(self, table: Rect) -> list[Rect]:
        """Return the areas that the summary and the list of moves cover over the table.

        For each of the two, this is the largest area covered so far in this match at the current size of the table.
        This way, the camera doesn't zoom in and out from turn to turn.
        """
        if self._most[0] != table:
            self._most = table, {}
        most = self._most[1]
        for each in (self.story, self.choices):
            if each.visible:
                most[each] = each.rect.around(most.get(each, each.rect))
        if self.story in most:
            # Reserve room for two lines from the start, since the summary will need them sooner or later.
            told = most[self.story]
            most[self.story] = Rect(told.x, told.y, told.w, max(told.h, self.story.usual + CARD))
        if self.choices in most:
            # Likewise, reserve room for two moves.
            rows = most[self.choices]
            high = max(rows.h, 2 * self.choices.row_height + 8)
            most[self.choices] = Rect(rows.x, rows.bottom - high, rows.w, high)
        return list(most.values())

    def shown(self) -> None:
        super().shown()
        self.scene.reset(self.session.view, self.session.sitting)
        self.update()

    def pointed_at(self) -> str:
        return self.pointer.spot

    def marked(self) -> Rect | None:
        key = self.pointer.spot
        if not key or self.view.hovered or self.plan.hovered:
            return None
        x, y = self.pointer.on_screen(self.scene.spots()[key])
        return Rect(self.view.rect.x + x - MARK, self.view.rect.y + y - MARK, 2 * MARK, 2 * MARK)

    def things(self) -> list[Thing]:
        return things(self)

    def picked(self) -> str:
        """Return a description of the picks of an incomplete move, or "" if there are none."""
        game, view, picks = self.match.game, self.session.view, self.picking.picks
        told = [
            game.thing_line(view, key, language(), self.names) for key in self.scene.spots() if key in picks
        ]
        names = [line.partition(":")[0].strip() for line in told if line]
        return _("Chosen: {things}", things=", ".join(names)) if names else ""

    def trace(self) -> Mapping[str, object]:
        spots = {}
        for key, spot in self.scene.spots().items():
            x, y = self.pointer.on_screen(spot)
            spots[key] = self.app.pixels(self.view.rect.x + x, self.view.rect.y + y)
        return {
            "status": self.status.sentence(),
            "points": spots,
            "targets": sorted(self.picking.open),
            "choices": self.choices.labels,
            "told": self.telling.words,
            "story": self.story.words,
            "cursor": self.pointer.spot,
            "rows": self.choices.on_screen(),
            "plies": self.match.cursor,
            "over": self.result_bar.sentence() if self.match.state.to_move is None else "",
            "game": self.entry.id,
        }
