"""The title of the window, which says what happens where that is wished, for tools that read it aloud."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .app import App

TITLE = "Shibumi 3D"


class Title:
    """Sets the title by ``caption`` whenever it is another."""

    def __init__(self, caption: Callable[[str], None]) -> None:
        self._caption, self._shown = caption, TITLE

    def say(self, app: App) -> None:
        """Puts the sentences of the page into the title; none while something covers it."""
        said = app.screen.spoken() if app.settings.spoken and not app.root.floats else ""
        title = f"{said} – {TITLE}" if said else TITLE
        if title != self._shown:
            self._shown = title
            self._caption(title)
