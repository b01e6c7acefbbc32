"""Control flow analysis of compiled programs.

It finds out which choices need look-ahead and what a machine must remember.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from shibumi3d.rules.marbles.engine.rules import DONE, Instruction, Rules
from shibumi3d.rules.marbles.language.graphs import nodes_on_cycles


def annotate_control_flow(rules: Rules) -> None:
    """Analyse the control flow, and record the results in the instructions and rules.

    This sets ``needs_lookahead`` on choices whose options need look-ahead, and ``may_recur`` on choices that lie on a
    cycle. It sets ``branch_by_choice_kind`` on each ``choose`` in which the kind of choice alone determines the branch.
    If no end rule is tested early, it sets ``always_completes`` on instructions from which the turn always reaches its
    end or a random outcome, without any choice or removal of marbles. On the rules, it sets ``has_uncertainty`` and
    ``needs_turn_start``.
    """
    code = rules.program
    count = len(code)
    after = [[t for t in step.successors() if t < count] for step in code]
    before: list[list[int]] = [[] for _ in code]
    for i, targets in enumerate(after):
        for t in targets:
            before[t].append(i)
    clears = {i for i, step in enumerate(code) if step.removes_marbles}
    # An instruction can't fail if every path to it has already tested that it is possible.
    fails = {
        i
        for i, step in enumerate(code)
        if step.may_fail and not (before[i] and all(checks_target_first(code[j], i) for j in before[i]))
    }
    # Look-ahead stops at random outcomes, so failures after them don't count. Marbles removed before them do.
    risky = find_reachable(fails | clears, before, is_barrier=lambda i: code[i].is_random)
    cleared = find_reachable(clears, after) | clears
    repeated = nodes_on_cycles(dict(enumerate(after)))
    for i, step in enumerate(code):
        if step.op == "Choose":
            map_kinds_to_branches(step, code)
        if step.awaits_choice:
            step.needs_lookahead = i in risky or i in cleared
            step.may_recur = i in repeated
            if step.op == "Choose" and not step.needs_lookahead:
                step.needs_lookahead = any(
                    code[s].may_fail and not code[s].awaits_choice for s in step.branch_starts if s < count
                )
    if not rules.has_early_end_rules:
        open_ends = {
            i for i, step in enumerate(code) if step.may_fail or step.awaits_choice or step.removes_marbles
        }
        unsure = find_reachable(open_ends, before, is_barrier=lambda i: code[i].is_random) | open_ends
        for i, step in enumerate(code):
            step.always_completes = i not in unsure
    rules.has_uncertainty = any(step.is_random or step.op == "ByBegin" for step in code)
    rules.needs_turn_start = bool(clears) or "vacated" in rules.words_used


def map_kinds_to_branches(choice: Instruction, code: list[Instruction]) -> None:
    """Set ``branch_by_choice_kind`` on a ``choose`` if the kind of a choice alone determines the branch.

    It does if each branch begins with a choice of a different kind; any ``require`` before that choice is skipped. An
    empty branch counts as beginning with a choice of the kind ``DONE``, but a branch that contains only ``require``
    doesn't. If the kind alone isn't enough, ``choice`` is left unchanged. ``code`` is the whole program.
    """
    branch_by_kind: dict[int, int] = {}
    for start in choice.branch_starts:
        first = start
        while first < len(code) and code[first].op == "Require":
            first = code[first].next
        step = code[first] if first < len(code) else None
        kind = (
            DONE
            if first == choice.next
            else step.choice_kind
            if step is not None and step.awaits_choice
            else -1
        )
        if kind < 0 or kind in branch_by_kind:
            return
        branch_by_kind[kind] = start
    choice.branch_by_choice_kind = branch_by_kind


def checks_target_first(instruction: Instruction, target: int) -> bool:
    """Return whether an instruction goes on to ``target`` only after checking that ``target`` can succeed."""
    if instruction.op == "Choose":
        return not instruction.labels
    return instruction.op == "RepeatTest" and instruction.next == target


def find_reachable(
    starts: Iterable[int], neighbours: list[list[int]], is_barrier: Callable[[int], bool] = lambda _: False
) -> set[int]:
    """Return the instructions that can be reached from ``starts`` along ``neighbours``.

    The search includes instructions for which ``is_barrier`` is true, but doesn't go past them unless they are starts.
    The starts themselves are included only if they can be reached from a start.
    """
    reachable: set[int] = set()
    todo = list(starts)
    while todo:
        index = todo.pop()
        for i in neighbours[index]:
            if i not in reachable:
                reachable.add(i)
                if not is_barrier(i):
                    todo.append(i)
    return reachable
