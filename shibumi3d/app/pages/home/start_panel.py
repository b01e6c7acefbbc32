"""Panel with the description, players and settings of the selected game, and the Play button."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from shibumi3d.catalogue.problems import count_problems
from shibumi3d.catalogue.schema import Entry
from shibumi3d.catalogue.shown_problems import tip_lessons
from shibumi3d.i18n import N_, _, language, localize, localize_texts, ngettext
from shibumi3d.names import has_visible_text, normalize
from shibumi3d.rules.marbles.wording.names import display_name
from shibumi3d.rules.source import Problem
from shibumi3d.rules.wording import capitalize_first, lowercase_first
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, MIN_CLICKABLE_PX, SMALL_TEXT_PX, TITLE_PX, Style
from shibumi3d.search.levels import ADAPTIVE, CLOSE_MATCH, LEVELS, PERSON, RANDOM, find_level, is_adaptive
from shibumi3d.search.worker import Answer
from shibumi3d.wording import game_title, term_meanings, translated_rules

from ...host.colour_counts import ColourCounts
from ...host.courses import GameCourse
from ...host.dialogs import show_text
from ...host.game_form import form_rows, repetition_row
from ...host.match_settings import parse_seed
from ...host.match_settings_card import MatchSettingsButton
from ...host.match_setup import MatchSetupForm
from ...host.player_setup import name_players, player_type_title
from ...host.solo import ladder_of
from ...ui import icons
from ...ui.button import ICON_AREA_WIDTH_PX, Button, layout_row, shrink_to_fit
from ...ui.canvas import Canvas
from ...ui.choice import Choice
from ...ui.dropdown import Dropdown
from ...ui.panel import Panel
from ...ui.prose import ExplanationTooltip, FormattedText
from ...ui.text_input import TextField
from ...ui.widget import Key, Widget

if TYPE_CHECKING:
    from ...host import Host


ROW_HEIGHT_PX = 36.0
"""Height of a row in the list of player types, in logical pixels."""

OFFERED_PLAYER_TYPES = (PERSON, ADAPTIVE, *[one.name for one in LEVELS], find_level(CLOSE_MATCH).name)
"""Player types offered, in the order of the list."""


def describe_player_type(player_type: str, current_level: str = "") -> str:
    """Return the name of a player type and, for a level, a line about its style of play.

    ``current_level`` is the level at which the adaptive player currently plays. If ``current_level`` isn't empty, the
    adaptive player's name includes it.
    """
    if is_adaptive(player_type):
        return (
            _("Adapts to me (now {like})", like=player_type_title(current_level))
            if current_level
            else _("Adapts to me")
        )
    if player_type in (PERSON, RANDOM):
        return player_type_title(player_type)
    return _(
        "{name} – {character}",
        name=player_type_title(player_type),
        character=_(find_level(player_type).description),
    )


def strength_of(player_type: str, current_level: str = "") -> int:
    """Return the strength of a player type, from 1 to 5, or 0 if it has no fixed strength.

    The adaptive player has the strength of ``current_level``, the level at which it currently plays. If
    ``current_level`` is empty, the result is 0. A person, a random player and a computer player that keeps the match
    close have no fixed strength.
    """
    if is_adaptive(player_type):
        player_type = current_level
    if player_type in ("", PERSON, RANDOM):
        return 0
    level = find_level(player_type)
    return 0 if level.keeps_match_close else max(1, round(level.number))


class PlayerTypeRow(Button):
    """Button for a player type, with its strength as dots on the right."""

    DOTS_WIDTH_PX = 62.0
    DOT_PITCH_PX, DOT_RADIUS_PX = 10.0, 3.5

    strength = 0
    """Number of dots that are filled, or 0 for no dots at all."""

    def preferred_width(self, canvas: Canvas) -> float:
        return super().preferred_width(canvas) + (self.DOTS_WIDTH_PX if self.strength else 0.0)

    def icon_area(self, box: Rect) -> Rect:
        """Return the part of ``box`` in which the icon is centred.

        If the button shows dots, this is always the left end of ``box``. Otherwise, it is the same as for other
        buttons.
        """
        return box.cut_left(ICON_AREA_WIDTH_PX)[0] if self.strength else super().icon_area(box)

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        for index in range(len(LEVELS) if self.strength else 0):
            x = self.rect.right - 14 - self.DOT_PITCH_PX * (len(LEVELS) - 1 - index)
            if index < self.strength:
                canvas.disc(x, self.rect.cy, self.DOT_RADIUS_PX, style.secondary_ink)
            else:
                canvas.ring(x, self.rect.cy, self.DOT_RADIUS_PX, style.tertiary_ink, 1)


def describe_with_strength(text: str, strength: int) -> str:
    """Return what screen readers say for a player type: ``text``, followed by ``strength`` if that isn't 0."""
    return _("{player}; level {n} of {most}", player=text, n=strength, most=len(LEVELS)) if strength else text


