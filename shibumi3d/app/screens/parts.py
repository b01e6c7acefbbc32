"""What lies on and about the board while a match is played: cards, tray, tags, bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.files import typed_path
from shibumi3d.match.record import RecordError
from shibumi3d.rules.marbles import sentences
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.move import Move, spelled
from shibumi3d.rules.marbles.pyramid import Pyramid, pyramid
from shibumi3d.rules.marbles.texts import capital

from .. import secrets
from ..controller import FEW, Spot
from ..ui import icons
from ..ui.canvas import Canvas, faded, mixed
from ..ui.core import Key, Still, Widget
from ..ui.rect import Rect
from ..ui.style import BODY, HEADING, RADIUS, SMALL, Style
from ..ui.widgets import Button, Panel
from ..ui.widgets import Entry as Field
from .board import marble
from .settings import Card

if TYPE_CHECKING:
    from ..play.screen import Play


LISTED = 48
"""So many characters of the moves that are meant are listed."""
LEAST_SENTENCE = 220.0
"""So much room the sentence at the top must have beside the name of the game."""
LOST = "This position can't be won any more."


class Status(Still):
    """The game's name, whose turn it is, and what is asked for."""

    def __init__(self, screen: Play) -> None:
        super().__init__("status")
        self.screen = screen

    def sentence(self) -> str:
        """The sentence."""
        screen = self.screen
        state = screen.match.state
        if not screen.session.live:
            assert screen.session.looking is not None
            return (
                "Before the first turn"
                if not screen.session.looking
                else f"After turn {screen.match.plies[screen.session.looking - 1].turn + 1}"
            )
        if screen.opening:
            return "All have chosen"
        if state.to_move is None:
            return "The game is over"
        asked = screen.control.ask()
        who = screen.names[state.to_move]
        hidden = " in secret" if state.in_secret else ""
        told = f"{who} to move{hidden} – {asked}" if len(screen.names) > 1 else capital(asked)
        return told + self.stage_of_play()

    def stage_of_play(self) -> str:
        """Which phase and which game of a series it is, where there are several."""
        state = self.screen.match.state
        told = ""
        facts = self.screen.facts
        if facts.series:
            told += f" · game {state.game_number}{f' of {facts.games}' if facts.games else ''}"
        if 0 <= state.phase < len(facts.phases):
            told += f" · {facts.phases[state.phase]['en']}"
        return told

    def paint(self, canvas: Canvas, style: Style) -> None:
        screen, left, end = self.screen, self.rect.x, self.rect.right
        title, text = screen.entry.title, self.sentence()
        wide = canvas.width(title, "title", HEADING - 2) + 24
        if end - left - wide < LEAST_SENTENCE:
            # The sentence says more than the name.
            wide = 0.0
        else:
            space = Rect(left, self.rect.y, wide, self.rect.h)
            canvas.text_in(space, title, style.ink, "title", HEADING - 2)
        long = canvas.width(text, "bold", BODY + 1) + 28
        begin = max(left + wide, min(screen.rect.cx - long / 2, end - long))
        state = screen.match.state
        if screen.session.asking and state.to_move is not None and len(screen.names) > 1:
            icons.sign(canvas, state.to_move, begin + 9, self.rect.cy, style.action, 8)
            begin += 26
        canvas.text_fit(Rect(begin, self.rect.y, end - begin, self.rect.h), text, style.ink, "bold", BODY + 1)


