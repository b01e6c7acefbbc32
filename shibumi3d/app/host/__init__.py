"""Protocols through which pages and their parts use the rest of the program.

Tests can substitute their own implementations.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from .match_settings import DEFAULT_MATCH_SETTINGS, MatchSettings

if TYPE_CHECKING:
    from datetime import date

    from shibumi3d.catalogue.catalogue import Catalogue
    from shibumi3d.catalogue.lessons import Lesson
    from shibumi3d.catalogue.problems import ProvedProblem
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.catalogue.solo import SoloDeal
    from shibumi3d.match.match import Match
    from shibumi3d.match.record import Record
    from shibumi3d.match.store import MatchStore
    from shibumi3d.scene.rect import Rect
    from shibumi3d.search.review.results import Review

    from ..ui.canvas import Canvas, Picture
    from ..ui.widget import Root
    from .board_painter import BoardPainter
    from .courses import ProblemCourse
    from .file_chooser import FileChooser
    from .match_series import MatchSeries
    from .results import ResultsService
    from .services import Services
    from .settings import Settings
    from .solver import BackgroundSolver
    from .sound import SoundPlayer
    from .window_page import WindowPage


class Host(Protocol):
    """Interface through which pages use the rest of the program."""

    settings: Settings
    catalogue: Catalogue
    store: MatchStore
    root: Root
    canvas: Canvas
    sounds: SoundPlayer
    solver: BackgroundSolver
    file_chooser: FileChooser
    results: ResultsService
    reviews: dict[Hashable, Review]
    """Cache of finished reviews of matches."""
    services: Services
    """Services outside the program, such as the clipboard."""
    size: tuple[int, int]
    """Size of the window in pixels."""
    is_in_background: bool
    """Whether the window has lost focus and received no input since."""

    @property
    def scale(self) -> float:
        """Framebuffer pixels per logical pixel."""

    @property
    def current_page(self) -> WindowPage:
        """The page that the window shows."""

    @property
    def pages(self) -> Navigation:
        """Navigation to other pages."""

    @property
    def matches(self) -> Matches:
        """Service that starts, saves and opens matches."""

    @property
    def gallery(self) -> Gallery:
        """Thumbnails of games, matches, problems and deals."""

    def clock(self) -> float:
        """Return the time on the app's clock, in seconds.

        The clock starts at an arbitrary time, so only differences are meaningful.
        """

    def schedule(self, seconds: float, callback: Callable[[], None]) -> None:
        """Schedule a call to ``callback`` in ``seconds`` seconds."""

    def to_window_pixels(self, x: float, y: float) -> list[int]:
        """Convert a position on the page to a position in the window.

        ``x`` and ``y`` are in logical pixels. The result is in framebuffer pixels from the top left of the window.
        """

    def change_settings(self, **changes: Any) -> None:
        """Change settings, apply them and save them."""

    def show_message(self, message: str) -> None:
        """Show a message in a dialog."""

    def show_warning(self, message: str) -> None:
        """Show a warning, e.g. about an unreadable file, in a dialog that opens after the current event is handled.

        Each message is shown only once.
        """

    def show_page(self, page: WindowPage, *, silent: bool = False) -> None:
        """Replace the current page with ``page``.

        If ``silent`` is true, there is no sound and no fade, and the scroll position is kept. This is meant for
        replacing a page with a newer version of itself.
        """

    def relayout(self) -> None:
        """Lay out the page again, e.g. because it needs more height than before."""

    def scroll_to_top(self) -> None:
        """Scroll to the top left of the page."""

    def board_painter(self) -> BoardPainter:
        """Return the painter that draws the boards."""

    def fade_in(self, milliseconds: float, curve: Callable[[float], float]) -> None:
        """Fade the window in from blank paper.

        ``milliseconds`` is the duration of the fade at normal speed, and ``curve`` is its easing function.
        """

    def play_page_sound(self) -> None:
        """Play the sound of a page being turned."""

    def save_screenshot(self, title: str, area: Rect) -> None:
        """Save a screenshot of ``area`` to the pictures folder after the next redraw of the window.

        The file is named after ``title``. ``area`` is in logical pixels.
        """


class Navigation(Protocol):
    """Interface through which a page opens another without importing it."""

    def show_home(self) -> None:
        """Reload the user's own games and show the home page."""

    def show_saved_games(self) -> None:
        """Show the page with the saved games."""

    def show_statistics(self) -> None:
        """Show the statistics page."""

    path_row: int | None
    """Row of the path of first games from which the current match was started, or None."""

    def show_learning(self, row: int = 0) -> None:
        """Show the learning page.

        ``row`` is the row to select in the path of first games.
        """

    def show_problems(self, category: str = "") -> None:
        """Show the problems page.

        ``category`` is the name of the category to select, such as the ID of a game. By default, the daily problems are
        selected.
        """

    def show_problem(self, course: ProblemCourse, return_to: WindowPage | None = None) -> None:
        """Show the current problem of a course, or a message that says why it can't be shown.

        Leaving the problem leads back to ``return_to``, by default the problems page.
        """

    def show_ladder(self, entry: Entry) -> None:
        """Show the ladder of a solo game."""

    def show_tournaments(self) -> None:
        """Show the list of tournaments."""

    def show_tournament_setup(self) -> None:
        """Show the form for a new tournament."""

    def show_tournament(self, path: Path) -> None:
        """Show the tournament in the file at ``path``, or a message that says why it can't be read."""

    def show_tutorial(self) -> None:
        """Show the guide, which teaches how to rotate the board, place and lift marbles, and undo turns."""

    def show_match(self, match: Match, entry: Entry) -> None:
        """Show the page on which a match is played.

        This doesn't change where the match is saved.
        """

    def replace_match(self, match: Match, entry: Entry, note: str) -> None:
        """Show a match in place of the one on the screen, from the same camera position.

        ``note`` is a message to show on the new page.
        """

    def start_analysis(self) -> None:
        """Start analysing the match on the screen, if its page supports analysis."""

    def show_saved_match(
        self, match: Match, entry: Entry, day: date | None = None, file: Path | None = None
    ) -> None:
        """Show a replay of a saved match.

        ``day`` is the date on which the match was played, if known. ``file`` is the file of an unfinished match, which
        the user can continue from the replay.
        """

    def show_replay(
        self,
        match: Match,
        entry: Entry,
        return_to: WindowPage | None = None,
        *,
        autoplay: bool = False,
        loop_range: tuple[int, int] | None = None,
    ) -> None:
        """Show a replay of a match.

        Leaving the replay leads back to ``return_to``, by default the page of the match. If ``autoplay`` is true, the
        replay starts playing at once. If ``loop_range`` is given, that range of moves is played slowly in a loop.
        """

    def show_postcard(self, match: Match, entry: Entry) -> None:
        """Show the final position of a match, and offer to export it as a postcard."""

    def show_mistakes(
        self, match: Match, entry: Entry, return_to: WindowPage, review: Review | None = None
    ) -> None:
        """Show the page on which the user looks for better moves in a finished match.

        Leaving the page leads back to ``return_to``. ``review`` is the review of the match, if there is one.
        """

    def edit_position(self, match: Match, ply_count: int, entry: Entry) -> None:
        """Open the position editor with the position after the first ``ply_count`` moves of a match."""

    def edit_start_position(
        self,
        entry: Entry,
        names: Sequence[str],
        player_types: Sequence[str],
        size: int,
        variant: str,
        options: Mapping[str, int | str],
    ) -> None:
        """Open the position editor with the starting position of a game in the given setup."""

    def show_exercise(self, match: Match, entry: Entry) -> None:
        """Show the exercise of ``entry`` for the variant played in ``match``, if there is one."""

    def show_exercises(
        self,
        exercises: Sequence[tuple[Entry, Lesson]],
        index: int = 0,
        return_to: WindowPage | None = None,
        on_complete: Callable[[], None] | None = None,
    ) -> None:
        """Show the exercise at ``index`` in a sequence of exercises.

        Leaving an exercise leads back to ``return_to``, by default the home page. ``on_complete`` is called when the
        turn of the last exercise has been found or shown.
        """

    def show_game_designer(self, entry: Entry | None = None) -> None:
        """Show the game editor.

        The latest draft is opened, unless ``entry`` is a different game in the user's folder. In that case, ``entry``
        is opened.
        """

    def import_shared_game(self, line: str) -> None:
        """Open a shared game in the game editor, without saving it.

        ``line`` is the game as a line of text. If it is invalid, show an error message.
        """

    def show_settings(self) -> None:
        """Open the settings over the page."""

    def show_screen_reader_help(self) -> None:
        """Open the help for screen reader users over the page."""

    def show_shortcuts(self) -> None:
        """Open the list of the current page's keyboard shortcuts."""


