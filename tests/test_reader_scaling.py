"""File readers take time and memory linear in the size of the file, and report errors briefly.

Each shape makes a file of about ``n`` equal parts, which is read with ``n`` and with ``4 n`` parts. Reading the larger
file may take at most ``SECONDS``, and at most ``STEEPNESS`` times as long as reading the smaller one, plus ``SLACK``.
"""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import process_time

import pytest

from shibumi3d.app.host import settings
from shibumi3d.catalogue.catalogue import Catalogue, load_catalogue
from shibumi3d.catalogue.problems import parse_problem_file
from shibumi3d.catalogue.schema import CatalogueError
from shibumi3d.lab.plans import read_plan
from shibumi3d.match import sharing, tournament_store
from shibumi3d.match.match import Match, entry_of_record, game_of_record
from shibumi3d.match.record import Record, RecordError, parse
from shibumi3d.match.tournament import TournamentError
from shibumi3d.rules.errors import GameFileError
from shibumi3d.rules.source import Problem
from tests.share import some

SECONDS = 6.0
"""CPU seconds that reading any file may take."""
STEEPNESS, SLACK = 8.0, 0.25
"""Factor by which reading may take longer if a file is four times as long, and CPU seconds allowed in addition."""
BYTES_EACH, BYTES = 1500, 30_000_000
"""Bytes of memory allowed for each byte of a file, and bytes allowed in addition."""
LONGEST = 3000
"""The maximum length of an error message, in characters."""

Shape = Callable[[int], str]

RECORD = "shibumi3d: 2\ngame: spline\nsize: 4\nseed: 7\n"
TWO = f"{RECORD}seats: [Ann, Ben]\n"
MOVES = "moves: [W@Aa1, B@Ab1]\n"


def listed(word: str, n: int) -> str:
    return f"[{', '.join([word] * n)}]"


def numbered(words: str, n: int) -> str:
    return "".join(words.replace("#", str(number)) for number in range(n))


