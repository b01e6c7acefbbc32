"""What every page has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from .ui.core import Widget

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

    def leave_screen(self) -> None:
        """The page is about to be replaced or the program to end."""
