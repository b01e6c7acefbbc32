"""Protocols through which pages and their parts use the program.

Pages depend on nothing else of it, and tests can substitute their own.
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
    """The program, as seen by a page."""

    settings: Settings
    config: Path
    """Folder of the settings."""
    catalogue: Catalogue
    store: Store
    root: Root
    canvas: Canvas
    sounds: Sounds
    solver: BackgroundSolver
    results: Keeper
    reviews: dict[Hashable, Review]
    """Finished reviews of matches, by the moves played."""
    clock: Callable[[], float]
    """Returns the current time in seconds."""
    later: Callable[[float, Callable[[], None]], None]
    """Calls a function after a delay in seconds."""

    @property
    def scale(self) -> float:
        """Pixels per logical pixel."""

    @property
    def stage(self) -> Stage:
        """The window: its page, size and effects."""

    @property
    def pages(self) -> Pages:
        """Navigation to other pages."""

    @property
    def matches(self) -> Matches:
        """The match on the screen, and ways to start or open others."""

    @property
    def gallery(self) -> Gallery:
        """Thumbnails of games and saved matches."""

    def pixels(self, x: float, y: float) -> list[int]:
        """Convert a logical position to pixels from the top left of the window."""

    def change(self, **changes: Any) -> None:
        """Change settings, apply them and save them."""

    def tell(self, sentence: str) -> None:
        """Show a message in a dialog."""

    def warn(self, sentence: str) -> None:
        """Report a problem in a dialog over the next page shown, e.g. a file that can't be read.

        The same message is shown only once.
        """


class Stage(Protocol):
    """The window: its page, size and effects."""

    size: tuple[int, int]
    """Size of the window in pixels."""
    away: bool
    """Whether the window went to the background and there has been no input since."""
    pictures: Path
    """Folder for screenshots and exported pictures."""

    @property
    def screen(self) -> Screen:
        """Current page."""

    def show(self, screen: Screen, *, quietly: bool = False) -> None:
        """Replace the current page by ``screen``.

        Set ``quietly`` to replace a page by a newer version of itself, without sound or fade.
        """

    def refit(self) -> None:
        """Lay out the page again, at the height it needs now."""

    def to_top(self) -> None:
        """Scroll to the top of a page that is larger than the window."""

    def painter(self) -> Painter:
        """Return the painter that draws the boards."""

    def fade_in(self, milliseconds: float, curve: Callable[[float], float]) -> None:
        """Fade the window in from a blank page; ``curve`` is the easing function."""

    def rustle(self) -> None:
        """Play the page sound."""

    def keep_picture(self, title: str, area: Rect) -> None:
        """Save a screenshot of ``area`` to the pictures folder.

        The file is written once the window has been drawn again.
        """


class Pages(Protocol):
    """Navigation between pages, which don't know each other."""

    def home(self) -> None:
        """Show the home page, and reload the user's own games."""

    def kept(self) -> None:
        """Show the saved games."""

    def results(self) -> None:
        """Show the results page."""

    def problems(self, chosen: str = "") -> None:
        """Show the problems page.

        ``chosen`` selects the daily problems (the default), the streak or the problems of a game.
        """

    def problem(self, course: Course, came: Screen | None = None) -> None:
        """Show the current problem of a course.

        Leaving it returns to ``came``, by default to the problems page.
        """

    def guide(self) -> None:
        """Show the tutorial."""

    def play(self, match: Match, entry: Entry) -> None:
        """Show the page on which a match is played. Where the match is saved doesn't change."""

    def play_on(self, match: Match, entry: Entry, note: str) -> None:
        """Show a match in place of the one on the screen, with the same view, and display ``note``."""

    def analyse(self) -> None:
        """Start analysing the match on the screen, if its page supports that."""

    def over(self, match: Match, entry: Entry, day: date | None = None, file: Path | None = None) -> None:
        """Show a replay of a match that was played on ``day``.

        An unfinished match can be continued from ``file``.
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
        """Show a replay of a match; leaving it returns to ``came``.

        If ``running``, it plays from the start. If ``again`` is given, the moves of that span are played slowly in a
        loop.
        """

    def postcard(self, match: Match, entry: Entry) -> None:
        """Show the final position of a match and offer to export it as a postcard."""

    def find(self, match: Match, entry: Entry, came: Screen, found: Review | None = None) -> None:
        """Let the user look for better moves than those played in a finished match.

        Leaving the page returns to ``came``. ``found`` is the review of the match, if there is one.
        """

    def edit(self, match: Match, plies: int, entry: Entry) -> None:
        """Open the position editor with the position of a match after ``plies`` moves."""

    def edit_game(
        self,
        entry: Entry,
        names: Sequence[str],
        kinds: Sequence[str],
        size: int,
        variant: str,
        options: Mapping[str, int | str],
    ) -> None:
        """Open the position editor with the starting position of a game set up like this."""

    def lesson(self, match: Match, entry: Entry) -> None:
        """Show the practice position of the match's game."""

    def design(self, entry: Entry | None = None) -> None:
        """Show the game editor.

        It opens ``entry`` if that is one of the user's own games, otherwise the last draft.
        """

    def take_in(self, line: str) -> None:
        """Open a game shared as a line of text in the game editor, without saving it.

        If the line is invalid, show what is wrong with it.
        """

    def settings(self) -> None:
        """Open the settings over the page."""

    def keys(self) -> None:
        """Open the list of the page's keyboard shortcuts."""


