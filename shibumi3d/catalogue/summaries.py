"""What was found in the user's game files when they were read last: thousands need not be read at each start.

A file is known again by its name, size and times, and by those of the files that it looked for, as what it extends.
What is remembered lies in one file, which is believed only if it is whole and was written by this very program.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from shibumi3d import files, paths
from shibumi3d.catalogue.schema import Entry, Shelved
from shibumi3d.rules.game import Option
from shibumi3d.rules.source import FilePlace, Problem

FILE = "own-games.json"
LARGEST = 64 * 1024 * 1024
"""How large the file may be, in bytes."""
Stamp = tuple[int, ...]
"""What tells a file from what it was before: its size, times and number."""
PLAIN = (
    "id", "file", "variant", "title", "kind", "authors", "year", "book", "page", "category", "complexity", "minutes",
    "players", "sizes", "size", "variants", "own", "path",
)  # fmt: skip
"""The fields of an entry that JSON can hold, lists in place of tuples."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in a file with that ``stamp``: a game, or what is wrong.

    ``beside`` are the files that it looked for, by name, as they were; None for those that were not there.
    """

    stamp: Stamp
    beside: Mapping[str, Stamp | None]
    entry: Entry | None
    problems: tuple[Problem, ...]


def stamp(path: Path) -> Stamp | None:
    """The stamp of the file at ``path``; None where none can be looked at."""
    try:
        about = path.stat()
    except (OSError, ValueError):
        return None
    return about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino


class Summaries:
    """What was found in the files of one folder, and the file in ``cache`` where it is kept; None: nowhere."""

    def __init__(self, folder: Path, cache: Path | None) -> None:
        self.folder = folder
        self._file = cache / FILE if cache is not None else None
        self._found: dict[str, Found] = {}
        self._raw: dict[str, Any] = {}
        """What the file holds and was not asked for yet."""
        self._program = ""
        self._read()

    def known(self, name: str, now: Stamp | None, stamps: dict[str, Stamp | None]) -> Found | None:
        """What was found in the file called ``name``, if neither it nor what it looked for has changed.

        ``stamps`` gathers those of files that were looked at.
        """
        found = self._found.get(name)
        if found is None and name in self._raw:
            with suppress(Exception):  # then it is read anew
                found = self._found[name] = _decoded(self._raw.pop(name))
        if found is None or now is None or found.stamp != now:
            return None
        for other, then in found.beside.items():
            if other not in stamps:
                stamps[other] = stamp(self.folder / other)
            if stamps[other] != then:
                return None
        return found

    def holds(self, found: Mapping[str, Found]) -> bool:
        """Whether all that is remembered is what was ``found``: nothing is gone."""
        return not self._raw and self._found.keys() == found.keys()

    def keep(self, found: Mapping[str, Found]) -> None:
        """Remember what was ``found`` by name, and nothing else; what can't be written is left."""
        self._found, self._raw = dict(found), {}
        if self._file is None:
            return
        told = json.dumps(
            {
                "program": self._made_by(),
                "folder": str(self.folder),
                "games": {name: _encoded(each) for name, each in self._found.items()},
            },
            separators=(",", ":"),
        )
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            files.write_whole(self._file, f"{_digest(told)}\n{told}\n")

    def _read(self) -> None:
        if self._file is None:
            return
        with suppress(Exception):  # whatever lies there, the games are read anew
            check, _, told = files.read(self._file, LARGEST).decode("ascii").partition("\n")
            told = told.rstrip("\n")
            if check != _digest(told):
                return
            kept = json.loads(told)
            if (kept["program"], kept["folder"]) == (self._made_by(), str(self.folder)):
                self._raw = kept["games"]

    def _made_by(self) -> str:
        """What tells this program from others, which may find something else in the same file."""
        if not self._program:
            here = Path(__file__).resolve().parent
            parts: Iterable[Path] = [*here.glob("*.py"), *(here.parent / "rules").rglob("*.py")]
            games = paths.games()
            if isinstance(games, Path):
                parts = [*parts, *games.iterdir()]
            marks = sorted((str(part), (stamp(part) or (0, 0))[:2]) for part in parts)
            self._program = _digest(repr(marks))
        return self._program


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _encoded(found: Found) -> dict[str, Any]:
    told: dict[str, Any] = {"stamp": found.stamp, "beside": dict(found.beside)}
    if found.entry is not None:
        entry = found.entry
        told["entry"] = {name: getattr(entry, name) for name in PLAIN}
        told["best"] = list(entry.best.items())
        told["summary"] = dict(entry.summary)
        told["options"] = [
            (each.name, dict(each.label), each.values, each.usual, list(each.usual_by_seats.items()))
            for each in entry.options
        ]
    if found.problems:
        told["problems"] = [
            (each.mark.file, each.mark.line, each.mark.column, each.message) for each in found.problems
        ]
    return told


def _decoded(told: dict[str, Any]) -> Found:
    entry = None
    if "entry" in told:
        plain: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in told["entry"].items()
        }
        entry = Entry(
            **plain,
            best=MappingProxyType(dict(told["best"])),
            summary=MappingProxyType(told["summary"]),
            options=tuple(
                Option(name, label, tuple(values), usual, dict(by_seats))
                for name, label, values, usual, by_seats in told["options"]
            ),
            shelved=Shelved(None),
        )
    return Found(
        tuple(told["stamp"]),
        {name: None if then is None else tuple(then) for name, then in told["beside"].items()},
        entry,
        tuple(Problem(FilePlace(*place), message) for *place, message in told.get("problems", ())),
    )
