"""Window title, which can also describe the screen for speech tools that read titles aloud."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shibumi3d.i18n import _

from ..ui.tree import Reading

if TYPE_CHECKING:
    from ..host import Host
    from ..host.screen import Screen

TITLE = "Shibumi 3D"
COVERS = 4
"""Maximum number of a popup's texts that the title includes."""


class Title:
    """Title of the window; ``caption`` sets it and is called whenever it changes."""

    def __init__(self, caption: Callable[[str], None]) -> None:
        self._caption, self._shown = caption, TITLE
        self._of: Screen | None = None
        """Page from which the title was taken, or None."""
        self._reading: Reading | None = None

    def say(self, app: Host, resting: bool) -> None:
        """Describe the focused widget, and the page or the popup above it, in the title.

        This is done only if spoken titles are enabled in the settings, and only when the picture is ``resting``. The
        description of a previous page is removed at once.
        """
        screen = app.stage.screen
        said = ""
        if app.settings.spoken:
            if not resting and screen is self._of:
                return
            said = self._told(app) if resting else ""
        self._of = screen if said else None
        title = f"{said} – {TITLE}" if said else TITLE
        if title != self._shown:
            self._shown = title
            self._caption(title)

    def _told(self, app: Host) -> str:
        if self._reading is None or self._reading.root is not app.root:
            self._reading = Reading(app.root, app.canvas, called, keyed)
        reading = self._reading
        if app.root.floats:
            said = ", ".join(reading.words(app.root.top)[:COVERS])
        else:
            said = app.stage.screen.spoken() or app.stage.screen.heading()
        return " – ".join(filter(None, (reading.focused(), said)))


def keyed(keys: str) -> str:
    """Return the spoken form of keyboard shortcuts, which is read after the name of their command."""
    return _("key {keys}", keys=keys)


def called(name: str) -> str:
    """Return the spoken name of a widget that has no label on it or beside it.

    For unknown widgets, this is their ``name``.
    """
    return {
        "board": _("Board"),
        "groups": _("Game categories"),
        "games": _("Games"),
        "for-players": _("Number of players"),
        "length": _("Length"),
        "level": _("Difficulty"),
        "tabs": _("Side panel"),
        "saved": _("Saved games"),
        "moves": _("Moves"),
        "replay": _("Turns"),
        "table": _("Table"),
        "choices": _("Choices"),
        "kinds": _("Problem types"),
        "problems": _("Problems"),
        "results": _("Results by game"),
        "finished": _("Which games to show"),
        "editor": _("Game text"),
        "design-tabs": _("Editor tabs"),
        "line": _("Timeline"),
        "to-move": _("Whose turn it is"),
        "size": _("Board size"),
        "who-plays": _("Choose player"),
    }.get(name.replace(" ", "-"), name)
