"""Randomly damaged game files and records, reproducible by seed and number."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

import shibumi3d
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles.language.verbs import VERBS
from shibumi3d.rules.marbles.language.words import WORDS

GAMES = Path(__file__).resolve().parents[2] / "games"
TEXTS = ("summary", "rules", "authors", "year", "source", "category", "complexity", "minutes")
"""Keys that make up most of a game file, but don't affect play."""

SIGNS = "'\"{}[]()&*!|>%@`#:,-+=<?~\\\t\n \x00\x07\u00e9\u2028\ud800\U0001f525"
NUMBERS = (
    "-1",
    "0",
    "1",
    "2",
    "3",
    "10",
    "11",
    "99",
    "1000",
    "-99999999999999999999",
    "9" * 30,
    "1.5",
    "00",
    "1_0",
)
VALUES: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 10, 1.5, 10**18, "", "own", "holes", "x", "{}", "[", "2 ** 9", "1 +", "é", "none",
    "count(own)", "{p for p in points}", "all_colours", [], {}, [[]], [None], {"": None}, {"x": {}}, ["own", 1],
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """A damaged file.

    ``number`` is the number for which :func:`mutant` made it. ``kind`` is "game" or "record", ``game`` is the id of the
    game that it was made from, ``data`` is the content of the file, and ``how`` describes the damage.
    """

    number: int
    kind: str
    game: str
    data: bytes
    how: str


def mutant(seed: int, number: int) -> Mutant:
    """Return the mutant determined by ``seed`` and ``number``.

    If ``number`` is negative, it is an index into the list of game ids, and the mutant is that game with a separate
    board for each seat, hidden from the others.
    """
    if number < 0:
        name = names()[number]
        text = _dump_yaml({**tree(name), "boards": {"each": "me"}})
        return Mutant(number, "game", name, text.encode(), "boards apart")
    chance = Random(f"{seed}/{number}")
    name = chance.choice(names())
    sort = chance.random()
    if sort < 0.1:
        text, how = _apply_edits(record_of(name), chance, records())
        return Mutant(number, "record", name, _encode(text, chance), how)
    if sort < 0.15:
        data, how = _foreign_data(name, chance)
        return Mutant(number, "record", name, data, how)
    if sort < 0.4:
        text, how = _apply_edits(text_without_prose(name), chance, (), GENTLE)
        return Mutant(number, "game", name, _encode(text, chance), how)
    if sort < 0.5:
        # Damaged texts reveal little, so most mutants have none.
        source = text_of(name) if chance.random() < 0.1 else text_without_prose(name)
        text, how = _apply_edits(source, chance, tuple(text_without_prose(other) for other in names()))
        return Mutant(number, "game", name, _encode(text, chance), how)
    if sort < 0.65:
        text, how = _change_values(name, chance)
    elif sort < 0.85:
        text, how = _cross_games(name, chance)
    elif sort < 0.95:
        text, how = _hide_boards(name, chance)
    else:
        text, how = _make_expensive(name, chance)
    return Mutant(number, "game", name, _encode(text, chance), how)


@cache
def names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in GAMES.glob("*.yaml")))


@cache
def text_of(name: str) -> str:
    return (GAMES / f"{name}.yaml").read_text(encoding="utf-8")


@cache
def text_without_prose(name: str) -> str:
    """Return the text of a game file without the keys in :data:`TEXTS`, which don't affect play.

    ``name`` is the id of the game.
    """
    return re.sub(rf"(?m)^(?:{'|'.join(TEXTS)}):.*\n(?:(?:[ ].*)?\n)*", "", text_of(name))


@cache
def tree(name: str) -> dict[str, Any]:
    """Return a game file as plain data, without the keys in :data:`TEXTS`.

    ``name`` is the id of the game.
    """
    found: dict[str, Any] = yaml.safe_load(text_without_prose(name))
    return found


