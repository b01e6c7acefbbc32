"""Compilation of the engine into a folder: run mypyc and the C compiler, and install the libraries."""

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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import shibumi3d.build_native.sources as sources
from shibumi3d import native
from shibumi3d.i18n import LocalizedError, Message, describe_exit, verbatim
from shibumi3d.native import FOLDER, LIBRARY, PACKAGE, RECORD, SUFFIX, WIDE_LIBRARY, WIDE_RECORD, BuildRecord

LONGEST = 1800
"""Time limit of a build, in seconds."""
# Let the C compiler inline the small functions that mypyc generates: about 20 % faster, and 3 % more with the inlining
# limits raised. Flags that the compiler doesn't know are left out.
FLAGS = (
    "-fvisibility=hidden",
    "-fno-semantic-interposition",
    "--param=inline-unit-growth=80",
    "--param=max-inline-insns-auto=60",
    "-Wno-error",
    "-Wno-all",
)
WORK = "work"
"""Name of the temporary build folder within the target folder."""
_PASSING = (
    "No space left",
    "Disk quota exceeded",
    "Killed signal",
    "Terminated signal",
    "out of memory",
    "MemoryError",
    "cannot allocate",
)
"""Phrases in compiler output that indicate a temporary problem rather than faulty sources."""


class BuildFailed(LocalizedError):
    """Raised when compiling the engine fails.

    ``output`` is the output of the compilers. ``refused`` is true if the compiler rejected the sources, in which case
    another attempt would fail in the same way.
    """

    def __init__(self, what: Message, output: str = "", refused: bool = False) -> None:
        super().__init__(what)
        self.output = output
        self.refused = refused


@contextmanager
def alone(folder: Path, wait: bool) -> Iterator[bool]:
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


def missing() -> Message | None:
    """Return a message that says what is missing for compilation, or None if nothing is."""
    if not find_spec("mypyc") or not (find_spec("setuptools") or sys.version_info < (3, 12)):
        return Message("mypy and setuptools are not installed")
    if os.name == "nt":
        return None  # setuptools knows how to find the compiler
    if not _compiler():
        return Message("no C compiler was found ({command})", command=_command())
    header = Path(sysconfig.get_path("include"), "Python.h")
    return (
        None
        if header.is_file()
        else Message("Python's header files are not installed ({file})", file=str(header))
    )


def _command() -> str:
    return shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]


def _compiler() -> str:
    return shutil.which(_command()) or ""


def tools() -> str:
    """Return a hash that identifies the compiler, mypy and Python used for a build.

    The compiler isn't run; it is identified by the path, size and modification time of its executable.
    """
    path = os.path.realpath(_compiler())
    try:
        found = os.stat(path)
        compiler = f"{path} {found.st_size} {found.st_mtime_ns}"
    except OSError:
        compiler = path
    try:
        mypy = version("mypy")
    except PackageNotFoundError:
        mypy = ""
    return hashlib.sha256(f"{compiler} {mypy} {sys.version}".encode()).hexdigest()[:16]


def plan(wide: bool = True) -> list[dict[str, Any]]:
    """Return the libraries to compile, each as its name, modules, files and hot modules."""
    twinned = sources.twins()
    every = {name: name for name in sources.MODULES}
    libraries: list[tuple[str, dict[str, str], Sequence[str]]] = [(LIBRARY, every, sources.HOT)]
    if twinned and wide:
        libraries.append((WIDE_LIBRARY, twinned, sources.WIDE_HOT))
    return [
        {
            "name": name,
            "modules": tuple(modules.values()),
            "files": tuple(f"{module.replace('.', '/')}.py" for module in modules.values()),
            "hot": tuple(
                modules[full] for each in hot if (full := f"shibumi3d.rules.marbles.{each}") in modules
            ),
        }
        for name, modules, hot in libraries
    ]


