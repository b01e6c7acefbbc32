"""Arcs and numbers drawn over the picture."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from shibumi3d.render.arrays.distance_fields import (
    DIGIT_CELL_SIZE,
    TEXELS_PER_DIGIT_HEIGHT,
    make_digit_fields,
)
from shibumi3d.render.arrays.marks import arc_curve
from shibumi3d.render.screenshot import OffscreenRenderer
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene.camera import HOME_CAMERA, TOP_CAMERA, Camera
from shibumi3d.scene.frame import Ball, Board, Frame, Mark, MarkKind
from shibumi3d.scene.marbles.layout import RADIUS, Vector, make_layout
from shibumi3d.scene.palette import make_theme

WIDTH, HEIGHT = 640, 360
AT = {
    name: make_layout((4,)).point_position(0, point) for name, point in get_pyramid(4).point_by_name.items()
}
STRAW = "#F2C75C"
VIEWS = [HOME_CAMERA, TOP_CAMERA, HOME_CAMERA.rotated(100, -16)]


def draw(
    studio: OffscreenRenderer, *marks: Mark, camera: Camera = HOME_CAMERA, scale: float = 1.0
) -> NDArray[np.float64]:
    balls = tuple(Ball(*AT[name], i % 3) for i, name in enumerate(("Aa1", "Ab1", "Ad1", "Ad4", "Ab3")))
    frame = Frame(make_theme(), (Board(4, 0.0, 0.0),), balls, marks)
    return studio.render(frame, camera, WIDTH, HEIGHT, scale).astype(np.float64)


def number(value: int, at: Vector = AT["Ab1"], **more: float) -> Mark:
    return Mark(MarkKind.NUMBER, at, "#F4EFE4", 9.0, on_top=True, number=value, **more)  # type: ignore[arg-type]


def spots(camera: Camera, *at: Vector) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the pixel positions of points in space, and the radius in pixels of a marble at each point."""
    where, depth = camera.project(np.array(at), WIDTH, HEIGHT)
    return where, camera.projected_radius(RADIUS, depth, HEIGHT)


def cut(picture: NDArray[np.float64], middle: NDArray[np.float64], half: int) -> NDArray[np.float64]:
    x, y = (round(float(part)) for part in middle)
    return picture[y - half : y + half + 1, x - half : x + half + 1]


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5])
def test_move_numbers_are_distinguishable(low: OffscreenRenderer, scale: float) -> None:
    middle = spots(HOME_CAMERA, AT["Ab1"])[0][0]
    half = round(8 * scale)
    signs = {
        n: cut(draw(low, number(n), scale=scale), middle, half).mean(axis=2)
        for n in [*range(1, 20), 86, 88, 98]
    }
    for one, other in itertools.combinations(signs, 2):
        # Any two numbers differ strongly in at least four pixels (at scale 1).
        assert (np.abs(signs[one] - signs[other]) > 110).sum() >= 4 * scale, (one, other)


@pytest.mark.parametrize("value", [1, 8, 10, 47, 99])
def test_move_number_is_dark_on_light_disc(low: OffscreenRenderer, value: int) -> None:
    middle = spots(HOME_CAMERA, AT["Ab1"])[0][0]
    grey = draw(low, number(value)).mean(axis=2)
    y, x = np.mgrid[:HEIGHT, :WIDTH] + 0.5
    away = np.hypot(x - middle[0], y - middle[1])
    disc = grey[away < 7.5]
    assert disc.max() > 225
    assert disc.min() < 60
    assert 0.08 < (disc < 110).mean() < 0.5
    assert (grey[(away > 9.2) & (away < 9.8)] < 110).mean() > 0.8


def test_move_number_keeps_size_at_any_zoom(low: OffscreenRenderer) -> None:
    def area(camera: Camera, scale: float = 1.0) -> int:
        plain, signed = (draw(low, *marks, camera=camera, scale=scale) for marks in ((), (number(8),)))
        return int((np.abs(plain - signed).max(axis=2) > 12).sum())

    near = area(HOME_CAMERA.zoomed(1.0))
    assert area(HOME_CAMERA) == pytest.approx(near, rel=0.12)
    assert area(HOME_CAMERA, 2.0) == pytest.approx(4 * near, rel=0.15)


