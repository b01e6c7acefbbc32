"""Trace file through which an external test can follow the program.

If the environment variable ``SHIBUMI3D_TRACE`` names a file, a line of JSON is appended to it whenever the screen has
settled and differs from the last one traced. Every line has ``screen`` (the name of the page in the code) and
``widgets`` (name -> [x, y], the centre in window pixels). Pages add fields of their own. Those of a match page with
marbles include ``status`` (the sentence shown), ``points`` (name -> [x, y], on the board or the flat plan), ``entries``
(the same for points that are entered from one side), ``targets`` (names of clickable places), ``hidden`` (names of
targets that aren't visible), ``behind`` (the number of hidden targets that the page reports), ``cursor`` (the position
of the keyboard cursor) and ``plies`` (the moves so far). A test waits for a line, clicks at a position given there, and
waits for the next line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path


class TraceFile:
    """Trace file at ``path``, to which descriptions of the screen are appended."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last_line = ""

    def write(self, content: Mapping[str, object]) -> None:
        """Append ``content`` as a line of JSON, unless it is the same as the previous line."""
        line = json.dumps(content, ensure_ascii=False, sort_keys=True)
        if line != self._last_line:
            self._last_line = line
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(line + "\n")