class SeatCard(Still):
    """A player: sign, name, colours and marbles, score."""

    def __init__(self, screen: Play, seat: int) -> None:
        super().__init__()
        self.screen, self.seat = screen, seat
        self.lined = False
        """Whether all stands on one line, where there is little room."""
        self.aimed = True
        """Whether there is room for the line on what this player is after."""
        self._explained: list[tuple[Rect, str]] = []

    def stocks(self) -> list[tuple[str, list[tuple[int, int]]]]:
        """The stocks to show: a name (for all but the box) and (colour, number) of each colour."""
        state, seat = self.screen.playback.told(), self.seat
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
            if not own and len(state.reserves) > 1 and not any(number for _, number in shown):
                continue
            if shown or own:
                found.append(("" if name == "box" else name.replace("_", " "), shown))
        return found

    def score(self) -> str:
        """The score, where the game keeps one; alone, beside the best that can be reached."""
        state = self.screen.playback.told()
        scored = self.screen.facts.scored or any(state.scores)
        if not scored:
            return ""
        best = self.screen.entry.form(self.screen.match.game.variant).best.get(state.size)
        score = str(state.scores[self.seat])
        return f"{score} of {best}" if best is not None and state.seats == 1 else score

    def gained(self) -> list[str]:
        """What the finished games of a series brought."""
        totals = self.screen.state.totals
        return [f"{totals[self.seat]} before"] if self.screen.facts.series and totals else []

    def roles(self) -> list[str]:
        """What the rules call this player now, such as the mediator."""
        return list(self.screen.match.game.roles(self.screen.playback.told(), self.seat))

    def aim(self) -> str:
        """What is this player's own, and what the player is after."""
        return self.screen.match.game.own_line(self.screen.seen(), self.seat)

    def explained_at(self, x: float, y: float) -> tuple[Rect, str] | None:
        """What is explained there, and where it stands."""
        return next(((area, told) for area, told in self._explained if area.holds(x, y)), None)

    def wide(self, few: bool) -> float:
        """Its width: a long name has more room where there are few cards."""
        canvas = self.screen.app.canvas
        aim = canvas.width(self.aim(), "sans", SMALL) + 26 if self.aimed else 0.0
        if not few:
            return 190 if self.lined else min(224.0, max(176.0, aim))
        name, score = canvas.width(self.screen.names[self.seat], "bold", BODY), self.score()
        # With a score of two figures and a gain beside it, so that it does not grow while the match goes on.
        most = "".join(("00", *score.partition(" ")[1:]))
        taken = canvas.width(most, "bold", 17) + 34 if score else 0.0
        return min(260.0, max(190.0, 24 + 26 + name + 8 + taken, aim))

    def natural(self, few: bool) -> float:
        """Its height."""
        stocks = len(self.stocks())
        if self.aimed and self.aim():
            return 52.0 + (20 * stocks - 2 if stocks else 0)
        return 38.0 + (22 * stocks + 6 if stocks else 0)

    def paint(self, canvas: Canvas, style: Style) -> None:
        state = self.screen.state
        turn = state.to_move == self.seat and not self.screen.opening
        box = self.rect
        canvas.shadow(box, faded(style.shadow, 1.0 if turn else 0.5))
        canvas.rect(box, style.card if turn else mixed(style.card, style.page, 0.6), RADIUS)
        canvas.frame(box, style.action if turn else style.hairline, RADIUS, 2 if turn else 1)
        aim = self.aim()
        aimed = aim != "" and self.aimed and not self.lined
        line, rest = box.inset(12, 0).cut_top(box.h if self.lined else 32 if aimed else 38)
        icons.sign(canvas, self.seat, line.x + 8, line.cy, style.action if turn else style.soft, 7)
        words_, score = self.screen.names[self.seat], self.score()
        right = line.right - canvas.text_in(line, score, style.ink, "bold", 17, 1) - (5 if score else 0)
        gain = (
            self.screen.session.gains()[self.seat] if score and self.screen.session.shut_from is None else 0
        )
        if gain:
            told = f"+{gain}" if gain > 0 else f"−{-gain}"
            beside = Rect(line.x, line.y + 1, right - line.x, line.h)
            right -= canvas.text_in(beside, told, style.amber, "sans", SMALL, 1) + 5
        if self.lined:
            left = line.x + 32 + min(60.0, canvas.width(words_, "bold", BODY))
            right -= self._numbers(canvas, style, Rect(left, line.y, right - left, line.h))
        name = Rect(line.x + 26, line.y, right - line.x - 26, line.h)
        canvas.text_fit(name, words_, style.ink if turn else style.soft, "bold", BODY)
        roles = " · ".join(self.roles() + self.gained())
        if roles:
            wide = canvas.width(words_, "bold", BODY) + 8
            place = Rect(name.x + wide, line.y + 2, name.w - wide, line.h)
            if canvas.width(roles, "italic", 14) <= place.w:
                canvas.text_in(place, roles, style.amber, "italic", 14)
        self._explained = [(name, self._meant(*self.roles()) or ("" if aimed else aim))]
        if aimed:
            row_, rest = rest.cut_top(15)
            row_ = Rect(row_.x + 2, row_.y - 2, row_.w - 2, row_.h)
            canvas.text_fit(row_, aim, style.ink if turn else style.soft, "sans", SMALL)
            self._explained.append((row_, self.screen.entry.summary.get("en", "")))
        for name_, shown in self.stocks() if not self.lined else ():
            row_, rest = rest.cut_top(20 if aimed else 22)
            self._explained.append((row_, self._meant(name_ or "box")))
            x = row_.x + 6
            if name_:
                x += canvas.text_in(row_, name_, style.soft, "sans", SMALL) + 6
            x = self._marbles(canvas, style, x, row_, shown)

    def _meant(self, *words: str) -> str:
        """What words on the card mean."""
        return " ".join(capital(told) + "." for word in words if (told := self.screen.doing.meaning_of(word)))

    def _numbers(self, canvas: Canvas, style: Style, line: Rect) -> float:
        """The marbles of all stocks at the end of the line; returns how wide they are."""
        x = line.right
        for colour, number in reversed([each for _, shown in self.stocks() for each in shown]):
            wide = canvas.width(str(number), "sans", SMALL)
            if x - wide - 12 < line.x:
                break
            canvas.text_in(Rect(x - wide, line.y, wide + 1, line.h), str(number), style.soft, "sans", SMALL)
            marble(canvas, style, x - wide - 7, line.cy, 4.5, colour)
            x -= wide + 16
        return line.right - x

    def _marbles(
        self, canvas: Canvas, style: Style, x: float, line: Rect, shown: list[tuple[int, int]]
    ) -> float:
        if not shown:
            canvas.text_in(Rect(x, line.y, 60, line.h), "–", style.soft, "sans", SMALL)
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
            told = "?" if number < 0 else str(number)
            x += canvas.text_in(Rect(x, line.y, 40, line.h), told, style.soft, "sans", SMALL) + 14
        return x


