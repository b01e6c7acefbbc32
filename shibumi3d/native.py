"""Import hook that loads the compiled engine if it is up to date.

:mod:`shibumi3d.build_native` puts compiled modules in a separate folder, so that none of them can shadow an edited
source. Until :func:`prepare` is called, only the Python sources run. A build record in that folder lists the sources
from which the modules were compiled, with their hashes.
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
    "unused": N_(
        "The compiled engine {reason}, so it is not used and the computer players are weaker. {again}."
    ),
    "make": N_("Run 'make native' to compile it again"),
    "install": N_("Reinstall Shibumi 3D to fix this"),
    "build": N_("Run 'shibumi3d build-engine' to compile it again"),
    "older": N_("is older than {file}"),
    "older-more": N_("is older than {file} and {more} more"),
    "lacks": N_("is missing {file}"),
    "not-loaded": N_("can't be loaded ({problem})"),
    "compiled": N_("native"),
    "pure": N_("pure Python"),
    "aside": N_("pure Python: the compiled engine is not used"),
    "working": N_("{status}; compiling the engine: {percent}%"),
    "stopped": N_(
        "{status}; compiling the engine failed: {problem}; it will be tried again at the next start"
    ),
    "killed": N_("it was stopped"),
    "no-packages": N_("mypy and setuptools are not installed"),
    "no-compiler": N_("no C compiler was found ({command})"),
    "no-headers": N_("Python's header files are not installed ({file})"),
    "file": N_("{file}: {problem}"),
    "late": N_("it took longer than {seconds} s"),
}

PACKAGE = Path(__file__).resolve().parent


def _folder() -> Path:
    """Return the folder for compiled modules.

    This is the package's folder ``_native`` if that exists, and also in a checkout or a frozen bundle. Otherwise, it is
    a folder in the user's cache.
    """
    own = PACKAGE / "_native"
    if own.is_dir() or (PACKAGE.parent / "pyproject.toml").is_file() or getattr(sys, "frozen", False):
        return own
    return cache_folder() / "engine"


FOLDER = _folder()
SUFFIX = EXTENSION_SUFFIXES[0]
"""File suffix of extension modules for this Python, e.g. ``.cpython-311-x86_64-linux-gnu.so``."""
RECORD = f"{SUFFIX.split('.')[1]}.txt"
WIDE_RECORD = f"{SUFFIX.split('.')[1]}-wide.txt"
PROGRESS = f"{SUFFIX.split('.')[1]}-progress.txt"
"""Name of the file in which a running build reports its progress, or why it stopped.

:func:`progress` reads the file.
"""
LIBRARY = "shibumi3d_engine__mypyc"
"""Name of the extension module that contains the code of all compiled modules."""
WIDE_LIBRARY = "shibumi3d_wide__mypyc"
"""Name of the extension module that contains the twins: the variants of modules for wide boards.

It is compiled after :data:`LIBRARY`, and loaded only for wide boards.
"""
ENGINE = "shibumi3d.rules.marbles.engine"
WIDE = "shibumi3d.rules.marbles.engine_wide"
"""Package that contains the wide-board twins of modules of :data:`ENGINE`.

Modules of the engine that store sets in 64-bit integers (``i64 as M``) have a twin that uses Python integers. Twins are
for boards with too many points for 64 bits.
"""
STALE = 30.0
"""Seconds without a progress report after which a build is considered dead."""
SWITCH = "SHIBUMI3D_NATIVE"
"""Environment variable that controls the compiled engine.

