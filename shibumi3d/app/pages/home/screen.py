"""Start page: resume a match, or find, configure and start a game."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shibumi3d.app.wording import GROUP_TEXTS, titled
from shibumi3d.catalogue.problems import games_with_problems, how_many
from shibumi3d.catalogue.schema import CATEGORIES, Entry
from shibumi3d.i18n import N_, _
from shibumi3d.rules.source import Problem
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import HEADING, Style

from ...board.showcase import Showcase
from ...host import sheet
from ...host.page import Page
from ...host.settings_card import NightButton, SoundButton
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.core import Key
from ...ui.drop import Drop
from ...ui.field import Field
from ...ui.label import Text
from ...ui.listing import Grid, Listing
from ...ui.panel import Panel

if TYPE_CHECKING:
    from ...host import Host

from .attract import Attract
from .cards import ContinueCard, DesignCard, GuideCard, ProblemCard, TopCard
from .filters import (
    ALL,
    FAVOURITES,
    FRESH,
    LENGTHS,
    LEVELS,
    OWN,
    PLAYERS,
    PROBLEMS,
    RECENT,
    Wanted,
    folded,
    in_group,
)
from .form import StartPanel, lay_out
from .learning import Learning
from .rows import LINES, Rows

SEATS_TEXTS = {
    "any": N_("Players"),
    "solo": N_("solo"),
    "two": N_("2 players"),
    "three": N_("3 players"),
    "most": N_("4 or more"),
}
LENGTH_TEXTS = {
    "any": N_("Length"),
    "short": N_("up to 10 min"),
    "medium": N_("up to 20 min"),
    "long": N_("over 20 min"),
}
LEVEL_TEXTS = {
    "any": N_("Difficulty"),
    "easy": N_("simple rules"),
    "middle": N_("medium rules"),
    "deep": N_("complex rules"),
}

MOVES = ("up", "down", "left", "right", "pageup", "pagedown", "home", "end")
"""Keys that move the selection in the list of games."""
PICTURE = (110, 230)
"""Minimum and maximum height of the selected game's picture; if there is less room, it is hidden."""
CARD = (150.0, 200.0)
"""Minimum widths of a game's card, in a normal and in a wide window."""
SMALL_CARD = 120.0
"""Minimum width of a game's card in a narrow window."""
SOON = 0.3
"""Seconds before the daily problem is looked up, so that the page can appear first."""
MUCH = 1500.0
"""Minimum width of a wide window."""
TOP = 56.0
"""Height of the page's header."""
HIGHEST = 720.0
"""Maximum preferred height of the settings in one column.

If they would be higher, they are laid out more tightly.
"""
SHARE = 0.6
"""Height of a card's picture as a fraction of the card's width."""


def first_game(games: Iterable[Entry]) -> Entry | None:
    """Return the built-in game that is selected initially, or None if there is no such game.

    It is the least complex of the games with a minimum of two players. Among equally complex games, the first by title
    is chosen.
    """
    for_two = [entry for entry in games if entry.players[0] == 2 and not entry.own]
    return min(for_two, key=lambda entry: (entry.complexity, titled(entry).casefold()), default=None)


