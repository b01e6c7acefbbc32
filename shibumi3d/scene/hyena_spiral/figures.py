"""Pieces, solids and cards that represent everything on the Hyena Spiral table, in perspective and from above."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from shibumi3d.rules.hyena_spiral.state import Leg, State, Walker
from shibumi3d.scene.frame import Card, Piece, Solid
from shibumi3d.scene.glyphs import register_glyphs
from shibumi3d.scene.hyena_spiral.layout import (
    DISH_TOP_Z,
    NUMBERED_RING_RADIUS,
    TABA_HEIGHT,
    SpiralGeometry,
    heap_positions,
    shared_place_offset,
    spiral_geometry,
)
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, TABLE_Z, Vector
from shibumi3d.scene.palette import NUMBER_PLAQUE_EDGE, NUMBER_PLAQUE_INK, NUMBER_PLAQUE_WOOD
from shibumi3d.scene.top_view import round_card

PAWN_COLOURS = ("#EFE9DC", "#2B2D31", "#B5402E", "#3F6FA3", "#E3B23C")
"""Colour of each seat's pawn."""
TABA_COLOUR, WATER_COLOUR, STRAW_COLOUR, CLAY_COLOUR = "#D9A05B", "#4FA39A", "#C9A25E", "#C77F4A"
NUMBER_INK = "#FBF8F1"
DIGIT_HALF_HEIGHT, DIGIT_SPACING = 0.25, 0.35
DIGIT_HEIGHT_FRACTION = 20 / 24  # height of a digit, as a fraction of its glyph
DISH_PLAQUE_DISTANCE = 1.16  # from the centre of a dish to its plaque
VILLAGER_HEAD_HEIGHT = 1.1  # height of a villager's head
HYENA_SIGN_OFFSET = (0.0, -0.05, 1.12)
"""Position of the seat's sign on the hyena's head, relative to the foot of the pawn.

The sign is in front of the ears.
"""
CHIP_OFFSETS = ((0.0, 0.42), (-0.4, -0.24), (0.4, -0.24))
"""Positions of the chips, relative to the centre of their bowl."""
BANK_TABAS_DRAWN = 14  # tabas drawn in the bank, which never runs out
MAX_TABAS_DRAWN = 28
"""Maximum number of tabas drawn in a dish.

The exact number is shown on the plaque at the rim.
"""


@dataclass(frozen=True, slots=True)
class VisibleTable:
    """What is visible at a given time: all walkers, and the faces of the chips (True: white side up).

    ``length`` is the length of the path, which is also the number of its last place, the well.
    """

    length: int
    walkers: tuple[Walker, ...]
    chips: tuple[bool, ...]


def visible_table(view: State) -> VisibleTable:
    """Return what is visible in a state.

    Before the first throw, the chips show both colours.
    """
    return VisibleTable(view.length, view.walkers, view.last_throw or (True, False, True))


def pawn_position(table: VisibleTable, seat: int) -> Vector:
    """Return the position of a seat's pawn.

    Pawns on the same place are drawn apart. At the well, each pawn has its own niche; in the village, each pawn that
    has returned home has its own place. A pawn that was eaten lies beside its owner's dish.
    """
    track, walker = spiral_geometry(table.length), table.walkers[seat]
    if walker.leg is Leg.HOME:
        return *track.home_positions[seat], BOARD_TOP_Z
    if walker.leg is Leg.EATEN:
        x, y = track.dish_position(seat, len(table.walkers))
        return x - 1.25, y - 0.35, TABLE_Z + 0.27
    x, y, z = track.pawn_position(walker.place, seat)
    if 0 < walker.place < table.length:
        here = [
            other
            for other, one in enumerate(table.walkers)
            if one.place == walker.place and one.leg in (Leg.OUT, Leg.BACK)
        ]
        dx, dy = shared_place_offset(here.index(seat), len(here))
        x, y = x + dx, y + dy
    return x, y, z


def make_pawn(
    walker: Walker, seat: int, position: Vector, alpha: float = 1.0, tilt: float = 0.0
) -> list[Piece]:
    """Return the pieces of a seat's pawn.

    The pawn is either a villager, who carries a jar once she has water, or the hyena. Unless the pawn is tilted, it has
    the seat's sign on its head.
    """
    x, y, z = position
    if walker.is_hyena:
        found = [Piece("hyena", x, y, z, alpha=alpha, tilt=tilt, colour=PAWN_COLOURS[seat])]
        if not tilt:
            bx, by, bz = HYENA_SIGN_OFFSET
            found.append(Piece("plate", x + bx, y + by, z + bz, alpha=alpha))
            found.append(Piece(f"sign{seat + 1}", x + bx, y + by, z + bz + 0.012, alpha=alpha))
        return found
    found = [Piece("villager", x, y, z, alpha=alpha, tilt=tilt, colour=PAWN_COLOURS[seat])]
    if not tilt:
        found.append(Piece("plate", x, y, z + VILLAGER_HEAD_HEIGHT, alpha=alpha))
        found.append(Piece(f"sign{seat + 1}", x, y, z + VILLAGER_HEAD_HEIGHT + 0.012, alpha=alpha))
    if walker.leg in (Leg.BACK, Leg.HOME):
        found.append(Piece("jar", x + 0.3, y - 0.12, z, alpha=alpha, colour=CLAY_COLOUR))
    return found


