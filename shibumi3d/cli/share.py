"""``shibumi3d share``: print a link to a recorded match, to be sent to another player."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.cli.common import add_command, print_line, user_errors
from shibumi3d.cli.replay import load_match
from shibumi3d.i18n import _
from shibumi3d.match.sharing import encode_challenge, encode_match

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands


def register(commands: Commands) -> None:
    """Add the ``share`` command."""
    parser = add_command(commands, "share", run, _("print a link to a saved game, for playing by post"))
    parser.add_argument("file", metavar=_("FILE"), type=Path, help=_("a saved game"))
    parser.add_argument(
        "--challenge",
        action="store_true",
        help=_("make a link that challenges others to beat the result of a solo game"),
    )


def run(args: argparse.Namespace) -> int:
    """Print a link to the recorded match.

    With ``--challenge``, the link challenges others to beat the result of the match.
    """
    match = load_match(args.file)
    with user_errors():
        print_line(encode_challenge(match) if args.challenge else encode_match(match))
    return 0
