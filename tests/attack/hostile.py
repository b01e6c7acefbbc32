"""Malicious files, by name. When run as a program, this module reads all of them under the limits for mutants."""

from __future__ import annotations

import json
from pathlib import Path

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match import record
from shibumi3d.match.record import RecordError
from shibumi3d.rules.errors import GameFileError
from tests.attack.trial import forbid_side_effects, limit_time, peak_memory, prepare

HOSTILE: dict[str, bytes] = {
    "nothing": b"",
    "deep lists": b"title: x\nturn: " + b"[" * 100_000,
    "deep mappings": b"title: x\nturn: " + b"{a: " * 50_000,
    "deep blocks": b"title: x\nturn:\n" + b"".join(b" " * n + b"- \n" for n in range(1, 400)),
    "deep expression": b"title: x\nturn: {place: own, at: '" + b"(" * 5000 + b"own" + b")" * 5000 + b"'}\n",
    "huge": b"title: x\n" + b"# " + b"x" * 10_000_000,
    "a huge word": b"title: " + b"x" * 200_000 + b"\nturn: {place: " + b"y" * 50_000 + b"}\n",
    "a huge number": b"title: x\nplayers: " + b"9" * 100_000 + b"\n",
    "many keys": b"title: x\n" + b"".join(b"k%d: 1\n" % n for n in range(15_000)),
    "many variants": b"title: x\nvariants:\n" + b"".join(b"  v%d: {}\n" % n for n in range(15_000)),
    "an alias to itself": b"title: x\nturn: &a [*a]\n",
    "aliases to themselves": b"title: x\nturn: &a {first: [&b [*a, *b]]}\n",
    "aliases that double": b"title: x\nturn:\n  - &a0 [x]\n"
    + b"".join(b"  - &a%d [*a%d, *a%d]\n" % (n, n - 1, n - 1) for n in range(1, 50)),
    "Latin-1": "title: Café\n".encode("latin-1"),
    "UTF-16": "title: x\nturn: {place: own}\n".encode("utf-16"),
    "UTF-32": "title: x\nturn: {place: own}\n".encode("utf-32"),
    "zeros": b"\0" * 1000,
    "a zero": b"title: x\0y\nturn: {place: own}\n",
    "noise": bytes(range(256)) * 100,
    "a list": b"- title\n- x\n",
    "a word": b"title\n",
    "a number": b"42\n",
    "two documents": b"title: x\n---\ntitle: y\n",
    "a Python object": b"!!python/object/apply:os.system ['true']\n",
    "all keys wrong": b"title: []\nauthors: {}\nyear: []\nsource: 1\ncategory: []\ncomplexity: {}\nminutes: x\n"
    b"sizes: {}\nbest: 1\nplayers: {}\nsummary: []\nrules: 1\nseats: {}\nboards: []\nstocks: 1\nvars: []\n"
    b"define: 1\nstart: []\nsetup: 1\nturn: 1\npass: []\nscore: {}\nend: 1\nseries: []\n"
    b"solvable: []\nvariants: []\nextends: {}\n",
    "empty values": b"title: x\nturn:\nend:\nvars:\nphases:\n",
    "lone halves of characters": "title: x\ud800\n".encode("utf-8", "surrogatepass"),
}


def main() -> None:
    """Read each file in :data:`HOSTILE` as a game and as a record, and print the outcome as JSON.

    ``refused`` lists what was refused with GameFileError or RecordError: "game" or "record", followed by the name of
    the file, such as "game a huge number". ``peak`` is the peak memory of this process in bytes. If a file is accepted
    as a game, the game is also started. Any other error ends the program.
    """
    load_catalogue()
    prepare(10.0)
    refused: list[str] = []
    for name, data in HOSTILE.items():
        with forbid_side_effects(), limit_time():
            try:
                load_catalogue().parse(data, Path("game.yaml")).game().start()
            except GameFileError:
                refused.append(f"game {name}")
        with forbid_side_effects(), limit_time():
            try:
                record.parse(data)
            except RecordError:
                refused.append(f"record {name}")
    print(json.dumps({"refused": refused, "peak": peak_memory()}))


if __name__ == "__main__":
    main()
