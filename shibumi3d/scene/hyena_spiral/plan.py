"""Pieces of Hyena Spiral as seen from straight above, for the flat plan."""

from __future__ import annotations

import math
from collections.abc import Iterator

from shibumi3d.scene.frame import Card, Piece
from shibumi3d.scene.glyphs import register_glyphs
from shibumi3d.scene.top_view import round_card

IVORY, INK, WOOD, EDGE, WATER = "#EFE9DC", "#26241F", "#8A623B", "#3F2A18", "#4FA39A"
LYING = 0.3
"""Tilt in radians above which a pawn is drawn lying."""

register_glyphs(
    {"hyena": "O 5 5 3.4O 19 5 3.4O 8.5 12 1.8O 15.5 12 1.8M12 15L12 18M8.5 19.5L12 18L15.5 19.5"}
)


def drawn(piece: Piece) -> Iterator[Card]:
    """Yield the cards that show a piece from above."""
    at = piece.x, piece.y, piece.z
    match piece.model:
        case "villager":
            yield round_card(piece, 0.34, IVORY, 0.3)
            yield round_card(piece, 0.31, piece.colour, 0.31, INK)
            if piece.tilt > LYING:
                yield _sign(piece, "cross", 0.3, IVORY, 0.32)
                yield _sign(piece, "cross", 0.3, INK, 0.33, 2.4)
        case "hyena":
            yield round_card(piece, 0.42, IVORY, 0.3)
            yield round_card(piece, 0.39, piece.colour, 0.31, INK)
            yield _sign(piece, "halo", 0.29, IVORY, 0.32)
            yield _sign(piece, "hyena", 0.27, INK, 0.33, 2.4)
        case "plate":
            yield round_card(piece, 0.2, IVORY)
        case "jar":
            yield round_card(piece, 0.13, piece.colour, 0.4, INK)
        case "well":
            yield round_card(piece, 0.62, IVORY, 0.0, EDGE)
            yield round_card(piece, 0.46, WATER, 0.01, EDGE)
        case "hut":
            yield round_card(piece, 0.5, piece.colour, 0.0, EDGE)
            yield _sign(piece, "up", 0.3, EDGE, 0.01)
        case "bowl":
            yield round_card(piece, 0.96, WOOD, 0.0, EDGE)
            yield round_card(piece, 0.82, "#6F4E2E", 0.005)
        case "chip":
            white, wide = math.cos(piece.tilt) > 0, max(abs(math.cos(piece.tilt)), 0.12)
            paper, ink = (IVORY, INK) if white else (INK, IVORY)
            yield Card((*at[:2], at[2] + 0.2), (0.34, 0.34 * wide), paper, outline=EDGE, corner_rounding=0.6)
            if wide > 0.7:
                yield _sign(piece, "ring" if white else "plus", 0.25, ink, 0.21, 3.4)
        case _ if piece.model.startswith("sign"):
            yield _sign(piece, f"seat {int(piece.model[4:]) - 1}", 0.16, INK, 0.0, 3.0)


def _sign(piece: Piece, glyph: str, half: float, ink: str, height: float, pen: float = 3.0) -> Card:
    at = piece.x, piece.y, piece.z + height
    return Card(at, (half, half), ink=ink, glyph=glyph, glyph_scale=1.0, stroke_width=pen, alpha=piece.alpha)
