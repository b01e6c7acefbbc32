"""Contents of a frame, as plain values that can be compared with ``==``.

The renderer needs no other information about the scene.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from shibumi3d.scene.marbles.layout import BOARD_MARGIN, RADIUS, TABLE_Z, Vector
from shibumi3d.scene.palette import Theme

Roll: TypeAlias = tuple[float, float, float, float]
NO_ROLL: Roll = (0.0, 0.0, 0.0, 0.0)


class Ball(NamedTuple):
    """A marble anywhere in the world: on a point, in flight, or in a tray.

    ``colour`` is an index into the theme's marbles. While the marble changes colour, the fraction
    ``recoloured_fraction`` of its surface, spreading from the direction ``recolour_direction``, already has the colour
    ``new_colour``. ``alpha`` is the opacity of the marble, ``saturation`` the strength of its colour (less than 1 for a
    dimmed marble), and ``gold_rim`` the strength of its golden rim. ``tint`` (-1 to 1) and ``rotation`` (radians) make
    marbles look slightly different. ``roll`` contains the horizontal axis (x, y) about which the marble rolls, the
    angle it has rolled so far, and the angle still to go, in radians. ``bead`` is 1 for the hollow bead that marks a
    legal point.
    """

    x: float
    y: float
    z: float
    colour: int
    radius: float = RADIUS
    alpha: float = 1.0
    saturation: float = 1.0
    gold_rim: float = 0.0
    tint: float = 0.0
    rotation: float = 0.0
    new_colour: int = 0
    recoloured_fraction: float = 0.0
    bead: float = 0.0
    recolour_direction: Vector = (0.0, 0.0, 1.0)
    roll: Roll = NO_ROLL

    @property
    def position(self) -> Vector:
        """Centre of the marble."""
        return self.x, self.y, self.z


class Board(NamedTuple):
    """A board of ``size``, centred on (x, y), with a rim of ``rim_width`` around its marbles.

    If ``is_covered`` is set, a cloth hides everything on the board. ``holes`` lists the holes as (x, y, size), where x
    and y are relative to the centre of the board and a hole for a marble has size 1; None means one hole for each
    marble of the lowest level. ``label_side`` is the side from which the engraved names of files and ranks are read: 0
    for south, then counter-clockwise in quarter turns, or -1 for no names.
    """

    size: int
    x: float
    y: float
    is_covered: bool = False
    rim_width: float = BOARD_MARGIN
    holes: tuple[Vector, ...] | None = None
    label_side: int = -1

    @property
    def half_side(self) -> float:
        """Half the side length of the board, including its rim."""
        return self.size / 2 + self.rim_width


class MarkKind(IntEnum):
    """Shapes of marks.

    All except ``HALO`` are drawn in two tones: light inside, with a dark edge.
    """

    RING = 0  # flat on the board, around a hole
    CIRCLE = 1  # faces the camera, around a marble or an empty point
    DASHED_CIRCLE = 2  # the same, dashed
    DOT = 3
    TICK_UP = 4  # small upward tick
    TICK_DOWN = 5
    HATCHED_CIRCLE = 6  # circle with hatching
    ONE_BAR = 7  # one short bar
    TWO_BARS = 8  # two short bars
    CHEVRON = 9  # faces the camera, points towards ``end``
    LINE = 10  # from ``position`` to ``end``
    DOTTED_LINE = 11  # dotted line from ``position`` to ``end``
    BRACKETS = 12  # four corners around a marble
    HALO = 13  # soft disc
    BOARD_OUTLINE = 14  # flat outline of a board; ``size`` is half its side length
    DASHED_RING = 15  # flat dashed ring
    THEREFORE = 16  # three dots
    SWAP = 17  # two opposite arrows
    KNOT = 18
    BROKEN_LINE = 19  # line from ``position`` to ``end``, interrupted in the middle
    ARC = 20  # arrow from a marble at ``position`` to one at ``end``, curved upward on the screen
    NUMBER = 21  # ``number`` on a disc


CHEVRON_SIZE_RANGE_PX = (11.0, 18.0)
"""Minimum and maximum size of a chevron, in logical pixels."""


class Mark(NamedTuple):
    """A mark drawn over the scene.

    ``colour`` is the sRGB hex colour of the light part of the mark, and ``stroke_width`` is its stroke width in logical
    pixels. ``end`` is the other end of a line or arc, or the position that a chevron points towards.

    ``size`` is the radius of the mark in marble diameters. For dots, ticks, bars, knots, swap arrows, "therefore" signs
    and numbers, it is the radius in logical pixels; for a line, it is half the width in logical pixels; for a board
    outline, it is half the side length in marble diameters. Chevrons are limited to ``CHEVRON_SIZE_RANGE_PX``. Ticks,
    bars, knots, swap arrows and "therefore" signs shrink if they wouldn't fit on a marble. An arc ignores ``size``,
    since its arrowhead grows with ``stroke_width``.

    If ``on_top`` is set, the mark shows through everything. Otherwise, it is hidden by marbles in front of
    ``position``, except for the marble that contains ``position``. ``sector_start`` and ``sector_fraction`` limit a
    ring to a sector: they are the start and the length of the sector, as fractions of a full turn, clockwise from north
    (for a flat ring) or from the top. ``number``, from 1 to 99, is shown on a disc.
    """

    kind: MarkKind
    position: Vector
    colour: str
    size: float
    alpha: float = 1.0
    end: Vector = (0.0, 0.0, 0.0)
    on_top: bool = False
    sector_start: float = 0.0
    sector_fraction: float = 1.0
    stroke_width: float = 2.0
    number: int = 0


class Piece(NamedTuple):
    """A 3D model on the table or above it.

    ``model`` is the name of a file in ``models/``, without its suffix. (x, y, z) is the centre of the model's base.
    ``yaw`` is its rotation about the vertical axis and ``tilt`` its rotation about its own eastward axis, both in
    radians. ``alpha`` is its opacity; unless it is 0, the piece hides the marbles behind it. ``half_size`` is half its
    width and depth, for models of variable size such as trays. ``colour`` is the sRGB hex colour of its paint, for
    models with paint.

    For a lid, (x, y, z) is the position of its hinge instead. The hinge is on the south side before the lid is turned;
    a positive ``tilt`` opens the lid. The hinge is placed ``BOX_HINGE_DISTANCE`` from the centre of the box, at
    ``TABLE_Z + BOX_HINGE_HEIGHT``, and the lid has the same ``yaw`` as the box.
    """

    model: str
    x: float
    y: float
    z: float = TABLE_Z
    yaw: float = 0.0
    tilt: float = 0.0
    alpha: float = 1.0
    half_size: tuple[float, float] = (1.0, 1.0)
    colour: str = ""


class Solid(NamedTuple):
    """A simple solid on a table; ``shape`` is one of :data:`SOLID_SHAPES`.

    ``position`` is the centre of its base. ``size`` is half its width, half its depth, and its height. ``taper`` is the
    width of its top relative to that of its base. The solid is rotated about the middle of its height: first by
    ``roll`` about the north axis, then by ``tilt`` about the east axis, and finally by ``yaw`` about the vertical axis,
    all in radians.

    ``colour`` is an sRGB hex colour. ``side_colour`` is the colour of the sides, or empty to use ``colour``.
    ``receives_shadows`` is set for solids that lie flat: they receive shadows but cast none. All other solids cast
    shadows. ``finish`` is a key of :data:`FINISHES`.
    """

    shape: str
    position: Vector
    size: Vector
    colour: str
    yaw: float = 0.0
    tilt: float = 0.0
    roll: float = 0.0
    taper: float = 1.0
    alpha: float = 1.0
    side_colour: str = ""
    receives_shadows: bool = False
    finish: str = "matte"


SOLID_SHAPES = ("box", "die", "rail", "disc", "coin", "bowl", "octagon", "ball")
"""Shapes of solids.