class Gallery(Protocol):
    """Thumbnails of games, matches, problems and deals.

    Missing thumbnails are drawn in the background. Methods that return a thumbnail return None if it isn't ready yet or
    can't be drawn, or if thumbnails are disabled.
    """

    folder: Path | None
    """Folder for cached thumbnails, or None if thumbnails are disabled."""

    @property
    def is_busy(self) -> bool:
        """Whether any thumbnails are still being drawn or loaded."""

    def game_picture(self, entry: Entry) -> Picture | None:
        """Return the thumbnail of a game, or None if it isn't available."""

    def match_picture(self, file: Path, record_text: str, entry: Entry) -> Picture | None:
        """Return the thumbnail of a saved match, or None if it isn't available.

        ``record_text`` is the content of the match's file.
        """

    def position_picture(self, record_text: str, ply_count: int, entry: Entry) -> Picture | None:
        """Return the thumbnail of a match after ``ply_count`` moves, or None if it isn't ready or can't be drawn.

        ``record_text`` is the record of the match as text. A thumbnail that isn't ready is requested. Each call cancels
        the thumbnail requested by an earlier call, unless it is already being drawn.
        """

    def problem_picture(self, problem: ProvedProblem, entry: Entry) -> Picture | None:
        """Return the thumbnail of a problem's position, or None if it isn't available."""

    def deal_picture(self, deal: SoloDeal, entry: Entry) -> Picture | None:
        """Return the thumbnail of the position in which a deal begins, or None if it isn't available."""

    def preload(self, entries: Iterable[Entry]) -> None:
        """Draw the thumbnails of ``entries`` in advance, after all visible thumbnails have been drawn.

        ``entries`` replace those of an earlier call.
        """

    def cancel_pending(self) -> None:
        """Cancel all requests for thumbnails; a thumbnail that is already being drawn is still finished."""


