"""Faces and backs of tarot cards, drawn with glyphs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from shibumi3d.i18n import P_, translate
from shibumi3d.rules.arcanoid.cards import KNAVE, MINOR_COUNT, SUIT_SIZE
from shibumi3d.scene.arcanoid.figures import LOWER_PART_SHIFT
from shibumi3d.scene.frame import Card
from shibumi3d.scene.glyphs import GLYPHS, register_glyphs
from shibumi3d.scene.marbles.layout import Vector

GLYPH_PATHS = {
    "major 0": (
        "M4 20L17 7M21.3 5.5A2.8 2.8 0 1 1 15.7 5.5A2.8 2.8 0 1 1 21.3 5.5M2.5 21.5L9 21.5L9 18.5O8.5 9 1.2"
    ),
    "major 1": (
        "M11.4 6.5A3.6 3 0 1 1 4.2 6.5A3.6 3 0 1 1 11.4 6.5M19.8 6.5A3.6 3 0 1 1 12.6 6.5"
        "A3.6 3 0 1 1 19.8 6.5M12 11.5L12 21.5M9.5 21.5L14.5 21.5"
    ),
    "major 2": "M4 3L4 21M20 3L20 21M14.3 16.7A5.4 5.4 0 1 1 14.3 7.3M13.2 16.4A4.5 4.6 0 0 1 13.2 7.6",
    "major 3": "M17.2 8A5.2 5.2 0 1 1 6.8 8A5.2 5.2 0 1 1 17.2 8M12 13.2L12 22M8 17.8L16 17.8",
    "major 4": "M4.5 9A4 4 0 1 1 12 7M12 7A4 4 0 1 1 19.5 9M12 7L12 21.5M7.5 21.5L16.5 21.5",
    "major 5": "M12 2L12 22M9 5.5L15 5.5M7.5 9.5L16.5 9.5M6 13.5L18 13.5",
    "major 6": (
        "M14.3 12.5A5.6 5.6 0 1 1 3.1 12.5A5.6 5.6 0 1 1 14.3 12.5M20.9 12.5A5.6 5.6 0 1 1 9.7 12.5"
        "A5.6 5.6 0 1 1 20.9 12.5"
    ),
    "major 7": (
        "M3 5L17 5L17 14L3 14L3 5M10.1 18.2A3.1 3.1 0 1 1 3.9 18.2A3.1 3.1 0 1 1 10.1 18.2M17.6 18.2"
        "A3.1 3.1 0 1 1 11.4 18.2A3.1 3.1 0 1 1 17.6 18.2M17 12L22 12"
    ),
    "major 8": (
        "M12 3L12 21M4 6L20 6M7 11A3 4 0 0 1 1 11M23 11A3 4 0 0 1 17 11M4 6L1 11L7 11L4 6M20 6L17 11"
        "L23 11L20 6M8.5 21L15.5 21"
    ),
    "major 9": "M8 8L16 8L17.5 19L6.5 19L8 8M8.8 8A3.2 4.6 0 0 1 15.2 8M5 21.6L19 21.6O12 14 1.9",
    "major 10": (
        "M21.4 12A9.4 9.4 0 1 1 2.6 12A9.4 9.4 0 1 1 21.4 12M14.4 12A2.4 2.4 0 1 1 9.6 12"
        "A2.4 2.4 0 1 1 14.4 12M12 9.6L12 2.6M14.1 10.8L20.1 7.3M14.1 13.2L20.1 16.7M12 14.4L12 21.4"
        "M9.9 13.2L3.9 16.7M9.9 10.8L3.9 7.3"
    ),
    "major 11": (
        "M17.4 16.2A5.4 4.6 0 1 1 6.6 16.2A5.4 4.6 0 1 1 17.4 16.2O4.6 10.6 1.9O9 6 1.9O15 6 1.9"
        "O19.4 10.6 1.9"
    ),
    "major 12": (
        "M4 2.5L20 2.5M12 2.5L12 14M12 9.5L16 7L12 5M8 12L16 12M15.2 17.4A3.2 3.2 0 1 1 8.8 17.4"
        "A3.2 3.2 0 1 1 15.2 17.4"
    ),
    "major 13": "M4 22L12.5 2.5M12.5 2.5L17 3.6L20.4 6.6L22 11.8L18.4 8.4L11.3 5.4M6.6 11.2L10 12.6",
    "major 14": "M10.5 5A4 6 0 0 1 2.5 5M2.5 5L10.5 5M21 16A4 5.5 0 0 1 13 16M13 16L21 16M10 6.5L14.5 15",
    "major 15": "M12 22L12 3M18 4A6 7.5 0 0 1 6 4M6 4L6 2M18 4L18 2M12 2L12 4",
    "major 16": (
        "M7 22L7 9L5 9L5 5.5L8 5.5L8 7.5L10.5 7.5L10.5 5.5L13.5 5.5L13.5 7.5L16 7.5L16 5.5L19 5.5L19 9"
        "L17 9L17 22L7 22M13.5 10.5L10.5 15L13.5 15L10.5 19.5"
    ),
    "major 17": (
        "M12 2.5L13.6 10.4L21.5 12L13.6 13.6L12 21.5L10.4 13.6L2.5 12L10.4 10.4L12 2.5O19 5 1.2O5 19 1.2"
        "O5 5 1.2O19 19 1.2"
    ),
    "major 18": "M16.5 19.1A9 9 0 1 1 16.5 4.9M12.7 19.1A7.2 7.6 0 0 1 12.7 4.9O18.5 12 1.3",
    "major 19": (
        "M16.6 12A4.6 4.6 0 1 1 7.4 12A4.6 4.6 0 1 1 16.6 12M18.6 12L22.4 12M16.7 16.7L19.4 19.4M12 18.6"
        "L12 22.4M7.3 16.7L4.6 19.4M5.4 12L1.6 12M7.3 7.3L4.6 4.6M12 5.4L12 1.6M16.7 7.3L19.4 4.6"
    ),
    "major 20": (
        "M2.6 19.4L13 9M2.6 19.4L4.6 21.4L15 11M13 9L14.4 3.2L20.8 9.6L15 11M13 9L15 11M20 3L22 1.5"
        "M17 2.5L17.5 0.8M21.5 6.5L23.3 6"
    ),
    "major 21": (
        "M21.6 12A9.6 9.6 0 1 1 2.4 12A9.6 9.6 0 1 1 21.6 12M16.2 12A4.2 9.6 0 1 1 7.8 12"
        "A4.2 9.6 0 1 1 16.2 12M2.4 12L21.6 12"
    ),
    "suit 0": "M12 2L12 17M10.4 4.4L12 1.6L13.6 4.4M7 16.5L17 16.5M12 16.5L12 22.4O12 22 1.3",
    "court 0": "M7 22L7 2.5M7 3L19 6.5L7 11",
    "suit 1": "M9.4 22L10.6 7M14.6 22L13.4 7M9.4 22L14.6 22M8.4 7.2A4.2 3.6 0 1 1 15.6 7.2M10.2 14L6.4 11.2",
    "court 1": "M6 22L8 13L4.5 12.5L6 8.5L12 3L13 5.5L18 9.5L18.5 22L6 22O11 8.6 1.1",
    "suit 2": "M18.6 4A6.6 10 0 0 1 5.4 4M5.4 4L18.6 4M12 14L12 20.6M7 21.4L17 21.4",
    "court 2": (
        "M4 19L3 8L8 13L12 5L16 13L21 8L20 19L4 19M13.5 3.4A1.5 1.5 0 1 1 10.5 3.4"
        "A1.5 1.5 0 1 1 13.5 3.4M4 22L20 22"
    ),
    "suit 3": "M21.2 12A9.2 9.2 0 1 1 2.8 12A9.2 9.2 0 1 1 21.2 12M9 9L15 9L15 15L9 15L9 9",
    "court 3": "M4 19L4 9L8.5 13L12 8L15.5 13L20 9L20 19L4 19M12 8L12 1.8M9.6 4.2L14.4 4.2M4 22L20 22",
    "rank A": "M5 22L12 2L19 22M8 15L16 15",
    "rank J": "M16 2L16 16A5 6 0 0 1 6 16M11 2L20 2",
    "rank H": "M6 2L6 22M18 2L18 22M6 12L18 12",
    "rank Q": "M19 12A7 10 0 1 1 5 12A7 10 0 1 1 19 12M13 16L20 22",
    "rank K": "M6 2L6 22M18 2L6 13M10 10L18 22",
    "rank V": "M5 2L12 22L19 2",
    "rank C": "M18.5 7A7 10 0 1 0 18.5 17",
    "rank D": "M6 2L6 22M6 2L10 2A9 10 0 0 1 10 22L6 22",
    "rank B": "M6 12L6 2L12 2A5 5 0 0 1 12 12L6 12L6 22L12.5 22A5 5 0 0 0 12.5 12",
    "rank S": "M18.1 5.3A6.5 5 0 1 0 12 12A6.5 5 0 1 1 5.9 18.7",
    "rank R": "M6 22L6 2M6 2L13 2A5.5 5.2 0 0 1 13 12.4L6 12.4M12 12.4L18.5 22",
    "half": "M5 4L8 2L8 10M4 22L20 2M14 15A3 3 0 1 1 19 17L14 22L20 22",
    "tick": "M6 15L12 8L18 15",
    "back": (
        "M12 1.5L14.3 8.6L21.1 5.5L17.3 12L21.1 18.5L14.3 15.4L12 22.5L9.7 15.4L2.9 18.5L6.7 12L2.9 5.5L9.7 8.6"
        "L12 1.5M15.4 12A3.4 3.4 0 1 1 8.6 12A3.4 3.4 0 1 1 15.4 12M21.6 12A9.6 9.6 0 1 1 2.4 12A9.6 9.6 0 1 1 21.6 12"
    ),
}
"""Glyph paths by name: majors, suits, court figures, corner letters and a few other signs."""
COURT_LETTERS = P_("letters of the court cards", "JHQK")
"""Letters in the corners of knave, knight, queen and king, which differ between languages."""
SUIT_INKS = ("#3F6FA3", "#2E5E5A", "#9B3A2C", "#845A14")
"""Ink colours of the suits; the suits can also be distinguished by shape and letter."""
FELT_SUIT_INKS = ("#9CC0E8", "#93CFC3", "#F0A595", "#E5BF6C")
"""Ink colours of the suits for signs drawn directly on the felt."""
MAJOR_INK = "#26241F"
CARD_PAPERS = {"day": "#FBF5E6", "night": "#EDE4CF"}
PICTURE_PAPERS = {"day": "#F0DFB6", "night": "#E0CD9F"}
"""Colour of the paper behind the picture of a major or a court card, by tone of the theme."""
PICTURE_FRAME, GILT_INK = "#A8843C", "#D3A02F"
CARD_OUTLINE = "#B9AE98"
CARD_BACK, CARD_BACK_OUTLINE = "#7A2F2A", "#E0B98A"
CARD_ASPECT = 5 / 3
"""Height of a card divided by its width."""
SHADOW_DEPTH = 0.004
"""Distance of a shadow below its card.

