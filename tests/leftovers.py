"""Find what tests leave behind in the checkout and its environment; only complete bytecode files are allowed."""

from __future__ import annotations

import importlib.util
import marshal
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

HALF_WRITTEN = re.compile(r"\.pyc\.\d+$")
"""Pattern for the temporary name of a bytecode file that is being written; a killed process leaves such a file
behind."""
Found = dict[str, tuple[int, int]]


class Snapshot:
    """The files of an environment, and the bytecode and git status of a checkout, at one moment.

    ``root`` is the folder of the checkout; bytecode in its hidden folders is ignored. ``installation`` is the folder of
    the environment, or None if its files don't matter.
    """

    def __init__(self, root: Path, installation: Path | None) -> None:
        self.root, self.installation = root, installation
        self.files = self._look()
        self.changes = _changes(root)

    def _look(self) -> Found:
        found = {} if self.installation is None else dict(_files(self.installation))
        for folder in self.root.iterdir():
            if folder.is_dir() and not folder.is_symlink() and not folder.name.startswith("."):
                found |= {name: stamp for name, stamp in _files(folder) if "__pycache__" in name}
        return found

    def damage(self) -> list[str]:
        """Return a line for each unexpected change to the environment or to bytecode since the snapshot.

        The line names a file of the environment, or of a ``__pycache__`` folder in the checkout, that was added,
        changed or removed. A ``.pyc`` file is reported only if it is now broken. Unfinished temporary bytecode files
        are deleted and not reported. Other files of the checkout aren't compared; see :meth:`edits`.
        """
        now = self._look()
        found = []
        for name in sorted(self.files.keys() | now.keys()):
            if self.files.get(name) == now.get(name):
                continue
            if HALF_WRITTEN.search(name):
                Path(name).unlink(missing_ok=True)
            elif name.endswith(".pyc"):
                if name in now and not _is_whole(Path(name)):
                    found.append(f"{name} is broken bytecode")
            else:
                what = "new" if name not in self.files else "gone" if name not in now else "changed"
                found.append(f"{name} is {what}")
        return found

    def edits(self) -> list[str]:
        return sorted(_changes(self.root) - self.changes)


def _files(folder: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield each file below a folder, with its size in bytes and its modification time in nanoseconds."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _files(Path(entry.path))
            else:
                stat = entry.stat(follow_symlinks=False)
                yield entry.path, (stat.st_size, stat.st_mtime_ns)


def _changes(root: Path) -> set[str]:
    # A lock would make a simultaneous commit fail.
    command = ["git", "--no-optional-locks", "status", "--porcelain", "--untracked-files=all"]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8", check=False)
    except OSError:
        return set()
    return set(done.stdout.splitlines())


def _is_whole(path: Path) -> bool:
    """Return whether Python could load a bytecode file; a file of another Python version counts as loadable."""
    data = path.read_bytes()
    if len(data) > 16 and not data.startswith(importlib.util.MAGIC_NUMBER):
        return True
    try:
        marshal.loads(data[16:])
    except (EOFError, ValueError, TypeError):
        return False
    return True
