"""Base class of the pages that use the program."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import replace

from ..ui.widget import Key
from . import Host
from .window_page import WindowPage


class Page(WindowPage):
    """A page that uses the program through ``app``."""

    def __init__(self, app: Host) -> None:
        super().__init__()
        self.app = app

    @property
    def is_current(self) -> bool:
        """Whether this is the current page of the window."""
        return self.app.current_page is self

    def relayout(self) -> None:
        """Lay out the page again if it already has a size.

        This may change the height of a single-column page.
        """
        if self.is_narrow and self.rect.w and self.is_current:
            self.app.relayout()
        elif self.rect.w:
            self.layout(self.rect)

    def rebuild(self) -> WindowPage:
        return type(self)(self.app)

    def resolve_shortcut(self, key: Key, bindings: Container[str]) -> Key | None:
        """Return the shortcut that a key press stands for, or None for a disabled single-key shortcut.

        While single-key shortcuts are off, they must be pressed with Ctrl. If Ctrl with that key is one of the
        shortcuts in ``bindings``, they must be pressed with Alt instead.
        """
        single = len(key.name) == 1 or key.name == "plus"
        if self.app.settings.single or not single:
            return key
        if not (key.ctrl or key.alt):
            return None
        if key.chord in bindings:
            return key
        if key.ctrl:
            return replace(key, ctrl=False)
        return key if key.name.isdecimal() else replace(key, alt=False)

    def handle_shortcut(
        self, key: Key, actions: Mapping[str, Callable[[], object]], on_unbound_key: Callable[[Key], bool]
    ) -> bool:
        """Run the action bound to a key, or else pass the key to ``on_unbound_key``.

        Returns whether the key was handled.
        """
        meant = self.resolve_shortcut(key, actions)
        if meant is None:
            return False
        action = actions.get(meant.chord)
        if action is None:
            return on_unbound_key(meant)
        action()
        return True
