"""What a page may ask of the program, as protocols: pages, their parts and tests know no more of it."""

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
    """The program, for a page."""

    settings: Settings
    config: Path
    """The folder of the settings."""
    catalogue: Catalogue
    store: Store
    root: Root
    canvas: Canvas
    sounds: Sounds
    solver: BackgroundSolver
    results: Keeper
    reviews: dict[Hashable, Review]
    """The finished reviews of matches, by what was played."""
    clock: Callable[[], float]
    """Tells the time in seconds."""
    later: Callable[[float, Callable[[], None]], None]
    """Calls a function after so many seconds."""

    @property
    def scale(self) -> float:
        """Pixels a logical pixel."""

    @property
    def stage(self) -> Stage:
        """What the window shows."""

    @property
    def pages(self) -> Pages:
        """The ways to other pages."""

    @property
    def matches(self) -> Matches:
        """The match on the screen, and how others begin."""

    @property
    def gallery(self) -> Gallery:
        """The pictures of games and records."""

    def pixels(self, x: float, y: float) -> list[int]:
        """Return a logical place in pixels from the top left of the window."""

    def change(self, **changes: Any) -> None:
        """Change settings, show the effect and keep them."""

    def tell(self, sentence: str) -> None:
        """Show a sentence until the next input."""

    def warn(self, sentence: str) -> None:
        """Tell what can't be kept or read, over whichever page shows next; each sentence once."""


class Stage(Protocol):
    """What the window shows."""

    size: tuple[int, int]
    """Of the window in pixels."""
    away: bool
    """Whether the window went into the background, without input since."""
    pictures: Path
    """Where pictures of the board are kept."""

    @property
    def screen(self) -> Screen:
        """The page on the window."""

    def show(self, screen: Screen, *, quietly: bool = False) -> None:
        """Make ``screen`` the page; ``quietly`` where it is the one before, made anew."""

    def refit(self) -> None:
        """Make the page as high as it needs to be now, and lay it out."""

    def to_top(self) -> None:
        """Show the beginning of a page that is larger than the window."""

    def painter(self) -> Painter:
        """Return what draws the boards."""

    def fade_in(self, milliseconds: float, curve: Callable[[float], float]) -> None:
        """Let the window come out of plain paper within so many milliseconds."""

    def rustle(self) -> None:
        """Play the sound of paper that moves."""

    def keep_picture(self, title: str, area: Rect) -> None:
        """Write what ``area`` of the window shows to a file among the person's pictures."""


class Pages(Protocol):
    """The ways to other pages: no page knows another."""

    def home(self) -> None:
        """Go to the first page; games of the user's own are read anew."""

    def kept(self) -> None:
        """Show the matches that were kept."""

    def results(self) -> None:
        """Show what was won and lost."""

    def problems(self, chosen: str = "") -> None:
        """Show the page of problems, with those of a day, of a streak or of a game chosen."""

    def problem(self, course: Course, came: Screen | None = None) -> None:
        """Show the problem at which a course stands; one comes back to ``came``, else to the page of problems."""

    def guide(self) -> None:
        """Show the first steps, from the page on the window."""

    def play(self, match: Match, entry: Entry) -> None:
        """Show the page on which a match is played; it is kept as it was before."""

    def play_on(self, match: Match, entry: Entry, note: str) -> None:
        """Show a match in the place of the one on the window, as it was looked at, and say ``note``."""

    def analyse(self) -> None:
        """Begin to analyse the match on the window, where its table can."""

    def over(self, match: Match, entry: Entry, day: date | None = None, file: Path | None = None) -> None:
        """Show a match again that was played on ``day``; one that is not over goes on from its ``file``."""

    def replay(
        self,
        match: Match,
        entry: Entry,
        came: Screen | None = None,
        *,
        running: bool = False,
        again: tuple[int, int] | None = None,
    ) -> None:
        """Show a match again; one comes back to ``came``.

        It is ``running`` from its beginning, or the moves of the span ``again`` run slowly, round and round.
        """

    def postcard(self, match: Match, entry: Entry) -> None:
        """Offer a postcard of the end of a match."""

    def find(self, match: Match, entry: Entry, came: Screen, found: Review | None = None) -> None:
        """Let turns be found that were better than those played in a match that is over; one comes back to ``came``.

        ``found`` is what is known of it.
        """

    def edit(self, match: Match, plies: int, entry: Entry) -> None:
        """Open the bench on which positions are laid out, with what stands in a match after so many moves."""

    def edit_game(
        self,
        entry: Entry,
        names: Sequence[str],
        kinds: Sequence[str],
        size: int,
        variant: str,
        options: Mapping[str, int | str],
    ) -> None:
        """Open the bench on which positions are laid out, with a game as it is set up."""

    def lesson(self, match: Match, entry: Entry) -> None:
        """Show the position to try of the game that is played."""

    def design(self, entry: Entry | None = None) -> None:
        """Show the page on which games are made: with ``entry``, a game of one's own, or the draft that was left."""

    def take_in(self, line: str) -> None:
        """Show the game that a line tells, to be looked at before it is saved; or say what is wrong with the line."""

    def settings(self) -> None:
        """Open the settings over the page."""

    def keys(self) -> None:
        """Open the sheet of keys of the page."""


