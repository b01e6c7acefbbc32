"""Colours of the program as sRGB hex strings, for the renderer and the user interface."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

Colour: TypeAlias = tuple[float, float, float]

DAY_COLOURS: Mapping[str, str] = MappingProxyType(
    {
        "page": "#F0E9DB",
        "card": "#FBF8F1",
        "recessed": "#E4DAC7",
        "line": "#CFC4AF",
        "ink": "#26241F",
        "secondary_ink": "#5C564B",
        "tertiary_ink": "#8C8372",
        "action": "#2E5E5A",
        "amber": "#7E5512",
        "warning": "#9B3A2C",
        "table": "#D9CDB6",
    }
)
NIGHT_COLOURS: Mapping[str, str] = MappingProxyType(
    {
        "page": "#1E1F1D",
        "card": "#2A2B28",
        "recessed": "#171816",
        "line": "#43443F",
        "ink": "#E8E1D3",
        "secondary_ink": "#A9A294",
        "tertiary_ink": "#7A756A",
        "action": "#8FB8AE",
        "amber": "#D8B06A",
        "warning": "#D98A78",
        "table": "#2B2926",
    }
)
INTERFACE_COLOURS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {"day": DAY_COLOURS, "night": NIGHT_COLOURS}
)
# High contrast: all inks, lines and accents have a ratio of at least 7:1 on their backgrounds.
HIGH_CONTRAST_COLOURS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "day": {
            **DAY_COLOURS,
            "page": "#FFFFFF",
            "card": "#FFFFFF",
            "recessed": "#E8E8E8",
            "line": "#333333",
            "ink": "#000000",
            "secondary_ink": "#1C1C1C",
            "tertiary_ink": "#3D3D3D",
            "action": "#004038",
            "amber": "#523300",
            "warning": "#7A1200",
        },
        "night": {
            **NIGHT_COLOURS,
            "page": "#000000",
            "card": "#000000",
            "recessed": "#262626",
            "line": "#D0D0D0",
            "ink": "#FFFFFF",
            "secondary_ink": "#EDEDED",
            "tertiary_ink": "#C4C4C4",
            "action": "#8FF2DE",
            "amber": "#FFD75E",
            "warning": "#FFB09E",
        },
    }
)

# White, black and red, as in rules.marbles.colours, then blue, yellow and teal.
MARBLE_COLOURS = ("#EFE9DC", "#25272B", "#B5402E", "#3F6FA3", "#E3B23C", "#4FA39A")
CLEAR_MARBLE_COLOURS = ("#FFFFFF", "#101214", "#E0662F", "#2F6FB5", "#F0C93A", "#4FA39A")
UNKNOWN_MARBLE_COLOUR = "#9A9184"  # a marble whose colour is hidden from the viewer
BOARD_COLOURS: Mapping[str, str] = MappingProxyType(
    {"keyaki": "#9C7147", "slate": "#56636B", "tatami": "#878355", "kuro": "#3A3733"}
)
DIAGRAM_GROUND_COLOURS: Mapping[str, str] = MappingProxyType(
    {"day": "#9C7147", "night": "#8B6B4A"}
)  # ground of the levels in flat diagrams
# Names of files and ranks in the rims of boards: burnt in, or inlaid where the board is dark.
ENGRAVING_COLOURS: Mapping[str, str] = MappingProxyType(
    {"keyaki": "#2B180B", "slate": "#DFE4E2", "tatami": "#F6ECD2", "kuro": "#D0AC66"}
)
# Numbered plaques of the other table kinds: their wood, their edge and the figures burnt into them.
NUMBER_PLAQUE_WOOD, NUMBER_PLAQUE_EDGE, NUMBER_PLAQUE_INK = "#B2957A", "#3F2A18", "#26241F"
MARK_COLOURS: Mapping[str, str] = MappingProxyType(
    {
        "legal": "#D6EBDD",
        "last": "#F2C75C",
        "win": "#FFD873",
        "edge": "#1B1A17",
        "stop": "#EFAA98",
    }
)

LUMINANCE_WEIGHTS: Colour = (0.2126, 0.7152, 0.0722)  # weights of red, green and blue light
# Simulation of colour vision deficiencies (Machado, Oliveira and Fernandes 2009, full severity). Each row gives one
# component of the linear light that is perceived.
COLOUR_VISION_MATRICES: Mapping[str, tuple[tuple[float, float, float], ...]] = MappingProxyType(
    {
        "grey": (LUMINANCE_WEIGHTS, LUMINANCE_WEIGHTS, LUMINANCE_WEIGHTS),
        "protan": (
            (0.152286, 1.052583, -0.204868),
            (0.114503, 0.786281, 0.099216),
            (-0.003882, -0.048116, 1.051998),
        ),
        "deutan": (
            (0.367322, 0.860646, -0.227968),
            (0.280085, 0.672501, 0.047413),
            (-0.011820, 0.042940, 0.968881),
        ),
        "tritan": (
            (1.255528, -0.076749, -0.178779),
            (-0.078411, 0.930809, 0.147602),
            (0.004733, 0.691367, 0.303900),
        ),
    }
)

MOVES_UNTIL_NOON = 24
"""Number of moves from morning to noon.

