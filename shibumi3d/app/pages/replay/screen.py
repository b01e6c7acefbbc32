"""Page for replaying a match: play, pause, step and scrub."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.app.wording import titled
from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, language
from shibumi3d.match.match import Match
from shibumi3d.rules.ending import ending
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, HEADING, Style

from ...board import export
from ...board.band import HIGH, Band
from ...board.glance import Glance, notable
from ...board.kinds import stand_of
from ...board.questions import MomentQuestions
from ...board.rereading import up_to
from ...board.reviewer import Reviewer
from ...board.running import HEARD, Running
from ...board.view_commands import ViewCommands
from ...host import sheet
from ...host.page import Page
from ...host.screen import COLUMN, back_to
from ...marbles import secrets
from ...ui.button import Button, row
from ...ui.canvas import Canvas
from ...ui.card import paint_card
from ...ui.core import Key
from ...ui.panel import Panel
from ...ui.tree import Thing
from .foot import Acts, Foot

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

    from ...host import Host
    from ...host.screen import Screen
    from ...host.view import View

TOP = 44
LOW = 424.0
"""Minimum height of a page with one column, without the evaluation graph, in logical pixels."""
CAPTION = 360
"""Width that is reserved for the caption, in logical pixels."""
SLOW = 0.5
"""Playback speed when moves are repeated in a loop."""


class Replay(Page):
    """Replay of a match, without changing it; ``at_ply`` is the number of moves shown."""

    title = "replay"
    columned = True
    view: View

    def __init__(self, app: Host, match: Match, entry: Entry) -> None:
        super().__init__(app)
        self.match, self.entry = match, entry
        self.names = match.names
        self.at_ply = 0
        self.history = match.plies
        self.tall = notable(match.first, match.plies)
        """Numbers of the moves at which a marble fell or was taken, or the lead changed."""
        self.told = match.record().text()
        self.counted = match.game.facts(len(match.seats)).counted
        self.running = Running(
            self, lambda: self.at_ply, lambda: len(self.history), lambda ply: self.go(ply), self.step
        )
        self.viewer = secrets.public_viewer(match)
        self.stand = stand_of(self)
        self.view = self.stand.view
        self.view_commands = ViewCommands(self, self.stand.keys)
        self.questions = MomentQuestions(self)
        self.answer = ""
        """Message shown instead of the caption until another position is shown."""
        self.sayings = (lambda: self.answer or self.caption(),)
        self.top, self.bar = Panel("page", "bottom"), Panel("page", "top")
        self.back = Button(_("Back"), self.go_back, icon="back", kind="quiet", name="back")
        self.go_on = Button(_("Play from here"), self.play_from_here, kind="plain", name="play from here")
        self.glance = Glance(self)
        self.review = Reviewer(match, app.later, lambda: self.update(), app.reviews)
        self.band = Band(self, self.review)
        acts = Acts(self.go, self.step, self._scrub, lambda: export.show(self), self.lay_out)
        self.foot = Foot(app, self.running, self.band, acts, len(self.history))
        self.line = self.foot.line
        self.line.pointed = self.glance.point
        self.find = Button(
            _("Learn from your mistakes"),
            self.find_turn,
            kind="plain",
            tip=_("Find better moves for up to three of your turns"),
            name="find the turn",
        )
        self.foot.lead.visible = self.find.visible = self.band.possible
        self.foot.edit.visible = self.stand.editable
        self.came: Screen | None = None
        """Page to return to, or None for the page of the match."""
        self.day: date | None = None
        """Date of a saved match, or None for one just played."""
        self.file: Path | None = None
        """File of an unfinished match that was opened as a replay, or None.

        Leaving the page resumes that match.
        """
        self.exporting: export.ExportCard | None = None
        self.keys = [line for line in sheet.REPLAY if self.stand.editable or line != "edit"]
        self.add(self.view, self.stand.over, self.top, self.bar, self.back, self.find, self.go_on)
        self.add(*self.foot.widgets, self.glance)
        self.update()

    def time(self, now: float) -> float:
        """Return the playback time that corresponds to the clock time ``now``."""
        return self.running.time(now)

    def now(self) -> float:
        """Return the current playback time."""
        return self.time(self.app.clock())

    @property
    def aloud(self) -> bool:
        return self.running.speed <= HEARD

    def remark(self, sentence: str) -> None:
        """Show ``sentence`` in place of the caption, until the position changes."""
        self.answer = sentence
        self.refresh()

    @property
    def state(self) -> State:
        """State that is shown, including hidden information."""
        return self.match.state_after(self.at_ply)

    # Navigation

    def update(self) -> None:
        """Update everything that depends on the number of moves shown."""
        self.foot.tell(self.at_ply, self.tall)
        if self.foot.lead.on != self.band.on:
            self.foot.lead.on = self.band.on
            self.lay_anew()
        self.refresh()

    def go(self, ply: int) -> None:
        """Show the position after ``ply`` moves, without animation."""
        self.stand.finish()
        self.stand.ending = False
        self.at_ply = max(0, min(len(self.history), ply))
        self.stand.reset()
        self.answer = ""
        self.update()

    def step(self, by: int) -> None:
        """Go one move forward, or one move back if ``by`` is negative, with animation."""
        stand, at = self.stand, self.at_ply
        stand.finish()
        stand.ending = by > 0 and at + 1 == len(self.history) and self.history[-1].state.to_move is None
        if by > 0 and at < len(self.history):
            self.at_ply += 1
            stand.play(self.history[at])
        elif by < 0 and at:
            self.at_ply -= 1
            stand.back(self.history[at - 1])
        self.answer = ""
        self.update()

    def _scrub(self, stop: int) -> None:
        self.running.on = False
        if abs(stop - self.at_ply) == 1:
            self.step(stop - self.at_ply)
            self.stand.ending = False
            self.running.pass_time(self.stand.hurry(self.running.speed))
        else:
            self.go(stop)

    def animate(self, now: float) -> bool:
        moving = self.stand.animate(now)
        if not moving and self.running.hurried:
            self.running.pass_time()
        return self.running.animate(now, self.stand.busy(self.time(now))) or moving

    def fading(self) -> bool:
        return self.stand.fading()

    def things(self) -> Sequence[Thing]:
        return self.stand.things()

    def pointed_at(self) -> str:
        """Return an empty string, since the page has no cursor."""
        return ""

    def heading(self) -> str:
        return titled(self.entry)

    def renewed(self) -> Replay:
        page = Replay(self.app, self.match, self.entry)
        page.view.home, page.view.camera = self.view.home, self.view.camera
        page.came, page.day, page.file = self.came, self.day, self.file
        page.review.found = self.review.found
        page.go(self.at_ply)
        if self.band.on:
            page.band.toggle()
        return page

    def shown(self) -> None:
        super().shown()
        page = titled(self.entry)
        self.back.heard = back_to(self.came) if self.came is not None else _("Back to {page}", page=page)

    def leave_screen(self) -> None:
        self.review.close()
        self.app.gallery.rest()
        if self.exporting is not None:
            self.exporting.close()
        super().leave_screen()

    def go_back(self) -> None:
        """Go back to the page from which the replay was opened.

        If there is none, open the match in :attr:`file` or, without a file, the match page at the end of the match.
        """
        if self.came is not None:
            self.app.stage.show(self.came.renewed())
            return
        if self.file is not None:
            self.app.matches.open_path(self.file)
            return
        self.match.goto(len(self.history))
        self.app.pages.play(self.match, self.entry)

    def lay_out(self) -> None:
        """Open the position editor with the position shown, if this kind of table supports it."""
        if self.stand.editable:
            self.app.pages.edit(self.match, self.at_ply, self.entry)

    def play_from_here(self) -> None:
        """Start a new match that begins with the moves shown so far."""
        fresh = up_to(self.match, self.at_ply)
        self.app.matches.play(fresh, self.entry)

    def next_fault(self) -> None:
        """Jump to the position before the next mistake found; after the last mistake, to the first."""
        if not self.band.on:
            self.band.toggle()
        at = self.band.next_fault()
        if at is not None:
            self.running.on = False
            self.go(at)

    def find_turn(self) -> None:
        """Open the page for finding improvements on the moves played."""
        self.app.pages.find(self.match, self.entry, self, self.review.found)

    # Layout

    def smallest(self, wide: float) -> tuple[float, float]:
        if wide >= self.least[0]:
            return self.least
        return COLUMN[0], LOW + (HIGH if self.band.on else 0.0)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas, narrow = self.app.canvas, self.narrow
        canvas.scale = self.app.scale
        top, rest = rect.cut_top(TOP)
        self.top.layout(top)
        self.back.bare = narrow
        row(Rect(top.x + 8, top.y, 120, top.h), [self.back], canvas)
        bar, rest = rest.cut_bottom(self.foot.high(narrow))
        self.bar.layout(bar)
        buttons = [self.find, self.go_on]
        self.foot.layout(bar, canvas, narrow, buttons)
        if not narrow:
            row(Rect(top.x, top.y, top.w - 14, top.h), buttons, canvas, align=1)
        self.view.layout(rest)
        self.stand.over.layout(rest)
        self.glance.layout(rest)
        self.stand.fit(self._told(min(CAPTION, rest.w - 16)))

    def paint(self, canvas: Canvas, style: Style) -> None:
        pass

    def draw(self, canvas: Canvas, style: Style) -> None:
        super().draw(canvas, style)
        result = self.history[-1].state.result if self.history else None
        left = self.back.rect.right + 10
        wide = canvas.text_in(Rect(left, 0, 260, TOP), titled(self.entry), style.ink, "title", HEADING - 2)
        about = " – ".join(self.names)
        if result is not None:
            end, shown = self.history[-1].state, self.match.shown
            about += f" · {ending(end, language(), self.names, counted=self.counted, shown=shown)}"
        if self.band.on:
            about = self.review.accuracies() or about
        buttons = self.find if self.find.visible else self.go_on
        right = self.top.rect.right if self.narrow else buttons.rect.x
        space = Rect(left + wide + 20, 0, right - left - wide - 40, TOP)
        canvas.text_fit(space, about, style.soft, "sans", BODY)
        if self.glance.stop is None:  # the preview has its own caption
            text = self.answer or self.caption()
            box = self._told(min(canvas.width(text, "sans", BODY) + 24, self.view.rect.w - 16))
            paint_card(canvas, style, box, 6)
            canvas.text_fit(box.inset(12, 0), text, style.ink, "sans", BODY)
        self.foot.draw(canvas, style, self.at_ply)

    def _told(self, long: float) -> Rect:
        """Return the rectangle of a caption ``long`` pixels wide."""
        area = self.view.rect
        return Rect(area.cx - long / 2, area.bottom - 46, long, 32)

    def caption(self, at: int | None = None) -> str:
        """Return a description of move number ``at``, by default the last move shown.

        If the review is on, its verdict on the move is included.
        """
        at = self.at_ply if at is None else at
        if not at:
            return _("Before the first move")
        turn, told = self.history[at - 1].turn + 1, self.stand.told(at - 1)
        line = _("Turn {turn} – {told}", turn=turn, told=told) if told else _("Turn {turn}", turn=turn)
        thought = self.review.made_by(at) if self.band.on else None
        return (
            line
            if thought is None
            else _("{line}.  {thought}", line=line, thought=self.review.sentence(thought))
        )

    # Keys

    def key(self, key: Key) -> bool:
        actions: Mapping[str, Callable[[], object]] = {
            "space": self.running.toggle,
            "left": lambda: self.step(-1),
            "right": lambda: self.step(1),
            ",": lambda: self.step(-1),
            ".": lambda: self.step(1),
            "home": lambda: self.go(0),
            "end": lambda: self.go(len(self.history)),
            "up": lambda: self.running.change_speed(1),
            "down": lambda: self.running.change_speed(-1),
            "l": self.running.loop,
            "i": lambda: self.running.mark(False),
            "o": lambda: self.running.mark(True),
            "a": self.band.toggle,
            "n": self.next_fault,
            "e": self.lay_out,
            "ctrl+e": lambda: export.show(self),
            **self.questions.keys(),
            "escape": self.go_back,
            "ctrl+o": self.app.pages.kept,
            "ctrl+n": self.app.pages.home,
        }
        return self.act_on(key, actions, self.view_commands.key)

    def trace(self) -> Mapping[str, object]:
        return {
            "at": self.at_ply,
            "of": len(self.history),
            "caption": self.caption(),
            "running": self.running.on,
            "looped": list(self.running.part.between(len(self.history))),
        }


def show_again(page: Replay, span: tuple[int, int]) -> None:
    """Repeat the moves in ``span`` in a loop, in slow motion."""
    page.running.part.span, page.running.part.on = span, True
    page.running.set_speed(SLOW)
    page.go(span[0])
    page.running.toggle()
