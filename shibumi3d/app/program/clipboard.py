"""What was copied, here or elsewhere: whatever the window system hands over, nothing of it is trusted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shibumi3d.i18n import _

from .mishaps import log

MOST = 4 * 1024 * 1024
"""The most bytes of a text that are taken."""


class Trouble(Exception):
    """Nothing can be had, or given; the message is a sentence."""


class Clipboard:
    """Copies and pastes by what the system has for that, and ``tell``s what stands in the way."""

    def __init__(
        self, write: Callable[[str], None], read: Callable[[], Any], tell: Callable[[str], None]
    ) -> None:
        self._write, self._read, self._tell = write, read, tell

    def copy(self, text: str) -> bool:
        """Gives a text to all other programs; whether that was possible."""
        return self._guarded(lambda: self._write(text)) is not None

    def paste(self) -> str:
        """The text that was copied last; empty where there is none, or none that can be had."""
        return self._guarded(self._checked) or ""

    def _checked(self) -> str:
        text = self._read()
        if not isinstance(text, str):
            raise Trouble(_("The clipboard does not contain text."))
        try:
            size = len(text.encode())
        except UnicodeEncodeError:  # halves of characters
            raise Trouble(_("The text on the clipboard can't be read: it is not valid UTF-8.")) from None
        if size > MOST:
            raise Trouble(_("The text on the clipboard is too long."))
        # Some end a text as C does.
        return text.rstrip("\0")

    def _guarded(self, what: Callable[[], str | None]) -> str | None:
        """What ``what`` returns, empty for nothing; None where it could not be done, and that was said."""
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
