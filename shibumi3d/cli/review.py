"""``shibumi3d review``: review a finished game turn by turn."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.cli.common import CommandError, add_command, add_seed_option, parse_positive, print_line
from shibumi3d.cli.replay import load_match
from shibumi3d.i18n import _, format_percent
from shibumi3d.match.special_moves import names_at_ply
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.wording import describe_played_turn

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.match.match import Match
    from shibumi3d.search.review.results import Review, TurnReview, ValueBounds

SIMULATIONS = 800


def add(commands: Commands) -> None:
    """Add the ``review`` command."""
    parser = add_command(
        commands,
        "review",
        run,
        _("review a finished game: which turns could have been better, and what is proved"),
    )
    parser.add_argument("file", metavar=_("FILE"), type=Path, help=_("a saved game"))
    tries = _("number of simulations per turn (default: {tries})", tries=SIMULATIONS)
    parser.add_argument("--tries", type=parse_positive, metavar="N", default=SIMULATIONS, help=tries)
    add_seed_option(parser)
    parser.add_argument("--json", action="store_true", help=_("print JSON"))


def run(args: argparse.Namespace) -> int:
    """Review the match and print the results."""
    from shibumi3d.search.review.results import Review, ReviewMove
    from shibumi3d.search.review.reviewer import review_progressively

    match = load_match(args.file)
    if len(match.seats) < 2:
        raise CommandError(_("solo games can't be reviewed; 'shibumi3d solve' looks for a way to win"))
    if match.state.to_move is not None:
        raise CommandError(_("the game is not over: use 'shibumi3d analyse' to evaluate the position"))
    history = [ReviewMove(ply.seat, ply.turn, ply.move, ply.state) for ply in match.plies]
    found = Review((), args.tries, is_complete=True)
    for known in review_progressively(match.game, match.initial_state, history, args.tries, args.seed):
        found = known
    if args.json:
        print(json.dumps(_review_json(match, found, args.seed)))
        return 0
    for one in found.turns:
        _print_turn(match, one)
    for seat, each in enumerate(match.seats):
        if (told := found.accuracy(seat)) is not None:
            accuracy, proved = told
            print_line(
                _(
                    "{name}: accuracy {percent}, {proved} of the turns proved",
                    name=each.name,
                    percent=format_percent(accuracy / 100),
                    proved=format_percent(proved),
                )
            )
    return 0


def _print_turn(match: Match, one: TurnReview) -> None:
    """Print a line for one turn, with its evaluation and better moves."""
    name = names_at_ply(match, one.start)[one.seat]
    did = describe_played_turn(match, match.plies, range(one.start, one.end), lambda ply: ply.events)
    line = f"{one.turn + 1:>3} {name}  {capitalize_first(did)}"
    if one.mark:
        line += f" {one.mark}"
    if one.best_value is not None and one.played_value is not None and not one.is_forced:
        line += f"  {'■' if one.is_proved else '□'} {_value_percent(one.best_value)}"
        if one.loss >= 0.5:
            line += f" → {_value_percent(one.played_value)}"
    if one.mark not in ("", "!"):
        line += "  " + _("better: {moves}", moves=_describe_moves(match, one, one.best_turn))
        if one.lost_result:
            line += _(" ({told})", told=describe_lost_result(one))
    elif one.mix:
        line += "  " + ", ".join(
            f"{_describe_moves(match, one, (text,))} {format_percent(share)}" for text, share in one.mix
        )
    print_line(line)


def _describe_moves(match: Match, one: TurnReview, texts: Sequence[str]) -> str:
    """Describe alternative moves in a turn."""
    from shibumi3d.app.match.review import describe_turn_texts

    return describe_turn_texts(
        match, match.state_after(one.start), one.seat, texts, names_at_ply(match, one.start)
    )


def describe_lost_result(one: TurnReview) -> str:
    """Return a phrase that names the proved win or draw that a turn gave away."""
    if one.lost_result == "draw":
        return _("gave away the draw")
    return _("missed a win in {turns}", turns=one.wins_in) if one.wins_in else _("gave away the win")


def _moves_of_turn(match: Match, one: TurnReview) -> tuple[str, ...]:
    return tuple(ply.move for ply in match.plies[one.start : one.end])


def _value_percent(worth: ValueBounds) -> str:
    return format_percent(worth.value)


def _review_json(match: Match, found: Review, seed: int) -> dict[str, object]:
    """Return the review as JSON data."""
    turns = []
    for one in found.turns:
        told: dict[str, object] = {"turn": one.turn, "seat": one.seat, "moves": _moves_of_turn(match, one)}
        if one.best_value is not None:
            told["best"] = _value_json(one.best_value)
        if one.played_value is not None:
            told["played"] = _value_json(one.played_value)
            told["loss"] = round(one.loss, 1)
            told["mark"] = one.mark
            told["better"] = one.best_turn
        if one.wins_in or one.loses_in:
            told["wins_in"], told["loses_in"] = one.wins_in, one.loses_in
        if one.mix:
            told["mix"] = dict(one.mix)
        turns.append(told)
    seats = []
    for seat, each in enumerate(match.seats):
        measured = found.accuracy(seat)
        percent, proved = measured if measured is not None else (None, 0.0)
        seats.append(
            {
                "name": each.name,
                "accuracy": None if percent is None else round(percent, 1),
                "proved": round(proved, 3),
            }
        )
    return {"game": match.game.id, "tries": found.simulations, "seed": seed, "turns": turns, "seats": seats}


def _value_json(worth: ValueBounds) -> dict[str, object]:
    return {"value": round(worth.value, 4), "proved": worth.is_proved}
