"""Sentences whose words can be explained."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shibumi3d.scene.pen import Colour
from shibumi3d.scene.rect import Rect

from .canvas import Canvas, words_of
from .core import Widget


class Sentence(Widget):
    """Sentence on one or a few lines, whose words can be explained.

    It passes the word under the pointer to ``met``; the explanation is shown by :class:`.prose.Explained`.
    """

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.explain: Callable[[Sequence[str]], list[str]] = lambda words: [""] * len(words)
        """Callback that returns the meaning of each word; empty if it has none."""
        self.met: Callable[[tuple[Rect, str] | None], None] = lambda word: None
        """Callback for the explainable word under the pointer, or None."""
        self._words: list[tuple[Rect, str]] = []
        """Place and text of each word."""

    def write(
        self, canvas: Canvas, rect: Rect, text: str, colour: Colour, face: str, size: float, align: float = 0
    ) -> None:
        """Draw the sentence in ``rect``, in a smaller size or wrapped if needed."""
        self._words = []
        for line, words, pixel in canvas.text_fit(rect, text, colour, face, size, align):
            left = line.x + (line.w - canvas.width(words, face, pixel)) * align
            for word in words_of(words):
                wide = canvas.width(word, face, pixel)
                self._words.append((Rect(left, line.y, wide, line.h), word))
                left += wide + canvas.width(" ", face, pixel)

    def word_at(self, x: float, y: float) -> tuple[Rect, str] | None:
        """Return the rectangle and the explanation of the word at (x, y).

        Return None if there is no word with an explanation.
        """
        meanings = self.explain([word for _, word in self._words])
        found = ((place, meant) for (place, _), meant in zip(self._words, meanings, strict=True))
        return next(((place, meant) for place, meant in found if meant and place.holds(x, y)), None)

    def move(self, x: float, y: float) -> None:
        self.met(self.word_at(x, y))

    def leave(self) -> None:
        self.met(None)
