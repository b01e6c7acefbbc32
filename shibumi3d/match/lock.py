"""File locks between processes. The system releases a lock when its process ends, even after a crash."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _seize(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _seize(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


TAKEN = (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)
"""Error codes which show that another process holds the lock."""


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock that this process holds, with the handle of the open lock file."""

    path: Path
    handle: int

    def release(self) -> None:
        """Release the lock and remove its file."""
        with suppress(OSError):  # Windows can't remove an open file
            self.path.unlink()
        os.close(self.handle)
        if sys.platform == "win32":
            with suppress(OSError):
                self.path.unlink()


def take(path: Path) -> Lock | None:
    """Acquire the lock file at ``path``, creating it if needed; return None if it is already locked.

    Raises OSError if files can't be locked there.
    """
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            _seize(handle)
            if os.path.samestat(os.fstat(handle), os.stat(path)):
                return Lock(path, handle)
        except FileNotFoundError:
            pass  # another process removed the file while it was being opened: try again with a new file
        except OSError as error:
            os.close(handle)
            if error.errno in TAKEN:
                return None
            raise
        os.close(handle)
