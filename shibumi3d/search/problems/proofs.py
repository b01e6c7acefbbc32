"""Proofs about problem positions: solutions, winning lines, and refutations of wrong turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from time import process_time
from typing import TYPE_CHECKING

from shibumi3d.rules.game import Game
from shibumi3d.rules.search_protocols import MoveEvaluation
from shibumi3d.search.heuristics import make_search
from shibumi3d.search.problems.candidates import (
    DEFAULT_REQUIREMENTS,
    MAX_TURNS,
    Candidate,
    Requirements,
    Turn,
    possible_turns,
    state_after,
)
from shibumi3d.search.review.context import final_value

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


MAX_WORK = 10**10
"""Maximum work for a proof, in the units of the rules.

It is practically unlimited, since the CPU time is limited instead.
"""
PROOF_SECONDS = 0.12
"""CPU time limit for a proof, in seconds."""
VERIFY_SECONDS = 20.0
"""CPU time limit when a proof is repeated for verification, in seconds."""
MAX_EQUIVALENT_SOLUTIONS = 4
"""Maximum number of equivalent solutions that a problem may have."""


def stop_after_cpu(seconds: float | None = None, factor: int = 1) -> Callable[[], bool]:
    """Return a callback that returns True once a CPU time limit is exceeded.

    The time is measured from this call. The limit is ``seconds`` if given, otherwise :data:`PROOF_SECONDS` multiplied
    by ``factor``.
    """
    end = process_time() + (factor * PROOF_SECONDS if seconds is None else seconds)
    return lambda: process_time() > end


def has_suitable_choices(
    choices: Sequence[object], requirements: Requirements = DEFAULT_REQUIREMENTS
) -> bool:
    """Return whether a position offers enough turns for a problem, but not too many to examine."""
    return requirements.min_choices <= len(choices) <= MAX_TURNS


def find_solutions(candidate: Candidate, evaluations: Sequence[MoveEvaluation], value: float) -> list[Turn]:
    """Return the solutions: all turns with the proved value ``value``, or [] if they aren't suitable.

    They are suitable if they are equivalent, if there are at most :data:`MAX_EQUIVALENT_SOLUTIONS` of them, and if all
    other turns are proved to be worse.
    """
    solutions = [
        evaluation.move_texts
        for evaluation in evaluations
        if evaluation.lower_bound == value and evaluation.upper_bound == value
    ]
    if (
        not solutions
        or len(solutions) > MAX_EQUIVALENT_SOLUTIONS
        or sum(evaluation.upper_bound < value for evaluation in evaluations) + len(solutions)
        < len(evaluations)
    ):
        return []
    game, seat = candidate.game, candidate.seat
    search = make_search(game, game.observe(state_after(game, candidate.state, solutions[0]), seat), seat)
    same = all(
        search.is_equivalent(game.observe(state_after(game, candidate.state, turn), seat))
        for turn in solutions[1:]
    )
    return solutions if same else []


def immediate_wins(game: Game, state: State, seat: int) -> list[Turn]:
    """Return the turns with which ``seat``, the seat to move, wins immediately as the only winner.

    If several turns lead to the same state, only one of them is returned. The list is also empty if there are too many
    turns to examine (see :func:`.possible_turns`).
    """
    return [
        turn
        for turn, next_state in possible_turns(game, state)
        if next_state.result is not None and next_state.result.winners == (seat,)
    ]


def count_surviving(
    game: Game, state: State, turns: Sequence[Turn], seat: int, max_count: int = MAX_TURNS
) -> int:
    """Return how many of ``turns`` win or draw immediately, or are proved not to lose to the opponent's next reply.

    Counting stops at ``max_count``.
    """
    count = 0
    for turn in turns:
        if count == max_count:
            break
        next_state = state_after(game, state, turn)
        if next_state.result is not None:
            count += final_value(next_state, seat).mean > 0.0
        else:
            assert next_state.to_move is not None
            search = make_search(game, game.observe(next_state, next_state.to_move), next_state.to_move)
            count += search.turns_to_win(1, MAX_WORK, stop_after_cpu()) == 0
    return count


def fastest_win(
    game: Game, state: State, seat: int, max_length: int = DEFAULT_REQUIREMENTS.max_length
) -> Turn:
    """Return the fastest winning turn found for the seat to move, or () if none is found.

    A turn counts as winning if the win takes at most ``max_length`` more turns, counting those of both seats.
    """
    best: Turn = ()
    shortest, out_of_time = max_length + 1, stop_after_cpu(factor=4)
    for turn, next_state in possible_turns(game, state):
        if next_state.result is not None:
            if next_state.result.winners == (seat,):
                return turn
            continue
        if out_of_time():
            continue
        turns_to_win = make_search(game, game.observe(next_state, seat), seat).turns_to_win(
            shortest - 1, MAX_WORK, out_of_time
        )
        if 0 < turns_to_win < shortest:
            best, shortest = turn, turns_to_win
    return best


def longest_resistance(
    game: Game, state: State, seat: int, max_length: int = DEFAULT_REQUIREMENTS.max_length
) -> Turn:
    """Return the reply that resists longest against ``seat``, which is winning.

    If several replies resist equally long, prefer the one that leaves the winning seat the most moves. A reply that
    ends the match counts as the shortest resistance. Every other reply must be proved to lose within ``max_length``
    more turns, counting those of both seats; if one isn't, return (). Also return () if there are too many replies to
    examine (see :func:`.possible_turns`).
    """
    best: tuple[int, int] = (-1, -1)
    result: Turn = ()
    for turn, next_state in possible_turns(game, state):
        if next_state.result is not None:
            result = result or turn
            continue
        length = make_search(game, game.observe(next_state, seat), seat).turns_to_win(
            max_length, MAX_WORK, stop_after_cpu()
        )
        if length <= 0:
            return ()
        if (length, ways := len(game.moves(next_state))) > best:
            best, result = (length, ways), turn
    return result


def find_winning_line(candidate: Candidate, solution: Turn) -> tuple[Turn, ...]:
    """Return the winning line that begins with ``solution``, against the longest resistance.

    Return () if no such line is found within the maximum length that the candidate's requirements allow.
    """
    game, seat = candidate.game, candidate.seat
    line = [solution]
    state = state_after(game, candidate.state, solution)
    longest = candidate.requirements.max_length
    while state.result is None and len(line) < longest:
        play = fastest_win if state.to_move == seat else longest_resistance
        turn = play(game, state, seat, longest)
        if not turn:
            return ()
        line.append(turn)
        state = state_after(game, state, turn)
    return tuple(line) if state.result is not None and state.result.winners == (seat,) else ()


def count_own_turns(candidate: Candidate, line: Sequence[Turn]) -> int:
    """Return how many turns of a line the person solving the problem has to find."""
    state, count = candidate.state, 0
    for turn in line:
        count += state.to_move == candidate.seat
        state = state_after(candidate.game, state, turn)
    return count


def seats_alternate(candidate: Candidate, line: Sequence[Turn]) -> bool:
    """Return whether the seats alternate in a line, so that no seat plays two turns without a reply in between."""
    state, before = candidate.state, None
    for turn in line:
        if state.to_move == before:
            return False
        before = state.to_move
        state = state_after(candidate.game, state, turn)
    return True


MAX_WRONG_TURNS = 6
"""Maximum number of wrong turns examined in order to find three with a refutation."""


def find_refutation(game: Game, state: State) -> Turn:
    """Return the best reply that is proved to win or at least to draw, or () if none is known.

    The fastest win within four turns comes first, counting the turns of both seats. If none is found, any other win
    takes precedence over a draw.
    """
    seat = state.to_move
    assert seat is not None
    soon = fastest_win(game, state, seat, 3)
    if soon:
        return soon
    search = make_search(game, game.observe(state, seat), seat)
    evaluations = search.prove_turns(MAX_WORK, stop_after_cpu(), stop_after_wins=1) or search.prove_turns(
        MAX_WORK, stop_after_cpu(), max_turns=DEFAULT_REQUIREMENTS.max_length - 1, stop_after_wins=1
    )
    held = sorted((e for e in evaluations if e.lower_bound > 0.0), key=lambda e: -e.lower_bound)
    return held[0].move_texts if held else ()


def refute_wrong_turns(
    candidate: Candidate, wrong_turns: Sequence[Turn], visits: Counter[Turn], kind: str, max_turns: int
) -> tuple[tuple[Turn, Turn], ...]:
    """Return up to three wrong turns with their refutations, the most visited turns first.

    Only the :data:`MAX_WRONG_TURNS` most visited turns are examined. For ``kind`` and ``max_turns``, see
    :func:`refutation_fault`.
    """
    refutations = []
    for turn in sorted(wrong_turns, key=lambda turn: -visits[turn])[:MAX_WRONG_TURNS]:
        next_state = state_after(candidate.game, candidate.state, turn)
        if next_state.result is None and next_state.to_move != candidate.seat:
            answer = find_refutation(candidate.game, next_state)
            if answer and not refutation_fault(candidate, kind, max_turns, turn, answer):
                refutations.append((turn, answer))
        if len(refutations) == 3:
            break
    return tuple(refutations)


def refutation_fault(candidate: Candidate, kind: str, max_turns: int, turn: Turn, reply: Turn) -> str:
    """Return why it isn't proved that ``reply`` refutes ``turn``, or an empty string if it is proved.

    The result is "wrong" if the solver still achieves the goal after this reply, or "open" if this could not be
    decided. The goal is to win if ``kind`` is "win", and otherwise at least to draw. In games in which positions recur,
    the goal must be achieved within ``max_turns`` of the solver's own turns, including ``turn``.
    """
    game, seat = candidate.game, candidate.seat
    recurs = game.facts(candidate.state.seats).positions_may_repeat
    next_state = state_after(game, state_after(game, candidate.state, turn), reply)
    low, high = _proved_bounds(game, next_state, seat, max_turns - 1 if recurs else None)
    goal_value = 1.0 if kind == "win" else 0.5
    if high < goal_value:
        return ""
    return "wrong" if low >= goal_value else "open"


def _proved_bounds(game: Game, state: State, seat: int, max_own_turns: int | None) -> tuple[float, float]:
    """Return proved bounds on the value of a state for a seat, or 0 and 1 if nothing is known.

    If ``max_own_turns`` is given and the match isn't over, the value is 1 if the seat can force a win in at most that
    many of its own turns, and otherwise 0, even if it can draw.
    """
    if state.result is not None:
        winners = state.result.winners
        value = 0.5 if not winners else float(seat in winners)
        return value, value
    search = make_search(game, game.observe(state, seat), seat)
    if max_own_turns is not None:
        number = search.own_turns_to_win(max_own_turns, MAX_WORK, stop_after_cpu(VERIFY_SECONDS))
        return (0.0, 1.0) if number < 0 else (float(number <= max_own_turns),) * 2
    assert state.to_move is not None
    other = make_search(game, game.observe(state, state.to_move), state.to_move)
    low, high, _ = other.solve(MAX_WORK, stop_after_cpu(VERIFY_SECONDS))
    return (low, high) if state.to_move == seat else (1.0 - high, 1.0 - low)
