"""The catalogue of all games, read from YAML files in the folder ``games`` and in the user's folder."""

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
from shibumi3d.catalogue import yaml_parser
from shibumi3d.catalogue.folder_cache import FileStamp, file_stamp
from shibumi3d.catalogue.lessons import LESSON_KEYS, check_lesson
from shibumi3d.catalogue.merge import merge_mappings, only_keys, without_keys
from shibumi3d.catalogue.own_games_cache import OwnGamesCache, ReadResult
from shibumi3d.catalogue.schema import SHOWN_KEYS, CatalogueError, Entry, GameFileContents, read_entry
from shibumi3d.catalogue.tips import check_tip
from shibumi3d.i18n import N_, explain_crash
from shibumi3d.names import normalize
from shibumi3d.rules.errors import GameFileError, ProblemList
from shibumi3d.rules.registry import load_kind
from shibumi3d.rules.source import Item, Problem, SourceLocation, suggest_spelling

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

SUFFIX = ".yaml"
SUFFIXES = (SUFFIX, ".yml")
PATH_SEPARATORS = frozenset("/\\")
"""Characters that mark a name as a file path."""
MAX_LAYERS = 16
"""Maximum number of games that a game can extend, directly or indirectly."""
LEARNED_FOLDER = "learned"
"""Name of the folder for what computer players have learned about games by self-play."""
_READ_FAILURE = N_("couldn't be read: {problem}")
"""Message for an unexpected failure, such as running out of memory. The file is read again next time."""
_ID_PART = re.compile("[a-z0-9]+")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def learned_folder_beside(folder: Path) -> Path:
    """Return the folder for data learned by self-play, which is next to ``folder``."""
    return folder.with_name(LEARNED_FOLDER)