The shadow thus lies below all cards at the same height, and doesn't fall on them.
"""
SHADOW_SOFTNESS = 0.22
"""Width of a shadow's soft edge."""
SHADOW, SHADOW_OFFSET, SHADOW_ALPHA = "#000000", (0.07, -0.035), 0.55
CACHED_FACES = 256
"""Maximum number of faces that are kept for later frames."""
PIP_COLUMNS = (
    *((1,), (2,), (3,), (2, 2), (2, 1, 2)),
    *((3, 3), (2, 3, 2), (3, 2, 3), (3, 3, 3), (3, 4, 3)),
)
"""Number of pips in each column, from left to right, on cards from ace to 10 that are shown in full."""
PIP_SIZE, ACE_SIZE, PIP_SPACING = 0.12, 0.36, (0.28, 0.265)
"""Half the size of a suit sign and of the single sign on an ace, and the distances between columns and rows.

All are fractions of a card's width.
"""
MIN_PICTURE_HEIGHT = 1.0
"""Minimum height of the picture on a cropped card.

If there is less room, a small sign is shown beside the index instead.
"""
_PATH_TOKENS = re.compile(r"[MLAO]|-?[0-9]*\.?[0-9]+")


DIGIT_SCALE = (0.8, 0.9)
"""Width and height of each digit of a two-digit number, relative to a digit on its own."""


