"""``shibumi3d perft``: how many ways a game can go, to compare engines and versions."""

from __future__ import annotations

import argparse
import json
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any

from shibumi3d.app.text import say as phrase
from shibumi3d.cli.common import (
    add_game_options,
    add_players_option,
    add_seed_option,
    command,
    game_of,
    players_of,
    positive,
)
from shibumi3d.rules.marbles import perft
from shibumi3d.rules.marbles.facts import MarbleFacts

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.rules.game import Game


DEEPEST = 1000


def add(commands: Commands) -> None:
    """Add the command."""
    parser = command(commands, "perft", run, phrase("help.perft"))
    parser.add_argument("game", metavar=phrase("metavar.GAME"), help=phrase("help.game"))
    parser.add_argument("depth", metavar=phrase("metavar.DEPTH"), type=depth, help=phrase("help.depth"))
    add_game_options(parser)
    add_seed_option(parser)
    add_players_option(parser)
    parser.add_argument("--by", choices=("move", "turn"), help=phrase("help.by"))
    parser.add_argument("--json", action="store_true", help=phrase("help.json"))


def depth(text: str) -> int:
    """A length that anybody could ever count to."""
    number = positive(text, inf, "depth")
    if number > DEEPEST:
        raise argparse.ArgumentTypeError(phrase("terminal.expected.length", most=DEEPEST, text=text))
    return number


def run(args: argparse.Namespace) -> int:
    """Print a line for every length up to the one asked for."""
    game = game_of(args.game, args.size, args.variant, args.option)
    start = game.start(players_of(game, args.players), args.seed)
    begun = perf_counter()
    counts: dict[str, list[int]] = {}
    if args.by != "turn":
        counts["moves"] = by_move(game, start, args.depth)
    if args.by != "move":
        counts["turns"] = by_turn(game, start, args.depth)
    if args.json:
        print(
            json.dumps(
                {"game": game.id, "size": game.size, "variant": game.variant, "seed": args.seed, **counts}
            )
        )
        return 0
    head = phrase("perft.depth")
    print(head + "".join(f"{phrase(f'summary.{name}'):>16}" for name in counts))
    for depth in range(args.depth):
        print(f"{depth + 1:>{len(head)}}" + "".join(f"{numbers[depth]:>16}" for numbers in counts.values()))
    print(f"{perf_counter() - begun:.1f} s")
    return 0


def by_move(game: Game, start: Any, depth: int) -> list[int]:
    """How many sequences of one move, two, and so on there are, chance as the seed has it."""
    if isinstance(game.facts(start.seats), MarbleFacts):
        return perft.by_move(start, depth)
    counts = [0] * depth

    def walk(state: Any, made: int) -> None:
        moves = game.moves(state)
        counts[made] += len(moves)
        if made + 1 < depth:
            for move in moves:
                walk(game.apply(state, move)[0], made + 1)

    walk(start, 0)
    return counts


def by_turn(game: Game, start: Any, depth: int) -> list[int]:
    """How many sequences of one turn, two, and so on there are."""
    if isinstance(game.facts(start.seats), MarbleFacts):
        return perft.by_turn(start, depth)
    counts = [0] * depth

    def walk(state: Any) -> None:
        for move in game.moves(state):
            after, _ = game.apply(state, move)
            made = after.turn - start.turn
            for number in range(state.turn - start.turn, min(made, depth)):
                counts[number] += 1
            if made < depth:
                walk(after)

    walk(start)
    return counts