class PlayerTypeButton(PlayerTypeRow):
    """Button that shows the player type of a seat and opens the list of player types."""

    def __init__(
        self,
        app: Host,
        seat: int,
        player_type: str,
        on_change: Callable[[int, str], None],
        current_level: str = "",
    ) -> None:
        """Create the button; ``current_level`` is the level at which the adaptive player currently plays."""
        person = player_type == PERSON
        super().__init__(
            "" if person else describe_player_type(player_type, current_level),
            self._open_list,
            icon="person" if person else "computer",
            tip=_("Choose player") if person else describe_player_type(player_type, current_level),
            name=f"who {seat + 1}",
            size=14,
        )
        self.app, self.seat, self.player_type, self.on_change, self.current_level = (
            app,
            seat,
            player_type,
            on_change,
            current_level,
        )
        text = (
            _("adapts to me")
            if is_adaptive(player_type)
            else describe_player_type(player_type, current_level)
        )
        if player_type in (PERSON, RANDOM):
            text = lowercase_first(
                text
            )  # unlike the other texts, this one doesn't begin with the name of a level
        self.strength = strength_of(player_type, current_level)
        text = describe_with_strength(text, self.strength)
        self.accessible_name = _("Seat {seat}: {who}", seat=seat + 1, who=text)

    def paint(self, canvas: Canvas, style: Style) -> None:
        full_label, room = self.label, self.rect.w - 40 - (self.DOTS_WIDTH_PX if self.strength else 0.0)
        if full_label and canvas.text_width(full_label, "sans", self.size) > room:
            # Show only the name, or nothing, rather than a truncated text. The list and the tooltip show the full text.
            title = player_type_title(self.player_type)
            self.label = title if canvas.text_width(title, "sans", self.size) <= room else ""
        super().paint(canvas, style)
        self.label = full_label

    def _open_list(self) -> None:
        card = PlayerTypeList(self.player_type, partial(self.on_change, self.seat), self.current_level)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        wide = max(button.preferred_width(canvas) for button in card.rows) + 16

        def place(window: Rect) -> Rect:
            high = ROW_HEIGHT_PX * len(card.rows) + 12
            x = min(self.rect.right - wide, window.right - wide - 8)
            y = (
                self.rect.bottom + 4
                if self.rect.bottom + 4 + high < window.bottom
                else window.bottom - high - 8
            )
            return Rect(max(8.0, x), y, min(wide, window.w - 16), high)

        self.app.root.open_popup(card, place, focus=card.current_row)


