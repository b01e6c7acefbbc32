"""Where the signs of written lines lie. What was worked out of a line is kept for as long as the line is seen."""

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
"""From line to line."""
STEP = 0.55
"""The width of what stands before the first word of a line, spaces and signs of lists, in sizes of the type."""

_LEAD = re.compile(r"(?:\x20|-\x20)*+")

Parts = Sequence[tuple[str, str]]
"""A line in pieces, each with the name of its colour in the style."""


class Rows:
    """How high each of ``count`` lines lies, with ``notes`` below some of them."""

    def __init__(self, count: int = 1, notes: Mapping[int, Sequence[str]] | None = None) -> None:
        self.count = count
        self.notes = dict(notes or {})
        self._noted = sorted(self.notes)
        self._above = [0, *accumulate(len(self.notes[line]) for line in self._noted)]

    def top(self, line: int) -> float:
        """Where a line begins, in logical pixels below the first; that of ``count`` is where the last one ends."""
        return HIGH * (line + self._above[bisect_left(self._noted, line)])

    def at(self, y: float) -> int:
        """The line that lies so far below the beginning of the first, or the nearest."""
        return max(0, bisect_right(range(self.count), y, key=self.top) - 1)


class Lines:
    """Measures and colours lines by ``parts``."""

    def __init__(self, parts: Callable[[str], Parts]) -> None:
        self._parts = parts
        self._scale = 0.0
        self._canvas: Canvas | None = None
        self._columns: dict[str, NDArray[np.float64]] = {}
        self._pieces: dict[str, tuple[list[int], Parts]] = {}

    def begin(self, canvas: Canvas) -> None:
        """Begins another picture: what the one before has not shown is forgotten."""
        if canvas is not self._canvas or canvas.scale != self._scale:
            self._columns = {}
        self._canvas, self._scale = canvas, canvas.scale

    def end(self, shown: Sequence[str]) -> None:
        """Ends the picture, and keeps what is known of the lines that were shown."""
        kept = set(shown)
        self._columns = {line: known for line, known in self._columns.items() if line in kept}
        self._pieces = {line: known for line, known in self._pieces.items() if line in kept}

    def x(self, line: str, column: int) -> float:
        """How far to the right a column lies, in logical pixels."""
        return float(self._of(line)[column])

    def column(self, line: str, x: float) -> int:
        """The column that is nearest to a place."""
        places = self._of(line)
        right = min(int(np.searchsorted(places, x)), len(line))
        left = max(0, right - 1)
        return left if x - places[left] <= places[right] - x else right

    def pieces(self, line: str, left: float, right: float) -> Iterator[tuple[float, str, str]]:
        """What is seen of a line between two places: where each piece begins, its text and the name of its colour."""
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
        """Where each column of a line lies, and where it ends."""
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
    """How many spaces and signs of lists a line begins with: equally wide, what belongs together stands in a column."""
    found = _LEAD.match(line)
    return found.end() if found is not None else 0