class Catalogue:
    """The built-in games from one folder and, optionally, the user's own games from another.

    The list of games is read when the catalogue is created, and doesn't change afterwards. An invalid file excludes its
    own game and sometimes those that extend it, but no others. The errors are listed in ``problems``.
    """

    def __init__(self, folder: Traversable, label: str = "games", *, user_folder: Path | None = None) -> None:
        """Read all games in ``folder``, and those in ``user_folder`` if it exists.

        ``label`` is the name of ``folder`` in messages.
        """
        self._folder = folder
        self._label = label
        self._user_folder: Path | None = None
        self._files: dict[str, tuple[Item | None, ProblemList]] = {}
        self._own_files: tuple[Path, ...] = ()
        self._summaries: OwnGamesCache | None = None
        self._dependencies: set[str] = set()
        """Names of the user files on which the file being read depends, missing ones included."""
        self._sorted: tuple[Entry, ...] = ()
        self._entries: dict[str, Entry] = {}
        self._problems: dict[str, tuple[Problem, ...]] = {}
        self._own_problems: dict[str, tuple[Problem, ...]] = {}
        self._read_built_in()
        if user_folder is not None:
            self._add_user_games(user_folder)

    def with_user_games(self, user_folder: Path, cache: Path | None = None) -> Catalogue:
        """Return a copy of this catalogue with the games that are now in ``user_folder``.

        Summaries of the files are stored in the folder ``cache``, so that unchanged files are not read again. If
        ``cache`` is None, the summaries of this catalogue are used, provided that they belong to ``user_folder``.
        """
        games = copy(self)
        games._sorted = ()
        if self._summaries is None or self._summaries.folder != user_folder or cache is not None:
            games._summaries = OwnGamesCache(user_folder, cache)
        games._entries = {name: entry for name, entry in self._entries.items() if not entry.own}
        games._own_problems = {}
        games._own_files = ()
        games._add_user_games(user_folder)
        return games

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All valid games, sorted by title."""
        if not self._sorted:
            self._sorted = tuple(sorted(self._entries.values(), key=lambda e: (e.title.casefold(), e.id)))
        return self._sorted

    def find(self, id: str) -> Entry | None:
        """Return the game with this id, or None if there is no such game or its file is invalid."""
        return self._entries.get(id)

    @property
    def problems(self) -> Mapping[str, tuple[Problem, ...]]:
        """Errors in the game files that were left out of the catalogue, keyed by the id of the game.

        If the user's folder can't be read, the error is listed under the name of the folder.
        """
        found = dict(self._problems)
        for name, problems in self._own_problems.items():
            found[name] = (*found.get(name, ()), *problems)
        return MappingProxyType(found)

    @property
    def user_folder(self) -> Path | None:
        """Folder of the user's own games, or None if the catalogue was made without such a folder."""
        return self._user_folder

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, name: str) -> Entry:
        """Return the game whose id, title or file path is ``name``.

        The title may be in any language, and case is ignored in ids and titles. Raises :class:`CatalogueError` if there
        is no such game or the file can't be read, and :class:`GameFileError` if the file is invalid.
        """
        word = normalize(name).strip().casefold()
        if word in self._entries:
            return self._entries[word]
        for entry in self._entries.values():
            if word in (title.casefold() for title in (entry.title, *entry.titles.values())):
                return entry
        if word.endswith(SUFFIXES) or set(name) & PATH_SEPARATORS:
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
        raise CatalogueError("there is no game '{name}'{hint}", name=name, hint=suggest_spelling(word, known))

    def open(self, path: Path) -> Entry:
        """Read and return the game in the file at ``path``.

        The game may extend games in this catalogue or files in the same folder. Raises :class:`GameFileError` with all
        errors in the syntax and metadata of the file, and OSError if the file can't be read.
        """
        return self.parse(_read_bytes(path), path)

    def parse(self, data: bytes, path: Path) -> Entry:
        """Return the game defined by ``data``, as if it had been read from a file at ``path``.

        Raises :class:`GameFileError` if the game can't be read, whatever the reason.
        """
        problems = ProblemList()
        entry: Entry | None = None
        with _collecting_errors(path, problems):
            entry = self._parse(data, path, problems)
        if entry is None or problems:
            raise GameFileError(problems)
        return self._with_learned_folder(entry)

    def check(self, files: Iterable[Path] = ()) -> tuple[int, tuple[Problem, ...]]:
        """Check games with every variant, size and number of players that they allow.

        The rules are compiled, and the lessons and tips in files without errors are played. The games are those in
        ``files`` or, if no files are given, the whole catalogue. Returns the number of files and the problems found,
        without duplicates and sorted by location. After :data:`.MAX_REPORTED_PROBLEMS` problems, one more says that
        there are too many, and the rest are left out.
        """
        problem_list = ProblemList()
        entries: list[Entry] = []
        paths_given = list(files)
        for path in paths_given or self._own_files:
            with _collecting_errors(path, problem_list):
                entry = self._parse(_read_bytes(path), path, problem_list)
                if entry is not None:
                    entries.append(entry)
        if not paths_given:
            for name in self._files:
                entry = self._read_built_in_entry(name, problem_list)
                if entry is not None:
                    entries.append(entry)
            problem_list += [problem for problems in self._own_problems.values() for problem in problems]
        for entry in entries:
            with _collecting_errors(Path(entry.file), problem_list):
                _compile_all(entry, problem_list)
        unique = dict.fromkeys(problem_list)
        count = len(paths_given) or len(self._files) + len(self._own_files)
        return count, GameFileError(unique).problems

    def check_text(self, data: bytes, path: Path) -> tuple[Entry | None, tuple[Problem, ...]]:
        """Return the game defined by ``data``, and all problems that :meth:`check` would find in it.

        ``data`` is treated as the content of a file at ``path``. The game is None if the file can't be parsed or has an
        invalid ``extends`` or no valid title.
        """
        problem_list = ProblemList()
        entry: Entry | None = None
        with _collecting_errors(path, problem_list):
            entry = self._parse(data, path, problem_list)
            if entry is not None:
                _compile_all(entry, problem_list)
                entry = self._with_learned_folder(entry)
        return entry, GameFileError(dict.fromkeys(problem_list)).problems

    def listing_problems(self, data: bytes, path: Path) -> tuple[Problem, ...]:
        """Return the problems that would exclude a game file from the list of the user's games.

        ``data`` is the content of the file at ``path``.
        """
        problems = ProblemList()
        self._read_listed_entry(path, problems, data)
        return GameFileError(dict.fromkeys(problems)).problems

    def _read_listed_entry(
        self, path: Path, problems: ProblemList, data: bytes | None = None
    ) -> Entry | None:
        """Read a user's game file for the list of games, and return its entry.

        ``data`` is the content of the file at ``path``; without it, the file is read. Problems that exclude the file
        from the list are appended to ``problems``. An entry may be returned even if there are such problems. Returns
        None if the file can't be read, or if :meth:`_parse` returns None or raises an exception.
        """
        entry: Entry | None = None
        name = path.name.removesuffix(SUFFIX)
        with _collecting_errors(path, problems):
            entry = self._parse(_read_bytes(path) if data is None else data, path, problems)
            if entry is not None and name in self._files:
                problems.append(
                    Problem(
                        SourceLocation(str(path), 1, 1),
                        "a game '{name}' already exists; rename this file (it can still extend '{name}')",
                        name=name,
                    )
                )
            elif entry is not None and not problems:
                _compile(entry, entry.size, entry.players[0], problems)
        return entry

    def _read_built_in(self) -> None:
        for file in sorted(self._folder.iterdir(), key=lambda f: f.name):
            if file.name.endswith(SUFFIX) and not file.name.startswith("."):
                problems = ProblemList()
                item = _read_mapping(file, f"{self._label}/{file.name}", problems)
                self._files[file.name.removesuffix(SUFFIX)] = (item, problems)
        for name in self._files:
            problems, entry = ProblemList(), None
            with _collecting_errors(Path(self._label) / name, problems):
                entry = self._read_built_in_entry(name, problems)
            if problems:
                self._problems[name] = GameFileError(dict.fromkeys(problems)).problems
            elif entry is not None:
                self._entries[name] = entry

    def _add_user_games(self, folder: Path) -> None:
        """Add the user's games in ``folder``, and set the ``learned_folder`` of all games."""
        self._user_folder = folder
        self._read_own(folder)
        self._entries = {name: self._with_learned_folder(entry) for name, entry in self._entries.items()}

    def _with_learned_folder(self, entry: Entry) -> Entry:
        return (
            entry if self.learned_folder is None else replace(entry, learned_folder=str(self.learned_folder))
        )

    def _read_own(self, folder: Path) -> None:
        """Read the games in the user's folder. An error in a file affects only its game and those that extend it."""
        try:
            self._own_files = tuple(
                sorted(
                    path
                    for path in folder.iterdir()
                    if path.name.endswith(SUFFIX) and not path.name.startswith(".")
                )
            )
        except FileNotFoundError:
            return
        except OSError as error:
            problem = Problem(SourceLocation(str(folder), 1, 1), "can't be read: {reason}", reason=error)
            self._own_problems[folder.name] = (problem,)
            return
        if self._summaries is None:
            self._summaries = OwnGamesCache(folder, None)
        stamps: dict[str, FileStamp | None] = {}
        is_own: dict[str, ReadResult] = {}
        changed = False
        for path in self._own_files:
            now = stamps[path.name] = file_stamp(path)
            found = self._summaries.find(path.name, now, stamps)
            if found is None:
                changed = True
                found = self._read_own_file(path, now, stamps)
            elif found.entry is not None and found.entry.lazy_contents.needs_loader:
                found.entry.lazy_contents.set_loader(partial(self._read_contents, path))
            is_own[path.name] = found
            name = path.name.removesuffix(SUFFIX)
            if found.problems:
                self._own_problems[name] = found.problems
            elif found.entry is not None:
                self._entries[name] = found.entry
        lasting = {name: found for name, found in is_own.items() if found.stamp}
        if changed or not self._summaries.has_exactly(lasting):
            self._summaries.replace(lasting)

    def _read_own_file(
        self, path: Path, stamp: FileStamp | None, stamps: dict[str, FileStamp | None]
    ) -> ReadResult:
        """Read one of the user's files and return the result.

        ``stamp`` is the file's stamp. The stamp in the result is empty if the file must be read again next time.
        ``stamps`` collects the stamps of the other files examined.
        """
        problems = ProblemList()
        self._dependencies = set()
        try:
            data = _read_bytes(path)
        except (OSError, ValueError):
            stamp = None  # retry next time
        entry = self._read_listed_entry(path, problems, data if stamp is not None else None)
        for name in self._dependencies - stamps.keys():
            stamps[name] = file_stamp(path.parent / name)
        wrong = GameFileError(dict.fromkeys(problems)).problems
        if any(problem.message.text == _READ_FAILURE for problem in wrong):
            stamp = None  # e.g. out of memory: retry next time
        beside = {name: stamps[name] for name in self._dependencies}
        return ReadResult(stamp or (), beside, None if wrong else entry, wrong)

    def _read_contents(self, path: Path) -> GameFileContents:
        """Read the full contents of a user's game file whose summary has already been loaded.

        Raises :class:`GameFileError` if the file can't be read or has errors.
        """
        problems = ProblemList()
        entry: Entry | None = None
        with _collecting_errors(path, problems):
            entry = self._parse(_read_bytes(path), path, problems)
        if entry is None or problems:
            raise GameFileError(problems)
        return entry.lazy_contents.get()

    def _read_built_in_entry(self, name: str, problems: ProblemList) -> Entry | None:
        item, found = self._files[name]
        problems.extend(found)
        file = f"{self._label}/{name}{SUFFIX}"
        if not _ID.fullmatch(name):
            problems.append(_file_name_problem(file, f"{name}{SUFFIX}"))
        return self._make_entry(name, file, item, problems, None)

    @property
    def learned_folder(self) -> Path | None:
        """Folder for what has been learned about games, or None if :attr:`user_folder` is None.

        It is next to the user's folder.
        """
        return None if self._user_folder is None else learned_folder_beside(self._user_folder)

    def _parse(self, data: bytes, path: Path, problems: ProblemList) -> Entry | None:
        """Parse ``data``, the content of the file at ``path``, as a game that is not built in.

        Errors in the file are appended to ``problems``; if there are too many of them, GameFileError is raised. Returns
        None if the file can't be parsed or has an invalid ``extends`` or no valid title.
        """
        item = _parse_mapping(data, str(path), problems)
        at = path.absolute()
        is_own = self._user_folder is not None and at.parent == self._user_folder.absolute()
        name = path.name.removesuffix(SUFFIX)
        if is_own and not _ID.fullmatch(name):
            problems.append(_file_name_problem(str(path), path.name))
        # Outside the user's folder, any file name is allowed.
        name = name.removesuffix(SUFFIXES[1])
        name = "-".join(_ID_PART.findall(name.casefold())) or "game"
        return self._make_entry(name, str(path), item, problems, path.parent, "" if is_own else str(at))

    def _make_entry(
        self,
        name: str,
        file: str,
        item: Item | None,
        problems: ProblemList,
        own_folder: Path | None,
        path: str = "",
    ) -> Entry | None:
        if item is None:
            return None
        layers = self._resolve_layers((item,), (name,), problems, own_folder)
        if layers is None:
            return None
        below = _merge_layers(layers[1:]) if layers[1:] else None
        return read_entry(
            name,
            file,
            _merge_layers(layers),
            problems,
            layers=layers,
            below=below,
            own=own_folder is not None,
            path=path,
        )

    def _resolve_layers(
        self, layers: tuple[Item, ...], chain: tuple[str, ...], problems: ProblemList, own_folder: Path | None
    ) -> tuple[Item, ...] | None:
        """Return ``layers`` followed by the games that the last one extends, directly or indirectly.

        ``chain`` holds the names of ``layers``, and ``own_folder`` is as in :meth:`_find_parent`. Returns None, after
        reporting the problem, if an ``extends`` isn't text, if one of these games is missing or invalid, or if the
        chain is circular or too long.
        """
        item = layers[-1]
        assert isinstance(item.value, dict)
        base = item.value.get("extends")
        if base is None or base.value is None:
            return layers
        if not isinstance(base.value, str):
            problems.append(Problem(base.location, "extends: expected the id of a game"))
            return None
        name = base.value
        found = self._find_parent(name, own_folder)
        if found is None:
            problems.append(
                Problem(
                    base.location,
                    "extends: there is no game '{name}'{hint}",
                    name=name,
                    hint=suggest_spelling(name, self._files),
                )
            )
            return None
        parent, wrong = found
        chain = (*chain, name)
        if parent is not None and any(parent.location.file == layer.location.file for layer in layers):
            problems.append(
                Problem(base.location, "extends: the game extends itself: {chain}", chain=" -> ".join(chain))
            )
            return None
        if parent is None or wrong:
            problems += wrong
            problems.append(Problem(base.location, "extends: '{name}' has errors", name=name))
            return None
        if len(layers) > MAX_LAYERS:
            problems.append(
                Problem(
                    base.location,
                    "extends: at most {most} games can extend each other in a chain",
                    most=MAX_LAYERS,
                )
            )
            return None
        return self._resolve_layers(
            (*layers, parent), chain, problems, None if name in self._files else own_folder
        )

    def _find_parent(self, name: str, own_folder: Path | None) -> tuple[Item | None, ProblemList] | None:
        """Return the parsed file of the game ``name`` and the errors in it, or None if there is no such file.

        The parsed file is None if the file can't be read or parsed, or isn't a mapping. Built-in games are looked up
        first, then files in ``own_folder``, and then files in the user's folder. If ``own_folder`` is None, only
        built-in games are looked up.
        """
        if name in self._files:
            return self._files[name]
        for folder in (own_folder, self._user_folder if own_folder is not None else None):
            if folder is None or not _ID.fullmatch(name) or len(name) > files.MAX_FILE_NAME_BYTES:
                continue
            file = folder / f"{name}{SUFFIX}"
            self._dependencies.add(file.name)
            try:
                data = _read_bytes(file)
            except FileNotFoundError:
                continue
            except OSError as error:
                return None, ProblemList(
                    [Problem(SourceLocation(str(file), 1, 1), "can't be read: {reason}", reason=error)]
                )
            problems = ProblemList()
            return _parse_mapping(data, str(file), problems), problems
        return None


