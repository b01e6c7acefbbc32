"""Texts packed into single lines that survive being sent by mail or chat. Received lines are not trusted.

The format is ``PREFIX:FORMAT:CHECK:DATA``. DATA is the text, compressed with zlib and encoded in URL-safe base64, which
messaging programs don't alter. CHECK is the beginning of the SHA-256 hash of the text, which reveals a damaged line.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import zlib
from dataclasses import dataclass

from shibumi3d.i18n import LocalizedError

CHECK_LENGTH = 12
"""Number of hexadecimal digits in CHECK."""
_CONTENT = re.compile(rf"([0-9]{{1,4}}):([0-9a-f]{{{CHECK_LENGTH}}}):([A-Za-z0-9_=-]*)")
"""Pattern for what follows the prefix of a line."""


class PackedLineError(LocalizedError, ValueError):
    """Raised if a line can't be unpacked. The message is for users."""


@dataclass(frozen=True)
class LineFormat:
    """Kind of packed line, with its prefix, format number and size limit.

    ``max_bytes`` is the maximum size of the text in UTF-8. ``vocabulary`` holds strings that occur often in the packed
    texts and therefore needn't be stored. A line can only be read with the vocabulary with which it was written.
    """

    prefix: str
    format: str
    max_bytes: int
    vocabulary: bytes = b""

    @property
    def max_line_length(self) -> int:
        """Maximum length of a line in characters: a text of the maximum size fits even if it can't be compressed."""
        return self.max_bytes * 3 // 2

    def pack(self, text: str) -> str:
        """Return ``text`` packed into one line."""
        data = text.encode("utf-8")
        packer = zlib.compressobj(9, zdict=self.vocabulary) if self.vocabulary else zlib.compressobj(9)
        packed = base64.urlsafe_b64encode(packer.compress(data) + packer.flush()).decode("ascii").rstrip("=")
        return f"{self.prefix}{self.format}:{_checksum(data)}:{packed}"

    def unpack(self, line: str) -> str:
        """Return the text packed in ``line``.

        ``line`` starts with the prefix. Line breaks and spaces in the line are ignored. Raises :class:`PackedLineError`
        if the line or its text is too long, or if the line is damaged or in another format.
        """
        plain = "".join(line[: 2 * self.max_line_length + 1].split()).rstrip(
            "\x1a"
        )  # DOS's end-of-file character
        if len(line) > 2 * self.max_line_length or len(plain) > self.max_line_length:
            raise PackedLineError("the text is too long")
        parts = _CONTENT.fullmatch(plain.removeprefix(self.prefix))
        if parts is None:
            raise PackedLineError("the text is incomplete or has been changed; copy all of it again")
        if parts[1] != self.format:
            raise PackedLineError("the text was made by a newer version of Shibumi 3D")
        packed = parts[3].rstrip("=")
        # Words that follow the line in a message are ignored, but they may end within a group of four characters.
        packed = packed[: len(packed) - (len(packed) % 4 == 1)]
        reader = zlib.decompressobj(zdict=self.vocabulary) if self.vocabulary else zlib.decompressobj()
        try:
            # Limit the decompressed size, so that a malicious line can't exhaust the memory.
            data = reader.decompress(
                base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), self.max_bytes + 1
            )
        except (zlib.error, binascii.Error, ValueError):
            raise PackedLineError(
                "the text is incomplete or has been changed; copy all of it again"
            ) from None
        if len(data) > self.max_bytes or reader.unconsumed_tail:
            raise PackedLineError("the text is too long")
        if not reader.eof or _checksum(data) != parts[2]:
            raise PackedLineError("the text is incomplete or has been changed; copy all of it again")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            raise PackedLineError(
                "the text is incomplete or has been changed; copy all of it again"
            ) from None


def _checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:CHECK_LENGTH]
