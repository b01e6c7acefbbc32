"""The game designer page, and the card for sharing a game as a line of text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.catalogue.sharing import decode_game, encode_game, to_game_file
from shibumi3d.i18n import _, localize
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import CORNER_RADIUS_PX, HEADING_PX, SMALL_TEXT_PX, Style

from ...host import shortcuts
from ...host.page import Page
from ...host.player_setup import displayed_player_count
from ...host.share_card import ShareCard
from ...match.game_preview import GamePreview
from ...ui.button import Button, layout_row, shrink_to_fit
from ...ui.canvas import Canvas
from ...ui.choice import Tabs
from ...ui.label import Label
from ...ui.widget import Key
from .draft import GameDraft, title_in_text
from .job_panels import JobPanel, PlaytestPanel, TrainingPanel
from .mechanisms import MechanismsForm
from .text_checker import CheckResult

if TYPE_CHECKING:
    from ...host import Host


_EXTENDS_PATTERN = re.compile(r"^extends:\s*['\"]?([a-z0-9-]+)", re.MULTILINE)


class ShareGameCard(ShareCard):
    """Card that copies the current game to the clipboard as a line of text, or imports a game from such a line."""

    def __init__(self, app: Host, draft: GameDraft) -> None:
        super().__init__(
            app,
            _("Share"),
            _(
                "Copy your game as a single line of text, or import a line that you were sent. An imported game opens "
                "in the editor; save it to keep it."
            ),
            copy_label=_("Copy line"),
            on_copy=self._copy,
            paste_label=_("Import from clipboard"),
            on_paste=self._import,
        )
        self.draft = draft

    def _copy(self) -> None:
        app, draft = self.app, self.draft
        below = _EXTENDS_PATTERN.search(draft.text)
        if below is None or below[1] not in {entry.id for entry in app.catalogue if entry.own}:
            app.root.copy_text(encode_game(draft.text))
            self.show_note(_("Line copied. Paste it into any message."))
            return

        def whole(entry: Entry) -> None:
            app.root.copy_text(encode_game(to_game_file(entry)))
            self.show_note(
                _("Copied, together with your game {game}, which this one builds on.", game=below[1])
            )

        # The recipient doesn't have the game that this one extends, so include what it uses from that game.
        draft.run_when_valid(whole)

    def _import(self) -> None:
        line = self.app.root.paste_text()
        if not line.strip():
            return  # the user has already been told that the clipboard is empty
        try:
            text = decode_game(line)
        except CatalogueError as problem:
            self.show_note(_("{text}.", text=capitalize_first(localize(problem))), is_error=True)
            return
        self.app.root.close_popup()
        self.draft.import_text(text)


def show_share_card(app: Host, draft: GameDraft) -> None:
    """Open the card for sharing the game in ``draft``."""
    ShareGameCard(app, draft).open()


if TYPE_CHECKING:
    from ...host import Host

    PlayDraftFunction = Callable[[Host, Entry, GameDraft, Callable[[], None]], None]
    """Function that plays a match of a drafted game; its last argument is a function that returns to the draft."""

TEXT_TAB, MECHANISMS_TAB, BOARD_TAB = range(3)
"""Indices of the tabs."""
MIN_TWO_COLUMN_WIDTH_PX = 900
"""Minimum page width at which the board is beside the text rather than on a tab of its own."""
MIN_BOARD_HEIGHT_PX = 110.0
"""Minimum height of the board when it is above a panel of results, unless :data:`MAX_RESULTS_FRACTION` leaves less."""
MAX_RESULTS_FRACTION = 0.75
"""Fraction of the space that a panel of results may take even if it leaves less than :data:`MIN_BOARD_HEIGHT_PX`."""
MIN_WIDTH_WITH_TITLE_PX = 700
"""Minimum page width at which the title is shown; on a narrower page, the buttons need its space."""


class DraftBoard(GamePreview):
    """Board that shows a sample position of the game being edited."""

    def show_check(self, result: CheckResult) -> None:
        """Show the sample position in ``result``, if a game could be read from the text."""
        entry = result.entry
        if entry is not None:
            self._requested_game = (entry, entry.size, "", displayed_player_count(entry))
            self._show_state(result.state)


class GameDesignerPage(Page):
    """The game editor.

    The text of the game is checked in a worker process. While it has errors, the board shows the last valid version.
    """

    page_name = "design"
    takes_typed_letters = True
    shortcuts = shortcuts.GAME_DESIGNER_SHORTCUTS

    def __init__(self, app: Host, play_draft: PlayDraftFunction, draft: GameDraft | None = None) -> None:
        super().__init__(app)
        self.play_draft = play_draft
        self.draft = draft or GameDraft(app)
        self.editor = self.draft.editor
        self._game_title = ""
        """Title of the game, taken from the text."""
        self._last_job_text = ""
        """Text of the game that was last playtested or trained on."""
        self._shown_check: CheckResult | None = None
        """Result whose sample position the board shows, or None."""
        self.view: DraftBoard = DraftBoard(app)
        self.back_button = Button(_("Games"), app.pages.show_home, icon="back", kind="quiet", name="back")
        self.playtest_panel = PlaytestPanel(
            app,
            Button(
                _("Playtest"),
                self.toggle_playtest,
                icon="analysis",
                tip=_("Let the computer play 500 games  F6"),
                name="judge",
            ),
        )
        self.training_panel = TrainingPanel(
            app,
            Button(
                _("Train"),
                self.toggle_training,
                icon="book",
                tip=_("Train the computer on this game for a few minutes; Sky may get stronger  Ctrl+L"),
                name="learn",
            ),
        )
        self.header_buttons = self._make_buttons()
        self.tab = TEXT_TAB
        self.mechanisms = MechanismsForm(app, self.editor, lambda: self._select_tab(TEXT_TAB))
        names = [_("Text"), _("Mechanisms"), _("Board")]
        self.tabs = Tabs(names, TEXT_TAB, self._select_tab, name="design tabs")
        self.status_label = Label("", "sans", SMALL_TEXT_PX, "secondary_ink", name="status")
        self.add(
            self.view,
            self.editor,
            self.mechanisms,
            self.tabs,
            self.back_button,
            *self.header_buttons,
            self.status_label,
            self.playtest_panel,
            self.training_panel,
        )
        self.status_label.set_caption(*self.draft.status())

    def _make_buttons(self) -> list[Button]:
        return [
            Button(
                _("New"), self.start_new, icon="plus", tip=_("Start from scratch  Ctrl+N"), name="new game"
            ),
            Button(
                _("Save"),
                self.draft.save,
                icon="save",
                tip=_("Save to My games  Ctrl+S"),
                name="save game",
            ),
            Button(
                _("Share"),
                lambda: show_share_card(self.app, self.draft),
                icon="export",
                tip=_("Share as one line of text, or import one  Ctrl+E"),
                name="share",
            ),
            self.playtest_panel.button,
            self.training_panel.button,
            Button(
                _("Play"),
                self.play_draft_game,
                icon="play",
                kind="main",
                tip=_("Play it  F5"),
                name="try",
            ),
        ]

    def _on_draft_change(self) -> None:
        draft = self.draft
        self._game_title = title_in_text(draft.text)
        for panel in (self.playtest_panel, self.training_panel):
            panel.is_outdated = self._last_job_text != draft.text
        if draft.last_valid is not None and draft.last_valid is not self._shown_check:
            self._shown_check = draft.last_valid
            self.view.show_check(draft.last_valid)
        self.status_label.set_caption(*draft.status())
        self.mechanisms.entry_list.update()
        self.refresh()

    # Actions

    def start_new(self) -> None:
        """Start a new game from a short template, and show its text.

        Undo restores the previous text.
        """
        self.draft.start_new(
            _(
                "title: My game\nplayers: 2\nturn:\n  - place: own\nend:\n  - when: stuck\n    lose: mover\n"
            ).split("\n")
        )
        self._select_tab(TEXT_TAB)

    def toggle_playtest(self) -> None:
        """Start playtesting the game, or stop the playtest if it is running."""
        if self.playtest_panel.is_running:
            self.playtest_panel.stop()
        else:
            self.draft.run_when_valid(self._start_playtest)

    def toggle_training(self) -> None:
        """Start training the computer players of the game, or stop the training if it is running.

        Starting again resumes a training run that was stopped.
        """
        if self.training_panel.is_running:
            self.training_panel.stop()
        else:
            self.draft.run_when_valid(self._start_training)

    def _start_playtest(self, entry: Entry) -> None:
        self._show_panel(self.playtest_panel)
        self.playtest_panel.start(entry)

    def _start_training(self, entry: Entry) -> None:
        self._show_panel(self.training_panel)
        self.training_panel.start(entry)

    def _show_panel(self, panel: JobPanel) -> None:
        """Prepare the page for a job of ``panel``.

        Hide the other panel and end its job, show the board, and remember the current text.
        """
        for other_panel in (self.playtest_panel, self.training_panel):
            if other_panel is not panel:
                other_panel.close()
                other_panel.visible = False
        if not self.view.visible:
            self.tab = BOARD_TAB
        self._last_job_text = self.draft.text

    def play_draft_game(self) -> None:
        """Save the draft, then play the game on another page if its text is valid.

        The match isn't saved.
        """
        self.draft.autosave()
        self.draft.run_when_valid(lambda entry: self.play_draft(self.app, entry, self.draft, self._reopen))

    def _reopen(self) -> None:
        self.app.show_page(GameDesignerPage(self.app, self.play_draft, self.draft))

    # Page

    def on_show(self) -> None:
        if self.root is not None:
            self.root.focus = self.editor
        self.draft.on_change = self._on_draft_change
        self._on_draft_change()
        self.draft.check_now()

    def on_leave(self) -> None:
        self.draft.close()
        self.playtest_panel.close()
        self.training_panel.close()

    def animate(self, now: float) -> bool:
        return self.view.animate(now)

    def heading(self) -> str:
        return self._game_title or _("Untitled")

    def rebuild(self) -> GameDesignerPage:
        page = GameDesignerPage(self.app, self.play_draft, self.draft)
        page.tab = page.tabs.selected_index = self.tab
        return page

    def _select_tab(self, index: int) -> None:
        self.tab = index
        self.layout(self.rect)
        if self.root is not None:
            self.root.focus = self.editor if index == TEXT_TAB else None
        self.refresh()

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        top, rest = rect.cut_top(56)
        self.back_button.is_icon_only = rect.w < MIN_WIDTH_WITH_TITLE_PX
        self.back_button.layout(Rect(top.x + 12, top.cy - 16, self.back_button.preferred_width(canvas), 32))
        room = rect.w - self.back_button.rect.right - 28 - (180 if rect.w >= MIN_WIDTH_WITH_TITLE_PX else 0)
        shrink_to_fit(self.header_buttons, canvas, room)
        layout_row(
            Rect(self.back_button.rect.right + 8, top.y, rect.w - self.back_button.rect.right - 20, 56),
            self.header_buttons,
            canvas,
            align=1,
        )
        rest = rest.inset(14, 10)
        narrow = rect.w < MIN_TWO_COLUMN_WIDTH_PX
        names = [_("Text"), _("Mechanisms"), _("Board")]
        self.tabs.options = tuple(names if narrow else names[:BOARD_TAB])
        tab = self.tab if narrow or self.tab != BOARD_TAB else TEXT_TAB
        self.tabs.selected_index = tab
        status, rest = rest.cut_bottom(24, 6)
        self.status_label.layout(status)
        editor_rect, board = (rest, rest) if narrow else rest.cut_left(rest.w * 0.54, 14)
        tabs, left = (rest if narrow else editor_rect).cut_top(34, 6)
        self.tabs.layout(tabs)
        editor_rect, board = left, left if narrow else board
        self.editor.visible = tab == TEXT_TAB
        self.mechanisms.visible = tab == MECHANISMS_TAB
        self.mechanisms.layout(left)
        shows_board = self.view.visible = not narrow or tab == BOARD_TAB
        self.editor.layout(editor_rect)
        for panel in (self.playtest_panel, self.training_panel):
            if panel.visible:
                high = panel.preferred_height(canvas, board.w)
                if high > max(board.h * MAX_RESULTS_FRACTION, board.h - MIN_BOARD_HEIGHT_PX):
                    self.view.visible = False  # the results need all of its space
                    high = board.h
                verdict, board = board.cut_bottom(high, 8)
                panel.layout(verdict if shows_board else Rect())
        self.view.layout(board)

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.hairline(self.rect.x, 55, self.rect.w, style.hairline)
        if self.view.visible:
            canvas.outline(self.view.rect, style.hairline, CORNER_RADIUS_PX)
        if self.rect.w >= MIN_WIDTH_WITH_TITLE_PX:
            left = self.back_button.rect.right + 14
            first = next((button for button in self.header_buttons if button.visible), self.header_buttons[0])
            place = Rect(left, 0, max(0.0, first.rect.x - left - 12), 56)
            canvas.text_in(place, self._game_title or _("Untitled"), style.ink, "title", HEADING_PX - 2)

    def on_text(self, text: str) -> bool:
        if self.root is None or not self.editor.visible:
            return False
        self.root.focus = self.editor
        return self.editor.on_text(text)

    def on_key(self, key: Key) -> bool:
        actions = {
            "ctrl+s": self.draft.save,
            "ctrl+n": self.start_new,
            "f2": lambda: self._select_tab((self.tabs.selected_index + 1) % len(self.tabs.options)),
            "ctrl+z": lambda: self.editor.undo(),
            "ctrl+y": lambda: self.editor.undo(redo=True),
            "f5": self.play_draft_game,
            "f6": self.toggle_playtest,
            "ctrl+l": self.toggle_training,
            "ctrl+e": lambda: show_share_card(self.app, self.draft),
            "ctrl+enter": self.play_draft_game,
            "escape": self.app.pages.show_home,
        }
        action = actions.get(key.chord)
        if action is None:
            return self._pass_to_editor(key)
        action()
        return True

    def _pass_to_editor(self, key: Key) -> bool:
        """Pass a key to the editor; return whether the editor handled it.

        A key that was handled gives the editor the focus. Tab and keys that type a single character aren't passed.
        While the editor is hidden, no key is passed.
        """
        if self.root is None or not self.editor.visible or key.name == "tab" or len(key.chord) == 1:
            return False
        before, self.root.focus = self.root.focus, self.editor
        if self.editor.on_key(key):
            return True
        self.root.focus = before
        return False

    def trace_values(self) -> Mapping[str, object]:
        draft = self.draft
        return {
            "text": draft.text,
            "status": self.status_label.caption,
            "read": draft.is_checked and not draft.is_checking,
            "mistakes": [str(remark.line + 1) + " " + remark.text for remark in self.editor.diagnostics],
            "good": draft.is_checked and draft.last_check is not None and draft.last_check.is_valid,
            "file": draft.file_name,
            "entries": self.mechanisms.item_positions() if self.mechanisms.visible else {},
            "judged": self.playtest_panel.result.games if self.playtest_panel.result is not None else 0,
            "judging": self.playtest_panel.is_running,
            "learning": self.training_panel.is_running,
            "learned": self.training_panel.result_text,
        }
