"""Window title, which can also describe the screen for speech tools that read titles aloud."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shibumi3d.i18n import _

from ..ui.accessibility import TreeBuilder

if TYPE_CHECKING:
    from ..host import Host
    from ..host.window_page import WindowPage


PROGRAM_TITLE = "Shibumi 3D"
MAX_POPUP_TEXTS = 4
"""Maximum number of a popup's texts that the title includes."""


class WindowTitle:
    """Title of the window.

    ``set_caption`` is called with each new title.
    """

    def __init__(self, set_caption: Callable[[str], None]) -> None:
        self._set_caption, self._current_title = set_caption, PROGRAM_TITLE
        self._described_page: WindowPage | None = None
        """Page that the title describes, or None."""
        self._tree_builder: TreeBuilder | None = None

    def update(self, app: Host, is_resting: bool) -> None:
        """Update the title, which describes the screen if spoken titles are enabled in the settings.

        The description covers the focused widget and either the topmost popup or, if none is open, the page. It is
        updated only when nothing on the screen is moving (``is_resting``), but the description of a previous page is
        removed immediately.
        """
        screen = app.current_page
        description = ""
        if app.settings.spoken:
            if not is_resting and screen is self._described_page:
                return
            description = self._describe_screen(app) if is_resting else ""
        self._described_page = screen if description else None
        title = f"{description} – {PROGRAM_TITLE}" if description else PROGRAM_TITLE
        if title != self._current_title:
            self._current_title = title
            self._set_caption(title)

    def _describe_screen(self, app: Host) -> str:
        if self._tree_builder is None or self._tree_builder.root is not app.root:
            self._tree_builder = TreeBuilder(app.root, app.canvas, widget_display_name, spell_keys)
        reading = self._tree_builder
        if app.root.popups:
            description = ", ".join(reading.painted_texts(app.root.top)[:MAX_POPUP_TEXTS])
        else:
            description = app.current_page.announcement() or app.current_page.heading()
        return " – ".join(filter(None, (reading.describe_focus(), description)))


def spell_keys(keys: str) -> str:
    """Return the spoken form of a command's keyboard shortcuts, such as "shortcut F1"."""
    return _("shortcut {keys}", keys=keys)


def widget_display_name(name: str) -> str:
    """Return the spoken name of a widget that has no label on it or beside it.

    ``name`` is the widget's name in the code. The name of an unknown widget is returned unchanged.
    """
    return {
        "board": _("Board"),
        "groups": _("Game categories"),
        "games": _("Games"),
        "for-players": _("Number of players"),
        "length": _("Length"),
        "level": _("Complexity"),
        "tabs": _("Side panel"),
        "saved": _("Saved games"),
        "tournaments": _("Tournaments"),
        "matches": _("Matches"),
        "standings": _("Standings"),
        "how-it-is-ranked": _("How the ranking works"),
        "moves": _("Moves"),
        "replay": _("Turns"),
        "table": _("Table"),
        "choices": _("Choices"),
        "kinds": _("Problem sets"),
        "problems": _("Problems"),
        "days": _("Days"),
        "results": _("Results by game"),
        "finished": _("Which games to show"),
        "editor": _("Game text"),
        "design-tabs": _("Editor tabs"),
        "line": _("Timeline"),
        "to-move": _("Whose turn it is"),
        "size": _("Board size"),
        "who-plays": _("Choose player"),
    }.get(name.replace(" ", "-"), name)
