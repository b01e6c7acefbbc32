"""Formatted text and sentences, and tooltips that explain words in them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from shibumi3d.scene.pen import Colour
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import CORNER_RADIUS_PX, RULES_TEXT_PX, SMALL_TEXT_PX, Style

from .canvas import Canvas, paint_card_background, split_words
from .list_view import ScrollArea
from .widget import TOOLTIP_DELAY_SECONDS, InertWidget, Key, Widget


class FormattedText(ScrollArea):
    """Scrollable formatted text.

    The markup consists of paragraphs, ``## headings``, ``- bullets``, ``1. numbered items`` (with a single digit), and
    ``**bold**`` and ``*italic*`` words.
    """

    focusable = True

    def __init__(
        self, text: str = "", size: int = RULES_TEXT_PX, name: str = "", max_line_length: int = 66
    ) -> None:
        super().__init__(name)
        self.markup, self.size, self.max_line_length = text, size, max_line_length
        """Markup, font size, and maximum line length in characters of average width."""
        self.is_tight = False
        """Whether the height ends at the last line, without space below it."""
        self._layout_key: tuple[object, ...] = ()
        self._lines: list[tuple[float, float, list[tuple[float, str, str, str]], str, int]] = []
        """Top, height, words, colour and font size of each line.

        Each word has its left edge, text, typeface and meaning.
        """
        self._marked_words: set[tuple[float, float]] = set()
        """Top and left edges of the words that are underlined because they can be explained."""
        self._height = 0.0
        self.explain_words: Callable[[Sequence[str]], list[str]] = lambda words: [""] * len(words)
        """Callback that returns the meaning of each word, or "" for a word without one."""
        self.on_word_hover: Callable[[tuple[Rect, str] | None], None] = lambda word: None
        """Called with the rectangle and meaning of the explainable word under the pointer, or with None."""

    @property
    def content_height(self) -> float:
        return self._height

    @property
    def plain_text(self) -> str:
        """Text without markup, one line per paragraph."""
        lines = [line for block in self.markup.split("\n\n") for line in self._split_paragraphs(block)]
        return "\n".join(
            " ".join(word for word, _ in _split_styled_words(line.lstrip("# ").removeprefix("- "), ""))
            for line in lines
        )

    def fit_height(self, canvas: Canvas, width: float) -> float:
        """Set the widget's width to ``width``, lay out the text, and return the height of the text."""
        self.rect = Rect(self.rect.x, self.rect.y, width, self.rect.h)
        self._lay_out_text(canvas)
        return self._height

    def set_markup(self, text: str) -> None:
        """Replace the text and scroll to its start; do nothing if the text is the same as before."""
        if text != self.markup:
            self.markup = text
            self.offset = 0.0
            self.refresh()

    def paint(self, canvas: Canvas, style: Style) -> None:
        self._lay_out_text(canvas)
        first_line = bisect_left(self._lines, self.offset, key=lambda line: line[0] + line[1])
        with canvas.clip(self.rect):
            for top, height, runs, colour, size in self._lines[first_line:]:
                y = self.rect.y + top - self.offset
                if y > self.rect.bottom:
                    break
                base = y + height / 2 + size * 0.34
                for x, words, face, meant in runs:
                    canvas.text(self.rect.x + x, base, words, getattr(style, colour), face, size)
                    if meant and (top, x) in self._marked_words:
                        wide = canvas.text_width(words.rstrip(".,;:!?) "), face, size)
                        canvas.hairline(self.rect.x + x, base + 3, wide, style.tertiary_ink)
            self.paint_scroll_bar(canvas, style)

    def on_pointer_move(self, x: float, y: float) -> None:
        super().on_pointer_move(x, y)
        self.on_word_hover(self.word_at(x, y))

    def on_pointer_leave(self) -> None:
        super().on_pointer_leave()
        self.on_word_hover(None)

    def word_at(self, x: float, y: float) -> tuple[Rect, str] | None:
        """Return the rectangle and the explanation of the word at (x, y).

        Returns None if no word is at this position, or if the word has no explanation.
        """
        for top, height, runs, _, _ in self._lines:
            line = Rect(self.rect.x, self.rect.y + top - self.offset, self.rect.w, height)
            if not line.contains(x, y):
                continue
            ends = [run[0] for run in runs[1:]] + [self.rect.w]
            for (left, _, _, meant), right in zip(runs, ends, strict=True):
                if meant and left <= x - self.rect.x < right:
                    return Rect(line.x + left, line.y, right - left, height), meant
        return None

    def on_key(self, key: Key) -> bool:
        return not (key.ctrl or key.alt) and self.handle_scroll_key(key)

    def _lay_out_text(self, canvas: Canvas) -> None:
        wide = min(self.rect.w - 16, self.max_line_length * self.size * 0.5)
        if self._layout_key == (self.markup, self.size, wide, canvas.scale):
            return
        self._layout_key = (self.markup, self.size, wide, canvas.scale)
        self._lines = []
        top = 0.0
        for block in self.markup.strip().split("\n\n"):
            for line in self._split_paragraphs(block):
                top = self._lay_out_paragraph(canvas, line, top, wide)
            top += self.size * 0.55
        self._marked_words = set(self._first_occurrences())
        last = max((line[0] + line[1] for line in self._lines), default=0.0)
        self._height = last if self.is_tight else top + 8
        self.scroll_to(self.offset)

    def _first_occurrences(self) -> Iterator[tuple[float, float]]:
        """Yield the top and left of each word in the first occurrence of each explained term."""
        seen_meanings: set[str] = set()
        last = ""
        for top, _, runs, _, _ in self._lines:
            for x, _, _, meaning in runs:
                new = meaning != "" and (meaning not in seen_meanings or meaning == last)
                last = meaning if new else ""
                seen_meanings.add(meaning)
                if new:
                    yield top, x

    @staticmethod
    def _split_paragraphs(block: str) -> list[str]:
        """Return the paragraphs of a block.

        A bullet, a numbered item, a heading and the line after a heading each start a new paragraph; other lines
        continue the current one.
        """
        lines: list[list[str]] = []
        for line in block.split("\n"):
            text = line.strip()
            starts = text.startswith(("- ", "#")) or _is_numbered(text)
            if lines and not starts and not lines[-1][0].startswith("#"):
                lines[-1].append(text)
            elif text:
                lines.append([text])
        return [" ".join(line) for line in lines]

    def _lay_out_paragraph(self, canvas: Canvas, text: str, top: float, width: float) -> float:
        size, face, colour, left = self.size, "serif", "ink", 0.0
        if text.startswith("#"):
            text, face, size = text.lstrip("# "), "title", RULES_TEXT_PX + 1
        elif text.startswith("- "):
            text, left = text[2:], 16.0
            self._lines.append((top, size * 1.45, [(3.0, "•", "serif", "")], "secondary_ink", size))
        elif _is_numbered(text):
            number, text, left = text[:2], text[3:], 20.0
            self._lines.append((top, size * 1.45, [(0.0, number, "serif", "")], "ink", size))
        high = size * 1.45
        runs: list[tuple[float, str, str, str]] = []
        x = left
        words = _split_styled_words(text, face)
        heading = face == "title"
        meanings = [""] * len(words) if heading else self.explain_words([word for word, _ in words])
        for (word, word_face), meant in zip(words, meanings, strict=True):
            gap = canvas.text_width(" ", word_face, size) if x > left else 0.0
            long = canvas.text_width(word, word_face, size)
            if x > left and x + gap + long > width:
                self._lines.append((top, high, runs, colour, size))
                top += high
                runs, x, gap = [], left, 0.0
            runs.append((x + gap, word, word_face, meant))
            x += gap + long
        self._lines.append((top, high, runs, colour, size))
        return top + high


