"""One program at a time: a lock that ends with the process that holds it, however that ends."""

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
"""How systems say that another holds a lock."""


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock that is held: an open file, which stands for nothing but the lock."""

    path: Path
    handle: int

    def release(self) -> None:
        """Let others take the lock, and remove its file."""
        with suppress(OSError):  # Windows removes no file that is open
            self.path.unlink()
        os.close(self.handle)
        if sys.platform == "win32":
            with suppress(OSError):
                self.path.unlink()


def take(path: Path) -> Lock | None:
    """Return the lock that stands in the file at ``path``, which is made for it; None while another process holds it.

    Raises OSError where nothing can be locked.
    """
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            _seize(handle)
            if os.path.samestat(os.fstat(handle), os.stat(path)):
                return Lock(path, handle)
        except FileNotFoundError:
            pass  # it was released and removed while it was being opened: the next is a new one
        except OSError as error:
            os.close(handle)
            if error.errno in TAKEN:
                return None
            raise
        os.close(handle)
