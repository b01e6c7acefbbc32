"""What is said below the window, in other languages: why a file, a record or a move is refused, and the terminal.

Rules, catalogue and records know no language: they say what is wrong in English, and whoever shows it asks
:func:`told` for it in the language in use. A sentence is known by its English pattern, whose gaps ``{}`` may hold
sentences themselves. What no table has stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

GAP = re.compile(r"\{(\d*)\}")
PLACE = re.compile(r"(.+:\d+:\d+): (.*)", re.DOTALL)
"""A mistake of a file, with its place before it."""
HINT = re.compile(r"(.*)(, did you mean '[^']*'\?)", re.DOTALL)
"""What is wrong, and what may be meant instead."""


@cache
def _patterns(tables: tuple[tuple[str, str], ...]) -> list[tuple[re.Pattern[str], str]]:
    """The patterns of a table with what is said instead; those that say the most first."""
    order = sorted(tables, key=lambda pair: -len(GAP.sub("", pair[0])))
    return [
        (re.compile("(.*?)".join(map(re.escape, english.split("{}"))), re.DOTALL), other)
        for english, other in order
    ]


def translated(sentence: str, table: Mapping[str, str]) -> str:
    """``sentence`` as ``table`` says it, its gaps too."""
    if not sentence or not table:
        return sentence
    if sentence in table:
        return table[sentence]
    if "\n" in sentence:
        return "\n".join(translated(line, table) for line in sentence.split("\n"))
    hint = HINT.fullmatch(sentence)
    if hint is not None and hint[1]:
        return translated(hint[1], table) + translated(hint[2], table)
    place = PLACE.fullmatch(sentence)
    if place is not None:
        return f"{place[1]}: {translated(place[2], table)}"
    for pattern, other in _patterns(tuple(table.items())):
        found = pattern.fullmatch(sentence)
        if found is not None:
            gaps = [gap if gap == sentence else translated(gap, table) for gap in found.groups()]
            return _filled(other, gaps)
    return sentence


def _filled(template: str, gaps: list[str]) -> str:
    """The template with its gaps filled in turn, or by their numbers."""
    left = iter(gaps)
    return GAP.sub(lambda gap: gaps[int(gap[1])] if gap[1] else next(left), template)
