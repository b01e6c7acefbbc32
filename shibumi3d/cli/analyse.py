"""``shibumi3d analyse``: evaluate a position of a recorded match and list the best turns.

The analysis uses only what the seat to move may know.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.cli.common import (
    CommandError,
    add_command,
    parse_integer,
    parse_positive,
    print_line,
    warn_about_learned_data,
)
from shibumi3d.cli.replay import load_match
from shibumi3d.cli.shot import go_to_turn
from shibumi3d.i18n import _, format_percent, localize, ngettext
from shibumi3d.wording import describe_planned_turn

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.rules.search_protocols import MoveEvaluation

ITERATIONS = 2_000


def register(commands: Commands) -> None:
    """Add the ``analyse`` command."""
    parser = add_command(
        commands, "analyse", run, _("evaluate the position in a saved game and show the three best turns")
    )
    parser.add_argument("file", metavar=_("FILE"), type=Path, help=_("a saved game"))
    parser.add_argument(
        "--at",
        type=parse_integer,
        metavar="N",
        help=_("use the position after N turns; a negative N counts from the end (default: the end)"),
    )
    parser.add_argument(
        "--iterations",
        type=parse_positive,
        metavar="N",
        default=ITERATIONS,
        help=_("number of simulations (default: {iterations})", iterations=ITERATIONS),
    )
    parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))


def run(args: argparse.Namespace) -> int:
    """Analyse a state of a match, and print the evaluation and the best turns.

    ``args.at`` selects the state, as in :func:`.go_to_turn`. By default, it is the last state before any undone moves.
    Raises :class:`.CommandError` if the match is over in that state.
    """
    from shibumi3d.search.explanations import explain_move
    from shibumi3d.search.players import GUESSED, MIN_RELIABLE_VISITS, Budget, analyse, reliability

    match = load_match(args.file)
    if args.at is not None:
        go_to_turn(match, args.at)
    state, game = match.state, match.game
    seat = state.to_move
    if seat is None:
        raise CommandError(_("the match is over at this point: use --at N to analyse it after N turns"))
    warn_about_learned_data(game, state.seats)
    states = [match.initial_state, *[ply.state for ply in match.plies[:-1]]] if match.plies else []
    past = [game.observe(each, seat) for each in states if each.step == 0]
    moves = [move.text for move in game.moves(state)]
    found = analyse(game, game.observe(state, seat), Budget(args.iterations), past_states=past, moves=moves)
    names = [each.name for each in match.seats]
    why = [explain_move(game, game.observe(state, seat), one.move_texts, names=names) for one in found.turns]
    if args.json:
        turns = [
            {
                "moves": one.move_texts,
                "visits": one.visits,
                "mean": round(one.mean_value, 4),
                "low": one.lower_bound,
                "high": one.upper_bound,
                "proved": one.is_proved,
                "known": reliability(one),
                "reasons": [{"key": each.context, "text": localize(each)} for each in said],
            }
            for one, said in zip(found.turns, why, strict=True)
        ]
        stands = {
            "seat": seat,
            "known": reliability(found.turns[0]) if found.turns else GUESSED,
            "mean": round(found.mean, 4),
            "wins_in": found.wins_in,
            "loses_in": found.loses_in,
        }
        print(json.dumps({"game": game.id, "turn": state.turn, **stands, "turns": turns}))
        return 0
    sure = _describe_distance(found.wins_in, found.loses_in)
    print_line(
        _(
            "Turn {turn}: {name} to move, {mean} chance of winning{sure}.",
            turn=state.turn + 1,
            name=names[seat],
            mean=format_percent(found.mean),
            sure=sure,
        )
    )
    for number, (one, reasons) in enumerate(zip(found.turns, why, strict=True), 1):
        few = "" if one.visits >= MIN_RELIABLE_VISITS or one.is_proved else _(", barely examined")
        turn = describe_planned_turn(match, game.observe(state, seat), one.move_texts)
        print_line(f"{number} {format_percent(one.mean_value):>4}  {turn}{_describe_proof(one)}{few}")
        for each in reasons:
            print_line(f"        {localize(each)}")
    return 0


def _describe_distance(turns_to_win: int, turns_to_loss: int) -> str:
    if turns_to_win:
        return _format_win(turns_to_win)
    return _format_loss(turns_to_loss) if turns_to_loss else ""


def _format_win(turns: int) -> str:
    return ngettext(", wins in {n} turn", ", wins in {n} turns", turns)


def _format_loss(turns: int) -> str:
    return ngettext(", loses in {n} turn", ", loses in {n} turns", turns)


def _describe_proof(turn: MoveEvaluation) -> str:
    """Return a phrase with the proved result of a turn, or "" if none is proved."""
    if not turn.is_proved:
        return ""
    turns = (turn.turns_to_end + 1) // 2
    if turn.lower_bound == 1:
        return _format_win(turns) if turns else _(", wins")
    if turn.upper_bound == 0:
        return _format_loss(turns) if turns else _(", loses")
    return _(", a draw")
