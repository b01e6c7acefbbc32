"""Player names: Unicode normalization, invisible characters, and names that look alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_INVISIBLE = frozenset(
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
"""Invisible characters.

These are the characters with the Unicode property ``Default_Ignorable_Code_Point``, and some others that are drawn as
nothing or as a blank, such as the empty Braille pattern (U+2800).
"""
_LOOKALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХҮаеорсухіјѕһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαρνϲіI1|0‐‑‒–—−’‘ʼ′`",
    "ABESlJKMHOPCTYXYaeopcyxijshdqwABEZHlKMNOPTYXoapvcilllO------'''''",
)
"""Map from letters and symbols to a single representative of all characters that look like them."""


def normalize(text: str) -> str:
    """Return a text in Unicode normalization form NFC.

    Lone surrogates, which can't be encoded, become question marks.
    """
    return unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode("utf-8"))


def is_invisible(character: str) -> bool:
    """Return whether a character is invisible.

    Control characters count as invisible; spaces don't.
    """
    return character in _INVISIBLE or unicodedata.category(character) == "Cc"


def has_visible_text(text: str) -> bool:
    """Return whether a text has at least one visible character."""
    return any(not (is_invisible(c) or c.isspace()) for c in text)


def appearance_key(text: str) -> str:
    """Return a key that is the same for texts that look the same."""
    seen = "".join(c for c in unicodedata.normalize("NFKC", text) if not is_invisible(c)).translate(
        _LOOKALIKES
    )
    return " ".join(seen.split())


def make_distinct(names: Sequence[str]) -> list[str]:
    """Return the names, with a number appended to every name that looks like an earlier one.

    Names without a visible character are left unchanged.
    """
    distinct: list[str] = []
    looks = [appearance_key(name) for name in names]
    taken = set(looks)
    numbers: dict[str, int] = {}
    for name, seen in zip(names, looks, strict=True):
        own = name
        if seen in numbers and has_visible_text(name):
            while appearance_key(own) in taken:
                own, numbers[seen] = f"{name.rstrip()} {numbers[seen]}", numbers[seen] + 1
            taken.add(appearance_key(own))
        numbers.setdefault(seen, 2)
        distinct.append(own)
    return distinct
