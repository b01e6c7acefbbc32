"""Text and symbols on images that are drawn without a window."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from shibumi3d.assets.fonts import typeset
from shibumi3d.render.png import RgbImage
from shibumi3d.scene.marbles.seat_symbols import SEAT_POLYGONS
from shibumi3d.scene.marbles.table_objects import make_plaque_colours
from shibumi3d.scene.palette import Theme
from shibumi3d.scene.pen import CAP_HEIGHT_EM, Colour
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style

SAMPLES_PER_PIXEL_SIDE = 4
"""Antialiasing samples along each side of a pixel."""
PLAQUE_HEIGHT = 0.034
"""Height of the plaque behind a number, as a fraction of the picture's height."""
FILM_HEAD_HEIGHT = FILM_FOOT_HEIGHT = 0.07
"""Heights of the line of names and of the caption, as fractions of the picture's height."""

MIN_CAPTION_SCALE = 0.8
"""Smallest scale at which a caption is one line; if it doesn't fit, it is split into two lines of this scale."""


def draw_names(
    names: Sequence[str], width: int, height: int, style: Style, active_seat: int = -1
) -> RgbImage:
    """Return the top line of a film as an image, with the symbol and name of each seat.

    The shape is (``round(FILM_HEAD_HEIGHT * height)``, ``width``, 3). The symbol and name of ``active_seat`` are
    underlined, unless it is -1.
    """
    high = round(FILM_HEAD_HEIGHT * height)
    line = np.empty((high, width, 3), np.uint8)
    line[:] = to_rgb(style.card)
    size = high * 0.5
    gap, sign = 1.6 * size, 0.45 * size
    wide = [typeset.text_width(name, "sans", size) + 3.2 * sign for name in names]
    # Scale down if the names do not fit.
    part = min(1.0, (width - 2 * gap) / (sum(wide) + gap * (len(names) - 1)))
    x, middle = (width - part * (sum(wide) + gap * (len(names) - 1))) / 2, high / 2
    for seat, (name, long) in enumerate(zip(names, wide, strict=True)):
        shape = SEAT_POLYGONS[seat % len(SEAT_POLYGONS)]
        at, radius = x + part * sign, part * sign
        fill_outlines(line, [[(at + px * radius, middle + py * radius) for px, py in shape]], style.action)
        place = Rect(x + part * 3.2 * sign, 0, part * (long - 3.2 * sign) + 1, high)
        draw_text(line, place, name, style.ink, "sans", part * size)
        if seat == active_seat:
            left, right, foot = x, x + part * long, max(1.0, 0.07 * high)
            fill_outlines(
                line, [[(left, high - foot), (right, high - foot), (right, high), (left, high)]], style.action
            )
        x += part * (long + gap)
    return line


def draw_caption(words: str, width: int, height: int, style: Style) -> RgbImage:
    """Return an image of ``words``, the caption at the bottom of a film.

    The text is centred, and it is split into two lines if it is long. The shape of the image is
    (``round(FILM_FOOT_HEIGHT * height)``, ``width``, 3).
    """
    high = round(FILM_FOOT_HEIGHT * height)
    image = np.empty((high, width, 3), np.uint8)
    image[:] = to_rgb(style.card)
    area, size = Rect(high / 2, 0, width - high, high), high * 0.5
    lines = [words]
    if typeset.text_width(words, "sans", size) > area.w / MIN_CAPTION_SCALE:
        size *= MIN_CAPTION_SCALE
        lines = _split_in_two(words, area.w, size)
    for number, line in enumerate(lines if words else []):
        place = Rect(area.x, number * high / len(lines), area.w, high / len(lines))
        draw_text(image, place, line, style.ink, "sans", size, 0.5)
    return image


def _split_in_two(text: str, width: float, size: float) -> list[str]:
    """Split a text at a space into two lines; the first is at most ``width`` wide if possible.

    A text without spaces stays on one line.
    """
    words = text.split(" ")
    count = len(words) - 1
    while count > 1 and typeset.text_width(" ".join(words[:count]), "sans", size) > width:
        count -= 1
    return [" ".join(words[:count]), " ".join(words[count:])] if count > 0 else [text]


