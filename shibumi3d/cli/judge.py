"""``shibumi3d judge``: estimate the quality of a game from matches between computer players."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from shibumi3d.cli.common import (
    add_command,
    add_game_options,
    add_players_option,
    add_seed_option,
    parse_positive,
    print_line,
    print_summary,
)
from shibumi3d.cli.job_runner import add_lab_options, print_cpu_time, run_from_args, setup_from_args
from shibumi3d.i18n import _, localize

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands


def register(commands: Commands) -> None:
    """Add the ``judge`` command."""
    parser = add_command(
        commands,
        "judge",
        run,
        _(
            "assess a game through matches between computer players: measure its length, balance, draws, "
            "dead ends and choices, and whether looking ahead helps, and suggest what to change"
        ),
    )
    parser.add_argument("game", metavar=_("GAME"), help=_("name of a game, or path of a game file"))
    parser.add_argument(
        "--games", type=parse_positive, metavar="N", default=500, help=_("number of matches (default: 500)")
    )
    add_game_options(parser)
    add_seed_option(parser)
    add_players_option(parser)
    add_lab_options(parser)
    parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))


def run(args: argparse.Namespace) -> int:
    """Play matches of a game, and print estimates of its quality and suggestions for improving it."""
    from shibumi3d.lab.jobs import Judging, row_to_match
    from shibumi3d.search.game_quality import SUGGESTIONS, mean_move_count, summarize

    table = setup_from_args(args)
    game, players = table.load_game(), table.seats
    rows, seconds = run_from_args(args, Judging(table, args.seed, count=args.games).split())
    equals = [row_to_match(row) for row in rows if row["strong"] is None]
    uneven = [(row["strong"], row_to_match(row)) for row in rows if row["strong"] is not None]
    verdict = summarize(players, args.games, equals, uneven, mean_move_count(game, players, args.seed))
    summary = {
        "game": game.id,
        "size": game.size,
        "variant": game.variant,
        "players": players,
        **verdict.to_json(),
    }
    if args.json:
        print(json.dumps({"seed": args.seed, **summary}))
    else:
        print_summary({key: value for key, value in summary.items() if key != "hints"})
        for key in verdict.suggestions:
            print_line(localize(SUGGESTIONS[key]))
    print_cpu_time(seconds, verdict.games)
    return 0