def make_furniture(table: VisibleTable) -> list[Piece]:
    """Return the pieces that never move: the well, the hut, the bowls and the dishes."""
    track = spiral_geometry(table.length)
    found = [
        Piece("well", 0.0, 0.0, BOARD_TOP_Z, colour=WATER_COLOUR),
        Piece("hut", *track.hut_position, BOARD_TOP_Z, colour=STRAW_COLOUR),
        Piece("bowl", *track.bowl_position),
        Piece("bowl", *track.bank_position),
    ]
    return found + [
        Piece("bowl", *track.dish_position(seat, len(table.walkers))) for seat in range(len(table.walkers))
    ]


@functools.lru_cache(maxsize=8)
def make_path_numbers(track: SpiralGeometry) -> tuple[Card, ...]:
    """Return the engraved numbers, one for every tenth place, and the inlaid rings around these places."""
    found = []
    half = DIGIT_HALF_HEIGHT / DIGIT_HEIGHT_FRACTION
    for place in range(10, track.length, 10):
        x, y, z = track.pawn_position(place)
        ring = (NUMBERED_RING_RADIUS, NUMBERED_RING_RADIUS)
        found.append(Card((x, y, z + 0.003), ring, outline=NUMBER_INK, corner_rounding=1.0, alpha=0.75))
        x, y, z = track.number_position(place)
        for digit, side in zip(str(place), (-0.5, 0.5), strict=True):
            at = (x + side * DIGIT_SPACING, y, z + 0.004)
            found.append(
                Card(at, (half, half), ink=NUMBER_INK, glyph=digit, glyph_scale=1.0, stroke_width=2.7)
            )
    return tuple(found)


def make_seat_symbols(table: VisibleTable, ink: str) -> list[Card]:
    """Return the symbols of the seats, each beside its seat's dish."""
    found = []
    for seat in range(len(table.walkers)):
        x, y = spiral_geometry(table.length).dish_position(seat, len(table.walkers))
        at = x - 1.1, y + 0.92, TABLE_Z + 0.01
        found.append(Card(at, (0.27, 0.27), ink=ink, glyph=f"seat {seat}", glyph_scale=1.0, stroke_width=3.2))
    return found


def make_taba_counts(table: VisibleTable) -> list[Card]:
    """Return the plaques that show each seat's number of tabas, and the digits on them."""
    found = []
    for seat, walker in enumerate(table.walkers):
        x, y = spiral_geometry(table.length).dish_position(seat, len(table.walkers))
        at = x, y - DISH_PLAQUE_DISTANCE, TABLE_Z + 0.2
        digits = str(walker.tabas)
        found.append(
            Card(
                at,
                (0.16 + 0.14 * len(digits), 0.27),
                NUMBER_PLAQUE_WOOD,
                outline=NUMBER_PLAQUE_EDGE,
                corner_rounding=0.25,
            )
        )
        for place, digit in enumerate(digits):
            there = at[0] + 0.28 * (place - (len(digits) - 1) / 2), at[1], at[2] + 0.003
            found.append(
                Card(
                    there,
                    (0.24, 0.24),
                    ink=NUMBER_PLAQUE_INK,
                    glyph=digit,
                    glyph_scale=0.85,
                    stroke_width=3.0,
                )
            )
    return found


def make_taba(position: Vector) -> Solid:
    """Return a taba, a clay disc, with its base at ``position``."""
    return Solid("disc", position, (0.16, 0.16, TABA_HEIGHT - 0.012), TABA_COLOUR, taper=0.86)


def make_tabas(table: VisibleTable) -> list[Solid]:
    """Return the tabas in the bank, those in the dishes of all seats, and those paid at the well.

    The bank always shows ``BANK_TABAS_DRAWN`` tabas, and a dish at most ``MAX_TABAS_DRAWN``.
    """
    track = spiral_geometry(table.length)
    found = _make_heap(track.bank_position, BANK_TABAS_DRAWN)
    for seat, walker in enumerate(table.walkers):
        found += _make_heap(track.dish_position(seat, len(table.walkers)), min(walker.tabas, MAX_TABAS_DRAWN))
        if walker.leg is Leg.WELL and walker.fees_paid:
            x, y, z = paid_tabas_position(track, seat)
            found += [
                make_taba((x, y, z + TABA_HEIGHT * i))
                for i in range(walker.fees_paid * (10 if walker.is_hyena else 2))
            ]
    return found


