"""Contents of a frame, as plain values that can be compared with ``==``.

The renderer needs no other information about the scene.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from shibumi3d.scene.marbles.layout import MARGIN, RADIUS, TABLE, Vector
from shibumi3d.scene.palette import Theme

Roll: TypeAlias = tuple[float, float, float, float]
STILL: Roll = (0.0, 0.0, 0.0, 0.0)


class Ball(NamedTuple):
    """A marble anywhere in the world: on a point, in flight, or in the tray.

    ``colour`` is an index into the theme's marbles. While the marble changes colour, the fraction ``dye`` of its
    surface, spreading from the direction ``source``, already has the colour ``into``. ``alpha`` is the opacity of the
    marble, ``strength`` the strength of its colour (less than 1 for a dimmed marble), and ``rim`` the strength of its
    golden rim. ``tint`` (-1 to 1) and ``turn`` (radians) make marbles look slightly different. ``roll`` contains the
    horizontal axis (x, y) about which the marble rolls, the angle it has rolled so far, and the angle still to go, in
    radians. ``glass`` is 1 for the hollow bead that marks a legal point.
    """

    x: float
    y: float
    z: float
    colour: int
    radius: float = RADIUS
    alpha: float = 1.0
    strength: float = 1.0
    rim: float = 0.0
    tint: float = 0.0
    turn: float = 0.0
    into: int = 0
    dye: float = 0.0
    glass: float = 0.0
    source: Vector = (0.0, 0.0, 1.0)
    roll: Roll = STILL

    @property
    def at(self) -> Vector:
        """Centre of the marble."""
        return self.x, self.y, self.z


class Board(NamedTuple):
    """A board of ``size``, centred on (x, y), with a wooden ``rim`` around its marbles.

    If ``cloth`` is set, a cloth hides everything on the board. ``holes`` lists the holes as (x, y, size), where x and y
    are relative to the centre of the board and a hole for a marble has size 1; None means one hole for each marble of
    the lowest level. ``names`` is the side from which the engraved names of files and ranks are read: 0 for south, then
    counterclockwise in quarter turns, or -1 for no names.
    """

    size: int
    x: float
    y: float
    cloth: bool = False
    rim: float = MARGIN
    holes: tuple[Vector, ...] | None = None
    names: int = -1

    @property
    def half(self) -> float:
        """Half the side of the board."""
        return self.size / 2 + self.rim


class MarkKind(IntEnum):
    """Shapes of marks.

    Each is drawn in two tones: light inside, with a dark edge.
    """

    RING = 0  # flat on the board, around a hole
    CIRCLE = 1  # faces the camera, around a marble or its place
    DASHED = 2  # the same, dashed
    DOT = 3
    UP = 4  # small upward tick
    DOWN = 5
    CROSS = 6  # circle with hatching
    BAR = 7  # one short bar at the bottom
    BARS = 8  # two
    CHEVRON = 9  # faces the camera, points towards ``to``
    LINE = 10  # from ``at`` to ``to``
    DOTS = 11  # dotted line from ``at`` to ``to``
    BRACKET = 12  # four corners around a marble
    HALO = 13  # soft disc
    RIM = 14  # flat outline of a board; ``size`` is half its side
    FLAT_DASHED = 15  # flat dashed ring
    THEREFORE = 16  # three dots
    SWAP = 17  # two opposite arrows
    KNOT = 18
    BROKEN = 19  # line from ``at`` to ``to``, interrupted in the middle
    ARC = 20  # arc from ``at`` to ``to``, curved upward on the screen, with an arrowhead
    NUMBER = 21  # ``number`` on a disc


CHEVRON = (11.0, 18.0)
"""Minimum and maximum size of a chevron, in logical pixels."""


class Mark(NamedTuple):
    """A mark drawn over the scene.

    ``colour`` is the sRGB hex colour of the light part of the mark, and ``width`` is its stroke width in logical
    pixels. ``size`` is a radius in marble diameters or, for dots, ticks, bars, knots, arrows and lines, in logical
    pixels. The size of a chevron is limited to the range ``CHEVRON``, and signs on a marble shrink to fit on it. An arc
    ignores ``size``, since its arrowhead grows with ``width``.

    If ``over`` is set, the mark shows through everything. Otherwise, it is hidden by marbles in front of ``at``, except
    for the marble that contains ``at``. ``begin`` and ``part`` limit a ring to a sector: they are its start and its
    length, as fractions of a full turn, clockwise from north (for a flat ring) or from the top. ``number``, from 1 to
    99, is shown on a disc whose ``size`` is in logical pixels.
    """

    kind: MarkKind
    at: Vector
    colour: str
    size: float
    alpha: float = 1.0
    to: Vector = (0.0, 0.0, 0.0)
    over: bool = False
    begin: float = 0.0
    part: float = 1.0
    width: float = 2.0
    number: int = 0


class Piece(NamedTuple):
    """A 3D model on the table or above it.

    ``model`` is the name of a file in ``models/``, without its suffix. (x, y, z) is the centre of the model's foot.
    ``turn`` is its rotation about the vertical axis and ``tilt`` its rotation about its own eastward axis, both in
    radians. ``alpha`` is its opacity; unless it is 0, the piece hides the marbles behind it. ``size`` is half its width
    and depth, for models of variable size such as trays. ``colour`` is the sRGB hex colour of its paint, for models
    with paint.

    The foot of a lid is its hinge, which is on the south side before the lid is turned; a positive ``tilt`` opens the
    lid. The lid of a box at (x, y) is placed ``layout.BOX_HALF`` from that point, at ``TABLE + BOX_HEIGHT``, and turned
    like the box.
    """

    model: str
    x: float
    y: float
    z: float = TABLE
    turn: float = 0.0
    tilt: float = 0.0
    alpha: float = 1.0
    size: tuple[float, float] = (1.0, 1.0)
    colour: str = ""


class Solid(NamedTuple):
    """A simple solid on a table; ``shape`` is one of :data:`SHAPES`.

    ``at`` is the centre of its foot; ``size`` is half its width, half its depth, and its height. ``taper`` is the width
    of its top relative to its foot. Its rotations about the middle of its height are applied in this order, in radians:
    ``roll`` about the north axis, ``tilt`` about the east axis, ``turn`` about the vertical axis. ``colour`` is an sRGB
    hex colour; ``foot`` is another one, for sides that differ in colour. If ``ground`` is set, the solid lies flat and
    receives shadows; all other solids cast shadows.
    """

    shape: str
    at: Vector
    size: Vector
    colour: str
    turn: float = 0.0
    tilt: float = 0.0
    roll: float = 0.0
    taper: float = 1.0
    alpha: float = 1.0
    foot: str = ""
    ground: bool = False


SHAPES = ("box", "disc", "octagon", "ball")
"""Shapes of solids. A cone is a disc with a small taper."""


class Card(NamedTuple):
    """A flat rectangle with rounded corners, in any orientation: a card, or a picture on another item.

    ``at`` is its centre, and ``half`` is half its width and height in world units; it is rotated in the same way as a
    :class:`Solid`. ``paper``, ``ink`` and ``edge`` are sRGB hex colours. Without paper, only the ink is visible;
    without an edge, there is no outline. ``glyph`` is the name of a glyph (see :mod:`.glyphs`) in the centre, which
    fills the fraction ``part`` of the card; ``corner`` is the name of a glyph drawn small in two corners. ``round`` is
    the corner radius relative to the shorter half side: 1 turns a square into a disc. ``pen`` is the stroke width in
    24ths of a glyph. If ``over`` is set, the card shows through all solids.

    Cards are drawn in order of height; cards at equal height are drawn in the order of the frame.
    """

    at: Vector
    half: tuple[float, float]
    paper: str = ""
    ink: str = "#26241F"
    glyph: str = ""
    corner: str = ""
    edge: str = ""
    turn: float = 0.0
    tilt: float = 0.0
    roll: float = 0.0
    round: float = 0.15
    part: float = 0.8
    pen: float = 1.6
    alpha: float = 1.0
    over: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """Everything shown in one frame.

    Equal frames seen by equal cameras look the same, so the renderer need not draw a frame again. ``recolours`` is set
    if marbles of the game can change colour, so that the renderer can prepare for this.
    """

    theme: Theme
    boards: tuple[Board, ...]
    balls: tuple[Ball, ...] = ()
    marks: tuple[Mark, ...] = ()
    pieces: tuple[Piece, ...] = ()
    solids: tuple[Solid, ...] = ()
    cards: tuple[Card, ...] = ()
    recolours: bool = False