The value ``no`` disables the compiled engine. If the variable has any value, the engine is not compiled in the
background.
"""


class NativeStatus(NamedTuple):
    """Status of the compiled engine: ``native`` is set if it is in use.

    If a compiled engine exists but is not used, ``reason`` says why.
    """

    native: bool = False
    reason: Message | str = ""

    @property
    def message(self) -> Message:
        """Short description of this status."""
        return Message(NATIVE_TEXTS["compiled" if self.native else "aside" if self.reason else "pure"])

    def __str__(self) -> str:
        return str(self.message)

    @property
    def notice(self) -> Message | None:
        """Warning to show at startup, or None if there is none."""
        if not self.reason:
            return None
        return Message(
            "The compiled engine {reason}, so it is not used and the computer players are weaker. {again}.",
            reason=self.reason,
            again=Message(NATIVE_TEXTS["make" if _checkout() else "install" if _brought() else "build"]),
        )


class BuildRecord(NamedTuple):
    """Record of a build, stored next to its library.

    ``modules`` are the modules in the library, and ``twins`` those that have a twin for wide boards. ``sources`` maps
    the path of each source in the package to its hash. If the compiler rejected the sources, ``failed`` is the reason.
    ``made`` identifies the tools used for the build. Two libraries work together only if their ``made`` is equal, and a
    failure is valid only as long as ``made`` is unchanged.
    """

    modules: tuple[str, ...]
    sources: Mapping[str, str]
    failed: str = ""
    made: str = ""
    twins: tuple[str, ...] = ()

    def changed(self) -> tuple[str, ...]:
        """Return the sources that have changed since the modules were compiled."""
        now = hashes(self.sources)
        return tuple(name for name, known in self.sources.items() if now[name] != known)

    def write(self, folder: Path, name: str = RECORD) -> None:
        """Write the record to ``folder`` atomically."""
        lines = [f"failed {' '.join(self.failed.split())}"] if self.failed else []
        lines += [f"made {self.made}"] if self.made else []
        lines += [f"module {name}" for name in self.modules]
        lines += [f"twin {name}" for name in self.twins]
        lines += [f"source {known} {name}" for name, known in self.sources.items()]
        put(folder / name, "".join(f"{line}\n" for line in lines))


def put(path: Path, text: str) -> None:
    """Write a text file atomically."""
    draft = path.with_name(f"{path.name}.new")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def read(folder: Path = FOLDER, name: str = RECORD) -> BuildRecord | None:
    """Return the build record in ``folder``, or None if there is none."""
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
    """Return the modification times of the build records, with 0 for a missing record.

    The times change with each build. If they have changed since a process started, a process that starts now runs a
    different engine.
    """
    found = []
    for name in (RECORD, WIDE_RECORD):
        try:
            found.append((folder / name).stat().st_mtime_ns)
        except OSError:
            found.append(0)
    return tuple(found)


class BuildProgress(NamedTuple):
    """Progress of a build.

    ``share`` is the fraction completed, from 0 to 1. If the build ended early, ``stopped`` is the reason.
    """

    share: float = 0.0
    stopped: Message | None = None

    def tell(self, folder: Path) -> None:
        """Write the progress to ``folder``, from which :func:`progress` reads it."""
        if self.stopped is None:
            put(folder / PROGRESS, f"working {self.share:.3f}\n")
        else:
            put(folder / PROGRESS, f"stopped {json.dumps(self.stopped.data())}\n")


def watched() -> bool:
    """Return whether the engine may be compiled in the background while the program runs.

    It may not be if the environment variable :data:`SWITCH` is set.
    """
    return not os.environ.get(SWITCH)


def progress(folder: Path = FOLDER) -> BuildProgress | None:
    """Return the progress of the build or why it stopped, or None if there is nothing to report.

    A build that has not reported anything for :data:`STALE` seconds counts as stopped.
    """
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
    """Return the status, including the progress of a build or the reason why it stopped."""
    if (told := progress(folder)) is None:
        return status.message
    if told.stopped is not None:
        return Message(
            "{status}; compiling the engine failed: {problem}; it will be tried again at the next start",
            status=status.message,
            problem=told.stopped,
        )
    return Message(
        "{status}; compiling the engine: {percent}%",
        status=status.message,
        percent=round(100 * told.share),
    )


def hashes(names: Iterable[str]) -> dict[str, str]:
    """Return the hash of each source by name; the hash of an unreadable source is empty.

    The hashes are comparable only within one version of Python.
    """
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
    """Return the hash of a source, from a cache if its ``stamp`` is unchanged."""
    return source_hash(path.read_bytes()).hex()


def door(module: str) -> str:
    """Return the name under which a library exports the init function of ``module``."""
    return module.replace(".", "_")


class LibraryLoader(ExtensionFileLoader):
    """Loader of a module whose library also contains other modules."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Create the module with the init function that the library exports for it."""
        name = door(spec.name)
        module = super().create_module(ModuleSpec(name, self, origin=self.path))
        sys.modules.pop(name, None)
        return module


class TwinLoader(SourceLoader):
    """Loader that runs a wide-board twin from Python source until the compiled twin is available."""

    def __init__(self, module: str, twins: frozenset[str]) -> None:
        self.module, self.twins = module, twins

    def get_filename(self, fullname: str) -> str:
        """Return the path of the source."""
        return str(PACKAGE / f"{'/'.join(self.module.split('.')[1:])}.py")

    def get_data(self, path: str) -> bytes:
        """Return the source of the twin as bytes."""
        with open(path, encoding="utf-8") as file:
            return twin_of(file.read(), self.module, self.twins).encode()


def twin_of(text: str, module: str, twinned: Iterable[str]) -> str:
    """Return the source of the twin of ``module``, made from ``text``, the module's own source.

    Imports of modules in ``twinned`` are redirected to their twins. Raises ValueError if a single statement imports
    both modules with a twin and modules without one.
    """
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
    """Meta path finder for compiled modules, which runs before Python's own finders.

    It also provides a package that contains compiled modules or twins if the package's ``__init__.py`` is not among the
    sources.
    """

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
        """Return the spec of a compiled module, a twin or a package; None for any other module."""
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
"""Function that starts a build and returns whether the build started, or None.

It is set if a build needs the user's consent. The home page then offers to build the engine.
"""
status = NativeStatus()
"""Status of the engine in this process."""


def prepare() -> None:
    """Enable the compiled engine if it is wanted and matches the sources.

    This must be called before any module of the engine is imported.
    """
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
        wide = None  # belongs to another build; the wide-board modules run from source until theirs is ready
    finder = Finder(FOLDER, record, wide)
    missing = [file for file in finder.files.values() if not os.path.isfile(file)]
    if missing:
        return NativeStatus(reason=Message("is missing {file}", file=os.path.basename(missing[0])))
    sys.meta_path.insert(0, finder)
    try:
        import_module(LIBRARY)
    except ImportError as problem:  # e.g. compiled on another system
        sys.meta_path.remove(finder)
        return NativeStatus(reason=Message("can't be loaded ({problem})", problem=verbatim(problem)))
    return NativeStatus(native=True)


def _brought() -> bool:
    """Return whether the compiled engine was installed with the program."""
    return FOLDER.is_relative_to(PACKAGE)


def _checkout() -> bool:
    return (PACKAGE.parent / "Makefile").is_file()
