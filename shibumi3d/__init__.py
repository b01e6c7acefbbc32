"""Python API of Shibumi 3D, a collection of board games, most of which are played by stacking marbles.

>>> import shibumi3d
>>> game = shibumi3d.game("spline")
>>> state = game.start(seats=2, seed=7)
>>> state, events = game.apply(state, "W@Ab2")
"""

from __future__ import annotations

import os
import signal
import sys

# If this process is the program itself, Ctrl-C ends it at once and without a traceback while the rest is being
# imported; entry.run_entry_point() takes over from there. argv[0] is "-m" only until Python has found the module to
# run.
if os.path.basename("".join(sys.argv[:1])).partition(".")[0] in ("-m", "shibumi3d", "shibumi3d-script") and (
    signal.getsignal(signal.SIGINT) is signal.default_int_handler
):
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from collections.abc import Mapping
from typing import TYPE_CHECKING

from shibumi3d import native

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.rules.game import Game

__version__ = "0.1.0"

__all__ = ["__version__", "game", "games"]

native.enable_compiled_engine()


def game(
    name: str,
    *,
    size: int | None = None,
    variant: str | None = None,
    options: Mapping[str, int | str] | None = None,
) -> Game:
    """Return the game called ``name``.

    ``name`` is the game's id (such as ``"spline-plus"``), its title, or the path of a game file. ``size`` is the side
    length of the board, ``variant`` is the name of a variant, and ``options`` maps the names of other options to their
    values. Arguments that are left out default to the game's own settings. Raises ValueError with a readable message if
    there is no such game, size, variant or option, if an option can't have the given value, or if the game file is
    unreadable or invalid.
    """
    from shibumi3d.catalogue.catalogue import load_catalogue

    return load_catalogue().get(name).game(size=size, variant=variant, options=options)


def games() -> tuple[Entry, ...]:
    """Return all built-in games, sorted by title, each with its authors, numbers of players, summary and rules."""
    from shibumi3d.catalogue.catalogue import load_catalogue

    return load_catalogue().entries
