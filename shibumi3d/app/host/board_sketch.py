"""Flat sketch of boards and tables, shown until the 3D image is ready."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Board, Card, Frame, Piece, Solid
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, HOLE_RADIUS, TABLE_Z, Array, Vector
from shibumi3d.scene.palette import BOARD_COLOURS
from shibumi3d.scene.pen import Colour, mix_colours, multiply_alpha, rgba
from shibumi3d.scene.rect import Rect

from ..ui.canvas import Canvas

ScreenPoint = tuple[float, float]
AdjustColour = Callable[..., Colour]
"""Function that adjusts a colour for shading and for the night theme.

Its arguments are the colour as ``#RRGGBB`` and, optionally, the fraction of :data:`SHADOW_COLOUR` to mix in.
"""

SHADOW_COLOUR: Colour = (0.08, 0.06, 0.05, 1.0)
HIGHLIGHT_COLOUR: Colour = (1.0, 0.98, 0.94, 1.0)
NIGHT_SHADE_FRACTION = 0.45
"""Fraction of :data:`SHADOW_COLOUR` mixed into the colours of everything on the table in the night theme."""
CIRCLE_CORNERS = 14
"""Number of corners of the polygon that approximates a circle."""


class _Shape(NamedTuple):
    """A convex polygon, or a ball if ``radius`` isn't 0.

    ``points`` holds the centre of the ball, or points whose convex hull on the screen is the polygon. Shapes are drawn
    in order of decreasing ``distance``. This is the distance from the camera, adjusted so that things that lie beneath
    others are drawn first.
    """

    distance: float
    points: tuple[Vector, ...]
    colour: Colour
    radius: float = 0.0


def paint_sketch(canvas: Canvas, frame: Frame, camera: Camera, rect: Rect) -> None:
    """Draw a frame into ``rect`` as flat shapes, using the colours and perspective of the renderer."""
    night = NIGHT_SHADE_FRACTION if frame.theme.tone == "night" else 0.0

    def adjust_colour(colour: str, share: float = 0.0) -> Colour:
        return mix_colours(mix_colours(rgba(colour), SHADOW_COLOUR, share), SHADOW_COLOUR, night)

    with canvas.clip(rect):
        canvas.rect(rect, rgba(frame.theme.table_colour))
        wood = BOARD_COLOURS[frame.theme.board]
        eye = camera.eye(rect.w / max(rect.h, 1.0))
        for board in frame.boards:
            half = board.half_side
            _fill_hull(
                canvas,
                camera,
                rect,
                _slab_points(board.x, board.y, half, half, TABLE_Z, BOARD_TOP_Z),
                adjust_colour(wood, 0.35),
            )
            _fill_hull(
                canvas,
                camera,
                rect,
                _rectangle_points(board.x, board.y, half, half, BOARD_TOP_Z),
                adjust_colour(wood),
            )
            for hole in () if board.is_covered else _hole_outlines(board):
                _fill_hull(canvas, camera, rect, hole, adjust_colour(wood, 0.4))
        shapes = [
            *_tray_shapes(frame.pieces, eye, adjust_colour(wood, 0.15)),
            *_solid_shapes(frame.solids, eye, adjust_colour),
        ]
        shapes += _card_shapes(frame.cards, eye, adjust_colour)
        for ball in frame.balls:
            colour = multiply_alpha(
                adjust_colour(frame.theme.marble_colour(ball.colour), (1.0 - ball.saturation) / 2), ball.alpha
            )
            shapes.append(_Shape(math.dist(ball.position, eye), (ball.position,), colour, ball.radius))
        for shape in sorted(shapes, key=lambda shape: -shape.distance):
            if shape.radius:
                _draw_ball(canvas, camera, rect, shape)
            else:
                _fill_hull(canvas, camera, rect, shape.points, shape.colour)


def _slab_points(
    x: float, y: float, half_width: float, half_depth: float, bottom: float, top: float
) -> tuple[Vector, ...]:
    return (
        *_rectangle_points(x, y, half_width, half_depth, bottom),
        *_rectangle_points(x, y, half_width, half_depth, top),
    )


def _rectangle_points(
    x: float, y: float, half_width: float, half_depth: float, z: float, angle: float = 0.0
) -> tuple[Vector, ...]:
    """Return the corners of a horizontal rectangle that is centred on (x, y) at height ``z``.

    The rectangle is rotated about its centre by ``angle`` radians.
    """
    c, s = math.cos(angle), math.sin(angle)
    offsets = (
        (-half_width, -half_depth),
        (-half_width, half_depth),
        (half_width, half_depth),
        (half_width, -half_depth),
    )
    return tuple((x + c * i - s * j, y + s * i + c * j, z) for i, j in offsets)


def _circle_points(x: float, y: float, radius: float, z: float) -> tuple[Vector, ...]:
    turns = [math.tau * i / CIRCLE_CORNERS for i in range(CIRCLE_CORNERS)]
    return tuple((x + radius * math.cos(turn), y + radius * math.sin(turn), z) for turn in turns)


def _hole_outlines(board: Board) -> Iterator[tuple[Vector, ...]]:
    middle = (board.size - 1) / 2
    corners = [(i - middle, j - middle, 1.0) for i in range(board.size) for j in range(board.size)]
    for x, y, size in corners if board.holes is None else board.holes:
        yield _circle_points(board.x + x, board.y + y, HOLE_RADIUS * size, BOARD_TOP_Z)


def _tray_shapes(pieces: Sequence[Piece], eye: Array, wood: Colour) -> Iterator[_Shape]:
    """Yield the shapes of the trays among ``pieces``.

    The other pieces are too small to matter in a sketch.
    """
    for piece in pieces:
        if piece.model == "tray":
            points = _rectangle_points(piece.x, piece.y, *piece.half_size, piece.z + 0.1, piece.yaw)
            yield _Shape(math.dist((piece.x, piece.y, piece.z), eye) + 9.0, points, wood)


def _solid_shapes(solids: Sequence[Solid], eye: Array, adjust_colour: AdjustColour) -> Iterator[_Shape]:
    for solid in solids:
        (x, y, z), (wide, deep, tall) = solid.position, solid.size
        far = math.dist((x, y, z), eye) + (9.0 if solid.receives_shadows else 0.0)
        if solid.shape == "box":
            low, high = (
                _rectangle_points(x, y, wide, deep, z, solid.yaw),
                _rectangle_points(x, y, wide, deep, z + tall, solid.yaw),
            )
        else:
            low = _circle_points(x, y, wide, z)
            high = _circle_points(x, y, wide * solid.taper, z + tall)
        side = multiply_alpha(adjust_colour(solid.side_colour or solid.colour, 0.25), solid.alpha)
        yield _Shape(far + 0.01, (*low, *high), side)
        if solid.taper > 0.2:
            yield _Shape(far, high, multiply_alpha(adjust_colour(solid.colour), solid.alpha))


def _card_shapes(cards: Sequence[Card], eye: Array, adjust_colour: AdjustColour) -> Iterator[_Shape]:
    for card in cards:
        if card.fill:
            (x, y, z), (wide, high) = card.position, card.half_size
            wide, high = wide * abs(math.cos(card.roll)), high * abs(math.cos(card.tilt))
            round_ = card.corner_rounding >= 1.0
            points = (
                _circle_points(x, y, wide, z) if round_ else _rectangle_points(x, y, wide, high, z, card.yaw)
            )
            yield _Shape(
                math.dist(card.position, eye) - 0.02,
                points,
                multiply_alpha(adjust_colour(card.fill), card.alpha),
            )


def _draw_ball(canvas: Canvas, camera: Camera, rect: Rect, shape: _Shape) -> None:
    points, depth = camera.project(np.array(shape.points), rect.w, rect.h)
    radius = float(camera.projected_radius(shape.radius, depth, rect.h)[0])
    x, y = rect.x + float(points[0, 0]), rect.y + float(points[0, 1])
    canvas.disc(x, y, radius, mix_colours(shape.colour, SHADOW_COLOUR, 0.45 * shape.colour[3]))
    canvas.disc(x - 0.05 * radius, y - 0.06 * radius, 0.92 * radius, shape.colour)
    canvas.disc(
        x - 0.3 * radius,
        y - 0.35 * radius,
        0.22 * radius,
        multiply_alpha(HIGHLIGHT_COLOUR, 0.4 * shape.colour[3]),
    )


def _fill_hull(canvas: Canvas, camera: Camera, rect: Rect, points: Iterable[Vector], colour: Colour) -> None:
    """Fill the convex hull of ``points`` as the camera sees them, unless one of them is behind the camera."""
    projected, depth = camera.project(np.array(list(points)), rect.w, rect.h)
    if (depth > 0.0).all():
        canvas.polygon(rect.x, rect.y, convex_hull([(float(x), float(y)) for x, y in projected]), colour)


def convex_hull(points: Sequence[ScreenPoint]) -> list[ScreenPoint]:
    """Return the convex hull of ``points``, in clockwise order if y points down."""
    result: list[ScreenPoint] = []
    for ordered_points in (sorted(points), sorted(points, reverse=True)):
        start = len(result)
        for point in ordered_points:
            while len(result) > start + 1 and _cross_product(result[-2], result[-1], point) <= 0:
                result.pop()
            result.append(point)
        result.pop()
    return result


def _cross_product(a: ScreenPoint, b: ScreenPoint, c: ScreenPoint) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