@cache
def parts(name: str) -> tuple[Any, ...]:
    """Return every value in a game file, at any depth, except those under the keys in :data:`TEXTS`."""
    return tuple(parent[key] for parent, key in _find_places(tree(name)))


@cache
def record_of(name: str) -> str:
    game = shibumi3d.game(name)
    match = Match(game, [f"Player {n}" for n in range(game.players[0])], 1)
    chance = Random(name)
    for _ in range(12):
        if moves := match.legal_moves():
            match.play(chance.choice(moves))
    return match.record().to_text()


@cache
def records() -> tuple[str, ...]:
    """Return a record for every ninth game.

    Some of the edits that damage a record take lines or words from these.
    """
    return tuple(record_of(name) for name in names()[::9])


def _encode(text: str, chance: Random) -> bytes:
    if chance.random() < 0.01:
        return text.encode("utf-16", "replace")
    data = text.encode("utf-8", "surrogatepass")
    if chance.random() < 0.01:
        place = chance.randrange(len(data) + 1)
        data = data[:place] + bytes([chance.randrange(256)]) + data[place:]
    return data


# ---------------------------------------------------------------- as text

Edit = Callable[[list[str], Random, tuple[str, ...]], None]


def _apply_edits(
    text: str, chance: Random, others: tuple[str, ...], edits: tuple[Edit, ...] = ()
) -> tuple[str, str]:
    """Apply one to four random edits to ``text``; return the result and the names of the edits.

    The edits are chosen from ``edits`` or, if that is empty, from ``EDITS``. Some edits take lines or words from the
    texts in ``others``.
    """
    lines = text.split("\n")
    done = []
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        edit = chance.choice(edits or EDITS)
        edit(lines, chance, others)
        done.append(edit.__name__.strip("_"))
    return "\n".join(lines), " ".join(done)


def _random_line(lines: list[str], chance: Random) -> int:
    if not lines:
        lines.append("")
    return chance.randrange(len(lines))


def _delete_line(lines: list[str], chance: Random, others: tuple[str, ...]) -> None:
    del lines[_random_line(lines, chance)]


def _double_line(lines: list[str], chance: Random, others: tuple[str, ...]) -> None:
    place = _random_line(lines, chance)
    lines[place:place] = [lines[place]] * chance.choice((1, 1, 2, 30))


def _swap_lines(lines: list[str], chance: Random, others: tuple[str, ...]) -> None:
    a, b = _random_line(lines, chance), _random_line(lines, chance)
    lines[a], lines[b] = lines[b], lines[a]


def _insert_foreign_lines(lines: list[str], chance: Random, others: tuple[str, ...]) -> None:
    source = chance.choice(others).split("\n")
    place = chance.randrange(len(source))
    at = _random_line(lines, chance)
    lines[at:at] = source[place : place + chance.randrange(1, 5)]


def _change_number(lines: list[str], chance: Random, others: tuple[str, ...]) -> None:
    _replace(lines, chance, r"\d+", lambda: chance.choice(NUMBERS))


def _change_word(lines: list[str], chance: Random, others: tuple[str, ...]) -> None:
    _replace(lines, chance, r"[A-Za-z_]\w*", lambda: chance.choice(_vocabulary(others)))


def _change_similar_word(lines: list[str], chance: Random, others: tuple[str, ...]) -> None:
    """Replace a random rule-language word in ``lines`` with one of the same type and parameters.

    The new word can be the same as the old one. If no word is found, ``lines`` stays unchanged.
    """
    words = "|".join(WORDS)
    found = [
        (n, match.span(), WORDS[match[0]])
        for n, line in enumerate(lines)
        for match in re.finditer(rf"\b(?:{words})\b", line)
    ]
    if found:
        place, (begin, end), word = chance.choice(found)
        alike = [w.name for w in WORDS.values() if (w.result, w.params) == (word.result, word.params)]
        lines[place] = lines[place][:begin] + chance.choice(alike) + lines[place][end:]