RECORDS: dict[str, tuple[int, Shape]] = {
    "one name": (20_000, lambda n: f"{RECORD}seats: {listed('Ann', n)}\n{MOVES}"),
    "names": (20_000, lambda n: f"{RECORD}seats: [{numbered('A#, ', n)}B]\n{MOVES}"),
    "long name": (200_000, lambda n: f"{RECORD}seats: [{'A' * n}, {'A' * n}]\n{MOVES}"),
    "players": (20_000, lambda n: f"{TWO}players: {listed('stone', n)}\n{MOVES}"),
    "winners": (40_000, lambda n: f"{TWO}{MOVES}result: {{winners: {listed('1', n)}}}\n"),
    "scores": (40_000, lambda n: f"{TWO}{MOVES}result: {{winners: [1], scores: {listed('1', n)}}}\n"),
    "reason": (200_000, lambda n: f"{TWO}{MOVES}result: {{winners: [1], reason: {'x' * n}}}\n"),
    "hints": (40_000, lambda n: f"{TWO}hints: {listed('1', n)}\n{MOVES}"),
    "clock": (40_000, lambda n: f"{TWO}clock: {{pace: 10+5, left: {listed('1', n)}}}\n{MOVES}"),
    "turns": (20_000, lambda n: f"{TWO}moves:\n{numbered('  - W@Aa1' + chr(10), n)}"),
    "long turn": (40_000, lambda n: f"{TWO}moves:\n  - {'W@Aa1 ' * n}\n"),
    "quotes": (40_000, lambda n: f"{TWO}moves:\n  - '{chr(34)}{chr(92) + chr(34)}{'a' * n}'\n"),
    "long move": (200_000, lambda n: f"{TWO}moves: [{'W' * n}]\n"),
    "passes": (20_000, lambda n: f"{TWO}moves: {listed('pass', n)}\n"),
    "undone": (20_000, lambda n: f"{TWO}{MOVES}undone: {listed('B@Ab1', n)}\n"),
    "variations": (
        8000,
        lambda n: f"{TWO}{MOVES}variations:\n{numbered('  - {after: 1, moves: [B@Ac1]}' + chr(10), n)}",
    ),
    "variation": (
        20_000,
        lambda n: f"{TWO}{MOVES}variations:\n  - {{after: 1, moves: {listed('B@Ac1', n)}}}\n",
    ),
    "deal": (20_000, lambda n: f"{TWO}deal:\n{numbered('  d#: WWB' + chr(10), n)}{MOVES}"),
    "dealt": (40_000, lambda n: f"{TWO}deal: {{box: {listed('W', n)}}}\n{MOVES}"),
    "options": (20_000, lambda n: f"{TWO}options:\n{numbered('  o#: 1' + chr(10), n)}{MOVES}"),
    "boards": (40_000, lambda n: f"{TWO}position: {{boards: {listed('W..', n)}}}\n{MOVES}"),
    "board": (200_000, lambda n: f"{TWO}position: {{boards: ['{'W' * n}']}}\n{MOVES}"),
    "stocks": (
        20_000,
        lambda n: (
            f"{TWO}position:\n  boards: ['..../..../..../....']\n  stocks:\n{numbered('    s#: W' + chr(10), n)}{MOVES}"
        ),
    ),
    "keys": (20_000, lambda n: f"{TWO}{numbered('k#: 1' + chr(10), n)}{MOVES}"),
    "one key": (20_000, lambda n: f"{TWO}{'seed: 7' + chr(10) * 1}" + "seed: 7\n" * n + MOVES),
    "tags": (20_000, lambda n: f"{TWO}moves: {listed('!x W@Aa1', n)}\n"),
    "aliases": (20_000, lambda n: f"{TWO}moves: [&a W@Aa1, {'*a, ' * n}*a]\n"),
    "flow": (100_000, lambda n: f"{TWO}moves: {'[' * n}{']' * n}\n"),
    "mappings": (40_000, lambda n: f"{TWO}moves: {'{a: ' * n}1{'}' * n}\n"),
    "dashes": (100_000, lambda n: f"{TWO}moves:\n  {'- ' * n}\n"),
    "spaces": (200_000, lambda n: f"{TWO}moves:{' ' * n}[\n"),
    "colons": (100_000, lambda n: f"{TWO}moves: {'a: ' * n}\n"),
    "zeros": (200_000, lambda n: TWO + "\0" * n),
    "lines": (200_000, lambda n: TWO + "\n" * n + MOVES),
    "remarks": (40_000, lambda n: TWO + "# a\n" * n + MOVES),
}

GAME = "title: Own\nturn: {place: own}\n"
BARE = "title: Own\n"
BIG = {"kind: arcanoid", "kind: golden-spiral", "kind: hyena-spiral"}

