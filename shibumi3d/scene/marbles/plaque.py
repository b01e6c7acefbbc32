"""Plaques on the rims of trays, with the number of the marbles there."""

from __future__ import annotations

from typing import NamedTuple

from shibumi3d.scene.palette import BOARDS, ENGRAVED, Theme, luminance
from shibumi3d.scene.pen import Colour, mixed, rgb

SHADE: Colour = (0.05, 0.04, 0.03, 1.0)
"""The dark edge of a plaque, and what the night takes from its wood."""
PLANED = 0.25
"""How much lighter or darker the wood of a plaque is by day, so that its figures are read."""
WHITE: Colour = (1.0, 1.0, 1.0, 1.0)


class Plaque(NamedTuple):
    """The colours of a plaque: of its wood, of the edge below, of its figures."""

    wood: Colour
    edge: Colour
    ink: Colour


def plaque(theme: Theme) -> Plaque:
    """Return the colours of plaques: the wood of the board, with what is engraved in it."""
    wood, ink = rgb(BOARDS[theme.board]), rgb(ENGRAVED[theme.board])
    if theme.tone == "night":
        wood, ink = mixed(wood, SHADE, 0.35), mixed(WHITE, ink, 0.2)
    else:
        # Planed: lighter under burnt figures, darker under inlaid ones.
        burnt = luminance(BOARDS[theme.board]) > luminance(ENGRAVED[theme.board])
        wood = mixed(wood, WHITE if burnt else SHADE, PLANED)
    return Plaque(wood, mixed(wood, SHADE, 0.35), ink)
