"""Objects that the pointer can hit, and what a click on each of them refers to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene.marbles.exploded_view import ExplodedView, marble_radius
from shibumi3d.scene.marbles.layout import RADIUS, Array
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.marbles.table_objects import BAG_HEIGHT, BAG_RADIUS, Heap, TableLayout
from shibumi3d.scene.marbles.tabletop import TableContents
from shibumi3d.scene.picking import PickableObject

from .controller import Controller, Spot

ClickTarget = Spot | Heap | str
"""Target of a click: a spot on a board, a heap on the table, or the name of the stock in the bag."""


class PickTarget(NamedTuple):
    """Object that the pointer can hit, and what a click on it refers to.

    If ``click_target`` is None, the object only hides what is behind it.
    """

    pick_object: PickableObject
    click_target: ClickTarget | None


def board_targets(
    controller: Controller,
    marble_scene: MarbleScene,
    exploded_layout: ExplodedView | None = None,
    toward_camera: Array | None = None,
) -> list[PickTarget]:
    """Return the pick targets on all boards: marbles, holes and marks of legal choices.

    ``exploded_layout`` is the exploded view, or None if it is off. ``toward_camera`` (3,) is the direction towards the
    camera, as for :meth:`.MarbleScene.entry_position`. The pick target of the held marble stands for the spot that the
    marble came from, so that a click on either puts the marble back.
    """
    aims, marbles = clickable_spots(controller), marble_scene.marbles
    radius = marble_radius(exploded_layout)
    targets = [
        PickTarget(PickableObject(at, radius, is_target=Spot(*seat) in aims), Spot(*seat))
        for seat, at in marble_scene.resting_marbles(exploded_layout)
    ]
    held, hand = controller.state.held, marble_scene.held_marble_target(exploded_layout)
    if held is not None and hand is not None:
        targets.append(PickTarget(hand, Spot(held[2], held[1])))
    for spot in aims:
        if spot.side >= 0:
            targets.append(PickTarget(marble_scene.entry_target(*spot, exploded_layout, toward_camera), spot))
        elif spot[:2] not in marbles:
            targets.append(PickTarget(marble_scene.empty_point_target(*spot[:2], exploded_layout), spot))
    for board, size in enumerate(marble_scene.sizes):
        for point in iter_bits(get_pyramid(size).all_points):
            spot = Spot(board, point)
            if spot in aims or spot[:2] in marbles:
                continue
            if marble_scene.is_board_hole(board, point, exploded_layout):
                hole = marble_scene.empty_point_target(board, point, exploded_layout)
                targets.append(PickTarget(hole._replace(is_target=False), spot))
    return targets


def clickable_spots(controller: Controller) -> set[Spot]:
    """Return the spots where a click has an effect."""
    aims = set(controller.targets)
    held = controller.state.held
    if held is not None:
        aims.add(Spot(held[2], held[1]))
    return aims | {Spot(controller.selected_board, point) for point in iter_bits(controller.selected_points)}


def table_targets(bag_stock: str, layout: TableLayout, contents: TableContents) -> list[PickTarget]:
    """Return the pick targets beside the boards: the marbles on the table and, if there is one, the bag.

    Marbles that don't belong to a heap only hide what is behind them. ``bag_stock`` is the name of the stock in the
    bag.
    """
    result: list[PickTarget] = []
    for heap, marbles in contents.heaps.items():
        places = zip(layout.heaps[heap].positions, marbles, strict=False)
        result += [PickTarget(PickableObject(place, RADIUS), heap) for place, _ in places]
    known = {pointable.pick_object.position for pointable in result}
    result += [
        PickTarget(PickableObject(ball.position, RADIUS, is_target=False), None)
        for ball in contents.balls
        if ball.position not in known
    ]
    if layout.bag_position is not None:
        x, y, z = layout.bag_position
        result.append(PickTarget(PickableObject((x, y, z + BAG_HEIGHT / 2), BAG_RADIUS), bag_stock))
    return result


SpotLocator = Callable[[Spot], tuple[float, float]]
"""Function that returns the position of a spot in the window."""


def nearest_in_direction(
    direction: str, current: Spot | None, targets: Sequence[Spot], spot_position: SpotLocator
) -> Spot:
    """Return the nearest target in the direction of an arrow key, or ``current`` if there is none.

    ``direction`` is "left", "right", "up" or "down", as seen on the screen. Distances across this direction count
    double. If ``current`` is None, return the first target.
    """
    if current is None:
        return targets[0]
    dx, dy = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}[direction]
    x, y = spot_position(current)
    best, least = current, float("inf")
    for spot, (sx, sy) in zip(targets, map(spot_position, targets), strict=True):
        along = (sx - x) * dx + (sy - y) * dy
        across = abs((sx - x) * dy) + abs((sy - y) * dx)
        if along > 1 and along + 2 * across < least:
            best, least = spot, along + 2 * across
    return best


def nearest_on_next_level(
    direction: int,
    current: Spot | None,
    targets: Sequence[Spot],
    level_by_point: Sequence[int],
    spot_position: SpotLocator,
) -> Spot:
    """Return the nearest target on the next higher or lower level that has targets.

    ``direction`` is 1 for a higher level and -1 for a lower one. ``level_by_point`` holds the level of each point. If
    no level in that direction has targets, return ``current``; if ``current`` is None, return the first target.
    """
    if current is None:
        return targets[0]
    current_level = level_by_point[current.point]
    ways = sorted(
        {
            level_by_point[s.point]
            for s in targets
            if (level_by_point[s.point] - current_level) * direction > 0
        },
        reverse=direction < 0,
    )
    if not ways:
        return current
    x, y = spot_position(current)
    rest = [s for s in targets if level_by_point[s.point] == ways[0]]
    far = [abs(sx - x) + abs(sy - y) for sx, sy in map(spot_position, rest)]
    return rest[far.index(min(far))]