GAMES: dict[str, tuple[int, Shape]] = {
    "keys": (4000, lambda n: GAME + numbered("k#: 1\n", n)),
    "mistakes": (3000, lambda n: f"{GAME}stocks:\n{numbered('  s#: {white: 1}' + chr(10), n)}"),
    "stocks": (1200, lambda n: f"{GAME}stocks:\n{numbered('  s#: {holds: {white: 1}}' + chr(10), n)}"),
    "stocks a seat": (1200, lambda n: f"{GAME}stocks:\n{numbered('  s#: {each: {white: 1}}' + chr(10), n)}"),
    "vars": (2000, lambda n: f"{GAME}vars:\n{numbered('  v#: 0' + chr(10), n)}"),
    "wrong vars": (2000, lambda n: f"{GAME}vars:\n{numbered('  v#: hoels' + chr(10), n)}"),
    "chain": (
        1500,
        lambda n: f"{GAME}define:\n  d0: own\n" + "".join(f"  d{i + 1}: d{i}\n" for i in range(n)),
    ),
    "chain backwards": (
        1500,
        lambda n: f"{GAME}define:\n" + "".join(f"  d{i}: d{i + 1}\n" for i in range(n)) + f"  d{n}: own\n",
    ),
    "circle": (
        1500,
        lambda n: f"{GAME}define:\n" + "".join(f"  d{i}: d{(i + 1) % n}\n" for i in range(n)),
    ),
    "doubling": (
        1500,
        lambda n: f"{GAME}define:\n  d0: own\n" + "".join(f"  d{i + 1}: d{i} | d{i}\n" for i in range(n)),
    ),
    "doubling calls": (
        1500,
        lambda n: (
            f"{GAME}define:\n  d0(p): p\n"
            + "".join(f"  d{i + 1}(p): d{i}(p) | d{i}(p)\n" for i in range(n))
            + f"end: [{{when: count(d{n}(own)) > 3, win: me}}]\n"
        ),
    ),
    "chain of stocks": (
        1500,
        lambda n: (
            "title: Own\nstocks: {bag: {holds: {white: 9}}}\ndefine:\n  d0: bag\n"
            + "".join(f"  d{i + 1}: d{i}\n" for i in range(n))
            + f"turn: {{place: own, from: d{n}}}\n"
        ),
    ),
    "defines": (3000, lambda n: f"{GAME}define:\n{numbered('  d#: own | red' + chr(10), n)}"),
    "used defines": (
        1500,
        lambda n: (
            f"{BARE}define:\n{numbered('  d#: own | red' + chr(10), n)}"
            f"turn:\n{numbered('  - {place: own, at: d#}' + chr(10), n)}"
        ),
    ),
    "broken defines": (2000, lambda n: f"{GAME}define:\n{numbered('  d#: own |' + chr(10), n)}"),
    "may": (1500, lambda n: f"{BARE}turn:\n" + "  - {may: {place: own}}\n" * n),
    "places": (1500, lambda n: f"{BARE}turn:\n" + "  - {place: own}\n" * n),
    "choose": (1500, lambda n: f"{BARE}turn:\n  choose:\n" + "    - {place: own}\n" * n),
    "labels": (1500, lambda n: f"{BARE}turn:\n  choose:\n" + numbered("    l#: {place: own}\n", n)),
    "silent": (1500, lambda n: f"{BARE}turn:\n  choose:\n" + "    - {next: me}\n" * n),
    "if": (1500, lambda n: f"{BARE}turn:\n" + "  - {if: red, then: {place: own}}\n" * n),
    "require": (1500, lambda n: f"{BARE}turn:\n" + "  - {require: holes}\n" * n + "  - {place: own}\n"),
    "repeat": (1500, lambda n: f"{BARE}turn:\n" + "  - {repeat: red, do: {place: own}}\n" * n),
    "first": (1500, lambda n: f"{BARE}turn:\n  first:\n" + "    - {place: own}\n" * n),
    "verbs": (3000, lambda n: f"{BARE}turn:\n" + "  - {plaec: own}\n" * n),
    "let": (1500, lambda n: f"{BARE}turn:\n" + numbered("  - let: {n#: own}\n", n) + "  - {place: own}\n"),
    "wrong let": (
        1500,
        lambda n: f"{BARE}turn:\n" + numbered("  - let: {n#: hoels}\n", n) + "  - {place: own}\n",
    ),
    "let of let": (
        1200,
        lambda n: (
            f"{BARE}turn:\n  - let: {{n0: own}}\n"
            + "".join(f"  - let: {{n{i + 1}: n{i}}}\n" for i in range(n))
            + "  - {place: own}\n"
        ),
    ),
    "mark": (1500, lambda n: f"{BARE}turn:\n" + numbered("  - mark: {n#: own}\n", n) + "  - {place: own}\n"),
    "as": (1500, lambda n: f"{BARE}turn:\n" + numbered("  - {place: own, as: n#}\n", n)),
    "loops": (
        600,
        lambda n: f"{BARE}turn:\n" + '  - {place: own, at: "{p for p in holes if level(p) == 1}"}\n' * n,
    ),
    "heavy loops": (
        60,
        lambda n: (
            f"{BARE}turn:\n"
            + '  - {place: own, at: "{p for p in all for q in all for r in all if p == q or q == r}"}\n' * n
        ),
    ),
    "phases": (1200, lambda n: f"{BARE}phases:\n" + "  - {turn: {place: own}, turns: 1}\n" * n),
    "ends": (1500, lambda n: f"{GAME}end:\n" + "  - {when: stuck, win: me}\n" * n),
    "both": (1500, lambda n: f"{GAME}end:\n" + "  - {when: stuck, win: me, lose: me}\n" * n),
    "wrong ends": (1500, lambda n: f"{GAME}end:\n" + "  - {when: stuk, win: me}\n" * n),
    "most": (3000, lambda n: f"{GAME}end:\n  - {{when: stuck, most: {listed('count(own)', n)}}}\n"),
    "or": (4000, lambda n: f"{GAME}end: [{{when: {' or '.join(['own'] * n)}, win: me}}]\n"),
    "long expressions": (
        20,
        lambda n: f"{GAME}end:\n" + f"  - {{when: {' or '.join(['own'] * 240)}, win: me}}\n" * n,
    ),
    "not": (4000, lambda n: f"{GAME}end: [{{when: {'not ' * n}own, win: me}}]\n"),
    "brackets": (4000, lambda n: f"{GAME}end: [{{when: {'(' * n}own{')' * n}, win: me}}]\n"),
    "minus": (4000, lambda n: f"{GAME}end: [{{when: {'-' * n}1 > 2, win: me}}]\n"),
    "seats": (4000, lambda n: f"{GAME}seats: {listed('white', n)}\n"),
    "sizes": (4000, lambda n: f"{GAME}sizes: {listed('4', n)}\n"),
    "wrong sizes": (4000, lambda n: f"{GAME}sizes: {listed('99', n)}\n"),
    "players": (4000, lambda n: f"{GAME}players: {listed('2', n)}\n"),
    "authors": (4000, lambda n: f"{GAME}authors: [{numbered('a#, ', n)}b]\n"),
    "boards": (4000, lambda n: f"{GAME}boards: {{names: [{numbered('b#, ', n)}b]}}\n"),
    "variants": (2000, lambda n: f"{GAME}variants:\n" + numbered("  v#: {year: 2000}\n", n)),
    "wrong variant": (2000, lambda n: f"{GAME}variants:\n  v:\n" + numbered("    k#: 1\n", n)),
    "words": (1200, lambda n: f"{GAME}words:\n" + numbered("  w#: {en: a, fr: b}\n", n)),
    "aims": (4000, lambda n: f"{GAME}aim: {{en: [{'x, ' * n}x]}}\n"),
    "best": (4000, lambda n: f"{GAME}best:\n" + numbered("  b#: 1\n", n)),
    "lesson": (
        4000,
        lambda n: f"{GAME}example: {{lead: {listed('W@Aa1', n)}, moves: [a, b, c], say: {{en: x}}}}\n",
    ),
    "said": (2000, lambda n: f"{GAME}example: {{moves: [a, b, c], say: {listed('{en: x}', n)}}}\n"),
    "deeds": (4000, lambda n: f"{GAME}try: {{move: W@Aa1, does: {listed('fly', n)}, say: {{en: x}}}}\n"),
    "title": (60_000, lambda n: f"title: {'x' * n}\nturn: {{place: own}}\n"),
    "rules": (60_000, lambda n: f"{GAME}rules: {{en: {'x ' * (n // 2)}}}\n"),
    "start": (60_000, lambda n: f"{GAME}start: '{'W' * n}'\n"),
    "long word": (60_000, lambda n: f"title: Own\nturn: {{{'x' * n}: own}}\n"),
    "long kind": (60_000, lambda n: f"{GAME}kind: {'x' * n}\n"),
    "extends": (60_000, lambda n: f"{GAME}extends: {'x' * n}\n"),
    "deep": (40, lambda n: f"{BARE}turn: {'[' * n}{{place: own}}{']' * n}\n"),
    "deeper": (20_000, lambda n: f"{BARE}turn: {'[' * n}{{place: own}}{']' * n}\n"),
    "deep ifs": (15, lambda n: f"{BARE}turn: {'{if: red, then: ' * n}{{place: own}}{'}' * n}\n"),
    "laughs": (
        20,
        lambda n: (
            "title: Own\na0: &a0 [x, x]\n"
            + "".join(f"a{i + 1}: &a{i + 1} [*a{i}, *a{i}]\n" for i in range(n))
        ),
    ),
    "dashes": (30_000, lambda n: f"{BARE}turn:\n  {'- ' * n}\n"),
    "tags": (4000, lambda n: f"{BARE}turn: {listed('!x a', n)}\n"),
    **{
        f"{name} {kind}": (3000, lambda n, kind=kind, part=part: f"title: Own\n{kind}\n{part(n)}")  # type: ignore[misc]
        for kind in sorted(BIG)
        for name, part in {
            "table": lambda n: "table:\n" + numbered("  k#: 1\n", n),
            "options": lambda n: "options:\n" + numbered("  k#: {values: [1, 2]}\n", n),
            "values": lambda n: f"options: {{length: {{values: [{numbered('#, ', n)}1]}}}}\n",
        }.items()
    },
}

