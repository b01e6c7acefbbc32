"""What can be told of a term before a node is made of it."""

from __future__ import annotations

from shibumi3d.rules.marbles.engine.rules import Term

CHEAP = frozenset(
    {"Slot", "ColourMarbles", "OwnMarbles", "MarkValue", "Playable", "Filled", "Empty", "Origin", "BySeat"}
)
"""Operations that cost next to nothing."""


def cheap(term: Term) -> bool:
    """Return whether a term costs next to nothing: a few of the like joined."""
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
"""Operations whose value depends on what stands on the board and nothing else."""


def of_boards(term: Term) -> bool:
    """Return whether a term depends on what stands on the board and nothing else."""
    return term.op in OF_BOARDS and all(of_boards(arg) for arg in term.args if isinstance(arg, Term))


def factors(term: Term) -> list[Term]:
    """Return the sets that are intersected, one by one."""
    if term.op == "And":
        return [*factors(term.args[0]), *factors(term.args[1])]
    return [term]


def conjuncts(term: Term) -> list[Term]:
    """Return the tests that must all be true, one by one."""
    if term.op == "BoolAnd":
        return [*conjuncts(term.args[0]), *conjuncts(term.args[1])]
    return [term]


def one_colour(term: Term) -> bool:
    """Return whether a set holds marbles of one colour only, and marbles only."""
    if term.op in ("ColourMarbles", "OwnMarbles"):
        return True
    if term.op == "And":
        return one_colour(term.args[0]) or one_colour(term.args[1])
    return term.op == "Without" and one_colour(term.args[0])
