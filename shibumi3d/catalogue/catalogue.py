"""All games there are: every YAML file in the folder ``games`` is one, and every one in the user's own folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import shibumi3d.files as files
import shibumi3d.paths as paths
from shibumi3d.catalogue import loader
from shibumi3d.catalogue.lessons import KEYS, check_lesson
from shibumi3d.catalogue.merge import merge, only, without
from shibumi3d.catalogue.remembered import Stamp, stamp
from shibumi3d.catalogue.schema import CatalogueError, Contents, Entry, read_entry
from shibumi3d.catalogue.summaries import Found, Summaries
from shibumi3d.i18n import N_, explain_crash
from shibumi3d.names import plain
from shibumi3d.rules.errors import GameFileError, Problems
from shibumi3d.rules.kinds import kind
from shibumi3d.rules.source import FilePlace, Item, Problem, nearest

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

SUFFIX = ".yaml"
SUFFIXES = (SUFFIX, ".yml")
SEPARATORS = frozenset("/\\")
"""What makes a name the path of a file."""
MOST_LAYERS = 16
"""How many games may lie under one, each extending the next."""
LIBRARY = "learned"
"""What a folder of what games have learned is called."""
_FAILED = N_("couldn't be read: {problem}")
"""What a problem says that may be none the next time."""
_LETTERS = re.compile("[a-z0-9]+")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def library_beside(folder: Path) -> Path:
    """Return the folder in which what the games of one folder have learned is kept."""
    return folder.with_name(LIBRARY)


class Catalogue:
    """The games of one folder, and those that people keep in a folder of their own.

    Files are read when the catalogue is made, so it shows them as they were then. A wrong file hides only itself:
    its mistakes are in ``problems``, by the name of the game.
    """

    def __init__(self, folder: Traversable, label: str = "games", *, user_folder: Path | None = None) -> None:
        """``label`` is what messages call the folder; ``user_folder`` need not exist."""
        self._folder = folder
        self._label = label
        self._user_folder: Path | None = None
        self._files: dict[str, tuple[Item | None, Problems]] = {}
        self._own: tuple[Path, ...] = ()
        self._summaries: Summaries | None = None
        self._looked_for: set[str] = set()
        """The files of the user's that are looked for while one is read."""
        self._sorted: tuple[Entry, ...] = ()
        self._entries: dict[str, Entry] = {}
        self._problems: dict[str, tuple[Problem, ...]] = {}
        self._own_problems: dict[str, tuple[Problem, ...]] = {}
        self._read_all()
        if user_folder is not None:
            self._join(user_folder)

    def joined(self, user_folder: Path, cache: Path | None = None) -> Catalogue:
        """Return this catalogue joined with the games of ``user_folder`` as they are now; this one stays as it is.

        Files that did not change are not read again. What was found in them is kept in the folder ``cache``, by
        default in the one that was given before.
        """
        games = copy(self)
        games._sorted = ()
        if self._summaries is None or self._summaries.folder != user_folder or cache is not None:
            games._summaries = Summaries(user_folder, cache)
        games._entries = {name: entry for name, entry in self._entries.items() if not entry.own}
        games._own_problems = {}
        games._own = ()
        games._join(user_folder)
        return games

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every game that can be read, by title."""
        if not self._sorted:
            self._sorted = tuple(sorted(self._entries.values(), key=lambda e: (e.title.casefold(), e.id)))
        return self._sorted

    def find(self, id: str) -> Entry | None:
        """Return the game with that id; None where there is none, or its file is wrong."""
        return self._entries.get(id)

    @property
    def problems(self) -> Mapping[str, tuple[Problem, ...]]:
        """The mistakes of the files that had to be left out, by the name of the game."""
        found = dict(self._problems)
        for name, problems in self._own_problems.items():
            found[name] = (*found.get(name, ()), *problems)
        return MappingProxyType(found)

    @property
    def user_folder(self) -> Path | None:
        """The folder of the user's own games."""
        return self._user_folder

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, name: str) -> Entry:
        """Return the game called ``name``: its id or a title, in small or capital letters, or the path of a game
        file.

        Raises :class:`CatalogueError` when there is none, :class:`GameFileError` when its file is wrong.
        """
        word = plain(name).strip().casefold()
        if word in self._entries:
            return self._entries[word]
        for entry in self._entries.values():
            if word in (title.casefold() for title in (entry.title, *entry.titles.values())):
                return entry
        if word.endswith(SUFFIXES) or set(name) & SEPARATORS:
            try:
                return self.open(Path(name))
            except (OSError, ValueError) as error:
                if isinstance(error, GameFileError):
                    raise
                raise CatalogueError("{name} can't be read: {reason}", name=name, reason=error) from None
        if word in self.problems:
            raise GameFileError(self.problems[word])
        known = [
            *self._entries,
            *(t.casefold() for e in self._entries.values() for t in (e.title, *e.titles.values())),
        ]
        raise CatalogueError("there is no game '{name}'{hint}", name=name, hint=nearest(word, known))

    def open(self, path: Path) -> Entry:
        """Return the game in the file at ``path``, read anew, which may extend games of this catalogue or files
        beside it.

        Raises :class:`GameFileError` with every mistake of the metadata, OSError when there is no such file.
        """
        return self.parse(_bytes(path), path)

    def parse(self, data: bytes, path: Path) -> Entry:
        """Return the game that ``data`` tells, as if it stood in a file at ``path``.

        Raises :class:`GameFileError`, whatever goes wrong in reading it.
        """
        problems = Problems()
        entry: Entry | None = None
        with _net(path, problems):
            entry = self._parse(data, path, problems)
        if entry is None or problems:
            raise GameFileError(problems)
        return self._taught(entry)

    def check(self, files: Iterable[Path] = ()) -> tuple[int, tuple[Problem, ...]]:
        """Read and compile games for every variant, size and number of players they allow.

        Checks ``files``, or the whole catalogue when there are none. Returns how many games were looked at and
        every problem found, once each, in the order of their places.
        """
        found = Problems()
        entries: list[Entry] = []
        paths_given = list(files)
        for path in paths_given or self._own:
            with _net(path, found):
                entry = self._parse(_bytes(path), path, found)
                if entry is not None:
                    entries.append(entry)
        if not paths_given:
            for name in self._files:
                entry = self._entry(name, found)
                if entry is not None:
                    entries.append(entry)
            found += [problem for problems in self._own_problems.values() for problem in problems]
        for entry in entries:
            with _net(Path(entry.file), found):
                _compile_all(entry, found)
        unique = dict.fromkeys(found)
        count = len(paths_given) or len(self._files) + len(self._own)
        return count, GameFileError(unique).problems

    def study(self, data: bytes, path: Path) -> tuple[Entry | None, tuple[Problem, ...]]:
        """Return the game that ``data`` tells, as if it stood in a file at ``path``, and all that is wrong with it
        in every form.

        Returns no game where not even its title and the like can be read.
        """
        found = Problems()
        entry: Entry | None = None
        with _net(path, found):
            entry = self._parse(data, path, found)
            if entry is not None:
                _compile_all(entry, found)
                entry = self._taught(entry)
        return entry, GameFileError(dict.fromkeys(found)).problems

    def obstacles(self, data: bytes, path: Path) -> tuple[Problem, ...]:
        """Return what would keep a file with this content at ``path`` from being listed among the user's own games."""
        problems = Problems()
        self._listed(path, problems, data)
        return GameFileError(dict.fromkeys(problems)).problems

    def _listed(self, path: Path, problems: Problems, data: bytes | None = None) -> Entry | None:
        """The game of the user's in the file at ``path``, read if ``data`` does not tell it, as the list shows it."""
        entry: Entry | None = None
        name = path.name.removesuffix(SUFFIX)
        with _net(path, problems):
            entry = self._parse(_bytes(path) if data is None else data, path, problems)
            if entry is not None and name in self._files:
                problems.append(
                    Problem(
                        FilePlace(str(path), 1, 1),
                        "there is a game '{name}' already; a file with another name can extend it",
                        name=name,
                    )
                )
            elif entry is not None and not problems:
                _compile(entry, entry.size, entry.players[0], problems)
        return entry

    def _read_all(self) -> None:
        for file in sorted(self._folder.iterdir(), key=lambda f: f.name):
            if file.name.endswith(SUFFIX) and not file.name.startswith("."):
                problems = Problems()
                item = _read(file, f"{self._label}/{file.name}", problems)
                self._files[file.name.removesuffix(SUFFIX)] = (item, problems)
        for name in self._files:
            problems, entry = Problems(), None
            with _net(Path(self._label) / name, problems):
                entry = self._entry(name, problems)
            if problems:
                self._problems[name] = GameFileError(dict.fromkeys(problems)).problems
            elif entry is not None:
                self._entries[name] = entry

    def _join(self, folder: Path) -> None:
        """Join the games of the user's folder; what any of the games has learned lies beside it."""
        self._user_folder = folder
        self._read_own(folder)
        self._entries = {name: self._taught(entry) for name, entry in self._entries.items()}

    def _taught(self, entry: Entry) -> Entry:
        """A game that knows where what it has learned is kept."""
        return entry if self.library is None else replace(entry, library=str(self.library))

    def _read_own(self, folder: Path) -> None:
        """The games of the user's folder. Nothing that is wrong there goes further than the file it is in."""
        try:
            self._own = tuple(
                sorted(
                    path
                    for path in folder.iterdir()
                    if path.name.endswith(SUFFIX) and not path.name.startswith(".")
                )
            )
        except FileNotFoundError:
            return
        except OSError as error:
            problem = Problem(FilePlace(str(folder), 1, 1), "can't be read: {reason}", reason=error)
            self._own_problems[folder.name] = (problem,)
            return
        if self._summaries is None:
            self._summaries = Summaries(folder, None)
        stamps: dict[str, Stamp | None] = {}
        kept: dict[str, Found] = {}
        changed = False
        for path in self._own:
            now = stamps[path.name] = stamp(path)
            found = self._summaries.known(path.name, now, stamps)
            if found is None:
                changed = True
                found = self._found(path, now, stamps)
            elif found.entry is not None and found.entry.shelved.awaits:
                found.entry.shelved.comes_from(partial(self._contents, path))
            kept[path.name] = found
            name = path.name.removesuffix(SUFFIX)
            if found.problems:
                self._own_problems[name] = found.problems
            elif found.entry is not None:
                self._entries[name] = found.entry
        lasting = {name: found for name, found in kept.items() if found.stamp}
        if changed or not self._summaries.holds(lasting):
            self._summaries.keep(lasting)

    def _found(self, path: Path, now: Stamp | None, stamps: dict[str, Stamp | None]) -> Found:
        """What is in a file of the user's, read anew; without a stamp where it should be read again the next time."""
        problems = Problems()
        self._looked_for = set()
        try:
            data = _bytes(path)
        except (OSError, ValueError):
            now = None  # perhaps it can be read the next time
        entry = self._listed(path, problems, data if now is not None else None)
        for name in self._looked_for - stamps.keys():
            stamps[name] = stamp(path.parent / name)
        wrong = GameFileError(dict.fromkeys(problems)).problems
        if any(problem.message.text == _FAILED for problem in wrong):
            now = None  # perhaps there was no room for it
        beside = {name: stamps[name] for name in self._looked_for}
        return Found(now or (), beside, None if wrong else entry, wrong)

    def _contents(self, path: Path) -> Contents:
        """What is in a file of the user's that was only known by its summary. Raises :class:`GameFileError`."""
        problems = Problems()
        entry: Entry | None = None
        with _net(path, problems):
            entry = self._parse(_bytes(path), path, problems)
        if entry is None or problems:
            raise GameFileError(problems)
        return entry.shelved.get()

    def _entry(self, name: str, problems: Problems) -> Entry | None:
        item, found = self._files[name]
        problems.extend(found)
        file = f"{self._label}/{name}{SUFFIX}"
        if not _ID.fullmatch(name):
            problems.append(_misnamed(file, f"{name}{SUFFIX}"))
        return self._make(name, file, item, problems, None)

    @property
    def library(self) -> Path | None:
        """The folder in which what the user's games have learned is kept, beside that of the games themselves."""
        return None if self._user_folder is None else library_beside(self._user_folder)

    def _parse(self, data: bytes, path: Path, problems: Problems) -> Entry | None:
        """The game in a file that did not come with the program: one of the user's folder, or one elsewhere."""
        item = _mapping(data, str(path), problems)
        at = path.absolute()
        kept = self._user_folder is not None and at.parent == self._user_folder.absolute()
        name = path.name.removesuffix(SUFFIX)
        if kept and not _ID.fullmatch(name):
            problems.append(_misnamed(str(path), path.name))
        # Elsewhere files are called as people like.
        name = name.removesuffix(SUFFIXES[1])
        name = "-".join(_LETTERS.findall(name.casefold())) or "game"
        return self._make(name, str(path), item, problems, path.parent, "" if kept else str(at))

    def _make(
        self,
        name: str,
        file: str,
        item: Item | None,
        problems: Problems,
        beside: Path | None,
        path: str = "",
    ) -> Entry | None:
        if item is None:
            return None
        layers = self._layers((item,), (name,), problems, beside)
        if layers is None:
            return None
        below = _laid(layers[1:]) if layers[1:] else None
        return read_entry(
            name,
            file,
            _laid(layers),
            problems,
            layers=layers,
            below=below,
            own=beside is not None,
            path=path,
        )

    def _layers(
        self, layers: tuple[Item, ...], chain: tuple[str, ...], problems: Problems, beside: Path | None
    ) -> tuple[Item, ...] | None:
        """``layers`` and below them the game that the last extends, and so on; None when one of them is missing."""
        item = layers[-1]
        assert isinstance(item.value, dict)
        base = item.value.get("extends")
        if base is None or base.value is None:
            return layers
        if not isinstance(base.value, str):
            problems.append(Problem(base.mark, "extends: expected the id of a game"))
            return None
        name = base.value
        found = self._parent(name, beside)
        if found is None:
            problems.append(
                Problem(
                    base.mark,
                    "extends: there is no game '{name}'{hint}",
                    name=name,
                    hint=nearest(name, self._files),
                )
            )
            return None
        parent, wrong = found
        chain = (*chain, name)
        if parent is not None and any(parent.mark.file == layer.mark.file for layer in layers):
            problems.append(Problem(base.mark, "extends itself: {chain}", chain=" -> ".join(chain)))
            return None
        if parent is None or wrong:
            problems += wrong
            problems.append(Problem(base.mark, "extends: '{name}' is broken", name=name))
            return None
        if len(layers) > MOST_LAYERS:
            problems.append(
                Problem(base.mark, "extends: more than {most} games, one under the other", most=MOST_LAYERS)
            )
            return None
        return self._layers((*layers, parent), chain, problems, None if name in self._files else beside)

    def _parent(self, name: str, beside: Path | None) -> tuple[Item | None, Problems] | None:
        """The file of the game ``name`` and what is wrong with it; None when there is none."""
        if name in self._files:
            return self._files[name]
        for folder in (beside, self._user_folder if beside is not None else None):
            if folder is None or not _ID.fullmatch(name) or len(name) > files.NAME:
                continue
            file = folder / f"{name}{SUFFIX}"
            self._looked_for.add(file.name)
            try:
                data = _bytes(file)
            except FileNotFoundError:
                continue
            except OSError as error:
                return None, Problems(
                    [Problem(FilePlace(str(file), 1, 1), "can't be read: {reason}", reason=error)]
                )
            problems = Problems()
            return _mapping(data, str(file), problems), problems
        return None


