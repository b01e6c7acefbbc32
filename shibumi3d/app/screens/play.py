"""The page on which a match is played."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from shibumi3d.catalogue.schema import Entry
from shibumi3d.match.match import Match, Ply
from shibumi3d.match.record import RecordError
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.glossary import explain, explained
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import SIDES, pyramid
from shibumi3d.rules.marbles.state import State
from shibumi3d.rules.marbles.texts import capital
from shibumi3d.scene import motion
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Frame, Mark
from shibumi3d.scene.marbles.spread import Spread
from shibumi3d.scene.marbles.stage import GHOST_ALPHA, Ghost, Sign, SignKind, marbles_of
from shibumi3d.scene.marbles.steps import steps
from shibumi3d.scene.marbles.tray import Heap
from shibumi3d.search.solver import Verdict
from shibumi3d.search.worker import Answer

from .. import reveals, secrets
from ..controller import Controller, Played, Preview, Refused, Several, Spot, Undone
from ..pointing import Meant, aimed, on_boards
from ..table import Tabletop
from ..ui.canvas import Canvas
from ..ui.core import Key
from ..ui.rect import Rect
from ..ui.style import Style
from ..ui.widgets import Button, Explained, Panel, Prose, Tabs, row
from ..view import View
from . import sheet
from .behind import Behind
from .board import BoardScreen, MoveList, numbered
from .curtain import Curtain
from .opening import Opening
from .over import Over, board_at
from .parts import (
    Answers,
    Band,
    Beads,
    ChoiceButton,
    GoCard,
    Hint,
    LineCard,
    Offer,
    SaveCard,
    SeatCard,
    Status,
    Tag,
    Tray,
    TypeCard,
)
from .plans import Flat, Plans
from .settings import SoundButton, middle
from .spreading import Spreading
from .taking import Taking

if TYPE_CHECKING:
    from ..app import App

ANNOUNCED = 2.5
"""Seconds for which a new phase is announced."""
REST = 0.4
"""Seconds that the pointer rests on a marble before it shows what that stands on."""
WATCH = 0.7
"""Seconds between two looks at a game file that may be edited."""
SOLVING = 60_000
"""How many choices are tried to find out whether a position can still be won."""
TOP, BAR, TOOLS, SIDE = 44, 52, 40, 280
NARROW = 900
"""Below this width the panel at the side is folded away unless it was asked for."""
NEAR = 14
"""So far the pointer may stray, in logical pixels, from where it was when something was said about a place."""
ROOMY = 700
"""On a view that is narrower, a column of cards leaves half of the height to the board."""
SMALL = 26
"""Boards whose marbles have a smaller radius than this, in logical pixels, are looked at from nearer."""
ROUND = 32
RIM = 0.3
"""How much of a hole, from its middle, answers should not cover."""


class Play(BoardScreen):
    """Board, players, choices, moves and rules."""

    title = "play"
    keys = sheet.PLAY

    def __init__(self, app: App, match: Match, entry: Entry) -> None:
        super().__init__(app, match, entry)
        self.control = Controller(match)
        self.control.answers_itself = app.settings.answers
        self.hover: Spot | None = None
        self.hover_marble: tuple[int, int] | None = None
        self.rested: tuple[int, int] | None = None
        """The marble on which the pointer has rested for a while."""
        self.taking = Taking(self)
        self.cursor: Spot | None = None
        self.note = ""
        self.note_at: Spot | None = None
        self._said_at = (0.0, 0.0)
        """Where the pointer was when that was said."""
        self.looking: int | None = None
        self.overlap: list[Spot] = []
        self.overlap_at = 0
        self.zen = False
        self.spreading = Spreading(self)
        self.threads = False
        self.lost = False
        """Whether it is told that the match can't be won any more from the position shown."""
        self.looked: int | None = None
        """The board that was asked for among several; None: the one in use."""
        self.panel_open = app.settings.panel
        self._again = False
        self.reveal: reveals.Reveal | None = None
        """What was chosen in secret, while all look at it."""
        self.looker: int | None = None
        """Who looked at the board last."""

        self.top = Panel("page", "bottom")
        self.back = Button(
            "Games", app.show_home, icon="back", kind="quiet", tip="Back to the games", name="back"
        )
        self.status = Status(self)
        self.book = Button(
            "", self.show_rules, icon="book", kind="quiet", tip="Rules  F1", name="rules button"
        )
        self.theme = Button(
            "", app.toggle_theme, icon="theme", kind="quiet", tip="Day or night", name="theme"
        )
        self.sounding = SoundButton(app)
        self.gear = Button(
            "", app.show_settings, icon="settings", kind="quiet", tip="Settings", name="settings"
        )
        self.handle = Button(
            "", self.toggle_panel, icon="panel", kind="quiet", tip="Moves and rules  Ctrl+B", name="panel"
        )
        self.save = Button("", self.ask_save, icon="save", kind="quiet", tip="Save  Ctrl+S", name="save")
        self.cards = [SeatCard(self, seat) for seat in range(len(match.seats))]
        self.tray = Tray(self)
        self.answers = Answers(self)
        self.tag = Tag(self)
        self.behind = Behind(self)
        self.plans = Plans(self)
        self.over = Over(self)
        self.flat = Flat(self)
        self.band = Band(self)
        self.bar = Panel("page", "top")
        self.beads = Beads(self)
        self.end_turn = Button("End turn", self.finish_turn, kind="main", name="end turn", tip="Ctrl+Enter")
        self.pass_turn = Button("Pass", self.pass_now, name="pass", tip="P")
        self.hint = Hint(self)
        self.undo = Button("Undo", self.undo_now, icon="undo", kind="quiet", tip="Undo  Ctrl+Z", name="undo")
        self.redo = Button("Redo", self.redo_now, icon="redo", kind="quiet", tip="Redo  Ctrl+Y", name="redo")
        self.again = Button(
            "", self.show_again, icon="again", kind="quiet", tip="Last turn again  B", name="again"
        )
        self.turn_it = Button("Turn", lambda: self.turn_shape(1), name="turn shape", tip="Turn the shape  ;")
        self.return_ = Button(
            "Return", lambda: self.look(None), kind="main", name="return", tip="Back to the game"
        )
        self.tools = Panel("page")
        self.eye = [
            *self.view_buttons(),
            Button(
                "Spread",
                lambda: self.spreading.set(not self.spreading.on),
                icon="spread",
                kind="quiet",
                tip="Levels apart  X held",
                name="spread",
            ),
            Button("Plan", self.toggle_flat, icon="plan", kind="quiet", tip="Levels flat  F2", name="plan"),
        ]
        self.look_back = Button(
            "", lambda: self.look_by(-1), icon="step-back", kind="quiet", tip="Look back  ,", name="look back"
        )
        self.look_on = Button(
            "", lambda: self.look_by(1), icon="step", kind="quiet", tip="Look on  .", name="look on"
        )
        self.side = Panel("page", "left")
        self.tabs = Tabs(("Moves", "Rules"), 0, self._tab, name="tabs")
        self.moves = MoveList(self, self._look_at)
        rules = match.game.meta
        self.rules = Prose(_text(rules, "rules", entry), 16, name="rules")
        self.explained = Explained()
        self.rules.explain, self.rules.met = self._explain_words, self.explained.point
        self.add(
            self.view,
            self.over,
            self.flat,
            *self.cards,
            self.tray,
            self.answers,
            self.plans,
            self.behind,
            self.tag,
            self.band,
        )
        self.add(self.top, self.back, self.status, self.book, self.theme, self.sounding, self.gear, self.save)
        self.add(self.handle)
        self.add(
            self.bar,
            self.tools,
            self.beads,
            self.end_turn,
            self.pass_turn,
            self.turn_it,
            self.hint,
            self.return_,
        )
        self.add(self.undo, self.redo, self.again, *self.eye, self.look_back, self.look_on)
        self.add(self.side, self.tabs, self.moves, self.rules, self.explained)
        self._tab(0)
        self.update()

    def make_view(self) -> View:
        view = View(
            self.app,
            self.stage.sizes,
            self.picture,
            clicked=self.clicked,
            cancelled=self.cancelled,
            pointed=self.pointed,
        )
        view.grab, view.dropped = self.grab, self.dropped
        view.meant, view.wheeled = self.meant, self.wheeled
        view.spun = lambda quarters: self.spreading.turn(quarters)
        return view

    # State

    @property
    def state(self) -> State:
        looking = getattr(self, "looking", None)
        if looking is None or looking >= self.match.cursor:
            return self.match.state
        return self.match.plies[looking - 1].state if looking else self.match.first

    def passed(self) -> Sequence[Ply]:
        return self.match.plies if self.looking is None else self.match.plies[: self.looking]

    @property
    def bare(self) -> bool:  # type: ignore[override]
        return self.zen

    @property
    def sitting(self) -> int:
        if self.opening:
            # What comes out of a box goes to whoever is next.
            return self.match.plies[-1].seat if self.match.state.to_move is None else self.match.state.to_move
        return self.match.state.mover if self.viewer is None else self.viewer

    def in_dish(self) -> Heap | None:
        colour = self.control.colour
        return self.taking.heap_of(colour) if self.asking and colour is not None and not self._again else None

    @property
    def live(self) -> bool:
        """Whether the board shows the game as it is now."""
        return self.looking is None

    @property
    def opening(self) -> bool:  # type: ignore[override]
        return getattr(self, "reveal", None) is not None

    @property
    def asking(self) -> bool:
        """Whether somebody may choose something now."""
        return self.live and not self.opening

    @property
    def viewer(self) -> int | None:
        """The seat of the person at the screen, or all; None when the match is over and nothing is secret any more."""
        return secrets.ALL if self.opening else self.match.state.to_move

    @property
    def spread(self) -> Spread | None:  # type: ignore[override]
        return self.spreading.spread

    _seen: tuple[State, int | None, State] | None = None

    def seen(self) -> State:
        state, viewer = self.state, self.viewer
        if self._seen is None or self._seen[0] is not state or self._seen[1] != viewer:
            self._seen = (state, viewer, secrets.seen(self.match.game, state, viewer))
        return self._seen[2]

    _gains: tuple[State, tuple[int, ...]] | None = None

    def gains(self) -> tuple[int, ...]:
        """How the last turn changed the score of each seat."""
        seen = self.seen()
        if not self.live or not self.match.plies:
            return (0,) * seen.seats
        if self._gains is None or self._gains[0] is not seen:
            before = self.seen_before(self.turn_start())
            same = before.game_number == seen.game_number
            pairs = zip(seen.scores, before.scores, strict=True)
            self._gains = seen, tuple(now - then if same else 0 for now, then in pairs)
        return self._gains[1]

    _masked: tuple[tuple[State, int, int | None], frozenset[int]] | None = None

    def masked(self, ply: int) -> bool:
        if self.shut_from is not None and ply >= self.shut_from:
            return True
        key = (self.match.state, len(self.match.undone), self.viewer)
        if self._masked is None or self._masked[0][0] is not key[0] or self._masked[0][1:] != key[1:]:
            every = self.match.plies
            hidden = secrets.masked(self.match.first, every, self.viewer)
            if self.viewer is not None:
                # What was taken back may still be known to one seat alone.
                for number, gone in enumerate(self.match.undone, len(every)):
                    if gone.seat != self.viewer and any(
                        secrets.kept(gone.state, self.viewer, event) or gone.state.in_secret
                        for event in gone.events
                    ):
                        hidden |= {number}
            self._masked = (key, hidden)
        return ply in self._masked[1]

    def covered(self) -> frozenset[int]:
        return secrets.covered(self.match.state, self.viewer)

    def all_know(self, events: Sequence[ev.Event]) -> Sequence[ev.Event]:
        return secrets.told(self.match.state, secrets.ALL, events)

    @property
    def board(self) -> int:
        if self.looked is not None:
            return self.looked
        if self.active is not None:
            return self.active.board
        return next((spot.board for spot in self.control.targets), 0)

    def look_at_board(self, board: int) -> None:
        """Makes ``board`` the one looked at: it is outlined, and the strip shows its levels."""
        self.looked = board
        self.forget_note()
        self.go_to_board(board)
        self.refresh()

    def go_to_board(self, board: int) -> None:
        """Brings the eye nearer to a board where all together are small."""
        if self.spreading.on:
            return
        home, aspect = self.view.home, self.view.aspect
        near, far = home.near(board), np.array([home.distance(aspect)])
        small = home.pixels(0.5, far, self.view.rect.h)[0] < SMALL
        there = self.view.camera.alone and self.view.camera.target == near.target
        if small and near.distance(aspect) < far[0] and not there:
            self.view.go(near)

    def known(self, events: Iterable[ev.Event]) -> list[ev.Event]:
        """The events as the person at the screen may know them."""
        return secrets.told(self.match.state, self.viewer, events)

    def update(self) -> None:
        """Everything that follows from the state is made anew."""
        state = self.match.state
        self.hover = self.hover_marble = self.taking.hover = None
        if len(self.control.tray) > 1 and not self.tabletop.plan.dish:
            self.tabletop = Tabletop(self.match.first, self.facts, dish=True)
        self.cursor = self.cursor if self.cursor in self.control.targets else None
        over = state.to_move is None
        self.ask_whether_lost()
        done, passing = self.control.done, self.control.passing
        self.end_turn.visible = self.asking and done is not None
        if done is not None:
            ends = "Take these" if done.kind == "points" else "End turn"
            self.end_turn.label = ends if done.kind == "points" or self.control.done_ends() else "Go on"
        self.pass_turn.visible = self.asking and passing is not None
        self.turn_it.visible = self.live and len(self.control.turns()) > 1
        self.return_.visible = not self.live
        self.undo.enabled = self.match.cursor > 0 and self.live
        self.redo.enabled = bool(self.match.undone) and self.live
        self.again.enabled = self.look_back.enabled = self.match.cursor > 0
        self.look_on.enabled = not self.live
        self.tray.visible = self.tray_needed()
        self.answers.fill(self.control.others if self.asking else [])
        self.band.visible = self.asking and over
        self.moves.update(self.match.plies, self.match.cursor if self.looking is None else self.looking)
        if self.rect.w:
            self.layout(self.rect)
        self.refresh()

    def happened(self, events: Sequence[ev.Event]) -> None:
        """A move was made: it is shown."""
        self.note, self.note_at = "", None
        self.looked = None
        self.ending = self.match.state.to_move is None
        if self.match.cursor > 1:
            self.announce(self.match.plies[-2].state)
        if reveals.revealed(events):
            self.reveal = reveals.common(self.match, self.match.plies, self.names)
        if self.reveal is not None:
            self._open(self.reveal)
            return
        self.show_motion(events, self.draw_curtain())
        self._follow()

    def _open(self, reveal: reveals.Reveal) -> None:
        """Shows to all, before any curtain, what was chosen in secret and what comes of it."""
        plies = self.match.plies[reveal.first :]
        self.stage.reset(self.seen_before(reveal.first))
        events = [event for ply in plies for event in ply.events]
        self.show_motion(reveals.hushed(self.known(events)), False)
        self.update()
        card = Opening(self, reveal)
        self.app.root.popup(card, card.place, focus=card.go_on)

    @property
    def shut_from(self) -> int | None:
        """The number of the first of the moves that are still shut while all look; None: nothing is."""
        if self.reveal is None or self.stage.queue.opening(self.now()) >= 1.0:
            return None
        return self.reveal.first

    def told(self) -> State:
        """The state as the cards tell it: nothing of what is still shut."""
        return self.seen() if self.shut_from is None else self.seen_before(self.shut_from)

    _sentence: tuple[State, str] | None = None

    def came_of(self) -> str:
        """What came of the secret choice that the last move opened; empty when it opened none."""
        plies, state = self.match.plies, self.match.state
        if not plies or not reveals.revealed(plies[-1].events):
            return ""
        if self._sentence is None or self._sentence[0] is not state:
            reveal = reveals.common(self.match, plies, self.names)
            self._sentence = state, reveal.sentence if reveal is not None else ""
        return self._sentence[1]

    def go_on(self) -> None:
        """All have looked at what was chosen: the one to move looks next."""
        if self.reveal is None or self.app.screen is not self:
            return
        self.reveal = None
        self._skip()
        self.draw_curtain()
        if self.stage.marbles != marbles_of(self.seen()):
            self.stage.reset(self.seen())
        self._follow()

    def _follow(self) -> None:
        """After a move was shown: what has one answer is answered, and the page shows what is asked now."""
        forced = self.control.forced() if self.app.settings.answers else None
        if forced is not None:
            try:
                played = self.control.play(forced)
            except RuleFailure as problem:
                self._stopped(problem)
            else:
                self.show_motion(played.events, False)
                self.happened(())
                return
        self.update()
        if self.view.camera.alone:
            # The eye follows to the board that is used next, and steps back where there are several.
            boards = {spot.board for spot in self.control.targets}
            if len(boards) == 1:
                self.go_to_board(*boards)
            elif boards:
                self.view.go(self.view.home)

    def announce(self, before: State) -> None:
        """Says once that another phase, or another game of the series, begins."""
        now = self.match.state
        text = ""
        if now.to_move is not None and now.game_number != before.game_number:
            text = f"Game {now.game_number} begins"
        elif now.to_move is not None and now.phase != before.phase and before.phase >= 0:
            text = f"Phase {now.phase + 1} begins"
        if text:
            told = self.announced = text

            def gone() -> None:
                if self.announced is told:
                    self.announced = ""
                    self.refresh()

            self.app.later(ANNOUNCED, gone)

    def show_motion(self, events: Sequence[ev.Event], covered: bool) -> None:
        """Moves the marbles as ``events`` say, unless the window was ``covered`` meanwhile."""
        seen, known = self.seen(), self.known(events)
        if not covered and known:
            self.set_table(self.match.plies, known)
            try:
                self.stage.play(known, self.now())
            except LookupError:
                self.stage.reset(seen)
            self.leave_trails(known)
            if self.spread is not None:
                # No way leads from level to level where they lie apart.
                self.stage.finish()
        # What a seat may see changes with the seat, and by more than the events tell.
        if self.stage.marbles != marbles_of(seen):
            self.stage.reset(seen)

    def draw_curtain(self) -> bool:
        """Covers the window when the one to move may know what the one before may not; whether it does."""
        state, game = self.match.state, self.match.game
        seat = state.to_move
        before, self.looker = self.looker, seat if seat is not None else self.looker
        if seat is None or before == seat or len(self.names) == 1:
            return False
        other = before if before is not None else (seat + 1) % len(self.names)
        if game.view(state, seat) != game.view(state, other):
            self.app.root.popup(Curtain(self.app, seat, self.names[seat]), lambda window: window)
            self.app.rustle()
            return True
        return False

    def shown(self) -> None:
        self.draw_curtain()
        file = self.app.file_of(self.entry)
        if file is not None:
            self._watch(file, _stamp(file))

    def take_over(self, before: Play) -> None:
        """Looks as the page ``before`` did, which showed the same match under the rules of before."""
        self.looker = before.looker
        self.view.home, self.view.camera = before.view.home, before.view.camera
        self.flat.visible, self.view.visible = before.flat.visible, before.view.visible
        self.note = "The rules were read anew."

    def _watch(self, file: Path, stamp: object) -> None:
        """Reads the rules anew whenever their file is saved."""

        def look() -> None:
            if self.app.screen is not self:
                return
            now = _stamp(file)
            if now in (None, stamp):
                self._watch(file, stamp)
                return
            told = self.app.reread(self.match, self.entry, file)
            if isinstance(told, str):
                self.note, self.note_at = told, None
                self.refresh()
                self._watch(file, now)

        self.app.later(WATCH, look)

    def leave_screen(self) -> None:
        self.stage.finish()
        self.app.adviser.stop()

    def ask_whether_lost(self) -> None:
        """Has it found out whether those who play together can still win from the position shown.

        It is told only where that is wished, or when the match is over.
        """
        state = self.state
        wanted = self.app.settings.verdicts or self.match.state.to_move is None
        if self._asked_of is not None and self._asked_of[0] is state and self._asked_of[1] == wanted:
            return
        asked = self._asked_of = (state, wanted)
        self.lost = False
        if not wanted or state.to_move is None or self.facts.solver != "win":
            return

        def told(answer: Answer) -> None:
            verdict = answer.value
            if answer.error is None and isinstance(verdict, Verdict) and self._asked_of is asked:
                self.lost = verdict.won is False
                self.refresh()

        self.app.adviser.ask(told, "solve", self.match.game, state, work=SOLVING, wait=0.8)

    # Layout

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        top, rest = rect.cut_top(TOP)
        self.top.layout(top)
        row(Rect(top.x + 8, top.y, 120, top.h), [self.back], canvas)
        for number, button in enumerate(self.corner()):
            button.layout(Rect(top.right - 44 - 36 * number, top.cy - 16, 32, 32))
        self.status.layout(Rect(0, top.y, rect.w, top.h))
        for widget in (self.back, *self.corner(), *self.cards, *self.eye):
            widget.visible = not self.zen
        for widget in (self.tools, self.again, self.look_back, self.look_on):
            widget.visible = not self.zen
        show_side = not self.zen and self.panel_open and (rect.w >= NARROW or self._asked)
        side, left = rest.cut_right(min(SIDE, rest.w * 0.5))
        rest = left if show_side else rest
        if self._slid is None:
            self._away = 0.0 if show_side else 1.0
        self.handle.on = show_side
        show_side = self._away < 1.0 and not self.zen
        for widget in (self.side, self.tabs):
            widget.visible = show_side
        if show_side:
            side = Rect(side.x + self._away * side.w, side.y, side.w, side.h)
            self.side.layout(side)
            tabs, inner = side.cut_top(40)
            self.tabs.layout(tabs)
            self.moves.layout(Rect(inner.x, inner.y + 6, inner.w - 4, inner.h - 12))
            self.rules.layout(Rect(inner.x + 20, inner.y + 12, inner.w - 24, inner.h - 20))
        self.moves.visible = show_side and self.tabs.chosen == 0
        self.rules.visible = show_side and self.tabs.chosen == 1
        bottom, area = rest.cut_bottom(BAR if self.zen else BAR + TOOLS)
        self.bar.layout(bottom)
        line, tools = bottom.cut_top(BAR)
        self.tools.layout(tools)
        self._lay_bar(line.inset(14, 0), canvas)
        left = tools.inset(10, 0)
        row(left, self.eye, canvas, gap=2)
        self.look_on.layout(Rect(tools.right - 46, tools.cy - 18, 32, 32))
        self.look_back.layout(Rect(tools.right - 80, tools.cy - 18, 32, 32))
        self.again.layout(Rect(tools.right - 114, tools.cy - 18, 32, 32))
        self.view.layout(area)
        self._lay_over(area, canvas)

    def corner(self) -> tuple[Button, ...]:
        """The buttons at the right end of the top, from there inward: the first folds the panel below it."""
        return self.handle, self.gear, self.sounding, self.theme, self.book, self.save

    def _lay_bar(self, line: Rect, canvas: Canvas) -> None:
        wide = row(Rect(line.x, line.y, line.w, line.h), [self.undo, self.redo], canvas, gap=4, align=1)
        line = Rect(line.x, line.y, line.w - wide - 12, line.h)
        beads, line = line.cut_left(self.beads.natural(), 12)
        self.beads.layout(beads)
        buttons = [b for b in (self.end_turn, self.pass_turn, self.turn_it, self.return_) if b.visible]
        wide = row(line, buttons, canvas, gap=8)
        self.hint.layout(Rect(line.x + wide + (14 if wide else 0), line.y, line.w - wide - 14, line.h))

    def _lay_over(self, area: Rect, canvas: Canvas) -> None:
        inner = area.inset(14)
        few = len(self.cards) <= 2 or self.zen
        y = [inner.y, inner.y]
        for card in self.cards:
            card.aimed = True
        highs = [card.natural(few) for card in self.cards]
        most = inner.h if area.w > ROOMY else inner.h / 2
        column = max(highs) * 4 if few else sum(highs) + 6 * len(highs)
        if column > most:
            for card in self.cards:
                card.aimed = False
            highs = [card.natural(few) for card in self.cards]
        lined = not few and (self.rect.w < NARROW or sum(highs) + 6 * len(highs) > inner.h)
        if lined:
            highs = [min(38.0, (inner.h + 6) / len(highs) - 6)] * len(highs)
        for card, high in zip(self.cards, highs, strict=True):
            card.lined = lined
            column = card.seat % 2 if few else 0
            wide = max(other.wide(few) for other in (self.cards if not few else [card]))
            x = inner.right - wide if column else inner.x
            card.layout(Rect(x, y[column], wide, high))
            y[column] += high + 6
        self.tray.layout(Rect(inner.x, inner.bottom - 84, self.tray.natural(), 84))
        self.tag.layout(area)
        self.over.layout(area)
        wide, high = self.plans.natural(inner.h - (0 if len(self.cards) > 2 else 120))
        self.plans.visible = (
            inner.h > 300 and inner.w > 620 and not (self.flat.visible or self.zen or self.spreading.on)
        )
        self.plans.layout(Rect(inner.right - wide, inner.bottom - high, wide, high))
        strip = wide + 12 if self.plans.visible else 0.0
        panels = [_rounded(widget.rect) for widget in (*self.cards, self.plans) if widget.visible]
        # Nothing that comes and goes lies on a long column of cards.
        beside = not few and y[0] > inner.bottom - 110
        free = (
            inner.cut_left(max(card.rect.right for card in self.cards) - inner.x, 12)[1] if beside else inner
        )
        self._lay_answers(free, strip, panels, canvas)
        self.behind.place(inner, [card.rect for card in self.cards], canvas)
        foot = 96.0 if self.tray.visible or self.answers.visible else 0.0
        head = 0.0 if not few else max(card.rect.bottom for card in self.cards) - inner.y + 8
        left = 0.0 if few else max(card.rect.right for card in self.cards) - inner.x + 12
        self.flat.layout(Rect(inner.x + left, inner.y + head, inner.w - left, inner.h - head - foot))
        wide = min(inner.w, max(420, canvas.width(self.band.sentence(), "title", 18) + 390))
        self.band.layout(Rect(inner.cx - wide / 2, inner.y, wide, 52))
        over = (*self.cards, self.tray, self.answers, self.band)
        self.spreading.lay(area, tuple(widget.rect for widget in over if widget.visible))

    def _lay_answers(self, area: Rect, strip: float, panels: Sequence[Rect], canvas: Canvas) -> None:
        """Fits the view, and puts the answers where they cover least: the eye steps back where they would cover much.

        Their room stays free once there were any, so that the boards do not move from step to step.
        """
        view, around = self.view, () if self.zen else self.tabletop.lay.around
        left = self.tray.rect.right + 12 if self.tray.visible else area.x
        right = area.right - strip
        kept = self._answered if self._answered[0] == area else (area, 0.0, 0.0)
        wide, high = self.answers.natural(canvas, right - left) if self.answers.visible else (0.0, 0.0)
        self._answered = kept = area, max(wide, kept[1]), max(high, kept[2])

        def places(wide: float, high: float) -> list[Rect]:
            middle = max(left, min(area.cx - wide / 2, right - wide))
            found = [Rect(x, area.bottom - high, wide, high) for x in (middle, right - wide, left)]
            return [*found, Rect(area.cx - wide / 2, area.y, wide, high)]

        def covered(place: Rect) -> float:
            common = [place.overlap(thing) for thing in (*things, *(card.rect for card in self.cards))]
            return sum(part.w * part.h for part in common)

        foot = [_rounded(places(*kept[1:])[0])] if kept[2] else []
        view.fit(around, panels, from_above=foot)
        things = [] if self.flat.visible or self.zen else self._things(view.home)
        if foot and min(map(covered, places(*kept[1:]))) > 0:
            view.fit(around, panels, at_home=foot, from_above=foot)
        self._looked_down = view.goal == view.above
        if self._looked_down and things:
            things = self._things(view.above)
        elif things:
            things = self._things(view.home)
        self.answers.layout(min(places(wide, high), key=covered))

    def _things(self, camera: Camera) -> list[Rect]:
        """Where the holes and the things on the table are seen from there."""
        view, stage = self.view, self.stage
        holes = [
            [stage.anchor(board, point) for point in bits(pyramid(size).holes)]
            for board, size in enumerate(stage.sizes)
        ]
        found = []
        for corners in self.tabletop.lay.around:
            at, _ = camera.project(np.array(corners), view.rect.w, view.rect.h)
            (x0, y0), (x1, y1) = at.min(0), at.max(0)
            found.append(Rect(view.rect.x + x0, view.rect.y + y0, x1 - x0, y1 - y0))
        for places in holes:
            at, depth = camera.project(np.array(places), view.rect.w, view.rect.h)
            for (x, y), radius in zip(at, camera.pixels(RIM, depth, view.rect.h), strict=True):
                found.append(Rect(view.rect.x + x - radius, view.rect.y + y - radius, 2 * radius, 2 * radius))
        return found

    _answered: tuple[Rect, float, float] = (Rect(), 0.0, 0.0)
    """The greatest width and height that answers have had in this area."""
    _looked_down = False
    """Whether the answers stand where they cover least of the view from above."""
    _asked = False
    _away = 0.0
    """How far the panel at the side is out of the window, from 0 to 1."""
    _slid: tuple[float, float, float] | None = None
    """When it began to slide, from where and to where."""
    _asked_of: tuple[State, bool] | None = None
    """The position that was last asked about, and whether what comes of it is told."""

    def toggle_panel(self) -> None:
        """Folds the panel at the side away, or out again."""
        showing = self.side.visible and not (self._slid and self._slid[2])
        self.panel_open, self._asked = not showing, not showing
        self.app.change(panel=self.panel_open)
        self._slid = self.app.clock(), self._away, 1.0 if showing else 0.0
        self.layout(self.rect)
        self.refresh()

    def _slide(self, now: float) -> None:
        """Moves the panel on its way in or out."""
        assert self._slid is not None
        start, before, goal = self._slid
        length = self.app.travel(motion.PANEL)
        part = motion.STANDARD((now - start) / length) if length > 0 else 1.0
        self._away = before + (goal - before) * part
        if part >= 1.0:
            self._slid = None
        self.layout(self.rect)

    def show_rules(self) -> None:
        """Opens the rules beside the board, or goes back to the moves."""
        if self.side.visible and self.tabs.chosen == 1:
            self.tabs.choose(0)
            return
        if not self.side.visible:
            self.toggle_panel()
        self.tabs.choose(1)

    def _tab(self, number: int) -> None:
        self.moves.visible, self.rules.visible = number == 0, number == 1
        if self.rect.w:
            self.layout(self.rect)
        self.refresh()

    def paint(self, canvas: Canvas, style: Style) -> None:
        pass

    # What is on the board

    def anchor(self, spot: Spot) -> tuple[float, float, float]:
        """Where the sign of a place stands in the world."""
        if spot.side >= 0:
            return self.stage.entry_mark(*spot, self.spread).at
        return self.stage.anchor(spot.board, spot.point, self.spread)

    def where(self, spot: Spot) -> tuple[float, float]:
        """Where a place is seen in the window, in the view or on the flat plan."""
        return self.flat.spot(spot) if self.flat.visible else self.view.on_screen(self.anchor(spot))

    def radius(self, spot: Spot) -> float:
        """The radius of a marble there, in logical pixels."""
        return self.flat.cell * 0.4 if self.flat.visible else self.view.size_of(self.anchor(spot))

    def toggle_flat(self) -> None:
        """Shows the levels flat, or the boards again."""
        self.flat.visible = not self.flat.visible
        self.view.visible = not self.flat.visible
        self.layout(self.rect)
        self.refresh()

    @property
    def active(self) -> Spot | None:
        """The place that the pointer or the keys are on."""
        return self.cursor if self.cursor is not None else self.hover

    def picture(self, now: float, aspect: float) -> Frame:
        signs = self.steady_signs() if not self._again else []
        if len(self.stage.sizes) > 1:
            signs.append(Sign(SignKind.ACTIVE, self.board))
        if self.threads and self.board not in self.covered():
            signs += self.stage.connections(self.board)
        ghosts: list[Ghost] = []
        still = not self.stage.queue.busy(self.time(now))
        if self.asking and not still and not self._again:
            # What says the same before and after a motion stays.
            signs += [sign for sign in self._choice_signs() if self._says(sign) in self._said]
        if self.asking and still and not self._again:
            signs, ghosts = signs + self.proposed()[0], self.proposed()[1]
            choices = self._choice_signs()
            self._said = frozenset(self._says(sign) for sign in choices)
            signs += choices
            active = self.active
            if active is not None:
                signs += self._supports(*active[:2]) if self.spread is not None else []
                preview = self.control.preview(active)
                if preview is not None:
                    more, coming = self._foreseen(preview)
                    signs, ghosts = signs + more, ghosts + coming
                if self.cursor is not None:
                    signs.append(Sign(SignKind.CURSOR, self.cursor.board, self.cursor.point))
            if self.hover_marble is not None and self.cursor is None:
                signs += self._marble_signs(*self.hover_marble)
        frame = self.frame(now, aspect, signs, ghosts)
        if not self.bare:
            rings = self.taking.marks()
            if still:
                self._ringed = frozenset(rings)
            kept = tuple(ring for ring in rings if ring in self._ringed)
            frame = replace(frame, marks=(*frame.marks, *kept))
        return frame

    _said: frozenset[tuple[object, ...]] = frozenset()
    """What the signs of choices said when nothing moved last."""
    _ringed: frozenset[Mark] = frozenset()

    def _says(self, sign: Sign) -> tuple[object, ...]:
        """What a sign tells: what may be chosen where, and whether a marble stands there."""
        return sign._replace(strong=False, alpha=1.0), (sign.board, sign.point) in self.stage.marbles

    def proposed(self) -> tuple[list[Sign], list[Ghost]]:
        """Points and a colour that were picked in this turn and stand for decision."""
        signs: list[Sign] = []
        ghosts: list[Ghost] = []
        state, colour = self.seen(), -1
        if not self.live or state.to_move is None:
            return signs, ghosts
        index = pyramid(state.size).index
        for number, ply in enumerate(self.match.plies):
            if ply.turn != state.turn or self.masked(number):
                continue
            if ply.move in COLOURS:
                colour = COLOURS.index(ply.move)
            names = ply.move.split("+")
            if all(name in index for name in names) and len(state.board_names) == 1:
                open_ = [index[name] for name in names if not state.filled() >> index[name] & 1]
                signs += [Sign(SignKind.HINT, 0, point) for point in open_ if colour < 0]
                ghosts += [Ghost(0, point, colour) for point in open_ if colour >= 0]
        return signs, ghosts

    def flat_signs(self) -> tuple[list[Sign], list[Ghost]]:
        """The signs and ghosts of the flat plan, which draws what may be chosen itself."""
        proposed, standing = self.proposed()
        signs = self.steady_signs() + proposed
        if self.threads and self.board not in self.covered():
            signs += self.stage.connections(self.board)
        if self.hover_marble is not None and self.cursor is None:
            signs += self._marble_signs(*self.hover_marble)
        if self.live:
            signs += [Sign(SignKind.HINT, self.control.picked_board, p) for p in bits(self.control.picked)]
            preview = self.control.preview(self.active) if self.active is not None else None
            if preview is not None:
                more, ghosts = self._foreseen(preview)
                return signs + more, standing + ghosts
        return signs, standing

    def _choice_signs(self) -> list[Sign]:
        mode = self.app.settings.marks
        targets = self.control.targets
        if mode == "off":
            return []
        if mode == "hover":
            targets = (self.active,) if self.active in targets and self.active is not None else ()
        signs = self.target_signs(targets)
        picked = bits(self.control.picked)
        signs += [Sign(SignKind.HINT, self.control.picked_board, point) for point in picked]
        return signs

    def target_signs(self, targets: Sequence[Spot] | None = None) -> list[Sign]:
        """The signs of places that may be chosen: of all, or of these."""
        signs: list[Sign] = []
        split = len(self.control.tray) > 1 and self.control.wanted is None
        for spot in self.control.targets if targets is None else targets:
            if spot.side >= 0:
                strong = spot == self.active
                signs.append(Sign(SignKind.ENTRY, spot.board, spot.point, side=spot.side, strong=strong))
            else:
                colours = self.control.colours_at(spot) if split else ()
                signs.append(
                    Sign(SignKind.LEGAL, spot.board, spot.point, colours if len(colours) > 1 else ())
                )
        return signs

    def _foreseen(self, preview: Preview) -> tuple[list[Sign], list[Ghost]]:
        """Signs and ghosts for what a move would do."""
        signs: list[Sign] = []
        ghosts: list[Ghost] = []
        if preview.move.kind == "points" and preview.move.value & self.seen().filled(preview.move.board):
            signs += [Sign(SignKind.HINT, preview.move.board, point) for point in bits(preview.move.value)]
        placed = -1
        for event in preview.events:
            match event:
                case ev.Placed() | ev.Moved() | ev.Entered():
                    ghosts.append(Ghost(event.board, event.point, event.colour))
                    if placed >= 0 and preview.move.kind != "points":
                        signs.append(Sign(SignKind.STACKED, event.board, event.point, to=placed))
                    placed = event.point if placed < 0 else placed
                case ev.Dropped() | ev.Pushed() | ev.SideDropped():
                    ghosts.append(Ghost(event.board, event.point, event.colour, GHOST_ALPHA + 0.15))
                    signs.append(Sign(SignKind.TRAIL, event.board, event.origin, to=event.point))
                case ev.Removed() | ev.Captured():
                    signs.append(Sign(SignKind.DOOMED, event.board, event.point))
                case ev.Lifted():
                    signs.append(Sign(SignKind.HOVER, event.board, event.point, strong=True))
                    if pyramid(self.state.size).resting[event.point] & self.seen().filled(event.board):
                        signs.append(Sign(SignKind.LOADED, event.board, event.point))
                case ev.Recoloured():
                    signs.append(Sign(SignKind.DYED, event.board, event.point, (event.after,)))
        # The first marble that is set down is the one that is asked for; what follows from it has an order.
        done = steps(preview.events)
        asked = [s for s in done if not s.fell][: None if preview.move.kind == "points" else 1]
        signs += numbered([(s.board, s.point) for s in done if s not in asked], strong=True)
        taken = {(g.board, g.point) for g in ghosts}
        doomed = {(s.board, s.point) for s in signs if s.kind is SignKind.DOOMED}
        # A marble that is taken and replaced in one go is drawn as the new one.
        kept = [s for s in signs if s.kind is not SignKind.DOOMED or (s.board, s.point) not in taken & doomed]
        return kept + [Sign(SignKind.REPLACED, *at) for at in sorted(taken & doomed)], ghosts

    def _marble_signs(self, board: int, point: int) -> list[Sign]:
        """The marble under the pointer, and when marbles may be moved, what it holds up."""
        signs = [Sign(SignKind.HOVER, board, point)]
        if self.rested == (board, point) or self.spread is not None:
            signs += self._supports(board, point)
        if any(move.kind in ("lift", "take") for move in self.control.moves):
            pyr, filled = pyramid(self.state.size), self.seen().filled(board)
            on_it = pyr.resting[point] & filled
            if position.pinned(pyr, filled) >> point & 1:
                signs.append(Sign(SignKind.PINNED, board, point))
                signs += [Sign(SignKind.THREAD, board, point, to=p) for p in bits(on_it)]
            elif on_it:
                signs.append(Sign(SignKind.LOADED, board, point))
        return signs

    def _supports(self, board: int, point: int) -> list[Sign]:
        """Threads to the marbles that a point rests on."""
        below = pyramid(self.state.size).supports[point] & self.seen().filled(board)
        return [Sign(SignKind.THREAD, board, point, to=p) for p in bits(below)]

    def tray_needed(self) -> bool:
        """Whether the colours are shown on a card, because the marbles on the table can't be reached."""
        asked = len(self.control.tray) > 1 or self.tray.in_hand()
        if not self.asking or self.match.state.to_move is None or not asked:
            return False
        return self.flat.visible or self.zen or self.spreading.on or self.taking.out_of_reach()

    # Pointer

    def under(self, x: float, y: float) -> Meant | None:
        """What a click there is about: the frontmost thing seen, or the target that Tab has gone to from it."""
        things = [*on_boards(self.control, self.stage, self.spread), *self.taking.pointable()]
        seen = [thing.seen for thing in things]
        number = self.view.pick(x, y, seen, self.stage.slabs(self.spread))
        found = None if number is None else things[number].means
        around: list[Spot] = []
        if isinstance(found, Spot) and number is not None and seen[number].aim:
            others = (things[i].means for i in self.view.about(x, y, seen))
            around = list(dict.fromkeys([found, *(spot for spot in others if isinstance(spot, Spot))]))
        if around != self.overlap:
            self.overlap, self.overlap_at = around, 0
        return around[self.overlap_at % len(around)] if around else found

    def _spot_at(self, x: float, y: float) -> Spot | None:
        """The target under the pointer.

        The marble in hand counts, since a click on its place puts it back.
        """
        found = self.under(x, y)
        return found if isinstance(found, Spot) and found in aimed(self.control) else None

    def meant(self, x: float, y: float) -> Meant | None:
        """What a click there is about."""
        return self.under(x, y)

    def wheeled(self, by: int) -> bool:
        """The wheel turns the shape under the pointer, if there is one."""
        if self.active is None or len(self.control.sets_at(self.active)) < 2:
            return False
        self.turn_shape(by)
        return True

    def grab(self, x: float, y: float) -> bool:
        """A drag begins: whether it carries the marble there."""
        self._skip()
        spot = self._spot_at(x, y)
        if spot is None or not self.live or not self.app.settings.carry:
            return False
        moves = self.control.spots.get(spot, [])
        if len(moves) == 1 and moves[0].kind == "lift":
            self.choose(spot)
        held = self.match.state.held
        return held is not None and (held[2], held[1]) == spot[:2]

    def dropped(self, x: float, y: float) -> None:
        """The marble that was carried is let go: where it may go, or back where it was."""
        self._skip()
        spot = self._spot_at(x, y)
        if spot in self.control.targets and spot is not None:
            self.choose(spot)
        elif self.match.state.held is not None:
            self.step_back()

    def explain_at(self, x: float, y: float) -> None:
        """The pointer is at a place of the window, where a card may have something to explain."""
        cards = [card.explained_at(x, y) for card in self.cards if card.visible]
        self.explained.point(next((found for found in cards if found is not None), None))

    def pointed(self, x: float | None, y: float | None) -> None:
        """The pointer is at a place of the view, or has left it."""
        self.explain_at(*self.app.root.pointer)
        self._move_on(x, y)
        before = (self.hover, self.hover_marble, self.taking.hover, self.cursor)
        self.hover = self.hover_marble = self.taking.hover = None
        met = False
        if x is not None and y is not None and self.live:
            self.cursor = None
            found = self.under(x, y)
            if not isinstance(found, Spot):
                met = self.taking.point(found)
            elif found in aimed(self.control):
                self.hover = found
                self.plans.follow(found.point)
            elif found[:2] in self.stage.marbles:
                self.hover_marble = found[:2]
        if (self.hover, self.hover_marble, self.taking.hover, self.cursor) != before:
            self._rest()
            self.refresh()
        self.view.shape = "hand" if self.hover is not None or met else ""

    def _rest(self) -> None:
        """Shows what the marble under the pointer stands on once the pointer has stayed there."""
        self.rested, resting = None, self.hover_marble

        def stayed() -> None:
            if self.hover_marble == resting is not None:
                self.rested = resting
                self.refresh()

        if resting is not None:
            self.app.later(REST, stayed)

    def clicked(self, x: float, y: float) -> bool:
        """A click on the view. Returns whether it was on something."""
        self._skip()
        if not self.live:
            self.look(None)
            return True
        found = self.under(x, y)
        if isinstance(found, Spot):
            self.choose(found)
        elif found is not None:
            self.taking.take(found)
        else:
            self.forget_note()
            board = board_at(self, x, y)
            if board < 0 or len(self.stage.sizes) == 1:
                return False
            self.look_at_board(board)
        return True

    def clicked_spot(self, spot: Spot) -> None:
        """A click on a point that was not made in the view: a point with ways in is asked about."""
        self._skip()
        if not self.live:
            self.look(None)
            return
        sides = [s for s in self.control.targets if s[:2] == spot[:2] and s.side >= 0]
        if spot not in self.control.targets and len(sides) == 1:
            self.choose(sides[0])
        elif spot not in self.control.targets and sides:
            self._offer([move for side in sides for move in self.control.spots[side]], spot)
        else:
            self.choose(spot)

    def point_out(self, spot: Spot | None) -> None:
        """The pointer is on a point that is not in the view, or no longer."""
        self.explain_at(*self.app.root.pointer)
        if self.note_at is not None and spot != self.note_at:
            self.forget_note()
        if self.live:
            self.cursor = None
            self.hover = spot if spot in self.control.targets else None
            filled = spot is not None and self.seen().filled(spot.board) >> spot.point & 1
            self.hover_marble = (
                (spot.board, spot.point) if spot is not None and filled and not self.hover else None
            )
            self._rest()
            self.refresh()

    def cancelled(self, x: float, y: float) -> None:
        """A right click: takes the step back, else explains the place."""
        found = self.under(x, y)
        self.cancelled_at(found if isinstance(found, Spot) else None)

    def cancelled_at(self, spot: Spot | None) -> None:
        """A right click on a place, or beside all."""
        self._skip()
        if not self.live:
            self.look(None)
        elif not self.step_back() and spot is not None:
            preview = self.control.preview(spot)
            if preview is not None:
                self.say(f"{preview.text}.", spot)
            elif not self.control.spots.get(spot):
                self.say(self.control.reason(spot), spot)

    # Doing

    def _skip(self) -> None:
        """What moves is finished: input never waits."""
        self.stage.finish()
        self._fades.finish()
        self.trails = []
        if self._again:
            self._again = False
            self.stage.reset(self.seen())

    def choose(self, spot: Spot) -> None:
        """The person chose a place."""
        before = self.match.plies
        try:
            answer = self.control.click(spot)
        except RuleFailure as problem:
            self._stopped(problem)
            return
        match answer:
            case Played(events):
                if len(self.match.plies) == len(before) and before:
                    # One marble was put back and another lifted.
                    self.stage.reset(self.seen_before(len(before) - 1))
                self.happened(events)
            case Undone():
                self._rewound(before)
            case Several(moves):
                self._offer(moves, spot)
            case Refused(reason):
                self.stage.shake(spot.board, spot.point, self.now())
                self.app.sounds.tap()
                self.say(reason, spot)
            case _:
                self.update()

    def play_move(self, move: Move) -> None:
        """The person chose a move on a button."""
        self._skip()
        self.app.root.close_all()
        try:
            played = self.control.play(move)
        except RuleFailure as problem:
            self._stopped(problem)
        else:
            self.happened(played.events)

    def _stopped(self, problem: RuleFailure) -> None:
        """The rules of the game can't go on from here: the match is kept as it was."""
        self.control.refresh()
        self.app.tell(f"This game's rules stop here, and the match is kept: {problem}")

    def say(self, sentence: str, spot: Spot) -> None:
        """Says something about a place, until the next input or until the pointer moves on."""
        self.note, self.note_at = sentence, spot if sentence else None
        self._said_at = self.app.root.pointer
        self.refresh()

    def _move_on(self, x: float | None, y: float | None) -> None:
        """The pointer is elsewhere: what was said about a place is not said any longer."""
        area = self.view.rect
        gone = x is None or y is None or math.dist((area.x + x, area.y + y), self._said_at) > NEAR
        if self.note_at is not None and gone:
            self.forget_note()

    def remark(self, sentence: str) -> None:
        self.note, self.note_at = sentence, None
        self.refresh()

    def forget_note(self) -> None:
        """The sentence said last is answered."""
        if self.note:
            self.note, self.note_at = "", None
            self.refresh()

    def _offer(self, moves: Sequence[Move], spot: Spot) -> None:
        """Asks which of several moves was meant."""
        card = Offer(self, moves, spot)
        self.app.root.popup(card, card.place, focus=card.children[0])

    def meaning_of(self, word: str) -> str:
        """What a word means that this game or the program calls something by; empty when it explains itself."""
        return explain(word, own=self.entry.form(self.match.game.variant).words)

    def _explain_words(self, words: Sequence[str]) -> list[str]:
        return explained(words, own=self.entry.form(self.match.game.variant).terms)

    def say_choice(self, move: Move) -> str:
        """A choice as a button says it."""
        return self.match.game.say(self.control.seen, move, names=self.names)

    def button_choice(self) -> Move | None:
        """The choice that the button under the pointer makes."""
        button = self.app.root.hover
        if isinstance(button, ChoiceButton):
            return button.choice
        if button is self.end_turn:
            return self.control.done
        return self.control.passing if button is self.pass_turn else None

    def chosen(self, move: Move) -> Callable[[], None]:
        """What a button does that makes ``move``."""
        return lambda: self.play_move(move)

    def step_back(self) -> bool:
        """Puts back the marble in hand, or takes back what this turn did last."""
        before = self.match.plies
        answer = self.control.cancel()
        if isinstance(answer, Undone):
            self._rewound(before)
        elif answer is not None:
            self.update()
        return answer is not None

    def back_to(self, step: int) -> None:
        """Goes back within the turn until ``step`` steps of it are done."""
        if not self.live:
            return
        self._skip()
        before = self.match.plies
        if self.control.back_to(step):
            self._rewound(before)

    def _rewound(self, before: Sequence[object]) -> None:
        """Shows that the plies after the cursor were taken back."""
        self.note, self.note_at = "", None
        self.ending = False
        gone = self.match.undone[: len(before) - self.match.cursor]
        events = self.known([event for ply in gone for event in ply.events])
        seen = self.seen()
        if self.draw_curtain():
            self.stage.reset(seen)
        else:
            if gone:
                self.set_table((*self.match.plies, gone[0]), events)
            try:
                self.stage.rewind(events, self.now(), seen)
            except LookupError:
                self.stage.reset(seen)
        self.update()

    def undo_now(self) -> None:
        """Takes back a step of this turn, or the last turn."""
        self._skip()
        before = self.match.plies
        if self.control.undo():
            self._rewound(before)
        elif before:
            self.note, self.note_at = "That can't be taken back: something was drawn or shown.", None
            self.refresh()

    def redo_now(self) -> None:
        """Plays again what was taken back."""
        self._skip()
        before = self.match.cursor
        if self.control.redo():
            self.happened([event for ply in self.match.plies[before:] for event in ply.events])

    def finish_turn(self) -> None:
        """Ends the turn where that is legal."""
        done = self.control.done
        if done is not None:
            self.play_move(done)

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
            self.refresh()
            return True
        return False

    # Looking back

    def _look_at(self, ply: int) -> None:
        self.look(None if ply == self.match.cursor else ply)

    def look(self, ply: int | None) -> None:
        """Shows the board after ``ply`` moves; None: as it is now."""
        if ply is not None and ply > self.match.cursor:
            # A turn that was taken back: it is played again.
            before = self.match.cursor
            self._skip()
            self.match.goto(ply)
            self.control.refresh()
            self.looking = None
            self.happened([event for p in self.match.plies[before:] for event in p.events])
            return
        self._skip()
        self.looking = ply if ply is not None and ply < self.match.cursor else None
        self.stage.reset(self.seen())
        self.note, self.note_at = "", None
        self.update()

    def look_by(self, turns: int) -> None:
        """Looks a turn back or on."""
        here = self.match.cursor if self.looking is None else self.looking
        ends = [0, *(last for _, _, _, last in self.moves.turns if last <= self.match.cursor)]
        if ends[-1] != self.match.cursor:
            ends.append(self.match.cursor)
        place = max(i for i, end in enumerate(ends) if end <= here)
        goal = ends[max(0, min(len(ends) - 1, place + turns))]
        self.look(goal if goal < self.match.cursor else None)

    def turn_start(self) -> int:
        """The number of the first ply of the last turn, or of this one if it has begun."""
        plies = self.match.plies
        first = len(plies) - 1
        while first > 0 and plies[first - 1].turn == plies[-1].turn:
            first -= 1
        return max(first, 0)

    def seen_before(self, ply: int) -> State:
        """The state before ply number ``ply``, as the person at the screen may know it."""
        state = self.match.plies[ply - 1].state if ply else self.match.first
        return secrets.seen(self.match.game, state, self.viewer)

    def show_again(self) -> None:
        """Plays the last turn once more, slowly."""
        plies = self.match.plies
        if not plies or not self.live:
            return
        self._skip()
        first = self.turn_start()
        self.stage.reset(self.seen_before(first))
        self._again = True
        self.set_table(plies, [event for ply in plies[first:] for event in ply.events])
        speed, self.stage.queue.speed = self.stage.queue.speed, "slow"
        try:
            self.stage.play(self.known([event for ply in plies[first:] for event in ply.events]), self.now())
        except LookupError:
            self.stage.reset(self.seen())
        self.stage.queue.speed = speed
        self.refresh()

    def animate(self, now: float) -> bool:
        moving = super().animate(now)
        self.ask_whether_lost()
        if self._slid is not None:
            self._slide(now)
            moving = True
        if self.answers.visible and self._looked_down != (self.view.goal == self.view.above):
            self.layout(self.rect)
        self.behind.update()
        if self.tray_needed() != self.tray.visible:
            self.tray.visible = not self.tray.visible
            self.layout(self.rect)
        moving = self.spreading.animate(now) or moving
        if self._again and not self.stage.busy(self.time(now)):
            self._again = False
            self.stage.reset(self.seen())
        return moving

    # Saving

    def ask_save(self) -> None:
        """Asks where the match is to be saved."""
        card = SaveCard(self)
        self.app.root.popup(card, middle(520, 176), focus=card.path)

    # Keys

    def key(self, key: Key) -> bool:
        actions: Mapping[str, Callable[[], object]] = {
            "ctrl+z": self.undo_now,
            "ctrl+shift+z": self.redo_now,
            "ctrl+y": self.redo_now,
            "ctrl+enter": self.finish_turn,
            "p": self.pass_now,
            "b": self.show_again,
            "f1": self.show_rules,
            ",": lambda: self.look_by(-1),
            ".": lambda: self.look_by(1),
            "ctrl+home": lambda: self.look(0 if self.match.cursor else None),
            "ctrl+end": lambda: self.look(None),
            "ctrl+s": self.ask_save,
            "ctrl+o": self.app.open_record,
            "ctrl+n": self.app.show_home,
            "ctrl+b": self.toggle_panel,
            "l": self._next_marks,
            "k": self.toggle_threads,
            "x": lambda: self.spreading.set(True),
            "z": self.toggle_zen,
            "v": self.behind.show,
            "/": self.type_move,
            "g": self.go_to_turn,
            "ctrl+c": self.copy_moves,
            "f2": self.toggle_flat,
            "f6": lambda: self._next_board(1),
            "shift+f6": lambda: self._next_board(-1),
            ";": lambda: self.turn_shape(1),
            "shift+;": lambda: self.turn_shape(-1),
        }
        meant = self.meaning(key, actions)
        if meant is None:
            return False
        key = meant
        action = actions.get(key.chord)
        if action is not None:
            action()
            return True
        if self.view_key(key):
            return True
        if key.chord in ("escape", "backspace"):
            return self._escape()
        if key.chord == "tab" and self.hover is not None and len(self.overlap) > 1:
            self.overlap_at = (self.overlap_at + 1) % len(self.overlap)
            self.hover = self.overlap[self.overlap_at]
            self.refresh()
            return True
        if key.name == "enter" and self.control.turned and self.active is not None:
            # A shape that was turned: Enter lays it where it is shown.
            preview = self.control.preview(self.active)
            if preview is not None and preview.move.kind == "points":
                self.play_move(preview.move)
                return True
        if key.chord.isdecimal():
            return self.choose_colour(int(key.chord) - 1)
        return self._cursor_key(key)

    def toggle_zen(self) -> None:
        """Hides all but the board, whose turn it is and undo; or shows it again."""
        self.zen = not self.zen
        self.layout(self.rect)
        self.refresh()

    def copy_moves(self) -> None:
        """Puts the match as text where other programs can take it from."""
        if any(self.masked(number) for number in range(len(self.match.plies))):
            self.note = "The moves can be copied once nothing in them is secret."
        else:
            try:
                self.app.copy(self.match.record().text())
                self.note = "The moves were copied."
            except RecordError as problem:
                self.note = capital(str(problem)) + "."
        self.note_at = None
        self.refresh()

    def type_move(self) -> None:
        """Asks for a move to be typed."""
        if self.live and self.control.moves:
            self._ask_line(TypeCard(self))

    def go_to_turn(self) -> None:
        """Asks after which turn the board is to be shown."""
        if self.match.cursor:
            self._ask_line(GoCard(self))

    def _ask_line(self, card: LineCard) -> None:
        def place(window: Rect) -> Rect:
            area = self.view.rect if self.view.visible else self.flat.rect
            wide = min(LineCard.SIZE[0], area.w - 28)
            return Rect(area.cx - wide / 2, area.bottom - LineCard.SIZE[1] - 14, wide, LineCard.SIZE[1])

        self.app.root.popup(card, place, focus=card.field)

    def toggle_threads(self) -> None:
        """Shows which marbles are connected, or no longer."""
        self.threads = not self.threads
        self.refresh()

    def key_up(self, key: Key) -> None:
        if key.name == "x":
            self.spreading.set(False)

    def _next_board(self, by: int) -> None:
        count = len(self.stage.sizes)
        if count > 1:
            self.look_at_board((self.board + by) % count)

    def turn_shape(self, by: int) -> None:
        """Shows the next of the shapes that may lie where the pointer is."""
        self.control.turned += by
        self.refresh()

    def _next_marks(self) -> None:
        modes = ("always", "hover", "off")
        self.app.change(marks=modes[(modes.index(self.app.settings.marks) + 1) % 3])

    def _escape(self) -> bool:
        """One step back of whatever can be gone back from."""
        self._skip()
        if not self.live:
            self.look(None)
            return True
        if self.step_back():
            return True
        if self.zen:
            self.toggle_zen()
            return True
        if self.note or self.cursor:
            self.forget_note()
            self.cursor = None
            return True
        return False

    def _cursor_key(self, key: Key) -> bool:
        if self.app.root.focus is not None or not self.live:
            return False
        targets = self.control.targets
        if key.name in ("enter", "space") and not (key.ctrl or key.alt):
            self._skip()
            if self.cursor is not None:
                self.choose(self.cursor)
            elif self.control.done is not None:
                self.finish_turn()
            elif self.control.passing is not None and len(self.control.moves) == 1:
                self.pass_now()
            return True
        if not targets or key.ctrl or key.alt:
            return False
        if key.name == "tab":
            if self.cursor in targets:
                place = (targets.index(self.cursor) + (-1 if key.shift else 1)) % len(targets)
            else:
                place = -1 if key.shift else 0
            self.set_cursor(targets[place])
        elif key.name in ("home", "end"):
            self.set_cursor(targets[0 if key.name == "home" else -1])
        elif key.name in ("left", "right", "up", "down"):
            self.set_cursor(self._towards(key.name, targets))
        elif key.name in ("pageup", "pagedown"):
            self.set_cursor(self._level(1 if key.name == "pageup" else -1, targets))
        else:
            return False
        return True

    def set_cursor(self, spot: Spot) -> None:
        """Moves the cursor of the keys."""
        self.cursor, self.hover, self.hover_marble = spot, None, None
        self.plans.follow(spot.point)
        self.forget_note()
        self.refresh()

    def _towards(self, way: str, targets: Sequence[Spot]) -> Spot:
        """The nearest target in that direction on the screen."""
        if self.cursor is None:
            return targets[0]
        dx, dy = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}[way]
        x, y = self.where(self.cursor)
        best, least = self.cursor, float("inf")
        for spot, (sx, sy) in zip(targets, [self.where(s) for s in targets], strict=True):
            along = (sx - x) * dx + (sy - y) * dy
            across = abs((sx - x) * dy) + abs((sy - y) * dx)
            if along > 1 and along + 2 * across < least:
                best, least = spot, along + 2 * across
        return best

    def _level(self, by: int, targets: Sequence[Spot]) -> Spot:
        """The nearest target on the next level up or down that has one."""
        if self.cursor is None:
            return targets[0]
        level = pyramid(self.state.size).level
        here = level[self.cursor.point]
        ways = sorted({level[s.point] for s in targets if (level[s.point] - here) * by > 0}, reverse=by < 0)
        if not ways:
            return self.cursor
        x, y = self.where(self.cursor)
        rest = [s for s in targets if level[s.point] == ways[0]]
        places = [self.where(s) for s in rest]
        return min(
            zip(rest, places, strict=True), key=lambda pair: abs(pair[1][0] - x) + abs(pair[1][1] - y)
        )[0]

    # For tests from outside

    def places_on_screen(self) -> dict[str, list[int]]:
        """Where the places of the boards that can be clicked are met, by name, in window pixels."""
        things = [*on_boards(self.control, self.stage, self.spread), *self.taking.pointable()]
        met = self.view.met_at([thing.seen for thing in things], self.stage.slabs(self.spread))
        return {
            self.name_of(thing.means): self.app.pixels(*place)
            for thing, (place, seen) in zip(things, met, strict=True)
            if seen and isinstance(thing.means, Spot)
        }

    def points_on_screen(self) -> dict[str, list[int]]:
        if not self.flat.visible:
            points = super().points_on_screen()
            return {**points, **{k: v for k, v in self.places_on_screen().items() if k in points}}
        return {self.name_of(spot): self.app.pixels(*self.flat.spot(spot)) for spot in self.flat.shown()}

    def name_of(self, spot: Spot) -> str:
        """A place by name, as moves write it."""
        titles, side = self.state.board_names, f"/{SIDES[spot.side][0].upper()}" if spot.side >= 0 else ""
        head = f"{titles[spot.board]}." if len(titles) > 1 else ""
        return f"{head}{pyramid(self.state.size).names[spot.point]}{side}"

    def trace(self) -> Mapping[str, object]:
        met = {} if self.flat.visible else self.places_on_screen()
        targets = [self.name_of(spot) for spot in self.control.targets]
        return {
            "points": self.points_on_screen(),
            "entries": {name: place for name, place in met.items() if "/" in name},
            "targets": targets,
            "hidden": [name for name in targets if name not in met and not self.flat.visible],
            "behind": self.behind.hidden,
            "table": self.taking.on_screen(),
            "cursor": self.name_of(self.cursor) if self.cursor is not None else "",
            "plies": [ply.move for ply in self.match.plies],
            "status": self.status.sentence(),
            "note": self.note,
            "game": self.match.game.id,
            "over": self.band.sentence() if self.band.visible else "",
        }


def _rounded(rect: Rect) -> Rect:
    """A little larger, so that a line more or less on a card does not move the boards."""
    right, bottom = (math.ceil(end / ROUND) * ROUND for end in (rect.right, rect.bottom))
    return Rect(rect.x, rect.y, right - rect.x, bottom - rect.y)


def _stamp(file: Path) -> tuple[int, int] | None:
    """What changes when a file is saved; None while it is not there."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _text(meta: object, key: str, entry: Entry) -> str:
    """The text of the variant played, else that of the game."""
    if isinstance(meta, Mapping):
        texts = meta.get(key)
        if isinstance(texts, Mapping) and texts.get("en"):
            return str(texts["en"])
    return str(getattr(entry, key).get("en", ""))
