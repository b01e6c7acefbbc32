"""Sharing a game as a single line of text, by copy and paste."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.catalogue.sharing import line_of, text_of, written_out
from shibumi3d.i18n import _, localize
from shibumi3d.rules.wording import capital
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, Style

from ...ui.button import Button, row
from ...ui.canvas import Canvas
from ...ui.panel import Card, middle

if TYPE_CHECKING:
    from ...host import Host
    from .draft import Draft

SIZE = (520, 190)
_EXTENDS = re.compile(r"^extends:\s*['\"]?([a-z0-9-]+)", re.MULTILINE)


class ShareCard(Card):
    """Card that copies the current game to the clipboard as a line of text, or pastes such a line."""

    def __init__(self, app: Host, draft: Draft) -> None:
        super().__init__(_("Share"))
        self.app, self.draft = app, draft
        self.note, self.wrong = "", False
        self.out = Button(_("Copy line"), self._copy, kind="main", name="copy line")
        self.take = Button(_("Import copied line"), self._take, name="take in")
        self.done = Button(_("Close"), app.root.close, kind="quiet", name="close share")
        self.add(self.out, self.take, self.done)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        area = rect.inset(24, 16)
        _, area = area.cut_top(42)
        foot, self._said = area.cut_bottom(34, 12)
        narrow = rect.w < SIZE[0]
        row(foot, (self.out, self.take, self.done)[: 2 if narrow else 3], canvas, 8)
        if narrow:
            self.done.layout(Rect(rect.right - 96, rect.y + 16, 80, 32))

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        colour = style.brick if self.wrong else style.soft
        canvas.text_fit(
            self._said,
            self.note
            or _(
                "A game fits in one line of text. An imported game opens in the editor; save it to keep it."
            ),
            colour,
            "sans",
            BODY - 1,
        )

    def _say(self, note: str, wrong: bool = False) -> None:
        self.note, self.wrong = note, wrong
        self.refresh()

    def _copy(self) -> None:
        app, draft = self.app, self.draft
        below = _EXTENDS.search(draft.text)
        if below is None or below[1] not in {entry.id for entry in app.catalogue if entry.own}:
            app.root.copy(line_of(draft.text))
            self._say(_("Line copied. Paste it into any message."))
            return

        def whole(entry: Entry) -> None:
            app.root.copy(line_of(written_out(entry)))
            self._say(_("Copied, together with your game {game}, which this one builds on.", game=below[1]))

        # The recipient doesn't have the game that this one extends, so include what it uses from that game.
        draft.when_read(whole)

    def _take(self) -> None:
        line = self.app.root.paste()
        if not line.strip():
            return  # an empty clipboard was already reported
        try:
            text = text_of(line)
        except CatalogueError as problem:
            self._say(_("{text}.", text=capital(localize(problem))), True)
            return
        self.app.root.close()
        self.draft.take_in(text)


def show(app: Host, draft: Draft) -> None:
    """Open the card for sharing the game in ``draft``."""
    card = ShareCard(app, draft)
    app.root.popup(card, middle(*SIZE), focus=card.out)