def _digit_path(path: str, place: int) -> str:
    """Return the path of a digit, scaled and moved to its place in a two-digit number.

    ``place`` is 0 for the first digit and 1 for the second.
    """
    words, found, at, kind = _PATH_TOKENS.findall(path), [], 0, ""
    wide, high = DIGIT_SCALE
    while at < len(words):
        if words[at].isalpha():
            kind = words[at]
            found.append(kind)
            at += 1
            continue
        if kind == "A":
            rx, ry, *flags = words[at : at + 5]
            found += [str(float(rx) * wide), str(float(ry) * high), *flags]
            at += 5
        x, y = float(words[at]), float(words[at + 1])
        found += [f"{6 + 12 * place + (x - 12) * wide:.2f}", f"{12 + (y - 12) * high:.2f}"]
        at += 2
    return " ".join(found)


register_glyphs(GLYPH_PATHS)
register_glyphs(
    {
        f"number {number}": " ".join(
            [_digit_path(GLYPHS[digit], place) for place, digit in enumerate(str(number))]
        )
        for number in range(11, 79)
    }
)


def number_glyph(number: int) -> str:
    """Return the name of the glyph for a number from 0 to 78."""
    return str(number) if number <= 10 else f"number {number}"


def corner_glyph(card: int, language: str = "en") -> str:
    """Return the name of the glyph in a card's corner.

    The glyph of a court card is the letter for its rank in ``language``, or the English letter if there is no
    translation.
    """
    if card >= MINOR_COUNT:
        return number_glyph(card - MINOR_COUNT)
    rank = card % SUIT_SIZE
    if rank == 0:
        return "rank A"
    return str(rank + 1) if rank < KNAVE else f"rank {translate(language, COURT_LETTERS)[rank - KNAVE]}"


