"""Selection of a seat's player type: a person, or a computer player at some level."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from shibumi3d.i18n import _
from shibumi3d.rules.wording import within
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style
from shibumi3d.search.levels import CLOSE, FITS, LEVELS, PERSON, RANDOM, fits, level

from ...board.seating import title_of
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.core import Key
from ...ui.panel import Panel

if TYPE_CHECKING:
    from ...host import Host

HIGH = 36.0
"""Height of a row in the list, in logical pixels."""

OFFERED = (PERSON, FITS, *[one.name for one in LEVELS], level(CLOSE).name)
"""Player types offered, in the order of the list."""


def described(kind: str, like: str = "") -> str:
    """Return the name of a player type and, for a level, a line about its style of play.

    For the adaptive player, that line is replaced by ``like``, the level at which it currently plays.
    """
    if fits(kind):
        return _("Adapts to me (now {like})", like=title_of(like)) if like else _("Adapts to me")
    if kind in (PERSON, RANDOM):
        return title_of(kind)
    return _("{name} – {character}", name=title_of(kind), character=_(level(kind).character))


class Who(Button):
    """Button that shows the player type of a seat and opens the list of player types."""

    def __init__(
        self, app: Host, seat: int, kind: str, changed: Callable[[int, str], None], like: str = ""
    ) -> None:
        """Create the button; ``like`` is the level at which the adaptive player currently plays."""
        person = kind == PERSON
        super().__init__(
            "" if person else described(kind, like),
            self._choose,
            icon="person" if person else "computer",
            tip=_("Choose player") if person else described(kind, like),
            name=f"who {seat + 1}",
            size=14,
        )
        self.app, self.seat, self.kind, self.changed, self.like = app, seat, kind, changed, like
        who = _("adapts to me") if fits(kind) else described(kind, like)
        self.heard = _("Seat {seat}: {who}", seat=seat + 1, who=within(who))

    def paint(self, canvas: Canvas, style: Style) -> None:
        whole, room = self.label, self.rect.w - 40
        if whole and canvas.width(whole, "sans", self.size) > room:
            # Show only the name, or nothing, rather than a truncated text. The list and the tooltip show the full text.
            title = title_of(self.kind)
            self.label = title if canvas.width(title, "sans", self.size) <= room else ""
        super().paint(canvas, style)
        self.label = whole

    def _choose(self) -> None:
        card = Kinds(self.kind, partial(self.changed, self.seat), self.like)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        wide = max(button.natural(canvas) for button in card.lines) + 16

        def place(window: Rect) -> Rect:
            high = HIGH * len(card.lines) + 12
            x = min(self.rect.right - wide, window.right - wide - 8)
            y = (
                self.rect.bottom + 4
                if self.rect.bottom + 4 + high < window.bottom
                else window.bottom - high - 8
            )
            return Rect(max(8.0, x), y, min(wide, window.w - 16), high)

        self.app.root.popup(card, place, focus=card.chosen_line)


class Kinds(Panel):
    """Popup list of the player types."""

    def __init__(self, kind: str, chosen: Callable[[str], None], like: str = "") -> None:
        super().__init__("card", floating=True, name="who plays")
        self.chosen = chosen
        self.lines = [
            Button(
                described(each, like), partial(self._take, each), kind="quiet", name=f"kind {each}", align=0
            )
            for each in OFFERED
        ]
        for button, each in zip(self.lines, OFFERED, strict=True):
            button.on = each == kind or (fits(each) and fits(kind))
        self.add(*self.lines)

    @property
    def chosen_line(self) -> Button:
        """Row of the current player type, or the first row if it is not in the list."""
        return next((button for button in self.lines if button.on), self.lines[0])

    def key(self, key: Key) -> bool:
        if key.name in ("up", "down") and self.root is not None:
            self.root.step_focus(1 if key.name == "down" else -1)
            return True
        return super().key(key)

    def _take(self, kind: str) -> None:
        if self.root is not None:
            self.root.close()
        self.chosen(kind)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        for number, button in enumerate(self.lines):
            button.layout(Rect(rect.x + 6, rect.y + 6 + HIGH * number, rect.w - 12, HIGH - 2))
