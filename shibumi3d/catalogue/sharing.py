"""A game as one line of text, to be sent to somebody, and taken in from there: checked, and never trusted.

``shibumi3d-game:1:CHECK:DATA``: the text of the file, deflated and written in letters that every message leaves as
they are (base 64 for addresses), and the beginning of its SHA-256, so that a line that lost something is known.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import zlib

import yaml

from shibumi3d.catalogue.loader import GAME_LIMITS
from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.rules.source import plain

SIGN = "shibumi3d-game:"
FORMAT = "1"
LONGEST = GAME_LIMITS.size * 3 // 2
"""How many characters a line may have: what a file of the greatest size may need that can't be made smaller."""
_LINE = re.compile(r"([0-9]{1,4}):([0-9a-f]{12}):([A-Za-z0-9_=-]*)")


def is_shared(line: str) -> bool:
    """Return whether a text means to be a game in one line, as :func:`line_of` makes it."""
    return line.lstrip()[: len(SIGN)] == SIGN


def line_of(text: str) -> str:
    """Return the line that tells the game file ``text``."""
    data = text.encode("utf-8")
    packed = base64.urlsafe_b64encode(zlib.compress(data, 9)).decode("ascii").rstrip("=")
    return f"{SIGN}{FORMAT}:{_check(data)}:{packed}"


def written_out(entry: Entry) -> str:
    """Return the game as the text of a file that stands alone: what it extends is written out in it, remarks are
    lost.
    """
    whole = plain(entry.item)
    assert isinstance(whole, dict)
    return yaml.safe_dump(
        {key: value for key, value in whole.items() if key != "extends"},
        allow_unicode=True,
        sort_keys=False,
        width=100,
    )


def text_of(line: str) -> str:
    """Return the game file that a line tells; line breaks and spaces that a message put into it are no matter.

    Raises :class:`CatalogueError`. What it returns is text and nothing more: whether that is a game is for the
    catalogue to find out.
    """
    if len(line) > 2 * LONGEST:
        raise CatalogueError("the line is too long to be a game")
    plain = "".join(line.split()).rstrip("\x1a")  # the end of a file under DOS
    if not plain.startswith(SIGN):
        raise CatalogueError("a game in one line begins with {sign}", sign=SIGN)
    if len(plain) > LONGEST:
        raise CatalogueError("the line is too long to be a game")
    parts = _LINE.fullmatch(plain[len(SIGN) :])
    if parts is None:
        raise CatalogueError("the line is not whole")
    if parts[1] != FORMAT:
        raise CatalogueError("the line was written by a newer version of Shibumi 3D")
    packed = parts[3].rstrip("=")
    try:
        reader = zlib.decompressobj()
        # No more is unpacked than a game may hold, whatever the line promises.
        data = reader.decompress(
            base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), GAME_LIMITS.size + 1
        )
    except (zlib.error, binascii.Error, ValueError):
        raise CatalogueError("the line is not whole") from None
    if len(data) > GAME_LIMITS.size or reader.unconsumed_tail:
        raise CatalogueError("the line holds more than a game may")
    if not reader.eof or _check(data) != parts[2]:
        raise CatalogueError("the line is not whole")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise CatalogueError("the line holds no text") from None


def _check(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]
