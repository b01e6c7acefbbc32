"""Background compilation of the engine: when to start it, and reporting its progress.

At most one build runs at a time, however many windows are open.
"""

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
"""Amount added to the niceness of the build process, so that it runs at low priority."""


def edited() -> bool:
    """Return whether the engine's sources have uncommitted changes."""
    # Take no lock: a process killed while holding one would block the developer's next commit.
    command = ["git", "--no-optional-locks", "status", "--porcelain", "--", *closure(MODULES)]
    try:
        done = subprocess.run(command, cwd=PACKAGE, capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0 and bool(done.stdout)


def hindered(folder: Path = FOLDER) -> bool:
    """Return whether the engine can't or shouldn't be compiled in the background.

    This is the case if the tools are missing, or if the compiler has already rejected these sources. Other kinds of
    failure are not remembered, and a rejection applies only to the same sources and compiler. To avoid a new build at
    every start, this is also the case while sources that were built before have uncommitted changes. The program then
    runs from the sources, and says so.
    """
    if missing() is not None:
        return True
    record = native.read(folder)
    if record is not None and (changed := bool(record.changed())) and edited():
        return True
    return record is not None and bool(record.failed) and record.made == tools() and not changed


def ensure(folder: Path = FOLDER) -> None:
    """Compile the engine if needed and possible, unless another process is already doing so.

    Progress and failures are reported through :func:`shibumi3d.native.progress`.
    """
    if os.environ.get(native.SWITCH) == "no" or compiled(folder) or hindered(folder):
        return
    try:
        with alone(folder, wait=False) as mine:
            if mine and not compiled(folder):
                _ensure(folder)
    except OSError:
        pass  # e.g. a read-only checkout, where progress can't be reported either


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
    """Start a background build if this is a checkout that needs one; return whether it was started."""
    return (PACKAGE.parent / "pyproject.toml").is_file() and _wanted(folder) and start(folder)


def offered(folder: Path = FOLDER) -> bool:
    """Return whether to offer to build the engine in the cache folder.

    Outside the package, the engine is compiled only with the user's consent. If the last build stopped, its report is
    deleted, since the user has already seen it.
    """
    if folder.is_relative_to(PACKAGE) or not _wanted(folder):
        return False
    if (told := native.progress(folder)) is not None and told.stopped is not None:
        _forget(folder)  # the user has already seen why it stopped
    return True


def _wanted(folder: Path) -> bool:
    return not (os.environ.get(native.SWITCH) or compiled(folder) or hindered(folder))


def _forget(folder: Path) -> None:
    with suppress(OSError):
        (folder / native.PROGRESS).unlink(missing_ok=True)


def start(folder: Path = FOLDER) -> bool:
    """Start a background build; return whether it was started.

    The build continues after the program exits, and its result is used from the next start on.
    """
    try:
        if (told := native.progress(folder)) is not None and told.stopped:
            _forget(folder)  # this is a new attempt
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
    """Lower the priority of this process."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
