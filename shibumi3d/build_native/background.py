"""Background compilation of the engine: when it starts, and how its progress is reported.

At most one build runs at a time, however many windows are open.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from shibumi3d import native
from shibumi3d.build_native.compilation import (
    BuildError,
    build_engine,
    build_lock,
    is_compiled,
    missing_tools,
    toolchain_hash,
)
from shibumi3d.build_native.sources import MODULES, source_closure
from shibumi3d.native import COMPILED_FOLDER, PACKAGE_FOLDER, BuildProgress

NICENESS_INCREMENT = 10
"""Amount added to the niceness of the build process, so that it runs at low priority."""


def has_uncommitted_changes() -> bool:
    """Return whether git reports uncommitted changes in the engine's sources."""
    # Take no lock: a process killed while holding one would block the developer's next commit.
    command = ["git", "--no-optional-locks", "status", "--porcelain", "--", *source_closure(MODULES)]
    try:
        done = subprocess.run(command, cwd=PACKAGE_FOLDER, capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0 and bool(done.stdout)


def cannot_build(folder: Path = COMPILED_FOLDER) -> bool:
    """Return whether the engine can't or shouldn't be compiled in the background.

    It can't be compiled if the tools are missing, or if they have already rejected these sources. A rejection no longer
    counts once the tools or the sources have changed, and other kinds of failure aren't remembered.

    It shouldn't be compiled if its sources differ from those of the last recorded build and have uncommitted changes,
    because then every edit would cause another build. Instead, the program runs from the sources, and says so.
    """
    if missing_tools() is not None:
        return True
    record = native.read_record(folder)
    if record is not None and (changed := bool(record.changed_sources())) and has_uncommitted_changes():
        return True
    return (
        record is not None and bool(record.failure) and record.toolchain == toolchain_hash() and not changed
    )


def build_if_needed(folder: Path = COMPILED_FOLDER) -> None:
    """Compile the engine if needed and possible, unless another process is already doing so.

    Nothing is compiled if :data:`shibumi3d.native.ENGINE_VARIABLE` is ``no``, or if :func:`cannot_build` returns True.
    Progress and temporary failures are reported through :func:`shibumi3d.native.read_progress`. If the compiler rejects
    the sources, the reason is stored in the build record. If ``folder`` isn't writable, nothing is compiled or
    reported.
    """
    if os.environ.get(native.ENGINE_VARIABLE) == "no" or is_compiled(folder) or cannot_build(folder):
        return
    try:
        with build_lock(folder, wait=False) as mine:
            if mine and not is_compiled(folder):
                _build_and_report(folder)
    except OSError:
        pass  # e.g. a read-only checkout, where progress can't be reported either


def _build_and_report(folder: Path) -> None:
    progress_file = folder / native.PROGRESS_NAME
    try:
        build_engine(folder, lambda share: BuildProgress(share).write(folder))
    except BuildError as problem:
        if problem.is_rejection:
            failed = native.BuildRecord(
                (), native.hash_sources(source_closure(MODULES)), str(problem), toolchain_hash()
            )
            failed.write(folder)
            progress_file.unlink(missing_ok=True)
        else:
            BuildProgress(stop_reason=problem.message).write(folder)
    else:
        progress_file.unlink(missing_ok=True)


def start_in_checkout(folder: Path = COMPILED_FOLDER) -> bool:
    """Start a background build if this is a checkout that needs one; return whether it was started."""
    return (
        (PACKAGE_FOLDER.parent / "pyproject.toml").is_file() and _needs_build(folder) and start_build(folder)
    )


def should_offer_build(folder: Path = COMPILED_FOLDER) -> bool:
    """Return whether to offer to build the engine in the cache folder.

    A build outside the package needs the user's consent. Before a new offer, the report of a build that ended early is
    deleted, since the user has already seen it.
    """
    if folder.is_relative_to(PACKAGE_FOLDER) or not _needs_build(folder):
        return False
    if (progress := native.read_progress(folder)) is not None and progress.stop_reason is not None:
        _delete_progress(folder)  # the user has already seen why it stopped
    return True


def _needs_build(folder: Path) -> bool:
    return not (os.environ.get(native.ENGINE_VARIABLE) or is_compiled(folder) or cannot_build(folder))


def _delete_progress(folder: Path) -> None:
    with suppress(OSError):
        (folder / native.PROGRESS_NAME).unlink(missing_ok=True)


def start_build(folder: Path = COMPILED_FOLDER) -> bool:
    """Start a background build; return whether it was started.

    The build continues after the program exits. Its result is used the next time the program starts. If a report in
    ``folder`` says that an earlier build ended early, the report is deleted first.
    """
    try:
        if (progress := native.read_progress(folder)) is not None and progress.stop_reason:
            _delete_progress(folder)  # this is a new attempt
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


def lower_priority() -> None:
    """Lower the priority of this process; on Windows, do nothing."""
    if hasattr(os, "nice"):
        os.nice(NICENESS_INCREMENT)
