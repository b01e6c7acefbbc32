"""Compilation of the engine into a folder: running mypyc and the C compiler, and installing the libraries."""

from __future__ import annotations

import hashlib
import os
import queue
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import shibumi3d.build_native.sources as sources
from shibumi3d import native
from shibumi3d.i18n import LocalizedError, Message, describe_exit, untranslated
from shibumi3d.native import (
    COMPILED_FOLDER,
    EXTENSION_SUFFIX,
    LIBRARY,
    PACKAGE_FOLDER,
    RECORD_NAME,
    TWINS,
    BuildRecord,
)

MAX_BUILD_SECONDS = 1800
"""Time limit of a build, in seconds."""
# Let the C compiler inline the small functions that mypyc generates. This makes the engine about 20% faster, or 23%
# with raised inlining limits. Flags that the compiler doesn't know are left out.
COMPILER_FLAGS = (
    "-fvisibility=hidden",
    "-fno-semantic-interposition",
    "--param=inline-unit-growth=80",
    "--param=max-inline-insns-auto=60",
    "-Wno-error",
    "-Wno-all",
)
WORK_FOLDER_NAME = "work"
"""Name of the temporary build folder within the target folder."""
_TEMPORARY_PROBLEMS = (
    "No space left",
    "Disk quota exceeded",
    "Killed signal",
    "Terminated signal",
    "out of memory",
    "MemoryError",
    "cannot allocate",
)
"""Phrases in compiler output that indicate a temporary problem rather than faulty sources."""


class BuildError(LocalizedError):
    """Raised when compiling the engine fails.

    ``output`` is the output of the compilers. ``is_rejection`` is true if the compiler rejected the sources, in which
    case another attempt would fail in the same way.
    """

    def __init__(self, message: Message, output: str = "", is_rejection: bool = False) -> None:
        super().__init__(message)
        self.output = output
        self.is_rejection = is_rejection


@contextmanager
def build_lock(folder: Path, wait: bool) -> Iterator[bool]:
    """Hold the build lock of ``folder``; the context manager yields whether this process got it.

    If ``wait`` is set, block until the lock is free. On Windows nothing is locked, and True is yielded.
    """
    if os.name == "nt":
        yield True
        return
    import fcntl

    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "building").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
        else:
            yield True


def missing_tools() -> Message | None:
    """Return a message that says which build tool is missing, or None if none is missing.

    On Windows, the function doesn't look for a compiler or for Python's header files.
    """
    if not find_spec("mypyc") or not (find_spec("setuptools") or sys.version_info < (3, 12)):
        return Message("mypy or setuptools is not installed")
    if os.name == "nt":
        return None  # setuptools knows how to find the compiler
    if not _compiler_path():
        return Message("no C compiler was found ({command})", command=_compiler_command())
    header = Path(sysconfig.get_path("include"), "Python.h")
    return (
        None
        if header.is_file()
        else Message("Python's header files are not installed ({file})", file=str(header))
    )


def _compiler_command() -> str:
    return shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]


def _compiler_path() -> str:
    return shutil.which(_compiler_command()) or ""


def toolchain_hash() -> str:
    """Return a hash that identifies the compiler, mypy and Python used for a build.

    The compiler isn't run; it is identified by the path, size and modification time of its executable.
    """
    path = os.path.realpath(_compiler_path())
    try:
        info = os.stat(path)
        compiler = f"{path} {info.st_size} {info.st_mtime_ns}"
    except OSError:
        compiler = path
    try:
        mypy = version("mypy")
    except PackageNotFoundError:
        mypy = ""
    return hashlib.sha256(f"{compiler} {mypy} {sys.version}".encode()).hexdigest()[:16]


def plan_libraries() -> list[dict[str, Any]]:
    """Return the libraries to compile, each as a dict.

    The keys are ``name``, the name of the library; ``modules``, the modules in it; ``files``, the paths of their
    sources; ``hot``, the modules to compile at the highest optimization level; and ``integers``, the kind of integer
    that replaces 64-bit integers: ``double`` for 128 bits, ``triple`` for 192 bits, or "" if none does.
    """
    every = {name: name for name in sources.MODULES}
    libraries: list[tuple[str, str, dict[str, str], Sequence[str]]] = [
        (LIBRARY, "", every, sources.HOT_MODULES)
    ]
    for twins in TWINS:
        if twinned := sources.twin_modules(twins=twins):
            libraries.append((twins.library, twins.integers, twinned, sources.TWIN_HOT_MODULES))
    return [
        {
            "name": name,
            "integers": integers,
            "modules": tuple(modules.values()),
            "files": tuple(f"{module.replace('.', '/')}.py" for module in modules.values()),
            "hot": tuple(
                modules[full] for each in hot if (full := f"shibumi3d.rules.marbles.{each}") in modules
            ),
        }
        for name, integers, modules, hot in libraries
    ]


