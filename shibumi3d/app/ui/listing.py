"""Scrolling widgets: lists of rows and grids of cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shibumi3d.scene.pen import faded
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import RADIUS, Style

from .canvas import Canvas
from .core import Key, Widget


class Scroller(Widget):
    """Widget whose content may be higher than the widget itself.

    It is scrolled with the mouse wheel, the scroll bar or keys. Subclasses override :attr:`height`.
    """

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.offset = 0.0
        self._grip = False

    @property
    def height(self) -> float:
        """Height of the content in logical pixels."""
        return 0.0

    def to(self, offset: float) -> None:
        """Scroll so that ``offset`` is at the top, as far as the content allows."""
        fitting = max(0.0, min(offset, self.height - self.rect.h)) if self.rect.h > 0 else 0.0
        if fitting != self.offset:
            self.offset = fitting
            self.refresh()

    def reveal(self, top: float, height: float) -> None:
        """Scroll as little as needed to make a part of the content visible."""
        if top < self.offset:
            self.to(top)
        elif top + height > self.offset + self.rect.h:
            self.to(top + height - self.rect.h)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.to(self.offset)

    def bar(self) -> Rect | None:
        """Return the rectangle of the scroll bar's handle, or None if all content fits."""
        if self.height <= self.rect.h + 0.5 or self.rect.h <= 0:
            return None
        high = max(28.0, self.rect.h * self.rect.h / self.height)
        top = (self.rect.h - high) * self.offset / (self.height - self.rect.h)
        return Rect(self.rect.right - 8, self.rect.y + top, 5, high)

    def paint_bar(self, canvas: Canvas, style: Style) -> None:
        """Paint the handle of the scroll bar."""
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

    def cancel_press(self) -> None:
        self._grip = False

    def page_keys(self, key: Key) -> bool:
        """Scroll if ``key`` is a scrolling key; return whether it is one."""
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
    """List of rows of equal height; only visible rows are painted.

    ``paint_row(canvas, style, rect, row, hovered)`` paints a row. ``chosen(row)`` is called when a row becomes the
    current one. ``opened(row)`` is called when Enter or Space is pressed on it.
    """

    steady = True

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
        self.follows = True
        """Whether the list opens at the current row instead of at its top."""
        self._sought = False
        """Whether the current row has been picked since the list was filled."""

    @property
    def height(self) -> float:
        return self.count * self.row_height

    def fill(self, count: int, current: int = -1) -> None:
        """Set the number of rows and the current row; -1 means that no row is current."""
        self.count, self.current, self._sought = count, current, False
        self._keep_current()
        self.refresh()

    def layout(self, rect: Rect) -> None:
        fresh = self.rect.h == 0
        super().layout(rect)
        if fresh:
            self._keep_current()

    def _keep_current(self) -> None:
        """Clamp the scroll position, and scroll to the current row if the list follows it."""
        self.to(self.offset)
        if self.follows or self._sought:
            self._show_current()

    def _show_current(self) -> None:
        if self.current >= 0 and self.rect.h > 0:
            self.reveal(self.current * self.row_height, self.row_height)

    def row_at(self, x: float, y: float) -> int:
        """Return the row at (x, y), or -1."""
        row = int((y - self.rect.y + self.offset) // self.row_height)
        return row if 0 <= row < self.count else -1

    def told_row(self, row: int, keyed: Callable[[str], str]) -> Sequence[str]:
        """Return what a screen reader says about a row, as a list of sentences.

        If the list is empty, the painted text is read. ``keyed`` turns the key that chooses the row into words.
        """
        return ()

    def takes(self, row: int) -> bool:
        """Return whether a row can be chosen."""
        return True

    def unwritten(self, row: int) -> str:
        """Return, for screen readers, what a row shows by other means than text."""
        return ""

    def paint_behind(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> Rect:
        """Paint the background of a tall row, and return the rectangle of its card.

        The current row is drawn as a card. A hovered row is highlighted, and any other row has a line below it.
        """
        box = rect.inset(0, 3)
        if row == self.current:
            canvas.rect(box, style.card, RADIUS)
            canvas.frame(box, style.action, RADIUS, 1.5)
        elif here:
            canvas.rect(box, style.hover, RADIUS)
        else:
            canvas.rule(rect.x + 12, rect.bottom - 1, rect.w - 24, faded(style.hairline, 0.6))
        return box

    def row_rect(self, row: int) -> Rect:
        """Return the rectangle of a row, even if it is scrolled out of view."""
        return Rect(
            self.rect.x, self.rect.y + row * self.row_height - self.offset, self.rect.w, self.row_height
        )

    def paint(self, canvas: Canvas, style: Style) -> None:
        here = self.row_at(*self.root.pointer) if self.hovered and self.root is not None else -1
        with canvas.clip(self.rect):
            for row in self.in_sight():
                self.paint_row(canvas, style, self.row_rect(row), row, row == here)
            self.paint_bar(canvas, style)

    def looks(self) -> tuple[object, ...]:
        """Return the values on which the painted content depends, other than the content of the rows."""
        here = self.row_at(*self.root.pointer) if self.hovered and self.root is not None else -1
        return self.count, self.current, self.offset, here, self._grip

    def in_sight(self) -> range:
        """Return the rows that are at least partly in view."""
        first = int(self.offset // self.row_height)
        last = int((self.offset + self.rect.h) // self.row_height)
        return range(first, min(self.count, last + 1))

    def move(self, x: float, y: float) -> None:
        self.refresh()

    def pick(self, row: int) -> None:
        """Make ``row`` the current row, scroll to it and call ``chosen``."""
        if 0 <= row < self.count:
            self.current, self._sought = row, True
            self._show_current()
            self.chosen(row)
            self.refresh()

    def steps(self) -> dict[str, int]:
        """Return, for each key, the number of rows by which it moves the current row."""
        return {"up": -1, "down": 1, "pageup": -8, "pagedown": 8, "home": -self.count, "end": self.count}

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return super().press(x, y, button, key) or button == "left"

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        grip = self._grip
        super().release(x, y, button, key)
        if not grip and self.rect.holds(x, y):
            self.pick(self.row_at(x, y))

    def key(self, key: Key) -> bool:
        if key.ctrl or key.alt or not self.count:
            return False
        steps = self.steps()
        if key.name in steps:
            self.pick(max(0, min(self.count - 1, self.current + steps[key.name])))
            return True
        if key.name in ("enter", "space") and self.opened is not None and self.current >= 0:
            self.opened(self.current)
            return True
        return False


class Grid(Listing):
    """List that shows its rows as cards, with as many cards side by side as fit."""

    GAP = 12.0
    """Space between cards, in logical pixels."""

    def __init__(
        self,
        least: float,
        shape: Callable[[float], float],
        paint_row: Callable[[Canvas, Style, Rect, int, bool], None],
        chosen: Callable[[int], None],
        *,
        opened: Callable[[int], None] | None = None,
        name: str = "",
    ) -> None:
        """Create a grid of cards at least ``least`` wide; ``shape(width)`` returns a card's height."""
        super().__init__(1.0, paint_row, chosen, opened=opened, name=name)
        self.least, self.shape_of, self.columns = least, shape, 1

    @property
    def height(self) -> float:
        return -(-self.count // self.columns) * self.row_height

    @property
    def _wide(self) -> float:
        """Distance between the left edges of neighbouring cards, in logical pixels."""
        return (self.rect.w - 2 + self.GAP - 10) / self.columns

    def layout(self, rect: Rect) -> None:
        fresh = self.rect.h == 0 or self.rect.w != rect.w
        self.columns = max(1, int((rect.w + self.GAP - 12) // (self.least + self.GAP)))
        self.rect = rect
        self.row_height = self.shape_of(self._wide - self.GAP) + self.GAP
        super().layout(rect)
        if fresh:
            self._keep_current()

    def _show_current(self) -> None:
        if self.current >= 0 and self.rect.h > 0:
            self.reveal(self.current // self.columns * self.row_height, self.row_height)

    def row_at(self, x: float, y: float) -> int:
        across = (x - self.rect.x) / self._wide
        down = int((y - self.rect.y + self.offset) // self.row_height)
        row = down * self.columns + int(across)
        inside = 0 <= across < self.columns and 0 <= row < self.count
        return row if inside and self.row_rect(row).holds(x, y) else -1

    def row_rect(self, row: int) -> Rect:
        down, across = divmod(row, self.columns)
        top = self.rect.y + down * self.row_height - self.offset
        wide, high = self._wide - self.GAP, self.row_height - self.GAP
        return Rect(self.rect.x + 1 + across * self._wide, top + 1, wide, high)

    def in_sight(self) -> range:
        first = int(self.offset // self.row_height)
        last = int((self.offset + self.rect.h) // self.row_height)
        return range(first * self.columns, min(self.count, (last + 1) * self.columns))

    def steps(self) -> dict[str, int]:
        down = self.columns
        page = max(1, int(self.rect.h // self.row_height)) * down
        ends = {"home": -self.count, "end": self.count}
        return {"left": -1, "right": 1, "up": -down, "down": down, "pageup": -page, "pagedown": page, **ends}
