"""``shibumi3d judge``: how good a game is, as far as matches between computers tell."""

from __future__ import annotations

import argparse
import json
from time import process_time
from typing import TYPE_CHECKING

from shibumi3d.app.text import say as phrase
from shibumi3d.app.text import told
from shibumi3d.cli.common import (
    add_game_options,
    add_players_option,
    add_seed_option,
    command,
    game_of,
    players_of,
    positive,
    say,
    spent,
)

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "judge",
        run,
        phrase("help.judge"),
    )
    parser.add_argument("game", metavar=phrase("metavar.GAME"), help=phrase("help.game"))
    parser.add_argument("--games", type=positive, metavar="N", default=500, help=phrase("help.judge.games"))
    add_game_options(parser)
    add_seed_option(parser)
    add_players_option(parser)
    parser.add_argument("--json", action="store_true", help=phrase("help.json"))


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
            say(told(HINTS[key]))
    say(spent(seconds, f"{verdict.games / max(seconds, 1e-9):.2f}"), errors=True)
    return 0
