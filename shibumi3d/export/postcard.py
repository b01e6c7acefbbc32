"""A postcard of a match: a picture above the game, the players, the result and the date."""

from __future__ import annotations

from datetime import date

import numpy as np

from shibumi3d.export.lettering import draw_text, to_rgb
from shibumi3d.match.match import Match
from shibumi3d.render.png import RgbImage
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import make_style
from shibumi3d.wording import describe_result, format_date, title_with_variant

POSTCARD_BORDER, POSTCARD_FOOT_HEIGHT = 0.045, 0.2
"""Width of the white border, and height of the text area below the picture.

The first is a fraction of the card's shorter side, the second of its height.
"""


def postcard_layout(width: int, height: int) -> tuple[int, int, int]:
    """Return the width of a postcard's border, and the width and height of its picture, all in pixels."""
    edge = round(POSTCARD_BORDER * min(width, height))
    return edge, width - 2 * edge, height - edge - round(POSTCARD_FOOT_HEIGHT * height)


def draw_postcard(match: Match, picture: RgbImage, width: int, height: int, day: date) -> RgbImage:
    """Return the postcard of a match as an array of shape (height, width, 3).

    ``picture`` has the size given by :func:`postcard_layout`; ``day`` is the date to print.
    """
    look = make_style("day")
    card = np.empty((height, width, 3), np.uint8)
    card[:] = to_rgb(look.card)
    edge, wide, high = postcard_layout(width, height)
    card[edge : edge + high, edge : edge + wide] = picture
    foot = Rect(edge, edge + high, wide, height - edge - high).inset(0, edge * 0.4)
    title, rest = foot.cut_top(foot.h * 0.44)
    left, right = title.cut_right(wide * 0.3)[::-1]
    draw_text(card, left, title_with_variant(match.game), look.ink, "title", title.h * 0.72)
    draw_text(card, right, format_date(day), look.secondary_ink, "serif", title.h * 0.42, 1)
    names, ending = rest.cut_top(rest.h / 2)
    draw_text(card, names, " \u2013 ".join(match.names), look.ink, "sans", names.h * 0.66)
    draw_text(card, ending, describe_result(match), look.secondary_ink, "sans", ending.h * 0.6)
    return card
