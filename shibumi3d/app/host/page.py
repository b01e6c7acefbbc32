"""Base class of the pages that use the program."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import replace

from ..ui.core import Key
from . import Host
from .screen import Screen


class Page(Screen):
    """A page that uses the program through ``app``."""

    def __init__(self, app: Host) -> None:
        super().__init__()
        self.app = app

    @property
    def on_window(self) -> bool:
        """Whether this is the current page of the window."""
        return self.app.stage.screen is self

    def lay_anew(self) -> None:
        """Lay out the page again if it already has a size.

        This may change the height of a single-column page.
        """
        if self.narrow and self.rect.w and self.on_window:
            self.app.stage.refit()
        elif self.rect.w:
            self.layout(self.rect)

    def renewed(self) -> Screen:
        return type(self)(self.app)

    def meaning(self, key: Key, bound: Container[str]) -> Key | None:
        """Return the shortcut that a key press stands for, or None for a disabled single-key shortcut.

        While single-key shortcuts are off, they must be pressed with Ctrl. If Ctrl with that key is one of the
        shortcuts in ``bound``, they must be pressed with Alt instead.
        """
        single = len(key.name) == 1 or key.name == "plus"
        if self.app.settings.single or not single:
            return key
        if not (key.ctrl or key.alt):
            return None
        if key.chord in bound:
            return key
        if key.ctrl:
            return replace(key, ctrl=False)
        return key if key.name.isdecimal() else replace(key, alt=False)

    def act_on(
        self, key: Key, actions: Mapping[str, Callable[[], object]], other: Callable[[Key], bool]
    ) -> bool:
        """Run the action bound to a key, or else pass the key to ``other``.

        Returns whether the key was handled.
        """
        meant = self.meaning(key, actions)
        if meant is None:
            return False
        action = actions.get(meant.chord)
        if action is None:
            return other(meant)
        action()
        return True
