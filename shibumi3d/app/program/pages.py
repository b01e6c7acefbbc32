"""Navigation between all pages, and the page classes for each kind of table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.catalogue.sharing import text_of
from shibumi3d.i18n import _, localize
from shibumi3d.match.match import Match
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.kinds import USUAL
from shibumi3d.rules.wording import capital
from shibumi3d.search.review.moments import Review

from ..board.finding import FindPage
from ..board.match_page import MatchPage
from ..board.taught import TrialPage, try_it
from ..host import Host, heard_card, sheet
from ..host import settings_card as settings_page
from ..host.courses import Course
from ..host.screen import Screen
from ..pages.home.screen import Home


@dataclass(frozen=True)
class TablePages:
    """Page classes for one kind of table."""

    play: Callable[[Host, Match, Entry], MatchPage]
    trial: TrialPage
    find: FindPage


def table_pages(entry: Entry) -> TablePages:
    """Return the page classes for a game's kind of table."""
    if entry.kind == USUAL:
        from ..pages.play.lesson import Find, Trial
        from ..pages.play.screen import Play

        return TablePages(Play, Trial, Find)
    from ..pages.tables.lesson import TableFind, TableTrial
    from ..pages.tables.screen import TablePlay

    return TablePages(TablePlay, TableTrial, TableFind)


