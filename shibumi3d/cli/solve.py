"""``shibumi3d solve``: whether and how a game can be won: alone, together, or by one of two who play without a slip."""

from __future__ import annotations

import argparse
import json
from time import process_time
from typing import TYPE_CHECKING

from shibumi3d.app.text import say as phrase
from shibumi3d.app.text import told
from shibumi3d.cli.common import (
    Failure,
    add_game_options,
    add_players_option,
    add_seed_option,
    command,
    game_of,
    players_of,
    positive,
    say,
)
from shibumi3d.match.record import join_turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shibumi3d.cli.common import Commands
    from shibumi3d.rules.game import Game
    from shibumi3d.rules.marbles.state import State

WON, LOST, UNKNOWN = range(3)
"""Exit codes."""
WORK = 200_000


def add(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "solve",
        run,
        phrase("help.solve"),
    )
    parser.add_argument("game", metavar=phrase("metavar.GAME"), help=phrase("help.game"))
    add_game_options(parser)
    add_seed_option(parser)
    add_players_option(parser)
    parser.add_argument(
        "--work", type=positive, metavar="N", default=WORK, help=phrase("help.work", work=WORK)
    )
    parser.add_argument("--json", action="store_true", help=phrase("help.json"))


def run(args: argparse.Namespace) -> int:
    """Search and print what was found."""
    from shibumi3d.search.solver import greatest, solve

    game = game_of(args.game, args.size, args.variant, args.option)
    seats = players_of(game, args.players)
    state, facts = game.start(seats, args.seed), game.facts(seats)
    if not facts.solver:
        return _for_two(args, game, state)
    begun = process_time()
    found: dict[str, object]
    if facts.solver == "score":
        best = greatest(game, state, work=args.work)
        moves = best.moves
        known = game.meta["best"].get(game.size)
        proven = best.proven or (best.score is not None and best.score == known)
        found = {"score": best.score, "proven": proven, "chance": best.chance, "tried": best.tried}
        code = UNKNOWN if not proven else LOST if best.score is None else WON
        sentence = _of_win(None, True) if best.chance else _of_score(best.score, proven, known)
    else:
        verdict = solve(game, state, work=args.work)
        moves = verdict.moves
        found = {"won": verdict.won, "chance": verdict.chance, "tried": verdict.tried}
        code = UNKNOWN if verdict.won is None else WON if verdict.won else LOST
        sentence = _of_win(verdict.won, verdict.chance)
    if args.json:
        setting = {"game": game.id, "size": game.size, "variant": game.variant, "seed": args.seed}
        print(json.dumps({**setting, **found, "moves": moves}))
        return code
    for number, turn in enumerate(_turns(game, state, moves), 1):
        say(f"{number:>3} {join_turn(turn)}")
    seconds = f"{process_time() - begun:.1f}"
    say(phrase("terminal.solved", said=sentence, tried=found["tried"], seconds=seconds))
    return code


def _for_two(args: argparse.Namespace, game: Game, state: State) -> int:
    """Prove who wins a game for two when nobody slips, and print it."""
    from shibumi3d.search.solver import decided

    begun = process_time()
    try:
        worth, winning = decided(game, state, work=args.work)
    except ValueError as problem:
        raise Failure(told(problem)) from None
    if args.json:
        setting = {"game": game.id, "size": game.size, "variant": game.variant, "seed": args.seed}
        print(json.dumps({**setting, "worth": worth, "moves": winning}))
    else:
        seconds = f"{process_time() - begun:.1f}"
        say(phrase("terminal.decided", said=_of_two(worth, winning), seconds=seconds))
    return UNKNOWN if worth is None else WON if worth == 1 else LOST


def _of_two(worth: float | None, winning: Sequence[str]) -> str:
    if worth is None:
        return phrase("terminal.given-up")
    if worth == 1:
        return phrase("terminal.first-by", move=winning[0]) if winning else phrase("terminal.first")
    return phrase("terminal.second") if worth == 0 else phrase("terminal.nobody")


def _of_win(won: bool | None, chance: bool) -> str:
    if won is not None:
        return phrase("terminal.won") if won else phrase("terminal.lost-puzzle")
    return phrase("terminal.chance") if chance else phrase("terminal.given-up")


def _of_score(score: int | None, proven: bool, known: int | None) -> str:
    if score is None:
        return phrase("terminal.lost-score") if proven else phrase("terminal.no-score")
    if proven:
        return phrase("terminal.score-greatest", score=score)
    return (
        phrase("terminal.score-known", score=score, known=known)
        if known
        else phrase("terminal.score-perhaps", score=score)
    )


def _turns(game: Game, state: State, moves: Sequence[str]) -> list[list[str]]:
    """The moves turn by turn."""
    turns: list[list[str]] = []
    before = -1
    for move in moves:
        if state.turn != before:
            turns.append([])
            before = state.turn
        turns[-1].append(move)
        state, _ = game.apply(state, move)
    return turns