def _change_sign(lines: list[str], chance: Random, others: tuple[str, ...]) -> None:
    place = _random_line(lines, chance)
    line = lines[place]
    at = chance.randrange(len(line) + 1)
    lines[place] = line[:at] + chance.choice(SIGNS) + line[at + chance.randrange(2) :]


def _change_operator(lines: list[str], chance: Random, others: tuple[str, ...]) -> None:
    signs = (
        "|",
        "&",
        "-",
        "+",
        "*",
        "//",
        "%",
        "<",
        "<=",
        "==",
        "!=",
        ">=",
        " in ",
        " and ",
        " or ",
        " not ",
        ", ",
    )
    _replace(lines, chance, r"[-|&+*/%<>=]+| and | or | in ", lambda: chance.choice(signs))


def _change_indent(lines: list[str], chance: Random, others: tuple[str, ...]) -> None:
    place = _random_line(lines, chance)
    line = lines[place]
    shift = chance.choice((-4, -2, -1, 1, 2, 4))
    lines[place] = " " * shift + line if shift > 0 else line[min(-shift, len(line) - len(line.lstrip())) :]


def _change_quotes(lines: list[str], chance: Random, others: tuple[str, ...]) -> None:
    if not _replace(lines, chance, r"['\"]", lambda: chance.choice(("", "'", '"', '""'))):
        place = _random_line(lines, chance)
        lines[place] = re.sub(r": (.*)$", r': "\1"', lines[place])


def _nest_word(lines: list[str], chance: Random, others: tuple[str, ...]) -> None:
    times = chance.choice((2, 20, 70, 500))
    left, right = chance.choice(("()", "[]", "{}"))
    _replace(lines, chance, r"[A-Za-z_]\w*", lambda: left * times + "own" + right * times)


def _cut_text(lines: list[str], chance: Random, others: tuple[str, ...]) -> None:
    del lines[_random_line(lines, chance) :]


def _replace(lines: list[str], chance: Random, pattern: str, new: Callable[[], str]) -> bool:
    found = [(n, match.span()) for n, line in enumerate(lines) for match in re.finditer(pattern, line)]
    if not found:
        return False
    place, (begin, end) = chance.choice(found)
    lines[place] = lines[place][:begin] + new() + lines[place][end:]
    return True


EDITS: tuple[Edit, ...] = (
    _delete_line, _double_line, _swap_lines, _insert_foreign_lines, _change_number, _change_number, _change_word,
    _change_word, _change_word, _change_sign, _change_sign, _change_operator, _change_operator, _change_indent,
    _change_quotes, _nest_word, _cut_text,
)  # fmt: skip


# Edits that usually leave a playable game, though not a good one.
GENTLE: tuple[Edit, ...] = (
    _change_number,
    _change_similar_word,
    _change_similar_word,
    _change_similar_word,
    _change_operator,
    _delete_line,
)


@cache
def _vocabulary(others: tuple[str, ...]) -> tuple[str, ...]:
    found = set(WORDS) | set(VERBS) | {"lambda", "if", "for", "is", "yield", "__import__", "Aa1", "Zz9", "j2"}
    for text in others:
        found.update(re.findall(r"[A-Za-z_]\w*", text))
    return tuple(sorted(found))


# ---------------------------------------------------------------- as a tree


