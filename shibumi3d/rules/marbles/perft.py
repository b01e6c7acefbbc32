"""Perft: counting move sequences to compare engines and versions."""

from __future__ import annotations

from shibumi3d.rules.marbles.engines import get_runner
from shibumi3d.rules.marbles.state import State


def count_by_move(state: State, depth: int) -> list[int]:
    """Return how many sequences of 1, 2, …, ``depth`` legal moves can be played from ``state``.

    ``depth`` must be at least 1. Random outcomes are those that follow from the seed of ``state``.
    """
    runner = get_runner(state._rules)
    counts = [0] * depth
    stack = [(state._snapshot, 0)]
    while stack:
        snapshot, done = stack.pop()
        codes = runner.engine.legal_choices(runner.load(snapshot, state.seed))
        counts[done] += len(codes)
        if done + 1 < depth:
            for code in codes:
                runner.engine.play_choice(runner.load(snapshot, state.seed), code)
                stack.append((runner.take_snapshot(), done + 1))
    return counts


def count_by_turn(state: State, depth: int, max_moves: int | None = None) -> list[int]:
    """Return how many move sequences complete 1, 2, …, ``depth`` turns from ``state``.

    If a turn is in progress, it counts as the first. A turn that offers no choice is completed by the last move of the
    turn before it. Random outcomes are those that follow from the seed of ``state``. Raises OverflowError if more than
    ``max_moves`` moves would have to be played.
    """
    runner = get_runner(state._rules)
    counts = [0] * depth
    first = state.turn
    moves_made = 0
    stack = [state._snapshot]
    while stack:
        snapshot = stack.pop()
        for code in runner.engine.legal_choices(runner.load(snapshot, state.seed)):
            moves_made += 1
            if max_moves is not None and moves_made > max_moves:
                raise OverflowError(f"more than {max_moves} moves")
            machine = runner.load(snapshot, state.seed)
            runner.engine.play_choice(machine, code)
            after = runner.take_snapshot()
            done = after.turn - first
            if after.turn > snapshot.turn:
                for number in range(snapshot.turn - first, min(done, depth)):
                    counts[number] += 1
            if done < depth:
                stack.append(after)
    return counts