@cache
def _built_in() -> Catalogue:
    """The games that came with the program, read once."""
    return Catalogue(paths.games())


def load(user_folder: Path | None = None, cache: Path | None = None) -> Catalogue:
    """Return the games that came with the program, and those in ``user_folder`` as they are now.

    What is found in those is kept in the folder ``cache``, so that only what has changed is read the next time.
    """
    return _built_in() if user_folder is None else _built_in().joined(user_folder, cache)


@contextmanager
def _net(path: Path, problems: Problems) -> Iterator[None]:
    """Note whatever reading a file raises as its mistake: nothing that is wrong there goes further than the file."""
    try:
        yield
    except GameFileError as error:
        problems += error.problems
    except (OSError, ValueError) as error:
        problems += [Problem(FilePlace(str(path), 1, 1), "can't be read: {reason}", reason=error)]
    except Exception as error:
        problems += [Problem(FilePlace(str(path), 1, 1), _FAILED, problem=explain_crash(error))]


def _misnamed(file: str, name: str) -> Problem:
    return Problem(
        FilePlace(file, 1, 1),
        "file name '{name}': expected small letters, digits and '-', as in 'spline-plus.yaml'",
        name=name,
    )


def _bytes(file: Path) -> bytes:
    """What ``file`` holds, or just more than a game may. Raises OSError; pipes and devices are not waited for."""
    return files.read(file, loader.GAME_LIMITS.size)


