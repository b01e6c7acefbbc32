"""Screenshots of every page in every language and several window sizes: ``python -m tools.pages --out DIR``.

They need no display. Each picture is what the window shows when nothing moves. ``--size``, ``--lang`` and ``--only``
limit the pictures. ``--look`` chooses other colours: night colours, high contrast, or clear colours that everybody can
tell apart. The clear colours can also be shown as people with different kinds of colour vision see them, or in
greyscale. Games without marbles are drawn with the fewest and with the most seats, in 3D and as flat plans.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from shibumi3d import files, i18n
from shibumi3d.app.host.courses import GameCourse
from shibumi3d.app.host.match_settings_card import MatchSettingsButton
from shibumi3d.app.host.problems import problems_of_game
from shibumi3d.app.host.settings import Settings, save_settings
from shibumi3d.app.host.tournaments import tournament_store
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.match.scene_view.page import SceneMatchPage
from shibumi3d.app.match.side_panel import OPENINGS_TAB
from shibumi3d.app.pages.game_designer.page import GameDesignerPage
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.pages.learning import TABS as LEARNING_TABS
from shibumi3d.app.pages.learning import LearningPage
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.app.pages.tournaments.setup import TournamentSetupPage
from shibumi3d.app.platform.window import ProgramWindow
from shibumi3d.catalogue import catalogue
from shibumi3d.catalogue.shown_problems import tip_lessons
from shibumi3d.match.store import MatchStore
from shibumi3d.match.tournament import (
    BY_HAND,
    KNOCKOUT,
    SWISS,
    WIN_FIRST,
    WIN_SECOND,
    TournamentGame,
    TournamentPlayer,
    new_tournament,
)
from shibumi3d.render.png import encode_png
from shibumi3d.rules.registry import DEFAULT_KIND
from shibumi3d.scene.colour_vision import simulate_colour_vision_srgb
from shibumi3d.scene.palette import COLOUR_VISION_MATRICES
from shibumi3d.scene.rect import Rect
from shibumi3d.search.levels import LEVELS


class Size(NamedTuple):
    """Window size in pixels, and the scale of the interface in percent."""

    width: int
    height: int
    scale: int = 100

    def __str__(self) -> str:
        return f"{self.width}x{self.height}" + (f"@{self.scale}" if self.scale != 100 else "")


SIZES = (
    Size(640, 480),
    Size(900, 600),
    Size(1280, 720),
    Size(1920, 1080),
    Size(2560, 1440, 150),
    Size(3840, 2160, 200),
    Size(1280, 720, 200),
    Size(1280, 720, 300),
    Size(1920, 1080, 300),
)
PLAYER_NAMES = ("Aiko", "Ben", "Dora", "Emil", "Fay", "Gus", "Hal", "Ira", "Jon", "Kim")
LOOKS = ("day", "night", "clear", "strong", "strong-night", *COLOUR_VISION_MATRICES)
MOVES_PER_SEAT = 4
"""Number of moves that are made for each seat before a table is drawn."""
MAX_SETTLE_SECONDS = 120.0
"""Maximum real time, in seconds, that a page may take to come to rest.

