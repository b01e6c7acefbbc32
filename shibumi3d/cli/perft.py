"""``shibumi3d perft``: count sequences of moves or turns by length, to compare engines and versions."""

from __future__ import annotations

import argparse
import json
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from shibumi3d.cli.common import (
    SUMMARY_TEXTS,
    add_command,
    add_game_options,
    add_players_option,
    add_seed_option,
    check_player_count,
    find_game,
    parse_positive,
)
from shibumi3d.i18n import _, format_fixed
from shibumi3d.match.marbles import marble_state
from shibumi3d.rules.marbles import perft
from shibumi3d.rules.marbles.facts import MarbleFacts

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.rules.game import Game, State


MAX_DEPTH = 1000


def register(commands: Commands) -> None:
    """Add the ``perft`` command."""
    parser = add_command(
        commands,
        "perft",
        run,
        _("count the possible sequences of moves and of whole turns from the start of a game"),
    )
    parser.add_argument("game", metavar=_("GAME"), help=_("name of a game, or path of a game file"))
    parser.add_argument(
        "depth", metavar=_("DEPTH"), type=parse_depth, help=_("maximum length of the sequences")
    )
    add_game_options(parser)
    add_seed_option(parser)
    add_players_option(parser)
    parser.add_argument("--by", choices=("move", "turn"), help=_("count only moves or only turns"))
    parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))


def parse_depth(text: str) -> int:
    """Parse a depth: the maximum length of the sequences of moves or turns to count.

    Raises ArgumentTypeError unless it is a whole number from 1 to :data:`MAX_DEPTH`.
    """
    number = parse_positive(text, inf, "depth")
    if number > MAX_DEPTH:
        raise argparse.ArgumentTypeError(
            _("expected a length of at most {most}, not '{text}'", most=MAX_DEPTH, text=text)
        )
    return number


def run(args: argparse.Namespace) -> int:
    """Print the number of possible sequences of moves and of turns, by length up to the given depth.

    ``--by`` limits the output to one of the two kinds.
    """
    game = find_game(args.game, args.size, args.variant, args.option)
    start = game.start(check_player_count(game, args.players), args.seed)
    start_time = perf_counter()
    counts: dict[str, list[int]] = {}
    if args.by != "turn":
        counts["moves"] = count_by_move(game, start, args.depth)
    if args.by != "move":
        counts["turns"] = count_by_turn(game, start, args.depth)
    if args.json:
        print(
            json.dumps(
                {"game": game.id, "size": game.size, "variant": game.variant, "seed": args.seed, **counts}
            )
        )
        return 0
    head = _("depth")
    titles = [_(SUMMARY_TEXTS[name]) for name in counts]
    print(head + "".join(f"{title:>16}" for title in titles))
    for depth in range(args.depth):
        # No thousands separators, so that other programs can compare the numbers.
        row = [numbers[depth] for numbers in counts.values()]
        print(f"{depth + 1:>{len(head)}}" + "".join(f"{number:>16}" for number in row))
    print(f"{format_fixed(perf_counter() - start_time, 1)} s")
    return 0


def count_by_move(game: Game, start: State, depth: int) -> list[int]:
    """Return how many sequences of 1, 2, …, ``depth`` moves are possible from ``start``.

    Chance events have the outcomes that the seed of ``start`` determines.
    """
    if isinstance(game.facts(start.seats), MarbleFacts):
        return perft.count_by_move(marble_state(start), depth)
    counts = [0] * depth

    def walk(state: State, plies_made: int) -> None:
        moves = game.moves(state)
        counts[plies_made] += len(moves)
        if plies_made + 1 < depth:
            for move in moves:
                walk(game.apply(state, move)[0], plies_made + 1)

    walk(start, 0)
    return counts


def count_by_turn(game: Game, start: State, depth: int) -> list[int]:
    """Return how many sequences of 1, 2, …, ``depth`` turns are possible from ``start``.

    Chance events have the outcomes that the seed of ``start`` determines.
    """
    if isinstance(game.facts(start.seats), MarbleFacts):
        return perft.count_by_turn(marble_state(start), depth)
    counts = [0] * depth

    def walk(state: State) -> None:
        for move in game.moves(state):
            after, _ = game.apply(state, move)
            made = after.turn - start.turn
            for number in range(state.turn - start.turn, min(made, depth)):
                counts[number] += 1
            if made < depth:
                walk(after)

    walk(start)
    return counts
