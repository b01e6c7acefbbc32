"""Formatted text, and tooltips that explain words in it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import RULES, SMALL, Style

from .canvas import Canvas, words_of
from .card import paint_card
from .core import TIP_DELAY, Key, Still
from .listing import Scroller


class Prose(Scroller):
    """Scrollable formatted text.

    The markup consists of paragraphs, ``## headings``, ``- bullets``, and ``**bold**`` and ``*italic*`` words.
    """

    focusable = True

    def __init__(self, text: str = "", size: int = RULES, name: str = "", measure: int = 66) -> None:
        super().__init__(name)
        self.words, self.size, self.measure = text, size, measure
        """``measure``: the maximum line length, in characters of average width."""
        self.close = False
        """Whether the height ends at the last line, without room below."""
        self._set: tuple[object, ...] = ()
        self._lines: list[tuple[float, float, list[tuple[float, str, str, str]], str, int]] = []
        """Top, height, words, colour and font size of each line.

        Each word has its left edge, text, typeface and meaning.
        """
        self._new: set[tuple[float, float]] = set()
        """Top and left edges of the words that are underlined because they can be explained."""
        self._height = 0.0
        self.explain: Callable[[Sequence[str]], list[str]] = lambda words: [""] * len(words)
        """Callback that returns the meaning of each word; empty if it has none."""
        self.met: Callable[[tuple[Rect, str] | None], None] = lambda word: None
        """Callback for the explainable word under the pointer, or None."""

    @property
    def height(self) -> float:
        return self._height

    @property
    def plain(self) -> str:
        """Text without markup, one line per paragraph."""
        lines = [line for block in self.words.split("\n\n") for line in self._join(block)]
        return "\n".join(
            " ".join(word for word, _ in _words(line.lstrip("# ").removeprefix("- "), "")) for line in lines
        )

    def natural(self, canvas: Canvas, wide: float) -> float:
        """Lay out the text at the width ``wide``, and return its height."""
        self.rect = Rect(self.rect.x, self.rect.y, wide, self.rect.h)
        self._typeset(canvas)
        return self._height

    def say(self, text: str) -> None:
        """Replace the text and scroll to its start."""
        if text != self.words:
            self.words = text
            self.offset = 0.0
            self.refresh()

    def paint(self, canvas: Canvas, style: Style) -> None:
        self._typeset(canvas)
        first = bisect_left(self._lines, self.offset, key=lambda line: line[0] + line[1])
        with canvas.clip(self.rect):
            for top, height, runs, colour, size in self._lines[first:]:
                y = self.rect.y + top - self.offset
                if y > self.rect.bottom:
                    break
                base = y + height / 2 + size * 0.34
                for x, words, face, meant in runs:
                    canvas.text(self.rect.x + x, base, words, getattr(style, colour), face, size)
                    if meant and (top, x) in self._new:
                        wide = canvas.width(words.rstrip(".,;:!?) "), face, size)
                        canvas.rule(self.rect.x + x, base + 3, wide, style.faint)
            self.paint_bar(canvas, style)

    def move(self, x: float, y: float) -> None:
        super().move(x, y)
        self.met(self.word_at(x, y))

    def leave(self) -> None:
        super().leave()
        self.met(None)

    def word_at(self, x: float, y: float) -> tuple[Rect, str] | None:
        """Return the rectangle and the explanation of the word at (x, y).

        Return None if there is no word with an explanation.
        """
        for top, height, runs, _, _ in self._lines:
            line = Rect(self.rect.x, self.rect.y + top - self.offset, self.rect.w, height)
            if not line.holds(x, y):
                continue
            ends = [run[0] for run in runs[1:]] + [self.rect.w]
            for (left, _, _, meant), right in zip(runs, ends, strict=True):
                if meant and left <= x - self.rect.x < right:
                    return Rect(line.x + left, line.y, right - left, height), meant
        return None

    def key(self, key: Key) -> bool:
        return not (key.ctrl or key.alt) and self.page_keys(key)

    def _typeset(self, canvas: Canvas) -> None:
        wide = min(self.rect.w - 16, self.measure * self.size * 0.5)
        if self._set == (self.words, self.size, wide, canvas.scale):
            return
        self._set = (self.words, self.size, wide, canvas.scale)
        self._lines = []
        top = 0.0
        for block in self.words.strip().split("\n\n"):
            for line in self._join(block):
                top = self._paragraph(canvas, line, top, wide)
            top += self.size * 0.55
        self._new = set(self._first_met())
        last = max((line[0] + line[1] for line in self._lines), default=0.0)
        self._height = last if self.close else top + 8
        self.to(self.offset)

    def _first_met(self) -> Iterator[tuple[float, float]]:
        """Yield the positions of the words to mark, i.e. the first occurrence of each explained term."""
        seen: set[str] = set()
        last = ""
        for top, _, runs, _, _ in self._lines:
            for x, _, _, meant in runs:
                new = meant != "" and (meant not in seen or meant == last)
                last = meant if new else ""
                seen.add(meant)
                if new:
                    yield top, x

    @staticmethod
    def _join(block: str) -> list[str]:
        """Return the paragraphs of a block.

        A bullet, a heading and the line after a heading each start a new paragraph; other lines continue the current
        one.
        """
        lines: list[list[str]] = []
        for line in block.split("\n"):
            text = line.strip()
            if lines and not text.startswith(("- ", "#")) and not lines[-1][0].startswith("#"):
                lines[-1].append(text)
            elif text:
                lines.append([text])
        return [" ".join(line) for line in lines]

    def _paragraph(self, canvas: Canvas, text: str, top: float, wide: float) -> float:
        size, face, colour, left = self.size, "serif", "ink", 0.0
        if text.startswith("#"):
            text, face, size = text.lstrip("# "), "title", RULES + 1
        elif text.startswith("- "):
            text, left = text[2:], 16.0
            self._lines.append((top, size * 1.45, [(3.0, "•", "serif", "")], "soft", size))
        high = size * 1.45
        runs: list[tuple[float, str, str, str]] = []
        x = left
        words = _words(text, face)
        heading = face == "title"
        meanings = [""] * len(words) if heading else self.explain([word for word, _ in words])
        for (word, word_face), meant in zip(words, meanings, strict=True):
            gap = canvas.width(" ", word_face, size) if x > left else 0.0
            long = canvas.width(word, word_face, size)
            if x > left and x + gap + long > wide:
                self._lines.append((top, high, runs, colour, size))
                top += high
                runs, x, gap = [], left, 0.0
            runs.append((x + gap, word, word_face, meant))
            x += gap + long
        self._lines.append((top, high, runs, colour, size))
        return top + high


def _words(text: str, face: str) -> list[tuple[str, str]]:
    """Return each word with its font; the marks ``**`` and ``*`` switch the font and are removed."""
    found: list[tuple[str, str]] = []
    strong = slanted = False
    for token in words_of(text):
        while token.startswith("*"):
            if token.startswith("**"):
                strong, token = True, token[2:]
            else:
                slanted, token = True, token[1:]
        plain = token.replace("*", "")
        if plain:
            found.append((plain, "title" if strong else "italic" if slanted else face))
        if "**" in token:
            strong = False
        elif "*" in token:
            slanted = False
    return found


class Explained(Still):
    """Tooltip that explains the word on which the pointer rests."""

    WIDE = 280

    def __init__(self) -> None:
        super().__init__("explained")
        self.word: tuple[Rect, str] | None = None
        """Place of the word and its meaning, or None."""
        self._next: tuple[Rect, str] | None = None

    def point(self, word: tuple[Rect, str] | None) -> None:
        """Set the word under the pointer, as its rectangle and explanation, or None if there is none.

        The tooltip appears once the pointer has rested on the word for a while.
        """
        word = word if word is not None and word[1] else None
        if word == self._next:
            return
        self._next, self.word = word, None
        self.refresh()

        def rested() -> None:
            if self._next == word:
                self.word = word
                self.refresh()

        if word is not None and self.root is not None:
            self.root.later(TIP_DELAY, rested)

    def paint(self, canvas: Canvas, style: Style) -> None:
        if self.word is None or self.root is None:
            return
        at, told = self.word
        lines = canvas.wrap(told[:1].upper() + told[1:], "sans", SMALL, self.WIDE)
        wide = max(canvas.width(line, "sans", SMALL) for line in lines) + 18
        high = 18.0 * len(lines) + 10
        window = self.root.window
        x = min(max(6.0, at.x), window.right - wide - 6)
        below = at.bottom + 6
        box = Rect(x, below if below + high < window.bottom - 6 else at.y - high - 6, wide, high)
        paint_card(canvas, style, box, 5)
        for number, line in enumerate(lines):
            canvas.text_in(
                Rect(box.x + 9, box.y + 5 + 18 * number, wide - 9, 18), line, style.ink, "sans", SMALL
            )