A cone is a disc with a small taper. A die is a box whose edges are rounded by ``DIE_BEVEL`` of their length. A rail
runs east to west and has rounded upper edges. A coin is a disc with a raised rim around a field; the radius and height
of the field are the fractions ``COIN_FIELD`` of the coin's. A bowl has a wall around a flat floor; the radius and
height of the floor are the fractions ``BOWL_FLOOR`` of the bowl's.
"""
DIE_BEVEL = 0.08
COIN_FIELD = (0.8, 0.8)
BOWL_FLOOR = (0.78, 0.3)
FINISHES = {"matte": 0.0, "polished": 0.35, "metal": 1.0, "wood": 0.0}
"""Finishes of solids, with their gloss. The grain of wood runs along the longest side of the solid."""


class Card(NamedTuple):
    """A flat rectangle with rounded corners, in any orientation: a card, or a picture on another item.

    ``position`` is its centre, and ``half_size`` is half its width and height in world units. The rectangle is rotated
    in the same way as a :class:`Solid`. ``fill``, ``ink`` and ``outline`` are sRGB hex colours. If ``fill`` is empty,
    only the ink and the outline are visible; if ``outline`` is empty, there is no outline. ``glyph`` is the name of the
    glyph in the centre (see :mod:`.glyphs`). The glyph fills the fraction ``glyph_scale`` of the card's shorter side.
    ``corner_rounding`` is the corner radius relative to the shorter half side: 1 turns a square into a disc.
    ``stroke_width`` is the stroke width in 24ths of the glyph's size. If ``on_top`` is set, the card shows through all
    solids.

    ``surface`` is one of :data:`CARD_SURFACES`: "print" is ink on paper, "felt" is napped cloth, "relief" is metal on
    which the glyph and the border are raised, and "shadow" is the soft shadow of another card, in the colour ``fill``.
    A shadow fades over the width ``softness``, in world units, inside its edge.

    Cards are drawn in order of height, except that those with ``on_top`` come last; cards at equal height are drawn in
    the order of the frame.
    """

    position: Vector
    half_size: tuple[float, float]
    fill: str = ""
    ink: str = "#26241F"
    glyph: str = ""
    outline: str = ""
    yaw: float = 0.0
    tilt: float = 0.0
    roll: float = 0.0
    corner_rounding: float = 0.15
    glyph_scale: float = 0.8
    stroke_width: float = 1.6
    alpha: float = 1.0
    on_top: bool = False
    surface: str = "print"
    softness: float = 0.0


CARD_SURFACES = ("print", "felt", "relief", "shadow")


@dataclass(frozen=True, slots=True)
class Frame:
    """Everything shown in one frame.

    Equal frames seen by equal cameras look the same, so the renderer need not redraw them. ``can_recolour`` is set if
    marbles of the game can change colour, so that the renderer can prepare for this.
    """

    theme: Theme
    boards: tuple[Board, ...]
    balls: tuple[Ball, ...] = ()
    marks: tuple[Mark, ...] = ()
    pieces: tuple[Piece, ...] = ()
    solids: tuple[Solid, ...] = ()
    cards: tuple[Card, ...] = ()
    can_recolour: bool = False
