"""What lies on and about the board while a match is played: cards, tray, tags, bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.match.record import RecordError
from shibumi3d.rules.colour import COLOURS
from shibumi3d.rules.move import Move
from shibumi3d.rules.pyramid import pyramid

from .. import words
from ..controller import Spot
from ..ui import icons
from ..ui.canvas import Canvas, faded, mixed
from ..ui.core import Key, Widget
from ..ui.rect import Rect
from ..ui.style import BODY, HEADING, RADIUS, SMALL, Style
from ..ui.widgets import Button, Panel
from ..ui.widgets import Entry as Field
from .board import luminous, marble
from .settings import Card

if TYPE_CHECKING:
    from .play import Play


class Status(Widget):
    """The game's name, whose turn it is, and what is asked for."""

    def __init__(self, screen: Play) -> None:
        super().__init__("status")
        self.screen = screen

    def at(self, x: float, y: float) -> Widget | None:
        return None

    def sentence(self) -> str:
        """The sentence."""
        screen = self.screen
        state = screen.match.state
        if not screen.live:
            assert screen.looking is not None
            return (
                "Before the first turn"
                if not screen.looking
                else f"After turn {screen.match.plies[screen.looking - 1].turn + 1}"
            )
        if state.to_move is None:
            return "The game is over"
        asked = screen.control.ask()
        who = screen.names[state.to_move]
        return f"{who} to move – {asked}" if len(screen.names) > 1 else words.capital(asked)

    def paint(self, canvas: Canvas, style: Style) -> None:
        screen = self.screen
        left = screen.back.rect.right + 10
        title = screen.entry.title
        wide = canvas.text_in(
            Rect(left, self.rect.y, 260, self.rect.h), title, style.ink, "title", HEADING - 2
        )
        text = self.sentence()
        long = canvas.width(text, "bold", BODY + 1) + 28
        begin = max(left + wide + 24, self.rect.cx - long / 2)
        end = screen.save.rect.x - 12
        state = screen.match.state
        if screen.live and state.to_move is not None and len(screen.names) > 1:
            icons.sign(canvas, state.to_move, begin + 9, self.rect.cy, style.action, 8)
            begin += 26
        canvas.text_in(Rect(begin, self.rect.y, end - begin, self.rect.h), text, style.ink, "bold", BODY + 1)


class SeatCard(Widget):
    """A player: sign, name, colours and marbles, score."""

    def __init__(self, screen: Play, seat: int) -> None:
        super().__init__()
        self.screen, self.seat = screen, seat

    def at(self, x: float, y: float) -> Widget | None:
        return None

    def stocks(self) -> list[tuple[str, list[tuple[int, int]]]]:
        """The stocks to show: a name (for all but the box) and (colour, number) of each colour."""
        state, seat = self.screen.seen(), self.seat
        owned = {COLOURS[c] for c in state.owned(seat)}
        found: list[tuple[str, list[tuple[int, int]]]] = []
        for name, holders in state.reserves.items():
            own = len(holders) == state.seats and (state.seats > 1 or name != "box")
            content = holders[seat] if own else holders[0]
            if not own and (not owned or len(owned) == len(COLOURS)):
                continue
            shown = [
                (COLOURS.index(word) if word in COLOURS else -1, number)
                for word, number in content.items()
                if own or word in owned
            ]
            shown = [(colour, number) for colour, number in shown if number or not own]
            if shown or own:
                found.append(("" if name == "box" else name.replace("_", " "), shown))
        return found

    def score(self) -> str:
        """The score, where the game keeps one."""
        state = self.screen.state
        scored = state.rules.score is not None or any(state.scores)
        return str(state.scores[self.seat]) if scored else ""

    def wide(self, few: bool) -> float:
        """Its width."""
        return 190 if few else 176

    def natural(self, few: bool) -> float:
        """Its height."""
        return 38 + (22 * len(self.stocks()) + 6 if self.stocks() else 0)

    def paint(self, canvas: Canvas, style: Style) -> None:
        state = self.screen.state
        turn = state.to_move == self.seat
        box = self.rect
        canvas.shadow(box, faded(style.shadow, 1.0 if turn else 0.5))
        canvas.rect(box, style.card if turn else mixed(style.card, style.page, 0.6), RADIUS)
        canvas.frame(box, style.action if turn else style.hairline, RADIUS, 2 if turn else 1)
        line, rest = box.inset(12, 0).cut_top(38)
        icons.sign(canvas, self.seat, line.x + 8, line.cy, style.action if turn else style.soft, 7)
        name = Rect(line.x + 26, line.y, line.w - 66, line.h)
        canvas.text_in(name, self.screen.names[self.seat], style.ink if turn else style.soft, "bold", BODY)
        canvas.text_in(line, self.score(), style.ink, "bold", 17, 1)
        for name_, shown in self.stocks():
            row_, rest = rest.cut_top(22)
            x = row_.x + 6
            if name_:
                x += canvas.text_in(row_, name_, style.soft, "sans", SMALL) + 6
            x = self._marbles(canvas, style, x, row_, shown)

    def _marbles(
        self, canvas: Canvas, style: Style, x: float, line: Rect, shown: list[tuple[int, int]]
    ) -> float:
        if not shown:
            canvas.text_in(Rect(x, line.y, 60, line.h), "–", style.faint, "sans", SMALL)
            return x
        single = len(shown) == 1
        for colour, number in shown:
            pitch = min(13.0, (line.right - 30 - x) / max(1, number))
            if single and number <= 16 and pitch >= 9:
                for _ in range(number):
                    marble(canvas, style, x, line.cy, 5.5, colour)
                    x += pitch
                x += 2
            else:
                marble(canvas, style, x, line.cy, 5.5, colour)
                x += 11
            x += canvas.text_in(Rect(x, line.y, 40, line.h), str(number), style.soft, "sans", SMALL) + 14
        return x


