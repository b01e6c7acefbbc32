"""Pages for printing, as SVG or PDF.

Lengths are in points. Coordinates are measured from the top left corner.
"""

from __future__ import annotations

import math
import unicodedata
import zlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from html import escape

from shibumi3d.assets.fonts import FACES, font_data, typeset
from shibumi3d.assets.fonts.system_fonts import FreeTypeFace
from shibumi3d.assets.fonts.truetype import TrueTypeFace
from shibumi3d.names import normalize
from shibumi3d.scene import pen
from shibumi3d.scene.pen import CAP_HEIGHT_EM, Colour
from shibumi3d.scene.rect import Rect

PathSegment = tuple[str, tuple[float, ...]]
"""A segment of a path: "M", "L", "C" or "Z" with its coordinates, as in SVG."""
ARC_HANDLE = 0.5523
"""Length of the Bézier handles that approximate a quarter circle, as a multiple of the radius."""
FAMILIES = {"sans": "Inter, Helvetica, Arial, sans-serif", "serif": "Spectral, Georgia, Times, serif"}
"""CSS font families, with fallbacks for viewers that don't have the bundled fonts."""


def _circle_path(x: float, y: float, radius: float) -> list[PathSegment]:
    return _rounded_rect_path(Rect(x - radius, y - radius, 2 * radius, 2 * radius), radius)


def _rounded_rect_path(rect: Rect, radius: float) -> list[PathSegment]:
    r = min(radius, rect.w / 2, rect.h / 2)
    left, top, right, bottom, k = rect.x, rect.y, rect.right, rect.bottom, r * (1 - ARC_HANDLE)
    if r <= 0:
        sides = [(left, top), (right, top), (right, bottom), (left, bottom)]
        return [("M", sides[0]), *(("L", place) for place in sides[1:]), ("Z", ())]
    return [
        ("M", (left + r, top)),
        ("L", (right - r, top)),
        ("C", (right - k, top, right, top + k, right, top + r)),
        ("L", (right, bottom - r)),
        ("C", (right, bottom - k, right - k, bottom, right - r, bottom)),
        ("L", (left + r, bottom)),
        ("C", (left + k, bottom, left, bottom - k, left, bottom - r)),
        ("L", (left, top + r)),
        ("C", (left, top + k, left + k, top, left + r, top)),
        ("Z", ()),
    ]


class Page(ABC):
    """A page of ``width_pt`` by ``height_pt`` points, with the drawing methods of :class:`.Pen`."""

    def __init__(self, width_pt: float, height_pt: float) -> None:
        self.width_pt, self.height_pt = width_pt, height_pt

    @abstractmethod
    def draw_path(self, segments: Sequence[PathSegment], colour: Colour, width: float = 0.0) -> None:
        """Fill a path or, if ``width`` is not 0, stroke it with a line of that width."""

    @abstractmethod
    def draw_text(self, x: float, y: float, text: str, colour: Colour, face: str, size: float) -> None:
        """Write text that begins at ``x`` and has its baseline at ``y``."""

    @abstractmethod
    def to_bytes(self, title: str) -> bytes:
        """Return the page as the bytes of a file, with ``title`` in its metadata."""

    def rect(self, rect: Rect, colour: Colour, radius: float = 0) -> None:
        """Draw a filled rectangle, with corners rounded to ``radius``."""
        self.draw_path(_rounded_rect_path(rect, radius), colour)

    def outline(self, rect: Rect, colour: Colour, radius: float = 0, width: float = 1) -> None:
        """Draw the outline of a rectangle, inside its edges."""
        self.draw_path(_rounded_rect_path(rect.inset(width / 2), radius - width / 2), colour, width)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """Draw a filled circle."""
        self.draw_path(_circle_path(x, y, radius), colour)

    def ring(self, x: float, y: float, radius: float, colour: Colour, width: float = 1.5) -> None:
        """Draw the outline of a circle, with the stroke inside ``radius``."""
        self.draw_path(_circle_path(x, y, radius - width / 2), colour, width)

    def polygon(self, x: float, y: float, points: Sequence[tuple[float, float]], colour: Colour) -> None:
        """Draw a filled polygon whose corners, ``points``, are relative to (x, y)."""
        first, *rest = [(x + px, y + py) for px, py in points]
        self.draw_path([("M", first), *(("L", place) for place in rest), ("Z", ())], colour)

    def text_in(
        self, rect: Rect, text: str, colour: Colour, face: str = "sans", size: float = 15, align: float = 0
    ) -> float:
        """Write a line of text into ``rect`` and return the width of the text written.

        Text that is too long is truncated with an ellipsis. ``align`` goes from 0 (left) to 1 (right).
        """
        text = pen.ellipsize(self, text, face, size, rect.w)
        wide = self.text_width(text, face, size)
        self.draw_text(
            rect.x + (rect.w - wide) * align, rect.cy + size * CAP_HEIGHT_EM / 2, text, colour, face, size
        )
        return wide

    def text_width(self, text: str, face: str, size: float) -> float:
        """Return the width of a text, in points."""
        return typeset.text_width(text, face, size)


