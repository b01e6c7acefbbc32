"""Summary of what a series of events did to each marble."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from shibumi3d.rules.marbles import event as ev


class MarbleStep(NamedTuple):
    """A marble that is now on ``point`` of ``board`` and was on ``origin`` before.

    ``origin`` is -1 if the marble came from a stock. ``fell`` is set if the marble dropped instead of being set down.
    """

    board: int
    origin: int
    point: int
    fell: bool = False


def steps(events: Iterable[ev.Event]) -> list[MarbleStep]:
    """Return the marbles that the events set down, moved or dropped, in order.

    Each marble is listed only once. Marbles that were removed again are left out.
    """
    found: list[MarbleStep | None] = []
    at: dict[tuple[int, int], int] = {}
    hand: int | None = None
    lifted = False

    def ends(step: MarbleStep, number: int | None) -> None:
        """Record the new position of a marble; ``number`` is its index in ``found``, or None."""
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
                ends(MarbleStep(event.board, -1, event.point), None)
            case ev.Lifted():
                hand, lifted = at.pop((event.board, event.point), None), True
            case ev.Moved():
                number = hand if lifted else at.pop((event.board, event.origin), None)
                ends(MarbleStep(event.board, event.origin, event.point), number)
                lifted = False
            case ev.Dropped() | ev.SideDropped():
                number = at.pop((event.board, event.origin), None)
                ends(MarbleStep(event.board, event.origin, event.point, fell=True), number)
            case ev.Pushed():
                number = at.pop((event.board, event.origin), None)
                if number is not None:
                    ends(MarbleStep(event.board, event.origin, event.point), number)
            case ev.Removed() | ev.Captured():
                gone = at.pop((event.board, event.point), None)
                if gone is not None:
                    found[gone] = None
            case ev.GameStarted():
                found.clear()
                at.clear()
    return [step for step in found if step is not None]
