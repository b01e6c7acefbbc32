"""Base class of the pages, which gives them access to the rest of the program."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import replace

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import HEADING_PX, Style

from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.widget import Key
from . import Host
from .window_page import NARROW_TITLE_HEIGHT_PX, WindowPage

TITLE_BAR_HEIGHT_PX = 56.0
"""Height of the bar with a page's title and its back button, in logical pixels."""


class Page(WindowPage):
    """Base class of pages with access to the rest of the program.

    ``app`` is the interface that provides this access.
    """

    def __init__(self, app: Host) -> None:
        super().__init__()
        self.app = app

    def layout_title_bar(self, rect: Rect, back_button: Button) -> tuple[Rect, Rect]:
        """Lay out the title and ``back_button`` at the top of the page; return the bar and the area below the title.

        In a single-column layout, the title has its own row below the bar.
        """
        bar, rest = rect.cut_top(TITLE_BAR_HEIGHT_PX)
        self.title_rect = bar
        if self.is_narrow:
            self.title_rect, rest = rest.cut_top(NARROW_TITLE_HEIGHT_PX)
        back_button.layout(Rect(bar.x + 12, bar.cy - 16, 100, 32))
        return bar, rest

    def min_size_around(self, window_width: float, content_height: float) -> tuple[float, float]:
        """Return the minimum size of the layout if ``content_height`` is needed below the title.

        ``window_width`` is the width of the window. All lengths are in logical pixels.
        """
        wide, high = super().min_size_for(window_width)
        is_narrow = self.has_narrow_layout and window_width < self.min_size[0]
        title_height = TITLE_BAR_HEIGHT_PX + (NARROW_TITLE_HEIGHT_PX if is_narrow else 0)
        return wide, max(high, title_height + content_height)

    def paint_title_bar(self, canvas: Canvas, style: Style) -> None:
        """Paint the background and the heading of the page, and the line below the title bar."""
        canvas.rect(self.rect, style.page)
        canvas.hairline(self.rect.x, TITLE_BAR_HEIGHT_PX - 1, self.rect.w, style.hairline)
        canvas.text_in(self.title_rect, self.heading(), style.ink, "title", HEADING_PX, 0.5)

    @property
    def is_current(self) -> bool:
        return self.app.current_page is self

    def relayout(self) -> None:
        """Lay out the page again if it already has a size.

        If it is the current page and has a single column, its height is also recalculated.
        """
        if self.is_narrow and self.rect.w and self.is_current:
            self.app.relayout()
        elif self.rect.w:
            self.layout(self.rect)

    def rebuild(self) -> WindowPage:
        return type(self)(self.app)

    def resolve_shortcut(self, key: Key, bindings: Container[str]) -> Key | None:
        """Return the shortcut that a key press stands for, or None for a disabled single-key shortcut.

        While single-key shortcuts are turned off, the key of such a shortcut must be pressed together with Ctrl or,
        unless it is a digit, with Alt. A combination that is in ``bindings`` keeps its own meaning, so Alt is needed if
        Ctrl with the key is another shortcut.
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
        """Run the action bound to a key or, if there is none, call ``on_unbound_key``.

        The key is interpreted by :meth:`resolve_shortcut` first. If that returns None, nothing is called. Returns
        whether the key was handled.
        """
        resolved = self.resolve_shortcut(key, actions)
        if resolved is None:
            return False
        action = actions.get(resolved.chord)
        if action is None:
            return on_unbound_key(resolved)
        action()
        return True
