"""The page on which somebody makes a game: its text beside a board that follows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.catalogue.loader import GAME_LIMITS
from shibumi3d.catalogue.schema import Entry
from shibumi3d.match.store import games_folder
from shibumi3d.rules.wording import capital

from .. import sheet
from ..home.showcase import Showcase
from ..screen import Screen
from ..text import say, told
from ..ui.button import Button, narrowed, row
from ..ui.canvas import Canvas
from ..ui.choice import Tabs
from ..ui.core import Key
from ..ui.editor import Editor, Remark
from ..ui.label import Text
from ..ui.rect import Rect
from ..ui.style import HEADING, RADIUS, SMALL, Style
from ..ui.writing import Writing
from . import sharing, words
from .judging import Judge
from .mechanisms import Mechanisms
from .reading import Reader, Reading, seats_of
from .shelf import Shelf, titled

if TYPE_CHECKING:
    from ..app import App

TEXT, MECHANISMS, BOARD = range(3)
"""The tabs."""
NARROW = 900
"""The width below which the board stands behind a tab."""
KEEP = 2.0
"""Seconds without a change after which the draft is kept."""
LOW = 110.0
"""The least height of the board above a judgement."""
TITLES = 700
"""The width below which the title of the page gives its place to the buttons."""


class LiveBoard(Showcase):
    """Shows a position of the game that is written."""

    def put(self, reading: Reading) -> None:
        """Shows what was found in a text that is in order."""
        entry = reading.entry
        if entry is not None:
            self._wanted = (entry, entry.size, "", seats_of(entry))
            self._change(reading.state)


class Design(Screen):
    """Edits a game. What is written is read in a process beside; a text with mistakes leaves the last good board."""

    title = "design"
    letters = True
    keys = sheet.DESIGN

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.shelf = Shelf(app.catalogue.user_folder or games_folder(), app.config / "draft.json")
        name, text, saved = self.shelf.draft() or ("", say("design.first"), "")
        self.name = name
        """The file it is saved as; empty where it was never saved."""
        self.saved = saved
        """The text as it was saved last."""
        self.good: Reading | None = None
        """The last text that was in order."""
        self.reading: Reading | None = None
        self.stuck = False
        """Whether the text was given up, since reading it took too long."""
        self._kept = text
        self._changes = 0
        self._wished: Callable[[Entry], None] | None = None
        """What is to be done with the game as soon as it is read."""
        self._judged = ""
        """The text that was judged."""
        self.reader = Reader(lambda delay, what: app.later(delay, what), lambda: app.clock(), self._read)
        self.editor = Editor(
            Writing(text, GAME_LIMITS.size),
            self._changed,
            offers=words.offers,
            parts=words.parts,
            copy=app.copy,
            paste=app.paste,
            clock=lambda: app.clock(),
        )
        self.view: LiveBoard = LiveBoard(app)
        self.back = Button(say("games"), app.show_home, icon="back", kind="quiet", name="back")
        self.judging = Judge(
            app,
            Button(
                say("design.judge"), self.judge, icon="analysis", tip=say("design.judge.tip"), name="judge"
            ),
        )
        self.bar = self._buttons()
        self.tab = TEXT
        self.mechanisms = Mechanisms(app, self.editor, lambda: self._choose_tab(TEXT))
        names = [say("design.text"), say("design.mechanisms"), say("design.board")]
        self.tabs = Tabs(names, TEXT, self._choose_tab, name="design tabs")
        self.status = Text("", "sans", SMALL, "soft", name="status")
        self.add(
            self.view,
            self.editor,
            self.mechanisms,
            self.tabs,
            self.back,
            *self.bar,
            self.status,
            self.judging,
        )
        self._say_status()

    def _buttons(self) -> list[Button]:
        """What can be done with the game, at the right of the head of the page."""
        return [
            Button(
                say("design.new"), self.begin_anew, icon="plus", tip=say("design.new.tip"), name="new game"
            ),
            Button(say("design.save"), self.save, icon="save", tip=say("design.save.tip"), name="save game"),
            Button(
                say("design.share"),
                lambda: sharing.show(self),
                icon="open",
                tip=say("design.share.tip"),
                name="share",
            ),
            self.judging.left,
            Button(
                say("design.try"),
                self.try_out,
                icon="play",
                kind="main",
                tip=say("design.try.tip"),
                name="try",
            ),
        ]

    # The text

    @property
    def text_now(self) -> str:
        """The text as it stands."""
        return self.editor.writing.text

    @property
    def path(self) -> Path:
        """Where the game is, or would be."""
        return self.shelf.path_of(self.name)

    def open(self, name: str) -> None:
        """Takes up a game of one's own; the text before can be taken back."""
        try:
            text = self.shelf.read(self.shelf.path_of(name))
        except OSError as problem:
            self.app.tell(say("save.problem", problem=problem.strerror or problem))
            return
        self.take_in(text)
        self.name, self.saved = name, self.text_now
        self._changed()

    def _changed(self) -> None:
        """Something was written: it is read in a moment, and kept a little later."""
        self._changes += 1
        self._wished, self.stuck = None, False
        self.judging.stale = self._judged != self.text_now
        number = self._changes
        self.reader.read(self.text_now, self.path)
        self._say_status()

        def rest() -> None:
            if number == self._changes and self.app.screen is self:
                self.keep()

        self.app.later(KEEP, rest)

    def _read(self, found: Reading | None) -> None:
        """Shows what was found in the text."""
        if self.app.screen is not self:
            return
        self.stuck = found is None
        if found is not None:
            self.reading = found
            if found.text == self.text_now:
                self.editor.remark(self._remarks(found))
            if found.good:
                self.good = found
                self.view.put(found)
        self._say_status()
        self.refresh()
        if self._wished is not None and (self.stuck or not self.reader.busy):
            self._when_read(self._wished)

    def _remarks(self, found: Reading) -> list[Remark]:
        """The mistakes, each below its line; those of other files below the first."""
        remarks = []
        for problem in found.problems:
            mark = problem.mark
            if mark.file == str(self.path):
                text = say("sentence", text=capital(told(problem.message).rstrip(".")))
                remarks.append(Remark(mark.line - 1, mark.column - 1, text.replace("?.", "?")))
            else:
                remarks.append(Remark(0, 0, told(problem)))
        return remarks

    def _say_status(self) -> None:
        """The line below the board."""
        reading = self.reading
        if self.stuck:
            self.status.say(say("design.stuck"), "brick")
        elif reading is None or reading.text != self.text_now:
            self.status.say(say("design.reading"), "soft")
        elif reading.problems:
            many = len(reading.problems)
            before = say("design.before") if self.good is not None else ""
            self.status.say(f"{say('design.mistakes', many)} {before}".strip(), "brick")
        elif reading.state is None:
            self.status.say(say("design.no-start"), "brick")
        elif reading.entry is not None:
            least, most = reading.entry.players
            players = (
                say("players.range", least=least, most=most)
                if most > least
                else say("players.solo")
                if most == 1
                else say("players.just", n=most)
            )
            saved = say("design.saved" if self.text_now == self.saved else "design.unsaved")
            self.status.say(say("design.good", players=players, saved=saved), "soft")

    # What can be done

    def keep(self) -> None:
        """Keeps the draft, so that nothing written is lost."""
        if self.text_now == self._kept:
            return
        try:
            self.shelf.keep(self.name, self.text_now, self.saved)
        except OSError as problem:
            self.app.warn(say("design.not-kept", problem=problem.strerror or problem))
        else:
            self._kept = self.text_now

    def begin_anew(self) -> None:
        """Begins a game from nothing; what was written can be taken back to."""
        self.name = self.saved = ""
        self.editor.set(say("design.first").split("\n"))
        self._choose_tab(TEXT)

    def save(self) -> None:
        """Writes the game among one's own."""
        text = self.text_now
        name = self.name or self.shelf.free(
            titled(text), {entry.id for entry in self.app.catalogue if not entry.own}
        )
        try:
            self.shelf.write(name, text)
        except OSError as problem:
            self.app.tell(say("save.problem", problem=problem.strerror or problem))
            return
        self.name, self.saved, self._kept = name, text, ""
        self.keep()
        if self.app.catalogue.user_folder is not None:
            self.app.catalogue = self.app.catalogue.joined(self.app.catalogue.user_folder)
        self.reader.read(text, self.path)
        self._say_status()
        self.refresh()

    def take_in(self, text: str) -> None:
        """Writes a game that came from elsewhere in place of the text; it can be taken back."""
        self.name = self.saved = ""
        self.editor.set(Writing(text, GAME_LIMITS.size).lines)
        self.editor.show(0)

    def judge(self) -> None:
        """Judges the game, or stops that."""
        if self.judging.running:
            self.judging.stop()
        else:
            self._when_read(self._judge)

    def _judge(self, entry: Entry) -> None:
        if not self.view.visible:
            self.tab = BOARD
        self.judging.begin(entry)
        self._judged = self.text_now

    def _when_read(self, what: Callable[[Entry], None]) -> None:
        """Does something with the game as it is written, as soon as that is read; says so when it is not in order."""
        reading = self.reading
        if not self.stuck and (reading is None or reading.text != self.text_now):
            self._wished = what
            return
        self._wished = None
        if self.stuck or reading is None or not reading.good or reading.entry is None:
            self.app.tell(say("design.not-yet"))
        else:
            what(reading.entry)

    def try_out(self) -> None:
        """Plays the game, on a page of its own; nobody keeps that match."""
        from .trying import try_out

        self.keep()
        self._when_read(lambda entry: try_out(self.app, entry))

    # The page

    def shown(self) -> None:
        if self.root is not None:
            self.root.focus = self.editor
        self.reader.read(self.text_now, self.path, at_once=True)

    def leave_screen(self) -> None:
        self.keep()
        self.reader.close()
        self.judging.close()

    def animate(self, now: float) -> bool:
        return self.view.animate(now)

    def renewed(self) -> Design:
        self.keep()
        page = Design(self.app)
        page.editor.writing = self.editor.writing
        page.tab = page.tabs.chosen = self.tab
        return page

    def _choose_tab(self, number: int) -> None:
        self.tab = number
        self.layout(self.rect)
        if self.root is not None:
            self.root.focus = self.editor if number == TEXT else None
        self.refresh()

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        top, rest = rect.cut_top(56)
        self.back.bare = rect.w < TITLES
        self.back.layout(Rect(top.x + 12, top.cy - 16, self.back.natural(canvas), 32))
        room = rect.w - self.back.rect.right - 28 - (180 if rect.w >= TITLES else 0)
        narrowed(self.bar, canvas, room)
        row(
            Rect(self.back.rect.right + 8, top.y, rect.w - self.back.rect.right - 20, 56),
            self.bar,
            canvas,
            align=1,
        )
        rest = rest.inset(14, 10)
        narrow = rect.w < NARROW
        names = [say("design.text"), say("design.mechanisms"), say("design.board")]
        self.tabs.options = tuple(names if narrow else names[:BOARD])
        tab = self.tab if narrow or self.tab != BOARD else TEXT
        self.tabs.chosen = tab
        status, rest = rest.cut_bottom(24, 6)
        self.status.layout(status)
        writing, board = (rest, rest) if narrow else rest.cut_left(rest.w * 0.54, 14)
        tabs, left = (rest if narrow else writing).cut_top(34, 6)
        self.tabs.layout(tabs)
        writing, board = left, left if narrow else board
        self.editor.visible = tab == TEXT
        self.mechanisms.visible = tab == MECHANISMS
        self.mechanisms.layout(left)
        self.view.visible = not narrow or tab == BOARD
        self.editor.layout(writing)
        if self.judging.visible:
            high = min(self.judging.natural(canvas, board.w), max(board.h * 0.75, board.h - LOW))
            verdict, board = board.cut_bottom(high, 8)
            self.judging.layout(verdict if self.view.visible else Rect())
        self.view.layout(board)

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rule(self.rect.x, 55, self.rect.w, style.hairline)
        if self.view.visible:
            canvas.frame(self.view.rect, style.hairline, RADIUS)
        if self.rect.w >= TITLES:
            left = self.back.rect.right + 14
            first = next((button for button in self.bar if button.visible), self.bar[0])
            place = Rect(left, 0, max(0.0, first.rect.x - left - 12), 56)
            canvas.text_in(
                place, titled(self.text_now) or say("design.unnamed"), style.ink, "title", HEADING - 2
            )

    def text(self, text: str) -> bool:
        if self.root is None or not self.editor.visible:
            return False
        self.root.focus = self.editor
        return self.editor.text(text)

    def key(self, key: Key) -> bool:
        actions = {
            "ctrl+s": self.save,
            "ctrl+n": self.begin_anew,
            "f2": lambda: self._choose_tab((self.tabs.chosen + 1) % len(self.tabs.options)),
            "ctrl+z": lambda: self.editor.step_back(),
            "ctrl+y": lambda: self.editor.step_back(on=True),
            "f5": self.try_out,
            "f6": self.judge,
            "ctrl+e": lambda: sharing.show(self),
            "ctrl+enter": self.try_out,
            "escape": self.app.show_home,
        }
        action = actions.get(key.chord)
        if action is None:
            return False
        action()
        return True

    def trace(self) -> Mapping[str, object]:
        reading = self.reading
        fresh = reading is not None and reading.text == self.text_now
        return {
            "text": self.text_now,
            "status": self.status.words,
            "read": fresh and not self.reader.busy,
            "mistakes": [str(remark.line + 1) + " " + remark.text for remark in self.editor.remarks],
            "good": reading is not None and fresh and reading.good,
            "file": self.name,
            "entries": self.mechanisms.places() if self.mechanisms.visible else {},
            "judged": self.judging.verdict.games if self.judging.verdict is not None else 0,
            "judging": self.judging.running,
        }
