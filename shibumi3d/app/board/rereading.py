"""Copies of matches: replayed under changed rules, or cut off after a given move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _
from shibumi3d.match.match import Match
from shibumi3d.match.outside_moves import at_first
from shibumi3d.rules.errors import IllegalMove, RuleFailure

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


def state_after(match: Match, number: int) -> State:
    """Return the state of a match after its first ``number`` moves."""
    return match.plies[number - 1].state if number else match.first


def replayed(match: Match, fresh: Entry) -> tuple[Match, str]:
    """Replay a match under the rules of ``fresh``; return the new match and an error message.

    If the new rules forbid a move, the new match ends before that move, and the message gives the reason. Otherwise,
    the message is empty. Raises CatalogueError, GameFileError, RuleFailure or ValueError if the match can't even start.
    """
    game = fresh.game(size=match.game.size, variant=match.game.variant or None, options=match.options)
    seats = at_first(match)
    again = Match(
        game,
        [seat.name for seat in seats],
        match.seed,
        deal=match.deal,
        position=match.position,
        repetition=match.repetition,
        kinds=[seat.kind for seat in seats],
        swap=match.swap,
    )
    again.clock, again.hints, again.shown = match.clock, list(match.hints), match.shown
    for ply in match.plies:
        try:
            again.play(ply.move)
        except (IllegalMove, RuleFailure) as problem:
            return again, _(
                "The new rules don't allow turn {turn}: {problem}. The old rules still apply.",
                turn=ply.turn + 1,
                problem=problem,
            )
    return again, ""


def up_to(match: Match, number: int) -> Match:
    """Return an independent copy of ``match`` with only its first ``number`` moves."""
    record = match.record()
    fresh = Match(
        match.game,
        record.seats,
        record.seed,
        deal=record.deal,
        position=record.position,
        repetition=record.repetition,
        kinds=record.players,
        swap=record.swap,
    )
    fresh.hints, fresh.shown = list(match.hints), record.shown
    for ply in match.plies[:number]:
        fresh.play(ply.move)
    return fresh
