"""Which words may stand where somebody writes, and how a line is coloured: all from the reference of the language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from shibumi3d.catalogue.reference import Described, lexicon

from ..text import told
from ..ui.editor import Offer, Parts
from ..ui.writing import Writing

_WORD = re.compile(r"[A-Za-z_]\w*$")
_PIECES = re.compile(
    r"(?P<comment>(?:^|(?<=\s))#.*)|(?P<key>[^\W\d][\w\x20]*(?=\s*:(?:\s|$)))|(?P<text>\"[^\"]*\")"
    r"|(?P<word>[^\W\d]\w*)|(?P<rest>[^\w#\"]+|.)"
)
_NAMES = re.compile(r"^\s*(?:-\x20)?([a-z_]\w*)(?:\([^)]*\))?:", re.MULTILINE)
_DEFINES = ("define", "vars", "stocks")
VERBS = ("player", "engine", "combinator")
LEAST = 1
"""How many letters of a word there are before others are offered."""


@cache
def _terms() -> dict[str, list[Described]]:
    found: dict[str, list[Described]] = {}
    for term in lexicon():
        found.setdefault(term.name, []).append(term)
    return found


@cache
def goes_on() -> frozenset[str]:
    """The keys beside which another has to stand: verbs with a program of their own, and what an end rule reads."""
    programs = {term.name for term in lexicon() if {"do", "then"} & set(term.modifiers)}
    return frozenset({*programs, "when", "as_soon_as"})


def at_key(line: str, column: int) -> bool:
    """Whether a key stands at that place of a line, rather than a value."""
    before = line[:column]
    start = re.search(r"[A-Za-z_]\w*$", before)
    head = before[: start.start()] if start is not None else before
    return not head.strip(" -") or (
        head.rstrip().endswith(("{", ",")) and ":" not in head.split("{")[-1].split(",")[-1]
    )


def own_names(text: str) -> list[str]:
    """The names that a game gives itself, under ``define``, ``vars`` and ``stocks``."""
    names: list[str] = []
    for block in re.split(r"^(?=\S)", text, flags=re.MULTILINE):
        if block.startswith(tuple(f"{key}:" for key in _DEFINES)):
            names += _NAMES.findall(block.split("\n", 1)[1] if "\n" in block else "")
    return list(dict.fromkeys(names))


def offers(writing: Writing, asked: bool) -> tuple[int, Sequence[Offer]]:
    """The words that may end what is written at the caret, and the column where it begins; all, if ``asked`` for."""
    line, column = writing.caret
    text = writing.lines[line]
    if "#" in text[:column] or re.match(r"\w", text[column:]):
        return column, ()
    found = _WORD.search(text[:column])
    begun = found.group() if found is not None else ""
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
    """What a word means, in the language in use."""
    return told(term.meaning) if term.meaning else ""


def parts(line: str) -> Parts:
    """The pieces of a line with the names of their colours."""
    pieces: list[tuple[str, str]] = []
    known = _terms()
    for found in _PIECES.finditer(line):
        kind, text = found.lastgroup, found.group()
        colour = "ink"
        if kind == "comment":
            colour = "soft"
        elif kind == "key":
            colour = "action" if text in known else "ink"
        elif kind == "word" and not any(term.kind == "word" for term in known.get(text, ())):
            colour = "soft"
        if pieces and pieces[-1][1] == colour:
            pieces[-1] = pieces[-1][0] + text, colour
        else:
            pieces.append((text, colour))
    return pieces