PLANS: dict[str, tuple[int, Shape]] = {
    "one game": (4000, lambda n: f"tasks: [{{what: selfplay, matches: 1, games: {listed('spline', n)}}}]\n"),
    "no games": (4000, lambda n: f"tasks: [{{what: selfplay, games: [{numbered('g#, ', n)}g]}}]\n"),
    "paths": (4000, lambda n: f"tasks: [{{what: selfplay, games: [{numbered('/g#.yaml, ', n)}g]}}]\n"),
    "sizes": (4000, lambda n: f"tasks: [{{what: selfplay, games: spline, sizes: {listed('4', n)}}}]\n"),
    "products": (
        1000,
        lambda n: (
            "tasks: [{what: selfplay, matches: 1, games: spline, "
            f"sizes: [{numbered('#, ', n)}4], variants: [{numbered('v#, ', n)}v], players: [{numbered('#, ', n)}2]}}]\n"
        ),
    ),
    "seeds": (
        4000,
        lambda n: f"tasks: [{{what: selfplay, matches: 1, games: spline, seeds: [{numbered('#, ', n)}0]}}]\n",
    ),
    "seats": (4000, lambda n: f"tasks: [{{what: selfplay, games: spline, seats: {listed('stone', n)}}}]\n"),
    "wrong seats": (4000, lambda n: f"tasks: [{{what: selfplay, games: spline, seats: {listed('x', n)}}}]\n"),
    "options": (
        4000,
        lambda n: "tasks: [{what: selfplay, games: spline, options: {" + numbered("o#: 1, ", n) + "}}]\n",
    ),
    "tasks": (1000, lambda n: "tasks:\n" + "  - {what: selfplay, matches: 1, games: spline}\n" * n),
    "all": (30, lambda n: "tasks:\n" + "  - {what: selfplay, matches: 1, games: all}\n" * n),
    "matches": (50, lambda n: "tasks:\n" + "  - {what: selfplay, matches: 1000000, games: spline}\n" * n),
    "empty": (4000, lambda n: "tasks:\n" + "  - {}\n" * n),
    "keys": (4000, lambda n: "tasks:\n" + numbered("  - {k#: 1}\n", n)),
    "text": (60_000, lambda n: f"tasks: {'x' * n}\n"),
    "long game": (60_000, lambda n: f"tasks: [{{what: selfplay, games: {'x' * n}}}]\n"),
}

