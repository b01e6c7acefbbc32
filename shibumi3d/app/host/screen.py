"""What the window shows: a page, as far as the program knows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Protocol

from shibumi3d.i18n import _
from shibumi3d.scene.rect import Rect

from ..ui.core import Widget
from ..ui.tree import Thing, sentences


class BoardPicture(Protocol):
    """The boards on a page, as they are drawn."""

    visible: bool

    def render(self, now: float, moving: bool, aside: Rect | None = None) -> None:
        """Draw the boards into their part of the window, or all of them ``aside``."""

    def sketch(self, now: float) -> None:
        """Draw the boards in plain shapes, at once."""


COLUMN = (400.0, 480.0)
"""The least size of a page in one column, in logical pixels: no window shows less of its width at once."""
TITLED = 44.0
"""The height of a title that has a line of its own, where there is room for one column alone."""


def back_to(came: Screen | None) -> str:
    """Return where a way back leads, as it is read aloud."""
    page = came.heading() if came is not None else ""
    return _("Back to {page}", page=page or _("Games"))


class Screen(Widget):
    """A page. It fills the window and may hold a view of the board."""

    title = ""
    view: BoardPicture | None = None
    letters = False
    """Whether letters that are typed mean a text, so that they can't be keys."""
    keys: Sequence[str] = ()
    """The lines of the sheet of keys for this page."""

    least = (640.0, 360.0)
    """The smallest size at which all of it can be read, in logical pixels: in a smaller window a part is seen."""
    columned = False
    """Whether all of it stands in one column where a window is less wide than that: it is moved up and down alone."""

    shown_on: date | None = None
    """The day for which it shows what depends on the day."""

    sayings: Sequence[Callable[[], str]] = ()
    """The sentences that :meth:`spoken` puts together."""

    def __init__(self) -> None:
        super().__init__(self.title)

    def day_changed(self) -> None:
        """Show what depends on the day anew: it is another day than when the page was made or last shown."""

    @property
    def narrow(self) -> bool:
        """Whether there is room for one column alone."""
        return self.columned and self.rect.w < self.least[0]

    def smallest(self, wide: float) -> tuple[float, float]:
        """Return the smallest size at which all of it can be read in a window so ``wide``, in logical pixels."""
        return COLUMN if self.columned and wide < self.least[0] else self.least

    def animate(self, now: float) -> bool:
        """Move on to the time ``now`` in seconds; return whether anything is still moving."""
        return False

    def fading(self) -> bool:
        """Return whether something in the picture just drawn is still coming or leaving."""
        return False

    def render_beside(self, now: float) -> None:
        """Draw the boards that are shown besides the one of the view."""

    def trace(self) -> Mapping[str, object]:
        """Return what a test from outside needs to know besides the widgets, by name."""
        return {}

    def spoken(self) -> str:
        """Return what a speech tool should read: what happened last, and what is asked for, as far as the page shows
        it.
        """
        return sentences([saying() for saying in self.sayings])

    def heading(self) -> str:
        """Return what the page is called; empty where it needs no name."""
        return ""

    @property
    def seen_on(self) -> Widget | None:
        """The widget on which boards or a table are seen; None where there is none."""
        return self.view if isinstance(self.view, Widget) else None

    def marked(self) -> Rect | None:
        """Return where the cursor of the keys is on boards or a table; None where there is none."""
        return None

    def things(self) -> Sequence[Thing]:
        """Return what stands or lies there, for those who do not see it: nothing that the viewer may not see."""
        return ()

    def renewed(self) -> Screen:
        """Return the same page made anew, in the language in use now."""
        return type(self)()

    def shown(self) -> None:
        """Do what is due when the page has just been put on the window."""

    def on_return(self) -> None:
        """The window is in front again: other programs may have changed what is shown."""

    def on_input(self) -> None:
        """Do what is due when there is input of any kind."""

    def leave_screen(self) -> None:
        """Do what is due when the page is about to be replaced, or the program to end."""
