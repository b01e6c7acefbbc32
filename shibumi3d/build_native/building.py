"""Compiles the engine into a folder: mypyc and the C compiler at work, and what they made put in its place."""

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
"""Seconds after which compiling is given up."""
# Let the C compiler inline what mypyc splits into functions: worth a fifth, and a thirtieth more where it may do so
# further than it does by itself. Each is used where it is known.
FLAGS = (
    "-fvisibility=hidden",
    "-fno-semantic-interposition",
    "--param=inline-unit-growth=80",
    "--param=max-inline-insns-auto=60",
    "-Wno-error",
    "-Wno-all",
)
WORK = "work"
"""The folder in which is compiled, within that for which."""
_PASSING = (
    "No space left",
    "Disk quota exceeded",
    "Killed signal",
    "Terminated signal",
    "out of memory",
    "MemoryError",
    "cannot allocate",
)
"""What compilers say when it is not the sources that they could not take."""


class BuildFailed(LocalizedError):
    """The engine is not compiled. ``output`` is what the compilers said; ``refused``: whether the compiler does not
    take these sources, so that another try would end the same way."""

    def __init__(self, what: Message, output: str = "", refused: bool = False) -> None:
        super().__init__(what)
        self.output = output
        self.refused = refused


@contextmanager
def alone(folder: Path, wait: bool) -> Iterator[bool]:
    """Be the only one who compiles into ``folder``, and say whether that is so; with ``wait`` it comes to be so."""
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
    """What compiling needs and is not here; None when everything is."""
    if not find_spec("mypyc") or not (find_spec("setuptools") or sys.version_info < (3, 12)):
        return Message("mypy and setuptools are not installed")
    if os.name == "nt":
        return None  # setuptools looks for the compiler
    if not _compiler():
        return Message("there is no C compiler ({command})", command=_command())
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
    """What the engine is compiled with, as far as it can be known without running it: it changes with another compiler
    or another mypy."""
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
    """The libraries to compile: their names, modules and files, and which of these are hot."""
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
    """Compile the engine into ``folder``: what most boards need first, what wide boards need after it, each put there
    with its record as soon as it is ready. ``told`` hears often which share is done. Raises :class:`BuildFailed`.

    To be called by one at a time for a folder: see :func:`alone`.
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
    """Put all sources that the modules are made from into ``work``, and the twins."""
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
    """Run mypyc and the C compiler in ``work``. Every line that they tell is heard; ``tick`` is called often."""
    script = Path(__file__).with_name("process.py")
    command = [sys.executable, "-P", str(script), repr((FLAGS, plan()))]
    begun = time.monotonic()
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    with (work / "output.txt").open("w+", encoding="utf-8", errors="replace") as output:
        running = subprocess.Popen(
            command,
            cwd=work,
            stdin=subprocess.PIPE,  # closed when this process ends, however it ends
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
        raise BuildFailed(Message("it takes longer than {seconds} s", seconds=LONGEST), said)
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
    """End the process and the compilers that it started."""
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
    """Put a library into ``folder``: its record goes first and comes last, so that nothing half done is ever used."""
    draft = folder / f"{library}{SUFFIX}.new"
    shutil.copy(made / f"{library}{SUFFIX}", draft)
    (folder / name).unlink(missing_ok=True)
    draft.replace(folder / f"{library}{SUFFIX}")
    record.write(folder, name)
    for path in folder.glob(f"shibumi3d.*{SUFFIX}"):  # of versions that had a library for each module
        path.unlink(missing_ok=True)


def remove(folder: Path = FOLDER) -> None:
    """Take away what was compiled for this Python, and what earlier versions compiled."""
    for path in (
        folder / RECORD,
        folder / WIDE_RECORD,
        folder / native.PROGRESS,
        *folder.glob(f"*{SUFFIX}*"),
    ):
        path.unlink(missing_ok=True)
    shutil.rmtree(folder / WORK, ignore_errors=True)


def compiled(folder: Path = FOLDER) -> bool:
    """Whether all of the engine is compiled from the sources as they are."""
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
    """Put what is compiled into another folder."""
    for name in (f"{LIBRARY}{SUFFIX}", f"{WIDE_LIBRARY}{SUFFIX}", RECORD, WIDE_RECORD):
        if (folder / name).is_file():
            shutil.copy(folder / name, into)
