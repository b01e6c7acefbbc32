"""File dialogs that the window opens, one at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from shibumi3d.i18n import _

from .file_dialog import FileRequest, NoFileDialogError
from .services import Services

POLL_SECONDS = 0.1
"""Interval at which to check whether the dialog has been closed, in seconds."""
CLOSE_SECONDS = 1.0
"""Maximum time to wait for the dialog to close when the program ends, in seconds."""


class FileChooser:
    """File chooser that shows one dialog at a time and reports the result in the window's event loop."""

    def __init__(self, get_services: Callable[[], Services], show_message: Callable[[str], None]) -> None:
        self._get_services, self._show_message = get_services, show_message
        self._thread: threading.Thread | None = None
        self._cancelled = threading.Event()
        self.folder = Path.home()
        """Folder of the most recently chosen file; initially the home folder."""

    def open_file(self, title: str, on_chosen: Callable[[Path], None]) -> None:
        """Ask for a file to open, and call ``on_chosen`` with its path if the user chooses one."""
        self._choose(FileRequest(title, self.folder), on_chosen)

    def save_file(self, title: str, path: Path, on_chosen: Callable[[Path], None]) -> None:
        """Ask where to save a file, and call ``on_chosen`` with the chosen path.

        ``path`` is the default. If the user cancels, ``on_chosen`` isn't called.
        """
        self._choose(FileRequest(title, path.parent, path.name), on_chosen)

    def _choose(self, request: FileRequest, on_chosen: Callable[[Path], None]) -> None:
        """Show a file dialog in another thread; if the user chooses a path, pass it to ``on_chosen``.

        ``on_chosen`` is called in the window's event loop. If a file dialog is already open, or if the system has no
        file dialog, show a message instead.
        """
        if self._thread is not None:
            self._show_message(_("The file dialog is already open."))
            return
        services = self._get_services()
        request = request._replace(parent=services.get_window_id())
        results: list[Path | Exception | None] = []
        cancelled = self._cancelled = threading.Event()

        def run() -> None:
            try:
                results.append(services.ask_for_file(request, cancelled))
            except Exception as problem:
                results.append(problem)

        def poll() -> None:
            if cancelled.is_set():
                return
            if not results:
                services.schedule(POLL_SECONDS, poll)
                return
            self._thread = None
            result = results[0]
            if isinstance(result, NoFileDialogError):
                self._show_message(
                    _("There is no file dialog on this computer. Type the file's path instead.")
                )
            elif isinstance(result, Exception):
                raise result
            elif result is not None:
                self.folder = result.parent
                on_chosen(result)

        self._thread = threading.Thread(target=run, name="file dialog", daemon=True)
        self._thread.start()
        services.schedule(POLL_SECONDS, poll)

    def close(self) -> None:
        """Close the dialog if one is open, and ignore its result."""
        thread, self._thread = self._thread, None
        self._cancelled.set()
        if thread is not None:
            thread.join(CLOSE_SECONDS)