ROW = "{id: #, n: 1, kind: win, seats: 2, line: 'W@Aa1', moves: 'W@Aa1, B@Ab1'}"
ROWS: dict[str, tuple[int, Shape]] = {
    "rows": (2000, lambda n: "rules: x\nproblems:\n" + numbered(f"  - {ROW}\n", n)),
    "one row": (2000, lambda n: "rules: x\nproblems:\n" + f"  - {ROW}\n".replace("#", "1") * n),
    "bad rows": (4000, lambda n: "rules: x\nproblems:\n" + "  - {id: x}\n" * n),
    "line": (40_000, lambda n: f"problems:\n  - {{id: 1, n: 1, line: '{'a, ' * n}a'}}\n"),
    "quotes": (40_000, lambda n: "problems:\n  - {id: 1, n: 1, line: '" + '"' + '\\"' * n + "'}\n"),
    "open quotes": (40_000, lambda n: "problems:\n  - {id: 1, n: 1, line: '" + 'a"' * n + "'}\n"),
    "commas": (40_000, lambda n: f"problems:\n  - {{id: 1, n: 1, line: '{',' * n}'}}\n"),
    "wrong": (
        20_000,
        lambda n: "problems:\n  - {id: 1, n: 1, line: a, wrong: {" + numbered("w#: b, ", n) + "}}\n",
    ),
    "themes": (
        20_000,
        lambda n: f"problems:\n  - {{id: 1, n: 1, line: a, themes: [{numbered('t#, ', n)}t]}}\n",
    ),
    "position": (60_000, lambda n: f"problems:\n  - {{id: 1, n: 1, line: a, position: '{'W/' * n}'}}\n"),
    "keys": (20_000, lambda n: "problems:\n  - {" + numbered("k#: 1, ", n) + "}\n"),
}

