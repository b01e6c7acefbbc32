"""The first page: continue, find a game, see what it is about, start it."""

from __future__ import annotations

import hashlib
import random
import unicodedata
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import CATEGORIES, Entry

from ..ui import icons
from ..ui.canvas import Canvas, faded
from ..ui.core import Key, Widget
from ..ui.rect import Rect
from ..ui.style import BODY, HEADING, RADIUS, SMALL, TITLE, Style
from ..ui.widgets import Button, Choice, Listing, Panel, Prose, Text
from ..ui.widgets import Entry as Field
from . import sheet
from .base import Screen

if TYPE_CHECKING:
    from ..app import App

KANJI = {
    "alignment": "並", "connection": "結", "pattern": "形", "completion": "成", "elimination": "除",
    "capture": "取", "score": "点", "puzzle": "謎", "mixed": "組",
}  # fmt: skip
ROW = 68


def seed_of(text: str) -> int:
    """The seed that a text stands for: itself when it is a number, else one made of it, the same everywhere."""
    text = text.strip()
    if not text:
        return random.randrange(1_000_000)
    if text.isdecimal() and len(text) <= 15:
        return int(text)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")


def folded(text: str) -> str:
    """The text without accents and capitals, as searching compares it."""
    return "".join(c for c in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(c))


def players(entry: Entry) -> str:
    """For how many, in words."""
    least, most = entry.players
    if most == 1:
        return "solo"
    return f"{least} players" if least == most else f"{least}–{most} players"


