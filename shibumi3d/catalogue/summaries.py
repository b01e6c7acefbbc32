"""Cached summaries of the user's game files, so that not all files are read at each start.

A cached summary is valid while the stamps of the file and of all files looked up for it, such as those it extends, are
unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import shibumi3d.paths as paths
from shibumi3d.catalogue.remembered import Remembered, Stamp, stamp
from shibumi3d.catalogue.schema import Entry, Shelved
from shibumi3d.i18n import Message
from shibumi3d.rules.game import Option
from shibumi3d.rules.source import FilePlace, Problem

FILE = "own-games.json"
PLAIN = (
    "id", "file", "variant", "title", "kind", "authors", "year", "book", "page", "category", "complexity", "minutes",
    "players", "sizes", "size", "variants", "own", "path",
)  # fmt: skip
"""Fields of an entry that can be stored as JSON, with lists instead of tuples."""


@dataclass(frozen=True, slots=True)
class Found:
    """Result of reading a file: a game or the problems found.

    ``stamp`` is the stamp of the file when it was read. ``beside`` maps the names of other files that were looked up to
    their stamps, or to None if they didn't exist.
    """

    stamp: Stamp
    beside: Mapping[str, Stamp | None]
    entry: Entry | None
    problems: tuple[Problem, ...]


def _parts() -> Iterable[Path]:
    """Return the program files on which summaries depend.

    These are the files that read games, and the built-in games, which may be extended.
    """
    here = Path(__file__).resolve().parent
    games = paths.games()
    return [
        *here.glob("*.py"),
        *(here.parent / "rules").rglob("*.py"),
        *(games.iterdir() if isinstance(games, Path) else ()),
    ]


class Summaries:
    """Results of reading the files in a folder, stored in the folder ``cache``.

    Nothing is stored if ``cache`` is None.
    """

    def __init__(self, folder: Path, cache: Path | None) -> None:
        self.folder = folder
        self._kept = Remembered(cache, FILE, folder, _parts)
        self._found: dict[str, Found] = {}
        self._raw = self._kept.read()
        """Cached entries that have not been decoded yet."""

    def known(self, name: str, now: Stamp | None, stamps: dict[str, Stamp | None]) -> Found | None:
        """Return the result for a file, or None if it or a file on which it depends has changed.

        ``now`` is the current stamp of the file. ``stamps`` collects the stamps of the other files examined.
        """
        found = self._found.get(name)
        if found is None and name in self._raw:
            with suppress(Exception):  # the file is then read again
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
        """Return whether the cache holds results for exactly the files in ``found``."""
        return not self._raw and self._found.keys() == found.keys()

    def keep(self, found: Mapping[str, Found]) -> None:
        """Replace the cached results with ``found``. Errors while writing are ignored."""
        self._found, self._raw = dict(found), {}
        self._kept.write({name: _encoded(each) for name, each in found.items()})


def _encoded(found: Found) -> dict[str, Any]:
    told: dict[str, Any] = {"stamp": found.stamp, "beside": dict(found.beside)}
    if found.entry is not None:
        entry = found.entry
        told["entry"] = {name: getattr(entry, name) for name in PLAIN}
        told["best"] = list(entry.best.items())
        told["summary"], told["titles"] = dict(entry.summary), dict(entry.titles)
        told["options"] = [
            (each.name, dict(each.label), each.values, each.usual, list(each.usual_by_seats.items()))
            for each in entry.options
        ]
    if found.problems:
        told["problems"] = [
            (each.mark.file, each.mark.line, each.mark.column, each.message.data()) for each in found.problems
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
            titles=MappingProxyType(told["titles"]),
            options=tuple(
                Option(name, MappingProxyType(label), tuple(values), usual, dict(by_seats))
                for name, label, values, usual, by_seats in told["options"]
            ),
            shelved=Shelved(None),
        )
    return Found(
        tuple(told["stamp"]),
        {name: None if then is None else tuple(then) for name, then in told["beside"].items()},
        entry,
        tuple(Problem(FilePlace(*place), Message.of_data(data)) for *place, data in told.get("problems", ())),
    )