class Tray(Widget):
    """The colours that may be set down: a click or its number takes one."""

    shape = "hand"
    STEP = 62

    def __init__(self, screen: Play) -> None:
        super().__init__("tray")
        self.screen = screen

    def natural(self) -> float:
        """Its width."""
        return self.STEP * len(self.screen.control.tray) + 12

    def _field(self, number: int) -> Rect:
        return Rect(self.rect.x + 6 + self.STEP * number, self.rect.y, self.STEP, self.rect.h)

    def left(self, colour: int) -> str:
        """How many of a colour are left to be taken."""
        state = self.screen.seen()
        if state.to_move is None:
            return ""
        holders = state.reserves.get(self.screen.control.source(colour), ())
        if not holders:
            return ""
        content = holders[state.to_move if len(holders) > 1 else 0]
        return str(content.get(COLOURS[colour], ""))

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.shadow(self.rect, style.shadow)
        canvas.rect(self.rect, style.card, RADIUS)
        canvas.frame(self.rect, style.hairline, RADIUS)
        here = self.root.pointer if self.hovered and self.root is not None else (-1.0, -1.0)
        for number, colour in enumerate(self.screen.control.tray):
            field = self._field(number)
            on = colour == self.screen.control.colour
            if field.holds(*here) and not on:
                canvas.rect(field.inset(3, 4), style.hover, RADIUS)
            marble(canvas, style, field.cx, field.y + 32, 17, colour)
            if on:
                canvas.ring(field.cx, field.y + 32, 23, style.action, 2.5)
            on_it = style.page if luminous(style, colour) == style.night else style.ink
            left = Rect(field.x, field.y + 22, field.w, 20)
            canvas.text_in(left, self.left(colour), on_it, "bold", 14, 0.5)
            label = Rect(field.x, field.y + 58, field.w, 20)
            canvas.text_in(
                label,
                f"{number + 1} {COLOURS[colour]}",
                style.ink if on else style.soft,
                "bold" if on else "sans",
                SMALL,
                0.5,
            )

    def move(self, x: float, y: float) -> None:
        self.refresh()

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left"

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        for number in range(len(self.screen.control.tray)):
            if self._field(number).holds(x, y):
                self.screen.choose_colour(number)


class Answer(Button):
    """A button for a choice; a colour shows its marble."""

    def __init__(self, label: str, action: Callable[[], None], move: Move) -> None:
        super().__init__(label, action, name=f"answer {move.text}")
        self.colour = COLOURS.index(move.text) if move.text in COLOURS else move.colour

    def natural(self, canvas: Canvas) -> float:
        return super().natural(canvas) + (18 if self.colour >= 0 else 0)

    def paint(self, canvas: Canvas, style: Style) -> None:
        label, self.label = self.label, ""
        super().paint(canvas, style)
        self.label = label
        area = self.rect.inset(10, 0)
        if self.colour >= 0:
            marble(canvas, style, area.x + 7, area.cy, 7, self.colour)
            area = area.cut_left(18)[1]
        canvas.text_in(area, label, style.ink, "sans", BODY, 0.5)


