"""Control flow analysis of compiled programs.

It finds out which choices need lookahead and what a machine must remember.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from shibumi3d.rules.marbles.engine.rules import (
    DONE,
    Instruction,
    Rules,
)
from shibumi3d.rules.marbles.language.graph import on_cycles


def analyse(rules: Rules) -> None:
    """Annotate the instructions and rules with what follows from the control flow.

    This sets ``look`` on choices whose options need lookahead, and ``again`` on choices that lie on a cycle. If no end
    rule is tested early, it sets ``sure`` on instructions after which no choice, possible failure or removal of marbles
    can follow, except after a random outcome. On the rules, it sets ``uncertain`` and ``needs_began``.
    """
    code = rules.code
    count = len(code)
    after = [[t for t in step.targets() if t < count] for step in code]
    before: list[list[int]] = [[] for _ in code]
    for i, targets in enumerate(after):
        for t in targets:
            before[t].append(i)
    clears = {i for i, step in enumerate(code) if step.clears}
    # An instruction can't fail if every path to it has already tested that it is possible.
    fails = {
        i
        for i, step in enumerate(code)
        if step.may_fail and not (before[i] and all(tries(code[j], i) for j in before[i]))
    }
    # Lookahead stops at random outcomes, so failures after them don't count. Marbles removed before them do.
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
    """Set ``by_kind`` on a ``choose`` whose branches each begin with a different kind of choice.

    The kind of a choice alone then determines the branch.
    """
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
    """Return whether an instruction goes on to ``to`` only after checking that ``to`` can succeed."""
    if step.op == "Choose":
        return not step.labels
    return step.op == "RepeatTest" and step.next == to


def spread(
    among: Iterable[int], neighbours: list[list[int]], stop: Callable[[int], bool] = lambda _: False
) -> set[int]:
    """Return the instructions that can be reached from ``among`` along ``neighbours``.

    The search includes instructions for which ``stop`` is true, but doesn't go past them.
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
