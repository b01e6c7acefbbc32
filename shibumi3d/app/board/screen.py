"""What playing and laying out have in common: a page with boards of marbles."""

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
    """A page that shows a moment of a match."""

    view: View
    kept_as = ""
    """The name of the file in which the match is kept."""

    def __init__(self, app: Host, match: Match, entry: Entry, seen: Seen | None = None) -> None:
        Page.__init__(self, app)
        Boards.__init__(self, app, match, entry, seen)
        self.view_commands = ViewCommands(self, coordinates(app))

    def refresh(self) -> None:
        self._sight.drop()
        Page.refresh(self)

    def lay_out(self) -> None:
        """Lays what is shown out on a page where it can be changed."""
        self.app.pages.edit(self.match, len(self.seen.passed()), self.entry)

    def keep_eye(self) -> None:
        """Remembers from where the table is seen."""
        self.view_commands.keep_eye(self.kept_as)

    def remark(self, sentence: str) -> None:
        """Says something that belongs to no place of the board, where the page has room for it."""
