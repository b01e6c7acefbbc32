"""What every page has that asks something of the program."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import replace

from ..ui.core import Key
from . import Host
from .screen import Screen


class Page(Screen):
    """A page: it asks the ``app`` for what it needs of the program."""

    def __init__(self, app: Host) -> None:
        super().__init__()
        self.app = app

    @property
    def on_window(self) -> bool:
        """Whether the window shows this page."""
        return self.app.stage.screen is self

    def lay_anew(self) -> None:
        """Put everything in its place anew, once the page has one; in one column it may need another height now."""
        if self.narrow and self.rect.w and self.on_window:
            self.app.stage.refit()
        elif self.rect.w:
            self.layout(self.rect)

    def renewed(self) -> Screen:
        return type(self)(self.app)

    def meaning(self, key: Key, bound: Container[str]) -> Key | None:
        """Return the key as bindings are written; None for a single key while these are switched off.

        They need Ctrl then, and Alt where Ctrl and the key are ``bound`` otherwise.
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
        """Do what a key means among the ``actions``, else what ``other`` makes of it; return whether it meant
        anything.
        """
        meant = self.meaning(key, actions)
        if meant is None:
            return False
        action = actions.get(meant.chord)
        if action is None:
            return other(meant)
        action()
        return True
