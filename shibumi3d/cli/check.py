"""``shibumi3d check``: what is wrong with game files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.app.text import say as phrase
from shibumi3d.app.text import told
from shibumi3d.cli.common import catalogue, command, say

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "check",
        run,
        phrase("help.check"),
    )
    parser.add_argument(
        "files",
        metavar=phrase("metavar.FILE"),
        nargs="*",
        type=Path,
        help=phrase("help.files"),
    )


def run(args: argparse.Namespace) -> int:
    """Print every mistake; 1 when there are any."""
    count, problems = catalogue().check(args.files)
    for problem in problems:
        say(told(problem))
    mistakes = phrase("terminal.mistakes", len(problems)) if problems else phrase("terminal.no-mistakes")
    say(phrase("terminal.checked", count, mistakes=mistakes))
    return 1 if problems else 0