@cache
def _built_in_catalogue() -> Catalogue:
    """Return the catalogue of built-in games.

    Only the first call reads it.
    """
    return Catalogue(paths.catalogue_folder())


def load_catalogue(user_folder: Path | None = None, cache: Path | None = None) -> Catalogue:
    """Return the catalogue of the built-in games and, if ``user_folder`` is given, of the games in it.

    ``cache`` is the folder in which summaries of the user's games are stored, so that only changed files are read next
    time. If it is None, nothing is stored.
    """
    return (
        _built_in_catalogue()
        if user_folder is None
        else _built_in_catalogue().with_user_games(user_folder, cache)
    )


@contextmanager
def _collecting_errors(path: Path, problems: ProblemList) -> Iterator[None]:
    """Turn any exception raised in the block into problems.

    A :class:`GameFileError` contributes its own problems; any other exception becomes a problem of the file ``path``.
    """
    try:
        yield
    except GameFileError as error:
        problems += error.problems
    except (OSError, ValueError) as error:
        problems += [Problem(SourceLocation(str(path), 1, 1), "can't be read: {reason}", reason=error)]
    except Exception as error:
        problems += [Problem(SourceLocation(str(path), 1, 1), _READ_FAILURE, problem=explain_crash(error))]


def _file_name_problem(file: str, name: str) -> Problem:
    return Problem(
        SourceLocation(file, 1, 1),
        "file name '{name}': use lowercase letters, digits and '-', as in 'spline-plus.yaml'",
        name=name,
    )


