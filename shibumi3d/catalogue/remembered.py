"""A file in the cache with what was found in a folder, so that it need not be found again the next time.

It is believed only if it is whole, of that folder, and written by a program whose parts are the same.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import shibumi3d.files as files

LARGEST = 64 * 1024 * 1024
"""How large the file may be, in bytes."""
Stamp = tuple[int, ...]
"""What tells a file from what it was before: its size, times and number."""


def stamp(path: Path) -> Stamp | None:
    """Return the stamp of the file at ``path``; None where none can be looked at."""
    try:
        about = path.stat()
    except (OSError, ValueError):
        return None
    return stamp_of(about)


def stamp_of(about: os.stat_result) -> Stamp:
    """Return the stamp of a file that was looked at."""
    return about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino


class Remembered:
    """The file ``name`` in the folder ``cache`` (None: nothing is kept) about the files in ``folder``.

    ``parts`` gives the files of the program on which it depends what is found.
    """

    def __init__(
        self, cache: Path | None, name: str, folder: Path, parts: Callable[[], Iterable[Path]]
    ) -> None:
        self._file = cache / name if cache is not None else None
        self._folder = str(folder)
        self._parts = parts
        self._program = ""

    def read(self) -> dict[str, Any]:
        """Return what was found, by the names of the files; nothing where nothing is kept that can be believed."""
        if self._file is None:
            return {}
        with suppress(Exception):  # whatever lies there, all is found again
            check, _, told = files.read(self._file, LARGEST).decode("ascii").partition("\n")
            told = told.rstrip("\n")
            kept = json.loads(told) if check == _digest(told) else {}
            if (kept["program"], kept["folder"]) == (self._made_by(), self._folder):
                found: dict[str, Any] = kept["found"]
                return found
        return {}

    def write(self, found: Mapping[str, Any]) -> None:
        """Keep what was found, by the names of the files; what can't be written is left."""
        if self._file is None:
            return
        told = json.dumps(
            {"program": self._made_by(), "folder": self._folder, "found": found}, separators=(",", ":")
        )
        with suppress(OSError):
            files.make_folder(self._file.parent)
            files.write(self._file, f"{_digest(told)}\n{told}\n")

    def _made_by(self) -> str:
        """What tells this program from others, which may find something else in the same file."""
        if not self._program:
            marks = sorted((str(part), (stamp(part) or (0, 0))[:2]) for part in self._parts())
            self._program = _digest(repr(marks))
        return self._program


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
