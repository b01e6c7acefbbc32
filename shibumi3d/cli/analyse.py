"""``shibumi3d analyse``: how a recorded match stands, and the best turns, as the seat to move may see it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.app.text import say as phrase
from shibumi3d.cli.common import Failure, command, integer, positive, say
from shibumi3d.cli.replay import match_of
from shibumi3d.cli.shot import go_to_turn
from shibumi3d.match.record import join_turn

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.rules.game import Considered

ITERATIONS = 2_000


def add(commands: Commands) -> None:
    """Add the command."""
    parser = command(commands, "analyse", run, phrase("help.analyse"))
    parser.add_argument("file", metavar=phrase("metavar.FILE"), type=Path, help=phrase("help.file"))
    parser.add_argument("--at", type=integer, metavar="N", help=phrase("help.analyse.at"))
    parser.add_argument(
        "--iterations",
        type=positive,
        metavar="N",
        default=ITERATIONS,
        help=phrase("help.analyse.iterations", iterations=ITERATIONS),
    )
    parser.add_argument("--json", action="store_true", help=phrase("help.json"))


def run(args: argparse.Namespace) -> int:
    """Analyse and print."""
    from shibumi3d.search.players import Budget, analyse

    match = match_of(args.file)
    if args.at is not None:
        go_to_turn(match, args.at)
    state, game = match.state, match.game
    seat = state.to_move
    if seat is None:
        raise Failure(phrase("terminal.over-there"))
    states = [match.first, *[ply.state for ply in match.plies[:-1]]] if match.plies else []
    past = [game.view(each, seat) for each in states if each.step == 0]
    moves = [move.text for move in game.moves(state)]
    found = analyse(game, game.view(state, seat), Budget(args.iterations), past=past, moves=moves)
    name = match.seats[seat].name
    if args.json:
        turns = [
            {"moves": one.moves, "visits": one.visits, "mean": round(one.mean, 4), "proved": one.proved}
            for one in found.turns
        ]
        told = {
            "seat": seat,
            "mean": round(found.mean, 4),
            "wins_in": found.wins_in,
            "loses_in": found.loses_in,
        }
        print(json.dumps({"game": game.id, "turn": state.turn, **told, "turns": turns}))
        return 0
    sure = _sure(found.wins_in, found.loses_in)
    say(phrase("terminal.analysed", turn=state.turn + 1, name=name, mean=f"{found.mean:.0%}", sure=sure))
    for number, one in enumerate(found.turns, 1):
        few = "" if one.visits >= FEW or one.proved else phrase("terminal.hardly")
        say(f"{number} {one.mean:>4.0%}  {join_turn(one.moves)}{_proved(one)}{few}")
    return 0


FEW = 30
"""Tries below which little is known of a turn."""


def _sure(wins: int, loses: int) -> str:
    if wins:
        return phrase("terminal.wins-in", turns=wins)
    return phrase("terminal.loses-in", turns=loses) if loses else ""


def _proved(one: Considered) -> str:
    """What is proved of a turn."""
    if not one.proved:
        return ""
    turns = (one.turns + 1) // 2
    if one.low == 1:
        return phrase("terminal.wins-in", turns=turns) if turns else phrase("terminal.wins")
    if one.high == 0:
        return phrase("terminal.loses-in", turns=turns) if turns else phrase("terminal.loses")
    return phrase("terminal.draw")