def _without_control_characters(text: str) -> str:
    """Return ``text`` normalized and without control characters, many of which XML doesn't allow."""
    return "".join(c for c in normalize(text) if unicodedata.category(c) != "Cc")


def _format_number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


class SvgPage(Page):
    """An SVG page.

    Text is stored as text, not as outlines. It is fitted to the width that it has in the bundled fonts.
    """

    def __init__(self, width_pt: float, height_pt: float) -> None:
        super().__init__(width_pt, height_pt)
        self.elements: list[str] = []
        """SVG elements drawn so far."""

    @staticmethod
    def _paint_attributes(kind: str, colour: Colour) -> str:
        shade = "#" + "".join(f"{round(255 * part):02X}" for part in colour[:3])
        return f'{kind}="{shade}"' + (f' {kind}-opacity="{colour[3]:.2f}"' if colour[3] < 1 else "")

    def draw_path(self, segments: Sequence[PathSegment], colour: Colour, width: float = 0.0) -> None:
        path = "".join(letter + " ".join(map(_format_number, places)) for letter, places in segments)
        ink = (
            f'fill="none" {self._paint_attributes("stroke", colour)} stroke-width="{_format_number(width)}"'
            if width
            else self._paint_attributes("fill", colour)
        )
        self.elements.append(f'<path d="{path}" {ink}/>')

    def draw_text(self, x: float, y: float, text: str, colour: Colour, face: str, size: float) -> None:
        if not text:
            return
        family = FAMILIES["sans" if face in ("sans", "bold") else "serif"]
        style = ' font-weight="600"' if face in ("bold", "title") else ""
        style += ' font-style="italic"' if face == "italic" else ""
        self.elements.append(
            f'<text x="{_format_number(x)}" y="{_format_number(y)}" font-family="{escape(family)}"'
            f' font-size="{_format_number(size)}"'
            f'{style} textLength="{_format_number(self.text_width(text, face, size))}" lengthAdjust="spacingAndGlyphs"'
            f" {self._paint_attributes('fill', colour)}>{escape(_without_control_characters(text), quote=False)}</text>"
        )

    def to_bytes(self, title: str) -> bytes:
        wide, high = _format_number(self.width_pt), _format_number(self.height_pt)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}pt" height="{high}pt"'
            f' viewBox="0 0 {wide} {high}">'
        )
        return "\n".join(
            [
                head,
                f"<title>{escape(_without_control_characters(title), quote=False)}</title>",
                *self.elements,
                "</svg>",
                "",
            ]
        ).encode()


