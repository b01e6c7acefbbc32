"""The engine compiled: lets the compiled modules in where they fit the sources, else says why not.

:mod:`shibumi3d.build_native` leaves the compiled modules in a folder of their own, so a compiled module never wins
over an edited source by lying beside it: without :func:`prepare` nothing but Python runs. A record in that folder
says which sources they were compiled from.
"""

from __future__ import annotations

import ast
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.abc import SourceLoader
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import source_hash, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from shibumi3d.i18n import N_, Message, verbatim
from shibumi3d.paths import cache_folder

NATIVE_TEXTS = {
    "unused": N_("The compiled engine {reason} and is not used: computer players see less far. {again}."),
    "make": N_("'make native' compiles it anew"),
    "install": N_("Installing Shibumi 3D anew mends that"),
    "build": N_("'shibumi3d build-engine' compiles it anew"),
    "older": N_("is older than {file}"),
    "older-more": N_("is older than {file} and {more} more"),
    "lacks": N_("lacks {file}"),
    "not-loaded": N_("can't be loaded ({problem})"),
    "compiled": N_("native"),
    "pure": N_("pure Python"),
    "aside": N_("pure Python: the compiled engine is not used"),
    "working": N_("{status}; the engine is being compiled: {percent}%"),
    "stopped": N_("{status}; compiling the engine stopped: {problem}; it is tried again at the next start"),
    "killed": N_("it was stopped"),
    "no-packages": N_("mypy and setuptools are not installed"),
    "no-compiler": N_("there is no C compiler ({command})"),
    "no-headers": N_("Python's header files are not installed ({file})"),
    "file": N_("{file}: {problem}"),
    "late": N_("it takes longer than {seconds} s"),
}

PACKAGE = Path(__file__).resolve().parent


def _folder() -> Path:
    """Where compiled modules lie: in the package, where it is a checkout or brought them along, else in the cache."""
    own = PACKAGE / "_native"
    if own.is_dir() or (PACKAGE.parent / "pyproject.toml").is_file() or getattr(sys, "frozen", False):
        return own
    return cache_folder() / "engine"


FOLDER = _folder()
SUFFIX = EXTENSION_SUFFIXES[0]
"""What compiled modules of this very Python end in, such as ``.cpython-311-x86_64-linux-gnu.so``."""
RECORD = f"{SUFFIX.split('.')[1]}.txt"
WIDE_RECORD = f"{SUFFIX.split('.')[1]}-wide.txt"
PROGRESS = f"{SUFFIX.split('.')[1]}-progress.txt"
"""What a builder at work says how far it is, or why it stopped; see :func:`progress`."""
LIBRARY = "shibumi3d_engine__mypyc"
"""The module that holds the code of all that is compiled together."""
WIDE_LIBRARY = "shibumi3d_wide__mypyc"
"""That of the twins for wide boards. It is compiled after the other, and opened for wide boards only."""
ENGINE = "shibumi3d.rules.marbles.engine"
WIDE = "shibumi3d.rules.marbles.engine_wide"
"""Modules of :data:`ENGINE` that count sets in integers of 64 bits (``i64 as M``) are there a second time, in this
package, with Python's integers: for boards whose sets need more bits."""
STALE = 30.0
"""Seconds after which a builder that says nothing is taken for gone."""
SWITCH = "SHIBUMI3D_NATIVE"
"""The environment variable that, set to ``no``, leaves compiled modules alone."""


class NativeStatus(NamedTuple):
    """What the engine runs as. ``reason``: what keeps a compiled engine that is there from being used."""

    native: bool = False
    reason: Message | str = ""

    @property
    def message(self) -> Message:
        """It in a few words."""
        return Message(NATIVE_TEXTS["compiled" if self.native else "aside" if self.reason else "pure"])

    def __str__(self) -> str:
        return str(self.message)

    @property
    def notice(self) -> Message | None:
        """The sentence for whoever starts the program; None when there is nothing to say."""
        if not self.reason:
            return None
        return Message(
            "The compiled engine {reason} and is not used: computer players see less far. {again}.",
            reason=self.reason,
            again=Message(NATIVE_TEXTS["make" if _checkout() else "install" if _brought() else "build"]),
        )