After that, every further ``MOVES_UNTIL_NOON`` moves cover half of the time left until evening.
"""
SIGN_STRENGTHS: Mapping[str, float] = MappingProxyType({"off": 0.0, "subtle": 0.4, "strong": 0.9})


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours of a picture.

    ``tone`` is "day" or "night", and ``board`` a key of :data:`BOARD_COLOURS`. ``marbles`` contains hex colours by
    colour index. ``signs`` is the strength of the sign printed on the marbles of each colour, a key of
    :data:`SIGN_STRENGTHS`. ``lamp``, "warm" or "white", is the colour of the light at night. By day, the light depends
    on ``time_of_day``, from -1 in the morning to 1 in the evening, unless ``lamp`` is "white".
    """

    tone: str = "day"
    board: str = "keyaki"
    marbles: tuple[str, ...] = MARBLE_COLOURS
    signs: str = "off"
    lamp: str = "warm"
    time_of_day: float = 0.0

    @property
    def interface_colours(self) -> Mapping[str, str]:
        """Colours of the user interface, by name."""
        return INTERFACE_COLOURS[self.tone]

    @property
    def table_colour(self) -> str:
        """Hex colour of the table, which depends on the tone."""
        return self.interface_colours["table"]

    def marble_colour(self, colour: int) -> str:
        """Return the hex colour of marbles of ``colour``.

        If ``colour`` is out of range, return the colour of unknown marbles.
        """
        return self.marbles[colour] if 0 <= colour < len(self.marbles) else UNKNOWN_MARBLE_COLOUR


def make_theme(tone: str = "day", preset: str = "standard", board: str = "", signs: str = "") -> Theme:
    """Return the theme for ``tone`` ("day", "night") and ``preset`` ("standard", "clear").

    Unless empty, ``board`` and ``signs`` override the values of the preset. Raises ValueError for unknown names.
    """
    known = tone in INTERFACE_COLOURS and preset in ("standard", "clear") and board in ("", *BOARD_COLOURS)
    if not known or signs not in ("", *SIGN_STRENGTHS):
        raise ValueError(f"no such theme: {' '.join((tone, preset, board, signs))}".rstrip())
    if preset == "clear":
        return Theme(tone, board or "slate", CLEAR_MARBLE_COLOURS, signs=signs or "strong", lamp="white")
    return Theme(tone, board or "keyaki", signs=signs or "off")


def time_of_day_after(move_count: int) -> float:
    """Return :attr:`Theme.time_of_day` after ``move_count`` moves of a match.

    The time starts at -1 (morning) and slowly approaches 1 (evening).
    """
    return 1.0 - 2.0 * math.exp(-math.log(2.0) * move_count / MOVES_UNTIL_NOON)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour as defined by WCAG, from 0 to 1."""
    return sum(weight * light for weight, light in zip(LUMINANCE_WEIGHTS, linear_rgb(colour), strict=True))


def contrast_ratio(first: str, second: str) -> float:
    """Return the contrast ratio between two colours as defined by WCAG, from 1 to 21."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def contrasting_ink(colour: str) -> str:
    """Return the ink colour, dark or light, that contrasts better with ``colour``."""
    return max((DAY_COLOURS["ink"], DAY_COLOURS["card"]), key=lambda ink: contrast_ratio(ink, colour))


@functools.cache
def rgb(colour: str) -> Colour:
    """Return the sRGB components of a ``#RRGGBB`` colour, each from 0 to 1."""
    return int(colour[1:3], 16) / 255, int(colour[3:5], 16) / 255, int(colour[5:7], 16) / 255


@functools.cache
def linear_rgb(colour: str) -> Colour:
    """Return the linear light components of a colour given in the form ``#RRGGBB``.

    The components range from 0 to 1.
    """
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in rgb(colour))
    return red, green, blue
