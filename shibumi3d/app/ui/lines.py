"""Positions of lines and characters in a text editor.

The measurements of a line are cached for as long as it is visible.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from shibumi3d.scene.pen import letters

from .canvas import Canvas

TYPE = 14
HIGH = 21.0
"""Line height in logical pixels."""
STEP = 0.55
"""Width of each character in a line's indent, as a multiple of the font size.

The indent consists of spaces and list dashes; see :func:`lead_of`.
"""

_LEAD = re.compile(r"(?:\x20|-\x20)*+")

Parts = Sequence[tuple[str, str]]
"""Pieces of a line, each with the name of its colour in the style."""


class Rows:
    """Vertical positions of ``count`` lines, some of which have rows of ``notes`` below them."""

    def __init__(self, count: int = 1, notes: Mapping[int, Sequence[str]] | None = None) -> None:
        self.count = count
        self.notes = dict(notes or {})
        self._noted = sorted(self.notes)
        self._above = [0, *accumulate(len(self.notes[line]) for line in self._noted)]

    def top(self, line: int) -> float:
        """Return the top of a line, in logical pixels below the top of the first line.

        If ``line`` equals ``count``, return the bottom of the last line.
        """
        return HIGH * (line + self._above[bisect_left(self._noted, line)])

    def at(self, y: float) -> int:
        """Return the line at ``y`` logical pixels below the top of the first line, or the nearest one."""
        return max(0, bisect_right(range(self.count), y, key=self.top) - 1)


class Lines:
    """Cached character positions and coloured pieces of lines.

    ``parts(text)`` divides the part of a line after its indent into coloured pieces.
    """

    def __init__(self, parts: Callable[[str], Parts]) -> None:
        self._parts = parts
        self._scale = 0.0
        self._canvas: Canvas | None = None
        self._columns: dict[str, NDArray[np.float64]] = {}
        self._pieces: dict[str, tuple[list[int], Parts]] = {}

    def begin(self, canvas: Canvas) -> None:
        """Start a frame; if the canvas or the scale has changed, discard the cache."""
        if canvas is not self._canvas or canvas.scale != self._scale:
            self._columns = {}
        self._canvas, self._scale = canvas, canvas.scale

    def end(self, shown: Sequence[str]) -> None:
        """End a frame; discard the cache entries of lines that are not in ``shown``."""
        kept = set(shown)
        self._columns = {line: known for line, known in self._columns.items() if line in kept}
        self._pieces = {line: known for line, known in self._pieces.items() if line in kept}

    def x(self, line: str, column: int) -> float:
        """Return the x position of a column, in logical pixels from the start of the line."""
        return float(self._of(line)[column])

    def column(self, line: str, x: float) -> int:
        """Return the column nearest to an x position in a line."""
        places = self._of(line)
        right = min(int(np.searchsorted(places, x)), len(line))
        left = max(0, right - 1)
        return left if x - places[left] <= places[right] - x else right

    def pieces(self, line: str, left: float, right: float) -> Iterator[tuple[float, str, str]]:
        """Yield the x position, text and colour name of each piece between two x positions."""
        places = self._of(line)
        first = max(0, int(np.searchsorted(places, left, "right")) - 1)
        last = min(len(line), int(np.searchsorted(places, right)), first + letters(right - left))
        lead = lead_of(line)
        for column in range(first, min(lead, last)):
            if line[column] != " ":
                yield float(places[column]), line[column], "soft"
        if line not in self._pieces:
            parts = self._parts(line[lead:])
            self._pieces[line] = list(accumulate((len(text) for text, _ in parts), initial=lead)), parts
        starts, parts = self._pieces[line]
        for number in range(max(0, bisect_right(starts, first) - 1), len(parts)):
            start = starts[number]
            if start >= last:
                break
            text, colour = parts[number]
            begun = max(first, start)
            yield float(places[begun]), text[begun - start : last - start], colour

    def _of(self, line: str) -> NDArray[np.float64]:
        """Return the x positions of all columns, including the end of the line."""
        known = self._columns.get(line)
        if known is None and self._canvas is not None:
            lead, canvas = lead_of(line), self._canvas
            rest = line[lead:]
            wide = {sign: canvas.width(sign, "sans", TYPE) for sign in set(rest)}
            steps = np.full(len(line) + 1, TYPE * STEP)
            steps[0] = 0.0
            steps[lead + 1 :] = [wide[sign] for sign in rest]
            known = self._columns[line] = np.cumsum(steps)
        return known if known is not None else np.zeros(len(line) + 1)


def lead_of(line: str) -> int:
    """Return the length of a line's indent, which consists of spaces and list dashes.

    The characters of the indent are drawn with equal widths, so that the keys of a list entry line up.
    """
    found = _LEAD.match(line)
    return found.end() if found is not None else 0
