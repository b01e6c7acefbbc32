"""Everything the pointer can be on, and what a click there is about. There is one rule, :func:`picking.pick`:
what is seen is what is clicked."""

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
"""A place on a board, a heap of marbles on the table, or the name of the bag."""


class Pointable(NamedTuple):
    """What is ``seen``, and what it ``means``; None: it only covers what is behind it."""

    seen: Seen
    means: Meant | None


def on_boards(
    control: Controller, stage: Stage, spread: Spread | None = None, back: Array | None = None
) -> list[Pointable]:
    """Marbles, holes, and the signs of all that may be chosen, for an eye in the direction ``back`` (3,).

    A click on the marble in hand, or on the place it came from, puts it back.
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
    """The places of the boards where a click does something."""
    aims = set(control.targets)
    held = control.state.held
    if held is not None:
        aims.add(Spot(held[2], held[1]))
    return aims | {Spot(control.picked_board, point) for point in bits(control.picked)}


def on_table(bag: str, lay: Table, lying: Lying) -> list[Pointable]:
    """What lies beside the boards; ``bag`` is the stock that is drawn from."""
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
"""Tells where a place is seen in the window."""


def towards(way: str, here: Spot | None, targets: Sequence[Spot], where: Where) -> Spot:
    """The target nearest to ``here`` in a direction (an arrow) on the screen; ``here`` itself where there is none."""
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
    """The target nearest to ``here`` on the next level up (``by`` 1) or down (-1) that has one.

    ``level`` tells the level of every point.
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