class Home(Page):
    """Start page: the list of games, and beside it the selected game with its settings."""

    title = "home"
    least = (640.0, 480.0)
    columned = True
    letters = True
    keys = sheet.HOME

    def __init__(self, app: Host) -> None:
        super().__init__(app)
        groups = [ALL, FAVOURITES, RECENT, FRESH, *([PROBLEMS] if games_with_problems() else [])]
        groups += [c for c in CATEGORIES if any(e.category == c for e in app.catalogue)]
        self.broken = list(app.catalogue.problems.items())
        """Game files that can't be played, and their errors."""
        if any(entry.own for entry in app.catalogue) or self.broken:
            groups.append(OWN)
        self.groups = groups
        self.group = ALL
        self.wanted = Wanted()
        self.counts: dict[str, int] = {}
        """Number of matching games in each group."""
        self.header = Panel("page", "bottom")
        self.side = Panel("page", "right")
        self.search = Field(
            "",
            lambda words: self._want(words=words),
            hint=_("Search games"),
            icon="search",
            name="search",
            entered=self._open,
            clears=True,
        )
        rows = Rows(self)
        self.groups_list = Listing(34, rows.group, self._choose_group, name="groups")
        self.groups_list.fill(len(groups), 0)
        self.group_drop = Drop(
            [_(GROUP_TEXTS[group]) for group in groups], 0, self._choose_group, name="group"
        )
        self.games = Grid(
            CARD[0],
            lambda wide: round(wide * SHARE + LINES),
            rows.game,
            self._pick,
            opened=lambda row: self._open(),
            name="games",
        )
        self.games.follows = False
        self.resume = ContinueCard(app)
        self.guide, self.today = GuideCard(app), ProblemCard(app)
        ways = [self.today, self.guide] if app.settings.guided else [self.guide, self.today]
        self.cards: list[TopCard] = [self.resume, *ways, DesignCard(app)]
        """Cards above the list of games, in order of priority; those without room are hidden."""
        self.view: Showcase = Showcase(app)
        self.attract = Attract(self)
        self.start = StartPanel(app, self._set_up, self.toggle_favourite)
        self.setting_up = False
        """Whether the single-column layout shows the settings of the selected game.

        Otherwise it shows the list of games.
        """
        self.back = Button(_("Games"), lambda: self._turn(False), icon="back", kind="quiet", name="back")
        self.theme = NightButton(app)
        self.sounding = SoundButton(app)
        self.settings = Button(
            "", app.pages.settings, icon="settings", kind="quiet", tip=_("Settings"), name="settings"
        )
        self.open = Button(
            "",
            app.pages.kept,
            icon="open",
            kind="quiet",
            tip=_("Saved games and results  Ctrl+O"),
            name="open",
        )
        self.design = Button(
            "", app.pages.design, icon="pencil", kind="quiet", tip=_("Design a game  Ctrl+D"), name="design"
        )
        self.none = Text(_("No games match."), "italic", 17, "soft", 0.5)
        self.filters: dict[str, Drop] = {
            "players": self._filter(
                "players", [_(SEATS_TEXTS[each]) for each in PLAYERS], name="for players"
            ),
            "length": self._filter("length", [_(LENGTH_TEXTS[each]) for each in LENGTHS], name="length"),
            "level": self._filter("level", [_(LEVEL_TEXTS[each]) for each in LEVELS], name="level"),
        }
        self.random = Button(
            "", self.play_random, icon="dice", tip=_("Random game  R, Ctrl+R"), name="random"
        )
        self.found: list[Entry] = []
        self.wrong: list[tuple[str, tuple[Problem, ...]]] = []
        self.chosen: Entry | None = (
            app.matches.last_game and app.catalogue.find(app.matches.last_game)
        ) or first_game(app.catalogue)
        self.add(
            self.header, self.side, self.back, self.search, self.groups_list, *self.cards, self.group_drop
        )
        self.add(*self.filters.values(), self.random, self.games, self.view, self.start, self.none)
        self.add(self.open, self.design, self.theme, self.sounding, self.settings)
        self.learning = Learning(self)
        self.add(self.learning.line, self.learning.button)
        self._search()

    def _filter(self, key: str, options: Sequence[str], *, name: str) -> Drop:
        """Create the drop-down list for the attribute ``key`` of :class:`Wanted`."""

        def change(number: int) -> None:
            self._want(**{key: number})

        return Drop(options, 0, change, name=name)

    def smallest(self, wide: float) -> tuple[float, float]:
        column, high = super().smallest(wide)
        if self.setting_up and wide < self.least[0]:
            high = max(high, min(HIGHEST, TOP + self.start.least(max(wide, column))))
        return column, high

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        much = rect.w >= MUCH
        top, rest = rect.cut_top(TOP)
        self.header.layout(top)
        rest = self.learning.place(rest, self.app.canvas)
        buttons = (self.settings, self.sounding, self.theme, self.open, self.design)
        self.back.visible = self.narrow and self.setting_up
        listed = not self.back.visible
        for widget in (self.search, self.group_drop, *self.filters.values(), self.random, self.games):
            widget.visible = listed
        self.start.visible = self.setting_up or not self.narrow
        self.back.layout(Rect(top.x + 12, top.cy - 16, 100, 32))
        left = 16 if self.narrow else max(300 if rect.w >= 760 else 210, rect.cx - 200)
        most = rect.right - 44 - 38 * (len(buttons) - 1) - 12 - left
        self.search.layout(Rect(left, top.cy - 17, min(400, most), 34))
        for number, button in enumerate(buttons):
            button.layout(Rect(rect.right - 44 - 38 * number, top.cy - 16, 32, 32))
        side, rest = rest.cut_left((240 if much else 208) if rect.w >= 1000 else 0)
        self.side.visible = self.groups_list.visible = side.w > 0
        self.side.layout(side)
        self.groups_list.layout(side.inset(10, 14))
        beside = 480 if much else min(420, rest.w * (0.46 if rest.w > 700 else 0.5))
        start, rest = (rest, rest) if self.narrow else rest.cut_right(beside)
        room = start.h - self.start.least(start.w)
        self.view.visible = room >= PICTURE[0] and self.chosen is not None and self.start.visible
        if self.view.visible:
            picture, start = start.cut_top(min(PICTURE[1] + (60 if much else 0), room))
            self.view.layout(picture)
        self.start.layout(start)
        rest = rest.inset(24 if much else 16, 14)
        shown = [card for card in self.cards if card.there and listed]
        # The card for resuming a match and, for new users, the guide are shown at any window size.
        needed = (self.app.matches.saved is not None) + (not self.app.settings.guided)
        shown = shown[: max(int(rest.w // 260) if rect.h >= 520 else 0, needed)]
        for card in self.cards:
            card.visible = card in shown
        if shown:
            high = 104 if much else 84 if rect.h >= 600 or self.narrow else 60
            line, rest = rest.cut_top(high, 14)
            each = min(480.0, (line.w + 12) / len(shown))
            for number, card in enumerate(shown):
                card.layout(Rect(line.x + each * number, line.y, each - 12, line.h))
        if listed:
            rest = self._lay_filters(rest)
        self.games.least = CARD[1] if much else CARD[0] if rest.w > 420 else SMALL_CARD
        self.games.layout(rest)
        self.none.layout(rest.cut_top(60)[0])

    def _lay_filters(self, rest: Rect) -> Rect:
        """Lay out the filters in as many lines as they need; return the remaining area."""
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        self.group_drop.visible = not self.groups_list.visible
        drops = [drop for drop in (self.group_drop, *self.filters.values()) if drop.visible]
        gap, dice = 8.0, 40.0
        rows: list[list[Drop]] = [[]]

        def taken(row: Sequence[Drop]) -> float:
            return sum(drop.natural(canvas) + gap for drop in row) - gap

        for drop in drops:
            if rows[-1] and taken([*rows[-1], drop]) > rest.w:
                rows.append([])
            rows[-1].append(drop)
        if len(rows[-1]) > 1 and taken(rows[-1]) + dice > rest.w:
            rows.append([rows[-1].pop()])
        for number, row in enumerate(rows):
            last = number + 1 == len(rows)
            line, rest = rest.cut_top(32, 12 if last else 8)
            wide = line.w - (dice if last else 0)
            if last:
                self.random.layout(Rect(line.right - 32, line.y, 32, 32))
            more = max(0.0, min(40.0, (wide - taken(row)) / len(row)))
            x = line.x
            for drop in row:
                drop.layout(Rect(x, line.y, min(drop.natural(canvas) + more, wide), 32))
                x = drop.rect.right + gap
        return rest

    def shown(self) -> None:
        self.app.gallery.draw_all(self.app.catalogue)
        self.attract.stir()
        self.learning.watch()
        self.app.later(SOON, self._find_problems)

    def day_changed(self) -> None:
        self._find_problems()

    def _find_problems(self) -> None:
        """Find the daily problem, then count all problems; called once the page is visible."""
        if self.on_window and PROBLEMS in self.groups:
            self.today.find()
            self.app.later(0, self._count_problems)

    def _count_problems(self) -> None:
        if self.on_window:
            self.problems = self.counts[PROBLEMS] = sum(map(how_many, games_with_problems()))
            self.refresh()

    problems = 0
    """Total number of problems, 0 until they have been counted."""

    def on_return(self) -> None:
        before = self.app.matches.saved_path
        self.app.matches.look_for_saved()
        if self.app.matches.saved_path != before and self.rect.w:
            self.layout(self.rect)
        self.refresh()

    def on_input(self) -> None:
        self.attract.stir()

    def leave_screen(self) -> None:
        self.attract.stop()
        self.app.gallery.rest()

    def animate(self, now: float) -> bool:
        return self.view.animate(now)

    def _set_up(self) -> None:
        """Update the page after a change of the selected game or its settings."""
        start = self.start
        if start.chosen.entry is not None:
            self.view.show(start.chosen.entry, start.chosen.size, start.chosen.variant, start.chosen.seats)
        self.view.visible = self.chosen is not None and self.start.visible
        if self.setting_up and self.on_window:
            self.app.stage.refit()
        elif self.rect.w:
            self.layout(self.rect)

    def draw(self, canvas: Canvas, style: Style) -> None:
        super().draw(canvas, style)
        if not self.narrow:
            canvas.text(18, 40, "渋", style.brick, "seal", 40)
            canvas.text(66, 36, "Shibumi 3D", style.ink, "title", HEADING)

    def key(self, key: Key) -> bool:
        if key.chord == "escape" and self.back.visible:
            self._turn(False)
            return True
        if key.chord in MOVES and self.games.visible and self.games.key(key):
            if self.root is not None:  # now letters are shortcuts again
                self.root.focus, self.root.by_keys = self.games, True
            return True
        focus = self.root.focus if self.root is not None else None
        if key.chord == "enter" and any(focus is widget for widget in self.start.walk()):
            # Enter moves to the next setting; only the Play button starts the match.
            if self.root is not None:
                self.root.step_focus(1)
            return True
        if key.chord == "enter" and self.games.key(key):
            return True
        if key.chord == "escape" and self.search.words:
            self.search.set("")
            return True
        among = self.games.focused and self.app.settings.single
        if key.chord == "ctrl+o":
            self.app.pages.kept()
        elif key.chord == "ctrl+d":
            self.app.pages.design(self.chosen)
        elif key.chord == "ctrl+r" or (key.chord == "r" and among):
            self.play_random()
        elif key.chord == "ctrl+f" or (key.chord == "f" and among):
            self.toggle_favourite()
        elif key.chord == "ctrl+e" or (key.chord == "e" and among):
            lay_out(self.start)
        else:
            return False
        return True

    def heading(self) -> str:
        return _("Games")

    def renewed(self) -> Home:
        if self.start.looking:
            self.start.stop_looking()
        page = Home(self.app)
        page.chosen, page.setting_up = self.chosen, self.setting_up
        page._list(self.group, self.wanted)
        page.search.set(self.wanted.words)
        return page

    def as_left(self, left: Home) -> None:
        """Restore the group and the filters of the page ``left`` if the selected game matches them.

        Search words are not restored.
        """
        wanted, chosen = replace(left.wanted, words=""), self.chosen
        fits = chosen is not None and wanted.takes(chosen) and in_group(chosen, left.group, self.app.settings)
        if fits and left.group in self.groups:
            self._list(left.group, wanted)
            self._search()

    def _list(self, group: str, wanted: Wanted) -> None:
        """Select a group and set the filters, without updating the list of games."""
        self.group, self.wanted = group, wanted
        self.groups_list.current = self.group_drop.chosen = self.groups.index(group)
        for name, drop in self.filters.items():
            drop.chosen = getattr(wanted, name)

    def play_random(self) -> None:
        """Start a random game from the list."""
        if self.found:
            self.games.pick(random.randrange(len(self.found)))
            self._play()

    def toggle_favourite(self) -> None:
        """Add the selected game to the favourites, or remove it from them."""
        if self.chosen is not None:
            kept = self.app.settings.favourites
            name = self.chosen.id
            self.app.change(favourites=tuple(n for n in kept if n != name) if name in kept else (*kept, name))
            self.start.star.on = name not in kept
            self._search()

    def text(self, text: str) -> bool:
        if self.root is None or not text.strip():
            return False
        if self.back.visible:
            self._turn(False)
        self.root.focus = self.search
        return self.search.text(text)

    def trace(self) -> Mapping[str, object]:
        shown = {
            self.found[row].id: self.games.row_rect(row)
            for row in self.games.in_sight()
            if row < len(self.found)
        }
        return {
            "games": {
                name: self.app.pixels(card.cx, card.cy)
                for name, card in shown.items()
                if self.games.rect.holds(card.cx, card.cy)
            },
            "found": len(self.found),
            "chosen": self.chosen.id if self.chosen is not None else "",
        }

    def _want(self, **changes: object) -> None:
        """Change the filters or the search words, and update the list."""
        self.wanted = replace(self.wanted, **changes)  # type: ignore[arg-type]
        if self.rect.w:
            self.layout(self.rect)  # the width of a filter depends on its selected option
        self._search()

    def _search(self) -> None:
        """List the games that match, and count the matching games in each group."""
        app, words = self.app, folded(self.wanted.words).split()
        taken = [entry for entry in app.catalogue if self.wanted.takes(entry)]
        listed = {group: [e for e in taken if in_group(e, group, app.settings)] for group in self.groups}
        wrong = [item for item in self.broken if all(w in item[0] for w in words)]
        self.counts = {group: len(entries) for group, entries in listed.items()}
        if PROBLEMS in self.counts:
            self.counts[PROBLEMS] = self.problems
        if OWN in self.counts:
            self.counts[OWN] += len(wrong)
        if words and not listed[self.group] and listed[ALL] and not (self.group == OWN and wrong):
            # Only other groups have matching games, so switch to the group of all games.
            self.group = ALL
            self.groups_list.current = self.group_drop.chosen = self.groups.index(ALL)
        before, self.found = self.found, listed[self.group]
        if self.group == RECENT:
            self.found.sort(key=lambda entry: app.settings.played.index(entry.id))
        else:
            self.found.sort(key=lambda entry: (titled(entry).casefold(), entry.id))
        self.wrong = wrong if self.group == OWN else []
        self.none.visible = not self.found and not self.wrong
        row = self.found.index(self.chosen) if self.chosen in self.found else 0 if self.found else -1
        self.games.fill(len(self.found) + len(self.wrong), row)
        if self.found != before:
            self.games.to(0)
        if row >= 0:
            self._choose(row)
        self.refresh()

    def _choose_group(self, row: int) -> None:
        if self.groups[row] == PROBLEMS:
            self.group_drop.chosen = self.groups_list.current = self.groups.index(self.group)
            self.app.pages.problems()
            return
        self.group = self.groups[row]
        self.groups_list.current = self.group_drop.chosen = row
        self._want()

    def _choose(self, row: int) -> None:
        if row >= len(self.found):
            self.chosen = None
            self.start.show_wrong(*self.wrong[row - len(self.found)])
            return
        self.chosen = self.found[row]
        self.start.show(self.chosen)

    def _pick(self, row: int) -> None:
        """Select a game. In a single-column layout, a click also opens the game's settings."""
        self._choose(row)
        if self.narrow and self.root is not None and self.root.held is self.games:
            self._open()

    def _open(self) -> None:
        """Play the selected game; in one column, show its settings first."""
        if self.narrow and not self.setting_up and self.games.count:
            self._turn(True)
        else:
            self._play()

    def _turn(self, setting_up: bool) -> None:
        """In one column, switch between the list of games and the settings of the selected game."""
        self.setting_up = setting_up
        self.app.stage.refit()
        self.app.stage.to_top()

    def _play(self) -> None:
        # If the search finds nothing, the game still shown beside the list isn't what the user wants.
        if self.chosen is not None and self.found:
            self.start.play()