def _read(file: Traversable, label: str, problems: Problems) -> Item | None:
    """The mapping that ``file`` holds, or None."""
    with file.open("rb") as stream:
        data = stream.read(loader.GAME_LIMITS.size + 1)
    return _mapping(data, label, problems)


def _mapping(data: bytes, label: str, problems: Problems) -> Item | None:
    """The mapping that ``data`` holds; None where it can't be read, and why is among the problems."""
    try:
        item = loader.read(data, label, problems)
    except GameFileError:  # too many mistakes, which stand among the problems
        return None
    if item is not None and not isinstance(item.value, dict):
        problems.append(Problem(item.mark, "a game file is a mapping of keys such as 'title' and 'turn'"))
        return None
    return item


def _laid(layers: tuple[Item, ...]) -> Item:
    """The first of the ``layers`` laid over the second, and so on."""
    found = Item({}, layers[-1].mark)
    for layer in reversed(layers):
        found = merge(without(found, "title", "titles", "extends", *KEYS), layer)
    return found


def _compile_all(entry: Entry, problems: Problems) -> None:
    """Compile ``entry`` in all its forms, collecting what is wrong with the metadata of variants and with rules.

    Where YAML itself was misread, what follows from it is not said again.
    """
    misread = {problem.mark for problem in problems}
    found = Problems()
    for variant in ("", *entry.variants):
        form = read_entry(entry.id, entry.file, entry.item, problems, variant) if variant else entry
        if form is None:
            continue
        least, most = form.players
        for size in form.sizes or (0,):
            for seats in range(least, most + 1):
                if not found.full:
                    _compile(form, size, seats, found, entry.below)
        if not any(problem.mark.file == entry.file for problem in (*found, *problems)):
            _play_lessons(form, found)
    problems += [problem for problem in found if problem.mark not in misread]


