"""Requirements that a position must meet to be a problem, and verification of a problem by proving it again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.game import Game, match_state_key
from shibumi3d.rules.search_protocols import MoveEvaluation, Search
from shibumi3d.search.heuristics import make_search
from shibumi3d.search.problems.candidates import Candidate, FoundProblem, Turn, possible_turns, state_after
from shibumi3d.search.problems.difficulty import estimate_rating, measure_difficulty, simulations_needed
from shibumi3d.search.problems.proofs import (
    MAX_EQUIVALENT_SOLUTIONS,
    MAX_WORK,
    VERIFY_SECONDS,
    count_own_turns,
    count_surviving,
    find_solutions,
    find_winning_line,
    has_suitable_choices,
    refutation_fault,
    refute_wrong_turns,
    seats_alternate,
    stop_after_cpu,
)
from shibumi3d.search.problems.themes import find_themes

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


def find_immediate_win(candidate: Candidate) -> FoundProblem | None:
    """Return a problem whose solution wins immediately, or None if the position doesn't meet the requirements.

    Exactly one turn must be certain to win, regardless of hidden information and chance.
    """
    game, seat = candidate.game, candidate.seat
    facts = game.facts(candidate.state.seats)
    if facts.has_simultaneous_moves or candidate.state.step:
        return None
    if not (facts.has_secrets or facts.has_chance):
        turns = possible_turns(game, candidate.state)
        winning_turns = [t for t, s in turns if s.result is not None and s.result.winners == (seat,)]
        all_turns = [t for t, _ in turns]
    else:
        all_turns, winning_turns = _certain_wins(game, game.observe(candidate.state, seat), seat)
    if not has_suitable_choices(all_turns, candidate.requirements) or len(winning_turns) != 1:
        return None
    spot_themes = find_themes(candidate, "once", (winning_turns[0],), 0, 0)
    return FoundProblem(
        "once", candidate, 1, (winning_turns[0],), (), (), 0, spot_themes, 900, len(all_turns)
    )


def _certain_wins(game: Game, view: State, seat: int) -> tuple[list[Turn], list[Turn]]:
    """Return the legal moves in a view, each as a turn, and those among them that are certain to win.

    A move is certain to win if it wins regardless of hidden information and chance.
    """
    ways: list[Turn] = []
    sure: list[Turn] = []
    for move in game.moves(view, seat):
        ways.append((move.text,))
        try:
            preview = game.preview(view, move)
        except RuleFailure:
            continue
        end = None if preview is None or preview.after is None else preview.after.result
        if end is not None and end.winners == (seat,):
            sure.append((move.text,))
    return ways, sure


UNLIMITED_TURNS = 200
"""A number of turns that no match exceeds if it is short enough to be searched."""


def verify(candidate: Candidate, finding: FoundProblem, use_other_method: bool = False) -> list[str]:
    """Prove a problem again; return the keys of the faults found, or an empty list if there are none.

    The keys are "key" (a solution does not achieve the goal), "second" (another turn achieves it too), "length" (the
    win takes a different number of turns), "line" (the winning line has a fault), "wrong" (the refutation of a wrong
    turn fails) and "open" (something could not be decided within the limits of work and time).

    If the goal is a win, the fastest win must take exactly ``finding.n`` turns of the winning seat. Turns other than
    the solutions must not achieve the goal. In games in which positions recur, however, they may win if this takes more
    turns.

    If the problem is to win immediately, or if the search cannot prove anything in this game, only one thing is
    checked: :func:`find_immediate_win` must find the same solution again. If it doesn't, the fault is "key".

    Problems are found by a search of whole endgames. If ``use_other_method`` is set, they are proved again by a search
    turn by turn instead. In games in which positions recur, there is only one method.
    """
    game, seat, faults = candidate.game, candidate.seat, []
    search = make_search(game, game.observe(candidate.state, seat), seat)
    if finding.kind == "once" or not search.can_prove:
        once = find_immediate_win(candidate)
        return [] if once is not None and once.solution == finding.solution else ["key"]
    recurs = game.facts(candidate.state.seats).positions_may_repeat
    goals = {
        match_state_key(state_after(game, candidate.state, turn))
        for turn in (finding.solution, *finding.also)
    }
    out_of_time = stop_after_cpu(VERIFY_SECONDS)
    if recurs:
        evaluations = search.prove_turns(MAX_WORK, out_of_time, max_own_turns=finding.n)
    else:
        evaluations = search.prove_turns(
            MAX_WORK, out_of_time, max_turns=UNLIMITED_TURNS if use_other_method else 0
        )
    goal_value = 1.0 if finding.kind == "win" else 0.5
    for evaluation in evaluations:
        if match_state_key(state_after(game, candidate.state, evaluation.move_texts)) in goals:
            faults += [] if evaluation.lower_bound >= goal_value else ["key"]
        elif recurs:
            faults += ["second"] if evaluation.lower_bound >= goal_value else []
        elif evaluation.upper_bound >= goal_value:
            faults.append("second" if evaluation.lower_bound >= goal_value else "open")
    if recurs and out_of_time():
        faults.append("open")  # the search may have been cut short
    if sum(
        match_state_key(state_after(game, candidate.state, evaluation.move_texts)) in goals
        for evaluation in evaluations
    ) != len(goals):
        faults.append("key")
    if finding.kind == "win":
        length = search.turns_to_win(len(finding.line), MAX_WORK, stop_after_cpu(VERIFY_SECONDS))
        if length != len(finding.line):
            faults.append("open" if length < 0 else "length")
        number = search.own_turns_to_win(finding.n, MAX_WORK, stop_after_cpu(VERIFY_SECONDS))
        if number != finding.n:
            faults.append("open" if number < 0 else "length")
        end = candidate.state
        for turn in finding.line:
            end = state_after(game, end, turn)
        won = end.result is not None and end.result.winners == (seat,)
        if not (
            won
            and seats_alternate(candidate, finding.line)
            and count_own_turns(candidate, finding.line) == finding.n
        ):
            faults.append("line")
    for turn, answer in finding.wrong:
        left = refutation_fault(candidate, finding.kind, finding.n, turn, answer)
        faults += [left] if left else []
    return list(dict.fromkeys(faults))


class Unprovable(Exception):
    """Raised if the value of a position cannot be proved.

    Earlier positions of the match are even further from the end, so they need not be tried.
    """


def find_problem(candidate: Candidate) -> FoundProblem | None:
    """Return the problem that a position contains, or None if none is found.

    Raises :class:`Unprovable` if the search fails because a value cannot be proved.
    """
    facts = candidate.game.facts(candidate.state.seats)
    search = make_search(
        candidate.game, candidate.game.observe(candidate.state, candidate.seat), candidate.seat
    )
    if not search.can_prove:
        return find_immediate_win(candidate)
    if facts.positions_may_repeat:
        return _find_recurring_problem(candidate, search)
    low, high, _ = search.solve(MAX_WORK, stop_after_cpu())
    if low < high:
        raise Unprovable
    if low == 0.0:
        return None
    evaluations = search.prove_turns(
        MAX_WORK,
        stop_after_cpu(factor=4),
        stop_after_wins=MAX_EQUIVALENT_SOLUTIONS + 1,
        stop_at_unproved=True,
    )
    if low == 1.0 and any(worth.lower_bound == 0.0 and worth.upper_bound == 1.0 for worth in evaluations):
        if sum(worth.lower_bound for worth in evaluations) > MAX_EQUIVALENT_SOLUTIONS:
            return None
        raise Unprovable
    if not has_suitable_choices(evaluations, candidate.requirements):
        return None
    keys = find_solutions(candidate, evaluations, low)
    return _complete(candidate, "win" if low == 1.0 else "hold", keys, evaluations) if keys else None


def _find_recurring_problem(candidate: Candidate, search: Search) -> FoundProblem | None:
    """Find a problem as :func:`find_problem` does, but in a game in which positions recur.

    The goal is always to win. Only the fastest win must be unique; other turns may win more slowly. Raises
    :class:`Unprovable` if it can't be decided whether there is a fast enough win.
    """
    most = (candidate.requirements.max_length + 1) // 2
    number = search.own_turns_to_win(most, MAX_WORK, stop_after_cpu())
    if number < 0:
        raise Unprovable
    if number > most:
        return None
    out_of_time = stop_after_cpu(factor=4)
    evaluations = search.prove_turns(MAX_WORK, out_of_time, max_own_turns=number, stop_after_wins=2)
    wins = [worth.move_texts for worth in evaluations if worth.lower_bound == 1.0]
    if len(wins) != 1 or out_of_time() or not has_suitable_choices(evaluations, candidate.requirements):
        return None
    return _complete(candidate, "win", wins, evaluations)


def _complete(
    candidate: Candidate,
    kind: Literal["win", "hold"],
    solutions: Sequence[Turn],
    evaluations: Sequence[MoveEvaluation],
) -> FoundProblem | None:
    """Return the complete problem for the given solutions, or None if it isn't suitable.

    ``kind`` is "win" or "hold". ``solutions`` contains the solution, followed by the turns that are equivalent to it.
    All other turns in ``evaluations`` are wrong turns. Return None if the problem doesn't meet the requirements, if no
    suitable winning line is found for a win, or if :func:`verify` finds a fault.
    """
    solution, *also = solutions
    wrong_turns = [
        evaluation.move_texts for evaluation in evaluations if evaluation.move_texts not in solutions
    ]
    least = candidate.requirements.min_surviving
    if count_surviving(candidate.game, candidate.state, wrong_turns, candidate.seat, least) < least:
        return None
    line = find_winning_line(candidate, solution) if kind == "win" else (solution,)
    if not line or (kind == "win" and _win_length(candidate) != len(line)):
        return None
    if not seats_alternate(candidate, line):
        return None
    own_turn_count = count_own_turns(candidate, line)
    living = count_surviving(candidate.game, candidate.state, wrong_turns, candidate.seat)
    shares, visits = measure_difficulty(candidate, solution)
    found_problem = FoundProblem(
        kind,
        candidate,
        own_turn_count,
        line,
        tuple(also),
        refute_wrong_turns(candidate, wrong_turns, visits, kind, own_turn_count),
        simulations_needed(shares),
        find_themes(candidate, kind, line, len(wrong_turns) - living, len(wrong_turns)),
        estimate_rating(shares) + 60 * (own_turn_count - 1),
        len(evaluations),
        follows_mistake(candidate, kind),
    )
    return None if verify(candidate, found_problem) else found_problem


def _win_length(candidate: Candidate) -> int:
    """Return the minimum number of turns in which a win can be forced.

    The turns of both seats count. The results 0 and -1 have the same meaning as for :meth:`.Search.turns_to_win`.
    """
    search = make_search(
        candidate.game, candidate.game.observe(candidate.state, candidate.seat), candidate.seat
    )
    return search.turns_to_win(candidate.requirements.max_length, MAX_WORK, stop_after_cpu())


def follows_mistake(candidate: Candidate, kind: Literal["win", "hold"]) -> bool:
    """Return whether the previous turn was a proved mistake that made a problem of this kind possible.

    If ``kind`` is "win", the seat that played this turn is losing now, and must have had at least a proved draw before.
    If ``kind`` is "hold", the other seat can now draw, and the seat that played this turn must have had a proved win
    before. Return False if there is no previous turn, or if the seat that solves the problem played it.
    """
    before = candidate.previous_state
    if before is None or before.to_move is None or before.to_move == candidate.seat:
        return False
    search = make_search(candidate.game, candidate.game.observe(before, before.to_move), before.to_move)
    return search.solve(MAX_WORK, stop_after_cpu())[0] > (0.0 if kind == "win" else 0.5)
