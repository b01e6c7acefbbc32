"""``shibumi3d openings``: measure and show how often each first turn of a game wins."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from shibumi3d import files
from shibumi3d.cli.common import CommandError, add_command, find_entry, parse_positive, print_line
from shibumi3d.cli.job_runner import add_mining_options, mine_games, parallel_job_count
from shibumi3d.i18n import InvalidValueError, _, format_percent, localize, ngettext
from shibumi3d.wording import about_openings, describe_first_turn, describe_opening_matches, game_title

if TYPE_CHECKING:
    from pathlib import Path

    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.cli.common import Commands
    from shibumi3d.cli.job_runner import RunJobs

DEFAULT_MATCHES = 2_000
"""Default maximum number of matches per game."""


def register(commands: Commands) -> None:
    """Add the ``openings`` command."""
    parser = add_command(commands, "openings", run_show, _("show or measure how often each first turn wins"))
    below = parser.add_subparsers(title=_("commands"), metavar=_("COMMAND"), required=True)
    show = add_command(below, "show", run_show, _("show how often each first turn of a game wins"))
    show.add_argument("game", metavar=_("GAME"), help=_("name of a game"))
    mine = add_command(below, "mine", run_mine, _("play matches, and count the wins of each first turn"))
    add_mining_options(mine, _("file to write, or a folder for several games"))
    mine.add_argument(
        "--matches",
        type=parse_positive,
        default=DEFAULT_MATCHES,
        metavar="N",
        help=_("maximum number of matches of each game (default: {usual})", usual=DEFAULT_MATCHES),
    )


def run_show(args: argparse.Namespace) -> int:
    """Print the opening statistics of a game."""
    from shibumi3d.catalogue.openings import load_openings

    entry = find_entry(args.game)
    statistics = load_openings(entry.id)
    if statistics is None:
        raise CommandError(_("{game} has no opening statistics", game=game_title(entry)))
    print_line(about_openings(statistics))
    names = [_("Player {n}", n=seat + 1) for seat in range(len(statistics.turns[0].wins))]
    for row in sorted(statistics.turns, key=lambda row: -row.win_share(0)):
        turn, words = " ".join(row.turn), describe_first_turn(entry, row, names)
        share, matches = format_percent(row.win_share(0)), describe_opening_matches(row)
        print_line(f"{share}  {matches}  {turn}  ({words})")
    return 0


def run_mine(args: argparse.Namespace) -> int:
    """Play matches of each game and write its opening statistics.

    For a game that can't have opening statistics, print the reason.
    """
    return mine_games(args, _mine_game)


def _mine_game(args: argparse.Namespace, entry: Entry, out: Path, run_jobs: RunJobs) -> str:
    """Play matches of one game, write its opening statistics and return a summary.

    If the game can't have opening statistics, nothing is written, and the returned sentence says why.
    """
    from shibumi3d.catalogue.problems import rules_hash
    from shibumi3d.lab.jobs import GameText
    from shibumi3d.lab.openings import mine_openings

    try:
        statistics, spent = mine_openings(
            GameText.from_entry(entry, seats=max(2, entry.players[0]) if entry.players[1] > 1 else 1),
            rules_hash(entry),
            run_jobs,
            seed=args.seed,
            matches=args.matches,
            seconds=args.seconds,
            parallel_jobs=parallel_job_count(args),
        )
    except InvalidValueError as error:
        return _("{game} is left out: {reason}.", game=game_title(entry), reason=localize(error))
    files.write(out, statistics.to_yaml())
    return ngettext(
        "{game}: {n} match with {turns}, {seconds} s.",
        "{game}: {n} matches with {turns}, {seconds} s.",
        statistics.matches,
        game=game_title(entry),
        turns=ngettext("{n} different first turn", "{n} different first turns", len(statistics.turns)),
        seconds=f"{spent:.0f}",
    )
