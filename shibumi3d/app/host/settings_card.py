"""The settings dialog, and buttons that switch the theme and the sound on any page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shibumi3d.i18n import LANGUAGES, N_, P_, _, language, pgettext
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import HEADING_PX, MIN_CLICKABLE_PX, SMALL_TEXT_PX, Style

from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.choice import Choice, Tabs
from ..ui.panel import Card, Panel, centred_placement
from ..ui.widget import POPUP_MARGIN_PX, Widget
from . import Host
from .settings import BEST_RUNS, BOARDS, MARBLES, MARKS, MOTIONS, SIGNS, THEMES, VOLUMES, Settings


def toggle_theme(app: Host) -> None:
    """Switch between the day and night themes."""
    app.change_settings(theme="night" if app.settings.theme == "day" else "day")


def toggle_sound(app: Host) -> None:
    """Mute or unmute all sounds.

    After unmuting, one sound is played if interface sounds are on.
    """
    app.change_settings(muted=not app.settings.muted)
    if app.settings.muted:
        app.sounds.mute()
    else:
        app.sounds.play_rejected()


SOUNDS_TEXTS = {
    "marble_sounds": N_("marbles and pieces"),
    "interface_sounds": N_("interface"),
    "end_sound": N_("end of game"),
}
CHOICE_VOLUME_TEXTS = {
    "soft": N_("very quiet"),
    "gentle": N_("quiet"),
    "clear": N_("medium"),
    "loud": N_("loud"),
}
CHOICE_TEXTS = {
    "theme.day": N_("day"),
    "theme.night": N_("night"),
    "contrast.off": N_("normal"),
    "contrast.on": N_("high"),
    "drift.off": N_("fixed"),
    "drift.on": N_("changes with each move"),
    "marbles.standard": N_("standard"),
    "marbles.clear": N_("easy to tell apart"),
    "board.usual": N_("default"),
    "board.keyaki": N_("keyaki"),
    "board.slate": N_("slate"),
    "board.tatami": N_("tatami"),
    "board.kuro": N_("kuro"),
    "signs.usual": N_("to suit the marbles"),
    "signs.subtle": N_("subtle"),
    "signs.strong": P_("choice", "bold"),
    "marks.always": N_("always"),
    "marks.hover": N_("on hover"),
    "marks.off": N_("off"),
    "motion.off": N_("off"),
    "motion.fast": N_("fast"),
    "motion.normal": P_("motion", "normal"),
    "motion.slow": N_("slow"),
    "coordinates.off": P_("choice", "hidden"),
    "coordinates.on": N_("along the edges"),
    "stills.off": N_("off"),
    "stills.on": N_("on"),
    "reduced.off": N_("off"),
    "reduced.on": N_("on"),
    "attract.off": N_("off"),
    "attract.on": N_("on"),
    "learning.off": P_("page", "hidden"),
    "learning.on": N_("listed on the home page"),
    "confirm.off": N_("automatic"),
    "confirm.on": N_("always confirm"),
    "answers.off": N_("let me play it"),
    "answers.on": N_("play automatically"),
    "carry.off": N_("rotates the board"),
    "carry.on": N_("moves the marble"),
    "best_run.off": N_("off"),
    "best_run.time": N_("result"),
    "best_run.moves": N_("result and next move"),
    "verdicts.off": N_("off"),
    "verdicts.on": N_("in solo and cooperative games"),
    "results.off": N_("don't save"),
    "results.on": N_("save"),
    "spoken.off": N_("off"),
    "spoken.on": N_("on"),
    "reasons.off": N_("off"),
    "reasons.on": N_("on"),
    "calm.off": N_("off"),
    "calm.on": N_("on"),
    "single.off": N_("off"),
    "single.on": N_("on"),
}
SET_TEXTS = {
    "look": N_("Appearance"),
    "play": N_("Gameplay"),
    "sound": N_("Sound"),
    "spoken": N_("Announce events in the window title"),
    "reasons": N_("Explain computer moves"),
    "theme": N_("Theme"),
    "contrast": N_("Contrast"),
    "drift": N_("Lighting"),
    "marbles": N_("Marbles"),
    "board": N_("Board"),
    "signs": N_("Symbols on marbles"),
    "marks": N_("Show legal moves"),
    "coordinates": N_("Coordinates"),
    "motion": N_("Animation"),
    "stills": N_("Better graphics while nothing moves"),
    "reduced": N_("Reduce motion"),
    "attract": N_("Demo when idle"),
    "learning": N_("“Learn” page"),
    "answers": N_("Single legal move"),
    "confirm": N_("End of turn"),
    "carry": N_("Dragging a marble"),
    "verdicts": N_("Warn when the game can't be won"),
    "results": N_("Results"),
    "best_run": N_("Show best run in solo deals"),
    "calm": N_("Ignore double clicks"),
    "single": N_("Single-key shortcuts"),
}


SOUND_SETTINGS = ("marble_sounds", "interface_sounds", "end_sound")
RESETTABLE_SETTINGS = (
    ("theme", "contrast", "drift", "scale"),
    ("marbles", "board", "signs", "marks", "coordinates", "best_run"),
    ("motion", "stills", "reduced", "attract", "learning"),
    ("answers", "confirm", "carry", "calm", "verdicts", "single", "results", "reasons"),
    ("volume", "muted", *SOUND_SETTINGS, "spoken"),
)
"""Settings that *Reset this tab* resets, by tab. The language is never reset."""
TEXT_SIZES_PERCENT = (0, 75, 100, 125, 150, 175, 200, 250, 300)


class SoundButton(Button):
    """Button that mutes and unmutes all sounds; its icon shows the current state."""

    def __init__(self, app: Host) -> None:
        tip = _("Turn sound on or off  M")
        super().__init__("", lambda: toggle_sound(app), icon="sound", kind="quiet", tip=tip, name="sound")
        self.app, self.accessible_name = app, _("Sound  M")

    def paint(self, canvas: Canvas, style: Style) -> None:
        self.icon = "muted" if self.app.settings.muted else "sound"
        super().paint(canvas, style)

    def toggle_state(self) -> bool:
        return not self.app.settings.muted


class ThemeButton(Button):
    """Button that switches between the day and night themes."""

    def __init__(self, app: Host) -> None:
        super().__init__(
            "",
            lambda: toggle_theme(app),
            icon="theme",
            kind="quiet",
            tip=_("Switch between day and night"),
            name="theme",
        )
        self.app, self.accessible_name = app, _("Night theme")

    def toggle_state(self) -> bool:
        return self.app.settings.theme == "night"


class ToggleGrid(Widget):
    """Grid of toggle buttons for the sound settings, with as many columns as fit."""

    ROW_HEIGHT_PX = 38.0

    def __init__(self, app: Host, names: Sequence[str]) -> None:
        super().__init__()
        self.app = app
        self.buttons = [self._make_button(name) for name in names]
        self.add(*self.buttons)

    def _make_button(self, name: str) -> Button:
        def change() -> None:
            button.is_on = not button.is_on
            self.app.change_settings(**{name: button.is_on})

        button = Button(_(SOUNDS_TEXTS[name]), change, name=name.replace("_", " "), size=14)
        button.is_on = getattr(self.app.settings, name)
        return button

    def column_count(self, width: float) -> int:
        """Return the number of columns of buttons that fit into ``width``.

        The result is at least 1 and at most the number of buttons.
        """
        self.app.canvas.scale = self.app.scale
        button_width = max(button.preferred_width(self.app.canvas) for button in self.buttons)
        return max(1, min(len(self.buttons), int((width + 6) / (button_width + 6))))

    def extra_height(self, width: float) -> float:
        """Return the height, in logical pixels, of all rows but the first in a grid of the given ``width``."""
        return self.ROW_HEIGHT_PX * ((len(self.buttons) - 1) // self.column_count(width))

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        columns = self.column_count(rect.w)
        wide, high = (rect.w + 6) / columns, self.ROW_HEIGHT_PX
        for index, button in enumerate(self.buttons):
            down, across = divmod(index, columns)
            button.layout(Rect(rect.x + across * wide, rect.y + down * high, wide - 6, min(rect.h, 32)))


class SettingsCard(Card):
    """Card for changing the settings, with five tabs: look, board, motion, play and sound.

    The card avoids covering a board, so that changes to the board's look can be seen. It goes beside the page if there
    is room. Otherwise, it covers everything except the board, or floats in the middle if the page has no board or the
    window is small.
    """

    SIZE_PX = (420, 506)
    MIN_NORMAL_HEIGHT_PX = 420.0
    """Minimum window height for the normal layout.

    In a shorter window, tabs whose settings don't change the look of the board use two columns if there is room. Tabs
    with too many rows for one column do so at any height.
    """
    MAX_DOCKED_WIDTH_PX = 372.0
    """Maximum width of the card when it is beside the page or the board."""
    MIN_PAGE_WIDTH_PX = 640.0
    """Minimum width that must be left for the page beside the card."""
    MIN_COLUMN_WIDTH_PX = 288.0
    """Width of the column in the narrowest card that goes beside a board."""
    WRAPPED_LINE_HEIGHT_PX = 26.0
    """Height of each additional line of a choice whose options don't fit on one line."""
    ROW_DISTANCE_RANGE_PX = (52.0, 62.0)
    """Minimum distance between rows in a card with a heading, and maximum distance in any card."""
    MIN_LEGIBLE_DISTANCE_PX = 48.0
    """Minimum distance at which rows don't cover each other's labels."""
    TABS = ("look", "board", "motion", "play", "sound")
    PREVIEWED_TABS = 3
    """Number of tabs at the start of :attr:`TABS` whose settings change what the board looks like."""

    dims_page = False  # so that changes to the look can be judged

    def __init__(self, app: Host, tab: int = 0) -> None:
        super().__init__(_("Settings"))
        self.app = app
        settings = app.settings
        nearest = min(
            range(len(TEXT_SIZES_PERCENT)), key=lambda i: abs(TEXT_SIZES_PERCENT[i] - settings.scale)
        )

        def word(name: str, options: tuple[str, ...]) -> Callable[[int], None]:
            return lambda index: app.change_settings(**{name: options[index]})

        def switch(setting: str) -> tuple[str, Widget]:
            def change(index: int) -> None:
                app.change_settings(**{setting: bool(index)})

            option_texts = [_(CHOICE_TEXTS[f"{setting}.{state}"]) for state in ("off", "on")]
            return _(SET_TEXTS[setting]), Choice(
                option_texts, int(getattr(settings, setting)), change, name=setting
            )

        def choice(setting: str, options: tuple[str, ...], name: str) -> tuple[str, Widget]:
            option_texts = [_(CHOICE_TEXTS[f"{setting}.{option}"]) for option in options]
            chosen = options.index(getattr(settings, setting))
            return _(SET_TEXTS[setting]), Choice(option_texts, chosen, word(setting, options), name=name)

        size_texts = [f"{size}" if size else pgettext("text size", "auto") for size in TEXT_SIZES_PERCENT]
        sizes = Choice(size_texts, nearest, self._set_scale, name="text size")
        sizes.option_padding_px = 2.0  # so that all sizes fit on one line in the narrowest card
        languages = Choice(
            list(LANGUAGES.values()),
            list(LANGUAGES).index(language()),
            self._set_language,
            name="language",
        )
        volumes = [_(CHOICE_VOLUME_TEXTS[volume]) for volume in VOLUMES]
        volume = Choice(volumes, VOLUMES.index(settings.volume), self._set_volume, name="volume")
        pages: tuple[list[tuple[str, Widget]], ...] = (
            [
                choice("theme", THEMES, "light"),
                switch("contrast"),
                switch("drift"),
                (_("Language"), languages),
                (_("Text size"), sizes),
            ],
            [
                choice("marbles", MARBLES, "marbles"),
                choice("board", BOARDS, "board"),
                choice("signs", SIGNS, "signs on marbles"),
                choice("marks", MARKS, "legal points"),
                switch("coordinates"),
                choice("best_run", BEST_RUNS, "best run"),
            ],
            [
                choice("motion", MOTIONS, "motion"),
                switch("stills"),
                switch("reduced"),
                switch("attract"),
                switch("learning"),
            ],
            [
                switch("answers"),
                switch("confirm"),
                switch("carry"),
                switch("calm"),
                switch("verdicts"),
                switch("single"),
                switch("results"),
                switch("reasons"),
            ],
            [
                (_("Volume"), volume),
                (_("Sounds"), ToggleGrid(app, SOUND_SETTINGS)),
                switch("spoken"),
                (
                    _("Screen reader"),
                    Button(
                        _("Screen reader help"), self._show_screen_reader_help, name="playing without sight"
                    ),
                ),
            ],
        )
        self.tab, self.rows = tab, pages[tab]
        self.tabs = Tabs(
            [_(SET_TEXTS[name]) for name in self.TABS],
            tab,
            lambda number: show_settings(app, number),
            name="pages of settings",
        )
        self.add(self.tabs)
        self.restore_button = Button(
            _("Reset this tab"),
            self._restore_defaults,
            kind="quiet",
            tip=_("Restore the defaults for all settings on this tab")
            if tab != self.TABS.index("look")
            else _("Restore the defaults for all settings on this tab except the language"),
            name="usual settings",
        )
        self.add(self.restore_button)
        self.done_button = Button(_("Done"), app.root.close_popup, kind="main", name="settings done")
        self.add(*(widget for _, widget in self.rows), self.done_button)

    def _show_screen_reader_help(self) -> None:
        self.app.root.close_popup()
        self.app.pages.show_screen_reader_help()

    def docked_width(self, window: Rect) -> float:
        return (
            self.MAX_DOCKED_WIDTH_PX
            if window.w - self.MAX_DOCKED_WIDTH_PX >= self.MIN_PAGE_WIDTH_PX
            and window.h >= self.MIN_NORMAL_HEIGHT_PX
            and self._fits_one_column(window.h)
            else 0.0
        )

    def place(self, window: Rect) -> Rect:
        """Return the card's rectangle: beside the page, beside the board, or in the middle of the window.

        If it is beside the board, the rest of the page is covered, and ``board_area`` is set to the area for the board.
        """
        wide = self.docked_width(window)
        needs_no_board = window.h < self.MIN_NORMAL_HEIGHT_PX and self.tab >= self.PREVIEWED_TABS
        curtain = self.root is not None and any(w.covers_page for w in self.root.popups if w is not self)
        self.covers_page, self.board_area = False, None
        alone = (
            curtain
            or needs_no_board
            or not self._fits_one_column(window.h)
            or window.w < self.MIN_PAGE_WIDTH_PX
            or self.app.current_page.view is None
        )
        if not wide and alone:
            fits_one_column = not needs_no_board and self._fits_one_column(window.h - 2 * POPUP_MARGIN_PX)
            width = self.SIZE_PX[0] if fits_one_column else 2 * self.SIZE_PX[0]
            return centred_placement(width, self.SIZE_PX[1])(window)
        card, rest = window.cut_right(wide or min(self.MAX_DOCKED_WIDTH_PX, window.w / 2))
        if not wide:
            self.covers_page, self.board_area = True, rest
        return card

    def _restore_defaults(self) -> None:
        defaults = Settings()
        self._change_and_reopen(**{name: getattr(defaults, name) for name in RESETTABLE_SETTINGS[self.tab]})

    def _set_language(self, index: int) -> None:
        self._change_and_reopen(language=list(LANGUAGES)[index])

    def _change_and_reopen(self, **changes: Any) -> None:
        """Change settings that affect the card itself, and reopen it with the same widget focused."""
        app, focus = self.app, self.app.root.focus
        app.change_settings(**changes)
        show_settings(app, self.tab)
        app.root.focus = app.root.find(focus.name) if focus is not None else None

    def _set_scale(self, index: int) -> None:
        self.app.change_settings(scale=TEXT_SIZES_PERCENT[index])

    def _set_volume(self, index: int) -> None:
        self.app.change_settings(volume=VOLUMES[index], muted=False)
        self.app.sounds.play_rejected()

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        area = rect.inset(24 if rect.w > 340 else 16, self._vertical_margin(rect.h))
        button, area = area.cut_bottom(32, 4)
        done_rect, button = button.cut_right(96, 8)
        self.done_button.layout(done_rect)
        self.app.canvas.scale = self.app.scale
        wide = min(self.restore_button.preferred_width(self.app.canvas), button.w + 10)
        self.restore_button.layout(Rect(button.x - 10, button.y, wide, button.h))
        self._has_heading = area.h - 44 - 40 >= self.ROW_DISTANCE_RANGE_PX[0] * max(
            len(rows) for _, rows in self._columns(area)
        )
        self.is_floating = not (
            self.covers_page or self.docked_width(Rect(0, 0, *self.root.size if self.root else (0, 0)))
        )
        if self._has_heading:
            _, area = area.cut_top(44)
        tabs, area = area.cut_top(self._tabs_height(area.w), 4)
        self.tabs.layout(tabs)
        for column in self._columns(area):
            self._layout_column(*column)

    def _tabs_height(self, width: float) -> float:
        self.app.canvas.scale = self.app.scale
        self.tabs.measure(self.app.canvas)
        return max(36, MIN_CLICKABLE_PX * len(self.tabs.wrap_options(width)))

    def _vertical_margin(self, height: float) -> float:
        return 16.0 if height >= self.MIN_NORMAL_HEIGHT_PX else 8.0

    def _fits_one_column(self, height: float) -> bool:
        """Return whether the rows fit in one column if the card has this height and no heading."""
        tabs_height, buttons_height = self._tabs_height(self.MIN_COLUMN_WIDTH_PX) + 4, 32 + 4
        other_height = 2 * self._vertical_margin(height) + tabs_height + buttons_height
        extra = sum(self._extra_height(widget, self.MIN_COLUMN_WIDTH_PX) for _, widget in self.rows)
        return height - other_height - extra >= self.MIN_LEGIBLE_DISTANCE_PX * len(self.rows)

    def _extra_height(self, widget: Widget, width: float) -> float:
        """Return the height of all lines of ``widget`` except the first, in logical pixels.

        ``width`` is the width available to the widget. The result is 0 for a widget that always has a single line.
        """
        if isinstance(widget, Choice):
            self.app.canvas.scale = self.app.scale
            widget.measure(self.app.canvas)
            return self.WRAPPED_LINE_HEIGHT_PX * (len(widget.wrap_options(width)) - 1)
        return widget.extra_height(width) if isinstance(widget, ToggleGrid) else 0.0

    def _columns(self, area: Rect) -> list[tuple[Rect, list[Widget]]]:
        """Return the area and the widgets of each column; there are two columns if the card is wide, otherwise one."""
        rows = [widget for _, widget in self.rows]
        if area.w < 2 * self.SIZE_PX[0] / 1.5:
            return [(area, rows)]
        left, right = area.cut_left((area.w - 24) / 2, 24)
        half = -(-len(rows) // 2)
        return [(left, rows[:half]), (right, rows[half:])]

    def _layout_column(self, area: Rect, rows: Sequence[Widget]) -> None:
        more = [self._extra_height(widget, area.w) for widget in rows]
        step = min(self.ROW_DISTANCE_RANGE_PX[1], (area.h - sum(more)) / max(1, len(rows)))
        gap = min(8, max(4, step - 50))  # if rows are close, the first label still stays clear of the tabs
        for widget, higher in zip(rows, more, strict=True):
            line, area = area.cut_top(step - gap, gap + higher)
            place = line.cut_top(line.h - 32)[1]
            widget.layout(Rect(place.x, place.y, place.w, place.h + higher * isinstance(widget, Choice)))

    _has_heading = True
    """Whether there is room for the heading."""

    def paint(self, canvas: Canvas, style: Style) -> None:
        Panel.paint(self, canvas, style)
        if self._has_heading:
            place = Rect(self.tabs.rect.x, self.rect.y + 16, self.tabs.rect.w, 36)
            canvas.text_in(place, self.heading, style.ink, "title", HEADING_PX)
        if not self.is_floating:
            canvas.hairline(self.rect.x, self.rect.y, self.rect.h, style.hairline, vertical=True)
        for label, widget in self.rows:
            place = Rect(widget.rect.x, widget.rect.y - 20, widget.rect.w, 18)
            canvas.text_in(place, label, style.secondary_ink, "sans", SMALL_TEXT_PX)


def show_settings(app: Host, tab: int = 0) -> None:
    """Open the settings card at the tab with index ``tab``, closing the card first if it is already open."""
    if isinstance(app.root.top, SettingsCard):
        app.root.close_popup()
    card = SettingsCard(app, tab)
    app.root.open_popup(card, card.place)