SETTINGS: dict[str, tuple[int, Shape]] = {
    "keys": (4000, lambda n: json.dumps({f"k{i}": i for i in range(n)})),
    "deep": (20_000, lambda n: '{"played": ' + "[" * n + "]" * n + "}"),
    "open": (20_000, lambda n: '{"a":' * n),
    "names": (4000, lambda n: json.dumps({"names": [f"n{i}" for i in range(n)]})),
    "favourites": (4000, lambda n: json.dumps({"favourites": ["spline"] * n})),
    "text": (40_000, lambda n: json.dumps({"language": "x" * n})),
    "digits": (40_000, lambda n: '{"volume": ' + "9" * n + "}"),
}

MATCH, CHALLENGE, PROBLEM = (f"shibumi3d:{kind}:1:" for kind in ("match", "challenge", "problem"))
ROW_OF_LINK = "{id: 1, game: spline, rules: x, kind: win, moves: 'W@Aa1', n: 1, line: 'W@Aa1', wrong: {"
UNLIMITED = replace(sharing.MATCH_FORMAT, max_bytes=1 << 30)
LINKS: dict[str, tuple[int, Shape]] = {
    "digits": (100_000, lambda n: f"{MATCH}{'0' * n}"),
    "data": (100_000, lambda n: f"{MATCH}0123456789ab:{'A' * n}"),
    "spaces": (100_000, lambda n: f"{MATCH}0123456789ab:{' ' * n}"),
    "line ends": (100_000, lambda n: f"{MATCH}0123456789ab:{'=' + chr(10) * n}"),
    "links": (20_000, lambda n: f"{MATCH}0123456789ab:AAAA\n" * n),
    "beginnings": (50_000, lambda n: "shibumi3d:match:" * n),
    "half links": (50_000, lambda n: f"{MATCH}0123456789" * n),
    "slashes": (50_000, lambda n: "shibumi3d://" * n),
    "quotation": (100_000, lambda n: "> " * n),
    "quoted": (50_000, lambda n: "> a\n" * n),
    "indented": (100_000, lambda n: " " * n),
    "indented lines": (20_000, lambda n: "\t \t a\n" * n),
    "soft ends": (50_000, lambda n: "=\r\n" * n),
    "soft half ends": (50_000, lambda n: "=\r" * n),
    "invisible": (100_000, lambda n: "\u200b" * n),
    "titles": (50_000, lambda n: "title\n" * n),
    "title": (100_000, lambda n: "title" + "\n" * n),
    "records": (50_000, lambda n: "shibumi3d \n" * n),
    "turns": (1200, lambda n: sharing.MATCH_FORMAT.pack(f"{TWO}moves:\n" + "  - W@Aa1\n" * n)),
    "names": (1200, lambda n: sharing.MATCH_FORMAT.pack(f"{RECORD}seats: {listed('Ann', n)}\n{MOVES}")),
    "bomb": (2_000_000, lambda n: UNLIMITED.pack("\n" * n)),
    "challenge": (2000, lambda n: sharing.CHALLENGE_FORMAT.pack(f'{{"name": "{"x" * n}"}}\n{TWO}{MOVES}')),
    "deep challenge": (8000, lambda n: sharing.CHALLENGE_FORMAT.pack(f"{'[' * n}\n{TWO}{MOVES}")),
    "problem": (
        1200,
        lambda n: sharing.PROBLEM_FORMAT.pack(f"{{}}\n{ROW_OF_LINK}{numbered('w#: b, ', n)}}}}}"),
    ),
}

