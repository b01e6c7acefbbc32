"""Pieces, solids and cards that represent everything on the Hyena Spiral table."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from shibumi3d.rules.hyena_spiral.state import Leg, State, Walker
from shibumi3d.scene.frame import Card, Piece, Solid
from shibumi3d.scene.hyena_spiral.layout import DISH_TOP, TABA, Spiral, aside, heap, spiral
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, TABLE_Z, Vector
from shibumi3d.scene.palette import NUMBER_PLAQUE_EDGE, NUMBER_PLAQUE_INK, NUMBER_PLAQUE_WOOD

PAWNS = ("#EFE9DC", "#2B2D31", "#B5402E", "#3F6FA3", "#E3B23C")
"""Colour of the pawn of each seat."""
AMBER, WATER, STRAW, COLLAR, CLAY = "#D9A05B", "#4FA39A", "#C9A25E", "#D9A05B", "#C77F4A"
NUMBERS = "#FBF8F1"
DIGIT = 0.13  # half width of a digit
RIM = 1.16  # from the centre of a dish to its plaque
HEAD = 1.1  # height of a villager's head
BACK = (0.0, -0.05, 1.12)
"""Position of the seat's sign on the hyena's head, relative to the foot of the pawn.

The sign is in front of the ears.
"""
CHIPS = ((0.0, 0.42), (-0.4, -0.24), (0.4, -0.24))
"""Positions of the chips, relative to the centre of their bowl."""
BANK = 14  # tabas drawn in the bank, which never runs out
MOST = 28
"""Maximum number of tabas drawn in a dish.

The exact number is shown on the plaque at the rim.
"""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is visible at a given time: all walkers, and the faces of the chips (True: white side up)."""

    length: int
    walkers: tuple[Walker, ...]
    chips: tuple[bool, ...]


def shown_of(view: State) -> Shown:
    """Return what is visible in a state.

    Before the first throw, the chips show both colours.
    """
    return Shown(view.length, view.walkers, view.chips or (True, False, True))


def spot_of(now: Shown, seat: int) -> Vector:
    """Return the position of a seat's pawn.

    Pawns on the same place are drawn apart. At the well, each pawn has its own niche; in the village, each pawn that
    has returned home has its own place. A pawn that was eaten lies beside its owner's dish.
    """
    track, walker = spiral(now.length), now.walkers[seat]
    if walker.leg is Leg.HOME:
        return *track.homes[seat], BOARD_TOP_Z
    if walker.leg is Leg.EATEN:
        x, y = track.dish(seat, len(now.walkers))
        return x - 1.25, y - 0.35, TABLE_Z + 0.27
    x, y, z = track.at(walker.place, seat)
    if 0 < walker.place < now.length:
        here = [
            other
            for other, one in enumerate(now.walkers)
            if one.place == walker.place and one.leg in (Leg.OUT, Leg.BACK)
        ]
        dx, dy = aside(here.index(seat), len(here))
        x, y = x + dx, y + dy
    return x, y, z


def pawn(walker: Walker, seat: int, at: Vector, alpha: float = 1.0, tilt: float = 0.0) -> list[Piece]:
    """Return the pieces of a seat's pawn.

    The pawn is either a villager, who carries a jar once she has water, or the hyena. Unless the pawn is tilted, it has
    the seat's sign on its head.
    """
    x, y, z = at
    if walker.hyena:
        found = [Piece("hyena", x, y, z, alpha=alpha, tilt=tilt, colour=PAWNS[seat])]
        if not tilt:
            bx, by, bz = BACK
            found.append(Piece("plate", x + bx, y + by, z + bz, alpha=alpha))
            found.append(Piece(f"sign{seat + 1}", x + bx, y + by, z + bz + 0.012, alpha=alpha))
        return found
    found = [Piece("villager", x, y, z, alpha=alpha, tilt=tilt, colour=PAWNS[seat])]
    if not tilt:
        found.append(Piece("plate", x, y, z + HEAD, alpha=alpha))
        found.append(Piece(f"sign{seat + 1}", x, y, z + HEAD + 0.012, alpha=alpha))
    if walker.leg in (Leg.BACK, Leg.HOME):
        found.append(Piece("jar", x + 0.3, y - 0.12, z, alpha=alpha, colour=CLAY))
    return found


def furniture(now: Shown) -> list[Piece]:
    """Return the pieces that never move: the well, the hut, the bowls and the dishes."""
    track = spiral(now.length)
    found = [
        Piece("well", 0.0, 0.0, BOARD_TOP_Z, colour=WATER),
        Piece("hut", *track.hut, BOARD_TOP_Z, colour=STRAW),
        Piece("bowl", *track.bowl),
        Piece("bowl", *track.bank),
    ]
    return found + [Piece("bowl", *track.dish(seat, len(now.walkers))) for seat in range(len(now.walkers))]


