"""What is said below the window, in other languages: why a file, a record or a move is refused, and the terminal.

Rules, catalogue and records know no language: they say what is wrong in English, and whoever shows it asks
:func:`told` for it in the language in use. A sentence is known by its English pattern, whose gaps ``{}`` may hold
sentences themselves. What no table has stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

DEEPEST = 12
"""How many sentences may stand in one another: more are nobody's sentences."""
GAP = re.compile(r"\{(\d*)\}")
PLACE = re.compile(r":\d++:\d++: ")
"""What ends the place of a mistake in a file, before what it is."""
HINT = re.compile(r"(.*)(, did you mean '[^']*'\?)", re.DOTALL)
"""What is wrong, and what may be meant instead."""


@cache
def _patterns(tables: tuple[tuple[str, str], ...]) -> list[tuple[list[str], str]]:
    """The patterns of a table, in pieces between gaps, with what is said instead; those that say the most first."""
    order = sorted(tables, key=lambda pair: -len(GAP.sub("", pair[0])))
    return [(english.split("{}"), other) for english, other in order]


def _gaps(pieces: Sequence[str], sentence: str) -> list[str] | None:
    """What stands between ``pieces`` in a sentence, each gap as short as can be; None where it has not those pieces."""
    first, *rest = pieces
    if not sentence.startswith(first):
        return None
    if not rest:
        return [] if sentence == first else None
    *rest, last = rest
    at, end = len(first), len(sentence) - len(last)
    if end < at or not sentence.endswith(last):
        return None
    gaps = []
    for piece in rest:
        found = sentence.find(piece, at, end)
        if found < 0:
            return None
        gaps.append(sentence[at:found])
        at = found + len(piece)
    return [*gaps, sentence[at:end]]


def translated(sentence: str, table: Mapping[str, str], deep: int = DEEPEST) -> str:
    """``sentence`` as ``table`` says it, its gaps too, ``deep`` in one another at the most."""
    if not sentence or not table or not deep:
        return sentence
    if sentence in table:
        return table[sentence]
    if "\n" in sentence:
        return "\n".join(translated(line, table, deep - 1) for line in sentence.split("\n"))
    hint = HINT.fullmatch(sentence)
    if hint is not None and hint[1]:
        return translated(hint[1], table, deep - 1) + translated(hint[2], table, deep - 1)
    *_, place = (None, *PLACE.finditer(sentence, 1))
    if place is not None:
        return sentence[: place.end()] + translated(sentence[place.end() :], table, deep - 1)
    for pieces, other in _patterns(tuple(table.items())):
        gaps = _gaps(pieces, sentence)
        if gaps is not None:
            return _filled(
                other, [gap if gap == sentence else translated(gap, table, deep - 1) for gap in gaps]
            )
    return sentence


def _filled(template: str, gaps: list[str]) -> str:
    """The template with its gaps filled in turn, or by their numbers."""
    left = iter(gaps)
    return GAP.sub(lambda gap: gaps[int(gap[1])] if gap[1] else next(left), template)
