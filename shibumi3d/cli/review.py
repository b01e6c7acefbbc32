"""``shibumi3d review``: review a finished game turn by turn."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.cli.common import CommandError, add_command, add_seed_option, parse_positive, print_line
from shibumi3d.cli.replay import load_match
from shibumi3d.i18n import _, format_percent, ngettext
from shibumi3d.match.special_moves import names_at_ply
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.wording import describe_played_turn

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.match.match import Match
    from shibumi3d.search.review.results import Review, TurnReview, ValueBounds

SIMULATIONS = 800


def register(commands: Commands) -> None:
    """Add the ``review`` command."""
    parser = add_command(
        commands,
        "review",
        run,
        _("review a finished game: show which turns could have been better, and where this is proved"),
    )
    parser.add_argument("file", metavar=_("FILE"), type=Path, help=_("a saved game"))
    tries = _("number of simulations per turn (default: {tries})", tries=SIMULATIONS)
    parser.add_argument("--tries", type=parse_positive, metavar="N", default=SIMULATIONS, help=tries)
    add_seed_option(parser)
    parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))


def run(args: argparse.Namespace) -> int:
    """Review the match and print the results."""
    from shibumi3d.search.review.results import Review, ReviewMove
    from shibumi3d.search.review.reviewer import review_progressively

    match = load_match(args.file)
    if len(match.seats) < 2:
        raise CommandError(_("solo games can't be reviewed; 'shibumi3d solve' looks for a way to win"))
    if match.state.to_move is not None:
        raise CommandError(_("the match is not over: use 'shibumi3d analyse' to evaluate the position"))
    history = [ReviewMove(ply.seat, ply.turn, ply.move, ply.state) for ply in match.plies]
    review = Review((), args.tries, is_complete=True)
    for latest in review_progressively(match.game, match.initial_state, history, args.tries, args.seed):
        review = latest
    if args.json:
        print(json.dumps(_review_json(match, review, args.seed)))
        return 0
    for turn in review.turns:
        _print_turn(match, turn)
    for seat, each in enumerate(match.seats):
        if (accuracy_and_proved := review.accuracy(seat)) is not None:
            accuracy, proved = accuracy_and_proved
            print_line(
                _(
                    "{name}: accuracy {percent}, evaluation proved for {proved} of the turns",
                    name=each.name,
                    percent=format_percent(accuracy / 100),
                    proved=format_percent(proved),
                )
            )
    return 0


def _print_turn(match: Match, turn: TurnReview) -> None:
    name = names_at_ply(match, turn.start)[turn.seat]
    did = describe_played_turn(match, match.plies, range(turn.start, turn.end), lambda ply: ply.events)
    line = f"{turn.turn + 1:>3} {name}  {capitalize_first(did)}"
    if turn.mark:
        line += f" {turn.mark}"
    if turn.best_value is not None and turn.played_value is not None and not turn.is_forced:
        line += f"  {'■' if turn.is_proved else '□'} {_value_percent(turn.best_value)}"
        if turn.loss >= 0.5:
            line += f" → {_value_percent(turn.played_value)}"
    if turn.mark not in ("", "!"):
        line += "  " + _("better: {moves}", moves=_describe_moves(match, turn, turn.best_turn))
        if turn.lost_result:
            line += _(" ({told})", told=describe_lost_result(turn))
    elif turn.mix:
        line += "  " + ", ".join(
            f"{_describe_moves(match, turn, (text,))} {format_percent(share)}" for text, share in turn.mix
        )
    print_line(line)


def _describe_moves(match: Match, turn: TurnReview, texts: Sequence[str]) -> str:
    from shibumi3d.app.match.review import describe_turn_texts

    return describe_turn_texts(
        match, match.state_after(turn.start), turn.seat, texts, names_at_ply(match, turn.start)
    )


def describe_lost_result(turn: TurnReview) -> str:
    """Return a phrase that names the proved win or draw that a turn gave away."""
    if turn.lost_result == "draw":
        return _("gave away the draw")
    if turn.wins_in:
        return ngettext("missed a win in {n} turn", "missed a win in {n} turns", turn.wins_in)
    return _("gave away the win")


def _moves_of_turn(match: Match, turn: TurnReview) -> tuple[str, ...]:
    return tuple(ply.move for ply in match.plies[turn.start : turn.end])


def _value_percent(value: ValueBounds) -> str:
    return format_percent(value.value)


def _review_json(match: Match, review: Review, seed: int) -> dict[str, object]:
    turns = []
    for turn in review.turns:
        data: dict[str, object] = {"turn": turn.turn, "seat": turn.seat, "moves": _moves_of_turn(match, turn)}
        if turn.best_value is not None:
            data["best"] = _value_json(turn.best_value)
        if turn.played_value is not None:
            data["played"] = _value_json(turn.played_value)
            data["loss"] = round(turn.loss, 1)
            data["mark"] = turn.mark
            data["better"] = turn.best_turn
        if turn.wins_in or turn.loses_in:
            data["wins_in"], data["loses_in"] = turn.wins_in, turn.loses_in
        if turn.mix:
            data["mix"] = dict(turn.mix)
        turns.append(data)
    seats = []
    for seat, each in enumerate(match.seats):
        measured = review.accuracy(seat)
        percent, proved = measured if measured is not None else (None, 0.0)
        seats.append(
            {
                "name": each.name,
                "accuracy": None if percent is None else round(percent, 1),
                "proved": round(proved, 3),
            }
        )
    return {"game": match.game.id, "tries": review.simulations, "seed": seed, "turns": turns, "seats": seats}


def _value_json(value: ValueBounds) -> dict[str, object]:
    return {"value": round(value.value, 4), "proved": value.is_proved}
