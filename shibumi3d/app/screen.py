"""What every page has."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .ui.core import Key, Widget

if TYPE_CHECKING:
    from .app import App
    from .view import View


class Screen(Widget):
    """A page. It fills the window and may hold a view of the board."""

    title = ""
    view: View | None = None
    letters = False
    """Whether letters that are typed mean a text, so that they can't be keys."""
    keys: Sequence[str] = ()
    """The lines of the sheet of keys for this page."""

    sayings: Sequence[Callable[[], str]] = ()
    """The sentences that :meth:`spoken` puts together."""

    def __init__(self, app: App) -> None:
        super().__init__(self.title)
        self.app = app

    def animate(self, now: float) -> bool:
        """Moves on to the time ``now``; whether anything is still moving."""
        return False

    def meaning(self, key: Key, bound: Container[str]) -> Key | None:
        """The key as bindings are written; None for a single key while these are switched off.

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
        """Does what a key means among the ``actions``, else what ``other`` makes of it; whether it meant anything."""
        meant = self.meaning(key, actions)
        if meant is None:
            return False
        action = actions.get(meant.chord)
        if action is None:
            return other(meant)
        action()
        return True

    def fading(self) -> bool:
        """Whether something in the picture just drawn is still coming or leaving."""
        return False

    def render_beside(self, now: float) -> None:
        """Draws the boards that are shown besides the one of the view."""

    def trace(self) -> Mapping[str, object]:
        """What a test from outside needs to know besides the widgets."""
        return {}

    def spoken(self) -> str:
        """What a speech tool should read: what happened last, and what is asked for, as far as the page shows it."""
        return " ".join(filter(None, [saying() for saying in self.sayings]))

    def renewed(self) -> Screen:
        """The same page made anew, in the language in use now."""
        return type(self)(self.app)

    def shown(self) -> None:
        """The page has just been put on the window."""

    def stirred(self) -> None:
        """There is input of some kind."""

    def leave_screen(self) -> None:
        """The page is about to be replaced or the program to end."""