def _read_bytes(file: Path) -> bytes:
    """Return the content of ``file``, or its first part if it is too large for a game file; see :func:`.files.read`.

    Raises OSError if the file can't be read or isn't a regular file. Never blocks on pipes or devices.
    """
    return files.read(file, yaml_parser.GAME_LIMITS.size)


def _read_mapping(file: Traversable, label: str, problems: ProblemList) -> Item | None:
    """Return the mapping that ``file`` contains, or None if it can't be parsed or isn't a mapping.

    ``label`` is the name of the file in messages. Errors are appended to ``problems``; if there are any, the mapping
    may be incomplete. Raises OSError if the file can't be read.
    """
    with file.open("rb") as stream:
        data = stream.read(yaml_parser.GAME_LIMITS.size + 1)
    return _parse_mapping(data, label, problems)


def _parse_mapping(data: bytes, label: str, problems: ProblemList) -> Item | None:
    """Return the mapping that ``data`` contains, or None if it can't be parsed or isn't a mapping.

    ``label`` is the name of the file in messages. Errors are appended to ``problems``; if there are any, the mapping
    may be incomplete.
    """
    try:
        item = yaml_parser.parse_yaml(data, label, problems)
    except GameFileError:  # too many errors, already in problems
        return None
    if item is not None and not isinstance(item.value, dict):
        problems.append(Problem(item.location, "a game file consists of keys such as 'title' and 'turn'"))
        return None
    return item


