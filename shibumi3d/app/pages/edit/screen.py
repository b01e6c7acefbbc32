"""Page of the position editor: a board, a tray of marbles, and buttons to play, analyse or solve."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from shibumi3d.app.wording import titled
from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.i18n import N_, _, language, local
from shibumi3d.match.match import Match
from shibumi3d.rules.ending import ending
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.wording import capital
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, HEADING, Style

from ...board.heard import marbles_told
from ...board.over import Over
from ...board.questions import MomentQuestions
from ...board.screen import BoardScreen
from ...board.seen import Open
from ...host import sheet
from ...host.screen import back_to
from ...host.view import View
from ...ui.button import Button, narrowed, row
from ...ui.canvas import Canvas
from ...ui.card import paint_card
from ...ui.core import Key
from ...ui.drop import Drop
from ...ui.panel import Panel
from ...ui.tree import Thing
from . import solving
from .doing import Doing
from .draft import Bench, bench_of
from .parts import TAKE, Swatch
from .pointing import Pointing

if TYPE_CHECKING:
    from ...host import Host
    from ...host.screen import Screen

EDIT_TIP_TEXTS = {
    "copy": N_("Copy as text  Ctrl+C"),
    "analyse": N_("Evaluation and best moves  A"),
    "solve": N_("Look for a solution  S"),
    "play": N_("Play from here  P"),
}
EDIT_BUTTON_TEXTS = {
    "copy": N_("Copy"),
    "analyse": N_("Analyse"),
    "solve": N_("Solve"),
    "play": N_("Play from here"),
}

TOP, LINE = 44, 48
CAPTION = 420
"""Width reserved for the message below the board, in logical pixels."""


class Edit(BoardScreen):
    """Page of the position editor. ``came`` is the page to return to."""

    title = "edit"
    columned = True
    keys = sheet.EDIT
    doing: Doing

    def __init__(self, app: Host, bench: Bench, entry: Entry, came: Screen | None = None) -> None:
        self.bench, self.came = bench, came
        super().__init__(app, bench.match, entry)
        doing = self.doing
        self.over = Over(self)
        self.questions = MomentQuestions(self)
        self.sayings = (self.sentence,)
        self.top, self.bar = Panel("page", "bottom"), Panel("page", "top")
        self.back = Button(_("Back"), self.go_back, icon="back", kind="quiet", name="back")
        self.back.heard = back_to(came)
        self.copy = self._button("copy", doing.copy_text, "copy")
        self.analyse = self._button("analyse", lambda: doing.play(analysing=True), "analysis")
        self.solve = self._button("solve", doing.find_out, "hint")
        self.go = self._button("play", doing.play, "play", "main")
        self.tray = [Swatch(number, doing.choose) for number in range(TAKE + 1)]
        self.undo = self._tool(_("Undo  Ctrl+Z"), doing.undo_now, "undo")
        self.redo = self._tool(_("Redo  Ctrl+Y"), doing.redo_now, "redo")
        self.clear_all = Button(
            _("Clear"),
            lambda: doing.done(self.bench.empty(), _("All marbles removed.")),
            kind="quiet",
            tip=_("Remove all marbles"),
            name="clear",
        )
        self.stocks = Button(
            _("Off the board"),
            doing.show_stocks,
            kind="quiet",
            tip=_("Marbles off the board"),
            name="stocks",
        )
        facts, draft = bench.facts, bench.draft
        seats = [_("{who} to move", who=name) for name in bench.names]
        self.mover = Drop(
            seats,
            draft.to_move,
            lambda n: doing.done(self.bench.seat(n)),
            name="to move",
            usual=draft.to_move,
        )
        self.mover.visible = len(seats) > 1
        phases = [capital(local(phase)) for phase in facts.phases] or [""]
        phase = min(draft.phase, len(phases) - 1)
        self.phase = Drop(phases, phase, lambda n: doing.done(self.bench.phase(n)), name="phase", usual=phase)
        self.phase.visible = len(facts.phases) > 1
        self.sizes = sorted(entry.sizes)
        at = self.sizes.index(bench.size) if bench.size in self.sizes else 0
        self.size = Drop(
            [_("Size {size}", size=size) for size in self.sizes], at, doing.resize, name="size", usual=at
        )
        self.size.visible = len(self.sizes) > 1
        self.stocks.visible = bool(bench.stocks)
        self.add(self.view, self.over, self.top, self.bar, self.back)
        self.add(self.copy, self.analyse, self.solve, self.go, *self.tray, self.mover, self.phase, self.size)
        self.add(self.stocks, self.clear_all, self.undo, self.redo)
        self.update()

    def _button(self, what: str, action: Callable[[], None], icon: str, kind: str = "plain") -> Button:
        tip = _(EDIT_TIP_TEXTS[what])
        return Button(
            _(EDIT_BUTTON_TEXTS[what]), action, icon=icon, kind=kind, tip=tip, name=f"{what} position"
        )

    def _tool(self, tip: str, action: Callable[[], None], icon: str) -> Button:
        return Button("", action, icon=icon, kind="quiet", tip=tip, name=icon)

    bare = True

    def make_view(self) -> View:
        self.doing, self.pointing = Doing(self), Pointing(self)
        view = View(
            self.app,
            self.stage.sizes,
            self.picture,
            clicked=self.pointing.clicked,
            cancelled=self.pointing.cancelled,
            pointed=self.pointing.pointed,
        )
        view.meant = self.pointing.under
        return view

    def go_back(self) -> None:
        """Return to the previous page."""
        came, self.came = self.came, None
        if came is None or came.title == "home":
            self.app.pages.home()
        else:
            self.app.stage.show(came.renewed())

    def stand(self, bench: Bench, before: Sequence[Bench]) -> None:
        """Switch to another :class:`Bench`; undo can return to the benches in ``before``."""
        page = type(self)(self.app, bench, self.entry, self.came)
        page.doing.take_over(self.doing)
        page.doing.before = list(before)
        page.doing.keep()
        self.app.stage.show(page)
        page.update()

    def things(self) -> Sequence[Thing]:
        return marbles_told(self.stage, self.state, self.view, self.bench.names, self.facts.moves)

    def heading(self) -> str:
        return _("{game}: position editor", game=titled(self.entry))

    def renewed(self) -> Edit:
        page = Edit(self.app, self.bench, self.entry, self.came)
        page.doing.take_over(self.doing)
        page.view.home, page.view.camera = self.view.home, self.view.camera
        return page

    def shown(self) -> None:
        path = self.doing.path
        if path is not None and not self.app.store.claim(path):
            self.doing.path = None  # the match is now open in another window, so continue with a copy

    def leave_screen(self) -> None:
        self.app.solver.stop()
        if self.doing.path is not None:
            self.app.store.release(self.doing.path)

    # Display

    def update(self) -> None:
        """Update the page after a change to the position."""
        self.match, self.seen = self.bench.match, Open(self.bench.match)
        self.stage.finish()
        marbles = {
            (board, point): colour
            for board, cells in enumerate(self.bench.draft.boards)
            for colour, mask in enumerate(cells)
            for point in bits(mask)
        }
        self.stage.queue.reset(marbles)
        over = self.match.state.to_move is None
        for button in (self.go, self.analyse, self.solve):
            button.enabled = not over
        self.solve.visible = solving.possible(self.bench)
        for swatch in self.tray:
            swatch.on = swatch.number == self.doing.chosen
        self.mover.chosen, self.phase.chosen = self.bench.draft.to_move, self.bench.draft.phase
        self.undo.enabled = self.bench.changed or bool(self.doing.before)
        self.redo.enabled = self.bench.undone
        if self.rect.w:
            self.layout(self.rect)
        self.refresh()

    at_ply, viewer = 0, None
    """Used by :class:`MomentQuestions`: no moves have been made, and nothing is hidden."""

    def remark(self, sentence: str) -> None:
        self.doing.note = sentence
        self.refresh()

    def pointed_at(self) -> str:
        """Return the name of the point under the cursor or the pointer, or an empty string."""
        at = self.pointing.active
        return self.match.first.point_name(at.point, at.board) if at is not None else ""

    def sentence(self) -> str:
        """Return the message to show: the latest note, or else the caption."""
        return self.doing.note or self.caption()

    def caption(self) -> str:
        """Return instructions for editing, or the result of the match if no moves are possible."""
        if self.match.state.to_move is None:
            return _(
                "The game is over in this position. {end}",
                end=ending(self.match.state, language(), self.names, counted=self.facts.counted),
            )
        return _("Choose a marble and click where to put it. Right-click a marble to remove it.")

    def picture(self, now: float, aspect: float) -> Frame:
        signs: list[Sign] = []
        ghosts: list[Ghost] = []
        if self.app.settings.marks == "always" and self.doing.chosen != TAKE:
            signs = [
                Sign(SignKind.LEGAL, board, point)
                for board in range(len(self.stage.sizes))
                for point in bits(self.bench.open(board))
            ]
        at = self.pointing.active
        if at is not None:
            there = self.bench.colour(*at[:2])
            if there < 0 and self.doing.chosen != TAKE:
                ghosts = [Ghost(at.board, at.point, self.doing.chosen)]
            elif there >= 0 and self.doing.chosen in (TAKE, there):
                signs.append(Sign(SignKind.DOOMED, at.board, at.point))
            elif there >= 0:
                signs.append(Sign(SignKind.DYED, at.board, at.point, (self.doing.chosen,)))
            if self.pointing.cursor is not None:
                signs.append(Sign(SignKind.CURSOR, at.board, at.point))
        return self.frame(now, aspect, signs, ghosts)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        top, rest = rect.cut_top(TOP)
        self.top.layout(top)
        self.back.bare = self.narrow
        row(Rect(top.x + 8, top.y, 120, top.h), [self.back], canvas)
        right = [self.copy, self.analyse, self.solve, self.go]
        narrowed(right, canvas, top.w - 310)
        self._title = row(Rect(top.x, top.y, top.w - 14, top.h), right, canvas, align=1)
        lines = self._lines(rect.w - 28, canvas)
        bar, rest = rest.cut_bottom(LINE * len(lines))
        self.bar.layout(bar)
        for number, buttons in enumerate(lines):
            row(Rect(bar.x + 14, bar.y + LINE * number, bar.w - 28, LINE), buttons, canvas)
        row(Rect(bar.x, bar.y, bar.w - 14, LINE), [self.undo, self.redo], canvas, gap=2, align=1)
        self.view.layout(rest)
        self.over.layout(rest)
        self.view.fit((), [self._told(CAPTION)])

    def _lines(self, wide: float, canvas: Canvas) -> list[list[Button]]:
        """Divide the buttons of the bar into as few lines as possible."""
        lines: list[list[Button]] = [[*self.tray]]
        room = wide - 76  # the undo and redo buttons are at the right end of the first line
        left = room - sum(button.natural(canvas) + 6 for button in self.tray)
        for button in (self.mover, self.phase, self.size, self.stocks, self.clear_all):
            if not button.visible:
                continue
            need = button.natural(canvas) + 6
            if need > left:
                lines.append([])
                left = wide
            lines[-1].append(button)
            left -= need
        return lines

    _title = 0.0

    def _told(self, long: float) -> Rect:
        """Return the rectangle for the message, at most ``long`` wide."""
        area = self.view.rect
        wide = min(long, area.w - 24)
        return Rect(area.cx - wide / 2, area.bottom - 44, wide, 32)

    def draw(self, canvas: Canvas, style: Style) -> None:
        super().draw(canvas, style)
        left = self.back.rect.right + 10
        space = Rect(left, 0, self.rect.w - self._title - 24 - left, TOP)
        heading = _("{game}: position editor", game=titled(self.entry))
        canvas.text_fit(space, heading, style.ink, "title", HEADING - 2)
        text = self.sentence()
        box = self._told(canvas.width(text, "sans", BODY) + 24)
        paint_card(canvas, style, box, 6)
        canvas.text_fit(box.inset(12, 0), text, style.ink, "sans", BODY)

    # Keys

    def key(self, key: Key) -> bool:
        doing = self.doing
        actions: Mapping[str, Callable[[], object]] = {
            "escape": self.go_back,
            "ctrl+z": doing.undo_now,
            "ctrl+shift+z": doing.redo_now,
            "ctrl+y": doing.redo_now,
            "ctrl+c": doing.copy_text,
            "ctrl+v": doing.paste_text,
            "p": doing.play,
            "a": lambda: doing.play(analysing=True),
            "s": doing.find_out,
            **self.questions.keys(),
            "ctrl+o": self.app.pages.kept,
            "ctrl+n": self.app.pages.home,
            **{str(n + 1): partial(doing.choose, n) for n in range(TAKE + 1)},
        }
        return self.act_on(key, actions, self._walks)

    def _walks(self, key: Key) -> bool:
        """Handle a key that turns the view or moves the cursor; return whether it was handled."""
        return self.view_commands.key(key) or (self.app.root.focus is None and self.pointing.walk(key))

    def trace(self) -> Mapping[str, object]:
        name, cursor = self.match.first.point_name, self.pointing.cursor
        return {
            "points": self.pointing.places(),
            "boards": list(self.match.first.boards),
            "note": self.sentence(),
            "cursor": "" if cursor is None else name(cursor.point, cursor.board),
            "chosen": "take" if self.doing.chosen == TAKE else COLOURS[self.doing.chosen],
        }


def edit_match(app: Host, match: Match, plies: int, entry: Entry) -> None:
    """Open the editor with the position after ``plies`` moves; it returns to the current page."""
    try:
        bench = bench_of(match, plies)
    except (RuleFailure, ValueError) as problem:
        app.tell(_("Couldn't start this game: {problem}.", problem=problem))
    else:
        app.stage.show(Edit(app, bench, entry, app.stage.screen))


def edit_game(
    app: Host,
    entry: Entry,
    names: Sequence[str],
    kinds: Sequence[str],
    size: int,
    variant: str,
    options: Mapping[str, int | str],
) -> None:
    """Open the editor with a new position of a game, for the given seats and options."""
    try:
        game = entry.game(size=size, variant=variant, options=options)
        if not game.size:
            app.tell(_("You can only edit positions in marble games."))
            return
        bench = Bench(game, names, random.randrange(1_000_000), kinds)
    except (CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
        app.tell(_("Couldn't start this game: {problem}.", problem=problem))
    else:
        app.stage.show(Edit(app, bench, entry, app.stage.screen))