def card_ink(card: int) -> str:
    """Return the ink colour of a card: the colour of its suit, or black for a major."""
    return MAJOR_INK if card >= MINOR_COUNT else SUIT_INKS[card // SUIT_SIZE]


def make_glyph(
    glyph: str, position: Vector, size: float, ink: str, alpha: float = 1.0, stroke_width: float = 2.2
) -> Card:
    """Return a glyph that is drawn without a card under it.

    ``size`` is half the side length of the square that the glyph fills.
    """
    return Card(
        position, (size, size), ink=ink, glyph=glyph, glyph_scale=1.0, stroke_width=stroke_width, alpha=alpha
    )


def make_number(value: float, position: Vector, size: float, ink: str, alpha: float = 1.0) -> list[Card]:
    """Return the glyphs for ``value``.

    ``value`` is a multiple of ½; a half is shown as a small ½ after the whole part.
    """
    whole = int(value)
    found = [make_glyph(number_glyph(whole), position, size, ink, alpha)]
    if value != whole:
        x, y, z = position
        found.append(make_glyph("half", (x + 1.7 * size, y, z), size * 0.8, ink, alpha))
    return found


def make_shadow(position: Vector, half_size: tuple[float, float], alpha: float = 1.0) -> Card:
    """Return the soft shadow of a card; ``half_size`` is half the card's width and height."""
    x, y, z = position
    dx, dy = SHADOW_OFFSET
    half = (half_size[0] + SHADOW_SOFTNESS / 2, half_size[1] + SHADOW_SOFTNESS / 2)
    return Card(
        (x + dx, y + dy, z - SHADOW_DEPTH),
        half,
        fill=SHADOW,
        corner_rounding=0.2,
        alpha=SHADOW_ALPHA * alpha,
        surface="shadow",
        softness=SHADOW_SOFTNESS,
    )


def rotate_cards(cards: Iterable[Card], pivot: Vector, yaw: float) -> Iterable[Card]:
    """Return ``cards`` rotated by ``yaw`` radians about the vertical axis through ``pivot``."""
    if not yaw:
        return cards
    c, s = math.cos(yaw), math.sin(yaw)
    found = []
    for card in cards:
        x, y, z = card.position
        x, y = x - pivot[0], y - pivot[1]
        there = (pivot[0] + c * x - s * y, pivot[1] + s * x + c * y, z)
        found.append(card._replace(position=there, yaw=card.yaw + yaw))
    return found


def make_back(position: Vector, width: float, alpha: float = 1.0, max_height: float = 9.0) -> list[Card]:
    """Return the back of a card with its shadow.

    A card taller than ``max_height`` is cropped to its upper part.
    """
    x, y, z = position
    half = width / 2
    tall = min(half * CARD_ASPECT, max_height / 2)
    middle = (x, y + half * CARD_ASPECT - tall, z)
    inner = (0.84 * half, tall - 0.16 * half)
    return [
        make_shadow(middle, (half, tall), alpha),
        Card(
            middle, (half, tall), fill=CARD_BACK, outline=CARD_BACK_OUTLINE, corner_rounding=0.12, alpha=alpha
        ),
        Card(
            middle,
            inner,
            outline=CARD_BACK_OUTLINE,
            ink=CARD_BACK_OUTLINE,
            glyph="back",
            glyph_scale=0.8,
            corner_rounding=0.1,
            stroke_width=1.1,
            alpha=alpha,
        ),
    ]


def make_turning_card(
    position: Vector, width: float, style: PrintStyle, progress: float, finished_face: Iterable[Card]
) -> Iterable[Card]:
    """Return a card that is being turned over, as seen from above, together with its shadow.

    ``progress`` runs from 0 to 1. The back is visible in the first half and a blank face in the second. Above 0.9,
    ``finished_face`` is returned instead.
    """
    if progress > 0.9:
        return finished_face
    high = width / 2 * CARD_ASPECT
    half = max(0.02, width / 2 * abs(1 - 2 * progress))
    paper, edge = (
        (CARD_BACK, CARD_BACK_OUTLINE) if progress < 0.5 else (CARD_PAPERS[style.tone], CARD_OUTLINE)
    )
    return [
        make_shadow(position, (half, high)),
        Card(position, (half, high), fill=paper, outline=edge, corner_rounding=0.12),
    ]


class PrintStyle(NamedTuple):
    """Style in which cards are printed: the tone of the theme, and the language of the letters."""

    tone: str
    language: str = "en"


@lru_cache(maxsize=CACHED_FACES)
def make_face(
    card: int,
    position: Vector,
    width: float,
    style: PrintStyle,
    outline: str = "",
    alpha: float = 1.0,
    max_height: float = 9.0,
    yaw: float = 0.0,
) -> tuple[Card, ...]:
    """Return the face of a playing card with its shadow, as :class:`.Card` objects in drawing order.

    If the playing card is taller than ``max_height``, it is cropped to its upper part, with the index and suit scaled
    to fit. ``outline`` is the colour of the edge, or empty for the usual colour. The face is rotated by ``yaw`` radians
    about ``position``.
    """
    return tuple(
        rotate_cards(_draw_face(card, position, width, style, outline, alpha, max_height), position, yaw)
    )


def _draw_face(
    card: int,
    position: Vector,
    width: float,
    style: PrintStyle,
    outline: str,
    alpha: float,
    max_height: float,
) -> Iterator[Card]:
    """Yield the parts of the face of an unrotated card.

    For the arguments, see :func:`make_face`.
    """
    x, y, z = position
    half, ink = width / 2, card_ink(card)
    left, top = x - half, y + half * CARD_ASPECT
    whole = max_height >= width * CARD_ASPECT
    tall = half * CARD_ASPECT if whole else max_height / 2
    middle = (x, top - tall, z)
    yield make_shadow(middle, (half, tall), alpha)
    yield Card(
        middle,
        (half, tall),
        fill=CARD_PAPERS[style.tone],
        outline=outline or CARD_OUTLINE,
        corner_rounding=0.12,
        alpha=alpha,
    )
    is_low = max_height < MIN_PICTURE_HEIGHT
    small = 0.15 * width if whole else min(0.17 * width, (0.42 if is_low else 0.23) * max_height)
    corner = (left + 0.05 * width + small, top - (tall if is_low else 0.05 * width + small), z)
    yield make_glyph(corner_glyph(card, style.language), corner, small, ink, alpha, 3.0)
    suit, rank = divmod(card, SUIT_SIZE)
    is_court = card < MINOR_COUNT and rank >= KNAVE
    if card >= MINOR_COUNT:
        picture_top = top - (0.35 * width if whole else 0.05 * width)
        yield from _make_picture(
            str(card - MINOR_COUNT), (x, picture_top, z), width, top - 2 * tall, style, alpha, whole=whole
        )
        return
    beside, under = (corner[0] + 2.0 * small, corner[1], z), (corner[0], corner[1] - 2.1 * small, z)
    at = beside if is_low or (is_court and whole) else under
    yield make_glyph(f"suit {suit}", at, 0.95 * small, ink, alpha, 2.6)
    if is_low:
        return
    if not whole:
        size = min(0.3 * width, 0.8 * tall)
        sign = f"court {rank - KNAVE}" if is_court else f"suit {suit}"
        yield make_glyph(sign, (x + 0.14 * width, middle[1], z), size, ink, alpha, 1.7)
    elif is_court:
        name = f"court {rank - KNAVE}"
        yield from _make_picture(
            name, (x, top - 0.35 * width, z), width, top - 2 * tall, style, alpha, whole=True, ink=ink
        )
    else:
        yield from _make_pips(suit, rank, (x + 0.03 * width, y - 0.25 * width, z), width, alpha)


def _make_pips(suit: int, rank: int, centre: Vector, width: float, alpha: float) -> Iterator[Card]:
    """Yield the pips of a card that is shown in full; ``rank`` is 0 for the ace and 9 for the 10."""
    columns, ink = PIP_COLUMNS[rank], SUIT_INKS[suit]
    x, y, z = centre
    across, down = (distance * width for distance in PIP_SPACING)
    size, pen = (PIP_SIZE, 2.3) if rank else (ACE_SIZE, 1.6)
    for column, count in enumerate(columns):
        left = x + (column - (len(columns) - 1) / 2) * across
        for row in range(count):
            at = (left, y + ((count - 1) / 2 - row) * down, z)
            yield make_glyph(f"suit {suit}", at, size * width, ink, alpha, pen)


def _make_picture(
    name: str,
    top_middle: Vector,
    width: float,
    bottom: float,
    style: PrintStyle,
    alpha: float,
    *,
    whole: bool,
    ink: str = MAJOR_INK,
) -> Iterator[Card]:
    """Yield the drawing of a major or a court card.

    ``name`` is "7" for the Chariot or "court 2" for a queen, for example. ``bottom`` is the y coordinate of the card's
    lower edge. If ``whole`` is false, only the upper part of the drawing is shown. If there is too little height for
    that part, only the symbol of the major is shown.
    """
    x, top, z = top_middle
    low = bottom + 0.06 * width
    if whole:
        half = 0.43 * width
    elif top - low >= MIN_PICTURE_HEIGHT:
        half = min(0.3 * width, (top - low) / 2)
        x += 0.14 * width
    else:
        size = min(0.22 * width, (top - low) / 2)
        yield make_glyph(f"major {name}", (x + 0.2 * width, (top + low) / 2, z), size, ink, alpha, 1.8)
        return
    yield Card(
        (x, (top + low) / 2, z),
        (half, (top - low) / 2),
        fill=PICTURE_PAPERS[style.tone],
        outline=PICTURE_FRAME,
        corner_rounding=0.05,
        alpha=alpha,
    )
    half *= 0.96
    kind, number = name.split() if " " in name else ("", name)
    prefix = f"{kind} " if kind else ""
    parts = ((f"{prefix}gilt {number}", GILT_INK, 1.0), (f"{prefix}figure {number}", ink, 0.62))
    upper = (x, top - 0.04 * half - half, z)
    yield from (make_glyph(glyph, upper, half, colour, alpha, pen) for glyph, colour, pen in parts)
    if whole:
        lower = (x, upper[1] - LOWER_PART_SHIFT / 12 * half, z)
        yield from (
            make_glyph(f"lower {glyph}", lower, half, colour, alpha, pen) for glyph, colour, pen in parts
        )
