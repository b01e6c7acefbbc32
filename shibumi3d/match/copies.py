"""Copies of matches: replayed under changed rules, or cut off after a given move."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _
from shibumi3d.match.match import Match
from shibumi3d.match.special_moves import original_seats
from shibumi3d.rules.errors import IllegalMove, RuleFailure


def replay_with_rules(match: Match, entry: Entry) -> tuple[Match, str]:
    """Replay a match up to the cursor under the rules of ``entry``.

    Returns the new match and an error message. If a move isn't possible under the new rules, the new match contains
    only the moves before it and has no clock, and the message gives the reason. Otherwise, the new match has a copy of
    the clock, and the message is empty. Raises CatalogueError, GameFileError, RuleFailure or ValueError if the match
    can't be started.
    """
    game = entry.game(size=match.game.size, variant=match.game.variant or None, options=match.options)
    seats = original_seats(match)
    again = Match(
        game,
        [seat.name for seat in seats],
        match.seed,
        deal=match.deal,
        position=match.position,
        can_claim_repetition=match.can_claim_repetition,
        player_types=[seat.player_type for seat in seats],
        has_swap_rule=match.has_swap_rule,
    )
    again.hints, again.is_solution_shown = list(match.hints), match.is_solution_shown
    for ply in match.plies:
        try:
            again.play(ply.move)
        except (IllegalMove, RuleFailure) as problem:
            return again, _(
                "The new rules don't allow turn {turn}: {problem}. The old rules still apply.",
                turn=ply.turn + 1,
                problem=problem,
            )
    again.clock = deepcopy(match.clock)  # only now, since replaying a swap would exchange the times again
    return again, ""


def copy_up_to(match: Match, ply_count: int) -> Match:
    """Return an independent copy of ``match``, without a clock and cut to its first ``ply_count`` moves.

    Raises :class:`.RecordError` for a match that began from a given state, and IllegalMove if the moves include a loss
    on time, which needs a clock.
    """
    record = match.record()
    fresh = Match(
        match.game,
        record.seats,
        record.seed,
        deal=record.deal,
        position=record.position,
        can_claim_repetition=record.can_claim_repetition,
        player_types=record.player_types,
        has_swap_rule=record.has_swap_rule,
    )
    fresh.hints, fresh.is_solution_shown = list(match.hints), record.is_solution_shown
    for ply in match.plies[:ply_count]:
        fresh.play(ply.move)
    return fresh


def continue_with(match: Match, ply_count: int, moves: Sequence[str]) -> Match:
    """Return a copy of ``match``, cut to its first ``ply_count`` moves and continued with ``moves``.

    Since ``moves`` are a solution, ``is_solution_shown`` is set in the copy.
    """
    fresh = copy_up_to(match, ply_count)
    fresh.is_solution_shown = True
    for move in moves:
        fresh.play(move)
    return fresh
