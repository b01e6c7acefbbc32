"""The fonts shipped with the program. ``tools/fonts.py`` documents their origin and how they are subset."""

from __future__ import annotations

from importlib import resources
from typing import Any

FACES = {
    "sans": ("Shibumi Sans", "Sans.ttf"),
    "bold": ("Shibumi Sans Semibold", "SansSemibold.ttf"),
    "serif": ("Shibumi Serif", "Serif.ttf"),
    "italic": ("Shibumi Serif Italic", "SerifItalic.ttf"),
    "title": ("Shibumi Serif Semibold", "SerifSemibold.ttf"),
    "mono": ("Shibumi Mono", "Mono.ttf"),
    "kanji": ("Shibumi Mincho", "Mincho.ttf"),
    "seal": ("Shibumi Seal", "Seal.ttf"),
}
"""Family name and file name of each font. The keys are the names used in the program."""


def font_data(face: str) -> bytes:
    """Return the contents of the font file of ``face``, one of the keys of :data:`FACES`."""
    return resources.files(__package__).joinpath("files", FACES[face][1]).read_bytes()


def register_fonts(font_module: Any) -> None:
    """Register all shipped fonts with ``font_module``, which is ``pyglet.font``.

    The module is passed as an argument because importing it opens the display.
    """
    from io import BytesIO

    for face in FACES:
        font_module.add_file(BytesIO(font_data(face)))
