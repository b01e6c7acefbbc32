"""``shibumi3d selfplay``: play reproducible matches with random moves or between computer players."""

from __future__ import annotations

import argparse
import hashlib
import json
from typing import TYPE_CHECKING

from shibumi3d.cli.common import (
    CommandError,
    add_command,
    add_game_options,
    add_players_option,
    add_seed_option,
    make_computers,
    parse_non_negative,
    parse_positive,
    print_summary,
)
from shibumi3d.cli.job_runner import add_lab_options, print_cpu_time, run_from_args, setup_from_args
from shibumi3d.i18n import _
from shibumi3d.lab.jobs import Matches, row_to_match

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.rules.game import Game
    from shibumi3d.search.arena import PlayedMatch


def register(commands: Commands) -> None:
    """Add the ``selfplay`` command."""
    parser = add_command(
        commands,
        "selfplay",
        run,
        _("play matches with random moves or between computer players, and summarise them"),
    )
    parser.add_argument("game", metavar=_("GAME"), help=_("name of a game, or path of a game file"))
    parser.add_argument(
        "--games", type=parse_positive, metavar="N", default=100, help=_("number of matches (default: 100)")
    )
    add_game_options(parser)
    add_seed_option(parser)
    add_players_option(parser)
    parser.add_argument(
        "--seats",
        metavar=_("NAMES"),
        help=_(
            "computer players: for each, the name or number of a level, or 'random', as in stone,river; they "
            "change seats from match to match"
        ),
    )
    parser.add_argument(
        "--opening",
        type=parse_non_negative,
        metavar="N",
        default=2,
        help=_("with --seats: number of random turns at the start (default: 2)"),
    )
    parser.add_argument(
        "--iterations",
        type=parse_positive,
        metavar="N",
        help=_("with --seats: simulations per move, instead of the number that each level uses"),
    )
    add_lab_options(parser)
    parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))


def run(args: argparse.Namespace) -> int:
    """Play the matches and print a summary."""
    if args.seats is not None:
        return _play_computers(args)
    table = setup_from_args(args)
    rows, seconds = run_from_args(args, Matches(table, seed=args.seed, count=args.games).split())
    game, players, played = table.load_game(), table.seats, [row_to_match(row) for row in rows]
    summary = summarize(game, players, played)
    if args.json:
        print(json.dumps({"seed": args.seed, **summary}))
    else:
        print_summary(summary)
    print_cpu_time(seconds, len(played))
    return 0


def _play_computers(args: argparse.Namespace) -> int:
    from shibumi3d.search.arena import sum_up

    players = make_computers(args.seats)
    if args.players not in (None, len(players)):
        raise CommandError(
            _(
                "--players is {asked}, but --seats names {named}",
                named=len(players),
                asked=args.players,
            )
        )
    table = setup_from_args(args, len(players))
    game = table.load_game()
    names = tuple(one.name for one in players)
    matches = Matches(table, names, args.seed, args.opening, args.iterations, count=args.games)
    rows, seconds = run_from_args(args, matches.split())
    fought = [row_to_match(row) for row in rows]
    found = sum_up(fought, len(players))
    digest = hashlib.sha256("\n".join(" ".join(one.moves) for one in fought).encode()).hexdigest()
    summary = {
        "game": game.id,
        "size": game.size,
        "variant": game.variant,
        "players": len(players),
        "seats": [one.name for one in players],
        "games": found.games,
        "wins": list(found.wins),
        "draws": found.draws,
        "unfinished": found.unfinished,
        "share": round(found.share, 4),
        "interval": [round(bound, 4) for bound in found.interval],
        "digest": digest[:16],
    }
    if args.json:
        print(json.dumps({"seed": args.seed, **summary}))
    else:
        print_summary(summary)
    print_cpu_time(seconds, found.games)
    return 0


def summarize(game: Game, seat_count: int, played: list[PlayedMatch]) -> dict[str, object]:
    """Return a summary of matches: their settings, results, lengths and mean scores.

    The value of "digest" is a hash of all moves: if two runs differ in any move, their digests differ.
    """
    turns = [one.turns for one in played]
    moves = [len(one.moves) for one in played]
    scored = [one.scores for one in played if one.scores]
    digest = hashlib.sha256("\n".join(" ".join(one.moves) for one in played).encode()).hexdigest()
    return {
        "game": game.id,
        "size": game.size,
        "variant": game.variant,
        "players": seat_count,
        "games": len(played),
        "wins": [
            sum(one.winners is not None and seat in one.winners for one in played)
            for seat in range(seat_count)
        ],
        "draws": sum(one.winners == () for one in played),
        "unfinished": sum(one.winners is None for one in played),
        "turns": {"mean": round(sum(turns) / len(turns), 2), "least": min(turns), "most": max(turns)},
        "moves": {"mean": round(sum(moves) / len(moves), 2), "least": min(moves), "most": max(moves)},
        "scores": [round(sum(scores) / len(scores), 2) for scores in zip(*scored, strict=True)],
        "digest": digest[:16],
    }