class PlayerTypeList(Panel):
    """Popup list of the player types."""

    def __init__(self, player_type: str, on_choose: Callable[[str], None], current_level: str = "") -> None:
        super().__init__("card", is_floating=True, name="who plays")
        self.on_choose = on_choose
        self.rows = [
            PlayerTypeRow(
                describe_player_type(each, current_level),
                partial(self._choose, each),
                kind="quiet",
                name=f"kind {each}",
                align=0,
            )
            for each in OFFERED_PLAYER_TYPES
        ]
        for button, each in zip(self.rows, OFFERED_PLAYER_TYPES, strict=True):
            button.is_on = each == player_type or (is_adaptive(each) and is_adaptive(player_type))
            button.strength = strength_of(each, current_level)
            button.accessible_name = describe_with_strength(button.label, button.strength)
        self.add(*self.rows)

    @property
    def current_row(self) -> Button:
        """Row of the current player type, or the first row if that type isn't in the list."""
        return next((button for button in self.rows if button.is_on), self.rows[0])

    def on_key(self, key: Key) -> bool:
        if key.name in ("up", "down") and self.root is not None:
            self.root.step_focus(1 if key.name == "down" else -1)
            return True
        return super().on_key(key)

    def _choose(self, player_type: str) -> None:
        if self.root is not None:
            self.root.close_popup()
        self.on_choose(player_type)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        for index, button in enumerate(self.rows):
            button.layout(
                Rect(rect.x + 6, rect.y + 6 + ROW_HEIGHT_PX * index, rect.w - 12, ROW_HEIGHT_PX - 2)
            )


SETUP_TEXTS = {
    "players": N_("Players"),
    "deals": N_("Deal"),
    "terms": N_("Options"),
}

LESSON_PROBLEMS = 5
"""Maximum number of problems offered to a user who is new to a game."""
MAX_SUMMARY_HEIGHT_PX = 60.0
"""Maximum height of the summary, in logical pixels."""
LABEL_WIDTH_PX = 92
"""Width of the labels of the settings, in logical pixels."""
LAYOUTS = (
    (True, 1, 42),
    (True, 1, 38),
    (True, 2, 38),
    (False, 1, 38),
    (False, 2, 38),
    (False, 3, 34),
    (False, 3, 30),
    (False, 3, 27),
)
"""Layouts in order of preference.

Each consists of a flag for showing the summary, the number of columns of names, and the distance between lines in
logical pixels.
"""
RULES_RESERVE_PX, RULES_LAYOUTS = 90.0, ((True, 1, 42), (True, 1, 38), (True, 1, 34))
"""Height in logical pixels that is reserved for the rules below the settings, and the layouts that show the rules.

These layouts have the same form as :data:`LAYOUTS`. If none of them fits, :data:`LAYOUTS` are tried instead, and a
button opens the rules in a card.
"""


