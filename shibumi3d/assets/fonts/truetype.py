"""Reader for the shipped TrueType fonts: character map, advance widths and outlines.

It reads these tables of the OpenType specification: ``head``, ``hhea``, ``hmtx``, ``cmap`` (format 4), ``loca`` and
``glyf``.
"""

from __future__ import annotations

import struct
from itertools import pairwise

CURVE_SEGMENTS = 6
"""Number of line segments used to approximate a curve."""
Outlines = list[list[tuple[float, float]]]
"""Closed contours, each a list of its corners."""


class TrueTypeFace:
    """Glyphs of a TrueType font file."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        count = struct.unpack_from(">H", data, 4)[0]
        self._table_offsets: dict[str, int] = {}
        for number in range(count):
            tag, _, offset, _ = struct.unpack_from(">4sIII", data, 12 + 16 * number)
            self._table_offsets[tag.decode("ascii")] = offset
        head, hhea = self._table_offsets["head"], self._table_offsets["hhea"]
        self.units_per_em: int = struct.unpack_from(">H", data, head + 18)[0]
        self.bounding_box = struct.unpack_from(">4h", data, head + 36)
        self.ascent, self.descent = struct.unpack_from(">2h", data, hhea + 4)
        self._metric_count = struct.unpack_from(">H", data, hhea + 34)[0]
        self.glyph_by_character = self._read_cmap()

    def _read_cmap(self) -> dict[str, int]:
        """Return the glyph index of each character.

        Raises LookupError if the font has no ``cmap`` table of format 4.
        """
        data, start = self.data, self._table_offsets["cmap"]
        for number in range(struct.unpack_from(">H", data, start + 2)[0]):
            table = start + struct.unpack_from(">I", data, start + 8 + 8 * number)[0]
            if struct.unpack_from(">H", data, table)[0] == 4:
                return self._read_cmap_segments(table)
        raise LookupError("cmap")

    def _read_cmap_segments(self, table: int) -> dict[str, int]:
        data = self.data
        count = struct.unpack_from(">H", data, table + 6)[0] // 2
        ends, starts = table + 14, table + 16 + 2 * count
        result: dict[str, int] = {}
        for number in range(count):
            end, start, delta, offset = (
                struct.unpack_from(">H", data, place + 2 * number)[0]
                for place in (ends, starts, starts + 2 * count, starts + 4 * count)
            )
            for code in range(start, min(end, 0xFFFE) + 1):
                glyph = code
                if offset:
                    place = starts + 4 * count + 2 * number + offset + 2 * (code - start)
                    glyph = struct.unpack_from(">H", data, place)[0]
                    if not glyph:
                        continue
                result[chr(code)] = (glyph + delta) % 65536
        return result

    def glyph_index(self, character: str) -> int:
        """Return the glyph index of a character, or 0 (the glyph for missing ones) if the font lacks it."""
        return self.glyph_by_character.get(character, 0)

    def advance_width(self, glyph: int) -> float:
        """Return the advance width of a glyph in ems."""
        place = self._table_offsets["hmtx"] + 4 * min(glyph, self._metric_count - 1)
        advance: int = struct.unpack_from(">H", self.data, place)[0]
        return advance / self.units_per_em

    def outlines(self, glyph: int) -> Outlines:
        """Return the contours of a glyph as lists of corners, in ems, with y pointing up.

        Curves are approximated by line segments.
        """
        data, start = self.data, self._table_offsets["glyf"]
        long = struct.unpack_from(">h", data, self._table_offsets["head"] + 50)[0]
        begin, end = struct.unpack_from(
            ">2I" if long else ">2H", data, self._table_offsets["loca"] + glyph * (4 if long else 2)
        )
        if begin == end:
            return []
        offset = start + begin * (1 if long else 2)
        count: int = struct.unpack_from(">h", data, offset)[0]
        return (
            self._simple_outlines(offset + 10, count) if count >= 0 else self._composite_outlines(offset + 10)
        )

    def _simple_outlines(self, offset: int, count: int) -> Outlines:
        data = self.data
        ends: tuple[int, ...] = struct.unpack_from(f">{count}H", data, offset)
        offset += 2 * count
        offset += 2 + struct.unpack_from(">H", data, offset)[0]
        total = ends[-1] + 1
        flags: list[int] = []
        while len(flags) < total:
            flag, offset = data[offset], offset + 1
            flags.append(flag)
            if flag & 8:
                flags += [flag] * data[offset]
                offset += 1
        axes: list[list[float]] = []
        for short, same in ((2, 16), (4, 32)):
            value, places = 0, []
            for flag in flags:
                if flag & short:
                    value += data[offset] if flag & same else -data[offset]
                    offset += 1
                elif not flag & same:
                    value += struct.unpack_from(">h", data, offset)[0]
                    offset += 2
                places.append(value / self.units_per_em)
            axes.append(places)
        points = list(zip(*axes, (bool(flag & 1) for flag in flags), strict=True))
        return [
            _flatten_contour(points[begin : end + 1])
            for begin, end in zip((0, *(e + 1 for e in ends)), ends, strict=False)
        ]

    def _composite_outlines(self, offset: int) -> Outlines:
        result: Outlines = []
        more = True
        while more:
            flags, glyph = struct.unpack_from(">2H", self.data, offset)
            wide, more = flags & 1, bool(flags & 32)
            dx, dy = struct.unpack_from(">2h" if wide else ">2b", self.data, offset + 4)
            offset += 8 if wide else 6
            a, b, c, d = 1.0, 0.0, 0.0, 1.0
            numbers = 1 if flags & 8 else 2 if flags & 64 else 4 if flags & 128 else 0
            scale = [part / 16384 for part in struct.unpack_from(f">{numbers}h", self.data, offset)]
            offset += 2 * numbers
            if numbers == 4:
                a, b, c, d = scale
            elif numbers:
                a, d = scale[0], scale[-1]
            x, y = dx / self.units_per_em, dy / self.units_per_em
            for line in self.outlines(glyph):
                result.append([(a * px + c * py + x, b * px + d * py + y) for px, py in line])
        return result


def _flatten_contour(points: list[tuple[float, float, bool]]) -> list[tuple[float, float]]:
    """Convert a contour to a list of corners, approximating its curves by line segments.

    Each of the ``points`` is given as (x, y, whether it is on the curve). The first corner is repeated at the end.
    """
    whole: list[tuple[float, float, bool]] = []
    for point, after in zip(points, [*points[1:], points[0]], strict=True):
        whole.append(point)
        if not (point[2] or after[2]):
            # TrueType leaves out on-curve points that lie midway between two control points.
            whole.append(((point[0] + after[0]) / 2, (point[1] + after[1]) / 2, True))
    first = next(number for number, point in enumerate(whole) if point[2])
    whole = whole[first:] + whole[: first + 1]
    found = [whole[0][:2]]
    for number in range(1, len(whole)):
        x, y, on = whole[number]
        if on and whole[number - 1][2]:
            found.append((x, y))
        elif not on:
            found += flatten_curve([found[-1], (x, y), whole[number + 1][:2]])
    return found


def flatten_curve(curve: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Approximate a Bézier curve by line segments, and return the end point of each segment.

    ``curve`` holds the start point, the control points and the end point.
    """
    if len(curve) == 2:
        return curve[1:]
    found = []
    for step in range(1, CURVE_SEGMENTS + 1):
        places, t = curve, step / CURVE_SEGMENTS
        while len(places) > 1:
            places = [(ax + (bx - ax) * t, ay + (by - ay) * t) for (ax, ay), (bx, by) in pairwise(places)]
        found += places
    return found
