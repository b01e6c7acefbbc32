"""A key that is held down does its step again and again: of most keys, systems and pyglet tell but once."""

from __future__ import annotations

from collections.abc import Callable

from ..ui.core import Key

FIRST, NEXT = 0.5, 0.08
"""Seconds until a key that is held is pressed again, and from then on."""
STEPS = frozenset(("ctrl+z", "ctrl+y", "ctrl+shift+z"))
"""Back and on, on every page."""
MOVES = frozenset(("left", "right", "up", "down", "backspace", "delete", "pageup", "pagedown"))
"""Keys that step through a text; pyglet repeats some of them, where nothing is held with them."""


class Holding:
    """Presses a key again, by ``press``, as long as it is held; ``later`` calls something after some seconds."""

    def __init__(
        self, later: Callable[[float, Callable[[], None]], None], press: Callable[[Key], None]
    ) -> None:
        self._later, self._press = later, press
        self._held = 0
        """Which of all keys pressed is held now, by their number."""

    def begin(self, key: Key, writing: bool) -> None:
        """A key went down, while somebody writes a text or not."""
        self.end()
        page = key.name.startswith("page")
        if key.chord in STEPS or (
            writing and key.name in MOVES and not key.alt and (key.ctrl or key.shift or page)
        ):
            held = self._held
            self._later(FIRST, lambda: self._again(key, held))

    def end(self) -> None:
        """A key went up, or another one down, or the window lost the keys."""
        self._held += 1

    def _again(self, key: Key, held: int) -> None:
        if held == self._held:
            self._later(NEXT, lambda: self._again(key, held))
            self._press(key)
