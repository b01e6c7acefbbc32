"""``shibumi3d judge``: how good a game is, as far as matches between computers tell."""

from __future__ import annotations

import argparse
import json
from time import process_time
from typing import TYPE_CHECKING

from shibumi3d.cli.common import (
    add_game_options,
    add_players_option,
    add_seed_option,
    command,
    game_of,
    players_of,
    positive,
    say,
)

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "judge",
        run,
        "judge a game by matches between computers: length, balance, draws, dead ends, choices, whether looking ahead "
        "helps, and what to change",
    )
    parser.add_argument("game", metavar="GAME", help="a game by its name, or the path of a game file")
    parser.add_argument("--games", type=positive, metavar="N", default=500, help="how many (default 500)")
    add_game_options(parser)
    add_seed_option(parser)
    add_players_option(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Play and print the judgement."""
    from shibumi3d.search.judge import HINTS, verdicts

    game = game_of(args.game, args.size, args.variant, args.option)
    players = players_of(game, args.players)
    begun = process_time()
    *_, verdict = verdicts(game, players, args.games, args.seed)
    seconds = process_time() - begun
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
        for key, value in told_of.items():
            if key != "hints":
                print(f"{key:<11}{value}")
        for key in verdict.hints:
            say(HINTS[key])
    say(f"{seconds:.2f} s of CPU, {verdict.games / max(seconds, 1e-9):.2f} games/s", errors=True)
    return 0