def _merge_layers(layers: tuple[Item, ...]) -> Item:
    """Merge ``layers`` into one mapping; each layer overrides the next.

    Titles, lessons and tips come only from the first layer.
    """
    result = Item({}, layers[-1].location)
    for layer in reversed(layers):
        result = merge_mappings(without_keys(result, "title", "titles", "extends", *SHOWN_KEYS), layer)
    return result


def _compile_all(entry: Entry, problems: ProblemList) -> None:
    """Compile ``entry`` with every variant, size and number of players, and play its lessons and tips.

    Lessons and tips are played only if no problem has been found in the file itself. The problems found are appended to
    ``problems``. A problem found by compiling or playing is left out if ``problems`` already had one at the same place.
    """
    misread = {problem.location for problem in problems}
    problem_list = ProblemList()
    for variant in ("", *entry.variants):
        form = read_entry(entry.id, entry.file, entry.item, problems, variant) if variant else entry
        if form is None:
            continue
        least, most = form.players
        for size in form.sizes or (0,):
            for seats in range(least, most + 1):
                if not problem_list.is_full:
                    _compile(form, size, seats, problem_list, entry.base)
        if not any(problem.location.file == entry.file for problem in (*problem_list, *problems)):
            _play_lessons(form, problem_list)
    problems += [problem for problem in problem_list if problem.location not in misread]


