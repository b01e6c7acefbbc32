"""Card for match settings that don't belong to the rules, and the button that opens it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shibumi3d.i18n import _, pgettext
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.special_moves import allows_swap_rule
from shibumi3d.rules.marbles import handicap
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, SMALL_TEXT_PX, Style

from ..ui.accessibility import join_sentences
from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.choice import Choice
from ..ui.dropdown import Dropdown
from ..ui.panel import Card, centred_placement
from ..ui.widget import Widget
from .colour_counts import ColourCounts
from .match_settings import DEFAULT_MATCH_SETTINGS, TIME_LIMITS, MatchSettings, describe_time_limit

if TYPE_CHECKING:
    from shibumi3d.rules.game import Facts

    from . import Host


LINE_HEIGHT_PX = 46.0


def describe_for_screen_reader(settings: MatchSettings) -> str:
    """Return the settings as screen readers announce them, e.g. ``Clock: none``."""
    pace = _("none") if settings.time_limit is None else describe_time_limit(settings.time_limit)
    return join_sentences(
        [_("Clock: {pace}", pace=pace), *map(capitalize_first, settings.describe_except_clock())]
    )


class MatchSettingsButton(Button):
    """Button that shows the match settings and opens a card for changing them."""

    def __init__(
        self,
        app: Host,
        settings: MatchSettings,
        seats: int,
        facts: Facts,
        on_change: Callable[[MatchSettings], None],
        recommends_swap: bool = False,
    ) -> None:
        super().__init__(
            settings.describe(),
            self._open_card,
            name="terms",
            size=14,
            tip=_("Clocks, turn order, swap rule, handicap"),
        )
        self.app, self.settings, self.on_change = app, settings, on_change
        self.seats, self.facts, self.recommends_swap = seats, facts, recommends_swap

        self.accessible_name = describe_for_screen_reader(settings)

    def _set_settings(self, settings: MatchSettings) -> None:
        self.settings, self.label, self.accessible_name = (
            settings,
            settings.describe(),
            describe_for_screen_reader(settings),
        )
        self.on_change(settings)
        self.refresh()

    def _open_card(self) -> None:
        MatchSettingsCard(self).open()


class MatchSettingsChoice:
    """Match settings that the players have chosen, including any that the selected game doesn't allow.

    :meth:`limited_to` leaves out those that a game doesn't allow.
    """

    def __init__(self) -> None:
        self.chosen_settings = DEFAULT_MATCH_SETTINGS

    def limited_to(self, facts: Facts | None, seats: int) -> MatchSettings:
        """Return the chosen settings, limited to what a game with these facts and this number of seats allows.

        The result is :data:`.DEFAULT_MATCH_SETTINGS` if ``facts`` is None or moves are simultaneous. An invalid
        handicap is dropped.
        """
        if facts is None or facts.has_simultaneous_moves:
            return DEFAULT_MATCH_SETTINGS
        settings = self.chosen_settings
        agreed = MatchSettings(
            settings.time_limit,
            settings.random_seats and seats > 1,
            settings.swap_rule and allows_swap_rule(facts, seats),
        )
        try:
            more = handicap.parse_handicap(settings.handicap, facts)
        except ValueError:
            return agreed
        return replace(agreed, handicap=handicap.format_handicap(more, facts))

    def make_button(
        self, app: Host, facts: Facts | None, seats: int, *, recommends_swap: bool = False
    ) -> MatchSettingsButton | None:
        """Return a button to show and change the settings, or None if ``facts`` is None or no settings are allowed.

        If ``recommends_swap`` is set and the swap rule is allowed, the card that the button opens says that the rule is
        recommended.
        """
        if facts is None or facts.has_simultaneous_moves:
            return None
        settings = self.limited_to(facts, seats)
        return MatchSettingsButton(app, settings, seats, facts, self._set_settings, recommends_swap)

    def _set_settings(self, settings: MatchSettings) -> None:
        self.chosen_settings = settings


def swap_rule_row(is_on: bool, is_recommended: bool, on_change: Callable[[bool], None]) -> tuple[str, Widget]:
    """Return the label and the widget for the swap rule."""
    options = [_("off"), pgettext("swap rule", "on (recommended)") if is_recommended else _("on")]
    return _("Swap rule"), Choice(options, int(is_on), lambda index: on_change(bool(index)), name="swap")


class SettingsCard(Card):
    """Card with a row for each setting, and a button that closes the card."""

    WIDTH_PX = 480.0
    LABEL_WIDTH_PX = 156.0

    def __init__(self, heading: str, app: Host) -> None:
        super().__init__(heading)
        self.app = app
        self.rows: list[tuple[str, Widget]] = []
        self.done_button = Button(_("Done"), app.root.close_popup, kind="main", name="terms done")

    def add_rows(self) -> None:
        """Add the widgets of all rows, followed by the *Done* button."""
        self.add(*(widget for _label, widget in self.rows), self.done_button)

    def open(self, focus: Widget | None = None) -> None:
        """Open the card in the middle of the window, and focus ``focus`` or, by default, the first setting."""
        high = 116 + LINE_HEIGHT_PX * sum(self._line_count(widget) for _label, widget in self.rows)
        self.app.root.open_popup(self, centred_placement(self.WIDTH_PX, high), focus=focus or self.rows[0][1])

    def _line_count(self, widget: Widget) -> int:
        """Return the number of lines that a widget needs: 1, unless the options of a choice don't fit on one line."""
        if not isinstance(widget, Choice):
            return 1
        widget.measure(self.app.canvas)
        return len(widget.wrap_options(self.WIDTH_PX - 48 - self.LABEL_WIDTH_PX - 4))

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        area = rect.inset(24, 16)
        _, area = area.cut_top(46)
        button, area = area.cut_bottom(32)
        self.done_button.layout(button.cut_right(96)[0])
        for _unused, widget in self.rows:
            line, area = area.cut_top(LINE_HEIGHT_PX * self._line_count(widget) - 10, 10)
            widget.layout(line.cut_left(self.LABEL_WIDTH_PX + 4)[1])

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        for label, widget in self.rows:
            place = Rect(self.rect.x + 24, widget.rect.y, self.LABEL_WIDTH_PX, widget.rect.h)
            canvas.text_fit(
                place,
                label,
                style.secondary_ink,
                "sans",
                BODY_TEXT_PX - 1 if len(label) < 16 else SMALL_TEXT_PX,
            )