def _change_values(name: str, chance: Random) -> tuple[str, str]:
    """Return the file of the game ``name`` with random changes, as YAML, and the kinds of the changes.

    The keys in :data:`TEXTS` are left out. The kinds are separated by spaces. They include kinds that were chosen but
    didn't apply, such as doubling an item that isn't in a list. The board sizes and the numbers of players may change
    too, but this isn't included in the kinds.
    """
    top = deepcopy(tree(name))
    done = []
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5))):
        places = _find_places(top)
        if not places:
            break
        parent, key = chance.choice(places)
        sort = chance.choice(
            ("graft", "graft", "graft", "graft", "value", "drop", "double", "wrap", "key", "swap")
        )
        done.append(sort)
        if sort == "graft":
            # Values of the same type are preferred, as they get past the first checks.
            other = parts(chance.choice(names()))
            alike = [part for part in other if type(part) is type(parent[key])]
            parent[key] = deepcopy(chance.choice(alike if alike and chance.random() < 0.9 else other))
        elif sort == "value":
            parent[key] = deepcopy(chance.choice(VALUES))
        elif sort == "drop":
            del parent[key]
        elif sort == "double" and isinstance(parent, list):
            parent[key:key] = [deepcopy(parent[key])] * chance.choice((1, 2, 40))
        elif sort == "wrap":
            verb = chance.choice((*VERBS, None))
            parent[key] = [parent[key]] if verb is None else {verb: parent[key]}
        elif sort == "key" and isinstance(parent, dict):
            parent[chance.choice((*VERBS, *tree(chance.choice(names())), "x y"))] = parent.pop(key)
        elif sort == "swap":
            second, other_key = chance.choice(places)
            kept = deepcopy(parent[key])
            parent[key] = deepcopy(second[other_key])
            second[other_key] = kept
    # Some mutants have board sizes and numbers of players that the game was never tried with.
    if chance.random() < 0.2:
        top["sizes"] = [chance.randint(2, 10)]
    if chance.random() < 0.1:
        top["players"] = chance.randint(1, 10)
    return _dump_yaml(top), " ".join(done)


SECTIONS = (
    "boards",
    "start",
    "stocks",
    "vars",
    "setup",
    "turn",
    "phases",
    "pass",
    "score",
    "end",
    "series",
    "seats",
)
"""Parts of a game that may be taken from another game."""
WHOLE = ("define", "vars", "stocks")
"""Definitions that other parts use, and that are therefore copied with them."""


def _cross_games(name: str, chance: Random) -> tuple[str, str]:
    """Replace parts of a game with those of other games, and add the other games' definitions.

    Returns the new text and a description of the changes.
    """
    top = deepcopy(tree(name))
    done = []
    for _ in range(chance.choice((1, 1, 2, 3))):
        other = chance.choice(names())
        source = tree(other)
        part = chance.choice([key for key in SECTIONS if key in source] or ["turn"])
        done.append(f"{part} of {other}")
        if part in ("turn", "phases"):
            top.pop("turn", None)
            top.pop("phases", None)
        if part in source:
            top[part] = deepcopy(source[part])
        for key in WHOLE:
            if isinstance(source.get(key), dict):
                top[key] = {**deepcopy(source[key]), **(top.get(key) or {})}
    return _dump_yaml(top), ", ".join(done)


def _hide_boards(name: str, chance: Random) -> tuple[str, str]:
    """Give each seat of a game its own board, and choose at random who may see it.

    A board is visible to its own seat, to the opponents, to everyone or to nobody. Sometimes, the game is also crossed
    with others, stocks are hidden or the turns are made secret. ``name`` is the id of the game, and ``chance`` makes
    all random choices. Returns the new text and a description of the changes, which doesn't mention hidden stocks or
    secret turns.
    """
    top, how = deepcopy(tree(name)), "boards apart"
    if chance.random() < 0.3:
        text, how = _cross_games(name, chance)
        top, how = yaml.safe_load(text), f"boards apart, {how}"
    top["boards"] = {"each": chance.choice(("me", "me", "me", "none", "opponents", "everyone"))}
    if chance.random() < 0.3 and isinstance(top.get("stocks"), dict):
        for stock in top["stocks"].values():
            if isinstance(stock, dict):
                stock["see"] = chance.choice(("me", "none", "opponents"))
    if chance.random() < 0.3:
        turn = top.get("turn")
        secret = {"by": "everyone", "secret": True, "do": turn}
        top.update({"turn": secret} if turn is not None else {})
    return _dump_yaml(top), how


