"""All colours of the program as sRGB hex strings, for the renderer and the user interface."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

Colour: TypeAlias = tuple[float, float, float]

DAY: Mapping[str, str] = MappingProxyType(
    {
        "page": "#F0E9DB",
        "card": "#FBF8F1",
        "sunk": "#E4DAC7",
        "line": "#CFC4AF",
        "ink": "#26241F",
        "soft": "#5C564B",
        "faint": "#8C8372",
        "action": "#2E5E5A",
        "amber": "#7E5512",
        "warning": "#9B3A2C",
        "table": "#D9CDB6",
    }
)
NIGHT: Mapping[str, str] = MappingProxyType(
    {
        "page": "#1E1F1D",
        "card": "#2A2B28",
        "sunk": "#171816",
        "line": "#43443F",
        "ink": "#E8E1D3",
        "soft": "#A9A294",
        "faint": "#7A756A",
        "action": "#8FB8AE",
        "amber": "#D8B06A",
        "warning": "#D98A78",
        "table": "#2B2926",
    }
)
INTERFACE: Mapping[str, Mapping[str, str]] = MappingProxyType({"day": DAY, "night": NIGHT})
# High contrast: all inks, lines and accents have a ratio of at least 7:1 on their backgrounds.
STRONG: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "day": {
            **DAY,
            "page": "#FFFFFF",
            "card": "#FFFFFF",
            "sunk": "#E8E8E8",
            "line": "#333333",
            "ink": "#000000",
            "soft": "#1C1C1C",
            "faint": "#3D3D3D",
            "action": "#004038",
            "amber": "#523300",
            "warning": "#7A1200",
        },
        "night": {
            **NIGHT,
            "page": "#000000",
            "card": "#000000",
            "sunk": "#262626",
            "line": "#D0D0D0",
            "ink": "#FFFFFF",
            "soft": "#EDEDED",
            "faint": "#C4C4C4",
            "action": "#8FF2DE",
            "amber": "#FFD75E",
            "warning": "#FFB09E",
        },
    }
)

# White, black and red, as in rules.colour, then blue, yellow and teal.
MARBLES = ("#EFE9DC", "#25272B", "#B5402E", "#3F6FA3", "#E3B23C", "#4FA39A")
CLEAR_MARBLES = ("#FFFFFF", "#101214", "#E0662F", "#2F6FB5", "#F0C93A", "#4FA39A")
UNKNOWN = "#9A9184"  # a marble whose colour is hidden from the viewer
BOARDS: Mapping[str, str] = MappingProxyType(
    {"keyaki": "#9C7147", "slate": "#56636B", "tatami": "#878355", "kuro": "#3A3733"}
)
PLANS: Mapping[str, str] = MappingProxyType(
    {"day": "#9C7147", "night": "#8B6B4A"}
)  # ground of the levels in flat diagrams
# Names of files and ranks in the rims of boards: burnt in, or inlaid where the board is dark.
ENGRAVED: Mapping[str, str] = MappingProxyType(
    {"keyaki": "#2B180B", "slate": "#DFE4E2", "tatami": "#EFE3C4", "kuro": "#D0AC66"}
)
# Numbered plaques of the other table kinds: their wood, their edge and the figures burnt into them.
PLANED, RIMMED, BURNT = "#B2957A", "#3F2A18", "#26241F"
MARKS: Mapping[str, str] = MappingProxyType(
    {
        "legal": "#D6EBDD",
        "last": "#F2C75C",
        "win": "#FFD873",
        "edge": "#1B1A17",
        "stop": "#EFAA98",
    }
)

LUMINANCE: Colour = (0.2126, 0.7152, 0.0722)  # weights of red, green and blue light
# Simulation of colour vision deficiencies (Machado, Oliveira and Fernandes 2009, full severity). Each row gives one
# component of the linear light that is perceived.
EYES: Mapping[str, tuple[tuple[float, float, float], ...]] = MappingProxyType(
    {
        "grey": (LUMINANCE, LUMINANCE, LUMINANCE),
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

NOON = 24
"""Number of moves from morning to noon.

After that, every further ``NOON`` moves cover half of the time left until evening.
"""
SIGNS: Mapping[str, float] = MappingProxyType({"off": 0.0, "subtle": 0.4, "strong": 0.9})


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours of a picture.

    ``tone`` is "day" or "night", and ``board`` a key of :data:`BOARDS`. ``marbles`` contains hex colours by colour
    index. ``signs`` is the strength of the sign printed on the marbles of each colour, a key of :data:`SIGNS`.
    ``lamp``, "warm" or "white", is the colour of the light at night. By day, the light depends on ``hour``, from -1 in
    the morning to 1 in the evening, unless ``lamp`` is "white".
    """

    tone: str = "day"
    board: str = "keyaki"
    marbles: tuple[str, ...] = MARBLES
    signs: str = "off"
    lamp: str = "warm"
    hour: float = 0.0

    @property
    def interface(self) -> Mapping[str, str]:
        """Colours of the user interface, by their use."""
        return INTERFACE[self.tone]

    @property
    def table(self) -> str:
        """Colour of the table."""
        return self.interface["table"]

    def marble(self, colour: int) -> str:
        """Return the hex colour of marbles of ``colour``.

        For an index out of range, return the colour of unknown marbles.
        """
        return self.marbles[colour] if 0 <= colour < len(self.marbles) else UNKNOWN


def theme(tone: str = "day", preset: str = "standard", board: str = "", signs: str = "") -> Theme:
    """Return the theme for ``tone`` ("day", "night") and ``preset`` ("standard", "clear").

    ``board`` and ``signs`` override the values of the preset. Raises ValueError for unknown names.
    """
    known = tone in INTERFACE and preset in ("standard", "clear") and board in ("", *BOARDS)
    if not known or signs not in ("", *SIGNS):
        raise ValueError(f"no such theme: {' '.join((tone, preset, board, signs))}".rstrip())
    if preset == "clear":
        return Theme(tone, board or "slate", CLEAR_MARBLES, signs=signs or "strong", lamp="white")
    return Theme(tone, board or "keyaki", signs=signs or "off")


def hour(moves: int) -> float:
    """Return :attr:`Theme.hour` after a number of moves in a game.

    The hour starts at -1 (morning) and slowly approaches 1 (evening).
    """
    return 1.0 - 2.0 * math.exp(-math.log(2.0) * moves / NOON)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour as defined by WCAG, from 0 to 1."""
    return sum(weight * light for weight, light in zip(LUMINANCE, linear(colour), strict=True))


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours as defined by WCAG, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ink_on(colour: str) -> str:
    """Return the ink colour, dark or light, that contrasts better with ``colour``."""
    return max((DAY["ink"], DAY["card"]), key=lambda ink: contrast(ink, colour))


@functools.cache
def rgb(colour: str) -> Colour:
    """Return the sRGB components of the colour ``#RRGGBB``, from 0 to 1."""
    return int(colour[1:3], 16) / 255, int(colour[3:5], 16) / 255, int(colour[5:7], 16) / 255


@functools.cache
def linear(colour: str) -> Colour:
    """Return the linear light components of the colour ``#RRGGBB``, from 0 to 1."""
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in rgb(colour))
    return red, green, blue
