"""Reasons for setting a number, based on all numbers that the opponent can set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from shibumi3d.i18n import P_, Message
from shibumi3d.rules.golden_spiral.clash import clash
from shibumi3d.rules.golden_spiral.state import Move
from shibumi3d.rules.golden_spiral.table import Tableau


def grounds(
    table: Tableau, gold: Sequence[int], move: Move, seat: int, who: Callable[[int], Message | str]
) -> Iterator[Message]:
    """Yield the reasons for a number that ``seat`` may set, given the Gold of both seats.

    ``who`` is a function that returns the name of a seat. For other moves, there are no reasons.
    """
    if move.kind != "bid":
        return
    other = who(1 - seat)
    answers = table.legal(gold[1 - seat])
    higher = sum(move.number > answer for answer in answers)
    if higher and higher == len(answers):
        yield Message(P_("why.medals.highest", "is higher than any number {who} can set"), who=other)
    elif higher:
        yield Message(
            P_("why.medals.higher", "is higher than {n} of the {of} numbers {who} can set"),
            n=higher,
            of=len(answers),
            who=other,
        )
    if move.number > 1 and [_pays(table, gold, seat, move.number - less) for less in (1, 0)] == [False, True]:
        yield Message(
            P_("why.medals.pays", "is the lowest number that avoids Default whatever {who} sets"), who=other
        )


def _pays(table: Tableau, gold: Sequence[int], seat: int, number: int) -> bool:
    """Return whether ``number`` is legal and avoids Default, whatever number the opponent sets."""
    if number not in table.legal(gold[seat]):
        return False
    for answer in table.legal(gold[1 - seat]):
        _, faults = clash(table, gold, (number, answer) if seat == 0 else (answer, number))
        if any(fault.seat == seat for fault in faults):
            return False
    return True
