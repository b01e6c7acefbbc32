"""Opening the window from the command line, with a one-sentence error if that fails."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from shibumi3d import native
from shibumi3d.cli.common import CommandError
from shibumi3d.i18n import _

if TYPE_CHECKING:
    from shibumi3d.match.clock import TimeLimit

INSTALL_COMMAND = "sudo apt-get install -y libgl1 libegl1 libfontconfig1"


def open_window(
    *,
    terminal_command: str,
    game: str | None = None,
    record: Path | None = None,
    link: str = "",
    names: tuple[str, ...] = (),
    size: int | None = None,
    variant: str | None = None,
    options: Mapping[str, int | str] = MappingProxyType({}),
    seed: str = "",
    game_settings: tuple[TimeLimit | None, bool, str] = (None, False, ""),
    problem: int | None = None,
) -> int:
    """Open the window, and return the exit code when it is closed.

    The window shows a new match of ``game``. If no game is given, it shows what the file ``record`` or the ``link``
    contains, or else the home page. ``names``, ``size``, ``variant``, ``options`` and ``seed`` are settings of the new
    match, each with a default. ``game_settings`` holds its time limit, swap rule and handicap. If ``problem`` is given,
    the window shows the problem of ``game`` with that number instead of a match; 0 stands for the problem at which the
    user left off or, if there is none, the easiest unsolved one. ``terminal_command`` is the equivalent command for the
    terminal, which is suggested if there is no suitable display.

    Raises :class:`CommandError` if there is no display that supports OpenGL 3.3 or a library is missing, and
    CatalogueError or GameFileError if the game is unknown or invalid.
    """
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("PYGLET_HEADLESS")
    ):
        raise CommandError(
            _("can't open a window: there is no display; in the terminal, use: {text}", text=terminal_command)
        )
    try:
        from shibumi3d.app.main import NoDisplayError, run_window
        from shibumi3d.build_native import background

        if not background.start_in_checkout() and background.should_offer_build():
            native.start_offered_build = background.start_build
        return run_window(
            game=game,
            record=record,
            link=link,
            names=names,
            size=size,
            variant=variant,
            options=options,
            seed=seed,
            terms=game_settings,
            problem=problem,
        )
    except ImportError as error:
        raise CommandError(
            _(
                "the window needs a library that is not installed ({library}); on Debian: {command}",
                library=error,
                command=INSTALL_COMMAND,
            )
        ) from None
    except NoDisplayError as error:
        raise CommandError(_("{problem} Run: {command}", problem=error, command=terminal_command)) from None
