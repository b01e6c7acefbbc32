"""Navigation between all pages, and the page classes for each kind of table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.catalogue.sharing import decode_game
from shibumi3d.i18n import _, localize
from shibumi3d.match.match import Match
from shibumi3d.match.tournament import TournamentError
from shibumi3d.match.tournament_store import load as load_tournament
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.registry import DEFAULT_KIND
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.search.review.results import Review

from ..host import Host, dialogs, settings_card, shortcuts
from ..host.courses import ProblemCourse
from ..host.window_page import WindowPage
from ..match.guided import Exercise, ExercisePageFactory, open_exercise, open_exercise_sequence
from ..match.mistakes import MistakesPageFactory
from ..match.page import MatchPage
from ..pages.home.page import HomePage


@dataclass(frozen=True)
class PageClasses:
    """Page classes for one kind of table."""

    match_page: Callable[[Host, Match, Entry], MatchPage]
    exercise_page: ExercisePageFactory
    mistakes_page: MistakesPageFactory


def page_classes(entry: Entry) -> PageClasses:
    """Return the page classes for a game's kind of table."""
    if entry.kind == DEFAULT_KIND:
        from ..match.marble_view.guided import MarbleExercisePage, MarbleMistakesPage
        from ..match.marble_view.page import MarbleMatchPage

        return PageClasses(MarbleMatchPage, MarbleExercisePage, MarbleMistakesPage)
    from ..match.scene_view.page import SceneExercisePage, SceneMatchPage, SceneMistakesPage

    return PageClasses(SceneMatchPage, SceneExercisePage, SceneMistakesPage)