def _is_numbered(text: str) -> bool:
    """Return whether a line is an item of a numbered list, such as ``1. Take a marble``; only one digit is allowed."""
    return text[:1].isdigit() and text[1:3] == ". "


def _split_styled_words(text: str, face: str) -> list[tuple[str, str]]:
    """Return each word with its font, which is ``face`` for words that aren't marked.

    The marks ``**`` and ``*`` switch the font and are removed.
    """
    result: list[tuple[str, str]] = []
    strong = slanted = False
    for token in split_words(text):
        while token.startswith("*"):
            if token.startswith("**"):
                strong, token = True, token[2:]
            else:
                slanted, token = True, token[1:]
        plain = token.replace("*", "")
        if plain:
            result.append((plain, "title" if strong else "italic" if slanted else face))
        if "**" in token:
            strong = False
        elif "*" in token:
            slanted = False
    return result


class ExplanationTooltip(InertWidget):
    """Tooltip that explains the word on which the pointer rests."""

    WIDTH_PX = 280

    def __init__(self) -> None:
        super().__init__("explained")
        self.word: tuple[Rect, str] | None = None
        """Rectangle and explanation of the word that is being explained, or None."""
        self._pointed_word: tuple[Rect, str] | None = None

    def set_word(self, word: tuple[Rect, str] | None) -> None:
        """Set the word under the pointer.

        ``word`` is its rectangle and its explanation, or None if the pointer is on no word. If the word has changed,
        the tooltip disappears. It appears after the pointer has rested on the new word for a while, unless the
        explanation is empty.
        """
        word = word if word is not None and word[1] else None
        if word == self._pointed_word:
            return
        self._pointed_word, self.word = word, None
        self.refresh()

        def rested() -> None:
            if self._pointed_word == word:
                self.word = word
                self.refresh()

        if word is not None and self.root is not None:
            self.root.schedule(TOOLTIP_DELAY_SECONDS, rested)

    def paint(self, canvas: Canvas, style: Style) -> None:
        if self.word is None or self.root is None:
            return
        word_rect, explanation = self.word
        lines = canvas.wrap(explanation[:1].upper() + explanation[1:], "sans", SMALL_TEXT_PX, self.WIDTH_PX)
        wide = max(canvas.text_width(line, "sans", SMALL_TEXT_PX) for line in lines) + 18
        high = 18.0 * len(lines) + 10
        window = self.root.window
        x = min(max(6.0, word_rect.x), window.right - wide - 6)
        below = word_rect.bottom + 6
        box = Rect(x, below if below + high < window.bottom - 6 else word_rect.y - high - 6, wide, high)
        paint_card_background(canvas, style, box, 5)
        for index, line in enumerate(lines):
            canvas.text_in(
                Rect(box.x + 9, box.y + 5 + 18 * index, wide - 9, 18), line, style.ink, "sans", SMALL_TEXT_PX
            )


