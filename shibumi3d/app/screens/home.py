"""The first page: continue, find a game, see what it is about, start it."""

from __future__ import annotations

import hashlib
import random
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import CATEGORIES, CatalogueError, Entry
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.marbles.colour import COLOURS, LETTERS
from shibumi3d.rules.marbles.facts import MarbleFacts, marble_facts
from shibumi3d.rules.marbles.glossary import explained
from shibumi3d.rules.source import Problem
from shibumi3d.search.worker import Answer

from ..ui import icons
from ..ui.canvas import Canvas, faded
from ..ui.core import Key, Widget
from ..ui.rect import Rect
from ..ui.style import BODY, HEADING, RADIUS, SMALL, TITLE, Style
from ..ui.widgets import Button, Choice, Explained, Listing, Panel, Prose, Text
from ..ui.widgets import Entry as Field
from . import sheet
from .base import Screen
from .board import marble
from .settings import SoundButton
from .showcase import Showcase

if TYPE_CHECKING:
    from ..app import App

KANJI = {
    "alignment": "並", "connection": "結", "pattern": "形", "completion": "成", "elimination": "除",
    "capture": "取", "score": "点", "puzzle": "謎", "mixed": "組",
}  # fmt: skip
ROW = 68
PICTURE = (110, 196)
"""Least and greatest height of the picture of the chosen game; where there is no room for the least, there is none."""
LABEL = 92
"""The width of the labels of the set-up."""
WAYS = ((True, 1, 42), (True, 1, 38), (True, 2, 38), (False, 1, 38), (False, 2, 38), (False, 3, 34))
"""How the set-up may be laid out: with the summary or without, names in so many columns, and from line to line."""
MOST = 16
"""Marbles of one colour that a hand may be given."""


OWN, FAVOURITES = "own games", "favourites"
SEATS = ("any players", "1", "2", "3", "4 +")
LENGTHS = ("any length", "to 10 min", "to 20", "longer")
MINUTES = ((0, 10_000), (0, 10), (0, 20), (21, 10_000))