class Answers(Widget):
    """Buttons for choices that are not on the board: colours, seats, numbers, branches."""

    def __init__(self, screen: Play) -> None:
        super().__init__()
        self.screen = screen
        self.moves: list[Move] = []

    def fill(self, moves: Sequence[Move]) -> None:
        """Offers these moves."""
        self.moves = list(moves)
        self.clear()
        self.visible = bool(moves)
        for move in moves:
            self.add(Answer(self._label(move), self.screen.chosen(move), move))

    def _label(self, move: Move) -> str:
        if move.kind == "seat":
            return self.screen.names[move.value]
        names = pyramid(self.screen.state.size).names
        return words.deed(move, names[move.point] if move.point >= 0 else "")

    def natural(self, canvas: Canvas, most: float) -> tuple[float, float]:
        """Width and height that hold all buttons within the width ``most``."""
        x = wide = 10.0
        lines = 1
        for button in self.children:
            need = button.natural(canvas) + 8 if isinstance(button, Button) else 0
            if x + need > most and x > 10:
                lines, x = lines + 1, 10.0
            x += need
            wide = max(wide, x)
        return wide + 2, 12 + 40 * lines

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.screen.app.canvas
        x, y = rect.x + 10, rect.y + 10
        for button in self.children:
            need = button.natural(canvas) if isinstance(button, Button) else 0
            if x + need > rect.right and x > rect.x + 10:
                x, y = rect.x + 10, y + 40
            button.layout(Rect(x, y, need, 32))
            x += need + 8

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.shadow(self.rect, style.shadow)
        canvas.rect(self.rect, style.card, RADIUS)
        canvas.frame(self.rect, style.hairline, RADIUS)


class Tag(Widget):
    """The name of the place under the pointer, or the sentence said about one, beside it."""

    def __init__(self, screen: Play) -> None:
        super().__init__()
        self.screen = screen

    def at(self, x: float, y: float) -> Widget | None:
        return None

    def paint(self, canvas: Canvas, style: Style) -> None:
        screen = self.screen
        if screen.note_at is not None:
            self._card(canvas, style, screen.note_at, screen.note, True)
        elif screen.live and screen.active is not None and not screen.stage.busy(screen.now()):
            spot = screen.active
            self._card(canvas, style, spot, pyramid(screen.state.size).names[spot.point], False)

    def _card(self, canvas: Canvas, style: Style, spot: Spot, text: str, note: bool) -> None:
        screen = self.screen
        x, y = screen.view.on_screen(screen.anchor(spot))
        radius = screen.view.size_of(screen.anchor(spot))
        lines = canvas.wrap(text, "sans", 14, 300)
        wide = max(canvas.width(line, "sans", 14) for line in lines) + 18
        high = 19 * len(lines) + 9
        left = x + radius * 0.9 + 6
        if left + wide > self.rect.right - 6:
            left = x - radius * 0.9 - 6 - wide
        top = min(max(self.rect.y + 6, y - radius * 0.6 - high), self.rect.bottom - high - 6)
        box = Rect(left, top, wide, high)
        canvas.shadow(box, style.shadow)
        canvas.rect(box, style.card, 5)
        canvas.frame(box, style.amber if note else style.hairline, 5)
        for number, line in enumerate(lines):
            place = Rect(box.x + 9, box.y + 5 + 19 * number, wide - 12, 19)
            canvas.text_in(place, line, style.amber if note else style.ink, "sans", 14)


class Beads(Widget):
    """The steps of the turn: those done, and the one to be done now."""

    def __init__(self, screen: Play) -> None:
        super().__init__()
        self.screen = screen

    def at(self, x: float, y: float) -> Widget | None:
        return None

    def natural(self) -> float:
        """Its width."""
        return 14.0 + 16 * min(12, self.screen.state.step) if self.screen.state.to_move is not None else 0.0

    def paint(self, canvas: Canvas, style: Style) -> None:
        state = self.screen.state
        if state.to_move is None:
            return
        x = self.rect.x + 7
        for _ in range(min(12, state.step)):
            canvas.disc(x, self.rect.cy, 5, style.action)
            x += 16
        canvas.ring(x, self.rect.cy, 6, style.action, 2)