The first page takes longest, since thumbnails of all games are drawn for it.
"""


class Sitter:
    """Window with a simulated clock, for taking screenshots."""

    def __init__(self, window: ProgramWindow, folder: Path) -> None:
        self.window, self.app = window, window.app
        self.now = 1000.0
        self.waiting: list[tuple[float, Callable[[], None]]] = []
        self.app.services.clock = lambda: self.now
        self.app.services.schedule = lambda delay, what: self.waiting.append((self.now + delay, what))
        self.app.store = MatchStore(folder / "matches")
        self.app.services.config_folder = folder / "config"
        self.eyes = ""

    def take(self, size: Size, language: str, look: str) -> None:
        """Resize the window, set its scale, language and look, and reset all other settings.

        ``size`` holds both the window size and the scale of the interface. ``look`` is one of the :data:`LOOKS`.
        Marbles have the clear colours if it is "clear" or a key of :data:`COLOUR_VISION_MATRICES`. With such a key,
        :meth:`picture` also simulates that kind of colour vision. The players are named :data:`PLAYER_NAMES`.
        """
        tone = "night" if look.endswith("night") else "day"
        strong = look.startswith("strong")
        marbles = "standard" if look in ("day", "night") or strong else "clear"
        self.eyes = look if look in COLOUR_VISION_MATRICES else ""
        self.app.settings = Settings(
            language=language,
            scale=size.scale,
            theme=tone,
            contrast=strong,
            marbles=marbles,
            names=PLAYER_NAMES,
        )
        self.app.services.pixel_density = 1.0
        i18n.set_language(language)
        self.app.change_settings(theme="night" if tone == "day" else "day")
        self.app.change_settings(theme=tone)
        self.app.resize(size.width, size.height)

    def rest(self) -> None:
        """Advance the simulated clock until nothing moves and no work is left, then draw the window.

        The clock advances in steps of 0.1 seconds. The window has come to rest after 30 steps in which nothing moves,
        no redraw is pending, the gallery has no pictures to load and no draft is being checked. A movement or a pending
        redraw restarts this count. After :data:`MAX_SETTLE_SECONDS` seconds of real time, the window is drawn even if
        it hasn't come to rest.
        """
        end = time.monotonic() + MAX_SETTLE_SECONDS
        calm = 0
        while calm < 30 and time.monotonic() < end:
            self.now += 0.1
            due = [what for when, what in self.waiting if when <= self.now]
            self.waiting = [item for item in self.waiting if item[0] > self.now]
            for what in due:
                what()
            if not self.app.is_resting:
                self.window.draw()
                calm = 0
            elif self.app.gallery.is_busy:
                time.sleep(0.02)
            elif (
                isinstance(self.app.current_page, GameDesignerPage)
                and self.app.current_page.draft.is_checking
            ):
                time.sleep(0.1)  # another process reads the draft, in real time
            else:
                calm += 1
        self.app.root.dirty = True
        self.window.draw()

    def picture(self) -> bytes:
        """Return a screenshot of the window at rest, as PNG.

        If a colour vision deficiency is set, it is simulated.
        """
        # When everything has stopped, something newly visible may start to fade in.
        for _ in range(2):
            self.rest()
            self.app.root.dirty = True
            self.window.draw()
        pixels = self.app.canvas.read_pixels(Rect(0, 0, *self.app.root.size))
        return encode_png(simulate_colour_vision_srgb(pixels, self.eyes) if self.eyes else pixels)

    def start(self, game: str, moves: int = 0) -> MarbleMatchPage:
        """Start a match, play up to ``moves`` random moves, and return its page.

        Fewer moves are played if the match ends first. The moves are the same each time.
        """
        entry = self.app.catalogue.get(game)
        seats = max(entry.players[0], min(entry.players[1], 2))
        self.app.matches.start(entry, list(PLAYER_NAMES[:seats]), entry.size, "", 1)
        page = self.app.current_page
        assert isinstance(page, MarbleMatchPage)
        chance = random.Random(1)
        for _ in range(moves):
            if page.controller.moves:
                self.app.root.close_popups()
                page.actions.play_move(chance.choice(page.controller.moves))
        return page


def home(sitter: Sitter) -> None:
    """Open the home page, with a match to resume."""
    sitter.start("spline", 5)
    sitter.app.pages.show_home()


def found(sitter: Sitter) -> None:
    """Open the home page and search for ``conn``."""
    sitter.app.pages.show_home()
    sitter.app.root.type_text("conn")


def play(sitter: Sitter) -> None:
    """Open a match."""
    sitter.start("spline-plus", 7)


def rules(sitter: Sitter) -> None:
    """Open a match with its rules in the side panel."""
    page = sitter.start("spargo", 6)
    if page.side_panel.is_expanded:
        page.side_panel.show_rules()
    else:
        page.side_panel.toggle()
        page.tabs.select(1)


def openings(sitter: Sitter) -> None:
    """Open a match with opening statistics in the side panel."""
    page = sitter.start("span", 2)
    if not page.side_panel.is_expanded:
        page.side_panel.toggle()
    page.tabs.select(OPENINGS_TAB)


def many(sitter: Sitter) -> None:
    """Open a match with several seats and stocks."""
    sitter.start("spangle", 0)


def settings(sitter: Sitter) -> None:
    """Open the settings over a match."""
    sitter.start("spline", 6)
    sitter.app.pages.show_settings()


def keys(sitter: Sitter) -> None:
    """Open the list of keyboard shortcuts over a match."""
    sitter.start("spline", 2)
    sitter.app.pages.show_shortcuts()


def sightless(sitter: Sitter) -> None:
    """Open the help on playing with a screen reader."""
    home(sitter)
    sitter.app.pages.show_screen_reader_help()


def replay(sitter: Sitter) -> None:
    """Open the replay of a match."""
    page = sitter.start("spline", 8)
    sitter.app.show_page(ReplayPage(sitter.app, page.match, page.entry))


def puzzle(sitter: Sitter) -> None:
    """Open a solo game."""
    sitter.start("spuzzle", 2)


def curtain(sitter: Sitter) -> None:
    """Open a match at the moment when the device is handed to the other player."""
    sitter.start("spagyric", 1)


def plan(sitter: Sitter) -> None:
    """Open a match and show it as a flat plan."""
    sitter.start("spline", 6).toggle_flat_view()


def end(sitter: Sitter) -> None:
    """Open a match that is over."""
    sitter.start("spline", 40)


def saved(sitter: Sitter) -> None:
    """Start two matches and open the page of saved games."""
    for game in ("spline", "spargo"):
        sitter.start(game, 3)
    sitter.app.pages.show_saved_games()


def first(sitter: Sitter) -> None:
    """Open the tutorial."""
    sitter.app.pages.show_tutorial()


def terms(sitter: Sitter) -> None:
    """Open the card with the game settings of a new match."""
    sitter.app.pages.show_home()
    page = sitter.app.current_page
    assert isinstance(page, HomePage)
    page.start_panel.show_game(sitter.app.catalogue.get("spline"))
    button = next(child for child in page.start_panel.children if isinstance(child, MatchSettingsButton))
    assert button.on_click is not None
    button.on_click()


def edit(sitter: Sitter) -> None:
    """Open the position editor."""
    sitter.start("spline", 6).edit_position()


def design(sitter: Sitter) -> None:
    """Open the game designer."""
    sitter.app.pages.show_game_designer()


def sheets(sitter: Sitter) -> None:
    """Open the export card of a replay."""
    page = sitter.start("spline", 8)
    replay_page = ReplayPage(sitter.app, page.match, page.entry)
    sitter.app.show_page(replay_page)
    replay_page.show_export_card()


def results(sitter: Sitter) -> None:
    """Play up to 40 random moves of Spline, then open the statistics page."""
    sitter.start("spline", 40)
    sitter.app.pages.show_statistics()


def ladder(sitter: Sitter) -> None:
    """Open the ladder of a solo game."""
    sitter.app.pages.show_ladder(sitter.app.catalogue.get("spoff"))


def problems(sitter: Sitter) -> None:
    """Open the problems page, which starts with the daily problems."""
    sitter.app.pages.show_problems()


def problem(sitter: Sitter) -> None:
    """Open the hardest problem of Spline."""
    shelf = sitter.app.results.problems
    sitter.app.pages.show_problem(GameCourse(shelf, "spline", problems_of_game("spline")[-1].name))


def trial(game: str, sitter: Sitter) -> None:
    """Open the exercise that the ``try`` of a game describes."""
    page = sitter.app.catalogue.get(game)
    sitter.app.matches.start(page, list(PLAYER_NAMES[:2]), page.size, "", 1)
    shown = sitter.app.current_page
    assert isinstance(shown, MarbleMatchPage | SceneMatchPage)
    sitter.app.pages.show_exercise(shown.match, shown.entry)


def table(game: str, uses_most_seats: bool, flat: bool, sitter: Sitter) -> None:
    """Open a match of a game without marbles and play some random moves.

    If ``uses_most_seats`` is true, as many players as possible take part, otherwise as few as possible. If ``flat`` is
    true, the flat plan is shown.
    """
    entry = sitter.app.catalogue.get(game)
    seats = entry.players[uses_most_seats]
    sitter.app.matches.start(entry, list(PLAYER_NAMES[:seats]), entry.size, "", 1)
    page = sitter.app.current_page
    assert isinstance(page, SceneMatchPage)
    chance = random.Random(1)
    # Each kind of move is equally likely, so that all kinds of objects get on the table.
    for _ in range(MOVES_PER_SEAT * seats):
        ask = page.match.state.decision
        if ask is not None:
            kinds: dict[str, list[Any]] = {}
            for move in page.match.game.moves(page.match.state, ask.seats[0]):
                kinds.setdefault(move.kind, []).append(move)
            page.match.play(chance.choice(kinds[chance.choice(sorted(kinds))]), ask.seats[0])
    page.model.last_viewer = page.model.choosing_seat
    page.actions.show_without_animation()
    sitter.app.root.close_popups()
    if flat:
        page.toggle_flat_view()


def table_end(game: str, sitter: Sitter) -> None:
    """Open a match of ``game``, a game without marbles, and play it to its end at random."""
    entry = sitter.app.catalogue.get(game)
    options = {"rounds": 1} if any(option.name == "rounds" for option in entry.options) else {}
    sitter.app.matches.start(entry, list(PLAYER_NAMES[:2]), entry.size, "", 1, options=options)
    page = sitter.app.current_page
    assert isinstance(page, SceneMatchPage)
    chance = random.Random(1)
    while (ask := page.match.state.decision) is not None:
        page.match.play(chance.choice(page.match.game.moves(page.match.state, ask.seats[0])), ask.seats[0])
    sitter.app.root.close_popups()
    page.actions.show_without_animation()


def game(name: str, moves: int, sitter: Sitter) -> None:
    """Start a match of a game, play up to ``moves`` random moves, and show the coordinates.

    ``name`` is the id of the game. The coordinates are shown on the edges of the boards.
    """
    sitter.app.change_settings(coordinates=True)
    sitter.start(name, moves)


def learn(tab: int, sitter: Sitter) -> None:
    """Open a tab of the learning page."""
    sitter.app.show_page(LearningPage(sitter.app, tab))


TOURNAMENT_DAY = datetime(2026, 11, 28)


def tournaments(sitter: Sitter) -> None:
    """Open the list of tournaments, with two tournaments in it."""
    for name, system in (("Friday", SWISS), ("Spring cup", KNOCKOUT)):
        os.utime(save_tournament(sitter, name, system), 2 * (TOURNAMENT_DAY.timestamp(),))
    sitter.app.pages.show_tournaments()


def new_cup(sitter: Sitter) -> None:
    """Open the form for a new tournament, with a name that doesn't depend on the day."""
    sitter.app.pages.show_tournament_setup()
    page = sitter.app.current_page
    assert isinstance(page, TournamentSetupPage)
    page.name_field.value = "Friday"


