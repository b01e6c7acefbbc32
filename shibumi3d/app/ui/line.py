"""One line that is being written."""

from __future__ import annotations

from shibumi3d.names import plain

from .writing import Writing


class Line(Writing):
    """A text of one line: breaks become spaces, and what is longer than ``longest`` characters is cut."""

    def __init__(self, text: str = "", longest: int = 60) -> None:
        super().__init__(flat(text), longest)
        self.end()

    def put(self, text: str) -> bool:
        """Writes at the caret, in place of what is selected, as much as there is room for; whether that is anything."""
        room = self.longest - len(self.text) + len(self.selected)
        text = flat(text)[: max(0, room)]
        return bool(text) and super().put(text)

    def home(self, select: bool = False) -> None:
        """To the beginning."""
        self.go((0, 0), select)

    def back(self) -> None:
        """Takes away what is selected, or the character before the caret."""
        column = self.caret[1]
        if self.span is None and column:
            self.anchor = 0, column - 1
        if self.span is not None:
            self._take("back")

    def cut(self) -> str:
        """Takes away what is selected, and gives it."""
        text = self.selected
        if text:
            self._take("")
        return text


def flat(text: str) -> str:
    """A text from anywhere in one line: all that parts words is a space, what nobody can see is left out."""
    line = " ".join(plain(text).strip("\r\n").splitlines())
    return "".join(" " if c.isspace() else c for c in line if c.isspace() or c.isprintable())