class StartPanel(Panel):
    """Panel that describes the selected game and lets the user choose its settings and start it."""

    def __init__(
        self, app: Host, on_change: Callable[[], None], on_toggle_favourite: Callable[[], None]
    ) -> None:
        super().__init__("card", "left")
        self.app, self.on_change, self._on_toggle_favourite = app, on_change, on_toggle_favourite
        self.setup = MatchSetupForm(app)
        self.setting_labels: dict[str, str] = {}
        """Label of each of the game's settings, by the name of its widget."""
        self.is_searching_deal = False
        self.name_fields: list[TextField] = []
        self.player_buttons: list[PlayerTypeButton] = []
        self.labels: list[tuple[Widget, str, Rect]] = []
        """Widget, label and label position of each setting."""
        self.rules_text = FormattedText("", 16, name="rules")
        self.summary = FormattedText("", 17, name="summary", max_line_length=200)
        self.summary.focusable, self.summary.is_tight = False, True
        self.explanation = ExplanationTooltip()
        for prose in (self.rules_text, self.summary):
            prose.explain_words, prose.on_word_hover = self._explain_words, self.explanation.set_word
        self.seed_field = TextField("", placeholder=_("Seed (optional)"), name="seed", max_length=40)
        self.seed_field.accessible_name = _("Seed")
        self.play_button = Button(_("Play"), self.start_match, kind="main", name="play")
        self.edit_button = Button(
            "",
            lambda: open_position_editor(self),
            icon="marbles",
            kind="quiet",
            tip=_("Edit position  Ctrl+E"),
            name="lay out",
        )
        self.problems_button = Button("", self._open_problems, icon="hint", name="problems")
        self.tips_button = Button("", self._open_tips, icon="tip", name="tips")
        self.rules_button = Button(_("Rules"), self._open_rules, icon="book", name="open rules")
        self.favourite_button = Button(
            "",
            self._toggle_favourite,
            icon="star",
            kind="quiet",
            tip=_("Favourite  Ctrl+F"),
            name="favourite",
        )

        self._common_widgets: tuple[Widget, ...] = (
            self.seed_field,
            self.play_button,
            self.rules_button,
            self.problems_button,
            self.tips_button,
            self.rules_text,
            self.summary,
            self.edit_button,
            self.favourite_button,
            self.explanation,
        )
        """Widgets that the panel contains for every game, in the order in which Tab visits them."""

    def _explain_words(self, words: Sequence[str]) -> list[str]:
        """Return an explanation for each of ``words``, which come from the rules.

        A word without an explanation gets an empty string.
        """
        if self.setup.entry is None:
            return [""] * len(words)
        return term_meanings(self.setup.entry, self.setup.variant, words)

    def show_errors(self, name: str, errors: Sequence[Problem]) -> None:
        """Show the errors in the file of a game that can't be played, under the heading ``name``.

        The previously selected game is deselected, and any search for a winnable deal is stopped.
        """
        if self.is_searching_deal:
            self.stop_search()
        self.setup.entry = None
        self.setup.hand_name = ""
        self.clear()
        lines = "\n".join(
            "- " + _("line {line}: {message}", line=problem.location.line, message=problem.message)
            for problem in errors
        )
        self.rules_text.set_markup("\n\n".join((f"## {name}", _("This game can't be played yet."), lines)))
        self.add(self.rules_text)
        self.layout(self.rect)
        self.on_change()
        self.refresh()

    def show_game(self, entry: Entry) -> None:
        """Show a game with the settings last used for it, unless it is already shown.

        Switching to another game stops a search for a winnable deal.
        """
        if entry is not self.setup.entry:
            if self.is_searching_deal:
                self.stop_search()
            self.setup.select_game(entry)
            self.rules_text.set_markup(translated_rules(entry.with_variant(self.setup.variant).rules))
            self._build_widgets()

    def start_match(self) -> None:
        """Start a match with the current settings, if a game is selected.

        If only winnable deals are wanted, search for one first; another call stops the search. If a person's name has
        no visible characters, show a message instead.
        """
        entry = self.setup.entry
        if entry is None:
            return
        if self.is_searching_deal:
            self.stop_search()
            return
        names = [
            normalize(field.value).strip() or _("Player {n}", n + 1)
            for n, field in enumerate(self.name_fields)
        ]
        for field, name, player_type in zip(self.name_fields, names, self.setup.player_types, strict=False):
            if player_type == PERSON and not has_visible_text(name):
                if self.root is not None:
                    self.root.focus = field
                self.app.show_message(_("This name has no visible characters. Choose another one."))
                return
        player_types = self.setup.player_types[: self.setup.seats]
        names = name_players(names, player_types)
        seed, size, variant = parse_seed(self.seed_field.value), self.setup.size, self.setup.variant
        if not (self.setup.wants_winnable_deal and self.setup.can_want_winnable_deal()):
            self.app.matches.start(
                entry,
                names,
                size,
                variant,
                seed,
                self.setup.deal(),
                player_types=player_types,
                allow_repetition_claims=self.setup.allows_repetition_claims,
                options=self.setup.options,
                settings=self.setup.match_settings.limited_to(self.setup.facts(), self.setup.seats),
            )
            return

        def on_answer(answer: Answer) -> None:
            self.stop_search()
            if answer.error is not None:
                self.app.show_message(_("{text}.", text=capitalize_first(localize(answer.error))))
            elif isinstance(answer.value, int):
                self.app.matches.start(
                    entry,
                    names,
                    size,
                    variant,
                    answer.value,
                    player_types=player_types,
                    settings=self.setup.match_settings.limited_to(self.setup.facts(), self.setup.seats),
                )
            else:
                self.app.show_message(_("No winnable deal found. Try another seed, or allow any deal."))

        self.is_searching_deal = True
        self.play_button.label, self.play_button.tooltip = _("Stop"), _("Looking for a winnable deal…")
        self.app.solver.submit(
            on_answer,
            "find_winnable_seed",
            entry.game(size=size, variant=variant),
            seed,
            seats=self.setup.seats,
        )
        self.refresh()

    def _toggle_favourite(self) -> None:
        self._on_toggle_favourite()
        if self.setup.entry is not None:
            self.favourite_button.is_on = self.setup.entry.id in self.app.settings.favourites

    def stop_search(self) -> None:
        """Stop the search for a winnable deal."""
        self.is_searching_deal = False
        watching = PERSON not in self.setup.player_types[: self.setup.seats]
        self.play_button.label, self.play_button.tooltip = (_("Watch") if watching else _("Play")), ""
        self.app.solver.cancel()
        self.refresh()

    def _set_counts(self, counts: tuple[int, ...]) -> None:
        self.setup.hand_counts = counts
        self.refresh()

    def _build_widgets(self) -> None:
        entry = self.setup.entry
        assert entry is not None
        self.clear()
        self.name_fields = [
            TextField(self.setup.names[n], self._name_setter(n), name=f"seat {n + 1}", max_length=24)
            for n in range(self.setup.seats)
        ]
        like = self.setup.adaptive_level()
        self.player_buttons = [
            PlayerTypeButton(self.app, n, self.setup.player_types[n], self._set_player_type, like)
            for n in range(self.setup.seats)
        ]
        for field, player_type in zip(self.name_fields, self.setup.player_types, strict=False):
            field.visible = player_type == PERSON
        self.play_button.label = (
            _("Play") if PERSON in self.setup.player_types[: self.setup.seats] else _("Watch")
        )
        min_players, max_players = entry.players
        if max_players > min_players:
            counts = [str(n) for n in range(min_players, max_players + 1)]
            self.add(Choice(counts, self.setup.seats - min_players, self._set_seats, name="players"))
        # Add each name with its player type, so that Tab visits them in that order.
        for field, player_button in zip(self.name_fields, self.player_buttons, strict=True):
            self.add(field, player_button)
        rows = form_rows(self.setup, self._on_form_change)
        self.setting_labels = {widget.name: label for label, widget in rows}
        self.add(*(widget for _label, widget in rows))
        self.setup.update_hand()
        if self.setup.hand_name:
            self.add(
                ColourCounts(
                    self.setup.hand_counts, self._set_counts, name=self.setup.hand_name.replace("_", " ")
                )
            )
        if self.setup.can_want_winnable_deal():
            self.add(
                Choice(
                    [_("any"), _("winnable")],
                    int(self.setup.wants_winnable_deal),
                    self._set_winnable_deal,
                    name="deals",
                )
            )

        if self.setup.can_forbid_claims():
            self.setting_labels["repeats"], claims = repetition_row(self.setup)
            self.add(claims)
        agreed = self.setup.match_settings.make_button(
            self.app, self.setup.facts(), self.setup.seats, recommends_swap=self.setup.recommends_swap()
        )
        if agreed is not None:
            self.add(agreed)
        self.favourite_button.is_on = entry.id in self.app.settings.favourites
        game = self.setup.game()
        self.edit_button.visible = game is not None and bool(
            game.size
        )  # the position editor supports only games with marbles
        self.summary.set_markup(f"*{localize_texts(entry.summary)}*")
        self._update_problems_button()
        self.add(*self._common_widgets)
        self.on_change()
        self.refresh()

    def _is_new_to_player(self) -> bool:
        """Return whether the user has neither played the game nor solved any of its problems."""
        entry, app = self.setup.entry, self.app
        assert entry is not None
        return entry.id not in app.settings.played and not app.results.problems.count_solved(entry.id)

    def _update_problems_button(self) -> None:
        """Update the problem button and the tips button.

        The problem button shows how many problems have been solved or, to a user who is new to the game, how many are
        offered. In a solo game with a ladder, it shows how many deals have been solved.
        """
        entry = self.setup.entry
        assert entry is not None
        tips = len(entry.with_variant(self.setup.variant).tips)
        self.tips_button.visible = bool(tips)
        self.tips_button.label = ngettext("{n} tip", "{n} tips", tips)
        if deals := ladder_of(entry.id):
            self.problems_button.visible = True
            self.problems_button.label = _(
                "Deals {found} / {all}", found=self.app.results.solo.count_solved(entry.id), all=len(deals)
            )
            return
        problem_count = count_problems(entry.id)
        self.problems_button.visible = bool(problem_count)
        if problem_count and self._is_new_to_player():
            self.problems_button.label = ngettext(
                "Learn with {n} problem", "Learn with {n} problems", min(LESSON_PROBLEMS, problem_count)
            )
        elif problem_count:
            self.problems_button.label = _(
                "Problems {found} / {all}",
                found=self.app.results.problems.count_solved(entry.id),
                all=problem_count,
            )

    def _open_problems(self) -> None:
        """Open the game's ladder or, if it has none, its problems.

        If there is no ladder, a user who is new to the game gets a short course of problems; others see the page of
        problems.
        """
        entry, app = self.setup.entry, self.app
        assert entry is not None
        if ladder_of(entry.id):
            app.pages.show_ladder(entry)
        elif self._is_new_to_player():
            app.pages.show_problem(
                GameCourse(app.results.problems, entry.id, max_problems=LESSON_PROBLEMS),
                app.current_page,
            )
        else:
            app.pages.show_problems(entry.id)

    def _open_tips(self) -> None:
        """Open the tips for the selected game and variant as a sequence of exercises."""
        entry, app = self.setup.entry, self.app
        assert entry is not None
        form = entry.with_variant(self.setup.variant)
        lessons = tip_lessons(form.id, form.tips)
        if lessons:
            app.pages.show_exercises([(entry, lesson) for lesson in lessons], 0, app.current_page)

    def _open_rules(self) -> None:
        assert self.setup.entry is not None
        title = game_title(self.setup.entry)
        show_text(self.app, title, self.rules_text.markup, "rules card", self._explain_words)

    def _name_setter(self, seat: int) -> Callable[[str], None]:
        def set_name(name: str) -> None:
            self.setup.names[seat] = name

        return set_name

    def _set_player_type(self, seat: int, player_type: str) -> None:
        self.setup.player_types[seat] = player_type
        self._build_widgets()

    def _set_seats(self, index: int) -> None:
        assert self.setup.entry is not None
        self.setup.seats = self.setup.entry.players[0] + index
        self._build_widgets()

    def _set_winnable_deal(self, index: int) -> None:
        self.setup.wants_winnable_deal = bool(index)

    def _on_form_change(self, name: str) -> None:
        assert self.setup.entry is not None
        if name == "variant":
            entry = self.setup.entry.with_variant(self.setup.variant)
            self.rules_text.set_markup(translated_rules(entry.rules))
        self._build_widgets()

    _warning_rect = Rect()

    @property
    def _fixed_widgets(self) -> tuple[Widget, ...]:
        """Child widgets that don't belong to the lines of settings."""
        return *self._common_widgets, *self.player_buttons

    @property
    def _learning_buttons(self) -> list[Button]:
        """Visible buttons in the row below the Play button."""
        return [
            button for button in (self.rules_button, self.problems_button, self.tips_button) if button.visible
        ]

    def _setting_lines(self, columns: int, width: float) -> list[tuple[list[Widget], int]]:
        """Return the lines of settings, each as a list of widgets and a height in rows.

        The names of the players are laid out in ``columns`` columns. The lines are ``width`` wide.
        """
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        lines: list[tuple[list[Widget], int]] = []
        names: list[Widget] = [*self.name_fields]
        for child in self.children:
            if child in self._fixed_widgets:
                continue
            if child in names:
                if names.index(child) % columns == 0:
                    lines.append(([], 1))
                lines[-1][0].append(child)
                continue
            rows = 1
            if isinstance(child, Choice):
                child.measure(canvas)
                rows = len(child.wrap_options(width - LABEL_WIDTH_PX))
            lines.append(([child], rows))
        return lines

    def _setting_label(self, child: Widget) -> str:
        if isinstance(child, ColourCounts):
            return capitalize_first(display_name(child.name, language()))
        if isinstance(child, TextField):
            return _("Seat {n}", self.name_fields.index(child) + 1)
        return self.setting_labels.get(child.name) or _(SETUP_TEXTS[child.name])

    def _header_height(self, width: float, summary: bool) -> float:
        return (
            40 + (22 if self._fits_one_line(self.authors_and_year(), width) else 30) + (64 if summary else 4)
        )

    def _fits_one_line(self, text: str, width: float) -> bool:
        return self.app.canvas.text_width(text, "sans", SMALL_TEXT_PX) <= width

    def authors_and_year(self) -> str:
        """Return the selected game's authors, followed by its year of publication if that is known.

        The text is empty if no game is selected or the authors aren't known.
        """
        entry = self.setup.entry
        if entry is None or not entry.authors:
            return ""
        people = ", ".join(entry.authors)
        return _("{people}, {year}", people=people, year=entry.year) if entry.year else people

    def min_height(self, width: float) -> float:
        """Return the minimum height of the panel at the given width, in logical pixels.

        The height leaves room for the settings and a few lines of the rules. Returns 0 if no game is selected.
        """
        if self.setup.entry is None:
            return 0.0
        rows = sum(count for _, count in self._setting_lines(1, width - 48))
        more = (24 if self.setup.hand_name else 0) + (40 if self._learning_buttons else 0)
        return 36 + self._header_height(width - 48, True) + 42 * rows + more + 52 + 110

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.labels = []
        area = rect.inset(24, 18)
        self.favourite_button.layout(Rect(area.right - 32, area.y + 2, 32, 32))
        self.edit_button.layout(self.favourite_button.rect.moved(-34, 0))
        if self.setup.entry is None:
            self.rules_text.visible = True
            self.rules_text.layout(Rect(area.x, area.y, area.w + 12, area.h))
            return
        # If there is little room, reduce the line height, put names side by side and hide the rules and the summary.
        for (summary, columns, step), shows_rules in (
            *((layout, True) for layout in RULES_LAYOUTS),
            *((layout, False) for layout in LAYOUTS),
        ):
            self.rules_text.visible, self.rules_button.visible = shows_rules, not shows_rules
            lines = self._setting_lines(columns, area.w)
            need = self._header_height(area.w, summary) + step * sum(count for _, count in lines)
            more = (24 if self.setup.hand_name else 0) + (40 if self._learning_buttons else 0)
            if need + more + 38 + (RULES_RESERVE_PX if shows_rules else 0) <= area.h:
                break
        head, area = area.cut_top(self._header_height(area.w, summary))
        self.summary.visible = summary
        _layout_summary(self.summary, head, self.app.canvas)
        gap = min(8, step - MIN_CLICKABLE_PX)
        for widgets, count in lines:
            line, area = area.cut_top(step * count - gap, gap)
            if columns > 1 and widgets[0] in self.name_fields:
                column_width = (line.w + 10) / columns
                for index, field in enumerate(widgets):
                    place = Rect(line.x + column_width * index, line.y, column_width - 10, line.h)
                    label, place = place.cut_left(22)
                    self.labels.append((field, self._setting_label(field), label))
                    self._layout_seat(field, place)
                continue
            (child,) = widgets
            label, field_ = line.cut_left(LABEL_WIDTH_PX)
            if isinstance(child, ColourCounts) and field_.w < ColourCounts.MIN_COLUMN_WIDTH_PX * len(
                child.counts
            ):
                label, field_ = Rect(), line
            self.labels.append((child, self._setting_label(child), label))
            if isinstance(child, TextField):
                self._layout_seat(child, field_)
            else:
                child.layout(field_)
        if self.setup.hand_name:
            self._warning_rect, area = area.cut_top(20, 4)
        line, area = area.cut_top(38, 14)
        seed, go = line.cut_left(line.w - min(132, line.w / 2), 12)
        self.seed_field.layout(seed)
        self.play_button.layout(go)
        if buttons := self._learning_buttons:
            line, area = area.cut_top(32, 8)
            shrink_to_fit(buttons, self.app.canvas, line.w, gap=8)
            layout_row(line, buttons, self.app.canvas, gap=8)
        self.rules_text.layout(Rect(area.x, area.y + 6, area.w + 12, area.h - 6))

    def _layout_seat(self, field: Widget, rect: Rect) -> None:
        """Lay out a seat's name field and the button for its player type in ``rect``.

        A computer player has no name field, so the button fills ``rect``.
        """
        seats: list[Widget] = [*self.name_fields]
        player_button = self.player_buttons[seats.index(field)]
        name, button = rect.cut_right(34)[::-1]
        field.layout(Rect(name.x, name.y, name.w - 4, name.h))
        player_button.layout(button if field.visible else rect)

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        entry = self.setup.entry
        if entry is None:
            return
        area = self.rect.inset(24, 18)
        title, area = area.cut_top(40)
        title = Rect(
            title.x,
            title.y,
            (self.edit_button if self.edit_button.visible else self.favourite_button).rect.x - 8 - title.x,
            title.h,
        )
        size = canvas.fit_font_size(game_title(entry), "title", range(TITLE_PX, 15, -2), title.w)
        canvas.text_in(title, game_title(entry), style.ink, "title", size)
        line, area = area.cut_top(22 if self._fits_one_line(self.authors_and_year(), area.w) else 30, 4)
        canvas.text_fit(line, self.authors_and_year(), style.secondary_ink, "sans", SMALL_TEXT_PX)
        seats: list[Widget] = [*self.name_fields]
        for child, label, place in self.labels:
            left = place.x
            if child in seats and place.w:
                icons.draw_seat_symbol(canvas, seats.index(child), place.x + 8, place.cy, style.ink, 7)
                left += 26
            if (
                isinstance(child, TextField | Choice | ColourCounts | Dropdown | MatchSettingsButton)
                and label
                and place.w >= 60
            ):
                canvas.text_fit(
                    Rect(left, place.y, place.right - left - 4, place.h),
                    label,
                    style.secondary_ink,
                    "sans",
                    BODY_TEXT_PX - 1,
                )
        if self.setup.hand_name:
            canvas.text_in(self._warning_rect, self.setup.warning(), style.warning, "sans", 14)
        if self.rules_text.visible:
            canvas.hairline(
                self.rules_text.rect.x,
                self.rules_text.rect.y - 10,
                self.rules_text.rect.w - 12,
                style.hairline,
            )


def _layout_summary(prose: FormattedText, head: Rect, canvas: Canvas) -> None:
    """Lay out the summary, ``prose``, at the bottom of ``head``.

    The font size is 17. If the summary is too tall at that size, the size is reduced until it fits, but not below 13.
    """
    for size in range(17, 12, -1):
        prose.size = size
        high = prose.fit_height(canvas, head.w + 16)
        if high <= MAX_SUMMARY_HEIGHT_PX:
            break
    prose.layout(Rect(head.x, head.bottom - MAX_SUMMARY_HEIGHT_PX - 2, head.w + 16, high))


def open_position_editor(panel: StartPanel) -> None:
    """Open the position editor with the game and the settings selected in ``panel``.

    Do nothing if no game is selected, or while a winnable deal is being searched for.
    """
    chosen = panel.setup
    if chosen.entry is not None and not panel.is_searching_deal:
        names = [field.value.strip() or _("Player {n}", n + 1) for n, field in enumerate(panel.name_fields)]
        kinds = chosen.player_types[: chosen.seats]
        panel.app.pages.edit_start_position(
            chosen.entry, name_players(names, kinds), kinds, chosen.size, chosen.variant, chosen.options
        )