@functools.lru_cache(maxsize=8)
def numbers(track: Spiral) -> tuple[Card, ...]:
    """Return the engraved numbers, one for every tenth place."""
    found = []
    for place in range(10, track.length, 10):
        x, y, z = track.number_at(place)
        for digit, shift in zip(str(place), (-DIGIT, DIGIT), strict=True):
            at = (x + 0.9 * shift, y, z + 0.004)
            found.append(
                Card(at, (DIGIT, DIGIT * 1.2), ink=NUMBERS, glyph=digit, glyph_scale=1.0, stroke_width=2.6)
            )
    return tuple(found)


def owners(now: Shown, ink: str) -> list[Card]:
    """Return the signs of the seats, each beside its seat's dish."""
    found = []
    for seat in range(len(now.walkers)):
        x, y = spiral(now.length).dish(seat, len(now.walkers))
        at = x - 1.06, y + 0.8, TABLE_Z + 0.01
        found.append(Card(at, (0.22, 0.22), ink=ink, glyph=f"seat {seat}", glyph_scale=1.0, stroke_width=3.2))
    return found


def held(now: Shown) -> list[Card]:
    """Return the plaques at the rims of the dishes, which show each seat's number of tabas."""
    found = []
    for seat, walker in enumerate(now.walkers):
        x, y = spiral(now.length).dish(seat, len(now.walkers))
        at = x, y - RIM, TABLE_Z + 0.2
        digits = str(walker.tabas)
        found.append(
            Card(
                at,
                (0.13 + 0.11 * len(digits), 0.21),
                NUMBER_PLAQUE_WOOD,
                outline=NUMBER_PLAQUE_EDGE,
                corner_rounding=0.25,
            )
        )
        for place, digit in enumerate(digits):
            there = at[0] + 0.22 * (place - (len(digits) - 1) / 2), at[1], at[2] + 0.003
            found.append(
                Card(
                    there,
                    (0.18, 0.18),
                    ink=NUMBER_PLAQUE_INK,
                    glyph=digit,
                    glyph_scale=0.85,
                    stroke_width=3.0,
                )
            )
    return found


def taba(at: Vector) -> Solid:
    """Return a taba, a clay disc, with its foot at ``at``."""
    return Solid("disc", at, (0.16, 0.16, TABA - 0.012), AMBER, taper=0.86)


def tabas(now: Shown) -> list[Solid]:
    """Return the tabas in the bank, those in the dishes of all seats, and those paid at the well."""
    track = spiral(now.length)
    found = _heap(track.bank, BANK)
    for seat, walker in enumerate(now.walkers):
        found += _heap(track.dish(seat, len(now.walkers)), min(walker.tabas, MOST))
        if walker.leg is Leg.WELL and walker.paid:
            x, y, z = laid_at(track, seat)
            found += [taba((x, y, z + TABA * i)) for i in range(walker.paid * (10 if walker.hyena else 2))]
    return found


def _heap(middle: tuple[float, float], number: int) -> list[Solid]:
    x, y = middle
    return [taba((x + dx, y + dy, DISH_TOP + dz)) for dx, dy, dz in heap(number)]


def laid_at(track: Spiral, seat: int) -> Vector:
    """Return where a seat's pawn puts down the tabas that it pays at the well."""
    x, y, z = track.at(track.length, seat)
    far = math.hypot(x, y)
    return x + 0.42 * y / far, y - 0.42 * x / far, z


def chip(at: Vector, white: bool, tilt: float = 0.0, turn: float = 0.0) -> Piece:
    """Return a chip with its foot at ``at``, with its white or its black side up.

    It is rotated further by ``tilt``; ``tilt`` and ``turn`` are in radians.
    """
    x, y, z = at
    over = tilt + (0.0 if white else math.pi)
    # A chip rotates about its centre, but pieces rotate about their foot.
    middle = z + 0.1
    dy, dz = 0.1 * math.sin(over), -0.1 * math.cos(over)
    return Piece("chip", x - math.sin(turn) * dy, y + math.cos(turn) * dy, middle + dz, yaw=turn, tilt=over)


def with_walker(now: Shown, seat: int, walker: Walker) -> Shown:
    """Return a copy of ``now`` in which the walker of one seat is replaced."""
    walkers: Sequence[Walker] = (*now.walkers[:seat], walker, *now.walkers[seat + 1 :])
    return replace(now, walkers=tuple(walkers))
