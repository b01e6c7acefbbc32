"""Copy and paste, with checks of all text that the window system returns."""

from __future__ import annotations

from collections.abc import Callable

from shibumi3d.i18n import _

from ..host.services import Services
from .crash_reporting import log

MAX_TEXT_BYTES = 4 * 1024 * 1024
"""Maximum size of pasted text, in bytes."""


class ClipboardError(Exception):
    """Raised if the clipboard or an X11 selection can't be read or written.

    The message is a translated sentence that can be shown to the user.
    """


class Clipboard:
    """System clipboard, accessed through ``services``; failures are reported through ``show_message``."""

    def __init__(self, services: Services, show_message: Callable[[str], None]) -> None:
        self._services, self._show_message = services, show_message

    def copy(self, text: str) -> bool:
        """Copy text to the clipboard; return whether that succeeded."""
        return self._run_guarded(lambda: self._services.write_clipboard(text)) is not None

    def paste(self) -> str:
        """Return the text on the clipboard, or "" if there is none or it can't be read."""
        return self._run_guarded(self._read_checked) or ""

    def _read_checked(self) -> str:
        text = self._services.read_clipboard()
        if not isinstance(text, str):
            raise ClipboardError(_("The clipboard doesn't contain text."))
        try:
            size = len(text.encode())
        except UnicodeEncodeError:  # lone surrogates
            raise ClipboardError(
                _("The text on the clipboard can't be read: it isn't valid UTF-8.")
            ) from None
        if size > MAX_TEXT_BYTES:
            raise ClipboardError(_("The text on the clipboard is too long."))
        # Some programs end a text with a NUL.
        return text.rstrip("\0")

    def _run_guarded(self, action: Callable[[], str | None]) -> str | None:
        """Call ``action`` and return its result, or "" if the result is None.

        If the call fails, report the error and return None.
        """
        try:
            return action() or ""
        except ClipboardError as problem:
            self._show_message(str(problem))
        except UnicodeDecodeError:
            self._show_message(_("The text on the clipboard can't be read: it isn't valid UTF-8."))
        except Exception as problem:
            log.error(repr(problem), exc_info=problem)
            self._show_message(_("Copy and paste aren't available here."))
        return None
