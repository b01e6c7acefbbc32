"""Base class of pages, which defines the interface between a page and the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Protocol

from shibumi3d.i18n import _
from shibumi3d.scene.rect import Rect

from ..ui.accessibility import BoardElement, join_sentences
from ..ui.widget import Widget


class BoardArea(Protocol):
    """The part of a page that shows boards drawn by the renderer."""

    visible: bool

    def render(self, now: float, is_moving: bool, board_area: Rect | None = None) -> None:
        """Draw the state of the boards at the time ``now`` into their part of the window.

        ``is_moving`` says whether anything on the screen is moving. If ``board_area`` is given, draw the home view of
        all boards into it instead.
        """

    def sketch(self, now: float, board_area: Rect | None = None) -> None:
        """Draw the boards as flat shapes, which are shown until the boards are rendered.

        If ``board_area`` is given, draw the home view of all boards into this area instead of the current view.
        """


MIN_NARROW_PAGE_PX = (400.0, 480.0)
"""Minimum size of a single-column page, in logical pixels.

The window is always at least this wide.
"""
NARROW_TITLE_HEIGHT_PX = 44.0
"""Height of a title that has its own row in a single-column layout."""


def back_button_label(return_to: WindowPage | None) -> str:
    """Return the screen reader label of a button that leads to ``return_to``, or to the home page if it is None."""
    page = return_to.heading() if return_to is not None else ""
    return _("Back to {page}", page=page or _("Games"))


class WindowPage(Widget):
    """Base class for pages, which fill the window.

    ``view`` is the page's view of the boards or table, or None if it has none.
    """

    page_name = ""
    view: BoardArea | None = None
    takes_typed_letters = False
    """Whether typed letters are treated as text, so that they can't be shortcuts."""
    shortcuts: Sequence[str] = ()
    """This page's entries in the list of keyboard shortcuts."""

    min_size = (640.0, 360.0)
    """Minimum size of the layout, in logical pixels. In a smaller window, the page scrolls."""
    has_narrow_layout = False
    """Whether the page has a single-column layout for windows narrower than ``min_size``.

    The single-column layout scrolls only vertically.
    """

    updated_on: date | None = None
    """Date on which date-dependent content was last updated."""

    announcement_sources: Sequence[Callable[[], str]] = ()
    """Functions that return sentences, which :meth:`announcement` joins."""

    def __init__(self) -> None:
        super().__init__(self.page_name)

    def on_day_change(self) -> None:
        """Update date-dependent content.

        This method is called when the date has changed.
        """

    @property
    def is_narrow(self) -> bool:
        """Whether the single-column layout is in use."""
        return self.has_narrow_layout and self.rect.w < self.min_size[0]

    def min_size_for(self, window_width: float) -> tuple[float, float]:
        """Return the minimum size of the layout, in logical pixels, in a window of width ``window_width``."""
        return (
            MIN_NARROW_PAGE_PX
            if self.has_narrow_layout and window_width < self.min_size[0]
            else self.min_size
        )

    def animate(self, now: float) -> bool:
        """Advance animations to the time ``now``, in seconds; return whether any are still running.

        By default, there are none.
        """
        return False

    def is_fading(self) -> bool:
        """Return whether anything in the latest image is still fading in or out."""
        return False

    def render_insets(self, now: float) -> None:
        """Draw any boards that aren't part of the main view."""

    def trace_values(self) -> Mapping[str, object]:
        """Return named values, beyond those of the widgets, that end-to-end tests check."""
        return {}

    def announcement(self) -> str:
        """Return the text for screen readers: what happened last and what the player can do."""
        return join_sentences([saying() for saying in self.announcement_sources])

    def heading(self) -> str:
        """Return the title of the page, or "" if it needs none."""
        return ""

    @property
    def board_widget(self) -> Widget | None:
        """Widget that displays the boards or table, or None if the page has none."""
        return self.view if isinstance(self.view, Widget) else None

    def cursor_rect(self) -> Rect | None:
        """Return the area of the keyboard cursor on the boards or table, or None if there is no cursor."""
        return None

    def board_elements(self) -> Sequence[BoardElement]:
        """Return the elements that represent the boards or the table for screen readers.

        They must not reveal anything that is hidden from the viewer.
        """
        return ()

    def rebuild(self) -> WindowPage:
        """Return a new instance of the page in the current language."""
        return type(self)()

    def on_show(self) -> None:
        """Handle the page becoming the current page."""

    def on_foreground(self) -> None:
        """Update the page when the window returns to the foreground, since files may have changed in the meantime."""

    def on_input(self) -> None:
        """Handle input of any kind."""

    def on_leave(self) -> None:
        """Clean up before the page is replaced or the program ends."""
