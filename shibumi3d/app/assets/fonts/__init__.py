"""The shipped faces. ``make.py`` says where they come from and how they are cut."""

from __future__ import annotations

from importlib import resources
from typing import Any

FACES = {
    "sans": ("Shibumi Sans", "Sans.ttf"),
    "bold": ("Shibumi Sans Semibold", "SansSemibold.ttf"),
    "serif": ("Shibumi Serif", "Serif.ttf"),
    "italic": ("Shibumi Serif Italic", "SerifItalic.ttf"),
    "title": ("Shibumi Serif Semibold", "SerifSemibold.ttf"),
    "kanji": ("Shibumi Mincho", "Mincho.ttf"),
    "seal": ("Shibumi Seal", "Seal.ttf"),
}
"""Name used in the program -> family name inside the file, file name."""


def data(face: str) -> bytes:
    """The font file of ``face``."""
    return resources.files(__package__).joinpath("files", FACES[face][1]).read_bytes()


def load(font_module: Any) -> None:
    """Registers all faces with ``pyglet.font`` (passed in, since importing it opens the display)."""
    from io import BytesIO

    for face in FACES:
        font_module.add_file(BytesIO(data(face)))