def _make_heap(middle: tuple[float, float], count: int) -> list[Solid]:
    x, y = middle
    return [make_taba((x + dx, y + dy, DISH_TOP_Z + dz)) for dx, dy, dz in heap_positions(count)]


def paid_tabas_position(track: SpiralGeometry, seat: int) -> Vector:
    """Return where a seat's pawn puts down the tabas that it pays at the well."""
    x, y, z = track.pawn_position(track.length, seat)
    far = math.hypot(x, y)
    return x + 0.42 * y / far, y - 0.42 * x / far, z


def make_chip(position: Vector, shows_white: bool, tilt: float = 0.0) -> Piece:
    """Return a chip with its base at ``position``.

    If ``shows_white`` is set, the white side is up, otherwise the black side. The chip is then rotated by ``tilt``, in
    radians, about the east axis through its centre.
    """
    x, y, z = position
    over = tilt + (0.0 if shows_white else math.pi)
    # A chip rotates about its centre, but pieces rotate about their base.
    middle = z + 0.1
    dy, dz = 0.1 * math.sin(over), -0.1 * math.cos(over)
    return Piece("chip", x, y + dy, middle + dz, tilt=over)


def replace_walker(table: VisibleTable, seat: int, walker: Walker) -> VisibleTable:
    """Return a copy of ``table`` in which the walker of ``seat`` is ``walker``."""
    walkers: Sequence[Walker] = (*table.walkers[:seat], walker, *table.walkers[seat + 1 :])
    return replace(table, walkers=tuple(walkers))


IVORY, INK, WOOD, OUTLINE, WATER = "#EFE9DC", "#26241F", "#8A623B", "#3F2A18", "#4FA39A"
LYING_TILT = 0.3
"""Tilt in radians above which a villager seen from above is crossed out."""

register_glyphs(
    {"hyena": "O 5 5 3.4O 19 5 3.4O 8.5 12 1.8O 15.5 12 1.8M12 15L12 18M8.5 19.5L12 18L15.5 19.5"}
)


def draw_from_above(piece: Piece) -> Iterator[Card]:
    """Yield the cards that show a piece from above."""
    at = piece.x, piece.y, piece.z
    match piece.model:
        case "villager":
            yield round_card(piece, 0.34, IVORY, 0.3)
            yield round_card(piece, 0.31, piece.colour, 0.31, INK)
            if piece.tilt > LYING_TILT:
                yield _make_glyph(piece, "cross", 0.3, IVORY, 0.32)
                yield _make_glyph(piece, "cross", 0.3, INK, 0.33, 2.4)
        case "hyena":
            yield round_card(piece, 0.42, IVORY, 0.3)
            yield round_card(piece, 0.39, piece.colour, 0.31, INK)
            yield _make_glyph(piece, "halo", 0.29, IVORY, 0.32)
            yield _make_glyph(piece, "hyena", 0.27, INK, 0.33, 2.4)
        case "plate":
            yield round_card(piece, 0.2, IVORY)
        case "jar":
            yield round_card(piece, 0.13, piece.colour, 0.4, INK)
        case "well":
            yield round_card(piece, 0.62, IVORY, 0.0, OUTLINE)
            yield round_card(piece, 0.46, WATER, 0.01, OUTLINE)
        case "hut":
            yield round_card(piece, 0.5, piece.colour, 0.0, OUTLINE)
            yield _make_glyph(piece, "up", 0.3, OUTLINE, 0.01)
        case "bowl":
            yield round_card(piece, 0.96, WOOD, 0.0, OUTLINE)
            yield round_card(piece, 0.82, "#6F4E2E", 0.005)
        case "chip":
            white, wide = math.cos(piece.tilt) > 0, max(abs(math.cos(piece.tilt)), 0.12)
            paper, ink = (IVORY, INK) if white else (INK, IVORY)
            yield Card(
                (*at[:2], at[2] + 0.2), (0.34, 0.34 * wide), paper, outline=OUTLINE, corner_rounding=0.6
            )
            if wide > 0.7:
                yield _make_glyph(piece, "ring" if white else "plus", 0.25, ink, 0.21, 3.4)
        case _ if piece.model.startswith("sign"):
            yield _make_glyph(piece, f"seat {int(piece.model[4:]) - 1}", 0.16, INK, 0.0, 3.0)


def _make_glyph(
    piece: Piece, glyph: str, half_size: float, ink: str, height: float, stroke_width: float = 3.0
) -> Card:
    at = piece.x, piece.y, piece.z + height
    return Card(
        at,
        (half_size, half_size),
        ink=ink,
        glyph=glyph,
        glyph_scale=1.0,
        stroke_width=stroke_width,
        alpha=piece.alpha,
    )
