"""Base class of pages, which defines the interface between a page and the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Protocol

from shibumi3d.i18n import _
from shibumi3d.scene.rect import Rect

from ..ui.core import Widget
from ..ui.tree import Thing, sentences


class BoardPicture(Protocol):
    """The part of a page that shows boards drawn by the renderer."""

    visible: bool

    def render(self, now: float, moving: bool, aside: Rect | None = None) -> None:
        """Draw the boards into their part of the window.

        If ``aside`` is given, draw the home view of all boards into it instead.
        """

    def sketch(self, now: float) -> None:
        """Draw a quick preview of the boards in flat shapes."""


COLUMN = (400.0, 480.0)
"""Minimum size of a single-column page, in logical pixels.

The window is always at least this wide.
"""
TITLED = 44.0
"""Height of a title that has its own row in a single-column layout."""


def back_to(came: Screen | None) -> str:
    """Return the screen reader label of a back button."""
    page = came.heading() if came is not None else ""
    return _("Back to {page}", page=page or _("Games"))


class Screen(Widget):
    """A page, which fills the window and may contain a view of the board."""

    title = ""
    view: BoardPicture | None = None
    letters = False
    """Whether typed letters are treated as text, so that they can't be shortcuts."""
    keys: Sequence[str] = ()
    """This page's entries in the list of keyboard shortcuts."""

    least = (640.0, 360.0)
    """Minimum size of the layout, in logical pixels. In a smaller window, the page scrolls."""
    columned = False
    """Whether the page has a single-column layout for windows narrower than ``least``.

    The single-column layout scrolls only vertically.
    """

    shown_on: date | None = None
    """Date on which date-dependent content was last updated."""

    sayings: Sequence[Callable[[], str]] = ()
    """Functions that return sentences, which :meth:`spoken` joins."""

    def __init__(self) -> None:
        super().__init__(self.title)

    def day_changed(self) -> None:
        """Update date-dependent content after a change of the date."""

    @property
    def narrow(self) -> bool:
        """Whether the single-column layout is in use."""
        return self.columned and self.rect.w < self.least[0]

    def smallest(self, wide: float) -> tuple[float, float]:
        """Return the minimum size of the layout, in logical pixels, in a window of width ``wide``."""
        return COLUMN if self.columned and wide < self.least[0] else self.least

    def animate(self, now: float) -> bool:
        """Advance animations to the time ``now``, in seconds; return whether any are still running."""
        return False

    def fading(self) -> bool:
        """Return whether anything in the latest image is still fading in or out."""
        return False

    def render_beside(self, now: float) -> None:
        """Draw additional boards beside those of the main view."""

    def trace(self) -> Mapping[str, object]:
        """Return named values, beyond those of the widgets, that end-to-end tests check."""
        return {}

    def spoken(self) -> str:
        """Return the text for screen readers: what happened last, and what the player can do."""
        return sentences([saying() for saying in self.sayings])

    def heading(self) -> str:
        """Return the title of the page; empty if it needs none."""
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

        They must not reveal anything that is hidden from the viewer.
        """
        return ()

    def renewed(self) -> Screen:
        """Return a new instance of the page in the current language."""
        return type(self)()

    def shown(self) -> None:
        """Handle becoming the current page."""

    def on_return(self) -> None:
        """Handle the return of the window to the foreground.

        Files may have changed in the meantime.
        """

    def on_input(self) -> None:
        """Handle input of any kind."""

    def leave_screen(self) -> None:
        """Clean up before the page is replaced or the program ends."""
