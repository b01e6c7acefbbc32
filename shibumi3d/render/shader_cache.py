"""Protection against crashes caused by Mesa's shader cache on a full disk.

Mesa, the OpenGL driver of most Linux machines, maps the index of its shader cache, a sparse file, into memory. If the
disk is full, a write to a hole in that file can't raise an exception. It terminates the program with a bus error
instead.
"""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

MAX_INDEX_BYTES = 2 * 2**20
"""Upper bound for the size of the mapped file in any version of Mesa, in bytes.

The file has a header and 65,536 entries of 20 bytes.
"""
DISABLE_VARIABLES = ("MESA_SHADER_CACHE_DISABLE", "MESA_GLSL_CACHE_DISABLE")
DISK_FULL_ERRNOS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def disable_cache_if_disk_full() -> Path | None:
    """Turn the driver's shader cache off if the disk has no room for it.

    Return the cache folder if this call turned the cache off, otherwise None. This must be called before OpenGL is
    loaded. Child processes inherit the setting. On systems other than Linux, do nothing.
    """
    if not sys.platform.startswith("linux") or any(
        os.environ.get(name, "").lower() in ("1", "true", "yes") for name in DISABLE_VARIABLES
    ):
        return None
    for folder in _cache_folders():
        try:
            _reserve_space(folder)
        except OSError as problem:
            # An unwritable cache is harmless, since the driver doesn't use it.
            if problem.errno in DISK_FULL_ERRNOS:
                os.environ.update(dict.fromkeys(DISABLE_VARIABLES, "true"))
                return folder
    return None


def _cache_folders() -> list[Path]:
    """Return the folders in which the different versions of Mesa cache shaders."""
    for name in ("MESA_SHADER_CACHE_DIR", "MESA_GLSL_CACHE_DIR"):
        if chosen := os.environ.get(name):
            return [Path(chosen) / "mesa_shader_cache", Path(chosen)]
    if base := os.environ.get("XDG_CACHE_HOME"):
        bases = [Path(base)]
    else:
        import pwd

        bases = [Path(os.environ["HOME"], ".cache")] if os.environ.get("HOME") else []
        with suppress(KeyError):  # the user has no passwd entry
            bases.append(Path(pwd.getpwuid(os.getuid()).pw_dir, ".cache"))
    return [base / "mesa_shader_cache" for base in dict.fromkeys(bases)]


def _reserve_space(folder: Path) -> None:
    """Allocate disk space for the unwritten parts of the index file in ``folder``.

    If there is no such file or it is empty, check that there is room for one. Raises OSError if the disk is full or
    the folder isn't writable.
    """
    index = folder / "index"
    if index.is_file():
        handle = os.open(index, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
        try:
            size = min(os.fstat(handle).st_size, MAX_INDEX_BYTES)
            if size:
                os.posix_fallocate(handle, 0, size)
                return
        finally:
            os.close(handle)
    there = next((each for each in (folder, *folder.parents) if each.is_dir()), None)
    if there is not None:
        with tempfile.TemporaryFile(dir=there) as probe:
            os.posix_fallocate(probe.fileno(), 0, MAX_INDEX_BYTES)