class MatchSettingsCard(SettingsCard):
    """Card for changing the match settings that the game allows."""

    def __init__(self, button: MatchSettingsButton) -> None:
        super().__init__(_("Game settings"), button.app)
        self.button = button
        time_limits = [TimeLimit.parse(text) for text in TIME_LIMITS]
        chosen = (
            time_limits.index(button.settings.time_limit) if button.settings.time_limit in time_limits else 0
        )

        def set_time_limit(index: int) -> None:
            button._set_settings(replace(button.settings, time_limit=time_limits[index]))

        clock_dropdown = Dropdown(
            [describe_time_limit(time_limit) for time_limit in time_limits],
            chosen,
            set_time_limit,
            name="clock",
        )
        self.rows.append((_("Time per player"), clock_dropdown))
        if button.seats > 1:
            option_texts = [_("as listed"), _("random")]
            self.rows.append(
                (
                    _("Turn order"),
                    Choice(
                        option_texts, int(button.settings.random_seats), self._set_random_seats, name="lot"
                    ),
                )
            )
        if allows_swap_rule(button.facts, button.seats):
            self.rows.append(
                swap_rule_row(button.settings.swap_rule, button.recommends_swap, self._set_swap_rule)
            )
        self.extra_marbles = handicap.parse_handicap(button.settings.handicap, button.facts)
        """Handicap: for each seat, the number of extra marbles of each colour."""
        stock = handicap.handicap_stock(button.facts)
        for seat, standard_counts in enumerate(stock.initial_contents if stock is not None else ()):
            self.rows.append(
                (_("Player {n} starts with", seat + 1), self._handicap_field(seat, standard_counts))
            )
        self.add_rows()

    def _set_random_seats(self, index: int) -> None:
        self.button._set_settings(replace(self.button.settings, random_seats=bool(index)))

    def _set_swap_rule(self, is_on: bool) -> None:
        self.button._set_settings(replace(self.button.settings, swap_rule=is_on))

    def _handicap_field(self, seat: int, standard_counts: Sequence[int]) -> ColourCounts:
        """Return the field for entering how many marbles of each colour a seat starts with."""
        colours = handicap.colours_in(standard_counts)

        def with_(counts: Sequence[int]) -> handicap.Handicap:
            more = tuple([n - standard_counts[colour] for colour, n in zip(colours, counts, strict=True)])
            return (*self.extra_marbles[:seat], more, *self.extra_marbles[seat + 1 :])

        def allowed(counts: Sequence[int]) -> bool:
            try:
                handicap.make_deal(with_(counts), self.button.facts)
            except ValueError:
                return False
            return True

        def take(counts: tuple[int, ...]) -> None:
            self.extra_marbles = with_(counts)
            text = handicap.format_handicap(self.extra_marbles, self.button.facts)
            self.button._set_settings(replace(self.button.settings, handicap=text))

        starting_counts = tuple(
            [standard_counts[colour] + n for colour, n in zip(colours, self.extra_marbles[seat], strict=True)]
        )
        return ColourCounts(
            starting_counts, take, name=f"begins {seat + 1}", min_total=0, colours=colours, is_allowed=allowed
        )