def build(folder: Path = FOLDER, told: Callable[[float], None] = lambda share: None) -> None:
    """Compile the engine into ``folder``.

    The library that most boards need is built first, followed by the one for wide boards. Each is installed with its
    record as soon as it is ready. ``told`` is called frequently with the completed fraction. Raises
    :class:`BuildFailed`.

    Only one process at a time may build into a folder; see :func:`alone`.
    """
    from_what = native.hashes(sources.closure(sources.MODULES))
    twinned = sources.twins()
    made = hashlib.sha256(repr((tools(), FLAGS, sorted(from_what.items()))).encode()).hexdigest()[:16]
    records = {
        LIBRARY: (RECORD, BuildRecord(sources.MODULES, from_what, made=made, twins=tuple(twinned))),
        WIDE_LIBRARY: (WIDE_RECORD, BuildRecord(tuple(twinned.values()), {}, made=made)),
    }
    work = folder / WORK
    share = 0.0

    def hear(line: str) -> None:
        nonlocal share
        word, _, rest = line.partition(" ")
        if word == "done":
            share = float(rest)
        elif word == "library":
            _install(work / "out", folder, rest, *records[rest])

    try:
        shutil.rmtree(work, ignore_errors=True)
        _fill(work, sources.closure(sources.MODULES), twinned)
        _run(work, hear, lambda: told(share))
    except OSError as problem:
        raise BuildFailed(Message("{file}: {problem}", file=str(problem.filename), problem=problem)) from None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _fill(work: Path, names: Iterable[str], twinned: Mapping[str, str]) -> None:
    """Copy all required sources into ``work``, and add the twins of modules that are compiled twice."""
    names = tuple(names)
    for source in ("__init__.py", *names):
        (work / "shibumi3d" / source).parent.mkdir(parents=True, exist_ok=True)
        (work / "shibumi3d" / source).touch()
    for source in names:
        shutil.copy(PACKAGE / source, work / "shibumi3d" / source)
    for module, twin in twinned.items():
        path = work / f"{twin.replace('.', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(sources.twin_text(module, twinned), encoding="utf-8")


def _run(work: Path, hear: Callable[[str], None], tick: Callable[[], None]) -> None:
    """Run mypyc and the C compiler in ``work``.

    ``hear`` is called with each line that they write to standard output, and ``tick`` at least every half second.
    Raises :class:`BuildFailed`.
    """
    script = Path(__file__).with_name("process.py")
    command = [sys.executable, "-P", str(script), repr((FLAGS, plan()))]
    begun = time.monotonic()
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
            Thread(target=_read, args=(running.stdout, lines), daemon=True).start()
            more = True
            while more and time.monotonic() - begun <= LONGEST:
                tick()
                with suppress(queue.Empty):
                    line = lines.get(timeout=0.5)
                    if line is None:
                        more = False
                    else:
                        hear(line)
            late = more
            if not late:
                running.wait()
        finally:
            _stop(running)
        output.seek(0)
        said = output.read()
    if late:
        raise BuildFailed(Message("it took longer than {seconds} s", seconds=LONGEST), said)
    if running.returncode:
        errors = [line.strip() for line in said.splitlines() if "error" in line.casefold()]
        why = verbatim(errors[0]) if errors else describe_exit(running.returncode)
        passing = running.returncode < 0 or any(sign in said for sign in _PASSING)
        raise BuildFailed(why, said, refused=not passing)


def _read(output: Any, lines: queue.SimpleQueue[str | None]) -> None:
    for line in output:
        lines.put(line.strip())
    lines.put(None)


def _stop(running: subprocess.Popen[str]) -> None:
    """Kill the process and the compilers that it has started."""
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


def _install(made: Path, folder: Path, library: str, name: str, record: BuildRecord) -> None:
    """Install a library into ``folder``.

    The old record is deleted first and the new record written last, so that a partial installation is never used.
    """
    draft = folder / f"{library}{SUFFIX}.new"
    shutil.copy(made / f"{library}{SUFFIX}", draft)
    (folder / name).unlink(missing_ok=True)
    draft.replace(folder / f"{library}{SUFFIX}")
    record.write(folder, name)
    for path in folder.glob(f"shibumi3d.*{SUFFIX}"):  # left by versions that built one library per module
        path.unlink(missing_ok=True)


def remove(folder: Path = FOLDER) -> None:
    """Delete everything compiled for this version of Python, even by earlier versions of the program."""
    for path in (
        folder / RECORD,
        folder / WIDE_RECORD,
        folder / native.PROGRESS,
        *folder.glob(f"*{SUFFIX}*"),
    ):
        path.unlink(missing_ok=True)
    shutil.rmtree(folder / WORK, ignore_errors=True)


def compiled(folder: Path = FOLDER) -> bool:
    """Return whether the whole engine has been compiled from the current sources."""
    record, wide = native.read(folder), native.read(folder, WIDE_RECORD)
    if record is None or record.failed or record.modules != sources.MODULES or record.changed():
        return False
    names = [LIBRARY]
    if record.twins:
        if wide is None or wide.made != record.made:
            return False
        names.append(WIDE_LIBRARY)
    return all((folder / f"{name}{SUFFIX}").is_file() for name in names)


def copy(folder: Path, into: Path) -> None:
    """Copy the compiled libraries and their records to another folder."""
    for name in (f"{LIBRARY}{SUFFIX}", f"{WIDE_LIBRARY}{SUFFIX}", RECORD, WIDE_RECORD):
        if (folder / name).is_file():
            shutil.copy(folder / name, into)
