"""Objects that the pointer can hit, and what a click on each of them refers to.

:func:`picking.pick` determines which object is hit, so that a click always applies to the object visible under the
pointer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.scene.marbles.layout import LYING, Array
from shibumi3d.scene.marbles.spread import Spread, radius_of
from shibumi3d.scene.marbles.stage import Stage
from shibumi3d.scene.marbles.tray import BAG, BAG_HEIGHT, Heap, Table
from shibumi3d.scene.picking import Seen

from .controller import Controller, Spot
from .table import Lying

Meant = Spot | Heap | str
"""Target of a click: a spot of a board, a heap on the table, or the name of the bag's stock."""


class Pointable(NamedTuple):
    """Object that the pointer can hit, and what a click on it refers to.

    If ``means`` is None, the object only hides what is behind it.
    """

    seen: Seen
    means: Meant | None


def on_boards(
    control: Controller, stage: Stage, spread: Spread | None = None, back: Array | None = None
) -> list[Pointable]:
    """Return the marbles, the holes and the marks of legal choices on all boards.

    ``back`` (3,) is the direction towards the camera. A click on the held marble, or on the spot that it came from,
    puts it back.
    """
    aims = aimed(control)
    radius = radius_of(spread)
    found = [
        Pointable(Seen(at, radius, aim=Spot(*seat) in aims), Spot(*seat))
        for seat, at in stage.standing(spread)
    ]
    held, hand = control.state.held, stage.in_hand(spread)
    if held is not None and hand is not None:
        found.append(Pointable(hand, Spot(held[2], held[1])))
    for spot in aims:
        if spot.side >= 0:
            found.append(Pointable(stage.entry_mark(*spot, spread, back), spot))
        elif spot[:2] not in stage.marbles:
            found.append(Pointable(stage.mark(*spot[:2], spread), spot))
    for board, size in enumerate(stage.sizes):
        for point in bits(pyramid(size).all):
            spot = Spot(board, point)
            if not stage.on_board(board, point, spread):
                continue
            if spot not in aims and spot[:2] not in stage.marbles:
                found.append(Pointable(stage.mark(board, point, spread)._replace(aim=False), spot))
    return found


def aimed(control: Controller) -> set[Spot]:
    """Return the spots where a click has an effect."""
    aims = set(control.targets)
    held = control.state.held
    if held is not None:
        aims.add(Spot(held[2], held[1]))
    return aims | {Spot(control.picked_board, point) for point in bits(control.picked)}


def on_table(bag: str, lay: Table, lying: Lying) -> list[Pointable]:
    """Return the objects beside the boards; ``bag`` is the stock that marbles are drawn from."""
    found: list[Pointable] = []
    for heap, marbles in lying.heaps.items():
        places = zip(lay.rows[heap].places, marbles, strict=False)
        found += [Pointable(Seen(place, LYING), heap) for place, _ in places]
    known = {pointable.seen.at for pointable in found}
    found += [
        Pointable(Seen(ball.at, LYING, aim=False), None) for ball in lying.balls if ball.at not in known
    ]
    if lay.bag is not None:
        x, y, z = lay.bag
        found.append(Pointable(Seen((x, y, z + BAG_HEIGHT / 2), BAG), bag))
    return found


Where = Callable[[Spot], tuple[float, float]]
"""Function that returns the position of a spot in the window."""


def towards(way: str, here: Spot | None, targets: Sequence[Spot], where: Where) -> Spot:
    """Return the nearest target in the direction of an arrow key, or ``here`` if there is none.

    ``way`` is "left", "right", "up" or "down", as seen on the screen. If ``here`` is None, return the first target.
    """
    if here is None:
        return targets[0]
    dx, dy = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}[way]
    x, y = where(here)
    best, least = here, float("inf")
    for spot, (sx, sy) in zip(targets, map(where, targets), strict=True):
        along = (sx - x) * dx + (sy - y) * dy
        across = abs((sx - x) * dy) + abs((sy - y) * dx)
        if along > 1 and along + 2 * across < least:
            best, least = spot, along + 2 * across
    return best


def on_level(by: int, here: Spot | None, targets: Sequence[Spot], level: Sequence[int], where: Where) -> Spot:
    """Return the nearest target on the next level with targets, above (``by`` is 1) or below (-1).

    ``level`` holds the level of each point. If there is no such level, return ``here``; if ``here`` is None, return the
    first target.
    """
    if here is None:
        return targets[0]
    at = level[here.point]
    ways = sorted({level[s.point] for s in targets if (level[s.point] - at) * by > 0}, reverse=by < 0)
    if not ways:
        return here
    x, y = where(here)
    rest = [s for s in targets if level[s.point] == ways[0]]
    far = [abs(sx - x) + abs(sy - y) for sx, sy in map(where, rest)]
    return rest[far.index(min(far))]
