"""Themes of problems, each with its own test.

Some tests ask what would happen if a side could pass. They need a game that can start from any position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from shibumi3d.rules.game import Game, Redrawable, Remarkable, beginning
from shibumi3d.search.kinds import search_of
from shibumi3d.search.problems.candidates import Candidate, Turn
from shibumi3d.search.problems.proofs import WORK, patience, wins_at_once

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


@dataclass(frozen=True, slots=True)
class Solved:
    """A solved problem, as input for the theme tests: the states and remarks of its first turns."""

    spot: Candidate
    kind: str
    line: Sequence[Turn]
    lost_at_once: int
    """Number of wrong turns that lose at once."""
    wrong: int
    states: Sequence[State]
    """States before the solution, after it and, if there is a reply, after the reply."""
    remarks: Sequence[frozenset[str]]
    """Remarks on the solution and on the reply; see :class:`shibumi3d.rules.game.Remarkable`."""

    @property
    def seat(self) -> int:
        """The seat that solves the problem."""
        return self.spot.seat


def at_once(one: Solved) -> bool:
    """Return whether the solution wins at once."""
    return one.kind != "hold" and len(one.line) == 1


def quiet(one: Solved) -> bool:
    """Return whether passing would win too, so that the solution only has to preserve the win."""
    if one.kind != "win" or len(one.line) < 2:
        return False
    return _wins(one.spot.game, left_out(one.spot.game, one.states[0]), one.seat, len(one.line) + 1) is True


def double(one: Solved) -> bool:
    """Return whether there are several ways to win at once after the reply."""
    if len(one.line) != 3 or len(one.states) < 3:
        return False
    there = one.states[2]
    return there.to_move == one.seat and len(wins_at_once(one.spot.game, there, one.seat)) > 1


def block(one: Solved) -> bool:
    """Return whether more than half of the wrong turns lose at once."""
    return len(one.line) > 1 and 2 * one.lost_at_once > one.wrong > 0


def capture(one: Solved) -> bool:
    """Return whether the solution captures something."""
    return "capture" in one.remarks[0]


def sacrifice(one: Solved) -> bool:
    """Return whether the solver loses material through the solution or the reply."""
    return any("loss" in each for each in one.remarks)


def fall(one: Solved) -> bool:
    """Return whether the solution makes something fall."""
    return "fall" in one.remarks[0]


def climb(one: Solved) -> bool:
    """Return whether the solution puts one of the solver's pieces on top of pieces of other seats."""
    return "climb" in one.remarks[0]


def zugzwang(one: Solved) -> bool:
    """Return whether the win would take too many turns if the opponent could pass."""
    if one.kind != "win" or len(one.line) < 2:
        return False
    left = max(1, len(one.line) - 2)
    return _wins(one.spot.game, left_out(one.spot.game, one.states[1]), one.seat, left) is False


def last(one: Solved) -> bool:
    """Return whether the solution leaves a seat with nothing in its hand."""
    return "last" in one.remarks[0]


def draw(one: Solved) -> bool:
    """Return whether the solution secures a draw."""
    return one.kind == "hold"


TESTS: dict[str, Callable[[Solved], bool]] = {
    "at-once": at_once,
    "quiet": quiet,
    "double": double,
    "block": block,
    "capture": capture,
    "sacrifice": sacrifice,
    "fall": fall,
    "climb": climb,
    "zugzwang": zugzwang,
    "last": last,
    "draw": draw,
}
"""Theme tests, by the names in :data:`shibumi3d.catalogue.problems.THEMES`."""


def themes(
    spot: Candidate, kind: str, line: Sequence[Turn], lost_at_once: int, wrong: int
) -> tuple[str, ...]:
    """Return the themes of a problem: the names of all tests that it passes."""
    game, states, remarks = spot.game, [spot.state], list[frozenset[str]]()
    for turn in line[:2]:
        state, events = states[-1], list[Any]()
        for move in turn:
            state, happened = game.apply(state, move)
            events += happened
        said = game.remarks(states[-1], state, events, spot.seat) if isinstance(game, Remarkable) else ()
        remarks.append(frozenset(said))
        states.append(state)
    one = Solved(spot, kind, line, lost_at_once, wrong, states, remarks)
    return tuple(name for name, holds in TESTS.items() if holds(one))


def left_out(game: Game, state: State) -> Any:
    """Return the same position with the other of two seats to move, or None if that is impossible."""
    if state.result is not None or state.seats != 2 or not isinstance(game, Redrawable):
        return None
    at = game.position_of(state)
    if at is None:
        return None
    try:
        there = beginning(game, state.seats, 0, replace(at, to_move=1 - at.to_move))
    except ValueError:
        return None
    return there if there.result is None and there.to_move == 1 - state.to_move else None


def _wins(game: Game, state: State, seat: int, turns: int) -> bool | None:
    """Return whether a seat is proved to have a forced win within ``turns`` turns of both seats.

    Return None if this cannot be decided.
    """
    if state is None:
        return None
    found = search_of(game, game.view(state, seat), seat).wins_within(turns, WORK, patience(times=4))
    return None if found < 0 else found > 0
