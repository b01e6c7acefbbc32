"""Reading and writing files that anybody may have put there: nothing here waits, and nothing is half written."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path

LEFT = 24 * 3600.0
"""Seconds after which what is only half made, and was not touched since, is taken for left behind."""


def sweep(folder: Path, pattern: str) -> None:
    """Remove folders of that pattern in ``folder`` which a program that was killed has left there.

    What can't be removed stays. Those of programs that still run are younger than :data:`LEFT`.
    """
    with suppress(OSError):
        for left in folder.glob(pattern):
            if left.is_dir() and not left.is_symlink() and time.time() - left.stat().st_mtime > LEFT:
                shutil.rmtree(left, ignore_errors=True)


def typed_path(text: str) -> Path:
    """The path that a person typed, ``~`` standing for a home. Raises OSError with a reason when it can't be one."""
    if "\0" in text:
        raise OSError("a path holds no zeros")
    try:
        return Path(text.strip()).expanduser()
    except RuntimeError:
        raise OSError("there is no such home") from None


def read(path: Path, most: int) -> bytes:
    """What the file at ``path`` holds; just more than ``most`` bytes where it is larger.

    Raises OSError; folders, pipes and devices are no files, and are not waited for.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags)
    except ValueError as error:
        raise OSError(str(error)) from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError("it is not a file")
    with open(handle, "rb") as stream:
        return stream.read(most + 1)


def write_whole(path: Path, text: str) -> None:
    """Replace the file at ``path`` in one step, so that a crash leaves either the old or the new content.

    Raises OSError. Halves of characters, which no file can hold, become question marks.
    """
    # The name of the file may be as long as names can be: that of the part is not made of it.
    handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
    try:
        with open(handle, "w", encoding="utf-8", errors="replace", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        with suppress(FileNotFoundError):
            os.chmod(name, stat.S_IMODE(path.stat().st_mode))
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    if hasattr(os, "O_DIRECTORY"):  # not on Windows, where the rename itself is durable enough
        with suppress(OSError):  # the content is in place
            folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
