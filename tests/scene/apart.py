"""Timelines of marbles, and how near marbles come to each other during animations."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.event import Event
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene.marbles.actors import Cell
from shibumi3d.scene.marbles.timeline import Timeline

SAMPLES = 120
"""Number of moments checked per second."""
MIN_DISTANCE = 0.98
"""Smallest allowed distance between two marbles, as a share of the sum of their radii."""
MIN_DISTANCE_WHILE_LIFTED = 0.92
"""Smallest allowed distance if only one of the two marbles is carried: it may slip out from under the other."""
CARRIED = (ev.Placed, ev.Moved, ev.Entered, ev.Captured, ev.Removed)


def queue(names: str = "", speed: str = "normal", reduced: bool = False) -> Timeline:
    """Return a timeline with white marbles on the named points of a board with four levels.

    ``names`` are separated by spaces. ``speed`` and ``reduced`` are the ``speed`` and the ``reduce_motion`` of the
    :class:`.Timeline`.
    """
    made = Timeline((4,), speed, reduced)
    point_by_name = get_pyramid(4).point_by_name
    made.reset({(0, point_by_name[name]): 0 for name in names.split()})
    return made


def motion_faults(timeline: Timeline, events: Sequence[Event], now: float) -> list[str]:
    """Return messages about faults in the animation of ``events``, from ``now`` to its end.

    It is a fault if two marbles are closer together than :data:`MIN_DISTANCE`, or if a marble that isn't carried sinks
    into the board. If only one of two marbles is carried, :data:`MIN_DISTANCE_WHILE_LIFTED` is enough. Marbles count as
    carried if they are in hand or leaving, or if one of ``events`` places, moves, enters, captures or removes them.
    Fading marbles are ignored. :data:`SAMPLES` moments per second are checked. For each moment, there is at most one
    message for each of the two kinds of fault.
    """
    brought: set[Cell] = {(e.board, e.point) for e in events if isinstance(e, CARRIED)}
    found = []
    for t in range(math.ceil((timeline.end_time - now) * SAMPLES)):
        poses = [pose for pose in timeline.sample(now + t / SAMPLES) if pose.alpha == 1.0]
        if not poses:
            continue
        free = np.array(
            [pose.socket is not None and pose.socket not in brought for pose in poses], dtype=bool
        )
        at = np.array([pose.position for pose in poses])
        offsets = at[:, None] - at
        near = np.sqrt(np.einsum("ijk,ijk->ij", offsets, offsets))
        np.fill_diagonal(near, 9.0)
        near[free[:, None] != free] += MIN_DISTANCE - MIN_DISTANCE_WHILE_LIFTED
        if near.min() < MIN_DISTANCE:
            one, other = np.unravel_index(near.argmin(), near.shape)
            found.append(
                f"{near.min():.3f} at {t / SAMPLES:.2f} s: {poses[one].socket} and {poses[other].socket}"
            )
        # Beside the board lies the table, lower than the board.
        if free.any() and (low := at[free][:, 2].min()) < -1e-9:
            found.append(f"{low:.3f} below the board at {t / SAMPLES:.2f} s")
    return found