class Navigator:
    """Implementation of :class:`.Navigation`.

    Most pages are imported only when they are first shown.
    """

    def __init__(self, app: Host) -> None:
        self.app = app
        self.last_home: HomePage | None = None
        """Home page that was shown most recently, or None."""
        self.path_row: int | None = None
        """Row (in the path of first games) from which the current match was started, or None."""

    def remember_home(self, page: WindowPage) -> None:
        """If ``page`` is a home page, keep it, so that its filters can be restored later."""
        if isinstance(page, HomePage):
            self.last_home = page

    def show_home(self) -> None:
        app = self.app
        if app.catalogue.user_folder is not None:
            app.catalogue = app.catalogue.with_user_games(app.catalogue.user_folder)
        self.path_row = None
        app.matches.release_current()
        app.matches.find_unfinished()
        home = HomePage(app)
        if self.last_home is not None:
            home.restore_filters(self.last_home)
        app.show_page(home)

    def show_saved_games(self) -> None:
        from ..pages.home.saved_games import SavedGamesPage

        self.app.matches.release_current()
        self.app.show_page(SavedGamesPage(self.app))

    def show_statistics(self) -> None:
        from ..pages.statistics import StatisticsPage

        self.app.matches.release_current()
        self.app.show_page(StatisticsPage(self.app))

    def show_learning(self, row: int = 0) -> None:
        from ..pages.learning import LearningPage

        self.path_row = None
        self.app.matches.release_current()
        self.app.show_page(LearningPage(self.app, row=row))

    def show_problems(self, category: str = "") -> None:
        from ..pages.problems import DAILY_CATEGORY, ProblemsPage

        self.app.matches.release_current()
        self.app.show_page(ProblemsPage(self.app, category or DAILY_CATEGORY))

    def show_problem(self, course: ProblemCourse, return_to: WindowPage | None = None) -> None:
        from ..match.marble_view.guided import ProblemPage
        from ..match.problem import resume_attempt

        app = self.app
        problem = app.results.problems.find(course.current_name)
        entry = app.catalogue.find(problem.game) if problem is not None else None
        if problem is None or entry is None or entry.kind != DEFAULT_KIND:
            app.show_message(_("This problem no longer exists."))
            return
        try:
            solving = resume_attempt(entry, problem, course)
            page = ProblemPage(app, entry, solving, course, return_to)
        except (CatalogueError, GameFileError, RuleFailure, ValueError) as mistake:
            app.show_message(_("Couldn't show this problem: {problem}.", problem=mistake))
            return
        app.matches.release_current()
        app.show_page(page)

    def show_ladder(self, entry: Entry) -> None:
        from ..pages.ladder import LadderPage

        self.path_row = None
        self.app.matches.release_current()
        self.app.show_page(LadderPage(self.app, entry))

    def show_tournaments(self) -> None:
        from ..pages.tournaments.list_page import TournamentsPage

        self.app.matches.release_current()
        self.app.show_page(TournamentsPage(self.app))

    def show_tournament_setup(self) -> None:
        from ..pages.tournaments.setup import TournamentSetupPage

        self.app.matches.release_current()
        self.app.show_page(TournamentSetupPage(self.app))

    def show_tournament(self, path: Path) -> None:
        from ..pages.tournaments.page import TournamentPage

        try:
            tournament = load_tournament(path)
        except TournamentError as problem:
            self.app.show_message(_("{text}.", text=capitalize_first(localize(problem))))
            return
        self.app.matches.release_current()
        self.app.show_page(TournamentPage(self.app, path, tournament))

    def show_tutorial(self) -> None:
        from ..match.marble_view.guided import GuidePage

        self.app.matches.release_current()
        self.app.show_page(GuidePage(self.app))

    def show_match(self, match: Match, entry: Entry) -> None:
        self.app.show_page(page_classes(entry).match_page(self.app, match, entry))

    def replace_match(self, match: Match, entry: Entry, note: str) -> None:
        page, before = page_classes(entry).match_page(self.app, match, entry), self.app.current_page
        if isinstance(before, MatchPage):
            page.copy_view_from(before)
        self.app.show_page(page)
        page.show_note(note)

    def start_analysis(self) -> None:
        page = self.app.current_page
        if isinstance(page, MatchPage):
            page.advice.is_analysing = True
            page.update()

    def show_saved_match(
        self, match: Match, entry: Entry, day: date | None = None, file: Path | None = None
    ) -> None:
        from ..pages.replay import ReplayPage

        page = ReplayPage(self.app, match, entry)
        self.app.show_page(page)
        page.played_on, page.unfinished_file = day, file

    def show_replay(
        self,
        match: Match,
        entry: Entry,
        return_to: WindowPage | None = None,
        *,
        autoplay: bool = False,
        loop_range: tuple[int, int] | None = None,
    ) -> None:
        from ..pages.replay import ReplayPage, loop_moves

        page = ReplayPage(self.app, match, entry)
        page.return_to = return_to
        self.app.show_page(page)
        if loop_range is not None:
            loop_moves(page, loop_range)
        elif autoplay:
            page.playback.toggle()

    def show_postcard(self, match: Match, entry: Entry) -> None:
        from ..pages.replay import ReplayPage

        page = ReplayPage(self.app, match, entry)
        self.app.show_page(page)
        page.go_to(len(page.history))
        page.show_export_card("postcard")

    def show_mistakes(
        self, match: Match, entry: Entry, return_to: WindowPage, review: Review | None = None
    ) -> None:
        self.app.show_page(page_classes(entry).mistakes_page(self.app, match, entry, return_to, review))

    def edit_position(self, match: Match, ply_count: int, entry: Entry) -> None:
        from ..pages.position_editor.page import edit_match

        edit_match(self.app, match, ply_count, entry)

    def edit_start_position(
        self,
        entry: Entry,
        names: Sequence[str],
        player_types: Sequence[str],
        size: int,
        variant: str,
        options: Mapping[str, int | str],
    ) -> None:
        from ..pages.position_editor.page import edit_game

        edit_game(self.app, entry, names, player_types, size, variant, options)

    def show_exercise(self, match: Match, entry: Entry) -> None:
        open_exercise(
            self.app,
            entry,
            match.game.variant,
            self.app.current_page,
            page_classes(entry).exercise_page,
        )

    def show_exercises(
        self,
        exercises: Sequence[Exercise],
        index: int = 0,
        return_to: WindowPage | None = None,
        on_complete: Callable[[], None] | None = None,
    ) -> None:
        self.app.matches.release_current()
        entry, _unused = exercises[index]
        make_page = page_classes(entry).exercise_page
        open_exercise_sequence(self.app, exercises, index, return_to, make_page, on_complete)

    def show_game_designer(self, entry: Entry | None = None) -> None:
        from ..match.marble_view.guided import open_sandbox
        from ..pages.game_designer.page import GameDesignerPage

        self.app.matches.release_current()
        page = GameDesignerPage(self.app, open_sandbox)
        self.app.show_page(page)
        if entry is not None and entry.own and not entry.path and entry.id != page.draft.file_name:
            page.draft.open(entry.id)

    def import_shared_game(self, line: str) -> None:
        from ..match.marble_view.guided import open_sandbox
        from ..pages.game_designer.page import GameDesignerPage

        try:
            text = decode_game(line)
        except CatalogueError as problem:
            self.app.show_message(_("{text}.", text=capitalize_first(localize(problem))))
            return
        self.app.matches.release_current()
        before = self.app.current_page
        page = before if isinstance(before, GameDesignerPage) else GameDesignerPage(self.app, open_sandbox)
        if before is not page:
            self.app.show_page(page)
        page.draft.import_text(text)

    def show_settings(self) -> None:
        settings_card.show_settings(self.app)

    def show_screen_reader_help(self) -> None:
        dialogs.show_screen_reader_help(self.app)

    def show_shortcuts(self) -> None:
        shortcuts.show_shortcuts(self.app, self.app.current_page.shortcuts)
