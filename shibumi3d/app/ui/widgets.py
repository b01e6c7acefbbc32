"""The widgets: panel, text, button, choice, entry, list, prose, slider."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shibumi3d.scene import motion

from . import icons
from .canvas import Canvas, faded, mixed
from .core import TIP_DELAY, Key, Still, Widget
from .rect import Rect
from .style import BODY, RADIUS, RULES, SMALL, Style

Action = Callable[[], None]
PAD = 4.0
"""What is kept free beside the words of a choice, at the least."""


class Panel(Widget):
    """A plain surface: ``page``, ``card``, ``sunk`` or ``none``; floating ones cast the shadow."""

    def __init__(self, fill: str = "page", edge: str = "", floating: bool = False, name: str = "") -> None:
        super().__init__(name)
        self.fill, self.edge, self.floating = fill, edge, floating

    def paint(self, canvas: Canvas, style: Style) -> None:
        if self.floating:
            canvas.shadow(self.rect, style.shadow)
        if self.fill != "none":
            canvas.rect(self.rect, getattr(style, self.fill), RADIUS if self.floating else 0)
        if self.floating:
            canvas.frame(self.rect, style.hairline, RADIUS)
        if "top" in self.edge:
            canvas.rule(self.rect.x, self.rect.y, self.rect.w, style.hairline)
        if "bottom" in self.edge:
            canvas.rule(self.rect.x, self.rect.bottom - 1, self.rect.w, style.hairline)
        if "left" in self.edge:
            canvas.rule(self.rect.x, self.rect.y, self.rect.h, style.hairline, upright=True)
        if "right" in self.edge:
            canvas.rule(self.rect.right - 1, self.rect.y, self.rect.h, style.hairline, upright=True)

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return self.fill != "none"


class Text(Still):
    """One line of text, or a wrapped paragraph with ``lines`` above 1."""

    def __init__(
        self,
        text: str = "",
        face: str = "sans",
        size: int = BODY,
        colour: str = "ink",
        align: float = 0,
        lines: int = 1,
        name: str = "",
    ) -> None:
        super().__init__(name)
        self.words, self.face, self.size, self.colour = text, face, size, colour
        self.align, self.lines = align, lines

    def say(self, text: str, colour: str = "") -> None:
        """Shows another text."""
        if (text, colour or self.colour) != (self.words, self.colour):
            self.words, self.colour = text, colour or self.colour
            self.refresh()

    def paint(self, canvas: Canvas, style: Style) -> None:
        colour = getattr(style, self.colour)
        if self.lines == 1:
            canvas.text_in(self.rect, self.words, colour, self.face, self.size, self.align)
            return
        lines = canvas.wrap(self.words, self.face, self.size, self.rect.w)
        if len(lines) > self.lines:
            rest = " ".join(lines[self.lines - 1 :])
            lines = [*lines[: self.lines - 1], canvas.cut(rest, self.face, self.size, self.rect.w)]
        for number, line in enumerate(lines):
            high = self.size * 1.3
            row = Rect(self.rect.x, self.rect.y + number * high, self.rect.w, high)
            canvas.text_in(row, line, colour, self.face, self.size, self.align)


class Button(Widget):
    """Does ``action`` when clicked. ``kind``: ``main`` (filled), ``plain`` (outlined) or ``quiet`` (text alone)."""

    focusable = True
    shape = "hand"

    def __init__(
        self,
        label: str,
        action: Action,
        *,
        icon: str = "",
        kind: str = "plain",
        tip: str = "",
        name: str = "",
        size: int = BODY,
        align: float = 0.5,
    ) -> None:
        super().__init__(name or label, tip)
        self.label, self.action, self.icon, self.kind = label, action, icon, kind
        self.size, self.align = size, align
        self.on = False
        self.bare = False
        """Whether its icon stands alone, where there is little room."""

    def natural(self, canvas: Canvas) -> float:
        """The width that its label asks for."""
        text = canvas.width(self.label, self._face, self.size) if self.label else 0.0
        if self.icon:
            return 32 + (text + 8 if self.label and not self.bare else 0)
        return text + (28 if self.kind != "quiet" else 20)

    @property
    def _face(self) -> str:
        return "bold" if self.kind == "main" else "sans"

    def paint(self, canvas: Canvas, style: Style) -> None:
        less = (1.0 - motion.PRESSED) / 2 if self.pressed else 0.0
        box = self.rect.inset(self.rect.w * less, self.rect.h * less)
        ink = style.ink
        if self.kind == "main" and self.enabled:
            fill = mixed(style.action, style.ink, 0.15) if self.hovered else style.action
            canvas.rect(box, fill, RADIUS)
            ink = style.on_action
        else:
            if self.on:
                canvas.rect(box, mixed(style.card, style.action, 0.16), RADIUS)
            elif self.kind != "quiet" and self.enabled:
                canvas.rect(box, style.card, RADIUS)
            if self.hovered:
                canvas.rect(box, style.hover, RADIUS)
            if self.kind != "quiet":
                canvas.frame(box, style.hairline, RADIUS)
            if self.on:
                ink = style.action
        if not self.enabled:
            ink = faded(style.faint, 0.75)
        area = box
        if self.icon:
            square = 32.0
            if self.label and not self.bare:
                field, area = box.cut_left(square)
                area = Rect(area.x - 2, area.y, area.w - 4, area.h)
            else:
                field = box
            icons.draw(canvas, self.icon, round(field.cx), round(field.cy), ink)
        if self.label and not (self.icon and self.bare):
            inner = area.inset(2 if self.icon else 8, 0)
            canvas.text_in(inner, self.label, ink, self._face, self.size, 0 if self.icon else self.align)

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left" and self.enabled

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        if self.rect.holds(x, y) and self.enabled:
            self.action()

    def key(self, key: Key) -> bool:
        if key.name in ("enter", "space") and not (key.ctrl or key.alt) and self.enabled:
            self.action()
            return True
        return False


class Choice(Widget):
    """One of several words side by side; arrows change it."""

    focusable = True
    shape = "hand"

    def __init__(
        self, options: Sequence[str], chosen: int, changed: Callable[[int], None], *, name: str = ""
    ) -> None:
        super().__init__(name)
        self.options, self.chosen, self.changed = tuple(options), chosen, changed
        self._widths: list[float] = []

    def natural(self, canvas: Canvas) -> float:
        """The width in which every word can be read whole."""
        return sum(canvas.width(option, "sans", 14) + 2 * PAD for option in self.options)

    def measure(self, canvas: Canvas) -> None:
        """Finds out how wide the words are."""
        self._widths = [canvas.width(option, "sans", 14) for option in self.options]

    def rows(self, wide: float) -> list[list[float]]:
        """The options in as few rows of that width as hold them, by the width of their words."""
        rows: list[list[float]] = [[]]
        for width in self._widths or [0.0] * len(self.options):
            if rows[-1] and sum(rows[-1]) + width + 2 * PAD * (len(rows[-1]) + 1) > wide:
                rows.append([])
            rows[-1].append(width)
        return rows

    def fields(self) -> list[Rect]:
        """Where each option lies: side by side and equally wide, or by their words where these would not fit else."""
        found: list[Rect] = []
        rows = self.rows(self.rect.w)
        high = self.rect.h / len(rows)
        for number, widths in enumerate(rows):
            each = self.rect.w / max(1, len(widths))
            spare = (self.rect.w - sum(widths)) / max(1, len(widths))
            even = max(widths, default=0.0) + 2 * PAD <= each
            x = self.rect.x
            for width in widths:
                share = each if even else width + spare
                found.append(Rect(x, self.rect.y + high * number, share, high))
                x += share
        return found

    def draw(self, canvas: Canvas, style: Style) -> None:
        self.measure(canvas)
        super().draw(canvas, style)

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.sunk, RADIUS)
        for number, (field, option) in enumerate(zip(self.fields(), self.options, strict=False)):
            here = self.hovered and self.root is not None and field.holds(*self.root.pointer)
            if number == self.chosen:
                canvas.rect(field.inset(2), style.card, RADIUS - 2)
                canvas.frame(field.inset(2), style.hairline, RADIUS - 2)
            elif here:
                canvas.rect(field.inset(2), style.hover, RADIUS - 2)
            colour = style.ink if number == self.chosen else style.soft
            canvas.text_in(field.inset(1, 0), option, colour, "sans", 14, 0.5)

    def choose(self, number: int) -> None:
        """Takes another option and tells about it."""
        if number != self.chosen and 0 <= number < len(self.options):
            self.chosen = number
            self.changed(number)
            self.refresh()

    def move(self, x: float, y: float) -> None:
        self.refresh()

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left"

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        for number, field in enumerate(self.fields()):
            if field.holds(x, y):
                self.choose(number)

    def key(self, key: Key) -> bool:
        if key.name in ("left", "right") and not (key.ctrl or key.alt):
            self.choose(self.chosen + (1 if key.name == "right" else -1))
            return True
        return False


class Tabs(Choice):
    """Titles of pages; the chosen one is underlined."""

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rule(self.rect.x, self.rect.bottom - 1, self.rect.w, style.hairline)
        for number, (field, option) in enumerate(zip(self.fields(), self.options, strict=False)):
            on = number == self.chosen
            canvas.text_in(
                field.inset(8, 0), option, style.ink if on else style.soft, "bold" if on else "sans", 14, 0.5
            )
            if on:
                canvas.rect(Rect(field.x + 12, field.bottom - 2, field.w - 24, 2), style.action)


class Entry(Widget):
    """A line of text to type in."""

    focusable = True
    typed_in = True
    shape = "text"

    def __init__(
        self,
        text: str = "",
        changed: Callable[[str], None] = lambda text: None,
        *,
        hint: str = "",
        icon: str = "",
        name: str = "",
        longest: int = 60,
        entered: Action | None = None,
        clears: bool = False,
    ) -> None:
        super().__init__(name)
        self.words, self.changed, self.hint, self.icon = text, changed, hint, icon
        self.longest, self.entered = longest, entered
        self.clears = clears
        """Whether Esc empties it."""
        self.caret = len(text)
        self.whole = False
        self._starts: list[float] = []

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.card, RADIUS)
        canvas.frame(self.rect, style.action if self.focused else style.hairline, RADIUS)
        area = self.rect.inset(10, 0)
        if self.icon:
            field, area = area.cut_left(24, 2)
            icons.draw(canvas, self.icon, field.cx - 2, field.cy, style.soft, 18)
        self._starts = [
            area.x + canvas.width(self.words[:i], "sans", BODY) for i in range(len(self.words) + 1)
        ]
        shift = max(0.0, self._starts[self.caret] - (area.right - 2)) if self.focused else 0.0
        self._starts = [x - shift for x in self._starts]
        with canvas.clip(area):
            if self.whole and self.focused and self.words:
                span = Rect(self._starts[0], area.cy - 10, self._starts[-1] - self._starts[0], 20)
                canvas.rect(span, faded(style.action, 0.22))
            if self.words:
                canvas.text(self._starts[0], area.cy + BODY * 0.36, self.words, style.ink)
            elif self.hint:
                canvas.text_in(area, self.hint, style.soft)
            if self.focused:
                canvas.rect(Rect(self._starts[self.caret], area.cy - 9, 1.5, 18), style.action)

    def set(self, text: str) -> None:
        """Replaces the text and tells about it."""
        self.words = text[: self.longest]
        self.caret = len(self.words)
        self.whole = False
        self.changed(self.words)
        self.refresh()

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        if button != "left":
            return False
        self.whole = False
        if self._starts:
            self.caret = min(range(len(self._starts)), key=lambda i: abs(self._starts[i] - x))
            self.caret = min(self.caret, len(self.words))
        return True

    def text(self, text: str) -> bool:
        plain = "".join(c for c in text if c.isprintable())
        if not plain:
            return False
        self._replace(plain)
        return True

    def key(self, key: Key) -> bool:
        if key.alt:
            return False
        if key.ctrl:
            if key.name != "a":
                return False
            self.whole = True
            self.caret = len(self.words)
            return True
        last = len(self.words)
        if key.name == "backspace":
            if self.whole:
                self._replace("")
            elif self.caret:
                self.words = self.words[: self.caret - 1] + self.words[self.caret :]
                self.caret -= 1
                self.changed(self.words)
        elif key.name == "delete":
            if self.whole:
                self._replace("")
            elif self.caret < last:
                self.words = self.words[: self.caret] + self.words[self.caret + 1 :]
                self.changed(self.words)
        elif key.name in ("left", "right", "home", "end"):
            places = {"left": self.caret - 1, "right": self.caret + 1, "home": 0, "end": last}
            self.caret = max(0, min(last, places[key.name]))
            self.whole = False
        elif key.name == "escape" and self.clears and self.words:
            self.set("")
        elif key.name == "enter" and self.entered is not None:
            self.entered()
        else:
            return len(key.name) == 1 or key.name == "space"
        return True

    def _replace(self, text: str) -> None:
        if self.whole:
            self.words, self.caret, self.whole = "", 0, False
        room = self.longest - len(self.words)
        text = text[: max(0, room)]
        self.words = self.words[: self.caret] + text + self.words[self.caret :]
        self.caret += len(text)
        self.changed(self.words)


class Scroller(Widget):
    """Something taller than its place: wheel, drag of the bar and keys move it. Subclasses tell ``height``."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.offset = 0.0
        self._grip = False

    @property
    def height(self) -> float:
        """How tall the content is."""
        return 0.0

    def to(self, offset: float) -> None:
        """Scrolls so that ``offset`` of the content is at the top, as far as there is content."""
        fitting = max(0.0, min(offset, self.height - self.rect.h)) if self.rect.h > 0 else 0.0
        if fitting != self.offset:
            self.offset = fitting
            self.refresh()

    def reveal(self, top: float, height: float) -> None:
        """Scrolls as little as needed to show that part."""
        if top < self.offset:
            self.to(top)
        elif top + height > self.offset + self.rect.h:
            self.to(top + height - self.rect.h)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.to(self.offset)

    def bar(self) -> Rect | None:
        """The handle of the scroll bar, if there is anything to scroll."""
        if self.height <= self.rect.h + 0.5 or self.rect.h <= 0:
            return None
        high = max(28.0, self.rect.h * self.rect.h / self.height)
        top = (self.rect.h - high) * self.offset / (self.height - self.rect.h)
        return Rect(self.rect.right - 8, self.rect.y + top, 5, high)

    def paint_bar(self, canvas: Canvas, style: Style) -> None:
        """Paints the handle."""
        handle = self.bar()
        if handle is not None:
            canvas.rect(handle, faded(style.faint, 0.9 if self._grip else 0.45), 2.5)

    def scroll(self, x: float, y: float, dx: float, dy: float, key: Key) -> bool:
        if self.height <= self.rect.h:
            return False
        self.to(self.offset - dy * 60)
        return True

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        handle = self.bar()
        self._grip = handle is not None and handle.inset(-6, 0).holds(x, y)
        return self._grip

    def drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        handle = self.bar()
        if self._grip and handle is not None:
            self.to(self.offset + dy * (self.height - self.rect.h) / max(1.0, self.rect.h - handle.h))

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        self._grip = False

    def page_keys(self, key: Key) -> bool:
        """Scrolls by keys; returns whether it was one of them."""
        by = {"up": -40.0, "down": 40.0, "pageup": -self.rect.h * 0.9, "pagedown": self.rect.h * 0.9}
        if key.name in by:
            self.to(self.offset + by[key.name])
        elif key.name == "home":
            self.to(0)
        elif key.name == "end":
            self.to(self.height)
        else:
            return False
        return True


