"""Base class of the pages with boards of marbles: the match page and the position editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.match.match import Match

from ..host.page import Page
from ..host.view import View
from .boards import Boards, coordinates
from .seen import Seen
from .view_commands import ViewCommands

if TYPE_CHECKING:
    from ..host import Host


class BoardScreen(Boards, Page):
    """Page that shows one position in a match of marbles."""

    view: View
    kept_as = ""
    """Name of the file in which the match is saved; empty if there is none."""

    def __init__(self, app: Host, match: Match, entry: Entry, seen: Seen | None = None) -> None:
        Page.__init__(self, app)
        Boards.__init__(self, app, match, entry, seen)
        self.view_commands = ViewCommands(self, coordinates(app))

    def refresh(self) -> None:
        self._sight.drop()
        Page.refresh(self)

    def lay_out(self) -> None:
        """Open the position shown in the position editor."""
        self.app.pages.edit(self.match, len(self.seen.passed()), self.entry)

    def keep_eye(self) -> None:
        """Save the camera position, so that it can be restored when the match is opened again."""
        self.view_commands.keep_eye(self.kept_as)

    def remark(self, sentence: str) -> None:
        """Show a message that isn't about a particular point, if the page has room for it."""
