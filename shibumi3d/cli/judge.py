"""``shibumi3d judge``: estimate the quality of a game from matches between computer players."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from shibumi3d.cli.common import (
    add_game_options,
    add_players_option,
    add_seed_option,
    command,
    positive,
    say,
    say_summary,
)
from shibumi3d.cli.laboratory import add_lab_options, rows_of, say_spent, table_of
from shibumi3d.i18n import _, localize

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands


def add(commands: Commands) -> None:
    """Add the ``judge`` command."""
    parser = command(
        commands,
        "judge",
        run,
        _(
            "assess a game through matches between computer players: length, balance, draws, dead "
            "ends, choices, whether looking ahead helps, and what to change"
        ),
    )
    parser.add_argument("game", metavar=_("GAME"), help=_("name of a game, or path of a game file"))
    parser.add_argument(
        "--games", type=positive, metavar="N", default=500, help=_("number of matches (default: 500)")
    )
    add_game_options(parser)
    add_seed_option(parser)
    add_players_option(parser)
    add_lab_options(parser)
    parser.add_argument("--json", action="store_true", help=_("print JSON"))


def run(args: argparse.Namespace) -> int:
    """Play the matches and print the quality estimates."""
    from shibumi3d.lab.jobs import Judging, fought_of
    from shibumi3d.search.judge import HINTS, choices_of, summed_up

    table = table_of(args)
    game, players = table.game(), table.seats
    rows, seconds = rows_of(args, Judging(table, args.seed, count=args.games).jobs())
    equals = [fought_of(row) for row in rows if row["strong"] is None]
    uneven = [(row["strong"], fought_of(row)) for row in rows if row["strong"] is not None]
    verdict = summed_up(players, args.games, equals, uneven, choices_of(game, players, args.seed))
    told_of = {
        "game": game.id,
        "size": game.size,
        "variant": game.variant,
        "players": players,
        **verdict.plain(),
    }
    if args.json:
        print(json.dumps({"seed": args.seed, **told_of}))
    else:
        say_summary({key: value for key, value in told_of.items() if key != "hints"})
        for key in verdict.hints:
            say(localize(HINTS[key]))
    say_spent(seconds, verdict.games)
    return 0
