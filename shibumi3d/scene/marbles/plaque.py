"""Colours of the plaques on the rims of trays; a plaque shows a number of marbles."""

from __future__ import annotations

from typing import NamedTuple

from shibumi3d.scene.palette import BOARDS, ENGRAVED, Theme, luminance
from shibumi3d.scene.pen import Colour, mixed, rgb

SHADE: Colour = (0.05, 0.04, 0.03, 1.0)
"""Shade mixed into the wood of a plaque at night, and into its edge."""
PLANED = 0.25
"""How much lighter or darker than the board a plaque is by day, so that its figures are readable."""
WHITE: Colour = (1.0, 1.0, 1.0, 1.0)


class Plaque(NamedTuple):
    """Colours of a plaque: its wood, its edge and its figures."""

    wood: Colour
    edge: Colour
    ink: Colour


def plaque(theme: Theme) -> Plaque:
    """Return the colours of plaques, derived from the colours of the board and its engraving."""
    wood, ink = rgb(BOARDS[theme.board]), rgb(ENGRAVED[theme.board])
    if theme.tone == "night":
        wood, ink = mixed(wood, SHADE, 0.35), mixed(WHITE, ink, 0.2)
    else:
        # Lighter under figures burnt into the wood, darker under inlaid ones.
        burnt = luminance(BOARDS[theme.board]) > luminance(ENGRAVED[theme.board])
        wood = mixed(wood, WHITE if burnt else SHADE, PLANED)
    return Plaque(wood, mixed(wood, SHADE, 0.35), ink)