def cup_options(sitter: Sitter) -> None:
    """Open the card for the size and the variant of a tournament's game."""
    new_cup(sitter)
    page = sitter.app.current_page
    assert isinstance(page, TournamentSetupPage)
    page.search_field.set_value("spargo")
    page._list_games()
    page.toggle_game(0)
    page.form_of(page.listed_games[0]).select_variant("margo")
    page._update()
    page.open_form(0)


def swiss(sitter: Sitter) -> None:
    """Save a Swiss tournament in its second round, and open it."""
    sitter.app.pages.show_tournament(save_tournament(sitter, "Friday", SWISS))


def knockout(sitter: Sitter) -> None:
    """Save a knockout tournament in its second round, and open it."""
    sitter.app.pages.show_tournament(save_tournament(sitter, "Spring cup", KNOCKOUT))


def save_tournament(sitter: Sitter, name: str, system: str) -> Path:
    """Save a tournament in its second round, and return its path.

    Five people and two computer players take part. The results of the first round were entered by hand.
    """
    players = [TournamentPlayer(player) for player in PLAYER_NAMES[:5]]
    computers = [TournamentPlayer(level.title, level.name) for level in LEVELS[:2]]
    tournament = new_tournament(name, system, [TournamentGame("spline")], [*players, *computers])
    for index, match in enumerate(tournament.matches):
        if not tournament.points_of(match):
            points = WIN_SECOND if index % 2 else WIN_FIRST
            tournament = tournament.with_match(index, points=points, decided_by=BY_HAND)
    return tournament_store(sitter.app).save_new(tournament.start_round(), TOURNAMENT_DAY)