def build_engine(
    folder: Path = COMPILED_FOLDER, on_progress: Callable[[float], None] = lambda share: None
) -> None:
    """Compile the engine into ``folder``.

    The library that most boards need is built first, followed by those for larger boards. Each is installed with its
    record as soon as it is ready. A library that stores sets in 128 or 192 bits is left out if the compiler lacks such
    integers, if its C++ code is rejected, or if it disagrees with plain Python; its record then gives the reason.
    ``on_progress`` is called frequently with the completed fraction. Raises :class:`BuildError` if the engine can't be
    compiled.

    Only one process at a time may build into a folder; see :func:`build_lock`.
    """
    hashes = native.hash_sources(sources.source_closure(sources.MODULES))
    twinned = sources.twin_modules()
    build_hash = hashlib.sha256(
        repr((toolchain_hash(), COMPILER_FLAGS, sorted(hashes.items()))).encode()
    ).hexdigest()[:16]
    records = {
        LIBRARY: (
            RECORD_NAME,
            BuildRecord(sources.MODULES, hashes, toolchain=build_hash, twinned_modules=tuple(twinned)),
        ),
    }
    for twins in TWINS:
        modules = tuple(sources.twin_modules(twins=twins).values())
        records[twins.library] = twins.record_name, BuildRecord(modules, {}, toolchain=build_hash)
    work = folder / WORK_FOLDER_NAME
    share = 0.0

    def on_line(line: str) -> None:
        nonlocal share
        word, _, rest = line.partition(" ")
        if word == "done":
            share = float(rest)
        elif word == "library":
            name, record = records[rest]
            if not _agrees_with_python(work / "out", rest, record.modules):
                record._replace(modules=(), failure="it disagrees with plain Python").write(folder, name)
            else:
                _install(work / "out", folder, rest, name, record)
        elif word == "skipped":
            library, _, reason = rest.partition(" ")
            name, record = records[library]
            record._replace(modules=(), failure=reason).write(folder, name)

    try:
        shutil.rmtree(work, ignore_errors=True)
        _copy_sources(work, sources.source_closure(sources.MODULES), twinned)
        _run_compilers(work, on_line, lambda: on_progress(share))
    except OSError as problem:
        raise BuildError(Message("{file}: {problem}", file=str(problem.filename), problem=problem)) from None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _copy_sources(work: Path, source_paths: Iterable[str], twinned: Iterable[str]) -> None:
    """Copy the sources in ``source_paths`` to ``work``, and add the twins of all modules that have any.

    ``source_paths`` are relative to the package. In a twin, imports of the modules in ``twinned`` are redirected to the
    twins of these modules.
    """
    source_paths = tuple(source_paths)
    for source in ("__init__.py", *source_paths):
        (work / "shibumi3d" / source).parent.mkdir(parents=True, exist_ok=True)
        (work / "shibumi3d" / source).touch()
    for source in source_paths:
        shutil.copy(PACKAGE_FOLDER / source, work / "shibumi3d" / source)
    for twins in TWINS:
        for module, twin in sources.twin_modules(twins=twins).items():
            path = work / f"{twin.replace('.', '/')}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            (path.parent / "__init__.py").touch()
            path.write_text(sources.module_twin_source(module, twinned, twins), encoding="utf-8")


def _run_compilers(work: Path, on_line: Callable[[str], None], on_tick: Callable[[], None]) -> None:
    """Start the build process, which runs mypyc and the C compiler in ``work``, and wait until it ends.

    ``on_line`` is called with each line that the process writes to standard output. ``on_tick`` is called at least
    every half second, except while ``on_line`` is running. Raises :class:`BuildError` if the process fails or takes too
    long.
    """
    script = Path(__file__).with_name("compiler_process.py")
    command = [sys.executable, "-P", str(script), repr((COMPILER_FLAGS, plan_libraries()))]
    start_time = time.monotonic()
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    with (work / "output.txt").open("w+", encoding="utf-8", errors="replace") as output:
        running = subprocess.Popen(
            command,
            cwd=work,
            stdin=subprocess.PIPE,  # this pipe closes when the process ends for any reason, which stops the build
            stdout=subprocess.PIPE,
            stderr=output,
            text=True,
            start_new_session=True,
        )
        try:
            Thread(target=_read_lines, args=(running.stdout, lines), daemon=True).start()
            more = True
            while more and time.monotonic() - start_time <= MAX_BUILD_SECONDS:
                on_tick()
                with suppress(queue.Empty):
                    line = lines.get(timeout=0.5)
                    if line is None:
                        more = False
                    else:
                        on_line(line)
            late = more
            if not late:
                running.wait()
        finally:
            _kill(running)
        output.seek(0)
        text = output.read()
    if late:
        raise BuildError(Message("it took longer than {seconds} s", seconds=MAX_BUILD_SECONDS), text)
    if running.returncode:
        errors = [line.strip() for line in text.splitlines() if "error" in line.casefold()]
        why = untranslated(errors[0]) if errors else describe_exit(running.returncode)
        passing = running.returncode < 0 or any(sign in text for sign in _TEMPORARY_PROBLEMS)
        raise BuildError(why, text, is_rejection=not passing)