class Gallery(Protocol):
    """Pictures of games and records; None while one is still to come."""

    folder: Path | None
    """Where they are kept; without one there are none."""

    @property
    def busy(self) -> bool:
        """Whether pictures are still to come."""

    def game(self, entry: Entry) -> Picture | None:
        """Return the picture of a game; None while it is still to come."""

    def record(self, file: Path, told: str, entry: Entry) -> Picture | None:
        """Return the picture of a match that was kept, None while it is still to come; ``told`` is what its file
        says.
        """

    def moment(self, told: str, plies: int, entry: Entry) -> Picture | None:
        """Return the picture of a match after so many moves, None while it is still to come; ``told`` is its record."""

    def draw_all(self, entries: Iterable[Entry]) -> None:
        """Draw the pictures of these games too, when nothing in sight is wanted any more."""

    def rest(self) -> None:
        """Begin no more pictures: only what is under way is drawn."""


class Matches(Protocol):
    """The match on the screen: begun, kept in a file, opened, played under other rules."""

    saved: Record | None
    """The match that was being played last."""
    saved_path: Path | None
    kept: Path | None
    """The file in which the match on the screen is kept."""
    series: Series | None
    """What the matches between computers that are watched have brought."""
    last_game: str
    """The id of the game played last since the program began."""

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
        """Begin a match, from ``deal`` where it says what chance would, and show it; ``remember``: the next one begins
        with these names and choices."""

    def play(self, match: Match, entry: Entry, path: Path | None = None) -> None:
        """Show a match; from its next move on it is kept, in the file ``path`` if that is claimed."""

    def rematch(self, match: Match, entry: Entry, shift: int = 0, *, same: bool = False) -> None:
        """Begin the same game again, everybody ``shift`` seats on; from another seed, or the ``same`` deal."""

    def look_for_saved(self) -> None:
        """Find the match that was being played last."""

    def resume(self) -> None:
        """Take up the match that was being played last."""

    def open_path(self, path: Path) -> None:
        """Open a record: an unfinished match is played on, a finished one is shown."""

    def match_of(self, words: str) -> tuple[Match, Entry]:
        """Return the match that a text tells. Raises RecordError, CatalogueError, GameFileError or ValueError."""

    def file_of(self, entry: Entry) -> Path | None:
        """Return the file of a game that did not come with the program; None for others."""

    def reread(self, match: Match, entry: Entry, path: Path) -> Match | str:
        """Return the match under the rules that its file has now; a sentence when these do not carry it."""

    def part(self, match: Match) -> None:
        """Let a match that is over go on from before its end: its file keeps that end, and what is played now goes
        into a copy.
        """

    def was_shown(self, match: Match) -> None:
        """Note that the program plays the solution of a puzzle that somebody was to find."""

    def ended(self, match: Match) -> None:
        """Note that the match on the screen is over."""

    def leave(self) -> None:
        """Give up the match on the screen, so that another program may take it up."""
