"""Conversion of a frame to a flat view from straight above, made of cards and marks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from shibumi3d.scene.frame import BOWL_FLOOR, COIN_FIELD, Board, Card, Frame, Piece, Solid
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, HOLE_RADIUS
from shibumi3d.scene.palette import BOARD_COLOURS, DAY_COLOURS

CORNER_ROUNDING = {
    "disc": 1.0,
    "coin": 1.0,
    "bowl": 1.0,
    "ball": 1.0,
    "octagon": 0.6,
    "box": 0.06,
    "die": 0.2,
    "rail": 0.0,
}
"""Corner radius of each shape of solid as seen from above; see :attr:`.Card.corner_rounding`."""
MIN_HALF_WIDTH = 0.04
"""Minimum half width, as seen from above, of a solid that stands on its edge."""
HOLE_COLOUR = "#4A3220"


def make_top_view(
    frame: Frame, cards_for_piece: Callable[[Piece], Iterable[Card]] = lambda piece: ()
) -> Frame:
    """Return the frame converted to cards and marks.

    The lowest cards come first, and those with ``on_top`` last. ``cards_for_piece`` returns the cards that represent a
    piece; a piece without cards is omitted. Marbles and shadows are omitted, too.
    """
    found = [card for board in frame.boards for card in _board_cards(board, BOARD_COLOURS[frame.theme.board])]
    found += [card for piece in frame.pieces for card in cards_for_piece(piece)]
    found += [_solid_card(solid) for solid in frame.solids if solid.alpha > 0.0]
    found += [card for card in frame.cards if card.alpha > 0.0 and card.surface != "shadow"]
    found.sort(key=lambda card: (card.on_top, card.position[2]))
    return replace(frame, boards=(), pieces=(), solids=(), balls=(), cards=tuple(found))


def round_card(piece: Piece, radius: float, fill: str, height: float = 0.0, outline: str = "") -> Card:
    """Return a round card at the position of a piece, ``height`` above its base."""
    at = piece.x, piece.y, piece.z + height
    return Card(at, (radius, radius), fill, outline=outline, corner_rounding=1.0, alpha=piece.alpha)


def _board_cards(board: Board, wood: str) -> Iterator[Card]:
    yield Card(
        (board.x, board.y, BOARD_TOP_Z - 0.02),
        (board.half_side, board.half_side),
        wood,
        outline=DAY_COLOURS["secondary_ink"],
        corner_rounding=0.03,
    )
    for x, y, size in board.holes or ():
        radius = HOLE_RADIUS * size
        at = board.x + x, board.y + y, BOARD_TOP_Z - 0.01
        yield Card(at, (radius, radius), HOLE_COLOUR, corner_rounding=1.0, alpha=0.75)


def _solid_card(solid: Solid) -> Card:
    """Return the top of a solid as a card, foreshortened if the solid is tilted."""
    x, y, z = solid.position
    wide, deep, tall = solid.size
    half = (
        max(wide * abs(math.cos(solid.roll)), MIN_HALF_WIDTH),
        max(deep * abs(math.cos(solid.tilt)), MIN_HALF_WIDTH),
    )
    yaw = solid.yaw
    if abs(math.cos(yaw)) < 1e-6:
        half, yaw = (half[1], half[0]), 0.0
    # What lies on the field of a coin or in a bowl lies lower than its rim.
    tall *= {"coin": COIN_FIELD[1], "bowl": BOWL_FLOOR[1]}.get(solid.shape, 1.0)
    edge = solid.side_colour if solid.side_colour not in ("", solid.colour) else DAY_COLOURS["secondary_ink"]
    at, corners = (x, y, z + tall), CORNER_ROUNDING[solid.shape]
    return Card(at, half, solid.colour, outline=edge, yaw=yaw, corner_rounding=corners, alpha=solid.alpha)
