"""Import hook that loads the compiled engine if it is up to date.

:mod:`shibumi3d.build_native` puts compiled modules in a separate folder, so that none of them can shadow an edited
source. Until :func:`enable_compiled_engine` is called, only the Python sources run. A build record in that folder lists
the sources from which the modules were compiled, with their hashes.
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

from shibumi3d.i18n import N_, Message, Plural, untranslated
from shibumi3d.paths import cache_folder

STATUS_TEXTS = {
    "unused": N_(
        "The compiled engine {reason}, so it is not used and the computer players are weaker. {again}."
    ),
    "make": N_("Run 'make native' to compile it again"),
    "install": N_("Reinstall Shibumi 3D to fix this"),
    "build": N_("Run 'shibumi3d build-engine' to compile it again"),
    "older": N_("is older than {file}"),
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
    "no-packages": N_("mypy or setuptools is not installed"),
    "no-compiler": N_("no C compiler was found ({command})"),
    "no-headers": N_("Python's header files are not installed ({file})"),
    "file": N_("{file}: {problem}"),
    "late": N_("it took longer than {seconds} s"),
}

PACKAGE_FOLDER = Path(__file__).resolve().parent


def _find_compiled_folder() -> Path:
    """Return the folder for compiled modules.

    This is ``_native`` in the package if that folder exists or the program runs from a checkout or a frozen bundle.
    Otherwise, it is a folder in the user's cache.
    """
    own = PACKAGE_FOLDER / "_native"
    if own.is_dir() or (PACKAGE_FOLDER.parent / "pyproject.toml").is_file() or getattr(sys, "frozen", False):
        return own
    return cache_folder() / "engine"


COMPILED_FOLDER = _find_compiled_folder()
EXTENSION_SUFFIX = EXTENSION_SUFFIXES[0]
"""File suffix of extension modules for this Python, e.g. ``.cpython-311-x86_64-linux-gnu.so``."""
RECORD_NAME = f"{EXTENSION_SUFFIX.split('.')[1]}.txt"
PROGRESS_NAME = f"{EXTENSION_SUFFIX.split('.')[1]}-progress.txt"
"""Name of the file in which a running build reports its progress, or why it stopped.

:func:`read_progress` reads the file.
"""
LIBRARY = "shibumi3d_engine__mypyc"
"""Name of the extension module that contains the code of all compiled modules, except for the twins."""
ENGINE_PACKAGE = "shibumi3d.rules.marbles.engine"


class Twins(NamedTuple):
    """Variants of modules of :data:`ENGINE_PACKAGE` for boards with more points than 64 bits can store.

    They are made from the modules that store sets of points in 64-bit integers, imported with ``i64 as M``, and from
    all modules that import such a module, directly or indirectly. ``library`` is the extension module that contains the
    variants, ``package`` the package that they belong to, and ``record_name`` the name of the library's build record.
    ``integers`` is the kind of integer that stores a set: ``double`` for 128 bits, ``triple`` for 192 bits, or "" for
    Python integers.
    """

    library: str
    package: str
    record_name: str
    integers: str = ""


DOUBLE = Twins(
    "shibumi3d_double__mypyc",
    "shibumi3d.rules.marbles.engine_double",
    f"{EXTENSION_SUFFIX.split('.')[1]}-double.txt",
    "double",
)
"""Twins that store sets in 128 bits. Not every compiler has integers of this size."""
TRIPLE = Twins(
    "shibumi3d_triple__mypyc",
    "shibumi3d.rules.marbles.engine_triple",
    f"{EXTENSION_SUFFIX.split('.')[1]}-triple.txt",
    "triple",
)
"""Twins that store sets in 192 bits. They are compiled as C++, in which such integers can be defined."""
WIDE = Twins(
    "shibumi3d_wide__mypyc",
    "shibumi3d.rules.marbles.engine_wide",
    f"{EXTENSION_SUFFIX.split('.')[1]}-wide.txt",
)
"""Twins that store sets in Python integers, which may have any size."""
TWINS = (DOUBLE, TRIPLE, WIDE)
"""The twins, in the order in which they are compiled after :data:`LIBRARY`; each is loaded only when it is needed."""
STALE_SECONDS = 30.0
"""Seconds without a progress report after which a build is considered dead."""
ENGINE_VARIABLE = "SHIBUMI3D_NATIVE"
"""Environment variable that controls the compiled engine.

