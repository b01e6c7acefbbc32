"""``shibumi3d check``: find errors in game files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.cli.common import add_command, open_catalogue, print_line
from shibumi3d.i18n import _, localize, ngettext

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands


def add(commands: Commands) -> None:
    """Add the ``check`` command."""
    parser = add_command(
        commands,
        "check",
        run,
        _("check game files and show every error with its file, line and column, and what was expected"),
    )
    parser.add_argument(
        "files",
        metavar=_("FILE"),
        nargs="*",
        type=Path,
        help=_("game files (default: all built-in games and your own)"),
    )


def run(args: argparse.Namespace) -> int:
    """Print all errors found, and return 1 if there are any."""
    count, problems = open_catalogue().check(args.files)
    for problem in problems:
        print_line(localize(problem))
    mistakes = ngettext("{n} error", "{n} errors", len(problems)) if problems else _("no errors")
    print_line(
        ngettext("{n} game checked: {mistakes}", "{n} games checked: {mistakes}", count, mistakes=mistakes)
    )
    return 1 if problems else 0
