"""Colours and sizes of the user interface, for day and night."""

from __future__ import annotations

from dataclasses import dataclass

from shibumi3d.scene import palette
from shibumi3d.scene.pen import Colour, faded, rgb

SMALL, BODY, RULES, HEADING, TITLE = 13, 15, 17, 22, 32
"""Font sizes in logical pixels."""

RADIUS = 6
BUTTON = 32
"""Minimum height of a button in logical pixels."""


@dataclass(frozen=True)
class Style:
    """Colours of the user interface.

    ``night`` is set at night, for drawings that differ between day and night.
    """

    night: bool
    page: Colour
    card: Colour
    sunk: Colour
    hairline: Colour
    ink: Colour
    soft: Colour
    faint: Colour
    action: Colour
    on_action: Colour
    amber: Colour
    brick: Colour
    shadow: Colour
    hover: Colour
    marbles: tuple[Colour, ...]
    """Colours of marbles in flat drawings, by colour index."""
    on_marbles: tuple[Colour, ...]
    """Colours of text on marbles in flat drawings, by colour index."""
    ground: Colour
    """Background of points in diagrams.

    White and black marbles each have a contrast of at least 3:1 against it.
    """
    signs: float
    """Strength of the sign on marbles of each colour in diagrams, from 0 to 1."""

    def ink_on(self, colour: int) -> Colour:
        """Return the colour of text on a marble of ``colour``; the colour may be unknown."""
        return self.on_marbles[colour] if 0 <= colour < len(self.marbles) else ON_UNKNOWN


def style(tone: str, preset: str = "standard", signs: str = "", strong: bool = False) -> Style:
    """Return the style for ``tone`` ("day", "night") and ``preset`` ("standard", "clear").

    The preset selects the colours of the marbles and the strength of the signs printed on them. ``signs``, a key of
    :data:`.palette.SIGNS`, overrides the strength of the signs. If ``strong`` is set, text and lines have a contrast of
    at least 7:1.
    """
    shades = (palette.STRONG if strong else palette.INTERFACE)[tone]
    look = {name: rgb(value) for name, value in shades.items()}
    night = tone == "night"
    theme = palette.theme(tone, preset, "", signs)
    marbles = theme.marbles
    return Style(
        night=night,
        page=look["page"],
        card=look["card"],
        sunk=look["sunk"],
        hairline=look["line"],
        ink=look["ink"],
        soft=look["soft"],
        faint=look["faint"],
        action=look["action"],
        on_action=look["page"] if night else look["card"],
        amber=look["amber"],
        brick=look["warning"],
        shadow=rgb("#000000", 0.4) if night else rgb("#26241F", 0.14),
        hover=faded(look["ink"], 0.06),
        marbles=tuple(rgb(colour) for colour in marbles),
        on_marbles=tuple(rgb(palette.ink_on(colour)) for colour in marbles),
        ground=rgb(palette.BOARDS["slate"] if preset == "clear" else palette.PLANS[tone]),
        signs=palette.SIGNS[theme.signs],
    )


DARK = (0.0, 0.0, 0.0, 1.0)
"""Opaque black."""
UNKNOWN = rgb(palette.UNKNOWN)
"""Colour of marbles whose colour is hidden from the viewer."""
ON_UNKNOWN = rgb(palette.ink_on(palette.UNKNOWN))
"""Colour of text on marbles whose colour is hidden."""