COSTLY = (
    "{a | b | c | d for a in POOL for b in POOL for c in POOL for d in POOL}",
    "[a for a in POOL for b in POOL for c in POOL for d in POOL]",
    "{l | m for l in lines(4, POOL) for m in lines(4, POOL)}",
    "{g | h for g in groups(POOL) for h in groups(POOL) for i in groups(POOL)}",
    "range(-9999, 9999)",
    "copies(POOL)",
    "[x * y for x in range(1000) for y in range(1000)]",
    "[x * y for x in range(count(POOL)) for y in range(1000)]",
)
POOLS = ("points", "filled", "playable", "own", "holes", "movable")


def _make_expensive(name: str, chance: Random) -> tuple[str, str]:
    """Give a game an expression or a turn that takes a great deal of work.

    Sometimes also set the size of its board to 10, the largest. Returns the new text and a description of the expensive
    part, which doesn't mention the size.
    """
    top = deepcopy(tree(name))
    costly = chance.choice(COSTLY).replace("POOL", chance.choice(POOLS))
    placed = [(parent, key) for parent, key in _find_places(top) if isinstance(parent[key], str)]
    way = chance.random()
    if way < 0.4:
        top.pop("phases", None)
        top["turn"] = {"pick": costly}
    elif way < 0.6:
        size = chance.choice((1, 2, 6))
        step: dict[str, Any] = {"choose": {f"c{n}": {"place": "own"} for n in range(4)}}
        for _ in range(size):
            step = {"repeat": step, "times": [1, 3]}
        top.pop("phases", None)
        top["turn"] = [step, {"require": f"count({chance.choice(POOLS)}) > 999"}]
        costly = f"{size} repeats"
    elif placed:
        parent, key = chance.choice(placed)
        parent[key] = chance.choice(
            (costly, f"any({costly})", f"sum(1 for x in {costly})", f"count({costly}) > 3")
        )
    if chance.random() < 0.3:
        top["sizes"] = [10]
        top.pop("start", None)
    return _dump_yaml(top), f"costs: {costly}"


FOREIGN = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"PK\x03\x04", b"\x1f\x8b\x08", b"%PDF-1.7\n", b"\x7fELF\x02\x01\x01",
    b"SQLite format 3\0", b"<?xml version='1.0'?>\n", b"#!/bin/sh\n", b'{"scale": 100}', b"From: x\n\n",
    b"\xff\xd8\xff\xe0",
)  # fmt: skip


def _foreign_data(name: str, chance: Random) -> tuple[bytes, str]:
    """Return data to use in place of a record, and a description of the data.

    The data is one of the following: the first bytes of another kind of file, with or without random bytes after them;
    a game file; a record followed by a game file; the first bytes of another kind of file followed by a record; or a
    mixture of two records. ``name`` is the id of the game whose record is replaced.
    """
    whole = record_of(name).encode()
    way = chance.randrange(5)
    if way == 0:
        return chance.choice(FOREIGN) + chance.randbytes(
            chance.choice((0, 100, 5000))
        ), "another kind of file"
    if way == 1:
        return text_of(name).encode(), "a game"
    if way == 2:
        return whole + text_without_prose(chance.choice(names())).encode(), "a record, then a game"
    if way == 3:
        return chance.choice(FOREIGN) + whole, "a record behind the head of another kind of file"
    lines, other = record_of(name).splitlines(True), record_of(chance.choice(names())).splitlines(True)
    kept = [chance.choice(pair) for pair in zip(lines[:6], other[:6], strict=False)]
    return "".join([*kept, *chance.choice((lines, other))[6:]]).encode(), "two records"


def _dump_yaml(top: Any) -> str:
    return yaml.safe_dump(top, sort_keys=False, allow_unicode=True)


def _find_places(value: Any) -> list[tuple[Any, Any]]:
    """Return every place in a tree of dictionaries and lists as a pair: the container, and the key or index in it."""
    found: list[tuple[Any, Any]] = []
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        found.append((value, key))
        found += _find_places(value[key])
    return found
