"""The room that a picture is taken in: its window, its sky, and how far its light reaches over the table."""

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
    """Towards the window: from the left of the view at the start, so that shadows leave the board and are seen."""
    yaw = math.radians(HOME_YAW)
    right = np.array([math.cos(yaw), math.sin(yaw), 0.0])
    near = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
    way = -0.70 * right + 0.06 * near + np.array([0.0, 0.0, 0.68])
    result: Array = way / np.linalg.norm(way)
    return result


SUN = _sun()
SPREAD = 0.17  # half the angle of the window, radians: see light.glsl
_SIDE = np.array([-SUN[1], SUN[0], 0.0]) / math.hypot(SUN[0], SUN[1])  # along the window's width
_RISE = np.cross(SUN, _SIDE)  # and along its height
_USUAL = half_side(4)  # the board that pools of light are made for


@dataclass(frozen=True, slots=True)
class Light:
    """Linear light of the window, of the sky above and behind, and of what table and board throw back.

    ``table`` is how much more of it the table takes than boards. On the table the light fades with the square
    of the distance from ``middle`` by ``fall``, to ``rest`` of it.
    """

    key: Colour
    sky: Colour
    ground: Colour
    table: float
    middle: tuple[float, float]
    fall: float
    rest: float


# By day a level board gets 1 in all, so that colours are those of the palette. By night a lamp stands beside it.
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
_REST = (1.0, 0.94, 0.86)  # the light far from the window is as warm


# What more there is of red, green and blue in the evening, and what less in the morning.
_EVENING = np.array([0.06, -0.01, -0.13])


def light(theme: Theme) -> Light:
    """Return the light of a theme."""
    found = _LIGHTS[theme.tone, theme.lamp if theme.tone == "night" else "warm"]
    # Clear colours are to stay as they are.
    drifts = theme.tone == "day" and theme.lamp == "warm"
    return _at(found, theme.hour) if drifts and theme.hour else found


@lru_cache(16)
def _at(found: Light, hour: float) -> Light:
    """A light of noon as it is in the morning (-1) or in the evening (1): a level board is as bright."""
    tint = 1.0 + hour * _EVENING
    red, green, blue = (tint / (tint @ np.array(LUMINANCE))).tolist()
    return replace(found, key=(found.key[0] * red, found.key[1] * green, found.key[2] * blue))


def extent(boards: tuple[Board, ...]) -> tuple[float, float]:
    """Return how far the boards reach from the middle of the table, east-west and north-south; without any, as far
    as one.
    """
    return (
        max((abs(board.x) + board.half for board in boards), default=_USUAL),
        max((abs(board.y) + board.half for board in boards), default=_USUAL),
    )


def table_colour(theme: Theme) -> Colour:
    """Return the linear colour of the table as its light shows it."""
    red, green, blue = linear(theme.table)
    more = light(theme).table
    return red * more, green * more, blue * more


def floor(theme: Theme) -> Array:
    """Return the linear colour of the floor beyond the table, before the light fades."""
    return np.array(linear(theme.table)) * (0.66 if theme.tone == "day" else 0.60)


def rest(theme: Theme) -> Array:
    """Return the part of the light, from 0 to 1, that is left far from the window."""
    return np.array(_REST) * light(theme).rest


def level(theme: Theme) -> tuple[Array, Array]:
    """Return the light of the window, and of the sky, on what lies level."""
    lit = light(theme)
    return np.array(lit.key) * SUN[2], np.array(lit.sky) * (0.88 + 0.12 * SUN[2])


def uniforms(theme: Theme, boards: tuple[Board, ...]) -> dict[str, object]:
    """Return the uniforms of light.glsl: how light it is, and what is seen around."""
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
