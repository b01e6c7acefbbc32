"""Static analysis of terms, used to choose the node for each term."""

from __future__ import annotations

from typing import Any

from shibumi3d.rules.marbles.engine.rules import READS_STATE, STATE, LoopTerm, Term

CHEAP = frozenset(
    {"Slot", "ColourMarbles", "OwnMarbles", "MarkValue", "Playable", "Filled", "Empty", "Origin", "BySeat"}
)
"""Operations of negligible cost."""


def cheap(term: Term) -> bool:
    """Return whether the cost of a term is negligible.

    This includes combinations of terms whose cost is negligible.
    """
    if term.op in ("And", "Or", "Without"):
        return all(cheap(arg) for arg in term.args)
    return term.op in CHEAP or term.op == "Const"


OF_BOARDS = frozenset(
    {
        "Const",
        "Filled",
        "Empty",
        "Playable",
        "Visible",
        "Free",
        "Movable",
        "ColourMarbles",
        "And",
        "Or",
        "Without",
    }
)
"""Operations whose value depends only on the marbles on the board."""


def of_boards(term: Term) -> bool:
    """Return whether the value of a term depends only on the marbles on the board."""
    return term.op in OF_BOARDS and all(of_boards(arg) for arg in term.args if isinstance(arg, Term))


def factors(term: Term) -> list[Term]:
    """Return the operands of an intersection of sets; for any other term, return only the term."""
    if term.op == "And":
        return [*factors(term.args[0]), *factors(term.args[1])]
    return [term]


def conjuncts(term: Term) -> list[Term]:
    """Return the tests in a conjunction; for any other term, return only the term."""
    if term.op == "BoolAnd":
        return [*conjuncts(term.args[0]), *conjuncts(term.args[1])]
    return [term]


def one_colour(term: Term) -> bool:
    """Return whether a set is known to contain only marbles of a single colour."""
    if term.op in ("ColourMarbles", "OwnMarbles"):
        return True
    if term.op == "And":
        return one_colour(term.args[0]) or one_colour(term.args[1])
    return term.op == "Without" and one_colour(term.args[0])


def tests_of(loop: LoopTerm) -> list[Term]:
    """Return the tests of a loop, splitting conjunctions."""
    return [part for test in loop.tests for part in conjuncts(test)]


def all_differ(loop: LoopTerm, element: Term) -> bool:
    """Return whether an element is known to have a different value in each iteration of a loop.

    This is the case for a member of a fixed list or family without duplicates.
    """
    if element.op != "Slot" or element.args[0] != loop.slot or loop.kind not in ("sets", "items"):
        return False
    lists = [loop.source]
    if loop.source.op == "FamilyOf" and loop.source.args[0].op == "ListLists":
        lists = loop.source.args[0].args[0]
    return all(one.op == "ConstItems" and len(set(one.value)) == len(one.value) for one in lists)


def other_of(loop: LoopTerm) -> int:
    """Return the slot of an outer variable that every member of a loop's fixed family must contain.

    Returns -1 if the loop isn't over a fixed family or if no test requires this.
    """
    if loop.source.op != "ConstItems" or loop.whole is not None or loop.kind != "sets":
        return -1
    for test in tests_of(loop):
        if test.op == "PartOf" and all(side.op == "Slot" for side in test.args):
            part, whole = test.args
            slot: int = part.args[0]
            if whole.args[0] == loop.slot != slot and part.deps == {f"v{slot}"}:
                return slot
    return -1


def told_by(test: Term, slot: int, other: int) -> bool:
    """Return whether a test depends on nothing but the two given loop variables."""
    return test.deps <= {f"v{slot}", f"v{other}"}


def of_origin(test: Term, slot: int) -> bool:
    """Return whether a test depends only on a loop variable and the moving marble's origin."""
    return all(dep in (f"v{slot}", "state") for dep in test.deps) and _reads_origin_alone(test)


def _reads_origin_alone(part: Any) -> bool:
    if isinstance(part, LoopTerm):
        return all(map(_reads_origin_alone, (part.source, part.whole, part.tests)))
    if isinstance(part, tuple):
        return all(map(_reads_origin_alone, part))
    if not isinstance(part, Term) or part.op == "Origin" or not part.deps & STATE:
        return True
    return part.op != "Slot" and part.op not in READS_STATE and all(map(_reads_origin_alone, part.args))
