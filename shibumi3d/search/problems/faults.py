"""Verification of a problem by proving it again."""

from __future__ import annotations

from shibumi3d.rules.identity import identity
from shibumi3d.search.kinds import search_of
from shibumi3d.search.problems.candidates import Candidate, after
from shibumi3d.search.problems.finding import Finding
from shibumi3d.search.problems.lines import alternates, own_turns
from shibumi3d.search.problems.once import once_at
from shibumi3d.search.problems.proofs import ANEW, WORK, patience
from shibumi3d.search.problems.refutations import unrefuted

TO_THE_END = 200
"""A number of turns that no match exceeds if it is short enough to be searched."""


def faults(spot: Candidate, finding: Finding, other: bool = False) -> list[str]:
    """Prove a problem again; return the keys of the faults found, or an empty list if there are none.

    "open" means that something could not be decided within :data:`ANEW` seconds. A win in n turns must take n of the
    solver's turns. No other first turn may win in as few turns, and none may win at all unless positions recur in the
    game. If ``other`` is set, the problem is proved by the method that was not used to find it: a search turn by turn
    instead of whole endgames. For games in which positions recur, there is only one method.
    """
    game, seat, found = spot.game, spot.seat, []
    search = search_of(game, game.view(spot.state, seat), seat)
    if finding.kind == "once" or not search.exact:
        once = once_at(spot)
        return [] if once is not None and once.key == finding.key else ["key"]
    recurs = game.facts(spot.state.seats).recurs
    goals = {identity(after(game, spot.state, turn)) for turn in (finding.key, *finding.also)}
    late = patience(ANEW)
    if recurs:
        worths = search.worths(WORK, late, own=finding.n)
    else:
        worths = search.worths(WORK, late, within=TO_THE_END if other else 0)
    worth = 1.0 if finding.kind == "win" else 0.5
    for one in worths:
        if identity(after(game, spot.state, one.moves)) in goals:
            found += [] if one.low >= worth else ["key"]
        elif recurs:
            found += ["second"] if one.low >= worth else []
        elif one.high >= worth:
            found.append("second" if one.low >= worth else "open")
    if recurs and late():
        found.append("open")  # the search may have been cut short
    if sum(identity(after(game, spot.state, one.moves)) in goals for one in worths) != len(goals):
        found.append("key")
    if finding.kind == "win":
        length = search.wins_within(len(finding.line), WORK, patience(ANEW))
        if length != len(finding.line):
            found.append("open" if length < 0 else "length")
        number = search.own_turns(finding.n, WORK, patience(ANEW))
        if number != finding.n:
            found.append("open" if number < 0 else "length")
        end = spot.state
        for turn in finding.line:
            end = after(game, end, turn)
        won = end.result is not None and end.result.winners == (seat,)
        if not (won and alternates(spot, finding.line) and own_turns(spot, finding.line) == finding.n):
            found.append("line")
    for turn, answer in finding.wrong:
        left = unrefuted(spot, finding.kind, finding.n, turn, answer)
        found += [left] if left else []
    return list(dict.fromkeys(found))
