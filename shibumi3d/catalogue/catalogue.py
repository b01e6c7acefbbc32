"""All games there are: every YAML file in the folder ``games`` is one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path

from shibumi3d import paths
from shibumi3d.catalogue import loader
from shibumi3d.catalogue.merge import merge, without
from shibumi3d.catalogue.schema import CatalogueError, Entry, read_entry
from shibumi3d.rules.language.source import GameFileError, Item, Mark, Problem, nearest

SUFFIX = ".yaml"
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class Catalogue:
    """The games of one folder.

    Files are read when the catalogue is made, so it shows them as they were then. A wrong file hides only itself:
    its mistakes are in ``problems``, by file name.
    """

    def __init__(self, folder: Traversable, label: str = "games") -> None:
        """``label`` is what messages call the folder."""
        self._folder = folder
        self._label = label
        self._files: dict[str, tuple[Item | None, list[Problem]]] = {}
        self._entries: dict[str, Entry] = {}
        self.problems: Mapping[str, tuple[Problem, ...]] = self._read_all()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every game that can be read, by title."""
        return tuple(sorted(self._entries.values(), key=lambda e: (e.title.casefold(), e.id)))

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, name: str) -> Entry:
        """The game called ``name``: its id or its title, in small or capital letters, or the path of a game file.

        Raises :class:`CatalogueError` when there is none, :class:`GameFileError` when its file is wrong.
        """
        if name.endswith(SUFFIX):
            try:
                return self.open(Path(name))
            except OSError as error:
                raise CatalogueError(f"{name} can't be read: {error.strerror or error}") from None
        word = name.strip().casefold()
        for entry in self._entries.values():
            if word in (entry.id, entry.title.casefold()):
                return entry
        if word in self.problems:
            raise GameFileError(self.problems[word])
        known = [*self._entries, *(e.title.casefold() for e in self._entries.values())]
        raise CatalogueError(f"there is no game '{name}'{nearest(word, known)}")

    def open(self, path: Path) -> Entry:
        """The game in the file at ``path``, which may extend games of this catalogue or files beside it.

        Raises :class:`GameFileError` with every mistake of the metadata, OSError when there is no such file.
        """
        problems: list[Problem] = []
        entry = self._open(path, problems)
        if entry is None or problems:
            raise GameFileError(problems)
        return entry

    def check(self, files: Iterable[Path] = ()) -> tuple[int, tuple[Problem, ...]]:
        """Read and compile games for every variant, size and number of players they allow.

        Checks ``files``, or the whole catalogue when there are none. Returns how many games were looked at and
        every problem found, once each, in the order of their places.
        """
        found: list[Problem] = []
        entries: list[Entry] = []
        paths_given = list(files)
        for path in paths_given:
            try:
                entry = self._open(path, found)
            except OSError as error:
                found.append(Problem(Mark(str(path), 1, 1), f"can't be read: {error.strerror or error}"))
                continue
            if entry is not None:
                entries.append(entry)
        if not paths_given:
            entries = list(self._entries.values())
            for name, problems in self.problems.items():
                found.extend(problems)
                broken = self._entry(name, [])
                if broken is not None:
                    entries.append(broken)
        for entry in entries:
            _compile_all(entry, found)
        unique = dict.fromkeys(found)
        count = len(paths_given) or len(self._files)
        return count, GameFileError(unique).problems

    def _read_all(self) -> Mapping[str, tuple[Problem, ...]]:
        for file in sorted(self._folder.iterdir(), key=lambda f: f.name):
            if file.name.endswith(SUFFIX) and not file.name.startswith("."):
                problems: list[Problem] = []
                item = _read(file, f"{self._label}/{file.name}", problems)
                self._files[file.name.removesuffix(SUFFIX)] = (item, problems)
        wrong: dict[str, tuple[Problem, ...]] = {}
        for name in self._files:
            problems = []
            entry = self._entry(name, problems)
            if problems:
                wrong[name] = GameFileError(problems).problems
            elif entry is not None:
                self._entries[name] = entry
        return wrong

    def _entry(self, name: str, problems: list[Problem]) -> Entry | None:
        item, found = self._files[name]
        problems.extend(found)
        return self._make(name, f"{self._label}/{name}{SUFFIX}", item, problems, None)

    def _open(self, path: Path, problems: list[Problem]) -> Entry | None:
        item = _read(path, str(path), problems)
        name = path.name.removesuffix(SUFFIX)
        return self._make(name, str(path), item, problems, path.parent)

    def _make(
        self, name: str, file: str, item: Item | None, problems: list[Problem], beside: Path | None
    ) -> Entry | None:
        if item is None:
            return None
        if not _ID.fullmatch(name):
            message = f"file name '{name}{SUFFIX}': expected small letters, digits and '-', as in 'spline-plus.yaml'"
            problems.append(Problem(Mark(file, 1, 1), message))
        merged = self._extended(item, (name,), problems, beside)
        return read_entry(name, file, merged, problems, own=item) if merged is not None else None

    def _extended(
        self, item: Item, chain: tuple[str, ...], problems: list[Problem], beside: Path | None
    ) -> Item | None:
        """``item`` laid over the game it extends, over the game that one extends, and so on."""
        assert isinstance(item.value, dict)
        base = item.value.get("extends")
        if base is None or base.value is None:
            return merge(Item({}, item.mark), item)
        if not isinstance(base.value, str):
            problems.append(Problem(base.mark, "extends: expected the id of a game"))
            return None
        name = base.value
        if name in chain:
            problems.append(Problem(base.mark, f"extends itself: {' -> '.join((*chain, name))}"))
            return None
        parent = self._parent(name, beside)
        if parent is None:
            wrong = f"'{name}' is broken" if name in self._files else f"there is no game '{name}'"
            hint = "" if name in self._files else nearest(name, self._files)
            problems.append(Problem(base.mark, f"extends: {wrong}{hint}"))
            return None
        below = self._extended(parent, (*chain, name), problems, beside)
        return merge(without(below, "title", "extends"), item) if below is not None else None

    def _parent(self, name: str, beside: Path | None) -> Item | None:
        if name in self._files:
            item, problems = self._files[name]
            return None if problems else item
        if beside is not None and _ID.fullmatch(name) and (file := beside / f"{name}{SUFFIX}").is_file():
            problems = []
            item = _read(file, str(file), problems)
            return None if problems else item
        return None


@cache
def load() -> Catalogue:
    """The games that came with the program, read once."""
    return Catalogue(paths.games())


def _read(file: Traversable, label: str, problems: list[Problem]) -> Item | None:
    """The mapping that ``file`` holds, or None."""
    with file.open("rb") as stream:
        data = stream.read(loader.GAME_LIMITS.size + 1)
    item = loader.read(data, label, problems)
    if item is not None and not isinstance(item.value, dict):
        problems.append(Problem(item.mark, "a game file is a mapping of keys such as 'title' and 'turn'"))
        return None
    return item


def _compile_all(entry: Entry, problems: list[Problem]) -> None:
    """Compile ``entry`` in all its forms, collecting what is wrong with the metadata of variants and with rules.

    Where YAML itself was misread, what follows from it is not said again.
    """
    from shibumi3d.rules.language.program import compile_rules

    misread = {problem.mark for problem in problems}
    found: list[Problem] = []
    for variant in ("", *entry.variants):
        form = read_entry(entry.id, entry.file, entry.item, problems, variant) if variant else entry
        if form is None:
            continue
        least, most = form.players
        for size in form.sizes:
            for seats in range(least, most + 1):
                compile_rules(form.program, size=size, seats=seats, problems=found)
    problems += [problem for problem in found if problem.mark not in misread]
