"""A postcard of a match: its picture on paper, and below it the game, the names, how it ended and the day."""

from __future__ import annotations

from datetime import date

import numpy as np
from numpy.typing import NDArray

from shibumi3d.app.assets.fonts import typeset
from shibumi3d.app.text import say as phrase
from shibumi3d.app.text import titled
from shibumi3d.app.ui.canvas import CAP
from shibumi3d.app.ui.pen import Colour
from shibumi3d.app.ui.rect import Rect
from shibumi3d.app.ui.style import style
from shibumi3d.cli.text import result_line
from shibumi3d.match.match import Match

MARGIN, FOOT = 0.045, 0.2
"""The white border, in widths, and the room below the picture, in heights of the card."""
GRID = 4
"""Each pixel of a letter is looked at in so many places a side."""

Pixels = NDArray[np.uint8]


def room(width: int, height: int) -> tuple[int, int, int]:
    """The border, and width and height of the picture on a card of so many pixels."""
    edge = round(MARGIN * min(width, height))
    return edge, width - 2 * edge, height - edge - round(FOOT * height)


def postcard(match: Match, picture: Pixels, width: int, height: int, day: date) -> Pixels:
    """The card of a match, as (height, width, 3); ``picture`` is as large as :func:`room` says."""
    look = style("day")
    card = np.empty((height, width, 3), np.uint8)
    card[:] = _bytes(look.card)
    edge, wide, high = room(width, height)
    card[edge : edge + high, edge : edge + wide] = picture
    foot = Rect(edge, edge + high, wide, height - edge - high).inset(0, edge * 0.4)
    form = f", {match.game.variant}" if match.game.variant else ""
    title, rest = foot.cut_top(foot.h * 0.44)
    left, right = title.cut_right(wide * 0.3)[::-1]
    _write(card, left, f"{titled(match.game)}{form}", look.ink, "title", title.h * 0.72)
    _write(card, right, day.strftime(phrase("terminal.day")), look.soft, "serif", title.h * 0.42, 1)
    names, ending = rest.cut_top(rest.h / 2)
    _write(card, names, " \u2013 ".join(seat.name for seat in match.seats), look.ink, "sans", names.h * 0.66)
    _write(card, ending, result_line(match), look.soft, "sans", ending.h * 0.6)
    return card


def _bytes(colour: Colour) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.rint(np.array(colour[:3]) * 255)
    return found


def _write(
    card: Pixels, place: Rect, text: str, colour: Colour, face: str, size: float, align: float = 0
) -> None:
    """Writes a line into ``place``, smaller where it is too long."""
    wide = typeset.width(text, face, size)
    if wide > place.w:
        size, wide = size * place.w / wide, place.w
    x, base = place.x + (place.w - wide) * align, place.cy + size * CAP / 2
    for own, part, right, up in typeset.line(text, face)[0]:
        drawn, left = typeset.face(own), x + right * size
        for character in part:
            glyph = drawn.glyph(character)
            lines = [
                [(left + px * size, base - (py + up) * size) for px, py in each]
                for each in drawn.lines(glyph)
            ]
            _fill(card, lines, colour)
            left += drawn.width(glyph) * size


def _fill(card: Pixels, lines: list[list[tuple[float, float]]], colour: Colour) -> None:
    """Fills what the outlines go round, with smooth edges."""
    if not lines:
        return
    corners = np.array([corner for line in lines for corner in line])
    left, top = np.floor(corners.min(axis=0)).astype(int)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int) + 1
    wide, high = (right - left) * GRID, (bottom - top) * GRID
    turns = np.zeros((high, wide + 1), np.int32)
    rows = np.arange(high) + 0.5
    for line in lines:
        places = (np.array(line) - (left, top)) * GRID
        for (ax, ay), (bx, by) in zip(places, np.roll(places, -1, axis=0), strict=True):
            crossed = np.nonzero((rows >= min(ay, by)) & (rows < max(ay, by)))[0]
            across = ax + (rows[crossed] - ay) * (bx - ax) / ((by - ay) or 1.0)
            columns = np.clip(np.ceil(across - 0.5), 0, wide).astype(int)
            turns[crossed, columns] += 1 if by > ay else -1
    inside = np.cumsum(turns, axis=1)[:, :wide] != 0
    cover = inside.reshape(bottom - top, GRID, right - left, GRID).mean(axis=(1, 3))
    y, x = max(top, 0), max(left, 0)
    under = card[y:bottom, x:right]
    cover = cover[y - top : y - top + under.shape[0], x - left : x - left + under.shape[1], None] * colour[3]
    under[:] = np.rint(under + (_bytes(colour) - under) * cover)
