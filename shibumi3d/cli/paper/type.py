"""The shipped faces as paper needs them: which glyph a character is, and how wide.

The tables are those of the OpenType specification (``head``, ``hhea``, ``hmtx``, ``cmap`` of format 4).
"""

from __future__ import annotations

import struct
from functools import cache

from shibumi3d.app import fonts


class Face:
    """The glyphs of a font file."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        count = struct.unpack_from(">H", data, 4)[0]
        self._at: dict[str, int] = {}
        for number in range(count):
            tag, _, offset, _ = struct.unpack_from(">4sIII", data, 12 + 16 * number)
            self._at[tag.decode("ascii")] = offset
        head, hhea = self._at["head"], self._at["hhea"]
        self.units: int = struct.unpack_from(">H", data, head + 18)[0]
        self.box = struct.unpack_from(">4h", data, head + 36)
        self.ascent, self.descent = struct.unpack_from(">2h", data, hhea + 4)
        self._wide = struct.unpack_from(">H", data, hhea + 34)[0]
        self.glyphs = self._mapped()

    def _mapped(self) -> dict[str, int]:
        """Character -> glyph."""
        data, start = self.data, self._at["cmap"]
        for number in range(struct.unpack_from(">H", data, start + 2)[0]):
            table = start + struct.unpack_from(">I", data, start + 8 + 8 * number)[0]
            if struct.unpack_from(">H", data, table)[0] == 4:
                return self._segments(table)
        raise LookupError("cmap")

    def _segments(self, table: int) -> dict[str, int]:
        data = self.data
        count = struct.unpack_from(">H", data, table + 6)[0] // 2
        ends, starts = table + 14, table + 16 + 2 * count
        found: dict[str, int] = {}
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
                found[chr(code)] = (glyph + delta) % 65536
        return found

    def glyph(self, character: str) -> int:
        """The number of its glyph; 0, an empty box, where the face has none."""
        return self.glyphs.get(character, 0)

    def width(self, glyph: int) -> float:
        """How far a glyph moves on, in ems."""
        place = self._at["hmtx"] + 4 * min(glyph, self._wide - 1)
        advance: int = struct.unpack_from(">H", self.data, place)[0]
        return advance / self.units


@cache
def face(name: str) -> Face:
    """A face of :data:`shibumi3d.app.fonts.FACES`."""
    return Face(fonts.data(name))


def runs(text: str, name: str) -> list[tuple[str, str]]:
    """Face and text of the parts of a text that are set in one face each."""
    found: list[tuple[str, str]] = []
    for character in text:
        own = fonts.face_of(character, name)
        if found and found[-1][0] == own:
            found[-1] = own, found[-1][1] + character
        else:
            found.append((own, character))
    return found


def width(text: str, name: str, size: float) -> float:
    """How wide a text is set in ``size``."""
    return size * sum(
        face(own).width(face(own).glyph(character)) for own, part in runs(text, name) for character in part
    )
