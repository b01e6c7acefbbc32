"""The engine compiled: lets the compiled modules in where they fit the sources, else says why not.

:mod:`shibumi3d.build_native` leaves the compiled modules in a folder of their own, so a compiled module never wins
over an edited source by lying beside it: without :func:`prepare` nothing but Python runs. A record in that folder
says which sources they were compiled from.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import source_hash, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from shibumi3d.sayings import Saying, verbatim

PACKAGE = Path(__file__).resolve().parent
FOLDER = PACKAGE / "_native"
SUFFIX = EXTENSION_SUFFIXES[0]
"""What compiled modules of this very Python end in, such as ``.cpython-311-x86_64-linux-gnu.so``."""
RECORD = f"{SUFFIX.split('.')[1]}.txt"
LIBRARY = "shibumi3d_engine__mypyc"
"""The module that holds the code of those compiled together; each of them only opens it."""
SWITCH = "SHIBUMI3D_NATIVE"
"""The environment variable that, set to ``no``, leaves compiled modules alone."""


class NativeStatus(NamedTuple):
    """What the engine runs as. ``reason``: what keeps a compiled engine that is there from being used."""

    native: bool = False
    reason: Saying | str = ""

    def __str__(self) -> str:
        if self.native:
            return "native"
        return "pure Python: the compiled engine is not used" if self.reason else "pure Python"

    @property
    def notice(self) -> Saying | None:
        """The sentence for whoever starts the program; None when there is nothing to say."""
        if not self.reason:
            return None
        return Saying(
            "native.unused",
            reason=self.reason,
            again=Saying("native.make") if _checkout() else Saying("native.install"),
        )


class BuildRecord(NamedTuple):
    """What a build leaves beside the modules: ``modules`` compiled and their libraries, or why that ``failed``, and
    the hash of every source they were made from, by its path in the package."""

    modules: tuple[str, ...]
    sources: Mapping[str, str]
    failed: str = ""

    def changed(self) -> tuple[str, ...]:
        """The sources that are no longer what they were when the modules were compiled."""
        now = hashes(self.sources)
        return tuple(name for name, known in self.sources.items() if now[name] != known)

    def write(self, folder: Path) -> None:
        """Put the record into ``folder``, at once or not at all."""
        lines = [f"failed {' '.join(self.failed.split())}"] if self.failed else []
        lines += [f"module {name}" for name in self.modules]
        lines += [f"source {known} {name}" for name, known in self.sources.items()]
        draft = folder / f"{RECORD}.new"
        draft.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        draft.replace(folder / RECORD)


def read(folder: Path = FOLDER) -> BuildRecord | None:
    """The record in ``folder``; None when there is none."""
    try:
        text = (folder / RECORD).read_text(encoding="utf-8")
    except OSError:
        return None
    modules: list[str] = []
    sources: dict[str, str] = {}
    failed = ""
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "failed":
            failed = rest
        elif word == "module":
            modules.append(rest)
        elif word == "source":
            known, _, name = rest.partition(" ")
            sources[name] = known
    return BuildRecord(tuple(modules), sources, failed)


def hashes(names: Iterable[str]) -> dict[str, str]:
    """A hash of each source, empty for one that can't be read. They hold for one version of Python."""
    found = {}
    for name in names:
        try:
            found[name] = source_hash((PACKAGE / name).read_bytes()).hex()
        except OSError:
            found[name] = ""
    return found


class Finder:
    """Finds compiled modules, before Python finds their sources, and the packages of those that have none."""

    def __init__(self, record: BuildRecord) -> None:
        self.files = {name: str(FOLDER / f"{name}{SUFFIX}") for name in record.modules}
        parents = {name.rpartition(".")[0] for name in record.modules} - {""}
        self.packages = {
            name for name in parents if f"{'/'.join(name.split('.')[1:])}/__init__.py" not in record.sources
        }

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """What the import system asks every finder."""
        if name in self.packages:
            return ModuleSpec(name, None, is_package=True)
        file = self.files.get(name)
        if file is None:
            return None
        return spec_from_file_location(name, file, loader=ExtensionFileLoader(name, file))


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
            return NativeStatus(reason=Saying("native.older-more", file=changed[0], more=more))
        return NativeStatus(reason=Saying("native.older", file=changed[0]))
    finder = Finder(record)
    missing = [file for file in finder.files.values() if not os.path.isfile(file)]
    if missing:
        return NativeStatus(reason=Saying("native.lacks", file=os.path.basename(missing[0])))
    sys.meta_path.insert(0, finder)
    try:
        import_module(LIBRARY)
    except ImportError as problem:  # as when it was compiled on another system
        sys.meta_path.remove(finder)
        return NativeStatus(reason=Saying("native.not-loaded", problem=verbatim(problem)))
    return NativeStatus(native=True)


def _checkout() -> bool:
    return (PACKAGE.parent / "Makefile").is_file()
