"""``shibumi3d lab``: plans of many matches, and a page about a game made from them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d import files
from shibumi3d.app.text import say as phrase
from shibumi3d.app.text import titled
from shibumi3d.cli import plans
from shibumi3d.cli.common import (
    Failure,
    add_game_options,
    add_players_option,
    add_seed_option,
    command,
    positive,
    say,
)
from shibumi3d.cli.laboratory import add_lab_options, rows_of, table_of

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands

GAMES = 100


def add(commands: Commands) -> None:
    """Add the command."""
    parser = command(commands, "lab", run, phrase("help.lab"))
    below = parser.add_subparsers(title=phrase("commands"), metavar=phrase("metavar.COMMAND"), required=True)
    parser = command(below, "report", run, phrase("help.lab.report"))
    parser.add_argument("game", metavar=phrase("metavar.GAME"), help=phrase("help.game"))
    parser.add_argument(
        "--out", type=Path, required=True, metavar=phrase("metavar.OUT"), help=phrase("help.lab.report.out")
    )
    parser.add_argument(
        "--games",
        type=positive,
        metavar="N",
        default=GAMES,
        help=phrase("help.lab.report.games", usual=GAMES),
    )
    add_game_options(parser)
    add_seed_option(parser)
    add_players_option(parser)
    add_lab_options(parser)
    plans.add(below)


def run(args: argparse.Namespace) -> int:
    """Play, and write the page and its numbers."""
    from shibumi3d.cli.report import page
    from shibumi3d.lab.watching import studies, told_of

    if args.out.suffix != ".html":
        raise Failure(phrase("terminal.lab.html", path=args.out))
    table = table_of(args)
    jobs = studies(table, args.seed, args.games)
    rows, _ = rows_of(args, jobs)
    found = told_of(jobs, rows)
    numbers = args.out.with_suffix(".json")
    files.write(args.out, page(titled(table.game()), found))
    files.write(numbers, json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    say(phrase("terminal.lab.written", page=args.out, numbers=numbers))
    return 0