class Gallery(Protocol):
    """Thumbnails of games and saved matches.

    Missing ones are drawn in the background; until then the methods return None.
    """

    folder: Path | None
    """Cache folder, or None to have no thumbnails."""

    @property
    def busy(self) -> bool:
        """Whether thumbnails are still being drawn or read."""

    def game(self, entry: Entry) -> Picture | None:
        """Return the thumbnail of a game, or None if it isn't ready yet."""

    def record(self, file: Path, told: str, entry: Entry) -> Picture | None:
        """Return the thumbnail of a saved match, or None if it isn't ready yet.

        ``told`` is the content of its file.
        """

    def moment(self, told: str, plies: int, entry: Entry) -> Picture | None:
        """Return the thumbnail of a match after ``plies`` moves, or None if it isn't ready yet.

        ``told`` is the record of the match.
        """

    def draw_all(self, entries: Iterable[Entry]) -> None:
        """Draw the thumbnails of these games once all visible ones are done."""

    def rest(self) -> None:
        """Cancel all thumbnails whose drawing hasn't started."""


class Matches(Protocol):
    """The match on the screen: starting, saving, opening it and reloading its rules."""

    saved: Record | None
    """Unfinished match that was changed last, or None."""
    saved_path: Path | None
    kept: Path | None
    """File in which the match on the screen is saved."""
    series: Series | None
    """Results of the series of computer matches being watched."""
    last_game: str
    """Id of the last game played since the program started."""

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

        ``deal`` sets some of the choices otherwise made by chance. With ``remember``, the names and options become the
        defaults of the next match.
        """

    def play(self, match: Match, entry: Entry, path: Path | None = None) -> None:
        """Show a match, and save it from its next move on.

        ``path`` is its file if already claimed for this window; otherwise it gets a new one.
        """

    def rematch(self, match: Match, entry: Entry, shift: int = 0, *, same: bool = False) -> None:
        """Start another match of the same game, with all players ``shift`` seats further on.

        It has a new seed, or the ``same`` deal.
        """

    def look_for_saved(self) -> None:
        """Find the unfinished match that was changed last."""

    def resume(self) -> None:
        """Continue the unfinished match that was changed last."""

    def open_path(self, path: Path) -> None:
        """Open a saved match: continue it if it is unfinished, replay it otherwise."""

    def match_of(self, words: str) -> tuple[Match, Entry]:
        """Parse a match from the text of its record.

        Raises RecordError, CatalogueError, GameFileError or ValueError.
        """

    def file_of(self, entry: Entry) -> Path | None:
        """Return the file of a game, or None if it is a built-in one."""

    def reread(self, match: Match, entry: Entry, path: Path) -> Match | str:
        """Reload the rules of a match from ``path``; replay its moves and show it.

        Returns the new match, or a message if the rules are invalid or don't allow the moves played.
        """

    def part(self, match: Match) -> None:
        """Prepare to continue a match from an earlier position.

        If the match is over, its file keeps the result, and the match continues in a copy.
        """

    def was_shown(self, match: Match) -> None:
        """Record that the program shows the solution of the puzzle being played."""

    def ended(self, match: Match) -> None:
        """Record that the match on the screen is over."""

    def leave(self) -> None:
        """Release the file of the match on the screen, so that another window may continue it."""
