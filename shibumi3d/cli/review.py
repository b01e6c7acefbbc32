"""``shibumi3d review``: review a finished game turn by turn."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.app.board.rereading import state_after
from shibumi3d.app.marbles.turns import turn_spoken
from shibumi3d.cli.common import Failure, add_seed_option, command, positive, say
from shibumi3d.cli.replay import match_of
from shibumi3d.i18n import _, percent
from shibumi3d.match.outside_moves import names_at
from shibumi3d.rules.wording import capital

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.match.match import Match
    from shibumi3d.search.review.moments import Moment, Review, Worth

TRIES = 800


def add(commands: Commands) -> None:
    """Add the ``review`` command."""
    parser = command(
        commands,
        "review",
        run,
        _("review a finished game: which turns could have been better, and what is proved"),
    )
    parser.add_argument("file", metavar=_("FILE"), type=Path, help=_("a saved game"))
    tries = _("number of simulations per turn (default: {tries})", tries=TRIES)
    parser.add_argument("--tries", type=positive, metavar="N", default=TRIES, help=tries)
    add_seed_option(parser)
    parser.add_argument("--json", action="store_true", help=_("print JSON"))


def run(args: argparse.Namespace) -> int:
    """Review the match and print the results."""
    from shibumi3d.search.review.moments import Made, Review
    from shibumi3d.search.review.passes import reviews

    match = match_of(args.file)
    if len(match.seats) < 2:
        raise Failure(_("solo games can't be reviewed; 'shibumi3d solve' looks for a way to win"))
    if match.state.to_move is not None:
        raise Failure(_("the game is not over: use 'shibumi3d analyse' to evaluate the position"))
    history = [Made(ply.seat, ply.turn, ply.move, ply.state) for ply in match.plies]
    found = Review((), args.tries, complete=True)
    for known in reviews(match.game, match.first, history, args.tries, args.seed):
        found = known
    if args.json:
        print(json.dumps(_plain(match, found, args.seed)))
        return 0
    for one in found.moments:
        _print(match, one)
    for seat, each in enumerate(match.seats):
        if (told := found.accuracy(seat)) is not None:
            accuracy, proved = told
            say(
                _(
                    "{name}: accuracy {percent}, {proved} of the turns proved",
                    name=each.name,
                    percent=percent(accuracy / 100),
                    proved=percent(proved),
                )
            )
    return 0


def _print(match: Match, one: Moment) -> None:
    """Print a line for one turn, with its evaluation and better moves."""
    name = names_at(match, one.at)[one.seat]
    did = turn_spoken(match, match.plies, range(one.at, one.until), lambda ply: ply.events)
    line = f"{one.turn + 1:>3} {name}  {capital(did)}"
    if one.mark:
        line += f" {one.mark}"
    if one.best is not None and one.played is not None and not one.forced:
        line += f"  {'■' if one.proved else '□'} {_percent(one.best)}"
        if one.loss >= 0.5:
            line += f" → {_percent(one.played)}"
    if one.mark not in ("", "!"):
        line += "  " + _("better: {moves}", moves=_told(match, one, one.better))
        if one.gave_away:
            line += _(" ({told})", told=given_up(one))
    elif one.mix:
        line += "  " + ", ".join(f"{_told(match, one, (text,))} {percent(share)}" for text, share in one.mix)
    say(line)


def _told(match: Match, one: Moment, texts: Sequence[str]) -> str:
    """Describe alternative moves in a turn."""
    from shibumi3d.app.board.reviewer import told_turn

    return told_turn(match, state_after(match, one.at), one.seat, texts, names_at(match, one.at))


def given_up(one: Moment) -> str:
    """Return a phrase that names the proved win or draw that a turn gave away."""
    if one.gave_away == "draw":
        return _("gave away the draw")
    return _("missed a win in {turns}", turns=one.wins_in) if one.wins_in else _("gave away the win")


def _moves(match: Match, one: Moment) -> tuple[str, ...]:
    return tuple(ply.move for ply in match.plies[one.at : one.until])


def _percent(worth: Worth) -> str:
    return percent(worth.value)


def _plain(match: Match, found: Review, seed: int) -> dict[str, object]:
    """Return the review as JSON data."""
    turns = []
    for one in found.moments:
        told: dict[str, object] = {"turn": one.turn, "seat": one.seat, "moves": _moves(match, one)}
        if one.best is not None:
            told["best"] = _worth(one.best)
        if one.played is not None:
            told["played"] = _worth(one.played)
            told["loss"] = round(one.loss, 1)
            told["mark"] = one.mark
            told["better"] = one.better
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
    return {"game": match.game.id, "tries": found.tries, "seed": seed, "turns": turns, "seats": seats}


def _worth(worth: Worth) -> dict[str, object]:
    return {"value": round(worth.value, 4), "proved": worth.proved}