def test_digit_strokes_stay_within_their_cells() -> None:
    cells = np.split(make_digit_fields(), 10, axis=1)
    assert cells[0].shape == (
        round(DIGIT_CELL_SIZE[1] * TEXELS_PER_DIGIT_HEIGHT),
        round(DIGIT_CELL_SIZE[0] * TEXELS_PER_DIGIT_HEIGHT),
    )
    for cell in cells:
        assert cell.min() < 0.03
        ink = np.argwhere(cell < 0.03)
        low, high = ink.min(axis=0) / TEXELS_PER_DIGIT_HEIGHT, ink.max(axis=0) / TEXELS_PER_DIGIT_HEIGHT
        assert high[0] - low[0] == pytest.approx(1.0, abs=0.08)
        assert high[1] - low[1] <= 0.7
        # Digits keep a distance from the next cell, so that they don't bleed into each other.
        assert min(cell[:, 0].min(), cell[:, -1].min()) > 0.1
    assert np.abs(cells[6] - cells[9][::-1, ::-1]).max() < 1e-5


@pytest.mark.parametrize("camera", VIEWS)
@pytest.mark.parametrize(("start", "end"), [("Aa1", "Ad4"), ("Ad1", "Aa1"), ("Aa1", "Ab1"), ("Ab1", "Ab3")])
def test_arc_runs_from_rim_to_rim(low: OffscreenRenderer, camera: Camera, start: str, end: str) -> None:
    mark = Mark(MarkKind.ARC, AT[start], STRAW, 1.0, end=AT[end], on_top=True, stroke_width=2.0)
    plain, signed = (draw(low, *marks, camera=camera) for marks in ((), (mark,)))
    y, x = np.nonzero(np.abs(plain - signed).max(axis=2) > 25)
    assert len(y) > 30
    where, radii = spots(camera, AT[start], AT[end])
    for middle, radius in zip(where, radii, strict=True):
        away = np.hypot(x + 0.5 - middle[0], y + 0.5 - middle[1])
        # The arc ends at the rim, with some tolerance as its head is broader than its line.
        assert radius - 5 < away.min() < radius + 3


@pytest.mark.parametrize("camera", VIEWS)
def test_arc_head_is_at_its_end(low: OffscreenRenderer, camera: Camera) -> None:
    mark = Mark(MarkKind.ARC, AT["Aa1"], STRAW, 1.0, end=AT["Ad4"], on_top=True, stroke_width=2.0)
    plain, signed = (draw(low, *marks, camera=camera) for marks in ((), (mark,)))
    changed = np.abs(plain - signed).max(axis=2) > 25
    where, radii = spots(camera, AT["Aa1"], AT["Ad4"])
    begin, _, end = arc_curve(where[0], where[1], (float(radii[0]), float(radii[1])), 1.0)
    first, last = (cut(changed, middle, 6).sum() for middle in (begin, end))
    assert last > 1.1 * first > 0


@pytest.mark.parametrize("angle", range(0, 360, 15))
@pytest.mark.parametrize("long", [0.0, 10.0, 60.0, 400.0])
def test_arc_rises_above_marbles(angle: int, long: float) -> None:
    start = np.array([300.0, 200.0])
    end = start + long * np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
    begin, bend, last = arc_curve(start, end, (30.0, 30.0), 1.0)
    assert math.dist(begin, start) == pytest.approx(31.0, abs=4.0)
    assert math.dist(last, end) == pytest.approx(31.0, abs=4.0)
    t = np.linspace(0.0, 1.0, 50)[:, None]
    curve = (1 - t) ** 2 * begin + 2 * t * (1 - t) * bend + t * t * last
    for middle in (start, end):
        assert np.hypot(*(curve - middle).T).min() > 29.0
    # The top of the arc is away from the straight line by at least a third of its length, on the upper side unless
    # the line is vertical.
    aside = curve[25] - (start + end) / 2
    assert math.hypot(*aside) >= max(0.33 * long, 44.0) - 0.1
    assert aside[1] < 0.01 * long + 1e-6


def test_arc_not_on_top_is_hidden_by_marbles(low: OffscreenRenderer) -> None:
    camera = HOME_CAMERA.rotated(-HOME_CAMERA.yaw, -10)
    # The marble is in front of the top of the arc.
    ball = Ball(0.0, -1.5, 2.3, 1)
    at, to = (-1.5, 1.5, 0.0), (1.5, 1.5, 0.0)
    plain, over, under = (
        low.render(Frame(make_theme(), (Board(4, 0.0, 0.0),), (ball,), marks), camera, WIDTH, HEIGHT).astype(
            int
        )
        for marks in ((), *((Mark(MarkKind.ARC, at, STRAW, 1.0, end=to, on_top=o),) for o in (True, False)))
    )
    middle = spots(camera, ball.position)[0][0]
    seen = [np.abs(cut(shown - plain, middle, 12)).max() for shown in (over, under)]
    assert seen[0] > 100
    assert seen[1] == 0
    assert np.abs(under - plain).max() > 100
