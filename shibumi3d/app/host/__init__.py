"""Protocols through which pages and their parts use the program.

Pages depend on nothing else in the program, so tests can substitute their own implementations.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from .terms import USUAL, Terms

if TYPE_CHECKING:
    from datetime import date

    from shibumi3d.catalogue.catalogue import Catalogue
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.match.match import Match
    from shibumi3d.match.record import Record
    from shibumi3d.match.store import Store
    from shibumi3d.scene.rect import Rect
    from shibumi3d.search.review.moments import Review

    from ..ui.canvas import Canvas, Picture
    from ..ui.core import Root
    from .courses import Course
    from .keeper import Keeper
    from .painter import Painter
    from .screen import Screen
    from .series import Series
    from .settings import Settings
    from .solver import BackgroundSolver
    from .sound import Sounds


class Host(Protocol):
    """The program, as pages see it."""

    settings: Settings
    config: Path
    """Folder that contains the settings."""
    catalogue: Catalogue
    store: Store
    root: Root
    canvas: Canvas
    sounds: Sounds
    solver: BackgroundSolver
    results: Keeper
    reviews: dict[Hashable, Review]
    """Cache of finished reviews of matches."""
    clock: Callable[[], float]
    """Function that returns the current time in seconds."""
    later: Callable[[float, Callable[[], None]], None]
    """Function that schedules a call after a delay in seconds."""

    @property
    def scale(self) -> float:
        """Pixels per logical pixel."""

    @property
    def stage(self) -> Stage:
        """The window: its current page, size and effects."""

    @property
    def pages(self) -> Pages:
        """Navigation to other pages."""

    @property
    def matches(self) -> Matches:
        """The match on the screen, and actions that start or open others."""

    @property
    def gallery(self) -> Gallery:
        """Thumbnails of games and saved matches."""

    def pixels(self, x: float, y: float) -> list[int]:
        """Convert a logical position to pixels, measured from the top left of the window."""

    def change(self, **changes: Any) -> None:
        """Change settings, apply them and save them."""

    def tell(self, sentence: str) -> None:
        """Show a message in a dialog."""

    def warn(self, sentence: str) -> None:
        """Report a problem, such as an unreadable file, in a dialog over the next page shown.

        Each message is shown only once.
        """


class Stage(Protocol):
    """The window: its current page, size and effects."""

    size: tuple[int, int]
    """Size of the window in pixels."""
    away: bool
    """Whether the window has gone to the background and there has been no input since."""
    pictures: Path
    """Folder for screenshots and exported pictures."""

    @property
    def screen(self) -> Screen:
        """Current page."""

    def show(self, screen: Screen, *, quietly: bool = False) -> None:
        """Replace the current page with ``screen``.

        If ``quietly`` is true, there is no sound and no fade. This is meant for replacing a page with a newer version
        of itself.
        """

    def refit(self) -> None:
        """Lay out the page again, with the height that it needs now."""

    def to_top(self) -> None:
        """Scroll to the top of a page that is larger than the window."""

    def painter(self) -> Painter:
        """Return the painter that draws the boards."""

    def fade_in(self, milliseconds: float, curve: Callable[[float], float]) -> None:
        """Fade in the window from a blank page; ``curve`` is the easing function."""

    def rustle(self) -> None:
        """Play the sound of turning a page."""

    def keep_picture(self, title: str, area: Rect) -> None:
        """Save a screenshot of ``area`` to the pictures folder.

        The file is written after the next redraw of the window.
        """


class Pages(Protocol):
    """Navigation between pages, which don't know about each other."""

    def home(self) -> None:
        """Reload the user's own games and show the home page."""

    def kept(self) -> None:
        """Show the page with the saved games."""

    def results(self) -> None:
        """Show the results page."""

    def problems(self, chosen: str = "") -> None:
        """Show the problems page.

        ``chosen`` selects the daily problems (the default), the streak, or the problems of a game.
        """

    def problem(self, course: Course, came: Screen | None = None) -> None:
        """Show the current problem of a course.

        The page returns to ``came``, by default the problems page.
        """

    def guide(self) -> None:
        """Show the tutorial."""

    def play(self, match: Match, entry: Entry) -> None:
        """Show the page on which a match is played. This doesn't change where the match is saved."""

    def play_on(self, match: Match, entry: Entry, note: str) -> None:
        """Show a match in place of the one on the screen, with the same camera.

        ``note`` is a message to show with it.
        """

    def analyse(self) -> None:
        """Start analysing the match on the screen, if its page supports analysis."""

    def over(self, match: Match, entry: Entry, day: date | None = None, file: Path | None = None) -> None:
        """Show a replay of a match that was played on ``day``.

        If the match is unfinished, the user can continue it from ``file``.
        """

    def replay(
        self,
        match: Match,
        entry: Entry,
        came: Screen | None = None,
        *,
        running: bool = False,
        again: tuple[int, int] | None = None,
    ) -> None:
        """Show a replay of a match. The page returns to ``came``.

        If ``running`` is true, the replay plays from the start. If ``again`` is given, that range of moves is played
        slowly in a loop.
        """

    def postcard(self, match: Match, entry: Entry) -> None:
        """Show the final position of a match, and offer to export it as a postcard."""

    def find(self, match: Match, entry: Entry, came: Screen, found: Review | None = None) -> None:
        """Show the page on which the user looks for better moves than those of a finished match.

        The page returns to ``came``. ``found`` is the review of the match, if there is one.
        """

    def edit(self, match: Match, plies: int, entry: Entry) -> None:
        """Open the position editor with the position after the first ``plies`` moves of a match."""

    def edit_game(
        self,
        entry: Entry,
        names: Sequence[str],
        kinds: Sequence[str],
        size: int,
        variant: str,
        options: Mapping[str, int | str],
    ) -> None:
        """Open the position editor with the starting position of a game in the given setup."""

    def lesson(self, match: Match, entry: Entry) -> None:
        """Show the exercise of the match's game."""

    def design(self, entry: Entry | None = None) -> None:
        """Show the game editor.

        If ``entry`` is one of the user's own games, it is opened; otherwise, the latest draft is opened.
        """

    def take_in(self, line: str) -> None:
        """Open a shared game in the game editor, without saving it.

        The game is given as a line of text. If the line is invalid, show an error message.
        """

    def settings(self) -> None:
        """Open the settings over the page."""

    def keys(self) -> None:
        """Open the list of the page's keyboard shortcuts."""


