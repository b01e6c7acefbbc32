"""System fonts, used for characters that no shipped font has.

fontconfig and FreeType are called directly: pyglet would open a display to use them, but pages for printing are drawn
without a display. No system font is found on Windows and macOS, or if fontconfig isn't installed.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_long, c_short, c_uint, c_ushort, c_void_p
from functools import cache
from typing import Any, NamedTuple

from .truetype import Outlines, flatten_curve

HAS_FONT_SUBSTITUTION = sys.platform in ("win32", "darwin")
"""Whether the system's text renderer finds a substitute font by itself, as on Windows and macOS."""
FT_LOAD_NO_SCALE, FT_LOAD_NO_BITMAP = 1, 8


class SystemFont(NamedTuple):
    """A font installed on the system. ``file`` is the path of its file."""

    family: str
    file: str
    number: int
    """Index of the font within its file, which may be a collection."""


class _FontConfig:
    """Font lookup through the fontconfig library."""

    def __init__(self) -> None:
        lib = ctypes.CDLL("libfontconfig.so.1")
        for maker in (lib.FcPatternCreate, lib.FcCharSetCreate, lib.FcFontMatch):
            maker.restype = c_void_p
        self._lib: Any = lib
        self._known_fonts: list[tuple[SystemFont, c_void_p]] = []
        """Fonts found so far, each with its character set."""

    def find_font(self, code: int) -> SystemFont | None:
        for font, characters in self._known_fonts:
            if self._lib.FcCharSetHasChar(characters, c_uint(code)):
                return font
        lib = self._lib
        pattern, wanted = c_void_p(lib.FcPatternCreate()), c_void_p(lib.FcCharSetCreate())
        lib.FcCharSetAddChar(wanted, c_uint(code))
        lib.FcPatternAddCharSet(pattern, b"charset", wanted)
        lib.FcPatternAddString(pattern, b"family", b"sans-serif")
        # Exclude bitmap and colour fonts, which have no outlines to draw.
        lib.FcPatternAddBool(pattern, b"scalable", 1)
        lib.FcPatternAddBool(pattern, b"color", 0)
        lib.FcConfigSubstitute(None, pattern, 0)
        lib.FcDefaultSubstitute(pattern)
        result = c_int()
        match = c_void_p(lib.FcFontMatch(None, pattern, byref(result)))
        lib.FcPatternDestroy(pattern)
        lib.FcCharSetDestroy(wanted)
        if not match.value:
            return None
        # Don't destroy the match: it owns the character set that is stored with the font.
        characters, family, file, index, scalable = c_void_p(), c_char_p(), c_char_p(), c_int(), c_int()
        statuses = (
            lib.FcPatternGetCharSet(match, b"charset", 0, byref(characters)),
            lib.FcPatternGetString(match, b"family", 0, byref(family)),
            lib.FcPatternGetString(match, b"file", 0, byref(file)),
        )
        lib.FcPatternGetInteger(match, b"index", 0, byref(index))
        lib.FcPatternGetBool(match, b"scalable", 0, byref(scalable))
        if any(statuses) or not scalable.value or not lib.FcCharSetHasChar(characters, c_uint(code)):
            lib.FcPatternDestroy(match)
            return None
        name, path = ((text.value or b"").decode("utf-8", "surrogateescape") for text in (family, file))
        font = SystemFont(name, path, index.value & 0xFFFF)
        self._known_fonts.append((font, characters))
        return font


@cache
def _fontconfig() -> _FontConfig | None:
    try:
        return None if HAS_FONT_SUBSTITUTION else _FontConfig()
    except (OSError, AttributeError):
        return None


@cache
def find_font(character: str) -> SystemFont | None:
    """Return a scalable system font that has the character, or None if none is found."""
    fonts = _fontconfig()
    found = fonts.find_font(ord(character)) if fonts is not None else None
    if found is not None:
        _families.setdefault(found.family, found)
    return found


_families: dict[str, SystemFont] = {}
"""The first font found of each family."""


class _Vector(Structure):
    _fields_ = [("x", c_long), ("y", c_long)]


class _Outline(Structure):
    _fields_ = [
        ("contours", c_short), ("points", c_short), ("places", POINTER(_Vector)), ("tags", c_void_p),
        ("ends", c_void_p), ("flags", c_int),
    ]  # fmt: skip


class _Bitmap(Structure):
    _fields_ = [
        ("rows", c_uint), ("width", c_uint), ("pitch", c_int), ("bytes", c_void_p), ("grays", c_ushort),
        ("modes", c_ushort), ("palette", c_void_p),
    ]  # fmt: skip


