"""Buttons that delete saved files and restore them, for pages that list the files of a store."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _
from shibumi3d.scene.rect import Rect

from ..ui.button import Button
from ..ui.widget import Key

if TYPE_CHECKING:
    from . import Host


class Store(Protocol):
    """Folder whose saved files can be deleted and restored."""

    def delete(self, path: Path, now: datetime) -> Path | None:
        """Move a file to the folder for deleted files and return its new path, or None if the file is in use.

        ``now`` is the current time. Raises OSError if the file can't be moved.
        """

    def restore(self, deleted_path: Path, path: Path) -> None:
        """Move a deleted file back to ``path``.

        Raises OSError if the file can't be moved, e.g. because there is another file at ``path``.
        """


class FileDeletion:
    """Deletion of the file selected on a page, with undo.

    A deletion can be undone until the page is left. ``selected_path`` returns the path of the selected file, or None.
    ``on_change`` is called with None after a file has been deleted, and with the original path after a file has been
    restored.
    """

    def __init__(
        self,
        app: Host,
        store: Store,
        selected_path: Callable[[], Path | None],
        on_change: Callable[[Path | None], None],
    ) -> None:
        self.app, self.store, self.selected_path, self.on_change = app, store, selected_path, on_change
        self._deleted: list[tuple[Path, Path]] = []
        """Current and original paths of the deleted files, most recently deleted last."""
        self.delete_button = Button(_("Delete"), self.delete, kind="quiet", name="delete")
        self.restore_button = Button(_("Restore"), self.restore, icon="undo", kind="quiet", name="restore")
        self.restore_button.visible = False

    def delete(self) -> None:
        """Delete the selected file, if any, or show a message if that isn't possible."""
        path = self.selected_path()
        if path is None:
            return
        try:
            moved = self.store.delete(path, datetime.now())
        except OSError as problem:
            self.app.show_message(_("Couldn't delete this file: {problem}.", problem=problem))
            return
        if moved is None:
            self.app.show_message(_("Couldn't delete this file: it's open in another window."))
            return
        self._deleted.append((moved, path))
        self._update(None)

    def restore(self) -> None:
        """Restore the most recently deleted file, if there is one.

        If the file can't be restored, a message says why.
        """
        if not self._deleted:
            return
        moved, path = self._deleted[-1]
        try:
            self.store.restore(moved, path)
        except OSError as problem:
            self.app.show_message(_("Couldn't restore this file: {problem}.", problem=problem))
            return
        self._deleted.pop()
        self._update(path)

    def _update(self, restored_path: Path | None) -> None:
        self.restore_button.visible = bool(self._deleted)
        self.on_change(restored_path)

    def layout(self, line: Rect) -> Rect:
        """Place the visible buttons at the right end of ``line``, and return the rest of the line."""
        for button in (self.delete_button, self.restore_button):
            if button.visible:
                wide = button.preferred_width(self.app.canvas)
                place, line = line.cut_right(wide, 8)
                button.layout(Rect(place.x, place.y + 1, wide, 32))
        return line

    def on_key(self, key: Key) -> bool:
        """Delete the selected file on Delete, or restore the last deleted one on Ctrl+Z.

        Returns whether ``key`` was one of these two.
        """
        if key.chord not in ("delete", "ctrl+z"):
            return False
        (self.delete if key.chord == "delete" else self.restore)()
        return True
