"""Opening the window from the command line, or saying in one sentence why that can't be done."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from shibumi3d import native
from shibumi3d.cli.common import Failure
from shibumi3d.i18n import _

if TYPE_CHECKING:
    from shibumi3d.match.clock import TimeLimit

INSTALL = "sudo apt-get install -y libgl1 libegl1 libfontconfig1"


def open_window(
    *,
    text: str,
    game: str | None = None,
    record: Path | None = None,
    names: tuple[str, ...] = (),
    size: int | None = None,
    variant: str | None = None,
    options: Mapping[str, int | str] = MappingProxyType({}),
    seed: str = "",
    terms: tuple[TimeLimit | None, bool, str] = (None, False, ""),
    problem: int | None = None,
) -> int:
    """Open the window: on a new match of ``game``, on the match in the file ``record``, or on the list of games.

    With the number of a ``problem`` of the game that is to be solved, 0 for the first that was not found yet.
    ``terms`` are the clock of the match, whether the second seat may swap, and the handicap. ``text`` is the command
    that does the same in a terminal; the message names it when there is no display. Returns the exit code.
    """
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("PYGLET_HEADLESS")
    ):
        raise Failure(_("there is no display to open a window on; in the terminal: {text}", text=text))
    try:
        from shibumi3d.app.program.main import NoDisplay, run
        from shibumi3d.build_native import builder

        if not builder.begin() and builder.offered():
            native.offer = builder.start
        return run(
            game=game,
            record=record,
            names=names,
            size=size,
            variant=variant,
            options=options,
            seed=seed,
            terms=terms,
            problem=problem,
        )
    except ImportError as error:
        raise Failure(
            _(
                "the window needs a library that is missing ({library}); on Debian: {command}",
                library=error,
                command=INSTALL,
            )
        ) from None
    except NoDisplay as error:
        raise Failure(_("{problem} That is: {command}", problem=error, command=text)) from None
