"""Home page: resume a match, or find, set up and start a game."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from shibumi3d.catalogue.courses import load_first_games
from shibumi3d.catalogue.problems import count_problems, games_with_problems
from shibumi3d.catalogue.schema import CATEGORIES, Entry
from shibumi3d.i18n import N_, _, format_integer, localize, ngettext
from shibumi3d.rules.source import Problem
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import CORNER_RADIUS_PX, HEADING_PX, SMALL_TEXT_PX, Style
from shibumi3d.wording import GROUP_TEXTS, game_title

from ...host import shortcuts
from ...host.page import Page
from ...host.settings_card import SoundButton, ThemeButton
from ...host.solo import ladder_of
from ...host.window_page import WindowPage
from ...match.game_preview import GamePreview
from ...ui import icons
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.dropdown import Dropdown
from ...ui.label import Label
from ...ui.list_view import CardGrid, ListView
from ...ui.panel import Panel
from ...ui.text_input import TextField
from ...ui.widget import Key
from .cards import DailyProblemCard, DesignCard, HomeCard, ResumeCard, TutorialCard
from .demo import IdleDemo
from .engine_build_status import EngineBuildStatus
from .filters import (
    ALL_GAMES,
    COMPLEXITY_FILTERS,
    FAVOURITES,
    LEARNING,
    LENGTH_FILTERS,
    NEVER_PLAYED,
    OWN_GAMES,
    PLAYER_FILTERS,
    PROBLEMS,
    RECENTLY_PLAYED,
    TOURNAMENTS,
    GameFilter,
    fold_for_search,
    format_player_count,
    is_in_group,
)
from .start_panel import StartPanel, open_position_editor

if TYPE_CHECKING:
    from ...host import Host


GROUP_KANJI = {
    "alignment": "並", "connection": "結", "pattern": "形", "completion": "成", "elimination": "除",
    "capture": "取", "score": "点", "puzzle": "謎", "mixed": "組", "race": "終", "bidding": "分", "cards": "手",
}  # fmt: skip
GROUP_ICONS = {
    FAVOURITES: "star",
    RECENTLY_PLAYED: "clock",
    NEVER_PLAYED: "fresh",
    OWN_GAMES: "pencil",
    PROBLEMS: "hint",
    LEARNING: "book",
    TOURNAMENTS: "cup",
}
"""Icons of the groups that have an icon instead of a character."""
OTHER_PAGES = (LEARNING, PROBLEMS, TOURNAMENTS)
"""Entries in the list of groups that open another page."""
CARD_TEXT_HEIGHT_PX = 52.0
"""Height of the text below the picture on a card, in logical pixels."""
MIN_CARD_TITLE_PX = 13
"""Minimum font size of a card's title on one line; a title that is still too long is wrapped."""