class ExplainedSentence(Widget):
    """Sentence with explanations for some of its words.

    When the pointer is over such a word, its rectangle and explanation are passed to ``on_word_hover``;
    :class:`ExplanationTooltip` shows them.
    """

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.explain_words: Callable[[Sequence[str]], list[str]] = lambda words: [""] * len(words)
        """Callback that returns the meaning of each word, or "" for a word without one."""
        self.on_word_hover: Callable[[tuple[Rect, str] | None], None] = lambda word: None
        """Called with the rectangle and meaning of the explainable word under the pointer, or with None."""
        self._words: list[tuple[Rect, str]] = []
        """Rectangle and text of each word."""

    @staticmethod
    def draw_card(canvas: Canvas, style: Style, box: Rect) -> None:
        """Draw a card behind a sentence that floats over a table."""
        canvas.rect(box, style.card, CORNER_RADIUS_PX)
        canvas.outline(box, style.hairline, CORNER_RADIUS_PX)

    def draw_sentence(
        self, canvas: Canvas, rect: Rect, text: str, colour: Colour, face: str, size: float
    ) -> None:
        """Draw the sentence in ``rect``, in a smaller size or wrapped if needed.

        The places of its words are stored for :meth:`word_at`.
        """
        self._words = []
        for line, line_text, pixel in canvas.text_fit(rect, text, colour, face, size):
            left = line.x
            for word in split_words(line_text):
                wide = canvas.text_width(word, face, pixel)
                self._words.append((Rect(left, line.y, wide, line.h), word))
                left += wide + canvas.text_width(" ", face, pixel)

    def word_at(self, x: float, y: float) -> tuple[Rect, str] | None:
        """Return the rectangle and the explanation of the word at (x, y).

        Return None if no word with an explanation is at that position.
        """
        meanings = self.explain_words([word for _, word in self._words])
        explained_words = (
            (word_rect, meaning) for (word_rect, _), meaning in zip(self._words, meanings, strict=True)
        )
        return next(
            (
                (word_rect, meaning)
                for word_rect, meaning in explained_words
                if meaning and word_rect.contains(x, y)
            ),
            None,
        )

    def on_pointer_move(self, x: float, y: float) -> None:
        self.on_word_hover(self.word_at(x, y))

    def on_pointer_leave(self) -> None:
        self.on_word_hover(None)
