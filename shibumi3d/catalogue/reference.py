"""Generation of the tables in ``docs/language.md`` from the definitions of words and verbs.

``python -m shibumi3d.catalogue.reference docs/language.md`` updates the tables, which are enclosed in markers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import shibumi3d.files as files
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.merge import only_keys
from shibumi3d.catalogue.schema import META_KEYS, VARIANT_LABEL_KEY
from shibumi3d.rules.marbles.facts import marble_facts
from shibumi3d.rules.marbles.language.compiler.phases import END_KEYS as END_KEYS
from shibumi3d.rules.marbles.language.compiler.phases import PHASE_KEYS
from shibumi3d.rules.marbles.language.verbs import VERBS
from shibumi3d.rules.marbles.language.vocabulary import WordEntry
from shibumi3d.rules.marbles.language.words import WORDS
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.rules.registry import DEFAULT_KIND, load_kind
from shibumi3d.rules.source import Item


@dataclass(frozen=True, slots=True)
class ReferenceEntry:
    """An entry of the language reference: a verb, an expression word or another key of game files.

    For a verb, ``kind`` is ``player``, ``engine`` or ``combinator``, and ``modifiers`` lists the modifiers that it
    accepts. For an expression word, ``kind`` is ``word`` and ``result`` is its type. For any other key, ``kind`` is
    ``key``. ``syntax`` is the name with its arguments, if any. The game designer page adds an entry for end rules, in
    which ``kind`` is ``rule`` and ``modifiers`` lists the keys of end rules.
    """

    name: str
    kind: str
    syntax: str = ""
    meaning: str = ""
    example: str = ""
    modifiers: tuple[str, ...] = ()
    result: str = ""


@cache
def reference_entries() -> tuple[ReferenceEntry, ...]:
    """Return all verbs, all expression words, and the other keys of marble games, in this order.

    The keys include the modifiers of verbs.
    """
    verbs = [
        ReferenceEntry(verb.name, verb.kind, verb.name, verb.meaning, verb.example, verb.modifiers)
        for verb in VERBS.values()
    ]
    words = [
        ReferenceEntry(word.name, "word", _syntax(word), word.meaning, word.example, result=word.result)
        for word in WORDS.values()
    ]
    known = [*META_KEYS, *load_kind(DEFAULT_KIND).KEYS, "extends", "variants", VARIANT_LABEL_KEY]
    known += [*PHASE_KEYS, *END_KEYS]
    known += [modifier for verb in verbs for modifier in verb.modifiers]
    keys = [ReferenceEntry(name, "key", name) for name in dict.fromkeys(known)]
    return (*verbs, *words, *keys)


def count_usage() -> tuple[dict[str, int], dict[str, int]]:
    """Return how many built-in marble games use each word and how many use each verb.

    A game counts if it or any of its variants uses the word or verb.
    """
    words = dict.fromkeys(WORDS, 0)
    verbs = dict.fromkeys(VERBS, 0)
    for entry in load_catalogue():
        if entry.kind != DEFAULT_KIND:
            continue
        used: set[str] = set()
        done: set[str] = set()
        for variant in ("", *entry.variants):
            game = entry.game(variant=variant or None)
            used |= marble_facts(game).words_used
            done |= verbs_in(only_keys(entry.with_variant(variant).rules_item, ("setup", "turn", "phases")))
        for name in used & set(words):
            words[name] += 1
        for name in done:
            verbs[name] += 1
    return words, verbs


def verbs_in(item: Item) -> set[str]:
    """Return the verbs that occur as keys in an item or in the items nested in it."""
    result: set[str] = set()
    parts = item.value.values() if isinstance(item.value, dict) else item.value
    if isinstance(item.value, dict):
        result |= set(item.value) & set(VERBS)
    if isinstance(item.value, dict | list) and parts is not None:
        for part in parts:  # type: ignore[attr-defined]  # a list or the values of a mapping
            result |= verbs_in(part)
    return result


def format_word_table() -> str:
    """Return the Markdown table of all expression words."""
    used, _ = count_usage()
    lines = ["| word | type | meaning | example | games |", "| --- | --- | --- | --- | --- |"]
    for word in WORDS.values():
        shown = (
            "`Aa1` … " + f"`{get_pyramid(4).point_names[-1]}`" if word.name == "Aa1" else f"`{_syntax(word)}`"
        )
        example = word.example.replace("|", "\\|")
        lines.append(f"| {shown} | {word.result} | {word.meaning} | `{example}` | {used[word.name]} |")
    return "\n".join(lines)


def _syntax(word: WordEntry) -> str:
    return f"{word.name}({', '.join(word.params)})" if word.params else word.name


def format_verb_table() -> str:
    """Return the Markdown table of all verbs."""
    _, used = count_usage()
    lines = [
        "| verb | kind | modifiers | meaning | example | games |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for verb in VERBS.values():
        modifiers = " ".join(f"`{name}`" for name in verb.modifiers)
        example = verb.example.replace("|", "\\|")
        lines.append(
            f"| `{verb.name}` | {verb.kind} | {modifiers} | {verb.meaning} | `{example}` | {used[verb.name]} |"
        )
    return "\n".join(lines)


TABLES: Mapping[str, Callable[[], str]] = {"words": format_word_table, "verbs": format_verb_table}


def fill_tables(text: str) -> str:
    """Return ``text`` with its tables regenerated.

    ``text`` must contain all :data:`TABLES`, each between ``<!-- NAME -->`` and ``<!-- end of NAME -->``.
    """
    for name, table in TABLES.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        head, _, rest = text.partition(begin)
        _, _, tail = rest.partition(end)
        text = f"{head}{begin}{table()}\n{end}{tail}"
    return text


MAX_PAGE_BYTES = 1 << 22
"""Maximum size of the file with the tables, in bytes."""


def main() -> None:
    """Update the tables in the file named on the command line."""
    path = Path(sys.argv[1])
    files.write(path, fill_tables(files.read_text(path, MAX_PAGE_BYTES)))


if __name__ == "__main__":
    main()
