"""How the interface looks by day and by night."""

from __future__ import annotations

from dataclasses import dataclass

from shibumi3d.scene import palette
from shibumi3d.scene.pen import Colour, faded, rgb

SMALL, BODY, RULES, HEADING, TITLE = 13, 15, 17, 22, 32
"""Sizes of type in logical pixels."""

RADIUS = 6
BUTTON = 32
"""Height of a button: never less than this."""


@dataclass(frozen=True)
class Style:
    """The colours of the interface. ``night`` tells the two apart where a picture needs it."""

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
    """Marbles drawn flat, by colour index."""
    on_marbles: tuple[Colour, ...]
    """What is written on them."""
    ground: Colour
    """What points are drawn on in plans: white and black are each 3:1 and more against it."""
    signs: float
    """How strongly the sign of each colour is printed on marbles in plans, 0 to 1."""

    def ink_on(self, colour: int) -> Colour:
        """Return what is written on a marble of ``colour``, which may be unknown."""
        return self.on_marbles[colour] if 0 <= colour < len(self.marbles) else ON_UNKNOWN


def style(tone: str, preset: str = "standard", signs: str = "", strong: bool = False) -> Style:
    """Return the style of ``tone``, "day" or "night", with the marbles of ``preset``, "standard" or "clear".

    ``signs`` overrides how the preset prints the signs of colours. ``strong``: words and lines stand out at 7:1.
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
"""No light."""
UNKNOWN = rgb(palette.UNKNOWN)
"""A marble that the seat at the screen may not know."""
ON_UNKNOWN = rgb(palette.ink_on(palette.UNKNOWN))
"""What is written on it."""
