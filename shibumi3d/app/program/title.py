"""The title of the window, which says what happens where that is wished, for tools that read it aloud."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..host import Host
    from ..host.screen import Screen

TITLE = "Shibumi 3D"


class Title:
    """Sets the title by ``caption`` whenever it is another."""

    def __init__(self, caption: Callable[[str], None]) -> None:
        self._caption, self._shown = caption, TITLE
        self._of: Screen | None = None
        """The page that said it."""

    def say(self, app: Host, resting: bool) -> None:
        """Puts the sentences of the page into the title once it is ``resting``; none while something covers it.

        What another page said, or one that has nothing to say now, does not wait to be taken away.
        """
        said = app.stage.screen.spoken() if app.settings.spoken and not app.root.floats else ""
        if said and not resting:
            if app.stage.screen is self._of:
                return
            said = ""
        self._of = app.stage.screen if said else None
        title = f"{said} – {TITLE}" if said else TITLE
        if title != self._shown:
            self._shown = title
            self._caption(title)
