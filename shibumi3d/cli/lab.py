"""``shibumi3d lab``: run plans of many matches, and create a report page about a game."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

from shibumi3d import files
from shibumi3d.app.wording import titled
from shibumi3d.cli import plans
from shibumi3d.cli.common import (
    Failure,
    add_game_options,
    add_players_option,
    add_seed_option,
    catalogue,
    command,
    positive,
    say,
)
from shibumi3d.cli.laboratory import add_lab_options, rows_of, table_of
from shibumi3d.i18n import _
from shibumi3d.lab.jobs import GameText

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands

GAMES = (100, 48, 24, 12)
"""Possible default numbers of matches for a report.

The largest number that can be played within :data:`TIME` is used, or else the smallest.
"""
TIME = 540.0
"""Maximum CPU time of a report in seconds, if the user doesn't set the number of matches."""
WHOLE = 2.0
"""Estimated CPU time of a whole report, as a multiple of the time for its observed matches.

The rest of the time is needed for matches between unequal players, mirror play and the values of first moves.
"""
RATED = 0.3
"""CPU time in seconds for measuring how many random matches are played per second."""


def add(commands: Commands) -> None:
    """Add the ``lab`` command."""
    parser = command(commands, "lab", run, _("study games by playing many matches: reports and plans"))
    below = parser.add_subparsers(title=_("commands"), metavar=_("COMMAND"), required=True)
    parser = command(
        below,
        "report",
        run,
        _(
            "write a web page about a game, with measurements, how reliable they are, and pictures; "
            "the numbers are also saved as JSON next to the page"
        ),
    )
    parser.add_argument("game", metavar=_("GAME"), help=_("name of a game, or path of a game file"))
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar=_("OUT"),
        help=_("the page to write, NAME.html; the numbers are saved in NAME.json"),
    )
    parser.add_argument(
        "--games",
        type=positive,
        metavar="N",
        help=_(
            "number of matches between equal players, and of matches between unequal ones (default: "
            "{most}, or as many as {minutes} minutes of computing allow)",
            most=GAMES[0],
            minutes=round(TIME / 60),
        ),
    )
    add_game_options(parser)
    add_seed_option(parser)
    add_players_option(parser)
    add_lab_options(parser)
    plans.add(below)


def run(args: argparse.Namespace) -> int:
    """Play the matches, then write the report page and its figures as JSON."""
    from shibumi3d.cli.report import page
    from shibumi3d.lab.watching import studies, told_of

    if args.out.suffix != ".html":
        raise Failure(
            _("{path} must end in .html: the numbers are saved next to it in a .json file", path=args.out)
        )
    table = table_of(args)
    jobs = studies(table, args.seed, args.games or _affordable(table, args.seed))
    rows, _unused = rows_of(args, jobs)
    found = told_of(jobs, rows)
    numbers = args.out.with_suffix(".json")
    title = titled(table.game())
    files.write(args.out, page(title, found, _film(table, found), _problems(table), _rate(table)))
    files.write(numbers, json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    say(_("saved {page} and {numbers}", page=args.out, numbers=numbers))
    return 0


def _affordable(table: GameText, seed: int) -> int:
    """Return how many matches can be played within :data:`TIME`, estimated from one match."""
    from shibumi3d.lab.watching import Watched

    begun = process_time()
    Watched(table, seed, count=1).rows()
    each = WHOLE * (process_time() - begun)
    return next((number for number in GAMES if number * each <= TIME), GAMES[-1])


def _film(table: GameText, found: dict[str, Any]) -> str:
    """Return the typical match of a report as an animated SVG plan, or "" if it can't be shown."""
    from shibumi3d.cli.film import drawable, film
    from shibumi3d.match.match import Match

    one = found["match"]
    if one is None:
        return ""
    match = Match(table.game(), ["–"] * table.seats, one["first seed"])
    if not drawable(match):
        return ""
    for move in one["moves"]:
        match.play(move)
    return film(match)


def _problems(table: GameText) -> str:
    """Return an easy, a medium and a hard problem as SVG plans.

    Returns "" unless the game is in the catalogue and is played in its standard form.
    """
    from shibumi3d.catalogue.problems import problems
    from shibumi3d.cli.film import drawable, puzzles
    from shibumi3d.cli.problems import posed_match, task

    entry = catalogue().find(table.id)
    if entry is None or table != GameText.of(entry):
        return ""
    ranked = sorted(problems(table.id), key=lambda one: one.rating)
    chosen = [ranked[0], ranked[len(ranked) // 2], ranked[-1]] if len(ranked) > 2 else ranked
    matches = [(one, posed_match(one, entry)) for one in chosen]
    return puzzles([(match, str(one.id), task(one, match)) for one, match in matches if drawable(match)])


def _rate(table: GameText) -> float:
    """Measure how many random matches are played per second of CPU time."""
    from shibumi3d.lab.jobs import Matches

    number, begun = 0, process_time()
    while (spent := process_time() - begun) < RATED:
        number += len(Matches(table, first=number, count=1).rows())
    return number / spent