class Listing(Scroller):
    """Rows of one height, of which only those in sight are painted."""

    focusable = True
    shape = "hand"

    def __init__(
        self,
        row_height: float,
        paint_row: Callable[[Canvas, Style, Rect, int, bool], None],
        chosen: Callable[[int], None],
        *,
        opened: Callable[[int], None] | None = None,
        name: str = "",
    ) -> None:
        super().__init__(name)
        self.row_height, self.paint_row, self.chosen, self.opened = row_height, paint_row, chosen, opened
        self.count = 0
        self.current = -1

    @property
    def height(self) -> float:
        return self.count * self.row_height

    def fill(self, count: int, current: int = -1) -> None:
        """Shows ``count`` rows."""
        self.count, self.current = count, current
        self._show_current()
        self.refresh()

    def layout(self, rect: Rect) -> None:
        fresh = self.rect.h == 0
        super().layout(rect)
        if fresh:
            self._show_current()

    def _show_current(self) -> None:
        self.to(self.offset)
        if self.current >= 0 and self.rect.h > 0:
            self.reveal(self.current * self.row_height, self.row_height)

    def row_at(self, y: float) -> int:
        """The row under the height ``y``, or -1."""
        row = int((y - self.rect.y + self.offset) // self.row_height)
        return row if 0 <= row < self.count else -1

    def row_rect(self, row: int) -> Rect:
        """Where the row lies now (perhaps out of sight)."""
        return Rect(
            self.rect.x, self.rect.y + row * self.row_height - self.offset, self.rect.w, self.row_height
        )

    def paint(self, canvas: Canvas, style: Style) -> None:
        here = self.row_at(self.root.pointer[1]) if self.hovered and self.root is not None else -1
        with canvas.clip(self.rect):
            first = int(self.offset // self.row_height)
            last = int((self.offset + self.rect.h) // self.row_height)
            for row in range(first, min(self.count, last + 1)):
                self.paint_row(canvas, style, self.row_rect(row), row, row == here)
            self.paint_bar(canvas, style)

    def move(self, x: float, y: float) -> None:
        self.refresh()

    def pick(self, row: int) -> None:
        """Makes ``row`` the current one."""
        if 0 <= row < self.count:
            self.current = row
            self.reveal(row * self.row_height, self.row_height)
            self.chosen(row)
            self.refresh()

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return super().press(x, y, button, key) or button == "left"

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        grip = self._grip
        super().release(x, y, button, key)
        if not grip and self.rect.holds(x, y):
            self.pick(self.row_at(y))

    def key(self, key: Key) -> bool:
        if key.ctrl or key.alt or not self.count:
            return False
        steps = {"up": -1, "down": 1, "pageup": -8, "pagedown": 8, "home": -self.count, "end": self.count}
        if key.name in steps:
            self.pick(max(0, min(self.count - 1, self.current + steps[key.name])))
            return True
        if key.name in ("enter", "space") and self.opened is not None and self.current >= 0:
            self.opened(self.current)
            return True
        return False


class Prose(Scroller):
    """Text to read: paragraphs, ``## headings``, ``- points``, **strong** and *slanted* words."""

    focusable = True

    def __init__(self, text: str = "", size: int = RULES, name: str = "") -> None:
        super().__init__(name)
        self.words, self.size = text, size
        self._set: tuple[object, ...] = ()
        self._lines: list[tuple[float, float, list[tuple[float, str, str, str]], str, int]] = []
        """From top, height, the words (from left, text, face, what it means), ink and size of each line."""
        self._height = 0.0
        self.explain: Callable[[Sequence[str]], list[str]] = lambda words: [""] * len(words)
        """What each of some words means."""
        self.met: Callable[[tuple[Rect, str] | None], None] = lambda word: None
        """Is told on which word that can be explained the pointer is."""

    @property
    def height(self) -> float:
        return self._height

    def say(self, text: str) -> None:
        """Shows another text, from its start."""
        if text != self.words:
            self.words = text
            self.offset = 0.0
            self.refresh()

    def paint(self, canvas: Canvas, style: Style) -> None:
        self._typeset(canvas)
        seen: set[str] = set()
        last = ""
        with canvas.clip(self.rect):
            for top, height, runs, colour, size in self._lines:
                y = self.rect.y + top - self.offset
                for x, words, face, meant in runs:
                    # A term is marked where it stands first, all words of it.
                    new = meant != "" and (meant not in seen or meant == last)
                    last = meant if new else ""
                    seen.add(meant)
                    if y + height < self.rect.y or y > self.rect.bottom:
                        continue
                    base = y + height / 2 + size * 0.34
                    canvas.text(self.rect.x + x, base, words, getattr(style, colour), face, size)
                    if new:
                        wide = canvas.width(words.rstrip(".,;:)"), face, size)
                        canvas.rule(self.rect.x + x, base + 3, wide, style.faint)
            self.paint_bar(canvas, style)

    def move(self, x: float, y: float) -> None:
        super().move(x, y)
        self.met(self.word_at(x, y))

    def leave(self) -> None:
        super().leave()
        self.met(None)

    def word_at(self, x: float, y: float) -> tuple[Rect, str] | None:
        """The word there that can be explained: its place, and what it means."""
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
        wide = min(self.rect.w - 16, 66 * self.size * 0.5)
        if self._set == (self.words, wide, canvas.scale):
            return
        self._set = (self.words, wide, canvas.scale)
        self._lines = []
        top = 0.0
        for block in self.words.strip().split("\n\n"):
            for line in self._join(block):
                top = self._paragraph(canvas, line, top, wide)
            top += self.size * 0.55
        self._height = top + 8
        self.to(self.offset)

    @staticmethod
    def _join(block: str) -> list[str]:
        """The paragraphs of a block: points and headings begin a new one, other lines run on."""
        lines: list[str] = []
        for line in block.split("\n"):
            text = line.strip()
            if lines and not text.startswith(("- ", "#")) and not lines[-1].startswith("#"):
                lines[-1] += " " + text
            elif text:
                lines.append(text)
        return lines

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
    """The words with the face of each; the marks ``**`` and ``*`` switch it and are left out."""
    found: list[tuple[str, str]] = []
    strong = slanted = False
    for token in text.split():
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
    """What a word means on which the pointer has rested: a word of the rules, or of a card."""

    WIDE = 280

    def __init__(self) -> None:
        super().__init__("explained")
        self.word: tuple[Rect, str] | None = None
        """Where the word stands, and what it means."""
        self._next: tuple[Rect, str] | None = None

    def point(self, word: tuple[Rect, str] | None) -> None:
        """The pointer is on a word that can be explained, or on none."""
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
        window_wide, window_high = self.root.size
        x = min(max(6.0, at.x), window_wide - wide - 6)
        below = at.bottom + 6
        box = Rect(x, below if below + high < window_high - 6 else at.y - high - 6, wide, high)
        canvas.shadow(box, style.shadow)
        canvas.rect(box, style.card, 5)
        canvas.frame(box, style.hairline, 5)
        for number, line in enumerate(lines):
            canvas.text_in(
                Rect(box.x + 9, box.y + 5 + 18 * number, wide - 9, 18), line, style.ink, "sans", SMALL
            )


class Slider(Widget):
    """A handle on a line of ``count`` stops."""

    focusable = True
    shape = "hand"

    def __init__(self, changed: Callable[[int], None], *, name: str = "") -> None:
        super().__init__(name)
        self.changed = changed
        self.last, self.value = 0, 0
        self.tall: frozenset[int] = frozenset()

    def fill(self, last: int, value: int, tall: frozenset[int] = frozenset()) -> None:
        """Stops 0 to ``last``, the handle at ``value``; the ticks of ``tall`` stand out."""
        if (last, value, tall) != (self.last, self.value, self.tall):
            self.last, self.value, self.tall = last, value, tall
            self.refresh()

    def _x(self, stop: float) -> float:
        return self.rect.x + 10 + (self.rect.w - 20) * (stop / self.last if self.last else 0)

    def paint(self, canvas: Canvas, style: Style) -> None:
        y = self.rect.cy
        canvas.rect(Rect(self.rect.x + 10, y - 1, self.rect.w - 20, 2), style.hairline, 1)
        canvas.rect(Rect(self.rect.x + 10, y - 1, self._x(self.value) - self.rect.x - 10, 2), style.action, 1)
        if self.last and (self.rect.w - 20) / self.last >= 4:
            for stop in range(self.last + 1):
                high = 8 if stop in self.tall else 4
                canvas.rule(self._x(stop), y - high, high, style.faint, upright=True)
        canvas.disc(self._x(self.value), y, 8 if self.hovered or self.pressed else 7, style.action)
        canvas.disc(self._x(self.value), y, 3, style.card)

    def _go(self, stop: int) -> None:
        stop = max(0, min(self.last, stop))
        if stop != self.value:
            self.value = stop
            self.changed(stop)
            self.refresh()

    def _seek(self, x: float) -> None:
        wide = max(1.0, self.rect.w - 20)
        self._go(round((x - self.rect.x - 10) / wide * self.last))

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        if button == "left":
            self._seek(x)
        return button == "left"

    def drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        self._seek(x)

    def key(self, key: Key) -> bool:
        steps = {"left": -1, "right": 1, "home": -self.last, "end": self.last}
        if key.name in steps and not (key.ctrl or key.alt):
            self._go(self.value + steps[key.name])
            return True
        return False


def narrowed(widgets: Sequence[Button], canvas: Canvas, most: float, gap: float = 6) -> bool:
    """Leaves labels beside icons out where the buttons side by side would be wider than ``most``; whether they fit."""
    for bare in (False, True):
        for button in widgets:
            button.bare = bare
        wide = sum(max(32.0, button.natural(canvas)) + gap for button in widgets if button.visible) - gap
        if wide <= most:
            return True
    return False


def row(rect: Rect, widgets: Sequence[Button], canvas: Canvas, gap: float = 6, align: float = 0) -> float:
    """Places buttons side by side at their natural widths and returns how wide they are together."""
    widths = [max(32.0, button.natural(canvas)) for button in widgets if button.visible]
    total = sum(widths) + gap * max(0, len(widths) - 1)
    x = rect.x + (rect.w - total) * align
    for button in widgets:
        if button.visible:
            wide = widths.pop(0)
            button.layout(Rect(x, rect.cy - 16, wide, 32))
            x += wide + gap
    return total
