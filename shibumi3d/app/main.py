"""Entry point of the windowed program; the command line calls :func:`run_window`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import platformdirs

from shibumi3d.catalogue import catalogue as catalogues
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.store import MatchStore, games_folder
from shibumi3d.paths import cache_folder
from shibumi3d.search.levels import player_type_of

from .host import settings
from .host.courses import GameCourse
from .host.match_settings import MatchSettings, parse_seed
from .host.player_setup import OWN_NAME_PLACEHOLDER, fill_seat_names, name_players
from .pages.home.cards import offer_tutorial
from .platform.pyglet_window import NoDisplayError
from .platform.window import ProgramWindow
from .shell.crash_reporting import start_log
from .shell.trace import TraceFile

__all__ = ["NoDisplayError", "run_window"]


def run_window(
    *,
    game: str | None = None,
    record: Path | None = None,
    link: str = "",
    names: tuple[str, ...] = (),
    size: int | None = None,
    variant: str | None = None,
    options: Mapping[str, int | str] = MappingProxyType({}),
    seed: str = "",
    terms: tuple[TimeLimit | None, bool, str] = (None, False, ""),
    problem: int | None = None,
) -> int:
    """Show the window until it is closed; return the exit status.

    ``game`` is the game to start, given as its ID, its title or the path of its file. ``record`` is a file to open,
    such as a match, and ``link`` is a link that another player has sent. Without any of them, the home page is shown,
    with an offer of the tutorial when the program is started for the first time.

    ``size`` is the board size, by default the game's usual size. ``variant`` is the variant of the game, and
    ``options`` are the values of its options by name. ``seed`` is the text of the match's seed; if it is empty, the
    seed is random. ``terms`` are the time limit, whether the second seat may swap, and the handicap.

    ``names`` are the players' names. There are as many seats as names, or two if no names are given, but always a
    number that the game allows. If a name stands for a type of computer player, as in :func:`.player_type_of`, such a
    player gets the seat.

    If ``problem`` is given, that problem of the game is shown instead of starting a match; 0 stands for the problem at
    which the user left off or, if there is none, the easiest unsolved one.

    The environment variable ``SHIBUMI3D_TRACE`` names the file that :mod:`shibumi3d.app.shell.trace` writes.

    Raises :class:`.NoDisplayError` if no window can be opened, and CatalogueError or GameFileError if the game is
    missing or invalid.
    """
    trace = os.environ.get("SHIBUMI3D_TRACE")
    log = start_log(Path(platformdirs.user_log_dir("shibumi3d", appauthor=False)))
    cache = cache_folder()
    catalogue = catalogues.load_catalogue(games_folder(), cache)
    entry = catalogue.get(game) if game is not None else None
    window = ProgramWindow(
        catalogue,
        MatchStore(None, cache),
        settings.settings_folder(),
        trace=TraceFile(Path(trace)) if trace else None,
        cache=cache,
    )
    app = window.app
    app.services.log_path = log
    app.pages.show_home()
    if entry is not None and problem is not None:
        at = f"{entry.id}#{problem}" if problem else ""
        app.pages.show_problem(GameCourse(app.results.problems, entry.id, at))
    elif entry is not None:
        seats = max(entry.players[0], min(entry.players[1], len(names) or 2))
        seat_names = [*names, *[OWN_NAME_PLACEHOLDER] * seats][:seats]
        kinds = [player_type_of(name) for name in seat_names]
        people = name_players(fill_seat_names(seat_names, seats, app.settings.names), kinds)
        app.matches.start(
            entry,
            people,
            size or entry.size,
            variant or "",
            parse_seed(seed),
            player_types=kinds,
            options=options,
            settings=MatchSettings(terms[0], swap_rule=terms[1], handicap=terms[2]),
            save_as_default=False,
        )
    elif record is not None:
        app.matches.open_path(record, replay=True)
    elif link:
        app.matches.open_text(link)
    elif app.is_first_start:
        offer_tutorial(app)
    window.run()
    return 0