class RowPainter:
    """Painter for the rows of the group list and for the game cards."""

    def __init__(self, page: HomePage) -> None:
        self._page = page

    def paint_group(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        """Paint a group: its icon or kanji, its name, and the number of its games or problems.

        The number counts only games that match the filters, but all problems. A group that opens another page shows no
        number if the number is 0.
        """
        name = self._page.groups[row]
        on = name == self._page.group
        if on or is_hovered:
            canvas.rect(rect.inset(0, 1), style.recessed if on else style.hover, CORNER_RADIUS_PX)
        count = self._page.group_counts[name]
        ink = style.warning if on else style.secondary_ink
        mark, rest = rect.inset(10, 0).cut_left(28)
        if name in GROUP_ICONS:
            icons.draw_icon(canvas, GROUP_ICONS[name], mark.x + 8, mark.cy, ink, 16)
        else:
            canvas.text_in(mark, GROUP_KANJI.get(name, "石"), ink, "kanji", 16)
        count_text = format_integer(count) if count or name not in OTHER_PAGES else ""
        label_rect, count_rect = rest.cut_left(
            rest.w - canvas.text_width(count_text, "sans", SMALL_TEXT_PX) - 6
        )
        label, face = _(GROUP_TEXTS[name]), "bold" if on else "sans"
        size = canvas.fit_font_size(label, face, (14, 13, 12), label_rect.w)
        canvas.text_in(label_rect, label, style.ink if on else style.secondary_ink, face, size)
        canvas.text_in(count_rect, count_text, style.secondary_ink, "sans", SMALL_TEXT_PX, 1)

    def paint_game(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        """Paint the card of a game, or of a game file with errors."""
        if row >= len(self._page.games_found):
            self._paint_broken(canvas, style, rect, row, is_hovered)
            return
        entry = self._page.games_found[row]
        canvas.rect(rect, style.card, CORNER_RADIUS_PX)
        field, lines = rect.cut_top(rect.h - CARD_TEXT_HEIGHT_PX)
        field = field.inset(5, 5)
        picture = self._page.app.gallery.game_picture(entry)
        if picture is not None:
            canvas.picture(field, picture, CORNER_RADIUS_PX - 2)
        else:
            canvas.rect(field, style.recessed, CORNER_RADIUS_PX - 2)
            canvas.text_in(
                field, GROUP_KANJI.get(entry.category, "石"), style.secondary_ink, "kanji", 28, 0.5
            )
        upper, lower = lines.inset(10, 0).cut_top(26)
        if entry.id in self._page.app.settings.favourites:
            upper, star = upper.cut_left(upper.w - 16)
            icons.draw_icon(canvas, "star", star.cx, star.cy, style.warning, 15)
        title = game_title(entry)
        if canvas.text_width(title, "title", MIN_CARD_TITLE_PX) > upper.w:
            # A long title takes two lines.
            upper, lower = lines.inset(10, 0).cut_top(34)
            canvas.text_fit(upper, title, style.ink, "title", MIN_CARD_TITLE_PX)
        else:
            sizes = range(17, MIN_CARD_TITLE_PX - 1, -1)
            size = canvas.fit_font_size(title, "title", sizes, upper.w)
            canvas.text_in(upper, title, style.ink, "title", size)
        facts = format_player_count(entry)
        if entry.minutes:
            facts = _("{players} · {minutes} min", players=facts, minutes=entry.minutes)
        if canvas.text_width(facts, "sans", SMALL_TEXT_PX) > lower.w:
            facts = format_player_count(entry)
        canvas.text_in(lower.cut_top(18)[0], facts, style.secondary_ink, "sans", SMALL_TEXT_PX)
        if is_hovered:
            canvas.rect(rect, style.hover, CORNER_RADIUS_PX)
        if entry is self._page.selected_game:
            canvas.outline(rect, style.action, CORNER_RADIUS_PX, 2)
        else:
            canvas.outline(rect, style.hairline, CORNER_RADIUS_PX)

    def _paint_broken(self, canvas: Canvas, style: Style, box: Rect, row: int, is_hovered: bool) -> None:
        """Paint the card of a game file that can't be played, with the number of errors and the first error."""
        name, problems = self._page.broken_found[row - len(self._page.games_found)]
        canvas.rect(box, style.card, CORNER_RADIUS_PX)
        if is_hovered:
            canvas.rect(box, style.hover, CORNER_RADIUS_PX)
        on = row == self._page.game_grid.current_row
        canvas.outline(box, style.warning if on else style.hairline, CORNER_RADIUS_PX, 2 if on else 1)
        upper, lower = box.inset(12, 10).cut_top(26)
        canvas.text_in(upper, name, style.secondary_ink, "title", 17)
        count, lower = lower.cut_top(20, 4)
        canvas.text_in(
            count, ngettext("{n} error", "{n} errors", len(problems)), style.warning, "sans", SMALL_TEXT_PX
        )
        canvas.text_fit(
            lower,
            localize(problems[0].message) if problems else "",
            style.secondary_ink,
            "sans",
            SMALL_TEXT_PX,
        )


PLAYER_FILTER_TEXTS = {
    "any": N_("Players"),
    "solo": N_("solo"),
    "two": N_("2 players"),
    "three": N_("3 players"),
    "most": N_("4 or more"),
}
LENGTH_FILTER_TEXTS = {
    "any": N_("Length"),
    "short": N_("up to 10 min"),
    "medium": N_("up to 20 min"),
    "long": N_("over 20 min"),
}
COMPLEXITY_FILTER_TEXTS = {
    "any": N_("Complexity"),
    "easy": N_("low complexity"),
    "middle": N_("medium complexity"),
    "deep": N_("high complexity"),
}

NAVIGATION_KEYS = ("up", "down", "left", "right", "pageup", "pagedown", "home", "end")
"""Keys that move the selection in the list of games."""
PICTURE_HEIGHT_RANGE_PX = (110, 230)
"""Minimum and maximum height of the selected game's picture in a normal window; with less room, it is hidden."""
MIN_CARD_WIDTHS_PX = (150.0, 200.0)
"""Minimum widths of a game's card, in a normal and in a wide window."""
MIN_NARROW_CARD_WIDTH_PX = 120.0
"""Minimum width of a game's card in a narrow list or a low window."""
PROBLEM_DELAY_SECONDS = 0.3
"""Seconds before the daily problem is looked up, so that the page can appear first."""
MIN_WIDE_WINDOW_PX = 1500.0
"""Minimum width of a wide window."""
HEADER_HEIGHT_PX = 56.0
"""Height of the page's header."""
MAX_PREFERRED_HEIGHT_PX = 720.0
"""Maximum height that the page requests for showing the settings in a single column, including the header.

Settings that need more are laid out more tightly.
"""
PICTURE_ASPECT = 0.6
"""Height of a card's picture as a fraction of the card's width."""
USUAL_SETTINGS_HEIGHT_PX = 532.0
"""Minimum height that is left for the settings below the selected game's picture.

It is the same for all games, so that the picture always has the same height. Games with more settings are laid out more
tightly.
"""
LOW_WINDOW_PX = 420.0
"""Minimum window height for several columns; with less, the page has one, however wide the window is."""
MAX_NEWCOMER_GAMES = 5
"""Number of different games that a player must have played to no longer be a newcomer."""
MIN_FEATURED_GAMES = 3
"""Minimum number of recently played games for listing them first, in a section of their own.

Rounded up to full rows, it is also the maximum number of games in each section above the other games.
"""


def first_games(entries: Iterable[Entry]) -> list[Entry]:
    """Return the ``entries`` that are on the path of first games, in the order of the path."""
    by_id = {entry.id: entry for entry in entries}
    return [by_id[step.game] for step in load_first_games() if step.game in by_id]


def sort_key(entry: Entry) -> tuple[str, str]:
    """Return the key for sorting games by title."""
    return game_title(entry).casefold(), entry.id


class HomePage(Page):
    """Start page with the list of games, the selected game and its settings."""

    page_name = "home"
    min_size = (640.0, 480.0)
    has_narrow_layout = True
    takes_typed_letters = True
    shortcuts = shortcuts.HOME_SHORTCUTS

    def __init__(self, app: Host) -> None:
        super().__init__(app)
        groups = [
            ALL_GAMES,
            FAVOURITES,
            RECENTLY_PLAYED,
            NEVER_PLAYED,
            *([LEARNING] if app.settings.learning else []),
            *([PROBLEMS] if games_with_problems() else []),
            TOURNAMENTS,
        ]
        groups += [c for c in CATEGORIES if any(e.category == c for e in app.catalogue)]
        self.broken_files = list(app.catalogue.problems.items())
        """Game files that can't be played, and their errors."""
        if any(entry.own for entry in app.catalogue) or self.broken_files:
            groups.append(OWN_GAMES)
        self.groups = groups
        self.group = ALL_GAMES
        self.game_filter = GameFilter()
        self.group_counts: dict[str, int] = {}
        """Number of matching games in each group; for :data:`PROBLEMS`, the number of all problems."""
        self.header = Panel("page", "bottom")
        self.side = Panel("page", "right")
        self.search_field = TextField(
            "",
            lambda words: self._change_filter(words=words),
            placeholder=_("Search games"),
            icon="search",
            name="search",
            on_enter=self._open_selected,
            clears_on_escape=True,
        )
        rows = RowPainter(self)
        self.group_list = ListView(33, rows.paint_group, self._choose_group, name="groups")
        self.group_list.set_rows(len(groups), 0)
        self.group_dropdown = Dropdown(
            [_(GROUP_TEXTS[group]) for group in groups], 0, self._choose_group, name="group"
        )
        self.game_grid = CardGrid(
            MIN_CARD_WIDTHS_PX[0],
            lambda wide: round(wide * PICTURE_ASPECT + CARD_TEXT_HEIGHT_PX),
            rows.paint_game,
            self._on_select,
            on_open=lambda row: self._open_selected(),
            name="games",
        )
        self.game_grid.follows_current_row = False
        self.resume_card = ResumeCard(app)
        self.tutorial_card, self.daily_card = TutorialCard(app), DailyProblemCard(app)
        guide_cards = (
            [self.daily_card, self.tutorial_card]
            if app.settings.guided
            else [self.tutorial_card, self.daily_card]
        )
        self.cards: list[HomeCard] = [self.resume_card, *guide_cards, DesignCard(app)]
        """Cards above the list of games, in order of priority; those without room are hidden."""
        self.view: GamePreview = GamePreview(app)
        self.start_panel = StartPanel(app, self._on_setup_change, self.toggle_favourite)
        self.demo = IdleDemo(self, self.view, self.start_panel.setup)
        self.is_setting_up = False
        """Whether the single-column layout shows the settings of the selected game.

        Otherwise it shows the list of games.
        """
        self.back_button = Button(
            _("Games"), lambda: self._set_setting_up(False), icon="back", kind="quiet", name="back"
        )
        self.theme_button = ThemeButton(app)
        self.sound_button = SoundButton(app)
        self.settings_button = Button(
            "", app.pages.show_settings, icon="settings", kind="quiet", tip=_("Settings"), name="settings"
        )
        self.saved_games_button = Button(
            "",
            app.pages.show_saved_games,
            icon="open",
            kind="quiet",
            tip=_("Saved games and results  Ctrl+O"),
            name="open",
        )
        self.design_button = Button(
            "",
            app.pages.show_game_designer,
            icon="pencil",
            kind="quiet",
            tip=_("Design a game  Ctrl+D"),
            name="design",
        )
        self.empty_label = Label(_("No games match."), "italic", 17, "secondary_ink", 0.5)
        self.filters: dict[str, Dropdown] = {
            "players": self._make_filter(
                "players", [_(PLAYER_FILTER_TEXTS[option]) for option in PLAYER_FILTERS], name="for players"
            ),
            "length": self._make_filter(
                "length", [_(LENGTH_FILTER_TEXTS[option]) for option in LENGTH_FILTERS], name="length"
            ),
            "level": self._make_filter(
                "level", [_(COMPLEXITY_FILTER_TEXTS[option]) for option in COMPLEXITY_FILTERS], name="level"
            ),
        }
        self.random_button = Button(
            "", self.play_random, icon="dice", tip=_("Random game  R, Ctrl+R"), name="random"
        )
        self.games_found: list[Entry] = []
        self.broken_found: list[tuple[str, tuple[Problem, ...]]] = []
        played = (app.matches.last_game_id, *app.settings.played)
        known = (entry for entry in map(app.catalogue.find, played) if entry is not None)
        self.selected_game: Entry | None = next(chain(known, first_games(app.catalogue), app.catalogue), None)
        self.add(
            self.header,
            self.side,
            self.back_button,
            self.search_field,
            self.group_list,
            *self.cards,
            self.group_dropdown,
        )
        self.add(
            *self.filters.values(),
            self.random_button,
            self.game_grid,
            self.view,
            self.start_panel,
            self.empty_label,
        )
        self.add(
            self.saved_games_button,
            self.design_button,
            self.theme_button,
            self.sound_button,
            self.settings_button,
        )
        self.build_status = EngineBuildStatus(self)
        self.add(self.build_status.label, self.build_status.button)
        self._update_games()

    def _make_filter(self, key: str, options: Sequence[str], *, name: str) -> Dropdown:
        """Create the drop-down list for the attribute ``key`` of :class:`.GameFilter`."""

        def change(index: int) -> None:
            self._change_filter(**{key: index})

        return Dropdown(options, 0, change, name=name)

    @property
    def _is_low(self) -> bool:
        """Whether the window is too low for several columns."""
        return self.app.size[1] / self.app.scale < LOW_WINDOW_PX

    @property
    def is_narrow(self) -> bool:
        return super().is_narrow or self._is_low

    def min_size_for(self, window_width: float) -> tuple[float, float]:
        column, high = super().min_size_for(window_width)
        if self._is_low and column >= self.min_size[0]:
            high = WindowPage.min_size[1]  # so that only the list of games scrolls
        if self.is_setting_up and (window_width < self.min_size[0] or self._is_low):
            high = max(
                high,
                min(
                    MAX_PREFERRED_HEIGHT_PX,
                    HEADER_HEIGHT_PX + self.start_panel.min_height(max(window_width, column)),
                ),
            )
        return column, high

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        much = rect.w >= MIN_WIDE_WINDOW_PX
        top, rest = rect.cut_top(HEADER_HEIGHT_PX)
        self.header.layout(top)
        rest = self.build_status.layout(rest, self.app.canvas)
        buttons = (
            self.settings_button,
            self.sound_button,
            self.theme_button,
            self.saved_games_button,
            self.design_button,
        )
        self.back_button.visible = self.is_narrow and self.is_setting_up
        listed = not self.back_button.visible
        for widget in (
            self.search_field,
            self.group_dropdown,
            *self.filters.values(),
            self.random_button,
            self.game_grid,
        ):
            widget.visible = listed
        self.start_panel.visible = self.is_setting_up or not self.is_narrow
        self.back_button.layout(Rect(top.x + 12, top.cy - 16, 100, 32))
        left = 16 if self.is_narrow else max(300 if rect.w >= 760 else 210, rect.cx - 200)
        max_search_width = rect.right - 44 - 38 * (len(buttons) - 1) - 12 - left
        self.search_field.layout(Rect(left, top.cy - 17, min(400, max_search_width), 34))
        for index, button in enumerate(buttons):
            button.layout(Rect(rect.right - 44 - 38 * index, top.cy - 16, 32, 32))
        side, rest = rest.cut_left((240 if much else 208) if rect.w >= 1000 else 0)
        self.side.visible = self.group_list.visible = side.w > 0
        self.side.layout(side)
        self.group_list.layout(side.inset(10, 14))
        beside = 480 if much else min(420, rest.w * (0.46 if rest.w > 700 else 0.5))
        start, rest = (rest, rest) if self.is_narrow else rest.cut_right(beside)
        room = start.h - USUAL_SETTINGS_HEIGHT_PX
        self.view.visible = (
            room >= PICTURE_HEIGHT_RANGE_PX[0] and self.selected_game is not None and self.start_panel.visible
        )
        if self.view.visible:
            picture, start = start.cut_top(min(PICTURE_HEIGHT_RANGE_PX[1] + (60 if much else 0), room))
            self.view.layout(picture)
        self.start_panel.layout(start)
        rest = rest.inset(24 if much else 16, 8 if self._is_low else 14)
        visible_cards = [card for card in self.cards if card.is_available and listed]
        # The card for resuming a match and, for new users, the guide are shown at any window size.
        needed = (self.app.matches.unfinished is not None) + (not self.app.settings.guided)
        visible_cards = visible_cards[: max(int(rest.w // 260) if rect.h >= 520 else 0, needed)]
        for card in self.cards:
            card.visible = card in visible_cards
        if visible_cards:
            tall = rect.h >= 600 or (self.is_narrow and not self._is_low)
            high = 104 if much else 84 if tall else 60
            line, rest = rest.cut_top(high, 8 if self._is_low else 14)
            card_width = min(480.0, (line.w + 12) / len(visible_cards))
            for index, card in enumerate(visible_cards):
                card.layout(Rect(line.x + card_width * index, line.y, card_width - 12, line.h))
        if listed:
            rest = self._layout_filters(rest)
        self.game_grid.min_card_width = (
            MIN_CARD_WIDTHS_PX[1]
            if much
            else MIN_CARD_WIDTHS_PX[0]
            if rest.w > 420 and not self._is_low
            else MIN_NARROW_CARD_WIDTH_PX
        )
        columns = self.game_grid.columns
        self.game_grid.layout(rest)
        if columns != self.game_grid.columns:
            self._update_games()  # the number of featured games depends on the number of columns
        self.empty_label.layout(rest.cut_top(60)[0])

    def _layout_filters(self, rest: Rect) -> Rect:
        """Lay out the filters and the button for a random game at the top of ``rest``; return the remaining area."""
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        self.group_dropdown.visible = not self.group_list.visible
        dropdowns = [
            dropdown for dropdown in (self.group_dropdown, *self.filters.values()) if dropdown.visible
        ]
        gap, dice = 8.0, 40.0
        rows: list[list[Dropdown]] = [[]]

        def used_width(row: Sequence[Dropdown]) -> float:
            return sum(dropdown.preferred_width(canvas) + gap for dropdown in row) - gap

        for dropdown in dropdowns:
            if rows[-1] and used_width([*rows[-1], dropdown]) > rest.w:
                rows.append([])
            rows[-1].append(dropdown)
        if len(rows[-1]) > 1 and used_width(rows[-1]) + dice > rest.w:
            rows.append([rows[-1].pop()])
        for index, row in enumerate(rows):
            last = index + 1 == len(rows)
            line, rest = rest.cut_top(32, 12 if last else 8)
            wide = line.w - (dice if last else 0)
            if last:
                self.random_button.layout(Rect(line.right - 32, line.y, 32, 32))
            more = max(0.0, min(40.0, (wide - used_width(row)) / len(row)))
            x = line.x
            for dropdown in row:
                dropdown.layout(Rect(x, line.y, min(dropdown.preferred_width(canvas) + more, wide), 32))
                x = dropdown.rect.right + gap
        return rest

    def on_show(self) -> None:
        self.app.gallery.preload(self.app.catalogue)
        self.demo.on_input()
        self.build_status.start_watching()
        self.app.schedule(PROBLEM_DELAY_SECONDS, self._update_problem_cards)

    def on_day_change(self) -> None:
        self._update_problem_cards()

    def _update_problem_cards(self) -> None:
        """Find the daily problem, and schedule counting all problems.

        Does nothing unless the page is shown and has a group for problems.
        """
        if self.is_current and PROBLEMS in self.groups:
            self.daily_card.find_problem()
            self.app.schedule(0, self._count_problems)

    def _count_problems(self) -> None:
        if self.is_current:
            self.problem_count = self.group_counts[PROBLEMS] = sum(map(count_problems, games_with_problems()))
            self.refresh()

    problem_count = 0
    """Total number of problems, 0 until they have been counted."""

    def on_foreground(self) -> None:
        before = self.app.matches.unfinished_path
        self.app.matches.find_unfinished()
        if self.app.matches.unfinished_path != before and self.rect.w:
            self.layout(self.rect)
        self.refresh()

    def on_input(self) -> None:
        self.demo.on_input()

    def on_leave(self) -> None:
        self.demo.stop()
        self.app.gallery.cancel_pending()

    def animate(self, now: float) -> bool:
        return self.view.animate(now)

    def _on_setup_change(self) -> None:
        start = self.start_panel
        if start.setup.entry is not None:
            self.view.show_game(start.setup.entry, start.setup.size, start.setup.variant, start.setup.seats)
        self.view.visible = self.selected_game is not None and self.start_panel.visible
        if self.is_setting_up and self.is_current:
            self.app.relayout()
        elif self.rect.w:
            self.layout(self.rect)

    def draw(self, canvas: Canvas, style: Style) -> None:
        super().draw(canvas, style)
        if not self.is_narrow:
            canvas.text(18, 40, "渋", style.warning, "seal", 40)
            canvas.text(66, 36, "Shibumi 3D", style.ink, "title", HEADING_PX)

    def on_key(self, key: Key) -> bool:
        if key.chord == "escape" and self.back_button.visible:
            self._set_setting_up(False)
            return True
        if key.chord in NAVIGATION_KEYS and self.game_grid.visible and self.game_grid.on_key(key):
            if self.root is not None:  # so that letters are shortcuts again
                self.root.focus, self.root.is_focus_visible = self.game_grid, True
            return True
        focus = self.root.focus if self.root is not None else None
        if key.chord == "enter" and any(focus is widget for widget in self.start_panel.walk()):
            # Enter moves to the next setting; only the Play button starts the match.
            if self.root is not None:
                self.root.step_focus(1)
            return True
        if key.chord == "enter" and self.game_grid.on_key(key):
            return True
        if key.chord == "escape" and self.search_field.value:
            self.search_field.set_value("")
            return True
        among = self.game_grid.focused and self.app.settings.single
        if key.chord == "ctrl+o":
            self.app.pages.show_saved_games()
        elif key.chord == "ctrl+d":
            self.app.pages.show_game_designer(self.selected_game)
        elif key.chord == "ctrl+r" or (key.chord == "r" and among):
            self.play_random()
        elif key.chord == "ctrl+f" or (key.chord == "f" and among):
            self.toggle_favourite()
        elif key.chord == "ctrl+e" or (key.chord == "e" and among):
            open_position_editor(self.start_panel)
        else:
            return False
        return True

    def heading(self) -> str:
        return _("Games")

    def rebuild(self) -> HomePage:
        if self.start_panel.is_searching_deal:
            self.start_panel.stop_search()
        page = HomePage(self.app)
        page.selected_game, page.is_setting_up = self.selected_game, self.is_setting_up
        page._set_filters(self.group, self.game_filter)
        page.search_field.set_value(self.game_filter.words)
        return page

    def restore_filters(self, previous: HomePage) -> None:
        """Restore the group and the filters of the ``previous`` page if the selected game matches them.

        Search words are not restored.
        """
        wanted_filter, chosen = replace(previous.game_filter, words=""), self.selected_game
        fits = (
            chosen is not None
            and wanted_filter.matches(chosen)
            and is_in_group(chosen, previous.group, self.app.settings)
        )
        if fits and previous.group in self.groups:
            self._set_filters(previous.group, wanted_filter)
            self._update_games()

    def _set_filters(self, group: str, game_filter: GameFilter) -> None:
        """Select a group and set the filters, without updating the list of games."""
        self.group, self.game_filter = group, game_filter
        self.group_list.current_row = self.group_dropdown.selected_index = self.groups.index(group)
        for name, dropdown in self.filters.items():
            dropdown.selected_index = getattr(game_filter, name)

    def play_random(self) -> None:
        """Select a random game from the list, and open its ladder or, if it has none, start it."""
        if self.games_found:
            self.game_grid.select_row(random.randrange(len(self.games_found)))
            self._play_selected()

    def toggle_favourite(self) -> None:
        """Add the selected game to the favourites, or remove it if it is already one of them."""
        if self.selected_game is not None:
            favourites = self.app.settings.favourites
            name = self.selected_game.id
            self.app.change_settings(
                favourites=tuple(n for n in favourites if n != name)
                if name in favourites
                else (*favourites, name)
            )
            self.start_panel.favourite_button.is_on = name not in favourites
            self._update_games()

    def on_text(self, text: str) -> bool:
        if self.root is None or not text.strip():
            return False
        if self.back_button.visible:
            self._set_setting_up(False)
        self.root.focus = self.search_field
        return self.search_field.on_text(text)

    def trace_values(self) -> Mapping[str, object]:
        visible_rects = {
            self.games_found[row].id: self.game_grid.row_rect(row)
            for row in self.game_grid.visible_rows()
            if row < len(self.games_found)
        }
        return {
            "games": {
                name: self.app.to_window_pixels(card.cx, card.cy)
                for name, card in visible_rects.items()
                if self.game_grid.rect.contains(card.cx, card.cy)
            },
            "found": len(self.games_found),
            "chosen": self.selected_game.id if self.selected_game is not None else "",
        }

    def _change_filter(self, **changes: object) -> None:
        self.game_filter = replace(self.game_filter, **changes)  # type: ignore[arg-type]
        if self.rect.w:
            self.layout(self.rect)  # the width of a filter depends on its selected option
        self._update_games()

    def _update_games(self) -> None:
        """List the games of the selected group that match the filters, and update the count of each group.

        The count is the number of matching games or, for :data:`PROBLEMS`, the number of all problems. The user's own
        games include files that can't be played. If a search finds games only outside the selected group, switch to the
        group of all games.
        """
        app, words = self.app, fold_for_search(self.game_filter.words).split()
        matching = [entry for entry in app.catalogue if self.game_filter.matches(entry)]
        listed = {
            group: [e for e in matching if is_in_group(e, group, app.settings)] for group in self.groups
        }
        wrong = [item for item in self.broken_files if all(w in item[0] for w in words)]
        self.group_counts = {group: len(entries) for group, entries in listed.items()}
        for name in (LEARNING, TOURNAMENTS):
            if name in self.group_counts:
                self.group_counts[name] = 0
        if PROBLEMS in self.group_counts:
            self.group_counts[PROBLEMS] = self.problem_count
        if OWN_GAMES in self.group_counts:
            self.group_counts[OWN_GAMES] += len(wrong)
        if words and not listed[self.group] and listed[ALL_GAMES] and not (self.group == OWN_GAMES and wrong):
            # Only other groups have matching games, so switch to the group of all games.
            self.group = ALL_GAMES
            self.group_list.current_row = self.group_dropdown.selected_index = self.groups.index(ALL_GAMES)
        before, self.games_found = self.games_found, listed[self.group]
        if self.group == RECENTLY_PLAYED:
            self.games_found.sort(key=lambda entry: app.settings.played.index(entry.id))
        else:
            self.games_found.sort(key=sort_key)
        self.game_grid.headings = {}
        if self.group == ALL_GAMES and self.game_filter == GameFilter():
            self._list_featured_games()
        self.broken_found = wrong if self.group == OWN_GAMES else []
        self.empty_label.visible = not self.games_found and not self.broken_found
        row = (
            self.games_found.index(self.selected_game)
            if self.selected_game in self.games_found
            else 0
            if self.games_found
            else -1
        )
        self.game_grid.set_rows(len(self.games_found) + len(self.broken_found), row)
        if {entry.id for entry in self.games_found} != {entry.id for entry in before}:
            self.game_grid.scroll_to(0)
        if row >= 0:
            self._select_row(row)
        self.refresh()

    def _list_featured_games(self) -> None:
        """Divide the games found into recently played games, good first games (for newcomers only) and others.

        Recently played games have a section of their own only if at least :data:`MIN_FEATURED_GAMES` of them were
        found.
        """
        listed_entries, played = self.games_found, self.app.settings.played
        count = -(-MIN_FEATURED_GAMES // self.game_grid.columns) * self.game_grid.columns
        recent = [entry for entry in map(self.app.catalogue.find, played) if entry in listed_entries][:count]
        sections = [(_("Recently played"), recent)] if len(recent) >= MIN_FEATURED_GAMES else []
        if len(played) < MAX_NEWCOMER_GAMES:
            first_entries = [
                entry for entry in first_games(listed_entries) if not sections or entry not in recent
            ]
            sections.append((_("Good first games"), first_entries[:count]))
        featured = [entry for _unused, entries in sections for entry in entries]
        sections.append((_("More games"), [entry for entry in listed_entries if entry not in featured]))
        self.games_found = []
        for heading, entries in sections:
            if entries:
                self.game_grid.headings[len(self.games_found)] = heading
                self.games_found += entries

    def _choose_group(self, row: int) -> None:
        if self.groups[row] in OTHER_PAGES:
            self.group_dropdown.selected_index = self.group_list.current_row = self.groups.index(self.group)
            if self.groups[row] == PROBLEMS:
                self.app.pages.show_problems()
            elif self.groups[row] == TOURNAMENTS:
                self.app.pages.show_tournaments()
            else:
                self.app.pages.show_learning()
            return
        self.group = self.groups[row]
        self.group_list.current_row = self.group_dropdown.selected_index = row
        self._change_filter()

    def _select_row(self, row: int) -> None:
        if row >= len(self.games_found):
            self.selected_game = None
            self.start_panel.show_errors(*self.broken_found[row - len(self.games_found)])
            return
        self.selected_game = self.games_found[row]
        self.start_panel.show_game(self.selected_game)

    def _on_select(self, row: int) -> None:
        """Select the game in ``row`` or, if the row lists a faulty game file, show the errors in it.

        In a single-column layout, a click also switches from the list to the game's settings or the errors.
        """
        self._select_row(row)
        if self.is_narrow and self.root is not None and self.root.pressed is self.game_grid:
            self._open_selected()

    def _open_selected(self) -> None:
        """Open the ladder of the selected game, or start the game if it has no ladder.

        If a single-column layout shows only the list of games, show the game's settings instead.
        """
        if self.is_narrow and not self.is_setting_up and self.game_grid.row_count:
            self._set_setting_up(True)
        else:
            self._play_selected()

    def _set_setting_up(self, setting_up: bool) -> None:
        """In the single-column layout, show the settings of the selected game or the list of games.

        The settings are shown if ``setting_up`` is true. The page is scrolled to the top.
        """
        self.is_setting_up = setting_up
        self.app.relayout()
        self.app.scroll_to_top()

    def _play_selected(self) -> None:
        # If the search finds nothing, the game still shown beside the list isn't what the user wants.
        if self.selected_game is not None and self.games_found:
            if ladder_of(self.selected_game.id):
                self.app.pages.show_ladder(self.selected_game)
            else:
                self.start_panel.start_match()
