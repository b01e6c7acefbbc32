"""Marbles can be told apart and stand out from every board, by day and by night, in every tier."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from shibumi3d.render.screenshot import OffscreenRenderer
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene.camera import HOME_CAMERA
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z as SURFACE
from shibumi3d.scene.marbles.layout import RADIUS, Vector
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.palette import BOARD_COLOURS, LUMINANCE_WEIGHTS, Theme, make_theme
from tests.share import THOROUGH, crossed

WIDTH, HEIGHT = 480, 270
AT = get_pyramid(4).point_by_name
STANDING = {"Aa2": 0, "Ab2": 1, "Ac2": 2}
LEAST = 24.0
"""Smallest allowed CIELAB difference between a marble and the board; colours are easy to distinguish from about 20."""
# On the lacquer board, black marbles stand out by the bright line along their edge, so they are tested below.
LACQUER_AND_BLACK = ("kuro", 1)

Pixels = NDArray[np.float64]


def lab(colour: Pixels) -> Pixels:
    """Return the CIELAB (1976) coordinates of an sRGB colour, for the white point of sRGB.

    ``colour`` is an array of shape (3,) with values from 0 to 255. Very dark colours are clamped: X, Y and Z are raised
    to at least 0.0089 of their values for white.
    """
    part = colour / 255
    light = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ light
    x, y, z = np.cbrt(np.maximum(xyz / (0.9505, 1.0, 1.089), 0.0089))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def median_colour(picture: Pixels, at: Vector, radius: float) -> Pixels:
    """Return the median colour, in CIELAB, of a disc around a point; ``radius`` is in the units of the scene."""
    where, depth = HOME_CAMERA.project(np.array([at]), WIDTH, HEIGHT)
    wide = float(HOME_CAMERA.projected_radius(radius, depth, HEIGHT)[0])
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    inside = np.hypot(rows - where[0][1], columns - where[0][0]) < wide
    result: Pixels = lab(np.median(picture[inside], axis=0))
    return result


def draw_disc_scene(
    studio: OffscreenRenderer, colours: Theme, marbles: dict[str, int]
) -> tuple[MarbleScene, Pixels]:
    made = MarbleScene((4,))
    made.timeline.reset({(0, AT[name]): colour for name, colour in marbles.items()})
    return made, studio.render(made.frame(0.0, HOME_CAMERA, colours), HOME_CAMERA, WIDTH, HEIGHT).astype(
        np.float64
    )


@pytest.mark.parametrize(
    "tier", [*(pytest.param(tier, marks=THOROUGH) for tier in ("low", "medium")), "high"]
)
@pytest.mark.parametrize(
    ("board", "tone", "preset"), crossed(sorted(BOARD_COLOURS), ("day", "night"), ("standard", "clear"))
)
def test_marble_and_board_colours_are_distinguishable(
    request: pytest.FixtureRequest, tier: str, board: str, tone: str, preset: str
) -> None:
    studio: OffscreenRenderer = request.getfixturevalue(tier)
    # Signs on the marbles would also help, but this test is about colours alone.
    colours = replace(make_theme(tone, preset, board), signs="off")
    stage, picture = draw_disc_scene(studio, colours, STANDING)
    found = {
        colour: median_colour(picture, stage.marble_position(0, AT[name]), 0.8 * RADIUS)
        for name, colour in STANDING.items()
    }
    empty = draw_disc_scene(studio, colours, {})[1]
    ground = median_colour(empty, (0.0, 0.0, SURFACE), 0.15)
    apart = {
        pair: float(np.linalg.norm(found[pair[0]] - found[pair[1]])) for pair in ((0, 1), (0, 2), (1, 2))
    }
    assert min(apart.values()) >= 40.0, apart
    for colour, one in found.items():
        if (board, colour) != LACQUER_AND_BLACK:
            assert np.linalg.norm(one - ground) >= LEAST, (colour, float(np.linalg.norm(one - ground)))


@pytest.mark.parametrize(
    ("tier", "tone", "preset"), crossed(("low", "medium", "high"), ("day", "night"), ("standard", "clear"))
)
def test_black_marble_edge_contrasts_with_lacquer_board(
    request: pytest.FixtureRequest, tier: str, tone: str, preset: str
) -> None:
    """In each of 24 sectors, the brightest part of the edge has a contrast of at least 3:1 with the board."""
    studio: OffscreenRenderer = request.getfixturevalue(tier)
    colours = replace(make_theme(tone, preset, "kuro"), signs="off")
    stage, picture = draw_disc_scene(studio, colours, {"Ab2": 1, "Ad4": 0})
    empty = draw_disc_scene(studio, colours, {"Ad4": 0})[1]
    where, depth = HOME_CAMERA.project(np.array([stage.marble_position(0, AT["Ab2"])]), WIDTH, HEIGHT)
    wide = float(HOME_CAMERA.projected_radius(RADIUS, depth, HEIGHT)[0])
    y, x = np.mgrid[:HEIGHT, :WIDTH] + 0.5
    off, way = np.hypot(x - where[0][0], y - where[0][1]), np.arctan2(y - where[0][1], x - where[0][0])
    edge = (off > 0.8 * wide) & (off < wide + 0.5)
    for sector in range(24):
        here = edge & (np.floor((way / np.pi + 1.0) * 12.0).astype(int) % 24 == sector)
        board = np.median(luminance(empty[here]))
        assert (luminance(picture[here]).max() + 0.05) / (board + 0.05) >= 3.0, sector


def luminance(colours: Pixels) -> Pixels:
    """Return the relative luminance (n,) of sRGB colours (n, 3) with components from 0 to 255."""
    part = colours / 255
    light = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    result: Pixels = light @ np.array(LUMINANCE_WEIGHTS)
    return result
