"""Lighting of the room: the window, the sky, and how the light falls off over the table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from shibumi3d.scene.camera import HOME_YAW_DEGREES
from shibumi3d.scene.frame import Board
from shibumi3d.scene.marbles.layout import Array, half_side
from shibumi3d.scene.palette import BOARD_COLOURS, LUMINANCE_WEIGHTS, Colour, Theme, linear_rgb


def _window_direction() -> Array:
    """Return the unit vector towards the window.

    The window is on the left of the initial view, so that shadows fall outside the boards and are visible.
    """
    yaw = math.radians(HOME_YAW_DEGREES)
    right = np.array([math.cos(yaw), math.sin(yaw), 0.0])
    near = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
    way = -0.70 * right + 0.06 * near + np.array([0.0, 0.0, 0.68])
    result: Array = way / np.linalg.norm(way)
    return result


WINDOW_DIRECTION = _window_direction()
WINDOW_HALF_ANGLE_RADIANS = 0.17  # half the angle that the window subtends, in radians: see light.glsl
_WINDOW_SIDE = np.array([-WINDOW_DIRECTION[1], WINDOW_DIRECTION[0], 0.0]) / math.hypot(
    WINDOW_DIRECTION[0], WINDOW_DIRECTION[1]
)  # direction of the window's width
_WINDOW_UP = np.cross(WINDOW_DIRECTION, _WINDOW_SIDE)  # direction of its height
_STANDARD_HALF_SIDE = half_side(4)  # half size of the board that the pools of light are tuned for


@dataclass(frozen=True, slots=True)
class RoomLight:
    """Light of the room, as linear colours.

    ``key`` comes from the window and ``sky`` from above; ``ground`` is reflected by the table and the boards.
    The table receives ``table_factor`` times as much light as the boards. On the table, the brightness falls from 1 at
    ``pool_centre`` to ``min_brightness`` far away; the excess over the minimum is scaled by
    1 / (1 + ``pool_falloff`` * d²)², where d is the distance from the centre. The centre and the falloff are those for
    a single board of the usual size.
    """

    key: Colour
    sky: Colour
    ground: Colour
    table_factor: float
    pool_centre: tuple[float, float]
    pool_falloff: float
    min_brightness: float


# By day, the light on a horizontal board adds up to 1, so that colours match the palette. At night, a lamp stands
# beside the board.
_ROOM_LIGHTS: Mapping[tuple[str, str], RoomLight] = MappingProxyType(
    {
        ("day", "warm"): RoomLight(
            (1.16, 1.11, 1.03), (0.235, 0.245, 0.265), (0.135, 0.115, 0.09), 1.0, (-2.0, 0.5), 0.0035, 0.30
        ),
        ("night", "warm"): RoomLight(
            (1.29, 0.98, 0.68), (0.10, 0.11, 0.14), (0.055, 0.048, 0.04), 3.2, (-0.8, 0.2), 0.022, 0.02
        ),
        ("night", "white"): RoomLight(
            (1.16, 1.11, 1.03), (0.2, 0.205, 0.22), (0.055, 0.052, 0.048), 3.2, (-0.8, 0.2), 0.022, 0.02
        ),
    }
)
_FAR_TINT = (1.0, 0.94, 0.86)  # warm tint of the light far from the window


# Change of red, green and blue in the evening; the opposite in the morning.
_EVENING_TINT = np.array([0.06, -0.01, -0.13])


def room_light(theme: Theme) -> RoomLight:
    """Return the light for ``theme``.

    By day, the light depends on the time of day, unless the lamp is white.
    """
    found = _ROOM_LIGHTS[theme.tone, theme.lamp if theme.tone == "night" else "warm"]
    # Colours stay fixed under the white lamp.
    drifts = theme.tone == "day" and theme.lamp == "warm"
    return _light_at_time(found, theme.time_of_day) if drifts and theme.time_of_day else found


@lru_cache(16)
def _light_at_time(light: RoomLight, time_of_day: float) -> RoomLight:
    """Return ``light`` with the part that comes from the window tinted for ``time_of_day``.

    ``light`` is the light at noon. ``time_of_day`` ranges from -1 (morning) to 1 (evening). The brightness hardly
    changes.
    """
    tint = 1.0 + time_of_day * _EVENING_TINT
    red, green, blue = (tint / (tint @ np.array(LUMINANCE_WEIGHTS))).tolist()
    return replace(light, key=(light.key[0] * red, light.key[1] * green, light.key[2] * blue))


def boards_extent(boards: tuple[Board, ...]) -> tuple[float, float]:
    """Return how far the boards extend from the centre of the table, along x and along y.

    If there are no boards, a single board of the usual size is assumed.
    """
    return (
        max((abs(board.x) + board.half_side for board in boards), default=_STANDARD_HALF_SIDE),
        max((abs(board.y) + board.half_side for board in boards), default=_STANDARD_HALF_SIDE),
    )


def table_colour(theme: Theme) -> Colour:
    """Return the linear colour of the table, scaled by :attr:`RoomLight.table_factor`."""
    red, green, blue = linear_rgb(theme.table_colour)
    more = room_light(theme).table_factor
    return red * more, green * more, blue * more


def background_colour(theme: Theme) -> Array:
    """Return the linear colour of the background, into which the table fades."""
    dark = 0.66 if theme.tone == "day" else 0.60
    return np.array(linear_rgb(theme.table_colour)) * dark * _far_brightness(theme)


def _far_brightness(theme: Theme) -> Array:
    """Return the fractions of red, green and blue light that remain far from the window."""
    return np.array(_FAR_TINT) * room_light(theme).min_brightness


def horizontal_irradiance(theme: Theme) -> tuple[Array, Array]:
    """Return the light from the window and the light from the sky that fall on a horizontal surface."""
    lit = room_light(theme)
    return np.array(lit.key) * WINDOW_DIRECTION[2], np.array(lit.sky) * (0.88 + 0.12 * WINDOW_DIRECTION[2])


def light_uniforms(theme: Theme, boards: tuple[Board, ...]) -> dict[str, object]:
    """Return the uniforms of light.glsl: the lights and the colours of the surroundings.

    The pool of light on the table is scaled to the extent of ``boards``.
    """
    lit = room_light(theme)
    window, sky = horizontal_irradiance(theme)
    wide = _STANDARD_HALF_SIDE / max(boards_extent(boards))
    x, y = lit.pool_centre
    return {
        "u_window_direction": tuple(WINDOW_DIRECTION),
        "u_window_side": tuple(_WINDOW_SIDE),
        "u_window_up": tuple(_WINDOW_UP),
        "u_key": lit.key,
        "u_sky": lit.sky,
        "u_bounce_light": lit.ground,
        "u_pool": (x / wide, y / wide, lit.pool_falloff * wide * wide),
        "u_far_brightness": tuple(_far_brightness(theme)),
        "u_reflected_board": tuple(
            np.array(linear_rgb(BOARD_COLOURS[theme.board])) * (0.55 * window + 0.8 * sky)
        ),
        "u_reflected_table": tuple(np.array(table_colour(theme)) * (window + sky)),
        "u_reflected_sky": tuple(np.array(lit.sky) * 1.6),
    }
