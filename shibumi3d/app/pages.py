"""The ways from page to page: who knows every page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import sheet
from .home.screen import Home
from .settings import page as settings_page

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.match.match import Match

    from .app import App


class ProgramPages:
    """Puts pages on the window. Those that are rarely seen are imported when they are."""

    def __init__(self, app: App) -> None:
        self.app = app

    def home(self) -> None:
        """Goes to the first page; games of the user's own are read anew."""
        app = self.app
        if app.catalogue.user_folder is not None:
            app.catalogue = app.catalogue.joined(app.catalogue.user_folder)
        app.matches.leave()
        app.matches.look_for_saved()
        home = Home(app)
        if app.home is not None:
            home.as_left(app.home)
        app.show(home)

    def kept(self) -> None:
        """Shows the games that were kept."""
        from .home.kept import SavedGames

        self.app.matches.leave()
        self.app.show(SavedGames(self.app))

    def results(self) -> None:
        """Shows what was won and lost."""
        from .results.screen import ResultsPage

        self.app.matches.leave()
        self.app.show(ResultsPage(self.app))

    def play(self, match: Match, entry: Entry) -> None:
        """Shows the page on which a match is played; it is kept as it was before."""
        self.app.show(self.app.matches.page(match, entry))

    def guide(self) -> None:
        """Shows the first steps, from the page on the window."""
        from .learn.guide import Guide

        self.app.matches.leave()
        self.app.show(Guide(self.app))

    def settings(self) -> None:
        """Opens the settings over the page."""
        settings_page.show(self.app)

    def keys(self) -> None:
        """Opens the sheet of keys of the page."""
        sheet.show(self.app, self.app.screen.keys)