def _in_group(entry: Entry, group: str, favourites: Sequence[str]) -> bool:
    """Whether a game is listed under ``group``."""
    if group == FAVOURITES:
        return entry.id in favourites
    return entry.own if group == OWN else entry.category == group


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
    letters = True
    keys = sheet.HOME

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.category = -1
        self.groups = [c for c in CATEGORIES if any(e.category == c for e in app.catalogue)]
        self.broken = list(app.catalogue.problems.items())
        """Files that can't be played, and their mistakes."""
        if any(entry.own for entry in app.catalogue) or self.broken:
            self.groups.append(OWN)
        self.groups.append(FAVOURITES)
        self.seats_wanted = self.length_wanted = 0
        self.header = Panel("page", "bottom")
        self.side = Panel("page", "right")
        self.search = Field(
            "",
            self._search,
            hint="search games",
            icon="search",
            name="search",
            entered=self._play,
            clears=True,
        )
        self.groups_list = Listing(36, self._paint_group, self._choose_group, name="groups")
        self.groups_list.fill(len(self.groups) + 1, 0)
        self.games = Listing(
            ROW, self._paint_game, self._choose, opened=lambda row: self._play(), name="games"
        )
        self.card = ContinueCard(app)
        self.view: Showcase = Showcase(app)
        self.start = StartPanel(app, self._set_up)
        self.theme = Button(
            "", app.toggle_theme, icon="theme", kind="quiet", tip="Day or night", name="theme"
        )
        self.sounding = SoundButton(app)
        self.settings = Button(
            "", app.show_settings, icon="settings", kind="quiet", tip="Settings", name="settings"
        )
        self.open = Button(
            "", app.open_record, icon="open", kind="quiet", tip="Open a game  Ctrl+O", name="open"
        )
        self.none = Text("No game matches.", "italic", 17, "soft", 0.5)
        self.seats_filter = Choice(SEATS, 0, self._want_seats, name="for players")
        self.length_filter = Choice(LENGTHS, 0, self._want_length, name="length")
        self.random = Button("", self.play_random, icon="dice", tip="Any of these  Ctrl+R", name="random")
        self.found: list[Entry] = []
        self.wrong: list[tuple[str, tuple[Problem, ...]]] = []
        self.chosen: Entry | None = app.entry(app.last_game) if app.last_game else None
        self.add(self.header, self.side, self.search, self.groups_list, self.games, self.card, self.start)
        self.add(self.view, self.theme, self.sounding, self.settings, self.open, self.none)
        self.add(self.seats_filter, self.length_filter, self.random)
        self._search("")

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        top, rest = rect.cut_top(56)
        self.header.layout(top)
        self.search.layout(Rect(max(300, rect.cx - 200), top.cy - 17, min(400, rect.w - 480), 34))
        for number, button in enumerate((self.settings, self.sounding, self.theme, self.open)):
            button.layout(Rect(rect.right - 44 - 38 * number, top.cy - 16, 32, 32))
        side, rest = rest.cut_left(208 if rect.w >= 1000 else 0)
        self.side.visible = self.groups_list.visible = side.w > 0
        self.side.layout(side)
        self.groups_list.layout(side.inset(10, 14))
        start, rest = rest.cut_right(min(420, rest.w * (0.46 if rest.w > 700 else 0.5)))
        room = start.h - self.start.least(start.w)
        self.view.visible = room >= PICTURE[0] and self.chosen is not None
        if self.view.visible:
            picture, start = start.cut_top(min(PICTURE[1], room))
            self.view.layout(picture)
        self.start.layout(start)
        rest = rest.inset(16, 14)
        self.card.visible = self.app.saved is not None
        if self.card.visible:
            card, rest = rest.cut_top(76, 14)
            self.card.layout(card)
        line, rest = rest.cut_top(32, 10)
        filters, dice = line.cut_left(line.w - 40)
        self.random.layout(Rect(dice.right - 32, dice.y, 32, 32))
        seats, lengths = filters.cut_left(filters.w * 0.5, 8)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        if self.length_filter.natural(canvas) > lengths.w:
            # Side by side their words would be cut.
            seats = filters
            lengths, rest = rest.cut_top(32, 10)
        self.seats_filter.layout(seats)
        self.length_filter.layout(lengths)
        self.games.layout(rest)
        self.none.layout(rest.cut_top(60)[0])

    def animate(self, now: float) -> bool:
        return self.view.animate(now)

    def _set_up(self) -> None:
        """The game that is chosen, or how it is set up, is another."""
        start = self.start
        if start.entry is not None:
            self.view.show(start.entry, start.size, start.variant, start.seats)
        if self.rect.w:
            self.layout(self.rect)

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
        if key.chord == "ctrl+r":
            self.play_random()
            return True
        if key.chord == "ctrl+f":
            self.toggle_favourite()
            return True
        return False

    def play_random(self) -> None:
        """Starts any of the games listed."""
        if self.found:
            self.games.pick(random.randrange(len(self.found)))
            self._play()

    def toggle_favourite(self) -> None:
        """Makes the chosen game a favourite, or one no longer."""
        if self.chosen is not None:
            kept = self.app.settings.favourites
            name = self.chosen.id
            self.app.change(favourites=tuple(n for n in kept if n != name) if name in kept else (*kept, name))
            self._search(self.search.words)

    def _want_seats(self, number: int) -> None:
        self.seats_wanted = number
        self._search(self.search.words)

    def _want_length(self, number: int) -> None:
        self.length_wanted = number
        self._search(self.search.words)

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
            "chosen": self.chosen.id if self.chosen is not None else "",
        }

    def _search(self, text: str) -> None:
        words = folded(text).split()
        self.found = [e for e in self.app.catalogue if self._matches(e, words)]
        own = self.category >= 0 and self.groups[self.category] == OWN
        self.wrong = [item for item in self.broken if all(w in item[0] for w in words)] if own else []
        self.none.visible = not self.found and not self.wrong
        row = self.found.index(self.chosen) if self.chosen in self.found else 0 if self.found else -1
        self.games.fill(len(self.found) + len(self.wrong), row)
        if row >= 0:
            self._choose(row)
        self.refresh()

    def _matches(self, entry: Entry, words: list[str]) -> bool:
        if self.category >= 0:
            group = self.groups[self.category]
            if not _in_group(entry, group, self.app.settings.favourites):
                return False
        least, most = entry.players
        wanted = self.seats_wanted
        if wanted and not (least <= wanted <= most or (wanted == len(SEATS) - 1 and most > wanted)):
            return False
        shortest, longest = MINUTES[self.length_wanted]
        if not shortest <= entry.minutes <= longest:
            return False
        summary = entry.summary.get("en", "")
        text = folded(" ".join((entry.title, entry.category, *entry.authors, players(entry), summary)))
        return all(word in text for word in words)

    def _choose_group(self, row: int) -> None:
        self.category = row - 1
        self._search(self.search.words)

    def _choose(self, row: int) -> None:
        if row >= len(self.found):
            self.chosen = None
            self.start.show_wrong(*self.wrong[row - len(self.found)])
            return
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
        kept = self.app.settings.favourites
        count = sum(1 for e in self.app.catalogue if not row or _in_group(e, name, kept))
        count += len(self.broken) if name == OWN else 0
        mark, rest = rect.inset(10, 0).cut_left(28)
        if name in (OWN, FAVOURITES):
            icon = "star" if name == FAVOURITES else "open"
            icons.draw(canvas, icon, mark.x + 8, mark.cy, style.brick if on else style.soft, 16)
        else:
            ink = style.brick if on else style.soft
            canvas.text_in(mark, KANJI[name] if row else "石", ink, "kanji", 16)
        words, number = rest.cut_left(rest.w - 30)
        canvas.text_in(
            words, name.capitalize(), style.ink if on else style.soft, "bold" if on else "sans", 14
        )
        canvas.text_in(number, str(count), style.soft, "sans", SMALL, 1)

    def _paint_game(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        box = rect.inset(0, 3)
        if row >= len(self.found):
            self._paint_wrong(canvas, style, box, row, here)
            return
        entry = self.found[row]
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

    def _paint_wrong(self, canvas: Canvas, style: Style, box: Rect, row: int, here: bool) -> None:
        """A file that can't be played, with the first of its mistakes."""
        name, problems = self.wrong[row - len(self.found)]
        if row == self.games.current:
            canvas.rect(box, style.card, RADIUS)
            canvas.frame(box, style.brick, RADIUS, 1.5)
        elif here:
            canvas.rect(box, style.hover, RADIUS)
        upper, lower = box.inset(14, 8).cut_top(24)
        canvas.text_in(upper, name, style.soft, "title", 19)
        count = f"{len(problems)} mistake{'s' if len(problems) != 1 else ''}"
        canvas.text_in(upper, count, style.brick, "sans", SMALL, 1)
        canvas.text_in(lower, problems[0].message if problems else "", style.soft, "sans", 14)


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


class Counts(Widget):
    """How many marbles of each colour: − and + beside a marble with its number."""

    LEAST = 104.0
    """The least width of one colour beside a label."""

    def __init__(
        self, counts: tuple[int, ...], changed: Callable[[tuple[int, ...]], None], *, name: str = ""
    ) -> None:
        super().__init__(name)
        self.counts, self.changed = counts, changed
        for colour in range(len(counts)):
            for by, icon in ((-1, "minus"), (1, "plus")):
                label = f"{'fewer' if by < 0 else 'more'} {COLOURS[colour]}"
                self.add(Button("", self._step(colour, by), icon=icon, kind="quiet", name=label, tip=label))

    def _step(self, colour: int, by: int) -> Callable[[], None]:
        def step() -> None:
            counts = list(self.counts)
            counts[colour] = max(0, min(MOST, counts[colour] + by))
            if any(counts):
                self.counts = tuple(counts)
                self.changed(self.counts)

        return step

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        wide = rect.w / len(self.counts)
        for number, button in enumerate(self.children):
            colour, more = divmod(number, 2)
            button.layout(Rect(rect.x + wide * colour + (wide - 32 if more else 0), rect.y + 1, 32, 32))

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.sunk, RADIUS)
        wide = self.rect.w / len(self.counts)
        for colour, count in enumerate(self.counts):
            middle = self.rect.x + wide * (colour + 0.5)
            marble(canvas, style, middle - 9, self.rect.cy, 7, colour)
            canvas.text_in(Rect(middle + 3, self.rect.y, 24, self.rect.h), str(count), style.ink, "bold", 14)


