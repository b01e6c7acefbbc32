"""File names of screenshots and videos."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from shibumi3d import files


def picture_file(folder: Path, title: str, kind: str) -> Path:
    """Return the path of a new file in ``folder``, named after ``title`` and the current time.

    The folder is created if it doesn't exist. Raises OSError if that fails.
    """
    files.make_folder(folder)
    return files.fresh(folder, title, f" {datetime.now():%Y-%m-%d %H.%M.%S}.{kind}")
