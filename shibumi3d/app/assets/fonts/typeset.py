"""Sets a line: which face draws each character of it, and where each part stands."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

from . import FACES, data, system
from .face import Face, Outlines
from .order import visible
from .system import Drawn

SIGN = "□"
"""Stands for every character that nothing here can draw."""
BESIDE = {"title": "bold", "bold": "bold"}
"""Where a face lacks a letter, the sans of its weight has it."""
FIRST_KANJI = 0x2E80
"""Of the characters from here on all in a line are drawn in one face, where one has them all."""
LIFT = 0.06
"""How far a mark stands above its letter, in ems."""

Run = tuple[str, str]
"""A face, by its name or by the family of a font of the system, and what is drawn in it from left to right."""
Part = tuple[str, str, float, float]
"""A face, what is drawn in it, and where that begins: to the right and up, in ems."""


@cache
def face(name: str) -> Face | Drawn:
    """The glyphs of a shipped face, or of the font of the system that was found under that name. Raises OSError."""
    return Face(data(name)) if name in FACES else system.drawn(name)


@cache
def shipped(name: str) -> frozenset[str]:
    """The characters of a shipped face."""
    return frozenset(Face(data(name)).glyphs)


def marks(character: str) -> bool:
    """Whether a character stands on the one before it."""
    return unicodedata.bidirectional(character) == "NSM"


@lru_cache(65536)
def face_of(character: str, name: str, own: bool = True) -> Run:
    """The face that draws a character of a text set in the face ``name``, and what it draws for it.

    Among the shipped faces is that of the kanji only where ``own`` is set or nothing else has the character.
    """
    faces = (name, BESIDE.get(name, "sans"))
    usual = unicodedata.normalize("NFKC", character)
    for each in (character, usual) if len(usual) == 1 else (character,):
        for found in (*faces, "kanji") if own else faces:
            if each in shipped(found):
                return found, each
        if outside := system.find(each):
            return outside.family, each
        if each in shipped("kanji"):
            return "kanji", each
    return (name, character) if system.OWN else (faces[1], SIGN)


def runs(text: str, name: str) -> list[Run]:
    """Return the parts of a line from left to right, each with the face that draws it."""
    if text.isascii() and text.isprintable():
        return [(name, text)] if text else []
    clusters = visible(text)
    own = all(ord(c) < FIRST_KANJI or c in shipped("kanji") for cluster in clusters for c in cluster)
    found: list[Run] = []
    for cluster in clusters:
        for character in cluster:
            family, drawn = face_of(character, name, own)
            if found and found[-1][0] == family:
                found[-1] = family, found[-1][1] + drawn
            else:
                found.append((family, drawn))
    return found


@lru_cache(4096)
def line(text: str, name: str) -> tuple[tuple[Part, ...], float]:
    """Return the parts of a line, and how wide it is in ems. A mark is a part of its own."""
    found: list[Part] = []
    x, base, joins = 0.0, (0.0, 0.0, 0.0), False
    for family, text_part in runs(text, name):
        joins = False
        for character in text_part:
            drawn = face(family)
            glyph = drawn.glyph(character)
            if marks(character) and found:
                left, right, low, _ = _box(drawn.lines(glyph))
                lift = max(0.0, base[2] + LIFT - low) if above(character) else 0.0
                found.append((family, character, (base[0] + base[1] - left - right) / 2, lift))
                joins = False
                continue
            if joins:
                found[-1] = family, found[-1][1] + character, *found[-1][2:]
            else:
                found.append((family, character, x, 0.0))
            left, right, _, high = _box(drawn.lines(glyph))
            base = x + left, x + right, high
            x += drawn.width(glyph)
            joins = True
    return tuple(found), x


def above(character: str) -> bool:
    """Whether a mark stands above its letter."""
    return unicodedata.combining(character) in (214, 216, 230)


def _box(lines: Outlines) -> tuple[float, float, float, float]:
    """The least and greatest places of outlines across and up."""
    corners = [corner for each in lines for corner in each] or [(0.0, 0.0)]
    xs, ys = zip(*corners, strict=True)
    return min(xs), max(xs), min(ys), max(ys)


def width(text: str, name: str, size: float) -> float:
    """How wide a text is set in ``size``."""
    if text.isascii() and text.isprintable():
        drawn = face(name)
        return size * sum(drawn.width(drawn.glyph(character)) for character in text)
    return size * line(text, name)[1]