class Tray(Widget):
    """The colours that may be set down: a click or its number takes one."""

    shape = "hand"
    STEP = 62

    def __init__(self, screen: Play) -> None:
        super().__init__("tray")
        self.screen = screen

    def in_hand(self) -> bool:
        """Whether the one marble that may be set down was drawn or chosen before."""
        tray = self.screen.control.tray
        return len(tray) == 1 and self.screen.control.source(tray[0]) not in ("", "box", "bag")

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
            left = Rect(field.x, field.y + 22, field.w, 20)
            canvas.text_in(left, self.left(colour), style.ink_on(colour), "bold", 14, 0.5)
            label = Rect(field.x, field.y + 58, field.w, 20)
            canvas.text_in(
                label,
                f"{number + 1} {COLOURS[colour]}" if len(self.screen.control.tray) > 1 else "in hand",
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
                self.screen.doing.choose_colour(number)


class ChoiceButton(Button):
    """A button for a choice; a colour shows its marble."""

    def __init__(self, label: str, action: Callable[[], None], move: Move) -> None:
        super().__init__(label, action, name=f"answer {move.text}")
        self.choice = move
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


class SeatAnswer(ChoiceButton):
    """A button for a player."""

    def natural(self, canvas: Canvas) -> float:
        return super().natural(canvas) + 22

    def __init__(self, label: str, action: Callable[[], None], move: Move) -> None:
        super().__init__(label, action, move)
        self.seat = move.value

    def paint(self, canvas: Canvas, style: Style) -> None:
        label, self.label = self.label, ""
        Button.paint(self, canvas, style)
        self.label = label
        icons.sign(canvas, self.seat, self.rect.x + 18, self.rect.cy, style.action, 7)
        canvas.text_in(self.rect.inset(32, 0), label, style.ink, "sans", BODY, 0)


class ShapeAnswer(ChoiceButton):
    """A button for a number that stands for a shape: it shows the shape, the higher marbles larger and lighter."""

    def __init__(self, action: Callable[[], None], move: Move, shape: Sequence[int], pyr: Pyramid) -> None:
        super().__init__("", action, move)
        self.places = [pyr.xyz[point] for point in shape]

    def natural(self, canvas: Canvas) -> float:
        return 76

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        # Seen from the south at a slant.
        flat = [(x + 0.25 * y, -0.45 * y - 0.8 * z, y) for x, y, z in self.places]
        wide = (min(p[0] for p in flat) + max(p[0] for p in flat)) / 2
        high = (min(p[1] for p in flat) + max(p[1] for p in flat)) / 2
        for (x, y, _), (_, _, z) in sorted(zip(flat, self.places, strict=True), key=lambda pair: -pair[0][2]):
            tone = mixed(style.soft, style.card, 0.35 * min(1.0, z))
            at = (self.rect.cx + (x - wide) * 14, self.rect.cy + (y - high) * 14)
            canvas.disc(*at, 7.5, style.card)
            canvas.disc(*at, 6.8, tone)


class Stepper(Widget):
    """A slip of paper with a number between − and +: typed, stepped or turned with the wheel."""

    def __init__(
        self, moves: Sequence[Move], verb: str, chosen: Callable[[Move], Callable[[], None]]
    ) -> None:
        super().__init__("slip")
        self.moves = sorted(moves, key=lambda move: move.value)
        self.place = 0
        self._chosen = chosen
        self.less = Button("", lambda: self.step(-1), icon="minus", name="less")
        self.more = Button("", lambda: self.step(1), icon="plus", name="more")
        self.field = Field(self.moves[0].text, self._typed, name="number", longest=4, entered=self.take)
        self.ok = Button(verb, self.take, kind="main", name="take number")
        self.add(self.less, self.field, self.more, self.ok)

    def natural(self, canvas: Canvas) -> float:
        """Its width."""
        return 32 + 64 + 32 + 18 + max(88.0, self.ok.natural(canvas))

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.less.layout(Rect(rect.x, rect.y, 32, rect.h))
        self.field.layout(Rect(rect.x + 38, rect.y, 64, rect.h))
        self.more.layout(Rect(rect.x + 108, rect.y, 32, rect.h))
        self.ok.layout(Rect(rect.x + 150, rect.y, rect.w - 150, rect.h))

    def step(self, by: int) -> None:
        """The next number that is allowed."""
        self.place = max(0, min(len(self.moves) - 1, self.place + by))
        self.field.words = self.moves[self.place].text
        self.field.caret = len(self.field.words)
        self.ok.enabled = True
        self.refresh()

    def _typed(self, text: str) -> None:
        found = [i for i, move in enumerate(self.moves) if move.text == text.strip()]
        self.ok.enabled = bool(found)
        self.place = found[0] if found else self.place

    def take(self) -> None:
        """Chooses the number shown."""
        if self.ok.enabled:
            self._chosen(self.moves[self.place])()

    def scroll(self, x: float, y: float, dx: float, dy: float, key: Key) -> bool:
        self.step(1 if dy > 0 else -1)
        return True


class Answers(Widget):
    """Buttons for choices that are not on the board: colours, seats, numbers, branches."""

    def __init__(self, screen: Play) -> None:
        super().__init__("answers")
        self.screen = screen
        self.moves: list[Move] = []

    def fill(self, moves: Sequence[Move]) -> None:
        """Offers these moves."""
        self.moves = list(moves)
        self.clear()
        self.visible = bool(moves)
        if not moves:
            return
        shapes = self.screen.control.shapes()
        pyr = pyramid(self.screen.state.size)
        numbers = [move for move in moves if move.kind == "number"]
        slip = len(numbers) > FEW
        for move in moves:
            action = self.screen.doing.chosen(move)
            if move in shapes:
                self.add(ShapeAnswer(action, move, shapes[move], pyr))
            elif move.kind == "seat":
                self.add(SeatAnswer(self.screen.names[move.value], action, move))
            elif move.kind != "number" or not slip:
                button = ChoiceButton(self.screen.doing.say_choice(move), action, move)
                button.tip = capital(self.screen.doing.meaning_of(move.label))
                self.add(button)
        if slip:
            self.add(Stepper(numbers, self._verb(), self.screen.doing.chosen))

    def _verb(self) -> str:
        """What the button of a slip says: the branch of this turn that asks for the number."""
        plies = self.screen.match.plies
        if self.screen.state.step and plies and plies[-1].move in self.screen.facts.labels:
            return capital(plies[-1].move.replace("_", " "))
        return "Choose"

    @property
    def high(self) -> float:
        """The height of the buttons."""
        return 56.0 if any(isinstance(child, ShapeAnswer) for child in self.children) else 32.0

    def natural(self, canvas: Canvas, most: float) -> tuple[float, float]:
        """Width and height that hold all buttons within the width ``most``."""
        x = wide = 10.0
        lines = 1
        for child in self.children:
            need = child.natural(canvas) + 8 if isinstance(child, Button | Stepper) else 0
            if x + need > most and x > 10:
                lines, x = lines + 1, 10.0
            x += need
            wide = max(wide, x)
        return wide + 2, 12 + (self.high + 8) * lines

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.screen.app.canvas
        x, y = rect.x + 10, rect.y + 10
        for child in self.children:
            need = child.natural(canvas) if isinstance(child, Button | Stepper) else 0
            if x + need > rect.right and x > rect.x + 10:
                x, y = rect.x + 10, y + self.high + 8
            child.layout(Rect(x, y, need, self.high))
            x += need + 8

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.shadow(self.rect, style.shadow)
        canvas.rect(self.rect, style.card, RADIUS)
        canvas.frame(self.rect, style.hairline, RADIUS)


class Tag(Still):
    """The name of the place under the pointer, or the sentence said about one, beside it."""

    def __init__(self, screen: Play) -> None:
        super().__init__()
        self.screen = screen

    def paint(self, canvas: Canvas, style: Style) -> None:
        screen = self.screen
        if screen.doing.note_at is not None:
            self._card(canvas, style, screen.doing.note_at, screen.doing.note, True)
        elif (
            screen.session.live and screen.pointing.active is not None and not screen.stage.busy(screen.now())
        ):
            spot = screen.pointing.active
            name = pyramid(screen.state.size).names[spot.point]
            if len(screen.pointing.overlap) > 1 and screen.pointing.hover == spot:
                name += f"  {screen.pointing.overlap_at + 1}/{len(screen.pointing.overlap)} Tab"
            self._card(canvas, style, spot, name, False)

    def _card(self, canvas: Canvas, style: Style, spot: Spot, text: str, note: bool) -> None:
        screen = self.screen
        x, y = screen.pointing.where(spot)
        radius = screen.pointing.radius(spot)
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
    """The steps of the turn: those done, the one to be done now, and one that is sure to come.

    The one now is paler when it may be left out. A click on a bead goes back to before it.
    """

    STEP = 16

    def __init__(self, screen: Play) -> None:
        super().__init__("beads", "Steps of this turn: a click goes back")
        self.screen = screen

    @property
    def done(self) -> int:
        """How many beads are shown as done."""
        return min(12, self.screen.seen().step)

    @property
    def optional(self) -> bool:
        """Whether the step to be done now may be left out."""
        return self.screen.session.live and any(
            move.kind in ("done", "pass") for move in self.screen.control.moves
        )

    @property
    def to_come(self) -> int:
        """How many steps are sure to follow: a marble that is lifted has to be set down."""
        kinds = {move.kind for move in self.screen.control.moves} if self.screen.session.live else set()
        return int(kinds == {"lift"})

    def natural(self) -> float:
        """Its width."""
        beads = self.done + self.to_come
        return 14.0 + self.STEP * beads if self.screen.state.to_move is not None else 0.0

    def bead_at(self, x: float) -> int:
        """The step done whose bead is under ``x``, or -1."""
        number = int((x - self.rect.x) // self.STEP)
        return number if 0 <= number < self.done else -1

    def paint(self, canvas: Canvas, style: Style) -> None:
        if self.screen.state.to_move is None:
            return
        x = self.rect.x + 7
        here = self.bead_at(self.root.pointer[0]) if self.hovered and self.root is not None else -1
        for number in range(self.done):
            canvas.disc(x, self.rect.cy, 6 if number == here else 5, style.action)
            x += self.STEP
        if self.optional:
            canvas.ring(x, self.rect.cy, 6, style.faint, 1)
        else:
            canvas.ring(x, self.rect.cy, 6, style.action, 2)
        for number in range(self.to_come):
            canvas.ring(x + self.STEP * (number + 1), self.rect.cy, 3.5, style.faint, 1)

    def move(self, x: float, y: float) -> None:
        self.shape = "hand" if self.bead_at(x) >= 0 else ""
        self.refresh()

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left"

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        number = self.bead_at(x)
        if number >= 0 and self.rect.holds(x, y):
            # Of a very long turn only the last steps fit: each bead is counted from the end.
            self.screen.doing.back_to(self.screen.seen().step - self.done + number)


class Hint(Still):
    """What a click would do here, or what was just done."""

    def __init__(self, screen: Play) -> None:
        super().__init__()
        self.screen = screen

    def sentence(self) -> tuple[str, bool]:
        """The sentence, and whether it is one that answers a refused click."""
        screen = self.screen
        active, choice = screen.pointing.active, screen.doing.button_choice() if screen.session.live else None
        if screen.doing.note and (screen.doing.note_at is not None or not (active or choice)):
            return screen.doing.note, True
        if screen.control.stopped:
            return capital(screen.control.stopped) + ".", True
        if screen.opening:
            return "", False
        if not screen.session.live:
            return LOST if screen.background.lost else "The game goes on where it was.", False
        if choice is not None:
            return screen.control.foresee(choice).text, False
        held = screen.match.state.held
        if active is None and screen.pointing.hover_marble is not None:
            board, point = screen.pointing.hover_marble
            colour = screen.stage.marbles.get((board, point), -1)
            name = pyramid(screen.state.size).names[point]
            return f"{name}, {COLOURS[colour]}" if colour >= 0 else name, False
        if active is not None:
            told = screen.control.foretell(active)
            if told:
                shapes = screen.control.choices_at(active)
                turn = (
                    f"  ({screen.control.turned % shapes + 1} of {shapes}, ; turns it)" if shapes > 1 else ""
                )
                return told + turn, False
            if held is not None and (held[2], held[1]) == active[:2]:
                return "Put it back", False
        if screen.match.autosave_problem:
            return capital(screen.match.autosave_problem) + ".", True
        if screen.background.lost:
            return LOST, False
        if screen.playback.came_of():
            return screen.playback.came_of(), False
        plies = screen.match.plies
        if plies and screen.masked(len(plies) - 1):
            return f"{screen.names[plies[-1].seat]} {secrets.IN_SECRET}", False
        if plies:
            return sentences.told(screen.seen(), plies[-1].seat, plies[-1].events, names=screen.names), False
        return "", False

    def paint(self, canvas: Canvas, style: Style) -> None:
        text, strong = self.sentence()
        canvas.text_fit(self.rect, text, style.amber if strong else style.soft, "sans", BODY)


class Band(Panel):
    """The end of the game: who won and why, and what to do now."""

    def __init__(self, screen: Play) -> None:
        super().__init__("card", floating=True, name="band")
        self.screen = screen
        app = screen.app
        self.again = Button(
            "Rematch", lambda: app.rematch(screen.match, screen.entry), kind="main", name="rematch"
        )
        self.swap = Button(
            "Swap seats" if len(screen.names) == 2 else "Next seats",
            lambda: app.rematch(screen.match, screen.entry, 1),
            tip="Rematch, everybody one seat on",
            name="swap seats",
        )
        self.swap.visible = len(screen.names) > 1
        self.review = Button("Review", self._review, name="review")
        self.add(self.again, self.swap, self.review)

    def _review(self) -> None:
        from .replay import Replay

        self.screen.app.show(Replay(self.screen.app, self.screen.match, self.screen.entry))

    def sentence(self) -> str:
        """Who won, and why."""
        return sentences.ending(self.screen.match.state, names=self.screen.names)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.screen.app.canvas
        line = Rect(rect.x + 12, rect.bottom - 52, rect.w - 24, 52)
        right = line.right
        for button in self._buttons():
            wide = button.natural(canvas)
            button.layout(Rect(right - wide, line.cy - 16, wide, 32))
            right -= wide + 8

    def _buttons(self) -> list[Button]:
        """The buttons from the right end inward."""
        return [button for button in (self.review, self.swap, self.again) if button.visible]

    def natural(self, canvas: Canvas, most: float) -> tuple[float, float]:
        """Width and height: the sentence stands above the buttons where both have no room on one line."""
        buttons = sum(button.natural(canvas) + 8 for button in self._buttons())
        long = canvas.width(self.sentence(), "title", 18)
        if long + buttons + 48 <= most:
            return max(420.0, long + buttons + 48), 52
        return min(most, max(long + 40, buttons + 24)), 92

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        box = self.rect
        left = box.x + 18
        if box.h > 60:
            area = Rect(left, box.y + 4, box.right - 14 - left, 40)
        else:
            area = Rect(left, box.y, self.again.rect.x - 12 - left, box.h)
        canvas.text_fit(area, self.sentence(), style.ink, "title", 18)


class Offer(Panel):
    """The moves that a click on a place may mean, beside it."""

    STEP = 38

    def __init__(self, screen: Play, moves: Sequence[Move], spot: Spot) -> None:
        super().__init__("card", floating=True, name="offer")
        self.screen, self.spot = screen, spot
        game, seen = screen.match.game, screen.control.seen
        for move in moves:
            label = sentences.say_there(game, seen, move, names=screen.names)
            self.add(ChoiceButton(capital(label), screen.doing.chosen(move), move))
        self.add(Button("Cancel", screen.app.root.close, kind="quiet", align=0, name="cancel"))

    def place(self, window: Rect) -> Rect:
        """Beside the place, inside the window."""
        canvas = self.screen.app.canvas
        wide = max(child.natural(canvas) for child in self.children if isinstance(child, Button)) + 16
        high = self.STEP * len(self.children) + 10
        x, y = self.screen.pointing.where(self.spot)
        x = max(8.0, min(x + 14, window.right - wide - 8))
        return Rect(x, max(8.0, min(y - high / 2, window.bottom - high - 8)), wide, high)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        for number, button in enumerate(self.children):
            button.layout(Rect(rect.x + 8, rect.y + 8 + self.STEP * number, rect.w - 16, self.STEP - 4))


class SaveCard(Card):
    """Asks for the file that the match is written to."""

    _below = Rect()
    """Where it is said what stood in the way."""

    def __init__(self, screen: Play) -> None:
        super().__init__("Save the game")
        self.screen = screen
        name = f"{screen.match.game.id} {date.today():%Y-%m-%d}.yaml"
        self.path = Field(str(Path.home() / name), name="path", longest=400, entered=self.write)
        self.ok = Button("Save", self.write, kind="main", name="save file")
        self.cancel = Button("Cancel", screen.app.root.close, name="cancel")
        self.problem = ""
        self.add(self.path, self.cancel, self.ok)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        area = rect.inset(24, 16)
        _, area = area.cut_top(44, 2)
        field, area = area.cut_top(34, 10)
        self.path.layout(field)
        ok, area = area.cut_bottom(32)[0].cut_right(96, 8)
        self.ok.layout(ok)
        cancel, self._below = area.cut_right(96, 12)
        self.cancel.layout(cancel)

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        canvas.text_fit(self._below, self.problem, style.brick, "sans", SMALL)

    def write(self) -> None:
        """Writes the file, and says what stood in the way if it could not."""
        try:
            self.screen.match.record().save(typed_path(self.path.words))
        except RecordError as problem:
            self.problem = capital(str(problem))
        except OSError as problem:
            self.problem = f"That place can't be written: {problem.strerror or problem}."
        else:
            self.screen.app.root.close()
        self.refresh()


class LineCard(Panel):
    """A line to type into, and a line below that says what comes of it."""

    SIZE = (380, 146)

    def __init__(self, screen: Play, field: Field, name: str, verb: str) -> None:
        super().__init__("card", floating=True, name=name)
        self.screen, self.field = screen, field
        self.field.entered = self.take
        self.ok = Button(verb, self.take, kind="main", name=f"{name} now")
        self.cancel = Button("Cancel", screen.app.root.close, name="cancel")
        self.add(field, self.cancel, self.ok)

    def below(self) -> tuple[str, bool]:
        """The line below, and whether what is typed can be taken."""
        raise NotImplementedError

    def take(self) -> None:
        """Does what was typed."""
        raise NotImplementedError

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.field.layout(Rect(rect.x + 14, rect.y + 14, rect.w - 28, 34))
        foot = Rect(rect.x + 14, rect.bottom - 46, rect.w - 28, 32)
        ok, foot = foot.cut_right(96, 8)
        self.ok.layout(ok)
        self.cancel.layout(foot.cut_right(96)[0])

    def paint(self, canvas: Canvas, style: Style) -> None:
        text, usable = self.below()
        super().paint(canvas, style)
        place = Rect(self.rect.x + 16, self.rect.y + 56, self.rect.w - 32, 36)
        canvas.text_fit(place, text, style.soft if usable else style.amber, "sans", 14)


class GoCard(LineCard):
    """A line for the number of a turn, to look at the board after it."""

    def __init__(self, screen: Play) -> None:
        ends = {turn + 1: last for turn, _, _, last in screen.moves.turns if last <= screen.match.cursor}
        self.ends = {0: 0, **ends}
        hint = f"go to turn, 0 to {max(self.ends)}"
        field = Field("", lambda text: self.refresh(), hint=hint, name="turn", longest=5)
        super().__init__(screen, field, "go to turn", "Look")

    @property
    def ply(self) -> int | None:
        """The number of moves up to the end of the turn typed."""
        text = self.field.words.strip()
        return self.ends.get(int(text)) if text.isdecimal() else None

    def below(self) -> tuple[str, bool]:
        if not self.field.words.strip():
            return "Enter shows the board after that turn.", True
        if self.ply is None:
            return "There is no such turn.", False
        return "Enter shows the board after this turn.", True

    def take(self) -> None:
        ply = self.ply
        if ply is not None:
            self.screen.app.root.close()
            self.screen.playback.look(ply)


class TypeCard(LineCard):
    """A line for a typed move, with the moves that begin so."""

    def __init__(self, screen: Play) -> None:
        hint = "type a move, such as " + spelled(screen.control.moves[0].text)
        super().__init__(screen, Field("", self._changed, hint=hint, name="typed move"), "type", "Play")
        self.found: list[Move] = list(screen.control.moves)

    def _changed(self, text: str) -> None:
        wanted = text.strip().casefold()
        plain = [m for m in self.screen.control.moves if spelled(m.text).casefold().startswith(wanted)]
        # The colour may be left out where a point alone is meant.
        at = [m for m in self.screen.control.moves if m.text.casefold().lstrip("wbr@x^>").startswith(wanted)]
        self.found = plain or at
        self.refresh()

    def take(self) -> None:
        wanted = self.field.words.strip().casefold()
        exact = [m for m in self.found if wanted in (m.text.casefold(), spelled(m.text).casefold())]
        if exact or len(self.found) == 1:
            self.screen.doing.play_move((exact or self.found)[0])

    def below(self) -> tuple[str, bool]:
        texts, shown = [spelled(move.text) for move in self.found], 0
        while shown < len(texts) and len("  ".join(texts[: shown + 1])) <= LISTED:
            shown += 1
        told = "  ".join(texts[:shown])
        if shown < len(texts):
            told += f"  and {len(texts) - shown} more"
        return told or "No move begins so.", bool(told)
