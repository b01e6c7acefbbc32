"""A postcard of a match: a picture above the game, the players, the result and the date."""

from __future__ import annotations

from datetime import date

import numpy as np

from shibumi3d.app.wording import format_date, titled
from shibumi3d.cli.lettering import Pixels, channels, write
from shibumi3d.cli.text import result_line
from shibumi3d.match.match import Match
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import style

MARGIN, FOOT = 0.045, 0.2
"""Width of the white border, and height of the text area below the picture.

The first is a fraction of the card's shorter side, the second of its height.
"""


def room(width: int, height: int) -> tuple[int, int, int]:
    """Return the width of the border, and the width and height of the picture, all in pixels."""
    edge = round(MARGIN * min(width, height))
    return edge, width - 2 * edge, height - edge - round(FOOT * height)


def postcard(match: Match, picture: Pixels, width: int, height: int, day: date) -> Pixels:
    """Return the postcard of a match as an array of shape (height, width, 3).

    ``picture`` has the size given by :func:`room`.
    """
    look = style("day")
    card = np.empty((height, width, 3), np.uint8)
    card[:] = channels(look.card)
    edge, wide, high = room(width, height)
    card[edge : edge + high, edge : edge + wide] = picture
    foot = Rect(edge, edge + high, wide, height - edge - high).inset(0, edge * 0.4)
    form = f", {match.game.variant}" if match.game.variant else ""
    title, rest = foot.cut_top(foot.h * 0.44)
    left, right = title.cut_right(wide * 0.3)[::-1]
    write(card, left, f"{titled(match.game)}{form}", look.ink, "title", title.h * 0.72)
    write(card, right, format_date(day), look.soft, "serif", title.h * 0.42, 1)
    names, ending = rest.cut_top(rest.h / 2)
    write(card, names, " \u2013 ".join(match.names), look.ink, "sans", names.h * 0.66)
    write(card, ending, result_line(match), look.soft, "sans", ending.h * 0.6)
    return card