class BuildRecord(NamedTuple):
    """What a build leaves beside a library: the ``modules`` in it, or why that ``failed``; the hash of every source
    they were made from, by its path in the package; the ``twins`` there are for wide boards; and by what they were
    ``made``: libraries work together, and a failure holds, only where that is the same."""

    modules: tuple[str, ...]
    sources: Mapping[str, str]
    failed: str = ""
    made: str = ""
    twins: tuple[str, ...] = ()

    def changed(self) -> tuple[str, ...]:
        """The sources that are no longer what they were when the modules were compiled."""
        now = hashes(self.sources)
        return tuple(name for name, known in self.sources.items() if now[name] != known)

    def write(self, folder: Path, name: str = RECORD) -> None:
        """Put the record into ``folder``, at once or not at all."""
        lines = [f"failed {' '.join(self.failed.split())}"] if self.failed else []
        lines += [f"made {self.made}"] if self.made else []
        lines += [f"module {name}" for name in self.modules]
        lines += [f"twin {name}" for name in self.twins]
        lines += [f"source {known} {name}" for name, known in self.sources.items()]
        put(folder / name, "".join(f"{line}\n" for line in lines))


def put(path: Path, text: str) -> None:
    """Write a file at once or not at all."""
    draft = path.with_name(f"{path.name}.new")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def read(folder: Path = FOLDER, name: str = RECORD) -> BuildRecord | None:
    """The record in ``folder``; None when there is none."""
    try:
        text = (folder / name).read_text(encoding="utf-8")
    except OSError:
        return None
    modules: list[str] = []
    twins: list[str] = []
    sources: dict[str, str] = {}
    failed = made = ""
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "failed":
            failed = rest
        elif word == "made":
            made = rest
        elif word == "module":
            modules.append(rest)
        elif word == "twin":
            twins.append(rest)
        elif word == "source":
            known, _, name = rest.partition(" ")
            sources[name] = known
    return BuildRecord(tuple(modules), sources, failed, made, tuple(twins))


def stamp(folder: Path = FOLDER) -> tuple[int, ...]:
    """What changes when something was compiled: a process begun before runs something else than one begun now."""
    found = []
    for name in (RECORD, WIDE_RECORD):
        try:
            found.append((folder / name).stat().st_mtime_ns)
        except OSError:
            found.append(0)
    return tuple(found)


class BuildProgress(NamedTuple):
    """How far a builder is: the ``share`` that is done, or, when it ended before it was done, why it ``stopped``."""

    share: float = 0.0
    stopped: Message | None = None

    def tell(self, folder: Path) -> None:
        """Say so to whoever asks for :func:`progress`."""
        if self.stopped is None:
            put(folder / PROGRESS, f"working {self.share:.3f}\n")
        else:
            put(folder / PROGRESS, f"stopped {json.dumps(self.stopped.data())}\n")


def watched() -> bool:
    """Whether the engine may be compiled while the program runs: not where it was said what is to run."""
    return not os.environ.get(SWITCH)


def progress(folder: Path = FOLDER) -> BuildProgress | None:
    """How far the builder is; None where there is nothing to tell: none works, or it is done."""
    if not watched():
        return None
    try:
        with (folder / PROGRESS).open(encoding="utf-8") as file:
            word, _, rest = file.read(1000).strip().partition(" ")
            told = os.fstat(file.fileno()).st_mtime
        if word == "stopped":
            return BuildProgress(stopped=Message.of_data(json.loads(rest)))
        if abs(time.time() - told) > STALE:
            return BuildProgress(stopped=Message("it was stopped"))
        return BuildProgress(share=float(rest))
    except (OSError, ValueError, TypeError, AttributeError):
        return None


def news(folder: Path = FOLDER) -> Message:
    """The status, and what there is to add to it: how far a builder is, or why it stopped."""
    if (told := progress(folder)) is None:
        return status.message
    if told.stopped is not None:
        return Message(
            "{status}; compiling the engine stopped: {problem}; it is tried again at the next start",
            status=status.message,
            problem=told.stopped,
        )
    return Message(
        "{status}; the engine is being compiled: {percent}%",
        status=status.message,
        percent=round(100 * told.share),
    )


def hashes(names: Iterable[str]) -> dict[str, str]:
    """A hash of each source, empty for one that can't be read. They hold for one version of Python."""
    found = {}
    for name in names:
        path = PACKAGE / name
        try:
            now = path.stat()
            found[name] = _hash(path, now.st_mtime_ns, now.st_size, now.st_ino)
        except OSError:
            found[name] = ""
    return found


@cache
def _hash(path: Path, *stamp: int) -> str:
    """That of a source which, having the same ``stamp``, is the same: it is read once."""
    return source_hash(path.read_bytes()).hex()


def door(module: str) -> str:
    """The name by which a library opens one of the modules in it."""
    return module.replace(".", "_")


