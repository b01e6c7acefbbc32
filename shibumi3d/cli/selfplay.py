"""``shibumi3d selfplay``: games played at random or by computer players, the same ones for the same seed."""

from __future__ import annotations

import argparse
import hashlib
import json
from dataclasses import dataclass
from random import Random
from time import process_time
from typing import TYPE_CHECKING

from shibumi3d.app.text import say as phrase
from shibumi3d.cli.common import (
    Failure,
    add_game_options,
    add_players_option,
    add_seed_option,
    command,
    computers,
    game_of,
    players_of,
    positive,
    say,
    spent,
    whole,
)

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.rules.game import Game

MOVE_LIMIT = 10_000
"""Moves after which a game is given up, for games that can go round in circles."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game: its moves, how many turns they made, and who won (None: given up; nobody: a draw)."""

    moves: tuple[str, ...]
    turns: int
    winners: tuple[int, ...] | None
    scores: tuple[int, ...]


def add(commands: Commands) -> None:
    """Add the command."""
    parser = command(commands, "selfplay", run, phrase("help.selfplay"))
    parser.add_argument("game", metavar=phrase("metavar.GAME"), help=phrase("help.game"))
    parser.add_argument(
        "--games", type=positive, metavar="N", default=100, help=phrase("help.selfplay.games")
    )
    add_game_options(parser)
    add_seed_option(parser)
    add_players_option(parser)
    parser.add_argument(
        "--seats",
        metavar=phrase("metavar.NAMES"),
        help=phrase("help.selfplay.seats"),
    )
    parser.add_argument("--opening", type=whole, metavar="N", default=2, help=phrase("help.opening"))
    parser.add_argument(
        "--iterations",
        type=positive,
        metavar="N",
        help=phrase("help.selfplay.iterations"),
    )
    parser.add_argument("--json", action="store_true", help=phrase("help.json"))


def run(args: argparse.Namespace) -> int:
    """Play and print the sum."""
    game = game_of(args.game, args.size, args.variant, args.option)
    if args.seats is not None:
        return _fight(args, game)
    players = players_of(game, args.players)
    begun = process_time()
    played = [play(game, players, Random(f"{args.seed}/{number}")) for number in range(args.games)]
    seconds = process_time() - begun
    summary = summed_up(game, players, played)
    if args.json:
        print(json.dumps({"seed": args.seed, **summary}))
    else:
        for key, value in summary.items():
            print(f"{key:<11}{value}")
    say(spent(seconds, f"{len(played) / max(seconds, 1e-9):.0f}"), errors=True)
    return 0


def _fight(args: argparse.Namespace, game: Game) -> int:
    """Let computer players play against each other, and print the sum."""
    from shibumi3d.search.arena import fight, tally
    from shibumi3d.search.players import Budget

    players = computers(args.seats)
    if args.players not in (None, len(players)):
        raise Failure(phrase("terminal.seats-differ", named=len(players), asked=args.players))
    players_of(game, len(players))
    begun = process_time()
    fought = list(
        fight(
            game,
            players,
            games=args.games,
            seed=args.seed,
            opening=args.opening,
            budget=Budget(args.iterations),
        )
    )
    seconds = process_time() - begun
    found = tally(fought, len(players))
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
        for key, value in summary.items():
            print(f"{key:<11}{value}")
    say(spent(seconds, f"{found.games / max(seconds, 1e-9):.2f}"), errors=True)
    return 0


def play(game: Game, players: int, chance: Random) -> PlayedGame:
    """One game in which every move is drawn by ``chance``, and what the game itself draws is too."""
    state = game.start(players, chance.getrandbits(32))
    made: list[str] = []
    while game.outcome(state) is None and len(made) < MOVE_LIMIT:
        move = chance.choice(game.moves(state))
        state, _ = game.apply(state, move)
        made.append(str(move))
    outcome = game.outcome(state)
    if outcome is None:
        return PlayedGame(tuple(made), state.turn, None, ())
    return PlayedGame(tuple(made), state.turn, outcome.winners, outcome.scores)


def summed_up(game: Game, players: int, played: list[PlayedGame]) -> dict[str, object]:
    """Who won how often and how long it took. ``digest`` tells two runs apart that differ in any move."""
    turns = [one.turns for one in played]
    moves = [len(one.moves) for one in played]
    scored = [one.scores for one in played if one.scores]
    digest = hashlib.sha256("\n".join(" ".join(one.moves) for one in played).encode()).hexdigest()
    return {
        "game": game.id,
        "size": game.size,
        "variant": game.variant,
        "players": players,
        "games": len(played),
        "wins": [
            sum(one.winners is not None and seat in one.winners for one in played) for seat in range(players)
        ],
        "draws": sum(one.winners == () for one in played),
        "unfinished": sum(one.winners is None for one in played),
        "turns": {"mean": round(sum(turns) / len(turns), 2), "least": min(turns), "most": max(turns)},
        "moves": {"mean": round(sum(moves) / len(moves), 2), "least": min(moves), "most": max(moves)},
        "scores": [round(sum(scores) / len(scores), 2) for scores in zip(*scored, strict=True)],
        "digest": digest[:16],
    }
