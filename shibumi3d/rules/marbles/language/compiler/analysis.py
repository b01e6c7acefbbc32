"""What can be told of a whole program: which choices need a look ahead, what a machine must remember."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from shibumi3d.rules.marbles.engine.rules import (
    DONE,
    Instruction,
    Rules,
)
from shibumi3d.rules.marbles.language.graph import on_cycles


def analyse(rules: Rules) -> None:
    """Find out which choices need a look ahead, and what a machine must remember."""
    code = rules.code
    count = len(code)
    after = [[t for t in step.targets() if t < count] for step in code]
    before: list[list[int]] = [[] for _ in code]
    for i, targets in enumerate(after):
        for t in targets:
            before[t].append(i)
    clears = {i for i, step in enumerate(code) if step.clears}
    # What all ways to it have tried already can't fail when it is reached.
    fails = {
        i
        for i, step in enumerate(code)
        if step.may_fail and not (before[i] and all(tries(code[j], i) for j in before[i]))
    }
    # Chance stops a look ahead, so what lies behind it does not count; but what was cleared before it does.
    risky = spread(fails | clears, before, stop=lambda i: code[i].chance)
    cleared = spread(clears, after) | clears
    repeated = on_cycles(dict(enumerate(after)))
    for i, step in enumerate(code):
        if step.op == "Choose":
            settle(step, code)
        if step.waits:
            step.look = i in risky or i in cleared
            step.again = i in repeated
            if step.op == "Choose" and not step.look:
                step.look = any(code[s].may_fail and not code[s].waits for s in step.starts if s < count)
    if not rules.early:
        open_ends = {i for i, step in enumerate(code) if step.may_fail or step.waits or step.clears}
        unsure = spread(open_ends, before, stop=lambda i: code[i].chance) | open_ends
        for i, step in enumerate(code):
            step.sure = i not in unsure
    rules.uncertain = any(step.chance or step.op == "ByBegin" for step in code)
    rules.needs_began = bool(clears) or "vacated" in rules.uses


def settle(choice: Instruction, code: list[Instruction]) -> None:
    """Find out whether the kind of a choice alone tells the branch of a ``choose``."""
    found: dict[int, int] = {}
    for start in choice.starts:
        first = start
        while first < len(code) and code[first].op == "Require":
            first = code[first].next
        step = code[first] if first < len(code) else None
        kind = DONE if first == choice.next else step.kind if step is not None and step.waits else -1
        if kind < 0 or kind in found:
            return
        found[kind] = start
    choice.by_kind = found


def tries(step: Instruction, to: int) -> bool:
    """Return whether a step goes on to instruction ``to`` only when it has found that possible."""
    if step.op == "Choose":
        return not step.labels
    return step.op == "RepeatTest" and step.next == to


def spread(
    among: Iterable[int], neighbours: list[list[int]], stop: Callable[[int], bool] = lambda _: False
) -> set[int]:
    """Return the instructions with a way to one of ``among``, a step at a time to ``neighbours``.

    The way does not go through those at which it must ``stop``.
    """
    found: set[int] = set()
    todo = list(among)
    while todo:
        at = todo.pop()
        for i in neighbours[at]:
            if i not in found:
                found.add(i)
                if not stop(i):
                    todo.append(i)
    return found
