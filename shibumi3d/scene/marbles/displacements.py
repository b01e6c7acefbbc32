"""Summary of what a series of events did to each marble."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from shibumi3d.rules.marbles import event as ev


class Displacement(NamedTuple):
    """A marble that is now on ``point`` of ``board`` and was on ``origin`` before.

    ``origin`` is -1 if the marble came from a stock. ``has_fallen`` is set if the marble dropped from ``origin``
    instead of being lifted from there.
    """

    board: int
    origin: int
    point: int
    has_fallen: bool = False


def find_displacements(events: Iterable[ev.Event]) -> list[Displacement]:
    """Return the displacements of marbles that entered or were placed, moved or dropped.

    They are in the order of their first events, and each marble is listed only once. Marbles that were only pushed, or
    that were removed again, are left out. Events before the last start of a game are ignored.
    """
    result: list[Displacement | None] = []
    index_at: dict[tuple[int, int], int] = {}
    hand: int | None = None
    lifted = False

    def record_end(step: Displacement, index: int | None) -> None:
        """Record the new position of a marble; ``index`` is its index in the result, or None if it isn't there yet."""
        before = None if index is None else result[index]
        if before is None or index is None:
            index_at[step.board, step.point] = len(result)
            result.append(step)
        else:
            index_at[step.board, step.point] = index
            result[index] = before._replace(board=step.board, point=step.point)

    for event in events:
        match event:
            case ev.Placed() | ev.Entered():
                record_end(Displacement(event.board, -1, event.point), None)
            case ev.Lifted():
                hand, lifted = index_at.pop((event.board, event.point), None), True
            case ev.Moved():
                index = hand if lifted else index_at.pop((event.board, event.origin), None)
                record_end(Displacement(event.board, event.origin, event.point), index)
                lifted = False
            case ev.Dropped() | ev.SideDropped():
                index = index_at.pop((event.board, event.origin), None)
                record_end(Displacement(event.board, event.origin, event.point, has_fallen=True), index)
            case ev.Pushed():
                index = index_at.pop((event.board, event.origin), None)
                if index is not None:
                    record_end(Displacement(event.board, event.origin, event.point), index)
            case ev.Removed() | ev.Captured():
                gone = index_at.pop((event.board, event.point), None)
                if gone is not None:
                    result[gone] = None
            case ev.GameStarted():
                result.clear()
                index_at.clear()
    return [step for step in result if step is not None]
