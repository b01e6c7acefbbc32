"""Signs of the last turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from shibumi3d.rules.marbles import event as ev
from shibumi3d.scene.marbles.stage import Sign, SignKind

if TYPE_CHECKING:
    pass


LANDED = ev.Placed | ev.Moved | ev.Entered


def landed(events: Iterable[ev.Event]) -> list[tuple[int, int]]:
    """Board and point of the marble that a move set down: the first, others follow from it."""
    for event in events:
        if isinstance(event, LANDED):
            return [(event.board, event.point)]
    return []


def numbered(seats: Sequence[tuple[int, int]], strong: bool = False) -> list[Sign]:
    """Order numbers on boards and points, where there is an order at all."""
    if len(seats) < 2:
        return []
    return [Sign(SignKind.NUMBER, *seat, strong=strong, number=i) for i, seat in enumerate(seats, 1)]
