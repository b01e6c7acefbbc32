"""What happens to the other marbles when one is removed or enters, implemented independently of the engine.

``filled`` is the mask of all marbles on a board, all of them at rest.
"""

from __future__ import annotations

from typing import NamedTuple

from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.pyramid import Pyramid


class EntryPath(NamedTuple):
    """What happens to a line of marbles when another marble is pushed in at one end.

    ``pushed`` contains a pair (origin, target) for each pushed marble. The marble farthest from the entry point comes
    first, so each target is empty by the time a marble is pushed there. If the farthest marble isn't fully supported at
    its target, ``side_drop`` is a pair of points: this target, and the point to which the marble then falls. Otherwise,
    ``side_drop`` is None.
    """

    pushed: tuple[tuple[int, int], ...]
    side_drop: tuple[int, int] | None


def movable_marbles(pyramid: Pyramid, filled: int) -> int:
    """Return the marbles that support at most one other marble."""
    return filled & ~position.pinned_marbles(pyramid, filled)


def drop_chain(pyramid: Pyramid, filled: int, p: int) -> tuple[tuple[int, int], ...]:
    """Return the drops that follow when the marble on ``p`` is removed.

    ``filled`` is the mask of the marbles on the board. The drops are pairs (origin, target) in causal order; the first
    marble drops to ``p``. Raises ValueError if there is no marble on ``p``, or if it can't be moved because several
    marbles rest on it.
    """
    if not filled >> p & 1:
        raise ValueError(f"there is no marble on {pyramid.point_names[p]}")
    carried = pyramid.resting[p] & filled
    if carried & (carried - 1):
        raise ValueError(f"the marble on {pyramid.point_names[p]} is pinned")
    chain = []
    # The falling marble is the only one on its level that rests on p. At most one marble can then rest on it: the next
    # one in the same direction.
    while carried:
        q = carried.bit_length() - 1
        chain.append((q, p))
        carried = pyramid.resting[q] & filled
        p = q
    return tuple(chain)


def find_entry_path(pyramid: Pyramid, filled: int, point: int, side: int) -> EntryPath | None:
    """Return what happens when a marble enters at ``point`` from ``SIDES[side]``.

    ``filled`` is the mask of the marbles on the board. Return None if the marble may not enter. ``point`` must be at
    the edge of its level, on the side from which the marble enters. It must have four filled supports, so it can't be
    on the lowest level.

    If there is already a marble on ``point``, it is pushed one point onward, along with the unbroken line of marbles
    beyond it. None of these marbles may support another. The leading marble must arrive on four filled supports, or on
    three if the fourth point is playable; in that case it falls there.
    """
    supports = pyramid.supports[point]
    if not supports or filled & supports != supports or pyramid.next_by_side[side ^ 1][point] >= 0:
        return None
    if not filled >> point & 1:
        return EntryPath((), None)
    line = _unbroken_line(pyramid, filled, point, side)
    for p in line:
        if pyramid.resting[p] & filled:
            return None
    return _push_line(pyramid, filled, line, side)


def _unbroken_line(pyramid: Pyramid, filled: int, point: int, side: int) -> list[int]:
    """Return the points of the unbroken line of marbles that starts at ``point``, in order.

    The line leads away from ``SIDES[side]``. The list is empty if there is no marble on ``point``.
    """
    onward = pyramid.next_by_side[side]
    line = []
    while point >= 0 and filled >> point & 1:
        line.append(point)
        point = onward[point]
    return line


def _push_line(pyramid: Pyramid, filled: int, line: list[int], side: int) -> EntryPath | None:
    """Return the effect of pushing a line of marbles by one point, away from ``SIDES[side]``.

    ``line`` lists the points of the marbles, starting at the entry point. Return None if the leading marble would leave
    the board or can't come to rest. Its new point needs four filled supports, or three if the fourth is playable; the
    marble then falls to that fourth point.
    """
    onward = pyramid.next_by_side[side]
    head = onward[line[-1]]
    if head < 0:
        return None
    pushed = tuple((p, onward[p]) for p in reversed(line))
    # A push doesn't change lower levels, which determine where the head comes to rest.
    missing = pyramid.supports[head] & ~filled
    if not missing:
        return EntryPath(pushed, None)
    fall = missing.bit_length() - 1
    if missing & (missing - 1) or pyramid.supports[fall] & ~filled:
        return None
    return EntryPath(pushed, (head, fall))
