"""The first page: continue, find a game, see what it is about, start it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import CATEGORIES, Entry
from shibumi3d.rules.source import Problem

from .. import sheet
from ..screen import Screen
from ..settings.page import SoundButton
from ..text import local, say
from ..ui import icons
from ..ui.button import Button
from ..ui.canvas import Canvas, faded
from ..ui.choice import Choice
from ..ui.core import Key
from ..ui.field import Field
from ..ui.label import Text
from ..ui.listing import Listing
from ..ui.panel import Panel
from ..ui.rect import Rect
from ..ui.style import HEADING, RADIUS, SMALL, Style
from .showcase import Showcase

if TYPE_CHECKING:
    from ..app import App

from .cards import ContinueCard
from .filters import FAVOURITES, LENGTHS, MINUTES, OWN, SEATS, folded, in_group, players
from .form import StartPanel

KANJI = {
    "alignment": "並", "connection": "結", "pattern": "形", "completion": "成", "elimination": "除",
    "capture": "取", "score": "点", "puzzle": "謎", "mixed": "組",
}  # fmt: skip
ROW = 68
PICTURE = (110, 196)
"""Least and greatest height of the picture of the chosen game; where there is no room for the least, there is none."""


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
            hint=say("home.search"),
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
        self.start = StartPanel(app, self._set_up, self.toggle_favourite)
        self.theme = Button(
            "", app.toggle_theme, icon="theme", kind="quiet", tip=say("theme.tip"), name="theme"
        )
        self.sounding = SoundButton(app)
        self.settings = Button(
            "", app.show_settings, icon="settings", kind="quiet", tip=say("settings"), name="settings"
        )
        self.open = Button("", app.open_record, icon="open", kind="quiet", tip=say("home.open"), name="open")
        self.none = Text(say("home.none"), "italic", 17, "soft", 0.5)
        counts = [str(n) for n in range(1, SEATS)]
        seats = [say("seats.any"), *counts, say("seats.most", SEATS)]
        self.seats_filter = Choice(seats, 0, self._want_seats, name="for players")
        self.length_filter = Choice(
            [say(f"length.{name}") for name in LENGTHS], 0, self._want_length, name="length"
        )
        self.random = Button("", self.play_random, icon="dice", tip=say("home.random"), name="random")
        self.found: list[Entry] = []
        self.wrong: list[tuple[str, tuple[Problem, ...]]] = []
        self.chosen: Entry | None = app.entry(app.matches.last_game) if app.matches.last_game else None
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
        self.card.visible = self.app.matches.saved is not None
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

    def renewed(self) -> Home:
        if self.start.looking:
            self.start.stop_looking()
        page = Home(self.app)
        page.category, page.chosen = self.category, self.chosen
        page.groups_list.fill(len(page.groups) + 1, self.category + 1)
        page.seats_wanted = page.seats_filter.chosen = self.seats_wanted
        page.length_wanted = page.length_filter.chosen = self.length_wanted
        page.search.set(self.search.words)
        return page

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
            if not in_group(entry, group, self.app.settings.favourites):
                return False
        least, most = entry.players
        wanted = self.seats_wanted
        if wanted and not (least <= wanted <= most or (wanted == SEATS and most > wanted)):
            return False
        shortest, longest = MINUTES[self.length_wanted]
        if not shortest <= entry.minutes <= longest:
            return False
        summary = local(entry.summary)
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
        name = self.groups[row - 1] if row else "all"
        kept = self.app.settings.favourites
        count = sum(1 for e in self.app.catalogue if not row or in_group(e, name, kept))
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
            words, say(f"group.{name}"), style.ink if on else style.soft, "bold" if on else "sans", 14
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
        facts = say("home.facts", players=players(entry), minutes=entry.minutes)
        wide = canvas.width(facts, "sans", SMALL)
        canvas.text_in(
            Rect(upper.x, upper.y, upper.w - wide - 12, upper.h), entry.title, style.ink, "title", 19
        )
        canvas.text_in(upper, facts, style.soft, "sans", SMALL, 1)
        canvas.text_in(lower, local(entry.summary), style.soft, "sans", 14)

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
        count = say("home.mistakes", len(problems))
        canvas.text_in(upper, count, style.brick, "sans", SMALL, 1)
        canvas.text_in(lower, problems[0].message if problems else "", style.soft, "sans", 14)