class _GlyphSlot(Structure):
    _fields_ = [
        ("head", c_void_p * 3), ("index", c_uint), ("generic", c_void_p * 2), ("metrics", c_long * 8),
        ("wide", c_long), ("high", c_long), ("advance", _Vector), ("format", c_int), ("bitmap", _Bitmap),
        ("left", c_int), ("top", c_int), ("outline", _Outline),
    ]  # fmt: skip


class _FaceRecord(Structure):
    _fields_ = [
        ("numbers", c_long * 5), ("names", c_void_p * 2), ("sizes", c_int), ("strikes", c_void_p),
        ("maps", c_int), ("charmaps", c_void_p), ("generic", c_void_p * 2), ("box", c_long * 4),
        ("units", c_ushort), ("heights", c_short * 7), ("slot", POINTER(_GlyphSlot)),
    ]  # fmt: skip


_MoveCallback = ctypes.CFUNCTYPE(c_int, POINTER(_Vector), c_void_p)
_ConicCallback = ctypes.CFUNCTYPE(c_int, POINTER(_Vector), POINTER(_Vector), c_void_p)
_CubicCallback = ctypes.CFUNCTYPE(c_int, POINTER(_Vector), POINTER(_Vector), POINTER(_Vector), c_void_p)


class _OutlineCallbacks(Structure):
    _fields_ = [
        ("move", _MoveCallback), ("line", _MoveCallback), ("conic", _ConicCallback), ("cubic", _CubicCallback),
        ("shift", c_int), ("delta", c_long),
    ]  # fmt: skip


class FreeTypeFace:
    """Glyphs of a system font, read with FreeType.

    Raises OSError if FreeType isn't available or can't read the font.
    """

    def __init__(self, font: SystemFont) -> None:
        self._freetype = _freetype()
        self._face = POINTER(_FaceRecord)()
        status = self._freetype[0].FT_New_Face(
            self._freetype[1],
            font.file.encode("utf-8", "surrogateescape"),
            c_long(font.number),
            byref(self._face),
        )
        if status:
            raise OSError(f"{font.file} is not a font")
        self.units_per_em: int = self._face.contents.units or 1000

    def glyph_index(self, character: str) -> int:
        """Return the glyph index of a character, or 0 if the font lacks it."""
        return int(self._freetype[0].FT_Get_Char_Index(self._face, ctypes.c_ulong(ord(character))))

    def advance_width(self, glyph: int) -> float:
        """Return the advance width of a glyph in ems, or 0 if the glyph can't be loaded."""
        slot = self._load_glyph(glyph)
        return slot.metrics[4] / self.units_per_em if slot is not None else 0.0

    def outlines(self, glyph: int) -> Outlines:
        """Return the contours of a glyph as lists of corners, in ems, with y pointing up.

        Curves are approximated by line segments. If the glyph can't be loaded, the list is empty.
        """
        slot = self._load_glyph(glyph)
        result: Outlines = []
        if slot is None:
            return []

        def to_points(*points: Any) -> list[tuple[float, float]]:
            return [
                (point.contents.x / self.units_per_em, point.contents.y / self.units_per_em)
                for point in points
            ]

        def start_contour(point: Any, _: Any) -> int:
            result.append(to_points(point))
            return 0

        def extend_contour(*points: Any) -> int:
            result[-1] += flatten_curve([result[-1][-1], *to_points(*points[:-1])])
            return 0

        callbacks = _OutlineCallbacks(
            _MoveCallback(start_contour),
            _MoveCallback(extend_contour),
            _ConicCallback(extend_contour),
            _CubicCallback(extend_contour),
            0,
            0,
        )
        self._freetype[0].FT_Outline_Decompose(byref(slot.outline), byref(callbacks), None)
        return result

    def _load_glyph(self, glyph: int) -> Any:
        if self._freetype[0].FT_Load_Glyph(
            self._face, c_uint(glyph), c_int(FT_LOAD_NO_SCALE | FT_LOAD_NO_BITMAP)
        ):
            return None
        return self._face.contents.slot.contents


@cache
def _freetype() -> tuple[Any, c_void_p]:
    """Return the FreeType library, and the handle of an initialised instance of it.

    Raises OSError if FreeType isn't available.
    """
    lib, library = ctypes.CDLL("libfreetype.so.6"), c_void_p()
    if lib.FT_Init_FreeType(byref(library)):
        raise OSError("FreeType couldn't be initialised")
    return lib, library


def load_system_face(family: str) -> FreeTypeFace:
    """Return the glyphs of a system font, given its family. The font must have been found by :func:`find_font`.

    Raises OSError if FreeType isn't available or can't read the font.
    """
    return FreeTypeFace(_families[family])
