"""Form for a new tournament: players, system, games and clocks."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from shibumi3d.catalogue.courses import load_first_games
from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.i18n import _, localize, ngettext, pgettext
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.tournament import (
    PLAYER_COUNTS,
    SWISS,
    SYSTEMS,
    TournamentError,
    TournamentGame,
    TournamentPlayer,
    explain_unsuitable,
    max_swiss_rounds,
    new_tournament,
    round_count,
)
from shibumi3d.names import has_visible_text, normalize
from shibumi3d.rules.errors import GameFileError
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, SMALL_TEXT_PX, Style
from shibumi3d.search.levels import LEVELS, PERSON
from shibumi3d.wording import SYSTEM_RULES, SYSTEM_TEXTS, describe_tournament_game, format_date, game_title

from ...host.game_form import GameFormCard, agreed_rows
from ...host.match_settings import TIME_LIMITS, describe_time_limit
from ...host.match_setup import MatchSetupForm
from ...host.page import Page
from ...host.player_setup import human_names, name_players, player_type_title
from ...host.tournaments import tournament_store
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.choice import Choice
from ...ui.dropdown import Dropdown
from ...ui.label import Label
from ...ui.list_view import ActionList
from ...ui.text_input import TextField
from ...ui.widget import Key, Widget

if TYPE_CHECKING:
    from ...host import Host

INITIAL_PLAYERS = 4
PLAYER_TYPES = (PERSON, *[level.name for level in LEVELS])
"""Available player types. Those that adapt to one person are left out, as they would be unfair to the others."""
PLAYER_ROW_PX, SETTING_ROW_PX, GAME_ROW_PX = 38.0, 42.0, 36.0
"""Heights of the rows of players, settings and games, in logical pixels."""
LABEL_WIDTH_PX, TYPE_WIDTH_PX = 92.0, 132.0
MIN_TWO_COLUMN_WIDTH_PX, MIN_GAMES_HEIGHT_PX = 860.0, 160.0
SUMMARY_HEIGHT_PX, HEADING_HEIGHT_PX = 62.0, 30.0
MARGIN_PX, GAP_PX = 16.0, 28.0


class GameChecklist(ActionList):
    """List of games with tick boxes; a click, Enter or Space ticks or unticks a game.

    A ticked game has a button for its size, variant and options, unless there is nothing to choose.
    """

    def __init__(self, page: TournamentSetupPage) -> None:
        super().__init__(
            GAME_ROW_PX,
            self._paint_game,
            self._on_select,
            page.open_form,
            on_open=page.toggle_game,
            name="games",
        )
        self.page = page

    def _on_select(self, row: int) -> None:
        if self.root is not None and self.root.pressed is self:
            self.page.toggle_game(row)
        self.page.update_form_button()

    def action_label(self, row: int) -> str:
        return _("Options…") if self.page.has_form(self.page.listed_games[row]) else ""

    def describe_row_graphics(self, row: int) -> str:
        return _("included") if self.page.listed_games[row].id in self.page.chosen_games else ""

    def _paint_game(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        entry = self.page.listed_games[row]
        is_chosen = entry.id in self.page.chosen_games
        box = self.paint_row_background(canvas, style, rect, row, is_hovered)
        tick, rest = box.inset(8, 2).cut_left(20, 6)
        square = tick.centred(14, 14)
        canvas.outline(square, style.action if is_chosen else style.tertiary_ink, 3, 1.5)
        if is_chosen:
            canvas.rect(square.inset(3.5), style.action, 1)
        rest = self.area_beside_action(canvas, row, rest)
        face = "bold" if is_chosen else "sans"
        canvas.text_fit(rest, self.page.describe_game(entry), style.ink, face, BODY_TEXT_PX)
        self.paint_action(canvas, style, row, is_main=False)


class TournamentSetupPage(Page):
    """Page on which a tournament is set up and started."""

    page_name = "tournament setup"
    has_narrow_layout = True

    def __init__(self, app: Host) -> None:
        super().__init__(app)
        self.names = human_names(app.settings.names, INITIAL_PLAYERS)
        self.player_types = [PERSON] * INITIAL_PLAYERS
        likely = map(
            app.catalogue.find, (*app.settings.played[:1], *(step.game for step in load_first_games()))
        )
        suitable = (entry for entry in likely if entry is not None and not self._unsuitable_reason(entry))
        self.chosen_games = [entry.id for entry in islice(suitable, 1)]
        """IDs of the chosen games; initially the game played last or, if that is unsuitable, a good first game."""
        self.forms: dict[str, MatchSetupForm] = {}
        """Size, variant and options of all games that have been chosen so far, by ID."""
        self.listed_games: list[Entry] = []
        self.swiss_rounds = 0
        """Number of rounds chosen for a Swiss tournament, or 0 for the usual number."""
        self.back_button = Button(
            _("Tournaments"), app.pages.show_tournaments, icon="back", kind="quiet", name="back"
        )
        self.name_field = TextField(self._default_name(), name="tournament name")
        self._suggested_name = self.name_field.value
        """Name that the program last suggested; a change of the date leads to a new suggestion."""
        self.system_choice = Dropdown(
            [_(SYSTEM_TEXTS[system]) for system in SYSTEMS], 0, lambda index: self._update(), name="system"
        )
        self.rounds_choice = Dropdown(["1"], 0, self._set_rounds, name="rounds")
        self.order_choice = Choice([_("as listed"), _("random")], 0, lambda index: None, name="order")
        time_limits = [TimeLimit.parse(text) for text in TIME_LIMITS]
        self.clock_choice = Dropdown(
            [describe_time_limit(limit) for limit in time_limits], 0, lambda index: None, name="clock"
        )
        self.search_field = TextField(
            "",
            lambda words: self._list_games(),
            placeholder=_("Search games"),
            icon="search",
            name="search",
            clears_on_escape=True,
        )
        self.game_list = GameChecklist(self)
        self.summary_label = Label("", size=SMALL_TEXT_PX, colour="secondary_ink", max_lines=4)
        self.add_button = Button(_("Add player"), self._add_player, icon="plus", name="add player")
        self.start_button = Button(_("Start tournament"), self.start, kind="main", name="start tournament")
        self.form_button = Button(
            "", lambda: self.open_form(self.game_list.current_row), kind="quiet", name="game options"
        )
        self.player_rows: list[tuple[TextField, Dropdown, Button]] = []
        self.labels: list[tuple[str, Rect]] = []
        self._list_games()
        self._build_players()

    # Contents

    def _build_players(self) -> None:
        self.clear()
        self.player_rows = []
        self.add(self.back_button)
        shown_names = name_players(self.names, self.player_types)
        for index, player_type in enumerate(self.player_types):
            field = TextField(self.names[index], partial(self._set_name, index), name=f"player {index + 1}")
            field.accessible_name = _("Name of player {n}", n=index + 1)
            field.visible = player_type == PERSON
            types = Dropdown(
                [player_type_title(each) for each in PLAYER_TYPES],
                PLAYER_TYPES.index(player_type),
                partial(self._set_type, index),
                name=f"type {index + 1}",
            )
            types.accessible_name = _("Who plays as player {n}", n=index + 1)
            remove = Button(
                "",
                partial(self._remove_player, index),
                icon="minus",
                kind="quiet",
                tip=_("Remove {name}", name=shown_names[index]),
                name=f"remove {index + 1}",
            )
            remove.enabled = len(self.names) > PLAYER_COUNTS[0]
            self.player_rows.append((field, types, remove))
            self.add(field, types, remove)
        self.add_button.enabled = len(self.names) < PLAYER_COUNTS[1]
        self.add(
            self.add_button,
            self.name_field,
            self.system_choice,
            self.rounds_choice,
            self.order_choice,
            self.clock_choice,
            self.search_field,
            self.game_list,
            self.form_button,
            self.summary_label,
            self.start_button,
        )
        self._update()

    def _default_name(self) -> str:
        return _("Tournament, {day}", day=format_date(self.app.results.problems.today()))

    def on_day_change(self) -> None:
        if self.name_field.value == self._suggested_name:
            self._suggested_name = self._default_name()
            self.name_field.set_value(self._suggested_name)
            self.refresh()

    def _set_name(self, index: int, name: str) -> None:
        self.names[index] = name

    def _set_type(self, index: int, choice: int) -> None:
        self.player_types[index] = PLAYER_TYPES[choice]
        self._build_players()
        self._focus(self.player_rows[index][1])

    def _add_player(self) -> None:
        """Add a person to the players, and focus the field with the new name.

        The third player, for example, gets the name last used for the third seat or, if there is none, the default
        "Player 3".
        """
        self.names.append(human_names(self.app.settings.names, len(self.names) + 1)[-1])
        self.player_types.append(PERSON)
        self._build_players()
        self._focus(self.player_rows[-1][0])

    def _remove_player(self, index: int) -> None:
        del self.names[index], self.player_types[index]
        self._build_players()
        self._focus(self.player_rows[min(index, len(self.names) - 1)][2])

    def _focus(self, widget: Widget) -> None:
        if self.root is not None and self.is_current:
            self.root.focus = widget

    @property
    def system(self) -> str:
        return SYSTEMS[self.system_choice.selected_index]

    @property
    def rounds(self) -> int:
        most = max_swiss_rounds(len(self.names))
        if self.system == SWISS and self.swiss_rounds:
            return min(self.swiss_rounds, most)
        return round_count(self.system, len(self.names))

    def _set_rounds(self, index: int) -> None:
        self.swiss_rounds = index + 1
        self._update()

    def _list_games(self) -> None:
        """List the games whose titles contain all search words, with the chosen games first."""
        words = self.search_field.value.casefold().split()
        entries = [
            entry
            for entry in self.app.catalogue
            if all(word in game_title(entry).casefold() for word in words)
        ]
        entries.sort(key=lambda entry: (entry.id not in self.chosen_games, game_title(entry).casefold()))
        self.listed_games = entries
        self.game_list.set_rows(len(entries), 0 if entries else -1)
        self.refresh()

    def _unsuitable_reason(self, entry: Entry) -> str:
        """Return why a game can't be played in a tournament, or an empty string if it can."""
        try:
            reason = explain_unsuitable(entry)
        except (CatalogueError, GameFileError, ValueError) as problem:
            return _("{text}.", text=capitalize_first(localize(problem)))
        return localize(reason) if reason is not None else ""

    def toggle_game(self, row: int) -> None:
        """Tick or untick the game in a row of the list; if it can't be played in a tournament, show why."""
        entry = self.listed_games[row]
        if entry.id in self.chosen_games:
            self.chosen_games.remove(entry.id)
        elif reason := self._unsuitable_reason(entry):
            self.app.show_message(f"{game_title(entry)}: {reason}")
        else:
            self.chosen_games.append(entry.id)
        self._update()

    # Form of each game

    def form_of(self, entry: Entry) -> MatchSetupForm:
        """Return the form with the size, variant and options of a game.

        Initially, the form contains the settings last used for the game.
        """
        if entry.id not in self.forms:
            form = MatchSetupForm(self.app)
            form.select_game(entry)
            form.seats = 2
            self.forms[entry.id] = form
        return self.forms[entry.id]

    def has_form(self, entry: Entry) -> bool:
        """Return whether a game is chosen for the tournament and has settings to choose, such as its size."""
        return entry.id in self.chosen_games and bool(agreed_rows(self.form_of(entry), lambda name: None))

    def tournament_game(self, entry: Entry) -> TournamentGame:
        """Return a game with the settings chosen in its form."""
        form = self.form_of(entry)
        return TournamentGame(
            entry.id,
            form.size,
            form.variant,
            dict(form.options),
            form.match_settings.limited_to(form.facts(), form.seats).swap_rule,
            form.allows_repetition_claims or not form.can_forbid_claims(),
        )

    def describe_game(self, entry: Entry) -> str:
        """Return the title of a game and, if it is chosen, the settings that differ from the defaults."""
        is_chosen = entry.id in self.chosen_games
        return (
            describe_tournament_game(self.tournament_game(entry), entry) if is_chosen else game_title(entry)
        )

    def open_form(self, row: int) -> None:
        """Open the card for the size, variant and options of the game in a row of the list.

        Does nothing if there is no such row, or if the game isn't chosen or has nothing to set.
        """
        if 0 <= row < len(self.listed_games) and self.has_form(self.listed_games[row]):
            GameFormCard(self.app, self.form_of(self.listed_games[row]), self._update).open()

    def update_form_button(self) -> None:
        """Show the options button for the selected game, or hide it if the game isn't ticked or has no options."""
        row = self.game_list.current_row
        entry = self.listed_games[row] if 0 <= row < len(self.listed_games) else None
        self.form_button.visible = entry is not None and self.has_form(entry)
        if entry is not None and self.form_button.visible:
            self.form_button.label = _("Options for {game}…", game=game_title(entry))
        if self.rect.w:
            self._layout_footer()
        self.refresh()

    def _update(self) -> None:
        most = max_swiss_rounds(len(self.names))
        self.rounds_choice.options = tuple(str(number) for number in range(1, most + 1))
        self.rounds_choice.selected_index = self.rounds_choice.default_index = min(self.rounds, most) - 1
        self.rounds_choice.visible = self.system == SWISS
        self.start_button.enabled = bool(self.chosen_games)
        self.summary_label.set_caption(self.summary())
        self.update_form_button()
        if self.rect.w:
            self.relayout()
        self.refresh()

    def summary(self) -> str:
        """Return a description of what will be played, or a request to choose a game."""
        titles = [self.describe_game(self.app.catalogue.get(game)) for game in self.chosen_games]
        if not titles:
            return _("Choose at least one game.")
        parts = [
            _(
                "{players}, {rounds}.",
                players=ngettext("{n} player", "{n} players", len(self.names)),
                rounds=ngettext("{n} round", "{n} rounds", self.rounds),
            ),
            _(SYSTEM_RULES[self.system]),
            _("Every match is between two players."),
        ]
        if len(titles) > 1:
            parts.append(_("The games are played in turn, one per round: {games}.", games=", ".join(titles)))
        return " ".join(parts)

    def start(self) -> None:
        """Create and save the tournament and show its page, or show why that isn't possible."""
        names = [normalize(name).strip() or _("Player {n}", n + 1) for n, name in enumerate(self.names)]
        for (field, _types, _remove), name, player_type in zip(
            self.player_rows, names, self.player_types, strict=True
        ):
            if player_type == PERSON and not has_visible_text(name):
                self._focus(field)
                self.app.show_message(_("This name has no visible characters. Choose another one."))
                return
        players = [
            TournamentPlayer(name, player_type)
            for name, player_type in zip(
                name_players(names, self.player_types), self.player_types, strict=True
            )
        ]
        title = normalize(self.name_field.value).strip()
        try:
            tournament = new_tournament(
                title if has_visible_text(title) else _("Tournament"),
                self.system,
                [self.tournament_game(self.app.catalogue.get(game)) for game in self.chosen_games],
                players,
                rounds=self.rounds,
                time_limit=TimeLimit.parse(TIME_LIMITS[self.clock_choice.selected_index]),
                shuffle_seed=random.randrange(1_000_000) if self.order_choice.selected_index else None,
            )
            path = tournament_store(self.app).save_new(tournament, datetime.now())
        except TournamentError as problem:
            self.app.show_message(_("{text}.", text=capitalize_first(localize(problem))))
        except OSError as problem:
            self.app.show_message(_("Couldn't save the tournament: {problem}.", problem=problem))
        else:
            self.app.pages.show_tournament(path)

    # Layout

    def heading(self) -> str:
        return _("New tournament")

    def rebuild(self) -> TournamentSetupPage:
        page = TournamentSetupPage(self.app)
        page.names, page.player_types = self.names, self.player_types
        page.chosen_games, page.forms, page.swiss_rounds = self.chosen_games, self.forms, self.swiss_rounds
        page.system_choice.selected_index = self.system_choice.selected_index
        page.order_choice.selected_index = self.order_choice.selected_index
        page.clock_choice.selected_index = self.clock_choice.selected_index
        if self.name_field.value != self._suggested_name:
            page.name_field.set_value(self.name_field.value)
        page._list_games()
        page._build_players()
        return page

    @property
    def _settings(self) -> list[tuple[str, Widget]]:
        return [
            (_("Name"), self.name_field),
            (pgettext("tournament", "Format"), self.system_choice),
            *([(_("Rounds"), self.rounds_choice)] if self.rounds_choice.visible else []),
            (_("Player order"), self.order_choice),
            (_("Time per player"), self.clock_choice),
        ]

    def min_size_for(self, window_width: float) -> tuple[float, float]:
        players = HEADING_HEIGHT_PX + PLAYER_ROW_PX * (len(self.names) + 1)
        others = (
            SETTING_ROW_PX * len(self._settings)
            + HEADING_HEIGHT_PX
            + 42
            + MIN_GAMES_HEIGHT_PX
            + SUMMARY_HEIGHT_PX
            + 50
        )
        is_wide = window_width >= MIN_TWO_COLUMN_WIDTH_PX
        needed = max(players, others) if is_wide else players + others + GAP_PX
        return self.min_size_around(window_width, needed + 2 * MARGIN_PX)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        top, rest = self.layout_title_bar(rect, self.back_button)
        self.back_button.layout(Rect(top.x + 12, top.cy - 16, self.back_button.preferred_width(canvas), 32))
        rest = rest.inset(MARGIN_PX)
        self.labels = []
        if rect.w >= MIN_TWO_COLUMN_WIDTH_PX:
            rest = rest.centred(min(rest.w, 1080), rest.h)
            left, right = rest.cut_left((rest.w - GAP_PX) / 2, GAP_PX)
        else:
            left, right = rest.cut_top(HEADING_HEIGHT_PX + PLAYER_ROW_PX * (len(self.names) + 1), GAP_PX)
        head, left = left.cut_top(HEADING_HEIGHT_PX)
        self.labels.append((_("Players"), head))
        for field, types, remove in self.player_rows:
            row, left = left.cut_top(PLAYER_ROW_PX - 6, 6)
            place, row = row.cut_right(32, 4)
            remove.layout(place)
            if field.visible:
                place, row = row.cut_right(TYPE_WIDTH_PX, 6)
                types.layout(place)
                field.layout(row)
            else:
                types.layout(row)
        line = left.cut_top(32)[0]
        self.add_button.layout(line.cut_left(min(line.w, self.add_button.preferred_width(canvas)))[0])
        for label, widget in self._settings:
            row, right = right.cut_top(SETTING_ROW_PX - 8, 8)
            place, row = row.cut_left(LABEL_WIDTH_PX, 8)
            self.labels.append((label, place))
            widget.layout(row)
        self._footer_rect, right = right.cut_bottom(34, 6)
        self._layout_footer()
        summary, right = right.cut_bottom(SUMMARY_HEIGHT_PX, 6)
        self.summary_label.layout(summary)
        head, right = right.cut_top(HEADING_HEIGHT_PX)
        self.labels.append((_("Games"), head))
        line, right = right.cut_top(34, 8)
        self.search_field.layout(line)
        self.game_list.layout(right)

    _footer_rect = Rect()

    def _layout_footer(self) -> None:
        canvas, footer = self.app.canvas, self._footer_rect
        canvas.scale = self.app.scale
        wide = self.start_button.preferred_width(canvas)
        place, footer = footer.cut_right(min(footer.w, wide), 12)
        self.start_button.layout(place)
        wide = self.form_button.preferred_width(canvas)
        self.form_button.layout(footer.cut_left(min(footer.w, wide))[0])

    def paint(self, canvas: Canvas, style: Style) -> None:
        self.paint_title_bar(canvas, style)
        for text, place in self.labels:
            is_heading = place.w > LABEL_WIDTH_PX
            colour, face = (style.ink, "title") if is_heading else (style.secondary_ink, "sans")
            canvas.text_fit(place, text, colour, face, 18 if is_heading else BODY_TEXT_PX - 1)

    def on_key(self, key: Key) -> bool:
        if key.chord == "escape":
            self.app.pages.show_tournaments()
            return True
        return False

    def trace_values(self) -> Mapping[str, object]:
        return {"players": self.names, "games": self.chosen_games}