def _play_lessons(form: Entry, problems: ProblemList) -> None:
    """Play the example, the exercise and the tips of a game, and append the problems found to ``problems``."""
    for key, lesson in zip(LESSON_KEYS, (form.example, form.exercise), strict=True):
        if lesson is None:
            continue
        try:
            game = form.game(size=lesson.size or None, variant=lesson.variant)
        except CatalogueError as error:
            problems.append(Problem(lesson.location, "{key}: {problem}", key=key, problem=error))
            continue
        check_lesson(lesson, key, game, problems)
    for tip in form.tips:
        try:
            game = form.game(size=tip.lesson.size or None, variant=tip.lesson.variant)
        except CatalogueError as error:
            problems.append(Problem(tip.location, "tips: {problem}", problem=error))
            continue
        check_tip(tip, game, problems)


def _compile(entry: Entry, size: int, seats: int, problems: ProblemList, below: Item | None = None) -> None:
    """Compile ``entry`` for one size and number of seats, and append the problems found to ``problems``.

    ``size`` is 0 for a game without boards. ``below`` is the game that ``entry`` extends, by default ``entry.base``. If
    a rule of that game becomes invalid only through the changes made by ``entry``, the error is reported at
    ``extends``.
    """
    below = below or entry.base
    kind = load_kind(entry.kind)
    form: dict[str, int | str] = {"size": size, "variant": entry.variant}
    problem_list = ProblemList()
    try:
        kind.check(entry.rules_item, form, seats, problem_list)
        if below is None or all(problem.location.file == entry.file for problem in problem_list):
            problems += problem_list
            return
        before = ProblemList()
        kind.check(only_keys(below, kind.KEYS), form, seats, before)
    except GameFileError as error:
        problems += error.problems
        return
    place = _extends_location(entry.item)
    for problem in problem_list:
        if problem.location.file == entry.file or problem in before or place is None:
            problems.append(problem)
        else:
            problems.append(
                Problem(
                    place,
                    "extends: this file's changes cause an error at {place}: {problem}",
                    place=problem.location,
                    problem=problem.message,
                )
            )


def _extends_location(item: Item) -> SourceLocation | None:
    """Return the location of the value of ``extends`` in the file, or None if the file has no such key."""
    assert isinstance(item.value, dict)
    base = item.value.get("extends")
    return base.location if base is not None else None
