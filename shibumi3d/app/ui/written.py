"""What all widgets have in common in which a text is written: caret, selection, the clipboard, steps back and on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .core import Key, Widget
from .writing import Place, Writing

if TYPE_CHECKING:
    from .core import Root

DOUBLE = 0.35
"""Seconds between two clicks that select a word."""


class Written(Widget):
    """Writes a :class:`Writing`. Subclasses paint it, tell the place at a point, and what a change brings about."""

    focusable = True
    typed_in = True
    shape = "text"
    root: Root | None

    def __init__(self, name: str = "", *, writing: Writing) -> None:
        super().__init__(name)
        self.writing = writing
        self._clicked: tuple[float, Place] = (-9.0, (-1, -1))

    def change(self, what: Callable[[], object]) -> None:
        """Changes the text."""
        raise NotImplementedError

    def place_at(self, x: float, y: float) -> Place:
        """The place in the text that is nearest to a point."""
        raise NotImplementedError

    def click(self, x: float, y: float, key: Key) -> None:
        """Puts the caret there; with Shift up to there is selected, twice in a moment a word is."""
        if self.root is None:
            return
        place, now = self.place_at(x, y), self.root.clock()
        again = now - self._clicked[0] < DOUBLE and place == self._clicked[1]
        self.writing.go(place, key.shift)
        if again:
            self.writing.select_word()
        self._clicked = now, place

    def select(self, anchor: Place, caret: Place) -> None:
        """Selects what lies between two places, the caret at the second; where they are one, nothing."""
        self.writing.go(anchor)
        if caret != anchor:
            self.writing.go(caret, True)
        self.refresh()

    def drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        self.writing.go(self.place_at(x, y), True)

    def write(self, key: Key) -> bool:
        """Does what a key means in any text; whether it means anything."""
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