def tip(sitter: Sitter) -> None:
    """Open the first tip of Spline as an exercise."""
    entry = sitter.app.catalogue.get("spline")
    sitter.app.pages.show_exercises(
        [(entry, lesson) for lesson in tip_lessons(entry.id, entry.tips)], 0, sitter.app.current_page
    )


GAMES: dict[str, Callable[[Sitter], None]] = {
    f"game-{name}": partial(game, name, moves)
    for name, moves in (
        *(("spline", 14), ("splice", 9), ("splush", 6), ("spargo", 20)),
        *(("spair", 12), ("spire", 18), ("spangle", 10), ("spectacular-tumble", 2)),
    )
}
PAGES: dict[str, Callable[[Sitter], None]] = {
    each.__name__: each
    for each in (
        *(home, found, terms, first, play, rules, openings, many, settings, keys, sightless),
        *(replay, sheets, puzzle, curtain),
        *(plan, end, saved, results, ladder, problems, problem, tip, edit, design),
        *(tournaments, new_cup, cup_options, swiss, knockout),
    )
}
TABLES: dict[str, Callable[[Sitter], None]] = {
    f"{entry.id}-{entry.players[most]}{'-plan' if flat else ''}": partial(table, entry.id, most, flat)
    for entry in catalogue.load_catalogue()
    if entry.kind != DEFAULT_KIND
    for most in sorted({False, entry.players[0] != entry.players[1]})
    for flat in (False, True)
}
ENDS: dict[str, Callable[[Sitter], None]] = {
    f"end-{entry.id}": partial(table_end, entry.id)
    for entry in catalogue.load_catalogue()
    if entry.kind != DEFAULT_KIND
}
TRIALS: dict[str, Callable[[Sitter], None]] = {
    f"trial-{entry.id}": partial(trial, entry.id)
    for entry in catalogue.load_catalogue()
    if entry.kind != DEFAULT_KIND or entry.id == "spline"
}
LEARNING: dict[str, Callable[[Sitter], None]] = {
    f"learn-{name}": partial(learn, number) for number, name in enumerate(LEARNING_TABS)
}
PAGES |= LEARNING | GAMES | TABLES | ENDS | TRIALS