class Gallery(Protocol):
    """Thumbnails of games and saved matches.

    Missing thumbnails are drawn in the background. Until a thumbnail is ready, the method for it returns None.
    """

    folder: Path | None
    """Folder for cached thumbnails, or None to disable thumbnails."""

    @property
    def busy(self) -> bool:
        """Whether any thumbnails are still being drawn or loaded."""

    def game(self, entry: Entry) -> Picture | None:
        """Return the thumbnail of a game, or None if it isn't ready yet."""

    def record(self, file: Path, told: str, entry: Entry) -> Picture | None:
        """Return the thumbnail of a saved match, or None if it isn't ready yet.

        ``told`` is the content of the match's file.
        """

    def moment(self, told: str, plies: int, entry: Entry) -> Picture | None:
        """Return the thumbnail of a match after ``plies`` moves, or None if it isn't ready yet.

        ``told`` is the record of the match as text.
        """

    def draw_all(self, entries: Iterable[Entry]) -> None:
        """Draw the thumbnails of these games once all visible thumbnails have been drawn."""

    def rest(self) -> None:
        """Cancel all thumbnails that aren't being drawn yet."""


class Matches(Protocol):
    """The match on the screen: starts, saves and opens matches, and reloads their rules."""

    saved: Record | None
    """Unfinished match that was changed most recently, or None."""
    saved_path: Path | None
    kept: Path | None
    """File in which the match on the screen is saved."""
    series: Series | None
    """Results of the series of matches between computers that is being watched."""
    last_game: str
    """Id of the game played most recently since the program started."""

    def start(
        self,
        entry: Entry,
        names: list[str],
        size: int,
        variant: str,
        seed: int,
        deal: Mapping[str, str] | None = None,
        *,
        kinds: Sequence[str] = (),
        repetition: bool = True,
        options: Mapping[str, int | str] = MappingProxyType({}),
        terms: Terms = USUAL,
        remember: bool = True,
    ) -> None:
        """Start a match and show it.

        ``deal`` sets some of the choices that are otherwise random. If ``remember`` is true, the names and options
        become the defaults for the next match.
        """

    def play(self, match: Match, entry: Entry, path: Path | None = None) -> None:
        """Show a match, and save it after each further move.

        ``path`` is the file of the match, if this window has already claimed a file. Otherwise, a new file is created.
        """

    def rematch(self, match: Match, entry: Entry, shift: int = 0, *, same: bool = False) -> None:
        """Start another match of the same game, after moving all players on by ``shift`` seats.

        It has a new seed or, if ``same`` is true, the same deal.
        """

    def look_for_saved(self) -> None:
        """Find the unfinished match that was changed most recently."""

    def resume(self) -> None:
        """Continue the unfinished match that was changed most recently."""

    def open_path(self, path: Path) -> None:
        """Open a saved match: continue it if it is unfinished, otherwise replay it."""

    def match_of(self, words: str) -> tuple[Match, Entry]:
        """Parse the record of a match.

        Raises RecordError, CatalogueError, GameFileError or ValueError.
        """

    def file_of(self, entry: Entry) -> Path | None:
        """Return the file of a game, or None for a built-in game."""

    def reread(self, match: Match, entry: Entry, path: Path) -> Match | str:
        """Reload the rules of a match from ``path``, replay its moves under them, and show it.

        Returns the new match, or a message if the rules are invalid or don't allow the moves played.
        """

    def part(self, match: Match) -> None:
        """Prepare to continue a match from an earlier position.

        If the match is over, its file keeps the result, and play continues in a copy.
        """

    def was_shown(self, match: Match) -> None:
        """Record that the program has shown the solution of this match, which counts as a puzzle."""

    def ended(self, match: Match) -> None:
        """Record that the match on the screen is over."""

    def leave(self) -> None:
        """Release the file of the match on the screen, so that another window can continue the match."""
