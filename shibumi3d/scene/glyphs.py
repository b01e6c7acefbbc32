"""Glyphs: line drawings on cards, medals and other items, by name.

A glyph is a path in a square of 24 by 24 units, with y pointing down. Its syntax is a subset of SVG's: ``M``, ``L`` and
``A`` with absolute coordinates. The rotation of an arc is ignored. In addition, ``O x y radius`` draws a dot. Scenes
add glyphs of their own with :func:`register_glyphs`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

GLYPH_GRID_SIZE = 24.0
GLYPHS: dict[str, str] = {}
"""Paths of all glyphs, by name."""

Stroke = tuple[tuple[float, float], ...]
"""Points of a polyline."""

_PATH_TOKENS = re.compile(r"[MLAO]|-?[0-9]*\.?[0-9]+")


def register_glyphs(glyphs: Mapping[str, str]) -> None:
    """Register glyphs by name.

    Raises ValueError if a name already has a different path.
    """
    for name, path in glyphs.items():
        if GLYPHS.setdefault(name, path) != path:
            raise ValueError(f"two glyphs are named '{name}'")


def parse_path(path: str) -> tuple[list[Stroke], list[tuple[float, float, float]]]:
    """Return the polylines of a glyph path, and its dots as (x, y, radius).

    Raises ValueError if numbers are missing or have no command, or if a line or an arc has no starting point.
    Characters that belong to neither a command nor a number are ignored. The radii of an arc must not be 0.
    """
    words = _PATH_TOKENS.findall(path)
    lines: list[list[tuple[float, float]]] = []
    dots: list[tuple[float, float, float]] = []
    at, kind = 0, ""
    while at < len(words):
        if words[at].isalpha():
            kind, at = words[at], at + 1
        count = {"M": 2, "L": 2, "A": 7, "O": 3}.get(kind, 0)
        numbers = [float(word) for word in words[at : at + count] if not word.isalpha()]
        if not count or len(numbers) < count or (kind in "LA" and not lines):
            raise ValueError(f"invalid glyph path: {path}")
        at += count
        if kind == "O":
            dots.append((numbers[0], numbers[1], numbers[2]))
        elif kind == "M":
            lines.append([(numbers[0], numbers[1])])
            kind = "L"
        elif kind == "L":
            lines[-1].append((numbers[0], numbers[1]))
        else:
            lines[-1] += _arc_points(lines[-1][-1], numbers)
    return [tuple(line) for line in lines], dots


def _arc_points(start: tuple[float, float], numbers: list[float]) -> list[tuple[float, float]]:
    """Return the points of an SVG arc that begins at ``start``, without ``start`` itself.

    ``numbers`` are the arguments of the ``A`` command. The rotation of the ellipse is ignored.
    """
    rx, ry, _, large, sweep, x, y = numbers
    ax, ay, bx, by = start[0] / rx, start[1] / ry, x / rx, y / ry
    half = math.hypot(bx - ax, by - ay) / 2
    if not half:
        return []
    scale = max(1.0, half)  # radii that are too small are scaled up, as in SVG
    away = math.sqrt(max(scale * scale - half * half, 0.0))
    side = 1.0 if bool(large) != bool(sweep) else -1.0
    mx, my = (ax + bx) / 2, (ay + by) / 2
    cx, cy = mx - side * away * (by - ay) / (2 * half), my + side * away * (bx - ax) / (2 * half)
    begin, end = math.atan2(ay - cy, ax - cx), math.atan2(by - cy, bx - cx)
    turn = (end - begin) % math.tau if sweep else -((begin - end) % math.tau)
    steps = max(4, math.ceil(abs(turn) / 0.2))
    return [
        (
            (cx + scale * math.cos(begin + turn * k / steps)) * rx,
            (cy + scale * math.sin(begin + turn * k / steps)) * ry,
        )
        for k in range(1, steps + 1)
    ]


register_glyphs(
    {
        "0": "M18 12A6 10 0 1 1 6 12A6 10 0 1 1 18 12",
        "1": "M8 6L13 2L13 22",
        "2": "M6.5 7A5.5 5.5 0 1 1 16.5 10.5L6 22L18 22",
        "3": "M7 4.5A5 5 0 1 1 12 11.5A5.5 5.3 0 1 1 6 19.5",
        "4": "M15 22L15 2L5 16L19 16",
        "5": "M17 2L8 2L7 11A6 6 0 1 1 6 20",
        "6": "M16 2L8 11A6 6 0 1 0 18 16A6 6 0 0 0 7 13",
        "7": "M6 2L18 2L10 22",
        "8": "M17 7A5 5 0 1 1 7 7A5 5 0 1 1 17 7M18 17A6 5 0 1 1 6 17A6 5 0 1 1 18 17",
        "9": "M8 22L16 13A6 6 0 1 0 6 8A6 6 0 0 0 17 11",
        "10": "M3 6L7 3L7 21M21 12A4.5 9 0 1 1 12 12A4.5 9 0 1 1 21 12",
        "file a": "M17 7L17 20M17 13.5A5 5.5 0 1 1 7 13.5A5 5.5 0 1 1 17 13.5",
        "file b": "M7 2L7 20M17 13.5A5 5.5 0 1 1 7 13.5A5 5.5 0 1 1 17 13.5",
        "file c": "M16.5 10.5A5 5.5 0 1 0 16.5 16.5",
        "file d": "M17 2L17 20M17 13.5A5 5.5 0 1 1 7 13.5A5 5.5 0 1 1 17 13.5",
        "file e": "M7 13.5L17 13.5A5 5.5 0 1 0 15.5 17.5",
        "file f": "M16.5 3.5A3.5 3.5 0 0 0 11 6L11 20M7 9.5L15.5 9.5",
        "file g": "M17 7L17 18A5 4.5 0 0 1 7.5 20M17 12.5A5 5.5 0 1 1 7 12.5A5 5.5 0 1 1 17 12.5",
        "file h": "M7.5 2L7.5 20M7.5 12A4.5 4.5 0 0 1 16.5 12L16.5 20",
        "file i": "M12 8L12 20O 12 3.5 0.6",
        "file j": "M13.5 8L13.5 19A3.5 3.5 0 0 1 8.5 21.5O 13.5 3.5 0.6",
        "dot": "O 12 12 4",
        "ring": "M20 12A8 8 0 1 1 4 12A8 8 0 1 1 20 12",
        "rings": "M21 12A9 9 0 1 1 3 12A9 9 0 1 1 21 12M16 12A4 4 0 1 1 8 12A4 4 0 1 1 16 12",
        "cross": "M5 5L19 19M19 5L5 19",
        "plus": "M12 4L12 20M4 12L20 12",
        "star": "M12 2L14.5 9L22 9.3L16 13.9L18.2 21L12 16.9L5.8 21L8 13.9L2 9.3L9.5 9L12 2",
        "up": "M5 14L12 6L19 14",
        "down": "M5 10L12 18L19 10",
        "spiral": "M12 12A1.5 1.5 0 0 1 15 12A3 3 0 0 1 9 12A4.5 4.5 0 0 1 18 12A6 6 0 0 1 6 12A7.5 7.5 0 0 1 21 12",
        "seat 0": "M12.0 3.0L19.8 16.5L4.2 16.5L12.0 3.0",
        "seat 1": "M5.0 5.0L19.0 5.0L19.0 19.0L5.0 19.0L5.0 5.0",
        "seat 2": "M12.0 2.5L21.5 12.0L12.0 21.5L2.5 12.0L12.0 2.5",
        "seat 3": "O 12 12 7.5",
        "seat 4": "M12 2L14.4 8.8L21.5 8.9L15.8 13.2L17.9 20.1L12.0 16.0L6.1 20.1L8.2 13.2L2.5 8.9L9.6 8.8L12.0 2.0",
        "seat 5": "M12.0 3.0L19.8 7.5L19.8 16.5L12.0 21.0L4.2 16.5L4.2 7.5L12.0 3.0",
        "seat 6": "M12 4L12 20M4 12L20 12",
        "seat 7": "M12.0 21.0L4.2 7.5L19.8 7.5L12.0 21.0",
        "seat 8": "M12.0 3.0L20.6 9.2L17.3 19.3L6.7 19.3L3.4 9.2L12.0 3.0",
        "seat 9": "M12 3L12 21M3 12L21 12M5.5 5.5L18.5 18.5M18.5 5.5L5.5 18.5",
        "halo": "O 12 12 11",
    }
)
