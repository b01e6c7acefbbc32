"""Completion and syntax colouring for the rule language, based on its reference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter

from shibumi3d.catalogue.reference import ReferenceEntry, reference_entries
from shibumi3d.i18n import _

from ...ui.text_buffer import TextBuffer
from ...ui.text_editor import ColouredPieces, Completion

_LETTER_PATTERN = re.compile(r"[A-Za-z_]")
_WORD_CHARACTER = re.compile(r"\w")
_WORD_TAIL = re.compile(r"\w*+")
_PIECE_PATTERN = re.compile(
    r"(?P<comment>(?:^|(?<=\s))#.*)|(?P<run>[^\W\d][\w\x20]*+)(?P<colon>(?=\s*+:(?:\s|$)))?"
    r"|(?P<text>\"[^\"]*+\")|(?P<rest>[^\w#\"]++|.)"
)
"""Pieces of a line. A run is a sequence of words separated by spaces; before a colon, it is a key."""
_WORD_PATTERN = re.compile(r"(?P<word>[^\W\d]\w*+)|[\W\d]++|.")
_NAME_PATTERN = re.compile(r"\s*+(?:-\x20)?([a-z_]\w*+)(?:\([^()]*+\))?:")
_DEFINING_KEYS = ("define", "vars", "stocks")
VERB_KINDS = ("player", "engine", "combinator")
MIN_TYPED_LETTERS = 1
"""Minimum number of letters typed before completions are offered."""


@cache
def _terms_by_name() -> dict[str, list[ReferenceEntry]]:
    result: dict[str, list[ReferenceEntry]] = {}
    for term in reference_entries():
        result.setdefault(term.name, []).append(term)
    return result


@cache
def continuing_keys() -> frozenset[str]:
    """Return the keys that require another key in the same mapping.

    These are the combinators whose program is under another key (``do`` or ``then``), and the conditions of end rules
    (``when`` and ``as_soon_as``).
    """
    programs = {term.name for term in reference_entries() if {"do", "then"} & set(term.modifiers)}
    return frozenset({*programs, "when", "as_soon_as"})


def unfinished_word(text: str) -> str:
    """Return the unfinished word at the end of ``text``, or an empty string if there is none."""
    word = _WORD_TAIL.match(text[::-1])
    run = text[len(text) - (word.end() if word is not None else 0) :]
    match = _LETTER_PATTERN.search(run)
    return run[match.start() :] if match is not None else ""


def is_in_key(line: str, column: int) -> bool:
    """Return whether a word at column ``column`` of a line could be a key, judging by the text before it."""
    before = line[:column]
    head = before[: len(before) - len(unfinished_word(before))]
    return not head.strip(" -") or (
        head.rstrip().endswith(("{", ",")) and ":" not in head.split("{")[-1].split(",")[-1]
    )


def defined_names(text: str) -> list[str]:
    """Return the names that a game defines under ``define``, ``vars`` and ``stocks``."""
    names: list[str] = []
    inside = False
    for line in text.split("\n"):
        if line[:1].strip():
            inside = line.startswith(tuple(f"{key}:" for key in _DEFINING_KEYS))
            continue
        match = _NAME_PATTERN.match(line) if inside else None
        if match is not None:
            names.append(match[1])
    return list(dict.fromkeys(names))


def find_completions(buffer: TextBuffer, requested: bool) -> tuple[int, Sequence[Completion]]:
    """Return the column where the word before the cursor starts, and completions for that word.

    If ``requested`` is true, offer completions even if no letter has been typed yet. In a comment or in the middle of a
    word, return the cursor's column and no completions.
    """
    line, column = buffer.caret
    text = buffer.lines[line]
    if "#" in text[:column] or _WORD_CHARACTER.match(text[column : column + 1]):
        return column, ()
    typed = unfinished_word(text[:column])
    start = column - len(typed)
    if len(typed) < MIN_TYPED_LETTERS and not requested:
        return column, ()
    keys = is_in_key(text, column)
    known = [term for term in reference_entries() if (term.kind != "word") == keys]
    offers = [Completion(term.name, translate_meaning(term)) for term in known if term.name.startswith(typed)]
    if not keys:
        offers = [Completion(name) for name in defined_names(buffer.text) if name.startswith(typed)] + offers
    best_by_word: dict[str, Completion] = {}
    for offer in offers:
        if offer.word not in best_by_word or (offer.meaning and not best_by_word[offer.word].meaning):
            best_by_word[offer.word] = offer
    completions = [offer for offer in best_by_word.values() if offer.word != typed]
    return start, completions


def translate_meaning(term: ReferenceEntry) -> str:
    """Return the translated meaning of a term."""
    return _(term.meaning)


def colour_pieces(line: str) -> ColouredPieces:
    """Split a line into pieces, each with the name of the colour to draw it in."""
    return [
        ("".join(text for text, _ in pieces), colour)
        for colour, pieces in groupby(_split_pieces(line), key=itemgetter(1))
    ]


def _split_pieces(line: str) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a line, each with the name of the colour to draw it in."""
    known = _terms_by_name()
    for piece in _PIECE_PATTERN.finditer(line):
        kind, text = piece.lastgroup, piece.group()
        if kind == "comment":
            yield text, "secondary_ink"
        elif kind == "colon":
            # The space between a key and its colon isn't part of the name.
            name = text.rstrip(" ")
            yield name, "action" if name in known else "ink"
            if len(name) < len(text):
                yield text[len(name) :], "ink"
        elif kind == "run":
            for word_match in _WORD_PATTERN.finditer(text):
                word = word_match["word"]
                plain = word is None or any(term.kind == "word" for term in known.get(word, ()))
                yield word_match.group(), "ink" if plain else "secondary_ink"
        else:
            yield text, "ink"
