"""The first page, while the engine is compiled beside the program: a quiet line says how far that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d import native
from shibumi3d.sayings import Saying

from ...text import say
from ...ui.label import Text
from ...ui.style import SMALL

if TYPE_CHECKING:
    from ...host.page import Page

TICK = 1.0
"""Seconds between two looks."""
PATIENCE = 20
"""Looks without a word of a builder after which none is expected any more."""


class Learning:
    """Looks how far the builder is while the page is shown. That it stopped is said once, until the page is left."""

    told: Saying | None = None
    """What stopped a builder and was said already."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.line = Text("", "italic", SMALL, "soft", name="learning")
        self._watching = False
        self._silent = 0

    def watch(self) -> None:
        """The page is shown."""
        self._silent = 0
        if native.watched() and not self._watching:
            self._look()

    def _look(self) -> None:
        self._watching = self.page.on_window
        if not self._watching:
            self._say("")
            return
        progress = native.progress()
        if progress is None:
            self._silent += 1
            self._say("")
        elif progress.stopped is None:
            self._silent = 0
            Learning.told = None
            self._say(say("home.learning", n=round(100 * progress.share)))
        elif Learning.told != progress.stopped:
            Learning.told = progress.stopped
            self._say(say("home.not-learnt", problem=progress.stopped))
        else:
            self._silent += 1
        if self._silent < PATIENCE:
            self.page.app.later(TICK, self._look)
        else:
            self._watching = False

    def _say(self, words: str) -> None:
        was = bool(self.line.words)
        self.line.say(words)
        if was != bool(words) and self.page.rect.w:
            self.page.layout(self.page.rect)
