"""Problems from the player's own matches: positions in which a turn was a mistake."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from shibumi3d.catalogue.problems import ProvedProblem, rules_hash
from shibumi3d.match.outside_moves import swapped
from shibumi3d.search.problems.candidates import Candidate
from shibumi3d.search.problems.finding import Finding

from .rereading import state_after

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.match.match import Match
    from shibumi3d.search.review.moments import Moment

LARGEST_SEED = 10**9
"""Exclusive upper limit for the seeds of matches, set by the format of problem files."""


def may_keep(whole: Match, entry: Entry, one: Moment) -> bool:
    """Return whether a turn of a match can become a problem.

    The turn must be a proved mistake, and it must be possible to reproduce the match from its moves and its seed alone.
    The match must therefore have the standard start, variant, options and board size, and no swap of seats.
    """
    facts = whole.game.facts(len(whole.seats))
    usual = all(
        whole.options[each.name] == each.usual_for(len(whole.seats))
        for each in facts.options
        if each.name in whole.options
    )
    plain = whole.position is None and not whole.deal and not whole.game.variant and usual
    begun = whole.game.size == entry.size and 0 <= whole.seed < LARGEST_SEED
    return bool(one.gave_away) and plain and begun and not swapped(whole)


def candidate(whole: Match, one: Moment, begun: Iterable[int]) -> Candidate:
    """Return the position before a turn, as a candidate for a problem.

    ``begun`` lists, for each turn of ``whole``, the number of moves made before it.
    """
    turns: dict[int, list[str]] = {}
    for ply in whole.plies[: one.at]:
        turns.setdefault(ply.turn, []).append(ply.move)
    before = [at for at in begun if at < one.at]
    return Candidate(
        whole.game,
        state_after(whole, one.at),
        tuple(map(tuple, turns.values())),
        state_after(whole, before[-1]) if before else None,
        whole.seed if whole.game.facts(len(whole.seats)).chance else 0,
        real=True,
    )


def as_kept(found: Finding, entry: Entry) -> ProvedProblem:
    """Convert a newly found problem to the form in which problems are saved."""
    return ProvedProblem(game=entry.id, id=1, rules=rules_hash(entry), **found.told())
