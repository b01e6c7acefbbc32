"""What one picture shows: plain values, compared with ``==``. The renderer draws it and asks nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from shibumi3d.scene.marbles.layout import MARGIN, RADIUS, TABLE, Vector
from shibumi3d.scene.palette import Theme

Roll: TypeAlias = tuple[float, float, float, float]
STILL: Roll = (0.0, 0.0, 0.0, 0.0)


class Ball(NamedTuple):
    """A marble anywhere in the world: on a point, in flight, in the tray.

    ``colour`` is an index into the theme's marbles; ``dye`` of it is the colour ``into`` already, which spreads
    from the direction ``source``. ``alpha`` is how solid it is, ``strength`` how strong its colour (less than 1:
    steps back behind the others), ``rim`` how much gold rim it has. ``tint`` (-1 to 1) and ``turn`` (radians)
    make marbles differ by a hair. ``roll`` is the level axis (x, y) about which it rolls, by how many radians it has,
    and by how many it will. ``glass`` is 1 for the hollow bead that marks a legal point.
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
        """The centre."""
        return self.x, self.y, self.z


class Board(NamedTuple):
    """A board of ``size`` centred on (x, y), with a ``rim`` of wood about its marbles; under a ``cloth`` nothing of it
    can be read.

    ``holes`` are places (x, y), counted from its middle, and how large each is, 1 being the hole of a marble; without
    them there is one for every marble of a level. ``names`` of files and ranks are engraved in its rim to be read from
    the south (0) or a further quarter counter-clockwise; -1: there are none.
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
        """Half its side."""
        return self.size / 2 + self.rim


class MarkKind(IntEnum):
    """The shapes of marks. All are two-tone: light inside, a dark edge outside."""

    RING = 0  # lies flat on the board around a hole
    CIRCLE = 1  # faces the eye, around a marble or seat
    DASHED = 2  # the same, dashed
    DOT = 3
    UP = 4  # small tick upward
    DOWN = 5
    CROSS = 6  # circle with hatching
    BAR = 7  # one short bar at the foot
    BARS = 8  # two
    CHEVRON = 9  # faces the eye, points towards ``to``
    LINE = 10  # from ``at`` to ``to``
    DOTS = 11  # dotted line from ``at`` to ``to``
    BRACKET = 12  # four corners around a marble
    HALO = 13  # soft disc
    RIM = 14  # lies flat: the outline of a board, ``size`` half its side
    FLAT_DASHED = 15  # a dashed ring that lies flat
    THEREFORE = 16  # three dots
    SWAP = 17  # two arrows, there and back
    KNOT = 18
    BROKEN = 19  # a line from ``at`` to ``to``, cut in the middle
    ARC = 20  # a bow from ``at`` to ``to`` that rises in the picture, with an arrow at its end
    NUMBER = 21  # ``number`` on a disc


CHEVRON = (11.0, 18.0)
"""The least and the greatest size of a chevron in logical pixels."""


class Mark(NamedTuple):
    """A sign drawn over the scene.

    ``colour`` is sRGB hex of the light part. ``size`` is a radius in marble diameters, or in logical pixels
    for dots, ticks, bars, knots, arrows and lines; that of a chevron stays within ``CHEVRON``, and signs
    that stand on a marble are never larger than it allows. ``over``
    marks show through everything; others are covered by the marbles in front of ``at``, except the one that it
    lies in. ``begin`` and ``part`` limit a ring to a sector, in turns from north or from the top. ``width`` is
    that of the light part of a stroke, in logical pixels; the head of a bow grows with it, and its
    ``size`` says nothing. ``number`` is what a number shows, 1 to 99, on a disc of ``size`` logical pixels.
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
    """A thing that lies on the table or hangs over it: ``model`` names a file of ``models/``, without its suffix.

    (x, y, z) is where the middle of its foot stands, ``turn`` its angle about the upright axis and ``tilt`` that
    about the axis that points east when it is not turned, both in radians. ``alpha`` is how solid it is; marbles
    behind it are hidden until it is 0. ``size`` is half its width and depth, for models that are made of any
    size: a tray. ``colour`` is sRGB hex: that of its paint, for models that have any.

    The foot of a lid is its hinge, on the south side while it is not turned; a positive ``tilt`` opens it. One of
    a box at (x, y) hangs at ``layout.BOX_HALF`` from there and at ``TABLE + BOX_HEIGHT``, turned as the box is.
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
    """A plain thing on a table: ``shape`` is one of :data:`SHAPES`.

    ``at`` is the middle of its foot, ``size`` half its width and depth, and its height. ``taper`` is how wide its top
    is as a part of its foot. It is turned by ``turn`` about the upright axis, after it was tilted by ``tilt`` about its
    own axis to the east and before that by ``roll`` about that to the north, all in radians, about the middle of its
    height. ``colour`` is sRGB hex; where ``foot`` is given, its sides have that and only its top has ``colour``. What
    is ``ground`` lies flat and takes shadows; all else throws them.
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
"""A cone is a disc with little taper."""


class Card(NamedTuple):
    """A flat thing, or a picture on another: a rectangle with rounded corners, in any attitude.

    ``at`` is its middle, ``half`` half its width and height in the world; it is turned and tilted as a solid is.
    ``paper`` and ``ink`` are sRGB hex; without paper only the ink is seen. ``edge`` is the colour of a line about it,
    or "". ``glyph`` names a picture of :mod:`.glyphs`, drawn in its middle so that it fills ``part`` of it; ``corner``
    one drawn small at two of its corners. ``round`` is the radius of the corners as a part of the lesser half side: 1
    makes a disc of a square. ``pen`` is the width of strokes in 24ths of a glyph. ``over``: seen through all solids.
    Cards are drawn in the order of their heights, and of the frame where these are equal.
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
    """One picture. Equal frames seen by equal cameras look the same: drawing again can be spared.

    ``recolours``: marbles of its table change colour now and then, so what draws that is made ready at once.
    """

    theme: Theme
    boards: tuple[Board, ...]
    balls: tuple[Ball, ...] = ()
    marks: tuple[Mark, ...] = ()
    pieces: tuple[Piece, ...] = ()
    solids: tuple[Solid, ...] = ()
    cards: tuple[Card, ...] = ()
    recolours: bool = False
