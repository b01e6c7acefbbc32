"""Copy and paste, with checks of all text that the window system returns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shibumi3d.i18n import _

from .mishaps import log

MOST = 4 * 1024 * 1024
"""Maximum size of pasted text, in bytes."""


class Trouble(Exception):
    """Failure to read or write the clipboard or a selection; the message is shown to the user."""


class Clipboard:
    """System clipboard, accessed through ``write`` and ``read``; problems are reported to ``tell``."""

    def __init__(
        self, write: Callable[[str], None], read: Callable[[], Any], tell: Callable[[str], None]
    ) -> None:
        self._write, self._read, self._tell = write, read, tell

    def copy(self, text: str) -> bool:
        """Copy text to the clipboard; return whether that succeeded."""
        return self._guarded(lambda: self._write(text)) is not None

    def paste(self) -> str:
        """Return the text on the clipboard, or "" if there is none or it can't be read."""
        return self._guarded(self._checked) or ""

    def _checked(self) -> str:
        text = self._read()
        if not isinstance(text, str):
            raise Trouble(_("The clipboard does not contain text."))
        try:
            size = len(text.encode())
        except UnicodeEncodeError:  # lone surrogates
            raise Trouble(_("The text on the clipboard can't be read: it is not valid UTF-8.")) from None
        if size > MOST:
            raise Trouble(_("The text on the clipboard is too long."))
        # Some programs end a text with a NUL.
        return text.rstrip("\0")

    def _guarded(self, what: Callable[[], str | None]) -> str | None:
        """Call ``what`` and return its result, or "" if the result is None.

        If the call fails, report the problem and return None.
        """
        try:
            return what() or ""
        except Trouble as problem:
            self._tell(str(problem))
        except UnicodeDecodeError:
            self._tell(_("The text on the clipboard can't be read: it is not valid UTF-8."))
        except Exception as problem:
            log.error(repr(problem), exc_info=problem)
            self._tell(_("Copy and paste are not available here."))
        return None
