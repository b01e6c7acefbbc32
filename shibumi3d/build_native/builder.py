"""Compiles beside the program: when that is wanted, by one for all windows, telling how far it is."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from shibumi3d import native
from shibumi3d.build_native.building import BuildFailed, alone, build, compiled, missing, tools
from shibumi3d.build_native.sources import MODULES, closure
from shibumi3d.native import FOLDER, PACKAGE, BuildProgress

NICENESS = 10
"""How far the builder steps back behind all else."""


def edited() -> bool:
    """Whether somebody works on the engine: its sources differ from what is committed."""
    # Take no lock: killed on the way, that would stand in the way of whoever commits.
    command = ["git", "--no-optional-locks", "status", "--porcelain", "--", *closure(MODULES)]
    try:
        done = subprocess.run(command, cwd=PACKAGE, capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0 and bool(done.stdout)


def hindered(folder: Path = FOLDER) -> bool:
    """Whether the engine is not to be compiled beside the program, though it is not compiled.

    Remembered is only that the compiler refuses: for these sources and this compiler. While somebody edits the
    engine's sources it is not compiled anew at every start: the program then runs the sources, and says so.
    """
    if missing() is not None:
        return True
    record = native.read(folder)
    if record is not None and (changed := bool(record.changed())) and edited():
        return True
    return record is not None and bool(record.failed) and record.made == tools() and not changed


def ensure(folder: Path = FOLDER) -> None:
    """Compile the engine unless that is done, can't be done, is not wanted, or somebody else does it. What comes of it
    is told by :func:`shibumi3d.native.progress`."""
    if os.environ.get(native.SWITCH) == "no" or compiled(folder) or hindered(folder):
        return
    try:
        with alone(folder, wait=False) as mine:
            if mine and not compiled(folder):
                _ensure(folder)
    except OSError:
        pass  # such as a checkout that can't be written: nothing can be told there


def _ensure(folder: Path) -> None:
    told = folder / native.PROGRESS
    try:
        build(folder, lambda share: BuildProgress(share).tell(folder))
    except BuildFailed as problem:
        if problem.refused:
            failed = native.BuildRecord((), native.hashes(closure(MODULES)), str(problem), tools())
            failed.write(folder)
            told.unlink(missing_ok=True)
        else:
            BuildProgress(stopped=problem.message).tell(folder)
    else:
        told.unlink(missing_ok=True)


def begin(folder: Path = FOLDER) -> bool:
    """Start a process that compiles the engine, if there is something to do in a checkout; whether one was started."""
    return (PACKAGE.parent / "pyproject.toml").is_file() and _wanted(folder) and start(folder)


def offered(folder: Path = FOLDER) -> bool:
    """Whether the engine could be compiled into the user's cache, which nobody does unasked."""
    if folder.is_relative_to(PACKAGE) or not _wanted(folder):
        return False
    if (told := native.progress(folder)) is not None and told.stopped is not None:
        _forget(folder)  # what stopped it was said
    return True


def _wanted(folder: Path) -> bool:
    return not (os.environ.get(native.SWITCH) or compiled(folder) or hindered(folder))


def _forget(folder: Path) -> None:
    with suppress(OSError):
        (folder / native.PROGRESS).unlink(missing_ok=True)


def start(folder: Path = FOLDER) -> bool:
    """Start a process that compiles the engine; whether that could be.

    It goes on when the program ends: what it makes serves the next start.
    """
    try:
        if (told := native.progress(folder)) is not None and told.stopped:
            _forget(folder)  # it is tried again now
        subprocess.Popen(
            [sys.executable, "-m", "shibumi3d.build_native", "--ensure"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return False
    return True


def step_back() -> None:
    """Let all else go before this process."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
