"""Drawings of the majors: the pictures on tarot cards as strokes, some of them in gold.

A drawing is 24 units wide and :data:`FIGURE_HEIGHT` units high, with y pointing down, in the syntax of
:mod:`shibumi3d.scene.glyphs`. Glyphs are square, so each drawing becomes two of them: its upper part fills one, and the
rest is shown by another, ``LOWER_PART_SHIFT`` units further down.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from shibumi3d.scene.glyphs import parse_path, register_glyphs

FIGURE_HEIGHT = 35.0
LOWER_PART_SHIFT = 23.5
"""Distance between the tops of both glyphs of a drawing.

A glyph shows nothing within a hundredth of its edge, so the second one begins half a unit before the first one ends.
"""

Points = tuple[float, ...]
"""Coordinates x, y, x, y and so on."""


def line(*points: float) -> str:
    """Return straight strokes through all points."""
    pairs = [f"{x:g} {y:g}" for x, y in zip(points[::2], points[1::2], strict=True)]
    return "M" + "L".join(pairs)


def curve(*points: float) -> str:
    """Return a smooth stroke through all points."""
    at = list(zip(points[::2], points[1::2], strict=True))
    at = [at[0], *at, at[-1]]
    found = [at[0]]
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in zip(at, at[1:], at[2:], at[3:], strict=False):
        for step in range(1, 7):
            t = step / 6
            found.append(
                (
                    bx
                    + t
                    * ((cx - ax) + t * ((2 * ax - 5 * bx + 4 * cx - dx) + t * (3 * bx - ax - 3 * cx + dx)))
                    / 2,
                    by
                    + t
                    * ((cy - ay) + t * ((2 * ay - 5 * by + 4 * cy - dy) + t * (3 * by - ay - 3 * cy + dy)))
                    / 2,
                )
            )
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in found)


def ellipse(x: float, y: float, x_radius: float, y_radius: float = 0.0) -> str:
    """Return the outline of an ellipse, or of a circle if ``y_radius`` is 0."""
    y_radius = y_radius or x_radius
    start, end = f"{x + x_radius:g} {y:g}", f"{x - x_radius:g} {y:g}"
    half = f"A{x_radius:g} {y_radius:g} 0 1 1 "
    return f"M{start}{half}{end}{half}{start}"


def dots(radius: float, *points: float) -> str:
    """Return a dot at each point."""
    return "".join(f"O{x:g} {y:g} {radius:g}" for x, y in zip(points[::2], points[1::2], strict=True))


def rays(
    x: float, y: float, inner: float, outer: float, count: int, start: float = 0.0, fraction: float = 1.0
) -> str:
    """Return strokes around a centre.

    They begin at ``start`` and cover ``fraction`` of a turn; both are fractions of a turn, clockwise from the top.
    """
    found = []
    for k in range(count):
        a = math.tau * (start + fraction * k / count)
        s, c = math.sin(a), -math.cos(a)
        found.append(line(x + inner * s, y + inner * c, x + outer * s, y + outer * c))
    return "".join(found)


def star(x: float, y: float, radius: float, points: int = 8, inner: float = 0.42) -> str:
    """Return the outline of a star."""
    at: list[float] = []
    for k in range(2 * points + 1):
        a, far = math.pi * k / points, radius * (inner if k % 2 else 1.0)
        at += [x + far * math.sin(a), y - far * math.cos(a)]
    return line(*(round(number, 2) for number in at))


def head(x: float, y: float, size: float = 2.0, side: int = 0) -> str:
    """Return a face: from the front, or in profile to the west (-1) or east (1)."""
    if not side:
        return (
            ellipse(x, y, 0.85 * size, size)
            + dots(0.04 * size, x - 0.34 * size, y - 0.05 * size, x + 0.34 * size, y - 0.05 * size)
            + line(x - 0.25 * size, y + 0.5 * size, x + 0.25 * size, y + 0.5 * size)
        )
    s = side * size
    return (
        ellipse(x, y, 0.85 * size, size)
        + line(x + 0.8 * s, y - 0.15 * size, x + 1.12 * s, y + 0.2 * size, x + 0.82 * s, y + 0.3 * size)
        + dots(0.04 * size, x + 0.4 * s, y - 0.15 * size)
    )


def crown(x: float, y: float, half_width: float, height: float, points: int = 3) -> str:
    """Return a crown whose lower edge is centred on (x, y)."""
    at = [x - half_width, y]
    for k in range(points):
        at += [x + half_width * ((2 * k + 1) / points - 1) * 1.25, y - height]
        if k + 1 < points:
            at += [x + half_width * ((2 * k + 2) / points - 1), y - 0.45 * height]
    return line(*(round(number, 2) for number in at), x + half_width, y, x - half_width, y)


def mirrored(path: str, centre: float = 12.0) -> str:
    """Return a drawing made of lines and dots together with its mirror image."""
    found = path
    strokes, spots = parse_path(path)
    for stroke in strokes:
        found += line(*(round(number, 2) for x, y in stroke for number in (2 * centre - x, y)))
    return found + "".join(dots(r, 2 * centre - x, y) for x, y, r in spots)


def joined(parts: Iterable[str]) -> str:
    """Return all parts as one path."""
    return "".join(parts)


FIGURES: dict[str, str] = {
    # The Fool walks off a cliff with his bundle, a dog at his heel.
    "0": joined(
        (
            head(13, 8.2, 2.0, 1),
            curve(11.2, 7.2, 11, 4.6, 13.5, 5.4, 15.2, 6.6),
            curve(11.2, 5.2, 9.6, 3.2, 7.6, 3.6),
            curve(11.6, 10.4, 9.6, 12.4, 9, 16, 7.4, 21.6),
            curve(14.2, 10.6, 15.4, 13, 15.6, 17, 16.8, 21.2),
            line(7.4, 21.6, 9, 20.6, 10.4, 22, 12, 20.7, 13.6, 22, 15.2, 20.6, 16.8, 21.2),
            line(9.6, 16.4, 15.5, 16.4),
            curve(10.6, 11.6, 7.6, 13.2, 6.4, 10.4),
            line(9.8, 14, 2.4, 4.2),
            ellipse(2.9, 3.4, 1.9, 1.7),
            curve(15, 12.4, 18, 14.4, 20.4, 12.8),
            dots(0.2, 20.9, 11.9, 21.6, 12.6, 20.6, 11.2),
            line(10.4, 22, 9.6, 26, 8.4, 30.6, 10.6, 30.9),
            line(14.6, 21.8, 17.4, 25.6, 19, 29, 20.8, 28.2),
            curve(1, 34.2, 1.4, 31.4, 5, 31.4, 12.5, 31.4, 14, 32.6, 13.4, 34.4),
            curve(2.4, 30.6, 2.6, 28, 5.2, 27.6, 6, 25.6, 7.6, 26.6, 6.4, 28.2, 6, 30.6),
            curve(2.6, 28.4, 1.2, 27.4, 1.4, 25.8),
        )
    ),
    # The Magician behind his table, a wand raised.
    "1": joined(
        (
            head(12, 9, 2.1),
            "M12 4A2.6 1.6 0 1 1 12 3.9M12 4",
            curve(12, 4, 14, 2.2, 16.4, 4, 14, 5.8, 12, 4, 10, 2.2, 7.6, 4, 10, 5.8, 12, 4),
            curve(9, 12.4, 12, 11.3, 15, 12.4),
            curve(9, 12.4, 7.6, 16, 7.8, 22.6),
            curve(15, 12.4, 16.4, 16, 16.2, 22.6),
            line(12, 12, 12, 17.6),
            line(8.2, 17.6, 15.8, 17.6),
            curve(9, 12.6, 5.2, 12.8, 4.2, 8.2),
            line(4.2, 8.6, 4.2, 3),
            curve(15, 12.6, 18.6, 14.6, 19.6, 19.6),
            line(1.6, 22.8, 22.4, 22.8, 22.4, 24.4, 1.6, 24.4, 1.6, 22.8),
            line(3.4, 24.4, 3.4, 34, 5, 34, 5, 24.4),
            line(20.6, 24.4, 20.6, 34, 19, 34, 19, 24.4),
            curve(8.4, 24.6, 8, 30, 6.8, 34),
            curve(15.6, 24.6, 16, 30, 17.2, 34),
            curve(12, 24.6, 11.6, 30, 12, 34),
            curve(3, 18.4, 3.2, 21, 4.6, 21.2, 6, 21, 6.2, 18.4),
            line(3, 18.4, 6.2, 18.4),
            line(4.6, 21.2, 4.6, 22.6),
            line(17, 21.8, 22, 20.6),
            ellipse(9.8, 21.4, 1.1, 0.9),
        )
    ),
    # The High Priestess between two columns.
    "2": joined(
        (
            mirrored(
                line(1.4, 34, 1.4, 8, 4.6, 8, 4.6, 34)
                + line(0.8, 8, 5.2, 8, 5.2, 6.2, 0.8, 6.2, 0.8, 8)
                + curve(1.4, 6, 3, 3.6, 4.6, 6)
                + line(2.5, 10, 2.5, 33)
                + line(3.5, 10, 3.5, 33)
            ),
            head(12, 10.6, 2.1),
            crown(12, 8, 2.3, 3.2),
            curve(9.6, 8.4, 8, 13, 7.4, 17, 6.8, 25, 6.4, 32.4),
            curve(14.4, 8.4, 16, 13, 16.6, 17, 17.2, 25, 17.6, 32.4),
            curve(6.4, 32.4, 9, 34, 12, 32.8, 15, 34, 17.6, 32.4),
            curve(9.4, 12.8, 12, 14.6, 14.6, 12.8),
            line(12, 14.2, 12, 16.8),
            line(10.9, 15.4, 13.1, 15.4),
            line(9, 18, 12, 19, 15, 18, 15, 22.6, 12, 23.6, 9, 22.6, 9, 18),
            line(12, 19, 12, 23.6),
            curve(7.4, 17.6, 7.6, 21, 9, 21),
            curve(16.6, 17.6, 16.4, 21, 15, 21),
            curve(10.4, 24.2, 9.6, 28, 9.8, 32.6),
            curve(13.6, 24.2, 14.4, 28, 14.2, 32.6),
        )
    ),
    # The Empress with sceptre and shield.
    "3": joined(
        (
            mirrored(curve(5.2, 33.6, 5, 22, 3.4, 15, 5, 11.6, 8.6, 13.6)),
            head(12, 8.8, 2.1),
            crown(12, 6.4, 2.2, 3.0, 5),
            mirrored(curve(10.2, 7.6, 9.2, 10, 9.6, 12)),
            curve(8.6, 13.6, 12, 11.4, 15.4, 13.6),
            mirrored(curve(8.6, 13.6, 8.6, 17.4, 9.6, 18.4)),
            line(9.6, 18.4, 14.4, 18.4),
            curve(9.6, 18.4, 6.8, 25, 5.2, 33.6),
            curve(14.4, 18.4, 17.2, 25, 18.8, 33.6),
            curve(5.2, 33.6, 8.6, 32.4, 12, 33.8, 15.4, 32.4, 18.8, 33.6),
            curve(11, 19, 9.8, 26, 9.4, 32.6),
            curve(13.2, 19, 14.4, 26, 14.8, 32.6),
            curve(8.6, 14, 5.4, 17.6, 6.2, 20.4),
            line(7.4, 22.6, 3, 9.4),
            ellipse(2.5, 7.6, 1.5),
            line(2.5, 6, 2.5, 4),
            line(1.6, 5, 3.4, 5),
            curve(15.4, 14, 18.4, 17, 17.8, 19.8),
            curve(14.8, 20, 19.4, 18.6, 22.4, 20.6, 22.2, 25, 19, 28, 15.8, 25.2, 14.8, 20),
            ellipse(18.8, 22, 1.3),
            line(18.8, 23.4, 18.8, 26),
            line(17.6, 24.7, 20, 24.7),
        )
    ),
    # The Emperor on his throne, in profile.
    "4": joined(
        (
            line(16.2, 13, 20.4, 13, 20.4, 34, 17.6, 34),
            line(20.4, 24, 12.4, 24),
            curve(20.4, 13, 22.4, 11.6, 20.6, 10.2, 19, 11.4),
            head(11.6, 8.6, 2.1, -1),
            curve(10.4, 10.4, 9.6, 13.2, 11.6, 14.2, 12.8, 12.4, 12.8, 10.4),
            crown(12, 6.6, 2.5, 3.6),
            curve(13.4, 11, 16, 13, 16.8, 18, 16, 24),
            curve(11, 14, 9.2, 18, 9.6, 22.4),
            curve(9.6, 22.4, 6.4, 23.4, 5.6, 26, 6.6, 32.8),
            line(6.6, 32.8, 3.8, 34, 8.6, 34),
            curve(12.4, 24, 9.6, 26, 9.8, 33.8),
            curve(12.4, 24.6, 14.6, 29, 17.4, 30, 17.6, 34),
            curve(13.6, 15, 9, 18.4, 5.2, 16.6),
            line(4.6, 23, 4.6, 7),
            ellipse(4.6, 5.4, 1.6),
            line(4.6, 3.8, 4.6, 1.8),
            line(3.6, 2.8, 5.6, 2.8),
            curve(13, 18, 11.4, 20.4, 12.8, 22),
            line(1.6, 34, 22.4, 34),
            star(15.2, 28, 0.1, 4),
        )
    ),
    # The Hierophant blesses two listeners.
    "5": joined(
        (
            head(12, 10, 2.1),
            curve(9.7, 8.2, 9.4, 5, 12, 2.2, 14.6, 5, 14.3, 8.2, 9.7, 8.2),
            line(9.6, 6.4, 14.4, 6.4),
            line(10.3, 4.4, 13.7, 4.4),
            line(12, 2.2, 12, 0.9),
            curve(10.5, 11.6, 12, 15.4, 13.5, 11.6),
            curve(9.8, 13, 7, 14.4, 6, 20, 5.4, 26),
            curve(14.2, 13, 17, 14.4, 18, 20, 18.6, 26),
            line(10.6, 14.6, 10.4, 26.4),
            line(13.4, 14.6, 13.6, 26.4),
            dots(0.1, 12, 17.4, 12, 20.4, 12, 23.4),
            curve(6.4, 17.6, 4, 15.6, 4.4, 11.6),
            line(4.4, 11.6, 4.2, 9.2),
            line(4.4, 11.6, 5.3, 9.4),
            curve(17.6, 17.6, 19.4, 17.6, 20, 15.4),
            line(20, 27, 20, 3),
            line(18.8, 4.6, 21.2, 4.6),
            line(18.2, 7, 21.8, 7),
            line(17.8, 9.4, 22.2, 9.4),
            mirrored(
                ellipse(5.4, 28.2, 1.8, 1.9)
                + curve(4.2, 26.6, 5.4, 25.8, 6.6, 26.6)
                + curve(2, 34, 2.2, 31, 5.4, 30.4, 8.4, 31, 8.8, 34)
            ),
        )
    ),
    # The Lovers under an angel.
    "6": joined(
        (
            head(12, 5, 1.6),
            mirrored(
                curve(10.6, 7.2, 7, 8.4, 3, 5, 1.6, 2.4)
                + curve(1.6, 2.4, 1.2, 7.4, 4.4, 10.4, 9.4, 10)
                + curve(3.6, 6.2, 4.2, 8.2, 6, 9.6)
                + curve(10.6, 7.2, 9, 9, 8.2, 11.8)
            ),
            curve(8.2, 11.8, 10, 12.8, 12, 12, 14, 12.8, 15.8, 11.8),
            head(6.6, 17, 1.8),
            curve(4.9, 16.4, 5, 14.6, 6.6, 14.6, 8.2, 14.8, 8.3, 16.4),
            curve(4.9, 16.4, 4, 19, 4.4, 21),
            curve(5.6, 19, 3.4, 20.6, 4.4, 25, 2.8, 33.6),
            curve(7.6, 19, 9, 20.6, 8.6, 25, 9.6, 33.6),
            curve(2.8, 33.6, 6.2, 34.4, 9.6, 33.6),
            curve(6.4, 24.6, 6, 29, 6.2, 34),
            head(17.4, 17, 1.8),
            curve(15.7, 16.4, 16, 14.8, 17.4, 14.7, 19, 14.8, 19.1, 16.4),
            curve(16.4, 19, 15, 20.6, 15.4, 25.4),
            curve(18.4, 19, 20.4, 20.6, 19.6, 25.4),
            line(15.2, 25.4, 19.8, 25.4),
            line(15.6, 25.4, 15.2, 33.6, 13.8, 33.8),
            line(17.5, 26, 17.2, 33.6),
            line(19.4, 25.4, 19.8, 33.6, 21.2, 33.8),
            curve(8.4, 20.6, 10.4, 23.4, 12, 23.4, 13.6, 23.4, 15.4, 20.6),
            curve(19.8, 20.8, 21.6, 23.4, 20.6, 26),
        )
    ),
    # The Chariot under its canopy, with two horses.
    "7": joined(
        (
            line(3, 6, 21, 6, 21, 3.8, 3, 3.8, 3, 6),
            line(
                3,
                6,
                4.8,
                7.6,
                6.6,
                6,
                8.4,
                7.6,
                10.2,
                6,
                12,
                7.6,
                13.8,
                6,
                15.6,
                7.6,
                17.4,
                6,
                19.2,
                7.6,
                21,
                6,
            ),
            line(4, 7.4, 4, 18.6),
            line(20, 7.4, 20, 18.6),
            head(12, 11, 1.9),
            crown(12, 9.3, 2.0, 1.8),
            curve(9.4, 14.4, 12, 13, 14.6, 14.4),
            curve(9.4, 14.4, 8.6, 16.4, 9, 18.6),
            curve(14.6, 14.4, 15.4, 16.4, 15, 18.6),
            curve(15, 15, 17, 16.4, 17.6, 14),
            line(17.6, 17.6, 17.6, 10.4),
            line(2.6, 18.6, 21.4, 18.6, 19.8, 25.4, 4.2, 25.4, 2.6, 18.6),
            star(12, 22, 2.2, 5),
            mirrored(
                ellipse(2.4, 29, 1.2, 4.6)
                + curve(10.6, 34, 11.2, 30.4, 10, 27.4, 8.2, 26.6, 6.4, 28.6, 5.4, 31, 6.4, 31.8, 8, 30.6)
                + line(8.2, 26.6, 8.4, 25.4)
                + curve(8, 30.6, 7.6, 32.4, 7.8, 34)
                + dots(0.08, 7.6, 28.6)
            ),
        )
    ),
    # Justice with sword and scales.
    "8": joined(
        (
            head(12, 8.4, 2.1),
            crown(12, 6.1, 2.2, 2.8),
            mirrored(curve(10.2, 7, 9.2, 9.4, 9.4, 11.4)),
            curve(8.2, 13, 12, 11, 15.8, 13),
            curve(8.2, 13, 7.8, 18, 8.8, 21, 7.2, 27, 6.4, 33.6),
            curve(15.8, 13, 16.2, 18, 15.2, 21, 16.8, 27, 17.6, 33.6),
            line(8.8, 21, 15.2, 21),
            curve(6.4, 33.6, 9.2, 32.4, 12, 33.8, 14.8, 32.4, 17.6, 33.6),
            curve(10.6, 21.4, 9.8, 28, 10, 32.6),
            curve(13.4, 21.4, 14.2, 28, 14, 32.6),
            curve(8.2, 13.6, 5.2, 15.4, 4.2, 20),
            line(3.5, 22.6, 3.5, 5, 4.2, 2.8, 4.9, 5, 4.9, 22.6),
            line(1.8, 18.2, 6.6, 18.2),
            dots(0.5, 4.2, 23.4),
            curve(15.8, 13.6, 18.4, 15, 19.8, 12.4),
            line(19.8, 12.4, 19.8, 14.4),
            line(16.8, 14.4, 22.6, 14.4),
            line(16.8, 14.4, 15.6, 19.4, 18.2, 19.4, 16.8, 14.4),
            line(22.6, 14.4, 21.2, 19.4, 23.6, 19.4, 22.6, 14.4),
            curve(15.5, 19.4, 16.9, 21.2, 18.3, 19.4),
            curve(21.1, 19.4, 22.4, 21.2, 23.7, 19.4),
        )
    ),
    # The Hermit with lantern and staff.
    "9": joined(
        (
            head(12.6, 9, 1.9, -1),
            curve(10.4, 7.4, 10.6, 4.6, 13.4, 4.2, 16.4, 6.6, 16, 11.4),
            curve(11.2, 10.6, 10.2, 13.4, 11.2, 17, 13, 14.4, 13.8, 11),
            curve(16, 11.4, 19, 15, 19.6, 23, 20.6, 33.4),
            curve(10.4, 13, 8.8, 16.4, 8.8, 23, 7.2, 33.4),
            curve(7.2, 33.4, 11, 34.4, 14, 33.2, 17, 34.4, 20.6, 33.4),
            curve(14.6, 16, 15.6, 25, 15, 33.2),
            curve(11.6, 19, 11, 27, 11.2, 33.8),
            curve(10, 14.4, 6.6, 13.4, 4.6, 10.8),
            curve(9.2, 17.6, 6.4, 16.6, 4.6, 10.8),
            line(4.6, 10.8, 4.6, 12.4),
            line(2.6, 14.2, 4.6, 12.4, 6.6, 14.2, 6.2, 18.2, 3, 18.2, 2.6, 14.2, 6.6, 14.2),
            line(18.2, 18, 20.2, 19.4),
            curve(20.6, 34, 21, 20, 20.4, 8.4, 22, 7),
        )
    ),
    # The Wheel of Fortune on its stand.
    "10": joined(
        (
            ellipse(12, 17, 8.2),
            ellipse(12, 17, 6.8),
            ellipse(12, 17, 1.6),
            rays(12, 17, 1.6, 6.8, 8),
            line(12, 25.2, 12, 33.6),
            line(9.6, 19.6, 4.6, 33.6, 19.4, 33.6, 14.4, 19.6),
            line(13.4, 17.4, 22.6, 21.4),
            line(22.6, 21.4, 22, 23),
            head(12, 4.6, 1.5),
            crown(12, 3, 1.5, 1.8),
            curve(9.4, 8.6, 10.2, 6.8, 12, 6.2, 13.8, 6.8, 14.6, 8.6),
            line(14.8, 7.8, 18.4, 3.4),
            ellipse(2.6, 13, 1.2),
            curve(3, 14.4, 2.6, 18, 4, 20.4, 2.2, 23.2),
            line(2.9, 15.6, 5, 13.2),
            ellipse(21.6, 26.6, 1.2),
            curve(21.4, 25.4, 22, 22.6, 20.4, 20.2, 21.8, 17.4),
            line(21.6, 24.2, 19.4, 24.2),
        )
    ),
    # Strength opens the jaws of a lion.
    "11": joined(
        (
            head(10, 7.8, 2.0),
            curve(10, 3.6, 11.6, 2.2, 13.6, 3.6, 11.6, 5, 10, 3.6, 8.4, 2.2, 6.4, 3.6, 8.4, 5, 10, 3.6),
            curve(8.4, 6.8, 7.2, 10, 5.8, 12.6),
            curve(11.6, 6.8, 12.4, 9.4, 12, 11),
            curve(7.6, 12, 10, 10.4, 12.6, 12),
            curve(7.6, 12, 6.6, 16, 7.4, 19, 5, 26, 3.4, 33.6),
            curve(12.6, 12, 13.4, 15, 12.8, 17.6),
            line(7.4, 19, 11.6, 19),
            curve(3.4, 33.6, 6, 32.6, 8.4, 33.8),
            curve(8.6, 19.4, 6.8, 27, 6.4, 32.6),
            curve(12.6, 12.6, 16.4, 14.6, 19.4, 18.4),
            curve(7.6, 13, 9.6, 18.4, 14.6, 21.6),
            ellipse(17, 21.4, 3.0, 2.9),
            dots(0.1, 16, 20.6, 18.4, 20.4),
            line(16.6, 22.2, 17.2, 22.9, 17.8, 22.2),
            curve(15.6, 23.4, 17.2, 25.2, 18.8, 23.4),
            star(17, 21.4, 5.4, 13, 0.78),
            curve(13.4, 25.8, 10.2, 28.6, 9.6, 33.8),
            curve(20.6, 25.8, 22.4, 29.4, 21.4, 33.8),
            line(13, 33.8, 13.4, 28.8),
            line(16.6, 33.8, 16.6, 28),
            line(9.6, 33.8, 21.4, 33.8),
            curve(21.8, 30, 23.4, 27.4, 22.8, 24.6),
        )
    ),
    # The Hanged Man by one foot.
    "12": joined(
        (
            line(1.6, 34, 1.6, 3.4, 3.6, 3.4, 3.6, 34),
            line(22.4, 34, 22.4, 3.4, 20.4, 3.4, 20.4, 34),
            line(0.8, 3.4, 23.2, 3.4, 23.2, 1.4, 0.8, 1.4, 0.8, 3.4),
            line(12, 3.4, 12, 6),
            line(11, 6, 13.2, 6),
            line(11, 6, 10.8, 15.4),
            line(13.2, 6, 13.2, 15.4),
            line(13.2, 14.2, 18.2, 11.4, 17.4, 9.8, 13.2, 12.4),
            curve(10.8, 15.4, 9.2, 16.6, 8.8, 23.4),
            curve(13.2, 15.4, 14.8, 16.6, 15.2, 23.4),
            line(8.8, 23.4, 15.2, 23.4),
            line(9.4, 18, 14.6, 18),
            curve(8.8, 22.4, 5.8, 19.8, 9.2, 18.6),
            curve(15.2, 22.4, 18.2, 19.8, 14.8, 18.6),
            ellipse(12, 26.2, 1.8, 2.1),
            dots(0.08, 11.3, 26.3, 12.7, 26.3),
            curve(10.4, 27.2, 10.2, 29.4, 11, 30.4),
            curve(13.6, 27.2, 13.8, 29.4, 13, 30.4),
            line(12, 28.4, 12, 30.6),
            dots(0.1, 2.6, 9, 2.6, 15, 2.6, 21, 2.6, 27, 21.4, 9, 21.4, 15, 21.4, 21, 21.4, 27),
        )
    ),
    # Death mows.
    "13": joined(
        (
            curve(8.6, 8.6, 6.8, 6.8, 7.2, 3.8, 10, 2.2, 12.8, 3.8, 13, 6.8, 11.4, 8.6),
            line(8.6, 8.6, 8.6, 10.4, 11.4, 10.4, 11.4, 8.6),
            line(9.5, 9, 9.5, 10.4),
            line(10.5, 9, 10.5, 10.4),
            dots(0.55, 8.9, 6, 11.3, 6),
            line(10, 7.4, 10, 8),
            line(10.2, 10.4, 11.2, 20.6),
            curve(7.4, 12.6, 10.4, 11.8, 14, 12.8),
            curve(7.6, 14.8, 10.6, 13.8, 14, 15),
            curve(8.2, 17, 10.8, 15.8, 13.8, 17.2),
            curve(8.6, 21.4, 11.2, 19.4, 14, 21.2, 13, 22.8, 11.4, 21.8, 9.6, 23, 8.6, 21.4),
            line(9.4, 22.6, 6.4, 27.4, 8, 33.2, 5.6, 33.6),
            line(13, 22.6, 15.4, 27, 13.6, 33, 16, 33.6),
            line(7.4, 12.6, 5, 17.6, 11, 20),
            line(14, 12.8, 17.6, 16.4, 15.6, 22),
            line(4, 17, 18.6, 24.8),
            line(4, 17, 2.4, 30.4),
            line(18.6, 24.8, 22, 26.8),
            curve(21.4, 26.4, 21.2, 14, 16.4, 6.6, 14.6, 4.4),
            curve(20.6, 26, 19.4, 15, 14.6, 4.4),
            curve(1, 32.6, 6, 31.4, 12, 32.4, 18, 31.4, 23, 32.6),
            ellipse(19.8, 31.2, 1.2, 1.3),
            line(3, 32, 2.6, 34.4),
            line(11, 34, 11.4, 35),
        )
    ),
    # Temperance pours from one jug into another.
    "14": joined(
        (
            head(12, 8, 2.0),
            curve(10.2, 7, 10.4, 4.6, 12, 4.6, 13.6, 4.6, 13.8, 7),
            mirrored(
                curve(9, 12, 5, 8.4, 2, 3.4)
                + curve(2, 3.4, 1, 12, 3, 19, 5.6, 22)
                + curve(3, 8, 3.4, 14, 5.4, 18.4)
                + curve(5, 9.6, 5.6, 13, 7.4, 16)
            ),
            curve(9, 12, 12, 10.6, 15, 12),
            curve(9, 12, 8.2, 16, 8.8, 19, 6.6, 26, 6, 33.6),
            curve(15, 12, 15.8, 16, 15.2, 19, 17.4, 26, 18, 33.6),
            line(8.8, 19, 15.2, 19),
            curve(6, 33.6, 9, 32.4, 12, 33.8, 15, 32.4, 18, 33.6),
            curve(11, 19.6, 10, 27, 10, 32.8),
            curve(15, 13, 18.2, 14.4, 18, 16),
            curve(9, 13.4, 6.4, 19, 8, 23.6),
            line(15.4, 13.4, 18, 11.6, 21, 16, 18.6, 17.6, 15.4, 13.4),
            line(6, 22.6, 9.4, 22.6, 8.8, 27, 6.8, 27, 6, 22.6),
            curve(15.6, 14.4, 12, 17.4, 8.4, 22.4),
        )
    ),
    # The Devil with two captives.
    "15": joined(
        (
            head(12, 9, 2.1),
            mirrored(
                curve(10.6, 7.4, 9, 5.6, 8.8, 2.4, 7.2, 4.6, 8.4, 7.6, 10.2, 8.4)
                + curve(9, 13, 5.4, 10.4, 1.4, 5.6)
                + curve(1.4, 5.6, 0.8, 11, 1.8, 15.6)
                + curve(1.8, 15.6, 3.4, 13.4, 4.6, 17.6)
                + curve(4.6, 17.6, 6, 15, 7.8, 19)
                + line(1.4, 5.6, 4.6, 17.4)
                + curve(9, 13, 7.8, 16, 8.6, 20)
                + curve(8.6, 20, 5.6, 21.4, 6.2, 24)
            ),
            curve(9, 13, 12, 11.4, 15, 13),
            curve(11.3, 11, 12, 12.8, 12.7, 11),
            curve(8.6, 20, 12, 21.6, 15.4, 20),
            line(12, 16, 12, 18.4),
            line(5, 24, 19, 24, 19, 26, 5, 26, 5, 24),
            line(7, 26, 7, 34),
            line(17, 26, 17, 34),
            mirrored(
                ellipse(3.6, 27.4, 1.4, 1.5)
                + line(2.8, 26, 2.2, 24.6)
                + line(4.4, 26, 5, 24.6)
                + curve(2.4, 29.2, 1.4, 31, 2, 34.4)
                + curve(4.8, 29.2, 5.8, 31, 5.2, 34.4)
                + curve(4.8, 29.4, 8, 31.6, 11.2, 29.6)
            ),
            ellipse(12, 29.2, 1.1),
            line(7, 34, 17, 34),
        )
    ),
    # The Tower struck by lightning.
    "16": joined(
        (
            line(7.4, 34, 8.2, 12.4, 15.8, 12.4, 16.6, 34),
            line(7.4, 34, 16.6, 34),
            line(8.2, 12.4, 9.6, 11, 10.8, 12.4, 12, 11, 13.2, 12.4, 14.4, 11, 15.8, 12.4),
            line(
                9.2,
                6.2,
                17.6,
                9.2,
                18.4,
                6.2,
                16.2,
                6.6,
                15.4,
                4,
                13.4,
                5.8,
                11.4,
                3,
                10.8,
                5.2,
                9.2,
                3.6,
                9.2,
                6.2,
            ),
            line(10.6, 16, 12.4, 16, 12.4, 19.6, 10.6, 19.6, 10.6, 16),
            line(12.2, 23, 14, 23, 14, 26.6, 12.2, 26.6, 12.2, 23),
            line(8, 21.2, 16, 21.2),
            line(7.7, 28.6, 16.3, 28.6),
            line(10, 34, 10, 28.8),
            line(14.4, 21, 14.4, 16),
            line(23, 1.6, 18.6, 4.2, 19.8, 5.4, 16.6, 8.4),
            ellipse(3.4, 25.4, 1.3),
            curve(3.6, 24, 4.6, 21.4, 4, 18.8),
            line(4.2, 22.4, 6.2, 24.6),
            line(4.4, 21.8, 2, 20.2),
            line(4, 18.8, 2.6, 16.4),
            line(4, 18.8, 5.4, 16.2),
            ellipse(20.6, 29.4, 1.3),
            curve(20.4, 28, 19.4, 25.4, 20.2, 22.8),
            line(20, 26.4, 17.8, 28.4),
            line(19.8, 26, 22.4, 24.4),
            line(20.2, 22.8, 18.8, 20.6),
            line(20.2, 22.8, 21.6, 20.4),
            curve(1, 34.2, 4, 33, 7.2, 34),
            curve(16.8, 34, 20, 33, 23, 34.2),
        )
    ),
    # The Star: a kneeling woman pours water.
    "17": joined(
        (
            star(12, 6, 4.8, 8),
            joined(
                star(x, y, 1.5, 6)
                for x, y in ((3, 3.6), (21, 3.6), (4.6, 9.4), (19.4, 9.4), (2.6, 15), (21.4, 15), (16.4, 13))
            ),
            head(11.4, 16.4, 1.7, -1),
            curve(12.4, 15, 14.4, 16.6, 14.6, 20),
            curve(10.8, 18.4, 9.6, 20, 9.8, 24.4),
            curve(12.6, 18.4, 14.4, 21, 14.8, 25, 13.4, 27),
            curve(9.8, 24.4, 6.4, 24.6, 6, 29),
            curve(13.4, 27, 9.4, 26.4, 8.6, 29.4),
            curve(13.4, 27, 16.6, 28.6, 19.6, 28.2, 20.6, 29.4, 14, 29.4),
            curve(10, 20.6, 7, 22, 5.6, 21),
            line(6.6, 19.6, 3, 20.6, 3.8, 23, 6.8, 22.4, 6.6, 19.6),
            curve(13.8, 20.4, 17, 22, 18.4, 21.4),
            line(17.6, 20, 21.2, 21.2, 20.4, 23.6, 17.4, 22.8, 17.6, 20),
            curve(3.2, 22.4, 2.2, 26, 2.6, 30),
            curve(21, 23, 22, 26, 21.6, 28.6),
            curve(1, 30.6, 4.4, 29.6, 8, 30.8, 12, 30.6, 16, 30.2, 23, 30.2),
            curve(1, 32.4, 3.4, 31.6, 5.8, 32.4, 8.2, 31.6, 10.6, 32.4),
            curve(1, 34.2, 4, 33.4, 7, 34.2, 10, 33.4, 13, 34.2),
        )
    ),
    # The Moon between two towers; dog, wolf and crayfish.
    "18": joined(
        (
            ellipse(12, 8, 5.2),
            curve(13.4, 3.2, 10.4, 5.6, 11.6, 7.6, 10.2, 8.6, 11.8, 9.4, 11, 11, 13.6, 12.8),
            dots(0.1, 13.6, 7.2),
            rays(12, 8, 6.4, 8.0, 16),
            mirrored(
                line(1.2, 28, 1.2, 14.6, 5.4, 14.6, 5.4, 28)
                + line(
                    0.8,
                    14.6,
                    0.8,
                    12.6,
                    2.2,
                    12.6,
                    2.2,
                    13.6,
                    4.4,
                    13.6,
                    4.4,
                    12.6,
                    5.8,
                    12.6,
                    5.8,
                    14.6,
                    0.8,
                    14.6,
                )
                + line(3.3, 17, 3.3, 19.4)
                + line(8.4, 22.2, 7.8, 20, 9.1, 20.6, 10.9, 18.6, 11.2, 19.6, 9.9, 22.2)
                + curve(8.4, 22.2, 8, 24.6, 6.8, 26, 6.6, 28.4)
                + curve(9.9, 22.2, 10.3, 25, 9.8, 28.6)
                + curve(6.6, 27.6, 5.6, 26.8, 5.9, 25.2)
            ),
            curve(1, 28.6, 6, 29.6, 12, 28.6, 18, 29.6, 23, 28.6),
            curve(2, 31.4, 12, 30, 22, 31.4),
            ellipse(12, 32.6, 1.1, 1.6),
            mirrored(
                curve(11.2, 31.4, 9.6, 31, 9.8, 29.8) + line(11, 33, 9.4, 33.6) + line(11.4, 34, 10.2, 35)
            ),
        )
    ),
    # The Sun over a wall, a child on each side.
    "19": joined(
        (
            ellipse(12, 8.6, 4.4),
            dots(0.12, 10.5, 7.8, 13.5, 7.8),
            line(12, 8, 11.7, 9.4, 12.3, 9.4),
            curve(10.4, 10.6, 12, 11.6, 13.6, 10.6),
            star(12, 8.6, 7.6, 12, 0.72),
            line(1, 24.4, 23, 24.4),
            line(1, 28, 23, 28),
            line(4, 24.4, 4, 28),
            line(12, 24.4, 12, 28),
            line(20, 24.4, 20, 28),
            head(7.4, 19, 1.6),
            curve(6.4, 20.8, 4.8, 22.6, 5.6, 26.4, 5.2, 34),
            curve(8.4, 20.8, 9.8, 22.6, 9, 26.4, 9.6, 34),
            line(7.4, 27.4, 7.4, 34),
            line(5.5, 26.8, 9.1, 26.8),
            head(16.6, 19, 1.6),
            curve(15.6, 20.8, 14.2, 22.6, 15, 26.4, 14.4, 34),
            curve(17.6, 20.8, 19.2, 22.6, 18.4, 26.4, 18.8, 34),
            line(16.6, 27.4, 16.6, 34),
            line(14.9, 26.8, 18.5, 26.8),
            curve(9.2, 22.2, 12, 24, 14.8, 22.2),
            line(2, 34, 22, 34),
        )
    ),
    # Judgement: an angel's trumpet opens the graves.
    "20": joined(
        (
            head(15, 5.4, 1.7, -1),
            curve(16.4, 4, 17.6, 5.4, 17, 7),
            line(13.4, 6.2, 6.2, 11, 4.4, 9.6, 4.6, 14, 8, 12.6, 6.2, 11),
            curve(14.6, 7.2, 12.6, 9, 10.6, 8.4),
            curve(16, 7.4, 20, 5.6, 22.8, 1.6),
            curve(22.8, 1.6, 23.2, 8, 20.6, 12, 17.6, 13),
            curve(21.6, 5, 21.4, 8.6, 19, 11.2),
            curve(14.6, 7.4, 13, 11, 14, 13.6),
            curve(8, 15.4, 10, 13.4, 12, 14.6, 14, 13, 16.4, 14.6, 18.6, 13.4, 20.4, 15.4),
            curve(8, 15.4, 11, 17, 14, 16, 17, 17, 20.4, 15.4),
            line(6.4, 12.6, 6.4, 18, 9.4, 16.6, 9.4, 12),
            line(6.6, 15, 9.2, 14),
            head(12, 21.4, 1.7),
            mirrored(curve(10.8, 23.4, 8.6, 24, 7.6, 19.8) + curve(10.6, 24, 10, 26.4, 10.2, 28.6)),
            line(6, 28.8, 18, 28.8, 17, 34, 7, 34, 6, 28.8),
            ellipse(3.2, 25.6, 1.4, 1.5),
            curve(2.4, 27.2, 1.2, 29, 1.4, 33.6),
            curve(4, 27.2, 5.4, 29.4, 5, 33.6),
            ellipse(20.8, 25.6, 1.4, 1.5),
            curve(20, 27.2, 18.8, 29.4, 19, 33.6),
            curve(21.6, 27.2, 22.8, 29, 22.6, 33.6),
            line(3.8, 28.6, 5.6, 26),
            line(20.2, 28.6, 18.4, 26),
        )
    ),
    # The World: a dancer in a wreath, with the four beings in the corners.
    "21": joined(
        (
            ellipse(12, 17.5, 7.6, 12.4),
            ellipse(12, 17.5, 6.2, 10.8),
            joined(
                line(
                    round(12 + 6.2 * math.sin(a), 2),
                    round(17.5 - 10.8 * math.cos(a), 2),
                    round(12 + 7.6 * math.sin(a + 0.16), 2),
                    round(17.5 - 12.4 * math.cos(a + 0.16), 2),
                )
                for a in (math.tau * k / 24 for k in range(24))
            ),
            head(12, 11.4, 1.6),
            curve(10.6, 10.6, 10.4, 9, 12, 9.2, 13.6, 9, 13.4, 10.6),
            curve(11.2, 13.2, 10.2, 15, 10.8, 18, 10.2, 20.4, 11.4, 23, 11.2, 26.6),
            curve(12.8, 13.2, 13.8, 15, 13.2, 18, 14, 20.4, 12.6, 23.4, 12.4, 26.6),
            curve(13.8, 21, 15.4, 22.6, 12.8, 24),
            curve(10.8, 14, 8.4, 15.6, 7.4, 14),
            curve(13.2, 14, 15.6, 15.6, 16.6, 14),
            line(7.4, 16, 7.4, 11.8),
            line(16.6, 16, 16.6, 11.8),
            curve(15.4, 16, 12, 20.4, 9, 18, 8.4, 22),
            head(3, 3.6, 1.5),
            mirrored(curve(1.6, 6, 3, 5.2, 4.8, 6.2), 3.1),
            curve(19, 3.6, 20.6, 1.8, 22.2, 3, 23.2, 4, 21.6, 4.4, 20.2, 6.2, 19, 3.6),
            dots(0.1, 21.2, 3.1),
            ellipse(3, 31.6, 1.4, 1.9),
            curve(1.8, 30.2, 0.6, 29.4, 0.8, 28),
            curve(4.2, 30.2, 5.4, 29.4, 5.2, 28),
            dots(0.1, 2.4, 31, 3.6, 31),
            ellipse(21, 31.4, 1.3, 1.4),
            star(21, 31.4, 2.5, 9, 0.8),
            dots(0.1, 20.5, 31, 21.5, 31),
        )
    ),
}
"""The drawing of each major in ink."""
GILT: dict[str, str] = {
    "0": dots(2.6, 20, 4.4),
    "1": dots(1.0, 9.8, 21.4)
    + curve(12, 4, 14, 2.2, 16.4, 4, 14, 5.8, 12, 4, 10, 2.2, 7.6, 4, 10, 5.8, 12, 4),
    "2": ellipse(12, 10.4, 4.4) + dots(0.6, 12, 5.6),
    "3": dots(1.2, 2.5, 7.6) + dots(1.0, 18.8, 22),
    "4": dots(1.3, 4.6, 5.4),
    "5": ellipse(12, 9.4, 4.6, 5),
    "6": dots(1.5, 12, 5) + rays(12, 5, 3.0, 4.4, 10),
    "7": dots(1.4, 12, 22) + dots(0.7, 12, 3),
    "8": dots(0.5, 12, 16.4) + ellipse(12, 8.4, 4.0, 4.2),
    "9": dots(1.2, 4.6, 16.2) + rays(4.6, 16, 3.4, 4.6, 10),
    "10": ellipse(12, 17, 7.5),
    "11": dots(3.8, 17, 21.4),
    "12": ellipse(12, 26.4, 4.2) + rays(12, 26.4, 4.8, 6.2, 12),
    "13": dots(1.6, 3.6, 5.4) + rays(3.6, 5.4, 2.6, 3.6, 8),
    "14": ellipse(12, 7.4, 3.8),
    "15": dots(0.6, 12, 29.2) + dots(0.5, 2.4, 22.4),
    "16": line(23, 1.6, 18.6, 4.2, 19.8, 5.4, 16.6, 8.4)
    + dots(0.3, 5, 11, 6.6, 14.6, 18.6, 12.4, 19.6, 16.4, 3.6, 13.6),
    "17": dots(2.4, 12, 6),
    "18": dots(4.6, 12, 8),
    "19": dots(5.0, 12, 8.6),
    "20": line(13.4, 6.2, 6.2, 11),
    "21": ellipse(12, 17.5, 6.9, 11.6),
}
"""What is gold in each drawing, under the ink."""


def _shifted(path: str, shift: float) -> str:
    """Return a path moved up by ``shift``."""
    strokes, spots = parse_path(path)
    found = [line(*(number for x, y in stroke for number in (x, round(y - shift, 2)))) for stroke in strokes]
    return joined([*found, *(dots(radius, x, round(y - shift, 2)) for x, y, radius in spots)])


for _name, _paths in (("figure", FIGURES), ("gilt", GILT)):
    register_glyphs({f"{_name} {major}": path for major, path in _paths.items()})
    register_glyphs(
        {f"lower {_name} {major}": _shifted(path, LOWER_PART_SHIFT) for major, path in _paths.items()}
    )
