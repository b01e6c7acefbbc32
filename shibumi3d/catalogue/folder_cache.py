"""A cache file for the results of reading the files in a folder.

It is used only if its checksum is correct, it belongs to the same folder, and the program files on which the results
depend are unchanged.
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

MAX_CACHE_BYTES = 64 * 1024 * 1024
"""Maximum size of the cache file in bytes."""
FileStamp = tuple[int, ...]
"""Size, modification time, status change time and inode of a file, which together show whether it has changed."""


def file_stamp(path: Path) -> FileStamp | None:
    """Return the stamp of the file at ``path``, or None if its status can't be read."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return stamp_from_stat(status)


def stamp_from_stat(status: os.stat_result) -> FileStamp:
    """Return the stamp for the result of a ``stat`` call."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


class FolderCache:
    """Cache for the results of reading the files in ``folder``.

    It is stored in the file ``name`` in the folder ``cache``. Nothing is stored if ``cache`` is None. ``source_files``
    returns the program files on which the results depend.
    """

    def __init__(
        self, cache: Path | None, name: str, folder: Path, source_files: Callable[[], Iterable[Path]]
    ) -> None:
        self._file = cache / name if cache is not None else None
        self._folder = str(folder)
        self._source_files = source_files
        self._fingerprint = ""

    def read(self) -> dict[str, Any]:
        """Return the cached results by file name, or an empty dict if there is no valid cache."""
        if self._file is None:
            return {}
        with suppress(Exception):  # if the content is invalid in any way, everything is read again
            check, _, text = files.read(self._file, MAX_CACHE_BYTES).decode("ascii").partition("\n")
            text = text.rstrip("\n")
            data = json.loads(text) if check == _hash(text) else {}
            if (data["program"], data["folder"]) == (self._compute_fingerprint(), self._folder):
                result: dict[str, Any] = data["found"]
                return result
        return {}

    def write(self, results: Mapping[str, object]) -> None:
        """Store ``results``, keyed by file name. Errors while writing are ignored."""
        if self._file is None:
            return
        text = json.dumps(
            {"program": self._compute_fingerprint(), "folder": self._folder, "found": results},
            separators=(",", ":"),
        )
        with suppress(OSError):
            files.make_folder(self._file.parent)
            files.write(self._file, f"{_hash(text)}\n{text}\n")

    def _compute_fingerprint(self) -> str:
        """Return a fingerprint of the program files on which the results depend."""
        if not self._fingerprint:
            marks = sorted((str(part), (file_stamp(part) or (0, 0))[:2]) for part in self._source_files())
            self._fingerprint = _hash(repr(marks))
        return self._fingerprint


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