class ProgramPages:
    """Navigation between pages.

    Pages that few people open are imported only when they are first shown.
    """

    def __init__(self, app: Host) -> None:
        self.app = app
        self.first: Home | None = None
        """Home page as it was last shown."""

    def seen(self, screen: Screen) -> None:
        """Record that a page was shown, so that the home page can be restored later."""
        if isinstance(screen, Home):
            self.first = screen

    def home(self) -> None:
        """Reload the user's own games and show the home page."""
        app = self.app
        if app.catalogue.user_folder is not None:
            app.catalogue = app.catalogue.joined(app.catalogue.user_folder)
        app.matches.leave()
        app.matches.look_for_saved()
        home = Home(app)
        if self.first is not None:
            home.as_left(self.first)
        app.stage.show(home)

    def kept(self) -> None:
        """Show the page of saved games."""
        from ..pages.home.kept import SavedGames

        self.app.matches.leave()
        self.app.stage.show(SavedGames(self.app))

    def results(self) -> None:
        """Show the page of results and statistics."""
        from ..pages.results.screen import ResultsPage

        self.app.matches.leave()
        self.app.stage.show(ResultsPage(self.app))

    def problems(self, chosen: str = "") -> None:
        """Show the page of problems, by default with today's problems."""
        from ..pages.problems.screen import TODAY, ProblemsPage

        self.app.matches.leave()
        self.app.stage.show(ProblemsPage(self.app, chosen or TODAY))

    def problem(self, course: Course, came: Screen | None = None) -> None:
        """Show the current problem of ``course``; ``came`` is the page to return to."""
        from ..board.posed import begun
        from ..pages.play.problem import ProblemPage

        app = self.app
        problem = app.results.problems.find(course.at)
        entry = app.catalogue.find(problem.game) if problem is not None else None
        if problem is None or entry is None or entry.kind != USUAL:
            app.tell(_("This problem no longer exists."))
            return
        try:
            solving = begun(entry, problem, course)
            page = ProblemPage(app, entry, solving, course, came)
        except (CatalogueError, GameFileError, RuleFailure, ValueError) as mistake:
            app.tell(_("Couldn't show this problem: {problem}.", problem=mistake))
            return
        app.matches.leave()
        app.stage.show(page)

    def guide(self) -> None:
        """Show the guide for new players."""
        from ..pages.play.guide import Guide

        self.app.matches.leave()
        self.app.stage.show(Guide(self.app))

    def play(self, match: Match, entry: Entry) -> None:
        """Show the match page."""
        self.app.stage.show(table_pages(entry).play(self.app, match, entry))

    def play_on(self, match: Match, entry: Entry, note: str) -> None:
        """Replace the match page with one for ``match``; keep its view, and show ``note``."""
        page, before = table_pages(entry).play(self.app, match, entry), self.app.stage.screen
        if isinstance(before, MatchPage):
            page.take_over(before)
        self.app.stage.show(page)
        page.remark(note)

    def analyse(self) -> None:
        """Start analysing the match on the screen."""
        page = self.app.stage.screen
        if isinstance(page, MatchPage):
            page.advice.analysing = True
            page.update()

    def over(self, match: Match, entry: Entry, day: date | None = None, file: Path | None = None) -> None:
        """Show a replay of a match that was played on ``day``.

        If the match is unfinished, the replay page can open ``file`` to continue it.
        """
        from ..pages.replay.screen import Replay

        page = Replay(self.app, match, entry)
        self.app.stage.show(page)
        page.day, page.file = day, file

    def replay(
        self,
        match: Match,
        entry: Entry,
        came: Screen | None = None,
        *,
        running: bool = False,
        again: tuple[int, int] | None = None,
    ) -> None:
        """Show a replay of a match; ``came`` is the page to return to.

        If ``running`` is set, playback starts at once. If ``again`` is a span of moves, these are repeated slowly.
        """
        from ..pages.replay.screen import Replay, show_again

        page = Replay(self.app, match, entry)
        page.came = came
        self.app.stage.show(page)
        if again is not None:
            show_again(page, again)
        elif running:
            page.running.toggle()

    def postcard(self, match: Match, entry: Entry) -> None:
        """Show the final position of a match, and offer to export it as a postcard."""
        from ..board import export
        from ..pages.replay.screen import Replay

        page = Replay(self.app, match, entry)
        self.app.stage.show(page)
        page.go(len(page.history))
        export.show(page, "postcard")

    def find(self, match: Match, entry: Entry, came: Screen, found: Review | None = None) -> None:
        """Show the page for finding better moves in a match; ``found`` is the match's review, if any."""
        self.app.stage.show(table_pages(entry).find(self.app, match, entry, came, found))

    def edit(self, match: Match, plies: int, entry: Entry) -> None:
        """Show the position editor with the position after the first ``plies`` moves of a match."""
        from ..pages.edit.screen import edit_match

        edit_match(self.app, match, plies, entry)

    def edit_game(
        self,
        entry: Entry,
        names: Sequence[str],
        kinds: Sequence[str],
        size: int,
        variant: str,
        options: Mapping[str, int | str],
    ) -> None:
        """Show the position editor with the initial position of a game."""
        from ..pages.edit.screen import edit_game

        edit_game(self.app, entry, names, kinds, size, variant, options)

    def lesson(self, match: Match, entry: Entry) -> None:
        """Show a position in which the user can try out the game that the match is played in."""
        try_it(self.app, entry, match.game.variant, self.app.stage.screen, table_pages(entry).trial)

    def design(self, entry: Entry | None = None) -> None:
        """Show the game editor with the user's own game ``entry``, by default with the saved draft."""
        from ..pages.design.screen import Design
        from ..pages.play.trying import try_out

        self.app.matches.leave()
        page = Design(self.app, try_out)
        self.app.stage.show(page)
        if entry is not None and entry.own and not entry.path and entry.id != page.draft.name:
            page.draft.open(entry.id)

    def take_in(self, line: str) -> None:
        """Open a shared game, given as a line of text, in the game editor."""
        from ..pages.design.screen import Design
        from ..pages.play.trying import try_out

        try:
            text = text_of(line)
        except CatalogueError as problem:
            self.app.tell(_("{text}.", text=capital(localize(problem))))
            return
        self.app.matches.leave()
        before = self.app.stage.screen
        page = before if isinstance(before, Design) else Design(self.app, try_out)
        if before is not page:
            self.app.stage.show(page)
        page.draft.take_in(text)

    def settings(self) -> None:
        """Show the settings."""
        settings_page.show(self.app)

    def without_sight(self) -> None:
        """Show the help page about playing with a screen reader."""
        heard_card.show(self.app)

    def keys(self) -> None:
        """Show the keyboard shortcuts of the current page."""
        sheet.show(self.app, self.app.stage.screen.keys)
