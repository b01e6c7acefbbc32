"""The page on which a match is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.match.match import Match
from shibumi3d.rules import event as ev
from shibumi3d.rules import position
from shibumi3d.rules.bits import bits
from shibumi3d.rules.machine import RuleFailure
from shibumi3d.rules.move import Move
from shibumi3d.rules.pyramid import pyramid
from shibumi3d.rules.state import State
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.layout import TOP as GROUND
from shibumi3d.scene.picking import Target
from shibumi3d.scene.stage import GHOST_ALPHA, Ghost, Sign, SignKind

from .. import words
from ..controller import Controller, Played, Preview, Refused, Several, Spot, Undone
from ..ui.canvas import Canvas
from ..ui.core import Key
from ..ui.rect import Rect
from ..ui.style import Style
from ..ui.widgets import Button, Panel, Prose, Tabs, row
from ..view import View
from . import sheet
from .board import BoardScreen, MoveList
from .curtain import Curtain
from .parts import Answers, Band, Beads, Hint, SaveCard, SeatCard, Status, Tag, Tray
from .plans import Plans

if TYPE_CHECKING:
    from ..app import App

TOP, BAR, TOOLS, SIDE = 44, 52, 40, 280
NARROW = 900
"""Below this width the panel at the side is folded away unless it was asked for."""


class Play(BoardScreen):
    """Board, players, choices, moves and rules."""

    title = "play"
    keys = sheet.PLAY

    def __init__(self, app: App, match: Match, entry: Entry) -> None:
        super().__init__(app, match, entry)
        self.control = Controller(match)
        self.hover: Spot | None = None
        self.hover_marble: tuple[int, int] | None = None
        self.cursor: Spot | None = None
        self.note = ""
        self.note_at: Spot | None = None
        self.looking: int | None = None
        self.panel_open = app.settings.panel
        self._again = False
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
        self.gear = Button(
            "", app.show_settings, icon="settings", kind="quiet", tip="Settings", name="settings"
        )
        self.save = Button("", self.ask_save, icon="save", kind="quiet", tip="Save  Ctrl+S", name="save")
        self.cards = [SeatCard(self, seat) for seat in range(len(match.seats))]
        self.tray = Tray(self)
        self.answers = Answers(self)
        self.tag = Tag(self)
        self.plans = Plans(self)
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
        self.return_ = Button(
            "Return", lambda: self.look(None), kind="main", name="return", tip="Back to the game"
        )
        self.tools = Panel("page")
        self.eye = self.view_buttons()
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
        self.add(self.view, *self.cards, self.tray, self.answers, self.plans, self.tag, self.band)
        self.add(self.top, self.back, self.status, self.book, self.theme, self.gear, self.save)
        self.add(self.bar, self.tools, self.beads, self.end_turn, self.pass_turn, self.hint, self.return_)
        self.add(self.undo, self.redo, self.again, *self.eye, self.look_back, self.look_on)
        self.add(self.side, self.tabs, self.moves, self.rules)
        self._tab(0)
        self.update()

    def make_view(self) -> View:
        return View(
            self.app,
            self.stage.sizes,
            self.picture,
            clicked=self.clicked,
            cancelled=self.cancelled,
            pointed=self.pointed,
        )

    # State

    @property
    def state(self) -> State:
        looking = getattr(self, "looking", None)
        if looking is None or looking >= self.match.cursor:
            return self.match.state
        return self.match.plies[looking - 1].state if looking else self.match.first

    @property
    def live(self) -> bool:
        """Whether the board shows the game as it is now."""
        return self.looking is None

    def seen(self) -> State:
        """The state as the one to move may know it."""
        state = self.state
        return state if state.to_move is None else self.match.game.view(state, state.to_move)

    def update(self) -> None:
        """Everything that follows from the state is made anew."""
        state = self.match.state
        self.hover = self.hover_marble = None
        self.cursor = self.cursor if self.cursor in self.control.targets else None
        over = state.to_move is None
        done, passing = self.control.done, self.control.passing
        self.end_turn.visible = self.live and done is not None
        self.pass_turn.visible = self.live and passing is not None
        self.return_.visible = not self.live
        self.undo.enabled = self.match.cursor > 0 and self.live
        self.redo.enabled = bool(self.match.undone) and self.live
        self.again.enabled = self.look_back.enabled = self.match.cursor > 0
        self.look_on.enabled = not self.live
        self.tray.visible = self.live and not over and len(self.control.tray) > 1
        self.answers.fill(self.control.others if self.live else [])
        self.band.visible = self.live and over
        self.moves.update(self.match.plies, self.match.cursor if self.looking is None else self.looking)
        if self.rect.w:
            self.layout(self.rect)
        self.refresh()

    def happened(self, events: Sequence[ev.Event]) -> None:
        """A move was made: it is shown."""
        self.note, self.note_at = "", None
        self.draw_curtain()
        try:
            self.stage.play(events, self.now())
        except LookupError:
            # Boards that the seat may not see hold marbles that the stage does not know.
            self.stage.reset(self.match.state)
        self.leave_trails(events)
        self.update()

    def draw_curtain(self) -> None:
        """Covers the window when the one to move may know what the one before may not."""
        state, game = self.match.state, self.match.game
        seat = state.to_move
        before, self.looker = self.looker, seat if seat is not None else self.looker
        if seat is None or before == seat or len(self.names) == 1:
            return
        other = before if before is not None else (seat + 1) % len(self.names)
        if game.view(state, seat) != game.view(state, other):
            wide, high = self.app.root.size
            self.app.root.popup(Curtain(self.app, seat, self.names[seat]), Rect(0, 0, wide, high))

    def shown(self) -> None:
        self.draw_curtain()

    def leave_screen(self) -> None:
        self.stage.finish()

    # Layout

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        top, rest = rect.cut_top(TOP)
        self.top.layout(top)
        row(Rect(top.x + 8, top.y, 120, top.h), [self.back], canvas)
        for number, button in enumerate((self.gear, self.theme, self.book, self.save)):
            button.layout(Rect(top.right - 44 - 36 * number, top.cy - 16, 32, 32))
        self.status.layout(Rect(0, top.y, rect.w, top.h))
        show_side = self.panel_open and (rect.w >= NARROW or self._asked)
        for widget in (self.side, self.tabs):
            widget.visible = show_side
        if show_side:
            side, rest = rest.cut_right(min(SIDE, rest.w * 0.5))
            self.side.layout(side)
            tabs, inner = side.cut_top(40)
            self.tabs.layout(tabs)
            self.moves.layout(Rect(inner.x, inner.y + 6, inner.w - 4, inner.h - 12))
            self.rules.layout(Rect(inner.x + 20, inner.y + 12, inner.w - 24, inner.h - 20))
        self.moves.visible = show_side and self.tabs.chosen == 0
        self.rules.visible = show_side and self.tabs.chosen == 1
        bottom, area = rest.cut_bottom(BAR + TOOLS)
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

    def _lay_bar(self, line: Rect, canvas: Canvas) -> None:
        wide = row(Rect(line.x, line.y, line.w, line.h), [self.undo, self.redo], canvas, gap=4, align=1)
        line = Rect(line.x, line.y, line.w - wide - 12, line.h)
        beads, line = line.cut_left(self.beads.natural(), 12)
        self.beads.layout(beads)
        buttons = [b for b in (self.end_turn, self.pass_turn, self.return_) if b.visible]
        wide = row(line, buttons, canvas, gap=8)
        self.hint.layout(Rect(line.x + wide + (14 if wide else 0), line.y, line.w - wide - 14, line.h))

    def _lay_over(self, area: Rect, canvas: Canvas) -> None:
        inner = area.inset(14)
        few = len(self.cards) <= 2
        y = [inner.y, inner.y]
        for card in self.cards:
            high = card.natural(few)
            column = card.seat % 2 if few else 0
            wide = card.wide(few)
            x = inner.right - wide if column else inner.x
            card.layout(Rect(x, y[column], wide, high))
            y[column] += high + 6
        self.tray.layout(Rect(inner.x, inner.bottom - 84, self.tray.natural(), 84))
        wide, high = self.answers.natural(canvas, inner.w - 40)
        left = self.tray.rect.right + 12 if self.tray.visible else inner.x
        x = max(left, min(inner.cx - wide / 2, inner.right - wide))
        self.answers.layout(Rect(x, inner.bottom - high, wide, high))
        self.tag.layout(area)
        wide, high = self.plans.natural(inner.h - 120)
        self.plans.visible = inner.h > 300 and inner.w > 620
        self.plans.layout(Rect(inner.right - wide, inner.bottom - high, wide, high))
        wide = min(inner.w, max(420, canvas.width(self.band.sentence(), "title", 18) + 300))
        self.band.layout(Rect(inner.cx - wide / 2, inner.y if few is False else inner.y + 0, wide, 52))

    _asked = False

    def toggle_panel(self) -> None:
        """Folds the panel at the side away, or out again."""
        showing = self.side.visible
        self.panel_open, self._asked = not showing, not showing
        self.app.change(panel=self.panel_open)
        self.layout(self.rect)
        self.refresh()

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
            return self.stage.entry_anchor(spot.board, spot.point, spot.side)
        return self.stage.anchor(spot.board, spot.point)

    def target(self, spot: Spot) -> Target:
        """What the pointer must meet to mean a place: its sign, or the marble that stands there."""
        if spot.side >= 0:
            return Target(self.anchor(spot), 0.3)
        x, y, z = self.anchor(spot)
        state = self.match.state
        if pyramid(state.size).level[spot.point] == 0 and not state.filled(spot.board) >> spot.point & 1:
            return Target((x, y, GROUND), 0.42)
        return Target((x, y, z), 0.5)

    @property
    def active(self) -> Spot | None:
        """The place that the pointer or the keys are on."""
        return self.cursor if self.cursor is not None else self.hover

    def picture(self, now: float, aspect: float) -> Frame:
        signs = self.steady_signs() if not self._again else []
        ghosts: list[Ghost] = []
        still = not self.stage.busy(self.time(now))
        if self.live and still and not self._again:
            signs += self._choice_signs()
            active = self.active
            if active is not None:
                preview = self.control.preview(active)
                if preview is not None:
                    more, ghosts = self._foreseen(preview)
                    signs += more
                if self.cursor is not None:
                    signs.append(Sign(SignKind.CURSOR, self.cursor.board, self.cursor.point))
            if self.hover_marble is not None and self.cursor is None:
                signs += self._marble_signs(*self.hover_marble)
        return self.frame(now, aspect, signs, ghosts)

    def _choice_signs(self) -> list[Sign]:
        mode = self.app.settings.marks
        targets = self.control.targets
        if mode == "off":
            return []
        if mode == "hover":
            targets = (self.active,) if self.active in targets and self.active is not None else ()
        signs: list[Sign] = []
        split = len(self.control.tray) > 1 and self.control.wanted is None
        for spot in targets:
            if spot.side >= 0:
                signs.append(Sign(SignKind.ENTRY, spot.board, spot.point, side=spot.side))
            else:
                colours = self.control.colours_at(spot) if split else ()
                signs.append(
                    Sign(SignKind.LEGAL, spot.board, spot.point, colours if len(colours) > 1 else ())
                )
        picked = bits(self.control.picked)
        signs += [Sign(SignKind.HINT, self.control.picked_board, point) for point in picked]
        return signs

    def _foreseen(self, preview: Preview) -> tuple[list[Sign], list[Ghost]]:
        """Signs and ghosts for what a move would do."""
        signs: list[Sign] = []
        ghosts: list[Ghost] = []
        if preview.move.kind == "points":
            signs += [Sign(SignKind.HINT, preview.move.board, point) for point in bits(preview.move.value)]
        for event in preview.events:
            match event:
                case ev.Placed() | ev.Moved() | ev.Entered():
                    ghosts.append(Ghost(event.board, event.point, event.colour))
                case ev.Dropped() | ev.Pushed() | ev.SideDropped():
                    ghosts.append(Ghost(event.board, event.point, event.colour, GHOST_ALPHA + 0.15))
                    signs.append(Sign(SignKind.TRAIL, event.board, event.origin, to=event.point))
                case ev.Removed() | ev.Captured():
                    signs.append(Sign(SignKind.DOOMED, event.board, event.point))
                case ev.Lifted():
                    signs.append(Sign(SignKind.HOVER, event.board, event.point))
                case ev.Recoloured():
                    signs.append(Sign(SignKind.HINT, event.board, event.point))
        taken = {(g.board, g.point) for g in ghosts}
        doomed = {(s.board, s.point) for s in signs if s.kind is SignKind.DOOMED}
        # A marble that is taken and replaced in one go is drawn as the new one.
        return [
            s for s in signs if s.kind is not SignKind.DOOMED or (s.board, s.point) not in taken & doomed
        ], ghosts

    def _marble_signs(self, board: int, point: int) -> list[Sign]:
        """The marble under the pointer, and when marbles may be moved, what it holds up."""
        signs = [Sign(SignKind.HOVER, board, point)]
        if any(move.kind in ("lift", "take") for move in self.control.moves):
            pyr, filled = pyramid(self.state.size), self.state.filled(board)
            on_it = pyr.resting[point] & filled
            if position.pinned(pyr, filled) >> point & 1:
                signs.append(Sign(SignKind.PINNED, board, point))
                signs += [Sign(SignKind.THREAD, board, point, to=p) for p in bits(on_it)]
            elif on_it:
                signs.append(Sign(SignKind.LOADED, board, point))
        return signs

    # Pointer

    def _spot_at(self, x: float, y: float) -> Spot | None:
        """The target under the pointer; the marble in hand counts, since a click on its place puts it back."""
        spots = list(self.control.targets)
        held = self.match.state.held
        if held is not None:
            spots.append(Spot(held[2], held[1]))
        picked = [Spot(self.control.picked_board, point) for point in bits(self.control.picked)]
        spots += [spot for spot in picked if spot not in spots]
        found = self.view.under(x, y, [self.target(spot) for spot in spots])
        return spots[found[0]] if found else None

    def _point_at(self, x: float, y: float) -> Spot | None:
        """The marble under the pointer, else the nearest point that could be meant."""
        marble_at = self.view.marble(x, y, self.stage.standing())
        if marble_at is not None:
            return Spot(*marble_at)
        state = self.match.state
        pyr = pyramid(state.size)
        spots = [
            Spot(board, point)
            for board in range(len(state.board_names))
            for point in bits(pyr.all & ~state.filled(board))
            if pyr.supports[point] == 0 or pyr.supports[point] & state.filled(board)
        ]
        found = self.view.under(x, y, [self.target(spot) for spot in spots])
        return spots[found[0]] if found else None

    def pointed(self, x: float | None, y: float | None) -> None:
        """The pointer is at a place of the view, or has left it."""
        before = (self.hover, self.hover_marble, self.cursor)
        self.hover = self.hover_marble = None
        if x is not None and y is not None and self.live:
            self.cursor = None
            self.hover = self._spot_at(x, y)
            if self.hover is None:
                self.hover_marble = self.view.marble(x, y, self.stage.standing())
        if (self.hover, self.hover_marble, self.cursor) != before:
            self.refresh()
        self.view.shape = "hand" if self.hover is not None else ""

    def clicked(self, x: float, y: float) -> bool:
        """A click on the view. Returns whether it was on something."""
        self._skip()
        if not self.live:
            self.look(None)
            return True
        spot = self._spot_at(x, y)
        if spot is None:
            spot = self._point_at(x, y)
            if spot is None:
                self.forget_note()
                return False
        self.choose(spot)
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
        if self.live:
            self.cursor = None
            self.hover = spot if spot in self.control.targets else None
            filled = spot is not None and self.state.filled(spot.board) >> spot.point & 1
            self.hover_marble = (
                (spot.board, spot.point) if spot is not None and filled and not self.hover else None
            )
            self.refresh()

    def cancelled(self, x: float, y: float) -> None:
        """A right click: takes the step back, else explains the place."""
        self._skip()
        if not self.live:
            self.look(None)
        elif not self.step_back():
            spot = self._spot_at(x, y)
            if spot is not None:
                preview = self.control.preview(spot)
                self.say(f"{preview.text}." if preview else "", spot)
                return
            spot = self._point_at(x, y)
            if spot is not None:
                self.say(self.control.reason(spot), spot)

    # Doing

    def _skip(self) -> None:
        """What moves is finished: input never waits."""
        self.stage.finish()
        self.trails = []
        if self._again:
            self._again = False
            self.stage.reset(self.state)

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
                    self.stage.reset(before[-2].state if len(before) > 1 else self.match.first)
                self.happened(events)
            case Undone():
                self._rewound(before)
            case Several(moves):
                self._offer(moves, spot)
            case Refused(reason):
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
        """Says something about a place, until the next input."""
        self.note, self.note_at = sentence, spot if sentence else None
        self.refresh()

    def forget_note(self) -> None:
        """The sentence said last is answered."""
        if self.note:
            self.note, self.note_at = "", None
            self.refresh()

    def _offer(self, moves: Sequence[Move], spot: Spot) -> None:
        """Asks which of several moves was meant."""
        name = pyramid(self.state.size).names[spot.point]
        card = Panel("card", floating=True)
        area_x, area_y = self.view.on_screen(self.anchor(spot))
        canvas = self.app.canvas
        buttons = [Button(words.deed(m, name), self.chosen(m), kind="quiet", align=0) for m in moves]
        wide = max(button.natural(canvas) for button in buttons) + 16
        card.add(*buttons)
        high = 38 * len(buttons) + 10
        x = max(8.0, min(area_x + 14, self.rect.right - wide - 8))
        y = max(8.0, min(area_y - high / 2, self.rect.bottom - high - 8))
        self.app.root.popup(card, Rect(x, y, wide, high), focus=buttons[0])
        for number, button in enumerate(buttons):
            button.layout(Rect(x + 8, y + 8 + 38 * number, wide - 16, 34))

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

    def _rewound(self, before: Sequence[object]) -> None:
        """Shows that the plies after the cursor were taken back."""
        self.note, self.note_at = "", None
        gone = self.match.undone[: len(before) - self.match.cursor]
        events = [event for ply in gone for event in ply.events]
        try:
            self.stage.rewind(events, self.now(), self.match.state)
        except LookupError:
            self.stage.reset(self.match.state)
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
        self.stage.reset(self.state)
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

    def show_again(self) -> None:
        """Plays the last turn once more, slowly."""
        plies = self.match.plies
        if not plies or not self.live:
            return
        self._skip()
        first = len(plies) - 1
        while first and plies[first - 1].turn == plies[-1].turn:
            first -= 1
        self.stage.reset(plies[first - 1].state if first else self.match.first)
        self._again = True
        speed, self.stage.queue.speed = self.stage.queue.speed, "slow"
        try:
            self.stage.play([event for ply in plies[first:] for event in ply.events], self.now())
        except LookupError:
            self.stage.reset(self.state)
        self.stage.queue.speed = speed
        self.refresh()

    def animate(self, now: float) -> bool:
        moving = super().animate(now)
        if self._again and not self.stage.busy(self.time(now)):
            self._again = False
            self.stage.reset(self.state)
        return moving

    # Saving

    def ask_save(self) -> None:
        """Asks where the match is to be saved."""
        card = SaveCard(self)
        wide, high = self.app.root.size
        self.app.root.popup(card, Rect(0, 0, wide, high).centred(min(520, wide - 24), 176), focus=card.path)

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
        }
        action = actions.get(key.chord)
        if action is not None:
            action()
            return True
        if self.view_key(key):
            return True
        if key.chord in ("escape", "backspace"):
            return self._escape()
        if key.chord.isdecimal():
            return self.choose_colour(int(key.chord) - 1)
        return self._cursor_key(key)

    def _next_marks(self) -> None:
        modes = ("always", "hover", "off")
        self.app.change(marks=modes[(modes.index(self.app.settings.marks) + 1) % 3])

    def _escape(self) -> bool:
        self._skip()
        if not self.live:
            self.look(None)
            return True
        if self.step_back():
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
        self.forget_note()
        self.refresh()

    def _towards(self, way: str, targets: Sequence[Spot]) -> Spot:
        """The nearest target in that direction on the screen."""
        if self.cursor is None:
            return targets[0]
        dx, dy = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}[way]
        x, y = self.view.on_screen(self.anchor(self.cursor))
        best, least = self.cursor, float("inf")
        for spot, (sx, sy) in zip(
            targets, self.view.all_on_screen([self.anchor(s) for s in targets]), strict=True
        ):
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
        x, y = self.view.on_screen(self.anchor(self.cursor))
        rest = [s for s in targets if level[s.point] == ways[0]]
        places = self.view.all_on_screen([self.anchor(s) for s in rest])
        return min(
            zip(rest, places, strict=True), key=lambda pair: abs(pair[1][0] - x) + abs(pair[1][1] - y)
        )[0]

    # For tests from outside

    def trace(self) -> Mapping[str, object]:
        names = pyramid(self.state.size).names
        return {
            "points": self.points_on_screen(),
            "targets": [names[spot.point] for spot in self.control.targets],
            "plies": [ply.move for ply in self.match.plies],
            "status": self.status.sentence(),
            "note": self.note,
            "game": self.match.game.id,
            "over": self.band.sentence() if self.band.visible else "",
        }


def _text(meta: object, key: str, entry: Entry) -> str:
    """The text of the variant played, else that of the game."""
    if isinstance(meta, Mapping):
        texts = meta.get(key)
        if isinstance(texts, Mapping) and texts.get("en"):
            return str(texts["en"])
    return str(getattr(entry, key).get("en", ""))
