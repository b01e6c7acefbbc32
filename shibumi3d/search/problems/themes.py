"""Themes of problems, each with its own test.

Some tests ask what would happen if a side could pass. They need a game that can start from any position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from shibumi3d.rules.game import ExportsPositions, Game, RecognizesNotableEvents, initial_state
from shibumi3d.search.heuristics import make_search
from shibumi3d.search.problems.candidates import Candidate, Turn
from shibumi3d.search.problems.proofs import MAX_WORK, immediate_wins, stop_after_cpu

if TYPE_CHECKING:
    from shibumi3d.rules.game import Event, State


@dataclass(frozen=True, slots=True)
class SolvedProblem:
    """A solved problem, with states and remarks for the solution and the reply to it.

    It is the input of the functions that detect themes. ``kind`` is "win" or "once" if the goal is to win, and "hold"
    if it is to draw. ``line`` begins with the solution; unless ``kind`` is "hold", it continues to the win.
    """

    candidate: Candidate
    kind: str
    line: Sequence[Turn]
    immediate_loss_count: int
    """Number of wrong turns that lose immediately."""
    wrong_turns: int
    """Number of all wrong turns."""
    states: Sequence[State]
    """States before the solution, after it and, if there is a reply, after the reply."""
    remarks: Sequence[frozenset[str]]
    """Remarks on the solution and on the reply; see :class:`shibumi3d.rules.game.RecognizesNotableEvents`."""

    @property
    def seat(self) -> int:
        """The seat that solves the problem."""
        return self.candidate.seat


def is_immediate_win(problem: SolvedProblem) -> bool:
    """Return whether the solution wins immediately."""
    return problem.kind != "hold" and len(problem.line) == 1


def is_quiet(problem: SolvedProblem) -> bool:
    """Return whether the solver could pass first and then still win in as few turns as with the solution.

    Return False if this cannot be proved, or if the solution wins immediately or only secures a draw.
    """
    if problem.kind != "win" or len(problem.line) < 2:
        return False
    return (
        _can_force_win(
            problem.candidate.game,
            pass_turn(problem.candidate.game, problem.states[0]),
            problem.seat,
            len(problem.line) + 1,
        )
        is True
    )


def is_double_threat(problem: SolvedProblem) -> bool:
    """Return whether the solver wins in two turns and has several winning choices for the second."""
    if len(problem.line) != 3 or len(problem.states) < 3:
        return False
    next_state = problem.states[2]
    return (
        next_state.to_move == problem.seat
        and len(immediate_wins(problem.candidate.game, next_state, problem.seat)) > 1
    )


def is_block(problem: SolvedProblem) -> bool:
    """Return whether the win takes several turns and most wrong turns lose to the opponent's next turn."""
    return len(problem.line) > 1 and 2 * problem.immediate_loss_count > problem.wrong_turns > 0


def is_capture(problem: SolvedProblem) -> bool:
    """Return whether the solution captures something."""
    return "capture" in problem.remarks[0]


def is_sacrifice(problem: SolvedProblem) -> bool:
    """Return whether the solution or the reply leaves the solving seat with fewer pieces in play."""
    return any("loss" in remark for remark in problem.remarks)


def makes_fall(problem: SolvedProblem) -> bool:
    """Return whether the solution makes something fall."""
    return "fall" in problem.remarks[0]


def is_climb(problem: SolvedProblem) -> bool:
    """Return whether the solution makes one of the solver's pieces climb.

    A piece climbs if it is set down on other pieces, most of which aren't the solver's.
    """
    return "climb" in problem.remarks[0]


def is_zugzwang(problem: SolvedProblem) -> bool:
    """Return whether the opponent could delay or prevent the win by passing after the solution.

    Return False if this cannot be decided.
    """
    if problem.kind != "win" or len(problem.line) < 2:
        return False
    left = max(1, len(problem.line) - 2)
    return (
        _can_force_win(
            problem.candidate.game, pass_turn(problem.candidate.game, problem.states[1]), problem.seat, left
        )
        is False
    )


def empties_hand(problem: SolvedProblem) -> bool:
    """Return whether the solution empties a stock, such as a seat's hand."""
    return "last" in problem.remarks[0]


def is_draw(problem: SolvedProblem) -> bool:
    """Return whether the solution secures a draw."""
    return problem.kind == "hold"


THEME_TESTS: dict[str, Callable[[SolvedProblem], bool]] = {
    "at-once": is_immediate_win,
    "quiet": is_quiet,
    "double": is_double_threat,
    "block": is_block,
    "capture": is_capture,
    "sacrifice": is_sacrifice,
    "fall": makes_fall,
    "climb": is_climb,
    "zugzwang": is_zugzwang,
    "last": empties_hand,
    "draw": is_draw,
}
"""Theme tests, by the names in :data:`shibumi3d.catalogue.problems.THEMES`."""


def find_themes(
    candidate: Candidate, kind: str, line: Sequence[Turn], immediate_loss_count: int, wrong_count: int
) -> tuple[str, ...]:
    """Return the themes of a problem: the names of all tests that it passes."""
    game, states, remarks = candidate.game, [candidate.state], list[frozenset[str]]()
    for turn in line[:2]:
        state = states[-1]
        events: list[Event] = []
        for move in turn:
            state, happened = game.apply(state, move)
            events += happened
        said = (
            game.notable_events(states[-1], state, events, candidate.seat)
            if isinstance(game, RecognizesNotableEvents)
            else ()
        )
        remarks.append(frozenset(said))
        states.append(state)
    solved_problem = SolvedProblem(candidate, kind, line, immediate_loss_count, wrong_count, states, remarks)
    return tuple(name for name, holds in THEME_TESTS.items() if holds(solved_problem))


def pass_turn(game: Game, state: State) -> State | None:
    """Return the same position with the other seat to move, or None if that is impossible."""
    if state.to_move is None or state.seats != 2 or not isinstance(game, ExportsPositions):
        return None
    position = game.position_of(state)
    if position is None:
        return None
    try:
        next_state = initial_state(game, state.seats, 0, replace(position, to_move=1 - position.to_move))
    except ValueError:
        return None
    return next_state if next_state.result is None and next_state.to_move == 1 - state.to_move else None


def _can_force_win(game: Game, state: State | None, seat: int, turns: int) -> bool | None:
    """Return whether a seat can force a win within ``turns`` turns, counting those of both seats.

    Return None if this cannot be decided or if ``state`` is None.
    """
    if state is None:
        return None
    turns_to_win = make_search(game, game.observe(state, seat), seat).turns_to_win(
        turns, MAX_WORK, stop_after_cpu(factor=4)
    )
    return None if turns_to_win < 0 else turns_to_win > 0