def main(arguments: Sequence[str] | None = None) -> None:
    """Take the screenshots selected on the command line, and write them as PNG files."""
    parser = argparse.ArgumentParser(prog="python -m tools.pages", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for the pictures")
    parser.add_argument(
        "--only", nargs="+", choices=tuple(PAGES), default=tuple(PAGES), help="draw only these pages"
    )
    parser.add_argument(
        "--size", nargs="+", choices=[str(size) for size in SIZES], help="draw only these window sizes"
    )
    parser.add_argument("--lang", nargs="+", choices=tuple(i18n.LANGUAGES), default=tuple(i18n.LANGUAGES))
    parser.add_argument(
        "--look", nargs="+", choices=LOOKS, default=("day",), help="colours to draw with (default: day)"
    )
    args = parser.parse_args(arguments)
    os.environ.update(PYGLET_HEADLESS="true", PYGLET_AUDIO="silent")
    files.make_folder(args.out)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        # A headless window can't become larger than it was when it was created.
        largest = max(size.width for size in SIZES), max(size.height for size in SIZES)
        save_settings(folder / "config", Settings(size=largest))
        window = ProgramWindow(
            catalogue.load_catalogue(),
            MatchStore(folder / "matches"),
            folder / "config",
            cache=args.out / ".cache",
        )
        window.pyglet_window.dispatch_events()
        sitter = Sitter(window, folder)
        sizes = [size for size in SIZES if not args.size or str(size) in args.size]
        for size, language, look, page in product(sizes, args.lang, args.look, args.only):
            sitter.take(size, language, look)
            PAGES[page](sitter)
            name = "-".join((page, str(size), language) + ((look,) if look != "day" else ()))
            files.write(args.out / f"{name}.png", sitter.picture())
        window.close()


if __name__ == "__main__":
    main()
