"""Keys and buttons that move the camera."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from shibumi3d.app.wording import titled
from shibumi3d.i18n import _

from ..host.settings import VIEWS
from ..ui.button import Button
from ..ui.core import Key
from .compass import Compass

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry

    from ..host import Host
    from ..host.view import View

SIDES = ("left", "right", "down", "up")
"""Names of the arrow keys for the sides of the board, in the order of ``pyramid.SIDES``."""


class Viewed(Protocol):
    """Page with a view of a table."""

    app: Host
    view: View
    entry: Entry

    def remark(self, sentence: str) -> None:
        """Show a message that isn't about a particular point."""


class ViewCommands:
    """Camera commands of a page.

    ``more`` are additional key bindings, which show or hide things.
    """

    def __init__(self, page: Viewed, more: Mapping[str, Callable[[], object]] = MappingProxyType({})) -> None:
        self.page, self.more = page, more

    def key(self, key: Key) -> bool:
        """Handle a key that moves the camera or takes a screenshot; return whether it was handled."""
        view = self.page.view
        actions: dict[str, Callable[[], object]] = {
            "0": view.go_home,
            "t": lambda: view.go(view.from_above()),
            "[": lambda: view.turn(-1),
            "]": lambda: view.turn(1),
            "plus": lambda: view.zoom(1),
            "shift+plus": lambda: view.zoom(1),
            "-": lambda: view.zoom(-1),
            "ctrl+left": lambda: view.go(view.camera.turned(-15)),
            "ctrl+right": lambda: view.go(view.camera.turned(15)),
            "ctrl+up": lambda: view.go(view.camera.turned(0, 10)),
            "ctrl+down": lambda: view.go(view.camera.turned(0, -10)),
            "o": lambda: view.turn(2),
            **{f"alt+{way}": partial(self.go_to_side, i) for i, way in enumerate(SIDES)},
            **{f"alt+{i + 1}": partial(self.recall_view, i) for i in range(VIEWS)},
            **{f"alt+shift+{i + 1}": partial(self.store_view, i) for i in range(VIEWS)},
            "ctrl+shift+c": lambda: self.page.app.stage.keep_picture(
                titled(self.page.entry), self.page.view.rect
            ),
            **self.more,
        }
        action = actions.get(key.chord)
        if action is None:
            return False
        action()
        return True

    def go_to_side(self, side: int) -> None:
        """Move the camera to a side of the board, given as an index into SIDES."""
        self.page.view.go(self.page.view.camera.side(side))

    def store_view(self, place: int) -> None:
        """Store the current camera view for this game in slot ``place``, counted from 0."""
        camera = self.page.view.camera
        views = list(self.page.app.settings.views.get(self.page.entry.id, (None,) * VIEWS))
        views[place] = round(camera.yaw, 2), round(camera.pitch, 2), round(camera.zoom, 3)
        self.page.app.change(views={**self.page.app.settings.views, self.page.entry.id: tuple(views)})
        self.page.remark(_("View {number} saved.", number=place + 1))

    def keep_eye(self, name: str) -> None:
        """Save the camera position for the match in the file ``name``.

        The program saves only one such position. It is deleted if the camera is at its home position or straight above
        the table.
        """
        view, eye = self.page.view, {}
        if name and view.goal not in (view.home, view.above):
            camera = view.goal
            eye[name] = round(camera.yaw, 2), round(camera.pitch, 2), round(camera.zoom, 3)
        if name and self.page.app.settings.eye != eye:
            self.page.app.change(eye=eye)

    def restore_eye(self, name: str) -> None:
        """Restore the camera position saved for the match in the file ``name``, if there is one."""
        if name in self.page.app.settings.eye:
            yaw, pitch, zoom = self.page.app.settings.eye[name]
            self.page.view.go(replace(self.page.view.home, yaw=yaw, pitch=pitch, zoom=zoom))

    def recall_view(self, place: int) -> None:
        """Go to the view of this game in slot ``place``, counted from 0.

        If the slot is empty, show a message.
        """
        kept = self.page.app.settings.views.get(self.page.entry.id, (None,) * VIEWS)[place]
        if kept is None:
            self.page.remark(
                _(
                    "View {number} is empty. Press Shift+Alt+{number} to save the current view.",
                    number=place + 1,
                )
            )
            return
        yaw, pitch, zoom = kept
        self.page.view.go(replace(self.page.view.camera, yaw=yaw, pitch=pitch, zoom=zoom))
        self.page.remark("")

    def buttons(self) -> list[Button]:
        """Return the camera buttons for the bottom bar."""
        view = self.page.view
        return [
            Button(
                "",
                lambda: view.turn(-1),
                icon="turn-left",
                kind="quiet",
                tip=_("Rotate left  ["),
                name="turn left",
            ),
            Button(
                "",
                lambda: view.turn(1),
                icon="turn-right",
                kind="quiet",
                tip=_("Rotate right  ]"),
                name="turn right",
            ),
            Button(
                _("Top"),
                lambda: view.go(view.from_above()),
                icon="top",
                kind="quiet",
                tip=_("From above  T"),
                name="top",
            ),
            Compass(view),
            Button(
                "", lambda: view.zoom(-1), icon="minus", kind="quiet", tip=_("Zoom out  −"), name="farther"
            ),
            Button("", lambda: view.zoom(1), icon="plus", kind="quiet", tip=_("Zoom in  +"), name="nearer"),
        ]