class LibraryLoader(ExtensionFileLoader):
    """Loads a module that lies in a library with others."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Open it by its door."""
        name = door(spec.name)
        module = super().create_module(ModuleSpec(name, self, origin=self.path))
        sys.modules.pop(name, None)
        return module


class TwinLoader(SourceLoader):
    """Loads a twin for wide boards from the source of its module, while it is not compiled."""

    def __init__(self, module: str, twins: frozenset[str]) -> None:
        self.module, self.twins = module, twins

    def get_filename(self, fullname: str) -> str:
        """Where the source lies."""
        return str(PACKAGE / f"{'/'.join(self.module.split('.')[1:])}.py")

    def get_data(self, path: str) -> bytes:
        """The source of the twin."""
        with open(path, encoding="utf-8") as file:
            return twin_of(file.read(), self.module, self.twins).encode()


def twin_of(text: str, module: str, twinned: Iterable[str]) -> str:
    """The source ``text`` of a module as that of its twin: it imports the twins of the modules that have one."""
    own = set(twinned)
    packages = {name.rpartition(".")[0] for name in own}
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            parts = {f"{node.module}.{alias.name}" for alias in node.names} & own
            if parts and node.module in packages and len(parts) < len(node.names):
                raise ValueError(f"{module} imports modules with and without a twin in line {node.lineno}")
            if parts or node.module in own:
                at = node.lineno - 1
                lines[at] = lines[at].replace(ENGINE, WIDE)
    return "".join(lines)


class Finder:
    """Finds compiled modules, before Python finds their sources, and the packages of those that have none."""

    def __init__(self, folder: Path, record: BuildRecord, wide: BuildRecord | None) -> None:
        library = str(folder / f"{LIBRARY}{SUFFIX}")
        self.files = {LIBRARY: library, **dict.fromkeys(record.modules, library)}
        self.twins = {name.replace(ENGINE, WIDE, 1): name for name in record.twins}
        if wide is not None:
            library = str(folder / f"{WIDE_LIBRARY}{SUFFIX}")
            self.files |= {WIDE_LIBRARY: library, **dict.fromkeys(wide.modules, library)}
        parents = {name.rpartition(".")[0] for name in (*record.modules, *self.twins)} - {""}
        self.packages = {
            name for name in parents if f"{'/'.join(name.split('.')[1:])}/__init__.py" not in record.sources
        }

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """What the import system asks every finder."""
        if name in self.packages:
            return ModuleSpec(name, None, is_package=True)
        if (file := self.files.get(name)) is not None:
            kind = ExtensionFileLoader if name in (LIBRARY, WIDE_LIBRARY) else LibraryLoader
            return spec_from_file_location(name, file, loader=kind(name, file))
        if (module := self.twins.get(name)) is not None:
            loader = TwinLoader(module, frozenset(self.twins.values()))
            return spec_from_file_location(name, loader.get_filename(name), loader=loader)
        return None


offer: Callable[[], bool] | None = None
"""Starts a builder and says whether it did, where one works only when asked: the first page offers it."""
status = NativeStatus()
"""What this process runs the engine as."""


def prepare() -> None:
    """Let the compiled modules in if they are wanted and fit the sources: before the first of them is imported."""
    global status
    status = _prepared()


def _prepared() -> NativeStatus:
    if os.environ.get(SWITCH) == "no":
        return NativeStatus()
    record = read()
    if record is None or record.failed:
        return NativeStatus()
    if changed := record.changed():
        if len(changed) > 1:
            more = len(changed) - 1
            return NativeStatus(
                reason=Message("is older than {file} and {more} more", file=changed[0], more=more)
            )
        return NativeStatus(reason=Message("is older than {file}", file=changed[0]))
    wide = read(FOLDER, WIDE_RECORD)
    if wide is not None and wide.made != record.made:
        wide = None  # of another build; until it is there, sources serve wide boards
    finder = Finder(FOLDER, record, wide)
    missing = [file for file in finder.files.values() if not os.path.isfile(file)]
    if missing:
        return NativeStatus(reason=Message("lacks {file}", file=os.path.basename(missing[0])))
    sys.meta_path.insert(0, finder)
    try:
        import_module(LIBRARY)
    except ImportError as problem:  # as when it was compiled on another system
        sys.meta_path.remove(finder)
        return NativeStatus(reason=Message("can't be loaded ({problem})", problem=verbatim(problem)))
    return NativeStatus(native=True)


def _brought() -> bool:
    """Whether the program came with its engine compiled."""
    return FOLDER.is_relative_to(PACKAGE)


def _checkout() -> bool:
    return (PACKAGE.parent / "Makefile").is_file()
