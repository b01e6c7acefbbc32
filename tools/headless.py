"""Headless window with a match of Spline, for measurements."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shibumi3d.app.host.settings import Settings
    from shibumi3d.app.match.marble_view.page import MarbleMatchPage
    from shibumi3d.app.platform.window import ProgramWindow

MOVES = ("W@Aa1", "B@Ad4", "W@Ab2", "B@Ac3", "W@Aa4", "B@Ad1")
"""Moves with which a match of Spline can begin, in order."""


@contextmanager
def open_headless_window(settings: Settings) -> Iterator[tuple[ProgramWindow, MarbleMatchPage]]:
    """Open a headless window, start a match of Spline, and yield the window and the page of the match."""
    os.environ.update(PYGLET_HEADLESS="true", PYGLET_AUDIO="silent")
    from shibumi3d.app.host.settings import save_settings
    from shibumi3d.app.match.marble_view.page import MarbleMatchPage
    from shibumi3d.app.platform.window import ProgramWindow
    from shibumi3d.catalogue import catalogue
    from shibumi3d.match.store import MatchStore

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        save_settings(folder / "config", settings)
        window = ProgramWindow(
            catalogue.load_catalogue(),
            MatchStore(folder / "matches"),
            folder / "config",
            cache=folder / "cache",
        )
        window.pyglet_window.dispatch_events()
        app = window.app
        app.resize(*settings.size)
        app.matches.start(app.catalogue.get("spline"), ["A", "B"], 4, "", 1)
        app.root.close_popups()
        page = app.current_page
        assert isinstance(page, MarbleMatchPage)
        yield window, page
        window.close()


def play(page: MarbleMatchPage, move: str) -> None:
    """Play a legal move, given as text."""
    page.actions.play_move(
        next(legal_move for legal_move in page.controller.moves if str(legal_move) == move)
    )
