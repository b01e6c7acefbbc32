"""Form for assembling a game from steps, end rules and words, each with a description."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import TYPE_CHECKING

from shibumi3d.catalogue.reference import END_KEYS, Described, lexicon
from shibumi3d.i18n import _
from shibumi3d.scene.pen import faded
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, RADIUS, SMALL, Style

from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.choice import Choice
from ...ui.core import Key, Widget
from ...ui.editor import Editor
from ...ui.field import Field
from ...ui.label import Text
from ...ui.listing import Listing
from .steps import added, entries, fields_of, moved, removed, step_lines
from .words import VERBS, meaning

if TYPE_CHECKING:
    from ...host import Host

SECTIONS = ("setup", "turn", "end")
WORDS = 3
"""Index of the Words tab, which follows the tabs of :data:`SECTIONS`."""
ROW = 28.0
FIELD = 32.0
NAMES = 92.0
LEAST = 24.0
"""Minimum height of a field in a single column. If there is less room, the fields use two columns."""
LONGEST = 300
ENTRY = 24.0
"""Height of a row in the list of existing entries."""


class Mechanisms(Widget):
    """Form that adds steps and end rules to the text in an :class:`Editor`.

    It shows the description and the fields of the selected item.
    """

    def __init__(self, app: Host, editor: Editor, put: Callable[[], None]) -> None:
        super().__init__("mechanisms")
        self.app, self.editor = app, editor
        self.put = put
        """Callback that shows the text after a word was inserted."""
        self.section = 1
        names = [_("Start"), _("Turn"), _("End"), _("Words")]
        self.sections = Choice(names, self.section, self._choose_section, name="section")
        self.list = Listing(
            ROW, self._paint_row, self._choose, opened=lambda row: self.add_step(), name="verbs"
        )
        self.help = Text("", "serif", BODY, "ink", lines=4)
        self.example = Text("", "italic", SMALL, "soft", lines=2)
        self.fields: dict[str, Field] = {}
        self.go = Button(_("Add"), self.add_step, kind="main", icon="plus", name="add step")
        self.there = There(self)
        there = self.there
        self.earlier = Button(
            "",
            lambda: there.put(-1),
            icon="up",
            kind="quiet",
            tip=_("Move up  Alt+↑"),
            name="step earlier",
        )
        self.later = Button(
            "",
            lambda: there.put(1),
            icon="down",
            kind="quiet",
            tip=_("Move down  Alt+↓"),
            name="step later",
        )
        self.away = Button(
            "", there.take_away, icon="minus", kind="quiet", tip=_("Remove  Delete"), name="remove step"
        )
        self.terms: list[Described] = []
        self._choose_section(self.section)

    @property
    def chosen(self) -> Described:
        """Selected item."""
        return self.terms[max(0, self.list.current)]

    def _choose_section(self, number: int) -> None:
        self.section = number
        self.there.current = -1
        if number == WORDS:
            self.terms = [term for term in lexicon() if term.kind == "word"]
        elif SECTIONS[number] == "end":
            self.terms = [
                Described(
                    "end",
                    "rule",
                    meaning=_(
                        "When the match ends and who wins. “when” is checked after each turn, “as_soon_as” after "
                        "every step; then give one of “win”, “lose” (seats) or “most” (a number). “tie” says who "
                        "wins a tie, “because” is the reason shown, and “even” the reason shown when nobody is "
                        "ahead."
                    ),
                    modifiers=END_KEYS,
                )
            ]
        else:
            self.terms = [term for term in lexicon() if term.kind in VERBS]
        self.list.fill(len(self.terms), 0)
        self._choose(0)

    def _choose(self, row: int) -> None:
        self.list.current = row
        term = self.chosen
        self.help.say(meaning(term))
        self.example.say(term.example)
        self.clear()
        self.fields = {}
        if self.section != WORDS:
            given = fields_of(term.example) if term.example else {}
            keys = term.modifiers if term.kind == "rule" else (term.name, *term.modifiers)
            self.fields = {
                key: Field(given.get(key, ""), name=f"field {key}", longest=LONGEST, entered=self.add_step)
                for key in keys
            }
        self.go.label = _("Add") if self.section != WORDS else _("Insert")
        self.add(self.sections, self.list, self.help, self.example, *self.fields.values(), self.go)
        self.add(self.there, self.earlier, self.later, self.away)
        self.there.renew()
        if self.rect.w:
            self.layout(self.rect)
        self.refresh()

    def add_step(self) -> None:
        """Add the completed step or rule to its section, or insert the word at the cursor."""
        if self.section == WORDS:
            self.editor.put(self.chosen.example)
            self.put()
            return
        step = step_lines({key: field.words for key, field in self.fields.items()})
        if step:
            lines = added(self.editor.writing.lines, SECTIONS[self.section], step)
            self.editor.set(lines)
            self.there.renew()

    def places(self) -> dict[str, list[int]]:
        """Return the position in the window, in pixels, of each visible item, by name."""
        rows = [(row, self.list.row_rect(row)) for row in self.list.in_sight()]
        return {self.terms[row].name: self.app.pixels(at.cx, at.cy) for row, at in rows if self.list.visible}

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        top, rest = rect.inset(10, 8).cut_top(32, 10)
        self.sections.layout(top)
        wide = 112.0 if len(self.terms) > 1 else 0.0
        names, rest = rest.cut_left(wide, 14 if wide else 0)
        self.list.visible = wide > 0
        self.list.layout(names)
        said, rest = rest.cut_top(min(84.0, rest.h * 0.24), 2)
        self.help.layout(said)
        self.help.lines = max(2, int(said.h / (self.help.size * 1.3)))
        shown, rest = rest.cut_top(38 if self.example.words else 0, 6)
        self.example.layout(shown)
        foot, rest = rest.cut_bottom(32, 6)
        self.go.layout(foot.cut_left(self.go.natural(canvas))[0])
        # If there is little room, use two columns.
        columns = 1 if rest.h >= LEAST * len(self.fields) else 2
        lines = max(1, ceil(len(self.fields) / columns))
        each, wide = min(FIELD + 4, rest.h / lines), rest.w / columns
        for number, field in enumerate(self.fields.values()):
            x, y = rest.x + number % columns * wide, rest.y + number // columns * each
            field.layout(Rect(x + NAMES, y, wide - NAMES - 8 * (columns - 1), each - 4))
        left = rest.cut_top(each * lines + 8)[1]
        listed = self.section != WORDS and left.h >= ENTRY
        buttons = (self.away, self.later, self.earlier)
        for number, button in enumerate(buttons):
            button.visible = listed
            button.layout(Rect(foot.right - 36 * (number + 1), foot.y, 32, 32))
        self.there.visible = listed
        self.there.layout(left)

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.card, RADIUS)
        canvas.frame(self.rect, style.hairline, RADIUS)
        for key, field in self.fields.items():
            place = Rect(field.rect.x - NAMES, field.rect.y, NAMES - 8, field.rect.h)
            canvas.text_in(place, key, style.action, "bold", SMALL)
        if self.there.visible:
            canvas.rule(
                self.there.rect.x, self.there.rect.y - 4, self.there.rect.w, faded(style.hairline, 0.8)
            )

    def _paint_row(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        term = self.terms[row]
        if row == self.list.current:
            canvas.rect(rect.inset(0, 1), style.sunk, RADIUS)
        elif here:
            canvas.rect(rect.inset(0, 1), style.hover, RADIUS)
        face = "bold" if row == self.list.current else "sans"
        canvas.text_in(rect.inset(8, 0), term.name, style.ink, face, 14)


class There(Listing):
    """List of the existing entries in a section of the game.

    Delete removes the selected entry, and Alt+↑ and Alt+↓ move it.
    """

    def __init__(self, form: Mechanisms) -> None:
        super().__init__(ENTRY, self._paint, self._choose, name="steps")
        self.form = form
        self.entries: list[str] = []

    @property
    def key_of(self) -> str:
        """Key of the current section in the game file; empty for the Words tab."""
        return SECTIONS[self.form.section] if self.form.section != WORDS else ""

    def renew(self) -> None:
        """Update the list after a change of the text or of the section."""
        self.entries = entries(self.form.editor.writing.lines, self.key_of) if self.key_of else []
        self.fill(len(self.entries), min(self.current, len(self.entries) - 1))
        for button in (self.form.earlier, self.form.later, self.form.away):
            button.enabled = self.current >= 0

    def put(self, by: int) -> None:
        """Move the selected entry by ``by`` places."""
        place = self.current + by
        if self.current >= 0 and 0 <= place < self.count:
            self._set(moved(self.form.editor.writing.lines, self.key_of, self.current, by), place)

    def take_away(self) -> None:
        """Remove the selected entry from the text. The editor can undo this."""
        if self.current >= 0:
            self._set(removed(self.form.editor.writing.lines, self.key_of, self.current), self.current)

    def _set(self, lines: list[str], current: int) -> None:
        self.form.editor.set(lines)
        self.current = current
        self._hold()
        self.renew()

    def _choose(self, row: int) -> None:
        self.current = row
        self._hold()
        self.renew()

    def _hold(self) -> None:
        """Move the keyboard focus to this list."""
        if self.root is not None:
            self.root.focus = self

    def key(self, key: Key) -> bool:
        if key.chord == "delete":
            self.take_away()
        elif key.chord in ("alt+up", "alt+down"):
            self.put(-1 if key.chord == "alt+up" else 1)
        else:
            return super().key(key)
        return True

    def _paint(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        if row == self.current or here:
            canvas.rect(rect.inset(0, 1), style.sunk if row == self.current else style.hover, RADIUS)
        canvas.text_fit(rect.inset(8, 0), self.entries[row], style.ink, "sans", SMALL)