The value ``no`` disables the compiled engine. If the variable has any value, the engine is not compiled in the
background.
"""


class EngineStatus(NamedTuple):
    """Status of the compiled engine.

    ``is_native`` is set if the engine is in use. ``reason`` says why an existing compiled engine can't be used: it is
    outdated or incomplete, or it can't be loaded. ``reason`` is empty if there is no compiled engine, or if
    :data:`ENGINE_VARIABLE` disables it.
    """

    is_native: bool = False
    reason: Message | str = ""

    @property
    def message(self) -> Message:
        """Short description of this status."""
        return Message(STATUS_TEXTS["compiled" if self.is_native else "aside" if self.reason else "pure"])

    def __str__(self) -> str:
        return str(self.message)

    @property
    def warning(self) -> Message | None:
        """Warning to show at startup if a compiled engine exists but can't be used, or else None.

        It is also None if the user has disabled the compiled engine; see :data:`ENGINE_VARIABLE`.
        """
        if not self.reason:
            return None
        return Message(
            "The compiled engine {reason}, so it is not used and the computer players are weaker. {again}.",
            reason=self.reason,
            again=Message(
                STATUS_TEXTS[
                    "make" if _is_checkout() else "install" if _is_installed_with_program() else "build"
                ]
            ),
        )


class BuildRecord(NamedTuple):
    """The record of a build, stored next to its library.

    ``modules`` are the modules in the library, and ``twinned_modules`` those that have twins (see :class:`Twins`).
    ``sources`` maps the path of each source, relative to the package, to its hash; it is empty for a library of twins.
    ``failure`` says why there is no library: the compiler rejected the sources or can't compile these modules, or the
    library disagreed with plain Python.

    ``toolchain`` is a hash that identifies the build. Libraries work together only if their records have the same hash.
    If the compiler rejected the sources of the whole engine, the hash identifies only the tools, and the failure counts
    only until the tools or the sources change.
    """

    modules: tuple[str, ...]
    sources: Mapping[str, str]
    failure: str = ""
    toolchain: str = ""
    twinned_modules: tuple[str, ...] = ()

    def changed_sources(self) -> tuple[str, ...]:
        """Return the sources that have changed since the recorded build."""
        now = hash_sources(self.sources)
        return tuple(name for name, known in self.sources.items() if now[name] != known)

    def write(self, folder: Path, name: str = RECORD_NAME) -> None:
        """Write the record to ``folder`` atomically."""
        lines = [f"failed {' '.join(self.failure.split())}"] if self.failure else []
        lines += [f"made {self.toolchain}"] if self.toolchain else []
        lines += [f"module {module}" for module in self.modules]
        lines += [f"twin {module}" for module in self.twinned_modules]
        lines += [f"source {known} {source}" for source, known in self.sources.items()]
        write_atomically(folder / name, "".join(f"{line}\n" for line in lines))


def write_atomically(path: Path, text: str) -> None:
    """Write ``text`` to ``path`` atomically, in UTF-8."""
    draft = path.with_name(f"{path.name}.new")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def read_record(folder: Path = COMPILED_FOLDER, record_name: str = RECORD_NAME) -> BuildRecord | None:
    """Return the build record in the file ``record_name`` in ``folder``, or None if it can't be read."""
    try:
        text = (folder / record_name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    modules: list[str] = []
    twins: list[str] = []
    sources: dict[str, str] = {}
    failure = toolchain = ""
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "failed":
            failure = rest
        elif word == "made":
            toolchain = rest
        elif word == "module":
            modules.append(rest)
        elif word == "twin":
            twins.append(rest)
        elif word == "source":
            known, _, source = rest.partition(" ")
            sources[source] = known
    return BuildRecord(tuple(modules), sources, failure, toolchain, tuple(twins))


def record_times(folder: Path = COMPILED_FOLDER) -> tuple[int, ...]:
    """Return the modification times of the build records, with 0 for a missing record.

    A time changes when a build installs a library or records a failure. If any time has changed since a process
    started, a process that starts now may run a different engine.
    """
    times = []
    for name in (RECORD_NAME, *(twins.record_name for twins in TWINS)):
        try:
            times.append((folder / name).stat().st_mtime_ns)
        except OSError:
            times.append(0)
    return tuple(times)


class BuildProgress(NamedTuple):
    """Progress of a build.

    ``share`` is the fraction completed, from 0 to 1. If the build ended early, ``stop_reason`` is the reason.
    """

    share: float = 0.0
    stop_reason: Message | None = None

    def write(self, folder: Path) -> None:
        """Write the progress to ``folder``, from which :func:`read_progress` reads it."""
        if self.stop_reason is None:
            write_atomically(folder / PROGRESS_NAME, f"working {self.share:.3f}\n")
        else:
            write_atomically(folder / PROGRESS_NAME, f"stopped {json.dumps(self.stop_reason.to_data())}\n")


def allows_background_build() -> bool:
    """Return whether the engine may be compiled in the background while the program runs.

    This is not allowed if the environment variable :data:`ENGINE_VARIABLE` has a non-empty value.
    """
    return not os.environ.get(ENGINE_VARIABLE)


def read_progress(folder: Path = COMPILED_FOLDER) -> BuildProgress | None:
    """Return the progress of the build, or the reason why the build stopped.

    Returns None if there is no valid report, or if builds in the background are not allowed. A build that has not
    reported anything for :data:`STALE_SECONDS` seconds counts as stopped.
    """
    if not allows_background_build():
        return None
    try:
        with (folder / PROGRESS_NAME).open(encoding="utf-8") as file:
            word, _, rest = file.read(1000).strip().partition(" ")
            report_time = os.fstat(file.fileno()).st_mtime
        if word == "stopped":
            return BuildProgress(stop_reason=Message.from_data(json.loads(rest)))
        if abs(time.time() - report_time) > STALE_SECONDS:
            return BuildProgress(stop_reason=Message("it was stopped"))
        return BuildProgress(share=float(rest))
    except (OSError, ValueError, TypeError, AttributeError):
        return None


def describe_progress(folder: Path = COMPILED_FOLDER) -> Message:
    """Describe the status of the engine, and the progress of its build if there is one.

    If the build has stopped, the reason is given instead of the progress.
    """
    if (progress := read_progress(folder)) is None:
        return status.message
    if progress.stop_reason is not None:
        return Message(
            "{status}; compiling the engine failed: {problem}; it will be tried again at the next start",
            status=status.message,
            problem=progress.stop_reason,
        )
    return Message(
        "{status}; compiling the engine: {percent}%",
        status=status.message,
        percent=round(100 * progress.share),
    )


def hash_sources(names: Iterable[str]) -> dict[str, str]:
    """Return the hash of each source by name; the hash of an unreadable source is empty.

    The hashes are comparable only within one version of Python.
    """
    hashes = {}
    for name in names:
        path = PACKAGE_FOLDER / name
        try:
            info = path.stat()
            hashes[name] = _hash_source(path, info.st_mtime_ns, info.st_size, info.st_ino)
        except OSError:
            hashes[name] = ""
    return hashes


@cache
def _hash_source(path: Path, *file_state: int) -> str:
    """Return the hash of the source file at ``path``.

    The hash is cached for each ``file_state`` (time, size and inode), so the file is read again only after a change.
    """
    return source_hash(path.read_bytes()).hex()


def init_symbol(module: str) -> str:
    """Return the name under which a library exports the init function of ``module``.

    The prefix ``PyInit_``, which Python adds when it imports the module, is left out.
    """
    return module.replace(".", "_")


class LibraryLoader(ExtensionFileLoader):
    """Loader of a module whose library also contains other modules."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Create the module by calling the init function that the library exports for it."""
        name = init_symbol(spec.name)
        module = super().create_module(ModuleSpec(name, self, origin=self.path))
        sys.modules.pop(name, None)
        return module


class TwinLoader(SourceLoader):
    """Loader that creates a twin for wide boards from Python source.

    It is used if there is no compiled twin.
    """

    def __init__(self, module: str, twins: frozenset[str]) -> None:
        self.module, self.twinned_modules = module, twins

    def get_filename(self, fullname: str) -> str:
        return str(PACKAGE_FOLDER / f"{'/'.join(self.module.split('.')[1:])}.py")

    def get_data(self, path: str) -> bytes:
        """Return the source of the twin as bytes.

        ``path`` is the path of the module from which the twin is made.
        """
        with open(path, encoding="utf-8") as file:
            return twin_source(file.read(), self.module, self.twinned_modules, WIDE).encode()


def twin_source(text: str, module: str, twinned_modules: Iterable[str], twins: Twins) -> str:
    """Return the source of a module's twin in ``twins``.

    ``text`` is the source of the module itself. In the twin, imports of modules in ``twinned_modules`` become imports
    of their twins. Raises ValueError if a single statement imports both modules with a twin and modules without one;
    the error message names ``module``.
    """
    own = set(twinned_modules)
    packages = {name.rpartition(".")[0] for name in own}
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            parts = {f"{node.module}.{alias.name}" for alias in node.names} & own
            if parts and node.module in packages and len(parts) < len(node.names):
                raise ValueError(f"{module} imports modules with and without a twin in line {node.lineno}")
            if parts or node.module in own:
                at = node.lineno - 1
                lines[at] = lines[at].replace(ENGINE_PACKAGE, twins.package)
    return "".join(lines)


class EngineFinder:
    """Meta path finder that looks for compiled modules and twins before Python's own finders do.

    It also provides the packages that contain compiled modules or twins, unless their ``__init__.py`` is among the
    sources.
    """

    def __init__(self, folder: Path, record: BuildRecord, twin_records: Mapping[Twins, BuildRecord]) -> None:
        library = str(folder / f"{LIBRARY}{EXTENSION_SUFFIX}")
        self.library_by_module = {LIBRARY: library, **dict.fromkeys(record.modules, library)}
        self.module_by_twin = {
            name.replace(ENGINE_PACKAGE, WIDE.package, 1): name for name in record.twinned_modules
        }
        for twins, twin_record in twin_records.items():
            library = str(folder / f"{twins.library}{EXTENSION_SUFFIX}")
            self.library_by_module |= {twins.library: library, **dict.fromkeys(twin_record.modules, library)}
        modules = (*self.library_by_module, *self.module_by_twin)
        parents = {name.rpartition(".")[0] for name in modules} - {""}
        self.packages = {
            name for name in parents if f"{'/'.join(name.split('.')[1:])}/__init__.py" not in record.sources
        }

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a compiled module, a twin or a package in ``packages``, or None for any other module."""
        if name in self.packages:
            return ModuleSpec(name, None, is_package=True)
        if (file := self.library_by_module.get(name)) is not None:
            kind = LibraryLoader if "." in name else ExtensionFileLoader
            return spec_from_file_location(name, file, loader=kind(name, file))
        if (module := self.module_by_twin.get(name)) is not None:
            loader = TwinLoader(module, frozenset(self.module_by_twin.values()))
            return spec_from_file_location(name, loader.get_filename(name), loader=loader)
        return None


start_offered_build: Callable[[], bool] | None = None
"""Function that starts a build and returns whether it has started; None if there is no build to offer.

The function is set if a build needs the user's consent. The home page then offers to build the engine.
"""
status = EngineStatus()
"""Status of the engine in this process."""


def enable_compiled_engine() -> None:
    """Enable the compiled engine if it is up to date and can be loaded, and set :data:`status`.

    If :data:`ENGINE_VARIABLE` is ``no``, the engine isn't enabled. This function must be called before any module of
    the engine is imported.
    """
    global status
    status = _enable()


def _enable() -> EngineStatus:
    if os.environ.get(ENGINE_VARIABLE) == "no":
        return EngineStatus()
    record = read_record()
    if record is None or record.failure:
        return EngineStatus()
    if changed := record.changed_sources():
        if len(changed) > 1:
            reason = Plural(
                "is older than {file} and {n} other file", "is older than {file} and {n} other files"
            )
            return EngineStatus(reason=Message(reason, file=changed[0], n=len(changed) - 1))
        return EngineStatus(reason=Message("is older than {file}", file=changed[0]))
    # Until the twins of this build are ready, those for wide boards run from source.
    found = {twins: read_record(COMPILED_FOLDER, twins.record_name) for twins in TWINS}
    ready = {
        twins: each
        for twins, each in found.items()
        if each is not None and not each.failure and each.toolchain == record.toolchain
    }
    finder = EngineFinder(COMPILED_FOLDER, record, ready)
    missing = [file for file in finder.library_by_module.values() if not os.path.isfile(file)]
    if missing:
        return EngineStatus(reason=Message("is missing {file}", file=os.path.basename(missing[0])))
    sys.meta_path.insert(0, finder)
    try:
        import_module(LIBRARY)
    except ImportError as problem:  # e.g. compiled on another system
        sys.meta_path.remove(finder)
        return EngineStatus(reason=Message("can't be loaded ({problem})", problem=untranslated(problem)))
    return EngineStatus(is_native=True)


def _is_installed_with_program() -> bool:
    return COMPILED_FOLDER.is_relative_to(PACKAGE_FOLDER)


def _is_checkout() -> bool:
    return (PACKAGE_FOLDER.parent / "Makefile").is_file()
