"""Entry point of the windowed program; the command line calls :func:`run`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import platformdirs

from shibumi3d.catalogue import catalogue as catalogues
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.store import Store, games_folder
from shibumi3d.paths import cache_folder
from shibumi3d.search.levels import kind_of

from ..board.seating import ME, named, seated
from ..host import settings
from ..host.courses import OfGame
from ..host.terms import Terms
from ..pages.home.form import seed_of
from ..pages.home.offer import offer
from .mishaps import keep_log
from .trace import Trace
from .window import NoDisplay, Window

__all__ = ["NoDisplay", "run"]


def run(
    *,
    game: str | None = None,
    record: Path | None = None,
    names: tuple[str, ...] = (),
    size: int | None = None,
    variant: str | None = None,
    options: Mapping[str, int | str] = MappingProxyType({}),
    seed: str = "",
    terms: tuple[TimeLimit | None, bool, str] = (None, False, ""),
    problem: int | None = None,
    trace: Path | None = None,
    config: Path | None = None,
    store: Path | None = None,
) -> int:
    """Show the window until it is closed; return the exit status.

    ``game`` (an ID, a title or the path of a game file) is a game to start at once, and ``record`` (a file) is a match
    to show at once. Without either, the home page is shown. ``terms`` are the time limit, whether the second seat may
    swap, and the handicap. If a name in ``names`` is the name of a level, a computer player of that level takes the
    seat. If ``problem`` is given, that problem of the game is shown instead of starting a match; 0 stands for the first
    unsolved problem.

    ``trace`` is the file that :mod:`shibumi3d.app.program.trace` writes; it can also be set with the environment
    variable ``SHIBUMI3D_TRACE``. ``config`` and ``store`` replace the system's folders for settings and saved games.

    Raises :class:`NoDisplay` if no window can be opened, and CatalogueError or GameFileError if the game is missing or
    invalid.
    """
    if trace is None and os.environ.get("SHIBUMI3D_TRACE"):
        trace = Path(os.environ["SHIBUMI3D_TRACE"])
    log = keep_log(Path(platformdirs.user_log_dir("shibumi3d", appauthor=False)))
    cache = cache_folder()
    catalogue = catalogues.load(games_folder(), cache)
    entry = catalogue.get(game) if game is not None else None
    window = Window(
        catalogue,
        Store(store, cache),
        config if config is not None else settings.folder(),
        trace=Trace(trace) if trace is not None else None,
        cache=cache,
    )
    app = window.app
    app.log = log
    app.pages.home()
    if entry is not None and problem is not None:
        at = f"{entry.id}#{problem}" if problem else ""
        app.pages.problem(OfGame(app.results.problems, entry.id, at))
    elif entry is not None:
        seats = max(entry.players[0], min(entry.players[1], len(names) or 2))
        given = [*names, *[ME] * seats][:seats]
        kinds = [kind_of(name) for name in given]
        people = named(seated(given, seats, app.settings.names), kinds)
        app.matches.start(
            entry,
            people,
            size or entry.size,
            variant or "",
            seed_of(seed),
            kinds=kinds,
            options=options,
            terms=Terms(terms[0], swap=terms[1], handicap=terms[2]),
            remember=False,
        )
    elif record is not None:
        app.matches.show_path(record)
    elif app.first:
        offer(app)
    window.run()
    return 0