class PdfPage(Page):
    """A PDF 1.7 file that embeds the bundled fonts it uses.

    It has one page at first; :meth:`start_page` adds a page of the same size.
    """

    def __init__(self, width_pt: float, height_pt: float) -> None:
        super().__init__(width_pt, height_pt)
        self._pages: list[list[str]] = [[]]
        """Drawing operators of each page."""
        self._alphas: dict[str, int] = {}
        self._used_glyphs: dict[str, dict[int, str]] = {}
        """Glyphs used from each face, with the characters they represent."""

    def start_page(self) -> None:
        """Add a page to the file; later calls draw on the newest page."""
        self._pages.append([])

    @property
    def _operators(self) -> list[str]:
        return self._pages[-1]

    def _colour_operators(self, colour: Colour, operator: str) -> str:
        alpha = self._alphas.setdefault(f"{colour[3]:.2f}", len(self._alphas))
        return f"/A{alpha} gs " + " ".join(f"{part:.3f}" for part in colour[:3]) + f" {operator}"

    def _coordinates(self, places: Sequence[float]) -> str:
        flipped = (self.height_pt - value if odd % 2 else value for odd, value in enumerate(places))
        return " ".join(map(_format_number, flipped))

    def draw_path(self, segments: Sequence[PathSegment], colour: Colour, width: float = 0.0) -> None:
        letters = {"M": "m", "L": "l", "C": "c", "Z": "h"}
        path = " ".join(f"{self._coordinates(places)} {letters[letter]}" for letter, places in segments)
        ink = (
            f"{self._colour_operators(colour, 'RG')} {_format_number(width)} w"
            if width
            else self._colour_operators(colour, "rg")
        )
        self._operators.append(f"{ink} {path} {'S' if width else 'f'}")

    def draw_text(self, x: float, y: float, text: str, colour: Colour, face: str, size: float) -> None:
        for own, part, right, up in typeset.layout_line(text, face)[0]:
            drawn = typeset.load_face(own)
            glyphs = [drawn.glyph_index(character) for character in part]
            left, base = x + right * size, y - up * size
            if own not in FACES:
                self._draw_glyph_outlines(left, base, drawn, glyphs, colour, size)
                continue
            used = self._used_glyphs.setdefault(own, {})
            used.update(zip(glyphs, part, strict=True))
            number = list(self._used_glyphs).index(own)
            shown = "".join(f"{glyph:04X}" for glyph in glyphs)
            self._operators.append(
                f"BT {self._colour_operators(colour, 'rg')} /F{number} {_format_number(size)} Tf"
                f" {self._coordinates((left, base))} Td"
                f" <{shown}> Tj ET"
            )

    def _draw_glyph_outlines(
        self,
        x: float,
        y: float,
        drawn: TrueTypeFace | FreeTypeFace,
        glyphs: Sequence[int],
        colour: Colour,
        size: float,
    ) -> None:
        """Draw glyphs of a system font as outlines, because only the bundled fonts may be embedded."""
        for glyph in glyphs:
            segments: list[PathSegment] = []
            for first, *rest in drawn.outlines(glyph):
                places = [(x + px * size, y - py * size) for px, py in (first, *rest)]
                segments += [("M", places[0]), *(("L", place) for place in places[1:]), ("Z", ())]
            if segments:
                self.draw_path(segments, colour)
            x += drawn.advance_width(glyph) * size

    def to_bytes(self, title: str) -> bytes:
        count = len(self._pages)
        kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(count))
        about = f"<</Title <{title.encode('utf-16').hex()}>>>" if title else "<<>>"
        objects: list[bytes] = [
            b"<</Type/Catalog/Pages 2 0 R>>",
            f"<</Type/Pages/Kids[{kids}]/Count {count}>>".encode(),
            about.encode(),
        ]
        first = 4 + 2 * count
        alphas = " ".join(f"/A{i}<</ca {alpha}/CA {alpha}>>" for alpha, i in self._alphas.items())
        names = " ".join(f"/F{i} {first + 5 * i} 0 R" for i in range(len(self._used_glyphs)))
        for number, operators in enumerate(self._pages):
            page = (
                f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {_format_number(self.width_pt)}"
                f" {_format_number(self.height_pt)}]/Contents {5 + 2 * number} 0 R"
                f"/Resources<</ExtGState<<{alphas}>>/Font<<{names}>>>>>>"
            )
            objects += [page.encode(), _pdf_stream("\n".join(operators).encode())]
        for number, (name, used) in enumerate(self._used_glyphs.items()):
            objects += _pdf_font(name, used, first + 5 * number)
        parts, places = [b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"], []
        for number, each in enumerate(objects, 1):
            places.append(sum(map(len, parts)))
            parts.append(b"%d 0 obj\n%b\nendobj\n" % (number, each))
        begins = sum(map(len, parts))
        listed = b"".join(b"%010d 00000 n \n" % place for place in places)
        size = len(objects) + 1
        parts.append(b"xref\n0 %d\n0000000000 65535 f \n%b" % (size, listed))
        parts.append(b"trailer\n<</Size %d/Root 1 0 R/Info 3 0 R>>\n" % size)
        parts.append(b"startxref\n%d\n%%%%EOF\n" % begins)
        return b"".join(parts)


def _pdf_stream(data: bytes, more: str = "") -> bytes:
    packed = zlib.compress(data, 9)
    return f"<</Length {len(packed)}/Filter/FlateDecode{more}>>\nstream\n".encode() + packed + b"\nendstream"


def _pdf_font(name: str, used: dict[int, str], object_number: int) -> list[bytes]:
    """Return the five PDF objects of the bundled font ``name``; the first has the object number ``object_number``.

    ``used`` maps the id of each glyph used to the character that it represents.
    """
    face = TrueTypeFace(font_data(name))
    thousand = 1000 / face.units_per_em
    title = f"Shibumi{name.title()}"
    widths = " ".join(f"{glyph}[{face.advance_width(glyph) * 1000:.0f}]" for glyph in sorted(used))
    box = " ".join(f"{math.floor(edge * thousand)}" for edge in face.bounding_box)
    pairs = "\n".join(f"<{glyph:04X}> <{used[glyph].encode('utf-16-be').hex()}>" for glyph in sorted(used))
    meaning = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def\n"
        "1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
        f"{len(used)} beginbfchar\n{pairs}\nendbfchar\nendcmap end end"
    )
    return [
        (
            f"<</Type/Font/Subtype/Type0/BaseFont/{title}/Encoding/Identity-H"
            f"/DescendantFonts[{object_number + 1} 0 R]/ToUnicode {object_number + 4} 0 R>>"
        ).encode(),
        (
            f"<</Type/Font/Subtype/CIDFontType2/BaseFont/{title}/CIDToGIDMap/Identity/W[{widths}]"
            f"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
            f"/FontDescriptor {object_number + 2} 0 R>>"
        ).encode(),
        (
            f"<</Type/FontDescriptor/FontName/{title}/Flags 4/FontBBox[{box}]/ItalicAngle 0/StemV 80"
            f"/Ascent {face.ascent * thousand:.0f}/Descent {face.descent * thousand:.0f}"
            f"/CapHeight {CAP_HEIGHT_EM * 1000:.0f}/FontFile2 {object_number + 3} 0 R>>"
        ).encode(),
        _pdf_stream(face.data, f"/Length1 {len(face.data)}"),
        _pdf_stream(meaning.encode()),
    ]