TOURNAMENT = "shibumi3d-tournament: 1\nname: Friday\nsystem: swiss\nrounds: 3\n"
TABLE = f"{TOURNAMENT}games: [{{game: spline}}]\nplayers: [{{name: A}}, {{name: B}}, {{name: C}}]\n"
TOURNAMENTS: dict[str, tuple[int, Shape]] = {
    "matches": (1000, lambda n: f"{TABLE}matches:\n" + "  - {round: 1, players: [1, 2]}\n" * n),
    "drawn": (
        1000,
        lambda n: (
            f"{TABLE}matches:\n".replace("swiss", "knockout")
            + "  - {round: 1, players: [1, 2], points: [0.5, 0.5]}\n" * n
        ),
    ),
    "rounds": (1000, lambda n: f"{TABLE}matches:\n" + numbered("  - {round: #, players: [1, 2]}\n", n)),
    "bad matches": (1000, lambda n: f"{TABLE}matches:\n" + "  - {round: 0, players: [9]}\n" * n),
    "match": (4000, lambda n: f"{TABLE}matches: [{{round: 1, players: {listed('1', n)}}}]\n"),
    "points": (
        4000,
        lambda n: f"{TABLE}matches: [{{round: 1, players: [1, 2], points: {listed('1', n)}}}]\n",
    ),
    "players": (
        2000,
        lambda n: f"{TOURNAMENT}games: [{{game: spline}}]\nplayers:\n" + numbered("  - {name: A#}\n", n),
    ),
    "games": (2000, lambda n: TABLE.replace("[{game: spline}]", "\n" + "  - {game: spline}\n" * n)),
    "options": (
        2000,
        lambda n: TABLE.replace("spline}", f"spline, options: {{{numbered('o#: 1, ', n)}}}}}"),
    ),
    "name": (50_000, lambda n: TABLE.replace("Friday", "x" * n)),
    "player": (50_000, lambda n: TABLE.replace("name: A", f"name: {'x' * n}")),
    "clock": (50_000, lambda n: f"{TABLE}clock: {'1' * n}\n"),
    "keys": (4000, lambda n: TABLE + numbered("k#: 1\n", n)),
}


@pytest.fixture(scope="module")
def games() -> Catalogue:
    return load_catalogue()


def read_record(text: str, games: Catalogue, folder: Path) -> list[str]:
    try:
        record = parse(text.encode())
        Match.from_record(record, game_of_record(record, entry_of_record(record, games)))
    except (RecordError, CatalogueError) as error:
        return [str(error)]
    return []


