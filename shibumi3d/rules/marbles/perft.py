"""Perft: counting move sequences to compare engines and versions."""

from __future__ import annotations

from shibumi3d.rules.marbles.engines import runner_of
from shibumi3d.rules.marbles.state import State


def by_move(state: State, depth: int) -> list[int]:
    """Return the number of sequences of 1, 2, … ``depth`` moves from ``state``."""
    runner = runner_of(state._rules)
    counts = [0] * depth
    todo = [(state._at, 0)]
    while todo:
        at, done = todo.pop()
        codes = runner.engine.choices(runner.stand(at, state.seed))
        counts[done] += len(codes)
        if done + 1 < depth:
            for code in codes:
                runner.engine.play(runner.stand(at, state.seed), code)
                todo.append((runner.moved(), done + 1))
    return counts


def by_turn(state: State, depth: int, most: int | None = None) -> list[int]:
    """Return the number of move sequences that complete 1, 2, … ``depth`` turns from ``state``.

    A turn that offers no choice is counted together with the turn before it. Raises OverflowError if more than ``most``
    moves would have to be played.
    """
    runner = runner_of(state._rules)
    counts = [0] * depth
    first = state.turn
    made = 0
    todo = [state._at]
    while todo:
        at = todo.pop()
        for code in runner.engine.choices(runner.stand(at, state.seed)):
            made += 1
            if most is not None and made > most:
                raise OverflowError(f"more than {most} moves")
            machine = runner.stand(at, state.seed)
            runner.engine.play(machine, code)
            after = runner.moved()
            done = after.turn - first
            if after.turn > at.turn:
                for number in range(at.turn - first, min(done, depth)):
                    counts[number] += 1
            if done < depth:
                todo.append(after)
    return counts
