"""Lighting of the room: the window, the sky, and how the light falls off over the table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from shibumi3d.scene.camera import HOME_YAW
from shibumi3d.scene.frame import Board
from shibumi3d.scene.marbles.layout import Array, half_side
from shibumi3d.scene.palette import BOARDS, LUMINANCE, Colour, Theme, linear


def _sun() -> Array:
    """Return the unit vector towards the window.

    The window is on the left of the initial view, so that shadows fall outside the boards and are visible.
    """
    yaw = math.radians(HOME_YAW)
    right = np.array([math.cos(yaw), math.sin(yaw), 0.0])
    near = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
    way = -0.70 * right + 0.06 * near + np.array([0.0, 0.0, 0.68])
    result: Array = way / np.linalg.norm(way)
    return result


SUN = _sun()
SPREAD = 0.17  # half the angle that the window subtends, in radians: see light.glsl
_SIDE = np.array([-SUN[1], SUN[0], 0.0]) / math.hypot(SUN[0], SUN[1])  # direction of the window's width
_RISE = np.cross(SUN, _SIDE)  # direction of its height
_USUAL = half_side(4)  # half size of the board that the pools of light are tuned for


@dataclass(frozen=True, slots=True)
class Light:
    """Light of the room, as linear colours.

    ``key`` comes from the window, ``sky`` from above and behind; ``ground`` is reflected by the table and the boards.
    The table is brighter than the boards by the factor ``table``. On the table, the light falls off with the square of
    the distance from ``middle`` at the rate ``fall``, down to the fraction ``rest``.
    """

    key: Colour
    sky: Colour
    ground: Colour
    table: float
    middle: tuple[float, float]
    fall: float
    rest: float


# By day, the light on a horizontal board adds up to 1, so that colours match the palette. At night, a lamp stands
# beside the board.
_LIGHTS: Mapping[tuple[str, str], Light] = MappingProxyType(
    {
        ("day", "warm"): Light(
            (1.16, 1.11, 1.03), (0.235, 0.245, 0.265), (0.135, 0.115, 0.09), 1.0, (-2.0, 0.5), 0.0035, 0.30
        ),
        ("night", "warm"): Light(
            (1.29, 0.98, 0.68), (0.10, 0.11, 0.14), (0.055, 0.048, 0.04), 3.2, (-0.8, 0.2), 0.022, 0.02
        ),
        ("night", "white"): Light(
            (1.16, 1.11, 1.03), (0.2, 0.205, 0.22), (0.055, 0.052, 0.048), 3.2, (-0.8, 0.2), 0.022, 0.02
        ),
    }
)
_REST = (1.0, 0.94, 0.86)  # warm tint of the light far from the window


# Change of red, green and blue in the evening; the opposite in the morning.
_EVENING = np.array([0.06, -0.01, -0.13])


def light(theme: Theme) -> Light:
    """Return the light for a theme."""
    found = _LIGHTS[theme.tone, theme.lamp if theme.tone == "night" else "warm"]
    # Colours stay fixed under the white lamp.
    drifts = theme.tone == "day" and theme.lamp == "warm"
    return _at(found, theme.hour) if drifts and theme.hour else found


@lru_cache(16)
def _at(found: Light, hour: float) -> Light:
    """Return the light of noon, tinted for ``hour`` from -1 (morning) to 1 (evening).

    The brightness is the same at any hour.
    """
    tint = 1.0 + hour * _EVENING
    red, green, blue = (tint / (tint @ np.array(LUMINANCE))).tolist()
    return replace(found, key=(found.key[0] * red, found.key[1] * green, found.key[2] * blue))


def extent(boards: tuple[Board, ...]) -> tuple[float, float]:
    """Return how far the boards extend from the centre of the table, along x and along y.

    If there are no boards, a board of the usual size is assumed.
    """
    return (
        max((abs(board.x) + board.half for board in boards), default=_USUAL),
        max((abs(board.y) + board.half for board in boards), default=_USUAL),
    )


def table_colour(theme: Theme) -> Colour:
    """Return the linear colour of the table, brightened by its additional light."""
    red, green, blue = linear(theme.table)
    more = light(theme).table
    return red * more, green * more, blue * more


def floor(theme: Theme) -> Array:
    """Return the linear colour of the floor beyond the table, before the light falls off."""
    return np.array(linear(theme.table)) * (0.66 if theme.tone == "day" else 0.60)


def rest(theme: Theme) -> Array:
    """Return the fraction of red, green and blue light, from 0 to 1, that remains far from the window."""
    return np.array(_REST) * light(theme).rest


def level(theme: Theme) -> tuple[Array, Array]:
    """Return the light from the window and that from the sky on a horizontal surface."""
    lit = light(theme)
    return np.array(lit.key) * SUN[2], np.array(lit.sky) * (0.88 + 0.12 * SUN[2])


def uniforms(theme: Theme, boards: tuple[Board, ...]) -> dict[str, object]:
    """Return the uniforms of light.glsl: the lights and the colours of the surroundings."""
    lit = light(theme)
    window, sky = level(theme)
    wide = _USUAL / max(extent(boards))
    x, y = lit.middle
    return {
        "u_sun": tuple(SUN),
        "u_side": tuple(_SIDE),
        "u_rise": tuple(_RISE),
        "u_key": lit.key,
        "u_sky": lit.sky,
        "u_ground": lit.ground,
        "u_pool": (x / wide, y / wide, lit.fall * wide * wide),
        "u_rest": tuple(rest(theme)),
        "u_room_board": tuple(np.array(linear(BOARDS[theme.board])) * (0.55 * window + 0.8 * sky)),
        "u_room_table": tuple(np.array(table_colour(theme)) * (window + sky)),
        "u_room_sky": tuple(np.array(lit.sky) * 1.6),
    }
