"""Painting of the groups and the games in the lists on the start page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from shibumi3d.app.wording import GROUP_TEXTS, titled
from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, localize, ngettext
from shibumi3d.rules.source import Problem
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import RADIUS, SMALL, Style

from ...ui import icons
from ...ui.canvas import Canvas
from ...ui.listing import Grid
from .filters import FAVOURITES, FRESH, OWN, PROBLEMS, RECENT, players

if TYPE_CHECKING:
    from ...host import Host


KANJI = {
    "alignment": "並", "connection": "結", "pattern": "形", "completion": "成", "elimination": "除",
    "capture": "取", "score": "点", "puzzle": "謎", "mixed": "組", "race": "終", "bidding": "分", "cards": "手",
}  # fmt: skip
ICONS = {FAVOURITES: "star", RECENT: "clock", FRESH: "fresh", OWN: "open", PROBLEMS: "hint"}
"""Icons for groups that have no character in :data:`KANJI`."""
LINES = 52.0
"""Height of the text below the picture on a card, in logical pixels."""


class Listed(Protocol):
    """Interface of the page that shows the lists."""

    app: Host
    groups: list[str]
    group: str
    """Selected group."""
    counts: dict[str, int]
    """Number of games in each group that match the filters."""
    found: list[Entry]
    wrong: list[tuple[str, tuple[Problem, ...]]]
    """Names of game files with errors, each with its errors; they are listed after the games."""
    chosen: Entry | None
    games: Grid


class Rows:
    """Painter for the rows of both lists."""

    def __init__(self, page: Listed) -> None:
        self._page = page

    def group(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        """Paint a group with its icon and its number of games."""
        name = self._page.groups[row]
        on = name == self._page.group
        if on or here:
            canvas.rect(rect.inset(0, 1), style.sunk if on else style.hover, RADIUS)
        count = self._page.counts[name]
        ink = style.brick if on else style.soft
        mark, rest = rect.inset(10, 0).cut_left(28)
        if name in ICONS:
            icons.draw(canvas, ICONS[name], mark.x + 8, mark.cy, ink, 16)
        else:
            canvas.text_in(mark, KANJI.get(name, "石"), ink, "kanji", 16)
        told = str(count) if count or name != PROBLEMS else ""
        words, number = rest.cut_left(rest.w - canvas.width(told, "sans", SMALL) - 6)
        label, face = _(GROUP_TEXTS[name]), "bold" if on else "sans"
        size = canvas.fitting(label, face, (14, 13, 12), words.w)
        canvas.text_in(words, label, style.ink if on else style.soft, face, size)
        canvas.text_in(number, told, style.soft, "sans", SMALL, 1)

    def game(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        """Paint the card of a game, or of a game file with errors."""
        if row >= len(self._page.found):
            self._wrong(canvas, style, rect, row, here)
            return
        entry = self._page.found[row]
        canvas.rect(rect, style.card, RADIUS)
        field, lines = rect.cut_top(rect.h - LINES)
        field = field.inset(5, 5)
        picture = self._page.app.gallery.game(entry)
        if picture is not None:
            canvas.picture(field, picture, RADIUS - 2)
        else:
            canvas.rect(field, style.sunk, RADIUS - 2)
            canvas.text_in(field, KANJI.get(entry.category, "石"), style.soft, "kanji", 28, 0.5)
        upper, lower = lines.inset(10, 0).cut_top(26)
        if entry.id in self._page.app.settings.favourites:
            upper, star = upper.cut_left(upper.w - 16)
            icons.draw(canvas, "star", star.cx, star.cy, style.brick, 15)
        size = canvas.fitting(titled(entry), "title", (17, 16, 15), upper.w)
        canvas.text_in(upper, titled(entry), style.ink, "title", size)
        facts = players(entry)
        if entry.minutes:
            facts = _("{players} · {minutes} min", players=facts, minutes=entry.minutes)
        if canvas.width(facts, "sans", SMALL) > lower.w:
            facts = players(entry)
        canvas.text_in(lower.cut_top(18)[0], facts, style.soft, "sans", SMALL)
        if here:
            canvas.rect(rect, style.hover, RADIUS)
        if entry is self._page.chosen:
            canvas.frame(rect, style.action, RADIUS, 2)
        else:
            canvas.frame(rect, style.hairline, RADIUS)

    def _wrong(self, canvas: Canvas, style: Style, box: Rect, row: int, here: bool) -> None:
        """Paint the card of a game file that can't be played, with its first error."""
        name, problems = self._page.wrong[row - len(self._page.found)]
        canvas.rect(box, style.card, RADIUS)
        if here:
            canvas.rect(box, style.hover, RADIUS)
        on = row == self._page.games.current
        canvas.frame(box, style.brick if on else style.hairline, RADIUS, 2 if on else 1)
        upper, lower = box.inset(12, 10).cut_top(26)
        canvas.text_in(upper, name, style.soft, "title", 17)
        count, lower = lower.cut_top(20, 4)
        canvas.text_in(count, ngettext("{n} error", "{n} errors", len(problems)), style.brick, "sans", SMALL)
        canvas.text_fit(lower, localize(problems[0].message) if problems else "", style.soft, "sans", SMALL)