def _agrees_with_python(built_folder: Path, library: str, modules: Iterable[str]) -> bool:
    """Return whether a compiled library agrees with plain Python; see :mod:`.check_twins`.

    ``modules`` are the modules in the library. Only libraries that store sets in 128 or 192 bits are compared. For any
    other library, and for one without the module ``board``, the result is True.
    """
    package = next((twins.package for twins in TWINS if twins.library == library and twins.integers), "")
    if f"{package}.board" not in modules:
        return True  # there are no boards to compare
    command = [sys.executable, "-P", "-m", "shibumi3d.build_native.check_twins", str(built_folder), package]
    own = {"PYTHONPATH": str(PACKAGE_FOLDER.parent), native.ENGINE_VARIABLE: "no"}
    return not subprocess.run(command, env=os.environ | own, capture_output=True, check=False).returncode


def _read_lines(output: Any, lines: queue.SimpleQueue[str | None]) -> None:
    for line in output:
        lines.put(line.strip())
    lines.put(None)


def _kill(running: subprocess.Popen[str]) -> None:
    """If the process is still running, kill it and the compilers that it has started.

    On Windows, only the process itself is killed. Its pipes are closed in any case.
    """
    if running.poll() is None:
        with suppress(OSError):
            if os.name == "nt":
                running.kill()
            else:
                os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    for pipe in (running.stdin, running.stdout):
        if pipe is not None:
            pipe.close()


def _install(built_folder: Path, folder: Path, library: str, record_name: str, record: BuildRecord) -> None:
    """Install a library into ``folder``, and delete the libraries of earlier versions there.

    The old record is deleted before the library is replaced, and the new record is written afterwards. So a partial
    installation is never used.
    """
    draft = folder / f"{library}{EXTENSION_SUFFIX}.new"
    shutil.copy(built_folder / f"{library}{EXTENSION_SUFFIX}", draft)
    (folder / record_name).unlink(missing_ok=True)
    draft.replace(folder / f"{library}{EXTENSION_SUFFIX}")
    record.write(folder, record_name)
    # Earlier versions, which built one library per module, left these files behind.
    for path in folder.glob(f"shibumi3d.*{EXTENSION_SUFFIX}"):
        path.unlink(missing_ok=True)


def remove_compiled(folder: Path = COMPILED_FOLDER) -> None:
    """Delete everything compiled for this version of Python, even by earlier versions of the program."""
    for path in (
        folder / RECORD_NAME,
        *(folder / twins.record_name for twins in TWINS),
        folder / native.PROGRESS_NAME,
        *folder.glob(f"*{EXTENSION_SUFFIX}*"),
    ):
        path.unlink(missing_ok=True)
    shutil.rmtree(folder / WORK_FOLDER_NAME, ignore_errors=True)


def is_compiled(folder: Path = COMPILED_FOLDER) -> bool:
    """Return whether the engine has been compiled from the current sources.

    All its libraries must come from the same build. A library of twins may be missing if its record says why.
    """
    record = native.read_record(folder)
    if record is None or record.failure or record.modules != sources.MODULES or record.changed_sources():
        return False
    names = [LIBRARY]
    for twins in TWINS if record.twinned_modules else ():
        twin_record = native.read_record(folder, twins.record_name)
        if twin_record is None or twin_record.toolchain != record.toolchain:
            return False
        if not twin_record.failure:
            names.append(twins.library)
    return all((folder / f"{name}{EXTENSION_SUFFIX}").is_file() for name in names)


def copy_compiled(folder: Path, target_folder: Path) -> None:
    """Copy the compiled libraries and their records to another folder."""
    for name in (
        *(f"{library}{EXTENSION_SUFFIX}" for library in (LIBRARY, *(twins.library for twins in TWINS))),
        RECORD_NAME,
        *(twins.record_name for twins in TWINS),
    ):
        if (folder / name).is_file():
            shutil.copy(folder / name, target_folder)