def _play_lessons(form: Entry, problems: Problems) -> None:
    """Play what shows the game, adding what is wrong."""
    for key, lesson in zip(KEYS, (form.example, form.trial), strict=True):
        if lesson is None:
            continue
        try:
            game = form.game(size=lesson.size or None, variant=lesson.variant)
        except CatalogueError as error:
            problems.append(Problem(lesson.mark, "{key}: {problem}", key=key, problem=error))
            continue
        check_lesson(lesson, key, game, problems)


def _compile(entry: Entry, size: int, seats: int, problems: Problems, below: Item | None = None) -> None:
    """Compile one form of ``entry``, adding what is wrong.

    What is right in the game ``below``, which the file extends, and wrong only together with what the file changes is
    a mistake of the file: it is told at its ``extends``.
    """
    below = below or entry.below
    made = kind(entry.kind)
    form: dict[str, int | str] = {"size": size, "variant": entry.variant}
    found = Problems()
    try:
        made.check(entry.program, form, seats, found)
        if below is None or all(problem.mark.file == entry.file for problem in found):
            problems += found
            return
        before = Problems()
        made.check(only(below, made.KEYS), form, seats, before)
    except GameFileError as error:
        problems += error.problems
        return
    place = _base(entry.item)
    for problem in found:
        if problem.mark.file == entry.file or problem in before or place is None:
            problems.append(problem)
        else:
            problems.append(
                Problem(
                    place,
                    "extends: with what this file changes, {place} does not hold: {problem}",
                    place=problem.mark,
                    problem=problem.message,
                )
            )


def _base(item: Item) -> FilePlace | None:
    """Where the file says what it extends."""
    assert isinstance(item.value, dict)
    base = item.value.get("extends")
    return base.mark if base is not None else None
