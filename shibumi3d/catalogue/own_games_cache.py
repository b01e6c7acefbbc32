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
from shibumi3d.catalogue.folder_cache import FileStamp, FolderCache, file_stamp
from shibumi3d.catalogue.schema import Entry, LazyContents
from shibumi3d.i18n import Message
from shibumi3d.rules.game import Option
from shibumi3d.rules.source import Problem, SourceLocation

CACHE_FILE = "own-games.json"
JSON_FIELDS = (
    "id", "file", "variant", "title", "kind", "authors", "year", "book", "page", "category", "complexity", "minutes",
    "players", "sizes", "size", "variants", "own", "path", "recommended",
)  # fmt: skip
"""Fields of an entry that can be stored as JSON, with lists instead of tuples."""


@dataclass(frozen=True, slots=True)
class ReadResult:
    """Result of reading a file: a game or the problems found.

    ``stamp`` is the stamp of the file when it was read, or () if the file must be read again next time.
    ``dependencies`` maps the names of the other files that were examined to their stamps; a file that didn't exist or
    couldn't be accessed is mapped to None.
    """

    stamp: FileStamp
    dependencies: Mapping[str, FileStamp | None]
    entry: Entry | None
    problems: tuple[Problem, ...]


def _source_files() -> Iterable[Path]:
    """Return the program files on which the cached summaries of games depend.

    They are the sources of the code that reads games, and the files of the built-in games, which other games may
    extend.
    """
    package_folder = Path(__file__).resolve().parent
    games = paths.catalogue_folder()
    return [
        *package_folder.glob("*.py"),
        *(package_folder.parent / "rules").rglob("*.py"),
        *(games.iterdir() if isinstance(games, Path) else ()),
    ]


class OwnGamesCache:
    """Results of reading the files in ``folder``, kept in memory.

    Unless ``cache`` is None, they are also stored in the folder ``cache``.
    """

    def __init__(self, folder: Path, cache: Path | None) -> None:
        self.folder = folder
        self._cache = FolderCache(cache, CACHE_FILE, folder, _source_files)
        self._results: dict[str, ReadResult] = {}
        self._undecoded = self._cache.read()
        """Cached results that have not been decoded yet."""

    def find(
        self, name: str, stamp: FileStamp | None, stamps: dict[str, FileStamp | None]
    ) -> ReadResult | None:
        """Return the cached result for the file ``name``, or None if there is no valid one.

        ``stamp`` is the current stamp of the file. ``stamps`` holds the stamps of other files by name; any that are
        needed but missing are added.
        """
        result = self._results.get(name)
        if result is None and name in self._undecoded:
            with suppress(Exception):  # the file is then read again
                result = self._results[name] = _decode(self._undecoded.pop(name))
        if result is None or stamp is None or result.stamp != stamp:
            return None
        for other, then in result.dependencies.items():
            if other not in stamps:
                stamps[other] = file_stamp(self.folder / other)
            if stamps[other] != then:
                return None
        return result

    def has_exactly(self, results: Mapping[str, ReadResult]) -> bool:
        """Return whether the cache holds results for exactly the files in ``results``."""
        return not self._undecoded and self._results.keys() == results.keys()

    def replace(self, results: Mapping[str, ReadResult]) -> None:
        """Replace the cached results with ``results``, and write them to the cache file.

        Errors while writing are ignored.
        """
        self._results, self._undecoded = dict(results), {}
        self._cache.write({name: _encode(result) for name, result in results.items()})


def _encode(result: ReadResult) -> dict[str, object]:
    data: dict[str, object] = {"stamp": result.stamp, "beside": dict(result.dependencies)}
    if result.entry is not None:
        entry = result.entry
        data["entry"] = {name: getattr(entry, name) for name in JSON_FIELDS}
        data["best"] = list(entry.best.items())
        data["summary"], data["titles"] = dict(entry.summary), dict(entry.titles)
        data["variant_labels"] = {name: dict(label) for name, label in entry.variant_labels.items()}
        data["options"] = [
            (
                option.name,
                dict(option.label),
                option.values,
                option.default,
                list(option.default_by_seats.items()),
            )
            for option in entry.options
        ]
    if result.problems:
        data["problems"] = [
            (problem.location.file, problem.location.line, problem.location.column, problem.message.to_data())
            for problem in result.problems
        ]
    return data


def _decode(data: dict[str, Any]) -> ReadResult:
    entry = None
    if "entry" in data:
        plain: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in data["entry"].items()
        }
        entry = Entry(
            **plain,
            best=MappingProxyType(dict(data["best"])),
            summary=MappingProxyType(data["summary"]),
            titles=MappingProxyType(data["titles"]),
            variant_labels=MappingProxyType(
                {name: MappingProxyType(label) for name, label in data["variant_labels"].items()}
            ),
            options=tuple(
                Option(name, MappingProxyType(label), tuple(values), usual, dict(by_seats))
                for name, label, values, usual, by_seats in data["options"]
            ),
            lazy_contents=LazyContents(None),
        )
    return ReadResult(
        tuple(data["stamp"]),
        {name: None if then is None else tuple(then) for name, then in data["beside"].items()},
        entry,
        tuple(
            Problem(SourceLocation(*place), Message.from_data(message))
            for *place, message in data.get("problems", ())
        ),
    )
