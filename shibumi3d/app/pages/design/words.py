"""Completion and syntax colouring for the rule language, based on its reference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter

from shibumi3d.catalogue.reference import Described, lexicon
from shibumi3d.i18n import _

from ...ui.editor import Offer
from ...ui.lines import Parts
from ...ui.writing import Writing

_LETTER = re.compile(r"[A-Za-z_]")
_SIGN = re.compile(r"\w")
_IN_WORD = re.compile(r"\w*+")
_PIECES = re.compile(
    r"(?P<comment>(?:^|(?<=\s))#.*)|(?P<run>[^\W\d][\w\x20]*+)(?P<colon>(?=\s*+:(?:\s|$)))?"
    r"|(?P<text>\"[^\"]*+\")|(?P<rest>[^\w#\"]++|.)"
)
"""Pieces of a line. A run is a sequence of words separated by spaces; before a colon, it is a key."""
_WORDS = re.compile(r"(?P<word>[^\W\d]\w*+)|[\W\d]++|.")
_NAME = re.compile(r"\s*+(?:-\x20)?([a-z_]\w*+)(?:\([^()]*+\))?:")
_DEFINES = ("define", "vars", "stocks")
VERBS = ("player", "engine", "combinator")
LEAST = 1
"""Minimum number of letters typed before completions are offered."""


@cache
def _terms() -> dict[str, list[Described]]:
    found: dict[str, list[Described]] = {}
    for term in lexicon():
        found.setdefault(term.name, []).append(term)
    return found


@cache
def goes_on() -> frozenset[str]:
    """Return the keys that require another key in the same entry.

    These are the verbs that contain a program, and the conditions of end rules.
    """
    programs = {term.name for term in lexicon() if {"do", "then"} & set(term.modifiers)}
    return frozenset({*programs, "when", "as_soon_as"})


def begun_at_end(text: str) -> str:
    """Return the unfinished word at the end of ``text``, or an empty string if there is none."""
    word = _IN_WORD.match(text[::-1])
    run = text[len(text) - (word.end() if word is not None else 0) :]
    found = _LETTER.search(run)
    return run[found.start() :] if found is not None else ""


def at_key(line: str, column: int) -> bool:
    """Return whether column ``column`` of a line belongs to a key rather than to a value."""
    before = line[:column]
    head = before[: len(before) - len(begun_at_end(before))]
    return not head.strip(" -") or (
        head.rstrip().endswith(("{", ",")) and ":" not in head.split("{")[-1].split(",")[-1]
    )


def own_names(text: str) -> list[str]:
    """Return the names that a game defines under ``define``, ``vars`` and ``stocks``."""
    names: list[str] = []
    inside = False
    for line in text.split("\n"):
        if line[:1].strip():
            inside = line.startswith(tuple(f"{key}:" for key in _DEFINES))
            continue
        found = _NAME.match(line) if inside else None
        if found is not None:
            names.append(found[1])
    return list(dict.fromkeys(names))


def offers(writing: Writing, asked: bool) -> tuple[int, Sequence[Offer]]:
    """Return the column at which the word before the cursor starts, and its completions.

    If ``asked`` is true, offer completions even if no letter has been typed yet.
    """
    line, column = writing.caret
    text = writing.lines[line]
    if "#" in text[:column] or _SIGN.match(text[column : column + 1]):
        return column, ()
    begun = begun_at_end(text[:column])
    start = column - len(begun)
    if len(begun) < LEAST and not asked:
        return column, ()
    keys = at_key(text, column)
    known = [term for term in lexicon() if (term.kind != "word") == keys]
    told_of = [Offer(term.name, meaning(term)) for term in known if term.name.startswith(begun)]
    if not keys:
        told_of = [Offer(name) for name in own_names(writing.text) if name.startswith(begun)] + told_of
    one: dict[str, Offer] = {}
    for offer in told_of:
        if offer.word not in one or (offer.meaning and not one[offer.word].meaning):
            one[offer.word] = offer
    left = [offer for offer in one.values() if offer.word != begun]
    return start, left


def meaning(term: Described) -> str:
    """Return the translated meaning of a term."""
    return _(term.meaning)


def parts(line: str) -> Parts:
    """Split a line into pieces, each with the name of the colour to draw it in."""
    return [
        ("".join(text for text, _ in pieces), colour)
        for colour, pieces in groupby(_pieces(line), key=itemgetter(1))
    ]


def _pieces(line: str) -> Iterator[tuple[str, str]]:
    """Yield the words and symbols of a line, each with the name of the colour to draw it in."""
    known = _terms()
    for found in _PIECES.finditer(line):
        kind, text = found.lastgroup, found.group()
        if kind == "comment":
            yield text, "soft"
        elif kind == "colon":
            # The space between a key and its colon isn't part of the name.
            name = text.rstrip(" ")
            yield name, "action" if name in known else "ink"
            if len(name) < len(text):
                yield text[len(name) :], "ink"
        elif kind == "run":
            for part in _WORDS.finditer(text):
                word = part["word"]
                plain = word is None or any(term.kind == "word" for term in known.get(word, ()))
                yield part.group(), "ink" if plain else "soft"
        else:
            yield text, "ink"
