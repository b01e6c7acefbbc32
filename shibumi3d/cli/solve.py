"""``shibumi3d solve``: find out whether a game can be won, and how.

The game may be a solo game, a cooperative game, or a two-player game without hidden information or chance.
"""

from __future__ import annotations

import argparse
import json
from time import process_time
from typing import TYPE_CHECKING

from shibumi3d.cli.common import (
    CommandError,
    add_command,
    add_game_options,
    add_players_option,
    add_seed_option,
    check_player_count,
    find_game,
    parse_positive,
    print_line,
)
from shibumi3d.i18n import _, format_fixed, localize, ngettext
from shibumi3d.match.record import format_turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shibumi3d.cli.common import Commands
    from shibumi3d.rules.game import Game, State

WON, LOST, UNKNOWN = range(3)
"""Exit codes of the command, by result.

``WON`` also means that the highest possible score was found, and ``LOST`` that the first player can't force a win.
"""
DEFAULT_MAX_MOVES = 200_000


def register(commands: Commands) -> None:
    """Add the ``solve`` command."""
    parser = add_command(
        commands,
        "solve",
        run,
        _(
            "find out how to win a puzzle, what its highest score is, or who wins a two-player game; the exit "
            "code is 0 if the first player can win (or the highest score was found), 1 if not, and 2 if this "
            "couldn't be determined"
        ),
    )
    parser.add_argument("game", metavar=_("GAME"), help=_("name of a game, or path of a game file"))
    add_game_options(parser)
    add_seed_option(parser)
    add_players_option(parser)
    parser.add_argument(
        "--work",
        type=parse_positive,
        metavar="N",
        default=DEFAULT_MAX_MOVES,
        help=_("maximum number of moves to try (default: {work})", work=DEFAULT_MAX_MOVES),
    )
    parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))


def run(args: argparse.Namespace) -> int:
    """Solve the game and print the result; return :data:`WON`, :data:`LOST` or :data:`UNKNOWN`."""
    from shibumi3d.search.solver import find_best_score, solve

    game = find_game(args.game, args.size, args.variant, args.option)
    seats = check_player_count(game, args.players)
    state, facts = game.start(seats, args.seed), game.facts(seats)
    if not facts.solver:
        return _solve_two_player(args, game, state)
    start_time = process_time()
    result: dict[str, object]
    if facts.solver == "score":
        best = find_best_score(game, state, max_moves=args.work)
        moves, tried = best.moves, best.moves_tried
        known_best = game.meta["best"].get(game.size)
        proven = best.is_proved or (best.score is not None and best.score == known_best)
        result = {
            "score": best.score,
            "proven": proven,
            "chance": best.needs_chance,
            "tried": tried,
        }
        code = UNKNOWN if not proven else LOST if best.score is None else WON
        sentence = (
            _describe_win(None, True)
            if best.needs_chance
            else _describe_score(best.score, proven, known_best)
        )
    else:
        verdict = solve(game, state, max_moves=args.work)
        moves, tried = verdict.moves, verdict.moves_tried
        result = {"won": verdict.is_winnable, "chance": verdict.needs_chance, "tried": tried}
        code = UNKNOWN if verdict.is_winnable is None else WON if verdict.is_winnable else LOST
        sentence = _describe_win(verdict.is_winnable, verdict.needs_chance)
    if args.json:
        setting = {"game": game.id, "size": game.size, "variant": game.variant, "seed": args.seed}
        print(json.dumps({**setting, **result, "moves": moves}))
        return code
    for number, turn in enumerate(_group_by_turn(game, state, moves), 1):
        print_line(f"{number:>3} {format_turn(turn)}")
    seconds = format_fixed(process_time() - start_time, 1)
    print_line(
        ngettext(
            "{said} {n} move tried in {seconds} s.",
            "{said} {n} moves tried in {seconds} s.",
            tried,
            said=sentence,
            seconds=seconds,
        )
    )
    return code


def _solve_two_player(args: argparse.Namespace, game: Game, state: State) -> int:
    """Print the result of a two-player game under perfect play, and return the exit code.

    The code is :data:`WON` if the first player can force a win, :data:`LOST` if not, and :data:`UNKNOWN` if the search
    gives no answer. Raises CommandError if the game can't be solved.
    """
    from shibumi3d.search.solver import solve_two_player

    start_time = process_time()
    try:
        value, winning = solve_two_player(game, state, max_moves=args.work)
    except ValueError as problem:
        raise CommandError(localize(problem)) from None
    if args.json:
        setting = {"game": game.id, "size": game.size, "variant": game.variant, "seed": args.seed}
        print(json.dumps({**setting, "worth": value, "moves": winning}))
    else:
        seconds = format_fixed(process_time() - start_time, 1)
        print_line(
            _("{said} Time: {seconds} s.", said=_describe_two_player_result(value, winning), seconds=seconds)
        )
    return UNKNOWN if value is None else WON if value == 1 else LOST


def _describe_two_player_result(value: float | None, winning: Sequence[str]) -> str:
    if value is None:
        return _("Unknown: the search reached its limit.")
    if value == 1:
        return (
            _("The first player wins with {move}.", move=winning[0])
            if winning
            else _("The first player wins.")
        )
    return _("The second player wins.") if value == 0 else _("Neither player can force a win.")


def _describe_win(won: bool | None, has_chance: bool) -> str:
    if won is not None:
        return _("Won.") if won else _("Lost: no win is possible.")
    return (
        _("Unknown: the result depends on chance.")
        if has_chance
        else _("Unknown: the search reached its limit.")
    )


def _describe_score(score: int | None, is_proved: bool, known_best: int | None) -> str:
    if score is None:
        return _("Lost: no score is possible.") if is_proved else _("Unknown: no score was found.")
    if is_proved:
        return _("Score {score}, the highest possible.", score=score)
    return (
        _("Score {score}; the highest possible is {known}.", score=score, known=known_best)
        if known_best
        else _("Score {score}, perhaps not the highest possible.", score=score)
    )


def _group_by_turn(game: Game, state: State, moves: Sequence[str]) -> list[list[str]]:
    turns: list[list[str]] = []
    before = -1
    for move in moves:
        if state.turn != before:
            turns.append([])
            before = state.turn
        turns[-1].append(move)
        state, _ = game.apply(state, move)
    return turns
