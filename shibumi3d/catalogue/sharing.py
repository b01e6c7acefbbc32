"""Game files as single lines of text that can be sent to other people. Received lines are not trusted.

The format is ``shibumi3d-game:1:CHECK:DATA``. DATA is the text of the file, compressed with zlib and encoded in
URL-safe base64, which messaging programs don't alter. CHECK is the beginning of its SHA-256 hash, which reveals a
damaged line.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import zlib

import yaml

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.catalogue.yaml_parser import GAME_LIMITS
from shibumi3d.rules.source import to_plain_data

PREFIX = "shibumi3d-game:"
FORMAT = "1"
MAX_LINE_LENGTH = GAME_LIMITS.size * 3 // 2
"""Maximum length of a line in characters.

A game file of the maximum size fits even if it can't be compressed.
"""
_LINE = re.compile(r"([0-9]{1,4}):([0-9a-f]{12}):([A-Za-z0-9_=-]*)")


def is_shared_line(line: str) -> bool:
    """Return whether a text starts like a line made by :func:`encode_game`."""
    return line.lstrip()[: len(PREFIX)] == PREFIX


def encode_game(text: str) -> str:
    """Encode the game file ``text`` as one line."""
    data = text.encode("utf-8")
    packed = base64.urlsafe_b64encode(zlib.compress(data, 9)).decode("ascii").rstrip("=")
    return f"{PREFIX}{FORMAT}:{_checksum(data)}:{packed}"


def to_game_file(entry: Entry) -> str:
    """Return the game as the text of a self-contained file.

    The games that it extends are merged into it, and comments are lost.
    """
    data = to_plain_data(entry.item)
    assert isinstance(data, dict)
    return yaml.safe_dump(
        {key: value for key, value in data.items() if key != "extends"},
        allow_unicode=True,
        sort_keys=False,
        width=100,
    )


def decode_game(line: str) -> str:
    """Decode a line to the text of a game file, ignoring any line breaks and spaces.

    Raises :class:`CatalogueError`. This function doesn't check whether the text is a valid game; the catalogue does.
    """
    if len(line) > 2 * MAX_LINE_LENGTH:
        raise CatalogueError("the line is too long to be a game")
    plain = "".join(line.split()).rstrip("\x1a")  # end-of-file character of DOS
    if not plain.startswith(PREFIX):
        raise CatalogueError("a game shared as one line starts with {sign}", sign=PREFIX)
    if len(plain) > MAX_LINE_LENGTH:
        raise CatalogueError("the line is too long to be a game")
    parts = _LINE.fullmatch(plain[len(PREFIX) :])
    if parts is None:
        raise CatalogueError("the line is incomplete or damaged")
    if parts[1] != FORMAT:
        raise CatalogueError("the line was written by a newer version of Shibumi 3D")
    packed = parts[3].rstrip("=")
    try:
        reader = zlib.decompressobj()
        # Limit the decompressed size, so that a malicious line can't exhaust the memory.
        data = reader.decompress(
            base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), GAME_LIMITS.size + 1
        )
    except (zlib.error, binascii.Error, ValueError):
        raise CatalogueError("the line is incomplete or damaged") from None
    if len(data) > GAME_LIMITS.size or reader.unconsumed_tail:
        raise CatalogueError("the line contains more than a game can hold")
    if not reader.eof or _checksum(data) != parts[2]:
        raise CatalogueError("the line is incomplete or damaged")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise CatalogueError("the line doesn't contain text") from None


def _checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]
