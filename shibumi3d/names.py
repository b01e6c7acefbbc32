"""Names that people give: in one form of writing, whether they show anything, and which of them look alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_UNSEEN = frozenset(
    chr(code)
    for first, last in (
        (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5),
        (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800),
        (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB),
        (0x13430, 0x13455), (0x16FE4, 0x16FE4), (0x1BCA0, 0x1BCA3), (0x1D159, 0x1D159), (0x1D173, 0x1D17A),
        (0xE0000, 0xE0FFF),
    )
    for code in range(first, last + 1)
)  # fmt: skip
"""What Unicode has drawn as nothing (``Default_Ignorable_Code_Point``), and the blanks that it counts as letters."""
_ALIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХҮаеорсухіјѕһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαρνϲіI1|0‐‑‒–—−’‘ʼ′`",
    "ABESlJKMHOPCTYXYaeopcyxijshdqwABEZHlKMNOPTYXoapvcilllO------'''''",
)
"""Letters and signs that look as others do."""


def plain(text: str) -> str:
    """Return the text in the form in which each accent is one with its letter (NFC), and nothing in it is no text."""
    return unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode("utf-8"))


def unseen(character: str) -> bool:
    """Return whether a character is drawn as nothing at all, not even as a space."""
    return character in _UNSEEN or unicodedata.category(character) == "Cc"


def shows(text: str) -> bool:
    """Return whether anything of a text can be seen."""
    return any(not (unseen(c) or c.isspace()) for c in text)


def look(text: str) -> str:
    """Return what a text looks like: equal for two that nobody can tell apart by looking."""
    seen = "".join(c for c in unicodedata.normalize("NFKC", text) if not unseen(c)).translate(_ALIKE)
    return " ".join(seen.split())


def apart(names: Sequence[str]) -> list[str]:
    """Return the names with a number behind those that look like one before them; what shows nothing stays."""
    found: list[str] = []
    looks = [look(name) for name in names]
    taken = set(looks)
    numbers: dict[str, int] = {}
    for name, seen in zip(names, looks, strict=True):
        own = name
        if seen in numbers and shows(name):
            while look(own) in taken:
                own, numbers[seen] = f"{name.rstrip()} {numbers[seen]}", numbers[seen] + 1
            taken.add(look(own))
        numbers.setdefault(seen, 2)
        found.append(own)
    return found
