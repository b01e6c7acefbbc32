"""Base class of text widgets: caret, selection, clipboard and undo."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .core import Key, Widget
from .writing import Place, Writing

if TYPE_CHECKING:
    from .core import Root

DOUBLE = 0.35
"""Maximum time between the clicks of a double click, in seconds."""


class Written(Widget):
    """Base class of widgets that edit a :class:`Writing`.

    Subclasses paint the text, convert points to positions in the text, and handle changes.
    """

    focusable = True
    typed_in = True
    shape = "text"
    root: Root | None

    def __init__(self, name: str = "", *, writing: Writing) -> None:
        super().__init__(name)
        self.writing = writing
        self._clicked: tuple[float, Place] = (-9.0, (-1, -1))

    def change(self, what: Callable[[], object]) -> None:
        """Call ``what``, which changes the text, then handle the change."""
        raise NotImplementedError

    def place_at(self, x: float, y: float) -> Place:
        """Return the position in the text nearest to the point (x, y)."""
        raise NotImplementedError

    def click(self, x: float, y: float, key: Key) -> None:
        """Move the caret to a point; Shift extends the selection, and a double click selects a word."""
        if self.root is None:
            return
        place, now = self.place_at(x, y), self.root.clock()
        again = now - self._clicked[0] < DOUBLE and place == self._clicked[1]
        self.writing.go(place, key.shift)
        if again:
            self.writing.select_word()
        self._clicked = now, place

    def select(self, anchor: Place, caret: Place) -> None:
        """Select the text from ``anchor`` to ``caret``; nothing is selected if they are equal."""
        self.writing.go(anchor)
        if caret != anchor:
            self.writing.go(caret, True)
        self.refresh()

    def drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        self.writing.go(self.place_at(x, y), True)

    def write(self, key: Key) -> bool:
        """Handle a key that works the same way in all text widgets.

        Return whether ``key`` is such a key.
        """
        return self._with_ctrl(key) if key.ctrl else self._alone(key)

    def _with_ctrl(self, key: Key) -> bool:
        writing, root = self.writing, self.root
        if key.name == "a":
            writing.select_all()
        elif key.name == "c" and root is not None:
            if writing.selected:
                root.copy(writing.selected)
        elif key.name == "x" and root is not None:
            cut: list[str] = []
            self.change(lambda: cut.append(writing.cut()))
            if cut[0]:
                root.copy(cut[0])
        elif key.name == "v" and root is not None:
            text = root.paste()
            if text:
                self.change(lambda: writing.put(text) or root.full())
        elif key.name == "z":
            self.change(writing.redo if key.shift else writing.undo)
        elif key.name == "y":
            self.change(writing.redo)
        elif key.name in ("left", "right"):
            writing.skip(1 if key.name == "right" else -1, key.shift)
        elif key.name in ("home", "end"):
            writing.go((0, 0) if key.name == "home" else (len(writing.lines), 1 << 20), key.shift)
        elif key.name in ("backspace", "delete"):
            if writing.span is None:
                writing.skip(-1 if key.name == "backspace" else 1, True)
            if writing.span is not None:
                self.change(writing.delete)
        else:
            return False
        return True

    def _alone(self, key: Key) -> bool:
        writing, select = self.writing, key.shift
        if key.name in ("left", "right"):
            writing.step(1 if key.name == "right" else -1, select)
        elif key.name == "home":
            writing.home(select)
        elif key.name == "end":
            writing.end(select)
        elif key.name == "backspace":
            self.change(writing.back)
        elif key.name == "delete":
            self.change(writing.delete)
        else:
            return False
        return True
