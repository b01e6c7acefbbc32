"""List of the moves to choose from, and list of the moves played so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from shibumi3d.app.wording import spoken
from shibumi3d.i18n import _, language, ngettext
from shibumi3d.rules.game import Shut
from shibumi3d.rules.wording import joined
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, RADIUS, SMALL, Style

from ...board.moves import Moves
from ...ui.canvas import Canvas
from ...ui.core import Key
from ...ui.listing import Listing
from .parts import Table

if TYPE_CHECKING:
    from shibumi3d.match.ply import Ply
    from shibumi3d.rules.game import Move


LOW, HIGH = 34.0, 46.0
"""Heights of a row without and with a line of details, in logical pixels."""
PASS = "p"
"""Key for passing, i.e. for the move that does nothing."""


class ChoiceList(Listing):
    """List of the legal moves, each with its key, price and effect.

    Entries that can't be chosen at present follow in a fainter colour.
    """

    def __init__(self, page: Table) -> None:
        super().__init__(LOW, self._paint_choice, self._take, name="choices")
        self.page = page
        self.moves: Sequence[Move] = ()
        self.shut: Sequence[Shut] = ()
        self.labels: list[str] = []
        self.keys: list[str] = []
        """Keyboard key of each row; empty for none."""
        self.details: list[str] = []
        """Text below the label of each row; empty for none."""
        self.under = -1
        """Row under the pointer, or -1."""

    def offer(
        self,
        moves: Sequence[Move],
        labels: Sequence[str],
        shut: Sequence[Shut] = (),
        *,
        keys: Sequence[str] = (),
        details: Sequence[str] = (),
    ) -> None:
        """Fill the list with ``moves``, followed by the unavailable entries ``shut``.

        ``labels``, ``keys`` and ``details`` have one item per move; ``keys`` and ``details`` may be empty. Details are
        omitted if fewer than half of the rows have them.
        """
        self.moves, self.shut = moves, shut
        self.labels = [*labels, *[each.label for each in shut]]
        self.keys = [*(keys or [""] * len(moves)), *[each.key for each in shut]]
        self.details = [*(details or [""] * len(moves)), *[each.detail for each in shut]]
        if 2 * sum(map(bool, self.details)) < len(self.details):
            # Don't make all rows taller for a few details, since the status line shows them anyway.
            self.details = [""] * len(self.details)
        self.row_height = HIGH if any(self.details) else LOW
        self.under = -1
        self.offset = 0.0
        self.fill(len(self.labels))

    def stand(self, current: int, offset: float) -> None:
        """Select row ``current`` and restore the scroll position ``offset``, which is in logical pixels."""
        self.offset = offset
        self.fill(self.count, min(current, self.count - 1))

    def by_key(self, key: str) -> Any:
        """Return the move that ``key`` selects, or None."""
        keys = self.keys[: len(self.moves)]
        return self.moves[keys.index(key)] if key in keys else None

    def seek(self, move: Move) -> None:
        """Scroll to ``move``, if it is listed, and redraw."""
        if move in self.moves:
            self.reveal(list(self.moves).index(move) * self.row_height, self.row_height)
        self.refresh()

    def reason(self, row: int) -> str:
        """Return why a row can't be chosen, or "" if it can."""
        return self.shut[row - len(self.moves)].reason if len(self.moves) <= row < len(self.labels) else ""

    def on_screen(self) -> dict[str, list[int]]:
        """Return the centres of the visible rows in window pixels, by label."""
        found = {}
        for row, label in enumerate(self.labels):
            place = self.row_rect(row)
            if self.rect.holds(place.cx, place.cy):
                found[label] = self.page.app.pixels(place.cx, place.cy)
        return found

    def _take(self, row: int) -> None:
        if row < len(self.moves):
            self.page.doing.choose(self.moves[row])
        else:
            self.page.app.sounds.tap()
            self.page.remark(self.reason(row))

    def move(self, x: float, y: float) -> None:
        self._point(self.row_at(x, y))

    def leave(self) -> None:
        self._point(-1)

    def _point(self, row: int) -> None:
        if row != self.under:
            self.under = row
            self.page.note = self._why_shut(row)
            self.page.pointer.looked()

    def _why_shut(self, row: int) -> str:
        """Return why a row can't be chosen, with its price and effect, or "" if it can."""
        reason = self.reason(row)
        return " ".join(filter(None, (reason, *self.details[row].split("\n")))) if reason else ""

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        row = self.row_at(x, y)
        if self._grip or not self.rect.holds(x, y) or row < 0:
            super().release(x, y, button, key)
            return
        self._take(row)

    def told_row(self, row: int, keyed: Callable[[str], str]) -> list[str]:
        """Return what a screen reader says about a row, as three sentences.

        The first contains the row's label, price and key. The second describes its effect. The third says why the row
        can't be chosen; it is empty if the row can be.
        """
        price, _unused, effect = self.details[row].partition("\n")
        price = joined(price.split(", "), _("and"))
        key = keyed(self.keys[row].upper()) if self.keys[row] else ""
        return [", ".join(filter(None, (self.labels[row], price, key))), effect, self.reason(row)]

    def takes(self, row: int) -> bool:
        return row < len(self.moves)

    def unwritten(self, row: int) -> str:
        return _("marked") if self._meant(row) else ""

    def _meant(self, row: int) -> bool:
        """Return whether the hint marks a row."""
        return row < len(self.moves) and self.moves[row] == self.page.advice.answer()

    def _paint_choice(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        box = rect.inset(4, 2)
        meant = self._meant(row)
        canvas.rect(box, style.card, RADIUS)
        if here or row == self.current:
            canvas.rect(box, style.hover, RADIUS)
        edge = style.action if row == self.current or meant else style.hairline
        canvas.frame(box, edge, RADIUS, 2 if meant else 1)
        ink = style.ink if row < len(self.moves) else style.faint
        upper = Rect(box.x, box.y, box.w, 26) if self.details[row] else box
        if self.keys[row]:
            place = Rect(upper.x + 8, upper.y, 14, upper.h)
            canvas.text_in(place, self.keys[row].upper(), style.soft, "sans", SMALL)
        price, _, effect = self.details[row].partition("\n")
        name = Rect(upper.x + 26, upper.y, upper.w - 36, upper.h)
        if price:
            name = name.cut_right(canvas.text_in(name, price, style.soft, "sans", SMALL, 1) + 8)[1]
        canvas.text_fit(name, self.labels[row], ink, "sans", BODY)
        if effect:
            below = Rect(box.x + 26, box.y + 22, box.w - 34, 18)
            canvas.text_fit(below, effect, style.soft, "sans", SMALL - 1)


class Log(Moves):
    """List of the moves played, one per line, with variations.

    Clicking a move shows the position after it. Clicking a variation continues the match with that variation.
    """

    def __init__(self, page: Table) -> None:
        super().__init__(
            page.match, 26, lambda ply: page.doing.look(ply), lambda number: page.doing.take(number)
        )
        self.page = page
        self._told: dict[tuple[int, int | None, str], tuple[Ply, str]] = {}
        """Cached descriptions of moves, by identity of the move, viewer and language."""

    def content(self) -> object:
        return super().content(), self.page.session.viewer

    def unread(self) -> frozenset[int]:
        return self.page.session.hidden

    def spans(self) -> list[tuple[int, int, int, int]]:
        known = set(map(id, self.every)).union(*[map(id, line) for _, line in self.match.variations])
        self._told = {key: told for key, told in self._told.items() if key[0] in known}
        return [(ply.turn, ply.seat, number, number + 1) for number, ply in enumerate(self.every)]

    def pointed(self, row: int) -> None:
        number = self.rows[row] if row >= 0 else ""
        if isinstance(number, str):
            self.page.pointer.looked()
        elif number < 0:
            self.page.telling.say(_("Instead: {told}", told=self.instead(-1 - number)))
        else:
            self.page.telling.say(self.told(number))

    def told(self, number: int) -> str:
        """Describe a move, or say only that it is secret if the viewer may not know it."""
        if self.page.session.masked(number):
            return _("in secret")
        return self._words(self.every, number)

    def instead(self, variation: int) -> str:
        """Describe the first move of a variation.

        Games with hidden information have no variations.
        """
        after, line = self.match.variations[variation]
        return self._words(self.every[:after] + line, after)

    def _words(self, plies: Sequence[Ply], number: int) -> str:
        session, ply = self.page.session, plies[number]
        key = (id(ply), session.viewer, language())
        if key not in self._told:
            self._told[key] = ply, spoken(self.match, plies, number, session.as_seen(ply.events))
        return self._told[key][1]

    def paint_line(self, canvas: Canvas, style: Style, rect: Rect, number: int) -> None:
        face = "italic" if self.page.session.masked(number) else "sans"
        ink = style.faint if number >= self.match.cursor else style.ink
        canvas.text_in(Rect(rect.x + 68, rect.y, rect.w - 80, rect.h), self.told(number), ink, face, 14)

    def paint_instead(self, canvas: Canvas, style: Style, rect: Rect, variation: int) -> None:
        space = Rect(rect.x + 70, rect.y, rect.w - 82, rect.h)
        _, line = self.match.variations[variation]
        more = len({ply.turn for ply in line}) - 1
        if more:
            told = ngettext("+ {n} turn", "+ {n} turns", more)
            space = space.cut_right(canvas.text_in(space, told, style.faint, "sans", SMALL, 1) + 8)[1]
        canvas.text_in(space, self.instead(variation), style.soft, "sans", 14)
