"""Opens the window and plays. The command line calls :func:`run`."""

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
    """Shows the window until it is closed; returns the exit status.

    ``game`` (an id, a title or the path of a game file) is begun at once, ``record`` (a file) is shown at once;
    with neither the first page shows. ``terms`` are the clock of the game begun, whether the second seat may swap, and
    the handicap. Computers play for ``names`` of strengths. With the number of a ``problem``, 0 for the first that was
    not found yet, that of the game is shown and no match begun. ``trace`` is the file that
    :mod:`shibumi3d.app.program.trace` writes (without it the environment variable ``SHIBUMI3D_TRACE`` may name one);
    ``config`` and ``store`` replace the system's folders for settings and games. Raises :class:`NoDisplay` when no
    window can be opened, CatalogueError or GameFileError for a game that is not there or is wrong.
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