def draw_tray_counts(
    image: RgbImage, counts: Sequence[tuple[float, float, str, int]], theme: Theme
) -> RgbImage:
    """Return a copy of a film frame with numbers on plaques.

    ``counts`` contains (x, y, text, seat) tuples. x and y are the centre of the plaque, in picture heights from the top
    left corner. ``text`` is the number; if it is empty, the plaque shows only the symbol of the seat. ``seat`` is the
    seat whose symbol precedes the number, or -1 for no symbol. A plaque that would overlap the caption is moved to just
    above it, but by no more than three times the height of a plaque. Plaques that would still be cut off, or would
    overlap the names, the caption or another plaque, are left out.
    """
    labelled, style, taken = image.copy(), make_plaque_colours(theme), list[Rect]()
    height, width = image.shape[:2]
    high = PLAQUE_HEIGHT * height
    head, foot = FILM_HEAD_HEIGHT * height, (1 - FILM_FOOT_HEIGHT) * height - 0.2 * high
    for x, y, text, seat in counts:
        sign = high if seat >= 0 else 0.0
        text_width = typeset.text_width(text, "bold", 0.7 * high) if text else 0.0
        wide = max(1.1 * high, sign + text_width + (0.45 * high if text else 0.1 * high))
        top = y * height - high / 2
        if top + high > foot >= top - 2 * high:
            top = foot - high
        box = Rect(x * height - wide / 2, top, wide, high)
        inside = box.x >= 0 and box.right <= width and box.y >= head and box.bottom <= foot + 0.01
        if not inside or any(box.intersection(other).w and box.intersection(other).h for other in taken):
            continue
        taken.append(box)
        for colour, low in ((style.edge, box.bottom), (style.wood, box.bottom - 0.12 * high)):
            corners = [(box.x, box.y), (box.right, box.y), (box.right, low), (box.x, low)]
            fill_outlines(labelled, [corners], colour)
        if seat >= 0:
            middle, radius = (box.x + 0.6 * high, box.cy), 0.28 * high
            shape = [(middle[0] + radius * px, middle[1] + radius * py) for px, py in SEAT_POLYGONS[seat]]
            fill_outlines(labelled, [shape], style.ink)
        if text:
            place = Rect(box.x + sign, box.y, box.w - sign, box.h)
            draw_text(labelled, place, text, style.ink, "bold", 0.7 * high, 0.5)
    return labelled


def to_rgb(colour: Colour) -> NDArray[np.float64]:
    """Return red, green and blue from 0 to 255 for a colour with channels from 0 to 1."""
    result: NDArray[np.float64] = np.rint(np.array(colour[:3]) * 255)
    return result


def draw_text(
    image: RgbImage, rect: Rect, text: str, colour: Colour, face: str, size: float, align: float = 0
) -> None:
    """Write a line of text into ``rect``, scaled down if it is too long.

    ``size`` is the font size in pixels. ``align`` goes from 0 (left) to 1 (right).
    """
    wide = typeset.text_width(text, face, size)
    if wide > rect.w:
        size, wide = size * rect.w / wide, rect.w
    x, base = rect.x + (rect.w - wide) * align, rect.cy + size * CAP_HEIGHT_EM / 2
    for own, part, right, up in typeset.layout_line(text, face)[0]:
        drawn, left = typeset.load_face(own), x + right * size
        for character in part:
            glyph = drawn.glyph_index(character)
            lines = [
                [(left + px * size, base - (py + up) * size) for px, py in each]
                for each in drawn.outlines(glyph)
            ]
            fill_outlines(image, lines, colour)
            left += drawn.advance_width(glyph) * size


def fill_outlines(image: RgbImage, lines: list[list[tuple[float, float]]], colour: Colour) -> None:
    """Fill the closed outlines ``lines`` in ``image`` with ``colour``.

    Coordinates are in pixels. Edges are antialiased, and the non-zero winding rule applies.
    """
    if not lines:
        return
    corners = np.array([corner for line in lines for corner in line])
    left, top = np.floor(corners.min(axis=0)).astype(int)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int) + 1
    wide, high = (right - left) * SAMPLES_PER_PIXEL_SIDE, (bottom - top) * SAMPLES_PER_PIXEL_SIDE
    turns = np.zeros((high, wide + 1), np.int32)
    rows = np.arange(high) + 0.5
    for line in lines:
        places = (np.array(line) - (left, top)) * SAMPLES_PER_PIXEL_SIDE
        for (ax, ay), (bx, by) in zip(places, np.roll(places, -1, axis=0), strict=True):
            crossed = np.nonzero((rows >= min(ay, by)) & (rows < max(ay, by)))[0]
            across = ax + (rows[crossed] - ay) * (bx - ax) / ((by - ay) or 1.0)
            columns = np.clip(np.ceil(across - 0.5), 0, wide).astype(int)
            turns[crossed, columns] += 1 if by > ay else -1
    inside = np.cumsum(turns, axis=1)[:, :wide] != 0
    cover = inside.reshape(bottom - top, SAMPLES_PER_PIXEL_SIDE, right - left, SAMPLES_PER_PIXEL_SIDE).mean(
        axis=(1, 3)
    )
    y, x = max(top, 0), max(left, 0)
    under = image[y:bottom, x:right]
    cover = cover[y - top : y - top + under.shape[0], x - left : x - left + under.shape[1], None] * colour[3]
    under[:] = np.rint(under + (to_rgb(colour) - under) * cover)
