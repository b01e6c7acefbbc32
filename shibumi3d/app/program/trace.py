"""Lets a test follow the program from outside.

When the environment variable ``SHIBUMI3D_TRACE`` names a file, a line of JSON is added to it whenever the picture
has come to rest and differs from the one before: ``screen``, ``widgets`` (name -> [x, y], the middle in window
pixels) and what the page adds, on the board ``status`` (the sentence shown), ``points`` (name -> [x, y], on
the board or on the flat plan), ``entries`` (the same of the ways in over a side), ``targets`` (names of what may be
clicked), ``hidden`` (those of them that are seen nowhere), ``behind`` (how many the page says are hidden), ``cursor``
(where the keys are) and ``plies``. A test waits for a line, clicks where it says, and waits for the next.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path


class Trace:
    """Writes what is on the screen to a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last = ""

    def write(self, content: Mapping[str, object]) -> None:
        """Adds a line, unless it would be the same as the last."""
        line = json.dumps(content, ensure_ascii=False, sort_keys=True)
        if line != self._last:
            self._last = line
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(line + "\n")
