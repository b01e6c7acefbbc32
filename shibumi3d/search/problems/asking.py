"""Requirements that a position must meet to be a problem, tested in order of cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from shibumi3d.rules.search import Considered
from shibumi3d.search.kinds import search_of
from shibumi3d.search.problems.candidates import Candidate, Turn
from shibumi3d.search.problems.faults import faults
from shibumi3d.search.problems.finding import Finding
from shibumi3d.search.problems.grading import found_after, rated, surprise
from shibumi3d.search.problems.lines import alternates, own_turns, winning_line
from shibumi3d.search.problems.once import once_at
from shibumi3d.search.problems.proofs import SAME, WORK, alive, enough_choices, only, patience
from shibumi3d.search.problems.refutations import punished
from shibumi3d.search.problems.themes import themes


class TooFar(Exception):
    """Raised if the value of a position cannot be proved.

    Earlier positions of the match are even further from the end, so they need not be tried.
    """


def problem_at(spot: Candidate) -> Finding | None:
    """Return the problem that a position contains, or None if there is none.

    Raises :class:`TooFar` if this cannot be decided because a value cannot be proved.
    """
    facts = spot.game.facts(spot.state.seats)
    search = search_of(spot.game, spot.game.view(spot.state, spot.seat), spot.seat)
    if not search.exact:
        return once_at(spot)
    if facts.recurs:
        return _within(spot, search)
    low, high, _ = search.solved(WORK, patience())
    if low < high:
        raise TooFar
    if low == 0.0:
        return None
    worths = search.worths(WORK, patience(times=4), enough=SAME + 1, sure=True)
    if low == 1.0 and any(one.low == 0.0 and one.high == 1.0 for one in worths):
        if sum(one.low for one in worths) > SAME:
            return None
        raise TooFar
    if not enough_choices(worths, spot.demands):
        return None
    keys = only(spot, worths, low)
    return _finished(spot, "win" if low == 1.0 else "hold", keys, worths) if keys else None


def _within(spot: Candidate, search: Any) -> Finding | None:
    """Return the problem in a position of a game in which positions recur, or None.

    In these games, other turns may also win if the solver needs more turns with them.
    """
    most = (spot.demands.longest + 1) // 2
    number = search.own_turns(most, WORK, patience())
    if number < 0:
        raise TooFar
    if number > most:
        return None
    late = patience(times=4)
    worths = search.worths(WORK, late, own=number, enough=2)
    wins = [one.moves for one in worths if one.low == 1.0]
    if len(wins) != 1 or late() or not enough_choices(worths, spot.demands):
        return None
    return _finished(spot, "win", wins, worths)


def _finished(
    spot: Candidate, kind: Literal["win", "hold"], keys: Sequence[Turn], worths: Sequence[Considered]
) -> Finding | None:
    """Return the problem with the given equivalent solutions.

    Return None if it does not meet the remaining requirements.
    """
    key, *also = keys
    wrong = [one.moves for one in worths if one.moves not in keys]
    least = spot.demands.alive
    if alive(spot.game, spot.state, wrong, spot.seat, least) < least:
        return None
    line = winning_line(spot, key) if kind == "win" else (key,)
    if not line or (kind == "win" and _length(spot) != len(line)):
        return None
    if not alternates(spot, line):
        return None
    number = own_turns(spot, line)
    living = alive(spot.game, spot.state, wrong, spot.seat)
    shares, visits = found_after(spot, key)
    found = Finding(
        kind,
        spot,
        number,
        line,
        tuple(also),
        punished(spot, wrong, visits, kind, number),
        surprise(shares),
        themes(spot, kind, line, len(wrong) - living, len(wrong)),
        rated(shares) + 60 * (number - 1),
        len(worths),
        slipped(spot),
    )
    return None if faults(spot, found) else found


def _length(spot: Candidate) -> int:
    """Return the number of turns within which a win can be forced.

    The results 0 and -1 have the same meaning as for :meth:`Search.wins_within`.
    """
    search = search_of(spot.game, spot.game.view(spot.state, spot.seat), spot.seat)
    return search.wins_within(spot.demands.longest, WORK, patience())


def slipped(spot: Candidate) -> bool:
    """Return whether the previous turn was a proved mistake.

    It was if, before that turn, the seat that played it provably had at least a draw.
    """
    before = spot.before
    if before is None or before.to_move is None or before.to_move == spot.seat:
        return False
    search = search_of(spot.game, spot.game.view(before, before.to_move), before.to_move)
    return search.solved(WORK, patience())[0] > 0.0
