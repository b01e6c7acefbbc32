"""Base class of pages: the interface between a page and the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Protocol

from shibumi3d.i18n import _
from shibumi3d.scene.rect import Rect

from ..ui.core import Widget
from ..ui.tree import Thing, sentences


class BoardPicture(Protocol):
    """The boards on a page, as drawn by the renderer."""

    visible: bool

    def render(self, now: float, moving: bool, aside: Rect | None = None) -> None:
        """Draw the boards into their part of the window, or all of them into ``aside``."""

    def sketch(self, now: float) -> None:
        """Draw a quick preview of the boards in flat shapes."""


COLUMN = (400.0, 480.0)
"""Minimum size of a single-column page, in logical pixels.

A window always shows at least this width.
"""
TITLED = 44.0
"""Height of a title that has a row of its own in a single-column layout."""


def back_to(came: Screen | None) -> str:
    """Return the label of a back button, as screen readers read it."""
    page = came.heading() if came is not None else ""
    return _("Back to {page}", page=page or _("Games"))


class Screen(Widget):
    """A page, which fills the window and may contain a view of the board."""

    title = ""
    view: BoardPicture | None = None
    letters = False
    """Whether typed letters are text input, and so can't be shortcuts."""
    keys: Sequence[str] = ()
    """Entries of the page's list of keyboard shortcuts."""

    least = (640.0, 360.0)
    """Minimum size of the layout in logical pixels; a smaller window scrolls."""
    columned = False
    """Whether the page has a single-column layout for windows narrower than ``least``.

    That layout scrolls only vertically.
    """

    shown_on: date | None = None
    """Date for which date-dependent content was last updated."""

    sayings: Sequence[Callable[[], str]] = ()
    """Functions whose sentences :meth:`spoken` joins."""

    def __init__(self) -> None:
        super().__init__(self.title)

    def day_changed(self) -> None:
        """Update date-dependent content, because the date has changed."""

    @property
    def narrow(self) -> bool:
        """Whether the single-column layout is in use."""
        return self.columned and self.rect.w < self.least[0]

    def smallest(self, wide: float) -> tuple[float, float]:
        """Return the minimum size of the layout in a window of width ``wide``, in logical pixels."""
        return COLUMN if self.columned and wide < self.least[0] else self.least

    def animate(self, now: float) -> bool:
        """Advance animations to the time ``now`` in seconds; return whether any are still running."""
        return False

    def fading(self) -> bool:
        """Return whether anything in the image just drawn is still fading in or out."""
        return False

    def render_beside(self, now: float) -> None:
        """Draw additional boards, besides those of the main view."""

    def trace(self) -> Mapping[str, object]:
        """Return values by name that end-to-end tests need, besides the widgets."""
        return {}

    def spoken(self) -> str:
        """Return the text for a screen reader: what happened last and what the player can do."""
        return sentences([saying() for saying in self.sayings])

    def heading(self) -> str:
        """Return the title of the page, empty if it needs none."""
        return ""

    @property
    def seen_on(self) -> Widget | None:
        """Widget that displays the boards or table, or None."""
        return self.view if isinstance(self.view, Widget) else None

    def marked(self) -> Rect | None:
        """Return the area of the keyboard cursor on the boards or table, or None."""
        return None

    def things(self) -> Sequence[Thing]:
        """Return the accessible objects on the boards or table.

        It must not include anything hidden from the viewer.
        """
        return ()

    def renewed(self) -> Screen:
        """Return a new instance of the page, in the current language."""
        return type(self)()

    def shown(self) -> None:
        """Handle having become the current page."""

    def on_return(self) -> None:
        """Handle the window's return to the foreground: other programs may have changed files."""

    def on_input(self) -> None:
        """Handle input of any kind."""

    def leave_screen(self) -> None:
        """Clean up before the page is replaced or the program ends."""
