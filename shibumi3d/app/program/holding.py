"""Key repeat for keys that the system or pyglet reports only once while they are held down."""

from __future__ import annotations

from collections.abc import Callable

from ..ui.core import Key

FIRST, NEXT = 0.5, 0.08
"""Seconds until a held key repeats for the first time, and between further repeats."""
STEPS = frozenset(("ctrl+z", "ctrl+y", "ctrl+shift+z"))
"""Keys for undo and redo, which repeat on every page."""
MOVES = frozenset(("left", "right", "up", "down", "backspace", "delete", "pageup", "pagedown"))
"""Keys that repeat in text fields; pyglet repeats some of them itself if no modifier is held."""


class Holding:
    """Key repeat: calls ``press`` repeatedly while a key is held down.

    ``later(seconds, what)`` calls ``what`` after a delay.
    """

    def __init__(
        self, later: Callable[[float, Callable[[], None]], None], press: Callable[[Key], None]
    ) -> None:
        self._later, self._press = later, press
        self._held = 0
        """Number of the latest press or release; older repeats are ignored."""

    def begin(self, key: Key, writing: bool) -> None:
        """Start repeating ``key`` if it should repeat; if ``writing`` is set, typed keys are text."""
        self.end()
        page = key.name.startswith("page")
        if key.chord in STEPS or (
            writing and key.name in MOVES and not key.alt and (key.ctrl or key.shift or page)
        ):
            held = self._held
            self._later(FIRST, lambda: self._again(key, held))

    def end(self) -> None:
        """Stop repeating, because the key was released, another was pressed, or the focus was lost."""
        self._held += 1

    def _again(self, key: Key, held: int) -> None:
        if held == self._held:
            self._later(NEXT, lambda: self._again(key, held))
            self._press(key)
