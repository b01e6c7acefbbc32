"""Summary of what a series of events did to each marble."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from shibumi3d.rules.marbles import event as ev


class Displacement(NamedTuple):
    """A marble that is now on ``point`` of ``board`` and was on ``origin`` before.

    ``origin`` is -1 if the marble came from a stock. ``has_fallen`` is set if the marble dropped instead of being set
    down.
    """

    board: int
    origin: int
    point: int
    has_fallen: bool = False


def find_displacements(events: Iterable[ev.Event]) -> list[Displacement]:
    """Return the marbles that the events set down, moved or dropped, in order.

    Each marble is listed only once. Marbles that were removed again are left out.
    """
    found: list[Displacement | None] = []
    at: dict[tuple[int, int], int] = {}
    hand: int | None = None
    lifted = False

    def ends(step: Displacement, number: int | None) -> None:
        """Record the new position of a marble; ``number`` is its index in the result, or None."""
        before = None if number is None else found[number]
        if before is None or number is None:
            at[step.board, step.point] = len(found)
            found.append(step)
        else:
            at[step.board, step.point] = number
            found[number] = before._replace(board=step.board, point=step.point)

    for event in events:
        match event:
            case ev.Placed() | ev.Entered():
                ends(Displacement(event.board, -1, event.point), None)
            case ev.Lifted():
                hand, lifted = at.pop((event.board, event.point), None), True
            case ev.Moved():
                number = hand if lifted else at.pop((event.board, event.origin), None)
                ends(Displacement(event.board, event.origin, event.point), number)
                lifted = False
            case ev.Dropped() | ev.SideDropped():
                number = at.pop((event.board, event.origin), None)
                ends(Displacement(event.board, event.origin, event.point, has_fallen=True), number)
            case ev.Pushed():
                number = at.pop((event.board, event.origin), None)
                if number is not None:
                    ends(Displacement(event.board, event.origin, event.point), number)
            case ev.Removed() | ev.Captured():
                gone = at.pop((event.board, event.point), None)
                if gone is not None:
                    found[gone] = None
            case ev.GameStarted():
                found.clear()
                at.clear()
    return [step for step in found if step is not None]