def read_game(text: str, games: Catalogue, folder: Path) -> list[str]:
    _, problems = games.check_text(text.encode(), folder / "own.yaml")
    return _messages(problems)


def check_plan(text: str, games: Catalogue, folder: Path) -> list[str]:
    try:
        read_plan(text.encode(), folder / "plan.yaml", games)
    except GameFileError as error:
        return _messages(error.problems)
    return []


def read_rows(text: str, games: Catalogue, folder: Path) -> list[str]:
    try:
        parse_problem_file(text.encode(), "spline.yaml", "spline")
    except GameFileError as error:
        return _messages(error.problems)
    return []


def read_settings(text: str, games: Catalogue, folder: Path) -> list[str]:
    (folder / "settings.json").write_text(text)
    return [settings.load_settings(folder).notice]


def read_link(text: str, games: Catalogue, folder: Path) -> list[str]:
    """Decode the link in ``text`` and build its match, as the window does for pasted text.

    If the link contains a problem, no match is built. Returns a list with the error message, or an empty list if there
    was no error.
    """
    sharing.classify_file(text)
    try:
        found = sharing.decode(sharing.find_link(text))
        if isinstance(found, sharing.ProblemChallenge):
            return []
        record = found if isinstance(found, Record) else found.record
        Match.from_record(record, game_of_record(record, entry_of_record(record, games)))
    except (RecordError, CatalogueError) as error:
        return [str(error)]
    return []


def read_tournament(text: str, games: Catalogue, folder: Path) -> list[str]:
    try:
        tournament_store.parse(text, "x").standings()
    except TournamentError as error:
        return [str(error)]
    return []


def _messages(problems: tuple[Problem, ...]) -> list[str]:
    return [str(problem) for problem in problems]


Reader = Callable[[str, Catalogue, Path], list[str]]
CASES = [
    pytest.param(reader, parts, shape, id=f"{kind}-{name}")
    for kind, reader, shapes in (
        ("record", read_record, RECORDS),
        ("game", read_game, GAMES),
        ("plan", check_plan, PLANS),
        ("rows", read_rows, ROWS),
        ("settings", read_settings, SETTINGS),
        ("link", read_link, LINKS),
        ("tournament", read_tournament, TOURNAMENTS),
    )
    for name, (parts, shape) in shapes.items()
]


def seconds(reader: Reader, text: str, games: Catalogue, folder: Path) -> tuple[float, list[str]]:
    started_at = process_time()
    messages = reader(text, games, folder)
    return process_time() - started_at, messages


@pytest.mark.parametrize(("reader", "parts", "shape"), some(CASES, 24))
def test_reading_time_grows_linearly(
    reader: Reader, parts: int, shape: Shape, games: Catalogue, tmp_path: Path
) -> None:
    small, _ = seconds(reader, shape(parts), games, tmp_path)
    large, messages = seconds(reader, shape(4 * parts), games, tmp_path)
    for _again in range(2):
        if large < STEEPNESS * small + SLACK:
            break  # other work on the machine can only increase times: the best of three counts
        large = min(large, seconds(reader, shape(4 * parts), games, tmp_path)[0])
    assert large < SECONDS
    assert large < STEEPNESS * small + SLACK
    assert len(messages) <= 101
    assert all(len(message) < LONGEST for message in messages)
    assert not any(word in message for message in messages for word in ("Error", "TooMuch", "bug"))


@pytest.mark.parametrize(("reader", "parts", "shape"), some(CASES, 12, 3))
def test_memory_use_grows_linearly(
    reader: Reader, parts: int, shape: Shape, games: Catalogue, tmp_path: Path
) -> None:
    text = shape(parts // 2)
    tracemalloc.start()
    try:
        reader(text, games, tmp_path)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < BYTES + BYTES_EACH * len(text)
