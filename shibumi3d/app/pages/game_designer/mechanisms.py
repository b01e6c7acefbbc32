"""Form for assembling a game from steps, end rules and words, each with a description."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import TYPE_CHECKING

from shibumi3d.catalogue.reference import END_KEYS, ReferenceEntry, reference_entries
from shibumi3d.i18n import _, pgettext
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.pen import multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, SMALL_TEXT_PX, Style

from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.choice import Choice
from ...ui.label import Label
from ...ui.list_view import ListView
from ...ui.text_editor import TextEditor
from ...ui.text_input import TextField
from ...ui.widget import Key, Widget
from .completion import VERB_KINDS, translate_meaning
from .entries import add_entry, format_step, list_entries, move_entry, parse_fields, remove_entry

if TYPE_CHECKING:
    from ...host import Host


SECTION_KEYS = ("setup", "turn", "end")
WORDS_TAB = 3
"""Index of the Words tab, which follows the tabs of :data:`SECTION_KEYS`."""
ROW_HEIGHT_PX = 28.0
FIELD_HEIGHT_PX = 32.0
NAME_WIDTH_PX = 92.0
MIN_FIELD_HEIGHT_PX = 24.0
"""Minimum height of a field in a single column. If there is less room, the fields use two columns."""
MAX_FIELD_LENGTH = 300
ENTRY_HEIGHT_PX = 24.0
"""Height of a row in the list of existing entries."""


class MechanismsForm(Widget):
    """Form that adds steps, end rules and words to the text in a :class:`.TextEditor`.

    It shows the description of the selected step, rule or word, with fields for its values unless it is a word. It also
    lists the existing entries of the current section, which can be moved and removed.
    """

    def __init__(self, app: Host, editor: TextEditor, on_insert_word: Callable[[], None]) -> None:
        super().__init__("mechanisms")
        self.app, self.editor = app, editor
        self.on_insert_word = on_insert_word
        """Called after an expression has been inserted, to show the text."""
        self.section_index = 1
        names = [pgettext("part of the rules", "Setup"), _("Turn"), _("End"), _("Words")]
        self.section_tabs = Choice(names, self.section_index, self._select_section, name="section")
        self.term_list = ListView(
            ROW_HEIGHT_PX,
            self._paint_row,
            self._select_term,
            on_open=lambda row: self.add_step(),
            name="verbs",
        )
        self.help_label = Label("", "serif", BODY_TEXT_PX, "ink", max_lines=4)
        self.example_label = Label("", "italic", SMALL_TEXT_PX, "secondary_ink", max_lines=2)
        self.fields: dict[str, TextField] = {}
        self.add_button = Button(_("Add"), self.add_step, kind="main", icon="plus", name="add step")
        self.entry_list = EntryList(self)
        there = self.entry_list
        self.move_up_button = Button(
            "",
            lambda: there.move_selected(-1),
            icon="up",
            kind="quiet",
            tip=_("Move up  Alt+↑"),
            name="step earlier",
        )
        self.move_down_button = Button(
            "",
            lambda: there.move_selected(1),
            icon="down",
            kind="quiet",
            tip=_("Move down  Alt+↓"),
            name="step later",
        )
        self.remove_button = Button(
            "", there.remove_selected, icon="minus", kind="quiet", tip=_("Remove  Delete"), name="remove step"
        )
        self.terms: list[ReferenceEntry] = []
        self._select_section(self.section_index)

    @property
    def selected_term(self) -> ReferenceEntry:
        return self.terms[max(0, self.term_list.current_row)]

    def _select_section(self, index: int) -> None:
        self.section_index = index
        self.entry_list.current_row = -1
        if index == WORDS_TAB:
            self.terms = [term for term in reference_entries() if term.kind == "word"]
        elif SECTION_KEYS[index] == "end":
            self.terms = [
                ReferenceEntry(
                    "end",
                    "rule",
                    meaning=_(
                        "Says when the match ends and who wins. “when” is checked after each turn, “as_soon_as” after "
                        "every step. Add a result: “win” or “lose” with seats, or “most” with a number (the highest "
                        "wins). “tie” names the winner of a tie. “because” is the reason shown; “even” replaces it if "
                        "nobody is ahead."
                    ),
                    modifiers=END_KEYS,
                )
            ]
        else:
            self.terms = [term for term in reference_entries() if term.kind in VERB_KINDS]
        self.term_list.set_rows(len(self.terms), 0)
        self._select_term(0)

    def _select_term(self, row: int) -> None:
        self.term_list.current_row = row
        term = self.selected_term
        meaning = translate_meaning(term)
        if not meaning.endswith("."):  # the meaning of a word or verb is a phrase
            meaning = _("{text}.", text=capitalize_first(meaning))
        self.help_label.set_caption(meaning)
        self.example_label.set_caption(term.example)
        self.clear()
        self.fields = {}
        if self.section_index != WORDS_TAB:
            example_fields = parse_fields(term.example) if term.example else {}
            keys = term.modifiers if term.kind == "rule" else (term.name, *term.modifiers)
            self.fields = {
                key: TextField(
                    example_fields.get(key, ""),
                    name=f"field {key}",
                    max_length=MAX_FIELD_LENGTH,
                    on_enter=self.add_step,
                )
                for key in keys
            }
        self.add_button.label = _("Add") if self.section_index != WORDS_TAB else _("Insert")
        self.add(
            self.section_tabs,
            self.term_list,
            self.help_label,
            self.example_label,
            *self.fields.values(),
            self.add_button,
        )
        self.add(self.entry_list, self.move_up_button, self.move_down_button, self.remove_button)
        self.entry_list.update()
        if self.rect.w:
            self.layout(self.rect)
        self.refresh()

    def add_step(self) -> None:
        """Add the step or rule in the form to its section or, on the Words tab, insert the selected word's example.

        The example is inserted at the cursor. If no field is filled in, no step or rule is added.
        """
        if self.section_index == WORDS_TAB:
            self.editor.insert(self.selected_term.example)
            self.on_insert_word()
            return
        step = format_step({key: field.value for key, field in self.fields.items()})
        if step:
            lines = add_entry(self.editor.buffer.lines, SECTION_KEYS[self.section_index], step)
            self.editor.set_lines(lines)
            self.entry_list.update()

    def item_positions(self) -> dict[str, list[int]]:
        """Return the centre of each visible row of the term list, by term name, in window pixels."""
        rows = [(row, self.term_list.row_rect(row)) for row in self.term_list.visible_rows()]
        return {
            self.terms[row].name: self.app.to_window_pixels(rect.cx, rect.cy)
            for row, rect in rows
            if self.term_list.visible
        }

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        top, rest = rect.inset(10, 8).cut_top(32, 10)
        self.section_tabs.layout(top)
        wide = 112.0 if len(self.terms) > 1 else 0.0
        names, rest = rest.cut_left(wide, 14 if wide else 0)
        self.term_list.visible = wide > 0
        self.term_list.layout(names)
        foot, rest = rest.cut_bottom(32, 6)
        # Fields that can't be read are of no use: in a low window, leave out the example, and then the explanation.
        needed = MIN_FIELD_HEIGHT_PX * ceil(len(self.fields) / 2)
        help_height = min(85.0, (rest.h + 38) * 0.24)
        example_height = 44.0 if self.example_label.caption else 0.0
        self.example_label.visible = rest.h - help_height - 2 - example_height >= needed
        if not self.example_label.visible:
            example_height = 0.0
        self.help_label.visible = rest.h - help_height - 2 - example_height >= needed
        if self.help_label.visible:
            help_rect, rest = rest.cut_top(help_height, 2)
            self.help_label.layout(help_rect)
            for size in (BODY_TEXT_PX, SMALL_TEXT_PX):
                self.help_label.size = size
                self.help_label.max_lines = max(2, int(help_rect.h / (size * 1.3)))
                if self.help_label.fits(canvas, help_rect.w):
                    break
        if self.example_label.visible:
            example_rect, rest = rest.cut_top(example_height - 6 if example_height else 0, 6)
            self.example_label.layout(example_rect)
        self.add_button.layout(foot.cut_left(self.add_button.preferred_width(canvas))[0])
        # If there is little room, use two columns.
        columns = 1 if rest.h >= MIN_FIELD_HEIGHT_PX * len(self.fields) else 2
        lines = max(1, ceil(len(self.fields) / columns))
        row_height, wide = min(FIELD_HEIGHT_PX + 4, rest.h / lines), rest.w / columns
        for index, field in enumerate(self.fields.values()):
            x, y = rest.x + index % columns * wide, rest.y + index // columns * row_height
            field.layout(Rect(x + NAME_WIDTH_PX, y, wide - NAME_WIDTH_PX - 8 * (columns - 1), row_height - 4))
        left = rest.cut_top(row_height * lines + 8)[1]
        listed = self.section_index != WORDS_TAB and left.h >= ENTRY_HEIGHT_PX
        buttons = (self.remove_button, self.move_down_button, self.move_up_button)
        for index, button in enumerate(buttons):
            button.visible = listed
            button.layout(Rect(foot.right - 36 * (index + 1), foot.y, 32, 32))
        self.entry_list.visible = listed
        self.entry_list.layout(left)

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.card, CORNER_RADIUS_PX)
        canvas.outline(self.rect, style.hairline, CORNER_RADIUS_PX)
        for key, field in self.fields.items():
            place = Rect(field.rect.x - NAME_WIDTH_PX, field.rect.y, NAME_WIDTH_PX - 8, field.rect.h)
            canvas.text_in(place, key, style.action, "bold", SMALL_TEXT_PX)
        if self.entry_list.visible:
            canvas.hairline(
                self.entry_list.rect.x,
                self.entry_list.rect.y - 4,
                self.entry_list.rect.w,
                multiply_alpha(style.hairline, 0.8),
            )

    def _paint_row(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        term = self.terms[row]
        if row == self.term_list.current_row:
            canvas.rect(rect.inset(0, 1), style.recessed, CORNER_RADIUS_PX)
        elif is_hovered:
            canvas.rect(rect.inset(0, 1), style.hover, CORNER_RADIUS_PX)
        face = "bold" if row == self.term_list.current_row else "sans"
        canvas.text_in(rect.inset(8, 0), term.name, style.ink, face, 14)


class EntryList(ListView):
    """List of the entries in the current section of the game file.

    The Delete key removes the selected entry, and Alt+↑ and Alt+↓ move it.
    """

    def __init__(self, form: MechanismsForm) -> None:
        super().__init__(ENTRY_HEIGHT_PX, self._paint_entry, self._select, name="steps")
        self.form = form
        self.entries: list[str] = []

    @property
    def section_key(self) -> str:
        """Key of the current section in the game file; empty for the Words tab."""
        return SECTION_KEYS[self.form.section_index] if self.form.section_index != WORDS_TAB else ""

    def update(self) -> None:
        """Update the list after the text or the section has changed."""
        self.entries = (
            list_entries(self.form.editor.buffer.lines, self.section_key) if self.section_key else []
        )
        self.set_rows(len(self.entries), min(self.current_row, len(self.entries) - 1))
        for button in (self.form.move_up_button, self.form.move_down_button, self.form.remove_button):
            button.enabled = self.current_row >= 0

    def move_selected(self, offset: int) -> None:
        """Move the selected entry down by ``offset`` places, or up if ``offset`` is negative.

        Do nothing if no entry is selected or if its new place would be outside the list.
        """
        new_row = self.current_row + offset
        if self.current_row >= 0 and 0 <= new_row < self.row_count:
            self._set_lines(
                move_entry(self.form.editor.buffer.lines, self.section_key, self.current_row, offset), new_row
            )

    def remove_selected(self) -> None:
        """Remove the selected entry, if any, from the text.

        The editor can undo this.
        """
        if self.current_row >= 0:
            self._set_lines(
                remove_entry(self.form.editor.buffer.lines, self.section_key, self.current_row),
                self.current_row,
            )

    def _set_lines(self, lines: list[str], current: int) -> None:
        self.form.editor.set_lines(lines)
        self.current_row = current
        self._take_focus()
        self.update()

    def _select(self, row: int) -> None:
        self.current_row = row
        self._take_focus()
        self.update()

    def _take_focus(self) -> None:
        if self.root is not None:
            self.root.focus = self

    def on_key(self, key: Key) -> bool:
        if key.chord == "delete":
            self.remove_selected()
        elif key.chord in ("alt+up", "alt+down"):
            self.move_selected(-1 if key.chord == "alt+up" else 1)
        else:
            return super().on_key(key)
        return True

    def _paint_entry(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        if row == self.current_row or is_hovered:
            canvas.rect(
                rect.inset(0, 1), style.recessed if row == self.current_row else style.hover, CORNER_RADIUS_PX
            )
        canvas.text_fit(rect.inset(8, 0), self.entries[row], style.ink, "sans", SMALL_TEXT_PX)
