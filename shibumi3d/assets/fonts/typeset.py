"""Layout of a line of text: which font draws each part, and where."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

from . import FACES, font_data, system_fonts
from .bidi import to_visual_order
from .system_fonts import FreeTypeFace
from .truetype import Outlines, TrueTypeFace

MISSING_CHARACTER = "□"
"""Replacement for characters that no font can draw."""
FALLBACK_FACES = {"title": "bold", "bold": "bold"}
"""Sans-serif fallback of similar weight for each font; fonts not listed here use ``sans``."""
FIRST_KANJI = 0x2E80
"""Code point from which characters are treated as East Asian.

A line doesn't mix the shipped kanji font with system fonts if that can be avoided: if the kanji font lacks one of the
line's East Asian characters, system fonts are preferred for all of them.
"""
MARK_GAP_EM = 0.06
"""Minimum gap between a letter and the mark above it, in ems."""

TextRun = tuple[str, str]
"""Text in a single font, from left to right, as a pair of font and text.

The font is the name of a shipped font or the family of a system font.
"""
PlacedRun = tuple[str, str, float, float]
"""Text in a single font: the font, the text, and its x and y position in ems, with y upward."""


@cache
def load_face(name: str) -> TrueTypeFace | FreeTypeFace:
    """Return the glyphs of a font, given the name of a shipped font or the family of a system font.

    A system font must have been found by :func:`.find_font`. Raises OSError if it can't be read.
    """
    return TrueTypeFace(font_data(name)) if name in FACES else system_fonts.load_system_face(name)


@cache
def shipped_characters(name: str) -> frozenset[str]:
    """Return the set of characters that a shipped font has."""
    return frozenset(TrueTypeFace(font_data(name)).glyph_by_character)


def is_combining_mark(character: str) -> bool:
    """Return whether a character is a nonspacing mark, which combines with the preceding character."""
    return unicodedata.bidirectional(character) == "NSM"


@lru_cache(65536)
def choose_face(character: str, name: str, prefer_shipped_kanji: bool = True) -> TextRun:
    """Return the font for a character of a text in the font ``name``, and the character to draw.

    If no font has the character itself, its NFKC form is drawn instead, provided that this form is a single character
    and a font has it. Otherwise, :data:`MISSING_CHARACTER` is drawn, except on systems that substitute fonts by
    themselves: there, the character is left to the system. Unless ``prefer_shipped_kanji`` is set, the shipped kanji
    font is used only for characters that no system font has.
    """
    faces = (name, FALLBACK_FACES.get(name, "sans"))
    usual = unicodedata.normalize("NFKC", character)
    for each in (character, usual) if len(usual) == 1 else (character,):
        for found in (*faces, "kanji") if prefer_shipped_kanji else faces:
            if each in shipped_characters(found):
                return found, each
        if outside := system_fonts.find_font(each):
            return outside.family, each
        if each in shipped_characters("kanji"):
            return "kanji", each
    return (name, character) if system_fonts.HAS_FONT_SUBSTITUTION else (faces[1], MISSING_CHARACTER)


def split_into_runs(text: str, name: str) -> list[TextRun]:
    """Split a line of text into runs from left to right, each drawn in a single font.

    ``name`` is the font of the line. For characters that it lacks, :func:`choose_face` chooses another font.
    """
    if text.isascii() and text.isprintable():
        return [(name, text)] if text else []
    clusters = to_visual_order(text)
    own = all(
        ord(c) < FIRST_KANJI or c in shipped_characters("kanji") for cluster in clusters for c in cluster
    )
    result: list[TextRun] = []
    for cluster in clusters:
        for character in cluster:
            family, drawn = choose_face(character, name, own)
            if result and result[-1][0] == family:
                result[-1] = family, result[-1][1] + drawn
            else:
                result.append((family, drawn))
    return result


@lru_cache(4096)
def layout_line(text: str, name: str) -> tuple[tuple[PlacedRun, ...], float]:
    """Return the placed runs of a line of text in the font ``name``, and the width of the line in ems.

    Each combining mark is a run of its own, unless the line begins with it.
    """
    result: list[PlacedRun] = []
    x, base, joins = 0.0, (0.0, 0.0, 0.0), False
    for family, text_part in split_into_runs(text, name):
        joins = False
        for character in text_part:
            drawn = load_face(family)
            glyph = drawn.glyph_index(character)
            if is_combining_mark(character) and result:
                left, right, low, _ = _bounding_box(drawn.outlines(glyph))
                lift = max(0.0, base[2] + MARK_GAP_EM - low) if is_mark_above(character) else 0.0
                result.append((family, character, (base[0] + base[1] - left - right) / 2, lift))
                joins = False
                continue
            if joins:
                result[-1] = family, result[-1][1] + character, *result[-1][2:]
            else:
                result.append((family, character, x, 0.0))
            left, right, _, high = _bounding_box(drawn.outlines(glyph))
            base = x + left, x + right, high
            x += drawn.advance_width(glyph)
            joins = True
    return tuple(result), x


def is_mark_above(character: str) -> bool:
    """Return whether a mark is placed above its letter, according to its combining class.

    Only the classes 214, 216 and 230 count as above. Most Arabic and Hebrew vowel marks have classes of their own, so
    the result is False for them even if they are placed above.
    """
    return unicodedata.combining(character) in (214, 216, 230)


def _bounding_box(lines: Outlines) -> tuple[float, float, float, float]:
    """Return the bounding box of contours as minimum x, maximum x, minimum y and maximum y.

    All four numbers are 0 if the contours have no points.
    """
    corners = [corner for each in lines for corner in each] or [(0.0, 0.0)]
    xs, ys = zip(*corners, strict=True)
    return min(xs), max(xs), min(ys), max(ys)


def text_width(text: str, name: str, size: float) -> float:
    """Return the width of a text set in the font ``name`` at ``size``, in the unit of ``size``."""
    if text.isascii() and text.isprintable():
        drawn = load_face(name)
        return size * sum(drawn.advance_width(drawn.glyph_index(character)) for character in text)
    return size * layout_line(text, name)[1]
