"""Opening the window from the command line, with a one-sentence error if that fails."""

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
    """Open the window and return the exit code.

    It shows a new match of ``game``, the match in the file ``record``, or else the list of games. ``problem`` is the
    number of a problem to solve, or 0 for the first unsolved one. ``terms`` holds the time limit, the swap rule and the
    handicap. ``text`` is the equivalent command for the terminal, which is suggested if there is no display.

    Raises :class:`Failure` if there is no display or a library is missing.
    """
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("PYGLET_HEADLESS")
    ):
        raise Failure(_("can't open a window: there is no display; in the terminal, use: {text}", text=text))
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
                "the window needs a library that is not installed ({library}); on Debian: {command}",
                library=error,
                command=INSTALL,
            )
        ) from None
    except NoDisplay as error:
        raise Failure(_("{problem} Run: {command}", problem=error, command=text)) from None