class Matches(Protocol):
    """Service that starts, saves and opens matches, and reloads the rules of the match on the screen."""

    unfinished: Record | None
    """Unfinished match that was changed most recently, or None."""
    unfinished_path: Path | None
    current_path: Path | None
    """File in which the match on the screen is saved, or None."""
    series: MatchSeries | None
    """Series of matches between computer players that is being watched, or None."""
    last_game_id: str
    """ID of the game started most recently in this session, or an empty string."""

    def start(
        self,
        entry: Entry,
        names: list[str],
        size: int,
        variant: str,
        seed: int,
        deal: Mapping[str, str] | None = None,
        *,
        player_types: Sequence[str] = (),
        allow_repetition_claims: bool = True,
        options: Mapping[str, int | str] = MappingProxyType({}),
        settings: MatchSettings = DEFAULT_MATCH_SETTINGS,
        save_as_default: bool = True,
    ) -> None:
        """Start a match and show it, or show a message if it can't be started.

        ``deal`` predetermines some choices that are otherwise random. Seats without a player type are played by people.
        If ``allow_repetition_claims`` is true, a draw may be claimed when a position occurs for the third time. If
        ``save_as_default`` is true, people's names become the defaults for all games, and the player types, size,
        variant, options and settings become the defaults for this game.
        """

    def start_deal(self, deal: SoloDeal, entry: Entry) -> None:
        """Start a match with a deal from the ladder of a solo game, and show it.

        Shows a message instead if the match can't be started.
        """

    def play(self, match: Match, entry: Entry, path: Path | None = None) -> None:
        """Show a match, and save it after each further move.

        ``path`` is the file of the match, which this window must have claimed. By default, a new file is created.
        """

    def rematch(self, match: Match, entry: Entry, rotate_by: int = 0, *, same_deal: bool = False) -> None:
        """Start another match of the same game, after moving all players on by ``rotate_by`` seats.

        If ``same_deal`` is true, the new match has the same deal. Otherwise, it has a new seed.
        """

    def find_unfinished(self) -> None:
        """Find the unfinished match that was changed most recently.

        Sets :attr:`unfinished` to its record and :attr:`unfinished_path` to its file, or both to None if none is found.
        """

    def resume_unfinished(self) -> None:
        """Continue the match in :attr:`unfinished`, if there is one."""

    def open_path(self, path: Path) -> None:
        """Open a file of any kind: a saved match, a game, problems, or a text with a link or a shared game."""

    def open_file(self, path: Path) -> None:
        """Open a saved match: continue it if it is unfinished, or replay it if it is over.

        If the file isn't in the store or another window has it open, an unfinished match is continued in a copy. If the
        file can't be opened, a message says why.
        """

    def open_text(self, text: str) -> None:
        """Open what ``text`` contains: the record of a match, a shared game, or a link."""

    def parse_match(self, text: str) -> tuple[Match, Entry]:
        """Parse the record of a match, and return the match and its game.

        Raises RecordError, CatalogueError, GameFileError or ValueError if the record is invalid, or if its game is
        invalid or unknown.
        """

    def game_file(self, entry: Entry) -> Path | None:
        """Return the path of a game's file, or None for a built-in game."""

    def reload_rules(self, match: Match, entry: Entry, path: Path) -> Match | str:
        """Reload a match's rules from ``path``, replay its moves under the new rules, and show the new match.

        Returns the new match, or a message if the rules can't be read, are invalid or don't allow the moves played.
        """

    def prepare_continuation(self, match: Match) -> None:
        """If the match on the screen is over, start a new file for its continuation from an earlier position.

        ``match`` must be the match on the screen. The original file keeps the result.
        """

    def mark_solution_shown(self, match: Match) -> None:
        """Record that the program has shown the solution of the puzzle played in this match."""

    def record_result(self, match: Match) -> None:
        """Record the result of ``match``, the match being shown."""

    def release_current(self) -> None:
        """Release the file of the match on the screen, so that another window can continue the match."""