class Home(Screen):
    """Lists the games; the chosen one is described beside the list with all that is needed to start it."""

    title = "home"
    keys = sheet.HOME

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.category = -1
        self.groups = [c for c in CATEGORIES if any(e.category == c for e in app.catalogue)]
        self.header = Panel("page", "bottom")
        self.side = Panel("page", "right")
        self.search = Field(
            "", self._search, hint="search games", icon="search", name="search", entered=self._play
        )
        self.groups_list = Listing(36, self._paint_group, self._choose_group, name="groups")
        self.groups_list.fill(len(self.groups) + 1, 0)
        self.games = Listing(
            ROW, self._paint_game, self._choose, opened=lambda row: self._play(), name="games"
        )
        self.card = ContinueCard(app)
        self.start = StartPanel(app)
        self.theme = Button(
            "", app.toggle_theme, icon="theme", kind="quiet", tip="Day or night", name="theme"
        )
        self.settings = Button(
            "", app.show_settings, icon="settings", kind="quiet", tip="Settings", name="settings"
        )
        self.open = Button(
            "", app.open_record, icon="open", kind="quiet", tip="Open a game  Ctrl+O", name="open"
        )
        self.none = Text("No game matches.", "italic", 17, "soft", 0.5)
        self.found: list[Entry] = []
        self.chosen: Entry | None = app.entry(app.last_game) if app.last_game else None
        self.add(self.header, self.side, self.search, self.groups_list, self.games, self.card, self.start)
        self.add(self.theme, self.settings, self.open, self.none)
        self._search("")

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        top, rest = rect.cut_top(56)
        self.header.layout(top)
        self.search.layout(Rect(max(300, rect.cx - 200), top.cy - 17, min(400, rect.w - 480), 34))
        for number, button in enumerate((self.settings, self.theme, self.open)):
            button.layout(Rect(rect.right - 44 - 38 * number, top.cy - 16, 32, 32))
        side, rest = rest.cut_left(208 if rect.w >= 1000 else 0)
        self.side.visible = self.groups_list.visible = side.w > 0
        self.side.layout(side)
        self.groups_list.layout(side.inset(10, 14))
        start, rest = rest.cut_right(min(420, rest.w * 0.46))
        self.start.layout(start)
        rest = rest.inset(16, 14)
        self.card.visible = self.app.saved is not None
        if self.card.visible:
            card, rest = rest.cut_top(76, 14)
            self.card.layout(card)
        self.games.layout(rest)
        self.none.layout(rest.cut_top(60)[0])

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.page)

    def draw(self, canvas: Canvas, style: Style) -> None:
        super().draw(canvas, style)
        canvas.text(18, 40, "渋", style.brick, "seal", 40)
        canvas.text(66, 36, "Shibumi 3D", style.ink, "title", HEADING)

    def key(self, key: Key) -> bool:
        if key.chord in ("up", "down", "pageup", "pagedown", "enter") and self.games.key(key):
            return True
        if key.chord == "escape" and self.search.words:
            self.search.set("")
            return True
        if key.chord == "ctrl+o":
            self.app.open_record()
            return True
        return False

    def text(self, text: str) -> bool:
        if self.root is None or not text.strip():
            return False
        self.root.focus = self.search
        return self.search.text(text)

    def trace(self) -> Mapping[str, object]:
        shown = {
            e.id: [self.games.rect.cx, self.games.row_rect(i).cy]
            for i, e in enumerate(self.found)
            if self.games.rect.holds(self.games.rect.cx, self.games.row_rect(i).cy)
        }
        return {
            "games": {name: self.app.pixels(*place) for name, place in shown.items()},
            "found": len(self.found),
        }

    def _search(self, text: str) -> None:
        words = folded(text).split()
        self.found = [e for e in self.app.catalogue if self._matches(e, words)]
        self.none.visible = not self.found
        row = self.found.index(self.chosen) if self.chosen in self.found else 0 if self.found else -1
        self.games.fill(len(self.found), row)
        if row >= 0:
            self._choose(row)
        self.refresh()

    def _matches(self, entry: Entry, words: list[str]) -> bool:
        if self.category >= 0 and entry.category != self.groups[self.category]:
            return False
        summary = entry.summary.get("en", "")
        text = folded(" ".join((entry.title, entry.category, *entry.authors, players(entry), summary)))
        return all(word in text for word in words)

    def _choose_group(self, row: int) -> None:
        self.category = row - 1
        self._search(self.search.words)

    def _choose(self, row: int) -> None:
        self.chosen = self.found[row]
        self.start.show(self.chosen)

    def _play(self) -> None:
        if self.chosen is not None:
            self.start.play()

    def _paint_group(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        on = row == self.category + 1
        if on or here:
            canvas.rect(rect.inset(0, 2), style.sunk if on else style.hover, RADIUS)
        name = self.groups[row - 1] if row else "all games"
        count = sum(1 for e in self.app.catalogue if not row or e.category == name)
        mark, rest = rect.inset(10, 0).cut_left(28)
        canvas.text_in(mark, KANJI[name] if row else "石", style.brick if on else style.faint, "kanji", 16)
        words, number = rest.cut_left(rest.w - 30)
        canvas.text_in(
            words, name.capitalize(), style.ink if on else style.soft, "bold" if on else "sans", 14
        )
        canvas.text_in(number, str(count), style.faint, "sans", SMALL, 1)

    def _paint_game(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        entry = self.found[row]
        box = rect.inset(0, 3)
        if entry is self.chosen:
            canvas.rect(box, style.card, RADIUS)
            canvas.frame(box, style.action, RADIUS, 1.5)
        else:
            if here:
                canvas.rect(box, style.hover, RADIUS)
            canvas.rule(rect.x + 12, rect.bottom - 1, rect.w - 24, faded(style.hairline, 0.6))
        area = box.inset(14, 8)
        upper, lower = area.cut_top(24)
        facts = f"{players(entry)} · {entry.minutes} min"
        wide = canvas.width(facts, "sans", SMALL)
        canvas.text_in(
            Rect(upper.x, upper.y, upper.w - wide - 12, upper.h), entry.title, style.ink, "title", 19
        )
        canvas.text_in(upper, facts, style.soft, "sans", SMALL, 1)
        canvas.text_in(lower, entry.summary.get("en", ""), style.soft, "sans", 14)


class ContinueCard(Widget):
    """The game that was being played last; a click takes it up again."""

    focusable = True
    shape = "hand"

    def __init__(self, app: App) -> None:
        super().__init__("continue")
        self.app = app

    def paint(self, canvas: Canvas, style: Style) -> None:
        record = self.app.saved
        if record is None:
            return
        canvas.rect(self.rect, style.card, RADIUS)
        if self.hovered:
            canvas.rect(self.rect, style.hover, RADIUS)
        canvas.frame(self.rect, style.hairline, RADIUS)
        area = self.rect.inset(16, 10)
        mark, area = area.cut_left(40)
        icons.draw(canvas, "play", mark.x + 14, mark.cy, style.action, 26)
        upper, lower = area.cut_top(28)
        entry = self.app.entry(record.game)
        title = entry.title if entry else record.game
        canvas.text_in(upper, f"Continue {title}", style.ink, "title", 19)
        turn = f"{len(record.turns)} turn{'s' if len(record.turns) != 1 else ''} played"
        canvas.text_in(lower, f"{' – '.join(record.seats)} · {turn}", style.soft, "sans", 14)

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left"

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        if self.rect.holds(x, y):
            self.app.resume()

    def key(self, key: Key) -> bool:
        if key.chord in ("enter", "space"):
            self.app.resume()
            return True
        return False


class StartPanel(Panel):
    """What the chosen game is, who plays, and *Play*."""

    def __init__(self, app: App) -> None:
        super().__init__("card", "left")
        self.app = app
        self.entry: Entry | None = None
        self.seats = 2
        self.names = [*app.settings.names, *(f"Player {n + 1}" for n in range(len(app.settings.names), 10))]
        self.size = 4
        self.variant = ""
        self.fields: list[Field] = []
        self.labels: list[tuple[str, Rect]] = []
        self.body = Prose("", 16, name="rules")
        self.seed = Field("", hint="seed: any text, or none", name="seed", longest=40, entered=self.play)
        self.go = Button("Play", self.play, kind="main", name="play")

    def show(self, entry: Entry) -> None:
        """Describes another game."""
        if entry is not self.entry:
            self.entry = entry
            self.seats = max(entry.players[0], min(entry.players[1], self.seats if self.seats > 1 else 2))
            self.size, self.variant = entry.size, ""
            self.body.say(entry.rules.get("en", ""))
            self._build()

    def play(self) -> None:
        """Starts the game as it is set up."""
        if self.entry is not None:
            names = [field.words.strip() or f"Player {n + 1}" for n, field in enumerate(self.fields)]
            self.app.start(self.entry, names, self.size, self.variant, seed_of(self.seed.words))

    def _build(self) -> None:
        entry = self.entry
        assert entry is not None
        self.clear()
        self.fields = [
            Field(self.names[n], self._named(n), name=f"seat {n + 1}", longest=24) for n in range(self.seats)
        ]
        least, most = entry.players
        if most > least:
            counts = [str(n) for n in range(least, most + 1)]
            self.add(Choice(counts, self.seats - least, self._set_seats, name="players"))
        self.add(*self.fields)
        if len(entry.sizes) > 1:
            sizes = sorted(entry.sizes)
            self.add(Choice([str(n) for n in sizes], sizes.index(self.size), self._set_size, name="size"))
        if entry.variants:
            names = ["as written", *(name.replace("-", " ") for name in entry.variants)]
            chosen = ("", *entry.variants).index(self.variant)
            self.add(Choice(names, chosen, self._set_variant, name="variant"))
        self.add(self.seed, self.go, self.body)
        if self.rect.w:
            self.layout(self.rect)
        self.refresh()

    def _named(self, seat: int) -> Callable[[str], None]:
        def set_name(name: str) -> None:
            self.names[seat] = name

        return set_name

    def _set_seats(self, number: int) -> None:
        assert self.entry is not None
        self.seats = self.entry.players[0] + number
        self._build()

    def _set_size(self, number: int) -> None:
        assert self.entry is not None
        self.size = sorted(self.entry.sizes)[number]

    def _set_variant(self, number: int) -> None:
        assert self.entry is not None
        self.variant = ("", *self.entry.variants)[number]
        entry = self.entry.form(self.variant)
        self.body.say(entry.rules.get("en", ""))

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.labels = []
        area = rect.inset(24, 18)
        _, area = area.cut_top(126)
        for child in self.children:
            if child is self.body or child in (self.seed, self.go):
                continue
            line, area = area.cut_top(34, 8)
            label, field = line.cut_left(92)
            self.labels.append((child.name.capitalize(), label))
            child.layout(field)
        line, area = area.cut_top(38, 14)
        self.labels.append(("", line))
        seed, go = line.cut_left(line.w - 132, 12)
        self.seed.layout(seed)
        self.go.layout(go)
        self.body.layout(Rect(area.x, area.y + 6, area.w + 12, area.h - 6))

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        entry = self.entry
        if entry is None:
            return
        area = self.rect.inset(24, 18)
        title, area = area.cut_top(40)
        canvas.text_in(title, entry.title, style.ink, "title", TITLE)
        line, area = area.cut_top(22)
        made = f"{', '.join(entry.authors)}, {entry.year}" if entry.authors else ""
        canvas.text_in(line, made, style.soft, "sans", SMALL)
        _, area = area.cut_top(4)
        for number, words in enumerate(canvas.wrap(entry.summary.get("en", ""), "italic", 17, area.w)[:2]):
            canvas.text_in(Rect(area.x, area.y + number * 23, area.w, 23), words, style.ink, "italic", 17)
        for (label, place), child in zip(self.labels, self.children, strict=False):
            left = place.x
            if label.startswith("Seat"):
                icons.sign(canvas, int(label[5:]) - 1, place.x + 8, place.cy, style.ink, 7)
                left += 26
            if isinstance(child, Field | Choice) and label:
                canvas.text_in(Rect(left, place.y, 90, place.h), label, style.soft, "sans", BODY - 1)
        if self.body.visible:
            canvas.rule(self.body.rect.x, self.body.rect.y - 10, self.body.rect.w - 12, style.hairline)
