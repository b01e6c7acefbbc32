"""``shibumi3d check``: what is wrong with game files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.cli.common import catalogue, command, say

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "check",
        run,
        "check game files: every mistake with its file, line and column, and what was expected",
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        type=Path,
        help="game files (default: the catalogue and your own games)",
    )


def run(args: argparse.Namespace) -> int:
    """Print every mistake; 1 when there are any."""
    count, problems = catalogue().check(args.files)
    for problem in problems:
        say(problem)
    games = f"{count} game{'s' if count != 1 else ''}"
    mistakes = f"{len(problems)} mistake{'s' if len(problems) != 1 else ''}" if problems else "no mistakes"
    say(f"{games} checked: {mistakes}")
    return 1 if problems else 0
