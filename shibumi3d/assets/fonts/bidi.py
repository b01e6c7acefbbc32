"""Visual order of the characters in a line: left to right, with right-to-left runs reversed.

Simplified from the Unicode Bidirectional Algorithm (UAX #9).
"""

from __future__ import annotations

import unicodedata
from functools import cache

from shibumi3d.names import is_invisible, normalize

_RTL_CLASSES, _NUMBER_CLASSES = ("R", "AL"), ("EN", "AN")
_JOINING_FORMS = ("isolated", "final", "initial", "medial")
_MIRRORED = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")
JOINER = "\u200d"
LAM, ALEFS = chr(0x644), tuple(map(chr, (0x622, 0x623, 0x625, 0x627)))
"""Arabic letters that form a ligature: lam followed by any form of alef."""


@cache
def _presentation_forms() -> dict[str, dict[str, str]]:
    """Return the presentation forms of Arabic letters and ligatures, by letter and then by joining form.

    A ligature is listed under the letters that it consists of. Letters without presentation forms are left out.
    """
    result: dict[str, dict[str, str]] = {}
    for code in (*range(0xFB50, 0xFE00), *range(0xFE70, 0xFEFD)):
        kind, *letters = unicodedata.decomposition(chr(code)).split() or [""]
        if kind.strip("<>") in _JOINING_FORMS:
            letter = "".join(chr(int(each, 16)) for each in letters)
            result.setdefault(letter, {}).setdefault(kind.strip("<>"), chr(code))
    return result


def _join_arabic(text: str) -> str:
    """Replace Arabic letters with the presentation forms that join them to their neighbours."""
    forms = _presentation_forms()
    stands = [place for place, letter in enumerate(text) if unicodedata.bidirectional(letter) != "NSM"]
    found = list(text)
    beside = [text[place] for place in stands]
    for number, place in enumerate(stands):
        letter, more = text[place], 1
        if not found[place]:
            continue
        if letter == LAM and beside[number + 1 : number + 2] and beside[number + 1] in ALEFS:
            letter, more = letter + beside[number + 1], 2
            found[stands[number + 1]] = ""
        own = forms.get(letter, {})
        before = beside[number - 1] if number else ""
        after = beside[number + more] if number + more < len(beside) else ""
        from_before = "final" in own and (before == JOINER or "initial" in forms.get(before, {}))
        to_after = "initial" in own and (after == JOINER or "final" in forms.get(after, {}))
        found[place] = own.get(_JOINING_FORMS[from_before + 2 * to_after], letter)
    return "".join(found)


def _embedding_levels(clusters: list[str]) -> list[int]:
    """Return each cluster's embedding level: 0 in left-to-right text, and 1 in right-to-left text.

    Numbers in right-to-left text, and Arabic-Indic numbers in any text, have level 2.
    """
    kinds = [unicodedata.bidirectional(cluster[0]) for cluster in clusters]
    directions: list[str] = []
    last = "L"
    for place, kind in enumerate(kinds):
        around = kinds[place - 1 : place] + kinds[place + 1 : place + 2]
        if kind in ("ES", "CS") and around == ["EN", "EN"]:
            kind = "EN"
        if kind in (*_RTL_CLASSES, "L"):
            last = kind
        directions.append("R" if kind in _RTL_CLASSES else "L" if kind == "EN" and last == "L" else kind)
    before, after = _preceding_directions(directions), _preceding_directions(directions[::-1])[::-1]
    alone = {"R": 1, "L": 0, "EN": 2, "AN": 2}
    return [
        alone[kind] if kind in alone else int(left != "L" and right != "L")
        for kind, left, right in zip(directions, before, after, strict=True)
    ]


def _preceding_directions(kinds: list[str]) -> list[str]:
    """Return, for each cluster, the direction of the last strong character or number before it.

    The directions are "L" and "R", and "EN" and "AN" for numbers. ``kinds`` holds the direction of each strong
    character or number, and the bidirectional class of any other cluster. If no strong character or number precedes a
    cluster, its result is "L", the direction of the line.
    """
    found, last = [], "L"
    for kind in kinds:
        found.append(last)
        last = kind if kind in ("R", "L", *_NUMBER_CLASSES) else last
    return found


def to_visual_order(text: str) -> list[str]:
    """Return the visible characters of a text from left to right, each with its combining marks.

    Arabic letters are replaced with their joined forms, and brackets in right-to-left text are mirrored.
    """
    text = normalize(text)
    if any(unicodedata.bidirectional(c) == "AL" for c in text):
        text = _join_arabic(text)
    clusters: list[str] = []
    for character in text:
        if is_invisible(character):
            continue
        if clusters and unicodedata.bidirectional(character) == "NSM":
            clusters[-1] += character
        else:
            clusters.append(character)
    if not any(unicodedata.bidirectional(cluster[0]) in _RTL_CLASSES for cluster in clusters):
        return clusters
    levels = _embedding_levels(clusters)
    clusters = [
        cluster.translate(_MIRRORED) if level % 2 else cluster
        for cluster, level in zip(clusters, levels, strict=True)
    ]
    for least in (2, 1):
        start = 0
        while start < len(levels):
            end = start
            while end < len(levels) and levels[end] >= least:
                end += 1
            clusters[start:end] = clusters[start:end][::-1]
            start = max(end, start + 1)
    return clusters
