"""What a number is good for, as the rules alone show it: against each number that the other seat may set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from shibumi3d.rules.golden_spiral.clash import clash
from shibumi3d.rules.golden_spiral.state import Move
from shibumi3d.rules.golden_spiral.table import Tableau
from shibumi3d.sayings import Saying


def grounds(
    table: Tableau, gold: Sequence[int], move: Move, seat: int, who: Callable[[int], Saying | str]
) -> Iterator[Saying]:
    """Return what speaks for a number of a seat while both have so much Gold."""
    if move.kind != "bid":
        return
    other = who(1 - seat)
    answers = table.legal(gold[1 - seat])
    higher = sum(move.number > answer for answer in answers)
    if higher and higher == len(answers):
        yield Saying("why.medals.highest", who=other)
    elif higher:
        yield Saying("why.medals.higher", n=higher, of=len(answers), who=other)
    if move.number > 1 and [_pays(table, gold, seat, move.number - less) for less in (1, 0)] == [False, True]:
        yield Saying("why.medals.pays", who=other)


def _pays(table: Tableau, gold: Sequence[int], seat: int, number: int) -> bool:
    """Whether a seat that sets a number is in no Default, whatever the other sets."""
    if number not in table.legal(gold[seat]):
        return False
    for answer in table.legal(gold[1 - seat]):
        _, faults = clash(table, gold, (number, answer) if seat == 0 else (answer, number))
        if any(fault.seat == seat for fault in faults):
            return False
    return True
