"""How many ways a game can go: the numbers by which engines and versions are compared."""

from __future__ import annotations

from shibumi3d.rules.marbles.engine.machine import Machine
from shibumi3d.rules.marbles.state import State


def by_move(state: State, depth: int) -> list[int]:
    """How many sequences of 1, 2, … ``depth`` moves lead on from ``state``."""
    machine = Machine(state.rules)
    machine.seed = state.seed or 0
    counts = [0] * depth
    todo = [(state.at, 0)]
    while todo:
        at, done = todo.pop()
        machine.load(at)
        codes = machine.options()
        counts[done] += len(codes)
        if done + 1 < depth:
            for code in codes:
                machine.load(at)
                machine.play(code)
                todo.append((machine.save(), done + 1))
    return counts


def by_turn(state: State, depth: int, most: int | None = None) -> list[int]:
    """How many sequences of moves make up 1, 2, … ``depth`` complete turns from ``state``.

    A turn that asks nothing counts with the one before it. Raises OverflowError when that takes
    more than ``most`` moves.
    """
    machine = Machine(state.rules)
    machine.seed = state.seed or 0
    counts = [0] * depth
    first = state.turn
    made = 0
    todo = [state.at]
    while todo:
        at = todo.pop()
        machine.load(at)
        for code in machine.options():
            made += 1
            if most is not None and made > most:
                raise OverflowError(f"more than {most} moves")
            machine.load(at)
            machine.play(code)
            done = machine.turn - first
            if machine.turn > at.turn:
                for number in range(at.turn - first, min(done, depth)):
                    counts[number] += 1
            if done < depth:
                todo.append(machine.save())
    return counts