class StartPanel(Panel):
    """What the chosen game is, who plays, and *Play*."""

    def __init__(self, app: App, changed: Callable[[], None]) -> None:
        super().__init__("card", "left")
        self.app, self.changed = app, changed
        self.entry: Entry | None = None
        self.seats = 2
        self.names = [*app.settings.names, *(f"Player {n + 1}" for n in range(len(app.settings.names), 10))]
        self.size = 4
        self.variant = ""
        self.sure = False
        """Whether only deals that can be won are wanted."""
        self.looking = False
        self.hand = ""
        self.counts: tuple[int, ...] = ()
        self.usual: tuple[int, ...] = ()
        self._warned: tuple[object, str] = ((), "")
        self.fields: list[Field] = []
        self.labels: list[tuple[str, Rect]] = []
        self.body = Prose("", 16, name="rules")
        self.explained = Explained()
        self.body.explain, self.body.met = self._explain, self.explained.point
        self.seed = Field("", hint="any seed", name="seed", longest=40, entered=self.play)
        self.go = Button("Play", self.play, kind="main", name="play")
        self.star = Button(
            "", self._toggle_star, icon="star", kind="quiet", tip="Favourite  Ctrl+F", name="favourite"
        )

    def _explain(self, words: Sequence[str]) -> list[str]:
        """What words of the rules mean."""
        if self.entry is None:
            return [""] * len(words)
        return explained(words, own=self.entry.form(self.variant).terms)

    def show_wrong(self, name: str, problems: Sequence[Problem]) -> None:
        """Tells the mistakes of a file that can't be played."""
        if self.looking:
            self.stop_looking()
        self.entry = None
        self.hand = ""
        self.clear()
        lines = "\n".join(f"- line {problem.mark.line}: {problem.message}" for problem in problems)
        self.body.say(f"## {name}\n\nThis file can't be played yet.\n\n{lines}")
        self.add(self.body)
        self.layout(self.rect)
        self.changed()
        self.refresh()

    def show(self, entry: Entry) -> None:
        """Describes another game."""
        if entry is not self.entry:
            if self.looking:
                self.stop_looking()
            self.entry = entry
            self.seats = max(entry.players[0], min(entry.players[1], self.seats if self.seats > 1 else 2))
            self.size, self.variant = entry.size, ""
            self.body.say(entry.rules.get("en", ""))
            self._build()

    def play(self) -> None:
        """Starts the game as it is set up."""
        entry = self.entry
        if entry is None:
            return
        if self.looking:
            self.stop_looking()
            return
        names = [field.words.strip() or f"Player {n + 1}" for n, field in enumerate(self.fields)]
        seed, size, variant = seed_of(self.seed.words), self.size, self.variant
        if not (self.sure and self.may_be_sure()):
            self.app.start(entry, names, size, variant, seed, self.deal())
            return

        def told(answer: Answer) -> None:
            self.stop_looking()
            if answer.error is None and isinstance(answer.value, int):
                self.app.start(entry, names, size, variant, answer.value)
            else:
                self.app.tell(
                    "No deal was found that can be won for sure. Try another seed, or play any deal."
                )

        self.looking = True
        self.go.label, self.go.tip = "Stop", "Looking for a deal that can be won"
        self.app.adviser.ask(
            told, "find_seed", entry.game(size=size, variant=variant), seed, seats=self.seats
        )
        self.refresh()

    def _toggle_star(self) -> None:
        home = self.app.screen
        if isinstance(home, Home):
            home.toggle_favourite()
        if self.entry is not None:
            self.star.on = self.entry.id in self.app.settings.favourites

    def stop_looking(self) -> None:
        """No deal is looked for any more."""
        self.looking = False
        self.go.label, self.go.tip = "Play", ""
        self.app.adviser.stop()
        self.refresh()

    def facts(self) -> MarbleFacts | None:
        """What can be said of the game as it is set up, if its rules are in order."""
        assert self.entry is not None
        try:
            return marble_facts(self.entry.game(size=self.size, variant=self.variant), self.seats)
        except (GameFileError, CatalogueError, ValueError):
            return None

    def may_be_sure(self) -> bool:
        """Whether the start is dealt by chance to people who win or lose together."""
        facts = self.facts()
        return facts is not None and bool(facts.drawn_from) and facts.solver == "win"

    def _find_hand(self) -> None:
        """The stock that a solo game begins with and that may be chosen freely, if there is one."""
        self.hand, self.counts, self.usual = "", (), ()
        assert self.entry is not None
        facts = self.facts() if self.entry.players == (1, 1) else None
        if facts is None:
            return
        for stock in facts.stocks:
            content = stock.begins[0]
            if stock.name != "box" and not stock.drawn and any(content):
                self.hand, self.counts = stock.name, content
                self.usual = content
                return

    def deal(self) -> dict[str, str] | None:
        """The hand that was chosen, if it differs from the one of the rules."""
        if not self.hand or self.counts == self.usual:
            return None
        return {self.hand: "".join(letter * n for letter, n in zip(LETTERS, self.counts, strict=False))}

    def warning(self) -> str:
        """A sentence when the start as set up can't be won."""
        if not self.hand or self.entry is None:
            return ""
        if self._warned[0] != (self.entry.id, self.size, self.variant, self.counts):
            try:
                game = self.entry.game(size=self.size, variant=self.variant)
                state = game.start(self.seats, 0, self.deal())
                text = "No way of playing wins with this hand." if state.solvable is False else ""
            except (ValueError, RuleFailure) as problem:
                text = f"{problem}."
            self._warned = ((self.entry.id, self.size, self.variant, self.counts), text)
        return self._warned[1]

    def _set_counts(self, counts: tuple[int, ...]) -> None:
        self.counts = counts
        self.refresh()

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
        self._find_hand()
        if self.hand:
            self.add(Counts(self.counts, self._set_counts, name=self.hand.replace("_", " ")))
        if self.may_be_sure():
            self.add(Choice(["any", "that can be won"], int(self.sure), self._set_sure, name="deals"))
        self.star.on = entry.id in self.app.settings.favourites
        self.add(self.seed, self.go, self.body, self.star, self.explained)
        self.changed()
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
        self._build()

    def _set_sure(self, number: int) -> None:
        self.sure = bool(number)

    def _set_variant(self, number: int) -> None:
        assert self.entry is not None
        self.variant = ("", *self.entry.variants)[number]
        entry = self.entry.form(self.variant)
        self.body.say(entry.rules.get("en", ""))
        self._build()

    _below = Rect()
    _summary = True
    """Whether there is room for the summary."""

    @property
    def _apart(self) -> tuple[Widget, ...]:
        """What is no line of the set-up."""
        return self.body, self.star, self.seed, self.go, self.explained

    def _lines(self, columns: int, wide: float) -> list[tuple[list[Widget], int]]:
        """The set-up line by line: what stands there, the names in so many ``columns``, and in how many rows."""
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        found: list[tuple[list[Widget], int]] = []
        names: list[Widget] = [*self.fields]
        for child in self.children:
            if child in self._apart:
                continue
            if child in names:
                if names.index(child) % columns == 0:
                    found.append(([], 1))
                found[-1][0].append(child)
                continue
            rows = 1
            if isinstance(child, Choice):
                child.measure(canvas)
                rows = len(child.rows(wide - LABEL))
            found.append(([child], rows))
        return found

    def _head(self, wide: float, summary: bool) -> float:
        """The height of the name, of who made it, and of the summary."""
        return 40 + (22 if self._fits(self.made(), wide) else 30) + (64 if summary else 4)

    def _fits(self, text: str, wide: float) -> bool:
        return self.app.canvas.width(text, "sans", SMALL) <= wide

    def made(self) -> str:
        """Who made the game, and when."""
        entry = self.entry
        return f"{', '.join(entry.authors)}, {entry.year}" if entry is not None and entry.authors else ""

    def least(self, wide: float) -> float:
        """The height in which the set-up fits, with a few lines of the rules, in a panel of that width."""
        if self.entry is None:
            return 0.0
        rows = sum(count for _, count in self._lines(1, wide - 48))
        return 36 + self._head(wide - 48, True) + 42 * rows + (24 if self.hand else 0) + 52 + 110

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.labels = []
        area = rect.inset(24, 18)
        self.star.layout(Rect(area.right - 32, area.y + 2, 32, 32))
        if self.entry is None:
            self.body.layout(Rect(area.x, area.y, area.w + 12, area.h))
            return
        # Where there is little room, the lines move together, names stand side by side, and the summary goes.
        for summary, columns, step in WAYS:
            lines = self._lines(columns, area.w)
            need = self._head(area.w, summary) + step * sum(count for _, count in lines)
            if need + (24 if self.hand else 0) + 38 <= area.h:
                break
        self._summary = summary
        _, area = area.cut_top(self._head(area.w, summary))
        for widgets, count in lines:
            line, area = area.cut_top(step * count - 8, 8)
            if columns > 1 and widgets[0] in self.fields:
                each = (line.w + 10) / columns
                for number, field in enumerate(widgets):
                    place = Rect(line.x + each * number, line.y, each - 10, line.h)
                    label, place = place.cut_left(22)
                    self.labels.append((field.name.capitalize(), label))
                    field.layout(place)
                continue
            (child,) = widgets
            label, field_ = line.cut_left(LABEL)
            if isinstance(child, Counts) and field_.w < Counts.LEAST * len(child.counts):
                label, field_ = Rect(), line
            self.labels.append((child.name.capitalize(), label))
            child.layout(field_)
        if self.hand:
            self._below, area = area.cut_top(20, 4)
        line, area = area.cut_top(38, 14)
        self.labels.append(("", line))
        seed, go = line.cut_left(line.w - min(132, line.w / 2), 12)
        self.seed.layout(seed)
        self.go.layout(go)
        self.body.layout(Rect(area.x, area.y + 6, area.w + 12, area.h - 6))
        self.body.visible = area.h > 40

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        entry = self.entry
        if entry is None:
            return
        area = self.rect.inset(24, 18)
        title, area = area.cut_top(40)
        title = Rect(title.x, title.y, self.star.rect.x - 8 - title.x, title.h)
        size = next((s for s in range(TITLE, 16, -2) if canvas.width(entry.title, "title", s) <= title.w), 16)
        canvas.text_in(title, entry.title, style.ink, "title", size)
        line, area = area.cut_top(22 if self._fits(self.made(), area.w) else 30, 4)
        canvas.text_fit(line, self.made(), style.soft, "sans", SMALL)
        if self._summary:
            place = Rect(area.x, area.y, area.w, 52)
            canvas.text_fit(place, entry.summary.get("en", ""), style.ink, "italic", 17)
        for (label, place), child in zip(self.labels, self.children, strict=False):
            left = place.x
            if label.startswith("Seat") and place.w:
                icons.sign(canvas, int(label[5:]) - 1, place.x + 8, place.cy, style.ink, 7)
                left += 26
            if isinstance(child, Field | Choice | Counts) and label and place.w >= 60:
                canvas.text_in(Rect(left, place.y, 90, place.h), label, style.soft, "sans", BODY - 1)
        if self.hand:
            canvas.text_in(self._below, self.warning(), style.brick, "sans", 14)
        if self.body.visible:
            canvas.rule(self.body.rect.x, self.body.rect.y - 10, self.body.rect.w - 12, style.hairline)
