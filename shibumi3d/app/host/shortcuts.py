"""Card with the list of keyboard shortcuts, shown over the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shibumi3d.i18n import N_, P_, _
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import CORNER_RADIUS_PX, Style

from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.list_view import ScrollArea
from ..ui.panel import MAX_TEXT_CARD_HEIGHT_PX, Card, centred_placement
from ..ui.widget import Key

if TYPE_CHECKING:
    from . import Host


KEY_TEXTS = {
    "point": N_("Tab, arrows"),
    "choose": N_("Enter, Space"),
    "places": N_("Tab, ↑ ↓, Enter"),
    "own-keys": N_("1 2 3, P"),
    "colour": N_("1 2 3"),
    "end": N_("Ctrl+Enter"),
    "pass": N_("P"),
    "outside-moves": N_("S"),
    "step-back": N_("Esc, right click"),
    "undo": N_("Ctrl+Z, Ctrl+Y"),
    "hint": N_("H"),
    "solution": N_("Shift+H"),
    "analysis": N_("A"),
    "look-back": N_("comma, full stop, G"),
    "look-back-table": N_("comma, full stop, G"),
    "again": N_("B"),
    "above": N_("T, 0"),
    "quarters": N_("[ ]"),
    "zoom": N_("+ −, wheel"),
    "freely": N_("Ctrl+arrows, drag"),
    "sides": N_("O, Alt+arrows"),
    "views": N_("Alt+1 to 4"),
    "marks": N_("L"),
    "names": N_("K, C"),
    "spread": N_("X (hold), V"),
    "plan": N_("F2, F6"),
    "plan-table": N_("F2"),
    "shape": N_("semicolon, Enter"),
    "type": N_("/"),
    "copy": N_("Ctrl+C, Ctrl+V"),
    "copy-position": N_("Ctrl+C, Ctrl+V"),
    "picture": N_("Ctrl+Shift+C"),
    "share": N_("Ctrl+E"),
    "ask-here": N_("F3, F4, F7–F9"),
    "without-sight": N_("Shift+F1"),
    "zen": N_("Z"),
    "rules": N_("F1"),
    "panel": N_("Ctrl+B"),
    "save": N_("Ctrl+S, Ctrl+O"),
    "new": N_("Ctrl+N"),
    "mute": N_("M"),
    "whole": N_("F11"),
    "leave": N_("Ctrl+Q"),
    "run": N_("Space"),
    "moves": N_("← →"),
    "speed": N_("↑ ↓"),
    "ends": N_("Home, End"),
    "loop": N_("L"),
    "part": N_("I, O"),
    "band": N_("A"),
    "fault": N_("N"),
    "film": N_("Ctrl+E"),
    "back": N_("Esc"),
    "set-down": N_("Enter, Space"),
    "take-away": N_("Delete, right click"),
    "colours": N_("1 2 3 4"),
    "walk": N_("arrows, PgUp, PgDn"),
    "play-here": N_("P"),
    "solve": N_("S"),
    "edit": N_("E"),
    "edit-home": N_("E, Ctrl+E"),
    "search": N_("letters"),
    "game": N_("← ↑ → ↓"),
    "any-game": N_("R, Ctrl+R"),
    "favour": N_("F, Ctrl+F"),
    "start": N_("Enter"),
    "field": N_("Tab"),
    "kept": N_("Ctrl+O"),
    "settings": N_("Ctrl+,"),
    "design": N_("Ctrl+D"),
    "mute-home": N_("Ctrl+M"),
    "write-words": N_("Ctrl+Space"),
    "write-tabs": N_("F2"),
    "write-indent": N_("Tab, Shift+Tab"),
    "write-undo": N_("Ctrl+Z, Ctrl+Y"),
    "write-judge": N_("F6"),
    "write-learn": N_("Ctrl+L"),
    "write-share": N_("Ctrl+E"),
    "write-leave": N_("Esc"),
    "write-copy": N_("Ctrl+C, Ctrl+X, Ctrl+V"),
    "write-save": N_("Ctrl+S"),
    "write-new": N_("Ctrl+N"),
    "write-try": N_("F5"),
}
SHORTCUT_TEXTS = {
    "point": N_("move the cursor"),
    "choose": N_("choose"),
    "places": N_("next spot, move through the list, choose"),
    "own-keys": N_("choose a move from the list, pass"),
    "colour": P_("does", "choose a colour"),
    "end": N_("end the turn"),
    "pass": N_("pass"),
    "outside-moves": N_("swap seats or claim a draw"),
    "step-back": N_("undo a step (Esc also leaves the match)"),
    "undo": N_("undo, redo"),
    "hint": N_("hint, then a bigger hint"),
    "solution": N_("solve the puzzle"),
    "analysis": N_("evaluation, best moves"),
    "look-back": N_("previous turn, next turn, go to a turn"),
    "look-back-table": N_("previous move, next move, go to a turn"),
    "again": N_("replay the last turn"),
    "above": N_("view from above, reset view"),
    "quarters": N_("rotate a quarter turn"),
    "zoom": N_("zoom in or out"),
    "freely": N_("rotate freely"),
    "sides": N_("view from the opposite side, from a chosen side"),
    "views": N_("go to a saved view (add Shift to save one)"),
    "marks": N_("legal moves: always, on hover, off"),
    "names": N_("connections, coordinates"),
    "spread": N_("exploded view, show hidden points"),
    "plan": N_("flat view, next board"),
    "plan-table": N_("flat view"),
    "shape": N_("rotate a shape, place it"),
    "type": N_("type a move"),
    "copy": N_("copy or paste a game"),
    "copy-position": N_("copy or paste a position"),
    "picture": N_("save a screenshot"),
    "share": N_("play by post or challenge a friend"),
    "ask-here": N_("read out the state of play"),
    "without-sight": N_("screen reader help"),
    "zen": N_("board only"),
    "rules": N_("rules"),
    "panel": N_("side panel"),
    "save": N_("save, open"),
    "new": N_("new game"),
    "mute": N_("sound on/off"),
    "whole": N_("full screen"),
    "leave": N_("quit"),
    "run": N_("play/pause"),
    "moves": N_("previous move, next move"),
    "speed": N_("faster, slower"),
    "ends": N_("start, end"),
    "loop": N_("loop"),
    "part": N_("loop start, loop end"),
    "band": N_("show the review (evaluation, better moves)"),
    "fault": N_("go to the next mistake"),
    "film": N_("save a video or picture"),
    "back": N_("back"),
    "set-down": N_("place a marble"),
    "take-away": N_("remove a marble"),
    "colours": N_("choose a colour, or the remove tool"),
    "walk": N_("move the cursor"),
    "play-here": N_("play from here"),
    "solve": N_("solve"),
    "edit": N_("edit a position"),
    "edit-home": N_("edit a position"),
    "search": N_("search"),
    "game": N_("choose a game"),
    "any-game": N_("random game"),
    "favour": N_("favourite"),
    "start": N_("play the selected game"),
    "field": N_("next field"),
    "kept": N_("saved games"),
    "settings": N_("settings"),
    "design": N_("design a game"),
    "mute-home": N_("sound on/off"),
    "write-words": N_("suggest words"),
    "write-tabs": N_("switch between text, mechanisms and board"),
    "write-indent": N_("indent, unindent"),
    "write-undo": N_("undo, redo"),
    "write-judge": N_("start or stop the playtest"),
    "write-learn": N_("start or stop training the computer"),
    "write-share": N_("share or import a game"),
    "write-leave": N_("leave the text editor, then the page"),
    "write-copy": N_("copy, cut, paste"),
    "write-save": P_("does", "save"),
    "write-new": N_("start from scratch"),
    "write-try": N_("play the game"),
}

# Entries in the list of shortcuts for each page, as keys of KEY_TEXTS and SHORTCUT_TEXTS.
PLAY_SHORTCUTS = (
    "point", "choose", "colour", "end", "pass", "outside-moves", "step-back", "undo", "hint", "solution",
    "analysis", "look-back", "again", "above", "quarters", "zoom", "freely", "sides", "views", "marks", "names",
    "spread", "plan", "shape", "ask-here", "without-sight", "type", "copy", "share", "picture", "edit", "zen",
    "rules",    "panel", "save", "new", "mute", "whole", "leave",
)  # fmt: skip
TABLE_SHORTCUTS = (
    "places", "own-keys", "end", "undo", "hint", "analysis", "look-back-table", "again", "above", "plan-table",
    "quarters", "zoom", "freely", "sides", "views", "ask-here", "without-sight", "type", "copy", "share", "picture",
    "zen",    "rules", "panel", "save", "new", "mute", "whole", "leave",
)  # fmt: skip
REPLAY_SHORTCUTS = (
    "run", "moves", "speed", "ends", "loop", "part", "band", "fault", "ask-here", "without-sight", "edit", "above",
    "quarters", "picture", "film", "mute", "back",
)  # fmt: skip
POSITION_EDITOR_SHORTCUTS = (
    "walk", "set-down", "take-away", "colours", "undo", "copy-position", "play-here", "analysis", "solve", "ask-here",
    "without-sight", "above", "quarters", "zoom", "freely", "picture", "mute", "back",
)  # fmt: skip
HOME_SHORTCUTS = (
    "search", "game", "start", "any-game", "favour", "edit-home", "field", "kept", "design", "settings",
    "without-sight", "mute-home", "whole", "leave",
)  # fmt: skip
GAME_DESIGNER_SHORTCUTS = (
    "write-words", "write-tabs", "write-indent", "write-undo", "write-copy", "write-try", "write-judge",
    "write-learn", "write-save", "write-share", "write-new", "settings", "mute-home", "whole", "write-leave", "leave",
)  # fmt: skip
ROW_HEIGHT_PX = 30.0


MIN_ROW_HEIGHT_PX = 19.0
SCROLL_BAR_WIDTH_PX = 14.0
"""Width reserved for the scroll bar on the right."""
MIN_COLUMN_WIDTH_PX = 280.0
"""Minimum width of a column if there are two columns."""


class ShortcutList(ScrollArea):
    """Scrollable list of keys and what they do, in one or two columns."""

    def __init__(self, shortcuts: Sequence[str]) -> None:
        super().__init__()
        self.keys = [(_(KEY_TEXTS[line]), _(SHORTCUT_TEXTS[line])) for line in shortcuts]
        self.single_column = False
        """Whether the keys and their descriptions are too wide for two columns."""

    @property
    def column_count(self) -> int:
        return (
            2
            if self.rect.w - SCROLL_BAR_WIDTH_PX >= 2 * MIN_COLUMN_WIDTH_PX and not self.single_column
            else 1
        )

    @property
    def row_count(self) -> int:
        """Number of rows in the longest column."""
        return -(-len(self.keys) // self.column_count)

    @property
    def row_height(self) -> float:
        return (
            min(ROW_HEIGHT_PX, max(MIN_ROW_HEIGHT_PX, self.rect.h / self.row_count))
            if self.column_count > 1
            else ROW_HEIGHT_PX
        )

    @property
    def content_height(self) -> float:
        return self.row_count * self.row_height

    def paint(self, canvas: Canvas, style: Style) -> None:
        area = self.rect.cut_right(SCROLL_BAR_WIDTH_PX)[1]
        widest = max(canvas.text_width(keys, "bold", 13) for keys, _ in self.keys) + 14
        longest = max(canvas.text_width(meaning, "sans", 12) for _, meaning in self.keys)
        self.single_column = area.w / 2 - 8 < widest + 10 + longest
        columns, rows, high = self.column_count, self.row_count, self.row_height
        wide = area.w / 2 - 8 if columns > 1 else area.w
        with canvas.clip(self.rect):
            for index, (keys, meaning) in enumerate(self.keys):
                column, line = divmod(index, rows)
                x, y = area.x + column * (area.w / 2 + 8), area.y + line * high - self.offset
                left, right = Rect(x, y, wide, high).cut_left(widest, 10)
                box = min(canvas.text_width(keys, "bold", 13) + 14, left.w)
                sunk = Rect(left.x, left.y + 3, box, high - min(6, high / 5))
                canvas.rect(sunk, style.recessed, CORNER_RADIUS_PX - 2)
                canvas.text_in(Rect(left.x + 7, left.y, left.w - 7, left.h), keys, style.ink, "bold", 13)
                canvas.text_fit(right, meaning, style.secondary_ink, "sans", 14)
            self.paint_scroll_bar(canvas, style)


class ShortcutsCard(Card):
    """Card that lists keyboard shortcuts."""

    max_column_height = MAX_TEXT_CARD_HEIGHT_PX

    def __init__(self, shortcuts: Sequence[str], heading: str) -> None:
        super().__init__(heading)
        self.list = ShortcutList(shortcuts)
        self.close_button = Button(
            _("Close"), self._close, kind="quiet", tip=_("Close the list  Esc"), name="close keys"
        )
        self.add(self.list, self.close_button)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.close_button.layout(Rect(rect.right - 112, rect.y + 16, 96, 32))
        area = rect.inset(24, 16).cut_top(48)[1]
        self.list.layout(Rect(area.x, area.y, area.w + SCROLL_BAR_WIDTH_PX, area.h))

    def on_key(self, key: Key) -> bool:
        if not (self.list.scroll_handle() and self.list.handle_scroll_key(key)):
            self._close()
        return True

    def _close(self) -> None:
        if self.root is not None:
            self.root.close_popup()


def show_shortcuts(app: Host, shortcuts: Sequence[str]) -> None:
    """Open a card that lists keyboard shortcuts.

    ``shortcuts`` holds the names of the shortcuts, as listed in :data:`SHORTCUT_TEXTS`. Pressing any key that doesn't
    scroll the list closes the card.
    """
    rows = (len(shortcuts) + 1) // 2
    heading = (
        _("Keyboard shortcuts")
        if app.settings.single
        else _("Keyboard shortcuts – hold Ctrl or Alt for single-key ones")
    )
    app.root.open_popup(ShortcutsCard(shortcuts, heading), centred_placement(740, 84 + rows * ROW_HEIGHT_PX))
