"""How well the colours can be told apart with each type of colour vision, compared with the expected figures."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from shibumi3d.scene import palette
from shibumi3d.scene.colour_vision import simulate_colour_vision, simulate_colour_vision_srgb
from shibumi3d.scene.palette import (
    BOARD_COLOURS,
    CLEAR_MARBLE_COLOURS,
    COLOUR_VISION_MATRICES,
    MARBLE_COLOURS,
    linear_rgb,
)

FEWER = ("protan", "deutan", "tritan")
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


def lab(colour: str, eyes: str) -> np.ndarray:
    xyz = TO_XYZ @ simulate_colour_vision(np.array(linear_rgb(colour)), eyes) / (0.95047, 1.0, 1.08883)
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def apart(one: str, other: str, eyes: str) -> float:
    """Return the CIELAB difference between two colours seen with the type of colour vision ``eyes``.

    Colours that differ by more than 20 are easy to tell apart.
    """
    return float(np.linalg.norm(lab(one, eyes) - lab(other, eyes)))


@pytest.mark.parametrize("eyes", FEWER)
def test_main_marble_colours_differ_for_every_colour_vision(eyes: str) -> None:
    assert min(apart(a, b, eyes) for a, b in combinations(MARBLE_COLOURS[:3], 2)) > 36


@pytest.mark.parametrize("eyes", FEWER)
def test_clear_palette_is_distinct_for_every_colour_vision(eyes: str) -> None:
    least = {
        pair: apart(CLEAR_MARBLE_COLOURS[pair[0]], CLEAR_MARBLE_COLOURS[pair[1]], eyes)
        for pair in combinations(range(5), 2)
    }
    assert min(least.values()) > 26  # orange and yellow
    assert min(difference for pair, difference in least.items() if pair != (2, 4)) > 30
    assert apart(CLEAR_MARBLE_COLOURS[2], BOARD_COLOURS["slate"], eyes) > 51


@pytest.mark.parametrize("eyes", ["protan", "deutan"])
def test_red_on_keyaki_has_low_contrast(eyes: str) -> None:
    assert 10 < apart(MARBLE_COLOURS[2], BOARD_COLOURS["keyaki"], eyes) < 12


@pytest.mark.parametrize("eyes", COLOUR_VISION_MATRICES)
def test_colour_vision_simulation_keeps_greys(eyes: str) -> None:
    ramp = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, axis=2)
    assert np.abs(simulate_colour_vision_srgb(ramp, eyes).astype(int) - ramp).max() <= 1


def test_greyscale_simulation_keeps_only_luminance() -> None:
    picture = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255]]], dtype=np.uint8)
    # 0.2126, 0.7152 and 0.0722, converted to sRGB.
    assert simulate_colour_vision_srgb(picture, "grey").tolist() == [[[127] * 3, [220] * 3, [76] * 3]]


def test_red_appears_dark_yellow_to_deutan_vision() -> None:
    # 0.367, 0.280 and a negative value, which becomes 0, converted to sRGB.
    assert simulate_colour_vision_srgb(np.array([[[255, 0, 0]]], dtype=np.uint8), "deutan").tolist() == [
        [[163, 144, 0]]
    ]


def test_colour_vision_simulation_keeps_white() -> None:
    for rows in palette.COLOUR_VISION_MATRICES.values():
        assert [sum(row) for row in rows] == pytest.approx([1.0] * 3, abs=2e-6)
