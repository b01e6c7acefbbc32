"""Conversion of a frame to a flat plan: horizontal cards seen from above, with the marks of the frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from shibumi3d.scene.frame import Board, Card, Frame, Piece, Solid
from shibumi3d.scene.marbles.layout import HOLE, TOP
from shibumi3d.scene.palette import BOARDS, DAY

ROUND = {"disc": 1.0, "ball": 1.0, "octagon": 0.6, "box": 0.06}
"""Corner radius of each shape of solid as seen from above; see :attr:`.Card.round`."""
THIN = 0.04
"""Minimum half width, as seen from above, of a solid that stands on its edge."""
HOLLOW = "#4A3220"


def flat(frame: Frame, drawn: Callable[[Piece], Iterable[Card]] = lambda piece: ()) -> Frame:
    """Return the frame converted to cards and marks, with the lowest cards first.

    ``drawn`` yields the cards that represent a piece; a piece without cards is omitted.
    """
    found = [card for board in frame.boards for card in _board(board, BOARDS[frame.theme.board])]
    found += [card for piece in frame.pieces for card in drawn(piece)]
    found += [_seen(solid) for solid in frame.solids if solid.alpha > 0.0]
    found += [card for card in frame.cards if card.alpha > 0.0]
    found.sort(key=lambda card: (card.over, card.at[2]))
    return replace(frame, boards=(), pieces=(), solids=(), balls=(), cards=tuple(found))


def disc(piece: Piece, radius: float, paper: str, height: float = 0.0, edge: str = "") -> Card:
    """Return a round card at the position of a piece, ``height`` above its foot."""
    at = piece.x, piece.y, piece.z + height
    return Card(at, (radius, radius), paper, edge=edge, round=1.0, alpha=piece.alpha)


def _board(board: Board, wood: str) -> Iterator[Card]:
    yield Card((board.x, board.y, TOP - 0.02), (board.half, board.half), wood, edge=DAY["soft"], round=0.03)
    for x, y, size in board.holes or ():
        radius = HOLE * size
        at = board.x + x, board.y + y, TOP - 0.01
        yield Card(at, (radius, radius), HOLLOW, round=1.0, alpha=0.75)


def _seen(solid: Solid) -> Card:
    """Return the top of a solid as a card, foreshortened if the solid is tilted."""
    x, y, z = solid.at
    wide, deep, tall = solid.size
    half = (
        max(wide * abs(math.cos(solid.roll)), THIN),
        max(deep * abs(math.cos(solid.tilt)), THIN),
    )
    edge = solid.foot if solid.foot not in ("", solid.colour) else DAY["soft"]
    at, corners = (x, y, z + tall), ROUND[solid.shape]
    return Card(at, half, solid.colour, edge=edge, turn=solid.turn, round=corners, alpha=solid.alpha)
