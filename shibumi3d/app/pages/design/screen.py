"""The page of the game editor, with the text of a game next to a board that reflects its changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import HEADING, RADIUS, SMALL, Style

from ...board.seating import shown_with
from ...board.showcase import Showcase
from ...host import sheet
from ...host.page import Page
from ...ui.button import Button, narrowed, row
from ...ui.canvas import Canvas
from ...ui.choice import Tabs
from ...ui.core import Key
from ...ui.label import Text
from . import sharing
from .bench import Bench
from .draft import Draft
from .judging import Judge
from .mechanisms import Mechanisms
from .reading import Reading
from .shelf import titled
from .teaching import Teacher

if TYPE_CHECKING:
    from ...host import Host

    PlayDraft = Callable[[Host, Entry, Draft, Callable[[], None]], None]
    """Plays a game that is drafted; the last function goes back to the draft."""

TEXT, MECHANISMS, BOARD = range(3)
"""Indexes of the tabs."""
NARROW = 900
"""Width below which the board is on a tab of its own."""
KEEP = 2.0
"""Delay between the last change and autosaving the draft, in seconds."""
LOW = 110.0
"""Minimum height of the board when it is above a panel of results."""
TITLES = 700
"""Width below which the title of the page is hidden to make room for the buttons."""


class LiveBoard(Showcase):
    """Board that shows a sample position of the game being edited."""

    def put(self, reading: Reading) -> None:
        """Show the sample position of a valid text."""
        entry = reading.entry
        if entry is not None:
            self._wanted = (entry, entry.size, "", shown_with(entry))
            self._change(reading.state)


class Design(Page):
    """The game editor.

    The text is checked in a worker process. While it has errors, the board shows the last valid version.
    """

    title = "design"
    letters = True
    keys = sheet.DESIGN

    def __init__(self, app: Host, play_draft: PlayDraft, draft: Draft | None = None) -> None:
        super().__init__(app)
        self.play_draft = play_draft
        self.draft = draft or Draft(app)
        self.editor = self.draft.editor
        self._title = ""
        """Title of the game, taken from the text."""
        self._studied = ""
        """Text that was last evaluated or trained."""
        self._put: Reading | None = None
        """Version shown on the board, or None."""
        self.view: LiveBoard = LiveBoard(app)
        self.back = Button(_("Games"), app.pages.home, icon="back", kind="quiet", name="back")
        self.judging = Judge(
            app,
            Button(
                _("Playtest"),
                self.judge,
                icon="analysis",
                tip=_("Let the computer play 500 games  F6"),
                name="judge",
            ),
        )
        self.teaching = Teacher(
            app,
            Button(
                _("Train"),
                self.teach,
                icon="book",
                tip=_("Train the computer at this game for a few minutes; Sky may get stronger  Ctrl+L"),
                name="learn",
            ),
        )
        self.bar = self._buttons()
        self.tab = TEXT
        self.mechanisms = Mechanisms(app, self.editor, lambda: self._choose_tab(TEXT))
        names = [_("Text"), _("Mechanisms"), _("Board")]
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
            self.teaching,
        )
        self.status.say(*self.draft.sentence())

    def _buttons(self) -> list[Button]:
        """Return the buttons at the right of the page's header."""
        return [
            Button(
                _("New"), self.begin_anew, icon="plus", tip=_("Start from scratch  Ctrl+N"), name="new game"
            ),
            Button(
                _("Save"),
                self.draft.save,
                icon="save",
                tip=_("Save to My games  Ctrl+S"),
                name="save game",
            ),
            Button(
                _("Share"),
                lambda: sharing.show(self.app, self.draft),
                icon="open",
                tip=_("Share as one line of text, or import one  Ctrl+E"),
                name="share",
            ),
            self.judging.button,
            self.teaching.button,
            Button(
                _("Play"),
                self.try_out,
                icon="play",
                kind="main",
                tip=_("Play it  F5"),
                name="try",
            ),
        ]

    def _heard(self) -> None:
        """Update the page after a change of the draft."""
        draft = self.draft
        self._title = titled(draft.text)
        for bench in (self.judging, self.teaching):
            bench.stale = self._studied != draft.text
        if draft.good is not None and draft.good is not self._put:
            self._put = draft.good
            self.view.put(draft.good)
        self.status.say(*draft.sentence())
        self.mechanisms.there.renew()
        self.refresh()

    # Actions

    def begin_anew(self) -> None:
        """Start a new game from the template. Undo restores the previous text."""
        self.draft.begin(
            _(
                "title: My game\nplayers: 2\nturn:\n  - place: own\nend:\n  - when: stuck\n    lose: mover\n"
            ).split("\n")
        )
        self._choose_tab(TEXT)

    def judge(self) -> None:
        """Start evaluating the game, or stop the evaluation if it is running."""
        if self.judging.running:
            self.judging.stop()
        else:
            self.draft.when_read(self._judge)

    def teach(self) -> None:
        """Start training the computer players of the game, or stop the training if it is running.

        Work that is already done is reused the next time.
        """
        if self.teaching.running:
            self.teaching.stop()
        else:
            self.draft.when_read(self._teach)

    def _judge(self, entry: Entry) -> None:
        self._make_room(self.judging)
        self.judging.begin(entry)

    def _teach(self, entry: Entry) -> None:
        self._make_room(self.teaching)
        self.teaching.begin(entry)

    def _make_room(self, bench: Bench) -> None:
        """Show the panel ``bench`` together with the board, and hide the other panel."""
        for other in (self.judging, self.teaching):
            if other is not bench:
                other.close()
                other.visible = False
        if not self.view.visible:
            self.tab = BOARD
        self._studied = self.draft.text

    def try_out(self) -> None:
        """Play the game on another page. The match isn't saved."""
        self.draft.keep()
        self.draft.when_read(lambda entry: self.play_draft(self.app, entry, self.draft, self._again))

    def _again(self) -> None:
        """Show the draft in a new editor page."""
        self.app.stage.show(Design(self.app, self.play_draft, self.draft))

    # Page

    def shown(self) -> None:
        if self.root is not None:
            self.root.focus = self.editor
        self.draft.heard = self._heard
        self._heard()
        self.draft.read()

    def leave_screen(self) -> None:
        self.draft.rest()
        self.judging.close()
        self.teaching.close()

    def animate(self, now: float) -> bool:
        return self.view.animate(now)

    def heading(self) -> str:
        return self._title or _("Untitled")

    def renewed(self) -> Design:
        page = Design(self.app, self.play_draft, self.draft)
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
        names = [_("Text"), _("Mechanisms"), _("Board")]
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
        for bench in (self.judging, self.teaching):
            if bench.visible:
                high = min(bench.natural(canvas, board.w), max(board.h * 0.75, board.h - LOW))
                verdict, board = board.cut_bottom(high, 8)
                bench.layout(verdict if self.view.visible else Rect())
        self.view.layout(board)

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rule(self.rect.x, 55, self.rect.w, style.hairline)
        if self.view.visible:
            canvas.frame(self.view.rect, style.hairline, RADIUS)
        if self.rect.w >= TITLES:
            left = self.back.rect.right + 14
            first = next((button for button in self.bar if button.visible), self.bar[0])
            place = Rect(left, 0, max(0.0, first.rect.x - left - 12), 56)
            canvas.text_in(place, self._title or _("Untitled"), style.ink, "title", HEADING - 2)

    def text(self, text: str) -> bool:
        if self.root is None or not self.editor.visible:
            return False
        self.root.focus = self.editor
        return self.editor.text(text)

    def key(self, key: Key) -> bool:
        actions = {
            "ctrl+s": self.draft.save,
            "ctrl+n": self.begin_anew,
            "f2": lambda: self._choose_tab((self.tabs.chosen + 1) % len(self.tabs.options)),
            "ctrl+z": lambda: self.editor.step_back(),
            "ctrl+y": lambda: self.editor.step_back(on=True),
            "f5": self.try_out,
            "f6": self.judge,
            "ctrl+l": self.teach,
            "ctrl+e": lambda: sharing.show(self.app, self.draft),
            "ctrl+enter": self.try_out,
            "escape": self.app.pages.home,
        }
        action = actions.get(key.chord)
        if action is None:
            return self._write(key)
        action()
        return True

    def _write(self, key: Key) -> bool:
        """Pass a key to the editor even if it isn't focused; return whether the key was handled."""
        if self.root is None or not self.editor.visible or key.name == "tab" or len(key.chord) == 1:
            return False
        before, self.root.focus = self.root.focus, self.editor
        if self.editor.key(key):
            return True
        self.root.focus = before
        return False

    def trace(self) -> Mapping[str, object]:
        draft = self.draft
        return {
            "text": draft.text,
            "status": self.status.words,
            "read": draft.fresh and not draft.busy,
            "mistakes": [str(remark.line + 1) + " " + remark.text for remark in self.editor.remarks],
            "good": draft.fresh and draft.reading is not None and draft.reading.good,
            "file": draft.name,
            "entries": self.mechanisms.places() if self.mechanisms.visible else {},
            "judged": self.judging.verdict.games if self.judging.verdict is not None else 0,
            "judging": self.judging.running,
            "learning": self.teaching.running,
            "learned": self.teaching.outcome,
        }
