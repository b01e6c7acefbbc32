"""Colours and sizes of the user interface, for day and night."""

from __future__ import annotations

from dataclasses import dataclass

from shibumi3d.scene import palette
from shibumi3d.scene.pen import Colour, multiply_alpha, rgba

SMALL_TEXT_PX, BODY_TEXT_PX, RULES_TEXT_PX, HEADING_PX, TITLE_PX = 13, 15, 17, 22, 32
"""Font sizes in logical pixels."""

CORNER_RADIUS_PX = 6
MIN_CLICKABLE_PX = 24.0
"""Minimum width and height of everything that can be clicked, in logical pixels (docs/low-vision.md)."""


@dataclass(frozen=True)
class Style:
    """Colours of the user interface.

    ``is_night`` is set for the night colours; some drawings differ between day and night.
    """

    is_night: bool
    page: Colour
    card: Colour
    recessed: Colour
    hairline: Colour
    ink: Colour
    secondary_ink: Colour
    tertiary_ink: Colour
    action: Colour
    on_action: Colour
    amber: Colour
    warning: Colour
    shadow: Colour
    hover: Colour
    scrim: Colour
    """Colour drawn over a page while a dialog is open."""
    marbles: tuple[Colour, ...]
    """Colours of marbles in flat drawings, by colour index."""
    marble_inks: tuple[Colour, ...]
    """Colours of text on marbles in flat drawings, by colour index."""
    diagram_ground: Colour
    """Background of points in diagrams.

    White and black marbles each have a contrast of at least 3:1 against it.
    """
    sign_strength: float
    """Strength of the sign on marbles of each colour in diagrams, from 0 to 1."""

    def marble_ink(self, colour: int) -> Colour:
        """Return the colour of text on a marble of ``colour``.

        If ``colour`` is out of range, return the colour of text on a marble of unknown colour.
        """
        return self.marble_inks[colour] if 0 <= colour < len(self.marbles) else UNKNOWN_MARBLE_INK


def make_style(tone: str, preset: str = "standard", signs: str = "", high_contrast: bool = False) -> Style:
    """Return the style for ``tone`` ("day" or "night") and ``preset`` ("standard" or "clear").

    The preset selects the colours of the marbles, the strength of the signs printed on them, and the background of
    diagrams. If ``signs`` (a key of :data:`.SIGN_STRENGTHS`) isn't empty, it overrides the strength of the signs. If
    ``high_contrast`` is set, text and lines have a contrast of at least 7:1. Raises KeyError for an unknown tone, and
    ValueError for an unknown preset or an unknown value of ``signs``.
    """
    shades = (palette.HIGH_CONTRAST_COLOURS if high_contrast else palette.INTERFACE_COLOURS)[tone]
    look = {name: rgba(value) for name, value in shades.items()}
    night = tone == "night"
    theme = palette.make_theme(tone, preset, "", signs)
    marbles = theme.marbles
    return Style(
        is_night=night,
        page=look["page"],
        card=look["card"],
        recessed=look["recessed"],
        hairline=look["line"],
        ink=look["ink"],
        secondary_ink=look["secondary_ink"],
        tertiary_ink=look["tertiary_ink"],
        action=look["action"],
        on_action=look["page"] if night else look["card"],
        amber=look["amber"],
        warning=look["warning"],
        shadow=rgba("#000000", 0.4) if night else rgba("#26241F", 0.14),
        hover=multiply_alpha(look["ink"], 0.06),
        scrim=rgba("#000000", 0.5) if night else rgba("#26241F", 0.36),
        marbles=tuple(rgba(colour) for colour in marbles),
        marble_inks=tuple(rgba(palette.contrasting_ink(colour)) for colour in marbles),
        diagram_ground=rgba(
            palette.BOARD_COLOURS["slate"] if preset == "clear" else palette.DIAGRAM_GROUND_COLOURS[tone]
        ),
        sign_strength=palette.SIGN_STRENGTHS[theme.signs],
    )


BLACK = (0.0, 0.0, 0.0, 1.0)
UNKNOWN_MARBLE_FILL = rgba(palette.UNKNOWN_MARBLE_COLOUR)
"""Colour of marbles whose colour is hidden from the viewer."""
UNKNOWN_MARBLE_INK = rgba(palette.contrasting_ink(palette.UNKNOWN_MARBLE_COLOUR))
"""Colour of text on marbles whose colour is hidden."""
