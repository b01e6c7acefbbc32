"""Preview of a board in flat shapes, shown at once until the 3D image is ready."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Board, Card, Frame, Piece, Solid
from shibumi3d.scene.marbles.layout import HOLE, TABLE, TOP, Array, Vector
from shibumi3d.scene.palette import BOARDS
from shibumi3d.scene.pen import Colour, faded, mixed, rgb
from shibumi3d.scene.rect import Rect

from ..ui.canvas import Canvas

Place = tuple[float, float]
Shown = Callable[..., Colour]
"""Function that adjusts a colour for shading and for the night theme."""

SHADE: Colour = (0.08, 0.06, 0.05, 1.0)
LIGHT: Colour = (1.0, 0.98, 0.94, 1.0)
NIGHT = 0.45
"""Fraction of :data:`SHADE` that is mixed into all colours in the night theme."""
ROUND = 14
"""Number of corners of the polygon that approximates a circle."""


class _Shape(NamedTuple):
    """A polygon, or a disc if ``radius`` isn't 0.

    ``places`` holds the corners of the polygon, or the centre of the disc. Shapes are drawn in order of decreasing
    ``far``, which is the distance from the camera.
    """

    far: float
    places: tuple[Vector, ...]
    colour: Colour
    radius: float = 0.0


def paint(canvas: Canvas, frame: Frame, camera: Camera, rect: Rect) -> None:
    """Draw a frame into ``rect`` with flat shapes, using the colours and perspective of the renderer."""
    night = NIGHT if frame.theme.tone == "night" else 0.0

    def seen(colour: str, share: float = 0.0) -> Colour:
        return mixed(mixed(rgb(colour), SHADE, share), SHADE, night)

    with canvas.clip(rect):
        canvas.rect(rect, rgb(frame.theme.table))
        wood = BOARDS[frame.theme.board]
        eye = camera.eye(rect.w / max(rect.h, 1.0))
        for board in frame.boards:
            half = board.half
            _fill(canvas, camera, rect, _slab(board.x, board.y, half, half, TABLE, TOP), seen(wood, 0.35))
            _fill(canvas, camera, rect, _flat(board.x, board.y, half, half, TOP), seen(wood))
            for hole in () if board.cloth else _holes(board):
                _fill(canvas, camera, rect, hole, seen(wood, 0.4))
        things = [*_trays(frame.pieces, eye, seen(wood, 0.15)), *_solids(frame.solids, eye, seen)]
        things += _cards(frame.cards, eye, seen)
        for ball in frame.balls:
            colour = faded(seen(frame.theme.marble(ball.colour), (1.0 - ball.strength) / 2), ball.alpha)
            things.append(_Shape(math.dist(ball.at, eye), (ball.at,), colour, ball.radius))
        for shape in sorted(things, key=lambda shape: -shape.far):
            if shape.radius:
                _ball(canvas, camera, rect, shape)
            else:
                _fill(canvas, camera, rect, shape.places, shape.colour)


def _slab(x: float, y: float, wide: float, deep: float, low: float, high: float) -> tuple[Vector, ...]:
    return (*_flat(x, y, wide, deep, low), *_flat(x, y, wide, deep, high))


def _flat(x: float, y: float, wide: float, deep: float, z: float, turn: float = 0.0) -> tuple[Vector, ...]:
    """Return the corners of a horizontal rectangle at height ``z``."""
    c, s = math.cos(turn), math.sin(turn)
    ways = ((-wide, -deep), (-wide, deep), (wide, deep), (wide, -deep))
    return tuple((x + c * i - s * j, y + s * i + c * j, z) for i, j in ways)


def _circle(x: float, y: float, radius: float, z: float) -> tuple[Vector, ...]:
    turns = [math.tau * i / ROUND for i in range(ROUND)]
    return tuple((x + radius * math.cos(turn), y + radius * math.sin(turn), z) for turn in turns)


def _holes(board: Board) -> Iterator[tuple[Vector, ...]]:
    middle = (board.size - 1) / 2
    every = [(i - middle, j - middle, 1.0) for i in range(board.size) for j in range(board.size)]
    for x, y, size in every if board.holes is None else board.holes:
        yield _circle(board.x + x, board.y + y, HOLE * size, TOP)


def _trays(pieces: Sequence[Piece], eye: Array, wood: Colour) -> Iterator[_Shape]:
    """Yield the shapes of the trays.

    Other pieces are too small to matter in a preview.
    """
    for piece in pieces:
        if piece.model == "tray":
            at = _flat(piece.x, piece.y, *piece.size, piece.z + 0.1, piece.turn)
            yield _Shape(math.dist((piece.x, piece.y, piece.z), eye) + 9.0, at, wood)


def _solids(solids: Sequence[Solid], eye: Array, seen: Shown) -> Iterator[_Shape]:
    for solid in solids:
        (x, y, z), (wide, deep, tall) = solid.at, solid.size
        far = math.dist((x, y, z), eye) + (9.0 if solid.ground else 0.0)
        if solid.shape == "box":
            low, high = _flat(x, y, wide, deep, z, solid.turn), _flat(x, y, wide, deep, z + tall, solid.turn)
        else:
            low = _circle(x, y, wide, z)
            high = _circle(x, y, wide * solid.taper, z + tall)
        side = faded(seen(solid.foot or solid.colour, 0.25), solid.alpha)
        yield _Shape(far + 0.01, (*low, *high), side)
        if solid.taper > 0.2:
            yield _Shape(far, high, faded(seen(solid.colour), solid.alpha))


def _cards(cards: Sequence[Card], eye: Array, seen: Shown) -> Iterator[_Shape]:
    for card in cards:
        if card.paper:
            (x, y, z), (wide, high) = card.at, card.half
            wide, high = wide * abs(math.cos(card.roll)), high * abs(math.cos(card.tilt))
            round_ = card.round >= 1.0
            at = _circle(x, y, wide, z) if round_ else _flat(x, y, wide, high, z, card.turn)
            yield _Shape(math.dist(card.at, eye) - 0.02, at, faded(seen(card.paper), card.alpha))


def _ball(canvas: Canvas, camera: Camera, rect: Rect, shape: _Shape) -> None:
    at, depth = camera.project(np.array(shape.places), rect.w, rect.h)
    radius = float(camera.pixels(shape.radius, depth, rect.h)[0])
    x, y = rect.x + float(at[0, 0]), rect.y + float(at[0, 1])
    canvas.disc(x, y, radius, mixed(shape.colour, SHADE, 0.45 * shape.colour[3]))
    canvas.disc(x - 0.05 * radius, y - 0.06 * radius, 0.92 * radius, shape.colour)
    canvas.disc(x - 0.3 * radius, y - 0.35 * radius, 0.22 * radius, faded(LIGHT, 0.4 * shape.colour[3]))


def _fill(canvas: Canvas, camera: Camera, rect: Rect, places: Iterable[Vector], colour: Colour) -> None:
    """Fill the convex outline of projected points."""
    at, depth = camera.project(np.array(list(places)), rect.w, rect.h)
    if (depth > 0.0).all():
        canvas.polygon(rect.x, rect.y, outline([(float(x), float(y)) for x, y in at]), colour)


def outline(places: Sequence[Place]) -> list[Place]:
    """Return the convex hull of some points, in clockwise order with y downward."""
    found: list[Place] = []
    for way in (sorted(places), sorted(places, reverse=True)):
        begun = len(found)
        for place in way:
            while len(found) > begun + 1 and _turn(found[-2], found[-1], place) <= 0:
                found.pop()
            found.append(place)
        found.pop()
    return found


def _turn(a: Place, b: Place, c: Place) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