class Hint(Widget):
    """What a click would do here, or what was just done."""

    def __init__(self, screen: Play) -> None:
        super().__init__()
        self.screen = screen

    def at(self, x: float, y: float) -> Widget | None:
        return None

    def sentence(self) -> tuple[str, bool]:
        """The sentence, and whether it is one that answers a refused click."""
        screen = self.screen
        if screen.note:
            return screen.note, True
        if screen.control.stopped:
            return words.capital(screen.control.stopped) + ".", True
        if not screen.live:
            return "The game goes on where it was.", False
        held = screen.match.state.held
        active = screen.active
        if active is None and screen.hover_marble is not None:
            board, point = screen.hover_marble
            colour = screen.stage.marbles.get((board, point), -1)
            name = pyramid(screen.state.size).names[point]
            return f"{name}, {COLOURS[colour]}" if colour >= 0 else name, False
        if active is not None:
            preview = screen.control.preview(active)
            if preview is not None:
                return preview.text, False
            if held is not None and (held[2], held[1]) == active[:2]:
                return "Put it back", False
        if screen.app.notice:
            return screen.app.notice, True
        if screen.match.autosave_problem:
            return words.capital(screen.match.autosave_problem) + ".", True
        plies = screen.match.plies
        if plies:
            told = words.told(plies[-1].events, screen.state.size, screen.names)
            if told:
                return f"{screen.names[plies[-1].seat]}: {told}" if len(screen.names) > 1 else words.capital(
                    told
                ), False
        return "", False

    def paint(self, canvas: Canvas, style: Style) -> None:
        text, strong = self.sentence()
        canvas.text_in(self.rect, text, style.amber if strong else style.soft, "sans", BODY)


class Band(Panel):
    """The end of the game: who won and why, and what to do now."""

    def __init__(self, screen: Play) -> None:
        super().__init__("card", floating=True, name="band")
        self.screen = screen
        app = screen.app
        self.again = Button(
            "Rematch", lambda: app.rematch(screen.match, screen.entry), kind="main", name="rematch"
        )
        self.review = Button("Review", self._review, name="review")
        self.add(self.again, self.review)

    def _review(self) -> None:
        from .replay import Replay

        self.screen.app.show(Replay(self.screen.app, self.screen.match, self.screen.entry))

    def sentence(self) -> str:
        """Who won, and why."""
        return words.ending(self.screen.match.state, self.screen.names)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        line = rect.inset(12, 0)
        self.review.layout(Rect(line.right - 88, line.cy - 16, 88, 32))
        self.again.layout(Rect(line.right - 88 - 8 - 104, line.cy - 16, 104, 32))

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        area = Rect(self.rect.x + 18, self.rect.y, self.rect.w - 18 - 224, self.rect.h)
        canvas.text_in(area, self.sentence(), style.ink, "title", 18)


class SaveCard(Card):
    """Asks for the file that the match is written to."""

    def __init__(self, screen: Play) -> None:
        super().__init__("Save the game")
        self.screen = screen
        name = f"{screen.match.game.id} {date.today():%Y-%m-%d}.yaml"
        self.path = Field(str(Path.home() / name), name="path", longest=400, entered=self.write)
        self.ok = Button("Save", self.write, kind="main", name="save file")
        self.problem = ""
        self.add(self.path, self.ok)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        area = rect.inset(24, 16)
        _, area = area.cut_top(44, 2)
        field, area = area.cut_top(34, 10)
        self.path.layout(field)
        self.ok.layout(area.cut_bottom(32)[0].cut_right(96)[0])

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        place = Rect(self.rect.x + 24, self.ok.rect.y, self.rect.w - 150, 32)
        canvas.text_in(place, self.problem, style.brick, "sans", SMALL)

    def write(self) -> None:
        """Writes the file, and says what stood in the way if it could not."""
        try:
            self.screen.match.record().save(Path(self.path.words).expanduser())
        except RecordError as problem:
            self.problem = words.capital(str(problem))
        except OSError as problem:
            self.problem = f"That place can't be written: {problem.strerror or problem}."
        else:
            self.screen.app.root.close()
        self.refresh()
